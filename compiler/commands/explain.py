"""`vmodc explain`: what a code or a construct of the rule language means, or a game's own rule read back in words."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from compiler.codes import Code, all_codes, families
from compiler.commands import CLEAN, Unusable
from compiler.commands.folders import Folder, folders
from compiler.commands.sink import Write
from compiler.rules.reference import Construct, constructs, groups, named
from compiler.suggest import did_you_mean


def explain(name: str, module: str | None, language: str | None, write: Write) -> int:
    """Explains a code, a construct of the rule language, or a rule of the module named (of any in modules_src/ if none is)."""
    code = all_codes().get(name.upper())
    if code:
        write(_words(code))
        return CLEAN
    parts = named(name) if module is None else []
    if parts:
        write("\n".join(_construct(part) for part in parts))
        return CLEAN
    rules: list[str] = []
    explained = False
    for folder in _folders(module):
        for text in _rule(name, folder, language, rules):
            write(text)
            explained = True
    if not explained:
        help = did_you_mean(name, [*all_codes(), *rules, *(one.name for one in constructs())])
        raise Unusable(
            f"no code, construct or rule is called '{name}'; "
            + (help or "'vmodc explain' lists what there is")
        )
    return CLEAN


def list_codes(write: Write) -> int:
    """One line a code, family by family."""
    for codes in families().values():
        for code in codes.values():
            write(f"{code.code:6} {code.severity.word:8} {code.title}\n")
        write("\n")
    for group in groups():
        told = ", ".join(one.name for one in group.constructs)
        write(textwrap.fill(f"{group.title}: {told}", 100, subsequent_indent="    ") + "\n")
    write("\nvmodc explain NAME tells more; vmodc explain RULE MODULE reads a game's rule back in words.\n")
    return CLEAN


def markdown() -> Iterator[str]:
    """docs/findings.md, whole."""
    yield "# Findings\n\nMade from the codes by `vmodc explain --all --format markdown`; do not edit by hand.\n\n"
    yield "A game's own rules use their id as code (`sea.seats`); `vmodc explain RULE MODULE` reads one back in words.\n"
    for codes in families().values():
        for code in codes.values():
            yield _markdown(code)


def everything() -> Iterator[str]:
    """All codes and constructs as `explain` prints them."""
    for code in all_codes().values():
        yield _words(code) + "\n"
    for construct in constructs():
        yield _construct(construct) + "\n"


def reference() -> Iterator[str]:
    """docs/reference.md, whole."""
    yield (
        "# The rule language, construct by construct\n\n"
        "Made by `vmodc explain --reference`; do not edit by hand. [rules](rules.md) is the way in; `vmodc explain NAME` "
        "prints one of these.\nEach example is run by the tests: the wrong one gives the finding named, the right one none.\n"
    )
    for group in groups():
        yield f"\n## {group.title}\n\n{group.about}\n"
        for one in group.constructs:
            yield f"\n### `{one.name}`\n\n{one.what}\n\n"
            yield f"Wrong ({', '.join(one.codes)}: {one.why}):\n\n```json\n{_source(one.wrong, one.wrong_scenario)}\n```\n\n"
            yield f"Right:\n\n```json\n{_source(one.right, one.right_scenario)}\n```\n"


def _construct(one: Construct) -> str:
    codes = all_codes()
    told = "; ".join(f"{code}: {codes[code].title}" for code in one.codes)
    parts = [
        one.name,
        _wrap(one.what),
        f"Wrong ({one.why}; {told}):\n\n" + _indent(_source(one.wrong, one.wrong_scenario)),
        "Right:\n\n" + _indent(_source(one.right, one.right_scenario)),
    ]
    return "\n\n".join(parts) + "\n"


def _source(entries: Iterable[Mapping[str, Any]], scenario: Mapping[str, Any] | None) -> str:
    """Entries of rules.json, one a line; what the scenario says beside them."""
    lines = [json.dumps(entry, ensure_ascii=False) for entry in entries]
    if scenario is not None:
        lines.append("and in the scenario: " + json.dumps(scenario, ensure_ascii=False))
    return "\n".join(lines)


def _words(code: Code) -> str:
    parts = [f"{code.code}: {code.title} ({code.severity.word})", _wrap(code.what), _wrap(code.why)]
    parts += ["Wrong:\n\n" + _indent(code.wrong), "Right:\n\n" + _indent(code.right)]
    if code.help:
        parts.append(_wrap(code.help))
    return "\n\n".join(parts) + "\n"


def _markdown(code: Code) -> str:
    parts = [f"\n## {code.code}: {code.title}", f"*{code.severity.word}*", code.what, code.why]
    parts += [
        f"Wrong:\n\n```json\n{code.wrong.strip()}\n```",
        f"Right:\n\n```json\n{code.right.strip()}\n```",
    ]
    return "\n\n".join(filter(None, [*parts, code.help])) + "\n"


def _wrap(text: str) -> str:
    return "\n".join(textwrap.fill(paragraph, 100) for paragraph in text.strip().split("\n"))


def _indent(source: str) -> str:
    return textwrap.indent(source.strip("\n") or "(an empty file)", "    ")


def _folders(module: str | None) -> Sequence[Folder]:
    try:
        found, problems = folders([module] if module else [])
    except Unusable:
        if module:
            raise
        return []  # no modules here: the name can only be a code
    if problems and module:
        raise Unusable(problems[0])
    return found


def _rule(name: str, folder: Folder, language: str | None, rules: list[str]) -> Iterator[str]:
    """The rule, definition, selector or way called `name` in the module; the names it has are added to `rules`."""
    from compiler.check import check
    from compiler.rules import read_back

    result = check(folder.path, folder.shown_as)
    if result.module is None or result.pack is None:
        return
    language = language or next(iter(result.module.languages), "en")
    parts = (part for kind in ("selectors", "ways") for part in result.pack.parts[kind])
    heads = (entry.value.get(key) for entry in result.module.rules for key in ("id", "derive", "trace"))
    own = list(dict.fromkeys([*(str(head) for head in heads if head is not None), *parts]))
    rules += own
    if name in own:
        help = f"'vmodc check {folder.shown_as}' shows its errors, if it has any"
        words = read_back(result.pack, name, language)
        yield (words or f"'{name}' is used by no rule that can be run; {help}") + "\n"
