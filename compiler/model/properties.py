"""The properties that the language itself gives to each entry, beside the module's own attributes.

They are read from the schemas, so that the model and the editor's completion can never disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from compiler.model.read import Object, listed, obj
from compiler.schema import load

_COMMON = frozenset({"$schema", "id", "name", "note", "source", "sources", "include", "renamed_from"})

# Where the entries of each sort stand in the schemas: the schema, then the properties that lead to the list.
_WHERE: dict[str, tuple[tuple[str, str], ...]] = {
    "side": (("module", "sides"),),
    "power": (("module", "powers"),),
    "track": (("module", "tracks"), ("cases", "tracks")),
    "space": (("map", "spaces"), ("map", "boxes")),
    "link": (("map", "links"),),
    "region": (("map", "regions"),),
    "type": (("counters", "types"),),
    "counter": (("counters", "counters"),),
    "placement": (("scenario", "placements"),),
    "piece": (("scenario", "placements"),),
    "arrival": (("scenario", "reinforcements"),),
    "place": (("cases", "place"),),
    "scenario": (("scenario", ""),),
}

# What an entry carries in any case, even where a schema leaves it to the vocabulary.
_CORE: dict[str, frozenset[str]] = {
    "side": frozenset({"colour", "letter", "enemies"}),
    "power": frozenset({"colour", "letter", "side", "capital", "at_war"}),
    "track": frozenset({"owner", "from", "to", "value"}),
    "space": frozenset({"label", "controller", "map"}),
    "link": frozenset({"pairs", "one_way", "kind", "tags"}),
    "region": frozenset({"spaces", "owner"}),
    "type": frozenset({"like", "steps", "face", "layout", "silhouette", "faces", "picture"}),
    "counter": frozenset(
        {"type", "power", "powers", "printed", "steps", "face", "layout", "silhouette", "faces", "picture"}
    ),
    "placement": frozenset({"at", "power", "pieces"}),
    "piece": frozenset({"piece", "count", "power", "cargo", "steps", "face", "aboard"}),
    "arrival": frozenset({"due", "at", "power", "pieces", "from"}),
    "place": frozenset({"at", "power", "pieces", "from"}),
    "scenario": frozenset(),
}

# Built-in attributes whose words the vocabulary declares.
WORDS: dict[str, frozenset[str]] = {
    "space": frozenset({"kind", "terrain"}),
    "link": frozenset({"kind", "tags"}),
    "region": frozenset({"kind"}),
    "track": frozenset({"kind"}),
}

_BUILT_IN: dict[str, str] = {
    "scenario": "id date phase moment turn_of options weather",
    "side": "id enemies powers pieces",
    "power": "id side capital at_war pieces arrivals",
    "region": "id owner spaces",
    "space": "id map regions controller held_by power side pieces arrivals links_out links_in neighbours",
    "link": "id from to",
    "piece": "id counter type power side space aboard cargo steps face",
    "arrival": "id counter type power side due at from plan aboard steps face",
    "track": "id owner value",
    "counter": "id type power printed pieces",
}

# Entries that carry the attributes of each kind: their properties cannot be attributes as well.
_CARRIERS = {
    "piece": ("type", "counter", "placement", "piece"),
    "arrival": ("arrival",),
    "counter": ("counter",),
    "side": ("side",),
    "power": ("power",),
    "track": ("track",),
    "space": ("space",),
    "link": ("link",),
    "region": ("region",),
}


@cache
def built_in(kind: str) -> frozenset[str]:
    """Attributes every item of the kind has, besides those whose words the vocabulary declares."""
    return frozenset(_BUILT_IN[kind].split())


@cache
def known(sort: str) -> frozenset[str]:
    """The properties an entry of this sort may carry besides attributes."""
    names = set(_COMMON | _CORE[sort])
    for schema, key in _WHERE[sort]:
        names.update(_entry_properties(schema, key, deeper=sort == "piece"))
    return frozenset(names)


@cache
def taken(kind: str, name: str) -> str | None:
    """Why a vocabulary cannot declare this attribute; nothing if it can."""
    if name in WORDS.get(kind, ()):
        return None
    if name in built_in(kind):
        return "every " + kind + " has it already"
    for sort in _CARRIERS.get(kind, ()):
        if name in known(sort) - {"kind", "terrain", "tags"}:
            return f"it is a property of every {sort} entry"
    return None


def _entry_properties(schema: str, key: str, deeper: bool) -> Iterator[str]:
    root = _schema(schema)
    for top in _variants(schema, root):
        if not key:
            yield from obj(top.get("properties"))
        for owner in _variants(schema, obj(obj(top.get("properties")).get(key))):
            for entry in _variants(schema, obj(owner.get("items"))):
                if not deeper:
                    yield from obj(entry.get("properties"))
                    continue
                for pieces in _variants(schema, obj(obj(entry.get("properties")).get("pieces"))):
                    for piece in _variants(schema, obj(pieces.get("items"))):
                        yield from obj(piece.get("properties"))


def _schema(name: str) -> Object:
    try:
        return obj(load(name))
    except (KeyError, OSError):
        return {}


def _variants(schema: str, node: Object, depth: int = 0) -> Iterator[Object]:
    """A schema node with all it refers to or is combined of; the depth bound is for schemas that refer to themselves."""
    if not node or depth > 6:
        return
    yield node
    reference = node.get("$ref")
    if isinstance(reference, str):
        yield from _referred(schema, reference, depth)
    for combiner in ("allOf", "anyOf", "oneOf"):
        for part in listed(node.get(combiner)):
            yield from _variants(schema, obj(part), depth + 1)


def _referred(schema: str, reference: str, depth: int) -> Iterator[Object]:
    file, _, pointer = reference.partition("#")
    name = file.rpartition("/")[2].removesuffix(".schema.json") or schema
    node: object = _schema(name)
    for step in pointer.strip("/").split("/"):
        node = obj(node).get(step) if step else node
    yield from _variants(name, obj(node), depth + 1)
