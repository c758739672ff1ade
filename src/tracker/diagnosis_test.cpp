#include "tracker/diagnosis.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace codecarbon {
namespace {

Options simulated() {
  Options options;
  options.machine = CODECARBON_SOURCE_DIR "/tests/simulated_machines/node-2s8g.json";
  options.country_iso_code = "FRA";
  return options;
}

std::vector<std::string> names(const Diagnosis& diagnosis) {
  std::vector<std::string> names;
  for (const auto& back_end : diagnosis.back_ends) {
    names.push_back(back_end.name);
    for (const Finding& finding : back_end.findings) {
      EXPECT_EQ(finding.outcome, Finding::Outcome::found) << finding.subject;
      EXPECT_TRUE(finding.remedy.empty()) << finding.remedy;
    }
  }
  return names;
}

TEST(Diagnosis, OfAMachineFileItSaysWhatTheFileHoldsAndNothingOfTheRealMachine) {
  const auto diagnosis = diagnose(simulated());
  ASSERT_TRUE(diagnosis) << diagnosis.error().message;
  EXPECT_EQ(names(*diagnosis), std::vector<std::string>{"simulated"});
  EXPECT_TRUE(std::all_of(diagnosis->sensors.begin(), diagnosis->sensors.end(),
                          [](const SensorDiagnosis& sensor) {
                            return sensor.source.find("node-2s8g.json") != std::string::npos;
                          }));
}

TEST(Diagnosis, WhatIsForcedIsSaidBesideTheMachineFile) {
  Options options = simulated();
  options.force_ram_power = 40;
  const auto diagnosis = diagnose(options);
  ASSERT_TRUE(diagnosis) << diagnosis.error().message;
  EXPECT_EQ(names(*diagnosis), (std::vector<std::string>{"simulated", "modelled"}));
  EXPECT_EQ(diagnosis->back_ends[1].findings.size(), 1U);
}

}  // namespace
}  // namespace codecarbon
