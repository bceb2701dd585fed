"""One source file: its text, its JSON value, and what it is in the module."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Columns:
    """How a CSV is read: each row is an entry of the list `into`, each column a property of it ('' for none)."""

    into: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """`name` is the path shown to the author, as reachable from where the command was started, with forward slashes.

    `text` is what the file holds, without a byte order mark. In `value` a number without a fraction is always an int,
    any other a Decimal. `path` is relative to the module's folder; `included` names the files that this one includes,
    in written order, as such paths; a *part* is a file that some other file includes, and never stands alone.
    """

    name: str
    text: str = field(repr=False)
    value: object = field(repr=False, default=None)
    path: str = ""
    kind: str | None = None
    included: tuple[str, ...] = ()
    is_part: bool = False
    columns: Columns | None = None  # only a CSV has them
