"""Functions of every kind, each call of them inside a context."""

from __future__ import annotations

import functools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from contextlib import AbstractContextManager
    from typing import Any


def wrap(function: Any, make: Callable[[], AbstractContextManager[Any]]) -> Any:
    """The function, with each call inside what ``make`` gives."""
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(wrap(function.__func__, make))
    import inspect  # takes longer than the rest of the import

    if inspect.isasyncgenfunction(function):
        return _wrap_async_generator(function, make)
    # An object that is called may be one too.
    called = function if inspect.isroutine(function) else getattr(function, "__call__", function)  # noqa: B004
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called):
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
