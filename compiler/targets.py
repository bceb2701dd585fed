"""What `vmodc build` can make: a registry of targets, and the job that each of them is given.

A target is a function from a `Job` to findings. It lives in its own pass and is named here by its address only, so that
`check` and `--help` import nothing of it. A target whose module does not exist yet is not offered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from compiler.findings import Finding

if TYPE_CHECKING:
    from compiler.model.types import Module
    from compiler.output import Stage

ADDRESSES: Mapping[str, str] = {
    "maps": "compiler.draw.targets:maps",
    "counters": "compiler.draw.targets:counters",
    "sheets": "compiler.sheets.targets:sheets",
    "vmod": "compiler.vassal.targets:vmod",
    "saves": "compiler.vassal.targets:saves",
    "report": "compiler.report.targets:report",
}


@dataclass(frozen=True, slots=True)
class Job:
    """One target of one module. `shared` lives as long as the module's build: what two targets need is made once."""

    target: str
    module: Module
    root: Path  # the module's folder, for the author's own pictures
    languages: tuple[str, ...]
    draft: bool
    jobs: int
    stage: Stage
    shared: dict[str, object] = field(default_factory=dict)

    def write(self, path: str, content: bytes) -> None:
        """Adds an output file; see `compiler.output.Stage.write`."""
        self.stage.write(path, content, self.target)

    def fact(self, name: str, value: object) -> None:
        """Adds something to the manifest, under `facts`."""
        self.stage.fact(name, value)


Target = Callable[[Job], list[Finding]]


def existing() -> dict[str, Target]:
    """The targets that this version has, in the order in which they are built."""
    found = {name: _target(address) for name, address in ADDRESSES.items()}
    return {name: target for name, target in found.items() if target is not None}


def _target(address: str) -> Target | None:
    place, function = address.split(":")
    if find_spec(place.rpartition(".")[0]) is None or find_spec(place) is None:
        return None
    target: Target | None = getattr(import_module(place), function, None)
    return target
