#include "diagnosis_view.hpp"

#include <gtest/gtest.h>

namespace codecarbon::cli {
namespace {

Diagnosis laptop() {
  Diagnosis diagnosis;
  diagnosis.sensors = {{"package-0", "rapl", "/sys/rapl", Method::measured, "cpu", ""},
                       {"core", "rapl", "/sys/core", Method::measured, "", "inside package-0"},
                       {"memory", "modelled", "32 GB fitted", Method::modelled, "ram", ""}};
  diagnosis.sensors[0].observed = Pace{61, std::chrono::microseconds(976)};
  diagnosis.back_ends = {
      {"rapl",
       "energy counters",
       {{Finding::Outcome::found, "package-0", "", ""},
        {Finding::Outcome::denied, "dram", "permission denied", "run as root once"}}},
      {"nvml", "NVIDIA GPUs", {}}};
  return diagnosis;
}

TEST(DiagnosisView, UsableNeedsProcessorsAndMemory) {
  Diagnosis diagnosis = laptop();
  EXPECT_TRUE(is_usable(diagnosis));
  EXPECT_EQ(verdict_text(diagnosis), "Ready to measure: CPU measured, RAM modelled, GPU none\n");
  diagnosis.sensors.pop_back();
  EXPECT_FALSE(is_usable(diagnosis));
  EXPECT_EQ(verdict_text(diagnosis), "Not ready to measure: CPU measured, RAM none, GPU none\n");
}

TEST(DiagnosisView, TheRankIsSaidAndWhoSaidSo) {
  Diagnosis diagnosis = laptop();
  EXPECT_NE(machine_text(diagnosis).find("Job     none\n"), std::string::npos);
  EXPECT_NE(diagnosis_json(diagnosis).find("\"job\": null"), std::string::npos);
  diagnosis.job = JobReport{"77.0", 3, 1, 8, "Slurm srun"};
  diagnosis.job_remarks = {"RANK is \"x\": ignored"};
  EXPECT_NE(
      machine_text(diagnosis).find("Job     rank 3 of 8, local rank 1, in job 77.0 (Slurm srun)\n"
                                   "        RANK is \"x\": ignored\n"),
      std::string::npos)
      << machine_text(diagnosis);
  EXPECT_NE(diagnosis_json(diagnosis).find("\"rank\": 3"), std::string::npos);
}

TEST(DiagnosisView, FindingsCarryReasonAndRemedy) {
  EXPECT_EQ(back_ends_text(laptop()),
            "rapl: energy counters\n"
            "  found        package-0\n"
            "  denied       dram: permission denied\n"
            "               what to do: run as root once\n"
            "nvml: NVIDIA GPUs\n"
            "  nothing found\n");
}

TEST(DiagnosisView, SensorsAreUsedOrPassedOverForAReason) {
  EXPECT_EQ(
      sensors_text(laptop()),
      "Sensors in use\n"
      "  cpu  package-0  measured  rapl      /sys/rapl     new every 1.0 ms, steps from 61 µJ\n"
      "  ram  memory     modelled  modelled  32 GB fitted\n"
      "Passed over\n"
      "  core  rapl  /sys/core  inside package-0\n");
}

}  // namespace
}  // namespace codecarbon::cli
