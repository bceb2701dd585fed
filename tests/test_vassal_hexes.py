"""Hex maps in the module file: the engine's arithmetic on the written file names every hex as the map does."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from grid_engine import Engine

from compiler.check import check
from compiler.model.types import Module
from compiler.vassal.drawings import Drawn, Undrawn
from compiler.vassal.elements import Element, short_name
from compiler.vassal.locations import locators
from compiler.vassal.lock import Lock
from compiler.vassal.plan import Plan, plan_module
from compiler.vassal.verify import verify

GOOD = Path(__file__).parent / "good" / "hexes"


@pytest.fixture(scope="module")
def module() -> Module:
    found = check(GOOD, GOOD.as_posix()).module
    assert found is not None
    return found


@pytest.fixture(scope="module")
def plan(module: Module) -> Plan:
    made = plan_module(module, "en", Drawn(module), Lock(), 0)
    assert isinstance(made, Plan)
    assert made.findings == ()
    return made


def nodes(plan: Plan, name: str) -> list[Element]:
    return [node for node in plan.tree.walk() if short_name(node.name) == name]


def test_each_sheet_has_a_zone_with_a_grid_and_the_turned_one_regions(plan: Plan) -> None:
    grids = {
        zone.get("name"): [short_name(child.name) for child in zone.children] for zone in nodes(plan, "Zone")
    }
    assert grids == {"Off map": [], "T": ["RegionGrid"], "B": ["HexGrid"], "A": ["HexGrid"]}
    assert len(nodes(plan, "Region")) == 8
    assert all(node.get("stagger") == "false" for node in nodes(plan, "HexGridNumbering"))


def test_the_names_read_back_from_the_file_are_the_ids(module: Module, plan: Plan) -> None:
    (window,) = plan.hexes
    size = next(iter(picture for name, picture in plan.pictures.items() if name.startswith("three-")))
    locator = locators(plan.tree, {})[window.map]
    grid = module.maps["three"].hexes
    assert grid is not None and set(window.hexes) == set(grid.ids) and size.width > 0
    for id, (x, y) in window.hexes.items():
        assert locator.name_at(x, y) == id


def test_a_model_of_the_engine_snaps_to_the_same_points(module: Module, plan: Plan) -> None:
    (window,) = plan.hexes
    grid = next(node for zone in nodes(plan, "Zone") if zone.get("name") == "A" for node in zone.children)
    engine = Engine(
        int(grid.get("x0")), int(grid.get("y0")), float(grid.get("dy")), float(grid.get("dx")), stagger=False
    )
    for id, point in window.hexes.items():
        if id.startswith("A:"):
            for dx, dy in ((0, 0), (window.reach, window.reach), (-window.reach, window.reach)):
                assert engine.snap((point[0] + dx, point[1] + dy)) == point


def test_pieces_stand_in_the_middle_of_their_hex_whatever_id_was_written(plan: Plan) -> None:
    (ready,) = plan.setups
    (window,) = plan.hexes
    places = {piece.location for piece in ready.expected}
    assert places == {"A:0503", "A:0701", "A:0303", "T:0303", "Off map"}
    for piece in ready.expected:
        if piece.space in window.hexes:
            assert (piece.x, piece.y) == window.hexes[piece.space]


def test_a_hex_has_one_name_in_all_languages(module: Module, plan: Plan) -> None:
    other = plan_module(module, "fr", Drawn(module), plan.lock, 0)
    assert isinstance(other, Plan)
    assert other.hexes == plan.hexes
    assert other.lock.maps == plan.lock.maps


def test_moving_the_grid_is_a_change_that_saves_could_not_bear(module: Module, tmp_path: Path) -> None:
    folder = shutil.copytree(GOOD, tmp_path / "hexes")
    (folder / "maps/three.picture.json").write_text(json.dumps({"hex": 80}), encoding="utf-8")
    moved = check(folder, folder.as_posix()).module
    assert moved is not None
    plans = [plan_module(m, "en", Drawn(m), Lock(), 0) for m in (module, moved)]
    first, second = (made.lock.maps["main"].geometry for made in plans if isinstance(made, Plan))
    assert first != second


def test_a_check_needs_no_picture_of_the_hexes(module: Module) -> None:
    made = plan_module(module, "en", Undrawn(module), Lock(), 0)
    assert isinstance(made, Plan) and made.findings == ()


@pytest.mark.skipif(not os.environ.get("VMODC_ENGINE"), reason="VMODC_ENGINE names no installed VASSAL")
def test_the_engine_names_every_hex_as_the_map_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from compiler.cli import run

    shutil.copytree(GOOD, tmp_path / "hexes")
    monkeypatch.chdir(tmp_path)
    assert run(["build", "hexes"]) == 0
    verdict = verify(tmp_path / "build/hexes/hexes.vmod", None, tmp_path / "shots")
    assert verdict.findings == ()
    assert ("HEXES", "55") in verdict.lines
    timed = {(line[0], line[2]): int(line[3]) for line in verdict.lines if line[0] in ("LOOKUP", "MOTION")}
    assert timed[("LOOKUP", "name")] == timed[("LOOKUP", "find")] == 55
    assert timed[("LOOKUP", "snap")] == 5 * 55
    assert timed[("MOTION", "pan")] > 50 and timed[("MOTION", "zoom")] > 5
