#include "sensors/perf/perf.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <string>
#include <vector>

#include "host/machine_copy.hpp"
#include "readings/counter.hpp"
#include "readings/discovery_fixture.hpp"
#include "sensors/perf/source.hpp"

namespace codecarbon::perf {
namespace {

using testing_support::count;

using testing_support::MachineCopy;

constexpr std::uint64_t kPackage = 2;
constexpr std::uint64_t kMemory = 3;
constexpr const char* kScale = "2.3283064365386962890625e-10\n";

std::uint64_t counts(std::int64_t microjoules) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(((static_cast<Wide>(microjoules) << 32U) + 999'999) /
                                    1'000'000);
}

/// A kernel that counts what a test says.
class FakeKernel final : public Kernel {
 public:
  using Counter = std::pair<int, std::uint64_t>;  // processor, config

  std::map<Counter, std::uint64_t> count;
  std::map<Counter, int> refused;  // errno of open
  mutable int reads = 0;
  int read_error = 0;
  std::optional<std::size_t> words_cut;

  tl::expected<Fd, int> open(const Event& event, int leader) const override {
    EXPECT_EQ(event.type, 23U);
    const Counter counter{event.processor, event.config};
    if (const auto no = refused.find(counter); no != refused.end()) {
      return tl::unexpected<int>(int(no->second));
    }
    Fd fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (leader < 0) groups_[fd.get()].clear();
    groups_[leader < 0 ? fd.get() : leader].push_back(counter);
    return fd;
  }

  tl::expected<std::size_t, int> read(int leader, std::span<std::uint64_t> words) const override {
    ++reads;
    if (read_error != 0) return tl::unexpected<int>(int(read_error));
    const auto& group = groups_.at(leader);
    std::size_t filled = 0;
    words[filled++] = group.size();
    for (const Counter& counter : group) words[filled++] = count.at(counter);
    return words_cut.value_or(filled);
  }

 private:
  mutable std::map<int, std::vector<Counter>> groups_;
};

std::string source(std::string_view file) {
  return std::string(kSource) + "/" + std::string(file);
}

void offer(const MachineCopy& copy, const std::string& event, int code) {
  copy.write(source("events/" + event), "event=0x0" + std::to_string(code) + "\n");
  copy.write(source("events/" + event + ".unit"), "Joules\n");
  copy.write(source("events/" + event + ".scale"), kScale);
}

void seat(const MachineCopy& copy, int cpu, int socket, int die) {
  const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
  copy.write(folder + "physical_package_id", socket);
  copy.write(folder + "die_id", die);
}

/// A machine with two sockets, and the kernel that runs on it.
class Perf : public testing::Test {
 protected:
  Perf() {
    copy_.write(source("type"), "23\n");
    copy_.write(source("cpumask"), "0,28\n");
    offer(copy_, "energy-pkg", kPackage);
    offer(copy_, "energy-ram", kMemory);
    seat(copy_, 0, 0, 0);
    seat(copy_, 28, 1, 0);
    for (const int cpu : {0, 28}) {
      for (const auto event : {kPackage, kMemory}) kernel_->count[{cpu, event}] = 0;
    }
  }
  Discovery look() const { return discover_with(copy_.host(), kernel_); }
  MachineCopy copy_;
  std::shared_ptr<FakeKernel> kernel_ = std::make_shared<FakeKernel>();
};

std::vector<Reading> read(Probe& probe, MonoTime at = {}) {
  std::vector<Reading> readings(probe.sensors().size());
  probe.read(at, readings);
  return readings;
}

TEST_F(Perf, OneReadingOfASocketGivesAllItsCounters) {
  const Discovery found = look();
  ASSERT_EQ(found.probes.size(), 2U);
  const auto sensors = found.probes[1]->sensors();
  ASSERT_EQ(sensors.size(), 2U);
  EXPECT_TRUE(sensors[0].domain.same_place({DomainKind::package, 1, 0, {}}));
  EXPECT_TRUE(sensors[1].domain.same_place({DomainKind::dram, 1, 0, {}}));
  EXPECT_EQ(sensors[1].domain.name, "package-1/dram");
  kernel_->count[{28, kPackage}] = counts(123'456'789);
  kernel_->count[{28, kMemory}] = counts(4'000'000);
  const auto readings = read(*found.probes[1]);
  EXPECT_EQ(readings[0].value, 123'456'789);
  EXPECT_EQ(readings[1].value, 4'000'000);
  EXPECT_EQ(kernel_->reads, 1);
}

TEST_F(Perf, ThePlaceIsThatOfTheProcessorNotItsOrderInTheMask) {
  seat(copy_, 0, 1, 0);
  seat(copy_, 28, 0, 0);
  const Discovery found = look();
  EXPECT_EQ(found.probes[0]->sensors()[0].domain.index, 1);
  EXPECT_EQ(found.probes[1]->sensors()[0].domain.index, 0);
}

TEST_F(Perf, AMinuteOfASquareWaveIsExactToTheMicrojoule) {
  const Discovery found = look();
  Probe& probe = *found.probes[0];
  Counter package(probe.sensors()[0]);
  std::int64_t truth = 0;
  std::int64_t counted = 0;
  constexpr auto kStep = std::chrono::milliseconds(5);
  for (int step = 0; step <= 12'000; ++step) {
    if (step != 0) truth += step % 2 == 0 ? 1'234'567 : 61'003;
    kernel_->count[{0, kPackage}] = counts(truth);
    if (step % 100 != 0) continue;
    const auto interval = package.advance(read(probe, MonoTime{} + step * kStep)[0]);
    if (!interval) continue;
    EXPECT_FALSE(interval->gap);
    counted += interval->energy.uj();
  }
  EXPECT_EQ(counted, truth);
}

TEST_F(Perf, DiesOfASocketAreTwoPlacesUnlessTheProcessorCountsByThePackage) {
  seat(copy_, 28, 0, 1);
  const Discovery intel = look();
  ASSERT_EQ(intel.probes.size(), 2U);
  EXPECT_EQ(intel.probes[0]->sensors()[0].domain.name, "package-0-die-0");
  EXPECT_EQ(intel.probes[1]->sensors()[0].domain.die, 1);
  copy_.write("proc/cpuinfo", "processor\t: 0\nvendor_id\t: AuthenticAMD\n");
  const Discovery amd = look();
  ASSERT_EQ(amd.probes.size(), 1U);
  EXPECT_EQ(amd.probes[0]->sensors()[0].domain.name, "package-0");
}

TEST_F(Perf, WhatMayNotBeCountedIsOneFindingWithTheLeastPrivilege) {
  for (const int error : {EACCES, EPERM}) {
    for (const int cpu : {0, 28}) {
      for (const auto event : {kPackage, kMemory}) kernel_->refused[{cpu, event}] = error;
    }
    const Discovery found = look();
    EXPECT_TRUE(found.probes.empty());
    ASSERT_EQ(found.findings.size(), 1U);
    EXPECT_EQ(found.findings[0].outcome, Finding::Outcome::denied);
    EXPECT_NE(found.findings[0].subject.find("package-0, package-0/dram, package-1"),
              std::string::npos);
    EXPECT_NE(found.findings[0].reason.find("CVE-2020-8694"), std::string::npos);
    EXPECT_NE(found.findings[0].remedy.find("cap_perfmon"), std::string::npos);
  }
}

TEST_F(Perf, AnEventThatDoesNotOpenHurtsNoOther) {
  for (const auto lost : {kPackage, kMemory}) {
    kernel_->refused = {{{0, lost}, ENOENT}};
    kernel_->count[{0, lost == kPackage ? kMemory : kPackage}] = counts(5'000'000);
    const Discovery found = look();
    ASSERT_EQ(found.probes.size(), 2U);
    EXPECT_EQ(count(found, Finding::Outcome::found), 3U);
    EXPECT_EQ(count(found, Finding::Outcome::unsupported), 1U);
    ASSERT_EQ(found.probes[0]->sensors().size(), 1U);
    EXPECT_EQ(read(*found.probes[0])[0].value, 5'000'000);
    EXPECT_TRUE(read(*found.probes[1])[1].value.has_value());
  }
}

TEST_F(Perf, AFailedReadSaysWhy) {
  const Discovery found = look();
  const auto fault = [&] { return read(*found.probes[0])[1].value.error(); };
  kernel_->read_error = ENODEV;
  EXPECT_EQ(fault(), ReadFault::gone);
  kernel_->read_error = EIO;
  EXPECT_EQ(fault(), ReadFault::unreadable);
  kernel_->read_error = 0;
  kernel_->words_cut = 0;
  EXPECT_EQ(fault(), ReadFault::empty);
  kernel_->words_cut = 2;
  EXPECT_EQ(fault(), ReadFault::garbage);
  kernel_->words_cut.reset();
  EXPECT_TRUE(read(*found.probes[0])[1].value.has_value());
}

TEST_F(Perf, AnEventWithoutAUsableDescriptionIsNoSensorAndTheOtherIs) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"energy-ram", ""},          {"energy-ram", "umask=0x1"},
      {"energy-ram", "event=0x"},  {"energy-ram", "event=0xfffffffffffffffff"},
      {"energy-ram.unit", ""},     {"energy-ram.unit", "Volts\n"},
      {"energy-ram.scale", ""},    {"energy-ram.scale", "-1\n"},
      {"energy-ram.scale", "abc"}, {"energy-ram.scale", std::string(100'000, '9')}};
  for (const auto& [file, text] : bad) {
    offer(copy_, "energy-ram", kMemory);
    copy_.write(source("events/" + file), text);
    const Discovery found = look();
    ASSERT_EQ(found.probes.size(), 2U) << file << " " << text.substr(0, 20);
    EXPECT_EQ(found.probes[0]->sensors().size(), 1U);
    EXPECT_EQ(count(found, Finding::Outcome::unsupported), 1U);
  }
  offer(copy_, "energy-ram", kMemory);
  copy_.remove(source("events/energy-ram.unit"));
  EXPECT_EQ(look().probes[0]->sensors().size(), 1U);
}

TEST_F(Perf, ASourceThatDoesNotSayWhatItIsIsNotAsked) {
  for (const char* file : {"type", "cpumask"}) {
    for (const char* text : {"", "\n", "abc\n", "-1\n", "99999999999999999999\n"}) {
      const MachineCopy odd(copy_.root());
      odd.write(source(file), text);
      const Discovery found = discover_with(odd.host(), kernel_);
      EXPECT_TRUE(found.probes.empty()) << file << " " << text;
      ASSERT_EQ(found.findings.size(), 1U);
      EXPECT_EQ(found.findings[0].outcome, Finding::Outcome::unsupported);
      EXPECT_FALSE(found.findings[0].reason.empty());
    }
  }
}

TEST_F(Perf, FilesOfAnotherMachineAreNotAskedOfThisKernel) {
  const Discovery found = discover(copy_.host(), {});
  EXPECT_TRUE(found.probes.empty());
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].outcome, Finding::Outcome::unsupported);
}

TEST(PerfAbsent, SaysSoInOneLine) {
  const MachineCopy empty;
  for (const Discovery& found :
       {discover(empty.host(), {}), discover_with(empty.host(), running_kernel())}) {
    EXPECT_TRUE(found.probes.empty());
    ASSERT_EQ(found.findings.size(), 1U);
    EXPECT_EQ(found.findings[0].outcome, Finding::Outcome::absent);
  }
}

/// Whatever machine this runs on: each sensor that the kernel grants can be read.
TEST(PerfHere, WhatIsFoundCanBeRead) {
  const Host here("/", Environment{}, std::make_shared<SystemClock>());
  const Discovery found = discover(here, {});
  EXPECT_FALSE(found.findings.empty());
  for (const auto& probe : found.probes) {
    for (const Reading& reading : read(*probe)) EXPECT_TRUE(reading.value.has_value());
  }
}

}  // namespace
}  // namespace codecarbon::perf
