"""What the Python package costs, beside the existing one, in one run.

  python_cost.py --ours PYTHON [--peer PYTHON] [--bare-thread LIBRARY] [--quick]

Each PYTHON is an interpreter whose `import codecarbon` is the package in question. Times depend on
the machine; what counts is the ratios. Both packages are measured in turns, so that a busy spell of
the machine meets both. --quick runs everything once, briefly, and only checks that it works.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from budget import ratio, shown, table

PROBE = Path(__file__).resolve().with_name("python_probe.py")


def probe(python, *arguments):
    """The figures of one process; ends this program with the process's words if it fails."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("CODECARBON_")
    }
    done = subprocess.run(
        [python, str(PROBE), *map(str, arguments)], capture_output=True, text=True, env=environment
    )
    if done.returncode != 0:
        sys.exit(f"python_cost: {python} {' '.join(map(str, arguments))}:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def in_turns(pythons, rounds, ask):
    """name -> list of what `ask(name, python)` gave, the packages taking turns."""
    figures = {name: [] for name in pythons}
    for _ in range(rounds):
        for name, python in pythons.items():
            figures[name].append(ask(name, python))
    return figures


def medians(figures, select):
    """name -> the median of all that `select(figure)` lists."""
    return {
        name: statistics.median(value for figure in those for value in select(figure))
        for name, those in figures.items()
    }


def compared(label, figures, budget, unit="ms"):
    ours, peer = figures["ours"], figures.get("peer")
    return (label, shown(ours, unit, 3), budget, shown(peer, unit, 3), ratio(peer, ours))


def lives(pythons, memory, quick):
    rounds = 1 if quick else 9

    def live(name, python):
        folder = Path(tempfile.mkdtemp(dir=memory))
        return probe(python, "lives", folder, 1 if quick else {"ours": 50, "peer": 3}[name])

    imports = in_turns(pythons, rounds, lambda _, python: probe(python, "import"))
    figures = in_turns(pythons, rounds, live)
    rows = [
        compared("import, beyond logging and dataclasses",
                 medians(imports, lambda figure: [figure["import_ms"]]), "5 ms"),
        compared("first construct + start + stop",
                 medians(figures, lambda figure: [figure["first_ms"]]), "5 ms"),
        compared("later ones", medians(figures, lambda figure: figure["later_ms"]), "1 ms"),
    ]
    table("a tracker's life in Python, offline, CSV on; medians",
          ("", "ours", "budget", "PyPI", "PyPI / ours"), rows)
    started = max(f["threads"] for f in imports["ours"])
    print(f"  threads that `import codecarbon` starts: {started} (budget: 0)")


def make_rows(python, folder, count):
    """An emissions.csv of so many rows, all of another run."""
    folder.mkdir()
    probe(python, "lives", folder, 0)
    file = folder / "emissions.csv"
    header, row = file.read_text().splitlines(keepends=True)[:2]
    file.write_text(header + row * count)


def flushes(pythons, memory, quick):
    rows = []
    for mode in ("append", "update"):
        for count in [10] if quick else [10, 1_000, 100_000]:
            taken = {}
            for name, python in pythons.items():
                folder = memory / f"flush-{name}"
                make_rows(python, folder, count)
                times_ms = probe(python, "flush", folder, mode, 5 if quick else 100)["flush_ms"]
                taken[name] = 1e3 * statistics.median(times_ms)
                shutil.rmtree(folder)
            rows.append(compared(f"{mode}, {count} rows", taken, "100 us", "us"))
    table("flush in Python, median", ("", "ours", "budget", "PyPI", "PyPI / ours"), rows)


def slowdown(ratios):
    """'+0.12 % ± 0.05': the median effect and the standard error of that median, in percent."""
    percents = [100 * (value - 1) for value in ratios]
    if len(percents) < 4:
        return f"{statistics.median(percents):+.2f} %"
    low, _, high = statistics.quantiles(percents, n=4)
    error = 1.2533 * (high - low) / 1.349 / len(percents) ** 0.5
    return f"{statistics.median(percents):+.2f} % ± {error:.2f}"


def effects(pythons, bare_thread, quick):
    """The bare thread is what no sampler can be below: whoever is above it pays for its own doing."""
    companions = {name: (python, (), 40 if name == "ours" else 8)
                  for name, python in pythons.items()}
    if bare_thread:
        companions["bare"] = (pythons["ours"], (bare_thread,), 40)
    rows = []
    for label, what in (("busy Python loop", "busy"), ("asyncio echo, buffers of its own", "echo"),
                        ("asyncio echo, streams", "streams")):
        def ask(_, companion):
            python, arguments, pairs = companion
            return probe(python, what, 2 if quick else pairs, *arguments)["ratios"]

        blocks = in_turns(companions, 1 if quick else 5, ask)
        effect = {name: slowdown(sum(those, [])) for name, those in blocks.items()}
        rows.append((label, effect["ours"], "0.5 %", effect.get("bare", "-"),
                     effect.get("peer", "-")))
    table("time of a program while it is sampled at 1 kHz, against untracked; medians of pairs",
          ("", "ours", "budget", "bare thread", "PyPI"), rows)
    print(f"  {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}: where no processor is free, "
          "sampling takes its time from the program")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--peer")
    parser.add_argument("--bare-thread")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    pythons = {"ours": options.ours}
    if options.peer:
        pythons["peer"] = options.peer
    in_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=in_memory) as memory:
        lives(pythons, Path(memory), options.quick)
        flushes(pythons, Path(memory), options.quick)
    effects(pythons, options.bare_thread, options.quick)


if __name__ == "__main__":
    main()
