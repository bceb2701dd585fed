"""Hex numbers as data: what is printed in a hex, and back.

A *pattern* such as `19A:{cc}{rr}` says how a column and a row number are written; a *frame* says which numbers a sheet
has, in which direction they run, and which columns or rows lie half a hex further. Together they print the id of any
hex of a sheet and read it again: `read` is the exact inverse of `write` and accepts nothing that `write` never writes.

A pattern is plain text with two fields, one for the column and one for the row, in either order:

    {c} {r}        the number as it is                      7, 12, 104
    {cc} {rr}      at least two digits, more letters more   07, 12, 104
    {c:A}          letters: A … Z, AA, AB, … AZ, BA
    {c:AA}         letters: A … Z, AA, BB, … ZZ, AAA
    {c:a} {c:aa}   the same in small letters
    {sheet}        the id of the sheet

Numbers count from 1 = A. All of it works for {r…} as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from compiler.grid.hexes import Hex, Shape

Shifted = Literal["odd", "even", "each"]
Axis = Literal["c", "r"]
Style = Literal["digits", "letters", "doubled"]

_FIELD = re.compile(r"\{([^{}]*)\}")
_INSIDE = re.compile(r"(?P<axis>c+|r+)(?::(?P<letters>A|AA|a|aa))?")
_LITERAL = re.compile(r"[A-Za-z0-9_.:-]*")


class BadPattern(ValueError):
    """A pattern that says nothing: `start` and `end` are the characters at fault, `help` what to write instead."""

    def __init__(self, message: str, start: int, end: int, help: str) -> None:
        super().__init__(message)
        self.start, self.end, self.help = start, end, help


@dataclass(frozen=True, slots=True)
class Field:
    """One number of a pattern."""

    axis: Axis
    style: Style = "digits"
    width: int = 1
    small: bool = False

    def write(self, number: int) -> str:
        if self.style == "digits":
            return f"{'-' if number < 0 else ''}{abs(number):0{self.width}d}"
        letters = to_letters(number, self.style)
        return letters.lower() if self.small else letters

    def read(self, word: str) -> int | None:
        """The number, or None if this is not how the field writes any number."""
        if self.style == "digits":
            number = int(word) if re.fullmatch(r"-?[0-9]+", word) else None
        else:
            number = from_letters(word.upper(), self.style)
        return number if number is not None and self.write(number) == word else None

    @property
    def expression(self) -> str:
        if self.style == "digits":
            return f"-?[0-9]{{{self.width},}}"
        return "[a-z]+" if self.small else "[A-Z]+"


@dataclass(frozen=True, slots=True)
class Pattern:
    """`before`, first field, `between`, second field, `after`."""

    before: str
    first: Field
    between: str
    second: Field
    after: str

    def write(self, column: int, row: int) -> str:
        one, two = (column, row) if self.first.axis == "c" else (row, column)
        return f"{self.before}{self.first.write(one)}{self.between}{self.second.write(two)}{self.after}"

    def field(self, axis: Axis) -> Field:
        return self.first if self.first.axis == axis else self.second

    def expression(self, first: str | None = None, second: str | None = None) -> re.Pattern[str]:
        """What an id looks like, with the two numbers as groups; a stricter form may be given for either."""
        one, two = first or self.first.expression, second or self.second.expression
        parts = (
            re.escape(self.before),
            f"({one})",
            re.escape(self.between),
            f"({two})",
            re.escape(self.after),
        )
        return re.compile("".join(parts))


def parse(text: str, sheet: str = "") -> Pattern:
    """Read a pattern; raises BadPattern with the characters at fault."""
    fields: list[Field] = []
    between = [""]
    at = 0
    for found in _FIELD.finditer(text):
        between[-1] += _literal(text, at, found.start())
        at = found.end()
        if found[1] == "sheet":
            between[-1] += sheet
        else:
            fields.append(_field(found, fields))
            between.append("")
    between[-1] += _literal(text, at, len(text))
    if len(fields) != 2:
        missing = "row" if [f.axis for f in fields] == ["c"] else "column"
        raise BadPattern(
            f"the id pattern has no {missing}", 0, len(text), f"add {{{missing[0] * 2}}}, as in {{cc}}{{rr}}"
        )
    return Pattern(between[0], fields[0], between[1], fields[1], between[2])


def _literal(text: str, start: int, end: int) -> str:
    part = text[start:end]
    good = _LITERAL.match(part)
    length = good.end() if good else 0
    if length < len(part):
        at = start + length
        help = "letters, digits and _ - . : stand for themselves; numbers are written {cc} and {rr}"
        raise BadPattern(f"'{text[at]}' cannot stand in an id", at, at + 1, help)
    return part


def _field(found: re.Match[str], before: list[Field]) -> Field:
    inside = _INSIDE.fullmatch(found[1])
    if inside is None or (inside["letters"] and len(inside["axis"]) > 1):
        help = "write {c}, {cc}, {c:A} or {c:AA} for the column, the same with r for the row, or {sheet}"
        raise BadPattern(f"{found[0]} is no field of an id", found.start(), found.end(), help)
    axis: Axis = "c" if inside["axis"][0] == "c" else "r"
    if any(field.axis == axis for field in before):
        name = "column" if axis == "c" else "row"
        raise BadPattern(
            f"the {name} stands twice in the id pattern", found.start(), found.end(), "take one out"
        )
    letters = inside["letters"]
    if not letters:
        return Field(axis, "digits", len(inside["axis"]))
    return Field(axis, "letters" if len(letters) == 1 else "doubled", 1, letters.islower())


def to_letters(number: int, style: Style) -> str:
    """1 is A. A number below 1 has no letters: it is written as that number, which nothing reads as letters."""
    if number < 1:
        return str(number)
    if style == "doubled":
        return chr(ord("A") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    word = ""
    while number > 0:
        number, letter = divmod(number - 1, 26)
        word = chr(ord("A") + letter) + word
    return word


def from_letters(word: str, style: Style) -> int | None:
    if not re.fullmatch(r"[A-Z]+", word):
        return None
    if style == "doubled":
        alone = ord(word[0]) - ord("A") + 1
        return alone + 26 * (len(word) - 1) if len(set(word)) == 1 else None
    number = 0
    for letter in word:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


@dataclass(frozen=True, slots=True)
class Frame:
    """The numbers of one sheet. First and last are given as read from left to right and from top to bottom.

    `shifted` says which columns (flat) lie half a hex lower, or which rows (pointy) half a hex further to the right:
    those with odd numbers, those with even ones, or each one more than the one before.
    """

    shape: Shape
    shifted: Shifted
    columns: tuple[int, int]
    rows: tuple[int, int]

    def column_numbers(self) -> range:
        return _run(*self.columns)

    def row_numbers(self) -> range:
        return _run(*self.rows)

    def has(self, column: int, row: int) -> bool:
        return column in self.column_numbers() and row in self.row_numbers()

    def to_hex(self, column: int, row: int) -> Hex:
        """The axial hex of a number, on this sheet's own lattice; also for numbers beyond the sheet's edges."""
        x = column if self.columns[0] <= self.columns[1] else -column
        y = row if self.rows[0] <= self.rows[1] else -row
        if self.shape == "flat":
            return x, y - self._half(x)
        return x - self._half(y), y

    def to_numbers(self, a: Hex) -> tuple[int, int]:
        """The exact inverse of `to_hex`."""
        if self.shape == "flat":
            x, y = a[0], a[1] + self._half(a[0])
        else:
            x, y = a[0] + self._half(a[1]), a[1]
        column = x if self.columns[0] <= self.columns[1] else -x
        row = y if self.rows[0] <= self.rows[1] else -y
        return column, row

    def _half(self, n: int) -> int:
        """Half of a column or row number, rounded so that the shifted ones come out half a hex further."""
        if self.shifted == "each":
            return 0
        return n // 2 if self.shifted == "odd" else (n + 1) // 2


def _run(first: int, last: int) -> range:
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


@dataclass(frozen=True, slots=True)
class Numbering:
    """A pattern on a frame: the ids of one sheet."""

    pattern: Pattern
    frame: Frame

    def write(self, column: int, row: int) -> str:
        return self.pattern.write(column, row)

    def read(self, word: str) -> tuple[int, int] | None:
        """The column and row on this sheet that are written so, or None."""
        found = self._expression().fullmatch(word)
        if found is None:
            return None
        one, two = self.pattern.first.read(found[1]), self.pattern.second.read(found[2])
        if one is None or two is None:
            return None
        column, row = (one, two) if self.pattern.first.axis == "c" else (two, one)
        return (column, row) if self.frame.has(column, row) else None

    def is_clear(self) -> bool:
        """Whether every id can be read in one way only, so that `read` is the exact inverse of `write`."""
        first, second = self.pattern.first, self.pattern.second
        between = self.pattern.between
        if between and not _could_belong(between, first, second):
            return True
        if not between and (first.style == "digits") != (second.style == "digits"):
            return True
        return any(self._width(field) for field in (first, second))

    def _expression(self) -> re.Pattern[str]:
        # A number that always has the same width may be as narrow as that: without it 1|112 could be read as 11|12.
        fixed = [
            f".{{{w}}}" if (w := self._width(f)) else None for f in (self.pattern.first, self.pattern.second)
        ]
        return self.pattern.expression(*fixed)

    def _width(self, field: Field) -> int | None:
        """How wide all numbers of a field are, if all are equally wide."""
        numbers = self.frame.column_numbers() if field.axis == "c" else self.frame.row_numbers()
        ends = (numbers[0], numbers[-1], *(n for n in (0, 1, -1) if n in numbers))
        widths = {len(field.write(n)) for n in ends}
        return widths.pop() if len(widths) == 1 else None


def _could_belong(between: str, *fields: Field) -> bool:
    """Whether the text between two fields could be taken for a part of either."""
    digits = any(field.style == "digits" for field in fields)
    letters = any(field.style != "digits" for field in fields)
    return all((c.isdigit() and digits) or (c.isalpha() and letters) for c in between)
