"""Large maps cut into boards: the boards side by side are the uncut picture, and every hex is the same hex on all of them."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from grid_engine import Engine
from grid_maps import plain, read_clean
from PIL import Image, ImageChops

from compiler.check import check
from compiler.draw import DrawnMap, draw_map, rasterise
from compiler.grid.cuts import Part, cut, parts
from compiler.grid.pixels import whole
from compiler.grid.placing import lay_out
from compiler.grid.vassal import EngineGrid, EngineNumbering, SheetGrid
from compiler.grid.vassal import plan as plan_grids
from compiler.model.types import Module
from compiler.vassal.drawings import Drawn
from compiler.vassal.elements import short_name
from compiler.vassal.locations import Laid, locators
from compiler.vassal.lock import Lock
from compiler.vassal.plan import Plan, plan_module
from compiler.vassal.saves import commands

GOOD = Path(__file__).parent / "good" / "hexes"


def changed(folder: Path, picture: Mapping[str, Any]) -> Module:
    """The module of three sheets, one of them turned, with a picture file."""
    shutil.copytree(GOOD, folder, dirs_exist_ok=True)
    (folder / "maps/three.picture.json").write_text(json.dumps(picture), encoding="utf-8")
    module = check(folder, folder.as_posix()).module
    assert module is not None
    return module


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Module:
    return changed(tmp_path_factory.mktemp("cut"), {"boards": 500})


@pytest.fixture(scope="module")
def drawn(module: Module) -> DrawnMap:
    return draw_map(module, "three", "en")


@pytest.fixture(scope="module")
def plan(module: Module) -> Plan:
    made = plan_module(module, "en", Drawn(module), Lock(), 0)
    assert isinstance(made, Plan) and made.findings == ()
    return made


@pytest.mark.parametrize(
    ("width", "height", "most", "count"),
    [
        (4000, 3000, 10_000, 1),
        (10_000, 10_000, 10_000, 1),  # 100 megapixels exactly
        (10_001, 300, 10_000, 3),
        (9_000, 11_112, 10_000, 6),
        (20_000, 20_000, 10_000, 16),
        (1136, 1256, 500, 9),
    ],
)
def test_boards_cover_the_picture_and_keep_the_limits(width: int, height: int, most: int, count: int) -> None:
    found = parts(width, height, most)
    assert len(found) == count and len({part.name for part in found}) == count
    assert sum(part.width * part.height for part in found) == width * height
    for part in found:
        assert max(part.width, part.height) <= most and part.width * part.height <= 100_000_000
        beside = [p for p in found if (p.row, p.column) == (part.row, part.column + 1)]
        below = [p for p in found if (p.row, p.column) == (part.row + 1, part.column)]
        assert all(p.left == part.left + part.width and p.top == part.top for p in beside)
        assert all(p.top == part.top + part.height and p.left == part.left for p in below)


def image(svg: str, width: int, height: int) -> Image.Image:
    return Image.open(io.BytesIO(rasterise(svg, width, height))).convert("RGB")


def test_a_board_is_its_part_of_the_uncut_picture(drawn: DrawnMap) -> None:
    entire = image(drawn.svg, drawn.width, drawn.height)
    boards = drawn.parts
    assert len(boards) == 9
    for part, svg in zip(boards, cut(drawn.svg, boards), strict=True):
        got = image(svg, part.width, part.height)
        # All of the drawing seen through the board's window is the same: nothing was left out.
        head = f'viewBox="{part.left} {part.top} {part.width} {part.height}">'
        all_of_it = f'<svg xmlns="http://www.w3.org/2000/svg" {head}' + drawn.svg.partition("\n")[2]
        missing = ImageChops.difference(got, image(all_of_it, part.width, part.height))
        assert max(most for _, most in missing.getextrema()) <= 8  # of 255: soft edges, rounded otherwise
        box = (part.left, part.top, part.left + part.width, part.top + part.height)
        differs = ImageChops.difference(got, entire.crop(box)).convert("L").histogram()
        assert sum(differs[24:]) < got.width * got.height / 1000  # soft edges of lines alone


def test_a_board_has_little_of_what_lies_elsewhere(drawn: DrawnMap) -> None:
    shares = cut(drawn.svg, drawn.parts)
    assert sum(len(svg) for svg in shares) < 3 * len(drawn.svg)
    assert min(len(svg) for svg in shares) < len(drawn.svg) / 5


def test_a_map_that_is_not_cut_is_not_touched(tmp_path: Path, drawn: DrawnMap) -> None:
    uncut = draw_map(changed(tmp_path, {}), "three", "en")
    assert len(uncut.parts) == 1 and cut(uncut.svg, uncut.parts) == (uncut.svg,)
    assert set(uncut.spaces) == set(drawn.spaces)


def test_hexes_keep_their_size_however_large_the_map(tmp_path: Path) -> None:
    module = changed(tmp_path, {"hex": 390, "boards": 500})
    made = draw_map(module, "three", "en")
    (ax, ay), (bx, by) = made.spaces["A:0303"].anchor, made.spaces["A:0304"].anchor
    assert (bx - ax, by - ay) == (0, 390)


def test_a_picture_of_more_than_400_megapixels_is_a_finding(tmp_path: Path) -> None:
    folder = tmp_path / "wide"
    shutil.copytree(GOOD, folder)
    value = plain((1, 200), (1, 150), ids="{ccc}.{rrr}", values={"kind": "hex"})
    text = {**value, "id": "three", "adjacent": ["grid"]}
    (folder / "maps/three.json").write_text(json.dumps(text), encoding="utf-8")
    (folder / "maps/three.picture.json").write_text(json.dumps({"hex": 130}), encoding="utf-8")
    module = check(folder, folder.as_posix()).module
    assert module is not None
    made = draw_map(module, "three", "en")
    assert made.svg == "" and [f.code for f in made.findings] == ["D022"]


# -- in VASSAL --------------------------------------------------------------------------------------------------------


def test_boards_lie_row_by_column_in_one_window(plan: Plan) -> None:
    (picker,) = (node for node in plan.tree.walk() if short_name(node.name) == "BoardPicker")
    names = [node.get("name") for node in picker.children if short_name(node.name) == "Board"]
    assert names == [f"three {row}{column}" for row in "ABC" for column in "123"]
    (setup,) = (node.text for node in picker.children if short_name(node.name) == "setup")
    assert setup.split("\t")[1:7] == ["three A1", "0", "0", "three A2", "1", "0"]
    (ready,) = plan.setups
    assert setup in commands(ready.setup)
    assert sum(name.startswith("three-en-") for name in plan.pictures) == 9


def test_the_names_on_all_boards_are_the_ids(plan: Plan) -> None:
    (window,) = plan.hexes
    sizes = {name: (picture.width, picture.height) for name, picture in plan.pictures.items()}
    locator = locators(plan.tree, sizes)[window.map]
    assert isinstance(locator, Laid) and len(locator.boards) == 9
    for id, (x, y) in window.hexes.items():
        assert locator.name_at(x, y) == id
    (ready,) = plan.setups
    assert all(locator.name_at(piece.x, piece.y) == piece.location for piece in ready.expected)


def test_positions_are_those_of_the_uncut_map(tmp_path: Path, plan: Plan) -> None:
    """Of the same layout, that is: where it is cut makes no difference."""
    module = changed(tmp_path, {"boards": 700})
    other = plan_module(module, "en", Drawn(module), Lock(), 0)
    assert isinstance(other, Plan)
    assert other.hexes == plan.hexes
    assert [p.expected for p in other.setups] == [p.expected for p in plan.setups]
    assert other.lock.maps["main"].geometry != plan.lock.maps["main"].geometry  # but boards have other names


def engine_of(grid: EngineGrid, numbering: EngineNumbering, size: tuple[int, int]) -> Engine:
    return Engine(
        grid.x0, grid.y0, grid.dy, grid.dx, sideways=grid.sideways, width=size[0], height=size[1],
        first=numbering.first, sep=numbering.sep, h_type=numbering.h_type, v_type=numbering.v_type,
        h_off=numbering.h_off, v_off=numbering.v_off, h_leading=numbering.h_leading,
        v_leading=numbering.v_leading, h_descend=numbering.h_descend, v_descend=numbering.v_descend,
        stagger=False, location_format=numbering.location_format,
    )  # fmt: skip


def extent(ring: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    return max(xs) - min(xs), max(ys) - min(ys)


def ask(grid: SheetGrid, part: Part, point: tuple[int, int]) -> tuple[tuple[int, int], str]:
    """Where the board's grid snaps a point of the map to, and what it calls that place."""
    assert grid.grid is not None and grid.numbering is not None
    engine = engine_of(grid.grid, grid.numbering, extent(grid.zones[0]))
    x, y = engine.snap((point[0] - part.left, point[1] - part.top))
    return (x + part.left, y + part.top), engine.name((x, y))


def on(part: Part, x: int, y: int) -> bool:
    return part.left <= x < part.left + part.width and part.top <= y < part.top + part.height


@pytest.mark.parametrize("shape", ["flat", "pointy"])
@pytest.mark.parametrize("shifted", ["even", "odd"])
@pytest.mark.parametrize(
    ("columns", "rows"), [((1, 20), (1, 17)), ((20, 1), (1, 17)), ((3, 22), (40, 24)), ((20, 1), (17, 1))]
)
def test_a_hex_on_two_boards_has_one_middle_and_one_name(
    shape: str, shifted: str, columns: tuple[int, int], rows: tuple[int, int]
) -> None:
    map = read_clean(plain(columns, rows, shape=shape, shifted=shifted, ids="{cc}{rr}"))
    picture = lay_out(map, 51, 9, whole)
    (grid,) = plan_grids(map, picture, cut=True)
    boards = parts(picture.width, picture.height, 333)
    assert len(boards) > 8
    shared = 0
    for part in boards:
        mine = grid.on_board(part.left, part.top, part.left + part.width, part.top + part.height)
        assert mine is not None
        for n, (x, y) in grid.centres.items():
            for dx, dy in ((0, 0), (18, 9), (-18, 9), (18, -9), (-18, -9)):
                if on(part, x + dx, y + dy):
                    shared += not on(part, x, y)
                    assert ask(mine, part, (x + dx, y + dy)) == ((x, y), map.ids[n])
    assert shared > 10  # hexes that have their middle on the next board


def test_where_hexes_have_no_whole_pixels_regions_name_them() -> None:
    map = read_clean(plain((1, 9), (1, 9)))
    picture = lay_out(map, 51, 9)
    (grid,) = plan_grids(map, picture, cut=True)
    assert grid.grid is None and "whole pixels" in (grid.why or "")
    part = parts(picture.width, picture.height, 250)[3]
    mine = grid.on_board(part.left, part.top, part.left + part.width, part.top + part.height)
    assert mine is not None and 0 < len(mine.regions) < 81
