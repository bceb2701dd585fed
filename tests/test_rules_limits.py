"""What bounds the work of rules: searches give up by counted steps, never by time, and nothing runs away."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from compiler.model import build
from compiler.model.types import Module
from compiler.rules import compile_rules, judge
from compiler.source.document import Document

LAND = {"kind": ["hex"], "terrain": ["clear", "hill"]}
PIECE = {
    "arm": ["foot", "horse"],
    "size": {"type": "number", "default": 1},
    "weight": {"type": "number", "default": 1},
}


def document(path: str, kind: str, value: object) -> Document:
    text = json.dumps(value)
    return Document(path, text, json.loads(text, parse_float=Decimal), path, kind)


def module_of(
    rules: Sequence[Any], placements: Sequence[Any], spaces: Sequence[str], pairs: Sequence[Any]
) -> Module:
    """Two sides, two types of units, a map of hexes."""
    sides = [{"id": "red", "name": "R"}, {"id": "blue", "name": "B"}]
    powers = [{"id": "ash", "side": "red", "name": "A"}, {"id": "cedar", "side": "blue", "name": "C"}]
    vocabulary = {"space": LAND, "link": {"kind": ["land"]}, "piece": PIECE}
    types: list[dict[str, Any]] = [
        {"id": "foot", "arm": "foot", "name": "F"},
        {"id": "horse", "arm": "horse", "size": 2, "name": "H"},
    ]
    hexes = [
        {"id": id, "kind": "hex", "terrain": "clear" if n % 3 else "hill", "name": id}
        for n, id in enumerate(spaces)
    ]
    documents = [
        document("module.json", "module", {"id": "m", "version": "1", "stage": "rules", "languages": ["en"], "sides": sides, "powers": powers, "vocabulary": vocabulary}),
        document("maps/m.json", "map", {"id": "m", "kind": "area", "spaces": hexes, "links": [{"kind": "land", "pairs": list(pairs)}]}),
        document("counters/c.json", "counters", {"types": types, "counters": [{"type": t["id"], "powers": ["ash", "cedar"]} for t in types]}),
        document("rules.json", "rules", {"rules": list(rules)}),
        document("scenarios/s.json", "scenario", {"id": "s", "name": "S", "placements": list(placements)}),
    ]  # fmt: skip
    module, _ = build({document.path: document for document in documents})
    assert module is not None
    return module


def codes(module: Module) -> list[str]:
    pack, findings = compile_rules(module)
    assert not [finding for finding in findings if finding.code.startswith("R")]
    return [finding.code for finding in judge(pack, module, module.scenarios["s"]).findings]


BIG = [
    {"derive": "occupants", "on": "space", "gives": "set of side", "collect": [{"each": "@self.pieces", "take": "side"}]},
    {"derive": "reach", "on": "space", "gives": "set of side", "collect": [{"each": "@self.links_in", "if": {"kind": "land"}, "take": "from.occupants"}]},
    {"id": "stack", "section": "1", "for": [{"space": {}}, {"side": {}}], "total": {"sum": "size", "each": "@space.pieces", "if": {"side": "@side"}}, "at_most": 3},
    {"id": "share", "section": "1", "for": [{"piece": {}}, {"piece": {"space": "@piece.space"}, "as": "other"}], "must": {"side.enemies": {"none": "@other.side"}}},
    {"id": "room", "section": "1", "for": [{"space": {"kind": "hex"}}, {"side": {}}], "fit": {"items": {"each": "@space.pieces", "if": {"side": "@side"}},
        "bins": [{"slots": [{"slot": "any", "hold": 2}, {"slot": "small", "takes": {"arm": "foot"}, "hold": {"first": [{"if": {"@space.terrain": "hill"}, "then": 0}], "else": 1}}]}]}},
    {"id": "zone", "section": "1", "for": [{"piece": {"arm": "foot"}}], "must": {"space.reach": {"none": {"enemies": "@piece.side"}}}},
]  # fmt: skip


def test_three_thousand_pieces_on_three_thousand_spaces() -> None:
    """Far below what looking at every pair of pieces, or every piece for every space, would take."""
    rows, columns = 60, 50
    at = [[f"h{r:02}{c:02}" for c in range(columns)] for r in range(rows)]
    pairs = [[at[r][c], at[r][c + 1]] for r in range(rows) for c in range(columns - 1)]
    pairs += [[at[r][c], at[r + 1][c]] for r in range(rows - 1) for c in range(columns)]
    flat = [id for row in at for id in row]
    placements = [
        {
            "at": flat[k * 7 % 3000],
            "power": "ash" if k % 2 else "cedar",
            "pieces": ["foot" if k % 3 else "horse"],
        }
        for k in range(2998)
    ]
    placements += [
        {"at": flat[0], "power": "cedar", "pieces": ["horse"]},
        {"at": flat[7], "power": "ash", "pieces": ["2 horse"]},
    ]
    module = module_of(BIG, placements, flat, pairs)
    pack, _ = compile_rules(module)
    start = time.process_time()
    found = [finding.code for finding in judge(pack, module, module.scenarios["s"]).findings]
    assert time.process_time() - start < 4
    assert {"stack", "zone"} <= set(found)


HARD = {
    "id": "hard", "section": "1", "for": [{"space": {}}],
    "fit": {"items": {"each": "@space.pieces"}, "bins": [
        {"slots": [{"slot": f"s{n}", "holds": [{"size": "@item.size", "at_most": 900 + n}, {"size": "@item.weight", "at_most": 905 - n}]}]} for n in range(8)
    ]},
}  # fmt: skip


def heavy(at: str, number: int) -> dict[str, Any]:
    """Pieces of many sizes that fill the places up to the brim, so that no simple way decides."""
    pieces = [{"piece": "foot", "size": 300 + 7 * n % 31, "weight": 300 + 11 * n % 29} for n in range(number)]
    return {"at": at, "power": "ash", "pieces": pieces}


def test_a_fit_that_is_too_hard_is_not_judged_and_never_an_error() -> None:
    module = module_of([HARD], [heavy("a", 24)], ["a", "b"], [["a", "b"]])
    pack, _ = compile_rules(module)
    judgement = judge(pack, module, module.scenarios["s"])
    assert [(f.code, f.severity.word) for f in judgement.findings] == [("G103", "note")]
    assert "too large" in judgement.findings[0].message


def test_many_hard_fits_share_one_effort() -> None:
    spaces = [f"h{n}" for n in range(40)]
    module = module_of([HARD], [heavy(at, 24) for at in spaces], spaces, [[spaces[0], spaces[1]]])
    pack, _ = compile_rules(module)
    start = time.process_time()
    assert [f.code for f in judge(pack, module, module.scenarios["s"]).findings] == ["G103"]
    assert time.process_time() - start < 30


def test_bindings_that_are_not_joined_are_cut_off() -> None:
    names = ["piece", "b", "c", "d"]
    rule = {"id": "all", "section": "1", "for": [{"piece": {}, "as": name} for name in names], "must": True}
    module = module_of(
        [rule], [{"at": "a", "power": "ash", "pieces": ["100 foot"]}], ["a", "b"], [["a", "b"]]
    )
    pack, findings = compile_rules(module)
    assert [finding.code for finding in findings] == ["L105"]
    assert [finding.code for finding in judge(pack, module, module.scenarios["s"]).findings] == ["G103"]


def test_definitions_nested_very_deep_are_not_judged() -> None:
    chain = [
        {"derive": f"d{n}", "on": "space", "gives": "bool", "holds": {f"d{n + 1}": True} if n < 400 else {"kind": "hex"}}
        for n in range(401)
    ]  # fmt: skip
    rule = {"id": "deep", "section": "1", "for": [{"space": {}}], "must": {"d0": True}}
    module = module_of([*chain, rule], [], ["a", "b"], [["a", "b"]])
    assert codes(module) == ["G103"]


def test_selectors_nested_very_deep_are_a_finding() -> None:
    chain = {f"s{n:03}": {"use": f"s{n + 1:03}"} if n < 400 else {"kind": "hex"} for n in range(401)}
    rule = {"id": "deep", "section": "1", "for": [{"space": {"use": "s000"}}], "must": True}
    _, findings = compile_rules(module_of([{"selectors": chain}, rule], [], ["a", "b"], [["a", "b"]]))
    assert [finding.code for finding in findings if finding.code.startswith("R")] == ["R107"]
