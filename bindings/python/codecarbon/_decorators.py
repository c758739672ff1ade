"""Decorators and a context manager around trackers."""

from __future__ import annotations

import functools

from codecarbon._options import bind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from contextlib import AbstractContextManager
    from types import TracebackType
    from typing import Any, TypeVar, overload

    from typing_extensions import Self, Unpack

    from codecarbon._typing import TrackerOptions
    from codecarbon.emissions_tracker import BaseEmissionsTracker

    Function = TypeVar("Function", bound=Callable[..., Any])
else:

    def overload(function: Any) -> Any:
        """Stands for that of typing, whose import would cost a program more than this package."""
        return function


@overload
def track_emissions(fn: Function, /) -> Function: ...
@overload
def track_emissions(
    fn: None = None,
    project_name: str | None = None,
    *arguments: Any,
    **options: Unpack[TrackerOptions],
) -> Callable[[Function], Function]: ...
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
    given: dict[str, Any]
    if arguments:
        given = bind((project_name, *arguments), options)
    else:
        given = bind((), {"project_name": project_name, **options})

    def make() -> BaseEmissionsTracker:
        from codecarbon import emissions_tracker as trackers

        return trackers.EmissionsTracker(**given)

    def decorate(function: Any) -> Any:
        return _wrap(function, make)

    return decorate if fn is None else decorate(fn)


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
        return _wrap(function, lambda: TaskEmissionsTracker(name, tracker))

    return decorate if fn is None else decorate(fn)


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
            from codecarbon.emissions_tracker import EmissionsTracker

            tracker = EmissionsTracker()
        self.tracker = tracker
        self.task_name = task_name
        self._keys: list[str] = []

    def __enter__(self) -> Self:
        if self.is_default_tracker:
            self.tracker.start()
        self._keys.append(self.tracker.start_task(self.task_name))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.tracker.stop_task(self._keys.pop())
        if self.is_default_tracker:
            self.tracker.stop()


def _wrap(function: Any, make: Callable[[], AbstractContextManager[Any]]) -> Any:
    """The function, with each call inside what ``make`` gives."""
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(_wrap(function.__func__, make))
    import inspect  # takes longer than the rest of the import

    if inspect.isasyncgenfunction(function):
        return _wrap_async_generator(function, make)
    if inspect.iscoroutinefunction(function):
        return _wrap_coroutine(function, make)
    if inspect.isgeneratorfunction(function):
        return _wrap_generator(function, make)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with make():
            return function(*args, **kwargs)

    return wrapper


def _wrap_coroutine(function: Any, make: Callable[[], AbstractContextManager[Any]]) -> Any:
    @functools.wraps(function)
    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        with make():
            return await function(*args, **kwargs)

    return wrapper


def _wrap_generator(function: Any, make: Callable[[], AbstractContextManager[Any]]) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with make():
            return (yield from function(*args, **kwargs))

    return wrapper


def _wrap_async_generator(function: Any, make: Callable[[], AbstractContextManager[Any]]) -> Any:
    @functools.wraps(function)
    async def wrapper(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        with make():
            inner = function(*args, **kwargs)
            try:
                step = inner.__anext__()
                while True:
                    try:
                        item = await step
                    except StopAsyncIteration:
                        return
                    # There is no `yield from` here: what comes in is passed on by hand.
                    try:
                        step = inner.asend((yield item))
                    except GeneratorExit:
                        raise
                    except BaseException as error:
                        step = inner.athrow(error)
            finally:
                await inner.aclose()

    return wrapper
