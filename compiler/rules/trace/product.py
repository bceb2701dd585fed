"""The small dimensions of the product graph: counts used so far, and the worst value of flags."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from compiler.rules.trace.parts import Count, Leg
from compiler.rules.trace.views import YES, Asker


class Tally:
    """How often each count was used, as one number. Adding gives -1 where a count would be exceeded."""

    def __init__(self, counts: Sequence[Count]) -> None:
        self.limits = [count.at_most for count in counts]
        self.crossing = [(i, count.cross) for i, count in enumerate(counts) if count.cross is not None]
        self.size = 1
        self.weights = []
        for limit in self.limits:
            self.weights.append(self.size)
            self.size *= limit + 1

    def used(self, k: int) -> list[int]:
        return [k // weight % (limit + 1) for weight, limit in zip(self.weights, self.limits, strict=True)]

    def add(self, k: int, counts: Sequence[int]) -> int:
        """One more of each of these counts."""
        for i in counts:
            if k // self.weights[i] % (self.limits[i] + 1) == self.limits[i]:
                return -1
            k += self.weights[i]
        return k

    def join(self, a: int, b: int) -> int:
        """Both together."""
        both = zip(self.used(a), self.used(b), self.limits, strict=True)
        return -1 if any(x + y > limit for x, y, limit in both) else a + b

    def least(self, found: set[int]) -> set[int]:
        """Those that no other is better than in every count."""
        used = {k: self.used(k) for k in found}
        return {k for k in found if not any(o != k and all(map(int.__le__, used[o], used[k])) for o in found)}

    def crossed(self, asker: Asker, link: int) -> list[int]:
        """The counts that crossing a link adds to."""
        return [i for i, ask in self.crossing if asker.crossed(ask).test(link) == YES]


class Worst:
    """The worst values of the flags that a leg reads, as one number."""

    def __init__(self, asker: Asker, leg: Leg) -> None:
        self.flags = [asker.trace.flags[i] for i in leg.flags]
        self.ranks = [asker.flags(flag) for flag in self.flags]
        self.size = 1
        self.weights = []
        for flag in self.flags:
            self.weights.append(self.size)
            self.size *= len(flag.values)

    def at(self, v: int) -> int:
        if not self.ranks:
            return 0
        return sum(ranks.at(v) * weight for ranks, weight in zip(self.ranks, self.weights, strict=True))

    def values(self, s: int) -> list[int]:
        return [s // w % len(flag.values) for flag, w in zip(self.flags, self.weights, strict=True)]

    def join(self, s: int, t: int) -> int:
        return self.joined[s * self.size + t]

    @cached_property
    def joined(self) -> list[int]:
        """The worse of two, for every two."""
        every = range(self.size)
        return [
            sum(max(a, b) * w for a, b, w in zip(self.values(s), self.values(t), self.weights, strict=True))
            for s in every
            for t in every
        ]
