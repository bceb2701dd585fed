"""`ids.lock.json`: what saved games remember of a module, and what may therefore never change by accident.

It holds the piece ids (gpid), the names of maps and boards, the geometry of each map and the fingerprint of each
picture, as of the version in it. `locked` reads it, `renewed` gives the one that fits the module now, and `changes`
says what must not have changed without a higher version. An id once given is never given to another counter.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from compiler.findings import Finding, Place, error
from compiler.frozen import dataclass
from compiler.model.types import Counter, Module
from compiler.suggest import suggest
from compiler.vassal.drawings import BoardPicture
from compiler.vassal.names import file_part
from compiler.vassal.zones import ZonePath

FILE = "ids.lock.json"
_VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\Z")


@dataclass(frozen=True, slots=True)
class LockedPiece:
    """`former` are pictures that only saves of earlier versions quote: the module goes on holding them."""

    gpid: str
    images: tuple[str, ...] = ()
    former: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LockedMap:
    name: str
    board: str
    geometry: str


@dataclass(frozen=True, slots=True)
class Lock:
    """`removed` keeps the ids of counters that are no more, so that no other counter gets them."""

    version: str = ""
    next: int = 1
    pieces: Mapping[str, LockedPiece] = field(default_factory=dict)
    removed: Mapping[str, LockedPiece] = field(default_factory=dict)
    maps: Mapping[str, LockedMap] = field(default_factory=dict)
    pictures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    commands: Mapping[str, str] = field(
        default_factory=dict
    )  # commands and decks that make pieces: their gpids


def version_of(text: str) -> tuple[int, int, int] | None:
    """`"1.2.3"` → (1, 2, 3), or None where the text is no version."""
    found = _VERSION.match(text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def locked(text: str | None, place: Place | None) -> tuple[Lock, list[Finding]]:
    """The lock file's content; an empty one where there is no file, and with a finding where it is broken."""
    if text is None:
        return Lock(), []
    try:
        return _parsed(json.loads(text)), []
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as wrong:
        what = f"{FILE} cannot be read ({type(wrong).__name__}: {wrong})"
        return Lock(), [error("V135", what, place, help="take it from the last release; do not delete it")]


def _parsed(data: Mapping[str, object]) -> Lock:
    def names(value: object, key: str) -> tuple[str, ...]:
        return tuple(map(str, _list(_object(value).get(key, []))))

    def pieces(key: str) -> dict[str, LockedPiece]:
        items = _object(data.get(key, {})).items()
        return {
            id: LockedPiece(str(_object(v)["gpid"]), names(v, "images"), names(v, "former"))
            for id, v in items
        }

    maps = {
        id: LockedMap(str(_object(v)["name"]), str(_object(v)["board"]), str(_object(v)["geometry"]))
        for id, v in _object(data.get("maps", {})).items()
    }
    pictures = {
        lang: {k: str(h) for k, h in _object(v).items()}
        for lang, v in _object(data.get("pictures", {})).items()
    }
    return Lock(
        str(data["version"]),
        int(str(data["next"])),
        pieces("pieces"),
        pieces("removed"),
        maps,
        pictures,
        {id: str(gpid) for id, gpid in _object(data.get("commands", {})).items()},
    )


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError("an object is needed")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("a list is needed")
    return value


def written(lock: Lock) -> str:
    """The file, one line an entry, sorted, so that a change reads well."""
    data = {
        "note": "Written by vmodc build. Saved games depend on it: commit it, and do not edit it.",
        "version": lock.version,
        "next": lock.next,
        "pieces": {id: _piece(item) for id, item in sorted(lock.pieces.items())},
        "removed": {id: _piece(item) for id, item in sorted(lock.removed.items())},
        "maps": {
            id: {"name": item.name, "board": item.board, "geometry": item.geometry}
            for id, item in sorted(lock.maps.items())
        },
        "pictures": {lang: dict(sorted(items.items())) for lang, items in sorted(lock.pictures.items())},
        **({"commands": dict(sorted(lock.commands.items()))} if lock.commands else {}),
    }
    lines = ["{"]
    for n, (key, value) in enumerate(data.items()):
        comma = "," if n < len(data) - 1 else ""
        if isinstance(value, dict) and value:
            lines += [f"  {json.dumps(key)}: {{", *_entries(value), f"  }}{comma}"]
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}{comma}")
    return "\n".join([*lines, "}"]) + "\n"


def _piece(item: LockedPiece) -> dict[str, object]:
    former = {"former": list(item.former)} if item.former else {}
    return {"gpid": item.gpid, "images": list(item.images), **former}


def _entries(items: Mapping[str, object]) -> Iterator[str]:
    for n, (key, value) in enumerate(items.items()):
        comma = "," if n < len(items) - 1 else ""
        yield f"    {json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}{comma}"


def geometry(zones: Iterable[ZonePath], board: BoardPicture) -> str:
    """A fingerprint of a map's size, boards and outlines: what decides where a saved piece stands."""
    digest = hashlib.sha256(f"{board.width}x{board.height}".encode())
    if len(board.parts) > 1:
        digest.update(f"\n{board.parts}".encode())
    for zone in sorted(zones, key=lambda item: item.space):
        digest.update(f"\n{zone.space} {zone.ring}".encode())
    return digest.hexdigest()[:16]


def with_pieces(
    lock: Lock, counters: Mapping[str, Counter], faces: Mapping[str, Sequence[str]], version: str = ""
) -> Lock:
    """The lock with an id and picture names for every counter. `renamed_from` hands a counter's entry on.

    `faces` says of each face what it looks like, so that faces that look the same share one picture ("" is like no other).
    """
    pieces: dict[str, LockedPiece] = {}
    number = lock.next
    handed_on: set[str] = set()
    naming = _Naming(lock, _raised(lock.version, version))
    for id, counter in counters.items():
        before = counter.raw.get("renamed_from")
        known = lock.pieces.get(id)
        if known is None and isinstance(before, str) and before in lock.pieces and before not in counters:
            known = lock.pieces[before]
            handed_on.add(before)
        if known is None:
            known = lock.removed.get(id) or LockedPiece(str(number))
            number += known.gpid == str(number)
        pieces[id] = naming.named(id, known, faces[id])
    removed = {id: item for id, item in lock.removed.items() if id not in pieces}
    removed |= {id: item for id, item in lock.pieces.items() if id not in pieces and id not in handed_on}
    return replace(lock, next=number, pieces=pieces, removed=removed)


def with_commands(lock: Lock, ids: Iterable[str]) -> Lock:
    """The lock with an id for every command that makes a piece. One that is gone keeps its id."""
    known = dict(lock.commands)
    for id in ids:
        known.setdefault(id, str(lock.next + len(known) - len(lock.commands)))
    return replace(lock, next=lock.next + len(known) - len(lock.commands), commands=known)


def _raised(before: str, now: str) -> bool:
    old, new = version_of(before), version_of(now)
    return old is not None and new is not None and new > old


class _Naming:
    """Names of pictures. One keeps its name for ever, because saves quote it; only a name that is taken gets a fingerprint.

    Pixels of an earlier version become drawings when the version is raised: the pixels stay, under `former`, for its saves.
    """

    def __init__(self, lock: Lock, raised: bool) -> None:
        self.raised = raised
        known = (*lock.pieces.values(), *lock.removed.values())
        self.taken = {image for item in known for image in (*item.images, *item.former)}
        self.by_look: dict[str, str] = {}
        self.looks: dict[str, str] = {}

    def named(self, id: str, known: LockedPiece, faces: Sequence[str]) -> LockedPiece:
        pixels = tuple(name for name in known.images if name.endswith(".png")) if self.raised else ()
        kept = () if pixels else known.images
        images = tuple(
            [self._one(id, n, kept[n] if n < len(kept) else "", look) for n, look in enumerate(faces)]
        )
        self.taken.update(images)
        return LockedPiece(known.gpid, images, tuple(dict.fromkeys((*known.former, *pixels))))

    def _one(self, id: str, n: int, known: str, look: str) -> str:
        """The known name, if the look is still that of all who have it; else that of the first who looks the same."""
        free = known and self.looks.get(known, look) == look
        name = known if free else self.by_look.get(look) or self._own(id, n)
        self.looks.setdefault(name, look)
        if look:
            self.by_look.setdefault(look, name)
        return name

    def _own(self, id: str, n: int) -> str:
        plain = re.sub("[^a-z0-9]+", "-", id.lower()).strip("-") or "piece"
        stem = plain if f"{plain}.svg" not in self.taken else file_part(f"{id}.")
        return f"{stem}.svg" if n == 0 else f"{stem}-{n + 1}.svg"


def changes(old: Lock, new: Lock, module: Module) -> list[Finding]:
    """What saves of the locked version could not bear: each is a finding unless the version was raised enough."""
    before, now = version_of(old.version), version_of(new.version)
    if before is None or now is None:
        return []
    found: list[Finding] = []
    if now[0] <= before[0]:
        found += _breaking(old, new, module)
    if now <= before:
        found += _pictures(old, new, module)
    return found


def _breaking(old: Lock, new: Lock, module: Module) -> Iterator[Finding]:
    place = module.place / "version"
    higher = f"raise the version to {version_of(old.version)[0] + 1}.0.0"  # type: ignore[index]
    for id, known in old.maps.items():
        now = new.maps.get(id)
        if now is None or (now.name, now.board) != (known.name, known.board):
            what = f"the map window '{id}' was called '{known.name}' with the board '{known.board}' in {old.version}: saves would lose it"
            yield error("V136", what, place, help=higher)
        elif now.geometry != known.geometry:
            what = f"the outlines of the map '{id}' are not those of version {old.version}: pieces in saves would stand elsewhere"
            yield error("V131", what, place, help=higher)
    for id in old.pieces:
        if id in new.removed:
            near = suggest(id, [item for item in new.pieces if item not in old.pieces])
            what = f"the counter '{id}' of version {old.version} is no more: saves that have it would lose it"
            help = f'{higher}, or write "renamed_from": "{id}" at \'{near}\'' if near else higher
            yield error("V132", what, place, help=help, pieces=(id,))


def _pictures(old: Lock, new: Lock, module: Module) -> Iterator[Finding]:
    changed = {
        name
        for language, items in old.pictures.items()
        for name, print in items.items()
        if new.pictures.get(language, {}).get(name, print) != print
    }
    if changed:
        shown = ", ".join(sorted(changed)[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
        what = f"pictures are not those of version {old.version}: {shown}; VASSAL would go on showing the old ones"
        yield error("V114", what, module.place / "version", help="raise the version")


def missing(old: Lock, new: Lock, module: Module) -> list[Finding]:
    """For `--locked`: what a build would have to add to the file."""
    lacking: Collection[str] = [id for id in new.pieces if id not in old.pieces]
    lacking = [*lacking, *(f"window {id}" for id in new.maps if id not in old.maps)]
    if not lacking and old.version == new.version:
        return []
    what = (
        f"{FILE} lacks {', '.join(lacking[:5])}"
        if lacking
        else f"{FILE} is of version {old.version or 'none'}, the module of {new.version}"
    )
    return [error("V134", what, module.place, help=f"run vmodc build without --locked and commit {FILE}")]
