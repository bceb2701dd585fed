"""`vmodc init`: the module it writes is complete and right, but for one deliberate warning."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compiler.check import check
from compiler.cli import run
from compiler.findings import Severity
from compiler.init import template
from compiler.output import manifest_of

Output = pytest.CaptureFixture[str]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_exactly_one_deliberate_warning_and_a_note_that_explains_it(here: Path) -> None:
    assert run(["init", "my-game"]) == 0
    (finding,) = check(here / "my-game", "my-game").findings
    assert (finding.code, finding.severity) == ("capital.guard", Severity.WARNING)
    note = json.loads((here / "my-game/scenarios/first-day.json").read_text(encoding="utf-8"))["note"]
    assert "capital.guard" in note
    assert "on purpose" in note


def test_doing_what_the_note_says_mends_it(here: Path) -> None:
    run(["init", "my-game"])
    file = here / "my-game/scenarios/first-day.json"
    scenario = json.loads(file.read_text(encoding="utf-8"))
    scenario["placements"][2]["pieces"] = ["inf", "tank"]
    scenario["placements"].append({"at": "harbour", "power": "south", "pieces": ["inf"]})
    file.write_text(json.dumps(scenario), encoding="utf-8")
    assert check(here / "my-game", "my-game").findings == []


def test_it_builds_and_still_checks(here: Path) -> None:
    run(["init", "my-game"])
    assert run(["build", "my-game"]) == 0
    manifest = manifest_of(here / "build/my-game")
    assert manifest is not None
    assert {
        "my-game.vmod",
        "maps/valley-en.png",
        "counters/north-inf.png",
        "scenarios/first-day.vsav",
    } <= set(
        manifest["files"]  # type: ignore[call-overload]
    )
    before = {path: path.read_bytes() for path in (here / "build/my-game").rglob("*") if path.is_file()}
    assert [finding.code for finding in check(here / "my-game", "my-game").findings] == ["capital.guard"]
    assert run(["build", "my-game", "--locked"]) == 0
    assert {
        path: path.read_bytes() for path in (here / "build/my-game").rglob("*") if path.is_file()
    } == before


def test_it_takes_the_name(here: Path) -> None:
    run(["init", "the-long-war"])
    module = json.loads((here / "the-long-war/module.json").read_text(encoding="utf-8"))
    assert (module["id"], module["name"]) == ("the-long-war", "The Long War")


@pytest.mark.parametrize("name", ["my-game", "modules_src/my-game", "games/of/mine/my-game", "../my-game"])
def test_every_file_points_at_a_schema_that_is_there(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (here / "inner").mkdir()
    monkeypatch.chdir(here / "inner")
    assert run(["init", name]) == 0
    files = list((here / "inner" / name).rglob("*.json"))
    assert len(files) == len(list(template())) > 7
    sources = [file for file in files if not file.name.endswith(".outlines.json")]
    for file in sources:
        schema = file.parent / json.loads(file.read_text(encoding="utf-8"))["$schema"]
        assert schema.is_file()
        assert "2020-12" in schema.read_text(encoding="utf-8")


def test_inside_modules_src_the_schemas_do_not_become_a_module(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "modules_src").mkdir()
    monkeypatch.chdir(here / "modules_src")
    run(["init", "my-game"])
    assert [path.name for path in (here / "modules_src").iterdir()] == ["my-game"]
    assert (here / "schemas/module.schema.json").is_file()


def test_nothing_is_overwritten(here: Path, capsys: Output) -> None:
    run(["init", "my-game"])
    (here / "my-game/module.json").write_text("mine", encoding="utf-8")
    (here / "schemas/module.schema.json").write_text("mine too", encoding="utf-8")
    capsys.readouterr()
    assert run(["init", "my-game"]) == 2
    assert capsys.readouterr().err == "vmodc: 'my-game' is there already; nothing was written\n"
    assert run(["init", "second"]) == 0
    assert (
        "left as they were, though they differ from this version's: module.schema.json"
        in capsys.readouterr().out
    )
    assert (here / "my-game/module.json").read_text(encoding="utf-8") == "mine"
    assert (here / "schemas/module.schema.json").read_text(encoding="utf-8") == "mine too"


@pytest.mark.parametrize("name", ["My-Game", "my game", "..", ".", "-x", "my--game", "ü", "x" * 61])
def test_names_that_will_not_do(here: Path, capsys: Output, name: str) -> None:
    assert run(["init", "--", name]) == 2
    assert "my-game" in capsys.readouterr().err
    assert list(here.iterdir()) == []


def test_a_place_that_cannot_be_written(here: Path, capsys: Output) -> None:
    (here / "file").write_text("", encoding="utf-8")
    assert run(["init", "file/my-game"]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_module_with_hexes_has_one_deliberate_warning_too(here: Path) -> None:
    assert run(["init", "--hex", "my-hexes"]) == 0
    result = check(here / "my-hexes", "my-hexes")
    (finding,) = result.findings
    assert (finding.code, finding.severity) == ("fleet.home", Severity.WARNING)
    assert result.module is not None and result.module.maps["shores"].hexes is not None
    file = here / "my-hexes/scenarios/landing.json"
    scenario = json.loads(file.read_text(encoding="utf-8"))
    assert "on purpose" in scenario["note"]
    scenario["placements"][2]["at"] = "W:0901"
    file.write_text(json.dumps(scenario), encoding="utf-8")
    assert check(here / "my-hexes", "my-hexes").findings == []


def test_a_module_with_hexes_passes_its_cases_and_builds(here: Path, capsys: Output) -> None:
    run(["init", "--hex", "my-hexes"])
    assert run(["test", "my-hexes"]) == 0
    assert "10 cases passed, 0 failed" in capsys.readouterr().out
    assert run(["build", "my-hexes"]) == 0
    manifest = manifest_of(here / "build/my-hexes")
    assert manifest is not None
    facts = manifest["facts"]
    assert isinstance(facts, dict)
    assert facts["maps/shores-en.label_overlaps"] == 0
    (window,) = facts["vassal.en"]["hexes"]
    assert len(window["at"]) == 153
