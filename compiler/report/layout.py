"""Where the spaces of a small diagram go: hexes as on their map, others so that linked ones lie beside each other.

In: ids and pairs that are linked. Out: a point for each id, in units of one link. Deterministic, and of bounded work.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

XY = tuple[float, float]
_WORK = 60_000  # pairs looked at
_GAP = 1.1  # between parts that nothing links


def laid_out(ids: Sequence[str], pairs: Iterable[tuple[str, str]]) -> dict[str, XY]:
    """Each connected part by the distances of its graph, parts in rows below each other."""
    near: dict[str, list[str]] = {id: [] for id in ids}
    for a, b in pairs:
        if a in near and b in near and a != b:
            near[a].append(b)
            near[b].append(a)
    parts = sorted(_parts(near), key=lambda part: (-len(part), ids.index(part[0])))
    wide = max(2.0, math.sqrt(len(ids)) * 1.6)
    out: dict[str, XY] = {}
    x = y = row = 0.0
    for part in parts:
        points = _flat(_stress(part, near))
        width = max(p[0] for p in points.values())
        if x and x + width > wide:
            x, y, row = 0.0, y + row + _GAP, 0.0
        out |= {id: (px + x, py + y) for id, (px, py) in points.items()}
        x, row = x + width + _GAP, max(row, max(p[1] for p in points.values()))
    return out


def _parts(near: Mapping[str, list[str]]) -> list[list[str]]:
    seen: set[str] = set()
    out = []
    for start in near:
        if start not in seen:
            found = list(_steps(start, near))
            seen.update(found)
            out.append(found)
    return out


def _steps(start: str, near: Mapping[str, list[str]]) -> dict[str, int]:
    """Every id that can be reached, with its distance in links."""
    away, todo = {start: 0}, deque([start])
    while todo:
        here = todo.popleft()
        for other in near[here]:
            if other not in away:
                away[other] = away[here] + 1
                todo.append(other)
    return away


def _stress(part: list[str], near: Mapping[str, list[str]]) -> dict[str, XY]:
    """Distances on paper as near as can be to those of the graph (stress majorisation)."""
    count = len(part)
    away = {id: _steps(id, near) for id in part}
    order = sorted(part, key=lambda id: (away[part[0]][id], part.index(id)))
    turn = 2 * math.pi / count
    far = max(away[part[0]].values())
    at = {
        id: (away[part[0]][id] * 0.9 + 0.05 * n, math.sin(turn * n) * far * 0.4) for n, id in enumerate(order)
    }
    for _ in range(max(12, min(150, _WORK // max(1, count * count)))):
        at = {id: _better(id, at, away[id]) for id in part}
    return at


def _better(id: str, at: Mapping[str, XY], away: Mapping[str, int]) -> XY:
    x, y = at[id]
    sx = sy = weights = 0.0
    for other, (ox, oy) in at.items():
        if other == id:
            continue
        weight = 1 / away[other] ** 2
        length = math.hypot(x - ox, y - oy) or 1e-3
        sx += weight * (ox + away[other] * (x - ox) / length)
        sy += weight * (oy + away[other] * (y - oy) / length)
        weights += weight
    return (sx / weights, sy / weights) if weights else (x, y)


def _flat(points: Mapping[str, XY]) -> dict[str, XY]:
    """Turned so that the longest way lies level, and moved to begin at 0, 0."""
    mx = sum(x for x, _ in points.values()) / len(points)
    my = sum(y for _, y in points.values()) / len(points)
    xx = sum((x - mx) ** 2 for x, _ in points.values())
    yy = sum((y - my) ** 2 for _, y in points.values())
    xy = sum((x - mx) * (y - my) for x, y in points.values())
    angle = 0.5 * math.atan2(2 * xy, xx - yy)
    cos, sin = math.cos(angle), math.sin(angle)
    turned = {
        id: ((x - mx) * cos + (y - my) * sin, (y - my) * cos - (x - mx) * sin)
        for id, (x, y) in points.items()
    }
    left, top = min(x for x, _ in turned.values()), min(y for _, y in turned.values())
    return {id: (x - left, y - top) for id, (x, y) in turned.items()}


def apart(at: dict[str, XY], sizes: Mapping[str, XY], gap: float) -> dict[str, XY]:
    """Boxes round their middles, pushed along the shorter way until none lies on another."""
    ids = list(at)
    for _ in range(40):
        moved = False
        for i, a in enumerate(ids):
            for b in ids[i + 1 :]:
                dx, dy = at[b][0] - at[a][0], at[b][1] - at[a][1]
                over_x = (sizes[a][0] + sizes[b][0]) / 2 + gap - abs(dx)
                over_y = (sizes[a][1] + sizes[b][1]) / 2 + gap - abs(dy)
                if over_x <= 0.5 or over_y <= 0.5:
                    continue
                moved = True
                if over_x < over_y:
                    push = math.copysign(over_x / 2, dx if dx else 1)
                    at[a], at[b] = (at[a][0] - push, at[a][1]), (at[b][0] + push, at[b][1])
                else:
                    push = math.copysign(over_y / 2, dy if dy else 1)
                    at[a], at[b] = (at[a][0], at[a][1] - push), (at[b][0], at[b][1] + push)
        if not moved:
            break
    return at
