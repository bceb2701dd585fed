"""Codes of printing (D33x): sheets, the counter mix, margins."""

from __future__ import annotations

from compiler.codes import Code
from compiler.findings import Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

_ALL = [
    Code(
        "D331", "sheet that the paper does not hold", _E,
        "The columns or rows of `sheets`, or a single counter, are larger than the paper leaves room for.",
        "Counters would be cut off.",
        '"sheets": {"paper": "a4", "counter": 15, "columns": 14}', '"sheets": {"paper": "a4", "counter": 15, "columns": 10, "rows": 14}',
    ),
    Code(
        "D332", "counter mix that does not add up", _E,
        "The number of counters printed, in all or for one power, differs from the mix that `sheets` gives.",
        "A counter was forgotten, or is there twice.",
        '"sheets": {"mix": {"total": 140}} with 139 counters', '"sheets": {"mix": {"total": 140}} with 140 counters',
        "The mix is what the game's own list says; `printed` in counters/*.json is what is printed.",
    ),
    Code(
        "D333", "more counters used than printed", _W,
        "A scenario places more of a counter than are printed.",
        "The setup cannot be laid out with the counters in the box.",
        '{"type": "foot", "powers": ["north"], "printed": 2} and a scenario with "3 foot"',
        '{"type": "foot", "powers": ["north"], "printed": 3}',
        'Where the game lets players use more than are in the box, say "sheets": {"limit": "none"}; where it forbids it, "limit": "counters" makes this an error.',
    ),
    Code(
        "D334", "counters that look the same", _N,
        "Two counters with ids of their own are drawn alike on every side.",
        "On the table nobody can tell which is which.",
        '{"id": "north.first", "type": "foot", "power": "north"}, {"id": "north.second", "type": "foot", "power": "north"}',
        'a layout with {"text": "{id}"}, or {"type": "foot", "power": "north", "printed": 2}',
    ),
    Code(
        "D335", "front and back that do not agree", _E,
        "The two sides of a counter have different sizes or shapes, or one of them is a block's label.",
        "They are two sides of one piece of cardboard.",
        '"layouts": {"unit": {"size": 15}, "unit_reduced": {"size": 20}}',
        '"layouts": {"unit": {"size": 15}, "unit_reduced": {"like": "unit"}}',
    ),
    Code(
        "D336", "part outside the safe margin", _W,
        "Something that matters stands nearer to the cut than the safe margin of `sheets`.",
        "Cuts are never exact: it may be cut off.",
        '{"text": "{attack}", "box": [0, 0, 30, 20]}', '{"text": "{attack}", "box": [6, 6, 30, 20]}',
    ),
    Code(
        "D337", "picture too coarse for print", _W,
        "An author's picture has fewer than 300 dots an inch at the size at which it is printed.",
        "It looks blurred on paper.",
        'a picture of 60 × 60 pixels on a counter of 15 mm', 'one of 180 × 180 pixels or more, or an SVG',
    ),
]  # fmt: skip

CODES: dict[str, Code] = {code.code: code for code in _ALL}
