"""Real coasts inside hexes: `maps/<map>.coast.json` → the land of each hex in pixels, and what is wrong with the file.

In: for each hex the rings of its land, clipped to the hexagon, in hundredths of the distance between opposite hexsides
from the hex's middle. Out: water to be filled and shores to be drawn. Hexes without an entry have our own round coasts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, sqrt
from pathlib import Path as File
from typing import Any

from compiler.draw.hexplane import Plane
from compiler.draw.place import XY
from compiler.draw.scene import polygon, polyline
from compiler.findings import Finding, Place, error, warning
from compiler.grid.hexmap import NONE, HexMap
from compiler.source.document import Document
from compiler.suggest import did_you_mean

UNIT = 100.0  # units between opposite hexsides
NEAR = 0.6  # units: a point so near to a hexside lies on it
Ring = tuple[XY, ...]
Land = Mapping[int, tuple[Ring, ...]]


def load_coast(root: File, map_id: str, map: HexMap) -> tuple[Land, list[Finding]]:
    """The land in each hex of the file, in units; a map without the file has none."""
    path = root / "maps" / f"{map_id}.coast.json"
    if not path.is_file():
        return {}, []
    text = path.read_text(encoding="utf-8")
    try:
        value = json.loads(text)
    except ValueError as problem:
        place = Place(Document(path.as_posix(), text), offsets=(0, 1))
        return {}, [error("D023", f"not JSON: {problem}", place)]
    return _read(value, map, Place(Document(path.as_posix(), text, value)))


def _read(value: Any, map: HexMap, place: Place) -> tuple[Land, list[Finding]]:
    hexes = value.get("hexes") if isinstance(value, dict) else None
    if not isinstance(hexes, dict):
        return {}, [error("D023", "a coast file is an object with 'hexes': for each hex its land", place)]
    found: dict[int, tuple[Ring, ...]] = {}
    findings: list[Finding] = []
    for id, rings in hexes.items():
        at = place / "hexes" / id
        n = map.index.get(id, NONE)
        if not 0 <= n < len(map):
            what = f"'{id}' is no hex of this map"
            findings.append(error("D024", what, at.key(), help=did_you_mean(id, map.index)))
        elif map.water(n) is None:
            what = f"'{id}' has a coast, but its letter has no water: it is drawn as land"
            findings.append(warning("D025", what, at.key(), spaces=(map.ids[n],)))
        elif (wrong := _fault(rings, map.shape == "flat")) is not None:
            findings.append(error("D023", f"the land of '{id}' {wrong}", at))
        else:
            found[n] = tuple(tuple((float(x), float(y)) for x, y in ring) for ring in rings)
    return found, findings


def _fault(rings: Any, flat: bool) -> str | None:
    if not isinstance(rings, list) or not all(isinstance(ring, list) for ring in rings):
        return "must be a list of rings, each a list of points [x, y]"
    for ring in rings:
        if len(ring) < 3 or not all(_is_point(point) for point in ring):
            return "has a ring that is no list of three or more points [x, y]"
        if any(_beyond(point, flat) > NEAR for point in ring):
            return "reaches beyond the hex: 50 units from the middle are its hexsides"
    return None


def _is_point(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(n, int | float) and not isinstance(n, bool) and abs(n) < 1000 for n in value)
    )


def _ways(flat: bool) -> tuple[XY, ...]:
    """The six directions across hexsides, numbered as in the grid."""
    s = sqrt(3) / 2
    if flat:
        return ((0.0, -1.0), (s, -0.5), (s, 0.5), (0.0, 1.0), (-s, 0.5), (-s, -0.5))
    return ((-0.5, -s), (0.5, -s), (1.0, 0.0), (0.5, s), (-0.5, s), (-1.0, 0.0))


def _beyond(point: Sequence[float], flat: bool) -> float:
    """How far a point lies outside of its hex, in units."""
    return max(point[0] * x + point[1] * y for x, y in _ways(flat)) - UNIT / 2


@dataclass
class Charts:
    """The coasts of the file on a picture."""

    plane: Plane
    land: Land
    sides: dict[int, list[tuple[Ring, list[int]]]] = field(init=False)

    def __post_init__(self) -> None:
        """For each hex its rings in pixels, with the hexside that each edge lies on (NONE: it is coast)."""
        flat = self.plane.map.shape == "flat"
        first = self.plane.picture.layouts[0]
        high, wide = float(first.along) / UNIT, float(first.across) / (UNIT * sqrt(3) / 2)
        self._scale = (wide, high) if flat else (high, wide)
        self._ways = _ways(flat)
        self.sides = {n: [self._placed(n, ring) for ring in rings] for n, rings in self.land.items()}

    def __contains__(self, n: object) -> bool:
        return n in self.land

    def _placed(self, n: int, ring: Ring) -> tuple[Ring, list[int]]:
        x, y = self.plane.centres[n]
        snapped = [self._snapped(point) for point in ring]
        edges = []
        for k, (_, on) in enumerate(snapped):
            both = on & snapped[(k + 1) % len(snapped)][1]
            edges.append(min(both, default=NONE))
        wide, high = self._scale
        return tuple((x + px * wide, y + py * high) for (px, py), _ in snapped), edges

    def _snapped(self, point: XY) -> tuple[XY, set[int]]:
        """A point on the hexsides that it is near to, and which these are."""
        x, y = point
        on = set()
        for d, (nx, ny) in enumerate(self._ways):
            off = UNIT / 2 - (point[0] * nx + point[1] * ny)
            if off <= NEAR:
                x, y = x + off * nx, y + off * ny
                on.add(d)
        return (x, y), on

    def water(self, n: int) -> str:
        """Path data of the water in a hex, for the even-odd rule."""
        return polygon([self.plane.hexagon(n), *(ring for ring, _ in self.sides[n])])

    def shores(self, n: int) -> Iterator[str]:
        """The coast in a hex: where land meets water inside it, and at hexsides where one of both ends."""
        for ring, edges in self.sides[n]:
            yield from _lines(ring, [d == NONE or self._is_open_sea(n, d) for d in edges])
        for d in range(6):
            if self._is_dry(n, d):
                yield from self._bare(n, d)

    def _is_open_sea(self, n: int, d: int) -> bool:
        other = self.plane.map.neighbours[6 * n + d]
        return other != NONE and other not in self.land and self.plane.map.water(other) == "all"

    def _is_dry(self, n: int, d: int) -> bool:
        other = self.plane.map.neighbours[6 * n + d]
        return other != NONE and other not in self.land and self.plane.map.water(other) != "all"

    def _bare(self, n: int, d: int) -> Iterator[str]:
        """The parts of a hexside along which there is no land."""
        a, b = self.plane.corner(n, d - 1), self.plane.corner(n, d)
        taken = sorted(
            sorted((_along(a, b, ring[k]), _along(a, b, ring[(k + 1) % len(ring)])))
            for ring, edges in self.sides[n]
            for k, on in enumerate(edges)
            if on == d
        )
        at = 0.0
        for start, end in [*taken, [1.0, 1.0]]:
            if start - at > 0.02:
                yield polyline([_between(a, b, at), _between(a, b, start)])
            at = max(at, end)


def _lines(ring: Ring, drawn: list[bool]) -> Iterator[str]:
    """The edges of a ring that are drawn, as lines as long as they go."""
    count = len(ring)
    if all(drawn):
        yield polygon([ring])
        return
    start = drawn.index(False)
    line: list[XY] = []
    for k in range(start, start + count + 1):
        if drawn[k % count] and k < start + count:
            line += [] if line else [ring[k % count]]
            line.append(ring[(k + 1) % count])
        elif line:
            yield polyline(line)
            line = []


def _along(a: XY, b: XY, p: XY) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    return min(1.0, max(0.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (hypot(dx, dy) ** 2)))


def _between(a: XY, b: XY, t: float) -> XY:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
