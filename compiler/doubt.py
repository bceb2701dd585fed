"""Doubt: what a wrong name leaves uncertain, so that the rest can still be judged in the same run.

An entry with a wrong name is left out of the position. Whatever a rule says of the spaces, powers and types in that
entry may only follow from the gap, and is held back; everything else is said at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from compiler.findings import Finding, Place
from compiler.model.types import Module, Scenario

_LIMITS = frozenset({"N509", "N510", "N519"})  # more spaces, counters or pieces than can be judged


@dataclass(frozen=True, slots=True)
class Doubt:
    """`words` are the ids that stand in wrong entries. `total`: a mistake so large that nothing can be judged."""

    words: frozenset[str]
    total: bool

    def clears(self, finding: Finding, module: Module, scenario: Scenario) -> bool:
        """Whether the finding speaks only of things that no mistake touches."""
        if not self.words:
            return True
        if finding.code.startswith("G") and finding.code[1:].isdigit():
            return False
        if not self.words.isdisjoint((*finding.spaces, *finding.subject, *_owners(finding.subject, module))):
            return False
        return self.words.isdisjoint(_made_of(finding.pieces, module, scenario))


def doubt_of(errors: Iterable[Finding]) -> Doubt:
    """In: errors of shape and of names that can touch a scenario."""
    words: set[str] = set()
    total = False
    for finding in errors:
        entry = _entry(finding.place) if finding.place is not None else None
        total = total or entry is None or finding.code in _LIMITS
        words.update(_strings(entry))
    return Doubt(frozenset(words), total)


def _entry(place: Place) -> object:
    """The entry of a list that holds the mistake (of a group of links: the pair); None if it stands in no entry."""
    if len(place.path) < 2:
        return None
    trail = [place.document.value]
    for key in place.path:
        try:
            trail.append(trail[-1][key])  # type: ignore[index]
        except (LookupError, TypeError):
            break
    is_pair = place.path[2:3] == ("pairs",) and len(trail) > 4
    return [trail[4 if is_pair else min(2, len(trail) - 1)], place.path[1]]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        yield value.rpartition(" ")[2]  # "3 foot" speaks of foot
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _owners(subject: Collection[str], module: Module) -> set[str]:
    """The powers and types of counters that a finding speaks of as such: a wrong entry may be one of theirs."""
    counters = [module.counters[id] for id in subject if id in module.counters]
    return {word for counter in counters for word in (counter.power, counter.type) if word is not None}


def _made_of(pieces: Collection[str], module: Module, scenario: Scenario) -> set[str]:
    """The counters and types of some pieces."""
    wanted = set(pieces)
    counters = {p.counter for p in scenario.pieces if p.id in wanted}
    counters |= {a.counter for a in scenario.arrivals if a.id in wanted}
    return counters | {module.counters[c].type for c in counters}
