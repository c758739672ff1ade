"""The native module itself: what it takes and gives, and who holds the interpreter lock when."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import ONE_SOCKET, rows, run_script

from codecarbon import _native

OPTIONS = {
    "machine": str(ONE_SOCKET),
    "country_iso_code": "FRA",
    "save_to_file": "false",
    "log_level": "warning",
    "measure_power_secs": "0.002",
}


class Sink:
    """Keeps what it is given."""

    def __init__(self, live_every: int = 0) -> None:
        self.live_every = live_every
        self.written: list[list[str]] = []
        self.live: list[list[str]] = []
        self.tasks: list[list[list[str]]] = []

    def write(self, values: list[str]) -> None:
        self.written.append(values)

    def write_live(self, values: list[str]) -> None:
        self.live.append(values)

    def write_tasks(self, rows: list[list[str]]) -> None:
        self.tasks.append(rows)


def tracker(
    *sinks: object, log: Callable[[int, str], None] | None = None, **options: str
) -> _native.Tracker:
    return _native.Tracker({**OPTIONS, **options}, log, sinks, "3.x")


def as_dict(values: list[str]) -> dict[str, str]:
    return dict(zip(_native.extended_columns(), values, strict=True))


def eventually(condition: Callable[[], object], seconds: float = 20) -> bool:
    """Waits for what another thread is to do."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True


def test_columns_are_those_of_the_contract() -> None:
    assert len(_native.columns()) == 38
    assert _native.extended_columns()[:38] == _native.columns()
    assert _native.task_columns()[0] == "task_name"
    missing = set(_native.columns()) - set(_native.task_columns())
    assert missing == {"experiment_id", "pue", "wue"}


def test_options_say_what_a_door_needs() -> None:
    options = {row["name"]: row for row in _native.options()}
    assert options["pue"]["default"] == "1"
    assert options["offline"]["is_boolean"] is True and options["pue"]["is_boolean"] is False
    assert all(row["accepted"] and row["help"] for row in options.values())


@pytest.mark.parametrize(
    ("options", "error", "parts"),
    [
        ({"pue": "0.5"}, ValueError, ["pue", "0.5", "keyword", "1 to 100"]),
        ({"country_iso_code": "XXX"}, ValueError, ["country_iso_code", "XXX"]),
        ({"machine": __file__}, ValueError, ["machine", "JSON"]),
        ({"puee": "1"}, TypeError, ["puee", "did you mean pue?"]),
        ({"output_dir": "/no/such", "save_to_file": "true"}, FileNotFoundError, ["/no/such"]),
        ({"machine": "/no/such"}, FileNotFoundError, ["machine", "/no/such"]),
    ],
)
def test_errors_are_those_of_the_engine(
    options: dict[str, str], error: type[Exception], parts: list[str]
) -> None:
    with pytest.raises(error) as raised:
        tracker(**options)
    assert type(raised.value) is error
    for part in parts:
        assert part in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_is_no_text_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="expected a str, not 1.2"):
        _native.Tracker({"pue": 1.2}, None, [], "")  # type: ignore[dict-item]
    with pytest.raises(TypeError):
        _native.Tracker({}, 7, [], "")  # type: ignore[arg-type]


def test_names_of_files_may_hold_any_byte(own_world: Path) -> None:
    folder = os.fsdecode(os.fsencode(own_world) + b"/\xff\xfe \xc3\xa9")
    os.mkdir(folder)
    run = tracker(save_to_file="true", output_dir=folder)
    run.start()
    run.stop()
    assert os.listdir(folder) == ["emissions.csv"]


def test_a_run_from_start_to_stop() -> None:
    sink = Sink()
    run = tracker(sink, project_name="Ünï, \"quoted\"\n2nd line")
    assert run.stop() is None and run.last_report() is None
    assert run.start() is not None
    key = run.start_task("a")
    task = run.stop_task(key)
    assert task is not None and task[0] == key
    assert len(task[1]) == len(_native.extended_columns())
    assert run.stop_task("nothing of the name") is None
    kg = run.stop()
    assert kg is not None and kg > 0
    (values,) = sink.written
    row = as_dict(values)
    assert float(row["emissions"]) == kg
    assert row["project_name"] == "Ünï, \"quoted\"\n2nd line"
    assert row["python_version"] == "3.x"
    assert run.last_report() == values
    assert run.tasks() == [task]
    assert [len(row) for row in sink.tasks[0]] == [len(_native.task_columns())]
    assert sum(run.energies_uj()) == round(float(row["energy_consumed"]) * 3.6e12)
    run.set_run_id("again")
    run.set_project_name("other")
    run.start()
    run.stop()
    assert as_dict(sink.written[1])["run_id"] == run.run_id == "again"
    assert as_dict(sink.written[1])["project_name"] == "other"


def test_live_rows_come_only_to_who_wants_them() -> None:
    wants, plain = Sink(live_every=1), Sink()
    del plain.live_every
    run = tracker(wants, plain)
    run.start()
    assert eventually(lambda: len(wants.live) >= 3)
    run.stop()
    # Rows come in the order of their figures: no live ones after the last.
    assert eventually(lambda: len(wants.written) == len(plain.written) == 1)
    after = len(wants.live)
    time.sleep(0.01)
    assert plain.live == [] and len(wants.live) == after


def test_a_sink_that_raises_is_told_of_once_and_does_not_stop_the_others() -> None:
    class Broken(Sink):
        name = "mine"

        def write(self, values: list[str]) -> None:
            raise ValueError("no room\nanywhere")

    lines: list[tuple[int, str]] = []
    good = Sink()
    run = tracker(Broken(), good, log=lambda level, line: lines.append((level, line)))
    run.start()
    assert run.flush() is not None
    assert run.stop() is not None
    assert len(good.written) == 2
    ((level, line),) = lines
    assert level == 3
    assert "mine" in line and "ValueError: no room anywhere" in line


def test_a_log_that_raises_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", raised.append)

    def log(level: int, line: str) -> None:
        raise RuntimeError(line)

    run = tracker(log=log)
    assert run.stop() is None
    assert [type(one.exc_value) for one in raised] == [RuntimeError]


@pytest.mark.parametrize("ending", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_the_wish_to_end_goes_through_and_the_row_is_kept(ending: type[BaseException]) -> None:
    class Impatient(Sink):
        def write(self, values: list[str]) -> None:
            super().write(values)
            raise ending

    first, second = Impatient(), Sink()
    run = tracker(first, second)
    run.start()
    with pytest.raises(ending):
        run.stop()
    assert len(first.written) == len(second.written) == 1
    assert run.stop() is not None


def test_a_handler_may_call_the_tracker_that_calls_it() -> None:
    class Curious(Sink):
        def write(self, values: list[str]) -> None:
            super().write(values)
            self.seen = run.report(), run.last_report(), run.flush()

    sink = Curious()
    run = tracker(sink)
    run.start()
    assert run.stop() is not None
    assert len(sink.written) == 1
    assert sink.seen[1] == sink.written[0]


# Who goes when ------------------------------------------------------------------------------------


def test_a_tracker_that_goes_while_it_runs_writes_its_row() -> None:
    sink = Sink()
    run = tracker(sink)
    run.start()
    del run
    assert len(sink.written) == 1


def test_a_tracker_that_goes_by_an_exception_leaves_the_exception_alone() -> None:
    sink = Sink()

    def fail() -> None:
        run = tracker(sink)
        run.start()
        raise LookupError("the user's")

    with pytest.raises(LookupError, match="the user's") as raised:
        fail()
    del raised
    gc.collect()
    assert len(sink.written) == 1


def test_a_cycle_of_tracker_and_handler_is_collected_and_its_row_is_written() -> None:
    written: list[list[str]] = []

    class Owner(Sink):
        def __init__(self) -> None:
            super().__init__(live_every=1)
            self.run = _native.Tracker(dict(OPTIONS), self.log, [self], "3.x")

        def log(self, level: int, line: str) -> None: ...

        def write(self, values: list[str]) -> None:
            written.append(values)

    gc.disable()
    try:
        owner = Owner()
        owner.run.start()
        assert eventually(lambda: owner.live)
        here = weakref.ref(owner)
        native = weakref.ref(owner.run)
        del owner
        assert here() is not None and native() is not None
    finally:
        gc.enable()
    # Its thread may be in the handler at that moment.
    assert eventually(lambda: gc.collect() >= 0 and here() is None and native() is None)
    assert len(written) == 1


def test_a_tracker_may_go_on_a_thread_of_its_own() -> None:
    class Ender(Sink):
        def __init__(self) -> None:
            super().__init__(live_every=1)
            self.threads: list[int] = []

        def write(self, values: list[str]) -> None:
            super().write(values)

        def write_live(self, values: list[str]) -> None:
            held.clear()
            super().write_live(values)

    sink = Ender()
    held = [tracker(sink)]
    held[0].start()
    assert eventually(lambda: sink.live and sink.written)
    assert len(sink.written) == 1


def test_another_thread_may_let_go_while_handlers_run() -> None:
    for _ in range(20):
        sink = Sink(live_every=1)
        held = [tracker(sink)]
        held[0].start()
        thread = threading.Thread(target=held.clear)
        thread.start()
        thread.join()
        assert len(sink.written) == 1


# The interpreter lock -----------------------------------------------------------------------------


def test_samples_keep_coming_while_the_interpreter_lock_is_held(tmp_path: Path) -> None:
    # A counter that wraps every 200 ms: what is not read often enough is lost.
    watts, held_s = 100.0, 0.6
    machine = tmp_path / "wrapping.json"
    package = {"power_w": watts, "range_j": 20, "plausible_w": 150}
    machine.write_text(json.dumps({"sockets": [{"package": package}]}))
    run = tracker(machine=str(machine), measure_power_secs="15")
    run.start()
    ctypes.PyDLL(None).usleep(int(held_s * 1e6))  # of all ways to call it, the one that holds on
    run.stop()
    values = run.last_report()
    assert values is not None
    duration_s = float(as_dict(values)["duration"])
    assert duration_s >= held_s
    assert run.energies_uj()[0] == pytest.approx(watts * duration_s * 1e6, rel=1e-3)


def test_a_call_that_waits_lets_other_threads_run(own_world: Path) -> None:
    import fcntl

    path = own_world / "locked.csv"
    file = _native.CsvFile(str(path), ["a", "b"], "append")
    file.append(["1", "2"])
    with open(path, "r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        waiter = threading.Thread(target=file.append, args=(["3", "4"],))
        waiter.start()
        waiter.join(0.05)
        assert waiter.is_alive()  # and we are here, so it does not hold the interpreter
        fcntl.flock(held, fcntl.LOCK_UN)
    waiter.join(20)
    assert not waiter.is_alive()
    assert rows(path) == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]


def test_many_threads_use_one_tracker() -> None:
    sink = Sink(live_every=1)
    run = tracker(sink)
    run.start()
    trouble: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(50):
                key = run.start_task("t")
                run.flush()
                run.report()
                assert run.stop_task(key) is not None
        except BaseException as error:
            trouble.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run.stop()
    assert not trouble
    # A thread that is writing already writes what others give it, which do not wait for it.
    assert eventually(lambda: len(sink.written) == 8 * 50 + 1)
    assert len({task[0] for task in run.tasks()}) == 8 * 50
    durations = [float(as_dict(values)["duration"]) for values in sink.written]
    assert durations == sorted(durations)


def test_a_subinterpreter_is_refused_and_the_main_one_goes_on() -> None:
    done = run_script(
        "import codecarbon\n"
        "tracker = codecarbon.OfflineEmissionsTracker(country_iso_code='FRA', save_to_file=False)\n"
        "tracker.start()\n"
        "try:\n"
        "    import _xxsubinterpreters as subs\n"
        "except ImportError:\n"
        "    import _interpreters as subs\n"
        "sub = subs.create()\n"
        "try:\n"
        "    raised = subs.run_string(sub, 'import codecarbon')\n"
        "except Exception as error:\n"
        "    raised = error\n"
        "print('ImportError' in str(raised))\n"
        "tracker.flush(); tracker.start_task()\n"
        "print(tracker.stop() is not None, tracker.final_emissions_data.country_iso_code)\n"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True\nTrue FRA\n", done.stdout


# CSV ----------------------------------------------------------------------------------------------


def test_csv_file_appends_updates_and_shows_its_header(own_world: Path) -> None:
    file = _native.CsvFile("rows.csv", ["run_id", "x"], "update")
    assert file.header() == []
    os.chdir("/")  # the path is of when the object was made
    assert file.write(["1", "a,b"]) == []
    file.append(["2", 'say "c"'])
    file.write(["1", ""])
    assert file.header() == ["run_id", "x"]
    path = own_world / "rows.csv"
    assert rows(path) == [{"run_id": "2", "x": 'say "c"'}, {"run_id": "1", "x": ""}]


def test_csv_file_tells_what_it_did_with_a_file_of_other_columns(own_world: Path) -> None:
    (own_world / "rows.csv").write_text("other,columns\n1,2\n")
    file = _native.CsvFile("rows.csv", ["x"], "append")
    ((level, line),) = file.append(["1"])
    assert level == 2 and ".bak" in line
    assert rows("rows.csv") == [{"x": "1"}]


def test_csv_file_refuses_what_it_cannot_do(own_world: Path) -> None:
    with pytest.raises(ValueError, match='mode: "truncate" is not accepted: append or update'):
        _native.CsvFile("rows.csv", ["x"], "truncate")
    file = _native.CsvFile("no/such/rows.csv", ["x", "y"], "append")
    with pytest.raises(ValueError, match="values"):
        file.append(["1"])
    with pytest.raises(OSError, match="no/such"):
        file.append(["1", "2"])
    assert file.header() == []


# Tables -------------------------------------------------------------------------------------------


def test_tables_agree_with_what_is_located() -> None:
    countries = {iso3: (iso2, name, g) for iso3, iso2, name, g in _native.countries()}
    assert len(countries) > 200 and all(len(iso3) == 3 for iso3 in countries)
    iso2, name, g_per_kwh = countries["FRA"]
    place = _native.locate(country_2letter_iso_code=iso2)
    assert (place["country_name"], place["g_per_kwh"], place["method"]) == (name, g_per_kwh, "country")
    region = _native.cloud_regions()[0]
    place = _native.locate("", "", "", region["provider"], region["region"], None)
    assert (place["on_cloud"], place["g_per_kwh"]) == (True, region["g_per_kwh"])
    assert _native.locate("FRA", force_g=7.5)["g_per_kwh"] == 7.5
    assert _native.locate()["method"] == "world average" and _native.locate()["warnings"]
    with pytest.raises(ValueError, match="XXX"):
        _native.locate("XXX")


def test_rated_power_is_known_or_none() -> None:
    assert _native.cpu_rated_power("Intel(R) Xeon(R) Gold 5222 CPU @ 3.80GHz") == 105
    assert _native.cpu_rated_power("a processor of nobody") is None


def test_detection_is_of_the_machine_that_options_name() -> None:
    found = _native.detect({"machine": str(ONE_SOCKET)})
    assert {sensor["use"] for sensor in found["sensors"]} >= {"cpu", "ram"}
    with pytest.raises(FileNotFoundError):
        _native.detect({"machine": "/no/such"})
