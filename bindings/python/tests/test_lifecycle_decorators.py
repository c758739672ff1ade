"""Decorators: every kind of function, with and without arguments, and whatever it raises."""

from __future__ import annotations

import asyncio
import functools
import glob
import inspect
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from support import QUIET, quiet, rows, run_script

from codecarbon import track_emissions, track_task_emissions

track = track_emissions(**QUIET)


def test_a_function_keeps_its_name_and_result() -> None:
    @track
    def add(a: int, b: int = 2) -> int:
        """Adds."""
        return a + b

    assert (add(1), add(1, b=3), add.__name__, add.__doc__) == (3, 4, "add", "Adds.")
    assert list(inspect.signature(add).parameters) == ["a", "b"]
    assert len(rows()) == 2
    assert len({row["run_id"] for row in rows()}) == 2


def test_without_arguments_it_takes_them_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in QUIET.items():
        monkeypatch.setenv(f"CODECARBON_{name.upper()}", str(value))

    @track_emissions
    def plain() -> int:
        return 1

    @track_emissions()
    def called() -> int:
        return 2

    assert (plain(), called()) == (1, 2)
    assert len(rows()) == 2


def test_offline_is_an_option_like_any_other() -> None:
    @track_emissions(offline=True, project_name="nightly", **QUIET)
    def function() -> None: ...

    function()
    (row,) = rows()
    assert (row["project_name"], row["country_iso_code"]) == ("nightly", "FRA")


def test_what_is_raised_passes_through_and_the_row_is_written() -> None:
    @track
    def function() -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        function()
    assert len(rows()) == 1


def test_methods_of_all_kinds() -> None:
    class Model:
        size = 3

        @track
        def train(self, n: int) -> int:
            return self.size + n

        @track
        @classmethod
        def make(cls) -> type:
            return cls

        @staticmethod
        @track
        def inside(n: int) -> int:
            return n

        @track
        @staticmethod
        def outside(n: int) -> int:
            return n

    assert (Model().train(1), Model.make(), Model.inside(1), Model().outside(2)) == (4, Model, 1, 2)
    assert len(rows()) == 4


def test_what_is_callable_but_no_function() -> None:
    assert track(functools.partial(max, 3))(2) == 3
    assert track(len)([1]) == 1
    assert len(rows()) == 2


def test_a_generator_is_measured_from_the_first_item_to_the_last() -> None:
    closed = []

    @track
    def count(n: int) -> Iterator[Any]:
        try:
            got = None
            for i in range(n):
                got = yield (i, got)
            return "done"
        finally:
            closed.append(True)

    assert inspect.isgeneratorfunction(count)
    items = count(2)
    assert rows() == []
    assert [next(items), items.send("x")] == [(0, None), (1, "x")]
    assert rows() == []
    with pytest.raises(StopIteration, match="done"):
        next(items)
    assert len(rows()) == 1

    left_early = count(2)
    next(left_early)
    left_early.close()
    thrown_into = count(2)
    next(thrown_into)
    with pytest.raises(KeyError):
        thrown_into.throw(KeyError("mine"))
    assert len(rows()) == 3 and len(closed) == 3


def test_a_coroutine_is_measured_while_it_runs() -> None:
    @track
    async def wait(n: int) -> int:
        await asyncio.sleep(0)
        if n < 0:
            raise ValueError("mine")
        return n

    assert inspect.iscoroutinefunction(wait)
    waiting = wait(3)
    assert rows() == []
    assert asyncio.run(waiting) == 3  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="mine"):
        asyncio.run(wait(-1))  # type: ignore[arg-type]
    assert len(rows()) == 2


def test_an_asynchronous_generator_is_measured_to_its_end() -> None:
    closed = []

    @track
    async def count(n: int) -> AsyncIterator[Any]:
        try:
            got: Any = None
            for i in range(n):
                try:
                    got = yield (i, got)
                except KeyError as error:
                    got = error
        finally:
            closed.append(True)

    async def main() -> None:
        assert inspect.isasyncgenfunction(count)
        assert [item async for item in count(2)] == [(0, None), (1, None)]
        assert len(rows()) == 1
        items = count(3)
        assert await items.__anext__() == (0, None)
        assert await items.asend("x") == (1, "x")
        number, caught = await items.athrow(KeyError("mine"))
        assert number == 2 and isinstance(caught, KeyError)
        await items.aclose()
        assert len(rows()) == 2
        async for _ in (failing := count(3)):
            with pytest.raises(ValueError, match="mine"):
                await failing.athrow(ValueError("mine"))
        assert len(rows()) == 3

    asyncio.run(main())
    assert len(closed) == 3


def test_calls_at_once_have_a_row_each() -> None:
    @track
    def recursive(n: int) -> int:
        return 1 + recursive(n - 1) if n else 0

    threads = [threading.Thread(target=recursive, args=(1,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({row["run_id"] for row in rows()}) == 8


def test_a_bad_value_is_raised_by_the_call() -> None:
    ran = []
    function = track_emissions(**{**QUIET, "pue": 0})(lambda: ran.append(1))
    with pytest.raises(ValueError, match="pue"):
        function()
    assert ran == []


def test_a_task_of_a_tracker() -> None:
    tracker = quiet()

    @track_task_emissions(tracker=tracker, task_name="step")
    def step(n: int) -> int:
        if n < 0:
            raise ValueError("mine")
        return n

    @track_task_emissions(tracker=tracker)
    async def load() -> str:
        return "loaded"

    with tracker:
        assert step(1) == 1
        with pytest.raises(ValueError, match="mine"):
            step(-1)
        assert asyncio.run(load()) == "loaded"
    assert list(tracker._tasks) == ["step", "step#2", "load"]
    assert not any(task.is_active for task in tracker._tasks.values())


def test_tasks_of_nested_calls() -> None:
    tracker = quiet()

    @track_task_emissions(tracker=tracker)
    def recursive(n: int) -> int:
        return 1 + recursive(n - 1) if n else 0

    assert recursive(2) == 2
    durations = [task.emissions_data.duration for task in tracker._tasks.values()]
    assert durations == sorted(durations, reverse=True) and len(durations) == 3


def test_a_task_without_a_tracker_has_a_run_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in QUIET.items():
        monkeypatch.setenv(f"CODECARBON_{name.upper()}", str(value))

    @track_task_emissions
    def load() -> int:
        return 1

    assert load() == 1
    assert len(rows()) == 1
    (file,) = glob.glob("emissions_base_*.csv")
    assert [row["task_name"] for row in rows(file)] == ["load"]


def test_an_exit_in_a_decorated_function_keeps_its_code() -> None:
    from support import SCRIPT_HEAD

    done = run_script(SCRIPT_HEAD + "@track_emissions(**QUIET)\ndef main(): sys.exit(7)\nmain()\n")
    assert (done.returncode, done.stderr) == (7, "")
    assert len(rows()) == 1


def test_an_object_that_is_called_as_a_coroutine_is_measured_until_it_ends() -> None:
    class Job:
        async def __call__(self) -> int:
            await asyncio.sleep(0.05)
            return 7

    measured = track_emissions(Job(), **{**QUIET, "offline": True})
    assert asyncio.run(measured()) == 7
    assert float(rows()[0]["duration"]) >= 0.05
