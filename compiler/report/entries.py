"""From rows and cases to what the page shows of one module: entries, the views they are pinned to, filters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from compiler.findings import Line
from compiler.report.boards import Draw, boards, faces, space_name
from compiler.report.diagram import Table, cut, diagram
from compiler.report.fields import DRAWN_ON, RELATED, Field, drawn, of_position, relation, title_of
from compiler.report.rows import Row
from compiler.report.rows import Spot as Where
from compiler.report.views import (
    SEVERITIES,
    XY,
    Entry,
    Excerpt,
    Layer,
    Overlay,
    Pin,
    Shown,
    Stood,
    Trail,
    View,
)
from compiler.report.words import one_line

if TYPE_CHECKING:
    from compiler.check import CheckResult
    from compiler.model.types import Case, Fixture, Module, Scenario
    from compiler.rules import RulePack
    from compiler.rules.cases import CaseResult

MOST_FINDINGS, MOST_CASES = 2000, 1000
MOST_LAYERS = 1_500_000  # characters of the fields of one module
_AROUND = 60  # characters of a source line on either side of what is meant


def shown(
    name: str,
    rows: Sequence[Row],
    result: CheckResult | None,
    draw: Draw | None = None,
    keep: Path | None = None,
) -> Shown:
    """One module of the page. Without `result`, or where its module could not be read, there are only words."""
    module = result.module if result else None
    pack = result.pack if result else None
    views = {view.id: view for view in boards(module, draw, keep)} if module is not None else {}
    entries: list[Entry] = []
    for number, row in enumerate(_gravest(rows)):
        entry = _of_row(f"f{number + 1}", row, module)
        if module is not None:
            entry = _placed(entry, row, module, views)
        entries.append(entry)
    layers: list[Layer] = []
    if module is not None and pack is not None:
        if module.stage == "rules":
            entries += _cases(module, pack, views, layers)
        else:
            layers += _within(_layers(module, pack, list(views.values())))
    used = {entry.view for entry in entries}
    kept = [view for view in views.values() if view.image or view.id in used]
    counts = Counter(entry.severity for entry in entries)
    rules = Counter(rule for entry in entries for rule in entry.rules)
    return Shown(
        module.id if module else "",
        _title(module) or name,
        _about(module, len(rows) - MOST_FINDINGS),
        tuple((word, counts[word]) for word in SEVERITIES if word != "case" or counts[word]),
        tuple(entries),
        tuple(_drawn(view, entries, layers) for view in kept),
        {view.id: tuple(_pins(view, entries)) for view in kept},
        tuple(sorted(rules.items())),
        _scenarios(module, entries),
        _words(pack, rules) if pack else {},
        faces(module, _counters(entries)) if module else {},
        tuple(layers),
    )


def _title(module: Module | None) -> str | None:
    return module.texts.get("module.name") if module and module.texts.has("module.name") else None


def _gravest(rows: Sequence[Row]) -> Sequence[Row]:
    """As many as a page can show, in their order."""
    if len(rows) <= MOST_FINDINGS:
        return rows
    kept = sorted(range(len(rows)), key=lambda n: (-rows[n].severity, n))[:MOST_FINDINGS]
    return [rows[n] for n in sorted(kept)]


def _about(module: Module | None, more_findings: int) -> str:
    told = [f"version {module.version}" if module else "could not be read"]
    more_cases = len(module.cases) - MOST_CASES if module and module.stage == "rules" else 0
    for number, what in ((more_findings, "findings"), (more_cases, "cases")):
        told += [f"{number} more {what} are not shown"] if number > 0 else []
    return "; ".join(told)


def _counters(entries: Iterable[Entry]) -> Iterator[str]:
    return (stood.counter for entry in entries for overlay in entry.overlays for stood in overlay.stood)


def _scenarios(module: Module | None, entries: Iterable[Entry]) -> tuple[tuple[str, str], ...]:
    found = {entry.scenario: None for entry in entries if entry.scenario}
    texts = module.texts if module else None
    named = {id: f"scenario.{id}" for id in found}
    return tuple(
        (id, texts.get(named[id]) if texts is not None and texts.has(named[id]) else id) for id in found
    )


def _words(pack: RulePack, rules: Iterable[str]) -> dict[str, str]:
    from compiler.rules import read_back

    told = {rule: read_back(pack, rule) for rule in sorted(rules)}
    return {rule: words for rule, words in told.items() if words}


# Findings -------------------------------------------------------------------------------------------------------------


def _of_row(id: str, row: Row, module: Module | None) -> Entry:
    line = row.line or Line()
    name = (lambda space: space_name(module, space)) if module else str
    return Entry(
        id,
        row.severity.word,
        row.code,
        one_line(row.message),
        section=row.section,
        help=one_line(row.help) if row.help else None,
        limit=one_line(row.limit) if row.limit else None,
        scenario=row.scenario,
        spaces=tuple(map(name, row.spaces)),
        excerpt=_excerpt(row.spot),
        related=tuple((one_line(r.message), _excerpt(r.spot) or Excerpt("", 0)) for r in row.related),
        stops=tuple((name(space), one_line(reason)) for space, _, reason in line.stops),
        path=tuple(map(name, line.path)),
        rules=(row.rule or row.code,),
    )


def _excerpt(spot: Where | None) -> Excerpt | None:
    if spot is None:
        return None
    start = spot.column - 1 - spot.skipped
    end = start + max(1, spot.end_column - spot.column) if spot.end_line == spot.line else len(spot.excerpt)
    before, marked, after = spot.excerpt[:start], spot.excerpt[start:end], spot.excerpt[end:]
    before = before.lstrip()
    return Excerpt(
        spot.file,
        spot.line,
        one_line(before if len(before) <= _AROUND else "…" + before[-_AROUND:]),
        one_line(cut(marked, 2 * _AROUND)),
        one_line(cut(after.rstrip(), _AROUND)),
    )


def _placed(entry: Entry, row: Row, module: Module, views: dict[str, View]) -> Entry:
    """The entry pinned to every drawn map that shows something of it; where there is none, to a diagram of its own."""
    line = row.line or Line()
    overlays = tuple(_overlays(row.spaces, line, views.values()))
    wanted = _spaces_of(row.spaces, line)
    if overlays or not wanted:
        stood = (replace(over, stood=tuple(_stood(row, module, views[over.view]))) for over in overlays)
        return replace(entry, overlays=tuple(stood))
    table = Table(module, module.scenarios.get(row.scenario or ""))
    made = diagram(entry.id, entry.code, table, [*wanted, *table.near(wanted)])
    if made is None:
        return entry
    views[made.id] = made
    return replace(entry, overlays=tuple(_overlays(row.spaces, line, [made])), diagram=made.id)


def _spaces_of(spaces: Iterable[str], line: Line) -> list[str]:
    ways = [space for _, way, _ in line.stops for space in way]
    return list(dict.fromkeys([*spaces, *line.path, *(space for space, _, _ in line.stops), *ways]))


# On a view ------------------------------------------------------------------------------------------------------------


def _overlays(spaces: Sequence[str], line: Line, views: Iterable[View]) -> Iterator[Overlay]:
    for view in views:
        own = [view.spots[space] for space in spaces if space in view.spots]
        trails = [Trail(_runs(line.path, view))] if line.path else []
        for number, (space, way, _) in enumerate(line.stops, 1):
            if space in view.spots:
                trails.append(Trail(_runs(way, view), view.spots[space].at, number))
        trails = [trail for trail in trails if trail.parts or trail.stop]
        if own or trails:
            lit = tuple(dict.fromkeys(space for space in spaces if space in view.spots))
            pins = [spot.pin for spot in own] or [trail.stop for trail in trails if trail.stop]
            yield Overlay(view.id, lit, pins[0] if pins else None, tuple(trails))


def _stood(row: Row, module: Module, view: View) -> Iterator[Stood]:
    """The pieces in the spaces of a finding, as counters beside each other."""
    scenario = module.scenarios.get(row.scenario or "")
    if scenario is None or not view.counter:
        return
    for space in row.spaces:
        spot = view.spots.get(space)
        tally = Counter(piece.counter for piece in scenario.pieces if piece.space == space)
        if spot is None or not tally:
            continue
        size = view.counter
        row_long = max(1, math.ceil(math.sqrt(len(tally))))
        x, y = spot.at
        spread = [
            (
                x + (n % row_long - (row_long - 1) / 2) * size * 1.1,
                y + size * 0.7 + n // row_long * size * 1.1,
            )
            for n in range(len(tally))
        ]
        places = spot.places if len(spot.places) >= len(tally) else spread
        for (counter, number), at in zip(tally.items(), places, strict=False):
            yield Stood(counter, _short(at), size, number)


def _runs(way: Sequence[str], view: View) -> tuple[tuple[XY, ...], ...]:
    """The way as unbroken lines: it may leave the view, and on a map that goes round it may leave over an edge."""
    runs: list[list[XY]] = []
    for a, b in pairwise(way):
        if a not in view.spots or b not in view.spots:
            runs.append([])
            continue
        (ax, ay), (bx, by) = view.spots[a].at, view.spots[b].at
        if view.wraps and abs(bx - ax) > view.width / 2:
            round_ = view.width if ax > bx else -view.width
            runs += [[(ax, ay), (bx + round_, by)], [(ax - round_, ay), (bx, by)], []]
        elif runs and runs[-1] and runs[-1][-1] == (ax, ay):
            runs[-1].append((bx, by))
        else:
            runs.append([(ax, ay), (bx, by)])
    return tuple(tuple(_short(p) for p in run) for run in runs if len(run) > 1)


def _short(point: XY) -> XY:
    return round(point[0], 1), round(point[1], 1)


def _thin(ring: Sequence[XY]) -> tuple[XY, ...]:
    """An outline with no more points than the eye sees."""
    step = max(1, len(ring) // 300)
    return tuple(_short(point) for point in ring[::step])


def _drawn(view: View, entries: Iterable[Entry], layers: Iterable[Layer]) -> View:
    """The view with the outlines that entries and layers light up, each once."""
    lit = {
        space: None
        for entry in entries
        for overlay in entry.overlays
        if overlay.view == view.id
        for space in overlay.lit
    }
    lit |= {
        space: None for layer in layers if layer.view == view.id for tint in layer.tints for space in tint.lit
    }
    outlines = {space: tuple(_thin(ring) for ring in view.spots[space].rings) for space in lit}
    return replace(view, spots={}, outlines=outlines)


def _pins(view: View, entries: Iterable[Entry]) -> Iterator[Pin]:
    at: dict[XY, list[Entry]] = {}
    for entry in entries:
        for overlay in entry.overlays:
            if overlay.view == view.id and overlay.pin is not None:
                at.setdefault(overlay.pin, []).append(entry)
    names = {spot.pin: spot.name for spot in view.spots.values()}
    for point, found in sorted(at.items()):
        worst = min((entry.severity for entry in found), key=SEVERITIES.index)
        yield Pin(_short(point), names.get(point, ""), worst, tuple(entry.id for entry in found))


# Fields ---------------------------------------------------------------------------------------------------------------


def _layers(module: Module, pack: RulePack, views: Sequence[View]) -> Iterator[Layer]:
    """What the rules make of each scenario, for the views that show it."""
    from compiler.rules.judge import position_of

    for scenario in module.scenarios.values():
        world = position_of(pack, scenario)
        for field in of_position(pack, world):
            yield from drawn(module, field, views, scenario.id)
        world.let_go()


def _within(layers: Iterable[Layer]) -> Iterator[Layer]:
    """As many as a page can hold; `vmodc field` draws the others."""
    left = MOST_LAYERS
    for layer in layers:
        left -= sum(len(tint.path) + 40 * len(tint.lit) for tint in layer.tints)
        if left < 0:
            return
        yield layer


def field_shown(
    module: Module, pack: RulePack, scenario: Scenario, fixture: Fixture | None, fields: Iterable[Field]
) -> Shown:
    """A page of one attribute alone, on the maps that show it; where none does, on a diagram of the spaces that have it."""
    layers: list[Layer] = []
    views: list[View] = []
    title = scenario.id
    for field in fields:
        title = title_of(module, scenario.id, field.name)
        if field.kind in RELATED:
            views.append(relation(module, field, title))
            continue
        maps = list(boards(module)) if fixture is None else []
        made = drawn(module, field, maps, scenario.id)
        if not made:
            maps = _around(module, field, scenario, fixture, title)
            made = drawn(module, field, maps, scenario.id)
        layers += made
        views += [view for view in maps if view.image or any(layer.view == view.id for layer in made)]
    shown = tuple(_drawn(view, (), layers) for view in views)
    name = _title(module) or module.id
    about = f"version {module.version}; {title}"
    pins: dict[str, tuple[Pin, ...]] = {view.id: () for view in shown}
    return Shown(module.id, name, about, (), (), shown, pins, layers=tuple(layers), bare=True)


def _around(
    module: Module, field: Field, scenario: Scenario, fixture: Fixture | None, title: str
) -> list[View]:
    """A diagram of the spaces of a position, those first in which something is."""
    table = Table(module, scenario, fixture)
    standing = [piece.space for piece in scenario.pieces]
    view = diagram(
        field.name, title, table, [*standing, *table.brought, *table.near(standing), *table.spaces]
    )
    return [view] if view is not None else []


# Cases ----------------------------------------------------------------------------------------------------------------


def _cases(module: Module, pack: RulePack, views: dict[str, View], layers: list[Layer]) -> Iterator[Entry]:
    """Of a module without scenarios, the positions are those of its cases: each with a diagram and what it found."""
    from compiler.rules import run_case

    for number, case in enumerate(module.cases[:MOST_CASES], 1):
        result = run_case(pack, module, case)
        line = result.line or next((found.line for found in result.found if found.line), None) or Line()
        spaces = tuple(dict.fromkeys(space for found in result.found for space in found.spaces))
        table = Table(module, case.scenario, case.fixture)
        asked = tuple(space for space in _asked(case) if space in table.spaces)
        wanted = [*asked, *_spaces_of(spaces, line), *_touched(case), *table.brought]
        view = diagram(f"c{number}", case.id, table, _filled(wanted, table))
        if view is not None:
            views[view.id] = view
            layers += _asked_fields(module, pack, case, view)
        overlays = tuple(_overlays(spaces or asked, line, [view] if view is not None else []))
        entry = _of_case(f"c{number}", case, result, line, module, overlays)
        yield replace(entry, diagram=view.id) if view is not None else entry


def _asked_fields(module: Module, pack: RulePack, case: Case, view: View) -> Iterator[Layer]:
    """The attribute that a case asks for, in all spaces of its diagram; of a rule the sets that it reads."""
    from compiler.rules.judge import position_of

    names = {str(case.ask[key]) for key in ("field", "trace") if key in case.ask}
    if "rule" in case.ask and case.ask["rule"] in pack.rules:
        names = set(_read_by(pack, str(case.ask["rule"])))
    if not names:
        return
    world = position_of(pack, case.scenario, case.fixture)
    for kind, name in pack.derives:
        if name in names and kind in DRAWN_ON:
            yield from drawn(module, Field(pack, world, kind, name), [view], case.id)
    world.let_go()


def _read_by(pack: RulePack, rule: str) -> Iterator[str]:
    """The derived sets of spaces that a rule reads: relations are sets."""
    from compiler.rules.pack import reads_of, reads_through

    for kind, name in reads_through(pack, reads_of(pack.rules[rule])):
        if kind == "space" and (kind, name) in pack.derives and pack.vocabulary.types[kind, name].is_set:
            yield name


def _of_case(
    id: str, case: Case, result: CaseResult, line: Line, module: Module, overlays: tuple[Overlay, ...]
) -> Entry:
    return Entry(
        id,
        "case",
        case.id,
        _answer(result),
        section=case.section,
        help=None if result.passed else one_line(result.message),
        stops=tuple((space_name(module, space), one_line(reason)) for space, _, reason in line.stops),
        path=tuple(space_name(module, space) for space in line.path),
        rules=tuple(dict.fromkeys(_rules(case, result))),
        title=one_line(case.title),
        passed=result.passed,
        overlays=overlays,
        field=next((str(case.ask[key]) for key in ("field", "trace") if key in case.ask), None),
    )


def _answer(result: CaseResult) -> str:
    if result.found:
        return " ".join(one_line(f"{found.rule}: {found.message}.") for found in result.found[:5])
    said = [f"{key}: {_plain(value)}" for key, value in result.got.items() if key not in ("messages", "stop")]
    return one_line("; ".join(said)) or "no answer"


def _plain(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _rules(case: Case, result: CaseResult) -> Iterator[str]:
    yield from (found.code for found in result.found)
    for key in ("findings", "plan", "rule", "trace", "field"):
        asked = case.ask.get(key)
        yield from (str(rule) for rule in (asked if isinstance(asked, list) else [asked] if asked else []))


def _asked(case: Case) -> Iterator[str]:
    """The spaces that the question names, by themselves or by a piece in them."""
    standing = {piece.id: piece.space for piece in case.scenario.pieces}
    for key in ("of", "at"):
        named = case.ask.get(key)
        for name in named.values() if isinstance(named, Mapping) else ():
            yield standing.get(str(name), str(name))
    for key in ("neighbours", "adjacent", "distance"):
        named = case.ask.get(key)
        yield from (str(name) for name in (named if isinstance(named, list) else [named] if named else []))


def _touched(case: Case) -> Iterator[str]:
    """Every space of which the case says something."""
    scenario = case.scenario
    yield from (piece.space for piece in scenario.pieces)
    yield from (arrival.at for arrival in scenario.arrivals if arrival.at)
    yield from scenario.control
    yield from scenario.held
    yield from scenario.state.get("space", {})


def _filled(wanted: Sequence[str], table: Table) -> list[str]:
    """One space alone says little: its neighbours are shown with it."""
    return [*wanted, *table.near(wanted)[:8]] if 0 < len(set(wanted)) < 3 else list(wanted)
