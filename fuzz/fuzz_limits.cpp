// Limits of containers and jobs: whatever bytes the files and variables hold, a limit is within the
// machine and says where it comes from, and the sensors give numbers in range or say why there are
// none. The input's parts, separated by lines of "--", are the process's groups, its mounts, the
// group's quota, list of processors, memory limit and table of times, a Slurm list and the output
// of scontrol.

#include <stdlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "codecarbon/clock.hpp"
#include "host/limits.hpp"
#include "host/slurm_job.hpp"
#include "require.hpp"
#include "sensors/modelled/modelled.hpp"

namespace codecarbon::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMachineBytes = 1024LL * 1024 * 1024 * 1024;
constexpr double kMachineProcessors = 4;

/// A host root with a control group mounted, removed in the end.
class Tree {
 public:
  Tree() {
    std::string pattern = (fs::temp_directory_path() / "fuzz_limits_XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
    for (const char* folder : {"proc/self", "sys/fs/cgroup", "sys/devices/system/cpu"}) {
      fs::create_directories(root_ / folder);
    }
    write("sys/devices/system/cpu/online", "0-3\n");
    write("proc/meminfo", "MemTotal: 1073741824 kB\nMemAvailable: 1000 kB\n");
    write("proc/stat",
          "cpu  4 0 0 40\ncpu0 1 0 0 10\ncpu1 1 0 0 10\ncpu2 1 0 0 10\ncpu3 1 0 0 10\nintr 0\n");
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  void write(const char* file, std::string_view text) const {
    std::ofstream stream(root_ / file, std::ios::binary | std::ios::trunc);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

std::string_view take_part(std::string_view& text) {
  constexpr std::string_view kEnd = "--\n";
  const auto end = std::min(text.find(kEnd), text.size());
  const auto part = text.substr(0, end);
  text.remove_prefix(std::min(end + kEnd.size(), text.size()));
  return part;
}

void check_limits(const ResourceLimits& limits) {
  require(limits.processors.has_value() != limits.processors_source.empty());
  require(limits.memory_bytes.has_value() != limits.memory_source.empty());
  if (limits.processors) require(*limits.processors > 0 && *limits.processors < kMachineProcessors);
  if (limits.memory_bytes)
    require(*limits.memory_bytes > 0 && *limits.memory_bytes < kMachineBytes);
}

void check_sensors(const Host& host, ManualClock& clock) {
  const Discovery discovery = modelled::discover(host, {});
  require(!discovery.probes.empty());
  for (int round = 0; round < 2; ++round) {
    clock.advance(std::chrono::seconds(1));
    for (const auto& probe : discovery.probes) {
      std::array<Reading, 2> readings;
      probe->read(clock.now(), std::span(readings).first(probe->sensors().size()));
      for (const Reading& reading : readings) require(reading.value.value_or(0) >= 0);
    }
  }
}

void check_slurm(std::string_view list, std::string_view scontrol) {
  for (const SlurmShare& share :
       {share_by_scontrol(scontrol, "77"),
        share_by_variables(Environment(std::map<std::string, std::string, std::less<>>{
            {"SLURM_JOB_ID", "77"},
            {"SLURM_NODEID", "1"},
            {"SLURM_JOB_CPUS_PER_NODE", std::string(list)},
            {"SLURM_MEM_PER_CPU", std::string(list)}}))}) {
    require(share.processors.value_or(1) > 0);
    require(share.memory_bytes.value_or(1) > 0);
  }
}

void check(std::string_view text) {
  static const Tree tree;
  const auto clock = std::make_shared<ManualClock>();
  const Host host(tree.root(), Environment{}, clock);
  for (const char* file : {"proc/self/cgroup", "proc/self/mountinfo", "sys/fs/cgroup/cpu.max",
                           "sys/fs/cgroup/cpuset.cpus.effective", "sys/fs/cgroup/memory.max",
                           "sys/fs/cgroup/cpu.stat"}) {
    tree.write(file, take_part(text));
  }
  check_limits(read_limits(host));
  check_sensors(host, *clock);
  const auto list = take_part(text);
  check_slurm(list, text);
}

}  // namespace
}  // namespace codecarbon::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  codecarbon::fuzz::check(codecarbon::fuzz::as_text(data, size));
  return 0;
}
