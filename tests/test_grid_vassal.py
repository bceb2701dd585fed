"""The same hex for VASSAL: names, snapping and the way back, for every hex, on a model of the engine."""

from __future__ import annotations

import json
from typing import Any

import pytest
from grid_engine import Engine, contains
from grid_maps import DATA, plain, read_clean, read_file
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.grid.hexmap import HexMap
from compiler.grid.placing import Picture, lay_out
from compiler.grid.vassal import SheetGrid, plan

VECTORS = json.loads((DATA / "engine-vectors.json").read_text(encoding="utf-8"))["grids"]


@pytest.mark.parametrize("grid", VECTORS, ids=range(1, len(VECTORS) + 1))
def test_the_model_of_the_engine_agrees_with_the_engine(grid: dict[str, Any]) -> None:
    engine = Engine(**grid["attributes"])
    for point, snapped, centre, name, name_of_centre, inverse in grid["points"]:
        assert list(engine.snap(tuple(point))) == snapped
        assert list(engine.hex_centre(tuple(point))) == centre
        assert engine.name(tuple(point)) == name
        assert engine.name(tuple(centre)) == name_of_centre
        assert list(engine.point(name_of_centre) or ()) == inverse


class Board:
    """A board as VASSAL sees it: zones in order, each with a hex grid or regions."""

    def __init__(self, sheets: tuple[SheetGrid, ...], picture: Picture) -> None:
        self.sheets = sheets
        self.engines = [self.engine(sheet, picture) for sheet in sheets]

    @staticmethod
    def engine(sheet: SheetGrid, picture: Picture) -> Engine | None:
        g, n = sheet.grid, sheet.numbering
        if g is None or n is None:
            return None
        grid = {"sideways": g.sideways, "x0": g.x0, "y0": g.y0, "dx": g.dx, "dy": g.dy}
        numbering = {name: getattr(n, name) for name in type(n).__slots__}
        width, height = picture.width, picture.height
        if sheet.zones:  # the engine's zone is as large as its outline
            xs, ys = zip(*sheet.zones[0], strict=True)
            width, height = max(xs) - min(xs), max(ys) - min(ys)
        return Engine(**grid, **numbering, width=width, height=height, stagger=False)

    def sheet_at(self, p: tuple[int, int]) -> int:
        for n, sheet in enumerate(self.sheets):
            if not sheet.zones or any(contains(list(zone), *p) for zone in sheet.zones):
                return n
        raise AssertionError(f"{p} lies in no zone")

    def region(self, n: int, p: tuple[int, int]) -> tuple[str, int, int]:
        return min(self.sheets[n].regions, key=lambda r: (r[1] - p[0]) ** 2 + (r[2] - p[1]) ** 2)

    def snap(self, p: tuple[int, int]) -> tuple[int, int]:
        n = self.sheet_at(p)
        engine = self.engines[n]
        return engine.snap(p) if engine else self.region(n, p)[1:]

    def name(self, p: tuple[int, int]) -> str:
        n = self.sheet_at(p)
        engine = self.engines[n]
        return engine.name(p) if engine else self.region(n, p)[0]

    def point(self, name: str) -> tuple[int, int] | None:
        for n, engine in enumerate(self.engines):
            if engine is None:
                found = next((r[1:] for r in self.sheets[n].regions if r[0] == name), None)
            else:
                found = engine.point(name)
                if found is not None and self.sheet_at_or_none(found) != n:
                    found = None
            if found is not None:
                return found
        return None

    def sheet_at_or_none(self, p: tuple[int, int]) -> int | None:
        try:
            return self.sheet_at(p)
        except AssertionError:
            return None


def check_every_hex(map: HexMap, height: int = 48) -> Board:
    picture = lay_out(map, height)
    sheets = plan(map, picture)
    board = Board(sheets, picture)
    centres = {n: at for sheet in sheets for n, at in sheet.centres.items()}
    assert sorted(centres) == list(range(len(map)))
    for n, at in centres.items():
        x, y = picture.centre(map, n)
        assert abs(at[0] - x) <= 2 and abs(at[1] - y) <= 2
        assert board.snap(at) == at
        assert board.name(at) == map.ids[n]
        back = board.point(map.ids[n])
        assert back is not None and board.snap(back) == at
    return board


STYLES = [
    "{cc}{rr}",
    "{rr}{cc}",
    "E{rr}{cc}",
    "{cc}.{rr}",
    "{r}-{c}",
    "{c:AA}{rr}",
    "x{rr}_{c:A}",
    "{r}{c:AA}",
]
ENDS = st.tuples(st.integers(1, 20), st.integers(1, 20))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["flat", "pointy"]),
    st.sampled_from(["odd", "even"]),
    st.sampled_from(STYLES),
    ENDS,
    ENDS,
    st.sampled_from([30, 48, 64, 75]),
    st.sampled_from([0, 180]),
)
def test_every_numbering_the_engine_knows_is_said_by_its_numbering(
    shape: str, shifted: str, ids: str, columns: Any, rows: Any, height: int, turn: int
) -> None:
    value = plain(columns, rows, shape=shape, shifted=shifted, ids=ids)
    value["sheets"][0]["turn"] = turn  # type: ignore[index]
    board = check_every_hex(read_clean(value), height)
    assert board.sheets[0].grid is not None and not board.sheets[0].zones


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"turn": 60}, "turned"),
        ({"turn": 240}, "turned"),
        ({"shifted": "each"}, "every column"),
        ({"ids": "{c:a}{rr}"}, "small letters"),
        ({"ids": "{c:A}{rr}", "columns": ["A", "AB"], "terrain": ["c" * 28] * 5}, "AA, BB"),
        ({"ids": "{cc}{r}", "rows": [6, 10]}, "part the numbers"),
        ({"ids": "{c:A}{r:A}"}, "letters from letters"),
        ({"ids": "{cc}0{rr}"}, "between"),
    ],
)
def test_what_the_engine_cannot_number_becomes_regions(change: dict[str, object], words: str) -> None:
    value = plain((1, 6), (1, 5), shape="flat", shifted="even", ids="{cc}{rr}")
    value["sheets"][0].update(change)  # type: ignore[index]
    board = check_every_hex(read_clean(value))
    sheet = board.sheets[0]
    assert sheet.grid is None and sheet.why is not None and words in sheet.why and len(sheet.regions) >= 30


def test_several_sheets_are_zones_and_the_turned_one_has_regions() -> None:
    map, findings = read_file(DATA / "good" / "three-sheets.json")
    assert not findings
    board = check_every_hex(map, 64)
    assert {sheet.sheet: sheet.grid is None for sheet in board.sheets} == {"A": False, "B": False, "T": True}
    assert all(sheet.zones for sheet in board.sheets)


def test_a_point_anywhere_in_a_hex_snaps_to_its_centre() -> None:
    map, _ = read_file(DATA / "good" / "three-sheets.json")
    board = check_every_hex(map, 64)
    picture = lay_out(map, 64)
    centres = {n: at for sheet in board.sheets for n, at in sheet.centres.items()}
    for n, (x, y) in centres.items():
        for cx, cy in picture.layouts[map.parts[n]].corners(map.hexes[n]):
            inside = round(x + (cx - x) * 9 / 10), round(y + (cy - y) * 9 / 10)
            assert board.snap(inside) == (x, y), map.ids[n]


def test_a_sheet_in_two_pieces_has_two_zones() -> None:
    value = plain((1, 7), (1, 1), shape="flat", shifted="even", ids="{sheet}{cc}{rr}")
    value["sheets"] = [
        {"id": "M", "columns": [3, 5], "terrain": ["ccc"]},
        {
            "id": "O",
            "columns": [1, 7],
            "terrain": ["cc===cc"],
            "same": [["O0301", "M0301"], ["O0501", "M0501"]],
        },
    ]
    board = check_every_hex(read_clean(value))
    assert sorted((sheet.sheet, len(sheet.zones)) for sheet in board.sheets) == [("M", 1), ("O", 1), ("O", 1)]


def test_numbers_that_fall_in_a_zone_fall_from_the_size_of_the_zone() -> None:
    """Seen in the engine: half a turn makes both numbers fall, and the zone is smaller than the board."""
    value = plain((1, 5), (1, 4), shape="flat", shifted="even", ids="{sheet}:{cc}{rr}")
    value["sheets"] = [
        {"id": "A", "terrain": ["ccccc"] * 4},
        {
            "id": "B",
            "turn": 180,
            "same": [["B:0501", "A:0504"], ["B:0504", "A:0501"]],
            "terrain": ["cccc="] * 4,
        },
    ]
    board = check_every_hex(read_clean(value))
    turned = next(sheet for sheet in board.sheets if sheet.sheet == "B")
    assert turned.numbering is not None and turned.numbering.h_descend and turned.numbering.v_descend
