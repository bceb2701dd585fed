"""The pictures a module is made of, as this pass wants them: whole pixels, sizes known, nothing rasterised yet.

`Drawn` takes them from `compiler.draw`. Tests give their own. A picture becomes a PNG only in a build: a check needs the
names, sizes and outlines alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

from compiler.model.types import Module

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


@dataclass(frozen=True, slots=True)
class FacePicture:
    """One face of a counter. `name` is what the scenario's `face` says."""

    name: str
    svg: str
    width: int
    height: int


class Drawings(Protocol):
    """Where the pictures come from."""

    def board(self, map_id: str, language: str) -> BoardPicture: ...

    def faces(self, counter_id: str, language: str) -> tuple[FacePicture, ...]: ...

    def png(self, svg: str, width: int, height: int) -> bytes: ...


def fingerprint(svg: str) -> str:
    """What stands for a picture in the lock file: its drawing, not its pixels, which a new rasteriser may change."""
    return hashlib.sha256(svg.encode("utf-8")).hexdigest()[:16]


class Drawn:
    """The pictures of `compiler.draw` for one module. Each is drawn once."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self.board = cache(self._board)  # type: ignore[method-assign]
        self.faces = cache(self._faces)  # type: ignore[method-assign]

    def board(self, map_id: str, language: str) -> BoardPicture:
        return self._board(map_id, language)

    def faces(self, counter_id: str, language: str) -> tuple[FacePicture, ...]:
        return self._faces(counter_id, language)

    def png(self, svg: str, width: int, height: int) -> bytes:
        from compiler.draw import rasterise

        return rasterise(svg, width, height, 1)

    def _board(self, map_id: str, language: str) -> BoardPicture:
        from compiler.draw import draw_map

        drawn = draw_map(self._module, map_id, language)
        shapes = {
            id: _shape(shape.polygons, (shape.anchor, *shape.spots)) for id, shape in drawn.spaces.items()
        }
        squares = {number: (round(x), round(y)) for number, (x, y) in drawn.squares.items()}
        return BoardPicture(drawn.svg, drawn.width, drawn.height, shapes, squares, drawn.counter)

    def _faces(self, counter_id: str, language: str) -> tuple[FacePicture, ...]:
        from compiler.draw import draw_counter

        faces = draw_counter(self._module, counter_id, language, self._size())
        return tuple(FacePicture(face.name, face.svg, face.width, face.height) for face in faces)

    def _size(self) -> int:
        """As large as the first map wants them: there they are used most."""
        first = next(iter(self._module.maps), None)
        return self.board(first, self._module.languages[0]).counter if first else COUNTER_PIXELS


def _shape(rings: object, spots: object) -> Shape:
    return Shape(
        tuple(_whole(ring) for ring in rings),  # type: ignore[attr-defined]
        tuple(dict.fromkeys((round(x), round(y)) for x, y in spots)),  # type: ignore[attr-defined]
    )


def _whole(ring: object) -> tuple[Point, ...]:
    """Whole pixels, without repeated points."""
    points: list[Point] = []
    for x, y in ring:  # type: ignore[attr-defined]
        point = (round(x), round(y))
        if not points or points[-1] != point:
            points.append(point)
    if len(points) > 1 and points[0] == points[-1]:
        points.pop()
    return tuple(points)
