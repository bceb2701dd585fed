"""Rules about the board alone: what no scenario can change needs to be judged in one scenario only."""

from __future__ import annotations

from compiler.model.types import Scenario
from compiler.rules.pack import Key, RulePack, Unit, reads_of

_MOVING = frozenset({"scenario", "piece", "arrival", "track"})
_CHANGING = frozenset(
    {("space", name) for name in ("controller", "held_by", "power", "side", "pieces", "arrivals")}
    | {("power", "pieces"), ("power", "arrivals"), ("side", "pieces"), ("counter", "pieces")}
)


def is_plain(scenario: Scenario) -> bool:
    """Whether a scenario leaves the board as the map has it."""
    return not scenario.state and not scenario.overrides


def is_still(pack: RulePack, unit: Unit) -> bool:
    """Whether everything a rule reads, also through definitions, is printed on the board."""
    seen: set[Key] = set()
    todo = [unit]
    while todo:
        one = todo.pop()
        if one.vary or any(_changes(pack, key) for key in reads_of(one)):
            return False
        new = [key for key in reads_of(one) if key in pack.derives and key not in seen]
        seen.update(new)
        todo += [pack.derives[key] for key in new]
    return True


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
