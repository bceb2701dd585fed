"""The grid of a hex map's geo file → its hexes, before any terrain is known.

In: the map file's `hexes` and the geo file's `sheets`. Out: a `HexMap` in which every hex has the same letter, the findings of the
grid reader, and the rows of each sheet as they will be written: which cells are hexes of its own, which are another
sheet's (`=`) and which are none (`.`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from compiler.findings import Finding, Place
from compiler.grid.hexmap import HexMap, Sheet
from compiler.grid.setup import NO_HEX, OTHER_SHEET
from compiler.grid.terrain import read_hex_map

BLANK = "x"
OWN = frozenset({"only"})  # what the geo file says of a sheet and the map file does not know


def read_grid(
    hexes: object, sheets: Sequence[Mapping[str, Any]], place: Place
) -> tuple[HexMap, list[Finding]]:
    """The hexes of all sheets."""
    drawn = [{**sheet_entry(sheet), "terrain": list(_blank(sheet))} for sheet in sheets]
    for entry in drawn:
        entry.pop("region", None)  # the map's own file has the regions, and is checked with them
    return read_hex_map({"hexes": hexes, "legend": {BLANK: {}}, "sheets": drawn}, place)


def number_of(map: HexMap, id: str) -> int:
    """The number of a hex that the geo file names."""
    number = map.index.get(id)
    if number is None:
        raise ValueError(f"there is no hex '{id}'")
    return number


def sheet_entry(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """What the map file has of a sheet."""
    return {name: value for name, value in sheet.items() if name not in OWN}


def _blank(sheet: Mapping[str, Any]) -> Iterator[str]:
    columns, rows = (_run(*sheet[name]) for name in ("columns", "rows"))
    only = {str(int(row)): parity for row, parity in sheet.get("only", {}).items()}
    for row in rows:
        keep = only.get(str(row))
        yield "".join(BLANK if keep is None or (c % 2 == 0) == (keep == "even") else NO_HEX for c in columns)


def _run(first: int, last: int) -> range:
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def rows(map: HexMap, sheet: Sheet, letters: Sequence[str], shared: str = OTHER_SHEET) -> list[str]:
    """The rows of a sheet with these letters; hexes that belong to another sheet have the letter `shared`."""
    number = map.sheets.index(sheet)
    frame = sheet.numbering.frame
    wide = max(len(str(row)) for row in frame.row_numbers())

    def cell(column: int, row: int) -> str:
        id = sheet.numbering.write(column, row)
        n = map.index.get(id)
        if n is None:
            return NO_HEX
        return letters[n] if map.owner[n] == number else shared

    return [
        f"{row:0{wide}d}: " + "".join(cell(column, row) for column in frame.column_numbers())
        for row in frame.row_numbers()
    ]
