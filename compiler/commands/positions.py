"""A position by its name: a scenario of a module, or one of its cases."""

from __future__ import annotations

from compiler.commands import Unusable
from compiler.model.types import Fixture, Module, Scenario
from compiler.suggest import did_you_mean


def position_named(module: Module, id: str) -> tuple[Scenario, Fixture | None]:
    """The scenario, or the case with what it brings along. What is not there is `Unusable`."""
    if id in module.scenarios:
        return module.scenarios[id], None
    for case in module.cases:
        if case.id == id:
            return case.scenario, case.fixture
    known = [*module.scenarios, *(case.id for case in module.cases)]
    near = did_you_mean(id, known) or f"there are: {', '.join(module.scenarios) or 'none, only cases'}"
    raise Unusable(f"there is no scenario '{id}'; {near}")
