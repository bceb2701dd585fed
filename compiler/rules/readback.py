"""Reading a rule back in words: the cheapest defence against a rule that says something else than its author meant.

The words come from the compiled rule, the same that gives verdicts and evidence, not from the JSON.
"""

from __future__ import annotations

from compiler.model.types import Type
from compiler.rules.bindings import Binding
from compiler.rules.bins import Bin, Fit, Measure, Slot
from compiler.rules.definitions import Collect, Derive
from compiler.rules.matches import COMPARISONS
from compiler.rules.pack import RulePack, Unit
from compiler.rules.rule import Rule
from compiler.rules.selectors import Always, Selector
from compiler.rules.terms import Constant, Term
from compiler.rules.words import joined


def read_back(pack: RulePack, rule_id: str, language: str | None = None) -> str:
    """A rule or definition in plain sentences, with title, section, exceptions and variants. Unknown: nothing."""
    return "\n\n".join("\n".join(_unit(pack, unit, language)) for unit in pack.named(rule_id))


def _unit(pack: RulePack, unit: Unit, language: str | None) -> list[str]:
    made = unit.plain
    lines = _heading(pack, unit, language)
    lines += _said(made) if made is not None else []
    for i, vary in enumerate(unit.vary):
        other = unit.built.get(((i,), None))
        lines.append(f"But when {vary.when.words}:")
        changed = [line for line in _said(other) if line not in lines] if other is not None else []
        lines += [f"  {line}" for line in changed or [f"another {', '.join(vary.fields)}"]]
    return lines


def _heading(pack: RulePack, unit: Unit, language: str | None) -> list[str]:
    value, texts = unit.entry.value, pack.module.texts
    text_id = f"rule.{unit.id}.title"
    title = texts.get(text_id, language) if texts.has(text_id, language) else value.get("title")
    head = f"{unit.id}: {title}" if title else unit.id
    return [f"{head}  [{value['section']}]" if value.get("section") else head]


def _said(made: Rule | Derive) -> list[str]:
    return _rule(made) if isinstance(made, Rule) else [_definition(made)]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


# Rules ----------------------------------------------------------------------------------------------------------------


def _rule(rule: Rule) -> list[str]:
    lines = [f"Only when {rule.when.words}."] if rule.when is not None else []
    lines += [f"Only at: {', '.join(rule.at)}."] if rule.at else []
    lines.append(_sentence(_bindings(rule.bindings) + _judgment(rule)))
    for exception in rule.unless:
        cite = f" ({exception.section})" if exception.section else ""
        lines.append(f"Except '{exception.id}'{cite}: when {exception.condition.words}.")
    return lines


def _bindings(bindings: tuple[Binding, ...]) -> str:
    parts = [f"each {_binding(b)}" for b in bindings]
    return f"for {joined(parts)}: " if parts else ""


def _binding(binding: Binding) -> str:
    if binding.words:
        return f"{binding.name} ({', '.join(binding.words)})"
    what = f"{binding.of or 'member'} of {binding.ref.words}" if binding.ref else str(binding.kind)
    other = "other " if binding.pair_of else ""
    named = f" (called '{binding.name}')" if binding.name not in (binding.kind, "each") else ""
    return f"{other}{what}{named}{_where(binding.selector)}"


def _where(selector: Selector) -> str:
    return "" if selector.is_open else f" where {selector.words}"


def _judgment(rule: Rule) -> str:
    if rule.fit is not None:
        return _fit(rule.fit)
    if rule.total is not None:
        bounds = [f"{COMPARISONS[op][1]} {_limit(term)}" for op, term in rule.bounds]
        return f"{rule.total.words} must be {joined(bounds)}"
    if rule.must is None or _never(rule.must):
        return "this must never be"
    return f"it must be so that {rule.must.words}"


def _never(selector: Selector) -> bool:
    return any(isinstance(c, Always) and not c.verdict for c in selector.conditions)


def _limit(term: Term) -> str:
    return "without limit" if isinstance(term, Constant) and term.constant is None else term.words


def _fit(fit: Fit) -> str:
    tied = f" (each in its own {fit.tied}, where it has one)" if fit.tied else ""
    return f"{fit.items.words} must all fit at once{tied} into: " + "; ".join(_bin(b) for b in fit.bins)


def _bin(bin: Bin) -> str:
    loads = " or else ".join(joined(_slot(slot) for slot in load) for load in bin.loads)
    inside = f"one of these loads: {loads}" if len(bin.loads) > 1 else loads
    return inside if bin.gather is None else f"{bin.gather.words}, each with {inside}"


def _slot(slot: Slot) -> str:
    takes = "" if slot.takes.is_open else f" for those where {slot.takes.words}"
    return f"'{slot.name}'{takes} ({' and '.join(_measure(m) for m in slot.measures)})"


def _measure(measure: Measure) -> str:
    if isinstance(measure.at_most, Constant) and measure.at_most.constant is None:
        return "any number"
    by = "" if measure.size.is_plain else f", counted by {measure.size.words}"
    return f"at most {measure.at_most.words}{by}"


# Definitions ----------------------------------------------------------------------------------------------------------


def _definition(made: Derive) -> str:
    only = f" where {made.condition.words}" if made.condition is not None else ""
    if made.holds is not None:
        said = f"is true when {made.holds.words}"
    elif made.value is not None:
        said = f"is {made.value.words}"
    else:
        both = ", and the other way round" if made.symmetric else ""
        said = f"is the set of {'; and '.join(_collect(part) for part in made.collect)}{both}"
    return _sentence(f"'{made.name}' of a {made.kind}{only} {said}{_otherwise(made)}")


def _otherwise(made: Derive) -> str:
    if made.condition is None:
        return ""
    if made.otherwise is not None:
        return f"; for any other it is {made.otherwise.words}"
    return f"; for any other it is {_empty(made.gives)}"


def _empty(gives: Type) -> str:
    return "empty" if gives.is_set else "false" if gives.base == "bool" else "nothing"


def _collect(part: Collect) -> str:
    of = f"the {'.'.join(part.take)} of " if part.take else ""
    keep = "" if part.keep.is_open else f", but only those where {part.keep.words}"
    return f"{of}{part.gather.words}{keep}"
