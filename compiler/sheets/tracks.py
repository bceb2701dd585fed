"""Tracks for print: the turns and every kind of track as squares that hold a counter, in one language.

Tracks of one kind and range share their squares. One too long for a page, or without an end, has its units, tens and hundreds apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compiler.draw.colour import ink_on
from compiler.draw.fonts import SANS, SANS_BOLD, width
from compiler.draw.scene import Item, Path
from compiler.model.types import Module, Track
from compiler.sheets.layout import MARGIN, Box
from compiler.sheets.marks import GREY, box, heading, text
from compiler.sheets.pages import Page
from compiler.sheets.settings import Settings
from compiler.sheets.words import word

TITLE = 4.6
ROOMY = 1.0  # a square is this much wider than a counter
GAP = 9.0
MOST = 150  # squares of a track before its digits are counted apart
TINT = "#f1efe8"
DISC = 1.9


@dataclass(frozen=True, slots=True)
class Strip:
    """Rows of squares: a word for each (None: no square there), the tracks whose markers stand on them."""

    title: str
    rows: tuple[tuple[str | None, ...], ...]
    starts: tuple[tuple[str, str], ...] = ()  # the word of a square, the power that starts there


def track_pages(module: Module, language: str, settings: Settings) -> list[Page]:
    """No page if the module has neither turns nor tracks."""
    side = settings.counter + ROOMY
    across = int((settings.size[0] - 2 * MARGIN) // side)
    found = [*_turns(module, language, across), *_levels(module, language, across)]
    return list(_pages(module, found, side, language, settings)) if found else []


# What there is --------------------------------------------------------------------------------------------------------


def _turns(module: Module, language: str, across: int) -> Iterator[Strip]:
    turns = module.sequence.turns
    if 1 < len(turns) <= MOST:
        names = [
            module.texts.get(f"turn.{id}", language) if module.texts.has(f"turn.{id}", language) else id
            for id in turns
        ]
        rows = tuple(tuple(names[n : n + across]) for n in range(0, len(names), across))
        yield Strip(word("turns", language), rows)


def _levels(module: Module, language: str, across: int) -> Iterator[Strip]:
    groups: dict[tuple[str | None, int, int], list[Track]] = {}
    for track in module.tracks.values():
        groups.setdefault((track.kind or track.id, track.low, track.high), []).append(track)
    for (_, low, high), tracks in groups.items():
        starts = tuple(_starts(module, tracks))
        if high - low >= MOST:
            rows = _digits(high)
            starts = ()
        else:
            rows = _numbers(low, high, 10 if across >= 10 else across)
        yield Strip(_title(module, tracks, language), rows, starts)


def _title(module: Module, tracks: list[Track], language: str) -> str:
    keys = [f"track.{track.id}" for track in tracks]
    if len(keys) > 1:
        keys = [f"track.{tracks[0].kind}"]
    return " · ".join(
        module.texts.get(key, language) if module.texts.has(key, language) else key.partition(".")[2]
        for key in keys
    )


def _numbers(low: int, high: int, across: int) -> tuple[tuple[str | None, ...], ...]:
    """Tens below each other, so that a place is found at once."""
    first = low - low % across
    return tuple(
        tuple(str(n) if low <= n <= high else None for n in range(start, start + across))
        for start in range(first, high + 1, across)
    )


def _digits(high: int) -> tuple[tuple[str | None, ...], ...]:
    scales = [1, 10, 100][: max(2, min(3, len(str(high))))]
    return tuple(tuple(str(n * scale) for n in range(10)) for scale in reversed(scales))


def _starts(module: Module, tracks: list[Track]) -> Iterator[tuple[str, str]]:
    """Where the markers of the first setup stand."""
    scenario = module.opening
    for track in tracks:
        if scenario is not None and track.owner is not None and track.id in scenario.tracks:
            yield str(int(scenario.tracks[track.id])), track.owner


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
