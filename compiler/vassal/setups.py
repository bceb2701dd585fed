"""Scenarios as saved games: who stands where, at which pixel, in which stack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compiler.findings import Place
from compiler.model.types import Module, Piece, Scenario
from compiler.vassal.counters import Counters, with_face
from compiler.vassal.drawings import Point
from compiler.vassal.furnishing import LEVELS, property_name, turn_state
from compiler.vassal.names import Names
from compiler.vassal.pieces import Definition, Spot, expand
from compiler.vassal.saves import Placed, Setup

FIRST_ID = 1001


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a space is: its map window, and the points in it where pieces may stand."""

    window: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """What the engine must say of one piece. Goes into the manifest, where `verify` reads it."""

    id: str
    gpid: str
    name: str
    piece: str
    space: str
    location: str
    map: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Ready:
    """A scenario's save, what to expect of it, and the pieces for which there is no place on any board."""

    scenario: str
    setup: Setup
    expected: tuple[Expected, ...]
    homeless: tuple[Piece, ...]


class Setups:
    """Makes the saves of one module in one language. Expanding a counter's prototypes is done once for all its pieces."""

    def __init__(
        self,
        module: Module,
        names: Names,
        counters: Counters,
        standing: Mapping[str, Standing],
        boards: Mapping[str, tuple[tuple[str, int, int], ...]],
    ) -> None:
        self._module, self._names, self._counters = module, names, counters
        self._standing, self._boards = standing, boards
        self._expanded: dict[tuple[str, int], Definition] = {}

    def ready(self, scenario: Scenario) -> Ready:
        extra = (*self._control(scenario), *self._track_markers(scenario))
        spots = _spots((*scenario.pieces, *extra), self._standing)
        placed: list[Placed] = []
        expected: list[Expected] = []
        homeless: list[Piece] = []
        for piece in (*scenario.pieces, *extra):
            spot = spots.get(piece.id)
            if spot is None:
                homeless.append(piece)
                continue
            definition = self._definition(piece)
            stacks = self._counters.behaviour(piece.counter).stacks
            placed.append(Placed(str(FIRST_ID + len(placed)), definition, spot, stacks))
            expected.append(self._expect(placed[-1], piece))
        setup = Setup(
            tuple(placed),
            self._boards,
            tuple((LEVELS, property_name(id), _number(value)) for id, value in scenario.tracks.items()),
            turn_state(self._module, scenario),
            notes=_or(self._names, f"scenario.{scenario.id}.description", ""),
            description=_or(self._names, f"scenario.{scenario.id}", scenario.id),
        )
        return Ready(scenario.id, setup, tuple(expected), tuple(homeless))

    def _expect(self, placed: Placed, piece: Piece) -> Expected:
        return Expected(
            placed.id,
            placed.definition.gpid,
            placed.definition.name,
            piece.id,
            piece.space,
            self._names.location(piece.space),
            placed.spot.map,
            placed.spot.x,
            placed.spot.y,
        )

    def _definition(self, piece: Piece) -> Definition:
        level = self._counters.face_level(piece.counter, piece.face)
        key = (piece.counter, level)
        if key not in self._expanded:
            whole = expand(self._counters.definitions[piece.counter], self._counters.prototypes)
            self._expanded[key] = with_face(whole, level)
        return self._expanded[key]

    def _control(self, scenario: Scenario) -> tuple[Piece, ...]:
        """Markers where the owner is not the one printed on the map, if the module names a type for them."""
        type = self._settings().get("control")
        printed = {id: space.controller for id, space in self._module.spaces.items()}
        found = []
        for space, power in scenario.control.items():
            counter = self._of_power(type, power)
            if counter and power != printed.get(space):
                found.append(_marker(f"control@{space}", counter, space, scenario.place))
        return tuple(found)

    def _track_markers(self, scenario: Scenario) -> tuple[Piece, ...]:
        """Markers on the squares of a track, if the module names a type for the tracks of that kind."""
        given = self._settings().get("tracks")
        types = given if isinstance(given, dict) else {}
        found = []
        for id, value in scenario.tracks.items():
            track = self._module.tracks[id]
            counter = self._of_power(types.get(track.kind), track.owner)
            square = f"#{value}"
            if counter and square in self._standing:
                found.append(_marker(f"track@{id}", counter, square, scenario.place))
        return tuple(found)

    def _settings(self) -> Mapping[str, object]:
        given = self._module.raw.get("vassal")
        return given if isinstance(given, dict) else {}

    def _of_power(self, type: object, power: str | None) -> str | None:
        counters = self._module.counters.values()
        return next((c.id for c in counters if power and c.type == type and c.power == power), None)


def _marker(id: str, counter: str, space: str, place: Place) -> Piece:
    return Piece(id, counter, space, None, None, None, {}, None, place)


def _or(names: Names, id: str, otherwise: str) -> str:
    return names.text(id) if names.module.texts.has(id, names.language) else otherwise


def _number(value: object) -> str:
    return str(value)


def _spots(pieces: tuple[Piece, ...], standing: Mapping[str, Standing]) -> dict[str, Spot]:
    """A point for each piece: those of one counter in one space stand together, cargo with its carrier."""
    carriers = {piece.id: piece for piece in pieces}
    groups: dict[str, dict[str, int]] = {}
    found: dict[str, Spot] = {}
    for piece in pieces:
        place = standing.get(piece.space)
        if place is None or not place.points:
            continue
        known = groups.setdefault(piece.space, {})
        number = known.setdefault(_outer(piece, carriers).counter, len(known))
        x, y = place.points[number % len(place.points)]
        found[piece.id] = Spot(place.window, x, y)
    return found


def _outer(piece: Piece, carriers: Mapping[str, Piece]) -> Piece:
    seen: set[str] = set()
    while piece.aboard and piece.aboard in carriers and piece.id not in seen:
        seen.add(piece.id)
        piece = carriers[piece.aboard]
    return piece
