"""The registry of finding codes: what each one means, why it matters, a wrong and a right example.

Each pass keeps its own family in `compiler/codes/<family>.py` as `CODES: dict[str, Code]`. This module finds the
families and merges them. It promises that no two families share a code. Nothing is imported before it is asked for.
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from compiler.findings import Severity


@dataclass(frozen=True, slots=True)
class Code:
    """One code. `what`, `why` and `help` are sentences; `wrong` and `right` are source, shown as written."""

    code: str
    title: str
    severity: Severity
    what: str
    why: str
    wrong: str
    right: str
    help: str = ""


@cache
def families() -> dict[str, dict[str, Code]]:
    """The codes of each family module, by the module's name, in alphabetical order."""
    names = sorted(found.name for found in pkgutil.iter_modules(__path__))
    return {name: _codes_of(name) for name in names}


@cache
def all_codes() -> dict[str, Code]:
    """Every code of every family, sorted. Two families with the same code are our own mistake, so that raises."""
    merged: dict[str, Code] = {}
    for family, codes in families().items():
        for key, code in codes.items():
            if key in merged or key != code.code:
                raise ValueError(f"code {key!r} in family {family!r} is given twice or under another name")
            merged[key] = code
    return dict(sorted(merged.items()))


def _codes_of(family: str) -> dict[str, Code]:
    codes: dict[str, Code] = import_module(f"{__name__}.{family}").CODES
    return codes
