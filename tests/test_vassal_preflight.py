"""Each check of the pre-flight: silent on our own output, and loud on the one fault it is for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from test_vassal_support import StandIn, small_module

from compiler.codes import all_codes
from compiler.vassal.elements import Element, short_name
from compiler.vassal.lock import Lock
from compiler.vassal.metadata import Metadata
from compiler.vassal.plan import Plan, plan_module
from compiler.vassal.preflight import Subject, preflight
from compiler.vassal.saves import commands


def subject() -> Subject:
    plan = plan_module(small_module(), "en", StandIn(), Lock(), 0)
    assert isinstance(plan, Plan)
    saves = {"start.vsav": commands(plan.setups[0].setup)}
    entries = {
        "buildFile.xml": b"",
        "moduledata": b"",
        **plan.files(),
        **dict.fromkeys(plan.save_files.values(), b""),
        **{f"images/{name}": StandIn().png("", 10, 10) for name in plan.pictures},
    }
    return Subject(plan.tree, saves, plan.metadata, entries)


def changed(node: Element, wanted: str, change: Callable[[Element], Element | None]) -> Element:
    """The tree with `change` applied to the first element of that name; None removes it."""
    done = False

    def visit(item: Element) -> Element | None:
        nonlocal done
        if not done and short_name(item.name) == wanted:
            done = True
            return change(item)
        children = tuple(child for child in map(visit, item.children) if child is not None)
        return replace(item, children=children)

    found = visit(node)
    assert found is not None and done
    return found


def attribute(**values: str) -> Callable[[Element], Element]:
    return lambda node: replace(node, attributes={**node.attributes, **values})


def text(old: str, new: str) -> Callable[[Element], Element]:
    def change(node: Element) -> Element:
        assert old in node.text
        return replace(node, text=node.text.replace(old, new))

    return change


def twice(name: str) -> Callable[[Element], Element]:
    def change(node: Element) -> Element:
        child = next(item for item in node.children if short_name(item.name) == name)
        return replace(node, children=(*node.children, child))

    return change


def test_our_own_output_passes() -> None:
    assert preflight(subject()) == []


TREES: list[tuple[str, str, Callable[[Element], Element | None], str]] = [
    ("V101", "Zoomer", attribute(zoomLevel="1"), "zoomLevel"),
    ("V101", "StackMetrics", attribute(exSepX="4.5"), "whole number"),
    ("V102", "PieceMover", lambda node: None, "PieceMover"),
    ("V102", "Board", lambda node: None, "no board"),
    ("V102", "GlobalOptions", lambda node: None, "before the first map"),
    ("V102", "GameModule", twice("Chatter"), "2 Chatter"),
    ("V103", "BoardPicker", twice("Board"), "board named 'world'"),
    ("V103", "ZonedGrid", twice("Zone"), "zone named"),
    ("V103", "PrototypesContainer", twice("PrototypeDefinition"), "prototype named"),
    ("V104", "ToolbarMenu", attribute(menuItems="Nothing"), "'Nothing'"),
    ("V106", "Board", attribute(image="absent.png"), "absent.png"),
    ("V106", "HtmlChart", attribute(fileName="absent.html"), "absent.html"),
    ("V106", "PredefinedSetup", attribute(file="absent.vsav"), "absent.vsav"),
    ("V107", "PieceSlot", attribute(gpid="x1"), "no number"),
    ("V107", "PieceSlot", attribute(gpid="2"), "gpid named '2'"),
    ("V107", "GameModule", attribute(nextPieceSlotId="2"), "nextPieceSlotId"),
    ("V108", "PieceSlot", text("prototype;type foot", "prototype;type fool"), "type fool"),
    ("V108", "PieceSlot", text("mark;Counter", "mark;Counter,More"), "2 marker names but 1 values"),
    ("V108", "PieceSlot", text("north.foot\\\\\\\t", ""), "5 traits but 4 states"),
    ("V109", "Zone", attribute(name="Hill\\"), "backslash"),
    ("V109", "entry", lambda node: replace(node, text="Price $5"), "$"),
    ("V110", "entry", lambda node: replace(node, text="North "), "blanks"),
    ("V111", "GameModule", attribute(version="1.0"), "1.2.3"),
    ("V111", "GameModule", attribute(VassalVersion="3.8.0"), "3.8.0"),
]


@pytest.mark.parametrize(("code", "name", "change", "words"), TREES)
def test_a_fault_in_the_tree(
    code: str, name: str, change: Callable[[Element], Element | None], words: str
) -> None:
    whole = subject()
    found = preflight(replace(whole, tree=changed(whole.tree, name, change)))
    assert any(got == code and words in sentence for got, sentence in found), found


def test_an_at_start_stack_needs_a_place_of_the_board() -> None:
    whole = subject()
    stack = Element(
        "VASSAL.build.module.map.SetupStack", {"name": "s", "useGridLocation": "true", "location": "Hull"}
    )
    tree = changed(whole.tree, "Map", lambda node: replace(node, children=(*node.children, stack)))
    assert [code for code, _ in preflight(replace(whole, tree=tree))] == ["V105"]
    early = changed(whole.tree, "Map", lambda node: replace(node, children=(stack, *node.children)))
    assert "V102" in [code for code, _ in preflight(replace(whole, tree=early))]


SAVES: list[tuple[Callable[[list[str]], list[str]], str]] = [
    (lambda found: [*found[:-1], "PLAYER\tx\ty\tz", found[-1]], "names a player"),
    (lambda found: [text for text in found if not text.startswith("SETUP_STACK")], "no SETUP_STACK"),
    (
        lambda found: [found[0], *sorted(found[1:-1], key=lambda text: "/stack/" not in text), found[-1]],
        "comes before its member",
    ),
    (lambda found: [text.replace("Main Map;100", "Maine Map;100") for text in found], "no map 'Maine Map'"),
    (
        lambda found: [text.replace("BoardPicker\tworld", "BoardPicker\tWorld") for text in found],
        "no board 'World'",
    ),
    (lambda found: [*found[:2], found[1], *found[2:]], "two pieces have the id"),
    (
        lambda found: [text.replace(";100;100;1;0", ";101;100;1;0") for text in found],
        "does not stand where its stack",
    ),
    (lambda found: [text.replace(";100;100;1;0", ";100;100;77;0") for text in found], "gpid '77'"),
    (lambda found: found[:-1], "end_save"),
]


@pytest.mark.parametrize(("change", "words"), SAVES)
def test_a_fault_in_a_save(change: Callable[[list[str]], list[str]], words: str) -> None:
    whole = subject()
    found = preflight(replace(whole, saves={"start.vsav": change(list(whole.saves["start.vsav"]))}))
    assert found and {code for code, _ in found} == {"V112"}
    assert any(words in sentence for _, sentence in found), found


def test_faults_of_the_archive() -> None:
    whole = subject()
    assert whole.entries is not None
    extra = replace(
        whole, entries={**whole.entries, "images/spare.png": StandIn().png("", 1, 1), "HELP.html": b""}
    )
    sentences = [sentence for code, sentence in preflight(extra) if code == "V106"]
    assert any("spare.png" in text for text in sentences) and any("help.html" in text for text in sentences)
    head = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + (20_000).to_bytes(4, "big") + (10).to_bytes(4, "big")
    board = next(name for name in whole.entries if name.endswith(".png"))
    large = replace(whole, entries={**whole.entries, board: head})
    assert [code for code, _ in preflight(large)] == ["V113"]


def test_moduledata_must_say_the_same() -> None:
    found = preflight(replace(subject(), metadata=Metadata("1.0.0", "A small game", 0, name="Other")))
    assert [code for code, _ in found] == ["V111"]


def test_every_code_has_an_explanation_with_examples() -> None:
    ours = {code: item for code, item in all_codes().items() if code[0] in "VE"}
    assert {f"V1{n:02}" for n in range(1, 15)} <= set(ours)
    assert all(item.what and item.why and item.wrong and item.right for item in ours.values())
