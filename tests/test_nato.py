"""NATO symbols: every word that may be asked for is drawn as milsymbol draws it."""

from __future__ import annotations

import io
import re
from itertools import combinations

import pytest
from milsymbol import Symbol as Reference
from PIL import Image

from compiler.draw import nato
from compiler.draw.raster import rasterise
from compiler.draw.scene import Group, Item, Path, Scene, Words, to_svg


def every() -> list[dict[str, object]]:
    """Each branch alone and with each quality it may have, and each echelon."""
    out: list[dict[str, object]] = [{"branch": name} for name in nato.BRANCHES]
    for key, quality in nato.QUALITIES.items():
        out += [{"branch": name, key: True} for name in quality.branches or nato.BRANCHES]
    return [*out, *({"branch": "armour", "echelon": name, "motorised": True} for name in nato.ECHELONS)]


def paths(items: tuple[Item, ...]) -> list[str]:
    found: list[str] = []
    for item in items:
        if isinstance(item, Group):
            found += paths(item.items)
        elif isinstance(item, Path):
            found.append(item.d)
    return found


def words(items: tuple[Item, ...]) -> list[str]:
    inner = [word for item in items if isinstance(item, Group) for word in words(item.items)]
    return inner + [item.text for item in items if isinstance(item, Words)]


@pytest.mark.parametrize(
    "data", every(), ids=lambda data: " ".join(str(v) if v is not True else k for k, v in data.items())
)
def test_the_symbol_is_the_library_s_own(data: dict[str, object]) -> None:
    symbol, mistakes = nato.read(data)
    assert symbol is not None and mistakes == ()
    reference = Reference(symbol.sidc)
    assert reference.is_valid()
    drawn = nato.drawing(symbol, "#111111", "#eeeeee")
    own = re.findall(r'<path d="([^"]*)"', reference.as_svg())
    assert [d for d in paths(drawn.items) if d in own] == own
    assert set(re.findall(r">([^<>]+)</text>", reference.as_svg())) <= set(words(drawn.items))


def test_two_branches_never_look_the_same_but_for_scouts_on_horses() -> None:
    looks = {name: (nato.read({"branch": name})[0]) for name in nato.BRANCHES}
    same = {(a, b) for a, b in combinations(looks, 2) if looks[a] == looks[b]}
    assert same == {("cavalry", "reconnaissance")}


def test_every_quality_changes_the_symbol() -> None:
    for key, quality in nato.QUALITIES.items():
        name = (quality.branches or ("infantry",))[0]
        assert nato.read({"branch": name, key: True})[0] != nato.read({"branch": name})[0], key


def test_colours_are_those_asked_for() -> None:
    symbol, _ = nato.read({"branch": "armour", "echelon": "corps", "motorised": True})
    assert symbol is not None
    drawn = nato.drawing(symbol, "#102030", "#e0c080")
    scene = Scene(
        drawn.width, drawn.height, (Group(drawn.items, transform=f"translate({-drawn.x} {-drawn.y})"),)
    )
    image = Image.open(io.BytesIO(rasterise(to_svg(scene), 158, 148))).convert("RGBA")
    assert image.getpixel((15, 60)) == (0xE0, 0xC0, 0x80, 255)
    assert image.getpixel((4, 100)) == (0x10, 0x20, 0x30, 255)  # the frame


def test_the_echelon_is_readable_on_the_counter_s_own_colour() -> None:
    symbol, _ = nato.read({"branch": "armour", "echelon": "corps"})
    assert symbol is not None
    echelon = nato.drawing(symbol, "#111111", "#e0c080", "#fefefe").items[-1]
    assert isinstance(echelon, Group) and isinstance(echelon.items[0], Path)
    assert echelon.items[0].stroke == "#fefefe"


@pytest.mark.parametrize(
    ("data", "key", "help"),
    [
        ({}, None, "infantry"),
        ({"branch": "armor"}, "branch", "armour"),
        ({"branch": "armour", "echelon": "korps"}, "echelon", "corps"),
        ({"branch": "armour", "motorized": True}, "motorized", "motorised"),
        ({"branch": "armour", "motorised": "yes"}, "motorised", ""),
        ({"branch": "supply", "construction": True}, "construction", "engineer"),
        ({"branch": "infantry", "motorised": True, "mountain": True}, "mountain", "leave out"),
        ({"branch": "infantry", "mechanised": True, "amphibious": True}, "amphibious", "leave out"),
        ({"branch": "infantry", "letters": "SS", "marine": True}, "marine", "letters"),
    ],
)
def test_wrong_words_are_told_with_a_way_out(data: dict[str, object], key: str | None, help: str) -> None:
    symbol, mistakes = nato.read(data)
    assert symbol is None
    assert mistakes[0].key == key and help in (mistakes[0].help or "")
