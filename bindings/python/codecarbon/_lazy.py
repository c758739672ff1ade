"""Modules that are there as soon as they are named, and cost nothing before."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def modules_of(package: str, *names: str) -> Callable[[str], object]:
    """A ``__getattr__`` for a package: these modules of it are imported when somebody asks."""

    def get(name: str) -> object:
        if name in names:
            from importlib import import_module

            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return get
