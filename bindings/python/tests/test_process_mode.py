"""tracking_mode="process": the program's share, in every figure, of a machine whose power is known."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from support import CPU_W, RAM_W, quiet, rows

from codecarbon import OfflineEmissionsTracker

BURN_S = 0.3
PROCESSORS = os.cpu_count() or 1
BURN = f"import time\nwhile time.process_time() < {BURN_S}: pass"


def own() -> OfflineEmissionsTracker:
    return quiet(tracking_mode="process", save_to_file=True)


def burn() -> None:
    """Uses a processor for as long as a child that runs BURN does."""
    end = time.process_time() + BURN_S
    while time.process_time() < end:
        pass


def burn_in_child() -> None:
    subprocess.run([sys.executable, "-c", BURN], check=True)


def joules(kwh: float) -> float:
    return kwh * 3.6e6


@pytest.mark.parametrize("work", [burn, burn_in_child], ids=["itself", "in a child that ended"])
def test_work_is_counted_and_never_more_than_the_machine(work: Callable[[], None]) -> None:
    machine, tracker = quiet(), own()
    machine.start()
    tracker.start()
    work()
    tracker.flush()
    machine.flush()
    work()
    tracker.stop()
    machine.stop()
    for row in rows():
        assert row["tracking_mode"] == "process"
        assert float(row["cpu_power"]) <= CPU_W * (1 + 1e-6)
        assert float(row["ram_power"]) <= RAM_W * (1 + 1e-6)
    data, whole = tracker.final_emissions_data, machine.final_emissions_data
    assert 0 < data.energy_consumed < whole.energy_consumed
    assert 0 < data.emissions < whole.emissions
    # However busy others are, a processor second is at least its slice of the whole machine.
    assert joules(data.cpu_energy) >= 0.9 * CPU_W * 2 * BURN_S / PROCESSORS


def test_a_pause_is_nobodys() -> None:
    tracker = own()
    tracker.start()
    burn()
    tracker.pause()
    before = tracker.final_emissions_data
    burn()
    burn_in_child()
    tracker.resume()
    tracker.stop()
    after = tracker.final_emissions_data
    assert before.cpu_energy > 0
    active = after.duration - before.duration
    assert active < BURN_S / 2
    assert 0 <= joules(after.cpu_energy - before.cpu_energy) <= CPU_W * active + 1e-6


def test_a_task_has_its_own_share() -> None:
    tracker = own()
    tracker.start()
    burn()
    tracker.start_task("work")
    burn()
    task = tracker.stop_task("work")
    tracker.stop()
    data = tracker.final_emissions_data
    assert 0 < task.cpu_energy < data.cpu_energy
    assert joules(task.cpu_energy) <= CPU_W * task.duration + 1e-6
    assert joules(task.cpu_energy) >= 0.9 * CPU_W * BURN_S / PROCESSORS
