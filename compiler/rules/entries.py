"""Entries of rules.json become definitions and rules.

A definition (`derive`) gives an attribute; a rule gives findings. Both are compiled once for each set of `vary` blocks
that can be in force; static findings come from compiling all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from compiler.findings import Place, Severity
from compiler.model.types import KINDS, RuleEntry, Type
from compiler.rules import nodes as n
from compiler.rules.compiler import Compiler, Scope
from compiler.rules.fit import Bin, Fit, Measure, Slot
from compiler.rules.items import Env, Item, Position
from compiler.rules.vocabulary import item, member
from compiler.suggest import did_you_mean

SCENARIO = {"scenario": item("scenario")}
BOUNDS = ("at_most", "at_least", "equals")
RULE_FIELDS = (
    "id", "title", "section", "severity", "when", "at", "for", "must", "total", *BOUNDS, "fit", "unless", "vary",
    "show", "say", "help", "note", "source",
)  # fmt: skip
DERIVE_FIELDS = (
    "derive", "on", "gives", "if", "else", "section", "vary", "holds", "value", "collect", "symmetric", "note", "source",
)  # fmt: skip
PLACEHOLDERS = {
    "must": ("why",),
    "total": ("value", "bound", "excess", "items"),
    "fit": ("items", "fits", "left", "why"),
}


# Definitions ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Collect:
    gather: n.Gather
    take: tuple[str, ...]
    takes_set: bool
    keep: n.Selector


@dataclass(frozen=True, slots=True)
class Derive:
    name: str
    kind: str
    gives: Type
    condition: n.Selector | None
    otherwise: n.Term | None
    holds: n.Selector | None
    value: n.Term | None
    collect: tuple[Collect, ...]
    symmetric: bool
    reads: frozenset[tuple[str, str]]
    place: Place

    def compute(self, owner: Item) -> Any:
        world = owner.world
        env: Env = {"scenario": world.scenario, "self": owner}
        if self.condition is not None and not self.condition.holds(owner, env):
            return self.empty(env)
        if self.holds is not None:
            return self.holds.holds(owner, env)
        if self.value is not None:
            found = self.value.value(env)
            return (
                world.items.get(self.gives.kind or "", {}).get(found) if _is_id(found, self.gives) else found
            )
        return self.joined(owner)

    def empty(self, env: Env) -> Any:
        if self.otherwise is not None:
            return self.otherwise.value(env)
        return () if self.gives.is_set else False if self.gives.base == "bool" else None

    def joined(self, owner: Item) -> tuple[Any, ...]:
        if not self.symmetric:
            return self.one_way(owner)
        back = [other for other in owner.world.all(self.kind) if owner in self.one_way(other)]
        return _ordered({*self.one_way(owner), *back})

    def one_way(self, owner: Item) -> tuple[Any, ...]:
        env: Env = {"scenario": owner.world.scenario, "self": owner}
        found: dict[Any, Any] = {}
        for part in self.collect:
            for each, scope in part.gather.items(env):
                for taken in _taken(each, part):
                    if taken is not None and taken not in found and part.keep.holds(taken, scope):
                        found[taken] = each
        if found:
            owner.world.witnesses[owner.kind, owner.id, self.name] = found
        return _ordered(found)


def _is_id(found: Any, gives: Type) -> bool:
    return gives.base == "item" and isinstance(found, str)


def _taken(each: Item, part: Collect) -> Sequence[Any]:
    value: Any = each
    for name in part.take:
        value = None if value is None else value.get(name)
    return (value or ()) if part.takes_set else (value,)


def _ordered(found: Any) -> tuple[Any, ...]:
    return tuple(sorted(found, key=lambda v: v.id if isinstance(v, Item) else str(v)))


def parse_type(value: object) -> Type | None:
    """A type as the vocabulary writes it."""
    if isinstance(value, list) and value and all(isinstance(w, str) for w in value):
        return Type("word", tuple(value))
    if isinstance(value, Mapping) and value.get("type") == "set":
        of = parse_type(value.get("of"))
        return Type(of.base, of.words, of.kind, True) if of else None
    if not isinstance(value, str):
        return None
    if value.startswith("set of "):
        of = parse_type(value.removeprefix("set of "))
        return Type(of.base, of.words, of.kind, True) if of else None
    if value in ("bool", "number", "text", "date", "table"):
        return Type(value)  # type: ignore[arg-type]
    return item(value) if value in KINDS else None


def compile_derive(c: Compiler, value: Mapping[str, Any], place: Place) -> Derive | None:
    unknown_fields(c, value, DERIVE_FIELDS, place)
    kind, gives = value.get("on"), parse_type(value.get("gives"))
    if kind not in KINDS or gives is None:
        return None
    c.reads = set()
    owner = Scope({**SCENARIO, "self": item(kind)}, item(kind))
    ways = [key for key in ("holds", "value", "collect") if key in value]
    if len(ways) != 1:
        c.report("R113", "a definition has exactly one of 'holds', 'value', 'collect'", place)
        return None
    condition = c.selector(value["if"], owner, place / "if") if "if" in value else None
    bare = Scope(owner.names)
    otherwise = c.term(value["else"], bare, place / "else").term if "else" in value else None
    holds = term = None
    collect: tuple[Collect, ...] = ()
    if "holds" in value:
        _gives(c, gives, gives.base == "bool" and not gives.is_set, "'holds' gives true or false", place)
        holds = c.selector(value["holds"], owner, place / "holds")
    elif "value" in value:
        _gives(c, gives, not gives.is_set, "'value' gives one value, not a set", place)
        typed = c.term(value["value"], bare, place / "value")
        term = typed.term
        _check_value(c, typed.type, gives, place / "value")
    else:
        _gives(c, gives, gives.is_set, "'collect' gives a set", place)
        parts = value["collect"] if isinstance(value["collect"], list) else []
        collect = tuple(
            filter(None, (_collect(c, p, bare, gives, place / "collect" / i) for i, p in enumerate(parts)))
        )
    symmetric = value.get("symmetric") is True
    reads = frozenset(c.reads)
    return Derive(
        str(value["derive"]),
        str(kind),
        gives,
        condition,
        otherwise,
        holds,
        term,
        collect,
        symmetric,
        reads,
        place,
    )


def _gives(c: Compiler, gives: Type, fits: bool, message: str, place: Place) -> None:
    if not fits:
        c.report("R103", message, place / "gives")


def _check_value(c: Compiler, got: Type | None, gives: Type, place: Place) -> None:
    if (
        got is None
        or got.base == gives.base
        or (got.base in ("text", "word") and gives.base in ("text", "word", "date", "item"))
    ):
        return
    c.report("R103", f"this gives {got.base}, but the definition says it gives {gives.base}", place)


def _collect(c: Compiler, value: object, scope: Scope, gives: Type, place: Place) -> Collect | None:
    if not isinstance(value, Mapping) or "each" not in value:
        c.malformed('{"each": …, "if": …}', value, place)
        return None
    gather, inner, of = c.gather(value["each"], value, scope, place, place / "each")
    take = tuple(str(value["take"]).split(".")) if "take" in value else ()
    end = c.walk(of, take, place / "take") if take else of
    if end is None:
        return None
    taken = member(end)
    if (taken.base, taken.kind) != (gives.base, gives.kind) and not {taken.base, gives.base} <= {
        "text",
        "word",
    }:
        c.report(
            "R103",
            f"this takes a {taken.kind or taken.base}, but the set is of {gives.kind or gives.base}",
            place,
        )
    keep = c.selector(value.get("keep", True), inner.at(taken), place / "keep" if "keep" in value else place)
    return Collect(gather, take, end.is_set, keep)


# Rules ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Binding:
    name: str
    kind: str | None
    ref: n.Ref | None
    words: tuple[str, ...]
    selector: n.Selector
    join: n.Ref | None  # the set that holds every candidate: pieces of one space, not all pieces
    joined_to: str | None
    free: bool  # depends on no earlier binding: candidates can be kept
    pair_of: str | None

    def candidates(self, world: Position, env: Env) -> Iterator[Any]:
        if self.words:
            yield from self.words
            return
        source: Any
        if self.ref is not None:
            source = self.ref.value(env) or ()
        elif self.join is not None:
            at = self.join.value(env)
            source = at.get(self.joined_to or "pieces") if at is not None else ()
        else:
            source = world.all(self.kind or "")
        for found in source:
            env[self.name] = found
            if self.selector.holds(found, env):
                yield found


@dataclass(frozen=True, slots=True)
class Exception_:
    id: str
    section: str | None
    condition: n.Selector


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    section: str | None
    severity: Severity
    construct: str
    when: n.Selector | None
    at: tuple[str, ...]
    bindings: tuple[Binding, ...]
    must: n.Selector | None
    total: n.Term | None
    bounds: tuple[tuple[str, n.Term], ...]
    fit: Fit | None
    unless: tuple[Exception_, ...]
    show: tuple[tuple[str, n.Term], ...]
    say: str | None
    help: str | None
    reads: frozenset[tuple[str, str]]
    place: Place
    entry: RuleEntry = field(repr=False)


def compile_rule(
    c: Compiler, value: Mapping[str, Any], entry: RuleEntry, moments: Sequence[str]
) -> Rule | None:
    place = entry.place
    unknown_fields(c, value, RULE_FIELDS, place)
    constructs = [key for key in ("must", "total", "fit") if key in value]
    if len(constructs) != 1:
        c.report("R113", f"rule '{value.get('id')}' needs exactly one of 'must', 'total', 'fit'", place)
        return None
    construct = constructs[0]
    c.reads = set()
    bindings, scope = _bindings(c, value.get("for", []), place / "for")
    first = scope.names.get(bindings[0].name) if bindings else None
    bare = Scope(scope.names)
    when = (
        c.selector(value["when"], Scope(SCENARIO, item("scenario")), place / "when")
        if "when" in value
        else None
    )
    must = (
        c.selector(value["must"], Scope(scope.names, first), place / "must") if construct == "must" else None
    )
    total = c.number(value["total"], bare, place / "total") if construct == "total" else None
    fit = _fit(c, value["fit"], bare, place / "fit") if construct == "fit" else None
    bounds = tuple((key, c.number(value[key], bare, place / key)) for key in BOUNDS if key in value)
    _check_bounds(c, construct, bounds, place)
    show = tuple(
        (name, c.term(t, bare, place / "show" / name).term) for name, t in _mapping(value.get("show")).items()
    )
    rule = Rule(
        str(value["id"]), _text(value.get("section")), _severity(value.get("severity")), construct, when,
        _moments(c, value.get("at"), moments, place), bindings, must, total, bounds, fit,
        _unless(c, value.get("unless"), bare, place / "unless"), show, _text(value.get("say")), _text(value.get("help")),
        frozenset(c.reads), place, entry,
    )  # fmt: skip
    for key in ("say", "help"):
        if isinstance(value.get(key), str):
            check_placeholders(c, str(value[key]), rule, scope.names, place / key)
    return rule


def unknown_fields(c: Compiler, value: Mapping[str, Any], known: Sequence[str], place: Place) -> None:
    for key in value:
        if key not in known:
            c.report(
                "R114", f"'{key}' is no field of this entry", (place / key).key(), did_you_mean(key, known)
            )


def _check_bounds(c: Compiler, construct: str, bounds: Sequence[object], place: Place) -> None:
    if construct == "total" and not bounds:
        c.report("R113", "a total needs a bound: 'at_most', 'at_least' or 'equals'", place / "total")
    if construct != "total" and bounds:
        c.report("R113", f"a bound belongs to 'total', not to '{construct}'", place)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _severity(word: object) -> Severity:
    return {"warning": Severity.WARNING, "note": Severity.NOTE}.get(str(word), Severity.ERROR)


def _moments(c: Compiler, value: object, known: Sequence[str], place: Place) -> tuple[str, ...]:
    listed = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    for i, moment in enumerate(listed):
        if moment not in known:
            at = place / "at" if isinstance(value, str) else place / "at" / i
            c.report(
                "R115", f"'{moment}' is no moment of sequence.json", at, did_you_mean(str(moment), known)
            )
    return tuple(str(m) for m in listed)


def _unless(c: Compiler, value: object, scope: Scope, place: Place) -> tuple[Exception_, ...]:
    out = []
    for i, part in enumerate(value if isinstance(value, list) else []):
        if isinstance(part, Mapping):
            condition = c.selector(part.get("if", False), scope, place / i / "if")
            out.append(Exception_(str(part.get("id", i)), _text(part.get("section")), condition))
    return tuple(out)


def _bindings(c: Compiler, value: object, place: Place) -> tuple[tuple[Binding, ...], Scope]:
    scope = Scope(SCENARIO)
    out: list[Binding] = []
    for i, part in enumerate(value if isinstance(value, list) else []):
        found = _binding(c, part, scope, out, place / i)
        if found is None:
            continue
        binding, type = found
        scope = scope.bind(binding.name, type)
        out.append(binding)
    return tuple(out), scope


def _binding(
    c: Compiler, value: object, scope: Scope, earlier: list[Binding], place: Place
) -> tuple[Binding, Type] | None:
    if not isinstance(value, Mapping):
        c.malformed('a binding such as {"piece": {…}}', value, place)
        return None
    if "values" in value:
        return _values(c, value, place)
    name: str
    if "each" in value:
        kind, ref, of = c.iterated(value["each"], scope, place / "each")
        name, written, at = str(value.get("as", "each")), value.get("if", True), place / "if"
        unknown_fields(c, value, ("each", "if", "as", "note"), place)
    else:
        kinds = [key for key in value if key in KINDS]
        if len(kinds) != 1:
            wrong = next((k for k in value if k not in ("as", "note")), "")
            c.report(
                "R112",
                f"a binding names one kind of item; '{wrong}' is none",
                place,
                did_you_mean(wrong, KINDS),
            )
            return None
        kind, ref, of = kinds[0], None, item(kinds[0])
        name, written, at = str(value.get("as", kind)), value[kinds[0]], place / kinds[0]
        unknown_fields(c, value, (kinds[0], "as", "note"), place)
    if name in scope.names:
        c.report("R116", f"the name '{name}' is bound already", place, 'give this one another name with "as"')
    c.roots = set()
    inner = scope.bind(name, of)
    selector = c.selector(written, inner.at(of), at)
    free = not (c.roots & {b.name for b in earlier}) and (ref is None or ref.root == "scenario")
    join, joined_to = _join(c, of, written, scope)
    pair = next((b.name for b in earlier if b.kind == kind and kind is not None), None)
    return Binding(name, kind, ref, (), selector, join, joined_to, free, pair), of


def _join(c: Compiler, of: Type, written: object, scope: Scope) -> tuple[n.Ref | None, str | None]:
    """`{"piece": {"space": "@other.space"}}` looks at the pieces of that space only. Same answer, far fewer looks."""
    sets = {
        "piece": {"space": "pieces", "power": "pieces", "side": "pieces", "aboard": "cargo"},
        "arrival": {"at": "arrivals", "power": "arrivals"},
    }
    for key, joined_to in sets.get(of.kind or "", {}).items():
        text = written.get(key) if isinstance(written, Mapping) else None
        if isinstance(text, str) and text.startswith("@") and not text.startswith("@@"):
            root, *path = text[1:].split(".")
            type = scope.names.get(root)
            end = _quiet(c, type, path)
            if end is not None and end.base == "item" and not end.is_set:
                return n.Ref(root, tuple(path)), joined_to
    return None, None


def _quiet(c: Compiler, type: Type | None, path: Sequence[str]) -> Type | None:
    for name in path:
        if type is None or type.kind is None or type.is_set:
            return None
        type = c.vocabulary.type_of(type.kind, name)
    return type


def _values(c: Compiler, value: Mapping[str, Any], place: Place) -> tuple[Binding, Type] | None:
    listed = value["values"]
    words: tuple[str, ...] = ()
    if isinstance(listed, list):
        words = tuple(str(w) for w in listed)
    elif isinstance(listed, str) and listed.count(".") == 1:
        kind, name = listed.split(".")
        type = c.vocabulary.type_of(kind, name)
        if type is None or type.base != "word":
            c.report("R101", f"'{listed}' is no attribute with listed words", place / "values")
            return None
        words = type.words
    else:
        c.malformed('"kind.attribute" or a list of words', listed, place / "values")
        return None
    always = n.Selector([n.Always(True)])
    binding = Binding(str(value.get("as", "value")), None, None, words, always, None, None, True, None)
    return binding, Type("word", words)


def _fit(c: Compiler, value: object, scope: Scope, place: Place) -> Fit | None:
    if (
        not isinstance(value, Mapping)
        or not isinstance(value.get("items"), Mapping)
        or not isinstance(value.get("bins"), list)
    ):
        c.malformed("'items' and 'bins'", value, place)
        return None
    unknown_fields(c, value, ("items", "bins", "tied", "note"), place)
    items = value["items"]
    gather, _, of = c.gather(
        items.get("each", "piece"), items, scope, place / "items", place / "items" / "each"
    )
    bins = [_bin(c, part, scope, of, place / "bins" / i) for i, part in enumerate(value["bins"])]
    tied = value.get("tied")
    if isinstance(tied, str):
        c.walk(of, (tied,), place / "tied")
    return Fit(gather, tuple(b for b in bins if b is not None), _text(tied))


def _bin(c: Compiler, value: object, scope: Scope, of: Type, place: Place) -> Bin | None:
    if not isinstance(value, Mapping) or ("slots" in value) == ("loads" in value):
        c.malformed("a bin with 'slots' or 'loads'", value, place)
        return None
    unknown_fields(c, value, ("each", "if", "as", "slots", "loads", "note"), place)
    gather, inner = None, scope
    if "each" in value:
        gather, _, holder = c.gather(value["each"], value, scope, place, place / "each")
        inner = scope.bind("bin", holder)
    loads = [(value["slots"], place / "slots")] if "slots" in value else [
        (load, place / "loads" / i) for i, load in enumerate(value["loads"] or [])
    ]  # fmt: skip
    return Bin(
        gather, tuple(tuple(_slot(c, s, inner, of, at / i) for i, s in enumerate(load)) for load, at in loads)
    )


def _slot(c: Compiler, value: Any, scope: Scope, of: Type, place: Place) -> Slot:
    value = _mapping(value)
    unknown_fields(c, value, ("slot", "takes", "hold", "holds", "size", "note"), place)
    inner = scope.bind("item", of)
    takes = c.selector(value.get("takes", True), inner.at(of), place / "takes" if "takes" in value else place)
    if "holds" in value:
        measures = tuple(
            Measure(
                _size(c, m, inner, place / "holds" / i),
                c.number(m.get("at_most"), scope, place / "holds" / i / "at_most"),
            )
            for i, m in enumerate(value["holds"])
        )
    else:
        measures = (
            Measure(_size(c, value, inner, place), c.number(value.get("hold"), scope, place / "hold")),
        )
    return Slot(str(value.get("slot", "place")), takes, measures)


def _size(c: Compiler, value: Mapping[str, Any], scope: Scope, place: Place) -> n.Term:
    return c.number(value["size"], scope, place / "size") if "size" in value else n.Constant(1)


# Messages -------------------------------------------------------------------------------------------------------------


def placeholders(text: str) -> Iterator[tuple[int, int, str]]:
    """Every `{name.attr}` of a message with where it stands. `{{` is a brace."""
    i = 0
    while i < len(text):
        if text.startswith("{{", i) or text.startswith("}}", i):
            i += 2
        elif text[i] == "{" and (end := text.find("}", i)) > 0:
            yield i, end + 1, text[i + 1 : end]
            i = end + 1
        else:
            i += 1


def check_placeholders(c: Compiler, text: str, rule: Rule, names: Mapping[str, Type], place: Place) -> None:
    shown = [name for name, _ in rule.show]
    known = [*names, *PLACEHOLDERS[rule.construct], *shown]
    for start, end, inside in placeholders(text):
        root, *path = inside.split(".")
        if root not in known:
            help = did_you_mean(root, known) or f"known here: {', '.join(known)}"
            c.report(
                "R117",
                f"a message of '{rule.construct}' has no placeholder '{{{root}}}'",
                place.chars(start, end),
                help,
            )
        elif path and root in names:
            c.walk(names[root], path, place.chars(start, end))


def fill(text: str, value_of: Callable[[str], str]) -> str:
    out, at = [], 0
    for start, end, inside in placeholders(text):
        out += [text[at:start], value_of(inside)]
        at = end
    return "".join([*out, text[at:]]).replace("{{", "{").replace("}}", "}")
