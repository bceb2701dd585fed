"""A map's text taken out of its picture: in print it stays text, sharp and in black ink alone where it is black.

In: the SVG of a map. Out: the same SVG without its lines of text, and those lines. Text inside a group that turns, clips or fades it
stays in the picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from compiler.draw import fonts
from compiler.draw.scene import Words

_TEXT = "{http://www.w3.org/2000/svg}text"
_SHIFT = re.compile(r"translate\((-?[\d.]+)[ ,](-?[\d.]+)\)\Z")
_TURN = re.compile(r"rotate\((-?[\d.]+)[ ,)]")


def parted(svg: str) -> tuple[str, tuple[Words, ...]]:
    """The picture without text, and the text."""
    root = etree.fromstring(svg.encode("utf-8"), etree.XMLParser(huge_tree=True, resolve_entities=False))
    taken = [(element, words) for element in root.iter(_TEXT) if (words := _words(element)) is not None]
    for element, _ in taken:
        parent = element.getparent()
        if parent is not None:
            parent.remove(element)
    return etree.tostring(root, encoding="unicode"), tuple(words for _, words in taken)


def _words(element: etree._Element) -> Words | None:
    moved = _moved(element)
    font = _font(element)
    if moved is None or font is None or len(element):
        return None
    turn = _TURN.match(element.get("transform") or "")
    if element.get("transform") and not turn:
        return None
    anchor, spacing = element.get("text-anchor") or "start", _number(element, "letter-spacing", 0)
    x = _number(element, "x", 0) - (spacing / 2 if anchor == "middle" else 0)
    halo = element.get("stroke") or ""
    return Words(
        element.text or "", x + moved[0], _number(element, "y", 0) + moved[1], font, _number(element, "font-size", 12),
        element.get("fill") or "#000000", anchor, halo, _number(element, "stroke-width", 0), spacing,
        float(turn[1]) if turn else 0.0, _number(element, "fill-opacity", 1),
    )  # fmt: skip


def _moved(element: etree._Element) -> tuple[float, float] | None:
    """How far the groups around a text move it; None if they do anything else."""
    x = y = 0.0
    for group in element.iterancestors():
        if group.get("clip-path") or group.get("opacity") or group.get("mask"):
            return None
        shift = group.get("transform")
        if shift:
            found = _SHIFT.match(shift)
            if not found:
                return None
            x, y = x + float(found[1]), y + float(found[2])
    return x, y


def _font(element: etree._Element) -> fonts.Font | None:
    asked = (
        element.get("font-family"),
        element.get("font-weight") or "400",
        element.get("font-style") == "italic",
    )
    return next((f for f in fonts.ALL if (f.family, str(f.weight), f.italic) == asked), None)


def _number(element: etree._Element, key: str, otherwise: float) -> float:
    return float(element.get(key) or otherwise)


def near(words: tuple[Words, ...], part: tuple[float, float, float, float]) -> Iterator[Words]:
    """Those that may show inside a part of the map (left, top, right, bottom), whichever way they are turned."""
    for one in words:
        reach = fonts.width(one.font, one.text, one.size, one.spacing) + one.size + one.halo_width
        if part[0] - reach < one.x < part[2] + reach and part[1] - reach < one.y < part[3] + reach:
            yield one
