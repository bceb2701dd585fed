"""`make bench`: runs every benchmark and prints one line each. The exit code is 1 if a bound is broken.

A benchmark is a module in this folder with a function `results()` that yields `Result`s; name some to run only those.
"""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

import benchmarks
from benchmarks.measure import Result

NOT_BENCHMARKS = {"bench", "measure"}


def main(names: list[str]) -> int:
    there = sorted({found.name for found in pkgutil.iter_modules(benchmarks.__path__)} - NOT_BENCHMARKS)
    broken = 0
    for name in names or there:
        for result in import_module(f"benchmarks.{name}").results():
            assert isinstance(result, Result)
            print(result, flush=True)
            broken += not result.holds
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
