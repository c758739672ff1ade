"""One task of a tracker."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from codecarbon.output_methods.emissions_data import EmissionsData, TaskEmissionsData


class Task:
    """A named stretch of a run, as in ``tracker._tasks``.

    ``emissions_data`` is None while the task is open; ``start_time`` is of ``time.perf_counter``.

    >>> Task("load data").is_active
    True
    """

    def __init__(self, task_name: str) -> None:
        self.task_id = task_name
        self.task_name = task_name
        self.start_time = time.perf_counter()
        self.emissions_data: EmissionsData | None = None

    @property
    def is_active(self) -> bool:
        """Whether it is still open."""
        return self.emissions_data is None

    def out(self) -> TaskEmissionsData | None:
        """The figures as a row of the per-task file; None while the task is open."""
        if self.emissions_data is None:
            return None
        from dataclasses import fields

        from codecarbon.output_methods.emissions_data import TaskEmissionsData

        names = [field.name for field in fields(TaskEmissionsData)]
        values = self.emissions_data.values
        return TaskEmissionsData(self.task_name, *(values[name] for name in names[1:]))
