"""A source line with carets under the span, fitted into the width of a terminal.

Tabs become four columns, wide characters count two and combining ones none; a long line is cut around the caret. The
promise: the carets stand exactly under the characters of the span, whatever the line holds.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from compiler.report.rows import Spot
from compiler.report.words import one_line

TAB = "    "
CUT = "..."


@dataclass(frozen=True, slots=True)
class Excerpt:
    line: str
    carets: str  # spaces up to the span, then one caret a column


@dataclass(frozen=True, slots=True)
class _Cell:
    """One character as printed: its words and how many columns they take."""

    words: str
    width: int


def excerpt(spot: Spot, width: int) -> Excerpt:
    """The spot's line and carets in at most `width` columns."""
    cells = [_cell(character) for character in spot.excerpt]
    first = max(0, min(spot.column - 1 - spot.skipped, len(cells)))
    last = _last(spot, len(cells))
    left, right = _window(cells, first, width - 2 * len(CUT))
    head = CUT if left > 0 or spot.skipped else ""
    tail = CUT if right < len(cells) or spot.cut else ""
    line = head + "".join(cell.words for cell in cells[left:right]) + tail
    before = len(head) + sum(cell.width for cell in cells[left:first])
    under = sum(cell.width for cell in cells[first : min(last, right)])
    return Excerpt(line.rstrip(), " " * before + "^" * max(1, under))


def _last(spot: Spot, length: int) -> int:
    """The index after the last character of the span on its first line."""
    if spot.end_line > spot.line:
        return length
    return max(0, min(spot.end_column - 1 - spot.skipped, length))


def _window(cells: list[_Cell], first: int, room: int) -> tuple[int, int]:
    """Which cells to print: those from the start of the span on, but a quarter of the room is for what stands before."""
    before = min(room // 4, sum(cell.width for cell in cells[:first]))
    right, spare = first, room - before
    while right < len(cells) and cells[right].width <= spare:
        spare -= cells[right].width
        right += 1
    left, spare = first, spare + before
    while left > 0 and cells[left - 1].width <= spare:
        spare -= cells[left - 1].width
        left -= 1
    return left, right


def _cell(character: str) -> _Cell:
    if character == "\t":
        return _Cell(TAB, len(TAB))
    words = one_line(character)
    if len(words) > 1 or character.isascii():
        return _Cell(words, len(words))
    return _Cell(words, _columns(character))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
