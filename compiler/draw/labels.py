"""Names, figures and stack places of every space of an area map.

In: outlines, what each space must show, the picture's rules. Out: one `Layout` a space. Names stand inside their area;
the name of an island too small for it stands in the water round it. Nothing overlaps: where no place is left, the
layout says so and the drawing reports it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from compiler.draw import fonts
from compiler.draw.outlines import Ring
from compiler.draw.place import XY, Box, Field, pack, signed_area

LEADING = 1.06
ROW = 32.0  # height of the row of figures under a name
ICON = {"income": 30.0, "complex": 38.0, "capital": 30.0}
GAP = 5.0


@dataclass(frozen=True, slots=True)
class Wish:
    """What one space wants to show: a name (or a number), a row of figures, and room for so many stacks."""

    space: str
    name: str
    icons: tuple[str, ...]
    stacks: int  # that must have room
    more: int  # that shall have room if the name need not shrink for it
    font: fonts.Font
    sizes: tuple[float, ...]  # best first
    spacing: float = 0.0
    in_zone: str | None = None  # an island: the water that may hold its name


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything of one space stands. `block` holds name and figures; `size` 0: no room was found."""

    space: str
    lines: tuple[str, ...]
    size: float
    block: Box
    anchor: XY
    spots: tuple[XY, ...]
    beside: bool = False  # the name stands in the water beside the area


def splits(name: str) -> list[tuple[str, ...]]:
    """The name on one, two and three lines, each as even as its words allow."""
    words = name.replace("-", "-\0").replace("/", "/\0").replace(" ", " \0").split("\0")
    out: list[tuple[str, ...]] = [(name,)]
    for count in (2, 3):
        if len(words) >= count:
            out.append(min(_cuts(words, count), key=lambda lines: max(len(line) for line in lines)))
    return out


def _cuts(words: Sequence[str], count: int) -> list[tuple[str, ...]]:
    if count == 1:
        return [("".join(words).strip(),)]
    return [
        ("".join(words[:k]).strip(), *rest)
        for k in range(1, len(words) - count + 2)
        for rest in _cuts(words[k:], count - 1)
    ]


def row_width(icons: Sequence[str]) -> float:
    return sum(ICON[icon] for icon in icons) + GAP * max(len(icons) - 1, 0)


def block_size(wish: Wish, lines: Sequence[str], size: float) -> tuple[float, float]:
    """Width and height of the name and its figures."""
    w = max(fonts.width(wish.font, line, size, wish.spacing) for line in lines)
    h = len(lines) * size * LEADING
    if wish.icons:
        return max(w, row_width(wish.icons)) + 4, h + ROW + 2
    return w + 4, h + 2


@dataclass
class Board:
    """All areas of one map while their labels are placed."""

    rings: Mapping[str, Sequence[Ring]]
    counter: float
    width: float
    taken: dict[str, list[Box]] = field(default_factory=dict)  # in zone: boxes of others' names
    fields: dict[str, Field] = field(default_factory=dict)

    def field_of(self, space: str) -> Field:
        if space not in self.fields:
            self.fields[space] = Field(main_parts(self.rings[space], self.width), margin=CLEAR)
        return self.fields[space]

    def place(self, wish: Wish) -> Layout:
        """The best layout of one space. Spaces in water must come after the islands in it."""
        layout, squares = self._best(wish)
        taken = () if layout.beside or not layout.size else (_grown(layout.block),)
        spots = pack(squares, self.counter, max(wish.stacks, wish.more), taken, layout.anchor)
        return replace(layout, spots=tuple(spots)) if len(spots) > len(layout.spots) else layout

    def _best(self, wish: Wish) -> tuple[Layout, list[XY]]:
        room = self.field_of(wish.space)
        for box in self.taken.get(wish.space, ()):
            room.block(Box(box.x, box.y, box.w + 2 * GAP, box.h + 2 * GAP))
        heart, radius = room.heart()
        squares = self._squares(room, wish)
        found = self._inside(wish, room, heart, radius, squares)
        if found is None:  # a small area: the name may come nearer to the border
            close = Field(main_parts(self.rings[wish.space], self.width), margin=0.0)
            found = self._inside(wish, close, heart, radius + CLEAR, squares)
        if wish.in_zone is not None and (found is None or len(found.spots) < wish.stacks):
            beside = self._beside(wish, heart, squares)
            if beside is not None:
                return beside, squares
        if found is None:
            spots = tuple(pack(squares, self.counter, wish.stacks, (), heart))
            found = Layout(wish.space, (wish.name,), 0.0, Box(*heart, 0, 0), heart, spots)
        return found, squares

    def _squares(self, room: Field, wish: Wish) -> list[XY]:
        """Middles for counters; on land too narrow for a whole one, counters may hang over the shore a little."""
        best: list[XY] = []
        most = -1
        for share in (1.0, 0.8, 0.6, 0.4):
            found = room.points(room.fits(self.counter * share, self.counter * share), 260)
            count = len(pack(found, self.counter, wish.stacks, (), room.heart()[0]))
            if count > most:
                best, most = found, count
            if count >= wish.stacks:
                break
        return best

    def _inside(
        self, wish: Wish, room: Field, heart: XY, radius: float, squares: Sequence[XY]
    ) -> Layout | None:
        best: Layout | None = None
        for size in wish.sizes:
            for lines in splits(wish.name):
                w, h = block_size(wish, lines, size)
                if h > 2 * radius + 30 or (w > 6 * radius + 60 and h > radius):
                    continue
                spots_for = room.points(room.fits(w, h), 14 if radius > 90 else 40)
                for x, y in spots_for:
                    box = Box(x, y, w, h)
                    spots = pack(squares, self.counter, wish.stacks, (_grown(box),), heart)
                    made = Layout(wish.space, lines, size, box, heart, tuple(spots))
                    if best is None or _worth(made, heart) > _worth(best, heart):
                        best = made
            if best is not None and len(best.spots) >= wish.stacks:
                break
        return best

    def _beside(self, wish: Wish, heart: XY, squares: Sequence[XY]) -> Layout | None:
        zone = wish.in_zone or ""
        water = self.field_of(zone)
        parts = main_parts(self.rings[wish.space], self.width)
        outer = max(parts, key=lambda ring: abs(signed_area(ring)))
        left, right = min(x for x, _ in outer), max(x for x, _ in outer)
        top, bottom = min(y for _, y in outer), max(y for _, y in outer)
        spots = tuple(pack(squares, self.counter, wish.stacks, (), heart))
        for size in BESIDE:
            for lines in splits(wish.name)[:2]:
                w, h = block_size(wish, lines, size)
                fitting = water.fits(w, h)
                mx, my = (left + right) / 2, (top + bottom) / 2
                for away in (4.0, 12.0, 24.0, 40.0, 64.0, 96.0):
                    for x, y in _round(mx, my, left, right, top, bottom, w, h, away):
                        box = Box(x, y, w, h)
                        if water.free_at(fitting, x, y) and not any(
                            box.overlaps(b, GAP) for b in self.taken.get(zone, ())
                        ):
                            self.taken.setdefault(zone, []).append(box)
                            return Layout(wish.space, lines, size, box, heart, spots, beside=True)
        return self._somewhere(wish, water, heart, spots)

    def _somewhere(self, wish: Wish, water: Field, heart: XY, spots: tuple[XY, ...]) -> Layout | None:
        """The nearest free water of the zone, for a name that found no place right beside its island."""
        size, lines = BESIDE[-1], splits(wish.name)[-1]
        w, h = block_size(wish, lines, size)
        taken = self.taken.setdefault(wish.in_zone or "", [])
        for x, y in sorted(water.points(water.fits(w, h), 400), key=lambda p: (math.dist(p, heart), p)):
            box = Box(x, y, w, h)
            if not any(box.overlaps(b, GAP) for b in taken):
                taken.append(box)
                return Layout(wish.space, lines, size, box, heart, spots, beside=True)
        return None


def _grown(box: Box) -> Box:
    return Box(box.x, box.y, box.w + 4, box.h + 4)


BESIDE = (21.0, 18.0, 15.5)  # sizes of a name beside its island
CLEAR = 7.0  # px between a name or stack and a border


def _round(
    mx: float,
    my: float,
    left: float,
    right: float,
    top: float,
    bottom: float,
    w: float,
    h: float,
    away: float,
) -> list[XY]:
    low, high, east, west = (
        bottom + away + h / 2,
        top - away - h / 2,
        right + away + w / 2,
        left - away - w / 2,
    )
    return [
        (mx, low),
        (mx, high),
        (east, my),
        (west, my),
        (east, low),
        (west, low),
        (east, high),
        (west, high),
    ]


def _worth(layout: Layout, heart: XY) -> tuple[float, ...]:
    """More stacks first; then a name a little above the heart of the area."""
    spots = len(layout.spots)
    middle = (heart[0], heart[1] - layout.block.h * 0.4)
    away = math.dist((layout.block.x, layout.block.y), middle)
    return (spots, layout.size * 8 - away - 12 * (len(layout.lines) - 1))


def main_parts(rings: Sequence[Ring], width: float) -> list[Ring]:
    """The rings on the side of the map where the area's largest piece is (an area cut by the edge has two sides)."""
    biggest = max(rings, key=lambda ring: abs(signed_area(ring)))
    middle = sum(x for x, _ in biggest) / len(biggest)
    return [ring for ring in rings if abs(sum(x for x, _ in ring) / len(ring) - middle) < width / 2]


def far_parts(rings: Sequence[Ring], width: float) -> list[Ring]:
    """The pieces at the other edge of the map."""
    near = {id(ring) for ring in main_parts(rings, width)}
    return [ring for ring in rings if id(ring) not in near]


def perimeter(ring: Ring) -> float:
    return sum(math.dist(a, b) for a, b in pairwise([*ring, ring[0]]))
