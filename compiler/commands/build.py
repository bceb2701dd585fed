"""`vmodc build`: checks each module, then makes every target that there is, all or nothing."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from compiler.commands import CLEAN, FOUND, UNUSABLE, Unusable
from compiler.commands.check import Settings, run, show
from compiler.commands.folders import Folder, folders
from compiler.commands.sink import Write, has_colour, progress, width
from compiler.findings import Finding, Severity
from compiler.output import OutputError, Stage, building, finish, manifest_of
from compiler.report import Renderer, renderer
from compiler.report.rows import Tally
from compiler.suggest import did_you_mean
from compiler.targets import ADDRESSES, Job, Target, existing

if TYPE_CHECKING:
    from compiler.check import CheckResult
    from compiler.model.types import Module


@dataclass(frozen=True, slots=True)
class Plan:
    """What was asked for. `only` and `languages` empty: everything."""

    parent: Path
    only: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    jobs: int = 1
    draft: bool = False
    locked: bool = False
    fail_on: Severity = Severity.ERROR
    settings: Mapping[str, object] = field(default_factory=dict)  # what a target asks for by name


class _Stopped(Exception):
    """A target found something at or above --fail-on: the build is given up."""


def build(named: Sequence[str], plan: Plan, write: Write, complain: Write) -> int:
    """Builds the modules, each for itself: one that fails does not hold up the others."""
    targets = _chosen(plan.only)
    found, problems = folders(named)
    for problem in problems:
        complain(problem)
    worst = UNUSABLE if problems else CLEAN
    for folder in found:
        try:
            worst = max(worst, _Build(folder, plan, targets, write).run())
        except OutputError as problem:
            complain(str(problem))
            worst = UNUSABLE
    return worst


def _chosen(only: tuple[str, ...]) -> dict[str, Target]:
    there = existing()
    for name in only:
        if name not in ADDRESSES:
            help = did_you_mean(name, ADDRESSES)
            raise Unusable(f"there is no target '{name}'; {help or 'targets: ' + ', '.join(ADDRESSES)}")
        if name not in there:
            raise Unusable(
                f"the target '{name}' is not part of this version yet; there is: {', '.join(there) or 'none'}"
            )
    return {name: target for name, target in there.items() if not only or name in only}


class _Build:
    """The build of one module."""

    def __init__(self, folder: Folder, plan: Plan, targets: dict[str, Target], write: Write) -> None:
        self._folder, self._plan, self._targets, self._write = folder, plan, targets, write
        self._text: Renderer = renderer("text", colour=has_colour(sys.stdout), width=width())
        self._tally = Tally()
        self._said: set[tuple[str, str]] = set()

    def run(self) -> int:
        result = run(self._folder, Settings())
        self._show(result.findings)
        if result.module is None or (self._fails() and not self._plan.draft):
            self._say(f"not built: {self._tally}")
            return FOUND
        if result.module.stage == "rules":
            self._say(f"checked ({self._tally}); its stage is 'rules', so nothing is built")
            return CLEAN
        if not self._targets:
            self._say(f"checked ({self._tally}); this version has nothing to build from it yet")
            return CLEAN
        return self._build(result.module, result)

    def _build(self, module: Module, result: CheckResult) -> int:
        name = f"{module.id}.draft" if self._plan.draft else module.id
        place = self._plan.parent / name
        try:
            with building(self._plan.parent, name) as stage:
                self._make(module, stage, result)
                kept = self._keep_others(place, stage)
                finish(stage, self._about(module, kept))
        except _Stopped:
            self._say(f"not built: {self._tally}; {place.as_posix()} is as it was")
            return FOUND
        self._say(f"built {place.as_posix()}: {', '.join(self._targets)} ({self._tally})")
        if kept:
            self._say(f"kept from an earlier build: {', '.join(sorted(kept))}")
        return FOUND if self._fails() else CLEAN

    def _make(self, module: Module, stage: Stage, result: CheckResult) -> None:
        shared: dict[str, object] = {
            "check": result,
            "locked": self._plan.locked,
            "only": self._plan.only,
            **self._plan.settings,
        }
        languages = _languages(module, self._plan.languages)
        for name, target in self._targets.items():
            job = Job(
                name, module, self._folder.path, languages, self._plan.draft, self._plan.jobs, stage, shared
            )
            progress(f"{module.id}: {name} ...")
            findings = target(job)
            progress("")
            self._show(findings)
            result.findings.extend(findings)
            if self._fails() and not self._plan.draft:
                raise _Stopped

    def _keep_others(self, place: Path, stage: Stage) -> set[str]:
        """With --only, what other targets made earlier stays; the manifest says from which sources it was made."""
        manifest = manifest_of(place) if self._plan.only else None
        files = manifest["files"] if manifest else None
        if not isinstance(files, dict):
            return set()
        others = {path: entry for path, entry in files.items() if entry["target"] not in self._targets}
        for path, entry in others.items():
            stage.keep(path, place / path, entry)
        return {str(entry["target"]) for entry in others.values()}

    def _about(self, module: Module, kept: Collection[str]) -> dict[str, object]:
        digest = _digest(self._folder.path)
        earlier = manifest_of(self._plan.parent / module.id) or {}
        before = earlier.get("sources")
        sources = {name: before[name] for name in kept if isinstance(before, dict) and name in before}
        return {
            "format": 1,
            "module": module.id,
            "version": module.version,
            "languages": list(_languages(module, self._plan.languages)),
            "draft": self._plan.draft,
            "sources": sources | dict.fromkeys(self._targets, digest),
        }

    def _show(self, findings: Sequence[Finding]) -> None:
        """A target may look at what the check has looked at: the same fact is told once."""
        new = [finding for finding in findings if (finding.code, finding.message) not in self._said]
        self._said |= {(finding.code, finding.message) for finding in new}
        show(self._folder, new, Settings(), self._tally, self._text, self._write)

    def _fails(self) -> bool:
        return self._tally.at_least(self._plan.fail_on) > 0

    def _say(self, words: str) -> None:
        self._write(f"{self._folder.shown_as}: {words}\n")


def _languages(module: Module, asked: tuple[str, ...]) -> tuple[str, ...]:
    for language in asked:
        if language not in module.languages:
            raise Unusable(f"{module.id} has no language '{language}'; it has: {', '.join(module.languages)}")
    return tuple(language for language in module.languages if not asked or language in asked)


def _digest(root: Path) -> str:
    """One hash over every file of the module's folder, names included: which sources a target was made from."""
    digest = hashlib.sha256()
    for folder, inner, files in os.walk(root):
        inner.sort()
        for name in sorted(files):
            file = Path(folder) / name
            digest.update(file.relative_to(root).as_posix().encode("utf-8", "backslashreplace") + b"\0")
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
