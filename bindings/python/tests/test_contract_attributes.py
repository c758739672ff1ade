"""Names that programs use as if they were public."""

from __future__ import annotations

import json
import time
import uuid
from pathlib import Path

import pytest
from support import CPU_W, MACHINES, RAM_W, quiet, rows

from codecarbon import OfflineEmissionsTracker
from codecarbon.core.emissions import Emissions
from codecarbon.core.units import Energy, Power


@pytest.fixture
def tracker() -> OfflineEmissionsTracker:
    return quiet(project_name="nightly")


def test_figures_can_be_prepared_at_any_time_without_a_row() -> None:
    tracker = quiet(save_to_file=True)
    assert tracker._prepare_emissions_data().duration == 0
    tracker.start()
    first = tracker._prepare_emissions_data()
    second = tracker._prepare_emissions_data()
    assert 0 <= first.duration <= second.duration
    assert first.energy_consumed <= second.energy_consumed
    assert rows() == []
    total = tracker.stop()
    assert tracker._prepare_emissions_data().emissions == total
    assert len(rows()) == 1


def test_final_figures_are_those_of_the_last_row(tracker: OfflineEmissionsTracker) -> None:
    assert tracker.final_emissions_data is None and tracker.final_emissions is None
    tracker.start()
    assert tracker.flush() == tracker.final_emissions == tracker.final_emissions_data.emissions
    assert tracker.pause() == tracker.final_emissions
    tracker.resume()
    assert tracker.stop() == tracker.final_emissions == tracker._total_emissions


def test_energies_are_quantities_and_add_up(tracker: OfflineEmissionsTracker) -> None:
    tracker.start()
    assert tracker._measure_power_and_energy() is None
    tracker.stop()
    parts = tracker._total_cpu_energy, tracker._total_gpu_energy, tracker._total_ram_energy
    assert all(isinstance(part, Energy) for part in parts)
    assert sum(parts).kWh == pytest.approx(tracker._total_energy.kWh, rel=1e-12)
    data = tracker.final_emissions_data
    assert tracker._total_energy.kWh == pytest.approx(data.energy_consumed, rel=1e-12)
    assert tracker._total_cpu_energy.kWh > 0 == tracker._total_gpu_energy.kWh
    assert tracker._total_water.litres == data.water_consumed


def test_powers_are_those_of_the_machine(tracker: OfflineEmissionsTracker) -> None:
    tracker.start()
    time.sleep(0.05)
    tracker.stop()
    assert isinstance(tracker._cpu_power, Power)
    assert tracker._cpu_power.W == pytest.approx(CPU_W, rel=0.2)
    assert tracker._ram_power.W == pytest.approx(RAM_W, rel=0.2)
    assert tracker._gpu_power.W == 0


def test_a_run_id_may_be_given_from_outside() -> None:
    tracker = quiet(save_to_file=True)
    uuid.UUID(tracker.run_id)
    mine = uuid.uuid4()
    tracker.run_id = mine
    tracker.start()
    tracker.stop()
    assert tracker.run_id == str(mine) == rows()[0]["run_id"] == tracker.final_emissions_data.run_id


def test_run_ids_differ() -> None:
    assert len({quiet().run_id for _ in range(10)}) == 10


def test_a_project_may_be_renamed_between_runs() -> None:
    tracker = quiet(project_name="first", save_to_file=True)
    assert tracker._project_name == "first"
    tracker.start()
    tracker.stop()
    tracker._project_name = "second"
    tracker.start()
    tracker.stop()
    assert tracker._project_name == "second"
    assert [row["project_name"] for row in rows()] == ["first", "second"]


def test_where_the_rows_go_is_known(own_world: Path) -> None:
    assert (quiet()._output_dir, quiet()._output_file) == (".", "emissions.csv")
    tracker = quiet(output_dir=own_world, output_file="mine.csv")
    assert Path(tracker._output_dir, tracker._output_file) == own_world / "mine.csv"


def test_start_time_and_scheduler_tell_whether_it_runs(tracker: OfflineEmissionsTracker) -> None:
    assert tracker._start_time is None
    for _ in range(2):
        tracker.start()
        assert isinstance(tracker._start_time, float)
        tracker._scheduler.stop()
        tracker._scheduler.start()
        tracker.stop()
        assert tracker._scheduler is None and tracker._start_time is None


def test_conf_describes_machine_place_and_options(tracker: OfflineEmissionsTracker) -> None:
    conf = tracker._conf
    assert conf is tracker._conf
    expected = {
        "cpu_model": "Intel(R) Xeon(R) Gold 5222 CPU @ 3.80GHz",
        "cpu_count": 8,
        "gpu_model": "",
        "gpu_count": 0,
        "ram_total_size": 64.0,
        "country_iso_code": "FRA",
        "region": None,
        "project_name": "nightly",
        "tracking_mode": "machine",
        "measure_power_secs": 15,
        "save_to_file": False,
        "save_to_logger": False,
        "pue": 1,
        "force_cpu_power": None,
    }
    assert {name: conf[name] for name in expected} == expected
    assert conf["os"].startswith("Linux")
    assert "provider" in conf
    json.dumps(conf, default=str)


def test_detected_hardware_is_that_of_the_rows(tracker: OfflineEmissionsTracker) -> None:
    assert (
        tracker.get_detected_hardware().items()
        >= {
            "cpu_model": "Intel(R) Xeon(R) Gold 5222 CPU @ 3.80GHz",
            "cpu_count": 8,
            "gpu_count": 0,
            "gpu_model": "",
            "gpu_ids": None,
            "ram_total_size": 64.0,
        }.items()
    )


def paths(tracker: OfflineEmissionsTracker) -> list[str]:
    return [f"{type(h).__module__}.{type(h).__qualname__}" for h in tracker._hardware]


def test_hardware_has_one_item_for_each_kind() -> None:
    ram, cpu, gpu = "external.ram.RAM", "external.hardware.CPU", "external.hardware.GPU"
    assert paths(quiet()) == [f"codecarbon.{ram}", f"codecarbon.{cpu}"]
    node = quiet(machine=MACHINES / "node-2s8g.json")
    assert paths(node) == [f"codecarbon.{ram}", f"codecarbon.{cpu}", f"codecarbon.{gpu}"]
    descriptions = [item.description() for item in node._hardware]
    assert "EPYC" in descriptions[1] and "8 x NVIDIA H100" in descriptions[2]


def test_hardware_of_a_tracker_shows_its_figures(tracker: OfflineEmissionsTracker) -> None:
    cpu = tracker._hardware[1]
    tracker.start()
    time.sleep(0.02)
    _, first = cpu.measure_power_and_energy(1)
    _, second = cpu.measure_power_and_energy(1)
    tracker.stop()
    power, third = cpu.measure_power_and_energy(2)
    assert first.kWh + second.kWh + third.kWh == pytest.approx(tracker._total_cpu_energy.kWh)
    assert power.kW == pytest.approx(third.kWh * 1800)
    assert cpu.total_power().W == pytest.approx(CPU_W, rel=0.3)


def test_emissions_of_a_tracker_are_at_its_intensity() -> None:
    tracker = quiet(force_carbon_intensity_g_co2e_kwh=50)
    assert isinstance(tracker._emissions, Emissions)
    assert tracker._emissions.get_private_infra_emissions(Energy(2), None) == pytest.approx(0.1)


def test_a_subclass_may_be_made() -> None:
    class Mine(OfflineEmissionsTracker):
        def __init__(self, *args: object, **kwargs: object) -> None:
            super().__init__(*args, **kwargs)
            self.stops = 0

        def stop(self) -> float | None:
            self.stops += 1
            return super().stop()

    from support import QUIET

    with Mine("mine", **{k: v for k, v in QUIET.items()}, save_to_file=False) as tracker:
        pass
    assert tracker.stops == 1
    assert tracker.final_emissions_data.project_name == "mine"


def test_a_resume_is_a_start_where_there_was_one(tracker: OfflineEmissionsTracker) -> None:
    tracker.resume()
    assert tracker._start_time is None
    tracker.start()
    tracker.stop()
    tracker.resume()
    assert tracker._start_time is not None and tracker._scheduler is not None
    tracker.stop()


def test_conf_tells_the_options_as_they_hold() -> None:
    tracker = quiet()
    assert tracker._conf["offline"] is True
    assert tracker._conf["run_id"] == tracker.run_id
