"""Maps: spaces, links and regions. The same functions read the small maps that cases bring along."""

from __future__ import annotations

from collections.abc import Iterable

from compiler.findings import Place, Related, error, warning
from compiler.model.context import Context
from compiler.model.files import Group
from compiler.model.hexes import build_hexes, declare_hexes, is_hex_map
from compiler.model.names import Names
from compiler.model.properties import known
from compiler.model.read import Object, entries, listed, obj, strings, text
from compiler.model.sources import entry_source, file_source, need_source
from compiler.model.types import Link, Map, Region, Space, Value
from compiler.model.values import read_values
from compiler.source.document import Document
from compiler.suggest import suggest

Found = list[tuple[Object, Place]]
MAX_SPACES = 250_000


def declare_maps(ctx: Context, files: tuple[Group, ...]) -> None:
    """Enter the ids of all maps and of everything on them."""
    total = 0
    for group in files:
        place = Place(group[0])
        ctx.names.declare("map", map_id(group), place)
        declare_regions(ctx, ctx.names, entries(group, "regions"))
        declare_links(ctx.names, entries(group, "links"))
        hexes = is_hex_map(group)
        if hexes:
            total += declare_hexes(ctx, group)
        for key in ("boxes",) if hexes else ("spaces", "boxes"):
            found = list(entries(group, key))
            if (total := total + len(found)) > MAX_SPACES:
                _too_many(ctx, place, total)
                return
            declare_spaces(ctx, ctx.names, found)


def map_id(group: Group) -> str:
    """A map without an id is called after its file, so that one mistake does not become many."""
    given = obj(group[0].value).get("id")
    return given if isinstance(given, str) else group[0].name.rpartition("/")[2].partition(".")[0]


def declare_spaces(ctx: Context, names: Names, found: Iterable[tuple[Object, Place]]) -> None:
    for entry, place in found:
        id = entry.get("id")
        if names.declare("space", id, place) and names.parent is None:
            label = text(entry.get("label"))
            ctx.want(f"space.{id}", place, entry, required=label is None, instead=label)


def declare_regions(ctx: Context, names: Names, found: Iterable[tuple[Object, Place]]) -> None:
    for entry, place in found:
        id = entry.get("id")
        if names.declare("region", id, place) and names.parent is None:
            ctx.want(f"region.{id}", place, entry, required=False)


def declare_links(names: Names, found: Iterable[tuple[Object, Place]]) -> None:
    for entry, place in found:
        if "id" in entry:
            names.declare("link", entry["id"], place)


def build_map(ctx: Context, group: Group) -> Map:
    names, main = ctx.names, obj(group[0].value)
    id = map_id(group)
    ctx.want(f"map.{id}", Place(group[0]), main, required=False, instead=id)
    found_links = list(entries(group, "links"))
    if is_hex_map(group):
        return _hex_map(ctx, group, id, found_links)
    spaces = [*entries(group, "spaces"), *entries(group, "boxes")]
    _check_linked(ctx, list(entries(group, "spaces")), found_links)
    return Map(
        id=id,
        kind="area",
        wraps=main.get("wraps") is True,
        adjacent=_adjacent(ctx, group[0]),
        spaces=build_spaces(ctx, names, spaces, id),
        links=build_links(ctx, names, found_links),
        regions=build_regions(ctx, names, entries(group, "regions")),
        raw=main,
        place=Place(group[0]),
    )


def _hex_map(ctx: Context, group: Group, id: str, links: Found) -> Map:
    main = obj(group[0].value)
    hexes, ways, regions = build_hexes(ctx, group[0], id)
    return Map(
        id=id,
        kind="hex",
        wraps=False,
        adjacent=_adjacent(ctx, group[0]),
        spaces=(*hexes, *build_spaces(ctx, ctx.names, entries(group, "boxes"), id)),
        links=(*ways, *build_links(ctx, ctx.names, links)),
        regions=regions,
        raw=main,
        place=Place(group[0]),
        hexes=ctx.grids[group[0]],
    )


def build_spaces(
    ctx: Context, names: Names, found: Iterable[tuple[Object, Place]], map_name: str
) -> tuple[Space, ...]:
    """All spaces whose id is theirs alone. `map_name` is the map they stand on unless they name one."""
    properties = known("space")
    inherited = {}
    table = names.tables["space"]
    out = []
    for entry, place in found:
        id = entry.get("id")
        if not isinstance(id, str) or table.get(id) != place:
            continue
        document = place.document
        if document not in inherited:
            inherited[document] = file_source(ctx, document)
        source = entry_source(ctx, entry, place, inherited[document])
        need_source(
            ctx, source, f"the space '{id}'", place / "id" if ctx.provenance else place, entry.get("source")
        )
        values = read_values(ctx, names, ("space",), entry, place, properties)
        kind = _kind(ctx, "space", entry, values)
        owner = entry.get("controller")
        controller = names.resolve("power", owner, place, "controller") if owner is not None else None
        on = names.resolve("map", entry["map"], place, "map") if "map" in entry else map_name
        out.append(
            Space(id, kind, on or map_name, text(entry.get("label")), controller, values, source, place)
        )
    return tuple(out)


def build_links(ctx: Context, names: Names, found: Iterable[tuple[Object, Place]]) -> tuple[Link, ...]:
    """One link a pair. Pairs with an unknown space, to themselves or written twice were reported and are left out."""
    properties = known("link")
    out: list[Link] = []
    seen: dict[tuple[str, str, str], Place] = {}
    for entry, place in found:
        values = read_values(ctx, names, ("link",), entry, place, properties)
        tags = values.pop("tags", None) or ()
        kind = _kind(ctx, "link", entry, values)
        id, one_way = text(entry.get("id")), entry.get("one_way") is True
        pairs, words = place / "pairs", _words(tags)
        for n, pair in enumerate(listed(entry.get("pairs"))):
            at = pairs / n
            ends = _ends(ctx, names, pair, at)
            if ends is None or kind is None:
                continue
            link = Link(id, kind, words, ends[0], ends[1], one_way, values, at)
            if not _again(ctx, link, seen):
                out.append(link)
    return tuple(out)


def build_regions(ctx: Context, names: Names, found: Iterable[tuple[Object, Place]]) -> tuple[Region, ...]:
    out = []
    for entry, place in found:
        id = entry.get("id")
        if not isinstance(id, str) or names.tables["region"].get(id) != place:
            continue
        values = read_values(ctx, names, ("region",), entry, place, known("region"))
        kind = _kind(ctx, "region", entry, values)
        owner = names.resolve("power", entry.get("owner"), place, "owner")
        out.append(Region(id, kind, owner, _members(names, entry, place), values, place))
    return tuple(out)


def _members(names: Names, entry: Object, place: Place) -> tuple[str, ...]:
    found = (names.resolve("space", word, at) for word, at in strings(entry, "spaces", place))
    return tuple(dict.fromkeys(name for name in found if name is not None))


def _kind(ctx: Context, kind: str, entry: Object, values: dict[str, Value]) -> str | None:
    """The word under `kind`. Where the vocabulary lists none (reported once for all), it is taken as written."""
    found = values.pop("kind", None) if (kind, "kind") in ctx.vocabulary else entry.get("kind")
    return text(found)


def _words(tags: object) -> tuple[str, ...]:
    return tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, tuple) else ()


def _ends(ctx: Context, names: Names, pair: object, at: Place) -> tuple[str, str] | None:
    if not isinstance(pair, list) or len(pair) != 2:
        return None
    a = names.resolve("space", pair[0], at, 0)
    b = names.resolve("space", pair[1], at, 1)
    if a is None or b is None:
        return None
    if a == b:
        ctx.report(error("N501", f"a link from '{a}' to itself", at, help="name two different spaces"))
        return None
    return a, b


def _again(ctx: Context, link: Link, seen: dict[tuple[str, str, str], Place]) -> bool:
    there, back = (link.kind, link.a, link.b), (link.kind, link.b, link.a)
    first = seen.get(there) or (None if link.one_way else seen.get(back))
    if first is None:
        seen[there] = link.place
        if not link.one_way:
            seen[back] = link.place
        return False
    message = f"'{link.a}' and '{link.b}' are linked twice by '{link.kind}'"
    related = (Related(first, "the first link is here"),)
    ctx.report(error("N502", message, link.place, help="take one out", related=related))
    return True


def _check_linked(ctx: Context, spaces: Found, links: Found) -> None:
    """Warn of spaces that nothing leads to, on a map that has links at all. A module of rules has a map in pieces."""
    if ctx.rules_only:
        return
    ends = {
        end
        for entry, _ in links
        for pair in listed(entry.get("pairs"))
        for end in listed(pair)
        if isinstance(end, str)
    }
    for entry, place in spaces:
        id = entry.get("id")
        if ends and isinstance(id, str) and id not in ends:
            help = "link it, or list it under 'boxes' if it stands beside the map"
            ctx.report(warning("N403", f"no link leads to the space '{id}'", place / "id", help=help))


def _adjacent(ctx: Context, document: Document) -> tuple[str, ...] | None:
    main = obj(document.value)
    if not isinstance(main.get("adjacent"), list):
        return None
    declared = ctx.vocabulary.get(("link", "kind"))
    kinds = []
    for word, place in strings(main, "adjacent", Place(document)):
        if declared is None or word in declared.type.words:
            kinds.append(word)
            continue
        near = suggest(word, declared.type.words)
        help = f"did you mean '{near}'?" if near else f"one of: {', '.join(declared.type.words)}"
        related = (Related(declared.place, "the kinds of links are declared here"),) if declared.place else ()
        ctx.report(error("N303", f"'{word}' is no word of link.kind", place, help=help, related=related))
    return tuple(kinds)


def _too_many(ctx: Context, place: Place, total: int) -> None:
    message = f"the maps have {total:,} spaces; the limit is {MAX_SPACES:,}"
    ctx.report(error("N509", message, place, help="split the module"))
