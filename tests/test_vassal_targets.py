"""The targets of a build and the pre-flight of a check, on a whole module from source."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from shutil import copytree

import pytest

from compiler.cli import run
from compiler.init import init
from compiler.vassal.inspect import inspect_file
from compiler.vassal.lock import FILE


@pytest.fixture
def valley(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The module that `vmodc init` writes."""
    monkeypatch.chdir(tmp_path)
    init("modules_src/valley", lambda text: None)
    return tmp_path / "modules_src" / "valley"


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_check_says_what_vassal_would_take_amiss(valley: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check"]) == 0
    change(valley / "module.json", '"version": "0.1.0"', '"version": "0.1"')
    capsys.readouterr()
    code = run(["check"])
    out = capsys.readouterr().out
    assert code == 1 and ("V111" in out or "version" in out)


def test_a_check_writes_no_lock(valley: Path) -> None:
    assert run(["check"]) == 0
    assert not (valley / FILE).exists()


def test_a_removed_counter_is_found_by_a_check(valley: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '{"version": "0.1.0", "next": 9, "pieces": {"ghost": {"gpid": "8", "images": ["ghost.png"]}}}'
    (valley / FILE).write_text(text, encoding="utf-8")
    assert run(["check"]) == 1
    assert "V132" in capsys.readouterr().out


def build(*more: str) -> int:
    return run(["build", "--only", "vmod,saves", *more])


def test_a_build_writes_module_saves_facts_and_lock(valley: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build() == 0, capsys.readouterr().out
    place = valley.parent.parent / "build" / "valley"
    manifest = json.loads((place / "manifest.json").read_text(encoding="utf-8"))
    facts = next(item for name, item in manifest["facts"].items() if name.startswith("vassal."))
    module = place / facts["file"]
    found = inspect_file(module)
    for name, setup in facts["setups"].items():
        save = next(item for item in found.saves if item.name == name)
        assert [piece.location for piece in save.pieces] == [piece["location"] for piece in setup["pieces"]]
        assert (place / "scenarios" / name).is_file()
    lock = (valley / FILE).read_text(encoding="utf-8")
    first = module.read_bytes()
    assert build("--locked") == 0
    assert module.read_bytes() == first, "the same bytes again"
    assert (valley / FILE).read_text(encoding="utf-8") == lock
    elsewhere = copytree(valley, valley.parent.parent / "copy" / "valley")
    assert run(["build", str(elsewhere), "--only", "vmod,saves", "-o", "other"]) == 0
    assert Path("other/valley/valley.vmod").read_bytes() == first, "the same bytes from another folder"
    with zipfile.ZipFile(module) as archive:
        assert all(
            name == name.lower() or name in ("savedGame", "buildFile.xml") or name.startswith("Module_")
            for name in archive.namelist()
        )
