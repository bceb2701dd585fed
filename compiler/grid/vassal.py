"""The same hexes for VASSAL: for each sheet a HexGrid with its numbering, or regions where numbers cannot say it.

What is promised: at the centre to which the engine snaps, the engine's name of the place is the hex's canonical id, and
the engine's own way back from that id ends in the same hex. The engine knows columns with every second one half a hex
lower (or rows with every second one further right), numbered up or down from any start, digits with leading zeros or
doubled letters. A sheet turned by 60 degrees, slanted numbers, small letters and letters that go on with AA, AB have no
such numbering: their hexes become regions, each with its id, and the nearest region is the hex.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

from compiler.grid.hexes import Corner, Hex, corner, hexes_of_corner
from compiler.grid.hexmap import NONE, HexMap, Sheet
from compiler.grid.numbering import Field, Numbering
from compiler.grid.pixels import Layout
from compiler.grid.placing import Picture

Pixel = tuple[int, int]


@dataclass(frozen=True, slots=True)
class EngineGrid:
    """HexGrid attributes, as written in the file: with `sideways`, x0 and dx go down and y0 and dy to the right."""

    sideways: bool
    x0: int
    y0: int
    dx: float
    dy: float

    def moved(self, dx: int, dy: int) -> EngineGrid:
        across, along = (dy, dx) if self.sideways else (dx, dy)
        return replace(self, x0=self.x0 + across, y0=self.y0 + along)

    def centre(self, column: int, row: int) -> Pixel:
        """The pixel to which the engine snaps in its own column and row, with the engine's own rounding."""
        down = int(self.dy / 2) if column % 2 else 0
        x, y = int(self.dx * column + self.x0), int(self.dy * row + down + self.y0)
        return (y, x) if self.sideways else (x, y)


@dataclass(frozen=True, slots=True)
class EngineNumbering:
    """HexGridNumbering attributes. `stagger` is always false."""

    first: str
    sep: str
    h_type: str
    h_leading: int
    h_off: int
    h_descend: bool
    v_type: str
    v_leading: int
    v_off: int
    v_descend: bool
    location_format: str


@dataclass(frozen=True, slots=True)
class SheetGrid:
    """How VASSAL is told about hexes whose canonical id a sheet gives: all of them, or a piece that hangs together.

    `zones` is the outline of these hexes in pixels; a map with one sheet needs none. Either `grid` and `numbering` are
    there, or `regions` and the reason `why`. `reach`: no pixel of a hex is further from its middle.
    """

    sheet: str
    zones: tuple[tuple[Pixel, ...], ...]
    grid: EngineGrid | None
    numbering: EngineNumbering | None
    regions: tuple[tuple[str, int, int], ...]
    why: str | None
    reach: int
    centres: dict[int, Pixel]  # number of the hex → where its pieces stand

    def on_board(self, left: int, top: int, right: int, bottom: int) -> SheetGrid | None:
        """The same hexes on a board that is this rectangle of the picture; none if no hex of the sheet touches it.

        Zones and grids go on beyond the board: a hex that it only touches is named and snapped to as anywhere else.
        Of regions only those of such hexes are there.
        """
        rings = tuple(tuple((x - left, y - top) for x, y in ring) for ring in self.zones)
        if all(_apart(ring, right - left, bottom - top) for ring in rings):
            return None
        reach = self.reach

        def near(x: int, y: int) -> bool:
            return left - reach <= x <= right + reach and top - reach <= y <= bottom + reach

        return replace(
            self,
            zones=rings,
            grid=self.grid.moved(-left, -top) if self.grid else None,
            regions=tuple((name, x - left, y - top) for name, x, y in self.regions if near(x, y)),
            centres={n: (x - left, y - top) for n, (x, y) in self.centres.items() if near(x, y)},
        )


def _apart(ring: tuple[Pixel, ...], width: int, height: int) -> bool:
    """Whether a ring's box does not touch a board of this size."""
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    return max(xs) < 0 or max(ys) < 0 or min(xs) >= width or min(ys) >= height


def plan(map: HexMap, picture: Picture, *, cut: bool = False) -> tuple[SheetGrid, ...]:
    """One entry for a map of one sheet, else one for each piece of a sheet, the smaller ones first, as zones need it.

    On a picture that is `cut` into boards a single sheet is a zone too: a zone counts numbers down from its own size,
    wherever a board ends.
    """
    owned: dict[int, list[int]] = defaultdict(list)
    for number, owner in enumerate(map.owner):
        owned[owner].append(number)
    if len(owned) == 1 and not cut:
        return tuple(_sheet_grid(map, picture, map.sheets[n], hexes, False) for n, hexes in owned.items())
    pieces = [(len(piece), n, piece) for n, hexes in owned.items() for piece in _pieces(map, hexes)]
    return tuple(_sheet_grid(map, picture, map.sheets[n], piece, True, cut) for _, n, piece in sorted(pieces))


def _pieces(map: HexMap, hexes: list[int]) -> Iterator[list[int]]:
    """Hexes in groups that hang together, each in the order of the map."""
    left = set(hexes)
    for first in hexes:
        if first not in left:
            continue
        left.discard(first)
        piece, waiting = [first], [first]
        while waiting:
            for other in map.around(waiting.pop()):
                if other in left:
                    left.discard(other)
                    piece.append(other)
                    waiting.append(other)
        yield sorted(piece)


def _sheet_grid(
    map: HexMap, picture: Picture, sheet: Sheet, hexes: list[int], several: bool, cut: bool = False
) -> SheetGrid:
    layout = picture.layouts[sheet.part]
    zones = tuple(outlines(map, layout, hexes)) if several else ()
    why, reach = obstacle(sheet) or (_fractions(layout) if cut else None), ceil(layout.along)
    if why is None:
        raw = _Raw(sheet, layout, [map.hexes[n] for n in hexes])
        centres = {n: raw.grid.centre(*raw.of(map.hexes[n])) for n in hexes}
        size = _extent(zones[0]) if zones else (picture.width, picture.height)
        return SheetGrid(sheet.id, zones, raw.grid, _numbering(sheet, raw, size), (), None, reach, centres)
    centres = {n: _pixel(layout, map.hexes[n]) for n in hexes}
    regions = tuple((map.ids[n], *centres[n]) for n in hexes)
    return SheetGrid(sheet.id, zones, None, None, regions, why, reach, centres)


def _extent(ring: tuple[Pixel, ...]) -> tuple[int, int]:
    """Width and height of a zone, which the engine takes for the board's when it counts down."""
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    return max(xs) - min(xs), max(ys) - min(ys)


def obstacle(sheet: Sheet) -> str | None:
    """Why the engine's numbering cannot say this sheet's ids; None if it can."""
    pattern, frame = sheet.numbering.pattern, sheet.numbering.frame
    if sheet.turn % 3:
        return "the sheet is turned, so that its columns run across the engine's columns"
    if frame.shifted == "each":
        return "every column lies further than the one before, and the engine shifts only every second one"
    for field in (pattern.first, pattern.second):
        if field.style != "digits" and field.small:
            return "the engine has no small letters"
        if field.style == "letters" and max(_numbers(sheet.numbering, field)) > 26:
            return "after Z the engine goes on with AA, BB, not with AA, AB"
    return _unreadable(sheet.numbering)


def _fractions(layout: Layout) -> str | None:
    """The engine cuts fractions toward zero, so that left of a board's first pixel a hex has another middle than right of it."""
    whole = all(v.denominator == 1 for v in (layout.across, layout.along / 2, layout.x0, layout.y0))
    return None if whole else "the picture is cut, and the middles of its hexes are no whole pixels"


def _unreadable(numbering: Numbering) -> str | None:
    """The engine takes the first number as long as it can be, so the second must have its least width everywhere."""
    first, second, between = numbering.pattern.first, numbering.pattern.second, numbering.pattern.between
    digits = first.style == second.style == "digits"
    if between:
        inside = any(c.isdigit() if digits else c.isalnum() for c in between)
        return "the engine could take what stands between the numbers for a part of them" if inside else None
    if not digits:
        both = first.style != "digits" and second.style != "digits"
        return "the engine cannot part letters from letters" if both else None
    widest = max(len(str(abs(n))) for n in (*_numbers(numbering, second), 0))
    if widest > second.width or min(_numbers(numbering, second)) < 0:
        return "the engine cannot part the numbers: the second one has not always the same width"
    return None


def _numbers(numbering: Numbering, field: Field) -> tuple[int, int]:
    return numbering.frame.columns if field.axis == "c" else numbering.frame.rows


class _Raw:
    """The engine's own columns and rows on one sheet. Its columns run to the right on flat hexes, down on pointy ones.

    The engine's column 0 is the first with hexes, or the one before it if that would put the wrong columns lower.
    """

    def __init__(self, sheet: Sheet, layout: Layout, hexes: list[Hex]) -> None:
        frame = sheet.numbering.frame
        self.flat = frame.shape == "flat"
        lower = (frame.shifted == "odd") != (
            sheet.turn == 3
        )  # whether odd numbers are the ones that lie lower
        first = min(self._major(at) for at in hexes)
        self.sign = self._sign(sheet, 1, 0), self._sign(sheet, 0, 1)
        self.number = self._number_at(sheet, first)
        if (self.number % 2 == 1) == lower:
            first, self.number = first - 1, self.number - self.sign[0 if self.flat else 1]
        self.first = first
        rows = frame.rows if self.flat else frame.columns
        self.start = min(rows, key=lambda n: self._height(self._hex(sheet, n)))
        self.origin = self._hex(sheet, self.start)
        x, y = _pixel(layout, self.origin)
        dx, dy = float(layout.across), float(layout.along)
        self.grid = EngineGrid(not self.flat, x if self.flat else y, y if self.flat else x, dx, dy)

    def of(self, at: Hex) -> tuple[int, int]:
        column = self._major(at) - self.first
        half_steps = self._height(at) - self._height(self.origin)
        return column, (half_steps - column % 2) // 2

    def _major(self, at: Hex) -> int:
        return at[0] if self.flat else at[1]

    def _height(self, at: Hex) -> int:
        """How far along the engine's columns, in half hexes."""
        return at[0] + 2 * at[1] if self.flat else 2 * at[0] + at[1]

    def _hex(self, sheet: Sheet, minor: int) -> Hex:
        return sheet.hex_of(self.number, minor) if self.flat else sheet.hex_of(minor, self.number)

    def _number_at(self, sheet: Sheet, major: int) -> int:
        numbers = sheet.numbers_of((major, 0) if self.flat else (0, major))
        return numbers[0] if self.flat else numbers[1]

    @staticmethod
    def _sign(sheet: Sheet, right: int, down: int) -> int:
        """Whether printed numbers grow (1) or fall (-1) to the right, or downwards, as the sheet lies."""
        frame = sheet.numbering.frame
        ends = frame.columns if right else frame.rows
        return (1 if ends[0] <= ends[1] else -1) * (-1 if sheet.turn == 3 else 1)


def _numbering(sheet: Sheet, raw: _Raw, size: tuple[int, int]) -> EngineNumbering:
    pattern = sheet.numbering.pattern
    across, along = (
        (pattern.field("c"), pattern.field("r")) if raw.flat else (pattern.field("r"), pattern.field("c"))
    )
    sign_across, sign_along = raw.sign if raw.flat else (raw.sign[1], raw.sign[0])
    # Not the number of columns and rows, but what the engine takes for it when it counts down.
    columns = floor(size[0] / raw.grid.dy + 0.5)
    rows = floor(size[1] / raw.grid.dx + 0.5)
    most_across, most_along = (columns, rows) if raw.flat else (rows, columns)
    h_off = _offset(across, raw.number, sign_across, most_across)
    v_off = _offset(along, raw.start, sign_along, most_along)
    down_across, down_along = sign_across < 0, sign_along < 0
    return EngineNumbering(
        first="H" if pattern.first is across else "V",
        sep=pattern.between,
        h_type=_type(across),
        h_leading=across.width - 1,
        h_off=h_off,
        h_descend=down_across if raw.flat else down_along,
        v_type=_type(along),
        v_leading=along.width - 1,
        v_off=v_off,
        v_descend=down_along if raw.flat else down_across,
        location_format=f"{pattern.before}$gridLocation${pattern.after}",
    )


def _offset(field: Field, start: int, sign: int, most: int) -> int:
    number = start if field.style == "digits" else start - 1  # the engine's A is 0
    return number if sign > 0 else number - most


def _type(field: Field) -> str:
    return "N" if field.style == "digits" else "A"


def _pixel(layout: Layout, at: Hex) -> Pixel:
    x, y = layout.centre(at)
    return _whole(x), _whole(y)


def _whole(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def outlines(map: HexMap, layout: Layout, hexes: Iterable[int]) -> Iterator[tuple[Pixel, ...]]:
    """The outer outlines of a set of hexes, clockwise, in whole pixels. Holes have no outline."""
    inside = set(hexes)
    onward: dict[Corner, list[Corner]] = defaultdict(list)
    for n in inside:
        for d in range(6):
            other = map.neighbours[6 * n + d]
            if other == NONE or other not in inside:
                onward[corner(map.hexes[n], d - 1)].append(corner(map.hexes[n], d))
    while onward:
        loop = _loop(onward)
        points = [_corner_pixel(layout, at) for at in loop]
        if _twice_area(points) > 0:
            yield tuple(points)


def _loop(onward: dict[Corner, list[Corner]]) -> list[Corner]:
    """Three hexes meet at a corner, so that at most one outline passes it: the way on is never in doubt."""
    first = at = next(iter(onward))
    loop = []
    while at in onward:
        loop.append(at)
        at = onward.pop(at)[0]
        if at == first:
            break
    return loop


def _corner_pixel(layout: Layout, at: Corner) -> Pixel:
    three = [layout.centre(near) for near in hexes_of_corner(at)]
    return _whole(sum((x for x, _ in three), Fraction(0)) / 3), _whole(
        sum((y for _, y in three), Fraction(0)) / 3
    )


def _twice_area(points: list[Pixel]) -> int:
    """Positive for an outline that runs clockwise on the screen."""
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)
