"""The spaces and links of a position as numbers, so that searches run on arrays."""

from __future__ import annotations

from typing import Any

from compiler.rules.items import Item, Position


class Board:
    """Spaces in the order of their ids; links likewise, with the numbers of their ends."""

    def __init__(self, world: Position) -> None:
        self.world = world
        self.spaces: list[Item] = list(world.all("space"))
        self.links: list[Item] = list(world.all("link"))
        self.number: dict[Item, int] = {space: i for i, space in enumerate(self.spaces)}
        number = self.number
        self.source = [number[link.attrs["from"]] for link in self.links]
        self.target = [number[link.attrs["to"]] for link in self.links]
        self.into: list[list[int]] = [[] for _ in self.spaces]
        for i, v in enumerate(self.target):
            self.into[v].append(i)
        self._out: list[list[int]] | None = None

    @property
    def out(self) -> list[list[int]]:
        """The links that leave each space: only searches forwards need them."""
        if self._out is None:
            self._out = [[] for _ in self.spaces]
            for i, v in enumerate(self.source):
                self._out[v].append(i)
        return self._out

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
