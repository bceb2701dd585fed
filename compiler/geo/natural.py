"""Natural Earth files → shapely geometry in lon/lat.

In: a folder with `ne_10m_<layer>` (or 50m, 110m where there is no 10m) as a shapefile or GeoJSON, or the wheel that carries them. Only layers that a
geo file asks for are read. Natural Earth is in the public domain.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import shapefile  # type: ignore[import-untyped]
import shapely  # type: ignore[import-untyped]
from shapely.geometry import MultiLineString, Polygon, shape  # type: ignore[import-untyped]
from shapely.geometry.base import BaseGeometry  # type: ignore[import-untyped]

FILES = {
    "land": "land",
    "lakes": "lakes",
    "rivers": "rivers_lake_centerlines",
    "borders": "admin_0_boundary_lines_land",
    "places": "populated_places_simple",
}
SCALES = ("ne_10m_", "ne_50m_", "ne_110m_")


@dataclass(frozen=True)
class Feature:
    shape: BaseGeometry
    values: Mapping[str, Any]


def _geometry(item: Any) -> BaseGeometry:
    """A shape's geometry; polygons ring by ring (even-odd), which forgives wrongly turned holes and is quick."""
    if item.shapeType != shapefile.POLYGON:
        return shape(item.__geo_interface__)
    ends = [*item.parts[1:], len(item.points)]
    rings = [item.points[a:b] for a, b in zip(item.parts, ends, strict=True)]
    return shapely.build_area(MultiLineString(rings)) if len(rings) > 1 else Polygon(rings[0])


def _encoding(table: bytes) -> str:
    """Natural Earth's tables are UTF-8; older ones, as in the wheel, are Windows-1252."""
    try:
        table.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


class Layers:
    """The layers in a folder or in a wheel (a zip); a missing one is an empty list and is named in `missing`."""

    def __init__(self, where: Path) -> None:
        self.where = where
        self.missing: list[str] = []
        self.known: dict[str, list[Feature]] = {}

    def read(self, layer: str, *, needed: bool = True) -> list[Feature]:
        """All features of a layer, read once. One that is not needed may be missing without a word."""
        if layer not in self.known:
            found = (self._layer(scale + FILES[layer]) for scale in SCALES)
            features = next((f for f in found if f is not None), None)
            if features is None and needed:
                self.missing.append(layer)
            self.known[layer] = features or []
        return self.known[layer]

    def _layer(self, name: str) -> list[Feature] | None:
        for suffix in (".json", ".geojson"):
            raw = self._bytes(name + suffix)
            if raw is not None:
                return [Feature(shape(f["geometry"]), f["properties"]) for f in json.loads(raw)["features"]]
        shp = self._bytes(name + ".shp")
        if shp is None:
            return None
        return list(self._shapes(shp, self._bytes(name + ".dbf"), self._bytes(name + ".shx")))

    @staticmethod
    def _shapes(shp: bytes, dbf: bytes | None, shx: bytes | None) -> Iterator[Feature]:
        parts = {"shp": io.BytesIO(shp), "dbf": io.BytesIO(dbf or b""), "shx": io.BytesIO(shx or b"")}
        with shapefile.Reader(**parts, encoding=_encoding(dbf or b""), encodingErrors="replace") as reader:
            for i in range(len(reader)):  # by index: some files carry padding between shapes
                item = reader.shape(i)
                if item.shapeType != shapefile.NULL:
                    yield Feature(_geometry(item), reader.record(i).as_dict())

    def _bytes(self, name: str) -> bytes | None:
        if self.where.is_dir():
            found = sorted(self.where.rglob(name))
            return found[0].read_bytes() if found else None
        with zipfile.ZipFile(self.where) as archive:
            inside = [entry for entry in archive.namelist() if entry.rsplit("/", 1)[-1] == name]
            return archive.read(inside[0]) if inside else None
