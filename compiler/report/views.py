"""What the page shows, as plain values: entries in a list, and views that they are pinned to.

Coordinates are those of a view's picture. Every word in here may be an author's: the template escapes them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

XY = tuple[float, float]
SEVERITIES = ("error", "warning", "note", "case")


@dataclass(frozen=True, slots=True)
class Spot:
    """A space in a view: where lines go through it, where its pin is, its outline as rings, places for counters."""

    name: str
    at: XY
    pin: XY
    rings: tuple[tuple[XY, ...], ...] = ()
    places: tuple[XY, ...] = ()


@dataclass(frozen=True, slots=True)
class Box:
    """A space of a diagram: its corner and size, its colour, and what is written in it."""

    x: float
    y: float
    width: float
    height: float
    colour: str | None
    name: str
    about: str
    pieces: tuple[tuple[str, str | None], ...]  # words and colour


@dataclass(frozen=True, slots=True)
class Edge:
    """A link of a diagram. `style` is the number of its kind in the legend."""

    a: XY
    b: XY
    style: int
    one_way: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A cell of a table that is drawn as a picture."""

    x: float
    y: float
    width: float
    height: float
    colour: str | None
    words: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class View:
    """A picture: of the map (`image`, a data URI), or a diagram of boxes and edges."""

    id: str
    title: str
    width: float
    height: float
    spots: Mapping[str, Spot]
    image: str | None = None
    boxes: tuple[Box, ...] = ()
    edges: tuple[Edge, ...] = ()
    kinds: tuple[str, ...] = ()  # of links, for the legend
    wraps: bool = False
    counter: float = 0  # how large counters are on this picture; 0: none are drawn
    outlines: Mapping[str, tuple[tuple[XY, ...], ...]] = field(
        default_factory=dict
    )  # of spaces that some entry or layer lights up
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Excerpt:
    file: str
    line: int
    before: str = ""
    marked: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Trail:
    """A line on a view: `parts` are unbroken runs of points. A stopped one ends at `stop`, numbered as in the list."""

    parts: tuple[tuple[XY, ...], ...]
    stop: XY | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Stood:
    """Alike pieces in a space: the counter, its middle and size, and how many."""

    counter: str
    at: XY
    size: float
    number: int


@dataclass(frozen=True, slots=True)
class Overlay:
    """What lights up in one view when an entry is chosen."""

    view: str
    lit: tuple[str, ...]  # spaces, by their names in `View.outlines`
    pin: XY | None
    trails: tuple[Trail, ...]
    stood: tuple[Stood, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list: a finding, or a case with what it found."""

    id: str
    severity: str
    code: str
    message: str
    section: str | None = None
    help: str | None = None
    limit: str | None = None
    scenario: str | None = None
    spaces: tuple[str, ...] = ()
    excerpt: Excerpt | None = None
    related: tuple[tuple[str, Excerpt], ...] = ()
    stops: tuple[tuple[str, str], ...] = ()  # space and reason, in the order of their numbers
    path: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()  # by which the list is filtered
    title: str = ""  # of a case
    passed: bool = True
    overlays: tuple[Overlay, ...] = ()
    diagram: str | None = None  # its own view
    field: str | None = None  # the attribute that is drawn when it is chosen

    @property
    def view(self) -> str | None:
        return self.overlays[0].view if self.overlays else self.diagram


@dataclass(frozen=True, slots=True)
class Tint:
    """One value of a layer: its words and colour, how many have it, and where: spaces by their outlines, or a path."""

    words: str
    colour: str
    number: int
    lit: tuple[str, ...] = ()
    path: str = ""
    is_line: bool = False


@dataclass(frozen=True, slots=True)
class Layer:
    """An attribute of a position, drawn over a view. `labels` are words in places."""

    view: str
    field: str
    scenario: str
    tints: tuple[Tint, ...]
    labels: tuple[tuple[XY, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Pin:
    """All entries of one space in a view."""

    at: XY
    name: str
    worst: str
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """One module of the page."""

    id: str
    name: str
    about: str
    counts: tuple[tuple[str, int], ...]  # by severity
    entries: tuple[Entry, ...]
    views: tuple[View, ...]
    pins: Mapping[str, tuple[Pin, ...]] = field(default_factory=dict)  # by view
    rules: tuple[tuple[str, int], ...] = ()  # code and how often
    scenarios: tuple[tuple[str, str], ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)  # rule → the rule in words
    faces: Mapping[str, str] = field(default_factory=dict)  # counter → picture as a data URI
    layers: tuple[Layer, ...] = ()
    bare: bool = False  # no list of findings beside the picture
