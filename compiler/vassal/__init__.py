"""VASSAL output: build file, pieces, saves and archives; and the reading of any module or save.

`build_module` makes a module, `check_module` runs the pre-flight in memory, `inspect_file` reads any file, and
`compiler.vassal.verify` runs an installed VASSAL on one. See docs/vassal.md. What is named here is imported when it is
asked for, because a check needs no XML library and an inspection no drawing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compiler.vassal.build import Built, build_module
    from compiler.vassal.inspect import Inspection, Unreadable, inspect_file
    from compiler.vassal.lock import Lock
    from compiler.vassal.targets import check_module

__all__ = ["Built", "Inspection", "Lock", "Unreadable", "build_module", "check_module", "inspect_file"]
_HOMES = {
    "Built": "build",
    "build_module": "build",
    "Inspection": "inspect",
    "Unreadable": "inspect",
    "inspect_file": "inspect",
    "Lock": "lock",
    "check_module": "targets",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
