"""Which document is what: files by kind, each together with the files it includes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from compiler.source.document import Document

Group = tuple[Document, ...]  # a file, then all it includes


@dataclass(frozen=True, slots=True)
class Files:
    """The documents of a module. An included file is part of the file that names it and never stands alone."""

    by_kind: Mapping[str, tuple[Group, ...]]
    unread: tuple[
        Document, ...
    ] = ()  # files that hold nothing usable: what they declare is not missing, only unseen

    def all(self, kind: str) -> tuple[Group, ...]:
        return self.by_kind.get(kind, ())

    def joined(self, kind: str) -> Group:
        """All documents of a kind in one line: for files whose lists are simply added up."""
        return tuple(document for group in self.all(kind) for document in group)

    def documents(self, but: tuple[str, ...] = ()) -> Iterator[Document]:
        """Every document, leaving out some kinds."""
        for kind in sorted(self.by_kind):
            if kind not in but:
                yield from self.joined(kind)


def sort_files(docs: Mapping[str, Document], unread: Iterable[Document] = ()) -> Files:
    by_kind: dict[str, list[Group]] = defaultdict(list)
    for path, document in sorted(docs.items()):
        if document.kind is not None and not document.is_part:
            by_kind[document.kind].append(tuple(_with_included(path, docs)))
    return Files({kind: tuple(groups) for kind, groups in by_kind.items()}, tuple(unread))


def _with_included(path: str, docs: Mapping[str, Document]) -> list[Document]:
    """The file and its includes in the order of reading; a file is read once even if it is named again."""
    seen: dict[str, Document] = {}
    waiting = [path]
    while waiting:
        name = waiting.pop(0)
        document = docs.get(name)
        if document is not None and name not in seen:
            seen[name] = document
            waiting.extend(document.included)
    return list(seen.values())
