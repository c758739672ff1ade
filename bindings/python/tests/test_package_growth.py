"""Ten thousand trackers and a hundred thousand rows: threads, descriptors and memory stay."""

from __future__ import annotations

import gc
import itertools
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support import ONE_SOCKET, own_world, rows  # noqa: F401

from codecarbon import _native

SANITIZED = "CODECARBON_SANITIZED" in os.environ
SHARE = 50 if SANITIZED else 1
"""How much less to do where everything takes longer. Memory then is not looked at: freed memory is
kept aside there."""


def used() -> tuple[int, int, int]:
    """Threads, descriptors, and resident memory in bytes."""
    gc.collect()
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[1])
    threads = len(os.listdir("/proc/self/task"))
    return threads, len(os.listdir("/proc/self/fd")), pages * os.sysconf("SC_PAGE_SIZE")


def check_no_growth(work: Callable[[], None], times: int, allowed: int) -> None:
    """`allowed` bytes may come over all `times`, after a tenth of them to get going."""
    for _ in range(times // 10):
        work()
    before = used()
    for _ in range(times - times // 10):
        work()
    after = used()
    assert after[:2] == before[:2]
    if not SANITIZED:
        assert after[2] - before[2] <= allowed, f"{(after[2] - before[2]) / times:.0f} bytes each"


class Sink:
    def write(self, values: list[str]) -> None: ...

    def write_tasks(self, rows: list[list[str]]) -> None: ...


def log(level: int, line: str) -> None: ...


OPTIONS = {"machine": str(ONE_SOCKET), "country_iso_code": "FRA", "measure_power_secs": "15"}


def test_ten_thousand_trackers(own_world: Path) -> None:  # noqa: F811
    def one() -> None:
        run = _native.Tracker({**OPTIONS, "on_csv_write": "append"}, log, [Sink()], "3")
        run.start()
        run.stop_task(run.start_task("t"))
        run.stop()
        os.unlink(f"emissions_base_{run.run_id}.csv")

    # 100 bytes each would be a megabyte.
    check_no_growth(one, 10_000 // SHARE, allowed=1_000_000)
    assert len(rows()) == 10_000 // SHARE


def test_two_thousand_trackers_that_nobody_stops(own_world: Path) -> None:  # noqa: F811
    def one() -> None:
        # A cycle, for the collector. When it comes by itself is another matter in every version.
        sink = Sink()
        sink.run = _native.Tracker(  # type: ignore[attr-defined]
            {**OPTIONS, "save_to_file": "false"}, log, [sink], "3"
        )
        sink.run.start()  # type: ignore[attr-defined]
        if next(made) % 20 == 0:
            gc.collect()

    made = itertools.count()
    check_no_growth(one, 10_000 // SHARE // 5, allowed=1_000_000)


@pytest.mark.parametrize("mode", ["append", "update"])
def test_a_hundred_thousand_rows(mode: str, own_world: Path) -> None:  # noqa: F811
    run = _native.Tracker({**OPTIONS, "on_csv_write": mode}, log, [Sink()], "3")
    run.start()
    count = 100_000 // SHARE
    check_no_growth(lambda: run.flush() and None, count, allowed=1_000_000)
    run.stop()
    with open("emissions.csv", "rb") as file:
        assert sum(1 for _ in file) == (count + 2 if mode == "append" else 2)


def test_errors_leave_nothing_behind(own_world: Path) -> None:  # noqa: F811
    def one() -> None:
        for options in ({"pue": "0"}, {"no_such": "1"}, {"output_dir": "/no/such"}):
            with pytest.raises((ValueError, TypeError, OSError)):
                _native.Tracker({**OPTIONS, **options}, log, [Sink()], "3")

    check_no_growth(one, 1_000 // min(SHARE, 10), allowed=1_000_000)
