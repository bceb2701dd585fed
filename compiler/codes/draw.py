"""Codes of drawing maps (family D, 001 to 099)."""

from __future__ import annotations

from compiler.codes import Code
from compiler.findings import Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE


def _code(
    code: str, title: str, severity: Severity, what: str, why: str, wrong: str, right: str, help: str = ""
) -> tuple[str, Code]:
    return code, Code(code, title, severity, what, why, wrong, right, help)


CODES: dict[str, Code] = dict(
    [
        _code(
            "D001",
            "unknown style",
            _E,
            "The picture file asks for a style that does not exist.",
            "Nobody knows which colours to use.",
            '"draw": ["prnt"]',
            '"draw": ["print", "contrast"]',
        ),
        _code(
            "D002",
            "map cannot be drawn",
            _E,
            "An area map has neither outlines nor a picture of the author's own.",
            "There is nothing to play on.",
            "maps/moors.json alone",
            "maps/moors.json and maps/moors.outlines.json",
            "Run `vmodc geo`, or write the outlines by hand: docs/maps.md.",
        ),
        _code(
            "D003",
            "name fits nowhere",
            _E,
            "The name of a space, even in the smallest size, has no room inside its area.",
            "Players could not read where they are.",
            '"moor": {"blob": {"at": [1, 50], "rx": 12, "ry": 8}}',
            '"moor": {"blob": {"at": [1, 50], "rx": 60, "ry": 40}}',
            'Enlarge the area, shorten the name, or let it stand in water: "names_in".',
        ),
        _code(
            "D004",
            "too little room for the setup",
            _E,
            "A scenario puts more kinds of counter into a space than stacks have room there beside the name.",
            "Counters would lie over the name or over the border.",
            '"counter": 90',
            '"counter": 50',
            "Enlarge the area in the geo file, or make the counters smaller.",
        ),
        _code(
            "D005",
            "character the font lacks",
            _E,
            "A name or a word of the picture has a character that the font cannot draw.",
            "An empty box would be printed in its place.",
            '"space": {"moor": "Moor 漢"}',
            '"space": {"moor": "Moor"}',
        ),
        _code(
            "D006",
            "two names overlap",
            _E,
            "Two drawn names lie over each other.",
            "Neither can be read.",
            '"names_in": {"isle": "narrow_strait"}',
            '"names_in": {"isle": "open_sea"}',
        ),
        _code(
            "D007",
            "own board: places do not fit",
            _W,
            "The pixel and space pairs of an own picture disagree by more than a counter's half width.",
            "Clicks would land in the wrong space.",
            '"pairs": [{"space": "moor", "at": [10, 10]}, {"space": "hill", "at": [10, 10]}, {"space": "lake", "at": [90, 40]}]',
            '"pairs": [{"space": "moor", "at": [10, 10]}, {"space": "hill", "at": [60, 12]}, {"space": "lake", "at": [90, 40]}]',
        ),
        _code(
            "D008",
            "own board cannot be used",
            _E,
            "The author's own board picture is missing, is no picture, or has fewer than three pairs.",
            "The spaces cannot be placed on it.",
            '"board": {"picture": "art/lost.png", "pairs": []}',
            '"board": {"picture": "art/board.png", "pairs": [{"space": "moor", "at": [10, 10]}, {"space": "hill", "at": [60, 12]}, {"space": "lake", "at": [90, 40]}]}',
        ),
        _code(
            "D009",
            "how well an own board fits",
            _N,
            "Tells by how many pixels the pairs of an own board picture miss on average.",
            "A small number means that the spaces lie where the picture shows them.",
            '"pairs": [{"space": "moor", "at": [10, 10]}]',
            '"pairs": [{"space": "moor", "at": [10, 10]}, {"space": "hill", "at": [60, 12]}, {"space": "lake", "at": [90, 40]}]',
        ),
        _code(
            "D010",
            "display that cannot be laid out",
            _E,
            "A cell of a display names no space of its map or one that has its place already, or is no cell at all.",
            "The sheet could not be drawn, or a space would be in two places.",
            '"display": {"across": ["pool", "pool"]}',
            '"display": {"across": ["pool", "reserve"]}',
            "docs/maps.md has the forms of cells.",
        ),
        _code(
            "D011",
            "unknown name in a picture file",
            _E,
            "The picture file of a map names a space, a link, a type, an attribute, a kind of track or space, a panel, a style, a language or a "
            "word that is not there.",
            "What it asks for would be left out of the picture in silence.",
            '"names_in": {"rokc": "west_sea"}',
            '"names_in": {"rock": "west_sea"}',
        ),
        _code(
            "D012",
            "unknown placeholder in a word",
            _E,
            "A word of the picture has braces round a name for which the compiler has no value, or a brace without its other half.",
            "The braces would be printed on the board instead of a number.",
            '"scale": "{largeur} × {height} px"',
            '"scale": "{width} × {height} px"',
            "The word 'scale' may have {width} and {height} in px, {cm} for the printed width and {dpi}; no other word has placeholders.",
        ),
        _code(
            "D013",
            "panel given twice",
            _E,
            "A panel stands twice in the list of panels of a picture file.",
            "It would be drawn once, and an empty place would be left where the other should stand.",
            '"panels": [{"id": "title", "width": 500}, {"id": "title", "width": 600}]',
            '"panels": [{"id": "title", "width": 500}, {"id": "legend", "width": 600}]',
        ),
        _code(
            "D014",
            "words of the picture missing in a language",
            _E,
            "A name of a sea or of a mark, or a word of the panels, has no words in one of the module's languages.",
            "The board of that language would lack the name, or show the word of another language.",
            '"words": {"en": "Great Canal"}',
            '"words": {"en": "Great Canal", "fr": "Grand Canal"}',
        ),
    ]
)
