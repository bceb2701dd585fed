"""Ways: how to go from space to space, and the distance that follows from it."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any

from compiler.rules.items import Env, Item, Number, Trouble
from compiler.rules.selectors import Condition, Selector
from compiler.rules.terms import Term
from compiler.rules.words import plain, show


class Way:
    """Which links, which spaces, at what cost. `go_on` is asked only of a space that one goes on from."""

    def __init__(self, links: Selector, enter: Selector, go_on: Selector, cost: Term, name: str) -> None:
        self.links, self.enter, self.go_on, self.cost, self.name = links, enter, go_on, cost, name

    @property
    def words(self) -> str:
        told = [
            "" if self.links.is_open else f"by links where {self.links.words}",
            "" if self.enter.is_open else f"into spaces where {self.enter.words}",
            "" if self.go_on.is_open else f"onward only from spaces where {self.go_on.words}",
            f"each step for {self.cost.words}" if not self.cost.is_plain else "",
        ]
        return "; ".join(filter(None, told)) or "by any link into any space"

    def steps(self, space: Item, env: Env) -> Iterator[tuple[Item, Number]]:
        scope = dict(env)
        for link in space.get("links_out"):
            to = link.attrs["to"]
            scope.update({"from": space, "to": to, "link": link})
            if self.links.holds(link, scope) and self.enter.holds(to, scope):
                yield to, self.paid(scope)

    def paid(self, scope: Env) -> Number:
        cost: Number = self.cost.number(scope)
        if cost < 0:
            raise Trouble(f"the cost of way '{self.name}' is {plain(cost)}; it may not be less than 0")
        return cost

    def reach(self, start: Item, limit: Number | None, env: Env) -> Iterator[tuple[Number, Item]]:
        """Spaces by cost from the start, itself first, nearest first, ties by id."""
        seen: set[Item] = set()
        heap: list[tuple[Number, str, Item]] = [(0, start.id, start)]
        while heap:
            cost, _, space = heapq.heappop(heap)
            if space in seen:
                continue
            seen.add(space)
            yield cost, space
            if space is not start and not self.go_on.holds(space, env):
                continue
            for to, step in self.steps(space, env):
                if to not in seen and (limit is None or cost + step <= limit):
                    heapq.heappush(heap, (cost + step, to.id, to))


class Within(Condition):
    """Some space that matches lies within the distance of the current space, itself included."""

    def __init__(self, distance: Term, of: Selector, way: Way, through: str | None) -> None:
        self.distance, self.of, self.way, self.through = distance, of, way, through

    def holds(self, item: Any, env: Env) -> bool:
        start = item.get(self.through) if item is not None and self.through else item
        if start is None:
            return False
        limit = self.distance.number(env)
        if limit < 0:
            return False
        return any(self.of.holds(space, env) for _, space in self.way.reach(start, limit, env))

    @property
    def words(self) -> str:
        by = f" by way «{self.way.name}»" if self.way.name else ""
        return f"it is within {self.distance.words} of a space where {self.of.words}{by}"

    def why(self, item: Item | None, env: Env) -> str:
        start = item.get(self.through) if item is not None and self.through else item
        where = f"{show(start)} is" if start is not None else "it stands nowhere, and so is"
        return f"{where} not within {self.distance.words} of a space where {self.of.words}"


class Distance(Term):
    """What it costs to go from one space to another; `otherwise`, or nothing, where no way leads there."""

    def __init__(self, start: Term, end: Term, way: Way, otherwise: Term | None) -> None:
        self.start, self.end, self.way, self.otherwise = start, end, way, otherwise

    @property
    def words(self) -> str:
        by = f" by way «{self.way.name}»" if self.way.name else ""
        instead = f" (if none leads there, {self.otherwise.words})" if self.otherwise else ""
        return f"the distance from {self.start.words} to {self.end.words}{by}{instead}"

    def value(self, env: Env) -> Any:
        start, end = _space(self.start, env), _space(self.end, env)
        if start is not None and end is not None:
            for cost, space in self.way.reach(start, None, env):
                if space is end:
                    return cost
        return self.otherwise.value(env) if self.otherwise else None


def _space(term: Term, env: Env) -> Item | None:
    """The space of a term: a space, a piece's space, or the space of that id."""
    found = term.value(env)
    if isinstance(found, str):
        found = env["scenario"].world.items["space"].get(found)
    space: Item | None = found.get("space") if found is not None and found.kind == "piece" else found
    return space
