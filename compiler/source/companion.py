"""JSON files beside the sources (outlines, pictures of maps): read as strictly as those, with numbers as floats.

In: the module's folder and a path in it. Out: the document, or what is wrong with the file; neither if there is none.
"""

from __future__ import annotations

import json
import os
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
    """By the quick reader where it is installed: every check reads outlines, which are the largest file of a module."""
    try:
        import orjson

        value = orjson.loads(text)
    except (ImportError, ValueError):
        return None
    return value if isinstance(value, dict) else None
