"""The engine's own arithmetic of places: which zone or region a pixel is in, and what it is called there.

`locators(tree)` gives one `Locator` for each map window of a build file. They answer for zones and regions (every map
that we write); where a map has a hex or square grid with numbering, hex grids follow the published formulas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from compiler.frozen import dataclass
from compiler.vassal.elements import Element, short_name
from compiler.vassal.encoding import TAB, decode
from compiler.vassal.hexgrids import HexNames, grid_of

Ring = Sequence[tuple[int, int]]
OFFBOARD = "offboard"
STRIP, STRIPS = 128, 512  # pixels; how many to either side


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
    return ";".join([f"{x},{y}" for x, y in ring])


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
    """The names of one board that lies at `left`, `top` of its map window."""

    zones: tuple[NamedRing, ...]
    left: int = 0
    top: int = 0
    behind: HexNames | None = None  # the grid for points in no zone
    strips: dict[int, list[NamedRing]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Upright strips of the board, each with the zones that reach into it: a point asks those of its own."""
        for zone in self.zones:
            first, last = zone.box[0] // STRIP, zone.box[2] // STRIP
            for strip in range(max(first, -STRIPS), min(last, STRIPS) + 1):
                self.strips.setdefault(strip, []).append(zone)

    def name_at(self, x: int, y: int) -> str:
        """The first zone in document order that contains the point; empty if none does."""
        bx, by = x - self.left, y - self.top
        strip = bx // STRIP
        for zone in self.strips.get(strip, ()) if -STRIPS <= strip <= STRIPS else self.zones:
            west, north, east, south = zone.box
            if west <= bx <= east and north <= by <= south and inside(zone.ring, bx, by):
                return zone.grid.name_at(bx, by) if zone.grid else zone.name
        return self.behind.name_at(bx, by) if self.behind else ""


def named_ring(name: str, ring: Ring, grid: HexNames | None = None) -> NamedRing:
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    return NamedRing(name, tuple(ring), (min(xs), min(ys), max(xs), max(ys)), grid)


@dataclass(frozen=True, slots=True)
class Laid:
    """The names of a map window with several boards: each with its rectangle of the map (left, top, right, bottom)."""

    boards: tuple[tuple[tuple[int, int, int, int], Locator], ...]

    def name_at(self, x: int, y: int) -> str:
        for (left, top, right, bottom), locator in self.boards:
            if left <= x < right and top <= y < bottom:
                return locator.name_at(x, y)
        return ""


Sizes = Mapping[str, tuple[int, int]]


Lying = Mapping[str, Mapping[str, tuple[int, int]]]  # map → board → column and row


def locators(
    tree: Element, sizes: Sizes | None = None, lying: Lying | None = None
) -> dict[str, Locator | Laid]:
    """Map name → locator, for windows with one board, or with several and a set-up that lays them.

    `sizes` are those of pictures: numbers that fall need them, and boards beside each other. `lying` says how a saved
    game has laid the boards, where that may differ from the module's own set-up.
    """
    found: dict[str, Locator | Laid] = {}
    for node in tree.walk():
        if short_name(node.name) in ("Map", "PrivateMap", "PlayerHand"):
            left, top = node.get("edgeWidth", "0"), node.get("edgeHeight", "0")
            if _is_int(left) and _is_int(top):
                own = (lying or {}).get(node.get("mapName")) or _laid(node)
                locator = _locator(node, int(left), int(top), sizes or {}, own)
                if locator is not None:
                    found[node.get("mapName")] = locator
    return found


def _locator(
    node: Element, left: int, top: int, sizes: Sizes, places: Mapping[str, tuple[int, int]]
) -> Locator | Laid | None:
    boards = {board.get("name"): board for board in node.all("m.map.boardPicker.Board")}
    if len(boards) == 1:
        board = next(iter(boards.values()))
        return _of_board(board, left, top, sizes.get(board.get("image"), (0, 0)))
    if not places or any(name not in boards or boards[name].get("image") not in sizes for name in places):
        return None
    size = {name: sizes[boards[name].get("image")] for name in places}
    out = []
    for name, (column, row) in places.items():
        x = left + sum(size[other][0] for other, at in places.items() if at[1] == row and at[0] < column)
        y = top + sum(size[other][1] for other, at in places.items() if at[0] == column and at[1] < row)
        rectangle = (x, y, x + size[name][0], y + size[name][1])
        out.append((rectangle, _of_board(boards[name], x, y, size[name])))
    return Laid(tuple(out))


def _laid(node: Element) -> dict[str, tuple[int, int]]:
    """Board → column and row, as the set-up of a new game has them."""
    return laid_boards(next((setup.text for setup in node.all("setup")), ""))


def laid_boards(command: str) -> dict[str, tuple[int, int]]:
    """The same of the command that a set-up or a save has for it."""
    _, *fields = decode(command, TAB)
    places = zip(fields[0::3], fields[1::3], fields[2::3], strict=False)
    return {decode(name, "/")[0]: (int(c), int(r)) for name, c, r in places if _is_int(c) and _is_int(r)}


def _of_board(board: Element, left: int, top: int, size: tuple[int, int]) -> Locator:
    zones = tuple(_zones(board.all("m.map.boardPicker.board.mapgrid.Zone")))
    return Locator(zones, left, top, _behind(board, size))


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
