"""Who reaches a source of one level: relays to a least fixed point, then the tracers.

A relay is good once it reaches a source, or a relay that is good already, within its own budget. Only what became good in
the last round is looked for in the next, so two relays can never feed each other.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from compiler.rules.items import Item
from compiler.rules.trace.ahead import Ahead
from compiler.rules.trace.back import LineView, Target, Values, reached, run_back
from compiler.rules.trace.parts import TRACER, Joint
from compiler.rules.trace.views import Asker

if TYPE_CHECKING:
    from compiler.rules.trace.run import Run

Name = tuple[Item, str]  # an item acting as the relay of that id


@dataclass(frozen=True, slots=True)
class Node:
    """A relay on the board, and for whom the lines that start from it are judged."""

    name: Name
    space: int
    asker: Asker


class Reach:
    """One class of tracers, one level. `free`: without whatever has a limited capacity."""

    def __init__(self, run: Run, asker: Asker, level: int, free: bool = False) -> None:
        self.run, self.asker, self.level, self.free = run, asker, level, free
        self.good: dict[Name, set[int]] = {}
        self.nodes = list(nodes_of(run, asker)) if run.trace.relays else []
        self._spread()
        self.ahead: Ahead = asker.kept("ahead", lambda: Ahead(run, asker))

    @cached_property
    def lines(self) -> list[tuple[LineView, list[Values]]]:
        return [self.tracer_line(joint) for joint in self.run.trace.chain if TRACER in joint.froms]

    def holds(self, item: Item, v: int) -> bool:
        """Whether this tracer reaches the level from this space."""
        if any(self.good.get((item, relay.id)) for relay in self.run.trace.relays):
            return True
        if not self.run.may_start(self.asker, v):
            return False
        found = self.ahead.holds(v, self.level, self.free)
        if found is None:
            return any(reached(view, values, v) for view, values in self.lines)
        return found

    # Relays

    def _spread(self) -> None:
        groups: dict[tuple[Asker, int], list[Node]] = defaultdict(list)
        for node in self.nodes:
            for i, joint in enumerate(self.run.trace.chain):
                if node.name[1] in joint.froms and self.run.may_start(node.asker, node.space):
                    groups[node.asker, i].append(node)
        new: dict[Name, set[int]] | None = None
        while new is None or new:
            found: dict[Name, set[int]] = defaultdict(set)
            for (asker, i), nodes in groups.items():
                for node, used in self._round(asker, self.run.trace.chain[i], nodes, new):
                    found[node.name] |= used
            new = {name: fresh for name, used in found.items() if (fresh := self._fresh(name, used))}

    def _round(
        self, asker: Asker, joint: Joint, nodes: list[Node], new: dict[Name, set[int]] | None
    ) -> list[tuple[Node, set[int]]]:
        """The relays that reach what is new: the sources at first, then the relays of the last round."""
        targets = self.sources(asker, joint) if new is None else self.relays(asker, joint, new)
        if not targets:
            return []
        view = self.run.view(asker, joint.line, self.free)
        starts = {node.space for node in nodes}
        values = run_back(view, targets, view.cut(starts), starts)
        return [(node, reached(view, values, node.space)) for node in nodes]

    def _fresh(self, name: Name, used: set[int]) -> set[int]:
        before = self.good.get(name, set())
        after = self.run.tally.least(before | used)
        if after:
            self.good[name] = after
        return after - before

    # Targets

    def sources(self, asker: Asker, joint: Joint) -> list[Target]:
        return [
            Target(end.space, end.source.legs, 0)
            for end in self.run.sources(asker)
            if end.source.level == self.level
            and end.source.id in joint.to
            and (end.capacity is None if self.free else self.run.suffices(end, self.asker))
        ]

    def relays(self, asker: Asker, joint: Joint, good: dict[Name, set[int]]) -> list[Target]:
        return [
            Target(v, None, used)
            for relay, item, v in self.run.relays(asker)
            if relay.id in joint.to
            for used in sorted(good.get((item, relay.id), ()))
        ]

    def tracer_line(self, joint: Joint) -> tuple[LineView, list[Values]]:
        targets = self.sources(self.asker, joint) + self.relays(self.asker, joint, self.good)
        view = self.run.view(self.asker, joint.line, self.free)
        starts = self.run.starts(self.asker)
        return view, run_back(view, targets, view.cut(starts), starts)


def nodes_of(run: Run, asker: Asker) -> Any:
    """The relays that the chain of this tracer may use."""
    todo, asked, seen = [asker], {asker}, set()
    while todo:
        for relay, item, v in run.relays(todo.pop()):
            if (item, relay.id) in seen:
                continue
            seen.add((item, relay.id))
            judged_for = run.asker_of(item) if run.trace.by_relay else asker
            if judged_for not in asked:
                asked.add(judged_for)
                todo.append(judged_for)
            yield Node((item, relay.id), v, judged_for)
