"""Rules: `must`, `total` or `fit` for each subject. An entry of rules.json becomes a `Rule`, ready to be judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from compiler.findings import Place, Severity
from compiler.frozen import dataclass
from compiler.model.types import RuleEntry, Type
from compiler.rules.bindings import Binding, compile_bindings
from compiler.rules.bins import Fit, compile_fit
from compiler.rules.compiler import Compiler, Scope
from compiler.rules.definitions import SCENARIO
from compiler.rules.messages import check_placeholders, traced
from compiler.rules.selectors import Always, Selector
from compiler.rules.terms import Term
from compiler.rules.vocabulary import item
from compiler.suggest import did_you_mean

BOUNDS = ("at_most", "at_least", "equals")
SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.NOTE}
FIELDS = (
    "id", "title", "section", "severity", "when", "at", "for", "must", "total", *BOUNDS, "fit", "unless", "vary",
    "show", "say", "help", "note", "source",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Exemption:
    """One entry of `unless`."""

    id: str
    section: str | None
    condition: Selector
    place: Place


@dataclass(frozen=True, slots=True)
class Rule:
    """Exactly one of `must`, `total` (with `bounds`) and `fit` is given; `construct` says which."""

    id: str
    section: str | None
    severity: Severity
    construct: str
    when: Selector | None
    at: tuple[str, ...]
    bindings: tuple[Binding, ...]
    must: Selector | None
    total: Term | None
    bounds: tuple[tuple[str, Term], ...]
    fit: Fit | None
    unless: tuple[Exemption, ...]
    show: tuple[tuple[str, Term], ...]
    say: str | None
    help: str | None
    reads: frozenset[tuple[str, str]]
    place: Place
    names: Mapping[str, Type]
    entry: RuleEntry = field(repr=False)

    @property
    def forbids(self) -> bool:
        """`must` is plain false: whatever can be bound should not be there."""
        found = self.must.conditions if self.must is not None else ()
        return any(isinstance(condition, Always) and not condition.verdict for condition in found)


def compile_rule(
    c: Compiler, value: Mapping[str, Any], entry: RuleEntry, moments: Sequence[str]
) -> Rule | None:
    """The rule, or None if there is nothing to judge. Whatever is wrong is reported."""
    place = entry.place
    c.unknown_fields(value, FIELDS, place)
    constructs = [key for key in ("must", "total", "fit") if key in value]
    if len(constructs) != 1:
        message = f"rule '{value.get('id')}' needs exactly one of 'must', 'total', 'fit'"
        c.report("R113", message, _culprit(c, constructs, place))
        return None
    construct = constructs[0]
    c.reads = set()
    bindings, scope = compile_bindings(c, value.get("for", []), place / "for")
    first = scope.names[bindings[0].name] if bindings else None
    rule = Rule(
        id=str(value["id"]),
        section=_text(c, value, "section", place),
        severity=_severity(c, value, place),
        construct=construct,
        when=_when(c, value, place),
        at=_moments(c, value, moments, place),
        bindings=bindings,
        must=c.selector(value["must"], scope.at(first), place / "must") if construct == "must" else None,
        total=c.number(value["total"], scope, place / "total") if construct == "total" else None,
        bounds=_bounds(c, value, construct, scope, place),
        fit=compile_fit(c, value["fit"], scope, place / "fit") if construct == "fit" else None,
        unless=_unless(c, value, scope, place / "unless"),
        show=_show(c, value, scope, place / "show"),
        say=_text(c, value, "say", place),
        help=_text(c, value, "help", place),
        reads=frozenset(c.reads),
        place=place,
        names=scope.names,
        entry=entry,
    )
    _check_messages(c, rule, place)
    return rule


def _culprit(c: Compiler, constructs: Sequence[str], place: Place) -> Place:
    """Of several judgments the one that a variant brought in, else the last; the rule's id where there is none."""
    found = [place / key for key in constructs]
    moved = [at.key() for at in found if c.origin(at) != at]
    return (moved or [at.key() for at in found[-1:]] or [place / "id"])[0]


def _check_messages(c: Compiler, rule: Rule, place: Place) -> None:
    shown = [*(name for name, _ in rule.show), *traced(c, rule.reads)]
    for key, text in (("say", rule.say), ("help", rule.help)):
        if text is not None and not text.startswith("#"):
            check_placeholders(c, text, rule.construct, shown, rule.names, (place / key).chars)


def _text(c: Compiler, value: Mapping[str, Any], key: str, place: Place) -> str | None:
    given = value.get(key)
    if given is None or isinstance(given, str):
        return given
    c.malformed("a text", given, place / key)
    return None


def _severity(c: Compiler, value: Mapping[str, Any], place: Place) -> Severity:
    word = value.get("severity", "error")
    if not isinstance(word, str) or word not in SEVERITIES:
        help = did_you_mean(str(word), SEVERITIES) or f"one of: {', '.join(SEVERITIES)}"
        c.report("R102", f"'{word}' is no severity", place / "severity", help)
        return Severity.ERROR
    return SEVERITIES[word]


def _when(c: Compiler, value: Mapping[str, Any], place: Place) -> Selector | None:
    if "when" not in value:
        return None
    return c.selector(value["when"], Scope(SCENARIO, item("scenario")), place / "when")


def _moments(c: Compiler, value: Mapping[str, Any], known: Sequence[str], place: Place) -> tuple[str, ...]:
    given = value.get("at", [])
    listed = given if isinstance(given, list) else [given]
    for i, moment in enumerate(listed):
        if moment not in known:
            at = place / "at" / i if isinstance(given, list) else place / "at"
            help = did_you_mean(str(moment), known) or f"moments: {', '.join(known) or 'none declared'}"
            c.report("R115", f"'{moment}' is no moment of sequence.json", at, help)
    return tuple(str(moment) for moment in listed)


def _bounds(
    c: Compiler, value: Mapping[str, Any], construct: str, scope: Scope, place: Place
) -> tuple[tuple[str, Term], ...]:
    given = [key for key in BOUNDS if key in value]
    if construct == "total" and not given:
        message = "a total needs a bound: 'at_most', 'at_least' or 'equals'"
        c.report("R113", message, (place / "total").key())
    if construct != "total" and given:
        message = f"a bound belongs to 'total', not to '{construct}'"
        c.report("R113", message, (place / given[0]).key())
    return tuple((key, c.number(value[key], scope, place / key)) for key in given)


def _unless(c: Compiler, value: Mapping[str, Any], scope: Scope, place: Place) -> tuple[Exemption, ...]:
    listed = value.get("unless", [])
    if not isinstance(listed, list):
        c.malformed('a list of {"id", "section", "if"}', listed, place)
        return ()
    out = []
    for i, part in enumerate(listed):
        if not isinstance(part, dict) or "if" not in part:
            c.malformed('{"id": …, "section": …, "if": {…}}', part, place / i)
            continue
        c.unknown_fields(part, ("id", "section", "if", "note", "source"), place / i)
        condition = c.selector(part["if"], scope, place / i / "if")
        section = _text(c, part, "section", place / i)
        out.append(Exemption(str(part.get("id", i)), section, condition, c.origin(place / i)))
    return tuple(out)


def _show(c: Compiler, value: Mapping[str, Any], scope: Scope, place: Place) -> tuple[tuple[str, Term], ...]:
    shown = value.get("show", {})
    if not isinstance(shown, dict):
        c.malformed("an object: name → term", shown, place)
        return ()
    return tuple(
        (name, c.term(term, scope, place / name).term) for name, term in shown.items() if name != "note"
    )
