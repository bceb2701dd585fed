"""`vmodc check --save`: a saved game is judged as the scenario that it is, whoever saved it and after whatever moves."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from compiler.check import check
from compiler.cli import run
from compiler.codes.saves import CODES
from compiler.commands import Unusable
from compiler.commands.folders import Folder
from compiler.commands.saved import _plan, check_saved
from compiler.findings import Finding
from compiler.model.types import Module, Scenario
from compiler.vassal.encoding import ESC
from compiler.vassal.plan import Plan
from compiler.vassal.saves import disguise, save_archive, undisguise
from compiler.vassal.verify import Tools, find_tools, play

HERE = Path(__file__).parent
BAD = sorted((HERE / "saved_bad").glob("*.json"))
Edit = Callable[[str], str]


class Game:
    """A module and its set-ups as saved games."""

    def __init__(self, root: Path) -> None:
        self.folder = Folder(root, root.as_posix())
        found = check(root, root.as_posix(), ()).module
        assert found is not None
        self.module: Module = found
        self.plan: Plan = _plan(found, self.folder)

    def save(self, scenario: str, path: Path, edit: Edit | None = None) -> Path:
        """The set-up of a scenario; `edit` changes the text of its command stream."""
        setup = next(item.setup for item in self.plan.setups if item.scenario == scenario)
        data = save_archive(setup, self.plan.metadata, 0)
        path.write_bytes(changed(data, edit) if edit else data)
        return path

    def judged(self, save: Path, **more: Any) -> tuple[Scenario, list[Finding]]:
        result = check_saved(self.folder, save, **more)
        assert result.module is not None
        return result.module.scenarios["save"], result.findings

    def place(self, scenario: str, piece: str) -> Any:
        setup = next(item for item in self.plan.setups if item.scenario == scenario)
        return next(item for item in setup.expected if item.piece == piece)

    def moved(self, scenario: str, piece: str, to: str) -> Edit:
        """The piece put down where another one stands, or at the point `x,y`."""
        one = self.place(scenario, piece)
        target = to if "," in to else "{0.x},{0.y}".format(self.place(scenario, to))
        map = one.map if "," in to else self.place(scenario, to).map
        x, y = target.split(",")

        def edit(text: str) -> str:
            before = f"{one.map};{one.x};{one.y};{one.gpid};"
            after = f"{map};{x};{y};{one.gpid};"
            commands = text.split(ESC)
            (own,) = [n for n, command in enumerate(commands) if command.startswith(f"+/{one.id}/")]
            assert before in commands[own]
            commands[own] = commands[own].replace(before, after)
            return ESC.join(commands)

        return edit


def changed(save: bytes, edit: Edit) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(save)) as before, zipfile.ZipFile(out, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            after.writestr(name, disguise(edit(undisguise(data))) if name == "savedGame" else data)
    return out.getvalue()


def replaced(old: str, new: str) -> Edit:
    def edit(text: str) -> str:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        return text.replace(old, new)

    return edit


@pytest.fixture(scope="module")
def workshop() -> Game:
    """The game in which every feature of the module file is used once."""
    return Game(HERE / "good" / "workshop")


@pytest.fixture(scope="module")
def areas(tmp_path_factory: pytest.TempPathFactory) -> Game:
    root = tmp_path_factory.mktemp("games") / "areas"
    assert run(["init", str(root)]) == 0
    path = root / "scenarios/first-day.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('["2 inf"]', '["4 inf"]'), encoding="utf-8")
    return Game(root)


def told(scenario: Scenario) -> dict[str, Any]:
    """All that a save must bring back."""
    pieces = {p.id: (p.counter, p.space, p.aboard, p.steps, p.face, dict(p.values)) for p in scenario.pieces}
    arrivals = [(a.counter, a.due, a.at, a.from_, dict(a.values)) for a in scenario.arrivals]
    names = ("date", "turn_of", "phase", "moment", "options", "tracks", "control", "held", "facts", "weather")
    return {"pieces": pieces, "arrivals": arrivals, **{name: getattr(scenario, name) for name in names}}


def said(findings: list[Finding]) -> list[tuple[str, str, str | None, tuple[str, ...]]]:
    return sorted((f.code, f.message, f.help, f.subject) for f in findings)


@pytest.mark.parametrize("scenario", ["spring", "summer", "manoeuvres"])
def test_a_setup_comes_back_as_its_scenario(workshop: Game, scenario: str, tmp_path: Path) -> None:
    found, findings = workshop.judged(workshop.save(scenario, tmp_path / "game.vsav"))
    assert told(found) == told(workshop.module.scenarios[scenario])
    assert findings == []


def test_a_setup_has_the_findings_of_its_scenario(areas: Game, tmp_path: Path) -> None:
    own = [f for f in check(areas.folder.path, "").findings if f.scenario == "first-day"]
    _, findings = areas.judged(areas.save("first-day", tmp_path / "game.vsav"))
    assert {f.code for f in own} == {"area.room", "capital.guard"}
    assert said(findings) == said(own)


def test_a_moved_piece_is_judged_where_it_stands(areas: Game, tmp_path: Path) -> None:
    to = areas.moved("first-day", "north.inf@hilltop#1", "north.tank@meadow#1")
    save = areas.save("first-day", tmp_path / "game.vsav", to)
    found, findings = areas.judged(save)
    assert sum(piece.space == "hilltop" for piece in found.pieces) == 3
    assert {f.code for f in findings} == {"capital.guard"}
    guard = areas.moved("first-day", "south.inf@riverside#1", "north.inf@meadow#1")
    _, findings = areas.judged(areas.save("first-day", tmp_path / "other.vsav", guard))
    (enemies,) = [f for f in findings if f.code == "area.one_side" and "south.inf" in f.message][:1]
    assert enemies.place is not None and enemies.place.document.name.endswith("other.vsav")
    assert '"meadow"' in enemies.place.document.text


def test_markers_levels_and_states_of_a_game_in_progress(workshop: Game, tmp_path: Path) -> None:
    def edit(text: str) -> str:
        text = replaced("track_gold;3;", "track_gold;7;")(text)
        text = replaced("option_fog;true;", "option_fog;false;")(text)
        return workshop.moved("spring", "control@moor", "north.foot@hill#1")(text)

    found, findings = workshop.judged(workshop.save("spring", tmp_path / "game.vsav", edit))
    assert found.tracks["gold"] == 7 and found.options == ()
    assert found.control.get("hill") == "south" and "moor" not in found.control
    assert [f.code for f in findings] == ["P105"]  # its marker was left on square 3


def test_a_level_is_told_by_its_marker_where_only_that_was_moved(workshop: Game, tmp_path: Path) -> None:
    squares = {
        f"#{n}": point
        for item in workshop.plan.tree.walk()
        if item.get("name") == workshop_square(workshop, 6)
        for n, point in [(6, middle(item.get("path")))]
    }
    edit = workshop.moved("spring", "track@gold", squares["#6"])
    found, findings = workshop.judged(workshop.save("spring", tmp_path / "game.vsav", edit))
    assert found.tracks["gold"] == 6 and findings == []


def workshop_square(game: Game, number: int) -> str:
    from compiler.vassal.names import Names

    return Names(game.module, game.plan.language).location(f"#{number}")


def middle(path: str) -> str:
    points = [tuple(map(int, point.split(","))) for point in path.split(";")]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return f"{(min(xs) + max(xs)) // 2},{(min(ys) + max(ys)) // 2}"


def test_a_reinforcement_that_has_come_is_a_piece(workshop: Game, tmp_path: Path) -> None:
    arrival = workshop.module.scenarios["spring"].arrivals[0]
    edit = workshop.moved("spring", f"due@{arrival.id}", "north.foot@hill#1")
    found, _ = workshop.judged(workshop.save("spring", tmp_path / "game.vsav", edit))
    assert len(found.arrivals) == len(workshop.module.scenarios["spring"].arrivals) - 1
    before = workshop.module.scenarios["spring"].pieces
    assert len(found.pieces) == len(before) + 1


def test_the_moment_of_judging_can_be_named(areas: Game, tmp_path: Path) -> None:
    save = areas.save("first-day", tmp_path / "game.vsav")
    found, _ = areas.judged(save, moment="setup")
    assert found.moment == "setup"
    with pytest.raises(Unusable, match="did you mean 'setup'"):
        areas.judged(save, moment="setpu")


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_what_cannot_be_taken_over_is_said(path: Path, areas: Game, workshop: Game, tmp_path: Path) -> None:
    """A file of tests/saved_bad: which set-up, what is changed in its stream, and the findings, each with its line."""
    case = json.loads(path.read_text(encoding="utf-8"))
    game = {"areas": areas, "workshop": workshop}[case["game"]]

    def edit(text: str) -> str:
        for piece, to in case.get("moved", {}).items():
            text = game.moved(case["scenario"], piece, to)(text)
        for old, new in case.get("replaced", []):
            assert old in text, old
            text = text.replace(old, new)
        return text

    save = game.save(case["scenario"], tmp_path / "game.vsav", edit)
    if "module" in case:
        text = game.plan.metadata.name
        data = save.read_bytes()
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w") as after:
            for name in before.namelist():
                content = before.read(name)
                own = name == "moduledata"
                after.writestr(
                    name, content.replace(text.encode(), case["module"].encode()) if own else content
                )
        save.write_bytes(out.getvalue())
    found = [f for f in game.judged(save)[1] if f.code in CODES]
    assert [(f.code, f.message) for f in found] == [tuple(item) for item in case["expect"]]
    assert all(f.place is not None and f.place.document.name.endswith("game.vsav") for f in found)
    assert all(f.severity is CODES[f.code].severity for f in found)


def test_every_code_of_saved_games_has_a_bad_save() -> None:
    shown = {item[0] for path in BAD for item in json.loads(path.read_text(encoding="utf-8"))["expect"]}
    assert shown == set(CODES)


def test_the_command_points_at_the_save(
    areas: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    areas.save("first-day", Path("game.vsav"))
    module = str(areas.folder.path)
    assert run(["check", module, "--save", "game.vsav"]) == 1
    out = capsys.readouterr().out
    assert "game.vsav:" in out and '{"at": "hilltop", "pieces": ["4 north.inf"]}' in out
    assert run(["check", module, "--save", "game.vsav", "--format", "html", "--output", "out.html"]) == 1
    assert "4 units, room for 3" in Path("out.html").read_text(encoding="utf-8")
    Path("broken.vsav").write_bytes(b"no save")
    for wrong in (["--save", "none.vsav"], ["--save", "broken.vsav"], ["--moment", "setup"]):
        assert run(["check", module, *wrong]) == 2
    assert run(["check", "--save", "game.vsav"]) == 2


ENGINE = find_tools(None)


@pytest.mark.skipif(not isinstance(ENGINE, Tools), reason="VMODC_ENGINE names no installed VASSAL")
def test_a_game_saved_by_the_engine_after_moves(areas: Game, tmp_path: Path) -> None:
    """The real engine opens the set-up, drags pieces as a player does, goes on by a phase, and saves."""
    copy = tmp_path / "areas"
    shutil.copytree(areas.folder.path, copy)
    path = copy / "scenarios/first-day.json"
    path.write_text(path.read_text(encoding="utf-8").replace('["4 inf"]', '["2 inf"]'), encoding="utf-8")
    assert run(["build", str(copy), "-o", str(tmp_path / "build"), "--only", "vmod,saves"]) == 0
    game, file = Game(copy), tmp_path / "build/areas/areas.vmod"
    assert not [
        f for f in game.judged(tmp_path / "build/areas/scenarios/first-day.vsav")[1] if f.code == "area.room"
    ]
    target = game.place("first-day", "north.inf@hilltop#1")
    moved = [game.place("first-day", id) for id in ("north.inf@meadow#1", "north.tank@meadow#1")]
    moves = [("move", piece.id, str(target.x), str(target.y)) for piece in moved]
    saved = tmp_path / "played.vsav"
    verdict = play(file, None, "first-day.vsav", [*moves, ("turn",)], saved)
    assert verdict.findings == () and saved.is_file(), verdict.lines
    found, findings = game.judged(saved)
    assert {p.id for p in found.pieces if p.space == "hilltop"} >= {
        "north.inf@hilltop#1",
        "north.inf@hilltop#2",
    }
    assert sum(p.space == "hilltop" for p in found.pieces) == 4
    (room,) = [f for f in findings if f.code == "area.room"]
    assert room.message == "Hilltop: 4 units, room for 3"
    before = game.module.scenarios["first-day"]
    assert (found.date, found.turn_of, found.phase) != (before.date, before.turn_of, before.phase)
    assert "P107" in {f.code for f in findings}


@pytest.mark.skipif(not isinstance(ENGINE, Tools), reason="VMODC_ENGINE names no installed VASSAL")
def test_everything_a_piece_can_be_comes_back_from_the_engine(tmp_path: Path) -> None:
    """Every feature of the module file, saved by the engine untouched; then steps lost, states set, cargo unloaded."""
    copy = tmp_path / "workshop"
    shutil.copytree(HERE / "good" / "workshop", copy)
    assert run(["build", str(copy), "-o", str(tmp_path / "build"), "--only", "vmod,saves"]) == 0
    game, file = Game(copy), tmp_path / "build/workshop/workshop.vmod"
    saved = tmp_path / "played.vsav"
    assert play(file, None, "spring.vsav", [], saved).findings == ()
    found, findings = game.judged(saved)
    assert told(found) == told(game.module.scenarios["spring"]) and findings == []
    lose = ("south.block@dale#1", "south.guard@dale#1", "old_ship", "north.corps@plan#1")
    keys = [("key", game.place("spring", piece).id, "Lose a step") for piece in lose]
    foot, wing = (game.place("spring", piece).id for piece in ("north.foot@hill#1", "north.wing@hill#1"))
    rider = game.place("spring", "north.foot@bay#1").id
    more = [("key", foot, "Spent"), ("key", wing, "Flights +1"), ("key", rider, "Unload")]
    assert play(file, None, "spring.vsav", [*keys, *more], saved).findings == ()
    after = {piece.id: piece for piece in game.judged(saved)[0].pieces}
    assert after["old_ship"].steps == 1
    assert after["south.block@dale#1"].steps == 3 and after["south.guard@dale#1"].steps == 2
    assert after["north.corps@plan#1"].steps == 1
    assert any(p.values.get("spent") is True for p in after.values() if p.counter == "north.foot")
    assert after["north.wing@hill#1"].values["flights"] == 3
    assert all(p.aboard is None for p in after.values() if p.counter == "north.foot")
