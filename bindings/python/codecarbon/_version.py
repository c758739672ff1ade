"""The version of the package, which is that of its engine."""

from __future__ import annotations

from codecarbon._native import __version__ as __version__
