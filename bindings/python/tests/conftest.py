"""Fixtures of all tests: each works in a world of its own."""

from __future__ import annotations

from support import lines, own_world

__all__ = ["lines", "own_world"]
