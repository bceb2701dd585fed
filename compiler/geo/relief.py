"""Heights → a quiet relief: light and shadow as rows of letters, one letter a cell.

In: ETOPO heights (public domain), as netCDF classic. Out: rows over the sheet, `a` (deep shadow) to `i` (flat) to `q`
(full light), which a person can read and diff.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt

from compiler.geo.project import Floats, Frame, Projection

LETTERS = "abcdefghijklmnopq"
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8}


def read_heights(path: Path) -> tuple[Floats, Floats, Floats]:
    """(longitudes, latitudes, heights[lat, lon]) of a netCDF classic file with one height grid."""
    raw = path.read_bytes()
    found = _variables(raw)
    grid = max(found.values(), key=lambda v: v.size)
    lats = next(v for n, v in found.items() if n.upper().endswith("Y") and v.size == grid.shape[0])
    lons = next(v for n, v in found.items() if "X" in n.upper() and v.size == grid.shape[1])
    return lons.astype(float), lats.astype(float), grid.astype(float)


def _variables(raw: bytes) -> dict[str, npt.NDArray[np.generic]]:
    """All variables of a netCDF classic file (format 1), by name."""
    at = 8

    def number() -> int:
        nonlocal at
        at += 4
        return int(struct.unpack_from(">i", raw, at - 4)[0])

    def word() -> str:
        nonlocal at
        size = number()
        text = raw[at : at + size].decode("latin-1")
        at += (size + 3) // 4 * 4
        return text

    def attributes() -> None:
        nonlocal at
        number()
        for _ in range(number()):
            word()
            kind = number()
            size = number() * SIZES[kind]
            at += (size + 3) // 4 * 4

    number()
    dims = [(word(), number()) for _ in range(number())]
    attributes()
    number()
    out = {}
    for _ in range(number()):
        name = word()
        shape = [dims[number()][1] for _ in range(number())]
        attributes()
        kind, _, begin = number(), number(), number()
        dtype = {3: ">i2", 4: ">i4", 5: ">f4", 6: ">f8"}.get(kind)
        if dtype and shape and 0 not in shape:
            out[name] = np.frombuffer(raw, dtype, int(np.prod(shape)), begin).reshape(shape)
    return out


def shade(
    heights: tuple[Floats, Floats, Floats], frame: Frame, projection: Projection, cell: int
) -> list[str]:
    """Rows of letters over the sheet, `cell` map units to a letter, lit from the upper left."""
    x = np.arange(cell / 2, frame.width, cell)
    y = np.arange(cell / 2, frame.height, cell)
    xx, yy = np.meshgrid(x, y)
    grid = heights_at(heights, *projection.inverse(xx.ravel(), yy.ravel())).reshape(xx.shape)
    return light(grid)


def light(grid: Floats, steep: float = 300.0) -> list[str]:
    """Heights on a raster as rows of letters, lit from the upper left; `steep` metres a cell are a full shadow."""
    dy, dx = np.gradient(np.maximum(grid, 0.0))
    level = np.clip(np.tanh((dx + dy) / -steep) * 8 + 8, 0, 16).round().astype(int)
    return ["".join(LETTERS[v] for v in row) for row in level]


def heights_at(heights: tuple[Floats, Floats, Floats], lon: Floats, lat: Floats) -> Floats:
    """The height at each point, between the four nearest of the grid."""
    lons, lats, grid = heights
    lon = (lon - lons[0]) % 360
    step_x, step_y = lons[1] - lons[0], lats[1] - lats[0]
    fx, fy = lon / step_x, np.clip((lat - lats[0]) / step_y, 0, len(lats) - 1.001)
    i, j = np.floor(fy).astype(int), np.floor(fx).astype(int) % len(lons)
    k = (j + 1) % len(lons)
    u, v = fx - np.floor(fx), fy - i
    return np.asarray(
        grid[i, j] * (1 - u) * (1 - v)
        + grid[i, k] * u * (1 - v)
        + grid[i + 1, j] * (1 - u) * v
        + grid[i + 1, k] * u * v
    )
