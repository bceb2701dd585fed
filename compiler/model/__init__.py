"""The model pass: validated documents become one typed, frozen `Module`."""

from __future__ import annotations

from compiler.model.build import DECLARING, build

__all__ = ["DECLARING", "build"]
