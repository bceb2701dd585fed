"""A board for maps that nobody has drawn yet: each space a box with its name, boxes in rows, links as lines.

In: a map and the names of its spaces. Out: a picture in which every space has room for a few stacks. It lets an author
play with a module on the first evening; a finding (V123) says that it is no map.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from xml.sax.saxutils import escape

from compiler.model.types import Map
from compiler.vassal.drawings import BoardPicture, Point, Shape

_WIDTH, _HEIGHT, _GAP, _EDGE = 240, 190, 40, 30
_LARGEST = 9000


def schematic(board: Map, names: Mapping[str, str], counter: int) -> BoardPicture:
    """The board. Very many spaces make smaller boxes: the picture stays within what VASSAL can show."""
    count = max(1, len(board.spaces))
    columns = math.ceil(math.sqrt(count * _HEIGHT / _WIDTH))
    scale = min(1.0, (_LARGEST - 2 * _EDGE) / (columns * (_WIDTH + _GAP)))
    wide, high, gap = (max(8, round(size * scale)) for size in (_WIDTH, _HEIGHT, _GAP))
    corners = {
        space.id: (_EDGE + n % columns * (wide + gap), _EDGE + n // columns * (high + gap))
        for n, space in enumerate(board.spaces)
    }
    rows = math.ceil(count / columns)
    width, height = 2 * _EDGE + columns * (wide + gap) - gap, 2 * _EDGE + rows * (high + gap) - gap
    shapes = {id: _box(x, y, wide, high, counter) for id, (x, y) in corners.items()}
    return BoardPicture(
        _svg(board, names, corners, (wide, high), (width, height)), width, height, shapes, {}, counter
    )


def _box(x: int, y: int, wide: int, high: int, counter: int) -> Shape:
    ring = ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))
    step = counter + 12
    across = max(1, (wide - 10) // step)
    down = max(1, (high - 40) // step)
    spots = tuple(
        (
            min(x + 5 + step // 2 + column * step, x + wide - 2),
            min(y + 34 + step // 2 + row * step, y + high - 2),
        )
        for row in range(down)
        for column in range(across)
    )
    return Shape((ring,), spots)


def _svg(
    board: Map,
    names: Mapping[str, str],
    corners: Mapping[str, Point],
    box: tuple[int, int],
    size: tuple[int, int],
) -> str:
    wide, high = box
    middle = {id: (x + wide // 2, y + high // 2) for id, (x, y) in corners.items()}
    lines = [
        f'<line x1="{middle[a][0]}" y1="{middle[a][1]}" x2="{middle[b][0]}" y2="{middle[b][1]}"/>'
        for a, b in sorted(
            {(link.a, link.b) for link in board.links if link.a in middle and link.b in middle}
        )
    ]
    boxes = [
        f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="8"/>'
        f'<text x="{x + 10}" y="{y + 24}" fill="#222222" stroke="none">{escape(names[id])}</text>'
        for id, (x, y) in corners.items()
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" viewBox="0 0 {size[0]} {size[1]}">'
        f'<rect width="{size[0]}" height="{size[1]}" fill="#e9e4d6"/>'
        f'<g stroke="#9a927e" stroke-width="3">{"".join(lines)}</g>'
        f'<g fill="#fbf9f2" stroke="#5f5a4d" stroke-width="2" font-family="Source Sans Pro" font-size="18">'
        f"{''.join(boxes)}</g></svg>"
    )
