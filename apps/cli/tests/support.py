"""What the tests of the command share: a clean folder, a clean environment, and waiting for events."""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

COMMAND = os.environ["CODECARBON_COMMAND"]
DEADLINE_S = 60
# Nothing here is about the figures, so the machine is one that is the same everywhere.
QUICK = ["--offline", "--country-iso-code", "FRA", "--force-cpu-power", "10", "--force-ram-power", "2"]


def wait_for(condition, what):
    """Returns the first true answer of `condition`; a test that waits in vain says for what."""
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        answer = condition()
        if answer:
            return answer
        time.sleep(0.005)
    raise AssertionError(f"waited in vain for {what}")


def state_of(pid):
    """The letter of a process in /proc: S sleeping, T stopped."""
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


class CommandCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("CODECARBON_")
        }
        self.environment["HOME"] = str(self.folder)
        self.environment["TERM"] = "xterm"

    def run_command(self, *words, **how):
        how = {"stdin": subprocess.DEVNULL, "timeout": DEADLINE_S, **self.place(), **how}
        if "input" in how:
            del how["stdin"]
        return subprocess.run([COMMAND, *words], capture_output=True, check=False, **how)

    def monitor(self, *words, flags=(), **how):
        return self.run_command("monitor", *QUICK, *flags, "--", *words, **how)

    def python(self, script, *words):
        """The words that run a Python script."""
        return [sys.executable, "-c", script, *words]

    def start(self, *words, flags=(), **how):
        """Starts a monitor; with words, one of a program that says "ready" on a line first."""
        tail = ["--", *words] if words else []
        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        process = subprocess.Popen([COMMAND, "monitor", *QUICK, *flags, *tail], **self.place(), **how)
        self.addCleanup(self.end, process)
        if words:
            self.assertEqual(process.stdout.readline(), b"ready\n")
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def place(self, **variables):
        return {"cwd": self.folder, "env": {**self.environment, **variables}}

    def rows(self, name="emissions.csv"):
        file = self.folder / name
        if not file.exists():
            return []
        with open(file, newline="") as lines:
            return list(csv.DictReader(lines))

    def content(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))
