"""The logger: one handler of its own, and nobody else's is ever touched."""

from __future__ import annotations

import io
import logging
import re

import pytest
from support import Lines, quiet, run_script

from codecarbon import OfflineEmissionsTracker
from codecarbon.external.logger import logger, set_logger_format, set_logger_level


@pytest.fixture
def stream() -> io.StringIO:
    """Where the package's own handler writes during the test."""
    own = next(h for h in logger.handlers if isinstance(h, logging.StreamHandler))
    text = io.StringIO()
    before = own.setStream(text)
    try:
        yield text
    finally:
        own.setStream(before)


def test_it_has_one_handler_and_passes_nothing_on() -> None:
    done = run_script(
        "import logging, codecarbon\n"
        "logger = logging.getLogger('codecarbon')\n"
        "print([type(h).__name__ for h in logger.handlers], logger.propagate, logger.level)\n"
        "print(logging.getLogger().handlers)\n"
    )
    assert done.stdout.splitlines() == ["['StreamHandler'] False 20", "[]"]
    assert logger.name == "codecarbon"


def test_a_line_looks_as_users_know_it(stream: io.StringIO) -> None:
    logger.info("100% started")
    assert re.fullmatch(r"\[codecarbon INFO @ \d\d:\d\d:\d\d\] 100% started\n", stream.getvalue())


def test_a_preamble_stands_in_front_of_every_message(stream: io.StringIO) -> None:
    tracker = quiet(logger_preamble="rank 3 %d", log_level="warning")
    tracker.pause()
    logger.warning("of python")
    for line in stream.getvalue().splitlines():
        assert re.match(r"\[codecarbon WARNING @ [\d:]{8}\]\[rank 3 %d\] \w", line), line
        assert line.count("rank 3") == 1
    assert len(stream.getvalue().splitlines()) == 2


@pytest.mark.parametrize("level", ["error", "ERROR", 40, "40"])
def test_a_level_has_a_name_in_any_case_or_a_number(level: object) -> None:
    set_logger_level("info")
    set_logger_level(level)  # type: ignore[arg-type]
    assert logger.level == 40


def test_an_unknown_level_changes_nothing_and_is_said(lines: Lines) -> None:
    set_logger_level("loud")
    assert logger.level == 20
    assert "loud" in lines.texts()[0]


def test_no_level_takes_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    set_logger_level()
    assert logger.level == 20
    monkeypatch.setenv("CODECARBON_LOG_LEVEL", "critical")
    set_logger_level(None)
    assert logger.level == 50


def test_the_environment_acts_at_import() -> None:
    script = (
        "import codecarbon, logging\n"
        "print(logging.getLogger('codecarbon').level)\n"
        "codecarbon.OfflineEmissionsTracker(save_to_file=False).flush()\n"
    )
    done = run_script(script, env={"CODECARBON_LOG_LEVEL": "Critical"})
    assert (done.stdout, done.stderr) == ("50\n", "")


def test_a_level_that_the_program_set_stays_unless_an_option_says_otherwise() -> None:
    set_logger_level("error")
    tracker = OfflineEmissionsTracker(save_to_file=False)
    tracker.start()
    tracker.stop()
    assert logger.level == 40
    OfflineEmissionsTracker(save_to_file=False, log_level="critical")
    assert logger.level == 50


def test_messages_reach_the_handlers_at_their_level(lines: Lines) -> None:
    quiet(log_level="debug").pause()
    levels = {record.levelno for record in lines.records}
    assert logging.WARNING in levels and logging.DEBUG in levels


def test_error_is_silent_unless_there_is_one(lines: Lines, stream: io.StringIO) -> None:
    tracker = quiet(log_level="error")
    tracker.pause()
    tracker.start()
    tracker.start()
    tracker.stop_task("no such")
    tracker.stop()
    assert lines.records == [] and stream.getvalue() == ""
    quiet(log_level="error").flush()
    assert [r.levelno for r in lines.records] == [logging.ERROR]


def everything_once() -> None:
    set_logger_level("info")
    set_logger_format("x")
    tracker = quiet(log_level="critical", logger_preamble="y")
    tracker.start()
    with pytest.raises(ValueError):
        quiet(pue=0)
    tracker.flush()
    tracker.stop()
    set_logger_format()


def test_handlers_that_a_program_adds_stay_as_they_are(lines: Lines) -> None:
    layout = logging.Formatter("mine %(message)s")
    lines.setFormatter(layout)
    lines.setLevel(35)
    before = list(logger.handlers)
    everything_once()
    assert logger.handlers == before
    assert (lines.formatter, lines.level) == (layout, 35)


def test_a_handler_that_a_program_removes_stays_away() -> None:
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
    everything_once()
    assert logger.handlers == []


def test_a_program_that_set_the_logger_up_before_keeps_its_settings() -> None:
    done = run_script(
        "import logging\n"
        "logger = logging.getLogger('codecarbon')\n"
        "mine = logging.NullHandler(); logger.addHandler(mine); logger.setLevel(35)\n"
        "import codecarbon, importlib\n"
        "importlib.reload(codecarbon.external.logger)\n"
        "print(mine in logger.handlers, len(logger.handlers), logger.level)\n"
    )
    assert done.stdout == "True 2 35\n", done.stderr


def test_a_handler_that_raises_does_no_harm() -> None:
    class Broken(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            raise RuntimeError("broken")

    broken = Broken()
    logger.addHandler(broken)
    try:
        tracker = quiet(log_level="debug")
        tracker.start()
        tracker.start()
        assert tracker.stop() is not None
    finally:
        logger.removeHandler(broken)


def test_nothing_is_said_elsewhere(lines: Lines) -> None:
    done = run_script(
        "import logging, sys\n"
        "logging.basicConfig(stream=sys.stdout, level=0)\n"
        "import codecarbon\n"
        "codecarbon.OfflineEmissionsTracker(save_to_file=False, log_level='debug').pause()\n"
    )
    assert done.stdout == ""
    assert all(line.startswith("[codecarbon ") for line in done.stderr.splitlines())
    assert "pause has no effect" in done.stderr


@pytest.mark.parametrize("level", ["9" * 5000, "9" * 11, "loud", "", "-1"])
def test_a_level_that_is_none_lets_the_package_be_imported_and_says_so(level: str) -> None:
    done = run_script("import codecarbon", env={"CODECARBON_LOG_LEVEL": level})
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert ("is not accepted" in done.stderr) == bool(level)
