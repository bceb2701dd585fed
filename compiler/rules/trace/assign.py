"""Every option takes one of one thing: an assignment of least cost, by paths that improve it one claim at a time.

Numbers that mirror both the levels and the order of the claims make the best answer the only one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from math import floor

from compiler.rules.items import Number
from compiler.rules.trace.claims import Claim, Solution, Worth


def assign(claims: Sequence[Claim], capacity: Mapping[Hashable, Number], levels: int) -> Solution:
    worth = _Weights(claims, levels)
    taken = _Taken({thing: floor(capacity[thing]) for claim in claims for thing in claim.things})
    chosen: list[int | None] = [None] * len(claims)
    for i in range(len(claims)):
        _improve(i, claims, chosen, taken, worth)
    return Solution(tuple(chosen))


class _Weights:
    """The worth of a claim at a level; ties are broken by digits, one for each claim."""

    def __init__(self, claims: Sequence[Claim], levels: int) -> None:
        number = len(claims)
        worth = Worth(claims, levels).of
        above = levels**number
        self.rows: list[list[int]] = [
            [
                worth[level] * above + (levels - 1 - level) * levels ** (number - 1 - i)
                for level in range(levels)
            ]
            for i in range(number)
        ]

    def of(self, claims: Sequence[Claim], i: int, option: int | None) -> int:
        claim = claims[i]
        return self.rows[i][claim.fallback if option is None else claim.options[option].level]


class _Taken:
    def __init__(self, left: dict[Hashable, int]) -> None:
        self.left = left
        self.by: dict[Hashable, set[int]] = {thing: set() for thing in left}


def _improve(
    start: int, claims: Sequence[Claim], chosen: list[int | None], taken: _Taken, weights: _Weights
) -> None:
    """The best chain of changes that begins with this claim: it takes something, whoever had it takes something else."""
    best: dict[int, int] = {start: 0}  # a claim that has to choose anew → what the chain has won so far
    before: dict[int, tuple[int, int]] = {}  # … → the claim that takes its thing, by which option
    end, end_option, most = start, None, weights.of(claims, start, None)
    todo, waiting = deque([start]), {start}
    while todo:
        i = todo.popleft()
        waiting.discard(i)
        if best[i] + weights.of(claims, i, None) > most:
            end, end_option, most = i, None, best[i] + weights.of(claims, i, None)
        for number, option in enumerate(claims[i].options):
            thing = option.takes[0][0]
            won = best[i] + weights.of(claims, i, number)
            if taken.left[thing] > 0 and won > most:
                end, end_option, most = i, number, won
            if taken.left[thing] > 0:
                continue
            for other in taken.by[thing]:
                after = won - weights.of(claims, other, chosen[other])
                if other != i and after > best.get(other, after - 1):
                    best[other], before[other] = after, (i, number)
                    if other not in waiting:
                        waiting.add(other)
                        todo.append(other)
    _apply(end, end_option, before, claims, chosen, taken)


def _apply(
    i: int,
    option: int | None,
    before: dict[int, tuple[int, int]],
    claims: Sequence[Claim],
    chosen: list[int | None],
    taken: _Taken,
) -> None:
    while True:
        old = chosen[i]
        if old is not None:
            thing = claims[i].options[old].takes[0][0]
            taken.by[thing].discard(i)
            taken.left[thing] += 1
        chosen[i] = option
        if option is not None:
            thing = claims[i].options[option].takes[0][0]
            taken.by[thing].add(i)
            taken.left[thing] -= 1
        if i not in before:
            return
        i, option = before[i]
