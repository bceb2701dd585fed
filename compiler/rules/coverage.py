"""What the cases of a module exercise: its rules, exceptions, variants, branches and table cells.

In: a module. `measure` asks all its cases with a pack that notes what it uses. Out: of each thing that a case can
exercise whether one does, and for each case what it has used (which is how mutation finds the cases worth asking again).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from compiler.findings import Place
from compiler.model.types import Case, Module
from compiler.rules.cases import CaseResult, run_case
from compiler.rules.pack import RulePack, compile_rules
from compiler.rules.rule import Rule

KINDS = {
    "unless": "exceptions",
    "vary": "variants",
    "branch": "branches",
    "any": "alternatives",
    "cell": "table cells",
}
_MISSING = {
    "fires": "no case breaks the rule '{}'",
    "silent": "no case keeps the rule '{}'",
    "unless": "no case needs the exception '{}'",
    "vary": "no case brings about this variant of '{}'",
    "branch": "no case takes this branch of '{}'",
    "any": "no case fulfils this alternative of '{}'",
    "cell": "no case reads the cell {}",
}


@dataclass(frozen=True, slots=True)
class Goal:
    """Something that a case can exercise; `mark` is what the pack notes of it."""

    kind: str
    name: str
    mark: Any
    place: Place

    @property
    def words(self) -> str:
        return _MISSING[self.kind].format(self.name)


@dataclass(frozen=True, slots=True)
class Coverage:
    """`used` says of each case what it has used."""

    pack: RulePack
    goals: tuple[Goal, ...]
    results: tuple[tuple[Case, CaseResult], ...]
    used: Mapping[str, frozenset[Any]]

    @property
    def seen(self) -> set[Any]:
        return {mark for marks in self.used.values() for mark in marks}

    @property
    def missing(self) -> list[Goal]:
        seen = self.seen
        return [goal for goal in self.goals if goal.mark not in seen]

    def counts(self) -> dict[str, tuple[int, int]]:
        """Of each kind how many are exercised, and how many there are."""
        seen = self.seen
        out = {}
        for kind in _MISSING:
            marks = [goal.mark in seen for goal in self.goals if goal.kind == kind]
            out[kind] = (sum(marks), len(marks))
        return out


def measure(module: Module) -> Coverage:
    """Asks every case of the module."""
    noted: set[Any] = set()
    pack, _ = compile_rules(module, noted)
    used: dict[str, frozenset[Any]] = {}
    results = []
    for case in module.cases:
        noted.clear()
        results.append((case, run_case(pack, module, case)))
        used[case.id] = frozenset(noted)
    return Coverage(pack, tuple(_goals(pack)), tuple(results), used)


def _goals(pack: RulePack) -> Iterator[Goal]:
    for id, unit in pack.rules.items():
        place = unit.entry.place / "id"
        yield Goal("fires", id, ("fires", id), place)
        yield Goal("silent", id, ("silent", id), place)
        exceptions = {e.id: e.place for r in unit.built.values() if isinstance(r, Rule) for e in r.unless}
        for name, at in exceptions.items():
            yield Goal("unless", f"{id}/{name}", ("unless", id, name), at)
    units = {**{key[1]: unit for key, unit in pack.derives.items()}, **pack.rules}
    for name, unit in units.items():
        for variation in unit.vary:
            yield Goal("vary", name, ("vary", variation.place), variation.place)
        yield from _inside(name, unit.entry.value, unit.entry.place)
    for kind in ("selectors", "ways"):
        for name, part in pack.parts[kind].items():
            yield from _inside(name, part.value, part.place)
    for name, part in pack.parts["tables"].items():
        for keys, at in _cells(part.value, (), part.place):
            told = f"{' / '.join(map(str, keys))} of table '{name}'"
            yield Goal("cell", told, ("cell", name, keys), at)


def _inside(name: str, value: object, place: Place) -> Iterator[Goal]:
    """The branches of every `first` and the alternatives of every `any` inside an entry."""
    if isinstance(value, Mapping):
        listed, other = value.get("first"), value.get("any")
        branches = [place / "first" / i for i in range(len(listed))] if isinstance(listed, list) else []
        branches += [place / "else"] if branches and "else" in value else []
        yield from (Goal("branch", name, ("branch", at), at) for at in branches)
        ways = [place / "any" / i for i in range(len(other))] if isinstance(other, list) else []
        yield from (Goal("any", name, ("any", at), at) for at in ways)
        for key, inner in value.items():
            yield from _inside(name, inner, place / key)
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from _inside(name, inner, place / i)


def _cells(value: object, keys: tuple[str, ...], place: Place) -> Iterator[tuple[tuple[str, ...], Place]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key != "note":
                yield from _cells(inner, (*keys, key), place / key)
    else:
        yield keys, place
