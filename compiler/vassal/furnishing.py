"""Everything of a module beside its maps and pieces: sides, turn, dice, levels, charts, notes, help, scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from compiler.model.types import Module, Scenario
from compiler.vassal.elements import Element, element
from compiler.vassal.encoding import encode
from compiler.vassal.keys import named, stroke
from compiler.vassal.names import SOLITAIRE, Names

TURN_KEYS = {"turn.next": "alt+N", "turn.back": "alt+B"}
LEVELS = "Module"  # the container that saves name for a module's own global properties


def roster(module: Module, names: Names) -> Element:
    """A seat for each power, and one for playing all of them."""
    entries = [element("entry", text=name) for name in seats(module, names)]
    attributes = {"buttonText": names.word("retire"), "buttonToolTip": names.word("retire.tip")}
    return element("m.PlayerRoster", attributes, entries)


def seats(module: Module, names: Names) -> list[str]:
    return [*(names.power(id) for id in module.powers), SOLITAIRE] if module.powers else []


def options(names: Names) -> Element:
    """GlobalOptions must stand before the first map, or the engine never shows that map."""
    return element(
        "m.GlobalOptions",
        {
            "autoReport": "Always",
            "chatterHTMLSupport": "Never",
            "inventoryForAll": "Always",
            "nonOwnerUnmaskable": "Never",
            "playerIdFormat": "$PlayerName$",
            "purgeBlankPropertyPrompts": True,
        },
        [
            element("option", {"name": "undoHotKey"}, text=stroke("ctrl+Z")),
            element("option", {"name": "undoIcon"}, text="/images/Undo16.gif"),
        ],
    )


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
        child,
    )


def _counts(module: Module) -> bool:
    """Whether the turns are simply 1, 2, 3 …"""
    turns = module.sequence.turns
    return bool(turns) and turns == tuple(str(n + 1) for n in range(len(turns)))


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
        found.append(_list_level("Round", [_or_id(names, "turn", id) for id in sequence.turns]))
    if sequence.order:
        found.append(_list_level("ActivePower", [names.text(f"power.{id}") for id in sequence.order]))
    if sequence.phases:
        found.append(_list_level("Phase", [_or_id(names, "phase", phase.id) for phase in sequence.phases]))
    return found


def _or_id(names: Names, kind: str, id: str) -> str:
    return names.text(f"{kind}.{id}") if names.module.texts.has(f"{kind}.{id}", names.language) else id


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
        inner = _list_state([phase.id for phase in sequence.phases], scenario.phase, inner)
    if sequence.order:
        inner = _list_state(list(sequence.order), scenario.turn_of, inner)
    if _counts(module):
        inner = encode(
            [scenario.date or "1", "0", "false", "-1", *([inner] if inner is not None else [])], ";"
        )
    elif sequence.turns:
        inner = _list_state(list(sequence.turns), scenario.date, inner)
    return None if inner is None else encode(["0", inner], "|")


def _list_state(items: list[str], now: str | None, inner: str | None) -> str:
    index = items.index(now) if now in items else 0
    active = ",".join("true" for _ in items)
    return encode([str(index), "0", "0", active, *([inner] if inner is not None else [])], ";")


def dice(module: Module, names: Names) -> Iterable[Element]:
    """A button for each entry of `dice`; under `vassal`, `hits` counts the dice at or below a number and `ask` asks how many."""
    given = module.raw.get("dice")
    for item in given if isinstance(given, list) else []:
        if not isinstance(item, dict):
            continue
        title = names.text(f"die.{item.get('id')}")
        settings = item.get("vassal")
        more = settings if isinstance(settings, dict) else {}
        hits = more.get("hits")
        yield element(
            "m.DiceButton",
            {
                "name": title,
                "text": title,
                "tooltip": title,
                "icon": "/images/die.gif",
                "nDice": _whole(item.get("count"), 1),
                "nSides": _whole(item.get("faces"), 6),
                "prompt": bool(more.get("ask", False)),
                "lockSides": True,
                "lockPlus": True,
                "lockAdd": True,
                "reportTotal": bool(item.get("total", False)),
                "reportFormat": names.word("dice.hits" if hits else "dice.report"),
                **({"keepDice": True, "keepOption": "<", "keepCount": _whole(hits, 1)} if hits else {}),
            },
        )


def _whole(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


def property_name(track_id: str) -> str:
    return "track_" + "".join(char if char.isalnum() else "_" for char in track_id)


def levels(module: Module, names: Names) -> Element:
    """Tracks as numbers that players raise and lower, with a report of each change."""
    found = []
    for track in module.tracks.values():
        title = _track_name(names, track.id)
        buttons = [
            _change(title, names, key, changer)
            for key, changer in (("track.up", "I,1"), ("track.down", "I,-1"))
        ]
        asked = encode(("R", names.word("track.ask", name=title)), ",")
        buttons.append(_change(title, names, "track.set", asked))
        found.append(
            element(
                "m.properties.GlobalProperty",
                {
                    "name": property_name(track.id),
                    "initialValue": track.low,
                    "isNumeric": True,
                    "min": track.low,
                    "max": track.high,
                    "wrap": False,
                    "description": title,
                },
                buttons,
            )
        )
    return element("m.properties.GlobalProperties", children=found)


def _track_name(names: Names, id: str) -> str:
    return _or_id(names, "track", id)


def _change(title: str, names: Names, key: str, changer: str) -> Element:
    text = names.word(key, name=title)
    if key == "track.set":
        text = f"{title}: {text}"
    return element(
        "m.properties.ChangePropertyButton",
        {
            "text": text,
            "tooltip": text,
            "propChanger": changer,
            "reportFormat": names.word("track.report", name=title),
            "hideWhenDisabled": False,
        },
    )


def level_menus(module: Module, names: Names) -> Iterable[Element]:
    """One menu for each power's tracks instead of three buttons a track."""
    owners: dict[str | None, list[str]] = {}
    for track in module.tracks.values():
        title = _track_name(names, track.id)
        items = [
            names.word("track.up", name=title),
            names.word("track.down", name=title),
            f"{title}: {names.word('track.set')}",
        ]
        owners.setdefault(track.owner, []).extend(items)
    for owner, items in owners.items():
        text = names.text(f"power.{owner}") if owner else names.word("tracks")
        yield element(
            "m.ToolbarMenu",
            {"text": text, "tooltip": names.word("tracks.tip"), "menuItems": encode(items, ",")},
        )


@dataclass(frozen=True, slots=True)
class Section:
    heading: str = ""
    lines: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """An HTML page of the archive with the title under which players find it. It is rendered by a build only."""

    title: str
    file: str
    sections: tuple[Section, ...]


def charts(pages: Iterable[Page], names: Names) -> Element:
    tabs = [element("w.HtmlChart", {"chartName": page.title, "fileName": page.file}) for page in pages]
    return element(
        "m.ChartWindow",
        {
            "name": "Charts",
            "text": names.word("charts"),
            "tooltip": names.word("charts.tip"),
            "icon": "/images/chart.gif",
            "hotkey": stroke("alt+C"),
        },
        [element("w.TabWidget", {"entryName": names.word("charts")}, tabs)],
    )


def inventory(module: Module, names: Names) -> Element:
    group = "Power,CurrentZone" if module.powers else "CurrentZone"
    return element(
        "m.Inventory",
        {
            "name": names.word("inventory"),
            "text": "",
            "tooltip": names.word("inventory.tip"),
            "icon": "/images/inventory.gif",
            "hotkey": stroke("alt+I"),
            "groupBy": group,
            # Without a condition the engine lists nothing at all, whatever its manual says.
            "include": '{CurrentMap != ""}',
            "leafFormat": "$PieceName$",
        },
    )


def notes(names: Names) -> Element:
    return element(
        "m.NotesWindow",
        {
            "buttonText": "",
            "tooltip": names.word("notes.tip"),
            "icon": "/images/notes.gif",
            "hotkey": stroke("alt+O"),
        },
    )


def documentation(page: Page) -> Element:
    help = element(
        "m.documentation.HelpFile",
        {"title": page.title, "fileName": page.file, "fileType": "archive", "vassalDoc": "user"},
    )
    return element("m.Documentation", children=[help])


def scenarios(module: Module, names: Names, files: Mapping[str, str]) -> Iterable[Element]:
    """The scenario menu: each set-up, and an empty map, because VASSAL drops its own "new game" where there is one."""
    if not files:
        return
    about = {
        id: names.text(f"scenario.{id}.description")
        for id in files
        if names.module.texts.has(f"scenario.{id}.description", names.language)
    }
    entries = [
        element(
            "m.PredefinedSetup",
            {
                "name": _or_id(names, "scenario", id),
                "description": about.get(id, ""),
                "useFile": True,
                "file": file,
                "isMenu": False,
            },
        )
        for id, file in files.items()
    ]
    free: dict[str, str | bool] = {
        "name": names.word("scenario.free"),
        "useFile": False,
        "isMenu": False,
        "description": names.word("scenario.free.about"),
    }
    yield from entries
    yield element("m.PredefinedSetup", free)


def unmoved_key() -> str:
    return named("clearMoved")
