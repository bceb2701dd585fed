"""`vmodc field`: attributes of a scenario by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compiler.cli import run

HOME = Path(__file__).parent.parent / "modules_src" / "axis-and-allies-1941"
Output = pytest.CaptureFixture[str]


def test_a_derived_set_is_told_for_every_space_that_has_members(capsys: Output) -> None:
    assert run(["field", str(HOME), "official", "occupants"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "space germany: axis" in lines
    assert lines[-1].startswith("occupants: ")
    used, number = (int(word) for word in lines[-1].split(": ")[1].split(" of "))
    assert used == len(lines) - 1 and used < number


def test_one_item_for_programs(capsys: Output) -> None:
    assert run(["field", str(HOME), "official", "hostile_to", "germany", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"kind": "space", "id": "germany", "value": ["allies"]}]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["official", "hostle_to"], "nothing has an attribute 'hostle_to'; did you mean 'hostile_to'?"),
        (["offical", "hostile_to"], "there is no scenario 'offical'; did you mean 'official'?"),
        (["official", "hostile_to", "nowhere"], "'nowhere' is nothing in scenario 'official'"),
    ],
)
def test_what_is_not_there(capsys: Output, words: list[str], told: str) -> None:
    assert run(["field", str(HOME), *words]) == 2
    assert told in capsys.readouterr().err
