"""A module as VASSAL will have it, before any picture is rasterised: enough to check it, and all that a build needs.

In: a module, a language, drawings and the lock. Out: a `Plan` with the component tree, the pages, the saves and the list
of pictures. Findings say what VASSAL would have taken amiss; a plan with errors must not be built.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby

from compiler.findings import Finding, Place, error, warning
from compiler.frozen import dataclass
from compiler.grid.cuts import Part, cut
from compiler.model.types import Module, Scenario
from compiler.vassal.counters import Counters, Where
from compiler.vassal.dice import dice, dice_pictures
from compiler.vassal.drawings import Drawings, FacePicture, Point, Undrawn, fingerprint
from compiler.vassal.elements import Element, element
from compiler.vassal.faults import setting_faults
from compiler.vassal.furnishing import (
    Page,
    charts,
    documentation,
    inventory,
    level_menus,
    levels,
    notes,
    options,
    roster,
    scenarios,
)
from compiler.vassal.holds import box_messages
from compiler.vassal.keys import stroke
from compiler.vassal.locations import Locator
from compiler.vassal.lock import Lock, LockedMap, geometry, with_commands, with_pieces
from compiler.vassal.metadata import VASSAL_VERSION, Metadata
from compiler.vassal.names import Names, file_part
from compiler.vassal.own import own_bytes, own_charts, own_components, own_documents, own_files
from compiler.vassal.pages import chart_pages, help_page, html, own_pages
from compiler.vassal.pieces import Definition, Spot, Written, slot_text
from compiler.vassal.piles import pile
from compiler.vassal.places import place_notes
from compiler.vassal.preflight import Subject, large_pictures, preflight, unwritable
from compiler.vassal.saves import commands, one_of_each
from compiler.vassal.settings import decks
from compiler.vassal.setups import Layout, Ready, Setups, Standing
from compiler.vassal.traits import Trait
from compiler.vassal.translation import bundles, languages, maps_of, translations, window_kind, windows_of
from compiler.vassal.turns import automatic, tracker, turn_places
from compiler.vassal.windows import Window, first_view, laid, map_element
from compiler.vassal.zones import hex_zones, locator_of, square_zones, standing_points, zones_of


@dataclass(frozen=True, slots=True)
class Picture:
    """`drawn` is what goes into a file that ends in `.svg`; anything else is rasterised."""

    svg: str
    width: int
    height: int
    drawn: str = ""

    @property
    def print(self) -> str:
        return f"{fingerprint(self.svg)}-{self.width}x{self.height}"


@dataclass(frozen=True, slots=True)
class HexWindow:
    """The hexes of a map window, each with the pixel where its pieces stand; for `verify`."""

    map: str
    reach: int
    hexes: Mapping[str, tuple[int, int]]
    board: str = ""  # where the pixels are those of one board among several


@dataclass(frozen=True, slots=True)
class Plan:
    """One language of one module. `pictures` by file name in `images/`; `setups` in the order of the scenarios."""

    module: Module
    language: str
    tree: Element
    metadata: Metadata
    pictures: Mapping[str, Picture]
    pages: tuple[Page, ...]
    bundles: Mapping[str, bytes]
    setups: tuple[Ready, ...]
    save_files: Mapping[str, str]
    lock: Lock
    findings: tuple[Finding, ...]
    hexes: tuple[HexWindow, ...] = ()

    def files(self) -> dict[str, bytes]:
        """Everything of the archive beside pictures, saves and the build file."""
        return {
            **{page.file: html(page) for page in self.pages},
            **self.bundles,
            **own_bytes(self.module),
        }


def plan_module(
    module: Module, language: str, drawings: Drawings, lock: Lock, seconds: int, *, draft: bool = False
) -> Plan | list[Finding]:
    """The plan, or only findings where a text makes it impossible to write anything."""
    names = Names(module, language)
    faults = [*text_faults(module, names), *setting_faults(module)]
    if not module.maps:
        faults.append(error("V122", "a module for VASSAL needs a map; this one has none", module.place))
    if faults:
        return faults
    return _Planner(module, names, drawings, lock, seconds, draft).plan()


def text_faults(module: Module, names: Names) -> Iterator[Finding]:
    """Texts that the format cannot carry, where they stand in the source if that is known."""
    for language in dict.fromkeys((names.first, names.language)):
        yield from word_faults(module, language)
    for counter in module.counters.values():
        for name, value in counter.values.items():
            if isinstance(value, str) and value.endswith("\\"):
                yield error(
                    "V109", f"{name} of the counter '{counter.id}' {unwritable(value)}", counter.place
                )


def word_faults(module: Module, language: str) -> Iterator[Finding]:
    """Names in one language that the format cannot carry."""
    for id, words in module.texts.words.get(language, {}).items():
        if id.startswith(_NAMES) and (why := unwritable(words)):
            yield error(
                "V109", f"the text '{id}' ({language}) {why}", module.place, help="write it otherwise"
            )


# How the texts begin that become names in a module file.
_NAMES = (
    "module.name",
    "space.",
    "type.",
    "power.",
    "side.",
    "counter.",
    "window.",
    "die.",
    "scenario.",
    "phase.",
    "turn.",
    "track.",
    "chart.",
    "face.",
)


def in_order(module: Module) -> list[Scenario]:
    """The scenarios for the menu: those that stand for themselves before those that are like another."""
    return sorted(module.scenarios.values(), key=lambda scenario: "like" in _written(scenario.place))


def _written(place: Place) -> Collection[object]:
    value = place.document.value
    return value if isinstance(value, dict) and not place.path else ()


PALETTE_COLUMNS = 4
PALETTE_WIDTH = 300


class _Planner:
    def __init__(
        self, module: Module, names: Names, drawings: Drawings, lock: Lock, seconds: int, draft: bool
    ) -> None:
        self.module, self.names, self.drawings = module, names, drawings
        self.old_lock, self.seconds, self.draft = lock, seconds, draft
        self.undrawn = isinstance(drawings, Undrawn)
        self.findings: list[Finding] = []
        self.lock = lock
        self.pictures: dict[str, Picture] = {}

    def plan(self) -> Plan:
        faces = {id: self.drawings.faces(id, self.names.language) for id in self.module.counters}
        looks = {id: self._looks(id) for id in faces}
        self.lock = with_pieces(self.old_lock, self.module.counters, looks, self.module.version)
        windows = [sheet for item in windows_of(self.module) for sheet in self._sheets(item)]
        standing = self._standing(windows)
        counters = self._counters(faces, standing)
        shown = _first_spaces(windows)
        self._report_views(shown)
        setups = Setups(self.module, self.names, counters, standing, self._layouts(windows), shown)
        ready = tuple(setups.ready(scenario) for scenario in in_order(self.module))
        self._report_homeless(ready)
        save_files = {item.scenario: f"{file_part(item.scenario)}.vsav" for item in ready}
        pictured = {id: counters.picture_of(id) for id in self.module.counters}
        help = [help_page(self.module, self.names, pictured), *own_pages(self.module, self.names)]
        pages = chart_pages(self.module, self.names)
        words = self._words(faces, counters)
        tree = self._tree(windows, counters, standing, help, pages, save_files, languages(words))
        plan = Plan(
            self.module,
            self.names.language,
            tree,
            self._metadata(tree),
            self.pictures,
            (*help, *pages),
            bundles(words),
            ready,
            save_files,
            self._renewed(self.lock, windows),
            (),
            tuple(
                HexWindow(
                    self.names.window(w.id),
                    w.picture.reach,
                    w.picture.hexes,
                    self.names.board(w.id, w.map_id) if w.shared else "",
                )
                for w in windows
                if w.picture.hexes
            ),
        )
        self.findings += judged(plan, by_sort=self.undrawn)
        return replace(plan, findings=tuple(self.findings))

    def _sheets(self, item: Mapping[str, object]) -> list[Window]:
        """The maps of a window. One that is cut into boards cannot stand beside others."""
        maps = maps_of(item)
        found = [self._window(item, id, len(maps) > 1) for id in maps]
        for sheet in found:
            if len(found) > 1 and len(sheet.images) > 1:
                what = (
                    f"the map '{sheet.map_id}' is too large to stand beside others in the window '{sheet.id}'"
                )
                place = self.module.maps[sheet.map_id].place
                self.findings.append(error("V124", what, place, help="give it a window of its own"))
        return found

    def _layouts(self, windows: Iterable[Window]) -> dict[str, Layout]:
        found: dict[str, Layout] = {}
        for sheets in by_window(windows):
            board = self.names.board
            maps = [(w.map_id, board(w.id, w.map_id), w.picture.width) for w in sheets if w.shared]
            found[self.names.window(sheets[0].id)] = Layout(laid(sheets, self.names), tuple(maps))
        return found

    def _window(self, item: Mapping[str, object], map_id: str, shared: bool) -> Window:
        """Zones come from the first language's drawing in every language: a saved position must mean the same place.

        The points where set-ups put pieces are the language's own: they lie clear of the names as written there.
        """
        id = str(item["id"])
        language, first = self.names.language, self.names.first
        base = self.drawings.board(map_id, first)
        shown = base if language == first else self.drawings.board(map_id, language)
        images = self._board_images(map_id, shown.svg, base.parts)
        zones = (*square_zones(base), *zones_of(base))
        self._report_shapeless(map_id, {*(zone.space for zone in zones), *base.hexes})
        if shown is not base:
            spots = {
                space: replace(shape, spots=shown.shapes[space].spots) if space in shown.shapes else shape
                for space, shape in base.shapes.items()
            }
            base = replace(base, shapes=spots)
        settings = item.get("vassal")
        return Window(
            id,
            map_id,
            base,
            images,
            zones,
            window_kind(item),
            settings if isinstance(settings, dict) else {},
            shared,
        )

    def _board_images(self, map_id: str, svg: str, parts: tuple[Part, ...]) -> tuple[str, ...]:
        """The names of the pictures of a map's boards; each picture is put on the list."""
        names = []
        for part, drawing in zip(parts, cut(svg, parts), strict=True):
            place = f"-{part.name.lower()}" if len(parts) > 1 else ""
            stem = f"{file_part(map_id)}-{file_part(self.names.language)}{place}"
            names.append(f"{stem}-{fingerprint(drawing)[:8]}.png")
            self.pictures[names[-1]] = Picture(drawing, part.width, part.height)
        return tuple(names)

    def _report_shapeless(self, map_id: str, drawn: set[str]) -> None:
        for space in self.module.maps[map_id].spaces:
            if space.id not in drawn:
                what = f"the space '{space.id}' has no outline on the board, so that VASSAL could not name it"
                self.findings.append(error("V120", what, space.place, spaces=(space.id,)))

    def _looks(self, id: str) -> list[str]:
        """Each face of a counter as it looks in all languages together."""
        by_language = [self.drawings.faces(id, language) for language in self.module.languages]
        looks = [[face.drawn for face in same] for same in zip(*by_language, strict=True)]
        return ["\n".join(look) if all(look) else "" for look in looks] or [""]

    def _gpid(self, id: str) -> str:
        """The lasting id of a command that makes a piece."""
        self.lock = with_commands(self.lock, [id])
        return self.lock.commands[id]

    def _counters(
        self, faces: Mapping[str, tuple[FacePicture, ...]], standing: Mapping[str, Standing]
    ) -> Counters:
        images = {id: self.lock.pieces[id].images[: max(len(faces[id]), 1)] for id in self.module.counters}
        for id, drawn in faces.items():
            former = self.lock.pieces[id].former
            shown = [*zip(drawn, images[id], strict=False), *zip(drawn, former, strict=False)]
            for face, image in shown:
                self.pictures[image] = Picture(face.svg, face.width, face.height, face.drawn or face.svg)
        gpids = {id: item.gpid for id, item in self.lock.pieces.items()}
        made = Counters(self.module, self.names, gpids, faces, images, standing_at(standing), self._gpid)
        for file, (svg, width, height) in made.own_pictures().items():
            self.pictures[file] = Picture(svg, width, height)
        for file, svg, width, height in dice_pictures(self.module, self.names):
            self.pictures[file] = Picture(svg, width, height)
        return made

    def _standing(self, windows: Iterable[Window]) -> dict[str, Standing]:
        found: dict[str, Standing] = {}
        for window in windows:
            title = self.names.window(window.id)
            board = self.names.board(window.id, window.map_id) if window.shared else ""
            for space, point in window.picture.hexes.items():
                found.setdefault(space, Standing(title, (point,), (), board))
            for number, point in window.picture.squares.items():
                found.setdefault(f"#{number}", Standing(title, (point,), (), board))
            for space, spots, beside in self._spots(window):
                found.setdefault(space, Standing(title, spots, beside, board))
                if not spots:
                    what = f"no pixel of the space '{space}' is its own on the board: VASSAL would take its pieces to stand elsewhere"
                    self.findings.append(
                        error("V105", what, self.module.spaces[space].place, spaces=(space,))
                    )
        return found

    def _spots(self, window: Window) -> Iterator[tuple[str, tuple[Point, ...], tuple[Point, ...]]]:
        """Each space with the points in it, and those beside them. An undrawn one has a square to itself."""
        if self.undrawn:
            yield from ((space, shape.spots, ()) for space, shape in window.picture.shapes.items())
            return
        locator = locator_of(window.zones)
        for space, spots in standing_points(window.picture, locator).items():
            counter = window.picture.counter
            yield space, spots, tuple(_beside(spot, locator, space, counter) for spot in spots)

    def _report_homeless(self, ready: Iterable[Ready]) -> None:
        for item in ready:
            for piece in item.homeless:
                what = f"'{piece.id}' stands in '{piece.space}', which no window shows"
                self.findings.append(
                    error("V121", what, piece.place, spaces=(piece.space,), pieces=(piece.id,))
                )

    def _report_views(self, shown: Collection[str]) -> None:
        for scenario in self.module.scenarios.values():
            if scenario.view and scenario.view not in shown:
                what = f"the scenario '{scenario.id}' opens on '{scenario.view}', which the first window does not show"
                help = "name a space of the first window's map"
                self.findings.append(error("V125", what, scenario.place, help=help, spaces=(scenario.view,)))

    def _metadata(self, tree: Element) -> Metadata:
        return Metadata(
            self.module.version, tree.get("description"), self.seconds * 1000, name=tree.get("name")
        )

    def _tree(
        self,
        windows: list[Window],
        counters: Counters,
        standing: Mapping[str, Standing],
        help: list[Page],
        pages: list[Page],
        saves: Mapping[str, str],
        language: Element,
    ) -> Element:
        module, names = self.module, self.names
        title = f"{names.title} ({names.first_word('draft')})" if self.draft else names.title
        about = names.text("module.about") if module.texts.has("module.about", names.language) else ""
        turn = tracker(module, names)
        children = [
            element("m.BasicCommandEncoder"),
            documentation(help, own_documents(module, names)),
            roster(module, names),
            options(names),
            *(
                map_element(sheets, names, first=n == 0, more=self._lying(sheets[0], counters, standing))
                for n, sheets in enumerate(by_window(windows))
            ),
            levels(module, names),
            element(
                "m.properties.GlobalTranslatableMessages",
                children=[
                    *turn_places(module, names, _first_points(standing)),
                    *box_messages(module, names, _first_points(standing)),
                    *place_notes(module, names),
                ],
            ),
            _prototypes(counters.prototypes),
            self._palette(counters),
            *([turn] if turn is not None else []),
            *dice(module, names),
            *level_menus(module, names),
            *automatic(module, names),
            first_view(),
            *charts(module, pages, names, own_charts(module, names)),
            inventory(module, names),
            notes(names),
            *own_components(module, None),
            *scenarios(module, names, saves),
            element("m.Chatter"),
            element("m.KeyNamer"),
            language,
        ]
        attributes: dict[str, str | int] = {
            "name": title,
            "version": module.version,
            "description": about,
            "VassalVersion": VASSAL_VERSION,
            "nextPieceSlotId": self.lock.next,
            "ModuleOther1": "",
            "ModuleOther2": "",
        }
        return element("VASSAL.build.GameModule", attributes, children)

    def _lying(
        self, window: Window, counters: Counters, standing: Mapping[str, Standing]
    ) -> Iterator[Element]:
        """Decks and the author's own components of a window."""
        title = self.names.window(window.id)
        for deck in decks(self.module):
            place = standing.get(deck.at)
            if place is not None and place.window == title and place.points:
                yield pile(deck, self.names, place.points[0], place.board, counters.definitions, self._gpid)
        yield from own_components(self.module, window.id)

    def _palette(self, counters: Counters) -> Element:
        """A tab for each power, then one for what belongs to nobody."""
        by_power: dict[str | None, list[Element]] = {}
        for id, counter in self.module.counters.items():
            by_power.setdefault(counter.power, []).append(self._slot(counters.definitions[id]))
        order = [
            *(power for power in self.module.powers if power in by_power),
            *([None] if None in by_power else []),
        ]
        tabs = [
            element(
                "w.PanelWidget",
                {
                    "entryName": self.names.text(f"power.{power}")
                    if power
                    else self.names.word("pieces.neutral"),
                    "nColumns": PALETTE_COLUMNS,
                    "fixed": True,
                    "vert": False,
                },
                by_power[power],
            )
            for power in order
        ]
        # Many tabs would pile up in rows and leave no room for the pieces: then a pull-down chooses the power.
        chooser = "w.TabWidget" if len(tabs) <= 3 else "w.BoxWidget"
        return element(
            "m.PieceWindow",
            {
                "name": "Pieces",
                "text": self.names.word("pieces"),
                "tooltip": self.names.word("pieces.tip"),
                "hotkey": stroke("alt+P"),
                "hidden": False,
                "defaultWidth": PALETTE_WIDTH,
            },
            [element(chooser, {"entryName": self.names.word("pieces")}, tabs)],
        )

    def _slot(self, definition: Definition) -> Element:
        picture = self.pictures.get(definition.image)
        size = {"width": picture.width, "height": picture.height} if picture else {}
        return element(
            "w.PieceSlot",
            {"entryName": definition.name, "gpid": definition.gpid, **size},
            text=slot_text(definition),
        )

    def _words(self, faces: Mapping[str, tuple[FacePicture, ...]], counters: Counters) -> dict[str, str]:
        """The translations of identifiers; none in the first language."""
        texts = self.module.texts
        said = {
            (texts.get(id, self.names.first) if texts.has(id, self.names.first) else face.name): texts.get(
                id, self.names.language
            )
            for drawn in faces.values()
            for face in drawn[1:]
            if texts.has(id := f"face.{face.name}", self.names.language)
        }
        return translations(self.module, self.names, said, counters.say.said)

    def _renewed(self, lock: Lock, windows: Iterable[Window]) -> Lock:
        """The lock as the module is now. Of what is not drawn it has no geometry and no prints."""
        maps = {
            (f"{w.id}/{w.map_id}" if w.shared else w.id): LockedMap(
                self.names.window(w.id),
                self.names.board(w.id, w.map_id),
                "" if self.undrawn else geometry((*w.zones, *hex_zones(w.picture)), w.picture),
            )
            for w in windows
        }
        prints = {
            name: picture.print
            for name, picture in self.pictures.items()
            if not self.undrawn and not any(name in w.images for w in windows)
        }
        return replace(
            lock,
            version=self.module.version,
            maps=maps,
            pictures={**lock.pictures, self.names.language: prints},
        )


def by_window(windows: Iterable[Window]) -> list[list[Window]]:
    """The maps of each window together."""
    return [list(sheets) for _, sheets in groupby(windows, key=lambda window: window.id)]


def _first_spaces(windows: list[Window]) -> frozenset[str]:
    """The spaces of the first window; of a hex map its hexes, which are what is played on."""
    sheets = by_window(windows)[0] if windows else []
    return frozenset(space for sheet in sheets for space in sheet.picture.hexes or sheet.picture.shapes)


def _first_points(standing: Mapping[str, Standing]) -> dict[str, Spot]:
    return {space: Spot(at.window, *at.points[0], at.board) for space, at in standing.items() if at.points}


def standing_at(standing: Mapping[str, Standing]) -> Where:
    """Where a command sends a piece: the first point of the space."""
    return _first_points(standing).get


def _beside(spot: tuple[int, int], locator: Locator, space: str, counter: int) -> tuple[int, int]:
    """A point a little to the right of and above another, if it is in the same space."""
    near = (spot[0] + counter // 4, spot[1] - counter // 4)
    return near if locator.name_at(*near) == space else spot


def _prototypes(found: Mapping[str, tuple[Trait, ...]]) -> Element:
    made = [
        element("m.PrototypeDefinition", {"name": name}, text=slot_text(Definition("", "", "", traits)))
        for name, traits in found.items()
    ]
    return element("m.PrototypesContainer", children=made)


def judged(plan: Plan, entries: Mapping[str, bytes] | None = None, by_sort: bool = False) -> list[Finding]:
    """The pre-flight of a plan; with `entries` also what only the finished archive shows.

    `by_sort`: of pieces in which only number and point differ, one in each save is read back.
    """
    written: dict[int, Written] = {}
    saves = {
        plan.save_files[item.scenario]: commands(one_of_each(item.setup) if by_sort else item.setup, written)
        for item in (plan.setups if entries is None else ())
    }
    place = plan.module.place
    former = frozenset(name for piece in plan.lock.pieces.values() for name in piece.former)
    found = [
        error(code, text, _at(place, code))
        for code, text in preflight(
            Subject(
                plan.tree,
                saves,
                plan.metadata,
                entries,
                former,
                frozenset(own_files(plan.module)),
                built=True,
            )
        )
    ]
    if entries is None:
        sizes = ((name, picture.width, picture.height) for name, picture in plan.pictures.items())
        found += [
            warning("V113", f"{text}: VASSAL is slow with more than 5000 px a side", place)
            for text in large_pictures(sizes)
        ]
    return found


def _at(place: Place, code: str) -> Place:
    return place / "version" if code == "V111" else place
