"""A map for print: cut into pages that overlap, with crop marks, and a plan of how they join.

The map is set as pixels, 300 an inch at the printed size: its relief and patterns are pixels in any case. Its text is set as text. The pages of
a very large map are made one after the other, each from its own part of the drawing, so that it may be as large as a wall.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat
from math import ceil, floor

from PIL import Image

from compiler.draw.fonts import SANS_BOLD
from compiler.draw.raster import rasterise
from compiler.draw.scene import Group, Item, Words
from compiler.draw.types import DrawnMap
from compiler.grid.cuts import Part, cut
from compiler.model.types import Module
from compiler.sheets.layout import MARGIN, Box
from compiler.sheets.lettering import near, parted
from compiler.sheets.marks import box, crops, heading, line, text
from compiler.sheets.pages import Lettering, Page, Raster
from compiler.sheets.settings import Settings
from compiler.sheets.words import word

OVERLAP = 10.0
WIDEST = 840.0  # mm, unless the module says more: the width of A1
AT_ONCE = 100_000_000  # pixels: a larger map is drawn page by page
QUALITY = 92


@dataclass(frozen=True, slots=True)
class Tile:
    """A page's share of the map: `part` in mm of the map, shown at `at` on paper `paper`."""

    row: int
    column: int
    part: Box
    paper: tuple[float, float]

    @property
    def name(self) -> str:
        return f"{chr(ord('A') + self.row % 26)}{self.column + 1}"

    @property
    def at(self) -> Box:
        x, y = (self.paper[0] - self.part.width) / 2, (self.paper[1] - self.part.height) / 2
        return Box(x, y, self.part.width, self.part.height)


def map_size(module: Module, map_id: str, drawn: DrawnMap, settings: Settings) -> tuple[float, float]:
    """Width and height in mm: as the module says; else as its counters fit the map, but no wider than A1."""
    written = module.raw.get("sheets")
    asked = written.get("map") if isinstance(written, Mapping) else None
    own = asked.get(map_id) if isinstance(asked, Mapping) else None
    natural = drawn.width * settings.counter / max(1, drawn.counter)
    wide = float(own) if own is not None else min(natural, WIDEST)
    return wide, wide * drawn.height / drawn.width


def tiles(size: tuple[float, float], paper: tuple[float, float]) -> list[Tile]:
    """Pages upright or lying, whichever are fewer; of one size, so that they can be cut in one go."""
    return min((_tiles(size, paper), _tiles(size, (paper[1], paper[0]))), key=len)


def _tiles(size: tuple[float, float], paper: tuple[float, float]) -> list[Tile]:
    free = tuple(side - 2 * MARGIN for side in paper)
    counts = [
        max(1, ceil((whole - OVERLAP) / (have - OVERLAP))) for whole, have in zip(size, free, strict=True)
    ]
    wide, high = ((whole + OVERLAP * (n - 1)) / n for whole, n in zip(size, counts, strict=True))
    return [
        Tile(row, column, Box(column * (wide - OVERLAP), row * (high - OVERLAP), wide, high), paper)
        for row in range(counts[1])
        for column in range(counts[0])
    ]


def map_pages(module: Module, map_id: str, drawn: DrawnMap, language: str, settings: Settings) -> list[Page]:
    """The plan, then every page of the map."""
    size = map_size(module, map_id, drawn, settings)
    parts = tiles(size, settings.size)
    svg, words = parted(drawn.svg)
    picture = _Picture(svg, words, (drawn.width, drawn.height), size[0] / drawn.width)
    named = module.texts.get(f"map.{map_id}", language)
    title = named if named != f"map.{map_id}" else map_id
    pages = [_plan(picture, parts, size, title, language, settings)] if len(parts) > 1 else []
    rasters = picture.rasters([tile.part for tile in parts], settings.dpi)
    return [
        *pages,
        *(
            _page(picture, pixels, tile, parts, title, language)
            for tile, pixels in zip(parts, rasters, strict=True)
        ),
    ]


@dataclass(frozen=True, slots=True)
class _Picture:
    """The map without its text, and the text; `mm` is how long a pixel of the map is in print."""

    svg: str
    words: tuple[Words, ...]
    size: tuple[int, int]
    mm: float

    def whole(self, width: int) -> Image.Image:
        """The whole map, so many pixels wide."""
        return _opened(rasterise(self.svg, *self.size, width / self.size[0]))

    def rasters(self, boxes: list[Box], dpi: int) -> Iterator[Image.Image]:
        """Parts of the map (in mm of the map), one after the other."""
        k, scale = self.mm, self.mm * dpi / 25.4
        wide, high = self.size
        if wide * high * scale**2 <= AT_ONCE:
            parts: tuple[Part, ...] = (Part(0, 0, 0, 0, wide, high),) * len(boxes)
            pictures: Iterator[Image.Image] = repeat(_opened(rasterise(self.svg, wide, high, scale)))
        else:
            parts = tuple(_around(b, k) for b in boxes)
            head = self.svg.partition("\n")[0]
            cuts = zip(cut(self.svg, parts), parts, strict=True)
            pictures = (
                _opened(rasterise(_framed(head, svg, part), part.width, part.height, scale))
                for svg, part in cuts
            )
        for b, part, image in zip(boxes, parts, pictures, strict=False):
            fx, fy = image.width / part.width, image.height / part.height
            x, y = (b.x / k - part.left) * fx, (b.y / k - part.top) * fy
            yield image.crop((round(x), round(y), round(x + b.width / k * fx), round(y + b.height / k * fy)))

    def lettering(self, part: Box, at: Box) -> Lettering:
        """The text of a part of the map (in mm of the map), set at a box of the paper."""
        k, scale = self.mm, at.width / part.width
        seen = near(
            self.words, (part.x / k, part.y / k, (part.x + part.width) / k, (part.y + part.height) / k)
        )
        move = f"translate({at.x - part.x * scale:.4f} {at.y - part.y * scale:.4f}) scale({k * scale:.6f})"
        return Lettering(Group(tuple(seen), transform=move), at)


def _around(area: Box, mm: float) -> Part:
    """The whole pixels of the map that hold a box of it."""
    left, top = floor(area.x / mm), floor(area.y / mm)
    right, low = ceil((area.x + area.width) / mm), ceil((area.y + area.height) / mm)
    return Part(0, 0, left, top, right - left, low - top)


_SIZE = re.compile(r'(<svg[^>]*?) width="[^"]*" height="[^"]*" viewBox="[^"]*"')


def _framed(head: str, svg: str, part: Part) -> str:
    """A part's drawing under the head of the whole: its names of other formats stay known."""
    box = f"{part.left} {part.top} {part.width} {part.height}"
    new = _SIZE.sub(rf'\1 width="{part.width}" height="{part.height}" viewBox="{box}"', head, count=1)
    body = svg.partition("\n")[2]
    return f"{new}\n{body}"


def _opened(png: bytes) -> Image.Image:
    Image.MAX_IMAGE_PIXELS = None
    return Image.open(io.BytesIO(png)).convert("RGB")


def _page(
    picture: _Picture, image: Image.Image, tile: Tile, parts: list[Tile], title: str, language: str
) -> Page:
    p, at = tile.part, tile.at
    name = f"{title} · {word('page', language)} {tile.name}"
    above: list[Item] = [*heading(name, word("actual", language), tile.paper)]
    above += crops(at, (at.x, at.x + at.width), (at.y, at.y + at.height), 0.0)
    above += _joins(tile, parts)
    pixels = Raster(_jpeg(image), at)
    return Page(
        tile.paper,
        at,
        0.0,
        above=tuple(above),
        rasters=(pixels,),
        name=name,
        lettering=picture.lettering(p, at),
    )


def _joins(tile: Tile, parts: list[Tile]) -> Iterator[Item]:
    """Ticks in the margin where the next page's edge comes to lie, and which page that is."""
    at, right, low = tile.at, max(t.column for t in parts), max(t.row for t in parts)
    if tile.column < right:
        x = at.x + at.width - OVERLAP
        for y in (at.y - 4, at.y + at.height):
            yield line(x, y, x, y + 4, dash="0.8 0.6")
        beside = next(t.name for t in parts if (t.row, t.column) == (tile.row, tile.column + 1))
        yield text(f"→ {beside}", at.x + at.width + 1.2, at.y + at.height / 2, 3, SANS_BOLD)
    if tile.row < low:
        y = at.y + at.height - OVERLAP
        for x in (at.x - 4, at.x + at.width):
            yield line(x, y, x + 4, y, dash="0.8 0.6")
        below = next(t.name for t in parts if (t.row, t.column) == (tile.row + 1, tile.column))
        yield text(f"↓ {below}", at.x + at.width / 2, at.y + at.height + 4.6, 3, SANS_BOLD, "middle")


def _plan(
    picture: _Picture,
    parts: list[Tile],
    size: tuple[float, float],
    title: str,
    language: str,
    settings: Settings,
) -> Page:
    paper = parts[0].paper
    small = picture.whole(1200)
    k = min((paper[0] - 2 * MARGIN) / size[0], (paper[1] - 2 * MARGIN - 16) / size[1])
    whole = Box((paper[0] - size[0] * k) / 2, MARGIN + 14, size[0] * k, size[1] * k)
    name = f"{title} · {word('plan', language)}"
    about = f"{size[0]:.0f} × {size[1]:.0f} mm · {len(parts)} {word('pages', language)}"
    above: list[Item] = [*heading(name, about, paper), text(word("overlap", language), MARGIN, 15, 3.4)]
    for tile in parts:
        p = tile.part
        above.append(
            box(Box(whole.x + p.x * k, whole.y + p.y * k, p.width * k, p.height * k), stroke="#c01818")
        )
        middle = whole.x + (p.x + p.width / 2) * k, whole.y + (p.y + p.height / 2) * k + 3
        above.append(Words(tile.name, *middle, SANS_BOLD, 9, "#c01818", halo="#ffffff", halo_width=1.2))
    words = picture.lettering(Box(0, 0, *size), whole)
    pixels = Raster(_jpeg(small), whole)
    return Page(paper, whole, 0.0, above=tuple(above), rasters=(pixels,), name=name, lettering=words)


def _jpeg(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=QUALITY, subsampling=0)
    return out.getvalue()
