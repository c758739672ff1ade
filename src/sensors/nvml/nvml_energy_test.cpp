/// What is measured through the driver is what the machine truly used.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "readings/counter.hpp"
#include "readings/power_integrator.hpp"
#include "sensors/nvml/nvml_fixture.hpp"

namespace codecarbon::nvml {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// What one sensor gave to a run.
struct Total {
  Energy energy;
  Energy bound;
  Energy missing;
  Duration gap{};
};

/// Reads the energy of one GPU every `step` over [from, to], as a run does.
template <class Reader>
Total measure(FakeMachine& machine, Probe& probe, Duration from, Duration to, Duration step) {
  const SensorInfo& info = probe.sensors()[0];
  Reader reader(info);
  Total total;
  reader.rebase(MonoTime(from));
  for (Duration t = from; t <= to; t += step) {
    machine.set_time(t);
    Reading reading = read(probe, info.quantity, t);
    if (reader.suspicious(reading)) reading = read(probe, info.quantity, t);
    const auto interval = reader.advance(reading);
    if (!interval) continue;
    total.energy += interval->energy;
    total.bound += interval->bound;
    if (interval->gap) {
      total.missing += interval->gap->bound;
      total.gap += interval->gap->length;
    }
  }
  return total;
}

/// As the counter shows it: whole millijoules at both ends.
Energy true_counter(const FakeMachine& machine, int gpu, Duration from, Duration to) {
  const auto& script = machine.truth().machine().gpus.at(static_cast<std::size_t>(gpu)).energy;
  const auto shown = [&](Duration t) {
    return (script.start.uj() + static_cast<std::int64_t>(energy_uj_until(script.power, t))) / 1000;
  };
  return Energy::from_uj((shown(to) - shown(from)) * 1000);
}

/// Eight GPUs without a counter under square waves whose periods nothing is a multiple of.
std::string gauges(std::string_view more = {}) {
  std::string gpus;
  for (const int period : {5, 11, 23, 50, 97, 150, 333, 500}) {
    gpus += (gpus.empty() ? "" : ",") + std::string(R"({"sensor": "power", )") + std::string(more) +
            R"("power_w": {"square": {"low_w": 70, "high_w": 650, "duty": 0.4, "period_ms": )" +
            std::to_string(period) + "}}}";
  }
  return R"({"gpus": [)" + gpus + "]}";
}

/// Each GPU in a run of its own, since machine time only moves forward.
constexpr int kGpus = 8;

TEST(NvmlEnergy, CountersOfEightGpusGiveTheTruthToTheMicrojoule) {
  const Duration from = milliseconds(7);
  const Duration to = from + seconds(60);
  for (int gpu = 0; gpu < kGpus; ++gpu) {
    FakeMachine machine = FakeMachine::of_folder("h100-8x-mig");
    const Discovery found = machine.discover();
    ASSERT_EQ(found.probes.size(), 8U);
    Probe& probe = *found.probes[static_cast<std::size_t>(gpu)];
    const Total total = measure<Counter>(machine, probe, from, to, milliseconds(100));
    EXPECT_EQ(total.energy, true_counter(machine, gpu, from, to)) << gpu;
    EXPECT_EQ(total.gap, Duration{}) << gpu;
    const Energy off = total.energy - machine.true_energy(gpu, from, to);
    EXPECT_LT(std::abs(off.uj()), 1000) << "a step of the counter";
  }
}

TEST(NvmlEnergy, PowerThatIsReadOftenEnoughGivesTheTruthWithinItsBound) {
  const Duration to = seconds(60);
  for (int gpu = 0; gpu < kGpus; ++gpu) {
    FakeMachine machine(gauges(), R"({"gpus": [{"architecture": 6}]})");
    const Discovery found = machine.discover();
    Probe& probe = *found.probes.at(static_cast<std::size_t>(gpu));
    const Total total = measure<PowerIntegrator>(machine, probe, {}, to, milliseconds(1));
    const Energy off = total.energy - machine.true_energy(gpu, {}, to);
    EXPECT_LE(std::abs(off.uj()), total.bound.uj()) << gpu;
    EXPECT_GT(total.energy, Energy{});
  }
}

/// On newer GPUs the power shown is the mean of the last second: what that carries in from before
/// the start, and leaves out at the end, is all that it is off by beyond the integration.
TEST(NvmlEnergy, PowerThatIsTheMeanOfASecondMissesAtMostThatSecondsChange) {
  constexpr auto kSwing = Power::from_uw((650 - 70) * 1'000'000LL);
  const Duration from = seconds(2);
  const Duration to = from + seconds(60);
  for (int gpu = 0; gpu < kGpus; ++gpu) {
    FakeMachine machine(gauges(R"("window_ms": 1000, "update_ms": 100, )"));
    const Discovery found = machine.discover();
    Probe& probe = *found.probes.at(static_cast<std::size_t>(gpu));
    const SensorInfo& info = probe.sensors()[0];
    ASSERT_EQ(info.averaging, seconds(1));
    const Total total = measure<PowerIntegrator>(machine, probe, from, to, milliseconds(100));
    const Energy off = total.energy - machine.true_energy(gpu, from, to);
    const Energy ends = kSwing * (info.averaging + info.update_period);
    EXPECT_LE(std::abs(off.uj()), (total.bound + ends).uj()) << gpu;
    EXPECT_LT(std::abs(off.uj()), total.energy.uj() / 100) << gpu << ": a per cent of it";
  }
}

/// A counter that stands at a year of work when the run begins.
TEST(NvmlEnergy, TheFirstReadingIsABaselineHoweverLarge) {
  FakeMachine machine(R"({"gpus": [{"power_w": 400, "start_j": 12600000000}]})");
  const Discovery found = machine.discover();
  Probe& probe = *found.probes.at(0);
  const Total nothing = measure<Counter>(machine, probe, {}, {}, seconds(1));
  EXPECT_EQ(nothing.energy, Energy{});
  const Total total = measure<Counter>(machine, probe, {}, seconds(10), seconds(1));
  EXPECT_EQ(total.energy, Energy::from_uj(4'000'000'000));
}

/// No counter but 26 W for an hour; a second GPU that works; a third that is not ready.
TEST(NvmlEnergy, AMixedFleetIsExactGpuByGpu) {
  FakeMachine machine(
      R"({"gpus": [{"power_w": 26, "sensor": "power"}, {"power_w": 250}, {"power_w": 250},
                   {"power_w": 250}]})",
      R"({"gpus": [{"architecture": 4}, {}, {"answers": {
            "nvmlDeviceGetTotalEnergyConsumption": 27, "nvmlDeviceGetPowerUsage": 27}},
            {"answers": {"nvmlDeviceGetHandleByIndex_v2": 15}}]})");
  const Discovery found = machine.discover();
  ASSERT_EQ(found.probes.size(), 3U) << "the last cannot even be identified";
  EXPECT_EQ(count(found, Finding::Outcome::found), 2U);
  EXPECT_EQ(count(found, Finding::Outcome::unsupported), 2U);
  const Duration hour = std::chrono::hours(1);
  const Total third = measure<Counter>(machine, *found.probes[2], {}, seconds(10), seconds(1));
  EXPECT_EQ(third.energy, Energy{});
  const Total first = measure<PowerIntegrator>(machine, *found.probes[0], seconds(10),
                                               seconds(10) + hour, seconds(15));
  EXPECT_EQ(first.energy, Energy::from_uj(26LL * 3600 * 1'000'000)) << "0.026 kWh";
  const Duration later = seconds(10) + hour;
  const Total second =
      measure<Counter>(machine, *found.probes[1], later, later + hour, seconds(15));
  EXPECT_EQ(second.energy, Energy::from_uj(250LL * 3600 * 1'000'000));
}

TEST(NvmlEnergy, ACounterLosesNothingWhileItsGpuIsLostAndFoundAgain) {
  FakeMachine machine(R"({"gpus": [{"power_w": 250, "faults": [
      {"kind": "disappear", "from_s": 10, "to_s": 20}]}]})");
  const Discovery found = machine.discover();
  Probe& probe = *found.probes.at(0);
  const auto at = [&](Duration t) {
    machine.set_time(t);
    return read(probe, Quantity::energy, t).value;
  };
  EXPECT_EQ(at(seconds(9)), 9LL * 250'000'000);
  EXPECT_EQ(at(seconds(10)).error(), ReadFault::gone);
  EXPECT_EQ(at(milliseconds(19'900)).error(), ReadFault::gone);
  EXPECT_EQ(at(seconds(20)).error(), ReadFault::gone) << "looked for a moment ago";
  EXPECT_EQ(at(milliseconds(20'900)), 20'900LL * 250'000);
}

}  // namespace
}  // namespace codecarbon::nvml
