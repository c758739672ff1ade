#pragma once
/// \file
/// What a tracker reports: plain values, complete in themselves. Every energy, power, emission and
/// water figure of a report includes the PUE.

#include <optional>
#include <string>
#include <vector>

#include "codecarbon/clock.hpp"
#include "codecarbon/method.hpp"
#include "codecarbon/place.hpp"
#include "codecarbon/units.hpp"

namespace codecarbon {

/// Energy of one part of the machine over the active time of a run or task; in process mode, of
/// the tracked processes' share of it.
struct ComponentReport {
  Energy energy;
  Power power;     ///< energy / active time
  Energy bound;    ///< the truth lies within energy ± bound, gaps included
  Duration gap{};  ///< time for which no reading could be had, summed over sensors
  Method method = Method::none;
  std::string source;  ///< which sensors, for a person: "rapl package-0, package-1"
};

/// The meter of the whole machine, beside its parts and never added to them.
struct NodeReport {
  ComponentReport meter;
  /// What it shows beyond the parts: fans, disks, losses of the supply, and all errors. Negative
  /// where the parts were overstated.
  Energy residual;
};

/// Whose a component's energy was: own + rest + idle is all that the machine used, to the
/// microjoule.
struct ShareReport {
  Energy own;      ///< of the tracked processes, those that have ended included
  Energy rest;     ///< of other processes, and what could not be told apart
  Energy idle;     ///< nobody's: for keeping unused capacity ready
  Energy unknown;  ///< part of `rest`: nobody could tell whose it was, so some may be `own`
  Energy bound;    ///< `own` is off by at most this, that of the machine's figure included

  Energy machine() const { return own + rest + idle; }
};

struct ProcessShare {
  ShareReport cpu;
  ShareReport gpu;
  ShareReport ram;
  std::string source;  ///< how the processes' CPU time was had, for a person

  Energy own() const { return cpu.own + gpu.own + ram.own; }
  Energy machine() const { return cpu.machine() + gpu.machine() + ram.machine(); }
};

struct SystemReport {
  std::string os;
  std::string python_version;  ///< empty outside Python
  std::string host;
  int cpu_count = 0;      ///< logical processors
  std::string cpu_model;  ///< empty when unknown
  int gpu_count = 0;
  std::string gpu_model;  ///< "2 x NVIDIA H100"; empty without GPU
  double ram_total_gb = 0;
};

/// Time-weighted means over the active time; missing when nothing could be read.
struct UsageReport {
  std::optional<double> cpu_percent;
  std::optional<double> gpu_percent;
  std::optional<double> ram_percent;
  std::optional<double> ram_used_gb;
};

/// Where the process that reports stands in a job: all ranks of one workload, on however many
/// nodes.
struct JobReport {
  std::string id;                 ///< the same for all ranks of the job on one node
  std::optional<int> rank;        ///< from 0; missing for a process that has none
  std::optional<int> local_rank;  ///< among the ranks of this node
  std::optional<int> world_size;  ///< ranks of the job
  std::string found_by;           ///< which launcher said so, for a person: "torchrun", "options"
};

/// The totals of a run so far.
struct Report {
  WallTime timestamp{};
  std::string project_name;
  std::string run_id;
  std::string experiment_id;
  std::string experiment_name;
  std::string tracking_mode;
  std::optional<JobReport> job{};  ///< missing outside a job

  Duration duration{};  ///< active time: pauses are not in it
  ComponentReport cpu;
  ComponentReport gpu;
  ComponentReport ram;
  std::optional<NodeReport> node{};   ///< missing where the machine has no such meter
  std::optional<ProcessShare> share;  ///< where it was asked for; missing: not looked at
  Carbon emissions;
  Water water;
  double pue = 1;  ///< power usage effectiveness, 1 or more
  double wue = 0;  ///< litres of water per kilowatt-hour

  PlaceReport place;
  IntensityReport intensity;
  SystemReport system;
  UsageReport usage;
  std::vector<std::string> notes;  ///< gaps, stalls and other trouble, one line each

  Energy energy() const { return cpu.energy + gpu.energy + ram.energy; }
  Energy bound() const { return cpu.bound + gpu.bound + ram.bound; }
};

/// The same for one named stretch of the program.
struct TaskReport {
  std::string task_name;
  Report report;
};

}  // namespace codecarbon
