"""The form of a module's geo files, without drawing anything and without what draws.

In: the module. Out: what `vmodc geo` would say of the files' form before it begins. Files of hex maps have no schema.
"""

from __future__ import annotations

from pathlib import Path

from compiler.findings import Finding, Place, error
from compiler.model.types import Module
from compiler.schema import validate
from compiler.source.companion import read_companion
from compiler.suggest import did_you_mean

ENDING = ".geo.json"


def geo_findings(module: Module, root: Path) -> list[Finding]:
    """What is wrong with the geo files of area maps, each at its line."""
    out: list[Finding] = []
    for name in _names(root):
        board = module.maps.get(name.removesuffix(ENDING))
        if board is not None and board.hexes is not None:
            continue
        document, problems = read_companion(root, f"geo/{name}")
        out += problems
        if document is None or not isinstance(document.value, dict) or document.value.get("kind") == "hex":
            continue
        found = validate("geo", document)
        map_id = document.value.get("map")
        if isinstance(map_id, str) and map_id not in module.maps and not any(_is_of_map(f) for f in found):
            help = did_you_mean(map_id, module.maps)
            found.append(
                error("M018", f"this module has no map '{map_id}'", Place(document) / "map", help=help)
            )
        out += found
    return out


def _is_of_map(finding: Finding) -> bool:
    return finding.place is not None and finding.place.path == ("map",)


def _names(root: Path) -> list[str]:
    try:
        return sorted(path.name for path in (root / "geo").iterdir() if path.name.endswith(ENDING))
    except OSError:
        return []
