"""Who is in supply, by which path, or what stops it: the answers of all traces on a scenario, in plain values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compiler.model.types import Fixture, Module, Scenario
from compiler.rules.items import Broken, Item, Number, Position, Trouble, Unknown
from compiler.rules.trace.parts import Trace, stands
from compiler.rules.trace.run import Run
from compiler.rules.trace.stops import Stop
from compiler.rules.trace.told import Evidence, Step, evidence
from compiler.rules.words import with_article

if TYPE_CHECKING:
    from compiler.rules.pack import RulePack


@dataclass(frozen=True, slots=True)
class SupplyLine:
    """One tracer. `together` is its level when capacities are shared, or None where nothing is.

    It has a path (with the source it leads to), or `granted` says by which section it needs none, or `stops` say what is in
    the way. `problem` is why there is no answer at all.
    """

    trace: str
    tracer: str
    kind: str
    space: str | None
    level: str | None
    failed: bool = False
    together: str | None = None
    path: tuple[Step, ...] = ()
    source: str | None = None
    cost: Number | None = None
    budget: Number | None = None
    granted: str | None = None
    stops: tuple[Stop, ...] = ()
    words: str = ""
    problem: str | None = None


def supply(
    pack: RulePack,
    module: Module,
    scenario: Scenario,
    fixture: Fixture | None = None,
    trace: str | None = None,
    of: str | None = None,
) -> list[SupplyLine]:
    """Every tracer of every trace; with `trace` of that one only, with `of` only the item or the pieces of the space."""
    from compiler.rules.judge import position_of

    world = position_of(pack, scenario, fixture)
    off = {override.rule for override in scenario.overrides if override.off}
    out: list[SupplyLine] = []
    for (_, name), made in pack.traces(world, scenario).items():
        unit_id = next(unit.id for (_, n), unit in pack.derives.items() if n == name)
        if unit_id not in off and (trace is None or name == trace):
            out += _lines(world, made, of)
    world.let_go()
    return out


def traces_of(pack: RulePack) -> list[str]:
    """The names of a pack's traces."""
    found = (unit.plain for unit in pack.derives.values())
    return [made.name for made in found if isinstance(made, Trace) and not made.joint]


def _lines(world: Position, made: object, of: str | None) -> Iterator[SupplyLine]:
    try:
        trace: Trace = made()  # type: ignore[operator]
    except Broken:
        return
    if trace.joint:
        return
    run = trace.run(world)
    for item in world.all(trace.kind):
        if of is None or of in (item.id, getattr(stands(item), "id", None)):
            line = supply_line(run, item)
            if line is not None:
                yield line


def supply_line(run: Run, item: Item) -> SupplyLine | None:
    """The answer for one item; None if it does not trace."""
    space = stands(item)
    where = (run.trace.name, item.id, item.kind, space.id if space is not None else None)
    try:
        found = evidence(run, item)
        if found is None:
            return None
        return _line(where, found, _together(run, item))
    except Unknown as unknown:
        reason = f"needs '{unknown.name}' of {with_article(unknown.kind)}, which is not stated"
    except (Trouble, Broken) as problem:
        reason = str(problem) or "a definition it reads has errors"
    return SupplyLine(*where, None, problem=reason)


def _together(run: Run, item: Item) -> str | None:
    if not run.trace.together:
        return None
    try:
        return run.level_together(item)
    except Unknown:
        return "undecided"


def _line(where: tuple[str, str, str, str | None], found: Evidence, together: str | None) -> SupplyLine:
    return SupplyLine(
        *where,
        found.level,
        failed=found.level == found.failure,
        together=together,
        path=found.path,
        source=found.source.id if found.source is not None else None,
        cost=found.cost,
        budget=found.budget,
        granted=(found.grant.section or "granted") if found.grant is not None else None,
        stops=found.stops,
        words=found.words,
    )
