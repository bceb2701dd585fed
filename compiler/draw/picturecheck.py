"""What a picture file speaks of, against the module: names that nothing has, words that a language lacks.

In: the module, an area map and its picture file without what has not the right form. Out: findings, each at its key or value.
Nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from compiler.draw.settings import PLACEHOLDERS, WORDS, Picture, style_names, wrong_placeholders
from compiler.findings import Finding, Place, Related, error
from compiler.model.types import Map, Module
from compiler.suggest import did_you_mean, suggest


def picture_findings(module: Module, board: Map, picture: Picture) -> list[Finding]:
    """All that is wrong with the names and words of the picture of a map."""
    if picture.place is None:
        return []
    return [
        *_unknown_names(module, board, picture, picture.place),
        *_panels_twice(picture, picture.place),
        *_missing_words(module, picture, picture.place),
        *_placeholders(picture, picture.place),
    ]


def _unknown_names(module: Module, board: Map, picture: Picture, place: Place) -> Iterator[Finding]:
    """Names that nothing has: they would be left out in silence."""
    for name, at, known in (*_names(module, board, picture, place), *_words(module, picture, place)):
        if name not in known:
            words = f"the picture of map '{board.id}' speaks of '{name}', which is not there"
            yield error("D011", words, at, help=did_you_mean(name, known))


_Name = tuple[str, Place, Collection[str]]


def _names(module: Module, board: Map, picture: Picture, place: Place) -> Iterator[_Name]:
    """Each name in the picture file with its place and those that are there."""
    spaces = {space.id for space in board.spaces}
    panels = {str(panel["id"]) for panel in picture.get("panels", ())}
    links = {link.id for link in board.links if link.id}
    for key, value in picture.get("names_in", {}).items():
        yield key, (place / "names_in" / key).key(), spaces
        yield value, place / "names_in" / key, spaces
    for n, sea in enumerate(picture.get("seas", ())):
        yield sea["in"], place / "seas" / n / "in", spaces
    for key, mark in picture.get("marks", {}).items():
        yield key, (place / "marks" / key).key(), links
        if "in" in mark:
            yield mark["in"], place / "marks" / key / "in", spaces
    for key, value in picture.get("boxes", {}).items():
        yield key, (place / "boxes" / key).key(), spaces
        yield value, place / "boxes" / key, panels or {value}
    if wet := picture.get("sea_kinds"):
        kinds = {space.kind for every in module.maps.values() for space in every.spaces if space.kind}
        for n, name in enumerate(wet):
            yield name, place / "sea_kinds" / n, kinds
    for key, name in picture.get("show", {}).items():
        if key != "note":
            yield name, place / "show" / key, _attributes(module, "space")
    if track := picture.get("track"):
        yield track["kind"], place / "track" / "kind", {t.kind for t in module.tracks.values() if t.kind}
    for n, name in enumerate(picture.get("unit_types", ())):
        yield name, place / "unit_types" / n, module.types
    for n, name in enumerate(picture.get("unit_rows", ())):
        yield name, place / "unit_rows" / n, _attributes(module, "piece")
    for n, name in enumerate(picture.get("draw", ())):
        yield name, place / "draw" / n, style_names()
    for key in picture.get("styles", {}):
        yield key, (place / "styles" / key).key(), style_names()


def _words(module: Module, picture: Picture, place: Place) -> Iterator[_Name]:
    """The languages of words, and the keys of the picture's own."""
    for given, at in _translated(picture, place):
        for language in given:
            yield language, (at / language).key(), module.languages
    known = _known_words(module)
    for language, words in picture.get("words", {}).items():
        yield language, (place / "words" / language).key(), module.languages
        for key in words:
            yield key, (place / "words" / language / key).key(), known


def _translated(picture: Picture, place: Place) -> Iterator[tuple[Mapping[str, Any], Place]]:
    """The names on the map that the picture file gives in every language."""
    for key, mark in picture.get("marks", {}).items():
        if "words" in mark:
            yield mark["words"], place / "marks" / key / "words"
    for n, sea in enumerate(picture.get("seas", ())):
        yield sea["words"], place / "seas" / n / "words"


def _known_words(module: Module) -> list[str]:
    return [*WORDS, *(f"row.{name}" for name in _attributes(module, "piece"))]


def _attributes(module: Module, kind: str) -> list[str]:
    return [name for of, name in module.vocabulary if of == kind]


def _panels_twice(picture: Picture, place: Place) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for n, panel in enumerate(picture.get("panels", ())):
        first = seen.setdefault(panel["id"], n)
        if first != n:
            words = f"the panel '{panel['id']}' is given twice"
            related = (Related(place / "panels" / first / "id", "given here first"),)
            at = place / "panels" / n / "id"
            yield error("D013", words, at, help="remove one of the two", related=related)


def _missing_words(module: Module, picture: Picture, place: Place) -> Iterator[Finding]:
    """Names without words in a language, and the picture's own words that another language has."""
    for given, at in _translated(picture, place):
        for language in _lacking(given, module.languages, module.languages):
            words = f"this name has no words in '{language}'"
            yield error("D014", words, at, help=f'add "{language}": "…"')
    own: Mapping[str, Mapping[str, str]] = picture.get("words", {})
    for language in _lacking(own, module.languages, module.languages) if own else ():
        words = f"the picture has no words in '{language}'"
        yield error("D014", words, place / "words", help=f'add "{language}": {{ … }}')
    known = set(_known_words(module))
    wanted = dict.fromkeys(key for words in own.values() for key in words if key in known)
    for language, given in own.items():
        lacking = _lacking(given, wanted, known) if language in module.languages else []
        if lacking:
            words = f"the picture has no words for {', '.join(map(repr, lacking))} in '{language}'"
            at = (place / "words" / language).key()
            yield error("D014", words, at, help=f'add "{lacking[0]}": "…"')


def _lacking(given: Mapping[str, Any], wanted: Collection[str], known: Collection[str]) -> list[str]:
    """What is wanted and not given, nor given under a misspelt name, which was told."""
    meant = {suggest(key, known) for key in given if key not in known}
    return [key for key in wanted if key not in given and key not in meant]


def _placeholders(picture: Picture, place: Place) -> Iterator[Finding]:
    """Words with a placeholder that no value belongs to: it would be printed as it stands."""
    for language, words in picture.get("words", {}).items():
        for key, text in words.items():
            known = PLACEHOLDERS.get(key, ())
            for wrong in wrong_placeholders(key, text):
                what = (
                    f"'{wrong[0]}' is no placeholder of the word '{key}'"
                    if wrong[1] is not None
                    else f"the brace '{wrong[0]}' belongs to no placeholder of the word '{key}'"
                )
                meant = suggest(wrong[1], known) if wrong[1] else None
                there_are = f"there are: {', '.join(f'{{{name}}}' for name in known)}"
                help = f"did you mean '{{{meant}}}'? {there_are}" if meant else there_are
                at = (place / "words" / language / key).chars(*wrong.span())
                yield error("D012", what, at, help=help)
