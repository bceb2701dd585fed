"""Hex map files: what a good one gives, what each slip in a bad one is told, and that size costs no more than size."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from grid_maps import DATA, plain, read_clean, read_file, read_text, read_value, spots
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.codes import all_codes
from compiler.grid.hexmap import HexMap
from compiler.grid.placing import lay_out

BAD = sorted((DATA / "bad").glob("*.json"))
GOOD = DATA / "good" / "three-sheets.json"


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_every_slip_is_found_at_its_line_and_column(path: Any) -> None:
    """The file's note says what is wrong and where; nothing else may be reported."""
    map, findings = read_file(path)
    want = re.findall(r"(H\d{3}) at (\d+):(\d+)", json.loads(path.read_text(encoding="utf-8"))["note"])
    assert spots(findings) == [(code, int(line), int(column)) for code, line, column in want] and want
    assert all(f.help for f in findings)
    assert isinstance(map, HexMap)


def test_every_code_has_a_bad_file() -> None:
    shown = {code for path in BAD for code in re.findall(r"H\d{3}", path.read_text(encoding="utf-8"))}
    assert shown == {code for code in all_codes() if code.startswith("H")}


@pytest.fixture(scope="module")
def good() -> HexMap:
    map, findings = read_file(GOOD)
    assert not findings
    return map


def test_a_shared_hex_is_one_hex_by_either_id(good: HexMap) -> None:
    assert good.index["B:0101"] == good.index["A:0701"]
    assert good.ids[good.index["B:0101"]] == "A:0701"
    assert good.aliases[good.index["A:0701"]] == ("B:0101",)
    assert good.entries[good.index["A:0701"]].raw["name"] == "Corner"


def test_letters_become_terrain(good: HexMap) -> None:
    at = good.index["A:0303"]
    assert good.legend[good.letters[at]].raw == {"terrain": "mountain"}
    assert good.water(good.index["A:0704"]) == "all" and good.water(good.index["A:0503"]) == "part"
    assert "A:0100" not in good.index and "A:0200" in good.index


def test_directions_are_those_of_the_sheet_last_named(good: HexMap) -> None:
    """The turned sheet's south-east is the map's south: its hex 0201 lies below and left of what it would be."""
    turned, findings = read_text(
        GOOD.read_text(encoding="utf-8").replace(
            '{"kind": "road", "path": "offmap A:0101"}', '{"kind": "road", "path": "T:0101 SE T:0201"}'
        )
    )
    assert not findings
    (a, b), *rest = turned.lines[2].steps
    assert (turned.ids[a], turned.ids[b], rest) == ("A:0104", "T:0201", [])
    layout_down = turned.hexes[b][0] - turned.hexes[a][0], turned.hexes[b][1] - turned.hexes[a][1]
    assert layout_down == (0, 1)


def test_paths_and_hexsides(good: HexMap) -> None:
    road, rail, _ = good.lines
    assert [good.name(b) for _, b in road.steps] == ["A:0201", "A:0301", "A:0401", "A:0502"]
    assert [good.name(b) for _, b in rail.steps] == ["A:0701", "B:0201", "B:0302"]
    river = good.side_lines[0]
    assert [good.side_name(k) for k in river.sides] == [
        "A:0201/A:0202",
        "A:0202/A:0302",
        "A:0202/A:0303",
        "A:0203/A:0303",
    ]
    assert river.corners is not None and len(river.corners) == 5


def test_regions_by_list_run_layer_sheet_and_outline(good: HexMap) -> None:
    regions = {area.id: {good.name(n) for n in area.members} for area in good.regions}
    assert regions["behind_wall"] == {"A:0303"}
    assert regions["row_one"] >= {"A:0401", "offmap", "B:0501", "A:0701"} and len(regions["row_one"]) == 12
    assert regions["north"] >= {"A:0200", "A:0302"} and "A:0402" in regions["south"]
    assert len(regions["sheet_a"]) == 31


def test_ranges_rings_and_lines_stay_on_the_map(good: HexMap) -> None:
    at = good.index

    def ids(numbers: list[int]) -> list[str]:
        return [good.ids[n] for n in numbers]

    assert ids(good.within(at["A:0102"], 1)) == ["A:0102", "A:0101", "A:0201", "A:0202", "A:0103"]
    assert len(good.ring(at["A:0402"], 2)) == 12
    assert ids(good.touched(at["A:0302"], at["A:0502"])) == ["A:0302", "A:0401", "A:0402", "A:0502"]
    assert (
        good.canonical("B:0101") == "A:0701"
        and good.canonical("offmap") == "offmap"
        and good.canonical("x") is None
    )


def test_pixels_find_their_hex(good: HexMap) -> None:
    picture = lay_out(good, 50)
    for n in range(len(good)):
        x, y = picture.centre(good, n)
        assert picture.hex_at(good, x, y) == n
        assert all(
            0 <= cx <= picture.width and 0 <= cy <= picture.height
            for cx, cy in picture.layouts[0].corners(good.hexes[n])
        )
    assert picture.hex_at(good, 1, 1) is None


def test_one_slip_that_every_sheet_shares_is_said_once() -> None:
    value = plain((1, 2), (1, 1), ids="{cc}/{rr}")
    value["sheets"] = [{"id": id, "terrain": ["cc"]} for id in "ABC"]
    assert [f.code for f in read_value(value)[1]] == ["H101"]


def test_half_hexes_at_the_cut_edges_unless_another_sheet_has_the_rest(good: HexMap) -> None:
    halves = {good.ids[n]: edges for n, edges in good.halves.items()}
    assert halves["A:0200"] == ("top",) and halves["A:0103"] == ("left",)
    assert "A:0104" not in halves  # the turned sheet has its other half
    assert "A:0101" in halves and "A:0701" not in halves


def test_a_region_behind_borders_stops_at_them() -> None:
    value = plain((1, 6), (1, 3), shape="flat", shifted="even", ids="{cc}{rr}")
    wall = ["0301/NE SE", "0302/NE SE", "0303/NE SE"]
    value["sides"] = [{"kind": "border", "path": wall}]
    value["regions"] = [{"id": "west", "inside": "0101", "behind": ["border"]}]
    west = read_clean(value).regions[0].members
    assert len(west) == 9


def test_an_outline_may_end_at_the_edge_of_the_map() -> None:
    value = plain((1, 6), (1, 3), shape="flat", shifted="even", ids="{cc}{rr}")
    value["regions"] = [{"id": "west", "inside": "0101", "outline": "0301/NE SE 0302/NE SE 0303/NE SE"}]
    assert len(read_clean(value).regions[0].members) == 9


def test_included_files_are_read_as_if_they_stood_there() -> None:
    from compiler.findings import Place
    from compiler.grid.terrain import read_hex_map
    from compiler.source.document import Document

    main = plain((1, 3), (1, 3), ids="{cc}{rr}")
    part = {"lines": [{"kind": "road", "path": "0101 0102"}], "spaces": [{"id": "0909"}]}
    map, findings = read_hex_map(
        main, Place(Document("a", "", main)), [(part, Place(Document("b", "", part)))]
    )
    assert len(map.lines) == 1
    assert [(f.code, f.place.document.name if f.place else "") for f in findings] == [("H301", "b")]


WORDS = st.sampled_from(
    [
        "0101",
        "0102",
        "0202",
        "N",
        "SE",
        "E",
        "S*2",
        "S*99",
        "/",
        "0101/N",
        "0101/0102",
        "0101/0303",
        "0101..0103",
        "..",
        "x",
        "*",
        "",
    ]
)
TEXTS = st.lists(WORDS, max_size=5).map(" ".join)
JUNK: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 400) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ENTRIES = st.lists(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ["id", "kind", "path", "at", "spaces", "inside", "outline", "behind", "pairs", "port", "tags"],
            JUNK,
        ),
    )
    | JUNK,
    max_size=3,
)
SHEETS = st.lists(
    st.fixed_dictionaries(
        {"terrain": st.lists(st.text("cm.=?x :", max_size=4), max_size=4) | JUNK},
        optional=dict.fromkeys(
            ["id", "columns", "rows", "same", "turn", "cut", "layers", "ids", "overlap", "region"], JUNK
        ),
    )
    | JUNK,
    max_size=3,
)
MAPS = st.fixed_dictionaries(
    {"sheets": SHEETS | JUNK},
    optional={
        "hexes": JUNK,
        "legend": st.just({"c": "clear", "m": {"water": "all", "ways": ["land"]}}) | JUNK,
        **dict.fromkeys(["spaces", "sides", "lines", "regions", "links", "boxes"], ENTRIES | JUNK),
        **dict.fromkeys(["needs", "aliases", "layers", "side_kinds"], JUNK),
    },
)


@settings(max_examples=300, deadline=None)
@given(MAPS)
def test_nothing_that_json_can_say_is_a_crash(value: dict[str, Any]) -> None:
    map, findings = read_value(value)
    known = all_codes()
    assert all(f.code in known and f.place is not None for f in findings)
    assert len(spots(findings)) == len(findings)
    for number in range(len(map)):
        assert all(number in map.around(other) for other in map.around(number))


def big(columns: int, rows: int) -> dict[str, Any]:
    value = plain((1, columns), (1, rows), shape="flat", shifted="even", ids="{ccc}{rrr}")
    river = [f"{c:03}002/S {c:03}003/NE {c + 1:03}002/S SE" for c in range(1, columns - 1, 2)]
    value["sides"] = [{"kind": "river", "path": river}]
    value["lines"] = [
        {"kind": "road", "path": f"001{r:03} " + "SE NE " * ((columns - 1) // 2)} for r in range(1, rows + 1)
    ]
    value["regions"] = [{"id": "all", "inside": "001001"}]
    return value


def test_time_grows_with_the_number_of_hexes_and_no_faster() -> None:
    def seconds(columns: int, rows: int) -> float:
        text = json.dumps(big(columns, rows))
        best = 1e9
        for _ in range(2):
            start = time.process_time()
            map, findings = read_text(text)
            best = min(best, time.process_time() - start)
            assert len(map) == columns * rows and not findings
        return best

    small, large = seconds(101, 50), seconds(501, 100)
    assert large < 10 * 3 * small + 0.5, (small, large)
    assert large < 15
