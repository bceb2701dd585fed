"""Counters: what is drawn, whether it can be read, and what an author hears when it cannot."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from PIL import Image

from compiler.check import check
from compiler.draw.colour import alike, contrast, ink_on
from compiler.draw.counters import counter_findings, draw_counter, layout_of, silhouettes
from compiler.draw.raster import rasterise
from compiler.model.types import Module
from compiler.source import locate

GAME = Path(__file__).parent.parent / "modules_src" / "axis-and-allies-1941"
Change = Callable[[dict[str, Any], dict[str, Any]], None]


def module_of(root: Path) -> Module:
    module = check(root, str(root)).module
    assert module is not None
    return module


@pytest.fixture(scope="module")
def game() -> Module:
    return module_of(GAME)


def changed(tmp_path: Path, change: Change) -> Module:
    """The game with its layouts and counter file changed."""
    root = tmp_path / "game"
    copytree(GAME, root)
    files = [root / "module.json", root / "counters" / "units.json"]
    values = [json.loads(f.read_text(encoding="utf-8")) for f in files]
    change(values[0], values[1])
    for file, value in zip(files, values, strict=True):
        file.write_text(json.dumps(value), encoding="utf-8")
    return module_of(root)


def picture(svg: str, size: int) -> Image.Image:
    return Image.open(io.BytesIO(rasterise(svg, size, size)))


def test_the_game_has_no_counter_finding(game: Module) -> None:
    assert counter_findings(game) == []


def test_what_a_layout_adds_lies_on_the_parts_of_the_one_it_is_like(tmp_path: Path) -> None:
    def change(module: dict[str, Any], _: dict[str, Any]) -> None:
        module["layouts"]["one"] = {"parts": [{"text": "1"}]}
        module["layouts"]["two"] = {"like": "one", "add": [{"text": "2"}]}
        module["layouts"]["three"] = {"like": "two", "add": [{"text": "3"}]}
        module["layouts"]["own"] = {"like": "two", "parts": [{"text": "4"}]}
        module["layouts"]["plain"] = {"add": [{"text": "5"}]}

    module = changed(tmp_path, change)
    texts = {
        name: [p.get("text") for p in layout_of(module, name)["parts"]] for name in module.raw["layouts"]
    }
    assert texts["three"] == ["1", "2", "3"]
    assert texts["own"] == ["4"]
    assert texts["plain"] == ["{name}", "5"]


def test_every_counter_has_a_front_and_the_battleship_a_damaged_side(game: Module) -> None:
    assert [f.name for f in draw_counter(game, "ge.bb", "en")] == ["front", "damaged"]
    assert all(draw_counter(game, id, "fr")[0].name == "front" for id in game.counters)


def test_the_colour_under_the_counter_is_its_power_s(game: Module) -> None:
    for power in game.powers.values():
        face = draw_counter(game, f"{power.id}.inf", "en", 60)[0]
        r, g, b, _ = picture(face.svg, 60).convert("RGBA").getpixel((50, 12))  # type: ignore[misc]
        assert f"#{r:02x}{g:02x}{b:02x}" == power.colour


def test_sides_differ_by_shape(game: Module) -> None:
    """The corner of an Axis counter is cut further than that of an Allied one."""
    corner = {
        id: picture(draw_counter(game, id, "en", 60)[0].svg, 60).convert("RGBA").getpixel((5, 5))
        for id in ("ge.inf", "us.inf")
    }
    assert corner["ge.inf"][3] < 128 < corner["us.inf"][3]  # type: ignore[index]


def test_values_are_written_on_the_counter(game: Module) -> None:
    svg = draw_counter(game, "ge.tank", "en")[0].svg
    assert ">3-3-2<" in svg and ">G<" in svg


def test_silhouettes_are_told_apart_at_40_pixels() -> None:
    """Of any two silhouettes at least a tenth of the joint area is different ink."""
    shapes = {}
    for name, paths in silhouettes().items():
        drawn = "".join(f'<path d="{d}" fill-rule="evenodd"/>' for d in paths)
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60" width="40" height="24">{drawn}</svg>'
        alpha = Image.open(io.BytesIO(rasterise(svg, 40, 24))).getchannel("A")
        shapes[name] = [v > 100 for v in alpha.tobytes()]
    for a, b in combinations(shapes, 2):
        pairs = list(zip(shapes[a], shapes[b], strict=True))
        assert sum(x != y for x, y in pairs) > 0.1 * sum(x or y for x, y in pairs), (a, b)


def test_contrast_is_the_wcag_ratio() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert ink_on("#102030") == "#fdfdfb" and ink_on("#f0e0a0") == "#141414"


def test_red_and_green_fall_together_for_some_eyes() -> None:
    assert alike({"a": "#8a6a2a", "b": "#6f7a2a"}) != []
    assert alike({"a": "#202020", "b": "#f0f0f0"}) == []


def test_the_same_counter_gives_the_same_bytes(game: Module) -> None:
    one, two = (draw_counter(game, "ja.cv", "en")[0].svg for _ in range(2))
    assert rasterise(one, 60, 60) == rasterise(two, 60, 60)


BAD: dict[str, tuple[str, Change]] = {
    "layout misspelt": ("D301", lambda m, c: c["types"][0].update(layout="unti")),
    "layout of one counter misspelt": ("D301", lambda m, c: c["counters"][0].update(layout="unti")),
    "layout of a face misspelt": ("D301", lambda m, c: c["types"][0].update(faces={"back": "unti"})),
    "like misspelt": ("D301", lambda m, c: m["layouts"]["unit_damaged"].update(like="unti")),
    "part of nothing": ("D302", lambda m, c: m["layouts"]["unit"]["parts"].append({"txt": "x"})),
    "silhouette misspelt": ("D303", lambda m, c: c["types"][1].update(silhouette="tnak")),
    "silhouette missing": ("D303", lambda m, c: c["types"][1].pop("silhouette")),
    "grey on grey": ("D304", lambda m, c: m["layouts"]["unit"]["parts"][2].update(ink="#666666")),
    "text too wide": (
        "D305",
        lambda m, c: m["layouts"]["unit"]["parts"][2].update(text="{attack} attacks when it can"),
    ),
    "no such character": ("D306", lambda m, c: m["layouts"]["unit"]["parts"][2].update(text="☃")),
    "no such picture": (
        "D307",
        lambda m, c: m["layouts"]["unit"]["parts"].append({"picture": "art/none.png"}),
    ),
    "picture outside": (
        "D307",
        lambda m, c: m["layouts"]["unit"]["parts"].append({"picture": "../../etc/passwd"}),
    ),
    "powers alike": ("D308", lambda m, c: [p.update(colour="#556655") for p in m["powers"][:2]]),
}


HARBOUR = Path(__file__).parent / "data" / "harbour"
SLIPS = [
    ("module.json", "{attack}-{defence}-{move}", "{attack-{defence}-{move}", "D309"),
    ("module.json", '"like": "unit"', '"like": "unit_reduced"', "D301"),
    ("module.json", '"pips": 1', '"pips": "many"', "D309"),
    ("module.json", '"mark": "star"', '"mark": "stra"', "D309"),
    ("module.json", '"along": "left"', '"along": "lft"', "D309"),
    ("module.json", '"corner": "top-right"', '"corner": "topright"', "D309"),
    ("module.json", '"turn": "counter-clockwise"', '"turn": "widdershins"', "D309"),
    ("counters/army.csv", '"raised late, stronger"', '"raised late, stronger', "S161"),
]


@pytest.mark.parametrize(("file", "right", "wrong", "code"), SLIPS, ids=[wrong for _, _, wrong, _ in SLIPS])
def test_a_slip_in_a_layout_or_table_is_told_once_at_its_line(
    file: str, right: str, wrong: str, code: str, tmp_path: Path
) -> None:
    root = tmp_path / "harbour"
    copytree(HARBOUR, root)
    text = (root / file).read_text(encoding="utf-8")
    assert right in text
    (root / file).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    result = check(root, root.as_posix())
    found = [*result.findings, *(counter_findings(result.module) if result.module else [])]
    lines = [
        (Path(f.place.document.name).name, locate([f.place])[f.place].line)
        for f in found
        if f.code == code and f.place is not None
    ]
    assert lines == [(Path(file).name, text[: text.index(right)].count("\n") + 1)]


@pytest.mark.parametrize("name", BAD)
def test_bad_counters_are_findings(name: str, tmp_path: Path) -> None:
    code, change = BAD[name]
    assert code in {f.code for f in counter_findings(changed(tmp_path, change))}


def test_an_author_s_own_picture_is_the_face(tmp_path: Path) -> None:
    root = tmp_path / "game"
    copytree(GAME, root)
    Image.new("RGB", (20, 20), "#12ab34").save(root / "guard.png")
    module = json.loads((root / "module.json").read_text(encoding="utf-8"))
    module["layouts"]["unit"]["parts"] = [{"picture": "guard.png", "box": [0, 0, 100, 100]}]
    (root / "module.json").write_text(json.dumps(module), encoding="utf-8")
    face = draw_counter(module_of(root), "ge.inf", "en", 60)[0]
    assert picture(face.svg, 60).convert("RGB").getpixel((30, 30)) == (0x12, 0xAB, 0x34)
