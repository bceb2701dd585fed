"""The form of files: every slip is told in an author's words, at its key or value, with or without the fast validator."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from compiler.codes.schema import CODES
from compiler.findings import Finding
from compiler.schema import kind_of, load, validate, validator
from compiler.schema.load import folder, resolve, whole
from compiler.source import KINDS, SCHEMAS, Document, locate, read

ROOT = Path(__file__).parent.parent
ALL = (*SCHEMAS, "common")


def document(kind: str, value: Any, text: str | None = None, *, part: bool = False) -> Document:
    return Document(
        "d.json", json.dumps(value, default=float) if text is None else text, value, kind=kind, is_part=part
    )


def findings(kind: str, value: Any, *, part: bool = False) -> list[Finding]:
    return validate(kind, document(kind, value, part=part))


def slow_findings(kind: str, value: Any, *, part: bool = False) -> list[Finding]:
    """As `findings`, as if the fast validator were not installed."""
    with mock.patch.object(validator, "fast_validator", lambda kind, part: None):
        return findings(kind, value, part=part)


def told(found: list[Finding]) -> list[tuple[object, ...]]:
    """What a reader sees of the findings."""
    return [
        (f.code, f.message, f.help, f.place.path, f.place.on, [r.place.path for r in f.related])
        for f in found
        if f.place
    ]


def module(**more: object) -> dict[str, object]:
    return {"format": 1, "id": "m", "version": "1.0.0", "languages": ["en"], **more}


def rules(*entries: object) -> dict[str, object]:
    return {"rules": list(entries)}


# ---- every slip in words

RULE = {"id": "r", "for": [], "must": True}
SLIPS: list[tuple[str, Any, str, tuple[str | int, ...], str, str, str | None]] = [
    ("module", module(langauges=1), "J101", ("langauges",), "key", "'langauges' is not a property of this file", None),
    ("module", module(sources={"A": {"titel": "x", "title": "y"}}), "J101", ("sources", "A", "titel"), "key", "'titel' is not a property of an outside source", "known here: where, licence, note"),
    ("module", module(dice=[{"id": "d", "faecs": 6, "faces": 6, "cuont": 1}]), "J101", ("dice", 0, "cuont"), "key", "'cuont' is not a property of a dice button", "did you mean 'count'?"),
    ("module", {"format": 1, "id": "m", "version": "1"}, "J102", (), "value", "'languages' is missing", 'add "languages": ["en", "fr"]'),
    ("module", module(sides=[{"colour": "#aabbcc"}]), "J102", ("sides", 0), "value", "'id' is missing", 'add "id": "red"'),
    ("module", module(tracks=[{"id": "t", "to": "30"}]), "J103", ("tracks", 0, "to"), "value", "'to' should be a whole number, is the text '30'", "write 30 without quotes"),
    ("module", module(tracks=[{"id": "t", "to": Decimal("1.5")}]), "J103", ("tracks", 0, "to"), "value", "'to' should be a whole number, is 1.5", None),
    ("module", module(version=1), "J103", ("version",), "value", "'version' should be a text, is 1", 'write "1" in double quotes'),
    ("module", module(languages="en"), "J103", ("languages",), "value", "'languages' should be a list [ ], is the text 'en'", 'write ["en"]'),
    ("map", {"id": "w", "kind": "area", "wraps": "true"}, "J103", ("wraps",), "value", "'wraps' should be true or false, is the text 'true'", "write true without quotes"),
    ("map", {"id": "w", "kind": "area", "links": [{"kind": "land", "pairs": [["a", 5]]}]}, "J103", ("links", 0, "pairs", 0, 1), "value", "item 2 of item 1 of 'pairs' should be a text, is 5", 'write "5" in double quotes'),
    ("module", module(stage="rule"), "J104", ("stage",), "value", "'stage' should be \"full\" or \"rules\", is 'rule'", "did you mean 'rules'?"),
    ("module", module(vocabulary={"space": {"income": "nubmer"}}), "J104", ("vocabulary", "space", "income"), "value", "'income' should be one of: bool, number, text,", "did you mean 'number'?"),
    ("module", module(vocabulary={"spcae": {}}), "J101", ("vocabulary", "spcae"), "key", "'spcae' is not a property of a vocabulary", "did you mean 'space'?"),
    ("scenario", {"id": "s", "state": {"spcae": {}}}, "J104", ("state", "spcae"), "key", "this name should be", "did you mean 'space'?"),
    ("map", {"id": "w", "kind": "area", "spaces": [{"id": "High Hill"}]}, "J105", ("spaces", 0, "id"), "value", "'High Hill' is not an id: letters, digits, _ - . and :", "write 'High_Hill'"),
    ("module", module(id="Zürich 2!"), "J105", ("id",), "value", "'Zürich 2!' is not a module's id", "write 'zurich-2'"),
    ("map", {"id": "w\n", "kind": "area"}, "J105", ("id",), "value", "'w\n' is not an id", "write 'w'"),
    ("module", module(sides=[{"id": "r", "colour": "red"}]), "J105", ("sides", 0, "colour"), "value", "'red' is not a colour such as '#b03030'", None),
    ("module", module(vocabulary={"space": {"a b": "bool"}}), "J105", ("vocabulary", "space", "a b"), "key", "'a b' is not the name of an attribute", "write 'a_b'"),
    ("scenario", {"id": "s", "placements": [{"at": "a", "pieces": ["3  foot"]}]}, "J105", ("placements", 0, "pieces", 0), "value", "'3  foot' is not a piece: a name, or a number and a name", None),
    ("rules", rules({**RULE, "for": [{"each": "pieces", "as": "p"}]}), "J105", ("rules", 0, "for", 0, "each"), "value", "'pieces' is not a set: a kind of item", "did you mean 'piece'?"),
    ("module", module(dice=[{"id": "d", "faces": 1}]), "J106", ("dice", 0, "faces"), "value", "'faces' should be at least 2, is 1", None),
    ("module", module(format=0), "J106", ("format",), "value", "'format' should be at least 1, is 0", None),
    ("module", module(languages=[]), "J107", ("languages",), "value", "'languages' must not be empty", None),
    ("map", {"id": "w", "kind": "area", "links": [{"kind": "k", "pairs": [["a", "b", "c"]]}]}, "J107", ("links", 0, "pairs", 0), "value", "item 1 of 'pairs' should have at most 2 items, has 3", None),
    ("module", module(sides=[{"id": "r", "letter": "RED"}]), "J107", ("sides", 0, "letter"), "value", "'letter' should have at most 2 characters, has 3", None),
    ("module", module(languages=["en", "fr", "en"]), "J108", ("languages", 2), "value", "'en' is listed twice in 'languages'", "remove one of the two"),
    ("module", module(source={}), "J109", ("source",), "value", "exactly one of these is needed: 'rulebook', 'outside', 'project'", None),
    ("module", module(source={"rulebook": "1", "project": "p"}), "J109", ("source", "project"), "key", "'rulebook' and 'project' exclude each other", None),
    ("chart", {"id": "c", "columns": ["a"]}, "J109", (), "value", "at least one of these is needed: 'rows', 'each'", None),
    ("counters", {"counters": [{"type": "t", "power": "p", "powers": ["p"]}]}, "J109", ("counters", 0), "value", "'power' and 'powers' exclude each other", None),
    ("rules", rules({"must": True}), "J109", ("rules", 0), "value", "at least one of these is needed: 'derive', 'trace', 'id'", "a definition has 'derive' or 'trace', a rule has an 'id',"),
    ("rules", rules({"dervie": "x", "on": "space"}), "J109", ("rules", 0, "dervie"), "key", "'dervie' is not known here", "did you mean 'derive'?"),
    ("rules", rules({**RULE, "total": 1, "at_most": 2}), "J109", ("rules", 0, "total"), "key", "'must' and 'total' exclude each other", None),
    ("rules", rules({"id": "r", "total": 1}), "J109", ("rules", 0), "value", "at least one of these is needed: 'at_most', 'at_least', 'equals'", None),
    ("rules", rules({"id": "r", "total": {"cuont": "piece"}, "at_most": 2}), "J109", ("rules", 0, "total", "cuont"), "key", "'cuont' is not known here", "did you mean 'count'?"),
    ("rules", rules({"id": "r", "total": {"count": "piece", "iff": {}}, "at_most": 2}), "J101", ("rules", 0, "total", "iff"), "key", "'iff' is not a property of a count", "did you mean 'if'?"),
    ("rules", rules({"id": "r", "total": {"divide": [1, 2]}, "at_most": 2}), "J102", ("rules", 0, "total"), "value", "'round' is missing", 'add "round": "up"'),
    ("rules", rules({**RULE, "must": {"any": {"kind": "land"}}}), "J103", ("rules", 0, "must", "any"), "value", "'any' should be a list [ ], is an object", None),
    ("rules", rules({**RULE, "must": {"compare": [1, "atmost", 2]}}), "J104", ("rules", 0, "must", "compare", 1), "value", "item 2 of 'compare' should be", "did you mean 'at_most'?"),
    ("rules", rules({**RULE, "severity": "eror"}), "J104", ("rules", 0, "severity"), "value", "'severity' should be", "did you mean 'error'?"),
    ("rules", rules({"id": "r", "must": True, "for": [{"values": ["a"]}]}), "J111", ("rules", 0, "for", 0, "values"), "key", "'values' needs 'as' beside it", 'add "as": "other"'),
    ("rules", rules({"ways": {"w": {"lnks": {}}}}), "J101", ("rules", 0, "ways", "w", "lnks"), "key", "'lnks' is not a property of a way", "did you mean 'links'?"),
    ("module", module(format=2), "J110", ("format",), "value", "this module is written in format 2; this compiler knows format 1", "use a newer vmodc"),
    ("cases", {"cases": [{"case": "c", "ask": {"findings": "al"}, "rows": [{"id": "r"}]}]}, "J104", ("cases", 0, "ask", "findings"), "value", "'findings' should be \"all\", is 'al'", "did you mean 'all'?"),
    ("cases", {"cases": [{"case": "c", "ask": {"findings": "all"}, "answer": {"legal": True}}]}, "J102", ("cases", 0), "value", "'id' is missing", None),
    ("text", {"language": "fr", "texts": {"space": {"a": 5}}}, "J103", ("texts", "space", "a"), "value", "'a' should be a text or an object { }, is 5", 'write "5" in double quotes'),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value", "code", "path", "on", "message", "help"), SLIPS)
def test_slips_are_told_in_words_at_their_place(
    kind: str, value: Any, code: str, path: tuple[str | int, ...], on: str, message: str, help: str | None
) -> None:
    found = [f for f in findings(kind, value) if f.code == code and f.place and f.place.path == path]
    assert len(found) == 1, told(findings(kind, value))
    assert found[0].place is not None
    assert found[0].place.on == on
    assert message in found[0].message
    if help is not None:
        assert found[0].help is not None
        assert help in found[0].help
    assert told(findings(kind, value)) == told(slow_findings(kind, value))


def test_a_slip_is_told_once() -> None:
    """Several parts of the schema meet the same mistake."""
    assert len(findings("rules", rules({"id": "r", "total": {"count": 5}, "at_most": 2}))) == 1
    assert len(findings("rules", rules({"selectors": {"a": 1}, "ways": {}, "tables": {}}))) == 1


def test_a_misspelt_property_is_not_missing_as_well() -> None:
    found = findings("map", {"id": "w", "knid": "area", "links": [{"kidn": "land", "pairs": [["a", "b"]]}]})
    assert [(f.code, f.help) for f in found] == [
        ("J101", "did you mean 'kind'?"),
        ("J102", 'add "kind": "coast"'),
    ]


def test_all_slips_are_told_in_the_order_of_the_file() -> None:
    text = '{"stage": "x", "id": "B A", "format": 1, "colour": 1, "languages": ["en"], "version": "1", "dice": [{"id": 1}]}'
    doc = document("module", json.loads(text), text)
    found = validate("module", doc)
    spans = locate(f.place for f in found if f.place)
    columns = [spans[f.place].column for f in found if f.place]
    assert [f.code for f in found] == ["J104", "J105", "J101", "J102", "J103"]
    assert columns == sorted(columns)


def test_newer_format_is_the_only_finding() -> None:
    assert [f.code for f in findings("module", module(format=3, dize=[], stage="new"))] == ["J110"]


def test_repeated_item_shows_the_first() -> None:
    found = findings("module", module(languages=["en", "fr", "en"]))
    assert found[0].related[0].place.path == ("languages", 0)


def test_attributes_of_the_vocabulary_are_left_to_the_model() -> None:
    space = {"id": "a", "kind": "land", "income": 4, "port": True}
    link = {"kind": "sea", "pairs": [["a", "b"]], "keys": ["a"]}
    region = {"id": "r", "weight": 3}
    assert (
        findings(
            "map",
            {
                "id": "w",
                "kind": "area",
                "spaces": [space],
                "boxes": [space],
                "links": [link],
                "regions": [region],
            },
        )
        == []
    )
    assert (
        findings("counters", {"types": [{"id": "t", "cost": 3}], "counters": [{"type": "t", "sheet": 1}]})
        == []
    )
    assert (
        findings(
            "module",
            module(
                sides=[{"id": "s", "x": 1}],
                powers=[{"id": "p", "side": "s", "x": 1}],
                tracks=[{"id": "t", "x": 1}],
            ),
        )
        == []
    )
    placement = {"at": "a", "pieces": [{"piece": "t", "damaged": True}], "dug_in": True}
    assert (
        findings(
            "scenario",
            {"id": "s", "placements": [placement], "reinforcements": [{"pieces": ["t"], "due": "2", "x": 1}]},
        )
        == []
    )


def test_note_goes_anywhere() -> None:
    value = module(note=["a", "b"], credits={"note": "n"}, dice=[{"id": "d", "faces": 6, "note": "n"}])
    assert findings("module", value) == []
    assert findings("rules", rules({**RULE, "note": "n", "must": {"note": "n", "kind": "x"}})) == []


def test_included_files_may_lack_what_only_a_whole_file_must_have() -> None:
    assert [f.code for f in findings("map", {"links": []})] == ["J102", "J102"]
    assert findings("map", {"links": []}, part=True) == []
    assert findings("chart", {"rows": []}, part=True) == []
    assert [f.code for f in findings("map", {"lnks": []}, part=True)] == ["J101"]


def test_trace_is_accepted_as_the_rule_language_has_it() -> None:
    trace = {
        "trace": "supply", "on": "piece", "levels": ["full", "low", "none"], "together": True, "judge": "relay",
        "start": {"use": "open"}, "grant": [{"level": "full", "if": {"type": "convoy"}, "section": "7.2"}],
        "lines": {"basic": {"budget": {"table": "range", "row": ["@start.weather"]}, "legs": [
            {"leg": "land", "way": "march", "at_most": 2},
            {"leg": "sea", "way": "sail", "begin": {"port": True}, "optional": True,
             "gate": {"piece": {"type": "convoy"}, "capacity": {"subtract": [6, "@gate.used"]}, "unless": {"arm": "naval"}}}]}},
        "sources": [{"source": "city", "level": "full", "space": {"city": True}, "in": ["land"], "capacity": 2, "weigh": "@tracer.size", "split": True}],
        "relays": [{"relay": "hq", "piece": {"hq": True}}],
        "chain": [{"from": ["tracer"], "to": ["city", "hq"], "line": "basic"}],
        "counts": {"sea": {"leg": "sea", "at_most": 1}, "strait": {"cross": {"tags": "strait"}, "at_most": 1}},
        "flags": {"weather": {"of": "@to.weather", "worst_of": ["fair", "foul"]}},
    }  # fmt: skip
    assert findings("rules", rules(trace)) == []
    assert [f.code for f in findings("rules", rules({**trace, "judge": "nobody", "chian": []}))] == [
        "J104",
        "J101",
    ]


@pytest.mark.parametrize("code", CODES)
def test_examples_of_the_codes_are_true(code: str) -> None:
    assert code in {f.code for f in findings("module", json.loads(CODES[code].wrong))}
    assert findings("module", json.loads(CODES[code].right)) == []


# ---- the ends of what is possible


def nested(depth: int) -> object:
    inner: object = {"kind": 5, "oops": [{}]}
    for n in range(depth):
        inner = {"not": inner} if n % 2 else {"any": [inner]}
    return inner


def test_deepest_nesting_is_validated() -> None:
    value = rules({**RULE, "must": nested(38)})
    assert [f.code for f in findings("rules", value)] == ["J103"]
    term: object = {"cuont": "piece"}
    for _ in range(29):
        term = {"add": [term]}
    assert [f.code for f in findings("rules", rules({"id": "r", "total": term, "at_most": 1}))] == ["J109"]


def test_a_long_list_with_one_slip_is_quick_and_its_place_is_right() -> None:
    spaces: list[dict[str, object]] = [{"id": f"s{n}", "kind": "land", "income": 2} for n in range(20_000)]
    spaces[17_000]["name"] = 5
    value = {"id": "w", "kind": "area", "spaces": spaces}
    start = time.perf_counter()
    found = findings("map", value)
    assert time.perf_counter() - start < 2
    assert [(f.code, f.place.path) for f in found if f.place] == [("J103", ("spaces", 17_000, "name"))]


def test_numbers_are_not_taken_for_one_another() -> None:
    assert findings("module", module(tracks=[{"id": "t", "from": 0, "value": Decimal("1.5")}])) == []
    assert [f.code for f in findings("module", module(provenance=True))] == ["J104"]


# ---- forms that no schema of ours has today: resolved to the branch that was meant


def test_nearest_form(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = {
        "anyOf": [
            {
                "type": "object",
                "required": ["circle"],
                "properties": {"circle": {"type": "number"}},
                "additionalProperties": False,
            },
            {
                "type": "object",
                "required": ["square"],
                "properties": {"square": {"type": "number"}},
                "additionalProperties": False,
            },
            {"type": "string", "enum": ["none"]},
        ]
    }
    by_type = {"oneOf": [{"type": "number"}, {"type": "string"}]}
    by_word = {"anyOf": [{"const": "left"}, {"enum": ["right", "middle"]}]}
    from compiler.schema.words import Translator

    def translate(schema: dict[str, Any], value: object) -> list[tuple[str, str]]:
        translator = Translator(document("x", value), schema)
        for error in Draft202012Validator(schema).iter_errors(value):
            translator.add(error, tuple(error.absolute_path))
        return [(f.code, f.message) for f in translator.findings()]

    assert translate(schema, {"circle": "x"}) == [("J103", "'circle' should be a number, is the text 'x'")]
    assert translate(by_type, []) == [("J103", "the file should be a number or a text, is a list")]
    assert translate(by_word, "lfet") == [
        ("J104", 'the file should be "left", "right" or "middle", is \'lfet\'')
    ]
    assert translate({"contains": {"const": 1}}, [2]) == [("J109", "the file does not have the right form")]


# ---- the schemas themselves


def subschemas(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Every schema inside a schema, with the way to it."""
    if not isinstance(node, dict):
        return
    yield path, node
    for key in ("properties", "$defs", "dependentSchemas"):
        for name, inner in node.get(key, {}).items():
            yield from subschemas(inner, (*path, key, name))
    for key in ("items", "additionalProperties", "propertyNames", "if", "then", "else", "not"):
        yield from subschemas(node.get(key), (*path, key))
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for n, inner in enumerate(node.get(key, ())):
            yield from subschemas(inner, (*path, key, str(n)))


@pytest.mark.parametrize("kind", ALL)
def test_schemas_are_valid(kind: str) -> None:
    Draft202012Validator.check_schema(load(kind))
    assert load(kind)["$id"] == f"{kind}.schema.json"
    if kind != "common":
        Draft202012Validator.check_schema(whole(kind))
        jsonschema_rs.meta.validate(whole(kind))


def test_a_schema_for_each_kind_and_no_other() -> None:
    assert {path.name for path in folder().glob("*.json")} == {f"{kind}.schema.json" for kind in ALL}
    with pytest.raises(KeyError):
        load("nothing")


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_property_is_explained_with_an_example(kind: str) -> None:
    schema = whole(kind)
    for path, node in subschemas(schema):
        for name, inner in node.get("properties", {}).items():
            found = resolve(schema, inner)
            for key in ("title", "description", "examples"):
                assert found.get(key), f"{kind}: {'/'.join(path)}/{name} has no {key}"


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_example_is_valid(kind: str) -> None:
    schema = whole(kind)
    for path, node in subschemas(schema):
        for example in node.get("examples", ()):
            checked = {**node, "$defs": schema["$defs"]}
            errors = [error.message for error in Draft202012Validator(checked).iter_errors(example)]
            assert not errors, f"{kind}: {'/'.join(path)}: {example}: {errors}"


@pytest.mark.parametrize("kind", SCHEMAS)
def test_objects_forbid_unknown_properties_unless_they_carry_attributes(kind: str) -> None:
    """A new object in a schema must decide: closed, or listed here."""
    carriers = {
        "Side",
        "Power",
        "Track",
        "Space",
        "Link group",
        "Region",
        "Type",
        "Counter",
        "Piece",
        "Placement",
        "Reinforcement",
        "Layout",
        "Part",
        "Letter",
        "Hexsides",
        "Line",
    }
    schema = whole(kind)
    dispatched = {"Entry", "Term"}  # the branch that is chosen forbids
    for path, node in subschemas(schema):
        if "properties" in node and "additionalProperties" not in node:
            assert node.get("title") in carriers | dispatched, f"{kind}: {'/'.join(path)}"


def test_editors_find_every_file_offline() -> None:
    """References are relative paths to files that are there, and lead somewhere."""
    for kind in ALL:
        for _, node in subschemas(load(kind)):
            file, _, pointer = node.get("$ref", "#").partition("#")
            target: Any = load(file.removesuffix(".schema.json")) if file else load(kind)
            for step in pointer.strip("/").split("/") if pointer else ():
                target = target[step]


def test_no_game_is_named_in_the_schemas() -> None:
    words = [
        "germany",
        "japan",
        "russia",
        "soviet",
        "britain",
        "france",
        "italy",
        "china",
        "axis",
        "allies",
        "allied",
        "europe",
        "pacific",
        "berlin",
        "tokyo",
        "moscow",
    ]
    for path in folder().glob("*.json"):
        text = path.read_text(encoding="utf-8").lower()
        assert [word for word in words if word in text] == []


# ---- real modules


def modules() -> list[Path]:
    return sorted(
        path.parent
        for folder in ("modules_src", "tests/good")
        for path in (ROOT / folder).glob("*/module.json")
    )


@pytest.mark.parametrize("root", modules(), ids=lambda path: path.name)
def test_modules_have_the_form_of_their_kinds(root: Path) -> None:
    docs, found = read(root, root.name)
    for doc in docs.values():
        found += validate(doc.kind or "", doc)
    assert [f"{f.code} {f.message} {f.place and f.place.path}" for f in found] == []


# ---- the same findings with and without the fast validator


@cache
def samples() -> list[tuple[str, Any]]:
    """Every example of every schema that stands for a whole file, and every file of the good modules."""
    whole_files = [(kind, example) for kind in KINDS for example in load(kind)["examples"]]
    docs = [doc for root in modules() for doc in read(root, "m")[0].values() if len(doc.text) < 20_000]
    return whole_files + [(doc.kind or "", doc.value) for doc in docs]


JUNK = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        10**9,
        Decimal("0.5"),
        "",
        "x",
        "@a.b",
        "a b",
        "é",
        [],
        [[]],
        {},
        {"id": 1},
        {"": None},
    ]
).map(copy.deepcopy)


def spots(value: Any) -> list[tuple[Any, Any]]:
    """Every container with each of its keys or indices."""
    found = []
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict | list):
            for key in list(node) if isinstance(node, dict) else range(len(node)):
                found.append((node, key))
                waiting.append(node[key])
    return found


@st.composite
def bent(draw: st.DrawFn) -> tuple[str, Any]:
    """A sound file in which a few things were changed, dropped, renamed or doubled."""
    kind, sample = draw(st.sampled_from(samples()))
    value = copy.deepcopy(sample)
    for _ in range(draw(st.integers(1, 4))):
        places = spots(value)
        if not places:
            break
        node, key = draw(st.sampled_from(places[:400]))
        change = draw(st.sampled_from(["junk", "drop", "rename", "add", "double"]))
        if change == "junk":
            node[key] = draw(JUNK)
        elif change == "drop":
            del node[key]
        elif change == "double" and isinstance(node, list):
            node.append(node[key])
        elif isinstance(node, dict):
            node[
                draw(st.sampled_from(["x", "note", "id", "include", "source", "if", "all"]))
                if change == "add"
                else f"{key}x"
            ] = draw(JUNK) if change == "add" else node.pop(key)
    return kind, value


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(bent(), st.booleans())
def test_same_findings_with_and_without_the_fast_validator(sample: tuple[str, Any], part: bool) -> None:
    kind, value = sample
    fast = findings(kind, value, part=part)
    assert told(fast) == told(slow_findings(kind, value, part=part))
    for finding in fast:
        assert finding.code in CODES
        assert "valid under" not in finding.message
    text = json.dumps(value, default=float)
    doc = document(kind, value, text, part=part)
    located = locate(f.place for f in validate(kind, doc) if f.place)
    assert all(span.line >= 1 and span.end_column <= len(text) + 1 for span in located.values())


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(KINDS),
    st.recursive(
        JUNK,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["id", "rules", "spaces", "cases", "must", "all", "count", "x", "texts"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    ),
)
def test_any_value_at_all(kind: str, value: Any) -> None:
    assert told(findings(kind, value)) == told(slow_findings(kind, value))


def test_kind_of_is_that_of_the_sources() -> None:
    assert kind_of("maps/a.json") == "map"
