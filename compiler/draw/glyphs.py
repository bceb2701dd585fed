"""Text as outlines: a scene in which every letter is a path, for readers that have none of our fonts.

In: a scene. Out: the same scene without `Words`; a halo becomes a wider path below the letters. Letters stand as far apart as
`fonts.width` measured them.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from fontTools.pens.svgPathPen import SVGPathPen  # type: ignore[import-untyped]
from fontTools.pens.transformPen import TransformPen  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from compiler.draw import fonts
from compiler.draw.raster import to_png
from compiler.draw.scene import Group, Item, Path, Picture, Scene, Words, number, to_svg

FINE = 2  # pixels of an own picture for each pixel of the counter: sharp up to 200 %


def plain_svg(scene: Scene) -> str:
    """The scene as SVG that needs nothing but itself: no fonts, no title, own pictures at twice their size."""
    svg = to_svg(outlined(replace(scene, title="")))
    if ' href="' not in svg:
        return svg
    # The older way of naming a picture: all readers know it.
    svg = svg.replace("<svg ", '<svg xmlns:xlink="http://www.w3.org/1999/xlink" ', 1)
    return svg.replace(' href="', ' xlink:href="')


def outlined(scene: Scene) -> Scene:
    """The scene with its text drawn instead of written."""
    return replace(scene, items=tuple(_drawn(scene.items)))


def _drawn(items: tuple[Item, ...]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Words):
            yield from _letters(item)
        elif isinstance(item, Picture):
            yield replace(item, uri=_small(item.uri, round(item.width * FINE), round(item.height * FINE)))
        elif isinstance(item, Group):
            yield replace(item, items=tuple(_drawn(item.items)))
        else:
            yield item


@cache
def _small(uri: str, width: int, height: int) -> str:
    """The picture as PNG of that size."""
    data = to_png(uri, width, height)
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def _letters(item: Words) -> Iterator[Path]:
    wide = fonts.width(item.font, item.text, item.size, item.spacing)
    left = item.x - {"start": 0.0, "end": wide}.get(item.anchor, wide / 2)
    d = outline(item.font, item.text, left, item.y, item.size, item.spacing)
    if not d:
        return
    turn = f"rotate({number(item.turn)} {number(item.x)} {number(item.y)})" if item.turn else ""
    if item.halo:
        yield Path(d, stroke=item.halo, width=item.halo_width, opacity=item.opacity, transform=turn)
    yield Path(d, fill=item.fill, opacity=item.opacity, transform=turn)


def outline(font: fonts.Font, text: str, x: float, y: float, size: float, spacing: float = 0.0) -> str:
    """Path data of a line of text whose baseline begins at x, y."""
    glyphs, names, units = _face(font)
    pen = SVGPathPen(glyphs, ntos=_short)
    for n, ch in enumerate(text):
        if ord(ch) in names:
            at = x + fonts.width(font, text[:n], size, 0.0) + spacing * n
            glyphs[names[ord(ch)]].draw(TransformPen(pen, (size / units, 0, 0, -size / units, at, y)))
    return str(pen.getCommands())


@cache
def _face(font: fonts.Font) -> tuple[Any, dict[int, str], int]:
    file = TTFont(fonts.path_of(font))
    return file.getGlyphSet(), file.getBestCmap(), int(file["head"].unitsPerEm)


def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
