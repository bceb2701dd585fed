"""Rows of letters → hexes. Every hex of every sheet, with one canonical id and its aliases.

A letter that cannot be read still leaves a hex behind, so that one slip in a row is one finding and not hundreds.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from compiler.findings import Place, Related
from compiler.grid.hexes import VECTORS, Hex
from compiler.grid.hexmap import NONE, UNKNOWN, HexMap, Letter, Sheet
from compiler.grid.setup import (
    NO_HEX,
    OTHER_SHEET,
    Row,
    Source,
    listed,
    obj,
    read_legend,
    read_row,
    read_same,
    read_sheets,
    read_side_kinds,
    shape_of,
    text,
    unknown_id,
)
from compiler.grid.sheets import Joined, join
from compiler.suggest import suggest

SHOWN = 5  # findings for one wrong letter on one sheet; the last says how many more there are

Cell = tuple[int, int, str]  # line, character, letter


def fill(source: Source) -> HexMap:
    """The map with its hexes, boxes and aliases, but no features yet."""
    legend = read_legend(source)
    sheets = read_sheets(source)
    joined = join(sheets, read_same(source, sheets), source.report)
    filling = _Filling(source, joined, legend)
    for number in range(len(joined.sheets)):
        filling.sheet(number)
    filling.finish()
    return filling.result()


@dataclass(slots=True)
class _Overlap:
    """Hexes of two sheets that lie on each other without having been declared."""

    count: int
    first: tuple[str, str]
    place: Place


@dataclass(slots=True)
class _Filling:
    source: Source
    joined: Joined
    legend: dict[str, Letter]
    ids: list[str] = field(default_factory=list)
    index: dict[str, int] = field(default_factory=dict)
    sheet_of: dict[str, int] = field(default_factory=dict)
    where: dict[tuple[int, int, int], int] = field(default_factory=dict)
    hexes: list[Hex] = field(default_factory=list)
    parts: array[int] = field(default_factory=lambda: array("i"))
    owner: array[int] = field(default_factory=lambda: array("i"))
    letters: list[str] = field(default_factory=list)
    cells: list[tuple[int, int, int]] = field(default_factory=list)
    aliases: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    alias_sheets: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    overlaps: dict[tuple[int, int], _Overlap] = field(default_factory=dict)
    clashes: dict[tuple[int, int], _Overlap] = field(default_factory=dict)

    def sheet(self, number: int) -> None:
        sheet = self.joined.sheets[number]
        frame = sheet.numbering.frame
        wrong: dict[str, list[Place]] = defaultdict(list)
        lines = read_lines(
            self.source, sheet, "terrain", sheet.place / "terrain", listed(sheet.raw.get("terrain"))
        )
        for row, line, cells in lines:
            for column, (at, letter) in zip(frame.column_numbers(), cells, strict=False):
                if letter == NO_HEX:
                    continue
                if letter not in self.legend and letter not in (OTHER_SHEET, UNKNOWN):
                    wrong[letter].append((sheet.place / "terrain" / line).chars(at, at + 1))
                    letter = UNKNOWN
                self._cell(number, sheet, column, row, (line, at, letter))
        report_letters(self.source, wrong, set(self.legend))

    def _cell(self, number: int, sheet: Sheet, column: int, row: int, cell: Cell) -> None:
        id = sheet.numbering.write(column, row)
        q, r = sheet.hex_of(column, row)
        there = self.where.get((sheet.part, q, r))
        if id in self.index:
            self._note(self.clashes, self.sheet_of[id], number, (id, id), cell)
        elif there is None:
            self._new(number, sheet, (q, r), id, cell)
        else:
            self._shared(number, there, id, cell)

    def _new(self, number: int, sheet: Sheet, at: Hex, id: str, cell: Cell) -> None:
        new = len(self.ids)
        self.where[sheet.part, at[0], at[1]] = new
        self.index[id] = new
        self.sheet_of[id] = number
        self.ids.append(id)
        self.hexes.append(at)
        self.parts.append(sheet.part)
        self.owner.append(number)
        self.letters.append(cell[2])
        self.cells.append((number, cell[0], cell[1]))

    def _shared(self, number: int, there: int, id: str, cell: Cell) -> None:
        owner = self.owner[there]
        sheet = self.joined.sheets[number]
        others = (owner, *self.alias_sheets.get(there, ()))
        if sheet.raw.get("overlap") is not True and not any(
            self._is_declared(there, n, number) for n in others
        ):
            self._note(self.overlaps, owner, number, (self.ids[there], id), cell)
        self.index[id] = there
        self.sheet_of[id] = number
        self.aliases[there].append(id)
        self.alias_sheets[there].append(number)
        self._agree(there, id, number, cell)

    def _is_declared(self, there: int, one: int, two: int) -> bool:
        return self.hexes[there] in self.joined.declared.get((min(one, two), max(one, two)), ())

    def _agree(self, there: int, id: str, number: int, cell: Cell) -> None:
        first, letter = self.letters[there], cell[2]
        if first in (OTHER_SHEET, UNKNOWN):
            # A letter that could not be read was reported: the '=' of another sheet is no second mistake.
            self.letters[there] = first if letter == OTHER_SHEET else letter
        elif letter not in (OTHER_SHEET, UNKNOWN, first):
            message = f"'{id}' is '{letter}' here, but '{self.ids[there]}', the same hex, is '{first}'"
            related = Related(self._place(self.cells[there]), "the other sheet says so here")
            place = self._place((number, cell[0], cell[1]))
            self.source.error(
                "H304", message, place, "write the same letter, or '=' on one of the two", related
            )

    def _note(
        self, table: dict[tuple[int, int], _Overlap], one: int, two: int, ids: tuple[str, str], cell: Cell
    ) -> None:
        found = table.get((one, two))
        if found is None:
            table[one, two] = _Overlap(1, ids, self._place((two, cell[0], cell[1])))
        else:
            found.count += 1

    def _place(self, cell: tuple[int, int, int]) -> Place:
        sheet, line, at = cell
        return (self.joined.sheets[sheet].place / "terrain" / line).chars(at, at + 1)

    def finish(self) -> None:
        """Report what can be known only when all sheets are there."""
        for (one, _), found in self.overlaps.items():
            a, b = found.first
            more = f", and so do {found.count - 1} more" if found.count > 1 else ""
            message = f"'{b}' lies on '{a}'{more}, but nobody says that they are one hex"
            help = "name the pairs at both ends under 'same', or write '.' where this sheet has no hex"
            related = Related(self.joined.sheets[one].place, f"the sheet '{self.joined.sheets[one].id}'")
            self.source.error("H303", message, found.place, help, related)
        for (one, _), found in self.clashes.items():
            more = f" ({found.count} such ids)" if found.count > 1 else ""
            message = f"'{found.first[0]}' is already the id of another hex{more}"
            help = "put {sheet} into the ids, or give this sheet other numbers"
            related = Related(self.joined.sheets[one].place, "of this sheet")
            self.source.error("H305", message, found.place, help, related)
        for n, letter in enumerate(self.letters):
            if letter == OTHER_SHEET:
                message = f"'=' says that another sheet has the hex '{self.ids[n]}', but none has"
                place = self._place(self.cells[n])
                self.source.error(
                    "H205", message, place, "write its own letter, or join the sheets by 'same'"
                )
                self.letters[n] = UNKNOWN

    def result(self) -> HexMap:
        boxes = self._boxes()
        self._aliases()
        return HexMap(
            shape=shape_of(obj(self.source.top.get("hexes"))),
            sheets=self.joined.sheets,
            ids=tuple(self.ids),
            index=self.index,
            sheet_of=self.sheet_of,
            parts=self.parts,
            hexes=tuple(self.hexes),
            where=self.where,
            neighbours=self._neighbours(),
            owner=self.owner,
            letters=self.letters,
            legend=self.legend,
            cells=self.cells,
            aliases={n: tuple(ids) for n, ids in self.aliases.items()},
            halves=dict(self._halves()),
            boxes=boxes,
            entries={},
            side_kinds=read_side_kinds(self.source),
            side_lines=(),
            sides={},
            lines=(),
            regions=(),
            common=obj(obj(self.source.top.get("hexes")).get("values")),
            place=self.source.place,
        )

    def _neighbours(self) -> array[int]:
        found = array("i")
        where = self.where
        for part, (q, r) in zip(self.parts, self.hexes, strict=True):
            found.extend(where.get((part, q + dq, r + dr), NONE) for dq, dr in VECTORS)
        return found

    def _boxes(self) -> tuple[str, ...]:
        """Boxes beside the map are numbered after the hexes. The model reports ids that are given twice."""
        boxes: list[str] = []
        for entry, place in self.source.entries("boxes"):
            id = text(entry.get("id"))
            if id is None:
                continue
            if self.index.get(id, len(self.ids)) < len(self.ids):
                message = f"'{id}' is the id of a hex"
                self.source.error("H305", message, place / "id", "give the box another id")
            elif id not in self.index:
                self.index[id] = len(self.ids) + len(boxes)
                boxes.append(id)
        return tuple(boxes)

    def _aliases(self) -> None:
        for alias, target, place in self.source.table("aliases"):
            if not isinstance(target, str):
                continue
            number = self.index.get(target)
            if number is None:
                unknown_id(self.source, target, place, self.index)
            elif self.index.get(alias, number) != number:
                other = self.index[alias]
                name = self.ids[other] if other < len(self.ids) else alias
                message = f"'{alias}' cannot stand for '{target}': it is already '{name}'"
                self.source.error("H305", message, place.key(), "take another alias")
            elif alias not in self.index:
                self.index[alias] = number
                if target in self.sheet_of:
                    self.sheet_of[alias] = self.sheet_of[target]
                    self.aliases[number].append(alias)

    def _halves(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Hexes that the edge of their sheet cuts in two, unless another sheet has the rest."""
        for number, sheet in enumerate(self.joined.sheets):
            if not sheet.cut:
                continue
            ends = _outermost(sheet, (self.hexes[n] for n, owner in enumerate(self.owner) if owner == number))
            for n, owner in enumerate(self.owner):
                if owner == number and n not in self.alias_sheets:
                    x, y = _own_plane(sheet, self.hexes[n])
                    by = tuple(
                        edge
                        for edge in sheet.cut
                        if edge in ends and ends[edge] == (x if edge in _ACROSS else y)
                    )
                    if by:
                        yield n, by


_ACROSS = ("left", "right")


def _own_plane(sheet: Sheet, at: Hex) -> tuple[int, int]:
    """A hex's centre on its own printed sheet, in whole half steps."""
    q, r = sheet.to_own(at)
    return (q, q + 2 * r) if sheet.numbering.frame.shape == "flat" else (2 * q + r, r)


def _outermost(sheet: Sheet, hexes: Iterator[Hex]) -> dict[str, int]:
    points = [_own_plane(sheet, at) for at in hexes]
    if not points:
        return {}
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return {"left": min(xs), "right": max(xs), "top": min(ys), "bottom": max(ys)}


def read_lines(
    source: Source, sheet: Sheet, what: str, place: Place, given: list[object]
) -> Iterator[tuple[int, int, tuple[tuple[int, str], ...]]]:
    """The rows of letters of a sheet: the row's number, its line in the list, and one cell a column.

    A row that is too short is filled up with letters that are unknown already, so that nothing else is reported of it.
    """
    frame = sheet.numbering.frame
    numbers, width = frame.row_numbers(), len(frame.column_numbers())
    if len(given) != len(numbers):
        want = f"{len(numbers)} rows ({numbers[0]} to {numbers[-1]})"
        at = place / len(numbers) if len(given) > len(numbers) else place
        source.error(
            "H203",
            f"{len(given)} rows of {what}, but the sheet has {want}",
            at,
            "add or take out rows, or change 'rows'",
        )
    for line, (row, value) in enumerate(zip(numbers, given, strict=False)):
        if not isinstance(value, str):
            continue
        read = read_row(value)
        at = place / line
        _check_label(source, sheet, row, read, at)
        _check_length(source, read, width, row, at)
        missing = tuple((read.length, UNKNOWN) for _ in range(width - len(read.cells)))
        yield row, line, read.cells + missing


def _check_label(source: Source, sheet: Sheet, row: int, read: Row, place: Place) -> None:
    field = sheet.numbering.pattern.field("r")
    if read.label is not None and read.label not in (field.write(row), str(row)):
        message = f"this is row {field.write(row)}, but it is numbered '{read.label}'"
        source.error(
            "H204",
            message,
            place.chars(0, read.cells[0][0] if read.cells else read.length),
            "a row is missing, doubled or in the wrong place",
        )


def _check_length(source: Source, read: Row, width: int, row: int, place: Place) -> None:
    if len(read.cells) == width:
        return
    start = read.cells[width][0] if len(read.cells) > width else max(read.length - 1, 0)
    message = f"row {row} has {len(read.cells)} letters, but the sheet has {width} columns"
    off = len(read.cells) - width
    help = f"take out {off}" if off > 0 else f"{-off} missing; '.' is no hex"
    source.error("H201", message, place.chars(start, read.length), help)


def report_letters(source: Source, wrong: dict[str, list[Place]], known: set[str]) -> None:
    for letter, places in wrong.items():
        near = suggest(letter, known) or next(
            (k for k in sorted(known) if k.casefold() == letter.casefold()), None
        )
        help = f"did you mean '{near}'?" if near else f"the legend has: {' '.join(sorted(known))}"
        for n, place in enumerate(places[:SHOWN], 1):
            more = f" (and {len(places) - SHOWN} more times)" if n == SHOWN < len(places) else ""
            source.error("H202", f"the legend has no letter '{letter}'{more}", place, help)
