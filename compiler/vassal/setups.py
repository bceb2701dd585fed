"""Scenarios as saved games: who stands where, at which pixel, in which stack."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from math import hypot

from compiler.findings import Place
from compiler.frozen import dataclass
from compiler.model.types import Module, Piece, Scenario
from compiler.vassal.counters import Counters, as_placed, with_face, with_state
from compiler.vassal.drawings import Point
from compiler.vassal.encoding import encode
from compiler.vassal.furnishing import LEVELS, VIEW, option_name, property_name
from compiler.vassal.names import Names
from compiler.vassal.orders import owners
from compiler.vassal.pieces import Definition, Spot, expand
from compiler.vassal.piles import deck_name, deck_type
from compiler.vassal.saves import Placed, PlacedDeck, Setup
from compiler.vassal.settings import Deck, decks, steps_of, turn_boxes, turn_marker
from compiler.vassal.turns import turn_state

FIRST_ID = 1001
DECK = "deck@"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a space is: its map window, and the points in it where pieces may stand."""

    window: str
    points: tuple[Point, ...]
    beside: tuple[Point, ...] = ()  # a point near each of them, for what is carried
    board: str = ""  # of a window with several maps: the points are those of this board

    def moved(self, left: int) -> Standing:
        """The same in pixels of the window, where the board begins at `left`."""
        if not left:
            return self
        points, beside = (tuple((x + left, y) for x, y in some) for some in (self.points, self.beside))
        return Standing(self.window, points, beside, self.board)


@dataclass(frozen=True, slots=True)
class Layout:
    """The boards of a window: their columns and rows, and for several maps beside each other name and width of each."""

    boards: tuple[tuple[str, int, int], ...]
    maps: tuple[tuple[str, str, int], ...] = ()  # map, board, width

    def chosen(self, wanted: Collection[str]) -> tuple[tuple[tuple[str, int, int], ...], dict[str, int]]:
        """The boards that a scenario lays out, and where each begins. A window has at least one.

        Every board keeps its column, even where those before it are left out: columns without a board are 0 px wide,
        and the engine takes a game for changed when it reads a save that has one of its boards elsewhere.
        """
        maps = [item for item in self.maps if item[0] in wanted] or list(self.maps)
        if not maps:
            return self.boards, {}
        lefts = {board: sum(w for _, _, w in maps[:n]) for n, (_, board, _) in enumerate(maps)}
        return tuple(item for item in self.boards if item[0] in lefts), lefts


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
    seen_by: tuple[str, ...] = ()  # of a hidden piece: the seats that see it


@dataclass(frozen=True, slots=True)
class Ready:
    """A scenario's save, what to expect of it, and the pieces for which there is no place on any board."""

    scenario: str
    setup: Setup
    homeless: tuple[Piece, ...]
    expect: Callable[[], tuple[Expected, ...]]

    @property
    def expected(self) -> tuple[Expected, ...]:
        return self.expect()


class Setups:
    """Makes the saves of one module in one language. Expanding a counter's prototypes is done once for all its pieces."""

    def __init__(
        self,
        module: Module,
        names: Names,
        counters: Counters,
        standing: Mapping[str, Standing],
        layouts: Mapping[str, Layout],
        shown: Collection[str] = (),
    ) -> None:
        """`shown` are the spaces of the first window that a game may begin with."""
        self._shown = shown
        self._module, self._names, self._counters = module, names, counters
        self._everywhere, self._standing, self._layouts = standing, standing, layouts
        self._decks: tuple[Deck, ...] = ()
        self._carries: dict[str, bool] = {}
        self._expanded: dict[tuple[str, int], Definition] = {}

    def _lay(self, scenario: Scenario) -> dict[str, tuple[tuple[str, int, int], ...]]:
        """Lays out the boards of a scenario; places on boards that are not laid out are nowhere."""
        chosen = {window: layout.chosen(scenario.boards) for window, layout in self._layouts.items()}
        lefts = {board: left for _, found in chosen.values() for board, left in found.items()}
        self._standing = {
            space: place.moved(lefts.get(place.board, 0))
            for space, place in self._everywhere.items()
            if not place.board or place.board in lefts
        }
        self._decks = tuple(deck for deck in decks(self._module) if self._standing.get(deck.at))
        return {window: boards for window, (boards, _) in chosen.items()}

    def ready(self, scenario: Scenario) -> Ready:
        boards = self._lay(scenario)
        pieces = (*scenario.pieces, *self._control(scenario), *self._track_markers(scenario))
        pieces += (*self._reinforcements(scenario), *self._turn_marker(scenario))
        cards = {deck.id: self._cards(deck, scenario) for deck in self._decks}
        pieces += tuple(card for found in cards.values() for card in found)
        in_deck = {card.id for found in cards.values() for card in found}
        spots = self._spots(pieces, in_deck)
        ids = {piece.id: str(FIRST_ID + n) for n, piece in enumerate(p for p in pieces if p.id in spots)}
        placed = tuple(
            self._placed(piece, pieces, spots, ids, loose=piece.id in in_deck)
            for piece in pieces
            if piece.id in spots
        )
        setup = Setup(
            placed,
            boards,
            (
                *((LEVELS, property_name(id), _number(value)) for id, value in scenario.tracks.items()),
                *((LEVELS, option_name(id), _flag(id in scenario.options)) for id in self._module.options),
                *((LEVELS, name, str(at)) for name, at in zip(VIEW, self._view(scenario), strict=False)),
            ),
            turn_state(self._module, scenario),
            notes=_or(self._names, f"scenario.{scenario.id}.description", ""),
            description=_or(self._names, f"scenario.{scenario.id}", scenario.id),
            decks=tuple(
                self._deck(deck, cards[deck.id], spots, ids, n) for n, deck in enumerate(self._decks)
            ),
        )
        known = [piece for piece in pieces if piece.id in spots]

        def expect() -> tuple[Expected, ...]:
            return tuple(self._expect(*pair) for pair in zip(placed, known, strict=True))

        return Ready(scenario.id, setup, tuple(p for p in pieces if p.id not in spots), expect)

    def _view(self, scenario: Scenario) -> Point | tuple[()]:
        """The pixel in the middle of the first window: of the space that is named, or of the piece in the midst of all."""
        named = [scenario.view] if scenario.view else [piece.space for piece in scenario.pieces]
        points = [place.points[0] for id in named if id in self._shown and (place := self._standing.get(id))]
        if not points:
            return ()
        x, y = (sorted(values)[len(points) // 2] for values in zip(*points, strict=True))
        return min(points, key=lambda point: hypot(point[0] - x, point[1] - y))

    def _placed(
        self,
        piece: Piece,
        pieces: tuple[Piece, ...],
        spots: Mapping[str, Spot],
        ids: Mapping[str, str],
        *,
        loose: bool,
    ) -> Placed:
        group = self._counters.behaviour(piece.counter)
        definition = self._definition(piece)
        if group.carries:
            cargo = [ids[p.id] for p in pieces if p.aboard == piece.id and p.id in ids and self._rides(p)]
            definition = with_state(definition, "mat", encode([str(len(cargo)), *cargo], ";"))
        if piece.aboard in ids and group.carried and self._carries.get(piece.aboard or ""):
            definition = with_state(definition, "matPiece", ids[str(piece.aboard)])
        return Placed(
            ids[piece.id], definition, spots[piece.id], group.stacks and not loose, group.level
        )  # fmt: skip

    def _rides(self, piece: Piece) -> bool:
        return self._counters.behaviour(piece.counter).carried

    def _deck(
        self,
        deck: Deck,
        cards: tuple[Piece, ...],
        spots: Mapping[str, Spot],
        ids: Mapping[str, str],
        n: int,
    ) -> PlacedDeck:
        place = self._standing[deck.at]
        spot = Spot(place.window, *place.points[0])
        members = tuple(ids[card.id] for card in cards)
        return PlacedDeck(
            str(FIRST_ID + len(ids) + n), deck_type(deck, self._names), spot, not deck.open, members
        )  # fmt: skip

    def _cards(self, deck: Deck, scenario: Scenario) -> tuple[Piece, ...]:
        return tuple(
            _marker(f"{DECK}{deck.id}#{n}", counter, deck.at, scenario.place)
            for n, counter in enumerate(deck.contents())
        )

    def _reinforcements(self, scenario: Scenario) -> tuple[Piece, ...]:
        """Those that come later stand in the box of their turn."""
        boxes = turn_boxes(self._module)
        return tuple(
            Piece(f"due@{item.id}", item.counter, boxes[item.due], None, None, None, item.values, None, item.place)
            for item in scenario.arrivals
            if item.plan is None and item.due in boxes
        )  # fmt: skip

    def _turn_marker(self, scenario: Scenario) -> tuple[Piece, ...]:
        marker, boxes = turn_marker(self._module), turn_boxes(self._module)
        now = scenario.date or next(iter(self._module.sequence.turns), "")
        if marker is None or now not in boxes or any(piece.counter == marker for piece in scenario.pieces):
            return ()
        return (_marker("turn@marker", marker, boxes[now], scenario.place),)

    def _expect(self, placed: Placed, piece: Piece) -> Expected:
        return Expected(
            placed.id,
            placed.definition.gpid,
            placed.definition.name,
            piece.id,
            piece.space,
            self._location(piece),
            placed.spot.map,
            placed.spot.x,
            placed.spot.y,
            self._seen_by(piece),
        )

    def _seen_by(self, piece: Piece) -> tuple[str, ...]:
        group = self._counters.behaviour(piece.counter)
        if not group.hidden or not group.hides or piece.id.startswith(DECK):
            return ()
        power = self._module.counters[piece.counter].power
        return tuple(owners(self._module, self._names, power, group.hidden))

    def _location(self, piece: Piece) -> str:
        """What the engine calls its place; a point on a deck has the deck's name."""
        owner = piece.id.removeprefix(DECK).rpartition("#")[0] if piece.id.startswith(DECK) else ""
        deck = next((deck for deck in self._decks if deck.id == owner), None)
        return deck_name(self._names, deck) if deck else self._names.location(piece.space)

    def _definition(self, piece: Piece) -> Definition:
        counter, group = self._module.counters[piece.counter], self._counters.behaviour(piece.counter)
        level = self._counters.face_level(piece.counter, piece.face)
        if group.steps == "faces" and piece.face is None and piece.steps is not None:
            level = max(1, steps_of(counter) - piece.steps + 1)
        key = (piece.counter, level)
        if key not in self._expanded:
            whole = expand(self._counters.definitions[piece.counter], self._counters.prototypes)
            self._expanded[key] = with_face(whole, level)
        return as_placed(self._expanded[key], counter, group, self._counters.states, piece)

    def _spots(self, pieces: tuple[Piece, ...], in_deck: Collection[str]) -> dict[str, Spot]:
        """A point for each piece; those of a deck lie where the deck lies."""
        self._carries = {p.id: self._counters.behaviour(p.counter).carries for p in pieces}
        riders = {p.id for p in pieces if p.aboard and self._carries.get(p.aboard) and self._rides(p)}
        found = _spots(pieces, self._standing, riders)
        middles = {
            p.id: Spot(place.window, *place.points[0])
            for p in pieces
            if p.id in in_deck and (place := self._standing.get(p.space)) and place.points
        }
        return found | middles

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


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _number(value: object) -> str:
    return str(value)


def _spots(
    pieces: tuple[Piece, ...], standing: Mapping[str, Standing], riders: Collection[str] = ()
) -> dict[str, Spot]:
    """A point for each piece: those of one counter in one space stand together, cargo with its carrier.

    `riders` lie a little beside their carrier, so that both can be seen.
    """
    carriers = {piece.id: piece for piece in pieces}
    groups: dict[str, dict[str, int]] = {}
    found: dict[str, Spot] = {}
    for piece in pieces:
        place = standing.get(piece.space)
        if place is None or not place.points:
            continue
        known = groups.setdefault(piece.space, {})
        number = known.setdefault(_outer(piece, carriers).counter, len(known))
        points = place.beside if piece.id in riders and place.beside else place.points
        x, y = points[number % len(points)]
        found[piece.id] = Spot(place.window, x, y)
    return found


def _outer(piece: Piece, carriers: Mapping[str, Piece]) -> Piece:
    seen: set[str] = set()
    while piece.aboard and piece.aboard in carriers and piece.id not in seen:
        seen.add(piece.id)
        piece = carriers[piece.aboard]
    return piece
