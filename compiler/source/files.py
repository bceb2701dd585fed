"""The module's folder: which files are there, and their bytes. What cannot be read is a problem, never an exception."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from compiler.source.kinds import FILES, FOLDERS, is_left_alone, kind_of
from compiler.source.problem import Problem

LARGEST_FILE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Folder:
    """A module's folder. All paths in and out are relative to it, with forward slashes. `root` has no links in it."""

    root: Path

    def known(self) -> list[str]:
        """The source files that stand where the language expects them, sorted."""
        here = [name for name in FILES if os.path.lexists(self.root / name)]
        return sorted([*here, *(path for folder in FOLDERS for path in self._json_in(folder))])

    def _json_in(self, folder: str) -> Iterator[str]:
        for name in _names(self.root / folder):
            path = f"{folder}/{name}"
            if not name.startswith(".") and kind_of(path) is not None:
                yield path

    def all_json(self) -> list[str]:
        """Every JSON file below the folder that is neither hidden nor left alone, whatever the case of its suffix."""
        found: list[str] = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            at = Path(folder).relative_to(self.root)
            paths = ((at / name).as_posix() for name in names if not name.startswith("."))
            found.extend(path for path in paths if path.lower().endswith(".json") and not is_left_alone(path))
        return sorted(found)

    def all_csv(self) -> list[str]:
        """Every CSV in the module's own folders: what an author may have meant."""
        return [
            f"{folder}/{name}"
            for folder in FOLDERS
            for name in _names(self.root / folder)
            if name.endswith(".csv")
        ]

    def all_json_here(self) -> list[str]:
        return [name for name in _names(self.root) if name.lower().endswith(".json")]

    def modules_below(self) -> list[str]:
        """Folders in this one that are modules themselves: the author may have meant one of them."""
        return [name for name in _names(self.root) if os.path.lexists(self.root / name / "module.json")][:3]

    def exists(self, path: str) -> bool:
        try:
            return os.path.lexists(self.root / path)
        except ValueError:
            return False

    def leaves(self, path: str) -> bool:
        """Whether the file, after all symbolic links, lies outside the folder."""
        steps = path.split("/")
        if not any((self.root / "/".join(steps[: n + 1])).is_symlink() for n in range(len(steps))):
            return False
        return not Path(os.path.realpath(self.root / path)).is_relative_to(self.root)

    def read(self, path: str) -> bytes | Problem:
        try:
            return self._read(path)
        except PermissionError:
            return _unreadable("this file may not be read: permission denied", "change its permissions")
        except FileNotFoundError:
            return _unreadable("this is a link to a file that does not exist")
        except (OSError, ValueError) as error:
            return _unreadable(
                f"this file cannot be read: {getattr(error, 'strerror', None) or 'its name is not valid'}"
            )

    def _read(self, path: str) -> bytes | Problem:
        if self.leaves(path):
            help = "put the file itself into the module's folder"
            return Problem("S141", "this is a link that leaves the module's folder", (0, 0), help)
        status = (self.root / path).stat()
        if stat.S_ISDIR(status.st_mode):
            return _unreadable("this is a folder, not a file", "give the folder another name")
        if not stat.S_ISREG(status.st_mode):
            return _unreadable("this is not an ordinary file")
        with (self.root / path).open("rb") as file:
            data = file.read(status.st_size + 1) if status.st_size <= LARGEST_FILE else b""
            if len(data) > status.st_size:  # it grows while it is read, or its size is not known
                data += file.read(LARGEST_FILE + 1 - len(data))
        if max(status.st_size, len(data)) > LARGEST_FILE:
            size = f"{max(status.st_size, len(data)) / 1024 / 1024:.0f} MB"
            return Problem(
                "S102", f"this file has {size}; at most 64 MB are read", (0, 0), "split it with 'include'"
            )
        return data


def _unreadable(message: str, help: str | None = None) -> Problem:
    return Problem("S100", message, (0, 0), help)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except OSError:
        return []
