"""Findings for another program: `{"findings": [...], "summary": {...}}`, one finding a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from compiler.findings import Severity
from compiler.report.rows import Row, Spot, Tally


class Json:
    """Writes as it goes: the list is never held whole."""

    def __init__(self) -> None:
        self._separator = "\n"

    def start(self) -> Iterator[str]:
        yield '{"findings": ['

    def module(self, name: str, rows: Sequence[Row]) -> Iterator[str]:
        for row in rows:
            yield self._separator + json.dumps(as_json(row), ensure_ascii=False)
            self._separator = ",\n"

    def end(self, tally: Tally) -> Iterator[str]:
        summary = {
            "errors": tally.counts[Severity.ERROR],
            "warnings": tally.counts[Severity.WARNING],
            "notes": tally.counts[Severity.NOTE],
            "modules": tally.modules,
            "shown": tally.shown,
            "notShown": tally.not_shown,
        }
        yield f'\n], "summary": {json.dumps(summary)}}}\n'


def as_json(row: Row) -> dict[str, object]:
    """One finding; `file`, `line` and the like are null when it has no place (an unreadable folder)."""
    return {
        "code": row.code,
        "severity": row.severity.word,
        "message": row.message,
        **_where(row.spot),
        "rule": row.rule,
        "section": row.section,
        "spaces": list(row.spaces),
        "pieces": list(row.pieces),
        "help": row.help,
        "related": [{"message": related.message, **_where(related.spot)} for related in row.related],
    }


def _where(spot: Spot | None) -> dict[str, object]:
    if spot is None:
        return dict.fromkeys(("file", "line", "column", "endLine", "endColumn"))
    return {
        "file": spot.file,
        "line": spot.line,
        "column": spot.column,
        "endLine": spot.end_line,
        "endColumn": spot.end_column,
    }
