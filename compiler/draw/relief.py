"""Relief rows → a small picture of light and shadow that is laid over the land."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

LETTERS = "abcdefghijklmnopq"
FLAT = ord("i")
FINER = 2


def relief_uri(root: Path, map_id: str, strength: float) -> tuple[str, float] | None:
    """(data URI, size of a cell), or None if the map has no relief or the style wants none."""
    path = root / "maps" / f"{map_id}.relief.json"
    if strength <= 0 or not path.is_file():
        return None
    value = json.loads(path.read_text(encoding="utf-8"))
    return painted(value["rows"], strength), float(value["cell"])


def painted(rows: Sequence[str], strength: float) -> str:
    """The rows as a picture of light and shadow, a data URI."""
    table = {ord(c): _paint(ord(c) - FLAT, strength) for c in LETTERS}
    data = b"".join(table[ord(c)] for row in rows for c in row)
    image = Image.frombytes("RGBA", (len(rows[0]), len(rows)), data)
    image = image.resize((image.width * FINER, image.height * FINER), Image.Resampling.BICUBIC)
    out = io.BytesIO()
    image.save(out, "PNG")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()


def _paint(level: int, strength: float) -> bytes:
    """White light or brown shadow, the stronger the more opaque."""
    alpha = min(255, round(abs(level) / 8 * 255 * strength))
    return bytes((255, 252, 240, alpha)) if level > 0 else bytes((58, 42, 24, alpha))
