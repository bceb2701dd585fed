"""Sides and powers of module.json."""

from __future__ import annotations

from compiler.findings import Place, error, warning
from compiler.model.context import Context
from compiler.model.files import Group
from compiler.model.properties import known
from compiler.model.read import Object, entries, strings, text
from compiler.model.types import Power, Side
from compiler.model.values import read_values


def declare_sides(ctx: Context, module: Group) -> None:
    for kind, key in (("side", "sides"), ("power", "powers")):
        for entry, place in entries(module, key):
            if ctx.names.declare(kind, entry.get("id"), place):
                ctx.want(f"{kind}.{entry['id']}", place, entry)


def build_sides(ctx: Context, module: Group) -> dict[str, Side]:
    found = [(e, p) for e, p in entries(module, "sides") if _first(ctx, "side", e, p)]
    every = [str(entry["id"]) for entry, _ in found]
    return {str(entry["id"]): _side(ctx, entry, place, every) for entry, place in found}


def build_powers(ctx: Context, module: Group, sides: dict[str, Side]) -> dict[str, Power]:
    powers = {}
    for entry, place in entries(module, "powers"):
        if _first(ctx, "power", entry, place):
            power = _power(ctx, entry, place)
            if power is None:
                ctx.names.fail("power", entry["id"])
                del ctx.names.tables["power"][str(entry["id"])]
            else:
                powers[power.id] = power
    _check_empty_sides(ctx, sides, powers)
    return powers


def _first(ctx: Context, kind: str, entry: Object, place: Place) -> bool:
    """Whether this entry is the one that declared its id."""
    id = entry.get("id")
    return isinstance(id, str) and ctx.names.tables[kind].get(id) == place


def _side(ctx: Context, entry: Object, place: Place, every: list[str]) -> Side:
    id = str(entry["id"])
    enemies = tuple(side for side in every if side != id)
    if isinstance(entry.get("enemies"), list):
        enemies = _listed(ctx, "side", id, entry, "enemies", place)
    values = read_values(ctx, ctx.names, ("side",), entry, place, known("side"))
    return Side(id, enemies, text(entry.get("colour")), text(entry.get("letter")), values, place)


def _power(ctx: Context, entry: Object, place: Place) -> Power | None:
    id = str(entry["id"])
    names = ctx.names
    side = names.resolve("side", entry.get("side"), place, "side")
    capital = names.resolve("space", entry.get("capital"), place, "capital")
    at_war = _listed(ctx, "power", id, entry, "at_war", place)
    values = read_values(ctx, names, ("power",), entry, place, known("power"))
    if side is None:
        return None
    return Power(
        id, side, text(entry.get("colour")), text(entry.get("letter")), capital, at_war, values, place
    )


def _listed(ctx: Context, kind: str, id: str, entry: Object, key: str, place: Place) -> tuple[str, ...]:
    """Other sides or powers named in a list: never the thing itself."""
    found: dict[str, None] = {}
    for word, at in strings(entry, key, place):
        if word == id:
            ctx.report(
                error("N503", f"the {kind} '{id}' is listed under its own '{key}'", at, help="take it out")
            )
        elif (name := ctx.names.resolve(kind, word, at)) is not None:
            found[name] = None
    return tuple(found)


def _check_empty_sides(ctx: Context, sides: dict[str, Side], powers: dict[str, Power]) -> None:
    filled = {power.side for power in powers.values()}
    if ctx.names.broken["power"]:
        return
    for side in sides.values():
        if side.id not in filled:
            help = "declare a power with this side, or take the side out"
            ctx.report(
                warning("N404", f"no power belongs to the side '{side.id}'", side.place / "id", help=help)
            )
