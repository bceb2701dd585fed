"""How a bound came about: "4 = city 3 + HQ 1". The parts of a term, each with what it stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from compiler.rules.items import Env
from compiler.rules.terms import Arithmetic, CountTerm, Divide, First, Fold, Lookup, Own, RefTerm, Term
from compiler.rules.words import listed, plain, show

Name = Callable[[Any], str]
_SIGNS = {"add": " + ", "subtract": " - ", "times": " × "}
_PARTS = 8  # of a sum that are told one by one
_LONG = 60  # letters of a condition that is worth repeating


def made_of(term: Term, env: Env, name: Name) -> str | None:
    """The bound and its parts; nothing where it is a plain number or one attribute: the message has said that."""
    while isinstance(term, First) and (chosen := term.pick(env)) is not None:
        term = chosen
    value = term.value(env)
    if value is None or not isinstance(term, Arithmetic | Divide | Lookup | CountTerm | Fold):
        return None
    told = _part(term, env, name, inner=False)
    return f"{plain(value)} = {told}" if told != plain(value) else None


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
        return own or _condition(term, env)
    return ""


def _row(value: Any, name: Name) -> str:
    return value if isinstance(value, str) else name(value) if hasattr(value, "kind") else show(value)


def _condition(term: First, env: Env) -> str:
    """The condition that chose the number, if it is short."""
    words = next((s.words for s, _ in term.branches if s.holds(None, env)), "")
    return f"[{words}]" if 0 < len(words) <= _LONG else ""
