"""Places: countries and cloud regions."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from codecarbon.external.logger import say

_TIMEOUT_S = 1.0


@dataclass
class CloudMetadata:
    """A cloud and a region of it, both None on a machine of one's own.

    >>> CloudMetadata(provider="gcp", region="europe-west9").is_on_private_infra
    False
    """

    provider: str | None
    region: str | None

    @property
    def is_on_private_infra(self) -> bool:
        """Whether provider or region is missing."""
        return not self.provider or not self.region

    @classmethod
    def from_utils(cls) -> CloudMetadata:
        """A machine of one's own: clouds are what the options ``cloud_provider`` and
        ``cloud_region`` say, nothing asks the network for them."""
        return cls(provider=None, region=None)


@dataclass(repr=False)
class GeoMetadata:
    """A country and, if known, a region of it.

    >>> GeoMetadata(country_iso_code="FRA", country_name="France")
    GeoMetadata(country_iso_code=FRA, country_name=France, region=None)
    """

    country_iso_code: str | None
    country_name: str | None = None
    region: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    country_2letter_iso_code: str | None = None

    def __repr__(self) -> str:
        return (
            f"GeoMetadata(country_iso_code={self.country_iso_code}, "
            f"country_name={self.country_name}, region={self.region})"
        )

    @classmethod
    def from_geo_js(cls, url: str) -> GeoMetadata:
        """Asks a geolocation service at ``url`` for the place of this machine.

        Trackers never do. Takes one second at the most. Fields that the answer lacks stay None; so
        do all of them, with a warning, when there is no answer: no country is ever guessed.
        """
        try:
            answer = _fetch(url)
        except (OSError, ValueError) as error:
            say(logging.WARNING, f"{url} gave no place ({error}): the country is not known")
            answer = {}
        return cls(
            country_iso_code=_text(answer.get("country_code3")),
            country_name=_text(answer.get("country")),
            region=_text(answer.get("region")),
            latitude=_number(answer.get("latitude")),
            longitude=_number(answer.get("longitude")),
            country_2letter_iso_code=_text(answer.get("country_code")),
        )


def _fetch(url: str) -> dict[str, object]:
    import json
    from http.client import HTTPException
    from urllib.request import urlopen

    try:
        with urlopen(url, timeout=_TIMEOUT_S) as response:
            answer = json.loads(response.read())
    except HTTPException as error:
        raise OSError(f"no answer in HTTP: {error}") from error
    if not isinstance(answer, dict):
        raise ValueError("the answer is not a JSON object")
    return answer


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _number(value: object) -> float | None:
    try:
        return float(str(value))
    except ValueError:
        return None
