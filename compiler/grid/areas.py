"""Regions of a hex map: by lists and runs of ids, by an outline, by what bounds them, or as a layer of letters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from compiler.findings import Place, Related, warning
from compiler.grid.fill import read_lines, report_letters
from compiler.grid.hexes import Corner, follow, hexes_of_corner
from compiler.grid.hexmap import NONE, UNKNOWN, Area, HexMap, Raw, Sheet
from compiler.grid.setup import NO_HEX, OTHER_SHEET, Source, listed, obj, text, texts
from compiler.grid.walk import Walker
from compiler.grid.words import words
from compiler.suggest import suggest

Members = dict[int, Place]


def read_regions(walker: Walker) -> Iterator[Area]:
    """Every region with all its hexes and boxes. `walker.map` has its hexsides already."""
    source, map = walker.source, walker.map
    entries: dict[str, tuple[Raw, Place]] = {}
    for raw, place in source.entries("regions"):
        id = text(raw.get("id"))
        if id is not None:
            entries.setdefault(id, (raw, place))  # a second one of the name is reported by the model
    layered = _layers(source, map, entries)
    sheets = _sheets(source, map, entries)
    kinds = {line.kind for line in map.side_lines} | set(map.side_kinds)
    for id, (raw, place) in entries.items():
        members = _listed(walker, id, raw, place)
        for number in (*layered.get(id, ()), *sheets.get(id, ()), *_enclosed(walker, raw, place, kinds)):
            members.setdefault(number, place)
        yield Area(id, tuple(members), raw, place)


def _listed(walker: Walker, id: str, raw: Raw, place: Place) -> Members:
    members: Members = {}
    for number, at in walker.members(raw.get("spaces"), place / "spaces"):
        first = members.setdefault(number, at)
        if first != at:
            message = f"the region '{id}' lists '{walker.map.name(number)}' twice"
            related = (Related(first, "the first is here"),)
            walker.source.report(warning("H704", message, at, help="take one out", related=related))
    return members


# Layers of letters, and whole sheets.


def _layers(source: Source, map: HexMap, regions: Mapping[str, object]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    legends = dict(_layer_legends(source, regions))
    for sheet in map.sheets:
        for name, rows in obj(sheet.raw.get("layers")).items():
            place = sheet.place / "layers" / name
            if name in legends:
                for region, number in _layer(source, map, sheet, name, listed(rows), legends[name]):
                    found[region].append(number)
                continue
            near = suggest(name, legends)
            help = f"did you mean '{near}'?" if near else "explain its letters at the top, under 'layers'"
            source.error("H703", f"there is no layer '{name}'", place.key(), help)
    return found


def _layer(
    source: Source,
    map: HexMap,
    sheet: Sheet,
    name: str,
    rows: list[object],
    legend: Mapping[str, tuple[str, ...]],
) -> Iterator[tuple[str, int]]:
    """The regions of one layer of one sheet, hex by hex."""
    wrong: dict[str, list[Place]] = defaultdict(list)
    place = sheet.place / "layers" / name
    columns = sheet.numbering.frame.column_numbers()
    for row, line, cells in read_lines(source, sheet, name, place, rows):
        for column, (at, letter) in zip(columns, cells, strict=False):
            if letter in (NO_HEX, OTHER_SHEET, UNKNOWN):
                continue
            if letter not in legend:
                wrong[letter].append((place / line).chars(at, at + 1))
                continue
            number = map.index.get(sheet.numbering.write(column, row))
            if number is None:
                message = f"'{sheet.numbering.write(column, row)}' is no hex, so it has no '{name}'"
                source.error("H206", message, (place / line).chars(at, at + 1), "write '.' here")
            else:
                yield from ((region, number) for region in legend[letter])
    report_letters(source, wrong, set(legend))


def _layer_legends(
    source: Source, regions: Mapping[str, object]
) -> Iterator[tuple[str, dict[str, tuple[str, ...]]]]:
    for name, item, place in source.table("layers"):
        legend: dict[str, tuple[str, ...]] = {}
        for letter, value in obj(obj(item).get("legend")).items():
            at = place / "legend" / letter
            legend[letter] = tuple(id for id in texts(value) if _known(source, id, at, regions))
        yield name, legend


def _known(source: Source, id: str, place: Place, regions: Mapping[str, object]) -> bool:
    if id in regions:
        return True
    near = suggest(id, regions.keys())
    help = f"did you mean '{near}'?" if near else "list it under 'regions'"
    source.error("H703", f"there is no region '{id}'", place, help)
    return False


def _sheets(source: Source, map: HexMap, regions: Mapping[str, object]) -> dict[str, list[int]]:
    """Hexes of the sheets that are regions themselves, hexes shared with another sheet included."""
    wanted = {}
    for number, sheet in enumerate(map.sheets):
        id = text(sheet.raw.get("region"))
        if id is not None and _known(source, id, sheet.place / "region", regions):
            wanted[number] = id
    found: dict[str, list[int]] = defaultdict(list)
    if wanted:
        for id, number in map.index.items():
            sheet_number = map.sheet_of.get(id)
            if sheet_number in wanted:
                found[wanted[sheet_number]].append(number)
    return found


# Outlines.


def _enclosed(walker: Walker, raw: Raw, place: Place, kinds: set[str]) -> list[int]:
    """The hexes that can be reached from `inside` without crossing the outline or a hexside of the kinds `behind`."""
    seeds = [n for n, _ in walker.members(raw.get("inside"), place / "inside") if n < len(walker.map)]
    walls = _outline(walker, raw, place)
    behind = _behind(walker.source, raw, place, kinds)
    if not seeds or walls is None:
        return []
    map = walker.map
    barred = walls | {
        key for key, lines in map.sides.items() if any(map.side_lines[n].kind in behind for n in lines)
    }
    inside = _flood(map, seeds, barred)
    _check_leak(walker, raw, place, inside, walls)
    return list(inside)


def _behind(source: Source, raw: Raw, place: Place, kinds: set[str]) -> set[str]:
    found = set()
    for word in words(raw.get("behind"), place / "behind"):
        if word.text in kinds:
            found.add(word.text)
            continue
        near = suggest(word.text, kinds)
        help = f"did you mean '{near}'?" if near else "name a kind of hexside of this map"
        source.error("H703", f"there is no hexside of the kind '{word.text}'", word.at, help)
    return found


def _flood(map: HexMap, seeds: list[int], barred: set[int]) -> dict[int, None]:
    inside = dict.fromkeys(seeds)
    waiting = list(inside)
    for here in waiting:
        for key in range(6 * here, 6 * here + 6):
            there = map.neighbours[key]
            if there != NONE and there not in inside and map.side(here, key % 6) not in barred:
                inside[there] = None
                waiting.append(there)
    return inside


def _outline(walker: Walker, raw: Raw, place: Place) -> set[int] | None:
    """The hexsides of an outline; None if it is no chain or has a gap."""
    if "outline" not in raw:
        return set()
    source, map = walker.source, walker.map
    steps = list(walker.side_path(raw["outline"], place / "outline"))
    if not steps:
        return None
    corners, broken = follow(map.lattice_side(step.key) for step in steps)
    if broken is not None:
        a, b = (map.side_name(step.key) for step in steps[broken - 1 : broken + 1])
        message = f"the outline is no chain: {a} and {b} do not follow each other"
        source.error("H502", message, steps[broken].place, "each hexside begins where the last one ends")
        return None
    part = map.parts[steps[0].key // 6]
    if corners[0] != corners[-1] and not all(_at_edge(map, part, end) for end in (corners[0], corners[-1])):
        message = "the outline does not close: it ends neither where it began nor at the edge of the map"
        source.error("H702", message, steps[-1].place, f"it began at {map.side_name(steps[0].key)}")
        return None
    return {step.key for step in steps}


def _at_edge(map: HexMap, part: int, at: Corner) -> bool:
    return any((part, q, r) not in map.where for q, r in hexes_of_corner(at))


def _check_leak(walker: Walker, raw: Raw, place: Place, inside: dict[int, None], walls: set[int]) -> None:
    leaks = [key for key in sorted(walls) if all(n in inside for n in walker.map.hexes_of_side(key))]
    if leaks:
        name = walker.map.side_name(leaks[0])
        message = f"the outline does not hold: both hexes of {name} are inside"
        source = walker.source
        source.error("H702", message, place / "outline", "name one hex under 'inside', or close the outline")
