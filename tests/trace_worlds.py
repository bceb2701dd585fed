"""Random small worlds for traces, and a plain search that anybody can check by reading.

A world is a table of spaces, links and pieces with a rule file written for it. `plain_level` walks every single state,
with nothing left out as worse than another: slow, and hard to get wrong.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from heapq import heappop, heappush
from typing import Any

from compiler.model import build
from compiler.model.types import Module
from compiler.rules import RulePack, compile_rules
from compiler.schema import kind_of
from compiler.source.document import Document

POWERS = {"north": "red", "east": "red", "south": "blue"}
LEVELS = ("full", "low", "none")
FAR = 3  # legs at most


@dataclass
class World:
    """Everything the rule file and the plain search need to know."""

    spaces: dict[str, dict[str, Any]] = field(default_factory=dict)
    links: list[dict[str, Any]] = field(default_factory=list)
    pieces: list[dict[str, Any]] = field(default_factory=list)
    legs: list[dict[str, Any]] = field(default_factory=list)
    by_budget: bool = True
    budget: dict[bool, int] = field(default_factory=dict)  # by whether the start lies in bad weather
    counts: dict[str, int] = field(default_factory=dict)
    relays: bool = False
    relay_line: bool = False  # relays use a second line, whose roads cost nothing
    relays_to_relays: bool = True
    judge: str = "tracer"
    start_free: bool = False
    only_in: dict[str, list[str]] = field(default_factory=dict)


def make(rng: random.Random) -> World:
    """Half of the worlds are tangles, half are long and thin, where it takes relays to come anywhere."""
    w = World()
    thin = rng.random() < 0.5
    names = [f"s{i}" for i in range(rng.randint(5, 8) if thin else rng.randint(3, 7))]
    for i, name in enumerate(names):
        rare = 0.05 if thin else 0.2
        w.spaces[name] = {
            "kind": "sea" if rng.random() < rare else "land",
            "port": rng.random() < 0.4,
            "city": (thin and not i) or rng.random() < rare,
            "depot": rng.random() < rare,
            "bad": rng.random() < 0.4,
            "rough": rng.random() < rare,
            "shut_to": [p for p in POWERS if rng.random() < rare],
        }
    for i, a in enumerate(names):
        for j, b in enumerate(names[i + 1 :]):
            if rng.random() < ((0.95 if j == 0 else 0.05) if thin else 0.55):
                w.links.append(_link(rng, a, b))
    for i in range(rng.randint(2, 6) if thin else rng.randint(1, 5)):
        piece = {"id": f"p{i}", "power": rng.choice(list(POWERS)), "at": rng.choice(names)}
        w.pieces.append({**piece, "hq": rng.random() < (0.8 if thin else 0.5)})
    _trace(w, rng)
    return w


def _link(rng: random.Random, a: str, b: str) -> dict[str, Any]:
    tags = [t for t in ("strait", "road") if rng.random() < 0.3]
    one_way = rng.random() < 0.1
    return {
        "a": a,
        "b": b,
        "kind": rng.choice(["land", "land", "land", "water"]),
        "tags": tags,
        "one_way": one_way,
    }


def _trace(w: World, rng: random.Random) -> None:
    w.by_budget = rng.random() < 0.5
    w.budget = {False: rng.randint(0, 4), True: rng.randint(0, 3)}
    kinds = ["land", "sea", "inland"][: rng.randint(1, FAR)]
    for i, name in enumerate(kinds):
        leg: dict[str, Any] = {"leg": name, "way": "sail" if name == "sea" else "march"}
        if i:
            leg["optional"] = rng.random() < 0.7
        if name == "sea":
            leg["begin"] = rng.choice(["port", "start or port", "any"])
        if not w.by_budget and rng.random() < 0.7:
            leg["at_most"] = {False: rng.randint(0, 3), True: rng.randint(0, 3)}
            leg["flagged"] = rng.random() < 0.5
        w.legs.append(leg)
    if "sea" in kinds and rng.random() < 0.6:
        w.counts["sea"] = rng.randint(0, 1)
    if rng.random() < 0.4:
        w.counts["strait"] = rng.randint(0, 2)
    w.relays = rng.random() < 0.6
    w.relay_line = w.relays and rng.random() < 0.4
    w.relays_to_relays = rng.random() < 0.7
    w.judge = rng.choice(["tracer", "relay"])
    w.start_free = rng.random() < 0.3
    if rng.random() < 0.3:
        w.only_in["depot"] = rng.sample(kinds, rng.randint(1, len(kinds)))


# The same as files ----------------------------------------------------------------------------------------------------

MODULE = {
    "format": 1, "id": "random", "version": "0.0.0", "stage": "rules", "languages": ["en"], "name": "Random",
    "sides": [{"id": side, "name": side} for side in ("red", "blue")],
    "powers": [{"id": power, "side": side, "name": power} for power, side in POWERS.items()],
    "vocabulary": {
        "space": {"kind": ["land", "sea"], "port": "bool", "city": "bool", "depot": "bool", "bad": "bool", "rough": "bool",
                  "shut_to": "set of power", "room": {"type": "number", "default": 1}},
        "link": {"kind": ["land", "water"], "tags": ["strait", "road"]},
        "piece": {"hq": "bool", "size": {"type": "number", "default": 1}},
    },
}  # fmt: skip
COUNTERS = {
    "types": [{"id": "unit", "name": "unit"}],
    "counters": [{"type": "unit", "powers": list(POWERS)}],
}


def rules_of(w: World) -> list[dict[str, Any]]:
    free = {"shut_to": {"none": "@tracer.power"}}
    price = {"first": [{"if": {"@to.rough": True}, "then": 2}], "else": 1}
    ways = {
        "march": {"links": {"kind": "land"}, "enter": {"kind": "land", **free}, "cost": price},
        "ride": {"like": "march", "cost": {"first": [{"if": {"@link.tags": "road"}, "then": 0}], "else": price}},
        "sail": {
            "links": {"any": [{"kind": "water"}, {"tags": "road", "from": "@start"}]},
            "enter": free, "pass": {"kind": "sea"}, "cost": {"first": [{"if": {"@to.kind": "land"}, "then": 1}], "else": 0},
        },
    }  # fmt: skip
    trace: dict[str, Any] = {
        "trace": "supply", "on": "piece", "levels": list(LEVELS), "judge": w.judge,
        "sources": [
            {"source": "city", "level": "full", "space": {"city": True, **free}},
            {"source": "depot", "level": "low", "space": {"depot": True}},
        ],
    }  # fmt: skip
    for source in trace["sources"]:
        if source["source"] in w.only_in:
            source["in"] = w.only_in[source["source"]]
    if w.start_free:
        trace["start"] = free
    if any(leg.get("flagged") for leg in w.legs):
        weather = {"first": [{"if": {"@to.bad": True}, "then": "bad"}], "else": "good"}
        trace["flags"] = {"weather": {"of": weather, "worst_of": ["good", "bad"]}}
    if w.counts:
        which = {"sea": {"leg": "sea"}, "strait": {"cross": {"tags": "strait"}}}
        trace["counts"] = {name: {**which[name], "at_most": limit} for name, limit in w.counts.items()}
    trace["lines"] = {"plain": _line(w, "march")}
    trace["chain"] = [{"from": ["tracer"], "to": ["city", "depot"], "line": "plain"}]
    if w.relays:
        trace["relays"] = [{"relay": "hq", "piece": {"hq": True, "side": "@tracer.side"}}]
        if w.relay_line:
            trace["lines"]["fast"] = _line(w, "ride")
        trace["chain"][0]["to"].append("hq")
        ends = ["city", "depot", *(["hq"] if w.relays_to_relays else [])]
        trace["chain"].append({"from": ["hq"], "to": ends, "line": "fast" if w.relay_line else "plain"})
    return [{"ways": ways}, trace]


def _line(w: World, way: str) -> dict[str, Any]:
    line: dict[str, Any] = {"legs": [_leg(leg, way) for leg in w.legs]}
    if w.by_budget:
        line["budget"] = {
            "first": [{"if": {"@start.bad": True}, "then": w.budget[True]}],
            "else": w.budget[False],
        }
    return line


def _leg(leg: dict[str, Any], way: str) -> dict[str, Any]:
    out = {key: leg[key] for key in ("leg", "way", "optional") if key in leg}
    if out["way"] == "march":
        out["way"] = way
    begin = {
        "port": {"port": True},
        "start or port": {"any": [{"is": "@start", "bad": True}, {"port": True}]},
    }
    if leg.get("begin") in begin:
        out["begin"] = begin[leg["begin"]]
    if "at_most" in leg:
        bad, good = leg["at_most"][True], leg["at_most"][False]
        if leg["flagged"]:
            out["at_most"] = {"first": [{"if": {"@path.weather": "bad"}, "then": bad}], "else": good}
        else:
            out["at_most"] = good
    return out


def files_of(w: World, rules: list[dict[str, Any]]) -> dict[str, Any]:
    spaces = [{"id": name, "name": name, **values} for name, values in w.spaces.items()]
    links = [
        {
            "kind": link["kind"],
            "tags": link["tags"],
            "one_way": link["one_way"],
            "pairs": [[link["a"], link["b"]]],
        }
        for link in w.links
    ]
    placements = [
        {
            "at": p["at"],
            "pieces": [
                {
                    "piece": f"{p['power']}.unit",
                    "id": p["id"],
                    "hq": p["hq"],
                    **({"size": p["size"]} if "size" in p else {}),
                }
            ],
        }
        for p in w.pieces
    ]
    return {
        "module.json": MODULE,
        "counters/c.json": COUNTERS,
        "maps/m.json": {"id": "m", "kind": "area", "spaces": spaces, "links": links},
        "rules.json": {"rules": rules},
        "scenarios/s.json": {"id": "s", "name": "s", "placements": placements},
    }


def built(files: dict[str, Any]) -> tuple[Module, RulePack]:
    docs = {}
    for path, value in files.items():
        text = json.dumps(value)
        docs[path] = Document(path, text, json.loads(text, parse_float=Decimal), path, kind_of(path))
    module, findings = build(docs)
    assert module is not None, findings
    pack, findings = compile_rules(module)
    errors = [f.message for f in findings if f.severity.word == "error"]
    assert not errors, errors
    return module, pack


# The plain search -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class At:
    """Where a line is, with all that could matter later."""

    origin: str  # the tracer's or the relay's id
    asks: str  # the power for which conditions are asked
    start: str
    fast: bool
    leg: int
    space: str
    left: bool  # has left its start
    entered: bool  # the space was entered in this leg
    used: tuple[tuple[str, int], ...]
    bad: bool  # bad weather somewhere in this leg
    spent: int


@dataclass(frozen=True, order=True)
class Walk:
    """A path so far: by cost, then steps, then ids."""

    total: int
    steps: int
    ids: tuple[str, ...]


def plain_level(w: World, tracer: dict[str, Any]) -> str:
    """The best level that any chain of lines from the tracer reaches."""
    return next((level for level in LEVELS[:-1] if level in plain_walks(w, tracer)), LEVELS[-1])


def plain_walks(w: World, tracer: dict[str, Any]) -> dict[str, Walk]:
    """The best path to a source of each level that can be reached."""
    starts = list(_set_out(w, tracer, tracer["power"], False, ()))
    if w.relays and tracer["hq"]:
        starts += _set_out(w, tracer, tracer["power"], w.relay_line, (), acts=True)
    todo = [(Walk(0, 0, (at.space,)), i, at) for i, at in enumerate(starts)]
    seen: set[At] = set()
    found: dict[str, Walk] = {}
    made = len(todo)
    while todo:
        walk, _, at = heappop(todo)
        if at in seen:
            continue
        seen.add(at)
        here: list[At] = []
        if _leg_is_paid(w, at):
            for level in _ends_here(w, at):
                found.setdefault(level, walk)
            here = [*_relays_here(w, at, tracer), *_changes(w, at)]
        on = [
            (Walk(walk.total + cost, walk.steps + 1, (*walk.ids, to.space)), to) for cost, to in _steps(w, at)
        ]
        for further, to in [*((walk, to) for to in here), *on]:
            made += 1
            heappush(todo, (further, made, to))
    return found


def _set_out(
    w: World,
    item: dict[str, Any],
    asks: str,
    fast: bool,
    used: tuple[tuple[str, int], ...],
    acts: bool = False,
) -> Iterator[At]:
    space = item["at"]
    if w.start_free and asks in w.spaces[space]["shut_to"]:
        return
    name = item["id"] + ("+" if acts else "")
    yield At(name, asks, space, fast, 0, space, False, False, used, w.spaces[space]["bad"], 0)


def _leg_is_paid(w: World, at: At) -> bool:
    leg = w.legs[at.leg]
    if w.by_budget:
        return at.spent <= w.budget[w.spaces[at.start]["bad"]]
    return "at_most" not in leg or at.spent <= leg["at_most"][at.bad if leg["flagged"] else False]


def _ends_here(w: World, at: At) -> set[str]:
    space = w.spaces[at.space]
    out = set()
    leg = w.legs[at.leg]["leg"]
    if space["city"] and at.asks not in space["shut_to"]:
        out.add("full")
    if space["depot"] and leg in w.only_in.get("depot", [leg]):
        out.add("low")
    return out


def _relays_here(w: World, at: At, tracer: dict[str, Any]) -> Iterator[At]:
    from_relay = at.origin != tracer["id"]
    if not w.relays or (from_relay and not w.relays_to_relays):
        return
    for piece in w.pieces:
        if piece["at"] == at.space and piece["hq"] and POWERS[piece["power"]] == POWERS[at.asks]:
            asks = piece["power"] if w.judge == "relay" else tracer["power"]
            yield from _set_out(w, piece, asks, w.relay_line, at.used, acts=True)


def _changes(w: World, at: At) -> Iterator[At]:
    for j in range(at.leg + 1, len(w.legs)):
        leg, space = w.legs[j], w.spaces[at.space]
        begin = leg.get("begin", "any")
        at_start = not at.left and begin == "start or port" and space["bad"]
        if begin == "any" or space["port"] or at_start:
            used = _more(w, at.used, "sea") if leg["leg"] == "sea" else at.used
            if used is not None:
                spent = at.spent if w.by_budget else 0
                yield At(
                    at.origin,
                    at.asks,
                    at.start,
                    at.fast,
                    j,
                    at.space,
                    at.left,
                    False,
                    used,
                    space["bad"],
                    spent,
                )
        if not leg.get("optional"):
            return


def _more(w: World, used: tuple[tuple[str, int], ...], name: str) -> tuple[tuple[str, int], ...] | None:
    if name not in w.counts:
        return used
    counts = dict(used)
    counts[name] = counts.get(name, 0) + 1
    return tuple(sorted(counts.items())) if counts[name] <= w.counts[name] else None


def _steps(w: World, at: At) -> Iterator[tuple[int, At]]:
    leg = w.legs[at.leg]
    sails = leg["way"] == "sail"
    if at.entered and sails and w.spaces[at.space]["kind"] != "sea":
        return
    for a, b, link in _directed(w):
        if a != at.space:
            continue
        to = w.spaces[b]
        first_road = not at.left and "road" in link["tags"]
        goes = (link["kind"] == "water" or first_road) if sails else link["kind"] == "land"
        if not goes or at.asks in to["shut_to"] or (not sails and to["kind"] != "land"):
            continue
        cost = (1 if to["kind"] == "land" else 0) if sails else (2 if to["rough"] else 1)
        if not sails and at.fast and "road" in link["tags"]:
            cost = 0
        used = _more(w, at.used, "strait") if "strait" in link["tags"] else at.used
        if used is None:
            continue
        spent = min(at.spent + cost, 40)  # beyond every limit
        bad = at.bad or to["bad"]
        yield cost, At(at.origin, at.asks, at.start, at.fast, at.leg, b, True, True, used, bad, spent)


def _directed(w: World) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for link in w.links:
        yield link["a"], link["b"], link
        if not link["one_way"]:
            yield link["b"], link["a"], link
