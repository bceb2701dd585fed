"""The neighbour, join and distance cases of the games, as data."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from grid_maps import DATA, read_clean, read_value

from compiler.grid.features import joined_pairs
from compiler.grid.hexmap import HexMap
from compiler.grid.setup import Source

FILE = json.loads((DATA / "cases.json").read_text(encoding="utf-8"))


@cache
def the_map(name: str) -> HexMap:
    """The map of a case, with all rows clear; where row 0 exists it has hexes in even columns only."""
    value = {"kind": "hex", "legend": {"c": "clear"}, **FILE["maps"][name]}
    for sheet in value["sheets"]:
        grid = {**value["hexes"], **sheet}
        first, last = grid["columns"]
        row = "c" * (last - first + 1)
        top = "".join("." if column % 2 else "c" for column in range(first, last + 1))
        low, high = grid["rows"]
        sheet.setdefault("terrain", [top if n == 0 else row for n in range(low, high + 1)])
    return read_clean(value)


def answer(map: HexMap, case: dict[str, Any]) -> object:
    at = map.index
    match case:
        case {"adjacent": [a, b]}:
            return at[b] in map.around(at[a]) and at[a] in map.around(at[b])
        case {"same": [a, b]}:
            return at[a] == at[b]
        case {"distance": [a, b]}:
            return map.distance(at[a], at[b])
        case {"exists": a}:
            return a in at
        case {"neighbours": a}:
            return {map.ids[n] for n in map.around(at[a])}
        case {"common": many}:
            return {map.ids[n] for n in set.intersection(*(set(map.around(at[a])) for a in many))}
        case {"linked": a}:
            source = Source(((FILE["maps"][case["map"]], map.place),))
            return {map.name(there) for here, there in joined_pairs(source, map) if here == at[a]}
    raise AssertionError(case)


@pytest.mark.parametrize("case", FILE["cases"], ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    map = the_map(case["map"])
    want = case["answer"]
    if isinstance(want, list):
        want = {map.name(map.index[id]) for id in want}
    assert answer(map, case) == want


def test_the_misprinted_join_is_found_and_the_right_one_suggested() -> None:
    """The rulebook gives one joint by two pairs that cannot both be true."""
    value = {
        "kind": "hex",
        "legend": {"c": "clear"},
        "hexes": {
            "shape": "flat",
            "shifted": "even",
            "ids": "{sheet}:{cc}{rr}",
            "columns": [1, 51],
            "rows": [1, 35],
        },
        "sheets": [
            {"id": "25A", "terrain": ["c" * 51] * 35},
            {
                "id": "18A",
                "terrain": ["c" * 51] * 35,
                "same": [["18A:0101", "25A:5108"], ["18A:0135", "25A:5135"]],
            },
        ],
    }
    _, findings = read_value(value)
    wrong = next(f for f in findings if f.code == "H302")
    assert "'18A:0135' and '25A:5135' cannot be one hex" in wrong.message
    assert wrong.help is not None and "'25A:5135' is '18A:0128'" in wrong.help
