"""What was asked for: the module's `sheets`, with the words of the command line on top."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from compiler.draw.counters import PLAIN_MM
from compiler.model.types import Module

PAPERS: Mapping[str, tuple[float, float]] = {
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "a3": (297.0, 420.0),
}
COLOURS = ("rgb", "cmyk")
FLIPS = ("long", "short")


@dataclass(frozen=True, slots=True)
class Settings:
    """All lengths in mm. `columns` and `rows` are given for a printer's die; without them the paper is filled."""

    paper: str = "a4"
    colour: str = "rgb"
    flip: str = "long"
    counter: float = PLAIN_MM
    bleed: float = 3.0
    safe: float = 0.6
    gutter: float = 0.0
    columns: int | None = None
    rows: int | None = None
    dpi: int = 300

    @property
    def size(self) -> tuple[float, float]:
        return PAPERS[self.paper]


def settings_of(module: Module, over: Mapping[str, Any] | None = None) -> Settings:
    """The module's own settings; what `over` gives (not None) goes before them."""
    written = module.raw.get("sheets")
    raw: dict[str, Any] = dict(written) if isinstance(written, Mapping) else {}
    raw.update({key: value for key, value in (over or {}).items() if value is not None})
    plain: dict[str, Any] = {
        key: float(value) if isinstance(value, Decimal) else value for key, value in raw.items()
    }
    known = {key: plain[key] for key in Settings.__dataclass_fields__ if key in plain}
    return Settings(**known)
