"""Counters: a type's values and a layout become faces, as SVG.

A layout is data: a shape, a fill, and parts laid over it in percent of the counter's size. Any value may depend on the
counter: `{"by": "side", "red": "square", "else": "round"}`. A layout may be `like` another and change what it gives.
What cannot be drawn well (a text that does not fit or cannot be read, a missing picture) is a finding of
`counter_findings`; the drawing itself never fails.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from pathlib import Path as FilePath
from typing import Any

from compiler.draw import fonts, nato, parts
from compiler.draw.colour import alike, contrast, ink_on, is_colour, mix
from compiler.draw.scene import Group, Item, Path, Picture, Scene, Words, to_svg
from compiler.findings import Finding, Place, error, warning
from compiler.model.types import Counter, Module
from compiler.suggest import did_you_mean

_BRACES = re.compile(r"\{([^{}]+)\}")
READABLE = 4.5
SMALLEST = 0.6  # a text may shrink to this share of the size asked for
SHAPES = ("square", "rounded", "round", "cut")
KINDS_OF_PART = ("silhouette", "text", "band", "picture", *parts.DRAW)
_TO_THE_EDGE = ("stripe", "corner", "band", "picture")
PLAIN_MM = 15.0  # a counter, unless the module or its layout says otherwise
PLAIN: Mapping[str, Any] = {
    "shape": "square",
    "fill": {"by": "power.colour", "else": "#d9d4c7"},
    "parts": [{"text": "{name}", "box": [6, 30, 88, 40], "size": 22, "bold": True}],
}


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a counter; `name` is what a scenario's `face` says. The first face is the front."""

    name: str
    svg: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Side:
    """A face before it is a picture. `mm` is its size in print; `block` means a label for a block, not cardboard."""

    name: str
    scene: Scene
    fill: str
    shape: str
    mm: tuple[float, float]
    block: bool = False
    turns: str = ""  # which way a block is turned
    words: str = ""  # the counter's values as this face prints them


@cache
def silhouettes() -> dict[str, tuple[str, ...]]:
    """Name → paths in a box 100 wide and 60 high."""
    text = files("compiler.draw").joinpath("silhouettes.json").read_text(encoding="utf-8")
    found = {name: paths for name, paths in json.loads(text).items() if name != "note"}
    return {name: tuple([paths] if isinstance(paths, str) else paths) for name, paths in found.items()}


def draw_counter(module: Module, counter_id: str, language: str, size_px: int = 60) -> list[Face]:
    """The faces of a counter: the front, then those its type lists under `faces`."""
    return [
        Face(side.name, to_svg(side.scene), round(side.scene.width), round(side.scene.height))
        for side in counter_sides(module, counter_id, language, size_px)
    ]


def counter_sides(
    module: Module, counter_id: str, language: str, size_px: float = 60, in_print: bool = False
) -> list[Side]:
    """The same faces as scenes. `size_px` is that of the module's plain counter; others are larger or smaller as their
    layouts say. In print the cut is the edge, so none is drawn."""
    counter = module.counters[counter_id]
    return [
        Side(
            d.face,
            d.scene(in_print),
            d.fill,
            d.shape(),
            d.mm,
            bool(d.layout.get("block")),
            d.turns(),
            d.values(),
        )
        for d in Faces(module, size_px).of(counter, language)
    ]


class Faces:
    """The faces of a module's counters, as drawings of one size. Each layout is put together once for all of them.

    `size` is the width in pixels of the module's plain counter.
    """

    def __init__(self, module: Module, size: float) -> None:
        self._module, self._size, self._canvases = module, size, dict[object, Canvas]()

    def of(self, counter: Counter, language: str) -> Iterator[Drawing]:
        """The front first."""
        raw = {**self._module.types[counter.type].raw, **counter.raw}
        named = [("front", raw.get("layout")), *_mapping(raw.get("faces")).items()]
        return (
            Drawing(self._module, counter, raw, language, self._canvas(layout), str(name))
            for name, layout in named
        )

    def _canvas(self, name: object) -> Canvas:
        key = name if isinstance(name, str) else None
        if key not in self._canvases:
            self._canvases[key] = _canvas(self._module, layout_of(self._module, key), self._size)
        return self._canvases[key]


@dataclass(frozen=True, slots=True)
class Canvas:
    """A layout at a size, the same for all faces that have it. Width and height are in pixels, `mm` is the size in print."""

    layout: Mapping[str, Any]
    mm: tuple[float, float]
    width: float
    height: float

    def parts(self) -> list[Mapping[str, Any]]:
        return [_mapping(part) for part in _list(self.layout.get("parts"))]


def _canvas(module: Module, layout: Mapping[str, Any], size: float) -> Canvas:
    mm, plain = size_of(module, layout), plain_mm(module)
    asked = _list(layout.get("pixels"))
    wide, high = asked if len(asked) == 2 else (size * one / plain for one in mm)
    return Canvas(layout, mm, max(1.0, float(round(wide))), max(1.0, float(round(high))))


def plain_mm(module: Module) -> float:
    """The size of the module's plain counter in print."""
    return _positive(_mapping(module.raw.get("sheets")).get("counter")) or PLAIN_MM


def size_of(module: Module, layout: Mapping[str, Any]) -> tuple[float, float]:
    """Width and height in mm: the layout's `size`, a number or two, else the module's plain counter."""
    asked = layout.get("size")
    both = [_positive(v) for v in asked] if isinstance(asked, list) else [_positive(asked)] * 2
    width, height = both if len(both) == 2 else (None, None)
    return (width, height) if width and height else (plain_mm(module),) * 2


def layout_of(module: Module, name: object) -> Mapping[str, Any]:
    """A layout with those it is like beneath it; the plain one if it has no name or does not exist."""
    layouts = _mapping(module.raw.get("layouts"))
    found: dict[str, Any] = {}
    seen: list[object] = []
    parts: list[Any] | None = None
    added: list[Any] = []
    while isinstance(name, str) and name in layouts and name not in seen:
        seen.append(name)
        layout = _mapping(layouts[name])
        found = {**layout, **found}
        if parts is None:  # what is added lies on top of the parts of the nearest layout that has some
            added = [*_list(layout.get("add")), *added]
            if "parts" in layout:
                parts = [*_list(layout["parts"]), *added]
        name = layout.get("like")
    found.pop("add", None)
    if parts is None:
        return {**PLAIN, **found, "parts": [*PLAIN["parts"], *added]}
    return {**found, "parts": parts}


_WHOLE = (0, 0, 100, 100)


class Drawing:
    """One face of one counter while it is drawn. All lengths are pixels of the picture."""

    def __init__(
        self,
        module: Module,
        counter: Counter,
        raw: Mapping[str, Any],
        language: str,
        canvas: Canvas,
        face: str,
    ) -> None:
        """`raw` is what the counter's type and the counter itself say."""
        self.module, self.counter, self.raw, self.language, self.face = module, counter, raw, language, face
        self.power = module.powers.get(counter.power or "")
        self.canvas = canvas
        self._words: dict[int, str] = {}  # by part of the layout, which stays as it is
        self.layout, self.mm, self.width, self.height = canvas.layout, canvas.mm, canvas.width, canvas.height
        self.unit = min(self.width, self.height) / 100
        self.fill = self.colour(self.layout.get("fill", PLAIN["fill"])) or PLAIN["fill"]["else"]

    def said_in(self, language: str) -> Drawing:
        """The same face in another language. Only its name may differ."""
        return Drawing(self.module, self.counter, self.raw, language, self.canvas, self.face)

    def scene(self, in_print: bool = False) -> Scene:
        items: list[Item] = [*self.body(in_print)]
        edge = ""
        for part in _list(self.layout.get("parts")):
            made = self.part(_mapping(part))
            if made and not in_print and any(kind in part for kind in _TO_THE_EDGE):
                # In print the cut ends them; on screen the counter's outline does.
                edge = f'<clipPath id="face"><path d="{self.outline(self.shape(), 2.3)}"/></clipPath>'
                made = [Group(tuple(made), clip="face")]
            items += made
        return Scene(self.width, self.height, tuple(items), edge, title=self.name())

    def same(self, part: Mapping[str, Any]) -> tuple[object, ...]:
        """What is equal for two counters on which the part looks and reads the same."""
        found: list[object] = [id(part), self.counter.type, self.fill, self.width, self.height]
        for key, value in _mapping(part).items():
            if key == "text":
                found.append(self.words(part))
            elif key in ("silhouette", "nato", "picture"):
                found.append(id(self.raw.get(key)))
            elif key in ("ink", "on", "band"):
                found.append(str(self.pick(value)))
            elif key in ("edges", "pips"):
                found.append(self.counter.values.get("steps"))
        return tuple(found)

    def name(self) -> str:
        return counter_name(self.module, self.counter, self.language)

    # Values that depend on the counter

    def pick(self, value: object) -> Any:
        if not isinstance(value, dict) or "by" not in value:
            return value
        key = self.attribute(str(value["by"]))
        if key is None or (str(key) not in value and "." not in str(value["by"])):
            return value.get("else")
        return value.get(str(key), key if "." in str(value["by"]) else None)

    def colour(self, value: object) -> str | None:
        """The colour that a value says, for this counter; None if it says none."""
        found = self.pick(value)
        return found if is_colour(found) else None

    def attribute(self, path: str) -> Any:
        power = self.power
        if path == "power":
            return power.id if power else None
        if path == "side":
            return power.side if power else None
        if path.startswith("power."):
            return getattr(power, path.removeprefix("power."), None) if power else None
        if path in ("type", "face"):
            return self.counter.type if path == "type" else self.face
        if path == "id":
            return self.counter.id.removeprefix(f"{self.counter.power}.")
        values = self.counter.values
        return values[path] if path in values else self.default(path)

    def default(self, name: str) -> Any:
        declared = self.module.vocabulary.get(("piece", name)) or self.module.vocabulary.get(
            ("counter", name)
        )
        return declared.default if declared is not None else None

    def values(self) -> str:
        """What the face says in figures: its texts with attributes in them, in the order of the layout."""
        found = [
            self.words(part) for part in map(_mapping, _list(self.layout.get("parts"))) if self.tells(part)
        ]
        return " · ".join(dict.fromkeys(words for words in found if words))

    def tells(self, part: Mapping[str, Any]) -> bool:
        named = _BRACES.findall(str(self.pick(part.get("text")) or "")) if self.shown(part) else []
        return bool(named) and not set(named) & {"name", "letter"}

    # The piece itself

    def turns(self) -> str:
        edges = (_mapping(part) for part in _list(self.layout.get("parts")) if "edges" in _mapping(part))
        return next((str(part.get("turn", parts.DIRECTION)) for part in edges), "")

    def shape(self) -> str:
        return str(self.pick(self.layout.get("shape", "square")))

    def body(self, in_print: bool = False) -> Iterator[Item]:
        shape, light = self.shape(), mix(self.fill, "#ffffff", 0.45)
        if in_print:
            yield Path(self.whole(), fill=self.fill)
        else:
            edge = mix(self.fill, "#000000", 0.55)
            yield Path(self.outline(shape, 1.2), fill=self.fill, stroke=edge, width=2.2 * self.unit)
        if self.layout.get("line") is not False:
            yield Path(self.outline(shape, 4.2), stroke=light, width=1.2 * self.unit)

    def whole(self) -> str:
        return f"M0 0H{_n(self.width)}V{_n(self.height)}H0Z"

    def outline(self, shape: str, inset: float) -> str:
        u, a, b, c = (
            self.unit,
            inset * self.unit,
            self.width - inset * self.unit,
            self.height - inset * self.unit,
        )
        if shape == "round":
            rx, ry = (b - a) / 2, (c - a) / 2
            arc = f"A{_n(rx)} {_n(ry)} 0 1 1 "
            return f"M{_n(a)} {_n(a + ry)}{arc}{_n(b)} {_n(a + ry)}{arc}{_n(a)} {_n(a + ry)}Z"
        if shape == "cut":
            k = 21 * u - inset * u * 0.4
            points = [
                (a + k, a),
                (b - k, a),
                (b, a + k),
                (b, c - k),
                (b - k, c),
                (a + k, c),
                (a, c - k),
                (a, a + k),
            ]
            return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points) + "Z"
        r = {"rounded": 22.0}.get(shape, 6.0) * u - inset * u * 0.6
        arc = f"A{_n(r)} {_n(r)} 0 0 1 "
        return (
            f"M{_n(a + r)} {_n(a)}H{_n(b - r)}{arc}{_n(b)} {_n(a + r)}V{_n(c - r)}{arc}{_n(b - r)} {_n(c)}"
            f"H{_n(a + r)}{arc}{_n(a)} {_n(c - r)}V{_n(a + r)}{arc}{_n(a + r)} {_n(a)}Z"
        )

    # Parts

    def part(self, part: Mapping[str, Any]) -> list[Item]:
        if not self.shown(part):
            return []
        for kind, draw in parts.DRAW.items():
            if kind in part:
                return draw(self, part)
        if "silhouette" in part:
            return self.silhouette(part)
        if "text" in part:
            return self.text(part)
        if "band" in part:
            x, y, w, h = self.box(part)
            d = f"M{_n(x)} {_n(y)}h{_n(w)}v{_n(h)}h{_n(-w)}Z"
            colour = self.colour(part["band"])
            return [Path(d, fill=colour)] if colour else []
        return self.picture(part)

    def box(self, part: Mapping[str, Any]) -> tuple[float, float, float, float]:
        x, y, w, h = _list(part.get("box")) or _WHOLE
        wide, high = self.width, self.height
        return float(x) * wide / 100, float(y) * high / 100, float(w) * wide / 100, float(h) * high / 100

    def shown(self, part: Mapping[str, Any]) -> bool:
        """Whether the part's `when` holds: each attribute named has the value, or is one of the values."""
        return "when" not in part or all(
            self.attribute(str(key)) in (wanted if isinstance(wanted, list) else [wanted])
            or (wanted is False and self.attribute(str(key)) is None)
            for key, wanted in _mapping(part.get("when")).items()
        )

    def number(self, value: object) -> int:
        """A whole number as written, or of an attribute in braces; 0 if it is none."""
        text = self.filled(str(self.pick(value)))
        return int(text) if text.isdigit() else 0

    def silhouette(self, part: Mapping[str, Any]) -> list[Item]:
        name = str(
            self.raw.get("silhouette") if part["silhouette"] is True else self.pick(part["silhouette"])
        )
        paths = silhouettes().get(name, ())
        x, y, w, h = self.box(part)
        scale = min(w / 100, h / 60)
        dx, dy = x + (w - 100 * scale) / 2, y + (h - 60 * scale) / 2
        turn = self.turn(part)
        move = f"translate({_n(dx)} {_n(dy)}) scale({scale:.4f})" + (
            f" rotate({_n(turn)} 50 30)" if turn else ""
        )
        ink = self.ink(part)
        return (
            [Group(tuple(Path(d, fill=ink, rule="evenodd") for d in paths), transform=move)] if paths else []
        )

    def ink(self, part: Mapping[str, Any]) -> str:
        return self.colour(part.get("ink")) or ink_on(self.paper(part))

    def inked(self, part: Mapping[str, Any]) -> tuple[str, str]:
        """A part's ink and what is under it."""
        paper = self.paper(part)
        return self.colour(part.get("ink")) or ink_on(paper), paper

    def turn(self, part: Mapping[str, Any]) -> float:
        found = self.pick(part.get("turn"))
        return float(found) if is_number(found) else 0.0

    def paper(self, part: Mapping[str, Any]) -> str:
        """What is under a part: its own `on` colour, a band or mark drawn before it, or the counter's fill."""
        ground = self.colour(part.get("on"))
        if ground:
            return ground
        x, y, w, h = self.box(part)
        found = self.fill
        for other in _list(self.layout.get("parts")):
            if other is part:
                break
            if _mapping(other) and self.covers(other, x + w / 2, y + h / 2):
                found = (self.colour(other["band"]) or found) if "band" in other else self.ink(other)
        return found

    def covers(self, other: Mapping[str, Any], x: float, y: float) -> bool:
        solid = "band" in other or self.pick(other.get("mark")) in ("circle", "square", "diamond")
        if not solid or not self.shown(other):
            return False
        left, top, w, h = self.box(other)
        return left <= x <= left + w and top <= y <= top + h

    def words(self, part: Mapping[str, Any]) -> str:
        found = self._words.get(id(part))
        if found is None:
            found = self._words[id(part)] = self.filled(str(self.pick(part.get("text")) or ""))
        return found

    def filled(self, text: str) -> str:
        """The text with the counter's values in it; an attribute without a value is empty."""
        return _BRACES.sub(lambda match: self.value(match[1]), text) if "{" in text else text

    def value(self, name: str) -> str:
        if name == "name":
            return self.name()
        found = self.attribute("power.letter") if name == "letter" else self.attribute(name)
        if isinstance(found, tuple):
            return ", ".join(str(one) for one in found)
        return "" if found is None or isinstance(found, bool | dict) else str(found)

    def text(self, part: Mapping[str, Any]) -> list[Item]:
        words, font = self.words(part), font_of(part)
        x, y, w, h = self.box(part)
        size = self.fitting(part)
        anchor = {"left": "start", "right": "end"}.get(str(part.get("align")), "middle")
        at = {"start": x, "end": x + w}.get(anchor, x + w / 2)
        baseline = y + h / 2 + size * font.cap / 2
        if not words:
            return []
        line = Words(words, at, baseline, font, size, self.ink(part), anchor)
        turn = self.turn(part)
        spin = f"rotate({_n(turn)} {_n(x + w / 2)} {_n(y + h / 2)})"
        return [Group((line,), transform=spin)] if turn else [line]

    def fitting(self, part: Mapping[str, Any]) -> float:
        """The size asked for, or the largest that fits the box, but not below the smallest share."""
        return self.fitted(part)[0]

    def fitted(self, part: Mapping[str, Any]) -> tuple[float, float, float]:
        """That size, how long the text is in it, and the room there is."""
        asked, room = float(part.get("size", 20)) * self.unit, self.along(part)
        font, words = font_of(part), self.words(part)
        wide = fonts.width(font, words, asked)
        if wide <= room:
            return asked, wide, room
        size = max(asked * room / wide, asked * SMALLEST)
        return size, fonts.width(font, words, size), room

    def along(self, part: Mapping[str, Any]) -> float:
        """The room a line of text has: the box's height if it stands upright."""
        _, _, w, h = self.box(part)
        return h if self.turn(part) % 180 == 90 else w

    def picture(self, part: Mapping[str, Any]) -> list[Item]:
        found = own_picture(
            self.module, part.get("picture") if part.get("picture") is not True else self.raw.get("picture")
        )
        if found is None:
            return []
        x, y, w, h = self.box(part)
        return [Picture(found, x, y, w, h)]


def counter_name(module: Module, counter: Counter, language: str) -> str:
    """The counter's own words, else the type's."""
    own = f"counter.{counter.id}"
    return module.texts.get(own if module.texts.has(own, language) else f"type.{counter.type}", language)


def own_picture(module: Module, name: object) -> str | None:
    """An author's picture inside the module's folder as a data URI; None if it is not there."""
    path = picture_path(module, name)
    if path is None:
        return None
    kind = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".svg": "svg+xml"}.get(path.suffix.lower())
    return f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode()}" if kind else None


def picture_path(module: Module, name: object) -> FilePath | None:
    if not isinstance(name, str) or not name:
        return None
    root = FilePath(module.place.document.name).parent
    path = root / name
    inside = path.resolve().is_relative_to(root.resolve())
    return path if inside and path.is_file() else None


# Findings -------------------------------------------------------------------------------------------------------------


def counter_findings(module: Module) -> list[Finding]:
    """What an author should mend before the counters are drawn."""
    found = [*_layout_findings(module)]
    if any(finding.code == "D301" for finding in found):
        return list(dict.fromkeys(found))  # what is drawn for want of a layout is not what was meant
    faces, seen = Faces(module, 100), set[tuple[object, ...]]()
    for counter in module.counters.values():
        for drawing in faces.of(counter, module.languages[0]) if module.languages else ():
            shown = drawing.canvas.parts()
            found += _face_findings(drawing, shown, seen)
            named = [part for part in shown if "{name}" in str(part.get("text"))]
            for language in module.languages[1:] if named else ():
                found += _face_findings(drawing.said_in(language), named, seen)
    return list({(f.code, f.message, f.place): f for f in [*found, *_powers_alike(module)]}.values())


def _layout_findings(module: Module) -> Iterator[Finding]:
    layouts = _mapping(module.raw.get("layouts"))
    known, place = _known(module), module.place / "layouts"
    for name, layout in layouts.items():
        like = _mapping(layout).get("like")
        if like is not None and like not in layouts:
            yield error(
                "D301",
                f"there is no layout '{like}'",
                place / name / "like",
                help=did_you_mean(str(like), layouts),
            )
        if like in layouts and name in _likes(layouts, like):
            yield error("D301", f"layout '{name}' is like itself", place / name / "like",
                        help="one of the layouts that are like each other must stand alone")  # fmt: skip
        yield from _wrong_values(known, _mapping(layout), place / name)
        for key in ("parts", "add"):
            for i, part in enumerate(_list(_mapping(layout).get(key))):
                yield from _unknown_attributes(known, _mapping(part), place / name / key / i)
                yield from _wrong_values(known, _mapping(part), place / name / key / i)
                if not any(kind in _mapping(part) for kind in KINDS_OF_PART):
                    yield error("D302", "this part draws nothing", place / name / key / i,
                                help=f"a part has one of: {', '.join(KINDS_OF_PART)}")  # fmt: skip
    written: dict[Place, Mapping[str, Any]] = {type.place: type.raw for type in module.types.values()}
    for counter in module.counters.values():
        own = module.types[counter.type].raw
        written[counter.place] = {key: value for key, value in counter.raw.items() if own.get(key) != value}
    for at, raw in written.items():
        named = [(at / "layout", raw.get("layout"))]
        named += [(at / "faces" / face, layout) for face, layout in _mapping(raw.get("faces")).items()]
        for where, layout in named:
            if isinstance(layout, str) and layout not in layouts:
                help = did_you_mean(layout, layouts)
                yield error("D301", f"there is no layout '{layout}'", where, help=help)


def _likes(layouts: Mapping[str, Any], name: object) -> list[object]:
    """A layout and those that it is like, each once."""
    seen: list[object] = []
    while name in layouts and name not in seen:
        seen.append(name)
        name = _mapping(layouts[str(name)]).get("like")
    return seen


_COLOURS = ("fill", "ink", "on", "band", "stripe")
_OF_POWER = frozenset(f"power.{name}" for name in ("id", "side", "colour", "letter", "capital"))
SHAPES = ("square", "rounded", "round", "cut")


def _known(module: Module) -> set[str]:
    """The attributes that a layout may ask for."""
    known = {"id", "type", "power", "side", "face", "steps", *_OF_POWER}
    return known | {name for kind, name in module.vocabulary if kind in ("piece", "counter")}


def _wrong_values(known: set[str], value: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    """Colours that are none, shapes that do not exist, choices by an attribute that no piece has."""
    for key, written in value.items():
        choice = isinstance(written, Mapping) and "by" in written
        if choice and str(written["by"]) not in known:
            yield error("D311", f"pieces have no attribute '{written['by']}'", place / key / "by",
                        help=did_you_mean(str(written["by"]), known) or "declare it in vocabulary.piece")  # fmt: skip
        leaves = {name: leaf for name, leaf in written.items() if name != "by"} if choice else {None: written}
        for name, leaf in leaves.items():
            at = place / key if name is None else place / key / name
            if key in _COLOURS and not is_colour(leaf) and not (key == "ink" and leaf == "auto"):
                yield error("D309", f"{_shown(leaf)} is no colour", at, help="write it as '#b3261e'")
            elif key == "shape" and leaf not in SHAPES:
                yield error(
                    "D309", f"there is no shape {_shown(leaf)}", at, help=f"one of: {', '.join(SHAPES)}"
                )
            elif (words := parts.words_of(key, value)) and isinstance(leaf, str) and leaf not in words:
                help = did_you_mean(leaf, words) or f"one of: {', '.join(words)}"
                yield error("D309", f"there is no {key} '{leaf}'", at, help=help)
            elif key in ("pips", "of") and not is_number(leaf) and not _BRACES.fullmatch(str(leaf)):
                yield error(
                    "D309", f"{_shown(leaf)} is no number of pips", at, help="write it as 2 or '{steps}'"
                )
            elif key == "turn" and "edges" not in value and not is_number(leaf):
                yield error("D309", f"{_shown(leaf)} is no number of degrees", at, help="write it as 90")
    for name in _mapping(value.get("when")):
        if name not in known:
            yield error("D311", f"pieces have no attribute '{name}'", (place / "when" / name).key(),
                        help=did_you_mean(name, known) or "declare it in vocabulary.piece")  # fmt: skip


def _shown(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else "this"


def is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _unknown_attributes(known: set[str], part: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    """A name in braces that no piece has would be left empty on every counter."""
    for key in ("text", "pips"):
        for name in _BRACES.findall(part[key]) if isinstance(part.get(key), str) else ():
            if name not in known and name not in ("name", "letter"):
                yield error("D311", f"pieces have no attribute '{name}'", place / key,
                            help=did_you_mean(name, known | {"name", "letter"}) or "declare it in vocabulary.piece")  # fmt: skip
        if isinstance(part.get(key), str) and set("{}") & set(_BRACES.sub("", part[key])):
            yield error("D309", f"a brace in '{part[key]}' has no partner", place / key,
                        help="an attribute stands between two braces: '{attack}'")  # fmt: skip


def _face_findings(
    drawing: Drawing, shown: Iterable[Mapping[str, Any]], seen: set[tuple[object, ...]]
) -> Iterator[Finding]:
    """Of parts that say the same on many counters, the first is told."""
    module, counter = drawing.module, drawing.counter
    type = module.types[counter.type]
    for part in shown:
        if not drawing.shown(part) or (key := drawing.same(part)) in seen:
            continue
        seen.add(key)
        if parts.DRAW.keys() & part.keys():
            yield from _part_findings(drawing, part, type.place, counter)
        elif "silhouette" in part:
            yield from _missing_silhouette(drawing, part, type.place)
        elif "text" in part:
            yield from _unreadable(drawing, part, counter)
        elif "picture" in part:
            yield from _missing_picture(drawing, part, _picture_place(module, counter, type.place, part))


def _part_findings(
    drawing: Drawing, part: Mapping[str, Any], place: Place, counter: Counter
) -> Iterator[Finding]:
    for message, help in parts.problems(drawing, part):
        yield error("D309", f"{message} (counter '{counter.id}')", counter.place, help=help)
    inked = [kind for kind in ("pips", "edges") if kind in part]
    ratio = contrast(*drawing.inked(part))
    if inked and ratio < READABLE:
        yield error("D304", f"the {inked[0]} of counter '{counter.id}' have a contrast of {ratio:.1f}; {READABLE} is needed",
                    counter.place, help="choose another ink or fill, or leave 'ink' out")  # fmt: skip
    if "nato" not in part:
        return
    data = parts.nato_data(drawing, part)
    if data is None:
        yield error("D310", f"the layout wants a symbol and counter '{counter.id}' has none", counter.place,
                    help='add "nato": {"branch": …, "echelon": …}')  # fmt: skip
    own = counter.place if "nato" in _mapping(_written(counter.place)) else place
    at = own / "nato" if part.get("nato") is True else place
    for mistake in nato.read(data)[1] if data else ():
        yield error("D310", mistake.message, at / mistake.key if mistake.key else at, help=mistake.help)


def _written(place: Place) -> object:
    """The value that stands at a place."""
    value = place.document.value
    for step in place.path:
        value = value[step]  # type: ignore[index]
    return value


def _missing_silhouette(drawing: Drawing, part: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    name = drawing.raw.get("silhouette") if part["silhouette"] is True else drawing.pick(part["silhouette"])
    if name is None:
        yield error("D303", "this type's layout wants a silhouette and it names none", place,
                    help=f"add \"silhouette\": one of {', '.join(sorted(silhouettes()))}")  # fmt: skip
    elif name not in silhouettes():
        yield error("D303", f"there is no silhouette '{name}'", place / "silhouette",
                    help=did_you_mean(str(name), silhouettes()) or f"one of: {', '.join(sorted(silhouettes()))}")  # fmt: skip


def _unreadable(drawing: Drawing, part: Mapping[str, Any], counter: Counter) -> Iterator[Finding]:
    words = drawing.words(part)
    if not words:
        return
    ratio = contrast(*drawing.inked(part))
    if ratio < READABLE:
        yield error("D304", f"the text '{words}' on counter '{counter.id}' has a contrast of {ratio:.1f}; {READABLE} is needed",
                    counter.place, help="choose another ink or fill, or leave 'ink' out")  # fmt: skip
    _, wide, room = drawing.fitted(part)
    if wide > room * 1.001:
        yield error("D305", f"the text '{words}' does not fit on counter '{counter.id}' ({drawing.language})", counter.place,
                    help="shorten it, or give the part a wider box or a smaller size")  # fmt: skip
    for ch in fonts.lacks(font_of(part), words):
        yield error("D306", f"the font has no character '{ch}' (in '{words}')", counter.place)


def _picture_place(module: Module, counter: Counter, type_place: Place, part: Mapping[str, Any]) -> Place:
    """The line that names the picture: the part's own, the counter's or the type's."""
    if part.get("picture") is True:
        own = counter.place if "picture" in _mapping(_written(counter.place)) else type_place
        return own / "picture"
    for name, layout in _mapping(module.raw.get("layouts")).items():
        for key in ("parts", "add"):
            for n, other in enumerate(_list(_mapping(layout).get(key))):
                if other is part:
                    return module.place / "layouts" / name / key / n / "picture"
    return type_place


def _missing_picture(drawing: Drawing, part: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    name = part.get("picture") if part.get("picture") is not True else drawing.raw.get("picture")
    if picture_path(drawing.module, name) is None:
        yield error("D307", f"there is no picture '{name}' in the module's folder", place,
                    help="give the path from the module's folder, of a PNG, JPEG or SVG")  # fmt: skip


def _powers_alike(module: Module) -> Iterator[Finding]:
    """Two powers whose colours some players cannot tell apart. Letters help, but colours are what one sees first."""
    colours = {p.id: p.colour for p in module.powers.values() if p.colour}
    for a, b, sight in alike(colours):
        two = module.powers[b]
        eyes = "anybody" if sight == "normal" else f"players with {sight}"
        yield warning("D308", f"the colours of '{a}' and '{b}' look alike to {eyes}", two.place / "colour",
                      help="make one of them lighter or darker")  # fmt: skip


_FONTS = {
    ("sans", False): fonts.SANS,
    ("sans", True): fonts.SANS_BOLD,
    ("serif", False): fonts.SERIF,
    ("serif", True): fonts.SERIF_BOLD,
    ("italic", False): fonts.SERIF_ITALIC,
    ("italic", True): fonts.SERIF_ITALIC,
}


def font_of(part: Mapping[str, Any]) -> fonts.Font:
    """The letters of a text part."""
    return _FONTS.get((str(part.get("font", "sans")), bool(part.get("bold"))), fonts.SANS)


def _positive(value: object) -> float | None:
    number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    return float(value) if number and value > 0 else None  # type: ignore[arg-type, operator]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
