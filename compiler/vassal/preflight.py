"""What the engine would not report, or too late: the checks D1 to D14 of the format, on any build file and its saves.

Each check is a generator of sentences; its code is V1 and the check's number (D7 is V107). The tree comes from our own
builder or from `compiler.vassal.reader`, so that the same checks judge other people's modules.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter

from compiler.vassal.elements import WITH_TEXT, Element, faults_of, short_name
from compiler.vassal.encoding import TAB, decode
from compiler.vassal.lock import version_of
from compiler.vassal.metadata import VASSAL_VERSION, Metadata
from compiler.vassal.pieces import Broken, Command, read_command, read_parts
from compiler.vassal.windows import BEHAVIOUR

MAPS = ("Map", "PrivateMap", "PlayerHand")
UNIQUE = (
    "Documentation",
    "GlobalOptions",
    "PlayerRoster",
    "PrototypesContainer",
    "Chatter",
    "KeyNamer",
    "Language",
    "GamePieceImageDefinitions",
    "GlobalProperties",
    "GlobalTranslatableMessages",
    "BasicCommandEncoder",
)
UNIQUE_IN_MAP = (
    "BoardPicker",
    "StackMetrics",
    "Zoomer",
    "ImageSaver",
    "LayeredPieceCollection",
    "HighlightLastMoved",
    "SelectionHighlighters",
    *BEHAVIOUR,
)
_CONTROL = re.compile("[\t\n\r\x1b]")
_NOT_XML = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_SUSPECT = re.compile(r"[\\$" + _NOT_XML.pattern[1:])  # what may be wrong; _CONTROL's are among them
_TITLES = ("name", "mapName", "entryName", "chartName", "buttonName")
_GRIDS = ("HexGrid", "SquareGrid", "RegionGrid", "ZonedGrid")
_FILES = ("image", "fileName", "pdfFile", "logfile", "file", "icon", "startingPage")


@dataclass(frozen=True, slots=True)
class Subject:
    """What is judged. `entries` is None before a build: then nothing is said of files. `former`: for old saves alone."""

    tree: Element
    saves: Mapping[str, list[str]] = field(default_factory=dict)
    metadata: Metadata | None = None
    entries: Mapping[str, bytes] | None = None
    former: frozenset[str] = frozenset()
    own: Collection[str] = ()  # the author's own files: nobody can say who uses them
    built: bool = False  # by `element`, which has looked at every node already


@dataclass(frozen=True, slots=True)
class Prepared:
    """The tree with its pieces read once for all checks."""

    subject: Subject
    nodes: tuple[Element, ...]
    by_name: Mapping[str, list[tuple[int, Element]]]  # each with its place in the order of the file
    slots: tuple[tuple[Element, Command | None, str], ...]

    def named(self, *names: str) -> list[Element]:
        return _named(self.by_name, *names)


def _named(by_name: Mapping[str, list[tuple[int, Element]]], *names: str) -> list[Element]:
    found = [item for name in names for item in by_name.get(name, ())]
    if len(names) > 1:
        found.sort(key=itemgetter(0))
    return [node for _, node in found]


def prepare(subject: Subject) -> Prepared:
    nodes = tuple(subject.tree.walk())
    by_name: dict[str, list[tuple[int, Element]]] = defaultdict(list)
    for n, node in enumerate(nodes):
        by_name[short_name(node.name)].append((n, node))
    pieces = _named(by_name, "PieceSlot", "CardSlot", "PrototypeDefinition")
    slots = tuple((node, *_read(node.text)) for node in pieces if node.text)
    return Prepared(subject, nodes, by_name, slots)


def _read(text: str) -> tuple[Command | None, str]:
    try:
        return read_command(text), ""
    except Broken as wrong:
        return None, str(wrong)


def d1_elements(it: Prepared) -> Iterator[str]:
    for node in () if it.subject.built else it.nodes:
        yield from faults_of(node)


def d2_components(it: Prepared) -> Iterator[str]:
    top = Tally(short_name(child.name) for child in it.subject.tree.children)
    yield from (f"there are {top[name]} {name}" for name in UNIQUE if top[name] > 1)
    order = [short_name(child.name) for child in it.subject.tree.children]
    if "Map" in order and ("GlobalOptions" not in order or order.index("GlobalOptions") > order.index("Map")):
        yield "GlobalOptions does not stand before the first map, which would never be shown"
    for node in it.named(*MAPS):
        title = node.get("mapName")
        names = [short_name(child.name) for child in node.children]
        have = Tally(names)
        yield from (f"map {title!r} has {have[name]} {name}" for name in UNIQUE_IN_MAP if have[name] > 1)
        yield from (
            f"map {title!r} lacks {name}, without which pieces cannot be used"
            for name in BEHAVIOUR
            if not have[name]
        )
        yield from _picker(node, title, names)


def _picker(node: Element, title: str, names: list[str]) -> Iterator[str]:
    if not any(board.get("name") for board in node.all("m.map.boardPicker.Board")):
        yield f"map {title!r} has no board with a name"
    late = [
        name
        for name in ("SetupStack", "DrawPile")
        if name in names and "BoardPicker" in names and names.index(name) < names.index("BoardPicker")
    ]
    yield from (f"map {title!r}: {name} stands before the BoardPicker" for name in late)
    for parent in node.walk():
        grids = [child for child in parent.children if short_name(child.name) in _GRIDS]
        if len(grids) > 1 and short_name(parent.name) in ("Board", "Zone"):
            yield f"{short_name(parent.name)} {parent.get('name')!r} has {len(grids)} grids"


def d3_names(it: Prepared) -> Iterator[str]:
    yield from _twice("map", (node.get("mapName") for node in it.named(*MAPS)))
    yield from _twice("deck", (node.get("name") for node in it.named("DrawPile")))
    yield from _twice("prototype", (node.get("name") for node in it.named("PrototypeDefinition")))
    yield from _twice("global property", (node.get("name") for node in it.named("GlobalProperty")))
    for node in it.named("BoardPicker"):
        yield from _twice(
            "board", (child.get("name") for child in node.children if short_name(child.name) == "Board")
        )
    for node in it.named("ZonedGrid"):
        yield from _twice(
            "zone", (child.get("name") for child in node.children if short_name(child.name) == "Zone")
        )
    for node in it.named("TabWidget", "PanelWidget", "ListWidget", "BoxWidget", "PieceWindow"):
        yield from _twice(
            f"part of the palette {node.get('entryName') or node.get('name')!r}",
            (
                c.get("entryName")
                for c in node.children
                if short_name(c.name) != "PieceSlot" and c.get("entryName")
            ),
        )
    yield from ("a map has no name" for node in it.named(*MAPS) if not node.get("mapName"))
    yield from ("a zone has no name" for node in it.named("Zone") if not node.get("name"))


def _twice(what: str, names: Iterable[str]) -> Iterator[str]:
    yield from (f"{n} times a {what} named {name!r}" for name, n in Tally(names).items() if n > 1)


def d4_references(it: Prepared) -> Iterator[str]:
    maps = {node.get("mapName") for node in it.named(*MAPS)}
    boards = {node.get("name") for node in it.named("Board")}
    decks = {node.get("name") for node in it.named("DrawPile")}
    names = {
        "owningBoard": (boards, "board"),
        "useBoards": (maps, "map"),
        "reshuffleTarget": (decks, "deck"),
        "targetDeck": (decks, "deck"),
    }
    for node in it.nodes:
        for key in () if names.keys().isdisjoint(node.attributes) else names:
            known, what = names[key]
            if node.get(key) and node.get(key) not in known:
                yield f"{short_name(node.name)} {node.get('name')!r}: there is no {what} {node.get(key)!r}"
    for node, command, _ in it.slots:
        for item in command.traits if command else ():
            where = f"{node.get('entryName') or node.get('name')!r}"
            target = item.field("map") if item.id == "sendto" else ""
            if target and not target.startswith("{") and target not in maps:
                yield f"{where}: there is no map {target!r} to send to"
            if item.id == "return" and item.field("deck") and item.field("deck") not in decks:
                yield f"{where}: there is no deck {item.field('deck')!r} to return to"
    yield from _menus(it)


def _menus(it: Prepared) -> Iterator[str]:
    menus = it.named("ToolbarMenu", "MultiActionButton")
    keys = ("text", "buttonText", "buttonName", "label")
    texts = (
        {node.attributes[key] for node in it.nodes for key in keys if key in node.attributes} if menus else ()
    )
    for node in menus:
        for item in decode(node.get("menuItems"), ","):
            if item and item not in texts:
                yield f"the menu {node.get('text')!r} gathers a button {item!r} that does not exist"


def d5_grid_locations(it: Prepared) -> Iterator[str]:
    """Zones and regions only: the numbers of a hex grid are judged where they are made."""
    known = {node.get("name") for node in it.named("Zone", "Region")}
    numbered = bool(it.named("HexGridNumbering", "SquareGridNumbering"))
    for node in it.named("SetupStack"):
        place = node.get("location")
        if node.get("useGridLocation") == "true" and place not in known and (not place or not numbered):
            yield f"the stack {node.get('name')!r} starts at {place!r}, which is no place of the board"


def d6_files(it: Prepared) -> Iterator[str]:
    entries = it.subject.entries
    if entries is None:
        return
    used = set(_pictures(it))
    for name in sorted(used):
        if f"images/{name}" not in entries:
            yield f"the picture {name!r} is not in the archive"
    for key, name in _other_files(it):
        if name not in entries:
            yield f"{key}: the file {name!r} is not in the archive"
    known = {*(f"images/{name}" for name in (*used, *it.subject.former)), *it.subject.own}
    for name in sorted(entries):
        if name.startswith("images/") and name not in known:
            yield f"the picture {name!r} is used by nothing"
        if name != name.strip() or name != unicodedata.normalize("NFC", name):
            yield f"the name {name!r} has blanks at an end or is not in normal form"
    yield from _twice("file, but for capitals,", (name.casefold() for name in entries))


def _pictures(it: Prepared) -> Iterator[str]:
    for node in it.nodes:
        for key in ("image", "icon"):
            name = node.get(key)
            if name and not name.startswith("/"):
                yield name
        if short_name(node.name) in ("Chart", "AboutScreen") and node.get("fileName"):
            yield node.get("fileName")
    for _, command, _ in it.slots:
        if command:
            yield from pictures_of(command)


def pictures_of(command: Command) -> Iterator[str]:
    """Every picture a piece may show."""
    for item in command.traits:
        if item.id == "piece" and item.field("image"):
            yield item.field("image")
        elif item.id == "emb2":
            yield from (name for name in decode(item.field("images"), ",") if name)
        elif (
            item.id in ("markmoved", "obs")
            and item.field("image")
            and not item.field("image").startswith("/")
        ):
            yield item.field("image")
            if item.id == "obs" and item.field("style").startswith("G"):
                yield item.field("style")[1:]


def _other_files(it: Prepared) -> Iterator[tuple[str, str]]:
    for node in it.nodes:
        kind = short_name(node.name)
        if (
            kind in ("HelpFile", "HtmlChart")
            and node.get("fileName")
            and node.get("fileType", "archive") == "archive"
        ):
            yield kind, node.get("fileName")
        elif (
            kind == "PredefinedSetup"
            and node.get("useFile", "true") == "true"
            and node.get("isMenu") != "true"
        ):
            yield kind, node.get("file")
        elif kind == "BrowserPDFFile":
            yield kind, node.get("pdfFile")


def d7_gpids(it: Prepared) -> Iterator[str]:
    slots = [(node, node.get("gpid")) for node in it.named("PieceSlot", "CardSlot")]
    yield from _twice("gpid", (gpid for _, gpid in slots))
    next_id = it.subject.tree.get("nextPieceSlotId", "0")
    for node, gpid in slots:
        if not gpid.isascii() or not gpid.isdecimal():
            yield f"the piece {node.get('entryName')!r} has the gpid {gpid!r}, which is no number"
        elif next_id.isdecimal() and int(gpid) >= int(next_id):
            yield f"the gpid {gpid} is not below nextPieceSlotId {next_id}"


def d8_pieces(it: Prepared) -> Iterator[str]:
    prototypes = {
        node.get("name"): _used(command)
        for node, command, _ in it.slots
        if short_name(node.name) == "PrototypeDefinition"
    }
    for node, command, wrong in it.slots:
        where = node.get("entryName") or node.get("name")
        if command is None:
            yield f"{where!r}: {wrong}"
            continue
        yield from (f"{where!r}: {text}" for text in _trait_faults(command, prototypes))
        if loop := _loops(_used(command), prototypes):
            yield f"{where!r}: the prototype {loop!r} uses itself"


def _trait_faults(command: Command, prototypes: Mapping[str, object]) -> Iterator[str]:
    for item in command.traits:
        if item.id == "prototype" and item.field("name") not in prototypes:
            yield f"there is no prototype {item.field('name')!r}"
        elif item.id == "mark" and len(item.values) != len(decode(item.state, ",")):
            yield f"{len(item.values)} marker names but {len(decode(item.state, ','))} values"
        elif item.id == "emb2":
            images, names = decode(item.field("images"), ","), decode(item.field("names"), ",")
            if len(images) != len(names):
                yield f"a layer with {len(images)} pictures but {len(names)} names"
            level = item.state.removeprefix("-")
            if not level.isdecimal() or not 1 <= int(level) <= len(images):
                yield f"a layer of {len(images)} stands at {item.state!r}"


def _used(command: Command | None) -> list[str]:
    """The prototypes that a piece or another prototype names."""
    return [item.field("name") for item in command.named("prototype")] if command else []


def _loops(used: list[str], prototypes: Mapping[str, list[str]]) -> str:
    waiting: list[tuple[str, tuple[str, ...]]] = [(name, ()) for name in used]
    while waiting:
        name, inside = waiting.pop()
        if name in inside:
            return name
        if len(inside) < 50:
            waiting.extend((other, (*inside, name)) for other in prototypes.get(name, ()))
    return ""


def unwritable(text: str) -> str:
    """Why a name cannot be written in this format; empty if it can."""
    if not _SUSPECT.search(text):
        return ""
    if text.endswith("\\"):
        return "ends in a backslash, which would swallow what follows"
    if _CONTROL.search(text):
        return "has a TAB, a line end or another control character in it"
    if _NOT_XML.search(text):
        return "has a character that XML cannot hold"
    if "$" in text:
        return "has a $, which VASSAL takes for the start of a property's name"
    return ""


def d9_texts(it: Prepared) -> Iterator[str]:
    for node in it.nodes:
        for key in _TITLES:
            if (text := node.attributes.get(key)) and (why := unwritable(text)):
                yield f"{short_name(node.name)} {key} {text!r} {why}"
    for node in it.named("entry"):
        if why := unwritable(node.text):
            yield f"the side {node.text!r} {why}"
    for node, command, _ in it.slots:
        if command and (why := unwritable(command.name)):
            yield f"the piece {node.get('entryName')!r} {why}"


def d10_ends(it: Prepared) -> Iterator[str]:
    for node in it.nodes:
        if node.name in WITH_TEXT and node.text != node.text.strip():
            yield f"the text of {short_name(node.name)} {node.get('entryName') or node.get('name')!r} has blanks at an end, which the engine cuts off"
    for node, _, _ in it.slots:
        if not node.text[-1].isdigit():
            yield f"the piece {node.get('entryName') or node.get('name')!r} does not end in its basic state"


def d11_metadata(it: Prepared) -> Iterator[str]:
    tree, data = it.subject.tree, it.subject.metadata
    if version_of(tree.get("version")) is None:
        yield f"the version {tree.get('version')!r} is not of the form 1.2.3"
    engine = tree.get("VassalVersion")
    wanted = version_of(engine)
    oldest = version_of(VASSAL_VERSION)
    if wanted is None or oldest is None or wanted > oldest:
        yield f"VassalVersion {engine!r} is above {VASSAL_VERSION}: older engines would warn"
    if data is not None:
        for key, said in (
            ("name", data.name),
            ("version", data.version),
            ("description", data.description),
            ("VassalVersion", data.vassal),
        ):
            if tree.get(key) != said:
                yield f"moduledata says {key} {said!r}, the build file {tree.get(key)!r}"


def d12_saves(it: Prepared) -> Iterator[str]:
    known = _Known(it)
    for name, commands in it.subject.saves.items():
        yield from (f"{name}: {text}" for text in _save_faults(commands, known))


class _Known:
    """What a save may refer to."""

    def __init__(self, it: Prepared) -> None:
        self.boards = {
            node.get("mapName"): {b.get("name") for b in node.all("m.map.boardPicker.Board")}
            for node in it.named(*MAPS)
        }
        self.gpids = {node.get("gpid") for node in it.named("PieceSlot", "CardSlot")}
        self.decks = {node.get("name") for node in it.named("DrawPile")}
        self.properties = {node.get("name") for node in it.named("GlobalProperty")}


def _save_faults(commands: list[str], known: _Known) -> Iterator[str]:
    if not commands or commands[0] != "begin_save" or commands[-1] != "end_save":
        yield "does not begin with begin_save and end with end_save"
    if "SETUP_STACK" + TAB not in commands:
        yield "has no SETUP_STACK: at-start stacks would be set up a second time"
    at: dict[str, tuple[str, ...]] = {}
    for text in commands:
        if text.startswith("PLAYER" + TAB):
            yield "names a player: nobody else could take that side"
        elif "BoardPicker" + TAB in text:
            yield from _board_faults(decode(text, TAB), known)
        elif text.startswith("+/"):
            yield from _piece_faults(text, at, known)


def _board_faults(fields: list[str], known: _Known) -> Iterator[str]:
    name = fields[0].removesuffix("BoardPicker")
    if name not in known.boards:
        yield f"there is no map {name!r}"
        return
    yield from (
        f"the map {name!r} has no board {board!r}"
        for board in fields[1::3]
        if board not in known.boards[name]
    )


def _piece_faults(text: str, at: dict[str, tuple[str, ...]], known: _Known) -> Iterator[str]:
    try:
        id, types, states = read_parts(text)
    except Broken as wrong:
        yield str(wrong)
        return
    if id in at:
        yield f"two pieces have the id {id}"
    state = decode(states[-1], ";")
    at[id] = tuple(state[:3])
    if state[0] not in known.boards:
        yield f"piece {id}: there is no map {state[0]!r}"
    if types[-1].id == "stack":
        for member in state[3:-1]:
            if member not in at:
                yield f"the stack {id} comes before its member {member}"
            elif at[member] != tuple(state[:3]):
                yield f"piece {member} does not stand where its stack {id} stands"
    elif types[-1].id == "piece":
        if state[3] not in known.gpids:
            yield f"piece {id}: no counter of the module has the gpid {state[3]!r}"
        if any(item.id == "prototype" for item in types):
            yield f"piece {id}: a prototype is not expanded"


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height from a PNG's head; nothing if it is none."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or len(data) < 24:
        return (0, 0)
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def d13_sizes(it: Prepared) -> Iterator[str]:
    for name, data in sorted((it.subject.entries or {}).items()):
        if name.startswith("images/") and name.endswith(".png"):
            width, height = png_size(data)
            if max(width, height) > 10_000 or width * height > 100_000_000:
                yield f"the picture {name!r} is {width} × {height}: no VASSAL shows more than 10000 px a side or 100 megapixels"
            elif not width:
                yield f"the picture {name!r} is no PNG"


def large_pictures(sizes: Iterable[tuple[str, int, int]]) -> Iterator[str]:
    """Pictures that work but make VASSAL slow: more than 5,000 pixels a side."""
    yield from (
        f"{name} is {width} × {height} pixels" for name, width, height in sizes if max(width, height) > 5000
    )


CHECKS: Mapping[str, Callable[[Prepared], Iterator[str]]] = {
    "V101": d1_elements,
    "V102": d2_components,
    "V103": d3_names,
    "V104": d4_references,
    "V105": d5_grid_locations,
    "V106": d6_files,
    "V107": d7_gpids,
    "V108": d8_pieces,
    "V109": d9_texts,
    "V110": d10_ends,
    "V111": d11_metadata,
    "V112": d12_saves,
    "V113": d13_sizes,
}


def preflight(subject: Subject) -> list[tuple[str, str]]:
    """Every fault as (code, sentence), in the order of the checks."""
    it = prepare(subject)
    return [(code, text) for code, check in CHECKS.items() for text in check(it)]
