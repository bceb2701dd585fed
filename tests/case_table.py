"""The page docs/cases.md: what the games' own cases ask, how many pass, and what a position cannot answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from compiler.commands.check import Settings, run
from compiler.commands.folders import Folder
from compiler.model.types import Module
from compiler.rules import run_case

HEAD = """# The games' own cases

Rulebooks explain themselves by examples. Each one that a position decides is a case of its game, with the answer the rulebook gives;
`vmodc test` asks them all. A case out of scope needs what no position has: the history of a turn, a die, an order of phases.
The words in which a game's cases are written: [Asia Engulfed](words/asia-engulfed.md), [Axis & Allies 1941](words/axis-and-allies-1941.md), [Unconditional Surrender](words/unconditional-surrender.md),
[War in the Desert](words/war-in-the-desert.md), [World in Flames](words/world-in-flames.md).
How a case is written: [the language](language.md#casesjson). This page is made by `tests/test_docs.py`.

| game | questions | passing | out of scope |
|---|---|---|---|
"""


def case_table(games: Path) -> Iterator[str]:
    yield HEAD
    modules = [run_of(folder) for folder in sorted(games.iterdir()) if (folder / "module.json").is_file()]
    for module, passing in modules:
        yield f"| {module.id} | {len(module.cases)} | {passing} | {len(module.out_of_scope)} |\n"
    for module, _ in modules:
        if module.out_of_scope:
            yield f"\n## Out of scope: {module.id}\n\n| why | cases |\n|---|---|\n"
            yield from reasons(module)


def run_of(folder: Path) -> tuple[Module, int]:
    result = run(Folder(folder, folder.name), Settings())
    assert result.module is not None and result.pack is not None
    pack, module = result.pack, result.module
    return module, sum(run_case(pack, module, case).passed for case in module.cases)


def reasons(module: Module) -> Iterator[str]:
    by_reason: dict[str, list[str]] = defaultdict(list)
    for case in module.out_of_scope:
        by_reason[case.reason].append(case.id)
    for reason, ids in by_reason.items():
        yield f"| {reason} | {', '.join(ids)} |\n"
