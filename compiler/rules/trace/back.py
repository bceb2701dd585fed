"""From all targets backwards: for every state of a line the least cost to a target, in one run for a class of tracers.

A state is a space, a leg, the counts used from there on, and the worst flags from there to the end of the leg. With a
budget the costs of all legs add up. With `at_most` on legs each leg is a run of its own: at a change only whether the rest
can be gone counts. The run goes leg by leg from the last to the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import inf
from typing import Any

from compiler.rules.items import Env, Item
from compiler.rules.trace.parts import Leg, Line
from compiler.rules.trace.product import Tally, Worst
from compiler.rules.trace.views import NEVER, NO, UNASKED, UNKNOWN, YES, Asker


@dataclass(frozen=True, slots=True)
class Target:
    """Where a line may end: a space, in these legs (None: any), with counts that the rest of the chain uses."""

    space: int
    legs: frozenset[str] | None
    used: int


@dataclass(frozen=True, slots=True)
class Values:
    """One leg: the cost from a space entered in it, from one where it begins, and the states where a line may end."""

    entered: list[Any]
    fresh: list[Any]
    ends: frozenset[int]


class LineView:
    """A line for one class of tracers. `free`: gates that can be used up count for nothing."""

    def __init__(self, asker: Asker, line: Line, tally: Tally, free: bool = False) -> None:
        self.asker, self.line, self.tally, self.board, self.free = asker, line, tally, asker.board, free
        self.legs = line.legs
        self.has_budget = line.budget is not None
        self.worst = [Worst(asker, leg) for leg in line.legs]
        self.arcs = [asker.arcs(leg.way, self.has_budget or leg.at_most is not None) for leg in line.legs]
        self.counted = [asker.arcs(leg.way) for leg in line.legs]
        self.begin = [asker.spaces(leg.begin) for leg in line.legs]
        self._limits: dict[Any, Any] = {}

    def gate_open(self, i: int, v: int) -> bool:
        leg = self.legs[i]
        if leg.gate is None or not self.asker.needs_gate(leg):
            return True
        pieces = self.asker.gates(leg.gate).get(v, ())
        return any(uses is None for _, uses in pieces) if self.free else bool(pieces)

    def may_begin(self, i: int, v: int, at_start: bool) -> bool:
        begin = self.begin[i]
        holds = begin.at_start(v) if at_start else (begin.known[v] or begin.test(v)) == YES
        return holds and self.gate_open(i, v)

    def next_legs(self, i: int) -> Iterable[int]:
        """The legs into which a line may change from leg i: those between may be left out."""
        for j in range(i + 1, len(self.legs)):
            yield j
            if not self.legs[j].optional:
                return

    # Limits

    def limit(self, i: int, s: int, start: int | None) -> Any:
        """What leg i may cost with these worst flags; `inf` is no limit."""
        leg = self.legs[i]
        if leg.at_most is None:
            return inf
        key = (i, s, start if "start" in leg.at_most.roots else None)
        if key not in self._limits:
            self._limits[key] = self._amount(leg, s, start)
        return self._limits[key]

    def _amount(self, leg: Leg, s: int, start: int | None) -> Any:
        assert leg.at_most is not None
        env = self.env(start)
        worst = self.worst[self.legs.index(leg)]
        flags = {f.id: f.values[rank] for f, rank in zip(worst.flags, worst.values(s), strict=True)}
        env["path"] = Item(self.board.world, "path", "path", flags, None)
        return _bound(leg.at_most.term, env)

    def budget(self, start: int) -> Any:
        """What the whole line may cost from this start."""
        if self.line.budget is None:
            return inf
        key = ("budget", start if "start" in self.line.budget.roots else None)
        if key not in self._limits:
            self._limits[key] = _bound(self.line.budget.term, self.env(start))
        return self._limits[key]

    def env(self, start: int | None) -> Env:
        return {**self.asker.env, "start": None if start is None else self.board.spaces[start]}

    def cut(self, starts: Iterable[int]) -> Any:
        """What no line from these starts can pay: the search may stop there."""
        if self.has_budget:
            assert self.line.budget is not None
            if "start" not in self.line.budget.roots:
                return max((self.budget(v) for v in list(starts)[:1]), default=0)
            return max((self.budget(v) for v in starts), default=0)
        first = self.legs[0]
        if first.at_most is None:
            return inf
        every = range(self.worst[0].size)
        by_start = set(starts) if "start" in first.at_most.roots else {None}
        return max((self.limit(0, s, v) for v in by_start for s in every), default=0)


def _bound(term: Any, env: Env) -> Any:
    """A limit: nothing from a literal, a table or an `else` is no limit."""
    found = term.value(env)
    return inf if found is None and not term.is_reference else term.number(env)


# The run --------------------------------------------------------------------------------------------------------------


def run_back(view: LineView, targets: Iterable[Target], cut: Any, starts: set[int]) -> list[Values]:
    """The values of all legs. `cut` limits the line, or its first leg; nobody asks for other `starts` than these."""
    wanted = list(targets)
    out: list[Values] = []  # from the last leg to the first
    opened: dict[int, dict[int, Any]] = {}
    for i in reversed(range(len(view.legs))):
        leg = view.legs[i]
        ends = frozenset(
            t.space * view.tally.size + t.used for t in wanted if t.legs is None or leg.id in t.legs
        )
        seeds: dict[int, Any] = dict.fromkeys(ends, 0)
        for j in view.next_legs(i):
            for state, cost in opened[j].items():
                if cost < seeds.get(state, inf):
                    seeds[state] = cost
        limit = cut if view.has_budget or i == 0 else _leg_cut(view, i)
        asked_for = starts if i == 0 and not view.line.at_start else set()
        values = _leg(view, i, seeds, ends, limit, asked_for)
        out.append(values)
        if i:
            opened[i] = _opened(view, i, values)
    return out[::-1]


def _leg_cut(view: LineView, i: int) -> Any:
    return max(view.limit(i, s, None) for s in range(view.worst[i].size))


def _opened(view: LineView, i: int, values: Values) -> dict[int, Any]:
    """Where a line may change into leg i, with what the rest costs (nothing, where leg costs start anew)."""
    out: dict[int, Any] = {}
    size, width, tally = view.tally.size, view.worst[i].size, view.tally
    for state, cost in enumerate(values.fresh):
        if cost == inf:
            continue
        at, s = divmod(state, width)
        v, k = divmod(at, size)
        if not view.has_budget and cost > view.limit(i, s, None):
            continue
        used = tally.add(k, view.legs[i].count)
        if used < 0 or not view.may_begin(i, v, at_start=False):
            continue
        rest = cost if view.has_budget else 0
        if rest < out.get(v * size + used, inf):
            out[v * size + used] = rest
    return out


def _leg(
    view: LineView, i: int, seeds: dict[int, Any], ends: frozenset[int], cut: Any, wanted: set[int]
) -> Values:
    worst, size = view.worst[i], view.tally.size
    if size == 1 and worst.size == 1 and not view.tally.crossing:
        return _plain_leg(view, i, seeds, ends, cut, wanted)
    states = len(view.board.spaces) * size * worst.size
    entered: list[Any] = [inf] * states
    fresh: list[Any] = [inf] * states
    heap = []
    for at, cost in seeds.items():
        state = at * worst.size + worst.at(at // size)
        if cost < entered[state] and cost <= cut:
            entered[state] = fresh[state] = cost
            heap.append((cost, state))
    heapify(heap)
    arcs, asker = view.arcs[i], view.asker
    into, source, tally = view.board.into, view.board.source, view.tally
    while heap:
        d, state = heappop(heap)
        if d > entered[state]:
            continue
        at, s = divmod(state, worst.size)
        v, k = divmod(at, size)
        if (arcs.enter.known[v] or arcs.enter.test(v)) == NO:
            continue
        for link in into[v]:
            cost = arcs.cost[link]
            if cost == UNKNOWN:
                cost = arcs.ask(link)
            if cost == NEVER:
                continue
            used = tally.add(k, tally.crossed(asker, link)) if tally.crossing else k
            total = d + cost
            if used < 0 or total > cut:
                continue
            u = source[link]
            other = (u * size + used) * worst.size + worst.join(s, worst.at(u))
            if total < fresh[other]:
                fresh[other] = total
            if total < entered[other] and (arcs.go_on.known[u] or arcs.go_on.test(u)) == YES:
                entered[other] = total
                heappush(heap, (total, other))
    return Values(entered, fresh, ends)


def _plain_leg(
    view: LineView, i: int, seeds: dict[int, Any], ends: frozenset[int], cut: Any, wanted: set[int]
) -> Values:
    """The same where a state is just a space: most of the time. Steps that cost nothing need no heap.

    It ends when nothing can change any more for the spaces that are wanted.
    """
    n = len(view.board.spaces)
    entered: list[Any] = [inf] * n
    fresh: list[Any] = [inf] * n
    heap = []
    for v, cost in seeds.items():
        if cost <= cut:
            entered[v] = fresh[v] = cost
            heap.append((cost, v))
    heapify(heap)
    left = {v for v in wanted if fresh[v] == inf}
    until: Any = None
    arcs = view.arcs[i]
    near = arcs.near_by_cost() if arcs.by_space is None else arcs.near_by_space(arcs.by_space)
    may_enter, test_enter = arcs.enter.known, arcs.enter.test
    may_pass, test_pass = arcs.go_on.known, arcs.go_on.test
    now: list[int] = []
    d: Any = 0
    while heap or now:
        if now:
            v = now.pop()
        else:
            d, v = heappop(heap)
            if d > entered[v]:
                continue
        if not left and wanted:
            if until is None:
                until = max(fresh[u] for u in wanted)
            if d >= until:
                break
        answer = may_enter[v]
        if answer == UNASKED:
            answer = test_enter(v)
        if answer == NO:
            continue
        for cost, spaces in near(v):
            total = d + cost
            if total > cut:
                continue
            for u in spaces:
                if total < fresh[u]:
                    fresh[u] = total
                    left.discard(u)
                elif total >= entered[u]:
                    continue
                if total < entered[u] and (may_pass[u] or test_pass(u)) == YES:
                    entered[u] = total
                    if cost:
                        heappush(heap, (total, u))
                    else:
                        now.append(u)
    return Values(entered, fresh, ends)


# Looking up -----------------------------------------------------------------------------------------------------------


def reached(view: LineView, legs: list[Values], v: int) -> set[int]:
    """The counts with which a line from this space can be gone; none if it cannot."""
    if not view.may_begin(0, v, at_start=True):
        return set()
    budget = view.budget(v)
    if view.line.at_start:
        return _first_step(view, legs, v, budget)
    size, width = view.tally.size, view.worst[0].size
    fresh = legs[0].fresh
    out = set()
    for k in range(size):
        for s in range(width):
            cost = fresh[(v * size + k) * width + s]
            if cost != inf and cost <= budget and cost <= view.limit(0, s, v):
                out.add(k)
    return out


def _first_step(view: LineView, legs: list[Values], v: int, budget: Any) -> set[int]:
    """Changes at the start and the first step are taken forwards, where @start is known; the rest is looked up."""
    out: set[int] = set()
    todo, size = [(0, 0)], view.tally.size
    while todo:
        i, used = todo.pop()
        for k in range(size):
            if v * size + k in legs[i].ends:
                out.add(view.tally.join(used, k))
        for link in view.board.out[v]:
            out |= _steps(view, legs[i], i, (v, used), link, budget)
        for j in view.next_legs(i):
            more = view.tally.add(used, view.legs[j].count)
            if more >= 0 and view.may_begin(j, v, at_start=True):
                todo.append((j, more))
    return out - {-1}


def _steps(view: LineView, values: Values, i: int, at: tuple[int, int], link: int, budget: Any) -> set[int]:
    v, used = at
    arcs, worst, size, tally = view.arcs[i], view.worst[i], view.tally.size, view.tally
    cost, w = arcs.at_start(link), view.board.target[link]
    if cost == NEVER or arcs.enter.test(w) == NO:
        return set()
    used = tally.add(used, tally.crossed(view.asker, link))
    out: set[int] = set()
    if used < 0:
        return out
    for k in range(size):
        for s in range(worst.size):
            rest = values.entered[(w * size + k) * worst.size + s]
            total = cost + rest
            if rest != inf and total <= budget and total <= view.limit(i, worst.join(s, worst.at(v)), v):
                out.add(tally.join(used, k))
    return out
