"""One hex map's geo file + Natural Earth + heights → the draft of its text files and its drawing data.

In: the geo file's value, the map's grid, the layers and the height grid. Out: a `Draft` (plain values ready to be written) and
remarks (code and words) for the author. Nothing is read or written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import shapely  # type: ignore[import-untyped]
from shapely.geometry import LineString, Polygon  # type: ignore[import-untyped]
from shapely.geometry.base import BaseGeometry  # type: ignore[import-untyped]

from compiler.geo.chains import Chains, hex_at, side_words
from compiler.geo.claims import Mask, layer_letters, ring_shape, share
from compiler.geo.classes import Facts, letters
from compiler.geo.fit import Placement, outliers, place_at, place_by_points, residuals, rms
from compiler.geo.globe import Globe, inside, middle, tiles
from compiler.geo.hexgrid import number_of, rows, sheet_entry
from compiler.geo.natural import Layers
from compiler.geo.project import Floats
from compiler.geo.relief import heights_at, light
from compiler.geo.warp import no_warp, off_centre, warp_into
from compiler.geo.ways import Ways
from compiler.grid.hexes import hexside
from compiler.grid.hexmap import HexMap

Geo = Mapping[str, Any]
Remarks = list[tuple[str, str]]
FAR = 1.5  # hexes: a control point that the warp moves further needs a reason
INLAND_SEA = 10.0  # square degrees: water inside the land that is larger is sea
SPECK = 0.0004  # hexes squared: land that nobody would see
PEN = 0.005  # hexes: how far a drawn coast may lie from the true one
PROJECTION = (
    "laea"  # unless the geo file has another: good for a theatre anywhere, poles and equator included
)


@dataclass(frozen=True)
class Draft:
    """The map's part file, the coasts of its hexes, and its relief (none without heights)."""

    hexes: dict[str, Any]
    coast: dict[str, Any]
    relief: dict[str, Any] | None


@dataclass
class Drafter:
    """One run. The steps are attributes that are worked out when first asked for."""

    geo: Geo
    map: HexMap
    layers: Layers
    heights: tuple[Floats, Floats, Floats] | None
    remarks: Remarks = field(default_factory=list)

    def run(self) -> Draft:
        sheets = [self._sheet(n, sheet) for n, sheet in enumerate(self.geo["sheets"])]
        hexes: dict[str, Any] = {
            "note": self._note(),
            "source": {
                "project": "drawn by vmodc geo from Natural Earth and ETOPO5 (public domain); see the geo file"
            },
            "sheets": sheets,
            "spaces": self._spaces(),
            "sides": [*self._rivers(), *self._sea_sides()],
        }
        hexes["lines"] = self._lines()
        return Draft(hexes, self._coast(), self._relief())

    # -- where the map lies -------------------------------------------------------------------------------------------

    @cached_property
    def control(self) -> list[Geo]:
        return list(self.geo.get("control", ()))

    @cached_property
    def globe(self) -> Globe:
        if not self.control:
            placement = self._by_scale()
            self.judged.append(f"Placed by scale, {self.geo['hex_km']} km a hex; {_settings(placement)}")
            return Globe(self.map, placement, no_warp())
        lonlat, target = self._control_points()
        raw = self._projection(*(float(v) for v in lonlat.mean(axis=0)))
        free = raw.pop("fit", ())
        placement = place_by_points(raw, float(self.geo["hex_km"]), free, lonlat, target)
        points = placement.forward(lonlat[:, 0], lonlat[:, 1])
        warp = warp_into(points, target, self.map.shape) if self.geo.get("warp", True) else no_warp()
        globe = Globe(self.map, placement, warp)
        self._judge(globe, lonlat, target)
        return globe

    def _projection(self, lon: float, lat: float) -> dict[str, Any]:
        """The geo file's projection, about this point unless it says otherwise."""
        return {"proj": PROJECTION, "lon_0": lon, "lat_0": lat, **self.geo.get("projection", {})}

    def _by_scale(self) -> Placement:
        at = self.geo["at"]
        lon, lat = (float(v) for v in at["at"])
        raw = self._projection(lon, lat)
        raw.pop("fit", None)
        where = self._middle(self._hex(at["hex"]))
        return place_at(raw, float(self.geo["hex_km"]), lon, lat, where, float(at.get("turn", 0)))

    def _control_points(self) -> tuple[Floats, Floats]:
        lonlat = np.array([[float(v) for v in point["at"]] for point in self.control])
        target = np.array([self._middle(self._hex(point["hex"])) for point in self.control])
        return lonlat, target

    def _hex(self, id: str) -> int:
        return number_of(self.map, id)

    def _middle(self, number: int) -> Floats:
        return np.asarray(middle(self.map.shape, [self.map.hexes[number]])[0])

    @cached_property
    def judged(self) -> list[str]:
        """The residuals in words; filled when the globe is placed."""
        return []

    def _judge(self, globe: Globe, lonlat: Floats, target: Floats) -> None:
        before = residuals(globe.placement, lonlat, target)
        put = globe.placement.forward(lonlat[:, 0], lonlat[:, 1])
        there = globe.warp.forward(put)
        after, moved = np.linalg.norm(there - target, axis=1), np.linalg.norm(there - put, axis=1)
        out = off_centre(there - target, self.map.shape)
        self.judged.append(
            f"{len(before)} control points; RMS {rms(before):.2f} hexes before the warp, {rms(after):.2f} after; "
            f"a hex is {globe.placement.km_a_hex:.1f} km by the fit; {_settings(globe.placement)}"
        )
        far = [n for n in range(len(moved)) if moved[n] > FAR]
        told = [
            f"{self.control[n].get('name', self.control[n]['hex'])} ({self.control[n].get('reason', 'no reason given')})"
            for n in far
        ]
        self.judged.append(f"Moved by the warp over {FAR} hexes: {'; '.join(told) or 'none'}.")
        wild = set(outliers(before))
        for n, point in enumerate(self.control):
            self._judge_point(point, before[n], after[n], moved[n], n in wild, out[n] >= 1)
        if globe.warp.folds(globe.middles):
            self.remarks.append(("M024", "the warp folds the map: two control points contradict each other"))

    def _judge_point(
        self, point: Geo, before: float, after: float, moved: float, wild: bool, outside: bool
    ) -> None:
        name = f"{point['hex']} {point.get('name', '')}".strip()
        reason = point.get("reason")
        why = f" ({reason})" if reason else ""
        self.judged.append(f"{name}: {before:.2f} before, {after:.2f} after, moved {moved:.2f}{why}")
        if wild:
            words = f"'{name}' lies {before:.2f} hexes off, far more than the others: check its hex and its coordinates"
            self.remarks.append(("M020", words))
        if moved > FAR and not reason:
            self.remarks.append(("M021", f"'{name}' is moved by {moved:.2f} hexes; give it a 'reason'"))
        if outside:
            self.remarks.append(("M022", f"'{name}' does not come to stand in its hex"))

    def _note(self) -> list[str]:
        _ = self.globe
        head = "Draft of `vmodc geo`. Letters, places, hexsides and lines may be changed by hand: a later run keeps such changes."
        return [head, *self.judged]

    # -- land and height ----------------------------------------------------------------------------------------------

    @cached_property
    def world_land(self) -> list[BaseGeometry]:
        extra = self.geo.get("land", {})
        shapes = [feature.shape for feature in self.layers.read("land")]
        land = self.globe.seen(shapes)
        if extra.get("drop"):
            gone = ring_shape(extra["drop"])
            land = [shapely.make_valid(shape).difference(gone) for shape in land]
        land = [_filled(shape) for shape in land] if extra.get("fill", True) else land
        return [*land, *([ring_shape(extra["add"])] if extra.get("add") else [])]

    @cached_property
    def land(self) -> BaseGeometry:
        """The land in the plane, lakes cut out of it."""
        return self.globe.bend(self.world_land).difference(self.lakes)

    @cached_property
    def lakes(self) -> BaseGeometry:
        """The lakes that the geo file names (as Natural Earth has them inside the ring, else the ring itself), and large ones."""
        water = self._natural_lakes()
        rings = [ring_shape(ring) for ring in self.geo.get("lakes", {}).values()]
        real = [ring.intersection(water) for ring in rings]
        named = [r if r.area > 0.05 * ring.area else ring for r, ring in zip(real, rings, strict=True)]
        if "lakes_above" not in self.geo:
            return self.globe.bend(named)
        least = float(self.geo["lakes_above"]) * float(self.globe.outlines[0].area)
        bent = self.globe.bend([*shapely.get_parts(water), *named])
        return shapely.union_all([part for part in shapely.get_parts(bent) if part.area >= least])

    def _natural_lakes(self) -> BaseGeometry:
        """Lakes of Natural Earth: holes in its land, and its own layer of lakes where there is one."""
        holes = [hole for f in self.layers.read("land") for hole in _holes(self.globe.seen([f.shape]))]
        shapes = [f.shape for f in self.layers.read("lakes", needed=False)] if self._wants_lakes else []
        return shapely.union_all([*holes, *(shapely.make_valid(s) for s in self.globe.seen(shapes))])

    @property
    def _wants_lakes(self) -> bool:
        return bool(self.geo.get("lakes")) or "lakes_above" in self.geo

    @cached_property
    def pieces(self) -> list[BaseGeometry]:
        """What of each hex is land."""
        parts = tiles(self.land, self.globe.frame)
        return [inside(outline, parts) for outline in self.globe.outlines]

    @cached_property
    def facts(self) -> Facts:
        lon, lat = self.globe.samples
        size = float(self.globe.outlines[0].area)
        land = np.clip(shapely.area(np.array(self.pieces, dtype=object)) / size, 0, 1)
        lakes = tiles(self.lakes, self.globe.frame)
        lake = shapely.area(np.array([inside(o, lakes) for o in self.globe.outlines], dtype=object)) / size
        height, rough = self._height(lon, lat, land)
        named = {
            name: share(ring_shape(ring), self.globe) for name, ring in self.geo.get("outlines", {}).items()
        }
        return Facts(land, np.asarray(lake), height, rough, lon.mean(axis=1), lat.mean(axis=1), named)

    def _height(self, lon: Floats, lat: Floats, land: Floats) -> tuple[Floats, Floats]:
        """Mean and spread over the land; of a coast only what is above the sea counts."""
        if self.heights is None:
            return np.zeros(len(land)), np.zeros(len(land))
        at = heights_at(self.heights, lon.ravel(), lat.ravel()).reshape(lon.shape)
        dry = (at > 0) | (land > 0.97)[:, None]
        kept = np.where(dry, at, 0.0)
        count = np.maximum(dry.sum(axis=1), 1)
        mean = kept.sum(axis=1) / count
        spread = np.sqrt(np.where(dry, (at - mean[:, None]) ** 2, 0.0).sum(axis=1) / count)
        return mean, spread

    @cached_property
    def letters(self) -> list[str]:
        forced = {self._hex(p["hex"]): str(p["on"]) for p in self.control if "on" in p}
        forced |= {n: str(p["on"]) for n, p in self.placed if "on" in p and n not in forced}
        out = letters(self.facts, self.geo["terrain"], forced)
        lost = [self.map.ids[n] for n, letter in enumerate(out) if letter == "?"]
        if lost:
            more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
            words = (
                f"no class of terrain fits {', '.join(lost[:3])}{more}: let the last class have no condition"
            )
            self.remarks.append(("M023", words))
        return out

    @cached_property
    def wet(self) -> frozenset[int]:
        terrain = self.geo["terrain"]
        water = {terrain["sea"], *(e["letter"] for e in terrain["classes"] if e.get("wet"))}
        return frozenset(n for n, letter in enumerate(self.letters) if letter in water)

    # -- what the file says -------------------------------------------------------------------------------------------

    def _sheet(self, number: int, sheet: Geo) -> dict[str, Any]:
        drawn = self.map.sheets[number]
        out = {**sheet_entry(sheet), "terrain": rows(self.map, drawn, self.letters)}
        layers = {name: rows(self.map, drawn, cells, ".") for name, cells in self.layer_cells.items()}
        return {**out, "layers": layers} if layers else out

    @cached_property
    def layer_cells(self) -> dict[str, list[str]]:
        out = {}
        for name, entry in self.geo.get("layers", {}).items():
            borders = self.layers.read("borders") if entry.get("borders", True) else []
            wanted = self._only(entry.get("of", "all"))
            cells, wrong = layer_letters(entry, self.globe, wanted, self.world_land, borders)
            self.remarks += [(code, f"layer '{name}': {words}") for code, words in wrong]
            out[name] = cells
        return out

    def _only(self, of: str) -> Mask:
        """The hexes of a layer that is on land only, or on water only (coasts are both)."""
        high = self.geo["terrain"].get("coast", (0.03, 0.97))[1]
        land = np.array([n not in self.wet for n in range(len(self.map))])
        water = (self.facts.land <= high) | ~land
        masks: dict[str, Mask] = {"land": land, "water": water}
        return masks.get(of, np.ones(len(land), dtype=bool))

    @cached_property
    def placed(self) -> list[tuple[int, Geo]]:
        """The geo file's places with the hexes they lie in, then towns of Natural Earth; those outside the map are told."""
        out: list[tuple[int, Geo]] = []
        for place in self.geo.get("places", ()):
            number = self._hex(place["hex"]) if "hex" in place else self._spot(place["at"])
            if number is None:
                self.remarks.append(("M025", f"'{place.get('name', place['at'])}' lies outside the map"))
            else:
                out.append((number, place))
        return [*out, *self._towns({n for n, _ in out} | {self._hex(p["hex"]) for p in self.control})]

    def _spot(self, at: Iterable[float]) -> int | None:
        """The hex in which a point of the world lies."""
        x, y = self.globe.to_plane(*(np.array([float(v)]) for v in at))[0]
        return self.map.where.get((0, *hex_at(self.map.shape, x, y)))

    def _towns(self, taken: set[int]) -> Iterator[tuple[int, Geo]]:
        """Towns of Natural Earth by the number of their people, the largest first, one a hex."""
        wanted = self.geo.get("towns", ())
        west, south, east, north = self.globe.window if wanted else (0.0, 0.0, 0.0, 0.0)
        found = [
            (float(f.values.get("pop_max") or 0), f) for f in (self.layers.read("places") if wanted else ())
        ]
        for people, feature in sorted(found, key=lambda item: -item[0]):
            lon, lat = feature.shape.x, feature.shape.y
            lon = next((lon + turn for turn in (-360, 0, 360) if west <= lon + turn <= east), None)
            entry = next((e for e in wanted if people >= e.get("people_above", 0)), None)
            if lon is None or not south <= lat <= north or entry is None:
                continue
            number = self._spot((lon, lat))
            if number is not None and number not in taken:
                taken.add(number)
                name = str(feature.values.get("name") or "")
                name = str(feature.values.get("nameascii")) if {"?", "\ufffd"} & set(name) else name
                yield (
                    number,
                    {"name": name, "at": (lon, lat), "on": "land", "values": entry.get("values", {})},
                )

    def _spaces(self) -> list[dict[str, Any]]:
        """Control points and places that have attributes: one entry a hex, the first named before the later ones."""
        entries: dict[int, dict[str, Any]] = {}
        listed = [(self._hex(p["hex"]), p) for p in self.control] + self.placed
        for number, place in listed:
            if "values" in place:
                values = dict(place["values"])
                if self.geo.get("names") and "name" in place:
                    values = {"name": place["name"], **values}
                entry = entries.setdefault(number, {"id": self.map.ids[number]})
                clash = [k for k in values if k in entry]
                entry |= {k: v for k, v in values.items() if k not in entry}
                if clash:
                    name = place.get("name", place["at"])
                    words = f"'{name}' shares {self.map.ids[number]} with another place; its {', '.join(clash)} is not used"
                    self.remarks.append(("M026", words))
        return list(entries.values())

    # -- hexsides -----------------------------------------------------------------------------------------------------

    def _rivers(self) -> list[dict[str, Any]]:
        chains = Chains(self.map, self.wet)
        out = []
        for wanted in self.geo.get("rivers", ()):
            for course in self._courses(wanted):
                for piece in chains.snap(course):
                    if len(piece) >= wanted.get("at_least", 1):
                        entry = {k: wanted[k] for k in ("kind", "id") if k in wanted}
                        out.append(entry | {"path": side_words(self.map, piece)})
        return out

    def _courses(self, wanted: Geo) -> Iterable[LineString]:
        if "points" in wanted:
            lines = [LineString(wanted["points"])]
        else:
            lines = [f.shape for f in self.layers.read("rivers") if _is_wanted(f.values, wanted)]
        low, high = self.globe.frame.bounds[:2], self.globe.frame.bounds[2:]
        near = shapely.box(*np.array(low) + 1, *np.array(high) - 1)
        bent = self.globe.bend(lines).intersection(near).intersection(self.shore)
        merged = shapely.line_merge(bent) if not bent.is_empty else bent
        parts = [p for p in shapely.get_parts(merged) if p.geom_type == "LineString"]
        return sorted((p for p in parts if p.length > 0.5), key=lambda p: (-p.length, p.coords[0]))

    @cached_property
    def shore(self) -> BaseGeometry:
        """The land, lakes and a little of the sea: a river's mouth may lie a step outside a coast drawn elsewhere."""
        return shapely.simplify(self.land.union(self.lakes), 0.05).buffer(0.3, quad_segs=3)

    def _sea_sides(self) -> list[dict[str, Any]]:
        """Hexsides between two hexes with land along which there is next to none: open sea, or a lake."""
        out = []
        for name, pairs in (("sea_sides", self.open_sea), ("lake_sides", self.open_lake)):
            found = [hexside(self.map.hexes[a], self._heading(a, b)) for a, b in sorted(pairs)]
            if found:
                out.append({"kind": self.geo[name]["kind"], "at": side_words(self.map, found)})
        return out

    def _heading(self, a: int, b: int) -> int:
        return next(d for d in range(6) if self.map.neighbours[6 * a + d] == b)

    @cached_property
    def open_sea(self) -> frozenset[tuple[int, int]]:
        return self._open("sea_sides", self.land.union(self.lakes))

    @cached_property
    def open_lake(self) -> frozenset[tuple[int, int]]:
        return self._open("lake_sides", self.land) - self.open_sea

    def _open(self, name: str, dry: BaseGeometry) -> frozenset[tuple[int, int]]:
        if name not in self.geo:
            return frozenset()
        limit, parts = float(self.geo[name]["land_below"]), tiles(dry, self.globe.frame)
        out = set()
        for _, a, b in self.map.inner_sides():
            if a in self.wet or b in self.wet or max(self.facts.land[a], self.facts.land[b]) > 0.99:
                continue
            both = self.globe.outlines[a].buffer(0.001).intersection(self.globe.outlines[b].buffer(0.001))
            if inside(both, parts).area < limit * both.area:
                out.add((a, b))
        return frozenset(out)

    # -- lines --------------------------------------------------------------------------------------------------------

    def _lines(self) -> list[dict[str, Any]]:
        ways = Ways(self.map, self.globe.middles, self.wet, self.open_sea | self.open_lake)
        out = []
        for wanted in self.geo.get("lines", ()):
            name = str(wanted.get("id", wanted["kind"]))
            stops = list(self._stops(wanted["via"], name))
            if len(stops) < 2:  # what is missing was told
                continue
            runs = ways.route(wanted["kind"], stops)
            if runs is None:
                self.remarks.append(("M027", f"no way over land for the line '{name}'"))
                continue
            entry = {k: v for k, v in wanted.items() if k != "via"}
            out += [entry | {"path": " ".join(self.map.ids[n] for n in run)} for run in runs]
        return out

    def _stops(self, via: Iterable[Any], name: str) -> Iterator[int]:
        """The hexes a line is told to go through; what lies outside the map is told and left out."""
        last = None
        for stop in via:
            number = self._stop(stop)
            if number is None:
                self.remarks.append(
                    ("M025", f"the line '{name}' goes through {stop}, which is no hex of the map")
                )
            elif number != last:
                yield number
                last = number

    def _stop(self, stop: Any) -> int | None:
        if isinstance(stop, str):
            return self.stops.get(stop, self.map.index.get(stop))
        return self._spot(stop)

    @cached_property
    def stops(self) -> dict[str, int]:
        named = [(p["name"], n) for n, p in self.placed if "name" in p]
        return dict(named) | {p["name"]: self._hex(p["hex"]) for p in self.control if "name" in p}

    # -- for the drawing ----------------------------------------------------------------------------------------------

    def _coast(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for n, piece in enumerate(self.pieces):
            if n in self.coasts or (n in self.wet and piece.area > SPECK * 4):
                out[self.map.ids[n]] = _rings(piece, self.globe.middles[n])
        return {
            "note": "Land inside each hex of the coast, from Natural Earth (public domain). Written by `vmodc geo`.",
            "hexes": out,
        }

    @cached_property
    def coasts(self) -> frozenset[int]:
        """The hexes whose letter is one of a coast, or of a lake's shore."""
        classes = self.geo["terrain"]["classes"]
        marks = {e["coast"] for e in classes if "coast" in e}
        marks |= {e["letter"] for e in classes if "lake_above" in e}
        return frozenset(n for n, letter in enumerate(self.letters) if letter in marks)

    def _relief(self) -> dict[str, Any] | None:
        wanted = self.geo.get("relief")
        if self.heights is None or not wanted:
            return None
        cell = float(wanted.get("cell", 25)) / 100
        low, high = self.globe.middles.min(axis=0) - 0.75, self.globe.middles.max(axis=0) + 0.75
        x, y = np.arange(low[0] + cell / 2, high[0], cell), np.arange(low[1] + cell / 2, high[1], cell)
        xx, yy = np.meshgrid(x, y)
        lon, lat = self.globe.to_world(np.stack([xx.ravel(), yy.ravel()], axis=1))
        grid = heights_at(self.heights, lon, lat)
        grid[~self._near(np.stack([xx.ravel(), yy.ravel()], axis=1))] = (
            0.0  # nobody looks beyond the map's edge
        )
        grid = grid.reshape(xx.shape)
        left, top = (low - self.globe.middles[0]) * 100
        return {
            "note": "Light and shadow, one letter a cell: a deep shadow, i flat, q full light. Written by `vmodc geo`.",
            "origin": self.map.ids[0], "left": round(float(left), 1), "top": round(float(top), 1),
            "cell": round(cell * 100, 2), "rows": light(grid, float(wanted.get("steep", 300))),
        }  # fmt: skip

    def _near(self, points: Floats) -> Mask:
        """Which points of the plane lie on the map, or not farther from it than a hex."""
        hexes = np.array(self.map.hexes)
        ring = np.array([(0, 0), (1, 0), (0, 1), (1, -1), (-1, 0), (0, -1), (-1, 1)])
        known = (hexes[:, None, :] + ring[None, :, :]).reshape(-1, 2)
        low = known.min(axis=0)
        size = known.max(axis=0) - low + 1
        marked = np.zeros(size, dtype=bool)
        marked[tuple((known - low).T)] = True
        at = np.array([hex_at(self.map.shape, float(x), float(y)) for x, y in points]) - low
        inside = ((at >= 0) & (at < size)).all(axis=1)
        out = np.zeros(len(points), dtype=bool)
        out[inside] = marked[tuple(at[inside].T)]
        return out


def _holes(shapes: Iterable[BaseGeometry]) -> list[BaseGeometry]:
    """Water inside the land: what is small enough to be a lake."""
    rings = [Polygon(ring) for s in shapes for p in _polygons(s) for ring in p.interiors]
    return [ring for ring in rings if ring.area < INLAND_SEA]


def _filled(shape: BaseGeometry) -> BaseGeometry:
    """Land without its lakes; reservoirs of today vanish with them."""
    return shapely.union_all([shape, *_holes([shape])])


def _polygons(shape: BaseGeometry) -> list[Polygon]:
    return [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon"]


def _settings(placement: Placement) -> str:
    return "projection " + " ".join(f"+{k}={v}" for k, v in placement.settings.items())


def _is_wanted(values: Mapping[str, Any], wanted: Geo) -> bool:
    if values.get("featurecla") not in ("River", "Lake Centerline", "Canal"):
        return False
    if "names" in wanted:
        return bool(values.get("name") in wanted["names"])
    return bool(float(values.get("scalerank") or 99) <= wanted["rank_at_most"])


def _rings(piece: BaseGeometry, centre: Floats) -> list[list[list[float]]]:
    thin = shapely.simplify(piece, PEN)
    out = []
    for part in shapely.get_parts(thin):
        if part.geom_type == "Polygon" and part.area > SPECK:
            for ring in (part.exterior, *part.interiors):
                points = (np.array(ring.coords[:-1]) - centre) * 100
                out.append([[round(float(x), 1), round(float(y), 1)] for x, y in points])
    return out
