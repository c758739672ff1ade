#include "sampling/sampler.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <atomic>
#include <future>
#include <map>

namespace codecarbon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// A counter that uses 100 W, on a clock, with a script of faults by second.
class ScriptedProbe final : public Probe {
 public:
  ScriptedProbe(std::shared_ptr<const Clock> clock, SensorInfo info)
      : clock_(std::move(clock)), infos_{std::move(info)} {}

  std::span<const SensorInfo> sensors() const override { return infos_; }

  void read(MonoTime now, std::span<Reading> readings) override {
    ++reads;
    readings[0].at = now;
    const auto second = std::chrono::duration_cast<seconds>(now.time_since_epoch()).count();
    if (const auto fault = faults.find(second); fault != faults.end()) {
      readings[0].value = fault->second;
      if (fault_once) faults.erase(fault);
      return;
    }
    const std::int64_t counted = 1 + now.time_since_epoch().count() / 10;  // 100 W in microjoules
    readings[0].value = infos_[0].range ? counted % infos_[0].range->uj() : counted;
  }

  std::map<std::int64_t, tl::expected<std::int64_t, ReadFault>> faults;
  bool fault_once = false;
  int reads = 0;

 private:
  std::shared_ptr<const Clock> clock_;
  std::vector<SensorInfo> infos_;
};

SensorInfo package(int index = 0) {
  SensorInfo info;
  info.domain = {DomainKind::package, index, 0, "package-" + std::to_string(index)};
  return info;
}

class SamplerTest : public testing::Test {
 protected:
  /// A sampler over one probe, which stays reachable as `probe`.
  std::unique_ptr<Sampler> make(SensorInfo info = package(), Duration period = seconds(1)) {
    auto owned = std::make_unique<ScriptedProbe>(clock, std::move(info));
    probe = owned.get();
    std::vector<std::unique_ptr<Probe>> probes;
    probes.push_back(std::move(owned));
    return std::make_unique<Sampler>(
        std::move(probes), std::vector<Use>{{Component::cpu, false, {}}}, clock, period,
        [this](const SensorInfo&, GapCause cause) { told.push_back(cause); });
  }

  void advance(Duration step) {
    clock->await_waiters(1);
    clock->advance(step);
  }

  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
  ScriptedProbe* probe = nullptr;
  std::vector<GapCause> told;
};

TEST_F(SamplerTest, CountsFromOpenToCloseToTheMicrojoule) {
  const auto sampler = make();
  clock->advance(seconds(7));
  const auto window = sampler->add_window();
  sampler->open(window);
  advance(milliseconds(2345));
  const Ledger ledger = sampler->close(window);
  EXPECT_EQ(ledger.energies[0].energy, Energy::from_uj(234'500'000));
  EXPECT_EQ(ledger.active, milliseconds(2345));
  EXPECT_EQ(ledger.energies[0].peak, Power::from_watts(100));
}

TEST_F(SamplerTest, WhatFlowsWhileNoWindowIsOpenIsNobodys) {
  const auto sampler = make();
  const auto window = sampler->add_window();
  sampler->open(window);
  advance(seconds(1));
  sampler->close(window);
  advance(seconds(100));
  const int reads_before = probe->reads;
  sampler->open(window);
  EXPECT_EQ(probe->reads, reads_before + 1);
  while (sampler->totals(window).active < seconds(2)) advance(milliseconds(100));
  EXPECT_EQ(sampler->close(window).energies[0].energy, Energy::from_joules(200));
}

TEST_F(SamplerTest, NothingIsReadWhileNothingIsOpen) {
  const auto sampler = make();
  const auto window = sampler->add_window();
  sampler->open(window);
  advance(seconds(3));
  sampler->close(window);
  const int reads = probe->reads;
  advance(seconds(60));
  EXPECT_EQ(probe->reads, reads);
}

TEST_F(SamplerTest, NestedAndOverlappingWindowsEachGetTheirOwn) {
  const auto sampler = make();
  const auto outer = sampler->add_window();
  const auto inner = sampler->add_window();
  const auto overlapping = sampler->add_window();
  sampler->open(outer);
  advance(milliseconds(300));
  sampler->open(inner);
  advance(milliseconds(300));
  sampler->open(overlapping);
  advance(milliseconds(300));
  EXPECT_EQ(sampler->close(inner).energies[0].energy, Energy::from_joules(60));
  advance(milliseconds(300));
  EXPECT_EQ(sampler->close(outer).energies[0].energy, Energy::from_joules(120));
  advance(milliseconds(300));
  EXPECT_EQ(sampler->close(overlapping).energies[0].energy, Energy::from_joules(90));
}

TEST_F(SamplerTest, AFastCounterIsReadOftenEnoughWhateverTheUserWants) {
  auto info = package();
  info.range = Energy::from_joules(40);  // at the plausible 2000 W wraps after 20 ms
  const auto sampler = make(info, seconds(15));
  EXPECT_EQ(sampler->period(), milliseconds(10));
  const auto window = sampler->add_window();
  sampler->open(window);
  advance(seconds(15));
  EXPECT_EQ(sampler->close(window).energies[0].energy, Energy::from_joules(1500));
}

TEST_F(SamplerTest, ARegisterThatOnlyReadersAddUpIsReadOftenEnough) {
  auto info = package();
  info.unread_range = Energy::from_joules(262'144);  // at the plausible 2000 W 131 s
  EXPECT_LE(make(info, std::chrono::hours(1))->period(), seconds(66));
  EXPECT_GT(make(info, std::chrono::hours(1))->period(), seconds(60));
  EXPECT_EQ(make(info, seconds(15))->period(), seconds(15));
}

TEST_F(SamplerTest, AFaultThatIsGoneOnTheSecondLookIsNotEvenSaid) {
  const auto sampler = make();
  probe->fault_once = true;
  probe->faults[1] = 5;
  probe->faults[2] = tl::unexpected(ReadFault::empty);
  const auto window = sampler->add_window();
  sampler->open(window);
  advance(seconds(3));
  const Ledger ledger = sampler->close(window);
  EXPECT_EQ(ledger.energies[0].energy, Energy::from_joules(300));
  EXPECT_EQ(ledger.energies[0].gap_time(), Duration{});
  EXPECT_TRUE(told.empty());
}

TEST_F(SamplerTest, AFaultAtTheEndIsAGapWithABoundAndToldOnce) {
  const auto sampler = make();
  for (int second = 3; second <= 5; ++second)
    probe->faults[second] = tl::unexpected(ReadFault::gone);
  const auto window = sampler->add_window();
  sampler->open(window);
  advance(seconds(5));
  const Account account = sampler->close(window).energies[0];
  EXPECT_EQ(account.energy, Energy::from_joules(200));
  EXPECT_EQ(account.gap_time(), seconds(3));
  EXPECT_GE(account.gap_bound(), Energy::from_joules(300));
  EXPECT_TRUE(told.empty()) << "the beat has no time to tell";
  sampler->tell_gaps();
  sampler->tell_gaps();
  EXPECT_EQ(told, std::vector{GapCause::unreadable});
}

TEST_F(SamplerTest, AskingForTotalsDuringAFaultDoesNotMakeTheGapPermanent) {
  const auto sampler = make();
  probe->faults[2] = tl::unexpected(ReadFault::empty);
  const auto window = sampler->add_window();
  sampler->open(window);
  advance(seconds(2));
  EXPECT_GT(sampler->totals(window).energies[0].gap_bound(), Energy{});
  advance(seconds(2));
  const Account account = sampler->close(window).energies[0];
  EXPECT_EQ(account.energy, Energy::from_joules(400));
  EXPECT_EQ(account.gap_bound(), Energy{});
}

TEST_F(SamplerTest, PartsOfARunSumToItToTheMicrojouleWhereverTheyAreCut) {
  EXPECT_TRUE(rc::check([this](const std::vector<std::uint16_t>& cuts_us) {
    clock = std::make_shared<ManualClock>();
    const auto sampler = make();
    const auto run = sampler->add_window();
    sampler->open(run);
    Energy parts;
    for (const auto cut : cuts_us) {
      const auto part = sampler->add_window();
      sampler->open(part);
      advance(std::chrono::microseconds(cut));
      parts += sampler->close(part).energies[0].energy;
      sampler->remove(part);
    }
    RC_ASSERT(sampler->close(run).energies[0].energy == parts);
  }));
}

/// Uses 100 W. From the tenth second on its driver hangs until the gate is opened.
class HangingProbe final : public Probe {
 public:
  explicit HangingProbe(std::shared_future<void> gate) : gate_(std::move(gate)) {
    info_.domain = {DomainKind::gpu, 0, 0, "GPU 0"};
    info_.plausible_power = Power::from_watts(500);
  }
  std::span<const SensorInfo> sensors() const override { return {&info_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override {
    if (tick.time_since_epoch() >= seconds(10)) gate_.wait();
    readings[0] = {tick, 1 + tick.time_since_epoch().count() / 10};
  }
  bool may_hang() const override { return true; }

 private:
  std::shared_future<void> gate_;
  SensorInfo info_;
};

TEST(Sampler, ADriverThatHangsIsAGapOfItsOwnAndDelaysNobody) {
  const auto clock = std::make_shared<ManualClock>();
  std::promise<void> gate;
  std::vector<std::unique_ptr<Probe>> probes;
  probes.push_back(std::make_unique<HangingProbe>(gate.get_future().share()));
  probes.push_back(std::make_unique<ScriptedProbe>(clock, package()));
  Sampler sampler(std::move(probes), {{Component::gpu, false, {}}, {Component::cpu, false, {}}},
                  clock, std::chrono::hours(1), [](const SensorInfo&, GapCause) {});
  const auto window = sampler.add_window();
  sampler.open(window);
  clock->advance(seconds(8));
  sampler.sample_now();
  clock->advance(seconds(8));
  const auto before = std::chrono::steady_clock::now();
  const Ledger ledger = sampler.close(window);
  EXPECT_LT(std::chrono::steady_clock::now() - before, seconds(5));  // the driver never returns
  gate.set_value();
  EXPECT_EQ(ledger.energies[0].energy, Energy::from_joules(800));
  EXPECT_EQ(ledger.energies[0].gap_time(), seconds(8));
  EXPECT_EQ(ledger.energies[0].gap_bound(), Energy::from_joules(8 * 500));
  EXPECT_EQ(ledger.energies[1].energy, Energy::from_joules(1600));
  EXPECT_EQ(ledger.energies[1].gap_time(), Duration{});
}

/// Counts on until it is told to hang.
class CountingProbe final : public Probe {
 public:
  CountingProbe(DomainKind kind, bool hangs) : hangs_(hangs) { info_.domain = {kind, 0, 0, "it"}; }
  std::span<const SensorInfo> sensors() const override { return {&info_, 1}; }
  void read(MonoTime tick, std::span<Reading> readings) override {
    ++reads;
    if (hang) is_hanging = true;
    hang.wait(true);
    readings[0] = {tick, ++count_};
  }
  bool may_hang() const override { return hangs_; }

  std::atomic<int> reads = 0;
  std::atomic<bool> hang = false;
  std::atomic<bool> is_hanging = false;

 private:
  bool hangs_;
  SensorInfo info_;
  std::int64_t count_ = 0;
};

TEST(Sampler, TheBeatGoesOnWhileADriverHangs) {
  auto driver = std::make_unique<CountingProbe>(DomainKind::gpu, true);
  auto counter = std::make_unique<CountingProbe>(DomainKind::package, false);
  CountingProbe& hanging = *driver;
  CountingProbe& other = *counter;
  std::vector<std::unique_ptr<Probe>> probes;
  probes.push_back(std::move(driver));
  probes.push_back(std::move(counter));
  Sampler sampler(std::move(probes), {{Component::gpu, false, {}}, {Component::cpu, false, {}}},
                  std::make_shared<SystemClock>(), milliseconds(1),
                  [](const SensorInfo&, GapCause) {});
  const auto window = sampler.add_window();
  sampler.open(window);
  while (hanging.reads < 5) std::this_thread::yield();
  hanging.hang = true;
  while (!hanging.is_hanging) std::this_thread::yield();
  const int since = other.reads;
  while (other.reads < since + 100) std::this_thread::yield();
  const int before = hanging.reads;
  hanging.hang = false;
  hanging.hang.notify_all();
  while (hanging.reads < before + 10) std::this_thread::yield();  // it is read again
  const Ledger ledger = sampler.close(window);
  EXPECT_GT(ledger.energies[0].energy, Energy{});
  EXPECT_EQ(ledger.energies[0].gap_time(), Duration{});
}

/// Processes that use half of the busy time of a machine that is half busy, on a clock.
class HalfOfHalf final : public ProcessSource {
 public:
  ProcessReading read(MonoTime tick) override {
    ++reads;
    if (blind) return {};
    const Duration time = tick.time_since_epoch();
    return {CpuTotals{time, 2 * time, 4 * time, {}, {}}, MemoryUse{1, 2, 4}};
  }
  std::optional<bool> owns(int) const override { return true; }
  Duration shortest_interval() const override { return milliseconds(100); }
  const std::string& description() const override { return text; }
  std::string text = "a script";
  bool blind = false;
  int reads = 0;
};

class SharedSamplerTest : public SamplerTest {
 protected:
  std::unique_ptr<Sampler> shared(Component component = Component::cpu) {
    auto owned = std::make_unique<ScriptedProbe>(clock, package());
    auto tracked = std::make_unique<HalfOfHalf>();
    probe = owned.get();
    processes = tracked.get();
    std::vector<std::unique_ptr<Probe>> probes;
    probes.push_back(std::move(owned));
    return std::make_unique<Sampler>(
        std::move(probes), std::vector<Use>{{component, false, {}}}, clock, seconds(1),
        [](const SensorInfo&, GapCause) {}, std::move(tracked));
  }
  static void expect_whole(const Ledger& ledger) {
    EXPECT_EQ(ledger.energies[0].split.total(), ledger.energies[0].energy);
  }

  HalfOfHalf* processes = nullptr;
};

TEST_F(SharedSamplerTest, DividesEachWindowsEnergy) {
  const auto sampler = shared();
  const auto window = sampler->add_window();
  sampler->open(window);
  advance(milliseconds(3500));
  const Ledger ledger = sampler->close(window);
  const Split& split = ledger.energies[0].split;
  const auto share = cpu_share({seconds(1), seconds(2), seconds(4), {}, {}});
  EXPECT_NEAR(static_cast<double>(split.own.uj()), 350e6 * share->own, 1);
  EXPECT_NEAR(static_cast<double>(split.idle.uj()), 350e6 * share->idle, 1);
  EXPECT_EQ(split.bound, Energy{});
  expect_whole(ledger);
}

TEST_F(SharedSamplerTest, LooksAtTheProcessesNoMoreOftenThanIsWorthWhile) {
  const auto sampler = shared();
  const auto window = sampler->add_window();
  sampler->open(window);
  advance(milliseconds(500));
  sampler->sample_now();
  const int before = processes->reads;
  for (int i = 0; i < 9; ++i) {
    advance(milliseconds(10));
    sampler->sample_now();
  }
  EXPECT_EQ(processes->reads, before);
  const Ledger ledger = sampler->close(window);
  const double last_uj = 9e6;  // of 90 ms, which is divided as what came before
  const double own = cpu_share({seconds(1), seconds(2), seconds(4), {}, {}})->own;
  EXPECT_NEAR(static_cast<double>(ledger.energies[0].split.bound.uj()), last_uj * (1 - own), 2);
  expect_whole(ledger);
}

TEST_F(SharedSamplerTest, WhatIsUnknownIsTheOthersWithABound) {
  const auto sampler = shared();
  processes->blind = true;
  const auto window = sampler->add_window();
  sampler->open(window);
  advance(seconds(2));
  const Ledger ledger = sampler->close(window);
  const Split& split = ledger.energies[0].split;
  EXPECT_EQ(split.own, Energy{});
  EXPECT_EQ(split.bound, ledger.energies[0].energy);
  EXPECT_EQ(split.undivided, ledger.energies[0].energy);
  EXPECT_EQ(split.unknown_time, seconds(2));
  expect_whole(ledger);
}

TEST_F(SharedSamplerTest, ADriverThatDoesNotListProcessesLeavesTheGpuUndivided) {
  const auto sampler = shared(Component::gpu);
  const auto window = sampler->add_window();
  sampler->open(window);
  advance(seconds(2));
  EXPECT_EQ(sampler->close(window).energies[0].split.undivided, Energy::from_uj(200'000'000));
}

TEST_F(SharedSamplerTest, WindowsThatOverlapEachHaveTheirOwnDivision) {
  EXPECT_TRUE(rc::check([this] {
    const auto sampler = shared();
    std::vector<Sampler::WindowKey> windows;
    for (int i = 0; i < 3; ++i) windows.push_back(sampler->add_window());
    for (const int step : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 60))) {
      const auto window = windows[static_cast<std::size_t>(step % 3)];
      step % 2 == 0 ? sampler->open(window) : sampler->close(window);
      clock->advance(milliseconds(step * 7));
    }
    for (const auto window : windows) {
      const Account account = sampler->totals(window).energies[0];
      RC_ASSERT(account.split.total() == account.energy);
      RC_ASSERT(account.split.bound <= account.energy);
    }
  }));
}

}  // namespace
}  // namespace codecarbon
