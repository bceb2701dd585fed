"""Colours as the printer gets them: RGB as drawn, or CMYK in which text and greys are pure black ink."""

from __future__ import annotations

from functools import cache
from typing import cast

from PIL import Image, ImageChops, ImageMath
from reportlab.lib.colors import CMYKColor, Color

NEUTRAL = 12  # of 255: what differs less is grey, and grey is printed with black alone
DARK = 40  # darker greys are full black


@cache
def ink(colour: str, space: str) -> Color:
    """`#rgb`, `#rrggbb`, `black` or `white` in the colour space."""
    r, g, b = _coded(colour)
    if space == "rgb":
        return Color(r / 255, g / 255, b / 255)
    return CMYKColor(*cmyk(r, g, b))


def cmyk(r: int, g: int, b: int) -> tuple[float, float, float, float]:
    """Cyan, magenta, yellow and black, 0 to 1; the grey part of a colour goes to the black plate."""
    high, low = max(r, g, b), min(r, g, b)
    if high - low <= NEUTRAL:
        return 0.0, 0.0, 0.0, 1.0 if high <= DARK else 0.0 if low >= 250 else round(1 - high / 255, 4)
    k = 1 - high / 255
    c, m, y = (round((1 - v / 255 - k) / (1 - k), 4) for v in (r, g, b))
    return c, m, y, round(k, 4)


def in_cmyk(image: Image.Image) -> Image.Image:
    """Pixels in inks: the grey part of each on the black plate alone. Near grey the colours fade out, lest an edge shows."""
    bands = image.convert("RGB").split()
    high = ImageChops.lighter(ImageChops.lighter(*bands[:2]), bands[2])
    low = ImageChops.darker(ImageChops.darker(*bands[:2]), bands[2])
    coloured = ImageChops.subtract(high, low).point([min(255, v * 255 // NEUTRAL) for v in range(256)])
    inks = [ImageChops.multiply(_ink(band, high), coloured) for band in bands]
    return Image.merge("CMYK", (*inks, ImageChops.invert(high)))


def _ink(band: Image.Image, high: Image.Image) -> Image.Image:
    """How much of its light a band lacks beside the brightest one."""
    share = ImageMath.lambda_eval(
        lambda a: a["convert"]((a["high"] - a["band"]) * 255 / a["max"](a["high"], 1), "L"),
        band=band,
        high=high,
    )
    return cast(Image.Image, share)


@cache
def registration(space: str) -> Color:
    """The colour of marks that must show on every plate."""
    return Color(0, 0, 0) if space == "rgb" else CMYKColor(1, 1, 1, 1)


def _coded(colour: str) -> tuple[int, int, int]:
    named = {"black": "#000000", "white": "#ffffff"}.get(colour, colour)
    digits = named.lstrip("#")
    if len(digits) == 3:
        digits = "".join(d * 2 for d in digits)
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
