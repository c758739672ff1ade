"""Constructor keywords: one list for all doors, the same messages from all of them."""

from __future__ import annotations

import enum
import gc
import inspect
import json
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import ONE_SOCKET, QUIET, Lines, quiet, rows

from codecarbon import (
    EmissionsTracker,
    OfflineEmissionsTracker,
    OutputMethod,
    _native,
    track_emissions,
)
from codecarbon._options import POSITIONAL, PYTHON_OPTIONS, RETIRED, all_keywords
from codecarbon.emissions_tracker import BaseEmissionsTracker
from codecarbon.external.logger import logger
from codecarbon.output import BaseOutput, LoggerOutput

CLASSES = (BaseEmissionsTracker, EmissionsTracker, OfflineEmissionsTracker)


def decorated(**options: Any) -> None:
    """Calls a decorated function, which makes a tracker."""
    track_emissions(**options)(lambda: None)()


DOORS: tuple[Callable[..., Any], ...] = (*CLASSES, decorated)

GOOD: dict[str, list[Any]] = {
    "project_name": ["nightly", "007"],
    "measure_power_secs": [1, 0.5, "2"],
    "api_call_interval": [8, -1, "4"],
    "api_endpoint": ["http://localhost:1"],
    "api_key": ["secret"],
    "output_dir": [".", Path(".")],
    "output_file": ["mine.csv", Path("mine.csv")],
    "output_methods": [[OutputMethod.CSV], ["csv"], "csv,logger", []],
    "save_to_file": [True, False, "yes", 0],
    "save_to_api": [False],
    "save_to_logger": [False],
    "logging_logger": [LoggerOutput(None)],
    "save_to_prometheus": [False],
    "save_to_logfire": [False],
    "prometheus_url": ["localhost:9091", "http://localhost:9091"],
    "output_handlers": [[], [BaseOutput()], (BaseOutput(),)],
    "gpu_ids": [[], "", [0, 1], ["0", "1"], "0, 1", "[0, 1]", (0,)],
    "emissions_endpoint": ["http://localhost:1"],
    "experiment_id": ["5b0fa12a-3dd7-45bb-9766-cc326314d9f1"],
    "experiment_name": ["base"],
    "electricitymaps_api_token": ["token"],
    "co2_signal_api_token": ["token"],
    "tracking_mode": ["machine", "process"],
    "log_level": ["error", "ERROR", 40],
    "on_csv_write": ["append", "update"],
    "logger_preamble": ["rank 0"],
    "force_cpu_power": [40, 40.5],
    "force_ram_power": [5],
    "pue": [1.5],
    "wue": [1.8],
    "force_carbon_intensity_g_co2e_kwh": [50],
    "force_mode_cpu_load": [True],
    "allow_multiple_runs": [True, "true"],
    "rapl_include_dram": [True],
    "rapl_prefer_psys": [False],
    "metadata": [{"task": "training"}, "metadata.json"],
    "offline": [True],
    "country_iso_code": ["FRA", "fra"],
    "country_2letter_iso_code": ["FR"],
    "region": ["california"],
    "cloud_provider": ["gcp"],
    "cloud_region": ["europe-west9"],
    "run_id": ["run-1"],
    "job_id": ["job-1"],
    "rank": [0, 3, "3"],
    "local_rank": [0],
    "world_size": [1, 8],
    "csv_columns": ["standard", "extended"],
    "host_root": ["/"],
    "machine": [ONE_SOCKET],
}

BAD: dict[str, list[Any]] = {
    "measure_power_secs": [0, -1, "soon", [1], float("nan")],
    "api_call_interval": ["often", 1.5, float("inf")],
    "output_methods": ["bogus", ["csv", "bogus"], 3],
    "save_to_file": ["maybe", 2],
    "save_to_api": ["maybe"],
    "save_to_logger": ["maybe"],
    "allow_multiple_runs": ["maybe"],
    "output_handlers": [3, "csv"],
    "gpu_ids": ["x y", "0,,1", [-1]],
    "emissions_endpoint": ["localhost:1"],
    "experiment_id": [" "],
    "tracking_mode": ["universe"],
    "log_level": ["loud", 60],
    "on_csv_write": ["prepend"],
    "logger_preamble": ["two\nlines"],
    "force_cpu_power": [-1, "much"],
    "pue": [0.5, True],
    "wue": [-1],
    "project_name": ["\ud800"],
    "country_iso_code": ["XXX", "Fr ance"],
    "csv_columns": ["all"],
    "job_id": [" ", "two\nlines"],
    "rank": [-1, 1.5, "first", 10**9],
    "local_rank": [-1],
    "world_size": [0],
    "output_file": ["{rank", "{ranks}.csv", "{host:3}.csv"],
    "force_carbon_intensity_g_co2e_kwh": [-3],
}


def test_the_list_of_good_values_is_complete() -> None:
    assert sorted(GOOD) == sorted(all_keywords())


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("door", DOORS)
def test_every_door_takes_every_keyword(door: Callable[..., Any], name: str) -> None:
    for value in GOOD[name]:
        door(**{**QUIET, name: value})


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("door", DOORS)
def test_every_door_refuses_a_bad_value_in_one_line(door: Callable[..., Any], name: str) -> None:
    for value in BAD[name]:
        options = {**QUIET, name: value}
        with pytest.raises(ValueError) as caught:
            door(**options)
        message = str(caught.value)
        assert name.removeprefix("emissions_") in message
        assert "not accepted" in message or "did you mean" in message or "no " in message, message
        assert "\n" not in message


@pytest.mark.parametrize("door", DOORS)
def test_an_unknown_keyword_is_a_type_error_that_names_the_nearest(
    door: Callable[..., Any],
) -> None:
    with pytest.raises(TypeError, match='"save_to_apy".*did you mean save_to_api'):
        door(save_to_apy=True)
    with pytest.raises(TypeError, match='"qqqq".*accepted are project_name'):
        door(qqqq=1)


def test_a_decorator_refuses_an_unknown_keyword_where_it_is_written() -> None:
    with pytest.raises(TypeError, match="qqqq"):

        @track_emissions(qqqq=1)
        def never_called() -> None: ...


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", RETIRED)
def test_what_once_was_an_option_warns_and_is_ignored(door: Callable[..., Any], name: str) -> None:
    with pytest.warns(DeprecationWarning, match=name) as caught:
        door(**QUIET, **{name: 3})
    assert [Path(w.filename).name for w in caught][0] in (Path(__file__).name,)


@pytest.mark.parametrize("door", DOORS)
def test_a_missing_folder_is_an_os_error(door: Callable[..., Any]) -> None:
    with pytest.raises(OSError, match='output_dir: ".*nowhere".*keyword') as caught:
        door(**QUIET, output_dir="nowhere")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("door", DOORS)
def test_none_is_the_same_as_not_given(door: Callable[..., Any]) -> None:
    door(**{**dict.fromkeys(all_keywords()), **QUIET})


@pytest.mark.parametrize("cls", CLASSES)
def test_arguments_without_a_keyword_have_their_order(cls: type[BaseEmissionsTracker]) -> None:
    tracker = cls("nightly", 3, **{k: v for k, v in QUIET.items() if k != "measure_power_secs"})
    assert tracker._project_name == "nightly"
    assert tracker._measure_power_secs == 3
    with pytest.raises(TypeError, match="project_name"):
        cls("nightly", 3, project_name="other")


def test_a_decorator_takes_the_project_name_as_the_trackers_do() -> None:
    @track_emissions(None, "nightly", **QUIET)
    def function() -> None: ...

    function()
    assert [row["project_name"] for row in rows()] == ["nightly"]


def test_defaults_are_those_that_users_know() -> None:
    conf = EmissionsTracker()._conf
    defaults = {
        "project_name": "codecarbon",
        "measure_power_secs": 15,
        "output_dir": ".",
        "output_file": "emissions.csv",
        "experiment_name": "base",
        "experiment_id": "5b0fa12a-3dd7-45bb-9766-cc326314d9f1",
        "log_level": "info",
        "on_csv_write": "append",
        "tracking_mode": "machine",
        "pue": 1,
        "wue": 0,
        "api_call_interval": 8,
    }
    found = {
        name: type(value)(conf[name]) if isinstance(value, int) else conf[name]
        for name, value in defaults.items()
    }
    assert found == defaults


def test_the_types_name_exactly_the_keywords() -> None:
    from codecarbon._typing import TrackerOptions

    typed = set(TrackerOptions.__annotations__) | {"project_name"}
    assert typed == {*all_keywords(), *RETIRED}


def test_no_python_option_hides_one_of_the_engine() -> None:
    from codecarbon._options import engine_options

    assert not engine_options().keys() & PYTHON_OPTIONS.keys()


@pytest.mark.parametrize("cls", CLASSES)
def test_help_shows_the_keywords(cls: type[BaseEmissionsTracker]) -> None:
    assert list(inspect.signature(cls).parameters) == all_keywords()


def test_keyword_goes_before_environment_before_files(
    own_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def project() -> str:
        tracker = quiet()
        tracker.start()
        tracker.stop()
        assert tracker._project_name == tracker.final_emissions_data.project_name
        assert tracker._conf["project_name"] == tracker._project_name
        return str(tracker._project_name)

    assert project() == "codecarbon"
    home = own_world.parent / "home" / ".codecarbon.config"
    home.write_text("[codecarbon]\nproject_name = of home\n")
    assert project() == "of home"
    (own_world / ".codecarbon.config").write_text("[codecarbon]\nproject_name = of here, 100%\n")
    assert project() == "of here, 100%"
    monkeypatch.setenv("CODECARBON_PROJECT_NAME", "of environment")
    assert project() == "of environment"
    assert quiet(project_name="of keyword")._project_name == "of keyword"


def test_options_of_python_come_from_files_too(own_world: Path) -> None:
    (own_world / ".codecarbon.config").write_text(
        "# mine\n[other]\noutput_methods = logger\n[codecarbon]\noutput_methods: csv\n"
        "api_call_interval = 3\nsave_to_api = no\nunknown_to_all = 7\n"
    )
    tracker = OfflineEmissionsTracker(**QUIET)
    assert tracker._settings.api_call_interval == 3
    assert tracker._settings.methods == ["csv"]


def test_a_bad_value_of_a_python_option_says_where_it_is_from(
    own_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own_world / ".codecarbon.config").write_text("[codecarbon]\n\napi_call_interval = often\n")
    with pytest.raises(ValueError, match='api_call_interval: "often".*config line 3'):
        quiet()
    monkeypatch.setenv("CODECARBON_API_CALL_INTERVAL", "8")
    monkeypatch.setenv("CODECARBON_SAVE_TO_API", "maybe")
    with pytest.raises(ValueError, match="environment CODECARBON_SAVE_TO_API"):
        quiet()


@pytest.mark.parametrize(
    "options, named",
    [
        ({"save_to_api": True}, "save_to_api"),
        ({"save_to_prometheus": True, "save_to_logfire": "yes"}, "save_to_prometheus"),
        ({"output_methods": ["csv", "boamps"]}, "boamps"),
        ({"electricitymaps_api_token": "t"}, "electricitymaps_api_token"),
        ({"co2_signal_api_token": "t"}, "co2_signal_api_token"),
    ],
)
def test_what_is_not_offered_yet_is_said_in_one_line_and_the_run_goes_on(
    lines: Lines, options: dict[str, Any], named: str
) -> None:
    tracker = OfflineEmissionsTracker(**{**QUIET, "log_level": "warning"}, **options)
    tracker.start()
    assert tracker.stop() is not None
    assert len(rows()) == 1
    (said,) = lines.texts()
    assert named in said and "not offered" in said and "\n" not in said


def test_addresses_and_keys_alone_name_no_output(lines: Lines) -> None:
    quiet(api_key="k", api_endpoint="http://localhost:1", prometheus_url="localhost:9091")
    assert lines.texts() == []


@pytest.mark.parametrize(
    "options, file, logged",
    [
        ({}, True, False),
        ({"save_to_file": False}, False, False),
        ({"save_to_logger": True}, True, True),
        ({"output_methods": ["logger"]}, False, True),
        ({"output_methods": "csv,logger"}, True, True),
        ({"output_methods": []}, False, False),
        # A list says all of it.
        ({"output_methods": ["csv"], "save_to_file": False, "save_to_logger": True}, True, False),
    ],
)
def test_outputs_are_chosen_by_list_or_one_by_one(
    lines: Lines, options: dict[str, Any], file: bool, logged: bool
) -> None:
    tracker = OfflineEmissionsTracker(**{**QUIET, "log_level": "info"}, **options)
    tracker.start()
    tracker.stop()
    assert (len(rows()) == 1) == file
    messages = [text for text in lines.texts() if text.startswith("{")]
    assert (len(messages) == 1) == logged
    if logged:
        json.loads(messages[0])


def test_secrets_are_not_shown(own_world: Path) -> None:
    conf = quiet(api_key="hush", electricitymaps_api_token="hush", log_level="critical")._conf
    assert "hush" not in repr(conf)


def test_good_options_warn_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quiet(gpu_ids=[], pue=1.2, measure_power_secs=2)


def test_one_run_at_a_time_where_that_is_asked(tmp_path: Path, lines: Lines) -> None:
    first = OfflineEmissionsTracker(**QUIET, allow_multiple_runs=False)
    first.start()
    second = OfflineEmissionsTracker(**{**QUIET, "log_level": "warning"}, allow_multiple_runs=False)
    second.start()
    assert second.stop() is not None
    assert rows() == []
    assert any("allow_multiple_runs" in text for text in lines.texts())
    first.stop()
    third = OfflineEmissionsTracker(**QUIET, allow_multiple_runs=False)
    third.start()
    third.stop()
    assert len(rows()) == 2


def test_a_number_may_be_of_any_type_that_the_engine_can_read() -> None:
    class Overhead(enum.Enum):
        HALL = 1.5

    tracker = quiet(pue=Overhead.HALL, wue="0.5")
    tracker.start()
    tracker.start_task("load")
    data = tracker.stop_task("load")
    assert data is not None
    assert (data.pue, data.wue) == (1.5, 0.5)
    assert tracker.stop() is not None


def test_the_one_run_at_a_time_is_whichever_runs(lines: Lines) -> None:
    def make(name: str) -> OfflineEmissionsTracker:
        options = {**QUIET, "log_level": "warning", "allow_multiple_runs": False}
        return OfflineEmissionsTracker(name, **options)

    first = make("first")
    first.start()
    first.stop()
    second = make("second")
    second.start()
    first.start()  # while the second has the lock
    assert any("is held" in text for text in lines.texts())
    first.stop()
    del second
    gc.collect()
    third = make("third")
    third.start()
    third.stop()
    assert [row["project_name"] for row in rows()][-1] == "third"


def test_a_refused_constructor_leaves_the_logger_as_it_was(lines: Lines) -> None:
    level = logger.level
    formats = [handler.formatter for handler in logger.handlers]
    with pytest.raises(ValueError, match="pue"):
        quiet(pue=0, log_level="critical", logger_preamble="dead")
    assert (logger.level, [handler.formatter for handler in logger.handlers]) == (level, formats)


@pytest.mark.parametrize("value", ["x" * 10**6, "a\nb", "a\x1b[31mb"])
@pytest.mark.parametrize(
    "name",
    ["output_methods", "api_call_interval", "save_to_api", "allow_multiple_runs",
     "output_handlers", "emissions_endpoint"],
)  # fmt: skip
def test_what_is_refused_is_shown_on_one_short_line(name: str, value: str) -> None:
    with pytest.raises(ValueError) as refused:
        quiet(**{name: value})
    message = str(refused.value)
    assert message.startswith(f"{name}: ") and "(from keyword)" in message
    assert len(message) < 400 and message.isprintable()


@pytest.mark.parametrize("handler", [None, print, object(), BaseOutput])
def test_an_output_handler_that_could_never_be_called_is_refused(handler: object) -> None:
    with pytest.raises(ValueError, match="output_handlers: .* is not accepted: "):
        quiet(output_handlers=[handler])


@pytest.mark.parametrize("target", ["zz", 7, object()])
def test_a_logger_that_is_none_is_refused(target: object) -> None:
    with pytest.raises(ValueError, match="logging_logger: .* is not accepted: "):
        quiet(save_to_logger=True, logging_logger=target)


@pytest.mark.parametrize("name", PYTHON_OPTIONS)
def test_an_empty_variable_is_not_set(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"CODECARBON_{name.upper()}", "")
    tracker = quiet()
    tracker.start()
    assert tracker.stop() is not None


def test_files_are_read_as_the_engine_reads_them(own_world: Path) -> None:
    (own_world / ".codecarbon.config").write_bytes(
        b"[codecarbon]\nproject_name = a\xc2\x85b ; c\nexperiment_name =\n"
    )
    tracker = quiet()
    row = tracker._prepare_emissions_data()
    assert (tracker._conf["project_name"], row.project_name) == (row.project_name, "a\x85b ; c")
    os.remove(".codecarbon.config")
    os.mkfifo(".codecarbon.config")
    quiet()  # nobody writes there, and nobody waits for it


def test_the_order_without_keywords_is_that_of_the_package_before() -> None:
    assert POSITIONAL == (
        "project_name", "measure_power_secs", "api_call_interval", "api_endpoint", "api_key",
        "output_dir", "output_file", "output_methods", "save_to_file", "save_to_api",
        "save_to_logger", "logging_logger", "save_to_prometheus", "save_to_logfire",
        "prometheus_url", "output_handlers", "gpu_ids", "emissions_endpoint", "experiment_id",
        "experiment_name",
    )  # fmt: skip


WHOLE_NODE = ONE_SOCKET.with_name("node-2s8g.json")
# keyword and value -> a column of the extended row, and what is in it then
EFFECTS: list[tuple[dict[str, Any], str, str]] = [
    ({"project_name": "mine"}, "project_name", "mine"),
    ({"experiment_id": "e-1"}, "experiment_id", "e-1"),
    ({"run_id": "r-1"}, "run_id", "r-1"),
    ({"country_iso_code": "DEU"}, "country_name", "Germany"),
    ({"country_iso_code": None, "country_2letter_iso_code": "de"}, "country_iso_code", "DEU"),
    ({"country_iso_code": "USA", "region": "california"}, "region", "california"),
    ({"cloud_provider": "gcp", "cloud_region": "europe-west9"}, "on_cloud", "Y"),
    ({"cloud_provider": "gcp", "cloud_region": "europe-west9"}, "cloud_region", "europe-west9"),
    ({"pue": 1.5}, "pue", "1.5"),
    ({"wue": 0.5}, "wue", "0.5"),
    ({"gpu_ids": []}, "gpu_count", "0"),
    ({"gpu_ids": ""}, "gpu_count", "0"),
    ({"gpu_ids": "0, 1"}, "gpu_count", "2"),
    ({"gpu_ids": "[0, 1]"}, "gpu_count", "2"),
    ({"gpu_ids": [3]}, "gpu_count", "1"),
    ({}, "gpu_count", "8"),
    ({"force_cpu_power": 50}, "cpu_method", "forced"),
    ({"force_ram_power": 5}, "ram_method", "forced"),
    ({}, "ram_method", "measured"),
    ({"rapl_include_dram": False}, "ram_method", "none"),
]


@pytest.mark.parametrize(("options", "column", "value"), EFFECTS)
def test_a_keyword_has_its_effect(options: dict[str, Any], column: str, value: str) -> None:
    tracker = quiet(machine=WHOLE_NODE, **options)
    row = dict(zip(_native.extended_columns(), tracker._run.report(), strict=True))
    assert row[column].lower() == value.lower()


def test_a_host_root_is_where_the_machine_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "cpuinfo").write_text("processor : 0\nmodel name : Somebody's CPU\n")
    given = {**QUIET, "machine": None, "host_root": tmp_path, "save_to_file": False}
    assert OfflineEmissionsTracker(**given)._conf["cpu_model"] == "Somebody's CPU"


@pytest.mark.parametrize(("text", "meant"), [("on", True), ("off", False), ("Yes", True), ("0", False)])
def test_yes_and_no_may_be_said_in_many_words(text: str, meant: bool) -> None:
    tracker = quiet(save_to_file=text, save_to_api=text, allow_multiple_runs=text)
    tracker.start()
    tracker.stop()
    assert bool(rows()) == meant
    assert tracker._settings.flag("save_to_api") == meant


def test_no_token_is_shown() -> None:
    tracker = quiet(co2_signal_api_token="hush", electricitymaps_api_token="hush", api_key="hush")
    assert "hush" not in repr(tracker._conf)


@pytest.mark.parametrize("given", ["my project", 3])
def test_a_decorator_of_what_is_no_function_is_refused_where_it_is_written(given: Any) -> None:
    with pytest.raises(TypeError, match="no function"):
        track_emissions(given)


def test_a_class_with_a_constructor_of_its_own_shows_that() -> None:
    class Mine(EmissionsTracker):
        def __init__(self, a: int, b: int = 2) -> None:
            super().__init__()

    assert list(inspect.signature(Mine).parameters) == ["a", "b"]
    assert "pue" in inspect.signature(EmissionsTracker).parameters
