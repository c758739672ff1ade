#include "tracker/run.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace codecarbon {
namespace {

/// A sensor whose next reading takes until it is let go.
class SlowProbe final : public Probe {
 public:
  explicit SlowProbe(std::shared_future<void> let_go) : let_go_(std::move(let_go)) {}
  std::span<const SensorInfo> sensors() const override { return {&info_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override {
    reading.set_value();
    let_go_.wait();
    readings[0] = {tick, 1};
  }

  std::promise<void> reading;

 private:
  SensorInfo info_;
  std::shared_future<void> let_go_;
};

TEST(Run, WhatIsNotMeasuredDoesNotWaitForASensor) {
  std::promise<void> let_go;
  auto probe = std::make_unique<SlowProbe>(let_go.get_future().share());
  auto reading = probe->reading.get_future();
  codecarbon::Run::Parts parts;
  parts.context.run_id = "first";
  parts.probes.push_back(std::move(probe));
  parts.uses = {{Component::cpu, false, {}}};
  parts.clock = std::make_shared<ManualClock>();
  parts.logger = std::make_shared<const Logger>(LogHook(), LogLevel::error);
  parts.period = std::chrono::hours(1);
  codecarbon::Run run(std::move(parts));

  std::thread slow([&] { run.start_task("slow"); });
  reading.wait();
  // All of these would wait for ever.
  EXPECT_EQ(run.run_id(), "first");
  run.set_run_id("second");
  run.set_project_name("other");
  EXPECT_EQ(run.run_id(), "second");
  EXPECT_FALSE(run.last_report());
  let_go.set_value();
  slow.join();
}

}  // namespace
}  // namespace codecarbon
