"""The few words of our own on printed pages, in the languages we know; others read English."""

from __future__ import annotations

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "sheet": "Sheet", "front": "front", "back": "back", "stickers": "Stickers", "manifest": "Counter manifest",
        "calibration": "Calibration", "counter": "Counter", "power": "Power", "id": "Id", "count": "Printed", "on": "On sheet",
        "faces": "Faces", "total": "Total", "page": "page", "pages": "pages", "plan": "How the pages join", "long": "turn over the long edge",
        "short": "turn over the short edge", "actual": "print at 100 %, without scaling",
        "measure": "Print both sides at 100 %. Each bar is 100 mm long. Held against the light, the crosses of both sides meet; "
                   "if they are apart by more than half a millimetre, move the back in the printer's settings.",
        "overlap": "Cut along the marks, lay each page over the next up to the dashed line.",
        "clockwise": "turn clockwise for each loss", "counter-clockwise": "turn counter-clockwise for each loss",
        "none": "–", "charts": "Player aid", "tracks": "Tracks", "turns": "Turns",
    },
    "fr": {
        "sheet": "Planche", "front": "recto", "back": "verso", "stickers": "Autocollants", "manifest": "Liste des pions",
        "calibration": "Calibrage", "counter": "Pion", "power": "Puissance", "id": "Id", "count": "Imprimés", "on": "Planche",
        "faces": "Faces", "total": "Total", "page": "page", "pages": "pages", "plan": "Assemblage des pages", "long": "retourner sur le grand côté",
        "short": "retourner sur le petit côté", "actual": "imprimer à 100 %, sans mise à l’échelle",
        "measure": "Imprimer les deux faces à 100 %. Chaque barre mesure 100 mm. Par transparence, les croix des deux faces se "
                   "superposent ; si l’écart dépasse un demi-millimètre, décaler le verso dans les réglages de l’imprimante.",
        "overlap": "Couper aux repères et poser chaque page sur la suivante jusqu’au trait pointillé.",
        "clockwise": "tourner dans le sens horaire à chaque perte", "counter-clockwise": "tourner dans le sens antihoraire à chaque perte",
        "none": "–", "charts": "Aide de jeu", "tracks": "Pistes", "turns": "Tours",
    },
}  # fmt: skip


def word(name: str, language: str) -> str:
    return _WORDS.get(language, _WORDS["en"])[name]
