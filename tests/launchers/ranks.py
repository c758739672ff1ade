"""What the tests of launchers share: ranks that track one played machine, and their rows."""

import contextlib
import csv
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

SOURCE, BIN = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
PROGRAM, COMMAND = BIN / "tracked_rank", BIN / "codecarbon"
ROWS_PER_RANK = 2
SKIPPED = 77  # what CTest takes as "skipped"

# Ranks of this test are nobody else's: what an outer launcher says must not be found.
OUTER = ("RANK", "WORLD_SIZE", "LOCAL_", "MASTER_", "SLURM_", "OMPI_", "PMI", "MPI_", "CODECARBON_")


def need(*programs):
    """Ends as skipped, with the reason, when a launcher is not installed."""
    for program in programs:
        if not shutil.which(program):
            print(f"skipped: {program} is not installed; .ci/install-packages launchers")
            sys.exit(SKIPPED)


def environment(folder, **options):
    """What a rank needs to write extended rows to the folder; nothing of jobs around this test."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OUTER)}
    options = {
        "machine": SOURCE / "tests/simulated_machines/node-2s8g.json",
        "country_iso_code": "FRA",
        "output_dir": folder,
        "csv_columns": "extended",
        "log_level": "warning",
        **options,
    }
    return kept | {f"CODECARBON_{name.upper()}": str(value) for name, value in options.items()}


def read_rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


@contextlib.contextmanager
def ended_at_exit(process):
    """The process, which does not outlive the block."""
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(timeout=30)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class RanksCase(unittest.TestCase):
    """A folder for the output, and what must be true of the rows in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="codecarbon-ranks-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_together(self, *commands, **options):
        """Runs all commands at the same time; each must succeed. What each said."""
        said = []
        variables = environment(self.folder, **options)
        with contextlib.ExitStack() as stack:
            running = [
                stack.enter_context(ended_at_exit(subprocess.Popen(
                    list(map(str, command)), env=variables, cwd=self.folder,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                )))
                for command in commands
            ]
            for command, process in zip(commands, running):
                output, _ = process.communicate(timeout=100)
                self.assertEqual(process.returncode, 0, f"{command}: {output}")
                said.append(output)
        return said

    def rows(self, name="emissions.csv"):
        return read_rows(self.folder / name)

    def check_jobs(self, rows, jobs, ranks):
        """`rows` are of `jobs` jobs of `ranks` ranks each, every rank whole and under one job."""
        names = Counter(row["job_id"] for row in rows)
        self.assertEqual(sorted(names.values()), [ranks * ROWS_PER_RANK] * jobs, names)
        for name in names:
            of_job = [row for row in rows if row["job_id"] == name]
            counts = Counter(row["rank"] for row in of_job)
            self.assertEqual(counts, {str(rank): ROWS_PER_RANK for rank in range(ranks)})
            runs = {row["run_id"] for row in of_job}
            self.assertEqual(len(runs), ranks, "each rank is a run")
        self.assertEqual({row["host"] for row in rows}, {socket.gethostname()})
        return list(names)


def main():
    unittest.main(argv=sys.argv[:1], verbosity=2)
