"""The examples that need no framework do what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import ONE_SOCKET, rows

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "python"
RANKS, STEPS = 8, 4


def run_example(name: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "CODECARBON_MACHINE": str(ONE_SOCKET)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def joules(row: dict[str, str]) -> float:
    return float(row["energy_consumed"]) * 3.6e6


def test_training_loop(own_world: Path) -> None:
    output = run_example("training_loop.py", "2")
    found = rows()
    assert len(found) == 2 * 2 + 1  # a pause and a flush an epoch, and the end
    (tasks,) = own_world.glob("emissions_base_*.csv")
    assert [task["task_name"] for task in rows(tasks)] == ["epoch 0", "epoch 1"]
    shown = [float(value) for value in re.findall(r": ([\d.]+) J", output)]
    assert shown == pytest.approx([joules(row) for row in (*rows(tasks), found[-1])], abs=1e-3)
    assert sum(shown[:2]) <= shown[2] + 0.002


def test_megatron_style() -> None:
    def job() -> float:
        output = run_example("megatron_style.py", "--ranks", str(RANKS), "--steps", str(STEPS))
        (total,) = re.findall(r"^node: ([\d.]+) J$", output, re.M)
        return float(total)

    first_total = job()
    firsts = [rows(f"emissions_{rank}.csv") for rank in range(RANKS)]
    assert len({ranks[0]["run_id"] for ranks in firsts}) == RANKS
    second_total = job()
    for rank, first in enumerate(firsts):
        both = rows(f"emissions_{rank}.csv")
        assert len(both) == 2 * len(first)
        assert len({row["run_id"] for row in both}) == 2
        assert len({row["experiment_id"] for row in both}) == 1
        active = [float(row["duration"]) for row in first]
        assert active == sorted(active)
    node = rows("emissions_0.csv")
    assert first_total == pytest.approx(joules(firsts[0][-1]), abs=1e-3)
    assert second_total == pytest.approx(first_total + joules(node[-1]), abs=1e-3)
