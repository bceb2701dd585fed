"""Signs in hexes: towns by size, ports, fortresses, airfields, resources and factories.

In: what a space shows. Out: items round a hex's middle, and the box that they take. Attributes may be numbers (sizes)
or true.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import cos, pi, sin
from typing import Any

from compiler.draw import fonts
from compiler.draw.colour import ink_on, mix
from compiler.draw.marks import icon
from compiler.draw.place import XY, Box
from compiler.draw.scene import Item, Path, Words, circle, polygon, polyline, rect

SIGNS = ("city", "port", "fort", "airfield", "resource", "factory")


@dataclass(frozen=True, slots=True)
class Signs:
    """What one hex shows: sign → size (1 or more). `colour` is the owner's; `shore` points to the water, if any."""

    sizes: Mapping[str, int]
    capital: bool = False
    colour: str | None = None
    shore: XY | None = None


def size_of(value: object) -> int:
    """How large a sign is: true is 1, a number itself, anything else that is something is 1."""
    if isinstance(value, bool) or value is None:
        return int(value is True)
    if isinstance(value, Decimal | int):
        return max(0, int(value))
    return 0 if value in ("", "none", "no") else 1


def draw_signs(signs: Signs, at: XY, scale: float, style: Mapping[str, Any]) -> tuple[list[Item], list[Box]]:
    """The signs of one hex round its middle, and their boxes. `scale` is 1 on hexes of 90 px."""
    out: list[Item] = []
    boxes: list[Box] = []
    x, y = at
    s = scale
    sizes = dict(signs.sizes)
    alone = "city" not in sizes and not signs.capital and "fort" not in sizes
    if not alone:
        items, box = _town(signs, at, s, style)
        out += items
        boxes.append(box)
    beside = [name for name in ("port", "airfield", "factory", "resource") if name in sizes]
    if alone and beside:
        first = beside.pop(0)
        items, box = _sign(first, sizes[first], at, s, style)
        out += items
        boxes.append(box)
    places = _places(signs.shore)
    for name, (dx, dy) in zip(beside, places, strict=False):
        items, box = _sign(name, sizes[name], (x + dx * 29 * s, y + dy * 29 * s), s, style)
        out += items
        boxes.append(box)
    return out, boxes


def _places(shore: XY | None) -> list[XY]:
    """Right and left of the middle, the side of the water first; then above."""
    right, left = (1.0, 0.0), (-1.0, 0.0)
    first = [left, right] if shore is not None and shore[0] < 0 else [right, left]
    return [*first, (0.62, -0.72), (-0.62, -0.72)]


def _town(signs: Signs, at: XY, s: float, style: Mapping[str, Any]) -> tuple[list[Item], Box]:
    x, y = at
    paint = style["symbol"]
    size = signs.sizes.get("city", 0)
    fill = signs.colour or paint["city"]
    out: list[Item] = []
    half = 8.0 * s
    if signs.sizes.get("fort"):
        half = 14.5 * s
        out.append(Path(_bastions(x, y, 14.0 * s), fill=paint["ground"], stroke=paint["fort"], width=2.2 * s))
    if signs.capital:
        out.append(Path(circle(x, y, 10.5 * s), fill=paint["ground"], stroke=paint["ink"], width=1.8 * s))
        out.append(icon("star", x, y - 0.3 * s, 19 * s, fill, stroke=paint["ink"], wide=0.9 * s))
        half = max(half, 11.5 * s)
    elif size >= 3:
        side = 17.0 * s
        out.append(
            Path(rect(x - side / 2, y - side / 2, side, side), fill=fill, stroke=paint["ink"], width=2 * s)
        )
        out.append(Path(rect(x - 3.2 * s, y - 3.2 * s, 6.4 * s, 6.4 * s), fill=ink_on(fill)))
        half = max(half, 9.5 * s)
    elif size == 2:
        out.append(Path(circle(x, y, 8.2 * s), fill=paint["ground"], stroke=paint["ink"], width=2 * s))
        out.append(Path(circle(x, y, 4.6 * s), fill=fill))
        half = max(half, 9.2 * s)
    elif size == 1:
        out.append(Path(circle(x, y, 5.6 * s), fill=fill, stroke=paint["ground"], width=3.6 * s))
        out.append(Path(circle(x, y, 5.6 * s), fill=fill, stroke=paint["ink"], width=1.5 * s))
        half = max(half, 7.2 * s)
    return out, Box(x, y, 2 * half, 2 * half)


def _bastions(x: float, y: float, r: float) -> str:
    points = []
    for k in range(12):
        away = r if k % 2 == 0 else r * 0.72
        angle = pi * k / 6 - pi / 2
        points.append((x + away * cos(angle), y + away * sin(angle)))
    return polygon([points])


def _sign(name: str, size: int, at: XY, s: float, style: Mapping[str, Any]) -> tuple[list[Item], Box]:
    x, y = at
    paint = style["symbol"]
    ink = {"port": paint["port"], "airfield": paint["air"]}.get(name, paint["ink"])
    r = 9.6 * s
    out: list[Item] = [Path(circle(x, y, r), fill=paint["ground"], stroke=ink, width=1.5 * s)]
    if name == "port":
        out.append(Path(_anchor(x, y, s), stroke=ink, width=1.9 * s))
    elif name == "airfield":
        out.append(Path(_plane(x, y, s), fill=ink))
    elif name == "factory":
        out.append(icon("factory", x, y, 11.5 * s, ink))
    else:
        out.append(
            Path(
                polygon([[(x, y - 5.4 * s), (x + 5.2 * s, y), (x, y + 5.4 * s), (x - 5.2 * s, y)]]), fill=ink
            )
        )
    if size > 1:
        badge = 5.6 * s
        bx, by = x + r * 0.86, y + r * 0.8
        out.append(Path(circle(bx, by, badge), fill=ink, stroke=paint["ground"], width=1.1 * s))
        out.append(
            Words(str(size), bx, by + 3.3 * s, fonts.SANS_BOLD, 9.6 * s, mix(paint["ground"], "#ffffff", 0.5))
        )
    return out, Box(x, y, 2 * r + 2 * s, 2 * r + 2 * s)


def _anchor(x: float, y: float, s: float) -> str:
    stock = polyline([(x - 3 * s, y - 2.4 * s), (x + 3 * s, y - 2.4 * s)])
    shank = polyline([(x, y - 3.6 * s), (x, y + 5.4 * s)])
    arms = f"M{x - 5 * s:.1f} {y + 1.6 * s:.1f}Q{x - 4.2 * s:.1f} {y + 5.4 * s:.1f} {x:.1f} {y + 5.6 * s:.1f}Q{x + 4.2 * s:.1f} {y + 5.4 * s:.1f} {x + 5 * s:.1f} {y + 1.6 * s:.1f}"
    return circle(x, y - 5 * s, 1.5 * s) + stock + shank + arms


def _plane(x: float, y: float, s: float) -> str:
    half = [
        (0.0, -6.4),
        (0.9, -5.0),
        (0.9, -1.8),
        (6.4, 1.2),
        (6.4, 2.6),
        (0.9, 1.2),
        (0.7, 4.2),
        (2.5, 5.6),
        (2.5, 6.6),
        (0.0, 6.0),
    ]
    whole = [*half, *((-a, b) for a, b in reversed(half[1:-1]))]
    return polygon([[(x + a * s, y + b * s) for a, b in whole]])
