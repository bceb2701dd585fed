"""What a hex map's picture shows of regions and plans: borders, wide names, lines yet to be built, and the corner for the legend."""

from __future__ import annotations

import json
import re
from math import hypot
from pathlib import Path
from typing import Any

import pytest

from compiler.check import check
from compiler.draw import DrawnMap, draw_map
from compiler.draw.hexframe import MARGIN, largest_free, plan
from compiler.init import HEX, template


def drawn(folder: Path, picture: dict[str, Any], change: dict[str, Any] | None = None) -> DrawnMap:
    """The map of the first hex module, with this picture file and changes to its map."""
    for path, text in template(HEX):
        if path.parts[0] not in ("cases", "scenarios"):
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    file = folder / "maps/shores.json"
    value = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**value, **(change or {})}), encoding="utf-8")
    (folder / "maps/shores.picture.json").write_text(json.dumps(picture), encoding="utf-8")
    module = check(folder, folder.as_posix()).module
    assert module is not None
    return draw_map(module, "shores", "en")


LANDS = {
    "regions": [
        {"id": "west", "name": "Westland", "kind": "country", "spaces": ["W:0101..W:0109", "W:0201..W:0209"]},
        {"id": "east", "name": "Eastland", "kind": "country", "spaces": ["W:0301..W:0309"]},
    ]
}


def test_regions_have_lines_between_them_and_nowhere_else(tmp_path: Path) -> None:
    bare = drawn(tmp_path / "bare", {}, LANDS)
    lined = drawn(tmp_path / "lined", {"outlines": {"country": "border"}}, LANDS)
    assert lined.findings == ()
    more = set(lined.svg.split("\n")) - set(bare.svg.split("\n"))
    border = max((line for line in more if 'stroke="#8c2f39"' in line), key=len)  # the legend has a short one
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", border.split('"')[1])]
    left, right = (bare.spaces[id].anchor[0] for id in ("W:0201", "W:0301"))
    assert len(numbers) > 30 and all(left < x < right for x in numbers[0::2])


def test_a_wide_name_keeps_clear_of_the_others(tmp_path: Path) -> None:
    names = [{"region": "west", "at": "W:0205", "size": 40, "spacing": 4, "turn": 90}]
    made = drawn(tmp_path, {"names": names}, LANDS)
    assert made.collisions == 0 and ">WESTLAND<" in made.svg


@pytest.mark.parametrize(
    "wrong", [{"region": "nowhere", "at": "W:0205"}, {"region": "west", "at": "W:9999"}, {"region": "west"}]
)
def test_a_name_of_nothing_is_told(tmp_path: Path, wrong: dict[str, Any]) -> None:
    assert [f.code for f in drawn(tmp_path, {"names": [wrong]}, LANDS).findings] == ["D021"]


def test_a_line_yet_to_be_built_is_dashed_and_in_the_legend(tmp_path: Path) -> None:
    path = "W:0101 SE*2"
    built = drawn(tmp_path / "a", {}, {"lines": [{"kind": "rail", "path": path}]})
    planned = drawn(tmp_path / "b", {}, {"lines": [{"kind": "rail", "status": "unbuilt", "path": path}]})
    assert "not yet built" in planned.svg and "not yet built" not in built.svg


def test_the_date_of_a_line_yet_to_be_built_stands_beside_it(tmp_path: Path) -> None:
    path = "W:0101 SE*4"

    def made(name: str, **values: object) -> DrawnMap:
        line = {"kind": "rail", "status": "unbuilt", "path": path, **values}
        return drawn(tmp_path / name, {"opens": "built"}, {"lines": [line]})

    words = made("words", built="spring 1942")
    (label,) = (label for label in words.labels if label.text == "spring 1942")
    ends = [words.spaces[id].anchor for id in ("W:0101", "W:0503")]
    (ax, ay), (bx, by) = ends
    off = abs((bx - ax) * (ay - label.box.y) - (ax - label.box.x) * (by - ay)) / hypot(bx - ax, by - ay)
    assert off < 60 and "built by the date at it" in words.svg
    first, *_, last = words_of_turns = turns(tmp_path / "words")
    assert f">{first}<" in made("first", built=1).svg
    assert f">{last}<" in made("last", built=len(words_of_turns)).svg
    for never in (0, 99):  # not in this game
        assert not [
            label for label in made(f"never{never}", built=never).labels if label.text in words_of_turns
        ]
    open = drawn(
        tmp_path / "open", {"opens": "built"}, {"lines": [{"kind": "rail", "path": path, "built": 1}]}
    )
    assert f">{first}<" not in open.svg  # a line that is there needs no date


def turns(folder: Path) -> list[str]:
    module = check(folder, folder.as_posix()).module
    assert module is not None
    return [
        module.texts.get(f"turn.{id}", "en") if module.texts.has(f"turn.{id}", "en") else id
        for id in module.sequence.turns
    ]


def test_the_largest_empty_rectangle() -> None:
    corner = [(x + 0.5, y + 0.5) for x in range(20) for y in range(10) if x < 5 or y > 6]
    assert largest_free(corner, 1.0, 20, 10) == (6.0, 0.0, 14.0, 6.0)
    assert largest_free([(x, y) for x in range(9) for y in range(9)], 1.0, 8, 8) is None


def test_all_stands_in_a_wide_empty_corner_as_large_as_it_fits() -> None:
    boxes, free = [f"box{n}" for n in range(6)], (0.0, 0.0, 9000.0, 3000.0)
    frame = plan(20_000, 8_000, boxes, 20, (), free)
    assert (frame.width, frame.height) == (20_000 + 2 * MARGIN, 8_000 + 2 * MARGIN)
    assert frame.zoom > 2
    for x, y, w, h in [*frame.boxes.values(), frame.legend, frame.title]:
        assert x >= MARGIN and x + w <= free[2] + MARGIN and y + h <= free[3] + MARGIN
    tight = plan(20_000, 8_000, boxes, 20, (), (0.0, 0.0, 900.0, 300.0))
    assert tight.zoom == 1 and tight.legend[1] > 8_000
