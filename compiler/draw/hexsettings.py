"""The picture file of a hex map, with every property in its right form.

In: the file as read. Out: the same without what could not be used, and a finding for each such property, so that the
drawing need not look twice at anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from compiler.draw.hexparts import checked_form
from compiler.draw.hexregions import LOOKS
from compiler.draw.hextextures import TEXTURES
from compiler.draw.settings import Picture
from compiler.findings import Finding, Place, error
from compiler.suggest import did_you_mean

Test = Callable[[object], bool]
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")


def _number(low: float, high: float) -> Test:
    return lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
    )


def _word(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _one_of(*words: str) -> Test:
    return lambda value: value in words


def _colour(value: object) -> bool:
    return isinstance(value, str) and _COLOUR.match(value) is not None


def _table(inner: Test) -> Test:
    return lambda value: isinstance(value, dict) and all(inner(item) for item in value.values())


def _listed(inner: Test) -> Test:
    return lambda value: isinstance(value, list) and all(inner(item) for item in value)


def _object(needed: Mapping[str, Test], others: Mapping[str, Test] | None = None) -> Test:
    known = {**needed, **(others or {})}
    return lambda value: (
        isinstance(value, dict)
        and all(key in value for key in needed)
        and all(key in known and known[key](item) for key, item in value.items() if key != "note")
    )


def _numbers(count: int) -> Test:
    one = _number(-1e6, 1e6)
    return lambda value: isinstance(value, list) and len(value) == count and all(one(n) for n in value)


# Property → its form, and the form in words.
FORMS: dict[str, tuple[Test, str]] = {
    "hex": (_number(12, 400), "a number of pixels from 12 to 400"),
    "boards": (_number(500, 10_000), "a number of pixels from 500 to 10000"),
    "counter": (_number(10, 400), "a number of pixels from 10 to 400"),
    "draw": (_listed(_word), "a list of styles"),
    "numbers": (_one_of("whole", "none", "short"), "'short', 'whole' or 'none'"),
    "terrain": (
        _table(
            _object(
                {}, {"fill": _colour, "ink": _colour, "light": _colour, "texture": _one_of("none", *TEXTURES)}
            )
        ),
        "for each terrain an object with 'fill', 'ink', 'light' (colours such as '#b9cc95') and 'texture'",
    ),
    "sextants": (
        checked_form,
        'a list of objects such as {"terrain": "woods", "at": "0304/N NE 0305/S"}',
    ),
    "opens": (_word, "the name of an attribute of lines"),
    "show": (_table(_word), "for each sign the name of an attribute"),
    "outlines": (
        _table(_one_of(*LOOKS)),
        "for each kind of region the look of its line: 'border', 'zone' or 'weather'",
    ),
    "names": (
        _listed(
            _object(
                {"region": _word, "at": _word},
                {
                    "size": _number(10, 400),
                    "spacing": _number(0, 400),
                    "turn": _number(-90, 90),
                    "on": _one_of("land", "sea"),
                },
            )
        ),
        "a list of names of regions, each with 'region' and 'at' (a hex), and perhaps 'size', 'spacing', 'turn', 'on'",
    ),
    "scale": (
        _object({"hex": _number(0, 1e9)}, {"unit": _word}),
        'an object such as {"hex": 25, "unit": "km"}',
    ),
    "effects": (_table(_table(_word)), "for each language a text for each word of the legend"),
    "words": (_table(_table(_word)), "for each language a text for each of our words"),
    "styles": (_table(_table(_colour)), "for each style an object with other colours, such as '#ffffff'"),
    "track": (_object({"kind": _word}, {"height": _number(10, 400)}), 'an object such as {"kind": "money"}'),
    "board": (
        _object(
            {"picture": _word, "pairs": _listed(_object({"space": _word, "at": _numbers(2)}))},
            {"boxes": _table(_numbers(4))},
        ),
        "an object with 'picture', 'pairs' (each with 'space' and 'at': [x, y]) and perhaps 'boxes'",
    ),
}
_SILENT = ("$schema", "note", "map")


def checked(picture: Picture) -> tuple[Picture, list[Finding]]:
    """The picture file's usable part, and what is wrong with the rest."""
    findings: list[Finding] = []
    kept: dict[str, Any] = {}
    value = picture.value if isinstance(picture.value, dict) else {}
    if value is not picture.value:
        findings.append(error("D021", "a picture file is an object { }", picture.place))
    for name, item in value.items():
        place = picture.place / name if picture.place else None
        if name in _SILENT:
            continue
        if name not in FORMS:
            findings.append(_unknown(name, place))
        elif FORMS[name][0](item):
            kept[name] = item
        else:
            findings.append(error("D021", f"'{name}' of a hex map's picture must be {FORMS[name][1]}", place))
    return replace(picture, value=kept), findings


def _unknown(name: str, place: Place | None) -> Finding:
    what = f"a hex map's picture has no property '{name}'"
    return error("D020", what, place.key() if place else None, help=did_you_mean(name, FORMS))
