"""What a benchmark is: something measured, the floor beneath it, and a bound that is a function of the floor."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """Seconds. `bound` is what `measured` may be at most; `rule` says it in words."""

    name: str
    measured: float
    floor: float
    bound: float
    rule: str

    @property
    def holds(self) -> bool:
        return self.measured <= self.bound

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "BROKEN"
        return (
            f"{self.name}: {self.measured * 1000:.1f} ms, floor {self.floor * 1000:.1f} ms, "
            f"ratio {self.measured / self.floor:.2f}; bound {self.rule} = {self.bound * 1000:.1f} ms {verdict}"
        )


def medians(first: Callable[[], object], second: Callable[[], object], times: int = 9) -> tuple[float, float]:
    """The median time of each, taken in turns, so that both see the same weather on the machine."""
    seconds: tuple[list[float], list[float]] = ([], [])
    for turn in range(times + 1):
        for kept, work in zip(seconds, (first, second), strict=True):
            start = time.perf_counter()
            work()
            if turn:  # the first turn warms up
                kept.append(time.perf_counter() - start)
    return statistics.median(seconds[0]), statistics.median(seconds[1])
