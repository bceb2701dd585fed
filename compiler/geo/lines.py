"""Lines of a geo file → lines in map units: projected, wrapped round the cut meridian, smoothed or roughened."""

from __future__ import annotations

import itertools
import math
import random
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import shapely  # type: ignore[import-untyped]
from shapely.geometry import LineString, box  # type: ignore[import-untyped]
from shapely.geometry.base import BaseGeometry  # type: ignore[import-untyped]

from compiler.geo.natural import Feature
from compiler.geo.project import Floats, Frame, Projection

STEP_DEGREES = 0.25
Point = tuple[float, float]


def project_geometry(geometry: BaseGeometry, frame: Frame, projection: Projection) -> BaseGeometry:
    """A lon/lat geometry in map units: all copies of it that show inside the frame."""
    window = box(frame.cut, frame.bottom, frame.cut + 360, frame.top)
    parts = []
    for turn in (-360.0, 0.0, 360.0):
        left, low, right, high = geometry.bounds
        if (
            right + turn < frame.cut
            or left + turn > frame.cut + 360
            or high < frame.bottom
            or low > frame.top
        ):
            continue
        moved = shapely.transform(geometry, lambda xy, t=turn: xy + np.array([t, 0.0]))
        if moved.intersects(window):
            whole = window.contains(moved)
            seen = shapely.segmentize(moved if whole else moved.intersection(window), STEP_DEGREES)
            parts.append(shapely.transform(seen, lambda xy: _to_map(xy, projection)))
    return shapely.union_all(shapely.make_valid(np.array(parts, dtype=object)))


def _to_map(xy: Floats, projection: Projection) -> Floats:
    return np.stack(projection.forward(xy[:, 0], xy[:, 1]), axis=1)


def natural_borders(features: Iterable[Feature], leave_out: Sequence[Sequence[str]]) -> list[BaseGeometry]:
    """Today's borders, but for the pairs an author left out.

    `["A", "B"]` in either order, `["A", "*"]` for all of A's, `["A", "A"]` for lines inside A.
    """
    whole = {name for pair in leave_out if "*" in pair for name in pair if name != "*"}
    gone = {frozenset(pair) for pair in leave_out if "*" not in pair}

    def kept(feature: Feature) -> bool:
        names = frozenset(str(feature.values.get(side)) for side in ("adm0_left", "adm0_right"))
        return names not in gone and not names & whole

    return [feature.shape for feature in features if kept(feature)]


def drawn_line(name: str, data: Mapping[str, Any]) -> LineString:
    """One named line of the geo file, in lon/lat; `rough` makes it wander as rivers and ridges do."""
    points: list[Point] = [(float(x), float(y)) for x, y in data["points"]]
    if data.get("smooth", False):
        points = chaikin(points, 2)
    if data.get("rough", 0):
        points = wander(points, float(data["rough"]), zlib.crc32(name.encode()))
    return LineString(points)


def chaikin(points: Sequence[Point], rounds: int) -> list[Point]:
    """Corner cutting with the ends kept."""
    out = list(points)
    for _ in range(rounds):
        if len(out) < 3:
            return out
        cut = [out[0]]
        for (ax, ay), (bx, by) in itertools.pairwise(out):
            cut += [
                (ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25),
                (ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75),
            ]
        out = [*cut, out[-1]]
    return out


def wander(points: Sequence[Point], amount: float, seed: int) -> list[Point]:
    """Each segment bent by midpoint displacement; the same seed gives the same line on every machine."""
    dice = random.Random(seed)
    out = [points[0]]
    for a, b in itertools.pairwise(points):
        out += _bend(a, b, amount, dice, 4)[1:]
    return out


def _bend(a: Point, b: Point, amount: float, dice: random.Random, depth: int) -> list[Point]:
    length = math.dist(a, b)
    if depth == 0 or length < 0.25:
        return [a, b]
    shift = dice.uniform(-amount, amount)
    middle = ((a[0] + b[0]) / 2 - (b[1] - a[1]) * shift, (a[1] + b[1]) / 2 + (b[0] - a[0]) * shift)
    return _bend(a, middle, amount, dice, depth - 1)[:-1] + _bend(middle, b, amount, dice, depth - 1)


def blob(name: str, centre: Point, rx: float, ry: float) -> list[Point]:
    """A small island larger than life: an ellipse with a hand-drawn edge, the same for the same name."""
    dice = random.Random(zlib.crc32(name.encode()))
    waves = [
        (k, dice.uniform(0.015, 0.07) / math.sqrt(k), dice.uniform(0, math.tau)) for k in (2, 3, 5, 7, 11)
    ]
    ring = []
    for step in range(72):
        angle = math.tau * step / 72
        r = 1 + sum(size * math.sin(k * angle + phase) for k, size, phase in waves)
        ring.append((centre[0] + rx * r * math.cos(angle), centre[1] + ry * r * math.sin(angle)))
    return ring


def bridges(lines: Iterable[BaseGeometry], snap: float, grid: float) -> list[LineString]:
    """Short connections from each loose end to the nearest other line, so that a border nearly closed is closed."""
    parts = list(shapely.get_parts(shapely.line_merge(shapely.union_all(list(lines), grid_size=grid))))
    tree = shapely.STRtree(parts)
    ends: dict[Point, list[int]] = {}
    for i, part in enumerate(parts):
        for end in (part.coords[0], part.coords[-1]):
            ends.setdefault((end[0], end[1]), []).append(i)
    out = []
    for end, at in ends.items():
        if len(at) == 1 and parts[at[0]].length > snap / 2:
            here = shapely.Point(end)
            near = [parts[int(j)] for j in tree.query(here, "dwithin", snap) if int(j) != at[0]]
            if near:
                best = min(near, key=lambda part: part.distance(here))
                out.append(shapely.shortest_line(here, best))
    return [line for line in out if line.length > 0]
