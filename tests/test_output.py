"""The output folder: whatever happens, and whenever a build is killed, one whole build is in its place."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from compiler import output
from compiler.output import OutputError, building, finish, manifest_of, repair

# Builds version 2 over version 1 and kills itself at the n-th step that changes the disk.
KILLED = """
import itertools, os, pathlib, shutil, signal, sys
from compiler import output
parent, kill_at, exchange = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "exchange"
steps = itertools.count(1)

def step():
    if next(steps) == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)

def before(owner, name):
    real = getattr(owner, name)
    def killing(*args, **more):
        step()
        return real(*args, **more)
    setattr(owner, name, killing)

for owner, name in [(pathlib.Path, "rename"), (pathlib.Path, "mkdir"), (pathlib.Path, "open"), (os, "fsync"),
                    (os, "unlink"), (os, "rmdir"), (output, "_exchange")]:
    before(owner, name)
if not exchange:
    output._exchange = lambda one, other: False
with output.building(parent, "game") as stage:
    stage.write("maps/world.svg", b"two", "maps")
    stage.write("new.txt", b"two", "maps")
    output.finish(stage, {"version": "2"})
print("done")
"""


def build(parent: Path, version: str, files: dict[str, bytes]) -> None:
    with building(parent, "game") as stage:
        for path, content in files.items():
            stage.write(path, content, "maps")
        finish(stage, {"version": version})


def contents(place: Path) -> dict[str, bytes]:
    return {
        file.relative_to(place).as_posix(): file.read_bytes()
        for file in sorted(place.rglob("*"))
        if file.is_file()
    }


def whole_version(place: Path) -> str:
    """The version of the build, after making sure that it is exactly what its manifest says."""
    manifest = manifest_of(place)
    assert manifest is not None
    files = manifest["files"]
    assert isinstance(files, dict)
    found = contents(place)
    assert set(found) == {"manifest.json", *files}
    for path, entry in files.items():
        assert hashlib.sha256(found[path]).hexdigest() == entry["sha256"]
    return str(manifest["version"])


def test_manifest_names_every_file_and_archive_entry(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("buildFile.xml", "<x/>")
    build(tmp_path, "1", {"game.vmod": buffer.getvalue(), "maps/world.svg": b"<svg/>"})
    files = json.loads((tmp_path / "game/manifest.json").read_text(encoding="utf-8"))["files"]
    assert files["maps/world.svg"]["sha256"] == hashlib.sha256(b"<svg/>").hexdigest()
    assert files["game.vmod"]["entries"] == {"buildFile.xml": hashlib.sha256(b"<x/>").hexdigest()}


def test_a_new_build_replaces_the_earlier_one_wholly(tmp_path: Path) -> None:
    build(tmp_path, "1", {"old.txt": b"1"})
    build(tmp_path, "2", {"new.txt": b"2"})
    assert whole_version(tmp_path / "game") == "2"
    assert not (tmp_path / "game/old.txt").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".game.lock", "game"]


def test_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    files = {"b.txt": b"b", "a/c.txt": b"c"}
    build(tmp_path / "one", "1", files)
    build(tmp_path / "two", "1", dict(reversed(files.items())))
    assert contents(tmp_path / "one/game") == contents(tmp_path / "two/game")


def test_a_build_that_fails_leaves_the_earlier_one(tmp_path: Path) -> None:
    build(tmp_path, "1", {"old.txt": b"1"})
    with pytest.raises(RuntimeError), building(tmp_path, "game") as stage:
        stage.write("new.txt", b"2", "maps")
        raise RuntimeError
    assert whole_version(tmp_path / "game") == "1"
    assert not (tmp_path / ".game.new").exists()


def test_a_full_disk_is_said_and_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tmp_path, "1", {"old.txt": b"1"})

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="the disk is full"):
        build(tmp_path, "2", {"new.txt": b"2"})
    monkeypatch.undo()
    assert whole_version(tmp_path / "game") == "1"


def test_a_second_rename_that_is_refused_puts_the_earlier_build_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path, "1", {"old.txt": b"1"})
    real = Path.rename

    def held(self: Path, to: Path) -> Path:
        if self.name == ".game.new":
            raise PermissionError(errno.EACCES, "held open")
        return real(self, to)

    monkeypatch.setattr(output, "_exchange", lambda one, other: False)
    monkeypatch.setattr(Path, "rename", held)
    with pytest.raises(OutputError, match="held open by another program"):
        build(tmp_path, "2", {"new.txt": b"2"})
    assert whole_version(tmp_path / "game") == "1"


@pytest.mark.parametrize("file", ["game/notes.txt", "game/maps/mine.png"])
def test_files_that_no_build_wrote_are_never_replaced(tmp_path: Path, file: str) -> None:
    build(tmp_path, "1", {"maps/world.svg": b"1"})
    (tmp_path / file).write_bytes(b"my own")
    with pytest.raises(OutputError, match="which no build wrote"):
        build(tmp_path, "2", {"new.txt": b"2"})
    assert (tmp_path / file).read_bytes() == b"my own"


def test_a_module_folder_is_not_taken_for_a_build(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game/module.json").write_text("{}", encoding="utf-8")
    with pytest.raises(OutputError, match=r"module\.json, which no build wrote"):
        build(tmp_path, "1", {"new.txt": b"1"})
    assert (tmp_path / "game/module.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need rights there")
def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "game").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="is not a folder"):
        build(tmp_path, "1", {"new.txt": b"1"})


@pytest.mark.parametrize("path", ["../x", "/x", "A.txt", "a/../b", "", "ä.txt", "manifest.json", "a b"])
def test_names_that_other_systems_refuse_cannot_be_written(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="not a name"), building(tmp_path, "game") as stage:
        stage.write(path, b"", "maps")


def test_two_builds_at_once_of_the_same_module(tmp_path: Path) -> None:
    with building(tmp_path, "game") as stage:
        with pytest.raises(OutputError, match="another vmodc is building game"), building(tmp_path, "game"):
            pass
        finish(stage, {"version": "1"})
    assert whole_version(tmp_path / "game") == "1"


def test_repair_restores_only_a_whole_build(tmp_path: Path) -> None:
    build(tmp_path, "1", {"old.txt": b"1"})
    (tmp_path / "game").rename(tmp_path / ".game.old")
    repair(tmp_path, "game")
    assert whole_version(tmp_path / "game") == "1"
    (tmp_path / "game").rename(tmp_path / ".game.old")
    (tmp_path / ".game.old/old.txt").unlink()
    repair(tmp_path, "game")
    assert not (tmp_path / "game").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize("way", ["exchange", "two renames"])
def test_a_kill_at_any_step_leaves_one_whole_build(tmp_path: Path, way: str) -> None:
    seen = set()
    for kill_at in range(1, 100):
        parent = tmp_path / str(kill_at)
        build(parent, "1", {"maps/world.svg": b"one", "old.txt": b"one"})
        done = subprocess.run(
            [sys.executable, "-c", KILLED, parent, str(kill_at), way],
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode in (0, -9), done.stderr
        if way == "exchange" and sys.platform == "linux":
            whole_version(parent / "game")  # even before any repair
        repair(parent, "game")
        seen.add(whole_version(parent / "game"))
        build(parent, "3", {"next.txt": b"three"})
        assert whole_version(parent / "game") == "3"
        assert sorted(path.name for path in parent.iterdir()) == [".game.lock", "game"]
        if done.returncode == 0:
            break
    assert kill_at > 15
    assert seen == {"1", "2"}
