"""Where names, figures and stacks stand inside an area.

In: an area's rings, the sizes of what must fit, obstacles. Out: boxes that lie wholly inside the area and overlap
nothing. Works on a coarse picture of the area (one cell is `CELL` px, less in a small area) with the image library's own filters, so
that hundreds of areas take well under a second. No randomness: the same input gives the same places.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFilter

XY = tuple[float, float]
Ring = Sequence[XY]
CELL = 5.0
FINE = 2.5  # px a cell of an area that is no larger than `SMALL`
SMALL = 420.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its middle and size."""

    x: float
    y: float
    w: float
    h: float

    def overlaps(self, other: Box, gap: float = 0.0) -> bool:
        return (
            abs(self.x - other.x) * 2 < self.w + other.w + 2 * gap
            and abs(self.y - other.y) * 2 < self.h + other.h + 2 * gap
        )

    def corners(self) -> tuple[XY, XY, XY, XY]:
        a, b = self.w / 2, self.h / 2
        return (
            (self.x - a, self.y - b),
            (self.x + a, self.y - b),
            (self.x + a, self.y + b),
            (self.x - a, self.y + b),
        )


def signed_area(ring: Ring) -> float:
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True)) / 2


def inside(point: XY, rings: Iterable[Ring]) -> bool:
    """Even-odd test of a point against all rings of an area."""
    x, y = point
    odd = False
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                odd = not odd
    return odd


class Field:
    """The free room of one area, as a mask; rings filled even-odd, then shrunk by `margin` px."""

    def __init__(self, rings: Sequence[Ring], margin: float = CELL) -> None:
        xs = [x for ring in rings for x, _ in ring]
        ys = [y for ring in rings for _, y in ring]
        self.cell = cell = FINE if max(max(xs) - min(xs), max(ys) - min(ys)) <= SMALL else CELL
        self.left, self.top = min(xs) - 3 * cell, min(ys) - 3 * cell
        size = (math.ceil((max(xs) - self.left) / cell) + 3, math.ceil((max(ys) - self.top) / cell) + 3)
        mask = Image.new("L", size, 0)
        draw = ImageDraw.Draw(mask)
        for ring in sorted(rings, key=lambda r: -abs(signed_area(r))):
            cells = [((x - self.left) / cell - 0.5, (y - self.top) / cell - 0.5) for x, y in ring]
            hole = mask.getpixel((0, 0)) == 0 and _is_hole(ring, rings)
            draw.polygon(cells, fill=0 if hole else 255, outline=0)
        if margin > cell:
            mask = mask.filter(ImageFilter.MinFilter(2 * round(margin / cell - 0.5) + 1))
        self.mask = mask

    def block(self, box: Box) -> None:
        """Takes a rectangle out of the free room."""
        draw = ImageDraw.Draw(self.mask)
        x0, y0 = self._cell(box.x - box.w / 2, box.y - box.h / 2)
        x1, y1 = self._cell(box.x + box.w / 2, box.y + box.h / 2)
        draw.rectangle((math.floor(x0), math.floor(y0), math.ceil(x1), math.ceil(y1)), fill=0)

    def _cell(self, x: float, y: float) -> XY:
        return (x - self.left) / self.cell - 0.5, (y - self.top) / self.cell - 0.5

    def _xy(self, i: float, j: float) -> XY:
        return self.left + (i + 0.5) * self.cell, self.top + (j + 0.5) * self.cell

    def fits(self, w: float, h: float) -> Image.Image:
        """A mask of all middles where a box of this size is wholly free."""
        rx, ry = math.ceil(w / 2 / self.cell), math.ceil(h / 2 / self.cell)
        if 2 * rx + 1 > self.mask.width or 2 * ry + 1 > self.mask.height:
            return Image.new("L", self.mask.size, 0)
        # Two passes: each keeps its rounding error below one, so that 255 means "free all along".
        rows = self.mask.filter(ImageFilter.BoxBlur((rx, 0))).point(_FULL)
        return rows.filter(ImageFilter.BoxBlur((0, ry))).point(_FULL)

    def has(self, w: float, h: float) -> bool:
        return self.fits(w, h).getbbox() is not None

    def free_at(self, fitting: Image.Image, x: float, y: float) -> bool:
        i, j = self._cell(x, y)
        a, b = round(i), round(j)
        return 0 <= a < fitting.width and 0 <= b < fitting.height and fitting.getpixel((a, b)) == 255

    def near(self, fitting: Image.Image, box: Box) -> Image.Image:
        """What of a mask lies inside a box."""
        x0, y0 = self._cell(box.x - box.w / 2, box.y - box.h / 2)
        x1, y1 = self._cell(box.x + box.w / 2, box.y + box.h / 2)
        window = (max(0, math.floor(x0)), max(0, math.floor(y0)), math.ceil(x1) + 1, math.ceil(y1) + 1)
        out = Image.new("L", fitting.size, 0)
        if window[2] > window[0] and window[3] > window[1]:
            out.paste(fitting.crop(window), window[:2])
        return out

    def points(self, fitting: Image.Image, at_most: int) -> list[XY]:
        """Up to about `at_most` of the middles in a mask, spread evenly."""
        found = fitting.getbbox()
        if found is None:
            return []
        left, top, right, bottom = found
        cells = fitting.crop(found).histogram()[255]
        step = max(1, math.ceil(math.sqrt(cells / at_most)))
        data = fitting.tobytes()
        wide = fitting.width
        out = []
        for j in range(top + min(step // 2, (bottom - top - 1) // 2), bottom, step):
            for i in range(left + min(step // 2, (right - left - 1) // 2), right, step):
                if data[j * wide + i] == 255:
                    out.append(self._xy(i, j))
        if not out:
            k = data.index(255)
            out.append(self._xy(k % wide, k // wide))
        return out

    def heart(self) -> tuple[XY, float]:
        """The middle of the largest square that fits, and half its side."""
        low, high = 0, min(self.mask.size) // 2 + 1
        best: Image.Image | None = None
        while high - low > 1:
            middle = (low + high) // 2
            fitting = self.fits(2 * middle * self.cell - 1, 2 * middle * self.cell - 1)
            if fitting.getbbox() is None:
                high = middle
            else:
                low, best = middle, fitting
        if best is None:
            best = self.mask
        spots = self.points(best, 16)
        if not spots:
            return (self.left, self.top), 0.0
        mx, my = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
        return min(spots, key=lambda p: math.dist(p, (mx, my))), low * self.cell


_FULL = [0] * 255 + [255]


def _is_hole(ring: Ring, rings: Sequence[Ring]) -> bool:
    """Whether a ring lies inside an odd number of others."""
    return sum(inside(ring[0], [other]) for other in rings if other is not ring) % 2 == 1


def pack(points: Sequence[XY], size: float, wanted: int, taken: Sequence[Box], near: XY) -> list[XY]:
    """Middles of up to `wanted` squares of `size`, clear of each other and of `taken`, nearest first."""
    if wanted <= 0:
        return []
    free = [p for p in points if not any(Box(p[0], p[1], size, size).overlaps(box) for box in taken)]
    best: list[XY] = []
    for order in (
        lambda p: (math.dist(p, near), p),
        lambda p: (p[1], p[0]),
        lambda p: p,
        lambda p: (-p[1], p[0]),
    ):
        found = _greedy(sorted(free, key=order), size, wanted)
        if len(found) > len(best):
            best = found
        if len(best) == wanted:
            break
    return sorted(best, key=lambda p: (math.dist(p, near), p))


def _greedy(points: Iterable[XY], size: float, wanted: int) -> list[XY]:
    out: list[XY] = []
    for x, y in points:
        if all(abs(x - a) >= size or abs(y - b) >= size for a, b in out):
            out.append((x, y))
            if len(out) == wanted:
                break
    return out
