"""Tells when the other package of this import name is installed too."""

from __future__ import annotations

import logging
import os

from codecarbon.external.logger import say


def other_distribution(folder: str) -> str | None:
    """The metadata folder of the distribution ``codecarbon`` in ``folder``, or None.

    Looks at names only: asking importlib.metadata would cost more than the whole import.
    """
    try:
        names = os.listdir(folder)
    except OSError:  # zipped, or not readable: nothing to say
        return None
    for name in names:
        if name.startswith("codecarbon-") and name.endswith((".dist-info", ".egg-info")):
            return name
    return None


def warn_of_duplicate() -> None:
    """Logs one warning, with the remedy, where two distributions own this folder."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if found := other_distribution(folder):
        say(
            logging.WARNING,
            f"{found} is installed beside codecarbon-cpp and both own the package codecarbon: run "
            "`pip uninstall codecarbon codecarbon-cpp`, then install codecarbon-cpp again",
        )
