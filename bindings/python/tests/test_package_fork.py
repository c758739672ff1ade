"""Processes that come from processes: nothing hangs, and nothing is counted or written twice."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import ONE_SOCKET, SCRIPT_HEAD, rows, run_script

HEAD = f"""
import os, sys, threading, time, warnings
from codecarbon import _native

# Said of any second thread since 3.12, also of one that knows how to be forked beside.
warnings.filterwarnings("ignore", "This process .* is multi-threaded")

def make(name, *sinks, log=None, **options):
    options = {{"machine": {str(ONE_SOCKET)!r}, "country_iso_code": "FRA", "project_name": name,
               "log_level": "warning", "measure_power_secs": "0.001", **options}}
    return _native.Tracker(options, log, sinks, "3")

class Sink:
    live_every = 1
    def __init__(self): self.written = []
    def write(self, values): self.written.append(os.getpid())
    def write_live(self, values): pass
    def write_tasks(self, rows): pass

def wait_for(pid):
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert code == 0, code
"""


def names() -> list[str]:
    return sorted(row["project_name"] for row in rows())


def test_the_child_s_copy_is_inert_and_a_new_one_works(own_world: Path) -> None:
    done = run_script(
        HEAD
        + """
said = []
sink = Sink()
run = make("parent", sink, log=lambda level, line: said.append(line))
run.start()
time.sleep(0.01)
pid = os.fork()
if pid == 0:
    assert run.is_foreign()
    answers = [run.start(), run.pause(), run.resume(), run.flush(), run.stop(),
               run.stop_task(run.start_task("t")), run.tasks(), run.last_report()]
    assert not any(answers), answers
    assert len(said) == 1 and "fork" in said[0], said
    assert len(run.report()) == len(_native.extended_columns()) and run.energies_uj() == (0, 0, 0)
    assert sink.written == []
    new = make("child")
    new.start()
    time.sleep(0.005)
    assert new.stop() > 0
    del run, new
    sys.exit(0)
wait_for(pid)
assert not run.is_foreign()
assert run.stop() > 0
assert sink.written == [os.getpid()] and said == []
"""
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert names() == ["child", "parent"]


@pytest.mark.parametrize("ending", ["sys.exit(0)", "os._exit(0)", "del run; os._exit(0)"])
def test_a_child_that_ends_writes_nothing_of_the_parent(ending: str, own_world: Path) -> None:
    done = run_script(
        HEAD
        + f"""
run = make("parent")
run.start()
task = run.start_task("open")
pid = os.fork()
if pid == 0:
    {ending}
wait_for(pid)
"""
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert names() == ["parent"]


def test_a_child_that_ends_while_its_own_runs_writes_that_row(own_world: Path) -> None:
    done = run_script(
        HEAD
        + """
run = make("parent")
run.start()
pid = os.fork()
if pid == 0:
    own = make("child")
    own.start()
    sys.exit(0)
wait_for(pid)
"""
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert names() == ["child", "parent"]


@pytest.mark.skipif(
    "CODECARBON_SANITIZED" in os.environ, reason="the sanitizer's own allocator hangs after fork"
)
def test_forks_in_the_middle_of_everything_never_hang(own_world: Path) -> None:
    done = run_script(
        HEAD
        + """
runs = [make(f"parent {i}", Sink(), save_to_file="false") for i in range(4)]
for run in runs: run.start()
stop = False
def use(run):
    while not stop:
        run.flush()
        run.stop_task(run.start_task("t"))
        make("brief", Sink(), save_to_file="false").start()
threads = [threading.Thread(target=use, args=(run,)) for run in runs]
for thread in threads: thread.start()
for _ in range(40):
    pid = os.fork()
    if pid == 0:
        for run in runs: run.flush()
        own = make("child", Sink(), save_to_file="false")
        own.start()
        assert own.stop() is not None
        runs.clear()
        del run
        _native.finish_all()
        os._exit(0)
    wait_for(pid)
stop = True
for thread in threads: thread.join()
""",
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")


POOL = (
    HEAD
    + """
import multiprocessing

def work(number):
    own = make(f"worker {number}")
    own.start()
    time.sleep(0.005)
    return own.stop()

def forget_to_stop(name):
    global kept
    kept = make(name)
    kept.start()

if __name__ == "__main__":
    run = make("parent")
    run.start()
    context = multiprocessing.get_context(sys.argv[1])
    with context.Pool(2) as pool:
        results = pool.map(work, range(6), chunksize=1)
    assert len(results) == 6 and all(kg > 0 for kg in results), results
    process = context.Process(target=forget_to_stop, args=("worker 6",))
    process.start()
    process.join()
    assert process.exitcode == 0
    assert run.stop() > 0
"""
)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_workers_of_every_kind_measure_on_their_own(method: str, own_world: Path) -> None:
    script = own_world / "pool.py"
    script.write_text(POOL)
    done = subprocess.run(
        [sys.executable, str(script), method], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert names() == ["parent"] + [f"worker {number}" for number in range(7)]


def test_a_program_that_is_started_inherits_nothing(own_world: Path) -> None:
    done = run_script(
        HEAD
        + """
import subprocess
run = make("parent")
run.start()
run.flush()
listed = subprocess.run([sys.executable, "-c", "import os; print(*os.listdir('/proc/self/fd'))"],
                        close_fds=False, capture_output=True, text=True)
assert len(listed.stdout.split()) <= 4, listed.stdout  # three streams and the listing itself
"""
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_tracker_that_was_never_begun_is_the_child_s_own(own_world: Path) -> None:
    """As in a worker that was forked from a server which had made the tracker."""
    done = run_script(
        SCRIPT_HEAD + """
tracker = OfflineEmissionsTracker("forked", **QUIET)
children = []
for begin in (tracker.start, lambda: tracker.start_task("t"), lambda: None):
    children.append(os.fork())
    if children[-1] == 0:
        begin()
        time.sleep(0.01)
        kg = tracker.stop()
        print(tracker.run_id or "none", kg, flush=True)
        os._exit(0)
    os.waitpid(children[-1], 0)
tracker.start()
print(tracker.run_id, tracker.stop())
"""
    )
    assert done.returncode == 0, done.stderr
    runs = [line.split() for line in done.stdout.splitlines()]
    assert [kg == "None" for _, kg in runs] == [False, False, True, False]
    assert sorted(row["run_id"] for row in rows()) == sorted(run for run, kg in runs if kg != "None")
    assert len({row["run_id"] for row in rows()}) == 3


def test_the_lock_of_a_single_run_ends_with_its_process_whatever_it_has_forked(
    own_world: Path,
) -> None:
    done = run_script(
        SCRIPT_HEAD + """
go_on = os.pipe()
holder = os.fork()
if holder == 0:
    tracker = OfflineEmissionsTracker(**QUIET, allow_multiple_runs=False)
    tracker.start()
    if os.fork() == 0:
        os.close(go_on[1])
        os.read(go_on[0], 1)  # outlives the holder
    os._exit(0)
os.waitpid(holder, 0)
tracker = OfflineEmissionsTracker(**QUIET, allow_multiple_runs=False)
tracker.start()
tracker.stop()
print(os.path.exists("emissions.csv"))
"""
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_a_worker_with_workers_is_measured_until_they_have_ended(own_world: Path) -> None:
    script = own_world / "nested.py"
    script.write_text(
        SCRIPT_HEAD + """
import multiprocessing
def inner():
    time.sleep(0.3)
def outer():
    global tracker
    tracker = OfflineEmissionsTracker(**QUIET)
    tracker.start()
    multiprocessing.Process(target=inner).start()
if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    worker = multiprocessing.Process(target=outer)
    worker.start()
    worker.join()
"""
    )
    for method in ("fork", "spawn"):
        assert run_script(script, method).returncode == 0
    assert [float(row["duration"]) > 0.25 for row in rows()] == [True, True]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_workers_are_in_the_job_of_the_run_that_started_them(method: str, own_world: Path) -> None:
    done = run_script(
        f"""
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from codecarbon import OfflineEmissionsTracker

OPTIONS = dict(machine={str(ONE_SOCKET)!r}, country_iso_code="FRA", log_level="error",
               csv_columns="extended")
WORK = f'''
from codecarbon import OfflineEmissionsTracker
with OfflineEmissionsTracker("worker", **{{OPTIONS!r}}): pass
'''
with OfflineEmissionsTracker("parent", **OPTIONS):
    with ProcessPoolExecutor(2, mp_context=get_context({method!r})) as pool:
        for work in [pool.submit(exec, WORK) for _ in range(4)]: work.result()
"""
    )
    assert (done.returncode, done.stderr) == (0, "")
    [parent] = [row for row in rows() if row["project_name"] == "parent"]
    workers = [row for row in rows() if row["project_name"] == "worker"]
    assert len(workers) == 4
    assert {row["job_id"] for row in workers} == {parent["run_id"]}
    assert (parent["job_id"], parent["rank"], workers[0]["rank"]) == ("", "", "")
