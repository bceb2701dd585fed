"""Traces: what is traced and from where, evidence and messages, variants, the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from trace_worlds import World, built, files_of

from compiler.cli import run
from compiler.rules import Judgement, SupplyLine, judge, read_back, supply

BLANK = {
    "kind": "land",
    "port": False,
    "city": False,
    "depot": False,
    "bad": False,
    "rough": False,
    "shut_to": [],
}
MARCH = {
    "ways": {
        "march": {"links": {"kind": "land"}, "enter": {"kind": "land", "shut_to": {"none": "@tracer.power"}}}
    }
}


def lane(
    *spaces: dict[str, Any], tags: dict[int, list[str]] | None = None, kinds: dict[int, str] | None = None
) -> World:
    """Spaces s0, s1 … in a row."""
    w = World()
    for i, values in enumerate(spaces):
        w.spaces[f"s{i}"] = {**BLANK, **values}
        if i:
            kind = (kinds or {}).get(i, "land")
            w.links.append(
                {
                    "a": f"s{i - 1}",
                    "b": f"s{i}",
                    "kind": kind,
                    "tags": (tags or {}).get(i, []),
                    "one_way": False,
                }
            )
    return w


def put(w: World, at: str, id: str = "unit", power: str = "north", **more: Any) -> World:
    w.pieces.append({"id": id, "power": power, "at": at, "hq": False, **more})
    return w


def trace(**fields: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "trace": "supply", "on": "piece", "section": "7", "levels": ["full", "low", "none"],
        "legs": [{"leg": "land", "way": "march"}], "budget": 3,
        "sources": [{"source": "city", "level": "full", "space": {"city": True}}],
    }  # fmt: skip
    return {key: value for key, value in {**plain, **fields}.items() if value is not None}


def lines(w: World, *rules: dict[str, Any], **asked: Any) -> dict[str, SupplyLine]:
    module, pack = built(files_of(w, list(rules)))
    return {line.tracer: line for line in supply(pack, module, module.scenarios["s"], **asked)}


def judged(w: World, *rules: dict[str, Any], **scenario: Any) -> Judgement:
    files = files_of(w, list(rules))
    files["scenarios/s.json"] |= scenario
    module, pack = built(files)
    return judge(pack, module, module.scenarios["s"])


FED = {
    "id": "fed", "section": "7", "for": [{"piece": {}}], "must": {"supply": "full"},
    "say": "{piece}: {why} [{path}] [{stop}] [{cost}] [{budget}]",
}  # fmt: skip
CITY = {"city": True}


# Paths and stops ------------------------------------------------------------------------------------------------------


def test_a_path_shows_each_space_with_the_running_cost() -> None:
    line = lines(put(lane({}, {}, CITY), "s0"), MARCH, trace())["unit"]
    assert [(step.space, step.leg, step.cost) for step in line.path] == [
        ("s0", "land", 0),
        ("s1", "land", 1),
        ("s2", "land", 2),
    ]
    assert (line.level, line.source, line.cost, line.budget, line.failed) == ("full", "s2", 2, 3, False)
    assert line.words == "s0 → s1 (1) → s2 (2)"


def test_a_path_shows_where_it_changes_the_leg() -> None:
    ways = {"ways": {**MARCH["ways"], "sail": {"links": {"kind": "water"}, "cost": 0}}}
    legs = [
        {"leg": "land", "way": "march"},
        {"leg": "sea", "way": "sail", "begin": {"port": True}, "optional": True},
    ]
    w = put(lane({}, {"port": True}, {"kind": "sea"}, CITY, kinds={2: "water", 3: "water"}), "s0")
    assert lines(w, ways, trace(legs=legs))["unit"].words == "s0 → s1 (1) → by 'sea' s2 (1) → s3"


def test_a_budget_that_is_too_small_is_a_stop_with_the_sum() -> None:
    line = lines(put(lane({}, {}, {}, {}, CITY), "s0"), MARCH, trace())["unit"]
    assert [(stop.space, stop.reason) for stop in line.stops] == [("s4", "cost 4, allowed 3")]
    assert (line.level, line.failed, line.budget) == ("none", True, 3)


def test_a_stop_names_the_condition_that_failed() -> None:
    line = lines(put(lane({}, {"shut_to": ["north"]}, CITY), "s0"), MARCH, trace())["unit"]
    assert line.stops[0].space == "s1"
    assert "shut_to includes 'north'" in line.stops[0].reason


def test_a_hexside_that_bars_the_way_is_a_stop() -> None:
    ways = {"ways": {"march": {"links": {"kind": "land", "tags": {"none": "strait"}}}}}
    line = lines(put(lane({}, {}, CITY, tags={2: ["strait"]}), "s0"), ways, trace())["unit"]
    assert line.stops[0].space == "s2" and "the land link from 's1'" in line.stops[0].reason


def test_stops_are_the_ones_nearest_to_a_source() -> None:
    w = put(lane({"shut_to": ["north"]}, {}, {}, {"shut_to": ["north"]}, CITY), "s1")
    assert [stop.space for stop in lines(w, MARCH, trace())["unit"].stops] == ["s3", "s0"]


def test_a_line_that_came_back_to_its_start_is_no_stop_there() -> None:
    """The start is told as such, and only once."""
    ways = {"ways": {**MARCH["ways"], "sail": {"links": {"kind": "water"}}}}
    begin = {"any": [{"is": "@start", "port": True}, {"city": True}]}
    legs = [{"leg": "land", "way": "march"}, {"leg": "sea", "way": "sail", "begin": begin, "optional": True}]
    w = put(lane({"port": True}, {}, {"kind": "sea"}, CITY, kinds={2: "water", 3: "water"}), "s0")
    stops = {stop.space: stop.reason for stop in lines(w, ways, trace(legs=legs))["unit"].stops}
    assert "s0" not in stops
    assert "it is 's1', should be the space where the line starts" in stops["s1"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"legs": [{"leg": "land", "way": "march", "gate": {"piece": {"hq": True}}}]}, "needs a piece there where hq is true"),
        ({"counts": {"once": {"cross": {"kind": "land"}, "at_most": 1}}}, "one link too many of 'once' (at most 1)"),
        ({"start": {"port": True}}, "port is false, should be true"),
        ({"sources": [{"source": "x", "level": "full", "space": {"port": True}}]}, "no source for it anywhere"),
        ({"legs": [{"leg": "land", "way": "march"}, {"leg": "on", "way": "march", "begin": {"port": True}}], "budget": None,
          "sources": [{"source": "city", "level": "full", "space": CITY, "in": ["on"]}]}, "is reached only in leg 'on'"),
    ],
)  # fmt: skip
def test_what_can_stop_a_line(fields: dict[str, Any], words: str) -> None:
    line = lines(put(lane({}, {}, CITY), "s0"), MARCH, trace(**fields))["unit"]
    assert line.level == "none"
    assert words in line.words


def test_a_rule_that_reads_a_trace_tells_the_stop_and_has_its_placeholders() -> None:
    found = judged(put(lane({}, {}, {}, {}, CITY), "s0"), MARCH, trace(), FED).findings
    assert found[0].message == (
        "unit: supply is 'none', should be 'full' (stopped at 's4': cost 4, allowed 3) "
        "[none] [stopped at 's4': cost 4, allowed 3] [none] [3]"
    )


def test_a_rule_that_forbids_a_level_tells_the_path() -> None:
    rule = {**FED, "must": {"supply": {"not": "full"}}, "say": "{path} costs {cost} of {budget}"}
    found = judged(put(lane({}, {}, CITY), "s0"), MARCH, trace(), rule).findings
    assert found[0].message == "s0 → s1 (1) → s2 (2) costs 2 of 3"


# Whom a line is judged for --------------------------------------------------------------------------------------------


def test_a_relay_line_is_judged_for_the_tracer_or_for_the_relay() -> None:
    w = lane({}, {}, {"shut_to": ["north"]}, CITY)
    put(put(w, "s0"), "s1", "hq", "east", hq=True)
    relays = [{"relay": "hq", "piece": {"hq": True, "side": "@tracer.side"}}]
    by_tracer = lines(w, MARCH, trace(relays=relays, judge="tracer"))["unit"]
    by_relay = lines(w, MARCH, trace(relays=relays, judge="relay"))["unit"]
    assert (by_tracer.level, by_tracer.stops[0].space) == ("none", "s2")
    assert by_relay.level == "full"
    assert by_relay.words == "s0 → s1 (1); from 'hq' → s2 (2) → s3 (3)"


def test_two_relays_cannot_feed_each_other() -> None:
    w = lane({}, {}, {"shut_to": ["north"]}, CITY)
    put(put(w, "s0", "one", hq=True), "s1", "two", hq=True)
    found = lines(w, MARCH, trace(relays=[{"relay": "hq", "piece": {"hq": True}}]))
    assert {line.level for line in found.values()} == {"none"}


def test_a_relay_uses_its_own_line_from_its_own_space() -> None:
    ways = {"ways": {**MARCH["ways"], "ride": {"like": "march", "cost": 0}}}
    chain = [
        {"from": ["tracer"], "to": ["city"], "line": "short"},
        {"from": ["hq"], "to": ["city"], "line": "long"},
    ]
    fields = {
        "legs": None, "budget": None, "chain": chain, "relays": [{"relay": "hq", "piece": {"hq": True}}],
        "lines": {"short": {"budget": 1, "legs": [{"leg": "a", "way": "march"}]}, "long": {"budget": 1, "legs": [{"leg": "b", "way": "ride"}]}},
    }  # fmt: skip
    w = put(put(lane({}, {}, {}, CITY), "s0", "unit"), "s0", "hq", hq=True)
    found = lines(w, ways, trace(**fields))
    assert (found["unit"].level, found["hq"].level) == ("none", "full")


# Tracers of other kinds -----------------------------------------------------------------------------------------------


def test_spaces_can_trace() -> None:
    ways = {"ways": {"march": {"links": {"kind": "land"}}}}
    found = lines(
        lane({}, CITY, {"kind": "sea"}, {}, kinds={2: "water", 3: "water"}),
        ways,
        trace(on="space", **{"if": {"kind": "land"}}),
    )
    assert {id: line.level for id, line in found.items()} == {"s0": "full", "s1": "full", "s3": "none"}


def test_powers_trace_from_their_capitals() -> None:
    w = lane({}, {}, CITY)
    plain = {"ways": {"march": {"links": {"kind": "land"}}}}
    files = files_of(w, [plain, {**trace(on="power"), "if": {"capital": {"not": None}}}])
    files["module.json"] = json.loads(json.dumps(files["module.json"]))
    files["module.json"]["powers"][0]["capital"] = "s0"
    module, pack = built(files)
    found = supply(pack, module, module.scenarios["s"])
    assert [(line.tracer, line.level, line.cost) for line in found] == [("north", "full", 2)]


def test_arrivals_are_traced_where_they_come_in() -> None:
    rule = {**FED, "for": [{"arrival": {}}], "say": "{arrival} would be out: {stop}"}
    w = lane({}, {}, {}, {}, CITY)
    came = [{"due": "1", "at": at, "power": "north", "pieces": ["unit"]} for at in ("s0", "s3")]
    files = files_of(w, [MARCH, trace(), rule])
    files["sequence.json"] = {"turns": [{"id": "1"}]}
    files["scenarios/s.json"]["reinforcements"] = came
    module, pack = built(files)
    found = judge(pack, module, module.scenarios["s"]).findings
    assert [f.message for f in found] == ["north.unit would be out: stopped at 's4': cost 4, allowed 3"]


def test_items_that_do_not_trace_have_no_level() -> None:
    rule = {**FED, "must": {"supply": None}, "say": "{piece}"}
    w = put(put(lane(CITY), "s0", "unit"), "s0", "boss", hq=True)
    found = judged(w, MARCH, trace(**{"if": {"hq": False}}), rule).findings
    assert [f.message for f in found] == ["unit"]


def test_a_grant_needs_no_path_and_a_better_line_beats_it() -> None:
    grant = [{"if": {"hq": True}, "level": "low", "section": "7.1"}]
    far, near = put(lane({}, {"shut_to": ["north"]}, CITY), "s0", hq=True), put(lane({}, CITY), "s0", hq=True)
    granted = lines(far, MARCH, trace(grant=grant))["unit"]
    assert (granted.level, granted.path, granted.granted, granted.words) == (
        "low",
        (),
        "7.1",
        "without a line, 7.1",
    )
    assert lines(near, MARCH, trace(grant=grant))["unit"].level == "full"


# Variants, facts, trouble ---------------------------------------------------------------------------------------------


def test_options_vary_a_trace_and_a_scenario_has_the_last_word() -> None:
    w = put(lane({}, {}, {}, {}, CITY), "s0")
    vary = [{"when": {"id": "s"}, "set": {"budget": 4}}]
    assert lines(w, MARCH, trace(vary=vary))["unit"].level == "full"
    longer = {"rules": {"supply": {"set": {"budget": 4}, "reason": "a test"}}}
    assert judged(w, MARCH, trace(), FED, **longer).findings == ()
    off = {"rules": {"supply": {"off": True, "reason": "a test"}}}
    silent = {**FED, "must": {"supply": None}}
    assert judged(w, MARCH, trace(), silent, **off).findings == ()


def test_a_fact_that_nobody_stated_leaves_the_rule_unjudged() -> None:
    files = files_of(
        put(lane({}, CITY), "s0"), [{"ways": {"march": {"enter": {"cursed": False}}}}, trace(), FED]
    )
    files["module.json"] = json.loads(json.dumps(files["module.json"]))
    files["module.json"]["vocabulary"]["space"]["cursed"] = {"type": "bool", "fact": True}
    module, pack = built(files)
    found = judge(pack, module, module.scenarios["s"])
    assert [skipped.rule for skipped in found.not_judged] == ["fed"]
    assert (
        supply(pack, module, module.scenarios["s"])[0].problem
        == "needs 'cursed' of a space, which is not stated"
    )


def test_a_cost_below_nothing_is_no_answer() -> None:
    ways = {"ways": {"march": {"links": {"kind": "land"}, "cost": {"subtract": [0, {"count": "piece"}]}}}}
    found = judged(put(lane({}, CITY), "s0"), ways, trace(), FED).findings
    assert [f.code for f in found] == ["G102"]
    assert "may not be less than 0" in found[0].message


def test_a_null_budget_is_no_limit() -> None:
    budget = {"first": [{"if": {"@start.bad": True}, "then": 1}], "else": None}
    spaces = [{} for _ in range(12)]
    assert lines(put(lane(*spaces, CITY), "s0"), MARCH, trace(budget=budget))["unit"].cost == 12
    assert (
        lines(put(lane({"bad": True}, {}, CITY), "s0"), MARCH, trace(budget=budget))["unit"].level == "none"
    )


def test_start_is_nothing_once_it_is_left() -> None:
    """The sea may be entered from the start itself without a port, but from no other such space."""
    ways = {"ways": {**MARCH["ways"], "sail": {"links": {"any": [{"tags": "road"}, {"from": "@start"}]}}}}
    legs = [
        {"leg": "land", "way": "march"},
        {"leg": "sea", "way": "sail", "begin": {"any": [{"is": "@start"}, {"port": True}]}, "optional": True},
    ]
    w = lane({}, {}, {"kind": "sea"}, CITY, kinds={2: "water", 3: "water"}, tags={3: ["road"]})
    put(put(w, "s1", "coast"), "s0", "inland")
    found = lines(w, ways, trace(legs=legs))
    assert (found["coast"].level, found["inland"].level) == ("full", "none")


# Read back, asked from outside ----------------------------------------------------------------------------------------


def test_a_trace_is_read_back_in_words() -> None:
    w = put(lane({}, CITY), "s0")
    legs = [
        {"leg": "land", "way": "march", "at_most": 2},
        {"leg": "sea", "way": "march", "optional": True, "gate": {"piece": {"hq": True}, "capacity": 2}},
    ]
    sources = [
        {
            "source": "city",
            "level": "full",
            "space": CITY,
            "in": ["land"],
            "capacity": 3,
            "weigh": "@tracer.size",
            "split": True,
        }
    ]
    _, pack = built(files_of(w, [MARCH, trace(budget=None, legs=legs, sources=sources, together=True)]))
    told = read_back(pack, "supply")
    for words in (
        "Each piece gets one of full, low, or else 'none'.",
        "1. 'land', at most 2: over links where kind is 'land', into spaces where kind is 'land'",
        "2. 'sea' (may be left out), through a piece where hq is true, which serves 2 times",
        "Source 'city' gives 'full': a space where city is true, reached in leg land, each for at most 3, counted by the tracer's size, several together if need be.",
    ):
        assert words in told


def test_supply_answers_for_one_space_one_piece_or_one_trace() -> None:
    w = put(put(lane({}, {}, CITY), "s0", "a"), "s1", "b")
    other = trace(trace="water")
    assert set(lines(w, MARCH, trace(), other, of="s1")) == {"b"}
    assert set(lines(w, MARCH, trace(), other, of="a")) == {"a"}
    module, pack = built(files_of(w, [MARCH, trace(), other]))
    assert {line.trace for line in supply(pack, module, module.scenarios["s"], trace="water")} == {"water"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    w = put(put(lane({}, {}, CITY), "s0", "near"), "s0", "cut", "south")
    ways = {"ways": {"march": {"links": {"kind": "land"}, "enter": {"shut_to": {"none": "@tracer.power"}}}}}
    w.spaces["s1"]["shut_to"] = ["south"]
    for path, value in files_of(w, [ways, trace()]).items():
        file = tmp_path / "small" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value), encoding="utf-8")
    return tmp_path / "small"


def test_the_command_prints_paths_and_stops(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["supply", str(folder), "s"]) == 0
    out = capsys.readouterr().out
    assert "supply: near in s0: full\n    s0 → s1 (1) → s2 (2)\n" in out
    assert "supply: cut in s0: none\n    stopped at 's1': shut_to includes 'south'" in out
    assert out.endswith("supply: 2 traced: 1 none, 1 full\n")


def test_the_command_gives_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["supply", str(folder), "s", "near", "--format", "json"]) == 0
    (line,) = json.loads(capsys.readouterr().out)
    assert (line["level"], line["cost"], line["budget"], line["source"]) == ("full", 2, 3, "s2")
    assert line["path"][1] == {"space": "s1", "leg": "land", "cost": 1, "line": "", "relay": None}
    assert run(["supply", str(folder), "s", "--format", "json"]) == 0
    stopped = [line for line in json.loads(capsys.readouterr().out) if line["failed"]]
    for line in stopped:
        assert all(
            stop["way"][-1] == stop["space"] and stop["end"] and stop["away"] >= 0 for stop in line["stops"]
        )
    assert stopped


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["x"], "there is no scenario 'x'; there are: s"),
        (["s", "nera"], "'nera' is no space and no piece of scenario 's'; did you mean 'near'?"),
        (["s", "--trace", "suply"], "there is no trace 'suply'; did you mean 'supply'?"),
    ],
)
def test_the_command_says_what_is_not_there(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert run(["supply", str(folder), *words]) == 2
    assert told in capsys.readouterr().err
