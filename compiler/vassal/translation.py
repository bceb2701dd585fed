"""The translation file of a module: identifiers stay, what players see of them changes.

VASSAL looks a text up under a key made of the component's place, or, for everything in pieces, under `Piece.` and the text
itself. It reads the file of the language that the *player* has set in VASSAL, and no other; so the same words stand there
for every language that VASSAL itself speaks, and a French module is French in an English VASSAL, too.
"""

from __future__ import annotations

from collections.abc import Mapping

from compiler.model.types import Module
from compiler.vassal.elements import Element, element
from compiler.vassal.encoding import encode
from compiler.vassal.names import SOLITAIRE, Names
from compiler.vassal.settings import decks

PLAYER_LANGUAGES = ("de", "en", "es", "fr", "it", "ja")


def translations(
    module: Module, names: Names, faces: Mapping[str, str], said: Mapping[str, str]
) -> dict[str, str]:
    """Key → words in the build's language. Empty for the first language. `said`: the texts of pieces' commands."""
    if names.language == names.first:
        return {}
    found = {f"Piece.{names.piece(id)}": names.piece(id, names.language) for id in module.counters}
    found |= {f"Piece.{first}": own for first, own in said.items()}
    found |= {f"Piece.+ ({first})": f"+ ({own})" for first, own in faces.items()}
    if module.powers:
        found["PlayerRoster.sides"] = encode(
            [*(names.text(f"power.{id}") for id in module.powers), SOLITAIRE], ","
        )
    for window in windows_of(module):
        kind = window_kind(window).removeprefix("m.")
        title = names.window(str(window["id"]))
        found[f"{kind}.{title}.mapName"] = names.text(f"window.{window['id']}")
        for deck in decks(module):
            name = names.label("deck", deck.id, names.first)
            found[f"{kind}.{title}..DrawPile.{name}.name"] = names.label("deck", deck.id)
    return {key: value for key, value in found.items() if key.partition(".")[2] != value}


def windows_of(module: Module) -> list[Mapping[str, object]]:
    """The windows of module.json that show a map; without any, one for each map."""
    given = module.raw.get("windows")
    items = [item for item in given if isinstance(item, dict)] if isinstance(given, list) else []
    found: list[Mapping[str, object]] = [
        item for item in items if any(id in module.maps for id in maps_of(item))
    ]
    return found or [{"id": id, "map": id} for id in module.maps]


def maps_of(window: Mapping[str, object]) -> list[str]:
    """The maps that a window shows, side by side."""
    several = window.get("maps")
    named = several if isinstance(several, list) else [window.get("map")]
    return [id for id in named if isinstance(id, str)]


def window_kind(window: Mapping[str, object]) -> str:
    """The component of a window: a map for all, or one for some, or their hand."""
    settings = window.get("vassal")
    given = settings if isinstance(settings, dict) else {}
    if given.get("hand"):
        return "m.PlayerHand"
    return "m.PrivateMap" if given.get("powers") else "m.Map"


def bundles(texts: Mapping[str, str]) -> dict[str, bytes]:
    """The files of the archive, one for each language a player may have set."""
    return (
        {f"Module_{language}.properties": properties_file(texts) for language in PLAYER_LANGUAGES}
        if texts
        else {}
    )


def languages(texts: Mapping[str, str]) -> Element:
    """The element that makes VASSAL look for those files."""
    found = [
        element("VASSAL.i18n.Translation", {"locale": f"{language},"})
        for language in PLAYER_LANGUAGES
        if texts
    ]
    return element("VASSAL.i18n.Language", children=found)


def properties_file(texts: Mapping[str, str]) -> bytes:
    """A Java properties file in ASCII, keys sorted."""
    lines = [
        f"{_escaped(key, key=True)}={_escaped(value, key=False)}\n" for key, value in sorted(texts.items())
    ]
    return "".join(lines).encode("ascii")


def _escaped(text: str, *, key: bool) -> str:
    found: list[str] = []
    for n, char in enumerate(text):
        if char == "\\" or (char in " :=#!" and (key or n == 0)):
            found.append("\\" + char)
        elif char in "\t\n\r\f":
            found.append({"\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f"}[char])
        elif " " <= char <= "~":
            found.append(char)
        else:
            units = char.encode("utf-16-be")
            found.extend(f"\\u{units[i] << 8 | units[i + 1]:04x}" for i in range(0, len(units), 2))
    return "".join(found)
