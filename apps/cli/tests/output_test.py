"""The report, and outputs that fail: the run goes on and the program's exit code is kept."""

import json
import os
import sys
import unittest

from support import CommandCase


class Summary(CommandCase):
    def test_text(self):
        done = self.monitor("sh", "-c", "exit 7")
        text = done.stderr.decode()
        for word in ("exit code 7", "CPU", "RAM", "total", " J", " W", "forced", "±", "CO2e", "France",
                     "emissions.csv"):
            self.assertIn(word, text)

    def test_json_is_one_object_with_the_exit_code(self):
        done = self.monitor("sh", "-c", "exit 7", flags=["--summary", "json", "--log-level", "error"])
        report = json.loads(done.stderr)
        self.assertEqual(report["exit_code"], 7)
        self.assertEqual(report["command"], ["sh", "-c", "exit 7"])
        self.assertEqual(report["row_file"], "emissions.csv")
        self.assertEqual(report["run_id"], self.rows()[0]["run_id"])

    def test_json_of_words_that_are_not_utf8(self):
        done = self.monitor("true", b"\xff", flags=["--summary", "json", "--log-level", "error"])
        json.loads(done.stderr.decode())

    def test_log_lines_have_the_known_form(self):
        done = self.run_command("monitor", "--summary", "none", "--logger-preamble", "job 7", "true")
        for line in done.stderr.decode().splitlines():
            self.assertRegex(line, r"^\[codecarbon (INFO|WARNING) @ \d\d:\d\d:\d\d\] job 7 .")
        self.assertIn("WARNING", done.stderr.decode())

    def test_none_is_silent(self):
        done = self.monitor("true", flags=["--summary", "none", "--log-level", "error"])
        self.assertEqual(done.stderr, b"")
        self.assertEqual(len(self.rows()), 1)

    def test_file(self):
        done = self.monitor("true", flags=["--summary", "json", "--summary-file", "report.json",
                                           "--log-level", "error"])
        self.assertEqual(done.stderr, b"")
        self.assertEqual(json.loads((self.folder / "report.json").read_text())["exit_code"], 0)

    def test_file_that_cannot_be_written(self):
        for file in ("no/such/folder/x", "/dev/full"):
            with self.subTest(file=file):
                done = self.monitor("sh", "-c", "exit 7", flags=["--summary-file", file, "--log-level", "error"])
                self.assertEqual(done.returncode, 7)
                self.assertIn(file, done.stderr.decode())
                self.assertIn("CO2e", done.stderr.decode())

    def test_without_a_row_file(self):
        done = self.monitor("true", flags=["--no-save-to-file"])
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.rows(), [])
        self.assertNotIn("emissions.csv", done.stderr.decode())


class FailingOutput(CommandCase):
    LEVELS = ("debug", "info", "warning", "error", "critical")

    def test_row_is_claimed_only_when_written_whatever_is_shown(self):
        (self.folder / "good").mkdir()
        (self.folder / "bad" / "emissions.csv").mkdir(parents=True)
        for level in self.LEVELS:
            for folder in ("good", "bad"):
                with self.subTest(level=level, folder=folder):
                    flags = ["--log-level", level, "--output-dir", folder]
                    text = self.monitor("true", flags=flags).stderr.decode()
                    self.assertEqual("\n  row " in text, folder == "good", text)
                    flags += ["--summary", "json", "--summary-file", "report.json"]
                    text = self.monitor("true", flags=flags).stderr.decode()
                    report = json.loads((self.folder / "report.json").read_text())
                    self.assertEqual("row_file" in report, folder == "good", report)
                    if level == "critical":
                        self.assertEqual(text, "")

    def one_error(self, done):
        self.assertEqual(done.returncode, 7, done.stderr)
        lines = done.stderr.decode().splitlines()
        errors = [line for line in lines if " ERROR @ " in line and "cannot" in line]
        self.assertEqual(len(errors), 1, done.stderr)
        self.assertIn("CO2e", done.stderr.decode())
        self.assertNotIn("\n  row ", done.stderr.decode())

    def test_full_disk(self):
        os.symlink("/dev/full", self.folder / "emissions.csv")
        self.one_error(self.monitor("sh", "-c", "exit 7"))

    def test_folder_that_vanishes(self):
        (self.folder / "out").mkdir()
        self.one_error(self.monitor("sh", "-c", "rmdir out; exit 7", flags=["--output-dir", "out"]))

    def test_file_that_is_a_folder(self):
        (self.folder / "emissions.csv").mkdir()
        self.one_error(self.monitor("sh", "-c", "exit 7"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
