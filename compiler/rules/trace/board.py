"""The spaces and links of a position as numbers, so that searches run on arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from compiler.rules.items import Item, Position

KEPT = "kept"  # where a position keeps what holds for every position on the same map
PRINTED = "printed"  # … and what holds for every one that leaves its spaces as they are printed
KEEP = 8  # answers of that many kinds are kept with a map


class Frame:
    """What a map looks like in numbers, whoever stands on it: links by the numbers of their ends, and sorts of links."""

    def __init__(self, size: int, ends: Iterable[tuple[int, int]], alike: Iterable[Any]) -> None:
        """`ends` of each link, and what is equal for `alike` links, which are of one sort."""
        self.size = size
        self.source: list[int] = []
        self.target: list[int] = []
        for a, b in ends:
            self.source.append(a)
            self.target.append(b)
        sorts: dict[Any, int] = {}
        self.sorts: list[int] = [sorts.setdefault(key, len(sorts)) for key in alike]
        self.first: list[int] = []
        for i, sort in enumerate(self.sorts):
            if sort == len(self.first):
                self.first.append(i)
        self.every = range(len(self.source))
        self._filled: dict[bytes, bytearray] = {}
        self._away: dict[frozenset[int], tuple[list[int], list[int]]] = {}
        self.sights: dict[bytes, tuple[bytes, dict[int, tuple[tuple[int, int, bool], ...]]]] = {}
        self._before: dict[bytes, list[tuple[int, ...]]] = {}

    @classmethod
    def of_items(cls, spaces: list[Item], links: Sequence[Item]) -> Frame:
        number = {space: i for i, space in enumerate(spaces)}
        names = sorted({name for link in links for name in link.attrs} - {"from", "to"}) if links else []
        return cls(
            len(spaces),
            ((number[link.attrs["from"]], number[link.attrs["to"]]) for link in links),
            (tuple([link.attrs.get(name) for name in names]) for link in links),
        )

    @classmethod
    def of_ground(cls, spaces: list[Item], links: Any) -> Frame:
        """The same without making the links."""
        number = {space.id: i for i, space in enumerate(spaces)}
        return cls(len(spaces), ((number[a], number[b]) for _, _, a, b in links.directed), links.sorts)

    def filled(self, answers: bytes) -> bytearray:
        """For each link the answer of its sort. Nobody may write into it."""
        found = self._filled.get(answers)
        if found is None:
            if len(self._filled) >= KEEP:
                self._filled.clear()
            found = self._filled[answers] = bytearray([answers[sort] for sort in self.sorts])
        return found

    def before_by(self, answers: bytes) -> list[tuple[int, ...]]:
        """The spaces from which a link whose sort has a yes leads into each space."""
        found = self._before.get(answers)
        if found is None:
            if len(self._before) >= KEEP:
                self._before.clear()
            good, source = self.filled(answers), self.source
            found = self._before[answers] = [
                tuple(dict.fromkeys([source[i] for i in links if good[i] == 1])) for links in self.into
            ]
        return found

    def away(self, ends: frozenset[int]) -> tuple[list[int], list[int]]:
        """How many links of any kind each space is from the nearest of these, and which that is (the smallest of equals).

        -1 where none can be come to.
        """
        found = self._away.get(ends)
        if found is None:
            if len(self._away) >= KEEP:
                self._away.clear()
            found = self._away[ends] = self._spread(ends)
        return found

    def _spread(self, ends: frozenset[int]) -> tuple[list[int], list[int]]:
        links, nearest = [-1] * self.size, [-1] * self.size
        now, before, number = sorted(ends), self.before, 0
        for end in now:
            links[end], nearest[end] = 0, end
        while now:
            number += 1
            later: list[int] = []
            for v in now:
                for u in before[v]:
                    if links[u] < 0:
                        links[u], nearest[u] = number, nearest[v]
                        later.append(u)
            now = later
        return links, nearest

    @cached_property
    def into(self) -> list[list[int]]:
        """The links that lead into each space."""
        return self._by(self.target)

    @cached_property
    def out(self) -> list[list[int]]:
        """The links that leave each space: only searches forwards need them."""
        return self._by(self.source)

    @cached_property
    def before(self) -> list[tuple[int, ...]]:
        """The spaces from which a link leads into each space, in the order of their links."""
        return [tuple(dict.fromkeys([self.source[link] for link in links])) for links in self.into]

    def _by(self, ends: list[int]) -> list[list[int]]:
        out: list[list[int]] = [[] for _ in range(self.size)]
        for i, v in enumerate(ends):
            out[v].append(i)
        return out


class Board:
    """Spaces in the order of their ids; links likewise, with the numbers of their ends."""

    def __init__(self, world: Position) -> None:
        self.world = world
        self.spaces: list[Item] = list(world.all("space"))
        self.links: Sequence[Item] = world.row("link")
        self.number: dict[Item, int] = {space: i for i, space in enumerate(self.spaces)}
        ground = world.memo.get(KEPT, {}).get("links")
        frame = (
            Frame.of_items(self.spaces, self.links)
            if ground is None
            else Frame.of_ground(self.spaces, ground)
        )
        self.frame = frame
        self.source, self.target, self.into = frame.source, frame.target, frame.into

    @property
    def out(self) -> list[list[int]]:
        return self.frame.out

    def in_sight(self, answers: bytes, v: int) -> tuple[tuple[int, int, bool], ...]:
        """The links out of a space whose sort has a yes, or at least another sort of their kind: link, space, whether yes."""
        known = self.frame.sights.get(answers)
        if known is None:
            if len(self.frame.sights) >= KEEP:
                self.frame.sights.clear()
            goes = {kind for kind, answer in zip(self._kinds, answers, strict=True) if answer == 1}
            known = self.frame.sights[answers] = (bytes(kind in goes for kind in self._kinds), {})
        counts, by_space = known
        found = by_space.get(v)
        if found is None:
            sorts, target = self.frame.sorts, self.target
            found = by_space[v] = tuple(
                [(i, target[i], answers[sorts[i]] == 1) for i in self.out[v] if counts[sorts[i]]]
            )
        return found

    def kind_of(self, link: int) -> str:
        return self._kinds[self.frame.sorts[link]]

    @cached_property
    def _kinds(self) -> list[str]:
        """The kind of each sort of links."""
        return [self.links[i].attrs["kind"] for i in self.frame.first]

    def numbers(self, kind: str) -> list[tuple[Item, int]]:
        """The pieces (or spaces) that stand on the board, with the number of their space."""
        if kind == "space":
            return list(zip(self.spaces, range(len(self.spaces)), strict=True))
        stand = ((piece, piece.attrs["space"]) for piece in self.world.all("piece"))
        return [(piece, self.number[space]) for piece, space in stand if space is not None]


def board_of(world: Position) -> Board:
    kept = world.memo.get(KEPT, world.memo)
    found: Any = kept.get("board")
    if found is None:
        found = kept["board"] = Board(world)
    board: Board = found
    return board
