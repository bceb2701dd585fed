"""Pieces: a list of traits around a basic piece, as VASSAL writes them in palettes, prototypes and saves.

Traits are listed from the outermost to the innermost, as in the file. A `Definition` becomes the text of a slot with
`slot_text`, or a command of a save with `in_play`. `expand` puts the traits of prototypes in place of their names, as
the engine does when a piece enters play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from compiler.frozen import dataclass
from compiler.vassal.encoding import TAB, Unwritable, decode, encode
from compiler.vassal.traits import Trait, read, trait

MAX_TRAITS = 200  # the deepest nesting that is read: each level costs one pass over the text
KINDS = 4096  # of pieces that are remembered: more than a large game has, whose saves have all of them


class Broken(ValueError):
    """A piece command that the engine could not build either."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A piece as its palette slot has it: traits outermost first, then name, picture and the lasting id."""

    name: str
    image: str
    gpid: str
    traits: tuple[Trait, ...] = ()


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on a map, in pixels of that map's window, or of a board of it where one is named."""

    map: str
    x: int
    y: int
    board: str = ""


def slot_text(definition: Definition) -> str:
    """`+/null/type/state`, as the text of a PieceSlot or a PrototypeDefinition."""
    return Written(definition).at("null", Spot("null", 0, 0))


def in_play(id: str, definition: Definition, spot: Spot) -> str:
    """The same piece as a save has it. The definition must be expanded already."""
    return Written(definition).at(id, spot)


def stack(id: str, members: tuple[str, ...], spot: Spot) -> str:
    """A stack of pieces, the lowest first. It must come after them in a save."""
    state = encode((spot.map, str(spot.x), str(spot.y), *members, "@@-1"), ";")
    return "+/" + encode((id, "stack", state), "/")


class Written:
    """A definition in writing; only the id and the spot differ from piece to piece."""

    def __init__(self, definition: Definition) -> None:
        kinds = tuple([(item.id, item.values) for item in definition.traits])
        self._type = _nested_type(definition.image, definition.name, kinds)
        self._states = tuple([item.state for item in definition.traits])
        self._gpid = definition.gpid

    def at(self, id: str, spot: Spot) -> str:
        core = encode((spot.map, str(spot.x), str(spot.y), self._gpid, "0"), ";")
        state = _nested_state(self._states, core)
        return f"+/{encode((id,), '/')}/{self._type}/{encode((state,), '/')}"


def _nested_state(states: tuple[str, ...], core: str) -> str:
    """The traits' states around that of the basic piece, which is nearly always plain: then it only stands at the end."""
    before = _around(states) if core[:1] not in "\\'" and TAB not in core else None
    if before is not None:
        return before + core
    for outer in reversed(states):
        core = encode((outer, core), TAB)
    return core


@lru_cache(maxsize=KINDS)
def _around(states: tuple[str, ...]) -> str | None:
    """What stands before a plain state of the basic piece, if nothing (a quote) stands behind it."""
    text = "0"
    for outer in reversed(states):
        text = encode((outer, text), TAB)
    return text[:-1] if text[-1] == "0" else None


@lru_cache(maxsize=KINDS)
def _nested_type(image: str, name: str, kinds: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    """The type part of a command, ready to stand in it. Kept for the next piece, as `_types` is."""
    type = trait("piece", image=image, name=name).type
    if TAB in type:
        raise Unwritable(f"a TAB in a piece's name or picture would end the piece: {name!r}")
    for outer, values in reversed(kinds):
        type = encode((Trait(outer, values).type, type), TAB)
    return encode((type,), "/")


def expand(definition: Definition, prototypes: Mapping[str, tuple[Trait, ...]]) -> Definition:
    """Every prototype named is replaced by its traits, again and again. An unknown name is simply nothing, as in play."""
    return replace(definition, traits=_expanded(definition.traits, prototypes, ()))


def _expanded(
    traits: tuple[Trait, ...], prototypes: Mapping[str, tuple[Trait, ...]], inside: tuple[str, ...]
) -> tuple[Trait, ...]:
    found: list[Trait] = []
    for item in traits:
        if item.id == "cmt":
            continue
        if item.id != "prototype":
            found.append(item)
            continue
        name = item.field("name")
        if name in inside:
            raise Broken(f"the prototype {name!r} uses itself")
        found.extend(_expanded(prototypes.get(name, ()), prototypes, (*inside, name)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Command:
    """A piece command as read: `traits` from outermost to innermost, the last being the basic piece, stack or deck."""

    id: str
    traits: tuple[Trait, ...]

    @property
    def core(self) -> Trait:
        return self.traits[-1]

    @property
    def name(self) -> str:
        return self.core.field("name") if self.core.id == "piece" else ""

    def core_state(self) -> list[str]:
        return decode(self.core.state, ";")

    def named(self, id: str) -> list[Trait]:
        return [item for item in self.traits if item.id == id]


def read_command(text: str) -> Command:
    """`+/id/type/state` → its traits. Raises `Broken` where the engine would report a broken piece."""
    id, types, states = read_parts(text)
    return Command(id, tuple(Trait(t.id, t.values, state) for t, state in zip(types, states, strict=True)))


def read_parts(text: str) -> tuple[str, tuple[Trait, ...], list[str]]:
    """The id, the traits without their states, and the states, outermost first: all a save's checks need."""
    if not text.startswith("+/"):
        raise Broken("not a piece command")
    parts = decode(text[2:], "/")
    if len(parts) != 3:
        raise Broken(f"a piece command has 3 parts, not {len(parts)}")
    types = _types(parts[1])
    states = _states(parts[2], len(types))
    if len(states) != len(types):
        raise Broken(f"{len(types)} traits but {len(states)} states")
    return parts[0], types, states


@lru_cache(maxsize=KINDS)
def _types(text: str) -> tuple[Trait, ...]:
    """Kept for the next piece: a save has many pieces of few kinds."""
    return tuple(read(type) for type in unnest(text))


def _states(text: str, limit: int) -> list[str]:
    """As `unnest`; where the innermost state is plain, what stands before it is read once for all pieces of a kind."""
    before, tab, last = text.rpartition(TAB)
    if not tab or "\\" in last or "'" in last or not last:
        return unnest(text, limit)
    *outer, core = _outer_states(before, limit)
    return [*outer, last] if core == "0" else unnest(text, limit)


@lru_cache(maxsize=KINDS)
def _outer_states(before: str, limit: int) -> tuple[str, ...]:
    return tuple(unnest(f"{before}{TAB}0", limit))


def unnest(text: str, limit: int | None = None) -> list[str]:
    """The levels of a nested TAB list, outermost first. With `limit`, the last level is taken as it stands."""
    levels: list[str] = []
    rest = text
    while limit is None or len(levels) < limit - 1:
        pair = _pair(rest)
        if len(pair) < 2:
            break
        levels.append(pair[0])
        rest = pair[1]
        if len(levels) > MAX_TRAITS:
            raise Broken(f"a piece has more than {MAX_TRAITS} traits")
    levels.append(_last(rest))
    return levels


def _pair(text: str) -> list[str]:
    """`decode` for a level: what stands before the first TAB, and the rest, whose TABs are all escaped."""
    first, tab, rest = text.partition(TAB)
    plain = tab and "\\" not in first and "'" not in first and rest[:1] != "'"
    if plain and rest.count(TAB) == rest.count("\\" + TAB) and not rest.endswith("\\"):
        return [first, rest.replace("\\" + TAB, TAB)]
    return decode(text, TAB)


def _last(text: str) -> str:
    """What stands at the end: one list item, so that its quotes are taken off if it had any."""
    return decode(text, TAB)[0] if text else ""
