"""Texts: every word a player reads, in every language of the module.

In: what the things want (`ctx.wanted`), the files text/<lang>.json, and the text ids named by "#id" anywhere. Out: `Texts`,
complete where nothing was reported. A text may stand at the thing itself (the first language) or in the language's
file, but never in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from compiler.findings import Path, Place, Related, error, warning
from compiler.model.context import Context, Wanted
from compiler.model.files import Group
from compiler.model.read import Object, obj, strings
from compiler.model.types import Texts
from compiler.source.document import Document
from compiler.suggest import suggest

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_MARKED = re.compile(r'"#[A-Za-z][^"\s]*\.[^"\s]+"')
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(slots=True)
class _Language:
    """One text file: id → words, and id → where they stand."""

    name: str
    place: Place  # of the `texts` object, or of the language in module.json where the file is missing
    words: dict[str, str] = field(default_factory=dict)
    paths: dict[str, Place] = field(default_factory=dict)
    has_file: bool = False


def read_texts(
    ctx: Context,
    module: Group,
    files: tuple[Group, ...],
    named_in: Iterable[Document],
) -> Texts:
    names = tuple(
        dict.fromkeys(word for word, _ in strings(obj(module[0].value), "languages", Place(module[0])))
    )
    files = tuple(group for group in files if not _is_mistaken(ctx, names, group[0]))
    languages = [_read_language(ctx, module[0], n, name, files) for n, name in enumerate(names)]
    _check_strays(ctx, names, files)
    if not languages:
        return Texts((), {})
    used = _named_texts(ctx, named_in)
    _add_inline(ctx, languages[0])
    _follow_marks(ctx, languages)
    whole = [language for language in languages if language.name not in _unread(ctx)]
    meant = _check_missing(ctx, whole, used)
    if not ctx.files.unread:
        _check_unknown(ctx, languages, used, meant)
    for language in languages[1:]:
        if languages[0] in whole and language in whole:
            _compare(ctx, languages[0], language, files)
    _fill(ctx, languages)
    return Texts(names, {language.name: language.words for language in languages})


def _unread(ctx: Context) -> set[str]:
    """Languages whose file could not be read: that was reported, and their texts are not missing."""
    return {_language_of(document) for document in ctx.files.unread if document.kind == "text"}


# Reading.


def _read_language(ctx: Context, module: Document, n: int, name: str, files: tuple[Group, ...]) -> _Language:
    language = _Language(name, Place(module, ("languages", n)))
    for group in files:
        if _language_of(group[0]) == name:
            language.place = Place(group[0], ("texts",), "key")
            language.has_file = True
            for document in group:
                texts = obj(obj(document.value).get("texts"))
                _flatten(ctx, language, texts, "", Place(document, ("texts",)))
    return language


def _is_mistaken(ctx: Context, names: tuple[str, ...], document: Document) -> bool:
    """A file that is called after one language and says that it is another; its texts are then nobody's."""
    named, says = _stem(document), _language_of(document)
    if named == says or named not in names or says not in names:
        return False
    place = Place(document, ("language",))
    help = f'write "language": "{named}", or call the file otherwise'
    ctx.report(error("T110", f"this file is called {named}.json and says it is '{says}'", place, help=help))
    ctx.files = replace(ctx.files, unread=(*ctx.files.unread, replace(document, value={})))
    return True


def _stem(document: Document) -> str:
    return document.name.rpartition("/")[2].removesuffix(".json")


def _language_of(document: Document) -> str:
    given = obj(document.value).get("language")
    return given if isinstance(given, str) else _stem(document)


def _flatten(ctx: Context, language: _Language, node: Object, prefix: str, place: Place) -> None:
    for key, value in node.items():
        id = f"{prefix}{key}"
        if isinstance(value, str):
            if id in language.words:
                related = (Related(language.paths[id], "the first is here"),)
                ctx.report(error("T102", f"the text '{id}' is given twice", place / key, related=related))
                continue
            language.words[id] = value
            language.paths[id] = place / key
        elif isinstance(value, dict) and key != "note":
            _flatten(ctx, language, value, f"{id}.", place / key)
        else:
            language.words.setdefault(id, id)  # the schema reported it: the text is not missing as well


def _check_strays(ctx: Context, names: tuple[str, ...], files: tuple[Group, ...]) -> None:
    for group in files:
        name = _language_of(group[0])
        if name not in names and names:
            near = suggest(name, names)
            help = (
                f"did you mean '{near}'?"
                if near
                else "add it to 'languages' in module.json, or delete the file"
            )
            place = Place(group[0], ("language",)) if "language" in obj(group[0].value) else Place(group[0])
            ctx.report(warning("T108", f"the module has no language '{name}'", place, help=help))


def _named_texts(ctx: Context, documents: Iterable[Document]) -> dict[str, Place]:
    """Text ids written as "#id" in other files. Files without any are not walked at all."""
    found: dict[str, Place] = {}
    for document in documents:
        if _MARKED.search(document.text):
            for word, path in _marks(document.value):
                found.setdefault(word[1:], Place(document, path))
    return found


def _marks(value: object) -> Iterator[tuple[str, Path]]:
    """Every mark in a value, with the way to it."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        if isinstance(inner, str):
            if is_mark(inner):
                yield inner, (key,)
        elif isinstance(inner, dict | list):
            for word, path in _marks(inner):
                yield word, (key, *path)


def is_mark(word: str) -> bool:
    """Whether a string names a text: '#' and an id with a dot in it. A colour has no dot."""
    return word[:1] == "#" and "." in word and " " not in word


# Inline words.


def _add_inline(ctx: Context, first: _Language) -> None:
    """Words that stand at the thing itself belong to the first language."""
    for wanted in ctx.wanted:
        if wanted.inline is None or wanted.inline_at is None or is_mark(wanted.inline):
            continue
        if wanted.id in first.paths and first.paths[wanted.id] != wanted.inline_at:
            related = (Related(first.paths[wanted.id], f"text/{first.name}.json gives it here"),)
            message = f"the text '{wanted.id}' is given here and in the file of '{first.name}'"
            ctx.report(error("T102", message, wanted.inline_at, help="keep one of the two", related=related))
            continue
        first.words[wanted.id] = wanted.inline
        first.paths[wanted.id] = wanted.inline_at


def _follow_marks(ctx: Context, languages: list[_Language]) -> None:
    """`"name": "#other.id"`: the thing has the words of another text, in every language."""
    for wanted in ctx.wanted:
        if wanted.inline is not None and wanted.inline_at is not None and is_mark(wanted.inline):
            for language in languages:
                if wanted.inline[1:] in language.words:
                    language.words.setdefault(wanted.id, language.words[wanted.inline[1:]])


# Checks.


def _check_missing(ctx: Context, languages: list[_Language], used: Mapping[str, Place]) -> set[str]:
    """Report every text that is wanted and not there. Out: texts that a misspelt '#id' seems to have meant."""
    meant: set[str] = set()
    for language in languages:
        missing = [w for w in ctx.wanted if w.id not in language.words and _is_wanted(w, languages)]
        if missing and not language.has_file and (language is not languages[0] or len(languages) > 1):
            _report_no_file(ctx, language, len(missing))
            continue
        for wanted in missing:
            _report_missing(ctx, wanted, language)
        reported = {wanted.id for wanted in missing}
        for id, place in used.items():
            if id not in language.words and id not in reported:
                meant.update(filter(None, [suggest(id, language.words)]))
                _report_unresolved(ctx, id, place, language, languages)
    return meant


def _is_wanted(wanted: Wanted, languages: list[_Language]) -> bool:
    """A required text; or one that some language gives, so that all must."""
    if wanted.inline is not None and is_mark(wanted.inline):
        return False
    return wanted.required or any(wanted.id in language.words for language in languages)


def _report_missing(ctx: Context, wanted: Wanted, language: _Language) -> None:
    id, place = wanted.id, wanted.place
    related = (
        (Related(language.place, f"the texts of '{language.name}' are here"),) if language.has_file else ()
    )
    help = f'add it to text/{language.name}.json: "{id.partition(".")[0]}": {{"{id.partition(".")[2]}": "…"}}'
    if not language.has_file:
        add = wanted.add or f'"{"name" if id.count(".") == 1 else id.rpartition(".")[2]}"'
        help = f"add {add} here, or write text/{language.name}.json"
    where = place / "id" if "id" in obj(_value_at(place)) else place
    ctx.report(
        error("T101", f"there is no text '{id}' in '{language.name}'", where, help=help, related=related)
    )


def _report_unresolved(
    ctx: Context, id: str, place: Place, language: _Language, languages: list[_Language]
) -> None:
    if language is not languages[0] and id not in languages[0].words:
        return  # said once, for the first language
    near = suggest(id, language.words)
    help = f"did you mean '#{near}'?" if near else f"add it to text/{language.name}.json"
    related = (
        (Related(language.place, f"the texts of '{language.name}' are here"),) if language.has_file else ()
    )
    ctx.report(
        error("T109", f"there is no text '{id}' in '{language.name}'", place, help=help, related=related)
    )


def _report_no_file(ctx: Context, language: _Language, count: int) -> None:
    message = f"the language '{language.name}' has no file, and {count} texts are missing in it"
    ctx.report(error("T107", message, language.place, help=f"write text/{language.name}.json"))


def _value_at(place: Place) -> object:
    value: object = place.document.value
    for step in place.path:
        if isinstance(value, dict):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
    return value


def _check_unknown(
    ctx: Context, languages: list[_Language], used: Mapping[str, Place], meant: set[str]
) -> None:
    """Texts that belong to nothing: most often a misspelt id."""
    known = {wanted.id for wanted in ctx.wanted} | set(used) | meant
    for language in languages:
        missing = sorted(w.id for w in ctx.wanted if w.id not in language.words)
        for id, place in language.paths.items():
            if id in known or _may_be_given(ctx, id):
                continue
            near = suggest(id, missing)
            help = f"did you mean '{near}'?" if near else "delete it, or use it"
            ctx.report(warning("T103", f"the text '{id}' belongs to nothing", place.key(), help=help))


def _may_be_given(ctx: Context, id: str) -> bool:
    """Words that nothing asks for but that are shown if they are there: turns, exceptions, words of the module file."""
    kind, _, name = id.partition(".")
    if kind == "turn":
        return ctx.names.place_of("date", name) is not None
    rule, unless, _ = name.partition(".unless.")
    return kind == "vassal" or (bool(unless) and ctx.names.place_of("rule", rule) is not None)


def _compare(ctx: Context, first: _Language, other: _Language, files: tuple[Group, ...]) -> None:
    same = _same_list(other, files)
    for id, words in other.words.items():
        original = first.words.get(id)
        if original is None or id not in other.paths:
            continue
        if ("{" in words or "{" in original) and _placeholders(words) != _placeholders(original):
            _report_placeholders(ctx, id, first, other)
        if words == original and id not in same and _LETTER.search(words):
            message = f"the text '{id}' is the same in '{other.name}' as in '{first.name}'"
            help = f"translate it, or add \"{id}\" to 'same' if that is right"
            ctx.report(error("T105", message, other.paths[id], help=help))
    for id, place in same.items():
        if id not in other.words:
            near = suggest(id, other.words)
            help = f"did you mean '{near}'?" if near else "take it out"
            ctx.report(warning("T106", f"'same' names '{id}', which has no words here", place, help=help))
        elif first.words.get(id) != other.words[id]:
            message = f"'same' names '{id}', but its words differ from those in '{first.name}'"
            ctx.report(warning("T106", message, place, help="take it out"))


def _same_list(language: _Language, files: tuple[Group, ...]) -> dict[str, Place]:
    documents = [d for group in files if _language_of(group[0]) == language.name for d in group]
    return {word: at for d in documents for word, at in strings(obj(d.value), "same", Place(d))}


def _placeholders(words: str) -> set[str]:
    return set(_PLACEHOLDER.findall(words))


def _report_placeholders(ctx: Context, id: str, first: _Language, other: _Language) -> None:
    wanted, found = _placeholders(first.words[id]), _placeholders(other.words[id])
    parts = [f"lacks {' '.join(sorted(wanted - found))}"] if wanted - found else []
    parts += [f"has {' '.join(sorted(found - wanted))} too much"] if found - wanted else []
    extra = sorted(found - wanted)
    near = suggest(extra[0], sorted(wanted - found)) if extra else None
    message = f"the text '{id}' in '{other.name}' {' and '.join(parts)}"
    related = (Related(first.paths[id], f"the words in '{first.name}'"),)
    help = f"did you mean '{near}'?" if near else "placeholders are the same in every language"
    ctx.report(error("T104", message, other.paths[id], help=help, related=related))


# Defaults.


def _fill(ctx: Context, languages: list[_Language]) -> None:
    """Words for things that need none of their own: a space is called after its label, a map after its id."""
    for wanted in ctx.wanted:
        if wanted.instead is not None:
            for language in languages:
                language.words.setdefault(wanted.id, wanted.instead)
