"""A module's folder → documents. The only pass that touches the author's files."""

from __future__ import annotations

import os
import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from compiler.findings import Finding, Place, Related, Severity
from compiler.source.decode import decode
from compiler.source.document import Columns, Document
from compiler.source.files import Folder
from compiler.source.includes import Include, entries, loops, refuse, repeats
from compiler.source.kinds import FILES, FOLDERS, kind_of
from compiler.source.parse import parse
from compiler.source.problem import Problem
from compiler.source.table import Wanted, read_table, wanted
from compiler.suggest import did_you_mean, suggest


def read(root: Path, shown_as: str) -> tuple[dict[str, Document], list[Finding]]:
    """Reads all source files of the module in `root`, whose files are called `shown_as`/… in findings.

    The documents are keyed by their path in the folder, sorted, and each holds an object. A file that holds none, or
    cannot be read, is missing from them and has an error among the findings. No content of any file makes this raise.
    """
    folder = Folder(Path(os.path.realpath(root)))
    files = {path: _read_file(folder, path, kind_of(path) or "") for path in folder.known()}
    _follow_includes(folder, files)
    _follow_tables(folder, files)
    parts = {include.target for file in files.values() for include in file.includes}
    documents = {path: _document(path, files[path], shown_as, path in parts) for path in sorted(files)}
    findings = [problem.finding(documents[path]) for path in documents for problem in files[path].problems]
    if "module.json" in files:
        findings += _strays(folder, documents, shown_as)
    else:  # this may be any folder, of any size: look no further
        findings.insert(0, _no_module(folder, shown_as))
    return {path: document for path, document in documents.items() if files[path].usable}, findings


@dataclass(slots=True)
class _File:
    """A file while the folder is being read."""

    kind: str
    text: str = ""
    value: object = None
    usable: bool = False
    problems: list[Problem] = field(default_factory=list)
    includes: list[Include] = field(default_factory=list)
    columns: Columns | None = None


def _read_file(folder: Folder, path: str, kind: str) -> _File:
    data = folder.read(path)
    if isinstance(data, Problem):
        return _File(kind, problems=[data])
    text, problem = decode(data)
    if problem is not None:
        return _File(kind, text, problems=[problem])
    parsed = parse(data, text)
    return _File(kind, text, parsed.value, parsed.usable, list(parsed.problems))


def _follow_includes(folder: Folder, files: dict[str, _File]) -> None:
    """Reads every file that is included, adds the problems to the files they are in, and drops what may not be."""
    waiting = deque(sorted(files))
    while waiting:
        file = files[waiting.popleft()]
        for entry in entries(file.value):
            problem = refuse(entry, file.kind, folder) or _other_includer(entry, file, files)
            if problem is not None:
                file.problems.append(problem)
                continue
            file.includes.append(entry)
            if entry.target not in files:
                files[entry.target] = _read_file(folder, entry.target, file.kind)
                waiting.append(entry.target)
    _drop_loops(files)
    _drop_repeats(files)


def _follow_tables(folder: Folder, files: dict[str, _File]) -> None:
    """Reads every CSV that a file names; its rows stand where an included file's entries would."""
    for path in sorted(files):
        for table in wanted(files[path].value) if files[path].kind == "counters" else ():
            file = files[path]
            entry = Include(table.index, table.target)
            problem = _no_table(table, folder, files)
            if problem is not None:
                file.problems.append(problem)
                continue
            made, naming = _read_table(folder, table, file.kind)
            files[table.target] = made
            file.includes.append(entry)
            file.problems += naming


def _read_table(folder: Folder, table: Wanted, kind: str) -> tuple[_File, list[Problem]]:
    data = folder.read(table.target)
    if isinstance(data, Problem):
        return _File(kind, problems=[data]), []
    text, problem = decode(data)
    if problem is not None:
        return _File(kind, text, problems=[problem]), []
    value, columns, problems, naming = read_table(text, table)
    return _File(kind, text, value, True, problems, columns=columns), naming


def _no_table(table: Wanted, folder: Folder, files: Mapping[str, _File]) -> Problem | None:
    target = table.target
    plain = not re.search(r"^/|\\|^[A-Za-z]:|(^|/)\.\.?(/|$)", target)
    if not plain or not target.endswith(".csv"):
        help = "write the path of a .csv from the module's folder, with '/'"
        return table.problem("S160", f"'{target}' is not a CSV in the module's folder", "file", help=help)
    if not folder.exists(target) or folder.leaves(target):
        near = did_you_mean(target, folder.all_csv())
        help = near or "paths are relative to the module's folder"
        return table.problem("S160", f"the file '{target}' does not exist", "file", help=help)
    if target in files:
        return table.problem("S160", f"'{target}' is read twice", "file", help="remove one of the entries")
    return None


def _other_includer(entry: Include, file: _File, files: Mapping[str, _File]) -> Problem | None:
    target = files.get(entry.target)
    if target is None or target.kind == file.kind:
        return None
    message = (
        f"'{entry.target}' is already included by a {target.kind} file; it cannot be a {file.kind} file too"
    )
    return entry.problem("S143", message)


def _drop_loops(files: Mapping[str, _File]) -> None:
    for path, entry in list(loops({path: file.includes for path, file in files.items()})):
        what = "itself" if entry.target == path else f"'{entry.target}', which already includes this file"
        _drop(files[path], entry, entry.problem("S142", f"this file includes {what}", "remove this entry"))


def _drop_repeats(files: Mapping[str, _File]) -> None:
    includes = {path: file.includes for path, file in files.items()}
    targets = {entry.target for file in files.values() for entry in file.includes}
    for root in sorted(set(files) - targets):
        for path, entry in list(repeats(root, includes)):
            message = f"'{entry.target}' is included twice in '{root}'"
            _drop(files[path], entry, entry.problem("S144", message, "remove one of the entries"))


def _drop(file: _File, entry: Include, problem: Problem) -> None:
    if entry in file.includes:  # two roots may come upon the same entry
        file.includes.remove(entry)
        file.problems.append(problem)


def _document(path: str, file: _File, shown_as: str, is_part: bool) -> Document:
    included = tuple(entry.target for entry in file.includes)
    name = _shown(path, shown_as)
    return Document(name, file.text, file.value, path, file.kind, included, is_part, file.columns)


def _shown(path: str, shown_as: str) -> str:
    prefix = shown_as.replace("\\", "/").rstrip("/")
    name = path if prefix in ("", ".") else f"{prefix}/{path}"
    return name.encode("utf-8", "surrogateescape").decode(
        "utf-8", "replace"
    )  # a disk may hold names that are no text


def _no_module(folder: Folder, shown_as: str) -> Finding:
    nearby = folder.modules_below()
    other = suggest("module.json", folder.all_json_here())
    if other:
        help = f"rename '{other}' to 'module.json'"
    elif nearby:
        help = f"did you mean the folder {' or '.join(repr(name) for name in nearby)}?"
    else:
        help = "every module has a file module.json in its folder; 'vmodc init' writes one"
    document = Document(_shown("module.json", shown_as), "", path="module.json", kind="module")
    return Problem("S101", "this folder has no module.json, so it is not a module", (0, 0), help).finding(
        document
    )


def _strays(folder: Folder, documents: Mapping[str, Document], shown_as: str) -> Iterator[Finding]:
    """JSON files that nothing reads, and files that a case-blind disk would take for one another."""
    spellings: dict[str, list[str]] = defaultdict(list)
    for path in folder.all_json():
        spellings[path.casefold()].append(path)
        if path not in documents:
            yield _unread(path).finding(Document(_shown(path, shown_as), "", path=path))
    for paths in spellings.values():
        if len(paths) > 1:
            yield _same_name([documents.get(path) or Document(_shown(path, shown_as), "") for path in paths])


def _unread(path: str) -> Problem:
    known = [*FILES, *(f"{name}/{path.rpartition('/')[2]}" for name in FOLDERS)]
    meant = suggest(path, known)
    help = (
        f"did you mean '{meant}'?"
        if meant
        else f"sources are {', '.join(FILES)} and the files in {', '.join(FOLDERS)}"
    )
    message = "no file includes this one and it stands in no known folder, so it is not read"
    return Problem("S150", message, (0, 0), help, severity=Severity.WARNING)


def _same_name(documents: list[Document]) -> Finding:
    first, *others = documents
    related = tuple(Related(Place(other, offsets=(0, 0)), "differs only in capitals") for other in others)
    message = (
        f"'{first.name}' and '{others[0].name}' differ only in capitals: on many disks they are one file"
    )
    place = Place(first, offsets=(0, 0))
    return Finding("S151", Severity.ERROR, message, place, "rename one of them", related=related)
