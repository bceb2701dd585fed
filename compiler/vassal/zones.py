"""Spaces as zones of a VASSAL board: one closed path each, small ones before large ones."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from compiler.frozen import dataclass
from compiler.vassal.drawings import BoardPicture, Point, Shape
from compiler.vassal.locations import Locator, inside, named_ring


@dataclass(frozen=True, slots=True)
class ZonePath:
    space: str
    ring: tuple[Point, ...]


def joined(shape: Shape) -> tuple[Point, ...]:
    """All rings of a space as one path: VASSAL's even-odd rule makes holes and islands of the rings behind the first.

    From the first point of the first ring the path goes over to each other ring and comes back the same way, and such
    a pair of lines encloses nothing.
    """
    rings = [ring for ring in shape.rings if len(ring) >= 3]
    if not rings:
        return ()
    first = rings[0]
    path = [*first]
    for ring in rings[1:]:
        path += [first[0], *ring, ring[0]]
    return tuple(path)


def area(ring: tuple[Point, ...]) -> float:
    total = 0
    ax, ay = ring[-1]
    for bx, by in ring:
        total += ax * by - bx * ay
        ax, ay = bx, by
    return abs(total) / 2


def zones_of(board: BoardPicture) -> tuple[ZonePath, ...]:
    """The zones in the order of the file: the engine takes the first that contains a point, so islands come before seas."""
    paths = (
        (sum(area(r) for r in shape.rings if len(r) >= 3), id, joined(shape))
        for id, shape in board.shapes.items()
    )
    return tuple(ZonePath(id, path) for _, id, path in sorted(item for item in paths if len(item[2]) >= 3))


def square_zones(board: BoardPicture) -> tuple[ZonePath, ...]:
    """The squares of a number track as zones `#0`, `#1` …, each as large as its neighbours leave room for."""
    points = sorted(board.squares.items())
    if not points:
        return ()
    gaps = [max(abs(a[0] - b[0]), abs(a[1] - b[1])) for (_, a), (_, b) in pairwise(points)]
    half = max(2, min([gap for gap in gaps if gap > 0], default=board.counter) // 2)
    return tuple(
        ZonePath(
            f"#{n}", ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
        )
        for n, (x, y) in points
    )


def hex_zones(board: BoardPicture) -> tuple[ZonePath, ...]:
    """The hexes as points: no zones of the file, but what a map's fingerprint must hold."""
    return tuple(ZonePath(id, (point,)) for id, point in board.hexes.items())


def locator_of(zones: tuple[ZonePath, ...]) -> Locator:
    """Answers with the space's id."""
    return Locator(tuple(named_ring(zone.space, zone.ring) for zone in zones))


def standing_points(board: BoardPicture, locator: Locator) -> Mapping[str, tuple[Point, ...]]:
    """For each space the points where the engine would say that a piece is in that space; none where none was found."""
    found: dict[str, tuple[Point, ...]] = {}
    for id, shape in board.shapes.items():
        good = tuple(point for point in shape.spots if locator.name_at(*point) == id)
        found[id] = good or _searched(id, shape, locator)
    return found


def _searched(id: str, shape: Shape, locator: Locator) -> tuple[Point, ...]:
    """A grid over the largest ring, the middle first: for outlines so thin that rounding moved the drawn point out."""
    rings = [ring for ring in shape.rings if len(ring) >= 3]
    if not rings:
        return ()
    ring = max(rings, key=area)
    box = named_ring(id, ring).box
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    steps = 24
    grid = [
        (round(box[0] + (box[2] - box[0]) * a / steps), round(box[1] + (box[3] - box[1]) * b / steps))
        for a in range(steps + 1)
        for b in range(steps + 1)
    ]
    grid.sort(key=lambda point: (point[0] - middle[0]) ** 2 + (point[1] - middle[1]) ** 2)
    for point in grid:
        if inside(ring, *point) and locator.name_at(*point) == id:
            return (point,)
    return ()
