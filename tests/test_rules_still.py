"""Rules about the board alone are judged once; whatever a scenario can change is judged in each."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from compiler.check import check

GAME = Path(__file__).parent.parent / "modules_src" / "axis-and-allies-1941"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    shutil.copytree(GAME, tmp_path / "game")
    return tmp_path / "game"


def change(root: Path, file: str, **values: object) -> None:
    path = root / file
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **values}), encoding="utf-8")


def test_what_is_printed_on_the_board_is_settled_and_nothing_else() -> None:
    pack = check(GAME, "").pack
    assert pack is not None and "map.island" in pack.settled
    assert not {"sea.seats", "level.production", "rest.enemies", "land.place"} & pack.settled.keys()


def test_a_scenario_that_changes_the_board_is_judged_all_the_same(game: Path) -> None:
    """`errata` comes first by name; `official`, judged after it, gives a neutral an income of its own."""
    change(game, "scenarios/official.json", state={"space": {"turkey": {"income": 3}}})
    assert "neutral.income" in {f.code for f in check(game, "").findings}


def test_a_scenario_that_restates_what_a_rule_reads_is_judged_by_it(game: Path) -> None:
    """`map.capital` is settled by `errata`, which says nothing of capitals; `official` moves one into the sea."""
    settled = check(GAME, "", ["errata"]).pack
    assert settled is not None and "map.capital" in settled.settled
    change(game, "scenarios/official.json", state={"power": {"ge": {"capital": "sz5"}}})
    assert "map.capital" in {f.code for f in check(game, "").findings}


def test_the_last_scenario_is_judged_by_all_other_rules(game: Path) -> None:
    scenario = json.loads((game / "scenarios/official.json").read_text(encoding="utf-8"))
    scenario["placements"].append(
        {"at": "turkey", "power": "ge", "pieces": ["inf"], "source": {"project": "a test"}}
    )
    change(game, "scenarios/official.json", placements=scenario["placements"])
    assert any(f.spaces == ("turkey",) for f in check(game, "").findings)


def test_a_misspelt_piece_is_all_that_is_said_of_it(game: Path) -> None:
    """Rules that count the power's units would find one too few: that follows from the slip."""
    scenario = json.loads((game / "scenarios/official.json").read_text(encoding="utf-8"))
    scenario["placements"][0]["pieces"][0] = "3 infx"
    change(game, "scenarios/official.json", placements=scenario["placements"])
    assert {f.code for f in check(game, "").findings} == {"N104"}
