"""Diagrams: a few spaces of a position as boxes with their pieces, where there is no drawn map to show them on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from compiler.grid.pixels import regular
from compiler.model.types import Fixture, Link, Map, Module, Scenario, Space
from compiler.report.boards import space_name
from compiler.report.layout import XY, apart, laid_out
from compiler.report.views import Box, Edge, Spot, View

MOST = 40  # spaces in one diagram
_LINES = 5  # of pieces in a box
_WIDTH, _HEAD, _LINE, _GAP, _EDGE = 150.0, 36.0, 15.0, 26.0, 24.0
_STEP = 196.0  # one link
_LEAST = 640.0, 420.0  # of a picture: a small one would be shown too large
_LONG = 24  # letters a line
_COLOURS = (
    "#8c3b3b", "#44607d", "#6b7a3a", "#a4752e", "#5c4a7d", "#3d7a72", "#a0557a", "#6d6d6d", "#b09a4a", "#2f4f4f",
)  # fmt: skip


class Table:
    """The spaces and links of one position: the module's, and those of a case."""

    def __init__(self, module: Module, scenario: Scenario | None, fixture: Fixture | None = None) -> None:
        self.module, self.scenario = module, scenario
        own = fixture is None or fixture.own_map
        self.maps: tuple[Map, ...] = tuple(module.maps.values()) if own else ()
        more = fixture or Fixture()
        self.spaces: dict[str, Space] = {s.id: s for m in self.maps for s in m.spaces}
        self.spaces |= {s.id: s for s in more.spaces}
        self.links: tuple[Link, ...] = (*(link for m in self.maps for link in m.links), *more.links)
        self.brought = tuple(space.id for space in more.spaces)

    def near(self, ids: Iterable[str]) -> list[str]:
        """The spaces that are linked to some."""
        wanted = set(ids)
        found = [(link.b if link.a in wanted else link.a) for link in self.links if {link.a, link.b} & wanted]
        return [id for id in dict.fromkeys(found) if id not in wanted]

    def owner(self, space: Space) -> str | None:
        control = self.scenario.control if self.scenario else {}
        return control.get(space.id, space.controller)


def diagram(id: str, title: str, table: Table, wanted: Sequence[str]) -> View | None:
    """A view of these spaces (at most `MOST`), each a box; nothing if there are none."""
    ids = [space for space in dict.fromkeys(wanted) if space in table.spaces][:MOST]
    if not ids:
        return None
    links = [link for link in table.links if link.a in set(ids) and link.b in set(ids)]
    filled = {space: _box(table, table.spaces[space]) for space in ids}
    sizes = {space: (box.width, box.height) for space, box in filled.items()}
    points = _on_lattice(table, ids) or _scaled(laid_out(ids, ((link.a, link.b) for link in links)))
    middles = _to_corner(apart(points, sizes, _GAP), sizes)
    boxes = {space: _at(filled[space], middles[space]) for space in ids}
    kinds = tuple(dict.fromkeys(link.kind for link in links))
    edges = {(link.a, link.b, link.kind): link for link in links}
    return View(
        id,
        title,
        max(_LEAST[0], *(box.x + box.width + _EDGE for box in boxes.values())),
        max(_LEAST[1], *(box.y + box.height + _EDGE for box in boxes.values())),
        {space: _spot(table.module, space, box) for space, box in boxes.items()},
        boxes=tuple(boxes.values()),
        edges=tuple(
            Edge(middles[link.a], middles[link.b], kinds.index(link.kind), link.one_way)
            for link in edges.values()
        ),
        kinds=kinds,
    )


def _on_lattice(table: Table, ids: Sequence[str]) -> dict[str, XY] | None:
    """Hexes of one map lie as they do there."""
    for board in table.maps:
        grid = board.hexes
        if grid is None or not all(id in grid.index and grid.index[id] < len(grid) for id in ids):
            continue
        numbers = [grid.index[id] for id in ids]
        if len({grid.parts[n] for n in numbers}) == 1:
            layout = regular(grid.shape, round(_STEP * 0.9))
            centres = [layout.centre(grid.hexes[n]) for n in numbers]
            return {id: (float(x), float(y)) for id, (x, y) in zip(ids, centres, strict=True)}
    return None


def _scaled(points: Mapping[str, XY]) -> dict[str, XY]:
    return {id: (x * _STEP, y * _STEP * 0.7) for id, (x, y) in points.items()}


def _to_corner(points: Mapping[str, XY], sizes: Mapping[str, XY]) -> dict[str, XY]:
    """Moved so that nothing is left of 0, 0; a small diagram comes into the middle."""
    left = min(x - sizes[id][0] / 2 for id, (x, _) in points.items()) - _EDGE
    top = min(y - sizes[id][1] / 2 for id, (_, y) in points.items()) - _EDGE
    right = max(x + sizes[id][0] / 2 for id, (x, _) in points.items()) + _EDGE
    bottom = max(y + sizes[id][1] / 2 for id, (_, y) in points.items()) + _EDGE
    left -= max(0.0, (_LEAST[0] - (right - left)) / 2)
    top -= max(0.0, (_LEAST[1] - (bottom - top)) / 2)
    return {id: (round(x - left, 1), round(y - top, 1)) for id, (x, y) in points.items()}


def _box(table: Table, space: Space) -> Box:
    module = table.module
    owner = table.owner(space)
    words = [str(space.kind)] if space.kind else []
    words += [_word(name, value) for name, value in space.values.items() if value not in (None, False, ())]
    lines = _pieces(table, space.id)
    height = _HEAD + _LINE * len(lines) + (6 if lines else 0)
    colour = _colour(module, owner)
    name = cut(space_name(module, space.id), _LONG - 4)
    return Box(0, 0, _WIDTH, height, colour, name, cut(" · ".join(words), _LONG + 4), lines)


def _colour(module: Module, power: str | None) -> str | None:
    """The colour of a power, or one that tells it from the others."""
    if power is None or power not in module.powers:
        return None
    return module.powers[power].colour or _COLOURS[list(module.powers).index(power) % len(_COLOURS)]


def _word(name: str, value: object) -> str:
    return (
        name if value is True else str(value) if isinstance(value, str) else f"{name} {value}".split("(")[0]
    )


def _pieces(table: Table, space: str) -> tuple[tuple[str, str | None], ...]:
    module, scenario = table.module, table.scenario
    standing = [piece for piece in scenario.pieces if piece.space == space] if scenario else []
    tally = Counter(piece.counter for piece in standing)
    lines = []
    for counter, number in tally.items():
        power = module.counters[counter].power
        words = f"{number} × {counter}" if number > 1 else counter
        lines.append((cut(words, _LONG), _colour(module, power)))
    if len(lines) > _LINES:
        rest = len(lines) - _LINES + 1
        lines = [*lines[: _LINES - 1], (f"and {rest} more", None)]
    return tuple(lines)


def cut(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"


def _at(box: Box, middle: XY) -> Box:
    x, y = middle[0] - box.width / 2, middle[1] - box.height / 2
    return Box(
        round(x, 1), round(y, 1), box.width, box.height, box.colour, box.name, box.about, box.pieces
    )  # fmt: skip


def _spot(module: Module, space: str, box: Box) -> Spot:
    right, bottom = box.x + box.width, box.y + box.height
    ring = ((box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom))
    below = (box.x + box.width / 2, bottom)  # lines go below the words
    return Spot(space_name(module, space), below, (right - 8, box.y + 10), (ring,))
