"""Trackers, and the decorators and the context manager around them.

A tracker is a thin shell around the native engine, which samples in a thread of its own without the
interpreter lock, keeps the lifecycle, and writes the CSV.
"""

from __future__ import annotations

from codecarbon._options import bind
from codecarbon._trackers import BaseEmissionsTracker, EmissionsTracker, OfflineEmissionsTracker
from codecarbon._version import __version__
from codecarbon._wrap import wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, overload

    from typing_extensions import Self, Unpack

    from codecarbon._typing import TrackerOptions
    from codecarbon.output_methods.base_output import OutputMethod
    from codecarbon.output_methods.emissions_data import EmissionsData, TaskEmissionsData

    _Function = TypeVar("_Function", bound=Callable[..., Any])
else:

    def overload(function: Any) -> Any:
        """Stands for that of typing, whose import would cost a program more than this package."""
        return function

    def __getattr__(name: str) -> object:
        # Making these classes takes longer than all the rest of the import.
        if name in ("EmissionsData", "TaskEmissionsData", "OutputMethod"):
            from codecarbon import output

            return getattr(output, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "BaseEmissionsTracker",
    "EmissionsData",
    "EmissionsTracker",
    "OfflineEmissionsTracker",
    "OutputMethod",
    "TaskEmissionsData",
    "TaskEmissionsTracker",
    "__version__",
    "track_emissions",
    "track_task_emissions",
]


@overload
def track_emissions(
    fn: _Function,
    project_name: str | None = None,
    *arguments: Any,
    **options: Unpack[TrackerOptions],
) -> _Function: ...
@overload
def track_emissions(
    fn: None = None,
    project_name: str | None = None,
    *arguments: Any,
    **options: Unpack[TrackerOptions],
) -> Callable[[_Function], _Function]: ...
def track_emissions(
    fn: Callable[..., Any] | None = None,
    project_name: str | None = None,
    *arguments: Any,
    **options: Any,
) -> Any:
    """Measures every call of a function, each with a tracker and a row of its own.

    With or without arguments, which are those of the trackers. Works on functions, methods,
    generators (measured from the first item to the last), coroutines and asynchronous generators.
    What the function raises passes through, and the row is written all the same.

    Raises TypeError for an unknown keyword where it is written, ValueError and OSError for bad
    values when the function is called.

    >>> @track_emissions(offline=True, country_iso_code="FRA", save_to_file=False,
    ...                  log_level="error")
    ... def train(epochs):
    ...     return epochs + 1
    >>> train(3)
    4
    """
    if fn is not None and not _is_function(fn):
        raise TypeError(f"track_emissions: {fn!r} is no function; name options by their keyword")
    given: dict[str, Any]
    if arguments:
        given = bind((project_name, *arguments), options)
    else:
        given = bind((), {"project_name": project_name, **options})

    def decorate(function: Any) -> Any:
        return wrap(function, lambda: EmissionsTracker(**given))

    return decorate if fn is None else decorate(fn)


@overload
def track_task_emissions(
    fn: _Function, tracker: BaseEmissionsTracker | None = None, task_name: str = ""
) -> _Function: ...
@overload
def track_task_emissions(
    fn: None = None, tracker: BaseEmissionsTracker | None = None, task_name: str = ""
) -> Callable[[_Function], _Function]: ...
def track_task_emissions(
    fn: Callable[..., Any] | None = None,
    tracker: BaseEmissionsTracker | None = None,
    task_name: str = "",
) -> Any:
    """Measures every call of a function as a task of ``tracker``, named as the function is if
    ``task_name`` is not given. Without a tracker each call gets one of its own.

    >>> from codecarbon import OfflineEmissionsTracker
    >>> tracker = OfflineEmissionsTracker(country_iso_code="FRA", save_to_file=False,
    ...                                   log_level="error")
    >>> @track_task_emissions(tracker=tracker)
    ... def load():
    ...     pass
    >>> load(); load()
    >>> list(tracker._tasks)
    ['load', 'load#2']
    """

    def decorate(function: Any) -> Any:
        name = task_name or getattr(function, "__name__", "")
        return wrap(function, lambda: TaskEmissionsTracker(name, tracker))

    return decorate if fn is None else decorate(fn)


def _is_function(given: object) -> bool:
    return callable(given) or isinstance(given, (staticmethod, classmethod))


class TaskEmissionsTracker:
    """A task for the length of a ``with`` block. Without a tracker it gets one of its own, which
    runs as long as the task.

    >>> from codecarbon import OfflineEmissionsTracker
    >>> tracker = OfflineEmissionsTracker(country_iso_code="FRA", save_to_file=False,
    ...                                   log_level="error")
    >>> with TaskEmissionsTracker("load", tracker=tracker):
    ...     total = sum(range(1000))
    >>> list(tracker._tasks)
    ['load']
    """

    def __init__(self, task_name: str, tracker: BaseEmissionsTracker | None = None) -> None:
        self.is_default_tracker = tracker is None
        if tracker is None:
            tracker = EmissionsTracker()
        self.tracker = tracker
        self.task_name = task_name
        self._keys: list[str] = []

    def __enter__(self) -> Self:
        """Begins the task."""
        if self.is_default_tracker:
            self.tracker.start()
        self._keys.append(self.tracker.start_task(self.task_name))
        return self

    def __exit__(self, *raised: object) -> None:
        """Ends the task, whatever was raised."""
        self.tracker.stop_task(self._keys.pop())
        if self.is_default_tracker:
            self.tracker.stop()
