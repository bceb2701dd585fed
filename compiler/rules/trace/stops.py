"""What stopped a line: the things a search could not do, and of them the nearest to where it wanted to go."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from compiler.frozen import dataclass
from compiler.rules.items import Item, Number
from compiler.rules.trace.back import LineView
from compiler.rules.trace.views import BY_ENTRY, BY_LINK
from compiler.rules.words import plain, short

if TYPE_CHECKING:
    from compiler.rules.trace.forward import Label, Origin
    from compiler.rules.trace.run import End, Run

NEAREST = 3


@dataclass(frozen=True, slots=True)
class Stop:
    """The space where a line ends, what it costs up to there, and why it cannot go on.

    `way` are the spaces up to there; `away` is how many links of any kind lead from there to `end`, the nearest end.
    """

    space: str
    reason: str
    cost: Number
    limit: Number | None = None
    way: tuple[str, ...] = ()
    away: int | None = None
    end: str = ""


@dataclass(frozen=True, slots=True)
class _Seen:
    space: int
    cost: Number
    steps: int
    words: Callable[[], str]
    sight: bool  # false: only said when nothing else stopped the line
    barrier: bool  # a space that was not entered: of no interest if the search came there in another way
    limit: Number | None = None
    label: Label | None = None


class Stops:
    """Collects what a search could not do: what is in sight, or `every` little thing."""

    def __init__(self, run: Run, every: bool = False) -> None:
        self.run, self.board, self.every = run, run.board, every
        self.entered: set[int] = set()
        self.seen: dict[Any, _Seen] = {}
        self.stepped: dict[int, list[Label]] = {}

    def add(
        self,
        key: Any,
        v: int,
        label: Label | None,
        words: Callable[[], str],
        sight: bool,
        barrier: bool,
        **more: Any,
    ) -> None:
        if sight or self.every:
            cost, steps = (label.total, label.steps) if label is not None else (0, 0)
            self.seen.setdefault(key, _Seen(v, cost, steps, words, sight, barrier, label=label, **more))

    # Where a line cannot begin

    def no_start(self, origin: Origin, before: Label | None) -> None:
        start = self.run.trace.start
        assert start is not None
        space = self.board.spaces[origin.space]
        env = {**origin.asker.env, "start": space}
        who = "" if before is None else f"no line starts from '{short(origin.item)}' there: "
        self.add(
            ("start", origin.item),
            origin.space,
            before,
            lambda: who + start.selector.why(space, env),
            True,
            False,
        )

    def no_begin(self, view: LineView, i: int, v: int, before: Label | None, at_start: bool) -> None:
        if before is not None and before.origin.space == v and not at_start:
            return  # it came back to where it started, and had its chance there
        leg, space = view.legs[i], self.board.spaces[v]
        env = {**view.asker.env, "start": space if at_start else None}
        self.add(
            ("begin", leg.id, v), v, before,
            lambda: f"leg '{leg.id}' cannot begin there: {leg.begin.selector.why(space, env)}",
            before is None, False,
        )  # fmt: skip

    def no_gate(self, view: LineView, i: int, v: int, before: Label | None) -> None:
        leg = view.legs[i]
        assert leg.gate is not None
        asked = leg.gate.piece.selector
        words = f"leg '{leg.id}' needs a piece there where {asked.words}, not used up"
        self.add(("gate", leg.id, v), v, before, lambda: words, True, False)

    def no_count(self, view: LineView, i: int, v: int, before: Label | None) -> None:
        leg = view.legs[i]
        counts = [self.run.trace.counts[c] for c in leg.count]
        told = ", ".join(f"'{count.id}' at most {count.at_most}" for count in counts)
        words = f"leg '{leg.id}' cannot begin once more ({told})"
        self.add(("count", leg.id, v), v, before, lambda: words, True, False)

    def wrong_leg(self, end: End, label: Label) -> None:
        legs = " or ".join(f"'{leg}'" for leg in sorted(end.source.legs or ()))
        words = f"source '{short(end.item)}' is reached only in leg {legs}"
        self.add(("source", end.item), label.space, label, lambda: words, True, False)

    # Where a line cannot go

    def no_pass(self, view: LineView, label: Label) -> None:
        way, space = view.legs[label.leg].way, self.board.spaces[label.space]
        env = view.asker.env
        self.add(
            ("pass", way, label.space), label.space, label,
            lambda: f"leg '{view.legs[label.leg].id}' may not go on from there: {way.go_on.selector.why(space, env)}",
            False, False,
        )  # fmt: skip

    def step(self, label: Label) -> None:
        """A line looks for links out of a space."""
        self.stepped.setdefault(label.space, []).append(label)

    def barred(self, label: Label, link: int, bar: int) -> None:
        """A link that cannot be gone."""
        if bar == BY_LINK:
            self.no_link(label, link)
            return
        w, on = self.board.target[link], label.on
        if ("enter", w) not in self.seen:
            start = self._start(label)
            self.add(
                ("enter", w), w, label, lambda: barred_words(on.view, on.leg, link, bar, start), True, True
            )

    def no_link(self, label: Label, link: int) -> None:
        key, arcs = ("link", link), label.on.arcs
        if key in self.seen or (not self.every and self._passed_over(label, link)):
            return
        view, leg, start = label.on.view, label.on.leg, self._start(label)
        self.add(
            key,
            self.board.target[link],
            label,
            lambda: barred_words(view, leg, link, BY_LINK, start),
            arcs.is_barrier(link),
            True,
        )

    def _start(self, label: Label) -> Item | None:
        return self.board.spaces[label.space] if label.at_start else None

    def _passed_over(self, label: Label, link: int) -> bool:
        """Whether a line in another leg, for which the link is no road at all, came by before."""
        for other in self.stepped[label.space]:
            arcs = other.on.arcs
            if (
                other is not label
                and arcs is not label.on.arcs
                and not arcs.is_barrier(link)
                and arcs.bars(link, other.at_start)
            ):
                return True
        return False

    def no_crossing(self, view: LineView, label: Label, link: int) -> None:
        w, tally = self.board.target[link], self.run.tally
        counts = [self.run.trace.counts[i] for i in tally.crossed(view.asker, link)]
        told = " and ".join(f"'{count.id}' (at most {count.at_most})" for count in counts)
        self.add(("cross", w), w, label, lambda: f"one link too many of {told}", True, True)

    def too_far(self, view: LineView, label: Label, link: int, spent: Number, limit: Any) -> None:
        w = self.board.target[link]
        if ("budget", w) in self.seen:
            return
        leg = label.on.leg
        self.add(("budget", w), w, label, lambda: far_words(view, leg, spent, limit), True, True, limit=limit)

    # What is told

    def nearest(self, ends: frozenset[int]) -> list[Stop] | None:
        """The stops nearest to an end, by steps of any kind; then the cheapest to come to; then by id.

        None if nothing is in sight, and the rest was not collected.
        """
        try:
            return self._nearest(ends)
        finally:
            self.seen.clear()
            self.stepped.clear()

    def _nearest(self, ends: frozenset[int]) -> list[Stop] | None:
        found = [s for s in self.seen.values() if not (s.barrier and s.space in self.entered)]
        if not found and not self.every:
            return None
        found = [s for s in found if s.sight] or found
        links, nearest = self.board.frame.away(ends)
        far = len(self.board.spaces)

        def distance(v: int) -> int:
            return far if links[v] < 0 else links[v]

        found.sort(key=lambda s: (distance(s.space), s.cost, s.steps, s.space))
        if not found:
            ends_here = min(self.entered, key=lambda v: (distance(v), v), default=0)
            return [Stop(self.board.spaces[ends_here].id, "nothing leads on from there", 0)]
        out: dict[str, Stop] = {}
        for s in found:
            space = self.board.spaces[s.space].id
            if space not in out:
                away = None if links[s.space] < 0 else links[s.space]
                name = "" if away is None else self.board.spaces[nearest[s.space]].id
                out[space] = Stop(space, s.words(), s.cost, s.limit, self._way(s), away, name)
            if len(out) == NEAREST:
                break
        return list(out.values())

    def _way(self, seen: _Seen) -> tuple[str, ...]:
        """The spaces of the line up to the stop."""
        spaces, at = [seen.space], seen.label
        while at is not None:
            if at.space != spaces[-1]:
                spaces.append(at.space)
            at = at.before
        return tuple(self.board.spaces[v].id for v in reversed(spaces))


def barred_words(view: LineView, leg: int, link: int, bar: int, start: Item | None) -> str:
    """Why a link cannot be gone: by itself, or because of the space behind it."""
    item, way = view.board.links[link], view.legs[leg].way
    space, to = item.attrs["from"], item.attrs["to"]
    env = {**view.asker.env, "from": space, "to": to, "link": item}
    if bar != BY_ENTRY:
        env["start"] = start
    if bar != BY_LINK:
        return way.enter.selector.why(to, env)
    return f"the {item.attrs['kind']} link from '{space.id}': {way.links.selector.why(item, env)}"


def far_words(view: LineView, leg: int, spent: Number, limit: Any) -> str:
    where = "" if view.has_budget else f" in leg '{view.legs[leg].id}'"
    return f"cost {plain(spent)}{where}, allowed {plain(limit)}"
