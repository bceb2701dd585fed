"""Maps kept from the last build: the same as drawn anew, and never used when anything they are drawn from changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from compiler.check import check
from compiler.cli import vmodc
from compiler.draw import draw_map, rasterise
from compiler.draw.kept import Kept
from compiler.model.types import Module


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(vmodc, ["init", "isles"]).exit_code == 0
    return tmp_path / "isles"


def module_of(root: Path) -> Module:
    module = check(root, str(root)).module
    assert module is not None
    return module


def keep(root: Path) -> tuple[str, str]:
    """Draws the module's map once and keeps it; gives the map's id and its language."""
    module = module_of(root)
    map_id, language = next(iter(module.maps)), module.languages[0]
    made = draw_map(module, map_id, language, "print")
    Kept(root.parent / "kept", module).put(
        map_id, language, "print", made, rasterise(made.svg, made.width, made.height)
    )
    return map_id, language


def kept(root: Path, map_id: str, language: str) -> object:
    return Kept(root.parent / "kept", module_of(root)).get(map_id, language, "print")


def test_a_kept_map_is_the_map(root: Path) -> None:
    map_id, language = keep(root)
    made = draw_map(module_of(root), map_id, language, "print")
    assert kept(root, map_id, language) == (made, rasterise(made.svg, made.width, made.height))


def test_it_is_kept_for_one_language_and_style(root: Path) -> None:
    map_id, language = keep(root)
    here = Kept(root.parent / "kept", module_of(root))
    assert here.get(map_id, language, "contrast") is None and here.get(map_id, "xx", "print") is None


def _append(name: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        path = root / name
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")

    return change


def _damage(root: Path) -> None:
    for path in (root.parent / "kept").glob("*.json"):
        path.write_text(path.read_text(encoding="utf-8")[:-40], encoding="utf-8")


def _other_picture(root: Path) -> None:
    for path in (root.parent / "kept").glob("*.png"):
        path.write_bytes(path.read_bytes()[:-1] + b"x")


@pytest.mark.parametrize(
    "change", [_append("module.json"), _append("counters/units.json"), _damage, _other_picture]
)
def test_whatever_it_is_drawn_from_counts(root: Path, change: Callable[[Path], None]) -> None:
    map_id, language = keep(root)
    assert kept(root, map_id, language) is not None
    change(root)
    assert kept(root, map_id, language) is None


def test_a_scenario_counts_only_by_what_the_board_shows(root: Path) -> None:
    map_id, language = keep(root)
    scenario = next((root / "scenarios").glob("*.json"))
    _append(f"scenarios/{scenario.name}")(root)
    assert kept(root, map_id, language) is not None
