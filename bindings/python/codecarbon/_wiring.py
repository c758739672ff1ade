"""Makes the engine of a tracker and what it talks to: the logger, and outputs written in Python."""

from __future__ import annotations

import atexit
import logging
import sys

from codecarbon import _native
from codecarbon.external.logger import logger, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from codecarbon._handlers import HandlerSink
    from codecarbon._settings import Settings
    from codecarbon.lock import Lock

_LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL)
_CALLS = ("out", "live_out", "task_out", "exit")
_PYTHON_VERSION = sys.version.split(maxsplit=1)[0]


class Wiring:
    """The engine, and what has to be ended with a run.

    Raises as trackers do.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.lock: Lock | None = None
        options = settings.engine()
        handlers = self._handlers(options)
        wants_lock = not settings.flag("allow_multiple_runs")
        self._keeps_lock = wants_lock and self._take_lock("this one writes nothing")
        if wants_lock and not self._keeps_lock:
            options.update(save_to_file="false", save_to_logger="false")
            handlers = []
        sinks = self._sinks(handlers)
        try:
            self.run = _native.Tracker(options, _log, sinks, _PYTHON_VERSION)
            self._warn_of_missing_outputs()
        except BaseException:
            self.end()
            raise

    def begin(self) -> None:
        """Before a start: takes the lock again that a stop has given back, if it can be had."""
        if self._keeps_lock and self.lock is None:
            self._take_lock("this one runs again all the same")

    def end(self) -> None:
        """After a stop: gives the lock back."""
        lock, self.lock = self.lock, None
        if lock is not None:
            lock.release()

    def _handlers(self, options: dict[str, str]) -> list[Any]:
        """The outputs written in Python; what they do is taken off the engine's ``options``."""
        handlers = self._given_handlers()
        if endpoint := self._settings.text("emissions_endpoint"):
            from codecarbon.output_methods.http import HTTPOutput

            try:
                handlers.append(HTTPOutput(endpoint))
            except ValueError:
                accepted = "an address that begins with http:// or https://"
                raise self._settings.refuse("emissions_endpoint", endpoint, accepted) from None
        if self._settings.wants_logger():
            handlers.append(self._logger_output())
            options["save_to_logger"] = "false"
        return handlers

    def _given_handlers(self) -> list[Any]:
        given = self._settings.get("output_handlers")
        if isinstance(given, str) or not hasattr(given or (), "__iter__"):
            raise self._settings.refuse("output_handlers", given, "a list of BaseOutput objects")
        handlers = list(given or ())
        for handler in handlers:
            if isinstance(handler, type) or not any(hasattr(handler, name) for name in _CALLS):
                accepted = f"objects with {', '.join(_CALLS)}, or some of them, as BaseOutput has"
                raise self._settings.refuse("output_handlers", handler, accepted)
        return handlers

    def _logger_output(self) -> Any:
        from codecarbon.output_methods.logger import LoggerOutput

        target = self._settings.get("logging_logger")
        if target is None:
            return LoggerOutput(logger)
        if isinstance(target, (logging.Logger, logging.LoggerAdapter)):
            return LoggerOutput(target)
        if isinstance(target, type) or not hasattr(target, "out"):
            accepted = "a logging.Logger, or a LoggerOutput"
            raise self._settings.refuse("logging_logger", target, accepted)
        return target

    def _sinks(self, handlers: list[Any]) -> list[HandlerSink]:
        if not handlers:
            return []
        from codecarbon._handlers import HandlerSink

        settings = self._settings
        return [HandlerSink(handlers, settings.api_call_interval, settings.text("experiment_name"))]

    def _take_lock(self, or_else: str) -> bool:
        from codecarbon.lock import Lock

        lock = Lock()
        try:
            lock.acquire()
        except OSError as error:
            say(logging.WARNING, f"{error}: allow_multiple_runs is false; {or_else}")
            return False
        self.lock = lock
        return True

    def _warn_of_missing_outputs(self) -> None:
        if names := self._settings.not_offered():
            say(
                logging.WARNING,
                f"{', '.join(names)}: not offered yet and without effect; the run and the other "
                "outputs go on",
            )


def _log(level: int, line: str) -> None:
    say(_LEVELS[level], line)


# At the end of the interpreter whatever still runs writes its row.
atexit.register(_native.finish_all)
