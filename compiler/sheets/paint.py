"""A scene painted on a PDF canvas: paths stay paths, text stays text in embedded fonts, pictures keep their pixels."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable
from typing import Any, Literal, cast

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from compiler.draw import fonts
from compiler.draw.raster import rasterise
from compiler.draw.scene import Group, Item, Path, Picture, Words
from compiler.sheets.curves import steps
from compiler.sheets.inks import in_cmyk, ink

MM = 72 / 25.4
FINEST = 600  # dots an inch of a vector picture that is set as pixels
_CALL = re.compile(r"(\w+)\(([^)]*)\)")


def font_name(font: fonts.Font) -> str:
    """The font under the name by which a canvas knows it; its file is read once."""
    name = font.file.removesuffix(".ttf")
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, str(fonts.path_of(font))))
    return name


class Painter:
    """Paints items whose y runs down on a canvas whose y runs up. The caller has turned the canvas over."""

    def __init__(self, canvas: Canvas, space: str = "rgb") -> None:
        self.canvas, self.space = canvas, space

    def items(self, items: Iterable[Item], opacity: float = 1.0) -> None:
        for item in items:
            if isinstance(item, Path):
                self.path(item, opacity * item.opacity)
            elif isinstance(item, Words):
                self.words(item, opacity * item.opacity)
            elif isinstance(item, Picture):
                self.picture(item)
            else:
                self.group(item, opacity * item.opacity)

    def group(self, item: Group, opacity: float) -> None:
        if not item.transform:
            self.items(item.items, opacity)
            return
        self.canvas.saveState()
        self.move(item.transform)
        self.items(item.items, opacity)
        self.canvas.restoreState()

    def move(self, transform: str) -> None:
        for name, written in _CALL.findall(transform):
            n = [float(v) for v in re.split(r"[\s,]+", written.strip())]
            if name == "translate":
                self.canvas.translate(n[0], n[1] if len(n) > 1 else 0)
            elif name == "scale":
                self.canvas.scale(n[0], n[-1])
            elif name == "rotate":
                x, y = (n[1], n[2]) if len(n) == 3 else (0.0, 0.0)
                self.canvas.translate(x, y)
                self.canvas.rotate(n[0])
                self.canvas.translate(-x, -y)

    def path(self, item: Path, opacity: float) -> None:
        canvas, filled, lined = self.canvas, item.fill not in ("none", ""), item.stroke not in ("none", "")
        if not (filled or lined):
            return
        if item.transform:
            self.group(Group((Path(item.d, item.fill, item.stroke, item.width, item.dash, rule=item.rule),), transform=item.transform), opacity)  # fmt: skip
            return
        own = opacity < 1 or bool(item.dash)  # settings that must not reach the next path
        if own:
            canvas.saveState()
        if filled:
            canvas.setFillColor(ink(item.fill, self.space))
        if lined:
            self.line(item)
        self.alpha(opacity)
        canvas.drawPath(
            self.outline(item.d),
            stroke=int(lined),
            fill=int(filled),
            fillMode=0 if item.rule == "evenodd" else 1,
        )
        if own:
            canvas.restoreState()

    def outline(self, d: str) -> PDFPathObject:
        path = self.canvas.beginPath()
        for name, p in steps(d):
            if name == "M":
                path.moveTo(*p)
            elif name == "L":
                path.lineTo(*p)
            elif name == "C":
                path.curveTo(*p)
            else:
                path.close()
        return path

    def line(self, item: Path) -> None:
        self.canvas.setStrokeColor(ink(item.stroke, self.space))
        self.canvas.setLineWidth(item.width)
        self.canvas.setLineJoin(1)
        self.canvas.setLineCap(1)
        if item.dash:
            self.canvas.setDash([float(v) for v in re.split(r"[\s,]+", item.dash.strip())])

    def alpha(self, opacity: float) -> None:
        if opacity < 1:
            self.canvas.setFillAlpha(opacity)
            self.canvas.setStrokeAlpha(opacity)

    def words(self, item: Words, opacity: float) -> None:
        canvas, name = self.canvas, font_name(item.font)
        wide = fonts.width(item.font, item.text, item.size, item.spacing)
        left = {"start": 0.0, "end": -wide}.get(item.anchor, -wide / 2)
        canvas.saveState()
        canvas.translate(item.x, item.y)
        if item.turn:
            canvas.rotate(item.turn)
        canvas.scale(1, -1)  # letters stand upright on a canvas that is turned over
        self.alpha(opacity)
        if item.halo:
            canvas.saveState()  # the way of writing outlasts the text
            canvas.setStrokeColor(ink(item.halo, self.space))
            canvas.setLineWidth(item.halo_width)
            canvas.setLineJoin(1)
            self.text(item, name, left, mode=1)
            canvas.restoreState()
        canvas.setFillColor(ink(item.fill, self.space))
        self.text(item, name, left, mode=0)
        canvas.restoreState()

    def text(self, item: Words, name: str, left: float, mode: Literal[0, 1]) -> None:
        line = self.canvas.beginText(left, 0)
        line.setFont(name, item.size)
        line.setTextRenderMode(mode)
        if item.spacing:
            line.setCharSpace(item.spacing)
        line.textOut(item.text)
        self.canvas.drawText(line)

    def picture(self, item: Picture) -> None:
        image = picture_of(item.uri, item.width, item.height)
        canvas = self.canvas
        canvas.saveState()
        canvas.translate(item.x, item.y + item.height)
        canvas.scale(1, -1)
        canvas.drawImage(_reader(image, self.space), 0, 0, item.width, item.height, mask="auto")
        canvas.restoreState()


def _reader(image: Image.Image, space: str) -> ImageReader:
    """The picture in the colour space, with what is see-through in it."""
    if space == "rgb":
        return ImageReader(image if image.mode in ("RGB", "RGBA", "L") else image.convert("RGBA"))
    whole = image.convert("RGBA")
    reader: Any = ImageReader(in_cmyk(whole))
    reader.getRGBData()
    reader._dataA = ImageReader(whole.getchannel("A"))  # as the library itself does for RGB
    return cast(ImageReader, reader)


def picture_of(uri: str, width: float, height: float) -> Image.Image:
    """A picture of a scene as pixels; one of vectors becomes as fine as any press can show."""
    head, _, body = uri.partition(",")
    data = base64.b64decode(body)
    if "svg" in head:
        scale = FINEST / 25.4 * 15 / max(width, height)
        data = rasterise(data.decode("utf-8"), round(width * scale), round(height * scale))
    image = Image.open(io.BytesIO(data))
    image.load()
    return image
