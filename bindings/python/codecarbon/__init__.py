"""Energy and carbon of a program, measured by a native engine.

Three lines are enough:

>>> from codecarbon import OfflineEmissionsTracker
>>> with OfflineEmissionsTracker(country_iso_code="FRA", force_cpu_power=40, force_ram_power=5,
...                              save_to_file=False, log_level="error") as tracker:
...     total = sum(range(1000))
>>> tracker.final_emissions_data.country_name
'France'

Importing starts no thread, reads no sensor and touches no network.
"""

from __future__ import annotations

from codecarbon._duplicate import warn_of_duplicate
from codecarbon._lazy import modules_of
from codecarbon._version import __version__
from codecarbon.emissions_tracker import (
    EmissionsTracker,
    OfflineEmissionsTracker,
    TaskEmissionsTracker,
    track_emissions,
    track_task_emissions,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from codecarbon.output_methods.base_output import OutputMethod

__app_name__ = "codecarbon"
__all__ = [
    "EmissionsTracker",
    "OfflineEmissionsTracker",
    "OutputMethod",
    "TaskEmissionsTracker",
    "__app_name__",
    "__version__",
    "track_emissions",
    "track_task_emissions",
]


_module = modules_of(__name__, "core", "external", "input", "lock", "output", "output_methods")

if not TYPE_CHECKING:  # or every name would look to a type checker as if it were there

    def __getattr__(name: str) -> object:
        # Making an enumeration costs an import more than programs that never name one should pay.
        if name == "OutputMethod":
            from codecarbon.output_methods.base_output import OutputMethod

            return OutputMethod
        return _module(name)


warn_of_duplicate()
