"""Which modules a command works on: the folders named, or every folder in modules_src/."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from compiler.commands import Unusable
from compiler.suggest import did_you_mean

HOME = "modules_src"


@dataclass(frozen=True, slots=True)
class Folder:
    """A module's folder; `shown_as` is its path as the author would type it, with forward slashes."""

    path: Path
    shown_as: str


def folders(named: Sequence[str]) -> tuple[list[Folder], list[str]]:
    """The folders to work on, and a sentence for each one that cannot be read."""
    good: list[Folder] = []
    problems: list[str] = []
    for name in named or _all():
        try:
            good.append(folder(name))
        except Unusable as problem:
            problems.append(str(problem))
    return good, problems


def folder(name: str) -> Folder:
    """The folder of one module. A bare module name is also looked for in modules_src/. Unusable says what is wrong."""
    path = Path(name)
    if not path.exists() and len(path.parts) == 1 and (Path(HOME) / path).is_dir():
        path = Path(HOME) / path
    if not path.exists():
        raise Unusable(_missing(path))
    if not path.is_dir():
        raise Unusable(f"'{name}' is a file; name the module's folder, the one with module.json in it")
    try:
        next(path.iterdir(), None)
    except OSError as problem:
        raise Unusable(f"the folder '{name}' cannot be read: {problem.strerror}") from problem
    return Folder(path, shown(path))


def _all() -> list[str]:
    home = Path(HOME)
    if home.is_dir():
        found = sorted(
            path.name for path in home.iterdir() if path.is_dir() and not path.name.startswith(".")
        )
        if found:
            return [f"{HOME}/{name}" for name in found]
        raise Unusable(f"{HOME}/ holds no module yet; 'vmodc init {HOME}/my-game' writes a first one")
    if Path("module.json").is_file():
        return ["."]
    raise Unusable(
        f"there is no {HOME}/ here; name a module's folder, or start one with 'vmodc init my-game'"
    )


def _missing(path: Path) -> str:
    beside = path.parent
    near = [other.name for other in beside.iterdir() if other.is_dir()] if beside.is_dir() else []
    help = did_you_mean(path.name, near)
    return f"there is no folder '{path.as_posix()}'" + (f"; {help}" if help else "")


def shown(path: Path) -> str:
    """Relative to where the command was started if it lies below; as given otherwise."""
    whole = PurePath(os.path.normpath(path))
    if whole.is_absolute() and whole.is_relative_to(Path.cwd()):
        whole = whole.relative_to(Path.cwd())
    return whole.as_posix()
