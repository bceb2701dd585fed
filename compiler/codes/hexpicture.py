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
)
CODES: dict[str, Code] = {code.code: code for code in _ALL}
