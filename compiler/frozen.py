"""`dataclass` for values of which a check makes thousands.

A frozen dataclass sets each field through `object.__setattr__`, which takes three times as long as setting it. So
`frozen=True` is kept by the type checker, who reads the decorator as the library's own, and at run time only makes the
value hashable.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: bool = False, eq: bool = True, slots: bool = False) -> Any:
        return dataclasses.dataclass(unsafe_hash=frozen and eq, eq=eq, slots=slots)
