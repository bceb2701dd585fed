"""Few tracers on a large map: each looks ahead by itself, as long as that is less work than one search from all sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.rules.items import Item
from compiler.rules.trace.forward import Forward
from compiler.rules.trace.views import Asker

if TYPE_CHECKING:
    from compiler.rules.trace.run import Run

FEW = 100  # tracers stand on fewer than one space in so many
PART = 4  # all of them together come to no more than one space in so many


class Ahead:
    """One class of tracers: the levels that it reaches from each space. Relays and gates are left to the other search."""

    def __init__(self, run: Run, asker: Asker) -> None:
        self.run, self.asker = run, asker
        size, plain = len(run.board.spaces), not run.trace.relays and not run.trace.has_gates
        few = plain and len(run.starts(asker)) * FEW < size
        self.left = size // PART if few else 0
        self.searches: dict[int, _Search] = {}

    def holds(self, item: Item, v: int, level: int, free: bool) -> bool | None:
        """Whether a source of the level is reached from this space; None if the other search has to say."""
        search = self.searches.get(v)
        if search is None:
            if self.left <= 0:
                return None
            search = self.searches[v] = _Search(self.run, item, v, self.asker)
        before = search.forward.made
        found = search.finds(level, free, self.left)
        self.left -= search.forward.made - before
        return found


class _Search:
    """One search, as far as it has come."""

    def __init__(self, run: Run, item: Item, v: int, asker: Asker) -> None:
        self.run, self.asker = run, asker
        self.forward = Forward(run, item, v, asker)
        self.lines = self.forward.finishes()
        self.found: set[tuple[int, bool]] = set()

    def finds(self, level: int, free: bool, most: int) -> bool | None:
        """None if it gave up: more than `most` further steps."""
        if (level, free) in self.found:
            return True
        self.forward.most = self.forward.made + most
        for line in self.lines:
            end = line.end
            if self.run.suffices(end, self.asker):
                self.found.add((end.source.level, False))
            if end.capacity is None:
                self.found.add((end.source.level, True))
            if (level, free) in self.found:
                return True
        return None if self.forward.heap else False
