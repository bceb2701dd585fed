"""The elements of a build file, and the attributes each may have, as data (`elements.json`).

`element(...)` is the only way to make one, and it refuses an unknown element, an unknown attribute, a number that is none
and a word that is not on the list: VASSAL would read over all of these in silence. `to_xml` writes the tree as the
engine's own editor would, so that a comparison with an edited copy is readable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from compiler.frozen import dataclass

if TYPE_CHECKING:
    from lxml import etree

_SHORT = (("m.", "VASSAL.build.module."), ("w.", "VASSAL.build.widget."))
_WHOLE = re.compile(r"-?[0-9]+\Z")
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?(E-?[0-9]+)?\Z")
_COLOUR = re.compile(r"[0-9]{1,3},[0-9]{1,3},[0-9]{1,3}(,[0-9]{1,3})?\Z|0x[0-9A-Fa-f]{6}\Z|null\Z|\Z")

# Elements whose text is data; white space at its ends is cut off by the engine.
WITH_TEXT = frozenset(
    {
        "VASSAL.build.widget.PieceSlot",
        "VASSAL.build.widget.CardSlot",
        "VASSAL.build.module.PrototypeDefinition",
        "entry",
        "option",
        "setup",
    }
)


@dataclass(frozen=True, slots=True)
class ElementKind:
    """What is known of one element: attribute → type letter (see `docs/vassal.md`), and words of enumerations."""

    name: str
    attributes: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Element:
    """One node of the build file. Made by `element`, so that it is always legal."""

    name: str
    attributes: Mapping[str, str]
    children: tuple[Element, ...] = ()
    text: str = ""

    def walk(self) -> Iterator[Element]:
        """This element and everything in it, in document order, without recursion (other people's trees are deep)."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def all(self, name: str) -> Iterator[Element]:
        wanted = full_name(name)
        return (node for node in self.walk() if node.name == wanted)

    def get(self, attribute: str, default: str = "") -> str:
        return self.attributes.get(attribute, default)


@cache
def kinds() -> Mapping[str, ElementKind]:
    """Every element that VASSAL 3.7 has, by full name."""
    text = files("compiler.vassal").joinpath("elements.json").read_text(encoding="utf-8")
    return {
        name: ElementKind(name, data["attributes"], {k: tuple(v) for k, v in data.get("words", {}).items()})
        for name, data in json.loads(text).items()
    }


@lru_cache(maxsize=1024)
def full_name(name: str) -> str:
    for short, long in _SHORT:
        if name.startswith(short):
            return long + name[len(short) :]
    return name


@lru_cache(maxsize=1024)
def short_name(name: str) -> str:
    """`VASSAL.build.module.map.Zoomer` → `Zoomer`."""
    return name.rsplit(".", 1)[-1]


def element(
    name: str,
    attributes: Mapping[str, str | int | float | bool] | None = None,
    children: Iterable[Element] = (),
    text: str = "",
) -> Element:
    """A checked element. `m.` and `w.` stand for the two long prefixes. Anything wrong is our own mistake and raises."""
    written = {
        key: value if isinstance(value, str) else _written(value) for key, value in (attributes or {}).items()
    }
    made = Element(full_name(name), written, tuple(children), text)
    if faults := list(faults_of(made)):
        raise ValueError("; ".join(faults))
    return made


def _written(value: str | int | float | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def faults_of(node: Element) -> Iterator[str]:
    """What the engine would overlook or stumble over in this one element, in words."""
    kind = kinds().get(node.name)
    if kind is None:
        yield f"there is no element {node.name}"
        return
    for key, value in node.attributes.items():
        letter = kind.attributes.get(key)
        if letter is None:
            yield f"{short_name(node.name)} has no attribute {key!r}"
        elif fault := _value_fault(kind, key, letter, value):
            yield f"{short_name(node.name)} {key}={value!r}: {fault}"
    if node.text and node.name not in WITH_TEXT:
        yield f"{short_name(node.name)} has no text"


def _value_fault(kind: ElementKind, key: str, letter: str, value: str) -> str | None:
    if letter == "I" and not _WHOLE.match(value):
        return "a whole number is needed"
    if letter == "D" and not _DECIMAL.match(value):
        return "a number is needed"
    if letter == "B" and value not in ("true", "false"):
        return "true or false is needed"
    if letter == "C" and not _COLOUR.match(value):
        return "a colour r,g,b is needed"
    words = kind.words.get(key)
    return f"one of {', '.join(words)} is needed" if words and value not in words else None


def to_xml(root: Element) -> bytes:
    """The build file: UTF-8, four spaces, attributes in alphabetical order."""
    from lxml import etree  # a check makes trees and writes none

    tree = _node(root)
    etree.indent(tree, space="    ")
    body = etree.tostring(tree, encoding="UTF-8")
    return b'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' + body + b"\n"


def _node(source: Element) -> etree._Element:
    from lxml import etree

    node = etree.Element(source.name, {key: source.attributes[key] for key in sorted(source.attributes)})
    if source.text:
        node.text = source.text
    node.extend([_node(child) for child in source.children])
    return node


def from_xml(node: etree._Element) -> Element:
    """Any build file's tree, known elements or not. The caller has parsed it without entities and bounded its size."""
    from lxml import etree

    made: dict[etree._Element, list[Element]] = {}
    result: Element | None = None
    for _event, item in etree.iterwalk(node, events=("end",)):
        if not isinstance(item.tag, str):
            continue
        children = tuple(made.pop(item, ()))
        text = (item.text or "").strip()
        attributes = {str(key): str(value) for key, value in item.attrib.items()}
        result = Element(item.tag, attributes, children, text)
        parent = item.getparent()
        if parent is not None and item is not node:
            made.setdefault(parent, []).append(result)
    assert result is not None, "a tree has a root"
    return result
