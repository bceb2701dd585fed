"""Reading a rule back in words: the cheapest defence against a rule that says something else than its author meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from compiler.rules.pack import RulePack

_OPS = {
    "at_most": "at most", "at_least": "at least", "less_than": "less than", "more_than": "more than", "equals": "exactly",
}  # fmt: skip


def read_back(pack: RulePack, rule_id: str, language: str | None = None) -> str:
    """A rule or definition in plain sentences, with title, section, exceptions and variants."""
    unit = pack.rules.get(rule_id) or next(
        (u for (_, name), u in pack.derives.items() if name == rule_id), None
    )
    if unit is None:
        return ""
    value = unit.entry.value
    lines = [_definition(value)] if "derive" in value else _rule(pack, value, rule_id, language)
    for part in value.get("vary") or []:  # type: ignore[attr-defined]
        fields = ", ".join(part["set"])
        lines.append(f"When {_selector(part.get('when'))}: another {fields} holds instead.")
    return "\n".join(line for line in lines if line)


def _rule(pack: RulePack, value: Mapping[str, Any], id: str, language: str | None) -> list[str]:
    texts = pack.module.texts
    title = (
        texts.get(f"rule.{id}.title", language)
        if texts.has(f"rule.{id}.title", language)
        else value.get("title")
    )
    head = f"{id}: {title}" if title else id
    lines = [f"{head}  [{value['section']}]" if value.get("section") else head]
    if "when" in value:
        lines.append(f"Only when {_selector(value['when'])}.")
    if "at" in value:
        at = value["at"] if isinstance(value["at"], list) else [value["at"]]
        lines.append(f"Judged at: {', '.join(at)}.")
    lines.append(_sentence(_bindings(value.get("for", [])) + _judgment(value)))
    lines += [
        f"Except '{e.get('id')}'{_cite(e)}: when {_selector(e.get('if'))}." for e in value.get("unless", [])
    ]
    return lines


def _cite(value: Mapping[str, Any]) -> str:
    return f" ({value['section']})" if value.get("section") else ""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _bindings(listed: list[Any]) -> str:
    if not listed:
        return "once: "
    return "for each " + ", each ".join(_binding(b) for b in listed) + ": "


def _binding(value: Mapping[str, Any]) -> str:
    if "values" in value:
        words = value["values"] if isinstance(value["values"], list) else [value["values"]]
        return f"{value.get('as', 'value')} of {', '.join(words)}"
    if "each" in value:
        return f"{value.get('as', 'each')} of {_ref(value['each'])}{_where(value.get('if', True))}"
    kind = next(k for k in value if k not in ("as", "note"))
    named = f" (called {value['as']})" if "as" in value else ""
    return f"{kind}{named}{_where(value[kind])}"


def _where(selector: object) -> str:
    return "" if selector is True or selector == {} else f" where {_selector(selector)}"


def _judgment(value: Mapping[str, Any]) -> str:
    if "must" in value:
        return (
            "it must never be" if value["must"] is False else f"it must be so that {_selector(value['must'])}"
        )
    if "total" in value:
        bounds = [f"{_OPS[op]} {_term(value[op])}" for op in ("at_most", "at_least", "equals") if op in value]
        return f"{_term(value['total'])} must be {' and '.join(bounds)}"
    return _fit(value["fit"])


def _fit(fit: Mapping[str, Any]) -> str:
    items = f"{_ref(fit['items'].get('each', 'piece'))}{_where(fit['items'].get('if', True))}"
    return f"all {items} must fit into: " + "; ".join(_bin(b) for b in fit["bins"])


def _bin(bin: Mapping[str, Any]) -> str:
    slots = bin.get("slots")
    inside = _slots(slots) if slots is not None else " or ".join(f"({_slots(load)})" for load in bin["loads"])
    if "each" not in bin:
        return inside
    return f"each of {_ref(bin['each'])}{_where(bin.get('if', True))}, which has {inside}"


def _slots(slots: list[Any]) -> str:
    return ", ".join(_slot(s) for s in slots)


def _slot(slot: Mapping[str, Any]) -> str:
    holds = [slot] if "hold" in slot else slot.get("holds", [])
    room = " and ".join(
        ("no limit" if (limit := h.get("hold", h.get("at_most"))) is None else f"{_term(limit)}")
        + (f" by {_term(h['size'])}" if "size" in h else "")
        for h in holds
    )
    takes = f" for what fulfils {_selector(slot['takes'])}" if "takes" in slot else ""
    return f"{slot.get('slot', 'place')} (room {room}{takes})"


def _definition(value: Mapping[str, Any]) -> str:
    owner = f"{value['on']}.{value['derive']}"
    only = f", where {_selector(value['if'])}" if "if" in value else ""
    if "holds" in value:
        return f"{owner}{only}: true when {_selector(value['holds'])}."
    if "value" in value:
        return f"{owner}{only}: {_term(value['value'])}."
    both = ", and the other way round" if value.get("symmetric") else ""
    return f"{owner}{only}: the set of " + "; and ".join(_collect(p) for p in value["collect"]) + both + "."


def _collect(part: Mapping[str, Any]) -> str:
    taken = f"the {part['take']} of each " if "take" in part else "each "
    keep = f", keeping those that fulfil {_selector(part['keep'])}" if "keep" in part else ""
    return f"{taken}{_ref(part['each'])}{_where(part.get('if', True))}{keep}"


def _selector(value: object) -> str:
    if isinstance(value, bool):
        return "always" if value else "never"
    if not isinstance(value, Mapping):
        return _match(value)
    return " and ".join(_condition(k, v) for k, v in value.items() if k != "note") or "anything"


def _condition(key: str, value: Any) -> str:
    if key == "all":
        return " and ".join(_selector(v) for v in value)
    if key == "any":
        return "(" + " or ".join(_selector(v) for v in value) + ")"
    if key == "not":
        return f"it is not {_match(value)}"
    if key == "is":
        return f"it is {_match(value)}"
    if key == "use":
        return " and ".join(f"«{name}»" for name in (value if isinstance(value, list) else [value]))
    if key == "compare":
        return f"{_term(value[0])} is {_OPS.get(value[1], value[1])} {_term(value[2])}"
    if key == "within":
        by = f" by {value['by']}" if "by" in value else ""
        return f"within {_term(value['distance'])} of a space where {_selector(value['of'])}{by}"
    return f"{_ref(key)} {_has(value)}"


def _has(value: Any) -> str:
    if isinstance(value, Mapping):
        parts = [f"has {k} {_match(value[k])}" for k in ("some", "none", "every") if k in value]
        ops = [f"{_OPS[op]} {_term(value[op])}" for op in _OPS if op in value]
        if "count" in value:
            parts.append(f"has {' and '.join(ops)} of {_match(value['count'])}")
        if parts:
            return " and ".join(parts)
    return f"is {_match(value)}"


def _match(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, list):
        return " or ".join(_match(v) for v in value)
    if isinstance(value, Mapping):
        ops = [f"{_OPS[op]} {_term(value[op])}" for op in _OPS if op in value]
        if set(value) <= {*_OPS, "not"}:
            return " and ".join([*ops, *([f"not {_match(value['not'])}"] if "not" in value else [])])
        return f"such that {_selector(value)}"
    return _term(value)


def _ref(text: object) -> str:
    if not isinstance(text, str):
        return _term(text)
    if not text.startswith("@"):
        return text
    root, *path = text[1:].split(".")
    who = {"self": "its own", "each": "its"}.get(root, f"the {root}'s")
    return f"{who} {'.'.join(path)}" if path else f"the {root}"


def _term(value: Any) -> str:
    if value is None:
        return "no limit"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _ref(value)
    if not isinstance(value, Mapping):
        return str(value)
    form = next((k for k in _TERMS if k in value), None)
    return _TERMS[form](value) if form else "?"


def _several(joint: str, key: str) -> Any:
    return lambda v: "(" + joint.join(_term(t) for t in v[key]) + ")"


def _fold(word: str) -> Any:
    return lambda v: f"the {word} of {_term(v[word])} over {_ref(v['each'])}{_where(v.get('if', True))}"


def _first(value: Mapping[str, Any]) -> str:
    parts = [f"{_term(b['then'])} when {_selector(b['if'])}" for b in value["first"]]
    return ", ".join(parts) + (f", otherwise {_term(value['else'])}" if "else" in value else "")


def _table(value: Mapping[str, Any]) -> str:
    rows = ", ".join(_term(r) for r in value.get("row", []))
    return f"table {value['table']} at ({rows})" + (
        f", otherwise {_term(value['else'])}" if "else" in value else ""
    )


_TERMS: dict[str, Any] = {
    "count": lambda v: f"the number of {_ref(v['count'])}{_where(v.get('if', True))}",
    "sum": _fold("sum"),
    "largest": _fold("largest"),
    "smallest": _fold("smallest"),
    "add": _several(" + ", "add"),
    "times": _several(" × ", "times"),
    "max": lambda v: "the largest of " + _several(", ", "max")(v),
    "min": lambda v: "the smallest of " + _several(", ", "min")(v),
    "subtract": _several(" - ", "subtract"),
    "divide": lambda v: _several(" ÷ ", "divide")(v) + f" rounded {v.get('round')}",
    "table": _table,
    "first": _first,
}
