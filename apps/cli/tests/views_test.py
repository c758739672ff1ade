"""detect, doctor, about, config, completion, --version, --help."""

import json
import shutil
import subprocess
import sys
import unittest

from support import COMMAND, CommandCase


class Views(CommandCase):
    def shown(self, *words, code=0):
        done = self.run_command(*words)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(self.content(), [])
        return done.stdout.decode()

    def test_version(self):
        self.assertRegex(self.shown("--version"), r"^codecarbon \d+\.\d+\.\d+\n$")

    def test_help(self):
        self.assertIn("monitor -- make", self.shown("--help"))
        self.assertEqual(self.shown("help"), self.shown("--help"))
        text = self.shown("monitor", "--help")
        for word in ("--measure-power-secs SECONDS", "--offline, --no-offline", "Examples", "[15]"):
            self.assertIn(word, text)

    def test_about_names_its_data(self):
        text = self.shown("about")
        for word in ("codecarbon", "MIT", "Ember", "@tgwf/co2"):
            self.assertIn(word, text)

    def test_detect(self):
        text = self.shown("detect")
        for word in ("CPU", "RAM", "GPU", "Place", "Sensors in use"):
            self.assertIn(word, text)
        machine = json.loads(self.shown("detect", "--json", "--country-iso-code", "FRA"))
        self.assertEqual(machine["place"]["country_iso_code"], "FRA")
        self.assertGreater(machine["system"]["cpu_count"], 0)
        self.assertTrue(machine["usable"])

    def test_doctor_names_each_back_end_and_ends_with_a_verdict(self):
        text = self.shown("doctor")
        for word in ("rapl:", "modelled:", "Sensors in use"):
            self.assertIn(word, text)
        self.assertTrue(text.splitlines()[-1].startswith("Ready to measure"), text)
        self.assertTrue(json.loads(self.shown("doctor", "--json"))["usable"])

    def test_config_says_where_each_value_is_from(self):
        self.environment["CODECARBON_WUE"] = "1.8"
        text = self.shown("config", "--pue", "1.2")
        self.assertRegex(text, r'pue +"1.2" +the command line\n')
        self.assertRegex(text, r'wue +"1.8" +environment CODECARBON_WUE\n')
        self.assertRegex(text, r'measure_power_secs +"15" +default\n')
        self.assertRegex(text, r"region +- +not set\n")

    def test_config_as_markdown_has_every_option(self):
        text = self.shown("config", "--markdown")
        for word in ("measure_power_secs", "CODECARBON_PUE", "--host-root"):
            self.assertIn(word, text)

    def test_standard_output_that_is_full(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([COMMAND, "about"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count(b"\n"), 1)


class Completion(CommandCase):
    def script(self, shell):
        return self.run_command("completion", shell).stdout.decode()

    def completed(self, *words):
        """What bash offers for the last of `words`."""
        line = " ".join(f"'{word}'" for word in words)
        script = self.script("bash") + (
            f"\nCOMP_WORDS=(codecarbon {line}); COMP_CWORD={len(words)}; _codecarbon\n"
            'printf "%s\\n" "${COMPREPLY[@]}"\n')
        return subprocess.run(["bash"], input=script.encode(), capture_output=True, check=True,
                              **self.place()).stdout.decode().split()

    def test_bash(self):
        self.assertEqual(self.completed("mon"), ["monitor"])
        self.assertEqual(self.completed("monitor", "--meas"), ["--measure-power-secs"])
        self.assertEqual(self.completed("monitor", "--on-csv-write", ""), ["append", "update"])
        self.assertIn("info", self.completed("doctor", "--log-level", "i"))
        self.assertEqual(self.completed("completion", "z"), ["zsh"])
        self.assertIn("bash", self.completed("monitor", "--", "bas"))

    def test_zsh_works_from_the_fpath_and_sourced(self):
        script = self.script("zsh")
        self.assertTrue(script.startswith("#compdef codecarbon\n"))
        # Run as the body of an autoloaded function it must complete, not only make itself known.
        self.assertTrue(script.endswith('if [[ $funcstack[1] = _codecarbon ]]; then _codecarbon "$@"\n'
                                        "else compdef _codecarbon codecarbon; fi\n"))
        if not shutil.which("zsh"):
            return
        (self.folder / "_codecarbon").write_text(script)
        stubs = "_describe() { print described }; compdef() { print known };"
        for use, said in (("fpath=($PWD $fpath); autoload -Uz _codecarbon; CURRENT=2; _codecarbon", "described"),
                          ("source ./_codecarbon", "known")):
            done = subprocess.run(["zsh", "-f", "-c", stubs + use], capture_output=True, check=True, **self.place())
            self.assertEqual(done.stdout.decode().split(), [said])

    def test_scripts_are_well_formed(self):
        for shell in ("bash", "zsh", "fish"):
            with self.subTest(shell=shell):
                script = self.script(shell)
                self.assertIn("measure-power-secs", script)
                if shutil.which(shell):
                    subprocess.run([shell, "-n"], input=script.encode(), check=True)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
