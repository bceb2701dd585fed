"""SVG path data → moves, lines and cubic curves: all that a PDF knows."""

from __future__ import annotations

import re
from functools import lru_cache
from math import atan2, ceil, cos, pi, sin, sqrt, tan

Step = tuple[str, tuple[float, ...]]  # ("M", x, y), ("L", x, y), ("C", 6 numbers) or ("Z",)

_TOKEN = re.compile(r"[MmLlHhVvCcSsQqTtAaZz]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}


@lru_cache(maxsize=20_000)
def steps(d: str) -> tuple[Step, ...]:
    """The path's steps in absolute coordinates."""
    return tuple(_Reader(d).read())


class _Reader:
    def __init__(self, d: str) -> None:
        self.tokens = _TOKEN.findall(d)
        self.x = self.y = self.start_x = self.start_y = 0.0
        self.control: tuple[float, float] | None = None
        self.out: list[Step] = []

    def read(self) -> list[Step]:
        at, command = 0, ""
        while at < len(self.tokens):
            if self.tokens[at].isalpha():
                command, at = self.tokens[at], at + 1
            takes = _TAKES[command.upper()]
            numbers = [float(token) for token in self.tokens[at : at + takes]]
            if len(numbers) < takes:
                break
            self.step(command.upper(), numbers, relative=command.islower())
            at += takes
            if command in "Mm":  # further pairs after a move are lines
                command = "L" if command == "M" else "l"
            elif takes == 0 and at < len(self.tokens) and not self.tokens[at].isalpha():
                break
        return self.out

    def step(self, command: str, numbers: list[float], relative: bool) -> None:
        dx, dy = (self.x, self.y) if relative else (0.0, 0.0)
        control, self.control = self.control, None
        if command == "Z":
            self.out.append(("Z", ()))
            self.x, self.y = self.start_x, self.start_y
        elif command == "A":
            rx, ry, turn, large, sweep, x, y = numbers
            self.arc(rx, ry, turn, large != 0, sweep != 0, x + dx, y + dy)
        elif command in "HV":
            end = (numbers[0] + dx, self.y) if command == "H" else (self.x, numbers[0] + dy)
            self.line("L", *end)
        else:
            points = [n + (dx if i % 2 == 0 else dy) for i, n in enumerate(numbers)]
            self.curve(command, points, control)

    def line(self, command: str, x: float, y: float) -> None:
        if command == "M":
            self.start_x, self.start_y = x, y
        self.out.append((command, (x, y)))
        self.x, self.y = x, y

    def curve(self, command: str, p: list[float], control: tuple[float, float] | None) -> None:
        if command in "ML":
            self.line(command, p[0], p[1])
            return
        mirrored = (2 * self.x - control[0], 2 * self.y - control[1]) if control else (self.x, self.y)
        if command in "QT":
            q = (p[0], p[1]) if command == "Q" else mirrored
            end = (p[-2], p[-1])
            one = (self.x + 2 / 3 * (q[0] - self.x), self.y + 2 / 3 * (q[1] - self.y))
            two = (end[0] + 2 / 3 * (q[0] - end[0]), end[1] + 2 / 3 * (q[1] - end[1]))
            self.cubic(*one, *two, *end)
            self.control = q
            return
        one = (p[0], p[1]) if command == "C" else mirrored
        self.cubic(*one, *p[-4:])
        self.control = (p[-4], p[-3])

    def cubic(self, *p: float) -> None:
        self.out.append(("C", p))
        self.x, self.y = p[-2], p[-1]

    def arc(self, rx: float, ry: float, turn: float, large: bool, sweep: bool, x: float, y: float) -> None:
        """An elliptic arc as cubic curves of at most a quarter turn (the SVG standard's own formulas)."""
        if rx == 0 or ry == 0 or (x, y) == (self.x, self.y):
            self.line("L", x, y)
            return
        phi = turn * pi / 180
        c, s = cos(phi), sin(phi)
        hx, hy = (self.x - x) / 2, (self.y - y) / 2
        px, py = c * hx + s * hy, c * hy - s * hx
        rx, ry = abs(rx), abs(ry)
        grow = sqrt(max(1.0, (px / rx) ** 2 + (py / ry) ** 2))
        rx, ry = rx * grow, ry * grow
        under = (rx * ry) ** 2 - (rx * py) ** 2 - (ry * px) ** 2
        k = sqrt(max(0.0, under / ((rx * py) ** 2 + (ry * px) ** 2))) * (-1 if large == sweep else 1)
        ux, uy = k * rx * py / ry, -k * ry * px / rx
        cx, cy = c * ux - s * uy + (self.x + x) / 2, s * ux + c * uy + (self.y + y) / 2
        first = atan2((py - uy) / ry, (px - ux) / rx)
        sweep_by = atan2((-py - uy) / ry, (-px - ux) / rx) - first
        if sweep and sweep_by < 0:
            sweep_by += 2 * pi
        elif not sweep and sweep_by > 0:
            sweep_by -= 2 * pi
        count = max(1, ceil(abs(sweep_by) / (pi / 2) - 1e-9))
        each = sweep_by / count
        bow = 4 / 3 * tan(each / 4)

        def on(angle: float) -> tuple[float, float, float, float]:
            ex, ey = rx * cos(angle), ry * sin(angle)
            tx, ty = -rx * sin(angle), ry * cos(angle)
            return cx + c * ex - s * ey, cy + s * ex + c * ey, c * tx - s * ty, s * tx + c * ty

        for n in range(count):
            ax, ay, atx, aty = on(first + n * each)
            bx, by, btx, bty = on(first + (n + 1) * each)
            end = (x, y) if n == count - 1 else (bx, by)
            self.cubic(ax + bow * atx, ay + bow * aty, bx - bow * btx, by - bow * bty, *end)
