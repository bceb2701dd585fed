"""Hex map files → `HexMap`. The language is described in docs/hexes.md.

In comes the JSON object of a map file with `"kind": "hex"` and its place, and those of the files that it includes. Out
go the map and all findings. A map is always returned, however wrong the file is: what could not be read is left out.
What has not even the shape of the language is skipped in silence, because the schema reported it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from compiler.findings import Finding, Place
from compiler.grid.areas import read_regions
from compiler.grid.features import by_side, joined_pairs, read_entries, read_paths, read_sides
from compiler.grid.fill import fill
from compiler.grid.hexmap import HexMap
from compiler.grid.setup import Source
from compiler.grid.walk import Walker


def read_hex_map(
    value: Mapping[str, object], place: Place, parts: Iterable[tuple[Mapping[str, object], Place]] = ()
) -> tuple[HexMap, list[Finding]]:
    """Read a hex map. `parts` are the included files, whose lists and tables are read as if they stood in the first."""
    source = Source(((value, place), *parts))
    map = fill(source)
    map = replace(map, entries=read_entries(source, map))
    walker = Walker(source, map, joined_pairs(source, map))
    side_lines = tuple(read_sides(walker))
    map = replace(
        map, side_lines=side_lines, sides=by_side(source, map, side_lines), lines=tuple(read_paths(walker))
    )
    regions = tuple(read_regions(Walker(source, map, walker.joined)))
    return replace(map, regions=regions), source.findings
