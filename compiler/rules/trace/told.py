"""Evidence: the path that gives a level, space by space, or what stopped the line, as values and in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from compiler.rules.items import Item, Number
from compiler.rules.trace.forward import Finish, Forward, Label
from compiler.rules.trace.parts import TRACER, Grant, stands
from compiler.rules.trace.plain import Plain, Unsure
from compiler.rules.trace.stops import NEAREST, Stop, Stops
from compiler.rules.trace.views import Asker
from compiler.rules.words import listed, plain, short

if TYPE_CHECKING:
    from compiler.rules.trace.run import Run


@dataclass(frozen=True, slots=True)
class Step:
    """A space of a path, the leg in which it was entered, and the cost of the path so far."""

    space: str
    leg: str
    cost: Number
    line: str = ""
    relay: str | None = None  # a new line starts here, from this relay


@dataclass(frozen=True, slots=True)
class Evidence:
    """`level` and `failure` are words. A tracer has a path, or a grant, or stops."""

    tracer: Item
    level: str
    failure: str
    grant: Grant | None = None
    source: Item | None = None
    path: tuple[Step, ...] = ()
    cost: Number | None = None
    budget: Number | None = None
    stops: tuple[Stop, ...] = ()
    by_several: bool = False

    @property
    def words(self) -> str:
        """All there is to say: every stop with its reason."""
        return self._brief or self.all_stop_words

    @property
    def brief(self) -> str:
        """For the middle of a message: the nearest stop with its reason, the others by name."""
        return self._brief or self.stop_words

    @property
    def _brief(self) -> str:
        if self.path:
            return self.path_words
        if self.grant is not None:
            return "without a line" + (f", {self.grant.section}" if self.grant.section else "")
        return ""

    @property
    def path_words(self) -> str:
        if not self.path:
            return "none"
        out, leg, cost = "", self.path[0].leg, self.path[0].cost
        for i, step in enumerate(self.path):
            if step.relay is not None and i:
                out += f"; from '{step.relay}'" + (f" by '{step.line}'" if step.line else "")
                leg = step.leg
                continue
            change = f" by '{step.leg}'" if step.leg != leg else ""
            paid = f" ({plain(step.cost)})" if step.cost != cost or change else ""
            out += f"{' →' if out else ''}{change}{' ' if out else ''}{step.space}{paid}"
            leg, cost = step.leg, step.cost
        several = " with other sources" if self.by_several else ""
        return out + several

    @property
    def stop_words(self) -> str:
        if not self.stops:
            return "no line leads to a source"
        near, *others = self.stops
        also = f"; also at {', '.join(_quoted(stop) for stop in others)}" if others else ""
        return f"stopped at {_quoted(near)}: {near.reason}{_left(near)}{also}"

    @property
    def all_stop_words(self) -> str:
        if not self.stops:
            return "no line leads to a source"
        return "stopped " + "; ".join(
            f"at {_quoted(stop)}: {stop.reason}{_left(stop)}" for stop in self.stops
        )

    @property
    def cost_words(self) -> str:
        return "none" if self.cost is None else plain(self.cost)

    @property
    def budget_words(self) -> str:
        return "no limit" if self.budget is None else plain(self.budget)


def _quoted(stop: Stop) -> str:
    return f"'{stop.space}'"


def _left(stop: Stop) -> str:
    """How near the line came to a source."""
    return f", {stop.away} more to '{stop.end}'" if stop.away else ""


def evidence(run: Run, item: Item, together: bool = False) -> Evidence | None:
    """Why the item has its level, alone or in the joint answer; None for an item that does not trace."""
    answer = run.answer(item)
    if answer is None:
        return None
    number = run.together().level(item) if together else answer.level
    levels = run.trace.levels
    granted = run.granted(item)
    if number == len(levels) - 1:
        return _stopped(run, item, levels[number])
    if granted is not None and granted.level <= number:
        return Evidence(item, levels[number], levels[-1], granted)
    return _walked(run, item, number, together)


def _search(run: Run, item: Item, stops: Stops | None = None) -> Forward | None:
    asker, space = run.asker(item), stands(item)
    if asker is None or space is None or space not in run.board.number:
        return None
    return Forward(run, item, run.board.number[space], asker, stops)


# A path ---------------------------------------------------------------------------------------------------------------


def _walked(run: Run, item: Item, level: int, together: bool) -> Evidence:
    search = _search(run, item)
    assert search is not None
    fits = _fits(run, item, level, together)
    several: Finish | None = None
    for finish in search.finishes():
        if finish.end.source.level != level:
            continue
        if fits(finish):
            return _path(run, item, finish, level)
        if finish.end.source.split and finish.end.capacity and several is None:
            several = finish
    assert several is not None, "a level without a path"
    return _path(run, item, several, level, by_several=True)


def _fits(run: Run, item: Item, level: int, together: bool) -> Callable[[Finish], bool]:
    """Which lines give the level: alone any that is not too small; together the one that was assigned."""
    option = run.together().option(item) if together else None
    free = together and option is None

    def fits(finish: Finish) -> bool:
        from compiler.rules.trace.joint import gates_of

        end = finish.end
        limited = {("", gate) for gate, uses in gates_of(run, finish) if uses is not None}
        used = limited | ({(end.source.id, end.item)} if end.capacity is not None else set())
        if free:
            return not used
        if option is not None and not option.split:
            return used == {thing for thing, _ in option.takes}
        return end.capacity is None or end.capacity >= run.weight(end, item)

    return fits


def _path(run: Run, item: Item, finish: Finish, level: int, by_several: bool = False) -> Evidence:
    labels: list[Label] = []
    at: Label | None = finish.label
    while at is not None:
        labels.append(at)
        at = at.before
    labels.reverse()
    steps = tuple(_steps(run, labels))
    first = labels[0]
    return Evidence(
        item,
        run.trace.levels[level],
        run.trace.levels[-1],
        source=finish.end.item,
        path=steps,
        cost=finish.label.total,
        budget=_limit(run, first),
        by_several=by_several,
    )


def _steps(run: Run, labels: list[Label]) -> Any:
    before: Label | None = None
    for label in labels:
        leg = label.joint.line.legs[label.leg].id
        starts = before is None or label.origin is not before.origin
        if starts or (before is not None and label.space != before.space):
            relay = short(label.origin.item) if starts and label.origin.name != TRACER else None
            yield Step(run.board.spaces[label.space].id, leg, label.total, label.joint.line.id, relay)
        before = label


def _limit(run: Run, label: Label) -> Number | None:
    """What the tracer's own line may cost: its budget, or the limit of its first leg."""
    view = run.view(label.origin.asker, label.joint.line)
    limit = (
        view.budget(label.origin.space) if view.has_budget else view.limit(0, label.worst, label.origin.space)
    )
    return None if limit == inf else limit


# Stops ----------------------------------------------------------------------------------------------------------------


def _stopped(run: Run, item: Item, level: str) -> Evidence:
    """Alike tracers at one place are stopped by the same."""
    search = _search(run, item)
    failure = run.trace.levels[-1]
    if search is None:
        return Evidence(item, level, failure, stops=(Stop("", "it stands nowhere", 0),))
    key = ("stopped", search.v, item if run.trace.relays else None)
    found = search.asker.kept(key, lambda: _stops(run, item, search.asker, search.v))
    return Evidence(item, level, failure, stops=found[0], budget=found[1])


def _stops(run: Run, item: Item, asker: Asker, v: int) -> tuple[tuple[Stop, ...], Number | None]:
    """What keeps the tracer from a source, and what its line may cost."""
    ends = frozenset(end.space for end in run.sources(asker))
    if not ends:
        return (Stop(run.board.spaces[v].id, "there is no source for it anywhere", 0),), None
    limits = [run.view(asker, joint.line).cut([v]) for joint in run.trace.chain if TRACER in joint.froms]
    limit: Any = max(limits, default=inf)
    try:
        found = asker.kept("plain", lambda: Plain(run, asker)).nearest(v, ends)
    except Unsure:
        found = None
    if found is None:
        found = _all_stops(run, item, ends)
    return tuple(found[:NEAREST]), None if limit == inf else limit


def _all_stops(run: Run, item: Item, ends: frozenset[int], every: bool = False) -> list[Stop]:
    """By the full search: what is in sight; if nothing is, `every` thing that a line could not do."""
    stops = Stops(run, every)
    search = _search(run, item, stops)
    assert search is not None
    small: dict[str, Stop] = {}
    for finish in search.finishes():
        end = finish.end
        space = run.board.spaces[end.space].id
        needed = plain(run.weight(end, item))
        left = plain(end.capacity) if end.capacity is not None else ""
        words = f"source '{short(end.item)}' has {left}, {needed} is needed"
        small.setdefault(space, Stop(space, words, finish.label.total))
    found = stops.nearest(ends)
    return _all_stops(run, item, ends, every=True) if found is None else [*small.values(), *found]


def shortage_words(run: Run) -> list[str]:
    """What the joint answer lacks, one sentence for each thing."""
    joined = run.together()
    out = []
    if joined.undecided:
        least, most = joined.result.least, joined.result.most
        out.append(f"between {least} and {most} of them are served, undecided: the search is too large")
    for shortage in joined.shortages:
        source, item = shortage.thing
        what = f"source '{short(item)}'" if source else f"gate '{short(item)}'"
        space = stands(item)
        where = f" in '{space.id}'" if space is not None and space is not item else ""
        wants = listed([short(i) for i in shortage.wanted_by])
        out.append(
            f"{what}{where} serves {plain(shortage.capacity)}; it is wanted by {wants}; without: "
            f"{listed([short(i) for i in shortage.without])}"
        )
    return out
