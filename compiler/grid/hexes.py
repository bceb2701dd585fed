"""The lattice of hexes: neighbours, distance, lines, rings, hexsides and corners, all in whole numbers.

A hex is a pair of axial coordinates (q, r); the third cube coordinate is -q-r. The six directions are numbered clockwise
as seen on the screen. Direction 0 is N on flat-topped hexes and NW on pointy-topped ones, and nothing else in this
module depends on which of the two a map has. Corner i of a hex lies between its directions i and i + 1.

A hexside is known from both of its hexes, a corner from all three. `hexside` and `corner` give each exactly one name,
so that two names are equal if and only if the things are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

Hex = tuple[int, int]
Side = tuple[int, int, int]  # q, r, direction 0, 1 or 2
Corner = tuple[int, int, int]  # q, r, 0 or 1
Shape = Literal["flat", "pointy"]

VECTORS: tuple[Hex, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
COMPASS: dict[Shape, tuple[str, ...]] = {
    "flat": ("N", "NE", "SE", "S", "SW", "NW"),
    "pointy": ("NW", "NE", "E", "SE", "SW", "W"),
}


def step(a: Hex, direction: int, times: int = 1) -> Hex:
    dq, dr = VECTORS[direction % 6]
    return a[0] + dq * times, a[1] + dr * times


def neighbours(a: Hex) -> tuple[Hex, ...]:
    """The six hexes around, by direction."""
    q, r = a
    return tuple((q + dq, r + dr) for dq, dr in VECTORS)


def direction(a: Hex, b: Hex) -> int | None:
    """The direction from a hex to its neighbour; None if they are no neighbours."""
    vector = (b[0] - a[0], b[1] - a[1])
    return VECTORS.index(vector) if vector in VECTORS else None


def distance(a: Hex, b: Hex) -> int:
    """How many steps from a to b: the end counts, the start does not."""
    dq, dr = b[0] - a[0], b[1] - a[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def turned(a: Hex, sixths: int) -> Hex:
    """The hex turned clockwise about (0, 0) by so many times 60 degrees."""
    q, r = a
    for _ in range(sixths % 6):
        q, r = -r, q + r
    return q, r


def ring(centre: Hex, radius: int) -> Iterator[Hex]:
    """The hexes at exactly this distance, clockwise from direction 0."""
    if radius == 0:
        yield centre
        return
    at = step(centre, 0, radius)
    for side in range(6):
        for _ in range(radius):
            yield at
            at = step(at, side + 2)


def within(centre: Hex, radius: int) -> Iterator[Hex]:
    """The hexes at this distance or less, nearest first."""
    for n in range(radius + 1):
        yield from ring(centre, n)


def line(a: Hex, b: Hex, lean: Literal[1, -1] = 1) -> list[Hex]:
    """The hexes on the straight line between two centres, both ends included, each one step from the last.

    Where the line runs exactly along a hexside, `lean` says which of the two hexes is taken: `lean` 1 and -1 together
    give every hex that the line touches. The line from b to a with the same lean is the same one, turned round.
    """
    n = distance(a, b)
    if n == 0:
        return [a]
    # A shift of the whole line, far smaller than any difference between two distances that are not equal.
    scale = 16 * n
    dq, dr = 2 * lean, 3 * lean
    return [
        rounded(
            16 * (a[0] * (n - i) + b[0] * i) + dq,
            16 * (a[1] * (n - i) + b[1] * i) + dr,
            scale,
        )
        for i in range(n + 1)
    ]


def touched(a: Hex, b: Hex) -> set[Hex]:
    """Every hex that the line between two centres touches, if only along a hexside."""
    return {*line(a, b, 1), *line(a, b, -1)}


def rounded(q: int, r: int, scale: int) -> Hex:
    """The hex in which the point (q / scale, r / scale) lies; `scale` is positive.

    On a hexside or corner one of the hexes that touch there is taken, always the same one.
    """
    s = -q - r
    nq, nr, ns = _nearest(q, scale), _nearest(r, scale), _nearest(s, scale)
    off_q, off_r, off_s = abs(q - nq * scale), abs(r - nr * scale), abs(s - ns * scale)
    if nq + nr + ns == 0:
        return nq, nr
    if off_q >= off_r and off_q >= off_s:
        return -nr - ns, nr
    if off_r >= off_s:
        return nq, -nq - ns
    return nq, nr


def _nearest(value: int, scale: int) -> int:
    return (2 * value + scale) // (2 * scale)


def hexside(a: Hex, direction: int) -> Side:
    """The one name of the hexside of a hex in a direction."""
    direction %= 6
    if direction < 3:
        return a[0], a[1], direction
    q, r = step(a, direction)
    return q, r, direction - 3


def sides_of(a: Hex) -> tuple[Side, ...]:
    return tuple(hexside(a, d) for d in range(6))


def hexes_of_side(side: Side) -> tuple[Hex, Hex]:
    q, r, d = side
    return (q, r), step((q, r), d)


def corner(a: Hex, i: int) -> Corner:
    """The one name of a hex's corner between its directions i and i + 1."""
    i %= 6
    if i < 2:
        return a[0], a[1], i
    q, r = step(a, (3, 4, 4, 5)[i - 2])
    return q, r, i % 2


def corners_of(a: Hex) -> tuple[Corner, ...]:
    return tuple(corner(a, i) for i in range(6))


def ends_of_side(side: Side) -> tuple[Corner, Corner]:
    """The two corners where a hexside ends."""
    q, r, d = side
    return corner((q, r), d - 1), corner((q, r), d)


def hexes_of_corner(at: Corner) -> tuple[Hex, Hex, Hex]:
    q, r, i = at
    return (q, r), step((q, r), i), step((q, r), i + 1)


def sides_of_corner(at: Corner) -> tuple[Side, Side, Side]:
    """The three hexsides that meet in a corner."""
    q, r, i = at
    return hexside((q, r), i), hexside((q, r), i + 1), hexside(step((q, r), i), i + 2)


def follow(sides: Iterable[Side]) -> tuple[list[Corner], int | None]:
    """The corners along a chain of hexsides, and the number of the first hexside that breaks the chain.

    A chain goes in by one end of each hexside and out by the other; three hexsides of one corner are no chain. A chain
    of n hexsides has n + 1 corners, and the first is the last if it closes.
    """
    chain = list(sides)
    if not chain:
        return [], None
    way = list(ends_of_side(chain[0]))
    if len(chain) > 1 and way[0] in ends_of_side(chain[1]):
        way.reverse()
    for n, side in enumerate(chain[1:], 1):
        ends = ends_of_side(side)
        if side == chain[n - 1] or way[-1] not in ends:
            return way, n
        way.append(ends[1] if ends[0] == way[-1] else ends[0])
    return way, None
