"""Print files: read with another PDF library, front and back laid over each other, pictures looked at pixel by pixel."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat
from pypdf import PdfReader

from compiler.check import check
from compiler.cli import run
from compiler.commands.check import Settings as CheckSettings
from compiler.commands.check import run as check_folder
from compiler.commands.folders import Folder
from compiler.draw.fonts import SANS_BOLD
from compiler.draw.raster import rasterise
from compiler.draw.scene import Path as Drawn
from compiler.draw.scene import Picture, Scene, Words, to_svg
from compiler.draw.types import DrawnMap
from compiler.findings import Finding
from compiler.model.types import Module, Track
from compiler.sheets.charts import chart_pages
from compiler.sheets.counters import counter_pages
from compiler.sheets.curves import steps
from compiler.sheets.inks import cmyk, in_cmyk
from compiler.sheets.layout import Sheet, pieces, printed, sheets, turned
from compiler.sheets.lettering import near, parted
from compiler.sheets.maps import OVERLAP, map_pages, tiles
from compiler.sheets.pages import Page, pdf, png
from compiler.sheets.settings import PAPERS, Settings, settings_of
from compiler.sheets.tracks import track_pages
from compiler.source import locate

TOP = Path(__file__).parent.parent
HARBOUR = TOP / "tests" / "data" / "harbour"
MM = 72 / 25.4


def module_of(root: Path) -> Module:
    module = check(root, root.as_posix()).module
    assert module is not None
    return module


@pytest.fixture(scope="module")
def harbour() -> Module:
    return module_of(HARBOUR)


def read(pages: tuple[Page, ...] | list[Page], space: str = "rgb") -> PdfReader:
    return PdfReader(io.BytesIO(pdf(pages, "harbour", "test", space)))


def changed(tmp_path: Path, change: Callable[[dict[str, Any], dict[str, Any]], object]) -> list[Finding]:
    """What `check` says of the harbour with module.json and the counters changed."""
    root = tmp_path / "harbour"
    copytree(HARBOUR, root)
    files = [root / "module.json", root / "counters" / "counters.json"]
    values = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    change(values[0], values[1])
    for file, value in zip(files, values, strict=True):
        file.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return findings_of(root)


def findings_of(root: Path) -> list[Finding]:
    return check_folder(Folder(root, root.as_posix()), CheckSettings()).findings


# Sheets


def made(module: Module, **over: Any) -> list[Sheet]:
    settings = settings_of(module, over)
    return sheets(pieces(module, "en"), printed(module), settings)


def test_every_counter_is_printed_as_often_as_it_says(harbour: Module) -> None:
    found: dict[str, int] = {}
    for sheet in made(harbour):
        for slot in sheet.slots:
            found[slot.piece.counter] = found.get(slot.piece.counter, 0) + 1
    assert found == {id: counter.printed for id, counter in harbour.counters.items()}


def test_powers_stand_together_in_their_order_then_types(harbour: Module) -> None:
    first = [slot.piece.counter for slot in made(harbour)[0].slots]
    powers = [harbour.counters[id].power for id in first]
    assert powers == sorted(powers, key=["north", "south", None].index)
    assert first[:5] == ["north.1", "north.2", "north.4arm", "north.9para", "north.ftr"]


def test_each_size_and_the_stickers_have_sheets_of_their_own(harbour: Module) -> None:
    found = [(sheet.stickers, sheet.slots[0].box.width, sheet.slots[0].box.height) for sheet in made(harbour)]
    assert found == [(False, 15, 15), (False, 30, 15), (True, 20, 20)]


@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize("paper", PAPERS)
def test_backs_lie_behind_their_fronts_to_a_hundredth_of_a_millimetre(
    harbour: Module, paper: str, flip: str
) -> None:
    width, height = PAPERS[paper]
    for sheet in made(harbour, paper=paper):
        for front, back in zip(sheet.slots, turned(sheet, flip).slots, strict=True):
            a, b = front.box, back.box
            behind = (width - b.x - b.width, b.y) if flip == "long" else (b.x, height - b.y - b.height)
            assert behind == pytest.approx((a.x, a.y), abs=0.01)
            assert (a.width, a.height) == (b.width, b.height)
            assert back.turn == (0 if flip == "long" else 180)


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_stands_outside_the_paper(harbour: Module, paper: str) -> None:
    for sheet in made(harbour, paper=paper, columns=None, rows=None):
        width, height = sheet.paper
        for slot in sheet.slots:
            assert slot.box.x >= 7 and slot.box.x + slot.box.width <= width - 7
            assert slot.box.y >= 7 and slot.box.y + slot.box.height <= height - 7


def test_half_an_inch_fits_as_often_as_the_paper_allows(harbour: Module) -> None:
    settings = settings_of(harbour, {"counter": 12.7, "columns": None, "rows": None, "paper": "letter"})
    from compiler.sheets.layout import grid

    columns, rows = grid((12.7, 12.7), 0, Settings(paper="letter", counter=12.7))
    assert (columns, rows) == (15, 19) and settings.counter == 12.7
    assert columns * 12.7 <= 215.9 - 20 < (columns + 1) * 12.7


# PDF, read with another library


def boxes(reader: PdfReader, n: int) -> dict[str, list[float]]:
    page = reader.pages[n]
    return {
        name: [float(v) / MM for v in getattr(page, name)] for name in ("mediabox", "trimbox", "bleedbox")
    }


def test_the_boxes_are_true(harbour: Module) -> None:
    settings = settings_of(harbour)
    reader = read(counter_pages(harbour, "en", settings).pages)
    found = boxes(reader, 0)
    assert found["mediabox"] == pytest.approx([0, 0, 210, 297], abs=0.01)
    assert found["trimbox"] == pytest.approx([30, 43.5, 180, 253.5], abs=0.01)  # 10 x 14 counters of 15 mm
    left, low, right, high = found["trimbox"]
    assert found["bleedbox"] == pytest.approx([left - 3, low - 3, right + 3, high + 3], abs=0.01)


def test_the_boxes_of_front_and_back_mirror_each_other(harbour: Module) -> None:
    reader = read(counter_pages(harbour, "en", settings_of(harbour)).pages)
    for n in (0, 2):
        front, back = boxes(reader, n)["trimbox"], boxes(reader, n + 1)["trimbox"]
        assert [210 - back[2], back[1], 210 - back[0], back[3]] == pytest.approx(front, abs=0.01)


def test_all_fonts_are_embedded_and_text_is_text(harbour: Module) -> None:
    reader = read(counter_pages(harbour, "en", settings_of(harbour)).pages)
    fonts = [
        font.get_object()
        for page in reader.pages
        for form in [page, *(x.get_object() for x in page["/Resources"].get("/XObject", {}).values())]
        for font in form.get("/Resources", {}).get("/Font", {}).values()
    ]
    assert [font["/BaseFont"] for font in fonts if "/FontDescriptor" not in font] == []
    assert all("/FontFile2" in font["/FontDescriptor"].get_object() for font in fonts)
    used = {str(font["/BaseFont"]).split("+")[-1] for font in fonts}
    assert used >= {"SourceSansPro-Regular", "SourceSansPro-Bold", "SourceSerifPro-SemiboldIt"}
    assert "Harbour · Sheet 1 · front" in reader.pages[0].extract_text()


def test_a_face_is_written_once_however_many_counters_show_it(harbour: Module) -> None:
    reader = read(counter_pages(harbour, "en", settings_of(harbour)).pages)
    content = reader.pages[0].get_contents()
    assert content is not None
    names = re.findall(rb"/(\S*face\d+) Do", content.get_data())
    assert len(names) == 23 and len(set(names)) == 10


def test_the_same_module_gives_the_same_bytes(harbour: Module) -> None:
    one, two = (pdf(counter_pages(harbour, "en", settings_of(harbour)).pages, "t", "a") for _ in range(2))
    assert one == two


def operators(reader: PdfReader, wanted: str) -> set[bytes]:
    found: set[bytes] = set()
    for page in reader.pages:
        content = page.get_contents()
        streams = [content.get_data() if content is not None else b""]
        streams += [x.get_object().get_data() for x in page["/Resources"].get("/XObject", {}).values()]
        for data in streams:
            found |= set(re.findall(rb"([\d. -]+ " + wanted.encode() + rb")\b", data))
    return found


def test_cmyk_has_no_rgb_and_black_text_is_pure_black(harbour: Module) -> None:
    made = counter_pages(harbour, "en", settings_of(harbour, {"colour": "cmyk"}))
    reader = read(made.pages, "cmyk")
    paint = re.compile(r"(?:0|\.0+) (?:0|\.0+) (?:0|\.0+) 1 k")
    assert operators(reader, "rg") == set() and operators(reader, "RG") == set()
    assert any(paint.search(one.decode()) for one in operators(reader, "k"))
    assert any(
        one.split()[:4] == [b"1", b"1", b"1", b"1"] for one in operators(reader, "K")
    )  # registration marks


def test_greys_are_printed_with_black_alone() -> None:
    assert cmyk(20, 20, 20) == (0, 0, 0, 1)
    assert cmyk(253, 253, 251) == (0, 0, 0, 0)
    assert cmyk(128, 128, 128)[:3] == (0, 0, 0)
    c, m, y, k = cmyk(200, 30, 30)
    assert c == 0 and m == y > 0.8 and 0.2 < k < 0.25


def test_rgb_has_no_cmyk(harbour: Module) -> None:
    reader = read(counter_pages(harbour, "en", settings_of(harbour)).pages)
    assert operators(reader, "k") == set() and operators(reader, "rg") != set()


# Pixels


def test_the_picture_of_a_sheet_shows_colours_where_the_counters_are(harbour: Module) -> None:
    settings = settings_of(harbour)
    page = counter_pages(harbour, "en", settings).faces[0][1]
    image = Image.open(io.BytesIO(png(page, 150, {}))).convert("RGB")
    dot = 150 / 25.4
    assert image.size == (1240, 1754)
    north, south = (0x8D, 0x9B, 0x5C), (0x2F, 0x5C, 0x8F)
    first, last = page.stamps[0].box, page.stamps[9].box
    assert image.getpixel((round((first.x + 1.2) * dot), round((first.y + 4.5) * dot))) == north
    assert image.getpixel((round((last.x + 0.3) * dot), round((last.y + 0.3) * dot))) == south
    assert image.getpixel((round((first.x - 2) * dot), round((first.y - 2) * dot))) == north  # bleed
    assert image.getpixel((round((first.x - 3.3) * dot), round((first.y + 7) * dot))) == (255, 255, 255)


def test_a_counter_without_a_back_has_its_colour_there(harbour: Module) -> None:
    page = counter_pages(harbour, "en", settings_of(harbour)).faces[1][1]
    image = Image.open(io.BytesIO(png(page, 100, {}))).convert("RGB")
    plane = turned(made(harbour)[0], "long").slots[4]
    assert plane.piece.counter == "north.ftr"
    box, dot = plane.box, 100 / 25.4
    centre = round((box.x + 7.5) * dot), round((box.y + 7.5) * dot)
    assert image.getpixel(centre) == (0x8D, 0x9B, 0x5C)


# Maps and charts


@pytest.mark.parametrize("size", [(840.0, 511.0), (190.0, 200.0), (1500.0, 912.0), (297.0, 420.0)])
def test_map_pages_cover_the_map_and_overlap(size: tuple[float, float]) -> None:
    parts = tiles(size, PAPERS["a4"])
    assert min(tile.part.x for tile in parts) == 0 and min(tile.part.y for tile in parts) == 0
    assert max(t.part.x + t.part.width for t in parts) == pytest.approx(size[0])
    assert max(t.part.y + t.part.height for t in parts) == pytest.approx(size[1])
    for tile in parts:
        assert tile.at.x >= 9.9 and tile.at.y >= 9.9
        beside = [t for t in parts if (t.row, t.column) == (tile.row, tile.column + 1)]
        assert all(tile.part.x + tile.part.width - t.part.x == pytest.approx(OVERLAP) for t in beside)


def test_charts_are_written_in_each_language() -> None:
    game = module_of(TOP / "modules_src" / "axis-and-allies-1941")
    for language in game.languages:
        text = "".join(page.extract_text() for page in read(chart_pages(game, language, Settings())).pages)
        for chart in game.charts.values():
            assert game.texts.get(f"chart.{chart.id}", language) in text
        assert game.texts.get("type.inf", language) in text


def test_a_column_of_figures_is_centred_as_a_whole_and_words_stand_left() -> None:
    game = module_of(TOP / "modules_src" / "axis-and-allies-1941")
    page, *_ = chart_pages(game, "en", Settings())
    written = [item for item in page.above if isinstance(item, Words)]
    anchors = {item.text: item.anchor for item in written}
    assert anchors["Cost"] == anchors["12"] == "middle"
    assert anchors["Unit"] == anchors["Tank"] == "start"


def test_turns_and_tracks_are_squares_that_hold_a_counter() -> None:
    game = module_of(TOP / "modules_src" / "axis-and-allies-1941")
    for language, title in (("en", "Production level"), ("fr", "Niveau de production")):
        pages = track_pages(game, language, Settings())
        words = "".join(page.extract_text() for page in read(pages).pages)
        assert words.count(title) == 1  # five powers, one range: one row of squares
        assert all(str(n) in words.split() for n in range(61))
    squares = [i for page in pages for i in page.above if isinstance(i, Drawn) and "h16.000v16.000" in i.d]
    assert len(squares) == 20 + 61 + 61  # turns, production, treasury


def test_a_track_without_an_end_has_its_digits_apart(harbour: Module) -> None:
    track = Track("gold", "gold", None, 0, 10**9, {}, harbour.place)
    pages = track_pages(replace(harbour, tracks={"gold": track}), "en", Settings())
    words = "".join(page.extract_text() for page in read(pages).pages).split()
    assert {"900", "90", "9", "0"} <= set(words) and "11" not in words


def test_sheet_writes_pdf_and_png(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["sheet", HARBOUR.as_posix(), "-o", tmp_path.as_posix(), "--colour", "cmyk", "--flip", "short"])
        == 0
    )
    capsys.readouterr()
    there = sorted(file.name for file in (tmp_path / "harbour" / "sheets").iterdir())
    assert "harbour-counters-en.pdf" in there and "harbour-charts-en.pdf" in there
    assert [name for name in there if name.endswith(".png")] == [
        "sheet-01-back.png", "sheet-01-front.png", "sheet-02-back.png", "sheet-02-front.png", "stickers-03.png",
    ]  # fmt: skip


# Curves


def test_an_arc_ends_where_it_says_and_bulges_as_a_circle() -> None:
    found = steps("M0 0a10 10 0 0 1 20 0z")
    assert found[0] == ("M", (0, 0)) and found[-1] == ("Z", ())
    curves = [p for name, p in found if name == "C"]
    assert curves[-1][-2:] == pytest.approx((20, 0)) and len(curves) == 2
    assert curves[0][-2:] == pytest.approx((10, -10))


def test_relative_and_smooth_steps_become_absolute() -> None:
    assert steps("m1 1 2 0h3v-4H0")[1:] == (("L", (3, 1)), ("L", (6, 1)), ("L", (6, -3)), ("L", (0, -3)))
    assert steps("M0 0C0 1 1 1 1 0S2 -1 2 0")[2] == ("C", (1, -1, 2, -1, 2, 0))


# What check says


def test_the_harbour_is_clean() -> None:
    assert findings_of(HARBOUR) == []


BAD: dict[str, tuple[str, str, Callable[[dict[str, Any], dict[str, Any]], object]]] = {
    "too many columns": ("D331", "at most 12", lambda m, c: m["sheets"].update(columns=14)),
    "a counter larger than the paper": ("D331", "larger paper", lambda m, c: m["layouts"]["ship"].update(size=[400, 15])),
    "mix": ("D332", "'printed'", lambda m, c: m["sheets"].update(mix={"total": 200})),
    "mix of nobody": ("D332", "one of: north", lambda m, c: m["sheets"].update(mix={"nroth": 20})),
    "more than printed": ("D333", "D333", lambda m, c: c["counters"][2].update(printed=0)),
    "twins": ("D334", "{name}", lambda m, c: [one.pop("name") for one in c["counters"][2:4]]),
    "sides of two sizes": ("D335", "one size", lambda m, c: m["layouts"]["unit_reduced"].update(size=20)),
    "sides of two shapes": ("D335", "one shape", lambda m, c: m["layouts"]["unit_reduced"].update(shape="cut")),
    "outside the safe margin": ("D336", "inwards", lambda m, c: m["layouts"]["unit"]["parts"][3].update(box=[10, 86, 80, 20])),
    "no such branch": ("D310", "'armour'", lambda m, c: c["types"][1]["nato"].update(branch="armor")),
    "no such echelon": ("D310", "'corps'", lambda m, c: c["types"][1]["nato"].update(echelon="corp")),
    "no such quality": ("D310", "'motorised'", lambda m, c: c["types"][1].update(nato={"branch": "armour", "motorized": True})),
    "not together": ("D310", "leave out", lambda m, c: c["types"][0]["nato"].update(airborne=True, ski=True)),
    "not of this branch": ("D310", "goes with", lambda m, c: c["types"][1]["nato"].update(self_propelled=True)),
    "no symbol": ("D310", "branch", lambda m, c: c["types"][1].pop("nato")),
    "no such corner": ("D309", "top-left", lambda m, c: m["layouts"]["ship"]["parts"][4].update(corner="upper-left")),
    "no such mark": ("D309", "star", lambda m, c: m["layouts"]["unit"]["parts"][4].update(mark="sun")),
    "no strengths": ("D309", "steps", lambda m, c: c["types"][3].pop("steps")),
    "no such attribute": ("D311", "'attack'", lambda m, c: m["layouts"]["ship"]["parts"][2].update(text="{atack}")),
    "no such attribute to choose by": ("D311", "'side'", lambda m, c: m["layouts"]["unit"].update(shape={"by": "sied", "red": "cut"})),
    "no such attribute of a power": ("D311", "'power.colour'", lambda m, c: m["layouts"]["unit"].update(fill={"by": "power.color"})),
    "no such attribute to depend on": ("D311", "'elite'", lambda m, c: m["layouts"]["unit"]["parts"][4].update(when={"elit": True})),
    "no colour": ("D309", "'#b3261e'", lambda m, c: m["layouts"]["unit"].update(fill="crimson")),
    "no colour in a choice": ("D309", "'#b3261e'", lambda m, c: m["layouts"]["unit"].update(fill={"by": "side", "red": "#a", "else": "#333333"})),
    "no colour of a part": ("D309", "'#b3261e'", lambda m, c: m["layouts"]["unit_reduced"]["parts"][0].update(stripe="f4f1e6")),
    "no such shape": ("D309", "rounded", lambda m, c: m["layouts"]["unit"].update(shape="sqare")),
    "no degrees": ("D309", "90", lambda m, c: m["layouts"]["unit"]["parts"][1].update(turn="left")),
    "an echelon that is no word": ("D310", "one of", lambda m, c: c["types"][1]["nato"].update(echelon=["corps"])),
    "misspelt property of a layout": ("J101", "'shape'", lambda m, c: m["layouts"]["unit"].update(shpe="cut")),
    "misspelt property of a part": ("J101", "'align'", lambda m, c: m["layouts"]["unit"]["parts"][1].update(algn="left")),
    "a picture without a name": ("N121", "folder", lambda m, c: m["layouts"]["own"]["parts"][0].update(picture="")),
    "no such table": ("S160", "army.csv", lambda m, c: c["csv"][0].update(file="counters/amry.csv")),
    "table outside": ("S160", "module's folder", lambda m, c: c["csv"][0].update(file="../army.csv")),
    "no such column": ("S162", "'Attack'", lambda m, c: c["csv"][0]["columns"].update(Atack="defence")),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_counters_are_findings_of_check(name: str, tmp_path: Path) -> None:
    code, help, change = BAD[name]
    found = [f for f in changed(tmp_path, change) if f.code == code]
    assert found, name
    assert help in (found[0].help or "")
    assert found[0].place is not None


def test_a_limit_on_counters_makes_too_many_an_error(tmp_path: Path) -> None:
    def change(module: dict[str, Any], counters: dict[str, Any]) -> None:
        counters["counters"][2]["printed"] = 0
        module["sheets"]["limit"] = limit

    for limit, severities in (("counters", ["ERROR"]), ("none", [])):
        found = changed(tmp_path / limit, change)
        assert [f.severity.name for f in found if f.code == "D333"] == severities


def test_a_coarse_picture_is_a_warning(tmp_path: Path) -> None:
    root = tmp_path / "harbour"
    copytree(HARBOUR, root)
    Image.new("RGB", (60, 60), "#203040").save(root / "guard.png")
    file = root / "counters" / "counters.json"
    value = json.loads(file.read_text(encoding="utf-8"))
    value["types"][4].update(layout="own", picture="guard.png")
    file.write_text(json.dumps(value), encoding="utf-8")
    found = [f for f in findings_of(root) if f.code == "D337"]
    assert found and "102 dots an inch" in found[0].message


# CSV


def with_table(tmp_path: Path, text: str) -> list[Finding]:
    root = tmp_path / "harbour"
    copytree(HARBOUR, root)
    (root / "counters" / "army.csv").write_text(text, encoding="utf-8", newline="")
    return findings_of(root)


def spot(finding: Finding) -> tuple[str, int, int, int]:
    assert finding.place is not None
    span = locate([finding.place])[finding.place]
    return finding.place.document.path, span.line, span.column, span.end_column


def test_rows_of_a_table_are_counters(harbour: Module) -> None:
    counter = harbour.counters["north.2"]
    assert (counter.type, counter.power, counter.printed) == ("inf", "north", 1)
    assert counter.values["attack"] == 5 and counter.values["number"] == "2"
    assert harbour.counters["south.3arm"].values["number"] == "III"
    assert harbour.counters["north.1"].values["attack"] == 4  # an empty cell leaves the type's value


HEAD = "Id,Type,Power,No.,Setup,Printed,Attack\n"


def test_a_finding_points_at_row_and_column(tmp_path: Path) -> None:
    found = with_table(
        tmp_path,
        HEAD + "north.1,inf,north,1,A,1,\nnorth.9para,prara,north,9,,1,\nnorth.4arm,arm,north,4,,1,\n",
    )
    misspelt = next(f for f in found if "prara" in f.message)
    assert spot(misspelt) == ("counters/army.csv", 3, 13, 18)
    assert "para" in (misspelt.help or "")


def test_a_value_of_the_wrong_kind_points_at_its_cell(tmp_path: Path) -> None:
    found = with_table(tmp_path, HEAD + 'north.1,inf,north,1,"A, or B",1,strong\n')
    assert ("counters/army.csv", 2, 33, 39) in [spot(f) for f in found if f.place is not None]


def test_semicolons_quotes_and_windows_lines_are_read(tmp_path: Path) -> None:
    text = (HARBOUR / "counters" / "army.csv").read_text(encoding="utf-8")
    assert with_table(tmp_path, text.replace(",", ";").replace("\n", "\r\n")) == []


def test_a_row_with_too_many_cells_is_a_finding(tmp_path: Path) -> None:
    found = with_table(tmp_path, HEAD + "north.1,inf,north,1,A,1,4,9\n")
    assert ("S161", 2) in [(f.code, spot(f)[1]) for f in found]


def test_two_rows_with_one_id_are_found(tmp_path: Path) -> None:
    text = (HARBOUR / "counters" / "army.csv").read_text(encoding="utf-8")
    found = with_table(tmp_path, text + "north.1,inf,north,7,,1,,\n")
    assert any("north.1" in f.message and spot(f)[:2] == ("counters/army.csv", 8) for f in found)


# An author's own picture, and the ground under a text


def with_picture(tmp_path: Path) -> Module:
    root = tmp_path / "harbour"
    copytree(HARBOUR, root)
    Image.new("RGBA", (300, 300), (32, 48, 58, 128)).save(root / "guard.png")
    file = root / "counters" / "counters.json"
    value = json.loads(file.read_text(encoding="utf-8"))
    value["types"][4].update(layout="own", picture="guard.png")
    file.write_text(json.dumps(value), encoding="utf-8")
    return module_of(root)


@pytest.mark.parametrize("space", ["rgb", "cmyk"])
def test_an_own_picture_keeps_its_pixels_and_what_is_see_through(tmp_path: Path, space: str) -> None:
    module = with_picture(tmp_path)
    reader = read(counter_pages(module, "en", settings_of(module)).pages, space)
    forms = [form.get_object() for form in reader.pages[0]["/Resources"]["/XObject"].values()]  # type: ignore[index]
    inner = [form["/Resources"].get("/XObject", {}) for form in forms if "/Resources" in form]
    images = [one.get_object() for found in inner for one in found.values()]
    images = [image for image in images if image.get("/Subtype") == "/Image"]
    assert images and all(image["/Width"] == 300 and "/SMask" in image for image in images)
    assert {image["/ColorSpace"] for image in images} == {"/DeviceRGB" if space == "rgb" else "/DeviceCMYK"}


def test_a_text_on_a_band_takes_its_ink_from_the_band(tmp_path: Path) -> None:
    def change(module: dict[str, Any], counters: dict[str, Any]) -> None:
        parts = module["layouts"]["plane"]["parts"]
        parts.insert(0, {"band": "#fafafa", "box": [0, 0, 40, 40]})  # south's ink on its blue fill is white
        parts[2]["ink"] = ink

    for ink, wrong in (("auto", False), ("#ffffff", True)):
        found = changed(tmp_path / ink.strip("#"), change)
        assert any(f.code == "D304" for f in found) == wrong


def test_a_missing_picture_is_found_at_its_line(tmp_path: Path) -> None:
    def of_the_layout(module: dict[str, Any], counters: dict[str, Any]) -> None:
        module["layouts"]["own"]["parts"][0]["picture"] = "art/gaurd.png"
        counters["types"][4]["layout"] = "own"

    def of_the_type(module: dict[str, Any], counters: dict[str, Any]) -> None:
        counters["types"][4].update(layout="own", picture="art/gaurd.png")

    places = [
        [
            f.place.path
            for f in changed(tmp_path / change.__name__, change)
            if f.place and "gaurd" in f.message
        ]
        for change in (of_the_layout, of_the_type)
    ]
    assert places == [[("layouts", "own", "parts", 0, "picture")], [("types", 4, "picture")]]


# Maps in print: pixels below, text above


def test_pixels_are_printed_in_the_same_inks_as_everything_else() -> None:
    colours = [(0, 0, 0), (128, 128, 128), (255, 255, 255), (200, 40, 30), (20, 90, 160), (91, 99, 70)]
    image = Image.new("RGB", (len(colours), 1))
    for n, colour in enumerate(colours):
        image.putpixel((n, 0), colour)
    made = in_cmyk(image)
    for n, colour in enumerate(colours):
        wanted = [round(v * 255) for v in cmyk(*colour)]
        found = made.getpixel((n, 0))
        assert isinstance(found, tuple)
        assert all(abs(a - b) <= 1 for a, b in zip(found, wanted, strict=True)), colour
    for n in range(3):
        found = made.getpixel((n, 0))
        assert isinstance(found, tuple) and found[:3] == (0, 0, 0)


def test_colours_near_grey_fade_out_without_a_step() -> None:
    image = Image.new("RGB", (60, 1))
    for n in range(60):
        image.putpixel((n, 0), (150, 150, 150 - n))
    yellow = [found[2] for n in range(60) if isinstance(found := in_cmyk(image).getpixel((n, 0)), tuple)]
    assert yellow[0] == 0 and yellow[-1] > 90
    assert all(0 <= b - a <= 5 for a, b in pairwise(yellow))


PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300" viewBox="0 0 400 300">'
    '<path d="M0 0H400V300H0Z" fill="#c4d8da"/><g transform="translate(40.0 20)">'
    '<text x="60" y="50" text-anchor="middle" font-family="Source Sans Pro" font-weight="700" font-size="30" fill="#000000">Moor</text></g>'
    '<text x="200" y="200" text-anchor="middle" font-family="Source Serif Pro" font-weight="600" font-size="26" fill="#2f4f6f" font-style="italic"'
    ' stroke="#ffffff" stroke-width="4" letter-spacing="6" paint-order="stroke" transform="rotate(-20 197 200)">Sea &amp; sky</text>'
    '<g transform="scale(2 1)"><text x="9" y="9" text-anchor="start" font-family="Source Sans Pro" font-weight="700" font-size="30" fill="#000000">no</text></g>'
    "</svg>"
)


def test_the_text_of_a_map_is_taken_out_of_its_picture() -> None:
    svg, words = parted(PICTURE)
    assert [one.text for one in words] == ["Moor", "Sea & sky"]
    assert (words[0].x, words[0].y, words[0].font, words[0].size) == (100, 70, SANS_BOLD, 30)
    assert (words[1].x, words[1].turn, words[1].halo, words[1].spacing) == (197, -20, "#ffffff", 6)
    assert svg.count("<text") == 1 and ">no<" in svg, "what a group distorts stays in the picture"


def test_pixels_and_text_together_look_like_the_picture() -> None:
    svg, words = parted(PICTURE)
    both = to_svg(Scene(400, 300, (Picture(f"data:image/png;base64,{_coded(svg)}", 0, 0, 400, 300), *words)))
    a, b = (Image.open(io.BytesIO(rasterise(one, 400, 300))).convert("L") for one in (PICTURE, both))
    assert ImageStat.Stat(ImageChops.difference(a, b)).rms[0] < 3
    bare = Image.open(io.BytesIO(rasterise(svg, 400, 300))).convert("L")
    assert ImageStat.Stat(ImageChops.difference(a, bare)).rms[0] > 10


def _coded(svg: str) -> str:
    return base64.b64encode(rasterise(svg, 400, 300)).decode()


@pytest.mark.parametrize("space", ["rgb", "cmyk"])
def test_a_printed_map_has_its_text_as_text_and_black_is_black_ink(harbour: Module, space: str) -> None:
    drawn = DrawnMap(PICTURE, 400, 300, {}, (), {}, 0, 50)
    pages = map_pages(harbour, "harbour", drawn, "en", Settings(colour=space))
    reader = read(pages, space)
    said = "".join(page.extract_text() for page in reader.pages)
    assert "Moor" in said and "sky" in said
    content = b"".join(
        page.get_contents().get_data() for page in reader.pages if page.get_contents() is not None
    )
    if space == "cmyk":
        assert b" rg" not in content and b"0 0 0 1 k" in content
        image = reader.pages[-1].images[0].image
        assert image is not None and image.mode == "CMYK"


@pytest.mark.parametrize("at_once", [10**8, 1])
def test_each_page_shows_its_part_of_the_map(
    harbour: Module, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drawn at once or part by part, the pages are what the whole map is there, and 300 dots an inch fine."""
    monkeypatch.setattr("compiler.sheets.maps.AT_ONCE", at_once)
    rows = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300" viewBox="0 0 400 300">',
        '<path d="M0 0H400V300H0Z" fill="#c4d8da"/>',
        '<g transform="translate(200 150)">',
        '<path d="M-180 -130L-20 -130L-20 -20Z" fill="#884422"/>',
        '<path d="M20 20L180 20L180 130Z" fill="#228844"/>',
        "</g>",
        '<path d="M300 20L390 20L390 100L300 100Z" fill="#222288"/>',
        "</svg>",
    ]
    svg = "\n".join(rows) + "\n"
    settings = Settings()
    drawn = DrawnMap(svg, 400, 300, {}, (), {}, 0, 10)  # a counter of 15 mm has 10 pixels: 600 × 450 mm
    pages = map_pages(harbour, "harbour", drawn, "en", settings)[1:]
    parts = tiles((600, 450), settings.size)
    assert len(pages) == len(parts) > 4
    whole = Image.open(io.BytesIO(rasterise(svg, 400, 300, 1.5))).convert("RGB")  # a pixel a mm
    for page, tile in zip(pages, parts, strict=True):
        image = Image.open(io.BytesIO(page.rasters[0].data))
        assert image.width / (tile.part.width / 25.4) == pytest.approx(300, rel=0.01)
        p = tile.part
        there = whole.crop((round(p.x), round(p.y), round(p.x + p.width), round(p.y + p.height)))
        difference = ImageChops.difference(image.convert("RGB").resize(there.size), there)
        assert max(ImageStat.Stat(difference).mean) < 3


def test_text_near_a_page_is_set_on_it_and_far_text_is_not() -> None:
    _, words = parted(PICTURE)
    assert [one.text for one in near(words, (-90, -90, 10, 10))] == ["Moor"]
    assert not list(near(words, (900, 0, 1300, 300)))
    assert [one.text for one in near(words, (0, 0, 400, 300))] == ["Moor", "Sea & sky"]


def test_a_printed_track_shows_the_opening_not_a_change_of_it() -> None:
    game = module_of(TOP / "modules_src" / "axis-and-allies-1941")
    assert list(game.scenarios) == ["errata", "official"] and game.opening is game.scenarios["official"]
