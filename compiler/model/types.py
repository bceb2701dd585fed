"""The game as typed, frozen values: what every later pass reads.

All names in here are resolved: an id found in one of these objects exists. What could not be resolved was reported and
left out, so that later passes need no checks of their own. `place` points at the source, for findings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from compiler.findings import Place
from compiler.frozen import dataclass

if TYPE_CHECKING:
    from compiler.grid.hexmap import HexMap

# Attribute values: items are given by id, sets as tuples without repetition, tables as nested mappings.
Value = bool | int | Decimal | str | None | tuple["Value", ...] | Mapping[str, "Value"]
Values = Mapping[str, Value]

KINDS = ("scenario", "side", "power", "region", "space", "link", "piece", "arrival", "track", "counter")


@dataclass(frozen=True, slots=True)
class Type:
    """The type of an attribute. `word` has `words`; `item` has `kind`. A set is a set of that base."""

    base: Literal["bool", "number", "text", "date", "word", "item", "table"]
    words: tuple[str, ...] = ()
    kind: str | None = None
    is_set: bool = False


@dataclass(frozen=True, slots=True)
class Attribute:
    """One declared attribute of a kind; `default` counts only if `has_default`."""

    kind: str
    name: str
    type: Type
    default: Value = None
    has_default: bool = False
    fact: bool = False
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Provenance: rulebook (section, line), outside (a source declared in module.json) or project (our own)."""

    kind: Literal["rulebook", "outside", "project"]
    name: str
    line: str | None = None


@dataclass(frozen=True, slots=True)
class Side:
    id: str
    enemies: tuple[str, ...]
    colour: str | None
    letter: str | None
    values: Values
    place: Place


@dataclass(frozen=True, slots=True)
class Power:
    id: str
    side: str
    colour: str | None
    letter: str | None
    capital: str | None
    at_war: tuple[str, ...]
    values: Values
    place: Place


@dataclass(frozen=True, slots=True)
class Option:
    id: str
    place: Place


@dataclass(frozen=True, slots=True)
class Track:
    id: str
    kind: str | None
    owner: str | None
    low: int
    high: int
    values: Values
    place: Place


@dataclass(frozen=True, slots=True)
class Space:
    id: str
    kind: str | None
    map: str
    label: str | None
    controller: str | None
    values: Values  # vocabulary attributes, `terrain` included; defaults not filled in
    source: Source | None
    place: Place


@dataclass(frozen=True, slots=True)
class Link:
    """One pair of a link group, as written: a → b, and back unless `one_way`. `id` is None for unnamed links."""

    id: str | None
    kind: str
    tags: tuple[str, ...]
    a: str
    b: str
    one_way: bool
    values: Values
    place: Place


@dataclass(frozen=True, slots=True)
class Region:
    id: str
    kind: str | None
    owner: str | None
    spaces: tuple[str, ...]
    values: Values
    place: Place


@dataclass(frozen=True, slots=True)
class Map:
    id: str
    kind: Literal["area", "hex"]
    wraps: bool
    adjacent: tuple[str, ...] | None  # link kinds that `neighbours` follows; None: all
    spaces: tuple[Space, ...]
    links: tuple[Link, ...]
    regions: tuple[Region, ...]
    raw: Mapping[str, object]  # the file's JSON object: the drawing reads its own properties from it
    place: Place
    hexes: HexMap | None = None  # of a hex map: its grid


@dataclass(frozen=True, slots=True)
class UnitType:
    id: str
    values: Values  # vocabulary attributes of `piece`, `like` resolved
    raw: Mapping[str, object]  # drawing properties (silhouette …), `like` resolved
    source: Source | None
    place: Place


@dataclass(frozen=True, slots=True)
class Counter:
    id: str
    type: str
    power: str | None
    printed: int | None
    values: Values  # those of the type with the counter's own on top
    raw: Mapping[str, object]
    place: Place


@dataclass(frozen=True, slots=True)
class Piece:
    id: str
    counter: str
    space: str
    aboard: str | None
    steps: int | None
    face: str | None
    values: Values  # the placement's own attributes only
    source: Source | None
    place: Place


@dataclass(frozen=True, slots=True)
class Arrival:
    """A reinforcement (`plan` None), or one line of a plan."""

    id: str
    counter: str
    due: str | None
    at: str | None
    from_: str | None
    plan: Literal["buy", "place"] | None
    aboard: str | None
    values: Values
    place: Place


@dataclass(frozen=True, slots=True)
class Override:
    rule: str
    off: bool
    set: Mapping[str, object]
    reason: str
    place: Place


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    rule: str
    subject: tuple[str, ...]
    reason: str
    place: Place


@dataclass(frozen=True, slots=True)
class Scenario:
    id: str
    date: str | None
    moment: str | None
    turn_of: str | None
    phase: str | None
    options: tuple[str, ...]
    weather: Mapping[str, Value]
    facts: Values
    control: Mapping[str, str | None]  # space → power or nobody; only what differs from the map
    held: Mapping[str, str | None]  # space → side; only where given
    state: Mapping[str, Mapping[str, Values]]  # kind → id → attributes
    tracks: Mapping[str, int | Decimal]
    pieces: tuple[Piece, ...]
    arrivals: tuple[Arrival, ...]
    overrides: tuple[Override, ...]
    acknowledged: tuple[Acknowledgement, ...]
    source: Source | None
    place: Place
    like: bool = False  # made from another scenario
    withdrawals: tuple[Arrival, ...] = ()
    boards: tuple[str, ...] = ()  # maps that are laid out; none named is all
    view: str | None = None  # the space that the first window shows at the start; none: where its pieces are


@dataclass(frozen=True, slots=True)
class Fixture:
    """What a case adds to the module's own map, or (own_map False) stands on instead."""

    own_map: bool = True
    spaces: tuple[Space, ...] = ()
    links: tuple[Link, ...] = ()
    regions: tuple[Region, ...] = ()
    tracks: tuple[Track, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One row: a question on a position. `ask` and `answer` are the JSON as written."""

    id: str
    title: str
    section: str | None
    fixture: Fixture
    scenario: Scenario
    ask: Mapping[str, object]
    answer: Mapping[str, object]
    place: Place  # the row
    ask_in: Place  # the row, or the case that asks for all its rows
    answer_in: Place

    @property
    def ask_place(self) -> Place:
        return self.ask_in / "ask"

    @property
    def answer_place(self) -> Place:
        return self.answer_in / "answer"


@dataclass(frozen=True, slots=True)
class OutOfScope:
    id: str
    reason: str
    place: Place


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase, with its parts if it has any. `times` is how often it may come in one turn."""

    id: str
    place: Place
    parts: tuple[Phase, ...] = ()
    times: int = 1


@dataclass(frozen=True, slots=True)
class Sequence:
    turns: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    phases: tuple[Phase, ...] = ()
    moments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    id: str
    columns: tuple[str, ...]  # words or "#text.id"
    rows: tuple[tuple[str | int | Decimal, ...], ...]  # `each` already expanded
    raw: Mapping[str, object]
    place: Place


@dataclass(frozen=True, slots=True)
class Texts:
    """All words of a module: language → text id → words. Complete: a missing one was reported."""

    languages: tuple[str, ...]
    words: Mapping[str, Mapping[str, str]]

    def get(self, text_id: str, language: str | None = None) -> str:
        """The words, or the id itself if nobody gave any."""
        lang = language or (self.languages[0] if self.languages else "")
        return self.words.get(lang, {}).get(text_id, text_id)

    def has(self, text_id: str, language: str | None = None) -> bool:
        lang = language or (self.languages[0] if self.languages else "")
        return text_id in self.words.get(lang, {})


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """One entry of rules.json as written; `compiler.rules` gives it meaning."""

    value: Mapping[str, object]
    place: Place


@dataclass(frozen=True, slots=True)
class Module:
    id: str
    version: str
    stage: Literal["full", "rules"]
    languages: tuple[str, ...]
    raw: Mapping[str, object]  # module.json: windows, dice, credits …
    place: Place
    vocabulary: Mapping[
        tuple[str, str], Attribute
    ]  # (kind, name): declared attributes, not the built-in ones
    sides: Mapping[str, Side]
    powers: Mapping[str, Power]
    options: Mapping[str, Option]
    tracks: Mapping[str, Track]
    maps: Mapping[str, Map]
    types: Mapping[str, UnitType]
    counters: Mapping[str, Counter]
    sequence: Sequence
    rules: tuple[RuleEntry, ...]
    charts: Mapping[str, Chart]
    scenarios: Mapping[str, Scenario]
    cases: tuple[Case, ...]
    out_of_scope: tuple[OutOfScope, ...]
    texts: Texts
    sources: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    given: frozenset[tuple[str, str]] = frozenset()  # declared attributes that something in the files sets

    @property
    def spaces(self) -> dict[str, Space]:
        return {space.id: space for m in self.maps.values() for space in m.spaces}

    @property
    def opening(self) -> Scenario | None:
        """The scenario that a printed board shows: the first that is not a change of another (`like`)."""
        found = self.scenarios.values()
        return next((s for s in found if not s.like), next(iter(found), None))
