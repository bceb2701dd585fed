"""`derive`: an attribute computed from the position. A definition gives values, never findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from compiler.findings import Place
from compiler.model.types import KINDS, Type
from compiler.rules.compiler import Compiler, Scope
from compiler.rules.items import Broken, Env, Item, Position, Trouble, Unknown
from compiler.rules.selectors import Selector
from compiler.rules.terms import Gather, Term
from compiler.rules.typed import comparable, type_word
from compiler.rules.vocabulary import item, member, set_of
from compiler.rules.words import with_article

SCENARIO = {"scenario": item("scenario")}
FIELDS = (
    "derive", "on", "gives", "if", "else", "section", "vary", "holds", "value", "collect", "symmetric", "note", "source",
)  # fmt: skip
Witness = tuple[Any, Any, str]  # the item that brought a member; whose attribute it was taken from, and which


@dataclass(frozen=True, slots=True)
class Collect:
    """One source of members: of each gathered item, itself or what lies at the end of a path."""

    gather: Gather
    take: tuple[str, ...]
    takes_set: bool
    keep: Selector
    joins: bool = (
        False  # a set of the owner's, and of each member a set, all of them: zones of control are such
    )


@dataclass(frozen=True, slots=True)
class Derive:
    name: str
    kind: str
    gives: Type
    condition: Selector | None
    otherwise: Term | None
    holds: Selector | None
    value: Term | None
    collect: tuple[Collect, ...]
    symmetric: bool
    reads: frozenset[tuple[str, str]]
    place: Place
    own: tuple[
        str, ...
    ] = ()  # sets of the owner in which all members are found: where they are empty, nothing is
    spreads: str | None = None  # the set of each neighbour that is joined, where nothing else is

    def compute(self, owner: Item) -> Any:
        """The attribute of one owner. Whoever asks keeps it: it is computed once."""
        if self.spreads is not None:
            found = self.spread(owner.world, self.spreads)
            if found is not None:
                return self.kept(owner, found.get(owner, {}))
        if self.own and not any(owner.get(name) for name in self.own):
            return ()
        env: Env = {"scenario": owner.world.scenario, "self": owner}
        if self.condition is not None and not self.condition.holds(owner, env):
            return self.empty(owner.world, env)
        if self.holds is not None:
            return self.holds.holds(owner, env)
        if self.value is not None:
            return self.as_item(owner.world, self.value.value(env))
        return self.collected(owner)

    def empty(self, world: Position, env: Env) -> Any:
        if self.otherwise is not None:
            return self.as_item(world, self.otherwise.value(env))
        return self.nothing()

    def nothing(self, owner: Item | None = None) -> Any:
        """What everybody has of it when a scenario switches it off."""
        return () if self.gives.is_set else False if self.gives.base == "bool" else None

    def as_item(self, world: Position, found: Any) -> Any:
        """An id written in the rule stands for its item."""
        if self.gives.base == "item" and isinstance(found, str):
            return world.items.get(self.gives.kind or "", {}).get(found)
        return found

    def collected(self, owner: Item) -> tuple[Any, ...]:
        found = self.members(owner)
        if self.symmetric:
            for other in self.reversed(owner.world).get(owner, ()):
                found.setdefault(other, (other, other, self.name))
        return self.kept(owner, found)

    def kept(self, owner: Item, found: dict[Any, Witness]) -> tuple[Any, ...]:
        if not found:
            return ()
        owner.world.witnesses[owner, self.name] = found
        return ordered(found)

    def spread(self, world: Position, name: str) -> Mapping[Item, dict[Any, Witness]] | None:
        """The members of every space at once, from the few that have any to give; None where that cannot be done."""
        key = ("spread", self.kind, self.name)
        if key not in world.memo:
            world.memo[key] = _spread(world, self.kind, name)
        found: Mapping[Item, dict[Any, Witness]] | None = world.memo[key]
        return found

    def members(self, owner: Item) -> dict[Any, Witness]:
        """Every member with its first witness."""
        env: Env = {"scenario": owner.world.scenario, "self": owner}
        found: dict[Any, Witness] = {}
        for part in self.collect:
            if part.joins:
                _join(owner, part, found)
                continue
            keep = None if part.keep.is_open else part.keep.holds
            for each, scope in part.gather.each(env):
                for taken, source, name in _taken(each, part):
                    if taken is not None and taken not in found and (keep is None or keep(taken, scope)):
                        found[taken] = (each, source, name)
        return found

    def reversed(self, world: Position) -> Mapping[Any, Sequence[Item]]:
        """For a symmetric set: who has whom as a member, worked out once for the whole position."""
        known = world.memo.get((self.kind, self.name))
        if known is None:
            known = world.memo[self.kind, self.name] = defaultdict(list)
            for other in world.all(self.kind):
                env: Env = {"scenario": world.scenario, "self": other}
                if self.condition is None or self.condition.holds(other, env):
                    for taken in self.members(other):
                        known[taken].append(other)
        reverse: Mapping[Any, Sequence[Item]] = known
        return reverse


def _spread(world: Position, kind: str, name: str) -> dict[Item, dict[Any, Witness]] | None:
    """By the ids of the givers: so the first witness is the neighbour with the smallest one, as always."""
    givers, beside = world.holding(kind, name), world.beside
    if givers is None or beside is None:
        return None
    out: dict[Item, dict[Any, Witness]] = {}
    try:
        for each in givers:
            for taken in each.get(name):
                for owner in beside(each):
                    out.setdefault(owner, {}).setdefault(taken, (each, each, name))
    except (Unknown, Trouble, Broken):
        return None
    return out


def _join(owner: Item, part: Collect, found: dict[Any, Witness]) -> None:
    """What `members` does, where nothing has to be asked: large maps do it for every space."""
    assert part.gather.ref is not None
    name = part.take[0]
    for each in owner.get(part.gather.ref.path[0]):
        attrs = each.attrs
        for taken in attrs[name] if name in attrs else each.world.missing(each, name):
            if taken is not None and taken not in found:
                found[taken] = (each, each, name)


def _taken(each: Any, part: Collect) -> Iterable[tuple[Any, Any, str]]:
    if not part.take:
        return ((each, None, ""),)
    source = each
    for name in part.take[:-1]:
        source = None if source is None else source.get(name)
    if source is None:
        return ()
    last = part.take[-1]
    value = source.get(last)
    return ((v, source, last) for v in value or ()) if part.takes_set else ((value, source, last),)


def ordered(found: Iterable[Any]) -> tuple[Any, ...]:
    """Members by id, words by letter, numbers by size."""
    return tuple(sorted(found, key=_order))


def _order(value: Any) -> Any:
    if isinstance(value, Item):
        return value.id
    return value if isinstance(value, int | Fraction) else str(value)


# Compiling ------------------------------------------------------------------------------------------------------------


def parse_type(value: object) -> Type | None:
    """A type as the vocabulary writes it."""
    if isinstance(value, list):
        return Type("word", tuple(value)) if value and all(isinstance(w, str) for w in value) else None
    if isinstance(value, dict):
        of = parse_type(value.get("of")) if value.get("type") == "set" else None
        return set_of(of) if of and not of.is_set else None
    if not isinstance(value, str):
        return None
    if value.startswith("set of "):
        of = parse_type(value.removeprefix("set of "))
        return set_of(of) if of and not of.is_set else None
    if value in ("bool", "number", "text", "date", "table"):
        return Type(value)  # type: ignore[arg-type]
    return item(value) if value in KINDS else None


def compile_derive(c: Compiler, value: Mapping[str, Any], place: Place) -> Derive | None:
    """The definition, or None if it can give nothing. Whatever is wrong is reported."""
    c.unknown_fields(value, FIELDS, place)
    kind, gives = value.get("on"), parse_type(value.get("gives"))
    if not isinstance(kind, str) or kind not in KINDS or gives is None:
        return None
    given = [key for key in ("holds", "value", "collect") if key in value]
    if len(given) != 1:
        c.report("R113", "a definition has exactly one of 'holds', 'value', 'collect'", place / "derive")
        return None
    c.reads = set()
    owner = Scope({**SCENARIO, "self": item(kind)}, item(kind), {"self": f"this {kind}"})
    bare = owner.at(None)
    condition = c.selector(value["if"], owner, place / "if") if "if" in value else None
    otherwise = _term(c, value["else"], bare, gives, place / "else") if "else" in value else None
    collect = _collects(c, value["collect"], bare, gives, place) if "collect" in value else ()
    symmetric = _symmetric(c, value, kind, gives, place)
    return Derive(
        name=str(value["derive"]),
        kind=kind,
        gives=gives,
        condition=condition,
        otherwise=otherwise,
        holds=_holds(c, value["holds"], owner, gives, place) if "holds" in value else None,
        value=_value(c, value["value"], bare, gives, place) if "value" in value else None,
        collect=collect,
        symmetric=symmetric,
        reads=frozenset(c.reads),
        place=place,
        own=() if condition is not None or symmetric else _own_sets(collect),
        spreads=None if condition is not None or symmetric else _spreads(kind, collect),
    )


def _spreads(kind: str, collect: Sequence[Collect]) -> str | None:
    """The set of each neighbouring space that is taken whole, if that is all."""
    part = collect[0] if len(collect) == 1 and kind == "space" else None
    ref = part.gather.ref if part is not None and part.joins else None
    return part.take[0] if part is not None and ref is not None and ref.path == ("neighbours",) else None


def _own_sets(collect: Sequence[Collect]) -> tuple[str, ...]:
    """The owner's own sets that are gone through, if nothing else is."""
    refs = [part.gather.ref for part in collect]
    plain = [ref.path[0] for ref in refs if ref is not None and ref.root == "self" and len(ref.path) == 1]
    return tuple(plain) if len(plain) == len(refs) else ()


def _holds(c: Compiler, value: object, owner: Scope, gives: Type, place: Place) -> Selector:
    if gives != Type("bool"):
        c.report("R103", "'holds' gives true or false", place / "gives", 'write "gives": "bool"')
    return c.selector(value, owner, place / "holds")


def _value(c: Compiler, value: object, scope: Scope, gives: Type, place: Place) -> Term:
    if gives.is_set:
        c.report("R103", "'value' gives one value, not a set", place / "gives", "a set is made by 'collect'")
    return _term(c, value, scope, gives, place / "value")


def _term(c: Compiler, value: object, scope: Scope, gives: Type, place: Place) -> Term:
    typed = c.term(value, scope, place, gives)
    got = typed.type
    if got is not None and (got.is_set != gives.is_set or not comparable(got, gives)):
        told = f"this gives {type_word(got)}, but the definition says it gives {type_word(gives)}"
        c.report("R103", told, place)
    return typed.term


def _symmetric(c: Compiler, value: Mapping[str, Any], kind: str, gives: Type, place: Place) -> bool:
    given = value.get("symmetric", False)
    if not isinstance(given, bool):
        c.malformed("true or false", given, place / "symmetric")
    elif given and gives != set_of(item(kind)):
        message = f"only a set of {kind} on {with_article(kind)} can be symmetric"
        c.report("R103", message, place / "symmetric")
    return given is True


def _collects(c: Compiler, value: object, scope: Scope, gives: Type, place: Place) -> tuple[Collect, ...]:
    if not gives.is_set:
        c.report("R103", "'collect' gives a set", place / "gives", 'e.g. "gives": "set of side"')
    if not isinstance(value, list) or not value:
        c.malformed('a list of {"each": …, "if": …}', value, place / "collect")
        return ()
    found = (_collect(c, part, scope, gives, place / "collect" / i) for i, part in enumerate(value))
    return tuple(part for part in found if part is not None)


def _collect(c: Compiler, value: object, scope: Scope, gives: Type, place: Place) -> Collect | None:
    if not isinstance(value, dict) or "each" not in value:
        c.malformed('{"each": …, "if": …}', value, place)
        return None
    c.unknown_fields(value, ("each", "as", "if", "take", "keep", "note", "section"), place)
    gather, inner, of = c.gather(value["each"], value, scope, place, place / "each")
    take: tuple[str, ...] = ()
    if "take" in value:
        if not isinstance(value["take"], str):
            c.malformed("an attribute, or a path such as 'from.side'", value["take"], place / "take")
            return None
        take = tuple(value["take"].split("."))
    end = c.walk(of, take, place / "take")
    if end is None:
        return None
    taken = member(end)
    if not comparable(taken, member(gives)):
        told = f"this takes {type_word(taken)}, but the set is of {type_word(member(gives))}"
        c.report("R103", told, place / ("take" if take else "each"))
    keep = c.selector(value.get("keep", True), inner.at(taken), place / "keep")
    ref = gather.ref
    own = ref is not None and ref.root == "self" and len(ref.path) == 1 and of.base == "item"
    joins = own and gather.is_open and keep.is_open and end.is_set and len(take) == 1
    return Collect(gather, take, end.is_set, keep, joins)
