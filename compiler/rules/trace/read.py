"""An entry with `trace` becomes a `Trace`; whatever is wrong with it is reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from compiler.findings import Place, warning
from compiler.model.types import Type
from compiler.rules.compiler import Compiler
from compiler.rules.terms import Constant
from compiler.rules.trace.ends import read_chain, read_relays, read_sources
from compiler.rules.trace.legs import read_lines
from compiler.rules.trace.named import Names, known, listed
from compiler.rules.trace.parts import STANDS, Amount, Count, Flag, Grant, Line, Trace
from compiler.rules.trace.reader import Reader, reader, scope_of
from compiler.rules.vocabulary import item
from compiler.rules.words import with_article

FIELDS = (
    "trace", "on", "if", "title", "section", "levels", "grant", "start", "legs", "budget", "lines", "sources", "relays",
    "chain", "counts", "flags", "judge", "together", "vary", "note", "source",
)  # fmt: skip


def compile_trace(c: Compiler, value: Mapping[str, Any], place: Place, joint: bool = False) -> Trace | None:
    """The trace (with `joint`, its answer when capacities are shared), or None if it can give nothing."""
    c.unknown_fields(value, FIELDS, place)
    kind, levels = value.get("on"), value.get("levels")
    if not _stands(c, kind, place) or not _is_words(levels):
        return None
    flags = value.get("flags", {})
    r = reader(c, _flag_types(flags))
    made = _Entry(r, value, place, str(kind), tuple(levels or ())).trace()
    c.spoiled = c.spoiled or r.spoiled
    return replace(made, joint=joint) if made is not None else None


def _stands(c: Compiler, kind: object, place: Place) -> bool:
    if isinstance(kind, str) and (kind == "space" or kind in STANDS):
        return True
    if isinstance(kind, str):
        help = "a line starts from a space, a piece, an arrival, or the capital of a power"
        c.report(
            "R123", f"{with_article(kind)} stands nowhere: no line can start from it", place / "on", help
        )
    return False


def _is_words(levels: object) -> bool:
    return isinstance(levels, list) and len(levels) > 1 and all(isinstance(w, str) for w in levels)


def _flag_types(flags: object) -> dict[str, Type]:
    if not isinstance(flags, Mapping):
        return {}
    return {name: _type_of(flag.get("worst_of")) for name, flag in flags.items() if isinstance(flag, Mapping)}


def _type_of(values: object) -> Type:
    if isinstance(values, list) and values and all(isinstance(v, str) for v in values):
        return Type("word", tuple(values))
    return Type("number")


class _Entry:
    def __init__(
        self, r: Reader, value: Mapping[str, Any], place: Place, kind: str, levels: tuple[str, ...]
    ) -> None:
        self.r, self.value, self.place, self.kind, self.levels = r, value, place, kind, levels
        self.names = Names(r)

    def trace(self) -> Trace | None:
        value, place, r = self.value, self.place, self.r
        flags = tuple(self.flags())
        counts, counted = self.counts()
        lines = read_lines(r, value, place, self.kind, [f.id for f in flags], counted)
        self.check_counts({leg.id for line in lines for leg in line.legs})
        start = (
            r.ask(value["start"], scope_of(self.kind, "start").at(item("space")), place / "start")
            if "start" in value
            else None
        )
        by_relay = self.word("judge", ("tracer", "relay"), "tracer") == "relay"
        sources = read_sources(r, value, place, self.kind, self.levels, lines)
        relays = read_relays(r, value, place, self.kind, [s.id for s in sources])
        paths = tuple(
            sorted(r.paths)
        )  # those of grants, and of what is asked of one tracer alone, divide nobody
        if not lines or not sources:
            return None
        chain = read_chain(r, value, place, lines, sources, relays)
        trace = Trace(
            name=str(value["trace"]),
            kind=self.kind,
            levels=self.levels,
            condition=self.own("if", value, place) if "if" in value else None,
            grants=tuple(self.grants()),
            start=start,
            lines=lines,
            sources=sources,
            relays=relays,
            chain=chain,
            counts=counts,
            flags=flags,
            by_relay=by_relay,
            together=self.flag("together"),
            paths=paths,
            reads=frozenset(),
            place=place,
            section=value.get("section"),
        )
        self.lint(lines)
        if by_relay:
            self.check_relays(trace)
        self.check_together(trace)
        where = (self.kind, STANDS.get(self.kind, "kind"))
        return replace(trace, reads=frozenset(r.reads | {where}))

    # Small fields

    def own(self, key: str, value: Mapping[str, Any], place: Place) -> Any:
        """A selector on the tracer itself."""
        return self.r.selector(value[key], scope_of(self.kind).at(item(self.kind)), place / key)

    def word(self, key: str, words: tuple[str, ...], default: str) -> str:
        given = self.value.get(key, default)
        if given not in words:
            known(self.r, key, given, words, self.place / key)
        return str(given)

    def flag(self, key: str) -> bool:
        given = self.value.get(key, False)
        if not isinstance(given, bool):
            self.r.malformed("true or false", given, self.place / key)
        return given is True

    def grants(self) -> Iterable[Grant]:
        for part, at in listed(self.r, self.value, "grant", ("if", "level"), self.place):
            self.r.unknown_fields(part, ("if", "level", "section", "note"), at)
            if known(self.r, "level", part["level"], self.levels, at / "level"):
                level = self.levels.index(part["level"])
                yield Grant(self.own("if", part, at), level, part.get("section"))

    # Limits over the chain

    def flags(self) -> Iterable[Flag]:
        place = self.place / "flags"
        for name, part, at in self.names.of(self.value, "flags", self.place):
            self.r.unknown_fields(part, ("of", "worst_of", "section", "note"), at)
            values = part.get("worst_of")
            if "of" not in part or not isinstance(values, list) or len(values) < 2:
                self.r.malformed('{"of": …, "worst_of": [best, …, worst]}', part, place / name)
                continue
            self.r.taken()
            typed = self.r.term(part["of"], scope_of(self.kind, "to"), at / "of", _type_of(values))
            plain = tuple(Fraction(v) if isinstance(v, Decimal) else v for v in values)
            yield Flag(name, Amount(typed.term, self.r.taken()), plain)

    def counts(self) -> tuple[tuple[Count, ...], dict[str, tuple[int, ...]]]:
        """The counts, and which of them each leg adds to."""
        out: list[Count] = []
        legs: dict[str, tuple[int, ...]] = {}
        for name, part, at in self.names.of(self.value, "counts", self.place):
            self.r.unknown_fields(part, ("leg", "cross", "at_most", "section", "note"), at)
            limit = part.get("at_most")
            if isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit <= 16:
                self.r.malformed("'at_most' from 0 to 16", limit, at / "at_most" if "at_most" in part else at)
                continue
            if ("leg" in part) == ("cross" in part):
                self.r.report("R113", "a count has either 'leg' or 'cross'", at)
                continue
            cross = None
            if "cross" in part:
                scope = scope_of(self.kind, "from", "to", "link").at(item("link"))
                cross = self.r.ask(part["cross"], scope, at / "cross")
            else:
                leg = str(part["leg"])
                legs[leg] = (*legs.get(leg, ()), len(out))
            out.append(Count(name, cross, limit))
        return tuple(out), legs

    def check_counts(self, legs: set[str]) -> None:
        for _, part, at in Names(self.r, quiet=True).of(self.value, "counts", self.place):
            if "leg" in part:
                known(self.r, "leg", part["leg"], sorted(legs), at / "leg")

    # Things that are right, and yet

    def lint(self, lines: tuple[Line, ...]) -> None:
        for line in lines:
            for leg in line.legs:
                cost = leg.way.cost.term
                free = isinstance(cost, Constant) and cost.constant == 0
                if leg.at_most is not None and free:
                    message = f"leg '{leg.id}' costs nothing a step, so 'at_most' does not limit it"
                    at = self.r.origin(self.leg_place(line, leg.id) / "at_most")
                    self.r.hints.append(
                        warning(
                            "L107",
                            message,
                            at,
                            help=f"give the way '{leg.way.name}' a cost, or leave 'at_most' out",
                        )
                    )

    def leg_place(self, line: Line, leg: str) -> Place:
        i = next(n for n, other in enumerate(line.legs) if other.id == leg)
        legs = self.place / "legs" if "legs" in self.value else self.place / "lines" / line.id / "legs"
        return legs / i

    def check_together(self, trace: Trace) -> None:
        if trace.together and not trace.has_capacities:
            help = "give a source or a gate a 'capacity', or leave 'together' out"
            self.r.report("R113", "nothing is limited, so nothing is shared", self.place / "together", help)

    def check_relays(self, trace: Trace) -> None:
        """With `judge: relay` a line is asked for the relay it starts from: what it reads must be known of that too."""
        for kind in sorted({relay.kind for relay in trace.relays} - {self.kind}):
            joints = [j for j in trace.chain if any(r.id in j.froms and r.kind == kind for r in trace.relays)]
            lines = {joint.line.id for joint in joints}
            read_lines(self.r, self.value, self.place, kind, [f.id for f in trace.flags], {}, lines)
            ends = frozenset(id for joint in joints for id in joint.to)
            read_sources(self.r, self.value, self.place, kind, self.levels, trace.lines, ends)
            read_relays(self.r, self.value, self.place, kind, [], ends)
            if "start" in self.value:
                self.r.ask(
                    self.value["start"], scope_of(kind, "start").at(item("space")), self.place / "start"
                )
