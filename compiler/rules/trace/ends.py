"""What lines end at, as written: sources, relays, and the chain that says which line joins what."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from compiler.findings import Place, warning
from compiler.rules.compiler import Scope
from compiler.rules.trace.named import known, listed, unique
from compiler.rules.trace.parts import TRACER, Amount, Joint, Line, Relay, Source
from compiler.rules.trace.reader import Reader, scope_of
from compiler.rules.vocabulary import item

_SOURCE = ("source", "space", "piece", "level", "in", "capacity", "weigh", "split", "section", "note")


def read_sources(
    r: Reader,
    value: Mapping[str, Any],
    place: Place,
    kind: str,
    levels: Sequence[str],
    lines: Sequence[Line],
    only: Collection[str] | None = None,
) -> tuple[Source, ...]:
    legs = sorted({leg.id for line in lines for leg in line.legs})
    seen: set[str] = set()
    out: list[Source] = []
    for part, at in listed(r, value, "sources", ("source", "level"), place):
        id = str(part["source"])
        if only is not None and id not in only:
            continue
        r.unknown_fields(part, _SOURCE, at)
        of = _kind(r, part, at)
        fine = unique(r, "source", id, seen, at / "source")
        if of is None or not fine or not known(r, "level", part["level"], levels[:-1], at / "level"):
            continue
        out.append(_source(r, part, at, kind, of, levels, legs))
    if not out and only is None and not value.get("sources"):
        r.report("R113", "a trace needs at least one source", place / "trace")
    return tuple(out)


def _kind(r: Reader, part: Mapping[str, Any], at: Place) -> str | None:
    kinds = [key for key in ("space", "piece") if key in part]
    if len(kinds) != 1:
        r.report("R113", "a source or relay is either a 'space' or a 'piece'", at)
        return None
    return kinds[0]


def _source(
    r: Reader, part: Mapping[str, Any], at: Place, kind: str, of: str, levels: Sequence[str], legs: list[str]
) -> Source:
    ask = r.ask(part[of], scope_of(kind).at(item(of)), at / of)
    there = Scope({"scenario": item("scenario"), "source": item(of)})
    split = part.get("split", False)
    if not isinstance(split, bool):
        r.malformed("true or false", split, at / "split")
    for key in ("weigh", "split"):
        if key in part and "capacity" not in part:
            r.report("R113", f"'{key}' has a meaning only beside 'capacity'", (at / key).key())
    return Source(
        id=str(part["source"]),
        kind=of,
        ask=ask,
        level=levels.index(part["level"]),
        legs=_in(r, part, at, legs),
        capacity=_amount(r, part, "capacity", there, at),
        weigh=_weigh(r, part, scope_of(kind) if split else scope_of(kind).bind("source", item(of)), at),
        split=split is True,
        section=part.get("section"),
    )


def _amount(r: Reader, part: Mapping[str, Any], key: str, scope: Scope, at: Place) -> Amount | None:
    return r.amount(part[key], scope, at / key) if key in part else None


def _weigh(r: Reader, part: Mapping[str, Any], scope: Scope, at: Place) -> Amount | None:
    """What one tracer weighs is asked of each by itself: it makes no classes by its parts."""
    before = set(r.paths)
    found = _amount(r, part, "weigh", scope, at)
    r.paths = before
    return found


def _in(r: Reader, part: Mapping[str, Any], at: Place, legs: list[str]) -> frozenset[str] | None:
    if "in" not in part:
        return None
    named = part["in"] if isinstance(part["in"], list) else [part["in"]]
    return frozenset(str(leg) for i, leg in enumerate(named) if known(r, "leg", leg, legs, at / "in" / i))


def read_relays(
    r: Reader,
    value: Mapping[str, Any],
    place: Place,
    kind: str,
    taken: Collection[str],
    only: Collection[str] | None = None,
) -> tuple[Relay, ...]:
    seen = {TRACER, *taken}
    out: list[Relay] = []
    for part, at in listed(r, value, "relays", ("relay",), place):
        id = str(part["relay"])
        if only is not None and id not in only:
            continue
        r.unknown_fields(part, ("relay", "space", "piece", "section", "note"), at)
        of = _kind(r, part, at)
        if of is not None and unique(r, "source or relay", id, seen, at / "relay"):
            out.append(Relay(id, of, r.ask(part[of], scope_of(kind).at(item(of)), at / of)))
    return tuple(out)


# The chain ------------------------------------------------------------------------------------------------------------


def read_chain(
    r: Reader,
    value: Mapping[str, Any],
    place: Place,
    lines: Sequence[Line],
    sources: Sequence[Source],
    relays: Sequence[Relay],
) -> tuple[Joint, ...]:
    """Which line joins what. Without `chain` the only line joins everything."""
    froms = [TRACER, *(relay.id for relay in relays)]
    ends = [*(source.id for source in sources), *(relay.id for relay in relays)]
    if "chain" not in value:
        if len(lines) > 1:
            message = "there are several lines, and no 'chain' says which is used where"
            r.report(
                "R113",
                message,
                (place / "lines").key(),
                '"chain": [{"from": ["tracer"], "to": […], "line": …}]',
            )
        return (Joint(tuple(froms), frozenset(ends), lines[0]),)
    by_name = {line.id: line for line in lines}
    out, before = [], len(r.findings)
    for part, at in listed(r, value, "chain", ("from", "to"), place):
        r.unknown_fields(part, ("from", "to", "line", "section", "note"), at)
        start = [id for i, id in _each(part["from"]) if known(r, "relay", id, froms, at / "from" / i)]
        to = [id for i, id in _each(part["to"]) if known(r, "source or relay", id, ends, at / "to" / i)]
        line = _line(r, part, by_name, at)
        if line is not None:
            out.append(Joint(tuple(start), frozenset(to), line))
    if len(r.findings) == before:
        _lint(r, out, froms, ends, place / "chain")
    return tuple(out)


def _each(value: object) -> list[tuple[int, str]]:
    return [(i, str(id)) for i, id in enumerate(value if isinstance(value, list) else [value])]


def _line(r: Reader, part: Mapping[str, Any], lines: Mapping[str, Line], at: Place) -> Line | None:
    if "line" not in part and len(lines) == 1:
        return next(iter(lines.values()))
    name = part.get("line")
    where = at / "line" if "line" in part else at
    return lines[str(name)] if known(r, "line", name, lines, where) else None


def _lint(r: Reader, chain: list[Joint], froms: list[str], ends: list[str], place: Place) -> None:
    """A source or relay that no line leads to, or a relay that leads nowhere, is of no use."""
    led_to = {id for joint in chain for id in joint.to}
    starts = {id for joint in chain for id in joint.froms}
    for id in ends:
        if id not in led_to:
            r.hints.append(
                warning(
                    "L109",
                    f"no line of the chain leads to '{id}'",
                    r.origin(place),
                    help=f"name '{id}' in a 'to', or remove it",
                )
            )
    for id in froms:
        if id not in starts:
            r.hints.append(
                warning(
                    "L109",
                    f"no line of the chain starts from '{id}'",
                    r.origin(place),
                    help=f"name '{id}' in a 'from'",
                )
            )
