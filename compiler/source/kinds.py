"""Which files of a module's folder are sources, and of what kind, by where they stand."""

from __future__ import annotations

from fnmatch import fnmatchcase

FILES = {"module.json": "module", "rules.json": "rules", "sequence.json": "sequence"}
FOLDERS = {
    "maps": "map",
    "counters": "counters",
    "charts": "chart",
    "scenarios": "scenario",
    "cases": "cases",
    "text": "text",
}
KINDS = (*FILES.values(), *FOLDERS.values())
SCHEMAS = (*KINDS, "picture", "geo")  # the last two are no source of the game, but authors write them too

# JSON that other commands write and read: it is not source, so nobody is warned about it.
LEFT_ALONE = (
    "ids.lock.json",
    "geo/*",
    "maps/*.borders.json",
    "maps/*.coast.json",
    "maps/*.labels.json",
    "maps/*.lines.json",
    "maps/*.outlines.json",
    "maps/*.picture.json",
    "maps/*.relief.json",
    "maps/*.rivers.json",
)


def kind_of(path: str) -> str | None:
    """The kind of the file at this path (relative to the module's folder), or None if the path alone does not tell."""
    if path in FILES:
        return FILES[path]
    folder, _, name = path.rpartition("/")
    if not name.endswith(".json") or is_left_alone(path):
        return None
    return FOLDERS.get(folder)


def is_left_alone(path: str) -> bool:
    return any(fnmatchcase(path, pattern) for pattern in LEFT_ALONE)
