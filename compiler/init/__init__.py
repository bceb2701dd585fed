"""`vmodc init`: writes a small complete module to start from, and the schemas beside it.

The templates are real modules: compiler/init/template/ with areas, compiler/init/hex/ with hexes. Nothing is ever overwritten: an existing folder is refused, and
schemas that are already there stay as they are. The schemas lie beside the module's folder, or (for a module in
modules_src/) beside modules_src/, so that every folder in modules_src/ is a module.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath

from compiler.commands import CLEAN, Unusable
from compiler.commands.folders import HOME, shown
from compiler.commands.sink import Write

_SCHEMAS = re.compile(r'"(\.\./)+schemas/')
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Template:
    """A module to start from: its folder beside this file, and the id and title that the new module's take the place of."""

    folder: str
    id: str
    title: str


AREA = Template("template", "four-areas", "Four Areas")
HEX = Template("hex", "two-shores", "Two Shores")


def init(name: str, write: Write, *, hexes: bool = False) -> int:
    """Writes the module `name`, a folder whose last part is the id. Unusable if the name or the place will not do.

    `hexes` takes the template with a hex map instead of the one with areas.
    """
    folder = Path(name)
    id = folder.name
    if not _ID.fullmatch(id) or len(id) > 60:
        raise Unusable(f"'{id}' will not do as the id of a module; use lower-case words: 'my-game'")
    if folder.exists() or folder.is_symlink():
        raise Unusable(f"'{name}' is there already; nothing was written")
    schemas = schema_folder(folder)
    try:
        kept = _write(folder, id, schemas, HEX if hexes else AREA)
    except OSError as problem:
        shutil.rmtree(folder, ignore_errors=True)
        raise Unusable(f"'{name}' cannot be written: {problem.strerror}") from problem
    write(f"wrote the module {shown(folder)}/ and the schemas for your editor, {shown(schemas)}/\n")
    if kept:
        write(f"left as they were, though they differ from this version's: {', '.join(kept)}\n")
    write(f"next: vmodc check {shown(folder)}\n")
    return CLEAN


def schema_folder(folder: Path) -> Path:
    """Where the schemas of a new module lie."""
    parent = folder.absolute().parent
    return (parent.parent if parent.name == HOME else parent) / "schemas"


def _write(folder: Path, id: str, schemas: Path, start: Template) -> list[str]:
    way = Path(os.path.relpath(schemas, folder.absolute())).as_posix()
    _write_module(folder, id, way, start)
    return _write_schemas(schemas)


def _write_module(folder: Path, id: str, schemas: str, start: Template) -> None:
    title = " ".join(word.capitalize() for word in id.split("-"))
    for path, text in template(start):
        text = text.replace(f'"{start.id}"', f'"{id}"').replace(f'"{start.title}"', f'"{title}"')
        text = _SCHEMAS.sub(f'"{"../" * (len(path.parts) - 1)}{schemas}/', text)
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")


def template(start: Template = AREA) -> Iterator[tuple[PurePosixPath, str]]:
    """The template's files: path in the module's folder, and text."""
    return _walk(files("compiler.init").joinpath(start.folder), PurePosixPath())


def _walk(place: Traversable, path: PurePosixPath) -> Iterator[tuple[PurePosixPath, str]]:
    for entry in sorted(place.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _walk(entry, path / entry.name)
        elif entry.name.endswith(".json"):
            yield path / entry.name, entry.read_text(encoding="utf-8")


def _write_schemas(place: Path) -> list[str]:
    """Writes the schemas that are not there yet, and names those that are there and differ."""
    from compiler.schema.load import folder

    place.mkdir(parents=True, exist_ok=True)
    differing = []
    for schema in sorted(folder().glob("*.schema.json")):
        file, content = place / schema.name, schema.read_bytes()
        if not file.exists():
            file.write_bytes(content)
        elif file.read_bytes() != content:
            differing.append(schema.name)
    return differing
