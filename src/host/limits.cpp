#include "host/limits.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "host/machine_facts.hpp"
#include "host/slurm.hpp"

namespace codecarbon {
namespace {

std::string number_of_processors(double processors) {
  return fmt::format("{:.4g} processor{}", processors, processors == 1 ? "" : "s");
}

/// As limits are written: a container of "100G" has 100 x 2^30 bytes.
std::string gibibytes(std::int64_t bytes) {
  constexpr double kGibibyte = 1U << 30U;
  return fmt::format("{:.4g} GiB", static_cast<double>(bytes) / kGibibyte);
}

/// An OpenMP runtime that binds threads binds the first one to one processor; its list then says
/// nothing of what the process may use.
bool binds_threads(const Environment& environment) {
  const auto is = [&](const char* name, std::string_view word) {
    return lower(trimmed(environment.get(name).value_or(""))) == word;
  };
  if (is("OMP_PROC_BIND", "false")) return false;
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"}) {
    if (!is(name, "") && !is(name, "disabled") && !is(name, "none")) return true;
  }
  return false;
}

/// The processors that the scheduler may put this process on, as taskset and batch systems set
/// them.
std::optional<CpuList> affinity(const Host& host) {
  constexpr std::string_view kKey = "Cpus_allowed_list:";
  if (binds_threads(host.environment())) return std::nullopt;
  const auto status = host.read("proc/self/status");
  std::string_view text = status ? std::string_view(*status) : std::string_view();
  while (!text.empty()) {
    const auto line = take_until(text, '\n');
    if (line.starts_with(kKey)) return CpuList::parse(line.substr(kKey.size()));
  }
  return std::nullopt;
}

class LimitsReader {
 public:
  explicit LimitsReader(const Host& host)
      : host_(host),
        online_(read_cpu_list(host, "sys/devices/system/cpu/online")),
        machine_processors_(online_ ? online_->count() : processors_in_stat(host)),
        machine_memory_(memory_total_bytes(host)) {}

  ResourceLimits read() {
    heed_quota();
    heed_cpuset();
    heed_affinity();
    heed_memory();
    heed_slurm();
    return std::move(limits_);
  }

 private:
  /// Whether `processors` is less than what is known so far.
  bool lowers(double processors) const {
    return processors < limits_.processors.value_or(machine_processors_);
  }
  bool lowers_memory(std::int64_t bytes) const {
    return machine_memory_ && bytes < limits_.memory_bytes.value_or(*machine_memory_);
  }

  void limit_processors(double processors, std::string source) {
    limits_.processors = processors;
    limits_.processors_source = std::move(source);
    limits_.cpu_time_file.reset();
    limits_.processor_list.reset();
  }

  std::string path(const std::string& file) const { return host_.resolve(file).string(); }

  void heed_quota() {
    const auto quota = least_quota(host_, groups_);
    if (!quota || !lowers(quota->value)) return;
    limit_processors(quota->value,
                     fmt::format("cgroup quota of {} ({})", number_of_processors(quota->value),
                                 path(quota->file)));
    limits_.cpu_time_file = cpu_time_file(host_, groups_, *groups_.cpu, quota->level);
  }

  void heed_cpuset() {
    const auto cpuset = allowed_processors(host_, groups_);
    if (!cpuset) return;
    limit_list(cpuset->value, "cgroup cpuset", path(cpuset->file));
    if (limits_.processor_list) {
      limits_.cpu_time_file = cpu_time_file(host_, groups_, *groups_.cpuset, cpuset->level);
    }
  }

  void heed_affinity() {
    if (const auto list = affinity(host_)) {
      limit_list(*list, "CPU affinity", path("proc/self/status"));
    }
  }

  /// Those of `allowed` that are online.
  void limit_list(const CpuList& allowed, std::string_view what, const std::string& where) {
    const auto list = online_ ? allowed.common(*online_) : allowed;
    if (!list || !lowers(list->count())) return;
    limit_processors(list->count(), fmt::format("{} of {} ({})", what,
                                                number_of_processors(list->count()), where));
    limits_.processor_list = list;
  }

  void limit_memory(std::int64_t bytes, std::string source, std::size_t level) {
    limits_.memory_bytes = bytes;
    limits_.memory_source = std::move(source);
    limits_.memory_files = memory_files(host_, groups_, level);
  }

  void heed_memory() {
    const auto memory = least_memory(host_, groups_);
    if (!memory || !lowers_memory(memory->value)) return;
    limit_memory(
        memory->value,
        fmt::format("cgroup memory of {} ({})", gibibytes(memory->value), path(memory->file)),
        memory->level);
  }

  void heed_slurm() {
    const auto job = slurm_job_id(host_.environment());
    if (!job) return;
    const SlurmShare told = share_by_variables(host_.environment());
    SlurmShare asked;
    if (!(told.processors || limits_.processors) || !(told.memory_bytes || limits_.memory_bytes)) {
      asked = ask_slurm(host_);
    }
    heed_share(*job, told.processors ? told.processors : asked.processors,
               told.memory_bytes ? told.memory_bytes : asked.memory_bytes);
  }

  void heed_share(std::string_view job, std::optional<std::int64_t> processors,
                  std::optional<std::int64_t> memory_bytes) {
    const std::string group = fmt::format("job_{}", job);
    if (processors && lowers(static_cast<double>(*processors))) {
      const auto count = static_cast<double>(*processors);
      limit_processors(count, fmt::format("Slurm job {}: {}", job, number_of_processors(count)));
      limits_.cpu_time_file = cpu_time_of(group);
    }
    if (memory_bytes && lowers_memory(*memory_bytes)) {
      const auto level = groups_.memory ? level_named(*groups_.memory, group) : std::nullopt;
      limit_memory(*memory_bytes, fmt::format("Slurm job {}: {}", job, gibibytes(*memory_bytes)),
                   level.value_or(SIZE_MAX));
    }
  }

  /// Slurm keeps a control group for each job where it may.
  std::optional<std::string> cpu_time_of(std::string_view group) const {
    if (!groups_.cpu_time) return std::nullopt;
    const auto level = level_named(*groups_.cpu_time, group);
    return level ? cpu_time_file(host_, groups_, *groups_.cpu_time, *level) : std::nullopt;
  }

  const Host& host_;
  const Cgroups groups_ = find_cgroups(host_);
  std::optional<CpuList> online_;
  double machine_processors_;
  std::optional<std::int64_t> machine_memory_;
  ResourceLimits limits_;
};

}  // namespace

ResourceLimits read_limits(const Host& host) {
  return LimitsReader(host).read();
}

}  // namespace codecarbon
