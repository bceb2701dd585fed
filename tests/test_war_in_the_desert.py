"""War in the Desert: what its data must hold, beside what its rules say."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping
from pathlib import Path

import pytest

from compiler.check import check
from compiler.model.types import Module, Scenario

GAME = Path(__file__).parent.parent / "modules_src" / "war-in-the-desert"
CAMPAIGNS = ("western_desert", "north_africa", "middle_east", "grand_campaign")
SIX = {
    "torch": ("nov-i-42", "nov-ii-42", "dec-i-42", "dec-ii-42", "jan-i-43", "jan-ii-43"),
    **dict.fromkeys(CAMPAIGNS, ("dec-i-40", "dec-ii-40", "jan-i-41", "jan-ii-41", "feb-i-41", "feb-ii-41")),
}


@pytest.fixture(scope="module")
def game() -> Module:
    module = check(GAME, str(GAME)).module
    assert module is not None
    return module


def arms(module: Module, scenario: Scenario, hexes: bool = True) -> Mapping[tuple[str | None, str], int]:
    """(side, arm) → pieces; with `hexes` those on the map alone."""
    on_map = {id for id, space in module.spaces.items() if space.kind == "hex"}
    found: Tally[tuple[str | None, str]] = Tally()
    for piece in scenario.pieces:
        if piece.space in on_map or not hexes:
            power = module.powers.get(module.counters[piece.counter].power or "")
            found[power.side if power else None, str(module.counters[piece.counter].values["arm"])] += 1
    return found


def test_the_scenarios_of_the_booklet_and_one_for_learning(game: Module) -> None:
    assert set(game.scenarios) == {"compass", "torch", *CAMPAIGNS}


@pytest.mark.parametrize(
    ("scenario", "least"),
    [("western_desert", 120), ("north_africa", 200), ("middle_east", 250), ("grand_campaign", 300)],
)
def test_a_campaign_opens_with_both_sides_on_the_map(game: Module, scenario: str, least: int) -> None:
    found = arms(game, game.scenarios[scenario])
    assert sum(found.values()) >= least
    for side in ("allied", "axis"):
        assert found[side, "land"] >= 30
        assert found[side, "air"] >= 12
    assert found["allied", "naval"] >= 1


def test_torch_opens_with_its_invasion_groups(game: Module) -> None:
    torch = game.scenarios["torch"]
    assert sum(arms(game, torch).values()) >= 150
    found = arms(game, torch, hexes=False)
    assert found["allied", "land"] >= 40 and found["neutral", "land"] >= 40 and found["axis", "air"] >= 12
    groups = Tally(p.space for p in torch.pieces if p.space and p.space.startswith("torch_"))
    assert len(groups) == 6


def test_compass_is_small(game: Module) -> None:
    assert 35 <= sum(arms(game, game.scenarios["compass"]).values()) <= 50


@pytest.mark.parametrize("scenario", [*CAMPAIGNS, "torch"])
def test_reinforcements_of_the_first_six_turns(game: Module, scenario: str) -> None:
    due = {arrival.due for arrival in game.scenarios[scenario].arrivals}
    missing = [turn for turn in SIX[scenario][1:] if turn not in due]
    assert not missing


def test_what_is_printed_agrees_with_the_values(game: Module) -> None:
    """A counter with one combat strength shows one number, a counter with two shows both."""
    for counter in game.counters.values():
        values, layout = counter.values, counter.raw.get("layout")
        if values["arm"] == "land" and layout in ("unit", "aa", "split", "aa_split"):
            assert (values["attack"] != values["defence"]) == ("split" in str(layout)), counter.id


def test_a_division_that_breaks_down_has_parts_of_its_nation(game: Module) -> None:
    divisions = [c for c in game.counters.values() if c.values.get("breaks")]
    assert len(divisions) >= 25
    for division in divisions:
        parts = [game.counters[str(id)] for id in division.values["parts"]]  # type: ignore[union-attr]
        assert len(parts) >= 3, division.id
        assert {p.power for p in parts} == {division.power}, division.id
        assert sum(p.values["grade"] == "hq" or p.values["branch"] == "support_group" for p in parts) == 1


def test_divisions_start_broken_down(game: Module) -> None:
    whole = {id for id, counter in game.counters.items() if counter.values.get("breaks")}
    for scenario in game.scenarios.values():
        lying = {piece.space for piece in scenario.pieces if piece.counter in whole}
        assert lying <= {"allied_breakdown", "axis_breakdown"}, scenario.id


def test_a_named_unit_stands_in_one_place(game: Module) -> None:
    for scenario in game.scenarios.values():
        named = Tally(
            piece.counter
            for piece in (*scenario.pieces, *scenario.arrivals)
            if game.counters[piece.counter].values.get("grade")
            and "ident" in game.counters[piece.counter].values
        )
        assert [id for id, count in named.items() if count > 1] == [], scenario.id


def test_values_of_the_booklet(game: Module) -> None:
    def values(id: str) -> tuple[object, ...]:
        found = game.counters[id].values
        return found["attack"], found["defence"], found["move"]

    assert values("in.5") == (2, 2, 8)  # 44G
    assert values("br.2sg") == (2, 2, 10)  # 44H
    assert values("br.1arm") == (3, 2, 10)
    assert values("br.4rt") == (2, 1, 6)
    assert values("br.mef") == (0, 1, 6)  # 37E1
    assert values("br.mc") == (0, 0, 4)  # 39
    assert values("br.mndbo2") == (0, 2, 6)  # 43E
    assert values("it.bresc") == (3, 3, 6)  # 10C
    assert values("ge.15pz") == (9, 9, 10)
    assert game.counters["ge.15pz"].values["cadre"] == "4-8"  # 40B3
    assert game.counters["it.ariete"].values["cadre"] == "2-8"  # 43A
    hurricane = game.counters["br.hurri1"].values
    assert (hurricane["air_attack"], hurricane["air_defence"], hurricane["range"]) == (5, 5, 8)


def test_every_turn_has_a_box_in_the_calendar(game: Module) -> None:
    boxes = game.raw["vassal"]["turn_boxes"]
    assert list(boxes) == list(game.sequence.turns)
    assert set(boxes.values()) <= set(game.spaces)
    assert len(boxes) == 62


def test_named_places_lie_in_their_countries(game: Module) -> None:
    countries = {
        space: region.id
        for map in game.maps.values()
        for region in map.regions
        if region.kind == "country"
        for space in region.spaces
    }
    wanted = {
        "gibraltar": ["24A:2110"],
        "french_morocco": ["24A:0919", "24A:2119", "24A:0527"],
        "algeria": ["24A:4013", "25A:0610", "25A:2113"],
        "tunisia": ["25A:3408", "25A:3610", "25A:3623"],
        "libya": ["25A:5128", "18A:3121", "18A:4817", "19A:0318"],
        "egypt": ["19A:1218", "19A:2416", "19A:3219", "19A:4113"],
        "palestine": ["19A:4305", "19A:4608", "19A:4311"],
        "transjordan": ["19A:4807", "19A:4817", "19A:5014"],
        "lebanon": ["20A:4206", "20A:4005"],
        "syria": ["20A:4504", "21A:3231", "21A:4128", "19A:4804"],
        "iraq": ["21A:5004", "21A:3509", "22A:4313", "21A:5007"],
        "kuwait": ["22A:4813"],
        "iran": ["32:1512", "32:0229", "22A:4411"],
        "turkey": ["20A:1010", "20A:1131", "21A:1614", "20A:3002"],
        "cyprus": ["20A:3413"],
        "malta": ["18A:0407"],
    }
    found = {place: countries.get(place) for places in wanted.values() for place in places}
    assert found == {place: country for country, places in wanted.items() for place in places}


# a track that ends there cannot be set beyond: that is a finding of its own, on any set-up
GUARDED_BY_THE_TRACK = {"level.ntp", "level.malta"}


def test_every_rule_is_broken_by_a_changed_copy_of_a_set_up(game: Module) -> None:
    """`vmodc test` runs these cases; here none may be missing."""
    broken = {
        str(rule)
        for case in game.cases
        if len(case.scenario.pieces) >= 40
        for rule in case.answer.get("findings", ())  # type: ignore[attr-defined]
    }
    rules = {str(entry.value["id"]) for entry in game.rules if "id" in entry.value}
    assert rules - broken == GUARDED_BY_THE_TRACK
