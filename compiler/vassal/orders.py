"""Commands of pieces as traits: what a group of module.json offers beyond moving, one prototype for each.

In: settings, names and places. Out: lists of traits, outermost first. Every text is that of the first language, because
saves quote it; `Speech` remembers how each is said in the build's own language, for the translation file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from compiler.model.types import Counter, Module
from compiler.vassal.encoding import encode
from compiler.vassal.keys import key_list, named, stroke
from compiler.vassal.names import SOLITAIRE, Names
from compiler.vassal.pieces import Spot
from compiler.vassal.settings import CORNERS, Behaviour, Deck, Send, State, plain, steps_of
from compiler.vassal.traits import Trait, dynamic, markers, trait

FACE = "Face"
PRINTED = "Printed"  # what the mouse-over says beside the name
STEPS = "Steps"
STEPS_TOLD = "StepsTold"  # the same as others may hear of it
KEYS = {
    "piece.remove": "ctrl+D",
    "piece.flip": "ctrl+F",
    "piece.trail": "ctrl+T",
    "piece.moved": "ctrl+M",
    "piece.rotate": "ctrl+R",
    "piece.clone": "ctrl+C",
    "piece.lose": "ctrl+L",
    "piece.gain": "ctrl+G",
    "piece.hide": "ctrl+H",
    "piece.back": "ctrl+B",
    "piece.load": "ctrl+shift+L",
    "piece.unload": "ctrl+shift+U",
    "piece.sheet": "ctrl+P",
}
BLOCK_EDGES = 4
MANY = 3  # so many commands of one sort have a menu of their own
MOVED_MARK = "moved-mark.png"
HIDDEN_MARK = "hidden-mark.png"  # on a hidden piece, for those who see what it is


@dataclass(slots=True)
class Speech:
    """Texts of pieces: said in the first language, remembered in the build's own."""

    names: Names
    said: dict[str, str] = field(default_factory=dict)

    def word(self, key: str, **parts: tuple[str, str]) -> str:
        """One of the module file's own words; `parts` are kind and id of what is named in it."""
        first = self.names.word(key, self.names.first, **self._parts(parts, self.names.first))
        own = self.names.word(key, **self._parts(parts, self.names.language))
        return self._keep(first, own)

    def _parts(self, parts: Mapping[str, tuple[str, str]], language: str) -> dict[str, str]:
        return {name: self.names.label(kind, id, language) for name, (kind, id) in parts.items()}

    def label(self, kind: str, id: str) -> str:
        return self._keep(
            self.names.label(kind, id, self.names.first), self.names.label(kind, id, self.names.language)
        )

    def marked(self, text: str) -> str:
        """A text that may be `#` and a text id."""
        if not text.startswith("#"):
            return text
        return self._keep(self.names.text(text[1:], self.names.first), self.names.text(text[1:]))

    def suffix(self, kind: str, id: str, more: str = "") -> str:
        first = self.names.label(kind, id, self.names.first)
        own = self.names.label(kind, id, self.names.language)
        return self._keep(f"+ ({first}{more})", f"+ ({own}{more})")

    def _keep(self, first: str, own: str) -> str:
        self.said[first] = own
        return first


def key_of(given: str, command: str) -> str:
    """The author's keys, or a command without any."""
    return stroke(given) if given else named(command)


def behaves(group: Behaviour, say: Speech, mark: tuple[int, int] = (0, 0)) -> Iterable[Trait]:
    """What every piece of the group can do. `mark`: the corner of the mark of having moved, from the middle."""
    key = {name: stroke(text) for name, text in KEYS.items()}
    if group.remove:
        yield trait("report", keys=key_list(key["piece.remove"]), format=say.word("piece.removed"))
    if group.turns:
        yield trait("report", keys=key_list(key["piece.rotate"]), format=say.word("piece.rotated"))
    if group.remove:
        yield trait("delete", text=say.word("piece.remove"), key=key["piece.remove"])
    if group.clone:
        yield trait("report", keys=key_list(key["piece.clone"]), format=say.word("piece.cloned"))
        yield trait("clone", text=say.word("piece.clone"), key=key["piece.clone"])
    if not group.moves or not group.stacks:
        yield trait(
            "immob",
            selection="" if group.moves else "n",
            movement="N" if group.moves else "V",
            stacking="L" if group.stacks else "R",
        )
    yield markers({"Layer": group.level})
    if group.moved and group.moves:
        yield trait(
            "markmoved",
            image=MOVED_MARK,
            x=mark[0],
            y=mark[1],
            text=say.word("piece.moved"),
            key=key["piece.moved"],
        )
    if group.trail and group.moves:
        yield trait("footprint", key=key["piece.trail"], text=say.word("piece.trail"), radius=8, width="2.0")
    if group.turns:
        yield trait(
            "rotate",
            facings=group.turns,
            clockwise_key=key["piece.rotate"],
            clockwise_text=say.word("piece.rotate"),
            name="Turned",
        )
    yield from _loads(group, say)
    yield from _sheet(group, say)
    if len(group.sends) >= MANY:
        texts = [say.label("send", id) for id in group.sends]
        yield trait("submenu", title=say.word("piece.send"), commands=(*texts, say.word("piece.back")))


def _loads(group: Behaviour, say: Speech) -> Iterable[Trait]:
    if group.carries:
        yield trait("mat", name="Carrier")
    if group.carried:
        load, unload = stroke(KEYS["piece.load"]), stroke(KEYS["piece.unload"])
        yield trait("report", keys=key_list(named("aboard")), format=say.word("piece.loaded"))
        yield trait("report", keys=key_list(named("ashore")), format=say.word("piece.unloaded"))
        aboard = '{CurrentMat != ""}'
        yield trait("macro", name="aboard", expression=aboard, watch_keys=key_list(named("tell")), action_keys=key_list(named("aboard")))  # fmt: skip
        yield trait("macro", name="load", text=say.word("piece.load"), key=load, action_keys=key_list(named("load"), named("tell")))  # fmt: skip
        yield trait("macro", name="unload", text=say.word("piece.unload"), key=unload, expression=aboard, action_keys=key_list(named("unload"), named("ashore")))  # fmt: skip
        yield trait("matPiece", find_key=named("load"), detach_key=named("unload"))


def _sheet(group: Behaviour, say: Speech) -> Iterable[Trait]:
    """A sheet of notes: a line of text for each field."""
    if group.sheet:
        definition = encode([f"0{say.marked(name)}" for name in group.sheet], "~")
        empty = encode([""] * len(group.sheet), "~")
        yield trait(
            "propertysheet",
            state=empty,
            definition=definition,
            text=say.word("piece.sheet"),
            commit=2,
            key=stroke(KEYS["piece.sheet"]),
        )


def state_traits(state: State, say: Speech, images: tuple[str, ...], reach: int) -> tuple[Trait, ...]:
    """A number from 0 up, commands that change it, and a badge that shows it. `reach`: from the middle to the badge's."""
    name = say.label("state", state.id)
    key = key_of(state.key, f"state-{plain(state.id)}")
    clear = ("", named(f"clear-{plain(state.id)}"), "P,0")
    if state.levels == 1:
        commands = [(name, key, "I,1"), clear]
    else:
        down = named(f"less-{plain(state.id)}")
        more, less = (say.word(word, name=("state", state.id)) for word in ("state.more", "state.less"))
        commands = [(more, key, "I,1"), (less, down, "I,-1"), clear]
    x, y = CORNERS[state.corner]
    many = state.levels > 1
    return (
        trait("report", keys=key_list(*(item[1] for item in commands if item[0])), format=say.word("piece.flipped")),
        dynamic(state.property, 0, 0, state.levels, commands, wrap=not many),
        trait(
            "emb2",
            images=("", *images),
            names=("", *(say.suffix("state", state.id, f" {n + 1}" if many else "") for n in range(len(images)))),
            name=plain(state.id),
            x=x * reach,
            y=y * reach,
            follow=True,
            follow_property=state.property,
            first=0,
            state="1",
        ),
    )  # fmt: skip


def printed_now() -> Trait:
    """What is printed on the face that shows."""
    return trait("calcProp", name=PRINTED, expression=f'{{GetProperty("{PRINTED}" + {FACE})}}')


def step_traits(mode: str, count: int, clockwise: bool, say: Speech) -> tuple[Trait, ...]:
    """Steps lost and won back. `turn` needs no number of its own: the way the block stands is the number."""
    lose, gain = stroke(KEYS["piece.lose"]), stroke(KEYS["piece.gain"])
    texts = say.word("piece.lose"), say.word("piece.gain")
    # Others must not read from the chat what a hidden piece is worth.
    told = (
        trait("report", keys=key_list(lose, gain), format=say.word("piece.steps")),
        trait("calcProp", name=STEPS_TOLD, expression=f'{{ObscuredToOthers == "true" ? "?" : {STEPS}}}'),
    )
    if mode == "turn":
        lost = "(Step_Facing - 1)" if clockwise else "((5 - Step_Facing) % 4)"
        turn = dict(zip(("clockwise", "counter"), ((lose, texts[0]), (gain, texts[1]))[:: 1 if clockwise else -1], strict=True))  # fmt: skip
        return (
            *told,
            trait("hideCmd", name="last step", action="Disable", expression=f"{{{STEPS} <= 1}}", keys=key_list(lose)),
            trait("hideCmd", name="full strength", action="Disable", expression=f"{{{STEPS} >= {count}}}", keys=key_list(gain)),
            trait("calcProp", name=STEPS, expression=f"{{{count} - {lost}}}"),
            trait(
                "rotate",
                facings=BLOCK_EDGES,
                clockwise_key=turn["clockwise"][0],
                clockwise_text=turn["clockwise"][1],
                counter_key=turn["counter"][0],
                counter_text=turn["counter"][1],
                name="Step",
            ),
        )  # fmt: skip
    if mode == "faces":
        commands = [(texts[0], lose, "I,1"), (texts[1], gain, "I,-1"), ("", named("front"), "P,1")]
        return (
            *told,
            trait("calcProp", name=STEPS, expression=f"{{{count + 1} - {FACE}}}"),
            printed_now(),
            dynamic(FACE, 1, 1, count, commands),
        )
    commands = [(texts[0], lose, "I,-1"), (texts[1], gain, "I,1")]
    return (
        *told,
        dynamic(STEPS, count, 1, count, commands),
        trait("label", state=f"${STEPS}$", background="255,255,255", vertical="b", vertical_just="b", horizontal="r", horizontal_just="r", name_format="$pieceName$", always=True, property="StepLabel", style=1, size=12),
    )  # fmt: skip


def stepped(item: Trait, left: int, count: int) -> Trait:
    """A trait of `step_traits` as it is when so many steps are left."""
    lost = max(0, count - left)
    if item.id == "rotate" and item.field("name") == "Step":
        clockwise = item.field("clockwise_key") == stroke(KEYS["piece.lose"])
        return Trait(item.id, item.values, str(lost if clockwise else -lost % BLOCK_EDGES))
    if item.id == "PROP" and item.field("name") == STEPS:
        return Trait(item.id, item.values, str(left))
    return item


def send_traits(
    send: Send, say: Speech, where: Callable[[str], Spot | None], power: str | None
) -> tuple[Trait, ...]:
    """The command to a space, or to the box of a later turn."""
    key, back = key_of(send.key, f"send-{plain(send.id)}"), stroke(KEYS["piece.back"])
    if send.turns is not None:
        at = tuple(turn_place(part, send.turns) for part in ("Map", "Board", "X", "Y"))
    else:
        space = send.space(power)
        found = where(space) if space else None
        if found is None:
            return ()
        at = (found.map, found.board, str(found.x), str(found.y))
    move = trait(
        "sendto",
        text=say.label("send", send.id),
        key=key,
        map=at[0],
        board=at[1],
        x=at[2],
        y=at[3],
        **({"back_text": say.word("piece.back"), "back_key": back} if send.back else {}),
    )
    report = trait("report", keys=key_list(key), format=say.word("piece.sent", name=("send", send.id)))
    if send.back:
        return report, trait("report", keys=key_list(back), format=say.word("piece.returned")), move
    return report, move


def turn_place(part: str, later: int) -> str:
    """Map, board, X or Y of the box of a later turn; where there is none, the piece stays where it is."""
    found = f'GetProperty("Turn{part}+{later} " + Round)'
    if part == "Board":
        return f"{{{found}}}"
    here = {"Map": "CurrentMap", "X": "CurrentX", "Y": "CurrentY"}[part]
    return f'{{{found} == "" ? {here} : {found}}}'


def turn_marker_trait() -> Trait:
    """The marker's own command, given by the turn tracker."""
    at = {part.lower(): turn_place(part, 0) for part in ("Map", "Board", "X", "Y")}
    return trait("sendto", key=named("toTurnBox"), **at)


def owners(module: Module, names: Names, power: str | None, whose: str) -> list[str]:
    """The seats that see a hidden piece or move an own one: of the power, or of all powers of its side; and Solitaire."""
    if power is None:
        return [SOLITAIRE]
    side = module.powers[power].side
    return names.seats(
        other.id
        for other in module.powers.values()
        if other.id == power or (whose == "side" and other.side == side)
    )


def mask(seats: list[str], image: str, say: Speech, power: str | None) -> tuple[Trait, ...]:
    """The back, the command to turn it up or down, and the report of that."""
    name = (
        say.word("piece.unknown", name=("power", power))
        if power
        else say.word("piece.unknown", name=("", "?"))
    )
    key = stroke(KEYS["piece.hide"])
    told = trait("report", keys=key_list(key), format=say.word("piece.flipped"))
    return told, trait(
        "obs",
        key=key,
        image=image,
        text=say.word("piece.hide"),
        style=f"G{HIDDEN_MARK}",
        name=name,
        access="sides:" + encode(seats, ":"),
    )  # fmt: skip


def masked(item: Trait) -> Trait:
    """The mask put on: by a side, not by a player, so that whoever takes the side sees the piece."""
    if item.id != "obs":
        return item
    owner = item.field("access").removeprefix("sides:").partition(":")[0]
    return Trait(item.id, item.values, encode((owner, ""), ";"))


def own_trait(seats: list[str]) -> Trait:
    return trait("restrict", sides=seats)


def deck_traits(deck: Deck, name: str, say: Speech) -> tuple[Trait, ...]:
    key = key_of(deck.returns, f"return-{plain(deck.id)}")
    told = trait("report", keys=key_list(key), format=say.word("deck.returned", name=("deck", deck.id)))
    return told, trait(
        "return",
        text=say.word("deck.return", name=("deck", deck.id)),
        key=key,
        deck=name,
        select=False,
        expression=name,
    )


def clockwise(module: Module, counter: Counter) -> bool:
    """Which way a block is turned when it loses a step: as its face was drawn."""
    layouts = module.raw.get("layouts")
    name = {**module.types[counter.type].raw, **counter.raw}.get("layout")
    seen: set[object] = set()
    while isinstance(layouts, dict) and isinstance(layouts.get(name), dict) and name not in seen:
        seen.add(name)
        layout = layouts[name]
        parts = [*(layout.get("parts") or ()), *(layout.get("add") or ())]
        for part in parts:
            if isinstance(part, dict) and "edges" in part:
                return part.get("turn") == "clockwise"
        name = layout.get("like")
    return False


def steps_shown(module: Module, counter: Counter, group: Behaviour) -> tuple[str, int] | None:
    """How the counter's steps show and how many they are; None where it has but one."""
    count = steps_of(counter)
    return (group.steps, count) if group.steps and count > 1 else None
