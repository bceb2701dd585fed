"""Hex maps for VASSAL: the elements that make the engine name every hex as we do, and the engine's names read back.

In: what `compiler.grid.vassal` found for each sheet. Out: a grid for a map of one sheet, or a zone with a grid of its own
for each sheet. `HexNames` is the engine's numbering on snapped points, for reading other people's files and our own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import floor

from compiler.grid.vassal import EngineGrid, EngineNumbering, SheetGrid
from compiler.vassal.elements import Element, element, short_name

_BOARD = "m.map.boardPicker.board."
_DEFAULT_WIDTH = 55.42562584220407  # the engine takes this very width for "not given"


def hex_elements(grids: Iterable[SheetGrid], taken: Iterable[str]) -> Iterator[Element]:
    """Zones for sheets, or one grid behind all zones. `taken` are the names of zones that are there already."""
    names = set(taken)
    for grid in grids:
        inner = _grid(grid)
        for ring in grid.zones:
            yield element(
                f"{_BOARD}mapgrid.Zone",
                {
                    "name": _unused(grid.sheet or "hexes", names),
                    "path": ";".join(f"{x},{y}" for x, y in ring),
                    "locationFormat": "$gridLocation$",
                    "useParentGrid": False,
                    "useHighlight": False,
                },
                [inner],
            )
        if not grid.zones:
            yield inner


def _unused(wanted: str, names: set[str]) -> str:
    name, number = wanted, 1
    while name in names:
        number += 1
        name = f"{wanted} {number}"
    names.add(name)
    return name


def _grid(grid: SheetGrid) -> Element:
    if grid.grid is None or grid.numbering is None:
        regions = [
            element(f"{_BOARD}Region", {"name": name, "originx": x, "originy": y})
            for name, x, y in grid.regions
        ]
        return element(f"{_BOARD}RegionGrid", {"snapto": True, "visible": False, "fontsize": 9}, regions)
    return element(f"{_BOARD}HexGrid", _hex_grid(grid.grid), [_numbering(grid.numbering)])


def _hex_grid(grid: EngineGrid) -> dict[str, str | int | bool]:
    return {
        "x0": grid.x0,
        "y0": grid.y0,
        "dx": str(grid.dx),
        "dy": str(grid.dy),
        "sideways": grid.sideways,
        "snapTo": True,
        "edgesLegal": False,
        "cornersLegal": False,
        "visible": False,
        "dotsVisible": False,
        "color": "0,0,0",
    }


def _numbering(numbering: EngineNumbering) -> Element:
    return element(
        f"{_BOARD}mapgrid.HexGridNumbering",
        {
            "first": numbering.first,
            "sep": numbering.sep,
            "hType": numbering.h_type,
            "hLeading": numbering.h_leading,
            "hOff": numbering.h_off,
            "hDescend": numbering.h_descend,
            "vType": numbering.v_type,
            "vLeading": numbering.v_leading,
            "vOff": numbering.v_off,
            "vDescend": numbering.v_descend,
            "stagger": False,
            "locationFormat": numbering.location_format,
            "visible": False,
            "fontSize": 9,
            "color": "0,0,0",
            "rotateText": "0",
            "hDrawOff": 0,
            "vDrawOff": 0,
        },
    )


@dataclass(frozen=True, slots=True)
class HexNames:
    """A grid's own names of snapped points: of a hex grid with numbers, or of regions."""

    element: Element
    width: int
    height: int

    def name_at(self, x: int, y: int) -> str:
        if short_name(self.element.name) == "RegionGrid":
            return _nearest(self.element, x, y)
        numbering = next(iter(self.element.all(f"{_BOARD}mapgrid.HexGridNumbering")), None)
        return "" if numbering is None else self._numbered(numbering, x, y)

    def _numbered(self, numbering: Element, x: int, y: int) -> str:
        get = self.element.get
        try:
            sideways = get("sideways") == "true"
            dy = float(get("dy") or 64)
            dx = float(get("dx") or _DEFAULT_WIDTH)
            x0, y0 = int(get("x0") or 0), int(get("y0") or 32)
            a, b = (y, x) if sideways else (x, y)
            if dx == _DEFAULT_WIDTH:
                dx = dy * 3**0.5 / 2
            column = floor((a - x0) / dx + 0.5)
            odd = floor((a - x0) / dx + 0.5) % 2
            row = floor((b - y0 - (dy / 2 if odd else 0)) / dy + 0.5)
            return self._written(numbering, sideways, column, row, odd, dx, dy)
        except ValueError:
            return ""

    def _written(
        self, numbering: Element, sideways: bool, column: int, row: int, odd: int, dx: float, dy: float
    ) -> str:
        get = numbering.get
        rows, columns = floor(self.height / dx + 0.5), floor(self.width / dy + 0.5)
        down_column, down_row = (
            get("vDescend" if sideways else "hDescend"),
            get("hDescend" if sideways else "vDescend"),
        )
        if down_column == "true":
            column = (rows if sideways else columns) - column
        if down_row == "true":
            row = (columns if sideways else rows) - row
        if get("stagger", "true") == "true" and odd:
            row += -1 if down_row == "true" else 1
        across = _number(column + int(get("hOff") or 0), get("hType"), int(get("hLeading") or 0))
        along = _number(row + int(get("vOff") or 0), get("vType"), int(get("vLeading") or 0))
        parts = (across, along) if get("first", "H") == "H" else (along, across)
        place = get("sep").join(parts)
        return (get("locationFormat") or "$gridLocation$").replace("$gridLocation$", place)


def _number(value: int, kind: str, leading: int) -> str:
    sign = "-" if value < 0 else ""
    if kind == "A":
        return sign + chr(65 + abs(value) % 26) * (abs(value) // 26 + 1)
    return sign + str(abs(value)).rjust(leading + 1, "0")


def _nearest(grid: Element, x: int, y: int) -> str:
    best, found = None, ""
    for region in grid.all(f"{_BOARD}Region"):
        away = (int(region.get("originx") or 0) - x) ** 2 + (int(region.get("originy") or 0) - y) ** 2
        if best is None or away < best:
            best, found = away, region.get("name")
    return found


def grid_of(node: Element) -> Element | None:
    """The hex or region grid directly in a board, zoned grid or zone."""
    return next(
        (child for child in node.children if short_name(child.name) in ("HexGrid", "RegionGrid")), None
    )
