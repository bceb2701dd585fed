"""Large pictures cut into boards: a map that is too large for one picture → parts laid row by column, each an SVG of its own.

The cuts are straight and at whole pixels, so that the parts side by side are the uncut picture. A part's SVG has only
what touches it: drawing a part costs what the part costs, not what the map does.
"""

from __future__ import annotations

import base64
import io
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

LARGEST = 10_000  # px a side: no board may have more
MOST_PIXELS = 100_000_000
HANDY = 5_000  # px a side: VASSAL is slow with more, so what has to be cut is cut to this
WHOLE = 400_000_000  # px of a whole map: more is a finding


@dataclass(frozen=True, slots=True)
class Part:
    """A board of a map that is cut: its place in the window, and its rectangle of the whole picture."""

    row: int
    column: int
    left: int
    top: int
    width: int
    height: int

    @property
    def name(self) -> str:
        return f"{_letters(self.row)}{self.column + 1}"


def _letters(number: int) -> str:
    more, last = divmod(number, 26)
    return (_letters(more - 1) if more else "") + chr(ord("A") + last)


def is_cut(width: int, height: int, most: int = LARGEST) -> bool:
    """Whether a picture needs more than one board; `most` is what an author allows a side."""
    return max(width, height) > min(most, LARGEST) or width * height > MOST_PIXELS


def parts(width: int, height: int, most: int = LARGEST) -> tuple[Part, ...]:
    """The boards of a picture, row by row: one, or as many as are needed, all nearly of one size."""
    side = min(most, HANDY) if is_cut(width, height, most) else LARGEST
    across, down = _cuts(width, side), _cuts(height, side)
    return tuple(
        Part(row, column, left, top, right - left, bottom - top)
        for row, (top, bottom) in enumerate(down)
        for column, (left, right) in enumerate(across)
    )


def _cuts(length: int, side: int) -> list[tuple[int, int]]:
    count = max(1, ceil(length / side))
    at = [length * k // count for k in range(count + 1)]
    return list(pairwise(at))


@lru_cache(maxsize=2)
def cut(svg: str, boards: tuple[Part, ...]) -> tuple[str, ...]:
    """The SVG of each board. One board is the picture itself."""
    if len(boards) == 1:
        return (svg,)
    lines: list[list[str]] = [[_head(part)] for part in boards]
    _, _, body = svg.partition("\n")
    moved = 0  # how many groups are open, counted from one that moves what is in it: no number there is a place on the map
    for line in body.split("\n"):
        if line.startswith("<g") and (moved or "transform=" in line):
            moved += 1
        for share, written in zip(
            lines, [line] * len(boards) if moved else _shares(line, boards), strict=True
        ):
            if written:
                share.append(written)
        if moved and line == "</g>":
            moved -= 1
    return tuple("\n".join(share) + "\n" for share in lines)


def _head(part: Part) -> str:
    size = f'width="{part.width}" height="{part.height}"'
    box = f"{part.left} {part.top} {part.width} {part.height}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{box}">'


Box = tuple[float, float, float, float]  # left, top, right, bottom
_DATA = re.compile(r'<path d="([^"]*)"(.*)/>$')
_TEXT = re.compile(r'<text x="(-?[\d.]+)" y="(-?[\d.]+)".*? font-size="([\d.]+)".*?>([^<]*)</text>$')
_IMAGE = re.compile(
    r'<image x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"(.*?) href="data:image/png;base64,([^"]*)"(.*)/>$'
)
_CLIP = re.compile(r'<path d="([^"]*)"([^>]*)/>')
_WIDTH = re.compile(r'stroke-width="([\d.]+)"')
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ABSOLUTE = re.compile(r"[A-Y]")
_ODD = re.compile(r"[HVA]")  # their numbers are no pairs of x and y
_RELATIVE = re.compile(r"[a-y]")  # z alone moves nothing
_ROUND = 4  # pixels of a raster
_EVERYWHERE = (-1e9, -1e9, 1e9, 1e9)


def _shares(line: str, boards: tuple[Part, ...]) -> list[str]:
    """What each board gets of a line of SVG: all of it, unless it is known to lie elsewhere."""
    if line.startswith("<image ") and (found := _IMAGE.match(line)):
        return _image_shares(found, boards)
    if line.startswith("<defs>"):
        return _defs_shares(line, boards)
    if line.startswith("<text "):
        found = _TEXT.match(line)
        box = _text_box(*found.groups()) if found else None
        return [line if box is None or _touches(box, part) else "" for part in boards]
    found = _DATA.match(line) if line.startswith("<path ") and "transform=" not in line else None
    return [line] * len(boards) if found is None else _path_shares(found[1], found[2], boards)


def _defs_shares(line: str, boards: tuple[Part, ...]) -> list[str]:
    """Clips as far as they lie on a board. One that does not still must be there, or all that it clips would be shown."""
    out = [line] * len(boards)
    for found in _CLIP.finditer(line):
        shares = _path_shares(found[1], found[2], boards)
        for k, share in enumerate(shares):
            out[k] = out[k].replace(found[0], share or f'<path d="M0 0"{found[2]}/>', 1)
    return out


def _image_shares(found: re.Match[str], boards: tuple[Part, ...]) -> list[str]:
    """The part of a raster that each board shows, with some pixels round it so that it is drawn the same."""
    x, y, wide, high = (float(found[k]) for k in range(1, 5))
    from PIL import Image  # a check cuts nothing

    image = Image.open(io.BytesIO(base64.b64decode(found[6])))
    sx, sy = wide / image.width, high / image.height
    out = []
    for part in boards:
        left = max(0, floor((part.left - x) / sx) - _ROUND)
        top = max(0, floor((part.top - y) / sy) - _ROUND)
        right = min(image.width, ceil((part.left + part.width - x) / sx) + _ROUND)
        bottom = min(image.height, ceil((part.top + part.height - y) / sy) + _ROUND)
        seen = _seen(image, (left, top, max(left, right), max(top, bottom)))
        if seen is None:
            out.append("")
            continue
        left, top, right, bottom = seen
        made = io.BytesIO()
        image.crop(seen).save(made, "PNG")
        data = base64.b64encode(made.getvalue()).decode()
        place = f'x="{x + left * sx:.4f}" y="{y + top * sy:.4f}" width="{(right - left) * sx:.4f}" height="{(bottom - top) * sy:.4f}"'
        out.append(f'<image {place}{found[5]} href="data:image/png;base64,{data}"{found[7]}/>')
    return out


def _seen(image: Image.Image, box: tuple[int, int, int, int]) -> tuple[int, int, int, int] | None:
    """What of a part of a raster can be seen, with a rim; none if all of it is clear as glass."""
    if box[2] <= box[0] or box[3] <= box[1]:
        return None
    if "A" not in image.getbands():
        return box
    inner = image.getchannel("A").crop(box).getbbox()
    if inner is None:
        return None
    return (
        max(box[0], box[0] + inner[0] - _ROUND),
        max(box[1], box[1] + inner[1] - _ROUND),
        min(box[2], box[0] + inner[2] + _ROUND),
        min(box[3], box[1] + inner[3] + _ROUND),
    )


def _text_box(x: str, y: str, size: str, words: str) -> Box:
    """No text reaches further from its point than this, however it is anchored or turned."""
    reach = float(size) * (len(words) + 1)
    return float(x) - reach, float(y) - reach, float(x) + reach, float(y) + reach


def _path_shares(data: str, rest: str, boards: tuple[Part, ...]) -> list[str]:
    width = _WIDTH.search(rest)
    edge = float(width[1]) if width else 1.0
    shares: list[list[str]] = [[] for _ in boards]
    for piece in data.split("M")[1:]:
        left, top, right, bottom = _piece_box(piece)
        box = (left - edge, top - edge, right + edge, bottom + edge)
        for share, part in zip(shares, boards, strict=True):
            if _touches(box, part):
                share.append(piece)
    return [f'<path d="M{"M".join(share)}"{rest}/>' if share else "" for share in shares]


def _piece_box(piece: str) -> Box:
    """A box that holds a stroke of a pen: of its points, or of all its steps from the first point; if in doubt, everything."""
    numbers = [float(n) for n in _NUMBER.findall(piece)]
    absolute, relative = _ABSOLUTE.search(piece), _RELATIVE.search(piece)
    if relative and not absolute:
        x, y, reach = numbers[0], numbers[1], sum(abs(n) for n in numbers[2:])
        return x - reach, y - reach, x + reach, y + reach
    if relative or _ODD.search(piece):
        return _EVERYWHERE
    xs, ys = numbers[0::2], numbers[1::2]
    return min(xs), min(ys), max(xs), max(ys)


def _touches(box: Box, part: Part) -> bool:
    return (
        box[0] <= part.left + part.width
        and box[2] >= part.left
        and box[1] <= part.top + part.height
        and box[3] >= part.top
    )
