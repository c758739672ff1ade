"""Measures one package `codecarbon` from inside: run by python_cost.py under each interpreter.

  python_probe.py import
  python_probe.py lives FOLDER COUNT
  python_probe.py flush FOLDER append|update COUNT
  python_probe.py busy|echo|streams ROUNDS [BARE_THREAD]

With BARE_THREAD, the library of that name, its thread runs instead of the package's.

Prints one JSON object. Uses only what both packages have. Nothing but what
logging and dataclasses bring is imported before the package, so that the package pays for what it
needs itself.
"""

import contextlib
import dataclasses  # noqa: F401
import logging  # noqa: F401
import os
import sys
import time

ECHOES = 1000  # round trips in one timed stretch
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
    """Milliseconds of `work` when caches that starting a tracker emptied are full again."""
    for _ in range(4):
        work()
    return milliseconds(work)


@contextlib.contextmanager
def tracker(hz):
    running = make(measure_power_secs=1 / hz, save_to_file=False)
    running.start()
    try:
        yield
    finally:
        running.stop()


def bare_thread_of(path):
    """The same as `tracker`, of a thread that only sleeps and reads /proc/stat."""
    import ctypes

    library = ctypes.CDLL(path)

    @contextlib.contextmanager
    def bare_thread(hz):
        if refused := library.bare_thread_start(ctypes.c_double(hz), b"/proc/stat"):
            raise OSError(refused, os.strerror(refused))
        try:
            yield
        finally:
            library.bare_thread_stop()

    return bare_thread


def paired_ratios(work, rounds, companion):
    """Time of `work` beside the companion at 1 kHz by its time alone, of many pairs; the order
    within a pair alternates, so drift cancels. Starting and stopping are not included."""

    def accompanied():
        with companion(1000):
            return steady(work)

    accompanied()
    ratios = []
    for number in range(rounds):
        if number % 2:
            beside, alone = accompanied(), steady(work)
        else:
            alone, beside = steady(work), accompanied()
        ratios.append(beside / alone)
    return {"ratios": ratios}


def busy():
    total = 0
    for number in range(LOOPS):
        total += number & 3
    return total


def effect_on(prepare, rounds, bare_thread=None):
    companion = bare_thread_of(bare_thread) if bare_thread else tracker
    with prepare() as work:
        return paired_ratios(work, int(rounds), companion)


def measure_busy(*arguments):
    return effect_on(lambda: contextlib.nullcontext(busy), *arguments)


def measure_echo(*arguments):
    """Protocols that receive into memory of their own, as servers made for speed do."""
    return effect_on(buffered_echo, *arguments)


def measure_streams(*arguments):
    """asyncio's streams. Each of their reads maps and unmaps 256 KiB, and an unmapping must
    interrupt every other processor that runs a thread of the process."""
    return effect_on(stream_echo, *arguments)


@contextlib.contextmanager
def buffered_echo():
    import asyncio

    class Echo(asyncio.BufferedProtocol):
        def __init__(self):
            self.buffer = bytearray(64)

        def connection_made(self, transport):
            self.transport = transport

        def get_buffer(self, sizehint):
            return self.buffer

        def buffer_updated(self, size):
            self.transport.write(self.buffer[:size])

    class Client(Echo):
        def exchange(self, count):
            self.left = count
            self.done = loop.create_future()
            self.transport.write(b"x" * 64)
            return self.done

        def buffer_updated(self, size):
            self.left -= 1
            if self.left:
                self.transport.write(self.buffer[:size])
            else:
                self.done.set_result(None)

    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(loop.create_server(Echo, "127.0.0.1", 0))
    transport, client = loop.run_until_complete(
        loop.create_connection(Client, *server.sockets[0].getsockname()[:2])
    )

    async def exchange():
        await client.exchange(ECHOES)

    try:
        yield lambda: loop.run_until_complete(exchange())
    finally:
        transport.close()
        server.close()
        loop.run_until_complete(server.wait_closed())
        loop.close()


@contextlib.contextmanager
def stream_echo():
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
        yield lambda: loop.run_until_complete(exchange(*streams))
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
