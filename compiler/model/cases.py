"""Cases: one question each on a small position, with the known answer.

A row takes everything of its case and replaces what it gives itself; the position is the module's own map (or only what
the case brings), a named scenario if there is one, and what the case adds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from compiler.findings import Place, Related, error
from compiler.frozen import dataclass
from compiler.model.context import Context
from compiler.model.files import Group
from compiler.model.hexes import without_aliases
from compiler.model.maps import (
    build_links,
    build_regions,
    build_spaces,
    declare_links,
    declare_regions,
    declare_spaces,
)
from compiler.model.names import Names
from compiler.model.pieces import Reader
from compiler.model.properties import WORDS, built_in
from compiler.model.read import Number, Object, entries, listed, obj, text
from compiler.model.scenarios import Fields, World, read_scenario
from compiler.model.sources import file_source
from compiler.model.tracks import build_tracks, declare_tracks, track_values
from compiler.model.types import KINDS, Case, Fixture, Map, OutOfScope, Scenario, Source, Space, Track
from compiler.source.document import Document

_FIXTURE = ("map", "spaces", "links", "regions", "tracks")
_ASKING = frozenset({"id", "case", "section", "note", "ask", "answer"})
_NAMED = {
    "findings": "rule",
    "plan": "rule",
    "rule": "rule",
    "trace": "definition",
    "neighbours": "space",
    "adjacent": "space",
    "distance": "space",
    "by": "way",
}
_OWN_MAP = ("space", "link", "region", "track")  # hidden from a case that stands on its own map


@dataclass(frozen=True, slots=True)
class _Table:
    """Where a case is played: its names, its fixture, and the tracks' starting values."""

    world: World
    fixture: Fixture
    values: Mapping[str, Number]


@dataclass(frozen=True)
class Home:
    """The module a case belongs to."""

    ctx: Context
    reader: Reader
    maps: Mapping[str, Map]
    spaces: Mapping[str, Space]
    tracks: Mapping[str, Track]
    scenarios: Mapping[str, Scenario]

    @cached_property
    def table(self) -> _Table:
        """That of all cases that bring nothing of their own."""
        return _Table(World(self.ctx, self.ctx.names, self.reader, self.spaces, self.tracks), Fixture(), {})


def build_cases(home: Home, files: tuple[Group, ...]) -> tuple[tuple[Case, ...], tuple[OutOfScope, ...]]:
    home.ctx.provenance = False  # a case may make up what it likes: its own section says what it shows
    ids: dict[str, Place] = {}
    found: list[Case] = []
    left_out: list[OutOfScope] = []
    for group in files:
        sources: dict[Document, Source | None] = {d: file_source(home.ctx, d) for d in group}
        for entry, place in entries(group, "cases"):
            found.extend(_rows(home, entry, place, ids, sources[place.document]))
        for entry, place in entries(group, "out_of_scope"):
            id = _own_id(home.ctx, entry, place, ids)
            if id is not None:
                left_out.append(OutOfScope(id, text(entry.get("reason")) or "", place))
    return tuple(found), tuple(left_out)


def _rows(
    home: Home, case: Object, place: Place, ids: dict[str, Place], source: Source | None
) -> Iterator[Case]:
    """One case a row. Rows that bring no map of their own share the case's."""
    whole = Fields([(case, place)])
    if "rows" not in case:
        made = _case(home, whole, case, place, ids, source, None)
        if made is not None:
            yield made
        return
    shared: _Table | None = None
    same: Scenario | None = None  # the position of the rows that only ask
    rows = place / "rows"
    for n, row in enumerate(listed(case.get("rows"))):
        if not isinstance(row, dict):
            continue
        at = rows / n
        fields = Fields([(row, at)], whole)
        alone = not row.keys().isdisjoint(_FIXTURE)
        if not alone and shared is None:
            shared = _table(home, fields)
        asks = row.keys() <= _ASKING
        made = _case(
            home,
            fields,
            row,
            at,
            ids,
            source,
            None if alone else shared,
            same if asks else None,
        )
        if made is not None:
            same = made.scenario if asks else same
            yield made


def _case(
    home: Home,
    fields: Fields,
    row: Object,
    place: Place,
    ids: dict[str, Place],
    source: Source | None,
    table: _Table | None,
    same: Scenario | None = None,
) -> Case | None:
    """`same` is the position of another row of this case, which this row does not change."""
    ctx = home.ctx
    id = _own_id(ctx, row, place, ids)
    table = table or _table(home, fields)
    if same is not None:
        scenario = replace(same, id=same.id if fields.has("scenario") else id or "", place=place)
    else:
        base = _base(home, fields)
        scenario = _with_tracks(read_scenario(table.world, fields, id or "", base, source, adds=True), table)
    ask, answer = _asked(ctx, fields, "ask", place, id), _asked(ctx, fields, "answer", place, id)
    if id is None or ask is None or answer is None:
        return None
    ask_in, answer_in = fields.giver("ask"), fields.giver("answer")
    _check_question(table.world, ask, answer, ask_in, answer_in, scenario)
    if "plan" in ask and not scenario.arrivals and fields.given.keys().isdisjoint(("buy", "place")):
        help = 'say in the row or its case what is bought ("buy") or comes in ("place")'
        ctx.report(
            error("N534", f"the case '{id}' asks about a plan and plans nothing", ask_in / "ask", help=help)
        )
    return Case(
        id=id,
        title=text(fields.get("case")) or id,
        section=text(fields.get("section")),
        fixture=table.fixture,
        scenario=scenario,
        ask=obj(without_aliases(table.world.names, ask)),
        answer=obj(without_aliases(table.world.names, answer)),
        place=place,
        ask_in=ask_in,
        answer_in=answer_in,
    )


def _own_id(ctx: Context, entry: Object, place: Place, ids: dict[str, Place]) -> str | None:
    id = entry.get("id")
    if not isinstance(id, str):
        return None
    if id in ids:
        related = (Related(ids[id] / "id", "the first is here"),)
        ctx.report(error("N204", f"two cases are called '{id}'", place / "id", related=related))
        return None
    ids[id] = place
    return id


def _base(home: Home, fields: Fields) -> Scenario | None:
    if not fields.has("scenario"):
        return None
    name = home.ctx.names.resolve("scenario", fields.get("scenario"), fields.giver("scenario"), "scenario")
    if fields.get("map") == "none":
        message = "a case on a map of its own cannot start from a scenario"
        help = 'take out "map": "none" or "scenario"'
        home.ctx.report(error("N529", message, fields.place("scenario"), help=help))
        return None
    return home.scenarios.get(name or "")


# The table the case is played on.


def _table(home: Home, fields: Fields) -> _Table:
    ctx, own_map = home.ctx, fields.get("map") != "none"
    if own_map and not any(fields.layer(key, list) for key in _FIXTURE[1:]):
        return home.table
    names = ctx.names.child(() if own_map else _OWN_MAP)
    spaces, links, regions = (list(fields.items(key)) for key in ("spaces", "links", "regions"))
    declare_spaces(ctx, names, spaces)
    declare_regions(ctx, names, regions)
    declare_links(names, links)
    declared = declare_tracks(ctx, names, fields.items("tracks"))
    first = next(iter(home.maps), "")
    tracks = build_tracks(ctx, names, declared)
    fixture = Fixture(
        own_map,
        build_spaces(ctx, names, spaces, first),
        build_links(ctx, names, links),
        build_regions(ctx, names, regions),
        tuple(tracks.values()),
    )
    values = _start_values(ctx, names, tracks, declared)
    here = {space.id: space for space in fixture.spaces}
    all_spaces = {**home.spaces, **here} if own_map else here
    all_tracks = {**home.tracks, **tracks} if own_map else tracks
    return _Table(World(ctx, names, home.reader, all_spaces, all_tracks), fixture, values)


def _start_values(
    ctx: Context, names: Names, tracks: Mapping[str, Track], declared: list[tuple[Object, Place]]
) -> Mapping[str, Number]:
    """A track declared by a case may state its value at once."""
    written = ((str(e["id"]), e["value"], place / "value") for e, place in declared if "value" in e)
    return track_values(ctx, names, tracks, written, None)


def _with_tracks(scenario: Scenario, table: _Table) -> Scenario:
    if not table.values:
        return scenario
    return replace(scenario, tracks={**table.values, **scenario.tracks})


# Question and answer.


def _asked(ctx: Context, fields: Fields, key: str, place: Place, id: str | None) -> Object | None:
    value = fields.get(key)
    if value is None:
        name = f"the case '{id}'" if id is not None else "a case"
        verb = "asks nothing" if key == "ask" else "has no answer"
        ctx.report(error("N532", f"{name} {verb}", place, help=f'add "{key}" to the row or to its case'))
    return value if isinstance(value, dict) else None


def _check_question(
    world: World, ask: Object, answer: Object, ask_in: Place, answer_in: Place, scenario: Scenario
) -> None:
    """The names in `ask` and `answer` that can be told without computing anything."""
    names = world.names
    for key, asked in ask.items():
        kind = _NAMED.get(key)
        if kind is not None and isinstance(asked, list):
            for n, one in enumerate(asked):
                names.resolve(kind, one, ask_in, "ask", key, n)
        elif kind is not None and key not in ("findings", "plan"):  # "all" is no name there
            names.resolve(kind, asked, ask_in, "ask", key)
        elif key in ("of", "at"):
            _check_items(world, obj(asked), ask_in, key, scenario)
    if "field" in ask:
        _check_field(world, ask, ask_in)
    for key, kind in (("findings", "rule"), ("path", "space")):
        for n, one in enumerate(listed(answer[key])) if key in answer else ():
            names.resolve(kind, one, answer_in, "answer", key, n)


def _check_items(world: World, written: Object, ask_in: Place, key: str, scenario: Scenario) -> None:
    """`{"space": "hill"}`: where the key is a kind, the value is the id of such an item."""
    for kind, id in written.items():
        if kind == "piece" and isinstance(id, str) and not _incomplete(world.names):
            pieces = {piece.id for piece in scenario.pieces}
            if id not in pieces:
                known = world.names.child()
                known.tables["piece"] = {piece.id: piece.place for piece in scenario.pieces}
                known.resolve("piece", id, ask_in, "ask", key, kind)
        elif kind == "link" and isinstance(id, str) and ">" in id:
            for space in id.split(">"):
                world.names.resolve("space", space, ask_in, "ask", key, kind)
        elif kind in KINDS and kind not in ("arrival", "scenario", "piece"):
            world.names.resolve(kind, id, ask_in, "ask", key, kind)


def _incomplete(names: Names) -> bool:
    """Whether pieces may be missing because of what was reported elsewhere."""
    needed = ("space", "power", "type", "counter", "piece")
    return any(names.broken[kind] or kind in names.unread for kind in needed)


def _check_field(world: World, ask: Object, ask_in: Place) -> None:
    """A field asked for is a definition, a declared attribute or a built-in one."""
    field = ask.get("field")
    if not isinstance(field, str) or "." in field:
        return
    kind = next((kind for kind in obj(ask.get("of")) if kind in KINDS), None)
    if kind is None:
        return
    world.ctx.given.add((kind, field))
    if (
        field in built_in(kind)
        or field in WORDS.get(kind, ())
        or field in world.ctx.attributes((kind, "piece"))
    ):
        return
    base = field.removesuffix("_together")
    if world.names.place_of("definition", base) is None:
        world.names.resolve("definition", field, ask_in, "ask", "field")
