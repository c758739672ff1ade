#include "sensors/process/process.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "host/limits.hpp"
#include "sensors/process/process_walk.hpp"

namespace codecarbon::process {
namespace {

using Outcome = Finding::Outcome;

/// The number of this process in that /proc. In the files of another machine, the one they show.
std::optional<int> own_number(const Host& host) {
  const auto text = host.read("proc/self/stat");
  const auto self = text ? parse_process_stat(*text) : std::nullopt;
  return self ? std::optional(self->pid) : std::nullopt;
}

/// Drivers number processes as the machine's first namespace does, whose number is the same on
/// every kernel (PROC_PID_INIT_INO in include/linux/proc_ns.h).
bool is_in_first_namespace(const Host& host) {
  std::error_code error;
  const auto name = std::filesystem::read_symlink(host.resolve("proc/self/ns/pid"), error);
  return !error && name == "pid:[4026531836]";
}

Finding refused_clock(int error) {
  Finding finding{Outcome::absent, "task-clock event (perf_event_open)", std::strerror(error), {}};
  if (error == EACCES || error == EPERM) {
    finding.remedy =
        "allow it with `sysctl kernel.perf_event_paranoid=2` (the kernel's own default), or give "
        "CAP_PERFMON; until then CPU time is read from /proc in steps of 10 ms";
  }
  return finding;
}

/// Only the machine that this process runs on has its clock.
std::optional<TaskClock> open_clock(const Host& host, TrackedProcesses tracked,
                                    std::vector<Finding>& findings) {
  if (host.root() != "/") return std::nullopt;
  auto clock = TaskClock::open(tracked);
  if (!clock) {
    findings.push_back(refused_clock(clock.error()));
    return std::nullopt;
  }
  return std::move(*clock);
}

}  // namespace

Discovery discover(const Host& host, const SensorSettings& settings) {
  Discovery discovery;
  if (!settings.processes) return discovery;
  const auto unable = [&](std::string reason) {
    discovery.findings.push_back(
        {Outcome::absent, host.resolve("proc").string(), std::move(reason), {}});
    return std::move(discovery);
  };
  const auto number = own_number(host);
  if (!number) return unable("it does not say which process this one is");
  auto table = ProcessTable::open(host);
  if (!table) return unable(table.error().message);
  auto stat = host.open("proc/stat");
  if (!stat) return unable(stat.error().message);
  auto meminfo = host.open("proc/meminfo");

  ProcessWalk::Files files{std::move(*table), std::move(*stat), std::nullopt,
                           PartUse(host, read_limits(host))};
  if (meminfo) files.meminfo.emplace(std::move(*meminfo));
  auto clock = open_clock(host, *settings.processes, discovery.findings);
  discovery.processes =
      std::make_unique<ProcessWalk>(std::move(files), ProcessTree(*number, *settings.processes),
                                    std::move(clock), is_in_first_namespace(host));
  discovery.findings.push_back({Outcome::found, discovery.processes->description(), {}, {}});
  return discovery;
}

}  // namespace codecarbon::process
