"""What a tracker shows of itself: its figures, its machine, its options.

Nothing is stored here; every question goes to the engine. Names that begin with an underscore are
not for new programs, but many have used them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from codecarbon import _native
    from codecarbon._settings import Settings
    from codecarbon.core.emissions import Emissions
    from codecarbon.core.units import Energy, Power, Water
    from codecarbon.external.hardware import BaseHardware
    from codecarbon.output_methods.emissions_data import EmissionsData


class TrackerViews:
    """The part of a tracker that answers questions."""

    _run: _native.Tracker
    _settings: Settings

    @property
    def final_emissions_data(self) -> EmissionsData | None:
        """The figures of the last row (flush, pause or stop); None before it."""
        values = self._run.last_report()
        return None if values is None else _run_row(values)

    @property
    def final_emissions(self) -> float | None:
        """kg of CO2 equivalent of the last row; None before it."""
        data = self.final_emissions_data
        return None if data is None else data.emissions

    def _prepare_emissions_data(self) -> EmissionsData:
        """The totals at this moment; writes no row."""
        return _run_row(self._run.report())

    def _measure_power_and_energy(self) -> None:
        """Takes a reading now. Not needed: every question takes one."""
        self._run.report()

    @property
    def _total_energy(self) -> Energy:
        return _energy(sum(self._run.energies_uj()))

    @property
    def _total_cpu_energy(self) -> Energy:
        return _energy(self._run.energies_uj()[0])

    @property
    def _total_gpu_energy(self) -> Energy:
        return _energy(self._run.energies_uj()[1])

    @property
    def _total_ram_energy(self) -> Energy:
        return _energy(self._run.energies_uj()[2])

    @property
    def _total_emissions(self) -> float:
        return self._prepare_emissions_data().emissions

    @property
    def _total_water(self) -> Water:
        from codecarbon.core.units import Water

        return Water(self._prepare_emissions_data().water_consumed)

    @property
    def _cpu_power(self) -> Power:
        return _power(self._prepare_emissions_data().cpu_power)

    @property
    def _gpu_power(self) -> Power:
        return _power(self._prepare_emissions_data().gpu_power)

    @property
    def _ram_power(self) -> Power:
        return _power(self._prepare_emissions_data().ram_power)

    @property
    def _emissions(self) -> Emissions:
        from codecarbon.core.emissions import Emissions
        from codecarbon.input import DataSource

        forced = self._settings.text("force_carbon_intensity_g_co2e_kwh")
        number = float(forced) if forced else None
        return Emissions(DataSource(), force_carbon_intensity_g_co2e_kwh=number)

    @property
    def run_id(self) -> str:
        """The run's identifier in every row. May be set: it holds from the next row on."""
        return str(self._run.run_id)

    @run_id.setter
    def run_id(self, value: object) -> None:
        self._run.set_run_id(str(value))

    @property
    def _project_name(self) -> str:
        return self._prepare_emissions_data().project_name

    @_project_name.setter
    def _project_name(self, value: str) -> None:
        self._run.set_project_name(str(value))

    @property
    def _output_dir(self) -> str:
        return self._settings.text("output_dir")

    @property
    def _output_file(self) -> str:
        return self._settings.text("output_file")

    @property
    def _experiment_id(self) -> str:
        return self._settings.text("experiment_id")

    @property
    def _experiment_name(self) -> str:
        return self._settings.text("experiment_name")

    @property
    def _measure_power_secs(self) -> float:
        return self._settings.number("measure_power_secs")

    @property
    def _conf(self) -> dict[str, Any]:
        """The options and what was found out about the machine. Made once; changes are kept."""
        if "_conf" not in self.__dict__:
            from codecarbon._conf import conf_of

            self.__dict__["_conf"] = conf_of(self._settings, self._run, self._hardware)
        conf: dict[str, Any] = self.__dict__["_conf"]
        return conf

    @property
    def _hardware(self) -> list[BaseHardware]:
        from codecarbon._conf import hardware_of

        return hardware_of(self._run)

    def get_detected_hardware(self) -> dict[str, Any]:
        """The machine as the rows describe it: processors, memory in GB, GPUs."""
        from codecarbon._conf import detected

        return detected(self._settings, self._run)


def _run_row(values: list[str]) -> EmissionsData:
    from codecarbon.output_methods.emissions_data import run_row

    return run_row(values)


def _energy(ujoules: int) -> Energy:
    from codecarbon.core.units import Energy

    return Energy.from_ujoules(ujoules)


def _power(watts: float) -> Power:
    from codecarbon.core.units import Power

    return Power.from_watts(watts)
