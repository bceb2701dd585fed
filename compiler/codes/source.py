"""S: reading the files. What is not JSON, not readable, or not where it belongs."""

from __future__ import annotations

from compiler.codes import Code
from compiler.findings import Severity

_WHY_SYNTAX = (
    "A file that is not JSON cannot be read at all, so nothing in it is checked; the other files still are."
)


def _code(code: str, title: str, what: str, why: str, wrong: str, right: str, help: str = "") -> Code:
    return Code(code, title, Severity.ERROR, what, why, wrong, right, help)


def _syntax(code: str, title: str, what: str, wrong: str, right: str, help: str = "") -> Code:
    return _code(code, title, what, _WHY_SYNTAX, wrong, right, help)


_ALL = (
    _code(
        "S100",
        "file cannot be read",
        "The file is there but cannot be read: its permissions forbid it, or it is a folder or a device.",
        "What cannot be read cannot be checked, and a module with a hole in it must not pass.",
        "maps/world.json/        a folder with the name of a file",
        "maps/world.json         a file",
    ),
    _code(
        "S101",
        "no module.json",
        "The folder has no file module.json.",
        "module.json says what the module is; without it the folder is not a module.",
        "my-game/maps/world.json",
        "my-game/module.json\nmy-game/maps/world.json",
        "Check the spelling and the capitals of the file name, or name another folder.",
    ),
    _code(
        "S102",
        "file too large",
        "The file has more than 64 MB.",
        "The limit keeps time and memory within bounds, whatever is fed to the compiler.",
        "maps/world.json         80 MB",
        "maps/world.json         40 MB, with an include of\nmaps/world-east.json    40 MB",
        "Split the file with 'include'.",
    ),
    _code(
        "S103",
        "not UTF-8",
        "The file is written in another encoding than UTF-8.",
        "Guessing an encoding turns é into Ã© on somebody's screen; UTF-8 is the encoding of JSON.",
        "maps/world.json         saved as Windows-1252 or UTF-16",
        "maps/world.json         saved as UTF-8, with or without byte order mark",
        "Choose UTF-8 in the 'save as' dialogue of the editor.",
    ),
    _code(
        "S104",
        "empty file",
        "The file holds nothing.",
        "An empty file is most often one that was not saved, or lost its content.",
        "",
        '{"spaces": []}',
    ),
    _syntax(
        "S110",
        "not JSON",
        "Something stands here that JSON does not know.",
        '{"pair": ["a": "b"]}',
        '{"pair": {"a": "b"}}',
    ),
    _syntax(
        "S111",
        "comma after the last value",
        "A comma stands before the closing bracket; JSON allows commas only between values.",
        '{"sides": ["red", "blue",]}',
        '{"sides": ["red", "blue"]}',
        "Remove the comma.",
    ),
    _syntax(
        "S112",
        "comma missing",
        "Two values, or two properties, stand side by side without a comma.",
        '{"id": "hill"\n "kind": "land"}',
        '{"id": "hill",\n "kind": "land"}',
    ),
    _syntax(
        "S113",
        "comment",
        "JSON has no comments.",
        '{"id": "hill"} // the high one',
        '{"id": "hill", "note": "the high one"}',
        "Any object may carry a 'note', which the compiler never reads.",
    ),
    _syntax(
        "S114",
        "other quotes",
        "Texts and names are written in straight double quotes only.",
        "{'id': 'hill'}",
        '{"id": "hill"}',
    ),
    _syntax(
        "S115",
        "name without quotes",
        "The name of a property needs double quotes.",
        '{id: "hill"}',
        '{"id": "hill"}',
    ),
    _syntax(
        "S116",
        "brackets do not match",
        "A bracket is never closed, closes nothing, or is closed by one of the other sort.",
        '{"sides": ["red", "blue"}',
        '{"sides": ["red", "blue"]}',
    ),
    _syntax(
        "S117",
        "text not closed",
        "A text has no closing quote on its line.",
        '{"name": "High Hill}',
        '{"name": "High Hill"}',
    ),
    _syntax(
        "S118",
        "control character",
        "A text holds a tab, a line break or another control character as it is, or the escape of one that has no use.",
        '{"name": "High	Hill"}',
        '{"name": "High Hill"}',
        "Write \\n for a line break and \\t for a tab.",
    ),
    _syntax(
        "S119",
        "unknown escape",
        'After a backslash only these may follow in a text: " \\ / b f n r t, and u with four digits.',
        '{"file": "art\\map.png"}',
        '{"file": "art/map.png"}',
        "A backslash itself is written twice.",
    ),
    _syntax(
        "S120",
        "word without quotes",
        "The only bare words of JSON are true, false and null, in small letters.",
        '{"wraps": True, "kind": land}',
        '{"wraps": true, "kind": "land"}',
    ),
    _code(
        "S121",
        "not a number",
        "NaN and Infinity are no numbers of JSON.",
        "No rule can compare with them, and other programs refuse the file.",
        '{"move": Infinity}',
        '{"move": 99}',
    ),
    _syntax(
        "S122",
        "malformed number",
        "The number is not written as JSON wants it: no leading 0, no leading +, a digit on both sides of the point.",
        '{"cost": 03, "share": .5}',
        '{"cost": 3, "share": 0.5}',
        'An id made of digits is a text: "03".',
    ),
    _syntax(
        "S123",
        "something after the end",
        "The object of the file is closed, but the file goes on.",
        '{"id": "hill"}}',
        '{"id": "hill"}',
    ),
    _syntax(
        "S124",
        "colon missing",
        "Between the name of a property and its value stands a colon.",
        '{"id" "hill"}',
        '{"id": "hill"}',
    ),
    _syntax(
        "S125",
        "value missing",
        "A value should stand here.",
        '{"id": , "kind": "land"}',
        '{"id": "hill", "kind": "land"}',
    ),
    _code(
        "S130",
        "key given twice",
        "The same property is given twice in one object.",
        "Only the last one would count, in silence; the other is most often a slip of copy and paste.",
        '{"id": "hill", "income": 2, "income": 3}',
        '{"id": "hill", "income": 3}',
    ),
    _code(
        "S131",
        "number out of bounds",
        "A number is beyond ±1,000,000,000,000,000 or has more than 30 digits after the point.",
        "Numbers are computed exactly; the bounds keep that quick, and no game comes near them.",
        '{"cost": 99999999999999999999}',
        '{"cost": 9}',
    ),
    _code(
        "S132",
        "half a character",
        "An escape such as \\ud83d is half of a character whose other half is missing.",
        "It stands for nothing that can be printed or saved.",
        '{"name": "\\ud83d"}',
        '{"name": "\\ud83d\\ude00"}',
        "Write the character itself.",
    ),
    _code(
        "S133",
        "nested too deep",
        "Lists and objects are nested more than 64 deep.",
        "The limit keeps every pass within bounds; no real source comes near it.",
        "[[[[ ... 65 brackets ... ]]]]",
        "[[]]",
    ),
    _code(
        "S134",
        "not an object",
        "The file holds a list, a text or a number; every source file holds one object.",
        "The object's properties say what the lists in it mean.",
        '[{"id": "hill"}]',
        '{"spaces": [{"id": "hill"}]}',
    ),
    _code(
        "S140",
        "included file missing",
        "An entry of 'include' names a file that does not exist.",
        "What should have stood there is missing from the module.",
        '{"include": ["wrold-east.json"]}',
        '{"include": ["maps/world-east.json"]}',
        "Paths are relative to the module's folder, not to the file.",
    ),
    _code(
        "S141",
        "path leaves the module",
        "A path is absolute, is written with backslashes, or leads out of the module's folder, by '..' or by a link.",
        "A module must mean the same on every machine, and checking one must not read other files.",
        '{"include": ["../other/map.json"]}',
        '{"include": ["maps/map.json"]}',
    ),
    _code(
        "S142",
        "include loop",
        "A file includes itself, directly or by way of others.",
        "It would have no end.",
        'maps/a.json: {"include": ["maps/b.json"]}\nmaps/b.json: {"include": ["maps/a.json"]}',
        'maps/a.json: {"include": ["maps/b.json"]}\nmaps/b.json: {}',
    ),
    _code(
        "S143",
        "include of another kind",
        "A file includes one of another kind: a map a scenario, say, or something that is not JSON.",
        "The lists of an included file are read as if they stood in the including one, so both must be of one kind.",
        'maps/world.json: {"include": ["scenarios/first.json"]}',
        'maps/world.json: {"include": ["maps/world-east.json"]}',
    ),
    _code(
        "S144",
        "included twice",
        "One file brings the same file in twice, perhaps by way of others.",
        "Everything in it would be there twice.",
        '{"include": ["maps/east.json", "maps/east.json"]}',
        '{"include": ["maps/east.json"]}',
    ),
    Code(
        "S150",
        "file not read",
        Severity.WARNING,
        "A JSON file stands in the module's folder, but no file includes it and it is in no known place.",
        "Its author may believe that it counts.",
        "my-game/world.json",
        "my-game/maps/world.json",
        "Move it, include it, or take it out of the module's folder.",
    ),
    _code(
        "S151",
        "names differ only in capitals",
        "Two files have names that differ only in capitals.",
        "On the disks of Windows and macOS they are one file: one of the two would be lost.",
        "maps/world.json\nmaps/World.json",
        "maps/world.json\nmaps/world-east.json",
    ),
)

CODES: dict[str, Code] = {code.code: code for code in _ALL}
