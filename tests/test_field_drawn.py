"""Derived attributes drawn: on the map of the report, by `vmodc field --format html`, on the diagram of a case."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from lxml import html as lxml_html

from compiler.cli import run
from compiler.report.fields import merged

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None
)
ZOC = [
    {"derive": "zoc_out", "on": "space", "gives": "set of side", "collect": [{"each": "@self.pieces", "if": {"arm": "land"}, "take": "side"}]},
    {"derive": "zoc", "on": "space", "gives": "set of side", "collect": [{"each": "@self.neighbours", "take": "zoc_out"}]},
    {"derive": "crowd", "on": "space", "gives": "number", "value": {"count": "@self.pieces"}},
    {"derive": "foes", "on": "side", "gives": "set of side", "collect": [{"each": "@self.enemies"}]},
    {"derive": "open", "on": "link", "gives": "bool", "holds": {"kind": "land", "to.zoc": {"none": True}}},
    {"derive": "watched", "on": "piece", "gives": "bool", "holds": {"space.zoc": {"some": {"enemies": "@self.side"}}}},
    {"id": "zoc.none", "section": "3", "severity": "note", "for": [{"piece": {"arm": "land"}}], "must": {"space.zoc": {"none": {"enemies": "@piece.side"}}}},
]  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def shores() -> None:
    """The sample hex game with zones of control: two enemies near each other."""
    assert run(["init", "--hex", "shores"]) == 0
    rules = Path("shores/rules.json")
    value = json.loads(rules.read_text(encoding="utf-8"))
    value["rules"] += ZOC
    rules.write_text(json.dumps(value), encoding="utf-8")


def page(path: str) -> lxml_html.HtmlElement:
    return lxml_html.fromstring(Path(path).read_bytes())


def drawn(attribute: str) -> lxml_html.HtmlElement:
    assert run(["field", "shores", "landing", attribute, "--format", "html", "--output", "out.html"]) == 0
    return page("out.html")


def key(found: lxml_html.HtmlElement) -> dict[str, int]:
    """The legend: words and how many."""
    spans = found.xpath('//*[@class="key"]/span')
    pairs = [re.fullmatch(r"(.*) \((\d+)\)", str(span.text_content()).strip()) for span in spans]
    return {pair[1]: int(pair[2]) for pair in pairs if pair}


def told(attribute: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert run(["field", "shores", "landing", attribute, "--format", "json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return [row for row in found if row["value"] not in (None, False, [], 0)]


def test_a_set_of_sides_is_drawn_in_their_colours(capsys: pytest.CaptureFixture[str]) -> None:
    shores()
    found = drawn("zoc")
    rows = told("zoc", capsys)
    assert rows and sum(key(found).values()) == len(rows)
    sides = {side["id"]: side for side in json.loads(Path("shores/module.json").read_text())["sides"]}
    colours = {
        str(g.get("style")).split(";")[0].removeprefix("--lit:") for g in found.xpath('//*[@class="layer"]/*')
    }
    single = {row["value"][0] for row in rows if len(row["value"]) == 1}
    assert {sides[id]["colour"] for id in single if sides[id].get("colour")} <= colours
    (aside,) = found.xpath("//aside")
    assert aside.get("hidden") is not None  # no list of findings in a page about something else


def test_numbers_are_written_into_the_spaces(capsys: pytest.CaptureFixture[str]) -> None:
    shores()
    found = drawn("crowd")
    rows = told("crowd", capsys)
    words = [str(text.text) for text in found.xpath('//*[@class="layer"]//*[name()="text"]')]
    assert sorted(words) == sorted(str(row["value"]) for row in rows) and words
    assert list(key(found)) == sorted(key(found), key=int)


def test_relations_of_sides_are_a_table() -> None:
    shores()
    cells = [str(text.text or "") for text in drawn("foes").xpath('//*[@class="mark"]/*[name()="text"]')]
    assert cells.count("yes") == 2 and "foes of a side" in cells


def test_attributes_of_links_are_lines_and_those_of_pieces_stand_in_their_spaces(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shores()
    assert drawn("open").xpath('//*[@class="layer"]//*[@class="way"]')
    rows = told("arm", capsys)
    spaces = {row["id"].split("@")[1].split("#")[0] for row in rows if row["kind"] == "piece"}
    assert sum(key(drawn("arm")).values()) == len(spaces)


def test_what_cannot_be_drawn_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    shores()
    assert run(["field", "shores", "landing", "printed", "--format", "html"]) == 2
    assert "'printed' cannot be drawn: it is an attribute of counter" in capsys.readouterr().err


def test_the_report_has_the_fields_that_rules_read() -> None:
    shores()
    run(["check", "shores", "--format", "html", "--output", "out.html"])
    found = page("out.html")
    layers = found.xpath('//*[@class="layer"]')
    assert {str(layer.get("data-field")) for layer in layers} == {"zoc", "zoc_out"}
    assert {str(layer.get("data-scenario")) for layer in layers} == {"landing"}
    for drawing in re.findall(r"<svg.*?</svg>", Path("out.html").read_text(encoding="utf-8"), re.S):
        etree.fromstring(drawing)


def test_a_case_that_asks_for_a_field_has_it_on_its_diagram(request: pytest.FixtureRequest) -> None:
    shutil.copytree(request.config.rootpath / "tests/rules/world-in-flames", "wif")
    run(["check", "wif", "--format", "html", "--output", "out.html"])
    found = page("out.html")
    asked = [li for li in found.xpath('//ol[@class="entries"]/li') if li.get("data-field") == "zoc"]
    layers = {
        str(g.getparent().get("data-view")): g for g in found.xpath('//*[@class="layer"][@data-field="zoc"]')
    }
    assert len(asked) > 5 and sum(str(li.get("data-view")) in layers for li in asked) > 3


def test_the_field_of_a_case_may_be_asked_for(
    request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    wif = str(request.config.rootpath / "tests/rules/world-in-flames")
    case = next(
        row
        for file in Path(wif, "cases").glob("*.json")
        for one in json.loads(file.read_text(encoding="utf-8"))["cases"]
        if one.get("ask", {}).get("field") == "zoc"
        for row in one.get("rows", [one])
        if row.get("answer", {}).get("value")
    )
    assert run(["field", wif, case["id"], "zoc", "--format", "html", "--output", "out.html"]) == 0
    assert page("out.html").xpath('//*[@class="layer"]//*[name()="use"]')
    assert run(["field", wif, case["id"] + "x", "zoc"]) == 2
    assert f"did you mean '{case['id']}'" in capsys.readouterr().err


# Hexes in one piece ---------------------------------------------------------------------------------------------------


def area(path: str) -> float:
    """The area inside the outlines of a path of M, l and z."""
    total = 0.0
    for part in path.split("M")[1:]:
        numbers = [tuple(map(int, p.split())) for p in part.rstrip("z").split("l")]
        x, y = numbers[0]
        points = [(x, y)]
        for dx, dy in numbers[1:]:
            x, y = x + dx, y + dy
            points.append((x, y))
        total += sum(
            ax * by - bx * ay for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True)
        )
    return total / 2


def square(x: int, y: int) -> list[tuple[float, float]]:
    return [(x, y), (x + 10, y), (x + 10, y + 10), (x, y + 10)]


def test_spaces_that_touch_are_one_outline_and_holes_stay() -> None:
    assert merged([square(0, 0), square(10, 0)]).count("M") == 1
    ring = [square(x, y) for x in (0, 10, 20) for y in (0, 10, 20) if (x, y) != (10, 10)]
    made = merged(ring)
    assert made.count("M") == 2 and area(made) == 800
    assert area(merged([square(0, 0), square(10, 10)])) == 200  # they share a corner only
    assert area(merged([square(0, 0)[::-1], square(10, 0)])) == 200  # drawn the other way round
    assert merged([]) == ""


# In a browser ---------------------------------------------------------------------------------------------------------

DRIVE = """
<script>
const say = [];
const pick = document.querySelector("select.field");
const visible = node => getComputedStyle(node).display !== "none";
const layer = document.querySelector('.layer[data-field="zoc"]'), key = document.querySelector('.key[data-field="zoc"]');
say.push(visible(layer), visible(key));
pick.value = "zoc landing";
pick.dispatchEvent(new Event("change", { bubbles: true }));
say.push(visible(layer), visible(key), visible(document.querySelector('.layer[data-field="zoc_out"]')));
const path = layer.querySelector("path.area"), style = getComputedStyle(path);
say.push(style.fill !== "none" && style.fill !== "rgb(0, 0, 0)", path.getBBox().width > 0);
pick.value = "";
pick.dispatchEvent(new Event("change", { bubbles: true }));
say.push(visible(layer), visible(key));
document.title = JSON.stringify(say);
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_browser_shows_the_field_that_is_chosen(tmp_path: Path) -> None:
    shores()
    run(["check", "shores", "--format", "html", "--output", "out.html"])
    text = Path("out.html").read_text(encoding="utf-8")
    Path("driven.html").write_text(text.replace("</body>", DRIVE + "</body>"), encoding="utf-8")
    command = [
        str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0",
        f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1280,800", "--virtual-time-budget=3000",
        "--dump-dom", (tmp_path / "driven.html").as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=True)
    assert "CONSOLE" not in done.stderr, done.stderr
    title = lxml_html.fromstring(done.stdout).findtext(".//title")
    assert json.loads(str(title)) == [False, False, True, True, False, True, True, False, False]
