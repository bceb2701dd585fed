"""Reading files: what is wrong in them is found at the right character, and nothing in them makes the reader raise."""

from __future__ import annotations

import json
import os
import string
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.codes.source import CODES
from compiler.findings import Finding, Place, Severity
from compiler.source import Document, Span, kind_of, locate, read
from compiler.source.parse import parse
from compiler.suggest import did_you_mean, suggest

MODULE = '{"id": "m"}'


def module(root: Path, files: dict[str, str | bytes]) -> tuple[dict[str, Document], list[Finding]]:
    """Writes a module and reads it; module.json is there unless given."""
    for path, content in {"module.json": MODULE, **files}.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read(root, "m")


def only(findings: list[Finding]) -> Finding:
    assert len(findings) == 1, [f"{f.code} {f.message}" for f in findings]
    return findings[0]


def where(finding: Finding) -> tuple[str, int, int]:
    assert finding.place is not None
    span = locate([finding.place])[finding.place]
    return finding.place.document.name, span.line, span.column


# ---- the words nearest to a slip


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("mountian", "mountain"),
        ("Clear", "clear"),
        ("western land", "western_land"),
        ("atmost", "at_most"),
        ("zzzzzz", None),
        ("clear", None),
        ("western", "western_land"),  # half remembered
        ("we", None),
        ("", None),
    ],
)
def test_suggests_the_word_that_was_meant(word: str, meant: str | None) -> None:
    candidates = ["mountain", "clear", "western_land", "at_most"]
    assert suggest(word, candidates) == meant
    assert suggest(word, reversed(candidates)) == meant
    assert did_you_mean(word, candidates) == (f"did you mean '{meant}'?" if meant else None)


def test_suggests_among_very_many() -> None:
    assert suggest("space1234x", [f"space{n}" for n in range(100_000)]) == "space1234"


# ---- which files are sources


def test_kinds_by_place() -> None:
    assert kind_of("module.json") == "module"
    assert kind_of("maps/world.json") == "map"
    assert kind_of("text/fr.json") == "text"
    assert kind_of("cases/stacking.json") == "cases"
    assert kind_of("maps/world.outlines.json") is None
    assert kind_of("maps/deep/world.json") is None
    assert kind_of("other.json") is None


def test_clean_module_is_read_in_sorted_order(tmp_path: Path) -> None:
    docs, findings = module(
        tmp_path, {"maps/b.json": "{}", "maps/a.json": "{}", "rules.json": '{"rules": []}'}
    )
    assert findings == []
    assert list(docs) == ["maps/a.json", "maps/b.json", "module.json", "rules.json"]
    assert docs["maps/a.json"].name == "m/maps/a.json"
    assert docs["maps/a.json"].kind == "map"
    assert docs["rules.json"].value == {"rules": []}


def test_unknown_json_is_a_warning_but_generated_data_is_left_alone(tmp_path: Path) -> None:
    _, findings = module(
        tmp_path,
        {
            "rule.json": "{}",
            "ids.lock.json": "[",
            "geo/x.json": "[",
            "maps/w.outlines.json": "[",
            ".vscode/s.json": "[",
        },
    )
    finding = only(findings)
    assert (finding.code, finding.severity) == ("S150", Severity.WARNING)
    assert finding.help == "did you mean 'rules.json'?"


def test_names_that_differ_only_in_capitals(tmp_path: Path) -> None:
    _, findings = module(tmp_path, {"maps/World.json": "{}", "maps/world.json": "{}"})
    finding = only(findings)
    assert finding.code == "S151"
    assert finding.related[0].place.document.name == "m/maps/world.json"


def test_no_module_json(tmp_path: Path) -> None:
    (tmp_path / "Module.json").write_text("{}", encoding="utf-8")
    docs, findings = read(tmp_path, "m")
    assert docs == {}
    assert only(findings).code == "S101"
    assert only(findings).help == "rename 'Module.json' to 'module.json'"
    assert where(only(findings)) == ("m/module.json", 1, 1)


def test_folder_of_modules_names_the_modules(tmp_path: Path) -> None:
    module(tmp_path / "first", {})
    _, findings = read(tmp_path, ".")
    assert only(findings).help == "did you mean the folder 'first'?"
    assert where(only(findings))[0] == "module.json"


def test_folder_that_does_not_exist(tmp_path: Path) -> None:
    assert only(read(tmp_path / "nowhere", "nowhere")[1]).code == "S101"


# ---- files that cannot be read


def test_folder_with_the_name_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "maps" / "w.json").mkdir(parents=True)
    finding = only(module(tmp_path, {})[1])
    assert finding.code == "S100"
    assert "folder" in finding.message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_permission_denied(tmp_path: Path) -> None:
    module(tmp_path, {"rules.json": "{}"})
    (tmp_path / "rules.json").chmod(0)
    finding = only(read(tmp_path, "m")[1])
    assert finding.code == "S100"
    assert "permission" in finding.message


def test_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rules.json")
    assert only(module(tmp_path, {})[1]).code == "S100"


def test_dangling_link(tmp_path: Path) -> None:
    (tmp_path / "rules.json").symlink_to("gone.json")
    assert only(module(tmp_path, {})[1]).code == "S100"


def test_link_out_of_the_module(tmp_path: Path) -> None:
    (tmp_path / "outside.json").write_text("{}", encoding="utf-8")
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "rules.json").symlink_to("../outside.json")
    assert only(module(tmp_path / "m", {})[1]).code == "S141"


def test_too_large_is_known_before_reading(tmp_path: Path) -> None:
    module(tmp_path, {})
    with (tmp_path / "rules.json").open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)  # a hole: it takes no room on the disk
    docs, findings = read(tmp_path, "m")
    assert only(findings).code == "S102"
    assert "rules.json" not in docs


# ---- encodings


def test_utf8_mark_and_crlf_are_accepted_and_columns_are_right(tmp_path: Path) -> None:
    docs, findings = module(tmp_path, {"rules.json": b'\xef\xbb\xbf{\r\n  "a": 1,\r\n  "b": "x"\r\n}\r\n'})
    assert findings == []
    place = Place(docs["rules.json"], ("b",))
    assert locate([place])[place] == Span(3, 8, 3, 11)


def test_bad_byte_is_named_with_its_line(tmp_path: Path) -> None:
    finding = only(module(tmp_path, {"text/fr.json": '{"a": "été",\n "b": "caf'.encode() + b'\xe9"}'})[1])
    assert finding.code == "S103"
    assert where(finding) == ("m/text/fr.json", 2, 11)
    assert finding.help is not None
    assert "'é'" in finding.help


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings_are_named(tmp_path: Path, encoding: str) -> None:
    finding = only(module(tmp_path, {"rules.json": '{"a": "é"}'.encode(encoding)})[1])
    assert finding.code == "S103"
    assert encoding[:6].upper() in finding.message


# ---- syntax


SYNTAX = [
    ('{"a": 1,\n "b": 2,\n}', "S111", 2, 8),
    ('{"a": [1, 2,]}', "S111", 1, 12),
    ('{"a": 1\n "b": 2}', "S112", 1, 8),
    ('{"a": "x"y}', "S112", 1, 10),
    ('{"a": 1; "b": 2}', "S112", 1, 8),
    ('{"a": 1, // one\n "b": 2}', "S113", 1, 10),
    ('{"a": 1 /* one */}', "S113", 1, 9),
    ('# top\n{"a": 1}', "S113", 1, 1),
    ("{'a': 1}", "S114", 1, 2),
    ('{"a": “x”}', "S114", 1, 7),
    ("{a: 1}", "S115", 1, 2),
    ('{"a": [1, 2}', "S116", 1, 12),
    ('{"a": {"b": 1}', "S116", 1, 14),
    ("}", "S116", 1, 1),
    ('{"a": "x,\n "b": 1}', "S117", 1, 7),
    ('{"a": "x\ty"}', "S118", 1, 9),
    ('{"a": "\x00"}', "S118", 1, 8),
    ('{"a": "\\u0000"}', "S118", 1, 8),
    ('{"a": "C:\\data"}', "S119", 1, 10),
    ('{"a": "\\u12"}', "S119", 1, 8),
    ('{"a": True}', "S120", 1, 7),
    ('{"a": NaN}', "S121", 1, 7),
    ('{"a": [1, -Infinity]}', "S121", 1, 11),
    ('{"a": 01}', "S122", 1, 7),
    ('{"a": +1}', "S122", 1, 7),
    ('{"a": 1.}', "S122", 1, 7),
    ('{"a": 0x1F}', "S122", 1, 7),
    ('{"a": 1}}', "S123", 1, 9),
    ('{"a": 1}\n{"b": 1}', "S123", 2, 1),
    ('{"a" 1}', "S124", 1, 5),
    ('{"a"= 1}', "S124", 1, 5),
    ('{"a": }', "S125", 1, 7),
    ('{"a": 1,, "b": 2}', "S125", 1, 9),
    ('{"a": [1,,2]}', "S125", 1, 10),
    ('{"a":\u00a01}', "S110", 1, 6),
    ('{"a": ["b": 1]}', "S110", 1, 11),
    ("", "S104", 1, 1),
    (" \n\t", "S104", 1, 1),
    ("[]", "S134", 1, 1),
    ("\n 7", "S134", 2, 2),
    ('{"a": 1, "b": {"c": 1, "c": 2}}', "S130", 1, 24),
    ('{"a": 1, "\\u0061": 2}', "S130", 1, 10),
    ('{"a": 1000000000000001}', "S131", 1, 7),
    ('{"a": -1e16}', "S131", 1, 7),
    ('{"a": 1e-99999999999999999999}', "S131", 1, 7),
    ('{"a": ' + "9" * 5000 + "}", "S131", 1, 7),
    ('{"a": "é \\ud800x"}', "S132", 1, 10),
    ('{"a": "\\\\ud800 \\udc00"}', "S132", 1, 16),
    ('{"a": ' + "[" * 64 + "]" * 64 + "}", "S133", 1, 70),
    ("[" * 100_000, "S133", 1, 65),
]


@pytest.mark.parametrize(("text", "code", "line", "column"), SYNTAX)
def test_slips_are_named_at_the_very_character(
    tmp_path: Path, text: str, code: str, line: int, column: int
) -> None:
    docs, findings = module(tmp_path, {"rules.json": text, "sequence.json": '{"rounds": 3}'})
    finding = only(findings)
    assert (finding.code, *where(finding)) == (code, "m/rules.json", line, column)
    assert docs["sequence.json"].value == {"rounds": 3}, "the other files are still read"


@pytest.mark.parametrize(
    ("text", "code", "line", "column"), [slip for slip in SYNTAX if slip[0].startswith("{")]
)
def test_slips_far_down_a_file_are_told_alike(text: str, code: str, line: int, column: int) -> None:
    """A long file is not walked from its beginning."""
    before = '{"x": [' + ",\n".join(['{"id": ["a]", {}], "b": "\\"{"}'] * 5_000) + '],\n"y": '
    far = before + text + "}"
    alone = '{"y": ' + text + "}"
    found, wanted = parse(far.encode(), far).problems[0], parse(alone.encode(), alone).problems[0]
    assert (found.code, found.message, found.help) == (wanted.code, wanted.message, wanted.help)
    if found.offsets and wanted.offsets:
        assert found.offsets[0] - wanted.offsets[0] == len(far) - len(alone)


IN_A_FILE = [code for code in CODES if "S104" <= code <= "S134" and code not in ("S133",)]


@pytest.mark.parametrize("code", IN_A_FILE)
def test_examples_of_the_codes_are_true(tmp_path: Path, code: str) -> None:
    example = CODES[code]
    assert code in {finding.code for finding in module(tmp_path, {"rules.json": example.wrong})[1]}
    assert module(tmp_path, {"rules.json": example.right})[1] == []


def test_both_places_of_a_repeated_key(tmp_path: Path) -> None:
    docs, findings = module(tmp_path, {"rules.json": '{"a": 1,\n "b": 3,\n "a": 2}'})
    finding = only(findings)
    related = finding.related[0].place
    assert where(finding)[1:] == (3, 2)
    assert locate([related])[related] == Span(1, 2, 1, 5)
    assert docs["rules.json"].value == {"a": 2, "b": 3}


def test_open_bracket_is_shown_with_the_end_of_the_file(tmp_path: Path) -> None:
    finding = only(module(tmp_path, {"rules.json": '{"a": 1,\n "b": [1,\n 2\n'})[1])
    related = finding.related[0].place
    assert finding.help == "add ']'"
    assert where(finding)[1:] == (3, 2)
    assert locate([related])[related] == Span(2, 7, 2, 8)


def test_numbers_are_exact_and_whole_ones_are_int() -> None:
    text = (
        '{"a": 1, "b": 2.0, "c": 0.10, "d": 1e3, "e": -2.5, "f": 1000000000000000, "g": 0.12345678901234567}'
    )
    value = parse(text.encode(), text).value
    assert value == {
        "a": 1,
        "b": 2,
        "c": Decimal("0.10"),
        "d": 1000,
        "e": Decimal("-2.5"),
        "f": 10**15,
        "g": Decimal("0.12345678901234567"),
    }
    assert isinstance(value, dict)
    assert [type(number) for number in value.values()] == [int, int, Decimal, int, Decimal, int, Decimal]


def test_brackets_in_texts_do_not_count_as_depth() -> None:
    inside = json.dumps({"a": "[" * 500, "b": '\\"' + "{" * 500})
    assert parse(inside.encode(), inside).problems == ()
    hidden = '{"a":' + '["]",' * 70 + "1" + ',"["]' * 70 + "}"
    assert parse(hidden.encode(), hidden).problems[0].code == "S133"


# ---- include


def test_included_files_are_documents_of_the_same_kind(tmp_path: Path) -> None:
    docs, findings = module(
        tmp_path,
        {
            "maps/w.json": '{"include": ["maps/w-east.json", "more/links.json"]}',
            "maps/w-east.json": "{}",
            "more/links.json": "{}",
        },
    )
    assert findings == []
    assert docs["maps/w.json"].included == ("maps/w-east.json", "more/links.json")
    assert docs["more/links.json"].kind == "map"
    assert [path for path, doc in docs.items() if doc.is_part] == ["maps/w-east.json", "more/links.json"]


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("maps/wst.json", "S140"),
        ("/etc/hosts", "S141"),
        ("C:/x.json", "S141"),
        ("maps\\west.json", "S141"),
        ("../x.json", "S141"),
        ("maps/../../x.json", "S141"),
        ("maps/./west.json", "S141"),
        ("out.json", "S141"),
        ("rules.json", "S143"),
        ("notes.txt", "S143"),
        ("maps/w.json", "S142"),
        ("", "S141"),
    ],
)
def test_bad_includes_are_found_at_the_entry(tmp_path: Path, entry: str, code: str) -> None:
    (tmp_path / "outside.json").write_text("{}", encoding="utf-8")
    root = tmp_path / "m"
    root.mkdir()
    (root / "out.json").symlink_to("../outside.json")
    main = '{"include": [\n  "maps/west.json",\n  ' + json.dumps(entry) + "]}"
    docs, findings = module(
        root, {"maps/w.json": main, "maps/west.json": "{}", "rules.json": "{}", "notes.txt": "x"}
    )
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    assert (only(errors).code, *where(only(errors))) == (code, "m/maps/w.json", 3, 3)
    assert docs["maps/w.json"].included == ("maps/west.json",)
    if code == "S140":
        assert only(errors).help == "did you mean 'maps/west.json'?"


def test_include_loop_by_way_of_others(tmp_path: Path) -> None:
    chain = {f"maps/{a}.json": f'{{"include": ["maps/{b}.json"]}}' for a, b in ("ab", "bc", "ca")}
    finding = only(module(tmp_path, chain)[1])
    assert (finding.code, where(finding)[0]) == ("S142", "m/maps/c.json")


def test_long_chain_of_includes(tmp_path: Path) -> None:
    chain: dict[str, str | bytes] = {
        f"maps/{n}.json": f'{{"include": ["maps/{n + 1}.json"]}}' for n in range(1200)
    }
    docs, findings = module(tmp_path, {**chain, "maps/1200.json": "{}"})
    assert findings == []
    assert sum(not doc.is_part for doc in docs.values()) == 2


def test_included_twice_by_way_of_others(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "maps/a.json": '{"include": ["maps/b.json", "maps/c.json"]}',
        "maps/b.json": '{"include": ["maps/c.json"]}',
        "maps/c.json": "{}",
    }
    docs, findings = module(tmp_path, files)
    assert (only(findings).code, where(only(findings))[0]) == ("S144", "m/maps/a.json")
    assert docs["maps/a.json"].included == ("maps/b.json",)


def test_one_file_may_serve_two(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "scenarios/a.json": '{"include": ["shared/x.json"]}',
        "scenarios/b.json": '{"include": ["shared/x.json"]}',
        "shared/x.json": "{}",
    }
    assert module(tmp_path, files)[1] == []


def test_broken_included_file_is_reported_once(tmp_path: Path) -> None:
    docs, findings = module(tmp_path, {"maps/a.json": '{"include": ["x/b.json"]}', "x/b.json": "{"})
    assert (only(findings).code, where(only(findings))[0]) == ("S116", "m/x/b.json")
    assert "x/b.json" not in docs


# ---- locate


def spot(text: str, *path: str | int, on_key: bool = False, part: tuple[int, int] | None = None) -> str:
    """The characters that a place covers (single line)."""
    document = Document("d", text, json.loads(text, strict=False))
    place = Place(document, path, "key" if on_key else "value", part)
    span = locate([place])[place]
    lines = text.split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    return "\n".join(
        [
            lines[span.line - 1][span.column - 1 :],
            *lines[span.line : span.end_line - 1],
            lines[span.end_line - 1][: span.end_column - 1],
        ]
    )


TEXT = '{"a": [10, {"b": "x\\n\\u00e9\\ud83d\\ude00y"}],\n "c": {"d": [\n 1]}, "a\\u0062": null}'


def test_values_keys_and_characters() -> None:
    assert spot(TEXT, "a", 0) == "10"
    assert spot(TEXT, "a", 1, "b", on_key=True) == '"b"'
    assert spot(TEXT, "a", 1, on_key=True) == spot(TEXT, "a", 1)
    assert spot(TEXT, "c") == '{"d": [\n 1]}'
    assert spot(TEXT, "ab") == "null"
    assert spot(TEXT) == TEXT
    for part, raw in enumerate(["x", "\\n", "\\u00e9", "\\ud83d\\ude00", "y"]):
        assert spot(TEXT, "a", 1, "b", part=(part, part + 1)) == raw
    assert spot(TEXT, "a", 0, part=(0, 1)) == "10", "characters of a value that is no text: the whole value"
    assert spot(TEXT, "a", 1, "b", part=(90, 95)) == ""


def test_path_that_does_not_exist_is_shown_at_its_parent() -> None:
    assert spot(TEXT, "c", "d", 7, "x") == "[\n 1]"
    assert spot(TEXT, "nothing", on_key=True) == TEXT


def test_of_a_repeated_key_the_last_counts() -> None:
    text = '{"a": {"b": 1, "x": 2}, "a": {"b": 3}}'
    assert spot(text, "a", "b") == "3"
    assert spot(text, "a", "x") == '{"b": 3}'


def test_places_in_a_text_that_is_not_json() -> None:
    for text in ("", "{", '{"a"', '{"a":', '{"a": [', '{"a": "', "[1 2]", '{"\\x": 1}', "}"):
        document = Document("d", text)
        places = [
            Place(document, ("a", 0)),
            Place(document, ("a",), "key"),
            Place(document, offsets=(0, 99)),
            Place(document, (1,)),
        ]
        assert all(span.line == 1 and span.end_column <= len(text) + 1 for span in locate(places).values())


def test_large_file_is_searched_in_one_pass() -> None:
    rows = ",\n".join(
        f'{{"id": "s{n}", "links": [1, 2, 3], "name": "a {{ in a text"}}' for n in range(100_000)
    )
    document = Document("d", f'{{"spaces": [\n{rows}\n]}}')
    places = [Place(document, ("spaces", n, "id")) for n in range(0, 100_000, 10)]
    spans = locate(places)
    assert all(spans[place].line == place.path[1] + 2 for place in places)  # type: ignore[operator]


# ---- anything at all

WORDS = st.text(st.sampled_from('ab"\\\n\té€😀{[]},: \u2028\x7f'), max_size=4)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.decimals(-99, 99, places=2).map(float)
    | WORDS
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=15,
)
SPACES = st.text(st.sampled_from(" \t\r\n"), max_size=2)


@st.composite
def json_texts(draw: st.DrawFn) -> str:
    """A random value, written with random spaces and escapes, keys sometimes repeated."""

    def write(value: object) -> str:
        before, after = draw(SPACES), draw(SPACES)
        if isinstance(value, dict):
            items = list(value.items())
            if items and draw(st.integers(0, 5)) == 0:
                items.append((items[0][0], draw(SCALARS)))
            inner = ",".join(f"{draw(SPACES)}{text(key)}{draw(SPACES)}:{write(item)}" for key, item in items)
            return f"{before}{{{inner}{draw(SPACES)}}}{after}"
        if isinstance(value, list):
            return f"{before}[{','.join(write(item) for item in value) or draw(SPACES)}]{after}"
        return f"{before}{text(value)}{after}"

    def text(value: object) -> str:
        return json.dumps(value, ensure_ascii=draw(st.booleans()))

    return write(draw(VALUES))


class Slow:
    """The obviously right way to find positions: every character is looked at in turn."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.values: dict[tuple[str | int, ...], tuple[int, int]] = {}
        self.keys: dict[tuple[str | int, ...], tuple[int, int]] = {}
        self.value(())

    def space(self) -> None:
        while self.text[self.at : self.at + 1] in tuple(" \t\r\n"):
            self.at += 1

    def string(self) -> tuple[int, int]:
        start = self.at
        self.at += 1
        while self.text[self.at] != '"':
            self.at += 2 if self.text[self.at] == "\\" else 1
        self.at += 1
        return start, self.at

    def value(self, path: tuple[str | int, ...]) -> None:
        self.space()
        start = self.at
        char = self.text[start]
        if char == '"':
            self.string()
        elif char in "{[":
            self.at += 1
            self.space()
            index = 0
            while self.text[self.at] not in "}]":
                step: str | int = index
                if char == "{":
                    span = self.string()
                    step = json.loads(self.text[slice(*span)])
                    for found in (self.values, self.keys):
                        for old in [old for old in found if old[: len(path) + 1] == (*path, step)]:
                            del found[old]
                    self.keys[(*path, step)] = span
                    self.space()
                    self.at += 1
                self.value((*path, step))
                if self.text[self.at] == ",":
                    self.at += 1
                    self.space()
                index += 1
            self.at += 1
        else:
            while self.text[self.at : self.at + 1] not in ("", *" \t\r\n,]}"):
                self.at += 1
        self.values[path] = (start, self.at)
        self.space()

    def line_and_column(self, at: int) -> tuple[int, int]:
        line = column = 1
        for char in self.text[:at]:
            line, column = (line + 1, 1) if char == "\n" else (line, column + 1)
        return line, column

    def span(self, offsets: tuple[int, int]) -> Span:
        return Span(*self.line_and_column(offsets[0]), *self.line_and_column(offsets[1]))


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(json_texts())
def test_locate_agrees_with_the_slow_way(text: str) -> None:
    slow = Slow(text)
    document = Document("d", text)
    for on, found in (("value", slow.values), ("key", slow.keys)):
        places = [Place(document, path, on) for path in found]  # type: ignore[arg-type]
        assert locate(places) == {place: slow.span(found[place.path]) for place in places}


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(json_texts())
def test_valid_json_is_read_as_json_reads_it(text: str) -> None:
    parsed = parse(text.encode(), text)
    value = json.loads(text)
    if isinstance(value, dict):
        assert parsed.usable
        assert json.loads(json.dumps(parsed.value, default=float)) == value
    assert {problem.code for problem in parsed.problems} <= {"S118", "S130", "S134"}


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, unique=True, min_size=1, max_size=5), st.booleans(), st.data())
def test_characters_of_a_text(words: list[str], ascii_only: bool, data: st.DataObject) -> None:
    word = "".join(words)
    text = json.dumps({"a": word}, ensure_ascii=ascii_only)
    first = data.draw(st.integers(0, len(word)))
    last = data.draw(st.integers(first, len(word)))
    assert json.loads(f'"{spot(text, "a", part=(first, last))}"') == word[first:last]


GOOD = json.dumps(
    {"id": "m", "spaces": [{"id": "é1", "income": 2.5, "tags": ["a", None, True]}], "n": {"x": '\\ " \n 😀'}},
    ensure_ascii=False,
    indent=1,
).encode()


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A good file after a few accidents."""
    data = bytearray(GOOD)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        accident = draw(st.sampled_from(["flip", "delete", "insert", "cut", "double"]))
        if accident == "flip" and at < len(data):
            data[at] ^= 1 << draw(st.integers(0, 7))
        elif accident == "delete":
            del data[at : at + draw(st.integers(1, 5))]
        elif accident == "insert":
            data[at:at] = draw(
                st.sampled_from(
                    [
                        b",",
                        b'"',
                        b"{",
                        b"]",
                        b"//",
                        b"\\",
                        b"'",
                        b"\x00",
                        b"\xff",
                        b"\\ud800",
                        b"NaN",
                        b"9" * 20,
                        b"[" * 70,
                        b"\xef\xbb\xbf",
                    ]
                )
            )
        elif accident == "cut":
            del data[at:]
        else:
            data[at:at] = data[at : at + draw(st.integers(1, 30))]
    return bytes(data)


def assert_sound(root: Path, data: bytes) -> None:
    (root / "module.json").write_bytes(data)
    docs, findings = read(root, "m")
    assert findings or "module.json" in docs
    for finding in findings:
        assert finding.code in CODES
    places = [
        place
        for finding in findings
        for place in (finding.place, *(r.place for r in finding.related))
        if place
    ]
    for place, span in locate(places).items():
        lines = place.document.text.split("\n")
        assert 1 <= span.line <= span.end_line <= len(lines)
        assert 1 <= span.column <= len(lines[span.line - 1]) + 1
        assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 1
        assert (span.line, span.column) <= (span.end_line, span.end_column)
    if "module.json" in docs:
        json.dumps(docs["module.json"].value, ensure_ascii=False, default=str).encode("utf-8")


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(damaged())
def test_damaged_sources_give_findings_and_never_an_exception(tmp_path: Path, data: bytes) -> None:
    assert_sound(tmp_path, data)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=30)
    | st.text(st.sampled_from("{}[]\",:\\ntrufalse01-+.eEIN'/#;=\r\n é" + string.digits)).map(str.encode)
)
def test_any_bytes_at_all(tmp_path: Path, data: bytes) -> None:
    assert_sound(tmp_path, data)


@settings(max_examples=400, deadline=None)
@given(st.text(st.sampled_from("{}[]\",:\\ntrufalse01-+.eE'/#;= x"), max_size=12))
def test_the_diagnosis_recognises_whatever_json_refuses(text: str) -> None:
    parsed = parse(text.encode(), text)
    assert all(problem.message != "this is not JSON" for problem in parsed.problems)
