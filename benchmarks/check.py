"""`vmodc check` of each game, after interpreter start and imports, against plain parsing and validating of its files."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

from benchmarks.measure import Result, medians

HOME = Path("modules_src")


def results() -> Iterator[Result]:
    from compiler.check import check

    for root in sorted(path for path in HOME.iterdir() if (path / "module.json").is_file()):
        result = check(root, root.as_posix())
        if result.module is None or set(result.judged) != set(result.module.scenarios):
            raise SystemExit(f"{root.name} has errors that end its check early; there is nothing to measure")
        measured, floor = medians(command(root.as_posix()), _floor(root))
        yield Result(f"check {root.name}", measured, floor, 3 * floor + 0.050, "3 x floor + 50 ms")


def command(*modules: str) -> Callable[[], object]:
    """`vmodc check` of these modules, whole, but for the start of the interpreter and the imports."""
    from compiler.cli import run

    def work() -> None:
        with redirect_stdout(io.StringIO()):
            run(["check", *modules])

    return work


def _floor(root: Path) -> Callable[[], object]:
    """Parsing by `json` and validating by jsonschema-rs. Making the validators is not counted against the check."""
    import jsonschema_rs

    from compiler.schema.load import whole
    from compiler.source import kind_of

    files = [(path, kind_of(path.relative_to(root).as_posix())) for path in sorted(root.rglob("*.json"))]
    kinds = {kind for _, kind in files if kind}
    validators = {kind: jsonschema_rs.validator_for(whole(kind)) for kind in kinds}

    def work() -> None:
        for path, kind in files:
            if kind:
                validators[kind].is_valid(json.loads(path.read_bytes()))

    return work
