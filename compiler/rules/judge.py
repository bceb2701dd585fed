"""Judging: the rules of a pack on a position give verdicts, and failing verdicts give findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from compiler.findings import Finding, Place, Related, error, note, warning
from compiler.frozen import dataclass
from compiler.model.types import Acknowledgement, Fixture, Module, Scenario
from compiler.rules import fit as fitting
from compiler.rules.bindings import MOST, TooMany, subjects
from compiler.rules.evidence import to_finding
from compiler.rules.items import Broken, Env, Item, Number, Position, Trouble, Unknown
from compiler.rules.matches import COMPARISONS
from compiler.rules.pack import Key, RulePack, changes, reads_through
from compiler.rules.rule import Rule
from compiler.rules.still import printed_reads, restated
from compiler.rules.terms import Term, needed
from compiler.rules.trace.board import KEPT, PRINTED
from compiler.rules.trace.notes import explanations, remarks
from compiler.rules.verdict import Verdict, identity
from compiler.rules.words import SHOWN, with_article


@dataclass(frozen=True, slots=True)
class NotJudged:
    """A rule that was set aside, why, and where that can be mended."""

    rule: str
    reason: str
    place: Place
    help: str


@dataclass(frozen=True, slots=True)
class Stuck:
    """One subject on which a rule has no answer: nothing in a sum, a missing table row."""

    rule: Rule
    subject: tuple[str, ...]
    reason: str
    place: Place | None

    @property
    def bound(self) -> dict[str, str]:
        return {b.name: id for b, id in zip(self.rule.bindings, self.subject, strict=True)}


@dataclass(frozen=True, slots=True)
class Judged:
    """One rule on one position. `verdicts` are those that fail, or all where all were asked for."""

    verdicts: tuple[Verdict, ...] = ()
    stuck: tuple[Stuck, ...] = ()
    skipped: NotJudged | None = None
    in_force: bool = True


@dataclass(frozen=True, slots=True)
class Judgement:
    """All findings on a scenario, acknowledged ones taken out, and the rules that could not be judged."""

    findings: tuple[Finding, ...]
    acknowledged: tuple[Finding, ...]
    not_judged: tuple[NotJudged, ...]


def position_of(pack: RulePack, scenario: Scenario, fixture: Fixture | None = None) -> Position:
    ground = pack.ground_for(fixture)
    world = ground.put(scenario)
    moments = pack.module.sequence.moments
    if world.scenario.attrs["moment"] is None and moments:
        world.scenario.attrs["moment"] = moments[0]
    world.derive = pack.derivations(world, scenario)
    world.explain = explanations(pack, world, scenario)
    world.through = partial(reads_through, pack)
    if "link" not in scenario.state:
        world.memo[KEPT] = ground.kept
        if "space" not in scenario.state:
            world.memo[PRINTED] = ground.kept
    return world


def judge(pack: RulePack, module: Module, scenario: Scenario, fixture: Fixture | None = None) -> Judgement:
    """Runs every rule that holds in this scenario."""
    world = position_of(pack, scenario, fixture)
    judgement = _judge(pack, module, scenario, world, restated(scenario) if fixture is None else None)
    world.let_go()
    return judgement


def _judge(
    pack: RulePack, module: Module, scenario: Scenario, world: Position, own: frozenset[Key] | None
) -> Judgement:
    """`own` is what the scenario says otherwise than the board; what reads nothing of it may be settled."""
    raw: list[Finding] = []
    unanswered: list[Finding] = []
    not_judged: list[NotJudged] = []
    resting: set[str] = set()
    for id in pack.rules:
        if own is not None and id in pack.settled and own.isdisjoint(pack.settled[id]):
            continue
        judged = judge_rule(pack, world, scenario, id)
        if own is not None and judged == Judged():
            reads = printed_reads(pack, pack.rules[id])
            if reads is not None and own.isdisjoint(reads):
                pack.settled[id] = reads
        resting |= set() if judged.in_force else {id}
        raw += [to_finding(module, verdict, scenario) for verdict in judged.verdicts]
        unanswered += [_no_answer(stuck) for stuck in judged.stuck[:SHOWN]]
        not_judged += [judged.skipped] if judged.skipped is not None else []
    unknown = {s.rule for s in not_judged} | {f.rule or "" for f in unanswered}
    answered = {id for id in pack.rules if id not in unknown}
    findings, accepted = _acknowledge(raw, scenario, answered, resting)
    findings += unanswered
    findings += remarks(world)
    findings += [
        note("G103", f"rule '{s.rule}' is not judged: {s.reason}", s.place, rule=s.rule, help=s.help)
        for s in not_judged
    ]
    return Judgement(tuple(findings), tuple(accepted), tuple(not_judged))


def judge_rule(
    pack: RulePack, world: Position, scenario: Scenario, id: str, everything: bool = False
) -> Judged:
    """The failing verdicts of one rule (with `everything`, all of them), or why it cannot be judged."""
    if pack.noted is None:
        return _judge_rule(pack, world, scenario, id, everything)
    judged = _judge_rule(pack, world, scenario, id, everything=True)
    pack.noted.add(("rule", id))
    for verdict in judged.verdicts:
        pack.noted.add(("silent" if verdict.legal else "fires", id))
        if verdict.passed_by is not None:
            pack.noted.add(("unless", id, verdict.passed_by))
    made = pack.rules[id].plain
    if judged == Judged() and isinstance(made, Rule) and made.forbids:
        pack.noted.add(("silent", id))  # what is forbidden is not there
    return (
        judged if everything else replace(judged, verdicts=tuple(v for v in judged.verdicts if not v.legal))
    )


def _judge_rule(
    pack: RulePack, world: Position, scenario: Scenario, id: str, everything: bool = False
) -> Judged:
    place = pack.rules[id].entry.place / "id"
    try:
        rule = effective(pack, world, scenario, id)
        if rule is None:
            return Judged(in_force=False)
        return _run(rule, world, scenario, everything)
    except Unknown as unknown:
        reason = (
            f"it needs '{unknown.name}' of {with_article(unknown.kind)}, which the scenario does not state"
        )
        help = "state the fact in the scenario, or give the attribute a default in module.json"
        return Judged(skipped=NotJudged(id, reason, scenario.place, help))
    except Broken:
        reason = "it, or a definition it reads, has errors in this variant"
        return Judged(skipped=NotJudged(id, reason, place, "mend the errors of the rule file first"))
    except RecursionError:
        help = "let fewer of them build on each other"
        return Judged(skipped=NotJudged(id, "its definitions are nested too deep", place, help))
    except TooMany:
        help = 'join its bindings, e.g. {"piece": {"space": "@other.space"}, "as": "…"}'
        reason = f"it looks at more than {MOST:,} combinations"
        return Judged(skipped=NotJudged(id, reason, place, help))
    except Trouble as trouble:
        return Judged(
            skipped=NotJudged(id, str(trouble), place, "give the attribute a default in module.json")
        )


def effective(pack: RulePack, world: Position, scenario: Scenario, id: str) -> Rule | None:
    """The rule as it holds in this scenario, or None if it does not."""
    override = next((o for o in scenario.overrides if o.rule == id), None)
    if override is not None and override.off:
        return None
    rule = pack.variant(pack.rules[id], world, changes(override))
    assert isinstance(rule, Rule)
    now = world.scenario
    if rule.at and now.attrs["moment"] not in rule.at:
        return None
    return rule if rule.when is None or rule.when.holds(now, {"scenario": now}) else None


# Running --------------------------------------------------------------------------------------------------------------


def _run(rule: Rule, world: Position, scenario: Scenario, everything: bool) -> Judged:
    if rule.must is not None and not everything and len(rule.bindings) == 1 and _all_hold(rule, world):
        return Judged()
    verdicts: list[Verdict] = []
    stuck: list[Stuck] = []
    undecided = False
    effort = fitting.Effort()
    for env in subjects(rule.bindings, world):
        try:
            verdict = _judge_one(rule, env, effort, everything)
        except Trouble as trouble:
            stuck.append(_stuck(rule, env, trouble))
            continue
        if verdict is not None:
            verdicts.append(verdict)
            undecided = undecided or not (verdict.outcome is None or verdict.outcome.decided)
    skipped = None
    if undecided:
        help = "split the rule, so that fewer items compete for fewer places"
        skipped = NotJudged(rule.id, "the search for a fit was too large", scenario.place, help)
    found = [v for v in verdicts if everything or not v.legal]
    return Judged(tuple(_pairs_once(rule, found)), tuple(stuck), skipped)


def _all_hold(rule: Rule, world: Position) -> bool:
    """The commonest case, in one go: a condition on each item of a kind, and all is well."""
    assert rule.must is not None
    holds, name = rule.must.holds, rule.bindings[0].name
    try:
        for env in subjects(rule.bindings, world):
            if not holds(env[name], env):
                return False
    except Trouble:
        return False
    return True


def _judge_one(rule: Rule, env: Env, effort: fitting.Effort, everything: bool) -> Verdict | None:
    """The verdict on one subject; None if it is legal and nobody wants to know more."""
    if rule.must is not None:
        first = env[rule.bindings[0].name] if rule.bindings else None
        if rule.must.holds(first, env):
            return Verdict(rule, dict(env), True) if everything else None
        verdict = Verdict(rule, dict(env), False)
    elif rule.fit is not None:
        outcome = fitting.solve(rule.fit, env, effort)
        if not everything and outcome.decided and not outcome.left:
            return None
        verdict = Verdict(rule, dict(env), not outcome.left, items=outcome.items, outcome=outcome)
    else:
        found = _total(rule, env, everything)
        if found is None:
            return None
        verdict = found
    return verdict if verdict.legal else _excused(rule, verdict)


def _total(rule: Rule, env: Env, everything: bool) -> Verdict | None:
    assert rule.total is not None
    value = rule.total.number(env)
    limits = tuple((op, _limit(term, env)) for op, term in rule.bounds)
    legal = all(bound is None or COMPARISONS[op][0](value, bound) for op, bound in limits)
    if legal and not everything:
        return None
    return Verdict(rule, dict(env), legal, value, limits, () if legal else rule.total.counted(env))


def _limit(term: Term, env: Env) -> Number | None:
    bound = term.value(env)
    return None if bound is None else needed(bound, term)


def _excused(rule: Rule, verdict: Verdict) -> Verdict:
    """The first exception that holds lets the subject pass."""
    for exception in rule.unless:
        if exception.condition.holds(None, verdict.env):
            return verdict.passed(exception.id)
    return verdict


def _stuck(rule: Rule, env: Env, trouble: Trouble) -> Stuck:
    bound = [env[b.name] for b in rule.bindings]
    place = next((i.place for i in bound if isinstance(i, Item) and i.place is not None), None)
    return Stuck(rule, tuple(identity(value) for value in bound), str(trouble), place)


def _pairs_once(rule: Rule, verdicts: list[Verdict]) -> Iterator[Verdict]:
    """Items of one kind that fail in more than one order are reported once, smaller ids first."""
    if not any(b.pair_of for b in rule.bindings):
        yield from verdicts
        return
    first: dict[Any, tuple[str, ...]] = {}
    for verdict in verdicts:
        if not verdict.legal:
            key = _unordered(rule, verdict.subject)
            first[key] = min(first.get(key, verdict.subject), verdict.subject)
    for verdict in verdicts:
        if verdict.legal or first[_unordered(rule, verdict.subject)] == verdict.subject:
            yield verdict


def _unordered(rule: Rule, subject: tuple[str, ...]) -> Any:
    kinds: dict[Any, list[str]] = {}
    for i, (binding, id) in enumerate(zip(rule.bindings, subject, strict=True)):
        kinds.setdefault(binding.of or i, []).append(id)
    return tuple(tuple(sorted(ids)) for ids in kinds.values())


# What is said of the run ----------------------------------------------------------------------------------------------


def _no_answer(stuck: Stuck) -> Finding:
    who = f" on {', '.join(stuck.subject)}" if stuck.subject else ""
    related = (Related(stuck.place, "asked of this"),) if stuck.place is not None else ()
    return error(
        "G102",
        f"rule '{stuck.rule.id}' has no answer{who}: {stuck.reason}",
        stuck.rule.place / "id",
        help="give the attribute a default in module.json, the table an 'else', or leave such subjects out in 'for'",
        rule=stuck.rule.id,
        section=stuck.rule.section,
        subject=stuck.subject,
        related=related,
    )


def _acknowledge(
    raw: list[Finding], scenario: Scenario, answered: set[str], resting: set[str]
) -> tuple[list[Finding], list[Finding]]:
    """Takes out what the scenario accepts. An acknowledgement of something that does not occur is a finding itself.

    `answered` are the rules that could be judged, `resting` those that are not in force here.
    """
    by_subject = {(f.rule, f.subject): f for f in raw}
    accepted: dict[tuple[str | None, tuple[str, ...]], Finding] = {}
    stale: list[Finding] = []
    for known in scenario.acknowledged:
        key = (known.rule, known.subject)
        if key in by_subject:
            accepted[key] = by_subject[key]
        elif known.rule in resting:
            message = f"this acknowledgement matches nothing: '{known.rule}' is not in force in this scenario"
            stale.append(_stale(known, message, "remove the acknowledgement"))
        elif known.rule in answered:
            stale.append(_stale(known, *_elsewhere(known, raw)))
    left = [f for f in raw if (f.rule, f.subject) not in accepted]
    return [*left, *stale], list(accepted.values())


def _elsewhere(known: Acknowledgement, raw: list[Finding]) -> tuple[str, str]:
    others = [" ".join(f.subject) or "the scenario" for f in raw if f.rule == known.rule]
    subject = " ".join(known.subject) or "the scenario"
    message = f"this acknowledgement matches nothing: '{known.rule}' does not fire on {subject}"
    more = f"; and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
    where = f"the rule fires on: {'; '.join(others[:SHOWN])}{more}"
    return message, where if others else "remove the acknowledgement"


def _stale(known: Acknowledgement, message: str, help: str) -> Finding:
    return warning("G101", message, known.place, help=help, rule=known.rule)
