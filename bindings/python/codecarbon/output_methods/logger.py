"""Figures as messages of a logger."""

from __future__ import annotations

import json
import logging

from codecarbon.output_methods.base_output import BaseOutput
from codecarbon.output_methods.emissions_data import EmissionsData, json_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class LoggerOutput(BaseOutput):
    """One JSON message for every ``out`` and ``live_out``, through a ``logging.Logger``.

    >>> import sys
    >>> from codecarbon import OfflineEmissionsTracker
    >>> mine = logging.Logger("mine")
    >>> mine.addHandler(logging.StreamHandler(sys.stdout))
    >>> with OfflineEmissionsTracker("nightly", country_iso_code="FRA", log_level="error",
    ...                              save_to_file=False, save_to_logger=True,
    ...                              logging_logger=LoggerOutput(mine)):
    ...     pass
    {"timestamp": ..., "project_name": "nightly", ...}
    """

    def __init__(self, logger: Any, severity: int = logging.INFO) -> None:
        self.logger = logger
        self.logging_severity = severity

    def out(self, total: EmissionsData, delta: EmissionsData) -> None:
        """Logs ``total``."""
        self.logger.log(self.logging_severity, json.dumps(json_values(total), default=str))

    def live_out(self, total: EmissionsData, delta: EmissionsData) -> None:
        """Logs ``total``."""
        self.out(total, delta)


class GoogleCloudLoggerOutput(LoggerOutput):
    """The same through a logger of ``google.cloud.logging``, as a structured entry.

    ``logger`` is anything with ``log_struct(entry, severity=...)``.
    """

    def out(self, total: EmissionsData, delta: EmissionsData) -> None:
        """Logs ``total``."""
        severity = logging.getLevelName(self.logging_severity)
        self.logger.log_struct(json_values(total), severity=severity)
