"""What `vmodc build` makes of the findings: `report.html`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from compiler.findings import Finding
from compiler.report.entries import shown
from compiler.report.html import page
from compiler.report.rows import Tally, rows_of
from compiler.targets import Job

if TYPE_CHECKING:
    from compiler.draw import DrawnMap


def report(job: Job) -> list[Finding]:
    """Everything that this build has said, drawn on the map."""
    from compiler.check import CheckResult

    result = job.shared.get("check")
    found = result.findings if isinstance(result, CheckResult) else []
    known = result if isinstance(result, CheckResult) else CheckResult(job.module, None, [])
    rows = rows_of(found)
    tally = Tally(modules=1, shown=len(rows))
    tally.add(found)

    def draw(map_id: str) -> DrawnMap:
        return _drawn(job, map_id)

    made = shown(job.root.name, rows, known, draw, _keep(job))
    job.write("report.html", page([made], str(tally), tally.not_shown, job.draft).encode("utf-8"))
    return []


def _keep(job: Job) -> Path:
    return job.stage.folder.parent / ".kept" / job.module.id


def _drawn(job: Job, map_id: str) -> DrawnMap:
    """The map as this build has drawn it, or the last one did; else it is drawn."""
    from compiler.draw import draw_map
    from compiler.draw.kept import Kept

    language = job.module.languages[0] if job.module.languages else ""
    made = job.shared.get(f"draw.map:{map_id}:{language}:print")
    if isinstance(made, tuple):
        drawn: DrawnMap = made[0]
        return drawn
    last = Kept(_keep(job), job.module).get(map_id, language, "print")
    return last[0] if last else draw_map(job.module, map_id, language)
