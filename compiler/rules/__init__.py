"""The rule language: rules.json in, findings on scenarios out.

`compile_rules` checks a rule file itself; `judge` runs it on a scenario; `run_case` asks one question of one position;
`read_back` says a rule in words; `supply` tells who traces a line where.
"""

from compiler.rules.cases import CaseResult, run_case
from compiler.rules.judge import Judgement, NotJudged, judge
from compiler.rules.pack import RulePack, compile_rules
from compiler.rules.readback import read_back
from compiler.rules.trace.supply import SupplyLine, supply

__all__ = [
    "CaseResult",
    "Judgement",
    "NotJudged",
    "RulePack",
    "SupplyLine",
    "compile_rules",
    "judge",
    "read_back",
    "run_case",
    "supply",
]
