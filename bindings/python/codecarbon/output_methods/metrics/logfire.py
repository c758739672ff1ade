"""Figures for Logfire."""

from __future__ import annotations

from codecarbon.output_methods.base_output import BaseOutput


class LogfireOutput(BaseOutput):
    """The output to Logfire: not offered yet.

    The name is here so that programs which import it go on working. Making one raises
    NotImplementedError, because figures that are never sent must not look as if they were.
    """

    def __init__(self) -> None:
        raise NotImplementedError(
            "LogfireOutput is not offered yet: a BaseOutput of your own can send the figures"
        )
