#include "status_line.hpp"

#include <gtest/gtest.h>

namespace codecarbon::cli {
namespace {

Report report_of(double energy_j, int seconds) {
  Report report;
  report.cpu.energy = Energy::from_joules(energy_j);
  report.emissions = Carbon::from_grams(0.5);
  report.duration = std::chrono::seconds(seconds);
  return report;
}

TEST(StatusLine, PowerIsThatSinceTheReportBefore) {
  StatusLine line;
  EXPECT_EQ(line.next(report_of(10, 1), 80), "codecarbon  10.0 J  10.0 W  500 mg CO2e  1.00 s");
  EXPECT_EQ(line.next(report_of(110, 3), 80), "codecarbon  110 J  50.0 W  500 mg CO2e  3.00 s");
}

TEST(StatusLine, NoTimePassedIsNoPower) {
  StatusLine line;
  line.next(report_of(10, 1), 80);
  EXPECT_EQ(line.next(report_of(10, 1), 80), "codecarbon  10.0 J  0 W  500 mg CO2e  1.00 s");
}

TEST(StatusLine, IsCutBetweenCharacters) {
  const std::string whole = StatusLine().next(report_of(10e-6, 1), 80);
  ASSERT_EQ(whole.find("µ"), 17U);
  EXPECT_EQ(StatusLine().next(report_of(10e-6, 1), 17), "codecarbon  10.0 ");
  EXPECT_EQ(StatusLine().next(report_of(10e-6, 1), 18), "codecarbon  10.0 µ");
  EXPECT_EQ(StatusLine().next(report_of(10e-6, 1), 0), "");
}

}  // namespace
}  // namespace codecarbon::cli
