"""References: `@root.attr.attr`. Nothing on the way gives nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from compiler.rules.items import Env, Item
from compiler.rules.words import owned


class Ref:
    """`value` reads it in an environment. Rules read far more than anything else: the short ways are made by hand.

    `who` is what the root is called in words: "the piece", "this space", "that power".
    """

    __slots__ = ("path", "root", "value", "who")

    def __init__(self, root: str, path: tuple[str, ...], who: str | None = None) -> None:
        self.root, self.path, self.who = root, path, who or f"the {root}"
        self.value: Callable[[Env], Any] = _reader(root, path)

    @property
    def text(self) -> str:
        return ".".join(("@" + self.root, *self.path))

    @property
    def words(self) -> str:
        return owned(self.who, self.path)


def _reader(root: str, path: tuple[str, ...]) -> Callable[[Env], Any]:
    if not path:
        return lambda env: env[root]
    if len(path) == 1:
        return _one_step(root, path[0])
    return lambda env: follow(env[root], path)


def _one_step(root: str, name: str) -> Callable[[Env], Any]:
    def value(env: Env) -> Any:
        item = env[root]
        if item is None:
            return None
        attrs = item.attrs
        return attrs[name] if name in attrs else item.world.missing(item, name)

    return value


def follow(item: Item | None, path: tuple[str, ...]) -> Any:
    """The attribute at the end of the path."""
    found: Any = item
    for name in path:
        if found is None:
            return None
        attrs = found.attrs
        found = attrs[name] if name in attrs else found.world.missing(found, name)
    return found
