"""What stands round the map: the track along the top, and a panel with title, turn order, unit table and legend.

In: module, map, picture settings. Out: scene items, the track's squares, and shapes for the boxes that are spaces. Every
panel is optional: what the picture file does not ask for is not drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compiler.draw import fonts
from compiler.draw.colour import ink_on, mix
from compiler.draw.marks import capital_mark, complex_mark, income_mark, link_mark, plate, unit_mark
from compiler.draw.patterns import TILES
from compiler.draw.place import XY
from compiler.draw.scene import Item, Path, Words, polyline, rect
from compiler.draw.settings import Picture
from compiler.draw.types import SpaceShape
from compiler.findings import Finding, error
from compiler.model.types import Map, Module

Rect = tuple[float, float, float, float]
PAD = 18.0


@dataclass(frozen=True)
class Sheet:
    """Sizes of the whole picture: the map's corner, the track's rectangle, the panel's parts by name."""

    width: float
    height: float
    left: float
    top: float
    track: Rect | None
    numbers: tuple[int, int]
    panels: Mapping[str, Rect]
    boxes: Mapping[str, Rect]


def plan(module: Module, board: Map, map_width: float, map_height: float, picture: Picture) -> Sheet:
    """Where map, track and panels stand on the sheet."""
    margin = float(picture.get("margin", 40))
    track = picture.get("track")
    high = float(track.get("height", 84)) if track else 0.0
    top = margin + (high + 16 if track else 0)
    width = map_width + 2 * margin
    below = top + map_height + 16
    panels: dict[str, Rect] = {}
    x = margin
    panel_high = float(picture.get("panel_height", 340))
    for entry in picture.get("panels", ()):
        panels[str(entry["id"])] = (x, below, float(entry["width"]), panel_high)
        x += float(entry["width"]) + 16
    height = below + panel_high + margin if panels else top + map_height + margin
    boxes = {str(k): _box_in(panels, str(v)) for k, v in picture.get("boxes", {}).items() if str(v) in panels}
    numbers = _numbers(module, str(track["kind"])) if track else (0, 0)
    return Sheet(
        width,
        height,
        margin,
        top,
        (margin, margin, map_width, high) if track else None,
        numbers,
        panels,
        boxes,
    )


def _box_in(panels: Mapping[str, Rect], name: str) -> Rect:
    """The free lower part of a panel, where counters lie."""
    x, y, w, h = panels[name]
    return x + PAD, y + h - 128, w - 2 * PAD, 110


def _numbers(module: Module, kind: str) -> tuple[int, int]:
    found = [t for t in module.tracks.values() if t.kind == kind]
    return (min(t.low for t in found), max(t.high for t in found)) if found else (0, 0)


def box_shapes(board: Map, sheet: Sheet) -> dict[str, SpaceShape]:
    """Shapes of the boxes that are spaces of the map."""
    out = {}
    for space in board.spaces:
        if space.id in sheet.boxes:
            x, y, w, h = sheet.boxes[space.id]
            ring = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
            spots = tuple((x + w * (2 * i + 1) / 18, y + h / 2) for i in range(9))
            out[space.id] = SpaceShape(space.id, (ring,), (x + w / 2, y + h / 2), spots)
    return out


@dataclass(frozen=True)
class _Pen:
    """What every panel needs to draw itself."""

    module: Module
    board: Map
    sheet: Sheet
    picture: Picture
    style: Mapping[str, Any]
    language: str
    findings: list[Finding]

    def word(self, key: str) -> str:
        return self.picture.word(key, self.language)

    def text(self, text_id: str) -> str:
        return self.module.texts.get(text_id, self.language)

    def write(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        font: fonts.Font = fonts.SANS,
        anchor: str = "start",
        fill: str = "",
    ) -> Words:
        if missing := fonts.lacks(font, text):
            self.findings.append(
                error(
                    "D005", f"the font has no '{missing[0]}', which stands in \"{text}\"", self.picture.place
                )
            )
        return Words(text, x, y, font, size, fill or self.style["ink"], anchor)

    def fitted(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        room: float,
        font: fonts.Font = fonts.SANS,
        anchor: str = "start",
        fill: str = "",
    ) -> Words:
        """The text, smaller if it would be wider than its room."""
        wide = fonts.width(font, text, size)
        return self.write(text, x, y, size * min(1.0, room / wide) if wide else size, font, anchor, fill)


def draw(
    module: Module,
    board: Map,
    sheet: Sheet,
    picture: Picture,
    style: Mapping[str, Any],
    language: str,
    findings: list[Finding],
) -> tuple[list[Item], dict[int, XY]]:
    """All items round the map, and the middle of each square of the track."""
    pen = _Pen(module, board, sheet, picture, style, language, findings)
    out: list[Item] = [_frame(sheet, style)]
    squares: dict[int, XY] = {}
    if sheet.track:
        items, squares = _track(pen, sheet.track)
        out += items
    parts = {"title": _title, "order": _order, "units": _units, "legend": _legend}
    for name, area in sheet.panels.items():
        out.append(Path(rect(*area, 10), fill=style["panel"], stroke=style["panel_line"], width=2.5))
        if name in parts:
            out += parts[name](pen, area)
    return out, squares


def _frame(sheet: Sheet, style: Mapping[str, Any]) -> Item:
    w, h = sheet.width - 2 * sheet.left, _map_height(sheet)
    return Path(rect(sheet.left, sheet.top, w, h), stroke=style["frame"], width=5)


def _map_height(sheet: Sheet) -> float:
    below = min((y for _, y, _, _ in sheet.panels.values()), default=sheet.height - sheet.left + 16)
    return below - 16 - sheet.top


def _track(pen: _Pen, area: Rect) -> tuple[list[Item], dict[int, XY]]:
    """Squares from the lowest to the highest number; the powers' starting levels are marked in their squares."""
    x, y, w, h = area
    low, high = pen.sheet.numbers
    wide = w / (high - low + 1)
    out: list[Item] = []
    squares: dict[int, XY] = {}
    starts = _starts(pen)
    for n in range(low, high + 1):
        left = x + (n - low) * wide
        tone = 0.10 if n % 5 == 0 else 0.0
        out.append(
            Path(
                rect(left, y, wide, h),
                fill=mix(pen.style["panel"], pen.style["ink"], tone),
                stroke=pen.style["panel_line"],
                width=1.6,
            )
        )
        out.append(pen.write(str(n), left + 6, y + 22, 25, fonts.SANS_BOLD))
        for k, power in enumerate(starts.get(n, ())):
            out.append(
                Path(
                    rect(left + wide - 19 - 17 * k, y + 5, 15, 15, 2),
                    fill=pen.module.powers[power].colour or "#888888",
                    stroke=pen.style["ink"],
                    width=1,
                )
            )
        squares[n] = (round(left + wide / 2, 1), round(y + h / 2 + 6, 1))
    out.append(Path(rect(x, y, w, h), stroke=pen.style["frame"], width=4))
    out.append(pen.write(pen.word("track"), x + 6, y + h - 7, 19, fonts.SERIF_ITALIC))
    return out, squares


def _starts(pen: _Pen) -> dict[int, list[str]]:
    kind = str(pen.picture.get("track", {}).get("kind"))
    scenario = pen.module.opening
    out: dict[int, list[str]] = {}
    for track in pen.module.tracks.values():
        if scenario and track.kind == kind and track.owner and track.id in scenario.tracks:
            out.setdefault(int(scenario.tracks[track.id]), []).append(track.owner)
    return out


def _title(pen: _Pen, area: Rect) -> list[Item]:
    x, y, w, h = area
    room = w - 2 * PAD
    out: list[Item] = [
        pen.fitted(pen.text("module.name"), x + PAD, y + 84, 78, room, fonts.SERIF_BOLD),
        pen.fitted(
            pen.text(f"map.{pen.board.id}"),
            x + PAD,
            y + 126,
            34,
            room,
            fonts.SERIF_ITALIC,
            fill=pen.style["sea_ink"],
        ),
        Path(polyline([(x + PAD, y + 144), (x + w - PAD, y + 144)]), stroke=pen.style["panel_line"], width=2),
    ]
    row = y + 170
    for text_id in ("module.disclaimer", "module.data"):
        if pen.module.texts.has(text_id, pen.language):
            for line in wrapped(pen.text(text_id), fonts.SANS, 18, room):
                out.append(pen.write(line, x + PAD, row, 18))
                row += 22
            row += 5
    credits = pen.module.raw.get("credits")
    if isinstance(credits, dict):
        who = ", ".join(map(str, credits.get("designers", ())))
        out.append(
            pen.fitted(
                f"{pen.word('design')}: {who}. {credits.get('publisher', '')}",
                x + PAD,
                min(row + 2, y + h - 40),
                18,
                room,
            )
        )
    width, height = round(pen.sheet.width), round(pen.sheet.height)
    values = {"width": width, "height": height, "cm": round(width / 150 * 2.54), "dpi": 150}
    scale = pen.picture.filled("scale", pen.language, values)
    out += _scale_bar(pen, x + PAD, y + h - 18, scale, room)
    return out


def _scale_bar(pen: _Pen, x: float, y: float, words: str, room: float) -> list[Item]:
    out: list[Item] = []
    for i in range(4):
        fill = pen.style["ink"] if i % 2 == 0 else pen.style["halo"]
        out.append(Path(rect(x + i * 59.06, y - 10, 59.06, 8), fill=fill, stroke=pen.style["ink"], width=1.2))
    out.append(pen.fitted(words, x + 250, y, 18, room - 250))
    return out


def wrapped(text: str, font: fonts.Font, size: float, room: float) -> list[str]:
    """The text in lines no wider than the room."""
    out: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and fonts.width(font, longer, size) > room:
            out.append(line)
            longer = word
        line = longer
    return [*out, line] if line else out


def _order(pen: _Pen, area: Rect) -> list[Item]:
    """The powers in their order of play, and the phases of a turn."""
    x, y, w, h = area
    half = w * 0.56
    out: list[Item] = [pen.write(pen.word("order"), x + PAD, y + 40, 28, fonts.SERIF_BOLD)]
    powers = [pen.module.powers[p] for p in pen.module.sequence.order if p in pen.module.powers]
    step = (h - 74) / max(len(powers), 1)
    for i, power in enumerate(powers):
        row = y + 62 + step * (i + 0.5)
        colour = power.colour or "#888888"
        out.append(
            Path(
                plate(list(pen.module.sides).index(power.side), x + PAD + 34, row - 18, 36),
                fill=colour,
                stroke=pen.style["ink"],
                width=1.6,
            )
        )
        out.append(
            pen.write(
                power.letter or "?", x + PAD + 52, row + 8, 24, fonts.SANS_BOLD, "middle", ink_on(colour)
            )
        )
        out.append(pen.write(str(i + 1), x + PAD + 8, row + 9, 26, fonts.SERIF_BOLD, "middle"))
        out.append(
            pen.fitted(
                pen.text(f"power.{power.id}"), x + PAD + 80, row - 1, 24, half - PAD - 80, fonts.SANS_HEAVY
            )
        )
        about = pen.text(f"side.{power.side}")
        if power.capital:
            about += f" · {pen.word('capital')}: {pen.text(f'space.{power.capital}')}"
        out.append(pen.fitted(about, x + PAD + 80, row + 20, 18, half - PAD - 80))
    out.append(pen.fitted(pen.word("phases"), x + half + 20, y + 40, 28, w - half - 40, fonts.SERIF_BOLD))
    for i, phase in enumerate(pen.module.sequence.phases):
        row = y + 78 + i * (h - 84) / max(len(pen.module.sequence.phases), 1)
        out.append(pen.write(f"{i + 1}", x + half + 22, row, 20, fonts.SERIF_BOLD))
        out.append(pen.fitted(pen.text(f"phase.{phase.id}"), x + half + 44, row, 22, w - half - 44 - PAD))
    return out


def _units(pen: _Pen, area: Rect) -> list[Item]:
    """The unit table over the box where bought units wait: one column a type, read from the types themselves."""
    x, y, w, h = area
    types = [str(t) for t in pen.picture.get("unit_types", ()) if t in pen.module.types]
    rows = [str(r) for r in pen.picture.get("unit_rows", ())]
    out: list[Item] = []
    box = next(iter(pen.sheet.boxes), None)
    title = pen.text(f"space.{box}") if box else pen.word("units")
    head = 250.0
    out.append(pen.fitted(title, x + PAD, y + 46, 28, head - 16, fonts.SERIF_BOLD))
    wide = (w - 2 * PAD - head) / max(len(types), 1)
    line = 26.0
    for j, row in enumerate(rows):
        out.append(
            pen.fitted(pen.word(f"row.{row}"), x + PAD, y + 128 + j * line, 21, head - 10, fonts.SANS_HEAVY)
        )
    for i, type_id in enumerate(types):
        middle = x + PAD + head + wide * (i + 0.5)
        if i % 2 == 0:
            out.append(
                Path(
                    rect(middle - wide / 2, y + 50, wide, h - 190),
                    fill=mix(pen.style["panel"], pen.style["ink"], 0.05),
                )
            )
        out += unit_mark(
            str(pen.module.types[type_id].raw.get("silhouette", "")), middle, y + 36, 84, pen.style["ink"]
        )
        out.append(
            pen.fitted(pen.text(f"type.{type_id}"), middle, y + 88, 22, wide - 6, fonts.SANS_BOLD, "middle")
        )
        for j, row in enumerate(rows):
            value = pen.module.types[type_id].values.get(row)
            shown = "–" if value in (None, 0) else str(value)
            out.append(pen.write(shown, middle, y + 128 + j * line, 22, fonts.SANS, "middle"))
    for bx, by, bw, bh in pen.sheet.boxes.values():
        out.append(
            Path(
                rect(bx, by, bw, bh, 8),
                fill=mix(pen.style["panel"], pen.style["sea"], 0.5),
                stroke=pen.style["panel_line"],
                width=2,
                dash="9 6",
            )
        )
        out.append(
            pen.fitted(
                pen.word("box"),
                bx + 10,
                by + bh - 9,
                18,
                bw - 20,
                fonts.SERIF_ITALIC,
                fill=pen.style["sea_ink"],
            )
        )
    return out


def _legend(pen: _Pen, area: Rect) -> list[Item]:
    x, y, w, h = area
    out: list[Item] = [pen.write(pen.word("legend"), x + PAD, y + 40, 28, fonts.SERIF_BOLD)]
    out += _owners(pen, x + PAD, y + 58, w * 0.42)
    samples = _samples(pen)
    columns = 2
    each = -(-len(samples) // columns)
    left = x + w * 0.42 + 36
    wide = (w * 0.58 - 36 - PAD) / columns
    step = (h - 74) / max(each, 1)
    for k, (items, words) in enumerate(samples):
        cx, cy = left + (k // each) * wide, y + 62 + (k % each + 0.5) * step
        out += items(cx, cy)
        out.append(pen.fitted(pen.word(words), cx + 66, cy + 7, 21, wide - 72))
    return out


def _owners(pen: _Pen, x: float, y: float, w: float) -> list[Item]:
    out: list[Item] = []
    names: Sequence[str | None] = [*pen.module.powers, None]
    step = (pen.sheet.panels["legend"][3] - 70) / len(names)
    for i, name in enumerate(names):
        row = y + i * step
        power = pen.module.powers.get(name or "")
        colour = (power.colour if power else None) or pen.style["neutral"]
        tint = (
            mix(colour, pen.style["paper"], 1 - float(pen.style["tint"])) if power else pen.style["neutral"]
        )
        shape = rect(x, row, 84, step - 9, 4)
        out.append(Path(shape, fill=tint))
        out.append(
            Path(
                shape,
                fill=f"url(#{'owner-' + power.id if power else 'neutral'})",
                opacity=float(pen.style["pattern_opacity"]) + 0.15 if power else 0.9,
            )
        )
        out.append(Path(shape, stroke=mix(colour, "#000000", 0.2), width=4))
        words = pen.text(f"power.{power.id}") if power else pen.word("neutral")
        out.append(pen.fitted(words, x + 98, row + step / 2 + 3, 24, w - 104, fonts.SANS_HEAVY))
    return out


def _samples(pen: _Pen) -> list[tuple[Any, str]]:
    style = pen.style

    def line(kind: str) -> Any:
        colour, wide, dash = style[kind]
        return lambda x, y: [
            Path(
                polyline([(x, y), (x + 20, y - 5), (x + 38, y + 4), (x + 54, y)]),
                stroke=colour,
                width=wide,
                dash=dash,
            )
        ]

    out: list[tuple[Any, str]] = [
        (line("front"), "front"),
        (line("border"), "border"),
        (line("neutral_border"), "neutral_border"),
        (line("coast"), "coast"),
        (line("zone_border"), "zone_border"),
        (lambda x, y: [Words("28", x + 27, y + 10, fonts.SERIF_ITALIC, 30, style["sea_ink"], halo=style["sea_halo"], halo_width=4)], "zone"),
        (lambda x, y: income_mark(x + 12, y, "3", "#6b6b6b", style)[0], "income"),
        (lambda x, y: complex_mark(x + 8, y, style)[0], "complex"),
        (lambda x, y: capital_mark(x + 12, y, "#888888", style)[0], "capital_mark"),
        (lambda x, y: link_mark("canal", (x + 27, y), 0, style), "canal"),
        (lambda x, y: link_mark("closed", (x + 27, y), 0, style), "closed"),
        (lambda x, y: [Path(rect(x + 2, y - 13, 50, 26, 4), fill=style["ice"], stroke=style["panel_line"], width=1.5), Path(rect(x + 2, y - 13, 50, 26, 4), fill="url(#ice)")], "ice"),
    ]  # fmt: skip
    return out


PATTERNS = len(TILES)
