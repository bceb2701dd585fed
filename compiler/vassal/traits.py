"""The traits of a piece, as data: their fields in the format's order, with the value VASSAL has for each.

`trait("delete", text="Delete", key=stroke("ctrl+D"))` makes one; a misspelt field raises. `read` understands any trait
string, known or not, and `Trait.type` gives back exactly what was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from compiler.frozen import dataclass
from compiler.vassal.encoding import decode, encode

_TARGET = "COUNTER|false|MAP|||||0|0||false|||EQUALS||"


@dataclass(frozen=True, slots=True)
class TraitKind:
    """One kind of trait. `comma` traits (markers) have a plain comma list after their id instead of fields."""

    id: str
    title: str
    fields: Mapping[str, str]  # name → value when nothing else is said, in the order of the string
    places: Mapping[str, int]  # name → its place in that order
    state: str = ""
    comma: bool = False


@dataclass(frozen=True, slots=True)
class Trait:
    """One trait of one piece: its kind's id, its fields as plain strings, and its state."""

    id: str
    values: tuple[str, ...]
    state: str = ""

    @property
    def type(self) -> str:
        if self.id in BARE:
            return self.id
        return f"{self.id};" + encode(self.values, "," if self.id == "mark" else ";")

    def field(self, name: str) -> str:
        """A field by its name; empty when an older string left it out."""
        position = KINDS[self.id].places[name]
        return self.values[position] if position < len(self.values) else ""


BARE = frozenset({"stack"})


def _kind(id: str, title: str, fields: str, state: str = "", *, comma: bool = False) -> TraitKind:
    pairs = (item.partition("=") for item in fields.split())
    given = {name: value.replace("␣", " ") for name, _, value in pairs}
    return TraitKind(id, title, given, {name: n for n, name in enumerate(given)}, state, comma)


_ALL = (
    _kind("piece", "Basic Piece", "clone delete image name", "null;0;0;;0"),
    _kind(
        "emb2",
        "Layer",
        "activate_text activate_mask=128 activate_letters increase_text increase_mask=128 increase_letters decrease_text"
        " decrease_mask=128 decrease_letters reset_text reset_key reset_level=1 under_selected=false x=0 y=0 images names"
        " loop=true name random_key random_text follow=false follow_property first=1 version=1 always=true activate_key"
        " increase_key decrease_key description scale=1.0 show_property show_value=true",
        "1",
    ),
    _kind("hide", "Invisible", "key text colour access=player: transparency=0.3 description quiet=false", "null"),
    _kind(
        "obs",
        "Mask",
        "key image text=Mask style=I name=? access=player: peek_text description auto_peek=true deal_key deal_expression",
        "null;",
    ),
    _kind(
        "label",
        "Text Label",
        "key text size=10 background colour=0,0,0 vertical=t y=0 horizontal=c x=0 vertical_just=b horizontal_just=c"
        " name_format=$pieceName$␣($label$) font=Dialog style=0 rotation=0 property=TextLabel description always=false",
    ),
    _kind("table", "Spreadsheet", "rows=2 columns=2 text key description"),
    _kind("propertysheet", "Property Sheet", "definition text legacy commit=0 red green blue key description"),
    _kind(
        "rotate",
        "Can Rotate",
        "facings=6 clockwise_key counter_key clockwise_text counter_text random_key random_text name description"
        " direct_key direct_text direct_expression direct_by_facing=true",
        "0",
    ),
    _kind("pivot", "Can Pivot", "text key x=0 y=0 fixed=true angle=90.0 description text2 key2 angle2=270.0"),
    _kind("nonRect2", "Non-Rectangular", "scale=1.0 shape"),
    _kind("mark", "Marker", "", comma=True),
    _kind("locmsg", "Translatable Message", "name description text"),
    _kind("restrict", "Restricted Access", "sides by_player=false movement=true description"),
    _kind("placemark", "Place Marker", _PLACE := (
        "text key spec=null reference=null x=0 y=0 rotation=false after_key description gpid placement=0 above=false"
        " copy=false parameters version=1"
    )),
    _kind("replace", "Replace With Other", _PLACE),
    _kind("report", "Report Action", "keys format cycle_key cycle_formats description no_suppress=false", "-1"),
    _kind(
        "markmoved",
        "Mark When Moved",
        "image=moved.gif x=0 y=0 text key description ignore_same=false mark_text mark_key unmark_text unmark_key",
        "false",
    ),
    _kind(
        "footprint",
        "Movement Trail",
        "key text visible=false visible_to_all=false radius=10 fill=255,255,255 line=0,0,0 selected=100 unselected=50"
        " edge=20 display=30 width=1.0 on_key off_key clear_key description",
        "false;;0;false",
    ),
    _kind("return", "Return To Deck", "text key deck prompt description version=2 select=true expression"),
    _kind(
        "sendto",
        "Send To Location",
        "text key map board x=0 y=0 back_text back_key x_index=0 y_index=0 x_step=1 y_step=1 description destination=L"
        " zone region property grid_location",
        ";;",
    ),
    _kind("prototype", "Prototype", "name parameters"),
    _kind("clone", "Clone", "text=Clone key description"),
    _kind("delete", "Delete", "text=Delete key description"),
    _kind("submenu", "Sub-Menu", "title commands description"),
    _kind("menuSeparator", "Menu Separator", "name key"),
    _kind("translate", "Move Fixed Distance", "text key x=0 y=60 stack=false x_index=0 y_index=0 x_offset=0 y_offset=0 description"),
    _kind(
        "AreaOfEffect",
        "Area Of Effect",
        "colour=128,128,128 opacity=30 radius=1 always=true text key shader fixed=true property description name on_text"
        " on_key off_text off_key visible_to_all=true",
        "false",
    ),
    _kind(
        "globalkey",
        "Global Key Command",
        "text key sent_key expression restrict=false range=1 quiet=true fixed=true range_property description decks=-1"
        f" target={_TARGET} no_sounds=false parameters",
    ),
    _kind(
        "macro",
        "Trigger Action",
        "name text key expression watch_keys action_keys loop=false pre_key post_key loop_type=counted while until count"
        " index=false index_property index_start=1 index_step=1",
    ),
    _kind("PROP", "Dynamic Property", "name constraints=false,0,100,false commands description"),
    _kind("calcProp", "Calculated Property", "name expression description"),
    _kind(
        "setprop",
        "Set Global Property",
        "name constraints=false,0,100,false commands description level=Current␣Zone/Current␣Map/Module search",
    ),
    _kind(
        "setpieceprop",
        "Set Piece Property",
        f"name constraints=false,0,100,false commands description target={_TARGET} expression restrict=false range=1"
        " fixed=true range_property decks=-1 override=false",
    ),
    _kind("hideCmd", "Restrict Commands", "name action=Hide expression keys"),
    _kind("playSound", "Play Sound", "clip text key to_others=false description no_suppress=false"),
    _kind("button", "Action Button", "key x=0 y=0 width=0 height=0 description menu=false whole=true version=1 points=0"),
    _kind("globalhotkey", "Global Hotkey", "text key hotkey description"),
    _kind("deselect", "Deselect", "text=Deselect key description unstack=false which=D"),
    _kind("mat", "Mat", "name=Mat description", "0"),
    _kind("matPiece", "Mat Cargo", "description keep_facing=true x=0 y=0 find_key detach_key", "noMat"),
    _kind("basicName", "Basic Name", "expression"),
    _kind("border", "Border Outline", "property description thickness=2 colour=255,0,0 property2 joined=AND"),
    _kind(
        "attach",
        "Attachment",
        "name description attach_text attach_key clear_text clear_key expression restrict=false range=1 fixed=true"
        f" range_property decks=-1 target={_TARGET} clear_matching_text clear_matching_key clear_expression"
        " on_attach=nothing on_detach=nothing before=clear allow_self=false automatic=true",
        "0",
    ),
    _kind("locCommand", "Multi-Location Command", "description kind expression menu key current_map=true"),
    _kind("immob", "Does Not Stack", "selection movement=N stacking=R description"),
    _kind("cmt", "Comment", "text"),
    _kind("stack", "Stack", "", "null;0;0;@@-1"),
    _kind("deck", "Deck", "", "null;0;0;false"),
)  # fmt: skip
KINDS: Mapping[str, TraitKind] = {kind.id: kind for kind in _ALL}


def trait(id: str, *, state: str | None = None, **fields: str | int | bool | Iterable[str]) -> Trait:
    """A trait with the fields that differ from the ordinary. Lists are given as tuples. A misspelt field raises."""
    kind = KINDS[id]
    values = {**kind.fields, **{name: _text(value) for name, value in fields.items()}}
    if len(values) > len(kind.fields):
        unknown = sorted(fields.keys() - kind.fields.keys())
        raise TypeError(f"the trait {kind.title} has no field {', '.join(unknown)}")
    return Trait(id, tuple(values.values()), kind.state if state is None else state)


def markers(values: Mapping[str, str]) -> Trait:
    """Constants of a piece, readable as properties by every expression and report."""
    for name in values:
        if not name or "," in name:
            raise ValueError(f"not a marker's name: {name!r}")
    return Trait("mark", tuple(values), encode(values.values(), ","))


def dynamic(
    name: str,
    value: int,
    low: int,
    high: int,
    commands: Iterable[tuple[str, str, str]],
    *,
    wrap: bool = False,
) -> Trait:
    """A number that players change: `commands` are menu text, key and changer (`"I,1"` adds one, `"P,5"` sets five)."""
    entries = (encode(command, ":") for command in commands)
    limits = encode(("true", str(low), str(high), "true" if wrap else "false"), ",")
    return trait("PROP", state=str(value), name=name, constraints=limits, commands=encode(entries, ","))


def _text(value: str | int | bool | Iterable[str]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int):
        return str(value)
    return encode(value, ",")


def read(type: str, state: str = "") -> Trait:
    """Any trait string. Unknown ids are kept as they are; nothing is lost."""
    if type in BARE:
        return Trait(type, (), state)
    id, separator, rest = type.partition(";")
    if not separator:
        return Trait(id, (), state)
    return Trait(id, tuple(decode(rest, "," if id == "mark" else ";")), state)
