"""`fit` as written: the items, and the bins with slots they are to be put into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from compiler.findings import Place
from compiler.model.types import Type
from compiler.rules.compiler import Compiler, Scope
from compiler.rules.selectors import Selector
from compiler.rules.terms import Constant, Gather, Term
from compiler.rules.typed import type_word


@dataclass(frozen=True, slots=True)
class Measure:
    """One capacity of a slot: the size an item takes of it, and how much there is (nothing: no limit)."""

    size: Term
    at_most: Term


@dataclass(frozen=True, slots=True)
class Slot:
    name: str
    takes: Selector
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Bin:
    """One place (`gather` None), or one for each item gathered; `loads` are alternatives of which a bin uses one."""

    gather: Gather | None
    loads: tuple[tuple[Slot, ...], ...]


@dataclass(frozen=True, slots=True)
class Fit:
    """`tied` is the attribute that already names an item's bin."""

    items: Gather
    bins: tuple[Bin, ...]
    tied: str | None


def compile_fit(c: Compiler, value: object, scope: Scope, place: Place) -> Fit | None:
    if not isinstance(value, Mapping):
        c.malformed("an object with 'items' and 'bins'", value, place)
        return None
    c.unknown_fields(value, ("items", "bins", "tied", "note"), place)
    items, bins = value.get("items"), value.get("bins")
    if not isinstance(items, Mapping) or "each" not in items:
        c.malformed(
            '\'items\' as {"each": …, "if": …}', items, place / "items" if "items" in value else place
        )
        return None
    if not isinstance(bins, list) or not bins:
        c.malformed("'bins' as a list", bins, place / "bins" if "bins" in value else place)
        return None
    c.unknown_fields(items, ("each", "if", "as", "note"), place / "items")
    gather, _, of = c.gather(items["each"], items, scope, place / "items", place / "items" / "each")
    found = [_bin(c, part, scope, of, place / "bins" / i) for i, part in enumerate(bins)]
    tied = _tied(c, value["tied"], of, place / "tied") if "tied" in value else None
    return Fit(gather, tuple(b for b in found if b is not None), tied)


def _tied(c: Compiler, value: object, of: Type, place: Place) -> str | None:
    if not isinstance(value, str):
        c.malformed("an attribute of the items", value, place)
        return None
    type = c.walk(of, (value,), place)
    if type is not None and (type.base != "item" or type.is_set):
        c.report("R103", f"'{value}' is {type_word(type)}; it should be the item that is the bin", place)
    return value


def _bin(c: Compiler, value: object, scope: Scope, of: Type, place: Place) -> Bin | None:
    if not isinstance(value, Mapping) or ("slots" in value) == ("loads" in value):
        c.malformed("a bin with 'slots' or 'loads'", value, place)
        return None
    c.unknown_fields(value, ("each", "if", "as", "slots", "loads", "note"), place)
    gather, inner = None, scope
    if "each" in value:
        gather, _, holder = c.gather(value["each"], value, scope, place, place / "each")
        inner = scope.bind("bin", holder, "the carrier")
    if "slots" in value:
        return Bin(gather, (_load(c, value["slots"], inner, of, place / "slots"),))
    if not isinstance(value["loads"], list) or not value["loads"]:
        c.malformed("a list of loads, each a list of slots", value["loads"], place / "loads")
        return None
    loads = [_load(c, load, inner, of, place / "loads" / i) for i, load in enumerate(value["loads"])]
    return Bin(gather, tuple(loads))


def _load(c: Compiler, value: object, scope: Scope, of: Type, place: Place) -> tuple[Slot, ...]:
    if not isinstance(value, list) or not value:
        c.malformed("a list of slots", value, place)
        return ()
    found = [_slot(c, slot, scope, of, place / i) for i, slot in enumerate(value)]
    return tuple(slot for slot in found if slot is not None)


def _slot(c: Compiler, value: object, scope: Scope, of: Type, place: Place) -> Slot | None:
    if not isinstance(value, Mapping) or ("hold" in value) == ("holds" in value):
        c.malformed("a slot with 'hold' or 'holds'", value, place)
        return None
    c.unknown_fields(value, ("slot", "takes", "hold", "holds", "size", "note", "section"), place)
    if "holds" in value and "size" in value:
        c.report("R114", "with 'holds' each measure has its own 'size'", (place / "size").key())
    inner = scope.bind("item", of)
    takes = c.selector(value.get("takes", True), inner.at(of), place / "takes")
    name = value.get("slot", "place")
    if not isinstance(name, str):
        c.malformed("a name", name, place / "slot")
    if "hold" in value:
        measures = [Measure(_size(c, value, inner, place), c.number(value["hold"], scope, place / "hold"))]
    else:
        measures = _measures(c, value["holds"], inner, scope, place / "holds")
    return Slot(str(name), takes, tuple(measures))


def _measures(c: Compiler, value: object, inner: Scope, scope: Scope, place: Place) -> list[Measure]:
    out = []
    if not isinstance(value, list) or not value:
        c.malformed('a list of {"size", "at_most"}', value, place)
        return []
    for i, part in enumerate(value):
        if not isinstance(part, Mapping) or "at_most" not in part:
            c.malformed('{"size": …, "at_most": …}', part, place / i)
            continue
        c.unknown_fields(part, ("size", "at_most", "note"), place / i)
        limit = c.number(part["at_most"], scope, place / i / "at_most")
        out.append(Measure(_size(c, part, inner, place / i), limit))
    return out


def _size(c: Compiler, value: Mapping[str, Any], scope: Scope, place: Place) -> Term:
    return c.number(value["size"], scope.at(None), place / "size") if "size" in value else Constant(1)
