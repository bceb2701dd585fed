"""Small drawn signs: income, industrial complex, capital, canal and strait. Each returns its items and its width."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path as File
from typing import Any

from compiler.draw import fonts
from compiler.draw.colour import ink_on, mix
from compiler.draw.counters import silhouettes
from compiler.draw.labels import GAP, ICON
from compiler.draw.scene import Group, Item, Path, Words, circle, polygon, rect

ICONS = File(__file__).parent / "icons.json"


@cache
def icons() -> Mapping[str, str]:
    """Our own signs by name: one path each, in a square of 100."""
    found: dict[str, str] = json.loads(ICONS.read_text(encoding="utf-8"))
    return {name: d for name, d in found.items() if name != "note"}


def icon(
    name: str, x: float, y: float, size: float, fill: str, stroke: str = "none", wide: float = 0.0
) -> Path:
    """A sign with its middle at x, y."""
    scale = size / 100
    move = f"translate({x - size / 2:.1f} {y - size / 2:.1f}) scale({scale:.4g})"
    return Path(icons()[name], fill=fill, stroke=stroke, width=wide / scale, transform=move, rule="evenodd")


def unit_mark(name: str, x: float, y: float, wide: float, fill: str) -> list[Item]:
    """A unit's silhouette, as on the counters, with its middle at x, y."""
    scale = wide / 100
    move = f"translate({x - 50 * scale:.1f} {y - 30 * scale:.1f}) scale({scale:.4g})"
    paths = tuple(Path(d, fill=fill, rule="evenodd") for d in silhouettes().get(name, ()))
    return [Group(paths, transform=move)] if paths else []


def plate(which: int, x: float, y: float, size: float) -> str:
    """The outline of a side's badge: round corners for the first side, cut corners for the second, and so on."""
    if which % 3 == 0:
        return rect(x, y, size, size, size * 0.22)
    if which % 3 == 1:
        c = size * 0.2
        ring = [
            (x + c, y),
            (x + size - c, y),
            (x + size, y + c),
            (x + size, y + size - c),
            (x + size - c, y + size),
            (x + c, y + size),
            (x, y + size - c),
            (x, y + c),
        ]
        return polygon([ring])
    return circle(x + size / 2, y + size / 2, size / 2)


def income_mark(
    x: float, y: float, text: str, colour: str, style: Mapping[str, Any]
) -> tuple[list[Item], float]:
    """A disc in the owner's colour with the figure; `x` is its left edge, `y` its middle."""
    r = ICON["income"] / 2 - 1
    middle = x + ICON["income"] / 2
    ground = mix(colour, "#000000", 0.12)
    return [
        Path(circle(middle, y, r), fill=ground, stroke=style["halo"], width=2.4),
        Words(text, middle, y + 7.2, fonts.SANS_BOLD, 21, ink_on(ground)),
    ], ICON["income"] + GAP


def complex_mark(x: float, y: float, style: Mapping[str, Any]) -> tuple[list[Item], float]:
    wide = ICON["complex"]
    return [
        Path(rect(x + 1, y - 14, wide - 2, 28, 4), fill=style["halo"], stroke=style["ink"], width=1.6),
        icon("factory", x + wide / 2, y - 0.5, 26, style["ink"]),
    ], wide + GAP


def capital_mark(x: float, y: float, colour: str, style: Mapping[str, Any]) -> tuple[list[Item], float]:
    wide = ICON["capital"]
    return [
        icon("star", x + wide / 2, y, 29, "#d9a514", stroke=style["ink"], wide=1.6),
    ], wide + GAP


def link_mark(kind: str, at: tuple[float, float], turn: float, style: Mapping[str, Any]) -> list[Item]:
    """A canal (double line with a gate) or a closed strait (a barred disc)."""
    x, y = at
    if kind != "canal":
        return [
            Path(circle(x, y, 11), fill="#b3261e", stroke=style["halo"], width=2),
            Path(rect(x - 7, y - 2, 14, 4), fill="#ffffff"),
        ]
    move = f"rotate({turn:g} {x:.1f} {y:.1f})"
    gates = f"M{x - 6:.1f} {y - 9:.1f}v18M{x + 6:.1f} {y - 9:.1f}v18"
    return [
        Path(rect(x - 17, y - 5, 34, 10, 3), fill=style["sea"], stroke=style["ink"], width=2, transform=move),
        Path(gates, stroke=style["ink"], width=2.4, transform=move),
    ]
