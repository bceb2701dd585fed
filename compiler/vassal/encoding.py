"""The one list encoding that VASSAL uses everywhere, with a different delimiter at each level.

Lists of strings come in, one string goes out, and back. `decode(encode(items, d), d) == items` holds for every list
of strings of which none ends in a backslash; such a text cannot be written in this format at all, so that `encode`
raises `Unwritable` and the author is told before (code V109).
"""

from __future__ import annotations

from collections.abc import Iterable

ESC = "\x1b"
TAB = "\t"


class Unwritable(ValueError):
    """A text that the format cannot carry: our callers must have reported it before they write."""


def encode(items: Iterable[str], delimiter: str) -> str:
    """Join with the delimiter; what a string has of it is escaped. Backslashes are not doubled: the format has no such rule."""
    parts = [*items]
    text = delimiter.join(parts)
    if "\\" not in text and "'" not in text and text.count(delimiter) < len(parts):
        return text  # nothing in it needs to be escaped
    return delimiter.join([_protect(part, delimiter) for part in parts])


def _protect(item: str, delimiter: str) -> str:
    if not item:
        return ""
    if item[-1] == "\\":
        raise Unwritable(f"a text may not end in a backslash: {item!r}")
    escaped = item.replace(delimiter, "\\" + delimiter) if delimiter in item else item
    if item[0] == "\\" or (item[0] == "'" and item[-1] == "'"):
        return f"'{escaped}'"
    return escaped


def decode(text: str, delimiter: str) -> list[str]:
    """Split what `encode` or VASSAL joined. An empty text is one empty item. Runs in one pass over the text."""
    if "\\" not in text:
        return (
            text.split(delimiter) if "'" not in text else [_unquote(part) for part in text.split(delimiter)]
        )
    items: list[str] = []
    pending = ""
    for part in text.split(delimiter):
        if part.endswith("\\"):
            pending += part[:-1] + delimiter
            continue
        items.append(_unquote(pending + part))
        pending = ""
    if pending:  # the text ended right after a backslash and a delimiter that was taken as a literal one
        items.append(_unquote(pending[: -len(delimiter)] + "\\"))
    return items


def _unquote(token: str) -> str:
    if len(token) > 1 and token[0] == "'" and token[-1] == "'":
        return token[1:-1]
    return token
