"""The module as built: names, zones, pieces, setups, languages, and the same bytes every time."""

from __future__ import annotations

import dataclasses
import io
import time
import tracemalloc
import zipfile

import pytest
from test_counters import GAME, module_of
from test_vassal_support import AWKWARD, HERE, StandIn, small_module

from compiler.draw import DrawnMap
from compiler.model.types import Counter, Map, Module, Piece, Space, Texts
from compiler.vassal.build import Built, build_module
from compiler.vassal.drawings import BoardPicture, Drawn, Shape
from compiler.vassal.elements import Element, from_xml
from compiler.vassal.encoding import TAB, decode
from compiler.vassal.inspect import position
from compiler.vassal.locations import locators
from compiler.vassal.lock import Lock
from compiler.vassal.names import Names
from compiler.vassal.pages import chart_pages, html
from compiler.vassal.pieces import read_command
from compiler.vassal.plan import Plan, plan_module
from compiler.vassal.preflight import png_size
from compiler.vassal.reader import build_file, open_archive, parse_xml, stream_commands
from compiler.vassal.zones import joined, locator_of, standing_points, zones_of


def built(module: Module | None = None, language: str = "en", drawings: StandIn | None = None) -> Built:
    made = build_module(module or small_module(), language, drawings or StandIn())
    assert isinstance(made, Built), made
    assert not made.findings
    return made


def tree_of(made: Built) -> Element:
    with open_archive(made.vmod) as archive:
        return build_file(archive)


def save_of(made: Built) -> list[str]:
    with open_archive(made.saves["start.vsav"]) as archive:
        return stream_commands(archive)


def entries_of(made: Built) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(made.vmod)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_every_piece_stands_where_the_scenario_says_by_the_engines_own_rule() -> None:
    made = built()
    known = locators(tree_of(made))
    found = position(save_of(made), "start", known)
    assert [piece.location for piece in found.pieces] == ["Hill"] * 3 + ["Bay 5"] * 2 + [AWKWARD, "Moor"]
    assert found.problems == ()


def test_pieces_of_one_counter_share_a_stack_and_cargo_stands_with_its_carrier() -> None:
    found = position(save_of(built()), "start", {})
    stacks = [piece.stack for piece in found.pieces]
    assert stacks[0] == stacks[1] == stacks[2]
    assert stacks[3] == stacks[4] != stacks[0]
    assert stacks[6] == "", "a marker that does not stack stands bare"


def test_saves_are_as_the_format_demands() -> None:
    commands = save_of(built())
    assert commands[0] == "begin_save" and commands[-1] == "end_save"
    assert "SETUP_STACK" + TAB in commands
    assert not any(text.startswith("PLAYER") for text in commands)
    kinds = ["stack" if "/stack/" in text else "piece" for text in commands if text.startswith("+/")]
    assert kinds == sorted(kinds), "members before stacks"
    pieces = [read_command(text) for text in commands if text.startswith("+/")]
    assert not any(piece.named("prototype") for piece in pieces)
    assert r"TURNTurnTracker0" + TAB + r"0|2;0;false;-1;1\;0\;0\;true,true\;1\\;0\\;0\\;true,true" in commands
    assert "GlobalProperty\t;track_north_gold;7;Module" in commands


def test_a_scenarios_face_is_the_one_shown() -> None:
    tower = next(read_command(text) for text in save_of(built()) if "north-tower" in text)
    layer, face = tower.named("emb2")[0], tower.named("PROP")[0]
    assert (layer.state, face.state) == ("2", "2")
    assert decode(layer.field("images"), ",") == ["north-tower.svg", "north-tower-2.svg"]


def test_no_behaviour_is_repeated_in_a_counter() -> None:
    slots = [read_command(node.text) for node in tree_of(built()).all("w.PieceSlot")]
    assert len(slots) == 5
    allowed = {"prototype", "mark", "emb2", "piece"}
    assert {item.id for slot in slots for item in slot.traits} <= allowed
    assert not any(layer.field("increase_key") for slot in slots for layer in slot.named("emb2"))


def test_pieces_do_not_offer_what_their_group_does_not_allow() -> None:
    commands = [read_command(text) for text in save_of(built()) if text.startswith("+/")]
    flag = next(piece for piece in commands if piece.name == "Flag")
    foot = next(piece for piece in commands if piece.name == "Foot (Southland)")
    assert {"footprint", "markmoved"} <= {item.id for item in foot.traits}
    assert not {"footprint", "markmoved", "PROP", "emb2"} & {item.id for item in flag.traits}
    assert "PROP" not in {item.id for item in foot.traits}, "a counter with one face cannot be turned over"


def test_the_module_has_what_players_expect() -> None:
    tree = tree_of(built())
    for name in ("GlobalMap", "Zoomer", "CounterDetailViewer", "HighlightLastMoved", "Flare", "ImageSaver"):
        assert list(tree.all(f"m.map.{name}")), name
    for name in (
        "m.turn.TurnTracker",
        "m.DiceButton",
        "m.Inventory",
        "m.NotesWindow",
        "m.ChartWindow",
        "m.ToolbarMenu",
    ):
        assert list(tree.all(name)), name
    assert next(tree.all("m.Inventory")).get("include"), "without a condition the engine lists nothing"
    assert [entry.text for entry in tree.all("entry")] == ["Northland", "Southland", "Solitaire"]
    tabs = [node.get("entryName") for node in tree.all("w.PanelWidget")]
    assert tabs == ["Northland", "Southland", "Markers"]
    phases = [decode(node.get("list"), ",") for node in tree.all("m.turn.ListTurnLevel")]
    assert phases == [["Northland", "Southland"], ["Movement", "Combat, with dice"]]
    setups = [(node.get("name"), node.get("file")) for node in tree.all("m.PredefinedSetup")]
    assert setups == [("The start", "start.vsav"), ("Empty map", "")]


def test_the_setup_in_the_menu_is_the_save_beside_the_module() -> None:
    made = built()
    assert entries_of(made)["start.vsav"] == made.saves["start.vsav"]


def test_both_languages_share_every_identifier_and_differ_in_words() -> None:
    english, french = built(), built(language="fr")
    trees = [tree_of(made) for made in (english, french)]
    for element, attribute in (
        ("VASSAL.build.GameModule", "name"),
        ("m.Map", "mapName"),
        ("m.map.boardPicker.Board", "name"),
        ("w.PieceSlot", "gpid"),
        ("m.PrototypeDefinition", "name"),
    ):
        first, second = ([node.get(attribute) for node in tree.all(element)] for tree in trees)
        assert first == second and first
    for element in ("entry", "w.PieceSlot", "m.PrototypeDefinition"):
        first, second = ([node.text for node in tree.all(element)] for tree in trees)
        assert first == second
    assert save_of(english)[:-2] == save_of(french)[:-2], "a save from one opens in the other"
    counters = [
        {name for name in entries_of(made) if name.startswith("images/") and "world" not in name}
        for made in (english, french)
    ]
    assert counters[0] == counters[1]
    boards = [node.get("image") for tree in trees for node in tree.all("m.map.boardPicker.Board")]
    assert boards[0] != boards[1] and "-en-" in boards[0] and "-fr-" in boards[1]
    assert {"Colline", "Lande"} <= {
        node.get("name") for node in trees[1].all("m.map.boardPicker.board.mapgrid.Zone")
    }
    words = entries_of(french)["Module_en.properties"].decode("ascii")
    assert "Piece.Foot\\ (Northland)=Infanterie (Pays du Nord)" in words
    assert "Piece.+\\ (damaged)=+ (endommag\\u00e9e)" in words
    assert "PlayerRoster.sides=Pays du Nord,Pays du Sud,Solitaire" in words
    assert not any(name.endswith(".properties") for name in entries_of(english))


def test_the_same_bytes_twice_and_another_day_only_with_another_epoch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    first = built()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert built().vmod == first.vmod
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700086400")
    assert built().vmod != first.vmod


def test_a_text_that_cannot_be_written_is_a_finding() -> None:
    module = small_module()
    words = {**module.texts.words["en"], "type.foot": "Foot\\", "space.hill": "Hi\tll"}
    broken = dataclasses.replace(module, texts=Texts(("en",), {"en": words}), languages=("en",))
    found = build_module(broken, "en", StandIn())
    assert isinstance(found, list)
    assert [item.code for item in found] == ["V109", "V109"]
    assert "backslash" in found[0].message


def test_a_space_without_outline_and_a_piece_without_place_are_findings() -> None:
    found = build_module(small_module(), "en", StandIn({"world": ("hill", "dale", "moor")}))
    assert isinstance(found, list)
    assert [(item.code, item.spaces) for item in found] == [
        ("V120", ("bay",)),
        ("V121", ("bay",)),
        ("V121", ("bay",)),
    ]


def test_an_island_lies_before_its_sea_and_holes_are_not_inside() -> None:
    sea = ((0, 0), (300, 0), (300, 300), (0, 300))
    hole = ((200, 200), (260, 200), (260, 260), (200, 260))
    island = ((50, 50), (100, 50), (100, 100), (50, 100))
    board = BoardPicture(
        "<svg/>",
        300,
        300,
        {
            "sea": Shape((sea, hole), ((150, 150), (75, 75), (230, 230))),
            "island": Shape((island,), ((75, 75),)),
        },
    )
    zones = zones_of(board)
    assert [zone.space for zone in zones] == ["island", "sea"]
    locator = locator_of(zones)
    assert [locator.name_at(*point) for point in ((75, 75), (150, 150), (230, 230), (10, 10), (301, 5))] == [
        "island",
        "sea",
        "",
        "sea",
        "",
    ]
    assert standing_points(board, locator)["sea"] == ((150, 150),)
    assert len(joined(board.shapes["sea"])) == 4 + 1 + 4 + 1


def test_a_drawn_point_outside_its_space_is_replaced_by_one_inside() -> None:
    ring = ((0, 0), (100, 0), (100, 100), (0, 100))
    board = BoardPicture("<svg/>", 100, 100, {"a": Shape((ring,), ((500, 500),))})
    points = standing_points(board, locator_of(zones_of(board)))
    assert points["a"] == ((50, 50),)


def test_two_spaces_of_one_name_are_told_apart_by_their_ids() -> None:
    module = small_module()
    words = {**module.texts.words["en"], "space.moor": "Hill"}
    made = built(dataclasses.replace(module, texts=Texts(("en",), {"en": words}), languages=("en",)))
    names = {node.get("name") for node in tree_of(made).all("m.map.boardPicker.board.mapgrid.Zone")}
    assert {"Hill (hill)", "Hill (moor)"} <= names


def test_track_and_control_markers_stand_at_their_places() -> None:
    module = small_module()
    raw = {**module.raw, "vassal": {"control": "tower", "tracks": {"gold": "foot"}}}
    scenario = dataclasses.replace(module.scenarios["start"], control={"moor": "south", "hill": None})
    module = dataclasses.replace(module, raw=raw, scenarios={"start": scenario})

    class WithSquares(StandIn):
        def board(self, map_id: str, language: str) -> BoardPicture:
            plain = super().board(map_id, language)
            return dataclasses.replace(plain, squares={n: (20 + n * 20, 10) for n in range(10)})

    made = built(module, drawings=WithSquares())
    found = position(save_of(made), "start", locators(tree_of(made))).pieces[-2:]
    assert [(piece.name, piece.location) for piece in found] == [
        ("Tower (Southland)", "Moor"),
        ("Foot (Northland)", "Level 7"),
    ]


def test_help_and_charts_are_escaped_pages() -> None:
    pages = entries_of(built())
    text = pages["help.html"].decode("ascii")
    assert "Ctrl+D" in text and "A. Nobody" in text and "Hills &amp; Dales" in text
    assert "&#321;&#243;d&#378;" in pages["setup-start.html"].decode("ascii")
    assert "3 Foot" in pages["setup-start.html"].decode("ascii")
    assert "Combat, with dice" in pages["chart-sequence-of-play.html"].decode("ascii")


def test_the_command_that_saves_call_done_is_the_first_view() -> None:
    """A save without that line would be asked to be saved again when nobody has moved."""
    made = built()
    commands = list(tree_of(made).all("m.StartupGlobalKeyCommand"))
    assert commands[0].get("name") == "First view"
    assert "SGKC\tSGKC0\ttrue" in save_of(made)


def test_tracks_are_a_chart_in_each_language() -> None:
    """The same squares as on paper, with the letters of those that start there; where no track is, no chart."""
    module = module_of(GAME)
    for language, title in (("en", "Production level"), ("fr", "Niveau de production")):
        listed = chart_pages(module, Names(module, language))
        (page,) = [item for item in listed if item.file == "chart-tracks-of-the-game.html"]
        text = html(page).decode("ascii")
        assert text.count(title) == 1 and "<td>60</td>" in text and "<td>12 G B</td>" in text
    bare = dataclasses.replace(module, tracks={}, sequence=dataclasses.replace(module.sequence, turns=()))
    assert all("tracks" not in item.file for item in chart_pages(bare, Names(bare, "en")))


def test_metadata_is_that_of_the_root() -> None:
    entries = entries_of(built())
    data = parse_xml(entries["moduledata"], "moduledata")
    root = from_xml(parse_xml(entries["buildFile.xml"], "buildFile.xml"))
    assert data.findtext("name") == root.get("name") == "Hills & Dales"
    assert data.findtext("version") == root.get("version") == "1.0.0"


def many(count: int) -> tuple[Module, StandIn]:
    """A module with `count` counters, each placed once."""
    module = small_module()
    ids = tuple(f"s{n}" for n in range(200))
    spaces = tuple(Space(id, "land", "world", None, None, {}, None, HERE) for id in ids)
    counters = {f"c{n}": Counter(f"c{n}", "foot", "north", None, {}, {}, HERE) for n in range(count)}
    pieces = tuple(
        Piece(f"p{n}", f"c{n}", ids[n % 200], None, None, None, {}, None, HERE) for n in range(count)
    )
    words = {**module.texts.words["en"], **{f"counter.c{n}": f"Unit {n}" for n in range(count)}}
    scenario = dataclasses.replace(module.scenarios["start"], pieces=pieces)
    made = dataclasses.replace(
        module,
        maps={"world": Map("world", "area", False, None, spaces, (), (), {}, HERE)},
        counters=counters,
        scenarios={"start": scenario},
        texts=Texts(("en",), {"en": words}),
        languages=("en",),
    )
    return made, StandIn({"world": ids}, cell=24)


def plan_many(count: int) -> float:
    module, drawings = many(count)
    started = time.process_time()
    plan = plan_module(module, "en", drawings, Lock(), 0)
    assert isinstance(plan, Plan) and not plan.findings
    return time.process_time() - started


def test_planning_is_linear_in_the_pieces() -> None:
    plan_many(200)
    small, large = plan_many(500), plan_many(4000)
    assert large < 8 * small * 2.5 + 0.3


def test_memory_stays_small() -> None:
    module, drawings = many(2000)
    tracemalloc.start()
    plan_module(module, "en", drawings, Lock(), 0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100 << 20, "20,000 pieces stay under 1 GB"


def test_a_map_that_is_not_drawn_yet_becomes_boxes_in_rows_and_that_is_said() -> None:
    drawings = Drawn(small_module(), lambda map_id, language: DrawnMap("", 0, 0, {}, (), {}, 0, 50))
    made = build_module(small_module(), "en", drawings)
    assert isinstance(made, Built) and not made.findings
    assert [item.code for item in drawings.findings] == ["V123"]
    found = position(save_of(made), "start", locators(tree_of(made)))
    assert [piece.location for piece in found.pieces] == ["Hill"] * 3 + ["Bay 5"] * 2 + [AWKWARD, "Moor"]
    board = drawings.board("world", "en")
    assert png_size(drawings.png(board.svg, board.width, board.height)) == (board.width, board.height)
