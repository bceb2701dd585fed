"""Codes of the picture file of a hex map (family D, 020 to 029)."""

from __future__ import annotations

from compiler.codes import Code
from compiler.findings import Severity

_ALL = (
    Code(
        "D020",
        "unknown property of a picture file",
        Severity.ERROR,
        "The picture file of a hex map has a property that the drawing does not know.",
        "It would be passed over in silence, and the picture would not be what its author asked for.",
        '"numbrs": "none"',
        '"numbers": "none"',
    ),
    Code(
        "D021",
        "property of a picture file in a wrong form",
        Severity.ERROR,
        "A property of a hex map's picture file has not the form that docs/hexes.md gives.",
        "The drawing leaves it out and takes what it would take without it.",
        '"hex": "large"',
        '"hex": 110',
    ),
    Code(
        "D022",
        "map of too many pixels",
        Severity.ERROR,
        "The picture of a map would have more than 400 megapixels.",
        "No computer of a player could hold it. Smaller hexes make a smaller picture; or the map becomes two.",
        '"hex": 200',
        '"hex": 80',
    ),
    Code(
        "D023",
        "coast file in a wrong form",
        Severity.ERROR,
        "A coast file is no JSON, has not the form that docs/hexes.md gives, or has land beyond its hex.",
        "The hex would be drawn with a coast that its author did not mean; it gets a round one.",
        '"hexes": {"0101": [[[0, 0], [400, 0], [0, 40]]]}',
        '"hexes": {"0101": [[[0, 0], [40, 0], [0, 40]]]}',
    ),
    Code(
        "D024",
        "coast of an unknown hex",
        Severity.ERROR,
        "A coast file names a hex that the map has not.",
        "Its coast would be drawn nowhere.",
        '"hexes": {"1O1": []}',
        '"hexes": {"0101": []}',
    ),
    Code(
        "D025",
        "coast of a hex without water",
        Severity.WARNING,
        "A coast file has an entry for a hex whose letter has no water.",
        "Map and picture would disagree; the hex is drawn as land.",
        '"legend": {"c": {"terrain": "clear"}}',
        '"legend": {"c": {"terrain": "clear", "water": "part"}}',
    ),
    Code(
        "D026",
        "relief file in a wrong form",
        Severity.ERROR,
        "A relief file of a hex map is no JSON or has not the form that docs/hexes.md gives.",
        "Light and shadow are left out.",
        '{"origin": "0101", "rows": ["iijh"]}',
        '{"origin": "0101", "left": -200, "top": -50, "cell": 25, "rows": ["iijh"]}',
    ),
    Code(
        "D027",
        "sextant that cannot be drawn",
        Severity.ERROR,
        "'sextants' of a picture file names a hex, a direction or a terrain that the map has not.",
        "That part of the hex would look like the rest of it. Water in a part of a hex is said by a coast file.",
        '"sextants": [{"terrain": "wods", "at": "0304/N"}]',
        '"sextants": [{"terrain": "woods", "at": "0304/N"}]',
    ),
)
CODES: dict[str, Code] = {code.code: code for code in _ALL}
