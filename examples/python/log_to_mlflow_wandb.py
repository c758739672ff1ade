"""The figures of a run in an experiment tracker: MLflow and Weights & Biases.

  python log_to_mlflow_wandb.py mlflow|wandb|print

Both want numbers as metrics and texts as parameters; `final_emissions_data` has both.
"""

from __future__ import annotations

import dataclasses
import json
import sys

from codecarbon import OfflineEmissionsTracker
from codecarbon.output import EmissionsData


def metrics(data: EmissionsData) -> dict[str, float]:
    """The figures that are known, under the names of their columns."""
    return {name: float(value) for name, value in dataclasses.asdict(data).items()
            if isinstance(value, (int, float))}


def parameters(data: EmissionsData) -> dict[str, str]:
    """What the run was and where it ran."""
    return {name: value for name, value in dataclasses.asdict(data).items()
            if isinstance(value, str) and value}


def measured_run() -> EmissionsData:
    with OfflineEmissionsTracker(
        country_iso_code="FRA", project_name="logged", save_to_file=False, log_level="error"
    ) as tracker:
        sum(number * number for number in range(200_000))
    return tracker.final_emissions_data


def log_to_mlflow(data: EmissionsData) -> None:
    import mlflow

    with mlflow.start_run():
        mlflow.log_metrics(metrics(data))
        mlflow.log_params(parameters(data))


def log_to_wandb(data: EmissionsData) -> None:
    import wandb

    with wandb.init(project=data.project_name, config=parameters(data)) as run:
        run.log(metrics(data))


def log_to_print(data: EmissionsData) -> None:
    print(json.dumps({**metrics(data), **parameters(data)}, indent=2))


if __name__ == "__main__":
    {"mlflow": log_to_mlflow, "wandb": log_to_wandb, "print": log_to_print}[
        sys.argv[1] if len(sys.argv) > 1 else "print"
    ](measured_run())
