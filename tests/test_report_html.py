"""report.html: one file with the map, pins, lines of supply and filters, in which nothing an author wrote is code."""

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
from compiler.report.layout import apart, laid_out

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None
)

SUPPLY = [
    {"ways": {"overland": {"links": {"kind": "land"}, "cost": 1}}},
    {
        "trace": "supply", "on": "piece", "if": {"arm": "land", "space.kind": "hex"}, "levels": ["supplied", "out"],
        "legs": [{"leg": "march", "way": "overland", "at_most": 4}],
        "sources": [{"source": "city", "level": "supplied", "space": {"city": {"at_least": 3}, "controller.side": "@tracer.side"}}],
    },
    {
        "id": "supply.line", "section": "2.1", "severity": "warning", "for": [{"piece": {"arm": "land", "space.kind": "hex"}}],
        "must": {"supply": "supplied"}, "say": "{piece} at {piece.space} is out of supply: {stop}",
    },
    {
        "id": "supply.told", "section": "2.2", "severity": "note", "for": [{"piece": {"type": "tank"}}],
        "must": {"supply": "out"}, "say": "{piece} has a line: {path}",
    },
]  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def changed(file: str, change: Any) -> None:
    path = Path(file)
    value = json.loads(path.read_text(encoding="utf-8"))
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")


def shores(at: str = "W:0809", name: str = "The landing") -> None:
    """The sample hex game with rules of supply: the tank in the south-west is too far from its city."""
    assert run(["init", "--hex", "shores"]) == 0
    changed("shores/rules.json", lambda value: value["rules"].extend(SUPPLY))

    def crowd(value: dict[str, Any]) -> None:
        value["name"] = name
        value["placements"][0]["pieces"] = ["4 inf", "tank"]
        value["placements"].append({"at": at, "power": "west", "pieces": ["inf"]})

    changed("shores/scenarios/landing.json", crowd)


def page(path: str = "out.html") -> lxml_html.HtmlElement:
    return lxml_html.fromstring(Path(path).read_bytes())


def entries(found: lxml_html.HtmlElement) -> dict[str, lxml_html.HtmlElement]:
    return {str(li.get("id")): li for li in found.xpath('//ol[@class="entries"]/li')}


def checked(*more: str) -> lxml_html.HtmlElement:
    run(["check", "shores", "--format", "html", "--output", "out.html", *more])
    return page()


def of(found: lxml_html.HtmlElement, rule: str) -> lxml_html.HtmlElement:
    return next(li for li in entries(found).values() if rule in str(li.get("data-rules")).split())


def overlay(found: lxml_html.HtmlElement, rule: str) -> lxml_html.HtmlElement:
    id = of(found, rule).get("id")
    return found.xpath(f'//*[@data-of="{id}"]')[0]


def test_findings_are_pinned_to_their_spaces_on_the_map() -> None:
    shores()
    found = checked()
    room = of(found, "hex.room")
    assert "5 units, room for 3" in room.text_content() and "§ 1.1" in room.text_content()
    assert "shores/scenarios/landing.json:" in room.text_content()
    (image,) = found.xpath('//*[name()="image"][@preserveaspectratio or @preserveAspectRatio]')
    assert str(image.get("href")).startswith("data:image/webp;base64,")
    pins = found.xpath('//*[starts-with(@class, "pin ")]')
    assert any(room.get("id") in str(pin.get("data-entries")).split() for pin in pins)
    uses = {str(use.get("href")) for use in overlay(found, "hex.room").xpath('.//*[name()="use"]')}
    assert uses == {"#m1-west.inf", "#m1-west.tank", "#m1-shores-W:0303"}
    lit = found.xpath('//*[@id="m1-shores-W:0303"]/*[name()="polygon"]')
    assert len(lit) == 1 and len(str(lit[0].get("points")).split()) == 6


def test_a_line_is_drawn_to_its_source_and_a_stopped_one_to_where_it_ended() -> None:
    shores()
    found = checked()
    stopped = overlay(found, "supply.line")
    assert stopped.xpath('.//*[@class="halted"]') and stopped.xpath('.//*[@class="stop"]')
    told = of(found, "supply.line").xpath('.//ol[@class="stops"]/li')
    assert len(told) == len(stopped.xpath('.//*[@class="stop"]')) and "allowed 4" in told[0].text_content()
    lines = [li for li in entries(found).values() if li.get("data-rules") == "supply.told"]
    assert any("The line: Ambermouth" in li.text_content() for li in lines)
    (path,) = found.xpath('//*[@class="path"]')
    assert len(str(path.get("points")).split()) == 5


def test_the_file_needs_nothing_else_and_says_so_to_the_browser() -> None:
    shores()
    checked()
    text = Path("out.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    links = re.findall(r'(?:href|src)="([^"#][^"]*)"', text)
    assert links and all(link.startswith("data:image/webp;base64,") for link in links)
    assert "http:" not in text and "https:" not in text
    assert len(text) < 3_000_000


def test_no_word_of_an_author_is_code() -> None:
    evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    shores(name=evil)
    changed("shores/rules.json", lambda value: value["rules"][0].update(say=evil + " {space}", help=evil))
    changed("shores/maps/shores.json", lambda value: value["spaces"][0].update(name=evil))
    found = checked()
    assert evil in of(found, "hex.room").text_content()
    assert len(found.xpath("//script")) == 1 and not found.xpath("//img")
    assert not found.xpath("//@onerror")


def test_two_runs_give_the_same_bytes() -> None:
    shores()
    checked()
    first = Path("out.html").read_bytes()
    checked()
    assert Path("out.html").read_bytes() == first


def test_only_wanted_findings_are_shown() -> None:
    shores()
    found = checked("--select", "hex.room")
    assert {li.get("data-rules") for li in entries(found).values()} == {"hex.room"}


def test_ten_thousand_findings_are_cut_to_the_gravest() -> None:
    from compiler.findings import error, note
    from compiler.report.entries import MOST_FINDINGS, shown
    from compiler.report.html import page as whole
    from compiler.report.rows import rows_of

    rows = rows_of([note("N", f"{n}") for n in range(9000)] + [error("E", "grave")])
    made = shown("many", rows, None)
    assert len(made.entries) == MOST_FINDINGS and "E" in {entry.code for entry in made.entries}
    assert f"{9001 - MOST_FINDINGS} more findings are not shown" in made.about
    assert len(whole([made], "")) < 3_000_000


def test_a_module_that_cannot_be_read_still_has_a_page() -> None:
    shores()
    Path("shores/module.json").write_text("{", encoding="utf-8")
    found = checked()
    assert entries(found) and "There is no map to show" in found.text_content()


def test_build_writes_the_report_with_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    shores()
    assert run(["build", "shores", "--only", "report"]) == 1
    assert not Path("build").exists() or not list(Path("build").glob("*/report.html"))
    assert run(["build", "shores", "--only", "report", "--draft"]) == 1
    found = page("build/shores.draft/report.html")
    assert "5 units, room for 3" in found.text_content() and found.xpath('//*[@class="draft"]')
    changed("shores/scenarios/landing.json", lambda v: v["placements"][0].update(pieces=["2 inf"]))
    assert run(["build", "shores", "--only", "report"]) == 0
    found = page("build/shores/report.html")
    assert {li.get("data-severity") for li in entries(found).values()} == {"warning", "note"}
    manifest = json.loads(Path("build/shores/manifest.json").read_text(encoding="utf-8"))
    assert manifest["files"]["report.html"]["target"] == "report"


def test_a_second_build_makes_the_small_map_from_the_kept_one(monkeypatch: pytest.MonkeyPatch) -> None:
    shores()
    assert run(["build", "shores", "--only", "report", "--draft"]) == 1
    first = Path("build/shores.draft/report.html").read_bytes()
    monkeypatch.setattr("compiler.report.boards._picture", lambda made, most: pytest.fail("made again"))
    assert run(["build", "shores", "--only", "report", "--draft"]) == 1
    assert Path("build/shores.draft/report.html").read_bytes() == first


def test_a_module_of_rules_shows_its_cases_as_diagrams(request: pytest.FixtureRequest) -> None:
    source = request.config.rootpath / "tests/rules/supply-by-points"
    shutil.copytree(source, "points")
    run(["check", "points", "--format", "html", "--output", "out.html"])
    found = page()
    cases = [li for li in entries(found).values() if li.get("data-severity") == "case"]
    assert len(cases) > 10 and not any("failed" in str(li.get("class")) for li in cases)
    views = {svg.get("data-view"): svg for svg in found.xpath('//*[name()="svg"][@data-view]')}
    drawn = [li for li in cases if li.get("data-view")]
    assert drawn and all(views[li.get("data-view")].xpath('.//*[@class="box"]') for li in drawn)
    assert found.xpath('//*[@class="path"]') and found.xpath('//*[@class="halted"]')


def test_the_svg_of_the_page_is_well_formed() -> None:
    shores()
    checked()
    for drawing in re.findall(r"<svg.*?</svg>", Path("out.html").read_text(encoding="utf-8"), re.S):
        etree.fromstring(drawing)


# The layout of diagrams -----------------------------------------------------------------------------------------------


def test_linked_spaces_lie_beside_each_other() -> None:
    chain = [("a", "b"), ("b", "c"), ("c", "d")]
    at = laid_out(["a", "b", "c", "d", "alone"], chain)
    for a, b in chain:
        assert 0.7 < abs(complex(*at[a]) - complex(*at[b])) < 1.3
    assert abs(complex(*at["a"]) - complex(*at["d"])) > 2
    assert at == laid_out(["a", "b", "c", "d", "alone"], chain)


def test_boxes_are_pushed_apart() -> None:
    at = apart({"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (0.0, 1.0)}, dict.fromkeys("abc", (10.0, 4.0)), 2.0)
    for a, b in (("a", "b"), ("a", "c"), ("b", "c")):
        assert abs(at[a][0] - at[b][0]) >= 11 or abs(at[a][1] - at[b][1]) >= 5


# In a browser ---------------------------------------------------------------------------------------------------------

DRIVE = """
<script>
const say = [];
const li = rule => document.querySelector(`li[data-rules="${rule}"]`);
const visible = node => getComputedStyle(node).display !== "none";
li("hex.room").click();
say.push(li("hex.room").classList.contains("chosen"), location.hash.length > 1);
const over = document.querySelector(`[data-of="${li("hex.room").id}"]`);
say.push(visible(over), visible(document.querySelector(`[data-of="${li("supply.line").id}"]`)));
const box = document.querySelector("svg.open").getAttribute("viewBox");
say.push(box !== document.querySelector("svg.open").dataset.box);
document.querySelector("input[value=warning]").click();
say.push(li("supply.line").hidden, li("hex.room").hidden);
const pin = [...document.querySelectorAll(".pin")].find(p => p.dataset.entries.split(" ").includes(li("supply.line").id));
say.push(visible(pin));
document.querySelector("input[value=warning]").click();
const rules = document.querySelector("select[name=rule]");
rules.value = "supply.line";
rules.dispatchEvent(new Event("input", { bubbles: true }));
say.push(li("supply.line").hidden, li("hex.room").hidden, visible(pin));
pin.dispatchEvent(new MouseEvent("click", { bubbles: true }));
say.push(li("supply.line").classList.contains("chosen"));
document.title = JSON.stringify(say);
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_browser_shows_it_and_its_filters_work(tmp_path: Path) -> None:
    shores()
    checked()
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
    assert json.loads(str(title)) == [
        True, True, True, False, True, True, False, False, False, True, True, True,
    ]  # fmt: skip
