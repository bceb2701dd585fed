"""Three-way merge of outlines: the last draft, the author's file, the new draft.

An arc the author did not touch follows the new draft; one only the author changed stays; one both changed stays as the
author has it and is reported. The same holds for areas, rivers and places.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MERGED = ("areas", "arcs", "places", "kinds")


def merge(
    base: Mapping[str, Any], mine: Mapping[str, Any], new: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """(the merged value, the names that clash: `arcs a|b`)."""
    out = dict(new)
    clashes: list[str] = []
    for part in MERGED:
        out[part], lost = _merge_part(base.get(part, {}), mine.get(part, {}), new.get(part, {}))
        clashes += [f"{part} {name}" for name in lost]
    for key in mine.keys() - set(MERGED):
        if mine[key] != base.get(key):
            if key in new and new[key] not in (base.get(key), mine[key]):
                clashes.append(key)
            out[key] = mine[key]
    return out, clashes


def _merge_part(
    base: Mapping[str, Any], mine: Mapping[str, Any], new: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    out: dict[str, Any] = {}
    clashes = []
    for name in [*new, *(n for n in mine if n not in new)]:
        was, theirs, ours = base.get(name), mine.get(name), new.get(name)
        if theirs == was:
            kept = ours
        else:
            kept = theirs
            if ours not in (was, theirs):
                clashes.append(name)
        if kept is not None:
            out[name] = kept
    return out, clashes
