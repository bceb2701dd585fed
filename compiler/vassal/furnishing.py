"""Everything of a module beside its maps and pieces: sides, turn, dice, levels, charts, notes, help, scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from compiler.model.types import Module
from compiler.vassal.elements import Element, element
from compiler.vassal.encoding import encode
from compiler.vassal.keys import named, stroke
from compiler.vassal.names import Names
from compiler.vassal.settings import objects, plain, setting

LEVELS = "Module"  # the container that saves name for a module's own global properties


def roster(module: Module, names: Names) -> Element:
    """A seat for each power, and one for playing all of them."""
    entries = [element("entry", text=name) for name in seats(module, names)]
    attributes = {"buttonText": names.word("retire"), "buttonToolTip": names.word("retire.tip")}
    return element("m.PlayerRoster", attributes, entries)


def seats(module: Module, names: Names) -> list[str]:
    return names.seats(module.powers) if module.powers else []


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


def _or_id(names: Names, kind: str, id: str) -> str:
    return names.label(kind, id)


def option_name(option_id: str) -> str:
    return f"option_{plain(option_id)}"


VIEW = ("view_x", "view_y")  # the pixel of the first window that a scenario begins with


def property_name(track_id: str) -> str:
    return "track_" + "".join(char if char.isalnum() else "_" for char in track_id)


def levels(module: Module, names: Names) -> Element:
    """Tracks as numbers that players raise and lower, with a report of each change; and whether an option is in force."""
    found = [
        element(
            "m.properties.GlobalProperty",
            {
                "name": option_name(id),
                "initialValue": "false",
                "isNumeric": False,
                "description": names.label("option", id),
            },
        )
        for id in module.options
    ]
    found += [
        element("m.properties.GlobalProperty", {"name": name, "initialValue": "0", "isNumeric": True})
        for name in VIEW
    ]
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
    pictures: tuple[str, ...] = ()  # one for each row, shown before it


@dataclass(frozen=True)
class Page:
    """An HTML page of the archive with the title under which players find it. A check never asks what it says."""

    title: str
    file: str
    write: Callable[[], Iterable[Section]]
    chart: str = ""  # the id of the chart that it is

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        return tuple(self.write())


def charts(
    module: Module, pages: Iterable[Page], names: Names, own: Mapping[str, Element]
) -> Iterable[Element]:
    """The window of charts, and one for each window of module.json that shows charts. `own`: the author's, by id."""
    found = {
        page.chart or page.file: element("w.HtmlChart", {"chartName": page.title, "fileName": page.file})
        for page in pages
    }
    found |= own
    shown: set[str] = set()
    for window in chart_windows(module):
        title = names.text(f"window.{window['id']}")
        listed = [id for id in _charts_of(window) if id in found]
        shown.update(listed)
        yield _chart_window(str(window["id"]), title, _key(window), [found[id] for id in listed])
    rest = [tab for id, tab in found.items() if id not in shown]
    if rest:
        yield _chart_window("Charts", names.word("charts"), "alt+C", rest, names.word("charts.tip"))


def chart_windows(module: Module) -> list[Mapping[str, object]]:
    return [item for item in objects(module.raw.get("windows")) if _charts_of(item)]


def _charts_of(window: Mapping[str, object]) -> list[str]:
    several = window.get("charts")
    named = several if isinstance(several, list) else [window.get("chart")]
    return [id for id in named if isinstance(id, str)]


def _key(window: Mapping[str, object]) -> str:
    settings = window.get("vassal")
    return str(settings.get("key") or "") if isinstance(settings, dict) else ""


def _chart_window(name: str, text: str, key: str, tabs: list[Element], tip: str = "") -> Element:
    attributes = {"name": name, "text": text, "tooltip": tip or text, "icon": "/images/chart.gif"}
    if key:
        attributes["hotkey"] = stroke(key)
    return element("m.ChartWindow", attributes, [element("w.TabWidget", {"entryName": text}, tabs)])


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


def documentation(pages: Iterable[Page], more: Iterable[Element] = ()) -> Element:
    """The help menu: the help page, the author's own ones, and what else there is to read."""
    found = [
        element(
            "m.documentation.HelpFile",
            {"title": page.title, "fileName": page.file, "fileType": "archive", "vassalDoc": "user"},
        )
        for page in pages
    ]
    return element("m.Documentation", children=[*found, *more])


def scenarios(module: Module, names: Names, files: Mapping[str, str]) -> Iterable[Element]:
    """The scenario menu: each set-up, those of a group in a menu of their own, and an empty map.

    The empty map is there because VASSAL drops its own "new game" where there is any other entry.
    """
    if not files:
        return
    about = {
        id: names.text(f"scenario.{id}.description")
        for id in files
        if names.module.texts.has(f"scenario.{id}.description", names.language)
    }
    entries = {
        id: element(
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
    }
    grouped: set[str] = set()
    for menu in objects(setting(module, "vassal", "menus")):
        listed = [str(id) for id in _list(menu.get("scenarios")) if id in entries]
        grouped.update(listed)
        title = names.label("menu", str(menu["id"]))
        attributes: dict[str, str | bool] = {"name": title, "isMenu": True, "useFile": False}
        yield element("m.PredefinedSetup", attributes, [entries[id] for id in listed])
    free: dict[str, str | bool] = {
        "name": names.word("scenario.free"),
        "useFile": False,
        "isMenu": False,
        "description": names.word("scenario.free.about"),
    }
    yield from (entry for id, entry in entries.items() if id not in grouped)
    yield element("m.PredefinedSetup", free)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def unmoved_key() -> str:
    return named("clearMoved")
