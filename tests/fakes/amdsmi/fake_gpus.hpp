#pragma once
/// \file
/// The GPUs that the fake libraries of AMD show: those of `machine.json` beside the library.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "readings/probe.hpp"

namespace fake_amd {

/// A value, or the status to fail with.
struct Shown {
  std::uint32_t status = 0;
  std::uint64_t value = 0;
};

/// Status codes on which both libraries agree by number.
inline constexpr std::uint32_t kInvalid = 1;
inline constexpr std::uint32_t kNotSupported = 2;
inline constexpr std::uint32_t kFailed = 7;

class FakeGpus {
 public:
  /// The one of this copy of the library.
  static FakeGpus& instance();

  bool start();
  void stop() { --users; }
  std::size_t size() const { return probes_.size(); }
  /// What GPU `index` shows of `quantity` now.
  Shown show(std::size_t index, codecarbon::Quantity quantity) const;
  Shown energy_counts(std::size_t index) const;
  Shown memory_total(std::size_t index) const;
  static std::uint64_t pci_id(std::size_t index);

  codecarbon::MonoTime now{};
  std::uint32_t refusal = 0;  ///< what starting fails with
  int users = 0;

 private:
  std::vector<std::unique_ptr<codecarbon::Probe>> probes_;
};

}  // namespace fake_amd

// For tests: machine time in nanoseconds, what starting fails with, users that have not stopped.
extern "C" void fake_amd_set_time_ns(long long time_ns);
extern "C" void fake_amd_refuse(std::uint32_t status);
extern "C" int fake_amd_users();
