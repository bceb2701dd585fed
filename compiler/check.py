"""The whole check of one module: source → schema → model → rules.

In: a module's folder. Out: the typed module and its rule pack as far as they could be made, and every finding of every
pass in the order of the files. Bad input never raises. Nothing is kept between two calls.
"""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from compiler.doubt import doubt_of
from compiler.findings import Finding, Place, Severity
from compiler.findings import Path as Steps
from compiler.model import DECLARING, build
from compiler.model.types import Module, Scenario
from compiler.rules import RulePack, compile_rules, judge
from compiler.schema import misspelt, validate
from compiler.source import read
from compiler.source.document import Document

# Mistakes in these files cannot make a scenario of another file look wrong.
_HARMLESS = frozenset({"scenario", "cases", "chart", "text"})
_STAND_INS = frozenset({"S121", "S131", "S132"})  # the author's value is not the one that is read on
_LITTER = 200_000  # things of judged scenarios that lie about before they are swept up: bounds the memory of large maps
_CAUSES = ("S", "J", "H", "N1", "N2", "N3", "N533")
_OF_WORDS = ("R117", "R101", "R105")  # a placeholder that there is not
_CONSEQUENCES = frozenset({"N401", "N402", "N403", "N404", "N511", "T103", "T106", "T108"})


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`judged` names the scenarios whose rules were run. Of what a wrong name leaves in doubt nothing is said by rules."""

    module: Module | None
    pack: RulePack | None
    findings: list[Finding]
    judged: tuple[str, ...] = ()


def check(
    root: Path, shown_as: str, scenarios: Collection[str] | None = None, more: Collection[Document] = ()
) -> CheckResult:
    """Everything there is to say about the module in `root`. With `scenarios`, the rules are run on these only.

    `more` are documents that count as files of the module although they lie elsewhere: a saved game as a scenario.
    """
    with no_sweeping():
        return _check(root, shown_as, scenarios, more)


@contextmanager
def no_sweeping() -> Iterator[None]:
    """A check makes many things and drops nearly none: looking for garbage meanwhile is a tenth of its time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _check(
    root: Path, shown_as: str, scenarios: Collection[str] | None, more: Collection[Document]
) -> CheckResult:
    docs, findings = read(root, shown_as)
    docs |= {document.path: document for document in more}
    unread = _unread(docs, findings)
    stand_ins = [f for f in findings if f.code in _STAND_INS]
    shape = _not_said_twice((f for document in docs.values() for f in _shape(document)), stand_ins)
    meant = misspelt(shape)
    module, names = build(docs, root, unread, meant)
    findings += [*shape, *_not_said_twice(names, [*shape, *stand_ins])]
    if module is None or not _rules_can_run(unread, findings, meant & DECLARING):
        return CheckResult(module, None, _in_order(_without_consequences(findings)))
    pack, about_rules = compile_rules(module)
    findings += _of_whole_entries(about_rules, shape)
    judged: list[str] = []
    grave = list(_grave(findings))
    for scenario in _wanted(module, scenarios):
        doubt = doubt_of(_touching(module, scenario, grave))
        if not doubt.total:
            found = judge(pack, module, scenario).findings
            findings += [f for f in found if doubt.clears(f, module, scenario)]
            judged.append(scenario.id)
        if gc.get_count()[0] > _LITTER:
            gc.collect()
    return CheckResult(module, pack, _in_order(_without_consequences(findings)), tuple(judged))


def _shape(document: Document) -> list[Finding]:
    return validate(document.kind, document) if document.kind is not None else []


def _unread(docs: dict[str, Document], findings: Iterable[Finding]) -> list[Document]:
    """The files of the module that could not be used: those with findings that are not among the documents."""
    found = {f.place.document for f in findings if f.place is not None and f.severity is Severity.ERROR}
    return [document for document in found if document.kind is not None and document.path not in docs]


def _not_said_twice(findings: Iterable[Finding], earlier: Iterable[Finding]) -> list[Finding]:
    """Where an earlier pass has complained of a value, a later one's word on it would be the same fact again."""
    said = {(f.place.document, f.place.path) for f in earlier if f.place is not None}
    return [f for f in findings if f.place is None or (f.place.document, f.place.path) not in said]


def _of_whole_entries(findings: Iterable[Finding], shape: Iterable[Finding]) -> list[Finding]:
    """What the rules pass says of entries whose form is right. Of the others the schema has spoken."""
    said = {(f.place.document, f.place.path[:2]) for f in shape if f.place is not None}
    return [f for f in findings if f.place is None or (f.place.document, f.place.path[:2]) not in said]


def _without_consequences(findings: Sequence[Finding]) -> Sequence[Finding]:
    """While names are wrong, others only seem to be unused: that is said when they are right.

    Nor is a translation blamed for differing from words that are wrong themselves.
    """
    wrong = {(f.place.document, f.place.path) for f in findings if f.code in _OF_WORDS and f.place}
    findings = [f for f in findings if f.code != "T104" or _original(f) not in wrong]
    if not any(f.code.startswith(_CAUSES) for f in _grave(findings)):
        return findings
    return [f for f in findings if f.code not in _CONSEQUENCES]


def _original(finding: Finding) -> tuple[Document, Steps] | None:
    """Where the words stand that a translation differs from."""
    first = next(iter(finding.related), None)
    return (first.place.document, first.place.path) if first else None


def _rules_can_run(
    unread: Iterable[Document], findings: Iterable[Finding], lost: Iterable[tuple[str, str]]
) -> bool:
    """Rules are checked against the vocabulary and the names of all files: those must be whole."""
    kinds = (*(document.kind for document in unread), *(kind for kind, _ in lost))
    whole = all(kind in _HARMLESS for kind in kinds)
    return whole and not any(_kind(finding) == "module" for finding in _grave(findings))


def _touching(module: Module, scenario: Scenario, grave: Iterable[Finding]) -> Iterable[Finding]:
    """The mistakes that leave something of this scenario uncertain: its own, those of what it is like, the map's …"""
    own = _documents(module, scenario)
    return (f for f in grave if f.place is None or f.place.document in own or _kind(f) not in _HARMLESS)


def _documents(module: Module, scenario: Scenario) -> set[Document]:
    found: set[Document] = set()
    above: Scenario | None = scenario
    while above is not None and above.place.document not in found:
        found.add(above.place.document)
        value = above.place.document.value
        above = module.scenarios.get(str(value.get("like"))) if isinstance(value, dict) else None
    return found


def _grave(findings: Iterable[Finding]) -> Iterable[Finding]:
    """Errors of shape and names. A missing text or a faulty rule is no reason to leave the others unjudged."""
    return (
        f for f in findings if f.severity is Severity.ERROR and f.code[:1] in "SJNH" and f.code[1:].isdigit()
    )


def _kind(finding: Finding) -> str | None:
    return finding.place.document.kind if finding.place is not None else None


def _wanted(module: Module, scenarios: Collection[str] | None) -> list[Scenario]:
    return [s for s in module.scenarios.values() if scenarios is None or s.id in scenarios]


def _in_order(findings: Sequence[Finding]) -> list[Finding]:
    """By file, and inside a file in the order of its values; each finding once."""
    order = _Order()
    once = {(f.code, f.message, f.place, f.subject): f for f in findings}
    return sorted(once.values(), key=order.of)


class _Order:
    """Where a value stands among the others of its document, without looking at lines."""

    def __init__(self) -> None:
        self._ranks: dict[int, dict[str, int]] = {}

    def of(self, finding: Finding) -> tuple[str, tuple[int, ...], int]:
        place = finding.place
        if place is None:
            return ("", (), 0)
        start = place.offsets[0] if place.offsets else place.part[0] if place.part else 0
        return (place.document.name, self._steps(place), start)

    def _steps(self, place: Place) -> tuple[int, ...]:
        value: object = place.document.value
        out = []
        for step in place.path:
            if isinstance(value, dict) and isinstance(step, str):
                out.append(self._rank(value, step))
                value = value.get(step)
            elif isinstance(value, list) and isinstance(step, int):
                out.append(step)
                value = value[step] if 0 <= step < len(value) else None
        return tuple(out)

    def _rank(self, among: dict[str, object], key: str) -> int:
        ranks = self._ranks.get(id(among))
        if ranks is None:
            ranks = self._ranks[id(among)] = {name: n for n, name in enumerate(among)}
        return ranks.get(key, 0)
