"""Text → JSON value, and everything wrong with it. No input makes it raise, and clean input costs little more than `json`.

Promises of the value: an object's keys are all there is (a repeated key was reported), a number without fraction is an
int, any other number a Decimal, all numbers are within bounds, every text can be printed and written as UTF-8.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate

from compiler.source.diagnose import control_character, diagnose
from compiler.source.problem import Problem
from compiler.source.survey import LARGEST, exact, survey

DEEPEST = 64
_BRACKETS = bytes.maketrans(b"[]{}", b"()()")
_ALL_ELSE = bytes(set(range(256)) - set(b'[]{}:"'))
_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_MANY_DIGITS = b"0" * 16
_STEP = {ord("("): 1, ord(")"): -1}
_TEXT_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})"
    r"|(?P<control>u00[01][0-9a-fA-F]|u[fF]{3}[eEfF]|[bf])|.)",
    re.DOTALL,
)
_RISKY_ESCAPES = (b"\\ud", b"\\uD", b"\\u00", b"\\uf", b"\\uF", b"\\b", b"\\f")
_USUAL_CONTROLS = ("u0009", "u000a", "u000d")
_KINDS = {list: "a list", str: "a text", bool: "true or false", int: "a number", Decimal: "a number"}


@dataclass(frozen=True, slots=True)
class Parsed:
    """`usable` is False where the value is missing or is no object."""

    value: object
    problems: tuple[Problem, ...] = ()
    usable: bool = True


def parse(data: bytes, text: str) -> Parsed:
    """Both the bytes of a file and its text come in: some questions are answered faster on bytes."""
    if not text.strip(" \t\r\n"):
        return _refuse(
            Problem("S104", "this file is empty", (0, 0), "a source file holds one object: { ... }")
        )
    bones = _bones(data)
    if _too_deep(bones):
        return _refuse(_depth_problem(text))
    clean, problems = _escapes(data, text)
    reader = _Reader(pairs=bones.count(b":"), ints_need_care=_MANY_DIGITS in data.translate(_DIGITS))
    try:
        value = reader.read(clean)
    except json.JSONDecodeError as error:
        return _refuse(diagnose(text, error.pos))
    if reader.seen:
        problems += survey(text)
    if not isinstance(value, dict):
        return _refuse(_not_an_object(value), *problems)
    return Parsed(value, tuple(problems))


def _refuse(*problems: Problem) -> Parsed:
    return Parsed(None, problems, usable=False)


def _not_an_object(value: object) -> Problem:
    is_kind = _KINDS.get(type(value), "null")
    return Problem(
        "S134", f"this file holds {is_kind}; it should hold an object", help="write { ... } around it"
    )


class _Reader:
    """`json` with hooks that note what must not be; `seen` says that the text needs a closer look."""

    def __init__(self, *, pairs: int, ints_need_care: bool) -> None:
        """`pairs` is the number of colons outside texts: where a key is repeated, fewer pairs come out than went in."""
        self.seen = False
        self._pairs, self._ints_need_care = pairs, ints_need_care

    def read(self, text: str) -> object:
        pairs = 0

        def counted(found: dict[str, object]) -> dict[str, object]:
            nonlocal pairs
            pairs += len(found)
            return found

        decoder = json.JSONDecoder(
            object_hook=counted,
            parse_float=self._float,
            parse_constant=self._constant,
            parse_int=self._int if self._ints_need_care else None,
        )
        value: object = decoder.decode(text)
        self.seen |= pairs != self._pairs
        return value

    def _float(self, written: str) -> int | Decimal:
        if len(written) <= 16 and written[-1] != "0" and "e" not in written and "E" not in written:
            return Decimal(written)
        return self._bounded(written)

    def _int(self, written: str) -> int:
        return int(written) if len(written) <= 15 else int(self._bounded(written))

    def _bounded(self, written: str) -> int | Decimal:
        number = exact(written)
        if number is None:
            self.seen = True
            return -LARGEST if written[0] == "-" else LARGEST
        return number

    def _constant(self, _: str) -> int:
        self.seen = True
        return 0


def _bones(data: bytes) -> bytes:
    """The brackets and colons that are not inside a text. Exact as far as the JSON is valid."""
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(data.translate(None, _ALL_ELSE).split(b'"')[::2])


def _too_deep(bones: bytes) -> bool:
    """Whether brackets nest deeper than allowed: take away innermost pairs, once for each level allowed."""
    brackets = left = bones.translate(_BRACKETS, b":")
    for _ in range(DEEPEST):
        if not left:
            return False
        left = left.replace(b"()", b"")
    return bool(left) and max(accumulate(map(_STEP.__getitem__, brackets))) > DEEPEST


def _depth_problem(text: str) -> Problem:
    depth = 0
    for match in _TEXT_OR_BRACKET.finditer(text):
        bracket = match.group()[0]
        depth += 1 if bracket in "[{" else -1 if bracket in "]}" else 0
        if depth > DEEPEST:
            return Problem("S133", f"brackets are nested more than {DEEPEST} deep here", match.span())
    return Problem("S133", f"brackets are nested more than {DEEPEST} deep", (0, 0))


def _escapes(data: bytes, text: str) -> tuple[str, list[Problem]]:
    """Escapes that stand for no printable character: reported, and replaced by others of the same length."""
    problems: list[Problem] = []
    for raw in ("\ufffe", "\uffff"):
        if raw in text:
            problems.append(control_character(raw, text.index(raw), text.index(raw) + 1))
            text = text.replace(raw, "\ufffd")
    if b"\\" not in data or not any(risky in data for risky in _RISKY_ESCAPES):
        return text, problems

    def harmless(match: re.Match[str]) -> str:
        if match["half"]:
            message = f"\\{match['half']} is half of a character: the other half of the pair is missing"
            problems.append(Problem("S132", message, match.span(), "write the character itself"))
            return "\\ufffd"
        control = match["control"]
        if not control or control.lower() in _USUAL_CONTROLS:
            return match.group()
        problems.append(control_character(json.loads(f'"{match.group()}"'), *match.span()))
        return "\\ufffd" if control[0] == "u" else "\\t"

    return _ESCAPE.sub(harmless, text), problems
