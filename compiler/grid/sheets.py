"""Sheets → one map: where each sheet lies, and which of its hexes are hexes of another sheet as well.

In come sheets with their numberings and the groups of ids that the author says are one hex. Out go sheets with a place
on a common lattice. Groups that cannot all be true are reported, and the first of them counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from compiler.findings import Finding, Place, Related, error
from compiler.grid.hexes import Hex, touched, turned
from compiler.grid.hexmap import Sheet
from compiler.grid.words import Word

Report = Callable[[Finding], None]


@dataclass(frozen=True, slots=True)
class Spot:
    """One id of a group: the sheet, and the hex on that sheet's own lattice."""

    sheet: int
    own: Hex
    word: Word


@dataclass(frozen=True, slots=True)
class Same:
    """Ids that are one hex."""

    spots: tuple[Spot, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Joined:
    """The sheets in their places, and the hexes that two sheets were declared to share."""

    sheets: tuple[Sheet, ...]
    declared: dict[tuple[int, int], set[Hex]]  # sheets, lower number first


def find_spot(sheets: Iterable[Sheet], word: Word) -> Spot | None:
    """The sheet and hex that an id names; the hex need not be printed, but its number lies on the sheet."""
    for n, sheet in enumerate(sheets):
        numbers = sheet.numbering.read(word.text)
        if numbers is not None:
            return Spot(n, sheet.numbering.frame.to_hex(*numbers), word)
    return None


def join(sheets: list[Sheet], groups: list[Same], report: Report) -> Joined:
    """Give every sheet its part and shift. A sheet that nothing joins to an earlier one begins a part of its own."""
    placed = _Placed(sheets)
    neighbours = _links(groups)
    for first in range(len(sheets)):
        if first in placed.done:
            continue
        placed.begin(first)
        waiting = [first]
        while waiting:
            at = waiting.pop(0)
            for here, there, group in neighbours[at]:
                if there.sheet not in placed.done:
                    placed.put(here, there, group)
                    waiting.append(there.sheet)
    for group in groups:
        for here, there in _pairs(group):
            placed.check(here, there, group, report)
    return Joined(tuple(placed.sheets), _declared(placed.sheets, groups))


def _pairs(group: Same) -> Iterator[tuple[Spot, Spot]]:
    for there in group.spots[1:]:
        yield group.spots[0], there


def _links(groups: list[Same]) -> dict[int, list[tuple[Spot, Spot, Same]]]:
    found: dict[int, list[tuple[Spot, Spot, Same]]] = defaultdict(list)
    for group in groups:
        for here, there in _pairs(group):
            found[here.sheet].append((here, there, group))
            found[there.sheet].append((there, here, group))
    return found


class _Placed:
    def __init__(self, sheets: list[Sheet]) -> None:
        self.sheets = list(sheets)
        self.done: dict[int, Same | None] = {}
        self.parts = 0

    def begin(self, number: int) -> None:
        self.sheets[number] = replace(self.sheets[number], part=self.parts)
        self.parts += 1
        self.done[number] = None

    def put(self, here: Spot, there: Spot, group: Same) -> None:
        base, sheet = self.sheets[here.sheet], self.sheets[there.sheet]
        at, own = base.to_map(here.own), turned(there.own, sheet.turn)
        self.sheets[there.sheet] = replace(sheet, part=base.part, shift=(at[0] - own[0], at[1] - own[1]))
        self.done[there.sheet] = group

    def check(self, here: Spot, there: Spot, group: Same, report: Report) -> None:
        one, two = self.sheets[here.sheet], self.sheets[there.sheet]
        at, other = one.to_map(here.own), two.to_map(there.own)
        if at == other:
            return
        fits, back = two.numbering.write(*two.numbers_of(at)), one.numbering.write(*one.numbers_of(other))
        reason = self.done[there.sheet] or self.done[here.sheet]
        message = f"'{here.word.text}' and '{there.word.text}' cannot be one hex"
        if here.sheet == there.sheet:
            report(error("H302", message, there.word.at, help="both are on one sheet; take one out"))
            return
        related = (Related(reason.place, "the sheet already lies as said here"),) if reason else ()
        one_way, other_way = f"'{here.word.text}' is '{fits}'", f"'{there.word.text}' is '{back}'"
        help = f"as the sheets lie, {one_way} and {other_way}; or check 'turn'"
        report(error("H302", message, there.word.at, help=help, related=related))


def _declared(sheets: list[Sheet], groups: list[Same]) -> dict[tuple[int, int], set[Hex]]:
    """Between two given pairs of two sheets the straight line is shared too, zigzags included."""
    found: dict[tuple[int, int], list[Hex]] = defaultdict(list)
    for group in groups:
        for i, one in enumerate(group.spots):
            for two in group.spots[i + 1 :]:
                at = sheets[one.sheet].to_map(one.own)
                if one.sheet != two.sheet and at == sheets[two.sheet].to_map(two.own):
                    found[min(one.sheet, two.sheet), max(one.sheet, two.sheet)].append(at)
    return {pair: _along(hexes) for pair, hexes in found.items()}


def _along(hexes: list[Hex]) -> set[Hex]:
    shared = set(hexes)
    for a, b in pairwise(hexes):
        shared |= touched(a, b)
    return shared
