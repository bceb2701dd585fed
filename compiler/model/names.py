"""Names: what is declared, what is used, and the finding for a name that nobody declared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from compiler.findings import Finding, Place, Related, error
from compiler.suggest import suggest

Report = Callable[[Finding], None]


@dataclass(frozen=True, slots=True)
class Noun:
    """How a kind of name is spoken of: the code of an unknown one, its word, and where it is declared.

    Without a code, nothing ever names it: it can only be declared twice.
    """

    code: str
    word: str
    declared: str


NOUNS = {
    "space": Noun("N101", "space", "spaces are declared in maps/*.json under 'spaces'"),
    "link": Noun("N102", "link", "a link gets a name by 'id' in maps/*.json under 'links'"),
    "region": Noun("N103", "region", "regions are declared in maps/*.json under 'regions'"),
    "counter": Noun("N104", "counter", "counters are declared in counters/*.json under 'counters'"),
    "type": Noun("N105", "type", "types are declared in counters/*.json under 'types'"),
    "side": Noun("N106", "side", "sides are declared in module.json under 'sides'"),
    "power": Noun("N107", "power", "powers are declared in module.json under 'powers'"),
    "track": Noun("N108", "track", "tracks are declared in module.json under 'tracks'"),
    "option": Noun("N109", "option", "options are declared in module.json under 'options'"),
    "phase": Noun("N110", "phase", "phases are declared in sequence.json under 'phases'"),
    "moment": Noun("N111", "moment", "moments are declared in sequence.json under 'moments'"),
    "date": Noun("N112", "date", "dates are the turns of sequence.json ('turns' or 'rounds')"),
    "map": Noun("N113", "map", "a map is a file in maps/ with an 'id'"),
    "scenario": Noun("N114", "scenario", "a scenario is a file in scenarios/ with an 'id'"),
    "chart": Noun("N115", "chart", "a chart is a file in charts/ with an 'id'"),
    "piece": Noun(
        "N116",
        "piece",
        "a piece gets a name by 'id' where it is placed; others are called <counter>@<space>#<n>",
    ),
    "source": Noun("N117", "source", "outside sources are declared in module.json under 'sources'"),
    "rule": Noun("N118", "rule", "rules are declared in rules.json"),
    "definition": Noun("N119", "definition", "definitions are 'derive' and 'trace' entries of rules.json"),
    "way": Noun("N120", "way", "ways are declared in rules.json under 'ways'"),
    "window": Noun("N125", "window", "windows are declared in module.json under 'windows'"),
    "state": Noun("N123", "state", "states are declared in module.json under 'pieces', 'states'"),
    "send": Noun("N124", "send", "sends are declared in module.json under 'pieces', 'sends'"),
    "deck": Noun("", "deck", "decks are declared in module.json under 'vassal', 'decks'"),
    "refresh": Noun("", "refresh", "refreshes are declared in module.json under 'vassal', 'refresh'"),
    "menu": Noun("", "menu", "menus are declared in module.json under 'vassal', 'menus'"),
    "help": Noun("", "help page", "help pages are declared in module.json under 'help'"),
    "die": Noun("", "die", "dice are declared in module.json under 'dice'"),
    "arrival": Noun("", "arrival", "an arrival is a reinforcement or a line of a plan"),
}

_FEW = 8


class Names:
    """Declared names by kind. A child (a case with spaces of its own) sees its parent's names too, unless cut off."""

    def __init__(self, report: Report, parent: Names | None = None, hidden: Iterable[str] = ()) -> None:
        self.report = report
        self.parent = parent
        self.hidden = frozenset(hidden)
        self.tables: dict[str, dict[str, Place]] = {kind: {} for kind in NOUNS}
        self.others: dict[str, dict[str, str]] = defaultdict(dict)  # by kind: other ids of things → their own
        self.used: dict[str, set[str]] = parent.used if parent else defaultdict(set)
        self.broken: dict[str, set[str]] = parent.broken if parent else defaultdict(set)
        self.open: set[str] = parent.open if parent else set()  # any name will do
        self.unread: set[str] = (
            parent.unread if parent else set()
        )  # declared in a file that could not be read

    def child(self, hidden: Iterable[str] = ()) -> Names:
        return Names(self.report, self, hidden)

    def place_of(self, kind: str, name: str) -> Place | None:
        place = self.tables[kind].get(name)
        if place is None and self.parent is not None and kind not in self.hidden:
            return self.parent.place_of(kind, name)
        return place

    def all(self, kind: str) -> Iterator[str]:
        yield from self.tables[kind]
        if self.parent is not None and kind not in self.hidden:
            yield from self.parent.all(kind)

    def declare(self, kind: str, name: object, place: Place, at: Place | None = None) -> bool:
        """Enter a name; false if it is none or taken. `place` is the thing, `at` the name itself (default: its 'id')."""
        if not isinstance(name, str):
            self.unread.add(kind)  # the schema reported it; who knows what it was to be called
            return False
        first = self.place_of(kind, name)
        if first is None:
            self.tables[kind][name] = place
            return True
        word = NOUNS[kind].word
        related = (Related(first if first.path else first / "id", f"the first '{name}' is here"),)
        message = f"the {word} '{name}' is declared twice"
        self.report(
            error("N201", message, at or place / "id", help="give one of them another id", related=related)
        )
        return False

    def alias(self, kind: str, other: str, name: str) -> None:
        """Another id of a thing that is declared; it may be written wherever the thing's own id may."""
        self.others[kind][other] = name

    def other_ids(self, kind: str) -> Mapping[str, str]:
        """All aliases of a kind, each with the id it stands for."""
        if self.parent is None or kind in self.hidden:
            return self.others[kind]
        return {**self.parent.other_ids(kind), **self.others[kind]}

    def own_id(self, kind: str, name: str) -> str:
        """The id of the thing that a name or alias names."""
        found = self.others[kind].get(name) if kind in self.others else None
        if found is None and self.parent is not None and kind not in self.hidden:
            return self.parent.own_id(kind, name)
        return found or name

    def fail(self, kind: str, name: object) -> None:
        """The thing was declared but could not be made: naming it is no second mistake."""
        if isinstance(name, str):
            self.broken[kind].add(name)

    def resolve(
        self, kind: str, name: object, place: Place, *path: str | int, key: bool = False
    ) -> str | None:
        """The name if it is declared (and counted as used); otherwise a finding at the place, and nothing."""
        if not isinstance(name, str):
            return None
        if name in self.tables[kind] or self.place_of(kind, name) is not None:
            self.used[kind].add(name)
            return name
        own = self.own_id(kind, name)
        if own != name:
            return self.resolve(kind, own, place, *path, key=key)
        if name in self.broken[kind] or kind in self.unread:
            return None
        if kind in self.open:
            return name
        where = Place(place.document, place.path + path, "key" if key else "value", place.part)
        self.report(self.unknown(kind, name, where))
        return None

    def unknown(self, kind: str, name: str, place: Place) -> Finding:
        noun = NOUNS[kind]
        help, related = self.hint(kind, name)
        return error(noun.code, f"there is no {noun.word} '{name}'", place, help=help, related=related)

    def hint(self, kind: str, name: str) -> tuple[str, tuple[Related, ...]]:
        """What the author may have meant: the nearest name and where it is declared, or the few there are."""
        near = suggest(name, [*self.all(kind), *self.other_ids(kind)])
        if near is not None:
            declared = self.place_of(kind, self.own_id(kind, near))
            if declared is not None and not declared.path:
                declared = declared / "id"
            related = (Related(declared, f"'{near}' is declared here"),) if declared else ()
            return f"did you mean '{near}'?", related
        known = list(self.all(kind))
        if 0 < len(known) <= _FEW:
            return f"one of: {', '.join(known)}", ()
        return NOUNS[kind].declared, ()
