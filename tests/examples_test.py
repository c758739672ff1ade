#!/usr/bin/env python3
"""The examples do what they show. Each runs on a simulated machine in a folder of its own.

Arguments: source folder, folder of the programs.
"""

import csv
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, PROGRAMS = Path(sys.argv[1]), Path(sys.argv[2])
MACHINE = SOURCE / "tests/simulated_machines/one-socket.json"


class Examples(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.work = Path(self.folder.name)

    def run_example(self, name, *arguments):
        done = subprocess.run([str(PROGRAMS / name), *map(str, arguments)], cwd=self.work, text=True,
                              env={**os.environ, "HOME": str(self.work)},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def rows(self):
        with open(self.work / "emissions.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_training_loop(self):
        output = self.run_example("example_training_loop", self.work, MACHINE)
        self.assertEqual(re.findall(r"^(\w+) ", output, re.M), ["pause", "flush", "stop"])
        rows = self.rows()
        self.assertEqual(len(rows), 3)
        self.assertEqual(len({row["run_id"] for row in rows}), 1)
        for column in ("duration", "emissions", "energy_consumed"):
            totals = [float(row[column]) for row in rows]
            self.assertEqual(totals, sorted(totals))
            self.assertGreater(totals[0], 0)
        self.assertEqual({row["country_iso_code"] for row in rows}, {"FRA"})

    def test_the_checkpoint_is_not_measured(self):
        output = self.run_example("example_training_loop", self.work, MACHINE)
        active = [float(s) for s in re.findall(r"active ([\d.]+) s", output)]
        energy = [float(j) for j in re.findall(r"energy ([\d.]+) J", output)]
        power = [j / s for j, s in zip(energy, active)]
        self.assertLess(max(power), 2 * min(power))  # energy of the gap would show as power

    def test_tasks(self):
        output = self.run_example("example_tasks", self.work, MACHINE)
        energy = dict(re.findall(r"^task (\S+) .* ([\d.]+) J$", output, re.M))
        self.assertEqual(list(energy), ["load", "load#2", "prepare", "fit"])
        inner = float(energy["load"]) + float(energy["load#2"])
        self.assertLessEqual(inner, float(energy["prepare"]))
        total = float(re.search(r"^run .* ([\d.]+) J$", output, re.M).group(1))
        self.assertGreaterEqual(total + 0.001, float(energy["prepare"]) + float(energy["fit"]))
        with open(next(self.work.glob("emissions_tasks_*.csv")), newline="") as file:
            names = [row["task_name"] for row in csv.DictReader(file)]
        self.assertEqual(names, list(energy))

    def test_burn(self):
        self.assertRegex(self.run_example("burn", "0.05", "2"), r"^burn: \d+ million rounds in 0\.05 s")

    @unittest.skipUnless((PROGRAMS / "example_minimal_c").exists(), "the C door is not built")
    def test_minimal_c(self):
        output = self.run_example("example_minimal_c", self.work, MACHINE)
        self.assertRegex(output, r"(?m)^task work: [\d.]+ J in [\d.]+ s\nrun: .* mg CO2e$")
        self.assertEqual(len(self.rows()), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
