"""Types of values in rules: which fit where, and what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from compiler.model.types import Type
from compiler.rules.vocabulary import NUMBER
from compiler.rules.words import with_article

_WORDS = ("text", "word", "date")
_NAMES = {
    "bool": "true or false",
    "number": "a number",
    "text": "a text",
    "date": "a date",
    "table": "a table",
}


def cells(table: object, depth: int) -> Iterator[object]:
    """The cells of a table that are reached by this many rows, no more and no fewer."""
    if depth == 0:
        if not isinstance(table, Mapping):
            yield table
    elif isinstance(table, Mapping):
        for part in table.values():
            yield from cells(part, depth - 1)


def cell_type(cell: object) -> Type | None:
    """The type of a cell; None for null."""
    if isinstance(cell, bool):
        return Type("bool")
    if isinstance(cell, int | Decimal):
        return NUMBER
    return Type("text") if isinstance(cell, str) else None


def fits(value: object, type: Type) -> bool:
    """Whether a literal can stand for a value of the type."""
    if type.base == "bool":
        return isinstance(value, bool)
    if type.base == "number":
        return isinstance(value, int | Decimal) and not isinstance(value, bool)
    return type.base in _WORDS and isinstance(value, str)


def comparable(a: Type, b: Type) -> bool:
    """Whether values of the two types can ever be equal."""
    if a.base == "item" or b.base == "item":
        return a.base == b.base and (a.kind == b.kind or a.kind is None or b.kind is None)
    return a.base == b.base or (a.base in _WORDS and b.base in _WORDS)


def base_of(types: Sequence[Type]) -> Type:
    """One type for several that are comparable: words with different lists are just texts."""
    return (
        types[0] if all(type == types[0] for type in types) or types[0].base not in _WORDS else Type("text")
    )


def type_word(type: Type) -> str:
    base = _NAMES.get(type.base)
    if base is None:
        base = with_article(type.kind) if type.base == "item" else "one of " + ", ".join(type.words)
    return f"a set ({base})" if type.is_set else base


def kind_word(value: object) -> str:
    """What kind of JSON value this is, for a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text '{value}'"
    if isinstance(value, Mapping):
        return "an object" if value else "an empty object"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    return f"the number {value}"
