"""`fit`: can all items be put into the places, all at once?

Small cases decide everything here: a handful of items, a few bins. The search is exact: items are placed one after
another with memory of what was tried (equal items and equal bins are not told apart), and counted steps, never time,
bound it. When the bound is hit the answer is "undecided", and no finding rests on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from compiler.rules import nodes as n
from compiler.rules.items import Env, Item

STEPS = 200_000


@dataclass(frozen=True, slots=True)
class Measure:
    """One capacity of a slot: the size an item takes of it, and how much there is (None: no limit)."""

    size: n.Term
    at_most: n.Term


@dataclass(frozen=True, slots=True)
class Slot:
    name: str
    takes: n.Selector
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Bin:
    """One place (`gather` None), or one for each item gathered; `loads` are alternatives of which a bin uses one."""

    gather: n.Gather | None
    loads: tuple[tuple[Slot, ...], ...]


@dataclass(frozen=True, slots=True)
class Fit:
    items: n.Gather
    bins: tuple[Bin, ...]
    tied: str | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """`placed` pairs items with where they went; `left` could not be placed. `decided` False: the search gave up."""

    items: tuple[Item, ...]
    placed: tuple[tuple[Item, str], ...]
    left: tuple[Item, ...]
    decided: bool
    why: str


@dataclass(frozen=True, slots=True)
class _Place:
    """A bin as it stands here: who it is, and its alternative loads with capacities worked out."""

    item: Item | None
    loads: tuple[tuple[tuple[str, n.Selector, tuple[tuple[n.Term, Any], ...]], ...], ...]


class _GaveUp(Exception):
    pass


def solve(fit: Fit, env: Env) -> Outcome:
    items = [item for item, _ in fit.items.items(env)]
    places = [place for bin in fit.bins for place in _places(bin, env)]
    search = _Search(items, places, fit.tied, env)
    try:
        left = search.largest()
    except _GaveUp:
        return Outcome(tuple(items), (), (), False, "too many ways to try")
    placed = tuple((item, name) for item, name in search.best if item not in left)
    return Outcome(tuple(items), placed, left, True, search.reason(left))


def _places(bin: Bin, env: Env) -> list[_Place]:
    holders: list[tuple[Item | None, Env]] = (
        [(None, env)] if bin.gather is None else list(_bound(bin.gather, env))
    )
    out = []
    for holder, scope in holders:
        loads = tuple(
            tuple(
                (slot.name, slot.takes, tuple((m.size, m.at_most.value(scope)) for m in slot.measures))
                for slot in load
            )
            for load in bin.loads
        )
        out.append(_Place(holder, loads))
    return out


def _bound(gather: n.Gather, env: Env) -> list[tuple[Item | None, Env]]:
    return [(item, {**env, "bin": item}) for item, _ in gather.items(env)]


class _Search:
    def __init__(self, items: Sequence[Item], places: Sequence[_Place], tied: str | None, env: Env) -> None:
        self.items, self.places, self.env = list(items), list(places), env
        self.steps = 0
        self.best: list[tuple[Item, str]] = []
        self.options = {item: self.options_of(item, tied) for item in self.items}

    def options_of(self, item: Item, tied: str | None) -> list[tuple[int, int, int, tuple[Any, ...]]]:
        """Where an item may go at all: (place, load, slot, sizes)."""
        bound = item.get(tied) if tied else None
        out = []
        for p, place in enumerate(self.places):
            if bound is not None and place.item is not bound:
                continue
            scope = {**self.env, "bin": place.item, "item": item}
            for a, load in enumerate(place.loads):
                for s, (_, takes, measures) in enumerate(load):
                    if takes.holds(item, scope):
                        out.append((p, a, s, tuple(size.number(scope) for size, _ in measures)))
        return out

    def largest(self) -> tuple[Item, ...]:
        """Items kept in id order as long as a largest placement still exists; the rest are left over."""
        if self.can(self.items):
            return ()
        size = next(k for k in range(len(self.items), -1, -1) if self.can_some(k))
        kept: list[Item] = []
        left: list[Item] = []
        for i, item in enumerate(self.items):
            rest = self.items[i + 1 :]
            if len(kept) < size and self.can_some(size, [*kept, item], rest):
                kept.append(item)
            else:
                left.append(item)
        self.can(kept)
        return tuple(left)

    def can_some(self, size: int, fixed: list[Item] | None = None, rest: list[Item] | None = None) -> bool:
        """Whether the fixed items and enough of the rest can be placed together."""
        fixed, rest = fixed or [], self.items if rest is None else rest
        return self.place([*fixed, *rest], len(fixed), size)

    def can(self, items: list[Item]) -> bool:
        return self.place(items, len(items), len(items))

    def place(self, items: list[Item], fixed: int, wanted: int) -> bool:
        """Depth first: the first `fixed` items must be placed, and `wanted` in all."""
        used: dict[tuple[int, int], list[Any]] = {}
        load_of: dict[int, int] = {}
        tried: set[Any] = set()
        chosen: list[tuple[Item, str]] = []

        def state(i: int, done: int) -> Any:
            return (
                i,
                done,
                tuple(sorted(load_of.items())),
                tuple(sorted((k, tuple(v)) for k, v in used.items())),
            )

        def go(i: int, done: int) -> bool:
            self.steps += 1
            if self.steps > STEPS:
                raise _GaveUp
            if done + len(items) - i < wanted:
                return False
            if i == len(items):
                return True
            key = state(i, done)
            if key in tried:
                return False
            tried.add(key)
            for p, a, s, sizes in self.options[items[i]]:
                if load_of.get(p, a) != a:
                    continue
                room = self.places[p].loads[a][s][2]
                before = used.get((p, s), [0] * len(sizes))
                after = [x + y for x, y in zip(before, sizes, strict=True)]
                if any(limit is not None and x > limit for x, (_, limit) in zip(after, room, strict=True)):
                    continue
                fresh = p not in load_of
                load_of[p], used[p, s] = a, after
                chosen.append((items[i], self.name(p, a, s)))
                if go(i + 1, done + 1):
                    return True
                chosen.pop()
                used[p, s] = before
                if fresh:
                    del load_of[p]
            return i >= fixed and go(i + 1, done)

        found = go(0, 0)
        if found:
            self.best = chosen
        return found

    def name(self, p: int, a: int, s: int) -> str:
        place = self.places[p]
        slot = place.loads[a][s][0]
        return f"{slot} of {n.short(place.item)}" if place.item is not None else slot

    def reason(self, left: tuple[Item, ...]) -> str:
        if not left:
            return ""
        homeless = [item for item in left if not self.options[item]]
        if homeless:
            return f"nothing here takes {n.show(homeless[0])}"
        return "every place that would take " + n.show(left[0]) + " is full"
