"""From start to stop: the engine's table through Python, and every way in which a program ends."""

from __future__ import annotations

import ctypes
import gc
import json
import logging
import math
import signal
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support import CPU_W, SCRIPT_HEAD, Lines, quiet, rows, run_script

from codecarbon import EmissionsTracker, OfflineEmissionsTracker
from codecarbon.output import BaseOutput, EmissionsData

STATES = {
    "idle": [],
    "running": ["start"],
    "paused": ["start", "pause"],
    "stopped": ["start", "stop"],
}
# call -> state -> (level of what is said, rows that it writes, whether it gives a number)
TABLE = {
    "start": {
        "idle": (0, 0, False),
        "running": (30, 0, False),
        "paused": (0, 0, False),
        "stopped": (0, 0, False),
    },
    "pause": {
        "idle": (30, 0, False),
        "running": (0, 1, True),
        "paused": (30, 0, True),
        "stopped": (30, 0, True),
    },
    "resume": {
        "idle": (30, 0, False),
        "running": (30, 0, False),
        "paused": (0, 0, False),
        "stopped": (0, 0, False),
    },
    "flush": {
        "idle": (40, 0, False),
        "running": (0, 1, True),
        "paused": (0, 1, True),
        "stopped": (0, 0, True),
    },
    "stop": {
        "idle": (40, 0, False),
        "running": (0, 1, True),
        "paused": (0, 1, True),
        "stopped": (0, 0, True),
    },
}


@pytest.mark.parametrize("call", TABLE)
@pytest.mark.parametrize("state", STATES)
def test_every_call_in_every_state(call: str, state: str, lines: Lines) -> None:
    tracker = quiet(save_to_file=True, log_level="warning")
    for step in STATES[state]:
        getattr(tracker, step)()
    before = len(rows())
    lines.records.clear()
    result = getattr(tracker, call)()
    level, written, has_number = TABLE[call][state]
    assert max((r.levelno for r in lines.records), default=0) == level
    assert len(lines.records) <= 1
    assert len(rows()) - before == written
    assert (type(result) is float) == has_number and (result is None) != has_number
    tracker.stop()


def test_case_1_stop_inside_with_is_one_row_and_the_same_number() -> None:
    with quiet(save_to_file=True) as tracker:
        first = tracker.stop()
    assert len(rows()) == 1
    assert first == tracker.stop() == tracker.final_emissions > 0


def test_case_2_a_second_run_goes_on_and_the_gap_is_nobodys() -> None:
    tracker = quiet(save_to_file=True)
    active, emissions = 0.0, []
    for _ in range(2):
        began = time.perf_counter()
        tracker.start()
        time.sleep(0.05)
        emissions.append(tracker.stop())
        active += time.perf_counter() - began
        time.sleep(0.05)
    first, second = rows()
    assert first["run_id"] == second["run_id"]
    duration = float(second["duration"])
    assert 0.1 <= duration <= active
    assert duration - float(first["duration"]) >= 0.05
    assert 0 < emissions[0] < emissions[1]
    assert float(second["cpu_energy"]) * 3.6e6 / duration == pytest.approx(CPU_W, rel=0.1)


def test_what_is_used_in_a_pause_is_nobodys() -> None:
    tracker = quiet()
    began = time.perf_counter()
    tracker.start()
    paused = tracker.pause()
    active = time.perf_counter() - began
    time.sleep(0.05)
    assert tracker._prepare_emissions_data().emissions == paused
    began = time.perf_counter()
    tracker.resume()
    tracker.stop()
    active += time.perf_counter() - began
    assert tracker.final_emissions_data.duration <= active
    assert tracker.final_emissions > paused


def test_case_3_a_raise_in_a_script_keeps_its_exit_code_and_the_row() -> None:
    began = time.monotonic()
    done = run_script(
        SCRIPT_HEAD + "import signal\n"
        "before = [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)]\n"
        "tracker = OfflineEmissionsTracker(**QUIET)\n"
        "tracker.start()\n"
        "assert before == [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)]\n"
        "raise RuntimeError('mine')\n"
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "RuntimeError: mine"
    assert len(rows()) == 1
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    "ending, code",
    [
        ("", 0),
        ("sys.exit(7)", 7),
        ("raise KeyboardInterrupt", 130),
        ("threading.Thread(target=time.sleep, args=(0.05,)).start()", 0),
        ("tracker.stop(); tracker.stop()", 0),
        ("tracker.flush(); os.kill(os.getpid(), 9)", -9),
    ],
)
def test_a_program_that_ends_while_it_runs_has_its_row(ending: str, code: int) -> None:
    done = run_script(
        SCRIPT_HEAD + f"tracker = OfflineEmissionsTracker(**QUIET); tracker.start()\n{ending}\n"
    )
    assert done.returncode in (code, -signal.SIGINT if code == 130 else code), done.stderr
    assert len(rows()) == 1


@pytest.mark.parametrize("state", STATES)
def test_the_interpreter_exits_at_once_in_every_state(state: str) -> None:
    calls = "".join(f"tracker.{step}();" for step in STATES[state])
    done = run_script(
        SCRIPT_HEAD + "tracker = OfflineEmissionsTracker(**QUIET, measure_power_secs=3600);"
        f"{calls}\nprint('end', time.monotonic())",
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(rows()) == (0 if state == "idle" else 1)


def test_case_7_samples_come_while_the_lock_of_the_interpreter_is_held(
    own_world: Path,
    lines: Lines,
) -> None:
    """A counter wraps five times a second, and nobody may miss a wrap; not even to say, meanwhile,
    that another counter was reset."""
    wrapping = {"power_w": 100, "range_j": 20, "plausible_w": 150}
    reset = {"power_w": 10, "faults": [{"kind": "reset", "at_s": 0.05}]}
    machine = own_world / "wrapping.json"
    machine.write_text(json.dumps({"sockets": [{"package": wrapping}, {"package": reset}]}))
    tracker = quiet(machine=machine, measure_power_secs=0.02, log_level="warning")
    tracker.start()
    ctypes.PyDLL(None).usleep(600_000)  # of all ways to call it, the one that keeps the lock
    tracker.stop()
    data = tracker.final_emissions_data
    assert data.duration >= 0.6
    assert data.cpu_power == pytest.approx(110, rel=0.02)
    assert [line for line in lines.texts() if "was reset" in line]


def test_case_6_a_run_of_no_length_divides_by_nothing() -> None:
    for _ in range(50):
        tracker = quiet()
        tracker.start()
        tracker.start_task("none")
        tracker.stop_task("none")
        emissions = tracker.stop()
        for data in (tracker.final_emissions_data, tracker._tasks["none"].emissions_data):
            figures = [value for value in data.values.values() if isinstance(value, float)]
            assert all(math.isfinite(value) and value >= 0 for value in figures)
        assert math.isfinite(emissions)


def test_any_thread_may_stop_what_another_started() -> None:
    found: list[float | None] = []
    box: list[OfflineEmissionsTracker] = []

    def make() -> None:
        box.append(quiet(save_to_file=True))
        box[0].start()

    for work in (make, lambda: found.append(box[0].stop())):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert found[0] is not None and found[0] == box[0].stop()
    assert len(rows()) == 1


def at_once(work: Callable[[int], None], threads: int = 8) -> None:
    """Does it in so many threads; raises what one of them raises."""
    with ThreadPoolExecutor(threads) as pool:
        for result in [pool.submit(work, number) for number in range(threads)]:
            result.result()


def test_many_threads_may_use_one_tracker_at_once() -> None:
    tracker = quiet(save_to_file=True)
    tracker.start()

    def work(number: int) -> None:
        for _ in range(20):
            key = tracker.start_task(f"{number}")
            assert tracker.flush() is not None
            assert tracker._prepare_emissions_data().energy_consumed >= 0
            assert tracker.stop_task(key) is not None

    at_once(work)
    total = tracker.stop()
    written = [float(row["emissions"]) for row in rows()]
    assert written == sorted(written)
    assert len(written) == 8 * 20 + 1 and written[-1] == total
    assert len(tracker._tasks) == 8 * 20
    assert not any(task.is_active for task in tracker._tasks.values())


def test_stops_at_once_are_one_stop() -> None:
    tracker = quiet(save_to_file=True)
    tracker.start()
    numbers: list[float | None] = []
    at_once(lambda _: numbers.append(tracker.stop()))
    assert set(numbers) == {tracker.final_emissions}
    assert len(rows()) == 1


def test_several_trackers_at_once_see_the_same_machine() -> None:
    trackers = [quiet(save_to_file=True, project_name=str(n)) for n in range(4)]
    for tracker in trackers:
        tracker.start()
    time.sleep(0.05)
    for tracker in trackers:
        tracker.stop()
    for tracker in trackers:
        assert tracker.final_emissions_data.cpu_power == pytest.approx(CPU_W, rel=0.1)
    assert len(rows()) == 4


def test_no_python_thread_is_there_while_it_runs() -> None:
    before = threading.active_count()
    with quiet(measure_power_secs=0.001):
        assert threading.active_count() == before


def test_a_tracker_that_is_let_go_writes_its_row_and_is_gone() -> None:
    tracker = quiet(save_to_file=True)
    tracker.start()
    gone = weakref.ref(tracker)
    del tracker
    gc.collect()
    assert gone() is None
    assert len(rows()) == 1


def test_with_gives_the_tracker_and_lets_what_is_raised_through() -> None:
    with pytest.raises(KeyError, match="mine"):
        with quiet(save_to_file=True) as tracker:
            assert isinstance(tracker, OfflineEmissionsTracker)
            raise KeyError("mine")
    assert len(rows()) == 1


def test_trouble_while_measuring_reaches_nobody(lines: Lines, own_world: Path) -> None:
    """A folder that vanishes: the number is still returned, and one line says what happened."""
    folder = own_world / "out"
    folder.mkdir()
    tracker = quiet(save_to_file=True, output_dir=folder)
    tracker.start()
    folder.rmdir()
    assert tracker.flush() is not None
    assert tracker.flush() is not None
    errors = [r for r in lines.records if r.levelno >= logging.ERROR]
    assert len(errors) == 1
    folder.mkdir()
    tracker.stop()
    assert len(rows(folder / "emissions.csv")) == 3  # what could not be written was kept


def test_case_28_online_and_offline_answer_alike_without_a_network() -> None:
    """Nothing is asked, so nothing can be swallowed."""
    began = time.perf_counter()
    with EmissionsTracker(save_to_file=False, log_level="critical") as tracker:
        pass
    assert time.perf_counter() - began < 2
    assert tracker.final_emissions_data.country_name == ""


# Fork ---------------------------------------------------------------------------------------


def test_case_4_what_takes_too_long_never_overlaps_and_nothing_comes_after_the_last_row() -> None:
    class Slow(BaseOutput):
        def __init__(self) -> None:
            self.inside = self.most = 0
            self.calls: list[str] = []
            self.in_flight = threading.Event()

        def live_out(self, total: EmissionsData, delta: EmissionsData) -> None:
            self.take("live_out")

        def out(self, total: EmissionsData, delta: EmissionsData) -> None:
            self.take("out")

        def take(self, call: str) -> None:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.calls.append(call)
            self.in_flight.set()
            time.sleep(0.01)  # ten intervals
            self.inside -= 1

    for number in range(5):
        slow = Slow()
        tracker = quiet(
            save_to_file=True, measure_power_secs=0.001, api_call_interval=1, output_handlers=[slow]
        )
        tracker.start()
        assert slow.in_flight.wait(20)
        tracker.stop()
        # A stop does not wait for the call that is on: its row is given next, by the same thread.
        end = time.monotonic() + 20
        while "out" not in slow.calls and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(0.02)
        assert (slow.most, slow.calls.count("out"), slow.calls[-1]) == (1, 1, "out")
        assert len(rows()) == number + 1


def test_case_5_a_child_of_fork_has_an_inert_copy_and_may_make_its_own() -> None:
    done = run_script(
        SCRIPT_HEAD
        + """
tracker = OfflineEmissionsTracker(**{**QUIET, "log_level": "warning"}, project_name="parent")
tracker.start()
tracker.start_task("t")
if (child := os.fork()) == 0:
    assert tracker.stop() is None and tracker.flush() is None
    tracker.pause(); tracker.start(); tracker.stop_task("t"); tracker.start_task("u")
    tracker.final_emissions_data, tracker._total_energy, tracker.run_id, tracker._conf
    with OfflineEmissionsTracker(**QUIET, project_name="child") as mine:
        pass
    assert mine.final_emissions > 0
    sys.exit(5)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5
assert tracker.stop() is not None
"""
    )
    assert done.returncode == 0, done.stderr
    assert [row["project_name"] for row in rows()] == ["child", "parent"]
    # Python 3.12 and later have a word of their own for a fork beside native threads.
    (said,) = [line for line in done.stderr.splitlines() if line.startswith("[codecarbon")]
    assert "fork" in said


def test_a_child_of_fork_leaves_its_parents_outputs_alone() -> None:
    done = run_script(
        SCRIPT_HEAD
        + """
from codecarbon.output import BaseOutput
class Teller(BaseOutput):
    def out(self, total, delta): print("out", os.getpid() == parent, flush=True)
    def exit(self): print("exit", os.getpid() == parent, flush=True)
parent = os.getpid()
tracker = OfflineEmissionsTracker(**QUIET, output_handlers=[Teller()])
tracker.start(); tracker.flush()
if os.fork() == 0:
    sys.exit(0)
os.wait()
"""
    )
    assert done.stdout.split("\n") == ["out True", "out True", "exit True", ""], done.stderr


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_case_5_pools_of_workers_neither_hang_nor_count(method: str, own_world: Path) -> None:
    # Workers that are not forked read the script again, so it must be a file.
    script = own_world / "pool.py"
    script.write_text(
        SCRIPT_HEAD
        + f"""
import multiprocessing
def square(x):
    return x * x
if __name__ == "__main__":
    tracker = OfflineEmissionsTracker(**QUIET)
    tracker.start()
    with multiprocessing.get_context({method!r}).Pool(2) as pool:
        assert pool.map(square, range(20)) == [x * x for x in range(20)]
    tracker.stop()
"""
    )
    done = run_script(script)
    assert done.returncode == 0, done.stderr
    assert len(rows()) == 1


LOADER = (
    SCRIPT_HEAD
    + """
import multiprocessing
from codecarbon.output import BaseOutput

class Teller(BaseOutput):
    def out(self, total, delta): pass
    def live_out(self, total, delta): pass

def load(indices, batches, tracker):
    if tracker is not None: tracker.flush()  # the parent's own: inert here
    while (index := indices.get()) is not None:
        batches.put((index, sum(range(index))))

if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    tracker = OfflineEmissionsTracker(
        **{**QUIET, "log_level": "critical"}, measure_power_secs=0.001, api_call_interval=1,
        output_handlers=[Teller()])
    tracker.start()
    # A queue for each: one that is shared stays locked when a worker is ended that waits for it.
    queues, batches = [context.Queue() for _ in range(4)], context.Queue()
    inherited = tracker if sys.argv[1] == "fork" else None
    workers = [context.Process(target=load, args=(queue, batches, inherited), daemon=True)
               for queue in queues]
    for worker in workers: worker.start()
    for epoch in range(3):
        for index in range(20): queues[index % 4].put(index)
        assert sorted(batches.get(timeout=30) for _ in range(20)) == [
            (index, sum(range(index))) for index in range(20)]
        tracker.flush()
    workers[0].terminate()
    for queue in queues[1:]: queue.put(None)
    for worker in workers: worker.join(30)
    assert [worker.exitcode for worker in workers] == [-15, 0, 0, 0]
    tracker.stop()
"""
)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_case_5_workers_that_load_data_neither_hang_nor_count(method: str, own_world: Path) -> None:
    script = own_world / "loader.py"
    script.write_text(LOADER)
    done = run_script(script, method)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(rows()) == 4
    assert len({row["run_id"] for row in rows()}) == 1


def test_an_event_loop_goes_on_while_it_runs() -> None:
    import asyncio

    async def count() -> int:
        ticks = 0
        with quiet(measure_power_secs=0.001):
            for _ in range(20):
                await asyncio.sleep(0.001)
                ticks += 1
        return ticks

    assert asyncio.run(count()) == 20


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_worker_that_ends_while_it_runs_has_its_row(method: str, own_world: Path) -> None:
    script = own_world / "worker.py"
    script.write_text(
        SCRIPT_HEAD
        + f"""
import multiprocessing
def work():
    global tracker
    tracker = OfflineEmissionsTracker("worker", **QUIET)
    tracker.start()
if __name__ == "__main__":
    with OfflineEmissionsTracker("parent", **QUIET):
        worker = multiprocessing.get_context({method!r}).Process(target=work)
        worker.start()
        worker.join()
        assert worker.exitcode == 0
"""
    )
    done = run_script(script)
    assert (done.returncode, done.stderr) == (0, "")
    assert [row["project_name"] for row in rows()] == ["worker", "parent"]
