"""What is wrong with JSON that cannot be read, in plain words and at the very character.

Runs only after the JSON reader has refused a text. It walks the tokens again, knows what may come next, and recognises
the slips people really make: a comma too many or too few, a comment, other quotes, a bracket left open.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from compiler.source.problem import Problem
from compiler.suggest import suggest

_SPACE = re.compile(r"[ \t\n\r]*")
_TEXT = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*')
_SCALAR = re.compile(r"""[^\s\[\]{},:;="'/#]+""")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_STRUCTURE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},]', re.DOTALL)
_UNMERGED = re.compile(r"^(?:<{7}|={7}|>{7})(?= |\r?$)[^\r\n]*", re.MULTILINE)
_LINE = re.compile(r"[^\r\n]*")
_WORDS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_OTHER_WORDS = {"none": "null", "nil": "null", "undefined": "null", "yes": "true", "no": "false"}
_QUOTES = "'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a"
_CLOSES = {"{": "}", "[": "]"}
_CALLED = {"{": "an object", "[": "a list", "}": "an object", "]": "a list"}


_FAR = 100_000  # characters that are worth skipping


class _Next(Enum):
    """What may come next."""

    VALUE = auto()
    FIRST_VALUE = auto()  # or the end of the list
    KEY = auto()
    FIRST_KEY = auto()  # or the end of the object
    COLON = auto()
    MORE = auto()  # a comma, or the end of the list or object


class _Refused(Exception):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def diagnose(text: str, position: int) -> Problem:
    """The first thing wrong in `text`; `position` is where the JSON reader gave up, in case nothing is recognised."""
    unmerged = _UNMERGED.search(text)
    if unmerged is not None:
        help = "two versions of this file were not merged: keep one of the two, and take the three marks out"
        return Problem("S110", "this line is the mark of an unfinished merge", unmerged.span(), help)
    walk = _Walk(text)
    try:
        if position > _FAR:
            walk.skip_to(position)
        walk.run()
    except _Refused as refused:
        return refused.problem
    at = min(position, len(text))
    return Problem("S110", "this is not JSON", (at, at + 1))


class _Walk:
    """Steps from token to token; `open` holds the brackets not yet closed, the last token went from `start` to `end`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.open: list[tuple[str, int]] = []
        self.next = _Next.VALUE
        self.start = self.end = 0
        self.comma: int | None = None  # where the comma stands, if the last token was one

    def run(self) -> None:
        while True:
            at = _match_end(_SPACE, self.text, self.end)
            if at == len(self.text):
                return self._finish()
            self._step(at, self.text[at])
            self.start = at

    def skip_to(self, position: int) -> None:
        """Goes to the last bracket or comma before `position`, up to which the text is known to be sound."""
        for match in _STRUCTURE.finditer(self.text):
            if match.end() > position:
                return
            at = match.start()
            char = self.text[at]
            if char == ",":
                self.end, self.next = at, _Next.MORE
            elif char in "{[":
                self.open.append((char, at))
                self.end, self.next = at + 1, _Next.FIRST_KEY if char == "{" else _Next.FIRST_VALUE
            elif char in "]}":
                self.open.pop()
                self.end, self.next = at + 1, _Next.MORE

    def _step(self, at: int, char: str) -> None:
        self._foreign(at, char)
        if self.next is _Next.MORE:
            self._more(at, char)
        elif self.next is _Next.COLON:
            self._colon(at, char)
        elif self.next in (_Next.KEY, _Next.FIRST_KEY):
            self._key(at, char)
        else:
            self._value(at, char)

    def _take(self, end: int, then: _Next) -> None:
        self.end, self.next, self.comma = end, then, None

    def _value(self, at: int, char: str) -> None:
        if char in "{[":
            self.open.append((char, at))
            self._take(at + 1, _Next.FIRST_KEY if char == "{" else _Next.FIRST_VALUE)
        elif char == '"':
            self._take(self._string(at), _Next.MORE)
        elif char in "]}":
            if self.next is not _Next.FIRST_VALUE:
                self._trailing_comma()
            self._close(at, char, empty=self.next is _Next.FIRST_VALUE)
        elif char in ",:":
            raise _refused("S125", f"a value is missing before this '{char}'", at, at + 1)
        else:
            self._take(self._scalar(at), _Next.MORE)

    def _key(self, at: int, char: str) -> None:
        if char == '"':
            self._take(self._string(at), _Next.COLON)
        elif char == "}" and self.next is _Next.FIRST_KEY:
            self._close(at, char, empty=True)
        elif char in "]}":
            self._trailing_comma()
            self._close(at, char, empty=True)
        elif char == ",":
            raise _refused("S125", "nothing stands before this ','", at, at + 1, "remove the comma")
        elif char in "{[:":
            raise _refused(
                "S115", "a property's name is missing here", at, at + 1, 'an object holds "name": value'
            )
        else:
            self._bare_name(at)

    def _bare_name(self, at: int) -> None:
        end = _match_end(_SCALAR, self.text, at)
        word = self.text[at:end]
        raise _refused(
            "S115", f"the name {_short(word)} needs double quotes", at, end, f'write "{_short(word)}":'
        )

    def _colon(self, at: int, char: str) -> None:
        if char == ":":
            return self._take(at + 1, _Next.VALUE)
        if char == "=":
            raise _refused(
                "S124", "a property is written with ':', not '='", at, at + 1, 'write "name": value'
            )
        help = f"write {_short(self.text[self.start : self.end])}: value"
        raise _refused("S124", "a ':' is missing after the property's name", self.end, self.end, help)

    def _more(self, at: int, char: str) -> None:
        if not self.open:
            raise _refused(
                "S123", "something stands after the end of the JSON", at, at + 1, self._after_end(char)
            )
        if char == ",":
            self._take(at + 1, _Next.KEY if self.open[-1][0] == "{" else _Next.VALUE)
            self.comma = at
        elif char in "]}":
            self._close(at, char)
        elif char == ":":
            raise _refused("S110", "a ':' may not stand here", at, at + 1, self._colon_help())
        elif char == ";":
            raise _refused("S112", "a ',' is needed here, not a ';'", at, at + 1, "write ','")
        else:
            self._no_comma(at)

    def _no_comma(self, at: int) -> None:
        """Two values side by side, or a word glued to the value before it."""
        if at == self.end and self.text[at] != '"' and self.text[self.end - 1] == '"':
            help = "a '\"' inside a text is written \\\""
            raise _refused("S112", "something follows directly on the end of this text", at, at + 1, help)
        raise _refused("S112", "a ',' is missing here", self.end, self.end, "put a ',' between two values")

    def _after_end(self, char: str) -> str:
        if char == ",":
            return "remove the comma, or put all into one list [ ... ]"
        return (
            "remove it; was a bracket closed too early?"
            if char in "]}"
            else "a file holds one object { ... }"
        )

    def _colon_help(self) -> str:
        if self.open[-1][0] == "[":
            return 'a list [ ... ] holds no names; "name": value belongs in an object { ... }'
        return "a property has one value; was a ',' or a '\"' forgotten before?"

    def _close(self, at: int, char: str, *, empty: bool = False) -> None:
        if self.open and _CLOSES[self.open[-1][0]] == char:
            if not (self.next is _Next.MORE or empty):
                raise _refused("S125", f"a value is missing before this '{char}'", at, at + 1)
            self.open.pop()
            return self._take(at + 1, _Next.MORE)
        if not self.open:
            raise _refused("S116", f"this '{char}' closes nothing", at, at + 1, "remove it")
        bracket, start = self.open[-1]
        message = f"this '{char}' closes {_CALLED[char]}, but {_CALLED[bracket]} is open"
        also = (((start, start + 1), f"this '{bracket}' is still open"),)
        help = f"close it first with '{_CLOSES[bracket]}', or is one of the two brackets the wrong one?"
        raise _Refused(Problem("S116", message, (at, at + 1), help, also=also))

    def _trailing_comma(self) -> None:
        if self.comma is not None:
            raise _refused(
                "S111",
                "no ',' may stand after the last value",
                self.comma,
                self.comma + 1,
                "remove the comma",
            )

    def _string(self, at: int) -> int:
        """The end of the text that opens at `at`."""
        stop = _match_end(_TEXT, self.text, at)
        char = self.text[stop : stop + 1]
        if char == '"':
            return stop + 1
        if char == "\\" and stop + 1 < len(self.text):
            self._escape(stop)
        if char in ("", "\n", "\r", "\\"):
            raise _refused(
                "S117",
                "this text is not closed",
                at,
                max(stop, at + 1),
                "close it with '\"' on the same line",
            )
        raise _Refused(control_character(char, stop, stop + 1))

    def _escape(self, at: int) -> None:
        char = self.text[at + 1]
        if char == "u":
            help = 'four digits follow \\u, as in "\\u00e9"'
            raise _refused("S119", "this escape is not complete", at, min(at + 6, len(self.text)), help)
        if char in "\r\n":
            raise _refused(
                "S119", "a text may not go on in the next line", at, at + 1, "write \\n for a new line"
            )
        raise _refused(
            "S119", f"'\\{char}' is not an escape of JSON", at, at + 2, "a backslash itself is written \\\\"
        )

    def _scalar(self, at: int) -> int:
        end = _match_end(_SCALAR, self.text, at)
        word = self.text[at:end]
        if word in _WORDS or _NUMBER.fullmatch(word):
            return end
        if not word:
            raise _refused("S110", f"'{self.text[at]}' may not stand here", at, at + 1)
        if word[0] in "+-.0123456789":
            raise _refused("S122", f"{_short(word)} is not a number in JSON", at, end, _number_help(word))
        raise _refused("S120", f"{_short(word)} is not a value in JSON", at, end, _word_help(word))

    def _foreign(self, at: int, char: str) -> None:
        """What is never JSON, wherever it stands."""
        if char == "#" or self.text.startswith(("//", "/*"), at):
            end = _match_end(_LINE, self.text, at)
            raise _refused(
                "S113",
                "JSON has no comments",
                at,
                end,
                'remove it, or write it as "note": "..." in the object',
            )
        if char in _QUOTES:
            message = f'texts are written in double quotes ", not in {char}'
            raise _refused("S114", message, at, at + 1, 'write "..."')
        if char not in "\t\n\r" and not char.isprintable():
            message = f"an invisible character (U+{ord(char):04X}) stands here"
            raise _refused("S110", message, at, at + 1, "remove it")

    def _finish(self) -> None:
        """The text is over: is anything open?"""
        if not self.open:
            return
        bracket, start = self.open[-1]
        message = f"the file ends, but {_CALLED[bracket]} is not closed: '{_CLOSES[bracket]}' is missing"
        also = (((start, start + 1), f"this '{bracket}' is still open"),)
        raise _Refused(
            Problem("S116", message, (max(self.end - 1, 0), self.end), f"add '{_CLOSES[bracket]}'", also=also)
        )


def control_character(char: str, start: int, end: int) -> Problem:
    """Problem: a text holds a character that cannot be printed, raw or as an escape."""
    named = {"\t": ("a tab", "\\t"), "\n": ("a line break", "\\n")}
    if char in named:
        name, escape = named[char]
        return Problem(
            "S118", f"{name} may not stand in a text as it is", (start, end), f"write {escape}, or a space"
        )
    message = f"a control character (U+{ord(char):04X}) may not stand in a text"
    return Problem("S118", message, (start, end), "remove it")


def _refused(code: str, message: str, start: int, end: int, help: str | None = None) -> _Refused:
    return _Refused(Problem(code, message, (start, end), help))


def _match_end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _short(word: str) -> str:
    return word if len(word) <= 30 else word[:29] + "\u2026"


def _number_help(word: str) -> str:
    if word[0] == "+":
        return "leave out the '+'"
    if re.match(r"-?0[0-9]", word):
        return 'a number has no leading 0; an id such as "007" needs double quotes'
    if re.match(r"-?\.", word) or re.search(r"\.(?![0-9])", word):
        return "a digit stands on both sides of the point: 0.5"
    return "a number is written 12, -3 or 0.5; anything else is a text and needs double quotes"


def _word_help(word: str) -> str:
    meant = _OTHER_WORDS.get(word.lower()) or suggest(word, ("true", "false", "null"))
    if meant:
        return f"did you mean '{meant}'? Otherwise put it in double quotes"
    return "put it in double quotes"
