"""A scenario (or a case) becomes a position: items that point at each other.

What every position on one map has in common (spaces, links, regions, powers, counters) is its *ground*. It is made once;
a scenario is put on it, and taken off again when it has been judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Any

from compiler.findings import Place
from compiler.model.types import Fixture, Link, Module, Region, Scenario, Space, Track, Type
from compiler.rules.items import Item, LazyItems, Position
from compiler.rules.vocabulary import Vocabulary

_LATER = ("piece", "arrival")  # these exist only when a scenario is on the ground
_SETS = tuple((kind, "pieces") for kind in ("space", "power", "side", "counter"))  # which only pieces fill
_NOTHING = object()
OUT, INTO = 0, 1


def build_position(
    module: Module, vocabulary: Vocabulary, scenario: Scenario, fixture: Fixture | None = None
) -> Position:
    """All items of the scenario on a ground of its own."""
    return Ground(module, vocabulary, fixture or Fixture()).put(scenario)


class Ground:
    """The standing items of a module, or of a case that brings its own. Only one scenario is on it at a time."""

    def __init__(self, module: Module, vocabulary: Vocabulary, fixture: Fixture, keeps: bool = False) -> None:
        """`keeps`: it is used again when a scenario has been taken off."""
        self.keeps = keeps
        self.module, self.vocabulary, self.fixture = module, vocabulary, fixture
        own = fixture.own_map
        maps = module.maps.values() if own else ()
        self.spaces: list[Space] = [*(s for m in maps for s in m.spaces), *fixture.spaces]
        self.links: list[Link] = [*(link for m in maps for link in m.links), *fixture.links]
        self.regions: list[Region] = [*(r for m in maps for r in m.regions), *fixture.regions]
        self.printed = {s.id: s for s in sorted(self.spaces, key=attrgetter("id"))}
        self.members = {r.id: r.spaces for r in self.regions}
        self.tracks: list[Track] = [*(module.tracks.values() if own else ()), *fixture.tracks]
        self.world = Position(
            defaults=_defaults(vocabulary), facts=_facts(vocabulary), dates=vocabulary.dates
        )
        self.kept: dict[Any, Any] = {}  # what follows from the map alone
        self.taken = False
        self.pending: list[tuple[Item, str, Type]] = []
        self.later: list[tuple[Item, str, Type]] = []  # standing things that name pieces
        self.journal: list[
            tuple[dict[str, Any], str, Any]
        ] = []  # what a scenario has changed, and what was there
        self.like: dict[tuple[str, str], dict[str, Any]] = {}  # what every piece of a counter has
        self.naming: dict[tuple[str, str], list[tuple[str, Type]]] = {}  # … and what of it names other pieces
        self.item_typed: dict[str, dict[str, Type]] = defaultdict(dict)
        for (kind, name), type in vocabulary.types.items():
            if type.base == "item":
                self.item_typed[kind][name] = type
        self.make()

    def make(self) -> None:
        self.make_powers()
        self.make_regions()
        self.make_tracks()
        self.make_counters()
        for kind, items in self.world.items.items():
            self.world.items[kind] = dict(sorted(items.items()))
        self.later = [entry for entry in self.pending if entry[2].kind in _LATER]
        self.pending = [entry for entry in self.pending if entry[2].kind not in _LATER]
        self.add_lazy()
        self.resolve()
        self.collect_standing()
        self.plain_defaults = self.world.defaults

    # Making: references are ids until `resolve`.

    def add(self, kind: str, id: str, attrs: dict[str, Any], place: Place | None) -> Item:
        thing = Item(self.world, kind, id, attrs, place)
        self.world.items.setdefault(kind, {})[id] = thing
        self.watch(thing, attrs)
        return thing

    def watch(self, thing: Item, given: Mapping[str, Any]) -> None:
        """Numbers become exact; ids wait for the items they name."""
        typed = self.item_typed[thing.kind]
        for name, value in given.items():
            if name in typed:
                if value is not None and value != ():
                    self.pending.append((thing, name, typed[name]))
            elif type(value) is Decimal:
                thing.attrs[name] = Fraction(value)
            elif type(value) is tuple and any(type(v) is Decimal for v in value):
                thing.attrs[name] = tuple(Fraction(v) if type(v) is Decimal else v for v in value)

    def make_powers(self) -> None:
        for side in self.module.sides.values():
            attrs = {"enemies": side.enemies, "pieces": (), "powers": (), **side.values}
            self.add("side", side.id, attrs, side.place)
        for p in self.module.powers.values():
            attrs = {"side": p.side, "capital": p.capital, "at_war": p.at_war, "pieces": (), "arrivals": ()}
            self.add("power", p.id, {**attrs, **p.values}, p.place)

    def make_regions(self) -> None:
        for r in self.regions:
            self.add("region", r.id, {"kind": r.kind, "owner": r.owner, **r.values}, r.place)

    def make_tracks(self) -> None:
        for t in self.tracks:
            self.add("track", t.id, {"kind": t.kind, "owner": t.owner, "value": None, **t.values}, t.place)

    def make_counters(self) -> None:
        for c in self.module.counters.values():
            attrs = {"type": c.type, "power": c.power, "printed": c.printed, "pieces": ()}
            self.add("counter", c.id, {**c.values, **attrs}, c.place)

    def collect_standing(self) -> None:
        gather: dict[Item, dict[str, list[Item]]] = defaultdict(lambda: defaultdict(list))
        for power in self.world.all("power"):
            gather[power.attrs["side"]]["powers"].append(power)
        for thing, sets in gather.items():
            for name, members in sets.items():
                thing.attrs[name] = tuple(members)

    # A scenario on it.

    def put(self, scenario: Scenario) -> Position:
        """The position. It holds until it is let go, and the ground with it."""
        assert not self.taken
        self.taken = True
        world = self.world
        world.lets_go = self.clear
        world.filled = []
        for kind in _LATER:
            world.items[kind] = {}
        world.items["scenario"] = {}
        self.put_scenario(scenario)
        self.put_control(scenario)
        self.put_tracks(scenario)
        self.put_pieces(scenario)
        self.put_arrivals(scenario)
        self.put_state(scenario)
        for kind in _LATER:
            world.items[kind] = dict(sorted(world.items[kind].items()))
        for thing, name, type in self.later:
            self.pending.append((thing, name, type))
            self.journal.append((thing.attrs, name, thing.attrs[name]))
        self.resolve()
        self.resolve_defaults()
        self.collect_sets(scenario)
        return world

    def clear(self) -> None:
        """Takes the scenario off: everything stands again as it was made."""
        world = self.world
        for attrs, name, before in reversed(self.journal):
            if before is _NOTHING:
                attrs.pop(name, None)
            else:
                attrs[name] = before
        for attrs, name in world.filled:
            attrs.pop(name, None)
        for kind in (*_LATER, "scenario"):
            for thing in world.items[kind].values():
                thing.attrs = {}
            world.items[kind] = {}
        if not self.keeps:
            self.let_go()
        self.journal, world.filled = [], []
        self.taken = False

    def let_go(self) -> None:
        """Takes the items apart, which all hold each other: so they go at once, and nobody has to look for them."""
        self.directed.let_go()
        for found in self.world.items.values():
            if isinstance(found, LazyItems):
                found.let_go()
            for item in dict.values(found):
                item.attrs = {}
        self.world.lazy.clear()
        self.world.items, self.world.members, self.kept, self.like = {}, {}, {}, {}
        self.world.lets_go = self.world.beside = None

    def change(self, thing: Item, name: str, value: Any) -> None:
        self.journal.append((thing.attrs, name, thing.attrs.get(name, _NOTHING)))
        thing.attrs[name] = value

    def put_scenario(self, s: Scenario) -> None:
        attrs: dict[str, Any] = {
            "id": s.id,
            "date": s.date,
            "phase": s.phase,
            "moment": s.moment,
            "turn_of": s.turn_of,
        }
        attrs |= {"options": s.options, "weather": s.weather, **s.facts}
        self.world.scenario = self.add("scenario", s.id, attrs, s.place)

    def put_control(self, scenario: Scenario) -> None:
        spaces, powers, sides = (self.world.items.get(kind, {}) for kind in ("space", "power", "side"))
        joined = self.joined(scenario)
        owners: dict[str, str | None] = dict(scenario.control)
        if joined:
            printed = {s.id: s.controller for s in self.spaces if s.controller in joined}
            owners = {**printed, **owners}
        for id in (*owners, *(id for id in scenario.held if id not in owners)):
            space = spaces.get(id)
            if space is None:
                continue
            if id in owners:
                owner = owners[id]
                power = None if owner is None else powers[owner]
                self.change(space, "controller", power)
                self.change(space, "power", power)
                side = None if owner is None else sides[joined.get(owner) or self.module.powers[owner].side]
            if id in scenario.held:
                held = scenario.held[id]
                side = None if held is None else sides[held]
            self.change(space, "held_by", side)
            self.change(space, "side", side)

    def joined(self, scenario: Scenario) -> dict[str, str]:
        """A scenario's `state` may say which side a power has joined."""
        found = scenario.state.get("power", {})
        return {id: str(values["side"]) for id, values in found.items() if values.get("side")}

    def put_tracks(self, scenario: Scenario) -> None:
        for t in self.tracks:
            thing, value = self.world.items["track"][t.id], scenario.tracks.get(t.id)
            thing.place = t.place
            if value is not None and "value" not in t.values:
                self.change(thing, "value", Fraction(value) if type(value) is Decimal else value)
                thing.place = _entry(scenario.place, ("tracks", t.id)) or t.place

    def put_pieces(self, scenario: Scenario) -> None:
        spaces, items = self.world.items.get("space", {}), self.world.items["piece"]
        joined, aboard = self.joined(scenario), self.item_typed["piece"]["aboard"]
        for p in scenario.pieces:
            attrs = self.like_counter("piece", p.counter, joined)
            attrs["space"], attrs["aboard"], attrs["cargo"] = spaces.get(p.space), p.aboard, ()
            attrs["face"] = p.face
            if p.steps is not None:
                attrs["steps"] = p.steps
            thing = items[p.id] = Item(self.world, "piece", p.id, attrs, p.place)
            if p.aboard is not None:
                self.pending.append((thing, "aboard", aboard))
            self.pending += [(thing, name, type) for name, type in self.naming["piece", p.counter]]
            if p.values:
                attrs.update(p.values)
                self.watch(thing, p.values)

    def put_arrivals(self, scenario: Scenario) -> None:
        joined = self.joined(scenario)
        for a in scenario.arrivals:
            attrs = self.like_counter("arrival", a.counter, joined)
            given = {
                "due": a.due,
                "at": a.at,
                "from": a.from_,
                "plan": a.plan,
                "aboard": a.aboard,
                **a.values,
            }
            attrs.update(given)
            thing = self.world.items["arrival"][a.id] = Item(self.world, "arrival", a.id, attrs, a.place)
            self.pending += [(thing, name, type) for name, type in self.naming["arrival", a.counter]]
            self.watch(thing, given)

    def like_counter(self, kind: str, id: str, joined: Mapping[str, str]) -> dict[str, Any]:
        """What a piece has of its counter, with everything found that it names, but for other pieces."""
        found = self.like.get((kind, id))
        if found is None:
            found = self.like[kind, id] = self.model_of(kind, id)
        owner = self.module.counters[id].power
        if owner is not None and owner in joined:
            return {**found, "side": self.world.items["side"][joined[owner]]}
        return dict(found)

    def model_of(self, kind: str, id: str) -> dict[str, Any]:
        counter = self.module.counters[id]
        side = None if counter.power is None else self.module.powers[counter.power].side
        attrs: dict[str, Any] = {"steps": None, "face": None, **counter.values}
        attrs |= {"counter": id, "type": counter.type, "power": counter.power, "side": side}
        model = Item(self.world, kind, id, attrs, None)
        waiting, self.pending = self.pending, []
        self.watch(model, dict(attrs))
        self.naming[kind, id] = [(name, type) for _, name, type in self.pending if type.kind in _LATER]
        self.pending = [entry for entry in self.pending if entry[2].kind not in _LATER]
        self.resolve()
        self.pending = waiting
        return attrs

    def put_state(self, scenario: Scenario) -> None:
        for kind, by_id in scenario.state.items():
            for id, values in by_id.items():
                thing = self.world.items.get(kind, {}).get(id)
                if thing is not None:
                    for name, value in values.items():
                        self.change(thing, name, value)
                    self.watch(thing, values)

    # Linking.

    def resolve(self) -> None:
        items = self.world.items
        for thing, name, type in self.pending:
            of = items.get(type.kind or "", {})
            value = thing.attrs[name]
            if isinstance(value, tuple):
                thing.attrs[name] = tuple(
                    sorted(
                        (of[i] if isinstance(i, str) else i for i in value if i in of or isinstance(i, Item)),
                        key=_id,
                    )
                )
            elif isinstance(value, str):
                thing.attrs[name] = of.get(value)
        self.pending.clear()

    def resolve_defaults(self) -> None:
        defaults = dict(self.plain_defaults)
        typed = [((kind, name), of) for kind, names in self.item_typed.items() for name, of in names.items()]
        for key, of in typed:
            value, there = defaults.get(key), self.world.items.get(of.kind or "", {})
            if isinstance(value, str):
                defaults[key] = there.get(value)
            elif value and isinstance(value, tuple):
                defaults[key] = tuple(there[i] for i in sorted(value) if i in there)
        self.world.defaults = defaults

    def collect_sets(self, scenario: Scenario) -> None:
        """Who has which pieces, in the order of their ids."""
        gather: dict[Item, dict[str, list[Item]]] = defaultdict(lambda: defaultdict(list))
        for piece in self.world.all("piece"):
            for owner in ("space", "power", "side", "counter"):
                if piece.attrs[owner] is not None:
                    gather[piece.attrs[owner]]["pieces"].append(piece)
            if piece.attrs["aboard"] is not None:
                gather[piece.attrs["aboard"]]["cargo"].append(piece)
        for arrival in self.world.all("arrival"):
            for owner in ("at", "power"):
                if arrival.attrs[owner] is not None:
                    gather[arrival.attrs[owner]]["arrivals"].append(arrival)
        if self.joined(scenario):
            for side in self.world.all("side"):
                self.change(side, "powers", ())
            for power in self.world.all("power"):
                gather[power.attrs["side"]]["powers"].append(power)
        having: dict[tuple[str, str], list[Item]] = {key: [] for key in _SETS}
        for thing, sets in gather.items():
            for name, members in sets.items():
                self.change(thing, name, tuple(members))
                having.setdefault((thing.kind, name), []).append(thing)
        self.world.members = {key: sorted(things, key=_id) for key, things in having.items()}

    def add_lazy(self) -> None:
        """Spaces and links become items only where somebody looks: on a large map most never do."""
        lazy, items = self.world.lazy, self.world.items
        spaces = items["space"] = LazyItems(lambda: self.printed, self.space)
        links = self.directed = _Links(self)
        lazy["space", "links_out"] = lambda space: links.at(OUT, space)
        lazy["space", "links_in"] = lambda space: links.at(INTO, space)
        lazy["space", "neighbours"] = lambda space: links.neighbours(space)
        self.world.beside = links.beside
        if self.links:
            items["link"] = links.items
            self.kept["links"] = links
        of: dict[str, list[Item]] = defaultdict(list)
        for region in self.world.all("region"):
            for id in self.members[region.id]:
                of[id].append(region)
        lazy["space", "regions"] = lambda space: tuple(of.get(space.id, ()))
        lazy["region", "spaces"] = lambda region: tuple(
            spaces[id] for id in sorted(set(self.members[region.id])) if id in spaces
        )

    def space(self, id: str) -> Item:
        """A space as it is printed: what a scenario says of it comes on top."""
        s: Space = self.printed[id]
        owner, side = s.controller, None if s.controller is None else self.module.powers[s.controller].side
        attrs = {"kind": s.kind, "map": s.map, "pieces": (), "arrivals": (), **s.values}
        attrs |= {"controller": owner, "held_by": side, "power": owner, "side": side}
        return self.found(Item(self.world, "space", id, attrs, s.place), dict(attrs))

    def found(self, thing: Item, given: Mapping[str, Any]) -> Item:
        """A thing made after all others: what it names is there already."""
        waiting, self.pending = self.pending, []
        self.watch(thing, given)
        self.resolve()
        self.pending = waiting
        return thing


class _Links:
    """Directed links: one item for each way a link may be gone, made where somebody looks. In the order of their ids."""

    def __init__(self, ground: Ground) -> None:
        self.ground, self.world = ground, ground.world
        self.items = LazyItems(lambda: self.numbers, self.named)
        self._beside: dict[str, tuple[Item, ...]] = {}

    def let_go(self) -> None:
        self.items.let_go()
        del self.ground

    @cached_property
    def directed(self) -> list[tuple[str, Link, str, str]]:
        found = [
            (f"{link.id or link.kind}:{a}>{b}", link, a, b)
            for link in self.ground.links
            for a, b in (((link.a, link.b),) if link.one_way else ((link.a, link.b), (link.b, link.a)))
        ]
        found.sort(key=itemgetter(0))
        return found

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {found[0]: i for i, found in enumerate(self.directed)}

    @cached_property
    def ends(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """The links that leave each space, and those that lead into it."""
        out: dict[str, list[int]] = defaultdict(list)
        into: dict[str, list[int]] = defaultdict(list)
        for i, (_, _, a, b) in enumerate(self.directed):
            out[a].append(i)
            into[b].append(i)
        return out, into

    @cached_property
    def sorts(self) -> list[Any]:
        """What is equal for links that are written alike in everything but their ends."""
        known: dict[int, Any] = {}
        for link in self.ground.links:
            known[id(link)] = (link.id, link.kind, link.tags, *_hashable(link.values))
        return [known[id(found[1])] for found in self.directed]

    def named(self, id: str) -> Item:
        id, link, a, b = self.directed[self.numbers[id]]
        spaces = self.world.items["space"]
        own = {"id": link.id, "kind": link.kind, "tags": link.tags}
        attrs: dict[str, Any] = {**own, **link.values, "from": spaces[a], "to": spaces[b]}
        thing = Item(self.world, "link", id, attrs, link.place)
        return self.ground.found(thing, link.values) if link.values else thing

    def at(self, end: int, space: Item) -> tuple[Item, ...]:
        items, directed = self.items, self.directed
        return tuple([items[directed[i][0]] for i in self.ends[end].get(space.id, ())])

    def beside(self, space: Item) -> tuple[Item, ...]:
        """The spaces that have this one among their neighbours."""
        found = self._beside.get(space.id)
        if found is None:
            spaces, directed = self.world.items["space"], self.directed
            entering = (directed[i] for i in self.ends[INTO].get(space.id, ()))
            near = dict.fromkeys(a for _, link, a, _ in entering if self.is_near(spaces[a], link))
            found = self._beside[space.id] = tuple([spaces[id] for id in near])
        return found

    def is_near(self, space: Item, link: Link) -> bool:
        """Whether a link out of a space leads to a neighbour."""
        maps = self.ground.module.maps
        kinds = maps[space.attrs["map"]].adjacent if space.attrs.get("map") in maps else None
        return kinds is None or link.kind in kinds

    def neighbours(self, space: Item) -> tuple[Item, ...]:
        spaces, directed = self.world.items["space"], self.directed
        leaving = (directed[i] for i in self.ends[OUT].get(space.id, ()))
        near = {to: spaces[to] for _, link, _, to in leaving if self.is_near(space, link)}
        return tuple(near[id] for id in sorted(near))


def _hashable(values: Mapping[str, Any]) -> tuple[Any, ...]:
    """Values to compare by; those that cannot be (tables) are taken as written, each its own."""
    return tuple((name, id(value) if isinstance(value, Mapping) else value) for name, value in values.items())


def _id(thing: Item) -> str:
    return thing.id


def _entry(place: Place, path: tuple[str, ...]) -> Place | None:
    """The place of an entry of the scenario's own file, if it is written there (and not taken over by `like`)."""
    value: object = place.document.value
    for key in (*place.path, *path):
        if isinstance(value, Mapping):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return None if value is None else Place(place.document, (*place.path, *path))


def _defaults(vocabulary: Vocabulary) -> dict[tuple[str, str], Any]:
    """What an attribute is when nobody set it. Facts without a default have no entry: they are unknown."""
    out: dict[tuple[str, str], Any] = {}
    for key, type in vocabulary.types.items():
        declared = vocabulary.declared.get(key)
        if declared is None and key[0] == "arrival":
            declared = vocabulary.declared.get(("piece", key[1]))
        if declared is not None and declared.has_default:
            out[key] = declared.default
        elif declared is not None and declared.fact:
            continue
        else:
            out[key] = () if type.is_set else False if type.base == "bool" else None
    return out


def _facts(vocabulary: Vocabulary) -> frozenset[tuple[str, str]]:
    return frozenset(key for key, a in vocabulary.declared.items() if a.fact and not a.has_default)
