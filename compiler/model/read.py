"""Reading JSON of any shape: what has the right form comes out, all else is skipped, because the schema reported it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from compiler.findings import Place
from compiler.source.document import Document

Object = Mapping[str, object]
Number = int | Decimal

_NOTHING: Object = {}


def obj(value: object) -> Object:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else _NOTHING


def listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def exact(value: object) -> Number | None:
    """An exact number; true and false are none, although Python counts them as integers."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        value = Decimal(repr(value))
    if isinstance(value, Decimal) and value.is_finite():
        return value
    return None


def whole(value: object) -> int | None:
    number = exact(value)
    return number if isinstance(number, int) else None


def is_whole(documents: Iterable[Document], key: str) -> bool:
    """Whether the list `key` is one of objects wherever it is given: if not, some of what it declares is not seen."""
    given = [value[key] for value in (obj(document.value) for document in documents) if key in value]
    return all(isinstance(value, list) and all(isinstance(entry, dict) for entry in value) for value in given)


def entries(documents: Iterable[Document], key: str) -> Iterator[tuple[Object, Place]]:
    """The objects of the list `key` at the top of a file and of the files it includes, each with its place."""
    for document in documents:
        place = Place(document, (key,))
        for n, entry in enumerate(listed(obj(document.value).get(key))):
            if isinstance(entry, dict):
                yield entry, place / n


def strings(entry: Object, key: str, place: Place) -> Iterator[tuple[str, Place]]:
    """The strings of the list `key` of an entry, each with its place."""
    at = place / key
    for n, word in enumerate(listed(entry.get(key))):
        if isinstance(word, str):
            yield word, at / n
