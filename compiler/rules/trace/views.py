"""A trace's conditions for one class of tracers, as arrays over spaces and links that are filled when first looked at.

What looks neither at @tracer nor at @start is asked once for the whole position, whoever traces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, TypeVar

from compiler.rules.items import Answers, Broken, Env, Item, Number, Trouble, Unknown
from compiler.rules.selectors import Selector
from compiler.rules.trace.board import Board
from compiler.rules.trace.parts import Amount, Ask, Flag, Gate, Leg, Trace, Way
from compiler.rules.words import plain, show

T = TypeVar("T")
UNASKED, YES, NO = 0, 1, 2
NEVER = -2  # a link that cannot be gone
UNKNOWN = -1
FREE, SEEN, ALL = (
    0,
    1,
    2,
)  # which links out of a space: those that can be gone, also barriers in sight, also all others
BY_LINK, BY_ENTRY, BY_BOTH = (
    1,
    2,
    3,
)  # what bars one: itself, the space behind it, or entering that space by it
Near = Callable[[int], "Iterable[tuple[Any, Sequence[int]]]"]  # into a space: at what cost, from which spaces
Out = tuple[int, int, Any, int]  # a link, where it leads, what it costs, what bars it


class Asker(Answers):
    """A class of tracers: whoever has the same values of all @tracer paths. `item` stands for all of them."""

    def __init__(self, trace: Trace, board: Board, key: Any, item: Item) -> None:
        self.trace, self.board, self.key, self.item = trace, board, key, item
        self.env: Env = {"scenario": board.world.scenario, "tracer": item, "start": None}
        self._made: dict[Any, Any] = {}

    def spaces(self, ask: Ask) -> Spaces:
        return self.kept(ask, lambda: Spaces(ask, self.board, self.env))

    def arcs(self, way: Way, counted: bool = True) -> Arcs:
        """The links of a way. Where cost does not matter it is not asked."""
        return self.kept((way, counted), lambda: Arcs(way, self, counted))

    def flags(self, flag: Flag) -> Ranks:
        return self.kept(flag, lambda: Ranks(flag, self.board, self.env))

    def crossed(self, ask: Ask) -> Links:
        return self.kept(("cross", ask), lambda: Links(ask, self.board, self.env))

    def gates(self, gate: Gate) -> dict[int, list[tuple[Item, Number | None]]]:
        return self.kept(gate, lambda: _gates(gate, self))

    def needs_gate(self, leg: Leg) -> bool:
        """Whether this class of tracers needs a piece to begin the leg (what `unless` says is part of the class)."""
        if leg.gate is None:
            return False
        env = {**self.env}
        return leg.gate.unless is None or not leg.gate.unless.holds(self.item, env)

    def let_go(self) -> None:
        for made in self._made.values():
            if isinstance(made, Answers):
                made.let_go()
        self._made.clear()

    def kept(self, key: Any, make: Callable[[], T]) -> T:
        if key not in self._made:
            self._made[key] = make()
        found: T = self._made[key]
        return found


class Spaces:
    """A condition on spaces. `known` may be read directly; `test` fills it."""

    def __init__(self, ask: Ask, board: Board, env: Env) -> None:
        self.ask, self.board, self.env = ask, board, dict(env)
        self.open = ask.is_open
        self.known = bytearray(b"\1" if self.open else 1) * len(board.spaces)
        self.fixed: Spaces | None = None
        if ask.rest is not None and ask.fixed is not None:
            shared = Ask(ask.fixed, ask.fixed, None, ask.roots)
            self.fixed = board.world.memo.setdefault(("asked", ask), Spaces(shared, board, env))
        elif ask.rest is None and not self.open:
            self.known = board.world.memo.setdefault(("known", ask), self.known)
        self.holds = (ask.rest or ask.selector).holds

    def test(self, v: int) -> int:
        """YES or NO."""
        answer = self.known[v]
        if answer == UNASKED:
            space = self.board.spaces[v]
            self.env["to"] = space
            if self.fixed is None:
                answer = YES if self.holds(space, self.env) else NO
            else:
                answer = self._in_parts(v, space, self.fixed)
            self.known[v] = answer
        return answer

    def _in_parts(self, v: int, space: Item, fixed: Spaces) -> int:
        """What is the same for all tracers first; where that has no answer, all in the order it is written."""
        try:
            if (fixed.known[v] or fixed.test(v)) == NO:
                return NO
        except (Unknown, Trouble, Broken):
            return YES if self.ask.selector.holds(space, self.env) else NO
        return YES if self.holds(space, self.env) else NO

    def at_start(self, v: int) -> bool:
        """The same where the line starts: @start is that space."""
        if "start" not in self.ask.roots:
            return self.test(v) == YES
        space = self.board.spaces[v]
        return self.ask.selector.holds(space, {**self.env, "start": space, "to": space})

    def all(self) -> list[int]:
        return [v for v in range(len(self.known)) if (self.known[v] or self.test(v)) == YES]


class Links:
    """A condition on links. What looks only at a link's own attributes is answered for all links at once."""

    def __init__(self, ask: Ask, board: Board, env: Env) -> None:
        self.ask, self.board, self.env = ask, board, dict(env)
        self.known = bytearray(b"\1" if ask.is_open else 1) * len(board.links)
        self.fixed: Links | None = None
        self.answers: bytes | None = None  # for each sort of links, where nothing else counts
        self.selector: Selector = ask.rest or ask.selector
        if ask.is_open:
            self.answers = bytes([YES]) * len(board.frame.first)
            return
        if ask.rest is None:
            kept = board.world.memo.get(("known", ask))
            if kept is None:
                kept = board.world.memo["known", ask] = (self.filled(), self.answers)
            self.known, self.answers = kept
            return
        self.known = self.filled()
        if ask.own:
            self.selector = ask.selector
        elif ask.fixed is not None:
            shared_ask = Ask(ask.fixed, ask.fixed, None, ask.roots)
            self.fixed = board.world.memo.setdefault(("asked", ask), Links(shared_ask, board, env))

    def filled(self) -> bytearray:
        """All answers that one link can give for all that are like it."""
        written = self.ask.written
        if written is None:
            return self.known
        good = YES if self.ask.own else UNASKED
        answers = [good if written.holds(*self._seen(i)) else NO for i in self.board.frame.first]
        found = self.board.frame.filled(bytes(answers))
        if not self.ask.own:
            return bytearray(found)
        self.answers = bytes(answers)
        return found

    def asked(self, i: int) -> int:
        return YES if self.selector.holds(*self._seen(i)) else NO

    def _seen(self, i: int) -> tuple[Item, Env]:
        link = self.board.links[i]
        attrs, env = link.attrs, self.env
        env["from"], env["to"], env["link"] = attrs["from"], attrs["to"], link
        return link, env

    def test(self, i: int) -> int:
        answer = self.known[i]
        if answer == UNASKED:
            self.known[i] = answer = self.asked(i) if self.fixed is None else self._in_parts(i, self.fixed)
        return answer

    def _in_parts(self, i: int, fixed: Links) -> int:
        try:
            return NO if (fixed.known[i] or fixed.test(i)) == NO else self.asked(i)
        except (Unknown, Trouble, Broken):
            return YES if self.ask.selector.holds(*self._seen(i)) else NO

    def at_start(self, i: int) -> bool:
        if "start" not in self.ask.roots:
            return self.test(i) == YES
        link = self.board.links[i]
        return self.ask.selector.holds(link, {**self.env, **_ends(link), "start": link.attrs["from"]})


class Arcs:
    """The cost of each link of a way: NEVER where it cannot be gone, UNKNOWN until asked. The space entered counts only
    where `enter` looks at the link too; else `enter` is asked of the space."""

    def __init__(self, way: Way, asker: Asker, counted: bool) -> None:
        self.way, self.asker, self.board = way, asker, asker.board
        self.links: Links = asker.kept(("links", way.links), lambda: Links(way.links, self.board, asker.env))
        by_link = bool({"from", "link"} & way.enter.roots)
        self.enter_by_link = way.enter.selector if by_link else None
        self.enter = asker.spaces(OPEN_SPACE if by_link else way.enter)
        self.go_on = asker.spaces(way.go_on)
        self.env = dict(asker.env)
        self.price = _price(way.cost, self.board, asker.env) if counted else _free
        self.by_space = None if by_link else _by_space(way, self.board, asker.env, counted)
        self.by_start = "start" in way.links.roots
        self._steps: tuple[dict[int, list[Out]], ...] = ({}, {}, {})
        self._goes: dict[str, bool] = {}

    @cached_property
    def cost(self) -> list[Any]:
        return [UNKNOWN] * len(self.board.links)

    def ask(self, i: int) -> Any:
        """The cost of a link once the line has left its start."""
        self.cost[i] = found = self.work_out(i) if self.links.test(i) == YES else NEVER
        return found

    def at_start(self, i: int) -> Any:
        """The cost of a link as the first step of a line."""
        if not self.by_start:
            return self.ask(i) if self.cost[i] == UNKNOWN else self.cost[i]
        return self.work_out(i) if self.links.at_start(i) else NEVER

    def work_out(self, i: int) -> Any:
        if self.enter_by_link is not None:
            link = self.board.links[i]
            if not self.enter_by_link.holds(link.attrs["to"], {**self.env, **_ends(link)}):
                return NEVER
        return _checked(self.way, self.price(i))

    # Backwards: from where a space can be entered

    def near_by_space(self, price: Callable[[int], Any]) -> Near:
        """Where every link into a space costs the same."""
        answers = self.links.answers
        if answers is not None:
            before = self.board.frame.before_by(answers)
            return lambda v: ((price(v), before[v]),)
        known, test = self.links.known, self.links.test
        into, source = self.board.into, self.board.source

        def near(v: int) -> Iterable[tuple[Any, Sequence[int]]]:
            return ((price(v), [source[i] for i in into[v] if (known[i] or test(i)) == YES]),)

        return near

    def near_by_cost(self) -> Near:
        into, source, costs, ask = self.board.into, self.board.source, self.cost, self.ask

        def near(v: int) -> Iterable[tuple[Any, Sequence[int]]]:
            paid = ((source[i], costs[i] if costs[i] != UNKNOWN else ask(i)) for i in into[v])
            return [(cost, (u,)) for u, cost in paid if cost != NEVER]

        return near

    # Forwards: the links out of a space, worked out once for all who come there

    def steps(self, v: int, at_start: bool, which: int) -> list[Out]:
        """The links out of a space in their order: FREE, SEEN or ALL."""
        if at_start and self.by_start:
            return self.outs(v, self.at_start, which)
        found = self._steps[which].get(v)
        if found is None:
            found = self._steps[which][v] = self.outs(v, self.paid, which)
        return found

    def outs(self, v: int, paid: Callable[[int], Any], which: int) -> list[Out]:
        if self.links.answers is not None and self.by_space is not None and which != ALL:
            return self._known_outs(v, self.links.answers, self.by_space, which)
        out: list[Out] = []
        target = self.board.target
        for i in self.board.out[v]:
            cost, w, bar = paid(i), target[i], 0
            if cost == NEVER:
                entered = self.enter_by_link is not None and self.links.test(i) == YES
                bar = BY_BOTH if entered else BY_LINK
            elif self.enter.test(w) == NO:
                bar = BY_ENTRY
            if not bar or which == ALL or (which == SEEN and (bar != BY_LINK or self.is_barrier(i))):
                out.append((i, w, cost, bar))
        return out

    def _known_outs(self, v: int, answers: bytes, price: Callable[[int], Any], which: int) -> list[Out]:
        """The same where only the space entered has to be asked."""
        out: list[Out] = []
        known, test = self.enter.known, self.enter.test
        for i, w, is_open in self.board.in_sight(answers, v):
            if not is_open:
                if which == SEEN:
                    out.append((i, w, NEVER, BY_LINK))
            elif (known[w] or test(w)) == YES:
                out.append((i, w, price(w), 0))
            elif which == SEEN:
                out.append((i, w, NEVER, BY_ENTRY))
        return out

    def paid(self, i: int) -> Any:
        """The cost of a link, where it was gone or not."""
        if self.by_space is not None:
            return self.by_space(self.board.target[i]) if self.links.test(i) == YES else NEVER
        return self.ask(i) if self.cost[i] == UNKNOWN else self.cost[i]

    def bars(self, i: int, at_start: bool) -> bool:
        """Whether the link itself cannot be gone."""
        outs = self.steps(self.board.source[i], at_start, ALL)
        return any(link == i and bar == BY_LINK for link, _, _, bar in outs)

    def is_barrier(self, i: int) -> bool:
        """Whether a link that cannot be gone bars a way, because others of its kind can; else it is just no road."""
        kind: str = self.board.kind_of(i)
        if kind not in self._goes:
            self._goes[kind] = any(self.links.test(j) == YES for j in self._alike(kind))
        return self._goes[kind]

    def _alike(self, kind: str) -> Iterable[int]:
        frame = self.board.frame
        every = frame.first if self.way.links.own else frame.every
        return (j for j in every if self.board.kind_of(j) == kind)


def _ends(link: Item) -> Env:
    return {"from": link.attrs["from"], "to": link.attrs["to"], "link": link}


def _free(i: int) -> int:
    return 0


def _by_space(way: Way, board: Board, env: Env, counted: bool) -> Callable[[int], Any] | None:
    """The cost of entering a space, where the link does not matter; None where it does."""
    cost = way.cost
    if not counted:
        return _free
    if cost.roots & {"from", "link"}:
        return None
    scope, term = dict(env), cost.term
    known: dict[int, Any] = {}

    def entered(v: int) -> Any:
        if v not in known:
            scope["to"] = board.spaces[v]
            known[v] = _checked(way, term.number(scope))
        return known[v]

    return entered


def _checked(way: Way, cost: Any) -> Any:
    if cost < 0:
        raise Trouble(f"the cost of way '{way.name}' is {plain(cost)}; it may not be less than 0")
    return cost


def _price(cost: Amount, board: Board, env: Env) -> Callable[[int], Any]:
    """How to find the cost of a link: one for all, one for each space entered, or one for each link."""
    scope, term = dict(env), cost.term
    if cost.constant:
        one = term.number(scope)
        return lambda i: one
    if not cost.roots & {"from", "link"}:
        by_space: dict[int, Any] = {}

        def entered(i: int) -> Any:
            v = board.target[i]
            if v not in by_space:
                scope["to"] = board.spaces[v]
                by_space[v] = term.number(scope)
            return by_space[v]

        return entered

    def crossed(i: int) -> Any:
        scope.update(_ends(board.links[i]))
        return term.number(scope)

    return crossed


class Ranks:
    """A flag's value at each space, as its place in the list from best to worst."""

    def __init__(self, flag: Flag, board: Board, env: Env) -> None:
        self.flag, self.board, self.env = flag, board, dict(env)
        self.known: dict[int, int] = {}

    def at(self, v: int) -> int:
        if v not in self.known:
            self.env["to"] = space = self.board.spaces[v]
            value = self.flag.of.term.value(self.env)
            value = value.id if isinstance(value, Item) else value
            if value not in self.flag.values:
                told = ", ".join(show(known) for known in self.flag.values)
                raise Trouble(
                    f"flag '{self.flag.id}' of '{space.id}' is {show(value)}, which is none of {told}"
                )
            self.known[v] = self.flag.values.index(value)
        return self.known[v]


def _gates(gate: Gate, asker: Asker) -> dict[int, list[tuple[Item, Number | None]]]:
    """The pieces that serve as gates, by space, with how often (nothing: without limit); spent ones are left out."""
    out: dict[int, list[tuple[Item, Number | None]]] = {}
    for piece, v in asker.board.numbers("piece"):
        if gate.piece.selector.holds(piece, asker.env):
            uses = None
            if gate.capacity is not None:
                uses = gate.capacity.term.value({**asker.env, "gate": piece})
            if uses is None or uses >= 1:
                out.setdefault(v, []).append((piece, uses))
    return out


OPEN_SPACE = Ask(Selector([]), None, None, frozenset())
