"""The end of a process, whatever state its trackers are in: it comes at once, with the program's own
exit code, and the rows are there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import ONE_SOCKET, rows

HEAD = f"""
import atexit, os, sys, threading, time
from codecarbon import _native

class Sink:
    live_every = 1
    def write(self, values): os.write(1, b"row ")
    def write_live(self, values): pass
    def write_tasks(self, rows): os.write(1, b"tasks ")

def log(level, line): os.write(2, line.encode() + b"\\n")

def make(*sinks, **options):
    options = {{"machine": {str(ONE_SOCKET)!r}, "country_iso_code": "FRA", "log_level": "warning",
               "measure_power_secs": "0.001", **options}}
    return _native.Tracker(options, log, sinks, "3")

run = make(Sink())
"""

STARTED = "run.start(); time.sleep(0.01)\n"

LONGEST_S = 60
"""Enough for a sanitizer on a busy machine; a process that waits for something waits for ever."""


def end_of(script: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", HEAD + script],
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        **options,  # type: ignore[call-overload]
    )


@pytest.mark.parametrize(
    ("script", "written"),
    [
        ("", []),
        (STARTED, ["row"]),
        (STARTED + "run.pause()", ["row"]),
        (STARTED + "run.pause(); run.resume()", ["row", "row"]),
        (STARTED + "run.stop()", ["row"]),
        (STARTED + "run.stop(); run.start()", ["row", "row"]),
        (STARTED + "run.start_task('t')", ["row", "tasks"]),
        ("run.start_task('t')", ["row", "tasks"]),
        (STARTED + "run.stop(); run.start_task('t')", ["row", "tasks"]),
        (STARTED + "keep = [run]; keep.append(keep)", ["row"]),
        (STARTED + "sys.modules['mine'] = run", ["row"]),
        (STARTED + "del run", ["row"]),
        (STARTED + "_native.finish_all(); run.stop(); run.flush()", ["row"]),
    ],
)
def test_every_state_ends_at_once_with_its_rows(
    script: str,
    written: list[str],
    own_world: Path,
) -> None:
    done = end_of(script)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.split()) == sorted(written)
    assert len(rows()) == written.count("row")


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("raise LookupError('mine')", 1),
        ("sys.exit(3)", 3),
        ("threading.Thread(target=run.flush).start(); sys.exit(4)", 4),
        # A job in the background begins with the signal ignored.
        ("import signal; signal.signal(2, signal.default_int_handler); os.kill(os.getpid(), 2)",
         -signal.SIGINT),
    ],
)
def test_the_exit_code_is_the_program_s_own(ending: str, code: int, own_world: Path) -> None:
    done = end_of(STARTED + ending)
    assert done.returncode == code
    assert len(rows()) == 1 + ("flush" in ending)


def test_signal_handlers_stay_the_program_s(own_world: Path) -> None:
    done = end_of(
        "import signal\n"
        "def handlers(): return [signal.getsignal(s) for s in range(1, signal.NSIG)]\n"
        "before = handlers()\n" + STARTED + "run.stop()\n"
        "assert handlers() == before"
    )
    assert (done.returncode, done.stderr) == (0, "")


DAEMONS = """
def quiet(): return make(Sink(), log_level="critical")
run = quiet()
run.start()
def use(what):
    while True:
        what()
for what in (run.flush, run.report, run.tasks, lambda: run.stop_task(run.start_task("t")),
             lambda: quiet().start()):
    threading.Thread(target=use, args=(what,), daemon=True).start()
time.sleep(0.1)
"""


@pytest.mark.skipif(
    "CODECARBON_SANITIZED" in os.environ,
    reason="Python ends these threads by unwinding, which the sanitizer takes for a broken stack",
)
@pytest.mark.parametrize("attempt", range(5))
def test_daemon_threads_in_the_middle_of_calls_neither_hang_nor_crash_it(
    attempt: int,
    own_world: Path,
) -> None:
    done = end_of(DAEMONS)
    assert (done.returncode, done.stderr) == (0, "")


DEAF = """
entered = threading.Event()
def never_return(self, values):
    entered.set()
    time.sleep(3600)
"""
DEAF_TO_LIVE = DEAF + """
class Deaf(Sink): write_live = never_return
other = make(Deaf())
other.start()
"""
DEAF_TO_ROWS = DEAF + """
class Deaf(Sink): live_every, write = 0, never_return
other = make(Deaf())
other.start()
threading.Thread(target=other.flush, daemon=True).start()
"""


@pytest.mark.parametrize(("deaf", "flushes"), [(DEAF_TO_LIVE, 0), (DEAF_TO_ROWS, 1)])
@pytest.mark.parametrize("then", ["", "other.pause()", "other.stop()", "del other"])
def test_a_handler_that_never_returns_keeps_neither_the_process_nor_another_row(
    deaf: str,
    flushes: int,
    then: str,
    own_world: Path,
) -> None:
    done = end_of(f"{deaf}entered.wait()\n{then}\nprint('end')")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "end\n")
    assert len(rows()) == flushes + 1


def test_what_runs_after_our_exit_still_works(own_world: Path) -> None:
    # Registered before the package is imported, so called after it said good-bye.
    script = (
        "import atexit, threading\n"
        "def late():\n"
        "    def work():\n"
        "        results.append(run.stop())\n"
        "        other = make(Sink())\n"
        "        other.start()\n"
        "        results.append(other.stop())\n"
        "    results = []\n"
        "    thread = threading.Thread(target=work)\n"
        "    try:\n"
        "        thread.start()\n"
        "        thread.join()\n"
        "    except RuntimeError:\n"  # 3.12 and later start no thread by then
        "        work()\n"
        "    assert len(results) == 2 and all(kg is not None for kg in results), results\n"
        "    make(Sink()).start()\n"
        "atexit.register(late)\n" + HEAD + STARTED
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=LONGEST_S
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(rows()) >= 2


def test_a_killed_process_leaves_whole_rows(own_world: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", HEAD + STARTED + "while True: run.flush()"],
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.read(40)
    process.kill()
    process.communicate(timeout=LONGEST_S)
    assert process.returncode == -signal.SIGKILL
    assert len(rows()) >= 5


@pytest.mark.parametrize("library", ["PyDLL", "CDLL"])
def test_an_exit_that_the_interpreter_is_not_told_of_keeps_the_row(
    library: str,
    own_world: Path,
) -> None:
    # PyDLL calls exit() with the interpreter lock held, CDLL without. With the lock held the engine's
    # own threads could not end, and would be waited for as long as is ever waited.
    begin = time.monotonic()
    done = end_of(STARTED + f"import ctypes; ctypes.{library}(None).exit(5)")
    took_s = time.monotonic() - begin
    assert (done.returncode, done.stdout.split()) == (5, ["row"])
    assert len(rows()) == 1
    assert took_s < 5


@pytest.mark.skipif("CODECARBON_SANITIZED" in os.environ, reason="it keeps what was freed")
def test_the_interpreter_s_own_end_leaves_no_trace_of_ours(own_world: Path) -> None:
    done = end_of(STARTED + "import gc; run.stop(); del run; gc.collect(); print(len(os.listdir('/proc/self/task')))")
    assert done.stdout.split()[-1] == "1"
