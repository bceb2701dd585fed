"""An author's own board picture: spaces placed on it by pixel ↔ space pairs.

In: `"board": {"picture": "art/board.png", "pairs": [{"space": "moor", "at": [812, 440]}, …]}` in the picture file. Out: the
transformation from outlines to the picture's pixels (least squares over all pairs) and how far the pairs are from it.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, UnidentifiedImageError

from compiler.draw.place import XY
from compiler.draw.settings import Picture
from compiler.findings import Finding, Severity, error

LEAST_PAIRS = 3


@dataclass(frozen=True, slots=True)
class Fit:
    """x' = a·x + b·y + c, y' = d·x + e·y + f; `residual` is the root mean square miss in px, `worst` the largest."""

    x: tuple[float, float, float]
    y: tuple[float, float, float]
    residual: float
    worst: float

    def at(self, point: XY) -> XY:
        px, py = point
        return self.x[0] * px + self.x[1] * py + self.x[2], self.y[0] * px + self.y[1] * py + self.y[2]


def fit(pairs: Sequence[tuple[XY, XY]]) -> Fit | None:
    """The best affine map from the first points to the second; None if they lie on one line or are too few."""
    if len(pairs) < LEAST_PAIRS:
        return None
    rows = [(px, py, 1.0) for (px, py), _ in pairs]
    normal = [[sum(r[i] * r[j] for r in rows) for j in range(3)] for i in range(3)]
    xs = _solve(normal, [sum(r[i] * to[0] for r, (_, to) in zip(rows, pairs, strict=True)) for i in range(3)])
    ys = _solve(normal, [sum(r[i] * to[1] for r, (_, to) in zip(rows, pairs, strict=True)) for i in range(3)])
    if xs is None or ys is None:
        return None
    bare = Fit(xs, ys, 0.0, 0.0)
    misses = [math.dist(bare.at(a), b) for a, b in pairs]
    return Fit(xs, ys, math.sqrt(sum(m * m for m in misses) / len(misses)), max(misses))


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> tuple[float, float, float] | None:
    """Cramer's rule for three unknowns."""
    whole = _determinant(matrix)
    scale = max(abs(v) for row in matrix for v in row) or 1.0
    if abs(whole) < 1e-9 * scale**2:
        return None
    out = []
    for k in range(3):
        out.append(
            _determinant([[right[i] if j == k else matrix[i][j] for j in range(3)] for i in range(3)]) / whole
        )
    return out[0], out[1], out[2]


def _determinant(m: Sequence[Sequence[float]]) -> float:
    return (
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    )


@dataclass(frozen=True, slots=True)
class OwnBoard:
    path: Path
    width: int
    height: int
    fit: Fit


def own_board(
    picture: Picture, hearts: Mapping[str, XY], counter: float
) -> tuple[OwnBoard | None, list[Finding]]:
    """The author's board, if the picture file names one; `hearts` are points in the spaces, in map units."""
    value: Any = picture.get("board")
    if not value:
        return None, []
    place = picture.place / "board" if picture.place else None
    path = picture.root / str(value.get("picture", ""))
    size = _size(path, picture.root)
    if size is None:
        return None, [
            error("D008", f"there is no picture '{value.get('picture')}' in the module's folder", place)
        ]
    pairs = [
        (hearts[str(p["space"])], (float(p["at"][0]), float(p["at"][1])))
        for p in value.get("pairs", ())
        if p.get("space") in hearts
    ]
    found = fit(pairs)
    if found is None:
        return None, [
            error(
                "D008",
                f"{len(pairs)} usable pairs: at least {LEAST_PAIRS} that do not lie on one line are needed",
                place,
            )
        ]
    words = f"the own board fits its {len(pairs)} pairs with a residual of {found.residual:.1f} px (worst {found.worst:.1f})"
    findings = [Finding("D009", Severity.NOTE, words, place)]
    if found.worst > counter / 2:
        findings = [Finding("D007", Severity.WARNING, words, place)]
    return OwnBoard(path, *size, found), findings


def picture_uri(path: Path) -> str:
    kind = {".jpg": "jpeg", ".jpeg": "jpeg"}.get(path.suffix.lower(), "png")
    return f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"


def _size(path: Path, root: Path) -> tuple[int, int] | None:
    if not path.is_file() or not path.resolve().is_relative_to(root.resolve()):
        return None
    try:
        with Image.open(path) as image:
            return image.size
    except (UnidentifiedImageError, OSError):
        return None
