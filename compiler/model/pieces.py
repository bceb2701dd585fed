"""How a piece is written: `"inf"`, `"3 inf"` or `{"piece": "inf", "count": 3}`.

In: one item of a `pieces` list and the power of its entry. Out: the counter it means and how many. The same reader
serves placements, `add`, `remove`, reinforcements and plans, so that a piece is written alike everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from compiler.findings import Finding, Place, Related, error
from compiler.frozen import dataclass
from compiler.model.context import Context
from compiler.model.read import Object, text, whole
from compiler.model.types import Counter
from compiler.suggest import suggest

MAX_COUNT = 10_000
_WRITTEN = re.compile(r"(?:([0-9]{1,12})\s+)?(\S+)")


@dataclass(frozen=True, slots=True)
class Line:
    """One item of a `pieces` list, understood: how many of which counter, and what the object says beside."""

    counter: str
    count: int
    entry: Object
    place: Place


class Reader:
    """Reads the items of `pieces` lists into counters. One reader serves a whole module."""

    def __init__(
        self, ctx: Context, counters: Mapping[str, Counter], owned: Mapping[tuple[str | None, str], list[str]]
    ) -> None:
        self.ctx, self.names, self.counters, self.owned = ctx, ctx.names, counters, owned
        self.strings: dict[tuple[str, str | None], tuple[str, int]] = {}

    def line(self, written: object, power: str | None, place: Place) -> Line | None:
        """A counter and a number, or nothing (reported, or of a shape that the schema reported)."""
        if isinstance(written, str):
            done = self.strings.get((written, power))
            if done is None:
                done = self.from_string(written, power, place)
                if done is None:
                    return None
                self.strings[written, power] = done
            return Line(done[0], done[1], {}, place)
        if isinstance(written, dict) and isinstance(name := written.get("piece"), str):
            return self.from_object(name, written, power, place)
        return None

    def from_string(self, written: str, power: str | None, place: Place) -> tuple[str, int] | None:
        found = _WRITTEN.fullmatch(written)
        if found is None:
            return None
        count = 1 if found[1] is None else self.checked(int(found[1]), place.chars(*found.span(1)))
        counter = self.counter(found[2], power, place.chars(*found.span(2)))
        return None if counter is None or count is None else (counter, count)

    def from_object(self, name: str, written: Object, power: str | None, place: Place) -> Line | None:
        own = text(written.get("power"))
        if own is not None:
            power = self.names.resolve("power", own, place, "power")
        counter = self.counter(name, power, place / "piece")
        count = whole(written.get("count", 1))
        count = None if count is None else self.checked(count, place / "count")
        return None if counter is None or count is None else Line(counter, count, written, place)

    def checked(self, count: int, place: Place) -> int | None:
        if 1 <= count <= MAX_COUNT:
            return count
        message = f"{count:,} pieces: the number must be from 1 to {MAX_COUNT:,}"
        self.ctx.report(error("N515", message, place, help="leave the entry out" if count < 1 else None))
        return None

    def counter(self, name: str, power: str | None, place: Place) -> str | None:
        """The counter of that type owned by the power, or the counter of that id."""
        owned = self.owned.get((power, name)) if power is not None else None
        if owned and (len(owned) == 1 or f"{power}.{name}" in owned):
            found = owned[0] if len(owned) == 1 else f"{power}.{name}"
            self.names.used["counter"].add(found)
            return found
        if name in self.counters:
            self.names.used["counter"].add(name)
            return name
        if self.is_broken(name, power):
            return None
        if owned:
            message = f"'{power}' has several counters of type '{name}'"
            self.ctx.report(error("N516", message, place, help=f"write one of: {', '.join(sorted(owned))}"))
        else:
            self.report_unknown(name, power, place)
        return None

    def is_broken(self, name: str, power: str | None) -> bool:
        """Whether the piece may be one whose counter could not be made: that was reported already."""
        broken = self.names.broken
        if "counter" in self.names.unread:
            return True
        if name in broken["counter"] or power in broken["power"]:
            return True
        if name not in self.names.tables["type"]:
            return f"{power}.{name}" in broken["counter"]
        return any(c.startswith(f"{power}.") or c.endswith(f".{name}") for c in broken["counter"])

    def report_unknown(self, name: str, power: str | None, place: Place) -> None:
        type_place = self.names.place_of("type", name)
        if type_place is not None:
            owners = sorted(p for p, type in self.owned if type == name and p is not None)
            related = (Related(type_place, f"the type '{name}' is declared here"),)
            if power is None:
                example = f"{owners[0]}.{name}" if owners else f"<power>.{name}"
                message = f"whose '{name}'? it is a type, and the entry names no power"
                help = f"add \"power\", or write the counter's id such as '{example}'"
                self.ctx.report(error("N517", message, place, help=help, related=related))
            else:
                help = (
                    f"counters of this type belong to: {', '.join(owners)}"
                    if owners
                    else "make the counter in counters/*.json"
                )
                message = f"there is no counter of type '{name}' for '{power}'"
                self.ctx.report(error("N518", message, place, help=help, related=related))
            return
        self.ctx.report(self.unknown(name, power, place))

    def unknown(self, name: str, power: str | None, place: Place) -> Finding:
        types = [type for owner, type in self.owned if owner == power] if power else []
        near = suggest(name, [*types, *self.counters]) or suggest(name, self.names.all("type"))
        message = f"there is no type or counter '{name}'"
        if near is None:
            return error("N104", message, place, help="types and counters are declared in counters/*.json")
        declared = self.names.place_of("type", near) or self.names.place_of("counter", near)
        related = (Related(declared, f"'{near}' is declared here"),) if declared else ()
        return error("N104", message, place, help=f"did you mean '{near}'?", related=related)
