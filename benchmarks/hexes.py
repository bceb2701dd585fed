"""Pictures of hex maps: little more than it costs to rasterise the finished drawing, and linear in the hexes."""

from __future__ import annotations

import json
import math
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Result, medians
from compiler.check import check
from compiler.draw import draw_map, rasterise
from compiler.init import HEX, template
from compiler.model.types import Module

MOST_MEMORY = 1_500_000  # kilobytes


def results() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as scratch:
        middle = module_of(Path(scratch) / "middle", 60, 40)
        drawn = draw_map(middle, "shores", "en")
        floor, whole = medians(
            lambda: rasterise(drawn.svg, drawn.width, drawn.height), lambda: picture(middle), times=3
        )
        name = f"picture of 60 x 40 hexes with {len(drawn.labels)} names"
        yield Result(name, whole, floor, 1.5 * floor, "1.5 x the same drawing rasterised")
        half, all = (seconds(module_of(Path(scratch) / str(n), n, 100)) for n in (250, 500))
        yield Result("drawing of 50,000 hexes", all, 2 * half, 2.6 * half, "1.3 x twice 25,000 hexes")
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if used > MOST_MEMORY:
        raise SystemExit(f"hex maps: {used} kB of memory, more than {MOST_MEMORY} kB")


def picture(module: Module) -> bytes:
    drawn = draw_map(module, "shores", "en")
    return rasterise(drawn.svg, drawn.width, drawn.height)


def seconds(module: Module) -> float:
    start = time.process_time()
    draw_map(module, "shores", "en")
    return time.process_time() - start


def module_of(folder: Path, columns: int, rows: int) -> Module:
    """The hex template with a larger map that has all of its features, many times."""
    for path, text in template(HEX):
        file = folder / path
        if path.parts[0] not in ("cases", "scenarios"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    file = folder / "module.json"
    main = json.loads(file.read_text(encoding="utf-8"))
    main["powers"] = [
        {key: value for key, value in power.items() if key != "capital"} for power in main["powers"]
    ]
    file.write_text(json.dumps(main), encoding="utf-8")
    file = folder / "maps" / "shores.json"
    file.write_text(
        json.dumps(large(json.loads(file.read_text(encoding="utf-8")), columns, rows)), encoding="utf-8"
    )
    module = check(folder, folder.as_posix()).module
    assert module is not None and len(module.maps["shores"].spaces) == columns * rows + 1
    return module


def large(start: dict[str, object], columns: int, rows: int) -> dict[str, object]:
    letters = [[_letter(c, r) for c in range(columns)] for r in range(rows)]

    def id(c: int, r: int) -> str:
        return f"{c + 1:03}.{r + 1:03}"

    dry = [
        (c, r)
        for r in range(2, rows - 2)
        for c in range(2, columns - 2)
        if all(letters[r + j][c + i] != "~" for i in (-1, 0, 1) for j in (-1, 0, 1))
    ]
    names = ("High Gate", "Millbrook", "Ambermouth", "Sandhaven", "Lowford", "Gull Bay")
    return {
        **start,
        "hexes": {"shape": "flat", "shifted": "even", "ids": "{ccc}.{rrr}", "values": {"kind": "hex"}},
        "sheets": [{"terrain": ["".join(row) for row in letters]}],
        "links": [],
        "regions": [],
        "spaces": [
            {"id": id(c, r), "name": names[(c + r) % 6], "city": 1 + (c * r) % 3, "airfield": c % 4 == 0}
            for c, r in dry
            if c % 6 == 1 and r % 4 == 1
        ],
        "sides": [
            {"kind": "river", "path": f"{id(c, r)}/N NE SE S"} for c, r in dry if c % 5 == 0 and r % 3 == 0
        ],
        "lines": [
            {"kind": kind, "path": f"{id(c, r)} {way}"}
            for c, r in dry
            for kind, way, step in (("road", "SE", 5), ("rail", "NE", 7))
            if c % step == 0 and r % 2 == 0 and c < columns - 3
        ],
    }


def _letter(c: int, r: int) -> str:
    height = math.sin(c / 9) + math.cos(r / 7) + math.sin((c + r) / 13)
    bands = ((-1.3, "~"), (-1.0, "b"), (-0.9, "s"), (0.8, "c"), (1.3, "w"), (1.7, "h"))
    return next((letter for most, letter in bands if height < most), "m")
