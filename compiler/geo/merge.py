"""Three-way merge of outlines: the last draft, the author's file, the new draft.

An arc the author did not touch follows the new draft; one only the author changed stays; one both changed stays as the
author has it and is reported, but its ends go where the new draft has them, so that the borders round it still close.
The same holds for areas, rivers and places.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

MERGED = ("areas", "arcs", "places", "kinds")
NEAR = 80.0  # px: an end that went farther belongs to another piece of the border
Arc = Sequence[Sequence[float]]


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
                kept = _with_ends(was, theirs, ours)
        if kept is not None:
            out[name] = kept
    return out, clashes


def _with_ends(was: Any, theirs: Any, ours: Any) -> Any:
    """The author's arc between the ends of the new draft, if the author left its ends alone and they moved a little."""
    if not (_is_arc(was) and _is_arc(theirs) and _is_arc(ours)):
        return theirs
    old, own = ([list(arc[0]), list(arc[-1])] for arc in (was, theirs))
    turned = _apart(old, [ours[0], ours[-1]]) > _apart(old, [ours[-1], ours[0]])
    start, end = (ours[-1], ours[0]) if turned else (ours[0], ours[-1])
    if old != own or max(math.dist(old[0], start), math.dist(old[1], end)) > NEAR:
        return theirs
    arc = [list(start), *theirs[1:-1], list(end)]
    return arc[::-1] if turned else arc


def _is_arc(value: Any) -> bool:
    return (
        isinstance(value, list) and len(value) > 1 and all(isinstance(p, list) and len(p) == 2 for p in value)
    )


def _apart(a: Arc, b: Arc) -> float:
    return sum(math.dist(p, q) for p, q in zip(a, b, strict=True))
