"""Other people's archives, read without trusting them.

A path comes in; entries, build file and command stream come out, or `Unreadable` with a sentence that says what is
wrong. Nothing is unpacked to disk, nothing is read past its limit, and no entity, name or count can make it run long.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from compiler.vassal.elements import Element, from_xml
from compiler.vassal.encoding import ESC, decode
from compiler.vassal.metadata import Metadata, from_root
from compiler.vassal.saves import NotAStream, undisguise

MB = 1 << 20
MAX_FILE = 2048 * MB
MAX_ENTRIES = 100_000
MAX_ENTRY = 512 * MB
MAX_TOTAL = 4096 * MB
MAX_XML = 64 * MB
MAX_STREAM = 128 * MB  # in its disguise: twice the text
MAX_COMMANDS = 300_000
MAX_NESTING = 32
MAX_ELEMENTS = 1_000_000
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    IndexError,
)


class Unreadable(ValueError):
    """The file is not a VASSAL archive that we are ready to read; the message says why, for the user's eye."""


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    size: int
    crc: int


@dataclass(frozen=True, slots=True)
class Archive:
    """An open archive whose list of entries has been checked."""

    zip: zipfile.ZipFile
    entries: tuple[Entry, ...]

    def has(self, name: str) -> bool:
        return name in self.zip.NameToInfo

    def read(self, name: str, limit: int) -> bytes:
        """One entry, never more than `limit` bytes of it, whatever its header says."""
        try:
            with self.zip.open(name) as stream:
                data = stream.read(limit + 1)
        except _BROKEN as wrong:
            raise Unreadable(f"{name}: cannot be unpacked ({_words(wrong)})") from wrong
        if len(data) > limit:
            raise Unreadable(f"{name}: more than {limit // MB} MB when unpacked")
        return data


@contextmanager
def open_archive(source: Path | bytes) -> Iterator[Archive]:
    """A zip on disk, or one that was an entry of another."""
    if isinstance(source, Path):
        _check_file(source)
    try:
        opened = zipfile.ZipFile(source if isinstance(source, Path) else io.BytesIO(source))
    except _BROKEN as wrong:
        raise Unreadable(f"not a zip archive, or cut off ({_words(wrong)})") from wrong
    with opened:
        yield Archive(opened, _checked_entries(opened))


def _check_file(path: Path) -> None:
    try:
        size = path.stat().st_size
    except OSError as wrong:
        raise Unreadable(_words(wrong)) from wrong
    if not path.is_file():
        raise Unreadable("not a file")
    if size > MAX_FILE:
        raise Unreadable(f"larger than {MAX_FILE // MB} MB")


def _checked_entries(opened: zipfile.ZipFile) -> tuple[Entry, ...]:
    infos = opened.infolist()
    if len(infos) > MAX_ENTRIES:
        raise Unreadable(f"{len(infos)} entries: more than {MAX_ENTRIES}")
    if min((info.header_offset for info in infos), default=0) > 0:
        # The end of an archive *inside* a cut-off one would otherwise pass for the whole.
        raise Unreadable("the archive does not start at the file's first byte: it is cut off")
    total = 0
    seen: set[str] = set()
    for info in infos:
        _check_name(info.filename, seen)
        total += info.file_size
        if info.flag_bits & 1:
            raise Unreadable(f"{info.filename}: encrypted")
        if info.file_size > MAX_ENTRY:
            raise Unreadable(f"{info.filename}: would unpack to {info.file_size // MB} MB")
    if total > MAX_TOTAL:
        raise Unreadable(f"would unpack to {total // MB} MB")
    return tuple(Entry(info.filename, info.file_size, info.CRC) for info in infos)


def _check_name(name: str, seen: set[str]) -> None:
    parts = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or ".." in parts or (len(name) > 1 and name[1] == ":") or "\0" in name:
        raise Unreadable(f"an entry's name leaves the archive: {name!r}")
    if name in seen:
        raise Unreadable(f"two entries are named {name!r}")
    seen.add(name)


def parse_xml(data: bytes, name: str) -> etree._Element:
    """XML without a document type: entities, external files and the network are out of reach."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True
    )
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise Unreadable(f"{name}: has a document type, which no VASSAL file needs")
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as wrong:
        raise Unreadable(f"{name}: not well-formed XML ({_words(wrong)})") from wrong
    if root.getroottree().docinfo.internalDTD is not None:
        raise Unreadable(f"{name}: has a document type, which no VASSAL file needs")
    return root


def build_file(archive: Archive) -> Element:
    """The component tree of a module or an extension."""
    name = "buildFile.xml" if archive.has("buildFile.xml") else "buildFile"
    data = archive.read(name, MAX_XML)
    if data.count(b"<") > 2 * MAX_ELEMENTS:
        raise Unreadable(f"{name}: more than {MAX_ELEMENTS} elements")
    return from_xml(parse_xml(data, name))


def metadata(archive: Archive, name: str) -> Metadata | None:
    if not archive.has(name):
        return None
    return from_root(parse_xml(archive.read(name, MB), name))


def stream_commands(archive: Archive) -> list[str]:
    """The commands of a save or log, groups taken apart."""
    data = archive.read("savedGame", MAX_STREAM)
    try:
        text = undisguise(data)
    except NotAStream as wrong:
        raise Unreadable(f"savedGame: {wrong}") from wrong
    if text.count(ESC) > MAX_COMMANDS:
        raise Unreadable(f"savedGame: more than {MAX_COMMANDS} commands")
    found = _flat(text)
    if not any(command == "begin_save" for command in found[:10]):
        raise Unreadable(
            "savedGame: does not begin as a saved game does; the disguise may have another key or be none of VASSAL's"
        )
    return found


def _flat(text: str) -> list[str]:
    """Groups are lists inside the list; taken apart without recursion, at most `MAX_NESTING` deep."""
    found: list[str] = []
    waiting = [(text, 0)]
    while waiting:
        token, depth = waiting.pop()
        if ESC not in token:
            found.append(token)
            continue
        if depth > MAX_NESTING:
            raise Unreadable(f"savedGame: groups inside groups, more than {MAX_NESTING} deep")
        waiting.extend((part, depth + 1) for part in reversed(decode(token, ESC)))
    return found


def _words(wrong: BaseException) -> str:
    text = wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else str(wrong)
    return text.splitlines()[0] if text else type(wrong).__name__
