"""Run an installed VASSAL on a module and its set-ups, and compare what it says with the build's manifest.

In: a `.vmod` and the folder of an installed VASSAL. Out: a `Verdict` with findings (E codes), facts and pictures. Our own
small Java program is compiled into a temporary folder and run beside VASSAL's classes, on its own display if there is
none. Everything it starts is ended, whatever happens, and nothing is written outside the folders named.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from compiler.findings import Finding, Place, error, note
from compiler.source.document import Document
from compiler.vassal.encoding import ESC
from compiler.vassal.inspect import Inspection, inspect_file
from compiler.vassal.names import SOLITAIRE
from compiler.vassal.reader import Unreadable
from compiler.vassal.saves import disguise, undisguise

PROBE = "VmodcProbe"
SLICER = "VASSAL.tools.image.tilecache.ZipFileImageTiler"
TILE = 256  # pixels
PLAYER = "vmodc"
TIMEOUT = 900.0
LOOKUP_MS = 5.0  # a place's name, or the place of a name: a drag asks for it with every piece, a mouse-over all the time
STEP_MS = 100.0  # one step of moving or zooming a map: what is longer is felt as a stop
SCREEN = "1600x1200x24"


@dataclass(frozen=True, slots=True)
class Tools:
    """Where the programs are."""

    java: str
    javac: str
    engine: Path
    xvfb: str | None

    @property
    def classes(self) -> str:
        return str(self.engine / "lib" / "*")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of it. `lines` are the probe's own words, for who wants to look closer."""

    findings: tuple[Finding, ...]
    engine: str = ""
    pieces: Mapping[str, int] = field(default_factory=dict)
    pictures: tuple[Path, ...] = ()
    lines: tuple[tuple[str, ...], ...] = ()


def find_tools(engine: Path | None, environment: Mapping[str, str] | None = None) -> Tools | list[Finding]:
    """The programs, or one finding for each that is missing, with the words that say how to get it."""
    env = os.environ if environment is None else environment
    path = env.get("PATH", "")
    home = env.get("JAVA_HOME", "")
    search = os.pathsep.join(part for part in (str(Path(home) / "bin") if home else "", path) if part)
    java, javac = shutil.which("java", path=search), shutil.which("javac", path=search)
    xvfb = shutil.which("Xvfb", path=path)
    found: list[Finding] = []
    lacking = [name for name, place in (("java", java), ("javac", javac)) if place is None]
    if lacking:
        what = f"{' and '.join(lacking)} not found on the path or in JAVA_HOME"
        found.append(error("E101", what, help="install a JDK, version 17 or later"))
    if engine is None and env.get("VMODC_ENGINE"):
        engine = Path(env["VMODC_ENGINE"])
    found += _engine_faults(engine)
    if not _has_display(env) and xvfb is None:
        found.append(
            error(
                "E103",
                "there is no display (DISPLAY is not set) and no Xvfb to make one",
                help="install Xvfb, or run it on a desktop",
            )
        )
    if found or java is None or javac is None or engine is None:
        return found
    return Tools(java, javac, engine.resolve(), xvfb)


def _engine_faults(engine: Path | None) -> Iterator[Finding]:
    help = "give the folder of an installed VASSAL 3.7 with --engine or in VMODC_ENGINE"
    if engine is None:
        yield error("E102", "no VASSAL named", help=help)
    elif not (engine / "lib" / "Vengine.jar").is_file():
        yield error("E102", f"{engine} has no lib/Vengine.jar, so it is not an installed VASSAL", help=help)


def _has_display(env: Mapping[str, str]) -> bool:
    return sys.platform in ("win32", "darwin") or bool(env.get("DISPLAY"))


def verify(
    file: Path, engine: Path | None, pictures: Path, *, timeout: float = TIMEOUT, thorough: bool = False
) -> Verdict:
    """The verdict on one module. Pictures of every map and of the screen go to the folder `pictures`."""
    tools = find_tools(engine)
    place = Place(Document(file.as_posix(), ""))
    if not isinstance(tools, Tools):
        return Verdict(tuple(tools))
    try:
        known = inspect_file(file)
    except Unreadable as wrong:
        return Verdict((error("E106", f"{file.name}: {wrong}", place),))
    expected, about = expectations(file, known, place)
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="vmodc-verify-") as folder:
        hexes = hexes_of(file)
        lines, faults = _run(tools, file, known, Path(folder), pictures, timeout, place, thorough, hexes)
    findings = [
        *about,
        *faults,
        *compare(lines, expected, known, place),
        *_hex_faults(lines, len(hexes), place),
        *slow(lines, place),
    ]
    shots = tuple(pictures / line[1] for line in lines if line[0] == "SHOT")
    engine_version = next((line[1] for line in lines if line[0] == "ENGINE"), "")
    return Verdict(
        tuple(findings),
        engine_version,
        {name: len(items) for name, items in expected.items()},
        shots,
        tuple(lines),
    )


Move = tuple[
    str, ...
]  # ("move", piece, x, y) with the map if it is another one, ("key", piece, command) or ("turn",)


def play(
    file: Path, engine: Path | None, setup: str, moves: Sequence[Move], saved: Path, timeout: float = TIMEOUT
) -> Verdict:
    """Opens a set-up of a module in VASSAL, plays some moves and saves the game there: a save of the engine's own."""
    tools = find_tools(engine)
    place = Place(Document(file.as_posix(), ""))
    if not isinstance(tools, Tools):
        return Verdict(tuple(tools))
    known = inspect_file(file)
    chosen = replace(known, saves=tuple(save for save in known.saves if Path(save.name).name == setup))
    with tempfile.TemporaryDirectory(prefix="vmodc-play-") as folder:
        listed = Path(folder) / "moves.txt"
        listed.write_text("".join("\t".join(move) + "\n" for move in moves), encoding="utf-8")
        asked = {"vmodc.moves": str(listed), "vmodc.saved": str(saved.resolve())}
        lines, faults = _run(
            tools, file, chosen, Path(folder), Path(folder), timeout, place, False, asked=asked
        )
    return Verdict(tuple(faults), lines=tuple(lines))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the engine should say of a piece. `seen_by`: the seats that see it where it is hidden; none where it is not."""

    gpid: str
    name: str
    map: str
    x: int
    y: int
    location: str
    seen_by: tuple[str, ...] = ()


Expected = dict[str, dict[str, Wanted]]  # save → piece id → what is wanted


def expectations(file: Path, known: Inspection, place: Place) -> tuple[Expected, list[Finding]]:
    """From the build's manifest; without one, from the set-ups as they are written, which proves less."""
    facts = _facts(file)
    if facts is None:
        what = "there is no manifest.json of this build, so the set-ups are compared with themselves"
        found = {
            save.name: {p.id: Wanted(p.gpid, p.name, p.map, p.x, p.y, p.location) for p in save.pieces}
            for save in known.saves
        }
        return found, [note("E116", what, place)]
    return {
        name: {
            str(p["id"]): Wanted(
                str(p["gpid"]),
                str(p["name"]),
                str(p["map"]),
                int(str(p["x"])),
                int(str(p["y"])),
                str(p["location"]),
                _words(p.get("seen_by")),
            )
            for p in setup["pieces"]
        }
        for name, setup in facts["setups"].items()
    }, []


def _words(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


Hex = tuple[
    str, str, int, int, int, str
]  # map, id, x, y, how far around the engine must snap to it, board or nothing


def hexes_of(file: Path) -> list[Hex]:
    """Every hex of the module's hex maps, from the build's manifest."""
    facts: Mapping[str, Any] = _facts(file) or {}
    return [
        (str(window["map"]), str(id), int(x), int(y), int(window["reach"]), str(window.get("board", "")))
        for window in facts.get("hexes", ())
        for id, (x, y) in window["at"].items()
    ]


def _hex_faults(lines: list[tuple[str, ...]], count: int, place: Place) -> Iterator[Finding]:
    for line in lines:
        if line[0] == "HEX":
            yield error("E117", f"hex '{line[2]}' of {line[1]}: {line[3]}", place, spaces=(line[2],))
    asked = sum(int(line[1]) for line in lines if line[0] == "HEXES")
    if lines and asked != count:
        yield error("E117", f"VASSAL was asked about {count} hexes and answered about {asked}", place)


_ASKED = {"name": "the name of a place", "snap": "where a piece snaps to", "find": "the place of a name"}
_MOVED = {"pan": "a step of moving the map", "zoom": "a step of zooming"}


def slow(lines: Sequence[tuple[str, ...]], place: Place) -> Iterator[Finding]:
    """What takes longer, by the processor's time on the thread that answers the player, than a player would bear."""
    for word, map, what, calls, mean, _ in _times(lines):
        took = int(mean) / 1000
        if word == "LOOKUP" and took > LOOKUP_MS:
            words = f"{map}: {_ASKED[what]} takes {took:.3g} ms (mean of {calls}), more than {LOOKUP_MS:g} ms"
            yield error("E120", words, place)
        if word == "MOTION" and took > STEP_MS:
            words = f"{map}: {_MOVED[what]} takes {took:.3g} ms (mean of {calls}), more than {STEP_MS:g} ms"
            yield error("E121", words, place)


def speeds(lines: Sequence[tuple[str, ...]]) -> str:
    """The slowest of each in words: look-ups of hexes, and steps of the maps that are larger than their windows."""
    worst: dict[str, int] = {}
    for word, _, what, _, mean, _ in _times(lines):
        key = "look-up" if word == "LOOKUP" else what
        worst[key] = max(worst.get(key, 0), int(mean))
    said = [f"{key} {mean / 1000:.2g} ms" for key, mean in worst.items()]
    said += [f"{line[1]} MB in use" for line in lines if line[0] == "MEMORY"]
    return ", ".join(said)


def _times(lines: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """What was timed: word, map, what, calls, and microseconds in the mean and at most."""
    return (line for line in lines if line[0] in ("LOOKUP", "MOTION"))


def _facts(file: Path) -> dict[str, dict[str, dict[str, list[dict[str, object]]]]] | None:
    """The facts of this file in the manifest beside it or, for another language, one folder up."""
    for folder in (file.parent, file.parent.parent):
        try:
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
            name = file.resolve().relative_to(folder.resolve()).as_posix()
            for facts in manifest["facts"].values():
                if isinstance(facts, dict) and facts.get("file") == name:
                    return facts
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
    return None


def _run(
    tools: Tools,
    file: Path,
    known: Inspection,
    folder: Path,
    pictures: Path,
    timeout: float,
    place: Place,
    thorough: bool,
    hexes: Sequence[Hex] = (),
    asked: Mapping[str, str] | None = None,
) -> tuple[list[tuple[str, ...]], list[Finding]]:
    classes = folder / "classes"
    classes.mkdir()
    fault = _compile(tools, classes, place)
    if fault:
        return [], [fault]
    saves = _copies(file, known, folder, seats_of(known) if thorough else [_seat(known)])
    _preferences(folder / "conf", known.name)
    _slice(tools, file, known, folder, timeout)
    command = [
        tools.java,
        "-Xmx1g",
        "-XX:TieredStopAtLevel=1",
        f"-DVASSAL.conf={folder / 'conf'}",
        f"-DVASSAL.cache={folder / 'conf'}",
        f"-Duser.home={folder}",
        "-cp",
        f"{classes}{os.pathsep}{tools.classes}",
        PROBE,
        str(file.resolve()),
        str(pictures.resolve()),
        "yes" if thorough else "no",
        *(str(save) for save in saves),
    ]
    if hexes:
        listed = folder / "hexes.txt"
        listed.write_text("\n".join("\t".join(map(str, hex)) for hex in hexes) + "\n", encoding="utf-8")
        command.insert(1, f"-Dvmodc.hexes={listed}")
    command[1:1] = [f"-D{name}={value}" for name, value in (asked or {}).items()]
    with _display(tools) as environment:
        return _listen(command, environment, folder, timeout, place)


def _compile(tools: Tools, classes: Path, place: Place) -> Finding | None:
    source = files("compiler.vassal").joinpath("probe", f"{PROBE}.java")
    with as_file(source) as path:
        command = [
            tools.javac,
            "-nowarn",
            "-Xlint:none",
            "-encoding",
            "UTF-8",
            "-cp",
            tools.classes,
            "-d",
            str(classes),
            str(path),
        ]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=120,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as wrong:
            return error("E104", f"javac did not run: {wrong}", place)
    if done.returncode == 0:
        return None
    first = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()[:200])
    return error(
        "E104", f"the probe does not compile against this VASSAL: {first}", place, help="VASSAL 3.7 is needed"
    )


def _copies(file: Path, known: Inspection, folder: Path, seats: Sequence[str]) -> list[Path]:
    """The set-ups of the module, each with one line more that seats the probe: else VASSAL would ask for a side.

    Those of the first seat are in `saves`, those of the others in `seat1`, `seat2` …
    """
    found: list[Path] = []
    with zipfile.ZipFile(file) as archive:
        for n, seat in enumerate(seats):
            place = folder / (f"seat{n}" if n else "saves")
            place.mkdir()
            for save in known.saves:
                path = place / Path(save.name).name
                path.write_bytes(seated(archive.read(save.name), seat))
                found.append(path)
    return found


def seats_of(known: Inspection) -> list[str]:
    """Every seat, the one that sees everything first; one without a name in a module without sides."""
    rosters = known.tree.all("m.PlayerRoster") if known.tree else ()
    sides = [entry.text for roster in rosters for entry in roster.children]
    return sorted(sides, key=lambda side: side != SOLITAIRE) or [""]


def _seat(known: Inspection) -> str:
    return seats_of(known)[0]


def seated(save: bytes, side: str) -> bytes:
    """A copy of a save in which the probe has taken a side."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(save)) as before,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as after,
    ):
        for info in before.infolist():
            data = before.read(info)
            if info.filename == "savedGame" and side:
                text = undisguise(data)
                line = f"PLAYER\t{PLAYER}\t{PLAYER}\t{side}"
                data = disguise(f"{text.removesuffix(ESC + 'end_save')}{ESC}{line}{ESC}end_save")
            after.writestr(info.filename, data)
    return out.getvalue()


def _preferences(conf: Path, module: str) -> None:
    """So that VASSAL asks nothing that it asks only of a new player, and needs no sound card."""
    folder = conf / "prefs"
    folder.mkdir(parents=True)
    (folder / "V_Global").write_text("welcomeWizard=false\nLocale=en\n", encoding="ascii")
    name = re.sub("[^A-Za-z0-9]", lambda found: f"_{ord(found[0]):X}_", module)
    text = f"PromptNewLogAtStart=false\nPromptNewLogEnd=false\npromptLogComment=false\nsoundGlobalMute=true\nRealName={PLAYER}\nSecretName={PLAYER}\n"
    (folder / name).write_text(text, encoding="ascii")


def _slice(tools: Tools, file: Path, known: Inspection, folder: Path, timeout: float) -> None:
    """Large pictures cut into tiles by VASSAL's own slicer, as its module manager does before it opens a module.

    Without tiles VASSAL would keep whole boards in memory, and scale them anew at every zoom, which no player sees.
    """
    large = list(_large_pictures(file))
    if not large:
        return
    name = hashlib.sha1(f"{known.name}_{known.version}".encode(), usedforsecurity=False).hexdigest()
    tiles = folder / "conf" / "tiles" / name
    for a in "0123456789abcdef":
        for b in "0123456789abcdef":
            (tiles / a / (a + b)).mkdir(parents=True)
    command = [
        tools.java,
        "-Xmx1g",
        "-Djava.awt.headless=true",
        f"-Duser.home={folder}",
        f"-DVASSAL.conf={folder / 'conf'}",
        "-cp",
        tools.classes,
        SLICER,
        str(file.resolve()),
        str(tiles),
        str(TILE),
        str(TILE),
    ]
    with suppress(OSError, subprocess.TimeoutExpired):  # it does without, only slower
        words = "".join(f"{picture}\n" for picture in large).encode()
        subprocess.run(command, input=words, capture_output=True, timeout=timeout, check=False)


def _large_pictures(file: Path) -> Iterator[str]:
    """The PNG files in the module that are more than one tile."""
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            if name.startswith("images/") and name.endswith(".png"):
                with archive.open(name) as picture:
                    head = picture.read(24)
                if max(int.from_bytes(head[16:20]), int.from_bytes(head[20:24])) > TILE:
                    yield name


@contextmanager
def _display(tools: Tools) -> Iterator[dict[str, str]]:
    """The environment for Java: with the display that is there, or with one of our own that ends with us."""
    environment = dict(os.environ)
    if _has_display(environment) or tools.xvfb is None:
        yield environment
        return
    read, write = os.pipe()
    server = subprocess.Popen(
        [tools.xvfb, "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"],
        pass_fds=(write,),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        os.close(write)
        with os.fdopen(read, encoding="ascii") as answer:
            number = answer.readline().strip()
        yield {**environment, "DISPLAY": f":{number}"}
    finally:
        _end(server)


def _listen(
    command: list[str], environment: dict[str, str], folder: Path, timeout: float, place: Place
) -> tuple[list[tuple[str, ...]], list[Finding]]:
    """Runs Java and gives what it said. Its output goes to files, so that no full pipe can hold it up."""
    out, err = folder / "out.txt", folder / "err.txt"
    findings: list[Finding] = []
    with out.open("wb") as stdout, err.open("wb") as stderr:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            findings.append(
                error("E105", f"VASSAL did not end within {timeout:g} seconds", place, help="raise --timeout")
            )
        finally:
            _end(process)
    lines = [
        tuple(_fields(line))
        for line in out.read_text(encoding="utf-8", errors="replace").splitlines()
        if line
    ]
    ended = any(line[0] == "END" for line in lines)
    if not ended and not findings:
        said = err.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        findings.append(
            error(
                "E106",
                f"VASSAL ended with code {process.returncode}: {said[-1] if said else 'no word said'}",
                place,
            )
        )
    return lines, findings


def _end(process: subprocess.Popen[bytes]) -> None:
    """The process and every child it made: they are a group of their own."""
    with_group = hasattr(os, "killpg")
    if process.poll() is None or with_group:
        try:
            if with_group:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        except (ProcessLookupError, PermissionError):
            pass
    process.wait()


def _fields(line: str) -> Iterator[str]:
    for part in line.split("\t"):
        yield re.sub(r"\\(.)", lambda found: {"t": "\t", "n": "\n"}.get(found[1], found[1]), part)


def compare(
    lines: list[tuple[str, ...]], expected: Expected, known: Inspection, place: Place
) -> Iterator[Finding]:
    """What the engine said against what it should have said, one finding for each difference."""
    if not lines:
        return
    here: dict[str, dict[str, tuple[str, ...]]] = {}
    now, first = "the module", True
    for line in lines:
        kind = line[0]
        if kind == "SETUP":
            now, first = line[1], line[2] == ""
            here.setdefault(now, {})
        elif kind == "PIECE":
            if first:
                here[now][line[1]] = line
        elif kind == "SIDE":
            now = f"{now} as {line[1]}"
        elif kind in ("COMMAND", "TURN") and (hole := _hole(line[-1])):
            yield error("E119", f'{now}: {line[2]}: the chat says "{line[-1]}", with {hole}', place)
        elif kind == "LOG":
            cause = f" ({line[4]})" if len(line) > 4 and line[4] else ""
            yield error("E110", f"{now}: {line[1]} {line[2]}: {line[3]}{cause}", place)
        elif kind == "DIALOG":
            yield error("E111", f"{now}: a dialog opened: {line[2]}", place)
        elif kind in ("CRASH", "REFUSED") or (kind == "LOADED" and line[2] != "true"):
            yield error("E106", f"{now}: VASSAL could not load it: {line[-1]}", place)
    yield from _sights(lines, expected, place)
    for save in known.saves:
        if save.name in here:
            yield from _differences(save.name, expected.get(save.name, {}), here[save.name], place)


def _hole(report: str) -> str:
    """What is wrong with a sentence of the chat: a name that nothing was put in for."""
    found = re.search(r"\$\w*\$?|\{|\bnull\b", report)
    return f"'{found[0]}'" if found else ""


def _sights(lines: list[tuple[str, ...]], expected: Expected, place: Place) -> Iterator[Finding]:
    """Hidden pieces are hidden from all seats but their own."""
    save, hidden, side = "", set[str](), ""
    for line in [*lines, ("SETUP", "", "")]:
        if line[0] == "SETUP":
            for id, piece in expected.get(save, {}).items():
                should = bool(piece.seen_by) and side not in piece.seen_by
                if side and should != (id in hidden):
                    word = "is hidden from" if id in hidden else "is seen by"
                    what = f"{save}: piece {id} '{piece.name}' of {piece.location} {word} {side}"
                    yield error("E118", what, place, pieces=(piece.name,))
            save, hidden, side = line[1], set(), ""
        elif line[0] == "SIDE":
            side = line[1]
        elif line[0] == "HIDDEN":
            hidden.add(line[1])


def _differences(
    save: str,
    expected: dict[str, Wanted],
    here: dict[str, tuple[str, ...]],
    place: Place,
) -> Iterator[Finding]:
    for id, wanted in expected.items():
        name, location = wanted.name, wanted.location
        line = here.get(id)
        if line is None:
            yield error(
                "E112", f"{save}: piece {id} '{name}' of {location} is missing", place, pieces=(name,)
            )
            continue
        said = (line[2], line[3], line[4], int(line[5]), int(line[6]))
        should = (wanted.gpid, name, wanted.map, wanted.x, wanted.y)
        if said != should:
            yield error(
                "E114",
                f"{save}: piece {id} should be {should}, VASSAL says {said}",
                place,
                pieces=(name,),
            )
        if line[7] != location:
            yield error(
                "E115",
                f"{save}: piece {id} '{name}' stands in '{location}', VASSAL says '{line[7]}'",
                place,
                pieces=(name,),
                spaces=(location,),
            )
    for id, line in here.items():
        if id not in expected:
            yield error(
                "E113", f"{save}: piece {id} '{line[3]}' is not in the manifest", place, pieces=(line[3],)
            )
