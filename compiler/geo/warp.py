"""A smooth warp of the plane: the geography is bent, as little as may be, until every control point stands in its hex.

In: where the control points lie after the fit, and the middles of their hexes. Out: a `Warp` (a thin plate spline), the
same for coast, rivers, borders and heights, with its inverse. The spline is the smoothest of a series that still puts
every point into its hex, so a fit that is good already is hardly changed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compiler.geo.project import Floats
from compiler.grid.hexes import Shape

INSIDE = 0.8  # of a hex's size: how far inside a point that had to be moved comes to stand
STIFF = (100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.0)
INVERSE_ROUNDS = 40
EXACT = 1e-5  # hexes: how well a point and its way back agree
CHUNK = 40_000

_ROOT = 3**0.5 / 2
NORMALS: dict[Shape, Floats] = {
    "flat": np.array([[0.0, 1.0], [_ROOT, 0.5], [_ROOT, -0.5]]),
    "pointy": np.array([[1.0, 0.0], [0.5, _ROOT], [0.5, -_ROOT]]),
}


def off_centre(off: Floats, shape: Shape) -> Floats:
    """How far out in its hex a point lies, by its offset from the middle: 0 in the middle, 1 on the hexside."""
    return np.asarray(np.abs(off @ NORMALS[shape].T).max(axis=1) * 2)


@dataclass(frozen=True)
class Warp:
    """`knots` are moved by the spline with these weights; without knots nothing is."""

    knots: Floats
    weights: Floats
    stiff: float = 0.0

    def shift(self, xy: Floats) -> Floats:
        if not len(self.knots):
            return np.zeros_like(xy)
        parts = [self._shift(xy[i : i + CHUNK]) for i in range(0, len(xy), CHUNK)]
        return np.concatenate(parts) if parts else np.zeros_like(xy)

    def _shift(self, xy: Floats) -> Floats:
        n = len(self.knots)
        bent = _kernel(xy, self.knots) @ self.weights[:n]
        return np.asarray(bent + self.weights[n] + xy @ self.weights[n + 1 :])

    def forward(self, xy: Floats) -> Floats:
        return xy + self.shift(xy)

    def inverse(self, xy: Floats) -> Floats:
        """The point that `forward` brings here, found by going back again and again."""
        at = xy - self.shift(xy)
        for _ in range(INVERSE_ROUNDS if len(self.knots) else 0):
            off = self.forward(at) - xy
            if np.abs(off).max(initial=0.0) < EXACT:
                break
            at = at - off
        return np.asarray(at)

    def folds(self, xy: Floats) -> bool:
        """Whether the plane is turned over anywhere near these points."""
        step = 0.05
        east, north = np.array([step, 0]), np.array([0, step])
        dx = (self.forward(xy + east) - self.forward(xy - east)) / (2 * step)
        dy = (self.forward(xy + north) - self.forward(xy - north)) / (2 * step)
        return bool((dx[:, 0] * dy[:, 1] - dx[:, 1] * dy[:, 0] <= 0.05).any())


def no_warp() -> Warp:
    return Warp(np.zeros((0, 2)), np.zeros((0, 2)))


def warp_into(points: Floats, middles: Floats, shape: Shape) -> Warp:
    """The smoothest spline by which every point comes to lie in its hex."""
    if len(points) < 3:
        return no_warp()
    moved = middles + _drawn_in(points - middles, shape)
    for stiff in STIFF:
        warp = _spline(points, moved - points, stiff)
        if (off_centre(warp.forward(points) - middles, shape) < 0.97).all():
            break
    return warp


def _drawn_in(off: Floats, shape: Shape) -> Floats:
    """Offsets from the middle, those too far out shortened so that they end well inside the hex."""
    out = off_centre(off, shape)
    keep = np.where(out > INSIDE, INSIDE / np.maximum(out, 1e-9), 1.0)
    return np.asarray(off * keep[:, None])


def _spline(points: Floats, shifts: Floats, stiff: float) -> Warp:
    n = len(points)
    left = np.zeros((n + 3, n + 3))
    left[:n, :n] = _kernel(points, points) + stiff * np.eye(n)
    left[:n, n], left[:n, n + 1 :] = 1.0, points
    left[n:, :n] = left[:n, n:].T
    right = np.zeros((n + 3, 2))
    right[:n] = shifts
    found, *_ = np.linalg.lstsq(left, right, rcond=None)
    return Warp(points, np.asarray(found, dtype=np.float64), stiff)


def _kernel(a: Floats, b: Floats) -> Floats:
    dx, dy = a[:, 0, None] - b[:, 0], a[:, 1, None] - b[:, 1]
    square = dx * dx + dy * dy
    return np.asarray(square * np.log(np.maximum(square, 1e-12)) / 2)
