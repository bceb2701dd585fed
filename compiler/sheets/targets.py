"""What `vmodc build --only sheets` and `vmodc sheet` make: `sheets/*.pdf` and a PNG of each side of each sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PIL import Image

from compiler.draw import draw_map
from compiler.draw.scene import Scene
from compiler.draw.targets import file_name
from compiler.findings import Finding, Severity
from compiler.sheets.charts import chart_pages
from compiler.sheets.checks import sheet_findings
from compiler.sheets.counters import counter_pages
from compiler.sheets.maps import map_pages
from compiler.sheets.pages import Page, pdf, png
from compiler.sheets.settings import Settings, settings_of
from compiler.sheets.tracks import track_pages
from compiler.targets import Job


def sheets(job: Job) -> list[Finding]:
    """Counter sheets, player aid and maps in every language, as PDF; the sheets as PNG, in the first language.

    Maps for print are large and slow: they are made when sheets alone are asked for.
    """
    over = job.shared.get("sheets")
    settings = settings_of(job.module, over if isinstance(over, Mapping) else None)
    findings = (
        sheet_findings(job.module, settings) if over else []
    )  # what the module itself says is checked already
    if any(finding.severity is Severity.ERROR for finding in findings) and not job.draft:
        return findings
    for n, language in enumerate(job.languages):
        _counters(job, language, settings, pictures=n == 0)
        aid = [
            *chart_pages(job.module, language, settings),
            *track_pages(job.module, language, settings),
        ]
        if aid:
            _write(job, f"charts-{language}", aid, settings)
        if job.shared.get("only") == ("sheets",):
            _maps(job, language, settings)
    return findings


def _counters(job: Job, language: str, settings: Settings, pictures: bool) -> None:
    made = counter_pages(job.module, language, settings)
    if not made.sheets:
        return
    _write(job, f"counters-{language}", made.pages, settings)
    if pictures:
        faces: dict[tuple[Scene, int], Image.Image] = {}
        for name, page in made.faces:
            job.write(f"sheets/{name}.png", png(page, settings.dpi, faces))
        job.fact("sheets.counters", sum(len(sheet.slots) for sheet in made.sheets))
        job.fact("sheets.sheets", len(made.sheets))


def _maps(job: Job, language: str, settings: Settings) -> None:
    for map_id in job.module.maps:
        drawn = draw_map(job.module, map_id, language)
        if drawn.svg:
            _write(
                job,
                f"map-{map_id}-{language}",
                map_pages(job.module, map_id, drawn, language, settings),
                settings,
            )


def _write(job: Job, name: str, pages: Iterable[Page], settings: Settings) -> None:
    title = f"{job.module.id} {job.module.version}"
    file = file_name(f"{job.module.id}-{name}", set())
    job.write(f"sheets/{file}.pdf", pdf(pages, title, "vmodc", settings.colour))
