"""The spaces and links of a position as numbers, so that searches run on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from compiler.rules.items import Item, Position

KEPT = "kept"  # where a position keeps what holds for every position on the same map


class Frame:
    """What a map looks like in numbers, whoever stands on it: links by the numbers of their ends, and sorts of links."""

    def __init__(self, spaces: list[Item], links: Sequence[Item]) -> None:
        number = {space: i for i, space in enumerate(spaces)}
        self.size = len(spaces)
        self.source = [number[link.attrs["from"]] for link in links]
        self.target = [number[link.attrs["to"]] for link in links]
        self._sort(links)

    def _sort(self, links: Sequence[Item]) -> None:
        """Links that are written alike in everything but their ends are of one sort."""
        names = sorted({name for link in links for name in link.attrs} - {"from", "to"}) if links else []
        sorts: dict[Any, int] = {}
        self.sorts: list[int] = []
        self.first: list[int] = []
        for i, link in enumerate(links):
            get = link.attrs.get
            key = tuple([get(name) for name in names])
            sort = sorts.setdefault(key, len(self.first))
            if sort == len(self.first):
                self.first.append(i)
            self.sorts.append(sort)

    @cached_property
    def into(self) -> list[list[int]]:
        """The links that lead into each space."""
        return self._by(self.target)

    @cached_property
    def out(self) -> list[list[int]]:
        """The links that leave each space: only searches forwards need them."""
        return self._by(self.source)

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
        kept = world.memo.get(KEPT, {})
        frame: Frame = kept.get("frame") or Frame(self.spaces, self.links)
        self.frame = kept["frame"] = frame
        self.source, self.target, self.into = frame.source, frame.target, frame.into

    @property
    def out(self) -> list[list[int]]:
        return self.frame.out

    def numbers(self, kind: str) -> list[tuple[Item, int]]:
        """The pieces (or spaces) that stand on the board, with the number of their space."""
        if kind == "space":
            return list(zip(self.spaces, range(len(self.spaces)), strict=True))
        stand = ((piece, piece.attrs["space"]) for piece in self.world.all("piece"))
        return [(piece, self.number[space]) for piece, space in stand if space is not None]


def board_of(world: Position) -> Board:
    found: Any = world.memo.get("board")
    if found is None:
        found = world.memo["board"] = Board(world)
    board: Board = found
    return board
