"""Codes of saved games (P1xx): what `vmodc check --save` could not take over from a save."""

from __future__ import annotations

from compiler.codes import Code
from compiler.findings import Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

_ALL = [
    Code(
        "P101", "save of another module", _E,
        "The game was saved with a module of another name.",
        "Its places and counters mean something else there; whatever follows may be wrong.",
        "vmodc check modules_src/europe --save pacific.vsav", "vmodc check modules_src/pacific --save pacific.vsav",
    ),
    Code(
        "P102", "piece that the module does not know", _E,
        "A piece of the save is none of the module's counters, by its own mark or by its lasting id.",
        "It is left out of the position, so that no rule sees it.",
        "a piece of a counter that was taken out of counters/*.json", "a piece of a counter that is there",
        "A counter that was only renamed says so with 'renamed_from'.",
    ),
    Code(
        "P103", "piece that stands in no space", _E,
        "A piece lies beside every space of the map, or on no map at all.",
        "Nobody can say which space it is in: it is left out of the position.",
        "a counter dropped on the frame of the map", "a counter dropped in a space",
    ),
    Code(
        "P104", "two owners of one space", _E,
        "A space bears control markers of two powers.",
        "The space has one owner. The marker that was put down first counts.",
        "a marker of North and one of South in Riverside", "one marker in Riverside",
    ),
    Code(
        "P105", "level and marker that disagree", _W,
        "The number of a track has changed since the setup, and its marker does not lie on that square.",
        "One of them was forgotten. The number counts; where only the marker has moved, the marker does.",
        "the level of North set to 12, its marker on square 11", "both at 12",
    ),
    Code(
        "P106", "turn tracker that cannot be read", _W,
        "The save's turn tracker is not of the form that the module's has.",
        "The date, power and phase of the scenario are taken instead.",
        "a save made when the module had other phases", "a save made with the module as it is",
    ),
    Code(
        "P107", "moment taken from the scenario", _N,
        "The turn has gone on since the setup, but a save does not say at which moment of the sequence it is judged.",
        "Rules that hold at setup only would be judged on a game in progress.",
        "vmodc check my-game --save third-turn.vsav", "vmodc check my-game --save third-turn.vsav --moment rest",
    ),
]  # fmt: skip

CODES = {code.code: code for code in _ALL}
