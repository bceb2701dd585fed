"""Hex maps: read by `compiler.grid`, checked against the vocabulary, and declared like any other spaces.

In: the files of one map with `"kind": "hex"`. Out: names of all hexes, with every other id of a hex as an alias, and the
typed spaces, links and regions. The words of the legend and of hexsides and lines become texts of the module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from compiler.findings import Place, error
from compiler.grid.hexmap import HexMap, Line, SideLine
from compiler.grid.model import Makers, to_model
from compiler.grid.terrain import read_hex_map
from compiler.model.context import Context
from compiler.model.files import Group
from compiler.model.names import Names
from compiler.model.properties import known
from compiler.model.read import Object, obj
from compiler.model.sources import entry_source, file_source, need_source
from compiler.model.types import Link, Region, Source, Space, Value
from compiler.model.values import read_values
from compiler.model.vocabulary import READ, want_word
from compiler.source.document import Document
from compiler.suggest import suggest

_MAKE = Makers(Space, Link, Region)


def declare_hexes(ctx: Context, group: Group) -> int:
    """Read the grid of a hex map and enter its ids, aliases and texts; gives the number of hexes."""
    first, *parts = [(obj(document.value), Place(document)) for document in group]
    map, findings = read_hex_map(*first, parts)
    for finding in findings:
        ctx.report(finding)
    ctx.grids[group[0]] = map
    _declare_ids(ctx, map)
    _want_words(ctx, map, group)
    return len(map)


def _declare_ids(ctx: Context, map: HexMap) -> None:
    names = ctx.names
    for n, id in enumerate(map.ids):
        entry = map.entries.get(n)
        place = entry.place if entry else map.cell_place(n)
        if names.declare("space", id, place, at=place):
            ctx.want(f"space.{id}", place, entry.raw if entry else {}, required=False, instead=id)
    for alias, number in map.index.items():
        if alias != map.name(number):
            names.alias("space", alias, map.name(number))
    for line in map.lines:
        if line.id is not None and names.place_of("link", line.id) is None:
            names.declare("link", line.id, line.place)


def _want_words(ctx: Context, map: HexMap, group: Group) -> None:
    """Texts that the picture shows: words of terrains, hexsides and lines; names of rivers and roads, where given."""
    for letter in sorted(map.legend.values(), key=lambda letter: "name" not in letter.raw):
        _want_word(ctx, "space", "terrain", letter.raw.get("terrain"), letter.place, letter.raw)
    for document in group:
        for kind, raw in obj(obj(document.value).get("side_kinds")).items():
            _want_word(ctx, "link", "tags", kind, Place(document, ("side_kinds", kind)), obj(raw))
    for side in map.side_lines:
        want_word(ctx, "link", "tags", side.kind)
    for line in map.lines:
        want_word(ctx, "link", "kind", line.kind)
    named: list[SideLine | Line] = [*map.side_lines, *map.lines]
    for item in named:
        id = f"link.{item.id}"
        if item.id is not None and id not in ctx.worded:
            ctx.worded.add(id)
            ctx.want(id, item.place, item.raw, required=False)


def _want_word(ctx: Context, kind: str, name: str, word: object, place: Place, raw: Object) -> None:
    """A word that may have its name on the map itself; else it is wanted where it is declared."""
    id = f"{READ[kind, name]}.{word}"
    if "name" in raw and id not in ctx.worded:
        ctx.worded.add(id)
        ctx.want(id, place, raw)
    elif isinstance(word, str):
        want_word(ctx, kind, name, word)


def build_hexes(
    ctx: Context, document: Document, map_name: str
) -> tuple[tuple[Space, ...], tuple[Link, ...], tuple[Region, ...]]:
    """The hexes, their links and the regions of a map that was declared."""
    spaces, links, regions = to_model(ctx.grids[document], map_name, _Resolver(ctx), _MAKE)
    own = ctx.names.tables["region"]
    return spaces, links, tuple(region for region in regions if own.get(region.id) == region.place)


@dataclass
class _Resolver:
    """What the grid asks of the model; see `compiler.grid.model.Resolver`."""

    ctx: Context
    files: dict[Document, Source | None] = field(default_factory=dict)

    def values(self, kind: str, raw: Mapping[str, object], place: Place) -> dict[str, Value]:
        return read_values(self.ctx, self.ctx.names, (kind,), raw, place, known(kind))

    def word(self, name: str, word: str, place: Place) -> None:
        declared = self.ctx.vocabulary.get(("link", name))
        if declared is None:
            self.ctx.undeclared_words("link", name, place)
            return
        self.ctx.given.add(("link", name))
        if word not in declared.type.words:
            near = suggest(word, declared.type.words)
            help = f"did you mean '{near}'?" if near else f"add it to vocabulary.link.{name} in module.json"
            self.ctx.report(error("N303", f"'{word}' is no word of link.{name}", place, help=help))

    def power(self, value: object, place: Place) -> str | None:
        return self.ctx.names.resolve("power", value, place)

    def source(self, raw: Mapping[str, object], place: Place) -> Source | None:
        if place.document not in self.files:
            self.files[place.document] = file_source(self.ctx, place.document)
        found = entry_source(self.ctx, raw, place, self.files[place.document])
        what = (
            "the sheet"
            if "terrain" in raw and place.path[:1] == ("sheets",)
            else f"the hex '{raw.get('id')}'"
        )
        need_source(self.ctx, found, what, place, raw.get("source"))
        return found


def without_aliases(names: Names, value: object) -> object:
    """A JSON value in which every other id of a hex is written as the hex's own; the value itself if there is none."""
    known = names.other_ids("space")
    return _plain(known, value) if known else value


def _plain(known: Mapping[str, str], value: object) -> object:
    if isinstance(value, str):
        return known.get(value, value)
    if isinstance(value, list):
        return [_plain(known, item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(known, item) for key, item in value.items()}
    return value


def is_hex_map(group: Iterable[Document]) -> bool:
    first = next(iter(group))
    return obj(first.value).get("kind") == "hex"
