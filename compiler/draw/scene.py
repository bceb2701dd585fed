"""A picture before it is SVG: shapes in drawing order, all values final.

In: nothing but these frozen values. Out: SVG text. The same scene gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from compiler.draw.fonts import Font

XY = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Path:
    d: str
    fill: str = "none"
    stroke: str = "none"
    width: float = 0.0
    dash: str = ""
    opacity: float = 1.0
    id: str = ""
    rule: str = ""
    transform: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text. `x` is its left, middle or right by `anchor`; `y` its baseline."""

    text: str
    x: float
    y: float
    font: Font
    size: float
    fill: str
    anchor: str = "middle"
    halo: str = ""
    halo_width: float = 0.0
    spacing: float = 0.0
    turn: float = 0.0
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Picture:
    """A raster inside the scene, as a data URI."""

    uri: str
    x: float
    y: float
    width: float
    height: float
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Group:
    items: tuple[Item, ...]
    clip: str = ""
    opacity: float = 1.0
    id: str = ""
    transform: str = ""


Item = Path | Words | Picture | Group


@dataclass(frozen=True, slots=True)
class Scene:
    width: float
    height: float
    items: tuple[Item, ...]
    defs: str = ""
    title: str = ""
    notes: tuple[str, ...] = field(default=())


def number(value: float) -> str:
    """At most one decimal, no trailing zero: small and the same everywhere."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def polygon(rings: Iterable[Sequence[XY]]) -> str:
    """Path data of closed rings."""
    return "".join("M" + "L".join(f"{number(x)} {number(y)}" for x, y in ring) + "Z" for ring in rings)


def polyline(points: Sequence[Sequence[float]]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def rect(x: float, y: float, w: float, h: float, r: float = 0.0) -> str:
    if r <= 0:
        return f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}z"
    a = f"a{number(r)} {number(r)} 0 0 1 "
    return (
        f"M{number(x + r)} {number(y)}h{number(w - 2 * r)}{a}{number(r)} {number(r)}v{number(h - 2 * r)}{a}{number(-r)} {number(r)}"
        f"h{number(2 * r - w)}{a}{number(-r)} {number(-r)}v{number(2 * r - h)}{a}{number(r)} {number(-r)}z"
    )


def circle(x: float, y: float, r: float) -> str:
    a = f"a{number(r)} {number(r)} 0 1 0 "
    return f"M{number(x - r)} {number(y)}{a}{number(2 * r)} 0{a}{number(-2 * r)} 0z"


def to_svg(scene: Scene) -> str:
    """The scene as SVG text."""
    w, h = number(scene.width), number(scene.height)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}">'
    out = [head]
    if scene.title:
        out.append(f"<title>{escape(scene.title)}</title>")
    out += [f"<desc>{escape(note)}</desc>" for note in scene.notes]
    if scene.defs:
        out.append(f"<defs>{scene.defs}</defs>")
    for item in scene.items:
        _write(item, out)
    out.append("</svg>\n")
    return "\n".join(out)


def _write(item: Item, out: list[str]) -> None:
    if isinstance(item, Path):
        out.append(_path(item))
    elif isinstance(item, Words):
        out.append(_words(item))
    elif isinstance(item, Picture):
        size = f'x="{number(item.x)}" y="{number(item.y)}" width="{number(item.width)}" height="{number(item.height)}"'
        # Bilinear: a finer filter costs seconds on a wall map and shows no difference.
        out.append(
            f'<image {size}{_opacity(item.opacity)} preserveAspectRatio="none" style="image-rendering:smooth" href="{item.uri}"/>'
        )
    else:
        clip = f' clip-path="url(#{item.clip})"' if item.clip else ""
        name = f' id="{item.id}"' if item.id else ""
        move = f' transform="{item.transform}"' if item.transform else ""
        out.append(f"<g{name}{clip}{move}{_opacity(item.opacity)}>")
        for inner in item.items:
            _write(inner, out)
        out.append("</g>")


def _thin(value: float, fill: str, stroke: str) -> str:
    """Opacity of the paint, not of the object: an object's opacity makes the rasteriser copy the whole picture."""
    if value >= 1:
        return ""
    out = "" if fill == "none" else f' fill-opacity="{value:g}"'
    return out if stroke in ("none", "") else out + f' stroke-opacity="{value:g}"'


def _opacity(value: float) -> str:
    return "" if value >= 1 else f' opacity="{value:g}"'


def _path(item: Path) -> str:
    parts = [f' id="{item.id}"' if item.id else "", f' d="{item.d}" fill="{item.fill}"']
    if item.rule:
        parts.append(f' fill-rule="{item.rule}"')
    if item.stroke != "none":
        parts.append(
            f' stroke="{item.stroke}" stroke-width="{number(item.width)}" stroke-linejoin="round" stroke-linecap="round"'
        )
    if item.dash:
        parts.append(f' stroke-dasharray="{item.dash}"')
    if item.transform:
        parts.append(f' transform="{item.transform}"')
    return f"<path{''.join(parts)}{_thin(item.opacity, item.fill, item.stroke)}/>"


def _words(item: Words) -> str:
    style = f'font-family="{item.font.family}" font-weight="{item.font.weight}" font-size="{number(item.size)}" fill="{item.fill}"'
    if item.font.italic:
        style += ' font-style="italic"'
    if item.halo:
        style += f' stroke="{item.halo}" stroke-width="{number(item.halo_width)}" stroke-linejoin="round" paint-order="stroke"'
    if item.spacing:
        style += f' letter-spacing="{number(item.spacing)}"'
    if item.turn:
        style += f' transform="rotate({number(item.turn)} {number(item.x)} {number(item.y)})"'
    x = item.x + (item.spacing / 2 if item.anchor == "middle" else 0)
    return f'<text x="{number(x)}" y="{number(item.y)}" text-anchor="{item.anchor}" {style}{_thin(item.opacity, item.fill, item.halo)}>{escape(item.text, quote=False)}</text>'
