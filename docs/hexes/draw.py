"""Draws the pictures of docs/hexes.md: `python docs/hexes/draw.py`, run from the top of the repository.

In: features.json, island.json and parts.json beside this file, the hex template and the good module of three sheets. Out: one PNG a picture.
"""

from __future__ import annotations

import io
import json
import shutil
import tempfile
from pathlib import Path

from PIL import Image

from compiler.check import check
from compiler.draw import DrawnMap, draw_map, rasterise
from compiler.init import HEX, template
from compiler.model.types import Module

HERE = Path(__file__).parent

# Picture: the map, the style, the two hexes at the corners, and how much is shown round them, in hexes.
PICTURES = {
    "terrain": ("features", "print", "0101", "1604", 0.55),
    "coast": ("features", "print", "1204", "1609", 0.6),
    "sides": ("features", "print", "0105", "0708", 0.55),
    "lines": ("features", "print", "0105", "1009", 0.55),
    "signs": ("features", "print", "0707", "1309", 0.6),
    "contrast": ("features", "contrast", "0704", "1609", 0.55),
    "island": ("island", "print", "0101", "0905", 0.6),
    "parts": ("parts", "print", "0101", "0803", 0.55),
    "sheets": ("three", "print", "T:0303", "B:0501", 0.8),
}


CAPITALS = {"features": ("1203", "0909"), "island": ("0403", "0503"), "parts": ("0103", "0801")}


def module_with(name_of_map: str, folder: Path) -> Module:
    """The hex template with one of the maps here, its vocabulary widened to the words of that map."""
    for path, text in template(HEX):
        if path.parts[0] in ("counters", "charts") or path.name == "module.json":
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    value = json.loads((HERE / f"{name_of_map}.json").read_text(encoding="utf-8"))
    main = json.loads((folder / "module.json").read_text(encoding="utf-8"))
    words = main["vocabulary"]
    words["space"]["terrain"] = sorted({letter["terrain"] for letter in value["legend"].values()})
    words["space"] |= {"factory": "number", "resource": "number"}
    words["link"] |= {
        "kind": ["grid", "land", "sea", *sorted({line["kind"] for line in value["lines"]})],
        "tags": sorted({side["kind"] for side in value["sides"]} | {"river"}),
        "gauge": ["narrow"],
    }
    main["powers"][0]["capital"], main["powers"][1]["capital"] = CAPITALS[name_of_map]
    (folder / "maps").mkdir()
    for more in ("coast", "relief", "picture"):
        if (HERE / f"{name_of_map}.{more}.json").is_file():
            shutil.copy(HERE / f"{name_of_map}.{more}.json", folder / "maps" / f"shores.{more}.json")
    (folder / "maps" / "shores.json").write_text(json.dumps(value), encoding="utf-8")
    (folder / "module.json").write_text(json.dumps(main), encoding="utf-8")
    result = check(folder, folder.as_posix())
    wrong = [
        finding.message for finding in result.findings if finding.code[0] in "HJN" and finding.code != "N533"
    ]
    assert result.module is not None and not [text for text in wrong if "never" not in text], wrong
    return result.module


def crop(drawn: DrawnMap, corners: tuple[str, str], wide: float) -> Image.Image:
    image = Image.open(io.BytesIO(rasterise(drawn.svg, drawn.width, drawn.height))).convert("RGB")
    points = [drawn.spaces[id].anchor for id in corners]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    by = wide * 100
    box = (min(xs) - by, min(ys) - by, max(xs) + by, max(ys) + by)
    left, top, right, bottom = (round(n) for n in box)
    return image.crop((max(0, left), max(0, top), min(image.width, right), min(image.height, bottom)))


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        modules = {
            "features": (module_with("features", Path(name) / "features"), "shores"),
            "island": (module_with("island", Path(name) / "island"), "shores"),
            "parts": (module_with("parts", Path(name) / "parts"), "shores"),
            "three": (check(HERE.parent.parent / "tests/good/hexes", "tests/good/hexes").module, "three"),
        }
        for picture, (which, style, first, last, wide) in PICTURES.items():
            module, map_id = modules[which]
            assert module is not None
            made = crop(draw_map(module, map_id, "en", style), (first, last), wide)
            made.quantize(128, dither=Image.Dither.NONE).save(HERE / f"{picture}.png", optimize=True)


if __name__ == "__main__":
    main()
