"""The compiler for the inside of a trace: it remembers which references each condition makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from compiler.findings import Place
from compiler.model.types import Type
from compiler.rules.compiler import Compiler, Scope
from compiler.rules.refs import Ref
from compiler.rules.selectors import AllOf, Always, Condition, Selector
from compiler.rules.trace.parts import Amount, Ask
from compiler.rules.vocabulary import item

PATH = Type("item", kind="path")  # what @path is: its attributes are the flags of the trace
_VARYING = frozenset(("tracer", "start"))


@dataclass(frozen=True, slots=True)
class _Look:
    """What a condition looks at: the roots of its references, and the attributes it reads."""

    roots: frozenset[str]
    reads: frozenset[tuple[str, str]]


@dataclass
class Reader(Compiler):
    """`refs` are the references made since it was last emptied; `paths` all @tracer paths of the trace."""

    refs: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    paths: set[tuple[str, ...]] = field(default_factory=set)
    looks: dict[Condition, _Look] = field(default_factory=dict)

    def ref(self, text: str, scope: Scope, place: Place) -> tuple[Ref, Type] | None:
        found = super().ref(text, scope, place)
        if found is not None:
            self.refs.add((found[0].root, found[0].path))
        return found

    def taken(self) -> frozenset[str]:
        """The roots referred to since the last call."""
        self.paths |= {path for root, path in self.refs if root == "tracer"}
        roots = frozenset(root for root, _ in self.refs)
        self.refs = set()
        return roots

    def condition(self, key: str, value: object, scope: Scope, place: Place) -> Condition | None:
        """As always; and what it looks at is remembered."""
        refs, self.refs = self.refs, set()
        reads, self.reads = self.reads, set()
        made = super().condition(key, value, scope, place)
        if made is not None:
            self.looks[made] = _Look(frozenset(root for root, _ in self.refs), frozenset(self.reads))
        refs |= self.refs
        reads |= self.reads
        self.refs, self.reads = refs, reads
        return made

    def ask(self, value: object, scope: Scope, place: Place, on_the_way: bool = False) -> Ask:
        """A selector, its keys sorted into those that are the same for every tracer and the others."""
        self.taken()
        if not isinstance(value, Mapping):
            selector = self.selector(value, scope, place)
            return Ask(selector, selector, None, frozenset())
        every: list[Condition] = []
        roots: set[str] = set()
        for key, part in value.items():
            made = self.condition(key, part, scope, place / key) if key != "note" else None
            if on_the_way:
                self.check_start(place / key)
            looked = self.taken()
            if made is not None:
                every.append(made)
                roots |= looked
        fixed: list[Condition] = []
        rest: list[Condition] = []
        own: list[Condition] = []
        printed: list[Condition] = []
        single = list(_single(every))
        for made in single:
            look = self.looks[made]
            (rest if look.roots & _VARYING else fixed).append(made)
            if scope.current == item("link") and self.is_written(look):
                own.append(made)
            if scope.current == item("space") and self.is_printed(look):
                printed.append(made)
        return Ask(
            Selector(every), _selector(fixed), _selector(rest), frozenset(roots),
            bool(own) and len(own) == len(single), _selector(own), _selector(printed),
        )  # fmt: skip

    def is_written(self, look: _Look) -> bool:
        """Whether what is read of a link is written in the map, and its ends do not matter."""
        names = {name for kind, name in look.reads if kind == "link"}
        written = {"id", "kind", "tags"} | {name for kind, name in self.vocabulary.declared if kind == "link"}
        return names <= written and not look.roots & {"from", "to", "link", "start"}

    def is_printed(self, look: _Look) -> bool:
        """Whether all that is read of a space stands on the map."""
        declared = self.vocabulary.declared
        facts = {name for (kind, name), of in declared.items() if kind == "space" and of.fact}
        printed = {"kind", "map"} | {name for kind, name in declared if kind == "space"} - facts
        return not look.roots and all(kind == "space" and name in printed for kind, name in look.reads)

    def amount(self, value: object, scope: Scope, place: Place) -> Amount:
        self.taken()
        term = self.number(value, scope, place)
        return Amount(term, self.taken())

    def check_start(self, place: Place) -> None:
        """Once a line has left its start, @start is nothing: only "is this the start?" can be asked on the way."""
        for root, path in self.refs:
            if root == "start" and path:
                told = ".".join(("@start", *path))
                help = "only 'start', 'budget' and the first leg's 'at_most' may read the start's attributes"
                self.report("R122", f"{told} is read on the way, where the start is left behind", place, help)


OPEN = Ask(Selector([Always(True)]), None, None, frozenset())


def _single(conditions: Iterable[Condition]) -> Iterator[Condition]:
    """What must all hold, one by one, wherever it is written."""
    for condition in conditions:
        if isinstance(condition, AllOf):
            for selector in condition.selectors:
                yield from _single(selector.conditions)
        else:
            yield condition


def _selector(conditions: list[Condition]) -> Selector | None:
    return Selector(conditions) if conditions else None


def reader(c: Compiler, flags: Mapping[str, Type]) -> Reader:
    """A reader that reports where `c` reports."""
    types: dict[tuple[str, str], Any] = {**c.vocabulary.types, **{("path", n): t for n, t in flags.items()}}
    c.reads = set()
    return Reader(
        replace(c.vocabulary, types=types), c.selectors, c.ways, c.tables, c.findings, c.hints, c.reads, c.used,
        c.rows, c.meant, c.roots, c.moved, noted=c.noted,
    )  # fmt: skip


def scope_of(kind: str, *names: str) -> Scope:
    """The scope of a condition: the scenario, the tracer, and those of the trace's own roots that are known there."""
    known = {
        "start": item("space"), "from": item("space"), "to": item("space"), "link": item("link"),
        "path": PATH,
    }  # fmt: skip
    return Scope(
        {"scenario": item("scenario"), "tracer": item(kind), **{name: known[name] for name in names}}
    )
