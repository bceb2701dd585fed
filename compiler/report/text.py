"""Findings for a person at a terminal: message, place, source line with carets, help, second locations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compiler.findings import Severity
from compiler.report.excerpt import excerpt
from compiler.report.rows import Row, Spot, Tally
from compiler.report.words import one_line

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
_BLUE = "34"


class Text:
    """Writes each module's findings as soon as they are there, and the counts at the end."""

    def __init__(self, *, colour: bool = False, width: int = 110) -> None:
        self._colour = colour
        self._width = max(40, width)

    def start(self) -> Iterator[str]:
        return iter(())

    def module(self, name: str, rows: Sequence[Row]) -> Iterator[str]:
        for row in rows:
            yield "\n".join(self._lines(row)) + "\n\n"

    def end(self, tally: Tally) -> Iterator[str]:
        if tally.not_shown:
            yield f"{tally.shown} findings shown, {tally.not_shown} more not shown\n"
        over = f" in {tally.modules} modules" if tally.modules > 1 else ""
        yield f"{tally}{over}\n"

    def _lines(self, row: Row) -> Iterator[str]:
        margin = self._margin(row)
        head = self._paint(f"{row.severity.word}[{one_line(row.code)}]", "1;" + _COLOURS[row.severity])
        yield f"{head}{self._paint(': ' + one_line(row.message), '1')}"
        if row.spot:
            yield from self._place(row.spot, margin, _COLOURS[row.severity])
        for word, words in _remarks(row):
            yield f"{' ' * margin} {self._paint('=', _BLUE)} {self._paint(word + ':', '1')} {one_line(words)}"
        for related in row.related:
            yield f"{self._paint('note', '1;' + _COLOURS[Severity.NOTE])}: {one_line(related.message)}"
            yield from self._place(related.spot, margin, _BLUE)

    def _place(self, spot: Spot, margin: int, colour: str) -> Iterator[str]:
        shown = excerpt(spot, self._width - margin - 3)
        bar, gap = self._paint("|", _BLUE), " " * margin
        yield f"{gap}{self._paint('-->', _BLUE)} {one_line(spot.file)}:{spot.line}:{spot.column}"
        yield f"{gap} {bar}"
        yield f"{self._paint(str(spot.line).rjust(margin), _BLUE)} {bar} {shown.line}"
        carets = shown.carets.lstrip(" ")
        yield f"{gap} {bar} {shown.carets[: -len(carets)]}{self._paint(carets, '1;' + colour)}"

    @staticmethod
    def _margin(row: Row) -> int:
        spots = [related.spot for related in row.related]
        spots += [row.spot] if row.spot else []
        return max((len(str(spot.line)) for spot in spots), default=1)

    def _paint(self, words: str, colour: str) -> str:
        return f"\x1b[{colour}m{words}\x1b[0m" if self._colour else words


def _remarks(row: Row) -> Iterator[tuple[str, str]]:
    if row.limit:
        yield "limit", row.limit
    if row.help:
        yield "help", row.help
    if row.rule or row.section:
        yield "rule", ", ".join(filter(None, [row.rule, f"section {row.section}" if row.section else None]))
