"""J: the form of the files. What is JSON, but not what this file may hold."""

from __future__ import annotations

from compiler.codes import Code
from compiler.findings import Severity


def _code(code: str, title: str, what: str, why: str, wrong: str, right: str, help: str = "") -> Code:
    return Code(code, title, Severity.ERROR, what, why, wrong, right, help)


_ALL = (
    _code(
        "J101",
        "unknown property",
        "The object has a property that such an object does not have.",
        "It would be ignored in silence; most often it is a known one, misspelt.",
        '{"format": 1, "id": "m", "version": "1", "langauges": ["en"]}',
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"]}',
        "Remarks go into 'note', which any object may carry.",
    ),
    _code(
        "J102",
        "property missing",
        "The object lacks a property that it must have.",
        "Without it the entry means nothing, or two things.",
        '{"format": 1, "version": "1", "languages": ["en"]}',
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"]}',
    ),
    _code(
        "J103",
        "wrong sort of value",
        "The value is of another sort than it should be: a text instead of a number, one value instead of a list.",
        "Reading one sort as another is guessing.",
        '{"format": 1, "id": "m", "version": "1", "languages": "en"}',
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"]}',
    ),
    _code(
        "J104",
        "not one of the words",
        "Only certain words may stand here, and this is none of them.",
        "A word the compiler does not know has no effect.",
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"], "stage": "rule"}',
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"], "stage": "rules"}',
    ),
    _code(
        "J105",
        "wrong form",
        "An id, a colour, a version or the like is not written as it must be.",
        "Ids become parts of file names, saved games and other files; only plain letters and digits survive everywhere.",
        '{"format": 1, "id": "My Game!", "version": "1", "languages": ["en"]}',
        '{"format": 1, "id": "my-game", "version": "1", "languages": ["en"]}',
        "Ids have letters, digits, _ - . and :, and begin with a letter or digit. Names for the players may be anything.",
    ),
    _code(
        "J106",
        "number out of range",
        "The number is smaller or larger than makes sense here.",
        "Such a number is a slip, or asks for more than can be built.",
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"], "dice": [{"id": "d1", "faces": 1}]}',
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"], "dice": [{"id": "d6", "faces": 6}]}',
    ),
    _code(
        "J107",
        "too few or too many",
        "A list or text is empty, or has fewer or more items or characters than it may have.",
        "A pair has two ends, a choice at least one way.",
        '{"format": 1, "id": "m", "version": "1", "languages": []}',
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"]}',
    ),
    _code(
        "J108",
        "listed twice",
        "The same item stands twice in a list in which each may stand once.",
        "The second one has no effect; most often another was meant.",
        '{"format": 1, "id": "m", "version": "1", "languages": ["en", "en"]}',
        '{"format": 1, "id": "m", "version": "1", "languages": ["en", "fr"]}',
    ),
    _code(
        "J109",
        "none of the allowed forms",
        "The entry may have several forms, and this is none of them, or two at once.",
        "It is not clear what is meant.",
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"], "source": {"line": 3}}',
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"], "source": {"rulebook": "4.2", "line": 3}}',
        "A source is a rulebook's section, an outside source or the project; a rule has one of must, total and fit.",
    ),
    _code(
        "J110",
        "format too new",
        "The module is written in a newer version of the source language than this compiler knows.",
        "A newer language may mean other things by the same words.",
        '{"format": 99, "id": "m", "version": "1", "languages": ["en"]}',
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"]}',
        "Use a newer vmodc.",
    ),
    _code(
        "J111",
        "property needs another",
        "A property has a meaning only together with another one, which is missing.",
        "Alone it would have no effect.",
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"], "source": {"project": "ours", "line": 3}}',
        '{"format": 1, "id": "m", "version": "1", "languages": ["en"], "source": {"rulebook": "4.2", "line": 3}}',
    ),
)

CODES: dict[str, Code] = {code.code: code for code in _ALL}
