"""Hexes on a picture: where a hex's centre, corners and hexsides are, and which hex a point is in.

Pixels are exact fractions: `across` is the distance between neighbouring columns (flat) or rows (pointy), `along` that
between two centres of one column or row. Nothing in here rounds; whoever draws or writes files does. Only the size of
a regular hex needs a square root, and `regular` takes it once, to a hundredth of a pixel.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import isqrt, lcm

from compiler.grid.hexes import Hex, Shape, rounded

Exact = int | Fraction | Decimal
Point = tuple[Fraction, Fraction]

# Corner i, from the centre, in units of (across / 3, along / 2): clockwise, corner 0 between directions 0 and 1.
_CORNERS = ((1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1))


@dataclass(frozen=True, slots=True)
class Layout:
    """The lattice on a picture: x to the right, y down, (x0, y0) the centre of hex (0, 0)."""

    shape: Shape
    across: Fraction
    along: Fraction
    x0: Fraction = Fraction(0)
    y0: Fraction = Fraction(0)

    def centre(self, a: Hex) -> Point:
        q, r = a
        if self.shape == "flat":
            return self.x0 + self.across * q, self.y0 + self.along * (2 * r + q) / 2
        return self.x0 + self.along * (2 * q + r) / 2, self.y0 + self.across * r

    def centres(self, many: Iterable[Hex]) -> list[Point]:
        """All centres, in the given order: the same as one by one, in a third of the time."""
        unit, across, half, x0, y0 = self._whole()
        if self.shape == "flat":
            return [
                (Fraction(x0 + across * q, unit), Fraction(y0 + half * (2 * r + q), unit)) for q, r in many
            ]
        return [(Fraction(x0 + half * (2 * q + r), unit), Fraction(y0 + across * r, unit)) for q, r in many]

    def corners(self, a: Hex) -> tuple[Point, ...]:
        """The six corners, clockwise; corner i lies between the directions i and i + 1."""
        x, y = self.centre(a)
        third, half = self.across / 3, self.along / 2
        if self.shape == "flat":
            return tuple((x + i * third, y + j * half) for i, j in _CORNERS)
        # Pointy hexes are flat ones mirrored in the diagonal, which also turns clockwise round.
        mirrored = [(x + j * half, y + i * third) for i, j in _CORNERS]
        return tuple(mirrored[(4 - i) % 6] for i in range(6))

    def hex_at(self, x: Exact, y: Exact) -> Hex:
        """The hex in which a point lies; on a hexside one of its two hexes, always the same."""
        px, py = Fraction(x) - self.x0, Fraction(y) - self.y0
        if self.shape == "flat":
            q = px / self.across
            r = py / self.along - q / 2
        else:
            r = py / self.across
            q = px / self.along - r / 2
        scale = lcm(q.denominator, r.denominator)
        return rounded(int(q * scale), int(r * scale), scale)

    def moved(self, dx: Exact, dy: Exact) -> Layout:
        x, y = self.x0 + Fraction(dx), self.y0 + Fraction(dy)
        return Layout(self.shape, self.across, self.along, x, y)

    def _whole(self) -> tuple[int, int, int, int, int]:
        half = self.along / 2
        unit = lcm(self.across.denominator, half.denominator, self.x0.denominator, self.y0.denominator)
        return unit, int(self.across * unit), int(half * unit), int(self.x0 * unit), int(self.y0 * unit)


def whole(shape: Shape, height: Exact) -> Layout:
    """A layout of nearly regular hexes whose every centre is a whole pixel: for maps that are cut into boards.

    The engine cuts fractions toward zero, and so differently left and right of the first pixel of a board. Where there
    are no fractions, a hex that lies on two boards has one middle, whichever of them is asked.
    """
    along = 2 * max(1, round(Fraction(height) / 2))
    return Layout(shape, Fraction(round(regular(shape, along).across)), Fraction(along))


def regular(shape: Shape, height: Exact, x0: Exact = 0, y0: Exact = 0) -> Layout:
    """A layout of regular hexes, `height` pixels between opposite sides; columns lie at hundredths of a pixel."""
    along = Fraction(height)
    # across = along * sqrt(3) / 2, rounded to 1/100: sqrt of 3 * along^2 * 2500, rounded to a whole number.
    square = 3 * along * along * 2500
    root = isqrt(4 * square.numerator // square.denominator)
    return Layout(shape, Fraction((root + 1) // 2, 100), along, Fraction(x0), Fraction(y0))
