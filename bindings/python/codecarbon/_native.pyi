"""
The engine of codecarbon. For the package of this name; programs import that instead.
"""

from collections.abc import Callable, Iterable
from typing import Any


__version__: str

class Tracker:
    """
    One run of the engine.

    options: texts by the name of the option; what they do not say comes from environment and
    files. log: called with a level (0 debug to 4 critical) and a line, from any thread, or None.
    sinks: objects with write(values), write_live(values) and write_tasks(rows), whose values are
    in the order of extended_columns() and task_columns(); with an int live_every above 0,
    write_live is called every that many samples; a str name is what messages call it.

    Raises ValueError (value not accepted), TypeError (unknown option), OSError
    (FileNotFoundError for a folder or file that is not there).

    start, pause, resume, flush and stop return the emissions so far in kg CO2e, or None before
    the first start; they raise nothing. A tracker that goes while it runs is stopped first.
    """

    def __init__(self, options: dict[str, str], log: Callable[[int, str], None] | None, sinks: Iterable[object], python_version: str) -> None: ...

    def start(self) -> float | None: ...

    def pause(self) -> float | None: ...

    def resume(self) -> float | None: ...

    def flush(self) -> float | None: ...

    def stop(self) -> float | None: ...

    def start_task(self, name: str) -> str:
        """Opens a task window; returns the key that closes it."""

    def stop_task(self, key: str) -> tuple[str, list[str]] | None:
        """
        Closes the window with this key, else the youngest of this name, else ("") the youngest of
        all. Its figures in the order of task_columns(), or None when there is no such window.
        """

    def tasks(self) -> list[tuple[str, list[str]]]:
        """The figures of all windows closed so far."""

    def report(self) -> list[str]:
        """
        The totals at this moment, in the order of extended_columns(); "" is missing.
        """

    def last_report(self) -> list[str] | None:
        """The same as of the last row; None before it."""

    def energies_uj(self) -> tuple[int, int, int]:
        """CPU, GPU and RAM energy of the run so far in microjoules."""

    @property
    def run_id(self) -> str:
        """Empty in the child of a fork."""

    def set_run_id(self, run_id: str) -> None:
        """From the next row on."""

    def set_project_name(self, project_name: str) -> None:
        """From the next row on."""

    def sensors(self) -> list[str]:
        """
        What was found at construction: one line per sensor in use or passed over.
        """

    def is_foreign(self) -> bool:
        """
        True in a process forked from the one that made this: there it does nothing.
        """

def columns() -> list[str]:
    """The 38 columns of a row of the CSV, in order."""

def extended_columns() -> list[str]:
    """The standard columns and, after them, those of csv_columns=extended."""

def task_columns() -> list[str]:
    """The columns of the per-task file, in order."""

def options() -> list[dict[str, Any]]:
    """Every option: name, default ("" for none), accepted, help, is_boolean."""

def countries() -> list[tuple[str, str, str, float | None]]:
    """
    Every country: three letters, two letters, name, gCO2e/kWh (None: not known).
    """

def cloud_regions() -> list[dict[str, Any]]:
    """
    Every cloud region with a figure: provider, region, iso3, state, city, g_per_kwh.
    """

def zones(country_iso_code: str) -> list[tuple[str, str, float]]:
    """
    The parts of a country with figures of their own: code, name, gCO2e/kWh. Of two with
    one name the first holds. Empty where the country has none, or is none.
    """

def locate(country_iso_code: str = '', country_2letter_iso_code: str = '', region: str = '', cloud_provider: str = '', cloud_region: str = '', force_g: float | None = None) -> dict[str, Any]:
    """
    Where a place is and what a kWh stands for there: country_name, country_iso_code, region,
    cloud_provider, cloud_region, longitude, latitude, on_cloud, g_per_kwh, method, source and
    warnings. "" is: not said. force_g is a carbon intensity in gCO2e/kWh that goes before all.
    Raises ValueError for a country or cloud region that does not exist.
    """

def cpu_rated_powers() -> list[tuple[str, float]]:
    """Every processor of the table: name, rated power in W."""

def cpu_rated_power(model: str) -> float | None:
    """
    Rated power in W of one processor of this model; None when it is in no table.
    """

def detect(options: dict[str, str]) -> dict[str, Any]:
    """
    Looks at the machine as a tracker with these options would: os, host, cpu_count, cpu_model,
    gpu_count, gpu_model, ram_total_gb (GB) and sensors, each with name, source, method, use (cpu,
    gpu, ram, usage or "" when passed over) and reason. Raises as Tracker does.
    """

def sources() -> list[dict[str, tuple[str, str]]]:
    """
    What environment, ./.codecarbon.config and ~/.codecarbon.config say, in this order, the
    strongest first: by the name of the option, be it known or not, its text and where that is
    from. Raises as Tracker does for a file that cannot be read or is not INI.
    """

class CsvFile:
    """
    A CSV file that any number of processes and threads may write to. A file with other columns
    is moved to a numbered .bak. Raises ValueError for another mode.
    """

    def __init__(self, path: str, columns: list[str], mode: str = 'append') -> None: ...

    def append(self, values: list[str]) -> list[tuple[int, str]]:
        """
        One more row, with a value for each column. Returns what the user should be told: pairs of a
        level (0 debug to 4 critical) and a line. Raises OSError, and then nothing was written.
        """

    def update(self, values: list[str]) -> list[tuple[int, str]]:
        """
        The same, in place of the rows of the file that have this row's run_id.
        """

    def write(self, values: list[str]) -> list[tuple[int, str]]:
        """append or update, by the mode."""

    def header(self) -> list[str]:
        """
        The columns of the file as it is now; none when it is missing or empty. Raises OSError.
        """

def finish_all() -> None:
    """
    Stops every tracker of this process that runs, as its destruction would. For the exit of
    the interpreter: afterwards no thread of the engine calls Python any more.
    """
