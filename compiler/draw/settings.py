"""What the author says about the picture: `maps/<map>.picture.json`, and the styles.

Every property has a default, so that a map without the file is drawn too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from compiler.findings import Finding, Place, error
from compiler.model.types import Module
from compiler.schema import validate
from compiler.source.companion import read_companion
from compiler.suggest import did_you_mean

STYLES = Path(__file__).parent / "styles"

WORDS = (
    "track", "order", "phases", "capital", "design", "scale", "units", "box", "legend", "neutral", "front", "border",
    "neutral_border", "coast", "zone_border", "zone", "income", "complex", "capital_mark", "canal", "closed", "ice",
)  # fmt: skip
PLACEHOLDERS: Mapping[str, tuple[str, ...]] = {"scale": ("width", "height", "cm", "dpi")}  # by word
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}|[{}]")


@cache
def style_names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in STYLES.glob("*.json")))


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture file's value, with the place to blame."""

    value: Mapping[str, Any]
    place: Place | None
    root: Path

    def get(self, key: str, default: Any = None) -> Any:
        return self.value.get(key, default)

    def word(self, key: str, language: str) -> str:
        """Words of the picture itself (legend, titles of boxes), in a language."""
        words = self.value.get("words", {})
        return str(words.get(language, {}).get(key, next((w[key] for w in words.values() if key in w), key)))

    def filled(self, key: str, language: str, values: Mapping[str, object]) -> str:
        """The words with a value for each placeholder. What is none stays as it is written."""
        return _PLACEHOLDER.sub(lambda m: str(values.get(m[1] or "", m[0])), self.word(key, language))


def wrong_placeholders(key: str, words: str) -> list[re.Match[str]]:
    """Where these words have a placeholder that no value belongs to (group 1), or a lonely brace."""
    known = PLACEHOLDERS.get(key)
    return [m for m in _PLACEHOLDER.finditer(words) if m[1] not in known] if known else []


def root_of(module: Module) -> Path:
    """The module's folder on disk."""
    return Path(module.place.document.name).parent


def load_picture(root: Path, map_id: str) -> tuple[Picture, list[Finding]]:
    document, problems = read_companion(root, f"maps/{map_id}.picture.json")
    if document is None or not isinstance(document.value, dict):
        return Picture({}, None, root), problems
    return Picture(document.value, Place(document), root), []


def area_picture(root: Path, map_id: str) -> tuple[Picture, list[Finding]]:
    """The picture file of an area map or a display without what has not the right form, and what is wrong with it."""
    picture, findings = load_picture(root, map_id)
    if picture.place is None:
        return picture, findings
    found = validate("picture", picture.place.document)
    if not isinstance(picture.value, dict):
        return Picture({}, picture.place, root), found
    wrong = {f.place.path[0] for f in found if f.place is not None and f.place.path}
    kept = {key: value for key, value in picture.value.items() if key not in wrong}
    return Picture(kept, picture.place, root), found


def load_style(name: str, picture: Picture) -> tuple[Mapping[str, Any], list[Finding]]:
    """A style by name, with the picture file's own changes on top (`"styles": {"print": {"sea": "#…"}}`)."""
    findings = []
    if name not in style_names():
        help = did_you_mean(name, style_names())
        findings.append(error("D001", f"there is no style '{name}'", picture.place, help=help))
        name = "print"
    style = json.loads((STYLES / f"{name}.json").read_text(encoding="utf-8"))
    own = picture.get("styles", {}).get(name, {})
    return {**style, **own}, findings
