#include "sensors/modelled/rated_power.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

#include "embedded/cpu_rated_power.hpp"
#include "sensors/modelled/power_model.hpp"

namespace codecarbon::modelled {
namespace {

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

TEST(Rate, SocketsMultiply) {
  const RatedPower two = rate({"AMD EPYC 9454 48-Core Processor", "AuthenticAMD", 192, 2, false},
                              embedded::cpu_rated_power);
  EXPECT_EQ(two.power.watts(), 580);
  EXPECT_EQ(two.bound, kLoadModelBound);
}

TEST(Rate, AGenericRatingSaysSo) {
  for (const CpuIdentity& cpu :
       {CpuIdentity{"Intel(R) Xeon(R) Processor", "GenuineIntel", 2, 1, true},
        CpuIdentity{"", "", 64, 1, false}}) {
    const RatedPower rated = rate(cpu, embedded::cpu_rated_power);
    EXPECT_EQ(rated.power, generic_rated_power(cpu.logical));
    EXPECT_EQ(rated.bound, kGenericBound);
    EXPECT_NE(rated.source.find("generic"), std::string::npos) << rated.source;
  }
}

}  // namespace
}  // namespace codecarbon::modelled
