"""SVG → PNG, with our own fonts only. Deterministic: the same SVG gives the same bytes."""

from __future__ import annotations

import resvg_py

from compiler.draw import fonts


def rasterise(svg: str, width: int, height: int, scale: float = 1.0) -> bytes:
    """The picture as PNG; `scale` 0.5 makes it half as wide and high."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=round(width * scale),
            height=round(height * scale),
            skip_system_fonts=True,
            font_files=fonts.files(),
            sans_serif_family="Source Sans Pro",
            serif_family="Source Serif Pro",
        )
    )
