"""Rivers → chains of hexsides.

In: a river's course in the plane of the hexes. Out: the hexsides along it, end to end: of all ways over hexsides from the
corner where the river begins to the one where it ends, the one that keeps nearest to the river. A river that flows into
one drawn before ends on that one's chain, and hexsides that are taken already are not given twice.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely  # type: ignore[import-untyped]
from shapely.geometry import LineString  # type: ignore[import-untyped]

from compiler.geo.globe import ROOT, middle
from compiler.geo.project import Floats
from compiler.grid.hexes import (
    COMPASS,
    Corner,
    Hex,
    Shape,
    Side,
    ends_of_side,
    hexes_of_corner,
    hexes_of_side,
    rounded,
    sides_of,
    sides_of_corner,
    within,
)
from compiler.grid.hexmap import HexMap

REACH = 2  # hexes round the river through which its chain may go
JOIN = 1.2  # hexes: a river that ends so near to another one's chain ends on it
PLAIN, AWAY = (
    0.15,
    6.0,
)  # the price of a hexside: of its length, and of the square of its distance from the river
SCALE = 1 << 20


def hex_at(shape: Shape, x: float, y: float) -> Hex:
    """The hex of the lattice in which a point of the plane lies."""
    if shape == "flat":
        q = x * 2 / ROOT
        return rounded(round(q * SCALE), round((y - q / 2) * SCALE), SCALE)
    r = y * 2 / ROOT
    return rounded(round((x - r / 2) * SCALE), round(r * SCALE), SCALE)


def corner_points(shape: Shape, corners: Sequence[Corner]) -> Floats:
    around = [hex for corner in corners for hex in hexes_of_corner(corner)]
    return np.asarray(middle(shape, around).reshape(-1, 3, 2).mean(axis=1))


@dataclass
class Chains:
    """All rivers of a map, one after the other. `wet` are the numbers of hexes that are nothing but water."""

    map: HexMap
    wet: frozenset[int]
    taken: set[Side] = field(default_factory=set)
    corners: set[Corner] = field(default_factory=set)

    def snap(self, course: LineString) -> list[list[Side]]:
        """The hexsides of a river, in one piece or, where a part is taken already or lies in water, several."""
        sides = self._near(course)
        if not sides:
            return []
        corners = sorted({corner for side in sides for corner in ends_of_side(side)})
        points = dict(zip(corners, corner_points(self.map.shape, corners), strict=True))
        price = _prices(course, sides, points)
        ends = [self._end(course.coords[i], points) for i in (0, -1)]
        way = _cheapest(ends[0], ends[1], price)
        pieces = list(self._pieces(way))
        self.taken.update(way)
        self.corners.update(corner for side in way for corner in ends_of_side(side))
        return pieces

    def _near(self, course: LineString) -> list[Side]:
        """The hexsides of the map round a river."""
        steps = shapely.segmentize(course, 0.4).coords
        core = {hex_at(self.map.shape, x, y) for x, y in steps}
        around = {near for at in core for near in within(at, REACH)}
        return sorted({side for at in around if self._number(at) is not None for side in sides_of(at)})

    def _number(self, at: Hex) -> int | None:
        return self.map.where.get((0, *at))

    def _end(self, at: Iterable[float], points: dict[Corner, Floats]) -> Corner:
        here = np.array(list(at)[:2])
        far = {corner: float(np.hypot(*(point - here))) for corner, point in points.items()}
        joined = [corner for corner in self.corners if far.get(corner, JOIN) < JOIN]
        return min(joined or far, key=lambda corner: (far[corner], corner))

    def _pieces(self, way: Sequence[Side]) -> Iterator[list[Side]]:
        piece: list[Side] = []
        for side in way:
            if side in self.taken or self._in_water(side):
                if piece:
                    yield piece
                piece = []
            else:
                piece.append(side)
        if piece:
            yield piece

    def _in_water(self, side: Side) -> bool:
        numbers = [self._number(at) for at in hexes_of_side(side)]
        return all(n is None or n in self.wet for n in numbers)


def _prices(course: LineString, sides: Sequence[Side], points: dict[Corner, Floats]) -> dict[Side, float]:
    ends = np.array([[points[corner] for corner in ends_of_side(side)] for side in sides])
    spots = np.concatenate([ends, ends.mean(axis=1, keepdims=True)], axis=1)
    far = shapely.distance(course, shapely.points(spots))
    return dict(zip(sides, (PLAIN + AWAY * (far**2).mean(axis=1)).tolist(), strict=True))


def _cheapest(start: Corner, end: Corner, price: dict[Side, float]) -> list[Side]:
    best: dict[Corner, float] = {start: 0.0}
    came: dict[Corner, tuple[Corner, Side]] = {}
    queue = [(0.0, start)]
    while queue:
        paid, at = heapq.heappop(queue)
        if at == end:
            break
        if paid > best[at]:
            continue
        for side in sides_of_corner(at):
            if side not in price:
                continue
            one, two = ends_of_side(side)
            there, total = (two if one == at else one), paid + price[side]
            if total < best.get(there, float("inf")):
                best[there], came[there] = total, (at, side)
                heapq.heappush(queue, (total, there))
    way: list[Side] = []
    while end in came:
        end, side = came[end]
        way.append(side)
    return way[::-1]


def side_words(map: HexMap, sides: Sequence[Side]) -> list[str]:
    """Hexsides as the map file writes them: `hex/direction`, further sides of the same hex by direction alone."""
    words: list[str] = []
    here: int | None = None
    for side in sides:
        options = [(n, d) for n, d in _from_hexes(map, side) if n is not None]
        n, d = next(((n, d) for n, d in options if n == here), options[0])
        sheet = map.sheets[map.owner[n]]
        name = COMPASS[map.shape][(d - sheet.turn) % 6]
        if n == here:
            words[-1] += f" {name}"
        else:
            words.append(f"{map.ids[n]}/{name}")
        here = n
    return words


def _from_hexes(map: HexMap, side: Side) -> list[tuple[int, int]]:
    one, two = hexes_of_side(side)
    found = [(map.where.get((0, *one)), side[2]), (map.where.get((0, *two)), side[2] + 3)]
    return [(n, d) for n, d in found if n is not None]
