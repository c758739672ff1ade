"""The tables of the engine, in the form that programs look them up."""

from __future__ import annotations

from codecarbon import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CLOUD_COLUMNS = {
    "provider": "provider",
    "region": "region",
    "countryIsoCode": "iso3",
    "state": "state",
    "city": "city",
    "impact": "g_per_kwh",
}


class DataSourceException(Exception):
    """A table that is not here."""


class DataSource:
    """Tables of carbon intensities, in gCO2e/kWh where nothing else is said.

    >>> DataSource().get_global_energy_mix_data()["FRA"]["country_name"]
    'France'
    """

    def get_global_energy_mix_data(self) -> dict[str, dict[str, Any]]:
        """Every country by its three letters: country_name, iso_code, iso_code_2,
        carbon_intensity (None where there is no figure)."""
        return {
            iso3: {
                "country_name": name,
                "iso_code": iso3,
                "iso_code_2": iso2,
                "carbon_intensity": intensity,
            }
            for iso3, iso2, name, intensity in _native.countries()
        }

    def get_cloud_emissions_data(self) -> Any:
        """Cloud regions with their intensity in the column ``impact``: a DataFrame where pandas is
        installed, else a list of dicts."""
        names = {iso3: name for iso3, _, name, _ in _native.countries()}
        rows = []
        for region in _native.cloud_regions():
            row = {ours: region.get(theirs) for ours, theirs in _CLOUD_COLUMNS.items()}
            row["country_name"] = names.get(str(row["countryIsoCode"]), "")
            rows.append(row)
        return _as_table(rows)

    def get_country_emissions_data(self, country_iso_code: str) -> dict[str, Any]:
        """Raises DataSourceException: regions are looked up one by one, by ``Emissions``."""
        raise DataSourceException(
            f'country_iso_code: "{country_iso_code}" has no table of regions here: '
            "codecarbon.core.emissions.Emissions knows the intensity of a region by its name"
        )

    def get_country_energy_mix_data(self, country_iso_code: str) -> dict[str, Any]:
        """The same as ``get_country_emissions_data``."""
        return self.get_country_emissions_data(country_iso_code)

    def get_cpu_power_data(self) -> Any:
        """Raises DataSourceException: processors are looked up one by one, by ``core.cpu.TDP``."""
        raise DataSourceException(
            "there is no table of processors here: codecarbon.core.cpu.TDP knows the rated power "
            "of this machine's"
        )

    def get_carbon_intensity_per_source_data(self) -> dict[str, Any]:
        """The average of the world, in gCO2e/kWh; figures of single sources are not used here."""
        world = _native.locate("", "", "", "", "", None)
        return {"unit": "gCO2.eq/kWh", "world_average": world["g_per_kwh"]}


def _as_table(rows: list[dict[str, Any]]) -> Any:
    from importlib import import_module

    try:
        return import_module("pandas").DataFrame(rows)
    except ImportError:
        return rows
