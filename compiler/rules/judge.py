"""Judging: the rules of a pack on a position give verdicts, and failing verdicts give findings."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from compiler.findings import Finding, Place, note, warning
from compiler.model.types import Fixture, Module, Override, Scenario
from compiler.rules import fit as fitting
from compiler.rules import nodes as n
from compiler.rules.entries import Binding, Rule, fill
from compiler.rules.items import Broken, Env, Item, Position, Trouble, Unknown
from compiler.rules.pack import RulePack
from compiler.rules.position import build_position

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Verdict:
    """One rule on one subject. `passed_by` names the exception that let it pass."""

    rule: Rule
    env: Env
    legal: bool
    value: Any = None
    bounds: tuple[tuple[str, Any], ...] = ()
    items: tuple[Item, ...] = ()
    outcome: fitting.Outcome | None = None
    passed_by: str | None = None

    @property
    def bound(self) -> Any:
        return self.bounds[0][1] if self.bounds else None

    @property
    def subject(self) -> tuple[str, ...]:
        return tuple(_id(self.env[b.name]) for b in self.rule.bindings)


@dataclass(frozen=True, slots=True)
class NotJudged:
    rule: str
    reason: str
    place: Place


@dataclass(frozen=True, slots=True)
class Judgement:
    """All findings on a scenario, acknowledged ones taken out, and the rules that could not be judged."""

    findings: tuple[Finding, ...]
    acknowledged: tuple[Finding, ...]
    not_judged: tuple[NotJudged, ...]


def position_of(pack: RulePack, scenario: Scenario, fixture: Fixture | None = None) -> Position:
    world = build_position(pack.module, pack.vocabulary, scenario, fixture)
    moments = pack.module.sequence.moments
    if world.scenario.attrs["moment"] is None and moments:
        world.scenario.attrs["moment"] = moments[0]
    world.derive = pack.derivations(world)
    return world


def judge(pack: RulePack, module: Module, scenario: Scenario, fixture: Fixture | None = None) -> Judgement:
    """Runs every rule that holds in this scenario."""
    world = position_of(pack, scenario, fixture)
    raw: list[Finding] = []
    not_judged: list[NotJudged] = []
    for id in pack.rules:
        found, why = judge_rule(pack, world, scenario, id)
        raw += found
        if why is not None:
            not_judged.append(why)
    findings, accepted = _acknowledge(raw, scenario, {skipped.rule for skipped in not_judged})
    findings += [
        note("G103", f"rule '{skipped.rule}' is not judged: {skipped.reason}", skipped.place, rule=skipped.rule,
             help="state the fact in the scenario, or give the attribute a default in module.json")
        for skipped in not_judged
    ]  # fmt: skip
    return Judgement(tuple(findings), tuple(accepted), tuple(not_judged))


def judge_rule(
    pack: RulePack, world: Position, scenario: Scenario, id: str
) -> tuple[list[Finding], NotJudged | None]:
    verdicts, skipped = verdicts_of(pack, world, scenario, id)
    undecided = [v for v in verdicts if v.outcome is not None and not v.outcome.decided]
    findings = [to_finding(pack.module, v, scenario) for v in verdicts if not v.legal]
    if undecided and skipped is None:
        skipped = NotJudged(id, "the search for a fit was too large", scenario.place)
    return findings, skipped


def verdicts_of(
    pack: RulePack, world: Position, scenario: Scenario, id: str
) -> tuple[list[Verdict], NotJudged | None]:
    """Every subject's verdict, or why the rule cannot be judged. No verdict at all: the rule does not hold here."""
    rule = effective(pack, world, scenario, id)
    if rule is None:
        return [], None
    try:
        return list(_run(rule, world)), None
    except Unknown as unknown:
        return [], NotJudged(
            id,
            f"it needs '{unknown.name}' of a {unknown.kind}, which the scenario does not state",
            scenario.place,
        )
    except Broken:
        return [], NotJudged(id, "it reads a definition that has errors", rule.place)
    except Trouble as trouble:
        return [], NotJudged(id, str(trouble), rule.place)


def effective(pack: RulePack, world: Position, scenario: Scenario, id: str) -> Rule | None:
    """The rule as it holds in this scenario, or None if it does not."""
    override = next((o for o in scenario.overrides if o.rule == id), None)
    if override is not None and override.off:
        return None
    rule = pack.variant(pack.rules[id], world, _changes(override))
    if not isinstance(rule, Rule):
        return None
    now = world.scenario
    if rule.at and now.get("moment") not in rule.at:
        return None
    return rule if rule.when is None or rule.when.holds(now, {"scenario": now}) else None


def _changes(override: Override | None) -> Override | None:
    return override if override is not None and override.set else None


# Running --------------------------------------------------------------------------------------------------------------


def _run(rule: Rule, world: Position) -> Iterator[Verdict]:
    verdicts = [_judge_one(rule, dict(env)) for env in _subjects(rule, world)]
    return _pairs_once(rule, verdicts)


def _subjects(rule: Rule, world: Position) -> Iterator[Env]:
    kept: dict[int, list[Any]] = {}
    env: Env = {"scenario": world.scenario}

    def bind(i: int) -> Iterator[Env]:
        if i == len(rule.bindings):
            yield env
            return
        binding = rule.bindings[i]
        for found in _candidates(i, binding, world, env, kept):
            env[binding.name] = found
            if binding.pair_of is not None and env[binding.pair_of] is found:
                continue
            yield from bind(i + 1)

    yield from bind(0)


def _candidates(
    i: int, binding: Binding, world: Position, env: Env, kept: dict[int, list[Any]]
) -> Iterable[Any]:
    if not binding.free:
        return list(binding.candidates(world, env))
    if i not in kept:
        kept[i] = list(binding.candidates(world, env))
    return kept[i]


def _judge_one(rule: Rule, env: Env) -> Verdict:
    verdict = _first_look(rule, env)
    if verdict.legal:
        return verdict
    for exception in rule.unless:
        if exception.condition.holds(None, env):
            return Verdict(
                rule, env, True, verdict.value, verdict.bounds, verdict.items, verdict.outcome, exception.id
            )
    return verdict


def _first_look(rule: Rule, env: Env) -> Verdict:
    if rule.must is not None:
        first = env[rule.bindings[0].name] if rule.bindings else None
        subject = first if isinstance(first, Item) else None
        return Verdict(rule, env, rule.must.holds(subject, env))
    if rule.fit is not None:
        outcome = fitting.solve(rule.fit, env)
        return Verdict(rule, env, not outcome.left, items=outcome.items, outcome=outcome)
    return _total(rule, env)


def _total(rule: Rule, env: Env) -> Verdict:
    assert rule.total is not None
    value = rule.total.value(env)
    bounds = tuple((op, term.value(env)) for op, term in rule.bounds)
    if value is None:
        raise Trouble(f"{rule.total.words} has no value")
    legal = all(bound is None or n.COMPARISONS[op][0](value, bound) for op, bound in bounds)
    return Verdict(rule, env, legal, value, bounds, rule.total.counted(env) if not legal else ())


def _pairs_once(rule: Rule, verdicts: list[Verdict]) -> Iterator[Verdict]:
    """A pair that fails both ways round is reported once, smaller id first."""
    if not any(b.pair_of for b in rule.bindings):
        yield from verdicts
        return
    failing = {v.subject for v in verdicts if not v.legal}
    for verdict in verdicts:
        mirrored = _mirrored(rule, verdict)
        if verdict.legal or mirrored not in failing or verdict.subject < mirrored:
            yield verdict


def _mirrored(rule: Rule, verdict: Verdict) -> tuple[str, ...]:
    names = [b.name for b in rule.bindings]
    pair = next(b for b in rule.bindings if b.pair_of)
    i, j = names.index(pair.pair_of or ""), names.index(pair.name)
    ids = list(verdict.subject)
    ids[i], ids[j] = ids[j], ids[i]
    return tuple(ids)


def _id(value: Any) -> str:
    return value.id if isinstance(value, Item) else str(value)


# Findings -------------------------------------------------------------------------------------------------------------


def to_finding(module: Module, verdict: Verdict, scenario: Scenario) -> Finding:
    rule = verdict.rule
    words = _Words(module, verdict)
    said = f"rule.{rule.id}.say"
    text = module.texts.get(said) if module.texts.has(said) else rule.say
    helped = f"rule.{rule.id}.help"
    help = module.texts.get(helped) if module.texts.has(helped) else rule.help
    concerned = _concerned(verdict)
    return Finding(
        rule.id, rule.severity, words.fill(text) if text else words.default(), _place(verdict, scenario),
        words.fill(help) if help else words.default_help(), rule.id, rule.section,
        _ids(concerned, "space"), _ids(concerned, "piece") + _ids(concerned, "arrival"), (), verdict.subject,
    )  # fmt: skip


def _concerned(verdict: Verdict) -> list[Item]:
    bound = [v for b in verdict.rule.bindings if isinstance(v := verdict.env[b.name], Item)]
    found = [*bound, *(verdict.outcome.left if verdict.outcome else verdict.items)]
    spaces = [
        s
        for i in found
        if i.kind in ("piece", "arrival")
        for s in (i.get("space" if i.kind == "piece" else "at"),)
        if s
    ]
    return list(dict.fromkeys([*found, *spaces]))


def _ids(items: list[Item], kind: str) -> tuple[str, ...]:
    return tuple(item.id for item in items if item.kind == kind)


def _place(verdict: Verdict, scenario: Scenario) -> Place:
    """Where the author would go to mend it: a piece's placement, a track's value, an owner; else the thing itself."""
    bound = [v for b in verdict.rule.bindings if isinstance(v := verdict.env[b.name], Item)]
    extra = verdict.outcome.left if verdict.outcome else tuple(reversed(verdict.items))
    pieces = [i for i in (*bound, *extra) if i.kind in ("piece", "arrival") and i.place]
    if pieces:
        return pieces[0].place or scenario.place
    for found in bound:
        if found.kind == "track":
            return found.place or scenario.place
        if found.kind == "space":
            return _owner_entry(scenario, found.id) or found.place or scenario.place
    return next(
        (i.place for i in bound if i.place and i.kind in ("link", "region", "counter")), scenario.place
    )


def _owner_entry(scenario: Scenario, space: str) -> Place | None:
    """Where the scenario itself says something of the space: its owner or its state."""
    value: Any = scenario.place.document.value
    for key in scenario.place.path:
        value = value[key]
    own: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
    for field in ("control", "held"):
        for power, spaces in (own.get(field) or {}).items():
            if isinstance(spaces, list) and space in spaces:
                return scenario.place / field / str(power) / spaces.index(space)
    state = (own.get("state") or {}).get("space") or {}
    return scenario.place / "state" / "space" / space if space in state else None


class _Words:
    """Placeholders of one verdict, in the module's first language."""

    def __init__(self, module: Module, verdict: Verdict) -> None:
        self.module, self.verdict = module, verdict

    def fill(self, text: str) -> str:
        return fill(text, self.value_of)

    def value_of(self, inside: str) -> str:
        v = self.verdict
        root, *path = inside.split(".")
        own = {"value": v.value, "bound": v.bound, "excess": self.excess()}
        if root in own and not path:
            return n.plain(own[root]) if own[root] is not None else "nothing"
        if root in ("items", "left", "fits", "why") and not path:
            return {
                "items": self.items(v.items),
                "left": self.left(),
                "fits": self.fits(),
                "why": self.why(),
            }[root]
        for name, term in v.rule.show:
            if name == root:
                return self.name(term.value(v.env))
        found: Any = v.env.get(root)
        for name in path:
            found = found.get(name) if isinstance(found, Item) else None
        return self.name(found)

    def name(self, value: Any) -> str:
        if isinstance(value, tuple):
            return (
                ", ".join(self.name(v) for v in value[:SHOWN]) + n.more(len(value) - SHOWN)
                if value
                else "none"
            )
        if isinstance(value, Item):
            return self.item(value)
        if value is None or isinstance(value, bool):
            return n.show(value)
        return value if isinstance(value, str) else n.plain(value)

    def item(self, item: Item) -> str:
        """The name an author reads, with the id behind it where the one does not tell the other."""
        id = f"{item.kind}.{item.id}"
        if item.kind in ("piece", "arrival") or not self.module.texts.has(id):
            return n.short(item)
        name = self.module.texts.get(id)
        same = "".join(c for c in name.casefold() if c.isalnum()) == "".join(
            c for c in item.id.casefold() if c.isalnum()
        )
        return name if same else f"{name} ({item.id})"

    def items(self, items: Iterable[Item]) -> str:
        tally = Tally(self.item(i) for i in items)
        parts = [f"{number} × {name}" if number > 1 else name for name, number in tally.items()]
        return ", ".join(parts[:SHOWN]) + n.more(len(parts) - SHOWN) if parts else "none"

    def excess(self) -> Any:
        value, bound = self.verdict.value, self.verdict.bound
        return None if value is None or bound is None else abs(value - bound)

    def left(self) -> str:
        return self.items(self.verdict.outcome.left) if self.verdict.outcome else "none"

    def fits(self) -> str:
        outcome = self.verdict.outcome
        if outcome is None or not outcome.placed:
            return "none"
        parts = [f"{self.item(item)} in {where}" for item, where in outcome.placed]
        return ", ".join(parts[:SHOWN]) + n.more(len(parts) - SHOWN)

    def why(self) -> str:
        v = self.verdict
        if v.outcome is not None:
            return v.outcome.why
        if v.rule.must is None:
            return ""
        first = v.env[v.rule.bindings[0].name] if v.rule.bindings else None
        return v.rule.must.why(first if isinstance(first, Item) else None, v.env)

    def default(self) -> str:
        v = self.verdict
        who = ", ".join(self.name(v.env[b.name]) for b in v.rule.bindings) or "the scenario"
        if v.outcome is not None:
            return f"{who}: no place for {self.left()} ({v.outcome.why})"
        if v.rule.total is None:
            return f"{who}: {self.why()}"
        op, bound = next((o, b) for o, b in v.bounds if b is not None and not n.COMPARISONS[o][0](v.value, b))
        return f"{who}: {n.plain(v.value)} where {n.COMPARISONS[op][1]} {n.plain(bound)} is allowed ({self.items(v.items)})"

    def default_help(self) -> str | None:
        v = self.verdict
        if v.outcome is not None:
            return f"move or remove {self.left()}"
        if v.rule.bounds and v.rule.bounds[0][0] == "at_most" and v.items:
            return f"move or remove {n.plain(self.excess())} of: {self.items(v.items)}"
        return None


# Acknowledgements -----------------------------------------------------------------------------------------------------


def _acknowledge(
    raw: list[Finding], scenario: Scenario, skipped: set[str]
) -> tuple[list[Finding], list[Finding]]:
    accepted: list[Finding] = []
    findings: list[Finding] = list(raw)
    for known in scenario.acknowledged:
        matching = [f for f in findings if f.rule == known.rule and f.subject == known.subject]
        accepted += matching
        findings = [f for f in findings if f not in matching]
        if not matching and known.rule not in skipped:
            findings.append(_stale(known.rule, known.subject, raw, known.place))
    return findings, accepted


def _stale(rule: str, subject: tuple[str, ...], raw: list[Finding], place: Place) -> Finding:
    others = [", ".join(f.subject) for f in raw if f.rule == rule]
    help = f"the rule fires on: {'; '.join(others[:SHOWN])}" if others else "remove the acknowledgement"
    return warning(
        "G101",
        f"this acknowledgement matches nothing: '{rule}' does not fire on {', '.join(subject)}",
        place,
        help=help,
        rule=rule,
    )
