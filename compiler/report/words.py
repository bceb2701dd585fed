"""Characters made safe to print: what an author wrote must not steer a terminal, a log or an XML reader."""

from __future__ import annotations

import re

# Control characters, marks that turn the writing direction around, and lone surrogates (JSON can spell all of them).
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def visible(text: str) -> str:
    """The text with every unsafe character written as its escape; line ends and tabs stay."""
    return _UNSAFE.sub(_escape, text)


def one_line(text: str) -> str:
    """As `visible`, on a single line: an author's words in the middle of a sentence."""
    return visible(text).replace("\n", "\\n").replace("\t", " ")


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
