"""The examples in the docstrings are true, and everything public has a docstring."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from types import ModuleType

import pytest

import codecarbon

MODULES = sorted(
    {"codecarbon"}
    | {
        info.name
        for info in pkgutil.walk_packages(codecarbon.__path__, "codecarbon.")
        if not info.name.endswith(("_native", "_typing"))
    }
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_true(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def public(module: ModuleType) -> dict[str, object]:
    """Classes, functions and methods with a public name that are defined there."""
    found: dict[str, object] = {}
    for name, item in vars(module).items():
        if name.startswith("_") or getattr(item, "__module__", None) != module.__name__:
            continue
        found[name] = item
        if inspect.isclass(item):
            found.update(
                (f"{name}.{method}", member)
                for method, member in vars(item).items()
                if not method.startswith("_")
                and isinstance(member, (staticmethod, classmethod, property, type(public)))
            )
    return found


@pytest.mark.parametrize("name", MODULES)
def test_everything_public_has_a_docstring(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    bare = [what for what, item in public(module).items() if not inspect.getdoc(item)]
    assert bare == []


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    examples = sum(
        len(test.examples)
        for name in MODULES
        for test in finder.find(importlib.import_module(name))
    )
    assert examples > 40
