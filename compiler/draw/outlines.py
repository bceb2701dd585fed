"""The outlines of a map: named arcs, and areas made of them.

In: `maps/<map>.outlines.json`, written by the geography tool or by hand. Out: rings of points for each area, and how
long the border of any two areas is. Pure Python: checks and builds need it. A border is stored once, so two
neighbours cannot drift apart.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from compiler.findings import Finding, Place, error
from compiler.source.companion import read_companion

XY = tuple[float, float]
Ring = tuple[XY, ...]
Line = Sequence[Sequence[float]]  # points as the file has them
EDGE = "edge"


@dataclass(frozen=True)
class Outlines:
    """`kinds` tells what is no space of the game: ice, lakes. `rings` are closed without a repeated last point."""

    width: float
    height: float
    wraps: bool
    touch: float
    arcs: Mapping[str, Line]
    areas: Mapping[str, tuple[tuple[str, ...], ...]]
    kinds: Mapping[str, str]
    rivers: Sequence[Line]
    places: Mapping[str, XY]
    apart: Mapping[frozenset[str], str] = field(default_factory=dict)
    place: Place | None = None

    @cached_property
    def rings(self) -> dict[str, list[Ring]]:
        """Every area's rings, outer ones and holes alike (fill by even-odd)."""
        return {name: [self.ring(ring) for ring in rings] for name, rings in self.areas.items()}

    def ring(self, names: Sequence[str]) -> Ring:
        points: list[XY] = []
        for name in names:
            arc = self.arcs[name.removeprefix("-")]
            points.extend((x, y) for x, y in (arc[::-1] if name.startswith("-") else arc)[:-1])
        return tuple(points)

    @cached_property
    def borders(self) -> dict[frozenset[str], float]:
        """Length of the common border of each pair that has one; across the sheet's seam too if the map wraps."""
        return {pair: self.border(pair) for pair in (*self._pieces, *self._seam)}

    @cached_property
    def touching(self) -> set[frozenset[str]]:
        """The pairs whose common border is long enough.

        Most are so from an end to the other or to the middle (of an island), and need not be measured.
        """
        plainly = {
            pair
            for pair, arcs in self._pieces.items()
            for arc in arcs
            if math.dist(arc[0], arc[-1]) >= self.touch or math.dist(arc[0], arc[len(arc) // 2]) >= self.touch
        }
        rest = (self._pieces.keys() | self._seam.keys()) - plainly
        return plainly | {pair for pair in rest if self.border(pair) >= self.touch}

    def border(self, pair: frozenset[str]) -> float:
        """How long the common border of two areas is."""
        return sum(map(length, self._pieces.get(pair, ()))) + self._seam.get(pair, 0.0)

    @cached_property
    def _pieces(self) -> dict[frozenset[str], list[Line]]:
        out: dict[frozenset[str], list[Line]] = defaultdict(list)
        for name, arc in self.arcs.items():
            a, b = neighbours(name)
            if a != b and a != EDGE != b:
                out[frozenset((a, b))].append(arc)
        return out

    @cached_property
    def _seam(self) -> dict[frozenset[str], float]:
        out: dict[frozenset[str], float] = {}
        if not self.wraps:
            return out
        outer = self._outer()
        left, right = _on_edge(outer, 0.0), _on_edge(outer, self.width)
        for a, low, high in left:
            for b, bottom, top in right:
                shared = min(high, top) - max(low, bottom)
                if a != b and shared > 0:
                    out[frozenset((a, b))] = out.get(frozenset((a, b)), 0.0) + shared
        return out

    def _outer(self) -> list[tuple[str, Line]]:
        """The arcs along the sheet's edge, each with its area."""
        sides = ((neighbours(name), arc) for name, arc in self.arcs.items() if EDGE in name)
        return [(b if a == EDGE else a, arc) for (a, b), arc in sides if EDGE in (a, b)]


def _on_edge(outer: Sequence[tuple[str, Line]], x: float) -> list[tuple[str, float, float]]:
    """The stretches along the upright edge at `x`, each with its area."""
    return [
        (area, min(ay, by), max(ay, by))
        for area, arc in outer
        for (ax, ay), (bx, by) in itertools.pairwise(arc)
        if abs(ax - x) < 0.2 and abs(bx - x) < 0.2
    ]


@cache
def neighbours(arc: str) -> tuple[str, str]:
    """The two areas an arc's name speaks of: `a|b.2` is the second piece of the border of a and b."""
    left, _, right = arc.partition("|")
    stem, dot, number = right.rpartition(".")
    return left, stem if dot and number.isdigit() else right


def length(arc: Line) -> float:
    return sum(map(math.dist, arc, arc[1:]))


def load_outlines(root: Path, map_id: str) -> tuple[Outlines | None, list[Finding]]:
    """The outlines of a map, or what is wrong with the file. A map without the file has neither."""
    document, problems = read_companion(root, f"maps/{map_id}.outlines.json")
    return (None, problems) if document is None else read_outlines(document.value, Place(document))


def read_outlines(value: Any, place: Place) -> tuple[Outlines | None, list[Finding]]:
    """Outlines from the file's value; a ring that does not close or an arc that is missing is a finding."""
    try:
        arcs: dict[str, Line] = dict(value["arcs"].items())
        rivers: list[Line] = list(value.get("rivers", ()))
        _check_points([*arcs.values(), *rivers])
        outlines = Outlines(
            float(value["width"]), float(value["height"]), bool(value.get("wraps", False)), float(value.get("touch", 10)),
            arcs,
            {name: tuple(tuple(map(str, ring)) for ring in rings) for name, rings in value["areas"].items()},
            dict(value.get("kinds", {})),
            rivers,
            {name: (float(at[0]), float(at[1])) for name, at in value.get("places", {}).items()},
            {frozenset(entry["pair"]): str(entry["reason"]) for entry in value.get("apart", ())},
            place,
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None, [_misshapen(value, place)]
    problems = _problems(outlines, place)
    return (None if problems else outlines), problems


_POINTS = "a list of points [x, y]"
_FORMS: Mapping[str, tuple[str, Callable[[Any], object]]] = {
    "width": ("a number", float),
    "height": ("a number", float),
    "touch": ("a number", float),
    "arcs": ("an object: for each arc " + _POINTS, lambda arcs: dict(arcs.items())),
    "areas": (
        "an object: for each area a list of rings, and a ring is a list of arcs",
        lambda areas: [tuple(map(str, ring)) for rings in areas.values() for ring in rings],
    ),
    "kinds": ("an object: for each area that is no space its kind", lambda kinds: dict(kinds.items())),
    "rivers": ("a list of lines, each " + _POINTS, list),
    "places": ("an object: for each name a point [x, y]", lambda at: [(p[0] + 0, p[1] + 0) for p in at.values()]),
    "apart": (
        'a list of {"pair": [a, b], "reason": "why"}',
        lambda apart: [(frozenset(entry["pair"]), entry["reason"]) for entry in apart],
    ),
}  # fmt: skip


def _misshapen(value: Any, place: Place) -> Finding:
    """The first property of an outlines file that has not its form. The rest is not looked at."""
    help = "docs/maps.md tells the form; 'vmodc geo' writes such a file"
    for key in ("width", "height", "arcs", "areas"):
        if key not in value:
            return error("M001", f"'{key}' is missing in these outlines", place, help=help)
    for key, (wanted, read) in _FORMS.items():
        if key in value and not _reads(read, value[key]):
            return error("M001", f"'{key}' should be {wanted}", place / key, help=help)
    for key, lines in (("arcs", value["arcs"].items()), ("rivers", enumerate(value.get("rivers", ())))):
        for name, line in lines:
            if not _reads(_check_points, [line]):
                return error("M001", f"this line should be {_POINTS}", place / key / name, help=help)
    return error("M001", "the outlines have another form than docs/maps.md tells", place)


def _reads(read: Callable[[Any], object], value: object) -> bool:
    try:
        read(value)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return False
    return True


def _check_points(lines: Sequence[Line]) -> None:
    """Lines that are no lists of points make it raise. One loop that only adds: these points are most of the file."""
    if not all(lines):
        raise ValueError("a line is a list of points")
    total = 0.0
    for line in lines:
        for x, y in line:
            total += x + y
    if not math.isfinite(total):
        raise ValueError("not every number of a point is finite")


def _problems(outlines: Outlines, place: Place) -> list[Finding]:
    ends = {name: (arc[0], arc[-1]) for name, arc in outlines.arcs.items()}
    ends |= {f"-{name}": (arc[-1], arc[0]) for name, arc in outlines.arcs.items()}
    out = []
    for name, rings in outlines.areas.items():
        for i, ring in enumerate(rings):
            if lost := [arc for arc in ring if arc not in ends]:
                words = f"'{name}' uses the arc '{lost[0]}', which does not exist"
                out.append(error("M001", words, place / "areas" / name / i))
            elif not _closes([ends[arc] for arc in ring]):
                words = f"the border of '{name}' does not close: two of its arcs do not meet"
                out.append(error("M002", words, place / "areas" / name / i))
    return out


def _closes(ring: Sequence[tuple[Sequence[float], Sequence[float]]]) -> bool:
    """Whether each arc, given by its ends, begins where the one before it ends."""
    at = ring[-1][1] if ring else None
    for begin, end in ring:
        if begin != at:
            return False
        at = end
    return bool(ring)
