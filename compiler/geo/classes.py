"""Land share, heights and outlines of each hex → its letter, by the thresholds that the geo file declares.

In: what is known of every hex (`Facts`) and the geo file's `terrain`. Out: one letter a hex. The first class all of whose
conditions hold gives the letter; a hex with both land and water takes the class's letter for coasts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from compiler.geo.project import Floats

# A condition: the fact it looks at, and whether it wants the fact above or below the number.
CONDITIONS: Mapping[str, tuple[str, bool]] = {
    "land_above": ("land", True),
    "land_below": ("land", False),
    "lake_above": ("lake", True),
    "lake_below": ("lake", False),
    "height_above": ("height", True),
    "height_below": ("height", False),
    "rough_above": ("rough", True),
    "rough_below": ("rough", False),
    "north_of": ("lat", True),
    "south_of": ("lat", False),
    "east_of": ("lon", True),
    "west_of": ("lon", False),
}
WORDS = {*CONDITIONS, "letter", "coast", "in", "share", "wet", "note"}


@dataclass(frozen=True)
class Facts:
    """One number a hex: shares of land and lake (0 to 1), mean height and roughness (m), longitude, latitude."""

    land: Floats
    lake: Floats
    height: Floats
    rough: Floats
    lon: Floats
    lat: Floats
    outlines: Mapping[str, Floats]  # share of each named outline


def letters(facts: Facts, terrain: Mapping[str, Any], forced: Mapping[int, str]) -> list[str]:
    """The letter of every hex; `forced` are hexes that must be land or coast whatever their share of land."""
    low, high = terrain.get("coast", (0.03, 0.97))
    land = facts.land.copy()
    for n, kind in forced.items():
        land[n] = min(max(land[n], low), high) if kind == "coast" else max(land[n], low)
    facts = Facts(**{**vars(facts), "land": land})
    coast = (land >= low) & (land + facts.lake <= high)  # lake in a hex makes no sea coast of it
    coast[[n for n, kind in forced.items() if kind == "coast"]] = True
    sea = land + facts.lake < low  # a hex of nothing but lake is for the classes
    out = np.where(sea, str(terrain["sea"]), "?").astype(object)
    open_ = ~sea
    for entry in terrain["classes"]:
        here = open_ & _holds(facts, entry)
        if entry.get("wet"):  # what must be land is no lake
            here[list(forced)] = False
        own = entry["letter"]
        out[here] = np.where(coast[here], entry.get("coast", own), own)
        open_ &= ~here
    return [str(letter) for letter in out]


def _holds(facts: Facts, entry: Mapping[str, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    held = np.ones(len(facts.land), dtype=bool)
    for name, (fact, above) in CONDITIONS.items():
        if name in entry:
            values = getattr(facts, fact)
            held &= values >= entry[name] if above else values < entry[name]
    if "in" in entry:
        names: Sequence[str] = [entry["in"]] if isinstance(entry["in"], str) else entry["in"]
        share = np.sum([facts.outlines[name] for name in names], axis=0)
        held &= share >= entry.get("share", 0.5)
    return held
