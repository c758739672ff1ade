// What one sample of a two-socket, eight-GPU node costs through the real back-ends, beside a bare
// loop of the same reads and driver calls. The counters are files, the driver is the tests' fake
// NVML, which plays a machine file. The figure to compare is the CPU time of the whole process for
// a sample. At a beat both wake up for each, as they do in life. Without one (period 0) the engine
// reads as at a boundary, where the caller waits for the drivers' thread.

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "host/host.hpp"
#include "host/library.hpp"
#include "readings/allocations_fixture.hpp"
#include "sampling/sampler.hpp"
#include "sensors/nvml/nvml.hpp"
#include "sensors/rapl/rapl.hpp"

namespace {

using namespace codecarbon;

constexpr int kGpus = 8;

/// The node in a folder of its own, in memory where the system has such a place.
class Node {
 public:
  Node() {
    std::string pattern = std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";
    pattern += "/codecarbon-bench-XXXXXX";
    root_ = ::mkdtemp(pattern.data());
    for (int socket = 0; socket < 2; ++socket) {
      const std::string zone = "intel-rapl:" + std::to_string(socket);
      add_counter(zone, "package-" + std::to_string(socket));
      add_counter(zone + "/" + zone + ":0", "dram");
    }
    write("usr/lib/machine.json",
          R"({"gpus": [{"name": "NVIDIA H100", "copies": 8, "power_w": 500}]})");
    std::filesystem::copy(CODECARBON_FAKE_NVML "/libfake_nvml.so",
                          root_ / "usr/lib/libnvidia-ml.so.1");
  }
  ~Node() { std::filesystem::remove_all(root_); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Host host() const { return Host(root_, Environment{}, std::make_shared<const SystemClock>()); }
  const std::vector<std::string>& counters() const { return counters_; }

 private:
  void add_counter(const std::string& zone, const std::string& name) {
    const std::string folder = "sys/class/powercap/" + zone;
    write(folder + "/name", name + "\n");
    write(folder + "/energy_uj", "123456789012\n");
    write(folder + "/max_energy_range_uj", "262143328850\n");
    counters_.push_back((root_ / folder / "energy_uj").string());
  }
  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  std::filesystem::path root_;
  std::vector<std::string> counters_;
};

/// How many samples one iteration at a beat is: whole beats are timed, so that nothing of the
/// benchmark wakes up between them.
constexpr int kBeats = 300;

Duration period_of(const benchmark::State& state) {
  return std::chrono::microseconds(state.range(0));
}

timespec cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time;
}

/// Tells what one sample cost: CPU time of the whole process, since this was made.
class Cost {
 public:
  void tell(benchmark::State& state) const {
    const timespec now = cpu_time();
    const double spent_us = 1e6 * static_cast<double>(now.tv_sec - begun_.tv_sec) +
                            1e-3 * static_cast<double>(now.tv_nsec - begun_.tv_nsec);
    const auto samples = static_cast<double>(state.iterations() * (state.range(0) ? kBeats : 1));
    state.counters["cpu_us_a_sample"] = spent_us / samples;
    state.counters["allocations"] =
        static_cast<double>(testing_support::allocations_so_far() - allocations_) / samples;
  }

 private:
  timespec begun_ = cpu_time();
  long allocations_ = testing_support::allocations_so_far();
};

void in_rhythms(benchmark::internal::Benchmark* benchmark) {
  benchmark->UseRealTime()->ArgName("period_us")->Arg(0)->Arg(1000)->Arg(10'000);
}

void through_the_back_ends(benchmark::State& state) {
  const Node node;
  auto probes = rapl::discover(node.host(), {}).probes;
  for (auto& probe : nvml::discover(node.host(), {}).probes) probes.push_back(std::move(probe));
  std::vector<const SensorInfo*> sensors;
  for (const auto& probe : probes) {
    for (const SensorInfo& info : probe->sensors()) sensors.push_back(&info);
  }
  const auto uses = select_sensors(sensors, {});
  const Duration period = period_of(state);
  Sampler sampler(std::move(probes), uses, node.host().shared_clock(),
                  period.count() ? period : std::chrono::hours(1),
                  [](const SensorInfo&, GapCause) {});
  const auto run = sampler.add_window();
  sampler.open(run);
  sampler.sample_now();
  const Cost cost;
  for (auto _ : state) {
    period.count() ? std::this_thread::sleep_for(kBeats * period) : sampler.sample_now();
  }
  cost.tell(state);
}
BENCHMARK(through_the_back_ends)->Apply(in_rhythms);

/// The driver's functions that the floor calls, as the vendor's header declares them.
struct Driver {
  explicit Driver(const Library& library)
      : init(library.function<int()>("nvmlInit_v2")),
        handle(library.function<int(unsigned, void**)>("nvmlDeviceGetHandleByIndex_v2")),
        energy(library.function<int(void*, unsigned long long*)>(
            "nvmlDeviceGetTotalEnergyConsumption")) {}
  int (*init)();
  int (*handle)(unsigned, void**);
  int (*energy)(void*, unsigned long long*);
};

void sleep_until_next(timespec& next, std::int64_t period_us) {
  next.tv_nsec += period_us * 1000;
  next.tv_sec += next.tv_nsec / 1'000'000'000;
  next.tv_nsec %= 1'000'000'000;
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr);
}

void read_all(const std::vector<int>& files) {
  for (const int file : files) {
    char text[32];
    const auto length = ::pread(file, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    benchmark::DoNotOptimize(::atoll(text));
  }
}

void ask_all(const Driver& driver, const std::array<void*, kGpus>& gpus) {
  for (void* gpu : gpus) {
    unsigned long long energy_mj = 0;
    driver.energy(gpu, &energy_mj);
    benchmark::DoNotOptimize(energy_mj);
  }
}

void floor_of_the_same(benchmark::State& state) {
  const Node node;
  const Library library = Library::load(node.host(), "libnvidia-ml.so.1").value();
  const Driver driver(library);
  driver.init();
  std::array<void*, kGpus> gpus{};
  for (unsigned i = 0; i < kGpus; ++i) driver.handle(i, &gpus[i]);
  std::vector<int> files;
  for (const auto& path : node.counters()) files.push_back(::open(path.c_str(), O_RDONLY));
  const Cost cost;
  for (auto _ : state) {
    timespec next{};
    ::clock_gettime(CLOCK_MONOTONIC, &next);
    for (int i = 0; i < (state.range(0) ? kBeats : 1); ++i) {
      if (state.range(0)) sleep_until_next(next, state.range(0));
      read_all(files);
      ask_all(driver, gpus);
    }
  }
  cost.tell(state);
  for (const int file : files) ::close(file);
}
BENCHMARK(floor_of_the_same)->Apply(in_rhythms);

}  // namespace

BENCHMARK_MAIN();
