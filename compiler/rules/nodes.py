"""Compiled rule parts: references, matches, conditions and terms.

Each node answers `holds` or `value` for a current item and an environment of bound names, and can say in words what it
asks (`words`) and why it failed (`why`), so that evidence comes from the same code that gave the verdict.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from compiler.rules.items import Env, Item, Number, Trouble

COMPARISONS: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "at_most": (lambda a, b: a <= b, "at most"),
    "at_least": (lambda a, b: a >= b, "at least"),
    "less_than": (lambda a, b: a < b, "less than"),
    "more_than": (lambda a, b: a > b, "more than"),
    "equals": (lambda a, b: a == b, "exactly"),
}


def show(value: Any) -> str:
    """A value as an author would write it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Item):
        return f"'{short(value)}'"
    if isinstance(value, tuple):
        return "none" if not value else ", ".join(show(v) for v in value[:5]) + more(len(value) - 5)
    if isinstance(value, str):
        return f"'{value}'"
    return plain(value)


def plain(number: Number) -> str:
    """3, 3.5, or 1/3 where no decimal is exact."""
    if isinstance(number, int):
        return str(number)
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return str(number) if rest != 1 else f"{Decimal(number.numerator) / Decimal(number.denominator):f}"


def more(rest: int) -> str:
    return f" and {rest} more" if rest > 0 else ""


def short(item: Item) -> str:
    """Pieces without a name of their own are called by their counter."""
    if item.kind in ("piece", "arrival") and ("@" in item.id or "#" in item.id):
        counter = item.attrs.get("counter")
        return counter.id if isinstance(counter, Item) else item.id
    return item.id


# References ---------------------------------------------------------------------------------------------------------


class Ref:
    """`@root.attr.attr`: nothing on the way gives nothing."""

    __slots__ = ("path", "root", "text")

    def __init__(self, root: str, path: tuple[str, ...]) -> None:
        self.root, self.path = root, path
        self.text = ".".join(("@" + root, *path))

    def value(self, env: Env) -> Any:
        found = env[self.root]
        for name in self.path:
            if found is None:
                return None
            found = found.get(name)
        return found


# Matches: a value (an attribute's, or the current item) against what the author wrote ---------------------------------


class Match:
    """`missing` is the answer for nothing: false unless `not` or null turn it."""

    words = ""

    def holds(self, value: Any, env: Env) -> bool:
        raise NotImplementedError

    def why(self, value: Any, env: Env) -> str:
        return f"is {show(value)}, should be {self.words}"


class Anything(Match):
    words = "anything"

    def holds(self, value: Any, env: Env) -> bool:
        return value is not None


class Never(Match):
    words = "never"

    def holds(self, value: Any, env: Env) -> bool:
        return False


class Literal(Match):
    def __init__(self, literal: Any) -> None:
        self.literal = literal
        self.words = show(literal)

    def holds(self, value: Any, env: Env) -> bool:
        return bool(value == self.literal) and isinstance(value, bool) == isinstance(self.literal, bool)


class Named(Match):
    """An item by its id."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.words = f"'{id}'"

    def holds(self, value: Any, env: Env) -> bool:
        return value is not None and value.id == self.id


class Nothing(Match):
    words = "nothing"

    def holds(self, value: Any, env: Env) -> bool:
        return value is None


class OneOf(Match):
    def __init__(self, matches: Sequence[Match]) -> None:
        self.matches = tuple(matches)
        self.words = " or ".join(m.words for m in matches)

    def holds(self, value: Any, env: Env) -> bool:
        return any(m.holds(value, env) for m in self.matches)


class SameAs(Match):
    """Equal to a reference, or one of it if it is a set. A reference to nothing matches nothing."""

    def __init__(self, ref: Ref, is_set: bool) -> None:
        self.ref, self.is_set = ref, is_set
        self.words = ref.text

    def holds(self, value: Any, env: Env) -> bool:
        other = self.ref.value(env)
        if other is None or value is None:
            return False
        return value in other if self.is_set else bool(value == other)

    def why(self, value: Any, env: Env) -> str:
        among = "one of " if self.is_set else ""
        return f"is {show(value)}, should be {among}{self.ref.text} ({show(self.ref.value(env))})"


class Compared(Match):
    """All comparisons hold, and the value is not what `not` excludes."""

    def __init__(self, bounds: Sequence[tuple[str, Term]], denied: Match | None, order: bool) -> None:
        self.bounds, self.denied, self.order = tuple(bounds), denied, order
        parts = [f"{COMPARISONS[op][1]} {term.words}" for op, term in bounds]
        self.words = " and ".join(parts + ([f"not {denied.words}"] if denied else []))

    def holds(self, value: Any, env: Env) -> bool:
        if self.denied is not None and self.denied.holds(value, env):
            return False
        if not self.bounds:
            return True
        mine = rank(value, env) if self.order else value
        for op, term in self.bounds:
            other = term.value(env)
            other = rank(other, env) if self.order else other
            if mine is None or other is None or not COMPARISONS[op][0](mine, other):
                return False
        return True


def rank(date: Any, env: Env) -> Any:
    """Dates are ordered as the sequence lists them."""
    return None if date is None else env["scenario"].world.dates.get(date)


class Fits(Match):
    """An item fulfils a selector."""

    def __init__(self, selector: Selector) -> None:
        self.selector = selector
        self.words = selector.words

    def holds(self, value: Any, env: Env) -> bool:
        return self.selector.holds(value, env)

    def why(self, value: Any, env: Env) -> str:
        if value is None:
            return f"is nothing, should be such that {self.words}"
        return f"({show(value)}): " + self.selector.why(value, env)


class Some(Match):
    """A set one of whose members matches."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.words = f"some {match.words}"

    def holds(self, value: Any, env: Env) -> bool:
        return any(self.match.holds(v, env) for v in value or ())

    def why(self, value: Any, env: Env) -> str:
        return f"has none that is {self.match.words} (it has {show(value or ())})"


class Count(Match):
    """One quantifier of a set: some, none, every, or how many match."""

    def __init__(self, how: str, match: Match, bounds: Sequence[tuple[str, Term]] = ()) -> None:
        self.how, self.match, self.bounds = how, match, tuple(bounds)
        if how == "count":
            self.words = (
                " and ".join(f"{COMPARISONS[op][1]} {t.words}" for op, t in bounds)
                + f" that are {match.words}"
            )
        else:
            self.words = f"{how} {match.words}"

    def holds(self, value: Any, env: Env) -> bool:
        members = value or ()
        if self.how == "some":
            return any(self.match.holds(v, env) for v in members)
        if self.how == "none":
            return not any(self.match.holds(v, env) for v in members)
        if self.how == "every":
            return all(self.match.holds(v, env) for v in members)
        number = sum(1 for v in members if self.match.holds(v, env))
        return all(COMPARISONS[op][0](number, term.number(env)) for op, term in self.bounds)

    def why(self, value: Any, env: Env) -> str:
        members = tuple(v for v in value or () if self.match.holds(v, env))
        if self.how == "some":
            return f"has none that is {self.match.words}"
        if self.how == "none":
            return f"has {show(members)}, should have none that is {self.match.words}"
        if self.how == "every":
            bad = next(v for v in value if not self.match.holds(v, env))
            return f"has {show(bad)}: {self.match.why(bad, env)}"
        return f"has {len(members)} that are {self.match.words}, should have {self.words}"


class Quantified(Match):
    def __init__(self, parts: Sequence[Match]) -> None:
        self.parts = tuple(parts)
        self.words = " and ".join(p.words for p in parts)

    def holds(self, value: Any, env: Env) -> bool:
        return all(p.holds(value, env) for p in self.parts)

    def why(self, value: Any, env: Env) -> str:
        return next(p.why(value, env) for p in self.parts if not p.holds(value, env))


# Conditions: the keys of a selector -----------------------------------------------------------------------------------


class Condition:
    """Asked of a current item, which may be nothing."""

    words = ""

    def holds(self, item: Item | None, env: Env) -> bool:
        raise NotImplementedError

    def why(self, item: Item | None, env: Env) -> str:
        return f"it is not so that {self.words}"


class Selector:
    """All conditions hold."""

    __slots__ = ("conditions", "words")

    def __init__(self, conditions: Sequence[Condition]) -> None:
        self.conditions = tuple(conditions)
        self.words = " and ".join(c.words for c in conditions) or "anything"

    def holds(self, item: Item | None, env: Env) -> bool:
        return all(c.holds(item, env) for c in self.conditions) and (
            item is not None or bool(self.conditions)
        )

    def why(self, item: Item | None, env: Env) -> str:
        return next(
            (c.why(item, env) for c in self.conditions if not c.holds(item, env)), "there is nothing to test"
        )


class Always(Condition):
    def __init__(self, verdict: bool) -> None:
        self.verdict = verdict
        self.words = "always" if verdict else "never"

    def holds(self, item: Item | None, env: Env) -> bool:
        return self.verdict

    def why(self, item: Item | None, env: Env) -> str:
        return "it is never allowed"


class Has(Condition):
    """An attribute of the current item, by its path, matches."""

    def __init__(self, path: tuple[str, ...], match: Match) -> None:
        self.path, self.match = path, match
        self.words = f"{'.'.join(path)} is {match.words}"

    def read(self, item: Item | None) -> tuple[bool, Any]:
        """Whether the way to the attribute exists, and the attribute."""
        for name in self.path[:-1]:
            if item is None:
                return False, None
            item = item.get(name)
        return (False, None) if item is None else (True, item.get(self.path[-1]))

    def holds(self, item: Item | None, env: Env) -> bool:
        there, value = self.read(item)
        return there and self.match.holds(value, env)

    def why(self, item: Item | None, env: Env) -> str:
        there, value = self.read(item)
        if not there:
            return f"there is no {'.'.join(self.path[:-1]) or 'item'}"
        return f"{'.'.join(self.path)} {self.match.why(value, env)}{self.witness(item)}"

    def witness(self, item: Item | None) -> str:
        if item is None or len(self.path) != 1:
            return ""
        seen = item.world.witnesses.get((item.kind, item.id, self.path[0]))
        if not seen:
            return ""
        first = next(iter(seen.values()))
        return f" (because of {show(first)})" if isinstance(first, Item) else ""


class Refers(Condition):
    """The same test on another item or value."""

    def __init__(self, ref: Ref, match: Match, nested: bool) -> None:
        self.ref, self.match, self.nested = ref, match, nested
        self.words = f"{ref.text} is {match.words}"

    def holds(self, item: Item | None, env: Env) -> bool:
        if item is None and self.nested:
            return False
        return self.match.holds(self.ref.value(env), env)

    def why(self, item: Item | None, env: Env) -> str:
        return f"{self.ref.text} {self.match.why(self.ref.value(env), env)}"


class AllOf(Condition):
    def __init__(self, selectors: Sequence[Selector]) -> None:
        self.selectors = tuple(selectors)
        self.words = " and ".join(s.words for s in selectors)

    def holds(self, item: Item | None, env: Env) -> bool:
        return all(s.holds(item, env) for s in self.selectors)

    def why(self, item: Item | None, env: Env) -> str:
        return next(s.why(item, env) for s in self.selectors if not s.holds(item, env))


class AnyOf(Condition):
    def __init__(self, selectors: Sequence[Selector]) -> None:
        self.selectors = tuple(selectors)
        self.words = "(" + " or ".join(s.words for s in selectors) + ")"

    def holds(self, item: Item | None, env: Env) -> bool:
        return any(s.holds(item, env) for s in self.selectors)

    def why(self, item: Item | None, env: Env) -> str:
        return "; ".join(s.why(item, env) for s in self.selectors)


class Is(Condition):
    """The current item itself matches (`is`), or does not (`not`)."""

    def __init__(self, match: Match, denied: bool) -> None:
        self.match, self.denied = match, denied
        self.words = f"it is {'not ' if denied else ''}{match.words}"

    def holds(self, item: Item | None, env: Env) -> bool:
        return self.match.holds(item, env) != self.denied

    def why(self, item: Item | None, env: Env) -> str:
        if self.denied:
            return f"it is {self.match.words}"
        return f"it {self.match.why(item, env)}"


class Compare(Condition):
    def __init__(self, left: Term, op: str, right: Term, order: bool) -> None:
        self.left, self.op, self.right, self.order = left, op, right, order
        self.words = f"{left.words} is {COMPARISONS[op][1]} {right.words}"

    def holds(self, item: Item | None, env: Env) -> bool:
        a, b = self.left.value(env), self.right.value(env)
        if self.order:
            a, b = rank(a, env), rank(b, env)
        return a is not None and b is not None and COMPARISONS[self.op][0](a, b)

    def why(self, item: Item | None, env: Env) -> str:
        a, b = show(self.left.value(env)), show(self.right.value(env))
        return f"{self.left.words} is {a}, should be {COMPARISONS[self.op][1]} {b}"


class Way:
    """How to go from space to space: which links, which spaces, at what cost."""

    def __init__(self, links: Selector, enter: Selector, go_on: Selector, cost: Term, name: str) -> None:
        self.links, self.enter, self.go_on, self.cost, self.name = links, enter, go_on, cost, name

    def steps(self, space: Item, env: Env) -> Iterator[tuple[Item, Number]]:
        scope = dict(env)
        for link in space.get("links_out"):
            to = link.attrs["to"]
            scope.update({"from": space, "to": to, "link": link})
            if self.links.holds(link, scope) and self.enter.holds(to, scope):
                yield to, self.cost.number(scope)

    def reach(self, start: Item, limit: Number | None, env: Env) -> Iterator[tuple[Number, Item]]:
        """Spaces by cost from the start, itself first, nearest first, ties by id."""
        best: dict[Item, Number] = {}
        heap: list[tuple[Number, str, Item]] = [(0, start.id, start)]
        while heap:
            cost, _, space = heapq.heappop(heap)
            if space in best:
                continue
            best[space] = cost
            yield cost, space
            if space is not start and not self.go_on.holds(space, env):
                continue
            for to, step in self.steps(space, env):
                total = cost + step
                if to not in best and (limit is None or total <= limit):
                    heapq.heappush(heap, (total, to.id, to))


class Within(Condition):
    """Some space that matches lies within the distance of the current space, itself included."""

    def __init__(self, distance: Term, of: Selector, way: Way, through: str | None) -> None:
        self.distance, self.of, self.way, self.through = distance, of, way, through
        self.words = f"within {distance.words} of a space where {of.words}"

    def holds(self, item: Item | None, env: Env) -> bool:
        start = item.get(self.through) if item is not None and self.through else item
        if start is None:
            return False
        limit = self.distance.number(env)
        return any(self.of.holds(space, env) for _, space in self.way.reach(start, limit, env))


# Terms ----------------------------------------------------------------------------------------------------------------


class Term:
    words = ""

    def value(self, env: Env) -> Any:
        raise NotImplementedError

    def number(self, env: Env) -> Any:
        found = self.value(env)
        if found is None or isinstance(found, (bool, str, Item, tuple)):
            raise Trouble(f"{self.words} is {show(found)}, where a number is needed")
        return found

    def counted(self, env: Env) -> tuple[Item, ...]:
        """The items that went into the number: the evidence."""
        return ()


class Constant(Term):
    def __init__(self, constant: Any) -> None:
        self.constant = constant
        self.words = show(constant)

    def value(self, env: Env) -> Any:
        return self.constant


class RefTerm(Term):
    def __init__(self, ref: Ref) -> None:
        self.ref = ref
        self.words = ref.text

    def value(self, env: Env) -> Any:
        return self.ref.value(env)


class Gather:
    """The iterated items of a count, sum, largest or smallest, each bound to a name while it is looked at."""

    def __init__(self, kind: str | None, ref: Ref | None, selector: Selector, name: str) -> None:
        self.kind, self.ref, self.selector, self.name = kind, ref, selector, name
        self.words = f"{kind or (ref.text if ref else '')} where {selector.words}"

    def items(self, env: Env) -> Iterator[tuple[Item, Env]]:
        source = self.ref.value(env) or () if self.ref else env["scenario"].world.all(self.kind or "")
        scope = dict(env)
        for item in source:
            scope[self.name] = item
            if self.selector.holds(item, scope):
                yield item, scope


class CountTerm(Term):
    def __init__(self, gather: Gather) -> None:
        self.gather = gather
        self.words = f"the number of {gather.words}"

    def value(self, env: Env) -> Any:
        return sum(1 for _ in self.gather.items(env))

    def counted(self, env: Env) -> tuple[Item, ...]:
        return tuple(item for item, _ in self.gather.items(env))


class Fold(Term):
    """sum, largest, smallest of an attribute or a term over iterated items."""

    def __init__(
        self, how: str, gather: Gather, attribute: str | None, term: Term | None, otherwise: Term | None
    ) -> None:
        self.how, self.gather, self.attribute, self.term, self.otherwise = (
            how,
            gather,
            attribute,
            term,
            otherwise,
        )
        self.words = f"the {how} of {attribute or (term.words if term else '')} over {gather.words}"

    def value(self, env: Env) -> Any:
        found = [self.one(item, scope) for item, scope in self.gather.items(env)]
        if self.how == "sum":
            return sum(found)
        if not found:
            return self.otherwise.value(env) if self.otherwise else None
        return max(found) if self.how == "largest" else min(found)

    def one(self, item: Item, scope: Env) -> Any:
        if self.term is not None:
            return self.term.number(scope)
        value = item.get(self.attribute or "")
        if value is None or isinstance(value, (bool, str, Item, tuple)):
            raise Trouble(
                f"{self.attribute} of {show(item)} is {show(value)}, where a number is needed (give it a default)"
            )
        return value

    def counted(self, env: Env) -> tuple[Item, ...]:
        return tuple(item for item, _ in self.gather.items(env))


class Arithmetic(Term):
    def __init__(self, how: str, terms: Sequence[Term]) -> None:
        self.how, self.terms = how, tuple(terms)
        joint = {"add": " + ", "times": " × ", "subtract": " - "}.get(how)
        inner = (joint or ", ").join(t.words for t in terms)
        self.words = f"({inner})" if joint else f"the {how} of ({inner})"

    def value(self, env: Env) -> Any:
        numbers = [exact(t.number(env)) for t in self.terms]
        if self.how == "add":
            return tidy(sum(numbers))
        if self.how == "subtract":
            return tidy(numbers[0] - numbers[1])
        if self.how == "times":
            product = Fraction(1)
            for number in numbers:
                product *= number
            return tidy(product)
        return tidy(max(numbers) if self.how == "max" else min(numbers))

    def counted(self, env: Env) -> tuple[Item, ...]:
        return tuple(dict.fromkeys(item for t in self.terms for item in t.counted(env)))


class Divide(Term):
    def __init__(self, left: Term, right: Term, rounding: str) -> None:
        self.left, self.right, self.rounding = left, right, rounding
        self.words = f"({left.words} ÷ {right.words}" + (
            ")" if rounding == "exact" else f", rounded {rounding})"
        )

    def value(self, env: Env) -> Any:
        below = exact(self.right.number(env))
        if below == 0:
            raise Trouble(f"{self.words} divides by nothing")
        result = exact(self.left.number(env)) / below
        if self.rounding == "up":
            return -((-result.numerator) // result.denominator)
        return result.numerator // result.denominator if self.rounding == "down" else tidy(result)

    def counted(self, env: Env) -> tuple[Item, ...]:
        return self.left.counted(env)


def exact(number: Number) -> Fraction:
    return Fraction(number)


def tidy(number: Fraction | int) -> Number:
    if isinstance(number, int):
        return number
    return number.numerator if number.denominator == 1 else number


class Lookup(Term):
    """A table cell. `table` is the table itself or a reference to one."""

    def __init__(self, name: str, table: Any, rows: Sequence[Term], otherwise: Term | None) -> None:
        self.name, self.table, self.rows, self.otherwise = name, table, tuple(rows), otherwise
        self.words = f"{name}[{', '.join(r.words for r in rows)}]"

    def value(self, env: Env) -> Any:
        cell = self.table.value(env) if isinstance(self.table, Ref) else self.table
        for row in self.rows:
            key = row.value(env)
            key = key.id if isinstance(key, Item) else plain(key) if isinstance(key, (int, Fraction)) else key
            if not isinstance(cell, dict) or key not in cell:
                if self.otherwise is not None:
                    return self.otherwise.value(env)
                raise Trouble(f"table '{self.name}' has no row {show(key)}")
            cell = cell[key]
        return Fraction(cell) if isinstance(cell, Decimal) else cell


class First(Term):
    """The first branch whose condition holds."""

    def __init__(self, branches: Sequence[tuple[Selector, Term]], otherwise: Term | None) -> None:
        self.branches, self.otherwise = tuple(branches), otherwise
        parts = [f"{t.words} if {s.words}" for s, t in branches]
        self.words = ", ".join(parts) + (f", else {otherwise.words}" if otherwise else "")

    def pick(self, env: Env) -> Term | None:
        for selector, term in self.branches:
            if selector.holds(None, env):
                return term
        return self.otherwise

    def value(self, env: Env) -> Any:
        term = self.pick(env)
        return None if term is None else term.value(env)

    def counted(self, env: Env) -> tuple[Item, ...]:
        term = self.pick(env)
        return () if term is None else term.counted(env)
