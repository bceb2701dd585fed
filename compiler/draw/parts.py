"""The parts of a counter's face beyond silhouettes, texts, bands and pictures: symbols, steps, stripes, corners, marks.

Each function takes the drawing (which knows the counter and its size) and the part as written, and gives shapes. A part
whose value is empty draws nothing. `problems` says what is wrong with a part, in words; nothing here ever fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

from compiler.draw import nato
from compiler.draw.colour import ink_on, mix
from compiler.draw.fonts import SANS_BOLD
from compiler.draw.scene import Group, Item, Path, Words

if TYPE_CHECKING:
    from compiler.draw.counters import Drawing

Part = Mapping[str, Any]
CORNERS = ("top-left", "top-right", "bottom-left", "bottom-right")
MARKS = ("circle", "square", "diamond", "star", "triangle", "cross", "arrow", "ring", "clock")
SIDES = ("left", "right", "top", "bottom", "rising", "falling")
TURNS = {"counter-clockwise": (0, 90, 180, 270), "clockwise": (0, 270, 180, 90)}
DIRECTION = "counter-clockwise"


def symbol(face: Drawing, part: Part) -> list[Item]:
    """A NATO symbol, as large as its box lets it be."""
    data = nato_data(face, part)
    found, _ = nato.read(data) if data else (None, ())
    if found is None:
        return []
    paper = str(face.pick(part["on"])) if "on" in part else mix(face.fill, "#ffffff", 0.55)
    ink = face.pick(part.get("ink", "auto"))
    own = ink not in ("auto", None)
    made = nato.drawing(
        found, str(ink) if own else ink_on(paper), paper, str(ink) if own else ink_on(face.fill)
    )
    x, y, w, h = face.box(part)
    # The frame keeps its size whatever stands above it: wide echelons only shift it.
    scale = min(w / 158, h / 148)
    dx, dy = x + w / 2 - (made.x + made.width / 2) * scale, y + h - (made.y + made.height) * scale
    return [Group(made.items, transform=f"translate({_n(dx)} {_n(dy)}) scale({scale:.4f})")]


def nato_data(face: Drawing, part: Part) -> Mapping[str, Any] | None:
    """What the part says, or the type; values may depend on the counter."""
    asked = face.raw.get("nato") if part.get("nato") is True else part.get("nato")
    return (
        {str(key): face.pick(value) for key, value in asked.items()} if isinstance(asked, Mapping) else None
    )


def pips(face: Drawing, part: Part) -> list[Item]:
    """Steps as dots: as many full ones as there are steps, hollow ones up to `of`."""
    full, of = face.number(part["pips"]), face.number(part.get("of", 0))
    count = max(full, of)
    x, y, w, h = face.box(part)
    if not 0 < count <= 12:
        return []
    down = h > w
    long, short = (h, w) if down else (w, h)
    r = min(short / 2, long / (2.6 * count)) * 0.94
    ink = face.ink(part)
    out: list[Item] = []
    for n in range(count):
        along = long * (n + 0.5) / count if part.get("spread") else long / 2 + (n - (count - 1) / 2) * r * 2.6
        cx, cy = (x + w / 2, y + along) if down else (x + along, y + h / 2)
        paint = {"fill": ink} if n < full else {"stroke": ink, "width": r * 0.3}
        out.append(Path(_circle(cx, cy, r if n < full else r * 0.85), **paint))
    return out


def edges(face: Drawing, part: Part) -> list[Item]:
    """A block's strengths along its edges: the full one on top, the next on the edge that a turn brings up."""
    values = edge_values(face, part)
    turns = TURNS.get(str(part.get("turn", DIRECTION)), TURNS[DIRECTION])
    size = float(part.get("size", 20)) * face.unit
    inset = float(part.get("inset", 6)) * face.unit
    out: list[Item] = []
    for value, turn in zip(values, turns, strict=False):
        out += _edge(face, part, str(value), turn, size, inset)
    return out


def _edge(face: Drawing, part: Part, value: str, turn: int, size: float, inset: float) -> list[Item]:
    w, h, ink = face.width, face.height, face.ink(part)
    along = {0: (w / 2, inset), 90: (w - inset, h / 2), 180: (w / 2, h - inset), 270: (inset, h / 2)}
    x, y = along[turn]
    move = f"translate({_n(x)} {_n(y)})" + (f" rotate({turn})" if turn else "")
    if part.get("as") == "pips" and value.isdigit():
        r, count = size * 0.2, int(value)
        dots = tuple(Path(_circle((n - (count - 1) / 2) * r * 2.7, r, r), fill=ink) for n in range(count))
        return [Group(dots, transform=move)]
    return [Group((Words(value, 0, size * SANS_BOLD.cap, SANS_BOLD, size, ink),), transform=move)]


def edge_values(face: Drawing, part: Part) -> list[Any]:
    """`true`: from the counter's steps down to one; a list as written; an attribute that holds several."""
    asked = face.pick(part["edges"])
    if asked is True:
        return list(range(min(face.number("{steps}"), 4), 0, -1))
    if isinstance(asked, str):
        found = face.attribute(asked)
        return list(found)[:4] if isinstance(found, tuple) else [] if found is None else [found]
    return list(asked)[:4] if isinstance(asked, list) else []


def stripe(face: Drawing, part: Part) -> list[Item]:
    """A stripe of colour along a side or across the counter, from edge to edge."""
    along, w, h = str(part.get("along", "left")), face.width, face.height
    t = float(part.get("width", 10)) * face.unit
    at = float(part.get("at", 0)) * face.unit
    bars = {
        "left": [(at, 0), (at + t, 0), (at + t, h), (at, h)],
        "right": [(w - at - t, 0), (w - at, 0), (w - at, h), (w - at - t, h)],
        "top": [(0, at), (w, at), (w, at + t), (0, at + t)],
        "bottom": [(0, h - at - t), (w, h - at - t), (w, h - at), (0, h - at)],
        "rising": [(0, h), (0, h - t), (w - t, 0), (w, 0), (w, t), (t, h)],
        "falling": [(0, 0), (t, 0), (w, h - t), (w, h), (w - t, h), (0, t)],
    }
    colour = face.colour(part["stripe"])
    return [Path(_ring(bars[along]), fill=colour)] if colour and along in bars else []


def corner(face: Drawing, part: Part) -> list[Item]:
    """A triangle in a corner, with a letter in it."""
    name, size = str(part["corner"]), float(part.get("size", 34)) * face.unit
    if name not in CORNERS:
        return []
    words = face.words(part) if "text" in part else ""
    colour = face.colour(part.get("fill"))
    right, low = name.endswith("right"), name.startswith("bottom")
    x, y = (face.width if right else 0), (face.height if low else 0)
    sx, sy = (-1 if right else 1), (-1 if low else 1)
    out: list[Item] = []
    if colour and (words or "text" not in part):
        out.append(Path(_ring([(x, y), (x + sx * size, y), (x, y + sy * size)]), fill=colour))
    ground = colour or face.paper(part)
    ink = face.colour(part.get("ink")) or ink_on(ground)
    high = size * 0.46
    if words:
        at = x + sx * size * 0.36, y + sy * size * 0.36 + high * SANS_BOLD.cap / 2
        out.append(Words(words, *at, SANS_BOLD, high, ink))
    return out


def mark(face: Drawing, part: Part) -> list[Item]:
    """A plain sign: a star for the best, a circle under a value."""
    x, y, w, h = face.box(part)
    cx, cy, r = x + w / 2, y + h / 2, min(w, h) / 2
    name, ink = str(face.pick(part["mark"])), face.ink(part)
    shapes: dict[str, Callable[[], str]] = {
        "circle": lambda: _circle(cx, cy, r),
        "square": lambda: _ring([(x, y), (x + w, y), (x + w, y + h), (x, y + h)]),
        "diamond": lambda: _ring([(cx, cy - r), (cx + r, cy), (cx, cy + r), (cx - r, cy)]),
        "star": lambda: _ring([_on(cx, cy, r if n % 2 == 0 else r * 0.42, n / 10) for n in range(10)]),
        "triangle": lambda: _ring([_on(cx, cy + r * 0.2, r * 1.1, n / 3) for n in range(3)]),
        "cross": lambda: _cross(cx, cy, r),
        "arrow": lambda: _ring(
            [(cx, cy - r), (cx + r * 0.8, cy), (cx + r * 0.3, cy), (cx + r * 0.3, cy + r), (cx - r * 0.3, cy + r),
             (cx - r * 0.3, cy), (cx - r * 0.8, cy)]
        ),
    }  # fmt: skip
    if name in shapes:
        turn = face.turn(part)
        move = f"rotate({_n(turn)} {_n(cx)} {_n(cy)})" if turn else ""
        return [Path(shapes[name](), fill=ink, transform=move)]
    line = r * 0.16
    out: list[Item] = (
        [Path(_circle(cx, cy, r - line / 2), stroke=ink, width=line)] if name in ("ring", "clock") else []
    )
    if name == "clock":
        hands = f"M{_n(cx)} {_n(cy - r * 0.6)}L{_n(cx)} {_n(cy)}L{_n(cx + r * 0.42)} {_n(cy + r * 0.2)}"
        out.append(Path(hands, stroke=ink, width=line))
    return out


DRAW: dict[str, Callable[[Drawing, Part], list[Item]]] = {
    "nato": symbol, "pips": pips, "edges": edges, "stripe": stripe, "corner": corner, "mark": mark,
}  # fmt: skip


def words_of(key: str, part: Part) -> tuple[str, ...]:
    """The words that may stand under a property of a part; none if it takes other values."""
    if key == "turn":
        return tuple(TURNS) if "edges" in part else ()
    return {"corner": CORNERS, "mark": MARKS, "along": SIDES}.get(key, ())


def problems(face: Drawing, part: Part) -> Iterator[tuple[str, str | None]]:
    """What an author should mend: sentence and help. Symbols are looked at where their data stands."""
    if "edges" in part and not edge_values(face, part):
        yield "this block has no strengths to show", 'give the counter "steps", or list the values in "edges"'


def _on(cx: float, cy: float, r: float, share: float) -> tuple[float, float]:
    return cx + r * sin(2 * pi * share), cy - r * cos(2 * pi * share)


def _cross(cx: float, cy: float, r: float) -> str:
    t = r * 0.34
    steps = [
        (-t, -r),
        (t, -r),
        (t, -t),
        (r, -t),
        (r, t),
        (t, t),
        (t, r),
        (-t, r),
        (-t, t),
        (-r, t),
        (-r, -t),
        (-t, -t),
    ]
    return _ring([(cx + x, cy + y) for x, y in steps])


def _ring(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points) + "Z"


def _circle(cx: float, cy: float, r: float) -> str:
    arc = f"A{_n(r)} {_n(r)} 0 1 1 "
    return f"M{_n(cx - r)} {_n(cy)}{arc}{_n(cx + r)} {_n(cy)}{arc}{_n(cx - r)} {_n(cy)}Z"


def _n(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")
