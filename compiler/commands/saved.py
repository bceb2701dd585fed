"""`vmodc check MODULE --save FILE`: a saved game is written as a scenario, and that is checked as any other."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from compiler.commands import Unusable
from compiler.commands.folders import Folder
from compiler.findings import Finding, Place, Severity
from compiler.source.document import Document
from compiler.suggest import did_you_mean

if TYPE_CHECKING:
    from compiler.check import CheckResult
    from compiler.model.types import Module, Scenario
    from compiler.vassal.plan import Plan
    from compiler.vassal.saved import Saved

_OWN = re.compile(
    r"[GJNS]\d+"
)  # what the passes say of the scenario itself; the rest of the module is not asked about


def check_saved(
    folder: Folder, save: Path, scenarios: tuple[str, ...] = (), moment: str | None = None
) -> CheckResult:
    """The findings on the save only; or those of the module, if it has errors."""
    from compiler.check import check

    before = check(folder.path, folder.shown_as, scenarios=())
    module = before.module
    if module is None or any(finding.severity is Severity.ERROR for finding in before.findings):
        return before
    if module.stage == "rules":
        raise Unusable(f"'{folder.shown_as}' has no VASSAL module (its stage is 'rules'), so no saved games")
    saved, id = _read(module, folder, save, scenarios, moment)
    document = Document(
        save.as_posix(),
        saved.text,
        json.loads(saved.text, parse_float=Decimal),
        f"scenarios/{id}.json",
        "scenario",
    )
    result = check(folder.path, folder.shown_as, (id,), (document,))
    found = [finding for finding in result.findings if _is_about(finding, document, id)]
    return replace(result, findings=[*_troubles(saved, document), *found])


def _read(
    module: Module, folder: Folder, save: Path, scenarios: tuple[str, ...], moment: str | None
) -> tuple[Saved, str]:
    from compiler.vassal.reader import Unreadable
    from compiler.vassal.saved import read_saved

    moments = module.sequence.moments
    if moment is not None and moment not in moments:
        near = did_you_mean(moment, moments) or f"there are: {', '.join(moments) or 'none'}"
        raise Unusable(f"'{moment}' is no moment of the module; {near}")
    plan = _plan(module, folder)
    try:
        base = _base(module, plan, save, scenarios)
        id = "save"
        while id in module.scenarios:
            id += "_"
        return read_saved(save, plan, base, id, moment), id
    except Unreadable as wrong:
        raise Unusable(f"'{save}' cannot be read as a saved game: {wrong}") from wrong
    except OSError as wrong:
        raise Unusable(f"'{save}' cannot be read: {wrong.strerror or wrong}") from wrong


def _plan(module: Module, folder: Folder) -> Plan:
    """The module as VASSAL has it, drawn but not rasterised: where its places are."""
    from compiler.vassal.archive import build_time
    from compiler.vassal.drawings import Places
    from compiler.vassal.lock import locked
    from compiler.vassal.plan import plan_module
    from compiler.vassal.targets import read_lock

    lock, faults = locked(read_lock(folder.path), None)
    plan = plan_module(module, module.languages[0], Places(module), lock, build_time())
    if isinstance(plan, list) or faults:
        first = [*faults, *(plan if isinstance(plan, list) else [])][0]
        raise Unusable(f"'{folder.shown_as}' cannot be built: {first.message}")
    return plan


def _base(module: Module, plan: Plan, save: Path, scenarios: tuple[str, ...]) -> Scenario:
    """The scenario that the game began with: as asked for, else the one whose pieces the save has most of."""
    from compiler.vassal.inspect import inspect_file

    if scenarios:
        if scenarios[0] not in module.scenarios:
            near = did_you_mean(scenarios[0], module.scenarios)
            raise Unusable(f"there is no scenario '{scenarios[0]}'" + (f"; {near}" if near else ""))
        return module.scenarios[scenarios[0]]
    found = inspect_file(save)
    if not found.saves or found.kind != "save":
        raise Unusable(f"'{save}' is a module, not a saved game")
    pieces = {(piece.id, piece.gpid) for piece in found.saves[0].pieces}
    places = {(piece.id, piece.gpid, piece.map, piece.x, piece.y) for piece in found.saves[0].pieces}

    def likeness(setup: object) -> tuple[int, int, int]:
        items = getattr(setup, "expected", ())
        same = sum((item.id, item.gpid) in pieces for item in items)
        there = sum((item.id, item.gpid, item.map, item.x, item.y) in places for item in items)
        return (same, there, -len(items))

    best = max(plan.setups, key=likeness)  # of equals, the first of the menu
    return module.scenarios[best.scenario]


def _is_about(finding: Finding, document: Document, id: str) -> bool:
    if finding.scenario == id:
        return True
    own = finding.place is not None and finding.place.document is document
    return own and _OWN.fullmatch(finding.code) is not None and finding.code != "G101"


def _troubles(saved: Saved, document: Document) -> list[Finding]:
    from compiler.codes.saves import CODES

    return [
        Finding(
            trouble.code,
            CODES[trouble.code].severity,
            trouble.message,
            Place(document, ("note", number)),
            trouble.help,
            spaces=trouble.spaces,
        )
        for number, trouble in enumerate(saved.troubles)
    ]
