"""What must hold for the project as a whole, whoever changes it."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.codes import all_codes

TOP = Path(__file__).parent.parent
COMPILER = TOP / "compiler"

# The way of the data: a pass imports only what stands before it. The names on one line may not import each other.
ORDER = [
    {"findings", "frozen", "suggest"},
    {"codes"},
    {"source"},
    {"schema", "grid"},
    {"model"},
    {"rules", "doubt"},
    {"output", "targets"},
    {"geo"},
    {"draw"},
    {"sheets"},
    {"vassal"},
    {"check"},
    {"report"},
    {"commands"},
    {"init"},
    {"cli"},
]
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}


def tracked(*patterns: str) -> list[Path]:
    """Files that git knows, or would know."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *patterns]
    try:
        names = (
            subprocess.run(command, cwd=TOP, capture_output=True, check=True)
            .stdout.decode("utf-8")
            .split("\0")
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not in a git checkout")
    return [TOP / name for name in names if name and (TOP / name).is_file()]


def hits(words: str, *patterns: str) -> list[str]:
    wanted = re.compile(words, re.IGNORECASE)
    found = []
    for path in tracked(*patterns):
        for number, line in enumerate(
            path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1
        ):
            if wanted.search(line):
                found.append(f"{path.relative_to(TOP)}:{number}: {line.strip()[:100]}")
    return found


def test_the_compiler_knows_no_game() -> None:
    games = (
        "world[-_ ]in[-_ ]flames|axis[-_ ](and|&)[-_ ]allies|asia[-_ ]engulfed|war[-_ ]in[-_ ]the[-_ ]desert"
        "|unconditional[-_ ]surrender"
    )
    assert hits(games, "compiler", "schemas") == []


def test_a_module_contains_no_python() -> None:
    assert tracked("modules_src/*.py") == []


def test_nothing_is_left_for_later() -> None:
    assert (
        hits(
            r"\b(?-i:TO" + "DO|FIX" + r"ME|NotImplementedError)\b",
            "compiler",
            "schemas",
            "modules_src",
            "docs",
        )
        == []
    )


def test_no_address_of_a_package_index_and_no_path_of_a_machine() -> None:
    assert (
        hits(
            "(index" + "-url|find" + r"-links|extra-index) *=|pypi\.o" + "rg|/ro" + "ot/|/ho" + "me/[a-z]",
            ".",
        )
        == []
    )


def test_no_file_is_too_large_to_read() -> None:
    assert [path for path in tracked(".") if path.stat().st_size > 2 * 1024 * 1024] == []


def imports(path: Path) -> Iterator[str]:
    """What a file imports when it runs; what only the type checker sees does not count."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names if node.module == "compiler")
        waiting.extend(ast.iter_child_nodes(node))


def test_a_pass_imports_only_passes_to_its_left() -> None:
    wrong = []
    for path in sorted(COMPILER.rglob("*.py")):
        own = path.relative_to(COMPILER).parts[0].removesuffix(".py")
        if own in ("__init__", "__main__"):
            continue
        assert own in RANK, f"compiler/{own} is new: say in ORDER where it belongs"
        for name in imports(path):
            other = name.split(".")[1] if name.startswith("compiler.") else ""
            if other in RANK and other != own and RANK[other] >= RANK[own]:
                wrong.append(f"{path.relative_to(TOP)} imports {name}")
    assert wrong == []


def emitted() -> dict[str, str]:
    """Every code that the compiler's source names outside the registry."""
    found = {}
    for path in sorted(COMPILER.rglob("*.py")):
        if "codes" not in path.parts:
            for code in re.findall(r'"([SJNHTRLGCMDVBEP]\d{3})"', path.read_text(encoding="utf-8")):
                found.setdefault(code, path.relative_to(TOP).as_posix())
    return found


def test_every_code_is_registered_and_used() -> None:
    assert {code: file for code, file in emitted().items() if code not in all_codes()} == {}
    assert set(all_codes()) - set(emitted()) == set()


def test_every_package_is_pinned() -> None:
    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(need for extra in project["optional-dependencies"].values() for need in extra),
    ]
    lines = (TOP / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][0-9a-z.]*", pin) for pin in pins)
    pinned = {plain(pin.split("==")[0]) for pin in pins}
    assert {plain(re.split(r"[<>=\[; ]", need)[0]) for need in wanted} - pinned == set()


def test_the_notice_names_every_library() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    notice = (TOP / "NOTICE").read_text(encoding="utf-8").lower().replace("_", "-")
    for need in [*project["dependencies"], *project["optional-dependencies"]["geo"]]:
        name = re.split(r"[<>=\[; ]", need)[0].lower()
        assert (name if not name.startswith("font-") else "source sans") in notice, name


def test_the_readme_lists_the_games_that_are_there() -> None:
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"\]\((modules_src/[a-z0-9-]+)\)", readme))
    there = {path.parent.relative_to(TOP).as_posix() for path in tracked("modules_src/*/module.json")}
    assert listed == there
    assert "unofficial" in readme
    assert "not made, endorsed or supported" in readme
    assert readme.count("not yet") + len(listed) == 5
