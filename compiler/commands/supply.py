"""`vmodc supply`: who traces a line in a scenario, by which path, or what stops it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from compiler.commands import CLEAN, Unusable
from compiler.commands.folders import folder
from compiler.commands.positions import position_named
from compiler.commands.sink import Write
from compiler.findings import Severity
from compiler.report.words import one_line
from compiler.suggest import did_you_mean

if TYPE_CHECKING:
    from compiler.model.types import Fixture, Module, Scenario
    from compiler.rules import RulePack, SupplyLine


def supply(name: str, scenario: str, of: str | None, trace: str | None, format: str, write: Write) -> int:
    """Prints every tracer, or those of one space, or one piece. What is asked for and not there is `Unusable`."""
    module, pack = checked(name)
    chosen, fixture = position_named(module, scenario)
    lines = _ask(pack, module, chosen, fixture, of, trace)
    if format == "json":
        write(json.dumps([_plain(line) for line in lines], ensure_ascii=False, indent=2) + "\n")
    else:
        for line in lines:
            write(_text(line))
        write(_summary(lines))
    return CLEAN


def checked(name: str) -> tuple[Module, RulePack]:
    """A module without errors that would make its answers wrong."""
    from compiler.check import check

    found = folder(name)
    result = check(found.path, found.shown_as, scenarios=())
    broken = any(f.severity is Severity.ERROR and f.code[:1] in "SJNR" for f in result.findings)
    if result.module is None or result.pack is None or broken:
        raise Unusable(f"'{name}' has errors; 'vmodc check {name}' tells them")
    return result.module, result.pack


def _ask(
    pack: RulePack,
    module: Module,
    scenario: Scenario,
    fixture: Fixture | None,
    of: str | None,
    trace: str | None,
) -> list[SupplyLine]:
    from compiler.rules import supply as ask
    from compiler.rules.trace.supply import traces_of

    names = traces_of(pack)
    if not names:
        raise Unusable("the module's rules trace nothing: there is no entry with 'trace'")
    if trace is not None and trace not in names:
        raise Unusable(
            f"there is no trace '{trace}'; {did_you_mean(trace, names) or 'there are: ' + ', '.join(names)}"
        )
    if of is not None:
        _check_item(module, scenario, fixture, of)
    return ask(pack, module, scenario, fixture, trace=trace, of=of)


def _check_item(module: Module, scenario: Scenario, fixture: Fixture | None, of: str) -> None:
    brought = [space.id for space in fixture.spaces] if fixture is not None else []
    known = [*module.spaces, *brought, *(piece.id for piece in scenario.pieces), *module.powers]
    if of not in known:
        near = did_you_mean(of, known)
        raise Unusable(
            f"'{of}' is no space and no piece of scenario '{scenario.id}'" + (f"; {near}" if near else "")
        )


# As text --------------------------------------------------------------------------------------------------------------


def _text(line: SupplyLine) -> str:
    where = f" in {line.space}" if line.space is not None and line.kind != "space" else ""
    head = f"{line.trace}: {line.tracer}{where}: {line.level or 'no answer'}"
    if line.together is not None and line.together != line.level:
        head += f" alone, {line.together} when all ask"
    told = line.problem or line.words
    return one_line(head) + f"\n    {one_line(told)}\n"


def _summary(lines: Sequence[SupplyLine]) -> str:
    out = []
    for trace in dict.fromkeys(line.trace for line in lines):
        own = [line.level or "no answer" for line in lines if line.trace == trace]
        counts = ", ".join(f"{own.count(level)} {level}" for level in dict.fromkeys(own))
        out.append(f"{trace}: {len(own)} traced: {counts}\n")
    return "".join(out) or "nothing traces a line here\n"


# As JSON --------------------------------------------------------------------------------------------------------------


def _plain(line: SupplyLine) -> dict[str, Any]:
    """Every field that says something; costs are numbers, or text where no decimal is exact."""
    path = [
        {"space": s.space, "leg": s.leg, "cost": _number(s.cost), "line": s.line, "relay": s.relay}
        for s in line.path
    ]
    stops = [
        {
            "space": s.space,
            "reason": s.reason,
            "cost": _number(s.cost),
            "way": list(s.way),
            "away": s.away,
            "end": s.end or None,
        }
        for s in line.stops
    ]
    out = {
        "trace": line.trace, "tracer": line.tracer, "kind": line.kind, "space": line.space, "level": line.level,
        "failed": line.failed, "together": line.together, "source": line.source, "cost": _number(line.cost),
        "budget": _number(line.budget), "granted": line.granted, "path": path, "stops": stops, "problem": line.problem,
    }  # fmt: skip
    return {key: value for key, value in out.items() if value is not None and value != []}


def _number(value: object) -> object:
    from compiler.rules.words import plain

    if not isinstance(value, Fraction):
        return value
    told = plain(value)
    return told if "/" in told else int(told) if value.denominator == 1 else float(told)
