#include "sampling/patient_reader.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace codecarbon {
namespace {

using std::chrono::milliseconds;

/// Long enough that a probe which answers at once is never late on a busy machine.
constexpr Duration kShort = milliseconds(250);
const PatientReader::Hooks kNothing{[] {}, [] {}};

/// A device whose driver can be made to hang.
class Driver {
 public:
  void hang() { gate_ = std::make_shared<std::promise<void>>(), open_ = gate_->get_future(); }
  void answer_again() {
    if (gate_) std::exchange(gate_, nullptr)->set_value();
  }
  void wait() const {
    if (open_.valid()) open_.wait();
  }

 private:
  std::shared_ptr<std::promise<void>> gate_;
  std::shared_future<void> open_;
};

/// Shows 7. What it needs lives as long as it does, whichever thread that is.
class DriverProbe final : public Probe {
 public:
  explicit DriverProbe(std::shared_ptr<Driver> driver) : driver_(std::move(driver)) {}
  std::span<const SensorInfo> sensors() const override { return {&info_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override {
    driver_->wait();
    readings[0] = {tick, 7};
  }
  bool may_hang() const override { return true; }

 private:
  std::shared_ptr<Driver> driver_;
  SensorInfo info_;
};

class PatientReaderTest : public testing::Test {
 protected:
  explicit PatientReaderTest(int devices = 3) {
    for (int i = 0; i < devices; ++i) {
      drivers.push_back(std::make_shared<Driver>());
      reader.add(std::make_unique<DriverProbe>(drivers.back()));
    }
  }
  ~PatientReaderTest() override {
    for (const auto& driver : drivers) driver->answer_again();
  }

  /// One sample: which devices answered.
  std::vector<bool> sample() {
    tick += milliseconds(1);
    for (std::size_t i = 0; i < reader.size(); ++i) reader.ask(i, tick);
    reader.begin();
    reader.collect();
    std::vector<bool> answered;
    for (std::size_t i = 0; i < reader.size(); ++i) {
      const Reading& reading = reader.readings(i)[0];
      EXPECT_EQ(reading.at, tick);
      answered.push_back(reading.value.has_value());
    }
    return answered;
  }

  MonoTime tick{};
  std::vector<std::shared_ptr<Driver>> drivers;
  PatientReader reader{
      std::make_shared<SystemClock>(), {.patience = kShort, .users_every = {}}, kNothing};
};

using Answers = std::vector<bool>;

TEST_F(PatientReaderTest, ReadsAll) {
  EXPECT_EQ(sample(), (Answers{true, true, true}));
  EXPECT_EQ(sample(), (Answers{true, true, true}));
}

TEST_F(PatientReaderTest, OneThatHangsCostsNoOtherItsReading) {
  for (std::size_t bad = 0; bad < drivers.size(); ++bad) {
    drivers[bad]->hang();
    Answers expected(3, true);
    expected[bad] = false;
    for (int i = 0; i < 5; ++i) EXPECT_EQ(sample(), expected) << bad;
    drivers[bad]->answer_again();
    while (sample() != Answers(3, true)) {
    }
  }
}

TEST_F(PatientReaderTest, OneThatHangsIsWaitedForOnceAndNotAgain) {
  for (const auto& driver : drivers) driver->hang();
  EXPECT_EQ(sample(), Answers(3, false));
  const auto before = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(sample(), Answers(3, false));
  EXPECT_LT(std::chrono::steady_clock::now() - before, 50 * kShort);  // each waiting: 100 at least
}

TEST_F(PatientReaderTest, EndsWhileADriverHangs) {
  drivers[1]->hang();
  EXPECT_EQ(sample(), (Answers{true, false, true}));
  reader.rest();
  EXPECT_EQ(sample(), (Answers{true, false, true}));
}

TEST_F(PatientReaderTest, WhatIsLateIsNotLost) {
  drivers[1]->hang();
  EXPECT_EQ(sample(), (Answers{true, false, true}));
  EXPECT_FALSE(reader.fetch(1));
  drivers[1]->answer_again();
  while (!reader.fetch(1)) std::this_thread::yield();
  EXPECT_EQ(reader.readings(1)[0].at, tick);
  EXPECT_EQ(reader.readings(1)[0].value, 7);
}

TEST_F(PatientReaderTest, OneThatIsAlwaysTooSlowIsReadAllTheSame) {
  drivers[1]->hang();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(sample(), (Answers{true, false, true}));
    const MonoTime asked = tick;
    drivers[1]->answer_again();
    while (!reader.fetch(1)) std::this_thread::yield();
    EXPECT_EQ(reader.readings(1)[0].at, asked);
    drivers[1]->hang();
  }
}

TEST_F(PatientReaderTest, AtABeatNobodyWaits) {
  const auto clock = std::make_shared<ManualClock>();
  PatientReader at_beat(clock, {.patience = kShort, .users_every = {}}, kNothing);
  at_beat.add(std::make_unique<DriverProbe>(drivers[0]));
  ASSERT_TRUE(at_beat.run_every(std::chrono::seconds(1), Rhythm::even));
  EXPECT_FALSE(at_beat.fetch(0));
  for (int second = 1; second <= 3; ++second) {
    clock->await_waiters(1);
    clock->advance(std::chrono::seconds(1));
    ASSERT_TRUE(at_beat.fetch(0)) << "there when the second is over";
    EXPECT_EQ(at_beat.readings(0)[0].at, MonoTime(std::chrono::seconds(second)));
    EXPECT_FALSE(at_beat.fetch(0)) << "news only once";
  }
  at_beat.park();
  clock->advance(std::chrono::seconds(5));
  EXPECT_FALSE(at_beat.fetch(0));
}

TEST_F(PatientReaderTest, AtABeatOneThatHangsCostsNoOtherItsReading) {
  PatientReader at_beat(std::make_shared<SystemClock>(), {.patience = kShort, .users_every = {}},
                        kNothing);
  for (const auto& driver : drivers) at_beat.add(std::make_unique<DriverProbe>(driver));
  drivers[0]->hang();
  at_beat.run_every(milliseconds(1), Rhythm::even);
  for (int i = 0; i < 20; ++i) {
    while (!at_beat.fetch(1)) std::this_thread::yield();
    while (!at_beat.fetch(2)) std::this_thread::yield();
    EXPECT_FALSE(at_beat.fetch(0));
  }
  drivers[0]->answer_again();
  while (!at_beat.fetch(0)) std::this_thread::yield();
}

TEST_F(PatientReaderTest, RestsAndGoesOn) {
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(sample(), Answers(3, true));
    reader.rest();
  }
}

}  // namespace
}  // namespace codecarbon
