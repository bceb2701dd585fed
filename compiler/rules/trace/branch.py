"""Tracers that may be served by several sources together: who is served is searched, how is a flow."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from compiler.rules.items import Number
from compiler.rules.trace.claims import DEEP, Claim, Option, Solution, Worth, better_off

NODES = 20_000  # each asks for a flow


class _TooLarge(Exception):
    pass


def branch(
    claims: Sequence[Claim], capacity: Mapping[Hashable, Number], levels: int, nodes: int = NODES
) -> Solution:
    search = _Branch(claims, capacity, levels, nodes)
    try:
        search.go(0, 0)
    except _TooLarge:
        return Solution(tuple(search.best), False, better_off(search.best), search.most(0, []))
    return Solution(tuple(search.best))


class _Branch:
    """Claims in their order, best levels first: the first of the best answers is the one that is wanted."""

    def __init__(
        self, claims: Sequence[Claim], capacity: Mapping[Hashable, Number], levels: int, nodes: int
    ) -> None:
        self.claims, self.capacity, self.nodes = claims, capacity, nodes
        self.worth = Worth(claims, levels)
        self.total = sum((capacity[t] for t in {t for c in claims for t in c.things}), Fraction(0))
        self.chosen: list[int | None] = []
        self.best: list[int | None] = [None] * len(claims)
        self.best_worth = -1
        self.levels: list[int] = []
        self.best_levels: list[int] = []
        self.twin = _twins(claims)

    def go(self, i: int, won: int) -> None:
        if i == len(self.claims):
            if won > self.best_worth or (won == self.best_worth and self.levels < self.best_levels):
                self.best, self.best_worth, self.best_levels = list(self.chosen), won, list(self.levels)
            return
        self.nodes -= 1
        if self.nodes < 0 or len(self.claims) > DEEP:
            raise _TooLarge
        if self.is_hopeless(i, won + self.hope(i)):
            return
        options = sorted(enumerate(self.claims[i].options), key=lambda found: (found[1].level, found[0]))
        for number, option in [*options, (None, None)]:
            if self.after_twin(i, option):
                self.chosen.append(number)
                self.levels.append(option.level if option is not None else self.claims[i].fallback)
                if option is None or self.feasible():
                    self.go(i + 1, won + (self.worth.gain(i, option) if option is not None else 0))
                self.levels.pop()
                self.chosen.pop()

    def is_hopeless(self, i: int, most: int) -> bool:
        """Not worth more than the best answer so far, and no better for the first claims."""
        if most != self.best_worth:
            return most < self.best_worth
        return self.levels > self.best_levels[:i]

    def after_twin(self, i: int, option: Option | None) -> bool:
        """Of two alike the earlier is never worse off: the same answer the other way round was tried before."""
        twin = self.twin[i]
        if twin is None:
            return True
        number = self.chosen[twin]
        theirs = self.claims[twin].fallback if number is None else self.claims[twin].options[number].level
        return (option.level if option is not None else self.claims[i].fallback) >= theirs

    # What can still be hoped for

    def hope(self, i: int) -> int:
        """The rest can win no more than this: as many of the lightest as the capacity holds, at their best levels."""
        served = self.most(i, self.chosen)
        return sum(sorted((self.worth.best(n) for n in range(i, len(self.claims))), reverse=True)[:served])

    def most(self, i: int, chosen: Sequence[int | None]) -> int:
        left = self.total - sum(
            (_weight(self.claims[n].options[o]) for n, o in enumerate(chosen) if o is not None), Fraction(0)
        )
        served = 0
        for weight in sorted(min(map(_weight, c.options)) for c in self.claims[i:] if c.options):
            left -= weight
            if left < 0:
                break
            served += 1
        return served

    # Whether the chosen can all be served

    def feasible(self) -> bool:
        left = {thing: Fraction(self.capacity[thing]) for c in self.claims for thing in c.things}
        demands: list[tuple[Fraction, list[Hashable]]] = []
        for claim, number in zip(self.claims, self.chosen, strict=False):
            option = claim.options[number] if number is not None else None
            if option is None:
                continue
            if option.split:
                demands.append((_weight(option), [thing for thing, _ in option.takes]))
                continue
            for thing, amount in option.takes:
                left[thing] -= Fraction(amount)
        return all(amount >= 0 for amount in left.values()) and _flows(demands, left)


def _weight(option: Option) -> Fraction:
    """What an option takes in all: of things to choose from, the amount of one."""
    amounts = [Fraction(amount) for _, amount in option.takes]
    return max(amounts, default=Fraction(0)) if option.split else sum(amounts, Fraction(0))


def _twins(claims: Sequence[Claim]) -> list[int | None]:
    seen: dict[Claim, int] = {}
    out: list[int | None] = []
    for i, claim in enumerate(claims):
        out.append(seen.get(claim))
        seen[claim] = i
    return out


def _flows(demands: list[tuple[Fraction, list[Hashable]]], left: dict[Hashable, Fraction]) -> bool:
    """Whether every demand can be met, each from any of its things: a flow, one demand after the other."""
    given: list[dict[Hashable, Fraction]] = [{} for _ in demands]
    for i, (amount, _) in enumerate(demands):
        missing = amount
        while missing > 0:
            path = _path(i, demands, given, left)
            if path is None:
                return False
            missing -= _push(path, missing, given, left)
    return True


def _path(
    start: int,
    demands: list[tuple[Fraction, list[Hashable]]],
    given: list[dict[Hashable, Fraction]],
    left: dict[Hashable, Fraction],
) -> list[tuple[int, Hashable]] | None:
    """A chain: the demand takes of a thing, whoever had that takes of another … of which something is left."""
    before: dict[Hashable, tuple[int, Hashable | None]] = {}
    todo: list[tuple[int, Hashable | None]] = [(start, None)]
    seen = {start}
    for i, came in todo:
        for thing in demands[i][1]:
            if thing in before:
                continue
            before[thing] = (i, came)
            if left[thing] > 0:
                return _trail(thing, before)
            for other, has in enumerate(given):
                if other not in seen and has.get(thing, 0) > 0:
                    seen.add(other)
                    todo.append((other, thing))
    return None


def _trail(
    thing: Hashable, before: dict[Hashable, tuple[int, Hashable | None]]
) -> list[tuple[int, Hashable]]:
    out: list[tuple[int, Hashable]] = []
    at: Hashable | None = thing
    while at is not None:
        i, came = before[at]
        out.append((i, at))
        at = came
    return out[::-1]


def _push(
    path: list[tuple[int, Hashable]],
    wanted: Fraction,
    given: list[dict[Hashable, Fraction]],
    left: dict[Hashable, Fraction],
) -> Fraction:
    """As much as the chain lets through."""
    amount = min(wanted, left[path[-1][1]])
    for (_, thing), (other, _) in pairwise(path):
        amount = min(amount, given[other][thing])
    left[path[-1][1]] -= amount
    for n, (i, thing) in enumerate(path):
        given[i][thing] = given[i].get(thing, Fraction(0)) + amount
        if n + 1 < len(path):
            given[path[n + 1][0]][thing] -= amount
    return amount
