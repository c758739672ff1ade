"""A function called again and again, for programs that import it. Trackers use none."""

from __future__ import annotations

import logging
import threading
import time

from codecarbon.external.logger import in_one_line, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class PeriodicScheduler:
    """Calls ``function(*args, **kwargs)`` every ``interval`` seconds, in one thread of its own.

    The thread keeps no process alive. Calls never overlap; one that takes longer than the interval
    delays the next. What a call raises is logged and the next one comes all the same.

    >>> called = threading.Event()
    >>> scheduler = PeriodicScheduler(0.001, called.set)
    >>> scheduler.start()
    >>> called.wait(10)
    True
    >>> scheduler.stop()
    """

    def __init__(
        self, interval: float, function: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> None:
        self.interval = interval
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self._lock = threading.Lock()
        self._calling = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()

    def start(self) -> None:
        """Begins; the first call comes after one interval. Nothing happens while it is on."""
        with self._lock:
            if self._thread is not None:
                return
            self._stopped = threading.Event()
            self._thread = threading.Thread(target=self._run, args=(self._stopped,), daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ends. No call is on any more when this returns, unless it is called from within one."""
        with self._lock:
            self._stopped.set()
            thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _run(self, stopped: threading.Event) -> None:
        due = time.monotonic() + self.interval
        while not stopped.wait(max(0.0, due - time.monotonic())):
            with self._calling:  # a call that has stopped and started may still be on
                try:
                    self.function(*self.args, **self.kwargs)
                except Exception as error:
                    say(logging.ERROR, f"a periodic call failed ({in_one_line(error)}); the next "
                                       "one comes all the same")
            due = max(due + self.interval, time.monotonic())
