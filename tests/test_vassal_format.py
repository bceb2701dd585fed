"""The typed layer against the format's own vectors, and round trips of everything a player could type."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from compiler.vassal import elements, keys, pieces, saves
from compiler.vassal.archive import build_time, pack, zip_date
from compiler.vassal.encoding import ESC, TAB, Unwritable, decode, encode
from compiler.vassal.metadata import Metadata, from_root
from compiler.vassal.traits import KINDS, Trait, dynamic, markers, read, trait

DELIMITERS = [ESC, "/", TAB, ";", ",", ":", "|", "~"]
AWKWARD = st.text(st.sampled_from("ab'\\/;,:|~\t\x1b $=é中🂡\n")) | st.text(
    st.characters(blacklist_categories=("Cs",))
)
TEXT = AWKWARD.filter(lambda text: not text.endswith("\\"))
NAME = TEXT.filter(lambda text: "\t" not in text)


@pytest.mark.parametrize(
    ("items", "written"),
    [
        (["a", "b"], "a,b"),
        (["", "b", ""], ",b,"),
        (["a,b", "c"], r"a\,b,c"),
        (["\\x", "y"], r"'\x',y"),
        (["'q'", "z"], "''q'',z"),
        (["it's", "z"], "it's,z"),
        (["'a,b'", "c"], r"''a\,b'',c"),
        (["'", "z"], "''',z"),
    ],
)
def test_the_formats_own_list_vectors(items: list[str], written: str) -> None:
    assert encode(items, ",") == written
    assert decode(written, ",") == items


@given(st.lists(TEXT, min_size=1), st.sampled_from(DELIMITERS))
def test_any_list_comes_back(items: list[str], delimiter: str) -> None:
    assert decode(encode(items, delimiter), delimiter) == items


def test_a_trailing_backslash_is_refused_because_the_engine_would_swallow_the_next_item() -> None:
    with pytest.raises(Unwritable):
        encode(["x\\", "y"], ",")


# Fresh traits as the engine writes them: each must come back unchanged.
FRESH = [
    ("piece;;;;", "null;0;0;;0"),
    ("immob;;N;R;", ""),
    ("emb2;Activate;128;A;;128;;;128;;;;1;false;0;0;;;true;;;;false;;1;1;true;65,130;;;;1.0;;true", "1"),
    ("hide;73,130;Invisible;;player:;0.30000001192092896;;false", "null"),
    ("obs;77,130;;Mask;I;?;player:;Peek;;true;;", "null;"),
    ("label;;…;10;;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;TextLabel;;false", ""),
    ("rotate;6;93,130;91,130;…;…;;;;;;;;true", "0"),
    ("pivot;;;0;0;true;90.0;;;;270.0", ""),
    ("placemark;…;77,130;null;null;0;0;false;;;;0;false;false;;1", ""),
    ("report;;$location$: $newPieceName$ *;;;;false", "-1"),
    ("markmoved;moved.gif;0;0;…;77,130;;false;…;;…;", "false"),
    ("footprint;;…;false;false;10;255,255,255;0,0,0;100;50;20;30;1.0;;;;", "false;;0;false"),
    ("return;…;82,130;;…;;2;true;", ""),
    ("sendto;;;;;0;0;;;0;0;1;1;;L;;;;", ";;"),
    ("clone;Clone;67,130;", ""),
    ("delete;Delete;68,130;", ""),
    (
        "globalkey;;71,130;75,130;;false;1;true;true;;;-1;COUNTER|false|MAP|||||0|0||false|||EQUALS||;false;",
        "",
    ),
    ("macro;;Trigger;84,130;;;;false;;;counted;;;;false;;1;1", ""),
    ("PROP;;false,0,100,false;;", ""),
    ("setprop;;false,0,100,false;;;Current Zone/Current Map/Module;", ""),
    ("mat;Mat;", "0"),
    ("matPiece;;true;0;0;;", "noMat"),
    ("border;;;2;255,0,0;;AND", ""),
    ("playSound;;…;80,130;false;;false", ""),
    ("button;;0;0;0;0;;false;true;1;0", ""),
    ("stack", "null;0;0;@@-1"),
]


@pytest.mark.parametrize(("type", "state"), FRESH)
def test_fresh_traits_of_the_engine_come_back_unchanged(type: str, state: str) -> None:
    got = read(type, state)
    assert got.type == type
    assert got.id in KINDS
    if got.id not in ("stack", "rotate", "obs"):
        assert len(got.values) == len(KINDS[got.id].fields), "the field table has the engine's own length"


def test_a_flip_as_the_format_gives_it() -> None:
    flip = trait(
        "emb2",
        increase_text="Flip",
        images=("a.png", "ab.png"),
        names=("", "+ (reduced)"),
        name="Step",
        increase_key="70,130",
        description="step",
    )
    assert flip.type == (
        "emb2;;128;;Flip;128;;;128;;;;1;false;0;0;a.png,ab.png;,+ (reduced);true;Step;;;false;;1;1;true;;70,130;;step;1.0;;true"
    )


def test_dynamic_property_as_the_format_gives_it() -> None:
    got = dynamic(
        "HP",
        10,
        0,
        10,
        [("Heal", "90,130", "I,1"), ("Hit", "88,130", "I,-1"), ("", "57348,0,resetHP", "P,10")],
    )
    assert (
        got.type == r"PROP;HP;true,0,10,false;Heal:90\,130:I\,1,Hit:88\,130:I\,-1,:57348\,0\,resetHP:P\,10;"
    )


def test_a_misspelt_trait_field_cannot_be_written() -> None:
    with pytest.raises(TypeError, match="incraese_text"):
        trait("emb2", incraese_text="Flip")


def test_a_slot_as_the_format_gives_it() -> None:
    definition = pieces.Definition(
        "1 Inf",
        "1inf.png",
        "12",
        (trait("prototype", name="Infantry"), markers({"Side": "German", "CF": "4", "MF": "3"})),
    )
    text = pieces.slot_text(definition).replace("prototype;Infantry;", "prototype;Infantry")
    assert text == (
        "+/null/prototype;Infantry\tmark;Side,CF,MF\\\tpiece;;;1inf.png;1 Inf/\tGerman,4,3\\\tnull;0;0;12;0"
    )


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), max_size=5), NAME, NAME)
def test_any_piece_comes_back(traits: list[tuple[str, str, str]], name: str, image: str) -> None:
    made = tuple(
        item
        for text, value, label in traits
        for item in (
            trait("delete", text=text),
            markers({"Marker": value}),
            trait("label", state=label, text=text),
        )
    )
    command = pieces.read_command(
        pieces.in_play("7", pieces.Definition(name, image, "3", made), pieces.Spot("A/B;C", 4, 5))
    )
    assert command.id == "7"
    assert command.traits[:-1] == made
    assert command.name == name
    assert command.core.field("image") == image
    assert command.core_state() == ["A/B;C", "4", "5", "3", "0"]
    if traits:
        assert decode(command.traits[1].state, ",") == [traits[0][1]]


def test_a_tab_in_a_name_is_refused_because_the_piece_would_fall_apart() -> None:
    with pytest.raises(Unwritable):
        pieces.slot_text(pieces.Definition("a\tb", "i.png", "1"))


def test_too_few_states_are_found() -> None:
    with pytest.raises(pieces.Broken, match="2 traits but 1 state"):
        pieces.read_command("+/1/delete;;;\tpiece;;;a;b/null;0;0;;0")


def test_prototypes_expand_in_place_and_comments_go() -> None:
    inner, outer = trait("delete"), trait("clone")
    found = pieces.expand(
        pieces.Definition("n", "i", "1", (trait("prototype", name="A"), trait("cmt", text="x"), outer)),
        {"A": (trait("prototype", name="B"), outer), "B": (inner,)},
    )
    assert found.traits == (inner, outer, outer)


def test_obfuscation_vector() -> None:
    assert saves.disguise("begin_save") == b"!VCSK5a383f3d333405293b2c3f"
    assert saves.undisguise(b"!VCSK5A383F3D333405293B2C3F") == "begin_save"


@given(TEXT, st.integers(0, 255))
def test_any_text_survives_the_disguise(text: str, key: int) -> None:
    assert saves.undisguise(saves.disguise(text, key)) == text


@pytest.mark.parametrize("data", [b"!VCSK", b"!VCSK5", b"!VCSKzz00", b"!VCSK5a3", b"\xff\xfe\x00"])
def test_a_wrong_disguise_is_said(data: bytes) -> None:
    with pytest.raises(saves.NotAStream):
        saves.undisguise(data)


def test_the_formats_minimal_save() -> None:
    side = markers({"Side": "Russian"})
    spot = pieces.Spot("Main Map", 169, 190)
    setup = saves.Setup(
        pieces=(
            saves.Placed("1001", pieces.Definition("A", "r.png", "11", (side,)), spot),
            saves.Placed("1002", pieces.Definition("B", "r.png", "11", (side,)), spot),
        ),
        boards={"Main Map": (("Field Map", 0, 0),)},
        properties=(("Module", "VP", "42"),),
        turn=r"0|3;0;false;-1;1\;0\;0\;true,true",
        notes="Hello",
        first_stack=2001,
    )
    assert saves.commands(setup) == [
        "begin_save",
        "+/1001/mark;Side\tpiece;;;r.png;A/Russian\tMain Map;169;190;11;0",
        "+/1002/mark;Side\tpiece;;;r.png;B/Russian\tMain Map;169;190;11;0",
        "+/2001/stack/Main Map;169;190;1001;1002;@@-1",
        "Main MapBoardPicker\tField Map\t0\t0",
        "SETUP_STACK\t",
        "GlobalProperty\t;VP;42;Module",
        "TURNTurnTracker0\t0|3;0;false;-1;1\\;0\\;0\\;true,true",
        "SGKC\tSGKC0\ttrue",
        "NOTES\tHello",
        "end_save",
    ]


def test_a_misspelt_attribute_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="mapNme"):
        elements.element("m.Map", {"mapNme": "Main"})
    with pytest.raises(ValueError, match="whole number"):
        elements.element("m.Map", {"edgeWidth": "40.5"})
    with pytest.raises(ValueError, match="keyAlt"):
        elements.element("m.map.Flare", {"flareKey": "alt"})
    with pytest.raises(ValueError, match="no element"):
        elements.element("m.Mapp")


def test_every_historical_misspelling_of_the_engine_is_kept() -> None:
    viewer = elements.kinds()["VASSAL.build.module.map.CounterDetailViewer"].attributes
    assert {"emptyHexReportForma", "showMoveSelectde"} <= set(viewer)


XML_TEXT = st.text(
    st.characters(
        blacklist_categories=("Cs",),
        blacklist_characters="".join(map(chr, [*range(9), 11, 12, *range(14, 32)])) + "\ufffe\uffff",
    )
)


@given(XML_TEXT, XML_TEXT)
def test_any_attribute_and_text_come_back_from_xml(name: str, body: str) -> None:
    root = elements.element(
        "VASSAL.build.GameModule", {"name": name}, [elements.element("entry", text=body.strip())]
    )
    got = elements.from_xml(etree.fromstring(elements.to_xml(root)))
    assert got.get("name") == name
    assert got.children[0].text == body.strip()


def test_keys() -> None:
    assert keys.stroke("ctrl+D") == "68,130"
    assert keys.stroke("F5") == "116,0"
    assert keys.stroke("ctrl+shift+delete") == "127,195"
    assert keys.named("flip") == "57348,0,flip"
    assert keys.key_list("68,130", "57348,0,flip") == r"68\,130,57348\,0\,flip"
    with pytest.raises(ValueError):
        keys.named("a,b")


def test_archives_are_the_same_bytes_and_sorted() -> None:
    entries = {"b.txt": b"2", "a.png": b"1", "savedGame": b"3"}
    data = pack(entries, 1_000_000_000, first=("savedGame",))
    assert data == pack(dict(reversed(entries.items())), 1_000_000_000, first=("savedGame",))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["savedGame", "a.png", "b.txt"]
        assert {info.date_time for info in archive.infolist()} == {(2001, 9, 9, 1, 46, 40)}
        assert all(not info.flag_bits & 8 for info in archive.infolist()), (
            "headers are complete: VASSAL reads a stream"
        )


def test_source_date_epoch_is_honoured() -> None:
    assert build_time({"SOURCE_DATE_EPOCH": "1700000000"}) == 1_700_000_000
    assert build_time({}) == build_time({"SOURCE_DATE_EPOCH": "not a number"})
    assert zip_date(0)[0] == 1980


@given(XML_TEXT.map(str.strip))
def test_metadata_comes_back(name: str) -> None:
    data = Metadata("1.2.3", "about", 1_577_836_800_000, name=name)
    got = from_root(etree.fromstring(data.module_bytes()))
    assert got == data


def test_unknown_traits_are_kept() -> None:
    assert read("future;a;b", "s") == Trait("future", ("a", "b"), "s")
    assert read("future;a;b").type == "future;a;b"
