#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fake_gpu.hpp"

/// NVML leaves this to its library. A handle is of a GPU or of one MIG instance of it.
struct nvmlDevice_st {
  fake_nvml::FakeGpu* gpu = nullptr;
  unsigned int number = 0;
  std::string uuid;
  bool stale = false;  // the GPU was lost since; only a new handle leads to it
};

namespace fake_nvml {

/// The machine of machine.json and fake.json beside this library. Machine time is the time since
/// loading, until a test sets it.
class FakeMachine {
 public:
  explicit FakeMachine(const std::filesystem::path& folder);

  Duration now() const;
  void set_time(Duration t) { time_ = t; }

  std::vector<FakeGpu>& gpus() { return gpus_; }
  nvmlDevice_t handle(unsigned int gpu, const std::string& uuid);
  bool knows(nvmlDevice_t handle) const;

  nvmlReturn_t init_answer = NVML_SUCCESS;
  std::string driver_version = "550.54.14";
  int users = 0;  // NVML counts its initialisations

 private:
  std::vector<FakeGpu> gpus_;
  std::deque<nvmlDevice_st> handles_;
  codecarbon::MonoTime loaded_;
  std::optional<Duration> time_;
};

/// Calls for some GPUs wait here until they are let go. Thread-safe.
class Hanger {
 public:
  void set(unsigned int gpu, bool hangs);
  void pass(unsigned int gpu);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<unsigned int> hanging_;
};

}  // namespace fake_nvml
