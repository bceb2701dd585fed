"""Displays: every box is a space with places for stacks inside it; a tree that cannot be laid out is a finding with its place."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from compiler.check import check
from compiler.draw import DrawnMap, draw_map
from compiler.source import locate
from compiler.vassal.locations import inside

WORKSHOP = Path(__file__).parent / "good" / "workshop"


def drawn(folder: Path, display: object = None, map_id: str = "seas", language: str = "en") -> DrawnMap:
    root = folder / "workshop"
    if not root.exists():
        shutil.copytree(WORKSHOP, root)
    if display is not None:
        text = json.dumps({"display": display})
        (root / "maps" / f"{map_id}.picture.json").write_text(text, encoding="utf-8")
    module = check(root, root.as_posix()).module
    assert module is not None
    return draw_map(module, map_id, language)


@pytest.mark.parametrize("map_id", ["world", "factory", "seas", "plans", "hand"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_space_has_a_box_of_its_own_with_places_in_it(
    tmp_path: Path, map_id: str, language: str
) -> None:
    made = drawn(tmp_path, None, map_id, language)
    assert made.findings == ()
    rings = {id: [(round(x), round(y)) for x, y in shape.polygons[0]] for id, shape in made.spaces.items()}
    for id, shape in made.spaces.items():
        assert shape.spots
        for x, y in shape.spots:
            assert [other for other, ring in rings.items() if inside(ring, round(x), round(y))] == [id]
            assert 0 < x < made.width and 0 < y < made.height


def test_shares_divide_the_room(tmp_path: Path) -> None:
    cells = ["gulf_0", {"space": "gulf_1", "share": 3}, "strait_0", "strait_1"]
    made = drawn(tmp_path, {"size": [1000, 400], "across": cells})
    widths = {id: shape.polygons[0][1][0] - shape.polygons[0][0][0] for id, shape in made.spaces.items()}
    assert widths["gulf_1"] == pytest.approx(3 * widths["gulf_0"])


def test_a_track_has_a_square_for_each_number(tmp_path: Path) -> None:
    made = drawn(tmp_path, None, "world")
    assert sorted(made.squares) == list(range(10))


BAD = [
    ({"across": ["gulf_0", "golf_1"]}, "no space 'golf_1'"),
    ({"across": ["gulf_0", "gulf_0"]}, "twice"),
    ({"down": []}, "a list of cells"),
    ({"down": ["gulf_0"], "across": ["gulf_1"]}, "has one of"),
    ({"down": [7]}, "has one of"),
    ("gulf_0 ", "no space 'gulf_0 '"),
    ({"size": [10, 10], "down": ["gulf_0"]}, "width and height"),
    ({"size": [True, 400], "down": ["gulf_0"]}, "width and height"),
    ({"circle": ["gulf_0"]}, "a ring of a circle"),
    ({"squares": [5, 1]}, "first and the last"),
    ({"title": {"fr": "Golfe"}, "down": ["gulf_0"]}, "no words in 'en'"),
    ({"title": "Gulf", "down": ["gulf_0"]}, "no words in 'en'"),
]


@pytest.mark.parametrize(("display", "said"), BAD, ids=[said for _, said in BAD])
def test_what_cannot_be_laid_out_is_a_finding_with_its_place(
    tmp_path: Path, display: object, said: str
) -> None:
    made = drawn(tmp_path, display)
    assert made.svg == ""
    finding = made.findings[0]
    assert finding.code == "D010" and said in finding.message
    assert finding.place is not None
    assert locate([finding.place])[finding.place].line == 1
    assert finding.place.document.name.endswith("seas.picture.json")


def test_a_tree_without_end_is_cut_short(tmp_path: Path) -> None:
    deep: object = "gulf_0"
    for _ in range(60):
        deep = {"down": [deep]}
    assert [finding.code for finding in drawn(tmp_path, deep).findings] == ["D010"]
