"""A hex map on the globe: hexes ↔ longitude and latitude, and Natural Earth brought into the plane of the hexes.

In: the hexes (a `HexMap` whose terrain nobody has looked at yet), a `Placement` and a `Warp`. Out: middles and outlines of hexes
in the plane, the land and any other geometry of the world warped into it, and the longitude and latitude of any point
of the plane. Everything that is drawn or decided goes through this one transformation, so coast, rivers, borders and
heights always agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely  # type: ignore[import-untyped]
from shapely.geometry import Polygon, box  # type: ignore[import-untyped]
from shapely.geometry.base import BaseGeometry  # type: ignore[import-untyped]

from compiler.geo.fit import Placement
from compiler.geo.project import Floats
from compiler.geo.warp import Warp
from compiler.grid.hexes import Hex, Shape
from compiler.grid.hexmap import HexMap

ROOT = 3**0.5
STEP = 0.1  # degrees: straight lines of the world are bent at least so often
MARGIN = 2.0  # hexes round the map that are looked at as well
TILE = 8.0  # hexes: the land is cut into squares of this size, so that each hex meets only a small piece
RINGS = 3  # of sample points round a hex's middle: 37 points

_FLAT = np.array(
    [(ROOT / 3, 0), (ROOT / 6, 0.5), (-ROOT / 6, 0.5), (-ROOT / 3, 0), (-ROOT / 6, -0.5), (ROOT / 6, -0.5)]
)
OUTLINE: dict[Shape, Floats] = {"flat": _FLAT, "pointy": _FLAT[:, ::-1]}


def middle(shape: Shape, hexes: Sequence[Hex]) -> Floats:
    """The middles of hexes, in the plane."""
    q, r = np.array(hexes, dtype=float).reshape(-1, 2).T
    if shape == "flat":
        return np.stack([q * ROOT / 2, r + q / 2], axis=1)
    return np.stack([q + r / 2, r * ROOT / 2], axis=1)


def sample_offsets(shape: Shape) -> Floats:
    """Points strewn evenly over a hex, about its middle."""
    span = range(-RINGS, RINGS + 1)
    cells = [(q, r) for q in span for r in span if abs(q + r) <= RINGS]
    other: Shape = (
        "pointy" if shape == "flat" else "flat"
    )  # turned by 30 degrees they fill the hex to its corners
    return middle(other, cells) * 2 / ((2 * RINGS + 1) * ROOT)


@dataclass(frozen=True)
class Globe:
    map: HexMap
    placement: Placement
    warp: Warp

    @cached_property
    def middles(self) -> Floats:
        return middle(self.map.shape, self.map.hexes)

    @cached_property
    def outlines(self) -> Sequence[Polygon]:
        corners = self.middles[:, None, :] + OUTLINE[self.map.shape][None, :, :]
        return list(shapely.polygons(corners))

    @cached_property
    def samples(self) -> tuple[Floats, Floats]:
        """Longitude and latitude of the sample points: one row a hex."""
        points = self.middles[:, None, :] + sample_offsets(self.map.shape)[None, :, :]
        lon, lat = self.to_world(points.reshape(-1, 2))
        return lon.reshape(points.shape[:2]), lat.reshape(points.shape[:2])

    def to_plane(self, lon: Floats, lat: Floats) -> Floats:
        # Rounded, so that a ring that was closed in the world is closed in the plane.
        return np.round(self.warp.forward(self.placement.forward(lon, lat)), 7)

    def to_world(self, xy: Floats) -> tuple[Floats, Floats]:
        return self.placement.inverse(self.warp.inverse(xy))

    @cached_property
    def frame(self) -> BaseGeometry:
        """The map's bounds in the plane, with a margin."""
        low, high = self.middles.min(axis=0) - MARGIN, self.middles.max(axis=0) + MARGIN
        return box(*low, *high)

    @cached_property
    def window(self) -> tuple[float, float, float, float]:
        """The same in the world: west, south, east, north; west may lie beyond -180."""
        lon, lat = self.samples
        centre = float(np.median(lon))
        lon = (lon - centre + 180) % 360 - 180 + centre
        return (
            float(lon.min()) - 1.5,
            max(float(lat.min()) - 1.5, -89.9),
            float(lon.max()) + 1.5,
            min(float(lat.max()) + 1.5, 89.9),
        )

    def seen(self, shapes: Iterable[BaseGeometry]) -> list[BaseGeometry]:
        """The parts of shapes of the world that lie in the window, on whichever side of the date line they are told."""
        window = box(*self.window)
        out = []
        for shape in shapes:
            for turn in (-360.0, 0.0, 360.0):
                west, _, east, _ = shape.bounds
                if east + turn < self.window[0] or west + turn > self.window[2]:
                    continue
                moved = shapely.transform(shape, lambda xy, t=turn: xy + np.array([t, 0.0]))
                if moved.intersects(window):
                    out.append(_clipped(moved, window))
        return [shape for shape in out if not shape.is_empty]

    def bend(self, shapes: Iterable[BaseGeometry]) -> BaseGeometry:
        """Shapes of the world, in the plane."""
        seen = [shapely.segmentize(shape, STEP) for shape in self.seen(shapes)]
        bent = [shapely.transform(s, lambda xy: self.to_plane(xy[:, 0], xy[:, 1])) for s in seen]
        return shapely.union_all(shapely.make_valid(np.array(bent, dtype=object)))


def _clipped(shape: BaseGeometry, window: BaseGeometry) -> BaseGeometry:
    if window.contains(shape):
        return shape
    cut = shapely.make_valid(shape).intersection(window)
    kind = shapely.get_dimensions(shape)
    parts = [part for part in shapely.get_parts(cut) if shapely.get_dimensions(part) == kind]
    return shapely.union_all(parts)


def tiles(land: BaseGeometry, frame: BaseGeometry) -> dict[tuple[int, int], BaseGeometry]:
    """The land cut into squares, by the number of the square; squares without land are left out."""
    west, north, east, south = frame.bounds
    out = {}
    for i in range(int(west // TILE), int(east // TILE) + 1):
        strip = shapely.clip_by_rect(land, i * TILE, north, (i + 1) * TILE, south)
        for j in range(int(north // TILE), int(south // TILE) + 1):
            piece = shapely.clip_by_rect(strip, i * TILE, j * TILE, (i + 1) * TILE, (j + 1) * TILE)
            if not piece.is_empty:
                out[i, j] = shapely.make_valid(piece)
    return out


def inside(shape: BaseGeometry, pieces: dict[tuple[int, int], BaseGeometry]) -> BaseGeometry:
    """What of a small shape lies on the land."""
    west, north, east, south = shape.bounds
    found = [
        shape.intersection(pieces[i, j])
        for i in range(int(west // TILE), int(east // TILE) + 1)
        for j in range(int(north // TILE), int(south // TILE) + 1)
        if (i, j) in pieces
    ]
    if len(found) == 1:
        return found[0]
    return shapely.union_all(found)
