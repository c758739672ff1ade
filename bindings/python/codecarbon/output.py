"""All outputs and the figures they are given, in one place to import from."""

from __future__ import annotations

from codecarbon.output_methods.base_output import BaseOutput, OutputMethod
from codecarbon.output_methods.emissions_data import EmissionsData, TaskEmissionsData
from codecarbon.output_methods.file import FileOutput
from codecarbon.output_methods.http import CodeCarbonAPIOutput, HTTPOutput
from codecarbon.output_methods.logger import GoogleCloudLoggerOutput, LoggerOutput
from codecarbon.output_methods.metrics.logfire import LogfireOutput
from codecarbon.output_methods.metrics.prometheus import PrometheusOutput

__all__ = [
    "BaseOutput",
    "CodeCarbonAPIOutput",
    "EmissionsData",
    "FileOutput",
    "GoogleCloudLoggerOutput",
    "HTTPOutput",
    "LogfireOutput",
    "LoggerOutput",
    "OutputMethod",
    "PrometheusOutput",
    "TaskEmissionsData",
]
