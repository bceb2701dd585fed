"""Fills that tell owners apart without colour: one pattern a power, in the order of the powers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# (tile size, path, filled?) in tile units; strokes are as wide as `WIDE`.
TILES: tuple[tuple[int, str, bool], ...] = (
    (18, "M-2 20L20 -2M-2 2L2 -2M16 20L20 16", False),
    (14, "M0 7H14", False),
    (18, "M4.5 2.3a2.2 2.2 0 1 0 .01 0zM13.5 11.3a2.2 2.2 0 1 0 .01 0z", True),
    (14, "M7 0V14", False),
    (
        20,
        "M10 6.5V13.5M6.5 10H13.5M0 -3.5V3.5M-3.5 0H3.5M20 -3.5V3.5M16.5 0H23.5M0 16.5V23.5M-3.5 20H3.5M20 16.5V23.5M16.5 20H23.5",
        False,
    ),
    (20, "M0 0L20 20M20 0L0 20", False),
    (16, "M8 2L14 14H2z", False),
    (16, "M2 2H9V9H2z", False),
)
WIDE = 1.8
NEUTRAL = (12, "M-2 14L14 -2M-2 2L2 -2M10 14L14 10", 2.0)
ICE = (26, "M2 8q5 -5 10 0t10 0M-6 21q5 -5 10 0t10 0t10 0", 1.6)


def definitions(colours: Mapping[str, str], style: Mapping[str, Any]) -> str:
    """SVG patterns `owner-<power>`, `neutral` and `ice`."""
    out = []
    for i, (power, colour) in enumerate(colours.items()):
        size, d, filled = TILES[i % len(TILES)]
        paint = f'fill="{colour}"' if filled else f'fill="none" stroke="{colour}" stroke-width="{WIDE}"'
        out.append(_pattern(f"owner-{power}", size, f'<path d="{d}" {paint}/>'))
    for name, (size, d, wide), colour in (
        ("neutral", NEUTRAL, style["neutral_hatch"]),
        ("ice", ICE, style["ice_hatch"]),
    ):
        out.append(
            _pattern(name, size, f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{wide}"/>')
        )
    return "".join(out)


def _pattern(name: str, size: int, inner: str) -> str:
    return (
        f'<pattern id="{name}" width="{size}" height="{size}" patternUnits="userSpaceOnUse">{inner}</pattern>'
    )
