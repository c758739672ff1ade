"""The CSV files that trackers and FileOutput write."""

from __future__ import annotations

import csv
import math
import os
from pathlib import Path
from typing import Any

import pytest
from support import SCRIPT_HEAD, Lines, quiet, rows
from test_contract_data import COLUMNS, TASK_COLUMNS

from codecarbon.external.logger import set_logger_level
from codecarbon.output import EmissionsData, FileOutput, TaskEmissionsData


def run(**options: Any) -> EmissionsData:
    with quiet(save_to_file=True, **options) as tracker:
        pass
    assert tracker.final_emissions_data is not None
    return tracker.final_emissions_data


def records(path: str = "emissions.csv") -> list[list[str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_case_9_and_case_11_38_values_stand_under_38_headers_run_after_run() -> None:
    for _ in range(3):
        run()
    found = records()
    assert found[0] == COLUMNS
    assert [len(record) for record in found] == [38] * 4
    assert os.listdir() == ["emissions.csv"]


def test_the_file_may_be_anywhere(own_world: Path) -> None:
    (own_world / "out").mkdir()
    run(output_dir=Path("out"), output_file="a.csv")
    run(output_file=str(own_world / "out" / "a.csv"))
    assert len(rows("out/a.csv")) == 2


def test_case_10_update_keeps_one_row_for_each_run() -> None:
    tracker = quiet(save_to_file=True, on_csv_write="update", project_name="007")
    tracker.start()
    tracker.flush()
    tracker.flush()
    tracker.stop()
    run(on_csv_write="update", project_name="other")
    first, second = rows()
    assert (first["project_name"], second["project_name"]) == ("007", "other")
    assert float(first["emissions"]) == tracker.final_emissions


def test_case_10_a_column_that_began_as_zero_takes_what_comes() -> None:
    before = dict.fromkeys(COLUMNS, "0")
    with open("emissions.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerow({**before, "run_id": "of another"})
    data = run(on_csv_write="update")
    other, mine = rows()
    assert other == {**before, "run_id": "of another"}
    assert float(mine["emissions"]) == data.emissions > 0


NAMES = ["a,b", 'say "x"', "two\nlines", "größe ✓", " blank ", "007", "=1+1"]


@pytest.mark.parametrize("mode", ["append", "update"])
def test_case_12_any_text_comes_back_as_it_was(mode: str) -> None:
    for name in NAMES:
        run(project_name=name, on_csv_write=mode)
    assert [row["project_name"] for row in rows()] == NAMES


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_case_12_a_file_of_another_program_keeps_its_order_and_line_ends(end: str, mark: str) -> None:
    order = COLUMNS[::-1]
    Path("emissions.csv").write_bytes((mark + ",".join(order) + end).encode())
    data = run(project_name="mine")
    (row,) = rows()
    assert list(row) == order
    assert (row["project_name"], float(row["duration"])) == ("mine", data.duration)
    assert Path("emissions.csv").read_bytes().count(b"\r") == (2 if end == "\r\n" else 0)


def test_a_missing_line_end_is_mended() -> None:
    run()
    text = Path("emissions.csv").read_text().rstrip("\n")
    Path("emissions.csv").write_text(text)
    run()
    assert len(rows()) == 2


def test_a_file_with_other_columns_is_moved_away_once(lines: Lines) -> None:
    Path("emissions.csv").write_text("a,b\n1,2\n")
    run(log_level="warning")
    run(log_level="warning")
    assert Path("emissions.csv.bak").read_text() == "a,b\n1,2\n"
    assert len(rows()) == 2
    assert len(lines.texts()) == 1


def test_extended_columns_come_after_the_38() -> None:
    run(csv_columns="extended")
    header = records()[0]
    assert header[:38] == COLUMNS and len(header) > 38
    assert rows()[0]["cpu_method"] == "measured"


def test_processes_may_share_a_file() -> None:
    import subprocess
    import sys

    script = SCRIPT_HEAD + "for _ in range(20):\n with OfflineEmissionsTracker(**QUIET): pass\n"
    workers = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(4)]
    assert [worker.wait(60) for worker in workers] == [0] * 4
    assert len({row["run_id"] for row in rows()}) == 80
    assert len(records()) == 81


# FileOutput ---------------------------------------------------------------------------------


@pytest.fixture
def data() -> EmissionsData:
    with quiet(project_name="mine") as tracker:
        pass
    assert tracker.final_emissions_data is not None
    return tracker.final_emissions_data


def task(data: EmissionsData, name: str) -> TaskEmissionsData:
    values = {key: value for key, value in data.values.items() if key in TASK_COLUMNS}
    return TaskEmissionsData(task_name=name, **values)


def test_file_output_writes_as_the_trackers_do(data: EmissionsData) -> None:
    output = FileOutput("mine.csv", ".")
    output.out(data, data)
    output.out(data, data)
    assert records("mine.csv")[0] == COLUMNS
    first, second = rows(output.save_file_path)
    assert first == second
    for name, value in data.values.items():
        read = first[name] if not isinstance(value, (int, float)) else type(value)(first[name])
        assert read == ("" if value is None else value), name


def test_file_output_updates_by_run_id(data: EmissionsData, own_world: Path) -> None:
    output = FileOutput("mine.csv", own_world, on_csv_write="update")
    for run_id in ("a", "b", "a"):
        data.run_id = run_id
        output.out(data, data)
    assert [row["run_id"] for row in rows("mine.csv")] == ["b", "a"]


def test_case_33_file_output_writes_nothing_that_is_no_number(data: EmissionsData) -> None:
    data.emissions, data.cpu_power = math.nan, math.inf
    FileOutput("mine.csv", ".").out(data, data)
    (row,) = rows("mine.csv")
    assert (row["emissions"], row["cpu_power"]) == ("", "")


def test_headers_are_a_set(data: EmissionsData) -> None:
    output = FileOutput("mine.csv", ".")
    path = Path(output.save_file_path)
    for text, valid in (
        ("", False),
        (",".join(COLUMNS[::-1]) + "\n", True),
        (",".join(COLUMNS[1:]) + "\n", False),
        (",".join([*COLUMNS, "more"]) + "\n", False),
    ):
        path.write_text(text)
        assert output.has_valid_headers(data) == valid
    path.unlink()
    assert not output.has_valid_headers(data)


def test_file_output_says_what_it_moved_away(data: EmissionsData, lines: Lines) -> None:
    set_logger_level("info")
    Path("mine.csv").write_text("a,b\n1,2\n")
    FileOutput("mine.csv", ".").out(data, data)
    assert Path("mine.csv.bak").exists()
    assert len(lines.texts()) == 1 and "mine.csv" in lines.texts()[0]


def test_file_output_refuses_what_it_cannot_do(data: EmissionsData, own_world: Path) -> None:
    with pytest.raises(OSError, match='output_dir: ".*nowhere"'):
        FileOutput("mine.csv", "nowhere")
    with pytest.raises(ValueError, match='on_csv_write: "prepend".*append or update'):
        FileOutput("mine.csv", ".", "prepend")
    (own_world / "folder").mkdir()
    with pytest.raises(OSError):
        FileOutput("folder", ".").out(data, data)


def test_tasks_go_to_a_file_of_their_own(data: EmissionsData, own_world: Path) -> None:
    output = FileOutput("mine.csv", own_world)
    data.run_id = "r/1"
    output.task_out([], "exp")
    assert list(own_world.iterdir()) == []
    for names in (["load"], ["load", "train, 2"]):
        output.task_out([task(data, name) for name in names], "exp")
        found = rows("emissions_exp_r_1.csv")
        assert [row["task_name"] for row in found] == names
        assert list(found[0]) == TASK_COLUMNS
    assert len(list(own_world.iterdir())) == 1


def test_file_output_is_a_handler_like_any_other() -> None:
    tracker = quiet(output_handlers=[FileOutput("mine.csv", ".")])
    with tracker:
        tracker.start_task("load")
    assert float(rows("mine.csv")[0]["emissions"]) == tracker.final_emissions
    (tasks,) = Path().glob("emissions_base_*.csv")
    assert [row["task_name"] for row in rows(tasks)] == ["load"]


@pytest.mark.parametrize("name", ["é" * 80, "a" + "é" * 80, "x" * 300, "../€" * 60])
def test_engine_and_handler_name_the_file_of_tasks_alike(name: str, own_world: Path) -> None:
    tracker = quiet(save_to_file=True, experiment_name=name, output_handlers=[FileOutput("o.csv", ".")])
    tracker.start_task("load")
    tracker.stop_task("load")
    tracker.stop()
    (file,) = own_world.glob("emissions_*.csv")
    assert file.name.encode().decode() == file.name
