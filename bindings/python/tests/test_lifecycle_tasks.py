"""Tasks: named stretches of a run, each with figures of its own."""

from __future__ import annotations

import glob
import os
import threading
import time
from pathlib import Path

import pytest
from support import CPU_W, QUIET, SCRIPT_HEAD, Lines, quiet, rows, run_script

from codecarbon import OfflineEmissionsTracker, TaskEmissionsTracker
from codecarbon.output import BaseOutput, EmissionsData


@pytest.fixture
def tracker() -> OfflineEmissionsTracker:
    return quiet(save_to_file=True, experiment_name="exp", log_level="warning")


def task_rows(tracker: OfflineEmissionsTracker) -> list[dict[str, str]]:
    return rows(f"emissions_exp_{tracker.run_id}.csv")


def test_a_task_gives_figures_of_its_own(tracker: OfflineEmissionsTracker) -> None:
    tracker.start()
    time.sleep(0.03)
    key = tracker.start_task("load")
    time.sleep(0.03)
    data = tracker.stop_task("load")
    tracker.stop()
    assert key == "load"
    assert isinstance(data, EmissionsData)
    assert 0.03 <= data.duration < tracker.final_emissions_data.duration - 0.03
    assert data.cpu_power == pytest.approx(CPU_W, rel=0.2)
    assert data.emissions < tracker.final_emissions
    assert (data.run_id, data.experiment_id) == (tracker.run_id, tracker._experiment_id)
    assert (data.pue, data.wue) == (1.0, 0.0)
    assert tracker._tasks["load"].emissions_data == data


def test_the_file_has_all_columns_and_one_row_for_each_task(
    tracker: OfflineEmissionsTracker,
) -> None:
    from test_contract_data import TASK_COLUMNS

    tracker.start()
    for name in ("load", "train", "load"):
        tracker.start_task(name)
        tracker.stop_task(name)
    tracker.stop()
    found = task_rows(tracker)
    assert [row["task_name"] for row in found] == ["load", "train", "load#2"]
    assert list(found[0]) == TASK_COLUMNS


def test_case_8_a_name_may_come_three_times(tracker: OfflineEmissionsTracker, lines: Lines) -> None:
    tracker.start()
    keys = [tracker.start_task("epoch") for _ in range(3)]
    assert keys == ["epoch", "epoch#2", "epoch#3"]
    assert tracker._active_task == "epoch#3"
    durations = {}
    for key in ("epoch#2", "epoch", "epoch#3"):
        durations[key] = tracker.stop_task(key).duration
    assert durations["epoch"] > durations["epoch#2"]
    assert list(tracker._tasks) == keys
    assert tracker._active_task is None
    tracker.stop()
    assert lines.records == []
    assert [row["task_name"] for row in task_rows(tracker)] == ["epoch#2", "epoch", "epoch#3"]


def test_a_key_goes_before_a_name_and_of_a_name_the_youngest_is_meant(
    tracker: OfflineEmissionsTracker,
) -> None:
    for _ in range(3):
        tracker.start_task("epoch")
    open_after = []
    for _ in range(3):
        tracker.stop_task("epoch")
        open_after.append([key for key, task in tracker._tasks.items() if task.is_active])
    assert open_after == [["epoch#2", "epoch#3"], ["epoch#2"], []]


def test_no_name_is_the_youngest_of_all(tracker: OfflineEmissionsTracker) -> None:
    tracker.start_task("outer")
    made_up = tracker.start_task()
    assert made_up and made_up != tracker.start_task()
    tracker.stop_task()
    assert tracker._active_task == made_up
    tracker.stop_task()
    assert tracker._active_task == "outer"


def test_case_8_a_wrong_name_and_a_second_stop_are_a_warning(
    tracker: OfflineEmissionsTracker, lines: Lines
) -> None:
    tracker.start_task("load")
    assert tracker.stop_task("laod") is None
    data = tracker.stop_task("load")
    assert tracker.stop_task("load") is None
    assert tracker.stop_task() is None
    assert [r.levelname for r in lines.records] == ["WARNING"] * 3
    assert "laod" in lines.texts()[0]
    assert tracker._tasks["load"].emissions_data == data


def test_case_8_nested_and_overlapping_tasks_count_for_each_and_once_for_the_run(
    tracker: OfflineEmissionsTracker,
) -> None:
    tracker.start()
    tracker.start_task("outer")
    tracker.start_task("inner")
    time.sleep(0.02)
    inner = tracker.stop_task("inner")
    tracker.start_task("across")
    time.sleep(0.02)
    outer = tracker.stop_task("outer")
    time.sleep(0.02)
    across = tracker.stop_task("across")
    tracker.stop()
    total = tracker.final_emissions_data
    for data in (inner, outer, across):
        assert data.duration >= 0.02
        assert data.cpu_power == pytest.approx(CPU_W, rel=0.3)
        assert data.energy_consumed < total.energy_consumed
    assert outer.energy_consumed > inner.energy_consumed
    assert inner.energy_consumed + across.energy_consumed <= total.energy_consumed


def test_case_8_a_flush_in_a_task_takes_nothing_from_it(tracker: OfflineEmissionsTracker) -> None:
    tracker.start()
    tracker.start_task("load")
    time.sleep(0.02)
    tracker.flush()
    data = tracker.stop_task("load")
    tracker.stop()
    assert data.duration >= 0.02 and data.energy_consumed > 0
    assert len(rows()) == 2


def test_case_8_a_live_output_in_a_task_takes_nothing_from_it() -> None:
    came = threading.Event()

    class Live(BaseOutput):
        def live_out(self, total: EmissionsData, delta: EmissionsData) -> None:
            came.set()

    tracker = quiet(output_handlers=[Live()], api_call_interval=1, measure_power_secs=0.005)
    tracker.start()
    tracker.start_task("load")
    assert came.wait(20)
    data = tracker.stop_task("load")
    tracker.stop()
    assert 0 < data.energy_consumed <= tracker.final_emissions_data.energy_consumed
    assert data.cpu_power == pytest.approx(CPU_W, rel=0.5)


def test_a_stop_ends_open_tasks(tracker: OfflineEmissionsTracker) -> None:
    tracker.start()
    tracker.start_task("open")
    tracker.start_task("open")
    tracker.stop()
    assert tracker._active_task is None
    assert [t.is_active for t in tracker._tasks.values()] == [False, False]
    assert len(task_rows(tracker)) == 2


@pytest.mark.parametrize("calls", [[], ["start"], ["start", "pause"], ["start", "stop"]])
def test_tasks_work_in_every_state(tracker: OfflineEmissionsTracker, calls: list[str]) -> None:
    for call in calls:
        getattr(tracker, call)()
    before = tracker._prepare_emissions_data().duration
    tracker.start_task("load")
    time.sleep(0.01)
    assert tracker.stop_task("load").cpu_power == pytest.approx(CPU_W, rel=0.5)
    grew = tracker._prepare_emissions_data().duration > before
    assert grew == (calls in ([], ["start"]))


def test_a_program_that_measures_tasks_only_gets_its_number_and_file(
    tracker: OfflineEmissionsTracker,
) -> None:
    tracker.start_task("load")
    load = tracker.stop_task("load")
    tracker.start_task("train")
    train = tracker.stop_task("train")
    assert tracker.flush() >= load.emissions + train.emissions
    emissions = tracker.stop()
    assert emissions == tracker.final_emissions == float(rows()[-1]["emissions"])
    assert load.emissions + train.emissions <= emissions == pytest.approx(tracker._total_emissions)
    assert len(task_rows(tracker)) == 2
    assert tracker.stop() == emissions
    assert len(rows()) == 2


def test_a_with_block_is_a_task(tracker: OfflineEmissionsTracker) -> None:
    with tracker:
        with TaskEmissionsTracker("load", tracker=tracker) as task:
            assert isinstance(task, TaskEmissionsTracker)
            assert tracker._active_task == "load"
        with pytest.raises(KeyError), TaskEmissionsTracker("load", tracker):
            raise KeyError
    assert [row["task_name"] for row in task_rows(tracker)] == ["load", "load#2"]


def test_a_with_block_without_a_tracker_gets_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in QUIET.items():
        monkeypatch.setenv(f"CODECARBON_{name.upper()}", str(value))
    with TaskEmissionsTracker("load") as task:
        pass
    assert task.is_default_tracker
    assert len(rows()) == 1
    (file,) = glob.glob("emissions_base_*.csv")
    assert [row["task_name"] for row in rows(file)] == ["load"]


def test_case_12_names_may_hold_anything(tracker: OfflineEmissionsTracker) -> None:
    names = ["a,b", 'say "x"', "two\nlines", "größe ✓", "../up", " "]
    for name in names:
        tracker.start_task(name)
        tracker.stop_task(name)
    tracker.stop()
    assert [row["task_name"] for row in task_rows(tracker)] == names
    assert sorted(os.listdir()) == ["emissions.csv", f"emissions_exp_{tracker.run_id}.csv"]


def test_a_task_is_a_row_of_the_file(tracker: OfflineEmissionsTracker) -> None:
    tracker.start_task("load")
    tracker.stop_task("load")
    tracker.stop()
    (row,) = task_rows(tracker)
    out = tracker._tasks["load"].out()
    assert list(out.values) == list(row)
    assert (out.task_name, str(out.emissions)) == ("load", row["emissions"])


@pytest.mark.skipif(
    "CODECARBON_SANITIZED" in os.environ, reason="the sanitizer looks at memory through a pipe"
)
def test_without_a_free_descriptor_tasks_and_stop_raise_nothing(own_world: Path) -> None:
    done = run_script(
        SCRIPT_HEAD + """
import resource
tracker = OfflineEmissionsTracker(**QUIET)
tracker.start()
resource.setrlimit(resource.RLIMIT_NOFILE, (3, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
tracker.start_task("closed")
tracker.stop_task("closed")
tracker.start_task("open")
print(tracker.stop() is not None, tracker._start_time)
"""
    )
    assert (done.returncode, done.stdout) == (0, "True None\n")
    assert "Traceback" not in done.stderr
