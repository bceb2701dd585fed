"""Reading a rule back in words: the cheapest defence against a rule that says something else than its author meant.

The words come from the compiled rule, the same that gives verdicts and evidence, not from the JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from compiler.model.types import Type
from compiler.rules.bindings import Binding
from compiler.rules.bins import Bin, Fit, Measure, Slot
from compiler.rules.definitions import Collect, Derive
from compiler.rules.matches import COMPARISONS, Fits
from compiler.rules.pack import Definition, RulePack, Unit
from compiler.rules.rule import Rule
from compiler.rules.selectors import AllOf, AnyOf, Condition, Is, Selector
from compiler.rules.terms import Constant
from compiler.rules.trace import Trace
from compiler.rules.trace import readback as traced
from compiler.rules.ways import Way
from compiler.rules.words import joined, with_article

LONG = 100  # above this many letters conditions are listed one a line
_NAMED = re.compile("(by way )?«([^»]+)»")


def read_back(pack: RulePack, name: str, language: str | None = None) -> str:
    """A rule or definition in plain sentences, with title, section, exceptions and variants, and what the parts it names
    mean; or such a part. Unknown: nothing."""
    told = ["\n".join(_unit(pack, unit, language)) for unit in pack.named(name)]
    parts = [] if told else [key for key in (("selector", name), ("way", name)) if key in pack.meant]
    _add_named(pack, told, parts)
    for key in parts:  # it grows: what a part names is told too
        told.append("\n".join(_part(pack, key)))
        _add_named(pack, told[-1:], parts)
    return "\n\n".join(told)


def _add_named(pack: RulePack, told: list[str], parts: list[tuple[str, str]]) -> None:
    for way, name in _NAMED.findall("\n".join(told)):
        key = ("way" if way else "selector", name)
        if key in pack.meant and key not in parts:
            parts.append(key)


def _part(pack: RulePack, key: tuple[str, str]) -> list[str]:
    meant = pack.meant[key]
    lead = f"«{key[1]}» means:"
    return _ended([f"{lead} {meant.words}"] if isinstance(meant, Way) else _asked(lead, meant))


def _unit(pack: RulePack, unit: Unit, language: str | None) -> list[str]:
    lines = _heading(pack, unit, language)
    made = unit.plain
    lines += _said(made) if made is not None else []
    for i, vary in enumerate(unit.vary):
        other = unit.built.get(((i,), None))
        lines.append(f"But when {vary.when.words}:")
        lines += [f"  {line}" for line in _changed(made, other)] or [f"  another {', '.join(vary.fields)}"]
    return lines


def _changed(made: Rule | Definition | None, other: Rule | Definition | None) -> list[str]:
    """Of a rule or a trace the lines that differ; of a derived attribute, which is one sentence, all."""
    before = _said(made) if isinstance(made, Rule | Trace) else []
    return [line for line in _said(other) if line not in before] if other is not None else []


def _heading(pack: RulePack, unit: Unit, language: str | None) -> list[str]:
    value, texts = unit.entry.value, pack.module.texts
    text_id = f"rule.{unit.id}.title"
    title = texts.get(text_id, language) if texts.has(text_id, language) else value.get("title")
    head = f"{unit.id}: {title}" if title else unit.id
    return [f"{head}  [{value['section']}]" if value.get("section") else head]


def _said(made: Rule | Definition) -> list[str]:
    if isinstance(made, Trace):
        return traced.said(made)
    return _rule(made) if isinstance(made, Rule) else _definition(made)


def _ended(lines: list[str]) -> list[str]:
    """As a sentence: with a capital at the start and a stop at the end."""
    lines[0] = lines[0][:1].upper() + lines[0][1:]
    lines[-1] += "."
    return lines


# Conditions -----------------------------------------------------------------------------------------------------------


def _asked(lead: str, selector: Selector) -> list[str]:
    """The lead and the conditions, in one line if they are few, else one a line."""
    if len(selector.words) <= LONG:
        return [f"{lead} {selector.words}"]
    return [f"{lead}", *_outline(selector, "  ")]


def _outline(selector: Selector, indent: str) -> Iterator[str]:
    for condition in _flat(selector):
        yield from _listed(condition, indent)


def _flat(selector: Selector) -> Iterator[Condition]:
    for condition in selector.conditions:
        if isinstance(condition, AllOf) and not condition.names:
            for part in condition.selectors:
                yield from _flat(part)
        else:
            yield condition


def _listed(condition: Condition, indent: str) -> Iterator[str]:
    if isinstance(condition, AnyOf) and len(condition.words) > LONG:
        yield f"{indent}- at least one of these:"
        for part in condition.selectors:
            if len(part.words) <= LONG:
                yield f"{indent}  - {part.words}"
            else:
                yield f"{indent}  - all of these:"
                yield from _outline(part, indent + "    ")
    else:
        yield f"{indent}- {condition.words}"


# Rules ----------------------------------------------------------------------------------------------------------------


def _rule(rule: Rule) -> list[str]:
    lines = [f"Only when {rule.when.words}."] if rule.when is not None else []
    lines += [f"Only at: {', '.join(rule.at)}."] if rule.at else []
    lines += _ended(_bindings(rule.bindings) + _judgment(rule))
    for exception in rule.unless:
        cite = f" ({exception.section})" if exception.section else ""
        lines.append(f"Except '{exception.id}'{cite}: when {exception.condition.words}.")
    return lines


def _bindings(bindings: tuple[Binding, ...]) -> list[str]:
    lines: list[str] = []
    for binding in bindings:
        lead = f"{'and' if lines else 'for'} each {_binding(binding)}"
        lines += [lead] if binding.selector.is_open else _asked(f"{lead} where", binding.selector)
    if lines:
        lines[-1] += ":"
    return lines


def _binding(binding: Binding) -> str:
    if binding.words:
        return f"{binding.name} ({', '.join(binding.words)})"
    what = f"{binding.of or 'one'} of {binding.ref.words}" if binding.ref else str(binding.kind)
    other = "other " if binding.pair_of else ""
    named = f" (called '{binding.name}')" if binding.name not in (binding.kind, "each") else ""
    return f"{other}{what}{named}"


def _judgment(rule: Rule) -> list[str]:
    if rule.fit is not None:
        return _fit(rule.fit)
    if rule.total is not None:
        bounds = [f"{COMPARISONS[op][1]} {term.limit}" for op, term in rule.bounds]
        return [f"{rule.total.words} must be {joined(bounds)}"]
    return ["this must never be"] if rule.forbids or rule.must is None else _must(rule.must)


def _must(must: Selector) -> list[str]:
    only = must.conditions[0] if len(must.conditions) == 1 else None
    if isinstance(only, Is) and only.denied and isinstance(only.match, Fits):
        return _asked("it must not be so that", only.match.selector)
    return _asked("it must be so that", must)


def _fit(fit: Fit) -> list[str]:
    tied = f" (each in its own {fit.tied}, where it has one)" if fit.tied else ""
    return [
        f"{fit.items.words} must all fit at once{tied} into:",
        *(line for b in fit.bins for line in _bin(b)),
    ]


def _bin(bin: Bin) -> Iterator[str]:
    indent = "  - "
    if bin.gather is not None:
        yield f"  - each of {bin.gather.words}, which has:"
        indent = "    - "
    for i, load in enumerate(bin.loads):
        if len(bin.loads) > 1:
            yield f"{indent}{'or' if i else 'either'} {joined(_slot(slot) for slot in load)}"
        else:
            yield from (f"{indent}{_slot(slot)}" for slot in load)


def _slot(slot: Slot) -> str:
    takes = "" if slot.takes.is_open else f" for those where {slot.takes.words}"
    return f"'{slot.name}' ({' and '.join(_measure(m) for m in slot.measures)}){takes}"


def _measure(measure: Measure) -> str:
    if isinstance(measure.at_most, Constant) and measure.at_most.constant is None:
        return "any number"
    by = "" if measure.size.is_plain else f", counted by {measure.size.words}"
    return f"at most {measure.at_most.limit}{by}"


# Definitions ----------------------------------------------------------------------------------------------------------


def _definition(made: Derive) -> list[str]:
    only = f" where {made.condition.words}" if made.condition is not None else ""
    lead = f"'{made.name}' of {with_article(made.kind)}{only} is"
    if made.holds is not None:
        lines = _asked(f"{lead} true when", made.holds)
    elif made.value is not None:
        lines = [f"{lead} {made.value.words}"]
    elif len(made.collect) == 1:
        lines = [f"{lead} the set of {_collect(made.collect[0])}"]
    else:
        lines = [f"{lead} the set of", *(f"  - {_collect(part)}" for part in made.collect)]
    if made.symmetric:
        lines.append("and the other way round: whoever has it in its set is in its own")
    if made.condition is not None:
        lines.append(f"(for any other {made.kind} it is {_otherwise(made)})")
    return _ended(lines)


def _otherwise(made: Derive) -> str:
    return made.otherwise.words if made.otherwise is not None else _empty(made.gives)


def _empty(gives: Type) -> str:
    return "empty" if gives.is_set else "false" if gives.base == "bool" else "nothing"


def _collect(part: Collect) -> str:
    of = f"the {'.'.join(part.take)} of " if part.take else ""
    keep = "" if part.keep.is_open else f", but only those where {part.keep.words}"
    return f"{of}{part.gather.words}{keep}"
