"""The fit of the power model on figures whose answer is known."""

import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import power_fit  # noqa: E402


def server(nm, mhz, cores, watts_a_core, chips=2):
    more = watts_a_core * cores * chips / power_fit.PROCESSOR_PART
    return {"cpu_model": "Intel X", "published": "2020", "chips": str(chips), "cores": str(cores),
            "base_mhz": str(mhz), "process_nm": str(nm), "rated_w": "100",
            "full_w": str(50 + more), "rest_w": "50"}


def point(**changes):
    row = {"cpu_model": "X", "load_pattern": "all_cores", "cpu_load_percent": "50",
           "rated_tdp_w": "100", "package_power_w": "40", "cpu_freq_mhz": "2000"}
    facts = {"base_mhz": "2000", "cores": "8", "threads": "16", "process_nm": "14",
             "dies": "several"}
    row.update({k: v for k, v in changes.items() if k in row})
    facts.update({k: v for k, v in changes.items() if k in facts})
    return power_fit.Point(row, facts)


class LeastSquares(unittest.TestCase):
    def test_finds_a_plane_exactly(self):
        rows = [[1, x, y] for x in range(3) for y in (1, 4, 9)]
        found = power_fit.least_squares(rows, [2 + 3 * x - 0.5 * y for _, x, y in rows])
        for value, expected in zip(found, (2, 3, -0.5)):
            self.assertAlmostEqual(value, expected)


class Cores(unittest.TestCase):
    def test_recovers_the_law_that_the_servers_follow(self):
        servers = [server(nm, mhz, cores, 2 * (nm / 14) ** 0.5 * (mhz / 1000) ** 1.5)
                   for nm in (5, 14, 32) for mhz in (2000, 3000) for cores in (4, 64)]
        cores = power_fit.Cores(servers)
        self.assertEqual((cores.watts, cores.nm_exponent, cores.clock_exponent), (2, 0.5, 1.5))
        self.assertLessEqual(cores.bound(), 0.01)

    def test_the_bound_is_twice_the_spread(self):
        servers = [server(nm, mhz, 8, 2 * factor) for nm in (5, 14, 32) for mhz in (2000, 3000)
                   for factor in (math.exp(0.2), math.exp(-0.2))]
        self.assertAlmostEqual(power_fit.Cores(servers).bound(), math.expm1(0.4), delta=0.01)


class LeaveOneOut(unittest.TestCase):
    def test_a_processor_has_no_part_in_its_own_prediction(self):
        cores = power_fit.Cores([server(nm, mhz, 8, nm * mhz / 1e4)
                                 for nm in (5, 14) for mhz in (2000, 3000)])

        def predicted(watts):
            points = [point(cpu_model=name, package_power_w=power)
                      for name, power in (("A", watts), ("B", "40"), ("C", "60"))]
            return power_fit.LeaveOneOut(power_fit.Model(cores), points)(points[0])

        self.assertEqual(predicted("10"), predicted("90"))


if __name__ == "__main__":
    unittest.main()
