"""Options, windows and dice of module.json: things with a name that the pictures and the module file need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from compiler.findings import Place, error
from compiler.model.context import Context
from compiler.model.files import Group
from compiler.model.read import Object, entries, obj, strings
from compiler.model.types import Option
from compiler.source.document import Document
from compiler.suggest import suggest

_PICTURES = ("picture",)


def declare_options(ctx: Context, module: Group) -> dict[str, Option]:
    out = {}
    for entry, place in entries(module, "options"):
        if ctx.names.declare("option", entry.get("id"), place):
            id = str(entry["id"])
            out[id] = Option(id, place)
            ctx.want(f"option.{id}", place, entry)
    return out


def declare_fittings(ctx: Context, module: Group) -> None:
    for kind, key in (("window", "windows"), ("die", "dice")):
        for entry, place in entries(module, key):
            if ctx.names.declare(kind, entry.get("id"), place):
                ctx.want(f"{kind}.{entry['id']}", place, entry)


def check_windows(ctx: Context, module: Group) -> None:
    """Each window shows something that exists."""
    for entry, place in entries(module, "windows"):
        for kind in ("map", "chart"):
            ctx.names.resolve(kind, entry.get(kind), place, kind)
            for word, at in strings(entry, f"{kind}s", place):
                ctx.names.resolve(kind, word, at)


def declare_sources(ctx: Context, module: Group) -> dict[str, Object]:
    out: dict[str, Object] = {}
    for document in module:
        for name, entry in obj(obj(document.value).get("sources")).items():
            place = Place(document, ("sources", name))
            if ctx.names.declare("source", name, place, place.key()):
                out[name] = obj(entry)
    return out


def check_pictures(ctx: Context, documents: Iterable[Document]) -> None:
    """Pictures that the sources name exist in the module's folder. Files that name none are not walked."""
    if ctx.root is None:
        return
    for document in documents:
        if not any(f'"{key}"' in document.text for key in _PICTURES):
            continue
        for name, place in _named_files(document.value, Place(document)):
            check_file(ctx, name, place)


def _named_files(value: object, place: Place) -> Iterator[tuple[str, Place]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in _PICTURES and isinstance(inner, str):
                yield inner, place / key
            else:
                yield from _named_files(inner, place / key)
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            if isinstance(inner, dict | list):
                yield from _named_files(inner, place / n)


def check_file(ctx: Context, name: str, place: Place) -> None:
    """A file that the sources name lies in the module's folder, and exists."""
    assert ctx.root is not None
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        help = "put the file in the module's folder"
        ctx.report(error("N122", f"the file '{name}' lies outside the module", place, help=help))
    elif not (ctx.root / name).is_file():
        _report_missing(ctx, name, place)


def _report_missing(ctx: Context, name: str, place: Place) -> None:
    assert ctx.root is not None
    folder, root = (ctx.root / name).resolve().parent, ctx.root.resolve()
    inside = folder.is_relative_to(root) and folder.is_dir()
    found = sorted(p.relative_to(root).as_posix() for p in folder.iterdir()) if inside else []
    near = suggest(name, found)
    help = f"did you mean '{near}'?" if near else "paths start at the module's folder"
    ctx.report(error("N121", f"there is no file '{name}'", place, help=help))
