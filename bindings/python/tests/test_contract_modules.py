"""The smaller modules that programs import from."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from support import Lines, run_script

from codecarbon import _native
from codecarbon.core import config, units, util
from codecarbon.core.cpu import TDP
from codecarbon.core.emissions import Emissions
from codecarbon.core.units import EmissionsPerKWh, Energy, Power, Time, Water
from codecarbon.external.geography import CloudMetadata, GeoMetadata
from codecarbon.external.hardware import CPU, GPU
from codecarbon.external.ram import RAM
from codecarbon.external.scheduler import PeriodicScheduler
from codecarbon.external.task import Task
from codecarbon.input import DataSource, DataSourceException
from codecarbon.lock import Lock

# Units --------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [Energy, Power, Time, EmissionsPerKWh, Water])
def test_quantities_calculate_and_compare(cls: Any) -> None:
    one, two = cls(1.0), cls(2.0)
    assert one + one == two == 2 * one == one * 2
    assert two - one == one == two / 2
    assert two / one == 2.0
    assert one < two <= two and two > one >= one and one != two
    assert sum([one, two]) == cls(3.0)
    assert float(two) == 2.0


@pytest.mark.parametrize("other", [Power(1), 1.0, "1"])
def test_unlike_quantities_do_not_add(other: object) -> None:
    with pytest.raises(TypeError):
        Energy(1) + other
    with pytest.raises(TypeError):
        Energy(1) < other
    assert Energy(1) != other


def test_conversions_of_units() -> None:
    assert Energy.from_ujoules(3.6e12).kWh == pytest.approx(1)
    assert Energy.from_millijoules(3.6e9).kWh == pytest.approx(1)
    assert Energy.from_energy(2).kWh == Energy(kWh=2).kWh == 2
    assert Energy.from_power_and_time(power=Power(2), time=Time.from_seconds(1800)).kWh == 1
    assert Power.from_watts(250).W == 250 and Power.from_watts(250).kW == 0.25
    assert Power.from_milli_watts(1500).W == pytest.approx(1.5)
    assert Time(7200).hours == 2
    assert EmissionsPerKWh.from_g_per_kWh(56).kgs_per_kWh == 0.056
    assert EmissionsPerKWh.from_kgs_per_kWh(1).kgs_per_kWh == 1
    assert EmissionsPerKWh.from_lbs_per_mWh(1000).kgs_per_kWh == pytest.approx(0.45359237)
    assert Water.from_litres(2).litres == 2


def test_a_power_is_an_energy_over_a_time() -> None:
    hour = Time(3600)
    for e1, e2 in ((1, 3), (3, 1)):
        assert Power.from_energies_and_delay(Energy(e1), Energy(e2), hour).kW == 2
    assert Power.from_energy_delta_and_delay(Energy(2), hour).kW == 2
    assert Power.from_energy_delta_and_delay(Energy(2), Time(0)).kW == 0


# Configuration ------------------------------------------------------------------------------


def test_options_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODECARBON_PUE", "2")
    monkeypatch.setenv("CODECARBON_gpu_ids", "0, 1")
    monkeypatch.setenv("OTHER_PUE", "3")
    assert config.parse_env_config() == {"codecarbon": {"pue": "2", "gpu_ids": "0, 1"}}
    assert config.clean_env_key("CODECARBON_API_KEY") == "api_key"


def test_layers_of_configuration(own_world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (own_world.parent / "home" / ".codecarbon.config").write_text(
        "[codecarbon]\na = home\nb = home\nc = home\n"
    )
    (own_world / ".codecarbon.config").write_text("[codecarbon]\nb = here\nc = 100%\n[x]\na = x\n")
    monkeypatch.setenv("CODECARBON_B", "environment")
    assert config.get_hierarchical_config() == {"a": "home", "b": "environment", "c": "100%"}


@pytest.mark.parametrize(
    "given, parsed",
    [("0, 1", ["0", "1"]), ("[0, 1]", ["0", "1"]), ([0, 1], ["0", "1"]), ("", []), ([], [])],
)
def test_gpu_ids(given: Any, parsed: list[str]) -> None:
    assert config.parse_gpu_ids(given) == parsed
    assert list(map(str, config.normalize_gpu_ids(given) or [])) == parsed


# Carbon -------------------------------------------------------------------------------------


def test_a_country_has_its_intensity() -> None:
    table = DataSource().get_global_energy_mix_data()
    assert table["FRA"]["country_name"] == "France"
    assert len(table) > 190 and all(len(iso3) == 3 for iso3 in table)
    kg = Emissions(DataSource()).get_private_infra_emissions(Energy(10), GeoMetadata("FRA"))
    assert kg == pytest.approx(table["FRA"]["carbon_intensity"] / 100)
    assert type(kg) is float


def test_a_region_goes_before_its_country() -> None:
    emissions, place = Emissions(DataSource()), GeoMetadata("USA", "United States", "california")
    region = emissions.get_region_emissions(Energy(1), place)
    country = emissions.get_country_emissions(Energy(1), place)
    assert region == emissions.get_private_infra_emissions(Energy(1), place) != country


def test_a_cloud_region_has_its_own_figure_and_country() -> None:
    emissions, cloud = Emissions(DataSource()), CloudMetadata("gcp", "europe-west9")
    rows = list(as_dicts(DataSource().get_cloud_emissions_data()))
    (row,) = (r for r in rows if (r["provider"], r["region"]) == ("gcp", "europe-west9"))
    assert list(row) == [
        "provider", "providerName", "offsetRatio", "region", "regionName", "country_name",
        "countryIsoCode", "state", "city", "impact", "source", "comment",
    ]  # fmt: skip
    assert row["providerName"] == "Google Cloud Platform"
    assert emissions.get_cloud_emissions(Energy(1), cloud) == pytest.approx(row["impact"] / 1000)
    assert emissions.get_cloud_country_iso_code(cloud) == row["countryIsoCode"] == "FRA"
    assert emissions.get_cloud_country_name(cloud) == row["country_name"] == "France"
    assert emissions.get_cloud_geo_region(cloud) in (row["state"], row["city"])


def as_dicts(table: Any) -> Any:
    return table.to_dict("records") if hasattr(table, "to_dict") else table


def test_a_forced_intensity_goes_before_every_place() -> None:
    emissions = Emissions(DataSource(), force_carbon_intensity_g_co2e_kwh=50)
    assert emissions.get_country_emissions(Energy(2), GeoMetadata("FRA")) == pytest.approx(0.1)
    assert emissions.get_cloud_emissions(
        Energy(2), CloudMetadata("gcp", "europe-west9")
    ) == pytest.approx(0.1)


def test_of_a_place_that_is_not_there_the_next_larger_one_is_taken_and_said(lines: Lines) -> None:
    emissions = Emissions(DataSource())
    world = DataSource().get_carbon_intensity_per_source_data()["world_average"] / 1000
    for unknown in (None, "XXX"):
        lines.records.clear()
        place = GeoMetadata(unknown)
        assert emissions.get_private_infra_emissions(Energy(1), place) == pytest.approx(world)
        assert emissions.get_country_emissions(Energy(1), place) == pytest.approx(world)
        assert "world" in lines.texts()[0]
    lines.records.clear()
    cloud, france = CloudMetadata("gcp", "nowhere"), GeoMetadata("FRA")
    in_france = emissions.get_country_emissions(Energy(1), france)
    assert emissions.get_cloud_emissions(Energy(1), cloud, france) == in_france
    assert "nowhere" in lines.texts()[0]
    assert emissions.get_cloud_emissions(Energy(1), cloud) == pytest.approx(world)


def test_what_may_be_given_by_position_or_name() -> None:
    place = GeoMetadata("FRA", "France", "brittany", 48.1, -1.7, "FR")
    assert (place.latitude, place.longitude, place.country_2letter_iso_code) == (48.1, -1.7, "FR")
    tokens = {"electricitymaps_api_token": "a", "co2_signal_api_token": "b"}
    Emissions(DataSource(), force_carbon_intensity_g_co2e_kwh=50, **tokens)
    Emissions(DataSource(), "a", "b", 50)
    assert Power.from_energy_delta_and_delay(e=Energy(2), delay=Time(3600)).kW == 2
    constant = CPU.from_utils(".", "constant", "a model", 40)
    assert "forced" in constant.description()


def test_suppress_without_a_word_takes_any_exception(lines: Lines) -> None:
    with util.suppress():
        raise RuntimeError("mine")
    assert "mine" in lines.texts()[0]


def test_modules_are_there_without_being_imported() -> None:
    done = run_script(
        "import codecarbon\n"
        "codecarbon.core.units, codecarbon.core.util, codecarbon.core.cpu, codecarbon.input\n"
        "codecarbon.lock, codecarbon.external.ram, codecarbon.external.hardware\n"
        "codecarbon.external.scheduler, codecarbon.external.task, codecarbon.output\n"
        "codecarbon.output_methods.base_output, codecarbon.output_methods.emissions_data\n"
        "print(hasattr(codecarbon.core, 'nothing'))\n"
    )
    assert done.stdout == "False\n", done.stderr


def test_calls_of_a_scheduler_that_restarts_itself_never_overlap() -> None:
    inside, most, calls = [0], [0], [0]
    enough = threading.Event()

    def restart() -> None:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        calls[0] += 1
        if calls[0] < 10:
            scheduler.stop()
            scheduler.start()
            threading.Event().wait(0.003)  # the next call would come now
        else:
            enough.set()
        inside[0] -= 1

    scheduler = PeriodicScheduler(0.001, restart)
    scheduler.start()
    assert enough.wait(20)
    scheduler.stop()
    assert most == [1]


@pytest.mark.parametrize(("iso", "least"), [("usa", 50), ("can", 13), ("CHN", 30), ("se", 4)])
def test_the_parts_of_a_country_are_those_that_trackers_use(iso: str, least: int) -> None:
    emissions = Emissions(DataSource())
    mix = DataSource().get_country_energy_mix_data(iso)
    lbs = DataSource().get_country_emissions_data(iso)
    assert lbs.pop("_unit") == {"emissions": "lbs/MWh"}
    assert len(mix) >= least and lbs.keys() == mix.keys()
    for name, row in mix.items():
        place = GeoMetadata(iso.upper(), region=name)
        kg = emissions.get_region_emissions(Energy(1), place)
        assert kg == pytest.approx(row["carbon_intensity"] / 1000), name
        per_mwh = EmissionsPerKWh.from_lbs_per_mWh(lbs[name]["emissions"])
        assert per_mwh.kgs_per_kWh == pytest.approx(kg)
        assert row["region_name"].lower() == name
        assert row["iso_code"].endswith("-" + lbs[name]["regionCode"])


def test_a_state_has_its_region_code() -> None:
    states = DataSource().get_country_emissions_data("usa")
    assert states["california"]["regionCode"] == "CA"
    assert {"alabama", "new york", "wyoming"} <= states.keys()
    provinces = DataSource().get_country_energy_mix_data("can")
    assert {"alberta", "quebec", "nunavut"} <= {name.replace("é", "e") for name in provinces}


@pytest.mark.parametrize("iso", ["deu", "XXX", ""])
def test_a_country_without_parts_says_so(iso: str) -> None:
    for ask in (DataSource().get_country_emissions_data, DataSource().get_country_energy_mix_data):
        with pytest.raises(DataSourceException, match="no regions"):
            ask(iso)


def test_processors_have_the_rated_power_that_trackers_use() -> None:
    rated = {row["Name"]: row["TDP"] for row in as_dicts(DataSource().get_cpu_power_data())}
    assert len(rated) > 2000 and all(0 < watts < 2000 for watts in rated.values())
    name = "Intel Xeon Gold 5222"
    assert rated[name] == _native.cpu_rated_power("Intel(R) Xeon(R) Gold 5222 CPU @ 3.80GHz")


# Geography ----------------------------------------------------------------------------------


def test_a_machine_of_ones_own_is_in_no_cloud() -> None:
    assert CloudMetadata.from_utils().is_on_private_infra
    assert not CloudMetadata("aws", "eu-west-3").is_on_private_infra


@pytest.fixture
def answer(tmp_path: Path) -> Any:
    """An address that answers with this text: a file, which urlopen reads as it does a server."""

    def give(text: str) -> str:
        (tmp_path / "geo.json").write_text(text)
        return (tmp_path / "geo.json").as_uri()

    return give


def test_case_29_a_country_without_region_is_kept(answer: Any) -> None:
    place = GeoMetadata.from_geo_js(answer('{"country_code3": "FRA", "country": "France"}'))
    assert (place.country_iso_code, place.country_name, place.region) == ("FRA", "France", None)
    full = GeoMetadata.from_geo_js(
        answer(
            '{"country_code3": "FRA", "country_code": "FR", "region": "Brittany",'
            ' "latitude": "48.1", "longitude": -1.7}'
        )
    )
    assert (full.region, full.latitude, full.longitude) == ("Brittany", 48.1, -1.7)
    assert full.country_2letter_iso_code == "FR"


@pytest.mark.parametrize("text", ["", "[]", "not json", "{}"])
def test_no_answer_is_no_country(answer: Any, text: str, lines: Lines) -> None:
    place = GeoMetadata.from_geo_js(answer(text))
    assert place.country_iso_code is place.country_name is None
    assert len(lines.texts()) == (0 if text == "{}" else 1)


def test_no_service_is_no_country(lines: Lines) -> None:
    assert GeoMetadata.from_geo_js("http://127.0.0.1:9/").country_iso_code is None
    assert "not known" in lines.texts()[0]


# Utilities ----------------------------------------------------------------------------------


def test_suppress_goes_on_after_what_is_named(lines: Lines) -> None:
    with util.suppress(ValueError, KeyError):
        raise KeyError("x")
    assert "KeyError" in lines.texts()[0]
    with pytest.raises(ZeroDivisionError), util.suppress(ValueError):
        1 / 0


def test_backup_loses_nothing(own_world: Path) -> None:
    for number in range(3):
        Path("data.csv").write_text(str(number))
        util.backup("data.csv")
    found = {path.name: path.read_text() for path in own_world.iterdir()}
    assert found == {"data.csv.bak": "0", "data.csv.bak.1": "1", "data.csv.bak.2": "2"}
    util.backup("not there")


def test_counts_of_processors() -> None:
    assert 1 <= util.count_cpus() <= (os.cpu_count() or 1)
    assert util.count_physical_cpus() >= 1


def test_the_system_is_one_of_them() -> None:
    systems = util.is_linux_os(), util.is_mac_os(), util.is_windows_os()
    assert systems == (True, False, False)
    assert util.is_mac_arm("Apple M1") and not util.is_mac_arm("Intel")


def test_paths_are_made_absolute(own_world: Path) -> None:
    assert util.resolve_path("x") == own_world.resolve() / "x"
    assert util.resolve_path("~/x") == (own_world.parent / "home" / "x").resolve()


# Hardware -----------------------------------------------------------------------------------


def test_a_processor_has_a_name_and_a_rated_power() -> None:
    tdp = TDP()
    assert isinstance(tdp.model, str)
    assert tdp.tdp is None or tdp.tdp > 0


def test_hardware_made_by_hand_measures() -> None:
    cpu = CPU(".", "constant", "some model", 65)
    cpu.start()
    time.sleep(0.01)
    power, energy = cpu.measure_power_and_energy(0.01)
    assert energy.kWh > 0 and power.kW == pytest.approx(energy.kWh * 360_000)
    assert cpu.total_power().W == pytest.approx(65, rel=0.3)
    assert cpu.description().startswith("CPU(") and "forced" in cpu.description()
    ram = RAM(force_ram_power=5)
    ram.start()
    time.sleep(0.01)
    assert ram.total_power().W == pytest.approx(5, rel=0.3)
    assert ram.machine_memory_GB == ram.slurm_memory_GB > 0
    assert 0 < ram.process_memory_GB < ram.machine_memory_GB
    none = GPU.from_utils([])
    assert none.total_power().W == 0 and none.measure_power_and_energy(1)[1].kWh == 0


def test_hardware_made_by_hand_writes_nothing(own_world: Path) -> None:
    CPU.from_utils(mode="constant", tdp=65).start()
    assert list(own_world.iterdir()) == []


# Scheduler, task, lock ----------------------------------------------------------------------


def test_a_scheduler_calls_again_and_again_with_its_arguments() -> None:
    calls: list[tuple[object, ...]] = []
    enough = threading.Event()

    def function(*args: object, **kwargs: object) -> None:
        calls.append((args, kwargs))
        if len(calls) == 3:
            enough.set()
        raise RuntimeError("one that fails is no end")

    scheduler = PeriodicScheduler(0.001, function, 1, two=2)
    assert calls == []
    scheduler.start()
    scheduler.start()
    assert enough.wait(20)
    scheduler.stop()
    count = len(calls)
    time.sleep(0.02)
    assert len(calls) == count
    assert set(map(str, calls)) == {str(((1,), {"two": 2}))}


def test_a_scheduler_may_stop_itself_and_begin_again() -> None:
    stopped = threading.Event()

    def function() -> None:
        scheduler.stop()
        stopped.set()

    scheduler = PeriodicScheduler(0.001, function)
    for _ in range(2):
        stopped.clear()
        scheduler.start()
        assert stopped.wait(20)


def test_a_scheduler_keeps_no_process_alive() -> None:
    done = run_script(
        "from codecarbon.external.scheduler import PeriodicScheduler\n"
        "PeriodicScheduler(3600, print).start()\n"
    )
    assert done.returncode == 0


def test_a_task_is_active_until_it_has_figures() -> None:
    task = Task("load")
    assert (task.task_name, task.is_active, task.emissions_data) == ("load", True, None)
    assert task.out() is None


def test_a_lock_has_one_holder_at_a_time() -> None:
    lock, other = Lock(), Lock()
    lock.release()
    lock.acquire()
    lock.acquire()
    with pytest.raises(FileExistsError):
        other.acquire()
    lock.release()
    other.acquire()
    other.release()


def test_a_lock_ends_with_its_process_and_holds_against_others() -> None:
    script = "from codecarbon.lock import Lock\nLock().acquire()\nimport os\n"
    lock = Lock()
    lock.acquire()
    assert "FileExistsError" in run_script(script).stderr
    lock.release()
    assert run_script(script + "os._exit(0)\n").returncode == 0
    lock.acquire()
    lock.release()


def test_a_child_of_fork_does_not_give_its_parents_lock_back() -> None:
    done = run_script(
        "import os\nfrom codecarbon.lock import Lock\n"
        "lock = Lock(); lock.acquire()\n"
        "if (child := os.fork()) == 0:\n"
        "    lock.release(); os._exit(0)\n"
        "os.waitpid(child, 0)\n"
        "Lock().acquire()\n"
    )
    assert "FileExistsError" in done.stderr


def test_a_number_is_written_so_that_it_reads_back() -> None:
    from codecarbon.output_methods.file import text_of

    for value in (0.1, 1e-300, 1 / 3, 12345678.9, 3.0):
        assert float(text_of(value)) == value
    assert [text_of(v) for v in (None, math.nan, math.inf, -math.inf, "", 7)] == [
        "",
        "",
        "",
        "",
        "",
        "7",
    ]


def test_quantities_are_thin() -> None:
    """Importing them brings none of the heavier modules."""
    done = subprocess.run(
        [sys.executable, "-c", "import codecarbon.core.units, sys; print('json' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"
    assert units.Energy is Energy
