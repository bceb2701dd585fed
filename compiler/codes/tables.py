"""Codes of CSV tables (S16x)."""

from __future__ import annotations

from compiler.codes import Code
from compiler.findings import Severity

_E = Severity.ERROR

_ALL = [
    Code(
        "S160", "CSV that cannot be read", _E,
        "An entry of `csv` names a file that does not exist, is no CSV, lies outside the module's folder or is named twice.",
        "None of its counters would be in the game.",
        '"csv": [{"file": "counters/unist.csv"}]', '"csv": [{"file": "counters/units.csv"}]',
    ),
    Code(
        "S161", "row that does not fit its table", _E,
        "A row of a CSV has more cells than the first line has columns.",
        "A value would be lost, or stand under the wrong name.",
        "type,name\nfoot,Guard, old", 'type,name\nfoot,"Guard, old"',
    ),
    Code(
        "S162", "column that is not in the table", _E,
        "`columns` names a column that the CSV does not have, or the CSV has two of one name.",
        "The property would stay empty on every counter.",
        '"columns": {"Atack": "attack"}', '"columns": {"Attack": "attack"}',
    ),
]  # fmt: skip

CODES: dict[str, Code] = {code.code: code for code in _ALL}
