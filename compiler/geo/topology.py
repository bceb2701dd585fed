"""Shapes that cover the sheet → named arcs: every border stored once, each area a list of arcs.

An arc is the border between exactly two neighbours (or a neighbour and the sheet's edge) from one meeting point to the
next. Its name says whose border it is: `fen|moor`, numbered from the top left when there are several.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import shapely  # type: ignore[import-untyped]
from shapely.geometry import Polygon  # type: ignore[import-untyped]
from shapely.geometry.base import BaseGeometry  # type: ignore[import-untyped]

XY = tuple[float, float]
Edge = tuple[XY, XY]
EDGE_OF_SHEET = "edge"


def simplify(
    shapes: Mapping[str, BaseGeometry], tolerance: float, digits: int = 1
) -> dict[str, BaseGeometry]:
    """All shapes with fewer points, neighbours still meeting exactly, on a raster of 0.1."""
    names = list(shapes)
    thin = shapely.coverage_simplify([shapes[n] for n in names], tolerance * 2, simplify_boundary=True)
    return dict(zip(names, thin, strict=True))


def arcs_of(shapes: Mapping[str, BaseGeometry]) -> tuple[dict[str, list[XY]], dict[str, list[list[str]]]]:
    """(arcs by name, rings by area): a ring is a list of arc names, `-name` for one walked backwards."""
    rings = {name: _rings(shape) for name, shape in sorted(shapes.items())}
    sides: dict[Edge, str] = {}
    for name, group in rings.items():
        for ring in group:
            for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
                sides[(a, b)] = name
    nodes = _nodes(sides)
    chains: dict[tuple[XY, ...], tuple[str, str]] = {}
    walks = {name: [_chains(ring, nodes, sides) for ring in group] for name, group in rings.items()}
    for name, walked in walks.items():
        for ring_chains in walked:
            for chain in ring_chains:
                key = _canonical(chain)
                other = sides.get((chain[1], chain[0]), EDGE_OF_SHEET)
                chains[key] = (name, other) if other == EDGE_OF_SHEET or name < other else (other, name)
    names = _names(chains)
    arcs = {names[key]: list(key) for key in sorted(chains, key=lambda k: _order(names[k]))}
    areas = {
        name: [
            [names[c] if _canonical(c) == c else "-" + names[_canonical(c)] for c in ring] for ring in group
        ]
        for name, group in walks.items()
    }
    return arcs, areas


def _order(name: str) -> tuple[str, int]:
    base, _, number = name.partition(".")
    return base, int(number or 0)


def _rings(shape: BaseGeometry) -> list[list[XY]]:
    out = []
    for part in shapely.get_parts(shape):
        if isinstance(part, Polygon):
            part = shapely.orient_polygons(part)
            for ring in (part.exterior, *part.interiors):
                points = [(round(x, 1), round(y, 1)) for x, y in ring.coords[:-1]]
                clean = [p for p, q in zip(points, points[1:] + points[:1], strict=True) if p != q]
                if len(clean) >= 3:
                    out.append(clean)
    return out


def _nodes(sides: Mapping[Edge, str]) -> set[XY]:
    """Points where an arc must end: where the pair of neighbours changes, or more than two borders meet."""
    touching: dict[XY, set[frozenset[str]]] = defaultdict(set)
    degree: dict[XY, set[XY]] = defaultdict(set)
    for (a, b), name in sides.items():
        pair = frozenset((name, sides.get((b, a), EDGE_OF_SHEET)))
        for point, other in ((a, b), (b, a)):
            touching[point].add(pair)
            degree[point].add(other)
    return {p for p in touching if len(touching[p]) > 1 or len(degree[p]) > 2}


def _chains(ring: list[XY], nodes: set[XY], sides: Mapping[Edge, str]) -> list[tuple[XY, ...]]:
    starts = [i for i, p in enumerate(ring) if p in nodes]
    if not starts:
        k = ring.index(min(ring))
        turned = ring[k:] + ring[:k]
        return [(*turned, turned[0])]
    out = []
    for a, b in zip(starts, [*starts[1:], starts[0] + len(ring)], strict=True):
        out.append(tuple(ring[i % len(ring)] for i in range(a, b + 1)))
    return out


def _canonical(chain: tuple[XY, ...]) -> tuple[XY, ...]:
    return min(chain, tuple(reversed(chain)))


def _names(chains: Mapping[tuple[XY, ...], tuple[str, str]]) -> dict[tuple[XY, ...], str]:
    groups: dict[tuple[str, str], list[tuple[XY, ...]]] = defaultdict(list)
    for chain, pair in chains.items():
        groups[pair].append(chain)
    out = {}
    for (a, b), group in groups.items():
        group.sort(key=lambda c: min((y, x) for x, y in c))
        for number, chain in enumerate(group, 1):
            out[chain] = f"{a}|{b}" if len(group) == 1 else f"{a}|{b}.{number}"
    return out
