"""What `vmodc test` says of the cases themselves: what they never use, and which numbers they do not pin."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from compiler.check import check
from compiler.cli import run
from compiler.model.types import Module
from compiler.rules.coverage import Coverage, measure
from compiler.rules.mutation import Mutation, mutate

MODULE = {
    "format": 1,
    "id": "small",
    "name": "Small",
    "version": "1.0.0",
    "stage": "rules",
    "languages": ["en"],
    "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
    "powers": [
        {"id": "north", "side": "red", "name": "North"},
        {"id": "south", "side": "blue", "name": "South"},
    ],
    "options": [{"id": "crowd", "name": "Crowd"}],
    "vocabulary": {
        "space": {"kind": ["land", "sea"], "camp": "bool", "stores": {"type": "number", "default": 0}},
        "link": {"kind": ["path"]},
        "piece": {"arm": ["foot", "ship"]},
    },
}
COUNTERS = {
    "types": [
        {"id": "inf", "arm": "foot", "name": "Infantry"},
        {"id": "boat", "arm": "ship", "name": "Boat"},
    ],
    "counters": [{"type": "inf", "powers": ["north", "south"]}, {"type": "boat", "powers": ["north"]}],
}
RULES: list[dict[str, Any]] = [
    {"tables": {"room": {"land": {"foot": 3, "ship": 0}, "sea": {"foot": 0, "ship": 2}}}},
    {
        "id": "stack", "section": "1", "for": [{"space": {}}, {"values": "piece.arm", "as": "arm"}],
        "total": {"count": "@space.pieces", "if": {"arm": "@arm"}},
        "at_most": {"table": "room", "row": ["@space.kind", "@arm"]},
        "unless": [{"id": "camp", "section": "1.1", "if": {"@space.camp": True}}],
        "vary": [{"when": {"options": "crowd"}, "set": {"at_most": 9}}],
    },
    {
        "derive": "need", "on": "space", "gives": "number",
        "value": {"first": [{"if": {"@self.camp": True}, "then": 5}], "else": 1},
    },
    {
        "id": "stores", "section": "2", "for": [{"space": {"kind": "land", "pieces": {"some": True}}}],
        "total": "@space.stores", "at_least": "@space.need",
    },
    {"id": "no.sea", "section": "3", "for": [{"piece": {"arm": "foot", "space.kind": "sea"}}], "must": False},
]  # fmt: skip
SPACES = [{"id": "hill", "kind": "land"}, {"id": "bay", "kind": "sea"}]


def case(id: str, ask: dict[str, Any], answer: dict[str, Any], *pieces: str, **more: Any) -> dict[str, Any]:
    put = [{"at": at, "power": "north", "pieces": [what]} for at, what in (p.split(": ") for p in pieces)]
    own = {"map": "none", "spaces": SPACES, "links": [], "placements": put, **more}
    return {"case": id, "id": id, "section": "1", "ask": ask, "answer": answer, **own}


STACK = {"rule": "stack", "at": {"space": "hill", "arm": "foot"}}
FULL = case("full", STACK, {"legal": True, "value": 3}, "hill: 3 inf")
OVER = case("over", STACK, {"legal": False}, "hill: 4 inf")
STORES = case(
    "stores", {"findings": ["stores"]}, {"legal": True}, "hill: inf",
    spaces=[{"id": "hill", "kind": "land", "stores": 1}, SPACES[1]],
)  # fmt: skip
EMPTY = case("empty", {"findings": ["stores"]}, {"legal": False}, "hill: inf")
WADING = case("wading", {"findings": ["no.sea"]}, {"findings": ["no.sea"]}, "bay: inf")


def written(tmp_path: Path, cases: Sequence[dict[str, Any]]) -> Path:
    root = tmp_path / "small"
    for name, value in (
        ("module.json", MODULE),
        ("counters/all.json", COUNTERS),
        ("rules.json", {"rules": RULES}),
        ("cases/all.json", {"cases": list(cases)}),
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(json.dumps(value, indent=1), encoding="utf-8")
    return root


def module_of(tmp_path: Path, cases: Sequence[dict[str, Any]]) -> Module:
    result = check(written(tmp_path, cases), "small")
    assert result.module is not None and result.pack is not None
    assert not [f for f in result.findings if f.severity.word == "error"], result.findings
    return result.module


def covered(tmp_path: Path, *cases: dict[str, Any]) -> Coverage:
    found = measure(module_of(tmp_path, cases))
    assert all(result.passed for _, result in found.results), found.results
    return found


def missing(coverage: Coverage) -> set[tuple[str, str]]:
    return {(goal.kind, goal.name) for goal in coverage.missing}


def test_a_rule_is_broken_and_kept(tmp_path: Path) -> None:
    found = missing(covered(tmp_path, FULL))
    assert ("fires", "stack") in found and ("silent", "stack") not in found
    both = missing(covered(tmp_path, FULL, OVER))
    assert ("fires", "stack") not in both


def test_a_rule_that_forbids_is_kept_where_nothing_is_forbidden(tmp_path: Path) -> None:
    assert ("silent", "no.sea") in missing(covered(tmp_path, WADING))
    dry = case("dry", {"findings": ["no.sea"]}, {"legal": True}, "hill: inf")
    assert ("silent", "no.sea") not in missing(covered(tmp_path, WADING, dry))


def test_an_exception_is_used_only_where_it_lets_something_pass(tmp_path: Path) -> None:
    camp = [{"id": "hill", "kind": "land", "camp": True}, SPACES[1]]
    idle = case("idle", STACK, {"legal": True}, "hill: 2 inf", spaces=camp)
    assert ("unless", "stack/camp") in missing(covered(tmp_path, idle))
    used = case("used", STACK, {"legal": True}, "hill: 4 inf", spaces=camp)
    assert ("unless", "stack/camp") not in missing(covered(tmp_path, used))


def test_a_variant_is_used_under_its_option(tmp_path: Path) -> None:
    assert ("vary", "stack") in missing(covered(tmp_path, FULL))
    crowd = case("crowd", STACK, {"legal": True, "bound": 9}, "hill: 8 inf", options=["crowd"])
    assert ("vary", "stack") not in missing(covered(tmp_path, crowd))


def test_branches_and_cells(tmp_path: Path) -> None:
    found = covered(tmp_path, FULL, STORES)
    branches = [goal for goal in found.missing if goal.kind == "branch"]
    assert [goal.place.path[-2:] for goal in branches] == [("first", 0)]  # the camp's; `else` was taken
    assert found.counts()["branch"] == (1, 2)
    assert found.counts()["cell"] == (4, 4)  # the rule looks at both spaces and both arms
    assert covered(tmp_path, STORES).counts()["cell"] == (0, 4)


def loose(found: Mutation) -> dict[tuple[str, int], tuple[int, ...]]:
    return {(item.entry, int(item.number)): tuple(map(int, item.others)) for item in found.loose}


def test_a_way_that_only_a_line_goes_is_seen_and_pinned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    road = {"ways": {"road": {"cost": {"first": [{"if": {"@to.camp": True}, "then": 2}], "else": 1}}}}
    line = {
        "trace": "fed", "on": "piece", "levels": ["fed", "hungry"], "legs": [{"leg": "land", "way": "road"}], "budget": 3,
        "sources": [{"source": "sea", "level": "fed", "space": {"kind": "sea"}}],
    }  # fmt: skip
    monkeypatch.setitem(globals(), "RULES", [*RULES, road, line])
    unit = {"at": "hill", "power": "north", "pieces": [{"piece": "inf", "id": "unit"}]}
    asked = case(
        "line", {"trace": "fed", "of": {"piece": "unit"}}, {"level": "fed", "cost": 1},
        placements=[unit], links=[{"kind": "path", "pairs": [["hill", "bay"]]}],
    )  # fmt: skip
    found = covered(tmp_path, asked)
    of_the_way = [goal.place.path[-2:] for goal in found.missing if goal.name == "road"]
    assert of_the_way == [("first", 0)]
    assert ("road", 1) not in loose(mutate(found)) and ("road", 2) in loose(mutate(found))


def test_a_cell_that_only_a_distance_reads_is_pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    road = {
        "tables": {"toll": {"land": 4, "sea": 7}},
        "ways": {"road": {"cost": {"table": "toll", "row": ["@to.kind"]}}},
    }
    monkeypatch.setitem(globals(), "RULES", [*RULES, road])
    asked = case(
        "road", {"distance": ["hill", "bay"], "by": "road"}, {"value": 7},
        links=[{"kind": "path", "pairs": [["hill", "bay"]]}],
    )  # fmt: skip
    found = loose(mutate(covered(tmp_path, asked)))
    assert ("toll", 7) not in found and ("toll", 4) in found


def test_a_number_is_pinned_from_both_sides(tmp_path: Path) -> None:
    assert loose(mutate(covered(tmp_path, FULL)))["room", 3] == (4,)
    assert loose(mutate(covered(tmp_path, OVER)))["room", 3] == (2,)
    assert ("room", 3) not in loose(mutate(covered(tmp_path, FULL, OVER)))


def test_numbers_behind_definitions_are_pinned_through_the_rules_that_read_them(tmp_path: Path) -> None:
    found = loose(mutate(covered(tmp_path, STORES, EMPTY)))
    assert ("need", 1) not in found
    assert found["need", 5] == (4, 6)  # no case has a camp


def test_a_number_that_no_case_looks_at_is_loose(tmp_path: Path) -> None:
    found = mutate(covered(tmp_path, FULL, OVER))
    assert loose(found)["stack", 9] == (8, 10)
    assert found.numbers == 7 and found.pinned + len(found.loose) == 7


def test_the_work_is_bounded_and_says_so(tmp_path: Path) -> None:
    found = mutate(covered(tmp_path, FULL, OVER, STORES), most=1)
    assert found.untried > 0
    assert found.pinned + len(found.loose) + found.untried == found.numbers


def test_mutation_agrees_with_asking_everything_anew(tmp_path: Path) -> None:
    """Each number is really changed in the file, and all cases are asked."""
    cases = [
        FULL,
        OVER,
        STORES,
        EMPTY,
        WADING,
        case("all", {"findings": "all"}, {"legal": True}, "bay: 2 boat"),
    ]
    quick = loose(mutate(covered(tmp_path, *cases)))
    slow: dict[tuple[str, int], list[int]] = {}
    text = json.dumps(RULES)
    for name, number, old, new in (
        ("room", 3, '"foot": 3', '"foot": {}'),
        ("room", 2, '"ship": 2', '"ship": {}'),
        ("need", 5, '"then": 5', '"then": {}'),
        ("need", 1, '"else": 1', '"else": {}'),
        ("stack", 9, '"at_most": 9', '"at_most": {}'),
    ):
        for other in (number - 1, number + 1):
            root = written(tmp_path, cases)
            changed = text.replace(old, new.format(other))
            assert changed != text
            (root / "rules.json").write_text(f'{{"rules": {changed}}}', encoding="utf-8")
            result = check(root, "small")
            assert result.module is not None
            if all(answer.passed for _, answer in measure(result.module).results):
                slow.setdefault((name, number), []).append(other)
    quick.pop(("room", 0), None)
    assert quick == {key: tuple(others) for key, others in slow.items()}


def test_the_command_lists_them_with_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = written(tmp_path, [FULL, OVER])
    assert run(["test", "--coverage", "--mutate", str(root)]) == 0
    out = capsys.readouterr().out
    assert "of 3 rules the cases break 1 and keep 1; they use 0 of 1 exceptions" in out
    line = next(line for line in out.splitlines() if "no case breaks the rule 'stores'" in line)
    number = int(line.split("rules.json:")[1].split(":")[0])
    assert '"stores"' in (root / "rules.json").read_text(encoding="utf-8").splitlines()[number - 1]
    assert "9 of 'stack' could be 8 or 10" in out
    assert out.endswith("2 cases passed, 0 failed, 0 out of scope\n")


def test_the_command_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = written(tmp_path, [FULL, case("wrong", STACK, {"legal": True}, "hill: 4 inf")])
    assert run(["test", "--mutate", "--format", "json", str(root)]) == 1
    (told,) = json.loads(capsys.readouterr().out)["modules"]
    assert told["passed"] == 1 and [entry["case"] for entry in told["failed"]] == ["wrong"]
    assert told["coverage"]["fires"] == {"used": 1, "of": 3}
    assert {"kind": "vary", "name": "stack"}.items() <= next(
        goal for goal in told["coverage"]["missing"] if goal["kind"] == "vary"
    ).items()
    entry = next(item for item in told["mutation"]["loose"] if item["number"] == 9)
    assert entry["others"] == [8, 10] and entry["file"].endswith("rules.json") and entry["line"] > 1


# Alternatives ---------------------------------------------------------------------------------------------------------


def test_an_alternative_that_no_case_fulfils_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one inside a named selector; the first that holds is the one that counts."""
    rules: list[dict[str, Any]] = [
        {"selectors": {"dry": {"any": [{"kind": "land"}, {"camp": True}]}}},
        {"id": "foot", "section": "1", "for": [{"piece": {}}], "must": {"any": [{"arm": "ship"}, {"space": {"use": "dry"}}]}},
    ]  # fmt: skip
    ask = {"findings": ["foot"]}
    cases = [case("boat", ask, {"legal": True}, "bay: boat"), case("inf", ask, {"legal": True}, "hill: inf")]
    monkeypatch.setitem(globals(), "RULES", rules)
    found = covered(tmp_path, *cases)
    idle = [goal for goal in found.missing if goal.kind == "any"]
    assert [(goal.name, goal.place.path[-2:]) for goal in idle] == [("dry", ("any", 1))]
    assert idle[0].words == "no case fulfils this alternative of 'dry'"
    assert found.counts()["any"] == (3, 4)
