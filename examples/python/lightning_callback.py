"""PyTorch Lightning: energy of the training alone, one row an epoch.

  trainer = Trainer(callbacks=[EnergyCallback(country_iso_code="FRA")])

Validation, the sanity check before the first epoch included, is not counted.
"""

from __future__ import annotations

try:
    from lightning.pytorch import Callback
except ImportError:
    from pytorch_lightning import Callback

from codecarbon import OfflineEmissionsTracker


class EnergyCallback(Callback):
    """Measures `fit` in the process of rank zero. Keywords are those of the tracker."""

    def __init__(self, **options) -> None:
        self._options = options
        self.tracker: OfflineEmissionsTracker | None = None
        self._fits = False

    def on_fit_start(self, trainer, pl_module) -> None:
        if trainer.is_global_zero:
            self.tracker = OfflineEmissionsTracker(**self._options)
            self.tracker.start()
            self._fits = True

    # A validation may also come after the fit, and then it is not of the run.
    def on_validation_start(self, trainer, pl_module) -> None:
        if self._fits:
            self.tracker.pause()

    def on_validation_end(self, trainer, pl_module) -> None:
        if self._fits:
            self.tracker.resume()

    def on_train_epoch_end(self, trainer, pl_module) -> None:
        if self._fits:
            self.tracker.flush()

    def on_fit_end(self, trainer, pl_module) -> None:
        self._finish()

    def on_exception(self, trainer, pl_module, exception) -> None:
        self._finish()

    def _finish(self) -> None:
        if self._fits:
            self._fits = False
            self.tracker.stop()
