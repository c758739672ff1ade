"""Bad input: exit 2, one line that says what, from where and what is accepted; nothing written."""

import sys
import unittest

from support import CommandCase

# Arguments, and words that the line must hold.
FLAGS = [
    (["--measure-power-secs", "0"], ["measure_power_secs", '"0"', "--measure-power-secs", "seconds"]),
    (["--measure-power-secs", "ten"], ["measure_power_secs", '"ten"']),
    (["--measure-power-secs=nan"], ["measure_power_secs"]),
    (["--measure-power-secs="], ["measure_power_secs", '""']),
    (["--pue", "0.5"], ["pue", '"0.5"', "--pue"]),
    (["--pue", "-1"], ["pue", '"-1"']),
    (["--offline=maybe"], ["offline", '"maybe"', "true or false"]),
    (["--log-level", "loud"], ["log_level", "loud", "debug"]),
    (["--on-csv-write", "overwrite"], ["on_csv_write", "append or update"]),
    (["--tracking-mode", "galaxy"], ["tracking_mode", "galaxy"]),
    (["--country-iso-code", "XXX"], ["country_iso_code", "XXX"]),
    (["--cloud-provider", "gcp", "--cloud-region", "moon-1"], ["cloud_region", "moon-1"]),
    (["--output-dir", "no/such/folder"], ["output_dir", "no/such/folder"]),
    (["--output-file", "/no/such/folder/x.csv"], ["/no/such/folder"]),
    (["--host-root", "no/such/root"], ["host_root", "no/such/root"]),
    (["--machine", "no-such-file.json"], ["machine", "no-such-file.json"]),
    (["--machine", "/dev/null"], ["machine", "/dev/null", "(from the command line)"]),
    (["--output-file", "no/such/x.csv"], ["output_file", '"no/such/x.csv" (from the command line)', '"no/such"']),
    (["--country-iso-code", "FRAA"], ["country_iso_code", '"FRAA"', "FRA (France)", "(from the command line)"]),
    (["--country-2letter-iso-code", "FRA"], ["country_2letter_iso_code", '"FRA"', "two letters"]),
    (["--country", "FRA"], ["--country ", "did you mean --country-iso-code or --country-2letter-iso-code?"]),
    (["--gpu-ids", "[0"], ["gpu_ids"]),
    (["--summary", "xml"], ["--summary", "xml", "text, json or none"]),
    (["--oflline"], ["--oflline", "--offline"]),
    (["--measure-power-sec=3"], ["--measure-power-sec ", "--measure-power-secs"]),
    (["--no-region"], ["--no-region"]),
    (["-z"], ["-z"]),
]


class BadInput(CommandCase):
    def refused(self, *words, holds=(), **how):
        before = self.content()
        done = self.run_command(*words, **how)
        line = done.stderr.decode()
        self.assertEqual(done.returncode, 2, line)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(line.count("\n"), 1, line)
        for word in holds:
            self.assertIn(word, line)
        self.assertEqual(self.content(), before)

    def test_flags(self):
        for flags, holds in FLAGS:
            with self.subTest(flags=flags):
                self.refused("monitor", *flags, "--", "touch", "ran", holds=holds)

    def test_flag_without_its_value(self):
        self.refused("monitor", "--region", holds=["--region"])

    def test_mark_without_a_program(self):
        self.refused("monitor", "--", holds=["--"])

    def test_environment_and_files_are_named(self):
        self.refused("monitor", "--", "touch", "ran", env={**self.environment, "CODECARBON_PUE": "x"},
                     holds=["pue", '"x"', "CODECARBON_PUE"])
        (self.folder / ".codecarbon.config").write_text("[codecarbon]\nwue = lots\n")
        self.refused("monitor", "--", "touch", "ran", holds=["wue", "lots", ".codecarbon.config"])

    def test_configuration_file_that_cannot_be_read(self):
        (self.folder / ".codecarbon.config").mkdir()
        for command in (["monitor", "--", "touch", "ran"], ["detect"], ["doctor"], ["config"]):
            with self.subTest(command=command):
                self.refused(*command, holds=[".codecarbon.config", "Is a directory"])

    def test_every_command_refuses_alike(self):
        for command in ("detect", "doctor", "config"):
            with self.subTest(command=command):
                self.refused(command, "--pue", "0", holds=["pue"])
                self.refused(command, "--puee", "1", holds=["--puee"])
                self.refused(command, "word", holds=["word"])
        self.refused("about", "--pue", "1", holds=["--pue"])

    def test_commands(self):
        self.refused("moniter", holds=["moniter", "monitor"])
        self.refused("login", holds=["login"])
        self.refused(holds=["--help"])
        self.refused("--verison", holds=["--verison", "--version"])
        self.refused("completion", "tcsh", holds=["tcsh", "fish"])
        self.refused("completion", holds=["bash"])


class Accepted(CommandCase):
    def test_flags_of_the_python_package_that_mean_nothing_here(self):
        done = self.run_command("monitor", "--no-api", "--api-call-interval", "30", "--offline",
                                "--country-iso-code", "fra", "--", "true")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_api_is_said_to_have_no_effect_and_the_program_runs(self):
        done = self.monitor("sh", "-c", "exit 7", flags=["--api"])
        self.assertEqual(done.returncode, 7)
        self.assertEqual(done.stderr.count(b"--api has no effect"), 1)
        self.assertEqual(len(self.rows()), 1)

    def test_last_of_a_repeated_flag_counts(self):
        done = self.monitor("true", flags=["--project-name", "a", "--project-name", "b"])
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.rows()[0]["project_name"], "b")

    def test_empty_value_is_a_value(self):
        done = self.monitor("true", flags=["--region=", "--project-name", ""])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.rows()[0]["project_name"], "")

    def test_flag_beats_environment_beats_file(self):
        (self.folder / ".codecarbon.config").write_text("[codecarbon]\nproject_name = file\npue = 1.5\n")
        self.environment["CODECARBON_PROJECT_NAME"] = "environment"
        self.monitor("true")
        self.monitor("true", flags=["--project-name", "flag"])
        rows = self.rows()
        self.assertEqual([row["project_name"] for row in rows], ["environment", "flag"])
        self.assertEqual(float(rows[0]["pue"]), 1.5)

    def test_empty_variable_is_not_set(self):
        done = self.run_command("config")
        names = [line.split()[0] for line in done.stdout.decode().splitlines()]
        empty = {f"CODECARBON_{name.upper()}": "" for name in names}
        self.assertIn("CODECARBON_MACHINE", empty)
        self.assertEqual(self.run_command("config", env={**self.environment, **empty}).stdout, done.stdout)

    def test_no_configuration_at_all_simply_works(self):
        done = self.run_command("monitor", "--", "true")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.decode().count("world average of"), 1, done.stderr)

    def test_counter_that_gives_nothing_is_said_once(self):
        """And not where it is not missed, nor where nothing replaces it."""
        root = self.folder / "root"
        zone = root / "sys/class/powercap/intel-rapl:0"
        zone.mkdir(parents=True)
        (zone / "name").write_text("package-0\n")
        (root / "proc").mkdir()
        (root / "proc/stat").write_text("cpu  1 0 1 8 0 0 0 0 0 0\ncpu0 1 0 1 8 0 0 0 0 0 0\n")
        (root / "proc/meminfo").write_text("MemTotal: 16384000 kB\nMemAvailable: 8192000 kB\n")
        (zone / "energy_uj").mkdir()  # whoever reads it, root too
        flags = ["--host-root", str(root), "--country-iso-code", "FRA", "--no-save-to-file"]
        def said(*more):
            done = self.run_command("monitor", *flags, *more, "--", "true")
            lines = [line for line in done.stderr.decode().splitlines() if "codecarbon doctor" in line]
            self.assertEqual(done.returncode, 0, done.stderr)
            return [line for line in lines if "a counter is there" in line and "package-0" in line]

        self.assertEqual(len(said()), 1)
        self.assertEqual(len(said("--force-cpu-power", "10", "--force-ram-power", "2")), 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
