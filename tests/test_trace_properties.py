"""Traces on random small worlds: they agree with a plain search, and what should not matter does not."""

from __future__ import annotations

import copy
import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trace_worlds import LEVELS, POWERS, World, built, files_of, make, plain_level, plain_walks, rules_of

from compiler.rules import judge, supply
from compiler.rules.judge import position_of
from compiler.rules.trace.supply import SupplyLine

many = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=250)
few = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=80)
seeds = st.integers(0, 2**32)


def lines_of(w: World, files: dict[str, Any] | None = None) -> dict[str, SupplyLine]:
    module, pack = built(files or files_of(w, rules_of(w)))
    return {line.tracer: line for line in supply(pack, module, module.scenarios["s"])}


def levels_of(w: World) -> dict[str, str | None]:
    """The levels without any path asked for: as rules read them."""
    module, pack = built(files_of(w, rules_of(w)))
    world = position_of(pack, module.scenarios["s"])
    return {id: piece.get("supply") for id, piece in world.items["piece"].items()}


def walked(line: SupplyLine) -> tuple[str, ...]:
    return tuple(step.space for i, step in enumerate(line.path) if step.relay is None or i == 0)


@many
@given(seeds)
def test_levels_are_those_of_a_plain_search(seed: int) -> None:
    w = make(random.Random(seed))
    assert levels_of(w) == {p["id"]: plain_level(w, p) for p in w.pieces}


@few
@given(seeds)
def test_a_path_is_the_least_one_in_cost_then_steps_then_ids(seed: int) -> None:
    w = make(random.Random(seed))
    lines = lines_of(w)
    for piece in w.pieces:
        line, walks = lines[piece["id"]], plain_walks(w, piece)
        best = next((walks[level] for level in LEVELS if level in walks), None)
        if best is None:
            assert line.failed and not line.path and line.stops
        else:
            assert (line.cost, walked(line)) == (best.total, best.ids)


@few
@given(seeds)
def test_another_source_never_lowers_a_level(seed: int) -> None:
    rng = random.Random(seed)
    w = make(rng)
    before = levels_of(w)
    richer = copy.deepcopy(w)
    richer.spaces[rng.choice(sorted(richer.spaces))][rng.choice(["city", "depot"])] = True
    after = levels_of(richer)
    assert all(LEVELS.index(after[id]) <= LEVELS.index(before[id]) for id in before)  # type: ignore[arg-type]


@few
@given(seeds)
def test_an_open_space_never_lowers_a_level(seed: int) -> None:
    rng = random.Random(seed)
    w = make(rng)
    before = levels_of(w)
    freer = copy.deepcopy(w)
    for space in rng.sample(sorted(freer.spaces), 2):
        freer.spaces[space]["shut_to"] = []
    after = levels_of(freer)
    assert all(LEVELS.index(after[id]) <= LEVELS.index(before[id]) for id in before)  # type: ignore[arg-type]


@few
@given(seeds)
def test_the_order_of_the_files_means_nothing(seed: int) -> None:
    rng = random.Random(seed)
    w = make(rng)
    files = files_of(w, rules_of(w))
    mixed = copy.deepcopy(files)
    for listed in (
        mixed["maps/m.json"]["spaces"],
        mixed["maps/m.json"]["links"],
        mixed["rules.json"]["rules"],
    ):
        rng.shuffle(listed)
    rng.shuffle(mixed["scenarios/s.json"]["placements"])
    one, two = lines_of(w, files), lines_of(w, mixed)
    assert {id: (line.level, line.cost, line.path) for id, line in one.items()} == {
        id: (line.level, line.cost, line.path) for id, line in two.items()
    }


def test_the_worlds_are_worth_looking_at() -> None:
    """Random worlds have all levels, long and chained paths, and relays that make a difference."""
    levels, chained, helped = set(), 0, 0
    for seed in range(200):
        w = make(random.Random(seed))
        lines = lines_of(w)
        levels |= {line.level for line in lines.values()}
        chained += sum(any(step.relay for step in line.path[1:]) for line in lines.values())
        alone = copy.deepcopy(w)
        alone.relays = False
        helped += levels_of(w) != levels_of(alone)
    assert levels == set(LEVELS) and chained > 4 and helped > 4
    assert set(POWERS.values()) == {"red", "blue"}


def guarded(w: World) -> list[dict[str, Any]]:
    """The rules of a world where no line enters a space with an enemy in it or beside it, unless a friend stands there."""
    foe = {"side": {"not": "@tracer.side"}}
    watched = {"derive": "near", "on": "space", "gives": "set of piece",
               "collect": [{"each": "@self.pieces"}, {"each": "@self.neighbours", "take": "pieces"}]}  # fmt: skip
    friend = {"pieces": {"some": {"side": "@tracer.side"}}}
    held = {"pieces": {"none": foe}, "any": [{"near": {"none": foe}}, friend]}
    entries = rules_of(w)
    for way in entries[0]["ways"].values():
        if "enter" in way:
            way["enter"] = {**way["enter"], **held}
    return [watched, *entries]


@few
@given(seeds)
def test_an_enemy_taken_away_never_adds_a_blockage(seed: int) -> None:
    rng = random.Random(seed)
    w = make(rng)
    gone = rng.choice(w.pieces)
    freed = copy.deepcopy(w)
    freed.pieces = [piece for piece in freed.pieces if piece["id"] != gone["id"]]
    before, after = (lines_of(one, files_of(one, guarded(one))) for one in (w, freed))
    for piece in freed.pieces:
        if POWERS[piece["power"]] != POWERS[gone["power"]]:
            old, new = before[piece["id"]].level, after[piece["id"]].level
            assert LEVELS.index(new or "none") <= LEVELS.index(old or "none")


def test_enemies_do_block_in_these_worlds() -> None:
    """Else the property above would hold by itself."""
    changed = 0
    for seed in range(60):
        w = make(random.Random(seed))
        for gone in w.pieces:
            freed = copy.deepcopy(w)
            freed.pieces = [piece for piece in freed.pieces if piece["id"] != gone["id"]]
            before, after = (lines_of(one, files_of(one, guarded(one))) for one in (w, freed))
            changed += any(after[p["id"]].level != before[p["id"]].level for p in freed.pieces)
    assert changed > 5


JUDGED: list[dict[str, Any]] = [
    {"derive": "crowd", "on": "space", "gives": "set of power", "collect": [{"each": "@self.pieces", "take": "power"}]},
    {"id": "fed", "section": "1", "for": [{"piece": {}}], "must": {"supply": "full"}, "say": "{piece}: {why} {stop}"},
    {"id": "pair", "section": "1", "for": [{"piece": {}}, {"piece": {"space": "@piece.space"}, "as": "other"}], "must": {"power": "@other.power"}},
    {"id": "room", "section": "1", "for": [{"space": {}}], "total": {"count": "@space.pieces"}, "at_most": 1},
    {"id": "camp", "section": "1", "for": [{"space": {}}], "fit": {"items": {"each": "@space.pieces"},
        "bins": [{"slots": [{"slot": "tent", "takes": {"hq": True}, "hold": 1}, {"slot": "field", "hold": 1}]}]}},
    {"id": "mixed", "section": "1", "for": [{"space": {}}], "must": {"crowd": {"count": True, "at_most": 1}}},
]  # fmt: skip


def judged(files: dict[str, Any]) -> list[tuple[str, tuple[str, ...], str, str | None]]:
    module, pack = built(files)
    found = judge(pack, module, module.scenarios["s"]).findings
    return [(f.code, f.subject, f.message, f.help) for f in found]


@few
@given(seeds)
def test_no_verdict_and_no_message_depends_on_the_order_of_the_pieces(seed: int) -> None:
    rng = random.Random(seed)
    w = make(rng)
    files = files_of(w, [*rules_of(w), *JUDGED])
    mixed = copy.deepcopy(files)
    rng.shuffle(mixed["scenarios/s.json"]["placements"])
    assert judged(files) == judged(mixed)


def test_all_of_these_rules_find_something_in_these_worlds() -> None:
    """Else the property above would hold by itself."""
    found = {code for n in range(40) for code, *_ in judged(_judged_files(n))}
    assert {"fed", "pair", "room", "camp", "mixed"} <= found


def _judged_files(seed: int) -> dict[str, Any]:
    w = make(random.Random(seed))
    return files_of(w, [*rules_of(w), *JUDGED])
