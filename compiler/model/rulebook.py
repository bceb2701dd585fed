"""The entries of rules.json as written, and the names and words in them. Their meaning is the rules pass's matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from compiler.findings import Place
from compiler.model.context import Context
from compiler.model.files import Group
from compiler.model.hexes import without_aliases
from compiler.model.read import Object, listed, obj
from compiler.model.types import RuleEntry
from compiler.source.document import Document

_STRING = re.compile(r'"([^"\\]*)"')
_TEXTS = ("title", "say", "help")


def read_rules(ctx: Context, files: Group) -> tuple[RuleEntry, ...]:
    """All entries; their names become known to scenarios and cases, their texts to the text check."""
    found = [
        RuleEntry(obj(without_aliases(ctx.names, entry)), place)
        for document in files
        for entry, place in _entries(document)
    ]
    for rule in found:
        for kind, key in (("rule", "id"), ("definition", "derive"), ("definition", "trace")):
            name = rule.value.get(key)
            if isinstance(name, str):
                ctx.names.tables[kind].setdefault(name, rule.place)
                _want_texts(ctx, name, rule)
        for way in obj(rule.value.get("ways")):
            ctx.names.tables["way"].setdefault(way, rule.place)
    return tuple(found)


def _entries(document: Document) -> Iterator[tuple[Object, Place]]:
    path = ("rules",) if isinstance(document.value, dict) else ()
    value = obj(document.value).get("rules") if path else document.value
    for n, entry in enumerate(listed(value)):
        if isinstance(entry, dict):
            yield entry, Place(document, (*path, n))


def _want_texts(ctx: Context, name: str, rule: RuleEntry) -> None:
    for key in _TEXTS:
        ctx.want(f"rule.{name}.{key}", rule.place, rule.value, key, required=False)


def words_in(documents: Iterable[Document]) -> set[str]:
    """Every string of some files and every part of a dotted one: enough to tell whether a name is spoken of at all."""
    words: set[str] = set()
    for document in documents:
        text = document.text
        found = set(_STRING.findall(text) if "\\" in text else text.split('"')[1::2])
        words |= found
        for string in found:
            if "." in string or "@" in string:
                words.update(string.replace("@", ".").split("."))
    return words
