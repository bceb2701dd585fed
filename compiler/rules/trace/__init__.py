"""`trace`: a level for each item that asks for one, with the path that gives it or what stopped it.

`compile_trace` makes a `Trace` of an entry of rules.json; a `Run` answers for all tracers of one position. The passes in
order: parts (what was written), board and views (a position as numbers), back (levels, from the targets backwards),
relays (who passes supply on), forward (one path, or the stops), joint (shared capacities), told (words).
"""

from compiler.rules.trace.parts import TOGETHER, Trace
from compiler.rules.trace.read import compile_trace

__all__ = ["TOGETHER", "Trace", "compile_trace"]
