"""A hex map on a picture: where the lattice of each part lies, and how large the picture is.

Parts that are not joined lie side by side. Origins are whole pixels, because VASSAL's grids have no others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from compiler.grid.hexes import Hex, Shape
from compiler.grid.hexmap import HexMap
from compiler.grid.pixels import Exact, Layout, Point, regular


@dataclass(frozen=True, slots=True)
class Picture:
    """One layout a part, and the size in pixels."""

    layouts: tuple[Layout, ...]
    width: int
    height: int

    def centre(self, map: HexMap, number: int) -> Point:
        return self.layouts[map.parts[number]].centre(map.hexes[number])

    def hex_at(self, map: HexMap, x: Exact, y: Exact) -> int | None:
        """The hex in which a pixel lies, if there is one."""
        for part, layout in enumerate(self.layouts):
            q, r = layout.hex_at(x, y)
            if (part, q, r) in map.where:
                return map.where[part, q, r]
        return None


def lay_out(
    map: HexMap,
    hex_height: Exact,
    margin: int = 20,
    make: Callable[[Shape, Exact], Layout] = regular,
) -> Picture:
    """All hexes of the map, whole, with a margin of at least so many pixels round them and between parts."""
    members: dict[int, list[Hex]] = {sheet.part: [] for sheet in map.sheets}
    for part, at in zip(map.parts, map.hexes, strict=True):
        members[part].append(at)
    layouts, right, bottom = [], 0, 0
    for part in sorted(members):
        layout = make(map.shape, hex_height)
        left, top, end, low = _bounds(layout, members[part])
        layouts.append(layout.moved(right + margin - floor(left), margin - floor(top)))
        right += margin + ceil(end) - floor(left)
        bottom = max(bottom, margin + ceil(low) - floor(top))
    return Picture(tuple(layouts), right + margin, bottom + margin)


def _bounds(layout: Layout, hexes: list[Hex]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    if not hexes:
        return Fraction(0), Fraction(0), Fraction(0), Fraction(0)
    # Of all hexes only those at the rim matter: the extremes of the two axes of the picture.
    flat = layout.shape == "flat"
    xs = [q if flat else 2 * q + r for q, r in hexes]
    ys = [2 * r + q if flat else r for q, r in hexes]
    far, near = layout.across * 2 / 3, layout.along / 2
    step_x, step_y = (layout.across, near) if flat else (near, layout.across)
    rim_x, rim_y = (far, near) if flat else (near, far)
    return (
        min(xs) * step_x - rim_x,
        min(ys) * step_y - rim_y,
        max(xs) * step_x + rim_x,
        max(ys) * step_y + rim_y,
    )
