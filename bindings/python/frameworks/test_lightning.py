"""PyTorch Lightning through the example's callback."""

from __future__ import annotations

import importlib
import time

import pytest

torch = importlib.import_module("torch")
import torch.distributed  # noqa: E402

# Debian's torch 1.13 cannot import its sharded tensors on Python 3.11, which Lightning tries where
# torch can be distributed.
torch.distributed.is_available = lambda: False
lightning = importlib.import_module("pytorch_lightning")

from lightning_callback import EnergyCallback  # noqa: E402

VALIDATION_S = 0.02  # of each batch
EPOCHS, BATCHES = 2, 4


class Model(lightning.LightningModule):
    def __init__(self, fail=False):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
        self.fail = fail
        self.validations = 0

    def training_step(self, batch, index):
        if self.fail:
            raise RuntimeError("out of luck")
        return self.layer(batch[0]).pow(2).mean()

    def validation_step(self, batch, index):
        self.validations += 1
        time.sleep(VALIDATION_S)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.01)


def fit(model, callback):
    data = torch.utils.data.TensorDataset(torch.ones(8 * BATCHES, 4))
    loader = torch.utils.data.DataLoader(data, 8)
    trainer = lightning.Trainer(
        max_epochs=EPOCHS, accelerator="cpu", callbacks=[callback], logger=False,
        enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
    )
    begin = time.perf_counter()
    try:
        trainer.fit(model, loader, loader)
    finally:
        model.elapsed = time.perf_counter() - begin


def test_validation_is_not_counted(rows):
    model = Model()
    fit(model, EnergyCallback(country_iso_code="FRA", log_level="error"))
    found = rows()
    # The sanity check and each epoch's validation pause it, each epoch flushes, the end stops.
    assert len(found) == 1 + 2 * EPOCHS + 1
    assert model.validations > BATCHES * EPOCHS  # the sanity check too
    active = float(found[-1]["duration"])
    assert 0 < active <= model.elapsed - model.validations * VALIDATION_S
    assert len({row["run_id"] for row in found}) == 1


def test_a_failing_fit_still_writes_its_row(rows):
    callback = EnergyCallback(country_iso_code="FRA", log_level="error")
    with pytest.raises(RuntimeError, match="out of luck"):
        fit(Model(fail=True), callback)
    assert callback.tracker.final_emissions > 0
    assert float(rows()[-1]["emissions"]) == callback.tracker.final_emissions
