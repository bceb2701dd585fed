"""A verdict: one rule on one subject."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from compiler.frozen import dataclass
from compiler.rules.fit import Outcome
from compiler.rules.items import Env, Item
from compiler.rules.matches import COMPARISONS
from compiler.rules.rule import Rule


@dataclass(frozen=True, slots=True)
class Verdict:
    """`env` holds what is bound. `passed_by` names the exception that let it pass."""

    rule: Rule
    env: Env
    legal: bool
    value: Any = None
    bounds: tuple[tuple[str, Any], ...] = ()
    items: tuple[Any, ...] = ()
    outcome: Outcome | None = None
    passed_by: str | None = None

    @property
    def broken(self) -> tuple[str, Any]:
        """The first bound that does not hold, else the first there is."""
        failing = (b for b in self.bounds if b[1] is not None and not COMPARISONS[b[0]][0](self.value, b[1]))
        return next(failing, self.bounds[0] if self.bounds else ("", None))

    @property
    def bound(self) -> Any:
        return self.broken[1]

    @property
    def first(self) -> Any:
        """What `must` is asked of: the first thing bound."""
        return self.env[self.rule.bindings[0].name] if self.rule.bindings else None

    @property
    def subject(self) -> tuple[str, ...]:
        """Ids in binding order: with the rule's id, the identity of a finding."""
        return tuple(identity(self.env[b.name]) for b in self.rule.bindings)

    @property
    def bound_items(self) -> list[Item]:
        return [v for b in self.rule.bindings if isinstance(v := self.env[b.name], Item)]

    def passed(self, exception: str) -> Verdict:
        return replace(self, legal=True, passed_by=exception)


def identity(value: Any) -> str:
    return value.id if isinstance(value, Item) else str(value)
