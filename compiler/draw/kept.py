"""Maps kept from the last build: drawing one takes seconds, and an edit of a scenario rarely changes it.

A map is kept with a key made of everything it is drawn from: the module's own files, what the scenarios ask of the
board, and the drawing code itself. A key that differs in anything means that it is drawn again; a damaged file too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import compiler
from compiler.draw.atlas import stacks_needed
from compiler.draw.place import Box
from compiler.draw.settings import root_of
from compiler.draw.types import DrawnMap, Label, SpaceShape
from compiler.model.types import Module

NOT_DRAWN = ("scenarios", "cases", "rules.json", "ids.lock.json", "geo")


class Kept:
    """The maps of one module in a folder of their own."""

    def __init__(self, folder: Path, module: Module) -> None:
        self.folder, self.module = folder, module
        self.base = _digest(_code(), *_sources(root_of(module)))

    def get(self, map_id: str, language: str, style: str) -> tuple[DrawnMap, bytes] | None:
        note, picture = self._files(map_id, language, style)
        try:
            value = json.loads(note.read_text(encoding="utf-8"))
            png = picture.read_bytes()
            if value["key"] != self._key(map_id, language, style) or value["png"] != _digest(png):
                return None
            return _read(value["map"]), png
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def put(self, map_id: str, language: str, style: str, made: DrawnMap, png: bytes) -> None:
        """Keeps a map that nothing was said about. A disk that is full is no reason to fail: it is drawn next time."""
        if made.findings or made.grids:
            return
        note, picture = self._files(map_id, language, style)
        value = {"key": self._key(map_id, language, style), "png": _digest(png), "map": _written(made)}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(png)
            note.write_text(json.dumps(value), encoding="utf-8")
        except OSError:
            return

    def _files(self, map_id: str, language: str, style: str) -> tuple[Path, Path]:
        stem = _digest(f"{map_id}\n{language}\n{style}".encode())[:16]
        return self.folder / f"{stem}.json", self.folder / f"{stem}.png"

    def _key(self, map_id: str, language: str, style: str) -> str:
        first = self.module.opening
        shown = (first.tracks, first.control) if first else ()
        asked = (map_id, language, style, stacks_needed(self.module, self.module.maps[map_id]), shown)
        return _digest(self.base.encode(), repr(asked).encode())


def _digest(*parts: bytes) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()


@cache
def _code() -> bytes:
    """What stands for the drawing code: a map drawn by another version is not taken over."""
    folder = Path(str(files("compiler.draw")))
    parts = [p.read_bytes() for p in sorted(folder.rglob("*")) if p.suffix in (".py", ".json")]
    return _digest(compiler.__version__.encode(), *parts).encode()


def _sources(root: Path) -> Iterator[bytes]:
    """Every file of the module that a picture can depend on, with its name."""
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if path.is_file() and name.parts[0] not in NOT_DRAWN:
            yield name.as_posix().encode()
            yield path.read_bytes()


def _written(made: DrawnMap) -> dict[str, Any]:
    value = asdict(made)
    del value["findings"], value["grids"]
    value["spaces"] = list(value["spaces"].values())
    return value


def _read(value: dict[str, Any]) -> DrawnMap:
    shapes = [
        SpaceShape(s["space"], _deep(s["polygons"]), _deep(s["anchor"]), _deep(s["spots"]))
        for s in value["spaces"]
    ]
    labels = tuple(
        Label(la["space"], la["text"], la["size"], Box(**la["box"]), tuple(la["within"]))
        for la in value["labels"]
    )
    squares = {int(number): _deep(at) for number, at in value["squares"].items()}
    return DrawnMap(
        value["svg"], value["width"], value["height"], {s.space: s for s in shapes}, labels, squares,
        value["collisions"], value["counter"],
    )  # fmt: skip


def _deep(value: Any) -> Any:
    return tuple(_deep(v) for v in value) if isinstance(value, list) else value
