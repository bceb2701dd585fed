"""The output folder of a build: all or nothing.

A build is written into a hidden folder beside its place, completed with a manifest, and swapped in by renaming. At every
moment the place holds the earlier build or the new one, whole, or (only where two folders cannot be exchanged in one
step, and only between two renames) nothing, and then the earlier one stands beside it and `repair` puts it back. The
names of the folders say all that `repair` needs to know:

    build/<name>         one complete build, with its manifest.json
    build/.<name>.new    being written; worthless after a kill
    build/.<name>.old    the earlier build, during the swap

Nothing outside the output folder is touched, and no file in it that a build did not write is ever removed.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import shutil
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

MANIFEST = "manifest.json"
_MADE_BY = "vmodc"
_NAME = re.compile(r"[a-z0-9-]+(\.[a-z0-9]+)?")
_LITTER = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})  # written by file managers, missed by nobody
_ARCHIVES = (".vmod", ".vsav", ".vext", ".zip")


class OutputError(Exception):
    """The build could not be written; the words say why. The earlier build is untouched."""


@dataclass(slots=True)
class Stage:
    """The build being written. Targets call `write` and `fact`; nothing else in it may be changed."""

    folder: Path
    files: dict[str, dict[str, object]] = field(default_factory=dict)
    facts: dict[str, object] = field(default_factory=dict)

    def write(self, path: str, content: bytes, target: str) -> None:
        """Adds a file. `path` is relative, with forward slashes; its parts are ASCII, lower case, digits and hyphens."""
        self._claim(path, target)
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        self.files[path] |= _hashes(file)

    def keep(self, path: str, earlier: Path, entry: Mapping[str, object]) -> None:
        """Takes over a file of the earlier build as it is."""
        self._claim(path, str(entry["target"]))
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(earlier, file)
        except OSError:
            shutil.copyfile(earlier, file)
        self.files[path] = dict(entry)

    def fact(self, name: str, value: object) -> None:
        """Adds what a target wants recorded in the manifest, under the target's own name."""
        self.facts[name] = value

    def _claim(self, path: str, target: str) -> None:
        parts = PurePosixPath(path).parts
        if (
            not parts
            or any(not _NAME.fullmatch(part) for part in parts)
            or path in self.files
            or path == MANIFEST
        ):
            raise ValueError(f"not a name for an output file, or used twice: {path!r}")
        self.files[path] = {"target": target}


@contextlib.contextmanager
def building(parent: Path, name: str) -> Iterator[Stage]:
    """A stage for `parent/name`; when the block ends without an exception, the stage has become the build.

    Raises OutputError, with the earlier build in place, if the folder cannot be written, is being written by another
    command, or holds files that are not a build's.
    """
    try:
        parent.mkdir(parents=True, exist_ok=True)
        with _locked(parent / f".{name}.lock"):
            _repair(parent, name)
            _refuse_strangers(parent / name)
            stage = Stage(_new(parent, name))
            stage.folder.mkdir()
            try:
                yield stage
                _swap(parent, name)
            finally:
                # What cannot be removed now (held open on Windows) is removed by the next build.
                shutil.rmtree(stage.folder, ignore_errors=True)
                shutil.rmtree(_old(parent, name), ignore_errors=True)
    except OSError as problem:
        raise OutputError(_sentence(problem, parent / name)) from problem


def finish(stage: Stage, about: Mapping[str, object]) -> None:
    """Writes the manifest, the last file of a build: what it is about, and the sha256 of every file and archive entry."""
    manifest = {
        "made_by": _MADE_BY,
        **about,
        "files": dict(sorted(stage.files.items())),
        "facts": stage.facts,
    }
    with (stage.folder / MANIFEST).open("w", encoding="utf-8", newline="\n") as out:
        json.dump(manifest, out, ensure_ascii=False, indent=1, sort_keys=True)
        out.write("\n")
        out.flush()
        os.fsync(out.fileno())
    for folder, _, _ in os.walk(stage.folder):
        _sync(Path(folder))


def repair(parent: Path, name: str) -> None:
    """Puts right what a kill left behind, unless a build is under way. To be called before a build is read."""
    if not (_old(parent, name).exists() or _new(parent, name).exists()):
        return
    with contextlib.suppress(OutputError), _locked(parent / f".{name}.lock"):
        _repair(parent, name)


def _repair(parent: Path, name: str) -> None:
    place, old = parent / name, _old(parent, name)
    if not place.exists() and _is_whole(old):
        old.rename(place)
        _sync(parent)
    _remove(old)
    _remove(_new(parent, name))


def _is_whole(build: Path) -> bool:
    """Whether every file of the manifest is there: an earlier build may have been half removed by hand or by a kill."""
    manifest = manifest_of(build)
    return manifest is not None and all((build / file).is_file() for file in _files(manifest))


def _files(manifest: Mapping[str, object]) -> dict[str, object]:
    files = manifest["files"]
    return files if isinstance(files, dict) else {}


def manifest_of(place: Path) -> dict[str, object] | None:
    """The manifest of a build, or None if there is none that can be read."""
    try:
        manifest = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if (
        isinstance(manifest, dict)
        and manifest.get("made_by") == _MADE_BY
        and isinstance(manifest.get("files"), dict)
    ):
        return manifest
    return None


def _new(parent: Path, name: str) -> Path:
    return parent / f".{name}.new"


def _old(parent: Path, name: str) -> Path:
    return parent / f".{name}.old"


def _swap(parent: Path, name: str) -> None:
    place, old, new = parent / name, _old(parent, name), _new(parent, name)
    if not place.exists():
        new.rename(place)
    elif not _exchange(new, place):
        place.rename(old)
        try:
            new.rename(place)
        except OSError:
            old.rename(place)
            raise
    _sync(parent)


def _exchange(one: Path, other: Path) -> bool:
    """Exchanges two folders in one step, where the system can (Linux); says whether it did."""
    if sys.platform != "linux":
        return False
    import ctypes

    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return rename is not None and rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0


def _refuse_strangers(place: Path) -> None:
    """A folder that is not wholly a build's own is not ours to replace."""
    if not place.exists() and not place.is_symlink():
        return
    if place.is_symlink() or not place.is_dir():
        raise OutputError(f"{place} is not a folder; move it away or build to another place with -o")
    manifest = manifest_of(place)
    known = {MANIFEST, *_files(manifest)} if manifest else set()
    for folder, _, names in os.walk(place):
        for file in sorted(names):
            path = (Path(folder) / file).relative_to(place).as_posix()
            if file not in _LITTER and path not in known:
                raise OutputError(
                    f"{place} holds {path}, which no build wrote; move it away or build to another place with -o"
                )


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keeps a second command out of the same build. The lock ends with the process, however that ends.

    The empty lock file stays: removing it would let a third command lock another file of the same name.
    """
    with path.open("a", encoding="utf-8") as lock:
        if not _try_lock(lock.fileno()):
            raise OutputError(
                f"another vmodc is building {path.name.strip('.').removesuffix('.lock')}; wait for it"
            )
        yield


def _try_lock(file: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _hashes(file: Path) -> dict[str, object]:
    hashes: dict[str, object] = {"sha256": _sha256(file), "size": file.stat().st_size}
    if file.suffix in _ARCHIVES:
        with zipfile.ZipFile(file) as archive:
            hashes["entries"] = {
                name: hashlib.sha256(archive.read(name)).hexdigest() for name in sorted(archive.namelist())
            }
    return hashes


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _sync(folder: Path) -> None:
    """Makes renames in a folder last. Windows cannot open a folder and needs no such thing."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def _sentence(problem: OSError, place: Path) -> str:
    if problem.errno == errno.ENOSPC:
        return f"the disk is full; {place} is as it was"
    if isinstance(problem, PermissionError):
        return f"{place} cannot be written: no permission, or a file in it is held open by another program"
    return f"{place} cannot be written: {problem.strerror or problem}"
