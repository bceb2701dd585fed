"""Few tracers on a large map: each looks ahead by itself, as long as that is less work than one search from all sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compiler.rules.trace.plain import Plain, Unsure
from compiler.rules.trace.views import Asker

if TYPE_CHECKING:
    from compiler.rules.trace.run import Run

FEW = 100  # tracers stand on fewer than one space in so many
PART = 2  # all of them together come to no more than one space in so many


class Ahead:
    """One class of tracers: the levels that it reaches from each space."""

    def __init__(self, run: Run, asker: Asker) -> None:
        size = len(run.board.spaces)
        self.plain: Plain = asker.kept("plain", lambda: Plain(run, asker))
        few = self.plain.simple and len(run.starts(asker)) * FEW < size
        self.left = size // PART if few else 0

    def holds(self, v: int, level: int, free: bool) -> bool | None:
        """Whether a source of the level is reached from this space; None if the other search has to say."""
        if self.left <= 0:
            return None
        try:
            search = self.plain.search(v)
            before = len(search.keys)
            found = search.finds(level, free, before + self.left)
        except Unsure:
            self.plain.searches.clear()  # that one has lost a state
            self.left = 0
            return None
        self.left -= len(search.keys) - before
        return found
