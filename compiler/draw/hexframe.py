"""What stands round a hex map: title, boxes that are spaces, legend, compass and scale bar.

In: what the map shows, as legend entries. Out: the sizes of the whole sheet, and the items of everything beside the map.
Title and track stand over the map, boxes and legend below it. On a large map that leaves a wide corner of the sheet
empty all of it stands in that corner, so much larger that it can be read when the whole map is looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from pathlib import Path as File
from typing import Any, Literal

from compiler.draw import fonts
from compiler.draw.hexlines import Look, dashes, planned_line
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
# How much larger all of this is in an empty corner of the sheet, in tenths: at least and at most.
ZOOM = (15, 30)


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
    """The whole sheet: where the map's picture begins, the title's place, the boxes by space, the legend's place.

    `zoom` is how much larger than usual all of this is.
    """

    width: float
    height: float
    left: float
    top: float
    title: Rect
    boxes: Mapping[str, Rect]
    legend: Rect
    columns: int
    squares: Mapping[int, Rect]
    zoom: float = 1.0


def plan(
    map_width: float,
    map_height: float,
    boxes: Sequence[str],
    entries: int,
    numbers: Sequence[int] = (),
    free: Rect | None = None,
) -> Frame:
    """Sizes. `free` is the largest empty rectangle of the map's picture, if somebody looked for it."""
    if free is not None and (found := _in_corner(map_width, map_height, boxes, entries, numbers, free)):
        return found
    width = max(map_width + 2 * MARGIN, 2 * MARGIN + ENTRY[0] + ROSE + GAP)
    room = width - 2 * MARGIN
    top = MARGIN + TITLE
    squares = _squares(numbers, MARGIN, top, room, 1.0)
    if squares:
        top = max(y + h for _, y, _, h in squares.values()) + GAP
    placed, panel, columns, end = _stacked(MARGIN, top + map_height + GAP, room, 1.0, boxes, entries)
    left = float(round((width - map_width) / 2))
    title = (MARGIN, MARGIN, room, TITLE)
    return Frame(width, end + MARGIN, left, top, title, placed, panel, columns, squares)


def _in_corner(
    map_width: float,
    map_height: float,
    boxes: Sequence[str],
    entries: int,
    numbers: Sequence[int],
    free: Rect,
) -> Frame | None:
    """Everything in an empty corner of the map's picture, as large as it fits; none if the corner is too small."""
    for step in range(ZOOM[1], ZOOM[0] - 1, -1):
        z = step / 10
        x, y = free[0] + MARGIN + GAP * z, free[1] + MARGIN
        room = free[2] - 2 * GAP * z
        at = y + TITLE * z
        squares = _squares(numbers, x, at, room, z)
        if squares:
            at = max(sy + h for _, sy, _, h in squares.values()) + GAP * z
        placed, panel, columns, end = _stacked(x, at, room, z, boxes, entries)
        if end + GAP * z <= free[1] + MARGIN + free[3]:
            size = map_width + 2 * MARGIN, map_height + 2 * MARGIN
            title = (x, y, room, TITLE * z)
            return Frame(*size, MARGIN, MARGIN, title, placed, panel, columns, squares, z)
    return None


def _stacked(
    x: float, y: float, room: float, z: float, boxes: Sequence[str], entries: int
) -> tuple[dict[str, Rect], Rect, int, float]:
    """The boxes in rows and the legend below them: (boxes, legend, its columns, where all of it ends)."""
    placed: dict[str, Rect] = {}
    wide, high, gap = BOX[0] * z, BOX[1] * z, GAP * z
    rows = ceil(len(boxes) / max(1, int((room + gap) // (wide + gap)))) if boxes else 0
    across = ceil(len(boxes) / rows) if rows else 1
    if rows > 1:  # a whole row fills the room
        wide = min((room + gap) / across - gap, wide * 1.4)
    for k, id in enumerate(boxes):
        placed[id] = (x + k % across * (wide + gap), y + k // across * (high + gap), wide, high)
    y += rows * (high + gap)
    columns = max(1, int((room - (ROSE + GAP) * z) // (ENTRY[0] * z)))
    tall = max(170.0, 52 + ceil(entries / columns) * ENTRY[1] + 10) * z
    return placed, (x, y, room, tall), columns, y + tall


def _squares(numbers: Sequence[int], x: float, y: float, room: float, z: float) -> dict[int, Rect]:
    """The squares of a track in as few rows as their least width allows."""
    if not numbers:
        return {}
    rows = ceil(len(numbers) * SQUARE * z / room)
    across = ceil(len(numbers) / rows)
    side = min(SQUARE * 1.35 * z, room / across)
    return {
        number: (x + k % across * side, y + k // across * side, side, side)
        for k, number in enumerate(numbers)
    }


def largest_free(centres: Sequence[XY], reach: float, width: float, height: float) -> Rect | None:
    """The largest rectangle of a picture that keeps clear of hexes round these middles."""
    columns, rows = int(width // reach), int(height // reach)
    taken = [[False] * columns for _ in range(rows)]
    for x, y in centres:
        for j in range(max(0, int((y - reach) // reach)), min(rows, int((y + reach) // reach) + 1)):
            for i in range(max(0, int((x - reach) // reach)), min(columns, int((x + reach) // reach) + 1)):
                taken[j][i] = True
    best: tuple[float, Rect] | None = None
    depth = [0] * columns
    for j in range(rows):
        depth = [0 if taken[j][i] else depth[i] + 1 for i in range(columns)]
        for i in range(columns):
            low = depth[i]
            for k in range(i, columns):
                low = min(low, depth[k])
                if not low:
                    break
                area = float(low * (k - i + 1))
                if best is None or area > best[0]:
                    rect_ = (i * reach, (j - low + 1) * reach, (k - i + 1) * reach, low * reach)
                    best = area, rect_
    return best[1] if best else None


def box_shapes(frame: Frame, counter: float) -> dict[str, SpaceShape]:
    out = {}
    z = frame.zoom
    for id, (x, y, w, h) in frame.boxes.items():
        ring = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        step = counter + 8
        spots = tuple(_spots((x + 12 * z, y + 34 * z, w - 24 * z, h - 40 * z), step))
        out[id] = SpaceShape(id, (ring,), (x + w / 2, y + h / 2), spots or ((x + w / 2, y + h / 2),))
    return out


def _spots(room: Rect, step: float) -> Iterator[XY]:
    """Where counters stand in a box: in rows, as many as there is room for."""
    x, y, w, h = room
    rows = max(1, int(h // step))
    for j in range(rows):
        for i in range(int(w // step)):
            yield x + step * (i + 0.5), y + h * (j + 0.5) / rows


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
    """The name of the map, and beside it that of the game."""
    x, y, room, _ = pen.frame.title
    z = pen.frame.zoom
    out: list[Item] = [pen.fitted(text, x, y + 34 * z, 44 * z, room * 0.7, fonts.SERIF_BOLD)]
    if below and below != text:
        size = 22.0 * z
        wide = fonts.width(fonts.SERIF_ITALIC, below, size)
        left = x + room - min(wide, room * 0.28)
        out.append(pen.fitted(below, left, y + 34 * z, size, room * 0.28, fonts.SERIF_ITALIC))
    line = polyline([(x, y + 48 * z), (x + room, y + 48 * z)])
    out.append(Path(line, stroke=pen.style["frame"], width=2 * z))
    return out


def track(pen: Pen) -> list[Item]:
    """The squares of the track with their numbers; every fifth is darker, so that they are counted quickly."""
    out: list[Item] = []
    z = pen.frame.zoom
    for number, (x, y, w, h) in pen.frame.squares.items():
        fill = pen.style["panel_line"] if number % 5 == 0 else pen.style["panel"]
        out.append(Path(rect(x, y, w, h), fill=pen.style["panel"], stroke=pen.style["frame"], width=1.6 * z))
        if number % 5 == 0:
            out.append(Path(rect(x, y, w, h), fill=fill, opacity=0.45))
        out.append(pen.write(str(number), x + 6 * z, y + 21 * z, 18 * z, fonts.SANS_HEAVY))
    return out


def boxes(pen: Pen, names: Mapping[str, str]) -> list[Item]:
    out: list[Item] = []
    z = pen.frame.zoom
    for id, (x, y, w, h) in pen.frame.boxes.items():
        shape = rect(x, y, w, h, 8 * z)
        out.append(Path(shape, fill=pen.style["panel"], stroke=pen.style["frame"], width=2.2 * z))
        out.append(pen.fitted(names[id], x + 12 * z, y + 26 * z, 21.5 * z, w - 24 * z, fonts.SANS_HEAVY))
    return out


def legend(pen: Pen, entries: Sequence[Entry]) -> list[Item]:
    x, y, w, h = pen.frame.legend
    z = pen.frame.zoom
    head = word(pen.picture, "legend", pen.language)
    out: list[Item] = [
        Path(rect(x, y, w, h, 8 * z), fill=pen.style["panel"], stroke=pen.style["panel_line"], width=2 * z),
        pen.write(head, x + 16 * z, y + 32 * z, 24 * z, fonts.SERIF_BOLD),
    ]
    rows = ceil(len(entries) / pen.frame.columns)
    for k, entry in enumerate(entries):
        ex = x + (16 + k // rows * ENTRY[0]) * z
        ey = y + (48 + k % rows * ENTRY[1]) * z
        out += _entry(pen, entry, ex, ey)
    out += _compass(pen, x + w - ROSE * z / 2, y + 66 * z)
    out += _scale_bar(pen, x + w - (ROSE - 12) * z, y + h - 34 * z)
    return out


def _entry(pen: Pen, entry: Entry, x: float, y: float) -> list[Item]:
    z = pen.frame.zoom
    wide, high = 62.0 * z, (ENTRY[1] - 8) * z
    middle = (x + wide / 2, y + high / 2)
    out = _sample(pen, entry, middle)
    left, room = x + wide + 10 * z, (ENTRY[0] - 22) * z - wide
    if entry.effect:
        out.append(pen.fitted(entry.text, left, y + high / 2 - z, 19 * z, room, fonts.SANS_HEAVY))
        out.append(pen.fitted(entry.effect, left, y + high / 2 + 18 * z, 16 * z, room, fonts.SANS))
    else:
        out.append(pen.fitted(entry.text, left, y + high / 2 + 7 * z, 20 * z, room, fonts.SANS_HEAVY))
    return out


def _sample(pen: Pen, entry: Entry, at: XY) -> list[Item]:
    x, y = at
    z = pen.frame.zoom
    sample = entry.sample
    if isinstance(sample, Signs):
        return draw_signs(sample, at, z, pen.style)[0]
    if entry.kind == "terrain":
        r = 27.0 * z
        half = r * 3**0.5 / 2
        ring = [(x + r, y), (x + r / 2, y + half), (x - r / 2, y + half), (x - r, y), (x - r / 2, y - half), (x + r / 2, y - half)]  # fmt: skip
        ground = Ground([at], [(3, 5)], r, True)
        return [
            Path(polygon([ring]), fill=sample["fill"]),
            *textured(ground, [0], sample),
            *_bight(sample, x, y, r, half, z),
            Path(polygon([ring]), stroke=pen.style["grid"][0], width=1.4 * z),
        ]
    wave = f"M{x - 28 * z:.1f} {y + 3 * z:.1f}q{14 * z:.1f} {-12 * z:.1f} {28 * z:.1f} {-2 * z:.1f}t{28 * z:.1f} {-3 * z:.1f}"
    if entry.kind == "line":
        out: list[Item] = []
        wide = float(sample["width"]) * z
        if sample.get("planned"):
            return planned_line(wave, sample, wide, z)
        if sample["casing"]:
            edge = float(sample.get("edge", 0)) * z
            out.append(Path(wave, stroke=sample["casing"], width=wide + 2 * edge))
        return [*out, Path(wave, stroke=sample["stroke"], width=wide, dash=dashes(sample, z))]
    return _side_sample(sample, wave, x, y, z)


def _bight(look: Look, x: float, y: float, r: float, half: float, z: float) -> list[Item]:
    """The water in the sample of a coastal terrain."""
    if "water" not in look:
        return []
    line = f"M{x - r * 0.3:.1f} {y + half:.1f}q{r * 0.2:.1f} {-half * 0.75:.1f} {r * 0.62:.1f} {-half * 0.72:.1f}t{r * 0.5:.1f} {-half * 0.55:.1f}"
    area = f"{line}L{x + r:.1f} {y:.1f}L{x + r / 2:.1f} {y + half:.1f}z"
    return [Path(area, fill=look["water"]), Path(line, stroke=look["shore"], width=1.6 * z)]


def _side_sample(look: Look, wave: str, x: float, y: float, z: float) -> list[Item]:
    draw, wide = look["draw"], float(look["width"]) * z
    if draw == "water":
        return [
            Path(wave, stroke=look["casing"], width=wide + 1.8 * z),
            Path(wave, stroke=look["stroke"], width=wide),
        ]

    def line(*points: XY) -> str:
        return polyline([(x + dx * z, y + dy * z) for dx, dy in points])

    straight = line((-28, 8), (-9, -6), (9, -6), (28, 8))
    dash = dashes(look, z)
    if draw == "border":
        halo = Path(straight, stroke=look["halo"], width=wide * 2.6, opacity=0.75)
        return [halo, Path(straight, stroke=look["stroke"], width=wide, dash=dash)]
    if draw == "arrow":
        arrow = (
            line((-22, 0), (22, 0)) + line((-14, -6), (-22, 0), (-14, 6)) + line((14, -6), (22, 0), (14, 6))
        )
        return [Path(arrow, stroke=look["stroke"], width=wide)]
    out: list[Item] = [Path(straight, stroke=look["stroke"], width=wide, dash=dash)]
    if draw in ("cliff", "wall"):
        teeth = "".join(line((dx, -6 - (6 if draw == "wall" else 0)), (dx, 1)) for dx in (-6, 0, 6))
        out.append(Path(teeth, stroke=look["stroke"], width=wide * 0.62))
    return out


def _compass(pen: Pen, x: float, y: float) -> list[Item]:
    ink, paper = str(pen.style["ink"]), str(pen.style["panel"])
    z = pen.frame.zoom
    out: list[Item] = []
    for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        r, w = (36.0 if dy < 0 else 28.0) * z, 7.0 * z
        tip = (x + dx * r, y + dy * r)
        for side, fill in ((1, ink), (-1, paper)):
            bend = (x + dx * w + dy * w * side, y + dy * w - dx * w * side)
            out.append(Path(polygon([[tip, bend, (x, y)]]), fill=fill, stroke=ink, width=1.2 * z))
    north = word(pen.picture, "north", pen.language)
    out.append(pen.write(north, x, y - 40 * z, 19 * z, fonts.SERIF_BOLD, "middle"))
    return out


def _scale_bar(pen: Pen, x: float, y: float) -> list[Item]:
    """A bar of whole hexes. The picture file may say what a hex is: `"scale": {"hex": 25, "unit": "km"}`."""
    z = pen.frame.zoom
    count = max(1, min(4, int((ROSE - 50) * z // pen.step)))
    ink, paper = str(pen.style["ink"]), str(pen.style["panel"])
    out: list[Item] = []
    for k in range(count):
        fill = ink if k % 2 == 0 else paper
        out.append(Path(rect(x + k * pen.step, y, pen.step, 8 * z), fill=fill, stroke=ink, width=1.4 * z))
    given = pen.picture.get("scale", {})
    if "hex" in given:
        text = f"{_plain(float(given['hex']) * count)} {given.get('unit', 'km')}"
    elif count == 1:
        text = word(pen.picture, "hex", pen.language)
    else:
        text = word(pen.picture, "hexes", pen.language).replace("{n}", str(count))
    out.append(pen.write("0", x, y + 25 * z, 15 * z, fonts.SANS, "middle"))
    out.append(pen.write(text, x + count * pen.step, y + 25 * z, 15 * z, fonts.SANS, "end"))
    return out


def _plain(value: float) -> str:
    return f"{value:.10g}"
