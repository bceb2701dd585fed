"""Textures of terrain: small quiet signs strewn over hexes, always the same for the same hex.

In: the hexes of one terrain. Out: path data for each layer of the texture, in drawing order. The upper part of a hex,
where its number stands, stays free. Sizes are in parts of a hex's radius.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import atan2, pi, sqrt

from compiler.draw.hexplane import Plane, chance, sway
from compiler.draw.place import XY
from compiler.draw.scene import Item, Path, number

Marks = dict[str, list[str]]  # layer → path data


@dataclass(frozen=True, slots=True)
class Ground:
    """Hexes to be strewn: their middles, the seeds of their chance, their radius, and whether they have a flat top."""

    centres: Sequence[XY]
    hexes: Sequence[tuple[int, int]]
    radius: float
    flat: bool
    within: Mapping[int, frozenset[int]] = field(
        default_factory=dict
    )  # hex → its sixths that are strewn, if not all


def ground_of(plane: Plane, within: Mapping[int, frozenset[int]] | None = None) -> Ground:
    return Ground(plane.centres, plane.map.hexes, plane.radius, plane.map.shape == "flat", within or {})


_CHUNK = 300  # hexes a path: one path over a whole map would be slow to paint


def textured(ground: Ground, hexes: Iterable[int], look: Mapping[str, str]) -> list[Item]:
    """The texture of a look on its hexes."""
    draw = _TEXTURES.get(look.get("texture", "none"))
    if draw is None:
        return []
    out: list[Item] = []
    many = list(hexes)
    for start in range(0, len(many), _CHUNK):
        marks: Marks = {}
        for n in many[start : start + _CHUNK]:
            draw(ground, n, marks)
        out += [_painted(layer, "".join(data), look, ground.radius) for layer, data in marks.items()]
    return out


def _painted(layer: str, data: str, look: Mapping[str, str], radius: float) -> Item:
    ink, light = look["ink"], look.get("light", look["fill"])
    thin = max(0.7, radius * 0.026)
    if layer == "stroke":
        return Path(data, stroke=ink, width=thin, opacity=0.75)
    if layer == "light":
        return Path(data, fill=light, opacity=0.9)
    if layer == "outlined":
        return Path(data, fill=light, stroke=ink, width=thin * 0.8)
    return Path(data, fill=ink, opacity=0.7)


@cache
def _strewn(step: float, flat: bool, clear: bool) -> tuple[XY, ...]:
    """Points of a triangular lattice inside a hex, in radii, from top to bottom."""
    found = []
    rows = int(1 / (step * sqrt(3) / 2)) + 1
    for j in range(-rows, rows + 1):
        for i in range(-8, 9):
            x, y = (i + (j % 2) / 2) * step, j * step * sqrt(3) / 2
            a, b = (abs(x), abs(y)) if flat else (abs(y), abs(x))
            inside = b < 0.76 and a + b / sqrt(3) < 0.88
            if inside and not (clear and y < -0.42 and abs(x) < 0.44):
                found.append((x, y))
    return tuple(found)


def _sixth(x: float, y: float, flat: bool) -> int:
    """The direction in which a point lies from the middle: 0 is N of flat hexes, NW of pointy ones, and on clockwise."""
    turned = atan2(x, -y) / (pi / 3) + (0.5 if flat else 1.0)
    return int(turned // 1) % 6


def _points(ground: Ground, n: int, step: float, share: float, seed: int, *, clear: bool = True) -> list[XY]:
    """Places in one hex: a share of the lattice, each moved a little."""
    x, y = ground.centres[n]
    q, r = ground.hexes[n]
    radius = ground.radius
    sixths = ground.within.get(n)
    out = []
    for k, (dx, dy) in enumerate(_strewn(step, ground.flat, clear)):
        if chance(q, r, k, seed) < share:
            jx, jy = sway(q, r, k, seed + 1), sway(q, r, k, seed + 2)
            px, py = dx + jx * step * 0.28, dy + jy * step * 0.28
            if sixths is None or _sixth(px, py, ground.flat) in sixths:
                out.append((x + px * radius, y + py * radius))
    return out


def _disc(x: float, y: float, r: float) -> str:
    a = f"a{number(r)} {number(r)} 0 1 0 "
    return f"M{number(x - r)} {number(y)}{a}{number(2 * r)} 0{a}{number(-2 * r)} 0z"


def _trees(ground: Ground, n: int, marks: Marks, step: float = 0.27, share: float = 0.74) -> None:
    radius = ground.radius
    q, r = ground.hexes[n]
    for k, (x, y) in enumerate(_points(ground, n, step, share, 21)):
        size = radius * (0.072 + 0.03 * chance(q, r, k, 29))
        marks.setdefault("solid", []).append(_disc(x + size * 0.3, y + size * 0.35, size))
        marks.setdefault("light", []).append(_disc(x, y, size * 0.86))


def _jungle(ground: Ground, n: int, marks: Marks) -> None:
    _trees(ground, n, marks, 0.225, 0.9)


def _hills(ground: Ground, n: int, marks: Marks) -> None:
    radius = ground.radius
    q, r = ground.hexes[n]
    for k, (x, y) in enumerate(_points(ground, n, 0.42, 0.8, 31)):
        w = radius * (0.2 + 0.09 * chance(q, r, k, 39))
        h = w * 0.62
        d = f"M{number(x - w)} {number(y + h / 2)}q{number(w * 0.9)} {number(-h * 2.1)} {number(w * 2)} 0"
        marks.setdefault("light", []).append(d + "z")
        marks.setdefault("stroke", []).append(
            d + f"m{number(-w * 0.55)} {number(-h * 0.05)}l{number(-w * 0.22)} {number(-h * 0.42)}"
        )


def _rough(ground: Ground, n: int, marks: Marks) -> None:
    s = ground.radius * 0.07
    for x, y in _points(ground, n, 0.3, 0.6, 41):
        data = f"M{number(x - s)} {number(y + s)}l{number(s)} {number(-s * 1.7)}l{number(s * 1.1)} {number(s * 1.5)}"
        marks.setdefault("stroke", []).append(data)


def _peaks(ground: Ground, n: int, marks: Marks) -> None:
    radius = ground.radius
    q, r = ground.hexes[n]
    for k, (x, y) in enumerate(_points(ground, n, 0.5, 0.92, 51)):
        w = radius * (0.2 + 0.08 * chance(q, r, k, 58))
        h = w * (1.35 + 0.3 * chance(q, r, k, 59))
        lean = w * 0.25 * sway(q, r, k, 57)
        top = f"M{number(x + lean)} {number(y - h * 0.6)}"
        right = f"L{number(x + w)} {number(y + h * 0.4)}"
        marks.setdefault("outlined", []).append(f"{top}{right}L{number(x - w)} {number(y + h * 0.4)}z")
        marks.setdefault("solid", []).append(
            f"{top}{right}L{number(x + w * 0.18)} {number(y + h * 0.4)}L{number(x + lean + w * 0.16)} {number(y - h * 0.1)}z"
        )


def _tufts(ground: Ground, n: int, marks: Marks) -> None:
    s = ground.radius * 0.085
    for x, y in _points(ground, n, 0.36, 0.72, 61):
        data = f"M{number(x - s * 1.5)} {number(y)}h{number(s * 3)}M{number(x)} {number(y - s * 0.4)}v{number(-s * 1.3)}"
        data += f"M{number(x - s * 0.7)} {number(y - s * 0.4)}l{number(-s * 0.4)} {number(-s)}M{number(x + s * 0.7)} {number(y - s * 0.4)}l{number(s * 0.4)} {number(-s)}"
        marks.setdefault("stroke", []).append(data)


def _dots(ground: Ground, n: int, marks: Marks) -> None:
    s = max(0.7, ground.radius * 0.02)
    data = "".join(_disc(x, y, s) for x, y in _points(ground, n, 0.24, 0.55, 71))
    marks.setdefault("solid", []).append(data)


def _grass(ground: Ground, n: int, marks: Marks) -> None:
    s = ground.radius * 0.05
    for x, y in _points(ground, n, 0.44, 0.3, 81):
        marks.setdefault("stroke", []).append(f"M{number(x - s)} {number(y)}h{number(2 * s)}")


def _blocks(ground: Ground, n: int, marks: Marks) -> None:
    radius = ground.radius
    q, r = ground.hexes[n]
    for k, (x, y) in enumerate(_points(ground, n, 0.26, 0.85, 91)):
        w, h = (radius * (0.08 + 0.06 * chance(q, r, k, seed)) for seed in (98, 99))
        data = f"M{number(x - w)} {number(y - h)}h{number(2 * w)}v{number(2 * h)}h{number(-2 * w)}z"
        marks.setdefault("outlined", []).append(data)


def _waves(ground: Ground, n: int, marks: Marks) -> None:
    s = ground.radius * 0.11
    for x, y in _points(ground, n, 0.6, 0.16, 101):
        data = f"M{number(x - s * 1.5)} {number(y)}q{number(s * 0.75)} {number(-s * 0.7)} {number(s * 1.5)} 0t{number(s * 1.5)} 0"
        marks.setdefault("stroke", []).append(data)


_TEXTURES: dict[str, Callable[[Ground, int, Marks], None]] = {
    "trees": _trees,
    "jungle": _jungle,
    "hills": _hills,
    "rough": _rough,
    "peaks": _peaks,
    "tufts": _tufts,
    "dots": _dots,
    "grass": _grass,
    "blocks": _blocks,
    "waves": _waves,
}
TEXTURES = tuple(_TEXTURES)
