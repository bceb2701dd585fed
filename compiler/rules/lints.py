"""Lints: rule entries that are correct, and yet probably do not say what their author meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from compiler.findings import Finding, Place, note, warning
from compiler.model.types import Type

if TYPE_CHECKING:
    from compiler.rules.pack import RulePack

MANY = 1_000_000
_QUANTIFIERS = ("some", "none", "every", "count")


# Of the whole pack ----------------------------------------------------------------------------------------------------


def lint(pack: RulePack, used: set[tuple[str, str]] | None) -> Iterator[Finding]:
    """`used` are the named parts some entry refers to; None where an entry has errors, so that nobody knows."""
    for unit in pack.rules.values():
        if not unit.entry.value.get("section"):
            message = f"rule '{unit.id}' names no section of the rulebook"
            help = 'add "section", so that a finding can cite it'
            yield warning("L101", message, unit.entry.place / "id", help=help)
    yield from _products(pack)
    for kind, parts in pack.parts.items():
        for name, part in parts.items():
            if used is not None and (kind[:-1], name) not in used:
                message = f"{kind[:-1]} '{name}' is never used"
                yield warning("L106", message, part.place.key(), help="use it, or remove it")


def _products(pack: RulePack) -> Iterator[Finding]:
    """A rule whose bindings are not joined looks at every combination."""
    sizes = _sizes(pack)
    for unit in pack.rules.values():
        product = 1
        for binding in getattr(unit.plain, "bindings", ()):
            free = binding.kind is not None and binding.join is None
            product *= sizes.get(binding.kind, 10) if free else max(1, len(binding.words))
        if product > MANY:
            message = f"rule '{unit.id}' looks at {product:,} combinations"
            help = 'join the bindings, e.g. {"piece": {"space": "@other.space"}, "as": "…"}'
            yield warning("L105", message, unit.entry.place / "for", help=help)


def _sizes(pack: RulePack) -> dict[str, int]:
    module = pack.module
    return {
        "side": len(module.sides),
        "power": len(module.powers),
        "space": sum(len(found.spaces) for found in module.maps.values()),
        "link": 2 * sum(len(found.links) for found in module.maps.values()),
        "region": sum(len(found.regions) for found in module.maps.values()),
        "counter": len(module.counters),
        "track": len(module.tracks),
        "scenario": 1,
        "piece": max((len(s.pieces) for s in module.scenarios.values()), default=0),
        "arrival": max((len(s.arrivals) for s in module.scenarios.values()), default=0),
    }


# Of one match on a set ------------------------------------------------------------------------------------------------


def lint_set(value: object, of: Type, place: Place) -> Iterator[Finding]:
    """What is easily misread where a set is asked: lists, `every`, and a negation that asks for *some*."""
    name = str(place.path[-1]) if place.path else "the set"
    if isinstance(value, list) and len(value) > 1:
        message = f"a list on the set '{name}' means one of them, not all of them"
        help = 'for all of them write {"all": [{…}, {…}]}; to silence this note write {"some": […]}'
        yield note("L104", message, place, help=help)
    if not isinstance(value, dict):
        return
    if not any(key in _QUANTIFIERS for key in value):
        yield from _some_not(value, place, name)
    elif "every" in value and "some" not in value:
        message = f"'every' also holds when '{name}' is empty"
        help = 'if there must be at least one, add "some": true'
        yield note("L103", message, (place / "every").key(), help=help)


def _some_not(value: Mapping[str, Any], place: Place, name: str) -> Iterator[Finding]:
    for key, part in value.items():
        if key == "not" or (isinstance(part, dict) and set(part) == {"not"} and part["not"] is not None):
            message = f"this asks whether some member of '{name}' is not so; probably none may be so"
            yield warning("L102", message, (place / key).key(), help='write {"none": {…}} on the set')
