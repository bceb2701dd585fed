"""A saved game as a scenario: the position that a `.vsav` holds, written in the source language.

In: the module's plan (which knows every place, counter and track as VASSAL has them), the scenario that the game began
with, and the save. Out: the text of a scenario that is `like` that one, and findings on what could not be taken over. The
text is then read and judged as any other scenario: a save has no rules of its own.

A piece that the game began with keeps its id and what a save cannot say of it; levels, owners, options, date and phase are
those of the save.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from compiler.model.types import Arrival, Piece, Scenario, Value
from compiler.suggest import did_you_mean
from compiler.vassal.encoding import decode
from compiler.vassal.furnishing import option_name, property_name
from compiler.vassal.inspect import InspectedPiece, InspectedSave, position
from compiler.vassal.locations import Laid, Locator, laid_boards, locators
from compiler.vassal.names import Names
from compiler.vassal.orders import BLOCK_EDGES, FACE, STEPS, clockwise
from compiler.vassal.plan import Plan
from compiler.vassal.reader import metadata, open_archive, stream_commands
from compiler.vassal.settings import (
    Behaviour,
    State,
    behaviour_of,
    behaviours,
    setting,
    states,
    steps_of,
    turn_boxes,
    turn_marker,
)
from compiler.vassal.setups import DECK
from compiler.vassal.turns import steps, turn_levels

_MADE_HERE = ("control@", "track@", "turn@", "due@", DECK)  # pieces of a set-up that no scenario places


@dataclass(frozen=True, slots=True)
class Trouble:
    """What could not be taken over: a code, the words, and the help."""

    code: str
    message: str
    help: str | None = None
    spaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """The scenario as text. Each trouble is told again in its list `note`, line by line, so that it has a place."""

    text: str
    troubles: tuple[Trouble, ...]


@dataclass(slots=True)
class _Stood:
    """A piece of the save, understood."""

    piece: InspectedPiece
    counter: str
    space: str
    base: Piece | None
    entry: dict[str, object] = field(default_factory=dict)
    cargo: list[_Stood] = field(default_factory=list)


def read_saved(path: Path, plan: Plan, base: Scenario, id: str, moment: str | None = None) -> Saved:
    """The position of a save. Raises `Unreadable` where the file is no saved game."""
    with open_archive(path) as archive:
        found = stream_commands(archive)
        data = metadata(archive, "moduledata")
    return _Reading(plan, base).read(found, path.name, data.name if data else "", id, moment)


class _Reading:
    def __init__(self, plan: Plan, base: Scenario) -> None:
        self.plan, self.module, self.base = plan, plan.module, base
        self.names = Names(plan.module, plan.language)
        self.groups, self.states = behaviours(plan.module), states(plan.module)
        setup = next(item for item in plan.setups if item.scenario == base.id)
        self.began = {item.id: item for item in setup.expected}
        self.own = {piece.id: piece for piece in base.pieces}
        self.spaces = {self.names.location(space): space for space in self.module.spaces}
        self.by_gpid = {item.gpid: counter for counter, item in plan.lock.pieces.items()}
        self.troubles: list[Trouble] = []

    def read(self, found: list[str], name: str, game: str, id: str, moment: str | None) -> Saved:
        if game and game != self.names.title:
            what = f"the game was saved with the module '{game}', not '{self.names.title}'"
            self.trouble("P101", what, "name the folder of that module")
        save = position(found, name, self._locators(found))
        standing = [stood for piece in save.pieces if (stood := self.understood(piece))]
        entry: dict[str, object] = {"id": id, "like": self.base.id, "name": name}
        entry["source"] = {"project": f"the saved game {name}"}
        entry |= self.turn(save, moment)
        options = self.options(save)
        if options != list(self.base.options):
            entry["options"] = options
        control = self.control(standing)
        tracks = self.tracks(save, standing)
        if tracks:
            entry["tracks"] = tracks
        if control is not None:
            entry["control"] = control
        arrivals, pieces = self.arrivals(standing)
        if arrivals is not None:
            entry["reinforcements"] = arrivals
        entry["placements"] = self.placements(self.loaded(pieces))
        return Saved(_text(entry, self.troubles), tuple(self.troubles))

    def trouble(self, code: str, message: str, help: str | None = None, spaces: tuple[str, ...] = ()) -> None:
        self.troubles.append(Trouble(code, message, help, spaces))

    def _locators(self, found: list[str]) -> dict[str, Locator | Laid]:
        sizes = {name: (picture.width, picture.height) for name, picture in self.plan.pictures.items()}
        lying = {
            text.partition("BoardPicker\t")[0]: laid_boards(text) for text in found if "BoardPicker\t" in text
        }
        return locators(self.plan.tree, sizes, lying)

    # Pieces

    def understood(self, piece: InspectedPiece) -> _Stood | None:
        if piece.deck:
            return None
        counter = self.counter(piece)
        if counter is None:
            near = did_you_mean(piece.properties.get("Counter", piece.name), self.module.counters)
            what = f"'{piece.name}' (piece {piece.id}) is no counter of the module"
            self.trouble(
                "P102", what, near or "a counter keeps its id, or says what it was in 'renamed_from'"
            )
            return None
        space = self.space(piece)
        if space is None:
            where = f"at {piece.x},{piece.y} of '{piece.map}'" if piece.map else "on no map"
            what = f"'{piece.name}' (piece {piece.id}) stands in no space: {where}"
            self.trouble("P103", what, "move it into a space, or take it off")
            return None
        began = self.began.get(piece.id)
        same = began is not None and began.gpid == piece.gpid
        base = self.own.get(began.piece) if began is not None and same else None
        return _Stood(piece, counter, space, base if base is not None and base.counter == counter else None)

    def counter(self, piece: InspectedPiece) -> str | None:
        own = piece.properties.get("Counter")
        return own if own in self.module.counters else self.by_gpid.get(piece.gpid)

    def space(self, piece: InspectedPiece) -> str | None:
        if not piece.location:
            return None
        if piece.location in self.spaces:
            return self.spaces[piece.location]
        return next((f"#{n}" for n in self.squares() if self.names.location(f"#{n}") == piece.location), None)

    def squares(self) -> range:
        tracks = self.module.tracks.values()
        return range(min((t.low for t in tracks), default=0), max((t.high for t in tracks), default=-1) + 1)

    def made_here(self, stood: _Stood) -> str:
        """What the set-up put it there for, if that was not the scenario: control@space, track@id …"""
        began = self.began.get(stood.piece.id)
        same = began is not None and began.gpid == stood.piece.gpid
        return began.piece if began is not None and same and began.piece.startswith(_MADE_HERE) else ""

    # Owners, levels, options

    def control(self, standing: list[_Stood]) -> dict[str, list[str]] | None:
        """Owners by the markers that lie there; nothing if the module has no such markers."""
        type = setting(self.module, "vassal", "control")
        if not isinstance(type, str):
            return None
        owners: dict[str, str] = {}
        for stood in standing:
            counter = self.module.counters[stood.counter]
            if counter.type != type or counter.power is None or stood.space.startswith("#"):
                continue
            before = owners.setdefault(stood.space, counter.power)
            if before != counter.power:
                where = self.names.location(stood.space)
                what = f"{where} bears the markers of two powers, '{before}' and '{counter.power}'"
                self.trouble("P104", what, "take one of them off", (stood.space,))
        marked = {p.power for p in self.module.counters.values() if p.type == type}
        for space, power in self.base.control.items():  # what no marker can say is as it was
            if power not in marked:
                owners.setdefault(space, power or "none")
        out: dict[str, list[str]] = {}
        for space, owner in owners.items():
            out.setdefault(owner, []).append(space)
        return out

    def tracks(self, save: InspectedSave, standing: list[_Stood]) -> dict[str, int | Decimal]:
        """Levels as the module's numbers say; a marker that has moved alone says it too."""
        shown = self.markers(standing)
        out: dict[str, int | Decimal] = {}
        for id, track in self.module.tracks.items():
            before = self.base.tracks.get(id)
            written = _number(save.properties.get(property_name(id), ""))
            if before is None and (written is None or written == track.low):
                continue  # the scenario does not use it, nor has anybody since
            level = before if written is None else written
            marker = shown.get(id)
            if marker is not None and marker != level:
                if level == before:
                    level = marker
                else:
                    name = self.names.label("track", id)
                    what = f"{name}: the level is {level}, the marker lies on {marker}"
                    self.trouble("P105", what, "the level was taken; move the marker")
            if level is not None:
                out[id] = level
        return out

    def markers(self, standing: list[_Stood]) -> dict[str, int]:
        """Track → the square where its own marker lies."""
        out: dict[str, int] = {}
        for stood in standing:
            made = self.made_here(stood)
            if made.startswith("track@") and stood.space.startswith("#"):
                out[made.removeprefix("track@")] = int(stood.space[1:])
        return out

    def options(self, save: InspectedSave) -> list[str]:
        known = {id: save.properties.get(option_name(id)) for id in self.module.options}
        return [id for id, value in known.items() if (value == "true" if value else id in self.base.options)]

    # When

    def turn(self, save: InspectedSave, moment: str | None) -> dict[str, object]:
        now = self.now(save.turn) if save.turn else {}
        if now is None:
            self.trouble(
                "P106",
                f"the turn tracker cannot be read: {save.turn[:12]!r} …",
                "the scenario's date was taken",
            )
            now = {}
        was = {"date": self.base.date, "turn_of": self.base.turn_of, "phase": self.base.phase}
        moved = any(was[key] is not None and was[key] != value for key, value in now.items())
        if moment is not None:
            now["moment"] = moment
        elif moved and self.module.sequence.moments:
            judged = self.base.moment or self.module.sequence.moments[0]
            what = (
                f"the turn has gone on, and the game is judged at the moment '{judged}', as its scenario is"
            )
            others = ", ".join(self.module.sequence.moments)
            self.trouble("P107", what, f"name another with --moment: {others}")
        return {key: value for key, value in now.items() if value is not None}

    def now(self, text: str) -> dict[str, object] | None:
        """Date, power and phase by the numbers of the tracker's levels, from the outermost to the innermost."""
        sequence, base, out = self.module.sequence, self.base, dict[str, object]()
        try:
            inner = decode(text, "|")[1]
            for level in turn_levels(self.module):
                fields = decode(inner, ";")
                index = int(fields[0])
                if index < 0 or (level == "count" and index == 0):
                    return None
                first = index == (
                    1 if level == "count" else 0
                )  # of what the scenario leaves open it says nothing
                if level == "count":
                    out["date"] = None if first and not base.date else sequence.turns[index - 1]
                elif level == "turns":
                    out["date"] = None if first and not base.date else sequence.turns[index]
                elif level == "order":
                    out["turn_of"] = None if first and not base.turn_of else sequence.order[index]
                else:
                    ids = steps(self.module, self.names)[index].ids
                    now = base.phase if base.phase in ids else ids[-1]
                    out["phase"] = None if first and not base.phase else now
                inner = fields[4] if len(fields) > 4 else ""
        except (ValueError, IndexError):
            return None
        return out

    # Who stands where

    def arrivals(self, standing: list[_Stood]) -> tuple[list[object] | None, list[_Stood]]:
        """Reinforcements that have not left the box of their turn, if some have; and the pieces that are on the map."""
        boxes, later = turn_boxes(self.module), {arrival.id: arrival for arrival in self.base.arrivals}
        waiting: set[str] = set()
        pieces = []
        for stood in standing:
            made = self.made_here(stood)
            arrival = later.get(made.removeprefix("due@")) if made.startswith("due@") else None
            if arrival is not None and arrival.due and boxes.get(arrival.due) == stood.space:
                waiting.add(arrival.id)
            elif self.is_piece(stood, made):
                pieces.append(stood)
        shown = {a.id for a in self.base.arrivals if a.plan is None and a.due in boxes}
        if waiting == shown:
            return None, pieces
        left = [a for a in self.base.arrivals if a.plan is None and (a.id in waiting or a.id not in shown)]
        return [_arrival(arrival) for arrival in left], pieces

    def is_piece(self, stood: _Stood, made: str) -> bool:
        """Whether a scenario would place it: not the markers that set-ups add of themselves, where they still mark."""
        if made.startswith(("track@", "turn@")) or stood.space.startswith("#"):
            return False
        if made.startswith("control@"):
            return False
        return stood.counter != turn_marker(self.module)

    def loaded(self, pieces: list[_Stood]) -> list[_Stood]:
        """Each with its entry; what is aboard another is in its cargo."""
        by_id = {stood.piece.id: stood for stood in pieces}
        by_own = {stood.base.id: stood for stood in pieces if stood.base is not None}
        loose = []
        for stood in pieces:
            stood.entry = self.entry(stood)
            carrier = by_id.get(stood.piece.state.get("aboard", ""))
            group = behaviour_of(self.module.counters[stood.counter], self.groups)
            if carrier is None and not group.carried and stood.base is not None and stood.base.aboard:
                carrier = by_own.get(stood.base.aboard)
            if carrier is not None and carrier is not stood and carrier.space == stood.space:
                carrier.cargo.append(stood)
            else:
                loose.append(stood)
        return loose

    def entry(self, stood: _Stood) -> dict[str, object]:
        counter, base = self.module.counters[stood.counter], stood.base
        group = behaviour_of(counter, self.groups)
        values: dict[str, Value] = dict(base.values) if base is not None else {}
        state = stood.piece.state
        for id in group.states:
            self._set_state(values, self.states[id], state)
        out: dict[str, object] = {name: _plain(value) for name, value in values.items()}
        if base is not None and "@" not in base.id and "#" not in base.id:
            out["id"] = base.id
        face, left = self.face(stood, group), self.steps(stood, group)
        if face is not None:
            out["face"] = face
        if left is not None:
            out["steps"] = left
        return out

    def _set_state(self, values: dict[str, Value], kind: State, state: Mapping[str, str]) -> None:
        level = _number(state.get(kind.property, ""))
        name = kind.attribute or kind.id
        declared = self.module.vocabulary.get(("piece", name))
        if level is None or declared is None or kind.level_of(values) == level:
            return
        values[name] = bool(level) if declared.type.base == "bool" else int(level)

    def face(self, stood: _Stood, group: Behaviour) -> str | None:
        was = stood.base.face if stood.base is not None else None
        level = _number(stood.piece.state.get(FACE, ""))
        if level is None or group.steps == "faces":
            return was
        raw = {
            **self.module.types[self.module.counters[stood.counter].type].raw,
            **self.module.counters[stood.counter].raw,
        }
        more = raw.get("faces")
        names = ["front", *(more if isinstance(more, Mapping) else ())]
        now = str(names[int(level) - 1]) if 1 <= level <= len(names) else "front"
        return now if now != "front" or was is not None else None

    def steps(self, stood: _Stood, group: Behaviour) -> int | None:
        counter, was = (
            self.module.counters[stood.counter],
            stood.base.steps if stood.base is not None else None,
        )
        count = steps_of(counter)
        if not group.steps or count < 2:
            return was
        state = stood.piece.state
        if group.steps == "faces":
            face = _number(state.get(FACE, ""))
            left = None if face is None else count + 1 - int(face)
        elif group.steps == "turn":
            facing = _number(state.get("Step_Facing", ""))
            lost = 0 if facing is None else int(facing) % BLOCK_EDGES
            left = count - (lost if clockwise(self.module, counter) else -lost % BLOCK_EDGES)
        else:
            number = _number(state.get(STEPS, ""))
            left = None if number is None else int(number)
        return left if left is not None and (left != count or was is not None) else was

    def placements(self, pieces: list[_Stood]) -> list[object]:
        """One entry a space, in the order in which VASSAL numbers the pieces: as the scenario wrote them."""
        by_space: dict[str, list[_Stood]] = {}
        for stood in sorted(pieces, key=lambda item: _order(item.piece.id)):
            by_space.setdefault(stood.space, []).append(stood)
        return [{"at": space, "pieces": _lines(found)} for space, found in by_space.items()]


def _lines(found: list[_Stood]) -> list[object]:
    """Alike pieces are counted together."""
    out: list[object] = []
    tally: dict[str, int] = {}
    for stood in found:
        if stood.entry or stood.cargo:
            own: dict[str, object] = {"piece": stood.counter, **stood.entry}
            out.append({**own, **({"cargo": _lines(stood.cargo)} if stood.cargo else {})})
        else:
            tally[stood.counter] = tally.get(stood.counter, 0) + 1
    return [*(f"{n} {counter}" if n > 1 else counter for counter, n in tally.items()), *out]


def _arrival(arrival: Arrival) -> dict[str, object]:
    own = {name: _plain(value) for name, value in arrival.values.items()}
    piece: object = {"piece": arrival.counter, **own} if own else arrival.counter
    places = {"due": arrival.due, "at": arrival.at, "from": arrival.from_}
    return {**{key: value for key, value in places.items() if value}, "pieces": [piece]}


def _order(id: str) -> tuple[int, str]:
    return (int(id), id) if id.isdecimal() and len(id) < 18 else (10**18, id)


def _number(text: str) -> int | Decimal | None:
    try:
        found = Decimal(text.strip())
    except ArithmeticError:
        return None
    if not found.is_finite() or abs(found) > 10**9:
        return None
    return int(found) if found == found.to_integral_value() else found


def _plain(value: Value) -> object:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _text(entry: Mapping[str, object], troubles: list[Trouble]) -> str:
    """One line a property, and one an item of a list of objects: what a finding shows is then a line that says something."""
    whole = {**({"note": [t.message for t in troubles]} if troubles else {}), **entry}
    lines = []
    for key, value in whole.items():
        if isinstance(value, list) and value and key in ("note", "placements", "reinforcements"):
            inner = ",\n".join(f"    {_json(item)}" for item in value)
            lines.append(f"  {_json(key)}: [\n{inner}\n  ]")
        else:
            lines.append(f"  {_json(key)}: {_json(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=_as_number)


def _as_number(value: object) -> object:
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(type(value).__name__)
