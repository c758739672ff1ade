"""Small helpers that programs import from here."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import contextmanager
from pathlib import Path

from codecarbon.external.logger import in_one_line, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def suppress(*exceptions: type[BaseException]) -> Iterator[None]:
    """Goes on after any of these exceptions (all, if none is named), with a warning in the log.

    >>> with suppress(ZeroDivisionError):
    ...     1 / 0
    """
    expected = exceptions or (Exception,)
    try:
        yield
    except expected as error:
        say(logging.WARNING, f"{in_one_line(error)}; the program goes on")


def resolve_path(path: str | os.PathLike[str]) -> Path:
    """The absolute path, with ``~`` and links followed."""
    return Path(path).expanduser().resolve()


def backup(file_path: str | os.PathLike[str], ext: str | None = ".bak") -> None:
    """Renames a file to the first of ``<file>.bak``, ``.bak.1``, ``.bak.2`` ... that is free.

    Nothing happens when there is no such file. Raises OSError when it cannot be renamed.
    """
    path = resolve_path(file_path)
    if not path.exists():
        return
    first = f"{path}{ext or ''}"
    free, number = first, 0
    while free == os.fspath(path) or os.path.lexists(free):
        number += 1
        free = f"{first}.{number}"
    os.rename(path, free)


def count_cpus() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def count_physical_cpus() -> int:
    """Processor packages (sockets) of the machine; 1 where the system does not tell."""
    packages = set()
    for cpu in Path("/sys/devices/system/cpu").glob("cpu[0-9]*/topology/physical_package_id"):
        try:
            packages.add(cpu.read_text().strip())
        except OSError:  # went offline meanwhile
            continue
    return len(packages) or 1


def is_linux_os() -> bool:
    """Whether this is Linux."""
    return sys.platform.startswith("linux")


def is_mac_os() -> bool:
    """Whether this is macOS."""
    return sys.platform == "darwin"


def is_mac_arm(cpu_model: str) -> bool:
    """Whether a processor of this name is one of Apple's own."""
    return cpu_model.startswith("Apple")


def is_windows_os() -> bool:
    """Whether this is Windows."""
    return sys.platform.startswith("win")
