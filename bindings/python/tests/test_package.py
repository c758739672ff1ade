"""What is in the wheel, and what importing it does."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest
from support import run_script

import codecarbon
from codecarbon import _native

PYTHON_FOLDER = Path(__file__).resolve().parents[1]
SOURCE = PYTHON_FOLDER.parents[1]


def installed_files() -> dict[str, importlib.metadata.PackagePath]:
    files = importlib.metadata.files("codecarbon-cpp")
    assert files is not None
    return {str(path): path for path in files}


def test_the_distribution_has_the_package_the_command_and_nothing_else() -> None:
    paths = [path for path in installed_files() if "__pycache__" not in path]
    others = [
        path
        for path in paths
        if not re.match(r"codecarbon/|codecarbon_cpp-[0-9.]+\.dist-info/", path)
    ]
    assert [os.path.basename(path) for path in others] == ["codecarbon"], others
    for wanted in ("codecarbon/py.typed", "codecarbon/_native.pyi", "codecarbon/__init__.py"):
        assert wanted in paths
    assert sum(path.startswith("codecarbon/_native.") and path.endswith(".so") for path in paths) == 1


def test_every_python_file_of_the_source_is_installed_as_it_is() -> None:
    folder = Path(codecarbon.__file__).parent
    for path in (PYTHON_FOLDER / "codecarbon").rglob("*.py*"):
        if path.suffix in (".py", ".pyi"):
            installed = folder / path.relative_to(PYTHON_FOLDER / "codecarbon")
            assert installed.read_bytes() == path.read_bytes(), path


def test_the_licences_of_what_is_built_in_are_installed() -> None:
    texts = [
        path.read_text() for name, path in installed_files().items() if "/licenses/" in name
    ]
    for owner in ("Wenzel Jakob", "Ben Hoyt", "Victor Zverovich", "Ember", "Code Carbon"):
        assert any(owner in text for text in texts), owner


def test_there_is_one_version() -> None:
    stated = re.search(r"project\(codecarbon VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text())
    assert stated is not None
    command = subprocess.run([command_path(), "--version"], capture_output=True, text=True)
    assert (
        stated.group(1)
        == _native.__version__
        == codecarbon.__version__
        == importlib.metadata.version("codecarbon-cpp")
        == command.stdout.split()[-1]
    )


def command_path() -> str:
    (path,) = [
        str(path.locate()) for name, path in installed_files().items() if name.endswith("/codecarbon")
    ]
    return path


def test_the_command_is_the_native_program_and_needs_no_python(own_world: Path) -> None:
    with open(command_path(), "rb") as file:
        assert file.read(4) == b"\x7fELF"
    environment = {"PATH": "/nowhere", "HOME": str(own_world)}
    done = subprocess.run(
        [command_path(), "monitor", "--offline", "--", "/bin/sh", "-c", "exit 7"],
        env=environment,
        capture_output=True,
    )
    assert done.returncode == 7
    assert (own_world / "emissions.csv").exists()


def test_nothing_has_to_be_installed_beside_it() -> None:
    assert not importlib.metadata.requires("codecarbon-cpp")


@pytest.mark.skipif("CODECARBON_SANITIZED" in os.environ, reason="that build needs its runtimes")
def test_the_native_files_need_only_the_c_and_cpp_runtimes() -> None:
    allowed = re.compile(
        r"linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so|ld-musl|libc\.musl"
    )
    for path in (_native.__file__, command_path()):
        listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
        strange = [line for line in listed.splitlines() if not allowed.search(line)]
        assert not strange, f"{path}: {strange}"


def test_importing_starts_no_thread_and_opens_nothing() -> None:
    done = run_script(
        "import os, logging, dataclasses, threading\n"
        "def state(): return os.listdir('/proc/self/task'), len(os.listdir('/proc/self/fd'))\n"
        "before = state()\n"
        "import codecarbon\n"
        "assert state() == before, (before, state())\n"
        "assert threading.active_count() == 1\n"
    )
    assert done.returncode == 0, done.stderr


def test_importing_reads_no_module_that_is_slow_to_load() -> None:
    done = run_script(
        "import sys, logging, dataclasses\n"
        "before = set(sys.modules)\n"
        "import codecarbon\n"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))\n"
    )
    assert set(done.stdout.split()) <= {"codecarbon", "atexit", "__future__"}, done.stdout


def test_import_time_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    code = (
        "import logging, dataclasses, time\n"
        "begin = time.perf_counter()\n"
        "import codecarbon\n"
        "print(time.perf_counter() - begin)\n"
    )
    times_ms = [float(run_script(code).stdout) * 1e3 for _ in range(9)]
    with capsys.disabled():
        print(f"[import codecarbon: {statistics.median(times_ms):.1f} ms, the budget is 5] ", end="")
    assert all(ms > 0 for ms in times_ms)


def test_the_stub_is_what_the_module_says_of_itself(tmp_path: Path) -> None:
    pytest.importorskip("nanobind")
    told = tmp_path / "_native.pyi"
    script = PYTHON_FOLDER / "stub.sh"
    subprocess.run([script, sys.executable, told], cwd=tmp_path, check=True)
    kept = (PYTHON_FOLDER / "codecarbon" / "_native.pyi").read_text()
    assert told.read_text() == kept, f"renew it with {script.relative_to(SOURCE)} PYTHON"


USER = '''
import codecarbon
from codecarbon import EmissionsTracker, OfflineEmissionsTracker, track_emissions
from codecarbon.output import BaseOutput, EmissionsData, TaskEmissionsData


class Mine(BaseOutput):
    def out(self, total: EmissionsData, delta: EmissionsData) -> None:
        print(total.emissions, delta.energy_consumed)

    def task_out(self, data: list[TaskEmissionsData], experiment_name: str) -> None:
        print(experiment_name, [task.duration for task in data])


@track_emissions(offline=True, country_iso_code="FRA")
def train(epochs: int) -> str:
    return str(epochs)


answer: str = train(3)

tracker = OfflineEmissionsTracker(
    project_name="p", country_iso_code="FRA", gpu_ids=[0, "GPU-3f1c"], output_handlers=[Mine()]
)
tracker.start()
emissions: float | None = tracker.flush()
tracker.pause()
tracker.resume()
tracker.start_task("epoch")
task: EmissionsData | None = tracker.stop_task()
emissions = tracker.stop()
data: EmissionsData | None = tracker.final_emissions_data
version: str = codecarbon.__version__

with EmissionsTracker(measure_power_secs=1, log_level="error") as other:
    identifier: str = other.run_id
'''

WRONG = [
    'track_emissions(offline="maybe")',
    "EmissionsTracker(measure_power_secs=[])",
    "count: int = EmissionsTracker().run_id",
    "EmissionsTracker().no_such_method()",
]


def type_checkers() -> list[list[str]]:
    found = []
    for module, arguments in (
        ("mypy", ["--strict", "--no-error-summary", "--cache-dir", os.devnull]),
        ("pyright", ["--pythonpath", sys.executable]),
    ):
        if importlib.util.find_spec(module) is not None:
            found.append([sys.executable, "-m", module, *arguments])
    return found


@pytest.mark.parametrize("checker", type_checkers(), ids=lambda command: command[2])
def test_type_checkers_accept_what_a_user_writes_and_refuse_what_is_wrong(
    checker: list[str],
    own_world: Path,
) -> None:
    good = own_world / "good.py"
    good.write_text(USER)
    bad = own_world / "bad.py"
    head = "from codecarbon import EmissionsTracker, track_emissions\n"
    bad.write_text(head + "\n".join(WRONG) + "\n")
    accepted = subprocess.run([*checker, str(good)], capture_output=True, text=True)
    assert accepted.returncode == 0, accepted.stdout + accepted.stderr
    refused = subprocess.run([*checker, str(bad)], capture_output=True, text=True)
    for line in range(2, 2 + len(WRONG)):
        assert re.search(rf"bad\.py:{line}\b", refused.stdout), (WRONG[line - 2], refused.stdout)


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_the_package_itself_is_typed() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "-p", "codecarbon"],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout
