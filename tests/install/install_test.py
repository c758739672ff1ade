#!/usr/bin/env python3
"""The installed tree is all that a user's project needs, also after it was moved.

Arguments: source folder, build folder, C++ compiler.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, BUILD = Path(sys.argv[1]), Path(sys.argv[2])
CXX = sys.argv[3]


def run(*command, env=None, cwd=None):
    done = subprocess.run([str(word) for word in command], text=True, cwd=cwd,
                          env={**os.environ, **(env or {})},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


class InstalledTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = Path(cls.folder.name)
        run("cmake", "--install", BUILD, "--prefix", cls.work / "first")
        cls.prefix = cls.work / "moved here"
        shutil.move(cls.work / "first", cls.prefix)
        cls.lib = next(cls.prefix.rglob("libcodecarbon.*")).parent
        cls.home = {"HOME": str(cls.work)}  # nobody's configuration file

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_each_header_stands_alone(self):
        headers = sorted((self.prefix / "include" / "codecarbon").iterdir())
        self.assertIn("version.hpp", [h.name for h in headers])
        for header in headers:
            language = "c" if header.suffix == ".h" else "c++"
            standard = "c11" if language == "c" else "c++20"
            run(CXX, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-Werror",
                "-fsyntax-only", "-I", self.prefix / "include", "-include", header, os.devnull)

    def test_every_public_header_is_installed(self):
        public = {p.name.removesuffix(".in") for p in (SOURCE / "include/codecarbon").iterdir()}
        installed = {p.name for p in (self.prefix / "include/codecarbon").iterdir()}
        self.assertEqual(public, installed)

    def test_consumer_by_find_package(self):
        build = self.work / "by-cmake"
        run("cmake", "-S", SOURCE / "examples/consumer", "-B", build,
            f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER={CXX}")
        run("cmake", "--build", build)
        self.assertRegex(run(build / "consumer", env=self.home), r"^codecarbon \d+\.\d+\.\d+: meas")

    def test_consumer_by_pkg_config(self):
        folder = self.work / "by-pkg-config"
        shutil.copytree(SOURCE / "examples/consumer", folder)
        run("make", f"CXX={CXX}", cwd=folder,
            env={"PKG_CONFIG_PATH": str(self.lib / "pkgconfig"), "MAKEFLAGS": ""})
        output = run(folder / "consumer", env={"LD_LIBRARY_PATH": str(self.lib), **self.home})
        self.assertRegex(output, r"^codecarbon \d+\.\d+\.\d+: measured")

    def test_command(self):
        command = self.prefix / "bin" / "codecarbon"
        self.assertRegex(run(command, "--version"), r"^codecarbon \d+\.\d+\.\d+\n$")

    def test_completion_of_each_shell(self):
        for file in ("bash-completion/completions/codecarbon", "zsh/site-functions/_codecarbon",
                     "fish/vendor_completions.d/codecarbon.fish"):
            self.assertIn("monitor", (self.prefix / "share" / file).read_text())

    def test_licence(self):
        self.assertTrue(list(self.prefix.rglob("LICENSE")))

    def test_nothing_names_the_folder_it_was_made_in(self):
        for path in [*self.prefix.rglob("*.cmake"), *self.prefix.rglob("*.pc")]:
            text = path.read_text()
            for folder in (SOURCE, BUILD, self.work):
                self.assertIsNone(re.search(re.escape(str(folder)) + r"\b", text), path)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
