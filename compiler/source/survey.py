"""Things the JSON reader lets pass and we do not, each at its place: repeated keys, numbers out of bounds.

Runs only on JSON that was read without error, and only after the reader's hooks have seen that something is there; so it
may be slow, and clean sources never pay for it.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal

from compiler.findings import Path
from compiler.source.problem import Offsets, Problem

LARGEST = 10**15
FINEST = 30  # digits after the point
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]|[^\s\[\]{},:"]+')
_CONSTANTS = ("NaN", "Infinity", "-Infinity")


def survey(text: str) -> list[Problem]:
    """All problems of this kind in a text that is valid JSON, in the order of the text."""
    walk = _Walk()
    for match in _TOKEN.finditer(text):
        walk.token(match.group(), match.span())
    return walk.problems


def exact(written: str) -> int | Decimal | None:
    """The number as written, a whole one as int; None if it is too large or too fine to be meant."""
    if len(written) > 400:
        return None
    try:
        number = Decimal(written)
    except ArithmeticError:  # an exponent beyond all bounds
        return None
    if not number:
        return 0
    exponent = number.as_tuple().exponent
    if number.adjusted() > 15 or not isinstance(exponent, int) or exponent < -FINEST or abs(number) > LARGEST:
        return None
    whole = number.to_integral_value()
    return int(whole) if whole == number else number


class _Walk:
    """Keeps the path to the token at hand: a frame for each open bracket, with its keys or its count of items."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._frames: list[_Frame] = []

    def token(self, token: str, span: Offsets) -> None:
        first = token[0]
        frame = self._frames[-1] if self._frames else None
        if first in "{[":
            self._frames.append(_Frame(is_object=first == "{"))
        elif first in "}]":
            self._frames.pop()
        elif first == "," and frame:
            frame.comma()
        elif first == '"':
            if frame and frame.wants_key:
                self._key(frame, token, span)
        elif first in "-0123456789NI":
            self._number(token, span)

    def _key(self, frame: _Frame, token: str, span: Offsets) -> None:
        frame.at = json.loads(token) if "\\" in token else token[1:-1]
        frame.wants_key = False
        first = frame.keys.setdefault(frame.at, span)
        if first != span:
            message = f"'{frame.at}' is given twice in this object; only the last one would count"
            also = ((first, "given here first"),)
            help = "keep one of them, or merge the two"
            self.problems.append(Problem("S130", message, span, help, self._path(), "key", also=also))

    def _number(self, token: str, span: Offsets) -> None:
        if token in _CONSTANTS:
            message = f"{token} is not a number a game can use"
            self.problems.append(
                Problem("S121", message, span, "write a number, or leave the property out", self._path())
            )
        elif exact(token) is None:
            shown = token if len(token) <= 30 else token[:29] + "\u2026"
            message = f"the number {shown} is out of bounds: at most {LARGEST:,} and {FINEST} digits after the point"
            self.problems.append(Problem("S131", message, span, None, self._path()))

    def _path(self) -> Path:
        return tuple(frame.at for frame in self._frames)


class _Frame:
    """One open object or list: where in it we are."""

    __slots__ = ("at", "is_object", "keys", "wants_key")

    def __init__(self, *, is_object: bool) -> None:
        self.is_object = is_object
        self.wants_key = is_object
        self.keys: dict[str | int, Offsets] = {}
        self.at: str | int = 0

    def comma(self) -> None:
        self.wants_key = self.is_object
        if isinstance(self.at, int):
            self.at += 1
