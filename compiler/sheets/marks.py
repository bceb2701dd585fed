"""Crop and registration marks, headings: what stands outside the cut. Lengths in mm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler.draw.fonts import SANS, SANS_BOLD, Font
from compiler.draw.scene import Item, Path, Words
from compiler.sheets.layout import Box

MARK = 4.0
HAIR = 0.09  # a quarter of a point
REGISTRATION = "#000001"  # painted on every plate
GREY = "#555555"


def crops(trim: Box, xs: Iterable[float], ys: Iterable[float], bleed: float) -> Iterator[Item]:
    """Short lines outside the bleed at every cut."""
    gap = bleed + 0.5
    for x in xs:
        yield line(x, trim.y - gap - MARK, x, trim.y - gap)
        yield line(x, trim.y + trim.height + gap, x, trim.y + trim.height + gap + MARK)
    for y in ys:
        yield line(trim.x - gap - MARK, y, trim.x - gap, y)
        yield line(trim.x + trim.width + gap, y, trim.x + trim.width + gap + MARK, y)


def crosses(trim: Box, paper: tuple[float, float], bleed: float) -> Iterator[Item]:
    """Registration marks at the middle of left and right, and of the foot."""
    cy = trim.y + trim.height / 2
    reach = bleed + 5.4
    for x in (max(3.2, trim.x - reach), min(paper[0] - 3.2, trim.x + trim.width + reach)):
        yield from cross(x, cy)
    yield from cross(trim.x + trim.width / 2, min(paper[1] - 3.2, trim.y + trim.height + reach))


def cross(x: float, y: float, r: float = 1.6) -> Iterator[Item]:
    arc = f"a{r} {r} 0 1 0 "
    yield Path(f"M{x - r:.3f} {y:.3f}{arc}{2 * r} 0{arc}{-2 * r} 0z", stroke=REGISTRATION, width=HAIR)
    yield line(x - 1.6 * r, y, x + 1.6 * r, y)
    yield line(x, y - 1.6 * r, x, y + 1.6 * r)


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = REGISTRATION, dash: str = "") -> Path:
    return Path(f"M{x1:.3f} {y1:.3f}L{x2:.3f} {y2:.3f}", stroke=stroke, width=HAIR, dash=dash)


def box(b: Box, fill: str = "none", stroke: str = "none") -> Path:
    d = f"M{b.x:.3f} {b.y:.3f}h{b.width:.3f}v{b.height:.3f}h{-b.width:.3f}z"
    return Path(d, fill=fill, stroke=stroke, width=HAIR if stroke != "none" else 0)


def heading(words: str, small: str, paper: tuple[float, float]) -> list[Item]:
    return [
        text(words, 10, 6.4, 3.4, SANS_BOLD),
        text(small, paper[0] - 10, 6.4, 2.6, SANS, anchor="end", fill=GREY),
    ]


def text(
    words: str,
    x: float,
    y: float,
    size: float,
    font: Font = SANS,
    anchor: str = "start",
    fill: str = "#000000",
) -> Words:
    return Words(words, x, y, font, size, fill, anchor)
