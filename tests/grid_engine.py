"""VASSAL's hex grid arithmetic, written from its description alone and not used by the compiler: an oracle.

The numbers of the real engine in tests/data/grid/engine-vectors.json hold it to the truth.
"""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass, field

Point = tuple[int, int]
DEFAULT_WIDTH = math.sqrt(3) / 2 * 64


def single(value: float) -> float:
    """A number in single precision."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


def half_up(value: float) -> int:
    return math.floor(value + 0.5)


def contains(polygon: list[Point], x: float, y: float) -> bool:
    """Even-odd rule; left and top edges are inside, right and bottom edges outside."""
    inside = False
    for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if (y1 <= y) != (y2 <= y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


@dataclass(frozen=True)
class Engine:
    """One grid with its numbering on a board."""

    x0: int
    y0: int
    dy: float
    dx: float | None = None
    sideways: bool = False
    edges: bool = False
    corners: bool = False
    width: int = 500
    height: int = 400
    first: str = "H"
    sep: str = ""
    h_type: str = "N"
    v_type: str = "N"
    h_off: int = 1
    v_off: int = 1
    h_leading: int = 1
    v_leading: int = 1
    h_descend: bool = False
    v_descend: bool = False
    stagger: bool = True
    location_format: str = "$gridLocation$"
    step: float = field(init=False)

    def __post_init__(self) -> None:
        trap = self.dx is None or self.dx == DEFAULT_WIDTH
        object.__setattr__(self, "step", math.sqrt(3) / 2 * self.dy if trap else self.dx)

    # Snapping.

    def swap(self, p: Point) -> Point:
        return (p[1], p[0]) if self.sideways else p

    def raw_centre(self, nx: int, ny: int) -> Point:
        down = int(self.dy / 2) if nx % 2 else 0
        return int(self.step * nx + self.x0), int(self.dy * ny + down + self.y0)

    def hexagon(self, centre: Point) -> list[Point]:
        cx, cy = (single(v) for v in centre)
        r = single(2.0 * single(self.step) / 3.0)
        half = single(self.dy) / 2
        left, right, inner, outer = cx - r, cx + r, cx - r / 2, cx + r / 2
        top, bottom = half_up(single(cy - half)), half_up(single(cy + half)) + 1
        return [
            (half_up(single(left)), centre[1]),
            (half_up(single(inner)), top),
            (half_up(single(outer)) + 1, top),
            (half_up(single(right)) + 1, centre[1]),
            (half_up(single(outer)) + 1, bottom),
            (half_up(single(inner)), bottom),
        ]

    def hex_centre(self, p: Point) -> Point:
        x, y = self.swap(p)
        nx = math.floor((x - self.x0 + self.step / 2) / self.step)
        ny = math.floor((y - self.y0) / self.dy + (0 if nx % 2 else 0.5))
        near = [(-1, 0), (-1, 1), (1, 0), (1, 1)] if nx % 2 else [(-1, -1), (-1, 0), (1, -1), (1, 0)]
        for dx, dy in [(0, 0), *near]:
            centre = self.raw_centre(nx + dx, ny + dy)
            if contains(self.hexagon(centre), x, y):
                return self.swap(centre)
        return self.swap(self.raw_centre(nx, ny))

    def snap(self, p: Point) -> Point:
        centre = self.hex_centre(p)
        if not (self.edges or self.corners):
            return centre
        x, y = self.swap(p)
        side, vertex = self._side(x, y), self._vertex(x, y)
        chosen = side if not self.corners else vertex
        if self.edges and self.corners:
            chosen = side if _square(side, (x, y)) < _square(vertex, (x, y)) else vertex
        chosen = self.swap(chosen)
        return centre if _square(chosen, centre) <= 2 else chosen

    def _side(self, x: int, y: int) -> Point:
        m = math.floor((x - self.x0 + self.step / 4) * 2 / self.step)
        if m % 2:
            down = int(self.dy / 4)
            return int(self.step / 2 * m + self.x0), int(
                self.dy / 2 * math.floor((y - self.y0) * 2 / self.dy) + down + self.y0
            )
        n = math.floor((y - self.y0 + self.dy / 4) * 2 / self.dy)
        return int(self.step / 2 * m + self.x0), int(self.dy / 2 * n + self.y0)

    def _vertex(self, x: int, y: int) -> Point:
        n = math.floor((y - self.y0 + self.dy / 4) * 2 / self.dy)
        third = 2 * self.step / 3
        if n % 2:
            k = int(math.floor(x - self.x0 + third) * 3 / (2 * self.step))
            return int(third * k - int(self.step / 3) + self.x0), int(self.dy / 2 * n + self.y0)
        k = int(math.floor(x - self.x0 + self.step / 3) * 3 / (2 * self.step))
        return int(third * k + self.x0), int(self.dy / 2 * n + self.y0)

    # Names.

    @property
    def most_rows(self) -> int:
        return math.floor(self.height / self.step + 0.5)

    @property
    def most_columns(self) -> int:
        return math.floor(self.width / self.dy + 0.5)

    def _turned(self, column: int, row: int) -> tuple[int, int]:
        """Count down where the numbering does; its own inverse."""
        across, along = (
            (self.v_descend, self.h_descend) if self.sideways else (self.h_descend, self.v_descend)
        )
        most_across, most_along = (
            (self.most_rows, self.most_columns) if self.sideways else (self.most_columns, self.most_rows)
        )
        return most_across - column if across else column, most_along - row if along else row

    def _stagger(self) -> int:
        falls = self.h_descend if self.sideways else self.v_descend
        return -1 if falls else 1

    def name(self, p: Point) -> str:
        x, y = self.swap(p)
        raw = math.floor((x - self.x0) / self.step + 0.5)
        down = self.dy / 2 if half_up((x - self.x0) / self.step) % 2 else 0
        column, row = self._turned(raw, half_up((y - self.y0 - down) / self.dy))
        if self.stagger and raw % 2:
            row += self._stagger()
        h = _write(column + self.h_off, self.h_type, self.h_leading)
        v = _write(row + self.v_off, self.v_type, self.v_leading)
        both = (h, v) if self.first == "H" else (v, h)
        return self.location_format.replace("$gridLocation$", self.sep.join(both))

    def point(self, name: str) -> Point | None:
        """The engine's way back from a name."""
        parts = [_expression(self.h_type, self.h_leading), _expression(self.v_type, self.v_leading)]
        if self.first == "V":
            parts.reverse()
        before, after = self.location_format.split("$gridLocation$")
        inner = re.escape(self.sep).join(f"({part})" for part in parts)
        found = re.fullmatch(re.escape(before) + inner + re.escape(after), name)
        if found is None:
            return None
        h, v = found.groups() if self.first == "H" else reversed(found.groups())
        column, row = _read(h, self.h_type) - self.h_off, _read(v, self.v_type) - self.v_off
        if self.stagger and column % 2:
            row -= self._stagger()
        column, row = self._turned(column, row)
        x = int(column * self.step) + self.x0
        y = int(row * self.dy + (self.dy / 2 if column % 2 else 0)) + self.y0
        return self.swap((x, y))


def _square(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _write(value: int, kind: str, leading: int) -> str:
    sign, value = "-" if value < 0 else "", abs(value)
    if kind == "A":
        return sign + chr(65 + value % 26) * (value // 26 + 1)
    return sign + str(value).zfill(leading + 1)


def _expression(kind: str, leading: int) -> str:
    return (
        r"-?(?:" + "|".join(f"{chr(c)}+" for c in range(65, 91)) + ")"
        if kind == "A"
        else rf"-?[0-9]{{{leading + 1},}}"
    )


def _read(word: str, kind: str) -> int:
    if kind == "N":
        return int(word)
    sign, letters = (-1, word[1:]) if word.startswith("-") else (1, word)
    return sign * (ord(letters[0]) - 65 + 26 * (len(letters) - 1))
