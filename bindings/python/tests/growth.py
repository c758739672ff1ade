"""Does one thing so many times and says what grew: growth.py WORK TIMES.

In a process of its own: one that has done other things has freed memory to hide growth in. Prints a
JSON object with the growth in threads, descriptors, allocated bytes and resident bytes.
"""

from __future__ import annotations

import ctypes
import gc
import itertools
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from support import ONE_SOCKET, QUIET, quiet

from codecarbon import TaskEmissionsTracker, _native, track_emissions
from codecarbon.output import BaseOutput, EmissionsData

OPTIONS = {"machine": str(ONE_SOCKET), "country_iso_code": "FRA", "measure_power_secs": "15"}
WORKS: dict[str, Callable[[], Callable[[], Any]]] = {}


def work(make: Callable[[], Callable[[], Any]]) -> Callable[[], Callable[[], Any]]:
    """Registers what makes the function that is to be called again and again."""
    WORKS[make.__name__] = make
    return make


class Sink:
    def write(self, values: list[str]) -> None: ...

    def write_tasks(self, rows: list[list[str]]) -> None: ...


class Handler(BaseOutput):
    def out(self, total: EmissionsData, delta: EmissionsData) -> None: ...


def log(level: int, line: str) -> None: ...


@work
def engines() -> Callable[[], Any]:
    def one() -> None:
        run = _native.Tracker(OPTIONS, log, [Sink()], "3")
        run.start()
        run.stop_task(run.start_task("t"))
        run.stop()
        os.unlink(f"emissions_base_{run.run_id}.csv")

    return one


@work
def trackers() -> Callable[[], Any]:
    def one() -> None:
        with quiet(save_to_file=True, output_handlers=[Handler()]) as tracker:
            with TaskEmissionsTracker("t", tracker=tracker):
                pass
        os.unlink(f"emissions_base_{tracker.run_id}.csv")

    return one


@work
def decorated_calls() -> Callable[[], Any]:
    return track_emissions(offline=True, **{**QUIET, "save_to_file": False})(lambda: None)


@work
def engines_that_nobody_stops() -> Callable[[], Any]:
    made = itertools.count()

    def one() -> None:
        # A cycle, for the collector. When it comes by itself is another matter in every version.
        sink = Sink()
        options = {**OPTIONS, "save_to_file": "false"}
        sink.run = _native.Tracker(options, log, [sink], "3")  # type: ignore[attr-defined]
        sink.run.start()  # type: ignore[attr-defined]
        if next(made) % 20 == 0:
            gc.collect()

    return one


@work
def flushes_append() -> Callable[[], Any]:
    tracker = quiet(save_to_file=True)
    tracker.start()
    return tracker.flush


@work
def flushes_update() -> Callable[[], Any]:
    tracker = quiet(save_to_file=True, on_csv_write="update", output_handlers=[Handler()])
    tracker.start()
    return tracker.flush


@work
def refusals() -> Callable[[], Any]:
    def one() -> None:
        for options in ({"pue": 0}, {"no_such": 1}, {"output_dir": "/no/such"}):
            try:
                quiet(save_to_file=True, **options)
            except (ValueError, TypeError, OSError):
                continue
            raise AssertionError(options)

    return one


@work
def leaked_memory() -> Callable[[], Any]:
    kept: list[bytes] = []
    return lambda: kept.append(b"x" * (10 + len(kept) % 3))


@work
def leaked_descriptors() -> Callable[[], Any]:
    return lambda: os.dup(0)


class MallInfo(ctypes.Structure):
    """What the C library says of its heap; the names are its own."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keep".split()
    ]


def allocated() -> int:
    """Bytes that are in use, not those kept for later. Python's objects too: see the test."""
    ask = ctypes.CDLL(None).mallinfo2
    ask.restype = MallInfo
    told = ask()
    return int(told.uordblks + told.hblkhd)


def used() -> dict[str, int]:
    gc.collect()
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[1])
    return {
        "threads": len(os.listdir("/proc/self/task")),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "allocated": allocated(),
        "resident": pages * os.sysconf("SC_PAGE_SIZE"),
    }


def main() -> None:
    one, times = WORKS[sys.argv[1]](), int(sys.argv[2])
    for _ in range(times // 10):  # to get going
        one()
    before = used()
    for _ in range(times):
        one()
    after = used()
    print(json.dumps({name: after[name] - before[name] for name in after}))


if __name__ == "__main__":
    main()
