#include "summary.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace codecarbon::cli {
namespace {

Report compiled() {
  Report report;
  report.run_id = "r1";
  report.duration = std::chrono::seconds(10);
  report.cpu = {Energy::from_joules(400), Power::from_watts(40), Energy::from_joules(1), {},
                Method::measured,         "rapl package-0"};
  report.ram = {Energy::from_joules(100), Power::from_watts(10),
                Energy::from_joules(30),  {},
                Method::modelled,         "32 GB"};
  report.emissions = Carbon::from_grams(0.006);
  report.place.country_name = "France";
  report.intensity = {CarbonIntensity::from_g_per_kwh(44.2), "country", "Ember 2024"};
  return report;
}

TEST(Summary, TextIsASmallTable) {
  EXPECT_EQ(render_summary(SummaryFormat::text, compiled(), {{"make", "a b"}, 2, "emissions.csv"}),
            "codecarbon: make \"a b\" (10.0 s, exit code 2)\n"
            "         energy  power   bound    method    source\n"
            "  CPU    400 J   40.0 W  ±1.00 J  measured  rapl package-0\n"
            "  GPU    -       -                none\n"
            "  RAM    100 J   10.0 W  ±30.0 J  modelled  32 GB\n"
            "  total  500 J   50.0 W  ±31.0 J\n"
            "  emissions  6.00 mg CO2e for 139 mWh\n"
            "  place      France, 44.2 g CO2e/kWh (country; Ember 2024)\n"
            "  row        emissions.csv\n");
}

TEST(Summary, TheProgramsShareAndTheMeterOfTheNodeAreSaidAndUnknownIsNotNothing) {
  Report report = compiled();
  report.share = ProcessShare{};
  report.share->cpu = {
      Energy::from_joules(100), Energy::from_joules(200), Energy::from_joules(100), {}, {}};
  report.share->gpu.rest = report.share->gpu.unknown = Energy::from_joules(9);
  report.node = NodeReport{report.cpu, Energy::from_joules(50)};
  const std::string text = render_summary(SummaryFormat::text, report, {});
  EXPECT_NE(text.find("its share  100 J CPU (25 %), GPU unknown\n"), std::string::npos) << text;
  EXPECT_NE(text.find("node       400 J by rapl package-0 (±1.00 J), 50.0 J beyond"),
            std::string::npos)
      << text;
}

TEST(Summary, ARankSaysWhoItIs) {
  Report report = compiled();
  report.job = JobReport{"77.0", 3, 1, 8, "Slurm srun"};
  const std::string text = render_summary(SummaryFormat::text, report, {});
  EXPECT_NE(text.find("job        rank 3 of 8, local rank 1, in job 77.0 (Slurm srun)\n"),
            std::string::npos)
      << text;
}

TEST(Summary, HeadlineIsOneShortLine) {
  const Words words{"sh", "-c", "a\nb", std::string(1000, 'x'), "y", "z"};
  const std::string text = render_summary(SummaryFormat::text, compiled(), {words, 0, ""});
  const std::string headline = text.substr(0, text.find('\n'));
  EXPECT_EQ(headline.find("codecarbon: sh -c \"a"), 0U);
  EXPECT_LT(headline.size(), 300U);
  EXPECT_NE(headline.find("(10.0 s, exit code 0)"), std::string::npos);
}

TEST(Summary, NotesAndFactorsAreShownOnlyWhenThereAreSome) {
  Report report = compiled();
  const std::string plain = render_summary(SummaryFormat::text, report, {});
  for (const char* word : {"PUE", "water", "note", "row", "exit code"}) {
    EXPECT_EQ(plain.find(word), std::string::npos) << word;
  }
  report.pue = 1.5;
  report.wue = 1.8;
  report.water = Water::from_litres(0.001);
  report.notes = {"package-0 was reset"};
  const std::string full = render_summary(SummaryFormat::text, report, {{}, {}, "x.csv"});
  for (const char* word : {"PUE", "1.5", "1.00 mL", "package-0 was reset", "x.csv"}) {
    EXPECT_NE(full.find(word), std::string::npos) << word;
  }
}

TEST(Summary, JsonAddsWhatTheCommandKnows) {
  const auto object = nlohmann::json::parse(
      render_summary(SummaryFormat::json, compiled(), {{"make", "\xff"}, 2, "emissions.csv"}));
  EXPECT_EQ(object.at("run_id"), "r1");
  EXPECT_EQ(object.at("exit_code"), 2);
  EXPECT_EQ(object.at("command").at(0), "make");
  EXPECT_EQ(object.at("row_file"), "emissions.csv");
}

TEST(Summary, NoneIsNothing) {
  EXPECT_EQ(render_summary(SummaryFormat::none, compiled(), {}), "");
  EXPECT_FALSE(parse_summary_format("xml").has_value());
}

}  // namespace
}  // namespace codecarbon::cli
