"""The tables of the engine, in the form that programs look them up."""

from __future__ import annotations

from codecarbon import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CLOUDS = {
    "aws": "Amazon Web Services",
    "azure": "Microsoft Azure",
    "gcp": "Google Cloud Platform",
}

_G_PER_KWH_OF_LBS_PER_MWH = 0.45359237


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
        installed, else a list of dicts. ``offsetRatio``, ``regionName``, ``source`` and ``comment``
        are not known here."""
        names = {iso3: name for iso3, _, name, _ in _native.countries()}
        return _as_table(
            [
                {
                    "provider": region["provider"],
                    "providerName": _CLOUDS.get(region["provider"], region["provider"]),
                    "offsetRatio": None,
                    "region": region["region"],
                    "regionName": None,
                    "country_name": names.get(region["iso3"], ""),
                    "countryIsoCode": region["iso3"],
                    "state": region["state"],
                    "city": region["city"],
                    "impact": region["g_per_kwh"],
                    "source": None,
                    "comment": None,
                }
                for region in _native.cloud_regions()
            ]
        )

    def get_country_emissions_data(self, country_iso_code: str) -> dict[str, dict[str, Any]]:
        """The parts of a country that have figures, by name in small letters: emissions (in
        lbs/MWh) and regionCode; under ``_unit`` it says so.

        Raises DataSourceException where a country has none.

        >>> DataSource().get_country_emissions_data("usa")["california"]["regionCode"]
        'CA'
        """
        regions: dict[str, dict[str, Any]] = {"_unit": {"emissions": "lbs/MWh"}}
        for code, name, g_per_kwh in _zones(country_iso_code):
            emissions = g_per_kwh / _G_PER_KWH_OF_LBS_PER_MWH
            row = {"emissions": emissions, "regionCode": code.partition("-")[2]}
            regions.setdefault(name.lower(), row)
        return regions

    def get_country_energy_mix_data(self, country_iso_code: str) -> dict[str, dict[str, Any]]:
        """The parts of a country that have figures, by name in small letters: region_name,
        iso_code and carbon_intensity. The shares of single sources are not known here.

        Raises DataSourceException where a country has none.
        """
        regions: dict[str, dict[str, Any]] = {}
        for code, name, g_per_kwh in _zones(country_iso_code):
            row = {"region_name": name, "iso_code": code, "carbon_intensity": g_per_kwh}
            regions.setdefault(name.lower(), row)
        return regions

    def get_cpu_power_data(self) -> Any:
        """Processors with their rated power, columns ``Name`` and ``TDP`` (in W): a DataFrame where
        pandas is installed, else a list of dicts."""
        return _as_table([{"Name": name, "TDP": tdp} for name, tdp in _native.cpu_rated_powers()])

    def get_carbon_intensity_per_source_data(self) -> dict[str, Any]:
        """The average of the world, in gCO2e/kWh; figures of single sources are not used here."""
        world = _native.locate("", "", "", "", "", None)
        return {"unit": "gCO2.eq/kWh", "world_average": world["g_per_kwh"]}


def _zones(country_iso_code: str) -> list[tuple[str, str, float]]:
    """Of two with one name, the one that comes first is the one that trackers use."""
    zones = _native.zones(country_iso_code)
    if not zones:
        raise DataSourceException(
            f'country_iso_code: "{country_iso_code}" has no regions with figures of their own; '
            "get_global_energy_mix_data() has those of countries"
        )
    return zones


def _as_table(rows: list[dict[str, Any]]) -> Any:
    from importlib import import_module

    try:
        return import_module("pandas").DataFrame(rows)
    except ImportError:
        return rows
