"""Shared capacities: the joint answer is exact, and says so when it is not known."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trace_worlds import MODULE, World, built, files_of

from compiler.rules import judge, supply
from compiler.rules.trace.assign import assign
from compiler.rules.trace.branch import branch
from compiler.rules.trace.claims import Claim, Option
from compiler.rules.trace.solve import solve
from compiler.rules.trace.table import table

LEVELS = 3
many = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=250)
seeds = st.integers(0, 2**32)


# Against trying everything --------------------------------------------------------------------------------------------


def simple(rng: random.Random) -> tuple[list[Claim], dict[str, int]]:
    """Each option takes one of one thing."""
    capacity = {thing: rng.randint(0, 2) for thing in "abc"}
    return [_claim(rng, lambda: ((rng.choice("abc"), 1),)) for _ in range(rng.randint(1, 5))], capacity


def double(rng: random.Random) -> tuple[list[Claim], dict[str, int]]:
    """Options take of one or two things, and different amounts."""
    capacity = {thing: rng.randint(0, 4) for thing in "abcd"}

    def takes() -> tuple[tuple[str, int], ...]:
        return tuple((thing, rng.randint(1, 2)) for thing in sorted(rng.sample("abcd", rng.randint(1, 2))))

    return [_claim(rng, takes) for _ in range(rng.randint(1, 5))], capacity


def shared(rng: random.Random) -> tuple[list[Claim], dict[str, int]]:
    """Some options may be served by several things together."""
    capacity = {thing: rng.randint(0, 3) for thing in "abc"}

    def option(level: int) -> Option:
        weight = rng.randint(1, 3)
        things = sorted(rng.sample("abc", rng.randint(1, 3)))
        if rng.random() < 0.3:
            return Option(level, ((things[0], weight),))
        return Option(level, tuple((thing, weight) for thing in things), split=True)

    def claim() -> Claim:
        fallback = rng.choice([1, 2, 2])
        return Claim(fallback, tuple(option(level) for level in range(fallback) if rng.random() < 0.8))

    return [claim() for _ in range(rng.randint(1, 5))], capacity


def _claim(rng: random.Random, takes: Any) -> Claim:
    fallback = rng.choice([1, 2, 2])
    levels = sorted(rng.randrange(fallback) for _ in range(rng.randint(0, 3)))
    return Claim(fallback, tuple(Option(level, takes()) for level in levels))


def best_levels(claims: Sequence[Claim], capacity: Mapping[str, int]) -> tuple[int, ...]:
    """Every choice of every claim: most at the best level, then at the next …; then the first claim first."""
    choices = [[None, *claim.options] for claim in claims]
    found = []
    for chosen in itertools.product(*choices):
        if feasible([option for option in chosen if option is not None], dict(capacity)):
            levels = tuple(
                c.fallback if option is None else option.level
                for c, option in zip(claims, chosen, strict=True)
            )
            found.append(([-levels.count(level) for level in range(LEVELS)], levels))
    return min(found)[1]


def feasible(options: Sequence[Option], left: dict[Any, int]) -> bool:
    if not options:
        return True
    first, *rest = options
    for taken in _ways(first, left):
        after = {thing: amount - taken.get(thing, 0) for thing, amount in left.items()}
        if all(amount >= 0 for amount in after.values()) and feasible(rest, after):
            return True
    return False


def _ways(option: Option, left: Mapping[Any, int]) -> Iterator[dict[Any, int]]:
    if not option.split:
        yield {thing: int(amount) for thing, amount in option.takes}
        return
    things, weight = [thing for thing, _ in option.takes], int(option.takes[0][1])
    for amounts in itertools.product(*(range(left[thing] + 1) for thing in things)):
        if sum(amounts) == weight:
            yield dict(zip(things, amounts, strict=True))


@pytest.mark.parametrize("kind", [simple, double, shared])
@many
@given(seed=seeds)
def test_the_joint_answer_is_the_best_of_all(kind: Any, seed: int) -> None:
    claims, capacity = kind(random.Random(seed))
    found = solve(claims, capacity, LEVELS)
    assert all(found.decided)
    assert found.levels == best_levels(claims, capacity)
    chosen = [claims[i].options[o] for i, o in enumerate(found.chosen) if o is not None]
    assert feasible(chosen, dict(capacity))


@many
@given(seed=seeds)
def test_all_ways_to_solve_agree(seed: int) -> None:
    claims, capacity = simple(random.Random(seed))

    def levels(chosen: Sequence[int | None]) -> list[int]:
        return [c.fallback if o is None else c.options[o].level for c, o in zip(claims, chosen, strict=True)]

    one, two, three = (way(claims, capacity, LEVELS) for way in (assign, table, branch))
    assert levels(one.chosen) == levels(two.chosen) == levels(three.chosen)


def test_three_hundred_claims_are_quick() -> None:
    rng = random.Random(5)
    things = [f"t{i}" for i in range(140)]
    claims = [
        Claim(2, tuple(Option(rng.choice([0, 1]), ((thing, 1),)) for thing in rng.sample(things, 4)))
        for _ in range(300)
    ]
    found = solve(claims, dict.fromkeys(things, 2), LEVELS)
    assert all(found.decided)
    assert sum(level < 2 for level in found.levels) > 250


def test_a_search_that_is_too_large_says_between_what_the_answer_lies() -> None:
    rng = random.Random(2)
    claims = [
        Claim(2, (Option(1, tuple((t, rng.randint(1, 5)) for t in rng.sample("abcdefgh", 3))),))
        for _ in range(18)
    ]
    capacity = dict.fromkeys("abcdefgh", 9)
    small = table(claims, capacity, LEVELS, states=50)
    assert not small.decided
    exact = table(claims, capacity, LEVELS)
    assert exact.decided
    assert small.least <= sum(o is not None for o in exact.chosen) <= small.most


# On a board -----------------------------------------------------------------------------------------------------------


def depot_world(pieces: int, size: int = 1, room: int = 2, depots: int = 1) -> World:
    w = World()
    blank = {"kind": "land", "port": False, "city": False, "bad": False, "rough": False, "shut_to": []}
    for i in range(depots + 1):
        w.spaces[f"s{i}"] = {**blank, "depot": i > 0, "room": room}
        if i:
            w.links.append({"a": "s0", "b": f"s{i}", "kind": "land", "tags": [], "one_way": False})
    for i in range(pieces):
        w.pieces.append({"id": f"p{i:03}", "power": "north", "at": "s0", "hq": False, "size": size})
    return w


def depot_rules(split: bool = False) -> list[dict[str, Any]]:
    source: dict[str, Any] = {
        "source": "depot",
        "level": "low",
        "space": {"depot": True},
        "capacity": "@source.room",
    }
    source |= {"weigh": "@tracer.size", "split": split}
    trace = {
        "trace": "supply", "on": "piece", "section": "9", "levels": ["full", "low", "none"], "together": True,
        "legs": [{"leg": "land", "way": "march", "at_most": 2}], "sources": [source],
    }  # fmt: skip
    rule = {"id": "fed", "section": "9", "for": [{"piece": {}}], "must": {"supply_together": ["full", "low"]}}
    return [{"ways": {"march": {"links": {"kind": "land"}}}}, trace, rule]


def alone_and_together(w: World, split: bool = False) -> list[tuple[str | None, str | None]]:
    module, pack = built(files_of(w, depot_rules(split)))
    return [(line.level, line.together) for line in supply(pack, module, module.scenarios["s"])]


def test_a_depot_for_two_serves_the_first_two() -> None:
    assert MODULE["id"] == "random"
    assert alone_and_together(depot_world(3)) == [("low", "low"), ("low", "low"), ("low", "none")]


def test_a_heavy_piece_needs_a_depot_that_holds_it() -> None:
    assert alone_and_together(depot_world(1, size=3, room=2, depots=2)) == [("none", "none")]
    assert alone_and_together(depot_world(1, size=3, room=3, depots=2)) == [("low", "low")]


def test_several_depots_serve_one_piece_where_that_is_allowed() -> None:
    assert alone_and_together(depot_world(1, size=3, room=2, depots=2), split=True) == [("low", "low")]
    assert alone_and_together(depot_world(2, size=3, room=2, depots=3), split=True) == [("low", "low")] * 2
    assert alone_and_together(depot_world(2, size=3, room=2, depots=2), split=True)[1] == ("low", "none")


def test_a_shortage_is_a_note_that_names_the_source_and_who_wants_it() -> None:
    module, pack = built(files_of(depot_world(3), depot_rules()))
    findings = judge(pack, module, module.scenarios["s"]).findings
    note = next(f for f in findings if f.code == "G104")
    assert note.severity.word == "note"
    for word in ("'s1'", "serves 2", "p000, p001, p002", "without: p002"):
        assert word in note.message
    assert [f.subject for f in findings if f.code == "fed"] == [("p002",)]


def test_no_error_rests_on_an_undecided_answer() -> None:
    w = depot_world(310, size=2, room=5, depots=3)
    module, pack = built(files_of(w, depot_rules(split=True)))
    found = judge(pack, module, module.scenarios["s"])
    undecided = next(f for f in found.findings if f.code == "G105")
    assert "between" in undecided.message and "undecided" in undecided.message
    assert [skipped.rule for skipped in found.not_judged] == ["fed"]
    assert not any(f.severity.word == "error" for f in found.findings)
    assert {line.together for line in supply(pack, module, module.scenarios["s"])} == {"undecided"}


@settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=60)
@given(seed=seeds)
def test_another_depot_never_lowers_the_number_served(seed: int) -> None:
    rng = random.Random(seed)
    w = depot_world(rng.randint(1, 6), rng.randint(1, 3), rng.randint(1, 4), rng.randint(1, 3))
    for piece in w.pieces:
        piece["size"] = rng.randint(1, 3)
    split = rng.random() < 0.5
    before = [together for _, together in alone_and_together(w, split)]
    w.spaces["s0"]["depot"] = True
    after = [together for _, together in alone_and_together(w, split)]
    assert after.count("low") >= before.count("low")


# A whole board against trying everything ------------------------------------------------------------------------------


def ferry_world(rng: random.Random) -> World:
    """A shore with depots, and depots over the sea that only a ferry leads to; each of them for a few."""
    w = World()
    blank = {"kind": "land", "port": False, "city": False, "bad": False, "rough": False, "shut_to": []}
    for name in ("a", "b", "c", "d"):
        w.spaces[name] = {
            **blank,
            "depot": rng.random() < 0.5,
            "city": rng.random() < 0.3,
            "room": rng.randint(0, 2),
        }
    w.spaces["b"]["port"] = w.spaces["c"]["port"] = True
    for one, other, kind in (("a", "b", "land"), ("b", "c", "water"), ("c", "d", "land")):
        w.links.append({"a": one, "b": other, "kind": kind, "tags": [], "one_way": False})
    for i in range(rng.randint(1, 4)):
        w.pieces.append({"id": f"p{i}", "power": "north", "at": rng.choice("ab"), "hq": False, "size": 1})
    for i in range(rng.randint(0, 2)):
        w.pieces.append(
            {
                "id": f"ferry{i}",
                "power": "north",
                "at": rng.choice("bbc"),
                "hq": True,
                "size": rng.randint(1, 2),
            }
        )
    return w


FERRY = [
    {"ways": {"march": {"links": {"kind": "land"}}, "sail": {"links": {"kind": "water"}}}},
    {
        "trace": "supply", "on": "piece", "if": {"hq": False}, "section": "9", "levels": ["full", "low", "none"], "together": True,
        "legs": [
            {"leg": "land", "way": "march"},
            {"leg": "sea", "way": "sail", "begin": {"port": True}, "optional": True, "gate": {"piece": {"hq": True}, "capacity": "@gate.size"}},
            {"leg": "inland", "way": "march", "optional": True},
        ],
        "sources": [
            {"source": "city", "level": "full", "space": {"city": True}, "capacity": "@source.room"},
            {"source": "depot", "level": "low", "space": {"depot": True}, "capacity": "@source.room"},
        ],
    },
]  # fmt: skip


def ferry_levels(w: World) -> list[str]:
    """By hand: on its own shore a piece uses a source alone, on the other one also a ferry that lies in b."""
    ferries = {p["id"]: p["size"] for p in w.pieces if p["hq"] and p["at"] == "b"}
    left: dict[Any, int] = dict(ferries)
    for source in ("city", "depot"):
        left |= {(source, name): w.spaces[name]["room"] for name in w.spaces if w.spaces[name][source]}
    options = [
        Option(level, tuple((thing, 1) for thing in ((source, name), *by)))
        for level, source in enumerate(("city", "depot"))
        for name in w.spaces
        if w.spaces[name][source]
        for by in ([()] if name in "ab" else [(ferry,) for ferry in ferries])
    ]
    claims = [Claim(2, tuple(options)) for piece in w.pieces if not piece["hq"]]
    return [["full", "low", "none"][level] for level in best_levels(claims, left)]


@many
@given(seed=seeds)
def test_who_is_served_on_a_board_is_what_trying_everything_finds(seed: int) -> None:
    w = ferry_world(random.Random(seed))
    module, pack = built(files_of(w, FERRY))
    found = sorted(supply(pack, module, module.scenarios["s"]), key=lambda line: line.tracer)
    assert [line.together for line in found] == ferry_levels(w)


def test_those_boards_are_worth_looking_at() -> None:
    found = [ferry_levels(ferry_world(random.Random(seed))) for seed in range(150)]
    assert {level for levels in found for level in levels} == {"full", "low", "none"}
    assert sum(len(set(levels)) > 1 for levels in found) > 20
