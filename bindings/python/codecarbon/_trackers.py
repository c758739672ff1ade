"""The classes of trackers: they measure what the machine uses from start to stop."""

from __future__ import annotations

import logging
import time

from codecarbon._options import bind
from codecarbon._settings import Settings
from codecarbon._tracker_tasks import TrackerTasks
from codecarbon._tracker_views import TrackerViews
from codecarbon._wiring import Wiring
from codecarbon.external.logger import in_one_line, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Self, Unpack

    from codecarbon._typing import TrackerOptions


class _InertScheduler:
    """Stands where programs look for a Python scheduler; the engine samples by itself."""

    def start(self) -> None:
        """Does nothing."""

    def stop(self) -> None:
        """Does nothing."""


class _Signature:
    """The keywords of the constructor, for help() and inspect; made when somebody asks. A class with
    a constructor of its own shows that."""

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        if owner is not None and owner.__init__ is not BaseEmissionsTracker.__init__:  # type: ignore[misc]
            return None
        from codecarbon._signature import tracker_signature

        return tracker_signature()


class BaseEmissionsTracker(TrackerTasks, TrackerViews):
    """What both trackers are; see EmissionsTracker."""

    _always: dict[str, object] = {}
    """Options that are part of what the class is."""

    __signature__ = _Signature()

    def __init__(
        self,
        project_name: str | None = None,
        *arguments: Any,
        **options: Unpack[TrackerOptions],
    ) -> None:
        super().__init__()
        given: dict[str, Any] = dict(options)
        if arguments:
            given = bind((project_name, *arguments), given)
        else:
            given = bind((), {"project_name": project_name, **given})
        self._settings = Settings({**given, **self._always})
        put_back = self._settings.apply_to_logger()
        try:
            self._wiring = Wiring(self._settings)
        except BaseException:
            put_back()
            raise
        self._run = self._wiring.run
        self._start_time: float | None = None
        self._scheduler: _InertScheduler | None = _InertScheduler()

    def start(self) -> None:
        """Begins to measure, or goes on after a stop; what was used in between is not counted."""
        self._renew_in_child()
        self._used = True
        self._wiring.begin()
        self._run.start()
        self._begin()

    def pause(self) -> float | None:
        """Writes a row and stops counting until ``resume``; kg of CO2 equivalent so far, None before
        the first start.

        >>> tracker = OfflineEmissionsTracker(country_iso_code="FRA", save_to_file=False,
        ...                                   log_level="error")
        >>> tracker.start()
        >>> at_checkpoint = tracker.pause()
        >>> tracker.resume()
        >>> tracker.stop() >= at_checkpoint
        True
        """
        return self._run.pause()

    def resume(self) -> None:
        """Goes on after ``pause`` or ``stop``; what was used in between is not counted."""
        if self._used:
            self._wiring.begin()
        self._run.resume()
        if self._run.last_report() is not None:  # else nothing was ever begun
            self._begin()

    def flush(self) -> float | None:
        """Writes a row of the totals so far; kg of CO2 equivalent, None before the first start.

        >>> with OfflineEmissionsTracker(country_iso_code="FRA", save_to_file=False,
        ...                              log_level="error") as tracker:
        ...     emissions_kg = tracker.flush()
        >>> emissions_kg <= tracker.final_emissions
        True
        """
        return self._run.flush()

    def stop(self) -> float | None:
        """Writes a row and ends; kg of CO2 equivalent in total, None if there was no start.

        A second call returns the same and writes nothing. Tasks that are open end too. Where only
        tasks were measured, the run is the time in which one was open.
        """
        try:
            return self._run.stop()
        finally:  # an output may wish to end the program
            if not self._run.is_foreign():
                self._end()

    def _renew_in_child(self) -> None:
        if self._used or not self._run.is_foreign():
            return
        try:
            self._wiring = Wiring(self._settings)
            self._run = self._wiring.run
        except (OSError, ValueError, TypeError) as error:  # it was acceptable before the fork
            say(logging.ERROR, f"this tracker cannot be begun here: {in_one_line(error)}")

    def _begin(self) -> None:
        if self._start_time is None:
            self._start_time = time.perf_counter()
        self._scheduler = _InertScheduler()

    def _end(self) -> None:
        self._start_time = None
        self._scheduler = None
        self._wiring.end()
        self._settle_tasks()

    def __enter__(self) -> Self:
        """Starts."""
        self.start()
        return self

    def __exit__(self, *raised: object) -> None:
        """Stops, whatever was raised."""
        self.stop()


class EmissionsTracker(BaseEmissionsTracker):
    """Measures energy and emissions of the machine from ``start`` to ``stop``.

    Arguments are the options of docs/options.md, by keyword; ``project_name`` may also come first
    without one. What is not given is taken from ``CODECARBON_*`` in the environment, then
    ./.codecarbon.config, then ~/.codecarbon.config, then the default.

    One ``run_id`` from construction on. Totals are cumulative; each pause, flush and stop writes a
    row of the totals so far. All methods may be called from any thread and return promptly; trouble
    while measuring is logged once, never raised.

    ============ =========== =================== ============= ================= =================
    state        start       pause               resume        flush             stop
    ============ =========== =================== ============= ================= =================
    never begun  begins      warns               warns         logs an error     logs an error
    running      warns       row, then paused    warns         row               row, then stopped
    paused       goes on     warns               goes on       row               row, then stopped
    stopped      goes on     warns               goes on       nothing new       nothing new
    ============ =========== =================== ============= ================= =================

    Raises ValueError (a value), TypeError (an unknown keyword) or OSError (``output_dir`` is no
    folder), each saying what, from where, and what is accepted.

    >>> from codecarbon import OfflineEmissionsTracker
    >>> tracker = OfflineEmissionsTracker(country_iso_code="FRA", force_cpu_power=40,
    ...                                   force_carbon_intensity_g_co2e_kwh=50,
    ...                                   save_to_file=False, log_level="error")
    >>> tracker.start()
    >>> emissions_kg = tracker.stop()
    >>> emissions_kg == tracker.final_emissions_data.emissions
    True
    >>> OfflineEmissionsTracker(pue=0.5)
    Traceback (most recent call last):
    ...
    ValueError: pue: "0.5" (from keyword) is not accepted: a number from 1 to 100, such as 1.2
    """


class OfflineEmissionsTracker(BaseEmissionsTracker):
    """An EmissionsTracker that never touches the network: the place is what the options say.

    >>> OfflineEmissionsTracker(country_iso_code="XXX")
    Traceback (most recent call last):
    ...
    ValueError: country_iso_code: "XXX" ...
    """

    _always = {"offline": True}


for _tracker in (BaseEmissionsTracker, EmissionsTracker, OfflineEmissionsTracker):
    _tracker.__module__ = "codecarbon.emissions_tracker"  # where programs import them from
