"""The command line: what each command says, and with which exit code it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import compiler.check
from compiler import targets
from compiler.check import CheckResult
from compiler.cli import run
from compiler.codes import all_codes
from compiler.findings import Finding, Place, error, note
from compiler.output import manifest_of
from compiler.source.document import Document
from compiler.targets import Job

Output = pytest.CaptureFixture[str]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with one module in modules_src/."""
    monkeypatch.chdir(tmp_path)
    assert run(["init", "modules_src/valley"]) == 0
    return tmp_path


@pytest.fixture
def quiet(here: Path, capsys: Output) -> Path:
    capsys.readouterr()
    return here


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def guard(here: Path) -> None:
    """Mends the one deliberate warning."""
    change(here / "modules_src/valley/scenarios/first-day.json", '"at": "riverside"', '"at": "harbour"')
    change(here / "modules_src/valley/scenarios/first-day.json", '"2 inf", "tank"', '"2 inf"')


def break_name(here: Path, module: str = "valley") -> None:
    change(here / f"modules_src/{module}/scenarios/first-day.json", '"at": "meadow"', '"at": "medow"')


# check


def test_check_without_a_module_checks_all_of_modules_src(quiet: Path, capsys: Output) -> None:
    run(["init", "modules_src/other"])
    capsys.readouterr()
    assert run(["check"]) == 0
    out = capsys.readouterr().out
    assert " --> modules_src/other/" in out
    assert " --> modules_src/valley/" in out
    assert out.endswith("\n0 errors, 2 warnings, 0 notes in 2 modules\n")


def test_exit_code_follows_fail_on(quiet: Path) -> None:
    assert run(["check"]) == 0
    assert run(["check", "--fail-on", "warning"]) == 1
    guard(quiet)
    assert run(["check", "--fail-on", "note"]) == 0
    break_name(quiet)
    assert run(["check"]) == 1


def test_a_finding_has_its_line_and_a_suggestion(quiet: Path, capsys: Output) -> None:
    break_name(quiet)
    run(["check", "--format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    (wrong,) = [finding for finding in findings if finding["severity"] == "error"]
    assert wrong["file"] == "modules_src/valley/scenarios/first-day.json"
    lines = (quiet / wrong["file"]).read_text(encoding="utf-8").splitlines()
    assert lines[wrong["line"] - 1][wrong["column"] - 1 : wrong["endColumn"] - 1] == '"medow"'
    assert "meadow" in wrong["help"]
    assert wrong["code"] in all_codes()


def test_an_error_elsewhere_does_not_hide_those_of_a_picture_file(quiet: Path, capsys: Output) -> None:
    break_name(quiet)
    picture = quiet / "modules_src/valley/maps/valley.picture.json"
    picture.write_text('{\n  "margn": 40\n}\n', encoding="utf-8")
    assert run(["check"]) == 1
    out = capsys.readouterr().out
    assert "there is no space 'medow'" in out
    assert "'margn' is not a property of this file" in out and "valley.picture.json:2:3" in out


@pytest.mark.parametrize("name", ["valley", "./modules_src/valley/", "modules_src/../modules_src/valley"])
def test_a_module_may_be_named_in_many_ways(quiet: Path, capsys: Output, name: str) -> None:
    assert run(["check", name]) == 0
    assert "--> modules_src/valley/" in capsys.readouterr().out


def test_an_absolute_path_below_is_shown_relative(quiet: Path, capsys: Output) -> None:
    run(["check", str(quiet / "modules_src/valley")])
    assert "--> modules_src/valley/" in capsys.readouterr().out


def test_a_folder_that_is_not_there(quiet: Path, capsys: Output) -> None:
    assert run(["check", "modules_src/valey", "modules_src/valley"]) == 2
    out, err = capsys.readouterr()
    assert err == "vmodc: there is no folder 'modules_src/valey'; did you mean 'valley'?\n"
    assert "0 errors, 1 warning" in out  # the other one was checked all the same


def test_a_file_is_not_a_module(quiet: Path, capsys: Output) -> None:
    assert run(["check", "modules_src/valley/module.json"]) == 2
    assert "name the module's folder" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read(quiet: Path, capsys: Output) -> None:
    (quiet / "modules_src/valley").chmod(0)
    assert run(["check", "modules_src/valley"]) == 2
    (quiet / "modules_src/valley").chmod(0o755)
    assert "cannot be read" in capsys.readouterr().err


def test_no_modules_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["check"]) == 2
    assert "there is no modules_src/ here" in capsys.readouterr().err


def test_inside_a_module_no_name_is_needed(
    quiet: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(quiet / "modules_src/valley")
    assert run(["check"]) == 0
    assert "0 errors, 1 warning" in capsys.readouterr().out


def test_an_empty_folder_is_a_finding_not_a_crash(quiet: Path, capsys: Output) -> None:
    (quiet / "modules_src/void").mkdir()
    assert run(["check", "modules_src/void"]) in (1, 2)
    out, err = capsys.readouterr()
    assert "module.json" in out + err


def codes(out: str) -> set[str]:
    return {finding["code"] for finding in json.loads(out)["findings"]}


def test_select_and_ignore(quiet: Path, capsys: Output) -> None:
    break_name(quiet)

    def check(*arguments: str) -> tuple[int, set[str]]:
        code = run(["check", "--format", "json", *arguments])
        return code, codes(capsys.readouterr().out)

    _, all_found = check()
    (own,) = [code for code in all_found if code in all_codes()]
    assert check("--select", own) == (1, {own})
    assert check("--select", own[0].lower())[1] == {own}
    assert check("--ignore", own) == (0, all_found - {own})
    guard_only = check("--select", "capital")[1]
    assert guard_only <= {"capital.guard"}
    assert check("--select", f"{own},capital.guard", "--ignore", own)[1] == guard_only


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_a_misspelt_code_does_not_pass_silently(quiet: Path, capsys: Output, option: str) -> None:
    assert run(["check", option, "capital.gard"]) == 2
    assert "no finding has the code 'capital.gard'; did you mean 'capital.guard'?" in capsys.readouterr().err


def test_scenario(quiet: Path, capsys: Output) -> None:
    assert run(["check", "--scenario", "first-day"]) == 0
    assert "capital.guard" in capsys.readouterr().out
    assert run(["check", "--scenario", "first-dya"]) == 2
    assert "did you mean 'first-day'?" in capsys.readouterr().err


def test_output_goes_to_a_file(quiet: Path, capsys: Output) -> None:
    assert run(["check", "--format", "sarif", "--output", "report.sarif"]) == 0
    assert capsys.readouterr().out == ""
    report = json.loads((quiet / "report.sarif").read_text(encoding="utf-8"))
    assert report["runs"][0]["results"][0]["ruleId"] == "capital.guard"
    assert not list(quiet.glob(".*"))


def test_output_to_nowhere(quiet: Path, capsys: Output) -> None:
    assert run(["check", "--output", "no/such/place.txt"]) == 2
    assert "'no/such/place.txt' cannot be written" in capsys.readouterr().err


def fake_check(monkeypatch: pytest.MonkeyPatch, *findings: Finding) -> None:
    result = CheckResult(None, None, list(findings))
    monkeypatch.setattr(compiler.check, "check", lambda *_: result)


def test_strict_turns_what_was_not_judged_into_an_error(quiet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_check(monkeypatch, note("G103", "rule 'x' is not judged"), note("some.rule", "a game's own note"))
    assert run(["check"]) == 0
    assert run(["check", "--strict"]) == 1
    fake_check(monkeypatch, note("some.rule", "a game's own note"))
    assert run(["check", "--strict"]) == 0


def test_ten_thousand_are_shown_and_the_rest_counted(
    quiet: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    run(["init", "modules_src/other"])
    capsys.readouterr()
    document = Document("x.json", "[]", [])
    fake_check(monkeypatch, *[error("X", f"number {n}", Place(document)) for n in range(6000)])
    assert run(["check"]) == 1
    out = capsys.readouterr().out
    assert out.count("error[X]") == 10_000
    assert out.endswith(
        "10000 findings shown, 2000 more not shown\n12000 errors, 0 warnings, 0 notes in 2 modules\n"
    )


def test_stopped_with_ctrl_c(quiet: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    def stopped(*_: object) -> CheckResult:
        raise KeyboardInterrupt

    monkeypatch.setattr(compiler.check, "check", stopped)
    assert run(["check"]) == 130
    assert capsys.readouterr().err.strip() == ""


def test_our_own_mistakes_are_one_line(quiet: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    def crash(*_: object) -> CheckResult:
        raise RuntimeError("boom")

    monkeypatch.setattr(compiler.check, "check", crash)
    assert run(["check"]) == 3
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "a mistake in vmodc itself (RuntimeError: boom), not in your files" in err
    assert run(["--debug", "check"]) == 3
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["chekc"], ["check", "--format", "yaml"], ["check", "--fail-on", "never"]]
)
def test_wrong_usage(arguments: list[str], capsys: Output) -> None:
    assert run(arguments) == 2
    assert "Usage: vmodc" in capsys.readouterr().err


def vmodc(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [
            sys.executable,
            "-X",
            "warn_default_encoding",
            "-W",
            "error::EncodingWarning",
            "-m",
            "compiler",
            *arguments,
        ],
        cwd=cwd,
        capture_output=True,
        env=os.environ | environment,
    )


def test_a_real_process_with_default_encodings_forbidden(quiet: Path) -> None:
    done = vmodc("check", cwd=quiet)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b"0 errors, 1 warning, 0 notes" + os.linesep.encode("ascii"))
    assert b"\x1b" not in done.stdout
    assert vmodc("test", cwd=quiet).returncode == 0


def test_a_terminal_that_knows_only_ascii(quiet: Path) -> None:
    change(quiet / "modules_src/valley/module.json", '"South"', '"Süd 南"')
    done = vmodc("check", cwd=quiet, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert b"S\\xfcd \\u5357" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of a shell")
def test_a_reader_who_leaves_early(quiet: Path) -> None:
    for n in range(30):
        (quiet / f"modules_src/valley/scenarios/bad-{n}.json").write_text("[1, 2", encoding="utf-8")
    done = subprocess.run(
        f"{sys.executable} -m compiler check | head -c 1",
        shell=True,
        cwd=quiet,
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""


def test_check_imports_nothing_that_only_a_build_needs(quiet: Path) -> None:
    script = (
        "import sys; from compiler.cli import run; run(['check']);"
        "heavy = {'lxml', 'PIL', 'resvg_py', 'jinja2', 'numpy', 'shapely', 'ctypes'} & set(sys.modules);"
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=quiet, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr


# test


def test_cases_pass(quiet: Path, capsys: Output) -> None:
    assert run(["test"]) == 0
    told = "modules_src/valley: of 3 rules the cases break 3 and keep 3\n"
    assert capsys.readouterr().out == f"{told}8 cases passed, 0 failed, 0 out of scope\n"


def test_a_failing_case_says_where_what_and_why(quiet: Path, capsys: Output) -> None:
    change(quiet / "modules_src/valley/maps/valley.json", '"room": 2', '"room": 5')
    assert run(["test", "modules_src/valley"]) == 1
    out = capsys.readouterr().out
    assert "FAILED room-3: room in an area\n" in out
    place = out.split("--> modules_src/valley/cases/setup.json:")[1].split("\n")[0]
    line = int(place.split(":")[0])
    cases = (quiet / "modules_src/valley/cases/setup.json").read_text(encoding="utf-8").splitlines()
    assert '"room-3"' in cases[line - 1]
    assert '  expected: {"findings": ["area.room"]}\n' in out
    assert "  got:      {" in out
    assert out.endswith("7 cases passed, 1 failed, 0 out of scope\n")


def test_out_of_scope_is_counted(quiet: Path, capsys: Output) -> None:
    file = quiet / "modules_src/valley/cases/setup.json"
    change(file, '"cases": [', '"out_of_scope": [{"id": "move-1", "reason": "a move"}],\n  "cases": [')
    assert run(["test"]) == 0
    assert capsys.readouterr().out.endswith("\n8 cases passed, 0 failed, 1 out of scope\n")


def test_cases_of_a_broken_module_do_not_pass_silently(quiet: Path, capsys: Output) -> None:
    (quiet / "modules_src/valley/module.json").write_text("{", encoding="utf-8")
    assert run(["test"]) == 1
    out = capsys.readouterr().out
    assert "module.json:1:" in out
    assert "its cases cannot be run before the errors above are mended" in out


@pytest.mark.parametrize(
    "row, told",
    [
        ('{"id": "new", "placements": [{"at": "nowhere", "power": "north", "pieces": ["inf"]}]}', 1),
        ('{"id": "room-3"}', 0),  # a second one of that id: no case at all, but an error
    ],
)
def test_a_case_with_an_error_of_its_own_does_not_pass(
    quiet: Path, capsys: Output, row: str, told: int
) -> None:
    asks = row[:-1] + ', "ask": {"findings": "all"}, "answer": {"legal": true}}'
    change(quiet / "modules_src/valley/cases/setup.json", '"cases": [', f'"cases": [{asks}, ')
    assert run(["test"]) == 1
    out = capsys.readouterr().out
    assert "error[N" in out
    assert out.endswith(f"\n8 cases passed, {told} failed, 0 out of scope\n")
    assert ("something in the case is wrong: see above" in out) == bool(told)


# explain, schema


def test_every_code_is_explained(capsys: Output) -> None:
    for code in all_codes().values():
        assert code.code.startswith(tuple("SJNHTRLGCMDVBEP"))
        for part in (code.title, code.what, code.why, code.wrong or "an empty file", code.right):
            assert part.strip(), code.code
        assert run(["explain", code.code.lower()]) == 0
        out = capsys.readouterr().out
        assert out.startswith(f"{code.code}: {code.title} ({code.severity.word})\n")
        assert "Wrong:" in out
        assert "Right:" in out


def test_a_games_rule_is_read_back(quiet: Path, capsys: Output) -> None:
    assert run(["explain", "area.room"]) == 0
    out = capsys.readouterr().out
    head, words = out.split("\n", 1)
    assert head.startswith("area.room: An area holds so many units")
    assert "1.1" in head
    assert "at most the space's room" in words
    assert run(["explain", "area.room", "modules_src/valley"]) == 0


def test_what_a_rule_names_is_told_with_it_and_by_itself(capsys: Output) -> None:
    straits = str(Path(__file__).parent / "good/straits")
    meaning = "«at_sea» means: "
    assert run(["explain", "at_sea", straits]) == 0
    alone = capsys.readouterr().out
    assert alone.startswith(meaning) and alone.count(meaning) == 1
    rule = json.loads((Path(straits) / "rules.json").read_text(encoding="utf-8"))["rules"]
    named = next(entry["id"] for entry in rule if entry.get("must") == {"use": "at_sea"})
    assert run(["explain", named, straits]) == 0
    out = capsys.readouterr().out
    assert "«at_sea»." in out.split(meaning)[0] and out.endswith(alone)


def test_unknown_names_get_a_suggestion(quiet: Path, capsys: Output) -> None:
    assert run(["explain", "area.roon"]) == 2
    assert "did you mean 'area.room'?" in capsys.readouterr().err
    assert run(["explain", "area.room", "nowhere"]) == 2
    assert "there is no folder 'nowhere'" in capsys.readouterr().err


def test_explain_without_a_name_lists_all_codes(capsys: Output) -> None:
    assert run(["explain"]) == 0
    out = capsys.readouterr().out
    assert all(f"{code.code} " in out for code in all_codes().values())


def test_schemas_are_printed(capsys: Output) -> None:
    assert run(["schema"]) == 0
    names = capsys.readouterr().out.split()
    assert {"module", "map", "counters", "rules", "scenario", "cases"} <= set(names)
    for name in names:
        assert run(["schema", name]) == 0
        assert json.loads(capsys.readouterr().out)["$schema"].endswith("2020-12/schema")
    assert run(["schema", "modul"]) == 2
    assert "did you mean 'module'?" in capsys.readouterr().err


# build


def draw(job: Job) -> list[Finding]:
    job.write("maps/valley.svg", f"<svg>{job.module.version} {job.draft} {job.languages}</svg>".encode())
    job.fact("labels", 4)
    return []


def pack(job: Job) -> list[Finding]:
    job.write(f"{job.module.id}.txt", job.module.version.encode())
    return []


@pytest.fixture
def can_build(quiet: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(targets, "_target", {"maps": draw, "vmod": pack}.get)
    monkeypatch.setattr(targets, "ADDRESSES", {name: name for name in targets.ADDRESSES})
    return quiet


def test_a_build_is_what_its_manifest_says(can_build: Path, capsys: Output) -> None:
    assert run(["build"]) == 0
    assert (
        "modules_src/valley: built build/valley: maps, vmod (0 errors, 1 warning, 0 notes)\n"
        in capsys.readouterr().out
    )
    manifest = manifest_of(can_build / "build/valley")
    assert manifest is not None
    assert (manifest["module"], manifest["version"], manifest["draft"]) == ("valley", "0.1.0", False)
    assert set(manifest["files"]) == {"maps/valley.svg", "valley.txt"}  # type: ignore[call-overload]
    assert manifest["facts"] == {"labels": 4}


def test_errors_stop_a_build_and_leave_the_earlier_one(can_build: Path, capsys: Output) -> None:
    assert run(["build"]) == 0
    before = (can_build / "build/valley/manifest.json").read_bytes()
    break_name(can_build)
    assert run(["build"]) == 1
    assert "modules_src/valley: not built: 1 error" in capsys.readouterr().out
    assert (can_build / "build/valley/manifest.json").read_bytes() == before


def test_a_warning_stops_it_if_asked_to(can_build: Path) -> None:
    assert run(["build", "--fail-on", "warning"]) == 1
    assert not (can_build / "build/valley").exists()


def test_a_draft_is_built_all_the_same_in_a_place_of_its_own(can_build: Path) -> None:
    break_name(can_build)
    assert run(["build", "--draft"]) == 1
    assert not (can_build / "build/valley").exists()
    assert "True" in (can_build / "build/valley.draft/maps/valley.svg").read_text(encoding="utf-8")


def test_what_a_target_finds_stops_the_build(
    can_build: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    def bad(job: Job) -> list[Finding]:
        job.write("x.txt", b"")
        return [error("D999", "the label does not fit")]

    monkeypatch.setattr(targets, "_target", {"maps": bad}.get)
    assert run(["build"]) == 1
    out = capsys.readouterr().out
    assert "error[D999]: the label does not fit" in out
    assert "build/valley is as it was" in out
    assert not (can_build / "build/valley").exists()


def test_only_one_target_leaves_the_others_as_they_were(can_build: Path, capsys: Output) -> None:
    run(["build"])
    change(can_build / "modules_src/valley/module.json", '"0.1.0"', '"0.2.0"')
    assert run(["build", "--only", "maps"]) == 0
    assert "kept from an earlier build: vmod" in capsys.readouterr().out
    assert "0.2.0" in (can_build / "build/valley/maps/valley.svg").read_text(encoding="utf-8")
    assert (can_build / "build/valley/valley.txt").read_bytes() == b"0.1.0"
    manifest = manifest_of(can_build / "build/valley")
    assert manifest is not None
    sources = manifest["sources"]
    assert isinstance(sources, dict)
    assert sources["maps"] != sources["vmod"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--only", "map"], "there is no target 'map'; did you mean 'maps'?"),
        (["--only", "sheets"], "the target 'sheets' is not part of this version yet; there is: maps, vmod"),
        (["--lang", "fr"], "valley has no language 'fr'; it has: en"),
    ],
)
def test_what_cannot_be_built(can_build: Path, capsys: Output, arguments: list[str], words: str) -> None:
    assert run(["build", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not (can_build / "build/valley").exists()


def test_two_builds_give_the_same_bytes(can_build: Path) -> None:
    run(["build", "-o", "one"])
    run(["build", "-o", "two"])
    assert (can_build / "one/valley/manifest.json").read_bytes() == (
        can_build / "two/valley/manifest.json"
    ).read_bytes()


def test_a_module_of_rules_only_is_not_built(can_build: Path, capsys: Output) -> None:
    change(can_build / "modules_src/valley/module.json", '"format": 1,', '"format": 1,\n  "stage": "rules",')
    assert run(["build"]) == 0
    assert "its stage is 'rules', so nothing is built" in capsys.readouterr().out
    assert not (can_build / "build").exists()


def test_nothing_is_written_where_other_files_lie(can_build: Path, capsys: Output) -> None:
    assert run(["build", "-o", "modules_src"]) == 2
    assert "which no build wrote" in capsys.readouterr().err
    assert (can_build / "modules_src/valley/module.json").exists()
