#!/usr/bin/env python3
"""The layer check refuses what it is there to refuse. Each case is a small tree with one breach."""

import tempfile
import unittest
from pathlib import Path

import layers

GOOD = {
    "src/base/CMakeLists.txt": "codecarbon_part(base SOURCES a.cpp)",
    "src/base/a.hpp": "#include <string>\n",
    "src/units/CMakeLists.txt": "codecarbon_part(units)",
    "src/host/CMakeLists.txt": "codecarbon_part(host SOURCES h.cpp DEPENDS base)",
    "src/host/h.cpp": '#include "base/a.hpp"\n#include "codecarbon/error.hpp"\n',
    "src/readings/CMakeLists.txt": "codecarbon_part(readings SOURCES r.cpp\n  DEPENDS base units)",
    "src/readings/r.hpp": '#include "codecarbon/units.hpp"\n',
    "src/sensors/rapl/CMakeLists.txt":
        "codecarbon_part(sensors_rapl SOURCES r.cpp DEPENDS host readings)",
    "src/sensors/rapl/rapl.cpp":
        '#include "base/a.hpp"\n#include "readings/r.hpp"\n#include "sensors/rapl/rapl.hpp"\n',
    "src/sensors/rapl/rapl.hpp": "#pragma once\n",
    "src/sensors/modelled/CMakeLists.txt":
        "codecarbon_part(sensors_modelled SOURCES m.cpp DEPENDS host readings)",
    "src/sensors/modelled/m.hpp": "#pragma once\n",
    "src/sampling/CMakeLists.txt": "codecarbon_part(sampling SOURCES s.cpp DEPENDS readings\n"
                                   "  TESTS s_test.cpp TEST_LINK codecarbon_sensors_rapl)",
    "src/sampling/s.cpp": "#include <thread>\n",
    "src/sampling/s_test.cpp": '#include <gtest/gtest.h>\n#include "sensors/rapl/rapl.hpp"\n',
    "include/codecarbon/error.hpp": "#include <string>\n",
    "include/codecarbon/units.hpp": "#include <cmath>\n",
    "apps/cli/main.cpp": "#include <CLI/CLI.hpp>\n",
}


def breaches_with(changes):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in {**GOOD, **changes}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return list(layers.breaches(root))


class Layers(unittest.TestCase):
    def assert_refused(self, changes, *words):
        found = breaches_with(changes)
        self.assertTrue(any(all(w in line for w in words) for line in found), found)

    def test_a_good_tree_passes(self):
        self.assertEqual(breaches_with({}), [])

    def test_include_of_a_part_that_is_no_dependency(self):
        self.assert_refused({"src/sampling/s.cpp": '#include "host/h.hpp"\n'},
                            "src/sampling/s.cpp", "host")

    def test_what_a_test_links_is_not_open_to_the_code(self):
        self.assert_refused({"src/sampling/s.cpp": '#include "sensors/rapl/rapl.hpp"\n'},
                            "src/sampling/s.cpp", "sensors_rapl")

    def test_dependency_against_the_order(self):
        self.assert_refused({"src/base/CMakeLists.txt": "codecarbon_part(base DEPENDS host)"},
                            "base must not depend on host")

    def test_circle(self):
        self.assert_refused({"src/base/CMakeLists.txt": "codecarbon_part(base DEPENDS host)"},
                            "base depends on itself")

    def test_back_end_that_includes_another(self):
        self.assert_refused({"src/sensors/rapl/rapl.cpp": '#include "sensors/modelled/m.hpp"\n'},
                            "sensors/rapl/rapl.cpp", "sensors_modelled")

    def test_back_end_that_depends_on_another(self):
        self.assert_refused(
            {"src/sensors/rapl/CMakeLists.txt":
             "codecarbon_part(sensors_rapl DEPENDS host readings sensors_modelled)"},
            "sensors_rapl must not depend on sensors_modelled")

    def test_public_header_of_a_higher_part(self):
        self.assert_refused({"src/host/h.cpp": '#include "codecarbon/tracker.hpp"\n'},
                            "src/host/h.cpp", "tracker")

    def test_public_header_that_includes_a_higher_one(self):
        self.assert_refused({"include/codecarbon/error.hpp": '#include "codecarbon/report.hpp"\n'},
                            "error.hpp", "report")

    def test_public_header_that_includes_a_private_one(self):
        self.assert_refused({"include/codecarbon/error.hpp": '#include "base/a.hpp"\n'},
                            "error.hpp", "not a public header")

    def test_command_line_library_outside_the_command(self):
        self.assert_refused({"src/host/h.cpp": "#include <CLI/CLI.hpp>\n"}, "CLI/CLI.hpp")

    def test_json_library_in_a_header(self):
        self.assert_refused({"src/readings/r.hpp": "#include <nlohmann/json.hpp>\n"}, "nlohmann")

    def test_test_library_outside_tests(self):
        self.assert_refused({"src/host/h.cpp": "#include <gtest/gtest.h>\n"}, "gtest")

    def test_part_in_a_folder_of_another_name(self):
        self.assert_refused({"src/node/CMakeLists.txt": "codecarbon_part(knot)"}, "knot")

    def test_file_of_nobody(self):
        self.assert_refused({"src/lost/x.cpp": "\n"}, "src/lost/x.cpp", "no part")

    def test_include_that_reaches_nobody(self):
        self.assert_refused({"src/host/h.cpp": '#include "neighbour.hpp"\n'}, "neighbour.hpp")


if __name__ == "__main__":
    unittest.main()
