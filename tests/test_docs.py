"""The pages in docs/ show what the commands really print and what the files really hold.

A page is made again from itself: what stands below a `$ vmodc` line is replaced by what the command prints, a block
below `<!-- file F -->` by the file. `VMODC_UPDATE_DOCS=1 pytest tests/test_docs.py` writes the pages.
"""

from __future__ import annotations

import io
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from case_table import case_table
from word_list import word_list

from compiler.cli import run
from compiler.commands.explain import markdown, reference

DOCS = Path(__file__).parent.parent / "docs"
README = DOCS.parent / "README.md"
CHANGE = re.compile(r"<!-- change (\S+): (.*) → (.*) -->")
FILE = re.compile(r"<!-- file (\S+) -->")
RUN = re.compile(r"<!-- run vmodc (.*) -->")


def printed(command: str) -> list[str]:
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        run(shlex.split(command))
    return out.getvalue().rstrip("\n").split("\n")


def change(name: str, old: str, new: str) -> None:
    file = Path(name)
    text = file.read_text(encoding="utf-8")
    assert old in text, old
    file.write_text(text.replace(old, new.replace("\\n", "\n")), encoding="utf-8")


def skip_block(lines: Iterator[str]) -> str:
    """The line that closes the block."""
    return next(line for line in lines if line == "```")


def made_again(page: str) -> Iterator[str]:
    lines = iter(page.split("\n"))
    for line in lines:
        yield line
        if match := CHANGE.fullmatch(line):
            change(*match.groups())
        elif match := RUN.fullmatch(line):
            printed(match[1])
        elif line.startswith("$ vmodc "):
            yield from printed(line.removeprefix("$ vmodc "))
            yield skip_block(lines)
        elif match := FILE.fullmatch(line):
            yield next(lines)
            yield from Path(match[1]).read_text(encoding="utf-8").rstrip("\n").split("\n")
            yield skip_block(lines)


def settle(page: Path, wanted: str) -> None:
    if os.environ.get("VMODC_UPDATE_DOCS"):
        page.write_text(wanted, encoding="utf-8", newline="\n")
    assert page.read_text(encoding="utf-8") == wanted


@pytest.mark.parametrize(
    "page", [README, DOCS / "first-module.md", DOCS / "ci.md"], ids=lambda page: page.name
)
def test_the_page_shows_what_really_happens(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.setenv("COLUMNS", "110")
    text = page.read_text(encoding="utf-8")
    assert "$ vmodc" in text
    settle(page, "\n".join(made_again(text)))


def test_the_list_of_findings_is_up_to_date() -> None:
    settle(DOCS / "findings.md", "".join(markdown()))


def test_the_reference_of_the_rule_language_is_up_to_date() -> None:
    settle(DOCS / "reference.md", "".join(reference()))


def test_the_table_of_cases_is_up_to_date() -> None:
    settle(DOCS / "cases.md", "".join(case_table(DOCS.parent / "modules_src")))


@pytest.mark.parametrize("page", sorted((DOCS / "words").glob("*.md")), ids=lambda page: page.stem)
def test_the_words_of_a_game_are_up_to_date(page: Path) -> None:
    settle(page, "".join(word_list(DOCS.parent / "modules_src" / page.stem)))


@pytest.mark.parametrize("page", [README, *sorted(DOCS.glob("**/*.md"))], ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_proof_in_the_status_page_can_be_run() -> None:
    from compiler.cli import vmodc

    rows = [
        line.split("|")
        for line in (DOCS / "status.md").read_text(encoding="utf-8").splitlines()
        if "| yes |" in line
    ]
    assert len(rows) > 8
    for _, capability, _, proof, _ in rows:
        commands = re.findall(r"`([^`]+)`", proof)
        assert commands, capability
        for word, name in re.findall(r"(pytest|vmodc|make) ([^\s;]+)", " ; ".join(commands)):
            if word == "pytest":
                assert list(DOCS.parent.glob(name)), name
            elif word == "vmodc":
                assert name in vmodc.commands
            else:
                assert f"\n{name}:" in (DOCS.parent / "Makefile").read_text(encoding="utf-8")
