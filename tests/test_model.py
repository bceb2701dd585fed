"""What the model makes of good sources: pieces and their ids, values, cases, texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from compiler.findings import Finding, Place, Severity
from compiler.model import build, maps
from compiler.model.types import Case, Module, Scenario, Type
from compiler.source import kind_of, read
from compiler.source.document import Document

GOOD = Path(__file__).parent / "good"


@pytest.fixture(scope="module")
def straits() -> Module:
    docs, _ = read(GOOD / "straits", "")
    module, findings = build(docs)
    assert module is not None and findings == []
    return module


def make(files: Mapping[str, Any]) -> tuple[Module, list[Finding]]:
    """A module from Python values, without touching a disk, and its errors."""
    docs = {
        path: Document(path, json.dumps(value), value, path, kind_of(path)) for path, value in files.items()
    }
    module, findings = build(docs)
    assert module is not None
    return module, errors(findings)


def errors(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def table(**scenario: Any) -> dict[str, Any]:
    """The smallest module with two spaces, two powers and a scenario."""
    return {
        "module.json": {
            "id": "small", "version": "1", "languages": ["en"], "name": "Small",
            "sides": [{"id": "a", "name": "A"}, {"id": "b", "name": "B"}],
            "powers": [{"id": "p", "side": "a", "name": "P"}, {"id": "q", "side": "b", "name": "Q"}],
            "vocabulary": {
                "space": {"kind": {"type": ["land"], "names": {"land": "Land"}}, "value": "number"},
                "link": {"kind": ["road"]},
                "piece": {"arm": ["foot", "ship"], "parts": "set of piece"},
            },
        },
        "maps/m.json": {
            "id": "m", "kind": "area",
            "spaces": [
                {"id": "x", "kind": "land", "label": "X", "controller": "p"},
                {"id": "y", "kind": "land", "label": "Y"},
            ],
            "links": [{"kind": "road", "pairs": [["x", "y"]]}],
        },
        "counters/c.json": {
            "types": [{"id": "inf", "arm": "foot", "name": "I"}, {"id": "ship", "arm": "ship", "name": "S"}],
            "counters": [{"type": "inf", "powers": ["p", "q"]}, {"type": "ship", "powers": ["p"]}],
        },
        "scenarios/s.json": {"id": "s", "name": "S", **scenario},
    }  # fmt: skip


def pieces(scenario: Scenario) -> list[str]:
    return [piece.id for piece in scenario.pieces]


def case(module: Module, id: str) -> Case:
    return next(case for case in module.cases if case.id == id)


# Pieces.


def test_pieces_are_numbered_by_counter_and_space_in_written_order() -> None:
    placements = [
        {"at": "x", "power": "p", "pieces": ["2 inf", {"piece": "ship", "id": "ark"}, "inf"]},
        {"at": "y", "power": "q", "pieces": ["inf"]},
        {"at": "x", "pieces": ["p.inf", "p.ship"]},
    ]
    module, findings = make(table(placements=placements))
    assert findings == []
    assert pieces(module.scenarios["s"]) == [
        "p.inf@x#1", "p.inf@x#2", "ark", "p.inf@x#3", "q.inf@y#1", "p.inf@x#4", "p.ship@x#2",
    ]  # fmt: skip


def test_cargo_stands_where_its_carrier_stands_and_knows_it(straits: Module) -> None:
    aboard = {p.id: (p.space, p.aboard) for p in straits.scenarios["spring"].pieces if p.aboard}
    assert aboard == {
        "south.inf@sea_east#1": ("sea_east", "flagship"),
        "isle.inf@sea_east#1": ("sea_east", "flagship"),
        "south.tank@sea_east#1": ("sea_east", "ferry"),
    }


def test_each_carrier_of_a_count_gets_its_own_cargo() -> None:
    placed = [{"at": "x", "power": "p", "pieces": [{"piece": "ship", "count": 2, "cargo": ["inf"]}]}]
    module, findings = make(table(placements=placed))
    assert findings == []
    assert [(p.id, p.aboard) for p in module.scenarios["s"].pieces] == [
        ("p.ship@x#1", None),
        ("p.ship@x#2", None),
        ("p.inf@x#1", "p.ship@x#1"),
        ("p.inf@x#2", "p.ship@x#2"),
    ]


def test_remove_takes_the_last_and_leaves_the_cargo_behind(straits: Module) -> None:
    autumn = straits.scenarios["autumn"]
    assert [id for id in pieces(autumn) if "@harbour" in id] == [
        "south.inf@harbour#1",
        "south.plane@harbour#1",
    ]
    sunk = {p.id: p.aboard for p in case(straits, "SE3").scenario.pieces if p.space == "sea_east"}
    assert "ferry" not in sunk
    assert sunk["south.tank@sea_east#1"] is None


def test_add_goes_on_counting_after_the_pieces_taken_over(straits: Module) -> None:
    meadow = [id for id in pieces(straits.scenarios["autumn"]) if "@meadow" in id]
    assert meadow == [f"north.inf@meadow#{n}" for n in range(1, 6)]


def test_a_scenario_takes_over_what_it_does_not_give_itself(straits: Module) -> None:
    spring, autumn = straits.scenarios["spring"], straits.scenarios["autumn"]
    assert (autumn.date, autumn.moment, autumn.options) == ("4", "setup", ("short_game", "fog"))
    assert autumn.control == spring.control == {"fens": "north"}
    assert autumn.tracks["north.money"] == 9
    assert autumn.arrivals == spring.arrivals


def test_control_keeps_only_what_differs_from_the_map() -> None:
    module, findings = make(table(control={"p": ["x"], "q": ["y"], "none": []}))
    assert findings == []
    assert module.scenarios["s"].control == {"y": "q"}
    module, _ = make(table(control={"none": ["x"]}))
    assert module.scenarios["s"].control == {"x": None}


def test_pieces_named_in_attributes_are_looked_up_when_all_are_placed() -> None:
    placed = [
        {
            "at": "x",
            "power": "p",
            "pieces": [{"piece": "inf", "parts": ["second"]}, {"piece": "inf", "id": "second"}],
        }
    ]
    module, findings = make(table(placements=placed))
    assert findings == []
    assert module.scenarios["s"].pieces[0].values["parts"] == ("second",)
    placed[0]["pieces"][0]["parts"] = ["third"]  # type: ignore[index]
    _, findings = make(table(placements=placed))
    assert [(f.code, f.place and f.place.path[-1]) for f in findings] == [("N116", 0)]


# Values.


def test_values_are_exact_and_resolved(straits: Module) -> None:
    hilltop = straits.spaces["hilltop"]
    assert hilltop.values == {"terrain": "hills", "emblem": "north", "income": 3, "fortified": Decimal("1.5")}
    assert (hilltop.kind, hilltop.controller, hilltop.map) == ("land", "north", "world")
    assert straits.types["tank"].values["losses"] == {"hills": {"1": 2}}
    narrows = next(link for m in straits.maps.values() for link in m.links if link.id == "narrows")
    assert (narrows.tags, narrows.values) == (("canal",), {"keys": ("harbour", "fens")})


def test_a_type_takes_over_from_the_type_it_is_like(straits: Module) -> None:
    tank = straits.types["tank"].values
    assert (tank["arm"], tank["cost"], tank["move"]) == ("land", 6, 2)
    guard = straits.counters["isle.guard"]
    assert (guard.values["arm"], guard.values["steps"], guard.printed) == ("land", 2, None)
    assert straits.counters["north.inf"].printed == 12


def test_tags_are_a_set_however_their_words_are_declared(straits: Module) -> None:
    assert straits.vocabulary["link", "tags"].type == Type("word", ("river", "canal"), None, True)


def test_sources_are_inherited_from_the_file(straits: Module) -> None:
    spaces = straits.spaces
    source = spaces["fens"].source
    assert source is not None and (source.kind, source.name) == ("outside", "AT")
    box = spaces["reserve"].source
    assert box is not None and box.kind == "project"
    lines = {p.source.line for p in straits.scenarios["spring"].pieces if p.source is not None}
    assert lines == {"40-52", "44"}


def test_a_chart_reads_the_types_themselves(straits: Module) -> None:
    rows = straits.charts["units"].rows
    assert rows == (("#type.inf", 3, 1), ("#type.tank", 6, 2), ("#type.ship", 8, 2), ("#type.plane", 10, 4))


# Cases.


def test_a_row_takes_over_its_case_and_replaces_what_it_gives(straits: Module) -> None:
    second = case(straits, "ST2")
    assert (second.title, second.section, second.scenario.moment) == (
        "four to a land area",
        "5",
        "between_turns",
    )
    assert second.ask == {"rule": "stack.limit", "at": {"space": "meadow"}}
    assert len(second.scenario.pieces) == 5
    assert second.answer_place.path == ("cases", 0, "rows", 1, "answer")
    assert second.ask_place.path == ("cases", 0, "ask")


def test_a_case_adds_to_the_scenario_it_starts_from(straits: Module) -> None:
    added = case(straits, "SE2").scenario
    spring = straits.scenarios["spring"]
    assert len(added.pieces) == len(spring.pieces) + 2
    assert (added.id, added.date, added.control) == ("spring", "1", spring.control)


def test_a_case_without_the_map_sees_only_its_own_spaces(straits: Module) -> None:
    fixture = case(straits, "SH1").fixture
    assert not fixture.own_map
    assert [space.id for space in fixture.spaces] == ["t1", "z1"]
    assert [(link.a, link.b) for link in fixture.links] == [("t1", "z1")]


def test_a_case_may_declare_a_track_and_a_row_set_it() -> None:
    docs, _ = read(GOOD / "verdicts", "")
    module, findings = build(docs)
    assert module is not None and findings == []
    first, second = case(module, "W1"), case(module, "W2")
    assert [track.id for track in second.fixture.tracks] == ["fame"]
    assert (first.scenario.tracks, second.scenario.tracks) == ({"fame": 2}, {"fame": 4})


def test_plans_become_arrivals(straits: Module) -> None:
    plan = [(a.id, a.plan, a.at, a.from_) for a in case(straits, "BU2").scenario.arrivals]
    assert plan == [
        ("north.ship+sea_west#1", "place", "sea_west", "harbour"),
        ("north.ship+buy#1", "buy", None, None),
        ("north.ship+buy#2", "buy", None, None),
    ]
    due = [(a.id, a.due, a.plan) for a in straits.scenarios["spring"].arrivals]
    assert due == [("north.tank+hilltop#1", "3", None), ("north.tank+hilltop#2", "3", None)]


# Texts.


def test_a_space_without_words_is_called_after_its_label(straits: Module) -> None:
    texts = straits.texts
    assert texts.get("counter.isle.guard", "fr") == "Gardes de l’Île"
    assert not texts.has("counter.north.inf", "fr")
    assert texts.get("space.sea_west", "fr") == "1"
    assert texts.get("map.world", "fr") == "world"


def test_inline_words_belong_to_the_first_language(straits: Module) -> None:
    assert straits.texts.get("rule.stack.limit.title") == "Stacking"
    assert straits.texts.get("rule.stack.limit.title", "fr") == "Empilement"


def test_a_name_may_be_another_text() -> None:
    files = table()
    files["maps/m.json"]["spaces"][0] = {"id": "x", "kind": "land", "controller": "p", "name": "#common.x"}
    files["text/en.json"] = {"language": "en", "texts": {"common": {"x": "Ex"}}}
    module, findings = make(files)
    assert findings == []
    assert module.texts.get("space.x") == "Ex"


# Files.


def test_an_included_file_is_read_as_if_it_stood_in_the_other() -> None:
    files = table()
    spaces = files["maps/m.json"]["spaces"]
    main = {**files["maps/m.json"], "spaces": spaces[:1], "include": ["maps/part.json"]}
    part = {"spaces": spaces[1:]}
    docs = {
        path: Document(path, json.dumps(value), value, path, kind_of(path)) for path, value in files.items()
    }
    docs["maps/m.json"] = Document("maps/m.json", "", main, "maps/m.json", "map", ("maps/part.json",))
    docs["maps/part.json"] = Document("maps/part.json", "", part, "maps/part.json", "map", (), True)
    module, findings = build(docs)
    assert module is not None and errors(findings) == []
    assert list(module.spaces) == ["x", "y"]
    assert module.spaces["y"].place == Place(docs["maps/part.json"], ("spaces", 0))


def test_names_of_a_file_that_could_not_be_read_are_not_called_unknown() -> None:
    files = table(placements=[{"at": "x", "power": "p", "pieces": ["inf"]}])
    lost = Document("counters/c.json", "{", None, "counters/c.json", "counters")
    docs = {
        path: Document(path, json.dumps(value), value, path, kind_of(path))
        for path, value in files.items()
        if path != "counters/c.json"
    }
    _, findings = build(docs, unread=[lost])
    assert findings == []
    _, findings = build(docs)
    assert {f.code for f in errors(findings)} == {"N533"}, "no counters at all is one mistake"
    _, findings = make({**files, "counters/c.json": {"types": [], "counters": []}})
    assert "N104" in {f.code for f in errors(findings)}, "a file that was read and lacks the name"


def test_without_module_json_there_is_no_module() -> None:
    assert build({}) == (None, [])


# Limits.


def test_too_many_spaces_are_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maps, "MAX_SPACES", 1)
    _, findings = make(table())
    assert [f.code for f in findings if f.code == "N509"] == ["N509"]


def test_too_many_counters_are_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compiler.model.counters.MAX_COUNTERS", 2)
    _, findings = make(table())
    assert [f.code for f in findings if f.code == "N510"] == ["N510"]
