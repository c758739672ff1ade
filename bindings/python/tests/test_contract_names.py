"""Every name that programs import is there, and importing costs nothing."""

from __future__ import annotations

import importlib

import pytest
from support import run_script

NAMES = {
    "codecarbon": "EmissionsTracker OfflineEmissionsTracker track_emissions track_task_emissions "
    "TaskEmissionsTracker OutputMethod __version__ __app_name__",
    "codecarbon.emissions_tracker": "BaseEmissionsTracker EmissionsTracker EmissionsData "
    "OfflineEmissionsTracker track_emissions track_task_emissions TaskEmissionsTracker",
    "codecarbon.output": "EmissionsData TaskEmissionsData BaseOutput FileOutput HTTPOutput "
    "CodeCarbonAPIOutput LoggerOutput GoogleCloudLoggerOutput PrometheusOutput LogfireOutput "
    "OutputMethod",
    "codecarbon.output_methods.base_output": "BaseOutput OutputMethod",
    "codecarbon.output_methods.emissions_data": "EmissionsData TaskEmissionsData",
    "codecarbon.output_methods.file": "FileOutput",
    "codecarbon.output_methods.http": "HTTPOutput CodeCarbonAPIOutput",
    "codecarbon.output_methods.logger": "LoggerOutput GoogleCloudLoggerOutput",
    "codecarbon.output_methods.metrics.prometheus": "PrometheusOutput",
    "codecarbon.output_methods.metrics.logfire": "LogfireOutput",
    "codecarbon.external.logger": "logger set_logger_level set_logger_format",
    "codecarbon.external.geography": "GeoMetadata CloudMetadata",
    "codecarbon.external.scheduler": "PeriodicScheduler",
    "codecarbon.external.hardware": "CPU GPU",
    "codecarbon.external.ram": "RAM",
    "codecarbon.external.task": "Task",
    "codecarbon.input": "DataSource DataSourceException",
    "codecarbon.core.units": "Energy Power Time EmissionsPerKWh Water",
    "codecarbon.core.emissions": "Emissions",
    "codecarbon.core.util": "suppress backup resolve_path count_cpus count_physical_cpus "
    "is_linux_os is_mac_os is_windows_os",
    "codecarbon.core.cpu": "TDP",
    "codecarbon.core.config": "get_hierarchical_config parse_env_config clean_env_key "
    "parse_gpu_ids normalize_gpu_ids",
    "codecarbon.lock": "Lock",
}


@pytest.mark.parametrize("module", NAMES)
def test_a_module_has_its_names(module: str) -> None:
    found = importlib.import_module(module)
    missing = [name for name in NAMES[module].split() if not hasattr(found, name)]
    assert missing == []


@pytest.mark.parametrize("module", NAMES)
def test_a_module_is_the_first_thing_a_program_imports(module: str) -> None:
    """No order of imports is needed, which a circle among the modules would ask for."""
    names = ", ".join(NAMES[module].split())
    done = run_script(f"from {module} import {names}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_one_class_is_one_class_wherever_it_is_imported_from() -> None:
    from codecarbon import OutputMethod, emissions_tracker, output
    from codecarbon.output_methods import base_output, emissions_data

    assert OutputMethod is output.OutputMethod is base_output.OutputMethod
    assert emissions_tracker.EmissionsData is output.EmissionsData is emissions_data.EmissionsData


def test_output_methods_are_their_texts() -> None:
    from codecarbon import OutputMethod

    texts = {method.name: method.value for method in OutputMethod}
    assert texts == {
        name: name.lower() for name in ("CSV", "API", "LOGGER", "PROMETHEUS", "LOGFIRE", "BOAMPS")
    }
    assert OutputMethod.CSV == "csv"


def test_star_import_gives_the_trackers() -> None:
    space: dict[str, object] = {}
    exec("from codecarbon import *", space)
    assert {"EmissionsTracker", "OutputMethod", "track_emissions"} <= space.keys()


def test_what_is_not_there_is_an_attribute_error() -> None:
    import codecarbon.emissions_tracker

    for module in (codecarbon, codecarbon.emissions_tracker):
        with pytest.raises(AttributeError, match="NoSuchThing"):
            getattr(module, "NoSuchThing")


def test_importing_starts_nothing_and_needs_nothing() -> None:
    done = run_script(
        "import sys, os, logging, dataclasses\n"
        "before = set(sys.modules)\n"
        "import codecarbon\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(new - sys.stdlib_module_names - {'codecarbon'}))\n"
        "print(len(os.listdir('/proc/self/task')))\n"
        "print(*sorted(new & {'typing', 'json', 'urllib', 'http', 'configparser', 'socket',"
        " 'importlib.metadata', 'asyncio', 'subprocess', 'pathlib', 'tempfile'}))\n"
    )
    assert done.stderr == ""
    assert done.stdout.split("\n") == ["", "1", "", ""]


def test_a_run_needs_only_the_standard_library() -> None:
    done = run_script(
        "import sys\n"
        "before = set(sys.modules)\n"
        "from codecarbon import OfflineEmissionsTracker\n"
        "import codecarbon.output, codecarbon.input\n"
        "with OfflineEmissionsTracker(country_iso_code='FRA', log_level='error') as tracker: pass\n"
        "tracker.final_emissions_data, tracker._conf, tracker._hardware\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(new - sys.stdlib_module_names))\n"
    )
    assert done.stdout.split() == ["codecarbon"], done.stderr


def test_the_other_distribution_is_told_of_once(tmp_path: object) -> None:
    from pathlib import Path

    from codecarbon._duplicate import other_distribution

    folder = Path(str(tmp_path))
    (folder / "codecarbon_cpp-0.1.0.dist-info").mkdir()
    (folder / "codecarbon_extras-1.dist-info").mkdir()
    assert other_distribution(str(folder)) is None
    (folder / "codecarbon-3.3.2.dist-info").mkdir()
    assert other_distribution(str(folder)) == "codecarbon-3.3.2.dist-info"
    assert other_distribution(str(folder / "not there")) is None


def test_where_both_are_installed_importing_says_so_and_how_to_mend_it(tmp_path: object) -> None:
    import os
    from pathlib import Path

    import codecarbon

    site = Path(str(tmp_path)) / "site"
    (site / "codecarbon-3.3.2.dist-info").mkdir(parents=True)
    os.symlink(Path(codecarbon.__file__).parent, site / "codecarbon")
    done = run_script("import codecarbon, codecarbon.output", env={"PYTHONPATH": str(site)})
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "pip uninstall codecarbon" in done.stderr
