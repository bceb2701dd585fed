"""The author's own parts: files, charts and components that the compiler passes on as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from compiler.model.types import Module
from compiler.vassal.elements import Element, element
from compiler.vassal.names import Names
from compiler.vassal.settings import Object, objects, setting

PICTURES = (".png", ".svg", ".jpg", ".jpeg", ".gif")
_SOUNDS = (".wav", ".au", ".aiff", ".mp3")


def own_files(module: Module) -> dict[str, Path]:
    """Entry of the archive → file in the module's folder."""
    root = Path(module.place.document.name).parent
    given = setting(module, "vassal", "files")
    named = [str(name) for name in given] if isinstance(given, list) else []
    named += [str(item["file"]) for item in _charts(module)]
    return {entry_of(name): root / name for name in named}


def entry_of(name: str) -> str:
    path = PurePosixPath(name)
    folder = {True: "images/"}.get(path.suffix.lower() in PICTURES, "")
    return f"{'sounds/' if path.suffix.lower() in _SOUNDS else folder}{path.name}"


def own_bytes(module: Module) -> dict[str, bytes]:
    return {entry: path.read_bytes() for entry, path in own_files(module).items() if path.is_file()}


def _charts(module: Module) -> list[Object]:
    return objects(setting(module, "vassal", "charts"))


def own_charts(module: Module, names: Names) -> dict[str, Element]:
    """Pictures and pages for the windows of charts, by id."""
    found: dict[str, Element] = {}
    for item in _charts(module):
        name, title = str(item["file"]), names.label("chart", str(item["id"]))
        kind = PurePosixPath(name).suffix.lower()
        file = PurePosixPath(name).name
        if kind in PICTURES:
            found[str(item["id"])] = element("w.Chart", {"chartName": title, "fileName": file})
        elif kind != ".pdf":
            found[str(item["id"])] = element("w.HtmlChart", {"chartName": title, "fileName": file})
    return found


def own_documents(module: Module, names: Names) -> Iterable[Element]:
    """PDF files for the help menu."""
    for item in _charts(module):
        name = str(item["file"])
        if PurePosixPath(name).suffix.lower() == ".pdf":
            title = names.label("chart", str(item["id"]))
            attributes = {"title": title, "pdfFile": PurePosixPath(name).name}
            yield element("m.documentation.BrowserPDFFile", attributes)


def own_components(module: Module, window: str | None) -> list[Element]:
    """Components for a window, or for the module itself."""
    given = objects(setting(module, "vassal", "components"))
    return [_component(item) for item in given if item.get("in") == window]


def _component(item: Object) -> Element:
    attributes = item.get("attributes")
    found: Mapping[str, object] = attributes if isinstance(attributes, dict) else {}
    return Element(
        str(item["element"]),
        {name: _text(value) for name, value in found.items()},
        tuple(_component(inner) for inner in objects(item.get("children"))),
        str(item.get("text", "")),
    )


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
