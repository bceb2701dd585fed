"""The module's vocabulary: which attributes each kind of item has, and of which type.

In: the `vocabulary` object of module.json. Out: an `Attribute` for each declared name. Defaults are read later, by
`read_defaults`, because they may name things that are declared elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compiler.findings import Place, Related, error
from compiler.model.context import Context
from compiler.model.properties import taken
from compiler.model.read import Object, listed, obj
from compiler.model.types import KINDS, Attribute, Type
from compiler.model.values import Bad, read_value
from compiler.suggest import suggest

_SIMPLE = ("bool", "number", "text", "date", "table")
_SET_OF = "set of "


def read_vocabulary(ctx: Context, module: Object, place: Place) -> None:
    """Fill `ctx.vocabulary` with all attributes that can be understood."""
    vocabulary = obj(module.get("vocabulary"))
    for kind in KINDS:
        for name, written in obj(vocabulary.get(kind)).items():
            at = Place(place.document, (*place.path, "vocabulary", kind, name))
            attribute = _attribute(ctx, kind, name, written, at)
            if attribute is not None:
                ctx.vocabulary[kind, name] = attribute


def read_defaults(ctx: Context) -> None:
    """Check each default against its own type; one that does not fit counts as none."""
    for key, attribute in list(ctx.vocabulary.items()):
        if attribute.has_default and attribute.place is not None:
            value = read_value(ctx, ctx.names, attribute, attribute.default, attribute.place, "default")
            if isinstance(value, Bad):
                ctx.vocabulary[key] = replace(attribute, default=None, has_default=False)
            else:
                ctx.vocabulary[key] = replace(attribute, default=value)


def _attribute(ctx: Context, kind: str, name: str, written: object, place: Place) -> Attribute | None:
    if not _name_is_free(ctx, kind, name, place):
        return None
    options = written if isinstance(written, dict) else {}
    type = _type(ctx, options.get("type") if options else written, options, place)
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


def _type(ctx: Context, written: object, options: Object, place: Place) -> Type | None:
    if isinstance(written, list):
        return Type("word", _words(ctx, written, _inside(place, options, "type")))
    if written == "set":
        of = options.get("of")
        member = _type(ctx, of, {}, place / "of") if of is not None else None
        return replace(member, is_set=True) if member is not None else None
    if not isinstance(written, str):
        return None
    is_set = written.startswith(_SET_OF)
    return _named_type(ctx, written, is_set, _inside(place, options, "type"))


def _named_type(ctx: Context, written: str, is_set: bool, place: Place) -> Type | None:
    name = written.removeprefix(_SET_OF) if is_set else written
    if name in _SIMPLE and not (is_set and name in ("bool", "table")):
        return Type(name, is_set=is_set)  # type: ignore[arg-type]
    if name in KINDS:
        return Type("item", kind=name, is_set=is_set)
    near = suggest(written, _type_names())
    help = (
        f"did you mean '{near}'?"
        if near
        else f"one of: {', '.join(_SIMPLE)}, a kind of item, 'set of …', a list of words"
    )
    ctx.report(error("N305", f"'{written}' is no type of an attribute", place, help=help))
    return None


def _type_names() -> Iterator[str]:
    yield from (*_SIMPLE, *KINDS)
    yield from (f"{_SET_OF}{name}" for name in ("number", "text", "date", *KINDS))


def _words(ctx: Context, written: list[object], place: Place) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for n, word in enumerate(listed(written)):
        if not isinstance(word, str):
            continue
        if word in seen:
            related = (Related(place / seen[word], "the first is here"),)
            ctx.report(error("N202", f"the word '{word}' is listed twice", place / n, related=related))
        seen.setdefault(word, n)
    return tuple(seen)


def _inside(place: Place, options: Object, key: str) -> Place:
    """The place of the type itself: below `key` where the attribute is written as an object."""
    return place / key if options else place
