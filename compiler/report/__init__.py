"""Findings → words for people and programs: one renderer a format, each in its own file.

A renderer is told of the start, of each module's rows, and of the end, and answers with pieces of text to write. Those
that can, write at once; nothing is imported before its format is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from compiler.findings import Severity

if TYPE_CHECKING:
    from compiler.check import CheckResult
    from compiler.report.rows import Row, Tally

FORMATS = ("text", "json", "sarif", "github", "junit", "html")


class Renderer(Protocol):
    def start(self) -> Iterator[str]: ...
    def module(self, name: str, rows: Sequence[Row]) -> Iterator[str]: ...
    def end(self, tally: Tally) -> Iterator[str]: ...


@runtime_checkable
class Seeing(Protocol):
    """A renderer that also shows the module itself; it is told of it before its rows."""

    def see(self, result: CheckResult) -> None: ...


def renderer(
    format: str, *, fail_on: Severity = Severity.ERROR, colour: bool = False, width: int = 110
) -> Renderer:
    """The renderer of one of `FORMATS`."""
    if format == "json":
        from compiler.report.json_ import Json

        return Json()
    if format == "sarif":
        from compiler.report.sarif import Sarif

        return Sarif()
    if format == "github":
        from compiler.report.github import Github

        return Github()
    if format == "junit":
        from compiler.report.junit import Junit

        return Junit(fail_on)
    if format == "html":
        from compiler.report.html import Html

        return Html()
    from compiler.report.text import Text

    return Text(colour=colour, width=width)
