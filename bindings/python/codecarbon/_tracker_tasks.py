"""The tasks of a tracker."""

from __future__ import annotations

import logging

from codecarbon.external.logger import in_one_line, say
from codecarbon.external.task import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from codecarbon import _native
    from codecarbon.output_methods.emissions_data import EmissionsData


class TrackerTasks:
    """The part of a tracker that begins and ends tasks; the engine measures them."""

    _run: _native.Tracker
    _used = False
    """Whether the run was begun, or a task of it."""

    def __init__(self) -> None:
        self._open_tasks: list[str] = []
        self._tasks: dict[str, Task] = {}

    def _renew_in_child(self) -> None:
        """What was never begun belongs to nobody yet: the child of a fork may begin it."""

    def start_task(self, task_name: str | None = None) -> str:
        """Begins a task, in whatever state the run is; tasks may nest, overlap and repeat a name.

        Returns the key by which ``stop_task`` ends this very one: the name (one is made up if none
        is given), or ``name#2``, ``name#3`` ... while others of that name were there before.
        """
        self._renew_in_child()
        self._used = True
        key = self._run.start_task(_name(task_name))
        # Another thread may have ended it already.
        if self._tasks.setdefault(key, Task(key)).is_active:
            self._open_tasks.append(key)
        return key

    def stop_task(self, task_name: str | None = None) -> EmissionsData | None:
        """Ends the task with this key, else the youngest open one of this name (None: of any).

        Returns its figures; None, with a warning, when no such task is open.

        >>> from codecarbon import OfflineEmissionsTracker
        >>> tracker = OfflineEmissionsTracker(country_iso_code="FRA", save_to_file=False,
        ...                                   log_level="error")
        >>> [tracker.start_task("epoch") for _ in range(2)]
        ['epoch', 'epoch#2']
        >>> tracker.stop_task("epoch#2").country_name
        'France'
        """
        ended = self._run.stop_task(_name(task_name))
        return None if ended is None else self._end_task(*ended)

    def _end_task(self, key: str, values: list[str]) -> EmissionsData | None:
        if key in self._open_tasks:
            self._open_tasks.remove(key)
        try:
            from codecarbon.output_methods.emissions_data import run_row
        except (OSError, ImportError) as error:  # no descriptor is left, or the interpreter ends
            say(logging.ERROR, f'task "{key}": its figures cannot be shown: {in_one_line(error)}')
            return None
        data = run_row(values)
        self._tasks.setdefault(key, Task(key)).emissions_data = data
        return data

    def _settle_tasks(self) -> None:
        """Takes over the figures of tasks that the stop has ended."""
        if self._open_tasks:
            wanted = set(self._open_tasks)
            for key, values in self._run.tasks():
                if key in wanted:
                    self._end_task(key, values)

    @property
    def _active_task(self) -> str | None:
        """The key of the youngest open task."""
        return self._open_tasks[-1] if self._open_tasks else None


def _name(task_name: object) -> str:
    try:
        return "" if task_name is None else str(task_name)
    except Exception as error:
        say(logging.ERROR, f"the name of a task cannot be shown: {in_one_line(error)}")
        return type(task_name).__name__
