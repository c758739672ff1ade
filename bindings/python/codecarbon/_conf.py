"""What a tracker knows of itself and of its machine, in the form that programs look it up."""

from __future__ import annotations

from codecarbon import _native
from codecarbon._options import PYTHON_OPTIONS, engine_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from codecarbon._settings import Settings
    from codecarbon.external.hardware import BaseHardware

_SECRETS = ("api_key", "electricitymaps_api_token", "co2_signal_api_token")


def hardware_of(engine: Any) -> list[BaseHardware]:
    """One item for each kind of hardware that has figures."""
    from codecarbon.external.hardware import CPU, GPU
    from codecarbon.external.ram import RAM

    row = dict(zip(_native.extended_columns(), engine.report(), strict=True))
    kinds: dict[str, type[BaseHardware]] = {"ram": RAM, "cpu": CPU, "gpu": GPU}
    return [
        kind.of_tracker(engine) for part, kind in kinds.items() if row[f"{part}_method"] != "none"
    ]


def detected(settings: Settings, engine: Any) -> dict[str, Any]:
    """The machine as the rows describe it."""
    from codecarbon.core.util import count_physical_cpus
    from codecarbon.output_methods.emissions_data import run_row

    row = run_row(engine.report())
    return {
        "ram_total_size": row.ram_total_size,
        "cpu_count": row.cpu_count,
        "cpu_physical_count": count_physical_cpus(),
        "cpu_model": row.cpu_model,
        "gpu_count": row.gpu_count,
        "gpu_model": row.gpu_model,
        "gpu_ids": settings.get("gpu_ids"),
    }


def conf_of(settings: Settings, engine: Any, hardware: list[BaseHardware]) -> dict[str, Any]:
    """All options but secrets, and the facts of the machine and the place."""
    from codecarbon.output_methods.emissions_data import run_row

    row = run_row(engine.report())
    names = (name for name in (*engine_options(), *PYTHON_OPTIONS) if name not in _SECRETS)
    conf = {name: settings.get(name) for name in names}
    conf.update(detected(settings, engine))
    conf.update(
        run_id=row.run_id,
        codecarbon_version=row.codecarbon_version,
        python_version=row.python_version,
        os=row.os,
        country_iso_code=row.country_iso_code,
        region=row.region,
        provider=row.cloud_provider,
        longitude=row.longitude,
        latitude=row.latitude,
        tracking_mode=row.tracking_mode,
        hardware=[item.description() for item in hardware],
    )
    return conf
