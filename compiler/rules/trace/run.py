"""All answers of a trace on one position. Everything is worked out when first asked, and kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compiler.rules.items import Answers, Broken, Env, Item, Number, Position, Trouble, Unknown
from compiler.rules.refs import follow
from compiler.rules.selectors import Selector
from compiler.rules.trace.back import LineView
from compiler.rules.trace.board import PRINTED, Board, board_of
from compiler.rules.trace.parts import Ask, Grant, Line, Relay, Source, Trace, stands
from compiler.rules.trace.product import Tally
from compiler.rules.trace.reach import Reach
from compiler.rules.trace.views import Asker

if TYPE_CHECKING:
    from compiler.rules.trace.joint import Joined

NO_ENDS: tuple[list[Any], list[Any]] = ([], [])
MANY = 100  # classes of tracers, above which a rule file is told that it is slow


def _fitting(
    every: list[tuple[Item, int]], asked: Selector | None, env: Env
) -> list[tuple[Item, int]] | None:
    """Those that fulfil a condition; None if it has no answer for one of them."""
    if asked is None:
        return every
    try:
        return [(item, v) for item, v in every if asked.holds(item, env)]
    except (Unknown, Trouble, Broken):
        return None


@dataclass(frozen=True, slots=True)
class End:
    """A source on the board. `capacity` None is without limit."""

    source: Source
    item: Item
    space: int
    capacity: Number | None


@dataclass(frozen=True, slots=True)
class Answer:
    """The level alone: by a grant, or by a line."""

    level: int
    grant: Grant | None = None


class Run(Answers):
    def __init__(self, trace: Trace, world: Position) -> None:
        self.trace, self.world = trace, world
        self.board: Board = board_of(world)
        self.tally = Tally(trace.counts)
        self.askers: dict[Any, Asker] = {}
        self.members: dict[Asker, list[Item]] = defaultdict(list)
        self._of: dict[Item, Asker | Exception | None] = {}
        self._views: dict[Any, LineView] = {}
        self._reach: dict[Any, Reach] = {}
        self._answers: dict[Item, Answer] = {}
        self._grouped = False
        self._joint: Joined | None = None

    def let_go(self) -> None:
        for asker in self.askers.values():
            asker.let_go()
        for known in (self.askers, self.members, self._of, self._views, self._reach, self._answers):
            known.clear()
        self._joint = None

    # Levels

    def level(self, item: Item) -> str | None:
        """The level alone; nothing for an item that does not trace."""
        answer = self.answer(item)
        return None if answer is None else self.trace.levels[answer.level]

    def level_together(self, item: Item) -> str | None:
        return None if self.answer(item) is None else self.trace.levels[self.together().level(item)]

    def together(self) -> Joined:
        from compiler.rules.trace.joint import join

        if self._joint is None:
            self._joint = join(self)
        return self._joint

    def answer(self, item: Item) -> Answer | None:
        asker = self.asker(item)
        if asker is None:
            return None
        if item not in self._answers:
            self._answers[item] = self._work_out(item, asker)
        return self._answers[item]

    def _work_out(self, item: Item, asker: Asker) -> Answer:
        failure = len(self.trace.levels) - 1
        granted = self.granted(item)
        best = granted.level if granted is not None else failure
        space = stands(item)
        if space is not None and space in self.board.number:
            v = self.board.number[space]
            for level in self.source_levels():
                if level < best and self.reaches(item, asker, v, level):
                    return Answer(level)
        return Answer(best, granted)

    def reaches(self, item: Item, asker: Asker, v: int, level: int) -> bool:
        if self.reach(asker, level).holds(item, v):
            return True
        from compiler.rules.trace.joint import served_by_several

        return served_by_several(self, item, level)

    def free_level(self, item: Item) -> int:
        """The best level that needs nothing limited."""
        granted = self.granted(item)
        best = granted.level if granted is not None else len(self.trace.levels) - 1
        asker, space = self.asker(item), stands(item)
        if asker is not None and space is not None and space in self.board.number:
            v = self.board.number[space]
            for level in self.source_levels():
                if level < best and self.reach(asker, level, free=True).holds(item, v):
                    return level
        return best

    def granted(self, item: Item) -> Grant | None:
        """The best grant, the first of equals."""
        env = self.trace.env(item)
        holding = (g for g in self.trace.grants if g.condition.holds(item, env))
        return min(holding, key=lambda g: g.level, default=None)

    def source_levels(self) -> list[int]:
        return sorted({source.level for source in self.trace.sources})

    def reach(self, asker: Asker, level: int, free: bool = False) -> Reach:
        key = (asker, level, free)
        if key not in self._reach:
            self._reach[key] = Reach(self, asker, level, free)
        return self._reach[key]

    # Tracers and their classes

    def tracers(self) -> Iterator[Item]:
        """Every item that traces, by id."""
        self._group()
        return (item for item in self.world.all(self.trace.kind) if self.asker(item) is not None)

    def starts(self, asker: Asker) -> set[int]:
        self._group()
        spaces = (stands(item) for item in self.members[asker])
        return {self.board.number[space] for space in spaces if space in self.board.number}

    def asker(self, item: Item) -> Asker | None:
        """The class of a tracer; None for an item that does not trace."""
        self._group()
        found = self._of.get(item)
        if isinstance(found, Exception):
            raise found
        return found

    def _group(self) -> None:
        if self._grouped:
            return
        self._grouped = True
        kinds = ("piece", "arrival") if self.trace.kind == "piece" else (self.trace.kind,)
        for kind in kinds:
            for item in self.world.all(kind):
                self._sort(item)

    def _sort(self, item: Item) -> None:
        """Whatever is wrong with one tracer is told when that one is asked."""
        try:
            asker = self.asker_of(item) if self.trace.applies(item) else None
        except (Unknown, Trouble, Broken) as problem:
            self._of[item] = problem
            return
        self._of[item] = asker
        if asker is not None:
            self.members[asker].append(item)

    def asker_of(self, item: Item) -> Asker:
        """The class of whoever a line is judged for: equal values of all @tracer paths, weights and exemptions."""
        env = self.trace.env(item)
        values = tuple(follow(item, path) for path in self.trace.paths)
        exempt = tuple(
            leg.gate.unless.holds(item, env)
            for line in self.trace.lines
            for leg in line.legs
            if leg.gate is not None and leg.gate.unless is not None
        )
        key = (item.kind, values, exempt, tuple(self._weights(item)))
        if key not in self.askers:
            self.askers[key] = Asker(self.trace, self.board, key, item)
        return self.askers[key]

    def _weights(self, item: Item) -> Iterator[Any]:
        for source in self.trace.sources:
            if source.weigh is not None:
                by_source = "source" in source.weigh.roots
                yield item if by_source else source.weigh.term.value(self.trace.env(item))

    # What lines end at

    def view(self, asker: Asker, line: Line, free: bool = False) -> LineView:
        key = (asker, line, free)
        if key not in self._views:
            self._views[key] = LineView(asker, line, self.tally, free)
        return self._views[key]

    def may_start(self, asker: Asker, v: int) -> bool:
        return self.trace.start is None or asker.spaces(self.trace.start).at_start(v)

    def sources(self, asker: Asker) -> list[End]:
        def find() -> list[End]:
            return [
                End(source, item, v, self._capacity(source, item, asker))
                for source in self.trace.sources
                for item, v in self.matching(asker, source.kind, source.ask)
            ]

        found: list[End] = asker.kept("sources", find)
        return found

    def relays(self, asker: Asker) -> list[tuple[Relay, Item, int]]:
        def find() -> list[tuple[Relay, Item, int]]:
            return [
                (relay, item, v)
                for relay in self.trace.relays
                for item, v in self.matching(asker, relay.kind, relay.ask)
            ]

        found: list[tuple[Relay, Item, int]] = asker.kept("relays", find)
        return found

    def ends_at(self, asker: Asker, v: int) -> tuple[list[End], list[tuple[str, Item]]]:
        """Sources and relays in one space."""
        return asker.kept("by space", lambda: self._by_space(asker)).get(v, NO_ENDS)

    def _by_space(self, asker: Asker) -> dict[int, tuple[list[End], list[tuple[str, Item]]]]:
        out: dict[int, tuple[list[End], list[tuple[str, Item]]]] = {}
        for end in self.sources(asker):
            out.setdefault(end.space, ([], []))[0].append(end)
        for relay, item, v in self.relays(asker):
            out.setdefault(v, ([], []))[1].append((relay.id, item))
        return out

    def matching(self, asker: Asker, kind: str, ask: Ask) -> list[tuple[Item, int]]:
        """The pieces or spaces that fulfil a condition. What holds for every tracer is asked only once."""
        env, memo = asker.env, self.world.memo
        every = self._printed(ask) if kind == "space" else self.board.numbers(kind)
        if ("matching", ask) not in memo:
            memo["matching", ask] = _fitting(every, ask.fixed, env)
        candidates: list[tuple[Item, int]] | None = memo["matching", ask]
        if candidates is None:
            return [(item, v) for item, v in every if ask.selector.holds(item, env)]
        if ask.rest is None:
            return list(candidates)
        return [(item, v) for item, v in candidates if ask.rest.holds(item, env)]

    def _printed(self, ask: Ask) -> list[tuple[Item, int]]:
        """The spaces that the map does not rule out, found once for a map."""
        if ask.printed is None:
            return self.board.numbers("space")
        kept = self.world.memo.get(PRINTED, self.world.memo)
        if ("printed", ask) not in kept:
            env = {"scenario": self.world.scenario}
            kept["printed", ask] = _fitting(self.board.numbers("space"), ask.printed, env)
        found: list[tuple[Item, int]] | None = kept["printed", ask]
        return self.board.numbers("space") if found is None else found

    def _capacity(self, source: Source, item: Item, asker: Asker) -> Number | None:
        if source.capacity is None:
            return None
        term, env = source.capacity.term, {**asker.env, "source": item}
        return None if term.value(env) is None and not term.is_reference else term.number(env)

    def weight(self, end: End, item: Item) -> Number:
        """What a tracer takes of a source."""
        if end.source.weigh is None:
            return 1
        found: Number = end.source.weigh.term.number({**self.trace.env(item), "source": end.item})
        if found < 0:
            raise Trouble(f"the weight of '{item.id}' is less than 0")
        return found

    def suffices(self, end: End, asker: Asker) -> bool:
        """Whether the source alone can serve one such tracer."""
        return end.capacity is None or end.capacity >= self.weight(end, asker.item)
