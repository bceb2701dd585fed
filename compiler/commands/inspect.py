"""`vmodc inspect`: what is in a module or save, ours or not."""

from __future__ import annotations

from pathlib import Path

from compiler.commands import CLEAN, Unusable
from compiler.commands.sink import Write


def inspect(file: Path, format: str, module: Path | None, write: Write) -> int:
    """Shows the file. One that cannot be read, or is not what it says, raises `Unusable` with the reason."""
    from compiler.vassal.inspect import Unreadable, as_json, as_text, inspect_file

    try:
        found = inspect_file(file, module)
    except Unreadable as problem:
        raise Unusable(f"'{file}' cannot be read: {problem}") from problem
    write(as_json(found) if format == "json" else as_text(found))
    return CLEAN
