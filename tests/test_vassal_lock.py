"""ids.lock.json: ids never change hands, and what saves depend on cannot change by accident."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from test_vassal_support import HERE, StandIn, small_module

from compiler.model.types import Counter, Module
from compiler.vassal.build import Built, build_module
from compiler.vassal.inspect import position
from compiler.vassal.lock import FILE, Lock, locked, version_of, with_pieces, written
from compiler.vassal.pieces import read_command
from compiler.vassal.preflight import pictures_of
from compiler.vassal.reader import build_file, open_archive, stream_commands
from compiler.vassal.targets import Planned, plan_all

KEPT = Path(__file__).parent / "data" / "vassal-1.0.0.vsav"
KEPT_LOCK = Path(__file__).parent / "data" / "vassal-1.0.0.lock.json"


def planned(module: Module, root: Path, drawings: StandIn | None = None, *, frozen: bool = False) -> Planned:
    return plan_all(module, root, ("en", "fr"), drawings or StandIn(), frozen=frozen)


def released(root: Path) -> None:
    (root / FILE).write_text(written(planned(small_module(), root).new), encoding="utf-8")


def codes(found: Planned) -> list[str]:
    return [item.code for item in found.findings]


def without_foot(module: Module, **more: Counter) -> Module:
    counters = {id: counter for id, counter in module.counters.items() if id != "south.foot"}
    scenario = dataclasses.replace(
        module.scenarios["start"],
        pieces=tuple(p for p in module.scenarios["start"].pieces if p.counter != "south.foot"),
    )
    return dataclasses.replace(module, counters={**counters, **more}, scenarios={"start": scenario})


def test_the_lock_comes_back_as_written(tmp_path: Path) -> None:
    lock = planned(small_module(), tmp_path).new
    assert locked(written(lock), None) == (lock, [])


def test_a_build_of_the_same_source_needs_nothing(tmp_path: Path) -> None:
    released(tmp_path)
    again = planned(small_module(), tmp_path, frozen=True)
    assert again.findings == ()
    assert again.new == again.old


def test_a_new_counter_gets_a_new_id_and_the_others_keep_theirs(tmp_path: Path) -> None:
    released(tmp_path)
    module = small_module()
    more = {"aaa": Counter("aaa", "foot", "north", None, {}, {}, HERE), **module.counters}
    found = planned(dataclasses.replace(module, counters=more), tmp_path)
    assert found.new.pieces["aaa"].gpid == "6"
    assert {id: item.gpid for id, item in found.old.pieces.items()}.items() <= {
        id: item.gpid for id, item in found.new.pieces.items()
    }.items()
    assert found.findings == ()
    assert codes(planned(dataclasses.replace(module, counters=more), tmp_path, frozen=True)) == ["V134"]


def test_a_removed_counter_needs_a_higher_major_version_and_its_id_is_never_given_again(
    tmp_path: Path,
) -> None:
    released(tmp_path)
    module = without_foot(small_module())
    found = planned(module, tmp_path)
    assert codes(found) == ["V132"]
    assert "south.foot" in found.findings[0].message
    assert codes(planned(dataclasses.replace(module, version="1.9.0"), tmp_path)) == ["V132"]
    higher = planned(dataclasses.replace(module, version="2.0.0"), tmp_path)
    assert higher.findings == ()
    (tmp_path / FILE).write_text(written(higher.new), encoding="utf-8")
    newcomer = Counter("newcomer", "foot", "south", None, {}, {}, HERE)
    later = planned(
        dataclasses.replace(without_foot(small_module(), newcomer=newcomer), version="2.0.0"), tmp_path
    )
    assert later.new.pieces["newcomer"].gpid not in {item.gpid for item in found.old.pieces.values()}
    assert "south.foot" in later.new.removed


def test_renamed_from_hands_the_id_and_the_picture_on(tmp_path: Path) -> None:
    released(tmp_path)
    infantry = Counter("south.infantry", "foot", "south", None, {}, {"renamed_from": "south.foot"}, HERE)
    found = planned(without_foot(small_module(), **{"south.infantry": infantry}), tmp_path)
    assert found.new.pieces["south.infantry"] == found.old.pieces["south.foot"]
    assert "V132" not in codes(found)


def test_changed_outlines_need_a_higher_major_version(tmp_path: Path) -> None:
    released(tmp_path)
    wide = StandIn(cell=220)
    assert codes(planned(small_module(), tmp_path, wide)) == ["V131"]
    assert codes(planned(small_module(version="1.1.0"), tmp_path, wide)) == ["V131"]
    assert codes(planned(small_module(version="2.0.0"), tmp_path, wide)) == []


def test_a_changed_picture_needs_a_higher_version(tmp_path: Path) -> None:
    released(tmp_path)
    red = StandIn(colour="red")
    found = planned(small_module(), tmp_path, red)
    assert codes(found) == ["V114"]
    assert "flag.svg" in found.findings[0].message
    assert codes(planned(small_module(version="1.0.1"), tmp_path, red)) == []


def test_a_renamed_map_needs_a_higher_major_version(tmp_path: Path) -> None:
    released(tmp_path)
    module = small_module()
    texts = dataclasses.replace(
        module.texts, words={**module.texts.words, "en": {**module.texts.words["en"], "window.main": "Other"}}
    )
    assert codes(planned(dataclasses.replace(module, texts=texts), tmp_path)) == ["V136"]


def test_a_broken_lock_is_a_finding(tmp_path: Path) -> None:
    for text in (
        "{",
        "[]",
        '{"version": 1}',
        '{"version": "1.0.0", "next": "x"}',
        '{"version":"1","next":1,"pieces":[]}',
        "[" * 100_000,
    ):
        lock, found = locked(text, None)
        assert lock == Lock()
        assert [item.code for item in found] == ["V135"]


def test_versions() -> None:
    assert version_of("1.20.3") == (1, 20, 3)
    assert [version_of(text) for text in ("1.0", "v1.0.0", "1.0.0-beta", "01.0.0", "")] == [None] * 5


def test_picture_names_never_clash() -> None:
    counters = {id: Counter(id, "foot", None, None, {}, {}, HERE) for id in ("a.b", "a-b", "A_b", "ä")}
    lock = with_pieces(Lock(), counters, {id: ["", ""] for id in counters})
    names = [image for piece in lock.pieces.values() for image in piece.images]
    assert len({name.casefold() for name in names}) == 8
    assert all(name.isascii() for name in names)


def test_everything_in_a_save_of_an_earlier_build_still_exists() -> None:
    """The kept save was written by version 1.0.0 of this module; whatever changes in here, it must still open."""
    made = build_module(
        small_module(), "en", StandIn(), locked(KEPT_LOCK.read_text(encoding="utf-8"), None)[0]
    )
    assert isinstance(made, Built)
    with open_archive(made.vmod) as archive:
        tree = build_file(archive)
        files = {entry.name for entry in archive.entries}
    with open_archive(KEPT) as archive:
        commands = stream_commands(archive)
    gpids = {node.get("gpid"): read_command(node.text).name for node in tree.all("w.PieceSlot")}
    found = position(commands, "kept", {})
    assert len(found.pieces) == 7
    for piece in found.pieces:
        assert gpids[piece.gpid] == piece.name
    boards = {
        node.get("mapName"): {board.get("name") for board in node.all("m.map.boardPicker.Board")}
        for node in tree.all("m.Map")
    }
    assert all(set(names) <= boards[map_name] for map_name, names in found.boards.items())
    assert {piece.map for piece in found.pieces} <= set(boards)
    pictures = {
        name for text in commands if text.startswith("+/") for name in pictures_of(read_command(text))
    }
    assert pictures and {f"images/{name}" for name in pictures} <= files
    assert set(found.properties) <= {node.get("name") for node in tree.all("m.properties.GlobalProperty")}
