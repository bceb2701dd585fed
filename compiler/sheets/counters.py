"""Counter sheets as pages: fronts, backs behind them, stickers, a calibration page and the manifest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compiler.draw.counters import Side, counter_name
from compiler.draw.fonts import SANS, SANS_BOLD, width
from compiler.draw.scene import Item, Path
from compiler.model.types import Module
from compiler.sheets.layout import HEADING, MARGIN, Box, Sheet, Slot, pieces, printed, sheets, turned
from compiler.sheets.marks import GREY, HAIR, crops, cross, crosses, heading, line, text
from compiler.sheets.pages import Page, Stamp
from compiler.sheets.settings import Settings
from compiler.sheets.words import word


@dataclass(frozen=True, slots=True)
class Printed:
    """All pages in print order: each sheet's front, then its back; at the end calibration and manifest."""

    sheets: tuple[Sheet, ...]
    faces: tuple[tuple[str, Page], ...]  # a name for the file, and the page
    more: tuple[Page, ...]

    @property
    def pages(self) -> tuple[Page, ...]:
        return (*(page for _, page in self.faces), *self.more)


def counter_pages(module: Module, language: str, settings: Settings) -> Printed:
    counts = printed(module)
    made = sheets(pieces(module, language), counts, settings)
    title = module.texts.get("module.name", language)
    named = title if module.texts.has("module.name", language) else module.id
    faces = [face for sheet in made for face in _sides(module, sheet, named, language, settings)]
    more = (
        *calibration(named, language, settings),
        *manifest(module, made, counts, named, language, settings),
    )
    return Printed(tuple(made), tuple(faces), more)


def _sides(
    module: Module, sheet: Sheet, title: str, language: str, settings: Settings
) -> Iterator[tuple[str, Page]]:
    front = _page(sheet, False, settings)
    kind = word("stickers" if sheet.stickers else "sheet", language)
    about = f"{title} · {kind} {sheet.number}"
    mm = sheet.slots[0].box
    small = f"{sheet.columns} × {sheet.rows}, {mm.width:g} × {mm.height:g} mm · {module.version} · {word('actual', language)}"
    if sheet.stickers:
        small = f"{_turns(sheet, language)}{small}"
        yield f"stickers-{sheet.number:02}", _headed(front, about, small, about)
        return
    yield (
        f"sheet-{sheet.number:02}-front",
        _headed(front, f"{about} · {word('front', language)}", small, f"{about} · {word('front', language)}"),
    )
    back = _page(turned(sheet, settings.flip), True, settings)
    name = f"{about} · {word('back', language)}"
    yield (
        f"sheet-{sheet.number:02}-back",
        _headed(back, name, f"{word(settings.flip, language)} · {word('actual', language)}", name),
    )


def _turns(sheet: Sheet, language: str) -> str:
    """Which way blocks are turned, where their labels say it."""
    found = {slot.piece.front.turns for slot in sheet.slots if slot.piece.front.turns}
    return f"{word(found.pop(), language)} · " if len(found) == 1 else ""


def _headed(page: Page, words: str, small: str, name: str) -> Page:
    return Page(page.paper, page.trim, page.bleed, page.fills, page.stamps, (*page.above, *heading(words, small, page.paper)), name=name)  # fmt: skip


def _page(sheet: Sheet, back: bool, settings: Settings) -> Page:
    bleed = settings.bleed
    shown = [(slot, slot.piece.back if back else slot.piece.front) for slot in sheet.slots]
    below = tuple(_bleeds(sheet, shown, bleed))
    stamps = tuple(Stamp(side, slot.box, slot.turn) for slot, side in shown if side is not None)
    above: list[Item] = [*_cuts(shown), *crops(sheet.trim, *_lines(sheet), bleed)]
    above += crosses(sheet.trim, sheet.paper, bleed)
    return Page(sheet.paper, sheet.trim, bleed, below, stamps, tuple(above))


def _bleeds(sheet: Sheet, shown: list[tuple[Slot, Side | None]], bleed: float) -> Iterator[tuple[Box, str]]:
    """Each counter's colour, run over those of its edges beside which no other counter stands."""
    inner = min(bleed, sheet.gutter / 2)
    taken = {_cell(slot.box) for slot, _ in shown}
    for slot, side in shown:
        b = slot.box
        step_x, step_y = b.width + sheet.gutter, b.height + sheet.gutter
        left, right = (inner if _cell(b, d * step_x, 0) in taken else bleed for d in (-1, 1))
        top, low = (inner if _cell(b, 0, d * step_y) in taken else bleed for d in (-1, 1))
        area = Box(b.x - left, b.y - top, b.width + left + right, b.height + top + low)
        yield area, side.fill if side is not None else slot.piece.front.fill


def _cell(box: Box, dx: float = 0.0, dy: float = 0.0) -> tuple[int, int]:
    """Where a counter stands, to the tenth of a millimetre."""
    return round((box.x + dx) * 10), round((box.y + dy) * 10)


def _cuts(shown: list[tuple[Slot, Side | None]]) -> Iterator[Item]:
    """A round counter's cut cannot be marked from outside: a hairline shows it."""
    for slot, side in shown:
        if (side or slot.piece.front).shape == "round":
            b = slot.box
            rx, ry = b.width / 2, b.height / 2
            arc = f"a{rx:.3f} {ry:.3f} 0 1 0 "
            d = f"M{b.x:.3f} {b.y + ry:.3f}{arc}{b.width:.3f} 0{arc}{-b.width:.3f} 0z"
            yield Path(d, stroke="#ffffff", width=HAIR * 1.5)
            yield Path(d, stroke=GREY, width=HAIR)


def _lines(sheet: Sheet) -> tuple[list[float], list[float]]:
    """Every x and y at which there is a cut."""
    first = sheet.slots[0].box
    xs = [
        sheet.trim.x + c * (first.width + sheet.gutter) + e
        for c in range(sheet.columns)
        for e in (0.0, first.width)
    ]
    ys = [
        sheet.trim.y + r * (first.height + sheet.gutter) + e
        for r in range(sheet.rows)
        for e in (0.0, first.height)
    ]
    return sorted({round(x, 4) for x in xs}), sorted({round(y, 4) for y in ys})


def calibration(title: str, language: str, settings: Settings) -> Iterator[Page]:
    """Two pages: bars of 100 mm, and crosses that meet when front and back lie true."""
    paper = settings.size
    whole = Box(0, 0, *paper)
    points = [
        (x, y) for x in (30.0, paper[0] / 2, paper[0] - 30) for y in (50.0, paper[1] / 2, paper[1] - 40)
    ]
    for back in (False, True):
        name = f"{title} · {word('calibration', language)} · {word('back' if back else 'front', language)}"
        items: list[Item] = [*heading(name, word(settings.flip, language), paper)]
        for x, y in points:
            items += cross(x, y, 4.0)
        if not back:
            items += _bars(paper)
            rows = _folded(word("measure", language), paper[0] - 60, 3.6)
            items += [text(row, 30, 62 + 5 * n, 3.6) for n, row in enumerate(rows)]
        yield Page(paper, whole, 0.0, above=tuple(items), name=name)


def _bars(paper: tuple[float, float]) -> Iterator[Item]:
    x, y = (paper[0] - 100) / 2, paper[1] * 0.34
    yield line(x, y, x + 100, y)
    for n in range(101):
        long = 5.0 if n % 10 == 0 else 3.4 if n % 5 == 0 else 2.0
        yield line(x + n, y, x + n, y - long)
        if n % 10 == 0:
            yield text(str(n), x + n, y + 4, 3, anchor="middle")
    x, y = paper[0] * 0.25, paper[1] / 2 + 15
    yield line(x, y, x, y + 100)
    for n in range(101):
        long = 5.0 if n % 10 == 0 else 3.4 if n % 5 == 0 else 2.0
        yield line(x, y + n, x + long, y + n)
        if n % 10 == 0:
            yield text(str(n), x - 2, y + n + 1, 3, anchor="end")


def _folded(words: str, room: float, size: float) -> list[str]:
    rows = [""]
    for one in words.split():
        longer = f"{rows[-1]} {one}".strip()
        if width(SANS_BOLD, longer, size) > room:
            rows.append(one)
        else:
            rows[-1] = longer
    return rows


ROW = 4.6


def manifest(
    module: Module,
    made: list[Sheet],
    counts: Mapping[str, int],
    title: str,
    language: str,
    settings: Settings,
) -> Iterator[Page]:
    """Every counter, how many there are and on which sheets; a sum for each power."""
    paper = settings.size
    rows = list(_rows(module, made, counts, language))
    fit = int((paper[1] - 2 * MARGIN - HEADING - 2 * ROW) // ROW)
    for n in range(0, max(1, len(rows)), fit):
        name = f"{title} · {word('manifest', language)}" + (f" · {n // fit + 1}" if len(rows) > fit else "")
        items: list[Item] = [*heading(name, module.version, paper)]
        head = tuple(word(key, language) for key in ("counter", "power", "id", "count", "faces", "on"))
        for i, row in enumerate([head, *rows[n : n + fit]]):
            items += _row(
                row, MARGIN + HEADING + ROW * (i + 1), paper, i == 0 or row[0] == word("total", language)
            )
        yield Page(paper, Box(0, 0, *paper), 0.0, above=tuple(items), name=name)  # fmt: skip


def _rows(
    module: Module, made: list[Sheet], counts: Mapping[str, int], language: str
) -> Iterator[tuple[str, ...]]:
    where: dict[str, list[int]] = defaultdict(list)
    faces: dict[str, set[str]] = defaultdict(set)
    for sheet in made:
        for slot in sheet.slots:
            id = slot.piece.counter
            if sheet.number not in where[id]:
                where[id].append(sheet.number)
            faces[id] |= {side.name for side in (slot.piece.front, slot.piece.back) if side is not None}
    sums: dict[str, int] = defaultdict(int)
    for id in where:
        counter = module.counters[id]
        power = (
            module.texts.get(f"power.{counter.power}", language) if counter.power else word("none", language)
        )
        sums[power] += counts[id]
        on = ", ".join(str(n) for n in where[id])
        name = counter_name(module, counter, language)
        yield name, power, counter.id, str(counts[id]), str(len(faces[id])), on
    for power, count in sums.items():
        yield word("total", language), power, "", str(count), "", ""
    yield word("total", language), "", "", str(sum(sums.values())), "", ""


def _row(row: tuple[str, ...], y: float, paper: tuple[float, float], strong: bool) -> Iterator[Item]:
    wide = paper[0] - 2 * MARGIN
    for words, share in zip(row, (0, 0.32, 0.53, 0.76, 0.85, 0.92), strict=True):
        if words:
            yield text(words, MARGIN + wide * share, y, 2.9, SANS_BOLD if strong else SANS)
    yield line(MARGIN, y + 1.3, paper[0] - MARGIN, y + 1.3, stroke="#999999" if not strong else "#000000")
