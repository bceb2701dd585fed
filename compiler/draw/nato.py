"""NATO symbols from readable data: `{"branch": "armour", "echelon": "corps", "motorised": true}`.

In: the data of a type. Out: `read` gives the code of the symbol (MIL-STD-2525 numbers) or what is wrong with the data;
`drawing` gives its shapes as `milsymbol` draws them, in the colours asked for. The words that may be used are the tables
below: docs/counters.md is made from them. Reading loads nothing, so that a check stays quick.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from xml.etree import ElementTree

from compiler.draw.fonts import SANS_BOLD
from compiler.draw.scene import Group, Item, Path, Words, circle
from compiler.suggest import did_you_mean

_FRAME = "rgb(128,224,255)"
_NAMESPACE = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True)
class Branch:
    """`entity` is the code of the symbol inside the frame; `other` that of a quality which has a symbol of its own."""

    entity: str
    words: str
    letters: str = ""
    other: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Quality:
    """What may be said of a branch. It stands above or below the symbol in the frame, or (`in`) changes the symbol."""

    where: str  # "above", "below" or "in"
    code: str
    words: str
    branches: tuple[str, ...] = ()  # none: every branch


BRANCHES: dict[str, Branch] = {
    "infantry": Branch("121100", "foot soldiers", other={"mechanised": "121102", "amphibious": "121101"}),
    "armour": Branch("120500", "tanks", other={"amphibious": "120502"}),
    "cavalry": Branch("121300", "on horses, or their heirs", other={"mechanised": "120501"}),
    "reconnaissance": Branch("121300", "scouts", other={"mechanised": "120501", "amphibious": "121302"}),
    "combined_arms": Branch("121000", "tanks and foot soldiers in one unit"),
    "air_cavalry": Branch("120601", "scouts in helicopters"),
    "artillery": Branch("130300", "guns", other={"self_propelled": "130301", "mechanised": "130301"}),
    "rocket_artillery": Branch("130700", "rockets and missiles"),
    "mortar": Branch("130800", "mortars", other={"self_propelled": "130801"}),
    "anti_tank": Branch(
        "120400", "anti-tank guns", other={"self_propelled": "120401", "mechanised": "120401"}
    ),
    "anti_aircraft": Branch("130100", "anti-aircraft guns"),
    "engineer": Branch("140700", "engineers", other={"mechanised": "140701"}),
    "headquarters": Branch("110000", "a staff without troops", "HQ"),
    "signal": Branch("111000", "signals"),
    "supply": Branch("163400", "stores"),
    "transport": Branch("163600", "lorries, wagons, porters"),
    "maintenance": Branch("161100", "workshops"),
    "medical": Branch("161300", "hospitals"),
    "military_police": Branch("141200", "police"),
    "commando": Branch("120000", "raiders", "CDO"),
    "ranger": Branch("122000", "raiders, as the symbol's own letters have it"),
    "special_forces": Branch("121800", "special operations"),
    "aviation": Branch("120800", "aircraft on a land counter"),
    "helicopter": Branch("120600", "helicopters"),
    "militia": Branch("121100", "men called up where they live", "MIL"),
    "garrison": Branch("121100", "troops bound to a place", "GAR"),
    "partisan": Branch("121100", "fighters without a front", "PART"),
    "volunteers": Branch("121100", "foreign volunteers", "VOL"),
    "territorial": Branch("121100", "troops of a territory", "TER"),
    "fortress": Branch("120000", "a fortification that is a unit", "FORT"),
}

_GUNS = ("artillery", "rocket_artillery", "mortar", "anti_tank", "anti_aircraft")
_FIGHTING = (
    "infantry",
    "armour",
    "cavalry",
    "reconnaissance",
    "combined_arms",
    "engineer",
    "commando",
    "ranger",
)

QUALITIES: dict[str, Quality] = {
    "mechanised": Quality("in", "", "in armoured carriers", ("infantry", "cavalry", "reconnaissance", "artillery", "anti_tank", "engineer")),
    "self_propelled": Quality("in", "", "the gun drives itself", ("artillery", "mortar", "anti_tank")),
    "amphibious": Quality("in", "", "swims", ("infantry", "armour", "reconnaissance")),
    "headquarters": Quality("above", "98", "a bar across: a headquarters of this branch"),
    "marine": Quality("above", "46", "an anchor", (*_FIGHTING, *_GUNS, "garrison")),
    "assault": Quality("above", "84", "ASLT: leads an attack on works", ("engineer", "infantry", "artillery", "armour")),
    "construction": Quality("above", "12", "CONST: builds", ("engineer",)),
    "bridging": Quality("above", "06", "lays bridges", ("engineer",)),
    "multiple_rockets": Quality("above", "41", "launchers of many rockets", ("artillery",)),
    "helicopter_borne": Quality("above", "78", "carried by helicopters", ("infantry", "cavalry", "artillery")),
    "support": Quality("above", "77", "SPT: a support group", ("infantry", "artillery", "combined_arms")),
    "motorised": Quality("below", "51", "wheels: carried by lorries"),
    "airborne": Quality("below", "01", "a parachute"),
    "air_landing": Quality("below", "59", "a glider's wing"),
    "mountain": Quality("below", "27", "a mountain"),
    "ski": Quality("below", "42", "crossed skis", (*_FIGHTING, *_GUNS, "militia")),
    "bicycle": Quality("below", "04", "a wheel", ("infantry", "reconnaissance", "cavalry", "engineer")),
    "pack_animal": Quality("below", "31", "animals carry it", (*_FIGHTING, *_GUNS, "transport", "supply")),
    "towed": Quality("below", "47", "towed guns", _GUNS),
    "railway": Quality("below", "36", "on rails", ("artillery", "anti_aircraft", "engineer", "transport")),
    "light": Quality("below", "19", "L", (*_FIGHTING, *_GUNS)),
    "medium": Quality("below", "24", "M", (*_FIGHTING, *_GUNS)),
    "heavy": Quality("below", "15", "H: heavy, siege", (*_FIGHTING, *_GUNS)),
    "river": Quality("below", "40", "a boat", ("infantry", "engineer", "transport", "supply")),
}  # fmt: skip

ECHELONS: dict[str, tuple[str, str]] = {
    "squad": ("12", "●"), "section": ("13", "●●"), "platoon": ("14", "●●●"), "company": ("15", "I"), "battalion": ("16", "II"),
    "regiment": ("17", "III"), "brigade": ("18", "X"), "division": ("21", "XX"), "corps": ("22", "XXX"), "army": ("23", "XXXX"),
    "army_group": ("24", "XXXXX"), "theatre": ("25", "XXXXXX"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Symbol:
    """What to draw: the code, and our own letters where the code has none."""

    sidc: str
    letters: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    """`key` is the property of the data that is wrong; none: the data as a whole."""

    key: str | None
    message: str
    help: str | None


def read(data: Mapping[str, Any]) -> tuple[Symbol | None, tuple[Mistake, ...]]:
    """The symbol that the data asks for, or what is wrong with it."""
    mistakes = tuple(_mistakes(data))
    return (None, mistakes) if mistakes else (_symbol(data), ())


def _mistakes(data: Mapping[str, Any]) -> Iterator[Mistake]:
    name = data.get("branch")
    if name is None:
        yield Mistake(None, "a symbol needs a branch", f'"branch": one of {", ".join(BRANCHES)}')
    elif not isinstance(name, str) or name not in BRANCHES:
        yield Mistake("branch", f"there is no branch '{name}'", _meant(str(name), BRANCHES))
    echelon = data.get("echelon")
    if echelon is not None and (not isinstance(echelon, str) or echelon not in ECHELONS):
        yield Mistake("echelon", f"there is no echelon '{echelon}'", _meant(str(echelon), ECHELONS))
    for key, value in data.items():
        if key in ("branch", "echelon", "letters", "note"):
            continue
        if key not in QUALITIES:
            known = [*QUALITIES, "branch", "echelon", "letters"]
            yield Mistake(key, f"a symbol has no '{key}'", _meant(key, known))
        elif not isinstance(value, bool):
            yield Mistake(key, f"'{key}' is true or false", None)
    if isinstance(name, str) and name in BRANCHES:
        yield from _clashes(name, data)


def _clashes(name: str, data: Mapping[str, Any]) -> Iterator[Mistake]:
    taken: dict[str, str] = {}
    if data.get("letters") and BRANCHES[name].entity != "120000":
        taken["above"] = "letters"
    for key in (key for key, quality in QUALITIES.items() if data.get(key) is True):
        quality = QUALITIES[key]
        if quality.branches and name not in quality.branches:
            yield Mistake(key, f"'{name}' cannot be '{key}'", _instead(name, key))
        elif quality.where in taken:
            first = taken[quality.where]
            place = (
                "the symbol itself" if quality.where == "in" else f"the same place {quality.where} the symbol"
            )
            yield Mistake(key, f"'{first}' and '{key}' both want {place}", f"leave out '{first}' or '{key}'")
        taken.setdefault(quality.where, key)


def _instead(branch: str, quality: str) -> str:
    can = [key for key, one in QUALITIES.items() if not one.branches or branch in one.branches]
    goes = ", ".join(QUALITIES[quality].branches)
    return f"'{quality}' goes with {goes}; '{branch}' can be {', '.join(can)}"


def _meant(word: object, known: Mapping[str, Any] | list[str]) -> str:
    return did_you_mean(str(word), known) or f"one of: {', '.join(known)}"


def _symbol(data: Mapping[str, Any]) -> Symbol:
    branch = BRANCHES[str(data["branch"])]
    entity, above, below = branch.entity, "00", "00"
    for key in (key for key in QUALITIES if data.get(key) is True):
        quality = QUALITIES[key]
        entity = branch.other[key] if quality.where == "in" else entity
        above = quality.code if quality.where == "above" else above
        below = quality.code if quality.where == "below" else below
    size = ECHELONS[str(data["echelon"])][0] if data.get("echelon") else "00"
    letters = str(
        data.get("letters") or (branch.letters if above == "00" or branch.entity == "120000" else "")
    )
    return Symbol(f"10031000{size}{entity}{above}{below}", letters)


# Drawing --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes, and the box they stand in."""

    items: tuple[Item, ...]
    x: float
    y: float
    width: float
    height: float


@cache
def drawing(symbol: Symbol, ink: str, paper: str, outside: str = "") -> Drawing:
    """The symbol as milsymbol draws it: black becomes the ink, the friendly blue the paper.

    The echelon stands outside the frame, on the counter itself: it has the colour `outside`, if that is given.
    """
    from milsymbol import Symbol as Drawn

    root = ElementTree.fromstring(Drawn(symbol.sidc, size=100).as_svg())
    x, y, width, height = (float(number) for number in root.attrib["viewBox"].split())
    colours = {"black": ink, _FRAME: paper, "white": paper, "rgb(239, 239, 239)": paper}
    items = [*_items(root, {}, colours)]
    if outside and symbol.sidc[8:10] != "00":  # the library draws the echelon last
        items[-1:] = _items([root[-1]], {}, {**colours, "black": outside})
    if symbol.letters:
        middle = symbol.sidc[10:16] in ("120000", "110000")
        size = 39.0 if middle else 26.0 - 3 * max(0, len(symbol.letters) - 3)
        items.append(
            Words(
                symbol.letters,
                100,
                114 if middle else 80,
                SANS_BOLD,
                size,
                ink,
                halo="" if middle else paper,
                halo_width=5,
            )
        )
    return Drawing(tuple(items), x, y, width, height)


def _items(
    parent: Iterable[ElementTree.Element], above: dict[str, str], colours: Mapping[str, str]
) -> Iterator[Item]:
    for element in parent:
        name = element.tag.removeprefix(_NAMESPACE)
        style = {**above, **element.attrib}
        move = style.pop("transform", "")
        if name == "g":
            inner = tuple(_items(element, style, colours))
            yield Group(inner, transform=move.replace(",", " ")) if move != "translate(0,0)" else Group(inner)
        elif name == "text":
            yield _words(element, colours)
        elif name in ("path", "circle"):
            yield _path(name, style, colours)


def _words(element: ElementTree.Element, colours: Mapping[str, str]) -> Words:
    look = element.attrib
    size = float(look["font-size"])
    drop = size * 0.33 if look.get("dominant-baseline") == "middle" else 0.0
    fill = colours.get(look.get("fill", "black"), look.get("fill", "black"))
    x, y = float(look["x"]), float(look["y"]) + drop
    return Words(element.text or "", x, y, SANS_BOLD, size, fill, look.get("text-anchor", "middle"))


def _path(name: str, look: Mapping[str, str], colours: Mapping[str, str]) -> Path:
    d = look["d"] if name == "path" else circle(float(look["cx"]), float(look["cy"]), float(look["r"]))
    fill, stroke = look.get("fill", "black"), look.get("stroke", "none")
    # Lines alone enclose nothing; the library fills them all the same, which some printers show as hairlines.
    if name == "path" and fill == "black" and stroke == "black" and not re.search(r"[zZcCaAqQ]", d):
        fill = "none"
    width = float(look.get("stroke-width", 4)) if stroke != "none" else 0.0
    return Path(d, colours.get(fill, fill), colours.get(stroke, stroke), width)


# Words for the docs ---------------------------------------------------------------------------------------------------


def table() -> str:
    """All that can be asked for, as markdown."""
    out = ["| branch | is | may also be |", "|---|---|---|"]
    for name, branch in BRANCHES.items():
        own = [key for key, one in QUALITIES.items() if name in one.branches]
        letters = f", with the letters {branch.letters}" if branch.letters else ""
        out.append(f"| `{name}` | {branch.words}{letters} | {', '.join(own) or '–'} |")
    out += ["", "| quality | stands | shows | goes with |", "|---|---|---|---|"]
    for key, quality in QUALITIES.items():
        where = "in the symbol" if quality.where == "in" else quality.where
        out.append(
            f"| `{key}` | {where} | {quality.words} | {', '.join(quality.branches) or 'every branch'} |"
        )
    out += ["", "| echelon | drawn as |", "|---|---|"]
    out += [f"| `{name}` | {shown} |" for name, (_, shown) in ECHELONS.items()]
    return "\n".join(out) + "\n"
