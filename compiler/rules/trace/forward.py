"""One tracer's lines forwards: the least path to an end, all ends, or what stopped the search.

Ends come in the order of least cost over the whole chain, then fewest steps, then smallest ids. A state is kept only while
nothing cheaper has come to it; where a leg or line is limited, also what is left of the limit counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from compiler.frozen import dataclass
from compiler.rules.items import Item, Number
from compiler.rules.trace.back import LineView
from compiler.rules.trace.parts import TRACER, Joint
from compiler.rules.trace.stops import Stops
from compiler.rules.trace.views import ALL, FREE, NO, SEEN, YES, Asker

if TYPE_CHECKING:
    from compiler.rules.trace.run import End, Run


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """What a line starts from: the tracer, or an item acting as a relay."""

    name: str
    item: Item
    space: int
    asker: Asker


class Stretch:
    """What all labels of one leg of one line have in common: where the line began, and the gates it went through.

    `least` is what the cheapest label has spent that was looked at in a state, `queued` the best that waits; both are shared
    by stretches that only came about in different ways.
    """

    __slots__ = (
        "after",
        "arcs",
        "gates",
        "joint",
        "least",
        "leg",
        "limits",
        "most",
        "origin",
        "queued",
        "view",
        "worst",
    )

    def __init__(
        self,
        origin: Origin,
        joint: Joint,
        leg: int,
        gates: tuple[Item, ...],
        view: LineView,
        known: tuple[dict[int, Number], dict[int, Label]],
    ) -> None:
        self.origin, self.joint, self.leg, self.gates, self.view = origin, joint, leg, gates, view
        self.arcs, self.worst = view.counted[leg], view.worst[leg]
        self.after = tuple(view.next_legs(leg))
        self.least, self.queued = known
        self.limits: dict[int, Any] = {}
        self.most: dict[int, Any] = {}

    def limit(self, flags: int) -> Any:
        """What the leg may have cost, with these flags, where it ends."""
        if flags not in self.limits:
            self.limits[flags] = self.view.limit(self.leg, flags, self.origin.space)
        return self.limits[flags]

    def may_spend(self, flags: int) -> Any:
        """What may still be spent: the flags can only get worse."""
        if flags not in self.most:
            self.most[flags] = _most(self.view, self.leg, flags, self.origin.space)
        return self.most[flags]

    def state(self, v: int, at_start: bool, fresh: bool, used: int, flags: int) -> int:
        at = (v * self.view.tally.size + used) * self.worst.size + flags
        return at * 4 + at_start * 2 + fresh


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """Where a search is. `spent` is what counts against the limit in force; `fresh`: the leg has not stepped yet.

    `ids` are the numbers of the spaces, which are in the order of their ids.
    """

    total: Number
    steps: int
    ids: tuple[int, ...]
    before: Label | None
    on: Stretch
    space: int
    at_start: bool
    fresh: bool
    used: int
    worst: int
    spent: Number
    state: int

    @property
    def origin(self) -> Origin:
        return self.on.origin

    @property
    def joint(self) -> Joint:
        return self.on.joint

    @property
    def leg(self) -> int:
        return self.on.leg


@dataclass(frozen=True, slots=True)
class Finish:
    """A line that ends at a source."""

    end: End
    label: Label

    @property
    def gates(self) -> tuple[Item, ...]:
        return self.label.on.gates


class Forward:
    """A search from one tracer. With `stops` it remembers what it could not do."""

    def __init__(self, run: Run, item: Item, v: int, asker: Asker, stops: Stops | None = None) -> None:
        self.run, self.item, self.v, self.asker, self.stops = run, item, v, asker, stops
        self.heap: list[tuple[Number, int, tuple[int, ...], int, Label]] = []
        self.known: dict[Any, tuple[dict[int, Number], dict[int, Label]]] = {}
        self.stretches: dict[Any, Stretch] = {}
        self.made = 0

    def finishes(self) -> Iterator[Finish]:
        """All ends, the best path to each first."""
        try:
            yield from self._finishes()
        finally:
            for least, queued in self.known.values():
                least.clear()
                queued.clear()

    def _finishes(self) -> Iterator[Finish]:
        self.set_out(Origin(TRACER, self.item, self.v, self.asker), None)
        for relay, item, v in self.run.relays(self.asker):
            if item is self.item:
                self.set_out(Origin(relay.id, item, v, self.asker), None)
        heap, stops = self.heap, self.stops
        while heap:
            label = heappop(heap)[-1]
            least, state = label.on.least, label.state
            if state in least and label.spent >= least[state]:
                continue
            least[state] = label.spent
            if stops is not None:
                stops.entered.add(label.space)
            if label.spent <= label.on.limit(label.worst):
                yield from self.look_around(label)
            self.step(label)

    # Lines and legs

    def set_out(self, origin: Origin, before: Label | None) -> None:
        """The lines that start here."""
        if not self.run.may_start(origin.asker, origin.space):
            if self.stops is not None:
                self.stops.no_start(origin, before)
            return
        for joint in self.run.trace.chain:
            if origin.name in joint.froms:
                view = self.run.view(origin.asker, joint.line)
                used = 0 if before is None else before.used
                self.begin(origin, joint, view, 0, before, used, at_start=True)

    def begin(
        self,
        origin: Origin,
        joint: Joint,
        view: LineView,
        leg: int,
        before: Label | None,
        used: int,
        at_start: bool,
        spent: Number = 0,
    ) -> None:
        """The line begins this leg: as its first one, or by a change."""
        v = origin.space if before is None else before.space
        begins = view.begin[leg]
        if not (begins.at_start(v) if at_start else (begins.known[v] or begins.test(v)) == YES):
            if self.stops is not None:
                self.stops.no_begin(view, leg, v, before, at_start)
            return
        if used < 0:
            if self.stops is not None:
                self.stops.no_count(view, leg, v, before)
            return
        for gates in self.through(view, leg, v, before):
            on = self.stretch(origin, joint, leg, gates, view)
            flags = on.worst.at(v)
            state = on.state(v, at_start, True, used, flags)
            total, steps, ids = (
                (before.total, before.steps, before.ids) if before is not None else (0, 0, (v,))
            )
            self.push(Label(total, steps, ids, before, on, v, at_start, True, used, flags, spent, state))

    def change(self, label: Label, leg: int) -> None:
        """The line goes on in another leg."""
        on = label.on
        used = self.run.tally.add(label.used, on.view.legs[leg].count)
        spent = label.spent if on.view.has_budget else 0
        self.begin(on.origin, on.joint, on.view, leg, label, used, label.at_start, spent)

    def stretch(
        self, origin: Origin, joint: Joint, leg: int, gates: tuple[Item, ...], view: LineView
    ) -> Stretch:
        key = (origin, id(joint), leg, gates)
        found = self.stretches.get(key)
        if found is None:
            known = self.known.setdefault((origin.name, origin.item, id(joint), leg, gates), ({}, {}))
            found = self.stretches[key] = Stretch(origin, joint, leg, gates, view, known)
        return found

    def push(self, label: Label) -> None:
        """Puts it in the queue, unless one that is looked at earlier has come as far for as little."""
        queued = label.on.queued
        other = queued.get(label.state)
        if (
            other is not None
            and other.spent <= label.spent
            and (other.total, other.steps, other.ids) <= (label.total, label.steps, label.ids)
        ):
            return
        queued[label.state] = label
        self.made += 1
        heappush(self.heap, (label.total, label.steps, label.ids, self.made, label))

    def through(self, view: LineView, i: int, v: int, before: Label | None) -> list[tuple[Item, ...]]:
        """The gates used so far, with each that could be used here."""
        gone = before.on.gates if before is not None else ()
        leg = view.legs[i]
        if leg.gate is None or not view.asker.needs_gate(leg):
            return [gone]
        pieces = view.asker.gates(leg.gate).get(v, [])
        if not pieces and self.stops is not None:
            self.stops.no_gate(view, i, v, before)
        return [(*gone, piece) for piece, _ in sorted(pieces, key=lambda found: found[0].id)]

    def look_around(self, label: Label) -> Iterator[Finish]:
        """What can be done without a step: end, go on from a relay, change the leg."""
        on, v = label.on, label.space
        sources, relays = self.run.ends_at(on.origin.asker, v)
        if sources:
            leg = on.view.legs[on.leg].id
            for end in sources:
                if end.source.id not in on.joint.to:
                    continue
                if end.source.legs is None or leg in end.source.legs:
                    yield Finish(end, label)
                elif self.stops is not None:
                    self.stops.wrong_leg(end, label)
        for relay, item in relays:
            if relay in on.joint.to:
                judged_for = self.run.asker_of(item) if self.run.trace.by_relay else self.asker
                self.set_out(Origin(relay, item, v, judged_for), label)
        for j in on.after:
            self.change(label, j)

    # Steps

    def step(self, label: Label) -> None:
        on, v, stops = label.on, label.space, self.stops
        arcs = on.arcs
        if not label.fresh and (arcs.go_on.known[v] or arcs.go_on.test(v)) == NO:
            if stops is not None:
                stops.no_pass(on.view, label)
            return
        if stops is None:
            steps = arcs.steps(v, label.at_start, FREE)
        else:
            steps = arcs.steps(v, label.at_start, ALL if stops.every else SEEN)
            stops.step(label)
        for link, w, cost, bar in steps:
            if bar:
                assert stops is not None
                stops.barred(label, link, bar)
            else:
                self.go(label, link, w, cost)

    def go(self, label: Label, link: int, w: int, cost: Number) -> None:
        on, used, flags = label.on, label.used, label.worst
        view, worst = on.view, on.worst
        tally = view.tally
        if tally.crossing:
            used = tally.add(used, tally.crossed(view.asker, link))
            if used < 0:
                if self.stops is not None:
                    self.stops.no_crossing(view, label, link)
                return
        if worst.size > 1:
            flags = worst.join(flags, worst.at(w))
        spent = label.spent + cost
        limit = on.may_spend(flags)
        if spent > limit:
            if self.stops is not None:
                self.stops.too_far(view, label, link, spent, limit)
            return
        total, steps = label.total + cost, label.steps + 1
        state = on.state(w, False, False, used, flags)
        other = on.queued.get(state)
        if other is not None and other.spent <= spent and (other.total, other.steps) < (total, steps):
            return
        ids = (*label.ids, w)
        self.push(Label(total, steps, ids, label, on, w, False, False, used, flags, spent, state))


def _most(view: LineView, i: int, flags: int, start: int) -> Any:
    """What may still be spent: the flags can only get worse."""
    if view.has_budget:
        return view.budget(start)
    worst = view.worst[i]
    if worst.size == 1:
        return view.limit(i, 0, start)
    later = (s for s in range(worst.size) if worst.join(s, flags) == s)
    return max(view.limit(i, s, start) for s in later)
