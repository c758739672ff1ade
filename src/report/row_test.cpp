#include "report/row.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <charconv>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <map>

#include "report/number_text.hpp"

namespace codecarbon {
namespace {

std::map<std::string, std::string, std::less<>> by_name(const std::vector<Cell>& cells) {
  std::map<std::string, std::string, std::less<>> row;
  for (const Cell& cell : cells) row.emplace(cell.column, cell.value);
  return row;
}

double parsed(const std::string& text) {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Report a_report() {
  Report report;
  report.duration = std::chrono::milliseconds(2500);
  report.cpu.energy = Energy::from_uj(123'456'789);
  report.gpu.energy = Energy::from_uj(987'654'321'012);
  report.ram.energy = Energy::from_uj(7);
  report.emissions = Carbon::from_grams(0.25);
  return report;
}

TEST(Row, HasTheDropInsColumnsInOrder) {
  const std::vector<std::string_view> expected{"timestamp",
                                               "project_name",
                                               "run_id",
                                               "experiment_id",
                                               "duration",
                                               "emissions",
                                               "emissions_rate",
                                               "cpu_power",
                                               "gpu_power",
                                               "ram_power",
                                               "cpu_energy",
                                               "gpu_energy",
                                               "ram_energy",
                                               "energy_consumed",
                                               "water_consumed",
                                               "country_name",
                                               "country_iso_code",
                                               "region",
                                               "cloud_provider",
                                               "cloud_region",
                                               "os",
                                               "python_version",
                                               "codecarbon_version",
                                               "cpu_count",
                                               "cpu_model",
                                               "gpu_count",
                                               "gpu_model",
                                               "longitude",
                                               "latitude",
                                               "ram_total_size",
                                               "tracking_mode",
                                               "cpu_utilization_percent",
                                               "gpu_utilization_percent",
                                               "ram_utilization_percent",
                                               "ram_used_gb",
                                               "on_cloud",
                                               "pue",
                                               "wue"};
  const auto columns = standard_columns();
  EXPECT_EQ(std::vector(columns.begin(), columns.end()), expected);
}

TEST(Row, CellsStandUnderTheirColumns) {
  const auto cells = encode_row(a_report());
  ASSERT_EQ(cells.size(), extended_columns().size());
  for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(cells[i].column, extended_columns()[i]);
}

TEST(Row, TaskRowBeginsWithItsNameAndLeavesOutWhatTheDropInLeavesOut) {
  const auto cells = encode_task_row({"train", a_report()});
  ASSERT_EQ(cells.size(), task_columns().size());
  EXPECT_EQ(cells.size(), 36U);
  EXPECT_EQ(cells.front().value, "train");
  for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(cells[i].column, task_columns()[i]);
  const auto row = by_name(cells);
  for (const char* absent : {"experiment_id", "pue", "wue", "host"})
    EXPECT_FALSE(row.count(absent));
  EXPECT_EQ(row.at("on_cloud"), "N");
}

TEST(Row, PartsSumToTheWholeAndPowerTimesDurationIsEnergy) {
  EXPECT_TRUE(rc::check([] {
    Report report;
    report.duration = Duration(*rc::gen::inRange<std::int64_t>(1, 4'000'000'000'000'000));
    const auto energy = rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000'000);
    report.cpu.energy = Energy::from_uj(*energy);
    report.gpu.energy = Energy::from_uj(*energy);
    report.ram.energy = Energy::from_uj(*energy);
    const auto row = by_name(encode_row(report));
    RC_ASSERT(parsed(row.at("cpu_energy")) + parsed(row.at("gpu_energy")) +
                  parsed(row.at("ram_energy")) ==
              parsed(row.at("energy_consumed")));
    for (const std::string part : {"cpu", "gpu", "ram"}) {
      const double energy_j = parsed(row.at(part + "_energy")) * 3.6e6;
      const double product = parsed(row.at(part + "_power")) * parsed(row.at("duration"));
      RC_ASSERT(std::abs(product - energy_j) <= 1e-14 * energy_j);
    }
  }));
}

TEST(Row, NoActiveTimeHasNoRateAndNoNan) {
  Report report = a_report();
  report.duration = {};
  const auto row = by_name(encode_row(report));
  EXPECT_EQ(row.at("duration"), "0.0");
  EXPECT_EQ(row.at("cpu_power"), "0.0");
  EXPECT_EQ(row.at("emissions_rate"), "0.0");
}

TEST(Row, NanAndInfinityBecomeMissing) {
  Report report = a_report();
  report.emissions = Carbon::from_grams(std::numeric_limits<double>::quiet_NaN());
  report.water = Water::from_litres(std::numeric_limits<double>::infinity());
  report.usage.cpu_percent = std::numeric_limits<double>::quiet_NaN();
  report.place.longitude = -std::numeric_limits<double>::infinity();
  const auto row = by_name(encode_row(report));
  for (const char* name :
       {"emissions", "emissions_rate", "water_consumed", "cpu_utilization_percent", "longitude"}) {
    EXPECT_EQ(row.at(name), "") << name;
  }
}

TEST(Row, MissingIsEmptyAndNotZero) {
  const auto row = by_name(encode_row(Report{}));
  for (const char* name :
       {"country_name", "cpu_count", "cpu_model", "gpu_model", "longitude", "latitude",
        "ram_total_size", "cpu_utilization_percent", "ram_used_gb", "cpu_energy_bound"}) {
    EXPECT_EQ(row.at(name), "") << name;
  }
  EXPECT_EQ(row.at("gpu_count"), "0");
  EXPECT_EQ(row.at("gpu_energy"), "0.0");
  EXPECT_EQ(row.at("cpu_method"), "none");
}

TEST(Row, TextIsKeptAsItIs) {
  Report report = a_report();
  report.project_name = "007";
  report.run_id = "a,\"b\"\nc";
  const auto row = by_name(encode_row(report));
  EXPECT_EQ(row.at("project_name"), "007");
  EXPECT_EQ(row.at("run_id"), "a,\"b\"\nc");
}

TEST(Row, AJobsRankIsANumberAndWhatIsMissingIsEmpty) {
  Report report;
  auto row = by_name(encode_row(report));
  EXPECT_EQ(row.at("rank"), "");
  EXPECT_EQ(row.at("job_id"), "");
  report.job = JobReport{"77.0", 0, {}, {}, "Slurm srun"};
  row = by_name(encode_row(report));
  EXPECT_EQ(row.at("rank"), "0");
  EXPECT_EQ(row.at("job_id"), "77.0");
  report.job->rank.reset();
  EXPECT_EQ(by_name(encode_row(report)).at("rank"), "");
}

TEST(Row, TimestampIsLocalTime) {
  ASSERT_EQ(::setenv("TZ", "UTC-5:30", 1), 0);
  ::tzset();
  Report report;
  report.timestamp = WallTime(std::chrono::microseconds(1'700'000'000'999'999));
  EXPECT_EQ(by_name(encode_row(report)).at("timestamp"), "2023-11-15T03:43:20");
  ASSERT_EQ(::unsetenv("TZ"), 0);
  ::tzset();
}

TEST(NumberText, ReadsBackToTheSameDoubleAndLooksLikeAFloat) {
  EXPECT_TRUE(rc::check([](double value) {
    const std::string text = number_text(value);
    RC_ASSERT(parsed(text) == value);
    RC_ASSERT(text.find_first_of(".e") != std::string::npos);
  }));
  EXPECT_EQ(number_text(0.0), "0.0");
  EXPECT_EQ(number_text(-0.0), "0.0");
  EXPECT_EQ(number_text(55.0), "55.0");
  EXPECT_EQ(number_text(1e-5), "1e-05");
  EXPECT_EQ(number_text(std::optional<double>{}), "");
}

}  // namespace
}  // namespace codecarbon
