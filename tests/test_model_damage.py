"""Random damage to good modules: the check always answers, with findings that lie inside the files, and never raises."""

from __future__ import annotations

import gc
import json
import shutil
import tempfile
import tracemalloc
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.check import CheckResult, check
from compiler.cli import run
from compiler.findings import Finding, Place
from compiler.model import build
from compiler.source import locate, read
from compiler.source.document import Document

GOOD = Path(__file__).parent / "good"
GAME = Path(__file__).parent.parent / "modules_src" / "axis-and-allies-1941"
FILES = {
    module: sorted(p.relative_to(GOOD / module).as_posix() for p in (GOOD / module).rglob("*.json"))
    for module in ("straits", "verdicts")
}

STRANGE = st.sampled_from(
    [None, True, False, 0, -1, 3, 2.5, 10**14, "", "zzz", "north", "@self", "#a.b", "#b03030", "0 inf", "9 inf",
     [], {}, [[]], [{}], {"id": {}}, ["hilltop"], {"north": 1}, [None, 1, "x"]]
).map(deepcopy)  # fmt: skip


def paths(value: Any, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every value inside a JSON value, the whole not counted."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for key, inner in items for path in ((*here, key), *paths(inner, (*here, key)))]


def container(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path[:-1]:
        value = value[step]
    return value


def damage(value: Any, how: str, path: tuple[str | int, ...], strange: Any) -> None:
    """Change one place of a JSON value."""
    inside, key = container(value, path), path[-1]
    if how == "delete":
        del inside[key]
    elif how == "replace":
        inside[key] = strange
    elif how == "misspell" and isinstance(inside[key], str):
        inside[key] = inside[key][1:] + inside[key][:1] + "q"
    elif how == "rename" and isinstance(inside, dict):
        inside[f"{key}q"] = inside.pop(key)
    elif how == "repeat" and isinstance(inside, list):
        inside.append(inside[key])
    elif how == "wrap":
        inside[key] = [inside[key]]


def check_places(findings: list[Finding]) -> None:
    """Every place can be shown: it has a line and a column that the file has."""
    for finding in findings:
        places = [finding.place, *(related.place for related in finding.related)]
        for place in filter(None, places):
            span = locate([place])[place]
            lines = place.document.text.split("\n")
            assert 1 <= span.line <= max(1, len(lines)), finding
            assert 1 <= span.column <= len(lines[span.line - 1]) + 1, finding


def exists(place: Place) -> bool:
    value = place.document.value
    for step in place.path:
        try:
            value = value[step]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def damaged_check(module: str, file: str, changes: list[tuple[str, int, Any]]) -> CheckResult:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / module
        shutil.copytree(GOOD / module, root)
        value = json.loads((root / file).read_text(encoding="utf-8"))
        for how, where, strange in changes:
            found = paths(value)
            if found:
                damage(value, how, found[where % len(found)], strange)
        (root / file).write_text(json.dumps(value, indent=1, ensure_ascii=False), encoding="utf-8")
        return check(root, "")


HOW = st.sampled_from(["delete", "replace", "misspell", "rename", "repeat", "wrap"])
CHANGES = st.lists(st.tuples(HOW, st.integers(0, 10_000), STRANGE), min_size=1, max_size=3)
QUIET = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("module", FILES)
@QUIET
@given(data=st.data())
def test_damaged_modules_are_answered(module: str, data: st.DataObject) -> None:
    file = data.draw(st.sampled_from(FILES[module]))
    result = damaged_check(module, file, data.draw(CHANGES))
    check_places(result.findings)
    for finding in result.findings:
        assert finding.message and finding.code
        if finding.code[0] in "NT" and finding.code[1:].isdigit() and finding.place is not None:
            assert exists(finding.place), finding


@QUIET
@given(file=st.sampled_from(FILES["straits"]), value=st.recursive(STRANGE, lambda x: st.lists(x, max_size=3) | st.dictionaries(st.sampled_from(
    ["id", "spaces", "links", "pairs", "kind", "types", "counters", "placements", "pieces", "at", "cases", "rows", "texts", "rules", "like",
     "vocabulary", "space", "piece", "powers", "sides", "tracks", "order", "phases", "moments", "languages", "each", "cells", "control"]), x, max_size=4), max_leaves=12))  # fmt: skip
def test_the_model_alone_survives_any_object(file: str, value: Any) -> None:
    """Without the schema in front of it: whatever a file holds, names are looked up in what is left."""
    docs, _ = read(GOOD / "straits", "")
    good = docs[file]
    content = value if isinstance(value, dict) else {"spaces": value, "placements": value, "texts": value}
    text = json.dumps(content)
    docs[file] = Document(good.name, text, content, good.path, good.kind)
    _, findings = build(docs)
    check_places(findings)


def test_a_thousand_checks_in_one_process_leave_nothing_behind() -> None:
    """The memory after many checks is that after a few: nothing of a module is kept."""

    def some(times: int) -> int:
        for _ in range(times):
            check(GOOD / "verdicts", "")
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    some(5)
    tracemalloc.start()
    try:
        first = some(20)
        later = some(60)
    finally:
        tracemalloc.stop()
    assert later - first < 50_000


@pytest.mark.parametrize("module", [*sorted(GOOD.iterdir()), GAME], ids=lambda path: path.name)
def test_a_check_leaves_nothing_to_look_for(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All that a check made goes when it ends, because nothing in it holds itself: no search for garbage is needed."""
    run(["check", str(module)])  # what is made once for all checks
    gc.collect()
    gc.disable()
    try:
        run(["check", str(module)])
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_a_flood_of_pieces_ends_soon(tmp_path: Path) -> None:
    shutil.copytree(GOOD / "straits", tmp_path / "m")
    scenario = tmp_path / "m" / "scenarios" / "spring.json"
    value = json.loads(scenario.read_text(encoding="utf-8"))
    cargo: list[Any] = ["10000 inf"]
    for _ in range(8):
        cargo = [{"piece": "ship", "count": 10_000, "cargo": cargo}]
    value["placements"].append({"at": "sea_east", "power": "south", "pieces": cargo})
    scenario.write_text(json.dumps(value), encoding="utf-8")
    result = check(tmp_path / "m", "")
    assert [finding.code for finding in result.findings] == ["N519"]
