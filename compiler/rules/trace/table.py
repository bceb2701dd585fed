"""Options that take several things at once, or more than one of a thing: every remaining amount is tried once.

What is left of the things after the first claims is all that matters for the others, so one table of remains holds the best
worth of the rest. With a small number of scarce things that is quick; when it is not, the search gives up after `STATES`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import floor

from compiler.rules.items import Number
from compiler.rules.trace.claims import DEEP, STATES, Claim, Option, Solution, Worth, better_off

Left = tuple[Number, ...]


class _TooLarge(Exception):
    pass


def table(
    claims: Sequence[Claim], capacity: Mapping[Hashable, Number], levels: int, states: int = STATES
) -> Solution:
    search = _Table(claims, capacity, levels, states)
    left = tuple(capacity[thing] for thing in search.things)
    try:
        search.best(0, left)
    except _TooLarge:
        greedy = tuple(search.greedy(left))
        return Solution(greedy, False, better_off(greedy), search.most())
    return Solution(tuple(search.path(left)))


class _Table:
    def __init__(
        self, claims: Sequence[Claim], capacity: Mapping[Hashable, Number], levels: int, states: int
    ) -> None:
        self.claims, self.worth, self.capacity = claims, Worth(claims, levels), capacity
        self.things = sorted({thing for claim in claims for thing in claim.things}, key=str)
        place = {thing: n for n, thing in enumerate(self.things)}
        self.takes = [
            [tuple((place[thing], amount) for thing, amount in option.takes) for option in claim.options]
            for claim in claims
        ]
        self.last = self._last_use()
        self.known: dict[tuple[int, Left], int] = {}
        self.states = states

    def _last_use(self) -> list[int]:
        """The last claim that could take each thing: after it, what is left of it does not matter."""
        last = [0] * len(self.things)
        for i, takes in enumerate(self.takes):
            for option in takes:
                for n, _ in option:
                    last[n] = i
        return last

    def best(self, i: int, left: Left) -> int:
        """The best worth of the claims from i on."""
        if i == len(self.claims):
            return 0
        key = (i, tuple(amount if self.last[n] >= i else 0 for n, amount in enumerate(left)))
        if key not in self.known:
            if len(self.known) >= self.states or len(self.claims) > DEEP:
                raise _TooLarge
            found = self.best(i + 1, left)
            for number, option in enumerate(self.claims[i].options):
                after = self.after(i, number, left)
                if after is not None:
                    found = max(found, self.worth.gain(i, option) + self.best(i + 1, after))
            self.known[key] = found
        return self.known[key]

    def after(self, i: int, option: int, left: Left) -> Left | None:
        out = list(left)
        for n, amount in self.takes[i][option]:
            if out[n] < amount:
                return None
            out[n] -= amount
        return tuple(out)

    def path(self, left: Left) -> list[int | None]:
        """The choices: each claim in its turn the best level with which the best worth can still be had.

        Options of one level leave different remains, so all remains that lead to the best answer are kept.
        """
        kept: list[dict[Left, tuple[int | None, Left]]] = []
        now = [left]
        wanted = self.best(0, left)
        for i, claim in enumerate(self.claims):
            steps = [step for before in now for step in self.good_steps(i, before, wanted)]
            level = min(step[0] for step in steps)
            after: dict[Left, tuple[int | None, Left]] = {}
            for own, number, before, remains in steps:
                if own == level:
                    after.setdefault(remains, (number, before))
            kept.append(after)
            now = list(after)
            wanted -= self.worth.of[level] - self.worth.of[claim.fallback]
        return self.trail(kept)

    def good_steps(self, i: int, left: Left, wanted: int) -> Iterator[tuple[int, int | None, Left, Left]]:
        """The choices of a claim with which the rest is still worth what is wanted: level, option, remains."""
        for number, option in self.by_level(i):
            after = self.after(i, number, left)
            if after is not None and self.worth.gain(i, option) + self.best(i + 1, after) == wanted:
                yield option.level, number, left, after
        if self.best(i + 1, left) == wanted:
            yield self.claims[i].fallback, None, left, left

    def trail(self, kept: list[dict[Left, tuple[int | None, Left]]]) -> list[int | None]:
        chosen: list[int | None] = []
        at = next(iter(kept[-1]), ()) if kept else ()
        for after in reversed(kept):
            number, at = after[at]
            chosen.append(number)
        return chosen[::-1]

    def by_level(self, i: int) -> list[tuple[int, Option]]:
        return sorted(enumerate(self.claims[i].options), key=lambda found: (found[1].level, found[0]))

    def greedy(self, left: Left) -> list[int | None]:
        chosen: list[int | None] = []
        for i in range(len(self.claims)):
            choice: int | None = None
            for number, _ in self.by_level(i):
                after = self.after(i, number, left)
                if after is not None:
                    choice, left = number, after
                    break
            chosen.append(choice)
        return chosen

    def most(self) -> int:
        """No more than the things can serve, each taken as often as its smallest use allows."""
        least: dict[Hashable, Number] = {}
        for claim in self.claims:
            for option in claim.options:
                for thing, amount in option.takes:
                    least[thing] = min(least.get(thing, amount), amount)
        uses = sum(
            floor(self.capacity[t] / amount) if amount else len(self.claims) for t, amount in least.items()
        )
        return min(len(self.claims), uses)
