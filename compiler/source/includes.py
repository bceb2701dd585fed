"""`include`: which file each entry means, and whether it may be included there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from compiler.source.files import Folder
from compiler.source.kinds import kind_of
from compiler.source.problem import Problem
from compiler.suggest import did_you_mean

_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class Include:
    """Entry number `index` of a file's include list names the file `target`."""

    index: int
    target: str

    def problem(self, code: str, message: str, help: str | None = None) -> Problem:
        return Problem(code, message, None, help, ("include", self.index))


def entries(value: object) -> Iterator[Include]:
    """The entries that are texts; what else stands in the list is for the schema to refuse."""
    listed = value.get("include") if isinstance(value, dict) else None
    for index, target in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(target, str):
            yield Include(index, target)


def refuse(entry: Include, kind: str, folder: Folder) -> Problem | None:
    """Why the entry of a file of this kind names no file that can be read, or None if all is well."""
    return _not_a_path(entry) or _not_there(entry, folder) or _other_kind(entry, kind)


def _not_a_path(entry: Include) -> Problem | None:
    target = entry.target
    if "\\" in target:
        return entry.problem(
            "S141", "a path is written with '/', not with '\\'", f"write '{target.replace(chr(92), '/')}'"
        )
    if target.startswith("/") or _DRIVE.match(target):
        return entry.problem(
            "S141", f"'{target}' is an absolute path", "write it relative to the module's folder"
        )
    if posixpath.normpath(target).split("/")[0] == "..":
        return entry.problem(
            "S141", f"'{target}' leaves the module's folder", "move the file into the module's folder"
        )
    if posixpath.normpath(target) != target:
        return entry.problem(
            "S141", f"'{target}' is not written plainly", f"write '{posixpath.normpath(target)}'"
        )
    return None


def _not_there(entry: Include, folder: Folder) -> Problem | None:
    target = entry.target
    if not folder.exists(target):
        help = did_you_mean(target, folder.all_json()) or "paths are relative to the module's folder"
        return entry.problem("S140", f"the file '{target}' does not exist", help)
    if folder.leaves(target):
        help = "put the file itself into the module's folder"
        return entry.problem("S141", f"'{target}' is a link that leaves the module's folder", help)
    if not target.endswith(".json"):
        return entry.problem(
            "S143", f"'{target}' is not a JSON file", "include takes files whose names end in .json"
        )
    return None


def _other_kind(entry: Include, kind: str) -> Problem | None:
    own = kind_of(entry.target)
    if own is None or own == kind:
        return None
    message = f"'{entry.target}' is a {own} file; a {kind} file includes only files of its own kind"
    return entry.problem("S143", message)


def loops(includes: Mapping[str, Sequence[Include]]) -> Iterator[tuple[str, Include]]:
    """The entries that close a loop: each with the file it stands in."""
    done: set[str] = set()
    for start in includes:
        on_the_way: dict[str, Iterator[Include]] = {} if start in done else {start: iter(includes[start])}
        while on_the_way:
            path, waiting = next(reversed(on_the_way.items()))
            entry = next(waiting, None)
            if entry is None:
                done.add(path)
                del on_the_way[path]
            elif entry.target in on_the_way:
                yield path, entry
            elif entry.target not in done:
                on_the_way[entry.target] = iter(includes.get(entry.target, ()))


def repeats(root: str, includes: Mapping[str, Sequence[Include]]) -> Iterator[tuple[str, Include]]:
    """The entries that bring a file into `root` a second time. The includes have no loop."""
    seen: set[str] = set()
    waiting = [(root, entry) for entry in reversed(includes.get(root, ()))]
    while waiting:
        path, entry = waiting.pop()
        if entry.target in seen:
            yield path, entry
        else:
            seen.add(entry.target)
            waiting.extend((entry.target, inner) for inner in reversed(includes.get(entry.target, ())))
