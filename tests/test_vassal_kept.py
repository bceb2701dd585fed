"""Saves of earlier builds of the games in this repository: each must still open in what is built today."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.model import build
from compiler.source import read
from compiler.vassal.drawings import Undrawn
from compiler.vassal.inspect import position
from compiler.vassal.lock import locked
from compiler.vassal.pieces import read_command
from compiler.vassal.plan import Plan, plan_module
from compiler.vassal.preflight import pictures_of
from compiler.vassal.reader import open_archive, stream_commands
from compiler.vassal.targets import read_lock

ROOT = Path(__file__).parent.parent
KEPT = sorted((Path(__file__).parent / "data" / "vassal-saves").glob("*.vsav"))


def module_of(save: Path) -> Path:
    """`<module>-<version>.vsav`."""
    return ROOT / "modules_src" / save.stem.rpartition("-")[0]


@pytest.mark.parametrize("save", KEPT, ids=[save.stem for save in KEPT])
def test_everything_in_the_save_still_exists(save: Path) -> None:
    root = module_of(save)
    docs, _ = read(root, root.name)
    module, _ = build(docs, root, [])
    assert module is not None
    lock, findings = locked(read_lock(root), None)
    assert not findings
    plan = plan_module(module, module.languages[0], Undrawn(module), lock, 0)
    assert isinstance(plan, Plan)
    with open_archive(save) as archive:
        commands = stream_commands(archive)
    found = position(commands, save.name, {})
    assert found.pieces
    names = {node.get("gpid"): node.get("entryName") for node in plan.tree.all("w.PieceSlot")}
    assert {piece.gpid: piece.name for piece in found.pieces}.items() <= names.items()
    boards = {
        node.get("mapName"): {board.get("name") for board in node.all("m.map.boardPicker.Board")}
        for node in plan.tree.all("m.Map")
    }
    assert all(set(used) <= boards[name] for name, used in found.boards.items())
    assert {piece.map for piece in found.pieces} <= set(boards)
    pictures = {
        name for text in commands if text.startswith("+/") for name in pictures_of(read_command(text))
    }
    assert pictures and pictures <= set(plan.pictures)
    assert set(found.properties) <= {
        node.get("name") for node in plan.tree.all("m.properties.GlobalProperty")
    }
