"""Pictures of hex maps, tested by what is in them."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from compiler.check import check
from compiler.draw import DrawnMap, draw_map, rasterise
from compiler.draw.colour import contrast
from compiler.draw.hexatlas import looks_file
from compiler.grid.hexmap import HexMap
from compiler.init import HEX, template
from compiler.model.types import Module

RGB = tuple[int, int, int]


def write(
    folder: Path, change: Mapping[str, Any] | None = None, picture: Mapping[str, Any] | None = None
) -> Path:
    """The hex template in a folder, its map changed."""
    for path, text in template(HEX):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    file = folder / "maps/shores.json"
    value = {**json.loads(file.read_text(encoding="utf-8")), **(change or {})}
    file.write_text(json.dumps(value), encoding="utf-8")
    if picture is not None:
        (folder / "maps/shores.picture.json").write_text(json.dumps(picture), encoding="utf-8")
    return folder


def module_of(folder: Path) -> Module:
    module = check(folder, folder.as_posix()).module
    assert module is not None
    return module


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Module:
    return module_of(write(tmp_path_factory.mktemp("hex")))


@pytest.fixture(scope="module")
def drawn(module: Module) -> DrawnMap:
    return draw_map(module, "shores", "en")


@pytest.fixture(scope="module")
def pixels(drawn: DrawnMap) -> Image.Image:
    return Image.open(io.BytesIO(rasterise(drawn.svg, drawn.width, drawn.height))).convert("RGB")


def grid(module: Module) -> HexMap:
    found = module.maps["shores"].hexes
    assert found is not None
    return found


def near(a: RGB, b: str, off: int = 14) -> bool:
    want = tuple(int(b[i : i + 2], 16) for i in (1, 3, 5))
    return all(abs(x - y) <= off for x, y in zip(a, want, strict=True))


def colours(image: Image.Image, box: tuple[float, float, float, float]) -> list[tuple[int, RGB]]:
    """How many pixels of each colour a part of the picture has."""
    left, top, right, bottom = (round(n) for n in box)
    found: Any = image.crop((left, top, right, bottom)).getcolors(1_000_000)
    return list(found)


def count(image: Image.Image, box: tuple[float, float, float, float], colour: str, off: int = 14) -> int:
    return sum(n for n, rgb in colours(image, box) if near(rgb, colour, off))


def around(drawn: DrawnMap, id: str, reach: float) -> tuple[float, float, float, float]:
    x, y = drawn.spaces[id].anchor
    return x - reach, y - reach, x + reach, y + reach


def test_every_hex_has_a_shape_with_its_centre_and_the_box_too(module: Module, drawn: DrawnMap) -> None:
    assert set(drawn.spaces) == {space.id for space in module.maps["shores"].spaces}
    for n, id in enumerate(grid(module).ids):
        shape = drawn.spaces[id]
        assert len(shape.polygons[0]) == 6 and shape.spots == (shape.anchor,)
        xs = [x for x, _ in shape.polygons[0]]
        assert abs(sum(xs) / 6 - shape.anchor[0]) <= 2  # the engine cuts fractions off
        assert n in next(g for g in drawn.grids if n in g.centres).centres


def test_terrain_has_its_colour(drawn: DrawnMap, pixels: Image.Image) -> None:
    looks = looks_file()["print"]["looks"]
    for id, look in (("E:0402", "sea"), ("W:0106", "clear"), ("W:0502", "woods"), ("W:0709", "swamp")):
        area = count(pixels, around(drawn, id, 26), looks[look]["fill"])
        assert area > 1200, id
    assert count(pixels, around(drawn, "W:0502", 30), looks["woods"]["light"], 24) > 80  # trees
    assert count(pixels, around(drawn, "W:0405", 34), looks["mountain"]["light"], 20) > 40  # peaks


def test_a_coastal_hex_is_land_and_water_but_its_middle_is_land(drawn: DrawnMap, pixels: Image.Image) -> None:
    looks = looks_file()["print"]["looks"]
    x, y = drawn.spaces["E:0602"].anchor
    assert count(pixels, (x - 10, y - 10, x + 10, y + 10), looks["clear"]["fill"]) > 150
    west = colours(pixels, (x - 50, y - 35, x - 25, y + 35))
    blue = sum(n for n, rgb in west if rgb[2] > rgb[0] + 8)
    assert blue > 150


def test_rivers_run_along_hexsides_and_join(module: Module, drawn: DrawnMap, pixels: Image.Image) -> None:
    river = looks_file()["print"]["sides"]["river"]["stroke"]
    a, b = (drawn.spaces[id].anchor for id in ("W:0604", "W:0605"))
    mx, my = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    assert count(pixels, (mx - 14, my - 12, mx + 14, my + 12), river, 26) > 50
    # where the brook meets the Amber: one corner, three hexsides, and water in all three directions
    assert count(pixels, around(drawn, "W:0604", 60), river, 26) > count(
        pixels, around(drawn, "W:0102", 60), river, 26
    )


def test_a_road_goes_through_its_hexes_and_over_a_bridge(drawn: DrawnMap, pixels: Image.Image) -> None:
    casing = looks_file()["print"]["lines"]["road"]["casing"]
    assert count(pixels, around(drawn, "W:0206", 12), casing, 40) > 20
    a, b = (drawn.spaces[id].anchor for id in ("E:0203", "E:0204"))
    mx, my = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    assert count(pixels, (mx - 16, my - 14, mx + 16, my + 14), casing, 40) > 60  # parapets and both edges


def test_names_are_in_the_picture_large_enough_dark_enough_and_clear_of_each_other(drawn: DrawnMap) -> None:
    names = {label.text: label for label in drawn.labels}
    assert {"High Gate", "Port Amber", "Amber"} <= set(names)
    assert drawn.collisions == 0
    placed = [label for label in drawn.labels if label.space]
    for n, one in enumerate(placed):
        assert one.size * 0.66 / 2 >= 7
        for other in placed[n + 1 :]:
            assert not one.box.overlaps(other.box)
    for text in names:
        assert f">{text}</text>" in drawn.svg
    style = re.search(r'fill="(#\w+)" stroke="(#\w+)"[^>]*>High Gate<', drawn.svg)
    assert style is not None and contrast(style[1], style[2]) >= 4.5


def test_numbers_are_printed_without_the_sheet_and_give_way(module: Module, drawn: DrawnMap) -> None:
    numbers = re.findall(r">(\d{4})</text>", drawn.svg)
    assert len(numbers) >= len(grid(module)) - 2
    assert "W:0101" not in drawn.svg
    boxes = [label.box for label in drawn.labels if label.space]
    for x, y in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>\d{4}</text>', drawn.svg):
        for box in boxes:
            assert abs(float(x) - box.x) > box.w / 2 or abs(float(y) - 4 - box.y) > box.h / 2


def test_the_legend_names_what_is_on_the_map_and_nothing_else(drawn: DrawnMap) -> None:
    for word in (
        "Clear",
        "Woods",
        "Coast",
        "Sea",
        "River",
        "Border",
        "Cliff",
        "Road",
        "Railway",
        "Capital",
        "Port",
    ):
        assert f">{word}</text>" in drawn.svg, word
    assert ">Factory</text>" not in drawn.svg
    assert (
        ">2 hexes</text>" in drawn.svg and ">N</text>" in drawn.svg and ">The two shores</text>" in drawn.svg
    )


def test_the_same_module_gives_the_same_bytes(module: Module, drawn: DrawnMap) -> None:
    assert draw_map(module, "shores", "en").svg == drawn.svg


def test_another_style_changes_the_looks_and_no_place(module: Module, drawn: DrawnMap) -> None:
    other = draw_map(module, "shores", "en", "contrast")
    assert other.svg != drawn.svg and other.spaces == drawn.spaces
    assert looks_file()["contrast"]["looks"]["sea"]["fill"] in other.svg


def test_another_language_changes_the_words_and_no_place() -> None:
    root = Path(__file__).parent / "good" / "hexes"
    module = module_of(root)
    french, english = (draw_map(module, "three", language) for language in ("fr", "en"))
    assert {">Montagne<", ">Ruisseau<", ">Légende<", ">Havre<"} <= set(re.findall(r">[^<>]+<", french.svg))
    assert french.spaces == english.spaces


def test_half_hexes_are_half_and_turned_sheets_lie_where_they_belong() -> None:
    drawn = draw_map(module_of(Path(__file__).parent / "good" / "hexes"), "three", "en")
    top, whole = drawn.spaces["A:0200"], drawn.spaces["A:0302"]
    height = {
        id: max(y for _, y in s.polygons[0]) - min(y for _, y in s.polygons[0])
        for id, s in drawn.spaces.items()
    }
    assert height["A:0200"] == pytest.approx(height["A:0302"] / 2)
    assert min(y for _, y in top.polygons[0]) == pytest.approx(top.anchor[1], abs=1)
    assert whole.anchor[0] > top.anchor[0]
    assert drawn.spaces["T:0201"].anchor[1] > drawn.spaces["A:0104"].anchor[1]
    assert [g.sheet for g in drawn.grids if g.regions] == ["T"]


def test_an_own_picture_is_the_board_and_the_grid_lies_on_it(tmp_path: Path) -> None:
    folder = write(tmp_path / "own")
    first = draw_map(module_of(folder), "shores", "en")
    (folder / "art").mkdir()
    (folder / "art/map.png").write_bytes(rasterise(first.svg, first.width, first.height))
    ids = ("W:0101", "W:0209", "E:0901", "E:0809")
    pairs = [{"space": id, "at": [round(n) for n in first.spaces[id].anchor]} for id in ids]
    picture = {
        "board": {"picture": "art/map.png", "pairs": pairs, "boxes": {"reserve": [50, 1000, 300, 1100]}}
    }
    own = draw_map(module_of(write(folder, picture=picture)), "shores", "en")
    assert own.svg.count("<image") == 1 and (own.width, own.height) == (first.width, first.height)
    for id, shape in first.spaces.items():
        if id != "reserve":
            assert abs(own.spaces[id].anchor[0] - shape.anchor[0]) <= 2
            assert abs(own.spaces[id].anchor[1] - shape.anchor[1]) <= 2
    assert [finding.code for finding in own.findings] == ["D009"]
    shutil.rmtree(folder / "art")
    assert [finding.code for finding in draw_map(module_of(folder), "shores", "en").findings] == ["D008"]


def test_pairs_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    folder = write(tmp_path / "own")
    Image.new("RGB", (400, 300)).save(folder / "map.png")
    for pairs in (
        [],
        [{"space": "W:0101", "at": [10, 10]}, {"space": "W:0102", "at": [10, 60]}],
        [{"space": "Z:1", "at": [1, 1]}],
    ):
        write(folder, picture={"board": {"picture": "map.png", "pairs": pairs}})
        found = draw_map(module_of(folder), "shores", "en")
        assert found.svg == "" and {finding.code for finding in found.findings} == {"D008"}


def test_a_terrain_that_no_table_knows_is_drawn_and_the_picture_file_has_the_last_word(
    tmp_path: Path,
) -> None:
    folder = write(tmp_path / "odd", picture={"terrain": {"woods": {"fill": "#123456", "texture": "dots"}}})
    drawn = draw_map(module_of(folder), "shores", "en")
    assert 'fill="#123456"' in drawn.svg


def test_a_track_stands_over_the_map(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "track", picture={"track": {"kind": "money"}, "scale": {"hex": 25, "unit": "km"}}
    )
    file = folder / "module.json"
    main = json.loads(file.read_text(encoding="utf-8"))
    main["vocabulary"]["track"] = {"kind": ["money"]}
    main["tracks"] = [
        {"id": "west.money", "name": "Money", "kind": "money", "owner": "west", "from": 0, "to": 20}
    ]
    file.write_text(json.dumps(main), encoding="utf-8")
    drawn = draw_map(module_of(folder), "shores", "en")
    assert set(drawn.squares) == set(range(21))
    assert max(y for _, y in drawn.squares.values()) < min(y for _, y in drawn.spaces["W:0101"].polygons[0])
    assert ">50 km</text>" in drawn.svg


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"hex": "large"}, "D021"),
        ({"hex": 5}, "D021"),
        ({"numbrs": "none"}, "D020"),
        ({"terrain": {"woods": {"fill": "green"}}}, "D021"),
        ({"terrain": []}, "D021"),
        ({"styles": {"print": {"grid": 7}}}, "D021"),
        ({"scale": {"unit": "km"}}, "D021"),
        ({"words": "en"}, "D021"),
        ({"track": 3}, "D021"),
        ({"board": {"picture": "a.png", "pairs": [1, 2]}}, "D021"),
        ([], "S134"),
    ],
)
def test_a_wrong_picture_file_is_a_finding_and_the_map_is_drawn_all_the_same(
    tmp_path: Path, wrong: Any, code: str
) -> None:
    drawn = draw_map(module_of(write(tmp_path / "wrong", picture=wrong)), "shores", "en")
    assert [finding.code for finding in drawn.findings] == [code]
    assert drawn.svg and drawn.collisions == 0


def test_pointy_hexes(tmp_path: Path) -> None:
    change = {
        "hexes": {"shape": "pointy", "shifted": "even", "ids": "{rr}{cc}", "values": {"kind": "hex"}},
        "sheets": [{"terrain": ["ccwwb", "cchb~", "chmb~", "ccbb~"]}],
        "spaces": [{"id": "0202", "name": "Mill", "city": 1}],
        "sides": [{"kind": "river", "path": "0302/NE E SE"}],
        "lines": [{"kind": "road", "path": "0101 SE SW"}],
        "links": [],
        "regions": [],
    }
    drawn = draw_map(module_of(write(tmp_path / "pointy", change)), "shores", "en")
    (x1, y1), (x2, y2) = drawn.spaces["0101"].anchor, drawn.spaces["0201"].anchor
    assert y2 - y1 == pytest.approx(78, abs=1) and x2 - x1 == pytest.approx(45, abs=1)
    image = Image.open(io.BytesIO(rasterise(drawn.svg, drawn.width, drawn.height))).convert("RGB")
    assert count(image, around(drawn, "0305", 20), looks_file()["print"]["looks"]["sea"]["fill"]) > 700
