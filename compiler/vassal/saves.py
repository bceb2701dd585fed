"""Saved games: the command stream, its disguise, and the archive around it.

A `Setup` (pieces on maps, boards, properties, turn, notes) comes in; the bytes of a `.vsav` go out. Members always come
before their stacks, `SETUP_STACK` is always there, and there is never a player in it: everybody is asked for a side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from compiler.frozen import dataclass
from compiler.vassal.archive import pack
from compiler.vassal.encoding import ESC, TAB, encode
from compiler.vassal.metadata import Metadata
from compiler.vassal.pieces import Definition, Spot, Written, stack

_MARK = b"!VCSK"
_KEY = 0x5A  # any byte would do; a fixed one keeps builds the same


class NotAStream(ValueError):
    """The bytes of `savedGame` are not what VASSAL writes."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One piece in play, expanded. `stacks` is false for pieces that never stack."""

    id: str
    definition: Definition
    spot: Spot
    stacks: bool = True
    layer: str = ""


@dataclass(frozen=True, slots=True)
class PlacedDeck:
    """A deck in play: its type as the format has it, and the pieces in it, the lowest first."""

    id: str
    type: str
    spot: Spot
    face_down: bool
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything a save says. `boards`: map → board names in a row; `properties`: (container, name, value)."""

    pieces: tuple[Placed, ...]
    boards: Mapping[str, tuple[tuple[str, int, int], ...]]
    properties: tuple[tuple[str, str, str], ...] = ()
    turn: str | None = None
    notes: str = ""
    description: str = ""
    first_stack: int = field(default=0)
    decks: tuple[PlacedDeck, ...] = ()


# The start-up command that shows the first view has been given: without this a game just opened counts as changed.
FIRST_VIEW_DONE = "SGKC" + TAB + "SGKC0" + TAB + "true"


def commands(setup: Setup, written: dict[int, Written] | None = None) -> list[str]:
    """The stream's commands in the order in which the engine itself writes them.

    `written` keeps what is written for the other saves of a module, by the identity of the definition.
    """
    found = ["begin_save"]
    found.extend(_pieces(setup, {} if written is None else written))
    found.extend(_stacks(setup))
    found.extend(_deck(item) for item in setup.decks)
    found.extend(board_command(name, boards) for name, boards in setup.boards.items())
    found.append("SETUP_STACK" + TAB)
    found.extend(
        encode(("GlobalProperty" + TAB, name, value, container), ";")
        for container, name, value in setup.properties
    )
    if setup.turn is not None:
        found.append("TURNTurnTracker0" + TAB + setup.turn)
    found.append(FIRST_VIEW_DONE)
    if setup.notes:
        found.append("NOTES" + TAB + encode(setup.notes.split("\n"), "|"))
    found.append("end_save")
    return found


def one_of_each(setup: Setup) -> Setup:
    """The set-up with one piece of each definition."""
    return replace(setup, pieces=tuple({id(piece.definition): piece for piece in setup.pieces}.values()))


def _pieces(setup: Setup, written: dict[int, Written]) -> Iterable[str]:
    """Many pieces share one definition, which the set-up keeps."""
    for piece in setup.pieces:
        key = id(piece.definition)
        if key not in written:
            written[key] = Written(piece.definition)
        yield written[key].at(piece.id, piece.spot)


def _stacks(setup: Setup) -> Iterable[str]:
    """Pieces of different layers never share a stack, even at one point."""
    together: dict[tuple[Spot, str], list[str]] = {}
    for piece in setup.pieces:
        if piece.stacks:
            together.setdefault((piece.spot, piece.layer), []).append(piece.id)
    ids = [int(piece.id) for piece in setup.pieces] + [int(deck.id) for deck in setup.decks]
    number = setup.first_stack or 1 + max(ids, default=0)
    for (spot, _), members in together.items():
        yield stack(str(number), tuple(members), spot)
        number += 1


def _deck(deck: PlacedDeck) -> str:
    face = "true" if deck.face_down else "false"
    state = encode(
        (deck.spot.map, str(deck.spot.x), str(deck.spot.y), face, encode(deck.members, ",")), ";"
    )  # fmt: skip
    return "+/" + encode((deck.id, deck.type, state), "/")


def board_command(map_name: str, boards: Iterable[tuple[str, int, int]]) -> str:
    """The boards of a map window, each with its column and row."""
    fields = [map_name + "BoardPicker"]
    for name, column, row in boards:
        fields += [encode((name,), "/"), str(column), str(row)]
    return encode(fields, TAB)


def stream(found: Iterable[str]) -> str:
    return encode(found, ESC)


def disguise(text: str, key: int = _KEY) -> bytes:
    """VASSAL's obfuscation: each byte XORed with a key, in hex."""
    table = bytes(value ^ key for value in range(256))
    return _MARK + b"%02x" % key + text.encode("utf-8").translate(table).hex().encode("ascii")


def undisguise(data: bytes) -> str:
    """The text of a `savedGame`, disguised or plain. Raises `NotAStream` for anything else."""
    if not data.startswith(_MARK):
        return _decoded(data)
    try:
        plain = bytes.fromhex(data[len(_MARK) :].decode("ascii"))
    except ValueError as wrong:
        raise NotAStream(
            "the disguise has an odd length or characters that are not hexadecimal digits"
        ) from wrong
    if not plain:
        raise NotAStream("the disguise has no key")
    key = plain[0]
    return _decoded(plain[1:].translate(bytes(value ^ key for value in range(256))))


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise NotAStream(f"the text is not UTF-8 (byte {wrong.start})") from wrong


def save_archive(setup: Setup, module: Metadata, seconds: int) -> bytes:
    """The `.vsav`: `savedGame` first, because VASSAL reads it as a stream."""
    entries = {
        "savedGame": disguise(stream(commands(setup))),
        "savedata": Metadata(
            module.version, setup.description, module.saved, vassal=module.vassal
        ).save_bytes(),
        "moduledata": module.module_bytes(),
    }
    return pack(entries, seconds, first=("savedGame",))
