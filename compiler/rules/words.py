"""Values and references in words, the same in evidence, in messages and when a rule is read back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from compiler.rules.items import Item, Number

SHOWN = 5


def show(value: Any) -> str:
    """A value as an author would write it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Item):
        return f"'{short(value)}'"
    if isinstance(value, tuple):
        return listed([show(v) for v in value])
    if isinstance(value, int | Fraction):
        return plain(value)
    return f"'{value}'" if isinstance(value, str) else "a table"


def with_article(kind: str | None) -> str:
    """A kind of item with its article."""
    return f"{'an' if kind == 'arrival' else 'a'} {kind or 'thing'}"


def plain(number: Number) -> str:
    """3, 3.5, or 1/3 where no decimal is exact."""
    if isinstance(number, int):
        return str(number)
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return str(number) if rest != 1 else f"{Decimal(number.numerator) / Decimal(number.denominator):f}"


def listed(parts: Sequence[str]) -> str:
    """Lists are cut: the rest is counted."""
    return (", ".join(parts[:SHOWN]) + more(len(parts) - SHOWN)) if parts else "none"


def more(rest: int) -> str:
    return f" and {rest} more" if rest > 0 else ""


def short(item: Item) -> str:
    """Pieces without a name of their own are called by their counter; a link by its two ends."""
    if item.kind in ("piece", "arrival") and ("@" in item.id or "#" in item.id):
        counter = item.attrs.get("counter")
        return counter.id if isinstance(counter, Item) else item.id
    return item.id


def owned(who: str, path: Sequence[str]) -> str:
    """`@piece.space.kind` is "the piece's space.kind"."""
    return f"{who}'s {'.'.join(path)}" if path else who


def joined(parts: Iterable[str], joint: str = "and") -> str:
    """a, b and c."""
    *most, last = list(parts) or [""]
    return f"{', '.join(most)} {joint} {last}" if most else last
