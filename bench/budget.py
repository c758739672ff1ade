"""The budget table: this engine, the floor reader and the existing Python package in one run.

  budget.py BIN [--peer PYTHON] [--quick]

BIN holds the programs of bench/. All figures are of this run on this machine; what counts is the
ratios. --quick runs every program once, briefly, and only checks that they work.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ZONES = {
    "intel-rapl:0": ("package-0", "123456789012"),
    "intel-rapl:0:0": ("core", "23456789012"),
    "intel-rapl:0:1": ("uncore", "3456789012"),
    "intel-rapl:0:2": ("dram", "4567890123"),
    "intel-rapl:1": ("package-1", "223456789012"),
    "intel-rapl:1:0": ("dram", "5567890123"),
}


def make_tree(root):
    """Six counters as files in memory; returns their paths."""
    paths = []
    for folder, (name, energy) in ZONES.items():
        zone = root / "sys/class/powercap" / folder
        zone.mkdir(parents=True)
        (zone / "name").write_text(name + "\n")
        (zone / "max_energy_range_uj").write_text("262143328850\n")
        (zone / "energy_uj").write_text(energy + "\n")
        paths.append(str(zone / "energy_uj"))
    return paths


def make_rows(folder, binaries, rows, first_run=None):
    """An emissions.csv of that many rows of another run; the first is of `first_run`, if given."""
    environment = {**os.environ, "CODECARBON_LOG_LEVEL": "error"}
    subprocess.run([binaries / "lifecycle_cost", folder, "append"], check=True, env=environment,
                   stdout=subprocess.DEVNULL)
    file = folder / "emissions.csv"
    header, row = file.read_text().splitlines(keepends=True)[:2]
    run_id = row.split(",")[header.split(",").index("run_id")]
    first = row.replace(run_id, first_run) if first_run else row
    file.write_text(header + first + row * (rows - 1))


def run_json(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"budget: {' '.join(map(str, command))} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def run_peer(options, *arguments):
    """The peer's figures, or nothing where it is not installed or fails."""
    if not options.peer:
        return {}
    done = subprocess.run([options.peer, str(HERE / "peer_cost.py"), *map(str, arguments)],
                          capture_output=True, text=True)
    return json.loads(done.stdout.strip().splitlines()[-1]) if done.returncode == 0 else {}


def table(title, head, rows):
    widths = [max(len(str(row[i])) for row in [head, *rows]) for i in range(len(head))]
    print(f"\n{title}")
    for row in [head, *rows]:
        cells = [str(cell).rjust(width) for cell, width in zip(row, widths)]
        cells[0] = str(row[0]).ljust(widths[0])
        print("  " + "  ".join(cells), flush=True)


def shown(value, unit, digits=2):
    return "-" if value is None else f"{value:.{digits}f} {unit}"


def ratio(value, base):
    return "-" if value is None or not base else f"{value / base:.2f}"


def sampling(options, memory):
    tree = memory / "tree"
    files = make_tree(tree)
    rates = [1000] if options.quick else [1, 10, 100, 1000]
    loads = [False] if options.quick else [False, True]
    rows = []
    for busy in loads:
        burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
                   for _ in range((os.cpu_count() or 1) if busy else 0)]
        try:
            for hz in rates:
                seconds = 0.2 if options.quick else max(4, 20 / hz)
                floor = run_json([options.bin / "floor", hz, seconds, *files])
                ours = run_json([options.bin / "sampling_cost", hz, seconds, tree])
                peer = {} if busy or options.quick else run_peer(options, "sampling", hz, seconds)
                per = {name: 1e6 * figures["cpu_s"] / max(figures["samples"], 1)
                       for name, figures in (("floor", floor), ("ours", ours), ("peer", peer))
                       if figures}
                rows.append((f"{hz} Hz, {'every core busy' if busy else 'idle'}",
                             shown(per["floor"], "us"), shown(per["ours"], "us"),
                             ratio(per["ours"], per["floor"]), shown(per.get("peer"), "us"),
                             ratio(per.get("peer"), per["floor"]),
                             f"{100 * ours['cpu_s'] / seconds:.3f} %",
                             f"{100 * floor['late_share']:.2f} %",
                             f"{100 * ours['late_share']:.2f} %"))
        finally:
            for burner in burners:
                burner.kill()
                burner.wait()
    table("CPU time of one sample of six counters in memory, whole process (budget: 1.5 x the floor; "
          "at 1 kHz under 3 % of a core, under 0.1 % late)",
          ("", "floor", "engine", "x floor", "PyPI", "x floor", "of a core", "floor late",
           "engine late"), rows)


def far_rows(options, memory):
    """Update mode where the run's row is the first of many: what the first flush must copy."""
    run_id = "5b0e3f0a-7c1d-4e55-9f63-2a8d1c94b7e6"
    count = 1_000 if options.quick else 100_000
    folders = [memory / f"{who}-far" for who in ("ours", "peer")]
    for folder in folders:
        folder.mkdir()
        make_rows(folder, options.bin, count, run_id)
    ours = run_json([options.bin / "lifecycle_cost", folders[0], "update", run_id])
    peer = run_peer(options, "lifecycle", folders[1], "update", run_id)
    for folder in folders:
        shutil.rmtree(folder)
    return [(f"update, own row first of {count} rows: {name}", shown(1e3 * ours[key], "us", 0),
             shown(1e3 * peer[key] if peer else None, "us", 0), ratio(peer.get(key), ours[key]))
            for name, key in (("first flush", "first_flush_ms"), ("later", "flush_ms"))]


def lifecycle(options, memory):
    rows, starts = [], []
    for mode in ("append", "update"):
        for count in [10] if options.quick else [10, 1_000, 100_000]:
            figures = []
            for who in ("ours", "peer"):
                folder = memory / f"{who}-{mode}-{count}"
                folder.mkdir()
                make_rows(folder, options.bin, count)
                figures.append(run_json([options.bin / "lifecycle_cost", folder, mode])
                               if who == "ours" else run_peer(options, "lifecycle", folder, mode))
                shutil.rmtree(folder)
            ours, peer = figures
            rows.append((f"{mode}, {count} rows", shown(1e3 * ours["flush_ms"], "us", 0),
                         shown(1e3 * peer["flush_ms"] if peer else None, "us", 0),
                         ratio(peer.get("flush_ms"), ours["flush_ms"])))
            starts.append((ours, peer))
    table("flush, median (budget: 100 us, independent of the file's length; 30 ms while the own row "
          "is far from its end)",
          ("", "engine", "PyPI", "PyPI / engine"), rows + far_rows(options, memory))
    ours, peer = starts[0]
    table("a tracker's life, offline, CSV on",
          ("", "engine", "budget", "PyPI", "PyPI / engine"),
          [("first construct + start + stop", shown(ours["first_ms"], "ms"), "5 ms",
            shown(peer.get("first_ms"), "ms"), ratio(peer.get("first_ms"), ours["first_ms"])),
           ("later ones, median", shown(ours["later_ms"], "ms"), "1 ms",
            shown(peer.get("later_ms"), "ms"), ratio(peer.get("later_ms"), ours["later_ms"])),
           ("memory added", shown(ours["memory_mb"], "MB"), "5 MB",
            shown(peer.get("memory_mb"), "MB"), ratio(peer.get("memory_mb"), ours["memory_mb"])),
           ("threads added", ours["threads"], "1", peer.get("threads", "-"), "")])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bin", type=Path)
    parser.add_argument("--peer")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    in_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=in_memory) as memory:
        sampling(options, Path(memory))
        lifecycle(options, Path(memory))


if __name__ == "__main__":
    main()
