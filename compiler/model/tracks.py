"""Tracks of module.json (or of a case), and the values a scenario gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from compiler.findings import Place, Related, error
from compiler.model.context import Context
from compiler.model.names import Names
from compiler.model.properties import known
from compiler.model.read import Object, exact, whole
from compiler.model.sources import need_source
from compiler.model.types import Source, Track
from compiler.model.values import read_values

ENDLESS = 10**9  # the end of a track that states none


def declare_tracks(
    ctx: Context, names: Names, found: Iterable[tuple[Object, Place]]
) -> list[tuple[Object, Place]]:
    return [(entry, place) for entry, place in found if names.declare("track", entry.get("id"), place)]


def build_tracks(ctx: Context, names: Names, found: Iterable[tuple[Object, Place]]) -> dict[str, Track]:
    return {str(entry["id"]): _track(ctx, names, entry, place) for entry, place in found}


def _track(ctx: Context, names: Names, entry: Object, place: Place) -> Track:
    id = str(entry["id"])
    owner = names.resolve("power", entry.get("owner"), place, "owner")
    low, high = whole(entry.get("from")), whole(entry.get("to"))
    if low is not None and high is not None and low > high:
        message = f"the track '{id}' ends at {high} before it starts at {low}"
        ctx.report(error("N505", message, place / "to", help="exchange 'from' and 'to'"))
        low, high = high, low
    values = read_values(ctx, names, ("track",), entry, place, known("track"))
    kind = values.pop("kind", None)
    low = 0 if low is None else low
    high = ENDLESS if high is None else high
    return Track(id, kind if isinstance(kind, str) else None, owner, low, high, values, place)


def track_values(
    ctx: Context,
    names: Names,
    tracks: Mapping[str, Track],
    written: Iterable[tuple[str, object, Place]],
    source: Source | None,
) -> dict[str, int | Decimal]:
    """The values a scenario sets, each inside its track."""
    out: dict[str, int | Decimal] = {}
    for id, raw, place in written:
        track = names.resolve("track", id, place, key=True)
        value = exact(raw)
        if track is None or track not in tracks or value is None:
            continue
        need_source(ctx, source, f"the value of '{track}'", place)
        if _inside(ctx, tracks[track], value, place):
            out[track] = value
    return out


def _inside(ctx: Context, track: Track, value: int | Decimal, place: Place) -> bool:
    if track.low <= value <= track.high:
        return True
    message = f"the track '{track.id}' goes from {track.low} to {track.high}; {value} is not on it"
    related = (Related(track.place, "the track is declared here"),)
    ctx.report(error("N504", message, place, related=related))
    return False
