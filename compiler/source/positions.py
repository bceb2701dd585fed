"""Places → lines and columns. One pass over each document, remembering only what was asked for.

A path is found by walking the text's tokens; whatever is not on the way to a wanted path is jumped over without being
taken apart, so that even the largest file is searched in little memory. A path that does not exist is shown at its
nearest existing parent. Of a repeated key the last one counts, as in the value.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compiler.findings import Place
from compiler.source.document import Document
from compiler.source.problem import Offsets
from compiler.source.table import find

_TEXT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"[^\s,\]}]*")
_TEXT_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Span:
    """Lines and columns count from 1, columns in characters; the end column is that after the last character."""

    line: int
    column: int
    end_line: int
    end_column: int


def locate(places: Iterable[Place]) -> dict[Place, Span]:
    """Where each place stands. Every place gets an answer, and every answer lies inside its file."""
    asked = list(dict.fromkeys(places))
    by_document: dict[Document, list[Place]] = defaultdict(list)
    for place in asked:
        by_document[place.document].append(place)
    spans: dict[Place, Span] = {}
    for document, wanted in by_document.items():
        spans.update(_spans(document.text, _all_offsets(document, wanted)))
    return {place: spans[place] for place in asked}


def _all_offsets(document: Document, places: list[Place]) -> dict[Place, Offsets]:
    found = {place: place.offsets for place in places if place.offsets is not None}
    by_path = [place for place in places if place.offsets is None]
    if by_path and document.columns is not None:
        found.update(find(document, by_path))
    elif by_path:
        root = _Wanted()
        for place in by_path:
            root.add(place)
        _Search(document.text).run(root)
        found.update(root.answers(document.text))
    return found


class _Wanted:
    """A node of the tree of wanted paths; `key` and `value` are filled in by the search."""

    __slots__ = ("children", "key", "places", "value")

    def __init__(self) -> None:
        self.children: dict[str | int, _Wanted] = {}
        self.places: list[Place] = []
        self.key: Offsets | None = None
        self.value: Offsets | None = None

    def add(self, place: Place) -> None:
        node = self
        for step in place.path:
            node = node.children.setdefault(step, _Wanted())
        node.places.append(place)

    def forget(self) -> None:
        """A repeated key: what was found under its first appearance does not count."""
        for node in self._all():
            node.key = node.value = None

    def _all(self) -> Iterator[_Wanted]:
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(node.children.values())

    def answers(self, text: str) -> Iterator[tuple[Place, Offsets]]:
        """The offsets of all places; what was not found takes those of the nearest parent that was."""
        waiting: list[tuple[_Wanted, Offsets]] = [(self, (0, 0))]
        while waiting:
            node, parent = waiting.pop()
            here = node.value or parent
            for place in node.places:
                yield place, node.offsets(text, place) or here
            waiting.extend((child, here) for child in node.children.values())

    def offsets(self, text: str, place: Place) -> Offsets | None:
        if self.value is None:
            return None
        if place.on == "key" and self.key is not None:
            return self.key
        start, end = self.value
        if place.part is None or text[start] != '"':
            return self.value
        return _characters(text, start + 1, end - 1, place.part)


class _Search:
    """Walks a text that is (or once was) JSON. On anything else it stops where it does not understand."""

    def __init__(self, text: str) -> None:
        self._text = text

    def run(self, root: _Wanted) -> None:
        start = self._space(0)
        root.value = (start, self._value(start, root))

    def _value(self, at: int, wanted: _Wanted) -> int:
        """Searches the value at `at` for what is wanted in it; gives its end."""
        opening = self._text[at : at + 1]
        if not wanted.children or opening not in ("{", "["):
            return self._skip(at)
        return self._object(at, wanted) if opening == "{" else self._list(at, wanted)

    def _object(self, at: int, wanted: _Wanted) -> int:
        at = self._space(at + 1)
        while (match := _TEXT.match(self._text, at)) is not None:
            node = wanted.children.get(_decoded(match.group()))
            start = self._space(self._space(match.end()) + 1)
            if node is None:
                at = self._skip(start)
            else:
                node.forget()
                node.key = match.span()
                at = self._value(start, node)
                node.value = (start, at)
            at = self._comma(at)
        return min(at + 1, len(self._text))

    def _list(self, at: int, wanted: _Wanted) -> int:
        at = self._space(at + 1)
        index = 0
        while self._text[at : at + 1] not in ("]", ""):
            node = wanted.children.get(index)
            start = at
            if node is None:
                at = self._skip(start)
            else:
                at = self._value(start, node)
                node.value = (start, at)
            if (after := self._comma(at)) == start:
                break
            at = after
            index += 1
        return min(at + 1, len(self._text))

    def _comma(self, at: int) -> int:
        at = self._space(at)
        return self._space(at + 1) if self._text[at : at + 1] == "," else at

    def _space(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        return match.end() if match else len(self._text)

    def _skip(self, at: int) -> int:
        """The end of the value at `at`, without looking into it."""
        opening = self._text[at : at + 1]
        if opening == '"':
            match = _TEXT.match(self._text, at)
            return match.end() if match else len(self._text)
        if opening in ("{", "["):
            return self._skip_brackets(at)
        match = _SCALAR.match(self._text, at)
        return match.end() if match else len(self._text)

    def _skip_brackets(self, at: int) -> int:
        depth = 0
        for match in _TEXT_OR_BRACKET.finditer(self._text, at):
            char = self._text[match.start()]
            if char in "{[":
                depth += 1
            elif char != '"':
                depth -= 1
                if depth == 0:
                    return match.end()
        return len(self._text)


def _decoded(raw: str) -> str:
    if "\\" not in raw:
        return raw[1:-1]
    try:
        return str(json.loads(raw, strict=False))
    except ValueError:  # not JSON after all; the caller asks for paths that cannot exist
        return raw


def _characters(text: str, start: int, end: int, part: Offsets) -> Offsets:
    """Raw offsets of some characters of the text written between `start` and `end`, escapes and all."""
    first, last = part
    if "\\" not in text[start:end]:
        return min(start + first, end), min(start + last, end)
    edges = [match.start() for match in _CHARACTER.finditer(text, start, end)] + [end]
    return edges[min(first, len(edges) - 1)], edges[min(last, len(edges) - 1)]


def _spans(text: str, offsets: dict[Place, Offsets]) -> dict[Place, Span]:
    lines = _lines_of(text, {at for pair in offsets.values() for at in pair})
    return {place: Span(*lines[start], *lines[max(start, end)]) for place, (start, end) in offsets.items()}


def _lines_of(text: str, offsets: set[int]) -> dict[int, tuple[int, int]]:
    """Line and column of each offset; the text is gone through once, however many offsets are asked for."""
    found: dict[int, tuple[int, int]] = {}
    line, line_start, seen = 1, 0, 0
    for at in sorted(offsets):
        here = max(0, min(at, len(text)))
        breaks = text.count("\n", seen, here)
        if breaks:
            line += breaks
            line_start = text.rfind("\n", seen, here) + 1
        seen = here
        found[at] = (line, here - line_start + 1)
    return found
