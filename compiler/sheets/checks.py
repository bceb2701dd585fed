"""What an author should mend before anything is printed: room, sides that disagree, margins, coarse pictures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from compiler.draw.counters import Drawing, Faces, font_of, picture_path, size_of
from compiler.findings import Finding, Place, Related, error, note, warning
from compiler.model.types import Counter, Module
from compiler.sheets.layout import STICKER_GUTTER, room
from compiler.sheets.settings import Settings

DPI = 300
_MATTERS = ("text", "silhouette", "nato", "pips", "mark", "edges")


def sheet_findings(module: Module, settings: Settings) -> list[Finding]:
    """In the order: paper, counters that look alike, the sides of each counter."""
    drawn = Faces(module, 1000)  # so large that whole pixels do not matter
    faces = {id: [*drawn.of(counter, module.languages[0])] for id, counter in module.counters.items()}
    return [*_paper(module, settings), *_twins(module, faces), *_sides(module, settings, faces)]


Drawings = Mapping[str, list[Drawing]]


def _at(module: Module, *keys: str) -> Place:
    place = module.place / "sheets"
    for key in keys:
        place = place / key
    return place


# Paper ----------------------------------------------------------------------------------------------------------------


def _paper(module: Module, settings: Settings) -> Iterator[Finding]:
    plain = (settings.counter, settings.counter)
    columns, rows = room(plain, settings.gutter, settings)
    for key, asked, have in (("columns", settings.columns, columns), ("rows", settings.rows, rows)):
        if asked is not None and asked > have:
            message = f"{asked} {key} of {settings.counter:g} mm do not fit on {settings.paper.upper()}"
            yield error("D331", message, _at(module, key), help=f"at most {have}; or choose a larger paper")
    for name, layout in _layouts(module):
        mm = size_of(module, layout)
        gutter = max(STICKER_GUTTER, settings.gutter) if layout.get("block") else settings.gutter
        if min(room(mm, gutter, settings)) < 1:
            message = f"a counter of {mm[0]:g} × {mm[1]:g} mm does not fit on {settings.paper.upper()}"
            yield error(
                "D331", message, module.place / "layouts" / name / "size", help="choose a larger paper"
            )


def _layouts(module: Module) -> Iterator[tuple[str, Mapping[str, Any]]]:
    layouts = module.raw.get("layouts")
    for name, layout in (layouts if isinstance(layouts, Mapping) else {}).items():
        if isinstance(layout, Mapping):
            yield str(name), layout


# Looks ----------------------------------------------------------------------------------------------------------------


def _twins(module: Module, faces: Drawings) -> Iterator[Finding]:
    """Counters with ids of their own, of one power and type, whose faces show no difference between them."""
    groups: dict[tuple[str | None, str], list[Counter]] = defaultdict(list)
    for counter in module.counters.values():
        groups[counter.power, counter.type].append(counter)
    for counters in groups.values():
        looks: dict[object, Counter] = {}
        for counter in counters if len(counters) > 1 else ():
            first = looks.setdefault(_look(faces[counter.id]), counter)
            if first is not counter:
                message = f"'{counter.id}' looks the same as '{first.id}'"
                other = Related(first.place, "the other counter")
                yield note(
                    "D334", message, counter.place, related=(other,), help="show {id} or {name} on the layout"
                )


def _look(drawings: list[Drawing]) -> object:
    """What the faces show, without drawing them."""
    return tuple(
        (
            drawing.face,
            *(drawing.same(part) for part in drawing.layout.get("parts") or () if drawing.shown(part)),
        )
        for drawing in drawings
    )


# Sides ----------------------------------------------------------------------------------------------------------------


def _sides(module: Module, settings: Settings, faces: Drawings) -> Iterator[Finding]:
    places = _part_places(module)
    said: set[tuple[object, ...]] = set()
    seen: set[tuple[object, ...]] = set()
    for counter in module.counters.values():
        drawings = faces[counter.id]
        found = [*_disagree(counter, drawings)]
        for drawing in drawings:
            found += _margins(module, drawing, settings, places, seen)
        for finding in found:
            key = (finding.code, finding.place, finding.message if finding.code == "D335" else "")
            if key not in said:
                said.add(key)
                yield finding


def _part_places(module: Module) -> dict[int, Place]:
    """Where each part is written, by its identity: a layout hands on the parts of the one it is like."""
    return {
        id(part): module.place / "layouts" / name / key / n
        for name, layout in _layouts(module)
        for key in ("parts", "add")
        for n, part in enumerate(layout.get(key) or ())
    }


def _disagree(counter: Counter, drawings: list[Drawing]) -> Iterator[Finding]:
    front = drawings[0]
    for other in drawings[1:]:
        if other.mm != front.mm:
            a, b = (f"{d.mm[0]:g} × {d.mm[1]:g} mm" for d in (front, other))
            yield error("D335", f"the front of '{counter.id}' is {a}, its side '{other.face}' {b}", counter.place,
                        help="give both layouts one size; 'like' does that by itself")  # fmt: skip
        elif other.shape() != front.shape() or bool(other.layout.get("block")) != bool(
            front.layout.get("block")
        ):
            yield error("D335", f"the front of '{counter.id}' is {front.shape()}, its side '{other.face}' {other.shape()}",
                        counter.place, help="give both layouts one shape")  # fmt: skip


def _margins(
    module: Module,
    drawing: Drawing,
    settings: Settings,
    places: Mapping[int, Place],
    seen: set[tuple[object, ...]],
) -> Iterator[Finding]:
    dot = drawing.width / drawing.mm[0]
    for part in drawing.layout.get("parts") or ():
        if not isinstance(part, dict) or not drawing.shown(part) or (key := drawing.same(part)) in seen:
            continue
        seen.add(key)
        place = places.get(id(part), drawing.counter.place)
        if "picture" in part:
            yield from _coarse(module, drawing, part, place)
        elif "corner" not in part and any(key in part for key in _MATTERS):
            near = min(_room(drawing, part)) / dot
            if near < settings.safe - 0.01:
                what = next(key for key in _MATTERS if key in part)
                message = f"this {what} is {near:.2g} mm from the cut of '{drawing.counter.id}'; {settings.safe:g} mm are safe"
                yield warning("D336", message, place, help="move its box inwards, or make it smaller")


def _room(drawing: Drawing, part: Mapping[str, Any]) -> tuple[float, ...]:
    """How far the part is from each edge of the counter, in pixels."""
    if "edges" in part:
        return (float(part.get("inset", 6)) * drawing.unit,)
    x, y, w, h = drawing.box(part)
    if "text" in part and "mark" not in part:
        if not drawing.words(part):
            return (drawing.width,)
        size, wide, along = drawing.fitted(part)
        high = size * font_of(part).cap
        if along == h != w:
            wide, high = high, wide
        y, h = y + (h - high) / 2, high
        x, w = x + (w - wide) * {"left": 0.0, "right": 1.0}.get(str(part.get("align")), 0.5), wide
    return x, y, drawing.width - x - w, drawing.height - y - h


def _coarse(module: Module, drawing: Drawing, part: Mapping[str, Any], place: Place) -> Iterator[Finding]:
    name = part.get("picture") if part.get("picture") is not True else drawing.raw.get("picture")
    path = picture_path(module, name)
    if path is None or path.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        return
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as image:
            pixels = image.size
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError):
        return
    _, _, w, h = drawing.box(part)
    dot = drawing.width / drawing.mm[0]
    fine = min(pixels[0] / (w / dot / 25.4), pixels[1] / (h / dot / 25.4)) if w and h else DPI
    if fine < DPI - 1:
        message = f"the picture '{name}' has {fine:.0f} dots an inch in print; {DPI} are needed"
        yield warning(
            "D337", message, place, help=f"make it {DPI / fine:.1f} times as wide, or draw it as SVG"
        )
