"""Light and shadow on a hex map: `maps/<map>.relief.json` → a picture and where it lies.

In: rows of letters as on area maps (`a` deep shadow, `i` flat, `q` full light), and where they lie: `left` and `top` of
the first letter from the middle of the hex `origin`, and the size of a letter, `cell`, all in hundredths of the distance
between opposite hexsides. Without these the rows are spread over the rectangle of the whole map.
"""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path as File
from typing import Any

from compiler.draw.hexplane import Plane
from compiler.draw.place import Box
from compiler.draw.relief import LETTERS, painted
from compiler.draw.scene import Picture
from compiler.findings import Finding, Place, error
from compiler.source.document import Document

UNIT = 100.0


def relief(
    root: File, map_id: str, strength: float, plane: Plane, all: Box
) -> tuple[list[Picture], list[Finding]]:
    """The picture, if the module has heights and the style wants them; `all` is the rectangle of the map."""
    path = root / "maps" / f"{map_id}.relief.json"
    if not path.is_file():
        return [], []
    text = path.read_text(encoding="utf-8")
    try:
        value = json.loads(text)
    except ValueError as problem:
        place = Place(Document(path.as_posix(), text), offsets=(0, 1))
        return [], [error("D026", f"not JSON: {problem}", place)]
    place = Place(Document(path.as_posix(), text, value))
    if (wrong := _fault(value, plane)) is not None:
        return [], [error("D026", wrong, place)]
    if strength <= 0:
        return [], []
    box = _box(value, plane) if "origin" in value else all
    uri = painted(value["rows"], strength)
    return [Picture(uri, box.x - box.w / 2, box.y - box.h / 2, box.w, box.h)], []


def _fault(value: Any, plane: Plane) -> str | None:
    rows = value.get("rows") if isinstance(value, dict) else None
    if not isinstance(rows, list) or not rows or not all(isinstance(row, str) and row for row in rows):
        return "a relief is an object with 'rows': a list of rows of letters"
    if any(len(row) != len(rows[0]) for row in rows) or set("".join(rows)) - set(LETTERS):
        return f"the rows of a relief must be equally long and have letters from {LETTERS[0]} to {LETTERS[-1]} alone"
    if "origin" not in value:
        return None
    if not 0 <= plane.map.index.get(str(value["origin"]), -1) < len(plane.map):
        return f"'origin' must be a hex of the map; '{value['origin']}' is none"
    numbers = [value.get(key) for key in ("left", "top", "cell")]
    if not all(isinstance(n, int | float) for n in numbers) or value["cell"] <= 0:
        return "with 'origin' a relief needs the numbers 'left', 'top' and 'cell'"
    return None


def _box(value: Any, plane: Plane) -> Box:
    x, y = plane.centres[plane.map.index[value["origin"]]]
    first = plane.picture.layouts[0]
    along, across = float(first.along) / UNIT, float(first.across) / (UNIT * sqrt(3) / 2)
    wide, high = (across, along) if plane.map.shape == "flat" else (along, across)
    w, h = (
        len(value["rows"][0]) * float(value["cell"]) * wide,
        len(value["rows"]) * float(value["cell"]) * high,
    )
    return Box(x + float(value["left"]) * wide + w / 2, y + float(value["top"]) * high + h / 2, w, h)
