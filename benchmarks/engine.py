"""How long VASSAL takes to open a module and its first set-up, against a minimal module with the same pictures and pieces.

Only where an engine is installed: VMODC_ENGINE names its folder. The minimal module has the same boards without grids, as many
palette slots and as many pieces in play, but they are bare: a picture and a name. Both are opened three times in turns.
"""

from __future__ import annotations

import io
import shutil
import statistics
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from benchmarks.measure import Result
from compiler.cli import run
from compiler.vassal.archive import pack
from compiler.vassal.elements import Element, element, to_xml
from compiler.vassal.inspect import InspectedSave, Inspection, inspect_file
from compiler.vassal.metadata import VASSAL_VERSION, Metadata
from compiler.vassal.pieces import Definition, Spot, slot_text
from compiler.vassal.saves import Placed, Setup, save_archive
from compiler.vassal.verify import Tools, find_tools, verify
from compiler.vassal.windows import BEHAVIOUR

GAMES = (Path("modules_src/axis-and-allies-1941"), Path("tests/good/workshop"))
TIMES = 3


def results() -> Iterator[Result]:
    if not isinstance(find_tools(None), Tools):
        return
    with tempfile.TemporaryDirectory() as scratch:
        for root in GAMES:
            copy = Path(scratch) / root.name
            file = _built(root, copy)
            bare = copy / "bare.vmod"
            bare.write_bytes(bare_module(file))
            pairs = [(_seconds(file, copy), _seconds(bare, copy)) for _ in range(TIMES)]
            ours, least = (statistics.median(both) for both in zip(*pairs, strict=True))
            yield Result(f"VASSAL opens {root.name}", ours, least, 1.5 * least, "1.5 x minimal module")


def _built(root: Path, copy: Path) -> Path:

    shutil.copytree(root, copy / "source")
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as said:
        code = run(["build", str(copy / "source"), "-o", str(copy / "build"), "--only", "vmod,saves"])
    if code:
        raise SystemExit(f"{root.name} was not built: {said.getvalue()}")
    return next((copy / "build").glob("*/*.vmod"))


def _seconds(file: Path, scratch: Path) -> float:
    """From the first line of the module to its first set-up on the screen: the processor's time of the engine's own thread."""
    lines = verify(file, None, scratch / "shots").lines
    times = [int(line[2]) for line in lines if line[0] == "TIME"]
    if len(times) < 2:
        raise SystemExit(f"VASSAL did not open {file.name}")
    return (times[0] + times[1]) / 1000


def bare_module(file: Path) -> bytes:
    """The same boards, pictures and number of pieces, and nothing else."""
    known = inspect_file(file)
    assert known.tree is not None
    with zipfile.ZipFile(file) as archive:
        pictures = {name: archive.read(name) for name in archive.namelist() if name.startswith("images/")}
    data = Metadata("1.0.0", "", 0, name="Bare")
    tree = element(
        "VASSAL.build.GameModule",
        {"name": "Bare", "version": "1.0.0", "VassalVersion": VASSAL_VERSION, "nextPieceSlotId": 10**6},
        [
            element("m.BasicCommandEncoder"),
            *known.tree.all("m.PlayerRoster"),
            element("m.GlobalOptions"),
            *(
                _bare_map(node)
                for kind in ("m.Map", "m.PrivateMap", "m.PlayerHand")
                for node in known.tree.all(kind)
            ),
            _bare_palette(known),
            element("m.PredefinedSetup", {"name": "start", "useFile": True, "file": "start.vsav"}),
            element("m.Chatter"),
        ],
    )
    return pack(
        {
            "buildFile.xml": to_xml(tree),
            "moduledata": data.module_bytes(),
            "start.vsav": save_archive(_bare_setup(known.tree, known.saves[0]), data, 0),
            **pictures,
        },
        0,
    )


def _bare_map(node: Element) -> Element:
    picker = next(iter(node.all("m.map.BoardPicker")))
    boards = [
        element("m.map.boardPicker.Board", {"name": board.get("name"), "image": board.get("image")})
        for board in picker.all("m.map.boardPicker.Board")
    ]
    setup = [child for child in picker.children if child.name == "setup"]
    return element(
        "m.Map",
        {
            "mapName": node.get("mapName"),
            "launch": node.get("launch"),
            "allowMultiple": node.get("allowMultiple"),
        },
        [
            element("m.map.BoardPicker", children=[*boards, *setup]),
            element("m.map.StackMetrics"),
            *(element(f"m.map.{name}") for name in BEHAVIOUR),
        ],
    )


def _bare_palette(known: Inspection) -> Element:
    slots = [
        element(
            "w.PieceSlot",
            {"entryName": slot.name, "gpid": slot.gpid},
            text=slot_text(Definition(slot.name, slot.image, slot.gpid)),
        )
        for slot in known.slots
    ]
    return element(
        "m.PieceWindow", {"name": "Pieces"}, [element("w.PanelWidget", {"entryName": "All"}, slots)]
    )


def _bare_setup(tree: Element, save: InspectedSave) -> Setup:
    placed = tuple(
        Placed(piece.id, Definition(piece.name, piece.image, piece.gpid), Spot(piece.map, piece.x, piece.y))
        for piece in save.pieces
    )
    boards = {}
    for kind in ("m.Map", "m.PrivateMap", "m.PlayerHand"):
        for node in tree.all(kind):
            names = [board.get("name") for board in node.all("m.map.boardPicker.Board")]
            boards[node.get("mapName")] = tuple((name, n, 0) for n, name in enumerate(names))
    return Setup(placed, boards)
