"""The outlines of a map: named arcs, and areas made of them.

In: `maps/<map>.outlines.json`, written by the geography tool or by hand. Out: rings of points for each area, and how
long the border of any two areas is. Pure Python: checks and builds need it. A border is stored once, so two
neighbours cannot drift apart.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from compiler.findings import Finding, Place, error
from compiler.grid.cuts import WHOLE
from compiler.source.companion import read_companion
from compiler.suggest import did_you_mean

XY = tuple[float, float]
Ring = tuple[XY, ...]
Line = Sequence[Sequence[float]]  # points as the file has them
EDGE = "edge"
KINDS = ("ice", "lake")  # of areas that are no spaces
BEYOND = 0.1  # how far outside the sheet a point may lie, as a part of its longer side


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
    if document is None:
        return None, problems
    place, value = Place(document), document.value
    if isinstance(value, dict) and value.get("map", map_id) != map_id:
        words = f"these outlines say that they are of map '{value['map']}', but the file is that of map '{map_id}'"
        return None, [
            error("M017", words, place / "map", help=f'write "map": "{map_id}", or rename the file')
        ]
    return read_outlines(value, place)


def read_outlines(value: Any, place: Place) -> tuple[Outlines | None, list[Finding]]:
    """Outlines from the file's value; a ring that does not close or an arc that is missing is a finding."""
    try:
        if problems := _sheet(value, place):
            return None, problems
        arcs: dict[str, Line] = dict(value["arcs"].items())
        rivers: list[Line] = list(value.get("rivers", ()))
        places = [tuple(at) for at in value.get("places", {}).values()]
        if problems := _far_out(value, [*arcs.values(), *rivers, *([places] if places else ())], place):
            return None, problems
        outlines = Outlines(
            float(value["width"]), float(value["height"]), _yes_or_no(value.get("wraps", False)), _number(value.get("touch", 10)),
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


def _sheet(value: Any, place: Place) -> list[Finding]:
    """A size that no board can have. Looked at before anything is measured on the sheet."""
    wide, high = value["width"], value["height"]
    for key in ("width", "height"):
        _number(value[key])
        if not value[key] >= 1:
            return [error("M015", f"'{key}' of a sheet is at least 1 px, is {value[key]:g}", place / key)]
    if wide * high <= WHOLE:
        return []
    key = "width" if wide > high else "height"
    words = f"a sheet of {wide:,.0f} × {high:,.0f} px has {wide * high / 1e6:,.0f} megapixels; the most is {WHOLE // 10**6}"
    return [error("M015", words, place / key, help=f"'{key}' is in px; a board has some thousands a side")]


def _far_out(value: Any, lines: Sequence[Line], place: Place) -> list[Finding]:
    """The first point that lies far outside the sheet. Lines that are no lists of points make it raise."""
    wide, high = value["width"], value["height"]
    slack = BEYOND * max(wide, high)
    bounds = (-slack, wide + slack, -slack, high + slack)
    if _check_points(lines, bounds):
        return []
    parts = (("arcs", value["arcs"]), ("rivers", dict(enumerate(value.get("rivers", ())))))
    named: list[tuple[tuple[str | int, ...], Sequence[float]]] = [
        ((key, name, n), p) for key, part in parts for name, line in part.items() for n, p in enumerate(line)
    ]
    named += [(("places", name), at) for name, at in value.get("places", {}).items()]
    path, (x, y) = next((path, at) for path, at in named if not _check_points([[at]], bounds))
    words = f"the point [{x:g}, {y:g}] lies far outside the sheet, which is {wide:g} × {high:g} px"
    return [error("M016", words, Place(place.document, (*place.path, *path)))]


def _number(value: object) -> float:
    """Text is no number here, though `float` would take it; nor is what is not finite."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError("no number")
    return float(value)


def _yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither true nor false")
    return value


_ANYWHERE = (-1e300, 1e300, -1e300, 1e300)
_POINTS = "a list of points [x, y]"
_FORMS: Mapping[str, tuple[str, Callable[[Any], object]]] = {
    "width": ("a number", _number),
    "height": ("a number", _number),
    "touch": ("a number", _number),
    "wraps": ("true or false", _yes_or_no),
    "arcs": ("an object: for each arc " + _POINTS, lambda arcs: dict(arcs.items())),
    "areas": (
        "an object: for each area a list of rings, and a ring is a list of arcs",
        lambda areas: [tuple(map(str, ring)) for rings in areas.values() for ring in rings],
    ),
    "kinds": ("an object: for each area that is no space its kind", lambda kinds: dict(kinds.items())),
    "rivers": ("a list of lines, each " + _POINTS, list),
    "places": ("an object: for each name a point [x, y]", lambda at: [(x + 0, y + 0) for x, y in at.values()]),
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


def _check_points(lines: Iterable[Line], bounds: tuple[float, float, float, float] = _ANYWHERE) -> bool:
    """Whether all points are within the bounds. Lines that are no lists of points make it raise.

    One loop that only compares: these points are most of the file.
    """
    left, right, top, bottom = bounds
    for line in lines:
        if not line:
            raise ValueError("a line is a list of points")
        for x, y in line:
            if not (left <= x <= right and top <= y <= bottom):
                if not (math.isfinite(x) and math.isfinite(y)):
                    raise ValueError("not every number of a point is finite")
                return False
    return True


def _problems(outlines: Outlines, place: Place) -> list[Finding]:
    ends = {name: (arc[0], arc[-1]) for name, arc in outlines.arcs.items()}
    ends |= {f"-{name}": (arc[-1], arc[0]) for name, arc in outlines.arcs.items()}
    out = []
    for name, rings in outlines.areas.items():
        if not rings:
            words = f"the area '{name}' has no ring of arcs round it"
            out.append(error("M001", words, place / "areas" / name))
        for i, ring in enumerate(rings):
            if lost := [arc for arc in ring if arc not in ends]:
                words = f"'{name}' uses the arc '{lost[0]}', which does not exist"
                out.append(error("M001", words, place / "areas" / name / i))
            elif not _closes([ends[arc] for arc in ring]):
                words = f"the border of '{name}' does not close: two of its arcs do not meet"
                out.append(error("M002", words, place / "areas" / name / i))
    return out + _wrong_kinds(outlines, place / "kinds")


def _wrong_kinds(outlines: Outlines, place: Place) -> list[Finding]:
    """Kinds of areas that are not drawn, and kinds that nobody knows."""
    out = []
    for name, kind in outlines.kinds.items():
        if name not in outlines.areas:
            help = did_you_mean(name, outlines.areas)
            words = f"a kind is given to '{name}', which is no area of these outlines"
            out.append(error("M017", words, (place / name).key(), help=help))
        if kind not in KINDS:
            words = f"the kind of '{name}' should be {' or '.join(map(repr, KINDS))}, is {kind!r}"
            out.append(error("M017", words, place / name, help=did_you_mean(str(kind), KINDS)))
    return out


def _closes(ring: Sequence[tuple[Sequence[float], Sequence[float]]]) -> bool:
    """Whether each arc, given by its ends, begins where the one before it ends."""
    at = ring[-1][1] if ring else None
    for begin, end in ring:
        if begin != at:
            return False
        at = end
    return bool(ring)
