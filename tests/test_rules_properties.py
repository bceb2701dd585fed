"""What holds for every rule file and position: a fit is exact, order means nothing, damage gives findings."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from compiler.findings import Finding
from compiler.model import build
from compiler.model.types import Module
from compiler.rules import compile_rules, judge, read_back, run_case
from compiler.rules.bins import Bin, Fit, Measure, Slot
from compiler.rules.fit import Outcome, solve
from compiler.rules.items import Item, Position
from compiler.rules.matches import Literal, OneOf
from compiler.rules.refs import Ref
from compiler.rules.selectors import Has, Selector
from compiler.rules.terms import Constant, Gather, RefTerm
from compiler.source import locate, read
from compiler.source.document import Document

HERE = Path(__file__).parent
MODULES = sorted(path.parent for path in (HERE / "rules").glob("*/module.json"))
slow = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=150)


# A fit agrees with trying everything ----------------------------------------------------------------------------------

Problem = Mapping[str, Any]

sizes = st.sampled_from([0, 1, 1, 2, 3])
rooms = st.one_of(st.none(), st.integers(0, 4))
measures = st.lists(rooms, min_size=1, max_size=2)
slots = st.fixed_dictionaries({"takes": st.sets(st.sampled_from("xyz"), min_size=1), "room": measures})
loads = st.lists(st.lists(slots, min_size=1, max_size=2), min_size=1, max_size=2)
problems = st.fixed_dictionaries(
    {
        "items": st.lists(st.tuples(st.sampled_from("xyz"), sizes, sizes, st.integers(-1, 2)), max_size=6),
        "bins": st.lists(loads, min_size=1, max_size=3),
        "tied": st.booleans(),
        "even": st.booleans(),
    }
)


def world_of(problem: Problem) -> tuple[Position, Fit]:
    """Pieces of some sort and size; each bin is a space, so that every bin may have slots of its own."""
    world = Position()
    world.scenario = Item(world, "scenario", "s", {}, None)
    bins = []
    for b, written in enumerate(problem["bins"]):
        place = Item(world, "space", f"b{b}", {}, None)
        world.items.setdefault("space", {})[place.id] = place
        world.scenario.attrs[f"bin{b}"] = (place,)
        gather = Gather(None, Ref("scenario", (f"bin{b}",)), Selector([]), "each")
        bins.append(Bin(gather, tuple(tuple(_slot(slot) for slot in load) for load in written)))
    pieces = []
    for i, (sort, one, two, tied) in enumerate(problem["items"]):
        to = world.items["space"].get(f"b{tied}")
        sized = {"one": 1 if problem["even"] else one, "two": 1 if problem["even"] else two}
        pieces.append(Item(world, "piece", f"p{i}", {"sort": sort, **sized, "aboard": to}, None))
    world.scenario.attrs["pieces"] = tuple(pieces)
    items = Gather(None, Ref("scenario", ("pieces",)), Selector([]), "each")
    return world, Fit(items, tuple(bins), "aboard" if problem["tied"] else None)


def _slot(written: Mapping[str, Any]) -> Slot:
    takes = Selector([Has(("sort",), OneOf([Literal(sort) for sort in sorted(written["takes"])]))])
    size = [RefTerm(Ref("item", (name,))) for name in ("one", "two")]
    found = [Measure(size[i], Constant(room)) for i, room in enumerate(written["room"])]
    return Slot("slot", takes, tuple(found))


def fits_at_all(problem: Problem, chosen: Sequence[int]) -> bool:
    """Whether these items can be placed, by trying every load of every bin and every slot for every item."""
    for picked in itertools.product(*(range(len(b)) for b in problem["bins"])):
        slots = [(b, slot) for b, load in enumerate(picked) for slot in problem["bins"][b][load]]
        if _assign(problem, list(chosen), slots, [[0] * len(slot["room"]) for _, slot in slots]):
            return True
    return False


def _assign(problem: Problem, rest: list[int], slots: list[tuple[int, Any]], held: list[list[int]]) -> bool:
    if not rest:
        return True
    sort, one, two, tied = problem["items"][rest[0]]
    size = (1, 1) if problem["even"] else (one, two)
    is_tied = problem["tied"] and 0 <= tied < len(problem["bins"])
    for s, (b, slot) in enumerate(slots):
        if sort not in slot["takes"] or (is_tied and b != tied):
            continue
        after = [have + size[i] for i, have in enumerate(held[s])]
        room_left = all(room is None or have <= room for have, room in zip(after, slot["room"], strict=True))
        if room_left and _assign(problem, rest[1:], slots, [*held[:s], after, *held[s + 1 :]]):
            return True
    return False


def expected_leftovers(problem: Problem) -> list[str]:
    """Items kept in id order as long as a largest placement still exists."""
    every = range(len(problem["items"]))
    groups = [g for k in range(len(every) + 1) for g in itertools.combinations(every, k)]
    possible = [set(group) for group in groups if fits_at_all(problem, group)]
    largest = [group for group in possible if len(group) == max(map(len, possible))]
    kept: set[int] = set()
    for i in every:
        if any(kept | {i} <= group for group in largest):
            kept.add(i)
    return [f"p{i}" for i in every if i not in kept]


@slow
@given(problems)
def test_fit_agrees_with_brute_force(problem: Problem) -> None:
    world, fit = world_of(problem)
    outcome = solve(fit, {"scenario": world.scenario})
    assert outcome.decided
    assert [item.id for item in outcome.left] == expected_leftovers(problem)
    assert len(outcome.placed) + len(outcome.left) == len(problem["items"])


def solved(items: int, bins: Sequence[Any], even: bool, size: int = 1) -> Outcome:
    written = [("x", size, size, -1)] * items
    world, fit = world_of({"items": written, "bins": list(bins), "tied": False, "even": even})
    return solve(fit, {"scenario": world.scenario})


def test_a_large_fit_of_even_sizes_is_decided() -> None:
    deck = [[{"takes": {"x"}, "room": [2]}]]
    outcome = solved(120, [deck] * 50, even=True)
    assert outcome.decided and len(outcome.left) == 20


def test_a_large_fit_of_sizes_and_alternative_loads_is_decided() -> None:
    either = [[{"takes": {"x"}, "room": [3]}], [{"takes": {"x", "y"}, "room": [2]}]]
    outcome = solved(40, [either] * 20, even=False, size=2)
    assert outcome.decided and len(outcome.left) == 20


def test_a_thousand_pieces_in_one_space_do_not_end_in_a_recursion() -> None:
    outcome = solved(1500, [[[{"takes": {"x"}, "room": [7, None]}]]], even=False, size=2)
    assert outcome.decided and len(outcome.left) == 1497


# Order means nothing --------------------------------------------------------------------------------------------------


@cache
def module_of(folder: Path) -> Module:
    module, _ = build(read(folder, "")[0], folder)
    assert module is not None
    return module


def said(findings: Sequence[Finding]) -> list[tuple[str, str, tuple[str, ...], str | None]]:
    return sorted((f.code, f.message, f.subject, f.help) for f in findings)


@pytest.mark.parametrize("folder", MODULES, ids=lambda path: path.name)
def test_verdicts_do_not_depend_on_the_order_of_pieces(folder: Path) -> None:
    module = module_of(folder)
    pack, _ = compile_rules(module)
    rng = random.Random(7)
    for case in module.cases:
        pieces = list(case.scenario.pieces)
        rng.shuffle(pieces)
        other = replace(case.scenario, pieces=tuple(pieces))
        first = judge(pack, module, case.scenario, case.fixture)
        again = judge(pack, module, other, case.fixture)
        assert said(first.findings) == said(again.findings), case.id
        assert [f.subject for f in first.findings] == [f.subject for f in again.findings], case.id


@pytest.mark.parametrize("folder", MODULES, ids=lambda path: path.name)
def test_verdicts_do_not_depend_on_the_order_of_entries(folder: Path) -> None:
    module = module_of(folder)
    pack, _ = compile_rules(module)
    turned, _ = compile_rules(replace(module, rules=module.rules[::-1]))
    for case in module.cases:
        assert said(judge(pack, module, case.scenario, case.fixture).findings) == said(
            judge(turned, module, case.scenario, case.fixture).findings
        )


# Damage gives findings ------------------------------------------------------------------------------------------------

JUNK: list[Any] = [
    None, True, False, 0, -1, Decimal("0.5"), 10**30, "", "x", "@", "@@", "@self", "@each", "@scenario.options", "a.b", "{",
    [], [[]], [None], {}, {"not": None}, {"count": True}, {"": {}}, [{"if": True}], {"use": "x"}, {"first": []}, {"all": [[]]},
]  # fmt: skip


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    for key, part in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from paths(part, (*at, key))


def damaged(rules: list[Any], rng: random.Random) -> list[Any]:
    """The rules with something taken out, exchanged or misspelt."""
    rules = copy.deepcopy(rules)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        where = rng.choice([path for path in paths(rules) if len(path) > 1])
        owner: Any = rules
        for key in where[:-1]:
            owner = owner[key]
        _damage(owner, where[-1], rng, rules)
    return [entry for entry in rules if isinstance(entry, dict)]


def _damage(owner: Any, key: Any, rng: random.Random, rules: list[Any]) -> None:
    how = rng.randrange(6)
    if how == 0:
        del owner[key]
    elif how == 1:
        owner[key] = copy.deepcopy(rng.choice(JUNK))
    elif how == 2 and isinstance(owner, dict):
        owner[f"{key}{rng.choice(['', 's', '.x', '@'])}"] = owner.pop(key)
    elif how == 3 and isinstance(owner[key], str):
        owner[key] = owner[key].replace(rng.choice("aeiost@."), rng.choice(["", "x", "@", "."]), 1)
    elif how == 4 and isinstance(owner, dict):
        owner[rng.choice(["not", "all", "is", "every", "count", "vary", "tied", "at_most", "as"])] = owner[
            key
        ]
    else:
        owner[key] = copy.deepcopy(_anything(rules, rng))


def _anything(rules: list[Any], rng: random.Random) -> Any:
    value: Any = rules
    for key in rng.choice(list(paths(rules))):
        value = value[key]
    return value


def check_whole(module: Module) -> None:
    """All that can be done with a rule file; every finding has a place inside its file."""
    pack, findings = compile_rules(module)
    found = list(findings)
    for name in {str(entry.value.get("id", entry.value.get("derive"))) for entry in module.rules}:
        assert isinstance(read_back(pack, name), str)
    for scenario in [*module.scenarios.values(), *(case.scenario for case in module.cases[::12])]:
        found += judge(pack, module, scenario).findings
    for case in module.cases[::9]:
        assert run_case(pack, module, case).message is not None
    for finding in found:
        assert finding.place is not None, finding
        span = locate([finding.place])[finding.place]
        assert 1 <= span.line <= finding.place.document.text.count("\n") + 1, finding


def with_rules(folder: Path, rules: list[Any]) -> Module:
    documents = dict(read(folder, "")[0])
    text = json.dumps({"rules": rules}, indent=1, default=float)
    document = Document("rules.json", text, json.loads(text, parse_float=Decimal), "rules.json", "rules")
    documents["rules.json"] = document
    module, _ = build(documents, folder)
    assert module is not None
    return module


@cache
def rules_of(folder: Path) -> list[Any]:
    value = read(folder, "")[0]["rules.json"].value
    assert isinstance(value, dict)
    return list(value["rules"])


@slow
@given(st.sampled_from(MODULES), st.integers(0, 10**6))
@example(MODULES[0], 0)
def test_damage_gives_findings_and_never_an_exception(folder: Path, seed: int) -> None:
    rules = damaged(rules_of(folder), random.Random(seed))
    check_whole(with_rules(folder, rules))


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_junk_in_every_field(junk: Any) -> None:
    """Every field of a rule of each construct and of a definition, one after the other."""
    folder = HERE / "rules" / "meaning"
    whole = rules_of(folder)
    names = {"size.table", "fit.mixed", "word.must", "varied", "cap", "pals", "hosts", "near_sea"}
    chosen = [e for e in whole if e.get("id", e.get("derive")) in names or "ways" in e or "tables" in e]
    entries: list[dict[str, Any]] = []
    for entry in chosen:
        for path in paths(entry):
            if path:
                changed = copy.deepcopy(entry)
                owner: Any = changed
                for key in path[:-1]:
                    owner = owner[key]
                owner[path[-1]] = copy.deepcopy(junk)
                entries.append(_renamed(changed, len(entries)))
    check_whole(with_rules(folder, [*whole, *entries]))


def _renamed(entry: dict[str, Any], n: int) -> dict[str, Any]:
    for key in ("id", "derive"):
        if isinstance(entry.get(key), str):
            entry[key] = f"{entry[key].replace('.', '_')}_{n}"
    return entry
