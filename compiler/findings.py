"""Findings: what the compiler has to say to an author.

A finding is made by any pass and points at a *place*: a document and the path of a value (or key) in it. Line and
column are worked out only when findings are shown (`compiler.source.locate`), so that clean sources pay nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from compiler.source.document import Document

Path = tuple[str | int, ...]


class Severity(IntEnum):
    """Order matters: `--fail-on warning` means this or above."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        return self.name.lower()


class Place(NamedTuple):
    """A value in a document, or its key, or some characters of a string value, or (without path) raw offsets.

    A tuple, because a check makes thousands of them and needs nearly none.
    """

    document: Document
    path: Path = ()
    on: Literal["value", "key"] = "value"
    part: tuple[int, int] | None = None  # characters of the *decoded* string value
    offsets: tuple[int, int] | None = None  # raw character offsets in the file: syntax errors

    def __truediv__(self, key: str | int) -> Place:
        return _PLACE(Place, (self[0], self[1] + (key,), "value", None, None))

    def key(self) -> Place:
        return Place(self.document, self.path, "key")

    def chars(self, start: int, end: int) -> Place:
        return Place(self.document, self.path, "value", (start, end))


_PLACE = tuple.__new__  # half the time of `Place(...)`, which a check would notice


@dataclass(frozen=True, slots=True)
class Related:
    """A second location, with the words that say why it is shown ("declared here")."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Line:
    """What a search for a way found: the spaces it goes through, or each space where it ended, the way there and why.

    Drawn on the map by the report.
    """

    path: tuple[str, ...] = ()
    stops: tuple[tuple[str, tuple[str, ...], str], ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    code: str
    severity: Severity
    message: str
    place: Place | None = None
    help: str | None = None
    rule: str | None = None
    section: str | None = None
    spaces: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    related: tuple[Related, ...] = ()
    subject: tuple[str, ...] = field(default=())  # ids in binding order: what an acknowledgement names
    line: Line | None = None
    limit: str | None = None  # how a bound came about
    scenario: str | None = None  # the one that was judged


def error(
    code: str, message: str, place: Place | None = None, *, help: str | None = None, **more: object
) -> Finding:
    return Finding(code, Severity.ERROR, message, place, help, **more)  # type: ignore[arg-type]


def warning(
    code: str, message: str, place: Place | None = None, *, help: str | None = None, **more: object
) -> Finding:
    return Finding(code, Severity.WARNING, message, place, help, **more)  # type: ignore[arg-type]


def note(
    code: str, message: str, place: Place | None = None, *, help: str | None = None, **more: object
) -> Finding:
    return Finding(code, Severity.NOTE, message, place, help, **more)  # type: ignore[arg-type]
