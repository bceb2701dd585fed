"""docs/counters.md and the pictures of docs/gallery.md are made from the compiler. VMODC_UPDATE_DOCS=1 makes them again."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest
from gallery import PICTURES
from PIL import Image, ImageChops, ImageStat

from compiler.draw import nato
from compiler.draw.counters import KINDS_OF_PART, silhouettes
from compiler.schema import load

DOCS = Path(__file__).parent.parent / "docs"
UPDATE = bool(os.environ.get("VMODC_UPDATE_DOCS"))
TABLE = re.compile(r"<!-- nato -->\n.*?<!-- end nato -->", re.DOTALL)


def test_the_table_of_symbols_is_up_to_date() -> None:
    page = DOCS / "counters.md"
    text = page.read_text(encoding="utf-8")
    wanted = TABLE.sub(f"<!-- nato -->\n{nato.table()}<!-- end nato -->", text)
    if UPDATE:
        page.write_text(wanted, encoding="utf-8", newline="\n")
    assert page.read_text(encoding="utf-8") == wanted


def test_the_page_names_every_part_and_setting() -> None:
    text = (DOCS / "counters.md").read_text(encoding="utf-8")
    assert [kind for kind in KINDS_OF_PART if f'`"{kind}"' not in text] == []
    sheets = load("module")["properties"]["sheets"]["properties"]  # type: ignore[index]
    assert [name for name in sheets if f"`{name}`" not in text and name != "note"] == []


@pytest.mark.parametrize("name", PICTURES)
def test_the_gallery_shows_what_is_drawn(name: str) -> None:
    data = PICTURES[name]()
    file = DOCS / "gallery" / f"{name}.png"
    if UPDATE:
        file.write_bytes(data)
    assert f"gallery/{name}.png" in (DOCS / "gallery.md").read_text(encoding="utf-8")
    there, now = (Image.open(io.BytesIO(one)).convert("RGB") for one in (file.read_bytes(), data))
    assert there.size == now.size
    assert max(ImageStat.Stat(ImageChops.difference(there, now)).mean) < 1


def test_there_are_enough_silhouettes() -> None:
    names = list(silhouettes())
    aircraft = names[names.index("fighter") : names.index("helicopter") + 1]
    ships = names[names.index("torpedo_boat") :]
    vehicles = names[1 : names.index("fighter")]
    assert len(aircraft) >= 12 and len(ships) >= 10 and len(vehicles) >= 8
