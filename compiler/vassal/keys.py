"""Key strokes and named key commands as VASSAL writes them."""

from __future__ import annotations

from compiler.vassal.encoding import encode

# VASSAL writes Java's old and new modifier masks added together; an editor's save then shows no difference.
MODIFIERS = {
    "": 0,
    "shift": 65,
    "ctrl": 130,
    "alt": 520,
    "ctrl+shift": 195,
    "ctrl+alt": 650,
    "alt+shift": 585,
}
_SPECIAL = {
    "delete": 127,
    "space": 32,
    "left": 37,
    "up": 38,
    "right": 39,
    "down": 40,
    "pageup": 33,
    "pagedown": 34,
}
_NAMED = 57348
VIEW_KEY = "ctrl+shift+H"  # to where the scenario begins


def stroke(text: str) -> str:
    """`"ctrl+D"`, `"F5"`, `"alt+shift+left"` → `"68,130"`. An unknown key is our own mistake and raises."""
    *modifiers, key = text.split("+")
    mask = MODIFIERS["+".join(sorted(modifiers, key=["ctrl", "alt", "shift"].index))]
    return f"{_code(key)},{mask}"


def _code(key: str) -> int:
    if len(key) == 1 and (key.isascii() and (key.isdigit() or key.isupper())):
        return ord(key)
    if key[0] == "F" and key[1:].isdigit():
        return 111 + int(key[1:])
    return _SPECIAL[key.lower()]


def named(name: str) -> str:
    """A named key command: no key of the keyboard, so that it can clash with none."""
    if "," in name:
        raise ValueError(f"a command name has no comma: {name!r}")
    return f"{_NAMED},0,{name}"


def key_list(*strokes: str) -> str:
    """Several strokes in one field."""
    return encode(strokes, ",")


def shown(text: str) -> str:
    """The stroke for a player's eye: `"Ctrl+D"`."""
    return "+".join(part if len(part) == 1 else part[0].upper() + part[1:] for part in text.split("+"))
