"""A validator's errors → findings in an author's words, each at the very key or value.

The library's own messages are never shown. What a schema can say better than a keyword (what a pattern means, what an
entry may be) it says itself, under `x-words`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from compiler.findings import Finding, Path, Place, Related, error
from compiler.schema.load import resolve
from compiler.source import Document
from compiler.suggest import did_you_mean, suggest

Error = Any  # jsonschema's ValidationError, whose attributes are not typed either
_MEANT = re.compile(r"did you mean '(.*?)'\?( it is missing)?")
SHOWN = 12  # words of a list that are shown before "…"
_TYPES = {
    "object": "an object { }",
    "array": "a list [ ]",
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}


class Translator:
    """Collects the findings of one document. The same mistake, met by several parts of a schema, is told once."""

    def __init__(self, document: Document, schema: Mapping[str, Any]) -> None:
        self._document = document
        self._schema = schema
        self._found: dict[tuple[Place, str], Finding] = {}
        self._misspelt: set[tuple[Path, str]] = set()  # properties that are there under a misspelt name
        self._kinds: dict[str, Callable[[Error, Path], Iterable[Finding]]] = {
            "additionalProperties": self._unknown,
            "required": self._missing,
            "dependentRequired": self._needs,
            "type": self._type,
            "enum": self._words,
            "const": self._words,
            "pattern": self._pattern,
            "minimum": self._range,
            "maximum": self._range,
            "exclusiveMinimum": self._range,
            "exclusiveMaximum": self._range,
            "minLength": self._length,
            "maxLength": self._length,
            "minItems": self._length,
            "maxItems": self._length,
            "minProperties": self._length,
            "maxProperties": self._length,
            "uniqueItems": self._repeated,
            "anyOf": self._forms,
            "oneOf": self._forms,
        }

    def add(self, error: Error, path: Path) -> None:
        """Takes one error; `path` is where it stands in the document."""
        for finding in self._translate(error, path):
            if finding.place is not None:
                self._found.setdefault((finding.place, finding.message), finding)

    def findings(self) -> list[Finding]:
        """All findings, in the order of the file. A format that is too new stands alone: the rest would be noise."""
        unknown = {finding.place for finding in self._found.values() if finding.code == "J101"}
        found = [
            finding
            for finding in self._found.values()
            if not self._is_misspelt(finding) and not (finding.code == "J109" and finding.place in unknown)
        ]
        found = _exchanged(found)
        too_new = [finding for finding in found if finding.code == "J110"]
        order = _Order(self._document.value)
        return too_new or sorted(
            found, key=lambda finding: (order.of(finding), finding.code, finding.message)
        )

    def _is_misspelt(self, finding: Finding) -> bool:
        """Whether a property is called missing that is there under a misspelt name: one mistake, told already."""
        path = finding.place.path if finding.place else ()
        return finding.code == "J102" and (path, finding.message) in self._misspelt

    def _translate(self, error: Error, path: Path) -> Iterable[Finding]:
        return self._kinds.get(str(error.validator), self._other)(error, path)

    def _place(self, error: Error, path: Path) -> Place:
        """The value at fault; or the key, where it is the name of a property that is at fault."""
        if "propertyNames" in error.absolute_schema_path:
            return Place(self._document, (*path, error.instance), "key")
        return Place(self._document, path)

    def _property(self, error: Error, key: str) -> dict[str, Any]:
        node = error.schema.get("properties", {}).get(key)
        return resolve(self._schema, node) if isinstance(node, dict) else {}

    def _unknown(self, wrong: Error, path: Path) -> Iterator[Finding]:
        known = wrong.schema.get("properties", {})
        thing = _thing(wrong.schema, path)
        for key in wrong.instance:
            if key not in known:
                free = [name for name in known if name not in wrong.instance]
                meant = suggest(key, free)
                self._misspelt.add((path, _is_missing(meant or "")))
                help = (
                    f"did you mean '{meant}'?" if meant else f"known here: {_listed(free)}" if free else None
                )
                message = f"'{_short(key)}' is not a property of {thing}"
                yield error("J101", message, Place(self._document, (*path, key), "key"), help=help)

    def _missing(self, wrong: Error, path: Path) -> Iterator[Finding]:
        for key in wrong.validator_value:
            if key not in wrong.instance:
                yield error(
                    "J102", f"'{key}' is missing", Place(self._document, path), help=self._add(wrong, key)
                )

    def _add(self, wrong: Error, key: str) -> str:
        example = next(iter(self._property(wrong, key).get("examples", ())), None)
        return f'add "{key}"' if example is None else f'add "{key}": {_json(example)}'

    def _needs(self, wrong: Error, path: Path) -> Iterator[Finding]:
        for key, needed in wrong.validator_value.items():
            for other in needed if key in wrong.instance else ():
                if other not in wrong.instance:
                    place = Place(self._document, (*path, key), "key")
                    yield error(
                        "J111", f"'{key}' needs '{other}' beside it", place, help=self._add(wrong, other)
                    )

    def _type(self, wrong: Error, path: Path) -> Iterator[Finding]:
        types = wrong.validator_value
        yield self._not_of(wrong, path, [types] if isinstance(types, str) else types)

    def _not_of(self, wrong: Error, path: Path, types: Sequence[str]) -> Finding:
        wanted = _or([_TYPES[type] for type in types])
        message = f"{_subject(path)} should be {wanted}, is {_is(wrong.instance)}"
        return error("J103", message, self._place(wrong, path), help=_type_help(wrong.instance, types))

    def _words(self, wrong: Error, path: Path) -> Iterator[Finding]:
        value = wrong.validator_value
        yield self._not_among(wrong, path, value if wrong.validator == "enum" else [value])

    def _not_among(self, wrong: Error, path: Path, words: Sequence[object]) -> Finding:
        written = wrong.instance if isinstance(wrong.instance, str) else ""
        help = did_you_mean(written, [word for word in words if isinstance(word, str)])
        few = len(words) <= SHOWN
        wanted = (
            _or([_json(word) for word in words])
            if few
            else f"one of: {_listed([str(word) for word in words])}"
        )
        place = self._place(wrong, path)
        subject = "this name" if place.on == "key" else _subject(path)
        return error("J104", f"{subject} should be {wanted}, is {_shown(wrong.instance)}", place, help=help)

    def _pattern(self, wrong: Error, path: Path) -> Iterator[Finding]:
        wanted = wrong.schema.get("x-words", "of the right form")
        help = did_you_mean(wrong.instance, wrong.schema.get("x-candidates", ())) or _slug(wrong)
        yield error("J105", f"{_shown(wrong.instance)} is not {wanted}", self._place(wrong, path), help=help)

    def _range(self, wrong: Error, path: Path) -> Iterator[Finding]:
        bound = wrong.validator_value
        if wrong.schema.get("x-code") == "J110" and wrong.validator == "maximum":
            message = f"this module is written in format {wrong.instance}; this compiler knows format {bound}"
            yield error("J110", message, self._place(wrong, path), help="use a newer vmodc")
            return
        words = {
            "minimum": "at least",
            "maximum": "at most",
            "exclusiveMinimum": "more than",
            "exclusiveMaximum": "less than",
        }
        message = f"{_subject(path)} should be {words[wrong.validator]} {bound}, is {wrong.instance}"
        yield error("J106", message, self._place(wrong, path))

    def _length(self, wrong: Error, path: Path) -> Iterator[Finding]:
        bound, has = wrong.validator_value, len(wrong.instance)
        what = {"Length": "character", "Items": "item", "Properties": "property"}[wrong.validator[3:]]
        plural = {"property": "properties"}.get(what, what + "s")
        if has == 0:
            message = f"{_subject(path)} must not be empty"
        else:
            side = "at least" if wrong.validator.startswith("min") else "at most"
            message = (
                f"{_subject(path)} should have {side} {bound} {what if bound == 1 else plural}, has {has}"
            )
        yield error("J107", message, self._place(wrong, path))

    def _repeated(self, wrong: Error, path: Path) -> Iterator[Finding]:
        seen: dict[str, int] = {}
        for n, item in enumerate(wrong.instance):
            first = seen.setdefault(_json(item), n)
            if first != n:
                related = (Related(Place(self._document, (*path, first)), "given here first"),)
                message = f"{_shown(item)} is listed twice in {_subject(path)}"
                place = Place(self._document, (*path, n))
                yield error("J108", message, place, help="remove one of the two", related=related)

    def _other(self, wrong: Error, path: Path) -> Iterator[Finding]:
        """Keywords that say what must not be: the schema gives the words."""
        inner = wrong.validator_value if isinstance(wrong.validator_value, dict) else {}
        words = (
            inner.get("x-words")
            or wrong.schema.get("x-words")
            or f"{_subject(path)} does not have the right form"
        )
        yield error("J109", words, self._place(wrong, path))

    def _forms(self, wrong: Error, path: Path) -> Iterable[Finding]:
        """Several forms are allowed and none fits (or more than one): complain about the one that was meant."""
        branches = wrong.validator_value
        keys = [key for branch in branches for key in branch.get("required", ())]
        if all(set(branch) == {"required"} for branch in branches):
            return [self._one_of(wrong, path, keys)] if isinstance(wrong.instance, dict) else []
        by_branch: dict[int, list[Error]] = {}
        for inner in wrong.context:
            by_branch.setdefault(inner.schema_path[0], []).append(inner)
        if not by_branch:
            return [error("J109", f"{_subject(path)} has two forms at once", self._place(wrong, path))]
        return self._nearest(wrong, path, list(by_branch.values()))

    def _one_of(self, wrong: Error, path: Path, keys: Sequence[str]) -> Finding:
        """Of these properties one is needed."""
        given = [key for key in keys if key in wrong.instance]
        if given:
            place = Place(self._document, (*path, given[1]), "key")
            message = (
                f"{_and([repr(key) for key in given])} exclude each other: only one of them may be given"
            )
            return error("J109", message, place)
        meant = [(key, near) for key in wrong.instance if (near := suggest(key, keys)) is not None]
        if meant:
            place = Place(self._document, (*path, meant[0][0]), "key")
            return error(
                "J109", f"'{meant[0][0]}' is not known here", place, help=f"did you mean '{meant[0][1]}'?"
            )
        words = wrong.schema.get("x-words")
        exactly = "exactly" if wrong.validator == "oneOf" else "at least"
        message = f"{exactly} one of these is needed: {_listed([repr(key) for key in keys])}"
        return error("J109", message, Place(self._document, path), help=words)

    def _nearest(self, wrong: Error, path: Path, branches: list[list[Error]]) -> Iterable[Finding]:
        at_root = [[inner for inner in branch if not inner.relative_path] for branch in branches]
        if all(any(inner.validator == "type" for inner in inners) for inners in at_root):
            types = [_types(inner) for inners in at_root for inner in inners if inner.validator == "type"]
            return [self._not_of(wrong, path, list(dict.fromkeys(type for some in types for type in some)))]
        if all(any(inner.validator in ("enum", "const") for inner in inners) for inners in at_root):
            words = [word for inners in at_root for inner in inners for word in _allowed(inner)]
            return [self._not_among(wrong, path, list(dict.fromkeys(words)))]
        best = min(branches, key=_strangeness)
        return [found for inner in best for found in self._translate(inner, (*path, *inner.relative_path))]


def _exchanged(findings: list[Finding]) -> list[Finding]:
    """Where an object has one property that it cannot have, and lacks one: they are the same, and it is told once."""
    unknown: dict[Path, list[Finding]] = {}
    missing: dict[Path, list[Finding]] = {}
    for finding in findings:
        path = finding.place.path if finding.place else ()
        if finding.code == "J101" and not _MEANT.match(finding.help or ""):
            unknown.setdefault(path[:-1], []).append(finding)
        elif finding.code == "J102":
            missing.setdefault(path, []).append(finding)
    for path in unknown.keys() & missing.keys():
        if len(unknown[path]) == 1 == len(missing[path]):
            wrong, lacking = unknown[path][0], missing[path][0]
            told = f"did you mean {lacking.message.removesuffix(' is missing')}? it is missing"
            findings = [replace(f, help=told) if f is wrong else f for f in findings if f is not lacking]
    return findings


def misspelt(findings: Iterable[Finding]) -> frozenset[tuple[str, str]]:
    """The properties that are there under a misspelt name at the top of a file: its kind, and the name that was meant."""
    unknown = (f for f in findings if f.code == "J101" and f.place and len(f.place.path) == 1)
    meant = ((f.place and f.place.document.kind, _MEANT.fullmatch(f.help or "")) for f in unknown)
    return frozenset((kind, found[1]) for kind, found in meant if kind and found)


class _Order:
    """Sorts places as they stand in the file, without looking at the text."""

    def __init__(self, value: object) -> None:
        self._value = value
        self._ranks: dict[int, dict[str, int]] = {}

    def of(self, finding: Finding) -> tuple[int, ...]:
        ranks: list[int] = []
        node = self._value
        for step in finding.place.path if finding.place else ():
            if isinstance(node, dict) and step in node:
                ranks.append(self._rank(node)[str(step)])
                node = node[step]
            elif isinstance(node, list) and isinstance(step, int) and step < len(node):
                ranks.append(step)
                node = node[step]
            else:
                break
        return tuple(ranks)

    def _rank(self, node: dict[str, object]) -> dict[str, int]:
        return self._ranks.setdefault(id(node), {key: n for n, key in enumerate(node)})


def _strangeness(branch: list[Error]) -> tuple[int, int, int]:
    """How far a form is from what was written: a wrong sort of value, a wrong key word, then the number of errors."""
    sort = sum(inner.validator == "type" and not inner.relative_path for inner in branch)
    word = sum(inner.validator in ("const", "enum", "required") for inner in branch)
    return sort, word, len(branch)


def _is_missing(key: str) -> str:
    return f"'{key}' is missing"


def _types(wrong: Error) -> list[str]:
    return [wrong.validator_value] if isinstance(wrong.validator_value, str) else list(wrong.validator_value)


def _allowed(wrong: Error) -> list[Any]:
    if wrong.validator == "enum":
        return list(wrong.validator_value)
    return [wrong.validator_value] if wrong.validator == "const" else []


def _thing(schema: Mapping[str, Any], path: Path) -> str:
    title = str(schema.get("title", "")).lower()
    if not path:
        return "this file"
    return f"{'an' if title[:1] in 'aeiou' else 'a'} {title}" if title else _subject(path)


def _subject(path: Path) -> str:
    """The value in words: "'pairs'", "item 2 of 'pairs'"."""
    if not path:
        return "the file"
    if isinstance(path[-1], str):
        return f"'{_short(path[-1])}'"
    return f"item {path[-1] + 1} of {_subject(path[:-1])}"


def _is(value: object) -> str:
    if isinstance(value, str):
        return f"the text {_shown(value)}"
    if isinstance(value, bool | int | Decimal | float):
        return _json(value)
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else "null"


def _type_help(value: object, types: Sequence[str]) -> str | None:
    if (
        isinstance(value, str)
        and ("number" in types or "integer" in types)
        and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value)
    ):
        return f"write {value} without quotes"
    if isinstance(value, str) and "boolean" in types and value.lower() in ("true", "false"):
        return f"write {value.lower()} without quotes"
    if "string" in types and isinstance(value, int | Decimal | float) and not isinstance(value, bool):
        return f'write "{value}" in double quotes'
    if list(types) == ["array"] and not isinstance(value, dict | list):
        return f"write [{_json(value)}]" if len(_json(value)) < 40 else "write [ ... ] around it"
    return None


def _slug(wrong: Error) -> str | None:
    """The same words written as the pattern wants them, if letters and signs are all that is in the way."""
    plain = unicodedata.normalize("NFKD", wrong.instance).encode("ascii", "ignore").decode().strip()
    one = re.sub(r"^[-+]?[0-9.,]+ +", "1 ", plain)
    if one != plain and re.search(wrong.validator_value, one):
        return f"the number is a whole one from 1 up: '{one}'"
    for made in (
        re.sub(r"[^A-Za-z0-9.:-]+", "_", plain).strip("_"),
        re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-"),
    ):
        if made and made != wrong.instance and re.search(wrong.validator_value, made):
            return f"write '{made}'"
    return None


def _json(value: object) -> str:
    """A value as the author would write it; objects and lists by their content, whatever the order of keys."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_json(key)}: {_json(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_json, value)) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return (
        {True: "true", False: "false", None: "null"}[value]
        if value is None or isinstance(value, bool)
        else str(value)
    )


def _shown(value: object) -> str:
    return f"'{_short(value)}'" if isinstance(value, str) else _short(_json(value))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:SHOWN]) + (", …" if len(words) > SHOWN else "")


def _or(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
