"""Rule files that are wrong in form. `check` leaves these to the schema; the rules pass must not lean on it.

The files of tests/rules_bad have the form of those in tests/bad; only the passes up to the rules are run, without the
schema, and every finding of the rules pass must be named.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from compiler.codes import all_codes
from compiler.findings import Finding, Severity
from compiler.model import build
from compiler.rules import compile_rules, judge
from compiler.source import locate, read

HERE = Path(__file__).parent
CASES = sorted((HERE / "rules_bad").glob("*.json"))
WITH_SCHEMA = sorted((HERE / "bad").glob("rules-*.json"))
OWN = (
    [f"R{n}" for n in range(101, 120)]
    + [f"L{n}" for n in (*range(101, 107), 110, 111, 112)]
    + ["G101", "G102", "G103"]
)


def found_in(folder: Path) -> list[Finding]:
    documents, _ = read(folder, "")
    module, _ = build(documents, folder)
    assert module is not None
    pack, findings = compile_rules(module)
    return [*findings, *(f for s in module.scenarios.values() for f in judge(pack, module, s).findings)]


def shown(finding: Finding) -> dict[str, object]:
    assert finding.place is not None, finding
    span = locate([finding.place])[finding.place]
    where = {"code": finding.code, "file": finding.place.document.name, "line": span.line}
    return {**where, "column": span.column}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_bad_form(path: Path, tmp_path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    root = tmp_path / case["base"]
    shutil.copytree(HERE / "good" / case["base"], root)
    for edit in case["edits"]:
        file = root / edit["file"]
        before = file.read_text(encoding="utf-8")
        assert before.count(edit["find"]) == 1
        file.write_text(before.replace(edit["find"], edit["replace"]), encoding="utf-8")
    errors = [finding for finding in found_in(root) if finding.severity is Severity.ERROR]
    assert [shown(f) for f in errors] == [{k: v for k, v in w.items() if k != "help"} for w in case["expect"]]
    for finding, wanted in zip(errors, case["expect"], strict=True):
        assert wanted.get("help", finding.help) == finding.help


def test_every_code_of_the_rules_has_two_bad_sources() -> None:
    files = [json.loads(path.read_text(encoding="utf-8")) for path in (*CASES, *WITH_SCHEMA)]
    count = dict.fromkeys(OWN, 0)
    assert set(OWN) <= set(all_codes())
    for case in files:
        for code in {wanted["code"] for wanted in case["expect"]}:
            count[code] = count.get(code, 0) + 1
    assert {code: n for code, n in count.items() if n < 2} == {}
