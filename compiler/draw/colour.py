"""Colours: how readable one is on another, and whether two can be told apart, also by colour-blind eyes."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from math import dist

RGB = tuple[float, float, float]

# How the three common forms of colour blindness turn linear light: Machado, Oliveira and Fernandes (2009), full severity.
BLINDNESS: dict[str, tuple[RGB, RGB, RGB]] = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}  # fmt: skip
ALIKE = 10.0  # CIE76 difference below which two counter colours are taken for one another at arm's length


_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z")


def is_colour(value: object) -> bool:
    return isinstance(value, str) and _COLOUR.match(value) is not None


def parse(colour: str) -> RGB:
    """`#rgb` or `#rrggbb` as linear light, 0 to 1."""
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(d * 2 for d in digits)
    r, g, b = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return _linear(r), _linear(g), _linear(b)


def _linear(c: float) -> float:
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


@cache
def luminance(colour: str) -> float:
    r, g, b = parse(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    """The WCAG ratio, 1 to 21. Text wants 4.5."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@cache
def ink_on(paper: str) -> str:
    """Near-black or near-white, whichever reads better."""
    return max(("#141414", "#fdfdfb"), key=lambda ink: contrast(ink, paper))


def mix(a: str, b: str, share: float) -> str:
    """A share of b in a, as painters mix: on the coded values."""
    one, two = (_coded(c) for c in (a, b))
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in zip(one, two, strict=True))


def _coded(colour: str) -> tuple[int, int, int]:
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(d * 2 for d in digits)
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def alike(colours: dict[str, str]) -> list[tuple[str, str, str]]:
    """Pairs of names whose colours fall together, and to which eyes."""
    sights = ("normal", *BLINDNESS)
    seen = {
        name: {sight: _lab(_seen(parse(colour), sight)) for sight in sights}
        for name, colour in sorted(colours.items())
    }
    found = []
    for (a, one), (b, two) in combinations(seen.items(), 2):
        near = [sight for sight in sights if dist(one[sight], two[sight]) < ALIKE]
        if near:
            found.append((a, b, near[0]))
    return found


def _seen(colour: RGB, sight: str) -> RGB:
    if sight == "normal":
        return colour
    rows = BLINDNESS[sight]
    r, g, b = (min(1.0, max(0.0, sum(m * c for m, c in zip(row, colour, strict=True)))) for row in rows)
    return r, g, b


def _lab(colour: RGB) -> RGB:
    r, g, b = colour
    x = _f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047)
    y = _f(0.2126 * r + 0.7152 * g + 0.0722 * b)
    z = _f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _f(t: float) -> float:
    return t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
