"""Ten thousand trackers and a hundred thousand rows: threads, descriptors and memory stay."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from support import rows, run_script

GROWTH = Path(__file__).with_name("growth.py")
SANITIZED = "CODECARBON_SANITIZED" in os.environ
SHARE = 50 if SANITIZED else 1
"""How much less to do where everything takes longer. Memory then is not looked at: freed memory is
kept aside there."""


def growth(work: str, times: int) -> dict[str, int]:
    # Without an allocator of Python's own the C library knows of every object.
    done = run_script(GROWTH, work, str(times), env={"PYTHONMALLOC": "malloc"}, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    return dict(json.loads(done.stdout))


def check_no_growth(work: str, times: int) -> None:
    times //= SHARE
    grown = growth(work, times)
    assert (grown["threads"], grown["descriptors"]) == (0, 0)
    if not SANITIZED:
        assert grown["allocated"] < 150_000, f"{grown['allocated'] / times:.1f} bytes each"
        assert grown["resident"] < 4_000_000


@pytest.mark.parametrize("work", ["engines", "trackers", "decorated_calls"])
def test_ten_thousand_trackers(work: str) -> None:
    check_no_growth(work, 10_000)


def test_two_thousand_trackers_that_nobody_stops() -> None:
    check_no_growth("engines_that_nobody_stops", 2_000)


@pytest.mark.parametrize("mode", ["append", "update"])
def test_a_hundred_thousand_flushes(mode: str) -> None:
    check_no_growth(f"flushes_{mode}", 100_000)
    assert len(rows()) == (110_000 // SHARE + 1 if mode == "append" else 1)


def test_a_thousand_refused_trackers_of_each_kind() -> None:
    check_no_growth("refusals", 1_000)


@pytest.mark.skipif(SANITIZED, reason="memory is not looked at there")
def test_memory_that_grows_is_seen() -> None:
    with pytest.raises(AssertionError, match="bytes each"):
        check_no_growth("leaked_memory", 10_000)


def test_descriptors_that_grow_are_seen() -> None:
    with pytest.raises(AssertionError):
        check_no_growth("leaked_descriptors", 10 * SHARE)
