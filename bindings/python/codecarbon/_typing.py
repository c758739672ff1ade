"""The keywords with their types, for type checkers and editors only; never imported at run time."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from codecarbon.output_methods.base_output import BaseOutput, OutputMethod


class TrackerOptions(TypedDict, total=False):
    """What trackers and decorators take besides ``project_name``. None is the same as not given."""

    experiment_id: str | None
    experiment_name: str | None
    run_id: str | None
    job_id: str | None
    rank: int | None
    local_rank: int | None
    world_size: int | None

    measure_power_secs: float | None
    tracking_mode: str | None
    gpu_ids: str | Sequence[int | str] | None
    force_cpu_power: float | None
    force_ram_power: float | None
    force_mode_cpu_load: bool | None
    rapl_include_dram: bool | None
    rapl_prefer_psys: bool | None

    offline: bool | None
    country_iso_code: str | None
    country_2letter_iso_code: str | None
    region: str | None
    cloud_provider: str | None
    cloud_region: str | None
    force_carbon_intensity_g_co2e_kwh: float | None
    pue: float | None
    wue: float | None

    save_to_file: bool | None
    save_to_logger: bool | None
    output_dir: str | os.PathLike[str] | None
    output_file: str | os.PathLike[str] | None
    on_csv_write: str | None
    csv_columns: str | None

    log_level: str | int | None
    logger_preamble: str | None

    host_root: str | os.PathLike[str] | None
    machine: str | os.PathLike[str] | None

    api_call_interval: int | None
    api_endpoint: str | None
    api_key: str | None
    output_methods: str | Sequence[OutputMethod | str] | None
    save_to_api: bool | None
    logging_logger: Any
    save_to_prometheus: bool | None
    save_to_logfire: bool | None
    prometheus_url: str | None
    output_handlers: Sequence[BaseOutput] | None
    emissions_endpoint: str | None
    electricitymaps_api_token: str | None
    co2_signal_api_token: str | None
    allow_multiple_runs: bool | None
    metadata: Mapping[str, Any] | str | os.PathLike[str] | None

    misfire_grace_time: int | None
    max_instances: int | None
