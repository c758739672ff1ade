// Holds the model, as it is compiled in, against the measurements in data/.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "embedded/cpu_rated_power.hpp"
#include "readings/share.hpp"
#include "sensors/modelled/generation.hpp"
#include "sensors/modelled/rated_power.hpp"

namespace codecarbon::modelled {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream rest(line);
  for (std::string cell; std::getline(rest, cell, ',');) result.push_back(cell);
  return result;
}

std::vector<Row> table(const std::string& name) {
  std::ifstream file(std::string(CODECARBON_SOURCE_DIR) + "/data/" + name);
  std::vector<std::string> columns;
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const auto values = cells(line);
    if (columns.empty()) {
      columns = values;
      continue;
    }
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i]] = values.at(i);
  }
  return rows;
}

/// What the kernel of such a machine says.
CpuIdentity identity_of(const Row& facts) {
  CpuIdentity cpu;
  cpu.model = facts.at("cpu_model");
  cpu.vendor = facts.at("vendor");
  cpu.logical = std::stoi(facts.at("threads"));
  cpu.family = std::stoi(facts.at("family"));
  cpu.model_number = std::stoi(facts.at("model"));
  cpu.threads_per_core = cpu.logical / std::stod(facts.at("cores"));
  cpu.base_ghz = std::stod(facts.at("base_mhz")) / 1000;
  return cpu;
}

class Profiles : public testing::Test {
 protected:
  void SetUp() override {
    for (const Row& facts : table("cpu_power_processors.csv")) {
      cpus_.emplace(facts.at("cpu_model"), identity_of(facts));
    }
    ASSERT_GT(points_.size(), 60U);
  }

  Power modelled(const Row& point, bool clock_known) const {
    const CpuIdentity& cpu = cpus_.at(point.at("cpu_model"));
    const double clock = std::stod(point.at("cpu_freq_mhz")) / 1000 / cpu.base_ghz.value();
    return rate(cpu, embedded::cpu_rated_power)
        .curve.at(std::stod(point.at("cpu_load_percent")) / 100,
                  clock_known ? std::optional(clock) : std::nullopt);
  }

  void expect_mean_error_below(double limit, bool clock_known) const {
    double error = 0;
    int within = 0;
    for (const Row& point : points_) {
      const double measured = std::stod(point.at("package_power_w"));
      const double power = modelled(point, clock_known).watts();
      error += std::abs(power - measured) / measured;
      within += std::abs(power - measured) <= power * kLoadModelBound ? 1 : 0;
    }
    const auto count = static_cast<double>(points_.size());
    EXPECT_LE(error / count, limit);
    EXPECT_GE(within / count, 0.95);
  }

  std::map<std::string, CpuIdentity> cpus_;
  std::vector<Row> points_ = table("cpu_power_profiles.csv");
};

TEST_F(Profiles, TheMeanErrorIsUnderAQuarterAndTheBoundHolds) {
  expect_mean_error_below(0.20, true);
  expect_mean_error_below(0.25, false);
}

TEST_F(Profiles, TheIdlePartByWhichEnergyIsSharedIsNearTheMeasuredOne) {
  constexpr double kLeastLoad = 0.03;
  std::map<std::string, double> idle_w;
  for (const Row& point : points_) {
    const double power = std::stod(point.at("package_power_w"));
    auto& least = idle_w.try_emplace(point.at("cpu_model"), power).first->second;
    least = std::min(least, power);
  }
  double error = 0;
  int count = 0;
  for (const Row& point : points_) {
    const double load = std::stod(point.at("cpu_load_percent")) / 100;
    if (load < kLeastLoad) continue;
    const double measured =
        idle_w.at(point.at("cpu_model")) / std::stod(point.at("package_power_w"));
    error += std::abs(idle_part(load) - measured);
    ++count;
  }
  EXPECT_LE(error / count, 0.11);
}

TEST_F(Profiles, TheProcessorsAreKnownByTheirNumbers) {
  for (const Row& facts : table("cpu_power_processors.csv")) {
    const auto generation = find_generation(cpus_.at(facts.at("cpu_model")));
    ASSERT_TRUE(generation) << facts.at("cpu_model");
    EXPECT_EQ(generation->process_nm, std::stod(facts.at("process_nm")));
    EXPECT_EQ(generation->several_dies, facts.at("dies") == "several");
  }
}

TEST_F(Profiles, TheRatedPowerIsTheOneOfTheMeasurements) {
  for (const Row& point : points_) {
    EXPECT_EQ(find_rated_power(point.at("cpu_model"), embedded::cpu_rated_power),
              Power::from_watts(std::stod(point.at("rated_tdp_w"))));
  }
}

TEST(ServerTable, RatedPowersAreThoseOfTheRatingTable) {
  int known = 0;
  const auto servers = table("server_power.csv");
  for (const Row& server : servers) {
    const auto rated = find_rated_power(server.at("cpu_model"), embedded::cpu_rated_power);
    if (!rated) continue;
    EXPECT_EQ(rated->watts(), std::stod(server.at("rated_w"))) << server.at("cpu_model");
    ++known;
  }
  EXPECT_GE(known + 2, static_cast<int>(servers.size()));
}

}  // namespace
}  // namespace codecarbon::modelled
