"""Tracks for print: the turns and every kind of track as squares that hold a counter, in one language."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.draw.colour import ink_on
from compiler.draw.fonts import SANS, SANS_BOLD, width
from compiler.draw.scene import Item, Path
from compiler.model.strips import Strip, strips
from compiler.model.types import Module
from compiler.sheets.layout import MARGIN, Box
from compiler.sheets.marks import GREY, box, heading, text
from compiler.sheets.pages import Page
from compiler.sheets.settings import Settings
from compiler.sheets.words import word

TITLE = 4.6
ROOMY = 1.0  # a square is this much wider than a counter
GAP = 9.0
TINT = "#f1efe8"
DISC = 1.9


def track_pages(module: Module, language: str, settings: Settings) -> list[Page]:
    """No page if the module has neither turns nor tracks."""
    side = settings.counter + ROOMY
    across = int((settings.size[0] - 2 * MARGIN) // side)
    found = strips(module, language, word("turns", language), across)
    return list(_pages(module, found, side, language, settings)) if found else []


# How it is set --------------------------------------------------------------------------------------------------------


def _pages(
    module: Module, strips: list[Strip], side: float, language: str, settings: Settings
) -> Iterator[Page]:
    named = module.texts.get("module.name", language)
    title = f"{named if named != 'module.name' else module.id} · {word('tracks', language)}"
    top, end = MARGIN + 4, settings.size[1] - MARGIN
    items: list[Item] = []
    y, number = top, 0

    def close() -> Page:
        nonlocal items, y, number
        number += 1
        name = f"{title} · {number}"
        above = (*heading(name, word("actual", language), settings.size), *items)
        items, y = [], top
        return Page(settings.size, Box(0, 0, *settings.size), 0.0, above=above, name=name)

    for strip in strips:
        if items and y + TITLE + 3 + side * len(strip.rows) > end:
            yield close()
        items.append(text(strip.title, MARGIN, y + TITLE, TITLE, SANS_BOLD))
        y += TITLE + 3
        for row in strip.rows:
            if y + side > end:
                yield close()
            for n, words in enumerate(row):
                if words is not None:
                    items += _square(module, strip, words, Box(MARGIN + n * side, y, side, side))
            y += side
        y += GAP
    yield close()


def _square(module: Module, strip: Strip, words: str, at: Box) -> Iterator[Item]:
    fifth = words.isdigit() and int(words) % 5 == 0
    yield box(at, fill=TINT if fifth else "none", stroke=GREY)
    size = min(3.4, 3.4 * (at.width - 2) / max(0.1, width(SANS_BOLD, words, 3.4)))
    yield text(words, at.x + 1, at.y + 3.9, size, SANS_BOLD if words.isdigit() else SANS)
    for n, owner in enumerate(power for where, power in strip.starts if where == words):
        power = module.powers[owner]
        x = at.x + at.width - DISC - 0.6 - (2 * DISC + 0.3) * (n % 3)
        y = at.y + at.height - DISC - 0.6 - (2 * DISC + 0.3) * (n // 3)
        fill = power.colour or "#dddddd"
        arc = f"a{DISC} {DISC} 0 1 0 "
        yield Path(f"M{x - DISC:.3f} {y:.3f}{arc}{2 * DISC} 0{arc}{-2 * DISC} 0z", fill=fill)
        yield text(power.letter or owner[:1].upper(), x, y + 0.9, 2.5, SANS_BOLD, "middle", ink_on(fill))
