"""Attributes drawn on a view: zones of control, influence, who is hostile, in the colours of those they belong to.

In: a position, an attribute and the views. Out: for each view a layer of tinted spaces (or links) with its legend. Only
what has something to say is in it; hexes of one tint that touch are drawn as one piece, so that a layer stays small.
"""

from __future__ import annotations

import colorsys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from compiler.report.views import XY, Layer, Mark, Tint, View
from compiler.rules.items import Broken, Item, Position, Trouble, Unknown
from compiler.rules.words import plain

if TYPE_CHECKING:
    from compiler.model.types import Module, Type
    from compiler.rules import RulePack

DRAWN_ON = ("space", "piece", "arrival", "region", "link")
RELATED = ("power", "side")
_TINTS = 12  # in one legend; what is rarer is one tint together
_LABELS = 400  # numbers are written into the spaces where they are not too many
_HEXAGON = 6
_YES, _OTHERS = "#d98e04", "#8a8a8a"
_WORDS = (
    "#2a78b5",
    "#d1495b",
    "#3a8f5c",
    "#8e5ea2",
    "#c98a1b",
    "#4f9da6",
    "#7a5c3e",
    "#b0537f",
    "#5a6acf",
    "#86992a",
)
_LEVELS = ("#2e8b57", "#d7a21a", "#d9702b")  # of a trace, the best first
_FAILURE = "#b3261e"
_ROOM, _ROW = 150.0, 24.0  # of a table of relations
_NAMED = 8


@dataclass(frozen=True, slots=True)
class Field:
    """An attribute of a position."""

    pack: RulePack
    world: Position
    kind: str
    name: str

    @property
    def type(self) -> Type:
        return self.pack.vocabulary.types[self.kind, self.name]

    @property
    def is_trace(self) -> bool:
        return (self.kind, self.name) in self.pack.vocabulary.traces

    def values(self) -> Iterator[tuple[Item, Any]]:
        """Every item that has something to say, with its value."""
        for item in self.world.all(self.kind):
            value = item.get(self.name)
            if value is not None and value is not False and value != () and value != 0:
                yield item, value


def of_position(pack: RulePack, world: Position) -> Iterator[Field]:
    """The derived attributes of spaces that say who is where with whom, and that rules read: what a page shows unasked."""
    from compiler.rules.pack import reads_of, reads_through
    from compiler.rules.still import is_still

    read = {key for unit in pack.rules.values() for key in reads_through(pack, reads_of(unit))}
    for (kind, name), unit in pack.derives.items():
        type = pack.vocabulary.types.get((kind, name))
        if kind != "space" or type is None or (kind, name) not in read or is_still(pack, unit):
            continue
        if type.base in ("bool", "word") or (type.base == "item" and type.kind in RELATED):
            yield Field(pack, world, kind, name)


def drawn(module: Module, field: Field, views: Iterable[View], scenario: str) -> list[Layer]:
    """The layers of one attribute, one for each view that shows something of it."""
    try:
        values = list(field.values())
    except (Unknown, Broken, Trouble, RecursionError):
        return []  # nobody stated what it needs: 'vmodc check' tells that of the rules that read it
    if field.kind == "link":
        made = [_lines(module, field, view, scenario, values) for view in views]
    else:
        found = _by_space(field, values)
        made = [_spaces(module, field, view, scenario, found) for view in views]
    return [layer for layer in made if layer is not None]


# Values ---------------------------------------------------------------------------------------------------------------


def _by_space(field: Field, values: Iterable[tuple[Item, Any]]) -> dict[str, tuple[Any, ...]]:
    """What is to be drawn in each space: its own value, or those of the pieces in it, or of its regions."""
    found: dict[str, dict[Any, None]] = {}
    for item, value in values:
        for space in _stands(item):
            found.setdefault(space, {}).update(dict.fromkeys(value if isinstance(value, tuple) else (value,)))
    if field.is_trace:
        levels = list(field.type.words)
        return {space: tuple(sorted(own, key=levels.index)) for space, own in found.items()}
    return {space: tuple(own) for space, own in found.items()}


def _stands(item: Item) -> Iterable[str]:
    if item.kind == "space":
        return (item.id,)
    if item.kind == "region":
        return (space.id for space in item.get("spaces"))
    space = item.get("at" if item.kind == "arrival" else "space")
    return () if space is None else (space.id,)


def _named(module: Module, value: Any) -> str:
    if isinstance(value, Item):
        text_id = f"{value.kind}.{value.id}"
        return module.texts.get(text_id) if module.texts.has(text_id) else value.id
    if value is True:
        return "yes"
    return plain(value) if isinstance(value, int | Fraction) else str(value)


def _told(module: Module, values: tuple[Any, ...]) -> str:
    return " + ".join(_named(module, value) for value in values)


# Colours --------------------------------------------------------------------------------------------------------------


def _tints(
    module: Module, field: Field, found: Iterable[tuple[Any, ...]]
) -> dict[tuple[Any, ...], tuple[str, str]]:
    """For each value its words and colour; the rarest share one where there are too many."""
    tally = Counter(found)
    common = [value for value, _ in tally.most_common(_TINTS if len(tally) <= _TINTS else _TINTS - 1)]
    common.sort(key=lambda value: _order(field, value))
    colours = _colours(module, field, common)
    out = {value: (_told(module, value), colour) for value, colour in zip(common, colours, strict=True)}
    return out | {value: ("others", _OTHERS) for value in tally if value not in out}


def _order(field: Field, value: tuple[Any, ...]) -> Any:
    """Numbers by size, declared words as they are listed, else by letter."""
    if field.type.base == "number":
        return [(one, "") for one in value]
    words = field.type.words
    return [(words.index(one), one) if one in words else (len(words), _id(one)) for one in value]


def _id(value: Any) -> str:
    return value.id if isinstance(value, Item) else str(value)


def _colours(module: Module, field: Field, values: Sequence[tuple[Any, ...]]) -> list[str]:
    if field.type.base == "number":
        return [_shade(n / max(1, len(values) - 1)) for n in range(len(values))]
    own = [_own(module, field, value) for value in values]
    spare = (colour for colour in _more(set(own)))
    return [colour if colour is not None else next(spare) for colour in own]


def _own(module: Module, field: Field, value: tuple[Any, ...]) -> str | None:
    """The colour that one has by itself: a side's, a power's, a level's."""
    if len(value) != 1:
        return None
    (one,) = value
    if one is True:
        return _YES
    if isinstance(one, Item) and one.kind in RELATED:
        known = module.sides if one.kind == "side" else module.powers
        return known[one.id].colour if one.id in known else None
    if field.is_trace:
        place = field.type.words.index(one)
        return _FAILURE if place == len(field.type.words) - 1 else _LEVELS[min(place, len(_LEVELS) - 1)]
    return None


def _more(taken: set[str | None]) -> Iterator[str]:
    yield from (colour for colour in _WORDS if colour not in taken)
    for n in range(_TINTS):
        red, green, blue = colorsys.hsv_to_rgb(n * 0.381966 % 1, 0.6, 0.7)
        yield f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def _shade(part: float) -> str:
    """From pale to dark."""
    pale, dark = (0xF4, 0xD3, 0x7A), (0x5B, 0x1E, 0x6B)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(pale, dark, strict=True))


# Layers ---------------------------------------------------------------------------------------------------------------


def _spaces(
    module: Module, field: Field, view: View, scenario: str, found: Mapping[str, tuple[Any, ...]]
) -> Layer | None:
    here = {space: value for space, value in found.items() if space in view.spots and view.spots[space].rings}
    if not here:
        return None
    tints = _tints(module, field, here.values())
    grouped: dict[tuple[str, str], list[str]] = {}
    for value in tints.values():
        grouped.setdefault(value, [])
    for space, value in here.items():
        grouped[tints[value]].append(space)
    ordered = sorted(grouped.items(), key=lambda pair: pair[0][0] == "others")
    made = tuple(_tint(view, *tint, own) for tint, own in ordered)
    return Layer(view.id, field.name, scenario, made, tuple(_labels(module, field, view, here)))


def _tint(view: View, words: str, colour: str, spaces: Sequence[str]) -> Tint:
    """Hexes are drawn as one piece, other spaces each by its own outline."""
    hexes = [space for space in spaces if all(len(ring) == _HEXAGON for ring in view.spots[space].rings)]
    rings = (ring for space in hexes for ring in view.spots[space].rings)
    apart = set(spaces) - set(hexes)
    return Tint(words, colour, len(spaces), tuple(s for s in spaces if s in apart), merged(rings))


def _labels(
    module: Module, field: Field, view: View, here: Mapping[str, tuple[Any, ...]]
) -> Iterator[tuple[XY, str]]:
    """The numbers themselves."""
    if field.type.base == "number" and len(here) <= _LABELS:
        for space, value in here.items():
            yield view.spots[space].at, _told(module, value)


def _lines(
    module: Module, field: Field, view: View, scenario: str, values: Sequence[tuple[Item, Any]]
) -> Layer | None:
    """An attribute of links: each a line between its two spaces."""
    found: dict[tuple[str, str], tuple[Any, ...]] = {}
    for link, value in values:
        ends = link.attrs["from"].id, link.attrs["to"].id
        if all(end in view.spots for end in ends):
            found[ends] = value if isinstance(value, tuple) else (value,)
    if not found:
        return None
    tints = _tints(module, field, found.values())
    paths: dict[tuple[str, str], list[str]] = {}
    for (a, b), value in found.items():
        if found.get((b, a)) == value and a > b:
            continue  # the same both ways: one line
        (ax, ay), (bx, by) = view.spots[a].at, view.spots[b].at
        if not view.wraps or abs(bx - ax) < view.width / 2:
            paths.setdefault(tints[value], []).append(f"M{ax:.0f} {ay:.0f}L{bx:.0f} {by:.0f}")
    made = tuple(Tint(*tint, len(parts), path="".join(parts), is_line=True) for tint, parts in paths.items())
    return Layer(view.id, field.name, scenario, made)


Point = tuple[int, int]


def merged(rings: Iterable[Sequence[XY]]) -> str:
    """The outline of all rings together: an edge that two of them share (one each way) is inside, and left out."""
    edges: dict[tuple[Point, Point], None] = {}
    for ring in rings:
        points = [(round(x), round(y)) for x, y in _clockwise(ring)]
        for a, b in zip(points, [*points[1:], points[0]], strict=True):
            if (b, a) in edges:
                del edges[b, a]
            elif a != b:
                edges[a, b] = None
    leaving: dict[Point, list[Point]] = {}
    for a, b in edges:
        leaving.setdefault(a, []).append(b)
    out = []
    while leaving:
        start = at = next(iter(leaving))
        path = [f"M{start[0]} {start[1]}"]
        while True:
            ends = leaving[at]
            to = ends.pop()
            if not ends:
                del leaving[at]
            if to == start or to not in leaving:
                break
            path.append(f"l{to[0] - at[0]} {to[1] - at[1]}")
            at = to
        out.append("".join(path) + "z")
    return "".join(out)


def _clockwise(ring: Sequence[XY]) -> Sequence[XY]:
    turned = sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True))
    return ring if turned > 0 else ring[::-1]


# Relations ------------------------------------------------------------------------------------------------------------


def relation(module: Module, field: Field, title: str) -> View:
    """An attribute of powers or sides as a table: who has whom in its set, or simply what each has."""
    values = dict(field.values())
    member = field.type.kind if field.type.is_set and field.type.base == "item" else None
    marks = _matrix(module, field, values) if member in RELATED else _listed(module, field, values)
    width = max(mark.x + mark.width for mark in marks) + 8
    height = max(mark.y + mark.height for mark in marks) + 8
    return View(field.name, title, max(640.0, width), max(420.0, height), {}, marks=tuple(marks))


def _matrix(module: Module, field: Field, values: Mapping[Item, Any]) -> list[Mark]:
    """Rows have columns in their sets. Who has nobody but itself, and whom nobody else has, are told below."""
    others = {owner: [one for one in own if one is not owner] for owner, own in values.items()}
    had = {one for own in others.values() for one in own}
    rows = [owner for owner in field.world.all(field.kind) if others.get(owner)]
    columns = [one for one in field.world.all(field.type.kind or "") if one in had]
    marks = [Mark(8, 8, _ROOM, _ROW, None, f"{field.name} of a {field.kind}", "left")]
    marks += [_headed(module, one, _ROOM + 12 + n * 92, 8.0, 88) for n, one in enumerate(columns)]
    for row, owner in enumerate(rows, 1):
        y = 8 + row * (_ROW + 4)
        marks.append(_headed(module, owner, 8, y, _ROOM, "left"))
        for n, one in enumerate(columns):
            has = one is not owner and one in values[owner]
            mark = Mark(
                _ROOM + 12 + n * 92, y, 88, _ROW, _LEVELS[0] if has else "#ffffff", "yes" if has else ""
            )
            marks.append(mark)
    left = [owner for owner in field.world.all(field.kind) if owner not in rows]
    if left:
        named = ", ".join(_named(module, owner) for owner in left[:_NAMED])
        more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
        y = 16 + (len(rows) + 1) * (_ROW + 4)
        marks.append(Mark(8, y, 600, _ROW, None, f"nobody else: {named}{more}", "left"))
    return marks


def _listed(module: Module, field: Field, values: Mapping[Item, Any]) -> list[Mark]:
    marks = [Mark(8, 8, _ROOM, _ROW, None, f"{field.name} of a {field.kind}", "left")]
    for row, (owner, value) in enumerate(values.items(), 1):
        y = 8 + row * (_ROW + 4)
        told = _told(module, value if isinstance(value, tuple) else (value,))
        marks += [
            _headed(module, owner, 8, y, _ROOM, "left"),
            Mark(_ROOM + 12, y, 420, _ROW, "#ffffff", told, "left"),
        ]
    return marks


def _headed(module: Module, item: Item, x: float, y: float, width: float, anchor: str = "middle") -> Mark:
    return Mark(x, y, width, _ROW, _colour(module, item), _named(module, item), anchor)


def _colour(module: Module, item: Item) -> str:
    known = module.sides if item.kind == "side" else module.powers
    return (known[item.id].colour if item.id in known else None) or "#dcd8cb"


def title_of(module: Module, scenario: str, attribute: str) -> str:
    text_id = f"scenario.{scenario}"
    return f"{attribute}: {module.texts.get(text_id) if module.texts.has(text_id) else scenario}"
