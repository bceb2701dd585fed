"""Hex maps for tests: from JSON text, from a file, or made up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from compiler.findings import Finding, Place
from compiler.grid.hexmap import HexMap
from compiler.grid.terrain import read_hex_map
from compiler.source import locate
from compiler.source.document import Document

DATA = Path(__file__).parent / "data" / "grid"


def read_text(text: str, name: str = "map.json") -> tuple[HexMap, list[Finding]]:
    document = Document(name, text, json.loads(text, parse_float=Decimal))
    assert isinstance(document.value, dict)
    return read_hex_map(document.value, Place(document))


def read_value(value: Mapping[str, object]) -> tuple[HexMap, list[Finding]]:
    return read_text(json.dumps(value, indent=1))


def read_clean(value: Mapping[str, object]) -> HexMap:
    map, findings = read_value(value)
    assert not findings, [(f.code, f.message) for f in findings]
    return map


def read_file(path: Path) -> tuple[HexMap, list[Finding]]:
    return read_text(path.read_text(encoding="utf-8"), path.name)


def spots(findings: list[Finding]) -> list[tuple[str, int, int]]:
    """Code, line and column of each finding."""
    where = locate([f.place for f in findings if f.place])
    return [(f.code, where[f.place].line, where[f.place].column) for f in findings if f.place]


def plain(columns: tuple[object, object], rows: tuple[object, object], **grid: object) -> dict[str, object]:
    """A map of one sheet, all clear."""

    def count(ends: tuple[object, object]) -> int:
        a, b = (ord(e) if isinstance(e, str) else e for e in ends)
        assert isinstance(a, int) and isinstance(b, int)
        return abs(a - b) + 1

    return {
        "kind": "hex",
        "hexes": grid,
        "legend": {"c": {"terrain": "clear", "ways": ["land"]}},
        "sheets": [
            {"columns": list(columns), "rows": list(rows), "terrain": ["c" * count(columns)] * count(rows)}
        ],
    }
