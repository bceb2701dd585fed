"""A hex map as the model's spaces, links and regions.

In come a `HexMap` and a resolver: the model's own reading of attributes against the vocabulary. Out go typed values,
hexes in the map's order. Attributes of a hex come from the map (`hexes.values`), its sheet, its letter and its own
entry, the later before the earlier; each is read once, however many hexes share it.

Every two hexes that touch have a link of the kind `grid`; two hexes whose letters share a way have one of that kind
too, unless a hexside bars it; and a hexside may open a way. Every link carries the kinds of its hexside as tags, also
those of roads and railways that cross it. Boxes and hand-made links are the model's own, as on any map.

The model is further right and calls this module, so it hands in its own types: `Makers(Space, Link, Region)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from compiler.findings import Place
from compiler.grid.features import line_values, side_values
from compiler.grid.hexmap import HexMap, Letter, Line, Raw
from compiler.grid.setup import obj, texts

if TYPE_CHECKING:
    from compiler.model.types import Link, Region, Source, Space, Value, Values

GRID = "grid"


@dataclass(frozen=True, slots=True)
class Makers:
    """The model's types."""

    space: type[Space]
    link: type[Link]
    region: type[Region]


class Resolver(Protocol):
    """What the model does for us; each method reports what it does not like."""

    def values(self, kind: str, raw: Raw, place: Place) -> dict[str, Value]:
        """The vocabulary attributes of a space, link or region, `kind` among them, read from an entry at a place."""

    def word(self, name: str, word: str, place: Place) -> None:
        """A kind or tag of links is used, at this place for the first time."""

    def power(self, value: object, place: Place) -> str | None:
        """The power that is named."""

    def source(self, raw: Raw, place: Place) -> Source | None:
        """Where the facts of an entry come from; an entry without `source` has that of its file."""


def to_model(
    map: HexMap, map_id: str, resolver: Resolver, make: Makers
) -> tuple[tuple[Space, ...], tuple[Link, ...], tuple[Region, ...]]:
    """Everything that stands in the map's own hexes, between them and around them."""
    return (
        tuple(_spaces(map, map_id, resolver, make)),
        tuple(_Links(map, resolver, make).all()),
        tuple(_regions(map, resolver, make)),
    )


def _spaces(map: HexMap, map_id: str, resolver: Resolver, make: Makers) -> Iterator[Space]:
    base = _Base(map, resolver)
    sources = [resolver.source(sheet.raw, sheet.place) for sheet in map.sheets]
    for n, id in enumerate(map.ids):
        values = base.of(n)
        entry = map.entries.get(n)
        if entry is None:
            kind, rest = values
            source = sources[map.owner[n]]
            yield make.space(id, kind, map_id, None, None, rest, source, map.cell_place(n))
            continue
        kind, own = _split(resolver.values("space", entry.raw, entry.place))
        label = entry.raw.get("label")
        owner = entry.raw.get("controller")
        yield make.space(
            id,
            kind or values[0],
            map_id,
            label if isinstance(label, str) else None,
            resolver.power(owner, entry.place / "controller") if owner is not None else None,
            {**values[1], **own},
            resolver.source(entry.raw, entry.place),
            entry.place,
        )


Split = tuple["str | None", "Values"]


def _split(values: dict[str, Value]) -> tuple[str | None, dict[str, Value]]:
    kind = values.pop("kind", None)
    return kind if isinstance(kind, str) else None, values


@dataclass(slots=True)
class _Base:
    """What a hex has from its map, sheet and letter, read once for each sheet and letter."""

    map: HexMap
    resolver: Resolver
    known: dict[tuple[int, str], Split] = field(default_factory=dict)
    letters: dict[str, dict[str, Value]] = field(default_factory=dict)
    sheets: dict[int, dict[str, Value]] = field(default_factory=dict)

    def of(self, number: int) -> Split:
        key = self.map.owner[number], self.map.letters[number]
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = _split({**self._sheet(key[0]), **self._letter(key[1])})
        return found

    def _sheet(self, number: int) -> dict[str, Value]:
        if number not in self.sheets:
            sheet = self.map.sheets[number]
            common = self.resolver.values("space", self.map.common, self.map.place / "hexes" / "values")
            own = self.resolver.values("space", obj(sheet.raw.get("values")), sheet.place / "values")
            self.sheets[number] = {**common, **own}
        return self.sheets[number]

    def _letter(self, letter: str) -> dict[str, Value]:
        if letter not in self.letters:
            entry = self.map.legend.get(letter)
            self.letters[letter] = self.resolver.values("space", entry.raw, entry.place) if entry else {}
        return self.letters[letter]


class _Links:
    """All links of the grid, then those of roads and railways."""

    def __init__(self, map: HexMap, resolver: Resolver, make: Makers) -> None:
        self.map, self.resolver, self.link = map, resolver, make.link
        self.side_values = [
            _split(self._values(side_values(line.raw), line.place))[1] for line in map.side_lines
        ]
        self.shared: dict[tuple[str, str], tuple[str, ...]] = {}
        self._words()

    def _values(self, raw: Raw, place: Place) -> dict[str, Value]:
        return self.resolver.values("link", raw, place) if raw else {}

    def _words(self) -> None:
        """Tell the resolver every kind and tag once, where it is first used."""
        seen: dict[tuple[str, str], Place] = {("kind", GRID): self.map.place / "hexes"}
        for letter in self.map.legend.values():
            for way in letter.ways:
                seen.setdefault(("kind", way), letter.place / "ways")
        for side in self.map.side_lines:
            seen.setdefault(("tags", side.kind), side.place / "kind")
            for way in self.map.side_kinds[side.kind].opens if side.kind in self.map.side_kinds else ():
                seen.setdefault(("kind", way), self.map.place / "side_kinds" / side.kind / "opens")
        for line in self.map.lines:
            seen.setdefault(("kind", line.kind), line.place / "kind")
            for tag in texts(line.raw.get("tags")):
                seen.setdefault(("tags", tag), line.place / "tags")
        for (name, word), place in seen.items():
            self.resolver.word(name, word, place)

    def all(self) -> Iterator[Link]:
        yield from self._grid()
        for line in self.map.lines:
            yield from self._line(line)

    def _grid(self) -> Iterator[Link]:
        ids, place, link = self.map.ids, self.map.place, self.link
        nothing: Values = {}
        for key, a, b in self.map.inner_sides():
            ways = self._shared_ways(a, b)
            lines = self.map.sides.get(key)
            if lines is None:
                yield link(None, GRID, (), ids[a], ids[b], False, nothing, place)
                for way in ways:
                    yield link(None, way, (), ids[a], ids[b], False, nothing, place)
                continue
            at = self.map.side_lines[lines[0]].place
            tags, values = self.tags(key), self._merged(lines)
            for way in (GRID, *self._changed(ways, tags)):
                yield link(None, way, tags, ids[a], ids[b], False, values, at)

    def _shared_ways(self, a: int, b: int) -> tuple[str, ...]:
        pair = self.map.letters[a], self.map.letters[b]
        found = self.shared.get(pair)
        if found is None:
            one, two = (self._ways(self.map.legend.get(letter)) for letter in pair)
            found = self.shared[pair] = tuple(way for way in one if way in two and way != GRID)
        return found

    @staticmethod
    def _ways(letter: Letter | None) -> tuple[str, ...]:
        return letter.ways if letter else ()

    def _changed(self, ways: tuple[str, ...], tags: tuple[str, ...]) -> Iterator[str]:
        """The ways across a hexside: one that is barred by any of its kinds stays barred."""
        kinds = [self.map.side_kinds[tag] for tag in tags if tag in self.map.side_kinds]
        opened = [way for kind in kinds for way in kind.opens if way != GRID]
        for way in dict.fromkeys((*ways, *opened)):
            if not any(way in kind.bars for kind in kinds):
                yield way

    def tags(self, key: int) -> tuple[str, ...]:
        kinds = (self.map.side_lines[n].kind for n in self.map.sides.get(key, ()))
        return tuple(dict.fromkeys(kinds))

    def _merged(self, lines: tuple[int, ...]) -> Values:
        merged: dict[str, Value] = {}
        for n in lines:
            merged.update(self.side_values[n])
        return merged

    def _line(self, line: Line) -> Iterator[Link]:
        values = _split(self._values(line_values(line.raw), line.place))[1]
        own = texts(line.raw.get("tags"))
        one_way = line.raw.get("one_way") is True
        for (a, b), place in zip(line.steps, line.places, strict=True):
            tags = tuple(dict.fromkeys((*own, *self._crossed(a, b))))
            yield self.link(
                line.id, line.kind, tags, self.map.name(a), self.map.name(b), one_way, values, place
            )

    def _crossed(self, a: int, b: int) -> tuple[str, ...]:
        if max(a, b) >= len(self.map):
            return ()
        for d in range(6):
            if self.map.neighbours[6 * a + d] == b:
                return self.tags(self.map.side(a, d))
        return ()


def _regions(map: HexMap, resolver: Resolver, make: Makers) -> Iterator[Region]:
    for area in map.regions:
        kind, values = _split(resolver.values("region", _attributes(area.raw), area.place))
        owner = area.raw.get("owner")
        power = resolver.power(owner, area.place / "owner") if owner is not None else None
        yield make.region(area.id, kind, power, tuple(map.name(n) for n in area.members), values, area.place)


_OUTLINE = frozenset({"inside", "outline", "behind"})


def _attributes(raw: Raw) -> Mapping[str, object]:
    return {name: value for name, value in raw.items() if name not in _OUTLINE}
