"""`vmodc geo`: geo file + Natural Earth → outlines (and relief) in the module's `maps/`.

In: the module's folder and where the data lies. Out: findings; `maps/<map>.outlines.json` merged with the author's own
edits, the last draft beside it, and `maps/<map>.relief.json` where the geo file asks for one. Nothing is written if a
finding is an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import shapely  # type: ignore[import-untyped]

from compiler.findings import Finding, Place, Severity, error
from compiler.geo.cut import Cutter, Remark
from compiler.geo.hexcommand import draw_hexes
from compiler.geo.lines import project_geometry
from compiler.geo.merge import merge
from compiler.geo.natural import Layers
from compiler.geo.relief import read_heights, shade
from compiler.geo.topology import arcs_of, simplify
from compiler.schema import validate
from compiler.source.document import Document

GRAVE = {"M003", "M004"}
WORDS = {"arcs": "arc", "areas": "area", "places": "place", "kinds": "the kind of"}


def run(root: Path, data: Path, heights: Path | None = None, shown_as: str = "") -> list[Finding]:
    """Draws every map of the module that has a geo file."""
    out: list[Finding] = []
    for path in sorted((root / "geo").glob("*.geo.json")):
        text = path.read_text(encoding="utf-8")
        name = f"{shown_as or root.as_posix()}/geo/{path.name}"
        try:
            value = json.loads(text)
        except ValueError as problem:
            out.append(error("M001", f"not JSON: {problem}", Place(Document(name, text), offsets=(0, 1))))
            continue
        if isinstance(value, dict) and value.get("kind") == "hex":
            out += draw_hexes(root, value, data, heights, Place(Document(name, text, value)))
            continue
        document = Document(name, text, value)
        out += validate("geo", document) or _draw(root, value, Layers(data), heights, Place(document))
    return out


def _draw(
    root: Path, geo: Mapping[str, Any], layers: Layers, heights: Path | None, place: Place
) -> list[Finding]:
    try:
        cutter = Cutter(geo, layers)
        cut = cutter.run()
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        return [error("M001", f"the geo file has another form than docs/maps.md tells: {problem!r}", place)]
    findings = [_remark(remark, place) for remark in cut.remarks]
    findings += [
        Finding("M008", Severity.ERROR, f"the data folder has no Natural Earth layer '{name}'", place)
        for name in layers.missing
    ]
    if any(f.severity is Severity.ERROR for f in findings):
        return findings
    arcs, areas = arcs_of(simplify(cut.shapes, float(geo["coast"]["simplify"])))
    draft = {
        "note": "Drawn by `vmodc geo` from the geo file of this map. Points may be moved by hand: a later run keeps such changes.",
        "map": geo["map"], "width": geo["frame"]["width"], "height": geo["frame"]["height"],
        "wraps": bool(geo.get("wraps", True)), "touch": geo["touch"]["at_least"], "apart": geo["touch"].get("apart", []),
        "kinds": {name: kind for name, kind in sorted(cut.kinds.items()) if kind not in ("area", "zone")},
        "places": _places(geo, layers, cutter), "rivers": _rivers(geo, layers, cutter, cut.shapes, cut.kinds),
        "areas": areas, "arcs": {name: [list(p) for p in arc] for name, arc in arcs.items()},
    }  # fmt: skip
    findings += write(root, str(geo["map"]), draft, place)
    if heights is not None and "relief" in geo:
        cell = int(geo["relief"]["cell"])
        rows = shade(read_heights(heights), cutter.frame, cutter.projection, cell)
        _save(root / "maps" / f"{geo['map']}.relief.json", _rows(cell, rows))
    return findings


def _remark(remark: Remark, place: Place) -> Finding:
    severity = Severity.ERROR if remark.code in GRAVE else Severity.WARNING
    return Finding(remark.code, severity, remark.words, Place(place.document, remark.path), remark.help)


def write(root: Path, map_id: str, draft: Mapping[str, Any], place: Place) -> list[Finding]:
    """Saves the draft, and the outlines merged with what the author changed since the last draft."""
    target, kept = root / "maps" / f"{map_id}.outlines.json", root / "maps" / f"{map_id}.draft.outlines.json"
    value: dict[str, Any] = dict(draft)
    clashes: list[str] = []
    if target.is_file() and kept.is_file():
        base, mine = (json.loads(p.read_text(encoding="utf-8")) for p in (kept, target))
        value, clashes = merge(base, mine, draft)
    _save(target, outlines_text(value))
    _save(kept, outlines_text(draft))
    return [_clash(name, target, kept.name, place) for name in clashes]


def _clash(name: str, target: Path, draft: str, place: Place) -> Finding:
    """At its line in the outlines file as it is now."""
    part, _, key = name.partition(" ")
    text = target.read_text(encoding="utf-8")
    shown = place.document.name.rpartition("/geo/")[0] + f"/maps/{target.name}"
    path = (part, key) if key else (part,)
    return Finding(
        "M007",
        Severity.WARNING,
        f"{WORDS.get(part, part)} '{key or part}' was changed by hand and by the new run; the hand-made one stays",
        Place(Document(shown, text, json.loads(text)), path),
        f"what the new run made of it is in {draft}, under the same name",
    )


def outlines_text(value: Mapping[str, Any]) -> str:
    """JSON with one area, arc or river a line: readable, and a moved point is one changed line."""
    lines = []
    for key, part in value.items():
        if isinstance(part, dict):
            rows = [f"    {_json(name)}: {_json(entry)}" for name, entry in part.items()]
            lines.append(f"  {_json(key)}: {{\n" + ",\n".join(rows) + "\n  }")
        elif isinstance(part, list):
            lines.append(f"  {_json(key)}: [\n" + ",\n".join("    " + _json(row) for row in part) + "\n  ]")
        else:
            lines.append(f"  {_json(key)}: {_json(part)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _rows(cell: int, rows: Iterable[str]) -> str:
    note = "Light and shadow, one letter a cell: a deep shadow, i flat, q full light. Written by `vmodc geo`."
    return (
        '{\n  "note": '
        + _json(note)
        + f',\n  "cell": {cell},\n  "rows": [\n'
        + ",\n".join("    " + _json(r) for r in rows)
        + "\n  ]\n}\n"
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _save(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _rivers(
    geo: Mapping[str, Any],
    layers: Layers,
    cutter: Cutter,
    shapes: Mapping[str, Any],
    kinds: Mapping[str, str],
) -> list[list[list[float]]]:
    wanted = geo.get("rivers")
    if not wanted:
        return []
    land = shapely.union_all([shape for name, shape in shapes.items() if kinds[name] == "area"]).buffer(-1)
    out = []
    for feature in layers.read("rivers"):
        if (
            float(feature.values.get("scalerank") or 99) <= wanted["rank_at_most"]
            and feature.values.get("featurecla") == "River"
        ):
            line = project_geometry(feature.shape, cutter.frame, cutter.projection).intersection(land)
            for part in shapely.get_parts(shapely.line_merge(line)):
                if part.geom_type == "LineString" and part.length >= wanted["at_least"]:
                    out.append([[round(x, 1), round(y, 1)] for x, y in part.simplify(0.7).coords])
    return sorted(out)


def _places(geo: Mapping[str, Any], layers: Layers, cutter: Cutter) -> dict[str, list[float]]:
    wanted = {str(name): area for area, name in geo.get("places", {}).items()}
    out: dict[str, tuple[float, list[float]]] = {}
    for feature in layers.read("places") if wanted else ():
        area = wanted.get(str(feature.values.get("name")))
        people = float(feature.values.get("pop_max") or 0)
        if area and people >= out.get(area, (0.0, []))[0]:
            point = project_geometry(feature.shape, cutter.frame, cutter.projection)
            if point.geom_type == "Point":
                out[area] = (people, [round(point.x, 1), round(point.y, 1)])
    points = {
        str(name): [round(v, 1) for v in cutter.spot(at, {})] for name, at in geo.get("points", {}).items()
    }
    return points | {area: at for area, (_, at) in sorted(out.items())}
