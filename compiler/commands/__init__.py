"""The commands of `vmodc`, one file a command. `compiler.cli` reads the command line and calls them.

Each takes plain values and answers with an exit code: 0 clean, 1 findings (or failed cases) that count, 2 usage or
unreadable input. Input that cannot be used at all raises `Unusable`, whose words are shown as they are.
"""

from __future__ import annotations

CLEAN = 0
FOUND = 1
UNUSABLE = 2
CRASHED = 3


class Unusable(Exception):
    """The command cannot be carried out; the words say why and what to do."""
