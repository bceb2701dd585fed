"""A small invented game and stand-in pictures for the tests of the VASSAL output. Holds no test itself."""

from __future__ import annotations

import io
from collections.abc import Mapping

from PIL import Image

from compiler.findings import Place
from compiler.model.types import (
    Counter,
    Map,
    Module,
    Phase,
    Piece,
    Power,
    Scenario,
    Sequence,
    Side,
    Space,
    Texts,
    Track,
    UnitType,
)
from compiler.source.document import Document
from compiler.vassal.drawings import BoardPicture, FacePicture, Shape

HERE = Place(Document("module.json", "{}", {}))
CELL = 200
AWKWARD = "Łódź, O'Hill/Dale; \"Тула\" | 中~:'"


def small_module(**changes: object) -> Module:
    """Two powers, four spaces (one with an awkward name), two types, one scenario, two languages."""
    spaces = tuple(
        Space(id, "land", "world", None, None, {}, None, HERE) for id in ("hill", "dale", "moor", "bay")
    )
    types = {
        id: UnitType(id, {"arm": "land", "cost": cost}, {}, None, HERE)
        for id, cost in (("foot", 3), ("tower", 5), ("flag", 0))
    }
    counters = {
        f"{power}.{type}": Counter(f"{power}.{type}", type, power, 8, dict(types[type].values), {}, HERE)
        for power in ("north", "south")
        for type in ("foot", "tower")
    }
    counters["flag"] = Counter("flag", "flag", None, None, {}, {}, HERE)
    pieces = (
        *(
            Piece(f"north.foot@hill#{n}", "north.foot", "hill", None, None, None, {}, None, HERE)
            for n in (1, 2, 3)
        ),
        Piece("boat", "north.tower", "bay", None, None, "back", {}, None, HERE),
        Piece("rider", "north.foot", "bay", "boat", None, None, {}, None, HERE),
        Piece("south.foot@dale#1", "south.foot", "dale", None, None, None, {}, None, HERE),
        Piece("flag@moor#1", "flag", "moor", None, None, None, {}, None, HERE),
    )
    scenario = Scenario(
        "start",
        "2",
        None,
        "south",
        "fight",
        (),
        {},
        {},
        {},
        {},
        {},
        {"north.gold": 7},
        pieces,
        (),
        (),
        (),
        None,
        HERE,
    )
    english = {
        "module.name": "Hills & Dales",
        "module.about": "A small game",
        "window.main": "Main Map",
        "power.north": "Northland",
        "power.south": "Southland",
        "side.red": "Reds",
        "side.blue": "Blues",
        "type.foot": "Foot",
        "type.tower": "Tower",
        "type.flag": "Flag",
        "space.hill": "Hill",
        "space.dale": AWKWARD,
        "space.moor": "Moor",
        "space.bay": "Bay 5",
        "phase.move": "Movement",
        "phase.fight": "Combat, with dice",
        "scenario.start": "The start",
        "track.north.gold": "Gold of Northland",
        "die.d6": "1d6",
        "face.back": "damaged",
    }
    french = {
        **english,
        "module.about": "Un petit jeu",
        "window.main": "Carte",
        "power.north": "Pays du Nord",
        "power.south": "Pays du Sud",
        "type.foot": "Infanterie",
        "type.tower": "Tour",
        "type.flag": "Drapeau",
        "space.hill": "Colline",
        "space.moor": "Lande",
        "space.bay": "Baie 5",
        "phase.move": "Mouvement",
        "phase.fight": "Combat",
        "scenario.start": "Le début",
        "face.back": "endommagée",
    }
    values: dict[str, object] = {
        "id": "hills-and-dales",
        "version": "1.0.0",
        "stage": "full",
        "languages": ("en", "fr"),
        "raw": {
            "windows": [{"id": "main", "map": "world"}],
            "dice": [{"id": "d6", "count": 1, "faces": 6}],
            "pieces": {
                "groups": [
                    {
                        "id": "marker",
                        "select": {"type": "flag"},
                        "trail": False,
                        "moved": False,
                        "stacks": False,
                        "layer": "over",
                    }
                ]
            },
            "credits": {"game": "Hills & Dales", "designers": ["A. Nobody"]},
        },
        "place": HERE,
        "vocabulary": {},
        "sides": {
            "red": Side("red", ("blue",), "#b03030", "R", {}, HERE),
            "blue": Side("blue", ("red",), "#3030b0", "B", {}, HERE),
        },
        "powers": {
            "north": Power("north", "red", "#b03030", "N", None, (), {}, HERE),
            "south": Power("south", "blue", "#3030b0", "S", None, (), {}, HERE),
        },
        "options": {},
        "tracks": {"north.gold": Track("north.gold", "gold", "north", 0, 30, {}, HERE)},
        "maps": {"world": Map("world", "area", False, None, spaces, (), (), {}, HERE)},
        "types": types,
        "counters": counters,
        "sequence": Sequence(
            ("1", "2", "3"), ("north", "south"), (Phase("move", HERE), Phase("fight", HERE)), ()
        ),
        "rules": (),
        "charts": {},
        "scenarios": {"start": scenario},
        "cases": (),
        "out_of_scope": (),
        "texts": Texts(("en", "fr"), {"en": english, "fr": french}),
    }
    return Module(**{**values, **changes})  # type: ignore[arg-type]


class StandIn:
    """Boards of square spaces in a row, each with three spots; the tower has two faces."""

    def __init__(
        self, spaces: Mapping[str, tuple[str, ...]] | None = None, colour: str = "white", cell: int = CELL
    ) -> None:
        self.spaces = spaces or {"world": ("hill", "dale", "moor", "bay")}
        self.colour, self.cell = colour, cell

    def board(self, map_id: str, language: str) -> BoardPicture:
        ids = self.spaces[map_id]
        shapes = {id: self._shape(n) for n, id in enumerate(ids)}
        width = self.cell * len(ids)
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{self.cell}"><title>{language} {self.colour}</title></svg>'
        return BoardPicture(svg, width, self.cell, shapes)

    def _shape(self, n: int) -> Shape:
        left, size = n * self.cell, self.cell
        ring = ((left, 0), (left + size, 0), (left + size, size), (left, size))
        return Shape(
            (ring,),
            ((left + size // 2, size // 2), (left + size // 4, size // 4), (left + size // 4, 3 * size // 4)),
        )

    def faces(self, counter_id: str, language: str) -> tuple[FacePicture, ...]:
        names = ("front", "back") if counter_id.endswith("tower") else ("front",)
        size = 'xmlns="http://www.w3.org/2000/svg" width="48" height="48"'
        return tuple(
            FacePicture(name, f"<svg {size}><title>{counter_id} {name} {self.colour}</title></svg>", 48, 48)
            for name in names
        )

    def png(self, svg: str, width: int, height: int) -> bytes:
        out = io.BytesIO()
        Image.new("RGB", (width, height), (200, 210, 190)).save(out, "PNG", compress_level=1)
        return out.getvalue()
