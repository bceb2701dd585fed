"""Map windows: board, zones, and everything a player expects around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from compiler.grid.cuts import Part
from compiler.grid.vassal import SheetGrid
from compiler.vassal.drawings import BoardPicture
from compiler.vassal.elements import Element, element
from compiler.vassal.encoding import encode
from compiler.vassal.furnishing import VIEW
from compiler.vassal.hexgrids import hex_elements
from compiler.vassal.keys import VIEW_KEY, named, stroke
from compiler.vassal.locations import path_text
from compiler.vassal.names import Names
from compiler.vassal.saves import board_command
from compiler.vassal.zones import ZonePath

# Without these eight a map shows its pieces, but nobody can select or move one.
BEHAVIOUR = (
    "ForwardToKeyBuffer",
    "Scroller",
    "ForwardToChatter",
    "MenuDisplayer",
    "MapCenterer",
    "StackExpander",
    "PieceMover",
    "KeyBufferer",
)
LAYERS = "under,carrier,unit,over"
_ZOOM = (0.2, 0.25, 0.333, 0.4, 0.5, 0.625, 0.75, 1.0, 1.25, 1.6, 2.0)
ABOUT = 'GetProperty("About " + LocationName)'  # what is known of a place beyond its name: see places.py
READABLE = 32  # pixels of a counter on the screen
_VIEW = (1100, 620)  # what a player's screen has room for, beside the chat


@dataclass(frozen=True, slots=True)
class Window:
    """One window of module.json with its map and drawing."""

    id: str
    map_id: str
    picture: BoardPicture
    images: tuple[str, ...]  # one a board: a map that is too large for one picture is cut
    zones: tuple[ZonePath, ...]
    kind: str = "m.Map"
    settings: Mapping[str, object] = field(default_factory=dict)
    shared: bool = False  # it stands beside others in its window

    def boards(self, names: Names, column: int = 0) -> tuple[tuple[str, int, int], ...]:
        """The boards with their column and row in the window; those of a map beside others begin at a column."""
        name, parts = names.board(self.id, self.map_id), self.picture.parts
        if len(parts) == 1:
            return ((name, column, 0),)
        return tuple((f"{name} {part.name}", part.column, part.row) for part in parts)


def laid(sheets: Iterable[Window], names: Names) -> tuple[tuple[str, int, int], ...]:
    """The boards of all maps of a window, side by side."""
    return tuple(board for n, sheet in enumerate(sheets) for board in sheet.boards(names, n))


def map_element(
    sheets: Sequence[Window], names: Names, *, first: bool, more: Iterable[Element] = ()
) -> Element:
    """The whole map window. The first one is docked in the main window, others have a button. `more` lies in it."""
    word = names.word
    window = sheets[0]
    title = names.window(window.id)
    attributes: dict[str, str | int | bool] = {
        "mapName": title,
        "allowMultiple": len(sheets) > 1 or len(window.images) > 1,
        "launch": not first,
        "buttonName": "" if first else names.text(f"window.{window.id}"),
        "tooltip": word("map.show"),
        "markMoved": "Always",
        "markUnmovedTooltip": word("map.unmoved"),
        "markUnmovedHotkey": named("clearMoved"),
        "onlyReportChangedLocation": True,
        "moveWithinFormat": word("map.move"),
        "moveToFormat": word("map.from"),
        "createFormat": word("map.create"),
        "changeFormat": "$message$",
    }
    if window.settings.get("key"):
        attributes["hotkey"] = stroke(str(window.settings["key"]))
    if window.kind != "m.Map":
        attributes |= {
            "side": encode(_seats(window, names), ","),
            "visible": bool(window.settings.get("seen")),
        }
    return element(
        window.kind, attributes, [_boards(sheets, names), *_furniture(window, names, first=first), *more]
    )


def _seats(window: Window, names: Names) -> list[str]:
    """Whose window it is. Solitaire plays everybody."""
    powers = window.settings.get("powers")
    return names.seats(map(str, powers if isinstance(powers, list) else []))


def _boards(sheets: Sequence[Window], names: Names) -> Element:
    window, places = sheets[0], laid(sheets, names)
    boards = [
        element(
            "m.map.boardPicker.Board",
            {"name": place[0], "image": image, "reversible": False},
            [_whole_grid(sheet, names) if len(sheet.picture.parts) == 1 else _part_grid(sheet, names, part)],
        )
        for sheet in sheets
        for place, image, part in zip(sheet.boards(names), sheet.images, sheet.picture.parts, strict=True)
    ]
    if len(places) > 1 and not window.settings.get("choose"):
        # Without it every new game would begin with the question which boards are wanted.
        boards.append(element("setup", text=board_command(names.window(window.id), places)))
    return element("m.map.BoardPicker", {"title": names.word("map.board")}, boards)


def _whole_grid(window: Window, names: Names) -> Element:
    return _zoned([_zone(zone, names) for zone in window.zones], window.picture.grids)


def _part_grid(window: Window, names: Names, part: Part) -> Element:
    """The zones and grids that touch a board, in its own pixels."""
    right, bottom = part.left + part.width, part.top + part.height
    zones = [
        _zone(ZonePath(zone.space, tuple((x - part.left, y - part.top) for x, y in zone.ring)), names)
        for zone in window.zones
        if _touches(zone, part)
    ]
    grids = (grid.on_board(part.left, part.top, right, bottom) for grid in window.picture.grids)
    return _zoned(zones, [grid for grid in grids if grid is not None])


def _touches(zone: ZonePath, part: Part) -> bool:
    xs, ys = [x for x, _ in zone.ring], [y for _, y in zone.ring]
    across = min(xs) < part.left + part.width and max(xs) >= part.left
    return across and min(ys) < part.top + part.height and max(ys) >= part.top


def _zoned(zones: list[Element], grids: Iterable[SheetGrid]) -> Element:
    hexes = hex_elements(grids, [zone.get("name") for zone in zones])
    return element(
        "m.map.boardPicker.board.ZonedGrid",
        children=[*zones, *hexes, element("m.map.boardPicker.board.mapgrid.ZonedGridHighlighter")],
    )


def _zone(zone: ZonePath, names: Names) -> Element:
    return element(
        "m.map.boardPicker.board.mapgrid.Zone",
        {
            "name": names.location(zone.space),
            "path": path_text(zone.ring),
            "locationFormat": "$name$",
            "useParentGrid": False,
            "useHighlight": False,
        },
    )


def _furniture(window: Window, names: Names, *, first: bool) -> Iterable[Element]:
    word = names.word
    if window.kind == "m.PlayerHand":
        yield element("m.map.HandMetrics")
    else:
        yield element("m.map.StackMetrics", {"exSepX": 8, "exSepY": 22, "unexSepX": 4, "unexSepY": 5})
    yield from (element(f"m.map.{name}") for name in BEHAVIOUR)
    yield element("m.map.LayeredPieceCollection", {"property": "Layer", "layerOrder": LAYERS})
    yield from _viewers()
    yield element("m.map.HighlightLastMoved", {"enabled": True, "color": "255,0,0", "thickness": 2})
    yield element("m.map.SelectionHighlighters")
    yield element("m.properties.GlobalProperties")
    yield element(
        "m.map.Flare", {"flareKey": "keyAlt", "circleColor": "255,0,0", "reportFormat": word("map.flare")}
    )
    yield element(
        "m.map.Zoomer",
        {
            "zoomLevels": ",".join(str(level) for level in _ZOOM),
            "zoomStart": _zoom_start(window.picture),
            "inTooltip": word("map.zoom_in"),
            "outTooltip": word("map.zoom_out"),
            "pickTooltip": word("map.zoom"),
            "zoomInKey": stroke("ctrl+shift+up"),
            "zoomOutKey": stroke("ctrl+shift+down"),
        },
    )
    yield element(
        "m.map.GlobalMap",
        {
            "scale": _overview(window.picture),
            "tooltip": word("map.overview"),
            "icon": "/images/overview.gif",
            "hotkey": stroke("ctrl+shift+O"),
        },
    )
    if first:
        yield _camera(names)
    if window.settings.get("sight", bool(window.picture.hexes)):
        yield _thread(names)
    yield element("m.map.ImageSaver", {"tooltip": word("map.image")})
    yield element(
        "m.map.TextSaver", {"buttonText": "", "icon": "/images/notes.gif", "tooltip": word("map.text")}
    )


def _camera(names: Names) -> Element:
    """A button that goes to where the scenario begins; `first_view` presses it when a game is opened."""
    x, y = VIEW
    return element(
        "m.map.MoveCameraButton",
        {
            "moveCameraMode": "L",
            "xPos": f"${x}$",
            "yPos": f"${y}$",
            "text": "",
            "icon": "/images/recenter.gif",
            "tooltip": names.word("map.front"),
            "hotkey": stroke(VIEW_KEY),
        },
    )


def first_view() -> Element:
    """Every game that is opened begins where its scenario does: a save has no place for the part of the map that is seen."""
    return element(
        "m.StartupGlobalKeyCommand",
        {
            "name": "First view",
            "whenToApply": "everyLaunchOfSession",
            "hotkeyOrKeyCommand": "sendHotkey",
            "globalHotkey": stroke(VIEW_KEY),
        },
    )


def _thread(names: Names) -> Element:
    return element(
        "m.map.LOS_Thread",
        {
            "threadName": "Sight",
            "label": "",
            "tooltip": names.word("map.sight.tip"),
            "hotkey": stroke("alt+L"),
            "iconName": "/images/thread.gif",
            "report": names.word("map.sighted"),
            "snapStart": True,
            "snapEnd": True,
            "drawRange": True,
            "threadColor": "255,0,0",
            "losThickness": 2,
        },
    )


def _viewers() -> Iterable[Element]:
    """Two mouse-over windows: the pieces of a stack with the place's name, and the name alone where nothing stands."""
    shared: dict[str, str | int | bool] = {
        "version": "4",
        "fontSize": 12,
        "bgColor": "255,255,240",
        "fgColor": "0,0,0",
        "display": "from all layers",
    }
    yield element(
        "m.map.CounterDetailViewer",
        {
            **shared,
            "description": "stack",
            "delay": 400,
            "minDisplayPieces": "1",
            "showgraph": True,
            "showgraphsingle": True,
            "showtext": True,
            "showtextsingle": True,
            "showNoStack": True,
            "showNonMovable": True,
            "borderWidth": 4,
            "summaryReportFormat": "$LocationName$",
            "counterReportFormat": "<html><center>$PieceName$<br>$Printed$</center></html>",
            "graphicsZoom": "2.0",
            "zoomlevel": "1.0",
        },
    )
    yield element(
        "m.map.CounterDetailViewer",
        {
            **shared,
            "description": "place",
            "delay": 700,
            "minDisplayPieces": "0",
            "showgraph": False,
            "showtext": True,
            "emptyHexReportForma": f'{{{ABOUT} == "" ? LocationName : {ABOUT}}}',
            "stopAfterShowing": True,
        },
    )


def _zoom_start(picture: BoardPicture) -> str:
    """The level that fills the window, or shows counters large enough to read; counted from the largest, as VASSAL does."""
    fits = max(_VIEW[0] / max(picture.width, 1), _VIEW[1] / max(picture.height, 1))
    wanted = min(1.0, max(fits, READABLE / picture.counter))
    level = min((n for n, zoom in enumerate(_ZOOM) if zoom >= wanted), default=len(_ZOOM) - 1)
    return str(len(_ZOOM) - level)


def _overview(picture: BoardPicture) -> str:
    return f"{max(0.02, min(0.3, 480 / max(picture.width, picture.height, 1))):.4f}"
