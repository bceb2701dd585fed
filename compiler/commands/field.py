"""`vmodc field`: what a derived attribute is in a scenario, item by item: zones of control, influence, who is hostile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from compiler.commands import CLEAN, Unusable
from compiler.commands.positions import position_named
from compiler.commands.sink import Write
from compiler.commands.supply import checked
from compiler.report.words import one_line
from compiler.suggest import did_you_mean

if TYPE_CHECKING:
    from compiler.rules import RulePack
    from compiler.rules.items import Item, Position


def field(name: str, scenario: str, attribute: str, of: str | None, format: str, write: Write) -> int:
    """Prints the attribute of every item that has it, or of one. What is asked for and not there is `Unusable`."""
    from compiler.report.entries import field_shown
    from compiler.report.fields import DRAWN_ON, RELATED, Field
    from compiler.report.html import page
    from compiler.rules.judge import position_of

    module, pack = checked(name)
    position = position_named(module, scenario)
    world = position_of(pack, *position)
    kinds = _kinds(pack, attribute)
    found = list(_values(world, kinds, attribute, of))
    if of is not None and not found:
        raise Unusable(f"'{of}' is nothing in scenario '{scenario}' that could have a '{attribute}'")
    if format == "html":
        fields = [
            Field(pack, world, k, attribute) for k in dict.fromkeys(kinds) if k in (*DRAWN_ON, *RELATED)
        ]
        if not fields:
            raise Unusable(f"'{attribute}' cannot be drawn: it is an attribute of {' and '.join(kinds)}")
        write(page([field_shown(module, pack, *position, fields)], f"{len(_telling(found))} of {len(found)}"))
    elif format == "json":
        rows = [{"kind": item.kind, "id": item.id, "value": value} for item, value in found]
        write(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
    else:
        told = found if of is not None else _telling(found)
        for item, value in told:
            write(one_line(f"{item.kind} {item.id}: {_words(value)}") + "\n")
        write(f"{attribute}: {len(told)} of {len(found)}\n")
    return CLEAN


def _telling(found: list[tuple[Item, Any]]) -> list[tuple[Item, Any]]:
    """Those that have more to say than nothing, no, or an empty set."""
    return [(item, value) for item, value in found if value not in (None, False, [])]


def _kinds(pack: RulePack, attribute: str) -> list[str]:
    """The kinds of items that have it; any attribute may be asked for, derived or not."""
    kinds = [kind for kind, name in pack.vocabulary.types if name == attribute]
    if not kinds:
        derived = sorted({name for _, name in pack.derives})
        near = did_you_mean(attribute, derived) or f"derived are: {', '.join(derived) or 'none'}"
        raise Unusable(f"nothing has an attribute '{attribute}'; {near}")
    return kinds


def _values(world: Position, kinds: list[str], attribute: str, of: str | None) -> Iterator[tuple[Item, Any]]:
    from compiler.rules.cases import as_json
    from compiler.rules.items import Broken, Trouble, Unknown

    for kind in dict.fromkeys(kinds):
        for item in world.all(kind):
            if of is None or item.id == of:
                try:
                    yield item, as_json(item.get(attribute))
                except Unknown as unknown:
                    raise Unusable(f"the scenario does not state '{unknown.name}', which it needs") from None
                except Broken:
                    raise Unusable(f"'{attribute}' has errors; 'vmodc check' tells them") from None
                except Trouble as trouble:
                    raise Unusable(f"'{attribute}' of '{item.id}': {trouble}") from None


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "nothing" if value is None else "yes" if value is True else "no" if value is False else str(value)
