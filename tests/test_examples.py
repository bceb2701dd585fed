"""Good sources give no finding, bad ones exactly the findings they name. A new case is a new file in tests/bad.

A file of tests/bad: `about` says what the author did wrong, `base` names a folder of tests/good, `edits` change a copy of
it (`find` must occur exactly once; or `write` a whole file; or `delete` one), `expect` lists the findings with their
code, file and line, and where it matters the column and the help.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from compiler.check import CheckResult, check
from compiler.findings import Finding, Severity
from compiler.source import locate

HERE = Path(__file__).parent
GOOD = sorted(path.parent for path in (HERE / "good").glob("*/module.json"))
BAD = sorted((HERE / "bad").glob("*.json"))


def shown(finding: Finding) -> str:
    where = "nowhere"
    if finding.place is not None:
        span = locate([finding.place])[finding.place]
        where = f"{finding.place.document.name}:{span.line}:{span.column}"
    return f"{where}: {finding.code} {finding.message} ({finding.help})"


def fits(finding: Finding, wanted: Mapping[str, Any]) -> bool:
    if finding.code != wanted["code"] or finding.place is None:
        return False
    span = locate([finding.place])[finding.place]
    is_there = (finding.place.document.name, span.line) == (wanted["file"], wanted["line"])
    column = wanted.get("column", span.column)
    return is_there and column == span.column and wanted.get("help", finding.help) == finding.help


def counts(finding: Finding) -> bool:
    """Errors of every family, and the warnings of those that do not depend on a game's rules, must all be foreseen."""
    own = finding.code[:1] in "SJNT" and finding.code[1:].isdigit()
    return finding.severity is Severity.ERROR or (own and finding.severity is Severity.WARNING)


def apply(root: Path, edit: Mapping[str, Any]) -> None:
    path = root / edit["file"]
    if edit.get("delete"):
        path.unlink()
        return
    content = edit.get("write")
    if content is None:
        before = path.read_text(encoding="utf-8")
        assert before.count(edit["find"]) == 1, f"{edit['find']!r} must occur once in {edit['file']}"
        content = before.replace(edit["find"], edit["replace"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8", newline="")


def run(case: Mapping[str, Any], folder: Path) -> CheckResult:
    root = folder / case["base"]
    shutil.copytree(HERE / "good" / case["base"], root)
    for edit in case["edits"]:
        apply(root, edit)
    return check(root, "")


@pytest.mark.parametrize("module", GOOD, ids=lambda path: path.name)
def test_good_module_gives_no_finding(module: Path) -> None:
    result = check(module, "")
    assert [shown(finding) for finding in result.findings] == []
    assert result.module is not None
    assert set(result.judged) == set(result.module.scenarios)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_source_gives_its_findings(path: Path, tmp_path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    found = run(case, tmp_path).findings
    listing = "\n".join(map(shown, found)) or "no finding at all"
    for wanted in case["expect"]:
        assert any(fits(finding, wanted) for finding in found), f"missing {wanted}\nfound:\n{listing}"
    surplus = [f for f in found if counts(f) and not any(fits(f, wanted) for wanted in case["expect"])]
    assert not surplus, "not foreseen:\n" + "\n".join(map(shown, surplus))


def test_every_bad_source_is_a_different_mistake() -> None:
    seen: dict[str, str] = {}
    for path in BAD:
        case = json.loads(path.read_text(encoding="utf-8"))
        key = json.dumps([case["base"], case["edits"]], sort_keys=True)
        assert key not in seen, f"{path.name} repeats {seen[key]}"
        assert case["expect"], f"{path.name} expects nothing"
        seen[key] = path.name
