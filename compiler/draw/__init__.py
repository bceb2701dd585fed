"""Scenes → SVG and PNG: maps and counters.

In: a typed module. Out: `draw_map`, `draw_counter` and `rasterise`. Deterministic: the same module gives the same
bytes on every machine.
"""

from compiler.draw.boards import draw_map
from compiler.draw.counters import Face, draw_counter
from compiler.draw.raster import lean, rasterise
from compiler.draw.types import DrawnMap, Label, SpaceShape

__all__ = ["DrawnMap", "Face", "Label", "SpaceShape", "draw_counter", "draw_map", "lean", "rasterise"]
