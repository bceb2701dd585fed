"""Scenarios: date, control, tracks, placements and all else that makes a position.

A scenario may be `like` another one; a case may start from one. Both are read here. `Fields` says which of several
layers (the case, its row) gives a property.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from compiler.findings import Place, Related, error
from compiler.frozen import dataclass
from compiler.model.board import Board
from compiler.model.context import Context
from compiler.model.files import Group
from compiler.model.names import Names
from compiler.model.pieces import Reader
from compiler.model.properties import WORDS, built_in
from compiler.model.read import Object, listed, obj, strings
from compiler.model.sources import file_source
from compiler.model.tracks import track_values
from compiler.model.types import (
    KINDS,
    Acknowledgement,
    Arrival,
    Attribute,
    Override,
    Piece,
    Scenario,
    Source,
    Space,
    Track,
    Type,
    Value,
    Values,
)
from compiler.model.values import Bad, read_value, table_value
from compiler.source.document import Document

_NOTHING: Object = {}
NOBODY = "none"
_NOBODY_ELSEWHERE = ("", "nobody", "neutral", "no", "null", "nil")

# Built-in attributes that `state` may set although no vocabulary declares them.
_SETTABLE: dict[tuple[str, str], Type] = {
    ("side", "enemies"): Type("item", kind="side", is_set=True),
    ("power", "side"): Type("item", kind="side"),
    ("power", "at_war"): Type("item", kind="power", is_set=True),
    ("power", "capital"): Type("item", kind="space"),
    ("region", "owner"): Type("item", kind="power"),
    ("piece", "steps"): Type("number"),
    ("piece", "face"): Type("text"),
}

# Where the other built-in attributes are set.
_ELSEWHERE = {
    ("space", "controller"): "control",
    ("space", "power"): "control",
    ("space", "held_by"): "held",
    ("space", "side"): "held",
    ("track", "value"): "tracks",
    ("piece", "space"): "placements",
}

Layer = Sequence[tuple[Object, Place]]


class Fields:
    """Properties written in several layers; a later layer replaces what it gives itself.

    A layer is more than one object where a file includes others: the first that has a property gives it.
    """

    def __init__(self, layer: Layer, below: Fields | None = None) -> None:
        self.layers: tuple[Layer, ...] = (layer, *below.layers) if below else (layer,)
        self.given: dict[str, tuple[Object, Place]] = {**below.given} if below else {}
        for giver in reversed(layer):
            self.given.update(dict.fromkeys(giver[0], giver))

    @property
    def whole(self) -> Place:
        """The place of the last layer."""
        return self.layers[0][0][1]

    def has(self, key: str) -> bool:
        return key in self.given

    def get(self, key: str) -> object:
        found = self.given.get(key)
        return None if found is None else found[0][key]

    def giver(self, key: str) -> Place:
        """The place of what has the property, for those who need the property's own only if something is wrong."""
        found = self.given.get(key)
        return self.whole if found is None else found[1]

    def place(self, key: str) -> Place:
        """The place of the property, or of the whole where it is not given."""
        found = self.given.get(key)
        return self.whole if found is None else found[1] / key

    def layer(self, key: str, shape: type) -> Layer:
        """The layer that has the last word on a property of the right shape."""
        if key not in self.given:
            return ()
        for layer in self.layers:
            for entry, _ in layer:
                if isinstance(entry.get(key), shape):
                    return layer
        return ()

    def objects(self, key: str) -> Iterator[tuple[Object, Place]]:
        """The objects that give the property as an object."""
        for entry, place in self.layer(key, dict):
            if isinstance(found := entry.get(key), dict):
                yield found, place / key

    def items(self, key: str) -> Iterator[tuple[Object, Place]]:
        """The objects of a list, those of included files as well."""
        for entry, place in self.layer(key, list):
            at = place / key
            for n, item in enumerate(listed(entry.get(key))):
                if isinstance(item, dict):
                    yield item, at / n


@dataclass(frozen=True, slots=True)
class World:
    """What a scenario's names are looked up in: the module's, or those of a case that brings its own map."""

    ctx: Context
    names: Names
    reader: Reader
    spaces: Mapping[str, Space]
    tracks: Mapping[str, Track]


def declare_scenarios(ctx: Context, files: tuple[Group, ...]) -> None:
    for group in files:
        value, place = obj(group[0].value), Place(group[0])
        if ctx.names.declare("scenario", value.get("id"), place):
            ctx.want(f"scenario.{value['id']}", place, value)
            ctx.want(f"scenario.{value['id']}.description", place, value, "description", required=False)


def build_scenarios(world: World, files: tuple[Group, ...]) -> dict[str, Scenario]:
    return _Builder(world, files).build()


class _Builder:
    """Scenarios in the order of their `like` chains."""

    def __init__(self, world: World, files: tuple[Group, ...]) -> None:
        self.world = world
        table = world.ctx.names.tables["scenario"]
        self.found = {str(obj(g[0].value)["id"]): g for g in files if table.get(_id(g)) == Place(g[0])}
        self.made: dict[str, Scenario] = {}
        self.open: list[str] = []

    def build(self) -> dict[str, Scenario]:
        for id in self.found:
            self.make(id)
        return {id: self.made[id] for id in self.found}

    def make(self, id: str) -> Scenario:
        if id not in self.made:
            self.open.append(id)
            fields = Fields([(obj(document.value), Place(document)) for document in self.found[id]])
            base = self.like(fields)
            source = file_source(self.world.ctx, self.found[id][0])
            before = len(self.world.ctx.findings)
            self.made[id] = read_scenario(self.world, fields, id, base, source, adds=False)
            ctx = self.world.ctx
            unsound = len(ctx.findings) > before or ("scenario", "placements") in ctx.misspelt
            if unsound or (base is not None and base.id in ctx.damaged):
                ctx.damaged.add(id)
            self.open.pop()
        return self.made[id]

    def like(self, fields: Fields) -> Scenario | None:
        place = fields.place("like")
        name = self.world.ctx.names.resolve("scenario", fields.get("like"), place)
        if name is None or name not in self.found:
            return None
        if name in self.open:
            chain = " → ".join([*self.open[self.open.index(name) :], name])
            message = f"scenarios that are like each other in a circle: {chain}"
            self.world.ctx.report(error("N507", message, place, help="one of them must stand on its own"))
            return None
        return self.make(name)


def _id(group: Group) -> str:
    return str(obj(group[0].value).get("id"))


def read_scenario(
    world: World, fields: Fields, id: str, base: Scenario | None, source: Source | None, adds: bool
) -> Scenario:
    """One scenario. `adds`: it is a case, whose properties come on top of the base instead of replacing them."""
    board = _set_up(world, fields, base, source, adds)
    taken, given = _Taken(world, fields, base, adds), fields.given
    below = base or _BLANK  # what is not given comes from there
    state = _state(world, board, fields, base if adds or "state" not in given else None)
    pieces, arrivals = board.finish()
    return Scenario(
        id=base.id if base is not None and adds else id,
        date=taken.name("date", "date") if "date" in given else below.date,
        moment=taken.name("moment", "moment") if "moment" in given else below.moment,
        turn_of=taken.name("turn_of", "power") if "turn_of" in given else below.turn_of,
        phase=taken.name("phase", "phase") if "phase" in given else below.phase,
        options=taken.options() if "options" in given else below.options,
        weather=taken.weather() if "weather" in given else below.weather,
        facts=taken.facts() if "facts" in given else below.facts,
        control=taken.control() if "control" in given or below.control else {},
        held=taken.owners("held", "side") if "held" in given else below.held,
        state=state,
        tracks=taken.tracks(source) if "tracks" in given else below.tracks,
        pieces=pieces,
        arrivals=arrivals,
        overrides=taken.overrides() if "rules" in given else below.overrides,
        acknowledged=taken.acknowledged() if "acknowledged" in given else below.acknowledged,
        source=source,
        place=fields.whole,
        like=base is not None and not adds,
        withdrawals=_withdrawals(world, fields) if "withdrawals" in given else below.withdrawals,
        boards=taken.boards() if "boards" in given else below.boards,
        view=taken.name("view", "space") if "view" in given else below.view,
    )


def _withdrawals(world: World, fields: Fields) -> tuple[Arrival, ...]:
    board = Board(world.reader, world.names)
    board.arrive(fields.items("withdrawals"))
    return tuple(board.arrivals)


def _set_up(world: World, fields: Fields, base: Scenario | None, source: Source | None, adds: bool) -> Board:
    keep: tuple[Piece, ...] = (
        base.pieces if base is not None and (adds or not fields.has("placements")) else ()
    )
    coming = base.arrivals if base is not None and (adds or not fields.has("reinforcements")) else ()
    unseen = ("scenario", "placements") in world.ctx.misspelt
    damaged = unseen or (base is not None and base.id in world.ctx.damaged)
    board = Board(world.reader, world.names, keep, coming, damaged)
    given = fields.given
    lost = base is None and ("like" in given or "scenario" in given)  # what to start from was reported
    removes = "remove" in given and not lost
    if adds and removes:
        board.remove(fields.items("remove"))
    if "placements" in given:
        board.put(fields.items("placements"), source)
    if removes and not adds:
        board.remove(fields.items("remove"))
    if "add" in given:
        board.put(fields.items("add"), source)
    if "reinforcements" in given:
        board.arrive(fields.items("reinforcements"))
    if "place" in given:
        board.arrive(fields.items("place"), "place")
    if "buy" in given:
        board.buy(obj(fields.get("buy")), fields.place("buy"))
    return board


_BLANK = Scenario(
    "", None, None, None, None, (), {}, {}, {}, {}, {}, {}, (), (), (), (), None, Place(Document("", ""))
)


class _Taken:
    """Reads the properties besides pieces that a scenario gives itself; a case adds its own to those of its base."""

    def __init__(self, world: World, fields: Fields, base: Scenario | None, adds: bool) -> None:
        self.ctx, self.names, self.world = world.ctx, world.names, world
        self.fields, self.base, self.adds = fields, base, adds

    def below(self, key: str) -> Scenario | None:
        """The base, where this property is taken over from it or added to it."""
        return self.base if self.adds or key not in self.fields.given else None

    def name(self, key: str, kind: str) -> str | None:
        return self.names.resolve(kind, self.fields.get(key), self.fields.giver(key), key)

    def options(self) -> tuple[str, ...]:
        place = self.fields.place("options")
        found: dict[str, None] = {}
        for n, word in enumerate(listed(self.fields.get("options"))):
            name = self.names.resolve("option", word, place, n)
            if name is not None:
                found[name] = None
        return tuple(found)

    def boards(self) -> tuple[str, ...]:
        place = self.fields.place("boards")
        named = (
            self.names.resolve("map", word, place, n)
            for n, word in enumerate(listed(self.fields.get("boards")))
        )
        return tuple(dict.fromkeys(filter(None, named)))

    def weather(self) -> Mapping[str, Value]:
        base = self.below("weather")
        own = {zone: table_value(state) for zone, state in obj(self.fields.get("weather")).items()}
        return {**base.weather, **own} if base is not None else own

    def facts(self) -> Values:
        base = self.below("facts")
        place = self.fields.place("facts")
        own: dict[str, Value] = {}
        declared = self.ctx.attributes(("scenario",))
        for name, raw in obj(self.fields.get("facts")).items():
            if name not in declared:
                self.ctx.unknown_attribute(("scenario",), name, place, ())
                continue
            value = read_value(self.ctx, self.names, declared[name], raw, place, name)
            if not isinstance(value, Bad):
                own[name] = value
        return {**base.facts, **own} if base is not None else own

    def control(self) -> Mapping[str, str | None]:
        """Owners that differ from those printed on the map."""
        owners = self.owners("control", "power")
        printed = self.world.spaces
        return {
            id: owner for id, owner in owners.items() if id in printed and printed[id].controller != owner
        }

    def owners(self, key: str, kind: str) -> Mapping[str, str | None]:
        base = self.below(key)
        if key not in self.fields.given:
            return getattr(base, key) if base is not None else {}
        found: dict[str, str | None] = {}
        seen: dict[str, Place] = {}
        place = self.fields.place(key)
        written = obj(self.fields.get(key))
        for who in written:
            owner = None if who == NOBODY else self.owner(kind, who, place)
            for word, at in strings(written, who, place):
                space = self.names.resolve("space", word, at)
                if space is None:
                    continue
                if space in seen:
                    message = f"'{space}' is listed twice under '{key}'"
                    related = (Related(seen[space], "the first is here"),)
                    self.ctx.report(error("N526", message, at, help="a space has one owner", related=related))
                elif owner is not None or who == NOBODY:
                    found[space] = owner
                seen.setdefault(space, at)
        return {**getattr(base, key), **found} if base is not None else found

    def owner(self, kind: str, who: str, place: Place) -> str | None:
        if who.casefold() in _NOBODY_ELSEWHERE and self.names.place_of(kind, who) is None:
            finding = self.names.unknown(kind, who, (place / who).key())
            self.ctx.report(replace(finding, help=f"did you mean '{NOBODY}'?", related=()))
            return None
        return self.names.resolve(kind, who, place, who, key=True)

    def tracks(self, source: Source | None) -> Mapping[str, int | Decimal]:
        base = self.below("tracks")
        written, place = next(self.fields.objects("tracks"), (_NOTHING, self.fields.whole))
        listed = ((id, raw, place / id) for id, raw in written.items())
        own = track_values(self.ctx, self.names, self.world.tracks, listed, source)
        return {**base.tracks, **own} if base is not None else own

    def overrides(self) -> tuple[Override, ...]:
        base = self.below("rules")
        place = self.fields.place("rules")
        found = {o.rule: o for o in base.overrides} if base is not None else {}
        for rule, written in obj(self.fields.get("rules")).items():
            at, entry = place / rule, obj(written)
            name = self.rule(rule, at.key())
            reason = self.reason(entry, at.key(), f"changing the rule '{rule}'")
            if name is not None and reason is not None:
                found[name] = Override(name, entry.get("off") is True, obj(entry.get("set")), reason, at)
        return tuple(found.values())

    def rule(self, rule: str, place: Place) -> str | None:
        """A rule, or a definition: a scenario may change either."""
        if self.names.place_of("definition", rule) is not None:
            return self.names.resolve("definition", rule, place)
        return self.names.resolve("rule", rule, place, key=place.on == "key")

    def acknowledged(self) -> tuple[Acknowledgement, ...]:
        base = self.below("acknowledged")
        found = list(base.acknowledged) if base is not None else []
        for entry, place in self.fields.items("acknowledged"):
            rule = self.names.resolve("rule", entry.get("rule"), place, "rule")
            reason = self.reason(entry, place, "accepting a finding")
            subject = tuple(word for word, _ in strings(entry, "subject", place))
            if rule is not None and reason is not None:
                found.append(Acknowledgement(rule, subject, reason, place))
        return tuple(found)

    def reason(self, entry: Object, place: Place, what: str) -> str | None:
        reason = entry.get("reason")
        if isinstance(reason, str) and reason.strip():
            return reason
        if reason is None or isinstance(reason, str):
            at = place / "reason" if isinstance(reason, str) else place
            self.ctx.report(error("N527", f"{what} needs a reason", at, help='add "reason": "why"'))
        return None


def _state(
    world: World, board: Board, fields: Fields, base: Scenario | None
) -> Mapping[str, Mapping[str, Values]]:
    if not fields.has("state"):
        return base.state if base is not None else {}
    out: dict[str, dict[str, Values]] = {}
    if base is not None:
        out = {kind: dict(by_id) for kind, by_id in base.state.items()}
    place = fields.place("state")
    for kind, by_id in obj(fields.get("state")).items():
        if kind not in KINDS:
            continue
        for id, written in obj(by_id).items():
            at = place / kind / id
            name = _item(world, board, kind, id, at)
            values = _state_values(world, kind, obj(written), at)
            if name is not None:
                out.setdefault(kind, {})[name] = {**out.get(kind, {}).get(name, {}), **values}
    return out


def _item(world: World, board: Board, kind: str, id: str, place: Place) -> str | None:
    if kind == "scenario":
        return id
    if kind in ("piece", "arrival"):
        if board.has(id):
            return id
        board.report_unknown(id, place.key())
        return None
    return world.names.resolve(kind, id, place, key=True)


def _state_values(world: World, kind: str, written: Object, place: Place) -> Values:
    ctx = world.ctx
    kinds = ("arrival", "piece") if kind == "arrival" else (kind,)
    declared = ctx.attributes(kinds)
    out: dict[str, Value] = {}
    for name, raw in written.items():
        if name == "note":
            continue
        attribute = declared.get(name)
        if attribute is None and (kind, name) in _SETTABLE:
            attribute = Attribute(kind, name, _SETTABLE[kind, name])
        if attribute is not None:
            value = read_value(ctx, world.names, attribute, raw, place, name)
            if not isinstance(value, Bad):
                out[name] = value
        elif name in built_in(kind):
            _set_elsewhere(ctx, kind, name, place / name)
        elif name in WORDS.get(kind, ()):
            ctx.undeclared_words(kind, name, place)
        else:
            ctx.unknown_attribute(kinds, name, place, ())
    return out


def _set_elsewhere(ctx: Context, kind: str, name: str, place: Place) -> None:
    where = _ELSEWHERE.get((kind, name))
    help = f'use "{where}" of the scenario' if where else "it follows from other data"
    ctx.report(error("N528", f"'state' cannot set {kind}.{name}", place.key(), help=help))
