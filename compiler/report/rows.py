"""Findings made ready to be shown: `Row`s, which know file, line, column and the source line, and hold no document.

Comes in: the findings of one module. Goes out: rows in the order of the files, lines and columns. Rows keep only the
part of a source line around the caret, so that a thousand modules can be checked in one run without keeping their text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from compiler.findings import Finding, Line, Place, Severity
from compiler.source import Span, locate
from compiler.source.document import Document

SHOWN_AT_MOST = 10_000

# Characters of a line kept on either side of the caret: more than any terminal shows.
KEPT_AROUND = 240


@dataclass(frozen=True, slots=True)
class Spot:
    """Where: 1-based, columns in characters, the end column is the one after the last character.

    `excerpt` is the source line, or the part of it that begins `skipped` characters in.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    excerpt: str
    skipped: int
    cut: bool


@dataclass(frozen=True, slots=True)
class RelatedSpot:
    spot: Spot
    message: str


@dataclass(frozen=True, slots=True)
class Row:
    code: str
    severity: Severity
    message: str
    spot: Spot | None
    help: str | None
    rule: str | None
    section: str | None
    spaces: tuple[str, ...]
    pieces: tuple[str, ...]
    related: tuple[RelatedSpot, ...]
    subject: tuple[str, ...]
    line: Line | None = None
    limit: str | None = None
    scenario: str | None = None


@dataclass(slots=True)
class Tally:
    """Counts over a whole run, those not shown included."""

    counts: dict[Severity, int] = field(default_factory=lambda: dict.fromkeys(Severity, 0))
    modules: int = 0
    shown: int = 0

    def add(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self.counts[finding.severity] += 1

    def at_least(self, severity: Severity) -> int:
        return sum(count for level, count in self.counts.items() if level >= severity)

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def not_shown(self) -> int:
        return self.total - self.shown

    def __str__(self) -> str:
        words = ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.NOTE, "note"))
        return ", ".join(f"{self.counts[s]} {word}{'' if self.counts[s] == 1 else 's'}" for s, word in words)


def rows_of(findings: Sequence[Finding], at_most: int = SHOWN_AT_MOST) -> list[Row]:
    """The findings as rows, sorted by place. If there are too many, the gravest are kept."""
    kept = findings
    if len(findings) > at_most:
        kept = sorted(findings, key=lambda finding: -finding.severity)[:at_most]
    spans = locate(_places(kept))
    lines = _Lines()
    return sorted((_row(finding, spans, lines) for finding in kept), key=_order)


def _places(findings: Iterable[Finding]) -> list[Place]:
    places = [finding.place for finding in findings if finding.place]
    places += [related.place for finding in findings for related in finding.related]
    return places


def _row(finding: Finding, spans: dict[Place, Span], lines: _Lines) -> Row:
    related = tuple(RelatedSpot(_spot(r.place, spans, lines), r.message) for r in finding.related)
    return Row(
        code=finding.code,
        severity=finding.severity,
        message=finding.message,
        spot=_spot(finding.place, spans, lines) if finding.place else None,
        help=finding.help,
        rule=finding.rule,
        section=finding.section,
        spaces=finding.spaces,
        pieces=finding.pieces,
        related=related,
        subject=finding.subject,
        line=finding.line,
        limit=finding.limit,
        scenario=finding.scenario,
    )


def _spot(place: Place, spans: dict[Place, Span], lines: _Lines) -> Spot:
    span = spans[place]
    excerpt, skipped, cut = lines.around(place.document, span)
    file = place.document.name
    return Spot(file, span.line, span.column, span.end_line, span.end_column, excerpt, skipped, cut)


def _order(row: Row) -> tuple[str, int, int, int, str, str]:
    where = (row.spot.file, row.spot.line, row.spot.column) if row.spot else ("", 0, 0)
    return (*where, -row.severity, row.code, row.message)


class _Lines:
    """Finds the text of a line; the line starts of a document are worked out once."""

    def __init__(self) -> None:
        self._starts: dict[Document, list[int]] = {}

    def around(self, document: Document, span: Span) -> tuple[str, int, bool]:
        """The part of the span's first line near its column, how many characters were skipped, whether more follow."""
        start, end = self._line(document, span.line)
        caret = min(start + span.column - 1, end)
        first, last = max(start, caret - KEPT_AROUND), min(end, caret + KEPT_AROUND)
        return document.text[first:last], first - start, last < end

    def _line(self, document: Document, line: int) -> tuple[int, int]:
        starts = self._starts.get(document)
        if starts is None:
            starts = [0, *(match.end() for match in re.finditer("\n", document.text))]
            self._starts[document] = starts
        start = starts[min(line, len(starts)) - 1]
        end = starts[line] - 1 if line < len(starts) else len(document.text)
        if end > start and document.text[end - 1] == "\r":
            end -= 1
        return start, end
