"""A scenario (or a case) becomes a position: items that point at each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from compiler.findings import Place
from compiler.model.types import Arrival, Fixture, Link, Module, Piece, Region, Scenario, Space, Track, Type
from compiler.rules.items import Derivation, Item, Position
from compiler.rules.vocabulary import Vocabulary


def build_position(
    module: Module,
    vocabulary: Vocabulary,
    scenario: Scenario,
    fixture: Fixture | None = None,
    derive: Mapping[tuple[str, str], Derivation] | None = None,
) -> Position:
    """All items of the scenario, linked; derived attributes are computed when they are first read."""
    return _Builder(module, vocabulary, scenario, fixture or Fixture(), derive or {}).build()


class _Builder:
    def __init__(
        self,
        module: Module,
        vocabulary: Vocabulary,
        scenario: Scenario,
        fixture: Fixture,
        derive: Mapping[tuple[str, str], Derivation],
    ) -> None:
        self.module, self.vocabulary, self.scenario, self.fixture = module, vocabulary, scenario, fixture
        own = fixture.own_map
        maps = module.maps.values() if own else ()
        self.spaces: list[Space] = [*(s for m in maps for s in m.spaces), *fixture.spaces]
        self.links: list[Link] = [*(link for m in maps for link in m.links), *fixture.links]
        self.regions: list[Region] = [*(r for m in maps for r in m.regions), *fixture.regions]
        self.tracks: list[Track] = [*(module.tracks.values() if own else ()), *fixture.tracks]
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
        self.make_spaces()
        self.make_regions()
        self.make_tracks()
        self.make_counters()
        self.make_pieces()
        self.make_arrivals()
        self.apply_state()
        for kind, items in self.world.items.items():
            self.world.items[kind] = dict(sorted(items.items()))
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
            elif type(value) is Decimal:
                thing.attrs[name] = Fraction(value)
            elif type(value) is tuple and any(type(v) is Decimal for v in value):
                thing.attrs[name] = tuple(Fraction(v) if type(v) is Decimal else v for v in value)

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
        control, held = self.scenario.control, self.scenario.held
        for s in self.spaces:
            owner = control.get(s.id, s.controller)
            side = held[s.id] if s.id in held else self.side_of(owner)
            attrs = {"kind": s.kind, "map": s.map, **s.values, "controller": owner, "held_by": side}
            self.add("space", s.id, {**attrs, "power": owner, "side": side}, s.place)

    def make_regions(self) -> None:
        for r in self.regions:
            self.add(
                "region", r.id, {"kind": r.kind, "owner": r.owner, "spaces": r.spaces, **r.values}, r.place
            )

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
        for region in self.world.all("region"):
            for space in region.attrs["spaces"]:
                gather[space]["regions"].append(region)
        for power in self.world.all("power"):
            gather[power.attrs["side"]]["powers"].append(power)
        for thing, sets in gather.items():
            for name, members in sets.items():
                thing.attrs[name] = tuple(members)
        self.fill_empty()

    def fill_empty(self) -> None:
        sets = {
            "space": ("pieces", "arrivals", "regions"),
            "power": ("pieces", "arrivals"),
            "side": ("pieces", "powers"),
        }
        for kind, names in {**sets, "counter": ("pieces",), "piece": ("cargo",)}.items():
            for thing in self.world.all(kind):
                for name in names:
                    thing.attrs.setdefault(name, ())

    def add_lazy(self) -> None:
        """Links become items only where somebody looks: most rules never do."""
        links = _Links(self.world, self.links, self.module, self.watch, self.resolve_later)
        lazy = self.world.lazy
        lazy["space", "links_out"] = lambda space: links.out(space)
        lazy["space", "links_in"] = lambda space: links.into(space)
        lazy["space", "neighbours"] = lambda space: links.neighbours(space)
        if "link" in {kind for kind, _ in self.world.derive} or self.links:
            self.world.items["link"] = _LazyKind(links)

    def resolve_later(self) -> None:
        self.resolve()
        self.pending.clear()


class _LazyKind(dict[str, Item]):
    """The links of a position, made when first iterated."""

    def __init__(self, links: _Links) -> None:
        super().__init__()
        self._links = links

    def values(self) -> Any:
        self._links.make()
        return super().values()

    def get(self, key: str, default: Any = None) -> Any:
        self._links.make()
        return super().get(key, default)


class _Links:
    """Directed links: one item for each way a link may be gone."""

    def __init__(self, world: Position, links: list[Link], module: Module, watch: Any, resolve: Any) -> None:
        self.world, self.links, self.module = world, links, module
        self.watch, self.resolve = watch, resolve
        self.made = False
        self.outgoing: dict[str, list[Item]] = defaultdict(list)
        self.incoming: dict[str, list[Item]] = defaultdict(list)

    def make(self) -> None:
        if self.made:
            return
        self.made = True
        spaces = self.world.items["space"]
        kind = self.world.items.setdefault("link", {})
        found: list[Item] = []
        for link in self.links:
            for a, b in ((link.a, link.b),) if link.one_way else ((link.a, link.b), (link.b, link.a)):
                attrs: dict[str, Any] = {
                    "id": link.id,
                    "kind": link.kind,
                    "tags": link.tags,
                    **link.values,
                    "from": spaces[a],
                    "to": spaces[b],
                }
                thing = Item(self.world, "link", f"{link.id or link.kind}:{a}>{b}", attrs, link.place)
                found.append(thing)
                if link.values:
                    self.watch(thing, link.values)
        for thing in sorted(found, key=_id):
            dict.__setitem__(kind, thing.id, thing)
            self.outgoing[thing.attrs["from"].id].append(thing)
            self.incoming[thing.attrs["to"].id].append(thing)
        self.resolve()

    def out(self, space: Item) -> tuple[Item, ...]:
        self.make()
        return tuple(self.outgoing.get(space.id, ()))

    def into(self, space: Item) -> tuple[Item, ...]:
        self.make()
        return tuple(self.incoming.get(space.id, ()))

    def neighbours(self, space: Item) -> tuple[Item, ...]:
        kinds = {id: m.adjacent for id, m in self.module.maps.items()}.get(space.attrs.get("map") or "")
        near = {
            link.attrs["to"].id: link.attrs["to"]
            for link in self.out(space)
            if kinds is None or link.attrs["kind"] in kinds
        }
        return tuple(near[id] for id in sorted(near))


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
