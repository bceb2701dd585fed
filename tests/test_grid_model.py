"""Hex maps as spaces, links and regions of the model."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

import pytest
from grid_maps import DATA, plain, read_clean, read_file, read_text
from test_grid_terrain import big

from compiler.findings import Place
from compiler.grid.hexmap import HexMap
from compiler.grid.model import Makers, to_model
from compiler.model.types import Link, Region, Source, Space

MAKE = Makers(Space, Link, Region)


@dataclass
class Plain:
    """Takes everything as written, and remembers what it was asked."""

    asked: list[tuple[str, Place]] = field(default_factory=list)
    words: list[tuple[str, str]] = field(default_factory=list)

    def values(self, kind: str, raw: Any, place: Place) -> dict[str, Any]:
        self.asked.append((kind, place))
        return {name: value for name, value in raw.items() if name not in ("id", "name", "owner", "spaces")}

    def word(self, name: str, word: str, place: Place) -> None:
        self.words.append((name, word))

    def power(self, value: object, place: Place) -> str | None:
        return value if isinstance(value, str) else None

    def source(self, raw: Any, place: Place) -> Source | None:
        return None


@pytest.fixture(scope="module")
def good() -> HexMap:
    return read_file(DATA / "good" / "three-sheets.json")[0]


def between(links: tuple[Link, ...], a: str, b: str) -> dict[str, tuple[str, ...]]:
    return {link.kind: link.tags for link in links if {link.a, link.b} == {a, b}}


def test_attributes_come_from_map_sheet_letter_and_entry(good: HexMap) -> None:
    spaces = {space.id: space for space in to_model(good, "three", Plain(), MAKE)[0]}
    assert len(spaces) == len(good)
    haven = spaces["A:0503"]
    assert haven.kind == "hex" and haven.map == "three"
    assert haven.values == {"terrain": "beach", "port": 2, "city": True}
    assert spaces["T:0201"].values == {"terrain": "clear", "factor": 2}


def test_every_touching_pair_has_a_grid_link_once(good: HexMap) -> None:
    links = [link for link in to_model(good, "three", Plain(), MAKE)[1] if link.kind == "grid"]
    pairs = {frozenset((link.a, link.b)) for link in links}
    want = {frozenset((good.ids[n], good.ids[m])) for n in range(len(good)) for m in good.around(n)}
    assert pairs == want and len(links) == len(want)


def test_ways_follow_the_letters_and_the_hexsides(good: HexMap) -> None:
    links = to_model(good, "three", Plain(), MAKE)[1]
    assert between(links, "A:0101", "A:0102") == {"grid": (), "land": ()}
    assert between(links, "A:0102", "A:0202") == {"grid": ("wall",)}  # a wall bars the land
    assert between(links, "A:0603", "A:0604") == {"grid": (), "sea": ()}
    assert between(links, "A:0503", "A:0603") == {"grid": (), "sea": ()}
    assert between(links, "A:0403", "A:0503") == {"grid": (), "land": (), "sea": ()}
    assert between(links, "A:0202", "A:0302") == {"grid": ("river",), "land": ("river",)}
    assert between(links, "A:0202", "A:0303") == {"grid": ("river", "border"), "land": ("river", "border")}


def test_a_strait_opens_a_way_and_a_road_over_a_river_has_the_river_as_tag() -> None:
    value = plain((1, 3), (1, 2), shape="flat", shifted="even", ids="{cc}{rr}")
    value["legend"] = {"c": {"terrain": "clear", "ways": ["land"]}, "~": {"ways": ["sea"]}}
    value["sheets"][0]["terrain"] = ["c~c", "ccc"]  # type: ignore[index]
    value["side_kinds"] = {"strait": {"opens": ["land"]}, "ford": {"bars": ["sea"]}}
    value["sides"] = [{"kind": "strait", "at": "0101/0201"}, {"kind": "river", "width": 2, "at": "0101/0102"}]
    value["lines"] = [{"kind": "rail", "id": "main", "gauge": "broad", "tags": ["double"], "path": "0101 S"}]
    links = to_model(read_clean(value), "m", Plain(), MAKE)[1]
    assert between(links, "0101", "0201") == {"grid": ("strait",), "land": ("strait",)}
    rail = next(link for link in links if link.kind == "rail")
    assert (rail.id, rail.tags, rail.values) == ("main", ("double", "river"), {"gauge": "broad"})
    assert next(link for link in links if "river" in link.tags).values == {"width": 2}


def test_regions_name_hexes_by_their_canonical_ids(good: HexMap) -> None:
    regions = {region.id: region for region in to_model(good, "three", Plain(), MAKE)[2]}
    assert regions["row_one"].kind == "zone" and "A:0701" in regions["row_one"].spaces
    assert regions["behind_wall"].values == {}


def test_what_hexes_share_is_read_once(good: HexMap) -> None:
    """Not once a hex: a letter, a sheet and an entry each have one reading."""
    resolver = Plain()
    to_model(good, "three", resolver, MAKE)
    assert len([kind for kind, _ in resolver.asked if kind == "space"]) <= 4 + 2 * 3 + len(good.entries)
    assert sorted(set(resolver.words)) == sorted(resolver.words)
    assert ("kind", "grid") in resolver.words and ("tags", "river") in resolver.words


def test_fifty_thousand_hexes_in_a_moment() -> None:
    map, findings = read_text(json.dumps(big(501, 100)))
    assert not findings
    start = time.process_time()
    spaces, links, _ = to_model(map, "m", Plain(), MAKE)
    assert len(spaces) == 50_100 and len(links) > 300_000
    assert time.process_time() - start < 10
