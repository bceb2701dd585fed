"""1,000 two-sided counters as PNG at 75 pixels and as PDF, against the same pictures and PDF primitives with nothing else."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.measure import Result, medians

COUNT = 1000
SIZE = 75
SAMPLE = Path("tests/data/harbour")
BRANCHES = ("infantry", "armour", "cavalry", "artillery", "engineer", "anti_tank", "supply")
ECHELONS = ("battalion", "regiment", "brigade", "division", "corps", "army")


def results() -> Iterator[Result]:
    from compiler.check import check

    with tempfile.TemporaryDirectory() as folder:
        root = write_module(Path(folder))
        module = check(root, root.as_posix()).module
        assert module is not None and len(module.counters) == COUNT
        svgs, tape = prepared(module)
        measured, floor = medians(whole(module), bare(svgs, tape), times=3)
    yield Result(f"{COUNT} counters: PNG and PDF", measured, floor, 2 * floor, "2 x floor")


def write_module(folder: Path) -> Path:
    """The sample module with a thousand units instead of its own counters: each has another number on it."""
    value = json.loads((SAMPLE / "module.json").read_text(encoding="utf-8"))
    del value["sheets"]
    board = json.loads((SAMPLE / "maps" / "harbour.json").read_text(encoding="utf-8"))
    types = [
        {"id": f"{b}.{e}", "name": b, "layout": "unit", "faces": {"reduced": "unit_reduced"}, "steps": 2, "attack": 4 + n,
         "defence": 3 + m, "move": 5, "nato": {"branch": b, "echelon": e}}
        for n, b in enumerate(BRANCHES) for m, e in enumerate(ECHELONS)
    ]  # fmt: skip
    counters = [
        {"id": f"unit.{n}", "type": types[n % len(types)]["id"], "power": ("north", "south")[n % 2], "number": str(n), "printed": 1}
        for n in range(COUNT)
    ]  # fmt: skip
    files = {
        "module.json": value,
        "maps/harbour.json": board,
        "counters/all.json": {"types": types, "counters": counters},
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder


def whole(module: Any) -> Callable[[], object]:
    """All that a build does for them."""
    from compiler.draw import draw_counter, lean, rasterise
    from compiler.sheets.counters import counter_pages
    from compiler.sheets.pages import pdf
    from compiler.sheets.settings import Settings

    def work() -> None:
        for id in module.counters:
            for face in draw_counter(module, id, "en", SIZE):
                lean(rasterise(face.svg, face.width, face.height))
        pdf(counter_pages(module, "en", Settings()).pages, "bench", "bench")

    return work


def prepared(module: Any) -> tuple[list[str], Tape]:
    from reportlab.pdfgen.canvas import Canvas

    from compiler.draw import draw_counter
    from compiler.sheets.counters import counter_pages
    from compiler.sheets.pages import write
    from compiler.sheets.settings import Settings

    svgs = [face.svg for id in module.counters for face in draw_counter(module, id, "en", SIZE)]
    tape = Tape(Canvas(io.BytesIO()))
    write(tape.head, counter_pages(module, "en", Settings()).pages, "rgb")
    return svgs, tape


def bare(svgs: list[str], tape: Tape) -> Callable[[], object]:
    """The same pictures rasterised, the same primitives drawn."""
    from reportlab.pdfgen.canvas import Canvas

    from compiler.draw import rasterise

    def work() -> None:
        for svg in svgs:
            rasterise(svg, SIZE, SIZE)
        canvas = Canvas(io.BytesIO(), invariant=1, pageCompression=1)
        tape.play(canvas)
        canvas.save()

    return work


class Tape:
    """Remembers every call made on a canvas, and on the paths and texts it gives out, to make them again on another."""

    def __init__(self, canvas: Any) -> None:
        self.calls: list[tuple[int, str, tuple[Any, ...], dict[str, Any], bool]] = []
        self.count = 0
        self.head: Any = self.watched(canvas)

    def watched(self, thing: Any) -> Any:
        number, self.count = self.count, self.count + 1
        return _Watched(self, thing, number)

    def play(self, canvas: Any) -> None:
        made = [canvas]
        for number, name, args, more, gives in self.calls:
            plain = [made[arg.number] if isinstance(arg, _Watched) else arg for arg in args]
            result = getattr(made[number], name)(*plain, **more)
            if gives:
                made.append(result)


class _Watched:
    def __init__(self, tape: Tape, thing: Any, number: int) -> None:
        self.tape, self.thing, self.number = tape, thing, number

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.thing, name)

        def call(*args: Any, **more: Any) -> Any:
            gives = name in ("beginPath", "beginText")
            self.tape.calls.append((self.number, name, args, more, gives))
            plain = [arg.thing if isinstance(arg, _Watched) else arg for arg in args]
            result = method(*plain, **more)
            return self.tape.watched(result) if gives else result

        return call
