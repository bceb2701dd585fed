"""What tracers share changes no answer: the searches over numbers, the short ways on large maps, what a map keeps."""

from __future__ import annotations

import copy
import gc
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trace_worlds import World, built, files_of, make, rules_of

from compiler.rules import judge, supply
from compiler.rules.judge import position_of
from compiler.rules.trace import ahead
from compiler.rules.trace.plain import Plain, Unsure
from compiler.rules.trace.supply import SupplyLine

many = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=150)
seeds = st.integers(0, 2**32)


def simple(rng: random.Random) -> tuple[World, list[dict[str, Any]]]:
    """A world whose lines need no more than a leg and a space to know where they are; most pieces are out of supply."""
    w = make(rng)
    w.relays = w.relay_line = False
    w.counts = {}
    w.legs = [leg for leg in w.legs if leg["leg"] != "sea"]
    for i, leg in enumerate(w.legs):
        leg["flagged"] = False
        if i:
            leg.pop("at_most", None)
    known = {leg["leg"] for leg in w.legs}
    w.only_in = {
        source: kept for source, legs in w.only_in.items() if (kept := [x for x in legs if x in known])
    }
    rules = rules_of(w)
    march = {"kind": "land", "tags": {"none": "strait"}} if rng.random() < 0.5 else {"kind": "land"}
    rules[0]["ways"]["march"]["links"] = march
    for line in rules[1]["lines"].values():
        if len(line["legs"]) > 1 and rng.random() < 0.5:
            line["legs"][1]["way"] = "ride"
    for space in w.spaces.values():
        if rng.random() < 0.4:
            space["shut_to"] = sorted({*space["shut_to"], "north", "south"})
    return w, rules


def field(rng: random.Random) -> tuple[World, list[dict[str, Any]]]:
    """A square of spaces with many ways of equal length through it, and sources that few can come to."""
    w = World()
    side = rng.randint(4, 6)
    for n in rng.sample(range(side * side), side * side):
        shut = ["north", "south"] if rng.random() < 0.25 else []
        w.spaces[f"s{n:02}"] = {
            "kind": "land", "city": rng.random() < 0.06, "depot": False, "port": rng.random() < 0.5,
            "bad": False, "rough": rng.random() < 0.2, "shut_to": shut,
        }  # fmt: skip
    for n in range(side * side):
        across = [n + 1] if n % side + 1 < side else []
        for m in (*across, n + side, *(m + side for m in across)):
            if m < side * side and rng.random() < 0.9:
                kind = rng.choice(["land", "land", "water"])
                tags = [tag for tag in ("strait", "road") if rng.random() < 0.3]
                one_way = rng.random() < 0.1
                w.links.append(
                    {"a": f"s{n:02}", "b": f"s{m:02}", "kind": kind, "tags": tags, "one_way": one_way}
                )
    spaces = sorted(w.spaces)
    w.pieces = [{"id": f"p{i}", "power": "north", "at": rng.choice(spaces), "hq": False} for i in range(6)]
    w.by_budget = rng.random() < 0.3
    w.budget = {False: rng.randint(1, 5), True: 1}
    w.legs = [{"leg": "land", "way": "march", "flagged": False}]
    if not w.by_budget and rng.random() < 0.8:
        w.legs[0]["at_most"] = {False: rng.randint(1, 5), True: 1}
    if rng.random() < 0.7:
        w.legs.append({"leg": "sea", "way": "boat", "optional": True, "begin": rng.choice(["port", "any"])})
    rules = rules_of(w)
    free = {"shut_to": {"none": "@tracer.power"}}
    rules[0]["ways"]["boat"] = {
        "links": {"kind": "water", "tags": {"none": "strait"}}, "enter": free, "cost": rng.randint(0, 1)
    }  # fmt: skip
    if rng.random() < 0.5:
        rules[0]["ways"]["march"]["links"] = {"kind": "land", "tags": {"none": "strait"}}
    return w, rules


def some(rng: random.Random) -> tuple[World, list[dict[str, Any]]]:
    return field(rng) if rng.random() < 0.7 else simple(rng)


def lines_of(files: dict[str, Any], of: str | None = None) -> list[SupplyLine]:
    module, pack = built(files)
    return supply(pack, module, module.scenarios["s"], of=of)


def refuse(*asked: object) -> None:
    raise Unsure


@many
@given(seeds)
def test_stops_are_those_of_a_search_for_each_piece(seed: int) -> None:
    """Each piece asked in a position of its own, by the search that looks at every line, gives the same words and ways."""
    w, rules = some(random.Random(seed))
    files = files_of(w, rules)
    together = lines_of(files)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Plain, "nearest", refuse)
        alone = [line for piece in w.pieces for line in lines_of(files, piece["id"])]
    assert together == sorted(alone, key=lambda line: line.tracer)


def test_the_quick_search_answers_most_questions() -> None:
    """Else the test above would compare a search with itself."""
    answered = asked = 0
    with pytest.MonkeyPatch.context() as patch:
        nearest = Plain.nearest

        def counted(self: Plain, *args: Any) -> Any:
            nonlocal answered, asked
            asked += 1
            found = nearest(self, *args)
            answered += found is not None
            return found

        patch.setattr(Plain, "nearest", counted)
        for seed in range(120):
            w, rules = some(random.Random(seed))
            lines_of(files_of(w, rules))
    assert asked > 60 and answered > asked / 2


@many
@given(seeds, st.sampled_from([1, 2, 10**6]))
def test_looking_ahead_gives_the_same_levels(seed: int, part: int) -> None:
    """However early it gives up."""
    rng = random.Random(seed)
    w, rules = some(rng) if rng.random() < 0.7 else (make(rng), None)
    files = files_of(w, rules or rules_of(w))
    before = lines_of(files)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ahead, "FEW", 0)
        patch.setattr(ahead, "PART", part)
        assert lines_of(files) == before


def ring(size: int = 12) -> World:
    w = World()
    w.spaces = {f"s{i:02}": {"kind": "land", "city": i == 0} for i in range(size)}
    names = list(w.spaces)
    w.links = [
        {"a": a, "b": b, "kind": "land", "tags": [], "one_way": i % 5 == 4}
        for i, (a, b) in enumerate(zip(names, [*names[1:], names[0]], strict=True))
    ]
    w.legs = [{"leg": "land", "way": "march", "at_most": {False: 3, True: 3}, "flagged": False}]
    w.by_budget = False
    w.pieces = [{"id": f"p{i}", "power": "north", "at": names[i], "hq": False} for i in range(0, size, 2)]
    return w


def test_what_a_map_keeps_does_not_outlive_a_change_of_its_spaces() -> None:
    """A source that only one scenario has, and one that it has not."""
    w = ring()
    files = files_of(w, rules_of(w))
    other = copy.deepcopy(files["scenarios/s.json"])
    other |= {"id": "t", "name": "t", "state": {"space": {"s00": {"city": False}, "s06": {"city": True}}}}
    files["scenarios/t.json"] = other
    module, pack = built(files)
    first = supply(pack, module, module.scenarios["s"])
    changed = supply(pack, module, module.scenarios["t"])
    assert [line.tracer for line in first if not line.failed] == ["p0", "p10", "p2"]
    assert [line.tracer for line in changed if not line.failed] == ["p4", "p6", "p8"]
    assert supply(pack, module, module.scenarios["s"]) == first


ZONES = [
    {"derive": "holders", "on": "space", "gives": "set of power", "collect": [{"each": "@self.pieces", "take": "power"}]},
    {"derive": "watched", "on": "space", "gives": "set of power",
     "collect": [{"each": "@self.neighbours", "take": "holders"}]},
]  # fmt: skip


@many
@given(seeds)
def test_zones_that_spread_are_those_that_each_space_collects(seed: int) -> None:
    """Members and witnesses, also over links that lead one way."""
    w = make(random.Random(seed))

    def zones() -> Any:
        module, pack = built(files_of(w, copy.deepcopy(ZONES)))
        world = position_of(pack, module.scenarios["s"])
        members = {space.id: [m.id for m in space.get("watched")] for space in world.all("space")}
        told = {
            (owner.id, member.id): (each.id, name)
            for (owner, of), found in world.witnesses.items()
            if of == "watched"
            for member, (each, _, name) in found.items()
        }
        return members, told

    spread = zones()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("compiler.rules.definitions._spread", lambda *asked: None)
        assert zones() == spread


def test_a_rule_on_spaces_with_pieces_looks_at_no_others() -> None:
    w = ring()
    limit = {
        "id": "empty",
        "section": "1",
        "for": [{"space": {"pieces": {"some": True}}}],
        "must": {"port": True},
    }
    module, pack = built(files_of(w, [limit]))
    found = judge(pack, module, module.scenarios["s"]).findings
    assert [finding.spaces for finding in found] == [(f"s{i:02}",) for i in range(0, 12, 2)]


@pytest.mark.parametrize("few", [0, 100])
def test_a_judged_scenario_leaves_nothing_to_sweep(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand of them in one run would else fill the memory: a check does not sweep meanwhile."""
    monkeypatch.setattr(ahead, "FEW", few)
    w = ring()
    rule = {"id": "supplied", "section": "7", "for": [{"piece": {}}], "must": {"supply": "full"}}
    module, pack = built(files_of(w, [*rules_of(w), rule]))
    assert judge(pack, module, module.scenarios["s"]).findings
    gc.collect()
    gc.disable()
    try:
        for _ in range(40):
            judge(pack, module, module.scenarios["s"])
        assert gc.collect() < 40
    finally:
        gc.enable()
