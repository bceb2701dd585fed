"""The head of a hex map file: the grid, the legend and the sheets, before any letter of terrain is looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from compiler.findings import Finding, Place, Related, error
from compiler.grid.hexes import Shape
from compiler.grid.hexmap import Letter, Raw, Sheet, SideKind
from compiler.grid.numbering import BadPattern, Frame, Numbering, Pattern, Shifted, from_letters, parse
from compiler.grid.sheets import Same, Spot, find_spot
from compiler.grid.words import Word, words
from compiler.suggest import suggest

Read = tuple[Raw, Place]

MAX_HEXES = 250_000
NO_HEX = "."
OTHER_SHEET = "="
RESERVED = {
    NO_HEX: "no hex",
    OTHER_SHEET: "the hex of another sheet",
    ":": "the end of a row's number",
    "?": "nothing",
}
_NOTHING: Raw = {}
_LABEL = re.compile(r"\s*([^\s:]+):")


@dataclass(slots=True)
class Source:
    """The file, the files it includes, and the findings so far."""

    files: tuple[Read, ...]
    findings: list[Finding] = field(default_factory=list)
    seen: set[tuple[str, str, Place | None]] = field(default_factory=set)
    lost: bool = False  # a whole sheet could not be read: ids that nobody knows are no second mistake

    @property
    def top(self) -> Raw:
        return self.files[0][0]

    @property
    def place(self) -> Place:
        return self.files[0][1]

    def report(self, finding: Finding) -> None:
        """Keep a finding; one and the same (a pattern that every sheet uses) is kept once."""
        key = (finding.code, finding.message, finding.place)
        if key not in self.seen:
            self.seen.add(key)
            self.findings.append(finding)

    def error(
        self, code: str, message: str, place: Place, help: str | None = None, *related: Related
    ) -> None:
        self.report(error(code, message, place, help=help, related=related))

    def entries(self, key: str) -> Iterator[Read]:
        """The objects of a list, those of included files after the main file's own."""
        for value, place in self.files:
            for n, entry in enumerate(listed(value.get(key))):
                if isinstance(entry, dict):
                    yield entry, place / key / n

    def table(self, key: str) -> Iterator[tuple[str, object, Place]]:
        """The members of an object, those of included files after the main file's own."""
        for value, place in self.files:
            for name, item in obj(value.get(key)).items():
                yield name, item, place / key / name


def obj(value: object) -> Raw:
    return value if isinstance(value, dict) else _NOTHING


def listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in listed(value) if isinstance(item, str))


def text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def shape_of(grid: Raw) -> Shape:
    return "pointy" if grid.get("shape") == "pointy" else "flat"


def read_legend(source: Source) -> dict[str, Letter]:
    """The letters. `"c": "clear"` is short for `"c": {"terrain": "clear"}`."""
    legend: dict[str, Letter] = {}
    for letter, item, place in source.table("legend"):
        if len(letter) != 1 or letter.isspace():
            help = "each hex is one letter of a row, and blanks are not counted"
            source.error("H110", f"'{letter}' is not one letter", place.key(), help)
        elif letter in RESERVED:
            message = f"the letter '{letter}' always means {RESERVED[letter]}"
            source.error("H110", message, place.key(), "take another letter")
        elif letter in legend:
            related = Related(legend[letter].place, "the first is here")
            source.error(
                "H110", f"the letter '{letter}' is explained twice", place.key(), "take one out", related
            )
        else:
            legend[letter] = _letter(letter, item, place)
    return legend


def _letter(letter: str, item: object, place: Place) -> Letter:
    raw = {"terrain": item} if isinstance(item, str) else dict(obj(item))
    ways, water = texts(raw.pop("ways", None)), text(raw.pop("water", None))
    return Letter(letter, raw, ways, water if water in ("all", "part") else None, place)


def read_side_kinds(source: Source) -> dict[str, SideKind]:
    return {
        name: SideKind(frozenset(texts(obj(item).get("bars"))), texts(obj(item).get("opens")))
        for name, item, _ in source.table("side_kinds")
    }


def read_sheets(source: Source) -> list[Sheet]:
    """The sheets, each still on a lattice of its own."""
    grid = obj(source.top.get("hexes"))
    found: list[Sheet] = []
    for raw, place in source.entries("sheets"):
        id = text(raw.get("id")) or ""
        first = next((sheet for sheet in found if sheet.id == id), None)
        if first is not None:
            name = f"two sheets are called '{id}'" if id else "a second sheet needs an 'id'"
            at = place / "id" if id else place
            source.error(
                "H105", name, at, "give each sheet its own id", Related(first.place, "the first is here")
            )
            continue
        numbering = _numbering(source, grid, raw, place, id)
        if numbering is None or _too_many(source, found, numbering, place):
            source.lost = True
        else:
            found.append(
                Sheet(id, numbering, _turn(source, raw, place), 0, (0, 0), texts(raw.get("cut")), raw, place)
            )
    return found


def _too_many(source: Source, before: list[Sheet], numbering: Numbering, place: Place) -> bool:
    total = sum(_size(sheet.numbering) for sheet in before) + _size(numbering)
    if total <= MAX_HEXES:
        return False
    message = f"with this sheet the map has {total:,} hexes; the limit is {MAX_HEXES:,}"
    source.error("H901", message, place, "check 'columns' and 'rows', or split the map")
    return True


def _size(numbering: Numbering) -> int:
    return len(numbering.frame.column_numbers()) * len(numbering.frame.row_numbers())


def _turn(source: Source, raw: Raw, place: Place) -> int:
    turn = raw.get("turn", 0)
    if not isinstance(turn, int) or isinstance(turn, bool) or turn % 60:
        help = "0, 60, 120, 180, 240 or 300 degrees, clockwise"
        source.error("H106", "a sheet can be turned by multiples of 60 degrees only", place / "turn", help)
        return 0
    return turn // 60 % 6


def _numbering(source: Source, grid: Raw, raw: Raw, place: Place, id: str) -> Numbering | None:
    at = place / "ids" if "ids" in raw else source.place / "hexes" / "ids"
    written = text(raw.get("ids", grid.get("ids"))) or "{cc}{rr}"
    try:
        pattern = parse(written, id)
    except BadPattern as bad:
        source.error("H101", str(bad), at.chars(bad.start, bad.end), bad.help)
        return None
    frame = _frame(source, grid, raw, place, pattern)
    if frame is None:
        return None
    numbering = Numbering(pattern, frame)
    if not numbering.is_clear():
        help = "give the numbers a fixed width ({cc}, {rr}), or put something between them ({c}.{r})"
        source.error("H102", "two hexes of the sheet would be written the same", at, help)
        return None
    if pattern.write(frame.columns[0], frame.rows[0])[:1] in "-_.:":
        source.error("H101", "an id starts with a letter or a digit", at, "put a letter before the number")
        return None
    return numbering


def _frame(source: Source, grid: Raw, raw: Raw, place: Place, pattern: Pattern) -> Frame | None:
    rows = [line for line in listed(raw.get("terrain")) if isinstance(line, str)]
    width = len(_letters_of(rows[0])) if rows else 0
    columns = _ends(source, raw, grid, "columns", (1, max(width, 1)), place, pattern)
    lines = _ends(source, raw, grid, "rows", (1, max(len(rows), 1)), place, pattern)
    if columns is None or lines is None:
        return None
    shifted = raw.get("shifted", grid.get("shifted"))
    return Frame(shape_of(grid), _shifted(shifted), columns, lines)


def _shifted(value: object) -> Shifted:
    return "odd" if value == "odd" else "each" if value == "each" else "even"


def _ends(
    source: Source, raw: Raw, grid: Raw, key: str, default: tuple[int, int], place: Place, pattern: Pattern
) -> tuple[int, int] | None:
    """First and last number, given as numbers or in the letters of the pattern."""
    at = place / key if key in raw else source.place / "hexes" / key
    given = raw.get(key, grid.get(key))
    if given is None:
        return default
    both = listed(given)
    field = pattern.field("c" if key == "columns" else "r")
    numbers = [_number(end, field.style != "digits", field.style == "doubled") for end in both]
    one, two = (*numbers, None, None)[:2]
    if one is None or two is None or len(both) != 2:
        help = (
            'write the first and the last, as in [1, 51]; letters as in ["A", "AZ"] if the ids have letters'
        )
        source.error("H103", f"these are no {key} that the ids can show", at, help)
        return None
    return one, two


def _number(end: object, letters: bool, doubled: bool) -> int | None:
    if isinstance(end, int) and not isinstance(end, bool):
        return end if end >= 1 or not letters else None
    if isinstance(end, str) and letters:
        return from_letters(end.upper(), "doubled" if doubled else "letters")
    return None


def _letters_of(line: str) -> str:
    label = _LABEL.match(line)
    return re.sub(r"\s", "", line[label.end() :] if label else line)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of letters: its number if it begins with one, and each letter with its character in the string."""

    label: str | None
    cells: tuple[tuple[int, str], ...]
    length: int


def read_row(line: str) -> Row:
    label = _LABEL.match(line)
    start = label.end() if label else 0
    cells = tuple((n, letter) for n, letter in enumerate(line[start:], start) if not letter.isspace())
    return Row(label[1] if label else None, cells, len(line))


def read_same(source: Source, sheets: list[Sheet]) -> list[Same]:
    """The groups of ids that are one hex, in the order of the file."""
    groups: list[Same] = []
    for sheet in sheets:
        for n, group in enumerate(listed(sheet.raw.get("same"))):
            place = sheet.place / "same" / n
            spots = [_spot(source, sheets, word) for word in words(group, place)]
            found = tuple(spot for spot in spots if spot is not None)
            if len(found) == len(spots) and len(found) > 1:
                groups.append(Same(found, place))
    return groups


def _spot(source: Source, sheets: list[Sheet], word: Word) -> Spot | None:
    spot = find_spot(sheets, word)
    if spot is None:
        unknown_id(source, word.text, word.at, _all_ids(sheets))
    return spot


def _all_ids(sheets: list[Sheet]) -> Mapping[str, None]:
    return {
        sheet.numbering.write(column, row): None
        for sheet in sheets
        for row in sheet.numbering.frame.row_numbers()
        for column in sheet.numbering.frame.column_numbers()
    }


def unknown_id(source: Source, id: str, place: Place, known: Mapping[str, object]) -> None:
    if source.lost:
        return
    if not id:
        source.error(
            "H301",
            "a hex or a direction is missing after '/'",
            place,
            "a hexside is written '0303/NE' or '0303/0402'",
        )
        return
    near = suggest(id, known.keys())
    some = next(iter(known), None)
    help = f"did you mean '{near}'?" if near else f"ids are written like '{some}'" if some else None
    source.error("H301", f"there is no hex '{id}' on this map", place, help)
