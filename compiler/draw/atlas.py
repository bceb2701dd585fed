"""An area map: outlines + data + style → scene, shapes and labels.

Land is laid first, relief over it, then the sea, which trims the relief to the coast; borders, figures and names
come last. Everything is measured before it is drawn, so that the count of overlaps is a fact and not a hope.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from compiler.draw import fonts, furniture
from compiler.draw.agreement import compare
from compiler.draw.colour import mix
from compiler.draw.labels import ROW, Board, Layout, Wish, far_parts, row_width
from compiler.draw.marks import capital_mark, complex_mark, income_mark, link_mark
from compiler.draw.outlines import EDGE, Outlines, Ring, load_outlines, neighbours
from compiler.draw.ownboard import OwnBoard, own_board, picture_uri
from compiler.draw.patterns import definitions
from compiler.draw.place import Box, Field, inside, signed_area
from compiler.draw.relief import relief_uri
from compiler.draw.scene import (
    Group,
    Item,
    Path,
    Scene,
    Words,
    polygon,
    polyline,
    rect,
    to_svg,
)
from compiler.draw.scene import (
    Picture as Raster,
)
from compiler.draw.settings import Picture, area_picture, load_style, root_of
from compiler.draw.types import DrawnMap, Label, SpaceShape
from compiler.findings import Finding, error
from compiler.model.types import Map, Module, Space

DEFAULT_COUNTER = 50
LAND_SIZES = (36.0, 31.0, 27.0, 24.0, 22.0, 20.0, 18.0, 16.0, 14.0)
ZONE_SIZES = (48.0, 40.0, 34.0, 28.0, 22.0)


@dataclass(frozen=True)
class Atlas:
    """All that the drawing of one map reads."""

    module: Module
    board: Map
    outlines: Outlines
    picture: Picture
    style: Mapping[str, Any]
    language: str
    sheet: furniture.Sheet

    @cached_property
    def water(self) -> frozenset[str]:
        """Ids of the spaces that are sea: their kind is among the picture's `sea_kinds`."""
        kinds = set(self.picture.get("sea_kinds", ["sea", "sea_zone"]))
        return frozenset(s.id for s in self.board.spaces if s.kind in kinds and s.id in self.outlines.areas)

    @cached_property
    def land(self) -> list[Space]:
        return [s for s in self.board.spaces if s.id in self.outlines.areas and s.id not in self.water]

    @cached_property
    def owners(self) -> dict[str, str | None]:
        return {space.id: space.controller for space in self.land}

    def colour_of(self, power: str | None) -> str:
        owner = self.module.powers.get(power or "")
        return (owner.colour if owner and owner.colour else None) or str(self.style["neutral"])

    def shows(self, figure: str) -> str:
        """The attribute behind a drawn figure (`income`, `complex`)."""
        return str(self.picture.get("show", {}).get(figure, figure))


def draw_map(module: Module, map_id: str, language: str, style: str = "print") -> DrawnMap:
    """Draws a map in a language and style. Findings are inside the result; without outlines the map is empty."""
    root = root_of(module)
    board = module.maps[map_id]
    picture, findings = area_picture(root, map_id)
    look, more = load_style(style, picture)
    outlines, problems = load_outlines(root, map_id)
    findings = [*findings, *more, *problems]
    if outlines is None:
        if not problems:
            findings.append(
                error(
                    "D002", f"map '{map_id}' has no outlines and no picture of the author's own", board.place
                )
            )
        return DrawnMap("", 0, 0, {}, (), {}, 0, DEFAULT_COUNTER, tuple(findings))
    sheet = furniture.plan(module, board, outlines.width, outlines.height, picture)
    atlas = Atlas(module, board, outlines, picture, look, language, sheet)
    findings += compare(board, outlines, picture.get("links_without_border", {}))
    return _draw(atlas, findings)


def _draw(atlas: Atlas, findings: list[Finding]) -> DrawnMap:
    layouts, extras = _lay_out(atlas)
    findings += _shortcomings(atlas, layouts)
    hearts = {name: layout.anchor for name, layout in layouts.items()}
    own, said = own_board(atlas.picture, hearts, float(atlas.picture.get("counter", DEFAULT_COUNTER)))
    findings += said
    if own is not None:
        return _on_own_board(atlas, layouts, own, findings)
    labels = _labels(atlas, layouts, extras)
    shapes = _shapes(atlas, layouts)
    pieces, squares = furniture.draw(
        atlas.module, atlas.board, atlas.sheet, atlas.picture, atlas.style, atlas.language, findings
    )
    shapes |= furniture.box_shapes(atlas.board, atlas.sheet)
    collisions = _collisions(labels)
    if collisions:
        findings.append(
            error("D006", f"{collisions} pairs of names overlap on map '{atlas.board.id}'", atlas.board.place)
        )
    scene = Scene(
        atlas.sheet.width, atlas.sheet.height,
        (
            Path(rect(0, 0, atlas.sheet.width, atlas.sheet.height), fill=atlas.style["paper"]),
            Group(tuple(_map_items(atlas, layouts, extras)), transform=f"translate({atlas.sheet.left} {atlas.sheet.top})"),
            *_margins(atlas),
            *pieces,
        ),
        defs=_defs(atlas), title=atlas.module.texts.get(f"map.{atlas.board.id}", atlas.language),
    )  # fmt: skip
    return DrawnMap(
        to_svg(scene),
        round(atlas.sheet.width),
        round(atlas.sheet.height),
        shapes,
        tuple(labels),
        squares,
        collisions,
        int(atlas.picture.get("counter", DEFAULT_COUNTER)),
        tuple(findings),
    )


def _on_own_board(
    atlas: Atlas, layouts: Mapping[str, Layout], own: OwnBoard, findings: list[Finding]
) -> DrawnMap:
    """The author's picture as the board: nothing is drawn over it, the spaces are laid on it by the fit."""
    rings = atlas.outlines.rings
    shapes = {
        name: SpaceShape(
            name,
            tuple(tuple(own.fit.at(p) for p in ring) for ring in rings[name]),
            own.fit.at(layout.anchor),
            tuple(own.fit.at(p) for p in layout.spots) or (own.fit.at(layout.anchor),),
        )
        for name, layout in layouts.items()
    }
    scene = Scene(own.width, own.height, (Raster(picture_uri(own.path), 0, 0, own.width, own.height),))
    counter = int(atlas.picture.get("counter", DEFAULT_COUNTER))
    return DrawnMap(to_svg(scene), own.width, own.height, shapes, (), {}, 0, counter, tuple(findings))


# -- where everything stands ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Extra:
    """A name beside the spaces' own: an ocean's, or that of the part beyond the map's edge."""

    text: str
    box: Box
    size: float
    turn: float
    space: str
    spacing: float = 0.0
    sea: bool = False


def _lay_out(atlas: Atlas) -> tuple[dict[str, Layout], list[Extra]]:
    counter = float(atlas.picture.get("counter", DEFAULT_COUNTER))
    board = Board(atlas.outlines.rings, counter, atlas.outlines.width)
    need = stacks_needed(atlas.module, atlas.board)
    for link_id in atlas.picture.get("marks", {}):
        if link_id in atlas.outlines.places:
            box = Box(*atlas.outlines.places[link_id], 44, 44)
            for space_id in atlas.outlines.areas:
                board.taken.setdefault(space_id, []).append(box)
    land = sorted(atlas.land, key=lambda s: s.id)
    layouts = board.place_land([_land_wish(atlas, space, need.get(space.id, 0)) for space in land])
    extras = _beyond_edge(atlas) + _mark_names(atlas, board) + _oceans(atlas, board)
    for name in sorted(atlas.water):
        space = next(s for s in atlas.board.spaces if s.id == name)
        text = space.label or atlas.module.texts.get(f"space.{name}", atlas.language)
        wish = Wish(
            name, text, (), max(need.get(name, 0), 2), need.get(name, 0) + 3, fonts.SERIF_ITALIC, ZONE_SIZES
        )
        layouts[name] = board.place(wish)
    return layouts, extras


def stacks_needed(module: Module, board: Map) -> dict[str, int]:
    """For each space the most kinds of counter that any scenario puts there."""
    out: dict[str, int] = {}
    for scenario in module.scenarios.values():
        kinds: dict[str, set[str]] = {}
        for piece in scenario.pieces:
            kinds.setdefault(piece.space, set()).add(piece.counter)
        for space, found in kinds.items():
            out[space] = max(out.get(space, 0), len(found))
    return out


def _land_wish(atlas: Atlas, space: Space, need: int) -> Wish:
    icons = []
    if space.values.get(atlas.shows("income")):
        icons.append("income")
    if space.values.get(atlas.shows("complex")):
        icons.append("complex")
    if any(power.capital == space.id for power in atlas.module.powers.values()):
        icons.append("capital")
    stacks = 0 if space.controller is None else max(need, 1)
    name = atlas.module.texts.get(f"space.{space.id}", atlas.language)
    return Wish(
        space.id,
        name,
        tuple(icons),
        stacks,
        stacks + 2 if stacks else 0,
        fonts.SANS_HEAVY,
        LAND_SIZES,
        zones=_zones_for(atlas, space),
    )


def _zones_for(atlas: Atlas, space: Space) -> tuple[str, ...]:
    """The water that may hold the name: declared in the picture file, or any that the area touches."""
    declared = atlas.picture.get("names_in", {}).get(space.id)
    if declared in atlas.water:
        return (str(declared),)
    pairs = (pair for pair in atlas.outlines.borders if space.id in pair)
    return tuple(sorted({name for pair in pairs for name in pair} & atlas.water))


def _beyond_edge(atlas: Atlas) -> list[Extra]:
    """Small upright names on the pieces that the map's edge has cut off."""
    out = []
    for name, rings in atlas.outlines.rings.items():
        if name in atlas.outlines.kinds:
            continue
        for ring in far_parts(rings, atlas.outlines.width):
            text = atlas.module.texts.get(f"space.{name}", atlas.language)
            if name in atlas.water:
                text = next(s.label for s in atlas.board.spaces if s.id == name) or text
            if abs(signed_area(ring)) > 5000:
                out += _edge_name(name, text, ring, name in atlas.water)
    return out


def _edge_name(name: str, text: str, ring: Ring, sea: bool) -> list[Extra]:
    room = Field([ring], margin=5.0)
    (x, y), _ = room.heart()
    for size in (26.0, 24.0, 21.0, 19.0, 17.0, 15.0, 13.0):
        font = fonts.SERIF_ITALIC if sea else fonts.SANS_HEAVY
        wide = fonts.width(font, text, size)
        w, h = (wide + 4, size * 1.1) if sea else (size * 1.1, wide + 4)
        points = room.points(room.fits(w, h), 20)
        if points and (sea or size < 26):
            px, py = min(points, key=lambda p: (abs(p[0] - x) + abs(p[1] - y), p))
            return [Extra(text, Box(px, py, w, h), size, 0.0 if sea else -90.0, name, sea=sea)]
    return []


def _mark_names(atlas: Atlas, board: Board) -> list[Extra]:
    """Names of canals and straits, in the nearest free water of the zone that the author chose."""
    out = []
    for link_id, mark in atlas.picture.get("marks", {}).items():
        text, zone = str(mark.get("words", {}).get(atlas.language, "")), str(mark.get("in", ""))
        if text and zone in atlas.water and link_id in atlas.outlines.places:
            at, size = atlas.outlines.places[link_id], 20.0
            w, h = fonts.width(fonts.SERIF_ITALIC, text, size) + 6, size * 1.15
            room = board.field_of(zone)
            free = [
                p
                for p in room.points(room.fits(w, h), 900)
                if not any(Box(*p, w, h).overlaps(b, 3) for b in board.taken[zone])
            ]
            if free:
                box = Box(*min(free, key=lambda p: (math.dist(p, at), p)), w, h)
                board.taken[zone].append(box)
                out.append(Extra(text, box, size, 0.0, zone, sea=True))
    return out


def _oceans(atlas: Atlas, board: Board) -> list[Extra]:
    """Names of seas that are no spaces: where the author wants them, if they fit there."""
    out = []
    for entry in atlas.picture.get("seas", ()):
        text = str(entry["words"].get(atlas.language, ""))
        zone, size, spacing = str(entry["in"]), float(entry.get("size", 26)), float(entry.get("spacing", 3))
        if zone not in atlas.water or not text:
            continue
        room = board.field_of(zone)
        for box in board.taken.get(zone, ()):
            room.block(box)
        for scale in (1.0, 0.85, 0.7, 0.55):
            w = fonts.width(fonts.SERIF_ITALIC, text, size * scale, spacing * scale) + 6
            h = size * scale * 1.15
            points = room.points(room.fits(w, h), 60)
            if points:
                x, y = min(
                    points,
                    key=lambda p: (
                        p[1]
                        if entry.get("at") == "top"
                        else -p[1]
                        if entry.get("at") == "bottom"
                        else abs(p[0] - room.heart()[0][0]) + abs(p[1] - room.heart()[0][1]),
                        p,
                    ),
                )
                box = Box(x, y, w, h)
                board.taken.setdefault(zone, []).append(box)
                out.append(Extra(text, box, size * scale, 0.0, zone, spacing * scale, sea=True))
                break
    return out


def _shortcomings(atlas: Atlas, layouts: Mapping[str, Layout]) -> list[Finding]:
    out = []
    need = stacks_needed(atlas.module, atlas.board)
    for space in atlas.board.spaces:
        layout = layouts.get(space.id)
        if layout is None:
            continue
        if layout.size == 0:
            out.append(
                error(
                    "D003",
                    f"the name of '{space.id}' fits nowhere in its area",
                    space.place,
                    spaces=(space.id,),
                    help="enlarge the area in the geo file, or name water for it under 'names_in'",
                )
            )
        if len(layout.spots) < need.get(space.id, 0):
            words = f"'{space.id}' has room for {len(layout.spots)} stacks beside its name, but a scenario puts {need[space.id]} kinds of counter there"
            out.append(
                error("D004", words, space.place, spaces=(space.id,), help="enlarge the area in the geo file")
            )
        for text in (atlas.module.texts.get(f"space.{space.id}", atlas.language),):
            if missing := fonts.lacks(fonts.SANS_HEAVY, text):
                out.append(
                    error(
                        "D005",
                        f"the font has no '{missing[0]}', which stands in the name of '{space.id}'",
                        space.place,
                        spaces=(space.id,),
                    )
                )
    return out


def _labels(atlas: Atlas, layouts: Mapping[str, Layout], extras: Sequence[Extra]) -> list[Label]:
    out = []
    for name, layout in layouts.items():
        if layout.size:
            within = (name, layout.beside) if layout.beside else (name,)
            out.append(Label(name, " ".join(layout.lines), layout.size, _moved(atlas, layout.block), within))
    out += [Label(e.space, e.text, e.size, _moved(atlas, e.box), (e.space,)) for e in extras]
    return out


def _moved(atlas: Atlas, box: Box) -> Box:
    return Box(box.x + atlas.sheet.left, box.y + atlas.sheet.top, box.w, box.h)


def _collisions(labels: Sequence[Label]) -> int:
    return sum(a.box.overlaps(b.box) for i, a in enumerate(labels) for b in labels[i + 1 :])


def _shapes(atlas: Atlas, layouts: Mapping[str, Layout]) -> dict[str, SpaceShape]:
    dx, dy = atlas.sheet.left, atlas.sheet.top
    out = {}
    for name, layout in layouts.items():
        rings = tuple(
            tuple((round(x + dx, 1), round(y + dy, 1)) for x, y in ring)
            for ring in atlas.outlines.rings[name]
        )
        anchor = (
            layout.anchor
            if inside(layout.anchor, atlas.outlines.rings[name])
            else atlas.outlines.rings[name][0][0]
        )
        spots = tuple((round(x + dx, 1), round(y + dy, 1)) for x, y in layout.spots) or (
            (anchor[0] + dx, anchor[1] + dy),
        )
        out[name] = SpaceShape(name, rings, (round(anchor[0] + dx, 1), round(anchor[1] + dy, 1)), spots)
    return out


# -- what is drawn ----------------------------------------------------------------------------------------------------


def _defs(atlas: Atlas) -> str:
    o = atlas.outlines
    sea = polygon(ring for name in [*sorted(atlas.water), *sorted(o.kinds)] for ring in o.rings[name])
    clips = [f'<clipPath id="sea"><path d="{sea}" clip-rule="evenodd"/></clipPath>']
    for space in atlas.land:
        if space.controller is not None:
            d = polygon(o.rings[space.id])
            clips.append(f'<clipPath id="in-{space.id}"><path d="{d}" clip-rule="evenodd"/></clipPath>')
    colours = {
        power.id: mix(atlas.colour_of(power.id), "#000000", 0.3) for power in atlas.module.powers.values()
    }
    return definitions(colours, atlas.style) + "".join(clips)


def _map_items(atlas: Atlas, layouts: Mapping[str, Layout], extras: Sequence[Extra]) -> list[Item]:
    return [
        *_land(atlas), *_sea(atlas), *_borders(atlas), *_link_marks(atlas), *_leads(atlas, layouts), *_figures(atlas, layouts),
        *_names(atlas, layouts, extras),
    ]  # fmt: skip


def _land(atlas: Atlas) -> list[Item]:
    o, style = atlas.outlines, atlas.style
    out: list[Item] = []
    for space in atlas.land:
        fill = (
            style["neutral"]
            if space.controller is None
            else mix(atlas.colour_of(space.controller), style["paper"], 1 - float(style["tint"]))
        )
        out.append(Path(polygon(o.rings[space.id]), fill=fill, id=f"area-{space.id}", rule="evenodd"))
    relief = relief_uri(atlas.picture.root, atlas.board.id, float(style["relief"]))
    if relief:
        out.append(Raster(relief[0], 0, 0, o.width, o.height))
    for owner in [None, *atlas.module.powers]:
        d = polygon(ring for s in atlas.land if s.controller == owner for ring in o.rings[s.id])
        if d:
            shade = 0.9 if owner is None else float(style["pattern_opacity"])
            out.append(
                Path(
                    d,
                    fill=f"url(#{'neutral' if owner is None else 'owner-' + owner})",
                    rule="evenodd",
                    opacity=shade,
                )
            )
    out += [_band(atlas, space) for space in atlas.land if space.controller is not None]
    out.append(
        Path(
            "".join(polyline(r) for r in o.rivers),
            stroke=style["river"][0],
            width=style["river"][1],
            opacity=0.8,
        )
    )
    return out


def _band(atlas: Atlas, space: Space) -> Item:
    """The owner's colour along the inside of the border, strong enough to be seen round a stack of counters."""
    arcs = {name.removeprefix("-") for ring in atlas.outlines.areas[space.id] for name in ring}
    d = "".join(polyline(atlas.outlines.arcs[name]) for name in sorted(arcs) if EDGE not in neighbours(name))
    colour, style = atlas.colour_of(space.controller), atlas.style
    return Group(
        (Path(d, stroke=colour, width=style["band"], opacity=style["band_opacity"]),), clip=f"in-{space.id}"
    )


def _margins(atlas: Atlas) -> list[Item]:
    """Paper round the map, over what the map's strokes left there."""
    sheet, o = atlas.sheet, atlas.outlines
    below = sheet.top + o.height
    bands = (
        (0.0, 0.0, sheet.width, sheet.top), (0.0, below, sheet.width, sheet.height - below),
        (0.0, 0.0, sheet.left, sheet.height), (sheet.left + o.width, 0.0, sheet.width - sheet.left - o.width, sheet.height),
    )  # fmt: skip
    return [Path("".join(rect(*band) for band in bands), fill=atlas.style["paper"])]


def _sea(atlas: Atlas) -> list[Item]:
    o, style = atlas.outlines, atlas.style
    out: list[Item] = []
    for name in sorted(atlas.water):
        out.append(Path(polygon(o.rings[name]), fill=style["sea"], id=f"area-{name}", rule="evenodd"))
    for name, kind in o.kinds.items():
        out.append(
            Path(
                polygon(o.rings[name]), fill=style.get(kind, style["sea"]), id=f"area-{name}", rule="evenodd"
            )
        )
        if kind == "ice":
            out.append(Path(polygon(o.rings[name]), fill="url(#ice)", rule="evenodd"))
    coast = "".join(polyline(arc) for name, arc in o.arcs.items() if _kind(atlas, name) == "coast")
    out.append(
        Group(tuple(Path(coast, stroke=colour, width=wide) for colour, wide in style["shore"]), clip="sea")
    )
    return out


def _kind(atlas: Atlas, arc: str) -> str:
    a, b = neighbours(arc)
    if EDGE in (a, b):
        return "edge"
    wet = [name in atlas.water or name in atlas.outlines.kinds for name in (a, b)]
    if all(wet):
        return "zone_border"
    if any(wet):
        return "coast"
    owners = [atlas.owners.get(name) for name in (a, b)]
    if owners[0] == owners[1]:
        return "border"
    return "neutral_border" if None in owners else "front"


def _borders(atlas: Atlas) -> list[Item]:
    lines: dict[str, list[str]] = {}
    for name, arc in atlas.outlines.arcs.items():
        lines.setdefault(_kind(atlas, name), []).append(polyline(arc))
    out: list[Item] = []
    for kind in ("zone_border", "border", "neutral_border", "front", "coast"):
        if kind in lines:
            colour, wide, dash = atlas.style[kind]
            out.append(Path("".join(lines[kind]), stroke=colour, width=wide, dash=dash))
    return out


def _link_marks(atlas: Atlas) -> list[Item]:
    out: list[Item] = []
    for link_id, mark in atlas.picture.get("marks", {}).items():
        at = atlas.outlines.places.get(link_id)
        if at is not None:
            out += link_mark(str(mark.get("kind", "canal")), at, float(mark.get("turn", 0)), atlas.style)
    return out


def _leads(atlas: Atlas, layouts: Mapping[str, Layout]) -> list[Item]:
    """Lines from names in the water into their areas, each with a dot at its end."""
    leads = [layout.lead for layout in layouts.values() if layout.lead]
    lines = "".join(polyline(lead) for lead in leads)
    dots = "".join(rect(x - 3.5, y - 3.5, 7, 7, 3.5) for _, (x, y) in leads)
    halo, ink = atlas.style["halo"], atlas.style["ink"]
    if not leads:
        return []
    drawn = (
        Path(lines, stroke=halo, width=4.5, opacity=0.8),
        Path(dots, fill=ink, stroke=halo, width=2),
        Path(lines, stroke=ink, width=1.6),
    )
    return [Group(drawn, id="leads")]


def _figures(atlas: Atlas, layouts: Mapping[str, Layout]) -> list[Item]:
    out: list[Item] = []
    for space in atlas.land:
        layout = layouts[space.id]
        icons = _land_wish(atlas, space, 0).icons
        if layout.size and icons:
            x = layout.block.x - row_width(icons) / 2
            y = layout.block.y + layout.block.h / 2 - ROW / 2
            out += _row(atlas, space, icons, x, y)
    return out


def _row(atlas: Atlas, space: Space, icons: Sequence[str], x: float, y: float) -> list[Item]:
    out: list[Item] = []
    colour = atlas.colour_of(space.controller)
    for icon in icons:
        if icon == "income":
            items, wide = income_mark(x, y, str(space.values[atlas.shows("income")]), colour, atlas.style)
        elif icon == "complex":
            items, wide = complex_mark(x, y, atlas.style)
        else:
            items, wide = capital_mark(x, y, colour, atlas.style)
        out += items
        x += wide
    return out


def _names(atlas: Atlas, layouts: Mapping[str, Layout], extras: Sequence[Extra]) -> list[Item]:
    out: list[Item] = []
    for name, layout in layouts.items():
        sea = name in atlas.water
        if not layout.size:
            continue
        wish_row = 0.0 if sea else (ROW if _has_row(atlas, name) else 0.0)
        high = layout.block.h - wish_row - 2
        top = layout.block.y - layout.block.h / 2
        step = high / len(layout.lines)
        for i, line in enumerate(layout.lines):
            base = top + step * i + step / 2 + layout.size * 0.33
            out.append(
                _word(atlas, line, layout.block.x, base, layout.size, sea or bool(layout.beside), serif=sea)
            )
    for e in extras:
        shift = e.size * 0.33
        x, y = (e.box.x + shift, e.box.y) if e.turn else (e.box.x, e.box.y + shift)
        out.append(
            _word(
                atlas,
                e.text,
                x,
                y,
                e.size,
                e.sea,
                serif=e.sea,
                turn=e.turn,
                spacing=e.spacing,
                faint=e.sea and e.spacing > 0,
            )
        )
    return out


def _has_row(atlas: Atlas, name: str) -> bool:
    return bool(_land_wish(atlas, next(s for s in atlas.board.spaces if s.id == name), 0).icons)


def _word(
    atlas: Atlas,
    text: str,
    x: float,
    y: float,
    size: float,
    on_sea: bool,
    *,
    serif: bool,
    turn: float = 0.0,
    spacing: float = 0.0,
    faint: bool = False,
) -> Words:
    style = atlas.style
    fill = style["sea_ink"] if serif else style["ink"]
    halo = style["sea_halo"] if on_sea else style["halo"]
    font = fonts.SERIF_ITALIC if serif else fonts.SANS_HEAVY
    return Words(
        text,
        x,
        y,
        font,
        size,
        fill,
        halo=halo,
        halo_width=max(2.4, size * 0.14),
        turn=turn,
        spacing=spacing,
        opacity=float(style["faint"]) if faint else 1.0,
    )
