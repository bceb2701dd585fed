"""Turns, phases, moments and the order of the powers."""

from __future__ import annotations

from collections.abc import Collection

from compiler.findings import Place, warning
from compiler.model.context import Context
from compiler.model.files import Group
from compiler.model.read import Object, entries, listed, obj, strings, whole
from compiler.model.types import Phase, Sequence
from compiler.source.document import Document

MAX_TURNS = 10_000


def declare_sequence(ctx: Context, files: Group) -> Sequence:
    """All of the sequence but the order of the powers: nothing in it names anything else."""
    turns = _turns(ctx, files)
    phases = [phase for entry, place in entries(files, "phases") if (phase := _phase(ctx, entry, place))]
    moments = []
    for document in files:
        for word, place in strings(obj(document.value), "moments", Place(document)):
            if ctx.names.declare("moment", word, place, place):
                moments.append(word)
                ctx.want(f"moment.{word}", place, {}, required=False)
    return Sequence(turns, (), tuple(phases), tuple(moments))


def _phase(ctx: Context, entry: Object, place: Place) -> Phase | None:
    if not ctx.names.declare("phase", entry.get("id"), place):
        return None
    id = str(entry["id"])
    ctx.want(f"phase.{id}", place, entry)
    inner = enumerate(listed(entry.get("phases")))
    parts = (_phase(ctx, obj(part), place / "phases" / n) for n, part in inner)
    return Phase(id, place, tuple(part for part in parts if part), whole(entry.get("times")) or 1)


def read_order(ctx: Context, files: Group) -> tuple[str, ...]:
    """The order of the player turns. A power left out is worth a warning."""
    order: dict[str, None] = {}
    for document in files:
        for word, place in strings(obj(document.value), "order", Place(document)):
            name = ctx.names.resolve("power", word, place)
            if name is not None:
                order[name] = None
        _check_complete(ctx, document, order)
    return tuple(order)


def _check_complete(ctx: Context, document: Document, order: Collection[str]) -> None:
    written = listed(obj(document.value).get("order"))
    if not written or len(written) > len(order):
        return  # one of them was reported: it may be the one that seems to be missing
    missing = [power for power in ctx.names.tables["power"] if power not in order]
    if missing:
        message = f"the order of the powers leaves out: {', '.join(missing)}"
        ctx.report(
            warning("N511", message, Place(document, ("order",), "key"), help="add them where they play")
        )


def _turns(ctx: Context, files: Group) -> tuple[str, ...]:
    turns = []
    for entry, place in entries(files, "turns"):
        if ctx.names.declare("date", entry.get("id"), place):
            turns.append(str(entry["id"]))
            ctx.want(f"turn.{entry['id']}", place, entry, required=False)
    for document in files:
        rounds = whole(obj(document.value).get("rounds"))
        if rounds is None or turns:
            continue
        if not 1 <= rounds <= MAX_TURNS:
            ctx.names.unread.add("date")  # the schema reported it
            continue
        turns = [str(n) for n in range(1, rounds + 1)]
        ctx.names.tables["date"].update(dict.fromkeys(turns, Place(document, ("rounds",))))
    return tuple(turns)
