"""Charts as a player aid: the tables of `charts/`, one below the other, in one language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compiler.draw.fonts import SANS, SANS_BOLD, Font, width
from compiler.draw.scene import Item
from compiler.model.types import Chart, Module
from compiler.sheets.layout import MARGIN, Box
from compiler.sheets.marks import box, heading, line, text
from compiler.sheets.pages import Page
from compiler.sheets.settings import Settings
from compiler.sheets.words import word

TITLE = 4.6
LETTERS = (3.2, 2.9, 2.6, 2.3)  # tried in turn, in mm; the smallest is about 6.5 points
PAD = 1.3
GAP = 8.0
BRIEF = 6  # characters of a cell that reads as a figure
DARK, PALE, RULE = "#30363d", "#f1efe8", "#8a8a86"


@dataclass(frozen=True, slots=True)
class _Table:
    title: str
    rows: tuple[tuple[tuple[str, ...], ...], ...]  # the head first; each cell is a list of lines
    widths: tuple[float, ...]
    letters: float
    centred: tuple[bool, ...]  # a column of figures and signs, its head with it

    def height_of(self, row: int) -> float:
        lines = max((len(cell) for cell in self.rows[row]), default=1)
        return lines * self.letters * 1.28 + 2 * PAD


def chart_pages(module: Module, language: str, settings: Settings) -> list[Page]:
    """The player aid; no page if the module has no charts."""
    paper = settings.size
    room = paper[0] - 2 * MARGIN
    tables = [_table(module, chart, language, room) for chart in module.charts.values()]
    return list(_Flow(module, language, paper).pages(tables)) if tables else []


def _table(module: Module, chart: Chart, language: str, room: float) -> _Table:
    head = [_said(module, cell, language) for cell in chart.columns]
    cells = [head, *([_said(module, cell, language) for cell in row] for row in chart.rows)]
    count = max(len(row) for row in cells)
    cells = [row + [""] * (count - len(row)) for row in cells]
    for letters in LETTERS:
        widths = _widths(cells, letters, room)
        if all(_longest_word(cells, n, letters) <= w + 0.01 for n, w in enumerate(widths)):
            break
    rows = tuple(
        tuple(tuple(_folded(cell, widths[n] - 2 * PAD, letters, _font(i))) for n, cell in enumerate(row))
        for i, row in enumerate(cells)
    )
    centred = tuple(all(_brief(row[n], first=n == 0) for row in cells[1:]) for n in range(count))
    return _Table(_said(module, f"#chart.{chart.id}", language), rows, tuple(widths), letters, centred)


def _brief(cell: str, first: bool) -> bool:
    """The first column names the rows: there only figures are brief."""
    return len(cell) <= BRIEF and not (first and any(char.isalpha() for char in cell))


def _widths(cells: list[list[str]], letters: float, room: float) -> list[float]:
    """As wide as the words want; where that is too much, the wide columns give way first."""
    wish = [
        max(width(_font(i), row[n], letters) for i, row in enumerate(cells)) + 2 * PAD + 0.2
        for n in range(len(cells[0]))
    ]
    if sum(wish) <= room:
        return wish
    low, high = 0.0, max(wish)
    for _ in range(40):
        cap = (low + high) / 2
        low, high = (cap, high) if sum(min(one, cap) for one in wish) <= room else (low, cap)
    return [min(one, low) for one in wish]


def _longest_word(cells: list[list[str]], column: int, letters: float) -> float:
    words = [(i, one) for i, row in enumerate(cells) for one in row[column].split()]
    return max((width(_font(i), one, letters) for i, one in words), default=0.0) + 2 * PAD


def _folded(words: str, room: float, letters: float, font: Font) -> Iterator[str]:
    row = ""
    for one in words.split():
        longer = f"{row} {one}".strip()
        if row and width(font, longer, letters) > room + 0.01:
            yield row
            row = one
        else:
            row = longer
    yield row


def _font(row: int) -> Font:
    return SANS_BOLD if row == 0 else SANS


def _said(module: Module, cell: object, language: str) -> str:
    written = str(cell)
    return module.texts.get(written[1:], language) if written.startswith("#") else written


class _Flow:
    """Tables down the pages. A table that does not fit below goes on the next page; its head is repeated if it is cut."""

    def __init__(self, module: Module, language: str, paper: tuple[float, float]) -> None:
        named = module.texts.get("module.name", language)
        self.title = f"{named if named != 'module.name' else module.id} · {word('charts', language)}"
        self.module, self.paper = module, paper
        self.top, self.end = MARGIN + 4, paper[1] - MARGIN
        self.items: list[Item] = []
        self.y = self.top
        self.number = 0

    def pages(self, tables: list[_Table]) -> Iterator[Page]:
        for table in tables:
            whole = TITLE + 3 + sum(table.height_of(n) for n in range(len(table.rows)))
            if self.y > self.top and self.y + whole > self.end:
                yield self.close()
            yield from self.table(table)
            self.y += GAP
        yield self.close()

    def table(self, table: _Table) -> Iterator[Page]:
        self.items.append(text(table.title, MARGIN, self.y + TITLE, TITLE, SANS_BOLD))
        self.y += TITLE + 3
        self.row(table, 0)
        for n in range(1, len(table.rows)):
            if self.y + table.height_of(n) > self.end:
                yield self.close()
                self.row(table, 0)
            self.row(table, n)

    def row(self, table: _Table, n: int) -> None:
        high, x = table.height_of(n), MARGIN
        wide = sum(table.widths)
        fill = DARK if n == 0 else PALE if n % 2 == 0 else "none"
        self.items.append(box(Box(MARGIN, self.y, wide, high), fill=fill))
        for cell, w, numeral in zip(table.rows[n], table.widths, table.centred, strict=True):
            for i, words in enumerate(cell):
                at = (x + w / 2 if numeral else x + PAD), self.y + PAD + table.letters * (0.92 + 1.28 * i)
                ink = "#ffffff" if n == 0 else "#000000"
                self.items.append(
                    text(words, *at, table.letters, _font(n), "middle" if numeral else "start", ink)
                )
            x += w
        self.y += high
        self.items.append(line(MARGIN, self.y, MARGIN + wide, self.y, stroke=RULE))

    def close(self) -> Page:
        self.number += 1
        name = f"{self.title} · {self.number}"
        whole = Box(0, 0, *self.paper)
        above = (*heading(name, self.module.version, self.paper), *self.items)
        page = Page(self.paper, whole, 0.0, above=above, name=name)
        self.items, self.y = [], self.top
        return page
