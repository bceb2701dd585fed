"""A hex map in pixels: centres, corners, wobbling hexsides, outlines of sets of hexes and chains of hexsides.

In: a `HexMap` and the layout of its parts. Out: points as floats for the drawing. A corner or hexside has one place,
whoever asks for it, so that a river, a wood's edge and a coast that run along one hexside run along one line. What looks
random comes from a hash of the lattice: the same map gives the same picture.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot

from compiler.draw.place import XY
from compiler.draw.scene import number
from compiler.grid.hexes import VECTORS, Corner, corner, ends_of_side, hexes_of_corner
from compiler.grid.hexmap import NONE, HexMap
from compiler.grid.placing import Picture

Spot = tuple[int, int, int, int]  # part, then the corner
_MASK = 0xFFFFFFFF


def chance(a: int, b: int, c: int = 0, d: int = 0) -> float:
    """A number from 0 to 1 that looks random and is always the same."""
    x = (a * 73856093 ^ b * 19349663 ^ c * 83492791 ^ d * 2654435761) & _MASK
    x = ((x >> 16) ^ x) * 0x45D9F3B & _MASK
    x = ((x >> 16) ^ x) * 0x45D9F3B & _MASK
    return ((x >> 16) ^ x) / 4294967296


def sway(a: int, b: int, c: int = 0, d: int = 0) -> float:
    """A number from -1 to 1."""
    return 2 * chance(a, b, c, d) - 1


@dataclass
class Plane:
    """The map on its picture. `size` is the distance between opposite hexsides, `radius` that of a corner."""

    map: HexMap
    picture: Picture
    wobble: float = 0.085  # of the radius
    centres: list[XY] = field(init=False)
    offsets: list[XY] = field(init=False)
    size: float = field(init=False)
    radius: float = field(init=False)
    _corners: dict[Spot, XY] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        layouts = self.picture.layouts
        first = layouts[0]
        across, along = float(first.across), float(first.along)
        flat = self.map.shape == "flat"
        origins = [(float(one.x0), float(one.y0)) for one in layouts]
        self.centres = []
        for part, (q, r) in zip(self.map.parts, self.map.hexes, strict=True):
            x, y = origins[part]
            move = (across * q, along * (r + q / 2)) if flat else (along * (q + r / 2), across * r)
            self.centres.append((x + move[0], y + move[1]))
        middle = first.centre((0, 0))
        self.offsets = [(float(x - middle[0]), float(y - middle[1])) for x, y in first.corners((0, 0))]
        self.size = along
        self.radius = across * 2 / 3

    def corner(self, number_: int, i: int) -> XY:
        """The exact corner of a hex, between its directions i and i + 1."""
        x, y = self.centres[number_]
        dx, dy = self.offsets[i % 6]
        return x + dx, y + dy

    def hexagon(self, number_: int, scale: float = 1.0) -> list[XY]:
        x, y = self.centres[number_]
        return [(x + dx * scale, y + dy * scale) for dx, dy in self.offsets]

    def spot(self, number_: int, i: int) -> Spot:
        return (self.map.parts[number_], *corner(self.map.hexes[number_], i))

    def around(self, spot: Spot) -> list[int]:
        """The hexes that meet in a corner, NONE for those that are not there."""
        part, *at = spot
        near = hexes_of_corner((at[0], at[1], at[2]))
        return [self.map.where.get((part, q, r), NONE) for q, r in near]

    def at(self, spot: Spot) -> XY:
        """Where a corner is drawn: near the exact one."""
        found = self._corners.get(spot)
        if found is None:
            part, q, r, i = spot
            x, y = self.exact(spot)
            by = self.wobble * self.radius
            found = (x + by * sway(q, r, i, 11 + part), y + by * sway(q, r, i, 12 + part))
            self._corners[spot] = found
        return found

    def exact(self, spot: Spot) -> XY:
        part, q, r, i = spot
        layout = self.picture.layouts[part]
        across, along, x, y = float(layout.across), float(layout.along), float(layout.x0), float(layout.y0)
        if self.map.shape == "flat":
            x, y = x + across * q, y + along * (r + q / 2)
        else:
            x, y = x + along * (q + r / 2), y + across * r
        return x + self.offsets[i][0], y + self.offsets[i][1]

    def between(self, a: Spot, b: Spot, count: int) -> list[XY]:
        """Points along the hexside between two corners, off the straight line by a little; the same from both ends."""
        if b < a:
            return self.between(b, a, count)[::-1]
        (ax, ay), (bx, by) = self.at(a), self.at(b)
        dx, dy = bx - ax, by - ay
        seed = 31 * a[0] + a[3]
        out = []
        for k in range(1, count + 1):
            t = k / (count + 1)
            side = sway(a[1] + 7 * b[1], a[2] + 13 * b[2], seed, k) * self.wobble * 1.25
            out.append((ax + dx * t - dy * side, ay + dy * t + dx * side))
        return out


def hexes_by(map: HexMap, key: Callable[[int], str | None]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for n in range(len(map)):
        name = key(n)
        if name is not None:
            found[name].append(n)
    return dict(found)


def loops(plane: Plane, hexes: Iterable[int]) -> list[list[Spot]]:
    """The outlines of a set of hexes as closed rings of corners: outer ones clockwise, holes the other way."""
    inside = set(hexes)
    map = plane.map
    onward: dict[Spot, Spot] = {}
    for n in inside:
        part, at = map.parts[n], map.hexes[n]
        base = 6 * n
        for d in range(6):
            if map.neighbours[base + d] not in inside:
                onward[(part, *corner(at, d - 1))] = (part, *corner(at, d))
    out = []
    while onward:
        first = spot = next(iter(onward))
        ring = []
        while spot in onward:
            ring.append(spot)
            spot = onward.pop(spot)
            if spot == first:
                break
        out.append(ring)
    return out


def rounded_ring(points: Sequence[XY]) -> str:
    """Path data of a closed curve that bends at each of the points."""
    if len(points) < 3:
        return ""
    x, y = points[-1]
    first = points[0]
    out = [f"M{number((x + first[0]) / 2)} {number((y + first[1]) / 2)}"]
    for k, (px, py) in enumerate(points):
        nx, ny = points[(k + 1) % len(points)]
        out.append(f"Q{number(px)} {number(py)} {number((px + nx) / 2)} {number((py + ny) / 2)}")
    return "".join(out) + "Z"


def rounded_line(points: Sequence[XY]) -> str:
    """Path data of an open curve from the first point to the last that bends at the others."""
    if len(points) < 3:
        return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
    out = [f"M{number(points[0][0])} {number(points[0][1])}"]
    for (px, py), (nx, ny) in pairwise(points[1:-1]):
        out.append(f"Q{number(px)} {number(py)} {number((px + nx) / 2)} {number((py + ny) / 2)}")
    (px, py), (nx, ny) = points[-2], points[-1]
    out.append(f"Q{number(px)} {number(py)} {number(nx)} {number(ny)}")
    return "".join(out)


_PIECE = 24  # points of a curve in one stroke of the pen


def closed(ring: Sequence[XY]) -> list[XY]:
    """The same curve as `rounded_ring` draws, as an open one that ends where it began."""
    start = _middle(ring[-1], ring[0])
    return [start, *ring, start]


def pieces(points: Sequence[XY]) -> Iterator[Sequence[XY]]:
    """An open curve in short pieces that meet: a part of a large map then needs only those that touch it."""
    first, at = points[0], 1
    while len(points) - 1 - at > _PIECE:
        end = _middle(points[at + _PIECE - 1], points[at + _PIECE])
        yield [first, *points[at : at + _PIECE], end]
        first, at = end, at + _PIECE
    yield [first, *points[at:]]


def _middle(a: XY, b: XY) -> XY:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def patch(plane: Plane, hexes: Iterable[int]) -> str:
    """The area of a set of hexes, its edges wobbling along the hexsides."""
    out = []
    for ring in loops(plane, hexes):
        points: list[XY] = []
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
            points.append(plane.at(a))
            points += plane.between(a, b, 1)
        out.append(rounded_ring(points))
    return "".join(out)


def chains(plane: Plane, sides: Iterable[int]) -> Iterator[list[Spot]]:
    """Hexsides as lines of corners, each as long as it goes without a fork; a closed line ends where it began."""
    ways: dict[Spot, list[Spot]] = defaultdict(list)
    for key in dict.fromkeys(sides):
        part = plane.map.parts[key // 6]
        a, b = (_spot(part, end) for end in ends_of_side(plane.map.lattice_side(key)))
        ways[a].append(b)
        ways[b].append(a)
    done: set[tuple[Spot, Spot]] = set()
    starts = [spot for spot, on in ways.items() if len(on) != 2] + list(ways)
    for start in starts:
        for after in ways[start]:
            if (start, after) not in done:
                yield _walk(ways, start, after, done)


def _spot(part: int, at: Corner) -> Spot:
    return (part, *at)


def _walk(ways: dict[Spot, list[Spot]], start: Spot, after: Spot, done: set[tuple[Spot, Spot]]) -> list[Spot]:
    line = [start, after]
    done |= {(start, after), (after, start)}
    while len(ways[line[-1]]) == 2 and line[-1] != start:
        here = line[-1]
        onward = next((spot for spot in ways[here] if (here, spot) not in done), None)
        if onward is None:
            break
        done |= {(here, onward), (onward, here)}
        line.append(onward)
    return line


def toward(a: XY, b: XY, by: float) -> XY:
    """The point `by` pixels from a in the direction of b."""
    away = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    return a[0] + (b[0] - a[0]) * by / away, a[1] + (b[1] - a[1]) * by / away


def outline(plane: Plane) -> list[list[XY]]:
    """The exact outlines of the whole map, one for each piece of it and each hole."""
    return [[plane.exact(spot) for spot in ring] for ring in loops(plane, range(len(plane.map)))]


def grid_lines(plane: Plane) -> str:
    """Every hexside once, straight: three sides of each hex in one stroke, then those at the edge of the map."""
    map, out = plane.map, []
    for n in range(len(map)):
        points = [plane.corner(n, i) for i in (5, 0, 1, 2)]
        out.append("M" + "L".join(f"{number(x)} {number(y)}" for x, y in points))
        for d in (3, 4, 5):
            if map.neighbours[6 * n + d] == NONE:
                (ax, ay), (bx, by) = plane.corner(n, d - 1), plane.corner(n, d)
                out.append(f"M{number(ax)} {number(ay)}L{number(bx)} {number(by)}")
    return "".join(out)


DIRECTIONS = len(VECTORS)
