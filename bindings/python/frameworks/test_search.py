"""Optuna's trials side by side, and joblib's worker processes."""

from __future__ import annotations

import csv
import importlib
from pathlib import Path

import pytest

optuna = importlib.import_module("optuna")
joblib = importlib.import_module("joblib")

TRIALS = 4


def test_each_trial_has_its_energy(work, rows):
    from optuna_joblib import search

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = search(TRIALS)
    assert all(trial.user_attrs["energy_j"] > 0 for trial in study.trials)
    (row,) = rows()
    (tasks,) = work.glob("emissions_base_*.csv")
    with open(tasks, newline="") as file:
        found = list(csv.DictReader(file))
    assert {task["task_name"] for task in found} == {f"trial {n}" for n in range(TRIALS)}
    for task in found:  # a trial is a part of the run, whatever ran beside it
        assert 0 < float(task["energy_consumed"]) <= float(row["energy_consumed"])


def measured_job(number, folder):
    from codecarbon import OfflineEmissionsTracker

    with OfflineEmissionsTracker(
        country_iso_code="FRA", project_name=f"job {number}", output_dir=folder,
        log_level="error",
    ) as tracker:
        sum(range(10_000))
    return tracker.run_id


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_workers_with_trackers_of_their_own_share_a_file(work, rows, backend):
    jobs = 12
    run_ids = joblib.Parallel(n_jobs=3, backend=backend)(
        joblib.delayed(measured_job)(number, work) for number in range(jobs)
    )
    found = rows()
    assert sorted(row["run_id"] for row in found) == sorted(run_ids)
    assert {row["project_name"] for row in found} == {f"job {number}" for number in range(jobs)}


def use_inherited(tracker):
    return tracker.stop()


def test_a_forked_worker_leaves_its_parents_tracker_alone(rows):
    import multiprocessing

    from codecarbon import OfflineEmissionsTracker

    tracker = OfflineEmissionsTracker(country_iso_code="FRA", log_level="error")
    tracker.start()
    worker = multiprocessing.get_context("fork").Process(target=use_inherited, args=(tracker,))
    worker.start()
    worker.join(20)
    assert worker.exitcode == 0
    assert not Path("emissions.csv").exists()
    assert tracker.stop() > 0
    assert len(rows()) == 1
