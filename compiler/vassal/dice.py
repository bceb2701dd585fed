"""Dice: a button for each entry of `dice` in module.json, plain, in several colours or with symbols on their faces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from compiler.model.types import Module
from compiler.vassal.badges import die, die_width
from compiler.vassal.elements import Element, element
from compiler.vassal.keys import stroke
from compiler.vassal.names import Names, file_part
from compiler.vassal.settings import Object, objects

DIE = 32
_PLAIN = "#f4f1e6"


def dice(module: Module, names: Names) -> Iterable[Element]:
    """The buttons; under `vassal`, `hits` counts the dice at or below a number and `ask` asks how many."""
    for item in objects(module.raw.get("dice")):
        more = _settings(item)
        yield _special(item, names) if _faces(item) else _plain(item, more, names)


def _settings(item: Object) -> Mapping[str, object]:
    given = item.get("vassal")
    return given if isinstance(given, dict) else {}


def _plain(item: Object, more: Mapping[str, object], names: Names) -> Element:
    title = names.label("die", str(item.get("id")))
    hits = more.get("hits")
    return element(
        "m.DiceButton",
        {
            "name": title,
            "text": title,
            "tooltip": title,
            "icon": "/images/die.gif",
            "nDice": _whole(item.get("count"), 1),
            "nSides": _whole(item.get("faces"), 6),
            "prompt": bool(more.get("ask", False)),
            "lockSides": True,
            "lockPlus": True,
            "lockAdd": True,
            "reportTotal": bool(item.get("total", False)),
            "reportFormat": names.word("dice.hits" if hits else "dice.report"),
            **({"hotkey": stroke(str(more["key"]))} if more.get("key") else {}),
            **({"keepDice": True, "keepOption": "<", "keepCount": _whole(hits, 1)} if hits else {}),
        },
    )


def _whole(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


def _faces(item: Object) -> list[tuple[str, list[str]]]:
    """Colour and words of the faces of each die that is shown as a picture; none for plain dice."""
    more = _settings(item)
    symbols, colours = more.get("symbols"), more.get("colours")
    if not symbols and not colours:
        return []
    listed = [str(word) for word in symbols] if isinstance(symbols, list) else []
    words = listed or [str(n + 1) for n in range(_whole(item.get("faces"), 6))]
    grounds = [str(colour) for colour in colours] if isinstance(colours, list) else []
    return [(ground, words) for ground in grounds or [_PLAIN] * _whole(item.get("count"), 1)]


def _special(item: Object, names: Names) -> Element:
    title, more = names.label("die", str(item.get("id"))), _settings(item)
    made = [
        element(
            "m.SpecialDie",
            {"name": f"{n + 1}", "format": "$result$"},
            [_face(item, names, ground, word, k + 1) for k, word in enumerate(words)],
        )
        for n, (ground, words) in enumerate(_faces(item))
    ]
    results = ", ".join(f"$result{n + 1}$" for n in range(len(made)))
    return element(
        "m.SpecialDiceButton",
        {
            "name": title,
            "text": title,
            "tooltip": title,
            "icon": "/images/die.gif",
            "hotkey": stroke(str(more["key"])) if more.get("key") else "",
            "resultChatter": True,
            "format": names.word("dice.report").replace("$result$", results),
            "resultWindow": False,
            "resultButton": False,
        },
        made,
    )


def _face(item: Object, names: Names, ground: str, word: str, value: int) -> Element:
    said = _said(names, word)
    return element("m.SpecialDieFace", {"text": said, "value": value, "icon": _file(item, ground, said)})


def _said(names: Names, word: str) -> str:
    return names.text(word[1:]) if word.startswith("#") else word


def _file(item: Object, ground: str, said: str) -> str:
    return f"die-{file_part(str(item.get('id')))}-{ground.strip('#').lower()}-{file_part(said)}.png"


def dice_pictures(module: Module, names: Names) -> Iterator[tuple[str, str, int, int]]:
    """File, drawing, width and height of each face that is a picture."""
    for item in objects(module.raw.get("dice")):
        for ground, words in _faces(item):
            for word in words:
                said = _said(names, word)
                yield _file(item, ground, said), die(said, ground, DIE), die_width(said, DIE), DIE
