"""Keras, on JAX for the CPU, through the example's callback."""

from __future__ import annotations

import importlib
import time

import pytest

keras = importlib.import_module("keras")
import numpy as np  # noqa: E402
from keras_callback import EnergyCallback  # noqa: E402

VALIDATION_S = 0.05
EPOCHS = 2


class SlowValidation(keras.callbacks.Callback):
    def on_test_batch_end(self, batch, logs=None):
        time.sleep(VALIDATION_S)


def tiny_model():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model


def test_validation_is_not_counted(rows):
    x, y = np.zeros((16, 4)), np.zeros((16, 1))
    callback = EnergyCallback(country_iso_code="FRA", log_level="error")
    begin = time.perf_counter()
    tiny_model().fit(
        x, y, epochs=EPOCHS, verbose=0, validation_data=(x, y),
        callbacks=[callback, SlowValidation()],
    )
    elapsed = time.perf_counter() - begin
    found = rows()
    assert len(found) == 2 * EPOCHS + 1  # a pause and a flush an epoch, and the end
    assert 0 < float(found[-1]["duration"]) <= elapsed - EPOCHS * VALIDATION_S
    assert callback.tracker.final_emissions == float(found[-1]["emissions"])


def test_evaluate_alone_is_not_measured(work):
    x, y = np.zeros((16, 4)), np.zeros((16, 1))
    callback = EnergyCallback(country_iso_code="FRA", log_level="error")
    tiny_model().evaluate(x, y, verbose=0, callbacks=[callback])
    assert callback.tracker is None and not list(work.iterdir())
