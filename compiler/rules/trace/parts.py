"""A trace as written: its lines and legs, what they end at, and the limits over the whole chain.

Conditions and numbers know which roots they look at, so that what does not depend on the tracer is asked only once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compiler.findings import Place
from compiler.model.types import Type
from compiler.rules.items import Env, Item
from compiler.rules.selectors import Selector
from compiler.rules.terms import Term

if TYPE_CHECKING:
    from compiler.rules.trace.run import Run

TOGETHER = "_together"  # ends the name of a trace's second attribute
TRACER = "tracer"  # the first `from` of every chain
STANDS = {"piece": "space", "arrival": "at", "power": "capital"}  # where a tracer's line starts


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """A condition. `fixed` are its keys that look at neither @tracer nor @start, `rest` the others.

    `printed` are those keys of a condition on spaces that no scenario changes unless it says so in its `state`: what is
    printed on the map. `written` are those keys of a condition on links that look only at what is written of the link itself, so links written
    alike need be asked only once; `own`: there are no others.
    """

    selector: Selector
    fixed: Selector | None
    rest: Selector | None
    roots: frozenset[str]
    own: bool = False
    written: Selector | None = None
    printed: Selector | None = None

    @property
    def is_open(self) -> bool:
        return self.selector.is_open

    @property
    def per_tracer(self) -> bool:
        return self.rest is not None


@dataclass(frozen=True, slots=True, eq=False)
class Amount:
    """A number (or a word, for flags)."""

    term: Term
    roots: frozenset[str]

    @property
    def constant(self) -> bool:
        return self.term.is_plain


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    name: str
    links: Ask
    enter: Ask
    go_on: Ask
    cost: Amount


@dataclass(frozen=True, slots=True, eq=False)
class Gate:
    """A piece that must stand where a leg begins; a tracer that fulfils `unless` needs none."""

    piece: Ask
    capacity: Amount | None
    unless: Selector | None


@dataclass(frozen=True, slots=True, eq=False)
class Leg:
    """`flags` are the positions of the flags that `at_most` reads; `count` that of the count of this leg, if any."""

    id: str
    way: Way
    begin: Ask
    optional: bool
    at_most: Amount | None
    gate: Gate | None
    flags: tuple[int, ...] = ()
    count: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """`at_start`: a leg's `begin` or `links` looks at @start, so the first step is taken forwards."""

    id: str
    legs: tuple[Leg, ...]
    budget: Amount | None
    at_start: bool


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    id: str
    kind: str
    ask: Ask
    level: int
    legs: frozenset[str] | None
    capacity: Amount | None
    weigh: Amount | None
    split: bool
    section: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Relay:
    id: str
    kind: str
    ask: Ask


@dataclass(frozen=True, slots=True)
class Joint:
    """One link of the chain: from the tracer or relays to sources or relays, by a line."""

    froms: tuple[str, ...]
    to: frozenset[str]
    line: Line


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """`cross` is None for a count of a leg."""

    id: str
    cross: Ask | None
    at_most: int


@dataclass(frozen=True, slots=True, eq=False)
class Flag:
    id: str
    of: Amount
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Grant:
    condition: Selector
    level: int
    section: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """`paths` are the @tracer paths that divide tracers into classes; `by_relay`: lines are judged for their starter."""

    name: str
    kind: str
    levels: tuple[str, ...]
    condition: Selector | None
    grants: tuple[Grant, ...]
    start: Ask | None
    lines: tuple[Line, ...]
    sources: tuple[Source, ...]
    relays: tuple[Relay, ...]
    chain: tuple[Joint, ...]
    counts: tuple[Count, ...]
    flags: tuple[Flag, ...]
    by_relay: bool
    together: bool
    paths: tuple[tuple[str, ...], ...]
    reads: frozenset[tuple[str, str]]
    place: Place
    section: str | None = None
    joint: bool = False  # gives the level in the joint answer

    @property
    def gives(self) -> Type:
        return Type("word", self.levels)

    @property
    def has_capacities(self) -> bool:
        gates = (leg.gate for line in self.lines for leg in line.legs)
        return any(s.capacity is not None for s in self.sources) or any(
            gate is not None and gate.capacity is not None for gate in gates
        )

    @property
    def has_gates(self) -> bool:
        return any(leg.gate is not None for line in self.lines for leg in line.legs)

    def compute(self, owner: Item) -> str | None:
        """The level of one item; nothing for one that does not trace."""
        run = self.run(owner.world)
        return run.level_together(owner) if self.joint else run.level(owner)

    def nothing(self, owner: Item | None = None) -> None:
        """What everybody has of it when a scenario switches it off."""

    def run(self, world: Any) -> Run:
        """The answers for all tracers of a position, worked out once."""
        from compiler.rules.trace.run import Run

        key = ("trace", self.kind, self.name)
        found: Run | None = world.memo.get(key)
        if found is None:
            found = world.memo[key] = Run(self, world)
        return found

    def applies(self, item: Item) -> bool:
        return self.condition is None or self.condition.holds(item, self.env(item))

    def env(self, item: Item | None, scenario: Item | None = None) -> Env:
        now = scenario if scenario is not None else item.world.scenario if item is not None else None
        return {"scenario": now, "tracer": item}


def stands(item: Item) -> Item | None:
    """The space where an item's lines start."""
    if item.kind == "space":
        return item
    found: Item | None = item.get(STANDS[item.kind])
    return found
