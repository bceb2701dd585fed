"""Bytes → text. Sources are UTF-8; anything else is one problem that names the line of the first bad byte."""

from __future__ import annotations

import codecs

from compiler.source.problem import Problem

_SAVE_AS = 'save the file as "UTF-8" in your editor'


def decode(data: bytes) -> tuple[str, Problem | None]:
    """The text, without byte order mark. With a problem the text is only good enough to be shown."""
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
    if _is_wide(data):
        encoding = _wide(data)
        message = f"this file is {encoding[:6].upper()}, not UTF-8"
        return data.decode(encoding, "replace"), Problem("S103", message, (0, 0), _SAVE_AS)
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as bad:
        return _not_utf8(data, bad.start)


def _not_utf8(data: bytes, start: int) -> tuple[str, Problem]:
    shown = data.decode("utf-8", "replace")
    at = len(data[:start].decode("utf-8"))
    message = f"this file is not UTF-8: byte 0x{data[start]:02X} cannot be read here"
    return shown, Problem("S103", message, (at, at + 1), _guess(data[start]))


def _is_wide(data: bytes) -> bool:
    """A byte order mark of two-byte text, or a NUL so early that only two-byte text explains it."""
    return data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) or b"\0" in data[:2]


def _wide(data: bytes) -> str:
    if data[:4] in (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE):
        return "utf-32"
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    return "utf-16-le" if data[1:2] == b"\0" else "utf-16-be"


def _guess(byte: int) -> str:
    """Most files that are not UTF-8 come from an old editor; the letter it meant is recognised by the author."""
    letter = bytes([byte]).decode("cp1252", "replace")
    if not letter.isprintable() or letter == "\N{REPLACEMENT CHARACTER}":
        return _SAVE_AS
    return f"in the encoding Windows-1252 this byte is '{letter}': {_SAVE_AS}"
