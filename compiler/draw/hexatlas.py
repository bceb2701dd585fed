"""A hex map: grid + data + style → scene, shapes and labels.

Land first, water over it, then the grid, rivers, borders, roads, signs, numbers and names. Everything follows from the
map file; the picture file only changes looks and sizes. Time and memory grow with the number of hexes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import cos, hypot, pi, sin
from pathlib import Path as File
from typing import Any

from compiler.draw import fonts, hexframe
from compiler.draw.hexcoast import UNIT, Charts, Land, load_coast
from compiler.draw.hexframe import Entry, Frame, Pen
from compiler.draw.hexland import SEA_LOOKS, land, look_of, sea
from compiler.draw.hexlines import Roads, draw_roads, hexsides, is_planned, nets, side_look, winding
from compiler.draw.hexmarks import SIGNS, Signs, draw_signs, size_of
from compiler.draw.hexnames import Along, Name, Names, Taken, Wish, densely
from compiler.draw.hexown import own_hex_board
from compiler.draw.hexparts import Sextants, read_sextants
from compiler.draw.hexplane import Plane, Spot, chains, grid_lines, outline
from compiler.draw.hexregions import Wide, outlines, place_wide, wide_items
from compiler.draw.hexrelief import relief
from compiler.draw.hexsettings import checked
from compiler.draw.place import XY, Box
from compiler.draw.scene import (
    Item,
    Path,
    Scene,
    Words,
    polygon,
    polyline,
    rect,
    to_svg,
)
from compiler.draw.settings import Picture, load_picture, load_style, root_of
from compiler.draw.types import DrawnMap, Label, SpaceShape
from compiler.findings import Finding, error
from compiler.grid.cuts import HANDY, LARGEST, WHOLE, is_cut
from compiler.grid.hexmap import NONE, HexMap
from compiler.grid.pixels import whole
from compiler.grid.placing import Picture as Placing
from compiler.grid.placing import lay_out
from compiler.grid.vassal import SheetGrid
from compiler.grid.vassal import plan as plan_grids
from compiler.model.types import Map, Module, Space

HEX_SIZE = 90  # px between opposite hexsides, unless the picture file says otherwise
DATE_GAPS = (8, 20, 34)  # of 90 to a hex: how far from its line a date may stand, the nearest first
COUNTER = 0.62  # of the hex size
ASHORE = 0.75  # of the way to the middle of an island that its signs are moved
TOWN = 21.4  # px: at half size its capitals still have 7 px


@cache
def looks_file() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(
        (File(__file__).parent / "hexstyles.json").read_text(encoding="utf-8")
    )
    return found


@dataclass(frozen=True)
class Sheet:
    """All that the drawing of one hex map reads."""

    module: Module
    board: Map
    map: HexMap
    picture: Picture
    style: Mapping[str, Any]
    language: str
    plane: Plane
    frame: Frame
    spaces: Mapping[str, Space]
    terrains: list[str]  # the look of each hex
    looks: Mapping[str, Mapping[str, str]]
    entries: list[Entry]

    @property
    def scale(self) -> float:
        return self.plane.size / HEX_SIZE

    def text(self, id: str) -> str:
        return self.module.texts.get(id, self.language)


def draw_hex_map(module: Module, map_id: str, language: str, style: str = "print") -> DrawnMap:
    """Draws a hex map in a language and style. Findings are inside the result."""
    board = module.maps[map_id]
    assert board.hexes is not None
    raw, unread = load_picture(root_of(module), map_id)
    picture, wrong = checked(raw)
    look, more = load_style(style, picture)
    findings = [*unread, *wrong, *more]
    if not len(board.hexes):
        findings.append(error("D002", f"map '{map_id}' has no hexes to draw", board.place))
        return DrawnMap("", 0, 0, {}, (), {}, 0, round(HEX_SIZE * COUNTER), tuple(findings))
    own, said = own_hex_board(board, picture)
    if own is not None or said:
        return own or DrawnMap("", 0, 0, {}, (), {}, 0, round(HEX_SIZE * COUNTER), (*findings, *said))
    look = _style(style, look, picture)
    sheet = _sheet(module, board, picture, look, language)
    if sheet.frame.width * sheet.frame.height > WHOLE:
        what = f"map '{map_id}' would have {sheet.frame.width * sheet.frame.height / 1e6:.0f} megapixels, more than 400"
        help = f'make hexes smaller: "hex" in maps/{map_id}.picture.json'
        findings.append(error("D022", what, board.place, help=help))
        return DrawnMap("", 0, 0, {}, (), {}, 0, round(HEX_SIZE * COUNTER), tuple(findings))
    return _draw(sheet, findings)


def _style(name: str, look: Mapping[str, Any], picture: Picture) -> Mapping[str, Any]:
    """The style of all maps with that of hexes on top, and the picture file's own changes on top of both."""
    own = looks_file()[name if name in looks_file() else "print"]
    whole = {**look, **own}
    changes = picture.get("styles", {}).get(name, {})
    plain = {key: colour for key, colour in changes.items() if isinstance(whole.get(key), str)}
    return {**whole, **plain, "words": looks_file()["words"]}


# -- what there is to draw --------------------------------------------------------------------------------------------


def _sheet(module: Module, board: Map, picture: Picture, style: Mapping[str, Any], language: str) -> Sheet:
    map = board.hexes
    assert map is not None
    size = int(picture.get("hex", HEX_SIZE))
    letters = {letter: _terrain(item.raw) for letter, item in map.legend.items()}
    by_letter = {letter: look_of(word, map.legend[letter].water, style) for letter, word in letters.items()}
    terrains = [by_letter.get(letter, "clear") for letter in map.letters]
    looks = _looks(style, picture, letters, by_letter)
    entries = _legend(module, map, style, looks, letters, by_letter, language, picture, board)
    squares = _track_numbers(module, picture)

    def framed(placed: Placing) -> Frame:
        return hexframe.plan(
            placed.width, placed.height, map.boxes, len(entries), squares, _free(map, placed)
        )

    placed = lay_out(map, size, margin=8)
    frame = framed(placed)
    if is_cut(round(frame.width), round(frame.height), _most(picture)):
        placed = lay_out(map, size, 8, whole)
        frame = framed(placed)
    left, top = round(frame.left), round(frame.top)
    layouts = tuple(layout.moved(left, top) for layout in placed.layouts)
    plane = Plane(map, Placing(layouts, round(frame.width), round(frame.height)))
    spaces = {space.id: space for space in board.spaces}
    return Sheet(module, board, map, picture, style, language, plane, frame, spaces, terrains, looks, entries)


def _free(map: HexMap, placed: Placing) -> hexframe.Rect | None:
    """The largest empty rectangle of a large map's picture."""
    if max(placed.width, placed.height) < HANDY:
        return None
    plane = Plane(map, placed)
    return hexframe.largest_free(plane.centres, plane.size, placed.width, placed.height)


def _most(picture: Picture) -> int:
    return int(picture.get("boards", LARGEST))


def _track_numbers(module: Module, picture: Picture) -> range:
    """The numbers of the track along the top, if the picture file wants one: `"track": {"kind": "money"}`."""
    kind = picture.get("track", {}).get("kind")
    found = [track for track in module.tracks.values() if kind is not None and track.kind == kind]
    return range(min(t.low for t in found), max(t.high for t in found) + 1) if found else range(0)


def _terrain(raw: Mapping[str, object]) -> str:
    word = raw.get("terrain")
    return word if isinstance(word, str) else "clear"


def _looks(
    style: Mapping[str, Any], picture: Picture, letters: Mapping[str, str], by_letter: Mapping[str, str]
) -> dict[str, Mapping[str, str]]:
    """What each look is like. A terrain that no table knows gets a colour of its own; the picture file has the last word."""
    found: dict[str, Mapping[str, str]] = dict(style["looks"])
    others = [name for name in dict.fromkeys(by_letter.values()) if name not in found]
    for k, name in enumerate(others):
        found[name] = {"fill": style["others"][k % len(style["others"])], "texture": "none", "ink": "#888888"}
    own = picture.get("terrain", {})
    for letter, word in letters.items():
        if word in own:
            found[by_letter[letter]] = {**found[by_letter[letter]], **own[word]}
    return found


def _legend(
    module: Module,
    map: HexMap,
    style: Mapping[str, Any],
    looks: Mapping[str, Mapping[str, str]],
    letters: Mapping[str, str],
    by_letter: Mapping[str, str],
    language: str,
    picture: Picture,
    board: Map,
) -> list[Entry]:
    """The terrains, hexsides, lines and signs that the map has, in the order of the file."""
    used = set(map.letters)
    effects = picture.get("effects", {}).get(language, {})
    out: dict[str, Entry] = {}
    for letter, word in letters.items():
        if letter in used:
            text = module.texts.get(f"terrain.{word}", language)
            look = looks[by_letter[letter]]
            if map.legend[letter].water == "part":
                look = {**look, "water": looks["sea"]["fill"], "shore": style["coast"][0]}
            out.setdefault(f"t.{word}", Entry("terrain", text, look, str(effects.get(word, ""))))
    for side in map.side_lines:
        look = style["sides"][side_look(side.kind, style["words"])]
        text = module.texts.get(f"hexside.{side.kind}", language)
        out.setdefault(f"s.{side.kind}", Entry("side", text, look, str(effects.get(side.kind, ""))))
    for line in map.lines:
        look = style["lines"][style["words"]["line"].get(line.kind.lower(), "other")]
        text = module.texts.get(f"line.{line.kind}", language)
        effect = str(effects.get(line.kind, ""))
        key = f"l.{line.kind}"
        if is_planned(line.raw, style["words"]):
            effect = hexframe.word(picture, "planned_date" if picture.get("opens") else "planned", language)
            key, look = f"{key}.planned", {**look, "planned": "yes"}
        out.setdefault(key, Entry("line", text, look, effect))
    for name in dict.fromkeys(picture.get("outlines", {}).values()):
        out[f"o.{name}"] = Entry("side", hexframe.word(picture, name, language), style["sides"][name])
    for key, signs in _sign_entries(module, board, picture):
        out.setdefault(key, Entry("sign", hexframe.word(picture, key, language), signs))
    return list(out.values())


def _sign_entries(module: Module, board: Map, picture: Picture) -> Iterator[tuple[str, Signs]]:
    found: set[str] = set()
    capitals = {power.capital for power in module.powers.values()}
    for space in board.spaces:
        sizes = _sizes(space, picture)
        if space.id in capitals:
            found.add("capital")
        elif "city" in sizes:
            found.add("city" if sizes["city"] == 1 else f"city{min(3, sizes['city'])}")
        found |= {name for name in sizes if name != "city"}
    samples = {
        "city": Signs({"city": 1}),
        "city2": Signs({"city": 2}),
        "city3": Signs({"city": 3}),
        "capital": Signs({"city": 3}, capital=True),
        **{name: Signs({name: 1}) for name in SIGNS if name != "city"},
    }
    for name, signs in samples.items():
        if name in found:
            yield name, signs


def _sizes(space: Space, picture: Picture) -> dict[str, int]:
    show = picture.get("show", {})
    sizes = {name: size_of(space.values.get(str(show.get(name, name)))) for name in SIGNS}
    return {name: size for name, size in sizes.items() if size > 0}


def _sextants(sheet: Sheet) -> tuple[Sextants, list[Finding]]:
    dry = {letter: item for letter, item in sheet.map.legend.items() if item.water != "all"}
    looks = {
        word: look_of(word, item.water, sheet.style) for item in dry.values() if (word := _terrain(item.raw))
    }
    return read_sextants(sheet.picture, sheet.map, looks)


# -- drawing ----------------------------------------------------------------------------------------------------------


def _draw(sheet: Sheet, findings: list[Finding]) -> DrawnMap:
    plane, frame = sheet.plane, sheet.frame
    land_in, more = load_coast(sheet.picture.root, sheet.board.id, sheet.map)
    findings += more
    sextants, more = _sextants(sheet)
    findings += more
    strength = float(sheet.style.get("relief", 0))
    rings = outline(plane)
    heights, more = relief(sheet.picture.root, sheet.board.id, strength, plane, _room(rings))
    findings += more
    water, clips, coast = sea(plane, sheet.terrains, sheet.looks, sheet.style, Charts(plane, land_in))
    cut = _cuts(sheet)
    sign_items, wishes, boxes = _signs(sheet, land_in)
    names = _names(sheet, rings, boxes)
    placed = names.place(wishes)
    roads = _road_nets(sheet)
    rivers = _river_names(sheet, names, coast, roads)
    dates = _opening_dates(sheet, names)
    wide = _wide_names(sheet, names, findings)
    findings += _shortcomings(sheet, placed)
    grids = plan_grids(sheet.map, plane.picture, cut=_is_cut(sheet))
    pen = Pen(
        frame, sheet.picture, sheet.style, sheet.language, plane.size, _step(plane), sheet.map.shape == "flat"
    )
    title = sheet.text(f"map.{sheet.board.id}")
    wet, dry = _sides(sheet, coast)
    items: list[Item] = [
        Path(polygon(rings), fill=sheet.looks["clear"]["fill"]),
        *land(plane, sheet.terrains, sheet.looks, sextants),
        *heights,
        *(wet if land_in else ()),  # a real coast decides where a river ends
        *water,
        *_grid(sheet),
        *(() if land_in else wet),
        *dry,
        *_region_lines(sheet),
        *wide_items(wide, sheet.style),
        *_roads(sheet, roads),
        *sign_items,
        *_margin(sheet, rings, cut),
        *_numbers(sheet, names, cut),
        *_along_items(sheet, rivers, sheet.style["sea_ink"]),
        *_along_items(sheet, dates, sheet.style["ink"]),
        *_name_items(sheet, placed),
        *hexframe.title(pen, title, sheet.text("module.name") if _has_name(sheet) else ""),
        *hexframe.track(pen),
        *hexframe.boxes(pen, {id: sheet.text(f"space.{id}") for id in frame.boxes}),
        *hexframe.legend(pen, sheet.entries),
    ]
    svg = to_svg(
        Scene(
            round(frame.width),
            round(frame.height),
            (Path(rect(0, 0, round(frame.width), round(frame.height)), fill=sheet.style["paper"]), *items),
            defs=_defs(clips),
            title=title,
        )
    )
    counter = int(sheet.picture.get("counter", round(plane.size * COUNTER)))
    labels = [*(_label(sheet, name) for name in placed), *(_along_label(name) for name in (*rivers, *dates))]
    return DrawnMap(
        svg,
        round(frame.width),
        round(frame.height),
        {**_shapes(sheet, grids, cut), **hexframe.box_shapes(frame, counter)},
        tuple(labels),
        {n: (x + w / 2, y + h / 2) for n, (x, y, w, h) in frame.squares.items()},
        sum(not n.clear for n in placed) + sum(not n.clear for n in wide),
        counter,
        tuple(findings),
        grids,
        _most(sheet.picture),
    )


def _is_cut(sheet: Sheet) -> bool:
    return is_cut(round(sheet.frame.width), round(sheet.frame.height), _most(sheet.picture))


def _has_name(sheet: Sheet) -> bool:
    return sheet.module.texts.has("module.name", sheet.language)


def _step(plane: Plane) -> float:
    """Between two neighbouring hexes in a straight row."""
    return plane.size


def _defs(clips: Mapping[str, str]) -> str:
    return "".join(
        f'<clipPath id="{id}"><path d="{d}" clip-rule="evenodd"/></clipPath>' for id, d in clips.items()
    )


def _grid(sheet: Sheet) -> list[Item]:
    colour, wide, thin = sheet.style["grid"]
    width = max(0.5, wide * sheet.scale)
    return [Path(grid_lines(sheet.plane), stroke=colour, width=width, opacity=thin)]


def _sides(sheet: Sheet, coast: Mapping[Spot, XY]) -> tuple[list[Item], list[Item]]:
    """All hexsides, kind by kind: waters, and what people drew over them."""
    by_kind: dict[str, list[int]] = {}
    for side in sheet.map.side_lines:
        by_kind.setdefault(side.kind, []).extend(side.sides)
    style = sheet.style
    wet: list[Item] = []
    dry: list[Item] = []
    for kind, sides in by_kind.items():
        name = side_look(kind, style["words"])
        made = wet if name in style["words"]["wet"] else dry
        made += hexsides(sheet.plane, sides, style["sides"][name], coast)
    return wet, dry


def _region_lines(sheet: Sheet) -> list[Item]:
    """Where regions end: borders of countries, lines between zones."""
    out: list[Item] = []
    for look, sides in outlines(sheet.map, sheet.board.regions, sheet.picture.get("outlines", {})):
        out += hexsides(sheet.plane, sides, sheet.style["sides"][look], {})
    return out


def _wide_names(sheet: Sheet, names: Names, findings: list[Finding]) -> list[Wide]:
    """The names of regions that the picture file wants; what it misspells is told."""
    out: list[Wide] = []
    others = Taken()
    known = {region.id for region in sheet.board.regions}
    for k, wanted in enumerate(sheet.picture.get("names", [])):
        region, hex = wanted["region"], sheet.map.index.get(wanted["at"], NONE)
        place = sheet.picture.place / "names" / k if sheet.picture.place else None
        if region not in known or not 0 <= hex < len(sheet.map):
            what = f"'{region}' is no region" if region not in known else f"'{wanted['at']}' is no hex"
            findings.append(error("D021", f"{what} of map '{sheet.board.id}'", place))
            continue
        text = sheet.text(f"region.{region}").upper()
        made = place_wide(names, hex, text, wanted, others)
        if not made.clear:
            what = (
                f"no room on map '{sheet.board.id}' for the name of the region '{region}' clear of the others"
            )
            findings.append(error("D003", what, place))
        out.append(made)
    return out


def _road_nets(sheet: Sheet) -> Roads:
    towns = {n for n in sheet.map.entries if _sizes(sheet.spaces[sheet.map.ids[n]], sheet.picture)}
    return Roads(sheet.plane, nets(sheet.plane, sheet.style["words"], sheet.style["lines"]), towns)


def _roads(sheet: Sheet, roads: Roads) -> list[Item]:
    words = sheet.style["words"]
    wet = {
        key
        for side in sheet.map.side_lines
        if side_look(side.kind, words) in words["wet"]
        for key in side.sides
    }
    return draw_roads(roads, wet, str(sheet.looks["clear"]["fill"]))


def _signs(sheet: Sheet, land_in: Land) -> tuple[list[Item], list[Wish], list[Box]]:
    """The signs of all hexes that have some, and the names that hexes want."""
    lined = {n for line in sheet.map.lines for step in line.steps for n in step}
    items: list[Item] = []
    wishes: list[Wish] = []
    boxes: list[Box] = []
    capitals = {power.capital for power in sheet.module.powers.values()}
    for n in sorted(sheet.map.entries):
        id = sheet.map.ids[n]
        space = sheet.spaces.get(id)
        if space is None:
            continue
        sizes = _sizes(space, sheet.picture)
        owner = sheet.module.powers.get(space.controller or "")
        capital = id in capitals
        around: Box | None = None
        if sizes or capital:
            signs = Signs(sizes, capital, owner.colour if owner else None, _shore(sheet, n))
            spot = sheet.plane.centres[n] if n in lined else _ashore(sheet, n, land_in.get(n, ()))
            drawn, taken = draw_signs(signs, spot, sheet.scale, sheet.style)
            items += drawn
            boxes += taken
            around = _hull([*taken, _counter_box(sheet, n)])
        text = space.label or sheet.text(f"space.{id}")
        if text != id and text != f"space.{id}":
            rank = max(sizes.get("city", 0), 4 if capital else 0)
            wishes.append(Wish(n, id, text, _font(rank), _letters(sheet, rank), around))
    return items, wishes, boxes


def _ashore(sheet: Sheet, n: int, rings: Sequence[Sequence[XY]]) -> XY:
    """Where the signs of a hex stand: its middle, or the island in it if the middle is water."""
    x, y = sheet.plane.centres[n]
    if not rings or sum(_surrounds(ring, (0.0, 0.0)) for ring in rings) % 2:
        return x, y
    island = max(rings, key=_extent)
    left, right = min(p[0] for p in island), max(p[0] for p in island)
    top, bottom = min(p[1] for p in island), max(p[1] for p in island)
    one = sheet.plane.size / UNIT
    return x + (left + right) / 2 * ASHORE * one, y + (top + bottom) / 2 * ASHORE * one


def _extent(ring: Sequence[XY]) -> float:
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    return (max(xs) - min(xs)) * (max(ys) - min(ys))


def _surrounds(ring: Sequence[XY], at: XY) -> bool:
    inside = False
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (ay > at[1]) != (by > at[1]) and at[0] < ax + (at[1] - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside


def _counter_box(sheet: Sheet, n: int) -> Box:
    """Where a counter lies in a hex: a name beside it can be read when the hex is held."""
    x, y = sheet.plane.centres[n]
    side = sheet.plane.size * COUNTER * 0.88
    return Box(x, y, side, side)


def _font(rank: int) -> fonts.Font:
    return fonts.SANS_BOLD if rank >= 2 else fonts.SANS_HEAVY


def _letters(sheet: Sheet, rank: int) -> float:
    """The size of a name. On small hexes names shrink with them; then they are read with a glass."""
    base = TOWN + {0: 0.0, 1: 0.0, 2: 1.4}.get(rank, 3.0)
    return base if sheet.plane.size >= 64 else base * sheet.plane.size / 64


def _hull(boxes: list[Box]) -> Box:
    left, right = min(b.x - b.w / 2 for b in boxes), max(b.x + b.w / 2 for b in boxes)
    top, bottom = min(b.y - b.h / 2 for b in boxes), max(b.y + b.h / 2 for b in boxes)
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def _shore(sheet: Sheet, n: int) -> XY | None:
    """The way to the water next to a hex."""
    x, y = sheet.plane.centres[n]
    wet = [m for m in sheet.map.around(n) if sheet.map.water(m) == "all"]
    if not wet:
        return None
    return (
        sum(sheet.plane.centres[m][0] - x for m in wet),
        sum(sheet.plane.centres[m][1] - y for m in wet),
    )


def _room(rings: list[list[XY]]) -> Box:
    xs = [x for ring in rings for x, _ in ring]
    ys = [y for ring in rings for _, y in ring]
    return Box((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, max(xs) - min(xs), max(ys) - min(ys))


def _names(sheet: Sheet, rings: list[list[XY]], signs: list[Box]) -> Names:
    digits = max((len(_shown(sheet, n)) for n in (0, len(sheet.map) - 1)), default=4)
    return Names(sheet.plane, _room(rings), signs, digits)


def _shown(sheet: Sheet, n: int) -> str:
    """What is printed in a hex: its id without what all ids of the sheet have in common, unless that is wanted whole."""
    id = sheet.map.ids[n]
    pattern = sheet.map.sheets[sheet.map.owner[n]].numbering.pattern
    if sheet.picture.get("numbers") == "whole":
        return id
    return id.removeprefix(pattern.before).removesuffix(pattern.after) or id


def _numbers(sheet: Sheet, names: Names, cut: dict[int, list[XY]]) -> list[Item]:
    if sheet.picture.get("numbers") == "none":
        return []
    size = names.number_size
    out: list[Item] = []
    wet = set(SEA_LOOKS)
    for n, (x, y) in names.numbers(range(len(sheet.map)), cut, _crossed(sheet.map)):
        ink = sheet.style["sea_number"] if sheet.terrains[n] in wet else sheet.style["number"]
        out.append(Words(_shown(sheet, n), x, y + size * 0.33, fonts.SANS, size, ink))
    return out


def _crossed(map: HexMap) -> set[tuple[int, int]]:
    """Hexes and the directions in which a line leaves them."""
    hexes = len(map)
    pairs = {(a, b) for line in map.lines for a, b in line.steps if a < hexes and b < hexes}
    return {
        (here, d)
        for a, b in pairs
        for here, there in ((a, b), (b, a))
        for d in (0, 3)
        if map.neighbours[6 * here + d] == there
    }


def _river_names(sheet: Sheet, names: Names, coast: Mapping[Spot, XY], roads: Roads) -> list[Along]:
    """Names of rivers and other hexsides, along them and clear of roads."""
    out = []
    if any(side.id for side in sheet.map.side_lines) or sheet.picture.get("opens"):
        names.keep_clear(roads.points(), 12 * sheet.scale)
    size = max(8.0, 18.0 * min(1.0, sheet.scale))
    done: set[str] = set()
    for side in sheet.map.side_lines:
        id = side.id
        if id is None or id in done or not sheet.module.texts.has(f"link.{id}", sheet.language):
            continue
        done.add(id)
        keys = [key for other in sheet.map.side_lines if other.id == id for key in other.sides]
        lines = [winding(sheet.plane, line, coast) for line in chains(sheet.plane, keys)]
        placed = names.along(sheet.text(f"link.{id}"), lines, size)
        if placed is not None:
            out.append(placed)
    return out


def _opening_dates(sheet: Sheet, names: Names) -> list[Along]:
    """Beside each line that is only planned: the turn in which it opens, where its attribute says one."""
    attribute = sheet.picture.get("opens", "")
    size = max(8.0, 15.0 * min(1.0, sheet.scale))
    out, done = [], set[tuple[object, str]]()
    for n, line in enumerate(sheet.map.lines):
        text = _opening(sheet, line.raw.get(attribute))
        key = (line.id or n, text)
        if not text or key in done or not is_planned(line.raw, sheet.style["words"]):
            continue
        done.add(key)
        hexes = [line.steps[0][0], *(b for _, b in line.steps)] if line.steps else []
        middles = [sheet.plane.centres[hex] for hex in hexes if hex < len(sheet.map)]
        gaps = (gap * sheet.scale for gap in DATE_GAPS)
        tried = (names.along(text, [densely(middles)], size, gap) for gap in gaps)
        out += list(islice((found for found in tried if found is not None), 1))
    return out


def _opening(sheet: Sheet, date: object) -> str:
    """A date in words: a number is the number of a turn, and one after the last turn is no date."""
    if isinstance(date, bool) or date is None:
        return ""
    if not isinstance(date, int | float):
        return str(date)
    turns = sheet.module.sequence.turns
    if not 1 <= date <= len(turns):
        return ""
    id = turns[int(date) - 1]
    return sheet.text(f"turn.{id}") if sheet.module.texts.has(f"turn.{id}", sheet.language) else id


def _along_items(sheet: Sheet, rivers: list[Along], ink: str) -> list[Item]:
    style = sheet.style
    return [
        Words(
            name.text,
            name.at[0] - sin(name.turn * pi / 180) * name.size * 0.3,
            name.at[1] + cos(name.turn * pi / 180) * name.size * 0.3,
            fonts.SERIF_ITALIC,
            name.size,
            ink,
            halo=style["halo"],
            halo_width=3.0,
            turn=name.turn,
        )
        for name in rivers
    ]


def _name_items(sheet: Sheet, placed: list[Name]) -> list[Item]:
    style = sheet.style
    out: list[Item] = []
    for name in placed:
        wish, box = name.wish, name.box
        for k, line in enumerate(name.lines):
            base = box.y - box.h / 2 + wish.size * (0.75 + k)
            halo = max(3.0, wish.size * 0.17)
            out.append(
                Words(
                    line, box.x, base, wish.font, wish.size, style["ink"], halo=style["halo"], halo_width=halo
                )
            )
    return out


def _shortcomings(sheet: Sheet, placed: list[Name]) -> list[Finding]:
    out = []
    for name in placed:
        space = sheet.spaces[name.wish.space]
        if not name.clear:
            what = f"no room on map '{sheet.board.id}' for the name of '{space.id}' clear of the others"
            out.append(error("D003", what, space.place, spaces=(space.id,)))
        if missing := fonts.lacks(name.wish.font, name.wish.text):
            what = f"the font has no '{missing[0]}', which stands in \"{name.wish.text}\""
            out.append(error("D005", what, space.place))
    return out


def _label(sheet: Sheet, name: Name) -> Label:
    hexes = sheet.map.within(name.wish.hex, 2)
    size = sheet.plane.size
    within = [
        sheet.map.ids[n]
        for n in hexes
        if hypot(sheet.plane.centres[n][0] - name.box.x, sheet.plane.centres[n][1] - name.box.y) < size * 0.6
    ]
    return Label(name.wish.space, name.wish.text, name.wish.size, name.box, tuple(within))


def _along_label(name: Along) -> Label:
    return Label("", name.text, name.size, name.box, ())


# -- edges and shapes -------------------------------------------------------------------------------------------------


def _cuts(sheet: Sheet) -> dict[int, list[XY]]:
    """For each half hex the directions in which it is cut off."""
    ways = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "top": (0.0, -1.0), "bottom": (0.0, 1.0)}
    out: dict[int, list[XY]] = {}
    for n, edges in sheet.map.halves.items():
        turn = sheet.map.sheets[sheet.map.owner[n]].turn * pi / 3
        out[n] = [
            (x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn))
            for x, y in (ways[edge] for edge in edges)
        ]
    return out


def _margin(sheet: Sheet, rings: list[list[XY]], cut: Mapping[int, list[XY]]) -> list[Item]:
    """Paper over what hangs over the edge of the map, and the line of the edge."""
    frame = sheet.frame
    colour, wide = sheet.style["edge"]
    whole = rect(0, 0, round(frame.width), round(frame.height))
    out: list[Item] = [
        Path(whole + polygon(rings), fill=sheet.style["paper"], rule="evenodd"),
        Path(polygon(rings), stroke=colour, width=wide * sheet.scale),
    ]
    covers, lines = [], []
    for n, ways in cut.items():
        for way in ways:
            away, line = _halved(sheet.plane.hexagon(n, 1.05), sheet.plane.centres[n], way)
            covers.append(polygon([away]))
            lines.append(polyline(line))
            lines += [polyline(side) for side in _laid_bare(sheet, n, way, cut)]
    if covers:
        out.append(Path("".join(covers), fill=sheet.style["paper"]))
        out.append(Path("".join(lines), stroke=colour, width=wide * sheet.scale))
    return out


def _laid_bare(sheet: Sheet, n: int, way: XY, cut: Mapping[int, list[XY]]) -> Iterator[list[XY]]:
    """The parts of a half hex's sides that became the edge of the map for whole hexes next to it."""
    plane, (x, y) = sheet.plane, sheet.plane.centres[n]
    for d in range(6):
        other = sheet.map.neighbours[6 * n + d]
        if other == NONE or other in cut:
            continue
        (ax, ay), (bx, by) = plane.corner(n, d - 1), plane.corner(n, d)
        a, b = (ax - x) * way[0] + (ay - y) * way[1], (bx - x) * way[0] + (by - y) * way[1]
        if max(a, b) <= 0.5:
            continue
        if min(a, b) < 0:
            t = a / (a - b)
            middle = (ax + (bx - ax) * t, ay + (by - ay) * t)
            (ax, ay), (bx, by) = ((ax, ay), middle) if a > 0 else (middle, (bx, by))
        yield [(ax, ay), (bx, by)]


def _halved(ring: list[XY], at: XY, way: XY) -> tuple[list[XY], list[XY]]:
    """The part of a hexagon that lies in a direction from its middle, and the line that cuts it off."""
    side = [(x - at[0]) * way[0] + (y - at[1]) * way[1] for x, y in ring]
    away: list[XY] = []
    line: list[XY] = []
    for k, (x, y) in enumerate(ring):
        nx, ny = ring[(k + 1) % len(ring)]
        a, b = side[k], side[(k + 1) % len(ring)]
        if a > 0:
            away.append((x, y))
        if (a > 0) != (b > 0):
            t = a / (a - b)
            point = (x + (nx - x) * t, y + (ny - y) * t)
            away.append(point)
            line.append(point)
    return away, line


def _shapes(sheet: Sheet, grids: tuple[SheetGrid, ...], cut: Mapping[int, list[XY]]) -> dict[str, SpaceShape]:
    out = {}
    plane, ids = sheet.plane, sheet.map.ids
    for grid in grids:
        for n, (x, y) in grid.centres.items():
            ring = plane.hexagon(n)
            for way in cut.get(n, ()):
                ring = _halved(ring, plane.centres[n], (-way[0], -way[1]))[0]
            at = (float(x), float(y))
            out[ids[n]] = SpaceShape(ids[n], (tuple(ring),), at, (at,))
    return out
