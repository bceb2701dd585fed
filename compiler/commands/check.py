"""`vmodc check`: every finding of every module, one module after the other, in the format asked for."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from compiler.commands import CLEAN, FOUND, UNUSABLE, Unusable
from compiler.commands.folders import Folder, folders
from compiler.commands.sink import Write, has_colour, sink, width
from compiler.commands.wanted import Wanted
from compiler.findings import Finding, Severity
from compiler.report import Renderer, Seeing, renderer
from compiler.report.rows import SHOWN_AT_MOST, Tally, rows_of
from compiler.suggest import did_you_mean

if TYPE_CHECKING:
    from compiler.check import CheckResult
    from compiler.model.types import Module


@dataclass(frozen=True, slots=True)
class Settings:
    format: str = "text"
    output: Path | None = None
    fail_on: Severity = Severity.ERROR
    wanted: Wanted = field(default_factory=Wanted)
    scenarios: tuple[str, ...] = ()
    strict: bool = False
    save: Path | None = None
    moment: str | None = None


def check(named: Sequence[str], settings: Settings, complain: Write) -> int:
    """Checks the modules. `complain` is given the sentences about what could not be read."""
    if settings.save is not None and len(named) != 1:
        raise Unusable("--save judges a game of one module: name its folder")
    if settings.moment is not None and settings.save is None:
        raise Unusable("--moment says when a saved game is judged: name the game with --save")
    found, problems = folders(named)
    for problem in problems:
        complain(problem)
    tally = Tally()
    known_scenarios: set[str] = set()
    with sink(settings.output) as write:
        shown = renderer(settings.format, fail_on=settings.fail_on, colour=_colour(settings), width=width())
        _write(write, shown.start())
        for module in found:
            known_scenarios |= _one(module, settings, tally, shown, write)
        _write(write, shown.end(tally))
    settings.wanted.check_names()
    _check_scenarios(settings, known_scenarios)
    if problems:
        return UNUSABLE
    return FOUND if tally.at_least(settings.fail_on) else CLEAN


def _one(module: Folder, settings: Settings, tally: Tally, shown: Renderer, write: Write) -> set[str]:
    """Checks one module and lets go of it before the next: a thousand need no more memory than one."""
    from compiler.check import no_sweeping

    with no_sweeping():  # until it has been let go: what is alive is not worth looking through
        return _checked(module, settings, tally, shown, write)


def _checked(module: Folder, settings: Settings, tally: Tally, shown: Renderer, write: Write) -> set[str]:
    result = run(module, settings)
    if isinstance(shown, Seeing):
        shown.see(result)
    show(module, result.findings, settings, tally, shown, write)
    if result.pack is not None:
        result.pack.let_go()
    return _meet(result, settings)


def run(module: Folder, settings: Settings) -> CheckResult:
    """The module's check, with the notes about rules that were not judged raised to errors if that is wanted."""
    from compiler.check import check as check_module
    from compiler.check import no_sweeping

    if settings.save is not None:
        from compiler.commands.saved import check_saved

        result = check_saved(module, settings.save, settings.scenarios, settings.moment)
        return _strict(result) if settings.strict else result
    with no_sweeping():
        result = _with_preflight(
            check_module(module.path, module.shown_as, settings.scenarios or None), module.path
        )
    return _strict(result) if settings.strict else result


def _strict(result: CheckResult) -> CheckResult:
    return replace(result, findings=[_raised(finding) for finding in result.findings])


def _with_preflight(result: CheckResult, root: Path) -> CheckResult:
    """A module without errors is also looked at as VASSAL would have it; of others, what no error of theirs can touch."""
    if result.module is None:
        return result
    if any(finding.severity is Severity.ERROR for finding in result.findings):
        return replace(result, findings=[*result.findings, *_on_pictures(result.module)])
    from compiler.vassal import check_module

    more = [*check_module(result.module, root), *_on_maps(result.module), *_on_counters(result.module)]
    return replace(result, findings=[*result.findings, *more])


def _on_pictures(module: Module) -> list[Finding]:
    """The form of the picture files of area maps, whatever they speak of."""
    from compiler.draw.settings import area_picture, root_of

    boards = [board for board in module.maps.values() if board.kind == "area" and module.stage == "full"]
    return [finding for board in boards for finding in area_picture(root_of(module), board.id)[1]]


def _on_maps(module: Module) -> list[Finding]:
    """The drawn borders of area maps against their links."""
    if module.stage == "rules" or all(board.kind != "area" for board in module.maps.values()):
        return []
    from compiler.draw.agreement import map_findings

    return map_findings(module)


def _on_counters(module: Module) -> list[Finding]:
    """What is wrong with the counter mix and, where the module lays out its counters, with drawing and printing them."""
    if module.stage == "rules":
        return []
    from compiler.sheets.mix import mix_findings

    found = mix_findings(module)
    if not module.raw.get("layouts"):  # plain counters: nothing to draw that could be wrong
        return found
    from compiler.draw.counters import counter_findings
    from compiler.sheets.checks import sheet_findings
    from compiler.sheets.settings import settings_of

    drawn = counter_findings(module)
    if any(finding.code == "D301" for finding in drawn):  # without its layout no sheet is what it will be
        return [*found, *drawn]
    return [*found, *drawn, *sheet_findings(module, settings_of(module))]


def show(
    module: Folder,
    findings: Sequence[Finding],
    settings: Settings,
    tally: Tally,
    shown: Renderer,
    write: Write,
) -> None:
    """Writes the wanted findings of one module, as long as fewer than the limit have been shown, and counts them all."""
    wanted = settings.wanted.keep(findings)
    rows = rows_of(wanted, SHOWN_AT_MOST - tally.shown)
    tally.add(wanted)
    tally.modules += 1
    tally.shown += len(rows)
    _write(write, shown.module(module.shown_as, rows))


def _colour(settings: Settings) -> bool:
    return settings.output is None and has_colour(sys.stdout)


def _write(write: Write, pieces: Iterable[str]) -> None:
    for piece in pieces:
        write(piece)


def _raised(finding: Finding) -> Finding:
    """Family G speaks of the run of the rules; its notes say what could not be judged."""
    if finding.severity is Severity.NOTE and re.fullmatch(r"G\d+", finding.code):
        return replace(finding, severity=Severity.ERROR)
    return finding


def _meet(result: CheckResult, settings: Settings) -> set[str]:
    """Remembers the module's rule ids, for `--select`, and gives back its scenario ids, for `--scenario`."""
    if result.module is None:
        return set()
    settings.wanted.rules.update(
        str(entry.value["id"]) for entry in result.module.rules if "id" in entry.value
    )
    return set(result.module.scenarios)


def _check_scenarios(settings: Settings, known: set[str]) -> None:
    """A scenario that no module has is a slip of the author's, unless no module could be read at all."""
    for name in settings.scenarios:
        if known and name not in known:
            help = did_you_mean(name, known)
            raise Unusable(f"no module here has a scenario '{name}'" + (f"; {help}" if help else ""))
