"""What is wrong with the settings of pieces, although each of them has the right form: keys that clash, steps that cannot show."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.findings import Finding, Place, error
from compiler.model.types import Counter, Module
from compiler.vassal.keys import shown
from compiler.vassal.orders import BLOCK_EDGES, KEYS
from compiler.vassal.settings import (
    Behaviour,
    behaviour_of,
    behaviours,
    decks,
    sends,
    states,
    steps_of,
    turn_boxes,
    turn_marker,
)


def setting_faults(module: Module) -> Iterator[Finding]:
    groups = behaviours(module)
    used: dict[str, list[Counter]] = {group.id: [] for group in groups}
    for counter in module.counters.values():
        used[behaviour_of(counter, groups).id].append(counter)
    for group in groups:
        if group.place is not None:
            yield from _clashes(module, group, used[group.id], group.place)
            yield from _steps(module, group, used[group.id], group.place)
    yield from _turns(module)


def _clashes(module: Module, group: Behaviour, counters: list[Counter], place: Place) -> Iterator[Finding]:
    """Two commands of one piece with the same keys: the engine would do both."""
    own = [(f"the state '{id}'", states(module)[id].key) for id in group.states if id in states(module)]
    own += [(f"the send '{id}'", sends(module)[id].key) for id in group.sends if id in sends(module)]
    inside = {counter.id for counter in counters}
    own += [
        (f"the deck '{deck.id}'", deck.returns)
        for deck in decks(module)
        if inside.intersection(deck.contents())
    ]
    taken = {key: f"every module's '{name.removeprefix('piece.')}'" for name, key in KEYS.items()}
    for what, key in own:
        if key and key in taken:
            message = f"{what} and {taken[key]} have the same keys, {shown(key)}, in the group '{group.id}'"
            yield error("V140", message, place, help="give one of them other keys")
        taken.setdefault(key, what)


def _steps(module: Module, group: Behaviour, counters: list[Counter], place: Place) -> Iterator[Finding]:
    for counter in counters:
        count = steps_of(counter)
        faces = {**module.types[counter.type].raw, **counter.raw}.get("faces")
        have = 1 + len(faces) if isinstance(faces, dict) else 1
        if group.steps == "turn" and count > BLOCK_EDGES:
            what = f"'{counter.id}' has {count} steps, and a block has but {BLOCK_EDGES} edges"
            yield error("V141", what, place / "steps", help='write "number"', pieces=(counter.id,))
        elif group.steps == "faces" and 1 < count != have:
            what = f"'{counter.id}' has {count} steps and {have} faces: each step needs its own"
            yield error("V141", what, place / "steps", help="give it as many faces", pieces=(counter.id,))


def _turns(module: Module) -> Iterator[Finding]:
    """The turn marker and sends by turns need boxes."""
    if turn_boxes(module):
        return
    asked = ["the turn marker"] if turn_marker(module) else []
    asked += [f"the send '{item.id}'" for item in sends(module).values() if item.turns is not None]
    for what in asked:
        help = 'add "turn_boxes": {"<turn>": "<space>"} under \'vassal\''
        yield error("V142", f"{what} has no box to go to", module.place, help=help)
