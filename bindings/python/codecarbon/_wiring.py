"""Makes the engine of a tracker and what it talks to: the logger, and outputs written in Python."""

from __future__ import annotations

import atexit
import logging
import os
import sys
import weakref

from codecarbon import _native
from codecarbon.external.logger import logger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from codecarbon._handlers import HandlerSink
    from codecarbon._settings import Settings
    from codecarbon.lock import Lock

_LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL)
_PYTHON_VERSION = sys.version.split(maxsplit=1)[0]
_sinks: weakref.WeakSet[HandlerSink] = weakref.WeakSet()


class Wiring:
    """The engine, and what has to be ended with a run.

    ``always``: options that hold whatever the settings say. Raises as trackers do.
    """

    def __init__(self, settings: Settings, always: dict[str, str]) -> None:
        _watch_worker_exit()
        self._settings = settings
        self.lock: Lock | None = None
        options = {**settings.engine(), **always}
        handlers = self._handlers(options)
        if not settings.flag("allow_multiple_runs") and not self._take_lock():
            options.update(save_to_file="false", save_to_logger="false")
            handlers = []
        self.sink = self._sink(handlers)
        sinks = [] if self.sink is None else [self.sink]
        try:
            self.engine = _native.Tracker(options, _log, sinks, _PYTHON_VERSION)
            self._warn_of_missing_outputs()
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """After a stop: tells the outputs, and gives the lock back."""
        if self.sink is not None:
            self.sink.exit()
        lock, self.lock = self.lock, None
        if lock is not None:
            lock.release()

    def _handlers(self, options: dict[str, str]) -> list[Any]:
        """The outputs written in Python; what they do is taken off the engine's ``options``."""
        settings = self._settings
        given = settings.get("output_handlers")
        if isinstance(given, str) or not hasattr(given or (), "__iter__"):
            raise ValueError(
                f'output_handlers: "{given}" (from keyword) is not accepted: a list of BaseOutput'
            )
        handlers = list(given or ())
        if endpoint := settings.text("emissions_endpoint"):
            from codecarbon.output_methods.http import HTTPOutput

            handlers.append(HTTPOutput(endpoint))
        target = settings.get("logging_logger")
        if target is not None and settings.wants_logger():
            from codecarbon.output_methods.logger import LoggerOutput

            plain = isinstance(target, (logging.Logger, logging.LoggerAdapter))
            handlers.append(LoggerOutput(target) if plain else target)
            options["save_to_logger"] = "false"
        return handlers

    def _sink(self, handlers: list[Any]) -> HandlerSink | None:
        if not handlers:
            return None
        from codecarbon._handlers import HandlerSink

        settings = self._settings
        sink = HandlerSink(handlers, settings.api_call_interval, settings.text("experiment_name"))
        _sinks.add(sink)
        return sink

    def _take_lock(self) -> bool:
        from codecarbon.lock import Lock

        lock = Lock()
        try:
            lock.acquire()
        except OSError as error:
            logger.warning(f"{error}: allow_multiple_runs is false, so this one writes nothing")
            return False
        self.lock = lock
        return True

    def _warn_of_missing_outputs(self) -> None:
        if names := self._settings.not_offered():
            logger.warning(
                f"{', '.join(names)}: not offered yet and without effect; the run and the other "
                "outputs go on"
            )


def _log(level: int, line: str) -> None:
    try:
        logger.log(_LEVELS[level], line)
    except Exception:  # noqa: SIM105 (contextlib is an import more)
        pass  # a handler of the program's own: its trouble must not become the run's


def _finish() -> None:
    """At the end of the interpreter: whatever still runs writes its row."""
    _native.finish_all()
    for sink in list(_sinks):
        sink.exit()


_watched_worker = 0


def _watch_worker_exit() -> None:
    """Workers of multiprocessing end without a word to atexit; they have a register of their own."""
    global _watched_worker
    process = sys.modules.get("multiprocessing.process")
    if process is None or process.parent_process() is None or _watched_worker == os.getpid():
        return
    from multiprocessing.util import Finalize

    _watched_worker = os.getpid()
    Finalize(None, _finish, exitpriority=-1)  # below zero: after the program's own


atexit.register(_finish)
# The outputs that a child of fork knows are its parent's.
os.register_at_fork(after_in_child=_sinks.clear)
