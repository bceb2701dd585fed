"""Unit types and the counters made from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from compiler.findings import Place, error
from compiler.model.context import Context
from compiler.model.files import Group
from compiler.model.properties import known
from compiler.model.read import Object, entries, listed, obj, text, whole
from compiler.model.sources import entry_source, file_source, need_source
from compiler.model.types import Counter, Source, UnitType, Value
from compiler.model.values import read_values
from compiler.source.document import Document

MAX_COUNTERS = 50_000
_OWN = frozenset({"id", "type", "power", "powers", "printed", "name", "note", "source", "sources", "like"})

Entry = tuple[Object, Place]


def declare_types(ctx: Context, files: Group) -> None:
    for entry, place in entries(files, "types"):
        if ctx.names.declare("type", entry.get("id"), place):
            ctx.want(f"type.{entry['id']}", place, entry)
        _want_faces(ctx, entry, place)


def declare_counters(ctx: Context, files: Group) -> None:
    """Enter the id of each counter: its own, or `<power>.<type>`, or the type where no power owns it."""
    total = 0
    for entry, place in entries(files, "counters"):
        if not isinstance(entry.get("type"), str) or not isinstance(entry.get("powers", []), list):
            ctx.names.unread.add("counter")  # the schema reported it
        for id, _, at in counter_ids(entry, place):
            if (total := total + 1) > MAX_COUNTERS:
                message = f"more than {MAX_COUNTERS:,} counters are declared"
                ctx.report(error("N510", message, place, help="split the module"))
                return
            ctx.names.declare("counter", id, at, at / "id" if "id" in entry else at)


def counter_ids(entry: Object, place: Place) -> Iterator[tuple[str, str | None, Place]]:
    """(id, power, place) of each counter an entry makes. The place is also what tells two counters apart."""
    type, own = entry.get("type"), entry.get("id")
    if not isinstance(type, str):
        return
    for n, power in enumerate(listed(entry.get("powers"))):
        if isinstance(power, str):
            yield f"{power}.{type}", power, place / "powers" / n
    if "powers" in entry and "power" not in entry:
        return
    owner = text(entry.get("power"))
    made = f"{owner}.{type}" if owner is not None else type
    yield own if isinstance(own, str) else made, owner, place


def build_types(ctx: Context, files: Group) -> dict[str, UnitType]:
    return _TypeBuilder(ctx, files).build()


class _TypeBuilder:
    """Types in the order of their `like` chains."""

    def __init__(self, ctx: Context, files: Group) -> None:
        self.ctx = ctx
        self.sources = _file_sources(ctx, files)
        table = ctx.names.tables["type"]
        self.found = {
            str(e["id"]): (e, p) for e, p in entries(files, "types") if table.get(str(e.get("id"))) == p
        }
        self.made: dict[str, UnitType] = {}
        self.open: list[str] = []

    def build(self) -> dict[str, UnitType]:
        for id in self.found:
            self.make(id)
        return {id: self.made[id] for id in self.found}

    def make(self, id: str) -> UnitType:
        if id not in self.made:
            self.open.append(id)
            self.made[id] = self.read(id, *self.found[id])
            self.open.pop()
        return self.made[id]

    def read(self, id: str, entry: Object, place: Place) -> UnitType:
        ctx = self.ctx
        model = self.like(entry, place)
        source = entry_source(ctx, entry, place, self.sources.get(place.document))
        need_source(ctx, source, f"the type '{id}'", place / "id", entry.get("source"))
        values = read_values(ctx, ctx.names, ("piece",), entry, place, known("type"))
        _add_built_in(entry, values)
        raw = {k: v for k, v in entry.items() if k != "like"}
        if model is not None:
            values = {**model.values, **values}
            raw = {**{k: v for k, v in model.raw.items() if k not in _OWN}, **raw}
        return UnitType(id, values, raw, source, place)

    def like(self, entry: Object, place: Place) -> UnitType | None:
        name = self.ctx.names.resolve("type", entry.get("like"), place, "like")
        if name is None:
            return None
        if name in self.open:
            chain = " → ".join([*self.open[self.open.index(name) :], name])
            message = f"types that are like each other in a circle: {chain}"
            self.ctx.report(error("N507", message, place / "like", help="one of them must stand on its own"))
            return None
        return self.make(name)


def build_counters(ctx: Context, files: Group, types: Mapping[str, UnitType]) -> dict[str, Counter]:
    out: dict[str, Counter] = {}
    for entry, place in entries(files, "counters"):
        type = types.get(ctx.names.resolve("type", entry.get("type"), place, "type") or "")
        values = read_values(ctx, ctx.names, ("piece", "counter"), entry, place, known("counter"))
        _add_built_in(entry, values)
        if type is not None:
            values = {**type.values, **values}
        raw = _raw(type, entry)
        for id, power, at in counter_ids(entry, place):
            if ctx.names.tables["counter"].get(id) != at:
                continue
            owner = _owner(ctx, entry, power, at)
            if type is None or (power is not None and owner is None):
                ctx.names.fail("counter", id)
                del ctx.names.tables["counter"][id]
                continue
            ctx.want(f"counter.{id}", at, entry, required=False)
            _want_faces(ctx, entry, at)
            out[id] = Counter(id, type.id, owner, whole(entry.get("printed")), values, raw, place)
    return out


def by_owner(counters: Mapping[str, Counter]) -> dict[tuple[str | None, str], list[str]]:
    """(power, type) → counters: how a placement that names a type finds its counter."""
    out: dict[tuple[str | None, str], list[str]] = defaultdict(list)
    for counter in counters.values():
        out[counter.power, counter.type].append(counter.id)
    return out


def _want_faces(ctx: Context, entry: Object, place: Place) -> None:
    for face in obj(entry.get("faces")):
        ctx.want(f"face.{face}", place, {}, required=False)


def _owner(ctx: Context, entry: Object, power: str | None, at: Place) -> str | None:
    if len(at.path) > 2:  # one of `powers`
        return ctx.names.resolve("power", power, at)
    return ctx.names.resolve("power", power, at, "power")


def _add_built_in(entry: Object, values: dict[str, Value]) -> None:
    """`steps` and `face` are built in, so no vocabulary declares them; a type or counter may set them all the same."""
    steps, face = whole(entry.get("steps")), text(entry.get("face"))
    if steps is not None:
        values["steps"] = steps
    if face is not None:
        values["face"] = face


def _raw(type: UnitType | None, entry: Object) -> dict[str, object]:
    """All drawing properties of a counter: its type's with its own on top."""
    raw = {} if type is None else {k: v for k, v in type.raw.items() if k not in _OWN}
    raw.update((k, v) for k, v in entry.items() if k not in ("powers", "note"))
    return raw


def _file_sources(ctx: Context, files: Group) -> dict[Document, Source | None]:
    return {document: file_source(ctx, document) for document in files}
