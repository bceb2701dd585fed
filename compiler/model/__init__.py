"""The model pass: validated documents become one typed, frozen `Module`."""

from __future__ import annotations

from compiler.model.build import build

__all__ = ["build"]
