"""What module.json says of pieces and windows, as frozen values. The schema has seen to its form, the model to its names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields

from compiler.findings import Place
from compiler.model.types import Counter, Module, Value

Object = Mapping[str, object]
CORNERS = {"top-left": (-1, -1), "top-right": (1, -1), "bottom-left": (-1, 1), "bottom-right": (1, 1)}


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a group of pieces offers to its player. What the game does not allow is switched off in module.json."""

    id: str
    trail: bool = True
    moved: bool = True
    moves: bool = True
    stacks: bool = True
    remove: bool = True
    clone: bool = False
    turns: int = 0
    layer: str = ""
    steps: str = ""
    states: tuple[str, ...] = ()
    sends: tuple[str, ...] = ()
    carries: bool = False
    carried: bool = False
    hidden: str = ""
    hides: bool = True
    own: bool = False
    puts: tuple[str, ...] = ()
    becomes: tuple[str, ...] = ()
    sheet: tuple[str, ...] = ()
    traits: tuple[tuple[str, str], ...] = ()
    select: Mapping[str, object] = field(default_factory=dict)
    place: Place | None = None

    @property
    def level(self) -> str:
        """The layer in which it is drawn. Carriers lie below what they carry, or nobody would see it."""
        return self.layer or ("carrier" if self.carries else "unit")


@dataclass(frozen=True, slots=True)
class State:
    id: str
    attribute: str = ""
    levels: int = 1
    letter: str = ""
    colour: str = "#b3261e"
    corner: str = "top-right"
    key: str = ""

    @property
    def property(self) -> str:
        """Its name as a property of a piece."""
        return f"state_{plain(self.id)}"

    def badges(self) -> tuple[str, ...]:
        """What stands on the badge of each level."""
        if self.levels > 1:
            return tuple(str(n + 1) for n in range(self.levels))
        return (self.letter or self.id[:1].upper(),)

    def level_of(self, values: Mapping[str, Value]) -> int:
        given = values.get(self.attribute or self.id)
        if isinstance(given, bool):
            return int(given)
        return min(int(given), self.levels) if isinstance(given, int) else 0


@dataclass(frozen=True, slots=True)
class Send:
    id: str
    to: str | Mapping[str, str] = ""
    turns: int | None = None
    key: str = ""
    back: bool = False
    markers: Mapping[str, str] = field(default_factory=dict)  # counter → the box of what lies under it

    def space(self, power: str | None) -> str | None:
        if isinstance(self.to, str):
            return self.to or None
        return self.to.get(power) if power else None


@dataclass(frozen=True, slots=True)
class Deck:
    id: str
    at: str
    counters: tuple[str, ...] = ()
    open: bool = False
    shuffled: bool = True
    look: bool = False
    returns: str = ""

    def contents(self) -> tuple[str, ...]:
        """The counters, as often as they are in it."""
        pairs = (item.rpartition(" ") for item in self.counters)
        return tuple(counter for number, _, counter in pairs for _ in range(int(number or 1)))


@dataclass(frozen=True, slots=True)
class Refresh:
    id: str
    phases: tuple[str, ...] = ()
    moved: bool = False
    states: tuple[str, ...] = ()
    fronts: bool = False
    key: str = ""


def plain(id: str) -> str:
    """An id as part of a property's or a command's name."""
    return re.sub("[^A-Za-z0-9]", "_", id)


def setting(module: Module, outer: str, key: str) -> object:
    given = module.raw.get(outer)
    return given.get(key) if isinstance(given, dict) else None


def objects(value: object) -> list[Object]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _given(kind: type, item: Object) -> dict[str, object]:
    """The properties that the kind has, lists as tuples."""
    known = {one.name for one in fields(kind)}
    return {
        key: tuple(value) if isinstance(value, list) else value for key, value in item.items() if key in known
    }


def behaviours(module: Module) -> tuple[Behaviour, ...]:
    """The groups of module.json in their order, then the ordinary behaviour."""
    found = (
        _behaviour(item, module.place / "pieces" / "groups" / n)
        for n, item in enumerate(objects(setting(module, "pieces", "groups")))
    )
    return (*found, Behaviour("unit"))


def _behaviour(item: Object, place: Place) -> Behaviour:
    given = _given(Behaviour, item)
    given["traits"] = tuple(_trait_text(one) for one in _list(item.get("traits")))
    return Behaviour(**{**given, "place": place})  # type: ignore[arg-type]


def _list(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else []


def _trait_text(given: object) -> tuple[str, str]:
    """A trait as written: its type, and its state or nothing."""
    return (str(given[0]), str(given[1])) if isinstance(given, list) else (str(given), "")


def states(module: Module) -> dict[str, State]:
    found = (State(**_given(State, item)) for item in objects(setting(module, "pieces", "states")))  # type: ignore[arg-type]
    return {item.id: item for item in found}


def sends(module: Module) -> dict[str, Send]:
    found = (Send(**_given(Send, item)) for item in objects(setting(module, "pieces", "sends")))  # type: ignore[arg-type]
    return {item.id: item for item in found}


def decks(module: Module) -> tuple[Deck, ...]:
    return tuple(Deck(**_given(Deck, item)) for item in objects(setting(module, "vassal", "decks")))  # type: ignore[arg-type]


def refreshes(module: Module) -> tuple[Refresh, ...]:
    return tuple(Refresh(**_given(Refresh, item)) for item in objects(setting(module, "vassal", "refresh")))  # type: ignore[arg-type]


def turn_boxes(module: Module) -> dict[str, str]:
    """Turn → the space that is its box."""
    given = setting(module, "vassal", "turn_boxes")
    return {str(turn): str(space) for turn, space in given.items()} if isinstance(given, dict) else {}


def turn_marker(module: Module) -> str | None:
    given = setting(module, "vassal", "turn_marker")
    return given if isinstance(given, str) else None


def behaviour_of(counter: Counter, known: tuple[Behaviour, ...]) -> Behaviour:
    """The first group whose conditions the counter meets: a value, or one of several; `type` and `power` count as well."""
    have: dict[str, Value] = {
        **counter.values,
        "type": counter.type,
        "power": counter.power,
        "counter": counter.id,
    }
    return next(
        group for group in known if all(_meets(have.get(key), want) for key, want in group.select.items())
    )


def _meets(have: Value, want: object) -> bool:
    if isinstance(want, list):
        return any(_meets(have, item) for item in want)
    return have == want or (isinstance(have, tuple) and want in have)


def counter_meant(module: Module, word: str, power: str | None) -> str | None:
    """A counter by its id, or by its type: that of the power, else that of nobody."""
    if word in module.counters:
        return word
    of_type = [counter for counter in module.counters.values() if counter.type == word]
    owners = (power, None)
    return next((c.id for owner in owners for c in of_type if c.power == owner), None)


def steps_of(counter: Counter) -> int:
    given = counter.values.get("steps", counter.raw.get("steps"))
    return given if isinstance(given, int) and not isinstance(given, bool) else 1
