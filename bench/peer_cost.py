"""What the existing Python package (PyPI codecarbon) costs, for comparison.

  peer_cost.py lifecycle FOLDER append|update [RUN_ID]     as lifecycle_cost
  peer_cost.py sampling HZ SECONDS                         as sampling_cost

Prints one JSON object. The package is used offline, with its CSV on, as lifecycle_cost uses ours.
"""

import json
import os
import resource
import statistics
import sys
import time


def resident_mb():
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0


def threads():
    return len(os.listdir("/proc/self/task"))


def lifecycle(folder, mode):
    import logging  # noqa: F401  (loaded by any program that measures itself)

    memory_before, threads_before = resident_mb(), threads()
    begin = time.perf_counter()
    from codecarbon import OfflineEmissionsTracker

    import_ms = (time.perf_counter() - begin) * 1e3

    def make():
        return OfflineEmissionsTracker(
            country_iso_code="FRA", output_dir=folder, on_csv_write=mode, log_level="error"
        )

    def life():
        begin = time.perf_counter()
        tracker = make()
        tracker.start()
        tracker.stop()
        return (time.perf_counter() - begin) * 1e3

    first = life()
    later = [life() for _ in range(3)]
    tracker = make()
    tracker.start()
    flushes = []
    deadline = time.monotonic() + 10
    while len(flushes) < 50 and (len(flushes) < 3 or time.monotonic() < deadline):
        begin = time.perf_counter()
        tracker.flush()
        flushes.append((time.perf_counter() - begin) * 1e3)
    memory, added = resident_mb() - memory_before, threads() - threads_before
    tracker.stop()
    return {
        "import_ms": import_ms,
        "first_ms": first,
        "later_ms": statistics.median(later),
        "flush_ms": statistics.median(flushes),
        "memory_mb": memory,
        "threads": added,
    }


def flushes_of_a_run(folder, mode, run_id):
    from codecarbon import OfflineEmissionsTracker

    tracker = OfflineEmissionsTracker(
        country_iso_code="FRA", output_dir=folder, on_csv_write=mode, log_level="error"
    )
    tracker.run_id = run_id
    tracker.start()
    flushes = []
    for _ in range(4):
        begin = time.perf_counter()
        tracker.flush()
        flushes.append((time.perf_counter() - begin) * 1e3)
    tracker.stop()
    return {"first_flush_ms": flushes[0], "flush_ms": statistics.median(flushes[1:])}


def sampling(hz, seconds):
    from codecarbon import OfflineEmissionsTracker

    tracker = OfflineEmissionsTracker(
        country_iso_code="FRA", measure_power_secs=1 / hz, save_to_file=False, log_level="error"
    )
    samples = 0
    measure = tracker._do_measurements

    def counted():
        nonlocal samples
        samples += 1
        measure()

    tracker._do_measurements = counted
    tracker.start()
    used = resource.getrusage(resource.RUSAGE_SELF)
    before = used.ru_utime + used.ru_stime
    time.sleep(seconds)
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = used.ru_utime + used.ru_stime - before
    tracker.stop()
    return {"samples": samples, "cpu_s": cpu}


if __name__ == "__main__":
    if sys.argv[1] == "lifecycle" and len(sys.argv) == 5:
        print(json.dumps(flushes_of_a_run(sys.argv[2], sys.argv[3], sys.argv[4])))
    elif sys.argv[1] == "lifecycle":
        print(json.dumps(lifecycle(sys.argv[2], sys.argv[3])))
    else:
        print(json.dumps(sampling(float(sys.argv[2]), float(sys.argv[3]))))
