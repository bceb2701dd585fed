"""Numbers that no case pins: each number of the rules is made one larger and one smaller, and the cases are asked again.

In: the coverage of a module's cases. Out: the numbers that could be another without any case noticing. Only cases that
use the changed entry are asked, and only until one notices; the work is bounded by the number of cases asked, never by
time, so that the answer is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from compiler.findings import Place, Severity
from compiler.model.types import Case, RuleEntry
from compiler.rules.cases import answers, run_case
from compiler.rules.compiler import Part
from compiler.rules.coverage import Coverage
from compiler.rules.pack import PARTS, RulePack, Unit, compile_unit, reads_of, reads_through
from compiler.rules.rule import Rule

MOST = 40_000  # cases asked for one module
_WORDS = frozenset({"note", "say", "help", "title", "section", "source", "sources", "line", "id"})
Number = int | Decimal


@dataclass(frozen=True, slots=True)
class Loose:
    """A number that could be one of `others`: no case would notice."""

    entry: str
    number: Number
    others: tuple[Number, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Mutation:
    """`untried` are numbers for which too many cases had been asked before."""

    numbers: int
    loose: tuple[Loose, ...]
    untried: int

    @property
    def pinned(self) -> int:
        return self.numbers - len(self.loose) - self.untried


def mutate(coverage: Coverage, most: int = MOST) -> Mutation:
    """Changes each number of the rules in turn."""
    work = _Work(coverage, most)
    loose: list[Loose] = []
    untried = 0
    numbers = list(_numbers(coverage.pack))
    for name, path, number, entry in numbers:
        try:
            others = tuple(other for other in _changed(number) if not work.noticed(entry, path, other))
        except _Enough:
            untried += 1
            continue
        if others:
            loose.append(Loose(name, number, others, Place(entry.place.document, (*entry.place.path, *path))))
    return Mutation(len(numbers), tuple(loose), untried)


class _Enough(Exception):
    """As many cases have been asked as may be."""


Path = tuple[str | int, ...]


def _numbers(pack: RulePack) -> Iterator[tuple[str, Path, Number, RuleEntry]]:
    """Every number of every entry that has no error: the entry's name, where in it the number stands, and the number."""
    sound = {id(unit.entry) for unit in (*pack.rules.values(), *pack.derives.values())}
    for entry in pack.module.rules:
        parts = any(kind in entry.value for kind in PARTS)
        if parts or id(entry) in sound:
            for path, number in _inside(entry.value, ()):
                yield _name(entry, path), path, number, entry


def _name(entry: RuleEntry, path: Path) -> str:
    named = next((entry.value[key] for key in ("id", "derive", "trace") if key in entry.value), None)
    return str(named) if named is not None else str(path[1])


def _inside(value: object, path: Path) -> Iterator[tuple[Path, Number]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in _WORDS:
                yield from _inside(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from _inside(inner, (*path, i))
    elif isinstance(value, int | Decimal) and not isinstance(value, bool):
        yield path, value


def _changed(number: Number) -> tuple[Number, ...]:
    return (number - 1, number + 1) if number >= 1 else (number + 1,)


class _Work:
    """Asks the cases that a change may touch. `left` is how many may still be asked."""

    def __init__(self, coverage: Coverage, most: int) -> None:
        self.coverage, self.left = coverage, most
        self.sound = [case for case, result in coverage.results if result.passed]
        self.results = {case.id: result for case, result in coverage.results}
        self.plain = replace(coverage.pack, noted=None)
        self._reading: dict[frozenset[Any], set[str]] = {}

    def noticed(self, entry: RuleEntry, path: Path, other: Number) -> bool:
        """Whether some case fails, or the rules cannot be read, with the other number."""
        changed = RuleEntry(_with(entry.value, path, other), entry.place)
        made = _repacked(self.plain, entry, changed, path)
        if made is None:
            return True
        pack, marks, named = made
        on_the_way = _passed(entry, path)
        cells = {
            mark for mark in on_the_way if mark[0] == "cell"
        }  # a case may read one without any rule: a distance
        for case in self.touched(marks | cells, named):
            if not on_the_way <= self.coverage.used[case.id]:
                continue  # the number is never looked at
            if not self.left:
                raise _Enough
            self.left -= 1
            if not self.passes(pack, case, marks):
                return True
        return False

    def passes(self, pack: RulePack, case: Case, marks: set[Any]) -> bool:
        """Whether the case's answer is still the right one. Of many rules only those that may have changed are asked."""
        if "findings" not in case.ask and "plan" not in case.ask:
            return run_case(pack, pack.module, case).passed
        asked = {mark[1] for mark in self.coverage.used[case.id] if mark[0] == "rule"}
        again = sorted(asked & self.reading(frozenset(marks)))
        new = run_case(pack, pack.module, replace(case, ask={"findings": again}, answer={"findings": []})).got
        if not new:
            return False  # one of them has no answer any more
        old = self.results[case.id].got
        fired = sorted(set(_codes(old)) - set(again) | set(_codes(new)))
        legal = not any(_is_error(pack, code) for code in fired)
        return answers(case, {**old, "findings": fired, "legal": legal})

    def reading(self, marks: frozenset[Any]) -> set[str]:
        """The rules that a change of these entries may touch."""
        if marks not in self._reading:
            own = {mark[1] for mark in marks if mark[0] == "rule"}
            defined = {mark[1] for mark in marks if mark[0] == "definition"}
            rules = self.plain.rules.items()
            more = {id for id, unit in rules if defined & reads_through(self.plain, reads_of(unit))}
            self._reading[marks] = own | more
        return self._reading[marks]

    def touched(self, marks: set[Any], named: str | None) -> Iterator[Case]:
        """The cases that have used one of the entries, those that ask for it by name first."""
        ids = {mark[1] if isinstance(mark[1], str) else mark[1][1] for mark in marks}
        found = [case for case in self.sound if self.coverage.used[case.id] & marks or _asks(case, named)]
        return iter(sorted(found, key=lambda case: not any(_asks(case, id) for id in ids)))


def _codes(got: Mapping[str, object]) -> list[str]:
    found = got.get("findings")
    return [str(code) for code in found] if isinstance(found, list) else []


def _is_error(pack: RulePack, code: str) -> bool:
    made = pack.rules[code].plain if code in pack.rules else None
    return isinstance(made, Rule) and made.severity is Severity.ERROR


def _passed(entry: RuleEntry, path: Path) -> set[Any]:
    """The marks of the branches, variants and table cells in which a number stands."""
    found: set[Any] = set()
    if path[0] == "tables":
        return {("cell", path[1], path[2:])}
    value: Any = entry.value
    place = entry.place
    for i, step in enumerate(path):
        if isinstance(value, Mapping) and isinstance(value.get("first"), list):
            if path[i : i + 1] == ("else",):
                found.add(("branch", place / "else"))
            elif path[i : i + 3 : 2] == ("first", "then"):
                found.add(("branch", place / "first" / path[i + 1]))
        if path[i : i + 3 : 2] == ("vary", "set"):
            found.add(("vary", place / "vary" / path[i + 1] / "set"))
        value, place = value[step], place / step
    return found


def _asks(case: Case, name: str | None) -> bool:
    return name is not None and any(word == name for word in _strings(case.ask))


def _with(value: Any, path: Path, other: Number) -> Any:
    """The value with another number at the end of the path; what lies beside the path is shared."""
    if not path:
        return other
    copy: Any = dict(value) if isinstance(value, Mapping) else list(value)
    copy[path[0]] = _with(value[path[0]], path[1:], other)
    return copy


def _repacked(
    pack: RulePack, old: RuleEntry, new: RuleEntry, path: Path
) -> tuple[RulePack, set[Any], str | None] | None:
    """The pack with another entry, the marks of what it changes, and the part's name. None if it cannot be compiled."""
    named: str | None = None
    parts = {kind: dict(known) for kind, known in pack.parts.items()}
    if path[0] in PARTS:
        kind, named = str(path[0]), str(path[1])
        at = parts[kind][named].place
        parts[kind][named] = Part(new.value[kind][named], at)  # type: ignore[index]
    made = replace(pack, parts=parts, rules=dict(pack.rules), derives=dict(pack.derives), settled={})
    marks: set[Any] = set()
    spoken = _speaking_of(pack, named) if named is not None else set()
    for id, unit in pack.rules.items():
        if unit.entry is old or id in spoken:
            marks.add(("rule", id))
            fresh = made.rules[id] = Unit(new if unit.entry is old else unit.entry, id)
            if not compile_unit(made, fresh):
                return None
    for key, unit in pack.derives.items():
        if unit.entry is old or key in spoken:
            marks.add(("definition", key))
            other = made.derives[key] = Unit(
                new if unit.entry is old else unit.entry, unit.id, joint=unit.joint
            )
            if not compile_unit(made, other):
                return None
    return made, marks, named


def _speaking_of(pack: RulePack, name: str) -> set[Any]:
    """The rules and definitions that use a part, also through other parts."""
    names = {name}
    while True:
        more = {
            other
            for known in pack.parts.values()
            for other, part in known.items()
            if other not in names and names & set(_strings(part.value))
        }
        if not more:
            break
        names |= more
    units: Iterable[tuple[Any, Unit]] = (*pack.rules.items(), *pack.derives.items())
    return {key for key, unit in units if names & set(_strings(unit.entry.value))}


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
