"""Counters as VASSAL pieces: behaviour in prototypes, a counter's own traits reduced to pictures and constants.

In: the module's counters and types, and `"pieces"` of module.json, which says how groups of pieces behave. Out: the
prototypes (name → traits, outermost first) and one definition for each counter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from compiler.model.types import Counter, Module, Value
from compiler.vassal.drawings import FacePicture
from compiler.vassal.keys import key_list, stroke
from compiler.vassal.names import Names
from compiler.vassal.pieces import Definition
from compiler.vassal.traits import Trait, dynamic, markers, trait

FACE = "Face"
KEYS = {
    "piece.remove": "ctrl+D",
    "piece.flip": "ctrl+F",
    "piece.trail": "ctrl+T",
    "piece.moved": "ctrl+M",
    "piece.rotate": "ctrl+R",
}
_LAYERS = ("under", "unit", "over")


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a group of pieces offers to its player. What the game does not allow is switched off in module.json."""

    id: str
    trail: bool = True
    moved: bool = True
    moves: bool = True
    stacks: bool = True
    remove: bool = True
    turns: int = 0
    layer: str = "unit"
    select: Mapping[str, object] = field(default_factory=dict)


def behaviours(module: Module) -> tuple[Behaviour, ...]:
    """The groups of module.json in their order, then the ordinary behaviour."""
    settings = module.raw.get("pieces")
    given = settings.get("groups") if isinstance(settings, dict) else None
    found = [
        _behaviour(n, item)
        for n, item in enumerate(given if isinstance(given, list) else [])
        if isinstance(item, dict)
    ]
    return (*found, Behaviour("unit"))


def _behaviour(n: int, item: Mapping[str, object]) -> Behaviour:
    flags = {key: bool(item[key]) for key in ("trail", "moved", "moves", "stacks", "remove") if key in item}
    select = item.get("select")
    layer = item.get("layer")
    turns = item.get("turns")
    return Behaviour(
        str(item.get("id", f"group-{n + 1}")),
        **flags,
        turns=turns if isinstance(turns, int) else 0,
        layer=layer if layer in _LAYERS else "unit",
        select=select if isinstance(select, dict) else {},
    )


def behaviour_of(counter: Counter, known: tuple[Behaviour, ...]) -> Behaviour:
    """The first group whose conditions the counter meets: a value, or one of several; `type` and `power` count as well."""
    have: dict[str, Value] = {
        **counter.values,
        "type": counter.type,
        "power": counter.power,
        "counter": counter.id,
    }
    return next(
        group for group in known if all(_meets(have.get(key), want) for key, want in group.select.items())
    )


def _meets(have: Value, want: object) -> bool:
    if isinstance(want, list):
        return any(_meets(have, item) for item in want)
    return have == want or (isinstance(have, tuple) and want in have)


class Counters:
    """The pieces of one module: prototypes and definitions, the same in every language."""

    def __init__(
        self,
        module: Module,
        names: Names,
        gpids: Mapping[str, str],
        faces: Mapping[str, tuple[FacePicture, ...]],
        images: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._module, self._names, self._gpids, self._faces, self._images = (
            module,
            names,
            gpids,
            faces,
            images,
        )
        self._groups = behaviours(module)
        self.prototypes = dict(self._prototypes())
        self.definitions = {id: self._definition(counter) for id, counter in module.counters.items()}

    def behaviour(self, counter_id: str) -> Behaviour:
        return behaviour_of(self._module.counters[counter_id], self._groups)

    def _definition(self, counter: Counter) -> Definition:
        used = [f"behaviour {self.behaviour(counter.id).id}", f"type {counter.type}"]
        if counter.power:
            used.append(f"power {counter.power}")
        images = self._images[counter.id]
        traits = [trait("prototype", name=name) for name in used]
        traits.append(markers({"Counter": counter.id}))
        if len(images) > 1:
            traits.insert(0, trait("prototype", name=f"faces {len(images)}"))
            traits.append(self._layer(counter, images))
        image = images[0] if len(images) == 1 else ""
        return Definition(self._names.piece(counter.id), image, self._gpids[counter.id], tuple(traits))

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
        known = [item.name for item in self._faces[counter_id]]
        return known.index(face) + 1 if face in known else 1

    def _prototypes(self) -> Iterable[tuple[str, tuple[Trait, ...]]]:
        used = dict.fromkeys(
            behaviour_of(counter, self._groups).id for counter in self._module.counters.values()
        )
        for group in self._groups:
            if group.id in used:
                yield f"behaviour {group.id}", tuple(self._behaves(group))
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

    def _behaves(self, group: Behaviour) -> Iterable[Trait]:
        word = self._names.first_word
        key = {name: stroke(text) for name, text in KEYS.items()}
        if group.remove:
            yield trait("report", keys=key_list(key["piece.remove"]), format=word("piece.removed"))
        if group.turns:
            yield trait("report", keys=key_list(key["piece.rotate"]), format=word("piece.rotated"))
        if group.remove:
            yield trait("delete", text=word("piece.remove"), key=key["piece.remove"])
        if not group.moves or not group.stacks:
            yield trait(
                "immob",
                selection="" if group.moves else "n",
                movement="N" if group.moves else "V",
                stacking="L" if group.stacks else "R",
            )
        yield markers({"Layer": group.layer})
        if group.moved and group.moves:
            yield trait(
                "markmoved", image="/images/moved.gif", text=word("piece.moved"), key=key["piece.moved"]
            )
        if group.trail and group.moves:
            yield trait("footprint", key=key["piece.trail"], text=word("piece.trail"), radius=8, width="2.0")
        if group.turns:
            yield trait(
                "rotate",
                facings=group.turns,
                clockwise_key=key["piece.rotate"],
                clockwise_text=word("piece.rotate"),
                name="Turned",
            )

    def _flips(self, count: int) -> tuple[Trait, ...]:
        word = self._names.first_word
        key = stroke(KEYS["piece.flip"])
        return (
            trait("report", keys=key_list(key), format=word("piece.flipped")),
            dynamic(FACE, 1, 1, count, [(word("piece.flip"), key, "I,1")], wrap=True),
        )


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
