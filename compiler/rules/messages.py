"""Messages of rules: `{name.attr}` stands for what a verdict found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from compiler.findings import Place
from compiler.model.types import Type
from compiler.rules.compiler import Compiler
from compiler.suggest import did_you_mean

_BRACES = re.compile(r"\{\{|\}\}|\{([^}]*)\}")
PLACEHOLDERS = {
    "must": ("why",),
    "total": ("value", "bound", "excess", "items"),
    "fit": ("items", "fits", "left", "why"),
}
TRACED = ("path", "stop", "cost", "budget")  # of every rule that reads a trace


def placeholders(text: str) -> Iterator[tuple[int, int, str]]:
    """Every `{name.attr}` of a message with where it stands. `{{` is a brace."""
    for found in _BRACES.finditer(text):
        if found[1] is not None:
            yield found.start(), found.end(), found[1]


def fill(text: str, value_of: Callable[[str], str]) -> str:
    """The message with every placeholder filled; braces inside what is filled in stay as they are."""
    out, at = [], 0
    for start, end, inside in placeholders(text):
        out += [_braces(text[at:start]), value_of(inside)]
        at = end
    return "".join([*out, _braces(text[at:])])


def _braces(text: str) -> str:
    return text.replace("{{", "{").replace("}}", "}")


def traced(c: Compiler, reads: frozenset[tuple[str, str]]) -> tuple[str, ...]:
    """The placeholders that a rule has because of what it reads."""
    return TRACED if reads & c.vocabulary.traces else ()


def check_placeholders(
    c: Compiler,
    text: str,
    construct: str,
    shown: Iterable[str],
    names: Mapping[str, Type],
    at: Callable[[int, int], Place],
) -> None:
    """Reports placeholders that this rule does not have; `at` gives the place of some characters of the text."""
    own = [*PLACEHOLDERS[construct], *shown]
    known = [*names, *own]
    for start, end, inside in placeholders(text):
        root, *path = inside.split(".")
        if root not in known:
            help = did_you_mean(root, known) or f"known here: {', '.join(known)}"
            message = f"a message of '{construct}' has no placeholder '{{{root}}}'"
            c.report("R117", message, at(start, end), help)
        elif path and root in own:
            message = f"'{{{root}}}' is no item: it has no '{path[0]}'"
            c.report("R117", message, at(start, end), f"write {{{root}}}")
        elif path:
            c.walk(names[root], path, at(start, end))
