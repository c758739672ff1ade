#include "sensors/modelled/rated_power.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "embedded/cpu_rated_power.hpp"
#include "host/machine_copy.hpp"
#include "sensors/modelled/model_name.hpp"
#include "sensors/modelled/power_model.hpp"

namespace codecarbon::modelled {
namespace {

using testing_support::machine;
using testing_support::MachineCopy;

std::optional<Power> rated(std::string_view model) {
  return find_rated_power(model, embedded::cpu_rated_power);
}

TEST(RatedPower, FindsProcessorsByTheNamesThatKernelsGiveThem) {
  const std::vector<std::pair<const char*, double>> known = {
      {"12th Gen Intel(R) Core(TM) i7-1270P", 64},
      {"Intel(R) Xeon(R) Gold 5222 CPU @ 3.80GHz", 105},
      {"AMD EPYC 9454 48-Core Processor", 290},
      {"Intel(R) Xeon(R) CPU E3-1240 V2 @ 3.40GHz", 69},
      {"Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz", 115},
      {"Intel(R) Xeon(R) CPU E5-2690 v3 @ 2.60GHz", 135},
      {"AMD Ryzen Threadripper 1950X 16-Core Processor", 180},
      {"AMD Ryzen 7 5800U with Radeon Graphics", 15},
      {"AMD EPYC 7763 64-Core Processor", 280},
      {"Intel(R) Core(TM) Ultra 7 155H", 28},
      {"Intel(R) Core(TM)2 Duo CPU     E8400  @ 3.00GHz", 65},
      {"AMD Opteron(tm) Processor 6274", 115},
      {"AMD FX(tm)-4350 Quad-Core Processor", 125},
      {"Intel(R) Celeron(R) N4020 CPU @ 1.10GHz", 6},
  };
  for (const auto& [model, watts] : known) {
    ASSERT_TRUE(rated(model)) << model;
    EXPECT_EQ(rated(model)->watts(), watts) << model;
  }
}

TEST(RatedPower, ANameThatIsNotInTheTableFindsNothingRatherThanItsNeighbour) {
  for (const char* model :
       {"", "Intel(R) Xeon(R) Processor", "QEMU Virtual CPU version 2.5+",
        "Intel(R) Xeon(R) Gold 5222X CPU @ 3.80GHz", "Intel(R) Xeon(R) Gold 15222 CPU",
        "Intel(R) Xeon(R) CPU E5-2690 v9 @ 2.60GHz", "Intel Xeon Processor (Skylake, IBRS)",
        "AMD EPYC Processor", "Intel EPYC 9454", "AMD 5222", "Neoverse-N1", "5222", "i7"}) {
    EXPECT_EQ(rated(model), std::nullopt) << model;
  }
}

/// The names of the table's lines, with the figure of the first line of that name.
std::vector<std::pair<std::string, std::string>> table_rows() {
  std::vector<std::pair<std::string, std::string>> rows;
  std::string_view rest = embedded::cpu_rated_power;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto comma = line.rfind(',');
    if (line.starts_with('#') || comma == std::string_view::npos) continue;
    rows.emplace_back(line.substr(0, comma), line.substr(comma + 1));
  }
  return rows;
}

TEST(RatedPower, EveryNameWithANumberFindsAPowerHoweverItIsDressed) {
  const auto rows = table_rows();
  ASSERT_GT(rows.size(), 4000U);
  EXPECT_TRUE(rc::check([&] {
    const auto& [name, watts] = rows[*rc::gen::inRange<std::size_t>(1, rows.size())];
    if (name.find_first_of("0123456789") == std::string::npos || name.find_first_of("\",") == 0) {
      return;
    }
    const auto plain = rated(name);
    if (!plain) return;  // the name says more than a model, and is cut
    RC_ASSERT(rated(name + " @ 2.40GHz") == plain);
    RC_ASSERT(rated(name + " 16-Core Processor") == plain);
    RC_ASSERT(rated("11th Gen " + name) == plain);
  }));
}

TEST(RatedPower, AlmostEveryNameOfTheTableFindsItself) {
  const auto rows = table_rows();
  std::size_t found = 0;
  for (std::size_t i = 0; i < rows.size(); i += 17) found += rated(rows[i].first) ? 17U : 0U;
  EXPECT_GT(found, rows.size() * 9 / 10);
}

TEST(RatedPower, BrokenLinesOfATableAreNoMatch) {
  const std::string table =
      "# Chip 9000,5\nname,tdp_w\nChip 9000,29.32.9\nChip 9000,\nChip 9000,-5\nChip 9000,0\n"
      "Chip 9000,nan\nChip 9000 X,50\nChip 9000,70";
  EXPECT_EQ(find_rated_power("Chip 9000", table), Power::from_watts(70));
  EXPECT_EQ(find_rated_power("Chip 9001", table), std::nullopt);
}

TEST(RatedPower, AnyTextIsSafe) {
  EXPECT_TRUE(rc::check([](const std::string& model, const std::string& table) {
    const auto power = find_rated_power(model + "7", "a7,1\n" + table);
    RC_ASSERT(!power || *power > Power{});
  }));
}

CpuIdentity named(std::string model, int logical) {
  CpuIdentity cpu;
  cpu.model = std::move(model);
  cpu.vendor = cpu.model.starts_with("AMD") ? "AuthenticAMD" : "GenuineIntel";
  cpu.logical = logical;
  return cpu;
}

CpuIdentity guest(std::string model, int logical) {
  CpuIdentity cpu = named(std::move(model), logical);
  cpu.virtual_machine = true;
  return cpu;
}

RatedPower rated_of(const CpuIdentity& cpu) {
  return rate(cpu, embedded::cpu_rated_power);
}

double watts(const CpuIdentity& cpu) {
  return rated_of(cpu).curve.most().watts();
}

RatedPower rated_machine(std::string_view name) {
  return rated_of(read_cpu_identity(MachineCopy(machine(name)).host()));
}

bool says(const RatedPower& rated, std::string_view text) {
  return rated.source.find(text) != std::string::npos;
}

TEST(RateMachine, SocketsMultiply) {
  CpuIdentity cpu = named("AMD EPYC 9454 48-Core Processor", 192);
  cpu.sockets = 2;
  EXPECT_EQ(watts(cpu), 580);
  EXPECT_EQ(rated_of(cpu).bound, kLoadModelBound);
}

TEST(RateMachine, TheNamesOfTheFieldHaveTheirRatingOrSayThatItIsGeneric) {
  EXPECT_EQ(watts(named("12th Gen Intel(R) Core(TM) i7-1270P", 16)), 64);
  EXPECT_EQ(watts(named("Intel(R) Xeon(R) Gold 5222 CPU @ 3.80GHz", 8)), 105);
  EXPECT_EQ(watts(named("AMD EPYC 9454 48-Core Processor", 96)), 290);
  for (const CpuIdentity& cpu :
       {guest("Intel(R) Xeon(R) Processor", 2), guest("AMD EPYC Processor", 4),
        guest("QEMU Virtual CPU version 2.5+", 1), named("", 64), named("", 0),
        named("A processor of nobody", 8)}) {
    const RatedPower rated = rated_of(cpu);
    EXPECT_TRUE(says(rated, "generic rating")) << rated.source;
    EXPECT_EQ(rated.bound, kGenericBound);
    EXPECT_GT(rated.curve.at(0), Power{});
  }
}

TEST(RateGuest, IsTheShareOfTheProcessorThatItsNameSays) {
  const RatedPower vm = rated_machine("cloud-vm");
  EXPECT_NEAR(vm.curve.most().watts(), 290.0 * 8 / 96, 1e-6);
  EXPECT_TRUE(says(vm, "8 of 96 threads (as its name says)")) << vm.source;
  EXPECT_EQ(vm.bound, kGenericBound);
}

TEST(RateGuest, ThreadsThatNobodySaysAreEstimatedAndSaidToBe) {
  const RatedPower vm = rated_of(guest("Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz", 8));
  EXPECT_TRUE(says(vm, "estimated at 3.4 W a thread")) << vm.source;
  EXPECT_NEAR(vm.curve.most().watts(), 8 * kIntelServerWattsPerThread, 1);
}

TEST(RateGuest, SocketsOfAGuestAreFictionAndItsThreadsAddUp) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<std::string> models = {"AMD EPYC 9454 48-Core Processor",
                                             "Intel(R) Xeon(R) Gold 5222 CPU @ 3.80GHz",
                                             "Intel(R) Xeon(R) Processor", "AMD EPYC Processor"};
    CpuIdentity cpu = guest(*rc::gen::elementOf(models), *rc::gen::inRange(1, 500));
    cpu.family = 6;
    cpu.model_number = 85;
    cpu.base_ghz = 2.5;
    const double once = rated_of(cpu).curve.at(0.5).watts();
    cpu.sockets = *rc::gen::inRange(1, 64);
    cpu.threads_per_core = *rc::gen::inRange(1, 3);
    RC_ASSERT(std::abs(rated_of(cpu).curve.at(0.5).watts() - once) < 1e-9);
    cpu.logical *= 2;
    const double twice = rated_of(cpu).curve.at(0.5).watts();
    RC_ASSERT(twice > 1.9 * once && twice < 2.1 * once);
  }));
}

TEST(RateGuest, DrawsLessThanTheWholeProcessor) {
  EXPECT_LT(watts(guest("AMD EPYC 7763 64-Core Processor", 2)),
            watts(named("AMD EPYC 7763 64-Core Processor", 128)) / 50);
}

TEST(RateArm, KnowsBoardsAndServersByTheirCores) {
  const RatedPower pi = rated_machine("raspberry-pi");
  EXPECT_TRUE(says(pi, "Cortex-A72 of Raspberry Pi 4 Model B")) << pi.source;
  EXPECT_NEAR(pi.curve.at(1).watts(), 6.4, 0.1) << "measured: 6.4 W";
  EXPECT_NEAR(pi.curve.at(0).watts(), 2.7, 0.2) << "measured: 2.7 W";
  const RatedPower grace = rated_machine("grace-arm");
  EXPECT_TRUE(says(grace, "72 Neoverse-V2")) << grace.source;
  EXPECT_NEAR(grace.curve.most().watts(), 250, 5);
  EXPECT_TRUE(says(rated_machine("arm-server"), "Neoverse-N1"));
}

TEST(RateArm, UnknownCoresSayThatTheyAreUnknown) {
  CpuIdentity cpu;
  cpu.logical = 6;
  cpu.arm_cores = {{0x41, 0xd05, 4}, {0x77, 0x123, 2}};
  const RatedPower rated = rated_of(cpu);
  EXPECT_TRUE(says(rated, "Cortex-A55 and unknown ARM cores")) << rated.source;
  EXPECT_NEAR(rated.curve.most().watts(), 4 * 0.6 + 2 * 2, 1e-3);
  EXPECT_EQ(rated.bound, kGenericBound);
}

TEST(RateAsForced, TheUsersRatingCountsAndNotWhatTheCoresSeemToNeed) {
  CpuIdentity cpu = guest("Intel(R) Xeon(R) Processor", 2);
  cpu.family = 6;
  cpu.model_number = 85;
  cpu.base_ghz = 2.4;
  const RatedPower forced = rate_as_forced(Power::from_watts(100), cpu);
  EXPECT_EQ(forced.curve.most().watts(), 100);
  EXPECT_GT(forced.curve.at(1).watts(), 70);
}

TEST(CoresInName, AreTheNumberBeforeTheWord) {
  EXPECT_EQ(cores_in_name("AMD EPYC 9454 48-Core Processor"), 48);
  for (const char* name :
       {"", "-Core", "AMD Phenom Quad-Core", "0-Core", "99999999999-Core", "8"}) {
    EXPECT_EQ(cores_in_name(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace codecarbon::modelled
