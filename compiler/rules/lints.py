"""Lints: rule entries that are correct, and yet probably do not say what their author meant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from compiler.findings import Finding, Place, note, warning
from compiler.model.types import Module, Type
from compiler.suggest import did_you_mean

if TYPE_CHECKING:
    from compiler.rules.pack import RulePack

MANY = 1_000_000
_QUANTIFIERS = ("some", "none", "every", "count")


# Of the whole pack ----------------------------------------------------------------------------------------------------


Rows = Mapping[tuple[str, int], set[str] | None]


def lint(pack: RulePack, used: set[tuple[str, str]] | None, rows: Rows) -> Iterator[Finding]:
    """`used` are the named parts some entry refers to; None where an entry has errors, so that nobody knows.

    `rows` says of a table by which words it is looked up at each depth (None: by anything).
    """
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
    if used is not None:
        yield from _rows(pack, rows)
        yield from _never_set(pack)
    yield from _on_the_way(pack)


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


def _rows(pack: RulePack, rows: Rows) -> Iterator[Finding]:
    for name, part in pack.parts["tables"].items():
        found = list(_unreached(name, part.value, 0, rows, part.place))
        if found and not _is_asked(pack.module, name):  # a question may look anything up
            yield from found


def _is_asked(module: Module, name: str) -> bool:
    """Whether a case's question speaks of it."""
    return any(f'"{name}"' in json.dumps(case.ask, default=str) for case in module.cases)


def _unreached(name: str, value: object, depth: int, rows: Rows, place: Place) -> Iterator[Finding]:
    known = rows.get((name, depth))
    for key, inner in value.items() if isinstance(value, Mapping) else ():
        if key == "note":
            continue
        if known is not None and key not in known:
            message = f"nothing that table '{name}' is looked up by is ever '{key}'"
            help = did_you_mean(key, known) or "take the row out"
            yield warning("L110", message, (place / key).key(), help=help)
        else:
            yield from _unreached(name, inner, depth + 1, rows, place / key)


def _never_set(pack: RulePack) -> Iterator[Finding]:
    """Attributes that rules read and that nothing in any file has."""
    from compiler.rules.pack import reads_of

    for key, attribute in pack.module.vocabulary.items():
        if attribute.place is None or attribute.has_default or attribute.fact or _is_set(pack.module, key):
            continue
        if any(key in reads_of(unit) for unit in (*pack.rules.values(), *pack.derives.values())):
            message = f"rules read {key[0]}.{key[1]}, and nothing ever sets it"
            help = "set it somewhere, give it a default, or leave it out of the rules"
            yield note("L112", message, attribute.place.key(), help=help)


def _is_set(module: Module, key: tuple[str, str]) -> bool:
    """Whether a file says it, a hex has it by its terrain, or a counter by its type."""
    kind, name = key
    if key in module.given:
        return True
    if kind == "space":
        return any(name in space.values for found in module.maps.values() for space in found.spaces)
    return kind == "counter" and ("piece", name) in module.given


_MANY_OF = frozenset({"piece", "space", "link", "arrival", "counter", "power", "region", "track"})
_ON_THE_WAY = ("start", "legs", "lines", "sources", "relays")


def _on_the_way(pack: RulePack) -> Iterator[Finding]:
    """Iterations over all items of a kind inside what is asked of every space that a line comes to."""
    seen: set[str] = set()
    found: list[tuple[str, Place]] = []
    for part in pack.parts["ways"].values():
        found += _iterated(pack, part.value, part.place, seen)
    for entry in pack.module.rules:
        if "trace" in entry.value:
            for key in _ON_THE_WAY:
                found += _iterated(pack, entry.value.get(key), entry.place / key, seen)
    for kind, place in found:
        message = f"this goes through every {kind} for each space that a line comes to"
        help = "derive it once, on the scenario's powers or sides, and read that here"
        yield note("L111", message, place, help=help)


def _iterated(pack: RulePack, value: object, place: Place, seen: set[str]) -> Iterator[tuple[str, Place]]:
    if isinstance(value, list):
        for i, inner in enumerate(value):
            yield from _iterated(pack, inner, place / i, seen)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key in ("count", "each") and isinstance(inner, str) and inner in _MANY_OF:
                yield inner, place / key
            elif key == "use":
                yield from _used(pack, inner, seen)
            else:
                yield from _iterated(pack, inner, place / key, seen)


def _used(pack: RulePack, names: object, seen: set[str]) -> Iterator[tuple[str, Place]]:
    for name in names if isinstance(names, list) else [names]:
        part = pack.parts["selectors"].get(name) if isinstance(name, str) else None
        if part is not None and str(name) not in seen:
            seen.add(str(name))
            yield from _iterated(pack, part.value, part.place, seen)


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
