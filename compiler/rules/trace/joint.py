"""Capacities shared by all tracers: what each could take, and the joint answer."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from compiler.rules.items import Item, Number, Unknown
from compiler.rules.trace.claims import Claim, Option
from compiler.rules.trace.forward import Finish, Forward, Label
from compiler.rules.trace.parts import TOGETHER, stands
from compiler.rules.trace.solve import Result, solve

if TYPE_CHECKING:
    from compiler.rules.trace.run import End, Run

Thing = tuple[str, Item]  # a source entry and its item, or ("", a gate)


@dataclass(frozen=True, slots=True)
class Shortage:
    """A thing that cannot serve all who want it."""

    thing: Thing
    capacity: Number
    wanted_by: tuple[Item, ...]
    without: tuple[Item, ...]


class Joined:
    """The joint answer. Tracers that need nothing limited have their level alone."""

    def __init__(
        self, run: Run, items: list[Item], claims: list[Claim], capacity: dict[Thing, Number]
    ) -> None:
        self.run, self.items, self.claims, self.capacity = run, items, claims, capacity
        self.result: Result = solve(claims, capacity, len(run.trace.levels))
        self.place = {item: i for i, item in enumerate(items)}

    def level(self, item: Item) -> int:
        """The level in the joint answer. Where it is not decided, nothing may rest on it."""
        i = self.place.get(item)
        if i is None:
            return self.run.free_level(item)
        if not self.result.decided[i]:
            raise Unknown(self.run.trace.kind, self.run.trace.name + TOGETHER)
        return self.result.levels[i]

    def option(self, item: Item) -> Option | None:
        i = self.place.get(item)
        number = None if i is None else self.result.chosen[i]
        return None if i is None or number is None else self.claims[i].options[number]

    @property
    def undecided(self) -> bool:
        return not all(self.result.decided)

    @cached_property
    def shortages(self) -> list[Shortage]:
        """Things that leave somebody with less than the level alone, in order."""
        alone = {
            item: min((option.level for option in c.options), default=c.fallback)
            for item, c in zip(self.items, self.claims, strict=True)
        }
        out = []
        for thing, capacity in self.capacity.items():
            wants = tuple(
                item
                for item, c in zip(self.items, self.claims, strict=True)
                if thing in _things(c, alone[item])
            )
            without = tuple(i for i in wants if self.result.levels[self.place[i]] > alone[i])
            if without:
                out.append(Shortage(thing, capacity, wants, without))
        return out


def _things(claim: Claim, level: int) -> set[Hashable]:
    return {thing for option in claim.options if option.level == level for thing, _ in option.takes}


def join(run: Run) -> Joined:
    """Everyone who could do better with something limited makes a claim; the rest have what they have."""
    items: list[Item] = []
    claims: list[Claim] = []
    capacity: dict[Thing, Number] = {}
    for item in run.tracers():
        answer, free = run.answer(item), run.free_level(item)
        if answer is not None and answer.level < free:
            items.append(item)
            claims.append(Claim(free, tuple(_options(run, item, free, capacity))))
    return Joined(run, items, claims, dict(sorted(capacity.items(), key=lambda kv: (kv[0][0], kv[0][1].id))))


def finishes(run: Run, item: Item) -> list[Finish]:
    """One best line to each source through each set of gates. Tracers alike at one place share the search."""
    asker, space = run.asker(item), stands(item)
    if asker is None or space is None or space not in run.board.number:
        return []
    v = run.board.number[space]
    acts = tuple(relay.id for relay, other, _ in run.relays(asker) if other is item)

    def find() -> list[Finish]:
        found: dict[object, Finish] = {}
        for finish in Forward(run, item, v, asker).finishes():
            found.setdefault((finish.end.source.id, finish.end.item, frozenset(finish.gates)), finish)
        return list(found.values())

    known: list[Finish] = asker.kept(("finishes", v, acts), find)
    return known


def _options(run: Run, item: Item, free: int, capacity: dict[Thing, Number]) -> list[Option]:
    out: dict[Option, None] = {}
    several: dict[str, list[End]] = {}
    for finish in finishes(run, item):
        end = finish.end
        if end.source.level >= free:
            continue
        if end.source.split and end.capacity is not None:
            several.setdefault(end.source.id, []).append(end)
            continue
        takes = _takes(run, item, finish, capacity)
        if takes is not None:
            out[Option(end.source.level, takes)] = None
    for id, ends in several.items():
        weight = run.weight(ends[0], item)
        things = {(id, end.item): end.capacity for end in ends if end.capacity is not None}
        capacity.update(things)
        if sum((Fraction(amount) for amount in things.values()), Fraction(0)) >= weight:
            out[Option(ends[0].source.level, tuple((thing, weight) for thing in things), split=True)] = None
    return sorted(_useful(list(out)), key=lambda option: option.level)


def _takes(
    run: Run, item: Item, finish: Finish, capacity: dict[Thing, Number]
) -> tuple[tuple[Thing, Number], ...] | None:
    """What this line uses up; None if it asks for more than there is."""
    takes: dict[Thing, Number] = {}
    end = finish.end
    if end.capacity is not None:
        takes[end.source.id, end.item] = run.weight(end, item)
        capacity[end.source.id, end.item] = end.capacity
    for gate, uses in gates_of(run, finish):
        if uses is not None:
            takes["", gate] = takes.get(("", gate), 0) + 1
            capacity["", gate] = uses
    return tuple(takes.items()) if all(capacity[t] >= amount for t, amount in takes.items()) else None


def gates_of(run: Run, finish: Finish) -> list[tuple[Item, Number | None]]:
    """The gates of a line with how often they can be used."""
    gates = [leg.gate for line in run.trace.lines for leg in line.legs if leg.gate is not None]
    uses: dict[Item, Number | None] = {}
    at: Label | None = finish.label
    while at is not None:
        for gate in gates:
            uses.update(
                {piece: n for piece, n in at.origin.asker.gates(gate).get(at.space, []) if piece not in uses}
            )
        at = at.before
    return [(piece, uses[piece]) for piece in finish.gates]


def _useful(options: list[Option]) -> list[Option]:
    """Without those that take more than another for no better level."""

    def beats(a: Option, b: Option) -> bool:
        if a.split or b.split or a.level > b.level or a is b:
            return False
        has = dict(b.takes)
        return all(thing in has and amount <= has[thing] for thing, amount in a.takes) and (
            a.level < b.level or a.takes != b.takes
        )

    return [b for b in options if not any(beats(a, b) for a in options)]


def served_by_several(run: Run, item: Item, level: int) -> bool:
    """Whether the sources that may serve one tracer together are enough for it, were it alone."""
    if not any(source.split and source.level == level for source in run.trace.sources):
        return False
    sums: dict[str, Fraction] = {}
    weights: dict[str, Number] = {}
    for finish in finishes(run, item):
        end = finish.end
        if end.source.split and end.source.level == level and end.capacity is not None:
            sums[end.source.id] = sums.get(end.source.id, Fraction(0)) + Fraction(end.capacity)
            weights[end.source.id] = run.weight(end, item)
    return any(total >= weights[id] for id, total in sums.items())
