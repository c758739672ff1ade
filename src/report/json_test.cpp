#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "report/row.hpp"

namespace codecarbon {
namespace {

using Json = nlohmann::json;

TEST(ToJson, SaysEveryFigureInBaseUnits) {
  Report report;
  report.timestamp = WallTime(std::chrono::microseconds(1'700'000'000'000'001));
  report.duration = std::chrono::seconds(2);
  report.cpu = {.energy = Energy::from_joules(100),
                .power = Power::from_watts(50),
                .bound = Energy::from_joules(3),
                .gap = std::chrono::seconds(1),
                .method = Method::measured,
                .source = "rapl package-0"};
  report.ram.energy = Energy::from_joules(10);
  report.emissions = Carbon::from_grams(1.5);
  const Json json = Json::parse(to_json(report));
  EXPECT_EQ(json["timestamp"], "2023-11-14T22:13:20.000001Z");
  EXPECT_EQ(json["energy_j"], 110.0);
  EXPECT_EQ(json["emissions_g"], 1.5);
  EXPECT_EQ(json["cpu"]["power_w"], 50.0);
  EXPECT_EQ(json["cpu"]["energy_bound_j"], 3.0);
  EXPECT_EQ(json["cpu"]["gap_s"], 1.0);
  EXPECT_EQ(json["cpu"]["method"], "measured");
}

TEST(ToJson, TheJobIsNullOutsideOne) {
  Report report;
  EXPECT_TRUE(Json::parse(to_json(report))["job"].is_null());
  report.job = JobReport{"77.0", 3, {}, 8, "Slurm srun"};
  const Json expected = {{"id", "77.0"},
                         {"rank", 3},
                         {"local_rank", nullptr},
                         {"world_size", 8},
                         {"found_by", "Slurm srun"}};
  EXPECT_EQ(Json::parse(to_json(report))["job"], expected);
}

TEST(ToJson, IsOneValidLineWhateverTheTextHolds) {
  Report report;
  report.project_name = "two\nlines \xff \"quoted\"";
  report.emissions = Carbon::from_grams(std::numeric_limits<double>::quiet_NaN());
  const std::string text = to_json(report);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const Json json = Json::parse(text);
  EXPECT_TRUE(json["emissions_g"].is_null());
  EXPECT_TRUE(json["place"]["longitude"].is_null());
}

TEST(ToJson, TaskBeginsWithItsName) {
  EXPECT_EQ(to_json(TaskReport{"train", {}}).rfind(R"({"task_name":"train","timestamp":)", 0), 0U);
}

}  // namespace
}  // namespace codecarbon
