"""Geography under hexes on a small island of our own: the fit, the warp, terrain, lines, the merge, and every finding."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("shapely")
pytest.importorskip("shapefile")
pytest.importorskip("pyproj")

import numpy as np
from shapely.geometry import LineString

from compiler.findings import Place
from compiler.geo import hexcommand
from compiler.geo.classes import Facts, letters
from compiler.geo.command import run
from compiler.geo.fit import Placement, outliers, place_at, place_by_points, residuals, rms
from compiler.geo.hexfiles import hexes_text, merge_hexes
from compiler.geo.hexgrid import read_grid
from compiler.geo.lines import natural_borders
from compiler.geo.natural import Feature
from compiler.geo.warp import no_warp, off_centre, warp_into
from compiler.grid.hexmap import HexMap
from compiler.source.document import Document

HEXES = {"shape": "flat", "shifted": "even", "ids": "{cc}{rr}", "values": {"kind": "hex"}}
LEGEND = {
    "c": {"terrain": "clear", "ways": ["land"]},
    "b": {"terrain": "clear", "water": "part", "ways": ["land", "sea"]},
    "m": {"terrain": "mountain", "ways": ["land"]},
    "~": {"terrain": "sea", "water": "all", "ways": ["sea"]},
}
SHEETS = [{"id": "S", "columns": [1, 12], "rows": [1, 10]}]
LAMBERT = {"proj": "eqdc", "lon_0": 10.0, "lat_0": 0.0, "lat_1": -3.0, "lat_2": 6.0}
GEO: dict[str, Any] = {
    "map": "isle",
    "kind": "hex",
    "hex_km": 320,
    "at": {"hex": "0605", "at": [10, 0]},
    "sheets": SHEETS,
    "terrain": {"sea": "~", "coast": [0.03, 0.97], "classes": [{"letter": "c", "coast": "b"}]},
    "places": [{"name": "Middle", "at": [10, 0], "values": {"city": 1}}],
    "rivers": [{"kind": "river", "id": "long", "names": ["Long"]}],
    "layers": {
        "country": {
            "borders": False,
            "of": "land",
            "lines": {"ridge": {"points": [[10, 12], [10, -12]]}},
            "areas": {
                "west": {"letter": "w", "seeds": [[5, 0]]},
                "east": {"letter": "e", "seeds": [[15, 0]]},
            },
        }
    },
    "lines": [{"kind": "road", "id": "high", "via": ["0605", [14, 3]]}],
    "relief": {"cell": 25},
}


def world(folder: Path) -> Path:
    """Natural Earth as one island of 20 by 20 degrees with one river."""
    folder.mkdir(exist_ok=True)
    ring = [[0, -10], [20, -10], [20, 10], [0, 10], [0, -10]]
    river = {"type": "LineString", "coordinates": [[4, 6], [9, 5], [14, 6], [21, 6]]}
    layers = {
        "land": [{"properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}],
        "rivers_lake_centerlines": [
            {"properties": {"featurecla": "River", "name": "Long", "scalerank": 1}, "geometry": river}
        ],
        "admin_0_boundary_lines_land": [],
    }
    for name, features in layers.items():
        (folder / f"ne_10m_{name}.json").write_text(json.dumps({"features": features}), encoding="utf-8")
    return folder


def etopo(path: Path) -> Path:
    """Heights on a grid of five degrees, as netCDF classic: flat but for a mountain at 15 E, 5 N."""
    lons, lats = np.arange(0, 360, 5.0), np.arange(-90, 91, 5.0)
    high = np.full((len(lats), len(lons)), 100.0)
    high[lats.tolist().index(5.0), lons.tolist().index(15.0)] = 4000
    values = [("ETOPO_X", [0], lons), ("ETOPO_Y", [1], lats), ("ROSE", [1, 0], high)]

    def word(text: str) -> bytes:
        raw = text.encode()
        return struct.pack(">i", len(raw)) + raw + b"\0" * (-len(raw) % 4)

    def head(at: int) -> bytes:
        out = b"CDF\x01" + struct.pack(">i", 0) + struct.pack(">ii", 10, 2)
        out += word("X") + struct.pack(">i", len(lons)) + word("Y") + struct.pack(">i", len(lats))
        out += struct.pack(">ii", 0, 0) + struct.pack(">ii", 11, len(values))
        for name, dims, data in values:
            out += word(name) + struct.pack(">i", len(dims)) + b"".join(struct.pack(">i", d) for d in dims)
            out += struct.pack(">ii", 0, 0) + struct.pack(">iii", 6, data.size * 8, at)
            at += data.size * 8
        return out

    body = b"".join(data.astype(">f8").tobytes() for _, _, data in values)
    path.write_bytes(head(len(head(0))) + body)
    return path


def draw(tmp: Path, geo: dict[str, Any], *, heights: bool = False) -> list[str]:
    """The findings of a run, by code."""
    for name in ("geo", "maps"):
        (tmp / name).mkdir(exist_ok=True)
    (tmp / "maps/isle.json").write_text(json.dumps({"hexes": HEXES, "legend": LEGEND}), encoding="utf-8")
    (tmp / "geo/isle.geo.json").write_text(json.dumps(geo), encoding="utf-8")
    grid = etopo(tmp / "etopo.cdf") if heights else None
    return [f.code for f in run(tmp, world(tmp / "data"), grid)]


def written(tmp: Path, name: str = "maps/isle.land.json") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((tmp / name).read_text(encoding="utf-8"))
    return found


def grid_map() -> HexMap:
    found, findings = read_grid(HEXES, SHEETS, Place(Document("x", "{}", {})))
    assert findings == []
    return found


def middles(map: HexMap, ids: list[str]) -> np.ndarray[Any, Any]:
    from compiler.geo.globe import middle

    return middle(map.shape, [map.hexes[map.index[id]] for id in ids])


TRUTH = Placement(LAMBERT, 250, np.cos(0.2), np.sin(0.2), 3.0, 1.0)
SOME = ["0202", "1102", "0209", "1109", "0605", "0407", "0903"]


def points(ids: list[str] = SOME) -> list[dict[str, Any]]:
    """Control points of a map that lies turned on the globe: the middles of hexes, by the truth."""
    lon, lat = TRUTH.inverse(middles(grid_map(), ids))
    return [{"hex": id, "at": [float(x), float(y)]} for id, x, y in zip(ids, lon, lat, strict=True)]


def with_control(control: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    plain = {k: v for k, v in GEO.items() if k != "at"}
    return {**plain, "hex_km": 250, "projection": LAMBERT, "control": control, "lines": [], **more}


# -- the fit ----------------------------------------------------------------------------------------------------------


def test_the_fit_finds_turn_scale_and_place() -> None:
    listed = points()
    lonlat = np.array([p["at"] for p in listed])
    target = middles(grid_map(), SOME)
    found = place_by_points(LAMBERT, 200, (), lonlat, target)  # the scale is stated wrongly
    assert rms(residuals(found, lonlat, target)) < 1e-6
    assert found.km_a_hex == pytest.approx(250, rel=1e-6)
    lon, lat = found.inverse(target)
    assert np.allclose(np.stack([lon, lat], 1), lonlat, atol=1e-6)


def test_the_fit_finds_numbers_of_the_projection() -> None:
    listed = points()
    lonlat, target = np.array([p["at"] for p in listed]), middles(grid_map(), SOME)
    wrong = {**LAMBERT, "lat_1": 20.0, "lat_2": 30.0}
    fixed = rms(residuals(place_by_points(wrong, 250, (), lonlat, target), lonlat, target))
    free = rms(residuals(place_by_points(wrong, 250, ("lat_1", "lat_2"), lonlat, target), lonlat, target))
    assert free < fixed / 4


def test_a_hex_by_scale_alone_lies_where_it_is_told() -> None:
    at = middles(grid_map(), ["0605"])[0]
    placed = place_at(LAMBERT, 250, 10, 0, at, 30)
    assert np.allclose(placed.forward(np.array([10.0]), np.array([0.0]))[0], at)
    north = placed.forward(np.array([10.0]), np.array([2.0]))[0] - at
    assert np.degrees(np.arctan2(north[0], -north[1])) == pytest.approx(30, abs=0.1)


def test_one_bad_point_is_an_outlier() -> None:
    assert outliers(np.array([0.4, 0.3, 0.5, 4.0])) == [3]
    assert outliers(np.array([0.4, 0.3, 0.5, 0.9])) == []


# -- the warp ---------------------------------------------------------------------------------------------------------


def test_the_warp_brings_every_point_into_its_hex_and_back() -> None:
    chance = np.random.default_rng(7)
    target = middles(grid_map(), SOME)
    put = target + chance.uniform(-0.9, 0.9, target.shape)
    warp = warp_into(put, target, "flat")
    assert (off_centre(warp.forward(put) - target, "flat") < 1).all()
    anywhere = chance.uniform(0, 8, (200, 2))
    assert np.abs(warp.inverse(warp.forward(anywhere)) - anywhere).max() < 1e-3
    assert not warp.folds(anywhere)


def test_a_good_fit_is_hardly_bent() -> None:
    target = middles(grid_map(), SOME)
    warp = warp_into(target + 0.1, target, "flat")
    assert np.abs(warp.shift(target)).max() < 0.01


def test_two_points_are_too_few_to_bend_anything() -> None:
    target = middles(grid_map(), SOME[:2])
    assert np.abs(warp_into(target + 0.9, target, "flat").shift(target)).max() == 0
    assert np.abs(no_warp().inverse(target) - target).max() == 0


# -- a whole run ------------------------------------------------------------------------------------------------------


def test_a_run_by_scale_writes_land_coast_and_relief(tmp_path: Path) -> None:
    geo = {**GEO, "terrain": {**GEO["terrain"], "classes": [{"letter": "m", "height_above": 900}, *GEO["terrain"]["classes"]]}}  # fmt: skip
    assert draw(tmp_path, geo, heights=True) == []
    land = written(tmp_path)
    rows = [row.partition(": ")[2] for row in land["sheets"][0]["terrain"]]
    assert rows[4][5] == "c" and set(rows[0]) <= set("~b") and "m" in "".join(rows)
    country = [row.partition(": ")[2] for row in land["sheets"][0]["layers"]["country"]]
    assert country[4][2] == "w" and country[4][8] == "e" and country[0][0] == "."
    assert land["spaces"] == [{"id": "0605", "city": 1}]
    assert [side["id"] for side in land["sides"]] == ["long"]
    assert land["lines"][0]["path"].split()[0] == "0605"
    coast = written(tmp_path, "maps/isle.coast.json")["hexes"]
    assert coast and all(len(ring) >= 3 for rings in coast.values() for ring in rings)
    relief = written(tmp_path, "maps/isle.relief.json")
    assert set("".join(relief["rows"])) > {"i"}


def test_residuals_before_and_after_are_kept_in_the_note(tmp_path: Path) -> None:
    moved = points()
    moved[0]["at"][0] += 2.0
    moved[0]["name"] = "Corner"
    assert draw(tmp_path, with_control(moved)) == []
    note = written(tmp_path)["note"]
    assert "7 control points; RMS" in note[1] and "before the warp" in note[1]
    assert note[2] == "Moved by the warp over 1.5 hexes: none."
    assert note[3].startswith("0202 Corner: ") and "before" in note[3] and "after" in note[3]


def test_what_is_moved_far_is_listed_with_its_reason(tmp_path: Path) -> None:
    moved = points()
    moved[4] |= {"at": [moved[4]["at"][0], moved[4]["at"][1] + 6.5], "name": "Far", "reason": "an old map"}
    assert "M021" not in draw(tmp_path, with_control(moved))
    assert written(tmp_path)["note"][2] == "Moved by the warp over 1.5 hexes: Far (an old map)."


def test_the_coast_moves_with_the_control_points(tmp_path: Path) -> None:
    """The eastern shore at 20 E is told to lie a hex farther west, and all of its land goes there."""

    def shore(folder: Path, told: list[dict[str, Any]]) -> int:
        assert draw(folder, with_control(told)) == []
        row = written(folder)["sheets"][0]["terrain"][4].partition(": ")[2]
        return max(k for k, letter in enumerate(row) if letter != "~")

    plain, bent = tmp_path / "plain", tmp_path / "bent"
    for folder in (plain, bent):
        folder.mkdir()
    ids = ["0202", "0209", "0605", "0602", "0609", "1005"]
    honest = points(ids)
    lie = [dict(p) for p in honest]
    lie[-1] = {**lie[-1], "at": [lie[-1]["at"][0] + 2.6, lie[-1]["at"][1]]}
    assert shore(bent, lie) < shore(plain, honest)


def border(points: list[list[float]], **more: Any) -> dict[str, Any]:
    """A geo file with two countries and this line between them."""
    country = {**GEO["layers"]["country"], "lines": {"ridge": {"points": points}}, **more}
    return {**GEO, "layers": {"country": country}}


def countries(tmp: Path) -> list[str]:
    return [row[4:] for row in written(tmp)["sheets"][0]["layers"]["country"]]


@pytest.mark.parametrize("end", [-10 + 1e-10, -9.9, -8])
def test_a_border_that_ends_just_short_of_the_coast_parts_two_countries(tmp_path: Path, end: float) -> None:
    assert draw(tmp_path, GEO) == []
    whole = countries(tmp_path)
    assert {"w", "e"} <= set("".join(whole))
    (tmp_path / "short").mkdir()
    assert draw(tmp_path / "short", border([[10, -end], [10, end]])) == []
    assert countries(tmp_path / "short") == whole


def test_a_hex_named_by_an_area_is_its_own(tmp_path: Path) -> None:
    areas = {
        "west": {"letter": "w", "seeds": [[5, 0]]},
        "east": {"letter": "e", "seeds": [[15, 0]], "hexes": ["0405"]},
    }
    assert draw(tmp_path, border([[10, 12], [10, -12]], areas=areas)) == []
    assert countries(tmp_path)[4].startswith(".wwew")
    areas["east"]["hexes"] = ["9999"]
    assert draw(tmp_path, border([[10, 12], [10, -12]], areas=areas)) == ["M001"]


def test_borders_are_left_out_by_pair_by_country_and_inside_a_country() -> None:
    pairs = [("A", "B"), ("B", "A"), ("A", "A"), ("B", "C")]
    features = [
        Feature(LineString([(0, 0), (1, n)]), {"adm0_left": a, "adm0_right": b})
        for n, (a, b) in enumerate(pairs)
    ]

    def kept(*leave_out: list[str]) -> list[tuple[str, str]]:
        shapes = natural_borders(features, leave_out)
        return [pair for pair, feature in zip(pairs, features, strict=True) if feature.shape in shapes]

    assert kept() == pairs
    assert kept(["A", "B"]) == [("A", "A"), ("B", "C")]
    assert kept(["A", "A"]) == [("A", "B"), ("B", "A"), ("B", "C")]
    assert kept(["A", "*"]) == [("B", "C")]


def provoked(code: str) -> dict[str, Any]:
    """A geo file with one thing wrong."""
    control = points()
    far = {**control[4], "name": "Far", "at": [control[4]["at"][0], control[4]["at"][1] + 6.5]}
    twice = [*control, {"hex": "0607", "at": control[4]["at"]}]
    two = [{"name": n, "at": [10 + k / 10, 0], "values": {"city": k}} for k, n in enumerate("ab", 1)]
    swapped = [dict(p) for p in control]
    swapped[0]["at"], swapped[1]["at"] = swapped[1]["at"], swapped[0]["at"]
    bad: dict[str, dict[str, Any]] = {
        "M001": {**GEO, "hex_km": "wide"},
        "M005": {
            **GEO,
            "layers": {"country": {"borders": False, "areas": {"x": {"letter": "x", "seeds": [[60, 60]]}}}},
        },
        "M020": with_control([*control[:4], far, *control[5:]]),
        "M021": with_control([*control[:4], far, *control[5:]]),
        "M022": with_control(twice),
        "M023": {
            **GEO,
            "terrain": {"sea": "~", "classes": [{"letter": "c", "coast": "b", "height_above": 99}]},
        },
        "M024": with_control(swapped),
        "M025": {**GEO, "places": [{"name": "Oslo", "at": [59.9, 10.7], "values": {"city": 1}}]},
        "M026": {**GEO, "places": two},
        "M027": {**GEO, "lines": [{"kind": "road", "via": ["0605", "0101"]}]},
        "M028": {
            **GEO,
            "terrain": {"sea": "~", "classes": [{"letter": "m", "hieght_above": 9}, {"letter": "c"}]},
        },
        "M029": GEO,
        "M030": border([[10, 12], [10, 4]]),
    }
    return bad[code]


@pytest.mark.parametrize("code", ["M001", "M005", *(f"M0{n}" for n in range(20, 31))])
def test_every_finding_can_be_provoked(tmp_path: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if code == "M029":
        monkeypatch.setattr(hexcommand, "LARGEST", 2000)
    assert code in draw(tmp_path, provoked(code))
    assert (tmp_path / "maps/isle.land.json").is_file() == (
        code not in {*hexcommand.GRAVE, "M001", "M028", "M029"}
    )


def test_the_same_file_without_the_fault_says_nothing(tmp_path: Path) -> None:
    assert draw(tmp_path, GEO) == []
    assert draw(tmp_path, with_control(points())) == []


def test_a_missing_layer_is_told(tmp_path: Path) -> None:
    draw(tmp_path, GEO)
    (tmp_path / "data/ne_10m_land.json").unlink()
    assert "M008" in [f.code for f in run(tmp_path, tmp_path / "data")]


def test_sheets_that_hang_nowhere_are_told(tmp_path: Path) -> None:
    loose = {"id": "T", "columns": [1, 3], "rows": [1, 3], "ids": "T{cc}{rr}"}
    assert draw(tmp_path, {**GEO, "sheets": [*SHEETS, loose]}) == ["M001"]


# -- terrain ----------------------------------------------------------------------------------------------------------


def test_classes_take_the_first_that_holds() -> None:
    one = np.array([0.0, 0.5, 1.0, 1.0, 1.0])
    facts = Facts(
        land=one, lake=one * 0, height=np.array([0, 0, 50, 900, 50.0]), rough=one * 0,
        lon=one, lat=np.array([0, 0, 0, 0, 60.0]), outlines={"sand": np.array([0, 0, 0.6, 0.6, 0.0])},
    )  # fmt: skip
    classes = [
        {"letter": "m", "height_above": 500},
        {"letter": "s", "in": "sand"},
        {"letter": "i", "north_of": 50},
        {"letter": "c", "coast": "b"},
    ]
    assert letters(facts, {"sea": "~", "classes": classes}, {}) == ["~", "b", "s", "m", "i"]
    assert letters(facts, {"sea": "~", "classes": classes}, {0: "coast"})[0] == "b"


# -- the merge --------------------------------------------------------------------------------------------------------


def test_a_second_run_follows_what_nobody_touched_and_keeps_what_the_author_changed(tmp_path: Path) -> None:
    draw(tmp_path, GEO)
    mine = written(tmp_path)
    row = mine["sheets"][0]["terrain"][4]
    mine["sheets"][0]["terrain"][4] = row[:9] + "m" + row[10:]  # 0605
    mine["spaces"].append({"id": "0405", "city": 2})
    mine["sides"] = []
    (tmp_path / "maps/isle.land.json").write_text(hexes_text(mine), encoding="utf-8")
    more = [*GEO["places"], {"name": "New", "at": [14, 3], "values": {"city": 3}}]
    assert draw(tmp_path, {**GEO, "places": more}) == []
    merged = written(tmp_path)
    assert merged["sheets"][0]["terrain"][4][9] == "m"
    assert {"id": "0405", "city": 2} in merged["spaces"] and len(merged["spaces"]) == 3
    assert merged["sides"] == []


def test_what_both_changed_stays_as_the_author_has_it_and_is_told(tmp_path: Path) -> None:
    draw(tmp_path, GEO)
    mine = written(tmp_path)
    mine["spaces"][0]["city"] = 4
    (tmp_path / "maps/isle.land.json").write_text(hexes_text(mine), encoding="utf-8")
    other = [{**GEO["places"][0], "values": {"city": 2}}]
    assert draw(tmp_path, {**GEO, "places": other}) == ["M007"]
    assert written(tmp_path)["spaces"] == [{"id": "0605", "city": 4}]
    assert draw(tmp_path, {**GEO, "places": other}) == []  # told once


def test_the_merge_works_letter_by_letter() -> None:
    def value(row: str) -> dict[str, Any]:
        return {"note": [], "sheets": [{"id": "S", "terrain": [f"01: {row}"]}], "spaces": []}

    merged, clashes = merge_hexes(value("cccc"), value("cmcm"), value("bccb"))
    assert merged["sheets"][0]["terrain"] == ["01: bmcm"]
    assert clashes == ["sheet S, row 01, letter 4"]


def test_a_map_may_grow_between_two_runs(tmp_path: Path) -> None:
    draw(tmp_path, GEO)
    mine = written(tmp_path)
    row = mine["sheets"][0]["terrain"][4]
    mine["sheets"][0]["terrain"][4] = row[:9] + "m" + row[10:]  # 0605
    (tmp_path / "maps/isle.land.json").write_text(hexes_text(mine), encoding="utf-8")
    wider = [{"id": "S", "columns": [1, 14], "rows": [1, 12]}]
    assert draw(tmp_path, {**GEO, "sheets": wider}) == []
    rows = written(tmp_path)["sheets"][0]["terrain"]
    assert len(rows) == 12 and {len(r) for r in rows} == {len("01: ") + 14}
    assert rows[4][9] == "m"


def test_towns_and_lakes_of_natural_earth_come_in_by_size(tmp_path: Path) -> None:
    draw(tmp_path, GEO)
    sizes = {"Great": ([6, 3], 900_000), "Small": ([14, -4], 30_000), "Hamlet": ([3, -4], 900)}
    towns = [
        {"properties": {"name": n, "nameascii": n, "pop_max": p}, "geometry": {"type": "Point", "coordinates": at}}
        for n, (at, p) in sizes.items()
    ]  # fmt: skip
    ring = [[13, 1], [17, 1], [17, 4], [13, 4], [13, 1]]
    lake = [{"properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}]
    for name, features in (("populated_places_simple", towns), ("lakes", lake)):
        file = tmp_path / f"data/ne_10m_{name}.json"
        file.write_text(json.dumps({"features": features}), encoding="utf-8")
    steps = [
        {"people_above": 500_000, "values": {"city": 3}},
        {"people_above": 10_000, "values": {"city": 1}},
    ]
    classes = [{"letter": "l", "lake_above": 0.4, "wet": True}, *GEO["terrain"]["classes"]]
    terrain = {**GEO["terrain"], "classes": classes}
    geo = {**GEO, "lines": [], "names": True, "towns": steps, "lakes_above": 0.5, "terrain": terrain}
    assert draw(tmp_path, geo) == []
    land = written(tmp_path)
    named = {space.get("name"): space.get("city") for space in land["spaces"]}
    assert named == {"Middle": 1, "Great": 3, "Small": 1}
    assert "l" in "".join(row.partition(": ")[2] for row in land["sheets"][0]["terrain"])


def test_a_town_is_never_drowned_by_a_lake() -> None:
    one = np.array([0.3])
    facts = Facts(land=one, lake=np.array([0.7]), height=one, rough=one, lon=one, lat=one, outlines={})
    terrain = {"sea": "~", "classes": [{"letter": "L", "lake_above": 0.5, "wet": True}, {"letter": "c"}]}
    assert letters(facts, terrain, {}) == ["L"] and letters(facts, terrain, {0: "land"}) == ["c"]


@pytest.mark.parametrize("place", [[0, 0], [179.9, -17], [25, 89], [-60, -64]])
def test_any_place_on_earth_will_do(tmp_path: Path, place: list[float]) -> None:
    plain = {k: GEO[k] for k in ("map", "kind", "sheets", "terrain")}
    geo = {**plain, "hex_km": 30, "at": {"hex": "0605", "at": place}}
    assert draw(tmp_path, geo) == []


def test_a_projection_that_nobody_knows_is_told(tmp_path: Path) -> None:
    assert draw(tmp_path, {**GEO, "projection": {"proj": "flatearth"}}) == ["M001"]


def test_the_files_of_the_guide_have_the_form_that_it_tells(tmp_path: Path) -> None:
    """The guide's own map and geo file, on our island instead of Norway."""
    page = (Path(__file__).parent.parent / "docs/geo-hexes.md").read_text(encoding="utf-8")
    map_file, geo = (json.loads(block) for block in re.findall(r"```json\n(\{.*?)```", page, re.DOTALL)[:2])
    for name in ("geo", "maps"):
        (tmp_path / name).mkdir()
    (tmp_path / "maps/norway.json").write_text(json.dumps(map_file), encoding="utf-8")
    geo["at"]["at"], geo["hex_km"] = [10, 0], 60
    (tmp_path / "geo/norway.geo.json").write_text(json.dumps(geo), encoding="utf-8")
    data = world(tmp_path / "data")
    (data / "ne_10m_populated_places_simple.json").write_text('{"features": []}', encoding="utf-8")
    found = {f.code for f in run(tmp_path, data, etopo(tmp_path / "etopo.cdf"))}
    assert found == {"M005", "M025"}  # the seeds and the stops are Norway's
    assert written(tmp_path, "maps/norway.land.json")["sheets"][0]["columns"] == [1, 72]


def test_the_same_run_twice_writes_the_same_bytes(tmp_path: Path) -> None:
    draw(tmp_path, with_control(points()))
    files = sorted((tmp_path / "maps").glob("isle.*.json"))
    before = [path.read_bytes() for path in files]
    draw(tmp_path, with_control(points()))
    assert [path.read_bytes() for path in files] == before
