"""What things are called: identifiers that saves quote, and words that players read.

Identifiers (module, maps, boards, sides, pieces, menu commands of pieces) are those of the module's *first* language in
every build, so that a save from one language opens in the other. What a player reads is in the build's own language:
directly where nothing refers to it, else through the translation file that VASSAL applies on loading.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter as Tally
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from importlib.resources import files

from compiler.model.types import Module

SOLITAIRE = "Solitaire"


def file_part(id: str) -> str:
    """An id as part of a file name: ASCII, lower case, digits and hyphens, and never the same for two ids."""
    plain = "".join(char if char.isascii() and (char.islower() or char.isdigit()) else "-" for char in id)
    if plain == id:
        return plain
    return f"{plain.strip('-') or 'x'}-{hashlib.sha256(id.encode()).hexdigest()[:6]}"


@cache
def _own_words() -> Mapping[str, Mapping[str, str]]:
    text = files("compiler.vassal").joinpath("words.json").read_text(encoding="utf-8")
    words: Mapping[str, Mapping[str, str]] = json.loads(text)
    return words


class Names:
    """All names of one module in one language. `first` is the language of the identifiers."""

    def __init__(self, module: Module, language: str) -> None:
        self.module = module
        self.language = language
        self.first = module.languages[0] if module.languages else language

    def text(self, id: str, language: str | None = None) -> str:
        return self.module.texts.get(id, language or self.language)

    def word(self, key: str, language: str | None = None, **parts: object) -> str:
        """A word of the module file itself. A module may give its own under the text id `vassal.<key>`."""
        lang = language or self.language
        if self.module.texts.has(f"vassal.{key}", lang):
            found = self.module.texts.get(f"vassal.{key}", lang)
        else:
            found = _own_words().get(lang, _own_words()["en"])[key]
        for name, value in parts.items():
            found = found.replace("{" + name + "}", str(value))
        return found

    def first_word(self, key: str) -> str:
        return self.word(key, self.first)

    @property
    def title(self) -> str:
        """The module's name: an identifier."""
        return self.text("module.name", self.first) if self._has("module.name") else self.module.id

    def _has(self, id: str) -> bool:
        return self.module.texts.has(id, self.first)

    def window(self, id: str) -> str:
        return self.text(f"window.{id}", self.first) if self._has(f"window.{id}") else id

    def board(self, window: str, map_id: str) -> str:
        return map_id

    def power(self, id: str | None) -> str:
        """A power's name as an identifier: side of the roster and tab of the palette."""
        return self.text(f"power.{id}", self.first) if id else ""

    def seat(self, power: str) -> str:
        """Who plays a power: itself, or its side; of the two, where `vassal.seats` names players, the one it names."""
        side = self.module.powers[power].side
        if not self._players or power in self._players:
            return self.power(power)
        return self.text(f"side.{side}", self.first) if side in self._players else ""

    def seats(self, powers: Iterable[str]) -> list[str]:
        """The players of some powers, and Solitaire, who plays everybody."""
        return [*dict.fromkeys(filter(None, map(self.seat, powers))), SOLITAIRE]

    @cached_property
    def _players(self) -> tuple[str, ...]:
        settings = self.module.raw.get("vassal")
        given = settings.get("seats") if isinstance(settings, dict) else None
        return tuple(given) if isinstance(given, list) else ()

    def piece(self, counter_id: str, language: str | None = None) -> str:
        """The name of a counter; in the first language it is an identifier."""
        lang = language or self.first
        texts = self.module.texts
        if texts.has(f"counter.{counter_id}", lang):
            return texts.get(f"counter.{counter_id}", lang)
        counter = self.module.counters[counter_id]
        name = texts.get(f"type.{counter.type}", lang)
        return f"{name} ({texts.get(f'power.{counter.power}', lang)})" if counter.power else name

    def label(self, kind: str, id: str, language: str | None = None) -> str:
        """What a thing of module.json is called; its id where nothing is said."""
        lang = language or self.language
        if kind == "piece":
            return self.piece(id, lang)
        return self.text(f"{kind}.{id}", lang) if self.module.texts.has(f"{kind}.{id}", lang) else id

    def location(self, space: str) -> str:
        """The name of a space, or of a square of a number track (`#12`)."""
        return self.word("track.square", n=space[1:]) if space.startswith("#") else self.locations[space]

    @cached_property
    def locations(self) -> Mapping[str, str]:
        """Space → the location's name in this language; where two spaces share a name, the id tells them apart.

        A hex is called by its id in every language: the engine makes the name from the grid's numbers.
        """
        hexes = {id for map in self.module.maps.values() if map.hexes for id in map.hexes.ids}
        spaces = {id: space for id, space in self.module.spaces.items() if id not in hexes}
        texts = self.module.texts
        plain = {
            id: texts.get(f"space.{id}", self.language)
            if texts.has(f"space.{id}", self.language)
            else (space.label or id)
            for id, space in spaces.items()
        }
        often = Tally(plain.values())
        own = {id: name if often[name] == 1 else f"{name} ({id})" for id, name in plain.items()}
        return {**{id: id for id in hexes}, **own} if hexes else own
