"""The schemas, as files and as one piece each.

The files refer to one another by relative path, so that an editor finds them offline. For validation a schema is put
together with all it refers to, so that no library has to look for files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from compiler.source import SCHEMAS

Schema = dict[str, Any]

_COMMON = "common.schema.json"
_HERE = Path(__file__).resolve().parent.parent
_FOLDERS = (_HERE / "schemas", _HERE.parent / "schemas")  # in an installed package; in the source tree

# What a file must have as a whole. A file that is included is only a part of one, so none of this is asked of it.
_OF_THE_WHOLE = ("required", "anyOf", "oneOf", "not", "if", "then", "else", "dependentRequired")


def folder() -> Path:
    """The folder that holds the schema files."""
    return next((found for found in _FOLDERS if (found / _COMMON).is_file()), _FOLDERS[-1])


@cache
def load(kind: str) -> Schema:
    """The schema of a kind of file, as written; also 'common'. Not to be changed. An unknown kind is a KeyError."""
    if kind not in SCHEMAS and kind != "common":
        raise KeyError(kind)
    with (folder() / f"{kind}.schema.json").open(encoding="utf-8") as file:
        schema: Schema = json.load(file)
    return schema


@cache
def whole(kind: str, *, part: bool = False) -> Schema:
    """The schema with everything it refers to inside it. For a `part` without what only a whole file must have."""
    schema: Schema = _redirect(load(kind), "#")
    if part:
        schema = {key: value for key, value in schema.items() if key not in _OF_THE_WHOLE}
    return {**schema, "$defs": {**schema.get("$defs", {}), "common": _common()}}


@cache
def _common() -> Schema:
    common: Schema = _redirect({"$defs": load("common")["$defs"]}, "#/$defs/common")
    return common


def _redirect(node: Any, own: str) -> Any:
    """A copy in which references to the common schema, and to the schema's own root, lead into the joined one."""
    if isinstance(node, list):
        return [_redirect(item, own) for item in node]
    if not isinstance(node, dict):
        return node
    copy = {key: _redirect(value, own) for key, value in node.items() if key != "$id"}
    reference = copy.get("$ref")
    if isinstance(reference, str):
        copy["$ref"] = (
            reference.replace(_COMMON + "#", "#/$defs/common")
            if _COMMON in reference
            else own + reference[1:]
        )
    return copy


def resolve(schema: Mapping[str, Any], node: Mapping[str, Any]) -> dict[str, Any]:
    """A node together with all it refers to; what stands nearer has the last word."""
    found: dict[str, Any] = dict(node)
    while "$ref" in found:
        target: Any = schema
        for step in found.pop("$ref")[2:].split("/"):
            target = target[step]
        found = {**target, **found}
    return found
