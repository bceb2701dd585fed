"""A trace read back in words, from what was compiled."""

from __future__ import annotations

from compiler.rules.terms import Constant
from compiler.rules.trace.parts import TRACER, Ask, Gate, Joint, Leg, Line, Source, Trace, Way
from compiler.rules.words import joined, show


def said(trace: Trace) -> list[str]:
    """One sentence for each thing that the trace says."""
    if trace.joint:
        return [
            f"The level of '{trace.name}' when all tracers share what is limited: best levels first, then by id."
        ]
    only = "" if trace.condition is None else f" where {trace.condition.words}"
    best = ", ".join(trace.levels[:-1])
    lines = [f"Each {trace.kind}{only} gets one of {best}, or else '{trace.levels[-1]}'."]
    for grant in trace.grants:
        cite = f" ({grant.section})" if grant.section else ""
        lines.append(f"Without a line '{trace.levels[grant.level]}', when {grant.condition.words}{cite}.")
    if trace.start is not None:
        lines.append(f"A line starts only from a space where {trace.start.selector.words}.")
    for line in trace.lines:
        lines += _line(line, named=len(trace.lines) > 1)
    lines += [_source(trace, source) for source in trace.sources]
    for relay in trace.relays:
        lines.append(f"Relay '{relay.id}' passes on what it gets itself: a {relay.kind}{_where(relay.ask)}.")
    if trace.relays or len(trace.lines) > 1:
        lines += [_joint(joint, len(trace.lines) > 1) for joint in trace.chain]
    for count in trace.counts:
        legs = [leg.id for line in trace.lines for leg in line.legs if trace.counts.index(count) in leg.count]
        what = f"a change into leg '{legs[0]}'" if legs else "a link"
        which = f" where {count.cross.selector.words}" if count.cross is not None else ""
        lines.append(f"In the whole chain {what}{which} at most {count.at_most} times.")
    for flag in trace.flags:
        order = ", ".join(show(value) for value in flag.values)
        lines.append(
            f"@path.{flag.id} is the worst of {flag.of.term.words} over the spaces of a leg ({order})."
        )
    if trace.relays:
        lines.append(
            f"Every condition is asked for the {'item a line starts from' if trace.by_relay else 'tracer'}."
        )
    return lines


def _where(ask: Ask) -> str:
    return "" if ask.is_open else f" where {ask.selector.words}"


def _line(line: Line, named: bool) -> list[str]:
    budget = f", in all at most {line.budget.term.words}" if line.budget is not None else ""
    name = f" '{line.id}'" if named else ""
    out = [f"A line{name} goes{budget}:"]
    return out + [f"  {n}. {_leg(leg)}" for n, leg in enumerate(line.legs, 1)]


def _leg(leg: Leg) -> str:
    optional = " (may be left out)" if leg.optional else ""
    begin = "" if leg.begin.is_open else f", beginning where {leg.begin.selector.words}"
    limit = f", at most {leg.at_most.term.words}" if leg.at_most is not None else ""
    gate = "" if leg.gate is None else f", {_gate(leg.gate)}"
    return f"'{leg.id}'{optional}{begin}{limit}{gate}: {_way(leg.way)}"


def _gate(gate: Gate) -> str:
    often = f", which serves {gate.capacity.term.words} times" if gate.capacity is not None else ""
    unless = f" (not needed when {gate.unless.words})" if gate.unless is not None else ""
    return f"through a piece{_where(gate.piece)}{often}{unless}"


def _way(way: Way) -> str:
    parts = [f"over links{_where(way.links)}"]
    parts += [] if way.enter.is_open else [f"into spaces where {way.enter.selector.words}"]
    parts += [] if way.go_on.is_open else [f"going on only from spaces where {way.go_on.selector.words}"]
    cost = way.cost.term
    plain = isinstance(cost, Constant)
    parts.append(f"at {cost.words} a step" if plain else f"at {cost.words}")
    return ", ".join(parts)


def _source(trace: Trace, source: Source) -> str:
    legs = "" if source.legs is None else f", reached in leg {joined(sorted(source.legs), 'or')}"
    limit = ""
    if source.capacity is not None:
        by = f", counted by {source.weigh.term.words}" if source.weigh is not None else ""
        several = ", several together if need be" if source.split else ""
        limit = f", each for at most {source.capacity.term.words}{by}{several}"
    return f"Source '{source.id}' gives '{trace.levels[source.level]}': a {source.kind}{_where(source.ask)}{legs}{limit}."


def _joint(joint: Joint, named: bool) -> str:
    line = f" by line '{joint.line.id}'" if named else ""
    start = joined(("the tracer" if id == TRACER else f"'{id}'" for id in joint.froms), "or")
    ends = joined((repr(id) for id in sorted(joint.to)), "or")
    return f"From {start} to {ends}{line}."
