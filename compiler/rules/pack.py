"""A module's rule file, compiled: all definitions and rules, with their variants, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from compiler.findings import Finding, Place, error
from compiler.model.types import Module, Override, RuleEntry, Type
from compiler.rules import nodes as n
from compiler.rules.compiler import Compiler, Part, Scope
from compiler.rules.entries import SCENARIO, Derive, Rule, compile_derive, compile_rule, parse_type
from compiler.rules.items import Broken, Derivation, Item, Position
from compiler.rules.lints import lint
from compiler.rules.vocabulary import Vocabulary, item, vocabulary_of
from compiler.suggest import did_you_mean

PARTS = ("selectors", "ways", "tables")


@dataclass
class Unit:
    """One entry with its variants, each compiled when first needed."""

    entry: RuleEntry
    id: str
    vary: tuple[tuple[n.Selector, Mapping[str, Any], Place], ...] = ()
    built: dict[Any, Derive | Rule | None] = field(default_factory=dict)


@dataclass
class RulePack:
    """What `judge` runs. Entries with errors of their own are left out; what reads them is not judged."""

    module: Module
    vocabulary: Vocabulary
    parts: Mapping[str, Mapping[str, Part]]
    derives: dict[tuple[str, str], Unit]
    rules: dict[str, Unit]
    broken: frozenset[tuple[str, str]]

    def compiler(self) -> Compiler:
        return Compiler(self.vocabulary, self.parts["selectors"], self.parts["ways"], self.parts["tables"])

    def derivations(self, world: Position) -> dict[tuple[str, str], Derivation]:
        """How each derived attribute is computed in this position, variants chosen."""
        out: dict[tuple[str, str], Derivation] = dict.fromkeys(self.broken, _refuse)
        for key, unit in self.derives.items():
            definition = self.variant(unit, world)
            if isinstance(definition, Derive):
                out[key] = definition.compute
        return out

    def variant(self, unit: Unit, world: Position, override: Override | None = None) -> Derive | Rule | None:
        scenario = world.scenario
        env = {"scenario": scenario}
        chosen = tuple(i for i, (when, _, _) in enumerate(unit.vary) if when.holds(scenario, env))
        key = (chosen, id(override) if override else None)
        if key not in unit.built:
            unit.built[key] = self.build(self.compiler(), unit, chosen, override)
        return unit.built[key]

    def build(
        self, c: Compiler, unit: Unit, chosen: Iterable[int], override: Override | None = None
    ) -> Derive | Rule | None:
        """The entry with the chosen fields put in place of its own; the scenario has the last word."""
        value = dict(unit.entry.value)
        place = unit.entry.place
        moved: list[tuple[Place, Place]] = []
        for i in chosen:
            _, fields, source = unit.vary[i]
            value.update(fields)
            moved += [(place / key, source / key) for key in fields]
        if override is not None:
            value.update(override.set)
            moved += [(place / key, override.place / "set" / key) for key in override.set]
        c.moved = tuple(reversed(moved))
        before = len(c.findings)
        made: Derive | Rule | None
        if "derive" in value:
            made = compile_derive(c, value, place)
        else:
            made = compile_rule(c, value, unit.entry, self.module.sequence.moments)
        c.moved = ()
        return None if len(c.findings) > before else made


def _refuse(owner: Item) -> Any:
    raise Broken


def compile_rules(module: Module) -> tuple[RulePack, list[Finding]]:
    """Everything that can be wrong with a rule file is found here, all at once, whatever the scenarios say."""
    sorted_entries = _Entries(module)
    findings = sorted_entries.findings
    base = vocabulary_of(module)
    derived = _derived_types(sorted_entries.derives, base, findings)
    pack = RulePack(module, base.with_derived(derived), sorted_entries.parts, {}, {}, frozenset())
    c = pack.compiler()
    _check_parts(c, sorted_entries.parts)
    broken: set[tuple[str, str]] = set()
    for key, entry in sorted_entries.derives.items():
        unit = Unit(entry, key[1])
        pack.derives[key] = unit
        if not _compile_all(pack, c, unit):
            broken.add(key)
    for id, entry in sorted_entries.rules.items():
        unit = Unit(entry, id)
        if _compile_all(pack, c, unit):
            pack.rules[id] = unit
    broken |= _cycles(pack, c)
    pack.broken = frozenset(broken)
    for key in broken:
        pack.derives.pop(key, None)
    _check_overrides(pack, c, sorted_entries.rules)
    findings += c.findings
    findings += lint(pack, c.used)
    return pack, _once(findings)


class _Entries:
    """rules.json sorted by what its entries are; names are module-wide and must be unique."""

    def __init__(self, module: Module) -> None:
        self.findings: list[Finding] = []
        self.parts: dict[str, dict[str, Part]] = {key: {} for key in PARTS}
        self.derives: dict[tuple[str, str], RuleEntry] = {}
        self.rules: dict[str, RuleEntry] = {}
        for entry in module.rules:
            self.sort(entry)

    def sort(self, entry: RuleEntry) -> None:
        value = entry.value
        if "derive" in value:
            key = (str(value.get("on")), str(value["derive"]))
            self.unique(
                self.derives, key, entry, f"definition '{key[1]}' on {key[0]}", entry.place / "derive"
            )
        elif "trace" in value:
            self.findings.append(
                error(
                    "R120",
                    "this version of the compiler cannot run 'trace' entries",
                    entry.place / "trace",
                    help="supply tracing arrives with a later version; leave the entry out for now",
                )
            )
        elif "id" in value:
            self.unique(self.rules, str(value["id"]), entry, f"rule '{value['id']}'", entry.place / "id")
        else:
            for kind in PARTS:
                named = value.get(kind)
                for name, part in (named if isinstance(named, Mapping) else {}).items():
                    place = entry.place / kind / name
                    self.unique(
                        self.parts[kind], name, Part(part, place), f"{kind[:-1]} '{name}'", place.key()
                    )

    def unique(self, where: dict[Any, Any], key: Any, thing: Any, words: str, place: Place) -> None:
        if key in where:
            self.findings.append(error("R118", f"{words} is defined twice", place, help="rename one of them"))
        else:
            where[key] = thing


def _derived_types(
    derives: Mapping[tuple[str, str], RuleEntry], base: Vocabulary, findings: list[Finding]
) -> dict[tuple[str, str], Type]:
    out: dict[tuple[str, str], Type] = {}
    for (kind, name), entry in derives.items():
        type = parse_type(entry.value.get("gives"))
        if kind not in base.ids:
            findings.append(
                error(
                    "R112",
                    f"'{kind}' is no kind of item",
                    entry.place / "on",
                    help=did_you_mean(kind, base.ids),
                )
            )
        elif type is None:
            findings.append(
                error(
                    "R119",
                    f"'{entry.value.get('gives')}' is no type",
                    entry.place / "gives",
                    help="bool, number, text, date, a list of words, a kind of item, or 'set of …'",
                )
            )
        elif (kind, name) in base.types:
            findings.append(
                error(
                    "R118",
                    f"a {kind} has an attribute '{name}' already",
                    entry.place / "derive",
                    help="give the derived attribute another name",
                )
            )
        else:
            out[kind, name] = type
            if kind == "piece":
                out.setdefault(("arrival", name), type)
    return out


def _check_parts(c: Compiler, parts: Mapping[str, Mapping[str, Part]]) -> None:
    for part in parts["tables"].values():
        if not isinstance(part.value, Mapping):
            c.malformed("a table (an object)", part.value, part.place)
    for name, part in parts["ways"].items():
        c.way_fields(part, name)
    c.used.clear()


def _compile_all(pack: RulePack, c: Compiler, unit: Unit) -> bool:
    """Compiles the entry as written and with each `vary` alone; true if it has no error."""
    unit.vary = tuple(_vary(c, unit.entry))
    before = len(c.findings)
    unit.built[(), None] = pack.build(c, unit, ())
    for i in range(len(unit.vary)):
        unit.built[(i,), None] = pack.build(c, unit, (i,))
    return len(c.findings) == before


def _vary(c: Compiler, entry: RuleEntry) -> Iterable[tuple[n.Selector, Mapping[str, Any], Place]]:
    listed = entry.value.get("vary")
    for i, part in enumerate(listed if isinstance(listed, list) else []):
        place = entry.place / "vary" / i
        if not isinstance(part, Mapping) or not isinstance(part.get("set"), Mapping):
            c.malformed('{"when": …, "set": {…}}', part, place)
            continue
        when = c.selector(part.get("when", True), Scope(SCENARIO, item("scenario")), place / "when")
        yield when, part["set"], place / "set"


def _cycles(pack: RulePack, c: Compiler) -> set[tuple[str, str]]:
    """Definitions may not read themselves, also not through others: one finding a cycle, with the chain."""
    reads = {key: _all_reads(unit) & set(pack.derives) for key, unit in pack.derives.items()}
    state: dict[tuple[str, str], int] = {}
    bad: set[tuple[str, str]] = set()

    def visit(key: tuple[str, str], trail: list[tuple[str, str]]) -> None:
        state[key] = 1
        for other in sorted(reads[key]):
            if state.get(other) == 1:
                chain = [*trail[trail.index(other) :], other]
                words = " → ".join(f"{kind}.{name}" for kind, name in chain)
                c.report(
                    "R107",
                    f"definitions read each other in a circle: {words}",
                    pack.derives[other].entry.place / "derive",
                    "one of them must be computed from the position alone",
                )
                bad.update(chain)
            elif other not in state:
                visit(other, [*trail, other])
        state[key] = 2

    for key in sorted(reads):
        if key not in state:
            visit(key, [key])
    return bad


def _all_reads(unit: Unit) -> set[tuple[str, str]]:
    found = {read for made in unit.built.values() if isinstance(made, Derive) for read in made.reads}
    return found | {("piece", name) for kind, name in found if kind == "arrival"}


def _check_overrides(pack: RulePack, c: Compiler, rules: Mapping[str, RuleEntry]) -> None:
    for scenario in pack.module.scenarios.values():
        for override in scenario.overrides:
            unit = pack.rules.get(override.rule)
            if unit is not None and override.set:
                unit.built[(), id(override)] = pack.build(c, unit, (), override)


def _once(findings: Iterable[Finding]) -> list[Finding]:
    seen: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        place = finding.place
        key = (
            finding.code,
            finding.message,
            place and (id(place.document), place.path, place.on, place.part),
        )
        seen.setdefault(key, finding)
    return list(seen.values())
