"""JSON files beside the sources (outlines, pictures of maps): read as strictly as those, with numbers as floats.

In: the module's folder and a path in it. Out: the document, or what is wrong with the file; neither if there is none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from compiler.findings import Finding
from compiler.source.decode import decode
from compiler.source.document import Document
from compiler.source.files import Folder
from compiler.source.parse import parse
from compiler.source.problem import Problem


def read_companion(root: Path, path: str) -> tuple[Document | None, list[Finding]]:
    """No content makes it raise, and the value is an object."""
    folder, name = Folder(Path(os.path.realpath(root))), (root / path).as_posix()
    if not folder.exists(path):
        return None, []
    data = folder.read(path)
    if isinstance(data, Problem):
        return None, [data.finding(Document(name, "", path=path))]
    text, problem = decode(data)
    if problem is not None:
        return None, [problem.finding(Document(name, text, path=path))]
    value = _quickly(text)
    if value is None:
        parsed = parse(data, text)
        if parsed.problems:
            return None, [item.finding(Document(name, text, parsed.value, path)) for item in parsed.problems]
        value = json.loads(text)
    return Document(name, text, value, path), []


def _quickly(text: str) -> object:
    """By the quick reader where it is installed: every check reads outlines, which are the largest file of a module.

    Nothing if a key may be there twice, which that reader does not tell.
    """
    try:
        import orjson

        value = orjson.loads(text)
    except (ImportError, ValueError):
        return None
    return value if isinstance(value, dict) and _colons(value) == text.count(":") else None


def _colons(value: Mapping[str, object]) -> int:
    """How many colons a text has if each key of the object stands in it once. Never too many: lists of lists are not entered."""
    found = len(value)
    for key, inner in value.items():
        found += key.count(":")
        if isinstance(inner, str):
            found += inner.count(":")
        elif isinstance(inner, dict):
            found += _colons(inner)
        elif isinstance(inner, list) and inner and not isinstance(inner[0], list):
            for item in inner:
                if isinstance(item, dict):
                    found += _colons(item)
                elif isinstance(item, str):
                    found += item.count(":")
    return found
