"""The power model of processors without counters: its fit and how it is tried. Pure: rows in, figures
out; no files.

The model of one processor at load u (0 to 1):

    P(u) = min(rated, idle + fabric (1 - (1 - u)^n) + cores (1 - (1 - u)^t) (clock / base)^b)

with n logical processors, t of them in a core. Where the clock cannot be read it is taken for the
base clock, and t for (1 + t) / 2. docs/models.md says what each part means.
"""

import copy
import math
import statistics

# Of what a busy server draws more at the wall than one at rest, this part reaches the processors:
# power supplies of the 80 PLUS Platinum class give 0.92 of it, the regulators on the board 0.9 of
# that, and fans and memory take the rest.
PROCESSOR_PART = 0.8
ONE_DIE_IDLE = 0.06
REFERENCE_NM = 14


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
        log_watts, nm_exponent, clock_exponent = least_squares(rows, values)
        self.watts = round(math.exp(log_watts), 2)
        self.nm_exponent, self.clock_exponent = round(nm_exponent, 2), round(clock_exponent, 2)
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
