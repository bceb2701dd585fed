"""The reference of the rule language: every construct with what it says, a wrong and a right example.

`reference.json` is the one source of `vmodc explain NAME`, of docs/reference.md and of the tests, which run each example.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from compiler.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Construct:
    """`wrong` and `right` are entries of rules.json; `codes` are the findings of the wrong ones, `why` says what is wrong.

    `schema` is where a schema describes it. `case` is a question that the right example answers; where a message belongs to
    the example, `says` and `helps` are its words. A scenario that belongs to an example is in the two last fields.
    """

    name: str
    schema: str
    what: str
    wrong: tuple[Mapping[str, Any], ...]
    codes: tuple[str, ...]
    why: str
    right: tuple[Mapping[str, Any], ...]
    case: Mapping[str, Any]
    says: str | None = None
    helps: str | None = None
    wrong_scenario: Mapping[str, Any] | None = None
    right_scenario: Mapping[str, Any] | None = None

    @property
    def word(self) -> str:
        """The name without what it is a field of."""
        return self.name.split(".")[-1].split(" ")[0] if not self.name.startswith("{") else self.name


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    about: str
    constructs: tuple[Construct, ...]


@cache
def groups() -> tuple[Group, ...]:
    text = (files("compiler.rules") / "reference.json").read_text(encoding="utf-8")
    return tuple(
        Group(group["group"], group["about"], tuple(_construct(one) for one in group["constructs"]))
        for group in json.loads(text)["groups"]
    )


def constructs() -> list[Construct]:
    return [construct for group in groups() for construct in group.constructs]


def named(name: str) -> list[Construct]:
    """Those of that name; else those of which it is the last part: 'at_most' is said of attributes, totals and legs."""
    word = name.strip('"')
    found = [one for one in constructs() if one.name == word]
    return found + [one for one in constructs() if one.name != word and one.word == word]


def _construct(value: Mapping[str, Any]) -> Construct:
    lists = {key: tuple(value[key]) for key in ("wrong", "codes", "right")}
    return Construct(**{**value, **lists})
