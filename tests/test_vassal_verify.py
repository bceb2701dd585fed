"""`verify`: what is missing is said exactly; with an engine, its own verdict on our output."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_vassal_support import AWKWARD, StandIn, small_module

from compiler.findings import Place, Severity
from compiler.source.document import Document
from compiler.vassal.build import Built, build_module
from compiler.vassal.encoding import ESC
from compiler.vassal.reader import open_archive, stream_commands
from compiler.vassal.saves import disguise, undisguise
from compiler.vassal.verify import Tools, Verdict, find_tools, seated, slow, speeds, verify

WORKSHOP = Path(__file__).parent / "good" / "workshop"
ENGINE = find_tools(None)
NEEDS_ENGINE = pytest.mark.skipif(
    not isinstance(ENGINE, Tools),
    reason="no engine to ask: " + "; ".join(item.message for item in ENGINE)
    if isinstance(ENGINE, list)
    else "",
)


def build_into(folder: Path, language: str = "en") -> Path:
    made = build_module(small_module(), language, StandIn())
    assert isinstance(made, Built)
    file = folder / "small.vmod"
    file.write_bytes(made.vmod)
    manifest = {
        "made_by": "vmodc",
        "files": {},
        "facts": {f"vassal.{language}": {"file": "small.vmod", **made.facts}},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return file


def test_what_is_missing_is_said_exactly(tmp_path: Path) -> None:
    found = find_tools(None, {"PATH": str(tmp_path)})
    assert isinstance(found, list)
    assert [item.code for item in found] == ["E101", "E102", "E103"]
    assert "java and javac" in found[0].message
    assert "--engine" in (found[1].help or "")


def test_a_folder_that_is_no_engine(tmp_path: Path) -> None:
    found = find_tools(tmp_path, {"PATH": os.environ.get("PATH", ""), "DISPLAY": ":0"})
    assert isinstance(found, list)
    assert "Vengine.jar" in next(item.message for item in found if item.code == "E102")


def test_the_engine_may_be_named_in_the_environment(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "Vengine.jar").touch()
    (tmp_path / "bin").mkdir()
    for name in ("java", "javac"):
        program = tmp_path / "bin" / name
        program.write_text("#!/bin/sh\n", encoding="ascii")
        program.chmod(0o755)
    found = find_tools(None, {"JAVA_HOME": str(tmp_path), "VMODC_ENGINE": str(tmp_path), "DISPLAY": ":0"})
    assert isinstance(found, Tools)
    assert found.engine == tmp_path.resolve()


def test_a_seat_is_one_line_more_and_nothing_else() -> None:
    made = build_module(small_module(), "en", StandIn())
    assert isinstance(made, Built)
    with open_archive(made.saves["start.vsav"]) as archive:
        before = stream_commands(archive)
    with open_archive(seated(made.saves["start.vsav"], "Solitaire")) as archive:
        after = stream_commands(archive)
    assert after == [*before[:-1], "PLAYER\tvmodc\tvmodc\tSolitaire", "end_save"]


@NEEDS_ENGINE
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_engine_opens_it_without_a_word_and_agrees_on_every_place(tmp_path: Path, language: str) -> None:
    verdict = verify(build_into(tmp_path, language), None, tmp_path / "shots", thorough=True)
    assert verdict.findings == ()
    assert verdict.engine.startswith("3.7")
    places = [line[7] for line in verdict.lines if line[0] == "PIECE"]
    assert len(places) == 3 * 7 and AWKWARD in places, "once from every seat"
    assert [line[1] for line in verdict.lines if line[0] == "SIDE"] == ["Solitaire", "Northland", "Southland"]
    assert all(picture.stat().st_size > 0 for picture in verdict.pictures) and len(verdict.pictures) == 8
    moved = next(line for line in verdict.lines if line[0] == "MOVED")
    words = {"en": ("moves from", "to"), "fr": ("va de", "&#224;")}[language]
    said = moved[4].partition(", O'Hill")[0]
    assert said.startswith(f"* {moved[1]} {words[0]} {moved[2]} {words[1]} &#321;"), (
        "a move is reported in a sentence"
    )
    assert any(line[0] == "COMMAND" and line[2] == "Turn over" for line in verdict.lines)


@NEEDS_ENGINE
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_feature_works_in_the_engine_from_every_seat(tmp_path: Path, language: str) -> None:
    """The workshop module: each set-up from each seat, each command, phase, button and entry of the menu."""
    shutil.copytree(WORKSHOP, tmp_path / "workshop")
    command = [
        sys.executable,
        "-m",
        "compiler",
        "build",
        str(tmp_path / "workshop"),
        "-o",
        str(tmp_path / "out"),
    ]
    subprocess.run([*command, "--only", "vmod,saves"], check=True, capture_output=True)
    place = tmp_path / "out" / "workshop"
    file = place / ("workshop.vmod" if language == "en" else "fr/workshop-fr.vmod")
    verdict = verify(file, None, tmp_path / "shots", thorough=True)
    assert [item.message for item in verdict.findings] == []
    seats = [line[1] for line in verdict.lines if line[0] == "SIDE"]
    assert sorted(set(seats)) == ["Eastland", "Northland", "Solitaire", "The Blues"]
    assert len(seats) == 4 * 3
    tried = {line[2] for line in verdict.lines if line[0] == "COMMAND"}
    assert {
        "Lose a step",
        "To the next turn",
        "Load",
        "Unload",
        "Becomes Foot (Northland)",
        "Draw several",
    } <= tried
    assert len({line[1] for line in verdict.lines if line[0] == "TURN"}) > 80
    assert len([line for line in verdict.lines if line[0] == "MENU"]) == 4
    open_to = {(line[1], line[2]) for line in verdict.lines if line[0] == "WINDOW"}
    assert {("Hand of Southland", "true"), ("Hand of Southland", "false")} <= open_to


def changed_save(file: Path, old: str, new: str) -> None:
    """Changes the set-up inside the module, but not the manifest."""
    import io
    import zipfile

    with zipfile.ZipFile(file) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(entries["start.vsav"])) as inner,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        for name in inner.namelist():
            data = inner.read(name)
            if name == "savedGame":
                text = undisguise(data)
                assert old in text
                data = disguise(text.replace(old, new))
            made.writestr(name, data)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**entries, "start.vsav": out.getvalue()}.items():
            archive.writestr(name, data)


def errors(verdict: Verdict) -> set[str]:
    return {item.code for item in verdict.findings if item.severity is Severity.ERROR}


@NEEDS_ENGINE
def test_the_engine_notices_what_is_wrong(tmp_path: Path) -> None:
    file = build_into(tmp_path)
    changed_save(file, "/stack/Main Map;300;", "/stack/Main Map;500;")
    assert errors(verify(file, None, tmp_path / "shots")) == {"E114", "E115"}


@NEEDS_ENGINE
def test_a_missing_picture_is_a_log_line_and_a_lost_piece_is_missed(tmp_path: Path) -> None:
    file = build_into(tmp_path)
    changed_save(file, "north-foot.svg", "north-foof.svg")
    assert "E110" in errors(verify(file, None, tmp_path / "shots"))
    file = build_into(tmp_path)
    changed_save(file, ESC + "+/1007/", ESC + "-/1007/")
    assert errors(verify(file, None, tmp_path / "shots")) == {"E112"}


@NEEDS_ENGINE
def test_a_time_out_ends_everything(tmp_path: Path) -> None:
    started = time.monotonic()
    verdict = verify(build_into(tmp_path), None, tmp_path / "shots", timeout=0.5)
    assert errors(verdict) == {"E105"}
    assert time.monotonic() - started < 30
    if sys.platform == "linux":
        left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        assert str(tmp_path) not in left


TIMED = [
    ("LOOKUP", "Map", "name", "900", "13", "399"),
    ("LOOKUP", "Map", "find", "900", "25", "1278"),
    ("MOTION", "Map", "pan", "132", "6266", "75846"),
    ("MEMORY", "218", "1024"),
]


def test_what_is_quick_enough_is_told_and_no_finding() -> None:
    assert list(slow(TIMED, Place(Document("x", "")))) == []
    assert speeds(TIMED) == "look-up 0.025 ms, pan 6.3 ms, 218 MB in use"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (("LOOKUP", "Map", "snap", "900", "5100", "9000"), "E120"),
        (("MOTION", "Map", "pan", "132", "101000", "900000"), "E121"),
        (("MOTION", "Map", "zoom", "11", "240000", "900000"), "E121"),
    ],
)
def test_what_is_slow_is_a_finding(line: tuple[str, ...], code: str) -> None:
    assert [f.code for f in slow([*TIMED, line], Place(Document("x", "")))] == [code]
