"""Counters as VASSAL pieces: behaviour in prototypes, a counter's own traits reduced to pictures and constants.

In: the module's counters and types, and `"pieces"` of module.json, which says how groups of pieces behave. Out: the
prototypes (name → traits, outermost first) and one definition for each counter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal

from compiler.model.types import Counter, Module, Piece, Value
from compiler.vassal.badges import back, badge, hidden_mark
from compiler.vassal.drawings import COUNTER_PIXELS, FacePicture
from compiler.vassal.holds import hold_traits, marker_prototypes
from compiler.vassal.keys import key_list, named, stroke
from compiler.vassal.names import Names, file_part
from compiler.vassal.orders import (
    FACE,
    HIDDEN_MARK,
    KEYS,
    MANY,
    MOVED_MARK,
    PRINTED,
    Speech,
    behaves,
    clockwise,
    deck_traits,
    mask,
    masked,
    own_trait,
    owners,
    printed_now,
    send_traits,
    state_traits,
    step_traits,
    stepped,
    steps_shown,
    turn_marker_trait,
)
from compiler.vassal.pieces import Definition, Spot, slot_text
from compiler.vassal.settings import (
    Behaviour,
    Send,
    State,
    behaviour_of,
    behaviours,
    counter_meant,
    decks,
    plain,
    refreshes,
    sends,
    states,
    steps_of,
    turn_marker,
)
from compiler.vassal.traits import KINDS, Trait, dynamic, markers, read, trait

Where = Callable[[str], Spot | None]
NOBODY = "nobody"


def _nowhere(space: str) -> Spot | None:
    return None


class Counters:
    """The pieces of one module: prototypes and definitions, the same in every language.

    `where` gives window and pixel of a space; `gpid` the lasting id of a command that makes another piece.
    """

    def __init__(
        self,
        module: Module,
        names: Names,
        gpids: Mapping[str, str],
        faces: Mapping[str, tuple[FacePicture, ...]],
        images: Mapping[str, tuple[str, ...]],
        where: Where = _nowhere,
        gpid: Callable[[str], str] = str,
    ) -> None:
        self._module, self._names, self._gpids = module, names, gpids
        self._faces, self._images, self._where, self._gpid = faces, images, where, gpid
        self._groups = behaviours(module)
        self.states, self._sends, self._decks = states(module), sends(module), decks(module)
        self.say = Speech(names)
        self._fronts = any(item.fronts for item in refreshes(module))
        self._used = {id: behaviour_of(counter, self._groups) for id, counter in module.counters.items()}
        self._marking = {
            counter: (name, traits) for counter, name, traits in marker_prototypes(module, self.say)
        }
        self.prototypes: dict[str, tuple[Trait, ...]] = {}
        self.definitions = {id: self._definition(counter) for id, counter in module.counters.items()}
        self.prototypes = dict(self._prototypes())

    def behaviour(self, counter_id: str) -> Behaviour:
        return self._used[counter_id]

    def _definition(self, counter: Counter) -> Definition:
        images = self._images[counter.id]
        traits = [trait("prototype", name=name) for name in self._prototype_names(counter)]
        traits.append(markers({"Counter": counter.id, **self._printed(counter.id)}))
        if len(images) > 1:
            traits.append(self._layer(counter, images))
        image = images[0] if len(images) == 1 else ""
        return Definition(self._names.piece(counter.id), image, self._gpids[counter.id], tuple(traits))

    def _prototype_names(self, counter: Counter) -> list[str]:
        """Outermost first. What a mask hides stands behind it, what all may see before it."""
        group = self._used[counter.id]
        owner = counter.power or NOBODY
        steps = self._step_prototype(counter, group)
        faces = len(self._images[counter.id])
        flips = [f"faces {faces}"] if faces > 1 and not (steps and group.steps == "faces") else []
        common, power = [f"behaviour {group.id}"], [f"power {counter.power}"] if counter.power else []
        orders = [
            *(f"state {id}" for id in group.states),
            *([steps] if steps else []),
            *(f"send {id} {owner}" for id in group.sends),
            *([f"orders {group.id} {owner}"] if group.puts or group.becomes else []),
            *([self._marking[counter.id][0]] if counter.id in self._marking else []),
            *(f"deck {deck.id}" for deck in self._decks if counter.id in deck.contents()),
            *(["turn marker"] if counter.id == turn_marker(self._module) else []),
        ]
        own = [f"own {owner}"] if group.own else []
        if group.hidden:
            hidden = [f"hidden {group.hidden} {owner}"]
            return [*own, *common, *power, *hidden, *flips, *orders, f"type {counter.type}"]
        return [*own, *flips, *common, *orders, f"type {counter.type}", *power]

    def _step_prototype(self, counter: Counter, group: Behaviour) -> str:
        shown = steps_shown(self._module, counter, group)
        if shown is None:
            return ""
        mode, count = shown
        way = " clockwise" if mode == "turn" and clockwise(self._module, counter) else ""
        return f"steps {mode} {count}{way}"

    def _printed(self, id: str) -> dict[str, str]:
        """The values on each face; `Printed` is that of the face which shows."""
        words = [face.words for face in self._faces[id]]
        if len(words) > 1:
            return {f"{PRINTED}{n}": one for n, one in enumerate(words, 1)}
        return {PRINTED: words[0]} if any(words) else {}

    def _layer(self, counter: Counter, images: tuple[str, ...]) -> Trait:
        """The pictures only: which one shows is the property that the prototype's command changes."""
        faces = self._faces[counter.id]
        names = ("", *(f"+ ({self._face_name(face)})" for face in faces[1:]))
        return trait(
            "emb2",
            images=images,
            names=names,
            name="Side shown",
            follow=True,
            follow_property=FACE,
            state="1",
        )

    def _face_name(self, face: FacePicture) -> str:
        id = f"face.{face.name}"
        return (
            self._names.text(id, self._names.first)
            if self._module.texts.has(id, self._names.first)
            else face.name
        )

    def face_level(self, counter_id: str, face: str | None) -> int:
        """The level that shows a face; the front where the face is none of the counter's."""
        names = [item.name for item in self._faces[counter_id]] if face else []
        return names.index(face) + 1 if face in names else 1

    def picture_of(self, counter_id: str) -> str:
        return self._images[counter_id][0] if self._images[counter_id] else ""

    def own_pictures(self) -> dict[str, tuple[str, int, int]]:
        """The badges and backs that the prototypes name: file → drawing, width, height."""
        size = self._badge()
        found = {
            image: (badge(text, state.colour, size), size, size)
            for state in self.states.values()
            for image, text in zip(badge_files(state), state.badges(), strict=True)
        }
        if any(group.moved and group.moves for group in self._used.values()):
            mark = self._mark()
            found[MOVED_MARK] = (badge("»", "#2f7d32", mark), mark, mark)
        width, height = self._size()
        if any(group.hidden for group in self._used.values()):
            found[HIDDEN_MARK] = (hidden_mark(width, height), width, height)
        for id, group in self._used.items():
            if group.hidden:
                power = self._module.counters[id].power
                colour = (self._module.powers[power].colour if power else None) or "#8a8a8a"
                found[back_file(power)] = (back(colour, width, height), width, height)
        return found

    def _size(self) -> tuple[int, int]:
        """The size of the counters: that of the first one."""
        first = next((faces[0] for faces in self._faces.values() if faces), None)
        return (first.width, first.height) if first else (COUNTER_PIXELS, COUNTER_PIXELS)

    def _mark_at(self) -> tuple[int, int]:
        """The mark of having moved sits astride the upper edge, where it hides no figure."""
        return -self._mark() // 2, -(self._size()[1] // 2) - self._mark() // 2

    def _mark(self) -> int:
        return max(12, round(min(self._size()) * 0.28))

    def _badge(self) -> int:
        return max(14, round(min(self._size()) * 0.36))

    def _prototypes(self) -> Iterable[tuple[str, tuple[Trait, ...]]]:
        used = {group.id for group in self._used.values()}
        for group in self._groups:
            if group.id in used:
                yield (
                    f"behaviour {group.id}",
                    (*self._author(group), *behaves(group, self.say, self._mark_at())),
                )
        for count in sorted({len(images) for images in self._images.values()} - {0, 1}):
            yield f"faces {count}", self._flips(count)
        for id, type in self._module.types.items():
            yield (
                f"type {id}",
                (
                    markers(
                        {"Type": self._names.text(f"type.{id}", self._names.first), **_constants(type.values)}
                    ),
                ),
            )
        for power in self._module.powers.values():
            side = self._names.text(f"side.{power.side}", self._names.first)
            yield f"power {power.id}", (markers({"Power": self._names.power(power.id), "Side": side}),)
        yield from self._order_prototypes()

    def _order_prototypes(self) -> Iterable[tuple[str, tuple[Trait, ...]]]:
        reach = (min(self._size()) - self._badge()) // 2
        for id, state in self.states.items():
            if any(id in group.states for group in self._used.values()):
                yield f"state {id}", state_traits(state, self.say, badge_files(state), reach)
        for deck in self._decks:
            name = self._names.label("deck", deck.id, self._names.first)
            yield f"deck {deck.id}", deck_traits(deck, name, self.say)
        if turn_marker(self._module):
            yield "turn marker", (turn_marker_trait(),)
        yield from self._marking.values()
        done: set[str] = set()
        for id, group in self._used.items():
            for name, made in self._owned(self._module.counters[id], group):
                if name not in done:
                    done.add(name)
                    yield name, tuple(made())

    def _owned(
        self, counter: Counter, group: Behaviour
    ) -> Iterable[tuple[str, Callable[[], Iterable[Trait]]]]:
        """Prototypes that depend on whose the counter is, or on its steps."""
        module, names, power = self._module, self._names, counter.power
        owner = power or NOBODY
        if step := self._step_prototype(counter, group):
            mode, count, *way = step.split()[1:]
            yield step, lambda: step_traits(mode, int(count), bool(way), self.say)
        for id in group.sends:
            send = self._sends[id]
            yield f"send {id} {owner}", lambda send=send: self._sent(send, power)  # type: ignore[misc]
        if group.puts or group.becomes:
            yield f"orders {group.id} {owner}", lambda: self._makes(group, power)
        if group.hidden:
            seats = owners(module, names, power, group.hidden)
            yield f"hidden {group.hidden} {owner}", lambda: mask(seats, back_file(power), self.say, power)
        if group.own:
            yield f"own {owner}", lambda: (own_trait(owners(module, names, power, "side")),)

    def _sent(self, send: Send, power: str | None) -> tuple[Trait, ...]:
        if send.markers:
            return hold_traits(self._module, send, self.say, power)
        return send_traits(send, self.say, self._where, power)

    def _makes(self, group: Behaviour, power: str | None) -> Iterable[Trait]:
        """Commands that put another piece on this one or in its place. The other is written out, in no language."""
        for kind, word, listed in (
            ("placemark", "piece.put", group.puts),
            ("replace", "piece.become", group.becomes),
        ):
            meant = [(given, counter_meant(self._module, given, power)) for given in listed]
            found = [(given, target) for given, target in meant if target is not None]
            if len(found) >= MANY:
                texts = (self.say.word(word, name=("piece", target)) for _, target in found)
                yield trait("submenu", title=self.say.word(f"{word}s"), commands=tuple(texts))
            for given, target in found:
                id = f"{kind} {group.id} {power or NOBODY} {given}"
                key = named(plain(id))
                yield trait(
                    "report",
                    keys=key_list(key),
                    format=self.say.word(f"{word}.report", name=("piece", target)),
                )
                yield trait(
                    kind,
                    text=self.say.word(word, name=("piece", target)),
                    key=key,
                    spec=slot_text(self.definitions[target]),
                    gpid=self._gpid(id),
                    above=False,
                )  # fmt: skip

    def _author(self, group: Behaviour) -> Iterable[Trait]:
        """The author's own traits, as they are."""
        return [read(type, state or _state_of(type)) for type, state in group.traits]

    def _flips(self, count: int) -> tuple[Trait, ...]:
        key = stroke(KEYS["piece.flip"])
        front = [("", named("front"), "P,1")] if self._fronts else []
        return (
            trait("report", keys=key_list(key), format=self.say.word("piece.flipped")),
            printed_now(),
            dynamic(FACE, 1, 1, count, [(self.say.word("piece.flip"), key, "I,1"), *front], wrap=True),
        )


def _state_of(type: str) -> str:
    kind = KINDS.get(type.partition(";")[0])
    return kind.state if kind else ""


def keys_used(module: Module) -> set[str]:
    """Which of the common keys some piece of the module answers to."""
    groups = behaviours(module)
    used = [behaviour_of(counter, groups) for counter in module.counters.values()]
    flags = {
        "piece.remove": any(g.remove for g in used),
        "piece.flip": any(_has_faces(module, c) for c in module.counters.values()),
        "piece.trail": any(g.trail and g.moves for g in used),
        "piece.moved": any(g.moved and g.moves for g in used),
        "piece.rotate": any(g.turns for g in used),
        "piece.clone": any(g.clone for g in used),
        "piece.lose": any(g.steps for g in used),
        "piece.gain": any(g.steps for g in used),
        "piece.hide": any(g.hidden for g in used),
        "piece.back": any(send.back for send in sends(module).values()),
        "piece.load": any(g.carried for g in used),
        "piece.unload": any(g.carried for g in used),
        "piece.sheet": any(g.sheet for g in used),
    }
    return {id for id, is_used in flags.items() if is_used}


def _has_faces(module: Module, counter: Counter) -> bool:
    return bool({**module.types[counter.type].raw, **counter.raw}.get("faces"))


def badge_files(state: State) -> tuple[str, ...]:
    return tuple(f"state-{file_part(state.id)}-{n + 1}.png" for n in range(state.levels))


def back_file(power: str | None) -> str:
    return f"hidden-{file_part(power or NOBODY)}.png"


def _constants(values: Mapping[str, Value]) -> dict[str, str]:
    """Attributes as constants of a piece. Tables stay out: no expression could read them."""
    return {name: text for name, value in values.items() if (text := constant(value)) is not None}


def constant(value: Value) -> str | None:
    if value is None or isinstance(value, Mapping):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(text for item in value if (text := constant(item)) is not None)
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    return str(value)


def as_placed(
    definition: Definition, counter: Counter, group: Behaviour, found: Mapping[str, State], piece: Piece
) -> Definition:
    """An expanded definition as the scenario has the piece: its steps, its states, hidden or open."""
    traits, left = definition.traits, piece.steps
    if group.steps and left is not None and (count := steps_of(counter)) > 1:
        traits = tuple(stepped(item, left, count) for item in traits)
    levels = {found[id].property: found[id].level_of(piece.values) for id in group.states}
    if any(levels.values()):
        traits = tuple(_in_state(item, levels) for item in traits)
    if group.hidden and group.hides:
        traits = tuple(masked(item) for item in traits)
    if traits is definition.traits:
        return definition
    return Definition(definition.name, definition.image, definition.gpid, traits)


def with_state(definition: Definition, kind: str, state: str) -> Definition:
    """An expanded definition whose trait of a kind has another state."""
    traits = tuple(
        Trait(item.id, item.values, state) if item.id == kind else item for item in definition.traits
    )
    return Definition(definition.name, definition.image, definition.gpid, traits)


def _in_state(item: Trait, levels: Mapping[str, int]) -> Trait:
    if item.id == "PROP" and levels.get(item.field("name")):
        return Trait(item.id, item.values, str(levels[item.field("name")]))
    if item.id == "emb2" and levels.get(item.field("follow_property")):
        return Trait(item.id, item.values, str(levels[item.field("follow_property")] + 1))
    return item


def with_face(definition: Definition, level: int) -> Definition:
    """An expanded definition that shows another face."""
    if level == 1:
        return definition
    traits = tuple(_at_level(item, level) for item in definition.traits)
    return Definition(definition.name, definition.image, definition.gpid, traits)


def _at_level(item: Trait, level: int) -> Trait:
    if (item.id == "PROP" and item.field("name") == FACE) or (
        item.id == "emb2" and item.field("follow_property") == FACE
    ):
        return Trait(item.id, item.values, str(level))
    return item
