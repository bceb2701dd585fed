"""`vmodc test`: asks every case of a module its question and compares the answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from compiler.commands import CLEAN, FOUND, UNUSABLE
from compiler.commands.check import Settings, run, show
from compiler.commands.folders import Folder, folders
from compiler.commands.sink import Write, has_colour, width
from compiler.findings import Finding, Place, Severity
from compiler.model.types import Case
from compiler.report import renderer
from compiler.report.rows import Tally
from compiler.report.words import one_line


@dataclass(slots=True)
class Count:
    passed: int = 0
    failed: int = 0
    out_of_scope: int = 0
    broken: int = 0  # modules whose cases could not be run

    def __str__(self) -> str:
        return f"{self.passed} cases passed, {self.failed} failed, {self.out_of_scope} out of scope"


def test(named: Sequence[str], write: Write, complain: Write) -> int:
    """Runs the cases. Errors in a module are shown first; its cases run all the same where they can."""
    found, problems = folders(named)
    for problem in problems:
        complain(problem)
    count = Count()
    for module in found:
        _module(module, count, write)
    write(f"{count}\n")
    if problems:
        return UNUSABLE
    return FOUND if count.failed or count.broken else CLEAN


def _module(folder: Folder, count: Count, write: Write) -> None:
    from compiler.rules import run_case

    result = run(folder, Settings())
    _show_errors(folder, result.findings, write)
    if result.module is None or result.pack is None:
        count.broken += 1
        write(f"{folder.shown_as}: its cases cannot be run before the errors above are mended\n\n")
        return
    count.out_of_scope += len(result.module.out_of_scope)
    for case in result.module.cases:
        answer = run_case(result.pack, result.module, case)
        if answer.passed:
            count.passed += 1
        else:
            count.failed += 1
            write(_failure(case, answer.got, answer.message))


def _show_errors(folder: Folder, findings: Sequence[Finding], write: Write) -> None:
    import sys

    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
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
    from compiler.source import locate

    span = locate([place])[place]
    return f"{one_line(place.document.name)}:{span.line}:{span.column}"


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
