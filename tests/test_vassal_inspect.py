"""`inspect` on good files and on hostile ones: a clear sentence, soon, in little memory."""

from __future__ import annotations

import io
import json
import struct
import time
import zipfile
from pathlib import Path

import pytest

from compiler.vassal import pieces, saves
from compiler.vassal.archive import pack
from compiler.vassal.elements import element, to_xml
from compiler.vassal.encoding import ESC
from compiler.vassal.inspect import Unreadable, as_json, as_text, inspect_file
from compiler.vassal.metadata import Metadata
from compiler.vassal.traits import markers, trait

DATA = Metadata("1.2.0", "about", 0, name="Small")


def small_save() -> bytes:
    spot = pieces.Spot("Main", 15, 15)
    definition = pieces.Definition("Łódź / Guards; Тула", "a.png", "3", (markers({"Side": "Red,ish"}),))
    setup = saves.Setup(
        (saves.Placed("1", definition, spot),), {"Main": (("Board", 0, 0),)}, (("Module", "VP", "4"),)
    )
    return saves.save_archive(setup, DATA, 0)


def small_module(**more: bytes) -> bytes:
    zone = element(
        "m.map.boardPicker.board.mapgrid.Zone", {"name": "Hill", "path": "10,10;20,10;20,20;10,20"}
    )
    board = element(
        "m.map.boardPicker.Board",
        {"name": "Board"},
        [element("m.map.boardPicker.board.ZonedGrid", children=[zone])],
    )
    slot = pieces.slot_text(pieces.Definition("Guard", "a.png", "3", (trait("prototype", name="P"),)))
    tree = element(
        "VASSAL.build.GameModule",
        {"name": "Small", "version": "1.2.0"},
        [
            element("m.Map", {"mapName": "Main"}, [element("m.map.BoardPicker", children=[board])]),
            element(
                "m.PieceWindow",
                {"name": "Pieces"},
                [element("w.PieceSlot", {"entryName": "Guard", "gpid": "3"}, text=slot)],
            ),
            element("m.PredefinedSetup", {"name": "Start", "file": "start.vsav", "useFile": True}),
        ],
    )
    entries = {"buildFile.xml": to_xml(tree), "moduledata": DATA.module_bytes(), "start.vsav": small_save()}
    return pack({**entries, **{name.replace("__", "."): data for name, data in more.items()}}, 0)


def write(folder: Path, data: bytes) -> Path:
    path = folder / "file.vmod"
    path.write_bytes(data)
    return path


def test_a_module_with_its_setup(tmp_path: Path) -> None:
    found = inspect_file(write(tmp_path, small_module()))
    assert (found.kind, found.name, found.version) == ("module", "Small", "1.2.0")
    assert [slot.name for slot in found.slots] == ["Guard"]
    assert found.slots[0].path == "Pieces"
    piece = found.saves[0].pieces[0]
    assert (piece.name, piece.map, piece.x, piece.y, piece.location) == (
        "Łódź / Guards; Тула",
        "Main",
        15,
        15,
        "Hill",
    )
    assert piece.properties == {"Side": "Red,ish"}
    assert piece.stack == "2"
    text = as_text(found)
    assert "Map  Main" in text and "Hill" in text and "Łódź / Guards; Тула  Main 15,15  Hill" in text
    assert json.loads(as_json(found))["saves"][0]["properties"] == {"VP": "4"}


def test_a_save_alone(tmp_path: Path) -> None:
    found = inspect_file(write(tmp_path, small_save()))
    assert found.kind == "save"
    assert found.saves[0].boards == {"Main": ("Board",)}


def refuse(path: Path, words: str) -> None:
    started = time.monotonic()
    with pytest.raises(Unreadable, match=words):
        inspect_file(path)
    assert time.monotonic() - started < 10


def test_a_zip_bomb_in_the_build_file(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("buildFile.xml", "w") as stream,
    ):
        for _ in range(100):
            stream.write(b" " * (1 << 20))
    refuse(write(tmp_path, buffer.getvalue()), "more than 64 MB")


def test_a_declared_bomb(tmp_path: Path) -> None:
    data = bytearray(pack({"buildFile.xml": b"<a/>", "images/x.png": b"1"}, 0))
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 0xFFFFFFF0)
    refuse(write(tmp_path, bytes(data)), "would unpack to")


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a\\..\\x", "C:x", "images/../../x"])
def test_path_tricks(tmp_path: Path, name: str) -> None:
    refuse(write(tmp_path, pack({"buildFile.xml": b"<a/>", name: b""}, 0)), "leaves the archive")


BOMB = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "cccccccccc"><!ENTITY d "&b;&b;&b;">]><a>&d;</a>'


@pytest.mark.parametrize(
    "data", [BOMB, BOMB.decode().replace("?>", ' encoding="UTF-16"?>', 1).encode("utf-16")]
)
def test_entities_are_never_expanded(tmp_path: Path, data: bytes) -> None:
    refuse(write(tmp_path, pack({"buildFile.xml": data}, 0)), "document type|not well-formed")


def test_external_entities_read_nothing(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hidden", encoding="utf-8")
    text = f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]><a>&x;</a>'
    refuse(write(tmp_path, pack({"buildFile.xml": text.encode()}, 0)), "document type")


def test_deep_nesting(tmp_path: Path) -> None:
    refuse(write(tmp_path, pack({"buildFile.xml": b"<a>" * 100_000 + b"</a>" * 100_000}, 0)), "well-formed")


def test_truncation_at_every_length(tmp_path: Path) -> None:
    whole = small_module()
    for length in range(0, len(whole) - 1, max(1, len(whole) // 60)):
        refuse(write(tmp_path, whole[:length]), ".")


def test_a_flipped_byte_never_crashes(tmp_path: Path) -> None:
    whole = bytearray(small_module())
    for at in range(0, len(whole), max(1, len(whole) // 80)):
        broken = bytes(whole[:at]) + bytes([whole[at] ^ 0x55]) + bytes(whole[at + 1 :])
        try:
            inspect_file(write(tmp_path, broken))
        except Unreadable as said:
            assert str(said)


@pytest.mark.parametrize(
    "data", [b"!VCSK5a38", b"!VCSKxx", b"!VCSK5a3", b"garbage", b"!VCSK11" + saves.disguise("begin_save")[7:]]
)
def test_a_wrong_disguise(tmp_path: Path, data: bytes) -> None:
    refuse(write(tmp_path, pack({"savedGame": data}, 0)), "savedGame")


def test_a_million_commands(tmp_path: Path) -> None:
    data = saves.disguise("begin_save" + (ESC + "x") * 1_000_000)
    refuse(write(tmp_path, pack({"savedGame": data}, 0)), "more than 300000 commands")


def test_groups_inside_groups(tmp_path: Path) -> None:
    text = "x"
    for _ in range(40):
        text = ESC.join(("y", text.replace(ESC, "\\" + ESC)))
        if len(text) > 1 << 20:
            break
    data = saves.disguise("begin_save" + ESC + text.replace(ESC, "\\" + ESC))
    refuse(write(tmp_path, pack({"savedGame": data}, 0)), "deep")


def test_many_traits_in_one_piece(tmp_path: Path) -> None:
    nested = "a"
    for level in range(400):
        nested = "b" + "\\" * level + "\t" + nested if level < 2 else nested
    text = "\t".join(["x"] * 3)
    save = saves.disguise(ESC.join(["begin_save", f"+/1/{text}/{text}", "end_save"]))
    found = inspect_file(write(tmp_path, pack({"savedGame": save}, 0)))
    assert found.saves[0].other == {"begin_save": 1, "end_save": 1}


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    tree = element("VASSAL.build.GameModule", {"name": "a\tb\u202ec\u009b31m"})
    found = inspect_file(write(tmp_path, pack({"buildFile.xml": to_xml(tree)}, 0)))
    assert "\u009b" not in as_text(found) and "\u202e" not in as_text(found)


def test_neither_module_nor_save(tmp_path: Path) -> None:
    refuse(write(tmp_path, pack({"hello": b""}, 0)), "neither a module")
    refuse(write(tmp_path, b"hello"), "not a zip")
    refuse(tmp_path / "absent.vmod", "No such file")
    refuse(tmp_path, "not a file")
