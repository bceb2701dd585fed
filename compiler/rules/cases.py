"""Cases: one question asked of a position, and whether the answer is the one the author expects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from compiler.findings import Finding, Severity
from compiler.model.types import KINDS, Case, Module
from compiler.rules import nodes as n
from compiler.rules.compiler import Compiler, Scope
from compiler.rules.entries import SCENARIO, Rule
from compiler.rules.items import Broken, Item, Position, Trouble, Unknown
from compiler.rules.judge import effective, judge_rule, position_of, verdicts_of
from compiler.rules.pack import RulePack
from compiler.suggest import did_you_mean


@dataclass(frozen=True, slots=True)
class CaseResult:
    """`got` is the answer in the form of the expected one; `message` says in words what was wrong."""

    passed: bool
    got: Mapping[str, object]
    message: str


class _CannotAsk(Exception):
    """The question itself makes no sense: said in the result's message."""


def run_case(pack: RulePack, module: Module, case: Case) -> CaseResult:
    """Asks the question. Whatever is wrong with it is a failed case with a reason, never an exception."""
    try:
        world = position_of(pack, case.scenario, case.fixture)
        got = _Asking(pack, world, case).answer()
    except _CannotAsk as problem:
        return CaseResult(False, {}, str(problem))
    except Unknown as unknown:
        return CaseResult(
            False, {}, f"needs '{unknown.name}' of a {unknown.kind}, which the case does not state"
        )
    except Broken:
        return CaseResult(False, {}, "the question reads a definition that has errors")
    except Trouble as trouble:
        return CaseResult(False, {}, str(trouble))
    return _compare(case.answer, got)


def _compare(expected: Mapping[str, object], got: Mapping[str, object]) -> CaseResult:
    for key, wanted in expected.items():
        if key == "note":
            continue
        if key not in got:
            return CaseResult(
                False, got, f"this question has no answer '{key}' (it has {', '.join(sorted(got))})"
            )
        if not _same(wanted, got[key]):
            return CaseResult(
                False, got, f"{key}: expected {_words(wanted)}, got {_words(got[key])}{_because(got)}"
            )
    return CaseResult(True, got, "")


def _because(got: Mapping[str, object]) -> str:
    messages = got.get("messages")
    return f" ({'; '.join(str(m) for m in messages[:3])})" if isinstance(messages, list) and messages else ""


def _same(wanted: object, got: object) -> bool:
    if isinstance(wanted, list) and isinstance(got, list):
        return sorted(map(str, wanted)) == sorted(map(str, got))
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, (int, Decimal)) and isinstance(got, (int, Decimal, Fraction)):
        return Fraction(wanted) == Fraction(got)
    return wanted == got


def _words(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(str, value)) + "]"
    return n.show(value)


class _Asking:
    def __init__(self, pack: RulePack, world: Position, case: Case) -> None:
        self.pack, self.world, self.case = pack, world, case
        self.ask = case.ask

    def answer(self) -> dict[str, object]:
        for key in ("findings", "plan", "rule", "field", "term", "neighbours", "adjacent", "distance"):
            if key in self.ask:
                return getattr(self, f"ask_{key}")()  # type: ignore[no-any-return]
        known = "findings, plan, rule, field, term, neighbours, adjacent, distance"
        raise _CannotAsk(f"cannot ask {', '.join(self.ask) or 'nothing'}; known questions: {known}")

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
        return isinstance(rule, Rule) and any(
            kind == "arrival" or name == "arrivals" for kind, name in rule.reads
        )

    def judged(self, rules: list[str]) -> dict[str, object]:
        found: list[Finding] = []
        asked = isinstance(self.ask.get("findings"), list)
        for id in rules:
            findings, skipped = judge_rule(self.pack, self.world, self.case.scenario, id)
            found += findings
            if skipped is not None and asked:
                raise _CannotAsk(f"rule '{id}' is not judged: {skipped.reason}")
        fired = sorted({f.code for f in found})
        legal = not any(f.severity is Severity.ERROR for f in found)
        return {"legal": legal, "findings": fired, "messages": [f"{f.code}: {f.message}" for f in found]}

    def rule_id(self, id: object) -> str:
        if not isinstance(id, str) or id not in self.pack.rules:
            raise _CannotAsk(f"there is no rule '{id}'" + _maybe(did_you_mean(str(id), self.pack.rules)))
        return id

    # One rule on one subject

    def ask_rule(self) -> dict[str, object]:
        id = self.rule_id(self.ask["rule"])
        at = self.ask.get("at")
        wanted = dict(at) if isinstance(at, Mapping) else {}
        verdicts, skipped = verdicts_of(self.pack, self.world, self.case.scenario, id)
        if skipped is not None:
            raise _CannotAsk(f"rule '{id}' is not judged: {skipped.reason}")
        fitting = [
            v for v in verdicts if all(_id(v.env.get(name)) == value for name, value in wanted.items())
        ]
        if not fitting:
            if effective(self.pack, self.world, self.case.scenario, id) is None:
                raise _CannotAsk(f"rule '{id}' does not hold at this moment or under these options")
            return {"legal": True, "value": None, "bound": None}
        worst = next((v for v in fitting if not v.legal), fitting[0])
        return {"legal": worst.legal, "value": _plain(worst.value), "bound": _plain(worst.bound)}

    # Fields, terms, geometry

    def ask_field(self) -> dict[str, object]:
        item = self.item(self.ask.get("of"))
        name = str(self.ask["field"])
        if self.pack.vocabulary.type_of(item.kind, name) is None:
            known = self.pack.vocabulary.names(item.kind)
            raise _CannotAsk(f"a {item.kind} has no attribute '{name}'" + _maybe(did_you_mean(name, known)))
        return {"value": _plain(item.get(name))}

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
        found = self.world.items.get(kind, {}).get(id) or self.loose(kind, str(id))
        if found is None:
            known = [i.id for i in self.world.all(kind)]
            raise _CannotAsk(
                f"there is no {kind} '{id}' in this position" + _maybe(did_you_mean(str(id), known))
            )
        return found

    def loose(self, kind: str, id: str) -> Item | None:
        """A link may be asked for by the name it has in the map file, or as a>b."""
        if kind != "link":
            return None
        links = list(self.world.all("link"))
        return next(
            (link for link in links if link.id.split(":")[0] == id or link.id.endswith(":" + id)), None
        )

    def ask_term(self) -> dict[str, object]:
        c: Compiler = self.pack.compiler()
        typed = c.term(self.ask["term"], Scope(SCENARIO), self.case.ask_place / "term")
        if c.findings:
            raise _CannotAsk("; ".join(f.message for f in c.findings))
        return {"value": _plain(typed.term.value({"scenario": self.world.scenario}))}

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


def _id(value: object) -> object:
    return value.id if isinstance(value, Item) else value


def _plain(value: Any) -> Any:
    if isinstance(value, Item):
        return value.id
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return value
