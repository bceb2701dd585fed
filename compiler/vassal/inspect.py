"""What is in a module or a save: its tree, its pieces and where they stand.

`inspect_file` reads any `.vmod`, `.vmdx`, `.vsav` or `.vlog`, ours or not, and gives an `Inspection`; `as_text` and
`as_json` show it. A file that is broken or hostile ends in `Unreadable`, in bounded time and memory.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from compiler.vassal.elements import Element, short_name
from compiler.vassal.encoding import TAB, decode
from compiler.vassal.locations import Laid, Locator, locators
from compiler.vassal.metadata import Metadata
from compiler.vassal.pieces import Broken, Command, read_command
from compiler.vassal.preflight import png_size
from compiler.vassal.reader import (
    MAX_STREAM,
    Archive,
    Entry,
    Unreadable,
    build_file,
    metadata,
    open_archive,
    stream_commands,
)

__all__ = ["Inspection", "Unreadable", "as_json", "as_text", "inspect_file"]

_NAME_ATTRIBUTES = (
    "mapName",
    "entryName",
    "name",
    "chartName",
    "threadName",
    "title",
    "text",
    "buttonText",
    "file",
)
_SAVE_LIMIT = MAX_STREAM
NO_MAT = "noMat"  # what the engine writes of cargo that is aboard nothing
_PICTURE_LIMIT = 400 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class InspectedPiece:
    """A piece in play. `location` is the name of the place where the module's own grid knows it.

    `state` is what changes of it in play: its own properties, the facing of a turned one, what it is aboard (a piece's id).
    `deck` is the id of the deck it lies in.
    """

    id: str
    gpid: str
    name: str
    image: str
    map: str
    x: int
    y: int
    stack: str
    location: str
    properties: dict[str, str]
    traits: tuple[str, ...]
    state: dict[str, str] = field(default_factory=dict)
    deck: str = ""


@dataclass(frozen=True, slots=True)
class InspectedSlot:
    """A piece of a palette, deck or at-start stack."""

    name: str
    gpid: str
    image: str
    prototypes: tuple[str, ...]
    properties: dict[str, str]
    traits: tuple[str, ...]
    path: str


@dataclass(frozen=True, slots=True)
class InspectedSave:
    """One saved game: beside the module or inside it."""

    name: str
    pieces: tuple[InspectedPiece, ...]
    stacks: int
    boards: dict[str, tuple[str, ...]]
    properties: dict[str, str]
    turn: str
    other: dict[str, int]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Inspection:
    """Everything read from one file. `tree` is None for a save."""

    kind: str
    name: str
    version: str
    vassal: str
    description: str
    entries: tuple[Entry, ...]
    tree: Element | None
    slots: tuple[InspectedSlot, ...]
    saves: tuple[InspectedSave, ...]
    problems: tuple[str, ...]


def inspect_file(path: Path, module: Path | None = None) -> Inspection:
    """Read one file. `module` is the module of a save, for the names of locations; without it they are empty."""
    with open_archive(path) as archive:
        if archive.has("savedGame"):
            known = _module_locators(module) if module else {}
            return _of_save(archive, path.name, known)
        if archive.has("buildFile.xml") or archive.has("buildFile"):
            return _of_module(archive)
    raise Unreadable("a zip archive, but neither a module (no buildFile.xml) nor a save (no savedGame)")


def _module_locators(path: Path) -> dict[str, Locator | Laid]:
    with open_archive(path) as archive:
        tree = build_file(archive)
        return locators(tree, _board_sizes(archive, tree))


def _board_sizes(archive: Archive, tree: Element) -> dict[str, tuple[int, int]]:
    """The sizes of board pictures that are PNG files."""
    found = {}
    for board in tree.all("m.map.boardPicker.Board"):
        name = board.get("image")
        if name and archive.has(f"images/{name}"):
            try:
                found[name] = png_size(archive.read(f"images/{name}", _PICTURE_LIMIT))
            except Unreadable:
                continue
    return found


def _of_save(archive: Archive, name: str, known: dict[str, Locator | Laid]) -> Inspection:
    data = metadata(archive, "savedata") or Metadata("", "", 0)
    module = metadata(archive, "moduledata")
    save = read_save(archive, name, known)
    title = module.name if module else ""
    return Inspection(
        "save", title, data.version, data.vassal, data.description, archive.entries, None, (), (save,), ()
    )


def _of_module(archive: Archive) -> Inspection:
    tree = build_file(archive)
    kind = "extension" if archive.has("extensiondata") else "module"
    data = metadata(archive, "extensiondata" if kind == "extension" else "moduledata")
    problems: list[str] = []
    slots = tuple(_slots(tree, problems))
    saves = tuple(_inner_saves(archive, tree, problems))
    vassal = data.vassal if data else tree.get("VassalVersion")
    return Inspection(
        kind,
        tree.get("name") or tree.get("module"),
        tree.get("version"),
        vassal,
        tree.get("description"),
        archive.entries,
        tree,
        slots,
        saves,
        tuple(problems),
    )


def _slots(tree: Element, problems: list[str]) -> Iterator[InspectedSlot]:
    waiting: list[tuple[Element, tuple[str, ...]]] = [(tree, ())]
    while waiting:
        node, path = waiting.pop()
        if short_name(node.name) in ("PieceSlot", "CardSlot"):
            if (slot := _slot(node, path, problems)) is not None:
                yield slot
            continue
        inside = (*path, title_of(node)) if title_of(node) and node is not tree else path
        waiting.extend((child, inside) for child in reversed(node.children))


def _slot(node: Element, path: tuple[str, ...], problems: list[str]) -> InspectedSlot | None:
    try:
        command = read_command(node.text)
    except Broken as wrong:
        problems.append(f"slot {node.get('entryName')!r}: {wrong}")
        return None
    return InspectedSlot(
        command.name,
        node.get("gpid"),
        _image(command),
        tuple(item.values[0] for item in command.named("prototype") if item.values),
        _markers(command),
        tuple(item.id for item in command.traits),
        " / ".join(path),
    )


def _inner_saves(archive: Archive, tree: Element, problems: list[str]) -> Iterator[InspectedSave]:
    known = locators(tree, _board_sizes(archive, tree))
    names = dict.fromkeys(node.get("file") for node in tree.all("m.PredefinedSetup") if node.get("file"))
    budget = 4 * _SAVE_LIMIT
    for name in names:
        if not archive.has(name):
            problems.append(f"the set-up {name} is not in the archive")
            continue
        data = archive.read(name, min(_SAVE_LIMIT, budget))
        budget -= len(data)
        try:
            with open_archive(data) as inner:
                yield read_save(inner, name, known)
        except Unreadable as wrong:
            problems.append(f"{name}: {wrong}")


def read_save(archive: Archive, name: str, known: dict[str, Locator | Laid]) -> InspectedSave:
    """The position that a save holds."""
    return position(stream_commands(archive), name, known)


def position(found: Iterable[str], name: str, known: dict[str, Locator | Laid]) -> InspectedSave:
    """The position that a list of commands builds up."""
    pieces: list[Command] = []
    member_of: dict[str, str] = {}
    decks: set[str] = set()
    boards: dict[str, tuple[str, ...]] = {}
    properties: dict[str, str] = {}
    other: Counter[str] = Counter()
    problems: list[str] = []
    turn, stacks = "", 0
    for text in found:
        if text.startswith("+/"):
            try:
                command = read_command(text)
            except Broken as wrong:
                problems.append(f"{text[:60]!r}: {wrong}")
                continue
            if command.core.id in ("stack", "deck"):
                stacks += 1
                member_of.update(dict.fromkeys(_members(command), command.id))
                decks |= {command.id} if command.core.id == "deck" else set()
            else:
                pieces.append(command)
        elif text.startswith("GlobalProperty" + TAB):
            fields = decode(text, ";")
            if len(fields) >= 3:
                properties[fields[1]] = fields[2]
        elif text.startswith("TURN") and TAB in text:
            turn = text.partition(TAB)[2]
        elif "BoardPicker" + TAB in text:
            fields = decode(text, TAB)
            boards[fields[0].removesuffix("BoardPicker")] = tuple(fields[1::3])
        elif text:
            other[text.partition(TAB)[0][:24].partition("/")[0]] += 1
    shown = tuple(_piece(command, member_of, decks, known, problems) for command in pieces)
    return InspectedSave(
        name, shown, stacks, boards, properties, turn, dict(sorted(other.items())), tuple(problems)
    )


def _members(command: Command) -> list[str]:
    fields = command.core_state()
    if command.core.id == "deck":
        return decode(fields[4], ",") if len(fields) > 4 else []
    return [field for field in fields[3:] if not field.startswith("@@")]


def _piece(
    command: Command,
    member_of: dict[str, str],
    decks: set[str],
    known: dict[str, Locator | Laid],
    problems: list[str],
) -> InspectedPiece:
    state = [*command.core_state(), "", "", "", ""]
    try:
        x, y = int(state[1]), int(state[2])
    except ValueError:
        x = y = 0
        problems.append(f"piece {command.id}: no position in {command.core.state[:60]!r}")
    locator = known.get(state[0])
    return InspectedPiece(
        command.id,
        state[3],
        command.name,
        _image(command),
        state[0],
        x,
        y,
        member_of.get(command.id, ""),
        locator.name_at(x, y) if locator else "",
        _markers(command),
        tuple(item.id for item in command.traits),
        _state(command),
        member_of.get(command.id, "") if member_of.get(command.id) in decks else "",
    )


def _state(command: Command) -> dict[str, str]:
    found = {item.field("name"): item.state for item in command.named("PROP")}
    found |= {f"{item.field('name')}_Facing": item.state for item in command.named("rotate")}
    aboard = next((s for item in command.named("matPiece") if (s := item.state) not in ("", NO_MAT)), "")
    return {**found, **({"aboard": aboard} if aboard else {})}


def _image(command: Command) -> str:
    """The basic picture, or the first picture of the first layer."""
    if command.core.id == "piece" and command.core.field("image"):
        return command.core.field("image")
    layers = command.named("emb2")
    return decode(layers[-1].field("images"), ",")[0] if layers else ""


def _markers(command: Command) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in command.named("mark"):
        found.update(zip(item.values, decode(item.state, ","), strict=False))
    return found


def title_of(node: Element) -> str:
    """What the editor would call this component."""
    return next((node.attributes[key] for key in _NAME_ATTRIBUTES if node.attributes.get(key)), "")


def as_text(found: Inspection, *, pieces: bool = True) -> str:
    """For reading: the head, the tree, the pieces of each save."""
    lines = [
        f"{found.kind}: {found.name or '(no name)'} {found.version}",
        f"written for VASSAL {found.vassal}",
    ]
    if found.description:
        lines.append(found.description)
    total = sum(entry.size for entry in found.entries)
    lines.append(f"{len(found.entries)} entries, {total} bytes unpacked")
    if found.tree is not None:
        lines += ["", "tree", *_tree_lines(found.tree)]
    for save in found.saves:
        lines += ["", *_save_lines(save, pieces)]
    problems = [*found.problems, *(problem for save in found.saves for problem in save.problems)]
    if problems:
        lines += ["", "problems", *(f"  {problem}" for problem in problems)]
    return "\n".join(printable(line) for line in lines) + "\n"


def _tree_lines(tree: Element) -> Iterator[str]:
    waiting = [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        title = title_of(node) or node.text[:60]
        yield "  " * depth + short_name(node.name) + (f"  {title}" if title else "")
        waiting.extend((child, depth + 1) for child in reversed(node.children))


def _save_lines(save: InspectedSave, pieces: bool) -> Iterator[str]:
    yield f"save {save.name}: {len(save.pieces)} pieces, {save.stacks} stacks"
    for map_name, boards in save.boards.items():
        yield f"  boards of {map_name}: {', '.join(boards)}"
    for name, value in save.properties.items():
        yield f"  {name} = {value}"
    if save.turn:
        yield f"  turn {save.turn}"
    if pieces:
        for piece in save.pieces:
            where = f"{piece.map} {piece.x},{piece.y}"
            yield f"  {piece.id}  {piece.name}  {where}" + (f"  {piece.location}" if piece.location else "")


def printable(text: str) -> str:
    """Control characters from a stranger's file never reach the terminal."""
    return "".join(char if char.isprintable() else " " for char in text)


def as_json(found: Inspection) -> str:
    """The same for programs: everything that was read."""
    data = {
        "kind": found.kind,
        "name": found.name,
        "version": found.version,
        "vassal": found.vassal,
        "description": found.description,
        "entries": [
            {"name": entry.name, "size": entry.size, "crc": f"{entry.crc:08x}"} for entry in found.entries
        ],
        "tree": _tree_json(found.tree) if found.tree is not None else None,
        "slots": [asdict(slot) for slot in found.slots],
        "saves": [asdict(save) for save in found.saves],
        "problems": list(found.problems),
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _tree_json(node: Element) -> dict[str, object]:
    made: dict[str, object] = {"element": node.name, "attributes": dict(node.attributes)}
    if node.text:
        made["text"] = node.text
    if node.children:
        made["children"] = [_tree_json(child) for child in node.children]
    return made
