"""What would mend a failing verdict, where one change does: help lines that nobody had to write.

In: a verdict and how to name things. Out: a sentence, or nothing. A place that is offered is one where the rule itself
lets the piece stand; other rules may object, and will say so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from compiler.rules.items import Broken, Item, Trouble, Unknown
from compiler.rules.terms import CountTerm, RefTerm
from compiler.rules.verdict import Verdict
from compiler.rules.words import joined, plain

Name = Callable[[Any], str]
LOOKED_AT = 150  # spaces around a piece
OFFERED = 3
_STANDS = {"piece": "space", "arrival": "at"}


def fix(verdict: Verdict, name: Name, items: Callable[[], str]) -> str | None:
    """A sentence for the rule's construct; `items` names what was counted."""
    rule = verdict.rule
    if verdict.outcome is not None:
        return None
    if rule.total is not None:
        return _total(verdict, name, items)
    if rule.must is not None:
        return _apart(verdict, name) or _elsewhere(verdict, name)
    return None


def _total(verdict: Verdict, name: Name, items: Callable[[], str]) -> str | None:
    op, bound = verdict.broken
    if bound is None or verdict.value is None:
        return None
    missing = plain(abs(verdict.value - bound))
    track = _track(verdict)
    if track is not None:
        how = {"at_most": "at most ", "at_least": "at least "}.get(op, "")
        return f"set {name(track)} to {how}{plain(bound)}"
    counts = isinstance(verdict.rule.total, CountTerm)
    if op == "at_most" and verdict.items:
        return f"move or remove {missing} of: {items()}" if counts else f"{missing} too much, in: {items()}"
    if op == "at_least" and counts:
        return f"{missing} more {'is' if missing == '1' else 'are'} needed"
    return None


def _track(verdict: Verdict) -> Item | None:
    """The track whose value is the total itself."""
    total = verdict.rule.total
    if not isinstance(total, RefTerm) or total.ref.path[-1:] != ("value",):
        return None
    found: Any = verdict.env.get(total.ref.root)
    for step in total.ref.path[:-1]:
        found = found.get(step) if isinstance(found, Item) else None
    return found if isinstance(found, Item) and found.kind == "track" else None


def _apart(verdict: Verdict, name: Name) -> str | None:
    """Two pieces that may not share a space: one of them goes."""
    pieces = [item for item in verdict.bound_items if item.kind in _STANDS]
    if len(pieces) != 2 or pieces[0] is pieces[1]:
        return None
    one, other = (piece.get(_STANDS[piece.kind]) for piece in pieces)
    if one is None or one is not other:
        return None
    return f"move one of them: {name(pieces[0])} or {name(pieces[1])}"


def _elsewhere(verdict: Verdict, name: Name) -> str | None:
    """The nearest spaces in which the rule would let the one piece stand."""
    piece = verdict.first
    if len(verdict.bound_items) != 1 or not isinstance(piece, Item) or piece.kind not in _STANDS:
        return None
    if (piece.kind, _STANDS[piece.kind]) not in verdict.rule.reads:
        return None
    allowed = list(islice(_allowed(verdict, piece), OFFERED))
    return f"this rule allows it in {joined(map(name, allowed), 'or')}" if allowed else None


def _allowed(verdict: Verdict, piece: Item) -> Iterator[Item]:
    """Asked of a double of the piece, of which the position knows nothing: what was worked out from it stays true."""
    at, rule = _STANDS[piece.kind], verdict.rule
    here, must = piece.get(at), rule.must
    if here is None or must is None:
        return
    derived = {name for kind, name in piece.world.derive if kind == piece.kind}
    own = {key: value for key, value in piece.attrs.items() if key not in derived}
    for space in _around(here):
        double = Item(piece.world, piece.kind, piece.id, {**own, at: space}, piece.place)
        env = {key: double if value is piece else value for key, value in verdict.env.items()}
        try:
            if must.holds(double, env) or (rule.forbids and not rule.bindings[0].selector.holds(double, env)):
                yield space
        except (Unknown, Broken, Trouble):
            continue


def _around(start: Item) -> Iterator[Item]:
    """Spaces in the order of their distance in links."""
    seen, todo = {start}, deque([start])
    while todo and len(seen) < LOOKED_AT:
        for link in todo.popleft().get("links_out") or ():
            other = link.attrs["to"]
            if other not in seen:
                seen.add(other)
                todo.append(other)
                yield other
