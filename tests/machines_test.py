"""Every fake machine, through the command: which sensor serves which column, and by which back-end.

  machines_test.py SOURCE BIN

`codecarbon doctor --json --host-root tests/machines/NAME` is held against the table below. A machine
without a line in it is a failure, so that none is added without a word on what is right for it.
"""

import functools
import json
import subprocess
import sys
import unittest
from pathlib import Path

MACHINES = Path(sys.argv[1]) / "tests" / "machines"
COMMAND = Path(sys.argv[2]) / "codecarbon"

MODEL = {"cpu": ["processors by modelled"], "ram": ["memory by modelled"]}


def counted(cpu, ram=("memory by modelled",)):
    return {"cpu": list(cpu), "ram": list(ram)}


def cards(*names):
    return {"gpu": [f"{name} by gpu_hwmon" for name in names]}


# What is summed in each column. A column without sensors is not named.
EXPECTED = {
    "amd-energy-hwmon": {"cpu": ["package-0 by hwmon", "package-1 by hwmon"]},
    "arm-server": MODEL,
    "cloud-vm": MODEL,
    "container-big-host": MODEL,
    "container-cgroup-v1": MODEL,
    "cray-node": {"cpu": ["cpu by craypm"], "ram": ["memory by craypm"],
                  "gpu": [f"accel{i} by craypm" for i in range(4)], "node": ["node by craypm"]},
    "epyc-mirrored-dies": counted(["package-0-die-0 by rapl"]),
    "grace-arm": counted(["package-0 by hwmon", "package-1 by hwmon"]),
    "h100-8x-mig": {},  # its library is made by the tests of nvml
    "intel-cards": cards("Intel GPU 8086:56a0", "Intel GPU 8086:56a1", "Intel GPU 8086:e20b"),
    "jetson-orin-nx": {"node": ["VDD_IN by hwmon"]},
    "kubernetes-pod-nested": MODEL,
    "laptop-on-battery": {"node": ["node by battery"]},
    "laptop-psys-mmio": counted(["package-0 by rapl"]),
    "mi250-node": cards(*4 * ["AMD INSTINCT MI250"]),
    "one-socket": counted(["package-0 by rapl"]),
    "radeon-workstation": cards("AMD GPU 1002:744c", "AMD Radeon Pro W6800"),
    "raspberry-pi": MODEL,
    "server-with-acpi-power-meter": {"node": ["node by hwmon"]},
    "slurm-node": MODEL,
    "unreadable-range": counted(["package-0 by rapl"], ["package-0/dram by rapl"]),
    "vm-without-powercap": MODEL,
    "xeon-2s-dram": counted(["package-0 by rapl", "package-1 by rapl"],
                            ["package-0/dram by rapl", "package-1/dram by rapl"]),
    "zero-range": counted(["package-0 by rapl"]),
}


@functools.cache
def diagnose(machine):
    done = subprocess.run([COMMAND, "doctor", "--json", "--host-root", MACHINES / machine],
                          capture_output=True, text=True)
    return json.loads(done.stdout)


def used(diagnosis):
    columns = {}
    for sensor in diagnosis["sensors"]:
        if sensor["use"] in ("", "usage"):
            continue
        columns.setdefault(sensor["use"], []).append(f"{sensor['name']} by {sensor['back_end']}")
    return columns


class Machines(unittest.TestCase):
    def test_each_joule_has_one_sensor(self):
        for folder in sorted(MACHINES.iterdir()):
            with self.subTest(folder.name):
                self.assertEqual(used(diagnose(folder.name)), EXPECTED.get(folder.name))

    def test_what_is_passed_over_has_a_reason_and_what_is_missing_a_remedy(self):
        for folder in sorted(MACHINES.iterdir()):
            diagnosis = diagnose(folder.name)
            for sensor in diagnosis["sensors"]:
                with self.subTest(folder.name, sensor=sensor["name"]):
                    self.assertTrue(bool(sensor["use"]) != bool(sensor["reason"]), sensor)
            for back_end in diagnosis["back_ends"]:
                for finding in back_end["findings"]:
                    with self.subTest(folder.name, finding=finding["subject"]):
                        self.assertTrue(finding["outcome"] == "found" or finding["reason"], finding)
                        self.assertFalse(finding["outcome"] == "denied" and not finding["remedy"],
                                         finding)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
