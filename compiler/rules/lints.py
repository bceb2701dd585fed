"""Lints: rule entries that are correct, and yet probably do not say what their author meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from compiler.findings import Finding, Place, note, warning
from compiler.model.types import KINDS, Type
from compiler.rules.vocabulary import item, member

if TYPE_CHECKING:
    from compiler.rules.pack import RulePack

QUANTIFIERS = ("some", "none", "every", "count")


def lint(pack: RulePack, used: set[tuple[str, str]]) -> list[Finding]:
    """`used` are the named parts some entry refers to."""
    found: list[Finding] = []
    for unit in [*pack.derives.values(), *pack.rules.values()]:
        found += _sections(unit.entry.value, unit.entry.place)
        found += _selectors(pack, unit.entry.value, unit.entry.place)
    found += _products(pack)
    for kind, parts in pack.parts.items():
        for name, part in parts.items():
            if (kind[:-1], name) not in used and not _liked(pack, name):
                found.append(
                    warning("L106", f"{kind[:-1]} '{name}' is never used", part.place.key(), help="remove it")
                )
    return found


def _liked(pack: RulePack, name: str) -> bool:
    return any(
        isinstance(p.value, Mapping) and p.value.get("like") == name for p in pack.parts["ways"].values()
    )


def _sections(value: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    if "id" in value and not value.get("section"):
        yield warning(
            "L101",
            f"rule '{value['id']}' names no section of the rulebook",
            place / "id",
            help='add "section", so that a finding can cite it',
        )


def _selectors(pack: RulePack, value: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    """Walks every selector of an entry, following types where they are plain to see."""
    kind = value.get("on")
    if kind in KINDS:
        for key in ("if", "holds"):
            yield from _walk(pack, value.get(key), item(str(kind)), place / key)
        for i, part in enumerate(_list(value.get("collect"))):
            yield from _walk(
                pack,
                _get(part, "if"),
                _iterated(pack, _get(part, "each"), str(kind)),
                place / "collect" / i / "if",
            )
    first: Type | None = None
    for i, binding in enumerate(_list(value.get("for"))):
        bound = next((k for k in binding if k in KINDS), None) if isinstance(binding, Mapping) else None
        if bound:
            first = first or item(bound)
            yield from _walk(pack, binding[bound], item(bound), place / "for" / i / bound)
    yield from _walk(pack, value.get("must"), first, place / "must")


def _walk(pack: RulePack, value: object, at: Type | None, place: Place) -> Iterator[Finding]:
    if not isinstance(value, Mapping) or at is None or at.kind is None:
        return
    for key, part in value.items():
        here = place / key
        if key in ("all", "any"):
            for i, sub in enumerate(_list(part)):
                yield from _walk(pack, sub, at, here / i)
        elif key == "not":
            yield from _walk(pack, part, at, here)
        elif not key.startswith("@"):
            type = _path(pack, at, key)
            if type is not None and type.is_set:
                yield from _set(pack, part, type, here, key)
            elif type is not None:
                yield from _walk(pack, part, type, here)


def _set(pack: RulePack, value: object, type: Type, place: Place, name: str) -> Iterator[Finding]:
    of = member(type)
    if isinstance(value, list) and len(value) > 1:
        yield note(
            "L104",
            f"a list on the set '{name}' means one of them, not all of them",
            place,
            help='for all of them write {"all": [{…}, {…}]}; to silence this note write {"some": […]}',
        )
    if not isinstance(value, Mapping):
        return
    if not any(key in QUANTIFIERS for key in value):
        yield from _some_not(value, place, name)
        yield from _walk(pack, value, of, place)
        return
    if "every" in value and "some" not in value:
        yield note(
            "L103",
            f"'every' also holds when '{name}' is empty",
            place / "every",
            help='if there must be at least one, add "some": true',
        )
    for key in QUANTIFIERS:
        if isinstance(value.get(key), Mapping):
            yield from _walk(pack, value[key], of, place / key)


def _some_not(value: Mapping[str, Any], place: Place, name: str) -> Iterator[Finding]:
    for key, part in value.items():
        if key == "not" or (isinstance(part, Mapping) and set(part) == {"not"} and part["not"] is not None):
            yield warning(
                "L102",
                f"this asks whether some member of '{name}' is not so; probably none may be so",
                place / key,
                help='write {"none": {…}} on the set',
            )


def _products(pack: RulePack) -> Iterator[Finding]:
    """A rule whose bindings are not joined looks at every combination."""
    sizes = {
        "space": len(pack.module.spaces),
        "counter": len(pack.module.counters),
        "power": len(pack.module.powers),
    }
    sizes["piece"] = max((len(s.pieces) for s in pack.module.scenarios.values()), default=0)
    for unit in pack.rules.values():
        rule = unit.built.get(((), None))
        product = 1
        for binding in getattr(rule, "bindings", ()):
            product *= (
                sizes.get(binding.kind or "", 10) if binding.join is None and binding.ref is None else 10
            )
        if product > 1_000_000:
            yield warning(
                "L105",
                f"rule '{unit.id}' looks at {product:,} combinations",
                unit.entry.place / "for",
                help='join the bindings, e.g. {"piece": {"space": "@other.space"}}',
            )


def _path(pack: RulePack, at: Type, key: str) -> Type | None:
    type: Type | None = at
    for name in key.split("."):
        if type is None or type.kind is None or type.is_set:
            return None
        type = pack.vocabulary.type_of(type.kind, name)
    return type


def _iterated(pack: RulePack, source: object, owner: str) -> Type | None:
    if source in KINDS:
        return item(str(source))
    if isinstance(source, str) and source.startswith("@self."):
        found = _path(pack, item(owner), source.removeprefix("@self."))
        return member(found) if found else None
    return None


def _get(value: object, key: str) -> Any:
    return value.get(key) if isinstance(value, Mapping) else None


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
