"""Counters: a type's values and a layout become faces, as SVG.

A layout is data: a shape, a fill, and parts laid over it in percent of the counter's size. Any value may depend on the
counter: `{"by": "side", "red": "square", "else": "round"}`. A layout may be `like` another and change what it gives.
What cannot be drawn well (a text that does not fit or cannot be read, a missing picture) is a finding of
`counter_findings`; the drawing itself never fails.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path as FilePath
from typing import Any

from compiler.draw import fonts
from compiler.draw.colour import alike, contrast, ink_on, mix
from compiler.draw.scene import Group, Item, Path, Picture, Scene, Words, to_svg
from compiler.findings import Finding, Place, error, warning
from compiler.model.types import Counter, Module
from compiler.suggest import did_you_mean

READABLE = 4.5
SMALLEST = 0.6  # a text may shrink to this share of the size asked for
SHAPES = ("square", "rounded", "round", "cut")
KINDS_OF_PART = ("silhouette", "text", "band", "picture")
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


@cache
def silhouettes() -> dict[str, tuple[str, ...]]:
    """Name → paths in a box 100 wide and 60 high."""
    text = files("compiler.draw").joinpath("silhouettes.json").read_text(encoding="utf-8")
    found = {name: paths for name, paths in json.loads(text).items() if name != "note"}
    return {name: tuple([paths] if isinstance(paths, str) else paths) for name, paths in found.items()}


def draw_counter(module: Module, counter_id: str, language: str, size_px: int = 60) -> list[Face]:
    """The faces of a counter: the front, then those its type lists under `faces`."""
    counter = module.counters[counter_id]
    return [
        Face(name, to_svg(_Drawing(module, counter, language, layout, size_px).scene()), size_px, size_px)
        for name, layout in _faces(module, counter)
    ]


def _faces(module: Module, counter: Counter) -> Iterator[tuple[str, Mapping[str, Any]]]:
    raw = {**module.types[counter.type].raw, **counter.raw}
    yield "front", layout_of(module, raw.get("layout"))
    more = raw.get("faces")
    for name, layout in (more if isinstance(more, Mapping) else {}).items():
        yield str(name), layout_of(module, layout)


def layout_of(module: Module, name: object) -> Mapping[str, Any]:
    """A layout with those it is like beneath it; the plain one if it has no name or does not exist."""
    layouts = _mapping(module.raw.get("layouts"))
    found: dict[str, Any] = {}
    seen: list[object] = []
    while isinstance(name, str) and name in layouts and name not in seen:
        seen.append(name)
        layout = _mapping(layouts[name])
        found = {**layout, **found}
        found["parts"] = (
            [*_list(layout.get("parts")), *_list(found.get("add"))] if "add" in found else found.get("parts")
        )
        found.pop("add", None)
        name = layout.get("like")
    return (
        found
        if found.get("parts") is not None
        else {**PLAIN, **{k: v for k, v in found.items() if k != "parts"}}
    )


class _Drawing:
    def __init__(
        self, module: Module, counter: Counter, language: str, layout: Mapping[str, Any], size: int
    ) -> None:
        self.module, self.counter, self.language, self.layout = module, counter, language, layout
        self.unit = size / 100
        self.size = size
        self.fill = str(self.pick(layout.get("fill", PLAIN["fill"])))
        self.raw = {**module.types[counter.type].raw, **counter.raw}

    def scene(self) -> Scene:
        items: list[Item] = [*self.body()]
        for part in _list(self.layout.get("parts")):
            items += self.part(_mapping(part))
        return Scene(self.size, self.size, tuple(items), title=self.name())

    def name(self) -> str:
        return counter_name(self.module, self.counter, self.language)

    # Values that depend on the counter

    def pick(self, value: object) -> Any:
        if not isinstance(value, Mapping) or "by" not in value:
            return value
        key = self.attribute(str(value["by"]))
        if key is None or (str(key) not in value and "." not in str(value["by"])):
            return value.get("else")
        return value.get(str(key), key if "." in str(value["by"]) else None)

    def attribute(self, path: str) -> Any:
        power = self.module.powers.get(self.counter.power or "")
        if path == "power":
            return power.id if power else None
        if path == "side":
            return power.side if power else None
        if path.startswith("power."):
            return getattr(power, path.removeprefix("power."), None) if power else None
        if path == "type":
            return self.counter.type
        return self.counter.values.get(path)

    # The piece itself

    def body(self) -> Iterator[Item]:
        shape = str(self.pick(self.layout.get("shape", "square")))
        edge = mix(self.fill, "#000000", 0.55)
        yield Path(self.outline(shape, 1.2), fill=self.fill, stroke=edge, width=2.2 * self.unit)
        yield Path(self.outline(shape, 4.2), stroke=mix(self.fill, "#ffffff", 0.45), width=1.2 * self.unit)

    def outline(self, shape: str, inset: float) -> str:
        u, a, b = self.unit, inset * self.unit, (100 - inset) * self.unit
        if shape == "round":
            r = (b - a) / 2
            return f"M{_n(a)} {_n(a + r)}A{_n(r)} {_n(r)} 0 1 1 {_n(b)} {_n(a + r)}A{_n(r)} {_n(r)} 0 1 1 {_n(a)} {_n(a + r)}Z"
        if shape == "cut":
            c = 21 * u - inset * u * 0.4
            points = [
                (a + c, a),
                (b - c, a),
                (b, a + c),
                (b, b - c),
                (b - c, b),
                (a + c, b),
                (a, b - c),
                (a, a + c),
            ]
            return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points) + "Z"
        r = {"rounded": 22.0}.get(shape, 6.0) * u - inset * u * 0.6
        arc = f"A{_n(r)} {_n(r)} 0 0 1 "
        return (
            f"M{_n(a + r)} {_n(a)}H{_n(b - r)}{arc}{_n(b)} {_n(a + r)}V{_n(b - r)}{arc}{_n(b - r)} {_n(b)}"
            f"H{_n(a + r)}{arc}{_n(a)} {_n(b - r)}V{_n(a + r)}{arc}{_n(a + r)} {_n(a)}Z"
        )

    # Parts

    def part(self, part: Mapping[str, Any]) -> list[Item]:
        if "silhouette" in part:
            return self.silhouette(part)
        if "text" in part:
            return self.text(part)
        if "band" in part:
            x, y, w, h = self.box(part)
            d = f"M{_n(x)} {_n(y)}h{_n(w)}v{_n(h)}h{_n(-w)}Z"
            return [Path(d, fill=str(self.pick(part["band"])))]
        return self.picture(part)

    def box(self, part: Mapping[str, Any]) -> tuple[float, float, float, float]:
        numbers = [float(v) for v in _list(part.get("box"))] or [0, 0, 100, 100]
        x, y, w, h = (v * self.unit for v in numbers)
        return x, y, w, h

    def silhouette(self, part: Mapping[str, Any]) -> list[Item]:
        name = str(
            self.raw.get("silhouette") if part["silhouette"] is True else self.pick(part["silhouette"])
        )
        paths = silhouettes().get(name, ())
        x, y, w, h = self.box(part)
        scale = min(w / 100, h / 60)
        dx, dy = x + (w - 100 * scale) / 2, y + (h - 60 * scale) / 2
        turn = float(part.get("turn", 0))
        move = f"translate({_n(dx)} {_n(dy)}) scale({scale:.4f})" + (
            f" rotate({_n(turn)} 50 30)" if turn else ""
        )
        ink = self.ink(part)
        return (
            [Group(tuple(Path(d, fill=ink, rule="evenodd") for d in paths), transform=move)] if paths else []
        )

    def ink(self, part: Mapping[str, Any]) -> str:
        colour = self.pick(part.get("ink", "auto"))
        return ink_on(self.paper(part)) if colour in ("auto", None) else str(colour)

    def paper(self, part: Mapping[str, Any]) -> str:
        """What is under a part: its own `on` colour, or the counter's fill."""
        return str(self.pick(part["on"])) if "on" in part else self.fill

    def words(self, part: Mapping[str, Any]) -> str:
        values = {**self.counter.values, "name": self.name(), "letter": self.attribute("power.letter") or ""}
        text = str(self.pick(part["text"]) or "")
        for name, value in values.items():
            text = text.replace("{" + str(name) + "}", "" if value is None else str(value))
        return text

    def text(self, part: Mapping[str, Any]) -> list[Item]:
        words, font = self.words(part), _font(part)
        x, y, w, h = self.box(part)
        size = self.fitting(part)
        anchor = {"left": "start", "right": "end"}.get(str(part.get("align")), "middle")
        at = {"start": x, "end": x + w}.get(anchor, x + w / 2)
        baseline = y + h / 2 + size * font.cap / 2
        return [Words(words, at, baseline, font, size, self.ink(part), anchor)] if words else []

    def fitting(self, part: Mapping[str, Any]) -> float:
        """The size asked for, or the largest that fits the box, but not below the smallest share."""
        asked = float(part.get("size", 20)) * self.unit
        _, _, w, _ = self.box(part)
        wide = fonts.width(_font(part), self.words(part), asked)
        return asked if wide <= w else max(asked * w / wide, asked * SMALLEST)

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
    for counter in module.counters.values():
        for _, layout in _faces(module, counter):
            found += _face_findings(module, counter, layout)
    return list({(f.code, f.message, f.place): f for f in [*found, *_powers_alike(module)]}.values())


def _layout_findings(module: Module) -> Iterator[Finding]:
    layouts = _mapping(module.raw.get("layouts"))
    place = module.place / "layouts"
    for name, layout in layouts.items():
        like = _mapping(layout).get("like")
        if like is not None and like not in layouts:
            yield error(
                "D301",
                f"there is no layout '{like}'",
                place / name / "like",
                help=did_you_mean(str(like), layouts),
            )
        for i, part in enumerate(_list(_mapping(layout).get("parts"))):
            if not any(kind in _mapping(part) for kind in KINDS_OF_PART):
                yield error("D302", "this part draws nothing", place / name / "parts" / i,
                            help=f"a part has one of: {', '.join(KINDS_OF_PART)}")  # fmt: skip
    for type in module.types.values():
        named = {"layout": type.raw.get("layout"), **_mapping(type.raw.get("faces"))}
        for layout in named.values():
            if isinstance(layout, str) and layout not in layouts:
                yield error(
                    "D301",
                    f"there is no layout '{layout}'",
                    type.place / "layout",
                    help=did_you_mean(layout, layouts),
                )


def _face_findings(module: Module, counter: Counter, layout: Mapping[str, Any]) -> Iterator[Finding]:
    type = module.types[counter.type]
    for language in module.languages:
        drawing = _Drawing(module, counter, language, layout, 100)
        for part in (_mapping(p) for p in _list(layout.get("parts"))):
            if "silhouette" in part:
                yield from _missing_silhouette(drawing, part, type.place)
            elif "text" in part:
                yield from _unreadable(drawing, part, counter)
            elif "picture" in part:
                yield from _missing_picture(drawing, part, type.place)


def _missing_silhouette(drawing: _Drawing, part: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    name = drawing.raw.get("silhouette") if part["silhouette"] is True else drawing.pick(part["silhouette"])
    if name is None:
        yield error("D303", "this type's layout wants a silhouette and it names none", place,
                    help=f"add \"silhouette\": one of {', '.join(sorted(silhouettes()))}")  # fmt: skip
    elif name not in silhouettes():
        yield error("D303", f"there is no silhouette '{name}'", place / "silhouette",
                    help=did_you_mean(str(name), silhouettes()) or f"one of: {', '.join(sorted(silhouettes()))}")  # fmt: skip


def _unreadable(drawing: _Drawing, part: Mapping[str, Any], counter: Counter) -> Iterator[Finding]:
    words, font = drawing.words(part), _font(part)
    ratio = contrast(drawing.ink(part), drawing.paper(part))
    if words and ratio < READABLE:
        yield error("D304", f"the text '{words}' on counter '{counter.id}' has a contrast of {ratio:.1f}; {READABLE} is needed",
                    counter.place, help="choose another ink or fill, or leave 'ink' out")  # fmt: skip
    _, _, w, _ = drawing.box(part)
    if words and fonts.width(font, words, drawing.fitting(part)) > w * 1.001:
        yield error("D305", f"the text '{words}' does not fit on counter '{counter.id}' ({drawing.language})", counter.place,
                    help="shorten it, or give the part a wider box or a smaller size")  # fmt: skip
    for ch in fonts.lacks(font, words):
        yield error("D306", f"the font has no character '{ch}' (in '{words}')", counter.place)


def _missing_picture(drawing: _Drawing, part: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    name = part.get("picture") if part.get("picture") is not True else drawing.raw.get("picture")
    if picture_path(drawing.module, name) is None:
        yield error("D307", f"there is no picture '{name}' in the module's folder", place,
                    help="give the path from the module's folder, of a PNG, JPEG or SVG")  # fmt: skip


def _powers_alike(module: Module) -> Iterator[Finding]:
    """Two powers that some players cannot tell apart, unless a letter or a shape does."""
    colours = {p.id: p.colour for p in module.powers.values() if p.colour}
    for a, b, sight in alike(colours):
        one, two = module.powers[a], module.powers[b]
        if one.letter and two.letter and one.letter != two.letter:
            continue
        eyes = "anybody" if sight == "normal" else f"players with {sight}"
        yield warning("D308", f"the colours of '{a}' and '{b}' look alike to {eyes}", two.place / "colour",
                      help="choose a lighter or darker one, or give each power a letter")  # fmt: skip


def _font(part: Mapping[str, Any]) -> fonts.Font:
    return fonts.SANS_BOLD if part.get("bold") else fonts.SANS


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
