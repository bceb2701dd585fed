"""The rule language on the hard rules of five games, and on small modules that pin its exact meaning.

Each folder of tests/rules is a module with cases; beside it `<folder>.expected.json` lists every finding of its check
(code, file, line, message). A new rule, case or finding is a new entry in a file and no code.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from compiler.check import CheckResult, check
from compiler.findings import Finding
from compiler.model.types import Case, Fixture, Scenario
from compiler.rules import RulePack, read_back, run_case
from compiler.rules.judge import judge_rule, position_of
from compiler.source import locate

HERE = Path(__file__).parent / "rules"
NAMES = sorted(path.parent.name for path in HERE.glob("*/module.json"))


@cache
def checked(name: str) -> CheckResult:
    return check(HERE / name, "")


def cases_of(name: str) -> list[tuple[str, Case]]:
    module = checked(name).module
    return [(name, case) for case in module.cases] if module else []


def shown(finding: Finding) -> dict[str, Any]:
    assert finding.place is not None, finding
    span = locate([finding.place])[finding.place]
    where = {"code": finding.code, "file": finding.place.document.name, "line": span.line}
    return {**where, "message": finding.message}


@pytest.mark.parametrize("name", NAMES)
def test_every_finding_is_expected(name: str) -> None:
    wanted = json.loads((HERE / f"{name}.expected.json").read_text(encoding="utf-8"))
    assert [shown(finding) for finding in checked(name).findings] == wanted


@pytest.mark.parametrize("name", NAMES)
def test_every_scenario_is_judged(name: str) -> None:
    result = checked(name)
    assert result.module is not None
    assert set(result.judged) == set(result.module.scenarios)
    assert result.module.cases


@pytest.mark.parametrize(
    ("name", "case"), [pair for name in NAMES for pair in cases_of(name)], ids=lambda v: getattr(v, "id", v)
)
def test_case(name: str, case: Case) -> None:
    result = checked(name)
    assert result.module is not None and result.pack is not None
    answer = run_case(result.pack, result.module, case)
    assert answer.passed, answer.message


def verdicts(pack: RulePack, scenario: Scenario, fixture: Fixture | None) -> set[tuple[str, bool]]:
    """Which rules find a subject legal and which one illegal in a position."""
    world = position_of(pack, scenario, fixture)
    return {
        (id, verdict.legal)
        for id in pack.rules
        for verdict in judge_rule(pack, world, scenario, id, everything=True).verdicts
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_fires_somewhere_and_is_silent_elsewhere(name: str) -> None:
    pack = checked(name).pack
    assert pack is not None
    positions: list[tuple[Scenario, Fixture | None]] = [(s, None) for s in pack.module.scenarios.values()]
    positions += [(case.scenario, case.fixture) for _, case in cases_of(name)]
    found = {pair for position in positions for pair in verdicts(pack, *position)}
    found |= {(id, True) for id, unit in pack.rules.items() if unit.entry.value.get("must") is False}
    never = {(id, legal) for id in pack.rules for legal in (True, False)} - found
    assert not never


@pytest.mark.parametrize("path", sorted(HERE.glob("*.readback.txt")), ids=lambda path: path.stem)
def test_rules_read_back_as_they_were_read_by_a_person(path: Path) -> None:
    """The file holds what every rule and definition of the module reads like."""
    pack = checked(path.name.removesuffix(".readback.txt")).pack
    assert pack is not None
    names = [*dict.fromkeys(name for _, name in pack.derives), *pack.rules]
    assert "\n\n".join(read_back(pack, name) for name in names) + "\n" == path.read_text(encoding="utf-8")


def test_a_pair_is_reported_once_smaller_id_first() -> None:
    found = [f for f in checked("evidence").findings if f.code == "pair"]
    assert all(f.subject[0] < f.subject[1] for f in found)
    assert len({frozenset(f.subject) for f in found}) == len(found) == 7


def test_a_finding_names_the_pieces_and_spaces_concerned() -> None:
    by_code = {finding.code: finding for finding in checked("evidence").findings}
    seats = by_code["fit.seats"]
    assert seats.spaces == ("bay",)
    assert seats.pieces == ("ash.foot@bay#3", "ash.foot@bay#4", "ash.horse@bay#1")
    assert by_code["must.none"].pieces == ("ash.foot@bay#4", "ash.horse@bay#1")
    assert by_code["must.word"].pieces == ("ash.ship@hill#1",) and by_code["must.word"].spaces == ("hill",)
    assert by_code["must.word"].help == "sail ash.ship to a sea"
    assert (by_code["total.plain"].section, by_code["total.plain"].rule) == ("4", "total.plain")


QUESTIONS: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"rule": "size.smu"}, {"legal": True}, "there is no rule 'size.smu'; did you mean 'size.sum'?"),
    ({"rule": "size.sum", "at": {"spase": "a"}}, {"legal": True}, "rule 'size.sum' binds no 'spase'; did you mean 'space'?"),
    ({"rule": "size.sum", "at": {"space": "q"}}, {"legal": True}, "there is no space 'q' in this position"),
    ({"rule": "words", "at": {"arm": "boat"}}, {"legal": True}, "'arm' of rule 'words' is one of foot, horse, ship, not 'boat'"),
    ({"rule": "dusk"}, {"legal": True}, "rule 'dusk' does not hold at this moment or under these options"),
    ({"rule": "fog.only"}, {"legal": True}, "rule 'fog.only' is not judged: it needs 'fog' of a scenario, which the scenario does not state"),
    ({"rule": "size.row"}, {"legal": True}, "rule 'size.row' has no answer: table 'half' has no row 'hill'"),
    ({"findings": ["fog.only"]}, {"legal": True}, "rule 'fog.only' is not judged: it needs 'fog' of a scenario, which the scenario does not state"),
    ({"field": "heavi", "of": {"space": "a"}}, {"value": 1}, "a space has no attribute 'heavi'"),
    ({"field": "late", "of": {"spce": "a"}}, {"value": 1}, "'spce' is no kind of item; did you mean 'space'?"),
    ({"field": "lost", "of": {"space": "a"}}, {"value": 1}, "needs 'lost' of a space, which the case does not state"),
    ({"term": {"add": ["@scenario.dat"]}}, {"value": 1}, "a scenario has no attribute 'dat'"),
    ({"term": {"divide": [1, 0], "round": "up"}}, {"value": 1}, "(1 ÷ 0, rounded up) divides by nothing"),
    ({"term": {"count": "space", "if": {"is": "q"}}}, {"value": 1}, "there is no space 'q'"),
    ({"distance": ["a", "b"], "by": "raods"}, {"value": 1}, "there is no way 'raods'"),
    ({"distance": ["a"]}, {"value": 1}, "'distance' takes two spaces"),
    ({"term": 2}, {"legal": True}, "this question has no answer 'legal' (it has value)"),
    ({"term": 2}, {"note": "nothing"}, "the case expects nothing; this question can answer: value"),
    ({"term": 2}, {"value": 3}, "value: expected 3, got 2"),
    ({"neighbours": "a"}, {"value": ["b", "c"]}, "value: expected [b, c], got [b]"),
    ({"tell": "all"}, {"value": 1}, "cannot ask tell; known questions:"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "answer", "message"), QUESTIONS, ids=lambda value: str(value)[:40])
def test_a_wrong_question_is_answered_with_a_reason(
    ask: dict[str, Any], answer: dict[str, Any], message: str
) -> None:
    result = checked("meaning")
    assert result.module is not None and result.pack is not None
    case = next(case for case in result.module.cases if case.id == "fact-stated-otherwise")
    facts = {key: value for key, value in case.scenario.facts.items() if key != "fog"}
    asked = replace(case, ask=ask, answer=answer, scenario=replace(case.scenario, facts=facts))
    got = run_case(result.pack, result.module, asked)
    assert not got.passed and got.message.startswith(message), got.message


# Findings that teach --------------------------------------------------------------------------------------------------


def taught(rules: list[dict[str, Any]], pieces: list[dict[str, Any]]) -> dict[str, Finding]:
    """The findings by code of a small land: dale (a city with a fort), ford, bay (a sea); red and blue are enemies."""
    import tempfile

    space = {
        "kind": ["land", "sea"],
        "city": {"type": "bool", "default": False},
        "fort": {"type": "number", "default": 0},
    }
    files: dict[str, Any] = {
        "module.json": {
            "format": 1, "id": "taught", "version": "1", "stage": "rules", "languages": ["en"], "name": "Taught",
            "sides": [{"id": "reds", "name": "Reds"}, {"id": "blues", "name": "Blues"}],
            "powers": [{"id": "red", "name": "Red", "side": "reds"}, {"id": "blue", "name": "Blue", "side": "blues"}],
            "vocabulary": {"space": space, "link": {"kind": ["way"]}, "piece": {"arm": ["foot", "ship", "hq"], "size": {"type": "number", "default": 1}}},
        },
        "maps/land.json": {
            "id": "land", "name": "Land", "kind": "area",
            "spaces": [
                {"id": "dale", "name": "Dale", "kind": "land", "city": True, "fort": 1, "controller": "red"},
                {"id": "ford", "name": "Ford", "kind": "land"}, {"id": "hill", "name": "Hill", "kind": "land"},
                {"id": "bay", "name": "Bay", "kind": "sea"},
            ],
            "links": [{"kind": "way", "pairs": [["dale", "ford"], ["ford", "hill"], ["hill", "bay"]]}],
        },
        "counters/units.json": {
            "types": [{"id": arm, "name": arm, "arm": arm} for arm in ("foot", "ship", "hq")],
            "counters": [{"type": arm, "powers": ["red", "blue"]} for arm in ("foot", "ship", "hq")],
        },
        "rules.json": {"rules": rules},
        "scenarios/one.json": {"id": "one", "name": "One", "placements": pieces},
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        for name, value in files.items():
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(value), encoding="utf-8")
        return {finding.code: finding for finding in check(Path(folder), "").findings}


def stand(at: str, *pieces: str, power: str = "red") -> dict[str, Any]:
    return {"at": at, "power": power, "pieces": list(pieces)}


def test_a_limit_tells_how_it_came_about() -> None:
    room = {
        "add": [
            {"first": [{"if": {"@space.city": True}, "then": {"table": "room", "row": ["@space.kind"]}}], "else": 2},
            {"count": "@space.pieces", "if": {"arm": "hq"}},
        ]
    }  # fmt: skip
    rules = [
        {"tables": {"room": {"land": 3, "sea": 9}}},
        {
            "id": "stack", "section": "3.1", "title": "Room in a space", "for": [{"space": {}}],
            "total": {"count": "@space.pieces"}, "at_most": room,
        },
    ]  # fmt: skip
    found = taught(rules, [stand("dale", "4 foot", "hq")])["stack"]
    assert found.limit == "4 = land 3 + red.hq 1"
    assert found.message == "Dale: Room in a space: 5, where at most 4 is allowed (4 × red.foot, red.hq)"
    assert found.help == "move or remove 1 of: 4 × red.foot, red.hq"


def test_the_limit_of_a_fit_tells_what_each_slot_holds_and_why() -> None:
    base = {
        "derive": "base",
        "on": "space",
        "gives": "number",
        "value": {"first": [{"if": {"@self.city": True}, "then": 3}], "else": 1},
    }
    boss = {"first": [{"if": {"@space.pieces": {"arm": "hq"}}, "then": 1}], "else": 0}
    slots = [
        {"slot": "field", "hold": {"add": [{"times": ["@space.base", 1]}, boss]}},
        {"slot": "moat", "takes": {"arm": "ship"}, "hold": "@space.fort", "size": "@item.size"},
    ]
    rules: list[dict[str, Any]] = [
        base,
        {"id": "camp", "section": "3", "for": [{"space": {"kind": "land"}}],
         "fit": {"items": {"each": "@space.pieces", "if": {"arm": {"not": "hq"}}}, "bins": [{"slots": slots}]}},
        {"id": "crew", "section": "4", "for": [{"space": {"kind": "sea"}}],
         "fit": {"items": {"each": "@space.pieces", "if": {"arm": "foot"}},
                 "bins": [{"each": "@space.pieces", "if": {"arm": "ship"}, "slots": [{"slot": "deck", "hold": 1}]}]}},
    ]  # fmt: skip
    found = taught(rules, [stand("dale", "5 foot", "hq"), stand("bay", "3 foot", "2 ship")])
    assert found["camp"].limit == "field 4 = base 3 + red.hq 1, moat 1 (size)"
    assert found["camp"].message.startswith(
        "Dale: no place for red.foot (every place that would take 'red.foot' is full"
    )
    assert found["crew"].limit == "2 × red.ship: deck 1"
    found = taught(rules, [stand("bay", "foot")])
    assert found["crew"].limit == "nothing there holds any"


def test_a_limit_that_a_definition_gives_tells_what_that_is_made_of() -> None:
    rules: list[dict[str, Any]] = [
        {"tables": {"room": {"land": 3, "sea": 9}}},
        {"derive": "room", "on": "space", "gives": "number",
         "value": {"add": [{"table": "room", "row": ["@self.kind"]}, {"count": "@self.pieces", "if": {"arm": "hq"}}]},
         "vary": [{"when": {"id": "other"}, "set": {"value": 9}}]},
        {"id": "stack", "section": "3.1", "for": [{"space": {}}], "total": {"count": "@space.pieces"}, "at_most": "@space.room"},
    ]  # fmt: skip
    assert taught(rules, [stand("dale", "5 foot", "hq")])["stack"].limit == "4 = land 3 + red.hq 1"


def test_a_piece_in_a_wrong_place_is_told_the_nearest_right_ones() -> None:
    rules: list[dict[str, Any]] = [
        {"id": "ship", "section": "1", "title": "Ships at sea", "for": [{"piece": {"arm": "ship"}}], "must": {"space.kind": "sea"}},
        {"id": "foot", "section": "2", "for": [{"piece": {"arm": "foot", "space.kind": "sea"}}], "must": False},
    ]  # fmt: skip
    found = taught(rules, [stand("dale", "ship"), stand("bay", "foot")])
    assert found["ship"].message == "red.ship in Dale: Ships at sea (space.kind is 'land', should be 'sea')"
    assert found["ship"].help == "this rule allows it in Bay"
    assert found["foot"].help == "this rule allows it in Hill, Ford or Dale"
    assert found["ship"].scenario == "one"


def test_two_that_may_not_share_a_space_are_both_named() -> None:
    rules: list[dict[str, Any]] = [
        {
            "id": "share", "section": "4.2", "for": [{"piece": {}}, {"piece": {"space": "@piece.space"}, "as": "other"}],
            "must": {"side": "@other.side"},
        }
    ]  # fmt: skip
    found = taught(rules, [stand("ford", "foot"), stand("ford", "foot", power="blue")])["share"]
    assert found.section == "4.2" and found.help == "move one of them: blue.foot or red.foot"
    assert "blue.foot, red.foot in Ford" in found.message


def test_a_sum_and_a_count_that_is_too_small_say_what_is_missing() -> None:
    rules: list[dict[str, Any]] = [
        {"id": "guard", "section": "5", "for": [{"space": {"city": True}}], "total": {"count": "@space.pieces"}, "at_least": 2},
        {"id": "points", "section": "6", "for": [{"power": {"is": "red"}}], "total": {"sum": "space.fort", "each": "@power.pieces"}, "at_most": 0},
    ]  # fmt: skip
    found = taught(rules, [stand("dale", "foot")])
    assert found["guard"].help == "1 more is needed"
    assert found["points"].help == "1 too much, in: red.foot"


def test_a_supply_finding_tells_how_near_the_line_came() -> None:
    rules: list[dict[str, Any]] = [
        {"ways": {"road": {"links": {"kind": "way"}, "cost": 1}}},
        {
            "trace": "supply", "on": "piece", "levels": ["fed", "cut"], "legs": [{"leg": "march", "way": "road", "at_most": 1}],
            "sources": [{"source": "city", "level": "fed", "space": {"city": True}}],
        },
        {"derive": "hungry", "on": "piece", "gives": "bool", "holds": {"supply": "cut"}},
        {"id": "fed", "section": "7", "for": [{"piece": {}}], "must": {"supply": "fed"}, "say": "{piece}: {stop}"},
        {"id": "told", "section": "8", "for": [{"piece": {}}], "must": {"hungry": False}},
    ]  # fmt: skip
    found = taught(rules, [stand("bay", "foot")])
    assert (
        found["fed"].message
        == "red.foot: stopped at 'ford': cost 2 in leg 'march', allowed 1, 1 more to 'dale'"
    )
    line = found["fed"].line
    assert line is not None and line.stops[0][:2] == ("ford", ("bay", "hill", "ford"))
    assert found["told"].line == line
