"""Regions on a hex map: lines where one ends and the next begins, and their names in wide letters across the land or sea.

In: the picture file's `outlines` (a kind of region and the look of its line) and `names` (a region, the hex round which
its name stands, how large). Out: hexsides by look; names that keep clear of towns, of signs and of each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import cos, pi, sin
from typing import Any

from compiler.draw import fonts
from compiler.draw.hexnames import Along, Names, Taken, beads
from compiler.draw.hexplane import Plane
from compiler.draw.place import Box
from compiler.draw.scene import Item, Words
from compiler.grid.hexmap import HexMap
from compiler.model.types import Region

LOOKS = ("border", "zone", "weather")
REACH = 6  # hexes: how far from the wanted hex a name may stand


def outlines(
    map: HexMap, regions: Sequence[Region], wanted: Mapping[str, str]
) -> Iterator[tuple[str, list[int]]]:
    """For each look the hexsides between hexes that belong to different regions of its kind, and to some of both."""
    for kind, look in wanted.items():
        of: dict[int, set[str]] = {}
        for region in regions:
            if region.kind == kind:
                for id in region.spaces:
                    n = map.index.get(id, -1)
                    if 0 <= n < len(map):
                        of.setdefault(n, set()).add(region.id)
        yield look, [key for key, a, b in map.inner_sides() if a in of and b in of and of[a] != of[b]]


@dataclass(frozen=True, slots=True)
class Wide:
    """A placed name of a region; `clear` is false if it covers something."""

    along: Along
    spacing: float
    on: str
    clear: bool


def place_wide(names: Names, hex: int, text: str, wanted: Mapping[str, Any], others: Taken) -> Wide:
    """A name in wide letters as near to the hex as it keeps clear of what is there."""
    size, turn = float(wanted.get("size", 60)), float(wanted.get("turn", 0))
    spacing = float(wanted.get("spacing", size * 0.45))
    long = fonts.width(fonts.SERIF_BOLD, text, size) + spacing * (len(text) - 1)
    on = str(wanted.get("on", "land"))
    plane = names.plane
    choices = [Along(text, plane.centres[n], turn, size, Box(*plane.centres[n], long, size)) for n in [hex, *_rings(plane.map, hex)]]  # fmt: skip
    for choice in [*(c for c in choices if _is_on(plane, c, long)), *choices]:
        boxes = beads(choice, long)
        if not any(names.taken.hits(box, 2.0) or others.hits(box, 2.0) for box in boxes):
            for box in boxes:
                others.add(box)
            return Wide(choice, spacing, on, True)
    return Wide(choices[0], spacing, on, False)


def _is_on(plane: Plane, choice: Along, long: float) -> bool:
    """Whether both ends of a name lie on the map."""
    angle = choice.turn * pi / 180
    dx, dy = cos(angle) * long / 2, sin(angle) * long / 2
    x, y = choice.at
    ends = ((x - dx, y - dy), (x + dx, y + dy))
    return all(plane.picture.hex_at(plane.map, Fraction(ex), Fraction(ey)) is not None for ex, ey in ends)


def _rings(map: HexMap, hex: int) -> Iterator[int]:
    seen = {hex}
    for far in range(1, REACH + 1):
        ring = [n for n in map.within(hex, far) if n not in seen]
        seen.update(ring)
        yield from sorted(ring)


def wide_items(found: Sequence[Wide], style: Mapping[str, Any]) -> list[Item]:
    out: list[Item] = []
    for name in found:
        at, size = name.along.at, name.along.size
        ink = str(style["sea_ink" if name.on == "sea" else "ink"])
        # The last letter's space is on its right: half of it moves the word back to the middle.
        out.append(
            Words(
                name.along.text,
                at[0] + name.spacing / 2,
                at[1] + size * 0.33,
                fonts.SERIF_BOLD if name.on == "land" else fonts.SERIF_ITALIC,
                size,
                ink,
                spacing=name.spacing,
                turn=name.along.turn,
                opacity=0.36 if name.on == "land" else 0.42,
            )
        )
    return out
