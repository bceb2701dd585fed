"""Declared and never used: often a misspelt name somewhere else, so it is worth a warning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from compiler.findings import Place, warning
from compiler.model.context import Context
from compiler.model.counters import counter_ids
from compiler.model.files import Files
from compiler.model.names import NOUNS
from compiler.model.read import entries, obj
from compiler.model.rulebook import words_in
from compiler.model.types import Counter
from compiler.source.document import Document

_DRAWN = ("chart", "map", "module")  # files whose drawing parts may speak of anything
_DATA = frozenset(
    {"spaces", "boxes", "links", "regions", "outlines", "vocabulary", "options", "tracks", "sides", "powers"}
)


def report_unused(ctx: Context, files: Files, counters: Mapping[str, Counter]) -> None:
    """All warnings of this sort. A name that rules or drawings mention in any way counts as used."""
    spoken = words_in(files.joined("rules"))
    drawn = _drawn_words(files)
    words = spoken | drawn
    if files.all("scenario"):  # a rulebook that nobody has set up yet may have more than its cases touch
        _plain(ctx, "track", words)
        _plain(ctx, "option", words)
        _counters(ctx, files, counters, words)
    if not {"region", "regions"} & spoken:
        _plain(ctx, "region", words)
    _types(ctx, words)
    _plain(ctx, "source", set())
    _attributes(ctx, words)


def _plain(ctx: Context, kind: str, words: set[str]) -> None:
    for name, place in ctx.names.tables[kind].items():
        if name not in ctx.names.used[kind] and name not in words:
            at = place.key() if kind == "source" else place / "id"
            _report(ctx, f"the {NOUNS[kind].word} '{name}' is never used", at)


def _types(ctx: Context, words: set[str]) -> None:
    for name, place in ctx.names.tables["type"].items():
        if name not in ctx.names.used["type"] and name not in words:
            _report(ctx, f"no counter is made from the type '{name}'", place / "id")


def _counters(ctx: Context, files: Files, counters: Mapping[str, Counter], words: set[str]) -> None:
    """A counter that stands nowhere is normal where its type is in play; a whole entry whose types never appear is not."""
    used = ctx.names.used["counter"]
    types = {counters[id].type for id in used if id in counters} | words
    for entry, place in entries(files.joined("counters"), "counters"):
        made = [counters[id] for id, _, _ in counter_ids(entry, place) if id in counters]
        if made and not any(c.id in used or c.id in words or c.type in types for c in made):
            named = made[0].id if len(made) == 1 else made[0].type
            _report(ctx, f"no scenario, case or rule ever uses the counter '{named}'", place / "type")


def _attributes(ctx: Context, words: set[str]) -> None:
    for key, attribute in ctx.vocabulary.items():
        if key not in ctx.given and attribute.name not in words and attribute.place is not None:
            message = f"the attribute {key[0]}.{key[1]} is never set and never read"
            help = "set it, read it in a rule, or take it out"
            ctx.report(warning("N402", message, attribute.place.key(), help=help))


def _report(ctx: Context, message: str, place: Place) -> None:
    ctx.report(warning("N401", message, place, help="use it, or take it out"))


def _drawn_words(files: Files) -> set[str]:
    documents: Iterable[Document] = (d for kind in _DRAWN for d in files.joined(kind))
    found: set[str] = set()
    for document in documents:
        for key, value in obj(document.value).items():
            if key not in _DATA and isinstance(value, dict | list):
                _collect(value, found)
    return found


def _collect(value: object, into: set[str]) -> None:
    if isinstance(value, str):
        into.add(value.removeprefix("#"))
        into.update(value.removeprefix("#").split("."))
    elif isinstance(value, dict):
        for key, inner in value.items():
            into.add(key)
            _collect(inner, into)
    elif isinstance(value, list):
        for inner in value:
            if not isinstance(inner, int | float):
                _collect(inner, into)
