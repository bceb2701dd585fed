"""Bindings: for which subjects a rule is judged. Each sees the earlier ones and itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from compiler.findings import Place
from compiler.frozen import dataclass
from compiler.model.types import KINDS, Type
from compiler.rules.compiler import UNKNOWN, Compiler, Scope
from compiler.rules.definitions import SCENARIO
from compiler.rules.items import Env, Position
from compiler.rules.matches import Match, Quantified, Some
from compiler.rules.refs import Ref
from compiler.rules.selectors import Always, Has, Selector
from compiler.rules.vocabulary import item
from compiler.suggest import did_you_mean

MOST = 5_000_000

# An attribute of the bound item that equals a reference → the set that holds every item that can pass.
_JOINS = {
    "piece": {"space": "pieces", "aboard": "cargo", "counter": "pieces", "power": "pieces", "side": "pieces"},
    "arrival": {"at": "arrivals", "power": "arrivals"},
    "link": {"from": "links_out", "to": "links_in"},
    "space": {"regions": "spaces"},
    "power": {"side": "powers"},
}

# What an item of a kind always has, in words that no definition can change.
_PRINTED = {
    "space": "kind",
    "link": "kind",
    "region": "kind",
    "track": "kind",
    "piece": "type",
    "counter": "type",
}


class TooMany(Exception):
    """A rule has more subjects than can be looked at."""


@dataclass(frozen=True, slots=True)
class Binding:
    """`pair_of` are the earlier bindings of the same kind: never the same item twice."""

    name: str
    kind: str | None
    ref: Ref | None
    words: tuple[str, ...]
    selector: Selector
    join: (
        Ref | None
    )  # the item whose set `joined_to` holds every candidate: pieces of one space, not all pieces
    joined_to: str
    free: bool  # depends on no earlier binding: candidates can be kept
    pair_of: tuple[str, ...]
    of: str | None  # the kind of what is bound; None for words
    word: tuple[str, str] | None = (
        None  # a plain attribute that must be this word: only such items are looked at
    )
    having: str | None = (
        None  # a set that may not be empty: only items that have something in it are looked at
    )

    def candidates(self, world: Position, env: Env) -> list[Any]:
        if self.words:
            return list(self.words)
        source = self.source(world, env)
        if self.selector.is_open:
            return list(source)
        name, fits, out = self.name, self.selector.holds, []
        for found in source:
            env[name] = found
            if fits(found, env):
                out.append(found)
        return out

    def source(self, world: Position, env: Env) -> Any:
        if self.ref is not None:
            return self.ref.value(env) or ()
        having = None if self.having is None else world.members.get((self.kind or "", self.having))
        if having is not None:
            return having
        if self.word is not None:
            return world.of_word(self.kind or "", *self.word)
        if self.join is None:
            return world.all(self.kind or "")
        at = self.join.value(env)
        return () if at is None else at.get(self.joined_to)


def subjects(bindings: Sequence[Binding], world: Position) -> Iterator[Env]:
    """Every combination of bound items. The environment is the same one each time: copy it to keep it.

    Raises `TooMany` rather than run for hours over bindings that are not joined.
    """
    env: Env = {"scenario": world.scenario}
    return _bound(0, bindings, world, env, {}, [0])


def _bound(
    i: int,
    bindings: Sequence[Binding],
    world: Position,
    env: Env,
    kept: dict[int, list[Any]],
    looked: list[int],
) -> Iterator[Env]:
    if i == len(bindings):
        yield env
        return
    binding, last = bindings[i], i + 1 == len(bindings)
    candidates = _candidates(i, binding, world, env, kept)
    looked[0] += len(candidates)
    if looked[0] > MOST:
        raise TooMany
    for found in candidates:
        env[binding.name] = found
        if binding.pair_of and any(env[name] is found for name in binding.pair_of):
            continue
        if last:
            yield env
        else:
            yield from _bound(i + 1, bindings, world, env, kept, looked)


def _candidates(i: int, binding: Binding, world: Position, env: Env, kept: dict[int, list[Any]]) -> list[Any]:
    if not binding.free:
        return binding.candidates(world, env)
    if i not in kept:
        kept[i] = binding.candidates(world, env)
    return kept[i]


# Compiling ------------------------------------------------------------------------------------------------------------


def compile_bindings(c: Compiler, value: object, place: Place) -> tuple[tuple[Binding, ...], Scope]:
    scope = Scope(SCENARIO)
    out: list[Binding] = []
    if not isinstance(value, list):
        c.malformed("a list of bindings", value, place)
    for i, part in enumerate(value if isinstance(value, list) else []):
        found = _binding(c, part, scope, out, place / i)
        if found is not None:
            scope = scope.bind(found[0].name, found[1])
            out.append(found[0])
    return tuple(out), scope


def _binding(
    c: Compiler, value: object, scope: Scope, earlier: list[Binding], place: Place
) -> tuple[Binding, Type] | None:
    if not isinstance(value, dict):
        c.malformed('a binding such as {"piece": {…}}', value, place)
        return None
    if "values" in value:
        return _values(c, value, scope, place)
    if "each" in value:
        c.unknown_fields(value, ("each", "if", "as", "note"), place)
        kind, ref, of = c.iterated(value["each"], scope, place / "each")
        name, written, at = c.name(value, "each", place), value.get("if", True), place / "if"
    else:
        kind = _kind(c, value, place)
        if kind is None:
            return None
        c.unknown_fields(value, (kind, "as", "note"), place)
        ref, of = None, item(kind)
        c.reads.add((kind, "*"))
        name, written, at = c.name(value, kind, place), value[kind], place / kind
    _once(c, name, value, scope, place)
    before, c.roots = c.roots, set()
    selector = c.selector(written, scope.bind(name, of).at(of), at)
    roots = c.roots | ({ref.root} if ref else set())
    c.roots |= before
    names = {b.name for b in earlier}
    pairs = tuple(b.name for b in earlier if b.of == of.kind and of.base == "item" and of != UNKNOWN)
    join, joined_to = _join(c, of, written, scope) if ref is None else (None, "")
    word = _word(of.kind, written) if ref is None and join is None else None
    having = _having(selector) if ref is None and join is None else None
    free = not (roots & names)
    return Binding(name, kind, ref, (), selector, join, joined_to, free, pairs, of.kind, word, having), of


def _having(selector: Selector) -> str | None:
    """`{"space": {"pieces": {"some": …}}}` looks at the spaces with pieces only."""
    for condition in selector.conditions:
        if isinstance(condition, Has) and len(condition.path) == 1 and _asks_for_some(condition.match):
            return condition.path[0]
    return None


def _asks_for_some(match: Match) -> bool:
    parts = match.parts if isinstance(match, Quantified) else (match,)
    return any(isinstance(part, Some) for part in parts)


def _word(kind: str | None, written: object) -> tuple[str, str] | None:
    """`{"space": {"kind": "sea"}}` looks at the spaces of that kind only."""
    name = _PRINTED.get(kind or "")
    word = written.get(name) if name is not None and isinstance(written, dict) else None
    return (name or "", word) if isinstance(word, str) and not word.startswith("@") else None


def _kind(c: Compiler, value: Mapping[str, Any], place: Place) -> str | None:
    kinds = [key for key in value if key in KINDS]
    if len(kinds) == 1:
        return kinds[0]
    if kinds:
        c.report("R112", f"a binding names one kind of item, not {' and '.join(kinds)}", place)
        return None
    wrong = next((key for key in value if key not in ("as", "note")), "")
    message = f"a binding names one kind of item; '{wrong}' is none"
    help = did_you_mean(wrong, [*KINDS, "each", "values"]) or f"one of: {', '.join(KINDS)}"
    c.report("R112", message, (place / wrong).key() if wrong else place, help)
    return None


def _once(c: Compiler, name: str, value: Mapping[str, Any], scope: Scope, place: Place) -> None:
    if name in scope.names and not (
        name == "scenario" and "scenario" in value
    ):  # the scenario is the scenario
        at = place / "as" if "as" in value else place
        c.report("R116", f"the name '{name}' is bound already", at, 'give this one another name with "as"')


def _join(c: Compiler, of: Type, written: object, scope: Scope) -> tuple[Ref | None, str]:
    """`{"piece": {"space": "@other.space"}}` looks at the pieces of that space only. Same answer, far fewer looks."""
    for key, joined_to in _JOINS.get(of.kind or "", {}).items():
        text = written.get(key) if isinstance(written, dict) else None
        if isinstance(text, str) and text.startswith("@") and not text.startswith("@@"):
            root, *path = text[1:].split(".")
            end = _quiet(c, scope.names.get(root), path)
            if end is not None and end.base == "item" and not end.is_set:
                return Ref(root, tuple(path)), joined_to
    return None, ""


def _quiet(c: Compiler, type: Type | None, path: Sequence[str]) -> Type | None:
    for name in path:
        if type is None or type.kind is None or type.is_set:
            return None
        type = c.vocabulary.type_of(type.kind, name)
    return type


def _values(c: Compiler, value: Mapping[str, Any], scope: Scope, place: Place) -> tuple[Binding, Type] | None:
    c.unknown_fields(value, ("values", "as", "note"), place)
    name = c.name(value, "value", place)
    _once(c, name, value, scope, place)
    words = _words(c, value["values"], place / "values")
    if words is None:
        return None
    always = Selector([Always(True)])
    return Binding(name, None, None, words, always, None, "", True, (), None), Type("word", words)


def _words(c: Compiler, listed: object, place: Place) -> tuple[str, ...] | None:
    if isinstance(listed, list) and listed and all(isinstance(word, str) for word in listed):
        return tuple(listed)
    if not isinstance(listed, str) or listed.count(".") != 1:
        c.malformed('"kind.attribute" or a list of words', listed, place)
        return None
    kind, name = listed.split(".")
    type = c.vocabulary.type_of(kind, name)
    if type is not None and type.base == "word":
        return type.words
    known = [f"{k}.{n}" for (k, n), t in c.vocabulary.types.items() if t.base == "word"]
    c.report("R101", f"'{listed}' is no attribute with listed words", place, did_you_mean(listed, known))
    return None
