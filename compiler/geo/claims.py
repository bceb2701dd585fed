"""Countries, zones and whatever else is an area → a letter a hex, for the layers of a hex map.

In: the geo file's entry for a layer, and where the sample points of every hex lie. Out: one letter a hex, `.` where no area
claims it. An area is a ring of points, or what borders, coasts and drawn lines enclose round a seed. Of several areas
in a hex the one with most sample points gives the letter; of areas that lie on each
other the first has the point. `sheets` limits an area to hexes by their printed numbers, `hexes` gives it some whatever lies there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely  # type: ignore[import-untyped]
from shapely.geometry import Point, Polygon, box  # type: ignore[import-untyped]
from shapely.geometry.base import BaseGeometry  # type: ignore[import-untyped]
from shapely.ops import polygonize  # type: ignore[import-untyped]

from compiler.geo.globe import Globe
from compiler.geo.hexgrid import number_of
from compiler.geo.lines import bridges, drawn_line, natural_borders
from compiler.geo.natural import Feature
from compiler.geo.project import Floats
from compiler.grid.hexmap import HexMap

Mask = npt.NDArray[np.bool_]
NOBODY = "."
GRID = 1e-6  # degrees: lines that come so near to each other meet
DEGREE = 111.2  # km
NEAR = 0.6  # degrees: a hex with a little land beside an area's coast is still the area's


def share(shape: BaseGeometry, globe: Globe) -> Floats:
    """How much of each hex lies in a shape of the world."""
    lon, lat = globe.samples
    turned = _beside(lon, shape)
    return np.asarray(shapely.contains_xy(_prepared(shape), turned, lat).mean(axis=1))


def ring_shape(rings: Iterable[Any]) -> BaseGeometry:
    """A ring of points, or several of them, as one shape."""
    listed = list(rings)
    many = listed if isinstance(listed[0][0], list) else [listed]
    return shapely.union_all([Polygon(ring).buffer(0) for ring in many])


def layer_letters(
    entry: Mapping[str, Any], globe: Globe, wanted: Mask, land: list[BaseGeometry], borders: list[Feature]
) -> tuple[list[str], list[tuple[str, str]]]:
    """(a letter for each hex that is wanted, what is wrong with seeds: code and words)."""
    areas = list(entry["areas"].values())
    faces = _faces(entry, globe, land, borders) if any("seeds" in area for area in areas) else []
    shapes, remarks = [], list(_merged(entry["areas"], faces))
    for name, area in entry["areas"].items():
        found = list(_claimed(area, faces))
        remarks += [("M005", f"a seed of '{name}' lies on nothing")] * found.count(None)
        shapes.append(shapely.union_all([shape for shape in found if shape is not None]))
    letters = np.array([area["letter"] for area in areas] + [NOBODY], dtype=object)
    claims = [(shape, _allowed(area, globe.map)) for shape, area in zip(shapes, areas, strict=True)]
    winners = _winners(claims, globe, wanted, bool(faces))
    for n, area in enumerate(areas):
        winners[[number_of(globe.map, id) for id in area.get("hexes", ())]] = n
    return [str(v) for v in letters[winners]], remarks


def _merged(areas: Mapping[str, Any], faces: list[BaseGeometry]) -> Iterator[tuple[str, str]]:
    """Areas whose seeds lie in one piece, so that the first would swallow the second. Areas of some sheets alone may share one."""
    owner: dict[int, str] = {}
    for name, area in areas.items():
        for seed in area.get("seeds", ()) if "sheets" not in area else ():
            face = _face(faces, seed)
            if face is not None and owner.setdefault(face, name) != name:
                words = f"'{owner[face]}' and '{name}' lie in one piece: no border closes between them"
                yield "M030", f"{words} ({seed[0]:g}, {seed[1]:g} is on both sides)"


def _face(faces: list[BaseGeometry], seed: Any) -> int | None:
    return next((n for n, face in enumerate(faces) if face.contains(Point(seed))), None)


def _allowed(area: Mapping[str, Any], map: HexMap) -> Mask:
    """The hexes an area may have: all, or those of some sheets, of some columns and rows."""
    if "sheets" not in area:
        return np.ones(len(map), dtype=bool)
    out = np.zeros(len(map), dtype=bool)
    for sheet in map.sheets:
        limits = area["sheets"].get(sheet.id)
        if limits is not None:
            columns, rows = limits.get("columns", (-9999, 9999)), limits.get("rows", (-9999, 9999))
            for n, at in enumerate(map.hexes):
                column, row = sheet.numbers_of(at)
                on = sheet.numbering.frame.has(column, row)
                out[n] |= on and columns[0] <= column <= columns[1] and rows[0] <= row <= rows[1]
    return out


def _faces(
    entry: Mapping[str, Any], globe: Globe, land: list[BaseGeometry], borders: list[Feature]
) -> list[BaseGeometry]:
    """The pieces into which borders and drawn lines cut the land; a line that ends less than a hex short of another is led on to it."""
    lines = (
        globe.seen(natural_borders(borders, entry.get("leave_out", ()))) if entry.get("borders", True) else []
    )
    drawn = [drawn_line(name, data) for name, data in entry.get("lines", {}).items()]
    coast = [shape.boundary for shape in land]
    cuts = [*coast, *lines, *drawn]
    reach = globe.placement.km_a_hex / DEGREE
    noded = shapely.union_all([*cuts, *bridges(cuts, reach, GRID)], grid_size=GRID)
    return list(polygonize(shapely.get_parts(noded)))


def _claimed(area: Mapping[str, Any], faces: list[BaseGeometry]) -> Iterator[BaseGeometry | None]:
    if "ring" in area:
        yield ring_shape(area["ring"])
    if "within" in area:
        lasso = ring_shape(area["within"])
        yield from (face for face in faces if lasso.contains(face.representative_point()))
    for seed in area.get("seeds", ()):
        number = _face(faces, seed)
        yield None if number is None else faces[number]
    if not {"ring", "within", "seeds", "hexes"} & area.keys():
        yield box(-720, -90, 720, 90)


def _winners(claims: list[tuple[BaseGeometry, Mask]], globe: Globe, wanted: Mask, reach: bool) -> Any:
    """The number of the area that has most of each hex, len(claims) where none has any."""
    lon, lat = (part[wanted] for part in globe.samples)
    none = len(claims)
    owner = np.full(lon.shape, none)
    for n, (shape, allowed) in enumerate(claims):
        free = (owner == none) & allowed[wanted][:, None]
        owner[free] = np.where(
            shapely.contains_xy(_prepared(shape), _beside(lon[free], shape), lat[free]), n, none
        )
    counts = np.stack([(owner == n).sum(axis=1) for n in range(none)], axis=1)
    best = np.where(counts.max(axis=1) > 0, counts.argmax(axis=1), none)
    for hex in np.flatnonzero(best == none) if reach else ():
        point = Point(float(np.mean(lon[hex])), float(np.mean(lat[hex])))
        near = point.buffer(NEAR)
        far = [
            s.intersection(near).distance(point) if ok[wanted][hex] and s.intersects(near) else np.inf
            for s, ok in claims
        ]
        if min(far) < NEAR:
            best[hex] = int(np.argmin(far))
    out = np.full(len(wanted), none)
    out[wanted] = best
    return out


def _prepared(shape: BaseGeometry) -> BaseGeometry:
    shapely.prepare(shape)
    return shape


def _beside(lon: Floats, shape: BaseGeometry) -> Floats:
    """Longitudes on the side of the date line on which the shape is told."""
    if shape.is_empty:
        return lon
    centre = (shape.bounds[0] + shape.bounds[2]) / 2
    return np.asarray((lon - centre + 180) % 360 - 180 + centre)
