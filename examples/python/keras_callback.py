"""Keras: energy of the training alone, one row an epoch.

  model.fit(x, y, validation_data=..., callbacks=[EnergyCallback(country_iso_code="FRA")])

Validation is not counted.
"""

from __future__ import annotations

import keras

from codecarbon import OfflineEmissionsTracker


class EnergyCallback(keras.callbacks.Callback):
    """Measures `fit`; `evaluate` and `predict` alone are not measured. Keywords are those of the
    tracker. A `fit` that is interrupted leaves the tracker running; call `tracker.stop()`."""

    def __init__(self, **options) -> None:
        super().__init__()
        self._options = options
        self._training = False
        self.tracker: OfflineEmissionsTracker | None = None

    def on_train_begin(self, logs=None) -> None:
        self._training = True
        self.tracker = OfflineEmissionsTracker(**self._options)
        self.tracker.start()

    def on_test_begin(self, logs=None) -> None:
        if self._training:
            self.tracker.pause()

    def on_test_end(self, logs=None) -> None:
        if self._training:
            self.tracker.resume()

    def on_epoch_end(self, epoch, logs=None) -> None:
        self.tracker.flush()

    def on_train_end(self, logs=None) -> None:
        self._training = False
        self.tracker.stop()
