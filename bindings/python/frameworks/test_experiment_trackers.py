"""MLflow and Weights & Biases take final_emissions_data as it is; both write to local folders."""

from __future__ import annotations

import dataclasses

import pytest
from log_to_mlflow_wandb import log_to_mlflow, log_to_wandb, measured_run, metrics, parameters


def test_everything_that_is_known_is_a_metric_or_a_parameter():
    data = measured_run()
    known = {name for name, value in dataclasses.asdict(data).items() if value not in (None, "")}
    assert set(metrics(data)) | set(parameters(data)) == known


def test_mlflow(work, monkeypatch):
    import mlflow

    mlflow.set_tracking_uri(f"sqlite:///{work}/mlflow.db")
    data = measured_run()
    log_to_mlflow(data)
    logged = mlflow.last_active_run().data
    assert logged.metrics == pytest.approx(metrics(data))
    assert logged.params == parameters(data)


def test_wandb(work):
    import wandb

    data = measured_run()
    log_to_wandb(data)
    assert wandb.run is None
    assert len(list(work.glob("wandb/offline-run-*/run-*.wandb"))) == 1
