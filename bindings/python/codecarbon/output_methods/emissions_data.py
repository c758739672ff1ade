"""The figures of a run and of a task, as plain values.

Units: duration in seconds of active time, emissions in kg of CO2 equivalent, emissions_rate in
kg/s, powers in watts (mean over the active time), energies in kWh, water in litres, memory in GB,
utilization in percent. What is not known is None (a text: ``""``, except ``region``).
"""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from dataclasses import dataclass, fields, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeVar

    _Row = TypeVar("_Row")

_SUMS = (
    "duration",
    "emissions",
    "cpu_energy",
    "gpu_energy",
    "ram_energy",
    "energy_consumed",
    "water_consumed",
)
_SECONDS_PER_HOUR = 3600.0


@dataclass
class EmissionsData:
    """The totals of a run at one moment: a row of the CSV, with its columns in their order.

    >>> from codecarbon import OfflineEmissionsTracker
    >>> with OfflineEmissionsTracker(force_carbon_intensity_g_co2e_kwh=50, pue=1.5,
    ...                              country_iso_code="FRA", save_to_file=False,
    ...                              log_level="error") as tracker:
    ...     total = sum(range(1000))
    >>> data = tracker.final_emissions_data
    >>> data.country_iso_code, data.pue, round(data.emissions / data.energy_consumed, 9)
    ('FRA', 1.5, 0.05)
    """

    timestamp: str
    project_name: str
    run_id: str
    experiment_id: str
    duration: float
    emissions: float
    emissions_rate: float
    cpu_power: float
    gpu_power: float
    ram_power: float
    cpu_energy: float
    gpu_energy: float
    ram_energy: float
    energy_consumed: float
    water_consumed: float
    country_name: str
    country_iso_code: str
    region: str | None
    cloud_provider: str
    cloud_region: str
    os: str
    python_version: str
    codecarbon_version: str
    cpu_count: int | None
    cpu_model: str
    gpu_count: int | None
    gpu_model: str
    longitude: float | None
    latitude: float | None
    ram_total_size: float | None
    tracking_mode: str
    cpu_utilization_percent: float | None = None
    gpu_utilization_percent: float | None = None
    ram_utilization_percent: float | None = None
    ram_used_gb: float | None = None
    on_cloud: str = "N"
    pue: float = 1.0
    wue: float = 0.0

    @property
    def values(self) -> OrderedDict[str, Any]:
        """Column name -> value, in the order of the CSV."""
        return _values(self)

    def toJSON(self) -> str:
        """All values as one JSON object, keys sorted, four blanks deep."""
        return json.dumps(json_values(self), indent=4, sort_keys=True, default=str)

    def compute_delta_emission(self, previous: EmissionsData | None) -> EmissionsData:
        """What is new since ``previous``, the same run's figures of an earlier moment.

        Sums become differences, never negative; powers and rate are the means over the stretch in
        between, 0 where it has no length. None as ``previous`` is the start of the run. Changes
        nothing: what is new is returned.
        """
        new: dict[str, Any] = {name: getattr(self, name) for name in _SUMS}
        if previous is not None:
            new = {name: max(0.0, value - getattr(previous, name)) for name, value in new.items()}
            # Not by a difference of its own: a row's parts are its sum to the last digit.
            new["energy_consumed"] = new["cpu_energy"] + new["gpu_energy"] + new["ram_energy"]
        new.update(_means(new))
        return replace(self, **new)


def _means(sums: dict[str, float]) -> dict[str, float]:
    duration = sums["duration"]
    if duration <= 0:
        return dict.fromkeys(("emissions_rate", "cpu_power", "gpu_power", "ram_power"), 0.0)
    means = {"emissions_rate": sums["emissions"] / duration}
    for part in ("cpu", "gpu", "ram"):
        means[f"{part}_power"] = sums[f"{part}_energy"] * 1000 * _SECONDS_PER_HOUR / duration
    return means


@dataclass
class TaskEmissionsData:
    """The figures of one task: a row of the per-task file, with its columns in their order.

    ``task_name`` is the key of the task: the name, or ``name#2`` for the second of that name.
    """

    task_name: str
    timestamp: str
    project_name: str
    run_id: str
    duration: float
    emissions: float
    emissions_rate: float
    cpu_power: float
    gpu_power: float
    ram_power: float
    cpu_energy: float
    gpu_energy: float
    ram_energy: float
    energy_consumed: float
    water_consumed: float
    country_name: str
    country_iso_code: str
    region: str | None
    cloud_provider: str
    cloud_region: str
    os: str
    python_version: str
    codecarbon_version: str
    cpu_count: int | None
    cpu_model: str
    gpu_count: int | None
    gpu_model: str
    longitude: float | None
    latitude: float | None
    ram_total_size: float | None
    tracking_mode: str
    cpu_utilization_percent: float | None = None
    gpu_utilization_percent: float | None = None
    ram_utilization_percent: float | None = None
    ram_used_gb: float | None = None
    on_cloud: str = "N"

    @property
    def values(self) -> OrderedDict[str, Any]:
        """Column name -> value, in the order of the per-task file."""
        return _values(self)


def _values(row: Any) -> OrderedDict[str, Any]:
    return OrderedDict((field.name, getattr(row, field.name)) for field in fields(row))


def json_values(row: EmissionsData | TaskEmissionsData) -> dict[str, Any]:
    """The values as JSON can say them: null for what is no number (NaN, infinity)."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.values.items()
    }


def _reader(annotation: str) -> Callable[[str], Any]:
    """How the text of a column becomes a value of its type."""
    kind, _, rest = annotation.partition(" ")
    if kind == "str":
        return (lambda text: text or None) if rest else str
    number = float if kind == "float" else int
    missing = None if rest else number(0)
    return lambda text: number(text) if text else missing


def _readers(row: type) -> list[Callable[[str], Any]]:
    return [_reader(str(field.type)) for field in fields(row)]


_READ_RUN = _readers(EmissionsData)
_READ_TASK = _readers(TaskEmissionsData)


def _read(row: type[_Row], readers: list[Callable[[str], Any]], texts: Iterable[str]) -> _Row:
    return row(*(read(text) for read, text in zip(readers, texts, strict=False)))


def run_row(texts: Iterable[str]) -> EmissionsData:
    """The engine's texts of a run, in the order of the columns; what comes after them is left."""
    return _read(EmissionsData, _READ_RUN, texts)


def task_row(texts: Iterable[str]) -> TaskEmissionsData:
    """The engine's texts of a task, in the order of the columns."""
    return _read(TaskEmissionsData, _READ_TASK, texts)
