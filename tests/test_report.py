"""Findings as shown: every format, exact carets, and nothing an author writes can break out of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lxml import etree

from compiler.findings import Finding, Place, Related, Severity, error, note, warning
from compiler.report import FORMATS, renderer
from compiler.report.github import Github
from compiler.report.rows import Tally, rows_of
from compiler.report.text import Text
from compiler.source.document import Document

SARIF = Path(__file__).parent / "data/sarif/sarif-schema-2.1.0.json"
SOURCE = '{\n  "at": "medow",\n  "spaces": [{"id": "meadow"}]\n}\n'


def document(text: str = SOURCE, name: str = "mine/scenarios/one.json") -> Document:
    return Document(name, text, json.loads(text))


def misspelt() -> Finding:
    source = document()
    return error(
        "N101",
        "there is no space 'medow'",
        Place(source, ("at",)),
        help="did you mean 'meadow'?",
        related=(Related(Place(source, ("spaces", 0, "id")), "'meadow' is declared here"),),
    )


def crowded() -> Finding:
    return warning(
        "area.room",
        "meadow: 4 units, room for 3",
        Place(document(), ("at",)),
        rule="area.room",
        section="1.1",
        spaces=("meadow",),
        pieces=("north.inf@meadow#1",),
    )


def shown(findings: list[Finding], format: str = "text", **more: Any) -> str:
    out = renderer(format, **more)
    rows = rows_of(findings)
    tally = Tally(modules=1, shown=len(rows))
    tally.add(findings)
    return "".join([*out.start(), *out.module("mine", rows), *out.end(tally)])


def carets(text: str, path: tuple[str | int, ...], width: int = 110) -> tuple[str, str]:
    """The source line and the caret line of one finding, without the margin."""
    lines = "".join(
        Text(width=width).module("m", rows_of([error("X", "x", Place(document(text), path))]))
    ).splitlines()
    return lines[3].partition("| ")[2], lines[4].partition("| ")[2]


def test_text_shows_message_place_source_carets_help_and_second_location() -> None:
    assert shown([misspelt()]) == (
        "error[N101]: there is no space 'medow'\n"
        " --> mine/scenarios/one.json:2:9\n"
        "  |\n"
        '2 |   "at": "medow",\n'
        "  |         ^^^^^^^\n"
        "  = help: did you mean 'meadow'?\n"
        "note: 'meadow' is declared here\n"
        " --> mine/scenarios/one.json:3:21\n"
        "  |\n"
        '3 |   "spaces": [{"id": "meadow"}]\n'
        "  |                     ^^^^^^^^\n"
        "\n"
        "1 error, 0 warnings, 0 notes\n"
    )


def test_text_names_the_rule_and_its_section() -> None:
    assert "\n  = rule: area.room, section 1.1\n" in shown([crowded()])


def test_colour_is_only_added_never_changes_the_words() -> None:
    import re

    plain, coloured = shown([misspelt(), crowded()]), shown([misspelt(), crowded()], colour=True)
    assert "\x1b[" in coloured
    assert "\x1b[" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_carets_stand_under_the_span_behind_tabs_and_wide_characters() -> None:
    line, mark = carets('{\t"名前": "x", "é\u0301": "here"}', ("é\u0301",))
    assert line == '{    "名前": "x", "é\u0301": "here"}'
    # Four columns for the tab, two for each wide character, none for the combining accent.
    assert mark == " " * (1 + 4 + 6 + 2 + 3 + 2 + 3 + 2) + "^" * 6


@pytest.mark.parametrize("before", [0, 30, 500, 5000])
@pytest.mark.parametrize("after", [0, 30, 5000])
@pytest.mark.parametrize("length", [1, 20, 3000])
def test_a_long_line_is_cut_around_the_caret(before: int, after: int, length: int) -> None:
    word = "w" * length
    line, mark = carets(f'{{"{"a" * before}": "{word}", "z": "{"b" * after}"}}', ("a" * before,), width=80)
    assert len(line) <= 76
    assert len(mark) <= 76
    start = len(mark) - len(mark.lstrip())
    under = line[start : len(mark)]
    assert under.startswith('"w')
    assert set(under) <= {'"', "w"}
    assert under == f'"{word}"' or line.endswith("...")


def test_a_span_over_several_lines_is_marked_on_its_first() -> None:
    line, mark = carets('{"a": [1,\n2]}', ("a",))
    assert (line, mark) == ('{"a": [1,', " " * 6 + "^^^")


def test_windows_line_ends_are_not_part_of_the_line() -> None:
    assert carets('{\r\n"a": "b"\r\n}', ("a",)) == ('"a": "b"', "     ^^^")


def test_findings_are_in_the_order_of_the_file() -> None:
    source = document('{"a": 1,\n "b": 2}')
    rows = rows_of(
        [note("X2", "later", Place(source, ("b",))), error("X1", "earlier", Place(source, ("a",)))]
    )
    assert [row.code for row in rows] == ["X1", "X2"]


def test_too_many_findings_are_cut_to_the_gravest_and_counted() -> None:
    source = document("[1, 2, 3]")
    findings = [note("N1", "n", Place(source, (0,))), error("E1", "e", Place(source, (1,)))] * 3
    rows = rows_of(findings, at_most=4)
    assert sorted(row.code for row in rows) == ["E1", "E1", "E1", "N1"]
    tally = Tally(shown=len(rows))
    tally.add(findings)
    assert "".join(Text().end(tally)) == "4 findings shown, 2 more not shown\n3 errors, 0 warnings, 3 notes\n"


def test_json_has_every_field() -> None:
    report = json.loads(shown([misspelt(), crowded()], "json"))
    first, second = report["findings"]
    assert first == {
        "code": "N101",
        "severity": "error",
        "message": "there is no space 'medow'",
        "file": "mine/scenarios/one.json",
        "line": 2,
        "column": 9,
        "endLine": 2,
        "endColumn": 16,
        "rule": None,
        "section": None,
        "spaces": [],
        "pieces": [],
        "help": "did you mean 'meadow'?",
        "related": [
            {
                "message": "'meadow' is declared here",
                "file": "mine/scenarios/one.json",
                "line": 3,
                "column": 21,
                "endLine": 3,
                "endColumn": 29,
            }
        ],
    }
    assert (second["rule"], second["section"]) == ("area.room", "1.1")
    assert (second["spaces"], second["pieces"]) == (["meadow"], ["north.inf@meadow#1"])
    assert report["summary"] == {
        "errors": 1,
        "warnings": 1,
        "notes": 0,
        "modules": 1,
        "shown": 2,
        "notShown": 0,
    }


def test_json_without_findings_is_still_json() -> None:
    assert json.loads(shown([], "json"))["findings"] == []


def sarif(findings: list[Finding]) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(shown(findings, "sarif"))
    schema = json.loads(SARIF.read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    return log


def test_sarif_is_valid_and_complete() -> None:
    run = sarif([misspelt(), crowded(), note("X", "a finding about nothing in particular")])["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    by_rule = {result["ruleId"]: result for result in run["results"]}
    assert [by_rule[key]["level"] for key in ("N101", "area.room", "X")] == ["error", "warning", "note"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    location = by_rule["N101"]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "mine/scenarios/one.json"
    assert location["region"] == {"startLine": 2, "startColumn": 9, "endLine": 2, "endColumn": 16}
    assert by_rule["N101"]["relatedLocations"][0]["message"]["text"] == "'meadow' is declared here"
    assert by_rule["area.room"]["properties"]["section"] == "1.1"
    assert "locations" not in by_rule["X"]


def test_sarif_without_findings_is_valid() -> None:
    assert sarif([])["runs"][0]["results"] == []


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a b/ü%.json", "a%20b/%C3%BC%25.json"),
        ("/tmp/x.json", "file:///tmp/x.json"),
        ("C:/x.json", "file:///C:/x.json"),
    ],
)
def test_sarif_uris_are_quoted(name: str, uri: str) -> None:
    result = sarif([error("X", "x", Place(document(name=name)))])["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_sarif_fingerprint_stays_when_the_line_moves() -> None:
    def fingerprint(text: str) -> str:
        found = error("X", "x", Place(document(text), ("a",)), subject=("meadow",))
        return str(sarif([found])["runs"][0]["results"][0]["partialFingerprints"])

    assert fingerprint('{"a": 1}') == fingerprint('{\n\n  "a": 1}')


def test_sarif_explains_every_code_of_the_compiler() -> None:
    from compiler.codes import all_codes

    codes = list(all_codes().values())
    run = sarif([Finding(code.code, code.severity, "m") for code in codes])["runs"][0]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    for code in codes:
        assert code.why in rules[code.code]["help"]["text"]
        assert code.right in rules[code.code]["help"]["markdown"]


def test_github_annotation() -> None:
    assert shown([misspelt(), crowded()], "github") == (
        "::error file=mine/scenarios/one.json,line=2,endLine=2,col=9,endColumn=15,title=N101::"
        "there is no space 'medow'%0Ahelp: did you mean 'meadow'?\n"
        "::warning file=mine/scenarios/one.json,line=2,endLine=2,col=9,endColumn=15,title=area.room::"
        "meadow: 4 units, room for 3%0Arule: area.room, section 1.1\n"
        "1 error, 1 warning, 0 notes\n"
    )


def test_github_escapes_what_would_end_the_command() -> None:
    found = error("X", "50 % :: a\r\n::stop-commands::x", Place(document(name="a,b:c%.json"), ("at",)))
    line = "".join(Github().module("m", rows_of([found]))).removesuffix("\n")
    assert line.startswith("::error file=a%2Cb%3Ac%25.json,line=2,")
    assert line.endswith("::50 %25 :: a\\x0d%0A::stop-commands::x")
    assert "\n" not in line


def test_github_names_files_from_the_top_of_the_repository(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "games").mkdir()
    monkeypatch.chdir(tmp_path / "games")
    line = "".join(Github(str(tmp_path)).module("m", rows_of([misspelt()])))
    assert "file=games/mine/scenarios/one.json," in line


def test_junit_counts_what_fails() -> None:
    suites = etree.fromstring(shown([misspelt(), crowded()], "junit").encode("utf-8"))
    assert (suites.get("tests"), suites.get("failures")) == ("2", "1")
    case = suites.find("testsuite/testcase")
    assert case is not None
    assert (case.get("file"), case.get("line")) == ("mine/scenarios/one.json", "2")
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("message") == "there is no space 'medow'"
    assert "did you mean 'meadow'?" in (failure.text or "")


def test_junit_fails_from_the_severity_asked_for() -> None:
    suites = etree.fromstring(shown([crowded()], "junit", fail_on=Severity.WARNING).encode("utf-8"))
    assert suites.get("failures") == "1"


def test_junit_of_a_clean_module_is_one_passed_test() -> None:
    suites = etree.fromstring(shown([], "junit").encode("utf-8"))
    assert (suites.get("tests"), suites.get("failures")) == ("1", "0")


HOSTILE = "a\x1b[31m\u202eb\ud800\x00\n]]><x>&\u2028"


@pytest.mark.parametrize("format", FORMATS)
def test_hostile_words_can_be_written_and_read_again(format: str) -> None:
    found = error(
        "X",
        HOSTILE,
        Place(document(name=f"{HOSTILE}.json"), ("at",)),
        help=HOSTILE,
        rule=HOSTILE,
        section=HOSTILE,
    )
    text = shown([found], format).encode("utf-8", "backslashreplace")
    if format in ("json", "sarif"):
        assert json.loads(text)
    elif format == "junit":
        assert etree.fromstring(text) is not None
    else:
        assert b"\x1b" not in text
        assert "\u202e" not in text.decode("utf-8")
        assert b"\x00" not in text
