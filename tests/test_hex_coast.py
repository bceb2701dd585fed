"""Real coasts inside hexes, heights and parts of hexes on hex maps: what is drawn, and what is wrong with the files."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from compiler.check import check
from compiler.draw import DrawnMap, draw_map, rasterise
from compiler.init import HEX, template
from compiler.source import locate


def write(folder: Path, coast: Any = None, relief: Any = None, shape: str = "flat") -> DrawnMap:
    """A map of 5 × 4 hexes, the middle one of coast in the sea, with these files beside it."""
    for path, text in template(HEX):
        if path.parts[0] not in ("cases", "scenarios"):
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    file = folder / "maps/shores.json"
    value = json.loads(file.read_text(encoding="utf-8"))
    more = {"links": [], "regions": [], "spaces": [], "sides": [], "lines": []}
    grid = {"shape": shape, "shifted": "even", "ids": "{cc}{rr}", "values": {"kind": "hex"}}
    sheets = [{"terrain": ["~~~~~", "~~b~c", "~~~~c", "~~~~c"]}]
    file.write_text(json.dumps({**value, **more, "hexes": grid, "sheets": sheets}), encoding="utf-8")
    for name, content in (("coast", coast), ("relief", relief)):
        if content is not None:
            text = content if isinstance(content, str) else json.dumps(content)
            (folder / f"maps/shores.{name}.json").write_text(text, encoding="utf-8")
    module = check(folder, folder.as_posix()).module
    assert module is not None
    return draw_map(module, "shores", "en")


def pixels(drawn: DrawnMap) -> Image.Image:
    return Image.open(io.BytesIO(rasterise(drawn.svg, drawn.width, drawn.height))).convert("RGB")


def at(image: Image.Image, drawn: DrawnMap, hex: str, x: float, y: float) -> str:
    """The colour at a point of a hex, in units from its middle."""
    cx, cy = drawn.spaces[hex].anchor
    r, _, b = image.getpixel((round(cx + x * 0.9), round(cy + y * 0.9)))  # type: ignore[misc]
    return "water" if b > r else "land"


SQUARE = [[-30, -30], [30, -30], [30, 30], [-30, 30]]
HOLE = [[-12, -12], [12, -12], [12, 12], [-12, 12]]


@pytest.mark.parametrize("shape", ["flat", "pointy"])
def test_land_is_where_the_file_has_it(tmp_path: Path, shape: str) -> None:
    made = write(tmp_path, {"hexes": {"0302": [SQUARE, HOLE]}}, shape=shape)
    assert made.findings == ()
    image = pixels(made)
    seen = {
        point: at(image, made, "0302", *point) for point in ((0, 0), (-20, 20), (20, -20), (20, 20), (-42, 0))
    }
    assert seen == {
        (0, 0): "water",
        (-20, 20): "land",
        (20, -20): "land",
        (20, 20): "land",
        (-42, 0): "water",
    }


def test_without_an_entry_the_coast_is_ours(tmp_path: Path) -> None:
    bare = write(tmp_path / "bare")
    image = pixels(bare)
    assert at(image, bare, "0302", 0, 0) == "land" and at(image, bare, "0302", -42, 0) == "water"
    assert write(tmp_path / "empty", {"hexes": {}}).svg == bare.svg


def test_an_empty_entry_is_water_and_an_islet_may_lie_in_the_sea(tmp_path: Path) -> None:
    made = write(tmp_path, {"hexes": {"0302": [], "0203": [[[-8, 0], [8, 0], [0, 14]]]}})
    image = pixels(made)
    assert at(image, made, "0302", 0, 10) == "water"
    assert at(image, made, "0203", 0, 5) == "land" and at(image, made, "0203", 0, -20) == "water"


def test_no_shore_is_drawn_where_a_hexside_only_cuts_the_land(tmp_path: Path) -> None:
    """The lower halves of 0302 and of its neighbour in the south are land: nothing is drawn between them."""
    whole = [[-57.7, 0], [57.7, 0], [28.9, 50], [-28.9, 50]]
    upper = [[-28.9, -50], [28.9, -50], [57.7, 0], [-57.7, 0]]
    made = write(tmp_path, {"hexes": {"0302": [whole], "0303": [upper]}})
    image = pixels(made)
    x, y = made.spaces["0302"].anchor
    middle = [image.getpixel((round(x + 20), round(y + dy))) for dy in range(30, 60)]
    assert all(pixel[0] > pixel[2] for pixel in middle)  # type: ignore[index]
    ink = min(sum(image.getpixel((round(x + 20), round(y + dy)))) for dy in range(-5, 6))  # type: ignore[arg-type]
    assert ink < 3 * 130  # but a shore where the land ends


@pytest.mark.parametrize(
    ("coast", "code"),
    [
        ("{", "D023"),
        ([], "D023"),
        ({"hexes": []}, "D023"),
        ({"hexes": {"0302": [[[0, 0], [1, 1]]]}}, "D023"),
        ({"hexes": {"0302": [[[0, 0], [1, "a"], [3, 3]]]}}, "D023"),
        ({"hexes": {"0302": [[[0, 0], [70, 1], [3, 3]]]}}, "D023"),
        ({"hexes": {"0302": 7}}, "D023"),
        ({"hexes": {"0399": []}}, "D024"),
        ({"hexes": {"0502": [SQUARE]}}, "D025"),
    ],
)
def test_what_is_wrong_with_a_coast_is_a_finding_at_its_place(tmp_path: Path, coast: Any, code: str) -> None:
    made = write(tmp_path, coast)
    (finding,) = made.findings
    assert finding.code == code and finding.place is not None and made.svg
    where = locate([finding.place])[finding.place]
    of_a_hex = isinstance(coast, Mapping) and isinstance(coast["hexes"], Mapping)
    assert where.line == 1 and (where.column > 1) == of_a_hex


ROWS = ["a" * 8, "i" * 8, "q" * 8, "i" * 8]


def test_heights_lie_where_the_file_says(tmp_path: Path) -> None:
    place = {"origin": "0502", "left": -100, "top": -100, "cell": 50}
    flat, made = write(tmp_path / "flat"), write(tmp_path / "high", relief={**place, "rows": ROWS})
    assert made.findings == ()
    before, after = pixels(flat), pixels(made)
    x, y = made.spaces["0502"].anchor

    def light(image: Image.Image, dy: float) -> int:
        return sum(image.getpixel((round(x + 8), round(y + dy * 0.9))))  # type: ignore[arg-type]

    assert light(after, -40) < light(before, -40)  # in shadow
    assert light(after, 25) > light(before, 25)  # in the light
    sea = made.spaces["0402"].anchor
    assert after.getpixel((round(sea[0]), round(sea[1] - 10))) == before.getpixel(
        (round(sea[0]), round(sea[1] - 10))
    )


@pytest.mark.parametrize(
    "relief",
    [
        "[",
        [],
        {"rows": []},
        {"rows": ["ii", "i"]},
        {"rows": ["ix"]},
        {"rows": ["ii"], "origin": "0101"},
        {"rows": ["ii"], "origin": "9999", "left": 0, "top": 0, "cell": 1},
        {"rows": ["ii"], "origin": "0101", "left": 0, "top": 0, "cell": 0},
    ],
)
def test_what_is_wrong_with_heights_is_a_finding(tmp_path: Path, relief: Any) -> None:
    made = write(tmp_path, relief=relief)
    assert [finding.code for finding in made.findings] == ["D026"] and made.svg


# Parts of hexes -------------------------------------------------------------------------------------------------------


def parted(folder: Path, sextants: Any, shape: str = "flat") -> DrawnMap:
    """The map of `write` with land in its middle, and these parts of hexes."""
    write(folder, shape=shape)
    file = folder / "maps/shores.json"
    text = file.read_text(encoding="utf-8").replace("~~b~c", "~ccwc").replace("~~~~c", "~cccc")
    file.write_text(text, encoding="utf-8")
    (folder / "maps/shores.picture.json").write_text(json.dumps({"sextants": sextants}), encoding="utf-8")
    module = check(folder, folder.as_posix()).module
    assert module is not None
    return draw_map(module, "shores", "en")


WAYS = {
    "flat": {"N": (0, -36), "NE": (31, -18), "SE": (31, 18), "S": (0, 36), "SW": (-31, 18), "NW": (-31, -18)},
    "pointy": {
        "NW": (-18, -31),
        "NE": (18, -31),
        "E": (36, 0),
        "SE": (18, 31),
        "SW": (-18, 31),
        "W": (-36, 0),
    },
}


def greens(image: Image.Image, drawn: DrawnMap, shape: str) -> set[str]:
    """The directions in which hex 0303 is green, as woods are: most of a small square there."""
    x, y = drawn.spaces["0303"].anchor
    found = set()
    for name, (dx, dy) in WAYS[shape].items():
        middle = x + dx * 0.9, y + dy * 0.9
        box = (int(middle[0] - 5), int(middle[1] - 5), int(middle[0] + 6), int(middle[1] + 6))
        colours = list(image.crop(box).get_flattened_data())
        found |= {name} if sum(g > r + 4 for r, g, _ in colours) > len(colours) / 2 else set()
    return found


@pytest.mark.parametrize("shape", ["flat", "pointy"])
def test_sixths_of_a_hex_have_another_look(tmp_path: Path, shape: str) -> None:
    for n, name in enumerate(WAYS[shape]):
        two = list(WAYS[shape])[n - 1]
        made = parted(tmp_path / name, [{"terrain": "woods", "at": f"0303/{name} {two}"}], shape)
        assert made.findings == ()
        assert greens(pixels(made), made, shape) == {name, two}


def test_no_tree_stands_outside_the_wood(tmp_path: Path) -> None:
    made = parted(tmp_path, [{"terrain": "woods", "at": ["0303/N", "0303/NE SE S SW NW"]}])
    half = parted(tmp_path / "half", [{"terrain": "woods", "at": "0303/N NE"}])
    assert greens(pixels(made), made, "flat") == set(WAYS["flat"])
    assert greens(pixels(half), half, "flat") == {"N", "NE"}


@pytest.mark.parametrize(
    ("sextants", "codes"),
    [
        ([{"terrain": "wods", "at": "0303/N"}], ["D027"]),
        ([{"terrain": "sea", "at": "0303/N"}], ["D027"]),
        ([{"terrain": "woods", "at": "0399/N NE"}], ["D027"]),
        ([{"terrain": "woods", "at": "0303/E"}], ["D027"]),
        ([{"terrain": "woods", "at": "N 0303/N"}], ["D027"]),
        ([{"terrain": "woods"}], ["D021"]),
        ([{"terrain": "woods", "at": 3}], ["D021"]),
        ({"terrain": "woods"}, ["D021"]),
    ],
)
def test_what_is_wrong_with_sextants_is_a_finding(tmp_path: Path, sextants: Any, codes: list[str]) -> None:
    found = parted(tmp_path, sextants).findings
    assert [finding.code for finding in found] == codes
    assert found[0].place is not None and locate([found[0].place])[found[0].place].column > 1
