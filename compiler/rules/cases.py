"""Cases: one question asked of a position, and whether the answer is the one the author expects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from compiler.findings import Finding, Line, Severity
from compiler.model.types import KINDS, Case, Module
from compiler.rules.compiler import Scope
from compiler.rules.definitions import SCENARIO
from compiler.rules.evidence import line_of, to_finding
from compiler.rules.items import Broken, Item, Position, Trouble, Unknown
from compiler.rules.judge import Judged, effective, judge_rule, position_of
from compiler.rules.pack import RulePack, reads_through
from compiler.rules.words import plain, show, with_article
from compiler.suggest import did_you_mean


@dataclass(frozen=True, slots=True)
class CaseResult:
    """`got` is the answer in the form of the expected one; `message` says in words what was wrong.

    `found` are the findings of a question about findings, `line` the way of a question about a trace.
    """

    passed: bool
    got: Mapping[str, object]
    message: str
    found: tuple[Finding, ...] = ()
    line: Line | None = None


class _CannotAsk(Exception):
    """The question itself makes no sense: said in the result's message."""


def run_case(pack: RulePack, module: Module, case: Case) -> CaseResult:
    """Asks the question. Whatever is wrong with it is a failed case with a reason, never an exception."""
    world: Position | None = None
    try:
        world = position_of(pack, case.scenario, case.fixture)
        asking = _Asking(pack, world, case)
        got = asking.answer()
    except (_CannotAsk, Trouble) as problem:
        return CaseResult(False, {}, str(problem))
    except Unknown as unknown:
        told = f"needs '{unknown.name}' of {with_article(unknown.kind)}, which the case does not state"
        return CaseResult(False, {}, told)
    except Broken:
        return CaseResult(False, {}, "the question reads a definition that has errors")
    except RecursionError:
        return CaseResult(False, {}, "the definitions it reads are nested too deep")
    finally:
        if world is not None:
            world.let_go()
    return replace(_compare(case.answer, got), found=tuple(asking.found), line=asking.line)


def answers(case: Case, got: Mapping[str, object]) -> bool:
    """Whether this is the answer that the case expects."""
    return _compare(case.answer, got).passed


def _compare(expected: Mapping[str, object], got: Mapping[str, object]) -> CaseResult:
    asked = {key: wanted for key, wanted in expected.items() if key != "note"}
    answers = ", ".join(sorted(key for key in got if key != "messages"))
    if not asked:
        return CaseResult(False, got, f"the case expects nothing; this question can answer: {answers}")
    for key, wanted in asked.items():
        if key not in got:
            return CaseResult(False, got, f"this question has no answer '{key}' (it has {answers})")
        if not _agrees(key, wanted, got[key]):
            told = f"{key}: expected {_words(wanted)}, got {_words(got[key])}{_because(got)}"
            return CaseResult(False, got, told)
    return CaseResult(True, got, "")


def _because(got: Mapping[str, object]) -> str:
    messages = got.get("messages")
    return f" ({'; '.join(str(m) for m in messages[:3])})" if isinstance(messages, list) and messages else ""


def _agrees(key: str, wanted: object, got: object) -> bool:
    """A path has an order; of several stops one may be named."""
    if key == "path":
        return wanted == got
    if key == "stop" and isinstance(got, list) and isinstance(wanted, str):
        return wanted in got
    return _same(wanted, got)


def _same(wanted: object, got: object) -> bool:
    if isinstance(wanted, list) and isinstance(got, list):
        return sorted(map(str, wanted)) == sorted(map(str, got))
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    return wanted == got


def _words(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(str, value)) + "]"
    return plain(Fraction(value)) if isinstance(value, Decimal) else show(value)


class _Asking:
    def __init__(self, pack: RulePack, world: Position, case: Case) -> None:
        self.pack, self.world, self.case = pack, world, case
        self.ask = case.ask
        self.found: list[Finding] = []
        self.line: Line | None = None

    def answer(self) -> dict[str, object]:
        known = ("findings", "plan", "rule", "field", "trace", "term", "neighbours", "adjacent", "distance")
        for key in known:
            if key in self.ask:
                return getattr(self, f"ask_{key}")()  # type: ignore[no-any-return]
        told = ", ".join(self.ask) or "nothing"
        raise _CannotAsk(f"cannot ask {told}; known questions: {', '.join(known)}")

    # Findings

    def ask_findings(self) -> dict[str, object]:
        wanted = self.ask["findings"]
        return self.judged(
            [self.rule_id(r) for r in wanted] if isinstance(wanted, list) else list(self.pack.rules)
        )

    def ask_plan(self) -> dict[str, object]:
        wanted = self.ask["plan"]
        if isinstance(wanted, list):
            return self.judged([self.rule_id(r) for r in wanted])
        return self.judged([id for id in self.pack.rules if self.binds_arrivals(id)])

    def binds_arrivals(self, id: str) -> bool:
        rule = effective(self.pack, self.world, self.case.scenario, id)
        reads = () if rule is None else reads_through(self.pack, rule.reads)
        return any(kind == "arrival" or name == "arrivals" for kind, name in reads)

    def judged(self, rules: list[str]) -> dict[str, object]:
        found = self.found
        asked = self.ask.get("findings") != "all"
        for id in rules:
            judged = judge_rule(self.pack, self.world, self.case.scenario, id)
            self.check(id, judged, asked)
            found += [to_finding(self.pack.module, v, self.case.scenario) for v in judged.verdicts]
        fired = sorted({f.code for f in found})
        legal = not any(f.severity is Severity.ERROR for f in found)
        return {"legal": legal, "findings": fired, "messages": [f"{f.code}: {f.message}" for f in found]}

    def check(self, id: str, judged: Judged, asked: bool) -> None:
        """A rule that is named in the question must have an answer; with "all" it may be one that is not judged."""
        if judged.skipped is not None and asked:
            raise _CannotAsk(f"rule '{id}' is not judged: {judged.skipped.reason}")
        if judged.stuck:
            raise _CannotAsk(f"rule '{id}' has no answer: {judged.stuck[0].reason}")

    def rule_id(self, id: object) -> str:
        if isinstance(id, str) and id in self.pack.rules:
            return id
        if any(entry.value.get("id") == id for entry in self.pack.module.rules):
            raise _CannotAsk(f"rule '{id}' has errors of its own")
        raise _CannotAsk(f"there is no rule '{id}'" + _maybe(did_you_mean(str(id), self.pack.rules)))

    # One rule on one subject

    def ask_rule(self) -> dict[str, object]:
        id = self.rule_id(self.ask["rule"])
        at = self.ask.get("at")
        wanted = dict(at) if isinstance(at, Mapping) else {}
        judged = judge_rule(self.pack, self.world, self.case.scenario, id, everything=True)
        if not judged.in_force:
            raise _CannotAsk(f"rule '{id}' does not hold at this moment or under these options")
        self.check_subject(id, wanted)
        asked = [stuck for stuck in judged.stuck if wanted.items() <= stuck.bound.items()]
        self.check(id, replace(judged, stuck=tuple(asked)), asked=True)
        fitting = [v for v in judged.verdicts if all(_plain(v.env[name]) == wanted[name] for name in wanted)]
        if not fitting:
            return {"legal": True, "value": None, "bound": None}
        worst = next((v for v in fitting if not v.legal), fitting[0])
        return {"legal": worst.legal, "value": _plain(worst.value), "bound": _plain(worst.bound)}

    def check_subject(self, id: str, wanted: Mapping[str, object]) -> None:
        rule = effective(self.pack, self.world, self.case.scenario, id)
        bound = {binding.name: binding for binding in rule.bindings} if rule else {}
        for name, value in wanted.items():
            if name not in bound:
                known = did_you_mean(name, bound) or f"it binds {', '.join(bound) or 'nothing'}"
                raise _CannotAsk(f"rule '{id}' binds no '{name}'; {known}")
            kind = bound[name].of
            if kind is not None:
                self.item({kind: value})
            elif value not in bound[name].words:
                raise _CannotAsk(
                    f"'{name}' of rule '{id}' is one of {', '.join(bound[name].words)}, not '{value}'"
                )

    # Fields, terms, geometry

    def ask_field(self) -> dict[str, object]:
        item = self.item(self.ask.get("of"))
        name = str(self.ask["field"])
        if self.pack.vocabulary.type_of(item.kind, name) is None:
            known = self.pack.vocabulary.names(item.kind)
            raise _CannotAsk(
                f"{with_article(item.kind)} has no attribute '{name}'" + _maybe(did_you_mean(name, known))
            )
        return {"value": _plain(item.get(name))}

    def ask_trace(self) -> dict[str, object]:
        item, name = self.item(self.ask.get("of")), str(self.ask["trace"])
        traces = self.pack.traces(self.world, self.case.scenario)
        if (item.kind, name) not in traces:
            known = [n for kind, n in traces if kind == item.kind]
            raise _CannotAsk(
                f"{with_article(item.kind)} has no trace '{name}'" + _maybe(did_you_mean(name, known))
            )
        if self.pack.noted is not None:
            self.pack.noted.add(("definition", (item.kind, name)))
        found = self.world.explain[item.kind, name](item)
        if found is None:
            return {
                "level": None,
                "cost": None,
                "path": None,
                "stop": None,
                "messages": ["it does not trace"],
            }
        self.line = line_of(found)
        path = list(dict.fromkeys(step.space for step in found.path)) if found.path else None
        return {
            "level": found.level,
            "cost": _plain(found.cost),
            "path": path,
            "stop": [stop.space for stop in found.stops] or None,
            "messages": [found.words],
        }

    def item(self, of: object) -> Item:
        if of is None:
            return self.world.scenario
        if not isinstance(of, Mapping) or len(of) != 1:
            raise _CannotAsk('\'of\' names one item: {"space": "…"}')
        ((kind, id),) = of.items()
        if kind == "scenario":
            return self.world.scenario
        if kind not in KINDS:
            raise _CannotAsk(f"'{kind}' is no kind of item" + _maybe(did_you_mean(str(kind), KINDS)))
        id = str(id)
        found = self.world.items.get(kind, {}).get(id) or self.loose(kind, id)
        if found is None:
            known = [i.id for i in self.world.all(kind)]
            raise _CannotAsk(f"there is no {kind} '{id}' in this position" + _maybe(did_you_mean(id, known)))
        return found

    def loose(self, kind: str, id: str) -> Item | None:
        """A link may be asked for by the name it has in the map file, or as a>b."""
        if kind != "link":
            return None
        links = self.world.all("link")
        return next((link for link in links if link.attrs["id"] == id or link.id.endswith(":" + id)), None)

    def ask_term(self) -> dict[str, object]:
        c = self.pack.compiler()
        c.vocabulary = replace(c.vocabulary, ids={**c.vocabulary.ids, **self.brought()})
        typed = c.term(self.ask["term"], Scope(SCENARIO), self.case.ask_place / "term")
        if c.findings:
            raise _CannotAsk("; ".join(f.message for f in c.findings))
        return {"value": _plain(typed.term.value({"scenario": self.world.scenario}))}

    def brought(self) -> dict[str, frozenset[str]]:
        """The ids of what a case's fixture may bring: its question may name them too."""
        return {kind: frozenset(self.world.items.get(kind, ())) for kind in ("space", "region", "track")}

    def ask_neighbours(self) -> dict[str, object]:
        return {"value": _plain(self.space(self.ask["neighbours"]).get("neighbours"))}

    def ask_adjacent(self) -> dict[str, object]:
        a, b = self.two("adjacent")
        return {"value": any(link.attrs["to"] is b for link in a.get("links_out"))}

    def ask_distance(self) -> dict[str, object]:
        a, b = self.two("distance")
        c = self.pack.compiler()
        way = c.way(self.ask.get("by"), Scope(SCENARIO), self.case.ask_place / "by")
        if c.findings:
            raise _CannotAsk("; ".join(f.message for f in c.findings))
        env = {"scenario": self.world.scenario}
        return {"value": next((_plain(cost) for cost, space in way.reach(a, None, env) if space is b), None)}

    def two(self, key: str) -> tuple[Item, Item]:
        pair = self.ask[key]
        if not isinstance(pair, list) or len(pair) != 2:
            raise _CannotAsk(f"'{key}' takes two spaces")
        return self.space(pair[0]), self.space(pair[1])

    def space(self, id: object) -> Item:
        return self.item({"space": id})


def _maybe(help: str | None) -> str:
    return f"; {help}" if help else ""


def as_json(value: Any) -> Any:
    """A value as JSON writes it: decimals become numbers."""
    found = _plain(value)
    return _written(found)


def _written(value: Any) -> Any:
    if isinstance(value, list):
        return [_written(one) for one in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return dict(value) if isinstance(value, Mapping) else value


def _plain(value: Any) -> Any:
    """A value as JSON would hold it: ids, lists, and numbers as decimals where one is exact."""
    if isinstance(value, Item):
        return value.id
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if isinstance(value, Fraction):
        told = plain(value)
        return told if "/" in told else Decimal(told)
    return value
