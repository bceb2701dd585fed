"""Rule JSON becomes compiled parts, every path typed against the vocabulary; what does not fit is a finding.

`Compiler` holds what is known module-wide (vocabulary, named selectors, ways, tables) and collects findings.
`Scope` says what is known at one point of a rule: the names bound there and the kind of the current item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from compiler.findings import Finding, Place, error
from compiler.frozen import dataclass
from compiler.model.types import KINDS, Type
from compiler.rules import matches as m
from compiler.rules import selectors as s
from compiler.rules import terms as t
from compiler.rules.lints import lint_set
from compiler.rules.refs import Ref
from compiler.rules.typed import base_of, cell_type, cells, comparable, fits, kind_word, type_word
from compiler.rules.vocabulary import NUMBER, Vocabulary, item, member
from compiler.rules.ways import Distance, Way, Within
from compiler.rules.words import with_article
from compiler.suggest import did_you_mean

DEEP = 32
QUANTIFIERS = ("some", "none", "every", "count")
_QUANTIFIER: Mapping[str, Callable[[m.Match], m.Match]] = {
    "some": m.Some,
    "none": m.NoneOf,
    "every": m.Every,
}
WAY_FIELDS = ("links", "enter", "pass", "cost", "like", "note")
TERMS: dict[str, tuple[str, ...]] = {
    "count": ("if", "as"), "sum": ("each", "if", "as"), "largest": ("each", "if", "as", "else"),
    "smallest": ("each", "if", "as", "else"), "add": (), "times": (), "max": (), "min": (), "subtract": (),
    "divide": ("round",), "table": ("row", "else"), "first": ("else",), "distance": ("by", "else"),
}  # fmt: skip


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
    called: Mapping[str, str] = field(default_factory=dict)  # what a bound name is called in words

    @property
    def needs_item(self) -> bool:
        return self.current is not None

    def at(self, current: Type | None) -> Scope:
        return self if current is self.current else Scope(self.names, current, self.called)

    def bind(self, name: str, type: Type, called: str | None = None) -> Scope:
        words = {**self.called, name: called} if called else self.called
        return Scope({**self.names, name: type}, self.current, words)


@dataclass(frozen=True, slots=True)
class Typed:
    """A compiled term and the type of what it gives (None: any, or nothing)."""

    term: t.Term
    type: Type | None


_NOTHING = Typed(t.Constant(None), None)


@dataclass()
class Compiler:
    """`spoiled` is set when something read has errors reported elsewhere: no finding, but no verdict either."""

    vocabulary: Vocabulary
    selectors: Mapping[str, Part] = field(default_factory=dict)
    ways: Mapping[str, Part] = field(default_factory=dict)
    tables: Mapping[str, Part] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    hints: list[Finding] = field(default_factory=list)
    reads: set[tuple[str, str]] = field(default_factory=set)
    used: set[tuple[str, str]] = field(default_factory=set)
    rows: dict[tuple[str, int], set[str] | None] = field(
        default_factory=dict
    )  # what tables are looked up by; None: anything
    meant: dict[tuple[str, str], s.Selector | Way] = field(default_factory=dict)  # named parts, as first used
    roots: set[str] = field(default_factory=set)
    moved: tuple[tuple[Place, Place], ...] = ()
    spoiled: bool = False
    noted: set[Any] | None = None  # is told which branches and cells are used, where somebody wants to know
    _open: list[tuple[str, Place]] = field(default_factory=list)

    # Findings -------------------------------------------------------------------------------------------------------

    def report(self, code: str, message: str, place: Place, help: str | None = None) -> None:
        self.findings.append(error(code, message, self.origin(place), help=help))

    def origin(self, place: Place) -> Place:
        """Where a field really stands: `vary` and scenarios put other fields in place of a rule's own."""
        for field_place, source in self.moved:
            size = len(field_place.path)
            if place.document is field_place.document and place.path[:size] == field_place.path:
                path = (*source.path, *place.path[size:])
                return Place(source.document, path, place.on, place.part)
        return place

    def malformed(self, wanted: str, got: object, place: Place) -> None:
        self.report("R103", f"{wanted} is expected here, not {kind_word(got)}", place)

    def unknown_fields(self, value: Mapping[str, Any], known: Iterable[str], place: Place) -> None:
        for key in value:
            if key not in known:
                help = did_you_mean(key, known) or f"known here: {', '.join(k for k in known if k != 'note')}"
                self.report("R114", f"'{key}' is no field of this entry", (place / key).key(), help)

    def name(self, value: Mapping[str, Any], default: str, place: Place) -> str:
        """The name given by `as`."""
        given = value.get("as", default)
        if isinstance(given, str) and given and "." not in given:
            return given
        self.malformed("a name without a dot", given, place / "as")
        return default

    # Paths ----------------------------------------------------------------------------------------------------------

    def walk(self, start: Type, path: Iterable[str], place: Place) -> Type | None:
        """The type at the end of a path; reports and gives None if there is no such way."""
        at = start
        for name in path:
            if at.kind is None or at.is_set or at.base != "item":
                if at != UNKNOWN:
                    self.no_attributes(at, name, place)
                return None
            found = self.vocabulary.type_of(at.kind, name)
            if found is None:
                self.no_attribute(at.kind, name, place)
                return None
            self.reads.add((at.kind, name))
            at = found
        return at

    def no_attributes(self, at: Type, name: str, place: Place) -> None:
        if at.is_set:
            message = f"'{name}' is asked of a set; a path may end in a set but not run through one"
            self.report("R105", message, place, "use 'some', 'none', 'every' or 'count' on the set")
        else:
            self.report("R101", f"'{name}' is asked of {type_word(at)}, which has no attributes", place)

    def no_attribute(self, kind: str, name: str, place: Place) -> None:
        if (kind, name) in self.vocabulary.broken:
            self.spoiled = True
            return
        near = did_you_mean(name, self.vocabulary.names(kind))
        help = near or f"declare it in module.json under vocabulary.{kind}, or derive it"
        self.report("R101", f"{with_article(kind)} has no attribute '{name}'", place, help)

    def ref(self, text: str, scope: Scope, place: Place) -> tuple[Ref, Type] | None:
        root, *path = text[1:].split(".")
        type = scope.names.get(root)
        if type is None:
            known = sorted("@" + name for name in scope.names)
            help = did_you_mean("@" + root, known) or f"bound here: {', '.join(known)}"
            self.report("R104", f"'@{root}' is not bound here", place, help)
            return None
        self.roots.add(root)
        end = self.walk(type, path, place)
        return None if end is None else (Ref(root, tuple(path), scope.called.get(root)), end)

    # Selectors ------------------------------------------------------------------------------------------------------

    def selector(self, value: object, scope: Scope, place: Place) -> s.Selector:
        if isinstance(value, bool):
            return s.Selector([s.Always(value, scope.needs_item)], scope.needs_item)
        if not isinstance(value, dict):
            self.malformed("a selector (an object, true or false)", value, place)
            return s.Selector([s.Always(False)])
        found = [
            self.condition(key, part, scope, place / key) for key, part in value.items() if key != "note"
        ]
        return s.Selector([c for c in found if c is not None], scope.needs_item)

    def condition(self, key: str, value: object, scope: Scope, place: Place) -> s.Condition | None:
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
            return self.itemless(key, value, scope, place)
        if key in ("is", "not"):
            match = self.match(value, scope.current, scope, place)
            return None if match is None else s.Is(match, key == "not")
        return self.has(tuple(key.split(".")), scope.current, value, scope, place)

    def has(
        self, path: tuple[str, ...], current: Type, value: object, scope: Scope, place: Place
    ) -> s.Condition | None:
        type = self.walk(current, path, place.key())
        match = None if type is None else self.match(value, type, scope, place)
        return None if match is None else s.Has(path, match)

    def itemless(self, key: str, value: object, scope: Scope, place: Place) -> s.Condition | None:
        """Where nothing is being looked at: `not` turns a selector round, and that is all."""
        if key == "not" and isinstance(value, dict | bool):
            return s.Denied(self.selector(value, scope, place))
        message = f"'{key}' is asked of nothing: there is no current item here"
        names = sorted(name for name in scope.names if name != "scenario") or ["scenario"]
        help = f"say of what: {' or '.join(_owned(name, key) for name in names)}"
        self.report("R106", message, place.key(), help)
        return None

    def several(self, key: str, value: object, scope: Scope, place: Place) -> s.Condition | None:
        if not isinstance(value, list) or not value:
            self.malformed(f"a list of selectors for '{key}'", value, place)
            return None
        parts = [self.selector(part, scope, place / i) for i, part in enumerate(value)]
        if key == "all":
            return s.AllOf(parts)
        marks = [("any", self.origin(place / i)) for i in range(len(parts))]
        return s.AnyOf(parts, self.noted, marks)

    def use(self, value: object, scope: Scope, place: Place) -> s.Condition | None:
        names = value if isinstance(value, list) else [value]
        parts = {}
        for i, name in enumerate(names):
            at = place / i if isinstance(value, list) else place
            part = self.named("selector", self.selectors, name, at)
            if part is None:
                continue
            if any(name == opened for opened, _ in self._open):
                self.used_by_itself(str(name), at)
                continue
            if len(self._open) >= DEEP:
                self.report("R107", f"selectors use each other more than {DEEP} deep", at, "write them out")
                continue
            self._open.append((str(name), at))
            parts[name] = self.selector(part.value, scope, part.place)
            self.meant.setdefault(("selector", name), parts[name])
            self._open.pop()
        return s.AllOf(list(parts.values()), list(parts)) if parts else None

    def used_by_itself(self, name: str, at: Place) -> None:
        """One circle is told the same way wherever one enters it: from its first name by letter."""
        circle = self._open[next(i for i, (opened, _) in enumerate(self._open) if opened == name) :]
        names = [opened for opened, _ in circle]
        first = names.index(min(names))
        chain = " → ".join([*names[first:], *names[:first], names[first]])
        self.report(
            "R107", f"selector '{names[first]}' uses itself: {chain}", circle[first][1] if first else at
        )

    def named(self, what: str, parts: Mapping[str, Part], name: object, place: Place) -> Part | None:
        if not isinstance(name, str):
            self.malformed(f"the name of a {what}", name, place)
            return None
        self.used.add((what, name))
        if name not in parts:
            help = did_you_mean(name, parts) or f'name one in an entry with "{what}s"'
            self.report("R108", f"there is no {what} '{name}'", place, help)
            return None
        return parts[name]

    def refers(self, key: str, value: object, scope: Scope, place: Place) -> s.Condition | None:
        found = self.ref(key, scope, place.key())
        match = None if found is None else self.match(value, found[1], scope, place)
        return None if found is None or match is None else s.Refers(found[0], match, scope.needs_item)

    def compare(self, value: object, scope: Scope, place: Place) -> s.Condition | None:
        if not isinstance(value, list) or len(value) != 3:
            self.malformed("[term, comparison, term]", value, place)
            return None
        if not isinstance(value[1], str) or value[1] not in m.COMPARISONS:
            known = list(m.COMPARISONS)
            help = did_you_mean(str(value[1]), known) or f"one of: {', '.join(known)}"
            self.report("R110", f"{kind_word(value[1])} is no comparison", place / 1, help)
            return None
        left, right = self.both(value, scope, place)
        is_date = any(side.type is not None and side.type.base == "date" for side in (left, right))
        if not is_date and value[1] != "equals":
            self.numeric(left, place / 0)
            self.numeric(right, place / 2)
        return s.Compare(left.term, value[1], right.term, is_date, scope.needs_item)

    def both(self, value: list[Any], scope: Scope, place: Place) -> tuple[Typed, Typed]:
        """Two terms that are compared: a plain word takes the type of the other side."""
        if _is_word(value[0]) and not _is_word(value[2]):
            right = self.term(value[2], scope, place / 2)
            left = self.term(value[0], scope, place / 0, right.type)
        else:
            left = self.term(value[0], scope, place / 0)
            right = self.term(value[2], scope, place / 2, left.type)
        if left.type and right.type and not comparable(left.type, right.type):
            told = f"{type_word(left.type)} is compared with {type_word(right.type)}"
            self.report("R103", told, place)
        return left, right

    # Ways -----------------------------------------------------------------------------------------------------------

    def within(self, value: object, scope: Scope, place: Place) -> s.Condition | None:
        if not isinstance(value, dict) or "distance" not in value or "of" not in value:
            self.malformed("an object with 'distance' and 'of'", value, place)
            return None
        self.unknown_fields(value, ("distance", "of", "by", "note"), place)
        kind = scope.current.kind if scope.current else None
        if kind not in ("space", "piece", "arrival"):
            self.report(
                "R103", f"only a space or a piece is within a distance, not {with_article(kind)}", place.key()
            )
            return None
        through = {"piece": "space", "arrival": "at"}.get(kind)
        self.reads |= {(kind, through)} if through else set()
        distance = self.number(value["distance"], scope, place / "distance")
        of = self.selector(value["of"], scope.at(item("space")), place / "of")
        return Within(distance, of, self.way(value.get("by"), scope, place / "by"), through)

    def way(self, name: object, scope: Scope, place: Place) -> Way:
        """A named way; without a name, the grid's own links (or all, where a map has no grid)."""
        self.reads |= {("space", "links_out"), ("link", "to")}
        everything = s.Selector([s.Always(True)])
        part = None if name is None else self.named("way", self.ways, name, place)
        fields = {} if part is None else self.way_fields(part, str(name))
        there = scope.bind("from", item("space")).bind("to", item("space")).bind("link", item("link"))
        sub = {
            key: self.selector(v, (scope if key == "pass" else there).at(item(kind)), at)
            for key, kind in (("links", "link"), ("enter", "space"), ("pass", "space"))
            if key in fields
            for v, at in [fields[key]]
        }
        cost = self.number(fields["cost"][0], there.at(None), fields["cost"][1]) if "cost" in fields else None
        links, enter, go_on = (sub.get(key, everything) for key in ("links", "enter", "pass"))
        made = Way(links, enter, go_on, cost or t.Constant(1), str(name or ""))
        self.meant.setdefault(("way", made.name), made)
        return made

    def way_fields(self, part: Part, name: str) -> dict[str, tuple[Any, Place]]:
        """The way's fields with those of `like` beneath them."""
        seen, at = [name], part
        fields: dict[str, tuple[Any, Place]] = {}
        while True:
            if not isinstance(at.value, dict):
                self.malformed("a way (an object)", at.value, at.place)
                return fields
            self.unknown_fields(at.value, WAY_FIELDS, at.place)
            for key, v in at.value.items():
                if key not in ("like", "note"):
                    fields.setdefault(key, (v, at.place / key))
            like = at.value.get("like")
            below = None if like is None else self.named("way", self.ways, like, at.place / "like")
            if below is None:
                return fields
            if like in seen:
                if like == name == min(seen):
                    chain = " → ".join([*seen, name])
                    self.report("R107", f"way '{name}' is like itself: {chain}", at.place / "like")
                self.spoiled = True
                return fields
            seen.append(str(like))
            at = below

    # Matches --------------------------------------------------------------------------------------------------------

    def match(self, value: object, type: Type, scope: Scope, place: Place) -> m.Match | None:
        if type is UNKNOWN:
            return None
        if type.is_set:
            return self.set_match(value, type, scope, place)
        if value is None:
            return m.Nothing()
        if isinstance(value, list):
            return self.one_of(value, type, scope, place)
        if isinstance(value, str) and value.startswith("@") and not value.startswith("@@"):
            return self.ref_match(value, type, scope, place)
        if type.base == "item":
            return self.item_match(value, type, scope, place)
        if isinstance(value, dict):
            return self.comparison(value, type, scope, place)
        return self.literal(value, type, place)

    def one_of(self, value: list[Any], type: Type, scope: Scope, place: Place) -> m.Match | None:
        if not value:
            self.malformed("a list of at least one", value, place)
            return None
        parts = [self.match(v, type, scope, place / i) for i, v in enumerate(value)]
        return m.OneOf([p for p in parts if p is not None])

    def ref_match(self, value: str, type: Type, scope: Scope, place: Place) -> m.Match | None:
        found = self.ref(value, scope, place)
        if found is None:
            return None
        ref, other = found
        if type.base == "item" and other.base == "word" and not ref.path:
            return self.same_id(ref, type, other, place)
        if not comparable(type, member(other)):
            told = f"{type_word(type)} is compared with {value}, which is {type_word(member(other))}"
            self.report("R103", told, place)
            return None
        return m.SameAs(ref, other.is_set)

    def same_id(self, ref: Ref, type: Type, other: Type, place: Place) -> m.Match:
        """A word bound by `values` stands for the item of that id."""
        for word in other.words:
            self.check_id(word, type, place)
        return m.SameId(ref)

    def item_match(self, value: object, type: Type, scope: Scope, place: Place) -> m.Match | None:
        if isinstance(value, bool):
            return m.Anything() if value else m.Never()
        if isinstance(value, dict):
            return m.Fits(self.selector(value, scope.at(type), place))
        if not isinstance(value, str):
            self.malformed(
                f"{with_article(type.kind)} (an id, a list, null, a reference or a selector)", value, place
            )
            return None
        self.check_id(value, type, place)
        return m.Named(value, type.kind == "link")

    def check_id(self, value: str, type: Type, place: Place) -> None:
        known = self.vocabulary.ids.get(type.kind or "", frozenset())
        if value not in known and type.kind not in self.vocabulary.open:
            self.report("R109", f"there is no {type.kind} '{value}'", place, did_you_mean(value, known))

    def comparison(self, value: Mapping[str, Any], type: Type, scope: Scope, place: Place) -> m.Match | None:
        bounds: list[tuple[str, t.Term]] = []
        denied: m.Match | None = None
        for key, part in value.items():
            if key == "not":
                denied = self.match(part, type, scope, place / key)
            elif key in m.COMPARISONS:
                bounds.append((key, self.bound(part, type, scope, place / key, key)))
            elif key != "note":
                help = did_you_mean(key, [*m.COMPARISONS, "not"]) or self.comparison_help(type)
                self.report("R110", f"'{key}' is no comparison", (place / key).key(), help)
        if not value:
            self.malformed("a comparison", value, place)
        return m.Compared(bounds, denied, type.base == "date") if bounds or denied else None

    def comparison_help(self, type: Type) -> str:
        known = list(m.COMPARISONS) if type.base in ("number", "date") else []
        return f"{type_word(type)} is compared by: {', '.join([*known, 'not'])}"

    def bound(self, value: object, type: Type, scope: Scope, place: Place, key: str) -> t.Term:
        if type.base == "number":
            return self.number(value, scope, place)
        if type.base == "date":
            typed = self.term(value, scope, place, type)
            if typed.type is not None and not comparable(type, typed.type):
                self.report("R103", f"a date is needed here, this is {type_word(typed.type)}", place)
            return typed.term
        self.report("R103", f"'{key}' is asked of {type_word(type)}, which has no order", place.key())
        return t.Constant(None)

    def literal(self, value: object, type: Type, place: Place) -> m.Match | None:
        if not fits(value, type):
            self.malformed(type_word(type), value, place)
            return None
        if isinstance(value, str):
            value = value[1:] if value.startswith("@@") else value
            self.check_word(value, type, place)
        return m.Literal(Fraction(value) if isinstance(value, Decimal) else value)

    def check_word(self, value: str, type: Type, place: Place) -> None:
        known = {"word": type.words, "date": tuple(self.vocabulary.dates)}.get(type.base)
        if known is not None and value not in known:
            help = did_you_mean(value, known) or f"one of: {', '.join(known)}"
            what = "no turn of sequence.json" if type.base == "date" else "none of the words declared here"
            self.report("R102", f"'{value}' is {what}", place, help)

    def set_match(self, value: object, type: Type, scope: Scope, place: Place) -> m.Match | None:
        of = member(type)
        self.hints += lint_set(value, of, self.origin(place))
        if value is None:
            self.report("R103", "a set is never null", place, 'for an empty set write {"none": true}')
            return None
        if isinstance(value, dict) and any(key in QUANTIFIERS for key in value):
            return self.quantified(value, of, scope, place)
        match = self.member_match(value, of, scope, place)
        return None if match is None else m.Some(match)

    def member_match(self, value: object, of: Type, scope: Scope, place: Place) -> m.Match | None:
        return m.Anything() if value is True else self.match(value, of, scope, place)

    def quantified(self, value: Mapping[str, Any], of: Type, scope: Scope, place: Place) -> m.Match:
        parts: list[m.Match] = []
        for key, quantifier in _QUANTIFIER.items():
            match = self.member_match(value[key], of, scope, place / key) if key in value else None
            parts += [quantifier(match)] if match is not None else []
        bounds = [(op, self.number(value[op], scope, place / op)) for op in m.COMPARISONS if op in value]
        if "count" in value:
            match = self.member_match(value["count"], of, scope, place / "count")
            parts += [m.Counted(match, bounds)] if match is not None else []
        self.check_quantified(value, bool(bounds), place)
        return m.Quantified(parts)

    def check_quantified(self, value: Mapping[str, Any], bounded: bool, place: Place) -> None:
        if bounded and "count" not in value:
            self.report("R110", "a comparison on a set needs 'count'", place, '"count": true counts all')
        if "count" in value and not bounded:
            message, help = "'count' needs a comparison beside it", 'e.g. "at_least": 2'
            self.report("R110", message, (place / "count").key(), help)
        for key in value:
            if key not in (*QUANTIFIERS, *m.COMPARISONS, "note"):
                message, help = f"'{key}' cannot stand beside a quantifier", 'put it inside: {"some": {…}}'
                self.report("R110", message, (place / key).key(), help)

    # Terms ----------------------------------------------------------------------------------------------------------

    def number(self, value: object, scope: Scope, place: Place) -> t.Term:
        typed = self.term(value, scope, place)
        self.numeric(typed, place)
        return typed.term

    def numeric(self, typed: Typed, place: Place) -> None:
        if typed.type is not None and (typed.type.base != "number" or typed.type.is_set):
            self.report("R103", f"a number is needed here, this is {type_word(typed.type)}", place)

    def term(self, value: object, scope: Scope, place: Place, wanted: Type | None = None) -> Typed:
        """`wanted` is the type that a plain word is looked up in: a declared word, a date, an id."""
        if value is None:
            return _NOTHING
        if isinstance(value, bool):
            return Typed(t.Constant(value), Type("bool"))
        if isinstance(value, int | Decimal):
            return Typed(t.Constant(Fraction(value) if isinstance(value, Decimal) else value), NUMBER)
        if isinstance(value, str):
            return self.word(value, scope, place, wanted)
        if isinstance(value, dict):
            return self.object_term(value, scope, place, wanted)
        self.malformed("a term (a number, a word, a reference or an object)", value, place)
        return _NOTHING

    def word(self, value: str, scope: Scope, place: Place, wanted: Type | None) -> Typed:
        if value.startswith("@") and not value.startswith("@@"):
            found = self.ref(value, scope, place)
            return _NOTHING if found is None else Typed(t.RefTerm(found[0]), found[1])
        plain = t.Constant(value.removeprefix("@"))
        if wanted is None or wanted.is_set or wanted.base not in ("word", "date", "item"):
            return Typed(plain, Type("text"))
        if wanted.base == "item":
            self.check_id(value, wanted, place)
        else:
            self.check_word(plain.constant, wanted, place)
        return Typed(plain, wanted)

    def object_term(self, value: Mapping[str, Any], scope: Scope, place: Place, wanted: Type | None) -> Typed:
        form = self.form(value, place)
        if form is None:
            return _NOTHING
        if form == "first":
            return self.first(value, scope, place, wanted)
        if form == "table":
            return self.lookup(value, scope, place, wanted)
        if form == "count":
            gather, _, _ = self.gather(value["count"], value, scope, place, place / "count")
            return Typed(t.CountTerm(gather), NUMBER)
        if form in ("sum", "largest", "smallest"):
            return self.fold(form, value, scope, place)
        if form == "distance":
            return self.distance(value, scope, place)
        return Typed(self.arithmetic(form, value, scope, place), NUMBER)

    def form(self, value: Mapping[str, Any], place: Place) -> str | None:
        forms = [key for key in TERMS if key in value]
        if len(forms) != 1:
            found = joined_keys(value)
            guess = next((g for k in value if (g := did_you_mean(k, TERMS))), None)
            help = guess or f"a term has one of: {', '.join(TERMS)}"
            self.report("R111", f"this is no term: {found}", place, help)
            return None
        for key in value:
            if key not in (forms[0], *TERMS[forms[0]], "note"):
                message = f"'{key}' does not belong to '{forms[0]}'"
                self.report("R111", message, (place / key).key(), did_you_mean(key, TERMS[forms[0]]))
        return forms[0]

    def arithmetic(self, form: str, value: Mapping[str, Any], scope: Scope, place: Place) -> t.Term:
        parts, two = value[form], form in ("subtract", "divide")
        if not isinstance(parts, list) or not parts or (two and len(parts) != 2):
            self.malformed("a list of two terms" if two else "a list of terms", parts, place / form)
            return t.Constant(None)
        terms = [self.number(part, scope, place / form / i) for i, part in enumerate(parts)]
        if form != "divide":
            return t.Arithmetic(form, terms)
        rounding = value.get("round")
        if rounding not in ("up", "down", "exact"):
            at = place / "round" if "round" in value else place
            self.report("R111", "'divide' must say how it rounds", at, '"round": "up", "down" or "exact"')
        return t.Divide(terms[0], terms[1], str(rounding))

    def distance(self, value: Mapping[str, Any], scope: Scope, place: Place) -> Typed:
        """Between two spaces, or the spaces of two pieces."""
        ends, at = value["distance"], place / "distance"
        if not isinstance(ends, list) or len(ends) != 2:
            self.malformed("a list of two spaces", ends, at)
            return _NOTHING
        both = [self.end(end, scope, at / i) for i, end in enumerate(ends)]
        way = self.way(value.get("by"), scope, place / "by")
        otherwise = self.number(value["else"], scope, place / "else") if "else" in value else None
        return Typed(Distance(both[0], both[1], way, otherwise), NUMBER)

    def end(self, value: object, scope: Scope, place: Place) -> t.Term:
        typed = self.term(value, scope, place, item("space"))
        if typed.type is not None and typed.type not in (item("space"), item("piece")):
            told = f"a space is needed here (or a piece), this is {type_word(typed.type)}"
            self.report("R103", told, place)
        self.reads |= {("piece", "space")} if typed.type == item("piece") else set()
        return typed.term

    def gather(
        self, source: object, value: Mapping[str, Any], scope: Scope, place: Place, at: Place
    ) -> tuple[t.Gather, Scope, Type]:
        """What is iterated (at the place `at`) with its `if` and `as`, and the scope inside."""
        name = self.name(value, "each", place)
        kind, ref, of = self.iterated(source, scope, at)
        inner = scope.bind(name, of, f"that {of.kind or 'one'}")
        selector = self.selector(value.get("if", True), inner.at(of), place / "if")
        return t.Gather(kind, ref, selector, name), inner, of

    def iterated(self, source: object, scope: Scope, place: Place) -> tuple[str | None, Ref | None, Type]:
        """What an iteration runs over: all items of a kind, or a set."""
        if isinstance(source, str) and source.startswith("@"):
            found = self.ref(source, scope, place)
            if found is not None and found[1].is_set:
                return None, found[0], member(found[1])
            if found is not None:
                self.report("R103", f"{source} is {type_word(found[1])}; a set is needed here", place)
            return None, None, UNKNOWN
        if isinstance(source, str) and source in KINDS:
            self.reads.add((source, "*"))
            return source, None, item(source)
        word = source if isinstance(source, str) else ""
        message = f"'{source}' is no kind of item" if word else "a kind or a set is needed here"
        self.report("R112", message, place, did_you_mean(word, KINDS) or f"one of: {', '.join(KINDS)}")
        return None, None, UNKNOWN

    def fold(self, form: str, value: Mapping[str, Any], scope: Scope, place: Place) -> Typed:
        if "each" not in value:
            self.report("R111", f"'{form}' needs 'each': what it runs over", place)
            return _NOTHING
        gather, inner, of = self.gather(value["each"], value, scope, place, place / "each")
        otherwise = self.number(value["else"], scope.at(None), place / "else") if "else" in value else None
        what = value[form]
        if isinstance(what, str) and not what.startswith("@"):
            return Typed(t.Fold(form, gather, self.own(what, gather, of, place / form), otherwise), NUMBER)
        return Typed(t.Fold(form, gather, self.number(what, inner.at(None), place / form), otherwise), NUMBER)

    def own(self, what: str, gather: t.Gather, of: Type, place: Place) -> t.Term:
        path = tuple(what.split("."))
        type = self.walk(of, path, place)
        if type is not None and (type.base != "number" or type.is_set):
            self.report("R103", f"'{what}' is {type_word(type)}; a number is needed here", place)
        return t.Own(Ref(gather.name, path))

    def lookup(self, value: Mapping[str, Any], scope: Scope, place: Place, wanted: Type | None) -> Typed:
        name, rows = value["table"], value.get("row")
        if not isinstance(rows, list) or not rows:
            self.report("R111", "'table' needs 'row': a list of terms", place)
            rows = []
        typed = [self.term(row, scope, place / "row" / i) for i, row in enumerate(rows)]
        terms = [row.term for row in typed]
        otherwise = self.term(value["else"], scope, place / "else", wanted) if "else" in value else None
        instead = otherwise.term if otherwise else None
        if isinstance(name, str) and name.startswith("@"):
            found = self.ref(name, scope, place / "table")
            if found is None:
                return _NOTHING
            if found[1].base != "table":
                message = f"{name} is {type_word(found[1])}; a table is needed here"
                self.report("R103", message, place / "table")
            return Typed(t.Lookup(name, found[0], terms, instead), None)
        part = self.named("table", self.tables, name, place / "table")
        if part is None or not terms:
            return _NOTHING
        for i, row in enumerate(typed):
            self.looked_up((str(name), i), row)
        cell = t.Lookup(str(name), part.value, terms, instead, self.noted)
        return Typed(cell, self.cell(part, terms, place, wanted))

    def looked_up(self, key: tuple[str, int], row: Typed) -> None:
        """Keeps which rows of a table can be reached."""
        words: set[str] | None = None
        if isinstance(row.term, t.Constant):
            words = {str(row.term.constant)}
        elif row.type is not None and not row.type.is_set:
            words = self.vocabulary.words_of(row.type)
        known = self.rows.setdefault(key, set())
        self.rows[key] = None if known is None or words is None else known | words

    def cell(self, part: Part, rows: list[t.Term], place: Place, wanted: Type | None) -> Type | None:
        """The type of a table's cells. A word in a cell is taken for what is wanted."""
        found = [cell_type(cell) for cell in cells(part.value, len(rows))]
        if not found and isinstance(part.value, dict):
            self.report("R111", f"no cell of the table is reached by {len(rows)} rows", place / "row")
        known = next((type for type in found if type is not None), None)
        return wanted if known == Type("text") and wanted is not None else known

    def first(self, value: Mapping[str, Any], scope: Scope, place: Place, wanted: Type | None) -> Typed:
        branches: list[tuple[s.Selector, t.Term]] = []
        types: list[tuple[Type | None, Place]] = []
        marks: list[Any] = []
        listed = value["first"] if isinstance(value["first"], list) else []
        if not listed:
            self.malformed('a list of {"if", "then"}', value["first"], place / "first")
        bare = scope.at(None)
        for i, branch in enumerate(listed):
            at = place / "first" / i
            if not isinstance(branch, dict) or "if" not in branch or "then" not in branch:
                self.malformed('{"if": …, "then": …}', branch, at)
                continue
            self.unknown_fields(branch, ("if", "then", "note", "section"), at)
            typed = self.term(branch["then"], bare, at / "then", wanted)
            branches.append((self.selector(branch["if"], bare, at / "if"), typed.term))
            types.append((typed.type, at / "then"))
            marks.append(("branch", self.origin(at)))
        otherwise = self.term(value["else"], bare, place / "else", wanted) if "else" in value else None
        types += [(otherwise.type, place / "else")] if otherwise else []
        marks.append(("branch", self.origin(place / "else")))
        last = otherwise.term if otherwise else None
        return Typed(t.First(branches, last, self.noted, marks), self.common(types))

    def common(self, types: list[tuple[Type | None, Place]]) -> Type | None:
        """The type that all branches share."""
        known = [(type, place) for type, place in types if type is not None]
        if not known:
            return None
        first = next((type for type, _ in known if type.base != "text"), known[0][0])
        for type, place in known:
            if not comparable(first, type) or first.is_set != type.is_set:
                self.report("R103", f"this is {type_word(type)}, another branch {type_word(first)}", place)
        return base_of([type for type, _ in known])


UNKNOWN = Type("item")  # an item of no kind: what is asked of it was reported already


def _owned(name: str, key: str) -> str:
    return f"'@{name}'" if key in ("is", "not") else f"'@{name}.{key}'"


def _is_word(value: object) -> bool:
    return isinstance(value, str) and (not value.startswith("@") or value.startswith("@@"))


def joined_keys(value: Mapping[str, Any]) -> str:
    return ", ".join(f"'{key}'" for key in value) or "nothing"
