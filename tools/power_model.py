#!/usr/bin/env python3
"""Fits the power model of processors without counters, tries it, and writes what came of it.

    tools/power_model.py            fit, try, write the tables of docs/models.md
    tools/power_model.py --check    the same, but only compare: exit 1 if the tables, or the constants
                                    of the program, are not those of this run

Needs Python 3.9 and nothing else.
"""

import argparse
import csv
import pathlib
import re
import sys

from power_fit import (ONE_DIE_IDLE, Cores, LeaveOneOut, Model, Point, cores_share, error_of_mean,
                       fit_shares, mean_error, watts_per_thread, within)

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOC = ROOT / "docs" / "models.md"
HEADERS = (ROOT / "src" / "sensors" / "modelled" / "power_model.hpp",
           ROOT / "src" / "readings" / "idle_share.hpp")


def table(name):
    with open(ROOT / "data" / name, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def read_points():
    facts = {row["cpu_model"]: row for row in table("cpu_power_processors.csv")}
    return [Point(row, facts[row["cpu_model"]]) for row in table("cpu_power_profiles.csv")]


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
    text = "".join(header.read_text(encoding="utf-8") for header in HEADERS)
    found = dict(re.findall(r"constexpr double (k\w+) = ([\d.]+);", text))
    return [f"{name} is {found.get(name, 'missing')} in the program, fitted {value}"
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
