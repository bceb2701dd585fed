"""A scenario (or a case) becomes a position: items that point at each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from compiler.findings import Place
from compiler.model.types import Arrival, Fixture, Link, Module, Piece, Region, Scenario, Space, Track, Type
from compiler.rules.items import Derivation, Item, LazyItems, Position
from compiler.rules.vocabulary import Vocabulary


def build_position(
    module: Module,
    vocabulary: Vocabulary,
    scenario: Scenario,
    fixture: Fixture | None = None,
    derive: Mapping[tuple[str, str], Derivation] | None = None,
    kept: dict[str, Any] | None = None,
) -> Position:
    """All items of the scenario, linked; derived attributes are computed when they are first read.

    `kept` holds what is the same in every position on the module's own maps, so that a small case on a large map is quick.
    """
    return _Builder(module, vocabulary, scenario, fixture or Fixture(), derive or {}, kept).build()


@dataclass(frozen=True)
class _Ground:
    """The spaces, links and regions of a position, before anybody stands on them. Links are directed, in the order of their ids."""

    spaces: Mapping[str, Space]
    values: Mapping[str, Mapping[str, Any]]  # of each space, with exact numbers
    regions: Mapping[str, tuple[str, ...]]  # of each space
    links: tuple[tuple[str, Link, str, str], ...]
    names: Mapping[str, int]  # the links by id
    out: Mapping[str, list[int]]
    into: Mapping[str, list[int]]


def _ground(spaces: list[Space], links: list[Link], regions: list[Region]) -> _Ground:
    by_id = {s.id: s for s in sorted(spaces, key=_id)}
    member: dict[str, list[str]] = defaultdict(list)
    for region in sorted(regions, key=_id):
        for space in region.spaces:
            member[space].append(region.id)
    directed = [
        (f"{link.id or link.kind}:{a}>{b}", link, a, b)
        for link in links
        for a, b in (((link.a, link.b),) if link.one_way else ((link.a, link.b), (link.b, link.a)))
    ]
    directed.sort(key=lambda found: found[0])
    out: dict[str, list[int]] = defaultdict(list)
    into: dict[str, list[int]] = defaultdict(list)
    for i, (_, _, a, b) in enumerate(directed):
        out[a].append(i)
        into[b].append(i)
    values = {s.id: {"kind": s.kind, "map": s.map, **_exact(s.values)} for s in by_id.values()}
    names = {id: i for i, (id, *_) in enumerate(directed)}
    return _Ground(by_id, values, {k: tuple(v) for k, v in member.items()}, tuple(directed), names, out, into)


class _Builder:
    def __init__(
        self,
        module: Module,
        vocabulary: Vocabulary,
        scenario: Scenario,
        fixture: Fixture,
        derive: Mapping[tuple[str, str], Derivation],
        kept: dict[str, Any] | None,
    ) -> None:
        self.module, self.vocabulary, self.scenario, self.fixture = module, vocabulary, scenario, fixture
        own = fixture.own_map
        maps = list(module.maps.values()) if own else []
        self.regions: list[Region] = [*(r for m in maps for r in m.regions), *fixture.regions]
        self.tracks: list[Track] = [*(module.tracks.values() if own else ()), *fixture.tracks]
        plain = own and not (fixture.spaces or fixture.links or fixture.regions)
        found = kept.get("ground") if kept is not None and plain else None
        if found is None:
            spaces = [*(s for m in maps for s in m.spaces), *fixture.spaces]
            links = [*(link for m in maps for link in m.links), *fixture.links]
            found = _ground(spaces, links, self.regions)
            if kept is not None and plain:
                kept["ground"] = found
        self.ground: _Ground = found
        self.world = Position(
            derive=derive,
            defaults=_defaults(vocabulary),
            facts=_facts(vocabulary),
            dates=vocabulary.dates,
        )
        self.pending: list[tuple[Item, str, Type]] = []
        self.item_typed: dict[str, dict[str, Type]] = defaultdict(dict)
        for (kind, name), type in vocabulary.types.items():
            if type.base == "item":
                self.item_typed[kind][name] = type

    def build(self) -> Position:
        self.make_scenario()
        self.make_powers()
        self.make_regions()
        self.make_tracks()
        self.make_counters()
        self.make_pieces()
        self.make_arrivals()
        for kind, items in self.world.items.items():
            self.world.items[kind] = dict(sorted(items.items()))
        self.make_spaces()
        self.apply_state()
        self.resolve()
        self.resolve_defaults()
        self.add_lazy()
        self.collect_sets()
        return self.world

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
            elif type(value) is Decimal or type(value) is tuple:
                thing.attrs.update(_exact({name: value}))

    def make_scenario(self) -> None:
        s = self.scenario
        attrs: dict[str, Any] = {
            "id": s.id,
            "date": s.date,
            "phase": s.phase,
            "moment": s.moment,
            "turn_of": s.turn_of,
        }
        attrs |= {"options": s.options, "weather": s.weather, **s.facts}
        self.world.scenario = self.add("scenario", s.id, attrs, s.place)

    def make_powers(self) -> None:
        for side in self.module.sides.values():
            self.add("side", side.id, {"enemies": side.enemies, **side.values}, side.place)
        for p in self.module.powers.values():
            attrs = {"side": p.side, "capital": p.capital, "at_war": p.at_war, **p.values}
            self.add("power", p.id, attrs, p.place)

    def make_spaces(self) -> None:
        """Spaces become items where somebody looks."""
        self.world.items["space"] = LazyItems(self.ground.spaces, self.space)

    def space(self, id: str) -> Item:
        s = self.ground.spaces[id]
        control, held = self.scenario.control, self.scenario.held
        owner = control.get(id, s.controller)
        side = held[id] if id in held else self.side_of(owner)
        attrs = {**self.ground.values[id], "controller": owner, "held_by": side, "power": owner, "side": side}
        attrs |= {"pieces": (), "arrivals": ()}
        return self.late(Item(self.world, "space", id, attrs, s.place), attrs)

    def late(self, thing: Item, given: Mapping[str, Any]) -> Item:
        """A thing made after all others: what it names is there already."""
        before, self.pending = self.pending, []
        self.watch(thing, given)
        self.resolve()
        self.pending = before
        return thing

    def make_regions(self) -> None:
        for r in self.regions:
            self.add("region", r.id, {"kind": r.kind, "owner": r.owner, **r.values}, r.place)

    def make_tracks(self) -> None:
        for t in self.tracks:
            value = self.scenario.tracks.get(t.id)
            attrs = {"kind": t.kind, "owner": t.owner, "value": value, **t.values}
            place = t.place if value is None else _entry(self.scenario.place, ("tracks", t.id)) or t.place
            self.add("track", t.id, attrs, place)

    def make_counters(self) -> None:
        for c in self.module.counters.values():
            attrs = {"type": c.type, "power": c.power, "printed": c.printed}
            self.add("counter", c.id, {**c.values, **attrs}, c.place)

    def make_pieces(self) -> None:
        for p in self.scenario.pieces:
            attrs = self.like_counter(p) | {
                "space": p.space,
                "aboard": p.aboard,
                "steps": p.steps,
                "face": p.face,
            }
            if p.steps is None:
                attrs["steps"] = self.module.counters[p.counter].values.get("steps")
            self.add("piece", p.id, attrs | dict(p.values), p.place)

    def make_arrivals(self) -> None:
        for a in self.scenario.arrivals:
            attrs = {"steps": None, "face": None} | self.like_counter(a)
            attrs |= {"due": a.due, "at": a.at, "from": a.from_, "plan": a.plan, "aboard": a.aboard}
            self.add("arrival", a.id, attrs | dict(a.values), a.place)

    def like_counter(self, thing: Piece | Arrival) -> dict[str, Any]:
        counter = self.module.counters[thing.counter]
        own = {"counter": counter.id, "type": counter.type, "power": counter.power}
        return {**counter.values, **own, "side": self.side_of(counter.power)}

    def side_of(self, power: str | None) -> str | None:
        """A scenario's `state` may say which side a power has joined."""
        if power is None:
            return None
        joined: str = self.scenario.state.get("power", {}).get(power, {}).get("side")  # type: ignore[assignment]
        return joined or self.module.powers[power].side

    def apply_state(self) -> None:
        for kind, by_id in self.scenario.state.items():
            for id, values in by_id.items():
                thing = self.world.items.get(kind, {}).get(id)
                if thing is not None:
                    thing.attrs.update(values)
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

    def resolve_defaults(self) -> None:
        defaults = dict(self.world.defaults)
        typed = [((kind, name), of) for kind, names in self.item_typed.items() for name, of in names.items()]
        for key, of in typed:
            value, there = defaults.get(key), self.world.items.get(of.kind or "", {})
            if isinstance(value, str):
                defaults[key] = there.get(value)
            elif value and isinstance(value, tuple):
                defaults[key] = tuple(there[i] for i in sorted(value) if i in there)
        self.world.defaults = defaults

    def collect_sets(self) -> None:
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
        for power in self.world.all("power"):
            gather[power.attrs["side"]]["powers"].append(power)
        for thing, sets in gather.items():
            for name, members in sets.items():
                thing.attrs[name] = tuple(members)
        self.fill_empty()

    def fill_empty(self) -> None:
        sets = {
            "power": ("pieces", "arrivals"),
            "side": ("pieces", "powers"),
        }
        for kind, names in {**sets, "counter": ("pieces",), "piece": ("cargo",)}.items():
            for thing in self.world.all(kind):
                for name in names:
                    thing.attrs.setdefault(name, ())

    def add_lazy(self) -> None:
        """Links become items only where somebody looks: most rules never do."""
        ground, items = self.ground, self.world.items
        spaces, regions = items["space"], items.get("region", {})
        links = _Links(self.world, ground, self.module, self.late)
        lazy = self.world.lazy
        lazy["space", "links_out"] = lambda space: links.at(ground.out, space)
        lazy["space", "links_in"] = lambda space: links.at(ground.into, space)
        lazy["space", "neighbours"] = lambda space: links.neighbours(space)
        lazy["space", "regions"] = lambda space: tuple(regions[id] for id in ground.regions.get(space.id, ()))
        of = {r.id: r.spaces for r in self.regions}
        lazy["region", "spaces"] = lambda region: tuple(
            spaces[id] for id in sorted(of[region.id]) if id in spaces
        )
        items["link"] = links.items


class _Links:
    """Directed links: one item for each way a link may be gone."""

    def __init__(
        self,
        world: Position,
        ground: _Ground,
        module: Module,
        late: Callable[[Item, Mapping[str, Any]], Item],
    ) -> None:
        self.world, self.ground, self.module, self.late = world, ground, module, late
        self.items = LazyItems(ground.names, lambda id: self.item(ground.names[id]))
        self.made: dict[int, Item] = {}

    def item(self, number: int) -> Item:
        found = self.made.get(number)
        if found is None:
            id, link, a, b = self.ground.links[number]
            spaces = self.world.items["space"]
            own = {"id": link.id, "kind": link.kind, "tags": link.tags}
            attrs: dict[str, Any] = {**own, **link.values, "from": spaces[a], "to": spaces[b]}
            found = self.made[number] = Item(self.world, "link", id, attrs, link.place)
            if link.values:
                self.late(found, link.values)
        return found

    def at(self, numbers: Mapping[str, list[int]], space: Item) -> tuple[Item, ...]:
        return tuple(self.item(number) for number in numbers.get(space.id, ()))

    def neighbours(self, space: Item) -> tuple[Item, ...]:
        kinds = {id: m.adjacent for id, m in self.module.maps.items()}.get(space.attrs.get("map") or "")
        near = {
            link.attrs["to"].id: link.attrs["to"]
            for link in self.at(self.ground.out, space)
            if kinds is None or link.attrs["kind"] in kinds
        }
        return tuple(near[id] for id in sorted(near))


def _id(thing: Item | Space | Region) -> str:
    return thing.id


def _exact(values: Mapping[str, Any]) -> dict[str, Any]:
    """Decimals as fractions."""
    out = dict(values)
    for name, value in values.items():
        if type(value) is Decimal:
            out[name] = Fraction(value)
        elif type(value) is tuple and any(type(v) is Decimal for v in value):
            out[name] = tuple(Fraction(v) if type(v) is Decimal else v for v in value)
    return out


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
