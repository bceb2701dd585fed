"""`vmodc geo` for a hex map: geo file + Natural Earth → `maps/<map>.land.json`, `.coast.json` and `.relief.json`.

The part file holds sheets with their rows of letters, places, hexsides and lines, and is included by the map's own file, which
has the grid (`hexes`) and the legend. The last draft is kept in `geo/<map>.draft.json`, so that a later run can tell the
author's edits from its own. Nothing is written if a finding is an error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from compiler.findings import Finding, Place, Severity, error
from compiler.geo.classes import WORDS
from compiler.geo.hexdraft import Draft, Drafter
from compiler.geo.hexfiles import hexes_text, merge_hexes
from compiler.geo.hexgrid import read_grid
from compiler.geo.natural import Layers
from compiler.geo.relief import read_heights
from compiler.suggest import did_you_mean

GRAVE = {"M022", "M023", "M024", "M027", "M030"}
LARGEST = 2 * 1024 * 1024


def draw_hexes(
    root: Path, geo: Mapping[str, Any], data: Path, heights: Path | None, place: Place
) -> list[Finding]:
    """Writes the draft of one hex map."""
    try:
        hexes = json.loads((root / "maps" / f"{geo['map']}.json").read_text(encoding="utf-8"))["hexes"]
    except (OSError, KeyError, ValueError) as problem:
        words = f"maps/{geo.get('map')}.json must stand there with its 'hexes' and 'legend': {problem}"
        return [error("M001", words, place)]
    layers = Layers(data)
    try:
        wrong = _words(geo, place)
        map, findings = read_grid(hexes, geo["sheets"], place)
        if any(map.parts):
            findings.append(
                error("M001", "all sheets of a map on the globe must be joined by 'same'", place / "sheets")
            )
        if wrong or any(f.severity is Severity.ERROR for f in findings):
            return [*wrong, *findings]
        drafter = Drafter(geo, map, layers, read_heights(heights) if heights else None)
        draft = drafter.run()
    except (KeyError, TypeError, ValueError, IndexError, RuntimeError) as problem:  # RuntimeError: PROJ's
        return [
            error("M001", f"the geo file has another form than docs/geo-hexes.md tells: {problem!r}", place)
        ]
    findings += [_remark(code, words, place) for code, words in drafter.remarks]
    findings += [
        error("M008", f"the data folder has no Natural Earth layer '{name}'", place)
        for name in layers.missing
    ]
    if any(f.severity is Severity.ERROR for f in findings):
        return findings
    return findings + _write(root, str(geo["map"]), draft, place)


def _words(geo: Mapping[str, Any], place: Place) -> list[Finding]:
    """Conditions of terrain that nobody knows: a mistyped one would silently hold everywhere."""
    out = []
    for n, entry in enumerate(geo["terrain"]["classes"]):
        for word in entry:
            if word not in WORDS:
                at = place / "terrain" / "classes" / n / word
                out.append(
                    error(
                        "M028",
                        f"'{word}' is no condition of terrain",
                        at.key(),
                        help=did_you_mean(word, WORDS),
                    )
                )
    return out


def _remark(code: str, words: str, place: Place) -> Finding:
    return Finding(code, Severity.ERROR if code in GRAVE else Severity.WARNING, words, place)


def _write(root: Path, map_id: str, draft: Draft, place: Place) -> list[Finding]:
    target, kept = root / "maps" / f"{map_id}.land.json", root / "geo" / f"{map_id}.draft.json"
    value: dict[str, Any] = draft.hexes
    clashes: list[str] = []
    if target.is_file() and kept.is_file():
        base, mine = (json.loads(path.read_text(encoding="utf-8")) for path in (kept, target))
        value, clashes = merge_hexes(base, mine, draft.hexes)
    files = {target: value, kept: draft.hexes, root / "maps" / f"{map_id}.coast.json": draft.coast}
    if draft.relief:
        files[root / "maps" / f"{map_id}.relief.json"] = draft.relief
    texts = {path: hexes_text(part) for path, part in files.items()}
    large = [path.name for path, text in texts.items() if len(text.encode()) > LARGEST]
    if large:
        return [
            error(
                "M029",
                f"{', '.join(large)} would be larger than 2 MiB; take fewer hexes or a coarser relief",
                place,
            )
        ]
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    words = "was changed by hand and by the new run; the hand-made one stays"
    return [Finding("M007", Severity.WARNING, f"{name} {words}", place) for name in clashes]
