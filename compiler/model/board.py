"""The table of one scenario while it is set up: pieces are put down, taken away, and told who is aboard what.

In: placement entries such as `{"at": "hill", "power": "north", "pieces": ["3 inf", {"piece": "ship", "cargo": ["inf"]}]}`.
Out: one `Piece` or `Arrival` for each counter on the table, each with an id of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal

from compiler.findings import Place, Related, error
from compiler.frozen import dataclass
from compiler.model.names import Names
from compiler.model.pieces import Line, Reader
from compiler.model.properties import known
from compiler.model.read import Object, listed, text, whole
from compiler.model.sources import entry_source, need_source
from compiler.model.types import Arrival, Piece, Source, Value, Values
from compiler.model.values import read_values
from compiler.suggest import suggest

MAX_PIECES = 50_000
Make = Callable[[Line, str | None], list[str]]
_NONE: Values = {}


@dataclass(frozen=True, slots=True)
class Stand:
    """Where and when arrivals of one entry come in."""

    due: str | None = None
    at: str | None = None
    from_: str | None = None
    plan: Literal["buy", "place"] | None = None

    @property
    def tag(self) -> str:
        return self.at or self.due or self.plan or ""


class Board:
    """Built from nothing, or from the pieces of another scenario."""

    def __init__(
        self,
        reader: Reader,
        names: Names,
        pieces: tuple[Piece, ...] = (),
        arrivals: tuple[Arrival, ...] = (),
        damaged: bool = False,
    ) -> None:
        self.reader, self.ctx, self.names = reader, reader.ctx, names
        self.base = (pieces, arrivals)
        self.removed = False
        self.untouched = True  # most cases only ask about a scenario: its pieces are then not even looked at
        self.pieces: list[Piece | None] = []
        self.arrivals: list[Arrival] = []
        self.ids: dict[str, Place] = {}
        self.spaces: dict[str, str] = {}
        self.stacks: dict[tuple[str, str], list[int]] = defaultdict(list)
        self.numbers: dict[str, int] = defaultdict(int)
        self.ties: list[tuple[str, str, Place]] = []
        self.full = False
        self.damaged = damaged  # pieces to start from may be missing: that was reported
        self.lost: set[str] = set()  # ids of pieces that could not be made: naming them is no second mistake

    def touch(self) -> None:
        """Lay out the pieces to start from, once."""
        if self.untouched:
            self.untouched = False
            standing, coming = self.base
            self.pieces, self.arrivals = list(standing), list(coming)
            self.spaces = {piece.id: piece.space for piece in standing}
            self.ids = {piece.id: piece.place for piece in standing}
            self.ids |= {arrival.id: arrival.place for arrival in coming}
            for n, piece in enumerate(standing):
                self.stacks[piece.counter, piece.space].append(n)

    def has(self, id: str) -> bool:
        self.touch()
        return id in self.ids

    # Pieces.

    def put(self, entries: Iterable[tuple[Object, Place]], source: Source | None) -> None:
        """Put down the pieces of placement entries, in written order."""
        for entry, place in entries:
            self.touch()
            space = self.names.resolve("space", entry.get("at"), place, "at")
            power = self.names.resolve("power", entry.get("power"), place, "power")
            own = entry_source(self.ctx, entry, place, source)
            need_source(self.ctx, own, "the placement", place, entry.get("source"))
            shared = read_values(self.ctx, self.names, ("piece",), entry, place, known("placement"))
            self.lines(entry, "pieces", power, place, self.standing(space, own, shared))

    def standing(self, space: str | None, source: Source | None, shared: Values) -> Make:
        return lambda line, aboard: self.make_pieces(line, aboard, space, source, shared)

    def make_pieces(
        self, line: Line, aboard: str | None, space: str | None, source: Source | None, shared: Values
    ) -> list[str]:
        entry, counter, place = line.entry, line.counter, line.place
        values, own, steps, face = shared, None, None, None
        if entry:
            values = {**shared, **self.values(("piece",), line)}
            own, steps, face = self.own_id(line), whole(entry.get("steps")), text(entry.get("face"))
        if space is None:
            self.lost.update(filter(None, (own,)))
            return [""]  # so that the names in its cargo are looked at all the same
        made = []
        stack = self.stacks[counter, space]
        for _ in range(line.count):
            if self.is_full(place):
                break
            id = own or self.next_id(f"{counter}@{space}", len(stack))
            stack.append(len(self.pieces))
            self.ids[id], self.spaces[id] = place, space
            self.pieces.append(Piece(id, counter, space, aboard, steps, face, values, source, place))
            made.append(id)
        if entry:
            self.tie(line, made, aboard)
        return made

    def remove(self, entries: Iterable[tuple[Object, Place]]) -> None:
        """Take pieces off; the last that were put down go first. What was aboard them stays."""
        for entry, place in entries:
            self.touch()
            space = self.names.resolve("space", entry.get("at"), place, "at")
            power = self.names.resolve("power", entry.get("power"), place, "power")
            if power is None and entry.get("power") is not None:
                continue  # the power was reported
            for n, written in enumerate(listed(entry.get("pieces"))):
                line = self.reader.line(written, power, place / "pieces" / n)
                if line is not None and space is not None:
                    self.take_off(line, space)

    def take_off(self, line: Line, space: str) -> None:
        stack = self.stacks[line.counter, space]
        wanted = text(line.entry.get("id"))
        found = [n for n in stack if wanted in (None, self.at(n).id)]
        if len(found) < line.count and not self.damaged:
            self.report_missing(line, space, len(found))
        for n in found[max(0, len(found) - line.count) :]:
            stack.remove(n)
            self.removed = True
            gone = self.at(n).id
            self.ids.pop(gone, None)
            self.spaces.pop(gone, None)
            self.pieces[n] = None

    def at(self, n: int) -> Piece:
        piece = self.pieces[n]
        assert piece is not None  # stacks only list pieces that stand
        return piece

    def report_missing(self, line: Line, space: str, found: int) -> None:
        there = sorted(
            {counter for (counter, where), stack in self.stacks.items() if where == space and stack}
        )
        help = f"in '{space}' stand: {', '.join(there)}" if there else f"'{space}' is empty"
        message = f"cannot take {line.count} '{line.counter}' off '{space}': only {found} there"
        self.ctx.report(error("N525", message, line.place, help=help))

    # Arrivals.

    def arrive(self, entries: Iterable[tuple[Object, Place]], plan: Literal["place"] | None = None) -> None:
        """Reinforcements, or the `place` lines of a plan."""
        names = self.names
        sort = "arrival" if plan is None else "place"
        for entry, place in entries:
            self.touch()
            due = names.resolve("date", entry.get("due"), place, "due")
            at = names.resolve("space", entry.get("at"), place, "at")
            origin = names.resolve("space", entry.get("from"), place, "from")
            power = names.resolve("power", entry.get("power"), place, "power")
            shared = read_values(self.ctx, names, ("arrival", "piece"), entry, place, known(sort))
            self.lines(entry, "pieces", power, place, self.arriving(Stand(due, at, origin, plan), shared))

    def buy(self, written: Object, place: Place) -> None:
        """The `buy` lines of a plan: `{"north": ["2 inf"]}`."""
        self.touch()
        for power in written:
            owner = self.names.resolve("power", power, place, power, key=True)
            if owner is not None:
                self.lines(written, power, owner, place, self.arriving(Stand(plan="buy"), _NONE))

    def arriving(self, stand: Stand, shared: Values) -> Make:
        return lambda line, aboard: self.make_arrivals(line, aboard, stand, shared)

    def make_arrivals(self, line: Line, aboard: str | None, stand: Stand, shared: Values) -> list[str]:
        entry, counter, place = line.entry, line.counter, line.place
        values, own = {**shared}, None
        if entry:
            values |= self.values(("arrival", "piece"), line)
            given = {"steps": whole(entry.get("steps")), "face": text(entry.get("face"))}
            values |= {name: value for name, value in given.items() if value is not None}
            own = self.own_id(line)
        made = []
        stem = f"{counter}+{stand.tag}"
        for _ in range(line.count):
            if self.is_full(place):
                break
            id = own or self.next_id(stem, self.numbers[stem])
            self.numbers[stem] += 1
            self.ids[id] = place
            self.arrivals.append(
                Arrival(id, counter, stand.due, stand.at, stand.from_, stand.plan, aboard, values, place)
            )
            made.append(id)
        if entry:
            self.tie(line, made, aboard)
        return made

    # Both.

    def lines(
        self, entry: Object, key: str, power: str | None, place: Place, make: Make, aboard: str | None = None
    ) -> None:
        """Make the pieces of one list, and the cargo of each that carries some."""
        named = entry.get("power") if key in ("pieces", "cargo") else power
        unclear = named is not None and power is None  # the power was reported: its types cannot be told
        row = place / key
        for n, written in enumerate(listed(entry.get(key))):
            at = row / n
            line = None if unclear else self.reader.line(written, power, at)
            if line is None:
                self.lose(written)
                continue
            carriers = make(line, aboard)
            if "cargo" in line.entry:
                owner = self.reader.counters[line.counter].power or power
                for carrier in carriers:
                    self.lines({"cargo": line.entry["cargo"]}, "cargo", owner, at, make, carrier)

    def lose(self, written: object) -> None:
        if isinstance(written, dict) and isinstance(id := written.get("id"), str):
            self.lost.add(id)

    def values(self, kinds: tuple[str, ...], line: Line) -> dict[str, Value]:
        return read_values(self.ctx, self.names, kinds, line.entry, line.place, known("piece"))

    def own_id(self, line: Line) -> str | None:
        """The id written at the piece, if it can be its own."""
        id = text(line.entry.get("id"))
        if id is None:
            return None
        if line.count > 1:
            message = f"{line.count} pieces cannot all be called '{id}'"
            self.ctx.report(error("N522", message, line.place / "id", help="write them one by one"))
            self.lost.add(id)
            return None
        if id in self.ids:
            related = (Related(self.ids[id], "the first is here"),)
            self.ctx.report(
                error("N203", f"two pieces are called '{id}'", line.place / "id", related=related)
            )
            return None
        return id

    def next_id(self, stem: str, before: int) -> str:
        n = before + 1
        while (id := f"{stem}#{n}") in self.ids:
            n += 1
        return id

    def is_full(self, place: Place) -> bool:
        if len(self.pieces) + len(self.arrivals) < MAX_PIECES:
            return False
        if not self.full and not self.damaged:
            self.full = True
            self.ctx.report(error("N519", f"more than {MAX_PIECES:,} pieces in one scenario", place))
        return True

    # Who is aboard what.

    def tie(self, line: Line, made: list[str], aboard: str | None) -> None:
        carrier = text(line.entry.get("aboard"))
        if carrier is None:
            return
        if aboard is not None and aboard != carrier:
            message = f"it is in the cargo of '{aboard}' and says it is aboard '{carrier}'"
            self.ctx.report(error("N521", message, line.place / "aboard", help="say it once"))
            return
        self.ties.extend((id, carrier, line.place / "aboard") for id in made)

    def finish(self) -> tuple[tuple[Piece, ...], tuple[Arrival, ...]]:
        """Everything on the table, with `aboard` resolved."""
        if self.untouched and not self.ctx.late:
            return self.base
        self.touch()
        ties: dict[str, str] = {}
        if self.ties:
            ties.update(filter(None, (self.checked_tie(*tie) for tie in self.ties)))
            self.check_circles(ties)
            self.arrivals = [replace(a, aboard=ties[a.id]) if a.id in ties else a for a in self.arrivals]
        self.check_late()
        pieces: Iterable[Piece] = filter(None, self.pieces)
        if ties or self.removed:
            pieces = (self.tied(piece, ties) for piece in pieces)
        return tuple(pieces), tuple(self.arrivals)

    def tied(self, piece: Piece, ties: dict[str, str]) -> Piece:
        aboard = ties.get(piece.id, piece.aboard)
        if aboard is not None and aboard not in self.ids:
            aboard = None  # the carrier was taken off
        return piece if aboard == piece.aboard else replace(piece, aboard=aboard)

    def checked_tie(self, id: str, carrier: str, place: Place) -> tuple[str, str] | None:
        if carrier == id:
            self.ctx.report(error("N524", f"'{id}' cannot be aboard itself", place))
        elif carrier not in self.ids:
            self.report_unknown(carrier, place)
        elif (
            self.spaces.get(id, "") != self.spaces.get(carrier, "")
            and id in self.spaces
            and carrier in self.spaces
        ):
            message = f"'{id}' is in '{self.spaces[id]}', but '{carrier}' is in '{self.spaces[carrier]}'"
            related = (Related(self.ids[carrier], f"'{carrier}' is placed here"),)
            self.ctx.report(error("N523", message, place, help="place both in one space", related=related))
        else:
            return id, carrier
        return None

    def check_circles(self, ties: dict[str, str]) -> None:
        """Two pieces aboard each other: the one that closes the circle is let off."""
        aboard = {
            piece.id: piece.aboard for piece in self.pieces if piece is not None and piece.aboard
        } | ties
        for id, _, place in self.ties:
            above, seen = aboard.get(id), {id}
            while above is not None and above not in seen:
                seen.add(above)
                above = aboard.get(above)
            if above == id and id in ties:
                self.ctx.report(error("N524", f"'{id}' is aboard something that is aboard it", place))
                del ties[id], aboard[id]

    def check_late(self) -> None:
        """Pieces named in attributes: they can be looked up only now."""
        for _, id, place in self.ctx.late:
            if id not in self.ids:
                self.report_unknown(id, place)
        self.ctx.late.clear()

    def report_unknown(self, id: str, place: Place) -> None:
        if id in self.lost or self.damaged:
            return
        near = suggest(id, self.ids)
        help = f"did you mean '{near}'?" if near else "give the piece an 'id' where it is placed"
        related = (Related(self.ids[near], f"'{near}' is placed here"),) if near else ()
        self.ctx.report(error("N116", f"there is no piece '{id}'", place, help=help, related=related))
