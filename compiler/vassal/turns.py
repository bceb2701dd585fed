"""The turn tracker, the boxes of turns, and what happens by itself when a phase begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from compiler.model.types import Module, Phase, Scenario
from compiler.vassal.elements import Element, element
from compiler.vassal.encoding import encode
from compiler.vassal.keys import key_list, named, stroke
from compiler.vassal.names import Names
from compiler.vassal.orders import FACE, key_of
from compiler.vassal.pieces import Spot
from compiler.vassal.settings import Refresh, plain, refreshes, sends, states, turn_boxes, turn_marker

TURN_KEYS = {"turn.next": "alt+N", "turn.back": "alt+B"}
Where = Mapping[str, Spot]


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of the tracker's list of phases: the phases that have begun with it, and its words."""

    ids: tuple[str, ...]
    words: str


def steps(module: Module, names: Names) -> list[Step]:
    """All phases of a turn in a row: parts one by one, repeated ones with their number.

    A list in a row has one property that tells the phase, whatever its parts; nested levels would need one each.
    """
    return [step for phase in module.sequence.phases for step in _steps(phase, names)]


def _steps(phase: Phase, names: Names) -> Iterator[Step]:
    name = names.label("phase", phase.id)
    for n in range(phase.times):
        now = names.word("phase.times", name=name, n=n + 1) if phase.times > 1 else name
        if not phase.parts:
            yield Step((phase.id,), now)
        for k, part in enumerate(phase.parts):
            words = names.word("phase.part", name=now, part=names.label("phase", part.id))
            yield Step((phase.id, part.id) if k == 0 else (part.id,), words)


def tracker(module: Module, names: Names) -> Element | None:
    """Rounds, in them the powers' turns, in them the phases; whatever of these the sequence has."""
    levels = _levels(module, names)
    if not levels:
        return None
    child: tuple[Element, ...] = ()
    for kind, attributes in reversed(levels):
        child = (element(kind, attributes, child),)
    shown = " – ".join(f"$level{n + 1}$" for n in range(len(levels)))
    return element(
        "m.turn.TurnTracker",
        {
            "name": "Turn",
            "buttonText": names.word("turn"),
            "tooltip": names.word("turn.tip"),
            "turnFormat": shown,
            "reportFormat": names.word("turn.report"),
            "nexthotkey": stroke(TURN_KEYS["turn.next"]),
            "prevhotkey": stroke(TURN_KEYS["turn.back"]),
            "lengthStyle": "Maximum",
        },
        (*child, *_hotkeys(module, names)),
    )


def _counts(module: Module) -> bool:
    """Whether the turns are simply 1, 2, 3 …"""
    turns = module.sequence.turns
    return bool(turns) and turns == tuple(str(n + 1) for n in range(len(turns)))


def turn_levels(module: Module) -> list[str]:
    """Which levels the tracker has, the outermost first: count or turns, order, phases."""
    sequence = module.sequence
    rounds = ["count"] if _counts(module) else ["turns"] if sequence.turns else []
    return [*rounds, *(["order"] if sequence.order else []), *(["phases"] if sequence.phases else [])]


def _levels(module: Module, names: Names) -> list[tuple[str, dict[str, str | int | bool]]]:
    sequence = module.sequence
    found: list[tuple[str, dict[str, str | int | bool]]] = []
    if _counts(module):
        found.append(
            (
                "m.turn.CounterTurnLevel",
                {
                    "name": "Round",
                    "property": "Round",
                    "turnFormat": names.word("turn.round"),
                    "start": 1,
                    "incr": 1,
                    "loop": False,
                    "loopLimit": -1,
                },
            )
        )
    elif sequence.turns:
        found.append(_list_level("Round", [names.label("turn", id) for id in sequence.turns]))
    if sequence.order:
        found.append(_list_level("ActivePower", [names.text(f"power.{id}") for id in sequence.order]))
    if sequence.phases:
        found.append(_list_level("Phase", [step.words for step in steps(module, names)]))
    return found


def _list_level(name: str, items: list[str]) -> tuple[str, dict[str, str | int | bool]]:
    return "m.turn.ListTurnLevel", {
        "name": name,
        "property": name,
        "turnFormat": "$value$",
        "list": encode(items, ","),
        "configList": False,
        "configFirst": False,
    }


def turn_state(module: Module, scenario: Scenario) -> str | None:
    """The tracker at the scenario's date, power and phase, as a save says it."""
    sequence = module.sequence
    inner: str | None = None
    if sequence.phases:
        listed = [step.ids for step in steps(module, Names(module, module.languages[0]))]
        now = next((n for n, ids in enumerate(listed) if scenario.phase in ids), 0)
        inner = _list_state(len(listed), now, inner)
    if sequence.order:
        inner = _list_state(len(sequence.order), _index(sequence.order, scenario.turn_of), inner)
    if _counts(module):
        inner = encode(
            [scenario.date or "1", "0", "false", "-1", *([inner] if inner is not None else [])], ";"
        )
    elif sequence.turns:
        inner = _list_state(len(sequence.turns), _index(sequence.turns, scenario.date), inner)
    return None if inner is None else encode(["0", inner], "|")


def _index(items: tuple[str, ...], now: str | None) -> int:
    return items.index(now) if now in items else 0


def _list_state(count: int, index: int, inner: str | None) -> str:
    active = ",".join("true" for _ in range(count))
    return encode([str(index), "0", "0", active, *([inner] if inner is not None else [])], ";")


def _round_value(module: Module, names: Names, turn: str) -> str:
    """What the tracker's property Round says in that turn."""
    return turn if _counts(module) else names.label("turn", turn)


def turn_places(module: Module, names: Names, where: Where) -> list[Element]:
    """Messages that tell the box of each turn, and of so many turns later as some command needs."""
    boxes = turn_boxes(module)
    later = {item.turns for item in sends(module).values() if item.turns is not None}
    later |= {0} if turn_marker(module) else set()
    found = []
    for n in sorted(later if boxes else ()):
        for i, turn in enumerate(module.sequence.turns):
            box = boxes.get(module.sequence.turns[i + n]) if i + n < len(module.sequence.turns) else None
            if box is not None and box in where:
                at = where[box]
                for part, value in (("Map", at.map), ("Board", at.board), ("X", at.x), ("Y", at.y)):
                    name = f"Turn{part}+{n} {_round_value(module, names, turn)}"
                    found += [_message(name, str(value))] if value != "" else []
    return found


def _message(name: str, value: str) -> Element:
    return element("m.properties.GlobalTranslatableMessage", {"name": name, "initialValue": value})


def _hotkeys(module: Module, names: Names) -> Iterable[Element]:
    """What the tracker presses: the turn marker's key at every step, a refresh's in its phases."""
    if turn_marker(module):
        yield _hotkey("turn marker", named("turnChanged"), "")
    listed = steps(module, names)
    for item in refreshes(module):
        begun = [step.words for step in listed if set(step.ids) & set(item.phases)]
        if begun:
            match = " || ".join(f"Phase == {_quoted(words)}" for words in begun)
            yield _hotkey(f"refresh {item.id}", _pressed(item), f"{{{match}}}")


def _quoted(words: str) -> str:
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _hotkey(name: str, key: str, match: str) -> Element:
    return element(
        "m.turn.TurnGlobalHotkey", {"name": name, "hotkey": key, "match": match, "reportFormat": ""}
    )


def _pressed(item: Refresh) -> str:
    """The key of a refresh's button."""
    return key_of(item.key, f"refresh-{plain(item.id)}")


def automatic(module: Module, names: Names) -> Iterable[Element]:
    """The buttons of refreshes, and the commands behind them and behind the turn marker."""
    found = refreshes(module)
    if marker := turn_marker(module):
        yield _mass("turn marker", "turnChanged", "toTurnBox", f"{{Counter == {_quoted(marker)}}}")
    for id in dict.fromkeys(id for item in found for id in item.states):
        state = states(module)[id]
        yield _mass(
            f"clear {id}", f"all-{plain(id)}", f"clear-{plain(id)}", f"{{{state.property} > 0}}"
        )  # fmt: skip
    if any(item.fronts for item in found):
        yield _mass("fronts", "all-fronts", "front", f"{{{FACE} > 1}}")
    yield from (_button(item, names) for item in found)


def _mass(name: str, pressed: str, sent: str, filter: str) -> Element:
    """A command to all pieces of a sort. It has no button: keys press it."""
    return element(
        "m.GlobalKeyCommand",
        {
            "name": name,
            "buttonText": "",
            "tooltip": "",
            "buttonHotkey": named(pressed),
            "hotkey": named(sent),
            "filter": filter,
            "deckCount": "0",
            "reportSingle": True,
            "reportFormat": "",
        },
    )


def _button(item: Refresh, names: Names) -> Element:
    keys = [
        *([named("clearMoved")] if item.moved else []),
        *(named(f"all-{plain(id)}") for id in item.states),
        *([named("all-fronts")] if item.fronts else []),
    ]
    title = names.label("refresh", item.id)
    return element("m.DoActionButton", {
        "name": title,
        "text": title,
        "tooltip": title,
        "hotkey": _pressed(item),
        "doReport": True,
        "reportFormat": names.word("refresh.report", name=title),
        "doHotkey": True,
        "hotkeys": key_list(*keys),
        "doLoop": False,
        "doSound": False,
    })  # fmt: skip
