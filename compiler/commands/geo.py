"""`vmodc geo`: map outlines from geography, written into the module. Needs the extra `vmodc[geo]`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from zipfile import is_zipfile

from compiler.commands import CLEAN, FOUND, UNUSABLE, Unusable
from compiler.commands.check import Settings, show
from compiler.commands.folders import folders
from compiler.commands.sink import Write, has_colour, width
from compiler.findings import Severity
from compiler.report import renderer
from compiler.report.rows import Tally


def geo(named: Sequence[str], data: Path, heights: Path | None, write: Write, complain: Write) -> int:
    """Draws every map that has a geo file. Nothing is written for a map with an error."""
    try:
        from compiler.geo.command import run
    except ImportError as problem:
        raise Unusable(
            f"{problem.name} is not installed; 'pip install vmodc[geo]' brings what geo needs"
        ) from problem
    if data.is_file() and not is_zipfile(data):
        raise Unusable(f"{data} is neither a folder nor a wheel (a zip) with Natural Earth layers")
    found, problems = folders(named)
    for sentence in problems:
        complain(sentence)
    tally = Tally()
    text = renderer("text", colour=has_colour(sys.stdout), width=width())
    for folder in found:
        show(folder, run(folder.path, data, heights, folder.shown_as), Settings(), tally, text, write)
    for piece in text.end(tally):
        write(piece)
    if problems:
        return UNUSABLE
    return FOUND if tally.at_least(Severity.ERROR) else CLEAN
