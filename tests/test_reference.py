"""The reference of the rule language is whole, and every example in it does what it says.

Each example stands on the small land of tests/reference: the wrong one gives exactly the findings it names, the right
one none, and its case has the answer given. Taking the construct out of the right example must be noticed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from compiler.check import CheckResult, check
from compiler.cli import run
from compiler.codes import all_codes
from compiler.findings import Finding, Severity
from compiler.model.types import KINDS
from compiler.rules import CaseResult, run_case
from compiler.rules.compiler import QUANTIFIERS, TERMS
from compiler.rules.matches import COMPARISONS
from compiler.rules.messages import PLACEHOLDERS, TRACED
from compiler.rules.reference import Construct, constructs

HERE = Path(__file__).parent
ALL = constructs()
EXAMPLES = pytest.mark.parametrize("construct", ALL, ids=lambda one: one.name)


@pytest.fixture
def land(tmp_path: Path) -> Path:
    shutil.copytree(HERE / "reference", tmp_path / "reference")
    return tmp_path / "reference"


def checked(
    land: Path, entries: Any, scenario: Mapping[str, Any] | None, case: Mapping[str, Any] | None = None
) -> CheckResult:
    (land / "rules.json").write_text(json.dumps({"rules": list(entries)}), encoding="utf-8")
    start = json.loads((HERE / "reference/scenarios/start.json").read_text(encoding="utf-8"))
    del start["$schema"]
    (land / "scenarios/start.json").write_text(json.dumps({**start, **(scenario or {})}), encoding="utf-8")
    if case is not None:
        (land / "cases").mkdir(exist_ok=True)
        asked = {"cases": [{"case": "the example", "id": "example", **case}]}
        (land / "cases/example.json").write_text(json.dumps(asked), encoding="utf-8")
    return check(land, "")


def asked(result: CheckResult) -> CaseResult:
    assert result.pack is not None and result.module is not None
    return run_case(result.pack, result.module, result.module.cases[0])


def of_the_rules(found: list[Finding]) -> set[str]:
    """Errors, and whatever speaks of the rule file and of its running; not what the example's own rule finds."""
    own = [f for f in found if f.code in all_codes()]
    return {f.code for f in own if f.severity is Severity.ERROR or f.code[0] in "JRLG"}


def agrees(construct: Construct, result: CheckResult) -> bool:
    if of_the_rules(result.findings):
        return False
    answer = asked(result)
    says = construct.says is None or [f.message for f in answer.found] == [construct.says]
    helps = construct.helps is None or [f.help for f in answer.found] == [construct.helps]
    return answer.passed and says and helps


@EXAMPLES
def test_the_wrong_example_gives_its_findings(construct: Construct, land: Path) -> None:
    found = checked(land, construct.wrong, construct.wrong_scenario).findings
    assert of_the_rules(found) == set(construct.codes) and construct.codes
    assert set(construct.codes) <= all_codes().keys()


@EXAMPLES
def test_the_right_example_has_none_and_its_case_the_answer_given(construct: Construct, land: Path) -> None:
    result = checked(land, construct.right, construct.right_scenario, construct.case)
    assert of_the_rules(result.findings) == set(), [f.message for f in result.findings]
    answer = asked(result)
    assert answer.passed, answer.message
    if construct.says is not None:
        assert [f.message for f in answer.found] == [construct.says]
    if construct.helps is not None:
        assert [f.help for f in answer.found] == [construct.helps]


def without(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        return {k: without(v, key) for k, v in value.items() if k != key}
    return [without(v, key) for v in value] if isinstance(value, list) else value


def keys(value: Any) -> Iterator[str]:
    for key in value if isinstance(value, dict) else ():
        yield key
        yield from keys(value[key])
    for part in value if isinstance(value, list) else ():
        yield from keys(part)


@pytest.mark.parametrize(
    "construct", [c for c in ALL if c.word in set(keys(list(c.right)))], ids=lambda c: c.name
)
def test_taking_the_construct_out_is_noticed(construct: Construct, land: Path) -> None:
    less = without(list(construct.right), construct.word)
    assert not agrees(construct, checked(land, less, construct.right_scenario, construct.case))


# The reference is whole -----------------------------------------------------------------------------------------------

GENERAL = {"note", "source", "title", "$schema", "include", "rules"}
PARTS = {  # fields of a construct that is explained as one
    "if": "for.each", "else": "first", "then": "first", "round": "divide", "row": "table", "each": "sum", "by": "within",
    "of": "within", "set": "vary", "slots": "bins", "slot": "bins", "bin": "bins", "leg": "legs", "source": "sources", "relay": "relays",
    "level": "levels", "from": "chain", "to": "chain", "line": "chain", "counts": "counts.leg", "worst_of": "flags", "values": "for.values",
    "distance": "within",
}  # fmt: skip


def properties(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "properties":
                yield from value
            if key not in ("examples", "dependentRequired"):
                yield from properties(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from properties(value)


def schema(name: str) -> Any:
    return json.loads((HERE.parent / "schemas" / name).read_text(encoding="utf-8"))


def test_every_word_of_the_schema_is_explained() -> None:
    common = schema("common.schema.json")["$defs"]
    of_rules = [common[name] for name in common if name.startswith(("selector", "match", "term"))]
    words = set(properties(schema("rules.schema.json"))) | set(properties(of_rules))
    names = {construct.name for construct in ALL}
    known = {construct.word for construct in ALL} | GENERAL | {k for k, of in PARTS.items() if of in names}
    assert words - known == set()


def test_every_word_of_the_compiler_is_explained() -> None:
    names = {construct.name for construct in ALL} | {construct.word for construct in ALL}
    placeholders = {f"{{{name}}}" for own in PLACEHOLDERS.values() for name in own} | {
        f"{{{n}}}" for n in TRACED
    }
    wanted = {*TERMS, *COMPARISONS, *QUANTIFIERS, *KINDS, *placeholders}
    assert wanted - names == set()
    assert len({construct.name for construct in ALL}) == len(ALL)


def described(pointer: str) -> dict[str, Any]:
    """What a schema says at a place, with what it refers to beneath."""
    file, path = pointer.split("#")
    value = schema(file)
    for key in path.strip("/").split("/"):
        value = value[int(key)] if isinstance(value, list) else value[key]
    if "$ref" in value:
        target = value["$ref"] if not value["$ref"].startswith("#") else file + value["$ref"]
        value = {**described(target), **value}
    return dict(value)


@EXAMPLES
def test_the_schema_describes_it_with_an_example(construct: Construct) -> None:
    found = described(construct.schema)
    assert found["title"] and found["description"] and found["examples"]


# As it is printed -----------------------------------------------------------------------------------------------------


def test_a_construct_is_explained_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    for construct in ALL:
        assert run(["explain", construct.name]) == 0
        told = capsys.readouterr().out
        assert told.startswith(construct.name + "\n") and construct.why in told
        assert json.dumps(construct.right[-1], ensure_ascii=False) in told


def test_a_word_with_several_meanings_is_explained_with_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "at_most"]) == 0
    told = capsys.readouterr().out
    assert all(f"\n{name}\n" in f"\n{told}" for name in ("at_most", "leg.at_most", "total.at_most"))


def test_a_name_that_is_none_is_answered_with_one_that_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "smallst"]) == 2
    assert "did you mean 'smallest'?" in capsys.readouterr().err
