"""Terms: numbers, words and items worked out from the position. Numbers are exact."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from compiler.rules.items import Env, Item, Number, Trouble
from compiler.rules.refs import Ref
from compiler.rules.selectors import Selector
from compiler.rules.words import plain, show


class Term:
    """`value` may be nothing; `number` insists on a number. `is_plain`: a constant, whose words are its value."""

    is_plain = False
    is_reference = False

    @property
    @abstractmethod
    def words(self) -> str: ...

    @property
    def limit(self) -> str:
        """The words where it is a bound: nothing is no limit."""
        return self.words

    @abstractmethod
    def value(self, env: Env) -> Any: ...

    def number(self, env: Env) -> Any:
        return needed(self.value(env), self)

    def counted(self, env: Env) -> tuple[Any, ...]:
        """The items that went into the number: the evidence."""
        return ()


def needed(found: Any, term: Term) -> Number:
    """The number, or the trouble of having none."""
    if type(found) is int or type(found) is Fraction:
        return found
    raise Trouble(f"{term.words} is {show(found)}, where a number is needed")


class Constant(Term):
    is_plain = True

    def __init__(self, constant: Any) -> None:
        self.constant = constant

    @property
    def words(self) -> str:
        return show(self.constant)

    @property
    def limit(self) -> str:
        return "no limit" if self.constant is None else self.words

    def value(self, env: Env) -> Any:
        return self.constant


class RefTerm(Term):
    is_reference = True

    def __init__(self, ref: Ref) -> None:
        self.ref = ref

    def value(self, env: Env) -> Any:
        return self.ref.value(env)

    @property
    def words(self) -> str:
        return self.ref.words


# Over many items ------------------------------------------------------------------------------------------------------


class Gather:
    """The items of a kind or of a set that pass a selector, each bound to a name while it is looked at."""

    def __init__(self, kind: str | None, ref: Ref | None, selector: Selector, name: str) -> None:
        self.kind, self.ref, self.selector, self.name = kind, ref, selector, name
        self.is_open = selector.is_open

    @property
    def words(self) -> str:
        what = self.ref.words if self.ref else f"{self.kind}s"
        return what if self.is_open else f"{what} where {self.selector.words}"

    def source(self, env: Env) -> Any:
        return self.ref.value(env) or () if self.ref else env["scenario"].world.all(self.kind or "")

    def items(self, env: Env) -> Sequence[Any]:
        source = self.source(env)
        if self.is_open:
            return source if isinstance(source, tuple) else tuple(source)
        scope, name, fits = dict(env), self.name, self.selector.holds
        found = []
        for item in source:
            scope[name] = item
            if fits(item, scope):
                found.append(item)
        return found

    def each(self, env: Env) -> Iterator[tuple[Any, Env]]:
        """The items with the environment in which they were looked at: the same one for all, changing."""
        scope, name, fits, every = dict(env), self.name, self.selector.holds, self.is_open
        for item in self.source(env):
            scope[name] = item
            if (item is not None) if every else fits(item, scope):
                yield item, scope


class CountTerm(Term):
    def __init__(self, gather: Gather) -> None:
        self.gather = gather

    @property
    def words(self) -> str:
        return f"the number of {self.gather.words}"

    def value(self, env: Env) -> Any:
        return len(self.gather.items(env))

    def counted(self, env: Env) -> tuple[Any, ...]:
        return tuple(self.gather.items(env))


class Fold(Term):
    """sum, largest or smallest of a term over gathered items."""

    def __init__(self, how: str, gather: Gather, of: Term, otherwise: Term | None) -> None:
        self.how, self.gather, self.of, self.otherwise = how, gather, of, otherwise

    @property
    def words(self) -> str:
        told = f"the {self.how} of {self.of.words} over all {self.gather.words}"
        return f"{told} (if there is none, {self.otherwise.words})" if self.otherwise else told

    def value(self, env: Env) -> Any:
        found = [self.one(item, scope) for item, scope in self.gather.each(env)]
        if self.how == "sum":
            return tidy(sum(found))
        if not found:
            return self.otherwise.value(env) if self.otherwise else None
        return max(found) if self.how == "largest" else min(found)

    def one(self, item: Any, scope: Env) -> Number:
        found = self.of.value(scope)
        if type(found) is int or type(found) is Fraction:
            return found
        told = f"{self.of.words} of {show(item)} is {show(found)}"
        raise Trouble(f"{told}, where a number is needed (give it a default)")

    def counted(self, env: Env) -> tuple[Any, ...]:
        return tuple(self.gather.items(env))


class Own(Term):
    """An attribute of the gathered item, by its path."""

    def __init__(self, ref: Ref) -> None:
        self.ref = ref

    def value(self, env: Env) -> Any:
        return self.ref.value(env)

    @property
    def words(self) -> str:
        return ".".join(self.ref.path)


# Arithmetic -----------------------------------------------------------------------------------------------------------


def tidy(number: Fraction | int) -> Number:
    return number if isinstance(number, int) else number.numerator if number.denominator == 1 else number


def _product(numbers: Sequence[Number]) -> Number:
    out: Number = 1
    for number in numbers:
        out *= number
    return out


_ARITHMETIC: dict[str, tuple[Callable[[list[Number]], Number], str]] = {
    "add": (sum, " + "),
    "subtract": (lambda numbers: numbers[0] - numbers[1], " - "),
    "times": (_product, " × "),
    "max": (max, "the largest of"),
    "min": (min, "the smallest of"),
}


class Arithmetic(Term):
    def __init__(self, how: str, terms: Sequence[Term]) -> None:
        self.how, self.terms = how, tuple(terms)

    @property
    def words(self) -> str:
        word = _ARITHMETIC[self.how][1]
        parts = [t.words for t in self.terms]
        return f"{word} ({'; '.join(parts)})" if self.how in ("max", "min") else f"({word.join(parts)})"

    def value(self, env: Env) -> Any:
        return tidy(_ARITHMETIC[self.how][0]([t.number(env) for t in self.terms]))

    def counted(self, env: Env) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(item for t in self.terms for item in t.counted(env)))


class Divide(Term):
    def __init__(self, left: Term, right: Term, rounding: str) -> None:
        self.left, self.right, self.rounding = left, right, rounding

    @property
    def words(self) -> str:
        rounded = "" if self.rounding == "exact" else f", rounded {self.rounding}"
        return f"({self.left.words} ÷ {self.right.words}{rounded})"

    def value(self, env: Env) -> Any:
        below = self.right.number(env)
        if below == 0:
            raise Trouble(f"{self.words} divides by nothing")
        result = Fraction(self.left.number(env)) / below
        if self.rounding == "up":
            return -((-result.numerator) // result.denominator)
        return result.numerator // result.denominator if self.rounding == "down" else tidy(result)

    def counted(self, env: Env) -> tuple[Any, ...]:
        return self.left.counted(env)


# Choice ---------------------------------------------------------------------------------------------------------------


class Lookup(Term):
    """A table cell. `table` is the table itself or a reference to one."""

    def __init__(
        self,
        name: str,
        table: Any,
        rows: Sequence[Term],
        otherwise: Term | None,
        noted: set[Any] | None = None,
    ) -> None:
        """`noted` is told which cells are read."""
        self.name, self.table, self.rows, self.otherwise = name, table, tuple(rows), otherwise
        self.noted = noted

    @property
    def words(self) -> str:
        return self.told(self.otherwise.words if self.otherwise else None)

    @property
    def limit(self) -> str:
        return self.told(self.otherwise.limit if self.otherwise else None)

    def told(self, otherwise: str | None) -> str:
        name = self.table.words if isinstance(self.table, Ref) else f"table «{self.name}»"
        cell = f"{name} at {' / '.join(r.words for r in self.rows)}"
        return cell if otherwise is None else f"{cell} (if it has no such row, {otherwise})"

    def value(self, env: Env) -> Any:
        cell = self.table.value(env) if isinstance(self.table, Ref) else self.table
        for row in self.rows:
            key = _key(row.value(env))
            if not (type(cell) is dict or isinstance(cell, Mapping)) or key not in cell:
                if self.otherwise is not None:
                    return self.otherwise.value(env)
                raise Trouble(f"table '{self.name}' has no row {show(key)}")
            cell = cell[key]
        if self.noted is not None:
            self.noted.add(("cell", self.name, tuple(_key(row.value(env)) for row in self.rows)))
        return tidy(Fraction(cell)) if isinstance(cell, Decimal) else cell


def _key(value: Any) -> Any:
    """Rows of a table are words: an item goes by its id, a number by its digits, true and false by their names."""
    if isinstance(value, Item):
        return value.id
    if isinstance(value, bool):
        return "true" if value else "false"
    return plain(value) if isinstance(value, int | Fraction) else value


class First(Term):
    """The first branch whose condition holds."""

    def __init__(
        self,
        branches: Sequence[tuple[Selector, Term]],
        otherwise: Term | None,
        noted: set[Any] | None = None,
        marks: Sequence[Any] = (),
    ) -> None:
        """`noted` is told which branch is taken, by its mark; the last mark is that of `else`."""
        self.branches, self.otherwise = tuple(branches), otherwise
        self.noted, self.marks = noted, tuple(marks)

    @property
    def words(self) -> str:
        return self.told(
            [t.words for _, t in self.branches], self.otherwise.words if self.otherwise else None
        )

    @property
    def limit(self) -> str:
        return self.told(
            [t.limit for _, t in self.branches], self.otherwise.limit if self.otherwise else None
        )

    def told(self, words: list[str], otherwise: str | None) -> str:
        parts = [f"{word} if {s.words}" for word, (s, _) in zip(words, self.branches, strict=True)]
        return f"({'; '.join([*parts, *([f'else {otherwise}'] if otherwise is not None else [])])})"

    def pick(self, env: Env) -> Term | None:
        for i, (selector, term) in enumerate(self.branches):
            if selector.holds(None, env):
                if self.noted is not None:
                    self.noted.add(self.marks[i])
                return term
        if self.noted is not None:
            self.noted.add(self.marks[-1])
        return self.otherwise

    def value(self, env: Env) -> Any:
        term = self.pick(env)
        return None if term is None else term.value(env)

    def counted(self, env: Env) -> tuple[Any, ...]:
        term = self.pick(env)
        return () if term is None else term.counted(env)
