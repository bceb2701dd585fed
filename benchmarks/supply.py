"""Judging scenarios, supply included: against bare searches by scipy on the same product graphs.

One graph for each side: the spaces of each leg, with the links that the side's lines may go, the changes of leg, and one
node before all sources. What scipy does not do (asking the conditions, the other rules, the words of findings) is paid with 50 µs a piece
and rule. About one piece in ten is out of supply: cut off behind the enemy's front, or too far from any city.
"""

from __future__ import annotations

import json
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import Result, medians
from compiler.check import check, no_sweeping
from compiler.findings import Finding
from compiler.model.types import Module, Scenario
from compiler.rules import RulePack, judge

COLUMNS, ROWS, PIECES = 200, 150, 3000
CITIES = 176  # no city stands in the columns from here on
CUT_OFF = 0.035  # of the pieces
SMALL, EACH = 1000, 12  # scenarios, and the pieces of each
PER_PIECE = 50e-6
GROWTH = 100_000  # kilobytes that judging the small scenarios may need more than the first of them

MODULE = {
    "format": 1, "id": "front", "version": "1.0.0", "stage": "rules", "languages": ["en"], "name": "Front",
    "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
    "powers": [{"id": "north", "side": "red", "name": "North"}, {"id": "south", "side": "blue", "name": "South"}],
    "vocabulary": {
        "space": {"kind": ["hex"], "terrain": ["clear", "hills", "sea"], "city": "bool"},
        "piece": {"arm": ["land", "air"], "hq": "bool"},
        "link": {"kind": ["grid", "land", "road"]},
    },
}  # fmt: skip
COUNTERS = {
    "types": [{"id": "inf", "arm": "land", "name": "Infantry"}, {"id": "hq", "arm": "land", "hq": True, "name": "HQ"},
              {"id": "air", "arm": "air", "name": "Wing"}],
    "counters": [{"type": type, "powers": ["north", "south"]} for type in ("inf", "hq", "air")],
}  # fmt: skip
RULES = [
    {"derive": "holders", "on": "space", "gives": "set of side",
     "collect": [{"each": "@self.pieces", "if": {"arm": "land"}, "take": "side"}]},
    {"derive": "watched", "on": "space", "gives": "set of side", "collect": [{"each": "@self.neighbours", "take": "holders"}]},
    {"ways": {
        "march": {"links": {"kind": "land"}, "cost": {"first": [{"if": {"@to.terrain": "hills"}, "then": 2}], "else": 1},
                  "enter": {"holders": {"none": {"enemies": "@tracer.side"}},
                            "any": [{"watched": {"none": {"enemies": "@tracer.side"}}}, {"holders": "@tracer.side"}]}},
        "road": {"like": "march", "links": {"kind": "road"}, "cost": 0}}},
    {"trace": "supply", "on": "piece", "section": "7", "if": {"arm": "land"}, "levels": ["full", "none"],
     "legs": [{"leg": "land", "way": "march", "at_most": 12}, {"leg": "road", "way": "road", "optional": True}],
     "sources": [{"source": "city", "level": "full", "space": {"city": True, "held_by": "@tracer.side"}}]},
    {"id": "supply", "section": "7", "severity": "note", "for": [{"piece": {"arm": "land"}}], "must": {"supply": "full"}},
    {"id": "stack", "section": "3", "for": [{"space": {"pieces": {"some": True}}}, {"side": {}}],
     "total": {"count": "@space.pieces", "if": {"side": "@side", "hq": False}}, "at_most": 3},
    {"id": "share", "section": "3.1", "for": [{"piece": {}}, {"piece": {"space": "@piece.space"}, "as": "other"}],
     "must": {"side": "@other.side"}},
    {"id": "dry", "section": "3.2", "for": [{"piece": {"arm": "land"}}], "must": {"space.terrain": {"not": "sea"}}},
    {"id": "hq.safe", "section": "3.3", "severity": "note", "for": [{"piece": {"hq": True}}],
     "must": {"space.watched": {"none": {"enemies": "@piece.side"}}}},
    {"id": "hq.each", "section": "3.4", "severity": "note", "for": [{"piece": {"type": "inf"}}],
     "must": {"power.pieces": {"some": {"hq": True}}}},
]  # fmt: skip


def results() -> Iterator[Result]:
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        module, pack = front(Path(scratch))
    scenarios = module.scenarios
    with no_sweeping():  # as a check does it
        found = judge(pack, module, scenarios["whole"]).findings  # the ground of the module is laid once
        loading = time.perf_counter() - start
        yield large(pack, module, found)
        yield linear(pack, module, "half", "whole")
        yield linear(pack, module, "whole", "double")
        yield small(pack, module, loading)


def large(pack: RulePack, module: Module, found: Sequence[Finding]) -> Result:
    whole, rules = module.scenarios["whole"], len(pack.rules)
    out = sum(1 for finding in found if finding.rule == "supply")
    measured, bare = medians(lambda: judge(pack, module, whole), floor(pack, whole), times=5)
    return Result(
        f"judgement of {PIECES:,} pieces on {COLUMNS * ROWS:,} hexes, {rules} rules, supply included ({out} are out of it), "
        f"{len(found)} findings",
        measured,
        bare,
        3 * bare + PER_PIECE * PIECES * rules,
        f"3 x scipy + 50 µs x {PIECES} x {rules}",
    )


def linear(pack: RulePack, module: Module, less: str, more: str) -> Result:
    """Twice the pieces on the same map: at most twice the time."""
    one, two = module.scenarios[less], module.scenarios[more]
    second, first = medians(lambda: judge(pack, module, two), lambda: judge(pack, module, one), times=5)
    name = f"{len(two.pieces):,} pieces against {len(one.pieces):,}"
    return Result(name, second, first, 2.2 * first, "2.2 x half of them")


def small(pack: RulePack, module: Module, loading: float) -> Result:
    """Many small scenarios, one after the other, on the ground that is there: no map is read or laid again."""
    scenarios = [s for id, s in module.scenarios.items() if id.startswith("small")]
    judge(pack, module, scenarios[0])
    before = kilobytes()
    spent = seconds(lambda: [judge(pack, module, s) for s in scenarios]) / len(scenarios)
    grown = kilobytes() - before
    if grown > GROWTH:
        raise SystemExit(f"{len(scenarios)} scenarios: memory grew by {grown} kB, more than {GROWTH} kB")
    name = (
        f"each of {len(scenarios):,} scenarios of {EACH} pieces on {COLUMNS * ROWS:,} hexes "
        f"(memory {before // 1000} MB, and {grown} kB more)"
    )
    return Result(name, spent, loading, 0.1 * loading, "a tenth of reading and laying out the map")


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def kilobytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def floor(pack: RulePack, scenario: Scenario) -> Callable[[], object]:
    """scipy's Dijkstra on each side's product graph, from its sources backwards."""
    from scipy.sparse.csgraph import dijkstra

    graphs = [(graph, first) for graph, first in _graphs(pack, scenario)]
    return lambda: [dijkstra(graph, indices=first, min_only=True) for graph, first in graphs]


def _graphs(pack: RulePack, scenario: Scenario) -> Iterator[tuple[Any, int]]:
    """The graphs, turned round, with the node before all sources."""
    from scipy.sparse import csr_array

    from compiler.rules.judge import position_of
    from compiler.rules.trace.views import NEVER, YES

    world = position_of(pack, scenario)
    run = pack.traces(world, scenario)["piece", "supply"]().run(world)
    made = {}
    for piece in world.all("piece"):
        asker = run.asker(piece)
        if asker is not None:
            made[asker.key] = asker
    for asker in made.values():
        view = run.view(asker, run.trace.lines[0])
        board, size = run.board, len(run.board.spaces)
        data: list[float] = []
        rows: list[int] = []
        columns: list[int] = []
        for leg, arcs in enumerate(view.arcs):
            for link, (a, b) in enumerate(zip(board.source, board.target, strict=True)):
                if arcs.ask(link) != NEVER and arcs.enter.test(b) == YES:
                    data.append(float(arcs.cost[link]) or 1e-6)
                    rows.append(leg * size + b)
                    columns.append(leg * size + a)
        for v in range(size):
            data.append(1e-6)
            rows.append(size + v)
            columns.append(v)
        before = 2 * size
        for end in run.sources(asker):
            for leg in range(2):
                data.append(1e-6)
                rows.append(before)
                columns.append(leg * size + end.space)
        yield csr_array((data, (rows, columns)), shape=(before + 1, before + 1)), before
    world.let_go()


def front(folder: Path) -> tuple[Module, RulePack]:
    """Two armies along a front, cities and roads behind it."""
    rng = random.Random(1941)
    files: dict[str, object] = {
        "module.json": MODULE,
        "counters/all.json": COUNTERS,
        "rules.json": {"rules": RULES},
        "maps/front.json": _map(rng),
        "scenarios/whole.json": _scenario("whole", rng, PIECES),
        "scenarios/half.json": _scenario("half", rng, PIECES // 2),
        "scenarios/double.json": _scenario("double", rng, 2 * PIECES),
    }
    for n in range(SMALL):
        files[f"scenarios/small-{n}.json"] = _scenario(f"small-{n}", rng, EACH)
    for name, value in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    result = check(folder, "front", scenarios=())
    errors = [finding for finding in result.findings if finding.severity.word == "error"]
    if result.module is None or result.pack is None or errors:
        raise SystemExit(f"the front has errors: {errors[:3]}")
    return result.module, result.pack


def _id(column: int, row: int) -> str:
    return f"{column + 1:03}.{row + 1:03}"


def _map(rng: random.Random) -> dict[str, object]:
    terrain = ["".join(rng.choices("chs", (80, 17, 3), k=COLUMNS)) for _ in range(ROWS)]
    cities = [(c, r) for c in range(5, CITIES, 12) for r in range(5, ROWS, 12)]
    return {
        "id": "front", "kind": "hex", "adjacent": ["grid"],
        "hexes": {"shape": "flat", "shifted": "even", "ids": "{ccc}.{rrr}", "values": {"kind": "hex"}},
        "legend": {"c": {"terrain": "clear", "ways": ["land"]}, "h": {"terrain": "hills", "ways": ["land"]},
                   "s": {"terrain": "sea"}},
        "sheets": [{"terrain": terrain}],
        "spaces": [{"id": _id(c, r), "city": True, "controller": "north" if r < ROWS // 2 else "south"} for c, r in cities],
        "lines": [{"kind": "road", "path": [_id(c, 1), *(_id(c, r) for r in range(2, ROWS - 1))]} for c in range(5, CITIES, 25)],
    }  # fmt: skip


def _scenario(id: str, rng: random.Random, pieces: int) -> dict[str, object]:
    placed = []
    for n in range(pieces):
        north = n % 2 == 0
        above = north != (rng.random() < CUT_OFF)
        row = rng.randrange(3, ROWS // 2 - 2) if above else rng.randrange(ROWS // 2 + 2, ROWS - 3)
        what = rng.choices(("inf", "hq", "air"), (90, 4, 6))[0]
        at = _id(rng.randrange(2, COLUMNS - 2), row)
        placed.append({"at": at, "power": "north" if north else "south", "pieces": [what]})
    return {"id": id, "name": id, "placements": placed}


if __name__ == "__main__":
    for result in results():
        print(result)
