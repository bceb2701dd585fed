"""What traces say of themselves: why an item has its level, and what a run of the rules should tell the author."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from compiler.findings import Finding, Related, note, warning
from compiler.model.types import Scenario
from compiler.rules.items import Broken, Item, Position, Trouble, Unknown
from compiler.rules.trace.parts import TRACER, Trace
from compiler.rules.trace.run import MANY, Run
from compiler.rules.trace.told import Evidence, evidence, shortage_words

if TYPE_CHECKING:
    from compiler.rules.pack import RulePack

Explain = Callable[[Item], Evidence | None]


def explanations(pack: RulePack, world: Position, scenario: Scenario) -> dict[tuple[str, str], Explain]:
    """For each traced attribute, how to find out why an item has it."""
    off = {override.rule for override in scenario.overrides if override.off}
    out: dict[tuple[str, str], Explain] = {}
    for (kind, name), trace in pack.traces(world, scenario).items():
        if pack.derives[kind, name].id not in off:
            out[kind, name] = _explain(world, trace)
            if kind == "piece":
                out["arrival", name] = out[kind, name]
    return out


def _explain(world: Position, made: Callable[[], Trace]) -> Explain:
    def explain(item: Item) -> Evidence | None:
        trace = made()
        return evidence(trace.run(world), item, trace.joint)

    return explain


def remarks(world: Position) -> list[Finding]:
    """Of the traces that some rule has read: too many classes of tracers, and capacities that do not suffice."""
    runs = [run for key, run in world.memo.items() if isinstance(key, tuple) and key[0] == "trace"]
    return [finding for run in runs for finding in _remarks(run)]


def _remarks(run: Run) -> Iterator[Finding]:
    trace = run.trace
    at = trace.place / "trace"
    number = sum(1 for members in run.members.values() if members)
    if number > MANY:
        paths = ", ".join(".".join(("@" + TRACER, *path)) for path in trace.paths)
        message = f"trace '{trace.name}' falls into {number} classes of tracers, each searched by itself"
        yield warning("L108", message, at, help=f"they differ by: {paths}")
    for words in _shortages(run):
        code = "G105" if "undecided" in words else "G104"
        message = f"'{trace.name}' of all together: {words}"
        related = (Related(at, "traced here"),)
        place = run.world.scenario.place
        yield note(code, message, place, section=trace.section, rule=trace.name, related=related)


def _shortages(run: Run) -> list[str]:
    """What has no answer is told by the rules that ask for it."""
    try:
        return shortage_words(run) if run.trace.together else []
    except (Unknown, Trouble, Broken):
        return []
