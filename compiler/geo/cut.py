"""Land and lines → areas: the heart of the geography tool.

In: the geo file's value and Natural Earth layers. Out: one shape for each area, zone and void, in map units, which
together cover the frame without gap or overlap, and remarks for the author (places that belong to nobody, areas
whose border does not close).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely  # type: ignore[import-untyped]
from shapely.affinity import scale, translate  # type: ignore[import-untyped]
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box  # type: ignore[import-untyped]
from shapely.geometry.base import BaseGeometry  # type: ignore[import-untyped]
from shapely.ops import polygonize  # type: ignore[import-untyped]

from compiler.geo.lines import blob, bridges, drawn_line, natural_borders, project_geometry
from compiler.geo.natural import Layers
from compiler.geo.project import Frame, Projection, make_projection

LAKES = "lakes"
PEN = 0.3  # map units: detail finer than this cannot be seen
SPECK = 3.0  # square map units: islands below are not even considered
UNITS = ("degrees", "map")
GRID = 0.02  # map units: everything is noded on this raster so that neighbours meet exactly


@dataclass(frozen=True)
class Remark:
    """What the author should know: a finding's code and words, where in the geo file, and what would help."""

    code: str
    words: str
    path: tuple[str | int, ...] = ()
    help: str | None = None


@dataclass
class Cut:
    """What the cutting found: shapes by id, the kind of each (area, zone, void kind), and remarks."""

    shapes: dict[str, BaseGeometry] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)


class Cutter:
    """One run over one geo file."""

    def __init__(self, geo: Mapping[str, Any], layers: Layers) -> None:
        self.geo = geo
        self.layers = layers
        raw = geo["frame"]
        self.frame = Frame(raw["width"], raw["height"], raw["cut"], raw["top"], raw["bottom"])
        self.projection: Projection = make_projection(geo["projection"], self.frame)
        self.sheet = box(0, 0, self.frame.width, self.frame.height)
        self.rules: Mapping[str, Any] = geo["coast"]
        self.out = Cut()
        self.drawn: dict[str, BaseGeometry] = {}  # the author's own lines, in map units
        self.cutting: list[BaseGeometry] = []  # all that cut the land, or the water
        self._flat(geo)

    def run(self) -> Cut:
        """Land first, then the sea round what land was kept."""
        land = self._land()
        land, rims = self._enlarge(land)
        lines = [land.boundary, *rims, *self._land_lines()]
        faces = self._pieces(lines, land)
        areas = self._assign(faces, self.geo["areas"])
        kept = self._islands(areas, faces)
        self._keep(kept, "area")
        water = self.sheet.difference(shapely.union_all(list(kept.values())))
        self._sea(water)
        return self.out

    def _pieces(self, lines: list[BaseGeometry], inside: BaseGeometry) -> list[Polygon]:
        self.cutting = lines
        return _faces([*lines, *bridges(lines, self.rules["snap"], GRID)], inside)

    # -- land ---------------------------------------------------------------------------------------------------

    def _land(self) -> BaseGeometry:
        lassos = [Polygon(_points(ring)) for ring in self.geo.get("drop", ())]
        parts = [p for f in self.layers.read("land") for p in _polygons(f.shape)]
        parts = [p for p in parts if not any(self._holds(lasso, p) for lasso in lassos)]
        shown = [project_geometry(p, self.frame, self.projection) for p in parts]
        land = shapely.union_all([p.simplify(PEN) for s in shown for p in _polygons(s) if p.area > SPECK])
        land = land.difference(self._lakes())
        r = float(self.rules["generalise"])
        # Closing then opening: inlets and spits thinner than the pen vanish, everything else stays where it is.
        land = land.buffer(r, quad_segs=4).buffer(-2 * r, quad_segs=4).buffer(r, quad_segs=4)
        land = land.difference(self._channels())
        pond = float(self.geo.get("lakes", {}).get("at_least", 0))
        land = shapely.union_all([_without_ponds(p, pond) for p in _polygons(land)])
        return shapely.set_precision(land.intersection(self.sheet), GRID)

    def _lakes(self) -> BaseGeometry:
        """Natural Earth's own lakes, up to the rank that the author wants to see."""
        rank = self.geo.get("lakes", {}).get("rank_at_most")
        if rank is None:
            return Polygon()
        wanted = [f.shape for f in self.layers.read("lakes") if float(f.values.get("scalerank") or 0) <= rank]
        shown = [
            project_geometry(part, self.frame, self.projection)
            for shape in wanted
            for part in _polygons(shape)
        ]
        return shapely.union_all([part.simplify(PEN) for shape in shown for part in _polygons(shape)])

    def _channels(self) -> BaseGeometry:
        """Water that the author keeps open: straits wider than life, so that ships can be seen to pass."""
        channels = self.geo.get("channels", {}).values()
        return shapely.union_all([self._line("", data).buffer(float(data["width"]) / 2) for data in channels])

    def _holds(self, lasso: Polygon, part: Polygon) -> bool:
        """Whether a lasso holds a part, on whichever side of the date line the author counted."""
        x, y = part.representative_point().coords[0]
        if self._flat(self.geo):
            return bool(lasso.contains(Point(self.at(x, y))))
        return any(lasso.contains(Point(x + turn, y)) for turn in (-360, 0, 360))

    # -- degrees or map units -----------------------------------------------------------------------------------

    def _flat(self, data: Mapping[str, Any]) -> bool:
        """Whether points are map units: as the line or area says, else as the whole file does."""
        units = data.get("units", self.geo.get("units", UNITS[0]))
        if units not in UNITS:
            raise ValueError(f"units are 'degrees' or 'map', not {units!r}")
        return bool(units == "map")

    def _line(self, name: str, data: Mapping[str, Any]) -> BaseGeometry:
        line = drawn_line(name, data)
        self.drawn[name] = line.intersection(self.sheet) if self._flat(data) else self._project(line)
        return self.drawn[name]

    def _ring(self, ring: Sequence[Sequence[float]], data: Mapping[str, Any]) -> BaseGeometry:
        shape = Polygon(_points(ring)).buffer(0)
        return shape if self._flat(data) else self._project(shape)

    def spot(self, point: Sequence[float], data: Mapping[str, Any]) -> tuple[float, float]:
        """A point of the geo file in map units."""
        ((x, y),) = _points([point])
        return (x, y) if self._flat(data) else self.at(x, y)

    def at(self, lon: float, lat: float) -> tuple[float, float]:
        lon = (lon - self.frame.cut) % 360 + self.frame.cut
        x, y = self.projection.forward(np.array([lon]), np.array([lat]))
        return float(x[0]), float(y[0])

    def _land_lines(self) -> list[BaseGeometry]:
        borders = natural_borders(self.layers.read("borders"), self.geo.get("leave_out", ()))
        drawn = [self._line(name, data) for name, data in self.geo["lines"].items()]
        return [part for line in [*map(self._project, borders), *drawn] for part in _lines(line)]

    def _project(self, geometry: BaseGeometry) -> BaseGeometry:
        return project_geometry(geometry, self.frame, self.projection)

    def _enlarge(self, land: BaseGeometry) -> tuple[BaseGeometry, list[BaseGeometry]]:
        """Islands drawn larger than life: scaled groups, and blobs; a blob's rim is a border where it lies on land."""
        rims: list[BaseGeometry] = []
        for name, data in self.geo["areas"].items():
            if "grow" in data:
                land = self._grow(land, data)
            if "blob" in data:
                b = data["blob"]
                shape = Polygon(blob(name, self.spot(b["at"], data), b["rx"], b["ry"]))
                land = land.union(shape)
                rims.append(shape.boundary)
        return shapely.set_precision(land, GRID), rims

    def _grow(self, land: BaseGeometry, data: Mapping[str, Any]) -> BaseGeometry:
        lasso = self._ring(data["within"], data)
        inside = [p for p in _polygons(land) if lasso.contains(p.representative_point())]
        rest = [p for p in _polygons(land) if not lasso.contains(p.representative_point())]
        if not inside:
            return land
        grow = data["grow"]
        group = MultiPolygon(inside)
        group = scale(group, grow.get("times", 1), grow.get("times", 1), origin=group.centroid)
        each = [
            scale(p, grow.get("each", 1), grow.get("each", 1), origin="centroid") for p in _polygons(group)
        ]
        each = [p for p in each if p.area >= grow.get("drop_islands", 0)]
        fat = _apart(
            [p.buffer(grow.get("fatten", 0), quad_segs=6) for p in each], bool(grow.get("apart", False))
        )
        fat = shapely.union_all([Polygon(p.exterior) for p in _polygons(fat)])
        if "move" in grow:
            fat = translate(fat, *grow["move"])
        return shapely.union_all([*rest, fat])

    def _assign(self, faces: list[Polygon], wanted: Mapping[str, Any]) -> dict[str, list[Polygon]]:
        """Faces by area: a seed point claims its face, a lasso claims what is inside; small leftovers join a neighbour."""
        tree = shapely.STRtree(faces)
        owner: dict[int, str] = {}
        for name, data in wanted.items():
            for n, seed in enumerate(data.get("seeds", ())):
                self._claim(owner, tree, faces, name, self.spot(seed, data), ("seeds", n))
            if "blob" in data:
                self._claim(owner, tree, faces, name, self.spot(data["blob"]["at"], data), ("blob", "at"))
            for lasso in data.get("lassos", [data["within"]] if "within" in data else ()):
                region = self._ring(lasso, data)
                if "grow" in data:
                    region = region.buffer(data["grow"].get("fatten", 0) * 2 + 4)
                for i in tree.query(region):
                    if region.contains(faces[i].representative_point()):
                        owner.setdefault(int(i), name)
        self._adopt(owner, faces, tree)
        out: dict[str, list[Polygon]] = {}
        for i, name in sorted(owner.items()):
            out.setdefault(name, []).append(faces[i])
        for name in wanted:
            if name not in out:
                what = f"'{name}' encloses nothing: no seed or lasso of it lies on land or water"
                self.out.remarks.append(Remark("M004", what, self._path(name)))
        return out

    def _claim(
        self,
        owner: dict[int, str],
        tree: Any,
        faces: list[Polygon],
        name: str,
        xy: tuple[float, float],
        step: tuple[str | int, ...],
    ) -> None:
        path = (*self._path(name), *step)
        hits = [int(i) for i in tree.query(Point(xy)) if faces[int(i)].contains(Point(xy))]
        if not hits:
            self.out.remarks.append(Remark("M005", f"this seed of '{name}' lies on nothing", path))
        elif owner.setdefault(hits[0], name) != name:
            what = f"'{name}' and '{owner[hits[0]]}' are not separated: this seed is in a piece of both"
            self.out.remarks.append(Remark("M003", what, path, self._loose(faces[hits[0]])))

    def _path(self, name: str) -> tuple[str, ...]:
        """Where an area, zone or void stands in the geo file."""
        return next((key, name) for key in ("areas", "zones", "voids") if name in self.geo.get(key, {}))

    def _loose(self, face: Polygon) -> str | None:
        """The author's lines that end inside a piece instead of cutting it, those with the widest gap first."""
        ends = [
            (self._gap(Point(end), line), name, end)
            for name, line in self.drawn.items()
            for part in _lines(line)
            for end in (part.coords[0][:2], part.coords[-1][:2])
            if face.buffer(GRID).contains(Point(end))
        ]
        found = sorted((one for one in ends if one[0] > GRID * 2), reverse=True)
        told = [
            f"'{name}' ends at {self._told(*end)}, {gap:.0f} px from the next line"
            for gap, name, end in found
        ]
        return (
            f"{'; '.join(told[:3])}; a gap up to {self.rules['snap']} px (snap) is closed by itself"
            if told
            else None
        )

    def _gap(self, end: Point, own: BaseGeometry) -> float:
        around = own.buffer(GRID * 2)
        others = [line for line in self.cutting if not around.contains(line)]
        return float(min(line.distance(end) for line in others))

    def _adopt(self, owner: dict[int, str], faces: list[Polygon], tree: Any) -> None:
        """Unclaimed pieces join the neighbour they share most border with, in rounds, nearest first."""
        for _ in range(6):
            found: dict[int, str] = {}
            for i, face in enumerate(faces):
                if i not in owner and (best := _best_neighbour(i, face, owner, faces, tree)):
                    found[i] = best
                    if face.area > self.rules["report_above"]:
                        x, y = face.representative_point().coords[0]
                        what = f"the piece at {self._told(x, y)} was claimed by no area; it went to '{best}'"
                        self.out.remarks.append(Remark("M006", what, self._path(best)))
            if not found:
                return
            owner.update(found)

    def _told(self, x: float, y: float) -> str:
        """A place on the map as the author writes it."""
        if self._flat(self.geo):
            return f"[{x:.0f}, {y:.0f}]"
        lon, lat = self.projection.inverse(np.array([x]), np.array([y]))
        return f"[{lon[0]:.1f}, {lat[0]:.1f}]"

    def _islands(self, areas: dict[str, list[Polygon]], faces: list[Polygon]) -> dict[str, BaseGeometry]:
        """Each area's shape, specks left out; a free island near an area goes to it, a far one is left out."""
        speck = float(self.rules["drop_islands"])
        claimed = {id(face) for group in areas.values() for face in group}
        shapes = {name: shapely.union_all(group) for name, group in sorted(areas.items())}
        names = list(shapes)
        tree = shapely.STRtree(list(shapes.values()))
        extra: dict[str, list[Polygon]] = {}
        for face in faces:
            if id(face) not in claimed and face.area >= speck:
                near = tree.query_nearest(face, max_distance=self.rules["reach"])
                if len(near):
                    extra.setdefault(names[int(near[0])], []).append(face)
        out = {}
        for name, shape in shapes.items():
            parts = _polygons(shapely.union_all([shape, *extra.get(name, ())]))
            biggest = max(p.area for p in parts)
            out[name] = MultiPolygon([p for p in parts if p.area >= min(speck, biggest)])
        return out

    # -- sea ----------------------------------------------------------------------------------------------------

    def _sea(self, water: BaseGeometry) -> None:
        lines: list[BaseGeometry] = []
        for name, data in self.geo["sea_lines"].items():
            lines += _lines(self._line(name, data))
        lines = [water.boundary, *lines]
        faces = self._pieces(lines, water)
        wanted = {**self.geo["zones"], **self.geo.get("voids", {})}
        zones = self._assign(faces, wanted)
        self._stray_water(zones, faces)
        shapes = {name: shapely.union_all(group) for name, group in zones.items()}
        self._keep({n: s for n, s in shapes.items() if n in self.geo["zones"]}, "zone")
        for name, data in {**self.geo.get("voids", {}), LAKES: {"kind": "lake"}}.items():
            if name in shapes:
                self._keep({name: shapes[name]}, str(data["kind"]))

    def _stray_water(self, zones: dict[str, list[Polygon]], faces: list[Polygon]) -> None:
        """Closed-off water: a lagoon or pinched strait close to a zone belongs to it, any other is a lake."""
        claimed = {id(face) for group in zones.values() for face in group}
        names = list(zones)
        tree = shapely.STRtree([shapely.union_all(zones[name]) for name in names])
        for face in faces:
            if id(face) not in claimed:
                near = tree.query_nearest(face, max_distance=float(self.rules["generalise"]) * 2)
                zones.setdefault(names[int(near[0])] if len(near) else LAKES, []).append(face)

    def _keep(self, shapes: Mapping[str, BaseGeometry], kind: str) -> None:
        for name, shape in shapes.items():
            self.out.shapes[name] = shape
            self.out.kinds[name] = kind


def _apart(parts: Sequence[BaseGeometry], straits: bool) -> BaseGeometry:
    """All parts; with `straits` cut back where two came to overlap, so that islands that grew stay islands."""
    if not straits:
        return shapely.union_all(list(parts))
    tree = shapely.STRtree(parts)
    pairs = [
        (i, int(j)) for i, part in enumerate(parts) for j in tree.query(part, "intersects") if int(j) > i
    ]
    shared = [parts[i].intersection(parts[j]).buffer(1.5) for i, j in pairs]
    return shapely.union_all(list(parts)).difference(shapely.union_all(shared))


def _points(points: Iterable[Sequence[float]]) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in points]


def _without_ponds(polygon: Polygon, at_least: float) -> Polygon:
    return Polygon(polygon.exterior, [ring for ring in polygon.interiors if Polygon(ring).area >= at_least])


def _polygons(geometry: BaseGeometry) -> list[Polygon]:
    return [p for p in shapely.get_parts(geometry) if isinstance(p, Polygon) and not p.is_empty]


def _lines(geometry: BaseGeometry) -> list[LineString]:
    merged = shapely.line_merge(geometry)
    return [p for p in shapely.get_parts(merged) if isinstance(p, LineString) and not p.is_empty]


def _faces(lines: Iterable[BaseGeometry], inside: BaseGeometry) -> list[Polygon]:
    """The cells that the lines cut out of a shape."""
    noded = shapely.union_all(list(lines), grid_size=GRID)
    shapely.prepare(inside)
    return [f for f in polygonize(shapely.get_parts(noded)) if inside.contains(f.representative_point())]


def _best_neighbour(
    i: int, face: Polygon, owner: Mapping[int, str], faces: list[Polygon], tree: Any
) -> str | None:
    shared: dict[str, float] = {}
    for j in tree.query(face):
        if int(j) != i and int(j) in owner:
            length = face.boundary.intersection(faces[int(j)].boundary).length
            if length > 0.05:
                shared[owner[int(j)]] = shared.get(owner[int(j)], 0) + length
    return max(sorted(shared), key=lambda name: shared[name]) if shared else None
