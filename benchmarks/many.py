"""A thousand modules in one run: the time for each must stay what it is for one, and memory must not grow with them."""

from __future__ import annotations

import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.check import HOME, command
from benchmarks.measure import Result

COPIES = 100
GROWTH = 100_000  # kilobytes: far less than the copies together would need


def results() -> Iterator[Result]:
    root = max((path for path in HOME.iterdir() if (path / "module.json").is_file()), key=_size)
    with tempfile.TemporaryDirectory() as scratch:
        copies = [str(shutil.copytree(root, Path(scratch) / f"copy-{n}")) for n in range(COPIES)]
        singles = [_seconds(command(copies[0])) for _ in range(10)]
        before = _kilobytes()
        many = _seconds(command(*copies)) / COPIES
        grown = _kilobytes() - before
        one = statistics.median([*singles[1:], *(_seconds(command(copies[0])) for _ in range(10))])
    if grown > GROWTH:
        raise SystemExit(f"check of {COPIES} modules: memory grew by {grown} kB, more than {GROWTH} kB")
    yield Result(
        f"check {COPIES} x {root.name}, each ({grown} kB more)",
        many,
        one,
        1.3 * one + 0.005,
        "1.3 x one + 5 ms",
    )


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _size(root: Path) -> int:
    return sum(path.stat().st_size for path in root.rglob("*.json"))


def _kilobytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
