"""Brings the engine's figures to outputs written in Python."""

from __future__ import annotations

import logging

from codecarbon.external.logger import in_one_line, say
from codecarbon.output_methods.base_output import BaseOutput
from codecarbon.output_methods.emissions_data import run_row, task_row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from codecarbon.output_methods.emissions_data import EmissionsData


def _has_live(handler: object) -> bool:
    method = getattr(type(handler), "live_out", None)
    return method is not None and method is not BaseOutput.live_out


class HandlerSink:
    """What the engine calls for the handlers of one tracker: by one thread at a time, in the order
    of the figures, with no lock held, and ``exit`` after all that a stop has written."""

    def __init__(self, handlers: list[Any], live_every: int, experiment_name: str) -> None:
        self.handlers = handlers
        # Nobody listens: then the engine need not come here from its thread.
        self.live_every = max(0, live_every) if any(map(_has_live, handlers)) else 0
        self._experiment_name = experiment_name
        self._previous: EmissionsData | None = None
        self._said: set[tuple[int, str]] = set()

    def write(self, values: list[str]) -> None:
        """A row, as texts in the order of the columns."""
        self._call("out", *self._total_and_delta(values))

    def write_live(self, values: list[str]) -> None:
        """The totals between two rows."""
        self._call("live_out", *self._total_and_delta(values))

    def write_tasks(self, rows: list[list[str]]) -> None:
        """All tasks that have ended."""
        self._call("task_out", [task_row(row) for row in rows], self._experiment_name)

    def exit(self) -> None:
        """Nothing more comes, unless the run is started again."""
        self._call("exit")

    def _total_and_delta(self, values: list[str]) -> tuple[EmissionsData, EmissionsData]:
        total = run_row(values)
        delta = total.compute_delta_emission(self._previous)
        # A copy: handlers may do with theirs what they like.
        self._previous = run_row(values)
        return total, delta

    def _call(self, method: str, *arguments: object) -> None:
        wish_to_end: BaseException | None = None
        for handler in self.handlers:
            try:
                function = getattr(handler, method, None)
                if function is not None:
                    function(*arguments)
            except Exception as error:
                self._tell(handler, method, error)
            except BaseException as error:  # Ctrl-C, sys.exit: for the program, when all are done
                wish_to_end = wish_to_end or error
        if wish_to_end is not None:
            raise wish_to_end

    def _tell(self, handler: object, method: str, error: BaseException) -> None:
        what = (id(handler), type(error).__name__)
        if what in self._said:
            return
        self._said.add(what)
        name = type(handler).__name__
        say(
            logging.ERROR,
            f"output {name}.{method} raised {in_one_line(error)}; the run and the other outputs go "
            "on, and this is not said again",
        )
