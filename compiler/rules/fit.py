"""`fit`: can all items be put into the places, all at once?

In come the items, the places with their capacities and what each takes; out goes what went where and what is left over.
The answer is exact and the same on every machine. Most positions are settled by simply putting things where they fit.
Else the parts of the problem that share nothing are solved one by one: where every slot takes each of its items at the same size it
is a matching, otherwise all ways of filling are tried, alike places not told apart. Counted steps bound that search;
when the bound is hit the answer is "undecided", and no finding rests on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from compiler.frozen import dataclass
from compiler.rules.bins import Bin, Fit
from compiler.rules.items import Env, Item, Number, Trouble
from compiler.rules.selectors import Selector
from compiler.rules.terms import Term
from compiler.rules.words import listed, plain, short, show

STEPS = 200_000  # for one subject
IN_ALL = (
    1_000_000  # for all subjects of one rule: a thousand hard ones must not take a thousand times as long
)

Sizes = tuple[Number, ...]
Option = tuple[int, int, int, Sizes]  # place, load, slot, and what the item takes of each measure
Filled = tuple[
    int, tuple[Sizes, ...]
]  # a place as it stands: its load (-1: still open), and what its slots hold


@dataclass(frozen=True, slots=True)
class Outcome:
    """`placed` pairs items with where they went; `left` could not be placed. `decided` False: the search gave up."""

    items: tuple[Item, ...]
    placed: tuple[tuple[Item, str], ...]
    left: tuple[Item, ...]
    decided: bool
    why: str


@dataclass(frozen=True, slots=True)
class _Slot:
    name: str
    takes: Selector
    sizes: tuple[Term, ...]
    room: tuple[Number | None, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A bin as it stands here: who it is, and its alternative loads with capacities worked out."""

    item: Item | None
    loads: tuple[tuple[_Slot, ...], ...]


class _GaveUp(Exception):
    pass


class Effort:
    """Steps left to the searches of one rule."""

    def __init__(self, left: int = IN_ALL) -> None:
        self.left = left

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _GaveUp


def solve(fit: Fit, env: Env, effort: Effort | None = None) -> Outcome:
    """Leftovers are those refused when items are kept in id order as long as a largest placement still exists.

    The search takes what it needs of `effort`, the steps left to a whole rule.
    """
    effort = effort or Effort()
    own = Effort(min(STEPS, effort.left))
    before = own.left
    outcome = _solve(fit, env, own)
    effort.left -= before - max(own.left, 0)
    return outcome


def _solve(fit: Fit, env: Env, effort: Effort) -> Outcome:
    items = list(fit.items.items(env))
    if not items:
        return Outcome((), (), (), True, "")
    places = [place for bin in fit.bins for place in _places(bin, env)]
    options = [_options(item, places, fit.tied, env) for item in items]
    try:
        went = _greedy(places, options) or _exactly(places, options, effort)
    except _GaveUp:
        return Outcome(tuple(items), (), (), False, "there are too many ways to try")
    placed = [(item, _named(places, o)) for item, o in zip(items, went, strict=True) if o is not None]
    left = [i for i, o in enumerate(went) if o is None]
    why = _reason(items, places, options, left)
    return Outcome(tuple(items), tuple(placed), tuple(items[i] for i in left), True, why)


# The problem ----------------------------------------------------------------------------------------------------------


def _places(bin: Bin, env: Env) -> Iterator[_Place]:
    for holder in [None] if bin.gather is None else bin.gather.items(env):
        scope = env if bin.gather is None else {**env, "bin": holder}
        loads = tuple(
            tuple(
                _Slot(
                    slot.name,
                    slot.takes,
                    tuple(m.size for m in slot.measures),
                    tuple(_room(m.at_most, scope) for m in slot.measures),
                )
                for slot in load
            )
            for load in bin.loads
        )
        yield _Place(holder, loads)


def _room(limit: Term, scope: Env) -> Number | None:
    found: Number | None = limit.value(scope)
    return None if found is None else limit.number(scope)


def _options(item: Item, places: Sequence[_Place], tied: str | None, env: Env) -> list[Option]:
    """Where an item may go at all, looked at alone."""
    bound = item.get(tied) if tied else None
    out: list[Option] = []
    for p, place in enumerate(places):
        if bound is not None and place.item is not bound:
            continue
        scope = {**env, "bin": place.item, "item": item}
        for a, load in enumerate(place.loads):
            for s, slot in enumerate(load):
                if slot.takes.holds(item, scope):
                    sizes = tuple(_size(size, scope) for size in slot.sizes)
                    if _fits(sizes, slot.room):
                        out.append((p, a, s, sizes))
    return out


def _size(size: Term, scope: Env) -> Number:
    found: Number = size.number(scope)
    if found < 0:
        raise Trouble(f"{size.words} is {plain(found)}; a size may not be less than 0")
    return found


def _fits(held: Sizes, room: tuple[Number | None, ...]) -> bool:
    return all(limit is None or size <= limit for size, limit in zip(held, room, strict=True))


def _add(a: Sizes, b: Sizes) -> Sizes:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _named(places: Sequence[_Place], option: Option) -> str:
    p, a, s, _ = option
    slot, holder = places[p].loads[a][s].name, places[p].item
    return slot if holder is None else f"{slot} of {short(holder)}"


def _reason(
    items: Sequence[Item], places: Sequence[_Place], options: Sequence[list[Option]], left: Sequence[int]
) -> str:
    if not left:
        return ""
    homeless = next((i for i in left if not options[i]), None)
    if homeless is not None:
        return f"nothing here takes {show(items[homeless])}"
    full = dict.fromkeys(f"{_named(places, o)}{_limit(places, o)}" for o in options[left[0]])
    return f"every place that would take {show(items[left[0]])} is full: {listed(list(full))}"


def _limit(places: Sequence[_Place], option: Option) -> str:
    p, a, s, _ = option
    limits = [plain(limit) for limit in places[p].loads[a][s].room if limit is not None]
    return f" (holds {' and '.join(limits)})" if limits else ""


# The easy way ---------------------------------------------------------------------------------------------------------


def _greedy(places: Sequence[_Place], options: Sequence[list[Option]]) -> list[Option | None] | None:
    """Those with the fewest choices first, each where it fits: an answer if all find a place."""
    went: list[Option | None] = [None] * len(options)
    held: dict[tuple[int, int], Sizes] = {}
    load_of: dict[int, int] = {}
    for i in sorted(range(len(options)), key=lambda i: len(options[i])):
        for option in options[i]:
            p, a, s, sizes = option
            if load_of.get(p, a) != a:
                continue
            after = _add(held[p, s], sizes) if (p, s) in held else sizes
            if _fits(after, places[p].loads[a][s].room):
                held[p, s], load_of[p], went[i] = after, a, option
                break
        else:
            return None
    return went


# The exact way --------------------------------------------------------------------------------------------------------


def _exactly(
    places: Sequence[_Place], options: Sequence[list[Option]], effort: Effort
) -> list[Option | None]:
    went: list[Option | None] = [None] * len(options)
    for part in _parts(options):
        own = [options[i] for i in part]
        capacity = _capacities(places, own)
        found = _Search(places, own, effort).solve() if capacity is None else _match(own, capacity)
        for i, option in zip(part, found, strict=True):
            went[i] = option
    return went


def _parts(options: Sequence[list[Option]]) -> list[list[int]]:
    """Items that compete for some place, directly or through others, belong together."""
    leader: dict[int, int] = {}

    def find(p: int) -> int:
        while leader.setdefault(p, p) != p:
            p = leader[p]
        return p

    for own in options:
        for p, *_ in own[1:]:
            leader[find(p)] = find(own[0][0])
    parts: dict[int, list[int]] = {}
    for i, own in enumerate(options):
        if own:
            parts.setdefault(find(own[0][0]), []).append(i)
    return list(parts.values())


# A matching: every item takes as much of a slot as any other ----------------------------------------------------------


def _capacities(
    places: Sequence[_Place], options: Sequence[list[Option]]
) -> dict[tuple[int, int], int] | None:
    """How many items each slot holds; None if that depends on which items, or on the load a place chooses."""
    sizes: dict[tuple[int, int], Sizes] = {}
    for p, _, s, size in (option for own in options for option in own):
        if len(places[p].loads) > 1 or sizes.setdefault((p, s), size) != size:
            return None
    return {
        (p, s): min((int(limit // size) for size, limit in zip(size, room, strict=True) if size and limit is not None), default=len(options))
        for (p, s), size in sizes.items()
        for room in [places[p].loads[0][s].room]
    }  # fmt: skip


def _match(options: Sequence[list[Option]], capacity: dict[tuple[int, int], int]) -> list[Option | None]:
    """Items in id order, each kept if room can be made: a set of items that can be placed can always be enlarged."""
    went: list[Option | None] = [None] * len(options)
    inside: dict[tuple[int, int], list[int]] = {slot: [] for slot in capacity}
    for i in range(len(options)):
        _make_room(i, options, capacity, went, inside)
    return went


def _make_room(
    first: int,
    options: Sequence[list[Option]],
    capacity: dict[tuple[int, int], int],
    went: list[Option | None],
    inside: dict[tuple[int, int], list[int]],
) -> None:
    """Breadth first over who could move elsewhere, until somebody finds a slot with room."""
    reached: dict[tuple[int, int], tuple[int, Option]] = {}  # slot → who would come in, and as which option
    queue = [first]
    for i in queue:
        for option in options[i]:
            slot = (option[0], option[2])
            if slot in reached:
                continue
            reached[slot] = (i, option)
            if len(inside[slot]) < capacity[slot]:
                _shift(slot, reached, went, inside)
                return
            queue += inside[slot]


def _shift(
    slot: tuple[int, int],
    reached: dict[tuple[int, int], tuple[int, Option]],
    went: list[Option | None],
    inside: dict[tuple[int, int], list[int]],
) -> None:
    """Everybody on the way moves one slot on; the first comes in."""
    while True:
        i, option = reached[slot]
        before = went[i]
        went[i] = option
        inside[slot].append(i)
        if before is None:
            return
        slot = (before[0], before[2])
        inside[slot].remove(i)


# A search over all ways of filling ------------------------------------------------------------------------------------


State = tuple[tuple[Filled, ...], ...]  # the places of each group, sorted: alike places are not told apart
Move = tuple[int, Filled, Filled, int, int]  # group, a place before and after, load, slot


class _Search:
    """Items one after another. `layers[i]` holds every state in which items before i can leave the places."""

    def __init__(self, places: Sequence[_Place], options: Sequence[list[Option]], effort: Effort) -> None:
        self.places, self.options, self.effort = places, options, effort
        self.groups = self.alike()
        group_of = {p: g for g, group in enumerate(self.groups) for p in group}
        self.choices = [
            list(dict.fromkeys((group_of[p], a, s, sizes) for p, a, s, sizes in own)) for own in options
        ]
        self.start: State = tuple(tuple((-1, ()) for _ in group) for group in self.groups)

    def alike(self) -> list[list[int]]:
        """Places that take the same items, at the same sizes, with the same room."""
        takes: dict[int, list[Any]] = {}
        for i, own in enumerate(self.options):
            for p, a, s, sizes in own:
                takes.setdefault(p, []).append((i, a, s, sizes))
        groups: dict[Any, list[int]] = {}
        for p, what in takes.items():
            room = tuple(tuple(slot.room for slot in load) for load in self.places[p].loads)
            groups.setdefault((tuple(what), room), []).append(p)
        return list(groups.values())

    def moves(self, i: int, state: State) -> Iterator[tuple[State, Move]]:
        for g, a, s, sizes in self.choices[i]:
            slots = self.places[self.groups[g][0]].loads[a]
            for before in dict.fromkeys(state[g]):
                self.effort.spend()
                after = self.filled(before, a, s, sizes, slots)
                if after is not None:
                    rest = list(state[g])
                    rest.remove(before)
                    group = tuple(sorted([*rest, after]))
                    yield (*state[:g], group, *state[g + 1 :]), (g, before, after, a, s)

    def filled(self, before: Filled, a: int, s: int, sizes: Sizes, slots: Sequence[_Slot]) -> Filled | None:
        load, held = before
        if load not in (-1, a):
            return None
        held = held or tuple(tuple(0 for _ in slot.room) for slot in slots)
        after = _add(held[s], sizes)
        return (a, (*held[:s], after, *held[s + 1 :])) if _fits(after, slots[s].room) else None

    def solve(self) -> list[Option | None]:
        best = self.best()
        frontier = [self.start]
        trail: list[dict[State, tuple[State, Move]] | None] = []
        placed, most = 0, best[0][self.start]
        for i in range(len(self.options)):
            after: dict[State, tuple[State, Move]] = {}
            for state in frontier:
                for new, move in self.moves(i, state):
                    if placed + 1 + best[i + 1][new] == most:
                        after.setdefault(new, (state, move))
            trail.append(after or None)
            if after:
                frontier, placed = list(after), placed + 1
            else:
                frontier = [state for state in frontier if placed + best[i + 1][state] == most]
        return self.replay(trail, frontier[0])

    def best(self) -> list[dict[State, int]]:
        """For each item and state, how many of the items from there on can be placed."""
        layers: list[dict[State, list[State]]] = []
        now: dict[State, None] = {self.start: None}
        for i in range(len(self.options)):
            layer = {state: [new for new, _ in self.moves(i, state)] for state in now}
            layers.append(layer)
            now = dict.fromkeys([*now, *(new for reached in layer.values() for new in reached)])
        best = [dict.fromkeys(now, 0)]
        for layer in reversed(layers):
            later = best[-1]
            best.append(
                {s: max([later[s], *(1 + later[new] for new in reached)]) for s, reached in layer.items()}
            )
        return best[::-1]

    def replay(
        self, trail: Sequence[dict[State, tuple[State, Move]] | None], state: State
    ) -> list[Option | None]:
        """Backwards for the moves, then forwards for the places themselves."""
        moves: list[Move | None] = []
        for step in reversed(trail):
            if step is None:
                moves.append(None)
            else:
                state, move = step[state]
                moves.append(move)
        now: dict[int, Filled] = {p: (-1, ()) for group in self.groups for p in group}
        out: list[Option | None] = []
        for found in reversed(moves):
            if found is None:
                out.append(None)
                continue
            g, before, after, a, s = found
            p = next(p for p in self.groups[g] if now[p] == before)
            now[p] = after
            out.append((p, a, s, ()))
        return out
