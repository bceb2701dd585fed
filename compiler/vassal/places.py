"""What the mouse says of an empty place: its name and id, its kind and terrain, its owner as printed on the map.

One message of the module file for each space that is a zone or a hex with a name. The viewer of map windows looks it
up under the name of the place; a hex without a name has none, and the viewer shows its number.
"""

from __future__ import annotations

import re
from html import escape

from compiler.model.types import Module, Space
from compiler.vassal.elements import Element, element
from compiler.vassal.names import Names

_OTHERS = re.compile(r"[\W_]+")  # what is neither letter nor digit


def place_notes(module: Module, names: Names) -> list[Element]:
    """The messages, one for each name of a place."""
    found: dict[str, str] = {}
    for board in module.maps.values():
        numbered = frozenset(board.hexes.ids if board.hexes else ())
        for space in board.spaces:
            if space.id not in numbered or module.texts.has(f"space.{space.id}", names.language):
                about = _about(module, names, space, hex=space.id in numbered)
                found.setdefault(names.location(space.id), about)
    return [
        element("m.properties.GlobalTranslatableMessage", {"name": f"About {name}", "initialValue": text})
        for name, text in found.items()
    ]


def _about(module: Module, names: Names, space: Space, *, hex: bool) -> str:
    label = names.label("space", space.id) if hex else names.location(space.id)
    id = "" if _plain(space.id) in _plain(label) else f" ({escape(space.id)})"
    more = escape(", ".join(map(names.text, _facts(module, space))))
    # The engine measures a line a little too short: without a blank at its end the last letter would be cut.
    return f"<html><b>{escape(label)}</b>{id}&nbsp;{'<br>' if more else ''}{more}&nbsp;</html>"


def _plain(text: str) -> str:
    return _OTHERS.sub("", text.casefold())


def _facts(module: Module, space: Space) -> tuple[str, ...]:
    """The texts of what is told of a space."""
    words = word_texts(space)
    return (*words, f"power.{space.controller}") if space.controller in module.powers else words


def word_texts(space: Space) -> tuple[str, ...]:
    """The texts of the words that players read of a space: its kind and terrain; one where both are the same word."""
    terrain = space.values.get("terrain")
    kind = space.kind if isinstance(space.kind, str) and space.kind != terrain else None
    words = (f"kind.{kind}",) if isinstance(kind, str) else ()
    return (*words, f"terrain.{terrain}") if isinstance(terrain, str) else words
