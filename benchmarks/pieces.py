"""A module of 20,000 pieces: the time to build it must be that of 2,000 times ten, and its peak of memory under 1 GB.

Every piece is a counter of its own, with its own face, and stands on the map once. The build runs in a process of its
own, so that the peak is the build's alone.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Result

FEW, MANY = 2_000, 20_000
PEAK = 1_000_000  # kilobytes
SPACES = 200


def results() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as scratch:
        few = min(_build(Path(scratch) / f"few-{n}", FEW) for n in range(2))
        many = _build(Path(scratch) / "many", MANY)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if peak > PEAK:
        raise SystemExit(f"a build of {MANY} pieces took {peak} kB, more than {PEAK} kB")
    times = MANY // FEW
    yield Result(
        f"build of {MANY} pieces (peak {peak} kB)",
        many,
        few,
        1.2 * times * few,
        f"1.2 x {times} x that of {FEW}",
    )


def _build(folder: Path, count: int) -> float:
    """Seconds of the processor for the module and its set-up: other work on the machine does not count."""
    write_module(folder / "module", count)
    command = [sys.executable, "-m", "compiler", "build", str(folder / "module"), "-o", str(folder / "out")]
    start = _spent()
    done = subprocess.run([*command, "--only", "vmod,saves"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{count} pieces were not built: {done.stderr or done.stdout}")
    return _spent() - start


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def write_module(root: Path, count: int, *, bare: bool = False) -> None:
    """A module with `count` counters on a sheet of boxes. `bare` pieces have no commands at all."""
    across = round(SPACES**0.5)
    ids = [f"s{n}" for n in range(SPACES)]
    rows = [{"across": ids[n : n + across]} for n in range(0, SPACES, across)]
    quiet = {"id": "all", "select": {}, "trail": False, "moved": False, "remove": False}
    files: dict[str, object] = {
        "module.json": {
            "format": 1,
            "id": "many",
            "version": "1.0.0",
            "languages": ["en"],
            "name": "Many",
            "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
            "powers": [
                {"id": "north", "name": "North", "side": "red", "colour": "#b03030"},
                {"id": "south", "name": "South", "side": "blue", "colour": "#3050a0"},
            ],
            "vocabulary": {"space": {"kind": {"type": ["box"], "names": {"box": "Box"}}}, "piece": {"arm": ["foot"], "number": "number"}},
            "layouts": {
                "unit": {"fill": {"by": "power.colour"}, "parts": [{"text": "{number}", "box": [5, 30, 90, 40], "size": 24}]}
            },
            "windows": [{"id": "main", "name": "Map", "map": "sheet"}],
            **({"pieces": {"groups": [quiet]}} if bare else {}),
        },
        "maps/sheet.json": {
            "id": "sheet",
            "name": "Sheet",
            "kind": "area",
            "boxes": [{"id": id, "name": f"Box {id}", "kind": "box"} for id in ids],
        },
        "maps/sheet.picture.json": {"display": {"size": [4000, 3000], "down": rows}},
        "counters/all.json": {
            "types": [{"id": "foot", "name": "Foot", "arm": "foot", "layout": "unit"}],
            "counters": [
                {"id": f"c{n}", "name": f"Unit {n}", "type": "foot", "power": ("north", "south")[n % 2], "number": n}
                for n in range(count)
            ],
        },
        "scenarios/start.json": {
            "id": "start",
            "name": "Start",
            "placements": [
                {"at": id, "pieces": [f"c{n}" for n in range(k, count, SPACES)]} for k, id in enumerate(ids)
            ],
        },
    }  # fmt: skip
    for name, value in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")
