"""Attribute values, checked against the vocabulary.

In: one JSON object of an entry. Out: its attributes as exact, resolved values. What does not fit its declared type was
reported at its own place and is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from compiler.findings import Finding, Place, Related, error
from compiler.model.context import Context
from compiler.model.names import Names
from compiler.model.properties import WORDS
from compiler.model.read import Object, exact
from compiler.model.types import Attribute, Type, Value
from compiler.suggest import suggest


class Bad:
    """The mark of a value that was reported."""


BAD: Final = Bad()

_SPOKEN = {
    "bool": "true or false",
    "number": "a number",
    "text": "a text",
    "date": "a date",
    "word": "a word",
    "table": "an object (a table)",
}
_LATER = ("piece", "arrival")  # these exist only when a scenario's placements have been read
_FEW = 8


def read_values(
    ctx: Context,
    names: Names,
    kinds: tuple[str, ...],
    entry: Object,
    place: Place,
    known: frozenset[str],
    skip: Collection[str] = (),
) -> dict[str, Value]:
    """The attributes of an entry. `known` are the properties the language itself gives it, `skip` those read elsewhere."""
    out: dict[str, Value] = {}
    table = ctx.attributes(kinds)
    if kinds[0] not in WORDS and known.issuperset(entry) and table.keys().isdisjoint(entry):
        return out  # the commonest: a placement that only places
    for name, raw in entry.items():
        attribute = table.get(name)
        if attribute is not None:
            if name not in skip:
                value = read_value(ctx, names, attribute, raw, place, name)
                if not isinstance(value, Bad):
                    out[name] = value
        elif name in WORDS.get(kinds[0], ()):
            ctx.undeclared_words(kinds[0], name, place)
        elif name not in known:
            ctx.unknown_attribute(kinds, name, place, known)
    return out


def read_value(
    ctx: Context, names: Names, attribute: Attribute, raw: object, place: Place, *path: str | int
) -> Value | Bad:
    """One value as its attribute's type wants it. `place` and `path` say where it stands."""
    ctx.given.add((attribute.kind, attribute.name))
    if raw is None:
        return None
    type = attribute.type
    if type.is_set:
        return _read_set(ctx, names, attribute, raw, place, path)
    value = _fast(names, type, raw)
    return value if value is not BAD else _slow(ctx, names, attribute, raw, place, path)


def _fast(names: Names, type: Type, raw: object) -> Value | Bad:
    """The common cases, without looking at places. What does not pass here is looked at again, slowly."""
    base = type.base
    if base == "word":
        return raw if isinstance(raw, str) and raw in type.words else BAD
    if base == "bool":
        return raw if isinstance(raw, bool) else BAD
    if base == "number":
        number = exact(raw)
        return BAD if number is None else number
    if base == "text":
        return raw if isinstance(raw, str) else BAD
    if base == "table":
        return table_value(raw) if isinstance(raw, dict) else BAD
    kind = "date" if base == "date" else type.kind or ""
    if isinstance(raw, str) and names.place_of(kind, raw) is not None:
        names.used[kind].add(raw)
        return raw
    return BAD


def _slow(
    ctx: Context, names: Names, attribute: Attribute, raw: object, place: Place, path: tuple[str | int, ...]
) -> Value | Bad:
    type = attribute.type
    at = Place(place.document, place.path + path)
    if not isinstance(raw, str):
        ctx.report(_wrong_type(attribute, raw, at))
    elif type.base == "word":
        ctx.report(unknown_word(attribute, raw, at))
    elif type.base in ("item", "date"):
        return _read_item(ctx, names, "date" if type.base == "date" else type.kind or "", raw, at)
    else:
        ctx.report(_wrong_type(attribute, raw, at))
    return BAD


def _read_item(ctx: Context, names: Names, kind: str, raw: str, at: Place) -> Value | Bad:
    if kind in _LATER:
        ctx.late.append((kind, raw, at))
        return raw
    if kind == "scenario" and raw in names.tables["scenario"]:
        return raw
    found = names.resolve(kind, raw, at)
    return BAD if found is None else found


def _read_set(
    ctx: Context, names: Names, attribute: Attribute, raw: object, place: Place, path: tuple[str | int, ...]
) -> Value | Bad:
    if not isinstance(raw, list):
        ctx.report(_wrong_type(attribute, raw, Place(place.document, place.path + path)))
        return BAD
    members: dict[Value, None] = {}
    for n, one in enumerate(raw):
        value = _fast(names, attribute.type, one)
        if value is BAD:
            value = _slow(ctx, names, attribute, one, place, (*path, n))
        if not isinstance(value, Bad) and not isinstance(value, Mapping):
            members[value] = None
    return tuple(members)


def table_value(raw: object) -> Value:
    """A table as written, numbers exact; lists become tuples."""
    if isinstance(raw, dict):
        return {key: table_value(value) for key, value in raw.items()}
    if isinstance(raw, list):
        return tuple(table_value(value) for value in raw)
    if isinstance(raw, float):
        return exact(raw)
    return raw  # type: ignore[return-value]


def _wrong_type(attribute: Attribute, raw: object, place: Place) -> Finding:
    type = attribute.type
    base = f"the id of a {type.kind}" if type.base == "item" else _SPOKEN[type.base]
    wanted = f"a list ({base} each)" if type.is_set and not isinstance(raw, str | int | bool) else base
    if type.is_set and not isinstance(raw, list) and place.path and not isinstance(place.path[-1], int):
        wanted = "a list"
    help = f"write [{_shown(raw)}]" if wanted == "a list" and isinstance(raw, str | int) else None
    if type.base == "number" and isinstance(raw, str) and raw.strip().lstrip("-").isdigit():
        help = f"write {raw.strip()} without quotes"
    message = f"'{attribute.name}' wants {wanted}, not {_shown(raw)}"
    return error("N302", message, place, help=help, related=_declared(attribute))


def unknown_word(attribute: Attribute, raw: str, place: Place) -> Finding:
    words = attribute.type.words
    near = suggest(raw, words)
    help = f"did you mean '{near}'?" if near else None
    if help is None and 0 < len(words) <= _FEW:
        help = f"one of: {', '.join(words)}"
    message = f"'{raw}' is no word of {attribute.kind}.{attribute.name}"
    return error("N303", message, place, help=help, related=_declared(attribute))


def _declared(attribute: Attribute) -> tuple[Related, ...]:
    return (Related(attribute.place, f"'{attribute.name}' is declared here"),) if attribute.place else ()


def _shown(raw: object) -> str:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, str):
        return f'"{raw}"'
    if isinstance(raw, list):
        return "a list"
    if isinstance(raw, dict):
        return "an object"
    return str(raw)
