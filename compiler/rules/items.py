"""Items: everything a rule can speak of, and the position that holds them.

An item is a bag of attributes. References to other items are the items themselves, sets are tuples, words are strings,
numbers are int or Fraction, nothing is None. What is not stored is asked of the position: derived attributes,
lazily built sets, defaults. Reading a fact that no scenario stated raises `Unknown`, and the rule is not judged.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from compiler.findings import Place

Number = int | Fraction
Env = dict[str, Any]


class Unknown(Exception):
    """A fact that the scenario does not state was read."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"{kind}.{name}")
        self.kind, self.name = kind, name


class Broken(Exception):
    """A definition with an error of its own was read; that error has been reported."""


class Trouble(Exception):
    """A rule asked for something that has no answer here: nothing in a sum, a missing table row."""


class Item:
    """One thing of the position. Compared by identity: a position holds each thing once."""

    __slots__ = ("attrs", "id", "kind", "place", "world")

    def __init__(
        self, world: Position, kind: str, id: str, attrs: dict[str, Any], place: Place | None
    ) -> None:
        self.world = world
        self.kind = kind
        self.id = id
        self.attrs = attrs
        self.place = place

    def get(self, name: str) -> Any:
        try:
            return self.attrs[name]
        except KeyError:
            return self.world.missing(self, name)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.id}>"


class LazyItems(dict[str, Item]):
    """Items by id, made when first asked for; always in the order of their ids. So are the ids."""

    def __init__(self, ids: Callable[[], Mapping[str, object]], make: Callable[[str], Item]) -> None:
        super().__init__()
        self._list, self._make, self._whole = ids, make, False

    @cached_property
    def _ids(self) -> Mapping[str, object]:
        return self._list()

    def __missing__(self, id: str) -> Item:
        if id not in self._ids:
            raise KeyError(id)
        made = self._make(id)
        dict.__setitem__(self, id, made)
        return made

    def __contains__(self, id: object) -> bool:
        return id in self._ids

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self._ids else default

    def values(self) -> Any:
        if not self._whole:
            every = {id: self[id] for id in self._ids}
            dict.clear(self)
            dict.update(self, every)
            self._whole = True
        return dict.values(self)

    def items(self) -> Any:
        self.values()
        return dict.items(self)

    def row(self) -> Row:
        return Row(self)

    def let_go(self) -> None:
        """No more are made: whoever made them need not be kept."""
        vars(self).clear()


class Row(Sequence[Item]):
    """Items by their place in the order of ids, made when first asked for."""

    def __init__(self, of: LazyItems) -> None:
        self._of, self._ids = of, list(of)

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, i: Any) -> Any:
        return self._of[self._ids[i]]


Derivation = Callable[[Item], Any]


class Answers(ABC):
    """What a position keeps for a definition, and takes apart when nobody asks any more."""

    @abstractmethod
    def let_go(self) -> None: ...


@dataclass(eq=False)
class Position:
    """All items of one scenario. `derive` holds how to compute an attribute that is not stored.

    `witnesses` says of an owner and one of its derived sets which item brought each member; `memo` is for definitions.
    `explain` says of a traced attribute why an item has it; `through` adds to attributes all that they are worked out from;
    `lazy` computes what follows from the map alone. `members` are the items that have anything in a set such as `pieces`;
    `beside` says which spaces have a space among their neighbours.
    """

    items: dict[str, dict[str, Item]] = field(default_factory=dict)
    derive: Mapping[tuple[str, str], Derivation] = field(default_factory=dict)
    lazy: dict[tuple[str, str], Derivation] = field(default_factory=dict)
    defaults: Mapping[tuple[str, str], Any] = field(default_factory=dict)
    facts: frozenset[tuple[str, str]] = frozenset()
    dates: Mapping[str, int] = field(default_factory=dict)
    witnesses: dict[tuple[Item, str], dict[Any, Any]] = field(default_factory=dict)
    memo: dict[Any, Any] = field(default_factory=dict)
    explain: Mapping[tuple[str, str], Callable[[Item], Any]] = field(default_factory=dict)
    through: Callable[[Iterable[tuple[str, str]]], set[tuple[str, str]]] = set
    scenario: Item = field(init=False)
    members: dict[tuple[str, str], list[Item]] = field(default_factory=dict)
    beside: Callable[[Item], Sequence[Item]] | None = None
    lets_go: Callable[[], None] | None = None
    filled: list[tuple[dict[str, Any], str]] = field(
        default_factory=list
    )  # what holds for this scenario only

    def all(self, kind: str) -> Iterable[Item]:
        """The items of a kind by id in code-point order: the order of every iteration."""
        return self.items.get(kind, {}).values()

    def row(self, kind: str) -> Sequence[Item]:
        """The same by their place in that order. Those that nobody looks at are never made."""
        found = self.items.get(kind, {})
        return found.row() if isinstance(found, LazyItems) else list(found.values())

    def of_word(self, kind: str, name: str, word: str) -> Iterable[Item]:
        """Those whose attribute is that word, in the same order. Only for attributes that every item of the kind stores."""
        known = self.memo.get(("word", kind))
        if known is None:
            known = self.memo["word", kind] = {}
            for item in self.all(kind):
                known.setdefault(item.attrs[name], []).append(item)
        found: Iterable[Item] = known.get(word, ())
        return found

    def holding(self, kind: str, name: str) -> Sequence[Item] | None:
        """All items of a kind whose set is not empty, and perhaps others, by id; None if that cannot be said."""
        found = self.members.get((kind, name))
        if found is not None:
            return found
        how = getattr(self.derive.get((kind, name)), "__self__", None)
        own: tuple[str, ...] = getattr(how, "own", ())
        if len(own) != 1:
            return None
        return self.holding(kind, own[0])

    def let_go(self) -> None:
        """Ends the use of the position: its ground may bear another one. What holds itself in a circle is taken apart."""
        for kept in self.memo.values():
            if isinstance(kept, Answers):
                kept.let_go()
        self.derive, self.explain, self.witnesses, self.memo = {}, {}, {}, {}
        self.through = set
        del self.scenario
        if self.lets_go is not None:
            self.lets_go()

    def missing(self, item: Item, name: str) -> Any:
        key = (item.kind, name)
        how = self.derive.get(key)
        if how is not None:
            value = how(item)
        elif key in self.lazy:
            value = item.attrs[name] = self.lazy[key](item)
            return value
        elif key in self.defaults:
            value = self.defaults[key]
        elif key in self.facts:
            raise Unknown(*key)
        else:
            value = None
        item.attrs[name] = value
        self.filled.append((item.attrs, name))
        return value
