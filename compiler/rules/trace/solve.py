"""Who gets what when capacities are shared: exact, best levels first, ties by the order of the claims.

A claim is one tracer: the level it has anyway, and options for better ones. The answer has the largest number at the best
level, then at the next, and so on; among such answers the first claim has the best level it can have, then the second,
and so on. Claims that share nothing are solved apart. Three ways, by what a part of the claims needs:

- each option takes one of one thing: a flow of least cost;
- options take several things, or more than one: all remaining amounts are tried once (a table);
- a tracer may be served by several sources together: branch and bound, with a flow that says whether all can be served.

The last two give up after a counted number of states; then the best answer found and a bound are given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compiler.rules.items import Number
from compiler.rules.trace.assign import assign
from compiler.rules.trace.branch import branch
from compiler.rules.trace.claims import Claim, Solution
from compiler.rules.trace.table import table

Capacity = Mapping[Any, Number]


@dataclass(frozen=True, slots=True)
class Result:
    """`chosen` is the option of each claim (None: none). `least` and `most`: how many of the undecided are better off."""

    levels: tuple[int, ...]
    chosen: tuple[int | None, ...]
    decided: tuple[bool, ...]
    least: int = 0
    most: int = 0


def solve(claims: Sequence[Claim], capacity: Capacity, levels: int) -> Result:
    """The answer for all claims, in their order."""
    level = [claim.fallback for claim in claims]
    chosen: list[int | None] = [None] * len(claims)
    decided = [True] * len(claims)
    least = most = 0
    for part in _parts(claims):
        own = [claims[i] for i in part]
        found = _way(own)(own, capacity, levels)
        for i, option in zip(part, found.chosen, strict=True):
            chosen[i] = option
            level[i] = claims[i].fallback if option is None else claims[i].options[option].level
            decided[i] = found.decided
        if not found.decided:
            least += found.least
            most += found.most
    return Result(tuple(level), tuple(chosen), tuple(decided), least, most)


def _parts(claims: Sequence[Claim]) -> list[list[int]]:
    """Claims joined by what they could take, each part in order."""
    above = list(range(len(claims)))

    def root(i: int) -> int:
        while above[i] != i:
            above[i] = above[above[i]]
            i = above[i]
        return i

    owner: dict[Hashable, int] = {}
    for i, claim in enumerate(claims):
        for thing in claim.things:
            above[root(i)] = root(owner.setdefault(thing, i))
    parts: dict[int, list[int]] = defaultdict(list)
    for i in range(len(claims)):
        parts[root(i)].append(i)
    return list(parts.values())


def _way(claims: Sequence[Claim]) -> Callable[[Sequence[Claim], Capacity, int], Solution]:
    options = [option for claim in claims for option in claim.options]
    if any(option.split for option in options):
        return branch
    simple = all(len(option.takes) == 1 and option.takes[0][1] == 1 for option in options)
    return assign if simple else table
