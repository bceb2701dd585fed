"""Decks and cups: the component on the map, and the same deck in a save."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from compiler.vassal.drawings import COUNTER_PIXELS
from compiler.vassal.elements import Element, element
from compiler.vassal.encoding import encode
from compiler.vassal.names import Names
from compiler.vassal.pieces import Definition, slot_text
from compiler.vassal.settings import Deck

_FACE = {True: "Never", False: "Always"}


def deck_name(names: Names, deck: Deck) -> str:
    """Saves quote it: the same in every language."""
    return names.label("deck", deck.id, names.first)


def _settings(deck: Deck, names: Names) -> dict[str, str | int | bool]:
    word = names.first_word
    return {
        "name": deck_name(names, deck),
        "width": COUNTER_PIXELS,
        "height": COUNTER_PIXELS,
        "draw": True,
        "color": "90,90,90",
        "faceDown": _FACE[deck.open],
        "drawFaceUp": True,
        # A command to shuffle would write a warning into the engine's log each time (3.7.26): who wants chance has it in drawing.
        "shuffle": "Always" if deck.shuffled else "Never",
        "shuffleCommand": word("deck.shuffle"),
        "shuffleFormat": word("deck.shuffled"),
        "allowMultiple": True,
        "drawMultipleMessage": word("deck.draw"),
        "allowSelect": deck.look,
        "drawSpecificMessage": word("deck.choose"),
        "reversible": False,
        "reverseCommand": word("deck.reverse"),
        "faceUpMessage": word("deck.up"),
        "faceDownMessage": word("deck.down"),
        "maxStack": 10,
    }


def pile(
    deck: Deck,
    names: Names,
    at: tuple[int, int],
    board: str,
    definitions: Mapping[str, Definition],
    gpid: Callable[[str], str],
) -> Element:
    """The deck on its map, with what is in it when a game starts without a scenario."""
    slots = [
        _card(definitions[id], gpid(f"deck {deck.id} {n + 1} {id}")) for n, id in enumerate(deck.contents())
    ]
    where = {"owningBoard": board} if board else {}
    return element("m.map.DrawPile", {**_settings(deck, names), **where, "x": at[0], "y": at[1]}, slots)


def _card(definition: Definition, gpid: str) -> Element:
    text = slot_text(replace(definition, gpid=gpid))
    return element("w.CardSlot", {"entryName": definition.name, "gpid": gpid}, text=text)


def deck_type(deck: Deck, names: Names) -> str:
    """The deck as a save has it: the component's settings in the format's order."""
    it = {key: _text(value) for key, value in _settings(deck, names).items()}
    fields: Iterable[str] = (
        it["draw"], it["color"], it["width"], it["height"], it["faceDown"], it["shuffle"], it["allowMultiple"],
        it["allowSelect"], it["reversible"], "", "", "", it["name"], it["shuffleFormat"], "", "", it["drawFaceUp"],
        "false", "", "", it["maxStack"], "", "false", "", "false", "", "$BasicName$", "", "false", "",
        it["shuffleCommand"], it["reverseCommand"], "", it["drawMultipleMessage"], it["drawSpecificMessage"],
        it["faceUpMessage"], it["faceDownMessage"], "", "", "", "", "", "", "", "", "", "", "false", "",
    )  # fmt: skip
    return "deck;" + encode(fields, ";")


def _text(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
