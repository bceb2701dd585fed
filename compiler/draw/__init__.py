"""Scenes → SVG and PNG: maps and counters.

In: a typed module. Out: `draw_map`, `draw_counter` and `rasterise`. Deterministic: the same module gives the same
bytes on every machine. Loaded when they are asked for: a check looks at outlines only and needs no library that draws.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compiler.draw.boards import draw_map
    from compiler.draw.counters import Face, draw_counter
    from compiler.draw.raster import lean, rasterise
    from compiler.draw.types import DrawnMap, Label, SpaceShape

__all__ = ["DrawnMap", "Face", "Label", "SpaceShape", "draw_counter", "draw_map", "lean", "rasterise"]

_HOMES = {
    "draw_map": "boards",
    "Face": "counters",
    "draw_counter": "counters",
    "lean": "raster",
    "rasterise": "raster",
    "DrawnMap": "types",
    "Label": "types",
    "SpaceShape": "types",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'compiler.draw' has no attribute '{name}'")
    return getattr(import_module(f"compiler.draw.{_HOMES[name]}"), name)
