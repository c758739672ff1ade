"""The command against counters that something outside advances: it reports the true joules.

  truth_test.py BIN

For each scenario a powercap tree is made, `codecarbon monitor --host-root TREE -- ADVANCE` measures a
program that advances the counters at a known power, and the row is held against what was added.
"""

import csv
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMMAND = Path(sys.argv[1] if len(sys.argv) > 1 else "build/bin") / "codecarbon"
RANGE_UJ = 262_143_328_850
STEPS, STEP_S = 60, 0.02
WATTS = 100
STEP_UJ = int(WATTS * STEP_S * 1e6)  # 2 J


class Tree:
    """A powercap tree in a folder of its own."""

    def __init__(self, root):
        self.root = Path(root)

    def zone(self, folder, name, start_uj, range_uj=RANGE_UJ):
        zone = self.root / "sys/class/powercap" / folder
        zone.mkdir(parents=True)
        (zone / "name").write_text(name + "\n")
        (zone / "energy_uj").write_text(f"{start_uj}\n")
        if range_uj is not None:
            (zone / "max_energy_range_uj").write_text(f"{range_uj}\n")
        return str(zone / "energy_uj")


# Run by the command as the program to measure: advances counters by STEP_UJ a step, as a kernel would
# show it. Arguments: steps, seconds a step, then FILE:START:RANGE:STEP:FAULT for each counter.
ADVANCE = """
import os, sys, time
steps, pause = int(sys.argv[1]), float(sys.argv[2])
counters = [spec.rsplit(":", 4) for spec in sys.argv[3:]]
def show(path, text):
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)
for step in range(1, steps + 1):
    time.sleep(pause)
    for path, start, limit, delta, fault in counters:
        value = int(start) + step * int(delta)
        if fault == "reset" and step > steps // 2:
            value = (step - steps // 2) * int(delta)
        text = f"{value % int(limit) if int(limit) else value}\\n"
        if fault in ("empty", "zero", "garbage") and steps // 3 < step < steps // 2:
            text = {"empty": "", "zero": "0\\n", "garbage": "what\\n"}[fault]
        show(path, text)
"""


class Truth(unittest.TestCase):
    def measure(self, zones, extra=()):
        """zones: (folder, name, start_uj, range_uj, step_uj, fault). The row, as text by column."""
        with tempfile.TemporaryDirectory() as folder:
            tree = Tree(folder)
            specs = []
            for name, kind, start, limit, step, fault in zones:
                path = tree.zone(name, kind, start, limit)
                specs.append(f"{path}:{start}:{limit or 0}:{step}:{fault}")
            done = subprocess.run(
                [COMMAND, "monitor", "--offline", "--country-iso-code", "FRA", "--host-root", folder,
                 "--csv-columns", "extended", "--output-dir", folder, *extra, "--",
                 sys.executable, "-c", ADVANCE, str(STEPS), str(STEP_S), *specs],
                capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(Path(folder) / "emissions.csv", newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(len(rows), 1)
            return rows[0]

    def joules(self, row, component):
        return round(float(row[f"{component}_energy"]) * 3.6e6, 5)

    def assert_measured(self, row, cpu_j, ram_j=None):
        self.assertEqual(self.joules(row, "cpu"), cpu_j)
        self.assertEqual(row["cpu_method"], "measured")
        if ram_j is not None:
            self.assertEqual(self.joules(row, "ram"), ram_j)
            self.assertEqual(row["ram_method"], "measured")

    TRUE_J = STEPS * STEP_UJ / 1e6

    def test_one_package(self):
        self.assert_measured(
            self.measure([("intel-rapl:0", "package-0", 5_000_000_000, RANGE_UJ, STEP_UJ, "")]),
            self.TRUE_J)

    def test_one_wrap(self):
        start = RANGE_UJ - STEPS * STEP_UJ // 2
        self.assert_measured(
            self.measure([("intel-rapl:0", "package-0", start, RANGE_UJ, STEP_UJ, "")]), self.TRUE_J)

    def test_many_wraps_within_the_users_interval(self):
        self.assert_measured(
            self.measure([("intel-rapl:0", "package-0", 3_000_001, 20_000_003, STEP_UJ, "")],
                         ("--measure-power-secs", "60")), self.TRUE_J)

    def test_bad_reads_lose_nothing(self):
        for fault in ("empty", "zero", "garbage"):
            with self.subTest(fault):
                self.assert_measured(
                    self.measure([("intel-rapl:0", "package-0", 5_000_000_000, RANGE_UJ, STEP_UJ,
                                   fault)], ("--measure-power-secs", "0.05")), self.TRUE_J)

    def test_a_reset_is_within_the_bound(self):
        row = self.measure([("intel-rapl:0", "package-0", 124_530_000_000, RANGE_UJ, STEP_UJ,
                             "reset")], ("--measure-power-secs", "0.1"))
        error = self.TRUE_J - self.joules(row, "cpu")
        self.assertGreaterEqual(error, 0)
        self.assertLessEqual(error, float(row["cpu_energy_bound"]) * 3.6e6)
        self.assertGreater(self.joules(row, "cpu"), self.TRUE_J * 0.7)

    def test_two_sockets_with_dram_and_like_loads(self):
        zones = []
        for socket in (0, 1):
            zones.append((f"intel-rapl:{socket}", f"package-{socket}", 5_000_000_000, RANGE_UJ,
                          STEP_UJ, ""))
            zones.append((f"intel-rapl:{socket}:0", "dram", 7_000_000, RANGE_UJ, STEP_UJ // 4, ""))
        self.assert_measured(self.measure(zones), 2 * self.TRUE_J, 2 * self.TRUE_J / 4)

    def test_psys_core_uncore_and_the_copy_in_mmio_are_not_added(self):
        self.assert_measured(self.measure([
            ("intel-rapl:0", "package-0", 5_000_000_000, RANGE_UJ, STEP_UJ, ""),
            ("intel-rapl:0:0", "core", 1_000_000_000, RANGE_UJ, STEP_UJ // 2, ""),
            ("intel-rapl:0:1", "uncore", 1_000_000, RANGE_UJ, STEP_UJ // 8, ""),
            ("intel-rapl:1", "psys", 9_000_000_000, RANGE_UJ, STEP_UJ * 2, ""),
            ("intel-rapl-mmio:0", "package-0", 5_000_000_000, RANGE_UJ, STEP_UJ, ""),
        ]), self.TRUE_J)

    def test_psys_when_preferred(self):
        self.assert_measured(self.measure([
            ("intel-rapl:0", "package-0", 5_000_000_000, RANGE_UJ, STEP_UJ, ""),
            ("intel-rapl:1", "psys", 9_000_000_000, RANGE_UJ, STEP_UJ * 2, ""),
        ], ("--rapl-prefer-psys",)), 2 * self.TRUE_J)

    def test_dies_that_mirror_one_counter_are_one(self):
        self.assert_measured(self.measure([
            (f"intel-rapl:{die}", f"package-0-die-{die}", 5_000_000_000, RANGE_UJ, STEP_UJ, "")
            for die in (0, 1)
        ]), self.TRUE_J)

    def test_a_range_of_zero_or_none_at_all(self):
        for limit in (0, None):
            with self.subTest(limit):
                self.assert_measured(
                    self.measure([("intel-rapl:0", "package-0", 5_000_000_000, limit, STEP_UJ, "")]),
                    self.TRUE_J)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
