"""What stands round a hex map: title, boxes that are spaces, legend, compass and scale bar.

In: what the map shows, as legend entries. Out: the sizes of the whole sheet, and the items of everything beside the map.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from pathlib import Path as File
from typing import Any, Literal

from compiler.draw import fonts
from compiler.draw.hexlines import Look
from compiler.draw.hexmarks import Signs, draw_signs
from compiler.draw.hextextures import Ground, textured
from compiler.draw.place import XY
from compiler.draw.scene import Item, Path, Words, polygon, polyline, rect
from compiler.draw.settings import Picture
from compiler.draw.types import SpaceShape

Rect = tuple[float, float, float, float]
MARGIN = 40.0
TITLE = 66.0
GAP = 20.0
ENTRY = (258.0, 58.0)  # width and height of one entry of the legend
ROSE = 250.0  # width of the part with compass and scale bar
BOX = (300.0, 130.0)
SQUARE = 64.0  # the least width of a track's square


@cache
def own_words() -> Mapping[str, Mapping[str, str]]:
    text = (File(__file__).parent / "hexwords.json").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, str]] = json.loads(text)
    return found


def word(picture: Picture, key: str, language: str) -> str:
    """A word of the picture: the author's own, or ours; English where we have none."""
    given = picture.get("words", {}).get(language, {})
    return str(given.get(key) or own_words().get(language, own_words()["en"])[key])


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the legend. `sample` is a look of a terrain, hexside or line, or signs."""

    kind: Literal["terrain", "side", "line", "sign"]
    text: str
    sample: Look | Signs
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """The whole sheet: where the map's picture begins, the boxes by space, the legend's place."""

    width: float
    height: float
    left: float
    top: float
    boxes: Mapping[str, Rect]
    legend: Rect
    columns: int
    squares: Mapping[int, Rect]


def plan(
    map_width: float, map_height: float, boxes: Sequence[str], entries: int, numbers: Sequence[int] = ()
) -> Frame:
    """Sizes. The map stands in the middle under the title and the track, boxes and legend below it."""
    width = max(map_width + 2 * MARGIN, 2 * MARGIN + ENTRY[0] + ROSE + GAP)
    squares = _squares(numbers, width - 2 * MARGIN)
    left, top = (width - map_width) / 2, MARGIN + TITLE
    if squares:
        top = max(y + h for _, y, _, h in squares.values()) + GAP
    y = top + map_height + GAP
    room = width - 2 * MARGIN
    placed: dict[str, Rect] = {}
    across = max(1, int((room + GAP) // (BOX[0] + GAP)))
    for k, id in enumerate(boxes):
        placed[id] = (MARGIN + k % across * (BOX[0] + GAP), y + k // across * (BOX[1] + GAP), *BOX)
    if boxes:
        y += ceil(len(boxes) / across) * (BOX[1] + GAP)
    columns = max(1, int((room - ROSE - GAP) // ENTRY[0]))
    high = max(170.0, 52 + ceil(entries / columns) * ENTRY[1] + 10)
    panel = (MARGIN, y, room, high)
    return Frame(width, y + high + MARGIN, float(round(left)), top, placed, panel, columns, squares)


def _squares(numbers: Sequence[int], room: float) -> dict[int, Rect]:
    """The squares of a track in as few rows as their least width allows."""
    if not numbers:
        return {}
    rows = ceil(len(numbers) * SQUARE / room)
    across = ceil(len(numbers) / rows)
    side = min(SQUARE * 1.35, room / across)
    top = MARGIN + TITLE
    return {
        number: (MARGIN + k % across * side, top + k // across * side, side, side)
        for k, number in enumerate(numbers)
    }


def box_shapes(frame: Frame, counter: float) -> dict[str, SpaceShape]:
    out = {}
    for id, (x, y, w, h) in frame.boxes.items():
        ring = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        step = counter + 8
        spots = tuple(
            (x + 12 + step * (k + 0.5), y + 34 + (h - 34) / 2) for k in range(int((w - 24) // step))
        )
        out[id] = SpaceShape(id, (ring,), (x + w / 2, y + h / 2), spots or ((x + w / 2, y + h / 2),))
    return out


@dataclass(frozen=True, slots=True)
class Pen:
    """What the parts of the frame need to draw themselves."""

    frame: Frame
    picture: Picture
    style: Mapping[str, Any]  # colours of the sheet and of hexes together
    language: str
    hex_size: float  # between opposite hexsides
    step: float  # between two neighbouring hexes, along a row of the picture
    flat: bool

    def write(
        self, text: str, x: float, y: float, size: float, font: fonts.Font = fonts.SANS, anchor: str = "start"
    ) -> Words:
        return Words(text, x, y, font, size, str(self.style["ink"]), anchor)

    def fitted(self, text: str, x: float, y: float, size: float, room: float, font: fonts.Font) -> Words:
        wide = fonts.width(font, text, size)
        return self.write(text, x, y, size * min(1.0, room / wide) if wide else size, font)


def title(pen: Pen, text: str, below: str) -> list[Item]:
    """The name of the map, and under it that of the game."""
    room = pen.frame.width - 2 * MARGIN
    out: list[Item] = [pen.fitted(text, MARGIN, MARGIN + 34, 44, room * 0.7, fonts.SERIF_BOLD)]
    if below and below != text:
        size = 22.0
        wide = fonts.width(fonts.SERIF_ITALIC, below, size)
        x = pen.frame.width - MARGIN - min(wide, room * 0.28)
        out.append(pen.fitted(below, x, MARGIN + 34, size, room * 0.28, fonts.SERIF_ITALIC))
    y = MARGIN + 48
    out.append(
        Path(polyline([(MARGIN, y), (pen.frame.width - MARGIN, y)]), stroke=pen.style["frame"], width=2)
    )
    return out


def track(pen: Pen) -> list[Item]:
    """The squares of the track with their numbers; every fifth is darker, so that they are counted quickly."""
    out: list[Item] = []
    for number, (x, y, w, h) in pen.frame.squares.items():
        fill = pen.style["panel_line"] if number % 5 == 0 else pen.style["panel"]
        out.append(Path(rect(x, y, w, h), fill=pen.style["panel"], stroke=pen.style["frame"], width=1.6))
        if number % 5 == 0:
            out.append(Path(rect(x, y, w, h), fill=fill, opacity=0.45))
        out.append(pen.write(str(number), x + 6, y + 21, 18, fonts.SANS_HEAVY))
    return out


def boxes(pen: Pen, names: Mapping[str, str]) -> list[Item]:
    out: list[Item] = []
    for id, (x, y, w, h) in pen.frame.boxes.items():
        out.append(Path(rect(x, y, w, h, 8), fill=pen.style["panel"], stroke=pen.style["frame"], width=2.2))
        out.append(pen.fitted(names[id], x + 12, y + 26, 21.5, w - 24, fonts.SANS_HEAVY))
    return out


def legend(pen: Pen, entries: Sequence[Entry]) -> list[Item]:
    x, y, w, h = pen.frame.legend
    out: list[Item] = [
        Path(rect(x, y, w, h, 8), fill=pen.style["panel"], stroke=pen.style["panel_line"], width=2),
        pen.write(word(pen.picture, "legend", pen.language), x + 16, y + 32, 24, fonts.SERIF_BOLD),
    ]
    rows = ceil(len(entries) / pen.frame.columns)
    for k, entry in enumerate(entries):
        ex = x + 16 + k // rows * ENTRY[0]
        ey = y + 48 + k % rows * ENTRY[1]
        out += _entry(pen, entry, ex, ey)
    out += _compass(pen, x + w - ROSE / 2, y + 66)
    out += _scale_bar(pen, x + w - ROSE + 12, y + h - 34)
    return out


def _entry(pen: Pen, entry: Entry, x: float, y: float) -> list[Item]:
    wide, high = 62.0, ENTRY[1] - 8
    middle = (x + wide / 2, y + high / 2)
    out = _sample(pen, entry, middle)
    room = ENTRY[0] - wide - 22
    if entry.effect:
        out.append(pen.fitted(entry.text, x + wide + 10, y + high / 2 - 1, 19, room, fonts.SANS_HEAVY))
        out.append(pen.fitted(entry.effect, x + wide + 10, y + high / 2 + 18, 16, room, fonts.SANS))
    else:
        out.append(pen.fitted(entry.text, x + wide + 10, y + high / 2 + 7, 20, room, fonts.SANS_HEAVY))
    return out


def _sample(pen: Pen, entry: Entry, at: XY) -> list[Item]:
    x, y = at
    sample = entry.sample
    if isinstance(sample, Signs):
        return draw_signs(sample, at, 1.0, pen.style)[0]
    if entry.kind == "terrain":
        r = 27.0
        half = r * 3**0.5 / 2
        ring = [(x + r, y), (x + r / 2, y + half), (x - r / 2, y + half), (x - r, y), (x - r / 2, y - half), (x + r / 2, y - half)]  # fmt: skip
        ground = Ground([at], [(3, 5)], r, True)
        return [
            Path(polygon([ring]), fill=sample["fill"]),
            *textured(ground, [0], sample),
            *_bight(sample, x, y, r, half),
            Path(polygon([ring]), stroke=pen.style["grid"][0], width=1.4),
        ]
    wave = f"M{x - 28:.1f} {y + 3:.1f}q14 -12 28 -2t28 -3"
    if entry.kind == "line":
        out: list[Item] = []
        if sample["casing"]:
            out.append(Path(wave, stroke=sample["casing"], width=sample["width"] + 2 * sample.get("edge", 0)))
        return [
            *out,
            Path(wave, stroke=sample["stroke"], width=sample["width"], dash=str(sample.get("dash", ""))),
        ]
    return _side_sample(sample, wave, x, y)


def _bight(look: Look, x: float, y: float, r: float, half: float) -> list[Item]:
    """The water in the sample of a coastal terrain."""
    if "water" not in look:
        return []
    line = f"M{x - r * 0.3:.1f} {y + half:.1f}q{r * 0.2:.1f} {-half * 0.75:.1f} {r * 0.62:.1f} {-half * 0.72:.1f}t{r * 0.5:.1f} {-half * 0.55:.1f}"
    area = f"{line}L{x + r:.1f} {y:.1f}L{x + r / 2:.1f} {y + half:.1f}z"
    return [Path(area, fill=look["water"]), Path(line, stroke=look["shore"], width=1.6)]


def _side_sample(look: Look, wave: str, x: float, y: float) -> list[Item]:
    draw, wide = look["draw"], look["width"]
    if draw == "water":
        return [
            Path(wave, stroke=look["casing"], width=wide + 1.8),
            Path(wave, stroke=look["stroke"], width=wide),
        ]
    straight = polyline([(x - 28, y + 8), (x - 9, y - 6), (x + 9, y - 6), (x + 28, y + 8)])
    dash = str(look.get("dash", ""))
    if draw == "border":
        halo = Path(straight, stroke=look["halo"], width=wide * 2.6, opacity=0.75)
        return [halo, Path(straight, stroke=look["stroke"], width=wide, dash=dash)]
    if draw == "arrow":
        heads = polyline([(x - 14, y - 6), (x - 22, y), (x - 14, y + 6)]) + polyline(
            [(x + 14, y - 6), (x + 22, y), (x + 14, y + 6)]
        )
        return [Path(polyline([(x - 22, y), (x + 22, y)]) + heads, stroke=look["stroke"], width=wide)]
    out: list[Item] = [Path(straight, stroke=look["stroke"], width=wide, dash=dash)]
    if draw in ("cliff", "wall"):
        teeth = "".join(
            polyline([(x + dx, y - 6 - (6 if draw == "wall" else 0)), (x + dx, y + 1)]) for dx in (-6, 0, 6)
        )
        out.append(Path(teeth, stroke=look["stroke"], width=wide * 0.62))
    return out


def _compass(pen: Pen, x: float, y: float) -> list[Item]:
    ink, paper = str(pen.style["ink"]), str(pen.style["panel"])
    out: list[Item] = []
    for turn in (0, 90, 180, 270):
        r = 36.0 if turn == 0 else 28.0
        move = f"rotate({turn} {x:.1f} {y:.1f})"
        left = polygon([[(x, y - r), (x - 7, y - 7), (x, y)]])
        right = polygon([[(x, y - r), (x + 7, y - 7), (x, y)]])
        out.append(Path(left, fill=ink, stroke=ink, width=1.2, transform=move))
        out.append(Path(right, fill=paper, stroke=ink, width=1.2, transform=move))
    out.append(pen.write(word(pen.picture, "north", pen.language), x, y - 40, 19, fonts.SERIF_BOLD, "middle"))
    return out


def _scale_bar(pen: Pen, x: float, y: float) -> list[Item]:
    """A bar of whole hexes. The picture file may say what a hex is: `"scale": {"hex": 25, "unit": "km"}`."""
    count = max(1, min(4, int((ROSE - 50) // pen.step)))
    ink, paper = str(pen.style["ink"]), str(pen.style["panel"])
    out: list[Item] = []
    for k in range(count):
        fill = ink if k % 2 == 0 else paper
        out.append(Path(rect(x + k * pen.step, y, pen.step, 8), fill=fill, stroke=ink, width=1.4))
    given = pen.picture.get("scale", {})
    if "hex" in given:
        text = f"{_plain(float(given['hex']) * count)} {given.get('unit', 'km')}"
    elif count == 1:
        text = word(pen.picture, "hex", pen.language)
    else:
        text = word(pen.picture, "hexes", pen.language).replace("{n}", str(count))
    out.append(pen.write("0", x, y + 25, 15, fonts.SANS, "middle"))
    out.append(pen.write(text, x + count * pen.step, y + 25, 15, fonts.SANS, "end"))
    return out


def _plain(value: float) -> str:
    return f"{value:.10g}"
