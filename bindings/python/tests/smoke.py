"""Whether the package works at all on this interpreter: import, start, stop, one row. Needs nothing
but the package."""

import csv
import os
import sys
import sysconfig
import tempfile

os.chdir(tempfile.mkdtemp())
for name in [name for name in os.environ if name.startswith("CODECARBON_")]:
    del os.environ[name]
os.environ["HOME"] = os.getcwd()

from codecarbon import OfflineEmissionsTracker  # noqa: E402
from codecarbon.output import BaseOutput, EmissionsData  # noqa: E402

if sysconfig.get_config_var("Py_GIL_DISABLED"):
    assert not sys._is_gil_enabled(), "importing brought the interpreter lock back"


class Kept(BaseOutput):
    rows: list[EmissionsData] = []

    def out(self, total: EmissionsData, delta: EmissionsData) -> None:
        self.rows.append(total)


tracker = OfflineEmissionsTracker(
    "smoke",
    country_iso_code="FRA",
    force_cpu_power=40,
    force_ram_power=5,
    log_level="error",
    output_handlers=[Kept()],
)
tracker.start()
sum(range(100_000))
emissions_kg = tracker.stop()
assert emissions_kg is not None and emissions_kg > 0

with open("emissions.csv", newline="") as file:
    (row,) = csv.DictReader(file)
assert len(row) == 38
assert float(row["emissions"]) == emissions_kg == Kept.rows[0].emissions
assert row["project_name"] == "smoke"
assert row["python_version"] == sys.version.split()[0], row["python_version"]
print(f"smoke: {sys.version.split()[0]} measured {float(row['energy_consumed']) * 3.6e6:.3f} J")
