"""An author's own picture as the board of a hex map, with the grid laid on it by pixel ↔ hex pairs.

In: the picture file's `board`: `{"picture": "art/map.png", "pairs": [{"space": "0101", "at": [61, 58]}, …]}`. Out: the
picture as a drawn map whose hexes lie where the pairs say. Columns and rows may be spaced differently, but the grid is
not turned. Each pair's own error is measured; the worst is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import hypot
from typing import Any

from compiler.draw.hexplane import Plane
from compiler.draw.ownboard import picture_uri
from compiler.draw.place import XY
from compiler.draw.scene import Picture as Raster
from compiler.draw.scene import Scene, to_svg
from compiler.draw.settings import Picture
from compiler.draw.types import DrawnMap, SpaceShape
from compiler.findings import Finding, Place, Severity, error
from compiler.grid.cuts import LARGEST, is_cut
from compiler.grid.hexmap import HexMap
from compiler.grid.pixels import Layout
from compiler.grid.placing import Picture as Placing
from compiler.grid.vassal import plan as plan_grids
from compiler.model.types import Map

Pair = tuple[int, XY]  # the hex, and its pixel


def own_hex_board(board: Map, picture: Picture) -> tuple[DrawnMap | None, list[Finding]]:
    """The author's board, if the picture file names one; or findings where it cannot be used."""
    value: Any = picture.get("board")
    map = board.hexes
    if not value or map is None:
        return None, []
    place = picture.place / "board" if picture.place else None
    size = _size(picture, str(value.get("picture", "")))
    if size is None:
        what = f"there is no picture '{value.get('picture')}' in the module's folder"
        return None, [error("D008", what, place)]
    pairs, faults = _pairs(map, value.get("pairs", ()), place)
    layout = _fitted(map, pairs)
    if faults or layout is None or len({map.parts[hex] for hex, _ in pairs}) != 1 or max(map.parts) > 0:
        what = "two pairs or more are needed that differ in column and in row, all on sheets that are joined"
        return None, faults or [error("D008", what, place)]
    return _drawn(map, picture, value, size, layout, pairs, place), []


def _pairs(map: HexMap, given: Any, place: Place | None) -> tuple[list[Pair], list[Finding]]:
    found: list[Pair] = []
    faults: list[Finding] = []
    for k, entry in enumerate(given if isinstance(given, list) else ()):
        hex = map.index.get(str(entry.get("space")))
        at = entry.get("at", ())
        if hex is None or hex >= len(map) or len(at) != 2:
            at_place = place / "pairs" / k if place else None
            what = f"'{entry.get('space')}' is no hex of this map, or has no [x, y]"
            faults.append(error("D008", what, at_place))
        else:
            found.append((hex, (float(at[0]), float(at[1]))))
    return found, faults


def _fitted(map: HexMap, pairs: Sequence[Pair]) -> Layout | None:
    """The grid with the least squares of errors: one straight line for each axis of the picture."""
    flat = map.shape == "flat"
    columns, rows = [], []
    for hex, (x, y) in pairs:
        q, r = map.hexes[hex]
        columns.append((float(q), x) if flat else (q + r / 2, x))
        rows.append((r + q / 2, y) if flat else (float(r), y))
    across, along = _line(columns), _line(rows)
    if across is None or along is None or across[1] <= 1 or along[1] <= 1:
        return None
    (x0, dx), (y0, dy) = across, along
    wide, high = Fraction(round(dx * 10000), 10000), Fraction(round(dy * 10000), 10000)
    size = (wide, high) if flat else (high, wide)
    return Layout(map.shape, *size, Fraction(round(x0)), Fraction(round(y0)))


def _line(points: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """Start and slope of the line through points as well as it goes; none if all have the same first number."""
    count = len(points)
    if count < 2:
        return None
    mean_a, mean_b = sum(a for a, _ in points) / count, sum(b for _, b in points) / count
    spread = sum((a - mean_a) ** 2 for a, _ in points)
    if spread < 0.2:
        return None
    slope = sum((a - mean_a) * (b - mean_b) for a, b in points) / spread
    return mean_b - slope * mean_a, slope


def _drawn(
    map: HexMap,
    picture: Picture,
    value: Any,
    size: tuple[int, int],
    layout: Layout,
    pairs: Sequence[Pair],
    place: Place | None,
) -> DrawnMap:
    width, height = size
    plane = Plane(map, Placing((layout,), width, height))
    off = [hypot(plane.centres[n][0] - x, plane.centres[n][1] - y) for n, (x, y) in pairs]
    counter = int(picture.get("counter", round(plane.size * 0.62)))
    words = f"the grid fits its {len(pairs)} pairs with errors of up to {max(off):.1f} px"
    bad = max(off) > plane.size / 6
    findings = (Finding("D007" if bad else "D009", Severity.WARNING if bad else Severity.NOTE, words, place),)
    image = Raster(picture_uri(picture.root / str(value["picture"])), 0, 0, width, height)
    most = int(picture.get("boards", LARGEST))
    grids = plan_grids(map, plane.picture, cut=is_cut(width, height, most))
    shapes = {}
    for grid in grids:
        for n, (x, y) in grid.centres.items():
            at = (float(x), float(y))
            shapes[map.ids[n]] = SpaceShape(map.ids[n], (tuple(plane.hexagon(n)),), at, (at,))
    boxes = value.get("boxes", {})
    for id in map.boxes:
        if id in boxes:
            left, top, right, bottom = (float(n) for n in boxes[id])
            ring = ((left, top), (right, top), (right, bottom), (left, bottom))
            middle = ((left + right) / 2, (top + bottom) / 2)
            shapes[id] = SpaceShape(id, (ring,), middle, (middle,))
    svg = to_svg(Scene(width, height, (image,)))
    return DrawnMap(svg, width, height, shapes, (), {}, 0, counter, findings, grids, most)


def _size(picture: Picture, name: str) -> tuple[int, int] | None:
    from PIL import Image, UnidentifiedImageError

    path = picture.root / name
    if not name or not path.is_file() or not path.resolve().is_relative_to(picture.root.resolve()):
        return None
    try:
        with Image.open(path) as image:
            return image.size
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError):
        return None
