"""Outputs written in Python: called as promised, and never the run's trouble."""

from __future__ import annotations

import gc
import json
import logging
import threading
import time
import weakref
from typing import Any

import pytest
from support import QUIET, SCRIPT_HEAD, Lines, quiet, rows, run_script

from codecarbon import OfflineEmissionsTracker
from codecarbon.external.logger import logger
from codecarbon.output import (
    BaseOutput,
    CodeCarbonAPIOutput,
    EmissionsData,
    GoogleCloudLoggerOutput,
    LogfireOutput,
    LoggerOutput,
    PrometheusOutput,
    TaskEmissionsData,
)


class Recorder(BaseOutput):
    """Parameter names are its own, as they are in the wild."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.totals: list[EmissionsData] = []
        self.deltas: list[EmissionsData] = []
        self.tasks: list[TaskEmissionsData] = []
        self.experiment = ""
        self.live = threading.Event()

    def out(self, emissions: EmissionsData, new: EmissionsData) -> None:
        super().out(emissions, new)
        self.calls.append("out")
        self._keep(emissions, new)

    def live_out(self, emissions: EmissionsData, _: EmissionsData) -> None:
        super().live_out(emissions, _)
        self.calls.append("live_out")
        self._keep(emissions, _)
        self.live.set()

    def task_out(self, tasks: list[TaskEmissionsData], name: str) -> None:
        super().task_out(tasks, name)
        self.calls.append("task_out")
        self.tasks, self.experiment = tasks, name

    def exit(self) -> None:
        super().exit()
        self.calls.append("exit")

    def _keep(self, total: EmissionsData, delta: EmissionsData) -> None:
        self.totals.append(total)
        self.deltas.append(delta)


def test_a_handler_is_called_at_every_row() -> None:
    recorder = Recorder()
    tracker = quiet(output_handlers=[recorder], experiment_name="exp")
    tracker.start()
    assert recorder.calls == []
    tracker.flush()
    tracker.pause()
    tracker.resume()
    tracker.start_task("load")
    tracker.stop()
    assert sorted(recorder.calls) == ["exit", "out", "out", "out", "task_out"]
    assert recorder.calls[-1] == "exit"
    assert (recorder.experiment, [t.task_name for t in recorder.tasks]) == ("exp", ["load"])
    assert isinstance(recorder.tasks[0], TaskEmissionsData)
    assert recorder.totals[-1] == tracker.final_emissions_data
    before = list(recorder.calls)
    tracker.stop()
    tracker.flush()
    assert recorder.calls == before
    tracker.start()
    tracker.stop()
    assert recorder.calls[len(before) :] == ["out", "exit"]


def test_deltas_add_up_to_the_total() -> None:
    recorder = Recorder()
    tracker = quiet(
        output_handlers=[recorder], api_call_interval=1, measure_power_secs=0.005, pue=1.3
    )
    tracker.start()
    assert recorder.live.wait(20)
    tracker.flush()
    tracker.pause()
    tracker.resume()
    tracker.stop()
    total = recorder.totals[-1]
    for name in ("duration", "emissions", "cpu_energy", "ram_energy", "energy_consumed"):
        parts = [getattr(delta, name) for delta in recorder.deltas]
        assert min(parts) >= 0
        assert sum(parts) == pytest.approx(getattr(total, name), rel=1e-9)
    for delta in recorder.deltas:
        assert delta is not total
        assert delta.cpu_power * delta.duration / 3.6e6 == pytest.approx(delta.cpu_energy)


def test_live_figures_come_every_so_many_samples() -> None:
    recorder = Recorder()
    tracker = quiet(output_handlers=[recorder], api_call_interval=2, measure_power_secs=0.005)
    tracker.start()
    assert recorder.live.wait(20)
    tracker.stop()
    assert recorder.totals[0].duration >= 0.009
    assert rows() == []


@pytest.mark.parametrize("interval", [-1, 0, 10**9, 2**31, 2**63, 1e308])
def test_no_live_figures_where_none_are_wanted(interval: int) -> None:
    recorder = Recorder()
    tracker = quiet(
        output_handlers=[recorder], api_call_interval=interval, measure_power_secs=0.001
    )
    tracker.start()
    time.sleep(0.03)
    tracker.stop()
    assert "live_out" not in recorder.calls


def test_nobody_is_called_live_who_does_not_listen() -> None:
    class Quiet(BaseOutput):
        """Only what it inherits."""

    from codecarbon._handlers import HandlerSink

    assert HandlerSink([Quiet()], 8, "base").live_every == 0
    assert HandlerSink([Quiet(), Recorder()], 8, "base").live_every == 8


def test_one_that_raises_is_told_of_once_and_stops_nobody(lines: Lines) -> None:
    class Broken(BaseOutput):
        def out(self, total: EmissionsData, delta: EmissionsData) -> None:
            raise RuntimeError("disk on\nfire")

        def exit(self) -> None:
            raise RuntimeError("still")

    recorder = Recorder()
    tracker = quiet(output_handlers=[Broken(), recorder], save_to_file=True, log_level="error")
    tracker.start()
    for _ in range(3):
        assert tracker.flush() is not None
    assert tracker.stop() is not None
    assert recorder.calls == ["out"] * 4 + ["exit"]
    assert len(rows()) == 4
    (said,) = lines.texts()
    assert "Broken.out" in said and "RuntimeError: disk on fire" in said


def test_a_wish_to_end_the_program_passes_when_all_are_done() -> None:
    class Ender(BaseOutput):
        def out(self, total: EmissionsData, delta: EmissionsData) -> None:
            raise KeyboardInterrupt

    recorder = Recorder()
    tracker = quiet(output_handlers=[Ender(), recorder], save_to_file=True)
    tracker.start()
    with pytest.raises(KeyboardInterrupt):
        tracker.flush()
    assert recorder.calls == ["out"]
    assert len(rows()) == 1
    with pytest.raises(KeyboardInterrupt):
        tracker.stop()
    assert len(rows()) == 2


def test_a_handler_need_not_be_a_base_output() -> None:
    seen = []

    class Duck:
        def out(self, total: EmissionsData, delta: EmissionsData) -> None:
            seen.append(total)

    tracker = quiet(output_handlers=[Duck()])
    with tracker:
        tracker.start_task("load")
    assert len(seen) == 1


def test_a_handler_may_use_its_tracker() -> None:
    class Nosy(BaseOutput):
        depth = 0

        def out(self, total: EmissionsData, delta: EmissionsData) -> None:
            assert tracker._prepare_emissions_data().run_id == total.run_id
            self.depth += 1
            if self.depth == 1:
                tracker.flush()

        def exit(self) -> None:
            tracker.stop()

    nosy = Nosy()
    tracker = quiet(output_handlers=[nosy])
    tracker.start()
    tracker.flush()
    assert nosy.depth == 2
    assert tracker.stop() is not None
    assert nosy.depth == 3


def test_what_one_handler_changes_reaches_no_later_delta() -> None:
    class Vandal(BaseOutput):
        def out(self, total: EmissionsData, delta: EmissionsData) -> None:
            total.duration = 0

    class Keeper(BaseOutput):
        def out(self, total: EmissionsData, delta: EmissionsData) -> None:
            seen.append((total.duration, delta.duration))

    seen: list[tuple[float, float]] = []
    tracker = quiet(output_handlers=[Keeper(), Vandal()])
    tracker.start()
    tracker.flush()
    tracker.stop()
    (first, _), (second, since) = seen
    assert since == pytest.approx(second - first) and since > 0


def test_the_end_of_the_interpreter_is_a_stop() -> None:
    done = run_script(
        SCRIPT_HEAD
        + """
from codecarbon.output import BaseOutput
class Teller(BaseOutput):
    def out(self, total, delta): print("out", total.project_name, flush=True)
    def task_out(self, tasks, name): print("tasks", [t.task_name for t in tasks], flush=True)
    def exit(self): print("exit", flush=True)
tracker = OfflineEmissionsTracker("mine", output_handlers=[Teller()], **QUIET)
tracker.start()
tracker.start_task("open")
"""
    )
    assert sorted(done.stdout.splitlines()) == ["exit", "out mine", "tasks ['open']"], done.stderr
    assert done.stdout.endswith("exit\n")
    assert done.stderr == ""


def test_a_handler_that_knows_its_tracker_is_let_go_with_it() -> None:
    recorder = Recorder()
    tracker = quiet(output_handlers=[recorder])
    recorder.tracker = tracker  # type: ignore[attr-defined]
    tracker.start()
    gone = weakref.ref(tracker)
    del tracker, recorder
    gc.collect()
    assert gone() is None


# Loggers ------------------------------------------------------------------------------------


def logged(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [json.loads(record.getMessage()) for record in caplog.records if record.name == "mine"]


@pytest.mark.parametrize("wrap", [LoggerOutput, lambda logger: logger])
def test_rows_go_to_the_logger_that_is_given(
    wrap: Any, caplog: pytest.LogCaptureFixture, lines: Lines
) -> None:
    caplog.set_level(logging.INFO)
    tracker = quiet(
        save_to_logger=True, logging_logger=wrap(logging.getLogger("mine")), log_level="info"
    )
    with tracker:
        pass
    assert logged(caplog) == [vars(tracker.final_emissions_data)]
    assert not [text for text in lines.texts() if text.startswith("{")]


def test_a_logger_may_be_given_while_its_output_is_off(caplog: pytest.LogCaptureFixture) -> None:
    with quiet(logging_logger=logging.getLogger("mine")):
        pass
    assert logged(caplog) == []


def test_case_32_logging_without_a_logger_uses_the_packages_own(lines: Lines) -> None:
    """A logger that is none."""
    with quiet(save_to_logger=True, logging_logger=None, log_level="info"):
        pass
    messages = [text for text in lines.texts() if text.startswith("{")]
    assert len(messages) == 1


def test_severity_and_live_figures(caplog: pytest.LogCaptureFixture) -> None:
    with quiet() as tracker:
        pass
    data = tracker.final_emissions_data
    output = LoggerOutput(logging.getLogger("mine"), logging.ERROR)
    data.emissions = float("nan")
    output.out(data, data)
    output.live_out(data, data)
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 2
    assert "NaN" not in caplog.text


def test_google_cloud_gets_a_structure() -> None:
    entries = []

    class CloudLogger:
        def log_struct(self, entry: dict[str, Any], severity: str) -> None:
            entries.append((entry, severity))

    with quiet(
        output_handlers=[GoogleCloudLoggerOutput(CloudLogger(), logging.WARNING)]
    ) as tracker:
        pass
    assert entries == [(vars(tracker.final_emissions_data), "WARNING")]


@pytest.mark.parametrize(
    "make",
    [
        lambda: CodeCarbonAPIOutput("http://localhost", "experiment", "key", {}),
        lambda: PrometheusOutput("localhost:9091"),
        lambda: LogfireOutput(),
    ],
)
def test_outputs_that_are_not_offered_yet_say_so(make: Any) -> None:
    with pytest.raises(NotImplementedError, match="not offered yet"):
        make()


def test_nothing_leaves_the_machine_that_nobody_asked_for() -> None:
    """No output of the network: no socket is ever made."""
    done = run_script(
        SCRIPT_HEAD
        + """
def refuse(event, arguments):
    assert not event.startswith(("socket.", "urllib.")), event
sys.addaudithook(refuse)
for cls in (EmissionsTracker, OfflineEmissionsTracker):
    with cls(**QUIET) as tracker:
        tracker.start_task(); tracker.stop_task()
assert "socket" not in sys.modules
"""
    )
    assert done.returncode == 0, done.stderr
    assert len(rows()) == 2


def test_trackers_share_a_handler() -> None:
    recorder = Recorder()
    for name in ("a", "b"):
        with OfflineEmissionsTracker(name, **QUIET, save_to_file=False, output_handlers=[recorder]):
            pass
    assert [total.project_name for total in recorder.totals] == ["a", "b"]
    assert recorder.deltas[1].duration == recorder.totals[1].duration


class _Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError("not even this")


class _BrokenLog(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        raise RuntimeError("broken")


class _Rude(Recorder):
    """Raises what cannot be shown, from all it has, and has not even all of it."""

    def out(self, emissions: EmissionsData, new: EmissionsData) -> None:
        raise _Unspeakable

    live_out = out

    @property
    def task_out(self) -> Any:  # type: ignore[override]
        raise _Unspeakable

    @property
    def exit(self) -> Any:  # type: ignore[override]
        raise _Unspeakable


@pytest.mark.parametrize("log_breaks", [False, True])
def test_whatever_a_handler_raises_the_others_are_called_once_for_each_row(
    log_breaks: bool,
    lines: Lines,
) -> None:
    broken = _BrokenLog()
    if log_breaks:
        logger.addHandler(broken)
    try:
        before, after = Recorder(), Recorder()
        tracker = quiet(output_handlers=[before, _Rude(), after], save_to_prometheus=True)
        tracker.start()
        tracker.start_task("load")
        tracker.flush()
        assert tracker.stop() is not None
    finally:
        logger.removeHandler(broken)
    for recorder in (before, after):
        assert sorted(recorder.calls) == ["exit", "out", "out", "task_out"]
    assert len([text for text in lines.texts() if "_Unspeakable, which cannot be shown" in text]) == 1


def test_stop_waits_for_what_another_thread_is_telling_a_handler() -> None:
    class Slow(Recorder):
        def __init__(self) -> None:
            super().__init__()
            self.go_on = threading.Event()

        def live_out(self, emissions: EmissionsData, _: EmissionsData) -> None:
            self.live.set()
            self.go_on.wait(60)

    slow = Slow()
    tracker = quiet(
        output_handlers=[slow], api_call_interval=1, measure_power_secs=0.001, save_to_file=True
    )
    tracker.start()
    assert slow.live.wait(20)
    tracker.flush()
    assert (len(rows()), slow.calls) == (1, [])  # the file did not wait for the handler
    threading.Timer(0.05, slow.go_on.set).start()
    tracker.stop()
    assert (len(rows()), slow.calls) == (2, ["out", "out", "exit"])


def test_a_tracker_that_is_let_go_ends_its_outputs_too() -> None:
    recorder = Recorder()
    tracker = quiet(output_handlers=[recorder])
    tracker.start()
    del tracker
    gc.collect()
    assert recorder.calls == ["out", "exit"]


def test_a_handler_that_asks_for_a_row_with_each_row_does_not_do_so_for_ever() -> None:
    class Asking(Recorder):
        def out(self, emissions: EmissionsData, new: EmissionsData) -> None:
            super().out(emissions, new)
            tracker.flush()

    asking = Asking()
    tracker = quiet(output_handlers=[asking], save_to_file=True)
    tracker.start()
    tracker.flush()
    assert 1 < len(asking.calls) < 1000
    assert len(rows()) < 1000


def test_a_handler_that_ends_the_program_leaves_no_tracker_half_ended() -> None:
    class Ending(BaseOutput):
        def exit(self) -> None:
            raise SystemExit(7)

    tracker = quiet(output_handlers=[Ending()], allow_multiple_runs=False)
    tracker.start()
    with pytest.raises(SystemExit):
        tracker.stop()
    assert (tracker._start_time, tracker._scheduler) == (None, None)
    second = quiet(save_to_file=True, allow_multiple_runs=False)
    second.start()
    second.stop()
    assert len(rows()) == 1
