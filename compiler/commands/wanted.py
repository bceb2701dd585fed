"""`--select` and `--ignore`: which findings an author wants to see, by code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from compiler.commands import Unusable
from compiler.findings import Finding
from compiler.suggest import did_you_mean

_OWN = re.compile(r"[A-Z]\d*")


@dataclass(slots=True)
class Wanted:
    """A code is meant by itself, by its first letters (`S`, `S1`) or, for a game's rule, by a part up to a dot (`sea`)."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rules: set[str] = field(default_factory=set)  # rule ids of the modules met

    def keep(self, findings: Iterable[Finding]) -> list[Finding]:
        if not (self.select or self.ignore):
            return list(findings)
        return [finding for finding in findings if self._keeps(finding.code)]

    def check_names(self) -> None:
        """A misspelt code would silently select nothing; that is Unusable. Ask when all modules have been met."""
        if not (self.select or self.ignore):
            return
        from compiler.codes import all_codes

        known = [*all_codes(), *sorted(self.rules)]
        for name in (*self.select, *self.ignore):
            if not any(_means(name, code) for code in known):
                help = did_you_mean(name, known)
                raise Unusable(f"no finding has the code '{name}'" + (f"; {help}" if help else ""))

    def _keeps(self, code: str) -> bool:
        chosen = not self.select or any(_means(name, code) for name in self.select)
        return chosen and not any(_means(name, code) for name in self.ignore)


def names(written: tuple[str, ...]) -> tuple[str, ...]:
    """`--select S,J --select sea.seats` → the three names."""
    return tuple(name.strip() for part in written for name in part.split(",") if name.strip())


def _means(name: str, code: str) -> bool:
    if _OWN.fullmatch(code):
        return code.startswith(name.upper()) if _OWN.fullmatch(name.upper()) else False
    return code == name or code.startswith(name.removesuffix(".") + ".")
