"""Reading paths on a map: hexes one after the other, hexsides one after the other, and straight runs of hexes.

A hex path:     `19A:1218 SE NE*3 19A:1619`   an id, then directions or ids; an id may repeat where the path is, to check
A hexside path: `19A:3219/SE S 19A:3320/NE`   id/direction or id/id, then further directions of the same hex
A run:          `19A:2401..19A:2435`          along a printed column or row, or along any straight line of hexes

Directions are those printed on the sheet of the id last written, so that a turned sheet is described as it lies before
its author.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from compiler.findings import Place
from compiler.grid.hexes import COMPASS, direction, line
from compiler.grid.hexmap import NONE, HexMap, Sheet
from compiler.grid.setup import Source, unknown_id
from compiler.grid.words import Word, words

_STEP = re.compile(r"([A-Z]{1,2})(?:\*([0-9]{1,4}))?")


@dataclass(frozen=True, slots=True)
class HexStep:
    """One step of a path, and the word that made it."""

    a: int
    b: int
    place: Place


@dataclass(frozen=True, slots=True)
class SideStep:
    key: int
    place: Place


@dataclass(slots=True)
class Walker:
    """Reads the paths of one map. `joined` holds pairs that are no neighbours but linked by hand."""

    source: Source
    map: HexMap
    joined: set[tuple[int, int]]

    # Hexes.

    def find(self, word: Word, start: int = 0, end: int | None = None) -> int | None:
        """The number of the hex or box that part of a word names; if there is none, that is reported."""
        id = word.text[start:end]
        number = self.map.index.get(id)
        if number is None:
            unknown_id(self.source, id, word.part(start, end), self.map.index)
        return number

    def find_hex(self, word: Word, start: int = 0, end: int | None = None) -> int | None:
        number = self.find(word, start, end)
        if number is not None and number >= len(self.map):
            message = f"'{word.text[start:end]}' is a box, and boxes have no hexsides"
            self.source.error("H301", message, word.part(start, end), "name a hex")
            return None
        return number

    def hex_path(self, value: object, place: Place, what: str) -> Iterator[HexStep]:
        """The steps of a path. Where it jumps or leaves the map, that is reported and it goes on from the next id."""
        here: int | None = None
        sheet: Sheet | None = None
        lost = False
        for word in words(value, place):
            step = None if word.text in self.map.index else _STEP.fullmatch(word.text)
            if step is not None:
                if here is None or sheet is None:
                    if not lost:
                        message = f"a {what} cannot begin with a direction"
                        self.source.error("H404", message, word.at, "name the first hex")
                    lost = True
                    continue
                made = list(self._steps(here, sheet, word, step, what))
                yield from made
                lost = len(made) < int(step[2] or 1)
                here = None if lost else made[-1].b if made else here
                continue
            number = self.find(word)
            if (
                number is not None
                and here is not None
                and number != here
                and self._may_step(here, number, word, what)
            ):
                yield HexStep(here, number, word.at)
            lost = number is None
            here = number
            sheet = self._sheet(word.text) if number is not None else None

    def _sheet(self, id: str) -> Sheet | None:
        number = self.map.sheet_of.get(id)
        return None if number is None else self.map.sheets[number]

    def _steps(
        self, here: int, sheet: Sheet, word: Word, step: re.Match[str], what: str
    ) -> Iterator[HexStep]:
        heading = self._direction(sheet, step[1], word, 0, len(step[1]))
        if heading is None:
            return
        for _ in range(int(step[2] or 1)):
            there = self.map.neighbours[6 * here + heading]
            if there == NONE:
                message = f"the {what} leaves the map: there is no hex {step[1]} of '{self.map.ids[here]}'"
                self.source.error("H402", message, word.at, "check the directions since the last id")
                return
            yield HexStep(here, there, word.at)
            here = there

    def _direction(self, sheet: Sheet, name: str, word: Word, start: int, end: int) -> int | None:
        found = sheet.direction(name)
        if found is None:
            names = ", ".join(COMPASS[self.map.shape])
            message = f"'{name}' is no direction of {self.map.shape} hexes"
            self.source.error("H403", message, word.part(start, end), f"one of: {names}")
        return found

    def _may_step(self, a: int, b: int, word: Word, what: str) -> bool:
        if (a, b) in self.joined or (a < len(self.map) and b in self.map.around(a)):
            return True
        apart = self._apart(a, b)
        message = f"the {what} jumps from '{self.map.name(a)}' to '{self.map.name(b)}'{apart}"
        self.source.error("H401", message, word.at, self._between(a, b))
        return False

    def _apart(self, a: int, b: int) -> str:
        if max(a, b) >= len(self.map):
            return ": no link joins them"
        steps = self.map.distance(a, b)
        return f": they are {steps} hexes apart" if steps else ": they lie on sheets that are not joined"

    def _between(self, a: int, b: int) -> str:
        """What an author would have to write to close a short gap."""
        if max(a, b) < len(self.map) and (self.map.distance(a, b) or 99) <= 4:
            part = self.map.parts[a]
            way = line(self.map.hexes[a], self.map.hexes[b])[1:-1]
            missing = [self.map.where.get((part, q, r)) for q, r in way]
            if all(n is not None for n in missing):
                return f"straight ahead lie: {' '.join(self.map.ids[n] for n in missing if n is not None)}"
        return "name the hexes between, or begin another path"

    # Hexsides.

    def side_path(self, value: object, place: Place) -> Iterator[SideStep]:
        """The hexsides in written order, without a look at whether they meet."""
        here: int | None = None
        sheet: Sheet | None = None
        lost = False  # an id that nobody knows was reported: the directions after it are no second mistake
        for word in words(value, place):
            head, slash, tail = word.text.partition("/")
            if slash:
                here = self.find_hex(word, 0, len(head))
                sheet = self._sheet(head) if here is not None else None
                lost = here is None
            if here is not None and sheet is not None:
                start = len(head) + 1 if slash else 0
                key = self._side(here, sheet, word, start, tail if slash else head)
                if key is not None:
                    yield SideStep(key, word.at)
            elif not lost:
                help = "write the hex and the side, as in '0101/NE', or the two hexes, as in '0101/0102'"
                self.source.error("H501", f"'{word.text}' is no hexside", word.at, help)

    def _side(self, here: int, sheet: Sheet, word: Word, start: int, tail: str) -> int | None:
        if tail not in self.map.index and _STEP.fullmatch(tail):
            heading = self._direction(sheet, tail, word, start, start + len(tail))
            return None if heading is None else self.map.side(here, heading)
        other = self.find_hex(word, start)
        if other is None:
            return None
        a, b = self.map.hexes[here], self.map.hexes[other]
        heading = direction(a, b) if self.map.parts[here] == self.map.parts[other] else None
        if heading is None:
            message = f"'{self.map.ids[here]}' and '{self.map.ids[other]}' have no hexside in common"
            self.source.error("H501", message, word.at, "name two hexes that touch")
            return None
        return self.map.side(here, heading)

    # Runs.

    def members(self, value: object, place: Place) -> Iterator[tuple[int, Place]]:
        """The hexes and boxes of a list of ids and runs."""
        for word in words(value, place):
            head, dots, tail = word.text.partition("..")
            if word.text in self.map.index or not dots:
                number = self.find(word)
                if number is not None:
                    yield number, word.at
                continue
            first, last = self.find_hex(word, 0, len(head)), self.find_hex(word, len(head) + 2)
            if first is not None and last is not None:
                yield from ((n, word.at) for n in self._run(first, last, word, head, tail))

    def _run(self, first: int, last: int, word: Word, head: str, tail: str) -> list[int]:
        sheet = self._sheet(head)
        if sheet is not None and sheet is self._sheet(tail):
            (c1, r1), (c2, r2) = (sheet.numbers_of(self.map.hexes[n]) for n in (first, last))
            if c1 == c2 or r1 == r2:
                return self._numbers(sheet, (c1, r1), (c2, r2))
        part = self.map.parts[first]
        (q1, r1), (q2, r2) = self.map.hexes[first], self.map.hexes[last]
        if part == self.map.parts[last] and (q1 == q2 or r1 == r2 or q1 + r1 == q2 + r2):
            found = (self.map.where.get((part, q, r)) for q, r in line((q1, r1), (q2, r2)))
            return [n for n in found if n is not None]
        message = f"no straight line of hexes leads from '{head}' to '{tail}'"
        self.source.error("H701", message, word.at, "a run goes along a column, a row, or one direction")
        return []

    def _numbers(self, sheet: Sheet, a: tuple[int, int], b: tuple[int, int]) -> list[int]:
        columns = _span(a[0], b[0])
        rows = _span(a[1], b[1])
        spots = (sheet.hex_of(column, row) for column in columns for row in rows)
        found = (self.map.where.get((sheet.part, q, r)) for q, r in spots)
        return [n for n in found if n is not None]


def _span(a: int, b: int) -> range:
    return range(a, b + 1) if a <= b else range(a, b - 1, -1)
