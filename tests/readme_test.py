#!/usr/bin/env python3
"""README.md tells the truth: its commands run, its code compiles, its links lead somewhere.

Arguments: source folder, folder of the programs, C++ compiler. Commands run in a folder that looks
like the source folder; those of make and pip are only looked up. The Python in it is run by the tests
of the Python package, which have that installed.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, PROGRAMS = Path(sys.argv[1]), Path(sys.argv[2])
CXX = sys.argv[3]
README = (SOURCE / "README.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


class Readme(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.work = Path(self.folder.name)
        (self.work / "build").mkdir()
        (self.work / "build" / "bin").symlink_to(PROGRAMS)
        for name in ("tests", "examples"):
            (self.work / name).symlink_to(SOURCE / name)

    def run_line(self, line):
        if line.startswith("make "):
            return subprocess.run(["make", "-n", *line.split()[1:]], cwd=SOURCE, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if line.startswith("pip "):
            self.assertEqual(line, "pip install .")
            line = f"test -f '{SOURCE}/pyproject.toml'"
        return subprocess.run(["bash", "-c", line], cwd=self.work, text=True,
                              env={**os.environ, "HOME": str(self.work)},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_commands(self):
        lines = [line for block in blocks("sh") for line in block.splitlines()]
        self.assertTrue(lines)
        for line in lines:
            with self.subTest(line):
                done = self.run_line(line)
                self.assertEqual(done.returncode, 0, done.stdout)
        measured = sum(" monitor " in line for line in lines)
        rows = (self.work / "emissions.csv").read_text().splitlines()
        self.assertEqual(len(rows), 1 + measured)

    def test_code_compiles(self):
        for number, code in enumerate(blocks("cpp")):
            file = self.work / f"block{number}.cpp"
            file.write_text(code)
            done = subprocess.run(
                [CXX, "-std=c++20", "-Wall", "-fsyntax-only", f"-I{SOURCE}/include",
                 f"-I{PROGRAMS.parent}/include", str(file)],
                text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_links(self):
        for target in re.findall(r"\]\(([^)#]+)\)", README):
            if "://" not in target:
                self.assertTrue((SOURCE / target).exists(), target)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
