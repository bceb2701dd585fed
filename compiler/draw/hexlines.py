"""What runs along hexsides and through hexes: rivers, borders, cliffs; roads, railways; and bridges where they cross.

Rivers of one kind form one net: they wobble along the hexsides, join in corners and end at the coast. Roads of one kind
form one net too: they bend through the middles of hexes, cross a hexside near its middle, and branch without a break.
Two kinds that run side by side keep apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, cos, degrees, hypot, sin
from typing import Any

from compiler.draw.hexplane import Plane, Spot, chains, rounded_line, toward
from compiler.draw.place import XY
from compiler.draw.scene import Item, Path, number, polyline, rect
from compiler.grid.hexmap import NONE

Look = Mapping[str, Any]


def side_look(kind: str, words: Mapping[str, Any]) -> str:
    return str(words["side"].get(kind.lower(), "other"))


def line_look(kind: str, words: Mapping[str, Any]) -> str:
    return str(words["line"].get(kind.lower(), "other"))


# -- along hexsides ---------------------------------------------------------------------------------------------------


def hexsides(plane: Plane, sides: Iterable[int], look: Look, coast: Mapping[Spot, XY]) -> list[Item]:
    """All hexsides of one kind."""
    draw = look["draw"]
    scale = plane.size / 90
    wide = max(0.8, look["width"] * scale)
    if draw == "arrow":
        return _arrows(plane, sides, look, wide)
    lines = list(chains(plane, sides))
    if draw in ("straight", "border", "wall", "cliff"):
        exact = [[plane.exact(spot) for spot in line] for line in lines]
        return _straight(plane, exact, look, wide)
    data = "".join(rounded_line(winding(plane, line, coast)) for line in lines)
    if draw == "water":
        casing = Path(data, stroke=look["casing"], width=wide + 1.8 * scale)
        return [casing, Path(data, stroke=look["stroke"], width=wide)]
    return [Path(data, stroke=look["stroke"], width=wide, dash=dashes(look, scale))]


def winding(plane: Plane, line: Sequence[Spot], coast: Mapping[Spot, XY]) -> list[XY]:
    """The points of a river along its corners. At a coast it ends where the coast is drawn, a little in the water."""
    points: list[XY] = []
    for a, b in pairwise(line):
        points += [_river_point(plane, a, coast), *plane.between(a, b, 2)]
    points.append(_river_point(plane, line[-1], coast))
    if line[0] in coast and len(points) > 4:
        points = [points[0], *points[3:]]  # the part that now is water
    if line[-1] in coast and len(points) > 4:
        points = [*points[:-3], points[-1]]
    return points


def _river_point(plane: Plane, spot: Spot, coast: Mapping[Spot, XY]) -> XY:
    return coast.get(spot) or plane.at(spot)


def dashes(look: Look, scale: float) -> str:
    return " ".join(f"{float(part) * scale:.3g}" for part in str(look.get("dash", "")).split())


def _straight(plane: Plane, lines: list[list[XY]], look: Look, wide: float) -> list[Item]:
    scale = plane.size / 90
    data = "".join(polyline(line) for line in lines)
    dash = dashes(look, scale)
    if look["draw"] == "border":
        halo = Path(data, stroke=look["halo"], width=wide * 2.6, opacity=0.75)
        return [halo, Path(data, stroke=look["stroke"], width=wide, dash=dash)]
    out: list[Item] = [Path(data, stroke=look["stroke"], width=wide, dash=dash)]
    if look["draw"] in ("cliff", "wall"):
        out.append(
            Path(_teeth(plane, lines, look["draw"] == "wall"), stroke=look["stroke"], width=wide * 0.62)
        )
    return out


def _teeth(plane: Plane, lines: list[list[XY]], both: bool) -> str:
    """Short strokes across a cliff (to its right) or a wall (to both sides)."""
    step, long = plane.radius * 0.14, plane.radius * 0.13
    out = []
    for line in lines:
        for (ax, ay), (bx, by) in pairwise(line):
            length = hypot(bx - ax, by - ay)
            ux, uy = (bx - ax) / length, (by - ay) / length
            count = max(1, round(length / step))
            for k in range(count):
                t = (k + 0.5) / count * length
                x, y = ax + ux * t, ay + uy * t
                start = (x + uy * long, y - ux * long) if both else (x, y)
                out.append(polyline([start, (x - uy * long, y + ux * long)]))
    return "".join(out)


def _arrows(plane: Plane, sides: Iterable[int], look: Look, wide: float) -> list[Item]:
    """A double arrow across each hexside: a strait that can be crossed."""
    out = []
    for key in sides:
        a, b = plane.map.hexes_of_side(key)
        if b == NONE:
            continue
        (ax, ay), (bx, by) = plane.centres[a], plane.centres[b]
        mx, my = (ax + bx) / 2, (ay + by) / 2
        for end in ((ax, ay), (bx, by)):
            tip = toward((mx, my), end, plane.radius * 0.3)
            angle = atan2(tip[1] - my, tip[0] - mx)
            head = plane.radius * 0.13
            wings = [
                (tip[0] - head * cos(angle + turn), tip[1] - head * sin(angle + turn)) for turn in (0.6, -0.6)
            ]
            out.append(polyline([(mx, my), tip]) + polyline([wings[0], tip, wings[1]]))
    return [Path("".join(out), stroke=look["stroke"], width=wide)]


# -- through hexes ----------------------------------------------------------------------------------------------------


@dataclass
class Net:
    """All lines of one kind: which hexes each hex is joined with."""

    kind: str
    look: Look
    joins: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    far: list[tuple[int, int]] = field(default_factory=list)  # joins between hexes that do not touch
    narrow: bool = False
    planned: bool = False


def is_planned(raw: Mapping[str, object], words: Mapping[str, Any]) -> bool:
    """Whether a line is not there when the game begins: any of its words says so."""
    return any(value in words["planned"] for value in raw.values() if isinstance(value, str))


def nets(plane: Plane, words: Mapping[str, Any], looks: Mapping[str, Look]) -> list[Net]:
    """The nets of a map's lines, by kind, gauge and whether they are built, in the order of the file."""
    found: dict[tuple[str, bool, bool], Net] = {}
    hexes = len(plane.map)
    for line in plane.map.lines:
        narrow = str(line.raw.get("gauge", "")).lower() in ("narrow", "light", "metre")
        planned = is_planned(line.raw, words)
        look = looks[line_look(line.kind, words)]
        net = found.setdefault(
            (line.kind, narrow, planned), Net(line.kind, look, narrow=narrow, planned=planned)
        )
        for a, b in line.steps:
            if a >= hexes or b >= hexes:
                continue
            if b in plane.map.around(a):
                if b not in net.joins[a]:
                    net.joins[a].append(b)
                    net.joins[b].append(a)
            else:
                net.far.append((a, b))
    return list(found.values())


class Roads:
    """The curves of all nets. Kinds that share a hex run beside each other."""

    def __init__(self, plane: Plane, found: Sequence[Net], towns: Collection[int] = ()) -> None:
        self.plane, self.nets, self.towns = plane, found, towns
        self.shared: dict[int, list[int]] = defaultdict(list)
        for k, net in enumerate(found):
            for hex in net.joins:
                self.shared[hex].append(k)

    def crossing(self, k: int, a: int, b: int) -> XY:
        """Where a net goes over the hexside between two hexes: half way between its middles, so that no bend shows."""
        (ax, ay), (bx, by) = self.middle(k, a), self.middle(k, b)
        return (ax + bx) / 2, (ay + by) / 2

    def middle(self, k: int, hex: int) -> XY:
        """Where a net passes a hex: its middle, but to one side where other nets pass too and no town draws all of them in."""
        x, y = self.plane.centres[hex]
        here = self.shared[hex]
        if len(here) < 2 or hex in self.towns or len(self.nets[k].joins[hex]) == 1:
            return x, y
        apart = (here.index(k) - (len(here) - 1) / 2) * 0.24 * self.plane.radius
        return x + apart * 0.62, y - apart * 0.78

    def path(self, k: int) -> str:
        """The curves of one net."""
        net, out = self.nets[k], []
        for hex, joined in net.joins.items():
            middle = self.middle(k, hex)
            gates = {other: self.crossing(k, hex, other) for other in joined}
            out += _through(middle, gates, hex in self.towns)
        for a, b in net.far:
            out.append(polyline([self.plane.centres[a], self.plane.centres[b]]))
        return "".join(out)

    def points(self) -> list[XY]:
        """Points on all nets, near enough to each other that nothing written between two of them could miss a road."""
        out = []
        for k, net in enumerate(self.nets):
            for hex, joined in net.joins.items():
                x, y = self.middle(k, hex)
                out.append((x, y))
                for other in joined:
                    gx, gy = self.crossing(k, hex, other)
                    out += [(gx, gy), ((x + gx) / 2, (y + gy) / 2)]
        return out

    def bridges(self, k: int, wet: set[int]) -> list[tuple[XY, float]]:
        """Where a net crosses water: the point, and the way's angle in degrees."""
        out = []
        for a, joined in self.nets[k].joins.items():
            for b in joined:
                if a < b and self._side(a, b) in wet:
                    at = self.crossing(k, a, b)
                    start, end = self.middle(k, a), self.middle(k, b)
                    out.append((at, degrees(atan2(end[1] - start[1], end[0] - start[0]))))
        return out

    def _side(self, a: int, b: int) -> int:
        neighbours = self.plane.map.neighbours
        return next((self.plane.map.side(a, d) for d in range(6) if neighbours[6 * a + d] == b), -1)


def _through(middle: XY, gates: Mapping[int, XY], town: bool) -> list[str]:
    """One hex of a net: the straightest pair of ways is one curve, and the others join it in the middle."""
    open_ = list(gates)
    out = []
    if len(open_) >= 2:
        a, b = max(
            ((a, b) for i, a in enumerate(open_) for b in open_[i + 1 :]),
            key=lambda pair: _apart(middle, gates[pair[0]], gates[pair[1]]),
        )
        open_ = [other for other in open_ if other not in (a, b)]
        start, end = gates[a], gates[b]
        if town or open_:
            out.append(_by_way_of(start, middle, end))
        else:
            out.append(_curve(start, middle, end))
    out += [polyline([gates[other], middle]) for other in open_]
    return out


def _by_way_of(a: XY, middle: XY, b: XY) -> str:
    """A curve that passes exactly through the middle."""
    lean = ((b[0] - a[0]) * 0.2, (b[1] - a[1]) * 0.2)
    one = (a[0] + (middle[0] - a[0]) * 0.5, a[1] + (middle[1] - a[1]) * 0.5)
    two = (middle[0] - lean[0], middle[1] - lean[1])
    three = (middle[0] + lean[0], middle[1] + lean[1])
    four = (b[0] + (middle[0] - b[0]) * 0.5, b[1] + (middle[1] - b[1]) * 0.5)
    points = (one, two, middle, three, four, b)
    return f"M{number(a[0])} {number(a[1])}C" + " ".join(f"{number(x)} {number(y)}" for x, y in points)


def _apart(middle: XY, a: XY, b: XY) -> float:
    """How nearly two ways from the middle are one straight line: 1 if they are."""
    ax, ay, bx, by = a[0] - middle[0], a[1] - middle[1], b[0] - middle[0], b[1] - middle[1]
    return -(ax * bx + ay * by) / ((hypot(ax, ay) * hypot(bx, by)) or 1.0)


def _curve(a: XY, bend: XY, b: XY) -> str:
    return f"M{number(a[0])} {number(a[1])}Q{number(bend[0])} {number(bend[1])} {number(b[0])} {number(b[1])}"


def draw_roads(roads: Roads, wet: set[int], ground: str) -> list[Item]:
    """Casings of all nets first, then bridges, then the nets themselves, so that junctions are open."""
    scale = roads.plane.size / 90
    casings: list[Item] = []
    bodies: list[Item] = []
    spans: list[Item] = []
    for k, net in enumerate(roads.nets):
        data = roads.path(k)
        wide = max(0.8, net.look["width"] * scale * (0.75 if net.narrow else 1.0))
        edge = float(net.look.get("edge", 0)) * scale
        if net.planned:
            bodies += planned_line(data, net.look, wide, scale)
            continue
        if net.look["casing"]:
            casings.append(Path(data, stroke=net.look["casing"], width=wide + 2 * edge))
        bodies.append(Path(data, stroke=net.look["stroke"], width=wide, dash=dashes(net.look, scale)))
        for at, turn in roads.bridges(k, wet):
            spans += _bridge(
                at, turn, wide + 2 * edge, net.look["casing"] or net.look["stroke"], ground, scale
            )
    return [*casings, *spans, *bodies]


def planned_line(data: str, look: Look, wide: float, scale: float) -> list[Item]:
    """A line that is yet to be built: dashes of its darker colour."""
    ink = look["casing"] or look["stroke"]
    return [Path(data, stroke=ink, width=wide * 1.25, dash=f"{9 * scale:.3g} {6 * scale:.3g}", opacity=0.9)]


def _bridge(at: XY, turn: float, wide: float, ink: str, ground: str, scale: float) -> list[Item]:
    """Two parapets along the way, over a deck that hides the water."""
    long, half = 10.5 * scale, wide / 2 + 1.6 * scale
    x, y = at
    move = f"rotate({turn:.1f} {number(x)} {number(y)})"
    deck = rect(x - long, y - half, 2 * long, 2 * half)
    wing = 2.6 * scale
    rails = "".join(
        polyline(
            [
                (x - long - wing, y + s * (half + wing)),
                (x - long, y + s * half),
                (x + long, y + s * half),
                (x + long + wing, y + s * (half + wing)),
            ]
        )
        for s in (-1, 1)
    )
    return [
        Path(deck, fill=ground, transform=move),
        Path(rails, stroke=ink, width=1.9 * scale, transform=move),
        Path(polyline([(x - long, y), (x + long, y)]), stroke=ink, width=wide, transform=move),
    ]
