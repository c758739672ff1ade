"""What the tests of the package share: a machine whose power is known, and a world of their own."""

from __future__ import annotations

import csv
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import codecarbon
from codecarbon.external.logger import logger

MACHINES = Path(__file__).resolve().parents[3] / "tests" / "simulated_machines"
ONE_SOCKET = MACHINES / "one-socket.json"
"""65 W in one package and 5 W of memory, for ever."""
CPU_W, RAM_W = 65.0, 5.0

QUIET: dict[str, Any] = {
    "machine": ONE_SOCKET,
    "country_iso_code": "FRA",
    "log_level": "error",
    "measure_power_secs": 15,
}


@pytest.fixture(autouse=True)
def own_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Works in an empty folder, with no options in environment or files and the logger as new."""
    for name in list(os.environ):
        if name.upper().startswith("CODECARBON_"):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(work)
    before = logger.level, list(logger.handlers)
    yield work
    logger.setLevel(before[0])
    logger.handlers[:] = before[1]
    codecarbon.external.logger.set_logger_format()


def quiet(**options: Any) -> codecarbon.OfflineEmissionsTracker:
    """A tracker of the known machine that writes nothing, unless options say so."""
    return codecarbon.OfflineEmissionsTracker(**{**QUIET, "save_to_file": False, **options})


def rows(path: str | os.PathLike[str] = "emissions.csv") -> list[dict[str, str]]:
    """The rows of a CSV; none when there is no file. Every row has a value for every column."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8-sig", newline="") as file:
        found = list(csv.DictReader(file))
    assert all(None not in row and None not in row.values() for row in found)
    return found


class Lines(logging.Handler):
    """Keeps what the logger says."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def texts(self, least: int = logging.DEBUG) -> list[str]:
        return [r.getMessage() for r in self.records if r.levelno >= least]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """What the logger said during the test."""
    handler = Lines()
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)


def run_script(
    script: str | Path, *arguments: str, env: dict[str, str] | None = None, timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """Runs Python text, or a file of it, in a process of its own, in the working directory."""
    return subprocess.run(
        [sys.executable, *([script] if isinstance(script, Path) else ["-c", script]), *arguments],
        capture_output=True,
        text=True,
        timeout=timeout,
        # Said from 3.12 on at any fork beside a second thread, also one that can be forked beside.
        env={**os.environ, "PYTHONWARNINGS": "ignore:This process", **(env or {})},
    )


SCRIPT_HEAD = f"""
import os, sys, threading, time
from codecarbon import *
QUIET = dict(machine={str(ONE_SOCKET)!r}, country_iso_code="FRA", log_level="error")
"""
