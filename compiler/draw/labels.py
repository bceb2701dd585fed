"""Names, figures and stack places of every space of an area map.

In: outlines, what each space must show, the picture's rules. Out: one `Layout` a space. Names stand inside their area, in a
size that can be read when the board is shown at half its size; where that leaves no room for the stacks they stand in the
water beside it, with a line to the area if they are not near. Nothing overlaps: where no place is left, the layout
says so and the drawing reports it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from compiler.draw import fonts
from compiler.draw.outlines import Ring
from compiler.draw.place import XY, Box, Field, inside, pack, signed_area

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
    zones: tuple[str, ...] = ()  # the water that may hold the name instead


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything of one space stands. `block` holds name and figures; `size` 0: no room was found."""

    space: str
    lines: tuple[str, ...]
    size: float
    block: Box
    anchor: XY
    spots: tuple[XY, ...]
    beside: str = ""  # the water beside the area in which the name stands
    lead: tuple[XY, XY] | None = None  # a line from such a name into its area


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


@dataclass(frozen=True, slots=True)
class _Room:
    """The room of one area: clear of the border, close to it, its heart, half the side of its largest square, places for stacks."""

    clear: Field
    close: Field
    heart: XY
    radius: float
    squares: Sequence[XY]


@dataclass
class Board:
    """All areas of one map while their labels are placed."""

    rings: Mapping[str, Sequence[Ring]]
    counter: float
    width: float
    taken: dict[str, list[Box]] = field(default_factory=dict)  # in zone: boxes of others' names
    fields: dict[str, Field] = field(default_factory=dict)
    coasts: list[tuple[float, float, str]] = field(
        default_factory=list
    )  # points of the land, and whose they are

    def field_of(self, space: str) -> Field:
        if space not in self.fields:
            self.fields[space] = Field(main_parts(self.rings[space], self.width), margin=CLEAR)
        return self.fields[space]

    def place_land(self, wishes: Sequence[Wish]) -> dict[str, Layout]:
        """The layouts of all land: first what is readable inside its area, then, the largest first, what stands in the water."""
        self.coasts = [(x, y, w.space) for w in wishes for x, y in _outline(self._parts(w.space))]
        rooms = {wish.space: self._room(wish) for wish in wishes}
        found = {wish.space: self._readable(wish, rooms[wish.space]) for wish in wishes}
        for wish in sorted((w for w in wishes if found[w.space] is None), key=_bulk, reverse=True):
            room = rooms[wish.space]
            found[wish.space] = self._beside(wish, room) or self._inside_at_all(wish, room)
        return {w.space: self._filled(w, found[w.space], rooms[w.space]) for w in wishes}

    def place(self, wish: Wish) -> Layout:
        """The best layout of one zone. It must come after the names that stand in it."""
        room = self._room(wish)
        return self._filled(wish, self._inside_at_all(wish, room), room)

    def _filled(self, wish: Wish, layout: Layout | None, room: _Room) -> Layout:
        """The layout with as many stacks as there is room for."""
        if layout is None:
            layout = Layout(wish.space, (wish.name,), 0.0, Box(*room.heart, 0, 0), room.heart, ())
        taken = () if layout.beside or not layout.size else (_grown(layout.block),)
        spots = pack(room.squares, self.counter, max(wish.stacks, wish.more), taken, layout.anchor)
        return replace(layout, spots=tuple(spots)) if len(spots) > len(layout.spots) else layout

    def _parts(self, space: str) -> list[Ring]:
        return main_parts(self.rings[space], self.width)

    def _room(self, wish: Wish) -> _Room:
        clear, close = self.field_of(wish.space), Field(self._parts(wish.space), margin=0.0)
        for box in self.taken.get(wish.space, ()):
            for room in (clear, close):
                room.block(Box(box.x, box.y, box.w + 2 * GAP, box.h + 2 * GAP))
        heart, radius = clear.heart()
        return _Room(clear, close, heart, radius, self._squares(clear, wish))

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

    def _readable(self, wish: Wish, room: _Room) -> Layout | None:
        """Inside the area, large enough to read, with room for all stacks; nearer to the border if need be."""
        sizes = [size for size in wish.sizes if size >= READABLE]
        for free, extra in ((room.clear, 0.0), (room.close, CLEAR)):
            found = self._inside(wish, sizes, free, room, extra)
            if found is not None and len(found.spots) >= wish.stacks:
                return found
        return None

    def _inside_at_all(self, wish: Wish, room: _Room) -> Layout | None:
        return self._inside(wish, wish.sizes, room.clear, room) or self._inside(
            wish, wish.sizes, room.close, room, CLEAR
        )

    def _inside(
        self, wish: Wish, sizes: Sequence[float], free: Field, room: _Room, extra: float = 0.0
    ) -> Layout | None:
        best: Layout | None = None
        heart, radius = room.heart, room.radius + extra
        for size in sizes:
            for lines in splits(wish.name):
                w, h = block_size(wish, lines, size)
                if h > 2 * radius + 30 or (w > 6 * radius + 60 and h > radius):
                    continue
                for x, y in free.points(free.fits(w, h), 14 if radius > 90 else 40):
                    box = Box(x, y, w, h)
                    spots = pack(room.squares, self.counter, wish.stacks, (_grown(box),), heart)
                    made = Layout(wish.space, lines, size, box, heart, tuple(spots))
                    if best is None or _worth(made, heart) > _worth(best, heart):
                        best = made
            if best is not None and len(best.spots) >= wish.stacks:
                break
        return best

    def _beside(self, wish: Wish, room: _Room) -> Layout | None:
        """In the water: near its own shore, nearer to it than to any other, as large as there is room for."""
        outer = max(self._parts(wish.space), key=lambda ring: abs(signed_area(ring)))
        for reach in (NEAR, self.width):
            shore = _Shore(wish.space, outer, room.heart, self.coasts, reach)
            best: tuple[float, _Try] | None = None
            for least, tried in sorted(self._tries(wish, shore, reach), key=lambda t: (t[0], *t[1].order)):
                if best is not None and least >= best[0]:
                    break
                price = tried.price + shore.price(tried.box)
                taken = self.taken.get(tried.zone, ())
                on = (tried.box, *_beads(shore.lead(tried.box)))
                if (best is None or price < best[0]) and not any(
                    b.overlaps(t, GAP) for b in on for t in taken
                ):
                    best = price, tried
            if best is not None:
                zone, lines, size, box = best[1].zone, best[1].lines, best[1].size, best[1].box
                lead = shore.lead(box)
                self.taken.setdefault(zone, []).extend([box, *_beads(lead)])
                spots = pack(room.squares, self.counter, wish.stacks, (), room.heart)
                return Layout(wish.space, lines, size, box, room.heart, tuple(spots), zone, lead)
        return None

    def _tries(self, wish: Wish, shore: _Shore, reach: float) -> Iterator[tuple[float, _Try]]:
        """Free places for the name, each with what it costs at the least."""
        for zone in wish.zones:
            water = self.field_of(zone)
            for size in BESIDE:
                for lines in splits(wish.name)[:2]:
                    w, h = block_size(wish, lines, size)
                    window = Box(
                        shore.box.x, shore.box.y, shore.box.w + w + 2 * reach, shore.box.h + h + 2 * reach
                    )
                    small = 5 * (BESIDE[0] - size) + 10 * (len(lines) - 1)
                    for x, y in water.points(water.near(water.fits(w, h), window), 240):
                        box = Box(x, y, w, h)
                        yield small + shore.least(box), _Try(zone, lines, size, box, small)


@dataclass(frozen=True, slots=True)
class _Try:
    """A name put into water for a trial."""

    zone: str
    lines: tuple[str, ...]
    size: float
    box: Box
    price: float  # of small letters and of a second line

    @property
    def order(self) -> tuple[str, float, float, int]:
        return self.zone, self.box.x, self.box.y, len(self.lines)


class _Shore:
    """The coast of one area, and what a name beside it would cost."""

    def __init__(
        self, space: str, ring: Ring, heart: XY, coasts: Iterable[tuple[float, float, str]], reach: float
    ) -> None:
        xs, ys = [x for x, _ in ring], [y for _, y in ring]
        self.box = Box((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, max(xs) - min(xs), max(ys) - min(ys))
        self.ring, self.heart, self.own = ring, heart, _outline([ring])
        wide, high = self.box.w / 2 + 2 * reach, self.box.h / 2 + 2 * reach
        self.others = [
            (x, y)
            for x, y, whose in coasts
            if whose != space and abs(x - self.box.x) < wide and abs(y - self.box.y) < high
        ]

    def nearest(self, box: Box) -> tuple[float, XY]:
        """How far the box is from the coast, and the nearest point of it."""
        return min((_gap(box, p), p) for p in self.own)

    def price(self, box: Box) -> float:
        """Far from its own coast, nearer to another's, or askew is dear."""
        away, _ = self.nearest(box)
        other = min((_gap(box, p) for p in self.others), default=away + 99)
        return away + self._askew(box) + 1.5 * max(0.0, away + 14 - other)

    def least(self, box: Box) -> float:
        """What the price cannot fall below, told without a look at the coasts."""
        wide = max(0.0, abs(box.x - self.box.x) - (box.w + self.box.w) / 2)
        high = max(0.0, abs(box.y - self.box.y) - (box.h + self.box.h) / 2)
        return math.hypot(wide, high) + self._askew(box)

    def _askew(self, box: Box) -> float:
        return 0.3 * min(abs(box.x - self.box.x), abs(box.y - self.box.y))

    def lead(self, box: Box) -> tuple[XY, XY] | None:
        """A line into the area from a name that is far from it, or as near to another."""
        away, (x, y) = self.nearest(box)
        if away < LEAD and away + 10 < min((_gap(box, p) for p in self.others), default=math.inf):
            return None
        far = math.dist((x, y), self.heart)
        ends = [
            (x + (self.heart[0] - x) * k / far, y + (self.heart[1] - y) * k / far) for k in INTO if k < far
        ]
        end = next((p for p in ends if inside(p, [self.ring]) and self._off(p)), self.heart)
        start = (
            min(max(end[0], box.x - box.w / 2), box.x + box.w / 2),
            min(max(end[1], box.y - box.h / 2), box.y + box.h / 2),
        )
        return start, end

    def _off(self, point: XY) -> bool:
        return min(math.dist(point, p) for p in self.own) > 7


def _gap(box: Box, point: XY) -> float:
    return math.hypot(
        max(0.0, abs(point[0] - box.x) - box.w / 2), max(0.0, abs(point[1] - box.y) - box.h / 2)
    )


def _outline(rings: Sequence[Ring]) -> list[XY]:
    """Some points of the rings, near enough to each other to measure by."""
    return [p for ring in rings for p in ring[:: max(1, len(ring) // 90)]]


def _beads(lead: tuple[XY, XY] | None) -> list[Box]:
    """Small boxes along a line, so that no name is put on it."""
    if lead is None:
        return []
    (ax, ay), (bx, by) = lead
    count = math.ceil(math.dist((ax, ay), (bx, by)) / 8)
    return [Box(ax + (bx - ax) * k / count, ay + (by - ay) * k / count, 4, 4) for k in range(2, count)]


def _bulk(wish: Wish) -> tuple[float, str]:
    w, h = block_size(wish, (wish.name,), BESIDE[0])
    return w * h, wish.space


def _grown(box: Box) -> Box:
    return Box(box.x, box.y, box.w + 4, box.h + 4)


READABLE = 20.0  # px: half of it can still be read
BESIDE = (26.0, 24.0, 22.0, 20.0)  # sizes of a name beside its area
CLEAR = 7.0  # px between a name or stack and a border
NEAR = 110.0  # px: how far from its area a name is looked for at first
LEAD = 24.0  # px: a name farther from its area has a line to it
INTO = (14, 20, 28, 40, 56)  # px: how far such a line reaches into the area


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
