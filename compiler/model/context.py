"""What the parts of the model build share while one module is read: findings, names, vocabulary, texts to come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path

from compiler.findings import Finding, Place, Related, error
from compiler.frozen import dataclass
from compiler.grid.hexmap import HexMap
from compiler.model.files import Files
from compiler.model.names import Names
from compiler.model.read import Object
from compiler.model.types import Attribute
from compiler.source.document import Document
from compiler.suggest import suggest

_MANY = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text that a thing wants: its id, the thing, and the words if they stand at the thing itself."""

    id: str
    place: Place
    inline: str | None = None
    inline_at: Place | None = None
    required: bool = True
    instead: str | None = None  # shown if nobody gives words
    add: str | None = None  # what would give the words at the thing itself, where it is not a property of it


class Context:
    """One build. Nothing in here outlives it."""

    def __init__(self, files: Files, root: Path | None) -> None:
        self.files = files
        self.root = root
        self.findings: list[Finding] = []
        self.names = Names(self.report)
        self.vocabulary: dict[tuple[str, str], Attribute] = {}
        self.unreadable: set[tuple[str, str]] = set()  # declared, but with a type that was reported
        self.given: set[tuple[str, str]] = set()  # attributes that something sets
        self.late: list[tuple[str, str, Place]] = []  # piece and arrival ids, checked when they exist
        self.wanted: list[Wanted] = []
        self.grids: dict[Document, HexMap] = {}  # hex maps by the file they begin with
        self.worded: set[str] = set()  # texts of words that many things share, wanted once
        self.misspelt: frozenset[tuple[str, str]] = frozenset()  # properties at the top of files, by kind
        self.damaged: set[str] = set()  # scenarios that could not be read whole
        self.provenance = False
        self.rules_only = False
        self.vocabulary_place: Place | None = None
        self._seen: set[tuple[str, str, Place | None]] = set()
        self._tables: dict[tuple[str, ...], dict[str, Attribute]] = {}
        self._unknown: dict[tuple[tuple[str, ...], str], list[tuple[Place, frozenset[str]]]] = defaultdict(
            list
        )

    def report(self, finding: Finding) -> None:
        """Keep a finding; the same one again (a row that repeats its case) is dropped."""
        key = (finding.code, finding.message, finding.place)
        if key not in self._seen:
            self._seen.add(key)
            self.findings.append(finding)

    def attributes(self, kinds: tuple[str, ...]) -> Mapping[str, Attribute]:
        """The declared attributes of some kinds together; the first kind has the first word."""
        table = self._tables.get(kinds)
        if table is None:
            of = {kind: n for n, kind in enumerate(kinds)}
            found = [a for (kind, _), a in self.vocabulary.items() if kind in of]
            table = {a.name: a for a in sorted(found, key=lambda a: -of[a.kind])}
            self._tables[kinds] = table
        return table

    def want(
        self,
        id: str,
        place: Place,
        entry: Object,
        key: str = "name",
        required: bool = True,
        instead: str | None = None,
        given_at: Place | None = None,
    ) -> None:
        """Note that a thing wants a text; its own `key` (or that of `given_at`) may give the words of the first language."""
        inline = entry.get(key)
        add = f'"names": {{"{key}": "…"}}' if given_at else None
        if isinstance(inline, str):
            at = (given_at or place) / key
            self.wanted.append(Wanted(id, place, inline, at, required, instead, add))
        else:
            self.wanted.append(Wanted(id, place, None, None, required, instead, add))

    def unknown_attribute(
        self, kinds: tuple[str, ...], name: str, place: Place, known: Collection[str]
    ) -> None:
        """Remember an attribute that nobody declared; `flush` makes the findings."""
        if ("module", "vocabulary") in self.misspelt:
            return
        if not any((kind, name) in self.unreadable for kind in kinds):
            self._unknown[kinds, name].append(
                (Place(place.document, (*place.path, name), "key"), frozenset(known))
            )

    def undeclared_words(self, kind: str, name: str, place: Place) -> None:
        """A built-in attribute of words is used, but the module never listed the words: said once."""
        if (kind, name) not in self.unreadable and ("module", "vocabulary") not in self.misspelt:
            self.unreadable.add((kind, name))
            help = f'add "{name}": ["…"] to vocabulary.{kind} in module.json'
            message = f"the vocabulary does not list the words of {kind}.{name}"
            self.report(error("N304", message, Place(place.document, (*place.path, name), "key"), help=help))

    def flush(self) -> None:
        """Report unknown attributes: each one that looks misspelt, but an undeclared one only where it first stands."""
        for (kinds, name), found in self._unknown.items():
            near = suggest(name, [*self.attributes(kinds), *sorted(found[0][1])])
            places = [place for place, _ in found]
            shown = places if near or len(places) <= _MANY else places[:1]
            more = f" ({len(places)} times)" if len(shown) < len(places) else ""
            for place in shown:
                self.report(self._unknown_finding(kinds, name, place, near, more))
        self._unknown.clear()

    def _unknown_finding(
        self, kinds: tuple[str, ...], name: str, place: Place, near: str | None, more: str
    ) -> Finding:
        kind = "piece" if "piece" in kinds else kinds[0]
        message = f"'{name}' is no attribute of a {kind}{more}"
        attribute = self.attributes(kinds).get(near) if near else None
        if attribute is not None and attribute.place is not None:
            related = (Related(attribute.place, f"'{near}' is declared here"),)
            return error("N301", message, place, help=f"did you mean '{near}'?", related=related)
        if near:
            return error("N301", message, place, help=f"did you mean '{near}'?")
        others = sorted(kind for kind, other in self.vocabulary if other == name)
        help = f"declare it in module.json under vocabulary.{kind}"
        if others:
            help = f"'{name}' is declared for {', '.join(others)} only; {help}"
        elsewhere = (
            (Related(self.vocabulary_place, "the vocabulary is here"),) if self.vocabulary_place else ()
        )
        return error("N301", message, place, help=help, related=elsewhere)
