"""The counter mix: what is printed against what the game's list says, and against what scenarios use. Draws nothing."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Mapping
from typing import Any

from compiler.findings import Finding, Place, Related, error, warning
from compiler.model.types import Module, Scenario


def mix_findings(module: Module) -> list[Finding]:
    """First the sums, then each scenario."""
    return [*_mix(module), *_scenarios(module)]


def _at(module: Module, *keys: str) -> Place:
    place = module.place / "sheets"
    for key in keys:
        place = place / key
    return place


def _sheets(module: Module) -> Mapping[str, Any]:
    raw = module.raw.get("sheets")
    return raw if isinstance(raw, Mapping) else {}


def _mix(module: Module) -> Iterator[Finding]:
    mix = _sheets(module).get("mix")
    if not isinstance(mix, Mapping):
        return
    have: Tally[str] = Tally()
    for counter in module.counters.values():
        have["total"] += counter.printed or 0
        have[counter.power or "none"] += counter.printed or 0
    for key, wanted in mix.items():
        if key not in ("total", "none") and key not in module.powers:
            yield error("D332", f"the mix names '{key}', which is no power", _at(module, "mix", key).key(),
                        help=f"'total', 'none' or one of: {', '.join(module.powers)}")  # fmt: skip
        elif have[key] != wanted:
            whose = "in all" if key == "total" else "of nobody" if key == "none" else f"of '{key}'"
            yield error("D332", f"the mix has {wanted} counters {whose}, but {have[key]} are printed",
                        _at(module, "mix", key), help="correct 'printed' in counters/*.json, or the mix")  # fmt: skip


def _scenarios(module: Module) -> Iterator[Finding]:
    limit = _sheets(module).get("limit")
    if limit == "none":
        return
    say = error if limit == "counters" else warning
    for scenario in module.scenarios.values():
        used = Tally(piece.counter for piece in scenario.pieces)
        for id, count in used.items():
            counter = module.counters[id]
            if counter.printed is not None and count > counter.printed:
                message = f"the scenario '{scenario.id}' places {count} of '{id}', but {counter.printed} are printed"
                declared = Related(counter.place, "printed here")
                yield say("D333", message, _last(scenario, id), pieces=(id,), related=(declared,),
                          help="see 'vmodc explain D333' for games without such a limit")  # fmt: skip


def _last(scenario: Scenario, id: str) -> Place:
    """The placement that is one too many is among the last."""
    return [piece.place for piece in scenario.pieces if piece.counter == id][-1]
