"""The geography tool on a small island of our own, the outlines it writes, and the check of borders against links."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compiler.cli import run as command
from compiler.draw.agreement import compare
from compiler.draw.outlines import Outlines, load_outlines, read_outlines
from compiler.draw.ownboard import fit
from compiler.findings import Place
from compiler.geo.merge import merge
from compiler.model.types import Link, Map, Space
from compiler.schema import validate
from compiler.source.companion import read_companion
from compiler.source.document import Document

pytest.importorskip("shapely")
pytest.importorskip("shapefile")

import shapefile

from compiler.geo.command import outlines_text, run
from compiler.geo.natural import Layers

PLACE = Place(Document("maps/isle.json", "{}", {}))

GEO: dict[str, Any] = {
    "map": "isle",
    "wraps": False,
    "frame": {"width": 800, "height": 400, "cut": -20, "top": 20, "bottom": -20},
    "projection": {
        "kind": "grid",
        "x": [{"lat": 0, "knots": [[-20, 0], [0, 250], [40, 700], [340, 800]]}],
        "y": [[20, 0], [0, 200], [-20, 400]],
    },
    "coast": {
        "generalise": 1.0,
        "simplify": 0.5,
        "drop_islands": 20,
        "reach": 40,
        "snap": 12,
        "report_above": 60,
    },
    "touch": {"at_least": 10},
    "lines": {"ridge": {"points": [[10, 12], [10, -12]], "rough": 0.05}},
    "areas": {
        "west": {"seeds": [[5, 0]]},
        "east": {"seeds": [[15, 0]]},
        "rock": {"blob": {"at": [30, 0], "rx": 20, "ry": 15}},
    },
    "sea_lines": {"tide": {"points": [[25, 21], [25, -21]]}},
    "zones": {"bay": {"seeds": [[-10, 15]]}, "deep": {"seeds": [[60, 0]]}},
}


def data(tmp: Path) -> Path:
    """Natural Earth as one island, with no borders."""
    folder = tmp / "data"
    folder.mkdir(exist_ok=True)
    ring = [[0, -10], [20, -10], [20, 10], [0, 10], [0, -10]]
    land = {"features": [{"properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}]}
    (folder / "ne_10m_land.json").write_text(json.dumps(land), encoding="utf-8")
    (folder / "ne_10m_admin_0_boundary_lines_land.json").write_text('{"features": []}', encoding="utf-8")
    return folder


def draw(tmp: Path, geo: dict[str, Any]) -> list[str]:
    (tmp / "geo").mkdir(exist_ok=True)
    (tmp / "geo" / "isle.geo.json").write_text(json.dumps(geo), encoding="utf-8")
    return [f.code for f in run(tmp, data(tmp))]


def outlines(tmp: Path) -> Outlines:
    found, problems = load_outlines(tmp, "isle")
    assert problems == []
    assert found is not None
    return found


def test_a_line_cuts_an_island_in_two(tmp_path: Path) -> None:
    assert draw(tmp_path, GEO) == []
    made = outlines(tmp_path)
    assert set(made.areas) == {"west", "east", "rock", "bay", "deep"}
    assert made.borders[frozenset(("west", "east"))] > 180
    assert made.borders[frozenset(("rock", "deep"))] > 90
    assert frozenset(("rock", "east")) not in made.borders


def test_a_shared_border_is_stored_once(tmp_path: Path) -> None:
    draw(tmp_path, GEO)
    made = outlines(tmp_path)
    assert list(made.arcs).count("east|west") == 1
    users = [
        name
        for name, rings in made.areas.items()
        for ring in rings
        if {"east|west", "-east|west"} & set(ring)
    ]
    assert sorted(users) == ["east", "west"]


def test_the_same_input_gives_the_same_file(tmp_path: Path) -> None:
    draw(tmp_path, GEO)
    first = (tmp_path / "maps" / "isle.draft.outlines.json").read_bytes()
    draw(tmp_path, GEO)
    assert (tmp_path / "maps" / "isle.draft.outlines.json").read_bytes() == first


def test_areas_without_a_line_between_them_are_a_finding_and_nothing_is_written(tmp_path: Path) -> None:
    assert "M003" in draw(tmp_path, {**GEO, "lines": {}})
    assert not (tmp_path / "maps").exists()


def test_a_line_that_stops_short_is_named(tmp_path: Path) -> None:
    geo = {**GEO, "lines": {"ridge": {"points": [[10, 12], [10, 0]]}}}
    (tmp_path / "geo").mkdir()
    (tmp_path / "geo" / "isle.geo.json").write_text(json.dumps(geo, indent=1), encoding="utf-8")
    (found,) = [f for f in run(tmp_path, data(tmp_path)) if f.code == "M003"]
    assert found.place is not None and found.place.path == ("areas", "east", "seeds", 0)
    assert found.help is not None and found.help.startswith("'ridge' ends at [10.0, 0.0], ")
    gap = float(found.help.split("], ")[1].split(" px")[0])
    assert 95 < gap < 105, "the south coast is 100 px away"


def test_an_area_in_the_sea_is_a_finding(tmp_path: Path) -> None:
    areas = {**GEO["areas"], "lost": {"seeds": [[-15, 15]]}}
    assert {"M004", "M005"} <= set(draw(tmp_path, {**GEO, "areas": areas}))


def test_a_geo_file_without_a_frame_is_a_finding(tmp_path: Path) -> None:
    assert draw(tmp_path, {k: v for k, v in GEO.items() if k != "frame"}) == ["J102"]


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"lnies": {}}, "J101", ("lnies",)),
        (
            {"lines": {"ridge": {"points": [[10, 12], [10, -12]], "smoth": True}}},
            "J101",
            ("lines", "ridge", "smoth"),
        ),
        ({"lines": {"ridge": {"points": [[10, 12, 3], [10, -12]]}}}, "J107", ("lines", "ridge", "points", 0)),
        ({"areas": {**GEO["areas"], "lost": {"seed": [[1, 2]]}}}, "J101", ("areas", "lost", "seed")),
        ({"voids": {"ice": {"kind": "snow", "seeds": [[1, 2]]}}}, "J104", ("voids", "ice", "kind")),
        ({"units": "miles"}, "J104", ("units",)),
    ],
)
def test_a_slip_in_the_geo_file_is_told_at_its_place(
    tmp_path: Path, change: dict[str, Any], code: str, path: tuple[str | int, ...]
) -> None:
    (tmp_path / "geo").mkdir()
    (tmp_path / "geo" / "isle.geo.json").write_text(json.dumps({**GEO, **change}), encoding="utf-8")
    found = run(tmp_path, data(tmp_path))
    assert (code, path) in [(f.code, f.place.path) for f in found if f.place is not None]
    assert not (tmp_path / "maps").exists()


def test_the_geo_files_of_the_modules_have_their_form() -> None:
    files = sorted((Path(__file__).parent.parent / "modules_src").glob("*/geo/*.geo.json"))
    values = [(file, json.loads(file.read_text("utf-8"))) for file in files]
    areas = [(file, value) for file, value in values if value.get("kind") != "hex"]
    assert areas
    for file, value in areas:
        assert validate("geo", Document(file.name, file.read_text("utf-8"), value)) == []


def test_missing_data_is_a_finding(tmp_path: Path) -> None:
    draw(tmp_path, GEO)
    (tmp_path / "data" / "ne_10m_admin_0_boundary_lines_land.json").unlink()
    assert "M008" in [f.code for f in run(tmp_path, tmp_path / "data")]


def test_hand_edits_survive_a_new_run_and_a_clash_is_told(tmp_path: Path) -> None:
    draw(tmp_path, GEO)
    path = tmp_path / "maps" / "isle.outlines.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    arc = value["arcs"]["east|west"]
    arc[len(arc) // 2][0] += 7
    path.write_text(json.dumps(value), encoding="utf-8")
    assert draw(tmp_path, GEO) == []
    assert json.loads(path.read_text(encoding="utf-8"))["arcs"]["east|west"] == arc
    moved = {**GEO, "lines": {"ridge": {"points": [[10, 12], [11, 0], [10, -12]], "rough": 0.05}}}
    assert draw(tmp_path, moved) == ["M007"]
    kept = json.loads(path.read_text(encoding="utf-8"))["arcs"]["east|west"]
    assert kept[1:-1] == arc[1:-1]
    outlines(tmp_path)  # every border closes, though the coast at its end moved


def test_a_projection_of_proj_fills_the_frame(tmp_path: Path) -> None:
    pytest.importorskip("pyproj")
    geo = {
        **GEO,
        "projection": {"kind": "proj", "proj": "mill"},
        "areas": {k: v for k, v in GEO["areas"].items() if k != "rock"},
    }
    assert draw(tmp_path, geo) == []
    west = outlines(tmp_path).rings["west"][0]
    assert 35 < min(x for x, _ in west) < 55
    assert 90 < min(y for _, y in west) < 110


def test_a_border_in_map_units_is_the_same_as_in_degrees(tmp_path: Path) -> None:
    """The island lies from x 250 to 475 and y 100 to 300; 10° east of its west coast is x 362.5."""
    degrees, units = tmp_path / "degrees", tmp_path / "units"
    degrees.mkdir()
    units.mkdir()
    plain = {**GEO, "lines": {"ridge": {"points": [[10, 12], [10, -12]]}}}
    assert draw(degrees, plain) == []
    lon_10 = next(x for x, _ in outlines(degrees).arcs["east|west"])
    traced = {
        **plain,
        "lines": {"ridge": {"units": "map", "points": [[lon_10, 80], [lon_10, 320]]}},
        "areas": {**GEO["areas"], "west": {"units": "map", "seeds": [[260, 200]]}},
    }
    assert draw(units, traced) == []
    assert [round(x) for x, _ in outlines(units).arcs["east|west"]] == [
        round(x) for x, _ in outlines(degrees).arcs["east|west"]
    ]


def test_a_whole_file_may_be_in_map_units(tmp_path: Path) -> None:
    geo = {
        **GEO,
        "units": "map",
        "lines": {"ridge": {"points": [[360, 80], [360, 320]]}},
        "areas": {"west": {"seeds": [[300, 200]]}, "east": {"seeds": [[420, 200]]},
                  "rock": {"blob": {"at": [600, 200], "rx": 20, "ry": 15}}},
        "sea_lines": {"tide": {"points": [[540, 0], [540, 400]]}},
        "zones": {"bay": {"seeds": [[100, 50]]}, "deep": {"units": "degrees", "seeds": [[60, 0]]}},
        "points": {"light": [361, 90]},
    }  # fmt: skip
    assert draw(tmp_path, geo) == []
    found = outlines(tmp_path)
    assert {round(x) for x, _ in found.arcs["east|west"]} == {360}
    assert found.places["light"] == (361, 90)


def test_units_that_do_not_exist_are_a_finding(tmp_path: Path) -> None:
    assert draw(tmp_path, {**GEO, "units": "miles"}) == ["J104"]


def lakes(tmp: Path) -> None:
    """A large lake in the east of the island and a pond of a lower rank in the west."""

    def lake(rank: int, x: float, y: float, r: float) -> dict[str, Any]:
        ring = [[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r], [x - r, y - r]]
        return {"properties": {"scalerank": rank}, "geometry": {"type": "Polygon", "coordinates": [ring]}}

    features = {"features": [lake(0, 15, 3, 2), lake(5, 5, 3, 1.5)]}
    (data(tmp) / "ne_10m_lakes.json").write_text(json.dumps(features), encoding="utf-8")


@pytest.mark.parametrize(("rank", "count"), [(0, 1), (5, 2)])
def test_lakes_are_cut_out_of_the_land_by_rank(tmp_path: Path, rank: int, count: int) -> None:
    lakes(tmp_path)
    assert draw(tmp_path, {**GEO, "lakes": {"rank_at_most": rank}}) == []
    found = outlines(tmp_path)
    assert len(found.areas["lakes"]) == count
    assert found.kinds["lakes"] == "lake"


def test_lakes_below_the_smallest_are_left_out(tmp_path: Path) -> None:
    lakes(tmp_path)
    assert draw(tmp_path, {**GEO, "lakes": {"rank_at_most": 5, "at_least": 1500}}) == []
    assert len(outlines(tmp_path).areas["lakes"]) == 1


def test_lakes_that_are_asked_for_and_missing_are_a_finding(tmp_path: Path) -> None:
    assert draw(tmp_path, {**GEO, "lakes": {"rank_at_most": 1}}) == ["M008"]


def test_a_clash_is_told_at_its_line_and_its_ends_follow_the_new_run(tmp_path: Path) -> None:
    draw(tmp_path, GEO)
    file = tmp_path / "maps" / "isle.outlines.json"
    value = json.loads(file.read_text("utf-8"))
    first, *_, last = value["arcs"]["east|west"]
    middle = [(first[0] + last[0]) / 2 + 9, (first[1] + last[1]) / 2]
    value["arcs"]["east|west"] = [first, middle, last]
    file.write_text(outlines_text(value), "utf-8")
    moved = {**GEO, "lines": {"ridge": {"points": [[10.5, 12], [10.5, -12]]}}}
    (tmp_path / "geo" / "isle.geo.json").write_text(json.dumps(moved), "utf-8")
    (clash,) = run(tmp_path, data(tmp_path))
    assert clash.code == "M007" and clash.place is not None
    assert clash.place.document.name.endswith("/maps/isle.outlines.json")
    assert clash.place.path == ("arcs", "east|west")
    assert clash.help is not None and "isle.draft.outlines.json" in clash.help
    made = outlines(tmp_path)  # every border closes
    draft = json.loads((tmp_path / "maps" / "isle.draft.outlines.json").read_text("utf-8"))
    new = draft["arcs"]["east|west"]
    assert [list(p) for p in made.arcs["east|west"]] == [new[0], middle, new[-1]]
    assert new[0] not in (first, last)


def test_an_edit_of_an_arc_that_is_another_piece_now_stays_as_it_is() -> None:
    base, mine = [[0, 0], [5, 0], [10, 0]], [[0, 0], [5, 2], [10, 0]]
    far = [[300, 0], [305, 0], [310, 0]]
    merged, clashes = merge({"arcs": {"a|b": base}}, {"arcs": {"a|b": mine}}, {"arcs": {"a|b": far}})
    assert (merged["arcs"]["a|b"], clashes) == (mine, ["arcs a|b"])
    turned = [[10, 1], [5, 0], [0, 1]]
    merged, _ = merge({"arcs": {"a|b": base}}, {"arcs": {"a|b": mine}}, {"arcs": {"a|b": turned}})
    assert merged["arcs"]["a|b"] == [[10, 1], [5, 2], [0, 1]]


def test_merge_takes_the_untouched_from_the_new_draft() -> None:
    base = {"arcs": {"a|b": 1, "b|c": 1}}
    merged, clashes = merge(base, {"arcs": {"a|b": 1, "b|c": 5}}, {"arcs": {"a|b": 2, "b|c": 1, "c|d": 3}})
    assert merged["arcs"] == {"a|b": 2, "b|c": 5, "c|d": 3}
    assert clashes == []


# Outlines by hand: two squares side by side, a third one at a corner.
SQUARES: dict[str, Any] = {
    "width": 30,
    "height": 20,
    "touch": 5,
    "areas": {
        "a": [["edge|a", "a|b"]],
        "b": [["edge|b.1", "b|c", "edge|b.2", "a|b"]],
        "c": [["edge|c", "b|c"]],
    },
    "arcs": {
        "a|b": [[10, 20], [10, 0]],
        "edge|a": [[10, 0], [0, 0], [0, 20], [10, 20]],
        "b|c": [[20, 17], [20, 20]],
        "edge|b.1": [[10, 0], [20, 0], [20, 17]],
        "edge|b.2": [[20, 20], [10, 20]],
        "edge|c": [[20, 20], [30, 20], [30, 17], [20, 17]],
    },
}


def squares(**more: Any) -> Outlines:
    value = json.loads(json.dumps(SQUARES)) | more
    found, problems = read_outlines(value, PLACE)
    assert problems == [], problems
    assert found is not None
    return found


def area_map(*links: tuple[str, str], tags: tuple[str, ...] = ()) -> Map:
    spaces = tuple(Space(i, "land", "m", None, None, {}, None, PLACE) for i in "abc")
    joined = tuple(Link(None, "land", tags, a, b, False, {}, PLACE) for a, b in links)
    return Map("m", "area", False, None, spaces, joined, (), {}, PLACE)


def test_a_corner_is_no_touch() -> None:
    assert [f.code for f in compare(area_map(("a", "b")), squares(), {})] == []
    assert [f.code for f in compare(area_map(("a", "b"), ("b", "c")), squares(), {})] == ["M010"]
    assert [f.code for f in compare(area_map(("a", "b")), squares(touch=2), {})] == ["M011"]


def test_a_touching_pair_without_a_link_is_a_finding_unless_it_has_a_reason() -> None:
    found = compare(area_map(), squares(), {})
    assert [(f.code, f.spaces) for f in found] == [("M011", ("a", "b"))]
    excused = squares(apart=[{"pair": ["a", "b"], "reason": "a wall"}])
    assert compare(area_map(), excused, {}) == []
    assert [f.code for f in compare(area_map(("a", "b")), excused, {})] == ["M014"]


def test_a_canal_needs_no_border_if_its_tag_is_excused() -> None:
    both = area_map(("a", "b"), ("a", "c"), tags=("canal",))
    assert [f.code for f in compare(both, squares(), {})] == ["M010"]
    assert compare(both, squares(), {"canal": "ships pass"}) == []


def test_the_seam_of_a_wrapping_map_joins_left_and_right() -> None:
    assert frozenset("ac") not in squares().borders
    assert squares(wraps=True).borders[frozenset("ac")] == 3


def test_a_border_that_does_not_close_is_a_finding() -> None:
    value = json.loads(json.dumps(SQUARES))
    value["arcs"]["edge|a"][-1] = [11, 20]
    assert "M002" in [f.code for f in read_outlines(value, PLACE)[1]]
    del value["arcs"]["edge|a"]
    assert "M001" in [f.code for f in read_outlines(value, PLACE)[1]]


def test_an_own_board_is_fitted_and_its_residual_told() -> None:
    exact = fit([((0, 0), (10, 20)), ((10, 0), (30, 20)), ((0, 10), (10, 50)), ((10, 10), (30, 50))])
    assert exact is not None
    assert exact.residual < 1e-6
    assert exact.at((5, 5)) == pytest.approx((20, 35))
    bent = fit([((0, 0), (10, 20)), ((10, 0), (30, 20)), ((0, 10), (10, 50)), ((10, 10), (34, 50))])
    assert bent is not None
    assert 0.5 < bent.residual < 2
    assert fit([((0, 0), (0, 0)), ((1, 1), (1, 1)), ((2, 2), (2, 2))]) is None


@pytest.mark.parametrize(
    "arc", [[], [[1]], [[1, 2, 3], [4, 5, 6]], "ab", [["a", "b"]], [[0, 0], [1]], None, 3]
)
def test_an_arc_that_is_no_list_of_points_is_a_finding(arc: Any) -> None:
    value = json.loads(json.dumps(SQUARES))
    value["arcs"]["a|b"] = arc
    assert [f.code for f in read_outlines(value, PLACE)[1]] == ["M001"]


def test_check_compares_borders_with_links_and_a_build_says_it_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "game"
    assert command(["init", root.as_posix()]) == 0
    board = root / "maps" / "valley.json"
    board.write_text(
        board.read_text("utf-8").replace('["hilltop", "meadow"]', '["hilltop", "harbour"]'), "utf-8"
    )
    capsys.readouterr()
    assert command(["check", root.as_posix()]) == 1
    said = capsys.readouterr().out
    assert said.count("error[M010]") == said.count("error[M011]") == 1
    arc = next(
        n for n, line in enumerate(outlines_of(root), 1) if line.lstrip().startswith('"hilltop|meadow":')
    )
    assert f"valley.outlines.json:{arc}:" in said
    args = ["build", root.as_posix(), "--draft", "--only", "maps", "-o", (tmp_path / "b").as_posix()]
    assert command(args) == 1
    assert capsys.readouterr().out.count("error[M010]") == 1


def outlines_of(root: Path) -> list[str]:
    return (root / "maps" / "valley.outlines.json").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("file", "content", "code", "line"),
    [
        ("outlines", b"", "S104", 1),
        ("outlines", b'{\n  "arcs": {,}\n}', "S125", 2),
        ("outlines", b'{\n "note": "\xe9"}', "S103", 2),
        ("outlines", b"[]", "S134", 1),
        ("outlines", b"[" * 5000, "S133", 1),
        ("outlines", b'{\n "width": NaN}', "S121", 2),
        ("outlines", b'{\n "width": 1e999}', "S131", 2),
        ("outlines", b'{\n "width": 3}', "M001", 1),
        ("outlines", b'{"width": 9, "height": 9, "areas": {},\n "arcs": []}', "M001", 2),
        ("outlines", b'{"width": 9, "height": 9, "arcs": {},\n "areas": [1]}', "M001", 2),
        ("outlines", b'{"width": 9, "height": "x", "arcs": {}, "areas": {}}', "M001", 1),
        ("outlines", b'{"width": 9, "height": 9, "areas": {}, "arcs": {\n "a|b": [[1, 2], [3]]}}', "M001", 2),
        ("outlines", b'{"width": 9, "height": 9, "areas": {}, "arcs": {},\n "apart": [5]}', "M001", 2),
        ("outlines", b'{"width": 9,\n "height": "9", "arcs": {}, "areas": {}}', "M001", 2),
        ("outlines", b'{"width": 9, "height": 9, "arcs": {}, "areas": {},\n "wraps": "false"}', "M001", 2),
        ("outlines", b'{"width": 9, "height": 9, "arcs": {}, "areas": {},\n "touch": "5"}', "M001", 2),
        ("outlines", b'{"width": 9,\n "height": 1e12, "arcs": {}, "areas": {}}', "M015", 2),
        ("outlines", b'{"width": 1200,\n "height": 10000000, "arcs": {}, "areas": {}}', "M015", 2),
        ("outlines", b'{\n"width": 1e7,\n "height": 800, "arcs": {}, "areas": {}}', "M015", 2),
        ("outlines", b'{"width": 9,\n "height": 0, "arcs": {}, "areas": {}}', "M015", 2),
        ("outlines", b'{"height": 9,\n "width": -9, "arcs": {}, "areas": {}}', "M015", 2),
        ("outlines", b'{"width": 9,\n "height": true, "arcs": {}, "areas": {}}', "M001", 2),
        ("outlines", b'{"width": 9, "height": 9, "areas": {}, "arcs": {\n "a|b": [[1, 2], [12, 3]]}}', "M016", 2),
        ("outlines", b'{"width": 9, "height": 9, "areas": {}, "arcs": {},\n "rivers": [[[1, -4], [2, 3]]]}', "M016", 2),
        ("outlines", b'{"width": 9, "height": 9, "areas": {}, "arcs": {},\n "places": {"a": [1, 1200000]}}', "M016", 2),
        ("outlines", b'{"width": 9, "height": 9, "areas": {}, "arcs": {},\n "places": {"a": [1, 2, 3]}}', "M001", 2),
        ("outlines", b'{"width": 9, "height": 9, "areas": {}, "arcs": {},\n "map": "vallee"}', "M017", 2),
        ("outlines", b'{"width": 9, "height": 9, "areas": {}, "arcs": {"a|b": [[1, 2], [2, 3]],\n "a|b": [[1, 2], [3, 3]]}}', "S130", 2),
        ("outlines", b'{"note": "a: b", "width": 9, "height": 9, "areas": {}, "arcs": {},\n "width": 8}', "S130", 2),
        ("picture", b'{"margin": 20,\n "margin": 30}', "S130", 2),
        ("picture", b'{"words": {"en": {"legend": "a: b",\n "legend": "Key"}}}', "S130", 2),
        ("picture", b"{", "S116", 1),
        ("picture", b"null", "S134", 1),
        ("picture", b'{\n "words": "\xe9"}', "S103", 2),
        ("picture", b"[" * 5000, "S133", 1),
    ],
)  # fmt: skip
def test_a_broken_file_beside_the_map_is_told_at_its_place_and_nothing_else(
    file: str, content: bytes, code: str, line: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "game"
    assert command(["init", root.as_posix()]) == 0
    (root / "maps" / f"valley.{file}.json").write_bytes(content)
    capsys.readouterr()
    assert command(["check", root.as_posix(), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    errors = [(f["code"], f["line"]) for f in found if f["severity"] == "error"]
    assert errors == [(code, line)]


def test_a_kind_that_nobody_knows_or_of_an_area_that_is_not_drawn_is_told() -> None:
    value = json.loads(json.dumps(SQUARES))
    value["kinds"] = {"c": "icy", "bb": "lake"}
    found = [(f.code, f.help, f.place and (f.place.path, f.place.on)) for f in read_outlines(value, PLACE)[1]]
    assert found == [
        ("M017", "did you mean 'ice'?", (("kinds", "c"), "value")),
        ("M017", None, (("kinds", "bb"), "key")),
    ]
    value["kinds"] = {"c": "ice"}
    assert read_outlines(value, PLACE)[1] == []


def test_an_area_without_a_ring_is_told() -> None:
    value = json.loads(json.dumps(SQUARES))
    value["areas"]["c"] = []
    assert [(f.code, f.place and f.place.path) for f in read_outlines(value, PLACE)[1]] == [
        ("M001", ("areas", "c"))
    ]


def test_points_a_little_outside_the_sheet_are_taken() -> None:
    value = json.loads(json.dumps(SQUARES))
    value["places"] = {"a": [-2, 22]}
    assert read_outlines(value, PLACE)[1] == []


def test_a_large_sheet_within_the_limit_is_taken() -> None:
    value = json.loads(json.dumps(SQUARES)) | {"width": 20_000, "height": 20_000}
    assert read_outlines(value, PLACE)[1] == []


@pytest.mark.parametrize(
    "text", ['{"a" : {"b" :1}}', '{"a": [["x: y"]]}', '{"a": [{"b": "c: d"}, [{"e": 1}]], "f:g": "\\u003a"}']
)
def test_a_file_written_otherwise_is_no_file_with_a_key_twice(tmp_path: Path, text: str) -> None:
    (tmp_path / "one.json").write_text(text, encoding="utf-8")
    document, problems = read_companion(tmp_path, "one.json")
    assert problems == []
    assert document is not None and document.value == json.loads(text)


@pytest.mark.parametrize("file", ["maps/valley.outlines.json", "maps/valley.picture.json", "ids.lock.json"])
def test_a_folder_in_the_place_of_a_file_is_a_finding(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "game"
    assert command(["init", root.as_posix()]) == 0
    (root / file).unlink(missing_ok=True)
    (root / file).mkdir()
    assert command(["check", root.as_posix()]) == 1
    assert f"{file}:1:1" in capsys.readouterr().out


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_names_of_old_and_new_tables_keep_their_letters(tmp_path: Path, encoding: str) -> None:
    with shapefile.Writer(str(tmp_path / "ne_10m_populated_places_simple"), encoding=encoding) as file:
        file.field("name", "C")
        file.point(18.9, 69.6)
        file.record("Tromsø")
    (town,) = Layers(tmp_path).read("places")
    assert town.values["name"] == "Tromsø"
