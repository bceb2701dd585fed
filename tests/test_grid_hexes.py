"""The hex lattice: what must hold for every hex, side, corner, line and pixel."""

from __future__ import annotations

import itertools
from collections import deque
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.grid import hexes
from compiler.grid.hexes import Hex, Shape
from compiler.grid.pixels import Layout, regular

SHAPES = st.sampled_from(["flat", "pointy"])
HEXES = st.tuples(st.integers(-60, 60), st.integers(-60, 60))
DIRECTIONS = st.integers(0, 5)
SIZES = st.fractions(min_value=3, max_value=200, max_denominator=100)
ORIGINS = st.fractions(min_value=-500, max_value=500, max_denominator=100)
LAYOUTS = st.builds(Layout, SHAPES, SIZES, SIZES, ORIGINS, ORIGINS)


def walked(start: Hex, limit: int) -> dict[Hex, int]:
    """Distances by walking, to compare the formula with."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        at = waiting.popleft()
        if found[at] == limit:
            continue
        for near in hexes.neighbours(at):
            if near not in found:
                found[near] = found[at] + 1
                waiting.append(near)
    return found


def test_distance_is_the_number_of_steps() -> None:
    for at, steps in walked((3, -2), 7).items():
        assert hexes.distance((3, -2), at) == steps


@given(HEXES, st.integers(0, 8))
def test_ring_and_range_are_the_hexes_at_that_distance(centre: Hex, radius: int) -> None:
    around = list(hexes.ring(centre, radius))
    assert len(around) == len(set(around)) == max(1, 6 * radius)
    assert {hexes.distance(centre, at) for at in around} == {radius}
    inside = list(hexes.within(centre, radius))
    assert len(inside) == len(set(inside)) == 1 + 3 * radius * (radius + 1)


@given(HEXES, HEXES, st.sampled_from([1, -1]))
def test_line_steps_from_neighbour_to_neighbour(a: Hex, b: Hex, lean: int) -> None:
    way = hexes.line(a, b, lean)  # type: ignore[arg-type]
    assert way[0] == a and way[-1] == b and len(way) == hexes.distance(a, b) + 1
    assert all(hexes.direction(one, two) is not None for one, two in itertools.pairwise(way))
    assert way == list(reversed(hexes.line(b, a, lean)))  # type: ignore[arg-type]


def test_a_line_along_a_hexside_touches_the_hexes_of_both_sides() -> None:
    assert hexes.touched((0, 0), (2, -1)) == {(0, 0), (1, 0), (1, -1), (2, -1)}
    assert hexes.touched((0, 0), (3, 0)) == {(0, 0), (1, 0), (2, 0), (3, 0)}


@given(HEXES, HEXES, st.integers(-12, 12))
def test_turning_keeps_distances_and_six_turns_are_none(a: Hex, b: Hex, sixths: int) -> None:
    assert hexes.distance(hexes.turned(a, sixths), hexes.turned(b, sixths)) == hexes.distance(a, b)
    assert hexes.turned(a, sixths + 6) == hexes.turned(a, sixths)
    assert hexes.turned(hexes.turned(a, sixths), -sixths) == a


@given(DIRECTIONS, st.integers(0, 5))
def test_turning_turns_directions_clockwise(d: int, sixths: int) -> None:
    assert hexes.turned(hexes.step((0, 0), d), sixths) == hexes.step((0, 0), d + sixths)


@given(HEXES, DIRECTIONS)
def test_a_hexside_has_one_name_seen_from_either_hex(a: Hex, d: int) -> None:
    side = hexes.hexside(a, d)
    assert side == hexes.hexside(hexes.step(a, d), d + 3)
    assert set(hexes.hexes_of_side(side)) == {a, hexes.step(a, d)}
    assert len(set(hexes.sides_of(a))) == 6


@given(HEXES, DIRECTIONS)
def test_a_corner_has_one_name_seen_from_all_three_hexes(a: Hex, i: int) -> None:
    at = hexes.corner(a, i)
    three = hexes.hexes_of_corner(at)
    assert set(three) == {a, hexes.step(a, i), hexes.step(a, i + 1)}
    assert all(at in hexes.corners_of(near) for near in three)
    assert all(at in hexes.ends_of_side(side) for side in hexes.sides_of_corner(at))
    assert len(set(hexes.sides_of_corner(at))) == 3


@given(HEXES, DIRECTIONS, st.integers(1, 6))
def test_sides_round_a_hex_are_a_chain(a: Hex, first: int, length: int) -> None:
    chain = [hexes.hexside(a, first + n) for n in range(length)]
    way, broken = hexes.follow(chain)
    assert broken is None and len(way) == length + 1
    assert (way[0] == way[-1]) == (length == 6)


def test_three_sides_of_one_corner_are_no_chain() -> None:
    star = hexes.sides_of_corner(hexes.corner((4, 4), 0))
    assert hexes.follow(star)[1] == 2


def test_a_chain_with_a_gap_breaks_at_the_gap() -> None:
    chain = [hexes.hexside((0, 0), 0), hexes.hexside((0, 0), 1), hexes.hexside((0, 0), 4)]
    assert hexes.follow(chain)[1] == 2


@given(LAYOUTS, HEXES)
def test_pixel_to_hex_is_the_inverse_of_hex_to_pixel(layout: Layout, a: Hex) -> None:
    x, y = layout.centre(a)
    assert layout.hex_at(x, y) == a
    assert layout.centres([a]) == [(x, y)]


@given(LAYOUTS, HEXES, DIRECTIONS)
def test_a_corner_is_the_same_point_from_all_three_hexes(layout: Layout, a: Hex, i: int) -> None:
    at = layout.corners(a)[i]
    for near in hexes.hexes_of_corner(hexes.corner(a, i)):
        assert at in layout.corners(near)


@given(LAYOUTS, HEXES, DIRECTIONS, st.fractions(0, 1, max_denominator=50))
def test_every_point_short_of_a_side_belongs_to_the_hex(
    layout: Layout, a: Hex, d: int, along: Fraction
) -> None:
    """Points on the way to any point of a side belong to the hex; those as far beyond it do not."""
    (cx, cy), ends = layout.centre(a), layout.corners(a)
    (ax, ay), (bx, by) = ends[d - 1], ends[d]
    tx, ty = ax + (bx - ax) * along, ay + (by - ay) * along
    near, far = Fraction(99, 100), Fraction(101, 100)
    assert layout.hex_at(cx + (tx - cx) * near, cy + (ty - cy) * near) == a
    assert layout.hex_at(cx + (tx - cx) * far, cy + (ty - cy) * far) != a


@pytest.mark.parametrize(("shape", "names"), sorted(hexes.COMPASS.items()))
def test_compass_names_point_where_they_say(shape: Shape, names: tuple[str, ...]) -> None:
    layout = regular(shape, 60)
    for d, name in enumerate(names):
        x, y = layout.centre(hexes.step((0, 0), d))
        assert (y < 0) == ("N" in name) and (y > 0) == ("S" in name)
        assert (x > 0) == ("E" in name) and (x < 0) == ("W" in name)


def test_regular_hexes_are_regular_to_a_hundredth_of_a_pixel() -> None:
    for height in (30, 64, 75, 113):
        layout = regular("flat", height)
        assert abs(float(layout.across) - height * 3**0.5 / 2) <= 0.005
