"""Lists and tables of named parts inside a trace, and the names in them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from compiler.findings import Place
from compiler.rules.trace.reader import Reader
from compiler.suggest import did_you_mean


class Names:
    """Tables whose keys are names."""

    def __init__(self, r: Reader, quiet: bool = False) -> None:
        self.r, self.quiet = r, quiet

    def of(
        self, value: Mapping[str, Any], key: str, place: Place
    ) -> Iterator[tuple[str, Mapping[str, Any], Place]]:
        """Every named part of the table `key`; what is none is reported."""
        table = value.get(key, {})
        if not isinstance(table, Mapping):
            self.complain("an object: name → part", table, place / key)
            return
        for name, part in table.items():
            if isinstance(part, Mapping):
                yield name, part, place / key / name
            elif name != "note":
                self.complain("an object", part, place / key / name)

    def complain(self, wanted: str, got: object, place: Place) -> None:
        if not self.quiet:
            self.r.malformed(wanted, got, place)


def listed(
    r: Reader, value: Mapping[str, Any], key: str, needs: tuple[str, ...], place: Place
) -> Iterator[tuple[Mapping[str, Any], Place]]:
    """Every entry of a list that has the fields it needs; others are reported."""
    parts = value.get(key, [])
    if not isinstance(parts, list):
        r.malformed("a list", parts, place / key)
        return
    for i, part in enumerate(parts):
        if isinstance(part, Mapping) and all(field in part for field in needs):
            yield part, place / key / i
        else:
            r.malformed(f"an object with {', '.join(repr(field) for field in needs)}", part, place / key / i)


def known(r: Reader, what: str, name: object, names: Collection[str], place: Place) -> bool:
    """Whether the name is one of those; if not, it is reported."""
    if isinstance(name, str) and name in names:
        return True
    help = did_you_mean(str(name), names) or f"one of: {', '.join(names) or 'none'}"
    r.report("R120", f"'{name}' is no {what} of this trace", place, help)
    return False


def unique(r: Reader, what: str, name: str, seen: set[str], place: Place) -> bool:
    if name in seen:
        r.report("R118", f"{what} '{name}' is defined twice", place, "rename one of them")
        return False
    seen.add(name)
    return True
