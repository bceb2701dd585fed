"""The targets `vmod` and `saves` of a build, and the pre-flight that `check` runs."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from compiler import __version__
from compiler.findings import Finding, Place, Severity
from compiler.model.types import Module
from compiler.source.document import Document
from compiler.vassal.archive import build_time
from compiler.vassal.build import Built, Render, as_file, build_plan
from compiler.vassal.drawings import Drawings, Drawn, Undrawn
from compiler.vassal.lock import FILE, Lock, changes, locked, missing, written
from compiler.vassal.plan import Picture, Plan, plan_module, word_faults

if TYPE_CHECKING:
    from compiler.draw import DrawnMap
    from compiler.targets import Job

_SHARED = "vassal"


@dataclass(frozen=True, slots=True)
class Planned:
    """Every language of a module, the lock as it was and as it will be, and all findings."""

    plans: tuple[Plan, ...]
    old: Lock
    new: Lock
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        return not any(item.severity >= Severity.ERROR for item in self.findings)


def plan_all(
    module: Module,
    root: Path,
    languages: tuple[str, ...],
    drawings: Drawings,
    *,
    draft: bool = False,
    frozen: bool = False,
) -> Planned:
    """Plans in every language with one lock. `frozen` (`--locked`) makes a lock that would grow an error."""
    text = read_lock(root)
    old, findings = locked(text, _lock_place(root, text))
    new = old
    plans: list[Plan] = []
    for language in languages:
        plan = plan_module(module, language, drawings, new, build_time(), draft=draft)
        if isinstance(plan, list):
            findings += plan
            continue
        plans.append(plan)
        findings += [item for item in plan.findings if item not in findings]
        new = plan.lock
    if plans:
        findings += changes(old, new, module)
        findings += missing(old, new, module) if frozen else []
    return Planned(tuple(plans), old, new, tuple(findings))


def read_lock(root: Path) -> str | None:
    """The text of the lock; none if there is no such file, and nothing in it (a mistake) if it cannot be read."""
    try:
        return (root / FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        return ""


def _lock_place(root: Path, text: str | None) -> Place | None:
    return None if text is None else Place(Document(f"{root.as_posix()}/{FILE}", text))


def check_module(module: Module, root: Path) -> list[Finding]:
    """The pre-flight in memory: nothing is drawn, rasterised or written.

    The lock is judged for what only the source decides (counters, names); outlines and pictures are a build's matter.
    Other languages differ in words only, so only their words are looked at.
    """
    if module.stage != "full" or not module.languages:
        return []
    text = read_lock(root)
    old, findings = locked(text, _lock_place(root, text))
    first, *others = module.languages
    plan = plan_module(module, first, Undrawn(module), old, build_time())
    if isinstance(plan, list):
        return findings + plan
    findings += [item for item in plan.findings if item.code != "V113"]
    findings += [item for item in changes(old, plan.lock, module) if item.code in ("V132", "V136")]
    for language in others:
        findings += word_faults(module, language)
    return findings


def vmod(job: Job) -> list[Finding]:
    """Writes the module in each language, and the lock file beside the source."""
    built, findings = _built(job)
    for item in built:
        job.write(_module_file(job, item.language), item.vmod)
        job.fact(
            f"vassal.{item.language}",
            {"file": _module_file(job, item.language), "made_with": __version__, **item.facts},
        )
    if built and not job.draft:
        _write_lock(job)
    return findings


def saves(job: Job) -> list[Finding]:
    """Writes the set-ups beside the module."""
    built, findings = _built(job)
    for item in built:
        folder = "scenarios" if item.language == job.module.languages[0] else f"{item.language}/scenarios"
        for name, data in item.saves.items():
            job.write(f"{folder}/{name}", data)
    return findings if job.shared.get(_SHARED + ".reported") is not True else []


def _module_file(job: Job, language: str) -> str:
    id = job.module.id
    return f"{id}.vmod" if language == job.module.languages[0] else f"{language}/{id}-{language}.vmod"


def _built(job: Job) -> tuple[tuple[Built, ...], list[Finding]]:
    """Made once for both targets."""
    if _SHARED in job.shared:
        built = job.shared[_SHARED]
        assert isinstance(built, tuple)
        return built, []
    drawings = _drawings(job)
    planned = plan_all(
        job.module,
        job.root,
        job.languages,
        drawings,
        draft=job.draft,
        frozen=bool(job.shared.get("locked")),
    )
    findings = [*drawings.findings, *planned.findings]
    made: tuple[Built, ...] = ()
    if planned.sound or (job.draft and planned.plans):
        made = tuple(
            build_plan(plan, _renderer(job, drawings, plan.language), build_time()) for plan in planned.plans
        )
        findings += [item for built in made for item in built.findings]
        job.shared[_SHARED + ".lock"] = planned.new
    job.shared[_SHARED] = made
    return made, findings


def _drawings(job: Job) -> Drawn:
    """Maps that the target `maps` has drawn in this build are not drawn again."""

    def known(map_id: str, language: str) -> DrawnMap:
        made = job.shared.get(f"draw.map:{map_id}:{language}:print")
        if isinstance(made, tuple):
            drawn: DrawnMap = made[0]
            return drawn
        from compiler.draw import draw_map

        return draw_map(job.module, map_id, language)

    return Drawn(job.module, known)


def _renderer(job: Job, drawings: Drawn, language: str) -> Render:
    """Pictures of this or the earlier build whose drawing is the same are taken over; the others are rasterised."""
    earlier = _Earlier(job, language)
    shared = {
        board.svg: board.png
        for key, made in job.shared.items()
        if key.startswith("draw.map:") and isinstance(made, tuple)
        for board in made[1]
    }

    def one(item: tuple[str, Picture]) -> tuple[str, bytes]:
        name, picture = item
        known = shared.get(picture.svg) or earlier.get(name, picture)
        return name, known or as_file(name, picture, drawings)

    def render(pictures: Mapping[str, Picture]) -> Mapping[str, bytes]:
        with ThreadPoolExecutor(max(1, job.jobs)) as pool:
            return dict(pool.map(one, pictures.items()))

    return render


class _Earlier:
    """The pictures in the module file that the last build left, by the drawings they were made from."""

    def __init__(self, job: Job, language: str) -> None:
        from compiler.output import manifest_of

        place = job.stage.folder.parent / job.stage.folder.name.removeprefix(".").removesuffix(".new")
        manifest = manifest_of(place) or {}
        facts = manifest.get("facts")
        known = facts.get(f"vassal.{language}") if isinstance(facts, dict) else None
        prints = known.get("pictures") if isinstance(known, dict) else None
        self._prints: Mapping[str, object] = prints if isinstance(prints, dict) else {}
        self._file = place / _module_file(job, language)
        self._bytes: dict[str, bytes] = {}
        if self._prints and known is not None and known.get("made_with") == __version__:
            self._read()

    def _read(self) -> None:
        try:
            with zipfile.ZipFile(self._file) as archive:
                self._bytes = {name: archive.read(f"images/{name}") for name in self._prints}
        except (OSError, KeyError, zipfile.BadZipFile):
            self._bytes = {}

    def get(self, name: str, picture: Picture) -> bytes | None:
        return self._bytes.get(name) if self._prints.get(name) == picture.print else None


def _write_lock(job: Job) -> None:
    """Replaces the lock file in one step, and only if it says something new."""
    lock = job.shared.get(_SHARED + ".lock")
    if not isinstance(lock, Lock):
        return
    text = written(replace(lock, pictures=dict(lock.pictures)))
    path = job.root / FILE
    if read_lock(job.root) != text:
        beside = path.with_suffix(".new")
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(path)
