"""A plan becomes files: pictures are rasterised, the archive is packed, the last checks are made on what is in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

from compiler.findings import Finding, Severity
from compiler.model.types import Module
from compiler.vassal.archive import build_time, pack
from compiler.vassal.drawings import Drawings
from compiler.vassal.elements import to_xml
from compiler.vassal.lock import Lock
from compiler.vassal.plan import Picture, Plan, judged, plan_module
from compiler.vassal.saves import save_archive

Render = Callable[[Mapping[str, Picture]], Mapping[str, bytes]]


@dataclass(frozen=True, slots=True)
class Built:
    """One language of a module, ready to be written. `facts` is what `verify` compares the engine's answers with."""

    language: str
    vmod: bytes
    saves: Mapping[str, bytes]
    facts: Mapping[str, object]
    findings: tuple[Finding, ...]


def build_plan(plan: Plan, render: Render, seconds: int) -> Built:
    """The archive and its saves. The findings are those that only the finished entries can show."""
    saves = {
        plan.save_files[item.scenario]: save_archive(item.setup, plan.metadata, seconds)
        for item in plan.setups
    }
    entries = {
        "buildFile.xml": to_xml(plan.tree),
        "moduledata": plan.metadata.module_bytes(),
        **plan.files(),
        **{f"images/{name}": data for name, data in render(plan.pictures).items()},
        **saves,
    }
    found = [item for item in judged(plan, entries) if item.code in ("V106", "V113")]
    return Built(plan.language, pack(entries, seconds), saves, facts(plan), tuple(found))


def facts(plan: Plan) -> dict[str, object]:
    """For the manifest: every piece of every set-up with its place, and what each picture was drawn from."""
    return {
        "name": plan.metadata.name,
        "version": plan.metadata.version,
        "setups": {
            plan.save_files[item.scenario]: {
                "scenario": item.scenario,
                "pieces": [asdict(piece) for piece in item.expected],
            }
            for item in plan.setups
        },
        "pictures": {name: picture.print for name, picture in plan.pictures.items()},
        "hexes": [
            {
                "map": item.map,
                "board": item.board,
                "reach": item.reach,
                "at": {id: list(at) for id, at in item.hexes.items()},
            }
            for item in plan.hexes
        ],
    }


def renderer(drawings: Drawings, earlier: Mapping[str, bytes] | None = None) -> Render:
    """Rasterises each picture, or takes it from an earlier build that has the same drawing under the same name."""
    known = earlier or {}

    def render(pictures: Mapping[str, Picture]) -> Mapping[str, bytes]:
        return {
            name: known[key] if (key := f"{name} {item.print}") in known else as_file(name, item, drawings)
            for name, item in pictures.items()
        }

    return render


def as_file(name: str, picture: Picture, drawings: Drawings) -> bytes:
    """The bytes of a picture: its drawing, or its pixels, as the name says."""
    if name.endswith(".svg"):
        return picture.drawn.encode("utf-8")
    return drawings.png(picture.svg, picture.width, picture.height)


def build_module(
    module: Module, language: str, drawings: Drawings, lock: Lock | None = None
) -> Built | list[Finding]:
    """All at once, for one language. Findings instead of a module where an error stands in the way."""
    seconds = build_time()
    plan = plan_module(module, language, drawings, lock or Lock(), seconds)
    if isinstance(plan, list):
        return plan
    if any(item.severity >= Severity.ERROR for item in plan.findings):
        return list(plan.findings)
    return build_plan(plan, renderer(drawings), seconds)
