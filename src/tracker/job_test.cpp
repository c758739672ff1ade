#include "tracker/job.hpp"

#include <gtest/gtest.h>

#include "tracker/tracker_fixture.hpp"

namespace codecarbon {
namespace {

RankPlace place(std::optional<int> rank, std::optional<int> local_rank) {
  return {"a/b", rank, local_rank, 8, {}, "torchrun"};
}

TEST(Job, OneRankOfANodeSpeaksForIt) {
  EXPECT_TRUE(speaks_for_node(std::nullopt));
  EXPECT_TRUE(speaks_for_node(place({}, {})));
  EXPECT_TRUE(speaks_for_node(place(4, 0)));
  EXPECT_FALSE(speaks_for_node(place(4, 1)));
  EXPECT_TRUE(speaks_for_node(place(0, {})));
  EXPECT_FALSE(speaks_for_node(place(4, {})));
}

TEST(Job, IsSaidInALine) {
  EXPECT_EQ(job_text({"77.0", 3, 1, 8, "Slurm srun"}),
            "rank 3 of 8, local rank 1, in job 77.0 (Slurm srun)");
  EXPECT_EQ(job_text({"run-1", {}, {}, {}, "a parent process that tracks"}),
            "job run-1 (a parent process that tracks)");
}

TEST(Job, TheOutputFileSaysWho) {
  Options options;
  options.output_file = "x/e-{rank:03d}-{job}-{host}.csv";
  EXPECT_EQ(expand_output_file(options, describe_job(place(4, 1)), "node1"),
            "x/e-004-a_b-node1.csv");
  EXPECT_EQ(expand_output_file(options, std::nullopt, "node1"), "x/e-000-none-node1.csv");
}

class JobOfTracker : public TrackerTest {
 protected:
  Options ranked(int rank) {
    Options options;
    options.job_id = "llama";
    options.rank = rank;
    options.world_size = 8;
    options.save_to_file = true;
    options.output_dir = folder.string();
    options.csv_columns = CsvColumns::extended;
    return options;
  }
  /// What a tracker says at its start that is no warning.
  std::vector<std::string> information(int rank) {
    Options options = ranked(rank);
    options.machine = CODECARBON_SOURCE_DIR "/tests/simulated_machines/node-2s8g.json";
    options.force_ram_power = 5;
    std::vector<std::string> texts;
    Hooks quiet;
    quiet.log = [&](LogLevel level, std::string_view text) {
      if (level == LogLevel::info) texts.emplace_back(text);
    };
    EXPECT_TRUE(Tracker::create(options, quiet));
    return texts;
  }
};

TEST_F(JobOfTracker, IsInTheReportAndNamesTheFile) {
  Options options = ranked(3);
  options.output_file = "e-{rank}.csv";
  Tracker tracker = make(kHundredWatts, options);
  tracker.start();
  tracker.stop();
  const auto report = tracker.report();
  ASSERT_TRUE(report.job);
  EXPECT_EQ(report.job->id, "llama");
  EXPECT_EQ(report.job->rank, 3);
  EXPECT_EQ(report.job->world_size, 8);
  EXPECT_EQ(report.job->found_by, "options");
  EXPECT_TRUE(std::filesystem::exists(folder / "e-3.csv"));
}

TEST_F(JobOfTracker, OnlyTheFirstRankOfANodeSaysWhatAllSee) {
  const auto first = information(0);
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(first.back(), "rank 0 of 8, in job llama (options)");
  EXPECT_EQ(information(1), std::vector<std::string>{});
}

}  // namespace
}  // namespace codecarbon
