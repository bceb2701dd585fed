"""What lies in hexes, along hexsides and from hex to hex: `spaces`, `sides` and `lines` of a hex map file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from compiler.findings import Place, Related
from compiler.grid.hexes import Corner, follow
from compiler.grid.hexmap import Entry, HexMap, Line, Raw, SideLine
from compiler.grid.setup import Source, listed, text, texts, unknown_id
from compiler.grid.walk import SideStep, Walker

SEA = ("all", "part")
SIDE_PROPERTIES = frozenset(
    {"kind", "id", "path", "at", "name", "note", "source", "sources", "label", "style"}
)
LINE_PROPERTIES = frozenset(
    {"kind", "id", "path", "tags", "one_way", "name", "note", "source", "sources", "label", "style"}
)


def read_entries(source: Source, map: HexMap) -> dict[int, Entry]:
    """The entries of `spaces`, by hex. An entry may name its hex by any alias, but each hex has one entry."""
    needs = _needs(source)
    found: dict[int, Entry] = {}
    for raw, place in source.entries("spaces"):
        id = text(raw.get("id"))
        if id is None:
            continue
        number = map.index.get(id)
        if number is None:
            unknown_id(source, id, place / "id", map.index)
        elif number >= len(map):
            message = f"'{id}' is a box: what is to be said of it stands under 'boxes'"
            source.error("H601", message, place / "id", "move it there")
        elif number in found:
            first = found[number]
            other = first.raw["id"]
            message = f"the hex '{id}' has an entry already" + (f", as '{other}'" if other != id else "")
            source.error(
                "H601",
                message,
                place / "id",
                "write one entry for a hex",
                Related(first.place, "the first is here"),
            )
        else:
            found[number] = Entry(raw, place)
            _check_needs(source, map, number, raw, place, needs)
    return found


def _needs(source: Source) -> dict[str, str]:
    return {name: item for name, item, _ in source.table("needs") if isinstance(item, str)}


def _check_needs(
    source: Source, map: HexMap, number: int, raw: Raw, place: Place, needs: Mapping[str, str]
) -> None:
    for name, need in needs.items():
        if not _given(raw.get(name)):
            continue
        if need == "sea" and not _has_sea(map, number):
            message = f"'{name}' at '{map.ids[number]}' has no sea: the hex and all its neighbours are dry"
            help = 'check the id, or give the letter of the hex "water": "part"'
            source.error("H602", message, place / name, help, Related(map.cell_place(number), "its letter"))
        elif need == "land" and map.water(number) == "all":
            message = f"'{name}' at '{map.ids[number]}' stands in open water"
            source.error(
                "H602", message, place / name, "check the id", Related(map.cell_place(number), "its letter")
            )


def _given(value: object) -> bool:
    """Whether an attribute says that something is there: false, 0, none and nothing do not."""
    if isinstance(value, Decimal | int):
        return value != 0
    return value not in (None, "", "none") and value != [] and value != {}


def _has_sea(map: HexMap, number: int) -> bool:
    here = (number, *map.around(number))
    return any(map.water(n) in SEA or map.letters[n] == "?" for n in here)


def joined_pairs(source: Source, map: HexMap) -> set[tuple[int, int]]:
    """Pairs that `links` of the file joins by hand; paths may go over them. The model reports names it does not know."""
    found = set()
    for entry, _ in source.entries("links"):
        for pair in listed(entry.get("pairs")):
            ends = [map.index.get(id) for id in texts(pair)]
            if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
                found.add((ends[0], ends[1]))
                if entry.get("one_way") is not True:
                    found.add((ends[1], ends[0]))
    return found


def read_sides(walker: Walker) -> Iterator[SideLine]:
    """Hexsides, checked: a `path` is a chain, `at` lists any, and no hexside has the same kind twice."""
    source = walker.source
    seen: dict[tuple[str, int], Place] = {}
    for raw, place in source.entries("sides"):
        kind = text(raw.get("kind"))
        if kind is None:
            continue
        chain = "path" in raw
        key = "path" if chain else "at"
        steps = _once(walker, kind, list(walker.side_path(raw.get(key), place / key)), seen)
        corners = _chain(walker, kind, steps) if chain else None
        keys = tuple(step.key for step in steps)
        yield SideLine(kind, text(raw.get("id")), keys, tuple(s.place for s in steps), corners, raw, place)


def _once(
    walker: Walker, kind: str, steps: list[SideStep], seen: dict[tuple[str, int], Place]
) -> list[SideStep]:
    for step in steps:
        first = seen.setdefault((kind, step.key), step.place)
        if first is not step.place:
            message = f"the hexside {walker.map.side_name(step.key)} is '{kind}' twice"
            related = Related(first, "the first is here")
            walker.source.error("H503", message, step.place, "take one out", related)
    return steps


def _chain(walker: Walker, kind: str, steps: list[SideStep]) -> tuple[Corner, ...] | None:
    """The corners along a chain; where it breaks, that is reported and the rest is looked at as a chain of its own."""
    map, whole, rest = walker.map, None, steps
    while rest:
        corners, broken = follow(map.lattice_side(step.key) for step in rest)
        other = next((n for n, s in enumerate(rest) if _part(map, s) != _part(map, rest[0])), None)
        if other is not None and (broken is None or other < broken):
            broken = other
        if broken is None:
            whole = tuple(corners) if rest is steps else None
            break
        a, b = map.side_name(rest[broken - 1].key), map.side_name(rest[broken].key)
        message = f"the {kind} is no chain: {a} and {b} do not follow each other"
        help = "each hexside begins where the last one ends; a branch is an entry of its own"
        walker.source.error("H502", message, rest[broken].place, help)
        rest = rest[broken:]
    return whole


def _part(map: HexMap, step: SideStep) -> int:
    return map.parts[step.key // 6]


def by_side(source: Source, map: HexMap, side_lines: tuple[SideLine, ...]) -> dict[int, tuple[int, ...]]:
    """Which lines run along each hexside. Two of them may not say different things of the same attribute."""
    found: dict[int, tuple[int, ...]] = {}
    for n, line in enumerate(side_lines):
        values = side_values(line.raw)
        for key, place in zip(line.sides, line.places, strict=True):
            before = found.get(key, ())
            if n in before:
                continue
            for other in before if values else ():
                _check_values(source, map, key, place, values, side_lines[other])
            found[key] = (*before, n)
    return found


def _check_values(source: Source, map: HexMap, key: int, place: Place, values: Raw, other: SideLine) -> None:
    before = side_values(other.raw)
    for name in values:
        if name in before and before[name] != values[name]:
            message = f"the hexside {map.side_name(key)} has two values of '{name}'"
            source.error("H504", message, place, "say it once", Related(other.place, "the other is here"))


def side_values(raw: Raw) -> dict[str, object]:
    return {name: value for name, value in raw.items() if name not in SIDE_PROPERTIES}


def line_values(raw: Raw) -> dict[str, object]:
    return {name: value for name, value in raw.items() if name not in LINE_PROPERTIES}


def read_paths(walker: Walker) -> Iterator[Line]:
    """Roads and railways: each step between neighbours, and no two of one kind on the same step."""
    seen: dict[tuple[str, int, int], Place] = {}
    for raw, place in walker.source.entries("lines"):
        kind = text(raw.get("kind"))
        if kind is None:
            continue
        before = len(walker.source.findings)
        steps = []
        for step in walker.hex_path(raw.get("path"), place / "path", kind):
            pair = (kind, min(step.a, step.b), max(step.a, step.b))
            first = seen.setdefault(pair, step.place)
            if first is step.place:
                steps.append(step)
                continue
            message = (
                f"a '{kind}' from '{walker.map.name(step.a)}' to '{walker.map.name(step.b)}' is there already"
            )
            walker.source.error(
                "H405", message, step.place, "take one out", Related(first, "the first is here")
            )
        if not steps and len(walker.source.findings) == before:
            walker.source.error(
                "H406", f"the {kind} leads nowhere", place / "path", "name at least two hexes"
            )
        pairs = tuple((step.a, step.b) for step in steps)
        yield Line(kind, text(raw.get("id")), pairs, tuple(s.place for s in steps), raw, place)
