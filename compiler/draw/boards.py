"""One door to the drawing of maps, whatever their kind."""

from __future__ import annotations

from compiler.draw import atlas
from compiler.draw.displays import draw_display
from compiler.draw.settings import area_picture, root_of
from compiler.draw.types import DrawnMap
from compiler.model.types import Module


def draw_map(module: Module, map_id: str, language: str, style: str = "print") -> DrawnMap:
    """Draws a map in a language and style. Findings are inside the result; a map that cannot be drawn is empty."""
    if module.maps[map_id].hexes is None:
        picture, findings = area_picture(root_of(module), map_id)
        if not findings and picture.get("display") is not None:
            return draw_display(module, module.maps[map_id], picture, language, style)
        return atlas.draw_map(module, map_id, language, style)
    from compiler.draw.hexatlas import draw_hex_map

    return draw_hex_map(module, map_id, language, style)
