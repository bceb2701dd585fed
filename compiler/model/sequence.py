"""Turns, phases, moments and the order of the powers."""

from __future__ import annotations

from compiler.findings import Place, Related, error, warning
from compiler.model.context import Context
from compiler.model.files import Group
from compiler.model.read import entries, listed, obj, strings, whole
from compiler.model.types import Phase, Sequence

MAX_TURNS = 10_000


def declare_sequence(ctx: Context, files: Group) -> Sequence:
    """All of the sequence but the order of the powers: nothing in it names anything else."""
    turns = _turns(ctx, files)
    phases = []
    for entry, place in entries(files, "phases"):
        if ctx.names.declare("phase", entry.get("id"), place):
            id = str(entry["id"])
            phases.append(Phase(id, place))
            ctx.want(f"phase.{id}", place, entry)
    moments = []
    for document in files:
        for word, place in strings(obj(document.value), "moments", Place(document)):
            if ctx.names.declare("moment", word, place, place):
                moments.append(word)
                ctx.want(f"moment.{word}", place, {}, required=False, instead=word)
    return Sequence(turns, (), tuple(phases), tuple(moments))


def read_order(ctx: Context, files: Group) -> tuple[str, ...]:
    """The order of the player turns: each power once. One left out is worth a warning."""
    seen: dict[str, Place] = {}
    for document in files:
        for word, place in strings(obj(document.value), "order", Place(document)):
            name = ctx.names.resolve("power", word, place)
            if name is not None and name in seen:
                related = (Related(seen[name], "the first is here"),)
                ctx.report(
                    error(
                        "N508",
                        f"the power '{name}' is listed twice in the order",
                        place,
                        help="take one out",
                        related=related,
                    )
                )
            elif name is not None:
                seen[name] = place
    _check_complete(ctx, files, seen)
    return tuple(seen)


def _check_complete(ctx: Context, files: Group, order: dict[str, Place]) -> None:
    if any(len(listed(obj(document.value).get("order"))) > len(order) for document in files):
        return  # one of them was reported: it may be the one that seems to be missing
    missing = [power for power in ctx.names.tables["power"] if power not in order]
    if order and missing:
        document = next(iter(order.values())).document
        message = f"the order of the powers leaves out: {', '.join(missing)}"
        help = "add them where they play"
        ctx.report(warning("N511", message, Place(document, ("order",), "key"), help=help))


def _turns(ctx: Context, files: Group) -> tuple[str, ...]:
    turns = [str(e["id"]) for e, p in entries(files, "turns") if ctx.names.declare("date", e.get("id"), p)]
    for document in files:
        rounds = whole(obj(document.value).get("rounds"))
        if rounds is None or rounds < 1:
            continue
        place = Place(document, ("rounds",))
        if rounds > MAX_TURNS:
            ctx.report(error("N512", f"{rounds:,} rounds; the limit is {MAX_TURNS:,}", place))
            ctx.names.unread.add("date")
        elif turns and rounds != len(turns):
            message = f"'turns' lists {len(turns)}, but 'rounds' says {rounds}"
            ctx.report(error("N513", message, place, help="keep one of the two"))
        elif not turns:
            turns = [str(n) for n in range(1, rounds + 1)]
            ctx.names.tables["date"].update(dict.fromkeys(turns, place))
    return tuple(turns)
