"""Charts: rows as written, or one row a type read from the types' own attributes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from compiler.findings import Place, error
from compiler.model.context import Context
from compiler.model.files import Group
from compiler.model.read import Object, exact, listed, obj, strings
from compiler.model.types import Chart, UnitType, Value
from compiler.suggest import suggest

Cell = str | int | Decimal
NAME = "name"


def declare_charts(ctx: Context, files: tuple[Group, ...]) -> None:
    for group in files:
        value, place = obj(group[0].value), Place(group[0])
        if ctx.names.declare("chart", value.get("id"), place):
            key = "title" if "title" in value else "name"
            ctx.want(f"chart.{value['id']}", place, value, key)


def build_charts(ctx: Context, files: tuple[Group, ...], types: Mapping[str, UnitType]) -> dict[str, Chart]:
    out = {}
    for group in files:
        value, place = obj(group[0].value), Place(group[0])
        id = value.get("id")
        if isinstance(id, str) and ctx.names.tables["chart"].get(id) == place:
            columns = tuple(word for word in listed(value.get("columns")) if isinstance(word, str))
            rows = (*_rows(ctx, group, len(columns)), *_each(ctx, value, place, types, len(columns)))
            out[id] = Chart(id, columns, rows, value, place)
    return out


def _rows(ctx: Context, group: Group, width: int) -> list[tuple[Cell, ...]]:
    rows = []
    for document in group:
        for n, row in enumerate(listed(obj(document.value).get("rows"))):
            if isinstance(row, list):
                _check_width(ctx, len(row), width, Place(document, ("rows", n)))
                rows.append(tuple(_cell(table_cell) for table_cell in row))
    return rows


def _cell(written: object) -> Cell:
    number = exact(written)
    if number is not None:
        return number
    return written if isinstance(written, str) else ""


def _each(
    ctx: Context, value: Object, place: Place, types: Mapping[str, UnitType], width: int
) -> list[tuple[Cell, ...]]:
    each = obj(value.get("each"))
    at = place / "each"
    cells = [cell for cell, where in strings(each, "cells", at) if _is_attribute(ctx, cell, where)]
    named = [ctx.names.resolve("type", word, where) for word, where in strings(each, "type", at)]
    if cells and len(cells) == len(listed(each.get("cells"))):
        _check_width(ctx, len(cells), width, at / "cells")
    found = [types[name] for name in named if name is not None and name in types]
    return [tuple(_type_cell(ctx, type, cell) for cell in cells) for type in found]


def _is_attribute(ctx: Context, cell: str, place: Place) -> bool:
    declared = ctx.attributes(("piece",))
    ctx.given.add(("piece", cell))
    if cell in declared or cell in (NAME, "id", "steps") or ("piece", cell) in ctx.unreadable:
        return True
    if ("module", "vocabulary") in ctx.misspelt:
        return False
    near = suggest(cell, [NAME, "id", "steps", *declared])
    help = f"did you mean '{near}'?" if near else "a cell is 'name' or an attribute of vocabulary.piece"
    ctx.report(error("N307", f"types have no attribute '{cell}'", place, help=help))
    return False


def _type_cell(ctx: Context, type: UnitType, cell: str) -> Cell:
    """A value of the type, or the default that the vocabulary gives."""
    if cell in (NAME, "id"):
        return f"#type.{type.id}" if cell == NAME else type.id
    declared = ctx.vocabulary.get(("piece", cell))
    return _shown(type.values.get(cell, declared.default if declared is not None else None))


def _shown(value: Value) -> Cell:
    if isinstance(value, bool):
        return "✓" if value else ""
    if isinstance(value, int | Decimal | str):
        return value
    if isinstance(value, tuple):
        return ", ".join(str(one) for one in value)
    return ""


def _check_width(ctx: Context, cells: int, width: int, place: Place) -> None:
    if width and cells != width:
        message = f"{cells} cells in a row, but the chart has {width} columns"
        ctx.report(error("N530", message, place, help="give each column one cell"))
