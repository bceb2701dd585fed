"""What module.json says of play on the screen: states and commands of pieces, decks, refreshing, the author's own files.

Everything named there is declared or resolved here, so that the VASSAL output finds no unknown name. It holds no state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler.findings import Path, Place
from compiler.model.context import Context
from compiler.model.files import Group
from compiler.model.fittings import check_file
from compiler.model.read import Object, entries, listed, obj, strings
from compiler.model.values import unknown_word

_DECLARED = (("state", "pieces", "states"), ("send", "pieces", "sends"), ("deck", "vassal", "decks"))
_WORDED = (
    *_DECLARED,
    ("refresh", "vassal", "refresh"),
    ("chart", "vassal", "charts"),
    ("menu", "vassal", "menus"),
)


def inner_entries(module: Group, outer: str, key: str) -> Iterator[tuple[Object, Place]]:
    """The objects of a list that stands one step down in module.json."""
    for document in module:
        place = Place(document, (outer, key))
        for n, entry in enumerate(listed(obj(obj(document.value).get(outer)).get(key))):
            if isinstance(entry, dict):
                yield entry, place / n


def declare_play(ctx: Context, module: Group) -> None:
    for kind, outer, key in _WORDED:
        for entry, place in inner_entries(module, outer, key):
            if isinstance(entry.get("id"), str) and ctx.names.declare(kind, entry["id"], place):
                ctx.want(f"{kind}.{entry['id']}", place, entry)
    for entry, place in entries(module, "help"):
        if ctx.names.declare("help", entry.get("id"), place):
            ctx.want(f"help.{entry['id']}.title", place, entry, "title")
            ctx.want(f"help.{entry['id']}.text", place, entry, "text", required=False)


def check_play(ctx: Context, module: Group) -> None:
    """Every name in these settings exists."""
    _groups(ctx, module)
    _places(ctx, module)
    _markers(ctx, module)
    for document in module:
        place = Place(document, ("layouts",))
        _choices(ctx, obj(document.value).get("layouts"), place)
    for entry, place in inner_entries(module, "vassal", "refresh"):
        _all(ctx, "phase", entry, "phases", place)
        _all(ctx, "state", entry, "states", place)
    for entry, place in entries(module, "windows"):
        _all(ctx, "power", obj(entry.get("vassal")), "powers", place / "vassal")
    for entry, place in inner_entries(module, "vassal", "menus"):
        _all(ctx, "scenario", entry, "scenarios", place)
    for entry, place in entries(module, "help"):
        ctx.names.resolve("chart", entry.get("chart"), place, "chart")
    for entry, place in inner_entries(module, "vassal", "components"):
        ctx.names.resolve("window", entry.get("in"), place, "in")
    _files(ctx, module)


def _groups(ctx: Context, module: Group) -> None:
    for entry, place in inner_entries(module, "pieces", "groups"):
        _all(ctx, "state", entry, "states", place)
        _all(ctx, "send", entry, "sends", place)
        for key in ("puts", "becomes"):
            for word, at in strings(entry, key, place):
                kind = "type" if ctx.names.place_of("type", word) else "counter"
                ctx.names.resolve(kind, word, at)
        for name, wanted in obj(entry.get("select")).items():
            for one in listed(wanted) or [wanted]:
                _word(ctx, name, one, place / "select", (name,))


def _choices(ctx: Context, value: object, place: Place) -> None:
    """`{"by": "side", "red": …}` in a layout: what stands beside 'by' is what the attribute may be."""
    pairs: Iterable[tuple[str | int, object]] = enumerate(value) if isinstance(value, list) else ()
    pairs = value.items() if isinstance(value, dict) else pairs
    by = value.get("by") if isinstance(value, dict) else None
    for key, inner in pairs:
        if isinstance(by, str) and key not in ("by", "else", "note"):
            _word(ctx, by, key, place, (key,), key=True)
        if isinstance(inner, dict | list):
            _choices(ctx, inner, place / key)


def _word(ctx: Context, name: str, word: object, place: Place, path: Path, *, key: bool = False) -> None:
    """A word that an attribute of counters may be, or should."""
    if not isinstance(word, str):
        return
    attribute = ctx.attributes(("piece", "counter")).get(name)
    if name in ("type", "power", "side", "counter"):
        ctx.names.resolve(name, word, place, *path, key=key)
    elif attribute is not None and attribute.type.base == "word" and word not in attribute.type.words:
        at = Place(place.document, place.path + path, "key" if key else "value")
        ctx.report(unknown_word(attribute, word, at))
    elif attribute is None and not key:
        ctx.unknown_attribute(("piece",), name, place, ("type", "power", "counter"))


def _markers(ctx: Context, module: Group) -> None:
    """The types that mark control and levels."""
    kinds = ctx.vocabulary.get(("track", "kind"))
    for document in module:
        settings, place = obj(obj(document.value).get("vassal")), Place(document, ("vassal",))
        ctx.names.resolve("type", settings.get("control"), place, "control")
        for kind, type in obj(settings.get("tracks")).items():
            ctx.names.resolve("type", type, place, "tracks", kind)
            if kinds is not None and kind not in kinds.type.words:
                ctx.report(unknown_word(kinds, kind, (place / "tracks" / kind).key()))


def _places(ctx: Context, module: Group) -> None:
    for entry, place in inner_entries(module, "pieces", "sends"):
        ctx.names.resolve("space", entry.get("to"), place, "to")
        for power, space in obj(entry.get("to")).items():
            ctx.names.resolve("power", power, place, "to", power, key=True)
            ctx.names.resolve("space", space, place, "to", power)
        for counter, space in obj(entry.get("markers")).items():
            ctx.names.resolve("counter", counter, place, "markers", counter, key=True)
            ctx.names.resolve("space", space, place, "markers", counter)
    for entry, place in inner_entries(module, "vassal", "decks"):
        ctx.names.resolve("space", entry.get("at"), place, "at")
        for word, at in strings(entry, "counters", place):
            ctx.names.resolve("counter", word.rpartition(" ")[2], at)
    for document in module:
        settings, place = obj(obj(document.value).get("vassal")), Place(document, ("vassal",))
        ctx.names.resolve("counter", settings.get("turn_marker"), place, "turn_marker")
        for word, at in strings(settings, "seats", place):
            ctx.names.resolve("power" if ctx.names.place_of("power", word) else "side", word, at)
        for turn, space in obj(settings.get("turn_boxes")).items():
            ctx.names.resolve("date", turn, place, "turn_boxes", turn, key=True)
            ctx.names.resolve("space", space, place, "turn_boxes", turn)


def _all(ctx: Context, kind: str, entry: Object, key: str, place: Place) -> None:
    for word, at in strings(entry, key, place):
        ctx.names.resolve(kind, word, at)


def _files(ctx: Context, module: Group) -> None:
    if ctx.root is None:
        return
    for name, place in _named_files(module):
        check_file(ctx, name, place)


def _named_files(module: Group) -> Iterator[tuple[str, Place]]:
    for document in module:
        yield from strings(obj(obj(document.value).get("vassal")), "files", Place(document, ("vassal",)))
    for entry, place in inner_entries(module, "vassal", "charts"):
        if isinstance(entry.get("file"), str):
            yield str(entry["file"]), place / "file"
