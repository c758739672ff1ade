"""A search with Optuna whose trials use worker processes of joblib.

  python optuna_joblib.py [TRIALS]

One tracker in the parent measures the machine, and so the workers as well: they need none. Each
trial is a task, with its own energy also where trials run side by side.
"""

from __future__ import annotations

import sys

import optuna
from joblib import Parallel, delayed

from codecarbon import OfflineEmissionsTracker

JOULES_PER_KWH = 3.6e6
FOLDS = 2


def fold_loss(x: float, fold: int) -> float:
    """Stands for training and scoring on one fold."""
    return (x - 2) ** 2 + fold * sum(range(100_000)) * 1e-18


def search(trials: int) -> optuna.Study:
    tracker = OfflineEmissionsTracker(
        country_iso_code="FRA", project_name="search", log_level="error"
    )

    def objective(trial: optuna.Trial) -> float:
        task = tracker.start_task(f"trial {trial.number}")
        try:
            x = trial.suggest_float("x", -10, 10)
            losses = Parallel(n_jobs=FOLDS)(delayed(fold_loss)(x, fold) for fold in range(FOLDS))
            return sum(losses) / FOLDS
        finally:
            figures = tracker.stop_task(task)
            trial.set_user_attr("energy_j", figures.energy_consumed * JOULES_PER_KWH)

    with tracker:
        study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
        study.optimize(objective, n_trials=trials, n_jobs=2)
    return study


if __name__ == "__main__":
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = search(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
    for trial in study.trials:
        print(f"trial {trial.number}: x {trial.params['x']:.3f}, {trial.user_attrs['energy_j']:.3f} J")
