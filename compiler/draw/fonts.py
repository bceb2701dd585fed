"""The fonts of every picture: loaded by file from packages, so that text is the same on every machine.

Out: how wide a text is, which characters a font lacks, and the files to give to the rasteriser.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import ImageFont

MEASURE_AT = 400  # large, so that hinting does not round widths


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """One face: how SVG names it, and its file. `cap` is the height of capitals, `drop` that of descenders, per 1 px.

    There are only those below, so that each is equal to itself alone: much is kept by font.
    """

    family: str
    weight: int
    italic: bool
    package: str
    file: str
    cap: float = 0.66
    drop: float = 0.21


SANS = Font("Source Sans Pro", 400, False, "font_source_sans_pro", "SourceSansPro-Regular.ttf")
SANS_BOLD = Font("Source Sans Pro", 700, False, "font_source_sans_pro", "SourceSansPro-Bold.ttf")
SANS_HEAVY = Font("Source Sans Pro", 600, False, "font_source_sans_pro", "SourceSansPro-Semibold.ttf")
SERIF = Font(
    "Source Serif Pro", 400, False, "font_source_serif_pro", "SourceSerifPro-Regular.ttf", 0.67, 0.23
)
SERIF_BOLD = Font(
    "Source Serif Pro", 700, False, "font_source_serif_pro", "SourceSerifPro-Bold.ttf", 0.67, 0.23
)
SERIF_ITALIC = Font(
    "Source Serif Pro", 600, True, "font_source_serif_pro", "SourceSerifPro-SemiboldIt.ttf", 0.67, 0.23
)
ALL = (SANS, SANS_BOLD, SANS_HEAVY, SERIF, SERIF_BOLD, SERIF_ITALIC)


@cache
def path_of(font: Font) -> Path:
    spec = find_spec(font.package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"the font package {font.package} is not installed")
    return Path(spec.origin).parent / "files" / font.file


def files() -> list[str]:
    """Every font file a picture may need."""
    return [str(path_of(font)) for font in ALL]


@cache
def _loaded(font: Font) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont  # only where something is measured

    return ImageFont.truetype(path_of(font), MEASURE_AT, layout_engine=ImageFont.Layout.BASIC)


@cache
def _unit_width(font: Font, text: str) -> float:
    return _loaded(font).getlength(text) / MEASURE_AT


def width(font: Font, text: str, size: float, spacing: float = 0.0) -> float:
    """The advance width in px of a text at a size, with letter spacing."""
    return _unit_width(font, text) * size + spacing * max(len(text) - 1, 0)


@cache
def lacks(font: Font, text: str) -> tuple[str, ...]:
    """The characters of the text that the font cannot draw."""
    blank = _glyph(font, "\U0010fffd")
    return tuple(sorted({ch for ch in text if not ch.isspace() and _glyph(font, ch) == blank}))


@cache
def _glyph(font: Font, ch: str) -> tuple[tuple[int, int], bytes]:
    mask = _loaded(font).getmask(ch, mode="L")
    return mask.size, bytes(mask)
