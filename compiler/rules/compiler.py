"""Rule JSON becomes compiled nodes, every path typed against the vocabulary; what does not fit is a finding.

`Compiler` holds what is known module-wide (vocabulary, named selectors, ways, tables) and collects findings.
`Scope` says what is known at one point of a rule: the names bound there and the kind of the current item.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from compiler.findings import Finding, Place, Related, error
from compiler.model.types import KINDS, Type
from compiler.rules import nodes as n
from compiler.rules.vocabulary import NUMBER, Vocabulary, item, member
from compiler.suggest import did_you_mean

QUANTIFIERS = ("some", "none", "every", "count")
RESERVED = ("all", "any", "not", "is", "use", "compare", "within")


@dataclass(frozen=True, slots=True)
class Part:
    """A named selector, way or table as written."""

    value: Any
    place: Place


@dataclass(frozen=True, slots=True)
class Scope:
    """`current` is None where there is no current item: only `@` keys are allowed there."""

    names: Mapping[str, Type]
    current: Type | None = None
    nested: bool = False

    def at(self, current: Type | None) -> Scope:
        return Scope(self.names, current, True)

    def bind(self, name: str, type: Type) -> Scope:
        return Scope({**self.names, name: type}, self.current, self.nested)


@dataclass(frozen=True, slots=True)
class Typed:
    """A compiled term and the type of what it gives (None: any, or nothing)."""

    term: n.Term
    type: Type | None


@dataclass
class Compiler:
    vocabulary: Vocabulary
    selectors: Mapping[str, Part] = field(default_factory=dict)
    ways: Mapping[str, Part] = field(default_factory=dict)
    tables: Mapping[str, Part] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    reads: set[tuple[str, str]] = field(default_factory=set)
    used: set[tuple[str, str]] = field(default_factory=set)
    roots: set[str] = field(default_factory=set)
    moved: tuple[tuple[Place, Place], ...] = ()
    _open: list[str] = field(default_factory=list)

    # Findings -------------------------------------------------------------------------------------------------------

    def report(
        self, code: str, message: str, place: Place, help: str | None = None, related: Place | None = None
    ) -> None:
        more = (Related(related, "declared here"),) if related else ()
        self.findings.append(error(code, message, self.origin(place), help=help, related=more))

    def origin(self, place: Place) -> Place:
        """Where a field really stands: `vary` and scenarios put other fields in place of a rule's own."""
        for field_place, source in self.moved:
            size = len(field_place.path)
            if place.document is field_place.document and place.path[:size] == field_place.path:
                path = (*source.path, *place.path[size:])
                return Place(source.document, path, place.on, place.part)
        return place

    def malformed(self, wanted: str, got: object, place: Place) -> None:
        self.report("R103", f"{wanted} is expected here, not {_kind_word(got)}", place)

    # Paths ----------------------------------------------------------------------------------------------------------

    def walk(self, start: Type, path: Iterable[str], place: Place) -> Type | None:
        """The type at the end of a path; reports and gives None if there is no such way."""
        at = start
        for name in path:
            if at.is_set:
                self.report(
                    "R105",
                    f"'{name}' is asked of a set; a path may end in a set but not run through one",
                    place,
                    "use 'some', 'none', 'every' or 'count' on the set",
                )
                return None
            if at.base != "item" or at.kind is None:
                self.report("R101", f"'{name}' is asked of {_type_word(at)}, which has no attributes", place)
                return None
            found = self.vocabulary.type_of(at.kind, name)
            if found is None:
                known = self.vocabulary.names(at.kind)
                self.report(
                    "R101",
                    f"a {at.kind} has no attribute '{name}'",
                    place,
                    did_you_mean(name, known)
                    or f"declare it in module.json under vocabulary.{at.kind}, or derive it",
                )
                return None
            self.reads.add((at.kind, name))
            at = found
        return at

    def ref(self, text: str, scope: Scope, place: Place) -> tuple[n.Ref, Type] | None:
        root, *path = text[1:].split(".")
        type = scope.names.get(root)
        if type is None:
            known = sorted("@" + name for name in scope.names)
            self.report(
                "R104",
                f"'@{root}' is not bound here",
                place,
                did_you_mean("@" + root, known) or f"bound here: {', '.join(known)}",
            )
            return None
        self.roots.add(root)
        end = self.walk(type, path, place)
        return None if end is None else (n.Ref(root, tuple(path)), end)

    # Selectors ------------------------------------------------------------------------------------------------------

    def selector(self, value: object, scope: Scope, place: Place) -> n.Selector:
        if isinstance(value, bool):
            return n.Selector([n.Always(value)])
        if not isinstance(value, Mapping):
            self.malformed("a selector (an object, true or false)", value, place)
            return n.Selector([n.Always(False)])
        found = [
            self.condition(key, part, scope, place / key) for key, part in value.items() if key != "note"
        ]
        return n.Selector([c for c in found if c is not None])

    def condition(self, key: str, value: object, scope: Scope, place: Place) -> n.Condition | None:
        if key in ("all", "any"):
            return self.several(key, value, scope, place)
        if key == "use":
            return self.use(value, scope, place)
        if key == "compare":
            return self.compare(value, scope, place)
        if key == "within":
            return self.within(value, scope, place)
        if key.startswith("@"):
            return self.refers(key, value, scope, place)
        if scope.current is None:
            self.report(
                "R106",
                f"'{key}' is asked of nothing: there is no current item here",
                place.key(),
                f"write '@name.{key}' with the name of a bound item",
            )
            return None
        if key in ("is", "not"):
            match = self.match(value, scope.current, scope, place, itself=True)
            return None if match is None else n.Is(match, key == "not")
        path = tuple(key.split("."))
        type = self.walk(scope.current, path, place.key())
        match = None if type is None else self.match(value, type, scope, place)
        return None if match is None else n.Has(path, match)

    def several(self, key: str, value: object, scope: Scope, place: Place) -> n.Condition | None:
        if not isinstance(value, list) or not value:
            self.malformed(f"'{key}' takes a list of selectors: a list", value, place)
            return None
        parts = [self.selector(part, scope, place / i) for i, part in enumerate(value)]
        return n.AllOf(parts) if key == "all" else n.AnyOf(parts)

    def use(self, value: object, scope: Scope, place: Place) -> n.Condition | None:
        names = value if isinstance(value, list) else [value]
        parts: list[n.Selector] = []
        for i, name in enumerate(names):
            at = place / i if isinstance(value, list) else place
            part = self.named("selector", self.selectors, name, at)
            if part is None:
                continue
            if name in self._open:
                self.report("R107", f"selector '{name}' uses itself: {' → '.join([*self._open, name])}", at)
                continue
            self._open.append(name)
            parts.append(self.selector(part.value, scope, part.place))
            self._open.pop()
        return n.AllOf(parts)

    def named(self, what: str, parts: Mapping[str, Part], name: object, place: Place) -> Part | None:
        if not isinstance(name, str):
            self.malformed(f"the name of a {what}", name, place)
            return None
        self.used.add((what, name))
        if name not in parts:
            self.report("R108", f"there is no {what} '{name}'", place, did_you_mean(name, parts))
            return None
        return parts[name]

    def refers(self, key: str, value: object, scope: Scope, place: Place) -> n.Condition | None:
        found = self.ref(key, scope, place.key())
        match = None if found is None else self.match(value, found[1], scope, place)
        if found is None or match is None:
            return None
        return n.Refers(found[0], match, scope.nested and scope.current is not None)

    def compare(self, value: object, scope: Scope, place: Place) -> n.Condition | None:
        if not isinstance(value, list) or len(value) != 3 or value[1] not in n.COMPARISONS:
            self.malformed("[term, comparison, term]", value, place)
            return None
        left, right = self.term(value[0], scope, place / 0), self.term(value[2], scope, place / 2)
        order = any(t.type is not None and t.type.base == "date" for t in (left, right))
        if not order and value[1] != "equals":
            self.numeric(left, place / 0)
            self.numeric(right, place / 2)
        return n.Compare(left.term, value[1], right.term, order)

    def within(self, value: object, scope: Scope, place: Place) -> n.Condition | None:
        if not isinstance(value, Mapping) or "distance" not in value or "of" not in value:
            self.malformed("'distance' and 'of'", value, place)
            return None
        through = {"piece": "space", "arrival": "at"}.get(scope.current.kind or "") if scope.current else None
        distance = self.number(value["distance"], scope, place / "distance")
        of = self.selector(value["of"], scope.at(item("space")), place / "of")
        way = self.way(value.get("by"), scope, place / "by")
        return n.Within(distance, of, way, through)

    def way(self, name: object, scope: Scope, place: Place) -> n.Way:
        """A named way; without a name, the grid's own links (or all, where a map has no grid)."""
        everything = n.Selector([n.Always(True)])
        if name is None:
            return n.Way(everything, everything, everything, n.Constant(1), "any link")
        part = self.named("way", self.ways, name, place)
        fields = {} if part is None else self.way_fields(part, str(name))
        bound = scope.bind("from", item("space")).bind("to", item("space")).bind("link", item("link"))
        sub = {
            key: self.selector(v, bound.at(item(kind)), p)
            for key, kind in (("links", "link"), ("enter", "space"), ("pass", "space"))
            if key in fields
            for v, p in [fields[key]]
        }
        cost = self.number(*_swap(fields["cost"], bound)) if "cost" in fields else n.Constant(1)
        return n.Way(
            sub.get("links", everything),
            sub.get("enter", everything),
            sub.get("pass", everything),
            cost,
            str(name),
        )

    def way_fields(self, part: Part, name: str) -> dict[str, tuple[Any, Place]]:
        """The way's fields with those of `like` beneath them."""
        seen, at = [name], part
        fields: dict[str, tuple[Any, Place]] = {}
        while True:
            if not isinstance(at.value, Mapping):
                self.malformed("a way (an object)", at.value, at.place)
                return fields
            for key, v in at.value.items():
                if key not in ("like", "note"):
                    fields.setdefault(key, (v, at.place / key))
            like = at.value.get("like")
            if like is None:
                return fields
            if like in seen:
                self.report(
                    "R107", f"way '{name}' is like itself: {' → '.join([*seen, like])}", at.place / "like"
                )
                return fields
            seen.append(like)
            below = self.named("way", self.ways, like, at.place / "like")
            if below is None:
                return fields
            at = below

    # Matches --------------------------------------------------------------------------------------------------------

    def match(
        self, value: object, type: Type, scope: Scope, place: Place, itself: bool = False
    ) -> n.Match | None:
        if type.is_set:
            return self.set_match(value, type, scope, place)
        if value is None:
            return n.Nothing()
        if isinstance(value, list):
            parts = [self.match(v, type, scope, place / i, itself) for i, v in enumerate(value)]
            return n.OneOf([p for p in parts if p is not None])
        if isinstance(value, str) and value.startswith("@") and not value.startswith("@@"):
            return self.ref_match(value, type, scope, place)
        if type.base == "item":
            return self.item_match(value, type, scope, place)
        if isinstance(value, Mapping):
            return self.comparison(value, type, scope, place)
        return self.literal(value, type, place)

    def ref_match(self, value: str, type: Type, scope: Scope, place: Place) -> n.Match | None:
        found = self.ref(value, scope, place)
        if found is None:
            return None
        ref, other = found
        if not _comparable(type, member(other)):
            self.report(
                "R103",
                f"{_type_word(type)} is compared with {value}, which is {_type_word(member(other))}",
                place,
            )
            return None
        return n.SameAs(ref, other.is_set)

    def item_match(self, value: object, type: Type, scope: Scope, place: Place) -> n.Match | None:
        if value is True:
            return n.Anything()
        if value is False:
            return n.Never()
        if isinstance(value, Mapping):
            return n.Fits(self.selector(value, scope.at(type), place))
        if not isinstance(value, str):
            self.malformed(f"a {type.kind} (an id, a list, null, a reference or a selector)", value, place)
            return None
        self.check_id(value, type, place)
        return n.Named(value)

    def check_id(self, value: str, type: Type, place: Place) -> None:
        known = self.vocabulary.ids.get(type.kind or "", frozenset())
        if value not in known and type.kind not in ("piece", "arrival", "link"):
            self.report("R109", f"there is no {type.kind} '{value}'", place, did_you_mean(value, known))

    def comparison(self, value: Mapping[str, Any], type: Type, scope: Scope, place: Place) -> n.Match | None:
        bounds: list[tuple[str, n.Term]] = []
        denied: n.Match | None = None
        for key, part in value.items():
            if key == "not":
                denied = self.match(part, type, scope, place / key)
            elif key in n.COMPARISONS:
                if type.base not in ("number", "date"):
                    self.report(
                        "R103",
                        f"'{key}' is asked of {_type_word(type)}, which has no order",
                        (place / key).key(),
                    )
                bounds.append((key, self.bound_term(part, type, scope, place / key)))
            else:
                self.report(
                    "R110",
                    f"'{key}' is no comparison",
                    (place / key).key(),
                    did_you_mean(key, [*n.COMPARISONS, "not"]),
                )
        return n.Compared(bounds, denied, type.base == "date")

    def bound_term(self, value: object, type: Type, scope: Scope, place: Place) -> n.Term:
        if type.base == "date" and isinstance(value, str) and not value.startswith("@"):
            self.literal(value, type, place)
        return self.term(value, scope, place).term

    def literal(self, value: object, type: Type, place: Place) -> n.Match | None:
        if not _fits(value, type):
            self.malformed(_type_word(type), value, place)
            return None
        if isinstance(value, str):
            value = value[1:] if value.startswith("@@") else value
            known = (
                type.words
                if type.base == "word"
                else tuple(self.vocabulary.dates)
                if type.base == "date"
                else None
            )
            if known is not None and value not in known:
                self.report(
                    "R102",
                    f"'{value}' is none of the words declared here",
                    place,
                    did_you_mean(value, known) or f"one of: {', '.join(known)}",
                )
        return n.Literal(Fraction(value) if isinstance(value, Decimal) else value)

    def set_match(self, value: object, type: Type, scope: Scope, place: Place) -> n.Match | None:
        of = member(type)
        if value is None:
            self.report("R103", "a set is never null", place, 'for an empty set write {"none": true}')
            return None
        if isinstance(value, Mapping) and any(key in QUANTIFIERS for key in value):
            return self.quantified(value, of, scope, place)
        if value is True:
            return n.Some(n.Anything())
        match = self.match(value, of, scope, place)
        return None if match is None else n.Some(match)

    def quantified(self, value: Mapping[str, Any], of: Type, scope: Scope, place: Place) -> n.Match:
        parts: list[n.Match] = []
        for key in ("some", "none", "every"):
            if key in value:
                match = self.member_match(value[key], of, scope, place / key)
                if match is not None:
                    parts.append(n.Count(key, match))
        bounds = [(op, self.number(value[op], scope, place / op)) for op in n.COMPARISONS if op in value]
        if "count" in value:
            match = self.member_match(value["count"], of, scope, place / "count")
            if not bounds:
                self.report(
                    "R110", "'count' needs a comparison beside it", place / "count", 'e.g. "at_least": 2'
                )
            if match is not None:
                parts.append(n.Count("count", match, bounds))
        for key in value:
            if key not in (*QUANTIFIERS, *n.COMPARISONS, "note"):
                self.report(
                    "R110",
                    f"'{key}' cannot stand beside a quantifier",
                    (place / key).key(),
                    'put it inside: {"some": {…}}',
                )
        if bounds and "count" not in value:
            self.report("R110", "a comparison on a set needs 'count'", place)
        return n.Quantified(parts)

    def member_match(self, value: object, of: Type, scope: Scope, place: Place) -> n.Match | None:
        return n.Anything() if value is True else self.match(value, of, scope, place)

    # Terms ----------------------------------------------------------------------------------------------------------

    def number(self, value: object, scope: Scope, place: Place) -> n.Term:
        typed = self.term(value, scope, place)
        self.numeric(typed, place)
        return typed.term

    def numeric(self, typed: Typed, place: Place) -> None:
        if typed.type is not None and (typed.type.base not in ("number", "table") or typed.type.is_set):
            self.report("R103", f"a number is needed here, this is {_type_word(typed.type)}", place)

    def term(self, value: object, scope: Scope, place: Place) -> Typed:
        if value is None:
            return Typed(n.Constant(None), None)
        if isinstance(value, bool):
            return Typed(n.Constant(value), Type("bool"))
        if isinstance(value, (int, Decimal)):
            return Typed(n.Constant(Fraction(value) if isinstance(value, Decimal) else value), NUMBER)
        if isinstance(value, str):
            return self.word_term(value, scope, place)
        if isinstance(value, Mapping):
            return self.object_term(value, scope, place)
        self.malformed("a term", value, place)
        return Typed(n.Constant(None), None)

    def word_term(self, value: str, scope: Scope, place: Place) -> Typed:
        if not value.startswith("@") or value.startswith("@@"):
            return Typed(n.Constant(value.removeprefix("@")), Type("text"))
        found = self.ref(value, scope, place)
        return Typed(n.Constant(None), None) if found is None else Typed(n.RefTerm(found[0]), found[1])

    def object_term(self, value: Mapping[str, Any], scope: Scope, place: Place) -> Typed:
        forms = [key for key in TERMS if key in value]
        if len(forms) != 1:
            found = ", ".join(f"'{k}'" for k in value) or "nothing"
            guess = next((g for k in value if (g := did_you_mean(k, TERMS))), None)
            self.report(
                "R111", f"this is no term: {found}", place, guess or f"a term has one of: {', '.join(TERMS)}"
            )
            return Typed(n.Constant(None), None)
        form = forms[0]
        for key in value:
            if key not in (form, *TERMS[form], "note"):
                self.report(
                    "R111",
                    f"'{key}' does not belong to '{form}'",
                    (place / key).key(),
                    did_you_mean(key, TERMS[form]),
                )
        if form == "first":
            return self.first(value, scope, place)
        if form == "table":
            return self.lookup(value, scope, place)
        if form == "count":
            return Typed(
                n.CountTerm(self.gather(value["count"], value, scope, place, place / "count")[0]), NUMBER
            )
        if form in ("sum", "largest", "smallest"):
            return self.fold(form, value, scope, place)
        return Typed(self.arithmetic(form, value, scope, place), NUMBER)

    def arithmetic(self, form: str, value: Mapping[str, Any], scope: Scope, place: Place) -> n.Term:
        parts = value[form]
        if not isinstance(parts, list) or not parts or (form in ("subtract", "divide") and len(parts) != 2):
            self.malformed(
                "two terms" if form in ("subtract", "divide") else "a list of terms", parts, place / form
            )
            return n.Constant(None)
        terms = [self.number(part, scope, place / form / i) for i, part in enumerate(parts)]
        if form != "divide":
            return n.Arithmetic(form, terms)
        if value.get("round") not in ("up", "down", "exact"):
            self.report(
                "R111", "'divide' must say how it rounds", place, 'add "round": "up", "down" or "exact"'
            )
        return n.Divide(terms[0], terms[1], str(value.get("round", "exact")))

    def gather(
        self, source: object, value: Mapping[str, Any], scope: Scope, place: Place, at: Place
    ) -> tuple[n.Gather, Scope, Type]:
        name = value.get("as", "each")
        kind, ref, of = self.iterated(source, scope, at)
        inner = scope.bind(name, of)
        selector = self.selector(
            value.get("if", True), inner.at(of), place / "if" if "if" in value else place
        )
        return n.Gather(kind, ref, selector, name), inner, of

    def iterated(self, source: object, scope: Scope, place: Place) -> tuple[str | None, n.Ref | None, Type]:
        """What an iteration runs over: all items of a kind, or a set."""
        if isinstance(source, str) and source.startswith("@"):
            found = self.ref(source, scope, place)
            if found is None:
                return "side", None, item("side")
            if not found[1].is_set:
                self.report("R103", f"{source} is {_type_word(found[1])}; a set is needed here", place)
            return None, found[0], member(found[1])
        if source in KINDS:
            return str(source), None, item(str(source))
        self.report(
            "R112",
            f"'{source}' is no kind of item" if isinstance(source, str) else "a kind or a set is needed here",
            place,
            did_you_mean(source, KINDS) if isinstance(source, str) else None,
        )
        return "side", None, item("side")

    def fold(self, form: str, value: Mapping[str, Any], scope: Scope, place: Place) -> Typed:
        if "each" not in value:
            self.report("R111", f"'{form}' needs 'each': what it runs over", place)
            return Typed(n.Constant(None), None)
        gather, inner, of = self.gather(value["each"], value, scope, place, place / "each")
        otherwise = self.term(value["else"], scope, place / "else") if "else" in value else None
        what = value[form]
        if isinstance(what, str) and not what.startswith("@"):
            type = self.walk(of, what.split("."), place / form) if of.base == "item" else None
            if type is not None and type.base != "number":
                self.report("R103", f"'{what}' is {_type_word(type)}; a number is needed here", place / form)
            if "." in what:
                term: n.Term | None = n.RefTerm(n.Ref(gather.name, tuple(what.split("."))))
                return Typed(n.Fold(form, gather, None, term, otherwise.term if otherwise else None), NUMBER)
            return Typed(n.Fold(form, gather, what, None, otherwise.term if otherwise else None), NUMBER)
        term = self.number(what, inner, place / form)
        return Typed(n.Fold(form, gather, None, term, otherwise.term if otherwise else None), NUMBER)

    def lookup(self, value: Mapping[str, Any], scope: Scope, place: Place) -> Typed:
        name, rows = value["table"], value.get("row", [])
        if not isinstance(rows, list) or not rows:
            self.report("R111", "'table' needs 'row': a list of terms", place)
            rows = []
        terms = [self.term(row, scope, place / "row" / i).term for i, row in enumerate(rows)]
        otherwise = self.term(value["else"], scope, place / "else").term if "else" in value else None
        if isinstance(name, str) and name.startswith("@"):
            found = self.ref(name, scope, place / "table")
            if found is None:
                return Typed(n.Constant(None), None)
            if found[1].base != "table":
                self.report(
                    "R103", f"{name} is {_type_word(found[1])}; a table is needed here", place / "table"
                )
            return Typed(n.Lookup(name, found[0], terms, otherwise), None)
        part = self.named("table", self.tables, name, place / "table")
        cell = _sample(part.value, len(terms)) if part else None
        return Typed(n.Lookup(str(name), part.value if part else {}, terms, otherwise), cell)

    def first(self, value: Mapping[str, Any], scope: Scope, place: Place) -> Typed:
        branches: list[tuple[n.Selector, n.Term]] = []
        types: list[Type | None] = []
        listed = value["first"] if isinstance(value["first"], list) else []
        if not listed:
            self.malformed('a list of {"if", "then"}', value["first"], place / "first")
        bare = Scope(scope.names)
        for i, branch in enumerate(listed):
            at = place / "first" / i
            if not isinstance(branch, Mapping) or "if" not in branch or "then" not in branch:
                self.malformed('{"if": …, "then": …}', branch, at)
                continue
            typed = self.term(branch["then"], scope, at / "then")
            branches.append((self.selector(branch["if"], bare, at / "if"), typed.term))
            types.append(typed.type)
        otherwise = self.term(value["else"], scope, place / "else") if "else" in value else None
        types += [otherwise.type] if otherwise else []
        known = [t for t in types if t is not None]
        return Typed(n.First(branches, otherwise.term if otherwise else None), known[0] if known else None)


TERMS: dict[str, tuple[str, ...]] = {
    "count": ("if", "as"), "sum": ("each", "if", "as"), "largest": ("each", "if", "as", "else"),
    "smallest": ("each", "if", "as", "else"), "add": (), "times": (), "max": (), "min": (), "subtract": (),
    "divide": ("round",), "table": ("row", "else"), "first": ("else",),
}  # fmt: skip


def _swap(found: tuple[Any, Place], scope: Scope) -> tuple[Any, Scope, Place]:
    return found[0], scope, found[1]


def _sample(table: object, depth: int) -> Type | None:
    """The type of a table's cells, judged by one of them."""
    for _ in range(depth):
        if not isinstance(table, Mapping) or not table:
            return None
        table = next(iter(table.values()))
    if isinstance(table, bool):
        return Type("bool")
    if isinstance(table, (int, Decimal)):
        return NUMBER
    return Type("text") if isinstance(table, str) else None


def _fits(value: object, type: Type) -> bool:
    if type.base == "bool":
        return isinstance(value, bool)
    if type.base == "number":
        return isinstance(value, (int, Decimal)) and not isinstance(value, bool)
    return type.base in ("text", "word", "date") and isinstance(value, str)


def _comparable(a: Type, b: Type) -> bool:
    if a.base == "item" or b.base == "item":
        return a.base == b.base and a.kind == b.kind
    words = ("text", "word", "date")
    return a.base == b.base or (a.base in words and b.base in words)


def _type_word(type: Type) -> str:
    one = {
        "bool": "true or false",
        "number": "a number",
        "text": "a text",
        "date": "a date",
        "table": "a table",
    }
    base = one.get(type.base) or (
        f"a {type.kind}" if type.base == "item" else "one of " + ", ".join(type.words)
    )
    return f"a set ({base})" if type.is_set else base


def _kind_word(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text '{value}'"
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list) else f"the number {value}"
