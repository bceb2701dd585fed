"""The engine's own arithmetic of places: which zone or region a pixel is in, and what it is called there.

`locators(tree)` gives one `Locator` for each map window of a build file. They answer for zones and regions (every map
that we write); where a map has a hex or square grid with numbering, hex grids follow the published formulas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from compiler.vassal.elements import Element, short_name
from compiler.vassal.hexgrids import HexNames, grid_of

Ring = Sequence[tuple[int, int]]
OFFBOARD = "offboard"


def inside(ring: Ring, x: int, y: int) -> bool:
    """The even-odd rule as the engine has it: left and top edges are inside, right and bottom ones outside."""
    odd = False
    ax, ay = ring[-1]
    for bx, by in ring:
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
        ax, ay = bx, by
    return odd


def path_text(ring: Ring) -> str:
    return ";".join(f"{x},{y}" for x, y in ring)


def parse_path(text: str) -> list[tuple[int, int]]:
    points: list[tuple[int, int]] = []
    for item in text.split(";"):
        x, _, y = item.partition(",")
        if not _is_int(x) or not _is_int(y):
            return []
        points.append((int(x), int(y)))
    return points


def _is_int(text: str) -> bool:
    return text.strip().removeprefix("-").isdecimal() and len(text) < 12


@dataclass(frozen=True, slots=True)
class NamedRing:
    """A zone with its bounding box, so that most zones are passed over cheaply."""

    name: str
    ring: tuple[tuple[int, int], ...]
    box: tuple[int, int, int, int]
    grid: HexNames | None = None


@dataclass(frozen=True, slots=True)
class Locator:
    """The names of one map window whose only board lies at `left`, `top`."""

    zones: tuple[NamedRing, ...]
    left: int = 0
    top: int = 0
    behind: HexNames | None = None  # the grid for points in no zone

    def name_at(self, x: int, y: int) -> str:
        """The first zone in document order that contains the point; empty if none does."""
        bx, by = x - self.left, y - self.top
        for zone in self.zones:
            west, north, east, south = zone.box
            if west <= bx <= east and north <= by <= south and inside(zone.ring, bx, by):
                return zone.grid.name_at(bx, by) if zone.grid else zone.name
        return self.behind.name_at(bx, by) if self.behind else ""


def named_ring(name: str, ring: Ring, grid: HexNames | None = None) -> NamedRing:
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    return NamedRing(name, tuple(ring), (min(xs), min(ys), max(xs), max(ys)), grid)


def locators(tree: Element, sizes: Mapping[str, tuple[int, int]] | None = None) -> dict[str, Locator]:
    """Map name → locator, for windows with one board. `sizes` are those of pictures: numbers that fall need them."""
    found: dict[str, Locator] = {}
    for node in tree.walk():
        if short_name(node.name) in ("Map", "PrivateMap", "PlayerHand"):
            boards = list(node.all("m.map.boardPicker.Board"))
            if len(boards) == 1:
                left, top = node.get("edgeWidth", "0"), node.get("edgeHeight", "0")
                if _is_int(left) and _is_int(top):
                    size = (sizes or {}).get(boards[0].get("image"), (0, 0))
                    found[node.get("mapName")] = Locator(
                        tuple(_zones(boards[0].all("m.map.boardPicker.board.mapgrid.Zone"))),
                        int(left),
                        int(top),
                        _behind(boards[0], size),
                    )
    return found


def _extent(ring: Ring) -> tuple[int, int]:
    """Width and height: in a zone the engine counts down from these, not from the board's."""
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    return max(xs) - min(xs), max(ys) - min(ys)


def _zones(nodes: Iterable[Element]) -> Iterable[NamedRing]:
    for node in nodes:
        ring = parse_path(node.get("path"))
        if len(ring) >= 3:
            numbered = "$gridLocation$" in node.get("locationFormat")
            yield named_ring(node.get("name"), ring, _grid(node, _extent(ring)) if numbered else None)


def _behind(board: Element, size: tuple[int, int]) -> HexNames | None:
    zoned = (child for child in board.children if short_name(child.name) == "ZonedGrid")
    return next((found for node in (board, *zoned) if (found := _grid(node, size))), None)


def _grid(node: Element, size: tuple[int, int]) -> HexNames | None:
    grid = grid_of(node)
    return HexNames(grid, *size) if grid is not None else None
