"""What `vmodc build` makes of the drawings: `maps/` and `counters/`.

Board pictures carry language and style in their name; counter pictures never change name, because saves quote it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace

from compiler.draw import draw_counter, draw_map, lean, rasterise
from compiler.draw.counters import counter_findings
from compiler.draw.kept import Kept
from compiler.draw.settings import load_picture, root_of
from compiler.draw.types import DrawnMap
from compiler.findings import Finding
from compiler.grid.cuts import cut
from compiler.targets import Job

MOST_WORKERS = 4  # each needs a hundred megabytes or two


@dataclass(frozen=True, slots=True)
class Board:
    """One picture of a map: the whole map, or a part of one that is too large for a single picture."""

    name: str
    svg: str
    png: bytes


def drawn(job: Job, map_id: str, language: str, style: str) -> tuple[DrawnMap, tuple[Board, ...]]:
    """A map and its boards; drawn once a build, whoever asks first, and not at all if the last build drew the same."""
    key = f"draw.map:{map_id}:{language}:{style}"
    if key not in job.shared:
        kept = Kept(job.stage.folder.parent / ".kept" / job.module.id, job.module)
        last = None if job.draft else kept.get(map_id, language, style)
        job.shared[key] = (
            (last[0], (Board("", last[0].svg, last[1]),))
            if last
            else _draw(job, kept, map_id, language, style)
        )
    found: tuple[DrawnMap, tuple[Board, ...]] = job.shared[key]  # type: ignore[assignment]
    return found


def _draw(job: Job, kept: Kept, map_id: str, language: str, style: str) -> tuple[DrawnMap, tuple[Board, ...]]:
    made = draw_map(job.module, map_id, language, style)
    if job.draft:
        made = replace(made, svg=_as_draft(made))
    boards = _boards(made) if made.svg else ()
    if not job.draft and len(boards) == 1:
        kept.put(map_id, language, style, made, boards[0].png)
    return made, boards


def _boards(made: DrawnMap) -> tuple[Board, ...]:
    """The pictures: one is drawn here, the parts of a large map side by side on all processors."""
    parts = made.parts
    svgs = cut(made.svg, parts)
    sizes = [(part.width, part.height) for part in parts]
    pngs = _all_at_once(svgs, sizes) if len(parts) > 1 else [rasterise(svgs[0], *sizes[0])]
    names = [part.name if len(parts) > 1 else "" for part in parts]
    return tuple(Board(name, svg, png) for name, svg, png in zip(names, svgs, pngs, strict=True))


def _all_at_once(svgs: Sequence[str], sizes: Sequence[tuple[int, int]]) -> list[bytes]:
    widths, heights = zip(*sizes, strict=True)
    workers = min(len(svgs), os.cpu_count() or 1, MOST_WORKERS)
    if workers > 1:
        try:
            with ProcessPoolExecutor(workers) as pool:
                return list(pool.map(rasterise, svgs, widths, heights))
        except (OSError, ImportError, BrokenProcessPool):  # no processes to be had: one after the other
            pass
    return [rasterise(*one) for one in zip(svgs, widths, heights, strict=True)]


def _as_draft(made: DrawnMap) -> str:
    """The picture with the word over it, so that nobody takes it for the real one."""
    size = made.width / 5
    words = f'<text x="{made.width / 2:.0f}" y="{made.height / 2:.0f}" text-anchor="middle" font-family="Source Sans Pro" font-weight="700"'
    return made.svg.replace(
        "</svg>", f'{words} font-size="{size:.0f}" fill="#b3261e" fill-opacity="0.25">DRAFT</text>\n</svg>'
    )


def maps(job: Job) -> list[Finding]:
    """Every map in every language, as SVG and PNG; the first style for all languages, others as the map asks."""
    out: list[Finding] = []
    seen: set[tuple[str, str]] = set()
    used: set[str] = set()
    for map_id in job.module.maps:
        picture, _ = load_picture(root_of(job.module), map_id)
        for language in job.languages:
            for style in picture.get("draw", ["print"]):
                made, boards = drawn(job, map_id, language, style)
                for finding in made.findings:
                    if (finding.code, finding.message) not in seen:
                        seen.add((finding.code, finding.message))
                        out.append(finding)
                if made.svg:
                    name = "maps/" + file_name(
                        f"{map_id}-{language}" + ("" if style == "print" else f"-{style}"), used
                    )
                    job.write(f"{name}.svg", made.svg.encode())
                    for board in boards:
                        job.write(
                            f"{name}-{board.name.lower()}.png" if board.name else f"{name}.png", board.png
                        )
                    if len(boards) > 1:
                        job.fact(f"{name}.boards", [made.parts[-1].row + 1, made.parts[-1].column + 1])
                    job.fact(f"{name}.label_overlaps", made.collisions)
                    job.fact(f"{name}.labels", len(made.labels))
    return out


def counters(job: Job) -> list[Finding]:
    """Every face of every counter, as SVG and PNG."""
    language = job.languages[0] if job.languages else ""
    used: set[str] = set()
    for counter_id in job.module.counters:
        for face in draw_counter(job.module, counter_id, language, 120):
            name = file_name(counter_id + ("" if face.name == "front" else f"-{face.name}"), used)
            job.write(f"counters/{name}.svg", face.svg.encode())
            job.write(f"counters/{name}.png", lean(rasterise(face.svg, face.width, face.height)))
    return (
        [] if job.module.raw.get("layouts") else counter_findings(job.module)
    )  # layouts are checked already


def file_name(name: str, used: set[str]) -> str:
    """A name that every file system takes: lower case, digits and hyphens; numbered if it was used before."""
    plain = re.sub(r"[^a-z0-9-]+", "-", name.lower()).strip("-") or "x"
    found, number = plain, 1
    while found in used:
        number += 1
        found = f"{plain}-{number}"
    used.add(found)
    return found
