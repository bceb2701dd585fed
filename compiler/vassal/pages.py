"""Pages for the players, by jinja2: help, charts, setups, sequence. Swing shows HTML 3.2, so they stay plain."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from compiler.model.strips import Strip, strips
from compiler.model.types import Arrival, Chart, Module, Scenario
from compiler.vassal.counters import badge_files, keys_used
from compiler.vassal.furnishing import Page, Section
from compiler.vassal.keys import VIEW_KEY, shown
from compiler.vassal.names import SOLITAIRE, Names, file_part
from compiler.vassal.orders import KEYS
from compiler.vassal.places import word_texts
from compiler.vassal.settings import decks, objects, refreshes, sends, states
from compiler.vassal.turns import TURN_KEYS, steps

if TYPE_CHECKING:
    from jinja2 import Template

ACROSS = 10  # squares in a row of a track's chart

_HELP = {
    "en": {
        "keys": "Keys",
        "key": "Key",
        "does": "What it does",
        "start": "To begin",
        "begin": [
            "Choose a scenario from the list that opens, then take a power, or Solitaire to play them all.",
            "Drag pieces from one place to another: the chat says where they went. New pieces come from the window of pieces.",
            "Rest the pointer on a place to see its name and everything that stands there.",
            "Alt and a click on the map show the others what you mean.",
        ],
        "pieces": "Pieces",
        "states": "States of pieces",
        "count": "In the box",
        "credits": "Credits",
        "map": "Overview of the map",
        "zoom": "Zoom in, zoom out",
        "terrain": "Kind of space",
        "spaces": "Spaces",
        "sequence": "Sequence of play",
        "scenarios": "Scenarios",
        "original": "What is our own",
        "project": "Map, counters, charts, sentences and this page were drawn and written for this module, from its data, by vmodc. Nothing was taken from the published components.",
        "game": "Game",
        "designers": "Designed by",
        "publisher": "Published by",
    },
    "fr": {
        "keys": "Touches",
        "key": "Touche",
        "does": "Effet",
        "start": "Pour commencer",
        "begin": [
            "Choisissez un scénario dans la liste qui s’ouvre, puis une puissance, ou Solitaire pour les jouer toutes.",
            "Faites glisser les pions d’un lieu à l’autre : le fil dit où ils sont allés. Les nouveaux pions se prennent dans la fenêtre des pions.",
            "Laissez le pointeur sur un lieu pour voir son nom et tout ce qui s’y trouve.",
            "Alt et un clic sur la carte montrent aux autres ce dont vous parlez.",
        ],
        "pieces": "Pions",
        "states": "États des pions",
        "count": "Dans la boîte",
        "credits": "Crédits",
        "map": "Vue d’ensemble de la carte",
        "zoom": "Agrandir, réduire",
        "terrain": "Sorte de case",
        "spaces": "Cases",
        "sequence": "Séquence de jeu",
        "scenarios": "Scénarios",
        "original": "Ce qui est à nous",
        "project": "La carte, les pions, les tables, les phrases et cette page ont été dessinés et écrits pour ce module par vmodc, à partir de ses données. Rien n’est repris du matériel publié.",
        "game": "Jeu",
        "designers": "Conçu par",
        "publisher": "Publié par",
    },
}


def own_pages(module: Module, names: Names) -> list[Page]:
    """The author's own pages of the help menu: a text, a chart, or both."""
    return [_own_page(module, names, str(item["id"]), item) for item in objects(module.raw.get("help"))]


def _own_page(module: Module, names: Names, id: str, item: Mapping[str, object]) -> Page:
    def write() -> Iterator[Section]:
        lines = _said(names, f"help.{id}.text", "").split("\n")
        yield Section("", tuple(line for line in lines if line))
        yield from (
            _chart(names, chart) for name, chart in module.charts.items() if name == item.get("chart")
        )

    return Page(_said(names, f"help.{id}.title", id), f"help-{file_part(id)}.html", write)


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("compiler.vassal"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("page.html.j2")


def html(page: Page) -> bytes:
    """A page with everything escaped; characters beyond ASCII as entities, because Swing guesses the encoding."""
    text = _template().render(title=page.title, sections=page.sections)
    return text.encode("ascii", "xmlcharrefreplace")


def _said(names: Names, id: str, otherwise: str) -> str:
    return names.text(id) if names.module.texts.has(id, names.language) else otherwise


def words_or_text(names: Names, cell: object) -> str:
    """A cell of a chart: `#id` names a text."""
    text = str(cell)
    return names.text(text[1:]) if text.startswith("#") else text


def help_page(module: Module, names: Names, pictures: Mapping[str, str] | None = None) -> Page:
    """How to begin, keys, states, counters with their `pictures` (counter → file), credits: all from the module's data."""
    return Page(names.word("help"), "help.html", lambda: _help(module, names, pictures or {}))


def _help(module: Module, names: Names, pictures: Mapping[str, str]) -> list[Section]:
    words = _HELP.get(names.language, _HELP["en"])
    say = {key: value for key, value in words.items() if isinstance(value, str)}
    begin = tuple(line for line in words["begin"] if isinstance(words["begin"], list))
    printed = [
        (names.piece(id, names.language), "" if c.printed is None else str(c.printed))
        for id, c in module.counters.items()
    ]
    marked = tuple(states(module).values())
    sections = [
        Section(say["start"], begin),
        Section(say["keys"], columns=(say["key"], say["does"]), rows=tuple(_keys(module, names, say))),
        Section(
            say["states"],
            rows=tuple((names.label("state", state.id),) for state in marked),
            pictures=tuple(badge_files(state)[0] for state in marked),
        ),
        Section(
            say["pieces"],
            columns=(say["pieces"], say["count"]),
            rows=tuple(printed),
            pictures=tuple(pictures.get(id, "") for id in module.counters) if pictures else (),
        ),
        *_terrain(module, names, say),
        Section(say["sequence"], rows=_phases(module, names)),
        Section(say["scenarios"], rows=tuple(_scenario_notes(module, names))),
        Section(say["credits"], tuple(_credits(module, names, say))),
        Section(say["original"], (say["project"],)),
    ]
    return [item for item in sections if item.rows or item.lines]


def _terrain(module: Module, names: Names, say: dict[str, str]) -> Iterator[Section]:
    """Which kinds of space and terrain there are, and how many of each."""
    kinds: Tally[tuple[str, ...]] = Tally()
    for space in module.spaces.values():
        kinds[word_texts(space)] += 1
    rows = tuple((", ".join(map(names.text, texts)), str(n)) for texts, n in kinds.items() if texts)
    yield Section(say["terrain"], columns=(say["terrain"], say["spaces"]), rows=rows)


def _phases(module: Module, names: Names) -> tuple[tuple[str, ...], ...]:
    return tuple((str(n), step.words) for n, step in enumerate(steps(module, names), 1))


def _scenario_notes(module: Module, names: Names) -> Iterator[tuple[str, ...]]:
    for id in module.scenarios:
        yield _said(names, f"scenario.{id}", id), _said(names, f"scenario.{id}.description", "")


def _keys(module: Module, names: Names, say: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The keys of this module: those of every module that its pieces use, then its own."""
    used = keys_used(module)
    yield from ((shown(key), names.word(id)) for id, key in KEYS.items() if id in used)
    yield from ((shown(key), names.word(id)) for id, key in TURN_KEYS.items())
    given = [("state", item.id, item.key) for item in states(module).values()]
    given += [("send", item.id, item.key) for item in sends(module).values()]
    given += [("refresh", item.id, item.key) for item in refreshes(module)]
    given += [("deck", item.id, item.returns) for item in decks(module)]
    for kind, item in (("window", "windows"), ("die", "dice")):
        for entry in objects(module.raw.get(item)):
            settings = entry.get("vassal")
            key = settings.get("key") if isinstance(settings, dict) else None
            given.append((kind, str(entry.get("id")), str(key or "")))
    yield from ((shown(key), names.label(kind, id)) for kind, id, key in given if key)
    if any(map.hexes for map in module.maps.values()):
        yield "Alt+L", names.word("map.sight")
    yield "Ctrl+Shift+O", say["map"]
    yield shown(VIEW_KEY), names.word("map.front")
    yield "Ctrl+Shift+Up, Down", say["zoom"]
    for key, word in (("C", "charts"), ("I", "inventory"), ("P", "pieces"), ("O", "notes")):
        yield f"Alt+{key}", names.word(word)


def _credits(module: Module, names: Names, say: dict[str, str]) -> Iterable[str]:
    given = module.raw.get("credits")
    for key, value in (given if isinstance(given, dict) else {}).items():
        text = (
            ", ".join(str(item) for item in value) if isinstance(value, list) else words_or_text(names, value)
        )
        yield f"{say[key]}: {text}" if key in say else text
    yield f"{names.title} {module.version}"


def chart_pages(module: Module, names: Names) -> list[Page]:
    """The module's own charts, then the sequence, the tracks and the setups, which no author has to write."""
    found = [
        Page(
            _said(names, f"chart.{id}", _said(names, f"chart.{id}.title", id)),
            f"chart-{file_part(id)}.html",
            partial(_charted, names, chart),
            id,
        )
        for id, chart in module.charts.items()
    ]
    if module.sequence.phases and "sequence" not in module.charts:
        write = partial(_sequence, module, names)
        found.append(Page(names.word("chart.sequence"), "chart-sequence-of-play.html", write))
    found += _tracks(module, names)
    return found + [_setup(module, names, scenario) for scenario in module.scenarios.values()]


def _charted(names: Names, chart: Chart) -> list[Section]:
    return [_chart(names, chart)]


def _chart(names: Names, chart: Chart) -> Section:
    columns = tuple(words_or_text(names, c) for c in chart.columns)
    return Section("", (), columns, tuple(tuple(words_or_text(names, c) for c in row) for row in chart.rows))


def _sequence(module: Module, names: Names) -> list[Section]:
    order = tuple((names.text(f"power.{id}"),) for id in module.sequence.order)
    phases = _phases(module, names)
    sections = [Section(names.word("setup.power"), rows=order)] if order else []
    return [*sections, Section(names.word("turn"), rows=phases)]


def _tracks(module: Module, names: Names) -> Iterator[Page]:
    """Turns and tracks, square by square, with the letters of the powers where they start."""
    found = strips(module, names.language, names.word("chart.turns"), ACROSS)
    if found:
        write = partial(_squares, module, found)
        yield Page(names.word("chart.tracks"), "chart-tracks-of-the-game.html", write)


def _squares(module: Module, found: Iterable[Strip]) -> Iterator[Section]:
    for strip in found:
        rows = tuple(tuple(_square(module, strip, cell) for cell in row) for row in strip.rows)
        yield Section(strip.title, rows=rows)


def _square(module: Module, strip: Strip, words: str | None) -> str:
    here = [module.powers[power].letter or power for where, power in strip.starts if where == words]
    return " ".join((words or "", *here)).strip()


def _setup(module: Module, names: Names, scenario: Scenario) -> Page:
    title = names.word("chart.setup", name=_said(names, f"scenario.{scenario.id}", scenario.id))
    write = partial(_set_up, module, names, scenario)
    return Page(title, f"setup-{file_part(scenario.id)}.html", write)


def _set_up(module: Module, names: Names, scenario: Scenario) -> list[Section]:
    by_power: dict[str | None, dict[str, Tally[str]]] = {}
    for piece in scenario.pieces:
        counter = module.counters[piece.counter]
        by_power.setdefault(counter.power, {}).setdefault(piece.space, Tally())[counter.type] += 1
    about = _said(names, f"scenario.{scenario.id}.description", "")
    sections = [Section("", (about,))] if about else []
    if scenario.options:
        options = tuple((names.label("option", id),) for id in scenario.options)
        sections.append(Section(names.word("setup.options"), rows=options))
    sections += [
        Section(
            names.text(f"power.{power}") if power else names.word("pieces.neutral"),
            columns=(names.word("setup.space"), names.word("setup.pieces")),
            rows=tuple((names.locations[space], _listed(names, tally)) for space, tally in places.items()),
        )
        for power, places in by_power.items()
    ]
    if later := [item for item in scenario.arrivals if item.plan is None]:
        sections.append(_comings(module, names, "chart.reinforcements", later))
    if scenario.withdrawals:
        sections.append(_comings(module, names, "chart.withdrawals", scenario.withdrawals))
    if scenario.tracks:
        rows = tuple((_said(names, f"track.{id}", id), str(value)) for id, value in scenario.tracks.items())
        sections.append(Section(names.word("setup.tracks"), rows=rows))
    sections.append(Section("", (names.word("setup.count", count=len(scenario.pieces)),)))
    return sections


def _comings(module: Module, names: Names, title: str, later: Sequence[Arrival]) -> Section:
    """Who comes or leaves in which turn, and where."""
    rows = tuple(
        (
            names.label("turn", item.due) if item.due else "",
            names.piece(item.counter, names.language),
            names.locations.get(item.at, item.at) if item.at else "",
        )
        for item in later
    )
    columns = (names.word("turn"), names.word("setup.pieces"), names.word("setup.space"))
    return Section(names.word(title), columns=columns, rows=rows)


def _listed(names: Names, tally: Tally[str]) -> str:
    return ", ".join(names.word("count", n=n, what=names.text(f"type.{type}")) for type, n in tally.items())


def sides_line(module: Module, names: Names) -> str:
    return ", ".join([*(names.text(f"power.{id}") for id in module.powers), SOLITAIRE])
