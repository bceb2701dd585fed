"""What `vmodc geo` writes for a hex map, merged three ways with what the author changed by hand.

The draft of a run is a plain value: sheets with rows of letters, places, hexsides, lines, notes. The last draft is kept in
`geo/<map>.draft.json`. A letter that the author did not touch follows the new draft; one that only the author changed stays;
one that both changed stays as the author has it and is reported. The same holds for each place, line and chain of hexsides.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Value = Mapping[str, Any]


def merge_hexes(base: Value, mine: Value, new: Value) -> tuple[dict[str, Any], list[str]]:
    """(the merged value, what clashes, in words)."""
    clashes: list[str] = []
    out = dict(mine)
    out["note"] = new["note"]
    was, theirs = _by_id(base), _by_id(mine)
    out["sheets"] = [_sheet(was.get(s["id"], s), theirs.get(s["id"], s), s, clashes) for s in new["sheets"]]
    for part in ("spaces", "sides", "lines"):
        merged = _entries(part, base, mine, new, clashes)
        if merged or part in new:
            out[part] = merged
    return out, clashes


def _by_id(value: Value) -> dict[str, Value]:
    return {sheet["id"]: sheet for sheet in value.get("sheets", ())}


def _sheet(base: Value, mine: Value, new: Value, clashes: list[str]) -> dict[str, Any]:
    out = {**mine, **{k: v for k, v in new.items() if k not in ("terrain", "layers")}}
    starts = [_first(sheet) for sheet in (base, mine, new)]
    name = f"sheet {new['id']}"
    out["terrain"] = _rows([base["terrain"], mine["terrain"], new["terrain"]], starts, name, clashes)
    layers = dict(mine.get("layers", {}))
    for layer, rows in new.get("layers", {}).items():
        was, theirs = (v.get("layers", {}).get(layer, rows) for v in (base, mine))
        layers[layer] = _rows([was, theirs, rows], starts, f"{name}, layer {layer}", clashes)
    if layers:
        out["layers"] = layers
    return out


def _first(sheet: Value) -> tuple[int, int]:
    """The number of a sheet's first column, and the step to the next."""
    columns = sheet.get("columns", (1, 2))
    return (columns[0], 1 if columns[-1] >= columns[0] else -1) if isinstance(columns[0], int) else (1, 1)


def _rows(drawn: list[list[str]], starts: list[tuple[int, int]], name: str, clashes: list[str]) -> list[str]:
    """Letter by letter, by the printed numbers of rows and columns: a sheet may have grown since the last draft."""
    was, theirs = (_by_number(rows, start) for rows, start in zip(drawn[:2], starts, strict=False))
    first, step = starts[2]
    out = []
    for k, row in enumerate(drawn[2]):
        label = _label(row, k)
        cells = ""
        for n, ours in enumerate(_cells(row)):
            key = label, first + step * n
            at = f"{name}, row {label}, letter {n + 1}"
            cells += _cell(was[key], theirs[key], ours, at, clashes) if key in was and key in theirs else ours
        out.append(f"{label}: {cells}" if ":" in row else cells)
    return out


def _by_number(rows: list[str], start: tuple[int, int]) -> dict[tuple[str, int], str]:
    first, step = start
    return {
        (_label(row, k), first + step * n): cell
        for k, row in enumerate(rows)
        for n, cell in enumerate(_cells(row))
    }


def _label(row: str, k: int) -> str:
    return row.partition(":")[0] if ":" in row else str(k)


def _cells(row: str) -> str:
    return "".join(row.rpartition(":")[2].split())


def _cell(was: str, theirs: str, ours: str, name: str, clashes: list[str]) -> str:
    if theirs == was:
        return ours
    if ours not in (was, theirs):
        clashes.append(name)
    return theirs


def _entries(part: str, base: Value, mine: Value, new: Value, clashes: list[str]) -> list[Any]:
    was, theirs, ours = (_named(value.get(part, ())) for value in (base, mine, new))
    out = []
    for name in [*ours, *(name for name in theirs if name not in ours)]:
        changed = theirs.get(name) != was.get(name)
        if changed and ours.get(name) not in (was.get(name), theirs.get(name)):
            clashes.append(f"{part}: {name}")
        kept = theirs.get(name) if changed else ours.get(name)
        if kept is not None:
            out.append(kept)
    return out


def _named(entries: Any) -> dict[str, Any]:
    """Each entry by its kind and id, numbered where several have the same."""
    out: dict[str, Any] = {}
    count: dict[str, int] = {}
    for entry in entries:
        name = f"{entry.get('kind', '')} {entry.get('id', '')}".strip()
        count[name] = count.get(name, 0) + 1
        out[name if count[name] == 1 else f"{name} #{count[name]}"] = entry
    return out


def hexes_text(value: Value) -> str:
    """JSON with one row of letters or one entry a line."""
    return "{\n" + ",\n".join(f"  {_json(key)}: {part}" for key, part in _parts(value)) + "\n}\n"


def _parts(value: Value) -> Iterator[tuple[str, str]]:
    for key, part in value.items():
        if key == "sheets":
            yield key, "[\n" + ",\n".join(_sheet_text(sheet) for sheet in part) + "\n  ]"
        elif isinstance(part, list):
            yield key, _list(part, 4)
        elif key == "hexes":
            yield key, "{\n" + ",\n".join(f"    {_json(k)}: {_json(v)}" for k, v in part.items()) + "\n  }"
        else:
            yield key, _json(part)


def _sheet_text(sheet: Value) -> str:
    lines = []
    for key, part in sheet.items():
        if key == "terrain":
            lines.append(f'"terrain": {_list(part, 8)}')
        elif key == "layers":
            inner = ",\n".join(f"        {_json(name)}: {_list(rows, 10)}" for name, rows in part.items())
            lines.append(f'"layers": {{\n{inner}}}')
        else:
            lines.append(f"{_json(key)}: {_json(part)}")
    return "    {" + ",\n      ".join(lines) + "}"


def _list(rows: list[Any], indent: int) -> str:
    if not rows:
        return "[]"
    blank = " " * indent
    return "[\n" + ",\n".join(blank + _json(row) for row in rows) + "]"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
