#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "host/machine_copy.hpp"
#include "readings/selection.hpp"
#include "sensors/all.hpp"

namespace codecarbon {
namespace {

using testing_support::machine;
using testing_support::MachineCopy;

/// What all back-ends together find on a machine, and what is used of it.
class Whole {
 public:
  explicit Whole(const MachineCopy& copy) {
    for (const BackEnd& back_end : all_back_ends()) {
      found_.push_back(back_end.discover(copy.host(), {}).value());
      for (const auto& probe : found_.back().probes) {
        for (const SensorInfo& sensor : probe->sensors()) sensors_.push_back(&sensor);
      }
    }
    uses_ = select_sensors(sensors_, {});
  }
  /// The sensors that GPU energy is counted from.
  std::vector<const SensorInfo*> counted_gpus() const {
    std::vector<const SensorInfo*> gpus;
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      if (uses_[i].component == Component::gpu) gpus.push_back(sensors_[i]);
    }
    return gpus;
  }

 private:
  std::vector<Discovery> found_;
  std::vector<const SensorInfo*> sensors_;
  std::vector<Use> uses_;
};

void install_amd_smi(const MachineCopy& copy) {
  std::filesystem::copy_file(std::filesystem::path(CODECARBON_FAKE_AMD) / "libfake_amd_smi.so",
                             copy.root() / "usr/lib/libamd_smi.so");
}

TEST(SameGpu, IsCountedOnceWhereTheLibraryAndTheKernelShowIt) {
  const MachineCopy copy(machine("mi250-node"));
  install_amd_smi(copy);
  const Whole whole(copy);
  const auto gpus = whole.counted_gpus();
  ASSERT_EQ(gpus.size(), 4U);
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    EXPECT_EQ(gpus[i]->quantity, Quantity::energy);
    EXPECT_EQ(gpus[i]->domain.index, static_cast<int>(2 * i));
    EXPECT_NE(gpus[i]->source.find("libamd_smi"), std::string::npos);
  }
}

TEST(SameGpu, IsMeasuredThroughTheKernelWhereThereIsNoLibrary) {
  const Whole whole{MachineCopy(machine("mi250-node"))};
  const auto gpus = whole.counted_gpus();
  ASSERT_EQ(gpus.size(), 4U);
  for (const SensorInfo* gpu : gpus) EXPECT_EQ(gpu->quantity, Quantity::power);
}

TEST(SameGpu, WhoseCounterDoesNotCountIsMeasuredThroughTheKernelBesideOthersThatDo) {
  const MachineCopy copy(machine("mi250-node"));
  install_amd_smi(copy);
  copy.write("usr/lib/machine.json", R"({"gpus": [{"power_w": 0}, {"power_w": 0},
      {"power_w": 100, "start_j": 9}, {"power_w": 0}]})");
  const Whole whole(copy);
  const auto gpus = whole.counted_gpus();
  ASSERT_EQ(gpus.size(), 4U);
  int counters = 0;
  for (const SensorInfo* gpu : gpus) counters += gpu->quantity == Quantity::energy ? 1 : 0;
  EXPECT_EQ(counters, 1);
}

}  // namespace
}  // namespace codecarbon
