"""A document against the schema of its kind.

The fast validator, where it is installed, says whether anything is wrong; only then does the thorough one say what. Both
are compiled once in a process. The findings are the same with and without the fast one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Protocol

from compiler.findings import Finding, Path
from compiler.schema.load import whole
from compiler.schema.words import Translator
from compiler.source import Document

_WORTH_THINNING = 20


class FastError(Protocol):
    @property
    def instance_path(self) -> list[str | int]: ...


class FastValidator(Protocol):
    def is_valid(self, instance: Any) -> bool: ...

    def iter_errors(self, instance: Any) -> Iterator[FastError]: ...


def validate(kind: str, doc: Document) -> list[Finding]:
    """Everything in the document that does not have the form of its kind, in the order of the file.

    A document that another includes (`doc.is_part`) may lack what only a whole file must have.
    """
    fast = fast_validator(kind, doc.is_part)
    if fast is None:
        return _findings(kind, doc, doc.value, {})
    if fast.is_valid(doc.value):
        return []
    return _findings(kind, doc, *_thinned(doc.value, fast))


@cache
def fast_validator(kind: str, part: bool) -> FastValidator | None:
    try:
        import jsonschema_rs
    except ImportError:
        return None
    validator: FastValidator = jsonschema_rs.Draft202012Validator(whole(kind, part=part))
    return validator


@cache
def thorough_validator(kind: str, part: bool) -> Any:
    """jsonschema's validator for 2020-12, with '$' in a pattern meaning the very end, as in every other language."""
    from jsonschema import Draft202012Validator, ValidationError
    from jsonschema.validators import extend

    def pattern(_: Any, wanted: str, instance: object, __: Any) -> Iterator[ValidationError]:
        if isinstance(instance, str) and not _compiled(wanted).search(instance):
            yield ValidationError("pattern")

    strict = extend(Draft202012Validator, {"pattern": pattern})  # type: ignore[no-untyped-call]
    return strict(whole(kind, part=part))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\$$", r"\\Z", pattern))


def _findings(kind: str, doc: Document, value: object, kept: Mapping[str, list[int]]) -> list[Finding]:
    """The thorough validator's errors in words. `kept` tells which items of a list are left in `value`."""
    translator = Translator(doc, whole(kind, part=doc.is_part))
    for error in thorough_validator(kind, doc.is_part).iter_errors(value):
        translator.add(error, _original(tuple(error.absolute_path), kept))
    return translator.findings()


def _original(path: Path, kept: Mapping[str, list[int]]) -> Path:
    if len(path) >= 2 and isinstance(path[0], str) and isinstance(path[1], int) and path[0] in kept:
        return (path[0], kept[path[0]][path[1]], *path[2:])
    return path


def _thinned(value: object, fast: FastValidator) -> tuple[object, dict[str, list[int]]]:
    """The value without the sound items of its long lists, since the thorough validator is slow.

    The items of a list do not depend on one another, so the errors stay the same. A list that is itself at fault (too
    long, an item twice) is left whole.
    """
    if not isinstance(value, dict):
        return value, {}
    at_fault: set[str | int] = set()
    bad: dict[str | int, set[int]] = {}
    for error in fast.iter_errors(value):
        path = error.instance_path
        if len(path) == 1:
            at_fault.add(path[0])
        elif len(path) > 1 and isinstance(path[1], int):
            bad.setdefault(path[0], set()).add(path[1])
    kept: dict[str, list[int]] = {}
    for key, items in value.items():
        if isinstance(items, list) and len(items) > _WORTH_THINNING and key not in at_fault:
            kept[key] = sorted(bad.get(key, set()) | {0})
    return {**value, **{key: [value[key][n] for n in numbers] for key, numbers in kept.items()}}, kept
