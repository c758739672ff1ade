"""A notebook: trackers live from cell to cell, also when a cell is interrupted."""

from __future__ import annotations

import importlib
import pytest

nbclient = importlib.import_module("nbclient")
nbformat = importlib.import_module("nbformat")

MAKE = """
import time
from codecarbon import OfflineEmissionsTracker
tracker = OfflineEmissionsTracker(country_iso_code="FRA", log_level="error")
"""
# Longer than the client waits before it presses "interrupt".
ENDLESS = "tracker.start()\ntime.sleep(600)"
PATIENCE_S = 1


def run_cells(*sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(
        notebook,
        kernel_name="python3",
        timeout_func=lambda cell: PATIENCE_S if "sleep(600)" in cell.source else 60,
        interrupt_on_timeout=True,
        allow_errors=True,
    ).execute()
    return cells


def shown(cell):
    return "".join(output.get("text", "") for output in cell.outputs)


def errors(cell):
    return [output.ename for output in cell.outputs if output.output_type == "error"]


def test_a_tracker_spans_cells(rows):
    cells = run_cells(MAKE, "tracker.start();", "sum(range(1000));", "print(tracker.stop() > 0)")
    assert [errors(cell) for cell in cells] == [[], [], [], []]
    assert shown(cells[-1]) == "True\n"
    assert len(rows()) == 1


def test_an_interrupted_cell_leaves_a_tracker_that_can_be_stopped(rows):
    _, interrupted, after = run_cells(MAKE, ENDLESS, "print(tracker.stop() > 0)")
    assert errors(interrupted) == ["KeyboardInterrupt"]
    assert errors(after) == [] and shown(after) == "True\n"
    (row,) = rows()
    assert float(row["duration"]) >= PATIENCE_S * 0.9


def test_a_cell_can_be_run_again(rows):
    cells = run_cells(MAKE, *["tracker.start(); time.sleep(0.01); print(tracker.stop() > 0)"] * 2)
    assert [shown(cell) for cell in cells[1:]] == ["True\n", "True\n"]
    first, second = rows()
    assert float(second["duration"]) > float(first["duration"])


def test_a_notebook_that_ends_while_measuring_still_has_its_row(rows):
    run_cells(MAKE, "tracker.start();")
    assert len(rows()) == 1
