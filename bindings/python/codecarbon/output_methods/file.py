"""Rows in a CSV file, for programs that handle their figures themselves.

A tracker with ``save_to_file`` needs none of this: its engine writes the file.
"""

from __future__ import annotations

import csv
import math
import os

from codecarbon import _native
from codecarbon.external.logger import say
from codecarbon.output_methods.base_output import BaseOutput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from codecarbon.output_methods.emissions_data import EmissionsData, TaskEmissionsData

_LONGEST_PART = 100  # bytes
_MODES = ("append", "update")


class FileOutput(BaseOutput):
    """Writes ``total`` of every ``out`` to ``output_dir/output_file_name``.

    ``append``: one more row each time. ``update``: one row per run_id, replaced. Any number of
    processes may write to one file. A file with other columns is moved to a numbered ``.bak``.

    Raises OSError for a missing folder (and from ``out``, when the file cannot be written), and
    ValueError for another mode.

    >>> import tempfile
    >>> from codecarbon import OfflineEmissionsTracker
    >>> folder = tempfile.mkdtemp()
    >>> with OfflineEmissionsTracker(country_iso_code="FRA", log_level="error", save_to_file=False,
    ...                              output_handlers=[FileOutput("mine.csv", folder)]):
    ...     pass
    >>> sum(1 for line in open(os.path.join(folder, "mine.csv")))
    2
    """

    def __init__(
        self,
        output_file_name: str,
        output_dir: str | os.PathLike[str],
        on_csv_write: str = "append",
    ) -> None:
        if on_csv_write not in _MODES:
            raise ValueError(f'on_csv_write: "{on_csv_write}" is not accepted: append or update')
        self.output_dir = os.fspath(output_dir)
        self.output_file_name = output_file_name
        self.on_csv_write = on_csv_write
        self.save_file_path = os.path.join(self.output_dir, output_file_name)
        folder = os.path.dirname(self.save_file_path) or os.curdir
        if not os.path.isdir(folder):
            raise FileNotFoundError(
                f'output_dir: "{folder}" is not accepted: there is no such folder; it must be an '
                "existing folder"
            )
        self._file: Any = None
        self._columns: list[str] = []

    def _open(self, columns: list[str]) -> Any:
        if self._file is None or columns != self._columns:
            self._file = _native.CsvFile(self.save_file_path, columns, self.on_csv_write)
            self._columns = columns
        return self._file

    def has_valid_headers(self, data: EmissionsData) -> bool:
        """Whether the file has the columns of ``data``, in any order; an empty one has not."""
        columns = list(data.values)
        return sorted(self._open(columns).header()) == sorted(columns)

    def out(self, total: EmissionsData, delta: EmissionsData) -> None:
        """Writes one row. Raises OSError when the file cannot be written."""
        values = total.values
        file = self._open(list(values))
        write = file.update if self.on_csv_write == "update" else file.append
        for level, line in write([text_of(value) for value in values.values()]):
            say(10 * (level + 1), line)

    def task_out(self, data: list[TaskEmissionsData], experiment_name: str) -> None:
        """Replaces ``emissions_<experiment_name>_<run_id>.csv`` in the folder by these tasks.

        Raises OSError when it cannot be written.
        """
        if not data:
            return
        name = f"emissions_{_part(experiment_name)}_{_part(data[0].run_id)}.csv"
        path = os.path.join(os.path.dirname(self.save_file_path), name)
        scratch = f"{path}.{os.getpid()}.new"
        with open(scratch, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(data[0].values)
            writer.writerows([text_of(value) for value in row.values.values()] for row in data)
        os.replace(scratch, path)


def text_of(value: object) -> str:
    """A value as a field of a CSV: nothing for None, and for what is no number (NaN, infinity).

    >>> text_of(None), text_of(0.1), text_of(7), text_of(math.nan)
    ('', '0.1', '7', '')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return float.__repr__(value) if math.isfinite(value) else ""
    return str(value)


def _part(text: object) -> str:
    """Fit to be a part of a file's name: names may hold anything. As the engine does it."""
    beginning = str(text).encode("utf-8", "replace")[:_LONGEST_PART].decode("utf-8", "ignore")
    return "".join("_" if c in "/\\\x7f" or c < " " else c for c in beginning)
