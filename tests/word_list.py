"""The pages docs/words/*.md: the words in which a game's cases are written, from its own source files."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

HEAD = """# {name}: the words of its cases

What a case of `modules_src/{id}` may say and ask, beside what [the language](../language.md) and [rules](../rules.md) say of every game.
This page is made by `tests/test_docs.py` from the module's own files; its cases are the examples.
"""


def word_list(folder: Path) -> Iterator[str]:
    """The page of one game."""
    module = _read(folder / "module.json")
    rules = _read(folder / "rules.json")
    names = _texts(folder / "text", module["languages"][0])
    yield HEAD.format(name=names["module"]["name"], id=module["id"])
    yield from _section("How a position is said", _lines([*_listed(module), *_listed(rules)]))
    yield from _section(
        "Sides, powers, options, moments", _lines(_ids(module, _read(folder / "sequence.json")))
    )
    maps = [one for path in sorted((folder / "maps").glob("*.json")) if "id" in (one := _read(path))]
    yield from _section("Places", _lines(_places(maps, names.get("space", {}))))
    types = [
        one for path in sorted((folder / "counters").glob("*.json")) for one in _read(path).get("types", [])
    ]
    yield from _section(
        "Units and markers", _table("type|attributes", ((f"`{one['id']}`", _told(one)) for one in types))
    )
    yield from _section("Counters with a name", _lines(_counters(folder / "counters")))
    yield from _section(
        "Attributes", _table("of|attribute|values|meaning", _attributes(module["vocabulary"]))
    )
    entries = rules["rules"]
    yield from _section(
        "Attributes that are worked out", _table("of|attribute|gives|section|meaning", _derived(entries))
    )
    yield from _section("Rules", _table("rule|section|what", _rules(entries)))
    yield from _section("Tables", _lines(_tables(entries)))


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _texts(folder: Path, language: str) -> dict[str, dict[str, str]]:
    """The texts of one language, from all its files."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(folder.glob(f"{language}*.json")):
        for group, texts in _read(path)["texts"].items():
            kind, _, id = group.partition(".")
            found.setdefault(kind, {}).update(texts if isinstance(texts, dict) else {id: texts})
    return found


def _listed(value: Mapping[str, Any]) -> list[str]:
    note = value.get("note", [])
    return [note] if isinstance(note, str) else list(note)


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    body = list(lines)
    if body:
        yield f"\n## {title}\n\n"
        yield from body


def _lines(lines: Iterable[str]) -> Iterator[str]:
    return (f"- {line}\n" for line in lines)


def _table(head: str, rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    body = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |\n" for row in rows]
    if body:
        titles = head.split("|")
        yield f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}\n"
        yield from body


def _ids(module: Mapping[str, Any], sequence: Mapping[str, Any]) -> Iterator[str]:
    yield f"Sides: {_codes(one['id'] for one in module['sides'])}."
    yield f"Powers: {_codes(one['id'] for one in module['powers'])}."
    if module.get("options"):
        yield f"Options: {_codes(one['id'] for one in module['options'])}."
    if module.get("tracks"):
        yield f"Tracks: {_codes(one['id'] for one in module['tracks'])}."
    if sequence.get("moments"):
        yield f"Moments: {_codes(sequence['moments'])}; the first is the one of a case that names none."


def _places(maps: Iterable[Mapping[str, Any]], names: Mapping[str, str]) -> Iterator[str]:
    for one in maps:
        spaces = [*one.get("spaces", []), *one.get("boxes", [])]
        if spaces:
            yield f"Map `{one['id']}`: " + ", ".join(_named(space["id"], names) for space in spaces) + "."
        if "hexes" in one and (hexes := [_named(id, names) for id in sorted(names) if ":" in id]):
            yield f"Hexes of `{one['id']}` are written as printed; those with a name: {', '.join(hexes)}."
        regions: dict[str, list[str]] = {}
        for region in one.get("regions", []):
            regions.setdefault(region.get("kind", "region"), []).append(region["id"])
        for kind, ids in regions.items():
            yield f"Regions of `{one['id']}`, {kind}: {_codes(ids)}."


def _counters(folder: Path) -> Iterator[str]:
    """The counters that stand in lists, by power."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                found.setdefault(row["power"], []).append(row["id"])
    for power, ids in found.items():
        yield f"{power}: {_codes(ids)}."


def _named(id: str, names: Mapping[str, str]) -> str:
    name = names.get(id, "")
    return f"`{id}`" if not name or name.lower().replace(" ", "_") == id else f"`{id}` {name}"


def _attributes(vocabulary: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for kind, attributes in vocabulary.items():
        for name, value in attributes.items():
            full = value if isinstance(value, dict) else {"type": value}
            yield kind, f"`{name}`", _values(full), full.get("note", "")


def _values(full: Mapping[str, Any]) -> str:
    kind = full["type"] if full["type"] != "set" else {"set of": full["of"]}
    told = _codes(kind) if isinstance(kind, list) else _set(kind) if isinstance(kind, dict) else str(kind)
    told += f", default {json.dumps(full['default'])}" if "default" in full else ""
    return told + (", a fact" if full.get("fact") else "")


def _set(kind: Mapping[str, Any]) -> str:
    of = kind["set of"]
    return "set of " + (_codes(of) if isinstance(of, list) else str(of))


def _derived(entries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    for one in entries:
        if name := one.get("derive") or one.get("trace"):
            gives = one.get("gives", one.get("levels"))
            shown = _codes(gives) if isinstance(gives, list) else str(gives)
            yield one["on"], f"`{name}`", shown, one.get("section", ""), one.get("note", "")


def _rules(entries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    for one in entries:
        if "id" in one:
            severity = one.get("severity", "error")
            kind = "" if severity == "error" else f" ({severity})"
            yield f"`{one['id']}`{kind}", one.get("section", ""), one.get("title", "")


def _tables(entries: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for one in entries:
        for name, rows in one.get("tables", {}).items():
            yield f"`{name}`: {_codes(rows)}"


def _told(one: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{key} {json.dumps(value) if not isinstance(value, str) else value}"
        for key, value in one.items()
        if key not in ("id", "source", "sources", "note", "layout", "silhouette", "nato", "faces", "name")
    )


def _codes(ids: Iterable[str]) -> str:
    return ", ".join(f"`{id}`" for id in ids)
