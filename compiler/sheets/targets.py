"""What `vmodc build --only sheets` and `vmodc sheet` make: `sheets/*.pdf` and a PNG of each side of each sheet."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image

from compiler.draw.counters import counter_findings
from compiler.draw.scene import Scene
from compiler.findings import Finding
from compiler.sheets.checks import sheet_findings
from compiler.sheets.counters import Printed, counter_pages
from compiler.sheets.pages import pdf, png
from compiler.sheets.settings import Settings, settings_of
from compiler.targets import Job


def sheets(job: Job) -> list[Finding]:
    """Counter sheets in every language, as PDF; as PNG where the faces differ from those of the first language."""
    over = job.shared.get("sheets")
    settings = settings_of(job.module, over if isinstance(over, Mapping) else None)
    findings = [*counter_findings(job.module), *sheet_findings(job.module, settings)]
    if any(finding.severity.name == "ERROR" for finding in findings) and not job.draft:
        return findings
    first: Printed | None = None
    for language in job.languages:
        made = counter_pages(job.module, language, settings)
        if made.sheets:
            name = f"{job.module.id}-counters.{language}"
            job.write(f"sheets/{name}.pdf", _pdf(job, made, settings))
            if first is None:
                _pictures(job, made, settings)
        first = first or made
    if first is not None:
        job.fact("sheets.counters", sum(len(sheet.slots) for sheet in first.sheets))
        job.fact("sheets.sheets", len(first.sheets))
    return findings


def _pdf(job: Job, made: Printed, settings: Settings) -> bytes:
    return pdf(made.pages, f"{job.module.id} {job.module.version}", "vmodc", settings.colour)


def _pictures(job: Job, made: Printed, settings: Settings) -> None:
    faces: dict[tuple[Scene, int], Image.Image] = {}
    for name, page in made.faces:
        job.write(f"sheets/{name}.png", png(page, settings.dpi, faces))
