"""`vmodc verify`: an installed VASSAL opens the module, and its answers are compared with the build's manifest."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from compiler.commands import CLEAN, FOUND
from compiler.commands.sink import Write, has_colour, sink, width
from compiler.findings import Severity
from compiler.report import renderer
from compiler.report.rows import Tally, rows_of

if TYPE_CHECKING:
    from compiler.vassal.verify import Verdict


@dataclass(frozen=True, slots=True)
class Settings:
    engine: Path | None
    screenshots: Path | None
    timeout: float
    thorough: bool = False
    format: str = "text"
    fail_on: Severity = Severity.ERROR


def verify(modules: Sequence[Path], settings: Settings, complain: Write) -> int:
    """Runs each module in an engine of its own. The findings go to standard output, what was done to `complain`."""
    tally = Tally()
    with sink(None) as write:
        shown = renderer(
            settings.format, fail_on=settings.fail_on, colour=has_colour(sys.stdout), width=width()
        )
        _write(write, shown.start())
        for file in modules:
            verdict = _verdict(file, settings)
            tally.add(verdict.findings)
            tally.modules += 1
            rows = rows_of(verdict.findings, 1000)
            tally.shown += len(rows)
            _write(write, shown.module(file.as_posix(), rows))
            if verdict.engine:
                complain(_done(file, verdict))
        _write(write, shown.end(tally))
    return FOUND if tally.at_least(settings.fail_on) else CLEAN


def _verdict(file: Path, settings: Settings) -> Verdict:
    from compiler.vassal.verify import verify as run

    pictures = (settings.screenshots or Path("build") / "verify") / file.stem
    return run(file, settings.engine, pictures, timeout=settings.timeout, thorough=settings.thorough)


def _done(file: Path, verdict: Verdict) -> str:
    from compiler.vassal.verify import speeds

    setups = ", ".join(f"{name} with {count} pieces" for name, count in verdict.pieces.items()) or "no set-up"
    where = f"; pictures in {verdict.pictures[0].parent}" if verdict.pictures else ""
    timed = f"; {told}" if (told := speeds(verdict.lines)) else ""
    return f"VASSAL {verdict.engine} opened {file.name}: {setups}{timed}{where}"


def _write(write: Write, pieces: Iterable[str]) -> None:
    for piece in pieces:
        write(piece)
