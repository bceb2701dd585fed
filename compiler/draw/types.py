"""What the drawing hands to other passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compiler.draw.place import XY, Box
from compiler.findings import Finding
from compiler.grid.cuts import LARGEST, Part, parts
from compiler.grid.vassal import SheetGrid


@dataclass(frozen=True, slots=True)
class SpaceShape:
    """A space in picture pixels: closed rings (several parts if cut by the edge), a point in it, places for stacks."""

    space: str
    polygons: tuple[tuple[XY, ...], ...]
    anchor: XY
    spots: tuple[XY, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """One drawn name with its box. `within` names the spaces whose area holds the box."""

    space: str
    text: str
    size: float
    box: Box
    within: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawnMap:
    """A map as drawn. `squares` are the middles of the track's squares by number; `collisions` is 0 in a good map."""

    svg: str
    width: int
    height: int
    spaces: Mapping[str, SpaceShape]
    labels: tuple[Label, ...]
    squares: Mapping[int, XY]
    collisions: int
    counter: int
    findings: tuple[Finding, ...] = ()
    grids: tuple[SheetGrid, ...] = ()  # of a hex map: the same hexes as VASSAL is told of them
    most: int = LARGEST  # px a side that a board may have: a larger picture is cut

    @property
    def parts(self) -> tuple[Part, ...]:
        """The boards that the picture is cut into; most pictures are one."""
        return parts(self.width, self.height, self.most)
