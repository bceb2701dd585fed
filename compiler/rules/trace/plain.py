"""Lines where a state is just a leg and a space: whether they reach a source, and what stopped them.

The same as `Forward` finds, at a small part of its cost. All pieces of a class share what can be gone from each space. A
search is over numbers only; words and paths are made for the stops that are told, and for no others. Whatever is not as
simple as that is left to `Forward`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heappop, heappush, nsmallest
from math import inf
from typing import TYPE_CHECKING, Any

from compiler.rules.items import Answers
from compiler.rules.trace.back import LineView
from compiler.rules.trace.parts import TRACER, Joint
from compiler.rules.trace.stops import NEAREST, Stop, barred_words, far_words
from compiler.rules.trace.views import BY_LINK, SEEN, YES, Arcs, Asker

if TYPE_CHECKING:
    from compiler.rules.trace.run import End, Run

COST = 1 << 20  # a key is a cost times this, and the steps: so the fewest steps come first among equal costs


class Unsure(Exception):
    """Only the full search can tell."""


@dataclass(frozen=True, slots=True)
class _Layer:
    """One leg of one line. Its states are the numbers of spaces, counted on from `base`."""

    joint: Joint
    view: LineView
    leg: int
    arcs: Arcs
    base: int
    later: tuple[tuple[int, int], ...]  # legs into which a line may change, and the base of their states


@dataclass(frozen=True, slots=True)
class _Around:
    """What can be done in a state: steps and changes of leg by key and state, the spaces barred by links, and the sources."""

    moves: tuple[tuple[int, int], ...]
    bars: tuple[tuple[int, int, int], ...]  # space, link, what bars it
    ends: tuple[End, ...]


class Plain(Answers):
    """One class of tracers of one trace."""

    def __init__(self, run: Run, asker: Asker) -> None:
        self.run, self.asker, self.board = run, asker, run.board
        self.size = len(run.board.spaces)
        self.layers: list[_Layer] = []
        self.simple = not run.trace.relays and not run.trace.has_gates and run.tally.size == 1
        self.simple = self.simple and not run.tally.crossing
        for joint in run.trace.chain if self.simple else ():
            if TRACER in joint.froms:
                self._add(joint)
        self.around: dict[int, _Around | None] = {}
        self.searches: dict[int, Search] = {}

    def _add(self, joint: Joint) -> None:
        view, first = self.run.view(self.asker, joint.line), len(self.layers)
        for i, arcs in enumerate(view.counted):
            later = tuple((j, (first + j) * self.size) for j in view.next_legs(i))
            self.layers.append(_Layer(joint, view, i, arcs, (first + i) * self.size, later))
            anew = i > 0 and not view.has_budget and view.legs[i].at_most is not None
            if anew or view.worst[i].size > 1 or not arcs.go_on.open or view.line.at_start:
                self.simple = False

    def let_go(self) -> None:
        self.searches.clear()

    def nearest(self, v: int, ends: frozenset[int]) -> list[Stop] | None:
        """The stops in sight nearest to an end; None if there are none. Raises `Unsure`."""
        search = self.searches.pop(v, None) or Search(self, v)
        search.finds(-1, False, inf)
        return search.nearest(ends)

    def search(self, v: int) -> Search:
        """A search that is kept for the next question."""
        if v not in self.searches:
            self.searches[v] = Search(self, v)
        return self.searches[v]

    def look(self, s: int) -> _Around:
        """What can be done in a state, worked out once."""
        if s not in self.around:
            self.around[s] = self._look(self.layers[s // self.size], s % self.size)
        found = self.around[s]
        if found is None:
            raise Unsure
        return found

    def _look(self, layer: _Layer, u: int) -> _Around | None:
        here = self.run.ends_at(self.asker, u)[0]
        ends = tuple([end for end in here if end.source.id in layer.joint.to]) if here else ()
        leg = layer.view.legs[layer.leg].id
        if any(end.source.legs is not None and leg not in end.source.legs for end in ends):
            return None
        moves: list[tuple[int, int]] = []
        bars: list[tuple[int, int, int]] = []
        for link, w, cost, bar in layer.arcs.steps(u, False, SEEN):
            if bar:
                bars.append((w, link, bar))
            elif type(cost) is int:
                moves.append((cost * COST + 1, layer.base + w))
            else:
                return None
        begin = layer.view.begin
        changes = [base + u for j, base in layer.later if begin[j].test(u) == YES]
        moves += [(0, s) for s in changes if self._leads_on(s)]
        return _Around(tuple(moves), tuple(bars), ends)

    def _leads_on(self, s: int) -> bool:
        """Whether a change of leg is of any use."""
        if s not in self.around:
            self.around[s] = self._look(self.layers[s // self.size], s % self.size)
        found = self.around[s]
        return found is None or bool(found.moves or found.bars or found.ends)


class Search:
    """One search, as far as it has come: `keys` of all states that were come to, and from which states at that key."""

    def __init__(self, plain: Plain, v: int) -> None:
        self.plain, self.v, self.size = plain, v, plain.size
        if not plain.simple or not plain.run.may_start(plain.asker, v):
            raise Unsure
        self.limits = [self._limit(layer) for layer in plain.layers]
        firsts = [layer for layer in plain.layers if layer.leg == 0]
        if not all(layer.view.begin[0].at_start(v) for layer in firsts):
            raise Unsure
        self.keys: dict[int, int] = {layer.base + v: 0 for layer in firsts}
        self.before: dict[int, list[int]] = {s: [] for s in self.keys}
        self.bars: list[tuple[int, tuple[tuple[int, int, int], ...]]] = []
        self.far: list[tuple[int, int]] = []  # a state that is too far, and from which one
        self.heap = sorted((0, s) for s in self.keys)
        self.most = [inf if limit == inf else limit * COST + COST - 1 for limit in self.limits]
        self.found: set[tuple[int, bool]] = set()  # levels; whether without anything limited
        self.met = False  # whether it came to any source, be it too small

    def _limit(self, layer: _Layer) -> Any:
        view = layer.view
        found = view.budget(self.v) if view.has_budget else view.limit(layer.leg, 0, self.v)
        if found != inf and (type(found) is not int or found < 0):
            raise Unsure
        return found

    def finds(self, level: int, free: bool, most: float) -> bool | None:
        """Whether a source of the level is reached; None if that takes more than so many states."""
        if (level, free) in self.found:
            return True
        keys, before, far = self.keys, self.before, self.far
        known, look, size, heap = self.plain.around, self.plain.look, self.size, self.heap
        while heap:
            key, s = heappop(heap)
            if key > keys[s]:
                continue
            around = known.get(s) or look(s)
            if around.bars:
                self.bars.append((s, around.bars))
            top = self.most[s // size]
            for more, t in around.moves:
                more += key
                old = keys.get(t)
                if old is None or more < old:
                    if more > top:
                        far.append((t, s))
                        continue
                    keys[t] = more
                    before[t] = [s]
                    heappush(heap, (more, t))
                elif more == old:
                    before[t].append(s)
            if around.ends:
                self._note(around.ends)
                if (level, free) in self.found:
                    return True
            if len(keys) > most:
                return None
        return False

    def _note(self, ends: Iterable[End]) -> None:
        for end in ends:
            if end.capacity is None:
                self.found.add((end.source.level, True))
            if self.plain.run.suffices(end, self.plain.asker):
                self.found.add((end.source.level, False))
            self.met = True

    def nearest(self, ends: frozenset[int]) -> list[Stop] | None:
        if self.met:
            raise Unsure
        self.entered = {s % self.size for s in self.keys}
        seen = self._seen()
        if not seen:
            return None
        links, nearest = self.plain.board.frame.away(ends)
        away = {w: links[w] if links[w] >= 0 else self.size for w in seen}
        chosen = nsmallest(NEAREST, seen, key=lambda w: (away[w], seen[w][0], w))
        out = []
        for w in chosen:
            ids, s = self._first(seen[w][1])
            known = links[w] >= 0
            end = self.plain.board.spaces[nearest[w]].id if known else ""
            out.append(self._stop(w, s, ids, links[w] if known else None, end))
        return out

    def _seen(self) -> dict[int, tuple[int, list[int]]]:
        """The spaces that were not entered: the least key of a state that saw them, and the states that did at that key."""
        found: dict[int, tuple[int, list[int]]] = {}

        def sees(s: int, w: int) -> None:
            key = self.keys[s]
            known = found.get(w)
            if known is None or key < known[0]:
                found[w] = (key, [s])
            elif key == known[0] and s not in known[1]:
                known[1].append(s)

        for s, bars in self.bars:
            for w, link, bar in bars:
                if w not in self.entered:
                    if bar == BY_LINK:
                        self._check_sight(s, link)
                    sees(s, w)
        for t, s in self.far:
            if t % self.size not in self.entered:
                sees(s, t % self.size)
        return found

    def _check_sight(self, s: int, link: int) -> None:
        """Where a line in another leg came by for which the link is no road at all, the order of both counts."""
        own = self.plain.layers[s // self.size].arcs
        for layer in self.plain.layers:
            arcs = layer.arcs
            if (
                arcs is not own
                and layer.base + s % self.size in self.keys
                and not arcs.is_barrier(link)
                and arcs.bars(link, False)
            ):
                raise Unsure

    def _first(self, states: Iterable[int]) -> tuple[tuple[int, ...], int]:
        """Of states with one key that which is come to by the smallest spaces, and these."""
        wanted = set(states)
        after: dict[int, list[int]] = {s: [] for s in wanted}
        todo = list(wanted)
        while todo:
            s = todo.pop()
            for p in self.before[s]:
                if p not in after:
                    after[p] = []
                    todo.append(p)
                after[p].append(s)
        size = self.size
        now = self._changed({s for s in after if not self.before[s]}, after)
        ids = [self.v]
        while not now & wanted:
            here = ids[-1]
            steps = {t for s in now for t in after[s] if t % size != here}
            ids.append(min(t % size for t in steps))
            now = self._changed({t for t in steps if t % size == ids[-1]}, after)
        last = now & wanted
        last = {s for s in last if not last.intersection(self.before[s])}
        if len(last) > 1:
            raise Unsure
        return tuple(ids), last.pop()

    def _changed(self, states: set[int], after: dict[int, list[int]]) -> set[int]:
        """With the states that a change of leg leads to."""
        todo = list(states)
        while todo:
            s = todo.pop()
            for t in after[s]:
                if t % self.size == s % self.size and t not in states:
                    states.add(t)
                    todo.append(t)
        return states

    def _stop(self, w: int, s: int, ids: tuple[int, ...], away: int | None, end: str) -> Stop:
        """The first thing in the order of links that keeps a line in this state from going to this space."""
        number, u = divmod(s, self.size)
        layer, limit, total = self.plain.layers[number], self.limits[number], self.keys[s] // COST
        spaces = self.plain.board.spaces
        way = tuple(spaces[v].id for v in (*ids, w))
        for link, to, cost, bar in layer.arcs.steps(u, False, SEEN):
            if to != w:
                continue
            if bar:
                words = barred_words(layer.view, layer.leg, link, bar, None)
                return Stop(spaces[w].id, words, total, None, way, away, end)
            if total + cost > limit:
                words = far_words(layer.view, layer.leg, total + cost, limit)
                return Stop(spaces[w].id, words, total, limit, way, away, end)
        raise AssertionError("a stop that nothing stopped")
