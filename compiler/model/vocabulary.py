"""The module's vocabulary: which attributes each kind of item has, and of which type.

In: the `vocabulary` object of module.json. Out: an `Attribute` for each declared name. Defaults are read later, by
`read_defaults`, because they may name things that are declared elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from compiler.findings import Place, error, warning
from compiler.model.context import Context
from compiler.model.properties import taken
from compiler.model.read import Object, obj
from compiler.model.types import KINDS, Attribute, Space, Type
from compiler.model.values import Bad, read_value
from compiler.suggest import suggest

_SIMPLE = ("bool", "number", "text", "date", "table")
_SET_OF = "set of "
READ = {  # words that players read: attribute → the texts they are
    ("space", "kind"): "kind",
    ("space", "terrain"): "terrain",
    ("link", "kind"): "line",
    ("link", "tags"): "hexside",
}


def read_vocabulary(ctx: Context, module: Object, place: Place) -> None:
    """Fill `ctx.vocabulary` with all attributes that can be understood."""
    vocabulary = obj(module.get("vocabulary"))
    _mark_misplaced(ctx, vocabulary)
    for kind in KINDS:
        for name, written in obj(vocabulary.get(kind)).items():
            at = Place(place.document, (*place.path, "vocabulary", kind, name))
            attribute = _attribute(ctx, kind, name, written, at)
            if attribute is not None:
                ctx.vocabulary[kind, name] = attribute


def _mark_misplaced(ctx: Context, vocabulary: Object) -> None:
    """Attributes declared for no known kind (the schema reported it): whichever was meant, they are not unknown."""
    for key, declared in vocabulary.items():
        if key not in KINDS:
            ctx.unreadable.update((kind, name) for kind in KINDS for name in obj(declared))


def read_defaults(ctx: Context) -> None:
    """Check each default against its own type; one that does not fit counts as none."""
    for key, attribute in list(ctx.vocabulary.items()):
        if attribute.has_default and attribute.place is not None:
            value = read_value(ctx, ctx.names, attribute, attribute.default, attribute.place, "default")
            if isinstance(value, Bad):
                ctx.vocabulary[key] = replace(attribute, default=None, has_default=False)
            else:
                ctx.vocabulary[key] = replace(attribute, default=value)


def want_words(ctx: Context, spaces: Collection[Space]) -> None:
    """Texts of the words that players read of spaces; and names that are given to words that nobody reads."""
    for kind in dict.fromkeys(space.kind for space in spaces):
        want_word(ctx, "space", "kind", kind)
    for terrain in dict.fromkeys(space.values.get("terrain") for space in spaces):
        want_word(ctx, "space", "terrain", terrain)
    for key, attribute in ctx.vocabulary.items():
        if attribute.place is not None:
            _check_names(ctx, attribute, attribute.place, attribute.type.words if key in READ else ())


def want_word(ctx: Context, kind: str, name: str, word: object) -> None:
    """The text of a word that players read, wanted once, where the word is declared; `names` there may give it."""
    attribute = ctx.vocabulary.get((kind, name))
    id = f"{READ[kind, name]}.{word}"
    if attribute is None or attribute.place is None or ctx.rules_only or id in ctx.worded:
        return
    names = obj(obj(_written(attribute.place)).get("names"))
    for found, at in _declared(attribute.place):
        if found == word:
            ctx.worded.add(id)
            ctx.want(id, at, names, found, given_at=attribute.place / "names")


def _check_names(ctx: Context, attribute: Attribute, place: Place, words: tuple[str, ...]) -> None:
    for word in obj(obj(_written(place)).get("names")):
        if word not in words:
            near = suggest(word, words)
            help = f"did you mean '{near}'?" if near else "take it out: players read no such word"
            message = f"the name of '{word}' belongs to nothing"
            ctx.report(warning("T103", message, (place / "names" / word).key(), help=help))


def _declared(place: Place) -> Iterator[tuple[str, Place]]:
    """The words of an attribute, each with its place."""
    written = _written(place)
    listed, at = written, place
    for key in ("type", "of"):
        if isinstance(written, dict) and isinstance(written.get(key), list):
            listed, at = written[key], place / key
    for n, word in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(word, str):
            yield word, at / n


def _written(place: Place) -> object:
    """The declaration of an attribute as it stands in module.json."""
    found: object = place.document.value
    for step in place.path:
        found = obj(found).get(str(step))
    return found


def _attribute(ctx: Context, kind: str, name: str, written: object, place: Place) -> Attribute | None:
    if not _name_is_free(ctx, kind, name, place):
        return None
    options = written if isinstance(written, dict) else {}
    type = _type(options.get("type") if options else written, options)
    if type is None:
        ctx.unreadable.add((kind, name))
        return None
    if (kind, name) == ("link", "tags"):
        type = replace(type, is_set=True)
    return Attribute(
        kind,
        name,
        type,
        default=options.get("default"),
        has_default="default" in options,
        fact=options.get("fact") is True,
        place=place,
    )


def _name_is_free(ctx: Context, kind: str, name: str, place: Place) -> bool:
    why = taken(kind, name)
    if why is None:
        return True
    message = f"'{name}' cannot be declared for {kind}: {why}"
    ctx.report(error("N306", message, place.key(), help="give the attribute another name"))
    return False


def _type(written: object, options: Object) -> Type | None:
    """The type as written; none where the schema has reported it."""
    if isinstance(written, list):
        return Type("word", tuple(dict.fromkeys(word for word in written if isinstance(word, str))))
    if written == "set":
        member = _type(options.get("of"), {})
        return replace(member, is_set=True) if member is not None else None
    if not isinstance(written, str):
        return None
    is_set = written.startswith(_SET_OF)
    name = written.removeprefix(_SET_OF)
    if name in _SIMPLE:
        return Type(name, is_set=is_set)  # type: ignore[arg-type]
    return Type("item", kind=name, is_set=is_set) if name in KINDS else None
