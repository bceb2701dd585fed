"""Turns and tracks as rows of squares, in one language: what a sheet prints and a chart shows.

Tracks of one kind and range share their squares. One too long for a page, or without an end, has its units, tens and hundreds apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from compiler.model.types import Module, Track

MOST = 150  # squares of a track before its digits are counted apart


@dataclass(frozen=True, slots=True)
class Strip:
    """Rows of squares: a word for each (None: no square there), the tracks whose markers stand on them."""

    title: str
    rows: tuple[tuple[str | None, ...], ...]
    starts: tuple[tuple[str, str], ...] = ()  # the word of a square, the power that starts there


def strips(module: Module, language: str, turns: str, across: int) -> list[Strip]:
    """The turns under the title `turns`, then each kind of track, at most `across` squares in a row."""
    return [*_turns(module, language, turns, across), *_levels(module, language, across)]


def _turns(module: Module, language: str, title: str, across: int) -> Iterator[Strip]:
    turns = module.sequence.turns
    if 1 < len(turns) <= MOST:
        names = [
            module.texts.get(f"turn.{id}", language) if module.texts.has(f"turn.{id}", language) else id
            for id in turns
        ]
        even = ceil(len(names) / ceil(len(names) / across))  # rows of one length, not a long one and a rest
        rows = tuple(tuple(names[n : n + even]) for n in range(0, len(names), even))
        yield Strip(title, rows)


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
