"""The tasks of a tracker."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from codecarbon._settings import Settings
    from codecarbon.external.task import Task
    from codecarbon.output_methods.emissions_data import EmissionsData, TaskEmissionsData


class TrackerTasks:
    """The part of a tracker that begins and ends tasks; the engine measures them."""

    _native: Any
    _settings: Settings

    def __init__(self) -> None:
        self._open_tasks: list[str] = []
        self._tasks: dict[str, Task] = {}

    def start_task(self, task_name: str | None = None) -> str:
        """Begins a task, in whatever state the run is; tasks may nest, overlap and repeat a name.

        Returns the key by which ``stop_task`` ends this very one: the name (one is made up if none
        is given), or ``name#2``, ``name#3`` ... while others of that name were there before.
        """
        from codecarbon.external.task import Task

        key: str = self._native.start_task(_name(task_name))
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
        values: list[str] | None = self._native.stop_task(_name(task_name))
        return None if values is None else self._end_task(values)

    def _end_task(self, values: list[str]) -> EmissionsData:
        from codecarbon.external.task import Task
        from codecarbon.output_methods.emissions_data import task_row

        row = task_row(values)
        data = self._as_run(row)
        self._tasks.setdefault(row.task_name, Task(row.task_name)).emissions_data = data
        if row.task_name in self._open_tasks:
            self._open_tasks.remove(row.task_name)
        return data

    def _as_run(self, row: TaskEmissionsData) -> EmissionsData:
        from codecarbon.output_methods.emissions_data import EmissionsData

        values = dict(row.values)
        del values["task_name"]
        settings = self._settings
        return EmissionsData(
            experiment_id=settings.text("experiment_id"),
            pue=settings.number("pue"),
            wue=settings.number("wue"),
            **values,
        )

    def _settle_tasks(self) -> None:
        """Takes over the figures of tasks that the stop has ended."""
        if self._open_tasks:
            wanted = set(self._open_tasks)
            for values in self._native.tasks():
                if values[0] in wanted:
                    self._end_task(values)

    @property
    def _active_task(self) -> str | None:
        """The key of the youngest open task."""
        return self._open_tasks[-1] if self._open_tasks else None


def _name(task_name: object) -> str:
    return "" if task_name is None else str(task_name)
