"""The words of a path: strings, or lists of strings, cut at blanks, each word knowing its characters in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from compiler.findings import Place

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    place: Place  # the string that holds it
    start: int = 0

    def part(self, start: int, end: int | None = None) -> Place:
        """Some characters of the word."""
        stop = len(self.text) if end is None else end
        return self.place.chars(self.start + start, self.start + stop)

    @property
    def at(self) -> Place:
        return self.part(0)


def words(value: object, place: Place) -> Iterator[Word]:
    """The words of a string or of a list of strings; anything else has none (the schema reports it)."""
    if isinstance(value, str):
        for found in _WORD.finditer(value):
            yield Word(found[0], place, found.start())
    elif isinstance(value, list):
        for n, item in enumerate(value):
            if isinstance(item, str):
                yield from words(item, place / n)
