"""A finding in the making: what is wrong in a file, before the document exists that the finding will point into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compiler.findings import Finding, Path, Place, Related, Severity
from compiler.source.document import Document

Offsets = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Problem:
    """`offsets` are characters of the file's text; without them the value (or key) at `path` is meant."""

    code: str
    message: str
    offsets: Offsets | None = None
    help: str | None = None
    path: Path = ()
    on: Literal["value", "key"] = "value"
    severity: Severity = Severity.ERROR
    also: tuple[tuple[Offsets, str], ...] = ()

    def finding(self, document: Document) -> Finding:
        related = tuple(
            Related(Place(document, self.path, self.on, None, at), words) for at, words in self.also
        )
        place = Place(document, self.path, self.on, None, self.offsets)
        return Finding(self.code, self.severity, self.message, place, self.help, related=related)
