"""The workshop module uses every feature of the VASSAL output. The list of features is read from the schemas.

A property that a schema gains is a feature from then on: without a use in tests/good/workshop a test here fails. What
the engine makes of the module is proved in tests/test_vassal_verify.py, where an engine is installed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from compiler.check import check
from compiler.draw.displays import KINDS
from compiler.vassal.archive import build_time
from compiler.vassal.build import Built, build_plan
from compiler.vassal.drawings import Drawn
from compiler.vassal.elements import Element
from compiler.vassal.furnishing import VIEW
from compiler.vassal.lock import Lock
from compiler.vassal.orders import KEYS
from compiler.vassal.plan import Plan, plan_module
from compiler.vassal.reader import open_archive

HERE = Path(__file__).parent
WORKSHOP = HERE / "good" / "workshop"
SCHEMAS = HERE.parent / "schemas"

# What a source says for its author, for a printer or for the checks of rules: nothing of it goes into a module file.
FOR_THE_AUTHOR = frozenset(
    {"$schema", "note", "source", "sources", "include", "section", "provenance", "stage"}
)
ELSEWHERE = frozenset({"sheets", "layouts", "vocabulary", "format", "weather", "facts", "held", "state", "rules",
                       "acknowledged", "moment", "moments", "picture", "rounds", "enemies", "at_war"})  # fmt: skip
SOURCES = {
    "module": "module.json",
    "scenario": "scenarios/*.json",
    "sequence": "sequence.json",
    "chart": "charts/*.json",
}


@cache
def schema(name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True)
class Node:
    """A part of a schema: what it says, the schema in which it stands, and what it is called in the list of features."""

    value: Mapping[str, Any]
    home: str
    name: str

    def at(self, inner: Mapping[str, Any], name: str) -> Node:
        """A part of it. What several places share has the same name in all of them, and is one feature."""
        home = self.home
        while "$ref" in inner:
            file, _, path = str(inner["$ref"]).partition("#")
            home = file.removesuffix(".schema.json") or home
            target: Any = schema(home)
            for step in path.strip("/").split("/"):
                target = target[step] if step else target
            if "properties" in target:
                name = path.rpartition("/")[2]
            inner = {**target, **{key: value for key, value in inner.items() if key != "$ref"}}
        return Node(inner, home, name)

    def branches(self) -> Iterator[Node]:
        yield self
        for key in ("oneOf", "anyOf"):
            for inner in self.value.get(key, ()):
                yield from self.at(inner, self.name).branches()

    def properties(self) -> dict[str, Node]:
        return {
            name: branch.at(inner, f"{branch.name}.{name}")
            for branch in self.branches()
            for name, inner in branch.value.get("properties", {}).items()
            if name not in FOR_THE_AUTHOR and name not in ELSEWHERE
        }

    def items(self) -> list[Node]:
        lists = [branch for branch in self.branches() if isinstance(branch.value.get("items"), dict)]
        return [branch.at(branch.value["items"], branch.name) for branch in lists]

    def words(self) -> Iterator[str]:
        for branch in self.branches():
            yield from (f"{branch.name}={json.dumps(word)}" for word in branch.value.get("enum", ()))


def features(node: Node, seen: set[str]) -> Iterator[str]:
    """Every property below a schema, and every word of a property that has a choice of words."""
    yield from node.words()
    for inner in node.items():
        yield from features(inner, seen)
    for name, inner in node.properties().items():
        feature = f"{node.name}.{name}"
        if feature not in seen:
            seen.add(feature)
            yield feature
            yield from features(inner, seen)


def uses(value: object, node: Node) -> Iterator[str]:
    """The features that a source has."""
    if isinstance(value, dict):
        for name, inner in node.properties().items():
            if name in value:
                yield f"{node.name}.{name}"
                yield from uses(value[name], inner)
    elif isinstance(value, list):
        for item in value:
            for inner in node.items():
                yield from uses(item, inner)
    else:
        yield from (word for word in node.words() if word.endswith(f"={json.dumps(value)}"))


def top(name: str) -> Node:
    return Node(schema(name), name, name)


@cache
def used(name: str) -> frozenset[str]:
    found: set[str] = set()
    for path in WORKSHOP.glob(SOURCES[name]):
        found.update(uses(json.loads(path.read_text(encoding="utf-8")), top(name)))
    return frozenset(found)


LISTED = sorted({(name, feature) for name in SOURCES for feature in features(top(name), set())})


def test_the_list_of_features_is_not_empty() -> None:
    assert len(LISTED) > 150
    for feature in (
        "group.hidden",
        "deck.look",
        "module.windows.vassal.choose",
        "module.dice.vassal.symbols",
    ):
        assert ("module", feature) in LISTED


@pytest.mark.parametrize(("name", "feature"), LISTED, ids=lambda part: part)
def test_every_feature_is_used_in_the_workshop(name: str, feature: str) -> None:
    assert feature in used(name), f"nothing in {SOURCES[name]} of the workshop module uses {feature}"


def test_every_cell_of_a_display_is_used() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WORKSHOP.glob("maps/*.picture.json"))
    assert [kind for kind in (*KINDS, "title", "share", "size") if f'"{kind}":' not in text] == []


@cache
def planned(language: str) -> Plan:
    module = check(WORKSHOP, WORKSHOP.as_posix()).module
    assert module is not None
    plan = plan_module(module, language, Drawn(module), Lock(), build_time())
    assert isinstance(plan, Plan)
    return plan


@cache
def built(language: str) -> Built:
    """Without pixels: a picture is its name."""
    return build_plan(planned(language), lambda pictures: dict.fromkeys(pictures, b""), build_time())


def named(language: str, kind: str) -> list[Element]:
    return list(planned(language).tree.all(kind))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_workshop_is_planned_without_a_finding(language: str) -> None:
    assert planned(language).findings == ()


def test_windows_for_all_for_some_and_for_one() -> None:
    assert [node.get("mapName") for node in named("en", "m.Map")] == ["Map", "Field", "Home front"]
    private = named("en", "m.PrivateMap")[0]
    assert (private.get("side"), private.get("visible")) == ("Northland,Solitaire", "true")
    assert named("en", "m.PlayerHand")[0].get("side") == "The Blues,Solitaire"
    assert [node.get("name") for node in named("en", "m.ChartWindow")] == ["tables", "fire", "Charts"]


def test_a_scenario_lays_out_the_boards_it_names() -> None:
    by_id = {item.scenario: item.setup for item in planned("en").setups}
    assert by_id["spring"].boards["Home front"] == (("factory", 0, 0), ("seas", 1, 0))
    assert by_id["summer"].boards["Home front"] == (("seas", 1, 0),)
    at = {
        item.scenario: [(piece.x, piece.y) for piece in item.expected if piece.space == "gulf_1"]
        for item in planned("en").setups
    }
    width = next(node for node in named("en", "m.map.boardPicker.Board") if node.get("name") == "factory")
    size = planned("en").pictures[width.get("image")].width
    assert [(x + size, y) for x, y in at["summer"]] == at["spring"]


def test_an_empty_map_asks_for_boards_only_where_the_author_wants_it() -> None:
    pickers = {
        node.get("mapName"): [child.name for child in node.children[0].children]
        for node in named("en", "m.Map")
    }
    assert "setup" not in pickers["Home front"]


def test_scenarios_are_grouped_and_each_is_there_once() -> None:
    menus = [node for node in named("en", "m.PredefinedSetup") if node.get("isMenu") == "true"]
    assert [menu.get("name") for menu in menus] == ["Campaigns"]
    assert [child.get("name") for child in menus[0].children] == ["Spring", "Summer"]
    alone = [node.get("name") for node in planned("en").tree.children if node.get("file")]
    assert alone == ["Manoeuvres"]


def test_options_and_levels_are_those_of_the_scenario() -> None:
    by_id = {item.scenario: {n: v for _, n, v in item.setup.properties} for item in planned("en").setups}
    assert by_id["spring"]["option_fog"] == "true"
    assert by_id["summer"]["option_fog"] == "false"
    assert (by_id["spring"]["track_gold"], by_id["spring"]["track_morale"]) == ("3", "5")


def test_reinforcements_stand_in_the_box_of_their_turn_and_withdrawals_are_listed() -> None:
    spring = next(item for item in planned("en").setups if item.scenario == "spring")
    due = [piece.name for piece in spring.expected if piece.space == "box_apr1"]
    assert due == ["Foot (Northland)", "Foot (Northland)", "Corps (Southland)"]
    page = next(page for page in planned("en").pages if page.file == "setup-spring.html")
    tables = {section.heading: section.rows for section in page.sections}
    assert tables["Withdrawals"] == (("April II", "Wing (Southland)", "Dale"),)
    assert len(tables["Reinforcements"]) == 3


def test_a_game_opens_where_its_pieces_are_or_on_the_space_it_names() -> None:
    for item in planned("en").setups:
        said = {name: int(value) for _, name, value in item.setup.properties if name in VIEW}
        space = {"manoeuvres": "hill", "spring": "dale", "summer": "bay"}[item.scenario]
        points = {(piece.x, piece.y) for piece in item.expected if piece.space == space}
        assert (said["view_x"], said["view_y"]) in points, item.scenario
    camera, start = named("en", "m.map.MoveCameraButton"), named("en", "m.StartupGlobalKeyCommand")
    assert [node.get("xPos") for node in camera] == ["$view_x$"]
    assert [node.get("globalHotkey") for node in start] == [camera[0].get("hotkey")]


def test_units_go_into_the_box_of_a_marker_of_their_side_and_come_out_to_it() -> None:
    made = {node.get("name"): node.text for node in named("fr", "m.PrototypeDefinition")}
    north, marker = made["send staff north"], made["marker staff 1"]
    assert "Corps (Northland)" in north and "Corps (Southland)" not in north
    assert "{marks_staff == $held_staff$}" in north
    assert "join-staff-1" in north and "join-staff-1" in marker and "out-staff" in marker
    said = {
        node.get("name"): node.get("initialValue")
        for node in named("fr", "m.properties.GlobalTranslatableMessage")
    }
    assert said["BoxName staff 2"] == "Quille 2"
    assert {"BoxMap staff 1", "BoxBoard staff 1", "BoxX staff 1", "BoxY staff 1"} <= set(said)


def test_hidden_pieces_are_masked_by_side_and_not_by_player() -> None:
    spring = next(item for item in planned("en").setups if item.scenario == "spring")
    hidden = {piece.name: piece.seen_by for piece in spring.expected if piece.seen_by}
    assert hidden["Block (Northland)"] == ("Northland", "Eastland", "Solitaire")
    assert hidden["Block (Southland)"] == ("The Blues", "Solitaire")
    masks = [
        (trait.field("access"), trait.state)
        for piece in spring.setup.pieces
        for trait in piece.definition.traits
        if trait.id == "obs" and piece.definition.name.startswith(("Block", "Guard"))
    ]
    assert masks
    assert all(state.partition(";")[0] in access.split(":")[1:] for access, state in masks)


def test_nothing_said_of_a_piece_tells_what_a_mask_hides() -> None:
    """Sentences name a piece by its old or new name, which the engine masks, and never by the name its owner sees."""
    for counters in planned("en").tree.all("m.PrototypeDefinition"):
        assert "$PieceName$" not in counters.text
        assert "$Steps$" not in counters.text or "label;" in counters.text


def test_the_mouse_tells_of_an_empty_place_what_is_known_of_it() -> None:
    said = {
        node.get("name"): node.get("initialValue")
        for node in named("fr", "m.properties.GlobalTranslatableMessage")
    }
    assert said["About Colline"] == "<html><b>Colline</b> (hill)&nbsp;<br>Terre, Pays du Nord&nbsp;</html>"
    assert (
        said["About Golfe, section 1"] == "<html><b>Golfe, section 1</b> (gulf_1)&nbsp;<br>Mer&nbsp;</html>"
    )


def test_the_authors_own_parts_are_in_the_module_unharmed() -> None:
    with open_archive(built("en").vmod) as archive:
        for file, entry in {
            "horn.wav": "sounds/horn.wav",
            "seal.png": "images/seal.png",
            "rules.pdf": "rules.pdf",
            "weather.html": "weather.html",
            "terrain.png": "images/terrain.png",
        }.items():
            assert archive.read(entry, 10_000) == (WORKSHOP / "art" / file).read_bytes()
    clock = named("en", "m.ChessClockControl")[0]
    assert (clock.get("buttonText"), clock.get("allowReset"), len(clock.children)) == ("Clocks", "true", 1)
    assert named("en", "m.documentation.BrowserPDFFile")[0].get("pdfFile") == "rules.pdf"


def test_help_has_keys_pictures_terrain_sequence_scenarios_and_credits() -> None:
    page = planned("en").pages[0]
    found = {section.heading: section for section in page.sections}
    assert {
        "Keys",
        "Pieces",
        "Kind of space",
        "Sequence of play",
        "Scenarios",
        "Credits",
        "What is our own",
    } <= set(found)
    assert all(picture for picture in found["Pieces"].pictures)
    keys = {row[0] for row in found["Keys"].rows}
    assert len(keys) > len(KEYS)
    assert [item.title for item in planned("fr").pages[1:3]] == ["La première heure", "Le tir, expliqué"]


def test_every_text_of_a_piece_is_said_in_the_other_language() -> None:
    """Whatever the first language says in a piece has a line in the translation file, unless both say the same."""
    said = planned("fr").bundles["Module_fr.properties"].decode("ascii")
    for english in (
        "Becomes\\ Corps\\ (Northland)",
        "Hide\\ or\\ show",
        "Lose\\ a\\ step",
        "To\\ its\\ pool",
    ):
        assert f"Piece.{english}=" in said
