"""What an output is: the base of all of them, and the names by which they are chosen."""

from __future__ import annotations

from enum import Enum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from codecarbon.output_methods.emissions_data import EmissionsData, TaskEmissionsData


class OutputMethod(str, Enum):
    """The outputs that ``output_methods`` can name.

    >>> OutputMethod("csv") is OutputMethod.CSV
    True
    """

    CSV = "csv"
    API = "api"
    LOGGER = "logger"
    PROMETHEUS = "prometheus"
    LOGFIRE = "logfire"
    BOAMPS = "boamps"


class BaseOutput:
    """Base of outputs written in Python; every method may be left as it is.

    Methods are called positionally, by one thread at a time, in the order of the figures. What one
    raises is logged once and stops neither the run nor the other outputs.

    >>> from codecarbon import OfflineEmissionsTracker
    >>> class Printer(BaseOutput):
    ...     def out(self, total, delta):
    ...         print(total.project_name)
    >>> tracker = OfflineEmissionsTracker("nightly", output_handlers=[Printer()], log_level="error",
    ...                                   country_iso_code="FRA", save_to_file=False)
    >>> with tracker:
    ...     pass
    nightly
    """

    def out(self, total: EmissionsData, delta: EmissionsData, /) -> None:
        """At flush, pause and stop: the run so far, and what is new since the last call of this
        method or of ``live_out``."""

    def live_out(self, total: EmissionsData, delta: EmissionsData, /) -> None:
        """Between rows, every ``api_call_interval`` samples while the run is on."""

    def task_out(self, data: list[TaskEmissionsData], experiment_name: str, /) -> None:
        """At stop, when tasks were measured: all of them, in the order in which they ended."""

    def exit(self) -> None:
        """After all that a stop has written: nothing more comes, unless the run is started again."""
