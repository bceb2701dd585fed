"""Boxes that hold what lies under a marker: units go into the box of a marker, and come out to where the marker is.

A send with `markers` (counter → its box) gives each piece the markers of its own side to choose from; it remembers the
one it chose. The marker itself calls in what stands with it, or lets out what is in its box. Names of boxes are messages of the
module file, because pieces are the same in every language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from compiler.model.types import Module
from compiler.vassal.elements import Element, element
from compiler.vassal.keys import key_list, named
from compiler.vassal.names import Names
from compiler.vassal.orders import Speech, key_of
from compiler.vassal.pieces import Spot
from compiler.vassal.settings import Send, plain, sends
from compiler.vassal.traits import Trait, dynamic, markers, trait

_PARTS = ("Map", "Board", "X", "Y")


def side_of(module: Module, power: str | None) -> str | None:
    return module.powers[power].side if power is not None else None


def hold_traits(module: Module, send: Send, say: Speech, power: str | None) -> tuple[Trait, ...]:
    """The commands of a piece: into the box of one of its side's markers, into its own again, out to the marker."""
    side = side_of(module, power)
    numbers = {counter: n for n, counter in enumerate(send.markers, 1)}
    mine = [id for id in numbers if side_of(module, module.counters[id].power) in (side, None)]
    if not mine:
        return ()
    held, go, out = _held(send), key_of(send.key, f"hold-{plain(send.id)}"), _out(send)
    joins = [_join(send, numbers[id]) for id in mine]
    named_after = [say.label("piece", id) for id in mine]
    again, leave = say.word("hold.again"), say.word("hold.out")
    at = {part.lower(): f'{{GetProperty("{_message_name(send, part)}" + {held})}}' for part in _PARTS}
    outside = f'{{LocationName != GetProperty("{_message_name(send, "Name")}" + {held})}}'
    return (
        trait("report", keys=key_list(go, out), format=say.word("hold.moved")),
        trait("submenu", title=say.label("send", send.id), commands=(again, leave, *named_after)),
        trait("hideCmd", name="no marker", action="Hide", expression=f"{{{held} == 0}}", keys=key_list(go)),
        trait("hideCmd", name="not inside", action="Hide", expression=outside, keys=key_list(out)),
        dynamic(held, 0, 0, len(numbers), [(text, key, f"P,{numbers[id]}") for text, key, id in zip(named_after, joins, mine, strict=True)]),
        trait("macro", name="join", watch_keys=key_list(*joins), action_keys=key_list(go)),
        trait("sendto", text=again, key=go, **at),
        trait("sendto", text=leave, key=out, destination="A", property=f"{{{_marks(send)} == ${held}$}}"),
    )  # fmt: skip


def marker_prototypes(module: Module, say: Speech) -> Iterator[tuple[str, str, tuple[Trait, ...]]]:
    """Counter, prototype and traits of each marker that has a box: it calls in and lets out."""
    here = '{LocationName == "$LocationName$" && CurrentMap == "$CurrentMap$" && Side == "$Side$"}'
    for send in sends(module).values():
        gather, spread = named(f"gather-{plain(send.id)}"), named(f"spread-{plain(send.id)}")
        for n, counter in enumerate(send.markers, 1):
            inside = (
                f'{{{_held(send)} == {n} && LocationName == GetProperty("{_message_name(send, "Name")}{n}")}}'
            )
            yield counter, f"marker {send.id} {n}", (
                trait("globalkey", text=say.word("hold.gather"), key=gather, sent_key=_join(send, n), expression=here, description="gather"),
                trait("globalkey", text=say.word("hold.spread"), key=spread, sent_key=_out(send), expression=inside, description="spread"),
                markers({_marks(send): str(n)}),
            )  # fmt: skip


def box_messages(module: Module, names: Names, where: Mapping[str, Spot]) -> Iterable[Element]:
    """Where each box is, and what it is called in this language."""
    for send in sends(module).values():
        for n, space in enumerate(send.markers.values(), 1):
            if space in where:
                at = where[space]
                values = (at.map, at.board, at.x, at.y, names.location(space))
                for part, value in zip((*_PARTS, "Name"), values, strict=True):
                    if value != "":
                        yield element(
                            "m.properties.GlobalTranslatableMessage",
                            {"name": f"{_message_name(send, part)}{n}", "initialValue": str(value)},
                        )


def _held(send: Send) -> str:
    return f"held_{plain(send.id)}"


def _marks(send: Send) -> str:
    return f"marks_{plain(send.id)}"


def _join(send: Send, n: int) -> str:
    return named(f"join-{plain(send.id)}-{n}")


def _out(send: Send) -> str:
    return named(f"out-{plain(send.id)}")


def _message_name(send: Send, part: str) -> str:
    return f"Box{part} {plain(send.id)} "
