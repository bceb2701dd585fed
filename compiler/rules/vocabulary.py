"""What can be read of each kind of item, and of which type it is: the ground all rule checks stand on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from compiler.model.types import KINDS, Attribute, Module, Type

TEXT, NUMBER, BOOL, DATE, TABLE = Type("text"), Type("number"), Type("bool"), Type("date"), Type("table")


@cache
def item(kind: str) -> Type:
    return Type("item", kind=kind)


def set_of(base: Type) -> Type:
    return Type(base.base, base.words, base.kind, True)


def member(of: Type) -> Type:
    return Type(of.base, of.words, of.kind, False)


_BUILT_IN: dict[str, dict[str, Type]] = {
    "scenario": {"id": TEXT, "date": DATE, "turn_of": item("power"), "weather": TABLE},
    "side": {"enemies": set_of(item("side")), "powers": set_of(item("power")), "pieces": set_of(item("piece"))},
    "power": {
        "side": item("side"), "capital": item("space"), "at_war": set_of(item("power")),
        "pieces": set_of(item("piece")), "arrivals": set_of(item("arrival")),
    },
    "region": {"kind": TEXT, "owner": item("power"), "spaces": set_of(item("space"))},
    "space": {
        "kind": TEXT, "terrain": TEXT, "regions": set_of(item("region")), "controller": item("power"),
        "held_by": item("side"), "power": item("power"), "side": item("side"), "pieces": set_of(item("piece")),
        "arrivals": set_of(item("arrival")), "links_out": set_of(item("link")), "links_in": set_of(item("link")),
        "neighbours": set_of(item("space")),
    },
    "link": {"id": TEXT, "kind": TEXT, "tags": set_of(TEXT), "from": item("space"), "to": item("space")},
    "piece": {
        "counter": item("counter"), "power": item("power"), "side": item("side"), "space": item("space"),
        "aboard": item("piece"), "cargo": set_of(item("piece")), "steps": NUMBER, "face": TEXT,
    },
    "arrival": {
        "counter": item("counter"), "power": item("power"), "side": item("side"), "due": DATE, "at": item("space"),
        "from": item("space"), "plan": Type("word", ("buy", "place")), "aboard": item("piece"),
        "steps": NUMBER, "face": TEXT,
    },
    "track": {"kind": TEXT, "owner": item("power"), "value": NUMBER},
    "counter": {"power": item("power"), "printed": NUMBER, "pieces": set_of(item("piece"))},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Types of all attributes (built in, declared, derived) and the ids that exist.

    `open` are the kinds whose ids cannot be known beforehand; `broken` are definitions whose type is not known, `traces`
    those that have a path.
    """

    types: Mapping[tuple[str, str], Type]
    declared: Mapping[tuple[str, str], Attribute]
    ids: Mapping[str, frozenset[str]]
    dates: Mapping[str, int]
    open: frozenset[str]
    broken: frozenset[tuple[str, str]] = frozenset()
    traces: frozenset[tuple[str, str]] = frozenset()

    def type_of(self, kind: str, name: str) -> Type | None:
        return self.types.get((kind, name))

    def words_of(self, type: Type) -> set[str] | None:
        """All that a value of the type can be, as a table writes it; None where nobody can say."""
        if type.base == "word":
            return set(type.words)
        if type.base == "bool":
            return {"true", "false"}
        if type.base == "date":
            return set(self.dates)
        if type.base == "item" and type.kind is not None and type.kind not in self.open:
            return set(self.ids[type.kind])
        return None

    def names(self, kind: str) -> list[str]:
        return sorted(name for k, name in self.types if k == kind)

    def with_derived(
        self, derived: Mapping[tuple[str, str], Type], broken: frozenset[tuple[str, str]]
    ) -> Vocabulary:
        return replace(self, types={**self.types, **derived}, broken=broken)


def vocabulary_of(module: Module) -> Vocabulary:
    types: dict[tuple[str, str], Type] = {
        (kind, name): type for kind, names in _BUILT_IN.items() for name, type in names.items()
    }
    words = _word_types(module)
    types.update(words)
    for (kind, name), attribute in module.vocabulary.items():
        types[kind, name] = attribute.type
        if kind == "piece":
            types.setdefault(("arrival", name), attribute.type)
    ids: dict[str, Iterable[str]] = {
        "side": module.sides, "power": module.powers, "space": module.spaces, "track": module.tracks,
        "counter": module.counters, "region": (r.id for m in module.maps.values() for r in m.regions),
        "link": (link.id for m in module.maps.values() for link in m.links if link.id),
        "piece": (p.id for s in module.scenarios.values() for p in s.pieces),
    }  # fmt: skip
    every = {kind: frozenset(ids.get(kind, ())) for kind in KINDS}
    dates = {turn: n for n, turn in enumerate(module.sequence.turns)}
    unseen = ("piece", "arrival") if module.maps else ("piece", "arrival", "space", "region", "link")
    return Vocabulary(types, module.vocabulary, every, dates, frozenset(unseen))


def _word_types(module: Module) -> dict[tuple[str, str], Type]:
    """Built-in attributes whose words the module itself lists elsewhere."""
    unit_types = Type("word", tuple(module.types))
    out = {("piece", "type"): unit_types, ("arrival", "type"): unit_types, ("counter", "type"): unit_types}
    out["space", "map"] = Type("word", tuple(module.maps))
    out["scenario", "phase"] = Type(
        "word", tuple(part.id for phase in module.sequence.phases for part in (phase, *phase.parts))
    )
    out["scenario", "moment"] = Type("word", module.sequence.moments)
    out["scenario", "options"] = set_of(Type("word", tuple(module.options)))
    return out
