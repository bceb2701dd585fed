"""One source file: its text, its JSON value, and (only when asked) where everything in it stands."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """`name` is the path shown to the author, as reachable from where the command was started, with forward slashes."""

    name: str
    text: str = field(repr=False)
    value: object = field(repr=False, default=None)
