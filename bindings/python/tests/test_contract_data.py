"""EmissionsData and TaskEmissionsData: dataclasses of plain values, in the order of the CSV."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import pickle
import time

import pytest
from support import CPU_W, RAM_W, quiet, rows

from codecarbon import OfflineEmissionsTracker, _native
from codecarbon.output import EmissionsData, TaskEmissionsData

COLUMNS = (
    "timestamp project_name run_id experiment_id duration emissions emissions_rate cpu_power "
    "gpu_power ram_power cpu_energy gpu_energy ram_energy energy_consumed water_consumed "
    "country_name country_iso_code region cloud_provider cloud_region os python_version "
    "codecarbon_version cpu_count cpu_model gpu_count gpu_model longitude latitude ram_total_size "
    "tracking_mode cpu_utilization_percent gpu_utilization_percent ram_utilization_percent "
    "ram_used_gb on_cloud pue wue"
).split()
TASK_COLUMNS = [
    "task_name",
    *(name for name in COLUMNS if name not in ("experiment_id", "pue", "wue")),
]


@pytest.fixture
def data() -> EmissionsData:
    tracker = quiet(project_name="nightly", pue=1.5, wue=1.8)
    tracker.start()
    time.sleep(0.02)  # of the machine's time, so that whole microjoules are a small part
    tracker.stop()
    found = tracker.final_emissions_data
    assert found is not None
    return found


def names(cls: type) -> list[str]:
    return [field.name for field in dataclasses.fields(cls)]


def test_the_fields_are_the_columns_in_their_order() -> None:
    assert names(EmissionsData) == COLUMNS == _native.columns()
    assert len(COLUMNS) == 38


def test_the_fields_of_a_task_are_those_of_the_per_task_file() -> None:
    assert names(TaskEmissionsData) == TASK_COLUMNS == _native.task_columns()


def test_values_are_ordered_as_the_header(data: EmissionsData) -> None:
    assert list(data.values) == COLUMNS
    assert list(data.values.values()) == [getattr(data, name) for name in COLUMNS]


def test_values_are_of_plain_python_types(data: EmissionsData) -> None:
    for name, value in data.values.items():
        assert value is None or type(value) in (str, int, float), name
    counts = {"cpu_count", "gpu_count"}
    assert {name for name, value in data.values.items() if type(value) is int} == counts
    texts = {n for n in COLUMNS if EmissionsData.__annotations__[n].startswith("str")}
    assert {name for name, value in data.values.items() if type(value) is str} <= texts


def test_what_is_not_known_is_none_or_an_empty_text(data: EmissionsData) -> None:
    assert data.longitude is data.latitude is data.region is None
    assert data.gpu_utilization_percent is None
    assert data.gpu_model == data.cloud_provider == data.cloud_region == ""
    assert (data.gpu_count, data.gpu_power, data.gpu_energy) == (0, 0.0, 0.0)


def test_what_is_known_of_the_machine_is_told(data: EmissionsData) -> None:
    import platform

    assert data.cpu_model == "Intel(R) Xeon(R) Gold 5222 CPU @ 3.80GHz"
    assert (data.cpu_count, data.ram_total_size) == (8, 64.0)
    assert data.ram_used_gb == pytest.approx(16)
    assert data.cpu_utilization_percent == pytest.approx(40)
    assert data.ram_utilization_percent == pytest.approx(25)
    assert (data.country_name, data.country_iso_code, data.on_cloud) == ("France", "FRA", "N")
    assert data.python_version == platform.python_version()
    assert (data.project_name, data.pue, data.wue) == ("nightly", 1.5, 1.8)


def test_case_30_the_figures_of_a_row_agree_with_each_other(data: EmissionsData) -> None:
    """Power and energy both with the PUE."""
    assert data.cpu_energy + data.gpu_energy + data.ram_energy == data.energy_consumed
    for part in ("cpu", "gpu", "ram"):
        power, energy = getattr(data, f"{part}_power"), getattr(data, f"{part}_energy")
        assert power * data.duration / 3.6e6 == pytest.approx(energy, rel=1e-12)
    assert data.emissions_rate * data.duration == pytest.approx(data.emissions, rel=1e-12)
    assert data.cpu_power / data.ram_power == pytest.approx(CPU_W / RAM_W, rel=0.1)
    assert data.water_consumed > 0


def test_the_row_in_the_file_says_the_same() -> None:
    tracker = quiet(save_to_file=True)
    tracker.start()
    tracker.stop()
    (row,) = rows()
    data = tracker.final_emissions_data
    assert data is not None
    for name, value in data.values.items():
        read = row[name] if not isinstance(value, (int, float)) else type(value)(row[name])
        assert read == ("" if value is None else value), name


def test_standard_tools_for_dataclasses_work(data: EmissionsData) -> None:
    assert dataclasses.is_dataclass(data)
    assert dataclasses.asdict(data) == vars(data) == dict(data.values)
    assert EmissionsData(*dataclasses.astuple(data)) == data
    assert EmissionsData(**vars(data)) == data
    assert dataclasses.replace(data, project_name="other").project_name == "other"
    assert "project_name='nightly'" in repr(data)


def test_copies_are_equal_and_apart(data: EmissionsData) -> None:
    for twin in (
        copy.copy(data),
        copy.deepcopy(data),
        *(pickle.loads(pickle.dumps(data, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)),
    ):
        assert twin == data and type(twin) is EmissionsData
        twin.duration += 1
        assert twin != data


def test_a_subclass_may_add_fields(data: EmissionsData) -> None:
    @dataclasses.dataclass
    class Mine(EmissionsData):
        loss: float = 0.0

    mine = Mine(**vars(data), loss=0.5)
    assert list(mine.values) == [*COLUMNS, "loss"]
    assert json.loads(mine.toJSON())["loss"] == 0.5


def test_json_gives_the_values_back(data: EmissionsData) -> None:
    assert json.loads(data.toJSON()) == vars(data)


def test_case_33_json_has_no_word_for_what_is_no_number(data: EmissionsData) -> None:
    data.emissions, data.cpu_power = math.nan, math.inf
    read = json.loads(data.toJSON(), parse_constant=pytest.fail)
    assert read["emissions"] is read["cpu_power"] is None


def test_a_delta_is_what_is_new(data: EmissionsData) -> None:
    later = dataclasses.replace(
        data,
        duration=data.duration + 10,
        emissions=data.emissions + 2,
        cpu_energy=data.cpu_energy + 1,
        energy_consumed=data.energy_consumed + 1,
    )
    delta = later.compute_delta_emission(data)
    assert delta.duration == pytest.approx(10)
    assert delta.emissions == pytest.approx(2)
    assert delta.emissions_rate == pytest.approx(0.2)
    assert delta.cpu_energy == pytest.approx(1)
    parts = delta.cpu_energy + delta.gpu_energy + delta.ram_energy
    assert delta.energy_consumed == parts
    assert delta.cpu_power == pytest.approx(360_000)  # 1 kWh in 10 s
    assert delta.ram_power == delta.ram_energy == 0
    assert delta.run_id == data.run_id


def test_a_delta_over_no_time_divides_by_nothing(data: EmissionsData) -> None:
    delta = data.compute_delta_emission(data)
    assert {delta.duration, delta.emissions, delta.emissions_rate, delta.cpu_power} == {0.0}


def test_the_first_delta_is_the_total(data: EmissionsData) -> None:
    delta = data.compute_delta_emission(None)
    assert delta is not data
    assert delta.energy_consumed == data.energy_consumed
    assert delta.cpu_power == pytest.approx(data.cpu_power)


def test_both_classes_measure_alike() -> None:
    from codecarbon import EmissionsTracker

    for cls in (EmissionsTracker, OfflineEmissionsTracker):
        with cls(force_cpu_power=40, save_to_file=False, log_level="critical") as tracker:
            time.sleep(0.02)
        assert tracker.final_emissions_data.cpu_power == pytest.approx(40, rel=0.2)
