#!/usr/bin/env python3
"""Fits the power model of processors without counters, tries it, and writes what came of it.

    tools/power_model.py            fit, try, write the tables of docs/models.md
    tools/power_model.py --check    the same, but only compare: exit 1 if the tables, or the constants
                                    in src/sensors/modelled/power_model.hpp, are not those of this run

Needs Python 3.9 and nothing else. The model of one processor at load u (0 to 1):

    P(u) = min(rated, idle + fabric (1 - (1 - u)^n) + cores (1 - (1 - u)^t) (clock / base)^b)

with n logical processors, t of them in a core. Where the clock cannot be read it is taken for the
base clock, and t for (1 + t) / 2. docs/models.md says what each part means.
"""

import argparse
import copy
import csv
import math
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOC = ROOT / "docs" / "models.md"
HEADER = ROOT / "src" / "sensors" / "modelled" / "power_model.hpp"

# Of what a busy server draws more at the wall than one at rest, this part reaches the processors:
# power supplies of the 80 PLUS Platinum class give 0.92 of it, the regulators on the board 0.9 of
# that, and fans and memory take the rest.
PROCESSOR_PART = 0.8
ONE_DIE_IDLE = 0.06
REFERENCE_NM = 14


def table(name):
    with open(ROOT / "data" / name, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


# --- fitting ---------------------------------------------------------------------------------


def least_squares(rows, values):
    """The x with the least squared error of rows * x = values, by the normal equations."""
    size = len(rows[0])
    matrix = [[sum(row[i] * row[j] for row in rows) for j in range(size)]
              + [sum(row[i] * value for row, value in zip(rows, values))] for i in range(size)]
    for i in range(size):
        for k in range(size):
            if k == i:
                continue
            factor = matrix[k][i] / matrix[i][i]
            matrix[k] = [a - factor * b for a, b in zip(matrix[k], matrix[i])]
    return [matrix[i][size] / matrix[i][i] for i in range(size)]


class Cores:
    """Power of one busy core, fitted to whole servers: watts (nm / 14)^a (GHz)^b."""

    def __init__(self, servers):
        rows, values = [], []
        for server in servers:
            rows.append([1, math.log(float(server["process_nm"]) / REFERENCE_NM),
                         math.log(float(server["base_mhz"]) / 1000)])
            values.append(math.log(core_watts(server)))
        watts, self.nm_exponent, self.clock_exponent = (
            round(x, 2) for x in least_squares(rows, values))
        self.watts = round(math.exp(watts), 2)
        self.residuals = [value - math.log(self.at(float(server["process_nm"]),
                                                   float(server["base_mhz"])))
                          for server, value in zip(servers, values)]

    def at(self, nm, mhz):
        return self.watts * (nm / REFERENCE_NM) ** self.nm_exponent * (
            mhz / 1000) ** self.clock_exponent

    def bound(self):
        """What 95 of 100 servers lie within, as a fraction of the modelled power, rounded up."""
        return math.ceil(100 * math.expm1(2 * statistics.pstdev(self.residuals))) / 100


def core_watts(server):
    more = float(server["full_w"]) - float(server["rest_w"])
    return PROCESSOR_PART * more / int(server["chips"]) / int(server["cores"])


def cores_share(servers):
    """What busy cores draw as a part of the rated power, where nothing but that is known."""
    shares = [core_watts(server) * int(server["cores"]) / float(server["rated_w"])
              for server in servers]
    return round(statistics.median(shares), 2)


def watts_per_thread(servers, maker, since):
    return round(statistics.median(
        float(server["rated_w"]) / (2 * int(server["cores"])) for server in servers
        if server["cpu_model"].startswith(maker) and int(server["published"]) >= since), 1)


def fit_shares(model, points):
    """The shares of idle and fabric in hundredths with the least mean error, with and without the
    clock."""
    points = points + [p.without_clock() for p in points]
    best = min(((mean_error(model.with_shares(idle / 100, fabric / 100), points), idle, fabric)
                for idle in range(0, 41) for fabric in range(0, 41)))
    return best[1] / 100, best[2] / 100


# --- the model and what it is held against ---------------------------------------------------


class Model:
    def __init__(self, cores, idle=0, fabric=0, one_die_idle=ONE_DIE_IDLE):
        self.cores, self.idle, self.fabric = cores, idle, fabric
        self.one_die_idle = one_die_idle

    def with_shares(self, idle, fabric):
        return Model(self.cores, idle, fabric, self.one_die_idle)

    def __call__(self, point):
        threads, mhz = point.threads_per_core, point.mhz
        if mhz is None:
            threads, mhz = (1 + threads) / 2, point.base_mhz
        idle, fabric = ((self.idle, self.fabric) if point.dies == "several"
                        else (self.one_die_idle, 0))
        awake = 1 - (1 - point.load) ** point.threads
        busy = 1 - (1 - point.load) ** threads
        return min(point.rated, point.rated * (idle + fabric * awake)
                   + point.cores * self.cores.at(point.process_nm, mhz) * busy)


class Point:
    """One measurement, and what was known before it."""

    def __init__(self, row, facts):
        self.name, self.pattern = row["cpu_model"], row["load_pattern"]
        self.load = float(row["cpu_load_percent"]) / 100
        self.rated, self.measured = float(row["rated_tdp_w"]), float(row["package_power_w"])
        self.mhz, self.base_mhz = float(row["cpu_freq_mhz"]), float(facts["base_mhz"])
        self.cores, self.threads = int(facts["cores"]), int(facts["threads"])
        self.threads_per_core = self.threads // self.cores
        self.process_nm, self.dies = float(facts["process_nm"]), facts["dies"]

    def without_clock(self):
        point = copy.copy(self)
        point.mhz = None
        return point


def read_points():
    facts = {row["cpu_model"]: row for row in table("cpu_power_processors.csv")}
    return [Point(row, facts[row["cpu_model"]]) for row in table("cpu_power_profiles.csv")]


def mean_error(model, points):
    return statistics.fmean(abs(model(p) - p.measured) / p.measured for p in points)


def error_of_mean(model, points):
    """Mean absolute error as a part of the mean power."""
    return (sum(abs(model(p) - p.measured) for p in points)
            / sum(p.measured for p in points))


def within(model, points, bound):
    return statistics.fmean(abs(model(p) - p.measured) <= bound * model(p) for p in points)


class LeaveOneOut:
    """For each point the model whose constants were fitted without the processor it is of."""

    def __init__(self, model, points):
        self.models = {}
        for name in dict.fromkeys(p.name for p in points):
            others = [p for p in points if p.name != name]
            self.models[name] = model.with_shares(*fit_shares(model, others))

    def __call__(self, point):
        return self.models[point.name](point)


def teads(point):
    """Share of the rated power at loads of 0, 10, 50 and 100 %, straight lines between them."""
    knots = [(0, 0.12), (0.1, 0.32), (0.5, 0.75), (1, 1.02)]
    for (u0, p0), (u1, p1) in zip(knots, knots[1:]):
        if point.load <= u1:
            return point.rated * (p0 + (p1 - p0) * (point.load - u0) / (u1 - u0))
    return point.rated * knots[-1][1]


USUAL = {
    "rated power × load, at least a tenth": lambda p: p.rated * max(p.load, 0.1),
    "half the rated power": lambda p: p.rated / 2,
    "curve of Teads (0.12, 0.32, 0.75, 1.02)": teads,
    "rated power × (0.11 + 0.63 load^0.6), fitted to all three":
        lambda p: p.rated * (0.11 + 0.63 * p.load ** 0.6),
}


# --- what is written -------------------------------------------------------------------------


def percent(share):
    return f"{100 * share:.1f} %"


def short(name):
    return re.sub(r"Intel\(R\) Xeon\(R\) CPU |AMD | Processor|Ryzen | \d+-Core| @.*", "", name)


def groups(points):
    for name in dict.fromkeys(p.name for p in points):
        for pattern in ("all_cores", "some_cores"):
            yield name, pattern, [p for p in points if (p.name, p.pattern) == (name, pattern)]


def summary_table(models, points, bound):
    lines = ["| model | mean error | of mean power | within the bound |", "|---|---|---|---|"]
    for name, model in models.items():
        covered = percent(within(model, points, bound)) if name.startswith("this") else ""
        lines.append(f"| {name} | {percent(mean_error(model, points))} "
                     f"| {percent(error_of_mean(model, points))} | {covered} |")
    return lines


def group_table(models, points):
    lines = ["| processor | load | " + " | ".join(models) + " |",
             "|---|---|" + "---|" * len(models)]
    for name, pattern, some in groups(points):
        cells = [f"{percent(mean_error(m, some))} ({percent(error_of_mean(m, some))})"
                 for m in models.values()]
        lines.append(f"| {short(name)} | {pattern.replace('_', ' ')} | " + " | ".join(cells) + " |")
    return lines


def shares_table(left_out, values):
    lines = ["| fitted without | idle share | fabric share |", "|---|---|---|"]
    lines += [f"| {short(name)} | {m.idle:.2f} | {m.fabric:.2f} |"
              for name, m in left_out.models.items()]
    return lines + [f"| (all three: what the program uses) | {values['kSeveralDiesIdleShare']:.2f} "
                    f"| {values['kFabricShare']:.2f} |"]


def constants(servers, points):
    cores = Cores(servers)
    idle, fabric = fit_shares(Model(cores), points)
    return cores, {
        "kCoreWatts": cores.watts,
        "kProcessExponent": cores.nm_exponent,
        "kClockExponent": cores.clock_exponent,
        "kOneDieIdleShare": ONE_DIE_IDLE,
        "kSeveralDiesIdleShare": idle,
        "kFabricShare": fabric,
        "kCoresShare": cores_share(servers),
        "kIntelServerWattsPerThread": watts_per_thread(servers, "Intel", 2015),
        "kAmdServerWattsPerThread": watts_per_thread(servers, "AMD EPYC", 2015),
        "kLoadModelBound": cores.bound(),
    }


def report(servers, points):
    cores, values = constants(servers, points)
    model = LeaveOneOut(Model(cores), points)
    blind = without_clock(model)
    models = {"this, clock known": model, "this, clock not known": blind, **USUAL}
    lines = summary_table(models, points, values["kLoadModelBound"])
    lines += ["", "Mean error by processor and load (and as a part of the mean power):", ""]
    lines += group_table({"clock known": model, "clock not known": blind,
                          "rated × load": USUAL["rated power × load, at least a tenth"]}, points)
    lines += ["", *shares_table(model, values), "", sensitivity(cores, points), ""]
    lines += ["| constant | value |", "|---|---|"]
    lines += [f"| `{name}` | {value} |" for name, value in values.items()]
    return "\n".join(lines), values


def without_clock(model):
    return lambda point: model(point.without_clock())


def sensitivity(cores, points):
    errors = []
    for idle in (0.03, 0.12):
        model = LeaveOneOut(Model(cores, one_die_idle=idle), points)
        errors += [percent(mean_error(m, points)) for m in (model, without_clock(model))]
    return (f"With an idle share of one-die processors of 0.03 in place of {ONE_DIE_IDLE} the mean "
            f"errors would be {errors[0]} and {errors[1]}, with 0.12 {errors[2]} and {errors[3]}.")


def inserted(document, text):
    begin, end = "<!-- made by tools/power_model.py -->", "<!-- end -->"
    head, rest = document.split(begin)
    return head + begin + "\n" + text + "\n" + end + rest.split(end, 1)[1]


def stale_constants(values):
    text = HEADER.read_text(encoding="utf-8")
    found = dict(re.findall(r"constexpr double (k\w+) = ([\d.]+);", text))
    return [f"{name} is {found.get(name, 'missing')} in {HEADER.name}, fitted {value}"
            for name, value in values.items() if float(found.get(name, "nan")) != value]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    arguments = parser.parse_args()
    text, values = report(table("server_power.csv"), read_points())
    trouble = stale_constants(values)
    document = DOC.read_text(encoding="utf-8")
    fresh = inserted(document, text)
    if arguments.check and fresh != document:
        trouble.append(f"{DOC.relative_to(ROOT)} is stale: run tools/power_model.py")
    if not arguments.check:
        DOC.write_text(fresh, encoding="utf-8")
    for line in trouble:
        print(line, file=sys.stderr)
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())
