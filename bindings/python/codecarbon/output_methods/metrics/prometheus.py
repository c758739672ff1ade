"""Figures for Prometheus."""

from __future__ import annotations

from codecarbon.output_methods.base_output import BaseOutput


class PrometheusOutput(BaseOutput):
    """The output to a Prometheus push gateway: not offered yet.

    The name is here so that programs which import it go on working. Making one raises
    NotImplementedError, because figures that are never sent must not look as if they were.
    """

    def __init__(self, prometheus_url: str, job_name: str = "codecarbon") -> None:
        raise NotImplementedError(
            "PrometheusOutput is not offered yet: a BaseOutput of your own can push the figures"
        )
