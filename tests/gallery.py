"""The pictures of docs/gallery.md, made from what the compiler draws."""

from __future__ import annotations

import io
from collections.abc import Callable
from math import ceil
from pathlib import Path

from PIL import Image

from compiler.check import check
from compiler.draw import nato
from compiler.draw.counters import draw_counter, silhouettes
from compiler.draw.fonts import SANS
from compiler.draw.raster import rasterise
from compiler.draw.scene import Group, Item, Scene, Words, to_svg
from compiler.draw.scene import Path as Shape
from compiler.model.types import Module
from compiler.sheets.counters import counter_pages
from compiler.sheets.pages import png
from compiler.sheets.settings import settings_of

HARBOUR = Path(__file__).parent / "data" / "harbour"
PAPER, INK = "#f3f0e6", "#1b1b1b"


def harbour() -> Module:
    module = check(HARBOUR, HARBOUR.as_posix()).module
    assert module is not None
    return module


def _png(width: float, height: float, items: list[Item]) -> bytes:
    ground = Shape(f"M0 0H{width:g}V{height:g}H0Z", fill=PAPER)
    data = rasterise(to_svg(Scene(width, height, (ground, *items))), round(width), round(height))
    out = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(
        out, "PNG", optimize=True
    )
    return out.getvalue()


def _at(items: tuple[Item, ...], x: float, y: float, scale: float) -> Group:
    return Group(items, transform=f"translate({x:.2f} {y:.2f}) scale({scale:.4f})")


def _shapes() -> bytes:
    columns, wide, high = 7, 130, 98
    items: list[Item] = []
    for n, (name, paths) in enumerate(silhouettes().items()):
        x, y = n % columns * wide, n // columns * high
        drawn = tuple(Shape(d, fill=INK, rule="evenodd") for d in paths)
        items += [_at(drawn, x + 8, y + 8, 0.84), _at(drawn, x + 96, y + 35, 0.3)]
        items.append(Words(name, x + wide / 2, y + 76, SANS, 13, INK))
    return _png(columns * wide, ceil(len(silhouettes()) / columns) * high, items)


def asked() -> list[dict[str, object]]:
    out: list[dict[str, object]] = [{"branch": name, "echelon": "division"} for name in nato.BRANCHES]
    for key, quality in nato.QUALITIES.items():
        out.append({"branch": (quality.branches or ("infantry",))[0], "echelon": "brigade", key: True})
    return [*out, *({"branch": "armour", "echelon": name} for name in nato.ECHELONS)]


def _symbols() -> bytes:
    columns, wide, high = 8, 122, 112
    items: list[Item] = []
    for n, data in enumerate(asked()):
        x, y = n % columns * wide, n // columns * high
        symbol, _ = nato.read(data)
        assert symbol is not None
        drawn = nato.drawing(symbol, INK, "#dfe5c8")
        items.append(_at(drawn.items, x + wide / 2 - 60, y + 4 - drawn.y * 0 - 2, 0.6))
        own = [key for key in data if key in nato.QUALITIES]
        label = f"{data['branch']}" if n < len(nato.BRANCHES) else own[0] if own else str(data["echelon"])
        items.append(Words(label, x + wide / 2, y + 106, SANS, 13, INK))
    return _png(columns * wide, ceil(len(asked()) / columns) * high, items)


def _counters() -> bytes:
    module = harbour()
    shown = (
        "north.1",
        "north.9para",
        "south.3arm",
        "north.ftr",
        "south.nav",
        "south.aurora",
        "south.guard",
        "used",
    )
    both = Image.new("RGB", (900, 260), PAPER)
    x, y = 12, 12
    for face in (face for id in shown for face in draw_counter(module, id, "en", 90)):
        if x + face.width > 900:
            x, y = 12, y + 114
        image = Image.open(io.BytesIO(rasterise(face.svg, face.width, face.height)))
        both.paste(image, (x, y), image)
        x += face.width + 12
    out = io.BytesIO()
    both.quantize(128, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _sheet() -> bytes:
    module = harbour()
    faces = counter_pages(module, "en", settings_of(module, {"rows": None})).faces
    front, back = (Image.open(io.BytesIO(png(page, 65, {}))) for _, page in faces[:2])
    both = Image.new("RGB", (front.width * 2 + 10, 250), "#888888")
    both.paste(front.crop((0, 0, front.width, 250)), (0, 0))
    both.paste(back.crop((0, 0, back.width, 250)), (front.width + 10, 0))
    out = io.BytesIO()
    both.quantize(64, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


PICTURES: dict[str, Callable[[], bytes]] = {
    "silhouettes": _shapes,
    "symbols": _symbols,
    "counters": _counters,
    "sheet": _sheet,
}
