"""Does the picture agree with the data? Drawn borders against declared links.

Two areas touch when their common border is at least as long as the outlines file says (`touch`); a shorter one is a
corner. Links that need no drawn border are those with a tag the picture file excuses (a canal: water on both sides of
land), each with a reason; a pair that touches and yet is no link stands under `apart`, with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping

from compiler.draw.outlines import Outlines, load_outlines, neighbours
from compiler.draw.picturecheck import picture_findings
from compiler.draw.settings import Picture, area_picture, root_of
from compiler.findings import Finding, error, warning
from compiler.geo.form import geo_findings
from compiler.model.types import Link, Map, Module
from compiler.suggest import suggest


def compare(board: Map, outlines: Outlines, excused: Mapping[str, str]) -> list[Finding]:
    """All differences. `excused`: link tag → reason why such a link is drawn without a border."""
    links = {frozenset((link.a, link.b)): link for link in board.links}
    spaces = {space.id for space in board.spaces}
    out = _missing_areas(board, outlines)
    for pair in sorted(links.keys() - outlines.touching, key=sorted):
        link = links[pair]
        if pair <= outlines.areas.keys() and not excused.keys() & set(link.tags):
            out.append(_apart(link, outlines.border(pair), outlines.touch))
    for pair in sorted(outlines.touching - links.keys() - outlines.apart.keys(), key=sorted):
        if pair <= spaces:
            a, b = sorted(pair)
            arc = next((name for name in outlines.arcs if set(neighbours(name)) == pair), None)
            place = outlines.place / "arcs" if outlines.place else None
            place = place / arc if place and arc else place
            words = (
                f"'{a}' and '{b}' touch on the map for {outlines.border(pair):.0f} px, but no link joins them"
            )
            out.append(
                error(
                    "M011",
                    words,
                    place,
                    spaces=(a, b),
                    help="declare the link, move the border, or list the pair under 'apart' with a reason",
                )
            )
    return out + _stale(outlines, links)


def _apart(link: Link, shared: float, touch: float) -> Finding:
    words = f"'{link.a}' and '{link.b}' are linked, but their areas do not touch on the map"
    if shared > 0:
        words += f" (a corner of {shared:.0f} px; a border has {touch:.0f} or more)"
    help = (
        "move the border, remove the link, or excuse its tag under 'links_without_border' in the picture file"
    )
    return error("M010", words, link.place, spaces=(link.a, link.b), help=help)


def _missing_areas(board: Map, outlines: Outlines) -> list[Finding]:
    out = []
    for space in board.spaces:
        if space.id not in outlines.areas and not _is_box(board, space.id):
            out.append(
                error(
                    "M012",
                    f"'{space.id}' has no area in the outlines of map '{board.id}'",
                    space.place,
                    spaces=(space.id,),
                )
            )
    known = {space.id for space in board.spaces}
    for name in outlines.areas:
        if name not in known and name not in outlines.kinds:
            at = outlines.place / "areas" / name if outlines.place else None
            out.append(
                error(
                    "M013",
                    f"the outlines draw '{name}', which is no space of map '{board.id}'",
                    at,
                    help=f"add the space and its links to the map's file, or take '{name}' out of the geo file",
                )
            )
    return out


def _is_box(board: Map, space_id: str) -> bool:
    boxes = board.raw.get("boxes", ())
    return isinstance(boxes, list) and any(isinstance(b, dict) and b.get("id") == space_id for b in boxes)


def _stale(outlines: Outlines, links: Mapping[frozenset[str], Link]) -> list[Finding]:
    out = []
    for pair, _reason in outlines.apart.items():
        if pair in links or pair not in outlines.touching:
            a, b = sorted(pair)
            words = (
                f"'{a}' and '{b}' are listed as touching without a link, but they are linked or do not touch"
            )
            out.append(
                warning("M014", words, outlines.place / "apart" if outlines.place else None, spaces=(a, b))
            )
    return out


def _marks_without_place(board: Map, outlines: Outlines, picture: Picture) -> list[Finding]:
    """Marks that would not be drawn, because the outlines have no place of their name."""
    links = {link.id for link in board.links if link.id}
    marks = picture.get("marks", {})
    spare = outlines.places.keys() - links - {space.id for space in board.spaces} - marks.keys()
    out = []
    for mark in marks.keys() & links - outlines.places.keys():
        near = suggest(mark, spare)
        if near and outlines.place:
            words = f"the place '{near}' belongs to no link or space of map '{board.id}'"
            help = f"did you mean '{mark}'?"
            out.append(error("M017", words, (outlines.place / "places" / near).key(), help=help))
        else:
            words = f"the outlines of map '{board.id}' have no place '{mark}', where this mark would stand"
            help = f'add it to "places" of maps/{board.id}.outlines.json: "{mark}": [x, y]'
            place = (picture.place / "marks" / mark).key() if picture.place else None
            out.append(error("M017", words, place, help=help))
    return sorted(out, key=lambda finding: finding.message)


def map_findings(module: Module) -> list[Finding]:
    """Geo files, and every map's outlines against its links, without drawing anything: quick enough for every check."""
    out = geo_findings(module, root_of(module))
    for board in module.maps.values():
        if board.kind == "area":
            outlines, problems = load_outlines(root_of(module), board.id)
            picture, more = area_picture(root_of(module), board.id)
            out += [*problems, *more, *picture_findings(module, board, picture)]
            if outlines is not None and not more:  # what is excused must be known
                out += _marks_without_place(board, outlines, picture)
                out += compare(board, outlines, picture.get("links_without_border", {}))
    return out
