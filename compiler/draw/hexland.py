"""Land and sea of a hex map: terrain patches with textures, and coasts that run through coastal hexes.

A hex whose letter has `"water": "all"` is sea. The sea reaches into its neighbours with `"water": "part"` and touches
all others at their hexside, so that a coast is round, islands lie inside their hexes, and nothing needs to be drawn by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from compiler.draw.hexcoast import Charts
from compiler.draw.hexparts import Sextants, free, patches
from compiler.draw.hexplane import (
    Plane,
    Spot,
    chance,
    closed,
    hexes_by,
    patch,
    pieces,
    rounded_line,
    rounded_ring,
    sway,
    toward,
)
from compiler.draw.hextextures import ground_of, textured
from compiler.draw.place import XY
from compiler.draw.scene import Group, Item, Path
from compiler.grid.hexes import corner
from compiler.grid.hexmap import NONE

SEA_LOOKS = ("sea", "lake")
_DEEP = 0.3  # how far the sea reaches into a coastal hex, of the radius
_SHALLOW = 0.03


@dataclass(frozen=True, slots=True)
class Coast:
    """The water's rings as path data, the line between land and water, and where corners on it are drawn."""

    rings: str
    line: str
    corners: Mapping[Spot, XY]


def look_of(word: str, water: str | None, looks: Mapping[str, Any]) -> str:
    """The look of a terrain's word: by the table of words, or by whether it is water."""
    found = looks["words"]["terrain"].get(word.lower().replace("-", "_").replace(" ", "_"))
    if water == "all":
        return found if found in SEA_LOOKS else "sea"
    if found in SEA_LOOKS:
        return "clear"
    return found or f"other:{word}"


def land(
    plane: Plane, terrains: list[str], looks: Mapping[str, Mapping[str, str]], sextants: Sextants
) -> list[Item]:
    """Patches of each terrain and their textures; `terrains` is the look of each hex, `looks` what each is like."""
    groups = hexes_by(plane.map, lambda n: terrains[n])
    base = looks["clear"]["fill"]
    out: list[Item] = []
    for name, hexes in groups.items():
        if name not in SEA_LOOKS:
            fill = looks[name]["fill"]
            if fill != base:
                out.append(Path(patch(plane, hexes), fill=fill, rule="evenodd", stroke=fill, width=1.2))
    parts = dict.fromkeys(look for sixths in sextants.values() for look in sixths.values())
    for name in parts:
        fill = looks[name]["fill"]
        out.append(Path(patches(plane, sextants, terrains, name), fill=fill, stroke=fill, width=1.2))
    for name in {**groups, **parts}:
        if name not in SEA_LOOKS:
            within = {n: _sixths(sixths, name, terrains[n]) for n, sixths in sextants.items()}
            hexes = [*groups.get(name, ()), *(n for n in sextants if terrains[n] != name and within[n])]
            out += textured(ground_of(plane, within), hexes, looks[name])
    return out


def _sixths(sixths: Mapping[int, str], name: str, own: str) -> frozenset[int]:
    """The sixths of a hex that have a look."""
    found = frozenset(d for d, look in sixths.items() if look == name)
    return found | free(sixths) if own == name else found


def coast(plane: Plane, hexes: Iterable[int], charts: Charts) -> Coast:
    """The coast of one water: a set of hexes that are all water. Hexes with a coast of their own end at straight hexsides."""
    shore = _Shore(plane, set(hexes), charts)
    rings, lines = [], []
    for ring in shore.rings():
        points: list[XY] = []
        run: list[XY] = []
        runs: list[list[XY]] = []
        gone = shore.outside(ring[-1]) if ring[-1][3] == NONE else None
        for side in ring:
            a, b, _, other, _ = side
            if other == NONE:
                gone = shore.outside(side)
                if run:
                    runs.append([*run, shore.at(a), gone])
                    points.append(shore.at(a))
                    run = []
                points.append(gone)
            elif other in charts:
                gone = None
                if run:
                    runs.append([*run, shore.at(a)])
                    run = []
                points += [shore.at(a), shore.at(a), shore.at(b), shore.at(b)]
            else:
                bend = shore.bend(a, b, other)
                points += [shore.at(a), *bend]
                run += [*([gone] if gone and not run else []), shore.at(a), *bend]
        rings.append(rounded_ring(points))
        lines += [rounded_line(piece) for one in runs for piece in pieces(one)]
        if run:
            lines += [rounded_line(piece) for piece in pieces(closed(run))]
    return Coast("".join(rings), "".join(lines), shore.corners)


Side = tuple[
    Spot, Spot, int, int, int
]  # from corner, to corner, the water's hex, the other hex, the direction


class _Shore:
    """The hexsides round a water, and where its corners move."""

    def __init__(self, plane: Plane, water: set[int], charts: Charts) -> None:
        self.plane, self.water, self.charts = plane, water, charts
        self.corners: dict[Spot, XY] = {}

    def rings(self) -> list[list[Side]]:
        map = self.plane.map
        onward: dict[Spot, Side] = {}
        for n in self.water:
            part, at = map.parts[n], map.hexes[n]
            for d in range(6):
                other = map.neighbours[6 * n + d]
                if other not in self.water:
                    a, b = (part, *corner(at, d - 1)), (part, *corner(at, d))
                    onward[a] = (a, b, n, other, d)
        out = []
        while onward:
            spot = next(iter(onward))
            ring = []
            while spot in onward:
                side = onward.pop(spot)
                ring.append(side)
                spot = side[1]
            out.append(self._from_the_edge(ring))
        return out

    def _from_the_edge(self, ring: list[Side]) -> list[Side]:
        """The ring from where the coast leaves the edge of the map, so that no coast is cut in two."""
        for k, side in enumerate(ring):
            if self._is_edge(side) and not self._is_edge(ring[(k + 1) % len(ring)]):
                return ring[k + 1 :] + ring[: k + 1]
        return ring

    def _is_edge(self, side: Side) -> bool:
        return side[3] == NONE or side[3] in self.charts

    def at(self, spot: Spot) -> XY:
        found = self.corners.get(spot)
        if found is None:
            plane = self.plane
            around = plane.around(spot)
            if any(n in self.charts for n in around):
                return self.corners.setdefault(spot, plane.exact(spot))
            dry = [n for n in around if n != NONE and n not in self.water]
            coastal = [n for n in dry if plane.map.water(n) == "part"]
            found = plane.at(spot)
            if dry:
                goal = coastal or dry
                x = sum(plane.centres[n][0] for n in goal) / len(goal)
                y = sum(plane.centres[n][1] for n in goal) / len(goal)
                deep = _DEEP * (0.8 + 0.5 * chance(*spot)) if coastal else _SHALLOW
                found = toward(found, (x, y), deep * plane.radius)
            self.corners[spot] = found
        return found

    def bend(self, a: Spot, b: Spot, other: int) -> list[XY]:
        """Points of the coast between two corners."""
        plane = self.plane
        deep = _DEEP if plane.map.water(other) == "part" else _SHALLOW
        goal = plane.centres[other]
        (ax, ay), (bx, by) = self.at(a), self.at(b)
        straight = plane.between(a, b, 2)
        seed = a[1] * 3 + b[1], a[2] * 5 + b[2]
        out = []
        for k, point in enumerate(straight):
            t = (k + 1) / 3
            mx, my = ax + (bx - ax) * t, ay + (by - ay) * t
            px, py = toward(point, goal, deep * plane.radius * (1 + 0.45 * sway(*seed, k, 5)))
            out.append(((mx + px) / 2, (my + py) / 2))
        return out

    def outside(self, side: Side) -> XY:
        """A point beyond the edge of the map: the middle of the hex that is not there. The margin covers it."""
        (x, y), d = self.plane.centres[side[2]], side[4]
        (ax, ay), (bx, by) = self.plane.offsets[d - 1], self.plane.offsets[d]
        return x + ax + bx, y + ay + by


def _charted(plane: Plane, terrains: list[str], charts: Charts) -> dict[str, list[int]]:
    """Hexes with a coast of their own by the look of their water: their own, or that of water next to them."""
    found: dict[str, list[int]] = {name: [] for name in SEA_LOOKS}
    for n in charts.land:
        near = (terrains[m] for m in (n, *plane.map.around(n)) if terrains[m] in SEA_LOOKS)
        found[next(near, SEA_LOOKS[0])].append(n)
    return found


def _with_charts(found: Coast, charts: Charts, hexes: list[int]) -> Coast:
    rings = "".join(charts.water(n) for n in hexes)
    line = "".join(shore for n in hexes for shore in charts.shores(n))
    return Coast(found.rings + rings, found.line + line, found.corners)


def sea(
    plane: Plane,
    terrains: list[str],
    looks: Mapping[str, Mapping[str, str]],
    style: Mapping[str, Any],
    charts: Charts,
) -> tuple[list[Item], dict[str, str], dict[Spot, XY]]:
    """The waters with their shores; path data of each water for a clip of its name; and the corners on coasts."""
    out: list[Item] = []
    clips: dict[str, str] = {}
    corners: dict[Spot, XY] = {}
    scale = min(1.0, plane.size / 80)
    charted = _charted(plane, terrains, charts)
    for name in SEA_LOOKS:
        hexes = [n for n, look in enumerate(terrains) if look == name]
        if not hexes and not charted[name]:
            continue
        found = _with_charts(
            coast(plane, (n for n in hexes if n not in charts), charts), charts, charted[name]
        )
        corners.update(found.corners)
        clips[f"water-{name}"] = found.rings
        out.append(Path(found.rings, fill=looks[name]["fill"], rule="evenodd"))
        bands = tuple(Path(found.line, stroke=colour, width=wide * scale) for colour, wide in style["shore"])
        out.append(Group((*bands, *textured(ground_of(plane), hexes, looks[name])), clip=f"water-{name}"))
        out.append(Path(found.line, stroke=style["coast"][0], width=style["coast"][1] * scale))
    return out, clips, corners
