"""`vmodc test`: asks every case of a module its question and compares the answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from compiler.commands import CLEAN, FOUND, UNUSABLE
from compiler.commands.check import Settings, run, show
from compiler.commands.folders import Folder, folders
from compiler.commands.sink import Write, has_colour, width
from compiler.findings import Finding, Place, Severity
from compiler.model.types import Case
from compiler.report import renderer
from compiler.report.rows import Tally
from compiler.report.words import one_line

if TYPE_CHECKING:
    from compiler.rules.coverage import Coverage
    from compiler.source import Span


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted beside the verdicts."""

    coverage: bool = False
    mutate: bool = False
    format: str = "text"


@dataclass(slots=True)
class Count:
    passed: int = 0
    failed: int = 0
    out_of_scope: int = 0
    faulty: int = 0  # modules with errors of their own

    def __str__(self) -> str:
        return f"{self.passed} cases passed, {self.failed} failed, {self.out_of_scope} out of scope"


def test(named: Sequence[str], wish: Wish, write: Write, complain: Write) -> int:
    """Runs the cases. Errors in a module are shown first; its cases run all the same where they can."""
    found, problems = folders(named)
    for problem in problems:
        complain(problem)
    count = Count()
    as_json = wish.format == "json"
    told = [_module(module, wish, count, (lambda text: None) if as_json else write) for module in found]
    if as_json:
        write(json.dumps({"modules": told}, ensure_ascii=False, indent=2, default=_plain) + "\n")
    else:
        write(f"{count}\n")
    if problems:
        return UNUSABLE
    return FOUND if count.failed or count.faulty else CLEAN


def _module(folder: Folder, wish: Wish, count: Count, write: Write) -> dict[str, object]:
    """One module's cases. What is written is also given back, for programs."""
    from compiler.check import no_sweeping
    from compiler.rules.coverage import measure

    result = run(folder, Settings())
    errors = [finding for finding in result.findings if finding.severity is Severity.ERROR]
    count.faulty += bool(errors)
    _show_errors(folder, errors, write)
    if result.module is None or result.pack is None:
        write(f"{folder.shown_as}: its cases cannot be run before the errors above are mended\n\n")
        return {"module": folder.shown_as, "broken": True}
    count.out_of_scope += len(result.module.out_of_scope)
    with no_sweeping():  # each position takes itself apart
        covered = measure(result.module)
    failed = []
    for case, answer in covered.results:
        faulty = _is_faulty(case, errors)
        if answer.passed and not faulty:
            count.passed += 1
            continue
        why = "something in the case is wrong: see above" if faulty else answer.message
        count.failed += 1
        failed.append({"case": case.id, "expected": case.answer, "got": answer.got, "why": why})
        write(_failure(case, answer.got, why))
    told: dict[str, object] = {
        "module": folder.shown_as,
        "passed": len(covered.results) - len(failed),
        "failed": failed,
        "out_of_scope": len(result.module.out_of_scope),
        "coverage": _coverage(folder, covered, wish, write),
    }
    if wish.mutate:
        told["mutation"] = _mutation(folder, covered, write)
    return told


def _is_faulty(case: Case, errors: Sequence[Finding]) -> bool:
    """Whether something in the case is wrong: then its question is not the one that its author meant."""
    own, whole = case.place.path, case.place.path[:2]
    found = (f.place.path for f in errors if f.place and f.place.document is case.place.document)
    return any(path[:2] == whole and (path[2:3] != ("rows",) or path[: len(own)] == own) for path in found)


def _coverage(folder: Folder, covered: Coverage, wish: Wish, write: Write) -> dict[str, object]:
    counts = {kind: pair for kind, pair in covered.counts().items() if pair[1]}
    missing = covered.missing
    spans = _spans([goal.place for goal in missing])
    if counts and covered.results:
        write(f"{folder.shown_as}: {_told(counts)}\n")
    for goal in missing if wish.coverage else ():
        write(f"  {_at(spans, goal.place)}: {one_line(goal.words)}\n")
    return {
        **{kind: {"used": used, "of": number} for kind, (used, number) in counts.items()},
        "missing": [
            {"kind": goal.kind, "name": goal.name, "message": goal.words, **_spot(spans, goal.place)}
            for goal in missing
        ],
    }


def _told(counts: Mapping[str, tuple[int, int]]) -> str:
    from compiler.rules.coverage import KINDS

    rest = [f"{used} of {number} {KINDS[kind]}" for kind, (used, number) in counts.items() if kind in KINDS]
    rules = ""
    if "fires" in counts:
        (broken, number), kept = counts["fires"], counts["silent"][0]
        rules = f"of {number} rules the cases break {broken} and keep {kept}"
    use = f"they use {', '.join(rest)}" if rest else ""
    return "; ".join(filter(None, (rules, use)))


def _mutation(folder: Folder, covered: Coverage, write: Write) -> dict[str, object]:
    from compiler.rules.mutation import mutate

    found = mutate(covered)
    spans = _spans([loose.place for loose in found.loose])
    untried = f", {found.untried} not tried: too many cases" if found.untried else ""
    write(f"{folder.shown_as}: {found.pinned} of {found.numbers} numbers are pinned by its cases{untried}\n")
    for loose in found.loose:
        others = " or ".join(str(other) for other in loose.others)
        write(f"  {_at(spans, loose.place)}: {loose.number} of '{one_line(loose.entry)}' could be {others}\n")
    return {
        "numbers": found.numbers,
        "pinned": found.pinned,
        "untried": found.untried,
        "loose": [
            {
                "entry": loose.entry,
                "number": loose.number,
                "others": loose.others,
                **_spot(spans, loose.place),
            }
            for loose in found.loose
        ],
    }


def _spans(places: Sequence[Place]) -> Mapping[Place, Span]:
    from compiler.source import locate

    return locate(places)


def _at(spans: Mapping[Place, Span], place: Place) -> str:
    span = spans[place]
    return f"{one_line(place.document.name)}:{span.line}:{span.column}"


def _spot(spans: Mapping[Place, Span], place: Place) -> dict[str, object]:
    span = spans[place]
    return {"file": place.document.name, "line": span.line, "column": span.column}


def _show_errors(folder: Folder, errors: Sequence[Finding], write: Write) -> None:
    import sys

    text = renderer("text", colour=has_colour(sys.stdout), width=width())
    show(folder, errors, Settings(), Tally(), text, write)


def _failure(case: Case, got: object, message: str) -> str:
    lines = [f"FAILED {one_line(case.id)}: {one_line(case.title)}", f"  --> {_where(case.place)}"]
    if case.section:
        lines.append(f"  section:  {one_line(case.section)}")
    lines += [f"  expected: {_json(case.answer)}", f"  got:      {_json(got)}"]
    if message:
        lines.append(f"  {one_line(message)}")
    return "\n".join(lines) + "\n\n"


def _where(place: Place) -> str:
    return _at(_spans([place]), place)


def _json(value: object) -> str:
    return one_line(json.dumps(value, ensure_ascii=False, default=_plain))


def _plain(value: object) -> object:
    """Model values that JSON does not know."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    return str(value)
