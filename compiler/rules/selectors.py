"""Selectors: conditions on a current item, which may be nothing. A selector holds if all its keys hold.

`needs_item` is true wherever the author speaks of an item: a condition on an item that is not there is false, and only
`not` can turn that. Where there is no current item at all (`unless`, the `if` of a `first`) it is false.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from compiler.rules.items import Env, Item
from compiler.rules.matches import COMPARISONS, Fits, Literal, Match, Named, Nothing, Test, rank
from compiler.rules.refs import Ref, follow
from compiler.rules.words import joined, show

if TYPE_CHECKING:
    from compiler.rules.terms import Term


class Condition:
    """One key of a selector."""

    holds: Test

    @property
    @abstractmethod
    def words(self) -> str: ...

    def why(self, item: Item | None, env: Env) -> str:
        return f"it is not so that {self.words}"

    def blamed(self, item: Item | None, env: Env) -> tuple[Any, ...]:
        """The items because of which it failed, as far as they are not the current one."""
        return ()


class Selector:
    """All conditions hold."""

    __slots__ = ("conditions", "holds")

    def __init__(self, conditions: Sequence[Condition], needs_item: bool = True) -> None:
        self.conditions = tuple(conditions)
        self.holds: Test = _all([c.holds for c in conditions], needs_item)

    @property
    def is_open(self) -> bool:
        """Lets every item through."""
        return self.holds in (_there, _always)

    @property
    def words(self) -> str:
        return joined(c.words for c in self.conditions) or "anything"

    @property
    def alone(self) -> str | None:
        """The words for the item itself, where nothing else is asked of it: "something", "not 'x'"."""
        only = self.conditions[0] if len(self.conditions) == 1 else None
        return only.item_words if isinstance(only, Is) else None

    @property
    def wrapped(self) -> str:
        """The words as one of several alternatives."""
        return f"({self.words})" if len(self.conditions) > 1 else self.words

    def why(self, item: Item | None, env: Env) -> str:
        return next((c.why(item, env) for c in self.conditions if not c.holds(item, env)), "it is not there")

    def blamed(self, item: Item | None, env: Env) -> tuple[Any, ...]:
        return next((c.blamed(item, env) for c in self.conditions if not c.holds(item, env)), ())


def _there(item: Item | None, env: Env) -> bool:
    return item is not None


def _always(item: Item | None, env: Env) -> bool:
    return True


def _all(tests: Sequence[Test], needs_item: bool) -> Test:
    if not tests:
        return _there if needs_item else _always
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        one, two = tests
        return lambda item, env: one(item, env) and two(item, env)
    every = tuple(tests)

    def holds(item: Any, env: Env) -> bool:
        for test in every:  # noqa: SIM110 (a generator would cost twice as much)
            if not test(item, env):
                return False
        return True

    return holds


class Always(Condition):
    def __init__(self, verdict: bool, needs_item: bool = True) -> None:
        self.verdict = verdict
        if verdict:
            self.holds = _there if needs_item else _always
        else:
            self.holds = lambda item, env: False

    @property
    def words(self) -> str:
        return "always" if self.verdict else "never"

    def why(self, item: Item | None, env: Env) -> str:
        return "it may never be"


class Has(Condition):
    """An attribute of the current item, by its path, matches."""

    def __init__(self, path: tuple[str, ...], match: Match) -> None:
        self.path, self.match = path, match
        self.holds = _has(path[-1], match) if len(path) == 1 else _through(path[:-1], _has(path[-1], match))

    @property
    def words(self) -> str:
        return f"{'.'.join(self.path)} {self.match.phrase}"

    def why(self, item: Item | None, env: Env) -> str:
        owner = follow(item, self.path[:-1])
        if owner is None:
            return f"{'.'.join(self.path[:-1]) or 'it'} is nothing, and so has no {self.path[-1]}"
        value = owner.get(self.path[-1])
        told = self.match.why(value, env, lambda member: because(owner, self.path[-1], member))
        return f"{'.'.join(self.path)} {told}{explained(owner, self.path[-1])}"

    def blamed(self, item: Item | None, env: Env) -> tuple[Any, ...]:
        owner = follow(item, self.path[:-1])
        return () if owner is None else self.match.blamed(owner.get(self.path[-1]), env)


def _has(name: str, match: Match) -> Test:
    """The test of one attribute; the commonest are made without a call inside."""
    if isinstance(match, Literal) and isinstance(match.literal, str):
        return _is_word(name, match.literal)
    if isinstance(match, Named) and not match.is_link:
        return _is_named(name, match.id)
    fits = match.holds

    def holds(item: Any, env: Env) -> bool:
        if item is None:
            return False
        attrs = item.attrs
        return fits(attrs[name] if name in attrs else item.world.missing(item, name), env)

    return holds


def _is_word(name: str, word: str) -> Test:
    def holds(item: Any, env: Env) -> bool:
        if item is None:
            return False
        attrs = item.attrs
        return bool((attrs[name] if name in attrs else item.world.missing(item, name)) == word)

    return holds


def _is_named(name: str, id: str) -> Test:
    def holds(item: Any, env: Env) -> bool:
        if item is None:
            return False
        attrs = item.attrs
        value = attrs[name] if name in attrs else item.world.missing(item, name)
        return value is not None and value.id == id

    return holds


def _through(path: tuple[str, ...], test: Test) -> Test:
    if len(path) > 1:
        return lambda item, env: test(follow(item, path), env)
    name = path[0]

    def holds(item: Any, env: Env) -> bool:
        if item is None:
            return False
        attrs = item.attrs
        return test(attrs[name] if name in attrs else item.world.missing(item, name), env)

    return holds


class Refers(Condition):
    """The same test on another item or value."""

    def __init__(self, ref: Ref, match: Match, needs_item: bool) -> None:
        self.ref, self.match = ref, match
        read, fits = ref.value, match.holds
        if needs_item:
            self.holds = lambda item, env: item is not None and fits(read(env), env)
        else:
            self.holds = lambda item, env: fits(read(env), env)

    @property
    def words(self) -> str:
        return f"{self.ref.words} {self.match.phrase}"

    def why(self, item: Item | None, env: Env) -> str:
        owner = follow(env[self.ref.root], self.ref.path[:-1]) if self.ref.path else None
        name = self.ref.path[-1] if self.ref.path else ""
        told = self.match.why(self.ref.value(env), env, lambda member: because(owner, name, member))
        return f"{self.ref.words} {told}{explained(owner, name)}"

    def blamed(self, item: Item | None, env: Env) -> tuple[Any, ...]:
        return self.match.blamed(self.ref.value(env), env)


class AllOf(Condition):
    """`all`, and named selectors put in place, which read back by their names."""

    def __init__(self, selectors: Sequence[Selector], names: Sequence[str] = ()) -> None:
        self.selectors, self.names = tuple(selectors), tuple(names)
        self.holds = _all([s.holds for s in selectors], needs_item=False)

    @property
    def words(self) -> str:
        return joined(f"«{name}»" for name in self.names) or joined(s.words for s in self.selectors)

    def why(self, item: Item | None, env: Env) -> str:
        return next(s.why(item, env) for s in self.selectors if not s.holds(item, env))

    def blamed(self, item: Item | None, env: Env) -> tuple[Any, ...]:
        return next(s.blamed(item, env) for s in self.selectors if not s.holds(item, env))


class AnyOf(Condition):
    def __init__(
        self, selectors: Sequence[Selector], noted: set[Any] | None = None, marks: Sequence[Any] = ()
    ) -> None:
        """`noted` is told by its mark which alternative was the first to hold."""
        self.selectors = tuple(selectors)
        tests = tuple(s.holds for s in selectors)
        if noted is not None:
            tests = tuple(_noting(test, noted, mark) for test, mark in zip(tests, marks, strict=True))

        def holds(item: Any, env: Env) -> bool:
            for test in tests:  # noqa: SIM110
                if test(item, env):
                    return True
            return False

        self.holds = holds

    @property
    def words(self) -> str:
        return f"({' or '.join(s.wrapped for s in self.selectors)})"

    def why(self, item: Item | None, env: Env) -> str:
        return "; and ".join(dict.fromkeys(s.why(item, env) for s in self.selectors))

    def blamed(self, item: Item | None, env: Env) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(found for s in self.selectors for found in s.blamed(item, env)))


def _noting(test: Test, noted: set[Any], mark: Any) -> Test:
    def holds(item: Any, env: Env) -> bool:
        if not test(item, env):
            return False
        noted.add(mark)
        return True

    return holds


class Is(Condition):
    """The current item itself matches (`is`), or does not (`not`)."""

    def __init__(self, match: Match, denied: bool) -> None:
        self.match, self.denied = match, denied
        fits = match.holds
        self.holds = (lambda item, env: not fits(item, env)) if denied else fits

    @property
    def item_words(self) -> str:
        if not self.denied:
            return self.match.words
        return "something" if isinstance(self.match, Nothing) else f"not {self.match.words}"

    @property
    def words(self) -> str:
        if self.denied and isinstance(self.match, Fits):
            return f"it is not so that ({self.match.selector.words})"
        return f"it is {self.item_words}"

    def why(self, item: Item | None, env: Env) -> str:
        if not self.denied:
            return f"it {self.match.why(item, env)}"
        if isinstance(self.match, Fits):
            return f"it may not be so that {self.match.selector.words}"
        return f"it may not be {self.match.wanted(env)}"


class Denied(Condition):
    """`not` where there is no current item: the selector does not hold."""

    def __init__(self, selector: Selector) -> None:
        self.selector = selector
        self.holds = lambda item, env: not selector.holds(item, env)

    @property
    def words(self) -> str:
        return f"it is not so that ({self.selector.words})"


class Compare(Condition):
    """Two terms. An item is compared by its id: both sides are of one kind, or one of them is an id."""

    def __init__(self, left: Term, op: str, right: Term, is_date: bool, needs_item: bool) -> None:
        self.left, self.op, self.right, self.is_date = left, op, right, is_date
        compare = COMPARISONS[op][0]

        def holds(item: Item | None, env: Env) -> bool:
            if needs_item and item is None:
                return False
            a, b = _bare(left.value(env)), _bare(right.value(env))
            if is_date:
                a, b = rank(a, env), rank(b, env)
            return a is not None and b is not None and compare(a, b)

        self.holds = holds

    @property
    def words(self) -> str:
        return f"{self.left.words} is {COMPARISONS[self.op][1]} {self.right.words}"

    def why(self, item: Item | None, env: Env) -> str:
        a, b = show(self.left.value(env)), show(self.right.value(env))
        told = "" if self.right.is_plain else f" ({self.right.words})"
        return f"{self.left.words} is {a}, should be {COMPARISONS[self.op][1]} {b}{told}"


def _bare(value: Any) -> Any:
    return value.id if isinstance(value, Item) else value


# Witnesses ------------------------------------------------------------------------------------------------------------


def explained(owner: Any, name: str) -> str:
    """The path of a traced attribute, or what stopped it."""
    how = owner.world.explain.get((owner.kind, name)) if isinstance(owner, Item) else None
    found = how(owner) if how is not None else None
    return f" ({found.brief})" if found is not None else ""


def because(owner: Any, name: str, member: Any) -> str:
    """Which item put the member into a derived set, and one step further if that one had it from another."""
    found = _witness(owner, name, member)
    if found is None:
        return ""
    each, source, attribute = found
    deeper = _witness(source, attribute, member)
    first = deeper[0] if deeper is not None else each
    return f" (because of {_located(first)})" if isinstance(first, Item) and first is not member else ""


def _witness(owner: Any, name: str, member: Any) -> tuple[Any, Any, str] | None:
    if not isinstance(owner, Item):
        return None
    found: tuple[Any, Any, str] | None = owner.world.witnesses.get((owner, name), {}).get(member)
    return found


def _located(item: Item) -> str:
    space = item.get("space") if item.kind == "piece" else item.attrs["from"] if item.kind == "link" else None
    if item.kind == "link" and space is not None:
        return show(space)
    return f"{show(item)} in {show(space)}" if space is not None else show(item)
