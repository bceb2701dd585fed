"""Near misses: the word an author most likely meant.

In come a misspelt word and the words that would have been right; out goes the nearest of them, or None if none is near.
The answer depends on nothing but these, not even on the order of the candidates.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Set

MANY = 1_000  # above this many candidates only words one slip away are looked for, by making them up
_LOOSE = str.maketrans("", "", "_-.: ")
_LETTERS = string.ascii_letters + string.digits + "_-.:"


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate nearest to `word`: upper and lower case, spaces and `_-.:` count little, typing slips count one.

    If none is near, the one that begins with it.
    """
    pool = candidates if isinstance(candidates, Set | Mapping) else set(candidates)
    if len(pool) > MANY:
        return min((made for made in _one_slip(word) if made in pool and made != word), default=None)
    near = _fold(word)
    nearest: tuple[int, int, str] | None = None
    for candidate in pool:
        limit = _slips(max(len(near), len(_fold(candidate))))
        distance = _distance(near, _fold(candidate), limit)
        if distance <= limit and candidate != word:
            found = (distance, abs(len(candidate) - len(word)), candidate)
            nearest = found if nearest is None else min(nearest, found)
    return nearest[2] if nearest else _begun(near, pool)


def _begun(word: str, pool: Iterable[str]) -> str | None:
    """The only candidate that goes on where the word ends: a long name half remembered."""
    if len(word) < 3:
        return None
    longer = [other for other in pool if _fold(other).startswith(word) and _fold(other) != word]
    return longer[0] if len(longer) == 1 else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """The help line for a misspelt word, or None if nothing is near."""
    found = suggest(word, candidates)
    return f"did you mean '{found}'?" if found is not None else None


def _fold(word: str) -> str:
    return word.casefold().translate(_LOOSE)


def _one_slip(word: str) -> Iterator[str]:
    """Every word that is `word` after one slip of the fingers, and `word` in other capitals."""
    yield from (word.lower(), word.upper(), word.capitalize(), word.lower().replace(" ", "_"))
    for i in range(len(word) + 1):
        head, tail = word[:i], word[i:]
        yield head + tail[1:]
        yield head + tail[1:2] + tail[:1] + tail[2:]
        for letter in _LETTERS:
            yield head + letter + tail
            yield head + letter + tail[1:]


def _slips(length: int) -> int:
    """How many slips a word of this length may have and still be recognised: none in one or two letters."""
    return 0 if length <= 2 else 1 if length <= 5 else 2 if length <= 9 else 3


def _distance(a: str, b: str, limit: int) -> int:
    """Edits from a to b, two swapped neighbours counting as one; anything above `limit` is given as limit + 1."""
    if a == b:
        return 0
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        row = [i]
        for j, right in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        before, last = last, row
    return min(last[-1], limit + 1)
