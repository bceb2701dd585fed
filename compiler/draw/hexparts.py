"""Terrain in parts of hexes: `sextants` of the picture file → the look of each sixth of a hex, and its patches.

In: `{"terrain": "woods", "at": "0304/N NE 0305/S"}`: the sixths of hexes that lie at these hexsides. Out: for each hex the looks of its
sixths by direction, and what is wrong. The terrain of the hex itself stays that of its letter: this is how it looks, no rule reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from compiler.draw.hexplane import Plane, rounded_ring, toward
from compiler.draw.place import XY
from compiler.draw.settings import Picture
from compiler.findings import Finding, Place, error
from compiler.grid.hexes import COMPASS
from compiler.grid.hexmap import NONE, HexMap
from compiler.suggest import did_you_mean

Sextants = Mapping[int, Mapping[int, str]]  # hex → direction → look
_OVER = 0.12  # of the radius: how far a patch runs into a neighbour of the same look, so that no seam is seen


def read_sextants(picture: Picture, map: HexMap, looks: Mapping[str, str]) -> tuple[Sextants, list[Finding]]:
    """`looks`: the look of each terrain's word that is land."""
    found: dict[int, dict[int, str]] = {}
    findings: list[Finding] = []
    for k, entry in enumerate(picture.get("sextants", ())):
        place = picture.place / "sextants" / k if picture.place else None
        word = entry["terrain"]
        if word not in looks:
            what = f"the map has no land of the terrain '{word}'"
            findings.append(_error(what, place, "terrain", did_you_mean(word, looks)))
            continue
        for n, d, wrong in _sixths(entry["at"], map):
            if wrong is not None:
                findings.append(
                    _error(wrong, place, "at", "write hex/direction, then further directions: '0304/N NE'")
                )
            else:
                found.setdefault(n, {})[d] = looks[word]
    return found, findings


def _error(what: str, place: Place | None, key: str, help: str | None) -> Finding:
    return error("D027", what, place / key if place else None, help=help)


def _sixths(written: str | list[str], map: HexMap) -> Iterator[tuple[int, int, str | None]]:
    """Hex and direction of each word; or what is wrong with it."""
    here, sheet, lost = NONE, None, False
    for word in " ".join([written] if isinstance(written, str) else written).split():
        head, slash, tail = word.rpartition("/")
        if slash:
            here, number = map.index.get(head, NONE), map.sheet_of.get(head)
            sheet = map.sheets[number] if number is not None and 0 <= here < len(map) else None
            lost = sheet is None
            if lost:
                yield NONE, 0, f"'{head}' is no hex of this map"
        if sheet is None:
            if not lost:
                yield NONE, 0, f"'{word}' stands behind no hex"
            continue
        d = sheet.direction(tail)
        if d is None:
            yield NONE, 0, f"'{tail}' is no direction; there are: {', '.join(COMPASS[map.shape])}"
        else:
            yield here, d, None


def free(sextants: Mapping[int, str]) -> frozenset[int]:
    """The directions in which a hex shows its own terrain."""
    return frozenset(range(6)) - sextants.keys()


def patches(plane: Plane, sextants: Sextants, terrains: list[str], name: str) -> str:
    """The area of all sixths of one look."""
    out = []
    for n, sixths in sextants.items():
        for run in _runs([d for d, look in sixths.items() if look == name]):
            out.append(rounded_ring(list(_ring(plane, sextants, terrains, name, n, run))))
    return "".join(out)


def _runs(directions: Iterable[int]) -> list[list[int]]:
    """Sixths that lie beside each other, clockwise."""
    there = set(directions)
    if len(there) == 6:
        return [list(range(6))]
    starts = [d for d in sorted(there) if (d - 1) % 6 not in there]
    out = []
    for d in starts:
        run = [d]
        while (run[-1] + 1) % 6 in there:
            run.append((run[-1] + 1) % 6)
        out.append(run)
    return out


def _ring(
    plane: Plane, sextants: Sextants, terrains: list[str], name: str, n: int, run: list[int]
) -> Iterator[XY]:
    """Along the hexsides, beyond them where the same look goes on, and back through the middle."""
    centre, first = plane.centres[n], True
    for d in run:
        other = plane.map.neighbours[6 * n + d]
        same = other != NONE and _look(sextants, terrains, other, (d + 3) % 6) == name
        by = _OVER * plane.radius if same else 0.0
        a, b = plane.spot(n, d - 1), plane.spot(n, d)
        points = [plane.at(a), *plane.between(a, b, 1), plane.at(b)]
        out = [toward(point, centre, -by) if by else point for point in points]
        yield from out if first else out[1:] if not by else out
        first = False
    if len(run) < 6:
        yield toward(centre, plane.corner(n, run[0] - 1), plane.radius * 0.06)


def _look(sextants: Sextants, terrains: list[str], n: int, d: int) -> str:
    return sextants.get(n, {}).get(d, terrains[n])


def checked_form(value: Any) -> bool:
    """Whether `sextants` of a picture file has the form of the docs."""
    return isinstance(value, list) and all(
        isinstance(entry, dict)
        and set(entry) - {"note"} == {"terrain", "at"}
        and isinstance(entry["terrain"], str)
        and (
            isinstance(entry["at"], str)
            or (isinstance(entry["at"], list) and all(isinstance(one, str) for one in entry["at"]))
        )
        for entry in value
    )
