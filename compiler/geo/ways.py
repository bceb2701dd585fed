"""Roads and railways told by points → paths from hex to hex.

In: a line of the geo file (the hexes, places or coordinates it goes through). Out: the hexes along it. Between two points
the way keeps near to the straight line, goes round water, and likes best the hexes where a line of its kind runs already.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from compiler.geo.project import Floats
from compiler.grid.hexmap import NONE, HexMap

ASIDE = 0.6  # the price of a hex's distance from the straight line, squared
USED = 0.7  # the price of a step that a line of the same kind takes already
WIDE = 12  # hexes: how far beyond its two ends a way is looked for


@dataclass
class Ways:
    """All lines of a map, one after the other; `wet` are hexes that no line enters, `barred` pairs it does not step over."""

    map: HexMap
    middles: Floats
    wet: frozenset[int]
    barred: frozenset[tuple[int, int]] = frozenset()
    taken: dict[str, set[tuple[int, int]]] = field(default_factory=dict)

    def route(self, kind: str, stops: Sequence[int]) -> list[list[int]] | None:
        """Runs of hexes, without the steps that a line of this kind takes already; None if no way leads over land."""
        way = [stops[0]]
        for a, b in pairwise(stops):
            part = self._between(kind, a, b)
            if part is None:
                return None
            way += part
        return self._fresh(kind, way)

    def _fresh(self, kind: str, way: list[int]) -> list[list[int]]:
        taken = self.taken.setdefault(kind, set())
        runs: list[list[int]] = []
        for a, b in pairwise(way):
            step = min(a, b), max(a, b)
            if step in taken:
                continue
            taken.add(step)
            if runs and runs[-1][-1] == a:
                runs[-1].append(b)
            else:
                runs.append([a, b])
        return runs

    def _between(self, kind: str, a: int, b: int) -> list[int] | None:
        taken = self.taken.get(kind, set())
        start, along = self.middles[a], self.middles[b] - self.middles[a]
        limit = float(np.hypot(*along)) + WIDE
        best: dict[int, float] = {a: 0.0}
        came: dict[int, int] = {}
        queue = [(0.0, a)]
        while queue:
            paid, at = heapq.heappop(queue)
            if at == b:
                return _walked(came, a, b)
            if paid > best[at]:
                continue
            for there in self.map.neighbours[6 * at : 6 * at + 6]:
                step = min(at, there), max(at, there)
                if there == NONE or there in self.wet or step in self.barred:
                    continue
                off = self.middles[there] - start
                if float(np.hypot(*off)) > limit:
                    continue
                total = paid + (USED if step in taken else 1 + ASIDE * _aside(off, along) ** 2)
                if total < best.get(there, float("inf")):
                    best[there], came[there] = total, at
                    heapq.heappush(queue, (total, there))
        return None


def _aside(off: Floats, along: Floats) -> float:
    """How far a point lies from a straight line."""
    length = float(np.hypot(*along))
    return abs(float(off[0] * along[1] - off[1] * along[0])) / length if length else 0.0


def _walked(came: dict[int, int], a: int, b: int) -> list[int]:
    way = [b]
    while way[-1] != a:
        way.append(came[way[-1]])
    return way[-2::-1]
