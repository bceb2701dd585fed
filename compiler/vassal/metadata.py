"""`moduledata` and `savedata`: the small XML files by which VASSAL's module manager knows an archive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

# The oldest engine that our output is made for: a higher number here would open a warning in that engine.
VASSAL_VERSION = "3.7.0"


@dataclass(frozen=True, slots=True)
class Metadata:
    """`name` is empty for a save. `saved` is in milliseconds since 1970."""

    version: str
    description: str
    saved: int
    name: str = ""
    other1: str = ""
    other2: str = ""
    vassal: str = VASSAL_VERSION

    def module_bytes(self) -> bytes:
        return _xml(self, named=True)

    def save_bytes(self) -> bytes:
        return _xml(self, named=False)


def _xml(data: Metadata, *, named: bool) -> bytes:
    from lxml import etree  # a check writes none

    root = etree.Element("data", {"version": "1"})
    _child(root, "version", data.version)
    _child(root, "extra1", data.other1)
    _child(root, "extra2", data.other2)
    _child(root, "VassalVersion", data.vassal)
    _child(root, "dateSaved", str(data.saved))
    _child(root, "description", data.description)
    if named:
        _child(root, "name", data.name)
    etree.indent(root, space="  ")
    body = etree.tostring(root, encoding="UTF-8")
    return b'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' + body + b"\n"


def _child(root: etree._Element, tag: str, text: str) -> None:
    from lxml import etree

    etree.SubElement(root, tag).text = text or None


def from_root(root: etree._Element) -> Metadata:
    """Read either file; what is missing is empty. Texts with a language attribute are translations and are passed over."""
    found: dict[str, str] = {}
    for child in root:
        if isinstance(child.tag, str) and "lang" not in child.attrib:
            found.setdefault(child.tag, (child.text or "").strip())
    saved = found.get("dateSaved", "")
    return Metadata(
        version=found.get("version", ""),
        description=found.get("description", ""),
        saved=int(saved) if saved.isascii() and saved.isdigit() else 0,
        name=found.get("name", ""),
        other1=found.get("extra1", ""),
        other2=found.get("extra2", ""),
        vassal=found.get("VassalVersion", ""),
    )
