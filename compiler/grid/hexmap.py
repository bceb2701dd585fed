"""A hex map as read: every hex once, with its ids, its place on the lattice and what lies in it, on it and between.

Hexes are numbered 0, 1, 2 … in the order of the file: sheet by sheet, row by row. Boxes beside the map follow after
them. Ids are canonical: the id that the first sheet in the file gives to a hex; `index` knows the other ids as well.
The sheets of one *part* lie on one lattice; hexes of different parts are never neighbours.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from compiler.findings import Place
from compiler.grid.hexes import (
    COMPASS,
    Corner,
    Hex,
    Shape,
    Side,
    distance,
    hexside,
    ring,
    touched,
    turned,
    within,
)
from compiler.grid.numbering import Numbering

Raw = Mapping[str, object]
NONE = -1
UNKNOWN = "?"  # the letter of a hex whose own letter could not be read: it was reported


@dataclass(frozen=True, slots=True)
class Sheet:
    """One printed sheet. `turn` counts sixths clockwise; `shift` is where its own hex (0, 0) lies on its part."""

    id: str
    numbering: Numbering
    turn: int
    part: int
    shift: Hex
    cut: tuple[str, ...]
    raw: Raw
    place: Place

    def to_map(self, own: Hex) -> Hex:
        q, r = turned(own, self.turn)
        return q + self.shift[0], r + self.shift[1]

    def to_own(self, at: Hex) -> Hex:
        return turned((at[0] - self.shift[0], at[1] - self.shift[1]), -self.turn)

    def hex_of(self, column: int, row: int) -> Hex:
        return self.to_map(self.numbering.frame.to_hex(column, row))

    def numbers_of(self, at: Hex) -> tuple[int, int]:
        return self.numbering.frame.to_numbers(self.to_own(at))

    def direction(self, name: str) -> int | None:
        """The direction on the map of a compass point as printed on this sheet."""
        names = COMPASS[self.numbering.frame.shape]
        return (names.index(name) + self.turn) % 6 if name in names else None


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter of the legend. `water` is "all", "part" or none; `ways` are the kinds of links it takes part in."""

    letter: str
    raw: Raw
    ways: tuple[str, ...]
    water: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class SideLine:
    """Hexsides of one kind: a river, a border. `sides` are keys, in order; of a chain, `corners` are those along it."""

    kind: str
    id: str | None
    sides: tuple[int, ...]
    places: tuple[Place, ...]
    corners: tuple[Corner, ...] | None
    raw: Raw
    place: Place


@dataclass(frozen=True, slots=True)
class Line:
    """A road or railway through hexes. `steps` are the pairs of hexes it joins, in order."""

    kind: str
    id: str | None
    steps: tuple[tuple[int, int], ...]
    places: tuple[Place, ...]
    raw: Raw
    place: Place


@dataclass(frozen=True, slots=True)
class Area:
    """A region: numbers of hexes and boxes, without repetition, in written order."""

    id: str
    members: tuple[int, ...]
    raw: Raw
    place: Place


@dataclass(frozen=True, slots=True)
class Entry:
    """What the file says about one hex besides its letter."""

    raw: Raw
    place: Place


@dataclass(frozen=True, slots=True)
class SideKind:
    """What a kind of hexside does to links: it bars some ways and opens others."""

    bars: frozenset[str]
    opens: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HexMap:
    """See the module's own words. `neighbours` has six numbers a hex, by direction, NONE where there is no hex."""

    shape: Shape
    sheets: tuple[Sheet, ...]
    ids: tuple[str, ...]
    index: Mapping[str, int]  # every id and alias of hexes and boxes
    sheet_of: Mapping[str, int]  # the sheet by which an id is written
    parts: array[int]
    hexes: tuple[Hex, ...]
    where: Mapping[tuple[int, int, int], int]  # part, q, r
    neighbours: array[int]
    owner: array[int]  # the sheet that gives the canonical id
    letters: Sequence[str]
    legend: Mapping[str, Letter]
    cells: Sequence[tuple[int, int, int]]  # sheet, line of its terrain, character: where the letter stands
    aliases: Mapping[int, tuple[str, ...]]
    halves: Mapping[int, tuple[str, ...]]  # hexes cut by the edge of the map, and by which
    boxes: tuple[str, ...]
    entries: Mapping[int, Entry]
    side_kinds: Mapping[str, SideKind]
    side_lines: tuple[SideLine, ...]
    sides: Mapping[int, tuple[int, ...]]  # key of a hexside → numbers of its side_lines
    lines: tuple[Line, ...]
    regions: tuple[Area, ...]
    common: Raw  # attributes of every hex
    place: Place

    def __len__(self) -> int:
        return len(self.ids)

    def name(self, number: int) -> str:
        """The canonical id of a hex, or the id of a box."""
        return self.ids[number] if number < len(self.ids) else self.boxes[number - len(self.ids)]

    def canonical(self, id: str) -> str | None:
        """The own id of the hex or box that an id or alias names."""
        number = self.index.get(id)
        return None if number is None else self.name(number)

    def around(self, number: int) -> list[int]:
        """The neighbours of a hex that exist, by direction."""
        return [n for n in self.neighbours[6 * number : 6 * number + 6] if n != NONE]

    def distance(self, a: int, b: int) -> int | None:
        """Steps between two hexes of one part, whether there are hexes between them or not."""
        if self.parts[a] != self.parts[b]:
            return None
        return distance(self.hexes[a], self.hexes[b])

    def within(self, number: int, radius: int) -> list[int]:
        """The hexes at this distance or less, as the crow flies, nearest first, the hex itself included."""
        return self._existing(number, within(self.hexes[number], radius))

    def ring(self, number: int, radius: int) -> list[int]:
        """The hexes at exactly this distance, as the crow flies, clockwise."""
        return self._existing(number, ring(self.hexes[number], radius))

    def touched(self, a: int, b: int) -> list[int]:
        """The hexes that the straight line between two centres touches, nearest to a first; of two parts, none."""
        if self.parts[a] != self.parts[b]:
            return []
        start = self.hexes[a]
        way = sorted(touched(start, self.hexes[b]), key=lambda at: (distance(start, at), at))
        return self._existing(a, way)

    def _existing(self, number: int, hexes: Iterable[Hex]) -> list[int]:
        part = self.parts[number]
        found = (self.where.get((part, q, r)) for q, r in hexes)
        return [n for n in found if n is not None]

    def side(self, number: int, direction: int) -> int:
        """The one key of a hexside: 6 × the lower of its two hexes + the direction from there."""
        other = self.neighbours[6 * number + direction % 6]
        if other != NONE and other < number:
            return 6 * other + (direction + 3) % 6
        return 6 * number + direction % 6

    def hexes_of_side(self, key: int) -> tuple[int, int]:
        """The two hexes of a hexside; the second is NONE at the edge of the map."""
        return key // 6, self.neighbours[key]

    def lattice_side(self, key: int) -> Side:
        return hexside(self.hexes[key // 6], key % 6)

    def side_name(self, key: int) -> str:
        """`id/id`, or at the edge of the map `id/direction`, with the direction as printed on the hex's sheet."""
        a, b = self.hexes_of_side(key)
        if b != NONE:
            return f"{self.ids[a]}/{self.ids[b]}"
        sheet = self.sheets[self.owner[a]]
        return f"{self.ids[a]}/{COMPASS[self.shape][(key - sheet.turn) % 6]}"

    def inner_sides(self) -> Iterator[tuple[int, int, int]]:
        """Every hexside between two hexes once: its key and the two hexes."""
        for key, other in enumerate(self.neighbours):
            if other > key // 6:
                yield key, key // 6, other

    def water(self, number: int) -> str | None:
        letter = self.legend.get(self.letters[number])
        return letter.water if letter else None

    def cell_place(self, number: int) -> Place:
        """The letter of a hex in the file."""
        sheet, line, at = self.cells[number]
        return (self.sheets[sheet].place / "terrain" / line).chars(at, at + 1)
