"""A module's rule file, compiled: all definitions and rules, with their variants, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from compiler.findings import Finding, Place, Related, Severity, error
from compiler.model.types import Fixture, Module, Override, RuleEntry, Scenario, Type
from compiler.rules.compiler import Compiler, Part, Scope
from compiler.rules.definitions import SCENARIO, Derive, compile_derive, parse_type
from compiler.rules.items import Broken, Derivation, Item, Position
from compiler.rules.lints import lint
from compiler.rules.messages import check_placeholders, traced
from compiler.rules.position import Ground
from compiler.rules.rule import Rule, compile_rule
from compiler.rules.selectors import Selector
from compiler.rules.trace import TOGETHER, Trace, compile_trace
from compiler.rules.typed import kind_word
from compiler.rules.vocabulary import Vocabulary, item, vocabulary_of
from compiler.rules.ways import Way
from compiler.rules.words import with_article
from compiler.suggest import did_you_mean

PARTS = ("selectors", "ways", "tables")
FIXED = ("id", "derive", "trace", "on", "gives", "levels", "vary")  # what an entry is cannot vary

Key = tuple[str, str]  # kind and attribute
_OWN = Fixture()  # a position on the module's own map
Definition = Derive | Trace


@dataclass(frozen=True, slots=True)
class Variation:
    """One entry of `vary`: fields that replace the entry's own when the condition holds."""

    when: Selector
    fields: Mapping[str, Any]
    place: Place
    reads: frozenset[Key]


@dataclass
class Unit:
    """One entry with its variants, each compiled when first needed. Overrides are kept: they are known by identity.

    `joint` is the second attribute of a trace: the level when capacities are shared.
    """

    entry: RuleEntry
    id: str
    vary: tuple[Variation, ...] = ()
    built: dict[Any, Definition | Rule | None] = field(default_factory=dict)
    overrides: list[Override] = field(default_factory=list)
    joint: bool = False

    @property
    def plain(self) -> Definition | Rule | None:
        """The entry as written, nothing varied."""
        return self.built.get(((), None))


@dataclass
class RulePack:
    """What `judge` runs. Entries with errors of their own are left out; what reads them is not judged."""

    module: Module
    vocabulary: Vocabulary
    parts: Mapping[str, Mapping[str, Part]]
    derives: dict[Key, Unit] = field(default_factory=dict)
    rules: dict[str, Unit] = field(default_factory=dict)
    broken: frozenset[Key] = frozenset()
    settled: dict[str, frozenset[Key]] = field(
        default_factory=dict
    )  # rules about the board alone that found nothing in it, and what they read
    grounds: list[Ground] = field(
        default_factory=list
    )  # the module's own, and that of the last case with its own map
    noted: set[Any] | None = None
    meant: Mapping[tuple[str, str], Selector | Way] = field(
        default_factory=dict
    )  # named parts, as first used

    def named(self, id: str) -> list[Unit]:
        """The rule of that id, or the definitions of that name."""
        found = [self.rules[id]] if id in self.rules else []
        return found + [unit for (_, name), unit in self.derives.items() if name == id]

    def ground_for(self, fixture: Fixture | None) -> Ground:
        """The ground of a position: made once for the module, and once for all rows of a case with spaces of its own."""
        wanted = fixture if fixture is not None and fixture != _OWN else _OWN
        found = next((ground for ground in self.grounds if ground.fixture is wanted), None)
        if found is not None and found.taken:  # two positions at once: the second stands by itself
            return Ground(self.module, self.vocabulary, wanted)
        if found is None:
            for old in [
                ground for ground in self.grounds if ground.fixture is not _OWN and wanted is not _OWN
            ]:
                self.grounds.remove(old)
                if not old.taken:
                    old.let_go()
            found = Ground(self.module, self.vocabulary, wanted, keeps=True)
            self.grounds.append(found)
        return found

    def let_go(self) -> None:
        for ground in self.grounds:
            ground.let_go()
        self.grounds.clear()

    def compiler(self) -> Compiler:
        selectors, ways, tables = (self.parts[kind] for kind in PARTS)
        return Compiler(self.vocabulary, selectors, ways, tables, noted=self.noted)

    def derivations(self, world: Position, scenario: Scenario) -> dict[Key, Derivation]:
        """How each derived attribute is computed in this position; which variant holds is asked when one is read."""
        changed = {override.rule: override for override in scenario.overrides}
        out = {key: self.derivation(unit, world, changed.get(unit.id)) for key, unit in self.derives.items()}
        out.update(dict.fromkeys(self.broken, _refuse))
        if self.noted is not None:
            out = {key: partial(_noting, self.noted, key, compute) for key, compute in out.items()}
        for (kind, name), compute in list(out.items()):
            if kind == "piece":
                out.setdefault(("arrival", name), compute)
        return out

    def traces(self, world: Position, scenario: Scenario) -> dict[Key, Callable[[], Trace]]:
        """How to come by each trace as it holds in this position."""
        changed = {override.rule: override for override in scenario.overrides}

        def made(unit: Unit) -> Trace:
            trace = self.variant(unit, world, changes(changed.get(unit.id)))
            assert isinstance(trace, Trace)
            return trace

        return {
            key: partial(made, unit) for key, unit in self.derives.items() if isinstance(unit.plain, Trace)
        }

    def derivation(self, unit: Unit, world: Position, override: Override | None) -> Derivation:
        if not unit.vary and override is None and isinstance(unit.plain, Definition):
            return unit.plain.compute
        chosen: list[Derivation] = []

        def compute(owner: Item) -> Any:
            if not chosen:
                definition = self.variant(unit, world, changes(override))
                assert isinstance(definition, Definition)
                off = override is not None and override.off
                chosen.append(definition.nothing if off else definition.compute)
            return chosen[0](owner)

        compute.chosen = chosen  # type: ignore[attr-defined]  # for whoever wants to tell how a value came about
        return compute

    def variant(self, unit: Unit, world: Position, override: Override | None = None) -> Definition | Rule:
        """The entry as it holds in this position. Raises `Broken` if its parts do not go together."""
        scenario = world.scenario
        env = {"scenario": scenario}
        chosen = tuple(i for i, vary in enumerate(unit.vary) if vary.when.holds(scenario, env))
        if self.noted is not None:
            self.noted.update(("vary", unit.vary[i].place) for i in chosen)
        made = self.cached(self.compiler, unit, chosen, override)
        if made is None:
            raise Broken
        return made

    def cached(
        self, compiler: Any, unit: Unit, chosen: tuple[int, ...], override: Override | None = None
    ) -> Definition | Rule | None:
        key = (chosen, id(override) if override is not None else None)
        if key not in unit.built:
            unit.built[key] = self.build(compiler(), unit, chosen, override)
            unit.overrides += [override] if override is not None else []
        return unit.built[key]

    def build(
        self, c: Compiler, unit: Unit, chosen: Iterable[int], override: Override | None = None
    ) -> Definition | Rule | None:
        """The entry with the chosen fields put in place of its own; the scenario has the last word."""
        value, place = dict(unit.entry.value), unit.entry.place
        moved: list[tuple[Place, Place]] = []
        replacing = [(unit.vary[i].fields, unit.vary[i].place) for i in chosen]
        replacing += [(_changes(override.set), override.place / "set")] if override is not None else []
        for fields, source in replacing:
            value.update(fields)
            moved += [(place / key, source / key) for key in fields]
        before, c.spoiled, c.moved = len(c.findings), False, tuple(reversed(moved))
        made: Definition | Rule | None
        if "derive" in value:
            made = compile_derive(c, value, place)
        elif "trace" in value:
            made = compile_trace(c, value, place, unit.joint)
        else:
            made = compile_rule(c, value, unit.entry, self.module.sequence.moments)
        c.moved = ()
        return None if len(c.findings) > before or c.spoiled else made


def changes(override: Override | None) -> Override | None:
    """What the scenario changes, if it changes anything."""
    return override if override is not None and override.set else None


def _noting(noted: set[Any], key: Key, compute: Derivation, owner: Item) -> Any:
    noted.add(("definition", key))
    return compute(owner)


def _refuse(owner: Item) -> Any:
    raise Broken


def compile_rules(module: Module, noted: set[Any] | None = None) -> tuple[RulePack, list[Finding]]:
    """Everything that can be wrong with a rule file is found here, all at once, whatever the scenarios say.

    `noted` is told what is used whenever the pack is: see `compiler.rules.coverage`.
    """
    entries = _Entries(module)
    base = vocabulary_of(module)
    derived, unusable = _derived_types(entries, base)
    traces = {key for key, entry in entries.derives.items() if "trace" in entry.value}
    traces |= {("arrival", name) for kind, name in traces if kind == "piece"}
    vocabulary = replace(base.with_derived(derived, unusable), traces=frozenset(traces))
    pack = RulePack(module, vocabulary, entries.parts, noted=noted)
    c = pack.compiler()
    _check_parts(c)
    broken = set(unusable)
    for key, entry in entries.derives.items():
        if key in derived:
            joint = key[1] != entry.value.get("trace", key[1])
            unit = Unit(entry, str(entry.value["trace"]) if joint else key[1], joint=joint)
            pack.derives[key] = unit
            if not _compile_all(pack, c, unit):
                broken.add(key)
        elif "derive" in entry.value:
            compile_derive(c, entry.value, entry.place)
        else:
            compile_trace(c, entry.value, entry.place)
    for id, entry in entries.rules.items():
        unit = Unit(entry, id)
        if _compile_all(pack, c, unit):
            pack.rules[id] = unit
    _check_overrides(pack, c)
    broken |= _cycles(pack, c)
    pack.broken = frozenset(broken)
    pack.derives = {key: unit for key, unit in pack.derives.items() if key not in broken}
    _check_texts(pack, c)
    unsound = broken or any(f.severity is Severity.ERROR for f in (*entries.findings, *c.findings))
    c.used |= _asked(module, {(kind[:-1], name) for kind in PARTS for name in pack.parts[kind]} - c.used)
    hints = lint(pack, None if unsound else c.used, c.rows)
    pack.meant = c.meant
    return pack, _once([*entries.findings, *c.findings, *c.hints, *hints])


class _Entries:
    """rules.json sorted by what its entries are; names are module-wide and must be unique."""

    def __init__(self, module: Module) -> None:
        self.findings: list[Finding] = []
        self.parts: dict[str, dict[str, Part]] = {key: {} for key in PARTS}
        self.derives: dict[Key, RuleEntry] = {}
        self.rules: dict[str, RuleEntry] = {}
        self.places: dict[tuple[str, object], Place] = {}
        for entry in module.rules:
            self.sort(entry)

    def sort(self, entry: RuleEntry) -> None:
        value, place = entry.value, entry.place
        if "derive" in value:
            key = (str(value.get("on")), str(value["derive"]))
            if self.unique("definition", key, f"definition '{key[1]}' on {key[0]}", place / "derive"):
                self.derives[key] = entry
        elif "trace" in value:
            self.sort_trace(entry)
        elif "id" in value:
            id = str(value["id"])
            if self.unique("rule", id, f"rule '{id}'", place / "id"):
                self.rules[id] = entry
        else:
            self.sort_parts(entry)

    def sort_trace(self, entry: RuleEntry) -> None:
        """A trace gives one attribute, and a second one where capacities are shared."""
        kind, name = str(entry.value.get("on")), str(entry.value["trace"])
        names = [name, name + TOGETHER] if entry.value.get("together") is True else [name]
        for name in names:
            if self.unique(
                "definition", (kind, name), f"definition '{name}' on {kind}", entry.place / "trace"
            ):
                self.derives[kind, name] = entry

    def sort_parts(self, entry: RuleEntry) -> None:
        if not any(key in entry.value for key in PARTS):
            near = (did_you_mean(key, ("id", "derive", "trace", *PARTS)) for key in entry.value)
            help = next((found for found in near if found), "a rule has an 'id', a definition a 'derive'")
            message = f"this entry is nothing: it has none of id, derive, trace, {', '.join(PARTS)}"
            self.findings.append(error("R113", message, entry.place, help=help))
            return
        for key, named in entry.value.items():
            place = entry.place / key
            if key in PARTS:
                self.sort_named(key, named, place)
            elif key not in ("note", "section"):
                message = f"'{key}' is no field of this entry"
                self.findings.append(error("R114", message, place.key(), help=did_you_mean(key, PARTS)))

    def sort_named(self, kind: str, named: object, place: Place) -> None:
        if not isinstance(named, Mapping):
            message = f"an object is expected here, not {kind_word(named)}"
            self.findings.append(error("R103", message, place, help=f"each {kind[:-1]} has a name"))
            return
        for name, part in named.items():
            if name != "note" and self.unique(kind, name, f"{kind[:-1]} '{name}'", (place / name).key()):
                self.parts[kind][name] = Part(part, place / name)

    def unique(self, what: str, key: object, words: str, place: Place) -> bool:
        first = self.places.setdefault((what, key), place)
        if first is place:
            return True
        related = (Related(first, "the first is here"),)
        self.findings.append(
            error("R118", f"{words} is defined twice", place, help="rename one of them", related=related)
        )
        return False


def _derived_types(entries: _Entries, base: Vocabulary) -> tuple[dict[Key, Type], frozenset[Key]]:
    """The types of all derived attributes, and those that cannot be used because they have none."""
    out: dict[Key, Type] = {}
    unusable: set[Key] = set()
    for (kind, name), entry in entries.derives.items():
        problem = _type_problem(kind, name, entry, base)
        if problem is not None:
            entries.findings.append(problem)
            unusable |= {(kind, name)} - set(base.types)
            continue
        type = parse_type(entry.value.get(_gives(entry)))
        assert type is not None
        out[kind, name] = type
        if kind == "piece":
            out.setdefault(("arrival", name), type)
    return out, frozenset(unusable)


def _gives(entry: RuleEntry) -> str:
    """The field that says what a definition gives."""
    return "gives" if "derive" in entry.value else "levels"


def _head(entry: RuleEntry) -> Place:
    return entry.place / ("derive" if "derive" in entry.value else "trace")


def _type_problem(kind: str, name: str, entry: RuleEntry, base: Vocabulary) -> Finding | None:
    value, place = entry.value, entry.place
    if "trace" in value and not _has_levels(value.get("levels")):
        help = '"levels": ["supplied", "out"]: the best first, the last is failure'
        at = place / "levels" if "levels" in value else _head(entry)
        return error("R119", "a trace needs a list of at least two different levels", at, help=help)
    if kind not in base.ids:
        help = did_you_mean(kind, base.ids) or f"one of: {', '.join(base.ids)}"
        at = place / "on" if "on" in value else _head(entry)
        return error("R112", f"'{value.get('on')}' is no kind of item", at, help=help)
    if parse_type(value.get(_gives(entry))) is None:
        types = ("bool", "number", "text", "date", *base.ids)
        written = value.get("gives")
        near = _type_meant(written, types) if isinstance(written, str) else None
        help = near or "bool, number, text, date, a list of words, a kind of item, or 'set of …'"
        at = place / "gives" if "gives" in value else _head(entry)
        told = (
            f"'{written}' is no type" if "gives" in value else "the definition does not say what it 'gives'"
        )
        return error("R119", told, at, help=help)
    if (kind, name) in base.types:
        help = "give the derived attribute another name"
        declared = base.declared.get((kind, name))
        related = (Related(declared.place, "declared here"),) if declared and declared.place else ()
        message = f"{with_article(kind)} has an attribute '{name}' already"
        return error("R118", message, _head(entry), help=help, related=related)
    if not name or "." in name or name.startswith("@"):
        return error("R103", "a name without a dot or '@' is expected here", _head(entry))
    return None


def _has_levels(levels: object) -> bool:
    words = levels if isinstance(levels, list) else []
    return len(words) > 1 and all(isinstance(w, str) for w in words) and len(set(words)) == len(words)


def _type_meant(written: str, types: Iterable[str]) -> str | None:
    elsewhere = {"boolean": "bool", "integer": "number", "int": "number", "float": "number", "string": "text"}
    return f"did you mean '{elsewhere[written]}'?" if written in elsewhere else did_you_mean(written, types)


def _check_parts(c: Compiler) -> None:
    """What can be said of named parts without knowing where they are used."""
    for part in c.tables.values():
        if not isinstance(part.value, Mapping):
            c.malformed("a table (an object)", part.value, part.place)
    for name, part in c.ways.items():
        c.way_fields(part, name)
    for part in c.selectors.values():
        if not isinstance(part.value, Mapping | bool):
            c.malformed("a selector (an object, true or false)", part.value, part.place)


def _compile_all(pack: RulePack, c: Compiler, unit: Unit) -> bool:
    """Compiles the entry as written and with each `vary` alone; true if it has no error."""
    before = len(c.findings)
    unit.vary = tuple(_vary(c, unit.entry))
    for chosen in ((), *((i,) for i in range(len(unit.vary)))):
        pack.cached(lambda: c, unit, chosen)
    return len(c.findings) == before and None not in unit.built.values()


def compile_unit(pack: RulePack, unit: Unit) -> bool:
    """Compiles one entry by itself; false if it has errors."""
    return _compile_all(pack, pack.compiler(), unit)


def _vary(c: Compiler, entry: RuleEntry) -> Iterable[Variation]:
    listed = entry.value.get("vary", [])
    place = entry.place / "vary"
    if not isinstance(listed, list):
        c.malformed('a list of {"when": …, "set": {…}}', listed, place)
        return
    for i, part in enumerate(listed):
        if not isinstance(part, Mapping) or not isinstance(part.get("set"), Mapping) or "when" not in part:
            c.malformed('{"when": …, "set": {…}}', part, place / i)
            continue
        c.unknown_fields(part, ("when", "set", "section", "note"), place / i)
        c.reads = set()
        when = c.selector(part["when"], Scope(SCENARIO, item("scenario")), place / i / "when")
        fields = _replaceable(c, part["set"], place / i / "set")
        yield Variation(when, fields, place / i / "set", frozenset(c.reads))


def _replaceable(c: Compiler, fields: Mapping[str, Any], place: Place) -> Mapping[str, Any]:
    for key in fields:
        if key in FIXED:
            c.report("R114", f"'{key}' of an entry cannot be replaced", (place / key).key())
    return _changes(fields)


def _changes(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in fields.items() if key not in (*FIXED, "note")}


def _cycles(pack: RulePack, c: Compiler) -> set[Key]:
    """Definitions may not read themselves, also not through others: one finding a cycle, with the chain."""
    reads = {key: sorted(reads_of(unit) & set(pack.derives)) for key, unit in pack.derives.items()}
    done: set[Key] = set()
    bad: set[Key] = set()
    for start in sorted(reads):
        trail: dict[Key, list[Key]] = {}
        stack = [] if start in done else [start]
        while stack:
            key = stack[-1]
            todo = trail.setdefault(key, list(reads[key]))
            if not todo:
                done.add(stack.pop())
                continue
            other = todo.pop(0)
            if other in stack:
                chain = [*stack[stack.index(other) :], other]
                bad.update(chain)
                _report_cycle(pack, c, chain)
            elif other not in done:
                stack.append(other)
    return bad


def _report_cycle(pack: RulePack, c: Compiler, chain: list[Key]) -> None:
    words = " → ".join(f"{kind}.{name}" for kind, name in chain)
    place = _head(pack.derives[chain[0]].entry)
    help = "one of them must be computed from the position alone"
    c.report("R107", f"definitions read each other in a circle: {words}", place, help)


def reads_of(unit: Unit) -> set[Key]:
    """What an entry reads in any of its variants."""
    found = {read for made in unit.built.values() if made is not None for read in made.reads}
    found |= {read for vary in unit.vary for read in vary.reads}
    return found | {("piece", name) for kind, name in found if kind == "arrival"}


def reads_through(pack: RulePack, reads: Iterable[Key]) -> set[Key]:
    """These, and all that the definitions among them read in their turn."""
    found: set[Key] = set()
    todo = list(reads)
    while todo:
        key = todo.pop()
        if key not in found:
            found.add(key)
            todo += reads_of(pack.derives[key]) if key in pack.derives else ()
    return found


def _check_overrides(pack: RulePack, c: Compiler) -> None:
    """What scenarios and cases put in place of a field is checked like the rule file itself."""
    scenarios = [*pack.module.scenarios.values(), *(case.scenario for case in pack.module.cases)]
    found = {id(override): override for scenario in scenarios for override in scenario.overrides}
    for override in found.values():
        if override.set:
            _replaceable(c, override.set, override.place / "set")
            for unit in pack.named(override.rule):
                pack.cached(lambda: c, unit, (), override)


def _check_texts(pack: RulePack, c: Compiler) -> None:
    """Messages given in a text file. Other languages were compared with the first already."""
    texts = pack.module.texts
    for id, unit in pack.rules.items():
        for key in ("say", "help"):
            if texts.has(f"rule.{id}.{key}") and key not in unit.entry.value:
                _check_text(pack, c, unit, f"rule.{id}.{key}")


def _check_text(pack: RulePack, c: Compiler, unit: Unit, text_id: str) -> None:
    rule, texts, before = unit.plain, pack.module.texts, len(c.findings)
    assert isinstance(rule, Rule)

    def at(start: int, end: int) -> Place:
        return unit.entry.place / "id"

    shown = [*(name for name, _ in rule.show), *traced(c, rule.reads)]
    check_placeholders(c, texts.get(text_id), rule.construct, shown, rule.names, at)
    c.findings[before:] = [_of_text(found, text_id, texts.languages[0]) for found in c.findings[before:]]


def _of_text(finding: Finding, text_id: str, language: str) -> Finding:
    return replace(finding, message=f"in the text '{text_id}' of '{language}': {finding.message}")


def _asked(module: Module, idle: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Of the parts that no entry uses, those that a case asks about."""
    words = {word for case in module.cases for word in _strings(case.ask)} if idle else set()
    return {part for part in idle if part[1] in words}


def _strings(value: object) -> Iterator[str]:
    """Every text inside a question: it may name a way or a table."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(part)


def _once(findings: Iterable[Finding]) -> list[Finding]:
    seen: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        place = finding.place
        where = place and (id(place.document), place.path, place.on, place.part)
        seen.setdefault((finding.code, finding.message, where), finding)
    return list(seen.values())
