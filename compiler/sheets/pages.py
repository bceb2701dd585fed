"""Pages before they are PDF or PNG: areas of colour, faces stamped on them, items above; and the boxes a printer reads."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field

from PIL import Image, ImageDraw
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from compiler.draw import fonts
from compiler.draw.counters import Side
from compiler.draw.raster import rasterise
from compiler.draw.scene import Group, Item, Path, Scene, to_svg
from compiler.sheets.inks import in_cmyk, registration
from compiler.sheets.layout import Box
from compiler.sheets.marks import REGISTRATION, box
from compiler.sheets.paint import MM, Painter, font_name

FINE = 100  # the svg of a page counts hundredths of a mm


@dataclass(frozen=True, slots=True)
class Stamp:
    """A face set on the page."""

    side: Side
    box: Box
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Raster:
    """Pixels set on the page, as JPEG."""

    data: bytes
    box: Box


@dataclass(frozen=True, slots=True)
class Lettering:
    """Text over pixels, cut at the box."""

    items: Group
    box: Box


@dataclass(frozen=True, slots=True)
class Page:
    paper: tuple[float, float]
    trim: Box
    bleed: float
    fills: tuple[tuple[Box, str], ...] = ()
    stamps: tuple[Stamp, ...] = ()
    above: tuple[Item, ...] = ()
    rasters: tuple[Raster, ...] = field(default=())
    name: str = ""
    lettering: Lettering | None = None


def pdf(pages: Iterable[Page], title: str, author: str, space: str = "rgb") -> bytes:
    """The pages as one PDF. The same pages give the same bytes."""
    out = io.BytesIO()
    first = font_name(fonts.SANS)  # else the library starts each page with one that is not embedded
    canvas = Canvas(
        out,
        (100, 100),
        invariant=1,
        pageCompression=1,
        pdfVersion=(1, 4),
        initialFontName=first,  # type: ignore[arg-type]  # the stubs take it for a size
    )
    canvas.setTitle(title)
    canvas.setAuthor(author)
    canvas.setCreator("vmodc")
    canvas.setSubject("print at 100 %")
    write(canvas, pages, space)
    canvas.save()
    return out.getvalue()


def write(canvas: Canvas, pages: Iterable[Page], space: str) -> None:
    """The pages on a canvas, one after the other."""
    writer = _Writer(canvas, space)
    for page in pages:
        writer.page(page)


class _Writer:
    def __init__(self, canvas: Canvas, space: str) -> None:
        self.canvas, self.space = canvas, space
        self.painter = _Marks(canvas, space)
        self.forms: dict[Scene, str] = {}

    def page(self, page: Page) -> None:
        canvas = self.canvas
        width, height = (side * MM for side in page.paper)
        canvas.setPageSize((width, height))
        canvas.setTrimBox(_box(page.trim, height))
        canvas.setBleedBox(_box(page.trim.grown(page.bleed), height))
        canvas.setCropBox((0, 0, width, height))
        names = [
            self.form(stamp.side) for stamp in page.stamps
        ]  # a form is written before the page that shows it
        if page.name:
            canvas.bookmarkPage(page.name)
            canvas.addOutlineEntry(page.name, page.name)
        canvas.saveState()
        self.turn_over(height, MM)
        self.painter.items(box(area, fill=colour) for area, colour in page.fills)
        canvas.restoreState()
        for raster in page.rasters:
            self.raster(raster, height)
        if page.lettering:
            self.letters(page.lettering, height)
        for stamp, name in zip(page.stamps, names, strict=True):
            self.stamp(stamp, name, height)
        self.turn_over(height, MM)
        self.painter.items(page.above)
        canvas.showPage()

    def turn_over(self, height: float, scale: float) -> None:
        self.canvas.transform(scale, 0, 0, -scale, 0, height)

    def form(self, side: Side) -> str:
        """A face is written once, however many counters show it."""
        if side.scene not in self.forms:
            name = self.forms[side.scene] = f"face{len(self.forms) + 1}"
            width, height = (mm * MM for mm in side.mm)
            self.canvas.beginForm(name, 0, 0, width, height)
            self.turn_over(height, width / side.scene.width)
            self.painter.items(side.scene.items)
            self.canvas.endForm()
        return self.forms[side.scene]

    def stamp(self, stamp: Stamp, name: str, height: float) -> None:
        canvas, at = self.canvas, stamp.box
        canvas.saveState()
        canvas.translate(at.x * MM, height - (at.y + at.height) * MM)
        if stamp.turn:
            canvas.translate(at.width * MM, at.height * MM)
            canvas.rotate(stamp.turn)
        canvas.doForm(name)
        canvas.restoreState()

    def letters(self, lettering: Lettering, height: float) -> None:
        canvas, b = self.canvas, lettering.box
        canvas.saveState()
        self.turn_over(height, MM)
        edge = canvas.beginPath()
        edge.rect(b.x, b.y, b.width, b.height)
        canvas.clipPath(edge, stroke=0, fill=0)
        self.painter.items((lettering.items,))
        canvas.restoreState()

    def raster(self, raster: Raster, height: float) -> None:
        data: io.BytesIO = io.BytesIO(raster.data)
        if self.space == "cmyk":
            image = in_cmyk(Image.open(data).convert("RGB"))
            data = io.BytesIO()
            image.save(data, "JPEG", quality=95, subsampling=0)
        area = raster.box
        at = (area.x * MM, height - (area.y + area.height) * MM)
        self.canvas.drawImage(ImageReader(data), *at, area.width * MM, area.height * MM)


class _Marks(Painter):
    """Paints as any painter, and registration marks on every plate."""

    def line(self, item: Path) -> None:
        super().line(item)
        if item.stroke == REGISTRATION:
            self.canvas.setStrokeColor(registration(self.space))


def _box(area: Box, height: float) -> tuple[float, float, float, float]:
    return (
        area.x * MM,
        height - (area.y + area.height) * MM,
        (area.x + area.width) * MM,
        height - area.y * MM,
    )


def png(page: Page, dpi: int, faces: dict[tuple[Scene, int], Image.Image]) -> bytes:
    """The page as pixels. `faces` keeps what is rasterised already."""
    dot = dpi / 25.4
    width, height = (round(side * dot) for side in page.paper)
    sheet = Image.new("RGB", (width, height), "#ffffff")
    pen = ImageDraw.Draw(sheet)
    for area, colour in page.fills:
        left, top = round(area.x * dot), round(area.y * dot)
        pen.rectangle(
            (left, top, round((area.x + area.width) * dot) - 1, round((area.y + area.height) * dot) - 1),
            colour,
        )
    for stamp in page.stamps:
        at, scene = stamp.box, stamp.side.scene
        left, top = round(at.x * dot), round(at.y * dot)
        size = (round((at.x + at.width) * dot) - left, round((at.y + at.height) * dot) - top)
        key = (scene, size[0] * 100_000 + size[1])
        if key not in faces:
            faces[key] = Image.open(io.BytesIO(rasterise(to_svg(scene), *size))).convert("RGB")
        face = faces[key]
        sheet.paste(face.rotate(stamp.turn) if stamp.turn else face, (left, top))
    _lay(sheet, page)
    out = io.BytesIO()
    sheet.save(out, "PNG", compress_level=6, dpi=(dpi, dpi))
    return out.getvalue()


def _lay(sheet: Image.Image, page: Page) -> None:
    whole = Group(page.above, transform=f"scale({FINE})")
    scene = Scene(page.paper[0] * FINE, page.paper[1] * FINE, (whole,))
    layer = Image.open(io.BytesIO(rasterise(to_svg(_fine(scene)), *sheet.size)))
    sheet.paste(layer, (0, 0), layer)


def _fine(scene: Scene) -> Scene:
    """Hairlines: the svg writes one decimal, so that lines below it would vanish; the smallest that it writes is used."""
    return Scene(scene.width, scene.height, tuple(_thick(item) for item in scene.items))


def _thick(item: Item) -> Item:
    if isinstance(item, Group):
        return Group(
            tuple(_thick(one) for one in item.items), item.clip, item.opacity, item.id, item.transform
        )
    if isinstance(item, Path) and item.stroke != "none" and item.width < 0.1:
        return Path(item.d, item.fill, item.stroke, 0.1, item.dash, item.opacity, item.id, item.rule)
    return item
