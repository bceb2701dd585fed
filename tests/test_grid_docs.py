"""The page about hex maps: its example is a map without a finding, and its claims hold."""

from __future__ import annotations

import re
from pathlib import Path

from grid_maps import read_text

PAGE = (Path(__file__).parent.parent / "docs" / "hexes.md").read_text(encoding="utf-8")


def blocks() -> list[str]:
    return re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


def test_the_example_is_read_without_a_finding() -> None:
    map, findings = read_text(blocks()[0])
    assert not findings, [(f.code, f.message) for f in findings]
    assert len(map) == 4 + 45 + 25
    assert map.side_lines[0].corners is not None
    regions = {area.id: [map.name(n) for n in area.members] for area in map.regions}
    assert regions["lake_zone"] == ["E:0203"] and len(regions["highland"]) == 8


def test_the_layer_is_read_without_a_finding() -> None:
    head = '{"legend": {"c": "clear", "m": "hill"}, "regions": [{"id": "north"}, {"id": "south"}], '
    map, findings = read_text(f"{head}{blocks()[1]}}}")
    assert not findings
    assert [len(area.members) for area in map.regions] == [4, 2]


def test_every_picture_of_the_page_is_there_and_of_a_map_without_findings() -> None:
    folder = Path(__file__).parent.parent / "docs"
    named = re.findall(r"!\[[^]]+\]\(([^)]+)\)", PAGE)
    assert len(named) == 9 and all((folder / name).is_file() for name in named)
    for name, count in (("features", 16 * 9), ("island", 9 * 5), ("parts", 8 * 3)):
        map, findings = read_text((folder / "hexes" / f"{name}.json").read_text(encoding="utf-8"))
        assert not findings and len(map) == count
