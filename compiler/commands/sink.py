"""Where a report goes: the terminal, a pipe, or a file that appears only when it is whole."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TextIO

from compiler.commands import Unusable


class Write(Protocol):
    def __call__(self, text: str, /) -> object: ...


@contextmanager
def sink(output: Path | None) -> Iterator[Write]:
    """A function that writes text to `output`, or to standard output. A report that fails half-way leaves no file."""
    if output is None:
        yield sys.stdout.write
        return
    part = output.with_name(f".{output.name}.part")
    try:
        with part.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            yield file.write
        part.replace(output)
    except OSError as problem:
        raise Unusable(f"'{output}' cannot be written: {problem.strerror}") from problem
    finally:
        part.unlink(missing_ok=True)


def has_colour(stream: TextIO) -> bool:
    """Colour only for a person: a terminal, and nobody asked for none (see no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    return shutil.get_terminal_size((110, 24)).columns


def progress(words: str) -> None:
    """One line that is written over again and again, for a person who waits; nothing where nobody looks."""
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        sys.stderr.write(f"\r\x1b[2K{words}")
        sys.stderr.flush()
