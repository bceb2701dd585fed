"""Control points → where the hexes lie on the globe: a projection, a turn, a scale and a shift, by least squares.

In: the projection as the geo file has it, control points (longitude, latitude, and the middle of the hex that the author
says they lie in). Out: a `Placement`, which turns longitude and latitude into the plane of the hexes and back, and the
residual of each point. The plane's unit is the distance between opposite hexsides; y grows downwards.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from pyproj import Proj

from compiler.geo.project import Floats

ROUNDS = 40  # of the search for the projection's own numbers
OUTLIER = 2.5  # times the root mean square of the others


@dataclass(frozen=True)
class Placement:
    """`settings` are PROJ's; a point (u, v) in hexes of `km` lies at turn and scale (a, b) and shift (x, y)."""

    settings: Mapping[str, Any]
    km: float
    a: float = 1.0
    b: float = 0.0
    x: float = 0.0
    y: float = 0.0

    def flat(self, lon: Floats, lat: Floats) -> Floats:
        """Projected, in hexes, y downwards, before turn and shift."""
        u, v = Proj(**self.settings)(lon, lat)
        return np.stack([np.asarray(u), -np.asarray(v)], axis=-1) / (1000 * self.km)

    def forward(self, lon: Floats, lat: Floats) -> Floats:
        u, v = self.flat(lon, lat).T
        return np.stack([self.a * u - self.b * v + self.x, self.b * u + self.a * v + self.y], axis=-1)

    def inverse(self, xy: Floats) -> tuple[Floats, Floats]:
        x, y = xy[:, 0] - self.x, xy[:, 1] - self.y
        size = self.a**2 + self.b**2
        u, v = (self.a * x + self.b * y) / size, (self.a * y - self.b * x) / size
        lon, lat = Proj(**self.settings)(u * 1000 * self.km, -v * 1000 * self.km, inverse=True)
        return np.asarray(lon), np.asarray(lat)

    @property
    def km_a_hex(self) -> float:
        """What a hex really measures: the stated scale, corrected by the fit."""
        return self.km / math.hypot(self.a, self.b)


def place_at(
    settings: Mapping[str, Any], km: float, lon: float, lat: float, at: Floats, turn: float
) -> Placement:
    """The map by projection and scale alone: one known hex, turned clockwise by some degrees."""
    angle = math.radians(turn)
    raw = Placement(settings, km, math.cos(angle), math.sin(angle))
    off = at - raw.forward(np.array([lon]), np.array([lat]))[0]
    return replace(raw, x=float(off[0]), y=float(off[1]))


def place_by_points(
    settings: Mapping[str, Any], km: float, free: Sequence[str], lonlat: Floats, target: Floats
) -> Placement:
    """The best turn, scale and shift, and the best values of the projection's numbers that are `free`."""
    best = dict(settings)
    error = _error(best, km, lonlat, target)
    step = dict.fromkeys(free, 4.0)
    for _ in range(ROUNDS if free else 0):
        for name in free:
            tries = [{**best, name: best[name] + sign * step[name]} for sign in (-1, 1)]
            scored = [(_error(t, km, lonlat, target), n) for n, t in enumerate(tries)]
            found, n = min(scored)
            if found < error:
                best, error = tries[n], found
            else:
                step[name] /= 2
    rounded = {k: round(v, 2) if k in free else v for k, v in best.items()}
    return _solve(rounded, km, lonlat, target)


def _error(settings: Mapping[str, Any], km: float, lonlat: Floats, target: Floats) -> float:
    try:
        return rms(residuals(_solve(settings, km, lonlat, target), lonlat, target))
    except (RuntimeError, ValueError):  # PROJ refuses some numbers: that way leads nowhere
        return math.inf


def _solve(settings: Mapping[str, Any], km: float, lonlat: Floats, target: Floats) -> Placement:
    plain = Placement(settings, km)
    u, v = plain.flat(lonlat[:, 0], lonlat[:, 1]).T
    if not np.isfinite(u).all():
        raise ValueError("a control point lies outside the projection")
    one, none = np.ones_like(u), np.zeros_like(u)
    left = np.concatenate([np.stack([u, -v, one, none], 1), np.stack([v, u, none, one], 1)])
    found, *_ = np.linalg.lstsq(left, np.concatenate([target[:, 0], target[:, 1]]), rcond=None)
    a, b, x, y = (float(value) for value in found)
    return replace(plain, a=a, b=b, x=x, y=y)


def residuals(placement: Placement, lonlat: Floats, target: Floats) -> Floats:
    """How far each point lies from the middle of its hex, in hexes."""
    return np.asarray(np.linalg.norm(placement.forward(lonlat[:, 0], lonlat[:, 1]) - target, axis=1))


def rms(values: Floats) -> float:
    return float(np.sqrt(np.mean(values**2))) if len(values) else 0.0


def outliers(found: Floats) -> list[int]:
    """Points much worse than the others, and worse than a hex: a slip in the hex or in the coordinates."""
    out = []
    for n, value in enumerate(found):
        others = rms(np.delete(found, n))
        if value > 1.0 and value > OUTLIER * others:
            out.append(n)
    return out
