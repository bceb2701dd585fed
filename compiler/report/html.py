"""Findings as one page that needs nothing else: the map with pins, the list with filters, lines of supply drawn.

Everything is inside the file and every word is escaped, so that it can be mailed, kept by a CI server and opened offline.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from compiler import __version__
from compiler.report.entries import shown
from compiler.report.rows import Row, Tally
from compiler.report.views import XY, Shown
from compiler.report.words import visible

if TYPE_CHECKING:
    from jinja2 import Template

    from compiler.check import CheckResult


class Html:
    """Collects what each module shows; the page is written when all are known."""

    def __init__(self) -> None:
        self._seen: CheckResult | None = None
        self._shown: list[Shown] = []

    def start(self) -> Iterator[str]:
        return iter(())

    def see(self, result: CheckResult) -> None:
        self._seen = result

    def module(self, name: str, rows: Sequence[Row]) -> Iterator[str]:
        self._shown.append(shown(name, rows, self._seen))
        self._seen = None
        return iter(())

    def end(self, tally: Tally) -> Iterator[str]:
        yield page(self._shown, str(tally), tally.not_shown)


def page(modules: Sequence[Shown], tally: str, not_shown: int = 0, draft: bool = False) -> str:
    """The whole file."""
    return _template().render(
        modules=modules, tally=tally, not_shown=not_shown, draft=draft, version=__version__
    )


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("compiler.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_safe,
    )
    environment.filters["points"] = _points
    environment.filters["px"] = _number
    return environment.get_template("report.html.j2")


def _safe(value: object) -> object:
    """Every word that is not the template's own, without control characters; jinja2 escapes it after this."""
    return visible(value) if type(value) is str else value


def _points(ring: Sequence[XY]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in ring)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
