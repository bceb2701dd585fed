"""The command line of `vmodc`: reads the words, calls a command of `compiler.commands`, ends with its exit code.

Exit codes: 0 clean; 1 findings at or above --fail-on, or failed cases; 2 wrong usage or input that cannot be read;
3 a mistake inside vmodc; 130 stopped with Ctrl-C. Passes are imported by the command that needs them, so that `check`
starts quickly.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from compiler import __version__
from compiler.commands import CRASHED, UNUSABLE, Unusable
from compiler.findings import Severity
from compiler.report import FORMATS

STOPPED = 130
MODULES = click.argument("modules", metavar="[MODULE]...", nargs=-1)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="vmodc")
@click.option("--debug", is_flag=True, help="On a crash of vmodc itself, print the traceback.")
def vmodc(debug: bool) -> None:
    """Compile a board wargame, written as JSON, into a module for VASSAL, and refuse to compile a lie."""


def _fail_on(command: Callable[..., Any]) -> Callable[..., Any]:
    words = click.Choice([severity.word for severity in reversed(Severity)])
    text = "Findings of this severity or above make the exit code 1."
    return click.option("--fail-on", type=words, default="error", show_default=True, help=text)(command)


@vmodc.command()
@MODULES
@click.option("--format", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write the report to this file."
)
@_fail_on
@click.option(
    "--select", multiple=True, metavar="CODES", help="Only these codes: S, S101, a rule's id; commas between."
)
@click.option("--ignore", multiple=True, metavar="CODES", help="Not these codes.")
@click.option("--scenario", "scenarios", multiple=True, metavar="ID", help="Judge only this scenario.")
@click.option("--strict", is_flag=True, help="A rule that cannot be judged for want of a fact is an error.")
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    metavar="FILE.vsav",
    help="Judge this saved game of the module; --scenario names the one it began with.",
)
@click.option("--moment", metavar="MOMENT", help="Judge the saved game as at this moment of the sequence.")
def check(modules: tuple[str, ...], **options: Any) -> int:
    """Check modules: files, names, texts, rules, setups.

    MODULE is a folder; without one, every folder in modules_src/ is checked.
    """
    from compiler.commands.check import Settings
    from compiler.commands.check import check as run
    from compiler.commands.wanted import Wanted, names

    settings = Settings(
        format=options["format"],
        output=options["output"],
        fail_on=Severity[options["fail_on"].upper()],
        wanted=Wanted(names(options["select"]), names(options["ignore"])),
        scenarios=options["scenarios"],
        strict=options["strict"],
        save=options["save"],
        moment=options["moment"],
    )
    return run(modules, settings, _complain)


@vmodc.command()
@MODULES
@click.option(
    "--coverage", is_flag=True, help="List the rules, exceptions and table cells that no case uses."
)
@click.option("--mutate", is_flag=True, help="List the numbers that could be one more or less unnoticed.")
@click.option("--format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def test(modules: tuple[str, ...], coverage: bool, mutate: bool, format: str) -> int:
    """Run the cases of modules: questions with known answers."""
    from compiler.commands.test import Wish
    from compiler.commands.test import test as run

    return run(modules, Wish(coverage, mutate, format), sys.stdout.write, _complain)


@vmodc.command()
@MODULES
@click.option(
    "-o", "parent", type=click.Path(path_type=Path), default=Path("build"), show_default=True, metavar="DIR"
)
@click.option(
    "--only", multiple=True, metavar="TARGETS", help="Only these: maps, counters, ...; commas between."
)
@click.option("--lang", "languages", multiple=True, metavar="LANG", help="Only this language.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Do this many things at once."
)
@click.option(
    "--draft", is_flag=True, help="Build in spite of findings, marked as a draft, to a place of its own."
)
@click.option("--locked", is_flag=True, help="An id that ids.lock.json lacks is an error (for CI).")
@_fail_on
def build(modules: tuple[str, ...], **options: Any) -> int:
    """Check modules, then build everything, all or nothing."""
    from compiler.commands.build import Plan
    from compiler.commands.build import build as run
    from compiler.commands.wanted import names

    plan = Plan(
        parent=options["parent"],
        only=names(options["only"]),
        languages=names(options["languages"]),
        jobs=options["jobs"],
        draft=options["draft"],
        locked=options["locked"],
        fail_on=Severity[options["fail_on"].upper()],
    )
    return run(modules, plan, sys.stdout.write, _complain)


@vmodc.command()
@MODULES
@click.option(
    "-o", "parent", type=click.Path(path_type=Path), default=Path("build"), show_default=True, metavar="DIR"
)
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter", "a3"]),
    help="The paper; default: as the module says, or A4.",
)
@click.option("--colour", type=click.Choice(["rgb", "cmyk"]), help="The printer's colours; default: rgb.")
@click.option("--flip", type=click.Choice(["long", "short"]), help="The edge over which the paper is turned.")
@click.option("--lang", "languages", multiple=True, metavar="LANG", help="Only this language.")
@click.option("--draft", is_flag=True, help="Print in spite of findings, to a place of its own.")
@_fail_on
def sheet(modules: tuple[str, ...], **options: Any) -> int:
    """Make print files: counters with their backs, stickers, maps and charts as PDF."""
    from compiler.commands.build import Plan
    from compiler.commands.build import build as run
    from compiler.commands.wanted import names

    plan = Plan(
        parent=options["parent"],
        only=("sheets",),
        languages=names(options["languages"]),
        draft=options["draft"],
        fail_on=Severity[options["fail_on"].upper()],
        settings={"sheets": {key: options[key] for key in ("paper", "colour", "flip")}},
    )
    return run(modules, plan, sys.stdout.write, _complain)


@vmodc.command()
@click.argument("module")
@click.argument("scenario")
@click.argument("item", metavar="[SPACE|PIECE]", required=False)
@click.option("--trace", metavar="NAME", help="Only this trace of the rules.")
@click.option("--format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def supply(module: str, scenario: str, item: str | None, trace: str | None, format: str) -> int:
    """Tell who is in supply in a scenario (or a case), by which path, or what stops it."""
    from compiler.commands.supply import supply as run

    return run(module, scenario, item, trace, format, sys.stdout.write)


@vmodc.command()
@click.argument("module")
@click.argument("scenario")
@click.argument("attribute")
@click.argument("item", metavar="[ITEM]", required=False)
@click.option(
    "--format",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    show_default=True,
    help="html draws it on the map.",
)
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to a file.")
def field(
    module: str, scenario: str, attribute: str, item: str | None, format: str, output: Path | None
) -> int:
    """Tell or draw what an attribute, derived or not, is in a scenario: zones of control, influence, who is hostile.

    SCENARIO may also be the id of a case.
    """
    from compiler.commands.field import field as run
    from compiler.commands.sink import sink

    with sink(output) as write:
        return run(module, scenario, attribute, item, format, write)


@vmodc.command()
@click.argument("name", metavar="[CODE|CONSTRUCT|RULE]", required=False)
@click.argument("module", metavar="[MODULE]", required=False)
@click.option("--lang", "language", metavar="LANG", help="Read a rule back in this language of the module.")
@click.option("--all", "everything", is_flag=True, help="Explain every code and construct.")
@click.option(
    "--reference", "whole", is_flag=True, help="Print the reference of the rule language, as markdown."
)
@click.option("--format", type=click.Choice(["text", "markdown"]), default="text", hidden=True)
def explain(
    name: str | None, module: str | None, language: str | None, everything: bool, whole: bool, format: str
) -> int:
    """Explain a code of a finding or a construct of the rule language, or read a game's rule back in words.

    Without a name, list all codes and constructs.
    """
    from compiler.commands import explain as commands

    if whole:
        sys.stdout.writelines(commands.reference())
        return 0
    if everything:
        sys.stdout.writelines(commands.markdown() if format == "markdown" else commands.everything())
        return 0
    if name is None:
        return commands.list_codes(sys.stdout.write)
    return commands.explain(name, module, language, sys.stdout.write)


@vmodc.command()
@click.argument("name")
@click.option("--hex", "hexes", is_flag=True, help="A map of hexes on two sheets, instead of areas.")
def init(name: str, hexes: bool) -> int:
    """Write a small complete module to start from. NAME is its folder; the last part becomes its id."""
    from compiler.init import init as run

    return run(name, sys.stdout.write, hexes=hexes)


@vmodc.command()
@click.argument("name", required=False)
def schema(name: str | None) -> int:
    """Print a schema of the source language. Without a name, list them."""
    from compiler.commands.schema import list_schemas
    from compiler.commands.schema import schema as run

    return run(name, sys.stdout.write) if name else list_schemas(sys.stdout.write)


@vmodc.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.vmod|FILE.vsav")
@click.option("--format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--module", type=click.Path(path_type=Path), help="The module of a save, for the names of places."
)
def inspect(file: Path, format: str, module: Path | None) -> int:
    """Show what is in a VASSAL module or save, ours or not: its tree, its pieces, where they stand."""
    from compiler.commands.inspect import inspect as run

    return run(file, format, module, sys.stdout.write)


@vmodc.command()
@click.argument("files", type=click.Path(path_type=Path), metavar="FILE.vmod...", nargs=-1, required=True)
@click.option(
    "--engine",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of an installed VASSAL 3.7; also VMODC_ENGINE.",
)
@click.option(
    "--screenshots",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A folder for each module goes in here; default: build/verify.",
)
@click.option(
    "--timeout", type=click.FloatRange(min=1), default=900, show_default=True, help="Seconds a file."
)
@click.option(
    "--thorough", is_flag=True, help="Also try every command of every kind of piece, and every phase."
)
@click.option("--format", type=click.Choice(FORMATS), default="text", show_default=True)
@_fail_on
def verify(files: tuple[Path, ...], **options: Any) -> int:
    """Open modules in an installed VASSAL and compare what it says with the build's manifest."""
    from compiler.commands.verify import Settings
    from compiler.commands.verify import verify as run

    settings = Settings(
        engine=options["engine"],
        screenshots=options["screenshots"],
        timeout=options["timeout"],
        thorough=options["thorough"],
        format=options["format"],
        fail_on=Severity[options["fail_on"].upper()],
    )
    return run(files, settings, _complain)


@vmodc.command()
@MODULES
@click.option(
    "--data",
    type=click.Path(path_type=Path, exists=True),
    required=True,
    help="Folder (or wheel, or zip) with the Natural Earth layers.",
)
@click.option(
    "--heights", type=click.Path(path_type=Path, exists=True), help="File with heights, for the relief."
)
def geo(modules: tuple[str, ...], data: Path, heights: Path | None) -> int:
    """Draw map outlines from geography into modules (needs the extra vmodc[geo])."""
    from compiler.commands.geo import geo as run

    return run(modules, data, heights, sys.stdout.write, _complain)


def main() -> NoReturn:
    """The console script."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and gives its exit code. Nothing an author can do makes this raise."""
    _never_fail_to_print()
    try:
        code = vmodc.main(list(arguments), prog_name="vmodc", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as problem:
        problem.show()
        return UNUSABLE
    except Unusable as problem:
        _complain(str(problem))
        return UNUSABLE
    except (click.Abort, KeyboardInterrupt):
        return STOPPED
    except BrokenPipeError:
        return _reader_left()
    except Exception as problem:
        return _crashed(problem, debug="--debug" in arguments)
    return code if isinstance(code, int) else 0


def _complain(sentence: str) -> None:
    sys.stdout.flush()
    click.echo(f"vmodc: {sentence}", err=True)


def _never_fail_to_print() -> None:
    """A character that the terminal's encoding lacks is shown escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _reader_left() -> int:
    """`vmodc check | head`: whoever read our output has had enough. Python must not complain of it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return STOPPED + 11


def _crashed(problem: Exception, debug: bool) -> int:
    if debug:
        import traceback

        traceback.print_exception(problem)
    what = f"{type(problem).__name__}: {problem}"
    _complain(
        f"a mistake in vmodc itself ({what}), not in your files. Please report it with the output of --debug."
    )
    return CRASHED
