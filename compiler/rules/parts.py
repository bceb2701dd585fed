"""How a bound came about: "4 = city 3 + HQ 1". The parts of a term, each with what it stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from compiler.rules.bins import Bin, Fit, Slot
from compiler.rules.definitions import Derive
from compiler.rules.items import Env, Item
from compiler.rules.matches import Some
from compiler.rules.refs import follow
from compiler.rules.selectors import Refers
from compiler.rules.terms import Arithmetic, CountTerm, Divide, First, Fold, Lookup, Own, RefTerm, Term
from compiler.rules.words import listed, plain, show

Name = Callable[[Any], str]
_SIGNS = {"add": " + ", "subtract": " - ", "times": " × "}
_DEEP = 8  # definitions that are looked through
_PARTS = 8  # of a sum that are told one by one
_LONG = 60  # letters of a condition that is worth repeating


def made_of(term: Term, env: Env, name: Name) -> str | None:
    """The bound and its parts; nothing where it is a plain number or one attribute: the message has said that."""
    term, env = _opened(term, env)
    value = term.value(env)
    if value is None or not isinstance(term, Arithmetic | Divide | Lookup | CountTerm | Fold):
        return None
    told = _part(term, env, name, inner=False)
    return f"{plain(value)} = {told}" if told != plain(value) else None


def room_of(fit: Fit, env: Env, name: Name) -> str:
    """How much each slot of a fit's places holds, and how that came about."""
    tally = Counter(words for bin in fit.bins for words in _rooms(bin, env, name))
    told = [f"{number} × {words}" if number > 1 else words for words, number in tally.items()]
    more = [f"and {len(told) - _PARTS} more"] if len(told) > _PARTS else []
    return "; ".join([*told[:_PARTS], *more]) or "nothing there holds any"


def _rooms(bin: Bin, env: Env, name: Name) -> Iterator[str]:
    for holder in [None] if bin.gather is None else bin.gather.items(env):
        scope = env if holder is None else {**env, "bin": holder}
        whose = f"{name(holder)}: " if holder is not None else ""
        yield whose + " or ".join(", ".join(_slot(slot, scope, name) for slot in load) for load in bin.loads)


def _slot(slot: Slot, env: Env, name: Name) -> str:
    told = []
    for measure in slot.measures:
        room = measure.at_most.value(env)
        size = measure.size
        by = (
            ""
            if size.is_plain
            else f" ({'.'.join(size.ref.path) if isinstance(size, RefTerm) else size.words})"
        )
        number = "no limit" if room is None else plain(room)
        told.append((made_of(measure.at_most, env, name) or number) + by)
    return f"{slot.name} {' and '.join(told)}"


def _opened(term: Term, env: Env) -> tuple[Term, Env]:
    """Through branches and derived attributes to the term that gives the number, and what it sees."""
    for _ in range(_DEEP):
        if isinstance(term, First) and (chosen := term.pick(env)) is not None:
            term = chosen
            continue
        found = _derived(term, env) if isinstance(term, RefTerm) else None
        if found is None:
            break
        term, env = found
    return term, env


def _derived(term: RefTerm, env: Env) -> tuple[Term, Env] | None:
    """The term of a derived attribute of one item, as it holds here."""
    ref = term.ref
    owner = follow(env.get(ref.root), ref.path[:-1])
    if not ref.path or not isinstance(owner, Item):
        return None
    compute: Any = owner.world.derive.get((owner.kind, ref.path[-1]))
    varied = getattr(compute, "chosen", None)
    definition = getattr(varied[0] if varied else compute, "__self__", None)
    inner: Env = {"scenario": owner.world.scenario, "self": owner}
    if not isinstance(definition, Derive) or definition.value is None:
        return None
    if definition.condition is not None and not definition.condition.holds(owner, inner):
        return None
    return definition.value, inner


def _part(term: Term, env: Env, name: Name, inner: bool = True) -> str:
    if isinstance(term, Arithmetic):
        return _arithmetic(term, env, name, inner)
    if isinstance(term, Divide):
        rounded = "" if term.rounding == "exact" else f", rounded {term.rounding}"
        told = f"{_part(term.left, env, name)} ÷ {_part(term.right, env, name)}{rounded}"
        return f"({told})" if inner else told
    if isinstance(term, Fold) and term.how == "sum":
        parts = [f"{name(item)} {plain(term.one(item, scope))}" for item, scope in term.gather.each(env)]
        if 0 < len(parts) <= _PARTS:
            told = " + ".join(parts)
            return f"({told})" if inner and len(parts) > 1 else told
    value = term.value(env)
    number = plain(value) if value is not None else "no limit"
    about = _about(term, env, name)
    return f"{about} {number}" if about else number


def _arithmetic(term: Arithmetic, env: Env, name: Name, inner: bool) -> str:
    parts = [(part.number(env), _part(part, env, name)) for part in term.terms]
    if term.how in ("max", "min"):
        word = "the larger of" if term.how == "max" else "the smaller of"
        return f"{word} {' and '.join(told for _, told in parts)}"
    if term.how == "add":
        parts = [part for part in parts if part[0] != 0] or parts[:1]
    if term.how == "times":
        parts = [part for part in parts if part[0] != 1] or parts[:1]
    if term.how == "subtract" and parts[1][0] == 0:
        parts = parts[:1]
    told = _SIGNS[term.how].join(words for _, words in parts)
    return f"({told})" if inner and len(parts) > 1 and term.how != "times" else told


def _about(term: Term, env: Env, name: Name) -> str:
    """What a number stands for: the row of a table, the things counted, an attribute, a condition."""
    if isinstance(term, Lookup):
        return " / ".join(_row(row.value(env), name) for row in term.rows)
    if isinstance(term, CountTerm | Fold):
        tally = Counter(name(item) for item in term.counted(env))
        return listed([f"{n} × {word}" if n > 1 else word for word, n in tally.items()]) if tally else ""
    if isinstance(term, RefTerm | Own):
        return ".".join(term.ref.path[-1:])
    if isinstance(term, First):
        chosen = term.pick(env)
        own = _about(chosen, env, name) if chosen is not None else ""
        return own or _condition(term, env, name)
    return ""


def _row(value: Any, name: Name) -> str:
    return value if isinstance(value, str) else name(value) if hasattr(value, "kind") else show(value)


def _condition(term: First, env: Env, name: Name) -> str:
    """The condition that chose the number: who fulfils it, else its words if they are short."""
    chosen = next((s for s, _ in term.branches if s.holds(None, env)), None)
    if chosen is None:
        return ""
    for condition in chosen.conditions:
        if isinstance(condition, Refers) and isinstance(condition.match, Some):
            found = condition.match.fitting(condition.ref.value(env), env)
            if isinstance(found[0], Item) and found[0].kind in ("piece", "arrival"):
                return name(found[0])
    return f"[{chosen.words}]" if 0 < len(chosen.words) <= _LONG else ""
