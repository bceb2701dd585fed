"""SVG → PNG, with our own fonts only. Deterministic: the same SVG gives the same bytes."""

from __future__ import annotations

import base64
import io

import resvg_py
from PIL import Image

from compiler.draw import fonts

PALETTE = 256
LARGE = 1_000_000  # pixels: a map has more colours in any case, and reading it again takes seconds


def rasterise(svg: str, width: int, height: int, scale: float = 1.0) -> bytes:
    """The picture as PNG; `scale` 0.5 makes it half as wide and high."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=round(width * scale),
            height=round(height * scale),
            skip_system_fonts=True,
            font_files=fonts.files(),
            sans_serif_family="Source Sans Pro",
            serif_family="Source Serif Pro",
        )
    )


def lean(png: bytes) -> bytes:
    """The same pixels with a palette, where there are at most 256 colours and the file becomes smaller."""
    image: Image.Image = Image.open(io.BytesIO(png))
    if image.width * image.height > LARGE:
        return png
    image = image.convert("RGBA")
    found = image.getcolors(PALETTE)
    if found is None:
        return png
    colours = sorted(colour for _, colour in found if isinstance(colour, tuple))
    flat = b"".join(bytes(colour) for colour in colours)
    index = {entry: n for n, entry in enumerate(memoryview(flat).cast("I"))}
    small = Image.frombytes(
        "P", image.size, bytes(map(index.__getitem__, memoryview(image.tobytes()).cast("I")))
    )
    small.putpalette([v for colour in colours for v in colour[:3]])
    out = io.BytesIO()
    small.save(out, "PNG", optimize=True, transparency=bytes(colour[3] for colour in colours))
    return min(out.getvalue(), png, key=len)


def to_png(uri: str, width: int, height: int) -> bytes:
    """A picture given as a data URI (PNG, JPEG or SVG) in another size."""
    head, _, body = uri.partition(",")
    data = base64.b64decode(body)
    if "svg" in head:
        return rasterise(data.decode("utf-8"), width, height)
    out = io.BytesIO()
    shown = Image.open(io.BytesIO(data)).convert("RGBA").resize((width, height), Image.Resampling.LANCZOS)
    shown.save(out, "PNG")
    return out.getvalue()
