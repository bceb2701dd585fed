"""Positions on large maps: only what somebody looks at is made, and what is made is what would always be made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from compiler.check import check
from compiler.model.types import Fixture, Scenario
from compiler.rules.judge import position_of

GAME = Path(__file__).parent / "rules" / "supply-by-points"
LARGE = Path(__file__).parent.parent / "modules_src" / "war-in-the-desert"


def empty() -> Scenario:
    pack = check(GAME, "").pack
    assert pack is not None
    scenario = pack.module.cases[0].scenario
    return replace(scenario, pieces=(), arrivals=(), control={}, held={}, state={}, tracks={})


def test_only_what_is_looked_at_is_made() -> None:
    pack = check(LARGE, "", scenarios=()).pack
    assert pack is not None
    world = position_of(pack, empty(), Fixture())
    world.items["space"]["19A:2416"].get("links_out")
    assert len(world.items["space"]) > 10_000 and len(world.items["link"]) > 50_000
    assert dict.__len__(world.items["link"]) < 100


def test_links_are_the_same_from_both_ends_and_in_the_order_of_their_ids() -> None:
    pack = check(GAME, "").pack
    assert pack is not None
    case = pack.module.cases[0]
    world = position_of(pack, case.scenario, case.fixture)
    links = list(world.all("link"))
    assert [link.id for link in links] == sorted(link.id for link in links)
    assert list(world.row("link")) == links
    for link in links:
        assert link in link.attrs["from"].get("links_out") and link in link.attrs["to"].get("links_in")


def test_a_case_with_spaces_of_its_own_does_not_lend_them_to_the_next() -> None:
    pack = check(GAME, "").pack
    assert pack is not None
    case = pack.module.cases[0]
    assert "h00" in position_of(pack, case.scenario, case.fixture).items["space"]
    assert "h00" not in position_of(pack, case.scenario, Fixture()).items["space"]
