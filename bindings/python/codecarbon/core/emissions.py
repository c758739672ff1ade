"""Emissions of an amount of energy at a place, from the tables that the trackers use."""

from __future__ import annotations

import logging

from codecarbon import _native
from codecarbon.external.logger import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from codecarbon.core.units import Energy
    from codecarbon.external.geography import CloudMetadata, GeoMetadata
    from codecarbon.input import DataSource


class Emissions:
    """Turns energy into kg of CO2 equivalent.

    A forced intensity goes before every place. The tokens are accepted and not used: live
    intensities are not offered yet.

    A place without figures of its own, or of which there is none, is logged and the next larger one
    taken: of a cloud region ``geo``, of a region its country, of a country the world.

    >>> from codecarbon.core.units import Energy
    >>> from codecarbon.external.geography import GeoMetadata
    >>> from codecarbon.input import DataSource
    >>> forced = Emissions(DataSource(), force_carbon_intensity_g_co2e_kwh=50)
    >>> forced.get_private_infra_emissions(Energy(kWh=2), GeoMetadata("FRA"))
    0.1
    """

    def __init__(
        self,
        data_source: DataSource | None = None,
        electricitymaps_api_token: str | None = None,
        co2_signal_api_token: str | None = None,
        force_carbon_intensity_g_co2e_kwh: float | None = None,
    ) -> None:
        self._forced = force_carbon_intensity_g_co2e_kwh

    def get_cloud_emissions(
        self, energy: Energy, cloud: CloudMetadata, geo: GeoMetadata | None = None
    ) -> float:
        """kg for ``energy`` in a cloud region; ``geo`` holds where the region has no figures."""
        try:
            return self._emissions(energy, geo, cloud)
        except ValueError as error:
            say(logging.WARNING, f"{error}; the place is taken instead")
            return self._emissions(energy, geo)

    def get_private_infra_emissions(self, energy: Energy, geo: GeoMetadata) -> float:
        """kg for ``energy`` at a place: its region's intensity, else its country's."""
        return self._emissions(energy, geo)

    def get_region_emissions(self, energy: Energy, geo: GeoMetadata) -> float:
        """The same as ``get_private_infra_emissions``."""
        return self._emissions(energy, geo)

    def get_country_emissions(self, energy: Energy, geo: GeoMetadata) -> float:
        """kg for ``energy`` in a country, whatever the region."""
        return self._emissions(energy, geo, with_region=False)

    def get_cloud_country_name(self, cloud: CloudMetadata) -> str:
        """The country of a cloud region, ``""`` when unknown."""
        return str(self._locate(None, cloud)["country_name"])

    def get_cloud_country_iso_code(self, cloud: CloudMetadata) -> str:
        """Three letters for the country of a cloud region, ``""`` when unknown."""
        return str(self._locate(None, cloud)["country_iso_code"])

    def get_cloud_geo_region(self, cloud: CloudMetadata) -> str:
        """The state or city of a cloud region, ``""`` when unknown."""
        return str(self._locate(None, cloud)["region"])

    def _emissions(
        self,
        energy: Energy,
        geo: GeoMetadata | None,
        cloud: CloudMetadata | None = None,
        with_region: bool = True,
    ) -> float:
        try:
            located = self._locate(geo, cloud, with_region)
        except ValueError as error:
            if cloud is not None:
                raise
            say(logging.WARNING, f"{error}; the average of the world is taken instead")
            located = self._locate(None, None)
        for warning in located["warnings"]:
            say(logging.WARNING, warning)
        return energy.kWh * float(located["g_per_kwh"]) / 1000

    def _locate(
        self, geo: GeoMetadata | None, cloud: CloudMetadata | None, with_region: bool = True
    ) -> dict[str, Any]:
        return dict(
            _native.locate(
                (geo and geo.country_iso_code) or "",
                (geo and geo.country_2letter_iso_code) or "",
                (with_region and geo and geo.region) or "",
                (cloud and cloud.provider) or "",
                (cloud and cloud.region) or "",
                self._forced,
            )
        )
