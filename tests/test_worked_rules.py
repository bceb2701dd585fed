"""Forty hard rules of five games run, each with cases; taking any of their entries out is noticed."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from compiler.findings import Severity
from compiler.model import build
from compiler.model.types import Module, RuleEntry
from compiler.rules import compile_rules, run_case
from compiler.rules.coverage import Coverage, measure
from compiler.source import read

HERE = Path(__file__).parent / "rules"
WORKED = json.loads((HERE / "worked.json").read_text(encoding="utf-8"))["rules"]
ENTRIES = [
    (number, module, name)
    for number, _, _, where in WORKED
    for module, names in where.items()
    for name in names
]


@cache
def module_of(name: str) -> Module:
    module, _ = build(read(HERE / name, "")[0], HERE / name)
    assert module is not None
    return module


@cache
def covered(name: str) -> Coverage:
    return measure(module_of(name))


def named(entry: RuleEntry) -> str | None:
    return next((str(entry.value[key]) for key in ("id", "derive", "trace") if key in entry.value), None)


def test_there_are_forty() -> None:
    assert len(WORKED) == len({number for number, *_ in WORKED}) == 40
    assert {len(where) > 0 for *_, where in WORKED} == {True}
    assert all(name in map(named, module_of(module).rules) for _, module, name in ENTRIES)


@pytest.mark.parametrize("module", sorted({module for _, module, _ in ENTRIES}))
def test_their_cases_pass_and_each_rule_is_broken_and_kept(module: str) -> None:
    found = covered(module)
    assert found.results and all(result.passed for _, result in found.results)
    seen = found.seen
    rules = {name for _, own, name in ENTRIES if own == module and name in found.pack.rules}
    assert {(how, rule) for rule in rules for how in ("fires", "silent")} <= seen
    definitions = {mark[1][1] for mark in seen if mark[0] == "definition"}
    assert {name for _, own, name in ENTRIES if own == module} <= rules | definitions


@pytest.mark.parametrize(("number", "module", "name"), ENTRIES)
def test_taking_an_entry_out_is_noticed(number: str, module: str, name: str) -> None:
    whole = module_of(module)
    less = replace(whole, rules=tuple(entry for entry in whole.rules if named(entry) != name))
    assert len(less.rules) < len(whole.rules)
    pack, findings = compile_rules(less)
    broken = any(f.severity is Severity.ERROR for f in findings)
    assert broken or any(not run_case(pack, less, case).passed for case in less.cases)
