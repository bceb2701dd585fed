"""CSV tables named in a source file: each row becomes an entry of one of its lists, and every cell keeps its place.

In: the text of a CSV (commas, semicolons or tabs; cells in quotes may hold them) and what the naming entry says. Out: the
value that the rows stand for, and problems. `find` gives the characters of a row or cell again from its path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from compiler.findings import Path, Place
from compiler.source.document import Columns, Document
from compiler.source.problem import Offsets, Problem
from compiler.suggest import did_you_mean

LISTS = ("types", "counters")
_WHOLE = re.compile(r"-?(0|[1-9]\d{0,17})")
_EXACT = re.compile(r"-?(0|[1-9]\d{0,17})\.\d{1,18}")


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    offsets: Offsets
    open: bool = False  # a quote that is never closed


@dataclass(frozen=True, slots=True)
class Wanted:
    """Entry `index` of a file's `csv`: the rows of `target` are entries of the list `into`."""

    index: int
    target: str
    into: str
    columns: Mapping[str, Any] | None

    def problem(self, code: str, message: str, *path: str, help: str | None = None) -> Problem:
        return Problem(code, message, None, help, ("csv", self.index, *path))


def wanted(value: object) -> Iterator[Wanted]:
    """The tables that a file names; what is not well formed is for the schema to refuse."""
    listed = value.get("csv") if isinstance(value, dict) else None
    for index, entry in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(entry, dict) and isinstance(entry.get("file"), str):
            into, columns = entry.get("into", "counters"), entry.get("columns")
            if into in LISTS and isinstance(columns, dict | None):
                yield Wanted(index, entry["file"], into, columns)


def rows_of(text: str) -> Iterator[list[Cell]]:
    """The rows of a CSV, blank lines left out. A quote that is never closed runs to the end of the text."""
    separator = _separator(text)
    at, row = 0, list[Cell]()
    while at < len(text):
        cell, at = _cell(text, at, separator)
        row.append(cell)
        if at < len(text) and text[at] == separator:
            at += 1
            if at == len(text):
                row.append(Cell("", (at, at)))
            continue
        at = _line_end(text, at)
        if any(one.text.strip() for one in row):
            yield row
        row = []
    if any(one.text.strip() for one in row):
        yield row


def _separator(text: str) -> str:
    """Of the signs that spreadsheets use, the one that is most frequent in the first line."""
    head = text.split("\n", 1)[0]
    return max(",;\t", key=head.count)


def _cell(text: str, at: int, separator: str) -> tuple[Cell, int]:
    if text[at : at + 1] == '"':
        end = at + 1
        while (end := text.find('"', end)) != -1 and text[end + 1 : end + 2] == '"':
            end += 2
        open = end == -1
        end = len(text) if open else end
        cell = Cell(text[at + 1 : end].replace('""', '"'), (at, min(end + 1, len(text))), open)
        return cell, _cell_end(text, end + 1, separator)
    end = _cell_end(text, at, separator)
    return Cell(text[at:end].strip(), (at, end)), end


def _cell_end(text: str, at: int, separator: str) -> int:
    while at < len(text) and text[at] not in (separator, "\n", "\r"):
        at += 1
    return min(at, len(text))


def _line_end(text: str, at: int) -> int:
    if text[at : at + 2] == "\r\n":
        return at + 2
    return at + 1


# Rows as entries ------------------------------------------------------------------------------------------------------


def read_table(text: str, table: Wanted) -> tuple[object, Columns, list[Problem], list[Problem]]:
    """The value of the rows, the property of each column, problems of the CSV and problems of the naming entry."""
    head, *body = [*rows_of(text)] or [[]]
    names = [cell.text.strip() for cell in head]
    keys, kinds, naming = _keys(names, table)
    problems = [*_twice(head), *_open([head, *body])]
    entries = []
    for row in body:
        if len(row) > len(head) and any(cell.text for cell in row[len(head) :]):
            extra = row[len(head)]
            message = f"this row has {len(row)} cells, but the head of the table has {len(head)}"
            problems.append(
                Problem("S161", message, extra.offsets, "put a cell that holds a comma in quotes")
            )
        entries.append(_entry(row, keys, kinds))
    return {table.into: entries}, Columns(table.into, tuple(keys)), problems, naming


def _keys(names: Sequence[str], table: Wanted) -> tuple[list[str], list[str], list[Problem]]:
    """For each column the property it fills ('' for none) and how its cells are read."""
    if table.columns is None:
        return list(names), ["auto"] * len(names), []
    found = {name: n for n, name in enumerate(names)}
    keys, kinds = [""] * len(names), ["auto"] * len(names)
    problems = []
    for name, meant in table.columns.items():
        if name not in found:
            help = did_you_mean(name, found) or f"its columns: {', '.join(names)}"
            message = f"'{table.target}' has no column '{name}'"
            problems.append(
                Problem("S162", message, None, help, ("csv", table.index, "columns", name), "key")
            )
            continue
        keys[found[name]] = str(meant.get("to", name)) if isinstance(meant, dict) else str(meant)
        kinds[found[name]] = str(meant.get("as", "auto")) if isinstance(meant, dict) else "auto"
    return keys, kinds, problems


def _twice(head: Sequence[Cell]) -> Iterator[Problem]:
    seen: set[str] = set()
    for cell in head:
        name = cell.text.strip()
        if name and name in seen:
            yield Problem("S162", f"the table has two columns '{name}'", cell.offsets, "rename one of them")
        seen.add(name)


def _open(rows: Iterable[Sequence[Cell]]) -> Iterator[Problem]:
    for cell in (cell for row in rows for cell in row if cell.open):
        at = cell.offsets[0]
        message = "this quote is never closed: all that follows is one cell"
        yield Problem("S161", message, (at, at + 1), "close it, or write a quote inside a cell twice")


def _entry(row: Sequence[Cell], keys: Sequence[str], kinds: Sequence[str]) -> dict[str, object]:
    entry: dict[str, object] = {}
    for cell, key, kind in zip(row, keys, kinds, strict=False):
        if not key or not cell.text:
            continue
        inside = entry
        *outer, last = key.split(".")
        for step in outer:  # `nato.branch` fills a property of a property
            deeper = inside.setdefault(step, {})
            inside = deeper if isinstance(deeper, dict) else {}
        inside[last] = _value(cell.text, kind)
    return entry


def _value(text: str, kind: str) -> object:
    if kind == "text":
        return text
    if kind == "list":
        return [_value(one.strip(), "auto") for one in re.split(r"[|;,]", text) if one.strip()]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _EXACT.fullmatch(text):
        return Decimal(text)
    return {"true": True, "false": False}.get(text, text)


# Places ---------------------------------------------------------------------------------------------------------------


def find(document: Document, places: Sequence[Place]) -> dict[Place, Offsets]:
    """The characters of each place: a cell, a row, or the head of the table."""
    assert document.columns is not None
    rows = [*rows_of(document.text)]
    return {place: _find(rows, document.columns, place.path, place.on) for place in places}


def _find(rows: Sequence[Sequence[Cell]], columns: Columns, path: Path, on: str) -> Offsets:
    row = path[1] + 1 if len(path) > 1 and isinstance(path[1], int) else 0
    if row >= len(rows):
        return (0, 0)
    cells = rows[row]
    key = ".".join(str(step) for step in path[2:])
    for n, column in enumerate(columns.keys):
        if key and (column == key or key.startswith(f"{column}.")) and column:
            if on == "key" and n < len(rows[0]):
                return rows[0][n].offsets
            return cells[n].offsets if n < len(cells) else (cells[-1].offsets[1],) * 2
    return cells[0].offsets[0], cells[-1].offsets[1]
