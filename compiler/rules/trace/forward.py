"""One tracer's lines forwards: the least path to an end, all ends, or what stopped the search.

Ends come in the order of least cost over the whole chain, then fewest steps, then smallest ids. A state is kept only while
nothing cheaper has come to it; where a leg or line is limited, also what is left of the limit counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf
from typing import TYPE_CHECKING, Any

from compiler.frozen import dataclass
from compiler.rules.items import Item, Number
from compiler.rules.trace.back import LineView
from compiler.rules.trace.parts import TRACER, Joint
from compiler.rules.trace.stops import Stops
from compiler.rules.trace.views import NEVER, NO, UNKNOWN, YES, Asker

if TYPE_CHECKING:
    from compiler.rules.trace.run import End, Run


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """What a line starts from: the tracer, or an item acting as a relay."""

    name: str
    item: Item
    space: int
    asker: Asker


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """Where a search is. `spent` is what counts against the limit in force; `fresh`: the leg has not stepped yet."""

    total: Number
    steps: int
    ids: tuple[str, ...]
    before: Label | None
    origin: Origin
    joint: Joint
    leg: int
    space: int
    at_start: bool
    fresh: bool
    used: int
    worst: int
    spent: Number
    gates: tuple[Item, ...]

    @property
    def state(self) -> Any:
        at = (self.origin.name, self.origin.item, self.joint, self.leg, self.space, self.at_start, self.fresh)
        return (*at, self.used, self.worst, self.gates)


@dataclass(frozen=True, slots=True)
class Finish:
    """A line that ends at a source."""

    end: End
    label: Label

    @property
    def gates(self) -> tuple[Item, ...]:
        return self.label.gates


class Forward:
    """A search from one tracer. With `stops` it remembers what it could not do."""

    def __init__(self, run: Run, item: Item, v: int, asker: Asker, stops: Stops | None = None) -> None:
        self.run, self.item, self.v, self.asker, self.stops = run, item, v, asker, stops
        self.heap: list[tuple[Number, int, tuple[str, ...], int, Label]] = []
        self.least: dict[Any, Number] = {}
        self.ends = _by_space(run)
        self.made = 0

    def finishes(self) -> Iterator[Finish]:
        """All ends, the best path to each first."""
        self.set_out(Origin(TRACER, self.item, self.v, self.asker), None)
        for relay, item, v in self.run.relays(self.asker):
            if item is self.item:
                self.set_out(Origin(relay.id, item, v, self.asker), None)
        while self.heap:
            label = heappop(self.heap)[-1]
            if label.spent >= self.least.get(label.state, inf):
                continue
            self.least[label.state] = label.spent
            view = self.view(label)
            if self.stops is not None:
                self.stops.entered.add(label.space)
            yield from self.look_around(label, view)
            self.step(label, view)

    def view(self, label: Label) -> LineView:
        return self.run.view(label.origin.asker, label.joint.line)

    def push(self, label: Label) -> None:
        self.made += 1
        heappush(self.heap, (label.total, label.steps, label.ids, self.made, label))

    # Lines and legs

    def set_out(self, origin: Origin, before: Label | None) -> None:
        """The lines that start here."""
        if not self.run.may_start(origin.asker, origin.space):
            if self.stops is not None:
                self.stops.no_start(origin, before)
            return
        for joint in self.run.trace.chain:
            if origin.name in joint.froms:
                self.begin(origin, joint, 0, before, at_start=True)

    def begin(self, origin: Origin, joint: Joint, leg: int, before: Label | None, at_start: bool) -> None:
        """The line begins this leg: as its first one, or by a change."""
        view = self.run.view(origin.asker, joint.line)
        first = before is None or before.origin is not origin or before.joint is not joint
        v = origin.space if before is None else before.space
        begins = view.begin[leg]
        if not (begins.at_start(v) if at_start else begins.test(v) == YES):
            if self.stops is not None:
                self.stops.no_begin(view, leg, v, before, at_start)
            return
        used = 0 if before is None else before.used
        if not first:
            used = self.run.tally.add(used, view.legs[leg].count)
        if used < 0:
            if self.stops is not None:
                self.stops.no_count(view, leg, v, before)
            return
        spent = before.spent if before is not None and not first and view.has_budget else 0
        for gates in self.through(view, leg, v, before):
            self.push(
                Label(
                    before.total if before else 0,
                    before.steps if before else 0,
                    before.ids if before else (view.board.spaces[v].id,),
                    before,
                    origin,
                    joint,
                    leg,
                    v,
                    at_start,
                    True,
                    used,
                    view.worst[leg].at(v),
                    spent,
                    gates,
                )
            )

    def through(self, view: LineView, i: int, v: int, before: Label | None) -> list[tuple[Item, ...]]:
        """The gates used so far, with each that could be used here."""
        gone = before.gates if before is not None else ()
        leg = view.legs[i]
        if leg.gate is None or not view.asker.needs_gate(leg):
            return [gone]
        pieces = view.asker.gates(leg.gate).get(v, [])
        if not pieces and self.stops is not None:
            self.stops.no_gate(view, i, v, before)
        return [(*gone, piece) for piece, _ in sorted(pieces, key=lambda found: found[0].id)]

    def look_around(self, label: Label, view: LineView) -> Iterator[Finish]:
        """What can be done without a step: end, go on from a relay, change the leg."""
        if label.spent > view.limit(label.leg, label.worst, label.origin.space):
            return
        sources, relays = self.ends(label.origin.asker, label.space)
        leg = view.legs[label.leg].id
        for end in sources:
            if end.source.id not in label.joint.to:
                continue
            if end.source.legs is None or leg in end.source.legs:
                yield Finish(end, label)
            elif self.stops is not None:
                self.stops.wrong_leg(end, label)
        for relay, item in relays:
            if relay in label.joint.to:
                judged_for = self.run.asker_of(item) if self.run.trace.by_relay else self.asker
                self.set_out(Origin(relay, item, label.space, judged_for), label)
        for j in view.next_legs(label.leg):
            self.begin(label.origin, label.joint, j, label, label.at_start)

    # Steps

    def step(self, label: Label, view: LineView) -> None:
        arcs = view.counted[label.leg]
        if not label.fresh and arcs.go_on.test(label.space) == NO:
            if self.stops is not None:
                self.stops.no_pass(view, label)
            return
        for link in view.board.out[label.space]:
            cost = arcs.at_start(link) if label.at_start else arcs.cost[link]
            if cost == UNKNOWN:
                cost = arcs.ask(link)
            w = view.board.target[link]
            if cost == NEVER:
                if self.stops is not None:
                    self.stops.no_link(view, label, link)
            elif arcs.enter.test(w) == NO:
                if self.stops is not None:
                    self.stops.no_entry(view, label, link)
            else:
                self.go(label, view, link, cost)

    def go(self, label: Label, view: LineView, link: int, cost: Number) -> None:
        w, i = view.board.target[link], label.leg
        tally, worst = self.run.tally, view.worst[i]
        used = tally.add(label.used, tally.crossed(view.asker, link)) if tally.crossing else label.used
        if used < 0:
            if self.stops is not None:
                self.stops.no_crossing(view, label, link)
            return
        spent = label.spent + cost
        flags = worst.join(label.worst, worst.at(w))
        limit = _most(view, i, flags, label.origin.space)
        if spent > limit:
            if self.stops is not None:
                self.stops.too_far(view, label, link, spent, limit)
            return
        ids = (*label.ids, view.board.spaces[w].id)
        self.push(
            Label(
                label.total + cost, label.steps + 1, ids, label, label.origin, label.joint, i, w, False, False, used,
                flags, spent, label.gates,
            )
        )  # fmt: skip


def _most(view: LineView, i: int, flags: int, start: int) -> Any:
    """What may still be spent: the flags can only get worse."""
    if view.has_budget:
        return view.budget(start)
    worst = view.worst[i]
    if worst.size == 1:
        return view.limit(i, 0, start)
    later = (s for s in range(worst.size) if worst.join(s, flags) == s)
    return max(view.limit(i, s, start) for s in later)


def _by_space(run: Run) -> Any:
    """Sources and relays by space, for each class they are asked for."""

    def here(asker: Asker, v: int) -> tuple[list[End], list[tuple[str, Item]]]:
        found = asker.kept("by space", lambda: _sorted_ends(run, asker))
        return found.get(v, ([], []))

    return here


def _sorted_ends(run: Run, asker: Asker) -> dict[int, tuple[list[End], list[tuple[str, Item]]]]:
    out: dict[int, tuple[list[End], list[tuple[str, Item]]]] = {}
    for end in run.sources(asker):
        out.setdefault(end.space, ([], []))[0].append(end)
    for relay, item, v in run.relays(asker):
        out.setdefault(v, ([], []))[1].append((relay.id, item))
    return out
