"""From a failing verdict to a finding: the message with its evidence, and the place where an author would mend it."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any, TypeVar

from compiler.findings import Finding, Line, Place
from compiler.model.types import Module, Scenario
from compiler.rules.fixes import fix
from compiler.rules.items import Broken, Item, Trouble, Unknown
from compiler.rules.matches import COMPARISONS
from compiler.rules.messages import TRACED, fill
from compiler.rules.parts import made_of, room_of
from compiler.rules.trace.told import Evidence
from compiler.rules.verdict import Verdict
from compiler.rules.words import joined, listed, plain, short, show


def to_finding(module: Module, verdict: Verdict, scenario: Scenario) -> Finding:
    rule = verdict.rule
    if rule.must is not None:
        must, first, env = rule.must, verdict.first, verdict.env
        verdict = replace(verdict, items=_known(lambda: must.blamed(first, env), ()))
    words = _Words(module, verdict)
    say, help = _text(module, rule.id, "say", rule.say), _text(module, rule.id, "help", rule.help)
    concerned = _concerned(verdict)
    return Finding(
        rule.id,
        rule.severity,
        fill(say, words.value_of) if say else words.default(),
        _place(verdict, scenario),
        fill(help, words.value_of) if help else words.default_help(),
        rule.id,
        rule.section,
        _ids(concerned, "space"),
        _ids(concerned, "piece") + _ids(concerned, "arrival"),
        subject=verdict.subject,
        line=words.line(),
        limit=_known(words.limit, None),
        scenario=scenario.id,
    )


def _stands(thing: Any) -> Any:
    """The space that a piece or an arrival is in."""
    if not isinstance(thing, Item) or thing.kind not in ("piece", "arrival"):
        return None
    return thing.get("space" if thing.kind == "piece" else "at")


def _text(module: Module, id: str, key: str, own: str | None) -> str | None:
    """What a variant or a scenario says itself comes first, then the text files, then the entry."""
    text_id = f"rule.{id}.{key}"
    words = module.texts.get(text_id) if module.texts.has(text_id) else None
    return words if own is None or own.startswith("#") else own


def _concerned(verdict: Verdict) -> list[Item]:
    counted = verdict.outcome.left if verdict.outcome else verdict.items
    found = [*verdict.bound_items, *(i for i in counted if isinstance(i, Item))]
    spaces = [i.get("space" if i.kind == "piece" else "at") for i in found if i.kind in ("piece", "arrival")]
    return list(dict.fromkeys([*found, *(space for space in spaces if space is not None)]))


def _ids(items: list[Item], kind: str) -> tuple[str, ...]:
    return tuple(item.id for item in items if item.kind == kind)


# Where ----------------------------------------------------------------------------------------------------------------


def _place(verdict: Verdict, scenario: Scenario) -> Place:
    """Where the author would go to mend it: a piece's placement, a track's value, an owner; else the thing itself."""
    bound = verdict.bound_items
    extra = verdict.outcome.left if verdict.outcome else tuple(reversed(verdict.items))
    for thing in (*bound, *extra):
        if isinstance(thing, Item) and thing.kind in ("piece", "arrival") and thing.place:
            return thing.place
    for thing in bound:
        if thing.kind == "space" and (owner := _owner_entry(scenario, thing.id)):
            return owner
        if thing.kind in ("track", "space") and thing.place:
            return thing.place
    found = (i.place for i in bound if i.place and i.kind in ("link", "region", "counter"))
    return next(found, scenario.place)


def _owner_entry(scenario: Scenario, space: str) -> Place | None:
    """Where the scenario itself says something of the space: its owner or its state."""
    own = _written(scenario.place)
    for field in ("control", "held"):
        for power, spaces in _object(own.get(field)).items():
            if isinstance(spaces, list) and space in spaces:
                return scenario.place / field / str(power) / spaces.index(space)
    return (
        scenario.place / "state" / "space" / space
        if space in _object(_object(own.get("state")).get("space"))
        else None
    )


def _written(place: Place) -> Mapping[str, Any]:
    value: Any = place.document.value
    for key in place.path:
        value = value[key]
    return _object(value)


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


# What -----------------------------------------------------------------------------------------------------------------


class _Words:
    """Placeholders of one verdict, in the module's first language."""

    def __init__(self, module: Module, verdict: Verdict) -> None:
        self.module, self.verdict = module, verdict

    def value_of(self, inside: str) -> str:
        """What stands for a placeholder. The verdict stands even where the message asks for what nobody knows."""
        return _known(lambda: self.found(inside), "unknown")

    def found(self, inside: str) -> str:
        root, *path = inside.split(".")
        own = {
            "value": self.value, "bound": self.bound, "excess": self.excess, "why": self.why,
            "items": self.items, "left": self.left, "fits": self.fits,
        }  # fmt: skip
        if root in self.verdict.env:
            found: Any = self.verdict.env[root]
            for name in path:
                found = found.get(name) if isinstance(found, Item) else None
            return self.name(found)
        for name, term in self.verdict.rule.show:
            if name == root:
                return self.name(term.value(self.verdict.env))
        if root in TRACED:
            return self.traced(f"{root}_words")
        return own[root]() if root in own else f"{{{inside}}}"

    # Things

    def name(self, value: Any) -> str:
        if isinstance(value, tuple):
            return listed([self.name(v) for v in value])
        if isinstance(value, Item):
            return self.item(value)
        return value if isinstance(value, str) else show(value)

    def item(self, item: Item) -> str:
        """The name an author reads, with the id behind it where the one does not tell the other."""
        id = f"{item.kind}.{item.id}"
        if item.kind in ("piece", "arrival") or not self.module.texts.has(id):
            return short(item)
        name = self.module.texts.get(id)
        return name if _letters(name) == _letters(item.id) else f"{name} ({item.id})"

    def all(self, items: Iterable[Any]) -> str:
        """Alike pieces are counted together."""
        tally = Tally(self.name(i) for i in items)
        return listed([f"{number} × {name}" if number > 1 else name for name, number in tally.items()])

    # Evidence

    def value(self) -> str:
        return show(self.verdict.value)

    def bound(self) -> str:
        return "no limit" if self.verdict.bound is None else plain(self.verdict.bound)

    def excess(self) -> str:
        value, bound = self.verdict.value, self.verdict.bound
        return "0" if value is None or bound is None else plain(abs(value - bound))

    def items(self) -> str:
        return self.all(self.verdict.items)

    def left(self) -> str:
        return self.all(self.verdict.outcome.left) if self.verdict.outcome else "none"

    def fits(self) -> str:
        placed = self.verdict.outcome.placed if self.verdict.outcome else ()
        tally = Tally(f"{self.item(item)} in {where}" for item, where in placed)
        return listed([f"{number} × {name}" if number > 1 else name for name, number in tally.items()])

    def evidence(self) -> Evidence | None:
        """Why the first bound item that has a traced attribute the rule reads has its level."""
        for bound in self.verdict.bound_items:
            reads = self.verdict.rule.reads
            direct = sorted(reads & bound.world.explain.keys())
            for kind, name in direct or sorted(bound.world.through(reads) & bound.world.explain.keys()):
                how = bound.world.explain.get((kind, name)) if bound.kind == kind else None
                found: Evidence | None = how(bound) if how is not None else None
                if found is not None:
                    return found
        return None

    def traced(self, words: str) -> str:
        found = self.evidence()
        return "none" if found is None else str(getattr(found, words))

    def line(self) -> Line | None:
        found = _known(self.evidence, None)
        return None if found is None else line_of(found)

    def why(self) -> str:
        v = self.verdict
        if v.outcome is not None:
            return v.outcome.why
        if v.rule.must is None:
            return ""
        if v.rule.forbids and v.rule.bindings:
            bound = [b.selector.words for b in v.rule.bindings if not b.selector.is_open]
            return f"it may not be so that {joined(bound)}" if bound else "it may never be"
        return v.rule.must.why(v.first, v.env)

    # Without words of the author's

    def who(self) -> str:
        """What the rule was judged on; a piece with the space it is in, where that is not named anyway."""
        v = self.verdict
        bound = [v.env[b.name] for b in v.rule.bindings]
        spaces = [_stands(thing) for thing in bound]
        named = [
            f"{self.name(thing)} in {self.name(space)}"
            if space is not None and space not in bound and space not in spaces[n + 1 :]
            else self.name(thing)
            for n, (thing, space) in enumerate(zip(bound, spaces, strict=True))
        ]
        return ", ".join(named) or "the scenario"

    def title(self) -> str | None:
        rule = self.verdict.rule
        return _text(self.module, rule.id, "title", str(rule.entry.value.get("title", "#")))

    def limit(self) -> str | None:
        """How the bound came about, where it is made of parts; of a fit, what each slot holds."""
        v = self.verdict
        if v.rule.fit is not None:
            fit = v.rule.fit
            return _known(lambda: room_of(fit, v.env, self.name), None)
        term = next((term for op, term in v.rule.bounds if op == v.broken[0]), None)
        return None if term is None else _known(lambda: made_of(term, v.env, self.name), None)

    def default(self) -> str:
        v = self.verdict
        title = self.title()
        who = f"{self.who()}: {title}" if title else self.who()
        if v.outcome is not None:
            return f"{who}: no place for {self.left()} ({v.outcome.why})"
        if v.rule.must is not None:
            why = _known(self.why, "it is not as it must be")
            return f"{who} ({why})" if title else f"{who}: {why}"
        op, _ = v.broken
        allowed = {"at_most": "allowed", "at_least": "needed"}.get(op, "right")
        items = f" ({self.items()})" if v.items else ""
        return f"{who}: {self.value()}, where {COMPARISONS[op][1]} {self.bound()} is {allowed}{items}"

    def default_help(self) -> str | None:
        v = self.verdict
        if v.outcome is not None:
            return f"move or remove {self.left()}"
        return _known(lambda: fix(v, self.name, self.items), None)


T = TypeVar("T")


def line_of(found: Evidence) -> Line | None:
    """Where the line goes, or where it ended."""
    path = tuple(space for space, _ in groupby(step.space for step in found.path))
    stops = tuple((stop.space, stop.way, stop.reason) for stop in found.stops if stop.space)
    return Line(path, stops) if path or stops else None


def _known(ask: Callable[[], T], otherwise: T) -> T:
    """Evidence may look further than the verdict had to, and come upon what nobody knows."""
    try:
        return ask()
    except (Unknown, Broken, Trouble):
        return otherwise


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
