"""Measures one package `codecarbon` from inside: run by python_cost.py under each interpreter.

  python_probe.py import
  python_probe.py lives FOLDER COUNT
  python_probe.py flush FOLDER append|update COUNT
  python_probe.py busy ROUNDS
  python_probe.py echo ROUNDS

Prints one JSON object. Uses only what both packages have. Nothing but time, logging and dataclasses
is imported before the package, so that the package pays for what it needs itself.
"""

import dataclasses  # noqa: F401
import logging  # noqa: F401
import sys
import time

ECHOES = 400  # round trips in one timed stretch
LOOPS = 400_000  # steps of the busy loop in one timed stretch
FLUSH_SECONDS = 10  # give up on the count after this long: the peer rewrites whole files


def milliseconds(work):
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1e3


def load():
    import codecarbon  # noqa: F401


def make(**options):
    from codecarbon import OfflineEmissionsTracker

    return OfflineEmissionsTracker(country_iso_code="FRA", log_level="error", **options)


def measure_import():
    """Milliseconds of the first import, and how many threads it started."""
    taken = milliseconds(load)
    import threading

    return {"import_ms": taken, "threads": threading.active_count() - 1}


def measure_lives(folder, count):
    """Milliseconds of construct + start + stop with a CSV: the first in the process, later ones."""

    def life():
        tracker = make(output_dir=folder)
        tracker.start()
        tracker.stop()

    load()
    first, *later = (milliseconds(life) for _ in range(1 + int(count)))
    return {"first_ms": first, "later_ms": later}


def measure_flush(folder, mode, count):
    tracker = make(output_dir=folder, on_csv_write=mode)
    tracker.start()
    tracker.flush()  # the first call may search the file for rows of this run
    taken = []
    deadline = time.monotonic() + FLUSH_SECONDS
    while len(taken) < int(count) and (len(taken) < 3 or time.monotonic() < deadline):
        taken.append(milliseconds(tracker.flush))
    tracker.stop()
    return {"flush_ms": taken}


def steady(work):
    """Milliseconds of `work` the second time: caches that starting a tracker emptied are full."""
    work()
    return milliseconds(work)


def tracked(work):
    """The same while a tracker samples at 1 kHz; starting and stopping are not included."""
    tracker = make(measure_power_secs=0.001, save_to_file=False)
    tracker.start()
    try:
        return steady(work)
    finally:
        tracker.stop()


def paired_ratios(work, rounds):
    """tracked / untracked of many pairs; the order within a pair alternates, so drift cancels."""
    tracked(work)
    ratios = []
    for number in range(int(rounds)):
        if number % 2:
            with_tracker, without = tracked(work), steady(work)
        else:
            without, with_tracker = steady(work), tracked(work)
        ratios.append(with_tracker / without)
    return {"ratios": ratios}


def busy():
    total = 0
    for number in range(LOOPS):
        total += number & 3
    return total


def measure_busy(rounds):
    return paired_ratios(busy, rounds)


def measure_echo(rounds):
    import asyncio

    async def serve(reader, writer):
        while data := await reader.read(64):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def exchange(reader, writer):
        for _ in range(ECHOES):
            writer.write(b"x" * 64)
            await reader.readexactly(64)

    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(serve, "127.0.0.1", 0))
    streams = loop.run_until_complete(
        asyncio.open_connection(*server.sockets[0].getsockname()[:2])
    )
    try:
        return paired_ratios(lambda: loop.run_until_complete(exchange(*streams)), rounds)
    finally:
        streams[1].close()
        loop.run_until_complete(streams[1].wait_closed())
        server.close()
        loop.run_until_complete(server.wait_closed())
        loop.close()


if __name__ == "__main__":
    name, *arguments = sys.argv[1:]
    figures = globals()[f"measure_{name}"](*arguments)
    import json

    print(json.dumps(figures))
