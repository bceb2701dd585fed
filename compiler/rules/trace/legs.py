"""Lines and legs as written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from compiler.findings import Place
from compiler.rules.compiler import Scope
from compiler.rules.terms import Constant
from compiler.rules.trace.named import Names, listed, unique
from compiler.rules.trace.parts import Amount, Ask, Gate, Leg, Line, Way
from compiler.rules.trace.reader import OPEN, Reader, scope_of
from compiler.rules.vocabulary import item

_LEG = ("leg", "way", "begin", "optional", "at_most", "gate", "section", "note")
_GATE_SCOPE = Scope({"scenario": item("scenario"), "gate": item("piece")})
_GATE = ("piece", "capacity", "unless", "section", "note")


def read_lines(
    r: Reader,
    value: Mapping[str, Any],
    place: Place,
    kind: str,
    flags: list[str],
    counted: Mapping[str, tuple[int, ...]],
    only: Collection[str] | None = None,
) -> tuple[Line, ...]:
    """The lines of a trace for tracers of a kind; with `only`, those of these names."""
    lines = _Lines(r, kind, flags, counted)
    if ("legs" in value) == ("lines" in value):
        r.report("R113", "a trace has either 'legs' or 'lines'", place / "trace")
        return ()
    if "legs" in value:
        return tuple(lines.line("", value, place))
    if "budget" in value:
        message = "'budget' stands beside 'legs'; here each line has its own"
        r.report("R121", message, (place / "budget").key())
    found = (
        line for name, part, at in Names(r).of(value, "lines", place) for line in lines.named(name, part, at)
    )
    return tuple(line for line in found if only is None or line.id in only)


class _Lines:
    """Ways are compiled once, and the fields that one takes over by `like` once for both."""

    def __init__(
        self, r: Reader, kind: str, flags: list[str], counted: Mapping[str, tuple[int, ...]]
    ) -> None:
        self.r, self.kind, self.flags, self.counted = r, kind, flags, counted
        self.ways: dict[str, Way] = {}
        self.asks: dict[Place, Ask] = {}

    def named(self, name: str, value: Mapping[str, Any], place: Place) -> list[Line]:
        self.r.unknown_fields(value, ("legs", "budget", "section", "note"), place)
        return self.line(name, value, place)

    def line(self, name: str, value: Mapping[str, Any], place: Place) -> list[Line]:
        seen: set[str] = set()
        legs: list[Leg] = []
        for part, at in listed(self.r, value, "legs", ("leg", "way"), place):
            self.r.unknown_fields(part, _LEG, at)
            if unique(self.r, "leg", str(part["leg"]), seen, at / "leg"):
                legs.append(self.leg(part, at, first=not legs))
        if not legs:
            self.r.report("R113", "a line has at least one leg", (place / "legs").key())
            return []
        self.check(legs, value, place)
        budget = None
        if "budget" in value:
            budget = self.r.amount(value["budget"], scope_of(self.kind, "start"), place / "budget")
        at_start = any("start" in leg.begin.roots | leg.way.links.roots for leg in legs)
        return [Line(name, tuple(legs), budget, at_start)]

    def check(self, legs: list[Leg], value: Mapping[str, Any], place: Place) -> None:
        limited = [
            i for i, part in enumerate(value["legs"]) if isinstance(part, Mapping) and "at_most" in part
        ]
        if "budget" in value and limited:
            message = "a line has one 'budget' or 'at_most' on its legs, never both"
            help = "two limits at once cannot be traced exactly; keep the one the rulebook has"
            self.r.report("R121", message, (place / "legs" / limited[0] / "at_most").key(), help)
        gated = [leg for leg in legs if leg.gate is not None]
        if len(gated) > 1:
            message = f"a line has at most one leg with a gate, not {' and '.join(leg.id for leg in gated)}"
            self.r.report("R113", message, place / "legs")

    def leg(self, part: Mapping[str, Any], at: Place, first: bool) -> Leg:
        r = self.r
        begin = part.get("begin", True)
        optional = part.get("optional", False)
        if not isinstance(optional, bool):
            r.malformed("true or false", optional, at / "optional")
        limit, flags = self.limit(part, at, first)
        return Leg(
            id=str(part["leg"]),
            way=self.way(part["way"], at / "way"),
            begin=r.ask(begin, scope_of(self.kind, "start").at(item("space")), at / "begin", not first),
            optional=optional is True,
            at_most=limit,
            gate=self.gate(part["gate"], at / "gate") if "gate" in part else None,
            flags=flags,
            count=self.counted.get(str(part["leg"]), ()),
        )

    def limit(self, part: Mapping[str, Any], at: Place, first: bool) -> tuple[Amount | None, tuple[int, ...]]:
        """A leg's `at_most`, and the flags it reads."""
        if "at_most" not in part:
            return None, ()
        scope = scope_of(self.kind, "path", "start") if first else scope_of(self.kind, "path")
        self.r.taken()
        term = self.r.number(part["at_most"], scope, at / "at_most")
        read = {path[0] for root, path in self.r.refs if root == "path" and path}
        return Amount(term, self.r.taken()), tuple(i for i, name in enumerate(self.flags) if name in read)

    def gate(self, value: object, at: Place) -> Gate | None:
        if not isinstance(value, Mapping) or "piece" not in value:
            self.r.malformed('an object with "piece"', value, at)
            return None
        self.r.unknown_fields(value, _GATE, at)
        piece = self.r.ask(value["piece"], scope_of(self.kind).at(item("piece")), at / "piece")
        capacity = None
        if "capacity" in value:
            capacity = self.r.amount(value["capacity"], _GATE_SCOPE, at / "capacity")
        unless = None
        if "unless" in value:
            unless = self.r.selector(value["unless"], scope_of(self.kind).at(item(self.kind)), at / "unless")
            self.r.refs = set()  # asked of each tracer by itself
        return Gate(piece, capacity, unless)

    # Ways

    def way(self, name: object, at: Place) -> Way:
        part = self.r.named("way", self.r.ways, name, at)
        fields = {} if part is None else self.r.way_fields(part, str(name))
        if str(name) not in self.ways:
            self.r.reads |= {("space", "links_out"), ("link", "to")}
            self.ways[str(name)] = self.made(str(name), fields)
        return self.ways[str(name)]

    def made(self, name: str, fields: Mapping[str, tuple[Any, Place]]) -> Way:
        ends = ("from", "to", "link")
        return Way(
            name,
            self.field(fields, "links", "link", "start", *ends) or OPEN,
            self.field(fields, "enter", "space", *ends) or OPEN,
            self.field(fields, "pass", "space") or OPEN,
            self.cost(fields),
        )

    def field(self, fields: Mapping[str, tuple[Any, Place]], key: str, of: str, *names: str) -> Ask | None:
        if key not in fields:
            return None
        value, place = fields[key]
        if place not in self.asks:
            self.asks[place] = self.r.ask(
                value, scope_of(self.kind, *names).at(item(of)), place, key == "links"
            )
        return self.asks[place]

    def cost(self, fields: Mapping[str, tuple[Any, Place]]) -> Amount:
        if "cost" not in fields:
            return Amount(Constant(1), frozenset())
        return self.r.amount(fields["cost"][0], scope_of(self.kind, "from", "to", "link"), fields["cost"][1])
