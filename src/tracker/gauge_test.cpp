// Power gauges on a machine whose true energy is known: what a report claims holds.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tracker/tracker_fixture.hpp"

namespace codecarbon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class GaugeTest : public TrackerTest {
 protected:
  /// Measures a minute of one GPU that swings between 50 and 350 W, and holds the report against
  /// what the machine used. How far off it is, as a part of the truth.
  double holds(int period_ms, double duty, int window_ms) {
    const auto json = fmt::format(
        R"({{"gpus": [{{"name": "G", "sensor": "power", "window_ms": {}, "plausible_w": 800,
             "power_w": {{"square": {{"low_w": 50, "high_w": 350, "period_ms": {}, "duty": {}}}}}}}]}})",
        window_ms, period_ms, duty);
    const auto machine = simulated::SimulatedMachine::parse(json, "gauge").value();
    Tracker tracker = make(json);
    tracker.start();
    clock->await_waiters(1);
    pass(seconds(60));
    tracker.stop();
    const ComponentReport gpu = sink->reports.back().gpu;
    const Energy truth = machine.true_total(Duration{}, seconds(60));
    EXPECT_NEAR(gpu.energy.joules(), truth.joules(), gpu.bound.joules());
    EXPECT_LT(gpu.bound, truth);
    return (gpu.energy - truth).joules() / truth.joules();
  }
};

TEST_F(GaugeTest, ASquareWaveFasterThanTheSamplingDoesNotEscape) {
  double sum = 0;
  int cases = 0;
  for (const int period_ms : {5, 10, 20, 50, 100, 200, 500}) {
    for (const double duty : {0.2, 0.5, 0.8}) {
      for (const int window_ms : {0, 20, 100, 1000}) {
        SCOPED_TRACE(fmt::format("{} ms, duty {}, mean over {} ms", period_ms, duty, window_ms));
        sum += holds(period_ms, duty, window_ms);
        ++cases;
      }
    }
  }
  EXPECT_LT(std::abs(sum / cases), 0.01);  // none of them leans to one side
}

}  // namespace
}  // namespace codecarbon
