"""Codes of the VASSAL output: V1xx what the module would be like in VASSAL, E1xx what an installed VASSAL says of it."""

from __future__ import annotations

from compiler.codes import Code
from compiler.findings import Severity

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


def _code(
    code: str,
    title: str,
    what: str,
    why: str,
    wrong: str,
    right: str,
    help: str = "",
    severity: Severity = _ERROR,
) -> Code:
    return Code(code, title, severity, what, why, wrong, right, help)


_ALL = (
    _code("V101", "unknown element, attribute or value in the build file", "The build file has an element, an attribute or a value that VASSAL does not know.", "VASSAL reads over a misspelt attribute in silence, and drops a component whose number is none.", '<VASSAL.build.module.Map mapNme="Main"/>', '<VASSAL.build.module.Map mapName="Main"/>'),
    _code("V102", "component missing or there twice", "A component that must be there once is missing, there twice, or stands too late.", "A map without its eight behaviour components shows pieces that nobody can move, and VASSAL does not say so.", "a map without PieceMover", "a map with all eight behaviour components and one board"),
    _code("V103", "two things of one name", "Two maps, boards, zones, decks, prototypes or properties have the same name.", "Saves and reports refer to them by name: the second one can never be meant.", '"space": {"hill": "Hill", "mound": "Hill"}', '"space": {"hill": "Hill", "mound": "Mound"}'),
    _code("V104", "reference to nothing", "A component or a trait names a map, board, deck or button that does not exist.", "VASSAL says nothing, and the command does nothing.", "a piece that is sent to the map 'Reserv'", "a piece that is sent to the map 'Reserve'"),
    _code("V105", "place without a pixel of its own", "No pixel of the board is named after this space, or an at-start stack names a place that the board does not have.", "A piece in that space would be reported as standing in another.", '"outline": an area wholly covered by another', '"outline": an area with some pixels of its own'),
    _code("V106", "file missing or not used", "A picture, page or set-up is named but not in the archive, or is there and used by nothing.", "VASSAL reports a missing picture only when it is first drawn, in the middle of a game.", 'a counter with the picture "inf.png" and no such file', "every named file in the archive, and no other"),
    _code("V107", "piece id not unique or not below the next one", "Two counters have one gpid, or a gpid is no number below nextPieceSlotId.", "VASSAL repairs old saves by these ids, and would put the wrong counter there.", '"ids.lock.json": two counters with gpid 12', '"ids.lock.json": each counter with its own'),
    _code("V108", "piece that VASSAL could not build", "A piece has more traits than states, a marker without value, a layer without picture, or a prototype that is missing or uses itself.", "VASSAL opens its bug window, or the piece lacks what the prototype gave it.", "a prototype 'unit' that uses the prototype 'unit'", "prototypes that use only others"),
    _code("V109", "text that VASSAL cannot carry", "A name ends in a backslash, has a TAB, a line end or another control character in it, or a $.", "The format has no way to write a backslash at a text's end: it would swallow the next field. A $ begins a property's name.", '"type": {"inf": "Infantry\\\\"}', '"type": {"inf": "Infantry"}'),
    _code("V110", "text with blanks at an end", "The text of a piece or side begins or ends with a blank, or a piece does not end in its basic state.", "VASSAL cuts blanks off, and with them empty states at the end of a piece.", '"power": {"north": "Northland "}', '"power": {"north": "Northland"}'),
    _code("V111", "version not of the form 1.2.3", "The module's version is no semantic version, or the archive's two files of data disagree.", "The public library of modules refuses other versions, and the module manager shows the wrong one.", '"version": "1.0"', '"version": "1.0.0"'),
    _code("V112", "save that VASSAL would not read as meant", "A set-up names a map, board or counter that the module does not have, or lists a stack before its pieces.", "VASSAL leaves such pieces out without a word.", "a stack before its members", "members first, then the stack"),
    _code("V113", "picture too large", "A board picture is over 5,000 pixels a side (slow), or over 10,000 or 100 megapixels (impossible).", "VASSAL holds four bytes a pixel in memory and gives up on pictures of that size.", "a board of 12000 × 8000 pixels", "two boards of 6000 × 8000 pixels", severity=_WARNING),
    _code("V114", "picture changed without a higher version", "A picture is not the one of the version in ids.lock.json, and module.json still has that version.", "VASSAL keeps tiles of pictures by module version: players would go on seeing the old one.", '"version": "1.0.0" with a new drawing', '"version": "1.0.1" with a new drawing'),
    _code("V120", "space without an outline", "The board's drawing has no outline for this space.", "VASSAL could not name it, so that no piece could be said to stand there.", '"spaces": [{"id": "hill"}] and no outline of hill', "an outline for every space"),
    _code("V121", "piece in a space that no window shows", "A scenario puts a piece into a space whose map is in no window.", "The piece would be missing from the set-up.", '"windows": [] and two maps', '"windows": [{"id": "main", "map": "world"}]'),
    _code("V122", "module without a map", "A full module has no map.", "VASSAL plays on a map.", '"stage": "full" and no file in maps/', '"stage": "rules", or a map'),
    _code(
        "V123",
        "map not drawn yet",
        "The map has no outlines and no picture, so that its spaces are shown as boxes in rows.",
        "The module can be played, but nobody sees where places lie.",
        "a map of spaces and links alone",
        "a map with outlines, see docs/maps.md",
        severity=_WARNING,
    ),
    _code("V124", "large map beside others", "A window shows several maps, and one of them is so large that it is cut into boards.", "Boards in rows of different lengths would slide out of their places.", '"maps": ["wall_map", "chart"]', '"map": "wall_map", and another window with "map": "chart"'),
    _code("V125", "view of another window", "A scenario's `view` names a space that the first window does not show.", "The first window opens on it; it cannot open on another map.", '"view": "reserve_box"', '"view": "hilltop"'),
    _code("V131", "map geometry changed without a higher major version", "The outlines or the size of a map differ from those in ids.lock.json.", "Saves hold pixels: their pieces would stand in other spaces.", '"version": "1.1.0" with new outlines', '"version": "2.0.0" with new outlines'),
    _code("V132", "counter removed without a higher major version", "A counter of ids.lock.json is no longer in the module.", "Saves that have it would lose it.", "1.1.0 without the counter north.foot", '2.0.0 without it, or "renamed_from": "north.foot" at its successor'),
    _code("V134", "lock file out of date", "With --locked, ids.lock.json must hold every counter and window of the module.", "Two machines would give the same id to different counters.", "a new counter and an old ids.lock.json", "vmodc build, then commit ids.lock.json"),
    _code("V135", "lock file unreadable", "ids.lock.json is not what vmodc writes.", "Without it every counter would get a new id, and old saves could not be repaired.", "{", '{"version": "1.0.0", "next": 1, "pieces": {}}'),
    _code("V136", "map or board renamed without a higher major version", "A map window or its board has another name than in ids.lock.json.", "Saves name them: all pieces on that map would vanish.", '"window": {"main": "The Map"} after "Main Map"', "the old name, or a higher major version"),
    _code("V140", "two commands with the same keys", "Two commands of one piece have the same keys.", "VASSAL would do both at once.", '"states": [{"id": "spent", "key": "ctrl+F"}], and Ctrl+F turns every piece over', '"states": [{"id": "spent", "key": "ctrl+E"}]'),
    _code("V141", "steps that cannot be shown", "A block has more steps than edges, or a piece that shows its steps by faces has not as many faces as steps.", "Losing a step would show a strength that the piece does not have.", '"steps": "turn" for a block of 6 steps', '"steps": "number"'),
    _code("V142", "no box for a turn", "The turn marker, or a command that sends pieces to a later turn, needs the boxes of turns.", "The command would do nothing.", '"turn_marker": "clock" alone', '"turn_marker": "clock", "turn_boxes": {"spring": "box_spring"}'),
    _code("E101", "no Java compiler", "verify needs a JDK of version 17 or later: java and javac.", "The probe is compiled on the spot against the VASSAL it is to run in.", "no javac on the path", "a JDK installed, its bin folder on the path"),
    _code("E102", "no VASSAL found", "--engine (or VMODC_ENGINE) must name the folder of an installed VASSAL: the one with lib/Vengine.jar.", "The verdict that counts is the real program's.", "vmodc verify game.vmod", "vmodc verify game.vmod --engine /path/to/VASSAL-3.7.26"),
    _code("E103", "no display", "VASSAL has no mode without windows: a display, or the program Xvfb, is needed.", "Without either, Java ends at the first window.", "no DISPLAY and no Xvfb", "apt install xvfb"),
    _code("E104", "probe does not compile", "The probe could not be compiled against this VASSAL.", "It uses what VASSAL 3.7 offers; another version may differ.", "an engine of version 3.2", "an engine of version 3.7"),
    _code("E105", "time-out", "VASSAL did not end in the time allowed.", "A window that waits for an answer would wait for ever.", "--timeout 5", "--timeout 180"),
    _code("E106", "the engine failed", "VASSAL could not load the file, or ended with an error.", "A player would see the same.", "a module with a broken build file", "a module that vmodc check finds clean"),
    _code("E110", "log line of VASSAL", "VASSAL wrote a line of level WARN or above to its log.", "The log of a good module has none.", "WARN: Image not found", "no such line"),
    _code("E111", "dialog opened", "VASSAL opened a dialog while it loaded the file.", "Each player would have to answer it each time.", "a save of another module", "a save of this module"),
    _code("E112", "piece missing", "A piece of the set-up is not in the game that VASSAL loaded.", "The players would start without it.", "118 pieces of 119", "119 pieces"),
    _code("E113", "piece too many", "VASSAL has a piece in play that the manifest does not know.", "The set-up is not the scenario.", "120 pieces of 119", "119 pieces"),
    _code("E114", "piece elsewhere", "VASSAL has a piece on another map or pixel than the manifest says, or under another name.", "The set-up is not the scenario.", "piece 1001 at 10,10", "piece 1001 where the scenario puts it"),
    _code("E115", "place with another name", "VASSAL's name of the place where a piece stands is not the scenario's space.", "Reports of moves, and the check of saved games, go by that name.", "a unit of the hill that stands in 'Dale'", "a unit of the hill that stands in 'Hill'"),
    _code("E116", "no manifest beside the module", "There is no manifest.json of the build, so positions are compared with the set-ups inside the module.", "The manifest says what the scenario meant; the set-up only what was written.", "a .vmod copied away from its build", "the .vmod in its build folder", severity=_NOTE),
    _code("E117", "hex with another name", "VASSAL names a hex otherwise than the map does, snaps a piece put down in it to another place, or reads its name as another place.", "Reports of moves and saved games go by these names and places.", "the centre of 0512 is called 0511", "the centre of 0512 is called 0512, and a piece put down near it snaps there"),
    _code("E118", "hidden from the wrong seat", "A piece that is hidden at the start is seen by another seat, or is hidden from one that should see it.", "What the game hides must be hidden from the others, and from nobody else.", "South sees what North's blocks are", "North and Solitaire see them, South sees their backs"),
    _code("E119", "report with a hole", "A sentence that a command or a phase writes into the chat has a name in it that nothing was put in for.", "Players read it after every move.", "Hill: $pieceNam$ is turned.", "Hill: Foot (North) is turned."),
    _code("E120", "slow look-up", "VASSAL needs more than 5 ms, in the mean over all hexes, to name a place, to snap a piece to it or to find the place of a name.", "VASSAL looks up with every piece that is dragged and every move of the mouse; a map named by many regions may make it crawl.", "30,000 hexes of a turned sheet on one board, 20 ms each", "the turned sheet in a window of its own, 2 ms each"),
    _code("E121", "slow map", "A step of moving or zooming a map keeps VASSAL from answering for more than 100 ms in the mean.", "Players move the map all the time, and feel every stop.", "one board of 10,000 by 10,000 pixels", '"boards": 5000 in the picture file of the map'),
)  # fmt: skip
CODES = {code.code: code for code in _ALL}
