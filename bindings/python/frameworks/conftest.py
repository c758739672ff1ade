"""What the tests with real frameworks share: the examples, a known machine, and no network.

The machine is simulated: 65 W of CPU and 5 W of memory, so energy must be power times active time.
"""

from __future__ import annotations

import csv
import ipaddress
import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples" / "python"
sys.path.insert(0, str(EXAMPLES))

SURROUNDINGS = {
    "CODECARBON_MACHINE": str(ROOT / "tests" / "simulated_machines" / "one-socket.json"),
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1",
    "KERAS_BACKEND": "jax",
    "JAX_PLATFORMS": "cpu",
    "DO_NOT_TRACK": "1",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "WANDB_MODE": "offline",
    "WANDB_ERROR_REPORTING": "false",
    "WANDB_SILENT": "true",
}
# Keras and JAX read theirs when they are imported.
os.environ.update(SURROUNDINGS)


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and no options but the machine."""
    for name in list(os.environ):
        if name.startswith("CODECARBON_") and name not in SURROUNDINGS:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whoever connects to anything but this machine fails the test."""
    connect = socket.socket.connect
    outside: list[object] = []

    def guarded(self: socket.socket, address: object) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            if not ipaddress.ip_address(address[0]).is_loopback:  # type: ignore[index]
                outside.append(address)
                raise OSError(f"a test may not connect to {address}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)
    yield
    assert not outside


@pytest.fixture
def rows() -> Callable[..., list[dict[str, str]]]:
    """Reads a CSV of emissions and holds every row against what the machine draws."""

    def read(path: str | os.PathLike[str] = "emissions.csv") -> list[dict[str, str]]:
        with open(path, newline="") as file:
            found = list(csv.DictReader(file))
        for row in found:
            assert None not in row and None not in row.values()
            joules = float(row["energy_consumed"]) * 3.6e6
            # A thread that loses its core between clock and counter shifts them by so much.
            assert joules == pytest.approx(70 * float(row["duration"]), rel=1e-3, abs=0.05)
        return found

    return read
