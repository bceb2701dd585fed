"""Codes of the map's geography and of its agreement with the data (family M)."""

from __future__ import annotations

from compiler.codes import Code
from compiler.findings import Severity

_E, _W = Severity.ERROR, Severity.WARNING


def _code(
    code: str, title: str, severity: Severity, what: str, why: str, wrong: str, right: str, help: str = ""
) -> tuple[str, Code]:
    return code, Code(code, title, severity, what, why, wrong, right, help)


CODES: dict[str, Code] = dict(
    [
        _code(
            "M001",
            "geography file cannot be read",
            _E,
            "A geo, outlines or picture file is no JSON, or lacks a part that it must have.",
            "Nothing can be drawn from it.",
            '{"areas": {"moor": [["moor|lake"]]}, "arcs": {}}',
            '{"width": 100, "height": 50, "areas": {"moor": [["moor|lake"]]}, "arcs": {"moor|lake": [[0, 0], [9, 0], [5, 9], [0, 0]]}}',
            "docs/maps.md shows every part with an example.",
        ),
        _code(
            "M002",
            "border does not close",
            _E,
            "Two arcs that follow each other in an area's ring do not meet in one point.",
            "An open border encloses nothing: clicks and colours would leak out.",
            '"arcs": {"moor|hill": [[0, 0], [9, 0]], "edge|moor": [[9, 1], [0, 0]]}',
            '"arcs": {"moor|hill": [[0, 0], [9, 0]], "edge|moor": [[9, 0], [0, 0]]}',
            "Move the end points of both arcs to the same place.",
        ),
        _code(
            "M003",
            "two areas are not separated",
            _E,
            "The seed points of two areas lie in the same piece of land or water.",
            "No drawn line and no coast runs between them, so they would be one area.",
            '"lines": {}, "areas": {"moor": {"seeds": [[1, 1]]}, "hill": {"seeds": [[2, 1]]}}',
            '"lines": {"ridge": {"points": [[1.5, 0], [1.5, 2]]}}, "areas": {"moor": {"seeds": [[1, 1]]}, "hill": {"seeds": [[2, 1]]}}',
            "Draw a line that crosses the whole piece, or lengthen the one that stops short.",
        ),
        _code(
            "M004",
            "area encloses nothing",
            _E,
            "No seed, lasso or blob of this area lies on land (or, for a zone, on water).",
            "The area would be missing from the map.",
            '"moor": {"seeds": [[0, 0]]}',
            '"moor": {"seeds": [[1.2, 46.5]]}',
            "Order is [longitude, latitude].",
        ),
        _code(
            "M005",
            "seed lies on nothing",
            _W,
            "A seed point of this area is in the sea, or of this zone on land.",
            "It is probably mistyped.",
            '"moor": {"seeds": [[1.2, 46.5], [46.5, 1.2]]}',
            '"moor": {"seeds": [[1.2, 46.5], [1.4, 46.2]]}',
        ),
        _code(
            "M006",
            "piece without an owner",
            _W,
            "A piece of land or water was claimed by no seed; the neighbour with the longest border got it.",
            "It may be the wrong neighbour.",
            '"moor": {"seeds": [[1, 1]]}',
            '"moor": {"seeds": [[1, 1], [3, 1]]}',
            "Put a seed of the right area into the piece.",
        ),
        _code(
            "M007",
            "hand edit and new draft clash",
            _W,
            "This border was changed by hand, and the new run of the tool changed it too.",
            "The hand-made one was kept; the new one is in the draft beside it.",
            '"moor|hill": [[0, 0], [5, 2], [9, 0]]',
            '"moor|hill": [[0, 0], [5, 1], [9, 0]]',
            "Compare with the .draft.outlines.json file and keep what you want.",
        ),
        _code(
            "M008",
            "geography data missing",
            _E,
            "The folder or wheel with Natural Earth data lacks a layer that the geo file needs.",
            "The coast cannot be drawn without it.",
            "vmodc geo --data empty-folder",
            "vmodc geo --data natural-earth",
            "docs/maps.md tells where the data can be had.",
        ),
        _code(
            "M010",
            "linked areas do not touch",
            _E,
            "Two spaces are linked, but on the map they have no common border, or only a corner.",
            "Players would not see that they are neighbours.",
            '"links": [{"kind": "land", "pairs": [["moor", "lake_isle"]]}]',
            '"links": [{"kind": "land", "pairs": [["moor", "hill"]]}]',
            "Move the border, remove the link, or give the link a tag that the picture file excuses with a reason.",
        ),
        _code(
            "M011",
            "touching areas are not linked",
            _E,
            "Two spaces have a common border on the map, but no link.",
            "Players would think that they are neighbours.",
            '"links": []',
            '"links": [{"kind": "land", "pairs": [["moor", "hill"]]}]',
            "Declare the link, move the border, or list the pair under 'apart' with a reason.",
        ),
        _code(
            "M012",
            "space without an area",
            _E,
            "A space of the map has no outline.",
            "Nobody could put a counter there.",
            '"areas": {}',
            '"areas": {"moor": [["edge|moor"]]}',
            "Give it seeds or a lasso in the geo file and run `vmodc geo`.",
        ),
        _code(
            "M013",
            "area without a space",
            _E,
            "The outlines hold an area that is no space of the map.",
            "The picture would show a place that the game does not have.",
            '"areas": {"mooor": [["edge|mooor"]]}',
            '"areas": {"moor": [["edge|moor"]]}',
        ),
        _code(
            "M014",
            "excuse without a reason to be",
            _W,
            "A pair is excused from having a link, but the pair is linked or does not touch.",
            "The excuse hides the next mistake.",
            '"apart": [{"pair": ["moor", "isle"], "reason": "a cliff"}]',
            '"apart": []',
        ),
    ]
)
