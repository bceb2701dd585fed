"""Longitude and latitude → map units (pixels at 100 %), and back.

Two kinds of projection, both plain data: `grid` stretches the world by knots (longitudes to x for some latitudes,
latitudes to y), so that a crowded continent may be drawn larger than life; `proj` is any projection PROJ knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
TABLE_STEPS = 4001


@dataclass(frozen=True)
class Frame:
    """The picture's own rectangle: `cut` is the meridian of the left edge, which is also that of the right edge."""

    width: float
    height: float
    cut: float
    top: float
    bottom: float


class Projection(Protocol):
    """`forward` takes lon in [cut, cut + 360] and lat; `inverse` is its opposite inside the frame."""

    def forward(self, lon: Floats, lat: Floats) -> tuple[Floats, Floats]: ...

    def inverse(self, x: Floats, y: Floats) -> tuple[Floats, Floats]: ...


def smooth_table(knots: Sequence[Sequence[float]]) -> tuple[Floats, Floats]:
    """A monotone smooth curve through the knots, as a dense table: it never overshoots, so the map never folds."""
    xs, ys = (np.array(column, dtype=float) for column in zip(*knots, strict=True))
    step, slope = np.diff(xs), np.diff(ys) / np.diff(xs)
    tangent = np.empty_like(xs)
    tangent[0], tangent[-1] = slope[0], slope[-1]
    left, right = 2 * step[1:] + step[:-1], step[1:] + 2 * step[:-1]
    tangent[1:-1] = (left + right) / (left / slope[:-1] + right / slope[1:])
    at = np.linspace(xs[0], xs[-1], TABLE_STEPS)
    k = np.clip(np.searchsorted(xs, at, side="right") - 1, 0, len(step) - 1)
    t = (at - xs[k]) / step[k]
    value = (
        ys[k] * (1 + 2 * t) * (1 - t) ** 2
        + step[k] * tangent[k] * t * (1 - t) ** 2
        + ys[k + 1] * t**2 * (3 - 2 * t)
        + step[k] * tangent[k + 1] * t**2 * (t - 1)
    )
    return at, value


class GridProjection:
    """x by knots given at some latitudes (blended in between), y by knots over latitude."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        rows = sorted(data["x"], key=lambda row: row["lat"])
        self.lats = np.array([row["lat"] for row in rows], dtype=float)
        self.tables = [smooth_table(row["knots"]) for row in rows]
        self.y_table = smooth_table(sorted(data["y"]))

    def _weights(self, lat: Floats) -> list[Floats]:
        k = np.clip(np.searchsorted(self.lats, lat, side="right") - 1, 0, max(len(self.lats) - 2, 0))
        upper = np.minimum(k + 1, len(self.lats) - 1)
        gap = np.where(upper > k, self.lats[upper] - self.lats[k], 1.0)
        t = np.clip((lat - self.lats[k]) / gap, 0.0, 1.0)
        t = np.where(upper > k, t * t * (3 - 2 * t), 0.0)
        return [
            np.where(k == i, 1 - t, 0.0) + np.where(upper == i, t, 0.0) * (upper > k)
            for i in range(len(self.lats))
        ]

    def forward(self, lon: Floats, lat: Floats) -> tuple[Floats, Floats]:
        weights = self._weights(lat)
        x = sum(
            (w * np.interp(lon, *table) for w, table in zip(weights, self.tables, strict=True)),
            np.zeros_like(lon),
        )
        return x, np.interp(lat, *self.y_table)

    def inverse(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        lat = np.interp(-y, -self.y_table[1], self.y_table[0])
        lons = self.tables[0][0]
        lon = np.empty_like(lat)
        for value in np.unique(lat):
            here = lat == value
            weights = self._weights(np.array([value]))
            xs = sum(
                (w[0] * np.interp(lons, *t) for w, t in zip(weights, self.tables, strict=True)),
                np.zeros_like(lons),
            )
            lon[here] = np.interp(x[here], xs, lons)
        return lon, lat


class ProjProjection:
    """A projection of PROJ (`"proj": "mill"`), turned so that the cut meridian is the left edge, fitted to the frame."""

    def __init__(self, data: Mapping[str, Any], frame: Frame) -> None:
        from pyproj import Proj

        self.middle = frame.cut + 180
        self.proj = Proj(proj=str(data["proj"]), lon_0=0, R=1)
        left, _ = self.proj(-179.999999, 0)
        right, _ = self.proj(179.999999, 0)
        _, top = self.proj(0, frame.top)
        _, bottom = self.proj(0, frame.bottom)
        self.left, self.top = left, top
        self.kx, self.ky = frame.width / (right - left), frame.height / (top - bottom)

    def forward(self, lon: Floats, lat: Floats) -> tuple[Floats, Floats]:
        x, y = self.proj(np.clip(lon - self.middle, -179.999999, 179.999999), lat)
        return (np.asarray(x) - self.left) * self.kx, (self.top - np.asarray(y)) * self.ky

    def inverse(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        lon, lat = self.proj(x / self.kx + self.left, self.top - y / self.ky, inverse=True)
        return np.asarray(lon) + self.middle, np.asarray(lat)


def make_projection(data: Mapping[str, Any], frame: Frame) -> Projection:
    """The projection that the geo file describes."""
    return GridProjection(data) if data["kind"] == "grid" else ProjProjection(data, frame)
