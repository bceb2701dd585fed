"""Drawing and building a game, against what its own pictures and archives cost at the least; and building it again.

The floor is the same work with nothing to decide: the same SVGs rasterised, the same PNGs encoded by Pillow, the same
build files parsed and written by lxml, the same archives packed by zipfile, all in the same run. Games that have a drawn
area map are measured; hex maps have a benchmark of their own (`hexes`).
"""

from __future__ import annotations

import io
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from lxml import etree
from PIL import Image

from benchmarks.measure import Result
from compiler.check import check
from compiler.cli import run
from compiler.draw import draw_map, rasterise

HOME = Path("modules_src")
TURNS = 5
PEAK = 700_000  # kilobytes


def results() -> Iterator[Result]:
    Image.MAX_IMAGE_PIXELS = None
    for root in sorted(path for path in HOME.iterdir() if any((path / "maps").glob("*.outlines.json"))):
        with tempfile.TemporaryDirectory() as scratch:
            module = Path(scratch) / root.name
            shutil.copytree(root, module)
            yield from _drawing(module)
            yield from _building(module, Path(scratch) / "build")


def _drawing(root: Path) -> Iterator[Result]:
    module = check(root, root.as_posix()).module
    assert module is not None
    map_id, language = next(iter(module.maps)), module.languages[0]
    peak = _peak(root)
    made = draw_map(module, map_id, language)
    png = rasterise(made.svg, made.width, made.height)

    def draw() -> None:
        again = draw_map(module, map_id, language)
        rasterise(again.svg, again.width, again.height)

    def least() -> None:
        rasterise(made.svg, made.width, made.height)
        _encode(png)

    whole, floor = _in_turns(draw, least)
    name = f"map of {root.name} (peak {peak} kB of {PEAK} kB)"
    yield Result(name, whole, floor, 1.5 * floor, "1.5 x rasterise + encode")
    if peak > PEAK:
        raise SystemExit(f"the maps of {root.name} took {peak} kB to draw, more than {PEAK} kB")


def _peak(root: Path) -> int:
    """Kilobytes that a command needs at most to draw every map in every language and style, from nothing."""
    command = [sys.executable, "-m", "compiler", "build", root.as_posix(), "--only", "maps", "-o"]
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([*command, scratch], capture_output=True, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def _building(root: Path, out: Path) -> Iterator[Result]:
    def cold() -> None:
        shutil.rmtree(out, ignore_errors=True)
        _build(root, out)

    def least() -> None:
        _least(out / root.name)

    whole, floor = _in_turns(cold, least)
    yield Result(f"cold build of {root.name}", whole, floor, 2 * floor, "2 x floor")
    scenario = sorted((root / "scenarios").glob("*.json"))[0]

    def warm() -> None:
        scenario.write_text(scenario.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        _build(root, out)

    again = statistics.median(_seconds(warm) for _ in range(TURNS))
    yield Result(f"warm build of {root.name}", again, whole, 0.2 * whole, "0.2 x cold")


def _build(root: Path, out: Path) -> None:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as said:
        code = run(["build", root.as_posix(), "-o", out.as_posix(), "--only", "maps,counters,vmod,saves"])
    if code:
        raise SystemExit(f"{root.name} was not built: {said.getvalue()}")


def _least(built: Path) -> None:
    for svg in sorted(built.rglob("*.svg")):
        with Image.open(svg.with_suffix(".png")) as picture:
            rasterise(svg.read_text(encoding="utf-8"), *picture.size)
        _encode(svg.with_suffix(".png").read_bytes())
    for archive in sorted(built.rglob("*.vmod")):
        with zipfile.ZipFile(archive) as old, zipfile.ZipFile(io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as new:
            for name in old.namelist():
                data = old.read(name)
                if name.startswith("images/") and name.endswith(".png") and len(data) < 100_000:
                    _encode(data)
                new.writestr(
                    name, etree.tostring(etree.fromstring(data)) if name == "buildFile.xml" else data
                )


def _encode(png: bytes) -> None:
    with Image.open(io.BytesIO(png)) as picture:
        picture.save(io.BytesIO(), "PNG")


def _in_turns(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    pairs = [(_seconds(first), _seconds(second)) for _ in range(TURNS)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
