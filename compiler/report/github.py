"""Findings as workflow commands, which GitHub shows as annotations beside the changed lines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from compiler.findings import Severity
from compiler.report.rows import Row, Spot, Tally
from compiler.report.words import visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


class Github:
    """`top` is the folder that annotated files are named from: the checked-out repository."""

    def __init__(self, top: str | None = None) -> None:
        self._top = top or os.environ.get("GITHUB_WORKSPACE")

    def start(self) -> Iterator[str]:
        return iter(())

    def module(self, name: str, rows: Sequence[Row]) -> Iterator[str]:
        for row in rows:
            properties = ",".join(f"{key}={_property(value)}" for key, value in self._properties(row))
            yield f"::{_COMMANDS[row.severity]} {properties}::{_data(_message(row))}\n"

    def end(self, tally: Tally) -> Iterator[str]:
        yield f"{tally}\n"

    def _properties(self, row: Row) -> Iterator[tuple[str, str]]:
        if row.spot:
            yield "file", self._file(row.spot)
            yield "line", str(row.spot.line)
            yield "endLine", str(row.spot.end_line)
            if row.spot.line == row.spot.end_line:  # the columns of a span over several lines are refused
                yield "col", str(row.spot.column)
                yield "endColumn", str(max(row.spot.column, row.spot.end_column - 1))
        yield "title", row.code

    def _file(self, spot: Spot) -> str:
        path = Path.cwd() / spot.file
        if self._top and path.is_relative_to(self._top):
            return PurePath(path).relative_to(self._top).as_posix()
        return spot.file


def _message(row: Row) -> str:
    lines = [row.message]
    if row.help:
        lines.append(f"help: {row.help}")
    if row.section:
        lines.append(f"rule: {row.rule or row.code}, section {row.section}")
    return visible("\n".join(lines))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(visible(text)).replace(":", "%3A").replace(",", "%2C")
