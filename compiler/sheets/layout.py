"""Which counter is printed where: pure geometry, in mm from the top left corner of the paper.

Counters go in the order of the powers, then of their types; each size has sheets of its own, and so have the labels of
blocks. A back stands where the paper, turned over, brings it behind its front.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil

from compiler.draw.counters import Side, counter_sides
from compiler.model.types import Module
from compiler.sheets.settings import Settings

MARGIN = 10.0  # for marks and for printers that cannot print to the paper's edge
HEADING = 6.0  # room for the sheet's name
STICKER_GUTTER = 3.0
DRAWN_AT = 600.0  # pixels of a plain counter while it is laid out: fine enough for print


@dataclass(frozen=True, slots=True)
class Box:
    x: float
    y: float
    width: float
    height: float

    def grown(self, by: float) -> Box:
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of cardboard: the counter and its two sides; `back` None: nothing is printed there but its colour."""

    counter: str
    front: Side
    back: Side | None


@dataclass(frozen=True, slots=True)
class Slot:
    box: Box
    piece: Piece
    turn: int = 0  # degrees: backs that are turned over the short edge stand on their head


@dataclass(frozen=True, slots=True)
class Sheet:
    number: int
    paper: tuple[float, float]
    trim: Box  # around all counters: where the outer cuts are
    slots: tuple[Slot, ...]
    stickers: bool
    columns: int
    rows: int
    gutter: float


def printed(module: Module) -> dict[str, int]:
    """How many of each counter are printed: as the counter says, else as many as the scenario that uses most, or one."""
    need: Tally[str] = Tally()
    for scenario in module.scenarios.values():
        here = Tally([p.counter for p in scenario.pieces])
        here.update(a.counter for a in scenario.arrivals)
        need |= here
    return {
        counter.id: counter.printed if counter.printed is not None else max(1, need[counter.id])
        for counter in module.counters.values()
    }


def pieces(module: Module, language: str) -> list[Piece]:
    """Every kind of cardboard piece once, in order. More than two faces make several pieces of one counter."""
    powers = {power: n for n, power in enumerate(module.powers)}
    types = {type: n for n, type in enumerate(module.types)}
    order = sorted(
        module.counters.values(), key=lambda c: (powers.get(c.power or "", len(powers)), types[c.type], c.id)
    )
    return [
        piece
        for counter in order
        for piece in _pairs(counter.id, counter_sides(module, counter.id, language, DRAWN_AT, in_print=True))
    ]


def _pairs(counter: str, sides: list[Side]) -> Iterator[Piece]:
    step = 1 if sides[0].block else 2
    for n in range(0, len(sides), step):
        back = sides[n + 1] if step == 2 and n + 1 < len(sides) else None
        yield Piece(counter, sides[n], back)


def sheets(kinds: list[Piece], counts: Mapping[str, int], settings: Settings) -> list[Sheet]:
    """All sheets, counters first, then stickers; numbered through."""
    groups: dict[tuple[bool, tuple[float, float]], list[Piece]] = defaultdict(list)
    for piece in kinds:
        groups[piece.front.block, piece.front.mm] += [piece] * counts[piece.counter]
    out: list[Sheet] = []
    for (stickers, mm), members in sorted(groups.items(), key=lambda group: group[0][0]):
        if members:
            out += _fill(members, mm, stickers, settings, len(out) + 1)
    return out


def room(mm: tuple[float, float], gutter: float, settings: Settings) -> tuple[int, int]:
    """How many columns and rows of counters the paper holds."""
    width, height = settings.size
    free = width - 2 * MARGIN, height - 2 * MARGIN - HEADING
    columns, rows = (
        int((have + gutter + 1e-6) // (one + gutter)) for have, one in zip(free, mm, strict=True)
    )
    return columns, rows


def grid(mm: tuple[float, float], gutter: float, settings: Settings) -> tuple[int, int]:
    """Columns and rows of a full sheet: as asked for, as far as the paper holds them."""
    columns, rows = room(mm, gutter, settings)
    plain = mm == (settings.counter, settings.counter)
    asked = (settings.columns, settings.rows) if plain else (None, None)
    return max(1, min(columns, asked[0] or columns)), max(1, min(rows, asked[1] or rows))


def _fill(
    members: list[Piece], mm: tuple[float, float], stickers: bool, settings: Settings, first: int
) -> Iterator[Sheet]:
    gutter = max(settings.gutter, STICKER_GUTTER) if stickers else settings.gutter
    columns, rows = grid(mm, gutter, settings)
    # A printer's die is always whole; on plain paper the block ends with its last row.
    die = settings.rows is not None and not stickers and mm == (settings.counter, settings.counter)
    for n in range(0, len(members), columns * rows):
        some = members[n : n + columns * rows]
        used = rows if die else ceil(len(some) / columns)
        wide = columns * (mm[0] + gutter) - gutter
        high = used * (mm[1] + gutter) - gutter
        paper = settings.size
        left = (paper[0] - wide) / 2
        top = max(MARGIN + HEADING, (paper[1] - high) / 2) if die else MARGIN + HEADING
        slots = tuple(
            Slot(
                Box(left + i % columns * (mm[0] + gutter), top + i // columns * (mm[1] + gutter), *mm), piece
            )
            for i, piece in enumerate(some)
        )
        number = first + n // (columns * rows)
        yield Sheet(number, paper, Box(left, top, wide, high), slots, stickers, columns, used, gutter)


def turned(sheet: Sheet, flip: str) -> Sheet:
    """The sheet's other side: each slot where it comes to lie behind its front."""
    return replace(
        sheet,
        trim=_behind(sheet.trim, sheet.paper, flip),
        slots=tuple(
            replace(slot, box=_behind(slot.box, sheet.paper, flip), turn=180 if flip == "short" else 0)
            for slot in sheet.slots
        ),
    )


def _behind(box: Box, paper: tuple[float, float], flip: str) -> Box:
    if flip == "long":
        return replace(box, x=paper[0] - box.x - box.width)
    return replace(box, y=paper[1] - box.y - box.height)
