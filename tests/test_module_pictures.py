"""Counter pictures in the module: sharp at any zoom without our fonts, stored once, and the old ones kept for old saves."""

from __future__ import annotations

import base64
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
from PIL import Image, ImageChops, ImageStat

from compiler.draw.counters import counter_sides
from compiler.draw.glyphs import plain_svg
from compiler.draw.raster import lean, rasterise
from compiler.draw.scene import to_svg
from compiler.findings import Place
from compiler.model import build
from compiler.model.types import Counter, Module
from compiler.source import read
from compiler.source.document import Document
from compiler.vassal.build import Built, build_module
from compiler.vassal.drawings import Drawn
from compiler.vassal.lock import Lock, LockedPiece, locked, with_pieces, written
from compiler.vassal.plan import Plan, plan_module
from compiler.vassal.reader import open_archive
from tests.test_vassal_support import StandIn, small_module

HARBOUR = Path(__file__).parent / "data" / "harbour"
HERE = Place(Document("counters.json", "{}", {}))


def module_at(root: Path) -> Module:
    docs, _ = read(root, str(root))
    module, _ = build(docs, root, [])
    assert module is not None
    return module


@pytest.fixture(scope="module")
def harbour() -> Module:
    return module_at(HARBOUR)


def counters(*ids: str) -> dict[str, Counter]:
    return {id: Counter(id, "foot", None, None, {}, {}, HERE) for id in ids}


def seen(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, "#ffffff"), image).convert("L")


def test_the_drawing_in_the_module_needs_no_font_and_looks_the_same(harbour: Module) -> None:
    said = 0
    for id in harbour.counters:
        for side in counter_sides(harbour, id, "en", 60):
            written_svg, drawn = to_svg(side.scene), plain_svg(side.scene)
            said += written_svg.count("<text")
            assert "<text" not in drawn and "<title" not in drawn and "font" not in drawn
            size = round(side.scene.width), round(side.scene.height)
            a, b = (seen(rasterise(svg, *size, 2.0)) for svg in (written_svg, drawn))
            assert ImageStat.Stat(ImageChops.difference(a, b)).rms[0] < 9, id
    assert said > 30


def test_letters_are_drawn_where_they_were_measured() -> None:
    from compiler.draw import fonts
    from compiler.draw.glyphs import outline

    d = outline(fonts.SANS_BOLD, "H8", 10, 50, 20)
    xs = [float(x) for x, _ in re.findall(r"(-?[\d.]+)[ ,](-?[\d.]+)", d)]
    assert 10 < min(xs) < 12.5
    assert max(xs) < 10 + fonts.width(fonts.SANS_BOLD, "H8", 20)
    assert outline(fonts.SANS_BOLD, " ", 0, 0, 20) == ""


def test_an_own_picture_goes_along_at_twice_the_size_it_is_shown(tmp_path: Path) -> None:
    root = Path(copytree(HARBOUR, tmp_path / "harbour"))
    Image.new("RGB", (400, 400), "#20303a").save(root / "guard.png")
    value = json.loads((root / "counters" / "counters.json").read_text(encoding="utf-8"))
    value["types"][4].update(layout="own", picture="guard.png")
    (root / "counters" / "counters.json").write_text(json.dumps(value), encoding="utf-8")
    module = module_at(root)
    id = next(id for id, counter in module.counters.items() if counter.type == value["types"][4]["id"])
    drawn = plain_svg(counter_sides(module, id, "en", 60)[0].scene)
    found = re.search(
        r'width="([\d.]+)" height="([\d.]+)"[^>]* xlink:href="data:image/png;base64,([^"]+)"', drawn
    )
    assert found is not None and 'xmlns:xlink="' in drawn
    image = Image.open(io.BytesIO(base64.b64decode(found[3])))
    assert image.size == (round(float(found[1]) * 2), round(float(found[2]) * 2)) == (120, 120)
    assert seen(rasterise(drawn, 60, 60)).getpixel((15, 15)) == seen(rasterise(drawn, 60, 60)).getpixel(
        (45, 12)
    )


def test_few_colours_become_a_palette_without_any_change() -> None:
    flat = Image.new("RGBA", (60, 60), (90, 120, 60, 255))
    flat.paste((250, 250, 240, 128), (10, 10, 30, 30))
    flat.putpixel((0, 0), (0, 0, 0, 0))
    out = io.BytesIO()
    flat.save(out, "PNG", compress_level=1)
    small = lean(out.getvalue())
    assert len(small) < len(out.getvalue())
    again = Image.open(io.BytesIO(small))
    assert again.mode == "P"
    assert again.convert("RGBA").tobytes() == flat.tobytes()


def test_many_colours_stay_as_they_are() -> None:
    out = io.BytesIO()
    Image.linear_gradient("L").convert("RGB").transpose(Image.Transpose.ROTATE_90).save(out, "PNG")
    assert lean(out.getvalue()) == lean(lean(out.getvalue()))
    many = Image.merge(
        "RGB",
        (Image.linear_gradient("L"), Image.linear_gradient("L").rotate(90), Image.new("L", (256, 256), 9)),
    )
    out = io.BytesIO()
    many.save(out, "PNG")
    assert lean(out.getvalue()) is out.getvalue() or lean(out.getvalue()) == out.getvalue()


def test_faces_that_look_the_same_are_stored_once() -> None:
    lock = with_pieces(Lock(), counters("a", "b", "c"), {"a": ["x", "back"], "b": ["y", "back"], "c": ["x"]})
    assert [lock.pieces[id].images for id in "abc"] == [
        ("a.svg", "a-2.svg"),
        ("b.svg", "a-2.svg"),
        ("a.svg",),
    ]


def test_faces_that_come_to_differ_part_again() -> None:
    first = with_pieces(Lock(), counters("a", "b"), {"a": ["x"], "b": ["x"]})
    assert first.pieces["b"].images == ("a.svg",)
    for looks in ({"a": ["x"], "b": ["z"]}, {"a": ["z"], "b": ["x"]}):
        then = with_pieces(first, counters("a", "b"), looks)
        assert (then.pieces["a"].images, then.pieces["b"].images) == (("a.svg",), ("b.svg",))


def test_pixels_stay_pixels_until_the_version_is_raised() -> None:
    old = Lock("1.0.0", 3, {"a": LockedPiece("1", ("a.png", "a-2.png"))})
    same = with_pieces(old, counters("a"), {"a": ["x", "y"]}, "1.0.0")
    assert same.pieces["a"] == LockedPiece("1", ("a.png", "a-2.png"))
    higher = with_pieces(old, counters("a"), {"a": ["x", "y"]}, "1.1.0")
    assert higher.pieces["a"] == LockedPiece("1", ("a.svg", "a-2.svg"), ("a.png", "a-2.png"))
    assert locked(written(higher), None)[0].pieces == higher.pieces
    later = with_pieces(replace(higher, version="1.1.0"), counters("a"), {"a": ["x", "y"]}, "1.2.0")
    assert later.pieces == higher.pieces


def test_the_module_holds_the_pictures_that_old_saves_quote() -> None:
    module = small_module(version="1.1.0")
    first = with_pieces(
        Lock(), module.counters, {id: [""] * (2 if id.endswith("tower") else 1) for id in module.counters}
    )
    pixels = {
        id: LockedPiece(item.gpid, tuple(name.replace(".svg", ".png") for name in item.images))
        for id, item in first.pieces.items()
    }
    made = build_module(module, "en", StandIn(), replace(first, version="1.0.0", pieces=pixels))
    assert isinstance(made, Built), made
    with open_archive(made.vmod) as archive:
        files = {entry.name for entry in archive.entries}
    assert {"images/north-foot.svg", "images/north-foot.png", "images/north-tower-2.png"} <= files
    assert not made.findings


def test_the_mouse_over_reads_what_is_printed(harbour: Module) -> None:
    plan = plan_module(harbour, "en", Drawn(harbour), Lock(), 0)
    assert isinstance(plan, Plan)
    texts = [node.text for node in plan.tree.all("w.PieceSlot")]
    side = {id: counter_sides(harbour, id, "en", 60)[0] for id in harbour.counters}
    told = {id: one.words for id, one in side.items() if one.words}
    assert any(words.count("-") == 2 for words in told.values())
    for words in told.values():
        assert any(words in text for text in texts), words
    viewer = next(n for n in plan.tree.all("m.map.CounterDetailViewer") if n.get("description") == "stack")
    assert "$PieceName$" in viewer.get("counterReportFormat") and "$Printed$" in viewer.get(
        "counterReportFormat"
    )
