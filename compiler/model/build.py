"""From JSON documents to the typed game: all names resolved, all values exact.

In: the documents of one module (JSON objects of any inner shape). Out: the `Module`, or none where module.json itself is
missing or has no id, and every finding about names, values and texts. It never raises for bad input.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from compiler.findings import Finding, Place, error
from compiler.model.cases import Home, build_cases
from compiler.model.charts import build_charts, declare_charts
from compiler.model.context import Context
from compiler.model.counters import build_counters, build_types, by_owner, declare_counters, declare_types
from compiler.model.files import Files, Group, sort_files
from compiler.model.fittings import (
    check_pictures,
    check_windows,
    declare_fittings,
    declare_options,
    declare_sources,
)
from compiler.model.maps import build_map, declare_maps, map_id
from compiler.model.pieces import Reader
from compiler.model.play import check_play, declare_play
from compiler.model.read import Object, entries, is_whole, obj, text
from compiler.model.rulebook import read_rules
from compiler.model.scenarios import World, build_scenarios, declare_scenarios
from compiler.model.sequence import declare_sequence, read_order
from compiler.model.sides import build_powers, build_sides, declare_sides
from compiler.model.texts import read_texts
from compiler.model.tracks import build_tracks, declare_tracks
from compiler.model.types import (
    Case,
    Chart,
    Counter,
    Map,
    Module,
    Option,
    OutOfScope,
    Power,
    RuleEntry,
    Scenario,
    Sequence,
    Side,
    Track,
    UnitType,
)
from compiler.model.unused import report_unused
from compiler.model.vocabulary import read_defaults, read_vocabulary, want_words
from compiler.source.document import Document

# What is declared in each kind of file: if one cannot be read, its names are not missing, only unseen.
_DECLARES = {
    "map": ("map", "space", "link", "region"),
    "counters": ("type", "counter"),
    "sequence": ("date", "phase", "moment"),
    "chart": ("chart",),
    "scenario": ("scenario",),
    "rules": ("rule", "definition", "way"),
}

_LISTS = (
    ("module", "sides", ("side",)),
    ("module", "powers", ("power", "counter")),
    ("module", "options", ("option",)),
    ("module", "tracks", ("track",)),
    ("map", "spaces", ("space",)),
    ("map", "boxes", ("space",)),
    ("map", "links", ("link",)),
    ("map", "regions", ("region",)),
    ("counters", "types", ("type", "counter")),
    ("counters", "counters", ("counter",)),
    ("sequence", "turns", ("date",)),
    ("sequence", "phases", ("phase",)),
    ("rules", "rules", ("rule", "definition", "way")),
    ("scenario", "placements", ("piece",)),
)
_TEXT = frozenset({("text", "texts"), ("text", "same")})
DECLARING = frozenset((kind, key) for kind, key, _ in _LISTS)


def build(
    docs: Mapping[str, Document],
    root: Path | None = None,
    unread: Iterable[Document] = (),
    misspelt: Collection[tuple[str, str]] = (),
) -> tuple[Module | None, list[Finding]]:
    """The module and all findings. With `root`, files that the sources name are looked for in that folder.

    `unread` are files of the module that could not be read: names that may be declared there are not called unknown.
    Nor are those of a property that stands in a file of some kind under a misspelt name: `misspelt`.
    """
    if misspelt:
        unread = [*unread, *(d for d in docs.values() if d.kind == "text" and not _TEXT.isdisjoint(misspelt))]
    files = sort_files(docs, unread)
    modules = files.all("module")
    if not modules or not isinstance(modules[0][0].value, dict):
        return None, []
    ctx = Context(files, root)
    ctx.misspelt = frozenset(misspelt)
    ctx.names.unread.update(name for d in files.unread for name in _DECLARES.get(d.kind or "", ()))
    module = _build(ctx, files, modules[0])
    ctx.names.report = _nobody_asks  # names and context hold each other: let them go without a search
    return module, ctx.findings


def _nobody_asks(finding: Finding) -> None:
    """All names are resolved."""


def _build(ctx: Context, files: Files, group: Group) -> Module:
    """Declare everything, then read everything: so a name may be used before the file that declares it."""
    main, place = obj(group[0].value), Place(group[0])
    stage: Literal["full", "rules"] = "rules" if main.get("stage") == "rules" else "full"
    ctx.rules_only = stage == "rules"
    ctx.provenance = main.get("provenance") == "required"
    ctx.vocabulary_place = Place(group[0], ("vocabulary",), "key") if "vocabulary" in main else None
    _check_stage(ctx, files, stage, place, main)
    _want_module_texts(ctx, main, place)
    declared = _declare(ctx, files, group)
    parts = _read(ctx, files, group, declared)
    ctx.flush()
    texts = read_texts(ctx, group, files.all("text"), files.documents(but=("text", "rules")))
    if not files.unread:
        report_unused(ctx, files, parts.counters)
    return Module(
        id=text(main.get("id")) or "",
        version=text(main.get("version")) or "",
        stage=stage,
        languages=texts.languages,
        raw=main,
        place=place,
        vocabulary=ctx.vocabulary,
        sides=parts.sides,
        powers=parts.powers,
        options=declared.options,
        tracks=parts.tracks,
        maps=parts.maps,
        types=parts.types,
        counters=parts.counters,
        sequence=replace(declared.sequence, order=parts.order),
        rules=declared.rules,
        charts=parts.charts,
        scenarios=parts.scenarios,
        cases=parts.cases,
        out_of_scope=parts.out_of_scope,
        texts=texts,
        sources=declared.sources,
        given=frozenset(ctx.given),
    )


@dataclass(frozen=True, slots=True)
class _Declared:
    """What is known after the first look at all files: names, and what needs no other name to be read."""

    sources: Mapping[str, Object]
    options: Mapping[str, Option]
    tracks: list[tuple[Object, Place]]
    sequence: Sequence
    rules: tuple[RuleEntry, ...]


@dataclass(frozen=True, slots=True)
class _Parts:
    """What is read when all names are known."""

    sides: Mapping[str, Side]
    powers: Mapping[str, Power]
    tracks: Mapping[str, Track]
    maps: Mapping[str, Map]
    types: Mapping[str, UnitType]
    counters: Mapping[str, Counter]
    order: tuple[str, ...]
    charts: Mapping[str, Chart]
    scenarios: Mapping[str, Scenario]
    cases: tuple[Case, ...]
    out_of_scope: tuple[OutOfScope, ...]


def _declare(ctx: Context, files: Files, group: Group) -> _Declared:
    _mark_unseen(ctx, files)
    sources = declare_sources(ctx, group)
    declare_sides(ctx, group)
    options = declare_options(ctx, group)
    declare_fittings(ctx, group)
    declare_play(ctx, group)
    tracks = declare_tracks(ctx, ctx.names, entries(group, "tracks"))
    for entry, at in tracks:
        ctx.want(f"track.{entry['id']}", at, entry)
    for kind, at in {str(entry["kind"]): at for entry, at in tracks if "kind" in entry}.items():
        ctx.want(f"track.{kind}", at, {}, required=False)  # one name for all of a kind, printed above them
    read_vocabulary(ctx, obj(group[0].value), Place(group[0]))
    sequence = declare_sequence(ctx, files.joined("sequence"))
    declare_maps(ctx, files.all("map"))
    declare_types(ctx, files.joined("counters"))
    declare_counters(ctx, files.joined("counters"))
    declare_charts(ctx, files.all("chart"))
    declare_scenarios(ctx, files.all("scenario"))
    return _Declared(sources, options, tracks, sequence, read_rules(ctx, files.joined("rules")))


def _read(ctx: Context, files: Files, group: Group, declared: _Declared) -> _Parts:
    if not files.all("map"):
        ctx.names.open.update(
            ("space", "region", "link")
        )  # only cases have a map: nothing to look names up in
    read_defaults(ctx)
    sides = build_sides(ctx, group)
    powers = build_powers(ctx, group, sides)
    tracks = build_tracks(ctx, ctx.names, declared.tracks)
    maps = _maps(ctx, files)
    types = build_types(ctx, files.joined("counters"))
    counters = build_counters(ctx, files.joined("counters"), types)
    ctx.names.open.clear()
    ctx.late.clear()
    order = read_order(ctx, files.joined("sequence"))
    charts = build_charts(ctx, files.all("chart"), types)
    check_windows(ctx, group)
    check_play(ctx, group)
    check_pictures(ctx, files.documents())
    reader = Reader(ctx, counters, by_owner(counters))
    spaces = {space.id: space for found in maps.values() for space in found.spaces}
    want_words(ctx, tuple(spaces.values()))
    scenarios = build_scenarios(World(ctx, ctx.names, reader, spaces, tracks), files.all("scenario"))
    cases, left_out = build_cases(Home(ctx, reader, maps, spaces, tracks, scenarios), files.all("cases"))
    return _Parts(sides, powers, tracks, maps, types, counters, order, charts, scenarios, cases, left_out)


def _mark_unseen(ctx: Context, files: Files) -> None:
    """Where a list of declarations is malformed (the schema reported it), nobody can say which names are missing."""
    if ("module", "vocabulary") in ctx.misspelt:
        ctx.names.unread.add("definition")
    for kind, key, names in _LISTS:
        if (kind, key) in ctx.misspelt or not is_whole(files.joined(kind), key):
            ctx.names.unread.update(names)


def _want_module_texts(ctx: Context, main: Object, place: Place) -> None:
    ctx.want("module.name", place, main)
    for key in ("description", "about"):
        ctx.want(f"module.{key}", place, main, key, required=False)


def _maps(ctx: Context, files: Files) -> dict[str, Map]:
    out: dict[str, Map] = {}
    for group in files.all("map"):
        if ctx.names.tables["map"].get(map_id(group)) == Place(group[0]):
            out[map_id(group)] = build_map(ctx, group)
    return out


def _check_stage(ctx: Context, files: Files, stage: str, place: Place, main: Object) -> None:
    """A whole module can be built: it has a map, counters and a scenario."""
    needed = {"map": "maps/*.json", "counters": "counters/*.json", "scenario": "scenarios/*.json"}
    unseen = {document.kind for document in files.unread}
    lacking = [kind for kind in needed if not files.all(kind) and kind not in unseen]
    if stage == "full" and lacking:
        missing = [needed[kind] for kind in lacking]
        ctx.names.unread.update(name for kind in lacking for name in _DECLARES[kind])
        at = place / "stage" if "stage" in main else place / "id" if "id" in main else place
        message = f"the module has no {', '.join(missing)}"
        help = 'write them, or say "stage": "rules" for a module of rules and cases only'
        ctx.report(error("N533", message, at, help=help))
