"""Claims on shared capacities, and how answers are compared."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from compiler.rules.items import Number

STATES = 200_000  # how many states a search may look at before it gives up
DEEP = 300  # claims that share something: more are not searched at all


@dataclass(frozen=True, slots=True)
class Option:
    """A level, and what it takes of which things. `split`: the amount may be taken from any of them together."""

    level: int
    takes: tuple[tuple[Hashable, Number], ...]
    split: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """One tracer: the level it has without anything limited, and its options, best levels first."""

    fallback: int
    options: tuple[Option, ...]

    @property
    def things(self) -> set[Hashable]:
        return {thing for option in self.options for thing, _ in option.takes}


@dataclass(frozen=True, slots=True)
class Solution:
    chosen: tuple[int | None, ...]
    decided: bool = True
    least: int = 0
    most: int = 0


class Worth:
    """What a level is worth: one claim at a better level outweighs any number at worse ones."""

    def __init__(self, claims: Sequence[Claim], levels: int) -> None:
        self.claims = claims
        self.of: list[int] = [(len(claims) + 1) ** (levels - 1 - level) for level in range(levels - 1)] + [0]

    def gain(self, i: int, option: Option) -> int:
        """How much more than what the claim has anyway."""
        return self.of[option.level] - self.of[self.claims[i].fallback]

    def best(self, i: int) -> int:
        return max((self.gain(i, option) for option in self.claims[i].options), default=0)


def better_off(chosen: Sequence[int | None]) -> int:
    return sum(option is not None for option in chosen)
