"""Drawn maps as views: a smaller picture inside the page, and where each space is on it."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from compiler import __version__
from compiler.report.views import Spot, View

if TYPE_CHECKING:
    from PIL import Image

    from compiler.draw import DrawnMap
    from compiler.model.types import Module

LARGEST = 2_000_000  # bytes of all pictures of a module
_SIDES = (
    6000,
    3600,
    3000,
    2400,
    1800,
    1200,
    800,
    500,
)  # pixels of the longer side, until the file is small enough
_LARGE = 12_000  # of the map itself: only then is the first worth while
_LEAST = 60_000  # of one of them
_QUALITY = 80
_FACES, _FACE = 200, 80  # at most this many counters, of this many pixels

Draw = Callable[[str], "DrawnMap"]


def boards(module: Module, draw: Draw | None = None, keep: Path | None = None) -> Iterator[View]:
    """A view of every map that somebody has drawn, the largest first. `draw` may bring maps that are drawn already.

    `keep` is a folder for the small pictures, so that the next build need not make them again.
    """
    if module.stage == "rules":
        return
    from compiler.draw import draw_map

    language = module.languages[0] if module.languages else ""
    drawn = {id: draw(id) if draw else draw_map(module, id, language) for id in module.maps}
    sizes = {id: made.width * made.height for id, made in drawn.items() if made.svg}
    for map_id, size in sorted(sizes.items(), key=lambda item: -item[1]):
        made = drawn[map_id]
        spots = {
            id: Spot(space_name(module, id), shape.anchor, shape.anchor, shape.polygons, shape.spots)
            for id, shape in made.spaces.items()
        }
        title = module.texts.get(f"map.{map_id}") if module.texts.has(f"map.{map_id}") else map_id
        most = max(_LEAST, LARGEST * size // sum(sizes.values()))
        image = _uri(_kept(keep, map_id, made, most) if keep else _picture(made, most))
        yield View(
            map_id,
            title,
            made.width,
            made.height,
            spots,
            image,
            wraps=module.maps[map_id].wraps,
            counter=made.counter,
        )


def space_name(module: Module, id: str) -> str:
    """The name an author reads, with the id where they differ in more than case."""
    text_id = f"space.{id}"
    name = module.texts.get(text_id) if module.texts.has(text_id) else id
    return name if _letters(name) == _letters(id) else f"{name} ({id})"


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _kept(folder: Path, map_id: str, made: DrawnMap, most: int) -> bytes:
    """The picture of the last build if the map is the same; else a new one, which takes its place."""
    stem = f"report-{_digest(map_id)[:8]}"
    file = folder / f"{stem}-{_digest(f'{__version__} {most} {made.svg}')[:16]}.webp"
    try:
        return file.read_bytes()
    except OSError:
        pass
    data = _picture(made, most)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"{stem}-*"):
            old.unlink()
        part = file.with_suffix(".part")
        part.write_bytes(data)
        part.replace(file)
    except OSError:
        pass  # a full disk is no reason to fail: it is made next time
    return data


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _picture(made: DrawnMap, most: int) -> bytes:
    """The largest picture that is not too many bytes."""
    from PIL import Image

    from compiler.draw import rasterise

    data = b""
    image: Image.Image | None = None
    longest = max(made.width, made.height)
    for side in _SIDES[0 if longest > _LARGE else 1 :]:
        scale = min(1.0, side / longest)
        size = max(1, round(made.width * scale)), max(1, round(made.height * scale))
        if image is None:
            image = Image.open(io.BytesIO(rasterise(made.svg, made.width, made.height, scale)))
            image = image.convert("RGB")
        else:
            image = image.resize(size, Image.Resampling.LANCZOS)
        data = _webp(image)
        if len(data) <= most:
            break
    return data


def faces(module: Module, counters: Iterable[str]) -> dict[str, str]:
    """The fronts of some counters, small, as data URIs."""
    from PIL import Image

    from compiler.draw import draw_counter, rasterise

    language = module.languages[0] if module.languages else ""
    out = {}
    for counter in sorted(set(counters))[:_FACES]:
        front = draw_counter(module, counter, language, 120)[0]
        png = rasterise(front.svg, front.width, front.height, _FACE / front.width)
        out[counter] = _uri(_webp(Image.open(io.BytesIO(png))))
    return out


def _webp(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "WEBP", quality=_QUALITY, method=4)
    return out.getvalue()


def _uri(data: bytes) -> str:
    return f"data:image/webp;base64,{base64.b64encode(data).decode('ascii')}"
