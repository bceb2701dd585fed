"""`vmodc check` of each game, after interpreter start and imports, against plain parsing and validating of its files."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

from benchmarks.measure import Result, medians

HOME = Path("modules_src")


def results() -> Iterator[Result]:
    from compiler.check import check
    from compiler.source import kind_of

    for root in sorted(path for path in HOME.iterdir() if (path / "module.json").is_file()):
        result = check(root, root.as_posix())
        if result.module is None or set(result.judged) != set(result.module.scenarios):
            raise SystemExit(f"{root.name} has errors that end its check early; there is nothing to measure")
        opened = _opened(root)
        sources = [path for path in opened if kind_of(path.relative_to(root).as_posix())]
        for told, files in (("its sources alone", sources), ("all that it reads", opened)):
            measured, floor = medians(command(root.as_posix()), _floor(root, files))
            name = f"check {root.name}, against {told}"
            yield Result(name, measured, floor, 3 * floor + 0.050, "3 x floor + 50 ms")


def command(*modules: str) -> Callable[[], object]:
    """`vmodc check` of these modules, whole, but for the start of the interpreter and the imports."""
    from compiler.cli import run

    def work() -> None:
        with redirect_stdout(io.StringIO()):
            run(["check", *modules])

    return work


def _floor(root: Path, paths: Iterable[Path]) -> Callable[[], object]:
    """Parsing these files by `json`, and validating by jsonschema-rs those that have a schema.

    Making the validators is not counted against the check.
    """
    import jsonschema_rs

    from compiler.schema.load import whole
    from compiler.source import kind_of

    files = [(path, kind_of(path.relative_to(root).as_posix())) for path in paths]
    kinds = {kind for _, kind in files if kind}
    validators = {kind: jsonschema_rs.validator_for(whole(kind)) for kind in kinds}

    def work() -> None:
        for path, kind in files:
            value = json.loads(path.read_bytes())
            if kind:
                validators[kind].is_valid(value)

    return work


def _opened(root: Path) -> list[Path]:
    """The JSON files of the module that a check opens, as Python itself reports them."""
    whole, opened, listening = root.resolve(), set[Path](), True

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if listening and event == "open" and isinstance(arguments[0], str) and arguments[0].endswith(".json"):
            opened.add(Path(arguments[0]).resolve())

    sys.addaudithook(hook)  # it cannot be taken away again
    command(root.as_posix())()
    listening = False
    return sorted(root / path.relative_to(whole) for path in opened if path.is_relative_to(whole))
