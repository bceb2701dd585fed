"""Hex numbers: every style is written and read back exactly, and lies where the style says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.grid.hexes import direction, neighbours
from compiler.grid.numbering import BadPattern, Field, Frame, Numbering, from_letters, parse, to_letters

PATTERNS = [
    "{cc}{rr}",
    "{rr}{cc}",
    "19A:{cc}{rr}",
    "E{rr}{cc}",
    "{c:A}{r}",
    "{c:AA}{rr}",
    "{r}{c:a}",
    "{cc}.{rr}",
    "{r}-{c}",
    "{ccc}_{r}",
    "{c:A}.{r:A}",
    "{rrr}{cccc}",
    "h{r:aa}:{c}x",
]
ENDS = st.integers(1, 99)
FRAMES = st.builds(
    Frame,
    st.sampled_from(["flat", "pointy"]),
    st.sampled_from(["odd", "even", "each"]),
    st.tuples(ENDS, ENDS),
    st.tuples(ENDS, ENDS),
)


@given(st.sampled_from(PATTERNS), FRAMES, st.data())
def test_reading_is_the_exact_inverse_of_writing(text: str, frame: Frame, data: st.DataObject) -> None:
    numbering = Numbering(parse(text), frame)
    column = data.draw(st.sampled_from(frame.column_numbers()))
    row = data.draw(st.sampled_from(frame.row_numbers()))
    assert numbering.is_clear()
    assert numbering.read(numbering.write(column, row)) == (column, row)


@given(st.sampled_from(PATTERNS), FRAMES, st.text(alphabet="0123456789ABEaz.:-_hx", max_size=8))
def test_whatever_is_read_would_be_written_so(text: str, frame: Frame, word: str) -> None:
    numbering = Numbering(parse(text), frame)
    numbers = numbering.read(word)
    assert numbers is None or (numbering.write(*numbers) == word and frame.has(*numbers))


@given(FRAMES, st.integers(-99, 99), st.integers(-99, 99))
def test_numbers_and_hexes_are_one_to_one(frame: Frame, column: int, row: int) -> None:
    assert frame.to_numbers(frame.to_hex(column, row)) == (column, row)


@given(FRAMES, st.integers(1, 50), st.integers(1, 50))
def test_numbers_of_a_line_of_hexes_follow_each_other(frame: Frame, column: int, row: int) -> None:
    """Along a column of flat hexes, or a row of pointy ones, next numbers are next hexes, in the frame's direction."""
    if frame.shape == "flat":
        down = direction(frame.to_hex(column, row), frame.to_hex(column, row + 1))
        assert down == (3 if frame.rows[0] <= frame.rows[1] else 0)
    else:
        right = direction(frame.to_hex(column, row), frame.to_hex(column + 1, row))
        assert right == (2 if frame.columns[0] <= frame.columns[1] else 5)


@given(st.integers(1, 20_000), st.sampled_from(["letters", "doubled"]))
def test_letters_are_one_to_one(number: int, style: str) -> None:
    assert from_letters(to_letters(number, style), style) == number  # type: ignore[arg-type]


def test_both_ways_of_counting_beyond_z() -> None:
    assert [to_letters(n, "letters") for n in (1, 26, 27, 28, 53, 702, 703)] == [
        "A",
        "Z",
        "AA",
        "AB",
        "BA",
        "ZZ",
        "AAA",
    ]
    assert [to_letters(n, "doubled") for n in (1, 26, 27, 28, 53)] == ["A", "Z", "AA", "BB", "AAA"]


def test_a_narrow_fixed_field_before_a_free_one_is_read_by_its_width() -> None:
    numbering = Numbering(parse("{cc}{r}"), Frame("flat", "odd", (1, 20), (1, 120)))
    assert numbering.is_clear() and numbering.read("11112") == (11, 112)


def test_two_free_numbers_side_by_side_are_not_clear() -> None:
    assert not Numbering(parse("{c}{r}"), Frame("flat", "odd", (1, 20), (1, 20))).is_clear()
    assert not Numbering(parse("{c}0{r}"), Frame("flat", "odd", (1, 20), (1, 20))).is_clear()
    assert Numbering(parse("{c}{r}"), Frame("flat", "odd", (1, 20), (1, 9))).is_clear()


def test_minus_numbers_and_row_zero() -> None:
    numbering = Numbering(parse("{cc}{rr}"), Frame("flat", "even", (1, 51), (0, 35)))
    assert numbering.write(32, 0) == "3200" and numbering.read("3200") == (32, 0)
    negative = Numbering(parse("{cc}.{rr}"), Frame("flat", "even", (-3, 3), (-3, 3)))
    assert negative.write(-3, 2) == "-03.02" and negative.read("-03.02") == (-3, 2)


def test_no_other_spelling_of_a_number_is_read() -> None:
    numbering = Numbering(parse("{cc}.{rr}"), Frame("flat", "even", (1, 20), (1, 20)))
    assert (
        numbering.read("1.01") is None
        and numbering.read("001.01") is None
        and numbering.read("21.01") is None
    )


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("{cc}", "{cc}"),
        ("{cc}/{rr}", "/"),
        ("{cc}{cc}", "{cc}"),
        ("{cr}{rr}", "{cr}"),
        ("{cc:A}{rr}", "{cc:A}"),
    ],
)
def test_a_bad_pattern_names_its_characters(text: str, part: str) -> None:
    with pytest.raises(BadPattern) as caught:
        parse(text)
    assert text[caught.value.start : caught.value.end] == part


def test_the_sheet_may_be_named_in_the_pattern() -> None:
    assert parse("{sheet}:{cc}{rr}", "19A").write(24, 16) == "19A:2416"
    assert parse("{sheet}{rr}{cc}", "E").write(48, 1) == "E0148"


def test_which_columns_are_lower_decides_the_neighbours() -> None:
    def around(shifted: str) -> set[tuple[int, int]]:
        frame = Frame("flat", shifted, (1, 20), (1, 20))  # type: ignore[arg-type]
        return {frame.to_numbers(near) for near in neighbours(frame.to_hex(5, 5))}

    same_column = {(5, 4), (5, 6)}
    assert around("even") == same_column | {(4, 4), (4, 5), (6, 4), (6, 5)}
    assert around("odd") == same_column | {(4, 5), (4, 6), (6, 5), (6, 6)}
    assert around("each") == same_column | {(4, 5), (4, 6), (6, 4), (6, 5)}


def test_field_of_letters_has_no_number_below_one() -> None:
    assert Field("c", "letters").read("0") is None
