"""Matches: a value (an attribute's, or the current item itself) against what the author wrote.

Each match has `holds`, a function made once when the rule is compiled, and can say in words what it asks (`phrase`,
to follow the name of an attribute) and why it failed (`why`), so that evidence comes from what gave the verdict.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from compiler.rules.items import Env
from compiler.rules.refs import Ref
from compiler.rules.words import joined, listed, show

if TYPE_CHECKING:
    from compiler.rules.selectors import Selector
    from compiler.rules.terms import Term

Test = Callable[[Any, Env], bool]
Because = Callable[[Any], str]  # a member of a derived set → " (because of …)", or nothing

MANY = 16  # members from which on a set is not gone through one by one

COMPARISONS: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "at_most": (lambda a, b: a <= b, "at most"),
    "at_least": (lambda a, b: a >= b, "at least"),
    "less_than": (lambda a, b: a < b, "less than"),
    "more_than": (lambda a, b: a > b, "more than"),
    "equals": (lambda a, b: a == b, "exactly"),
}


def nobody(member: Any) -> str:
    return ""


class Match:
    """`words` follow "is" ("'sea'", "one where …"); `phrase` follows the name of an attribute ("is 'sea'")."""

    holds: Test

    @property
    @abstractmethod
    def words(self) -> str: ...

    @property
    def phrase(self) -> str:
        return f"is {self.words}"

    def why(self, value: Any, env: Env, because: Because = nobody) -> str:
        return f"is {show(value)}, should be {self.wanted(env)}"

    def wanted(self, env: Env) -> str:
        """The words, with what references stand for here."""
        return self.words

    def blamed(self, value: Any, env: Env) -> tuple[Any, ...]:
        """The members or items because of which it failed."""
        return ()


class Anything(Match):
    words = "something"

    def __init__(self) -> None:
        self.holds = lambda value, env: value is not None


class Never(Match):
    words = "never so"

    def __init__(self) -> None:
        self.holds = lambda value, env: False


class Nothing(Match):
    words = "nothing"

    def __init__(self) -> None:
        self.holds = lambda value, env: value is None


class Literal(Match):
    def __init__(self, literal: Any) -> None:
        self.literal = literal
        is_bool = isinstance(literal, bool)
        self.holds = lambda value, env: value == literal and isinstance(value, bool) is is_bool

    @property
    def words(self) -> str:
        return show(self.literal)


class Named(Match):
    """An item by its id. A link is named by the id its group has in the map file."""

    def __init__(self, id: str, is_link: bool = False) -> None:
        self.id, self.is_link = id, is_link
        if is_link:
            self.holds = lambda value, env: value is not None and value.attrs["id"] == id
        else:
            self.holds = lambda value, env: value is not None and value.id == id

    @property
    def words(self) -> str:
        return f"'{self.id}'"


class OneOf(Match):
    def __init__(self, matches: Sequence[Match]) -> None:
        self.matches = tuple(matches)
        self.holds = _one_of(self.matches)

    @property
    def words(self) -> str:
        return f"one of {', '.join(m.words for m in self.matches)}"

    def wanted(self, env: Env) -> str:
        return f"one of {', '.join(m.wanted(env) for m in self.matches)}"


def _one_of(matches: Sequence[Match]) -> Test:
    if all(isinstance(m, Literal) and isinstance(m.literal, str) for m in matches):
        words = frozenset(m.literal for m in matches if isinstance(m, Literal))
        return lambda value, env: value in words
    tests = tuple(m.holds for m in matches)

    def holds(value: Any, env: Env) -> bool:
        for test in tests:  # noqa: SIM110
            if test(value, env):
                return True
        return False

    return holds


class SameAs(Match):
    """Equal to a reference, or one of it if it is a set. A reference to nothing matches nothing."""

    def __init__(self, ref: Ref, is_set: bool) -> None:
        self.ref, self.is_set = ref, is_set
        read = ref.value

        def one(value: Any, env: Env) -> bool:
            other = read(env)
            return other is not None and value == other

        last: tuple[Any, frozenset[Any]] = ((), frozenset())

        def among(value: Any, env: Env) -> bool:
            nonlocal last
            other = read(env)
            if other is None or value is None:
                return False
            if len(other) < MANY:
                return value in other
            if other is not last[0]:
                last = (other, frozenset(other))
            return value in last[1]

        self.holds = among if is_set else one

    @property
    def words(self) -> str:
        return f"one of {self.ref.words}" if self.is_set else self.ref.words

    def wanted(self, env: Env) -> str:
        found = self.ref.value(env)
        if found is None and self.ref.root == "start":
            return "the space where the line starts"  # it has left that
        return f"{self.words} ({show(found)})"


class SameId(Match):
    """The item whose id is the word that a reference stands for."""

    def __init__(self, ref: Ref) -> None:
        self.ref = ref
        read = ref.value
        self.holds = lambda value, env: value is not None and value.id == read(env)

    @property
    def words(self) -> str:
        return self.ref.words

    def wanted(self, env: Env) -> str:
        return f"{self.words} ({show(self.ref.value(env))})"


class Compared(Match):
    """All comparisons hold, and the value is not what `not` excludes.

    Nothing is neither more nor less than anything. A bound that is nothing (a literal, a table cell, an `else`) is no
    limit, but a reference to nothing matches nothing.
    """

    def __init__(self, bounds: Sequence[tuple[str, Term]], denied: Match | None, is_date: bool) -> None:
        self.bounds, self.denied, self.is_date = tuple(bounds), denied, is_date
        deny = denied.holds if denied is not None else None
        if not bounds and deny is not None:
            self.holds = lambda value, env: not deny(value, env)
        else:
            bounded = partial(_bounded, self.bounds, is_date)
            self.holds = lambda value, env: not (deny and deny(value, env)) and bounded(value, env)

    @property
    def words(self) -> str:
        parts = [f"{COMPARISONS[op][1]} {term.words}" for op, term in self.bounds]
        return joined([*parts, *self.denial()])

    def denial(self) -> list[str]:
        if self.denied is None:
            return []
        return ["something"] if isinstance(self.denied, Nothing) else [f"not {self.denied.words}"]

    def wanted(self, env: Env) -> str:
        parts = [f"{COMPARISONS[op][1]} {_told(term, env)}" for op, term in self.bounds]
        denied = [f"not {self.denied.wanted(env)}"] if self.denied is not None and self.denial() else []
        return joined([*parts, *(self.denial() if isinstance(self.denied, Nothing) else denied)])


def _bounded(bounds: Sequence[tuple[str, Term]], is_date: bool, value: Any, env: Env) -> bool:
    mine = rank(value, env) if is_date else value
    return mine is not None and all(_within(mine, op, term, is_date, env) for op, term in bounds)


def _within(mine: Any, op: str, term: Term, is_date: bool, env: Env) -> bool:
    other = term.value(env)
    if other is None:
        return not term.is_reference
    other = rank(other, env) if is_date else other
    return other is not None and COMPARISONS[op][0](mine, other)


def _told(term: Term, env: Env) -> str:
    """A bound in words, and what it comes to if it is not a plain number."""
    return term.words if term.is_plain else f"{show(term.value(env))} ({term.words})"


def rank(date: Any, env: Env) -> Any:
    """Dates are ordered as the sequence lists them."""
    return None if date is None else env["scenario"].world.dates.get(date)


class Fits(Match):
    """An item fulfils a selector."""

    def __init__(self, selector: Selector) -> None:
        self.selector = selector
        self.holds = selector.holds

    @property
    def words(self) -> str:
        alone = self.selector.alone
        return alone if alone is not None else f"one where {self.selector.words}"

    def why(self, value: Any, env: Env, because: Because = nobody) -> str:
        if value is None:
            return f"is nothing, should be {self.words}"
        return f"is {show(value)}: {self.selector.why(value, env)}"

    def blamed(self, value: Any, env: Env) -> tuple[Any, ...]:
        return self.selector.blamed(value, env)


# Sets -----------------------------------------------------------------------------------------------------------------


class Quantifier(Match):
    """One question about the members of a set."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.holds = self.test(match.holds)

    @abstractmethod
    def test(self, fits: Test) -> Test: ...

    @property
    def words(self) -> str:
        return f"a set that {self.phrase}"

    def fitting(self, value: Any, env: Env) -> tuple[Any, ...]:
        return tuple(v for v in value or () if self.match.holds(v, env))


class Some(Quantifier):
    def test(self, fits: Test) -> Test:
        def holds(value: Any, env: Env) -> bool:
            for member in value or ():  # noqa: SIM110 (a generator would cost twice as much)
                if fits(member, env):
                    return True
            return False

        return holds

    @property
    def phrase(self) -> str:
        return "is not empty" if isinstance(self.match, Anything) else f"includes {self.match.words}"

    def why(self, value: Any, env: Env, because: Because = nobody) -> str:
        if not value:
            return f"is empty, should include {_member(self.match, env)}"
        return f"({show(value)}) does not include {_member(self.match, env)}"


class NoneOf(Quantifier):
    def test(self, fits: Test) -> Test:
        def holds(value: Any, env: Env) -> bool:
            for member in value or ():  # noqa: SIM110
                if fits(member, env):
                    return False
            return True

        return holds

    @property
    def phrase(self) -> str:
        if isinstance(self.match, Anything):
            return "is empty"
        if isinstance(self.match, Fits):
            return f"includes none where {self.match.selector.words}"
        return f"does not include {_any_of(self.match)}"

    def why(self, value: Any, env: Env, because: Because = nobody) -> str:
        found = self.fitting(value, env)
        told = listed([show(v) + because(v) for v in found])
        wanted = (
            "should be empty"
            if isinstance(self.match, Anything)
            else f"should not include {_member(self.match, env)}"
        )
        return f"includes {told}; it {wanted}"

    def blamed(self, value: Any, env: Env) -> tuple[Any, ...]:
        return self.fitting(value, env)


class Every(Quantifier):
    def test(self, fits: Test) -> Test:
        def holds(value: Any, env: Env) -> bool:
            for member in value or ():  # noqa: SIM110
                if not fits(member, env):
                    return False
            return True

        return holds

    @property
    def phrase(self) -> str:
        if isinstance(self.match, Fits):
            return f"has only those where {self.match.selector.words}"
        return f"has only {self.match.words}"

    def why(self, value: Any, env: Env, because: Because = nobody) -> str:
        bad = next(v for v in value if not self.match.holds(v, env))
        if isinstance(self.match, Fits):
            return f"includes {show(bad)}{because(bad)}: {self.match.selector.why(bad, env)}"
        return f"includes {show(bad)}{because(bad)}, should have only {self.match.wanted(env)}"

    def blamed(self, value: Any, env: Env) -> tuple[Any, ...]:
        return tuple(v for v in value if not self.match.holds(v, env))


class Counted(Quantifier):
    """How many members match, against bounds."""

    def __init__(self, match: Match, bounds: Sequence[tuple[str, Term]]) -> None:
        self.bounds = tuple(bounds)
        super().__init__(match)

    def test(self, fits: Test) -> Test:
        bounds = tuple((COMPARISONS[op][0], term) for op, term in self.bounds)

        def holds(value: Any, env: Env) -> bool:
            number = 0
            for member in value or ():
                if fits(member, env):
                    number += 1
            for fulfils, term in bounds:
                limit = term.value(env)
                if not (fulfils(number, limit) if limit is not None else not term.is_reference):
                    return False
            return True

        return holds

    @property
    def phrase(self) -> str:
        return f"counts {self.limits}{self.members}"

    @property
    def limits(self) -> str:
        return joined(f"{COMPARISONS[op][1]} {term.words}" for op, term in self.bounds)

    @property
    def members(self) -> str:
        if isinstance(self.match, Anything):
            return ""
        if isinstance(self.match, Fits):
            return f" where {self.match.selector.words}"
        return f" of {self.match.words}"

    def why(self, value: Any, env: Env, because: Because = nobody) -> str:
        found = self.fitting(value, env)
        told = f" ({listed([show(v) + because(v) for v in found])})" if found else ""
        return f"counts {len(found)}{self.members}{told}, should count {self.limits}"

    def blamed(self, value: Any, env: Env) -> tuple[Any, ...]:
        return self.fitting(value, env)


class Quantified(Match):
    """Several questions about one set, all of which must hold."""

    def __init__(self, parts: Sequence[Match]) -> None:
        self.parts = tuple(parts)
        tests = tuple(part.holds for part in self.parts)

        def holds(value: Any, env: Env) -> bool:
            for test in tests:  # noqa: SIM110
                if not test(value, env):
                    return False
            return True

        self.holds = holds

    @property
    def words(self) -> str:
        return f"a set that {self.phrase}"

    @property
    def phrase(self) -> str:
        return joined(p.phrase for p in self.parts)

    def why(self, value: Any, env: Env, because: Because = nobody) -> str:
        return next(p.why(value, env, because) for p in self.parts if not p.holds(value, env))

    def blamed(self, value: Any, env: Env) -> tuple[Any, ...]:
        return next(p.blamed(value, env) for p in self.parts if not p.holds(value, env))


def _any_of(match: Match) -> str:
    return f"any of {', '.join(m.words for m in match.matches)}" if isinstance(match, OneOf) else match.words


def _member(match: Match, env: Env) -> str:
    return "anything" if isinstance(match, Anything) else match.wanted(env)
