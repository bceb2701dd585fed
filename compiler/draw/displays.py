"""Displays: maps that are boxes on a sheet, such as force pools, reserves, turn tracks, circles of production.

In: the `display` of a picture file, a tree of cells. Out: the drawn map, each box a space with places for stacks. A cell
is the id of a space, or an object with one of `space`, `across`, `down`, `circle` and `squares`; `share` is its part of
the room beside its neighbours, `title` stands over it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from compiler.draw import fonts
from compiler.draw.colour import mix
from compiler.draw.place import XY
from compiler.draw.scene import Item, Path, Scene, Words, polygon, polyline, rect, to_svg
from compiler.draw.settings import Picture, load_style
from compiler.draw.types import DrawnMap, SpaceShape
from compiler.findings import Finding, Place, error
from compiler.model.types import Map, Module
from compiler.suggest import did_you_mean

Rect = tuple[float, float, float, float]
KINDS = ("space", "across", "down", "circle", "squares")
MARGIN, HEAD, GAP, TITLE, NAME = 24.0, 58.0, 12.0, 34.0, 30.0
SIZE = (1200, 800)
LEAST, MOST = 40, 10_000
COUNTER = 50
DEPTH = 20


def draw_display(module: Module, board: Map, picture: Picture, language: str, style: str) -> DrawnMap:
    """The display as a map. One that cannot be laid out is empty, and its findings say why."""
    look, findings = load_style(style, picture)
    place = picture.place / "display" if picture.place else board.place
    sheet = _Sheet(module, board, look, language, float(picture.get("counter", COUNTER)))
    value = picture.get("display")
    wide, high = _size(value, place, sheet.findings)
    sheet.heading(wide)
    sheet.cell(value, (MARGIN, MARGIN + HEAD, wide - 2 * MARGIN, high - 2 * MARGIN - HEAD), place, DEPTH)
    found = (*findings, *sheet.findings)
    if sheet.findings:
        return DrawnMap("", 0, 0, {}, (), {}, 0, round(sheet.counter), found)
    ground = Path(rect(0, 0, wide, high), fill=look["paper"])
    scene = Scene(float(wide), float(high), (ground, *sheet.items), title=sheet.name)
    return DrawnMap(
        to_svg(scene), wide, high, sheet.shapes, (), sheet.squares, 0, round(sheet.counter), found
    )


def _size(value: object, place: Place, findings: list[Finding]) -> tuple[int, int]:
    given = value.get("size", list(SIZE)) if isinstance(value, dict) else list(SIZE)
    if (
        isinstance(given, list)
        and len(given) == 2
        and all(type(side) is int and LEAST <= side <= MOST for side in given)
    ):
        return given[0], given[1]
    what = f"the size of a display is its width and height, {LEAST} to {MOST} px each"
    findings.append(error("D010", what, place / "size" if isinstance(value, dict) else place))
    return SIZE


@dataclass
class _Sheet:
    """What has been laid out so far."""

    module: Module
    board: Map
    style: Mapping[str, Any]
    language: str
    counter: float
    items: list[Item] = field(default_factory=list)
    shapes: dict[str, SpaceShape] = field(default_factory=dict)
    squares: dict[int, XY] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.module.texts.get(f"map.{self.board.id}", self.language)

    def heading(self, wide: float) -> None:
        base = MARGIN + 34
        self._write(self.name, MARGIN, base, 38, wide - 2 * MARGIN, fonts.SERIF_BOLD, self.board.place)
        line = polyline([(MARGIN, base + 14), (wide - MARGIN, base + 14)])
        self.items.append(Path(line, stroke=self.style["frame"], width=2))

    def cell(self, value: object, at: Rect, place: Place, depth: int) -> None:
        """Lays out a cell and all that is in it."""
        if isinstance(value, str):
            return self._box(value, at, place)
        kinds = [kind for kind in KINDS if kind in value] if isinstance(value, dict) else []
        if not isinstance(value, dict) or len(kinds) != 1 or depth == 0:
            what = f"a cell of a display is the id of a space, or has one of: {', '.join(KINDS)}"
            self.findings.append(error("D010", what, place))
            return None
        if "title" in value:
            at = self._title(value["title"], at, place / "title")
        kind = kinds[0]
        inner, where = value[kind], place / kind
        if kind == "space":
            return self.cell(inner if isinstance(inner, str) else None, at, where, depth)
        if kind == "squares":
            return self._squares(inner, at, where)
        if not isinstance(inner, list) or not inner:
            self.findings.append(error("D010", f"'{kind}' of a display is a list of cells", where))
            return None
        if kind == "circle":
            return self._circle(inner, at, where)
        for n, part in enumerate(_shared(inner, at, across=kind == "across")):
            self.cell(inner[n], part, where / n, depth - 1)
        return None

    def _space(self, id: str, place: Place) -> bool:
        known = [space.id for space in self.board.spaces]
        if id in known and id not in self.shapes:
            return True
        twice = id in known
        what = (
            f"the space '{id}' is in the display twice"
            if twice
            else f"the map '{self.board.id}' has no space '{id}'"
        )
        self.findings.append(error("D010", what, place, help=None if twice else did_you_mean(id, known)))
        return False

    def _tint(self, id: str) -> str:
        """The ground of a box: that of its owner, if it has one."""
        owner = next(space.controller for space in self.board.spaces if space.id == id)
        power = self.module.powers.get(owner) if owner else None
        colour = power.colour if power else None
        return mix(str(self.style["panel"]), colour, 0.3) if colour else str(self.style["panel"])

    def _label(self, id: str) -> str:
        texts = self.module.texts
        return texts.get(f"space.{id}", self.language) if texts.has(f"space.{id}", self.language) else id

    def _box(self, id: str, at: Rect, place: Place) -> None:
        if not self._space(id, place):
            return
        x, y, w, h = at
        self.items.append(Path(rect(x, y, w, h, 8), fill=self._tint(id), stroke=self.style["frame"], width=2))
        self._write(self._label(id), x + 10, y + 23, 19, w - 20, fonts.SANS_HEAVY, place)
        ring = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        room = (x + 6, y + NAME, w - 12, h - NAME - 6)
        self.shapes[id] = SpaceShape(id, (ring,), (x + w / 2, y + h / 2), tuple(self._spots(room)))

    def _spots(self, room: Rect) -> Iterator[XY]:
        """Places for stacks in rows; at least one."""
        x, y, w, h = room
        step = self.counter + 12
        across, down = max(1, int(w // step)), max(1, int(h // step))
        for k in range(across * down):
            yield x + w * (k % across + 0.5) / across, y + h * (k // across + 0.5) / down

    def _circle(self, rings: Sequence[object], at: Rect, place: Place) -> None:
        """Rings of sectors, the innermost first; each list begins at the top and goes clockwise."""
        x, y, w, h = at
        middle, out = (x + w / 2, y + h / 2), min(w, h) / 2
        core = out / (2 * len(rings) + 1)
        width = (out - core) / len(rings)
        for n, ring in enumerate(rings):
            if not isinstance(ring, list) or not ring or not all(isinstance(id, str) for id in ring):
                self.findings.append(error("D010", "a ring of a circle is a list of spaces", place / n))
                continue
            for k, id in enumerate(ring):
                if self._space(id, place / n / k):
                    turn = (k / len(ring), (k + 1) / len(ring))
                    self._sector(id, middle, (core + n * width, core + (n + 1) * width), turn, place / n / k)

    def _sector(
        self, id: str, middle: XY, reach: tuple[float, float], turn: tuple[float, float], place: Place
    ) -> None:
        ring = _sector_ring(middle, reach, turn)
        self.items.append(Path(polygon([ring]), fill=self._tint(id), stroke=self.style["frame"], width=2))
        half, depth = (turn[0] + turn[1]) / 2, reach[1] - reach[0]
        x, y = _on_circle(middle, reach[0] + depth * 0.5, half)
        wide = min(2 * math.pi * (turn[1] - turn[0]) * (reach[0] + depth * 0.5), 2 * depth) - 16
        words = self._fitted(self._label(id), x, y - depth * 0.22, 17, wide, fonts.SANS_HEAVY, place)
        self.items.append(words)
        spots = ((x, y + min(depth * 0.18, self.counter / 2)),)
        self.shapes[id] = SpaceShape(id, (ring,), (x, y), spots)

    def _squares(self, given: object, at: Rect, place: Place) -> None:
        """The squares of the number track, in as many rows as keep them square."""
        if (
            not isinstance(given, list)
            or len(given) != 2
            or any(type(n) is not int for n in given)
            or not 0 <= given[1] - given[0] <= 1000
            or self.squares
        ):
            what = "'squares' is the first and the last number of the map's only track"
            self.findings.append(error("D010", what, place))
            return
        x, y, w, h = at
        count = given[1] - given[0] + 1
        rows = max(1, round(math.sqrt(count * h / w)))
        across = math.ceil(count / rows)
        side = min(w / across, h / rows)
        for k in range(count):
            left, top = x + k % across * side, y + k // across * side
            self.items.append(
                Path(rect(left, top, side, side), fill=self.style["panel"], stroke=self.style["frame"], width=1.6)
            )  # fmt: skip
            self._write(str(given[0] + k), left + 5, top + 19, 17, side - 8, fonts.SANS_HEAVY, place)
            self.squares[given[0] + k] = (left + side / 2, top + side / 2)

    def _title(self, words: object, at: Rect, place: Place) -> Rect:
        x, y, w, h = at
        said = words.get(self.language) if isinstance(words, dict) else None
        if not isinstance(said, str) or not said:
            what = f"the title has no words in '{self.language}'"
            self.findings.append(
                error("D010", what, place, help='"title": {"en": "Pools", "fr": "Réserves"}')
            )
        else:
            self._write(said, x, y + 22, 22, w, fonts.SERIF_BOLD, place)
        return x, y + TITLE, w, h - TITLE

    def _write(
        self, text: str, x: float, y: float, size: float, room: float, font: fonts.Font, place: Place
    ) -> None:
        self.items.append(self._fitted(text, x, y, size, room, font, place, "start"))

    def _fitted(
        self, text: str, x: float, y: float, size: float, room: float, font: fonts.Font, place: Place, anchor: str = "middle"
    ) -> Words:  # fmt: skip
        """A line of text, smaller where it would be too wide."""
        if missing := fonts.lacks(font, text):
            what = f"the font has no '{missing[0]}', which stands in \"{text}\""
            self.findings.append(error("D005", what, place))
        wide = fonts.width(font, text, size)
        scale = min(1.0, max(room, 1.0) / wide) if wide else 1.0
        return Words(text, x, y, font, size * scale, str(self.style["ink"]), anchor)


def _shared(cells: Sequence[object], at: Rect, *, across: bool) -> Iterator[Rect]:
    """The room of each cell beside the others, by their shares."""
    x, y, w, h = at
    shares = [_share(cell) for cell in cells]
    room = (w if across else h) - GAP * (len(cells) - 1)
    start = 0.0
    for share in shares:
        part = room * share / sum(shares)
        yield (x + start, y, part, h) if across else (x, y + start, w, part)
        start += part + GAP


def _share(cell: object) -> float:
    given = cell.get("share", 1) if isinstance(cell, dict) else 1
    return float(given) if type(given) in (int, float) and 0 < given <= 1000 else 1.0


def _on_circle(middle: XY, reach: float, turn: float) -> XY:
    angle = 2 * math.pi * turn - math.pi / 2
    return middle[0] + reach * math.cos(angle), middle[1] + reach * math.sin(angle)


def _sector_ring(middle: XY, reach: tuple[float, float], turn: tuple[float, float]) -> tuple[XY, ...]:
    steps = max(2, math.ceil((turn[1] - turn[0]) * 72))
    turns = [turn[0] + (turn[1] - turn[0]) * n / steps for n in range(steps + 1)]
    outside = [_on_circle(middle, reach[1], one) for one in turns]
    inside = [_on_circle(middle, reach[0], one) for one in reversed(turns)]
    return (*outside, *inside)
