"""Codes of drawing counters (D3xx)."""

from __future__ import annotations

from compiler.codes import Code
from compiler.findings import Severity

_E, _W = Severity.ERROR, Severity.WARNING

_ALL = [
    Code(
        "D301", "unknown layout", _E,
        "A type, a counter, a face or a layout names a layout that module.json does not give.",
        "The counter would be drawn plain.",
        '{"id": "foot", "layout": "unti"}', '{"id": "foot", "layout": "unit"}',
    ),
    Code(
        "D302", "part that draws nothing", _E,
        "A part of a layout has none of `silhouette`, `nato`, `text`, `band`, `picture`, `pips`, `edges`, `stripe`, `corner`, `mark`.",
        "Something was meant to be there.",
        '{"txt": "{cost}", "box": [0, 0, 50, 20]}', '{"text": "{cost}", "box": [0, 0, 50, 20]}',
    ),
    Code(
        "D303", "unknown silhouette", _E,
        "A type's layout wants a silhouette that is not named or does not exist.",
        "The counter would be empty.",
        '{"id": "armour", "layout": "unit", "silhouette": "tnak"}',
        '{"id": "armour", "layout": "unit", "silhouette": "tank"}',
    ),
    Code(
        "D304", "text that cannot be read", _E,
        "A text on a counter has a contrast below 4.5 with what is under it (WCAG's ratio for text).",
        "Players read counters across a table.",
        '{"text": "{attack}", "ink": "#888888"} on a fill of "#999999"',
        '{"text": "{attack}"} (without `ink` the better of black and white is taken)',
    ),
    Code(
        "D305", "text that does not fit", _E,
        "A text is wider than its box, even shrunk to 60 % of the size asked for.",
        "It would run over the counter's edge or other parts.",
        '{"text": "{name}", "box": [40, 40, 20, 20], "size": 30}',
        '{"text": "{name}", "box": [5, 40, 90, 20], "size": 18}',
    ),
    Code(
        "D306", "character the font lacks", _E,
        "A text holds a character that the font cannot draw.",
        "It would be an empty box.",
        '"name": "☃ Corps"', '"name": "Snow Corps"',
    ),
    Code(
        "D307", "picture not found", _E,
        "A counter's own picture is not in the module's folder, or is no PNG, JPEG or SVG.",
        "The face would be empty.",
        '{"picture": "art/gaurd.png"}', '{"picture": "art/guard.png"}',
    ),
    Code(
        "D308", "powers that look alike", _W,
        "Two powers have colours that fall together, perhaps only for colour-blind players.",
        "One player in twelve would mix them up.",
        '{"id": "north", "colour": "#4a7a3a"}, {"id": "south", "colour": "#8a5a3a"}',
        '{"id": "north", "colour": "#4a7a3a"}, {"id": "south", "colour": "#5a2a10"}',
    ),
    Code(
        "D309", "part that cannot be drawn", _E,
        "A part of a layout names a corner, mark, side or turn that does not exist, or a block has no strengths for its edges.",
        "Something was meant to be there.",
        '{"corner": "upper-left", "text": "E"}', '{"corner": "top-left", "text": "E"}',
    ),
    Code(
        "D310", "symbol that does not exist", _E,
        "The data of a NATO symbol has a word that is not known, or words that do not go together.",
        "A wrong symbol tells the player a wrong thing.",
        '"nato": {"branch": "supply", "self_propelled": true}', '"nato": {"branch": "artillery", "self_propelled": true}',
        "docs/counters.md has a table of all that can be asked for.",
    ),
    Code(
        "D311", "unknown attribute on a counter", _E,
        "A text of a layout names, in braces, an attribute that pieces do not have.",
        "It would be empty on every counter.",
        '{"text": "{atack}-{move}"}', '{"text": "{attack}-{move}"}',
    ),
]  # fmt: skip

CODES: dict[str, Code] = {code.code: code for code in _ALL}
