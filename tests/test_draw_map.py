"""The drawn board, tested by what is in it: names, colours, borders, places for counters."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from PIL import Image

from compiler.draw import DrawnMap, draw_map, fonts, furniture, rasterise
from compiler.draw.agreement import map_findings
from compiler.draw.atlas import stacks_needed
from compiler.draw.colour import contrast, mix
from compiler.draw.outlines import load_outlines
from compiler.draw.place import Box, inside
from compiler.draw.settings import STYLES, WORDS, area_picture, load_picture, load_style, style_names
from compiler.model import build
from compiler.model.types import Module
from compiler.schema import validate
from compiler.source import read
from compiler.source.document import Document

ROOT = Path(__file__).parent.parent / "modules_src" / "axis-and-allies-1941"
SCALE = 0.25


@cache
def board() -> Module:
    docs, _ = read(ROOT, ROOT.as_posix())
    module, _ = build(docs, ROOT)
    assert module is not None
    return module


@cache
def drawn(language: str = "en", style: str = "print") -> DrawnMap:
    return draw_map(board(), "world", language, style)


@cache
def pixels() -> Image.Image:
    made = drawn("en", "contrast")  # no relief: colours as they were mixed
    return Image.open(io.BytesIO(rasterise(made.svg, made.width, made.height, SCALE))).convert("RGB")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_board_is_drawn_without_a_finding(language: str) -> None:
    assert [f"{f.code} {f.message}" for f in drawn(language).findings] == []


def test_every_territory_and_sea_zone_is_there() -> None:
    shapes = drawn().spaces
    spaces = board().maps["world"].spaces
    assert {space.id for space in spaces} == set(shapes)
    assert sum(space.kind == "territory" for space in spaces) == 71
    assert sum(space.kind == "sea_zone" for space in spaces) == 49


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_two_names_overlap(language: str) -> None:
    labels = drawn(language).labels
    pairs = [(a.text, b.text) for i, a in enumerate(labels) for b in labels[i + 1 :] if a.box.overlaps(b.box)]
    assert pairs == []
    assert drawn(language).collisions == 0


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_name_stands_inside_its_area_or_in_its_water(language: str) -> None:
    made = drawn(language)
    named = {label.space for label in made.labels}
    assert {space.id for space in board().maps["world"].spaces if space.kind != "box"} <= named
    outside = []
    for label in made.labels:
        x, y, w, h = label.box.x, label.box.y, label.box.w / 2, label.box.h / 2
        edge = [*label.box.corners(), (x, y - h), (x, y + h), (x - w, y), (x + w, y)]
        if not all(any(inside(p, made.spaces[s].polygons) for s in label.within) for p in edge):
            outside.append(label.text)
    assert outside == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_names_are_large_enough_to_read_at_half_size(language: str) -> None:
    spaces = {
        space.id: board().texts.get(f"space.{space.id}", language) for space in board().maps["world"].spaces
    }
    small = [label.text for label in drawn(language).labels if label.size < 18]
    assert small == []
    names = [label for label in drawn(language).labels if label.text == spaces[label.space]]
    assert len(names) > 50
    assert [label.text for label in names if label.size < 20] == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_name_in_the_water_is_near_its_area_or_has_a_line_that_ends_in_it(language: str) -> None:
    """The distance from the name's box to the drawn outline, and the ends of the drawn lines, by another library."""
    shapely = pytest.importorskip("shapely")
    made = drawn(language)
    ends = _ends_of_leads(made)
    beside = [label for label in made.labels if len(label.within) == 2]
    assert len(beside) > 15
    for label in beside:
        area = shapely.union_all(
            [shapely.Polygon(ring).buffer(0) for ring in made.spaces[label.space].polygons]
        )
        (left, top), _, (right, bottom), _ = label.box.corners()
        if area.distance(shapely.box(left, top, right, bottom)) > 30:
            assert any(area.contains(shapely.Point(end)) for end in ends), label.text


def _ends_of_leads(made: DrawnMap) -> list[tuple[float, float]]:
    left, top = (float(v) for v in re.findall(r"translate\(([\d.]+) ([\d.]+)\)", made.svg)[0])
    (path,) = re.findall(r'<g id="leads"[^>]*>.*?</g>', made.svg, re.S)
    lines = re.findall(r"M[\d.]+ [\d.]+L([\d.]+) ([\d.]+)", path)
    return [(float(x) + left, float(y) + top) for x, y in lines]


def test_every_space_is_reached_by_a_pixel_and_back() -> None:
    shapes = drawn().spaces
    for name, shape in shapes.items():
        for point in (shape.anchor, *shape.spots):
            assert [other for other, s in shapes.items() if inside(point, s.polygons)] == [name]


def test_each_setup_has_room_beside_the_names() -> None:
    made = drawn()
    for space, kinds in stacks_needed(board(), board().maps["world"]).items():
        spots = made.spaces[space].spots
        assert len(spots) >= kinds, space
        squares = [Box(x, y, made.counter, made.counter) for x, y in spots]
        assert not any(a.overlaps(b) for i, a in enumerate(squares) for b in squares[i + 1 :]), space
        assert not any(
            s.overlaps(label.box) for s in squares for label in made.labels if label.space == space
        ), space


def test_the_colour_of_each_area_is_that_of_its_owner() -> None:
    picture, _ = load_picture(ROOT, "world")
    style, _ = load_style("contrast", picture)
    module = board()
    tints = {p.id: mix(p.colour or "", style["paper"], 1 - style["tint"]) for p in module.powers.values()}
    palette = {**tints, "neutral": style["neutral"], "sea": style["sea"]}
    wrong = []
    for space in module.maps["world"].spaces:
        if space.kind != "box":
            owner = "sea" if space.kind == "sea_zone" else space.controller or "neutral"
            near = _window(drawn("en", "contrast").spaces[space.id].anchor)
            if min(_apart(seen, palette[owner]) for seen in near) > 40:
                wrong.append((space.id, owner))
    assert wrong == []


def _window(point: tuple[float, float]) -> list[tuple[int, int, int]]:
    """The pixels round a point: a name or a pattern may lie over some of them, not over all."""
    x, y = round(point[0] * SCALE), round(point[1] * SCALE)
    data = pixels().crop((x - 5, y - 5, x + 6, y + 6)).tobytes()
    return [(data[i], data[i + 1], data[i + 2]) for i in range(0, len(data), 3)]


def _apart(seen: tuple[int, int, int], colour: str) -> float:
    want = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return sum(abs(s - w) for s, w in zip(seen, want, strict=True))


def test_drawn_borders_are_the_links_by_another_library() -> None:
    """Outlines read back from the SVG, touching computed with shapely, compared with the declared links."""
    shapely = pytest.importorskip("shapely")
    found = dict(re.findall(r'<path id="area-([^"]+)" d="([^"]+)"', drawn().svg))
    shapes = {}
    for name, d in found.items():
        rings = [
            [tuple(map(float, p.split())) for p in part.strip("MZ").split("L")]
            for part in d.split("Z")
            if part
        ]
        lines = [shapely.LinearRing(ring) for ring in rings]
        shapes[name] = shapely.MultiLineString([list(line.coords) for line in lines])
    outlines, _ = load_outlines(ROOT, "world")
    assert outlines is not None
    world = board().maps["world"]
    spaces = [s.id for s in world.spaces if s.id in shapes]
    tree = shapely.STRtree([shapes[s] for s in spaces])
    touching = set()
    for a in spaces:
        for j in tree.query(shapes[a]):
            b = spaces[int(j)]
            if a < b and shapes[a].intersection(shapes[b]).length >= outlines.touch:
                touching.add((a, b))
    excused = {"canal", "closed"}
    links = {tuple(sorted((link.a, link.b))): set(link.tags) for link in world.links}
    assert touching - set(links) == set()
    assert {pair for pair, tags in links.items() if pair not in touching and not tags & excused} == set()


def test_borders_and_links_agree_without_drawing() -> None:
    assert map_findings(board()) == []


def test_an_area_cut_by_the_edge_is_on_both_edges() -> None:
    width = drawn().width
    for name in ("western_united_states", "western_canada", "mexico", "sz35", "sz36", "sz41"):
        middles = [sum(x for x, _ in ring) / len(ring) for ring in drawn().spaces[name].polygons]
        assert any(x < width / 4 for x in middles), name
        assert any(x > width * 3 / 4 for x in middles), name


@pytest.mark.parametrize("language", ["en", "fr"])
def test_text_is_really_drawn_in_each_language(language: str) -> None:
    made, texts = drawn(language), board().texts
    words = set(re.findall(r">([^<]+)</text>", made.svg.replace("&amp;", "&")))
    for space in board().maps["world"].spaces:
        if space.kind == "territory":
            name = texts.get(f"space.{space.id}", language)
            assert fonts.lacks(fonts.SANS_HEAVY, name) == ()
            parts = name.replace("-", "- ").replace("/", "/ ").split()
            assert all(any(part in word for word in words) for part in parts), name
    assert any("Légende" in word for word in words) == (language == "fr")


def test_letters_leave_ink() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40" viewBox="0 0 200 40"><text x="5" y="30" font-family="{}" font-weight="{}" font-size="28">Œuvre été</text></svg>'
    for font in fonts.ALL:
        picture = Image.open(io.BytesIO(rasterise(svg.format(font.family, font.weight), 200, 40)))
        dark = sum(1 for a in picture.getchannel("A").tobytes() if a > 128)
        assert dark > 300, font


def test_the_same_source_gives_the_same_picture() -> None:
    again = draw_map(board(), "world", "en", "print")
    assert again.svg == drawn().svg


def test_styles_differ_and_an_unknown_one_is_a_finding() -> None:
    assert "#bfd6da" in drawn().svg
    assert "#d9ecff" in drawn("en", "contrast").svg
    made = draw_map(board(), "world", "en", "contrats")
    assert [(f.code, f.help) for f in made.findings] == [("D001", "did you mean 'contrast'?")]


def test_the_sheet_is_no_larger_than_an_unasked_board_may_be() -> None:
    assert max(drawn().width, drawn().height) <= 5000


def test_the_track_has_a_square_for_every_level() -> None:
    assert sorted(drawn().squares) == list(range(61))
    assert drawn().squares[0][0] < drawn().squares[60][0]


@pytest.mark.parametrize("name", ["print", "contrast"])
def test_names_of_seas_are_quiet_but_can_be_read(name: str) -> None:
    style, _ = load_style(name, load_picture(ROOT, "world")[0])
    seen = mix(style["sea"], style["sea_ink"], style["faint"])
    assert style["faint"] < 1 and contrast(seen, style["sea"]) >= 4.5


SLIPS: list[tuple[str, str, str, tuple[str | int, ...], str, str | None]] = [
    ('"counter": 50', '"countr": 50', "J101", ("countr",), "key", "counter"),
    ('"counter": 50', '"counter": "fifty"', "J103", ("counter",), "value", None),
    ('"margin": 40', '"margin": null', "J103", ("margin",), "value", None),
    ('"panels": [', '"panels": [7, ', "J103", ("panels", 0), "value", None),
    ('{"id": "title"', '{"id": "titel"', "J104", ("panels", 0, "id"), "value", "title"),
    ('"panama": {"kind": "canal"', '"panama": {"kind": "canel"', "J104", ("marks", "panama", "kind"), "value", "canal"),
    ('"gibraltar": "sz14"', '"gibraltor": "sz14"', "D011", ("names_in", "gibraltor"), "key", "gibraltar"),
    ('"gibraltar": "sz14"', '"gibraltar": "szz14"', "D011", ("names_in", "gibraltar"), "value", "sz14"),
    ('"in": "sz24"', '"in": "sz244"', "D011", ("seas", 1, "in"), "value", "sz24"),
    ('"panama": {', '"panamá": {', "D011", ("marks", "panamá"), "key", "panama"),
    ('["inf",', '["imf",', "D011", ("unit_types", 0), "value", "inf"),
    ('"draw": ["print"', '"draw": ["prnt"', "D011", ("draw", 0), "value", "print"),
    ('"boxes": {"mobilisation": "units"}', '"boxes": {"mobilisation": "unit"}', "D011", ("boxes", "mobilisation"), "value", "units"),
    ('"boxes": {"mobilisation": "units"}', '"boxes": {"mobilization": "units"}', "D011", ("boxes", "mobilization"), "key", "mobilisation"),
    ('"track": {"kind": "production"', '"track": {"kind": "prodution"', "D011", ("track", "kind"), "value", "production"),
    ('"unit_rows": ["cost"', '"unit_rows": ["cots"', "D011", ("unit_rows", 0), "value", "cost"),
    ('"sea_kinds": ["sea_zone"]', '"sea_kinds": ["sea_zon"]', "D011", ("sea_kinds", 0), "value", "sea_zone"),
    ('"show": {"income": "income"', '"show": {"income": "incom"', "D011", ("show", "income"), "value", "income"),
    ('"margin": 40', '"styles": {"prnt": {}}', "D011", ("styles", "prnt"), "key", "print"),
    ('"margin": 40', '"styles": {"print": {"sea": 7}}', "J103", ("styles", "print", "sea"), "value", None),
    ('"margin": 40', '"styles": {"print": {"sea": "blue"}}', "J105", ("styles", "print", "sea"), "value", None),
    ('"margin": 40', '"styles": {"print": {"sae": "#ffffff"}}', "J101", ("styles", "print", "sae"), "key", "sea"),
    ('"margin": 40', '"styles": {"print": {"front": "#123456"}}', "J103", ("styles", "print", "front"), "value", None),
    ('"margin": 40', '"styles": {"print": {"front": ["#123456", 2]}}', "J107", ("styles", "print", "front"), "value", None),
    ('"margin": 40', '"styles": {"print": {"front": ["#123456", "2", ""]}}', "J103", ("styles", "print", "front", 1), "value", None),
    ('"margin": 40', '"styles": {"print": {"river": ["#123456", 2, "long"]}}', "J105", ("styles", "print", "river", 2), "value", None),
    ('"margin": 40', '"styles": {"print": {"tint": 3}}', "J106", ("styles", "print", "tint"), "value", None),
    ('"legend": "Key"', '"legnd": "Key"', "D011", ("words", "en", "legnd"), "key", "legend"),
    ('"row.cost": "Coût"', '"row.cots": "Coût"', "D011", ("words", "fr", "row.cots"), "key", "row.cost"),
    ('    "fr": {', '    "fre": {', "D011", ("words", "fre"), "key", "fr"),
    ('"fr": "Canal de Suez"', '"fre": "Canal de Suez"', "D011", ("marks", "suez", "words", "fre"), "key", "fr"),
    ('"fr": "Mer Noire"', '"frr": "Mer Noire"', "D011", ("seas", 6, "words", "frr"), "key", "fr"),
    ('"panels": [', '"panels": [{"id": "order", "width": 90}, ', "D013", ("panels", 2, "id"), "value", None),
    (', "fr": "Canal de Suez"', "", "D014", ("marks", "suez", "words"), "value", None),
    (', "fr": "Mer Noire"', "", "D014", ("seas", 6, "words"), "value", None),
    ('"legend": "Key", ', "", "D014", ("words", "en"), "key", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("right", "wrong", "code", "path", "on", "meant"), SLIPS, ids=[slip[1] or slip[0] for slip in SLIPS]
)
def test_a_slip_in_the_picture_file_is_told_at_its_place_and_never_crashes(
    tmp_path: Path,
    right: str,
    wrong: str,
    code: str,
    path: tuple[str | int, ...],
    on: str,
    meant: str | None,
) -> None:
    root = tmp_path / "game"
    module = _slipped(root, "maps/world.picture.json", right, wrong)
    found = [(f.code, f.place.path, f.place.on) for f in map_findings(module) if f.place is not None]
    assert found == [(code, path, on)]
    if meant is not None:
        assert map_findings(module)[0].help == f"did you mean '{meant}'?"
    picture, _ = area_picture(root, "world")
    furniture.plan(module, module.maps["world"], 4920, 2500, picture)


def _slipped(root: Path, name: str, right: str, wrong: str) -> Module:
    """The game with one slip in a file of its map."""
    shutil.copytree(ROOT, root)
    file = root / name
    text = file.read_text(encoding="utf-8")
    assert right in text
    file.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    docs, _ = read(root, root.as_posix())
    module, _ = build(docs, root)
    assert module is not None
    return module


@pytest.mark.parametrize(
    ("right", "wrong", "part", "help"),
    [
        ("{width} × {height} px ;", "{largeur} × {height} px ;", (0, 9), "there are: {width}, {height}, {cm}, {dpi}"),
        ("{width} × {height} px ;", "{width × {height} px ;", (0, 1), "there are: {width}, {height}, {cm}, {dpi}"),
        ("{width} × {height} px ;", "{widht} × {height} px ;", (0, 7), "did you mean '{width}'? there are: {width}, {height}, {cm}, {dpi}"),
        ("{width} × {height} px ;", "{0} {} × {height!x} px", (0, 3), "there are: {width}, {height}, {cm}, {dpi}"),
    ],
)  # fmt: skip
def test_a_placeholder_that_nobody_knows_is_told_at_the_word_and_drawn_as_it_stands(
    tmp_path: Path, right: str, wrong: str, part: tuple[int, int], help: str
) -> None:
    module = _slipped(tmp_path / "game", "maps/world.picture.json", right, wrong)
    found = [f for f in map_findings(module) if f.place is not None]
    assert {(f.code, f.place.path) for f in found if f.place} == {("D012", ("words", "fr", "scale"))}
    assert found[0].place is not None and found[0].place.part == part
    assert found[0].help == help
    picture, _ = area_picture(tmp_path / "game", "world")
    assert "2500" in picture.filled("scale", "fr", {"height": 2500}) or "!" in wrong


def test_the_schema_has_every_colour_and_width_of_a_style() -> None:
    schema = json.loads((ROOT.parent.parent / "schemas" / "picture.schema.json").read_text(encoding="utf-8"))
    known = set(schema["$defs"]["style"]["properties"])
    for name in style_names():
        style = json.loads((STYLES / f"{name}.json").read_text(encoding="utf-8"))
        assert style.keys() - {"name"} == known
        own = {key: value for key, value in style.items() if key != "name"}
        value = {"styles": {name: own}}
        assert validate("picture", Document("p", json.dumps(value), value)) == []


def test_every_word_that_the_panels_ask_for_is_known() -> None:
    text = Path(furniture.__file__).read_text(encoding="utf-8")
    asked = {*re.findall(r"\bword\(['\"](\w+)['\"]\)", text), *re.findall(r'filled\(\s*"(\w+)", pen', text)}
    asked |= set(re.findall(r'^        \((?:line|lambda).*, "(\w+)"\),$', text, re.M))
    assert asked == set(WORDS)


@pytest.mark.parametrize(
    ("file", "right", "wrong", "place", "help"),
    [
        ("outlines", '"suez": [', '"seuz": [', ("places", "seuz"), "did you mean 'suez'?"),
        ("outlines", '"suez": [', '"egypt": [', ("marks", "suez"), 'add it to "places" of maps/world.outlines.json: "suez": [x, y]'),
    ],
)  # fmt: skip
def test_a_mark_without_a_place_is_told(
    tmp_path: Path, file: str, right: str, wrong: str, place: tuple[str, ...], help: str
) -> None:
    module = _slipped(tmp_path / "game", f"maps/world.{file}.json", right, wrong)
    found = [(f.code, f.place and (f.place.path, f.place.on), f.help) for f in map_findings(module)]
    assert found == [("M017", (place, "key"), help)]


@pytest.mark.parametrize(
    ("right", "wrong", "code", "path", "on", "help"),
    [
        ('"frame"', '"fraem"', "J101", ("fraem",), "key", "did you mean 'frame'?"),
        ('"map": "world"', '"map": "wrold"', "M018", ("map",), "value", "did you mean 'world'?"),
        ('"map": "world"', '"map": 7', "J103", ("map",), "value", 'write "7" in double quotes'),
        ('"map": "world"', '"map": "world", "map": "world"', "S130", ("map",), "key", None),
    ],
)
def test_a_slip_in_the_geo_file_is_told_by_a_check(
    tmp_path: Path, right: str, wrong: str, code: str, path: tuple[str, ...], on: str, help: str | None
) -> None:
    module = _slipped(tmp_path / "game", "geo/world.geo.json", right, wrong)
    (found,) = map_findings(module)
    assert found.code == code and found.place is not None
    assert found.place.document.name.endswith("/game/geo/world.geo.json")
    if code != "S130":
        assert (found.place.path, found.place.on, found.help) == (path, on, help)


def test_a_geo_file_of_a_hex_map_has_no_schema(tmp_path: Path) -> None:
    module = _slipped(tmp_path / "game", "geo/world.geo.json", "{", '{"kind": "hex", ')
    assert map_findings(module) == []


def test_a_check_of_maps_loads_nothing_that_draws() -> None:
    code = "import sys, compiler.draw.agreement as a; print(*sorted({'shapely', 'pyproj', 'PIL', 'fontTools', 'resvg_py'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
