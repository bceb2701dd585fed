"""Small pictures that the compiler draws itself: badges of states, the backs of hidden pieces, faces of dice."""

from __future__ import annotations


def badge(text: str, colour: str, size: int) -> str:
    """A round badge with a letter or a number on it."""
    from compiler.draw.scene import Path, circle

    body = Path(circle(size / 2, size / 2, size / 2 - 1), fill=colour, stroke="#ffffff", width=1.5)
    return _picture(size, size, body, text, colour, 0.62)


def hidden_mark(width: int, height: int) -> str:
    """For the owner of a hidden piece: a small sign in its corner, the rest is clear."""
    from compiler.draw import fonts
    from compiler.draw.scene import Path, Scene, Words, circle, to_svg

    r = min(width, height) * 0.14
    x, y = width - r - 2, height - r - 2
    ground = Path(circle(x, y, r), fill="#222222", stroke="#ffffff", width=1)
    sign = Words("?", x, y + r * 0.55, fonts.SANS_BOLD, r * 1.6, "#ffffff")
    return to_svg(Scene(float(width), float(height), (ground, sign)))


def back(colour: str, width: int, height: int) -> str:
    """The back of a hidden piece: its colour and a question mark."""
    from compiler.draw.scene import Path, rect

    body = Path(rect(1, 1, width - 2, height - 2, 4), fill=colour, stroke="#222222", width=1.5)
    return _picture(width, height, body, "?", colour, 0.5)


def die(text: str, colour: str, size: int = 32) -> str:
    """A face of a die. Long words get a longer die."""
    from compiler.draw.scene import Path, rect

    width = die_width(text, size)
    body = Path(rect(1, 1, width - 2, size - 2, 6), fill=colour, stroke="#222222", width=1.5)
    return _picture(width, size, body, text, colour, 0.6)


def die_width(text: str, size: int = 32) -> int:
    return max(size, int(size * 0.45 * len(text)) + 10)


def _picture(width: int, height: int, body: object, text: str, ground: str, share: float) -> str:
    from compiler.draw import fonts
    from compiler.draw.colour import ink_on
    from compiler.draw.scene import Path, Scene, Words, to_svg

    assert isinstance(body, Path)
    size = height * share * (0.8 if len(text) > 1 else 1.0)
    base = height / 2 + size * 0.36
    words = Words(text, width / 2, base, fonts.SANS_BOLD, size, ink_on(ground))
    return to_svg(Scene(float(width), float(height), (body, words)))
