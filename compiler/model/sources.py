"""Provenance: where a fact comes from. An entry's own source goes before its file's."""

from __future__ import annotations

from collections.abc import Collection

from compiler.findings import Place, error, warning
from compiler.model.context import Context
from compiler.model.read import Object, exact, obj, text
from compiler.model.types import Source
from compiler.source.document import Document
from compiler.suggest import suggest


def file_source(ctx: Context, document: Document) -> Source | None:
    """The source that holds for everything in a file."""
    value = obj(document.value)
    return read_source(ctx, value["source"], Place(document, ("source",))) if "source" in value else None


def entry_source(ctx: Context, entry: Object, place: Place, inherited: Source | None) -> Source | None:
    if "sources" in entry:
        _attribute_sources(ctx, entry, place)
    return read_source(ctx, entry["source"], place / "source") if "source" in entry else inherited


def read_source(ctx: Context, written: object, place: Place) -> Source | None:
    entry = obj(written)
    if "outside" in entry:
        name = text(entry["outside"]) or ""
        ctx.names.resolve("source", name, place, "outside")
        return Source("outside", name, _line(entry))  # also if unknown: its lack is not a second mistake
    if isinstance(section := entry.get("rulebook"), str):
        return Source("rulebook", section, _line(entry))
    if isinstance(why := entry.get("project"), str):
        return Source("project", why)
    return None


def need_source(ctx: Context, source: Source | None, what: str, place: Place, raw: object = None) -> None:
    """A warning where the module promises a source for everything and this has none."""
    if ctx.provenance and source is None and raw is None:
        ctx.report(
            warning(
                "N601", f"{what} has no source", place, help='add "source" here or at the top of the file'
            )
        )


def _attribute_sources(ctx: Context, entry: Object, place: Place) -> None:
    for name, written in obj(entry.get("sources")).items():
        at = place / "sources"
        if name not in entry:
            _stray_source(ctx, name, [key for key in entry if key != "sources"], at / name)
        read_source(ctx, written, at / name)


def _stray_source(ctx: Context, name: str, present: Collection[str], place: Place) -> None:
    near = suggest(name, present)
    help = f"did you mean '{near}'?" if near else "a source belongs to a property of the same entry"
    ctx.report(
        error("N602", f"there is no '{name}' here that this could be the source of", place.key(), help=help)
    )


def _line(entry: Object) -> str | None:
    line = entry.get("line")
    number = exact(line)
    return text(line) if number is None else str(number)
