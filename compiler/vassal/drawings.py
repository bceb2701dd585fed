"""The pictures a module is made of, as this pass wants them: whole pixels, sizes known, nothing rasterised yet.

`Drawn` takes them from `compiler.draw`. Tests give their own. A picture becomes a PNG only in a build: a check needs the
names, sizes and outlines alone.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from compiler.findings import Finding, warning
from compiler.frozen import dataclass
from compiler.grid.cuts import LARGEST, Part, parts
from compiler.grid.vassal import SheetGrid
from compiler.model.types import Module

if TYPE_CHECKING:
    from compiler.draw import DrawnMap, SpaceShape
    from compiler.draw.counters import Side

Point = tuple[int, int]
COUNTER_PIXELS = 60


@dataclass(frozen=True, slots=True)
class Shape:
    """A space on the board: rings in whole pixels, and points where pieces stand well, the best first."""

    rings: tuple[tuple[Point, ...], ...]
    spots: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class BoardPicture:
    svg: str
    width: int
    height: int
    shapes: Mapping[str, Shape]
    squares: Mapping[int, Point] = field(default_factory=dict)  # middles of a number track's squares
    counter: int = COUNTER_PIXELS  # how large counters are drawn on this board
    hexes: Mapping[str, Point] = field(
        default_factory=dict
    )  # hexes have no zones, but a grid: where pieces stand
    grids: tuple[SheetGrid, ...] = ()
    reach: int = 0  # how far from there a point is surely in the same hex
    most: int = LARGEST  # px a side of a board: a larger picture is cut into several

    @property
    def parts(self) -> tuple[Part, ...]:
        return parts(self.width, self.height, self.most)


@dataclass(frozen=True, slots=True)
class FacePicture:
    """One face of a counter. `name` is what the scenario's `face` says, `words` what is printed on it.

    `svg` is what the lock file knows it by; `drawn` the same without fonts, as VASSAL gets it.
    """

    name: str
    svg: str
    width: int
    height: int
    drawn: str = ""
    words: str = ""


class Drawings(Protocol):
    """Where the pictures come from."""

    def board(self, map_id: str, language: str) -> BoardPicture: ...

    def faces(self, counter_id: str, language: str) -> tuple[FacePicture, ...]: ...

    def png(self, svg: str, width: int, height: int) -> bytes: ...


def fingerprint(svg: str) -> str:
    """What stands for a picture in the lock file: its drawing, not its pixels, which a new rasteriser may change."""
    return hashlib.sha256(svg.encode("utf-8")).hexdigest()[:16]


class Drawn:
    """The pictures of `compiler.draw` for one module. Each is drawn once; `known` may bring maps that are drawn already."""

    def __init__(self, module: Module, known: Callable[[str, str], DrawnMap] | None = None) -> None:
        self._module = module
        self._draw = known or self._draw_map
        self._boards: dict[tuple[str, str], BoardPicture] = {}
        self._counters: dict[tuple[str, str], tuple[FacePicture, ...]] = {}
        self.findings: list[Finding] = []

    def _draw_map(self, map_id: str, language: str) -> DrawnMap:
        from compiler.draw import draw_map

        return draw_map(self._module, map_id, language)

    def board(self, map_id: str, language: str) -> BoardPicture:
        if (map_id, language) not in self._boards:
            self._boards[map_id, language] = self._board(map_id, language)
        return self._boards[map_id, language]

    def faces(self, counter_id: str, language: str) -> tuple[FacePicture, ...]:
        from compiler.draw.counters import counter_sides

        key = (counter_id, language)
        if key not in self._counters:
            sides = counter_sides(self._module, counter_id, language, self._size())
            self._counters[key] = tuple(_face(side) for side in sides)
        return self._counters[key]

    def png(self, svg: str, width: int, height: int) -> bytes:
        from compiler.draw import lean, rasterise

        return lean(rasterise(svg, width, height))

    def _board(self, map_id: str, language: str) -> BoardPicture:
        drawn = self._draw(map_id, language)
        if not drawn.svg:
            return self._schematic(map_id, language, drawn.counter)
        hexes = hex_points(self._module, map_id, drawn.grids)
        # Where there are places for stacks, the anchor is left out: the name of the space is written there.
        shapes = {
            id: _shape(shape.polygons, shape.spots or (shape.anchor,))
            for id, shape in drawn.spaces.items()
            if id not in hexes
        }
        squares = {number: (round(x), round(y)) for number, (x, y) in drawn.squares.items()}
        reach = _reach(drawn.spaces[next(iter(hexes))]) if hexes else 0
        return BoardPicture(
            drawn.svg,
            drawn.width,
            drawn.height,
            shapes,
            squares,
            drawn.counter,
            hexes,
            drawn.grids,
            reach,
            drawn.most,
        )

    def _schematic(self, map_id: str, language: str, counter: int) -> BoardPicture:
        """Boxes instead of a map that is not drawn yet."""
        from compiler.vassal.names import Names
        from compiler.vassal.schematic import schematic

        board = self._module.maps[map_id]
        what = f"the map '{map_id}' is not drawn yet: its spaces are boxes in rows"
        if not any(item.code == "V123" for item in self.findings):
            self.findings.append(warning("V123", what, board.place, help="see docs/maps.md for outlines"))
        return schematic(board, Names(self._module, language).locations, counter)

    def _size(self) -> int:
        """As large as the first map wants them: there they are used most."""
        first = next(iter(self._module.maps), None)
        return self.board(first, self._module.languages[0]).counter if first else COUNTER_PIXELS


def _face(side: Side) -> FacePicture:
    from compiler.draw.glyphs import plain_svg
    from compiler.draw.scene import to_svg

    size = round(side.scene.width), round(side.scene.height)
    return FacePicture(side.name, to_svg(side.scene), *size, plain_svg(side.scene), side.words)


def _reach(hex: SpaceShape) -> int:
    """How far from its middle, to the sides and up and down, a point is well inside a hex."""
    (ax, ay), (bx, by), *_ = hex.polygons[0]
    return int(0.6 * math.dist(hex.anchor, ((ax + bx) / 2, (ay + by) / 2)))


def hex_points(module: Module, map_id: str, grids: Iterable[SheetGrid]) -> dict[str, Point]:
    """Every hex of a map with the pixel to which the engine snaps."""
    map = module.maps[map_id].hexes
    return {map.ids[n]: point for grid in grids for n, point in grid.centres.items()} if map else {}


def _shape(rings: Iterable[Iterable[tuple[float, float]]], spots: Iterable[tuple[float, float]]) -> Shape:
    points = tuple(dict.fromkeys((round(x), round(y)) for x, y in spots))
    return Shape(tuple(_whole(ring) for ring in rings), points)


def _whole(ring: Iterable[tuple[float, float]]) -> tuple[Point, ...]:
    """Whole pixels, without repeated points."""
    points: list[Point] = []
    for x, y in ring:
        point = (round(x), round(y))
        if not points or points[-1] != point:
            points.append(point)
    if len(points) > 1 and points[0] == points[-1]:
        points.pop()
    return tuple(points)


class Places(Drawn):
    """Maps as drawn, so that every place is where it is in the module, and faces by name only: to read a saved game."""

    def faces(self, counter_id: str, language: str) -> tuple[FacePicture, ...]:
        return Undrawn(self._module).faces(counter_id, language)


class Undrawn:
    """No pictures at all, for a check: a square for each space in one row, and faces by name.

    Whether outlines and spaces agree is for the drawing to say; a check must not wait for it.
    """

    def __init__(self, module: Module) -> None:
        self._module = module
        self._faces: dict[str, tuple[FacePicture, ...]] = {}  # the same in every language

    def board(self, map_id: str, language: str) -> BoardPicture:
        board = self._module.maps[map_id]
        hexes: dict[str, Point] = dict.fromkeys(board.hexes.ids, (0, 0)) if board.hexes else {}
        spaces = [space for space in board.spaces if space.id not in hexes]
        shapes = {space.id: _square(n * _BOX) for n, space in enumerate(spaces)}
        return BoardPicture("", _BOX * max(1, len(spaces)), _BOX, shapes, hexes=hexes)

    def faces(self, counter_id: str, language: str) -> tuple[FacePicture, ...]:
        found = self._faces.get(counter_id)
        if found is None:
            counter = self._module.counters[counter_id]
            more = counter.raw.get("faces", self._module.types[counter.type].raw.get("faces"))
            names = ("front", *(more if isinstance(more, dict) else ()))
            found = tuple(FacePicture(str(name), "", COUNTER_PIXELS, COUNTER_PIXELS) for name in names)
            self._faces[counter_id] = found
        return found

    def png(self, svg: str, width: int, height: int) -> bytes:
        return b""


_BOX = 8


def _square(x: int) -> Shape:
    ring = ((x, 0), (x + _BOX, 0), (x + _BOX, _BOX), (x, _BOX))
    return Shape((ring,), ((x + _BOX // 2, _BOX // 2),))
