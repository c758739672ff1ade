#pragma once
/// \file
/// For tests only: a machine with the fake NVIDIA library of tests/fakes/nvml.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "host/library.hpp"
#include "host/machine_copy.hpp"
#include "readings/discovery_fixture.hpp"
#include "sensors/nvml/nvml.hpp"
#include "sensors/simulated/simulated_machine.hpp"

namespace codecarbon::nvml {

using testing_support::count;

/// A machine in a folder, with a driver that plays a machine file. Its time is set by hand.
class FakeMachine {
 public:
  /// A machine of tests/machines that holds machine file and facts where the library lies.
  static FakeMachine of_folder(std::string_view name) {
    const auto folder = testing_support::machine(name) / "usr/lib";
    return FakeMachine(text_of(folder / "machine.json"), text_of(folder / "fake.json"));
  }
  /// `facts` is what the machine file does not say (GpuFacts of the fake). `edition` names the
  /// library.
  explicit FakeMachine(std::string_view machine_json, std::string_view facts = "{}",
                       std::string_view edition = "fake_nvml")
      : truth_(simulated::SimulatedMachine::parse(machine_json, "machine.json").value()) {
    copy_.write("usr/lib/machine.json", machine_json);
    copy_.write("usr/lib/fake.json", facts);
    std::filesystem::copy(std::string(CODECARBON_FAKE_NVML) + "/lib" + std::string(edition) + ".so",
                          copy_.root() / "usr/lib/libnvidia-ml.so.1");
    library_ = std::make_unique<Library>(Library::load(copy_.host(), "libnvidia-ml.so.1").value());
    set_time({});
  }

  Discovery discover() const { return nvml::discover(copy_.host(), {}); }
  void set_time(Duration t) { knob<void(long long)>("fake_nvml_set_time_ns")(t.count()); }
  /// Each call asks `choose` which code to fail with; 0 lets it succeed.
  void answer_by(unsigned int (*choose)(const char*)) {
    knob<void(unsigned int (*)(const char*))>("fake_nvml_answer_by")(choose);
  }
  /// From now on calls for this GPU block, or no longer do.
  void hang(unsigned int gpu, bool hangs) {
    knob<void(unsigned int, bool)>("fake_nvml_hang")(gpu, hangs);
  }
  /// How many initialisations are not yet undone.
  int users() { return knob<int()>("fake_nvml_users")(); }

  const simulated::SimulatedMachine& truth() const { return truth_; }
  /// What a GPU used in [from, to), to the microjoule.
  Energy true_energy(int gpu, Duration from, Duration to) const {
    return truth_.true_energy({DomainKind::gpu, gpu, 0, {}}, from, to).value();
  }
  Host host() const { return copy_.host(); }

 private:
  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  template <class Function>
  Function* knob(const char* name) {
    return library_->function<Function>(name);
  }

  testing_support::MachineCopy copy_;
  simulated::SimulatedMachine truth_;
  std::unique_ptr<Library> library_;
};

/// The reading of one quantity at `t`; empty if there is no such sensor.
inline Reading read(Probe& probe, Quantity quantity, Duration t) {
  std::vector<Reading> readings(probe.sensors().size());
  probe.read(MonoTime(t), readings);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (probe.sensors()[i].quantity == quantity) return readings[i];
  }
  return {};
}

}  // namespace codecarbon::nvml
