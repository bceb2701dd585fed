"""Names and numbers on a hex map: every name clear of every other and of all signs, every number clear of the names.

In: what wants a name, and the boxes that signs take. Out: placed names with their boxes, and for each hex where its
number stands. A number gives way to a name by going to the foot of its hex. Time grows with the number of names only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, ceil, cos, floor, hypot, pi, sin

from compiler.draw import fonts
from compiler.draw.hexplane import Plane
from compiler.draw.labels import splits
from compiler.draw.place import XY, Box

CELL = 96.0
LEADING = 1.0


@dataclass
class Taken:
    """Boxes that are taken, found again quickly by place."""

    cells: dict[tuple[int, int], list[Box]] = field(default_factory=lambda: defaultdict(list))

    def add(self, box: Box) -> None:
        for cell in _cells(box):
            self.cells[cell].append(box)

    def hits(self, box: Box, gap: float = 0.0) -> bool:
        return any(
            other.overlaps(box, gap)
            for cell in _cells(box)
            if cell in self.cells
            for other in self.cells[cell]
        )


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    for i in range(floor((box.x - box.w / 2) / CELL), floor((box.x + box.w / 2) / CELL) + 1):
        for j in range(floor((box.y - box.h / 2) / CELL), floor((box.y + box.h / 2) / CELL) + 1):
            yield i, j


@dataclass(frozen=True, slots=True)
class Wish:
    """A name for a hex: how large, and the box of the signs in its middle (none: the name itself stands there)."""

    hex: int
    space: str
    text: str
    font: fonts.Font
    size: float
    around: Box | None


@dataclass(frozen=True, slots=True)
class Name:
    """A placed name. `clear` is false if it covers another one."""

    wish: Wish
    lines: tuple[str, ...]
    box: Box
    clear: bool


@dataclass(frozen=True, slots=True)
class Along:
    """A name along a river: its middle, its angle in degrees and the box round it."""

    text: str
    at: XY
    turn: float
    size: float
    box: Box


class Names:
    """Places names one after the other, the large ones first."""

    def __init__(self, plane: Plane, room: Box, signs: Iterable[Box], digits: int) -> None:
        self.plane, self.room = plane, room
        self.taken, self.avoided = Taken(), Taken()
        for box in signs:
            self.taken.add(box)
        self.number_size = plane.size * 0.135
        self.number_width = digits * self.number_size * 0.52

    def place(self, wishes: Iterable[Wish]) -> list[Name]:
        return [self._place(wish) for wish in sorted(wishes, key=lambda w: (-w.size, w.hex))]

    def _place(self, wish: Wish) -> Name:
        best: tuple[float, tuple[str, ...], Box] | None = None
        for cost, lines, box in self._choices(wish):
            if best is not None and cost >= best[0]:
                continue
            if self.taken.hits(box, 1.5) or not self._is_in(box):
                continue
            cost += 2.0 * self._numbers_under(wish.hex, box)
            if best is None or cost < best[0]:
                best = cost, lines, box
        if best is None:
            _, lines, box = next(iter(self._choices(wish)))
            self.taken.add(box)
            return Name(wish, lines, box, False)
        self.taken.add(best[2])
        return Name(wish, best[1], best[2], True)

    def _choices(self, wish: Wish) -> Iterator[tuple[float, tuple[str, ...], Box]]:
        """Places for a name with what each costs: below the signs is best, two lines and distance are worse."""
        x, y = self.plane.centres[wish.hex]
        for k, lines in enumerate(splits(wish.text)[:2]):
            w = max(fonts.width(wish.font, line, wish.size) for line in lines) + 2
            h = wish.size * (0.66 + LEADING * (len(lines) - 1)) + wish.size * 0.26
            if wish.around is None:
                yield 0.9 * k, lines, Box(x, y, w, h)
            around = wish.around or Box(x, y, 0, 0)
            for far in (2.0, 6.0, 13.0, 22.0):
                for cost, dx, dy in _ROUND:
                    bx = around.x + dx * (around.w + w) / 2 + _signed(dx, far)
                    by = around.y + dy * (around.h + h) / 2 + _signed(dy, far)
                    yield cost + far * 0.16 + 0.9 * k, lines, Box(bx, by, w, h)

    def _is_in(self, box: Box) -> bool:
        room = self.room
        return abs(box.x - room.x) + box.w / 2 <= room.w / 2 and abs(box.y - room.y) + box.h / 2 <= room.h / 2

    def _numbers_under(self, hex: int, box: Box) -> int:
        reach = ceil(box.w / self.plane.radius / 3) + 1
        near = self.plane.map.within(hex, min(reach, 4))
        return sum(self.number_box(n, head=True).overlaps(box) for n in near)

    def number_box(self, hex: int, *, head: bool) -> Box:
        x, y = self.plane.centres[hex]
        away = self.plane.size * (0.385 if self.plane.map.shape == "flat" else 0.4)
        return Box(x, y - away if head else y + away, self.number_width, self.number_size * 0.72)

    def numbers(
        self, hexes: Iterable[int], cut: dict[int, list[XY]], crossed: Collection[tuple[int, int]]
    ) -> list[tuple[int, XY]]:
        """Where the number of each hex stands: the middle of its line. Numbers that find no room are left out.

        `crossed` are the hexes, with a direction, whose hexside a road or railway crosses: there the number steps aside.
        """
        out = []
        flat = self.plane.map.shape == "flat"
        aside = self.number_width / 2 + self.plane.size * 0.075
        for n in hexes:
            for head in (True, False):
                box = self.number_box(n, head=head)
                if flat and (n, 0 if head else 3) in crossed:
                    box = Box(box.x - aside, box.y, box.w, box.h)
                for nx, _ in cut.get(n, ()):
                    box = Box(box.x - nx * (box.w / 2 + self.plane.size * 0.05), box.y, box.w, box.h)
                if self._is_cut(n, box, cut) or self.taken.hits(box, 0.5):
                    continue
                out.append((n, (box.x, box.y)))
                break
        return out

    def _is_cut(self, n: int, box: Box, cut: dict[int, list[XY]]) -> bool:
        x, y = self.plane.centres[n]
        return any(
            (box.x - x) * nx + (box.y - y) * ny > -(abs(nx) * box.w + abs(ny) * box.h) / 2
            for nx, ny in cut.get(n, ())
        )

    def keep_clear(self, points: Iterable[XY], size: float) -> None:
        """Points that names along rivers may not cover."""
        for x, y in points:
            self.avoided.add(Box(x, y, size, size))

    def along(self, text: str, lines: Sequence[Sequence[XY]], size: float, gap: float = 0.0) -> Along | None:
        """A name beside a river or line, where it runs straightest and nothing is in the way; none if there is no such place."""
        font = fonts.SERIF_ITALIC
        w = fonts.width(font, text, size) + 4
        found: list[tuple[float, Along]] = []
        for line in lines:
            for start in range(len(line) - 1):
                for end in range(start + 2, len(line)):
                    (ax, ay), (bx, by) = line[start], line[end]
                    long = hypot(bx - ax, by - ay)
                    if long < w * 0.8:
                        continue
                    bend = max(_off((ax, ay), (bx, by), p) for p in line[start : end + 1])
                    if bend < size * 2.2:
                        found += self._beside(text, (ax, ay), (bx, by), bend, w, size, gap)
                    break
        for _, choice in sorted(found, key=lambda item: (item[0], item[1].at)):
            if self._is_in(choice.box) and not self._crosses(choice, w):
                for box in beads(choice, w):
                    self.taken.add(box)
                return choice
        return None

    def _beside(
        self, text: str, a: XY, b: XY, bend: float, w: float, size: float, gap: float
    ) -> list[tuple[float, Along]]:
        angle = atan2(b[1] - a[1], b[0] - a[0])
        turn = (angle + pi / 2) % pi - pi / 2
        out = []
        for side in (-1, 1):
            away = size * 0.62 + bend + gap
            x = (a[0] + b[0]) / 2 + side * away * -sin(turn)
            y = (a[1] + b[1]) / 2 + side * away * cos(turn)
            wide = abs(w * cos(turn)) + abs(size * sin(turn))
            high = abs(w * sin(turn)) + abs(size * cos(turn))
            cost = bend + abs(turn) * size * 0.7 + (0 if side < 0 else 2)
            out.append((cost, Along(text, (x, y), turn * 180 / pi, size, Box(x, y, wide, high))))
        return out

    def _crosses(self, choice: Along, w: float) -> bool:
        return any(self.taken.hits(box, 1.0) or self.avoided.hits(box) for box in beads(choice, w))


def densely(points: Sequence[XY]) -> list[XY]:
    """A line with points between its points, so that a short text finds a place on it."""
    out = list(points[:1])
    for (ax, ay), (bx, by) in pairwise(points):
        out += [(ax + (bx - ax) * k / 4, ay + (by - ay) * k / 4) for k in range(1, 5)]
    return out


def beads(choice: Along, w: float) -> list[Box]:
    """A slanted text as a row of small boxes."""
    count = max(1, ceil(w / choice.size))
    turn = choice.turn * pi / 180
    out = []
    for k in range(count):
        t = ((k + 0.5) / count - 0.5) * w
        out.append(Box(choice.at[0] + t * cos(turn), choice.at[1] + t * sin(turn), choice.size, choice.size))
    return out


def _off(a: XY, b: XY, p: XY) -> float:
    long = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    return abs((b[0] - a[0]) * (a[1] - p[1]) - (a[0] - p[0]) * (b[1] - a[1])) / long


def _signed(direction: float, far: float) -> float:
    return far if direction > 0 else -far if direction < 0 else 0.0


# Cost, and where: below, above, right, left, and the corners.
_ROUND = (
    (0.0, 0.0, 1.0),
    (1.0, 0.0, -1.0),
    (1.2, 1.0, 0.0),
    (1.3, -1.0, 0.0),
    (0.9, 0.55, 1.0),
    (0.95, -0.55, 1.0),
    (1.5, 0.55, -1.0),
    (1.55, -0.55, -1.0),
    (1.9, 1.0, 0.6),
    (1.95, -1.0, 0.6),
)
