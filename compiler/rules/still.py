"""Rules about the board alone: what no scenario can change needs to be judged in one scenario only."""

from __future__ import annotations

from compiler.model.types import Scenario
from compiler.rules.pack import Key, RulePack, Unit, reads_of

_MOVING = frozenset({"scenario", "piece", "arrival", "track"})
_CHANGING = frozenset(
    {("space", name) for name in ("controller", "held_by", "power", "side", "pieces", "arrivals")}
    | {("power", "pieces"), ("power", "arrivals"), ("side", "pieces"), ("counter", "pieces")}
)


def restated(scenario: Scenario) -> frozenset[Key] | None:
    """What a scenario says otherwise than the board does; None if it changes the map or the rules themselves."""
    if scenario.overrides or not scenario.state.keys().isdisjoint(("space", "link", "region")):
        return None
    values = ((kind, given) for kind, by_id in scenario.state.items() for given in by_id.values())
    found = {(kind, name) for kind, given in values for name in given}
    return frozenset(found | {("side", "powers")} if ("power", "side") in found else found)


def printed_reads(pack: RulePack, unit: Unit) -> frozenset[Key] | None:
    """Everything a rule reads, also through definitions, if all of it is printed on the board."""
    seen: set[Key] = set()
    todo = [unit]
    while todo:
        one = todo.pop()
        reads = reads_of(one)
        if one.vary or any(_changes(pack, key) for key in reads):
            return None
        todo += [pack.derives[key] for key in reads if key in pack.derives and key not in seen]
        seen |= reads
    return frozenset(seen)


def is_still(pack: RulePack, unit: Unit) -> bool:
    return printed_reads(pack, unit) is not None


def _changes(pack: RulePack, key: Key) -> bool:
    declared = pack.vocabulary.declared.get(key)
    is_fact = declared is not None and declared.fact
    return (
        key[0] in _MOVING
        or key in _CHANGING
        or key in pack.vocabulary.traces
        or key in pack.broken
        or is_fact
    )
